"""The examples of the README and the pages print what is shown."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "python" / "docs").glob("*.md"))]
NEEDS = {"arrow.md": ("duckdb", "polars_st", "sedonadb")}
"""What the examples of a page import that `make test` doesn't install."""
LISTS = ("api.md", "changelog.md", "index.md")
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:\s]+)[^):]*\)")


def blocks(page: Path) -> list[tuple[int, str]]:
    """The line and the text of each Python block."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, m.start(1)), m[1]) for m in PYTHON_BLOCK.finditer(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in NEEDS.get(page.name, ()):
        pytest.importorskip(module, reason="`make arrow` runs the page with it")
    monkeypatch.chdir(tmp_path)  # where examples write their files
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    names: dict[str, object] = {}
    for line, text in blocks(page):
        test = parser.get_doctest(text, names, page.name, str(page), line)
        assert test.examples, f"{page.name}:{line + 1}: a Python block without >>>"
        runner.run(test, out=report.append, clear_globs=False)
        names = test.globs
    assert not runner.summarize(verbose=False).failed, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_pages_have_examples() -> None:
    for page in PAGES:
        assert blocks(page) or page.name in LISTS[:2], f"{page.name} has no example"


def test_the_readme_leads_to_every_page() -> None:
    linked = LINK.findall(PAGES[0].read_text(encoding="utf-8"))
    for page in PAGES[1:]:
        assert f"python/docs/{page.name}" in linked or page.name in LISTS, page.name

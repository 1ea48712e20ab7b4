"""How the pages become a site: `make docs`. Nothing is fetched, neither here nor by a browser."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import carom
from docutils import nodes  # type: ignore[import-untyped]
from docutils.utils.math.latex2mathml import tex2mathml  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

project = "carom"
version = release = carom.__version__
html_title = f"carom {version}"

extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
templates_path = ["_templates"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["outputs.css"]
html_show_copyright = False
html_copy_source = False
nitpicky = True
# Other projects' names lead nowhere, as nothing is fetched. In docstrings, `time` is a field, and
# the others are arguments; but modules have these names too.
_ARGUMENTS = ("array", "collections", "draw", "duration", "pairs", "zoom")
nitpick_ignore = [("py:obj", name) for name in ("time", *_ARGUMENTS)]
nitpick_ignore_regex = [("py:.*", r"(geopandas|matplotlib|numpy|pandas|shapely)\..*")]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]  # the changelog has a heading in each version again

# Notebooks are kept without outputs, and so are run: each build shows what carom answers now.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_in_temp = True
nb_execution_timeout = 300  # seconds for a cell
nb_merge_streams = True

autodoc_typehints = "none"  # docstrings have them in words
default_role = "autolink"
numpydoc_show_class_members = False
html_math_renderer = "mathml"

DOCS = Path(__file__).parent
EXAMPLES = DOCS.parent / "examples"
PAGES_OF_EXAMPLES = DOCS / "generated" / "examples"
BENCH = DOCS.parent.parent / "tests" / "bench" / "compare.csv"
PARTS = ("sets", "scalar")
MARK = "<!-- compare.csv -->"
PICTURE = "images/speed.svg"


def write_mathml(writer: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Writes a formula as browsers show it by themselves, without a script or a font."""
    as_block = isinstance(node, nodes.math_block)
    writer.body.append(tex2mathml(node.astext(), as_block=as_block))
    raise nodes.SkipNode


def figure(nanoseconds: str) -> str:
    """A time with three digits or more."""
    value = float(nanoseconds)
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def table_of_times(rows: list[dict[str, str]]) -> str:
    """The medians as Markdown, a line for each question about each set of pairs."""
    named = [
        (row["who"] + (f", {row['threads']} threads" if row["threads"] != "1" else ""), row)
        for row in rows
    ]
    head = list(dict.fromkeys(who for who, _ in named))
    lines: dict[tuple[str, str], dict[str, str]] = {}
    for who, row in named:
        lines.setdefault((row["pairs"], row["question"]), {})[who] = figure(row["median"])
    cells = [["pairs", "question", *head], ["---", "---", *["---:"] * len(head)]]
    cells += [[*key, *(line.get(who, "") for who in head)] for key, line in lines.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def table_of_ratios(rows: list[dict[str, str]]) -> str:
    """How many times faster carom is on hard data, as Markdown; bold where a goal is missed."""
    head = ["data", "question: the other's time over carom's", "ratio", "goal"]
    cells = [head, ["---", "---", "---:", "---:"]]
    for row in rows:
        ratio, goal = figure(row["median"]), row["at_least"]
        if goal and float(row["median"]) < float(goal):
            ratio = f"**{ratio}**"
        cells.append([row["pairs"], row["question"], ratio, goal])
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def what_was_measured() -> str:
    """Tables, the picture if it was drawn, and on what it was measured."""
    with BENCH.open(newline="", encoding="utf-8") as file:
        every = list(csv.DictReader(file))
    rows = [row for row in every if row["unit"] == "ns"]
    blocks = [table_of_times([row for row in rows if row["part"] == part]) for part in PARTS]
    blocks.append(table_of_ratios([row for row in every if row["part"] == "cliffs"]))
    if (DOCS / PICTURE).exists():
        blocks.append(f"![The times of the tables, a panel for each question]({PICTURE})")
    where = "{cpu}, {cores} cores, {date}, carom {carom}, Shapely {shapely}, numba {numba}"
    runs: dict[str, list[str]] = {}
    for row in every:
        parts = runs.setdefault(where.format_map(row), [])
        if row["part"] not in parts:
            parts.append(row["part"])
    notes = [f"*{', '.join(parts)}: {run}*" for run, parts in runs.items()]
    return "\n\n".join([*blocks, *notes])


def insert_times(_app: Sphinx | None, page: str, source: list[str]) -> None:
    """Puts what the benchmark measured where the page about speed has its mark for it."""
    if page == "speed" and BENCH.exists():
        source[0] = source[0].replace(MARK, what_was_measured())


def bring_notebooks(_app: Sphinx) -> None:
    """Puts the notebooks among the pages, where Sphinx finds them, and turns their links."""
    PAGES_OF_EXAMPLES.mkdir(parents=True, exist_ok=True)
    for path in EXAMPLES.glob("*.ipynb"):
        text = path.read_text(encoding="utf-8").replace("](../docs/", "](../../")
        (PAGES_OF_EXAMPLES / path.name).write_text(text, encoding="utf-8")


def link_to_notebooks(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Leads links that name a notebook in its folder to its page."""
    source[0] = source[0].replace("](../examples/", "](generated/examples/")


def close_examples(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Leaves out the empty line that ends the output of a doctest in Markdown."""
    source[0] = source[0].replace("\n\n```\n", "\n```\n")


def setup(app: Sphinx) -> None:
    """Joins the above to Sphinx."""
    app.add_html_math_renderer("mathml", (write_mathml, None), (write_mathml, None))
    app.connect("builder-inited", bring_notebooks)
    app.connect("source-read", link_to_notebooks)
    app.connect("source-read", insert_times)
    app.connect("source-read", close_examples)

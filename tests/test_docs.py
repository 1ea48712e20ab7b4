"""The parts of the site besides its pages: names, pictures, and the table of the benchmark."""

from __future__ import annotations

import csv
import doctest
import re
import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import carom
import carom.dask
import carom.plot
import pytest
from carom.interop import geopandas as cg
from carom.interop import logs

DOCS = Path(__file__).parent.parent / "python" / "docs"
PICTURES: dict[str, Any] = runpy.run_path(str(DOCS / "pictures.py"))
TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("images")
    PICTURES["draw"](folder)
    return folder


def words(picture: Path) -> list[str]:
    """The texts of a picture without the numbers on its axes."""
    texts = ["".join(text.itertext()).strip() for text in ET.parse(picture).iter(TEXT)]
    return sorted(text for text in texts if re.search("[a-z]", text))


@pytest.mark.parametrize("name", PICTURES["PICTURES"])
def test_a_picture_is_drawn_from_what_carom_answers_now(name: str, drawn: Path) -> None:
    kept = DOCS / "images" / f"{name}.svg"
    assert words(drawn / kept.name) == words(kept), "make pictures"


@pytest.mark.parametrize("name", PICTURES["PICTURES"])
def test_a_picture_is_shown_on_the_page_of_its_name(name: str) -> None:
    assert f"](images/{name}.svg)" in (DOCS / f"{name.partition('-')[0]}.md").read_text(
        encoding="utf-8"
    )


def test_every_notebook_is_a_page_of_the_site() -> None:
    contents = (DOCS / "index.md").read_text(encoding="utf-8")
    notebooks = (DOCS.parent / "examples").glob("*.ipynb")
    assert re.findall(r"<generated/examples/(.*)>", contents) == sorted(it.stem for it in notebooks)


def test_the_figures_of_the_front_page_are_those_that_were_measured() -> None:
    bench = DOCS.parent.parent / "tests" / "bench"
    page = (DOCS / "index.md").read_text(encoding="utf-8")
    figures = re.findall(r"^\|.*\| ([\d,.]+ \w+) \| ([\d,.]+ \w+) \|$", page, re.MULTILINE)
    with (bench / "compare.csv").open(newline="", encoding="utf-8") as file:
        times = {
            row["who"]: f"{float(row['median']):,.0f} ns"
            for row in csv.DictReader(file)
            if (row["pairs"], row["question"], row["threads"]) == ("c4_50", "intersects", "1")
        }
    with (bench / "joins.csv").open(newline="", encoding="utf-8") as file:
        joins = {
            (row["what"], row["contestant"]): float(row["seconds"])
            for row in csv.DictReader(file)
            if row["size"] in {"3398", "1000000"}
        }
    both = ("Shapely's STRtree", "carom, both orders")
    assert figures == [
        tuple(times[f"{who}, {how}"] for who in ("Shapely", "carom")) for how in ("built", "arrays")
    ] + [
        tuple(f"{joins['counties that touch', who] * 1e3:.0f} ms" for who in both),
        tuple(f"{joins['standing vehicles', who]:.1f} s" for who in both),
    ]


def test_the_readme_shows_all_hard_data_on_which_shapely_comes_near() -> None:
    root = DOCS.parent.parent
    with (root / "tests" / "bench" / "compare.csv").open(newline="", encoding="utf-8") as file:
        ratios = {
            (row["pairs"], row["question"].partition(":")[0]): float(row["median"])
            for row in csv.DictReader(file)
            if row["part"] == "cliffs" and re.search("Shapely|STRtree", row["question"])
        }
    text = (root / "README.md").read_text(encoding="utf-8").partition("Not all data suit")[2]
    shown = set()
    for data, question, ratio in re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \| ([\d. to]+) \|$", text, re.MULTILINE
    ):
        # A line of the page may stand for several rows.
        pairs = data.replace("8 and 32", "(8|32)") + "(, .*)?"
        asked = question.replace("with its gap or all fields", "(gap|all)")
        found = {
            row for row in ratios if re.fullmatch(pairs, row[0]) and re.fullmatch(asked, row[1])
        }
        numbers = sorted(ratios[row] for row in found)
        ends = [f"{it:.{1 if it > 1 else 2}f}" for it in (numbers[0], numbers[-1])]
        assert ratio == " to ".join(dict.fromkeys(ends)), (data, question)
        shown |= found
    assert {row for row, ratio in ratios.items() if ratio < 1.3} <= shown


def test_every_public_name_is_in_the_reference() -> None:
    listed: dict[str, set[str]] = {}
    module = ""
    for line in (DOCS / "api.md").read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule:: "):
            module = line.split()[-1]
        elif found := re.fullmatch(r"(?:   |\.\. autodata:: )(\w+)", line):
            listed.setdefault(module, set()).add(found[1])
    for namespace in (carom, cg, logs, carom.dask, carom.plot):
        assert listed[namespace.__name__] == set(namespace.__all__) - {"__version__"}


def test_the_page_about_speed_shows_what_the_benchmark_wrote(tmp_path: Path) -> None:
    conf = runpy.run_path(str(DOCS / "conf.py"))
    facts = dict.fromkeys(("cpu", "cores", "date", "carom", "shapely", "numba"), "")
    times = [
        {"part": "sets", "pairs": "c4", "question": "sweep", "who": "carom", "threads": "1"},
        {"part": "sets", "pairs": "c4", "question": "sweep", "who": "carom", "threads": "2"},
        {"part": "scalar", "pairs": "one", "question": "sat", "who": "carom", "threads": "1"},
    ]
    rows = [
        {**facts, **row, "unit": "ns", "median": median}
        for row, median in zip(times, ("12.345", "7", "1234.5"), strict=True)
    ]
    hard = {"part": "cliffs", "pairs": "spirals", "question": "intersects: Shapely over carom"}
    rows += [
        {**facts, **hard, "who": "carom", "threads": "1", "unit": "times", "median": "2.5", **goal}
        for goal in ({"at_least": "2.5"}, {"at_least": "3"}, {"at_least": ""})
    ]
    path = tmp_path / "compare.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[-1])
        writer.writeheader()
        writer.writerows(rows)
    insert = conf["insert_times"]
    insert.__globals__["BENCH"] = path
    source = [(DOCS / "speed.md").read_text(encoding="utf-8")]
    insert(None, "speed", source)
    assert "| pairs | question | carom | carom, 2 threads |" in source[0]
    assert "| c4 | sweep | 12.3 | 7.00 |" in source[0]
    assert "| one | sat | 1,234 |" in source[0]
    for end in ("2.50 | 2.5", "**2.50** | 3", "2.50 | "):
        assert f"| spirals | intersects: Shapely over carom | {end} |" in source[0]


@pytest.mark.parametrize("labels", ["as they were read", "all the same"])
def test_the_tutorial_answers_as_it_says_whatever_the_labels(
    labels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    if labels == "all the same":
        for name in ('"zones.geojson"', '"boats.gpkg"'):
            read = f"geopandas.read_file({name})"
            assert read in text
            text = text.replace(read, f"{read}.set_axis([7] * len({read}))")
    monkeypatch.chdir(tmp_path)
    lesson = doctest.DocTestParser().get_doctest(text, {}, "tutorial", None, 0)
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(lesson)
    assert outcome.attempted > 0
    assert outcome.failed == 0

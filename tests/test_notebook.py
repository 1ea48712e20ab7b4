"""Notebook display: well-formed, with the right values, and short."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import carom
import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from helpers import SQUARE

TRIANGLE = [(1.25, 1.5), (5, -0.5), (4.5, 3)]
WALL = [(10, -4), (11, -4), (11, 4), (10, 4)]
FRAME = [[(0, 0), (6, 0), (6, 6), (0, 6)], [(1, 1), (5, 1), (5, 5), (1, 5)]]
SVG = "{http://www.w3.org/2000/svg}"
SCALARS = [
    carom.sat(SQUARE, TRIANGLE),
    carom.sat(SQUARE, WALL),
    carom.swept_collision(SQUARE, WALL, (16, 4)),
    carom.swept_collision(SQUARE, WALL, (1, 0)),
    carom.swept_collision(FRAME, WALL, (16, 0)),
    carom.circle_polygon((2.5, 1), 1, SQUARE),
    carom.swept_circle((0, 0), 1, (20, 0), WALL),
    carom.distance(SQUARE, WALL),
    carom.distance(SQUARE, TRIANGLE),
    carom.first_contact(SQUARE, [[(0, 0, 0), (9, 0, 0)]], [WALL])[0],
]


def page(text: str | None) -> ET.Element:
    """The display in a notebook, which is XML as well as HTML."""
    assert text is not None
    return ET.fromstring(text)


def cells(text: str | None) -> list[list[str]]:
    """The rows of a table, its head first."""
    return [["".join(cell.itertext()) for cell in row] for row in page(text).iter("tr")]


def moved(count: int) -> NDArray[np.float64]:
    """Squares side by side."""
    places = np.arange(count, dtype=np.float64)[:, None, None]
    return np.array(SQUARE) + 4 * places


def numbers(path: ET.Element) -> list[tuple[float, float]]:
    """The points of a path."""
    found = re.findall(r"(-?[\d.]+),(-?[\d.]+)", path.get("d", ""))
    return [(float(x), float(y)) for x, y in found]


# --- results --------------------------------------------------------------------------------------


@pytest.mark.parametrize("result", SCALARS, ids=lambda result: type(result).__name__)
def test_a_scalar_result_is_a_table_of_its_fields(result: Any) -> None:
    rows = dict(cells(result._repr_html_()))
    assert list(rows) == list(result._asdict())
    for name, value in result._asdict().items():
        if isinstance(value, bool | str | int):
            assert rows[name] == str(value)
        elif isinstance(value, float):
            assert float(rows[name]) == pytest.approx(value, rel=1e-5)
        else:
            shown = [float(part) for part in re.findall(r"[-\d.e+]+|nan", rows[name])]
            ends = value.reshape(-1, 2)
            is_one = len(ends) == 1 or np.array_equal(*ends, equal_nan=True)
            expected = ends[0] if is_one else ends.ravel()
            assert shown == pytest.approx(expected[: len(shown)], rel=1e-5, nan_ok=True)
            assert len(shown) == (1 if np.isnan(value).any() else len(expected))


def test_an_overlap_has_a_small_picture_of_contact_and_mtv() -> None:
    (svg,) = page(SCALARS[0]._repr_html_()).iter(f"{SVG}svg")
    assert svg.findtext(f"{SVG}title") == "contact, mtv (green)"
    assert len(svg.findall(f"{SVG}circle")) == 2
    (mtv,) = (path for path in svg.iter(f"{SVG}path") if path.get("stroke") == "#009E73")
    (tail_x, tail_y), (tip_x, tip_y) = numbers(mtv)[:2]
    assert tail_y == tip_y
    assert tip_x < tail_x


def test_y_points_up_in_pictures() -> None:
    (svg,) = page(carom.swept_circle((0, 9), 1, (0, -9), SQUARE)._repr_html_()).iter(f"{SVG}svg")
    (normal,) = (path for path in svg.iter(f"{SVG}path") if path.get("stroke-width") == "2")
    (_, tail), (_, tip) = numbers(normal)[:2]
    assert tip < tail


@pytest.mark.parametrize("result", [SCALARS[1], SCALARS[3], SCALARS[8]])
def test_what_has_no_place_has_no_picture(result: Any) -> None:
    assert not list(page(result._repr_html_()).iter(f"{SVG}svg"))


def test_a_batch_shows_its_first_and_last_rows() -> None:
    batch = carom.sat_batch(moved(1000), SQUARE)
    head, *rows = cells(batch._repr_html_())
    assert head == ["", "intersects", "depth", "mtv", "normal", "separation", "contact"]
    assert [row[0] for row in rows] == [*"01234", "…", "995", "996", "997", "998", "999"]
    assert rows[0][1:3] == ["True", "2"]
    assert rows[-1][1] == "False"
    assert float(rows[-1][5]) == batch.separation[-1]
    assert page(batch._repr_html_()).findtext("caption") == "SatBatchResult, 1,000 rows"


def test_a_short_batch_is_shown_whole_with_the_fields_that_were_asked_for() -> None:
    batch = carom.circle_polygon_batch(np.zeros((10, 2)), 1, SQUARE, fields=("feature", "index"))
    head, *rows = cells(batch._repr_html_())
    assert head == ["", "feature", "index"]
    assert rows == [[str(row), "vertex", "0"] for row in range(10)]


def test_rows_that_were_masked_are_told() -> None:
    batch = carom.circle_polygon_batch((0, 0), 1, [SQUARE, [(0, 0), (1, 1)]], on_invalid="mask")
    head, good, bad = cells(batch._repr_html_())
    assert (good[head.index("valid")], bad[head.index("valid")]) == ("True", "False")
    assert (bad[head.index("feature")], bad[head.index("index")]) == ("None", "-1")
    assert bad[head.index("mtv")] == "nan"


@pytest.mark.parametrize(
    ("shape", "title", "rows"),
    [
        ((), "1 row", [""]),
        ((1,), "1 row", ["0"]),
        ((2, 3), "2 x 3 rows", ["0, 0", "0, 1", "0, 2", "1, 0", "1, 1", "1, 2"]),
        ((0,), "0 rows", []),
        ((4, 0), "4 x 0 rows", []),
    ],
)
def test_a_batch_of_any_shape_is_shown(shape: tuple[int, ...], title: str, rows: list[str]) -> None:
    squares = np.broadcast_to(SQUARE, (*shape, 4, 2))
    text = carom.distance_batch(squares, WALL)._repr_html_()
    assert page(text).findtext("caption") == f"DistanceBatchResult, {title}"
    assert [row[0] for row in cells(text)[1:]] == rows


# --- columns --------------------------------------------------------------------------------------


def test_a_small_column_is_a_picture_with_a_path_per_polygon_and_a_name() -> None:
    column = carom.Shapes([FRAME, None, SQUARE])
    assert column._repr_html_() is None
    svg = page(column._repr_svg_())
    assert svg.findtext(f"{SVG}title") == repr(column)
    frame, square = svg.iter(f"{SVG}path")
    assert [len(numbers(path)) for path in (frame, square)] == [8, 4]
    assert frame.get("d", "").count("Z") == 2
    assert frame.get("fill-rule") == "evenodd"
    width, height = (float(svg.get(name, "")) for name in ("width", "height"))
    assert all(
        0 < x < width and 0 < y < height for path in (frame, square) for x, y in numbers(path)
    )


def test_a_picture_keeps_proportions() -> None:
    (path,) = page(carom.Shapes([[(0, 0), (8, 0), (8, 2)]])._repr_svg_()).iter(f"{SVG}path")
    (left, low), (right, _), (_, high) = numbers(path)
    assert right - left == pytest.approx(4 * (low - high))


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e300])
def test_extreme_columns_have_pictures(scale: float) -> None:
    (path,) = page(carom.Shapes(np.multiply([SQUARE], scale))._repr_svg_()).iter(f"{SVG}path")
    assert len(set(numbers(path))) == 4


def test_a_large_column_is_a_table_of_its_first_and_last_rows() -> None:
    column = carom.Shapes([None, FRAME, *moved(1000)])
    assert column._repr_svg_() is None
    head, missing, frame, *rows = cells(column._repr_html_())
    assert head == ["", "kind", "vertices", "holes", "area", "least x, y", "greatest x, y"]
    assert missing[:2] == ["0", "missing"]
    assert frame == ["1", "polygon", "8", "1", "20", "(0, 0)", "(6, 6)"]
    assert [row[0] for row in rows] == ["2", "3", "4", "…", "997", "998", "999", "1000", "1001"]
    assert rows[-1][1:5] == ["polygon", "4", "0", "4"]
    assert page(column._repr_html_()).findtext("caption") == repr(column)


@pytest.mark.parametrize("rows", [[], [None], [[(-1.5e308, 0), (1.5e308, 0), (0, 1e308)]]])
def test_a_column_that_cannot_be_drawn_is_a_table(rows: list[Any]) -> None:
    column = carom.Shapes(rows)
    assert column._repr_svg_() is None
    assert len(cells(column._repr_html_())) == 1 + len(rows)


def test_what_could_be_markup_is_escaped() -> None:
    text = carom.Shapes([])._repr_html_()
    assert text is not None
    assert "Shapes(&lt;0 shapes, 0 vertices&gt;)" in text


def test_points_and_paths_have_pictures_too() -> None:
    column = carom.Shapes([shapely.Point(0, 0), shapely.LineString([(1, 1), (3, 1), (3, 3)]), None])
    dot, line = page(column._repr_svg_()).iter(f"{SVG}path")
    assert len(numbers(dot)) == 1 and len(numbers(line)) == 3
    assert dot.get("fill") == line.get("fill") == "none"
    assert dot.get("stroke-linecap") == "round"
    several = carom.Shapes([shapely.MultiPoint([(0, 0), (1, 1), (5, 5)])])
    (dots,) = page(several._repr_svg_()).iter(f"{SVG}path")
    assert dots.get("d", "").count("M") == 3


def test_a_radius_is_drawn_as_a_stroke_of_twice_its_width() -> None:
    column = carom.Shapes.from_segments([[(1, 1), (9, 1)]], radius=1)
    around, line = page(column._repr_svg_()).iter(f"{SVG}path")
    (left, y), (right, _) = numbers(line)
    assert float(around.get("stroke-width", "")) == pytest.approx((right - left) / 4, abs=0.02)
    svg = page(column._repr_svg_())
    assert y == pytest.approx(float(svg.get("height", "")) / 2, abs=0.02)
    circle = carom.Shapes.from_points([(3, 4)], radius=2)
    around, _ = page(circle._repr_svg_()).iter(f"{SVG}path")
    assert float(around.get("stroke-width", "")) == pytest.approx(240)


def test_a_table_names_kinds_and_radii() -> None:
    isles = shapely.MultiPolygon([shapely.Polygon(FRAME[0], FRAME[1:]), shapely.box(9, 9, 10, 10)])
    rows = [shapely.Point(1, 2), isles, shapely.LineString([(0, 0), (4, 0)]), *[None] * 5]
    column = carom.Shapes([*rows, shapely.MultiPoint(np.zeros((3000, 2)))]).with_radius(0.5)
    _, point, several, line, *_, last = cells(column._repr_html_())
    assert point == ["0", "point, radius 0.5", "1", "0", "0", "(0.5, 1.5)", "(1.5, 2.5)"]
    assert several[1:5] == ["multipolygon, radius 0.5", "12", "1", "21"]
    assert line[1:5] == ["path, radius 0.5", "2", "0", "0"]
    assert last[1:3] == ["multipoint, radius 0.5", "3000"]

"""Pictures of frames: rows coloured by a column, and the shifts and arrivals of many rows."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import carom
import carom.plot
import geopandas
import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg
from carom.plot import elements
from matplotlib import pyplot as plt
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import same_color
from matplotlib.quiver import Quiver

from drawn import labelled, legend, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

mpl.use("Agg")

METRES = "EPSG:25832"
PLOTS = [shapely.box(x, 0, x + 2, 2) for x in (0, 3, 6)]


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture
def land() -> geopandas.GeoDataFrame:
    """Four rows, of which one has no geometry."""
    columns: dict[str, Any] = {
        "worth": [1.5, None, 3.0, 7.0],
        "rooms": pd.array([1, 2, None, 4], dtype="Int64"),
        "use": ["wood", "field", "wood", None],
        "grade": pd.Categorical(["low", "high", "low", "low"], categories=["low", "high"]),
        "is_ours": [True, False, True, True],
        "since": pd.to_datetime(["2020-01-01", None, "2021-01-01", "2020-01-01"]),
        "lasts": pd.to_timedelta([1, None, 7, 2], unit="h"),
        "mixed": [1, "a", 2, 3],
    }
    return geopandas.GeoDataFrame(columns, geometry=[*PLOTS, None], index=list("pqrs"), crs=METRES)


def bar(ax: Axes) -> Any:
    """The colour bar of the last collection."""
    return ax.collections[-1].colorbar


# --- values as colours ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "label", "expected"),
    [
        ("worth", "worth", [1.5, np.nan, 3.0, 7.0]),
        ("rooms", "rooms", [1.0, 2.0, np.nan, 4.0]),
        ("lasts", "lasts, hours", [1.0, np.nan, 7.0, 2.0]),
        ("since", "since", [18262.0, np.nan, 18628.0, 18262.0]),
    ],
)
@pytest.mark.parametrize("is_column", [False, True])
def test_numbers_of_a_column_have_a_colour_bar_with_its_name(
    land: geopandas.GeoDataFrame, name: str, label: str, expected: list[float], is_column: bool
) -> None:
    ax = carom.plot.shapes(cg.column(land) if is_column else land, array=name)
    found = np.ma.filled(ax.collections[-1].get_array(), np.nan)
    np.testing.assert_array_equal(found, expected)
    assert bar(ax).ax.get_ylabel() == label
    ax.figure.canvas.draw()


def test_dates_are_dates_on_the_colour_bar(land: geopandas.GeoDataFrame) -> None:
    days = [dt.date(2020, 1, 1), None, dt.date(2021, 1, 1), dt.date(2020, 1, 1)]
    for values in ("since", days, land["since"].dt.tz_localize("UTC")):
        ax = carom.plot.shapes(land, array=values, legend=True)
        ax.figure.canvas.draw()
        texts = [text.get_text() for text in bar(ax).ax.get_yticklabels()]
        assert {"2020", "2021"} & set(texts)


@pytest.mark.parametrize(
    ("name", "categories", "codes"),
    [
        ("use", ["field", "wood"], [1, 0, 1]),
        ("grade", ["low", "high"], [0, 1, 0]),
        ("is_ours", ["False", "True"], [1, 0, 1]),
    ],
)
def test_categories_have_a_colour_each_and_a_legend(
    land: geopandas.GeoDataFrame, name: str, categories: list[str], codes: list[int]
) -> None:
    for values in (name, land[name]):
        ax = carom.plot.shapes(land[:3], array=values)
        assert legend(ax) == categories
        faces = ax.collections[-1].get_facecolors()
        tones = (elements.BLUE, elements.ORANGE)
        for face, code in zip(faces, codes, strict=True):
            assert same_color(face[:3], tones[code])
        assert bar(ax) is None


def test_eight_categories_and_more_are_told_apart() -> None:
    names = [f"kind {number:02}" for number in range(20)]
    boxes = geopandas.GeoSeries([shapely.box(x, 0, x + 1, 1) for x in range(20)])
    ax = carom.plot.shapes(boxes, array=names)
    assert legend(ax) == names
    assert len(np.unique(ax.collections[-1].get_facecolors(), axis=0)) == 20
    ax = carom.plot.shapes(boxes, array=names, cmap="viridis", legend=False)
    assert ax.get_legend() is None
    assert same_color(ax.collections[-1].get_edgecolors()[0], mpl.colormaps["viridis"](0.0))


def test_a_row_without_a_value_keeps_its_outline_and_one_without_a_geometry_has_none(
    land: geopandas.GeoDataFrame,
) -> None:
    for name in ("worth", "since", "lasts"):
        without, _ = carom.plot.shapes(land, array=name).collections
        (path,) = without.get_paths()
        assert path.get_extents().extents.tolist() == [3, 0, 5, 2]
    (drawn,) = carom.plot.shapes(land, array="use").collections
    assert len(drawn.get_paths()) == 4


@pytest.mark.parametrize("never", [np.inf, -np.inf])
def test_a_row_with_an_infinite_value_is_drawn_as_one_without_a_value(never: float) -> None:
    boxes = geopandas.GeoSeries(PLOTS)
    for values in ([0.25, never, 0.5], pd.array([0.25, never, 0.5], dtype="Float64"), [never] * 3):
        without, coloured = carom.plot.shapes(boxes, array=values, legend=True).collections
        seen = np.isfinite(np.asarray(values, dtype=float))
        assert np.ma.getmaskarray(coloured.get_array()).tolist() == (~seen).tolist()
        lefts = [path.get_extents().x0 for path in without.get_paths()]
        assert lefts == np.array([0.0, 3.0, 6.0])[~seen].tolist()
        without.figure.canvas.draw()


def test_an_index_is_an_array_of_values_in_the_order_of_the_rows(
    land: geopandas.GeoDataFrame,
) -> None:
    for index, expected in (
        (pd.to_timedelta([1, 2, 3, None], unit="h"), [1.0, 2.0, 3.0, np.nan]),
        (pd.Index([4, 3, 2, 1], name="n"), [4.0, 3.0, 2.0, 1.0]),
        (pd.to_datetime(["1970-01-02", None, "1970-01-03", None]), [1.0, np.nan, 2.0, np.nan]),
        (pd.RangeIndex(4), [0.0, 1.0, 2.0, 3.0]),
    ):
        for given in (land, land.geometry, cg.column(land), carom.Shapes(land.geometry)):
            ax = carom.plot.shapes(given, array=index)
            found = np.ma.filled(ax.collections[-1].get_array(), np.nan)
            np.testing.assert_array_equal(found, expected)
    tuples = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("a", 1), ("b", 1)])
    assert legend(carom.plot.shapes(land, array=tuples)) == ["('a', 1)", "('a', 2)", "('b', 1)"]


def test_categories_of_pandas_keep_their_order_whatever_holds_them(
    land: geopandas.GeoDataFrame,
) -> None:
    values = land["grade"].array
    labels = ["cat", "codes", "categories", "dtype"]
    for given in (values, pd.CategoricalIndex(values), pd.Series(values, index=land.index)):
        assert legend(carom.plot.shapes(land, array=given)) == ["low", "high"]
    named = geopandas.GeoDataFrame({"n": [1.0, 2.0, 3.0, 4.0]}, geometry=[*PLOTS, None])
    named.index = pd.Index(labels)
    found = carom.plot.shapes(named, array="n").collections[-1].get_array()
    assert found.tolist() == [1.0, 2.0, 3.0, 4.0]


def test_lines_and_points_are_coloured_by_their_values() -> None:
    lines = geopandas.GeoSeries([shapely.LineString([(0, y), (5, y)]) for y in (0, 1)])
    ax = carom.plot.shapes(lines, array=[0.0, 1.0], cmap="viridis")
    ax.figure.canvas.draw()
    for tone, share in zip(ax.collections[-1].get_edgecolors(), (0.0, 1.0), strict=True):
        assert same_color(tone, mpl.colormaps["viridis"](share))


def test_an_array_of_numbers_has_a_colour_bar_on_request() -> None:
    column = carom.Shapes(PLOTS)
    assert bar(carom.plot.shapes(column, array=column.area)) is None
    assert bar(carom.plot.shapes(column, array=column.area, legend=True)) is not None
    frame = geopandas.GeoDataFrame({"n": [1, 2, 3]}, geometry=PLOTS)
    assert bar(carom.plot.shapes(frame, array="n", legend=False)) is None
    hidden = np.ma.masked_equal([1, 2, 3], 2)
    found = carom.plot.shapes(column, array=hidden).collections[-1].get_array()
    assert np.ma.getmaskarray(found).tolist() == [False, True, False]


def test_a_series_is_aligned_with_the_rows_by_its_labels(land: geopandas.GeoDataFrame) -> None:
    values = pd.Series([3.0, 1.0, 2.0], index=["r", "p", "q"], name="n")
    ax = carom.plot.shapes(land.geometry, array=values, legend=True)
    found = np.ma.filled(ax.collections[-1].get_array(), np.nan)
    np.testing.assert_array_equal(found, [1.0, 2.0, 3.0, np.nan])
    assert bar(ax).ax.get_ylabel() == "n"
    twice = land.set_index(pd.Index(list("ppqq")))
    ax = carom.plot.shapes(twice, array=twice["worth"])
    assert ax.collections[-1].get_array()[3] == 7.0
    with pytest.raises(ValueError, match=r"^array: its index has duplicates"):
        carom.plot.shapes(land, array=twice["worth"])


def test_values_that_colour_nothing_are_refused_and_nothing_is_drawn(
    land: geopandas.GeoDataFrame,
) -> None:
    land[["x", "y"]] = 1
    doubled = land.rename(columns={"x": "y"})
    for frame, array, kind, told in (
        (land, "area", ValueError, "there is no column 'area', but worth, rooms"),
        (land, "geometry", TypeError, "'geometry' is a column of geometries"),
        (land, "mixed", TypeError, "expected numbers, dates, text or categories"),
        (land, [1, 2, 3], ValueError, r"expected shape \(4,\), a value for each row, got \(3,\)"),
        (land.geometry, "worth", TypeError, "'worth' is the name of a column, and only a GeoData"),
        (doubled, "y", ValueError, "2 columns are called 'y'"),
    ):
        with pytest.raises(kind, match=f"^array: {told}"):
            carom.plot.shapes(frame, array=array)
    assert plt.get_fignums() == []


# --- frames in place of shapes --------------------------------------------------------------------


def takers(given: Any) -> list[tuple[np.ndarray, list[str]]]:
    """Extent and legend of a picture by each function that takes shapes."""
    square = shapely.box(1, 1, 4, 4)
    poses = [[(0, 0, 0), (9, 0, 0)]]
    car = [(-2, -1), (-1, -1), (-1, 1), (-2, 1)]
    drawn = [
        carom.plot.shapes(given),
        carom.plot.sat(given, square),
        carom.plot.sat(square, given),
        carom.plot.penetration(given, square),
        carom.plot.swept_collision(square, given, (-1, 0)),
        carom.plot.circle_polygon((3, 1), 0.5, given),
        carom.plot.rays([(-1, 1)], (1, 0), given),
        carom.plot.first_contact(car, poses, given),
        carom.plot.first_contact(given, poses, [square]),
        carom.plot.clearance(car, poses, given),
        carom.plot.animate(given, square, (5, 0), seconds=0.1, fps=10).ax,
    ]
    plt.close("all")
    return [(ax.dataLim.extents, ax.get_legend_handles_labels()[1]) for ax in drawn]


def test_frames_series_and_columns_are_taken_wherever_shapes_are() -> None:
    frame = geopandas.GeoDataFrame(geometry=PLOTS[:1], crs=METRES, index=["p"])
    expected = takers(carom.Shapes(PLOTS[:1]))
    for given in (frame, frame.geometry, cg.column(frame)):
        for found, like in zip(takers(given), expected, strict=True):
            np.testing.assert_array_equal(found[0], like[0])
            assert found[1] == like[1]


def test_a_bad_row_of_a_frame_is_named_with_its_argument() -> None:
    bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    frame = geopandas.GeoDataFrame(geometry=[PLOTS[0], bow])
    with pytest.raises(ValueError, match=r"^b\[1\]"):
        carom.plot.penetration(PLOTS[0], frame)
    with pytest.raises(ValueError, match=r"^obstacles\[1\]"):
        carom.plot.first_contact(PLOTS[0], [[(0, 0, 0), (1, 0, 0)]], frame)
    assert plt.get_fignums() == []


# --- many rows ------------------------------------------------------------------------------------

ROAD = shapely.LineString([(0, 0), (200, 40), (400, 30)]).buffer(8)


def houses(count: int) -> geopandas.GeoDataFrame:
    """Houses along a road, some of which it crosses, and one that is missing."""
    rng = np.random.default_rng(5)
    along = np.linspace(5, 380, count)
    across = np.interp(along, [0, 200, 400], [0, 40, 30]) + rng.uniform(-30, 20, count)
    boxes = [
        shapely.affinity.rotate(shapely.box(x, y, x + 14, y + 9), angle)
        for x, y, angle in zip(along, across, rng.uniform(0, 90, count), strict=True)
    ]
    return geopandas.GeoDataFrame(geometry=[*boxes, None], crs=METRES)


def vectors(ax: Axes) -> np.ndarray:
    """The arrows of many rows, each with its tail."""
    found = [it for it in ax.collections if isinstance(it, Quiver)]
    return np.concatenate([np.column_stack([it.X, it.Y, it.U, it.V]) for it in found])


def outlines_of_color(ax: Axes, color: str) -> list[Any]:
    """The outlines of the collection with borders of a colour."""
    found = [it for it in ax.collections if isinstance(it, PathCollection)]
    (drawn,) = (it for it in found if same_color(it.get_edgecolors()[0], color))
    return list(drawn.get_paths())


@pytest.mark.parametrize("swapped", [False, True])
def test_each_row_that_overlaps_has_an_arrow_of_its_shift_and_is_drawn_moved(swapped: bool) -> None:
    frame = houses(40)
    a, b = (ROAD, frame) if swapped else (frame, ROAD)
    result = carom.penetration_batch(carom.Shapes(frame), carom.Shapes([ROAD]))
    if swapped:
        result = carom.penetration_batch(carom.Shapes([ROAD]), carom.Shapes(frame))
    rows = np.flatnonzero(result.depth > 0)
    assert 6 < len(rows) < 40
    ax = carom.plot.penetration(a, cg.column(b) if swapped else b)
    is_long = result.depth[rows] > 0.5
    np.testing.assert_allclose(vectors(ax)[:, 2:], result.mtv[rows[is_long]])
    assert len(labelled(ax, "MTV")[0].get_xdata()) == np.sum(~is_long)
    moved = outlines_of_color(ax, elements.GREEN)
    for path, row in zip(moved, rows, strict=True):
        shape = ROAD if swapped else frame.geometry[row]
        expected = shapely.affinity.translate(shape, *result.mtv[row])
        np.testing.assert_allclose(path.get_extents().extents, expected.bounds)
    assert legend(ax) == ["a moved by the MTV", "MTV"]
    assert words(ax) == []


def test_pairs_choose_the_rows_whose_shifts_are_drawn() -> None:
    frame = houses(40)
    other = frame.geometry.translate(6, 1)
    pairs = carom.colliding_pairs(frame.geometry, other)[:, :5]
    result = carom.penetration_batch(frame.geometry, other, pairs=pairs)
    ax = carom.plot.penetration(frame, other, pairs=pairs)
    np.testing.assert_allclose(vectors(ax)[:, 2:], result.mtv)
    middles = shapely.bounds(frame.geometry.to_numpy()[pairs[0]]).reshape(-1, 2, 2).mean(axis=1)
    np.testing.assert_allclose(vectors(ax)[:, :2], middles)
    assert words(ax) == [f"{depth:.4g}" for depth in result.depth]
    assert len(outlines_of_color(ax, elements.ORANGE)) == len(np.unique(pairs[1]))


def test_a_shift_too_short_to_see_is_a_dot() -> None:
    squares = carom.Shapes([shapely.box(x, 0, x + 10, 10) for x in (0, 100)])
    wall = carom.Shapes([shapely.box(x, -50, x + 40, 50) for x in (10 - 2**-30, 105)])
    ax = carom.plot.penetration(squares, wall)
    assert len(vectors(ax)) == 1
    assert labelled(ax, "MTV")[0].get_xydata().tolist() == [[5.0, 5.0]]


@pytest.mark.parametrize("turn", [0.0, 0.3])
def test_each_arrival_is_drawn_with_its_way_and_its_contact(turn: float) -> None:
    frame = houses(30)
    still = frame[:-1]
    velocity = np.random.default_rng(2).uniform(-60, 60, (30, 2))
    turns: dict[str, Any] = {"turn_a": turn, "center_a": (200, 20)} if turn else {}
    result = carom.swept_collision_batch(still.geometry, ROAD, velocity, **turns)
    ax = carom.plot.swept_collision(still, ROAD, velocity, **turns)
    meets = np.isfinite(result.contact).all(axis=(1, 2))
    (dots,) = labelled(ax, "contacts")
    np.testing.assert_array_equal(dots.get_xydata(), result.contact[meets].mean(axis=1))
    lines = {it.get_label(): it.get_segments() for it in ax.collections if is_line(it)}
    for line, row in zip(lines["until the first contact"], np.flatnonzero(meets), strict=True):
        np.testing.assert_allclose(line[-1], result.contact[row].mean(axis=0), atol=1e-9)
        assert frame.geometry[row].distance(shapely.Point(line[0])) < 1e-9
    arrived = outlines_of_color(ax, elements.RED)
    hits = np.flatnonzero(result.intersects | result.will_intersect)
    assert 3 < len(hits) < 30
    for path, row in zip(arrived, hits, strict=True):
        gap = shapely.Polygon(path.vertices).distance(ROAD)
        assert gap < 1e-9
        assert (
            result.intersects[row]
            or shapely.Polygon(path.vertices).touches(ROAD.buffer(1e-9))
            or gap >= 0
        )
    assert len(lines["free"]) == 30 - len(hits)


@pytest.mark.parametrize("form", ["velocity", "both"])
def test_shapes_that_turn_are_drawn_where_they_are_at_the_contact_with_each_row(form: str) -> None:
    posts = geopandas.GeoSeries([shapely.Point(x, 3).buffer(0.5) for x in (4, 7, 40, 9)] + [None])
    door = shapely.box(0, -0.5, 10, 0.5)
    turns: dict[str, Any] = {"turn_b": [1.2, 0.9, 0.5, -0.4, 1.0], "center_b": (0, 0)}
    velocities: dict[str, Any] = {"velocity": (1, 0)}
    if form == "both":
        velocities = {"velocity_a": (1, 2), "velocity_b": (0, 2)}
    result = carom.swept_collision_batch(posts, door, **velocities, **turns)
    hits = np.flatnonzero(result.will_intersect)
    assert hits.tolist() == [0, 1]
    ax = carom.plot.swept_collision(posts, door, **velocities, **turns)
    assert legend(ax)[:4] == [
        f"{name} {when}"
        for name in "ba"
        for when in ("at the first contact", "at time 1, no contact")
    ]
    still, arrived, free = (
        list(it.get_paths())
        for it in ax.collections
        if isinstance(it, PathCollection)
        and same_color(it.get_edgecolors()[0][:3], elements.ORANGE)
    )
    assert (len(still), len(arrived), len(free)) == (1, 2, 2)
    movers = outlines_of_color(ax, elements.RED)
    (dots,) = labelled(ax, "contacts")
    for path, mover, row, dot in zip(arrived, movers, hits, dots.get_xydata(), strict=True):
        angle = turns["turn_b"][row] * result.time[row]
        expected = shapely.affinity.rotate(door, angle, origin=(0, 0), use_radians=True)
        there = shapely.Polygon(path.vertices)
        assert there.symmetric_difference(expected).area < 1e-9
        assert there.exterior.distance(shapely.Point(dot)) < 1e-9
        assert there.distance(shapely.Polygon(mover.vertices)) < 1e-9
    for path, angle in zip(free, (0.5, -0.4), strict=True):
        expected = shapely.affinity.rotate(door, angle, origin=(0, 0), use_radians=True)
        assert shapely.Polygon(path.vertices).symmetric_difference(expected).area < 1e-9


def is_line(collection: Any) -> bool:
    return isinstance(collection, LineCollection)


def test_one_mover_arrives_at_many_shapes_and_a_missing_one_is_left_out() -> None:
    posts = geopandas.GeoSeries([shapely.Point(x, 5) for x in (10, 30, 50)] + [None])
    front = shapely.box(0, 0, 2, 10)
    ax = carom.plot.swept_collision(front, posts, (40, 0))
    assert labelled(ax, "contacts")[0].get_xydata().tolist() == [[10.0, 5.0], [30.0, 5.0]]
    assert words(ax) == ["0.2", "0.7"]
    (free,) = (it for it in ax.collections if it.get_label() == "free")
    assert [line.tolist() for line in free.get_segments()] == [[[1.0, 5.0], [41.0, 5.0]]]
    expected = ["a at the first contact", "a at time 1, no contact", "until the first contact"]
    assert legend(ax) == [*expected, "free", "contacts"]


def test_lists_of_geometries_and_arrays_of_polygons_are_columns_and_lists_of_rings_are_not() -> (
    None
):
    boxes = np.array([[(0, 0), (2, 0), (2, 2), (0, 2)], [(5, 0), (7, 0), (7, 2), (5, 2)]])
    wall = shapely.box(1, 1, 6, 9)
    expected = vectors(carom.plot.penetration(carom.Shapes(boxes), wall))
    for given in (boxes, [shapely.Polygon(ring) for ring in boxes]):
        np.testing.assert_array_equal(vectors(carom.plot.penetration(given, wall)), expected)
    holed = [[(0, 0), (9, 0), (9, 9), (0, 9)], [(3, 3), (3, 6), (6, 6), (6, 3)]]
    assert words(carom.plot.penetration(holed, wall)) == ["a", "b"]


def test_columns_without_rows_are_drawn() -> None:
    for ax in (
        carom.plot.penetration(carom.Shapes([]), ROAD),
        carom.plot.swept_collision(carom.Shapes([]), ROAD, (1, 0)),
    ):
        ax.figure.canvas.draw()
        assert ax.get_legend() is None


def test_what_is_for_two_shapes_is_refused_with_columns_and_nothing_is_drawn() -> None:
    frame = houses(3)
    with pytest.raises(ValueError, match=r"^region: given with several rows"):
        carom.plot.penetration(frame, ROAD, region=True)
    for draw in (
        lambda: carom.plot.penetration(frame, ROAD, zoom="contact"),
        lambda: carom.plot.swept_collision(frame, ROAD, (1, 0), zoom="contact"),
    ):
        with pytest.raises(ValueError, match=r"^zoom: given with several rows"):
            draw()
    with pytest.raises(ValueError, match=r"broadcast|rows"):
        carom.plot.penetration(frame, frame[:2])
    assert plt.get_fignums() == []

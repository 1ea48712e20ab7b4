"""Pictures of frames: rows coloured by a column, and frames in place of shapes."""

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
from matplotlib.colors import same_color

from drawn import legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

mpl.use("Agg")

METRES = "EPSG:25832"
PLOTS = [shapely.box(x, 0, x + 2, 2) for x in (0, 3, 6)]


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
        for rows in (land, land[:3]):
            without, coloured = carom.plot.shapes(rows, array=name).collections
            (path,) = without.get_paths()
            assert path.get_extents().extents.tolist() == [3, 0, 5, 2]
            assert same_color(without.get_edgecolors()[0][:3], elements.GREY)
            coloured.figure.canvas.draw()
            assert coloured.get_edgecolors()[:3, 3].tolist() == [1.0, 0.0, 1.0]
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


def test_the_offset_of_numbers_is_within_a_figure_that_is_drawn_once() -> None:
    boxes = [
        shapely.box(5e5 + 7 * i, 5.4e6 + 3.5 * i, 5e5 + 7 * i + 5, 5.4e6 + 3.5 * i + 5)
        for i in range(25)
    ]
    frame = geopandas.GeoDataFrame({"letter": list("abcdefghijklmnopqrstuvwxy")}, geometry=boxes)
    axes = carom.plot.shapes(frame, array="letter")
    axes.figure.canvas.draw()
    offset = axes.yaxis.get_offset_text()
    assert offset.get_text() == "+5400000"
    assert offset.get_window_extent().y1 <= axes.figure.bbox.y1


@pytest.mark.parametrize("name", ["column", "vmin", "figsize"])
def test_keywords_of_geopandas_name_what_to_use_instead(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name}: no keyword of shapes; "):
        carom.plot.shapes([shapely.box(0, 0, 1, 1)], **{name: "x"})


def test_a_missing_polygon_changes_no_border() -> None:
    boxes = [shapely.box(0, 0, 1, 1), None, shapely.box(2, 0, 3, 1)]
    axes = carom.plot.shapes(geopandas.GeoSeries(boxes), array=[1.0, 2.0, 3.0])
    whole = carom.plot.shapes(geopandas.GeoSeries(boxes[::2]), array=[1.0, 3.0])
    borders = [it.collections[-1].get_edgecolors().tolist() for it in (axes, whole)]
    assert borders[0][::2] == borders[1]

"""Pictures of many rows: the shifts and the arrivals of columns of shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import carom
import carom.plot
import geopandas
import matplotlib as mpl
import numpy as np
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
    from matplotlib.axes import Axes

mpl.use("Agg")

METRES = "EPSG:25832"


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

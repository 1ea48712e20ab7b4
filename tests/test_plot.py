"""Pictures show what was answered: which artists there are, where, and in which colours."""

from __future__ import annotations

import doctest
import inspect
import operator
import re
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING, Any

import carom
import carom.plot
import geopandas
import matplotlib as mpl
import numpy as np
import pytest
import shapely
from carom.plot import elements
from carom.plot.motion import sliding_path
from matplotlib import pyplot as plt
from matplotlib.colors import same_color, to_rgb
from matplotlib.patches import Circle
from matplotlib.text import Annotation
from numpydoc.docscrape import FunctionDoc
from PIL import Image

from command import without
from drawn import arrows, box, colours, labelled, legend, region, shows, turned, words

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

SQUARE = [(0, 0), (2, 0), (2, 2), (0, 2)]
TRIANGLE = [(1.25, 1.5), (5, -0.5), (4.5, 3)]
WALL = [(10, -4), (11, -4), (11, 4), (10, 4)]
FRAME = [[(0, 0), (6, 0), (6, 6), (0, 6)], [(1, 1), (5, 1), (5, 5), (1, 5)]]
BLOCK = [(2, 2), (4, 2), (4, 4), (2, 4)]
BRACKET = [(0, 0), (6, 0), (6, 5), (5, 5), (5, 1), (1, 1), (1, 5), (0, 5)]
FUNCTIONS = [getattr(carom.plot, name) for name in carom.plot.__all__ if name != "Film"]

mpl.use("Agg")


# --- polygons -------------------------------------------------------------------------------------


def test_every_row_has_its_path_and_a_missing_one_an_empty_one() -> None:
    column = carom.Shapes([FRAME, None, BLOCK])
    ax = carom.plot.shapes(column)
    (drawn,) = ax.collections
    assert [len(path.vertices) for path in drawn.get_paths()] == [10, 0, 5]
    assert shows(ax, np.array([(0, 0), (6, 6)]))
    assert ax.get_aspect() == 1.0


@pytest.mark.parametrize("turned", [1, -1])
def test_holes_are_open_however_they_wind(turned: int) -> None:
    shell, hole = FRAME
    _, ax = plt.subplots()
    carom.plot.shapes([[shell, hole[::turned]]], ax=ax, facecolors="red", edgecolors="none")
    ax.figure.canvas.draw()
    pixels = np.asarray(ax.figure.canvas.buffer_rgba())[::-1, :, :3]
    for point, expected in (((3, 3), "white"), ((0.5, 3), "red"), ((3, 5.5), "red")):
        x, y = ax.transData.transform(point).round().astype(int)
        assert tuple(pixels[y, x] / 255) == to_rgb(expected)


@pytest.mark.parametrize(
    ("given", "rows"),
    [
        (SQUARE, 1),
        (np.array(SQUARE), 1),
        ([SQUARE, TRIANGLE], 2),
        ([None, SQUARE], 2),
        ([FRAME], 1),
        ([FRAME, SQUARE], 2),
        (np.array([SQUARE, BLOCK, BLOCK]), 3),
        (carom.Shapes([]), 0),
    ],
)
def test_one_polygon_and_many_are_told_apart(given: Any, rows: int) -> None:
    (drawn,) = carom.plot.shapes(given).collections
    assert len(drawn.get_paths()) == rows


def test_shapely_polygons_and_series_are_drawn() -> None:
    geopandas = pytest.importorskip("geopandas")
    square = shapely.Polygon(SQUARE)
    for given, rows in ((square, 1), (geopandas.GeoSeries([square, None], ["p", "q"]), 2)):
        (drawn,) = carom.plot.shapes(given).collections
        assert len(drawn.get_paths()) == rows


def test_rows_are_coloured_by_a_number_and_style_is_the_callers() -> None:
    column = carom.Shapes([FRAME, None, BLOCK])
    (drawn,) = carom.plot.shapes(column, array=column.area, edgecolors="black").collections
    np.testing.assert_array_equal(np.asarray(drawn.get_array()), column.area)
    assert same_color(drawn.get_edgecolors()[0], "black")


# --- sat ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("swapped", [False, True])
def test_the_arrow_of_an_overlap_is_the_mtv_and_ends_at_the_reference_edge(swapped: bool) -> None:
    a, b = (TRIANGLE, SQUARE) if swapped else (SQUARE, TRIANGLE)
    result = carom.sat(a, b)
    ax = carom.plot.sat(a, b)
    (vector,) = arrows(ax, elements.GREEN)
    np.testing.assert_allclose(vector, result.mtv, rtol=1e-12)
    (edge,) = labelled(ax, "reference edge")
    assert edge.get_xdata().tolist() == [2.0, 2.0]
    assert sorted(edge.get_ydata().tolist()) == [0.0, 2.0]
    (text,) = (text for text in ax.texts if isinstance(text, Annotation))
    assert {text.xy[0], text.xyann[0]} == {2.0, 1.25}
    (moved,) = labelled(ax, "a moved by the MTV")
    assert box(moved) == pytest.approx(
        np.concatenate([np.min(a, axis=0) + vector, np.max(a, axis=0) + vector])
    )
    (contact,) = labelled(ax, "contact")
    np.testing.assert_array_equal(contact.get_xydata(), result.contact)
    assert words(ax) == ["a", "b"]
    assert f"MTV, length {result.depth:g}" in legend(ax)


def test_the_overlap_is_coloured_where_both_shapes_are_and_nowhere_else() -> None:
    ax = carom.plot.sat(SQUARE, TRIANGLE)
    purple = tuple(round(255 * part) for part in to_rgb(elements.PURPLE))
    ax.figure.canvas.draw()
    pixels = np.asarray(ax.figure.canvas.buffer_rgba())[::-1, :, :3]
    (overlap,) = labelled(ax, "overlap")
    y, x = np.nonzero((pixels == purple).all(axis=-1))
    assert len(x) > 100
    points = ax.transData.inverted().transform(np.stack([x, y], axis=-1))
    points = points[points[:, 1] > -0.5]  # the legend is below
    near = 0.05  # some pixels
    assert carom.circle_polygon_batch(points, near, SQUARE).intersects.all()
    assert carom.circle_polygon_batch(points, near, TRIANGLE).intersects.all()
    assert overlap.get_clip_path() is not None


def test_shapes_that_touch_have_a_contact_and_no_arrow() -> None:
    ax = carom.plot.sat(SQUARE, np.add(SQUARE, (2, 1)))
    assert legend(ax) == ["reference edge", "contact"]
    assert arrows(ax, elements.GREEN) == []


@pytest.mark.parametrize("offset", [(3, 0.25), (-7, 1), (0.5, 9)])
def test_the_gap_of_shapes_apart_lies_across_the_separating_line(
    offset: tuple[float, float],
) -> None:
    other = np.add(TRIANGLE, offset)
    result = carom.sat(SQUARE, other)
    ax = carom.plot.sat(SQUARE, other)
    (vector,) = arrows(ax, elements.GREEN)
    np.testing.assert_allclose(vector, result.separation * result.normal, rtol=1e-9, atol=1e-12)
    (line,) = labelled(ax, "separating line")
    through, along = np.array(line.get_xy1()), np.subtract(line.get_xy2(), line.get_xy1())
    assert along @ result.normal == pytest.approx(0.0, abs=1e-12)
    assert ((np.array(SQUARE) - through) @ result.normal > 0.0).all()
    assert ((other - through) @ result.normal < 0.0).all()
    assert legend(ax) == ["separating line", f"gap, {result.separation:.4g} wide"]


def test_a_hairline_is_a_dot_with_its_true_width_and_its_line_is_not_turned_by_rounding() -> None:
    right = [(np.nextafter(2, 3), 0), (4, 0), (4, 2)]
    result = carom.sat(SQUARE, right)
    ax = carom.plot.sat(SQUARE, right)
    assert legend(ax) == ["separating line", f"gap, {result.separation:.4g} wide"]
    assert arrows(ax, elements.GREEN) == []
    (line,) = labelled(ax, "separating line")
    along = np.subtract(line.get_xy2(), line.get_xy1())
    assert along @ result.normal == pytest.approx(0.0, abs=1e-12)
    left = [(np.nextafter(2, 0), 0), (4, 0), (4, 2)]
    deep = carom.plot.sat(SQUARE, left)
    assert f"MTV, length {carom.sat(SQUARE, left).depth:.4g}" in legend(deep)
    assert arrows(deep, elements.GREEN) == []


def test_bad_operands_are_refused_as_the_question_does_it_and_nothing_is_drawn() -> None:
    with pytest.raises(ValueError, match="b: the polygon is not convex at vertex 2"):
        carom.plot.sat(SQUARE, [(0, 0), (4, 0), (1, 1), (0, 4)])
    with pytest.raises(ValueError, match="velocity"):
        carom.plot.swept_collision(SQUARE, WALL, (np.nan, 0))
    with pytest.raises(ValueError, match="radius"):
        carom.plot.circle_polygon((0, 0), -1, SQUARE)
    for margin in (-1, np.nan):
        with pytest.raises(ValueError, match="margin"):
            carom.plot.sat(SQUARE, TRIANGLE, margin=margin)
        with pytest.raises(ValueError, match="margin"):
            carom.plot.swept_collision(SQUARE, WALL, (1, 0), margin=margin)
    with pytest.raises(ValueError, match=r"shapes\[1\]"):
        carom.plot.shapes([SQUARE, [(0, 0), (1, 1), (2, 2)]])
    assert plt.get_fignums() == []


def test_a_margin_is_drawn_around_a_and_the_arrows_are_those_with_it() -> None:
    for b in (TRIANGLE, np.add(TRIANGLE, (0.75, 0)), np.add(TRIANGLE, (3, 0))):
        result = carom.sat(SQUARE, b, margin=0.5)
        ax = carom.plot.sat(SQUARE, b, margin=0.5)
        (around,) = labelled(ax, "margin of 0.5")
        assert box(around) == pytest.approx([-0.5, -0.5, 2.5, 2.5])
        (vector,) = arrows(ax, elements.GREEN)
        expected = result.mtv if result else result.separation * result.normal
        np.testing.assert_allclose(vector, expected, rtol=1e-9)
        if result:
            (edge,) = labelled(ax, "reference edge")
            assert edge.get_xdata().tolist() == [2.5, 2.5]
    assert "margin of 0.5" not in legend(carom.plot.sat(SQUARE, TRIANGLE))


# --- penetration ----------------------------------------------------------------------------------

HOLDER = [(0, 0), (6, 0), (6, 5), (4, 5), (4, 2), (2, 2), (2, 5), (0, 5)]
"""Its notch is as wide as `BLOCK`."""


@pytest.mark.parametrize("direction", [None, (0, 3), (-1, 0.25)])
def test_the_arrow_of_the_way_out_is_the_mtv_and_a_is_drawn_where_it_leads(direction: Any) -> None:
    a, b = np.add(HOLDER, (1.5, 2)), HOLDER
    result = carom.penetration(a, b, direction=direction)
    ax = carom.plot.penetration(a, b, direction=direction)
    (vector,) = arrows(ax, elements.GREEN)
    np.testing.assert_allclose(vector, result.mtv, rtol=1e-12)
    (moved,) = labelled(ax, "a moved by the MTV")
    low, high = a.min(axis=0) + result.mtv, a.max(axis=0) + result.mtv
    assert box(moved) == pytest.approx([*low, *high])
    assert words(ax) == ["a", "b"]
    assert legend(ax) == ["overlap", f"MTV, length {result.depth:.4g}", "a moved by the MTV"]


def test_a_block_is_drawn_in_the_notch_that_it_fits() -> None:
    ax = carom.plot.penetration(np.add(BLOCK, (0.25, 0.5)), HOLDER)
    (moved,) = labelled(ax, "a moved by the MTV")
    assert box(moved) == [2.0, 2.5, 4.0, 4.5]


@pytest.mark.parametrize("offset", [(0, 0), (9, 9)])
def test_shapes_with_disjoint_interiors_are_drawn_without_a_way_out(offset: Any) -> None:
    ax = carom.plot.penetration(np.add(BLOCK, offset), HOLDER)
    assert arrows(ax, elements.GREEN) == []
    assert ax.get_legend() is None
    assert [patch.get_label() for patch in ax.patches if patch.get_label()] == []
    assert len(ax.patches) == 2


@pytest.mark.parametrize("far", [0.0, 5e6])
def test_the_tip_may_be_where_the_forbidden_region_is_not(far: float) -> None:
    """The region is round the tail of the arrow: points of it are translations that overlap."""
    a, b = np.add(HOLDER, (1.5 + far, 2)), [np.add(ring, (far, 0)) for ring in FRAME]
    ax = carom.plot.penetration(a, b, region=True)
    (region,) = labelled(ax, "forbidden for the tip")
    (way,) = (text for text in ax.texts if isinstance(text, Annotation))
    outline = region.get_path()
    low, high = outline.get_extents().extents.reshape(2, 2)
    rng = np.random.default_rng(3)
    pieces = [shapely.Polygon(ring) for ring in outline.to_polygons()]
    tail = np.array(way.xyann)
    for tip in rng.uniform(low - 1, high + 1, (200, 2)):
        is_forbidden = any(piece.contains(shapely.Point(tip)) for piece in pieces)
        overlaps = carom.penetration(a + (tip - tail), b).depth > 1e-6
        assert is_forbidden == overlaps
    assert shows(ax, np.array([low, high]))


def test_shapes_without_area_and_rounded_ones_have_a_region_too() -> None:
    bars = [carom.Shapes.from_segments([ends]) for ends in ([(0, 0), (2, 0)], [(1, -1), (1, 2)])]
    (region,) = labelled(carom.plot.penetration(*bars, region=True), "forbidden for the tip")
    assert box(region) == [0.0, -1.0, 2.0, 2.0]
    line = carom.plot.penetration(bars[0], bars[0], region=True)
    assert box(labelled(line, "forbidden for the tip")[0]) == [-1.0, 0.0, 3.0, 0.0]
    circle = carom.Shapes.from_points([(0, 0)], radius=1)
    ax = carom.plot.penetration(circle, circle, margin=0.5, region=True)
    assert box(labelled(ax, "forbidden for the tip")[0]) == pytest.approx([-2.5, -2.5, 2.5, 2.5])
    (around,) = labelled(ax, "margin of 0.5")
    assert box(around) == pytest.approx([-1.5, -1.5, 1.5, 1.5])


def test_penetration_refuses_what_the_query_does_and_draws_nothing() -> None:
    with pytest.raises(ValueError, match="direction is"):
        carom.plot.penetration(BLOCK, HOLDER, direction=(0, 0))
    with pytest.raises(ValueError, match="b: the shape is not convex; with a radius or a margin"):
        carom.plot.penetration(BLOCK, HOLDER, margin=1)
    with pytest.raises(ValueError, match="no interior"):
        carom.plot.penetration(HOLDER, BOW)
    assert plt.get_fignums() == []


# --- swept_collision ------------------------------------------------------------------------------


def test_the_margin_of_a_sweep_is_drawn_where_it_stops() -> None:
    ax = carom.plot.swept_collision(SQUARE, WALL, (16, 0), margin=0.5)
    (around,) = labelled(ax, "margin of 0.5")
    assert box(around) == pytest.approx([7.0, -0.5, 10.0, 2.5])
    (there,) = labelled(ax, "a at time 0.4688")
    assert box(there) == [7.5, 0.0, 9.5, 2.0]


def test_a_sweep_shows_ghosts_the_contact_its_normal_and_the_slide() -> None:
    velocity = np.array([16.0, 4.0])
    result = carom.swept_collision(SQUARE, WALL, velocity)
    ax = carom.plot.swept_collision(SQUARE, WALL, velocity)
    ghosts = [box(ghost) for ghost in labelled(ax, "_ghost")]
    assert len(ghosts) == 4
    assert [ghost[0] for ghost in ghosts] == pytest.approx([1.6, 3.2, 4.8, 6.4])
    (there,) = labelled(ax, "a at time 0.5")
    assert box(there) == [8.0, 2.0, 10.0, 4.0]
    (contact,) = labelled(ax, "contact")
    np.testing.assert_array_equal(contact.get_xydata(), result.contact)
    (normal,) = arrows(ax, elements.RED)
    np.testing.assert_allclose(normal / np.hypot(*normal), result.normal)
    (slide,) = arrows(ax, elements.GREEN)
    assert slide.tolist() == [0.0, 2.0]
    assert legend(ax)[2:] == ["contact", "normal", "slide, length 2"]
    assert shows(ax, np.array([*SQUARE, *WALL, (10, 5)]))


@pytest.mark.parametrize(
    "given",
    [
        {"velocity_a": (16, 4)},
        {"velocity_b": (-16, -4)},
        {"velocity_a": (9, 4), "velocity_b": (-7, 0)},
    ],
)
def test_velocities_of_both_shapes_are_shown_where_the_other_one_rests(given: Any) -> None:
    expected = carom.plot.swept_collision(SQUARE, WALL, (16, 4))
    ax = carom.plot.swept_collision(SQUARE, WALL, **given)
    assert legend(ax) == legend(expected)
    outlines = [[box(patch) for patch in it.patches] for it in (ax, expected)]
    assert outlines[0] == outlines[1]
    film, same = (
        carom.plot.animate(SQUARE, WALL, **it, seconds=0.2, fps=10)
        for it in (given, {"velocity": (16, 4)})
    )
    assert [box(it) for it in film.ax.patches] == [box(it) for it in same.ax.patches]
    for draw in (carom.plot.swept_collision, carom.plot.animate):
        with pytest.raises(ValueError, match="velocity"):
            draw(SQUARE, WALL, (16, 4), **given)


def test_a_sweep_without_contact_shows_the_whole_way() -> None:
    ax = carom.plot.swept_collision(SQUARE, WALL, (5, 0))
    (there,) = labelled(ax, "a at time 1, no contact")
    assert box(there) == [5.0, 0.0, 7.0, 2.0]
    assert arrows(ax, elements.RED) == arrows(ax, elements.GREEN) == []


def test_a_mover_that_hits_head_on_slides_nowhere_and_one_that_leaves_loses_nothing() -> None:
    assert arrows(carom.plot.swept_collision(SQUARE, WALL, (16, 0)), elements.GREEN) == []
    touching = np.add(SQUARE, (8, 0))
    (slide,) = arrows(carom.plot.swept_collision(touching, WALL, (-1, 3)), elements.GREEN)
    assert slide.tolist() == [-1.0, 3.0]


def test_shapes_with_holes_and_notches_are_swept() -> None:
    ax = carom.plot.swept_collision(BLOCK, FRAME, (8, 0))
    assert "a at time 0.125" in legend(ax)
    overlapping = carom.plot.swept_collision(np.add(BLOCK, (1.5, 0)), FRAME, (8, 0))
    assert words(overlapping) == ["a", "b"]
    assert arrows(overlapping, elements.RED) == []


TRAILER = [(-4.0, -1.25), (12.0, -1.25), (12.0, 1.25), (-4.0, 1.25)]
POST = [(11.0, 4.0), (11.5, 4.0), (11.5, 4.5), (11.0, 4.5)]


@pytest.mark.parametrize(("turn", "velocity"), [(0.6, (3, 0)), (-2.5, (-9, 4)), (7.0, (0, 0))])
def test_a_turning_sweep_is_drawn_with_its_region_and_where_it_stops(
    turn: float, velocity: tuple[float, float]
) -> None:
    turns: dict[str, Any] = {"turn_a": turn, "center_a": (1, 0)}
    result = carom.swept_collision(TRAILER, POST, velocity, **turns)
    stop = min(result.time, 1.0)
    ax = carom.plot.swept_collision(TRAILER, POST, velocity, **turns)
    (there,) = [patch for patch in ax.patches if patch.get_label().startswith("a at time")]
    expected = turned(TRAILER, stop * turn, (1, 0), np.multiply(stop, velocity))
    np.testing.assert_allclose(there.get_path().vertices[:4], expected, atol=1e-12)
    assert len(labelled(ax, "_ghost")) == 4
    assert arrows(ax, elements.GREEN) == []
    every = [
        shapely.Polygon(turned(TRAILER, time * turn, (1, 0), np.multiply(time, velocity)))
        for time in np.linspace(0, stop, 2000)
    ]
    exact = shapely.union_all(every)
    assert region(ax).symmetric_difference(exact).area < 8e-3 * exact.area


@pytest.mark.parametrize("far", [1e8, 1e16, 1e100])
def test_a_shape_that_turns_about_a_center_far_away_keeps_its_form(far: float) -> None:
    box = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]
    turns: dict[str, Any] = {"turn_a": 5 / far, "center_a": (0, far)}
    ax = carom.plot.swept_collision(box, [(5, -3), (6, -3), (6, 4), (5, 4)], (0, 0), **turns)
    (there,) = [patch for patch in ax.patches if patch.get_label().startswith("a at time 0.6")]
    expected = np.add(box, (3.0, 0.0))
    np.testing.assert_allclose(there.get_path().vertices[:4], expected, atol=100 / far + 1e-14)


@pytest.mark.parametrize("geometry", [*range(9)])
def test_shapes_of_every_kind_sweep_the_region_that_their_copies_cover(geometry: int) -> None:
    column = carom.Shapes([KINDS[geometry]]).with_radius(0.25)
    ax = carom.plot.swept_collision(column, POST, (5, -9), turn_a=1.5, center_a=(2, 2))
    stop = min(carom.swept_collision(column, POST, (5, -9), turn_a=1.5, center_a=(2, 2)).time, 1.0)
    core = KINDS[geometry].buffer(0.25, quad_segs=48)
    copies = []
    for time in np.linspace(0, stop, 400):
        copy = shapely.affinity.rotate(core, 1.5 * time, (2, 2), use_radians=True)
        copies.append(shapely.affinity.translate(copy, 5 * time, -9 * time))
    exact = shapely.union_all(copies)
    assert region(ax).symmetric_difference(exact).area < 5e-3 * exact.area


def test_a_b_that_turns_is_drawn_where_it_is_at_the_contact() -> None:
    door = [(0, 0), (6, 0), (6, 0.5), (0, 0.5)]
    result = carom.swept_collision(BLOCK, door, (0, 0), turn_b=1.5, center_b=(0, 0))
    ax = carom.plot.swept_collision(BLOCK, door, (0, 0), turn_b=1.5, center_b=(0, 0))
    (there,) = labelled(ax, f"b at time {result.time:.4g}")
    np.testing.assert_allclose(there.get_path().vertices[:4], turned(door, 1.5 * result.time))
    with pytest.raises(ValueError, match="center_b"):
        carom.plot.swept_collision(BLOCK, door, (0, 0), turn_b=1.5)


# --- first_contact --------------------------------------------------------------------------------

CAR = [(-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0)]
CURVE = [(0, 0, 0), (5, 1, 0.5), (9, 4, 1.0), (11, 9, 1.5)]
ONCOMING = [(26, 8, np.pi), (21, 8, np.pi), (16, 8, 3.0), (11, 8, 2.8)]
PARKED = [(0, 16, 0)] * 4


def test_obstacles_are_drawn_where_they_are_at_the_time_of_the_contact() -> None:
    poses = {"obstacle_poses": [ONCOMING, PARKED]}
    result = carom.first_contact(CAR, [CURVE], [CAR, CAR], **poses)[0]
    assert result.obstacle == 0
    ax = carom.plot.first_contact(CAR, [CURVE], [CAR, CAR], **poses)
    (start,) = labelled(ax, "obstacles at the start")
    np.testing.assert_allclose(start.get_path().vertices[:4], turned(CAR, np.pi, offset=(26, 8)))
    (there,) = labelled(ax, "obstacles at the contact")
    (mover,) = labelled(ax, f"step {result.step}, time {result.time:.4g}")
    for drawn, way in ((there, ONCOMING), (mover, CURVE)):
        pose, soon = np.array(way)[[result.step, result.step + 1]]
        x, y, heading = pose + result.time * (soon - pose)
        expected = turned(CAR, heading, offset=(x, y))
        np.testing.assert_allclose(drawn.get_path().vertices[:4], expected, atol=1e-12)
        for point in result.contact:
            assert shapely.Polygon(expected).exterior.distance(shapely.Point(point)) < 1e-9
    (contact,) = labelled(ax, "contact")
    np.testing.assert_array_equal(contact.get_xydata(), result.contact)
    (normal,) = arrows(ax, elements.RED)
    np.testing.assert_allclose(normal / np.hypot(*normal), result.normal)
    assert region(ax).covers(shapely.Polygon(mover.get_path().vertices).buffer(-1e-9))


def test_headings_turn_the_short_way_round_in_pictures_too() -> None:
    poses = [(0, 0, 3.0), (1, 0, -3.0)]
    ax = carom.plot.first_contact(CAR, [poses], [POST])
    assert region(ax).bounds == pytest.approx((-2.2, -1.3, 3.2, 1.3), abs=0.15)


def test_a_free_trajectory_is_drawn_to_its_end_and_obstacles_are_where_they_are_then() -> None:
    scene, velocity = [np.add(POST, (0, -9)), np.add(POST, (-20, 0))], [(-1, 0), (0, 0)]
    ax = carom.plot.first_contact(CAR, [CURVE], scene, obstacle_velocity=velocity, margin=0.5)
    assert legend(ax)[:2] == ["obstacles at the start", "obstacles at the end"]
    assert legend(ax)[2:4] == ["swept", "no contact"]
    (there,) = labelled(ax, "obstacles at the end")
    assert box(there) == [8.0, -5.0, 8.5, -4.5]
    (around,) = labelled(ax, "margin of 0.5")
    grown = shapely.Polygon(turned(CAR, 1.5, offset=(11, 9))).buffer(0.5)
    assert box(around) == pytest.approx(grown.bounds, abs=1e-2)
    assert arrows(ax, elements.RED) == []


def test_many_trajectories_are_lines_with_dots_at_their_contacts() -> None:
    ways = np.array([[(0, 0, 0), (20, y, 0)] for y in range(-10, 11)], dtype=float)
    result = carom.first_contact(CAR, ways, [POST])
    ax = carom.plot.first_contact(CAR, ways, [POST])
    assert legend(ax) == ["until the first contact", "free", "contacts"]
    hits, free = (len(drawn.get_paths()) for drawn in ax.collections)
    assert (hits, free) == (np.sum(result.step >= 0), np.sum(result.step < 0))
    (dots,) = labelled(ax, "contacts")
    expected = result.contact[result.step >= 0].mean(axis=1)
    np.testing.assert_array_equal(dots.get_xydata(), expected)


@pytest.mark.parametrize(
    ("footprints", "poses", "obstacles"),
    [
        (carom.Shapes([None]), [CURVE], [POST]),
        (CAR, np.empty((0, 4, 3)), [POST]),
        (CAR, [CURVE], carom.Shapes([])),
        (CAR, [CURVE], carom.Shapes([None])),
        (CAR, [CURVE[:1]], [POST]),
        (CAR, [CURVE[:1]], [CAR]),
        (CAR, np.empty((2, 0, 3)), [POST]),
        (CAR, np.empty((9, 0, 3)), [POST]),
    ],
)
def test_a_scene_in_which_something_is_missing_is_drawn(
    footprints: Any, poses: Any, obstacles: Any
) -> None:
    ax = carom.plot.first_contact(footprints, poses, obstacles)
    ax.figure.canvas.draw()
    is_touching = "contact" in ax.get_legend_handles_labels()[1]
    assert is_touching == (len(obstacles) > 0 and obstacles[0] is CAR)


@pytest.mark.parametrize("ways", [0, 2])
def test_obstacles_without_poses_are_not_drawn(ways: int) -> None:
    poses = np.empty((ways, 0, 3))
    ax = carom.plot.first_contact(CAR, poses, [POST], obstacle_poses=np.empty((1, 0, 3)))
    assert len(ax.patches) == 0
    assert len(carom.plot.first_contact(CAR, poses, [POST]).patches) == 1


def test_several_trajectories_have_one_entry_per_meaning() -> None:
    ways = [[(0, y, 0), (20, y, 0)] for y in (0.0, 0.5, 1.0, 9.0)]
    scene, velocity = [POST, np.add(POST, (0, -1))], [(-1, 0), (-2, 0)]
    ax = carom.plot.first_contact(
        CAR, ways, scene, obstacle_velocity=velocity, margin=[[0.5], [0.5], [1], [1]]
    )
    assert len(labelled(ax, "contact")) == 1
    expected = ["obstacles at the start", "obstacles at the contact", "swept"]
    expected += ["at the first contact", "positions", "no contact", "margins", "contact", "normal"]
    assert sorted(legend(ax)) == sorted(expected)
    assert sorted(ax.get_legend_handles_labels()[1]) == sorted(expected)


def test_shapes_in_frames_of_their_own_are_drawn_without_a_warning() -> None:
    inner = (np.array(CAR) / 2).tolist()
    poses = [[(0, 9 * y, 0), (20, 9 * y, 0)] for y in (0, 1)]
    parked = [[(12, 9 * y, 0)] * 2 for y in (0, 1)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = carom.plot.first_contact([CAR, inner], poses, [CAR, inner], obstacle_poses=parked)
    assert "at the first contact" in legend(ax)


def test_none_is_no_margin_and_no_turn() -> None:
    none: Any = None
    ax = carom.plot.first_contact(CAR, [CURVE], [POST], margin=none)
    assert "margin" not in " ".join(legend(ax))
    ax = carom.plot.swept_collision(SQUARE, POST, (8, 0), turn_a=none, margin=none)
    assert legend(ax) == ["swept by a", "a at time 1, no contact"]


def test_trajectories_that_are_refused_leave_no_picture() -> None:
    with pytest.raises(ValueError, match="obstacle_poses"):
        carom.plot.first_contact(
            CAR, [CURVE], [POST], obstacle_velocity=(0, 0), obstacle_poses=[PARKED]
        )
    assert plt.get_fignums() == []


def test_the_velocity_of_obstacles_has_two_names() -> None:
    ways: Any = CAR, [CURVE], [POST]
    ax, same = (
        carom.plot.first_contact(*ways, **{name: (0.5, 0.25)})
        for name in ("obstacle_velocity", "velocity")
    )
    assert legend(ax) == legend(same)
    with pytest.raises(ValueError, match=r"^velocity: given with obstacle_velocity"):
        carom.plot.first_contact(*ways, obstacle_velocity=(0, 0), velocity=(0, 0))


# --- circle_polygon -------------------------------------------------------------------------------


def test_a_circle_shows_its_mtv_the_closest_point_and_the_nearest_edge() -> None:
    ax = carom.plot.circle_polygon((2.5, 1), 1, SQUARE)
    (mtv,) = arrows(ax, elements.GREEN)
    assert mtv.tolist() == [0.5, 0.0]
    (edge,) = labelled(ax, "nearest edge")
    assert edge.get_xydata().tolist() == [[2.0, 0.0], [2.0, 2.0]]
    (closest,) = labelled(ax, "closest point")
    assert closest.get_xydata()[0].tolist() == [2.0, 1.0]
    circles = [patch for patch in ax.patches if isinstance(patch, Circle)]
    assert [circle.center for circle in circles] == [(2.5, 1.0), (3.0, 1.0)]
    assert [circle.radius for circle in circles] == [1, 1]


def test_the_nearest_feature_of_a_hole_is_found_by_its_index() -> None:
    ax = carom.plot.circle_polygon((4.5, 3), 0.25, FRAME)
    (edge,) = labelled(ax, "nearest edge")
    assert sorted(edge.get_xydata().tolist()) == [[5.0, 1.0], [5.0, 5.0]]
    assert labelled(ax, "gap, 0.25 wide")[0].get_xydata()[1].tolist() == [4.75, 3.0]
    (vertex,) = labelled(carom.plot.circle_polygon((9, 10), 1, FRAME), "nearest vertex")
    assert vertex.get_xydata().tolist() == [[6.0, 6.0]]


# --- axes and colours -----------------------------------------------------------------------------


def drawings(ax: Axes | None) -> list[Axes]:
    return [
        carom.plot.shapes(SQUARE, ax=ax),
        carom.plot.sat(SQUARE, TRIANGLE, ax=ax),
        carom.plot.penetration(BLOCK, BRACKET, ax=ax),
        carom.plot.swept_collision(SQUARE, WALL, (16, 4), ax=ax),
        carom.plot.circle_polygon((2.5, 1), 1, SQUARE, ax=ax),
    ]


def test_given_axes_are_drawn_on_and_returned_and_no_figure_is_made() -> None:
    _, ax = plt.subplots()
    assert all(drawn is ax for drawn in drawings(ax))
    assert len(plt.get_fignums()) == 1
    assert all(spine.get_visible() for spine in ax.spines.values())
    assert len({drawn.figure for drawn in drawings(None)}) == 5


@pytest.mark.parametrize("layout", [None, "tight", "constrained"])
@pytest.mark.parametrize(
    "number", range(5), ids=["polygons", "sat", "penetration", "swept_collision", "circle"]
)
def test_the_legend_is_within_the_figure_of_given_axes(layout: Any, number: int) -> None:
    figure, ax = plt.subplots(layout=layout)
    drawn = [
        lambda: carom.plot.shapes(SQUARE, ax=ax, label="ours"),
        lambda: carom.plot.sat(SQUARE, TRIANGLE, ax=ax),
        lambda: carom.plot.penetration(np.add(BLOCK, 1), BRACKET, region=True, ax=ax),
        lambda: carom.plot.swept_collision(SQUARE, WALL, (16, 4), ax=ax),
        lambda: carom.plot.circle_polygon((2.5, 1), 1, SQUARE, ax=ax),
    ][number]()
    figure.canvas.draw()
    for text in drawn.get_legend().get_texts():
        place = text.get_window_extent()
        assert figure.bbox.x0 <= place.x0 < place.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= place.y0 < place.y1 <= figure.bbox.y1


@pytest.mark.parametrize("layout", [None, "tight", "constrained"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_legend_is_below_the_drawing_and_the_numbers_on_the_axes(
    layout: Any, count: int
) -> None:
    rows = -(-count // 2)
    size = (7 * min(count, 2), 5 * rows)
    figure, axes = plt.subplots(rows, min(count, 2), layout=layout, figsize=size, squeeze=False)
    for ax in axes.flat:
        carom.plot.sat(SQUARE, TRIANGLE, ax=ax)
    for _ in range(3):  # a layout engine needs some
        figure.canvas.draw()
    boxes = [ax.get_legend().get_window_extent() for ax in axes.flat]
    for place in boxes:
        assert figure.bbox.y0 <= place.y0
        for ax in axes.flat:
            drawing = [ax.bbox, *(it.get_window_extent() for it in ax.get_xticklabels())]
            assert not any(place.overlaps(part) for part in drawing)
        assert sum(place.overlaps(other) for other in boxes) == 1


def test_axes_without_a_place_in_a_grid_keep_clear_of_the_legend_too() -> None:
    figure = plt.figure()
    ax = figure.add_axes((0.1, 0.1, 0.8, 0.8))
    for shift in (0.0, 0.125):
        carom.plot.sat(SQUARE, np.add(TRIANGLE, (shift, 0)), ax=ax)
        figure.canvas.draw()
        box = ax.get_legend().get_window_extent()
        assert figure.bbox.y0 <= box.y0 < box.y1 < ax.bbox.y0
    assert ax.get_position(original=True).bounds == (0.1, 0.1, 0.8, 0.8)


def test_given_axes_keep_an_aspect_that_they_have() -> None:
    series = geopandas.GeoSeries([shapely.box(0, 59, 2, 61)], crs=4326)
    ax = series.plot()
    assert ax.get_aspect() == pytest.approx(2.0)
    carom.plot.shapes(series, ax=ax)
    carom.plot.sat(SQUARE, TRIANGLE, ax=ax)
    assert ax.get_aspect() == pytest.approx(2.0)
    _, ax = plt.subplots()
    assert carom.plot.shapes(series, ax=ax).get_aspect() == 1.0


def test_two_pictures_on_one_axes_explain_each_colour_once() -> None:
    _, ax = plt.subplots()
    for shift in (0.0, 0.0, 0.125):
        carom.plot.sat(SQUARE, np.add(TRIANGLE, (shift, 0)), ax=ax)
    lengths = [label for label in legend(ax) if label.startswith("MTV")]
    assert lengths == ["MTV, length 0.75", "MTV, length 0.625"]
    assert len(legend(ax)) == len(set(legend(ax))) == 6


def test_the_colours_are_told_apart_by_colour_blind_readers() -> None:
    okabe_ito = {"#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"}
    used = {elements.BLUE, elements.ORANGE, elements.GREEN, elements.RED, elements.PURPLE}
    assert used <= okabe_ito
    assert len(used) == 5
    pixels = colours(carom.plot.sat(SQUARE, TRIANGLE).figure)
    for colour in (elements.GREEN, elements.RED, elements.PURPLE, elements.BLUE, elements.ORANGE):
        assert tuple(round(255 * part) for part in to_rgb(colour)) in pixels


def test_coordinates_far_from_the_origin_are_drawn_as_well() -> None:
    here = np.array([691_608.0, 5_334_760.0])
    ax = carom.plot.sat(SQUARE + here, TRIANGLE + here)
    (vector,) = arrows(ax, elements.GREEN)
    np.testing.assert_allclose(vector, carom.sat(SQUARE, TRIANGLE).mtv, atol=1e-8)
    assert shows(ax, SQUARE + here)


# --- films ----------------------------------------------------------------------------------------


def test_a_film_stops_at_the_contact_and_slides_along_it() -> None:
    way = sliding_path.slide(SQUARE, WALL, (16, 4))
    assert [time for time, _ in way.contacts] == [0.5]
    assert way.at(0.25).tolist() == [4.0, 1.0]
    assert way.at(0.5).tolist() == [8.0, 2.0]
    assert way.at(1.0).tolist() == [8.0, 4.0]


def test_a_slide_into_a_second_wall_stops_there() -> None:
    way = sliding_path.slide([(2, 7), (4, 7), (4, 9), (2, 9)], BRACKET, (4, -12))
    (first, side), (second, floor) = way.contacts
    assert (first, side.normal.tolist()) == (0.25, [-1.0, 0.0])
    assert (second, floor.normal.tolist()) == (0.5, [0.0, 1.0])
    assert way.at(0.375).tolist() == [1.0, -4.5]
    assert way.at(1.0).tolist() == [1.0, -6.0]


def test_a_mover_never_gets_into_the_other_shape() -> None:
    rng = np.random.default_rng(6)
    for velocity in rng.uniform(-9, 9, (50, 2)):
        way = sliding_path.slide(BLOCK, FRAME, velocity)
        for time in np.linspace(0.0, 1.0, 21):
            moved = np.add(BLOCK, way.at(time))
            inner = (moved > 1.0 - 1e-3).all() and (moved < 5.0 + 1e-3).all()
            assert inner, (velocity, time)


def test_one_that_overlaps_already_stays_and_one_that_is_free_goes_all_the_way() -> None:
    assert sliding_path.slide(SQUARE, TRIANGLE, (5, 5)).at(1.0).tolist() == [0.0, 0.0]
    assert sliding_path.slide(SQUARE, WALL, (-5, 2)).at(1.0).tolist() == [-5.0, 2.0]
    assert sliding_path.slide(np.add(SQUARE, (8, 0)), WALL, (-1, 3)).at(1.0).tolist() == [-1.0, 3.0]


def test_a_gif_has_the_films_pictures_and_they_move(tmp_path: Path) -> None:
    path = tmp_path / "film.gif"
    carom.plot.animate(SQUARE, WALL, (16, 4), seconds=0.5, fps=10).save(path)
    with Image.open(path) as gif:
        assert gif.n_frames >= 6
        assert gif.info["duration"] == 100
        first = np.asarray(gif.convert("RGB"))
        gif.seek(gif.n_frames - 1)
        assert (first != np.asarray(gif.convert("RGB"))).any(axis=-1).sum() > 100


def test_a_film_is_a_player_in_notebooks_and_pyplot_knows_nothing_of_it() -> None:
    movie = carom.plot.animate(SQUARE, WALL, (16, 4), seconds=0.2, fps=10)
    page = movie._repr_html_()
    assert page.count("data:image/png;base64") == 2 + 1 + 5
    assert plt.get_fignums() == []


def test_a_player_needs_no_network() -> None:
    page = carom.plot.animate(SQUARE, WALL, (16, 4), seconds=0.2, fps=10)._repr_html_()
    assert "http:" not in page
    assert "https:" not in page
    buttons = re.findall(r"<button[^>]*>\s*(.*?)</button>", page)
    assert len(buttons) == len(set(buttons)) == 9
    assert all(re.fullmatch(r"&#?\w+;|\+", sign) for sign in buttons)


def test_a_film_turns_both_shapes_until_they_touch() -> None:
    turns: dict[str, Any] = {"turn_a": 1.0, "center_a": (1, 1), "turn_b": -0.5, "center_b": (9, 0)}
    result = carom.swept_collision(SQUARE, WALL, (16, 0), **turns)
    movie = carom.plot.animate(SQUARE, WALL, (16, 0), **turns, seconds=1.0, fps=10)
    other, mover = movie.ax.patches[-2:]
    for frame in (0, 2, 5, 10):
        movie.draw(frame)
        time = min(frame / 10, result.time)
        for drawn, shape, turn, center, speed in (
            (mover, SQUARE, 1.0, (1, 1), 16),
            (other, WALL, -0.5, (9, 0), 0),
        ):
            placed = (drawn.get_transform() - movie.ax.transData).transform(shape)
            expected = turned(shape, time * turn, center, (time * speed, 0))
            np.testing.assert_allclose(placed, expected, atol=1e-9)


def test_the_mover_and_the_signs_of_contact_are_where_the_clock_says() -> None:
    _, ax = plt.subplots()
    movie = carom.plot.animate(SQUARE, WALL, (16, 4), seconds=1.0, fps=10, ax=ax)
    assert movie.ax is ax
    mover = ax.patches[-1]
    for frame, corner, is_seen in ((0, (0, 0), False), (4, (6.4, 1.6), False), (5, (8, 2), True)):
        movie.draw(frame)
        placed = (mover.get_transform() - ax.transData).transform((0, 0))
        np.testing.assert_allclose(placed, corner, atol=1e-9)
        assert ax.lines[0].get_visible() == is_seen
        assert words(ax) == [f"time {frame / 10:.2f}"]


@pytest.mark.parametrize("far", [0.0, 5_334_760.0, 3e12])
def test_the_clock_keeps_clear_of_the_numbers_on_the_axes(far: float) -> None:
    movie = carom.plot.animate(SQUARE + np.array(far), WALL + np.array(far), (16, 4))
    movie.draw(20)
    movie.ax.figure.canvas.draw()
    (clock,) = (text for text in movie.ax.texts if text.get_text())
    box = clock.get_window_extent()
    assert box.x1 <= movie.ax.figure.bbox.x1
    for axis in (movie.ax.xaxis, movie.ax.yaxis):
        shown = [axis.get_offset_text(), *axis.get_ticklabels()]
        assert not any(box.overlaps(text.get_window_extent()) for text in shown)


def test_a_sweep_or_a_film_that_starts_in_contact_says_so() -> None:
    ax = carom.plot.swept_collision(SQUARE, TRIANGLE, (3, 1))
    assert "a at time 0, in contact" in legend(ax)
    near = np.add(TRIANGLE, (1.25, 0))
    assert "a at time 0, in contact" not in legend(carom.plot.swept_collision(SQUARE, near, (3, 1)))
    close = carom.plot.swept_collision(SQUARE, near, (3, 1), margin=1.0)
    assert "a at time 0, in contact" in legend(close)
    movie = carom.plot.animate(SQUARE, TRIANGLE, (3, 1))
    for frame in (0, 20):
        movie.draw(frame)
        assert words(movie.ax) == [f"time {frame / 40:.2f}, in contact from the start"]


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"fps": -1}, {"fps": np.inf}, {"fps": np.nan}])
def test_films_without_length_are_refused(wrong: dict[str, float]) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=f"{name}: expected a finite number above 0"):
        carom.plot.animate(SQUARE, WALL, (1, 0), **wrong)


# --- points, paths, several parts and radii -----------------------------------------------------


BOW = shapely.MultiLineString([[(0, 0), (3, 3)], [(0, 3), (3, 0), (4, 3)]])
KINDS = [
    shapely.Point(1, 2),
    shapely.MultiPoint([(0, 0), (1, 1), (5, 5)]),
    shapely.LineString([(0, 0), (3, 0)]),
    shapely.LineString([(0, 0), (3, 3), (6, 0), (3, 0)]),
    BOW,
    shapely.Polygon(BLOCK),
    shapely.Polygon(BRACKET[::-1]),
    shapely.Polygon(FRAME[0], FRAME[1:]),
    shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)]),
]


def rings_of(ax: Axes) -> list[np.ndarray]:
    """The rings of the only path of the last collection."""
    (path,) = ax.collections[-1].get_paths()
    rings: list[np.ndarray] = path.to_polygons()
    return rings


def filled_area(rings: list[np.ndarray]) -> float:
    """Area of rings that don't overlap, of which holes wind the other way."""
    area = 0.0
    for ring in rings:
        x, y = ring.T
        area += (x[:-1] @ y[1:] - y[:-1] @ x[1:]) / 2.0
    return float(area)


@pytest.mark.parametrize("far", [0.0, 5e6])
@pytest.mark.parametrize("radius", [0.25, 0.5, 1.5, 7.0])
@pytest.mark.parametrize("geometry", KINDS, ids=lambda geometry: geometry.geom_type)
def test_an_outline_with_a_radius_has_the_area_and_the_box_of_the_rounded_shape(
    geometry: Any, radius: float, far: float
) -> None:
    column = carom.Shapes([shapely.affinity.translate(geometry, far, -far)]).with_radius(radius)
    rings = [ring - (far, -far) for ring in rings_of(carom.plot.shapes(column))]
    expected = geometry.buffer(radius, quad_segs=64).area
    assert filled_area(rings) == pytest.approx(expected, rel=2e-3)
    low, high = np.min(np.vstack(rings), axis=0), np.max(np.vstack(rings), axis=0)
    bounds = column.bounds[0] - (far, -far, far, -far)
    np.testing.assert_allclose([*low, *high], bounds, atol=2e-3 * radius)


def test_corners_are_arcs_around_the_vertices() -> None:
    (ring,) = rings_of(carom.plot.shapes(carom.Shapes.from_points([(3, 4)], radius=2)))
    np.testing.assert_allclose(np.hypot(*(ring - (3, 4)).T), 2.0)
    assert len(ring) > 90
    dot = carom.Shapes.from_segments([[(3, 4), (3, 4)]], radius=2)
    np.testing.assert_array_equal(rings_of(carom.plot.shapes(dot))[0], ring)
    capsule = carom.Shapes.from_segments([[(0, 0), (4, 0)]], radius=1)
    (ring,) = rings_of(carom.plot.shapes(capsule))
    away = carom.distance_batch(carom.Shapes.from_points(ring), capsule.with_radius(0)).distance
    np.testing.assert_allclose(away, 1.0)


def test_a_circle_that_closes_a_gap_leaves_no_line_in_it() -> None:
    one_hole, none = (
        rings_of(carom.plot.shapes(carom.Shapes([FRAME]).with_radius(radius))) for radius in (1, 3)
    )
    assert (len(one_hole), len(none)) == (2, 1)


def test_paths_and_points_are_drawn_without_a_radius_and_paths_are_not_filled() -> None:
    column = carom.Shapes([shapely.Point(9, 9), shapely.LineString(BRACKET), None, BOW])
    ax = carom.plot.shapes(column)
    dot, line, missing, several = ax.collections[-1].get_paths()
    np.testing.assert_allclose(dot.get_extents().extents, (9, 9, 9, 9), atol=0.1)
    assert dot.get_extents().width > 0.0
    assert line.vertices.tolist() == [*map(list, BRACKET), *map(list, BRACKET[-2::-1])]
    assert len(missing.vertices) == 0
    assert len(several.to_polygons(closed_only=False)) == 2
    assert shows(ax, np.array([(0, 0), (9, 9)]))
    _, ax = plt.subplots()
    carom.plot.shapes(shapely.LineString(BRACKET), ax=ax, facecolors="red", edgecolors="none")
    assert (255, 0, 0) not in colours(ax.figure)


def test_the_limits_include_the_radius() -> None:
    ax = carom.plot.shapes(carom.Shapes.from_points([(0, 0), (9, 0)], radius=[5, 1]))
    assert shows(ax, np.array([(-5, -5), (-5, 5), (10, 0)]))


def test_circles_and_capsules_are_drawn_with_their_overlap_and_their_gap() -> None:
    circle = carom.Shapes.from_points([(1, 1)], radius=1)
    capsule = carom.Shapes.from_segments([[(0, 0), (2, 0)]], radius=0.5)
    ax = carom.plot.sat(circle, capsule)
    (vector,) = arrows(ax, elements.GREEN)
    np.testing.assert_allclose(vector, (0, 0.5))
    (edge,) = labelled(ax, "reference edge")
    assert sorted(edge.get_xydata().tolist()) == [[0.0, 0.5], [2.0, 0.5]]
    assert "reference edge" not in legend(carom.plot.sat(circle, circle.translate((1, 1))))
    assert "gap, 2 wide" in legend(carom.plot.sat(circle.translate((0, 2.5)), capsule))
    with pytest.raises(ValueError, match="not convex"):
        carom.plot.sat(BOW, circle)


def test_a_disc_that_meets_a_path_is_drawn_where_it_touches() -> None:
    disc = carom.Shapes.from_points([(0, 0)], radius=1)
    fence = shapely.LineString([(5, -3), (5, 3), (9, 3)])
    ax = carom.plot.swept_collision(disc, fence, (8, 0))
    (there,) = labelled(ax, "a at time 0.5")
    np.testing.assert_allclose(box(there), (3, -1, 5, 1), atol=1e-3)
    assert carom.plot.animate(disc, fence, (8, 2), seconds=0.2, fps=10).ax.patches
    way = sliding_path.slide(disc, fence, (8, 2))
    np.testing.assert_allclose(way.at(1.0), (4, 2))


def test_the_nearest_edge_of_a_path_ends_where_the_path_does() -> None:
    path = shapely.LineString([(0, 0), (4, 0), (4, 3)])
    ax = carom.plot.circle_polygon((5, 2), 0.5, path)
    (edge,) = labelled(ax, "nearest edge")
    assert edge.get_xydata().tolist() == [[4.0, 0.0], [4.0, 3.0]]


# --- the module -----------------------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_docstrings_are_numpydoc_and_complete(function: Any) -> None:
    text = FunctionDoc(function)
    documented = [name for part in text["Parameters"] for name in part.name.split(", ")]
    parameters = inspect.signature(function).parameters
    assert [name.lstrip("*") for name in documented] == list(parameters)
    assert text["Returns"]
    assert text["Raises"]
    assert text["Examples"]


@pytest.mark.parametrize(
    "thing", [carom.plot, *FUNCTIONS], ids=lambda thing: thing.__name__.rpartition(".")[2]
)
def test_examples_give_what_they_say(
    thing: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for example in doctest.DocTestFinder(recurse=False).find(thing, globs={}):
        assert doctest.DocTestRunner().run(example).failed == 0


def run(code: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    lines = [] if path is None else ["import sys", f"sys.path.insert(0, {str(path)!r})"]
    command = [sys.executable, "-c", "\n".join([*lines, code])]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_matplotlib_is_imported_with_the_pictures_and_not_before() -> None:
    code = "import carom, sys; assert 'matplotlib' not in sys.modules; carom.plot.sat"
    done = run(f"{code}; assert 'matplotlib' in sys.modules")
    assert (done.returncode, done.stderr) == (0, "")


def test_without_matplotlib_the_way_to_it_is_named(tmp_path: Path) -> None:
    done = run("import carom.plot", without(tmp_path, "matplotlib"))
    assert "carom.plot needs matplotlib; pip install 'carom[plot]'" in done.stderr


def test_other_attributes_are_still_unknown() -> None:
    with pytest.raises(AttributeError, match="'carom' has no attribute 'plots'"):
        operator.attrgetter("plots")(carom)


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("size", [(6.4, 4.8), (5, 4)], ids=str)
def test_legends_in_a_grid_are_clear_of_each_other_and_of_all_axes(
    size: tuple[float, float], layout: str | None
) -> None:
    figure, grid = plt.subplots(2, 2, figsize=size, layout=layout)
    left, right = carom.place([(0, 0), (4, 0), (4, 2), (0, 2)], [(0, 0, 0), (3, 1, 0)])
    apart = np.add(right, (4, 0))
    carom.plot.sat(left, right, ax=grid[0, 0])
    carom.plot.swept_collision(left, apart, (6, 0), ax=grid[0, 1])
    carom.plot.swept_collision(left, right, (1, 0), ax=grid[1, 0])
    carom.plot.sat(left, apart, ax=grid[1, 1])
    figure.canvas.draw()
    legends = [axes.get_legend().get_window_extent() for axes in grid.flat]
    drawings = [axes.get_window_extent() for axes in grid.flat]
    for first, one in enumerate(legends):
        assert not any(one.overlaps(it) for it in drawings)
        assert not any(one.overlaps(it) for it in legends[first + 1 :])

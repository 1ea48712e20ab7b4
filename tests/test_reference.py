"""The sources' algorithms: their correct answers, and their known wrong ones.

Each wrong answer of a source is shown beside the library's, which must be the exact one.
"""

from __future__ import annotations

import math
from random import Random

import carom
import pytest

from generators import shapes
from reference import circle_polygon as circles
from reference import moving_segments, oracle, polygon_collision, separating_axis
from reference.oracle import check

SEEDS = range(150)
SQUARE = shapes.box(0, 0, 2, 2)


def pair(seed: int) -> tuple[shapes.Polygon, shapes.Polygon, shapes.Point]:
    """Two convex polygons in generic position, counterclockwise, and a velocity."""
    rng = Random(seed)
    a, b = shapes.generic(rng)
    return shapes.convex_hull(a), shapes.convex_hull(b), (rng.uniform(-3, 3), rng.uniform(-3, 3))


# --- polygon collision --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_polygon_collision_is_right_about_resting_shapes(seed: int) -> None:
    a, b, _ = pair(seed)
    port = polygon_collision.polygon_collision(a, b, (0.0, 0.0))
    truth = oracle.intersects(a, b)
    assert port.intersect == port.will_intersect == truth


@pytest.mark.parametrize("seed", SEEDS)
def test_polygon_collision_never_overlooks_a_moving_hit(seed: int) -> None:
    a, b, velocity = pair(seed)
    truth = oracle.swept_collision(a, b, velocity)
    port = polygon_collision.polygon_collision(a, b, velocity)
    assert port.will_intersect or not truth.will_intersect


@pytest.mark.parametrize("seed", SEEDS)
def test_polygon_collision_translates_least_where_no_interval_nests(seed: int) -> None:
    """Intervals of a shape and its own copy have equal lengths, so that none nests."""
    a, _, velocity = pair(seed)
    b = shapes.moved(a, velocity[0] / 6, velocity[1] / 6)
    port = polygon_collision.polygon_collision(a, b, (0.0, 0.0))
    truth = oracle.sat(a, b)
    assert port.intersect == truth.intersects
    length = math.hypot(*port.minimum_translation_vector)
    assert length == pytest.approx(float(truth.depth), rel=1e-9, abs=1e-12)


def test_polygon_collision_alarms_falsely_for_want_of_the_axis_across_the_velocity() -> None:
    a, b, velocity = shapes.box(0, 0, 1, 1), shapes.box(6, 3, 1, 1), (10.0, 10.0)
    port = polygon_collision.polygon_collision(a, b, velocity)
    assert port.will_intersect
    assert not oracle.swept_collision(a, b, velocity).will_intersect
    result = carom.swept_collision(a, b, velocity)
    assert not result.will_intersect
    check.assert_swept_collision(a, b, velocity, result)


def test_polygon_collision_sends_a_nested_shape_out_on_the_far_side() -> None:
    inner = [(2.0, 0.0), (3.0, 0.0), (2.0, 2.0)]
    outer = [(-2.0, -2.0), (5.0, 0.0), (3.0, 4.0)]
    port = polygon_collision.polygon_collision(inner, outer, (0.0, 0.0))
    assert math.hypot(*port.minimum_translation_vector) == pytest.approx(3)
    result = carom.sat(inner, outer)
    assert result.depth == pytest.approx(20 / math.sqrt(61))
    check.assert_sat(inner, outer, result)


def test_polygon_collision_measures_overlap_from_one_side_without_nesting_shapes() -> None:
    """Neither triangle lies in the other, but one's interval lies in the other's."""
    a = [(0.0, 1.0), (3.0, 0.0), (3.0, 4.0)]
    b = [(-1.0, 3.0), (3.0, -1.0), (3.0, 6.0)]
    port = polygon_collision.polygon_collision(a, b, (0.0, 0.0))
    assert math.hypot(*port.minimum_translation_vector) > 3.5
    result = carom.sat(a, b)
    assert list(result.mtv) == [3, 0]
    check.assert_sat(a, b, result)


def test_polygon_collision_may_leave_nested_shapes_overlapping() -> None:
    """The length comes from one side and the direction from the centres."""
    bar, wall = shapes.box(1, -50, 1, 100), [(0.0, 0.0), (1.5, 0.0), (1.5, 9.0), (-9.0, 9.0)]
    port = polygon_collision.polygon_collision(bar, wall, (0.0, 0.0))
    assert oracle.intersects(shapes.moved(bar, *port.minimum_translation_vector), wall)
    x, y = carom.sat(bar, wall).mtv
    assert not oracle.intersects(shapes.moved(bar, 1.0000001 * x, 1.0000001 * y), wall)


# --- separating axis ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_separating_axis_texts_are_right_in_generic_position(seed: int) -> None:
    a, b, _ = pair(seed)
    truth = oracle.intersects(a, b)
    assert separating_axis.sat_c(a, b) == separating_axis.sat_lua(a, b) == truth


def test_separating_axis_examples_of_the_source() -> None:
    b = [(4, 4), (4, 6), (6, 6), (6, 4)]
    assert not separating_axis.sat_c([(0, 0), (0, 3), (3, 3), (3, 0)], b)
    a = [(0, 0), (0, 5), (5, 4), (3, 0)]
    assert separating_axis.sat_c(a, b)
    assert separating_axis.sat_lua(a, b)
    assert carom.intersects(a, b)


@pytest.mark.parametrize("text", [separating_axis.sat_c, separating_axis.sat_lua])
def test_separating_axis_parts_everything_from_a_zero_edge(text) -> None:
    repeated = [SQUARE[0], *SQUARE]
    other = shapes.box(1, 1, 2, 2)
    assert text(SQUARE, other)
    assert not text(repeated, other)
    assert not text(other, repeated)
    result = carom.sat(repeated, other)
    assert result.intersects
    assert result.depth == 1
    check.assert_sat(repeated, other, result)


def test_separating_axis_first_lua_perp_reads_element_zero() -> None:
    other = shapes.box(1, 1, 2, 2)
    with pytest.raises(TypeError, match="nil"):
        separating_axis.sat_lua(SQUARE, other, separating_axis.perp_lua_as_first_printed)
    assert carom.intersects(SQUARE, other)


# --- circle against polygon ---------------------------------------------------------------------


def circle(seed: int) -> tuple[shapes.Point, float, shapes.Polygon]:
    a = pair(seed)[0]
    center, radius = shapes.circle(Random(seed), a, "generic")
    return center, radius, a


@pytest.mark.parametrize("seed", SEEDS)
def test_circle_first_form_is_right_counterclockwise(seed: int) -> None:
    center, radius, a = circle(seed)
    truth = oracle.circle_polygon(center, radius, a).intersects
    assert circles.circle_polygon_one_pass(center, radius, a) == truth


@pytest.mark.parametrize("seed", SEEDS)
def test_circle_second_form_is_right_outside_vertex_regions(seed: int) -> None:
    center, radius, a = circle(seed)
    truth = oracle.circle_polygon(center, radius, a)
    found = circles.incident_face(center, radius, a)
    if found.face is not None:
        assert found.hit == truth.intersects
    if (
        found.face is not None
        and 0 < found.penetration < radius
        and not carom.intersects(
            a, [center, (center[0], center[1] + 1e-9), (center[0] + 1e-9, center[1])]
        )
    ):
        assert found.penetration == pytest.approx(float(truth.depth), abs=1e-9)


def test_circle_second_form_hits_everything_out_of_reach_in_a_vertex_region() -> None:
    center, radius = (5.0, 5.0), 1.0
    assert circles.circle_polygon_nearest_vertex(center, radius, SQUARE)
    assert not circles.circle_polygon_one_pass(center, radius, SQUARE)
    result = carom.circle_polygon(center, radius, SQUARE)
    assert not result.intersects
    assert (result.feature, result.index) == ("vertex", 2)
    check.assert_circle_polygon(center, radius, SQUARE, result)


@pytest.mark.parametrize(
    "form", [circles.circle_polygon_one_pass, circles.circle_polygon_nearest_vertex]
)
def test_circle_forms_overlook_a_circle_inside_a_clockwise_ring(form) -> None:
    center, radius = (1.0, 1.0), 0.25
    assert form(center, radius, SQUARE)
    assert not form(center, radius, SQUARE[::-1])
    assert carom.circle_polygon(center, radius, SQUARE[::-1]).intersects


def test_circle_second_form_hits_a_circle_outside_a_clockwise_ring() -> None:
    center, radius = (1.0, -3.0), 1.0
    assert not circles.circle_polygon_nearest_vertex(center, radius, SQUARE)
    assert circles.circle_polygon_nearest_vertex(center, radius, SQUARE[::-1])
    assert not carom.circle_polygon(center, radius, SQUARE[::-1]).intersects


def test_circle_first_form_errs_at_a_tangent() -> None:
    """The foot of the centre is rounded, and its distance no longer equals the radius."""
    wrong = 0
    for seed in range(400):
        rng = Random(seed)
        a = shapes.blob(rng)
        center, radius = shapes.circle(rng, a, "tangent_edge")
        truth = oracle.circle_polygon(center, radius, a)
        wrong += circles.circle_polygon_one_pass(center, radius, a) != truth.intersects
        assert carom.circle_polygon(center, radius, a).intersects == truth.intersects
    assert wrong > 0


# --- moving segments ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_moving_segments_find_the_first_contact_of_shapes_apart(seed: int) -> None:
    a, b, velocity = pair(seed)
    truth = oracle.swept_collision(a, b, velocity)
    if truth.intersects:
        b = shapes.moved(b, 6, 0)
        truth = oracle.swept_collision(a, b, velocity)
    port = moving_segments.first_contact(a, velocity, b)
    assert (port is not None) == truth.will_intersect
    if port is not None and truth.time is not None:
        assert port.time == pytest.approx(float(truth.time), abs=1e-9)


def test_moving_segments_take_concave_shapes() -> None:
    """A peg into the notch of a chevron: the hull would be met at 0.5, the notch is at 0.75."""
    peg, chevron = shapes.box(-0.5, 4, 1, 1), [(-4, 3), (0, 1), (4, 3), (0, -9)]
    port = moving_segments.first_contact(peg, (0.0, -4.0), chevron)
    assert port is not None
    assert port.time == pytest.approx(
        float(oracle.swept_collision(peg, chevron, (0, -4)).time or 0)
    )


def test_moving_segments_miss_a_small_body_wholly_inside_a_large_one() -> None:
    inner, outer, velocity = shapes.box(4, 4, 1, 1), shapes.box(0, 0, 10, 10), (0.5, 0.25)
    assert moving_segments.first_contact(inner, velocity, outer) is None
    result = carom.swept_collision(inner, outer, velocity)
    assert result.intersects
    assert result.time == 0
    check.assert_swept_collision(inner, outer, velocity, result)


def test_moving_segments_handle_edges_that_are_exactly_vertical() -> None:
    a, b = shapes.box(0, 0, 1, 1), shapes.box(3, 0.5, 1, 1)
    port = moving_segments.first_contact(a, (4.0, 0.0), b)
    assert port is not None
    assert port.time == 0.5


def test_moving_segments_lose_an_edge_that_is_nearly_vertical() -> None:
    """A slope near 1e16 leaves no digit of the intercept: the hit comes late, on the far side."""
    a = [(0.0, 0.0), (1.0, 0.25), (0.0, 0.5)]
    b = [(3.0, 0.0), (3.5, 0.0), (3.5, 1.0), (math.nextafter(3.0, 4.0), 1.0)]
    velocity = (3.0, 0.1)
    port = moving_segments.first_contact(a, velocity, b)
    assert port is not None
    assert port.time == pytest.approx(5 / 6)
    result = carom.swept_collision(a, b, velocity)
    assert result.time == pytest.approx(2 / 3, rel=1e-10)
    check.assert_swept_collision(a, b, velocity, result)


def test_moving_segments_take_nearly_parallel_edges_as_parallel() -> None:
    """The line of a long, hardly tilted floor is met far outside the floor, and counts."""
    floor = [(1e6, 0.5), (5e6, 2.5), (5e6, -5.0), (1e6, -5.0)]
    body = [(6e6, 3.1), (2e6, 3.1), (4e6, 9.0)]
    port = moving_segments.first_contact(body, (0.0, -4.0), floor)
    assert port is not None
    assert port.time == pytest.approx(0.025)
    result = carom.swept_collision(body, floor, (0.0, -4.0))
    assert result.time == pytest.approx(0.15, rel=1e-10)
    check.assert_swept_collision(body, floor, (0.0, -4.0), result)

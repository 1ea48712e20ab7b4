"""`intersects`: closed sets, decided exactly for the floats given."""

from __future__ import annotations

import math

import carom
import numpy as np
import pytest
import shapely
from hypothesis import given

from generators import shapes, strategies
from helpers import (
    DENTED,
    SCALES,
    SQUARE,
    array,
    examples,
    quads,
    rewritten,
    seeded_pairs,
)
from reference.oracle import check

UP, DOWN = math.inf, -math.inf


def both_ways(a: shapes.Polygon, b: shapes.Polygon) -> bool:
    one, two = carom.intersects(a, b), carom.intersects(b, a)
    assert type(one) is bool
    assert one == two
    return one


def test_squares_that_share_an_edge_intersect() -> None:
    assert both_ways(SQUARE, shapes.box(2, 0, 2, 2))


def test_squares_that_share_a_corner_intersect() -> None:
    assert both_ways(SQUARE, shapes.box(2, 2, 2, 2))


def test_squares_an_ulp_apart_do_not_intersect() -> None:
    assert not both_ways(SQUARE, [(math.nextafter(2, UP), 0.0), (4.0, 0.0), (4.0, 2.0)])


def test_squares_that_overlap_by_an_ulp_intersect() -> None:
    assert both_ways(SQUARE, [(math.nextafter(2, DOWN), 0.0), (4.0, 0.0), (4.0, 2.0)])


def test_a_vertex_on_a_slanted_edge_touches_and_an_ulp_beside_it_does_not() -> None:
    slope = [(0.0, 0.0), (3.0, 1.0), (0.0, 1.0)]
    for y, expected in ((0.5, True), (math.nextafter(0.5, DOWN), False)):
        assert both_ways(slope, [(1.5, y), (3.0, -1.0), (3.0, -2.0)]) is expected


def test_a_shape_inside_another_intersects_it() -> None:
    assert both_ways(shapes.box(0.5, 0.5, 0.25, 0.25), SQUARE)


def test_identical_shapes_intersect() -> None:
    assert both_ways(SQUARE, SQUARE)


def test_a_crossing_without_a_vertex_inside_is_found() -> None:
    assert both_ways(shapes.box(-1, 0.5, 4, 0.5), shapes.box(0.5, -1, 0.5, 4))


def test_boxes_may_overlap_where_shapes_do_not() -> None:
    assert not both_ways([(0, 0), (4, 0), (0, 4)], [(4, 4), (4, 1), (1, 4)])


@pytest.mark.parametrize("scale", SCALES)
def test_touching_is_decided_at_every_magnitude(scale: float) -> None:
    a = shapes.stretched(SQUARE, scale, scale)
    edge = 2 * scale
    apart = [(math.nextafter(edge, UP), 0.0), (4 * scale, 0.0), (4 * scale, edge)]
    assert both_ways(a, shapes.stretched(shapes.box(2, 1, 2, 1), scale, scale))
    assert not both_ways(a, apart)


def test_shapes_of_wholly_different_size_are_compared_exactly() -> None:
    giant = [(0.0, 0.0), (1e300, 0.0), (1e300, 1e300), (0.0, 1e300)]
    for x, expected in ((-1e-300, False), (-5e-324, False), (0.0, True)):
        speck = [(x, 1.0), (x - 1e-300, 1.0), (x - 1e-300, 2.0)]
        assert both_ways(giant, speck) is expected


def test_thirds_that_floats_cannot_hold_are_not_taken_for_thirds() -> None:
    """1/3 as a float lies below the line from (0, 0) to (3, 1), the next float above it."""
    slope, third = [(0.0, 0.0), (3.0, 1.0), (0.0, 1.0)], 1 / 3
    assert third * 3 == 1
    assert not both_ways(slope, [(1.0, third), (2.0, -1.0), (0.0, -1.0)])
    assert both_ways(slope, [(1.0, math.nextafter(third, UP)), (2.0, -1.0), (0.0, -1.0)])


def test_a_dent_of_an_ulp_is_taken_as_given() -> None:
    """`sat` of the same pair takes the hull and finds an overlap."""
    peg = [(2.0, 2.0), (3.0, 3.0), (1.0, 3.0)]
    assert not both_ways(peg, DENTED)
    assert both_ways([(2.0, math.nextafter(2, DOWN)), (3.0, 3.0), (1.0, 3.0)], DENTED)
    assert carom.sat(peg, DENTED).intersects


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int8, np.uint16, ">f8"])
def test_narrower_types_are_widened(dtype: object) -> None:
    assert carom.intersects(array(SQUARE, dtype), array(shapes.box(2, 1, 2, 2), dtype))
    assert not carom.intersects(array(SQUARE, dtype), array(shapes.box(3, 1, 2, 2), dtype))


def test_any_memory_layout_is_read() -> None:
    wide = np.zeros((8, 4))
    wide[::2, 1:3] = SQUARE
    for view in (wide[::2, 1:3], np.asfortranarray(SQUARE, float), array(SQUARE)[::-1]):
        assert carom.intersects(view, shapes.box(2, 2, 1, 1))
        assert not carom.intersects(view, shapes.box(2.5, 2, 1, 1))


def test_writing_a_ring_otherwise_changes_nothing() -> None:
    for a, b in seeded_pairs(160):
        truth = carom.intersects(a, b)
        for other in rewritten(a):
            assert carom.intersects(other, b) == carom.intersects(b, other) == truth


def test_moving_both_by_exact_sums_changes_nothing() -> None:
    for a, b in seeded_pairs(120, "lattices", "grid_squares", "collinear_runs"):
        truth = carom.intersects(a, b)
        for x, y in ((2.0**20, -(2.0**21)), (0.5, 12345.0)):
            assert carom.intersects(shapes.moved(a, x, y), shapes.moved(b, x, y)) == truth


@pytest.mark.parametrize("power", [-1000, -500, 500, 1000])
def test_scaling_both_by_a_power_of_two_changes_nothing(power: int) -> None:
    s = math.ldexp(1.0, power)
    for a, b in seeded_pairs(60, "lattices", "vertex_on_edge", "flush_boxes"):
        scaled = [shapes.stretched(p, s, s) for p in (a, b)]
        if shapes.stretched(scaled[0] + scaled[1], 1 / s, 1 / s) == a + b:  # nothing underflowed
            assert carom.intersects(*scaled) == carom.intersects(a, b)


def test_agrees_with_shapely_in_generic_position() -> None:
    for a, b in seeded_pairs(300, "generic", "lattices", "grid_squares", "nested"):
        assert carom.intersects(a, b) == shapely.Polygon(a).intersects(shapely.Polygon(b))


@examples(400)
@given(strategies.pairs())
def test_agrees_with_the_oracle(pair: shapes.Pair) -> None:
    check.assert_intersects(*pair, carom.intersects(*pair))


def test_batch_equals_scalar() -> None:
    a, b = quads(300)
    batch = carom.intersects_batch(a, b)
    assert batch.dtype == np.bool_
    assert batch.tolist() == [carom.intersects(p, q) for p, q in zip(a, b, strict=True)]


def test_batch_broadcasts_as_a_gufunc() -> None:
    a, b = quads(12)
    one = carom.intersects_batch(a[0], b)
    assert one.tolist() == [carom.intersects(a[0], q) for q in b]
    table = carom.intersects_batch(a[:5, None], b)
    assert table.shape == (5, 12)
    assert table.tolist() == [[carom.intersects(p, q) for q in b] for p in a[:5]]

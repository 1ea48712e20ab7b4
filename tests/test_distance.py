"""`distance`: the gap between two polygons and their nearest points."""

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
    assert_row_is_scalar,
    assert_scalar_types,
    examples,
    quads,
    rewritten,
    seeded_pairs,
)
from reference.oracle import check


def checked(a: shapes.Polygon, b: shapes.Polygon) -> carom.DistanceResult:
    result = carom.distance(a, b)
    check.assert_distance(a, b, result)
    return result


def test_vertex_to_vertex() -> None:
    r = checked(SQUARE, shapes.box(5, 6, 1, 1))
    assert r.distance == 5
    assert r.closest_a.tolist() == [2, 2]
    assert r.closest_b.tolist() == [5, 6]


def test_vertex_to_edge() -> None:
    r = checked(SQUARE, [(3.5, 1.0), (9.0, -4.0), (9.0, 4.0)])
    assert r.distance == 1.5
    assert r.closest_a.tolist() == [2, 1]
    assert r.closest_b.tolist() == [3.5, 1]


def test_parallel_edges_give_one_of_their_nearest_pairs_every_time() -> None:
    results = [checked(SQUARE, shapes.box(5, 1, 1, 4)) for _ in range(3)]
    assert results[0].distance == 3
    assert len({repr(r) for r in results}) == 1


@pytest.mark.parametrize(
    "b", [shapes.box(2, 0, 1, 1), shapes.box(2, 2, 1, 1), shapes.box(0.5, 0.5, 1, 1), SQUARE]
)
def test_shapes_that_meet_have_distance_zero_and_no_points(b: shapes.Polygon) -> None:
    r = checked(SQUARE, b)
    assert r.distance == 0
    assert np.isnan(r.closest_a).all()
    assert np.isnan(r.closest_b).all()


def test_a_hairline_gap_is_the_distance() -> None:
    near = math.nextafter(2, 3)
    r = checked(SQUARE, [(near, 0.0), (4.0, 0.0), (4.0, 2.0), (near, 2.0)])
    assert r.distance == near - 2


def test_a_gap_far_below_the_last_place_is_not_zero() -> None:
    """The triangle's vertex lies off the slanted edge by much less than its coordinates' ulp."""
    a, b = [(0.0, 0.0), (3.0, 1.0), (0.0, 1.0)], [(1.0, 1 / 3), (2.0, -1.0), (0.0, -1.0)]
    r = checked(a, b)
    assert 0 < r.distance < math.ulp(1 / 3)


def test_nanometre_gap_at_utm_coordinates_is_that_nanometre() -> None:
    east, north = 691_608.0, 5_334_760.0
    rear = east + 4.5 + 1e-9
    r = checked(shapes.box(east, north, 4.5, 2), shapes.box(rear, north, 4.5, 2))
    assert r.distance == pytest.approx(rear - (east + 4.5), rel=1e-10, abs=0)


def test_a_dent_is_taken_as_given() -> None:
    peg = [(2.0, 2.0), (3.0, 3.0), (1.0, 3.0)]
    assert 0 < checked(peg, DENTED).distance <= 2 - DENTED[3][1]


@pytest.mark.parametrize("scale", SCALES)
def test_distance_is_right_at_every_magnitude(scale: float) -> None:
    a, b = (shapes.stretched(p, scale, scale) for p in (SQUARE, shapes.box(5, 6, 1, 1)))
    assert checked(a, b).distance == 5 * scale


def test_distance_beyond_the_largest_float_is_infinite() -> None:
    far = 1.7e308
    a = [(-far, -far), (-far, -far / 2), (-far / 2, -far)]
    b = [(far, far), (far, far / 2), (far / 2, far)]
    r = checked(a, b)
    assert r.distance == math.inf
    assert np.isfinite(r.closest_a).all()


def test_a_distance_below_the_subnormals_is_the_least_float() -> None:
    """A lattice line through the origin passes others by less than one step."""
    t = 5e-324
    a = [(0.0, 0.0), (3 * t, t), (0.0, 4 * t)]
    b = [(t, 0.0), (8 * t, 0.0), (8 * t, -8 * t)]
    assert checked(a, b).distance == t


def test_result_has_python_scalars_and_float64_vectors() -> None:
    vectors = {"closest_a": np.ndarray, "closest_b": np.ndarray}
    for b in (SQUARE, shapes.box(5, 6, 1, 1)):
        assert_scalar_types(carom.distance(SQUARE, b), distance=float, **vectors)


def test_swapping_swaps_the_points() -> None:
    for a, b in seeded_pairs(160, "generic", "nested", "vertex_on_edge"):
        one, two = checked(a, b), checked(b, a)
        assert one.distance == pytest.approx(two.distance, rel=1e-10, abs=0)


def test_writing_a_ring_otherwise_changes_no_number() -> None:
    for a, b in seeded_pairs(80):
        truth = carom.distance(a, b).distance
        for other in rewritten(a):
            assert checked(other, b).distance == pytest.approx(truth, rel=1e-10, abs=0)


def test_moving_both_by_exact_sums_changes_no_number() -> None:
    for a, b in seeded_pairs(64, "lattices", "grid_squares"):
        r = checked(shapes.moved(a, 2.0**20, -7.0), shapes.moved(b, 2.0**20, -7.0))
        assert r.distance == pytest.approx(carom.distance(a, b).distance, rel=1e-10, abs=0)


def test_zero_exactly_when_they_intersect() -> None:
    for a, b in seeded_pairs(320):
        assert (carom.distance(a, b).distance == 0) == carom.intersects(a, b)


def test_agrees_with_shapely_in_generic_position() -> None:
    for a, b in seeded_pairs(200, "generic", "lattices", "grid_squares"):
        r = carom.distance(a, b)
        expected = shapely.Polygon(a).distance(shapely.Polygon(b))
        assert r.distance == pytest.approx(expected, rel=1e-9, abs=1e-12)


@examples(500)
@given(strategies.pairs())
def test_every_field_agrees_with_the_oracle(pair: shapes.Pair) -> None:
    checked(*pair)


def test_batch_rows_are_the_scalar_results_to_the_bit() -> None:
    a, b = quads(300, seed=7)
    batch = carom.distance_batch(a, b)
    for i, (p, q) in enumerate(zip(a, b, strict=True)):
        assert_row_is_scalar(batch, i, carom.distance(p, q))


def test_batch_of_lists_of_any_length_is_the_scalar_results_to_the_bit() -> None:
    pairs = list(seeded_pairs(64))
    a, b = ([array(pair[k]) for pair in pairs] for k in (0, 1))
    batch = carom.distance_batch(a, b)
    for i, (p, q) in enumerate(pairs):
        assert_row_is_scalar(batch, i, carom.distance(p, q))


@pytest.mark.parametrize("scale", [2.0**-900, 2.0**-120, 2.0**63, 2.0**990])
def test_long_boundaries_are_searched_by_boxes_at_any_scale(scale):
    # Without boxes these are 64 million pairs of edges, each compared in big numbers.
    steps = [(float(k // 2 + k % 2), float(k // 2)) for k in range(8000)]
    stairs = np.array([*steps, (0.0, 5000.0)])
    apart = stairs[:, ::-1] + (40.0, -40.0)
    expected = carom.distance(stairs, apart)
    found = carom.distance(stairs * scale, apart * scale)
    assert found.distance == expected.distance * scale
    assert (found.closest_a == expected.closest_a * scale).all()


def test_the_distance_alone_has_the_same_bits_where_a_vertex_is_hardly_beside_an_edge() -> None:
    a = [
        (0.749244793372093, 0.8292181463733309),
        (1.2941303306202268, 0.6216133504320697),
        (1.3055541958942096, 0.12174387216579086),
        (0.8224808144818666, 0.2507404154173254),
    ]
    b = [
        (-0.26203537290810863, 0.04422922529595186),
        (0.7442825149537509, 0.8355288150525159),
        (0.5588460474463787, 1.0713535731216959),
        (-0.5092839962512715, 0.3586622360548586),
    ]
    alone = carom.distance_batch([a], [b], fields=("distance",)).distance[0]
    assert alone == carom.distance(a, b).distance == carom.distance_batch([a], [b]).distance[0]

"""`overlap_area` and its twin, against the area of clipped triangles in fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import carom
import numpy as np
import pytest
import shapely

import helpers
from generators import areas, kinds, relations
from reference.oracle.common_area import common_area

LARGEST, LEAST = Fraction(2**1024 - 2**970), Fraction(math.ulp(0.0))
SMALLEST_NORMAL = Fraction(2) ** -1022
SCALES = (1e-160, 1e-100, 1.0, 1e100, 1e150)


def box(left: float, low: float, right: float, high: float) -> list[tuple[float, float]]:
    return [(left, low), (right, low), (right, high), (left, high)]


def assert_accurate(found: float, true: Fraction) -> None:
    """Compares an area with the true one, which it is within 1e-10 of, and 0 only where that is."""
    if true > LARGEST:
        assert found == math.inf
    elif true == 0:
        assert found == 0.0
    else:
        assert found > 0.0
        allowed = max(Fraction(1, 10**10) * true, LEAST if true < SMALLEST_NORMAL else Fraction(0))
        assert abs(Fraction(found) - true) <= allowed, (found, float(true))


def assert_right(a: Any, b: Any, parts: tuple[Any, Any]) -> Fraction:
    """Compares both orders of two shapes with the reference, and returns the true area."""
    true = common_area(*parts)
    assert_accurate(carom.overlap_area(a, b), true)
    assert_accurate(carom.overlap_area(b, a), true)
    return true


def test_squares_that_share_an_edge_or_a_corner_have_no_area_in_common() -> None:
    square = box(0, 0, 2, 2)
    for x, y in [(2, 0), (2, 1), (2, 2), (-2, 0.5), (3, 0)]:
        assert carom.overlap_area(square, box(x, y, x + 2, y + 2)) == 0.0
    # The next float below 2 leaves a strip.
    x = math.nextafter(2.0, 0.0)
    assert carom.overlap_area(square, box(x, 0, 4, 2)) == 2 * (2 - x)


def test_a_shape_has_its_own_area_in_common_with_itself() -> None:
    for seed, (a, _) in enumerate(helpers.seeded_areas(300)):
        own = float(carom.Shapes([a]).area[0])
        assert carom.overlap_area(areas.bare(a), areas.bare(a)) == pytest.approx(own, rel=1e-10), (
            seed
        )


def test_a_hole_is_left_out_and_may_be_filled_exactly() -> None:
    frame = [box(0, 0, 6, 6), box(2, 2, 4, 4)]
    assert carom.overlap_area(frame, box(2, 2, 4, 4)) == 0.0
    assert carom.overlap_area(frame, box(1, 1, 5, 5)) == 12.0
    assert carom.overlap_area(frame, box(-1, -1, 7, 7)) == 32.0
    assert carom.overlap_area(frame, [box(1, 1, 5, 5), box(1.5, 1.5, 4.5, 4.5)]) == 7.0


def test_several_parts_count_together() -> None:
    parts = shapely.MultiPolygon([shapely.box(0, 0, 2, 2), shapely.box(2, 2, 4, 4)])
    assert carom.overlap_area(parts, shapely.box(1, 1, 3, 3)) == 2.0
    assert carom.overlap_area(parts, parts) == 8.0


def test_points_and_paths_have_no_area() -> None:
    square = shapely.box(0, 0, 2, 2)
    others = [
        shapely.Point(1, 1),
        shapely.LineString([(0, 0), (2, 2)]),
        shapely.MultiPoint([(1, 1)]),
    ]
    for other in others:
        assert carom.overlap_area(square, other) == 0.0
        assert carom.overlap_area(other, square) == 0.0
    assert carom.overlap_area_batch(others, square).tolist() == [0.0] * 3


@pytest.mark.parametrize("family", areas.PAIRS)
def test_areas_of_polygons_are_those_of_the_reference(family: str) -> None:
    for seed in range(12):
        a, b = areas.pair(Random(seed), family)
        true = assert_right(areas.bare(a), areas.bare(b), ([a], [b]))
        if true == 0:
            assert carom.overlap_area(areas.bare(a), areas.bare(b)) == 0.0


@pytest.mark.parametrize("family", sorted(areas.PAIRS)[::3])
def test_areas_at_extreme_magnitudes_are_those_of_the_reference(family: str) -> None:
    for seed in range(6):
        a, b = areas.extreme_pair(Random(seed), family)
        assert_right(areas.bare(a), areas.bare(b), ([a], [b]))


def test_shapes_that_share_points_and_stretches_have_the_area_of_the_reference() -> None:
    found = 0
    for seed in range(400):
        rng = Random(seed)
        a, b = relations.mapped(rng, *relations.pair(rng))
        geometries = [kinds.geometry(it) for it in (a, b)]
        if {a.kind, b.kind} != {"polygon"}:
            continue
        rows = carom.Shapes.from_shapely(geometries, on_invalid="mask")
        if (rows.kind < 0).any():
            continue
        assert_right(rows[:1], rows[1:], (a.parts, b.parts))
        found += 1
    assert found > 100


@pytest.mark.parametrize("scale", SCALES)
def test_slivers_have_ten_digits_far_from_the_origin(scale: float) -> None:
    for seed in range(40):
        rng = Random(seed)
        x, y = rng.choice([(0.0, 0.0), (450_000.25, 5_400_000.5)])
        corners = [(x + rng.uniform(-50, 50), y + rng.uniform(-50, 50)) for _ in range(3)]
        (p, q, r), up = corners[:3], rng.choice([math.inf, -math.inf])
        # A triangle on either side of nearly the same edge.
        moved = [(math.nextafter(u, up), math.nextafter(v, -up)) for u, v in (p, q)]
        across = (p[0] + q[0] - r[0], p[1] + q[1] - r[1])
        rings = [p, q, r], [*moved, across]
        pair = [[(scale * u, scale * v) for u, v in ring] for ring in rings]
        if carom.Shapes(pair, on_invalid="mask").is_valid.all():
            a, b = pair
            assert_right(a, b, ([[a]], [[b]]))


def test_areas_below_the_least_float_and_above_the_largest() -> None:
    small, large = ([(0, 0), (s, 0), (s, s), (0, s)] for s in (1e-200, 1e200))
    assert carom.overlap_area(small, small) == math.ulp(0.0)
    assert carom.overlap_area(large, large) == math.inf


def test_rows_have_the_bits_of_the_scalar_with_any_number_of_threads() -> None:
    pairs = list(helpers.seeded_areas(400)) + [([a], [b]) for a, b in helpers.seeded_pairs(400)]
    a, b = ([pair[k] for pair in pairs] for k in (0, 1))
    one = carom.overlap_area_batch(a, b, threads=1)
    assert one.dtype == np.float64
    for threads in (2, 3):
        assert carom.overlap_area_batch(a, b, threads=threads).tobytes() == one.tobytes()
    columns = carom.Shapes(a), carom.Shapes(b)
    assert carom.overlap_area_batch(*columns).tobytes() == one.tobytes()
    scalars = [carom.overlap_area(areas.bare(p), areas.bare(q)) for p, q in pairs]
    assert np.array(scalars).tobytes() == one.tobytes()
    picked = np.arange(len(pairs))[::-7]
    some = carom.overlap_area_batch(*columns, pairs=(picked, picked))
    assert some.tobytes() == one[picked].tobytes()
    exchanged = carom.overlap_area_batch(b, a)
    assert np.allclose(exchanged, one, rtol=1e-10, atol=0.0)
    assert np.array_equal(one == 0.0, exchanged == 0.0)


def test_an_area_is_above_zero_exactly_where_interiors_meet() -> None:
    a, b = (carom.Shapes(list(side)) for side in zip(*helpers.seeded_areas(600), strict=True))
    apart = carom.predicate_batch(a, b, "touches") | carom.predicate_batch(a, b, "disjoint")
    assert np.array_equal(carom.overlap_area_batch(a, b) == 0.0, apart)
    assert 0 < apart.sum() < len(apart)


def test_missing_and_masked_rows_are_nan() -> None:
    square = box(0, 0, 2, 2)
    bow = [(0, 0), (2, 2), (2, 0), (0, 2)]
    found = carom.overlap_area_batch([square, None, bow], square, on_invalid="mask")
    assert np.array_equal(found, [4.0, math.nan, math.nan], equal_nan=True)
    rounded = carom.Shapes([square] * 3).with_radius([0.0, 1.0, 0.0])
    found = carom.overlap_area_batch(rounded, square, on_invalid="mask")
    assert np.array_equal(found, [4.0, math.nan, 4.0], equal_nan=True)


def test_areas_broadcast_and_go_to_the_array_given() -> None:
    squares = np.array([box(0, 0, 2, 2), box(1, 1, 3, 3)])
    out = np.zeros((2, 2))
    found = carom.overlap_area_batch(squares[:, None], squares, out=out)
    assert found is out
    assert out.tolist() == [[4.0, 1.0], [1.0, 4.0]]

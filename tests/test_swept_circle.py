"""`swept_circle`: a moving disc, or a moving point, against a polygon."""

from __future__ import annotations

import math
from random import Random

import carom
import numpy as np
import pytest
import shapely
from hypothesis import given

from generators import areas, shapes, strategies
from helpers import (
    DENTED,
    SCALES,
    SQUARE,
    array,
    assert_row_is_scalar,
    assert_scalar_types,
    bits,
    convex_rings,
    examples,
    forms_of,
    quads,
    seeded_pairs,
)
from reference.oracle import check

HALF = math.sqrt(0.5)


def checked(
    center: shapes.Point, radius: float, velocity: shapes.Point, polygon: shapes.Polygon
) -> carom.SweptCircleResult:
    result = carom.swept_circle(center, radius, velocity, polygon)
    check.assert_swept_circle(center, radius, velocity, polygon, result)
    return result


def test_circle_meets_an_edge() -> None:
    r = checked((-3.0, 1.0), 1.0, (4.0, 0.0), SQUARE)
    assert r.intersects is False
    assert r.will_intersect is True
    assert r.time == 0.5
    assert r.normal.tolist() == [-1, 0]
    assert r.contact.tolist() == [[0, 1], [0, 1]]


def test_circle_meets_a_vertex() -> None:
    """At time 1/2 the centre is at (5, 6), which is 5 from the corner (2, 2)."""
    r = checked((9.0, 6.0), 5.0, (-8.0, 0.0), SQUARE)
    assert r.time == 0.5
    assert r.normal == pytest.approx([0.6, 0.8], abs=1e-10)
    assert r.contact.tolist() == [[2, 2], [2, 2]]


def test_never() -> None:
    r = checked((-3.0, 1.0), 1.0, (-4.0, 0.0), SQUARE)
    assert r.will_intersect is False
    assert r.time == math.inf
    assert r.normal.tolist() == [0, 0]
    assert np.isnan(r.contact).all()


def test_arrival_at_exactly_time_one_counts() -> None:
    assert checked((-3.0, 1.0), 1.0, (2.0, 0.0), SQUARE).time == 1
    assert not checked((-3.0, 1.0), 1.0, (math.nextafter(2, 0), 0.0), SQUARE).will_intersect
    assert checked((9.0, 6.0), 5.0, (-4.0, 0.0), SQUARE).time == 1
    assert not checked((9.0, 6.0), 5.0, (math.nextafter(-4, 0), 0.0), SQUARE).will_intersect


def test_grazing_a_vertex_touches() -> None:
    r = checked((-5.0, 5.0), 3.0, (20.0, 0.0), [(0.0, 2.0), (1.0, 0.0), (-1.0, 0.0)])
    assert r.time == 0.25
    assert r.normal.tolist() == [0, 1]
    above = math.nextafter(5.0, 6)
    assert not checked((-5.0, above), 3.0, (20.0, 0.0), [(0.0, 2.0), (1.0, 0.0), (-1.0, 0.0)])


def test_rolling_along_an_edge_meets_its_first_vertex() -> None:
    r = checked((-3.0, 3.0), 1.0, (8.0, 0.0), SQUARE)
    assert r.time == 0.375
    assert r.normal.tolist() == [0, 1]
    assert r.contact.tolist() == [[0, 2], [0, 2]]


def test_passing_right_through_is_caught() -> None:
    r = checked((-1e6, 1.0), 1e-3, (2e6, 0.0), shapes.box(0, 0, 1e-6, 2))
    assert r.time == pytest.approx((1e6 - 1e-3) / 2e6, rel=1e-10)


def test_intersecting_now_is_time_zero_with_the_normal_of_circle_polygon() -> None:
    overlapping = 0
    for seed, (a, _) in enumerate(seeded_pairs(120)):
        center, radius = shapes.circle(Random(seed), a, "on_edge")
        now = carom.circle_polygon(center, radius, a)
        if now.intersects:
            overlapping += 1
            r = checked(center, radius, (1.0, 2.0), a)
            assert r.intersects
            assert r.time == 0
            assert r.normal.tolist() == now.normal.tolist()
            assert r.contact.tolist() == [now.closest.tolist()] * 2
    assert overlapping > 80


def test_tangent_now_is_time_zero_even_when_leaving() -> None:
    r = checked((3.0, 1.0), 1.0, (5.0, 0.0), SQUARE)
    assert r.intersects
    assert r.time == 0


def test_zero_velocity_asks_about_now() -> None:
    assert checked((3.0, 1.0), 1.0, (0.0, 0.0), SQUARE).time == 0
    assert not checked((4.0, 1.0), 1.0, (0.0, -0.0), SQUARE).will_intersect


def test_a_ray_is_a_circle_of_radius_zero() -> None:
    r = checked((-2.0, 1.0), 0.0, (4.0, 0.0), SQUARE)
    assert r.time == 0.5
    assert r.normal.tolist() == [-1, 0]
    assert r.contact.tolist() == [[0, 1], [0, 1]]


def test_a_ray_into_a_vertex_has_the_bisector_of_its_edges_normals() -> None:
    for velocity in ((-4.0, -4.0), (-4.0, 4.0), (0.0, -4.0)):
        center = 2 - velocity[0] / 2, 2 - velocity[1] / 2
        for polygon in (SQUARE, SQUARE[::-1], SQUARE[2:] + SQUARE[:2]):
            r = checked(center, 0.0, velocity, polygon)
            assert r.time == 0.5
            assert r.normal == pytest.approx([HALF, HALF], abs=1e-10)
            assert r.contact.tolist() == [[2, 2], [2, 2]]


def test_a_ray_that_arrives_at_a_corner_from_the_inner_side_of_an_edges_line() -> None:
    """Its normal was once that of the far side of the left edge, which points into the polygon."""
    ring = [
        (4.624781802594316, 1.1645626257373851),
        (0.9189628071198452, 1.1645626257373851),
        (0.9189628071198452, -0.11530681290032163),
        (4.624781802594316, -0.11530681290032163),
    ]
    center = 4.918962807119845, -4.115306812900322
    r = checked(center, 0.0, (-4.0, 4.0), ring)
    assert r.time == 1
    assert r.normal == pytest.approx([-HALF, -HALF], abs=1e-10)


def test_a_ray_along_an_edge_stops_at_its_end() -> None:
    r = checked((-2.0, 2.0), 0.0, (8.0, 0.0), SQUARE)
    assert r.time == 0.25
    assert r.contact.tolist() == [[0, 2], [0, 2]]


def test_a_dent_is_taken_as_given() -> None:
    dent = DENTED[3][1]
    r = checked((2.0, 3.0), 0.0, (0.0, -1.0), DENTED)
    assert not r.intersects
    assert r.will_intersect is False
    r = checked((2.0, 2.5), 0.0, (0.0, -1.0), DENTED)
    assert r.time == pytest.approx(2.5 - dent, rel=1e-10)


@pytest.mark.parametrize("scale", SCALES)
def test_time_is_right_at_every_magnitude(scale: float) -> None:
    polygon = shapes.stretched(SQUARE, scale, scale)
    r = checked((9 * scale, 6 * scale), 5 * scale, (-8 * scale, 0.0), polygon)
    assert r.time == 0.5
    near = checked((3 * scale, 6 * scale), math.nextafter(4 * scale, 0), (0.0, 1.0), polygon)
    assert not near.will_intersect


def test_a_speck_against_a_giant() -> None:
    giant = shapes.box(0, 0, 1e300, 1e300)
    r = checked((-1e-300, 5.0), 1e-308, (2e-300, 0.0), giant)
    assert r.time == pytest.approx(0.5, rel=1e-7)
    assert r.normal.tolist() == [-1, 0]


def test_result_is_true_when_they_will_intersect() -> None:
    assert carom.swept_circle((-3, 1), 1, (2, 0), SQUARE)
    assert not carom.swept_circle((-3, 1), 1, (1, 0), SQUARE)


def test_result_has_python_scalars_and_float64_vectors() -> None:
    for velocity in ((2, 0), (1, 0), array((8, 0), np.float32)):
        r = carom.swept_circle((-3, 1), 1, velocity, SQUARE)
        vectors = {"normal": np.ndarray, "contact": np.ndarray}
        assert_scalar_types(r, intersects=bool, will_intersect=bool, time=float, **vectors)


def test_agrees_with_shapely_in_generic_position() -> None:
    for seed, (a, _) in enumerate(seeded_pairs(200, "generic")):
        rng = Random(seed)
        (x, y), radius = shapes.circle(rng, a, "generic")
        u, v = shapes.velocity(rng, [(x, y)], a, "random")
        path = shapely.LineString([(x, y), (x + u, y + v)])
        r = carom.swept_circle((x, y), radius, (u, v), a)
        assert r.will_intersect == shapely.Polygon(a).dwithin(path, radius)


def test_winding_changes_nothing() -> None:
    for seed, (a, _) in enumerate(seeded_pairs(160)):
        case = shapes.arriving_circle(Random(seed), a, shapes.CIRCLES[seed % 10])
        one, two = checked(*case, a), checked(*case, a[::-1])
        assert (one.intersects, one.will_intersect) == (two.intersects, two.will_intersect)
        assert one.time == pytest.approx(two.time, rel=1e-10, abs=0)


RADII = {
    "tiny": [0.0, 5e-324, 1e-310, 1e-300, 1e-100, 1e-30, 1e-18, 1e-16, 1e-15, 1e-14, 1e-13],
    "middling": [1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7],
    "ordinary": [1e-6, 1e-5, 1e-4, 1e-3, 0.25, 1.0],
}
"""Of circles whose centers and polygons have coordinates near 10, whose last place is 1e-15."""


def slanted_area(rng: Random) -> areas.Area:
    """An area with whole coordinates near 10 and edges of many directions."""
    while True:
        area = rng.choice([[shapes.lattice(rng)], areas.grid_area(rng), areas.grid_area(rng)])
        if rng.random() < 0.5:
            ring = [(float(rng.randint(0, 8)), float(rng.randint(0, 8))) for _ in range(4)]
            area = [ring]
        (a, b), (c, d) = ((rng.randint(-3, 3), rng.randint(-3, 3)) for _ in range(2))
        if a * d != b * c:
            area = [[(a * x + b * y, c * x + d * y) for x, y in ring] for ring in area]
            if areas.usable(area):
                return areas.dress(rng, area)


def small_circle_to_a_feature(
    rng: Random, radius: float
) -> tuple[shapes.Point, float, shapes.Point, areas.Area]:
    """A circle apart from an area, whose center moves to one of its vertices, or amid an edge:
    most often exactly, else as nearly as floats go."""
    while True:
        area = slanted_area(rng)
        p, q = rng.choice(areas.rims(area))
        x, y = rng.choice([p, p, p, ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)])
        center = x + rng.randint(-12, 12), y + rng.randint(-12, 12)
        if rng.random() < 0.25:
            center = shapes.nudged(rng, center, 4)
        factor = rng.choice([1, 1, 2, 4, 1.5])
        if not carom.circle_polygon(center, radius, areas.bare(area)).intersects:
            velocity = (x - center[0]) * factor, (y - center[1]) * factor
            return center, radius, velocity, area


@pytest.mark.slow
@pytest.mark.parametrize("size", RADII)
def test_the_normal_is_one_of_a_feature_that_can_be_touched_from_outside(size: str) -> None:
    """A tiny circle reaches all edges at a vertex at times that tie, but some from within."""
    rng = Random(size)
    cases = [small_circle_to_a_feature(rng, rng.choice(RADII[size])) for _ in range(400)]
    cases += [(c, r, v, [ring[::-1] for ring in area]) for c, r, v, area in cases[:100]]
    centers, radii, velocities = (array([case[k] for case in cases]) for k in range(3))
    batch = carom.swept_circle_batch(centers, radii, velocities, [case[3] for case in cases])
    for i, (center, radius, velocity, area) in enumerate(cases):
        scalar = carom.swept_circle(center, radius, velocity, areas.bare(area))
        assert_row_is_scalar(batch, i, scalar)
        check.assert_swept_circle(center, radius, velocity, area, scalar)
    assert batch.will_intersect.mean() > 0.9


@pytest.mark.parametrize("power", [0, 100, 900])
def test_a_vertex_behind_the_first_one_by_less_than_times_can_tell_is_not_met(power: int) -> None:
    x, y = [116.36715, 0.860955, -9.914805], [-3.035253618681364, -4.435253618681363]
    low, middle = -5.1352536186813635, -3.735253618681364
    scale = 1e-318 * 2.0**power
    polygon = [
        (x[0], y[1]), (x[0], low), (x[1], low), (x[1], y[1]), (x[2] * 10, y[1]),
        (x[2] * 10, middle), (x[1], middle), (x[1], y[0]), (x[0], y[0]), (x[0], middle),
        (x[0] * 2, middle), (x[0] * 2, y[1]),
    ]  # fmt: skip
    polygon = [(x * scale, y) for x, y in polygon]
    start, path = (-1.3999999999999986, -5.135253618681363), (2.799999999999997, 1.3999999999999986)
    result = checked(start, 107.7576 * scale, path, polygon)
    assert result.contact[0, 0] < 0 > result.normal[1]


def test_a_tiny_circle_does_not_touch_an_edge_that_faces_the_inside() -> None:
    """Its normal was once that of the edge behind the vertex, which faces away from it."""
    ring = [(16.0, 0.0), (24.0, 0.0), (12.0, 16.0), (8.0, 20.0)]
    for radius in (5e-324, 1e-300, 1e-18, 1e-15, 1e-9, 1e-3):
        for polygon in (ring, ring[::-1]):
            r = checked((10.0, 1.0), radius, (-4.0, 38.0), polygon)
            assert r.normal == pytest.approx([-0.92847669, -0.37139068], abs=1e-2)


@pytest.mark.slow
@examples(500)
@given(strategies.swept_circles())
def test_every_field_agrees_with_the_oracle(
    case: tuple[shapes.Point, float, shapes.Point, shapes.Polygon],
) -> None:
    checked(*case)


def test_batch_rows_are_the_scalar_results_to_the_bit() -> None:
    polygons = array([p for p in quads(300, seed=6)[0] if 1e-300 < abs(p).max() < 1e100])
    rng = Random(0)
    moving = [
        shapes.arriving_circle(rng, p.tolist(), rng.choice(shapes.CIRCLES[:-1])) for p in polygons
    ]
    centers, radii, velocities = (array([m[k] for m in moving]) for k in range(3))
    batch = carom.swept_circle_batch(centers, radii, velocities, polygons)
    for i in range(len(polygons)):
        scalar = carom.swept_circle(centers[i], radii[i], velocities[i], polygons[i])
        assert_row_is_scalar(batch, i, scalar)


def test_paths_to_and_past_the_features_of_a_comb_agree_with_the_oracle() -> None:
    ring = [(20.0, -2.0), (10.0, -2.0), (0.0, -2.0), (0.0, -2.0)]
    for x in range(0, 20, 4):
        ring += [(x + 0.0, 0.0), (x + 1.0, 3.0), (x + 1.0, 3.0), (x + 2.0, 0.0)]
    for start in ((-3.0, 3.0), (2.5, 9.0), (21.0, -2.0), (3.0, 1.0)):
        for x, y in ((-4, 0), (24, 0), (0, -8), (6, -6), (-11, 1), (0, 2), (18, -6)):
            for radius in (0.0, 0.25, 1.0):
                checked(start, radius, (x + 0.0, y + 0.0), ring)
                checked(start, radius, (x + 0.0, y + 0.0), ring[::-1])


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_rows_that_a_path_just_reaches_or_misses_have_the_scalar_results(offset: float) -> None:
    rng = np.random.default_rng(2)
    centers = rng.integers(-20, 21, (600, 2)) / 2.0
    radii = rng.integers(0, 5, 600) / 2.0
    velocities = rng.integers(-20, 21, (600, 2)) / 2.0
    velocities[::3] = np.nextafter(velocities[::3], rng.choice([-99.0, 99.0], (200, 2)))
    notched = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 1.0), (0.0, 2.0)]
    for ring in (notched, SQUARE, notched[::-1]):
        moved = array(ring) + offset
        batch = carom.swept_circle_batch(
            centers + offset, radii, velocities, carom.Shapes([moved] * 600)
        )
        assert 0 < batch.will_intersect.sum() < 600
        for i in range(600):
            scalar = carom.swept_circle(centers[i] + offset, radii[i], velocities[i], moved)
            assert_row_is_scalar(batch, i, scalar)


@pytest.mark.parametrize("vertices", [3, 4, 5, 8, 17, 32, 33, 64, 65])
def test_every_form_of_convex_rings_gives_the_scalar_results_to_the_bit(vertices: int) -> None:
    rings = convex_rings(vertices)
    some_fields = (("intersects", "will_intersect", "time"), ("normal",), None)
    for family in shapes.CIRCLES:
        rng = Random(family)
        drawn = [
            shapes.arriving_circle(rng, [tuple(p) for p in ring], family) for ring in rings.tolist()
        ]
        operands = [array([d[k] for d in drawn]) for k in range(3)]
        for polygons in forms_of(rings):
            scalars = [
                carom.swept_circle(*(operand[i] for operand in operands), polygons[i])
                for i in range(len(rings))
            ]
            for fields in some_fields:
                batch = carom.swept_circle_batch(*operands, polygons, fields=fields)
                for name, column in batch._asdict().items():
                    if column is None:
                        continue
                    for i, scalar in enumerate(scalars):
                        assert bits(column[i]) == bits(getattr(scalar, name)), (name, i, family)


@pytest.mark.parametrize("vertices", [3, 4, 8, 17])
def test_convex_rings_agree_with_the_oracle(vertices: int) -> None:
    for row, ring in enumerate(convex_rings(vertices, seed=1, count=12).tolist()):
        polygon = [tuple(p) for p in ring]
        for family in shapes.CIRCLES:
            center, radius, velocity = shapes.arriving_circle(Random(row), polygon, family)
            checked(center, radius, velocity, polygon)
            checked(center, radius, velocity, polygon[::-1])


def test_bad_velocities_of_a_tile_are_told_apart() -> None:
    velocities = np.ones((20, 2))
    velocities[4, 0], velocities[7, 1] = math.nan, math.inf
    for center in ((1.0, 1.0), (5.0, 5.0)):
        r = carom.swept_circle_batch(center, 1.0, velocities, SQUARE, on_invalid="mask")
        assert np.flatnonzero(~r.valid).tolist() == [4, 7]
        with pytest.raises(ValueError, match=r"velocity\[4\]"):
            carom.swept_circle_batch(center, 1.0, velocities, SQUARE, fields=("time",))


def test_the_difference_of_both_velocities_is_not_rounded() -> None:
    """A round point moves likewise by `swept_collision`, which is compared with fractions."""
    rng = Random(8)
    count = 300
    polygons = [areas.pair(rng, rng.choice(sorted(areas.PAIRS)))[0][0] for _ in range(count)]
    column = carom.Shapes(polygons)
    center = column.centroid + [[rng.uniform(-9, 9), rng.uniform(-9, 9)] for _ in polygons]
    radius = np.array([rng.choice([0.0, 0.5, 2.0]) for _ in polygons])
    v = np.array([(rng.choice([0.1, 1e16]), rng.choice([0.1, -7.7e10])) for _ in polygons])
    given = {"velocity_a": v + (column.centroid - center) * rng.choice([1.0, 1.1]), "velocity_b": v}
    points = carom.Shapes.from_points(center, radius)
    truth = carom.swept_collision_batch(points, column, **given)
    found = carom.swept_circle_batch(center, radius, polygon=column, **given)
    assert found.will_intersect.tolist() == truth.will_intersect.tolist()
    assert 50 < truth.will_intersect.sum() < count
    np.testing.assert_allclose(found.time, truth.time, rtol=1e-10)
    for row in range(0, count, 10):
        of_row = {name: values[row] for name, values in given.items()}
        one = carom.swept_circle(center[row], radius[row], polygon=polygons[row], **of_row)
        assert_row_is_scalar(found, row, one)


def test_without_a_polygon_the_message_says_how_to_give_it() -> None:
    for function in (carom.swept_circle, carom.swept_circle_batch):
        with pytest.raises(TypeError, match=r"velocity_b it is given by name: polygon="):
            function((0, 0), 1, velocity_a=(1, 0))

"""Convex rings with too many vertices to test every edge."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from random import Random

import carom
import numpy as np
import pytest
import shapely

from generators import shapes
from helpers import assert_row_is_scalar, bits
from reference.oracle import check
from reference.oracle import kinds as oracle
from reference.oracle.contact_intervals import assert_contact_intervals

Polygon = list[tuple[float, float]]
FIRST = ("intersects", "will_intersect", "time", "normal", "contact")


def regular(n: int, radius: float, heading: float) -> Polygon:
    angles = [heading + math.tau * k / n for k in range(n)]
    return [(radius * math.cos(t), radius * math.sin(t)) for t in angles]


def lattice(rng: Random, n: int) -> Polygon:
    """Edges in all directions of small integers, put together by angle."""
    steps = {(x, y) for x in range(-5, 6) for y in range(-5, 6) if math.gcd(x, y) == 1}
    chosen = rng.sample(sorted(steps), n // 2)
    both = sorted({*chosen, *((-x, -y) for x, y in chosen)}, key=lambda v: math.atan2(v[1], v[0]))
    x = y = 0.0
    ring = []
    for u, v in both:
        ring.append((x, y))
        x, y = x + u, y + v
    return ring


def scaled(ring: Polygon, factor: float) -> Polygon:
    return [(x * factor, y * factor) for x, y in ring]


def regular_of(rng: Random, n: int) -> Polygon:
    """A regular polygon, upright or turned."""
    return regular(n, 1.0, rng.choice([0.0, 0.0, rng.uniform(0, 3)]))


def pair(rng: Random) -> tuple[Polygon, Polygon]:
    n, m = rng.randint(12, 30), rng.randint(12, 30)
    if rng.random() < 0.5:
        a, b = lattice(rng, n), lattice(rng, m)
    else:
        heading = rng.uniform(0, 3)
        a = regular(n, rng.uniform(1, 4), heading)
        b = regular(rng.choice([n, m]), rng.uniform(1, 4), rng.choice([heading, 0.3]))
    kind = rng.choice(["vertex", "anywhere", "anywhere", "same", "flat", "tiny", "huge"])
    if kind == "same":
        return a, shapes.moved(a, rng.randint(-3, 3), rng.randint(-3, 3))
    (px, py), (qx, qy) = rng.choice(a), rng.choice(b)
    if kind == "vertex":
        return a, shapes.moved(b, px - qx, py - qy)
    if kind == "flat":
        return a, shapes.moved(b, max(x for x, _ in a) - min(x for x, _ in b), 0.0)
    if kind == "tiny":
        return scaled(a, 2.0**-1000), scaled(b, 2.0**-1000)
    if kind == "huge":
        return scaled(a, 2.0**1000), scaled(shapes.moved(b, px - qx, py - qy), 2.0**1000)
    return a, shapes.moved(b, rng.uniform(-9, 9), rng.uniform(-9, 9))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_large_rings_answer_as_the_oracle_does(seed: int) -> None:
    rng = Random(seed)
    a, b = pair(rng)
    check.assert_intersects(a, b, carom.intersects(a, b))
    check.assert_sat(a, b, carom.sat(a, b))
    check.assert_distance(a, b, carom.distance(a, b))
    (px, py), (qx, qy) = rng.choice(a), rng.choice(b)
    v = rng.choice([(qx - px, qy - py), (rng.uniform(-9, 9), rng.uniform(-9, 9)), (0.0, -4.0)])
    check.assert_swept_collision(a, b, v, carom.swept_collision(a, b, v))


@pytest.mark.parametrize("seed", range(40))
def test_large_rings_answer_as_their_reversals_do(seed: int) -> None:
    rng = Random(1000 + seed)
    a, b = pair(rng)
    rotated = b[7:] + b[:7]
    for other in (rotated, rotated[::-1]):
        assert carom.intersects(a, other) == carom.intersects(a, b)
        depth, expected = carom.sat(a, other).depth, carom.sat(a, b).depth
        assert math.isclose(depth, expected, rel_tol=1e-10)


def spread(rng: Random, n: int) -> Polygon:
    """Corners on an ellipse, one in each of equal sectors."""
    height = rng.choice([1.0, 1.0, 0.1, 1e-3, 1e-6])
    angles = [math.tau * (k + rng.uniform(0.1, 0.9)) / n for k in range(n)]
    return [(math.cos(t), height * math.sin(t)) for t in angles]


def near_pair(rng: Random) -> tuple[Polygon, Polygon]:
    """A small and a large ring, or two large ones, at places where answers are close."""
    a, b = (
        rng.choice([spread, spread, lattice])(rng, rng.choice([8, 13, 17, 32, 40, 70]))
        for _ in range(2)
    )
    kind = rng.choice(["nested", "hairline", "on an edge", "far off", "turned round"])
    if kind == "nested":
        b = scaled(b, rng.choice([0.5, 0.01]))
    if kind == "turned round":
        a, b = a[::-1], shapes.moved(b, rng.uniform(-2, 2), rng.uniform(-2, 2))[::-1]
    if kind == "hairline":
        span = max(x for x, _ in a) - min(x for x, _ in b)
        b = shapes.moved(b, span * rng.choice([1 - 1e-9, 1 + 1e-9, 0.999, 1.001]), 0.0)
    if kind == "on an edge":
        k, (qx, qy) = rng.randrange(len(a)), rng.choice(b)
        (px, py), (rx, ry) = a[k - 1], a[k]
        b = shapes.moved(b, (px + rx) / 2 - qx, (py + ry) / 2 - qy)
    if kind == "far off":
        a, b = shapes.moved(a, 1e6, 1e6), shapes.moved(b, 1e6 + rng.uniform(-2, 2), 1e6)
    return a, b


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(80))
def test_large_rings_that_are_close_answer_as_the_oracle_does(seed: int) -> None:
    rng = Random(2000 + seed)
    a, b = near_pair(rng)
    check.assert_intersects(a, b, carom.intersects(a, b))
    check.assert_sat(a, b, carom.sat(a, b))
    check.assert_distance(a, b, carom.distance(a, b))
    v = rng.choice([(3.0, 0.5), (-3.0, 0.0), (rng.uniform(-9, 9), rng.uniform(-9, 9))])
    check.assert_swept_collision(a, b, v, carom.swept_collision(a, b, v))


@pytest.mark.parametrize("n", [12, 13, 16, 20, 24, 25, 32, 33, 40, 100, 600])
def test_large_rows_answer_as_single_rings_do(n: int) -> None:
    rng = Random(n)
    a = np.array([spread(rng, n) for _ in range(60)])
    b = np.array([spread(rng, n) for _ in range(60)])
    b += np.array([(rng.uniform(-3, 3), rng.uniform(-3, 3)) for _ in range(60)])[:, None]
    a[::3] = a[::3, ::-1]
    v = np.array([(rng.uniform(-3, 3), rng.uniform(-3, 3)) for _ in range(60)])
    columns = carom.Shapes(a), carom.Shapes(b)
    for rows in ((a, b), columns):
        hits = carom.intersects_batch(*rows)
        overlaps, sweeps = carom.sat_batch(*rows), carom.swept_collision_batch(*rows, v)
        distances = carom.distance_batch(*rows)
        approaches = carom.closest_approach_batch(*rows, v)
        intervals = carom.contact_intervals_batch(*rows, v)
        for k in range(60):
            assert hits[k] == carom.intersects(a[k], b[k])
            assert_row_is_scalar(overlaps, k, carom.sat(a[k], b[k]))
            assert_row_is_scalar(sweeps, k, carom.swept_collision(a[k], b[k], v[k]))
            assert_row_is_scalar(distances, k, carom.distance(a[k], b[k]))
            assert_row_is_scalar(approaches, k, carom.closest_approach(a[k], b[k], v[k]))
            alone = carom.contact_intervals(a[k], b[k], v[k])
            assert bits(intervals[k]) == bits(alone)


@pytest.mark.parametrize("n", [13, 32, 100])
def test_large_rows_answer_alike_whatever_fields_are_wanted(n: int) -> None:
    rng = Random(n)
    a, b = (np.array([spread(rng, n) for _ in range(200)]) for _ in range(2))
    b += np.array([(rng.uniform(-3, 3), rng.uniform(-3, 3)) for _ in range(200)])[:, None]
    b[::4] = b[::4, ::-1]
    v = np.array([(rng.uniform(-3, 3), rng.uniform(-3, 3)) for _ in range(200)])
    for rows in ((a, b), (carom.Shapes(a), carom.Shapes(b)), (a[0], b), (a, b[0])):
        overlaps = carom.sat_batch(*rows)
        for fields in (("intersects", "depth", "mtv"), ("contact",), ("depth", "separation")):
            some = carom.sat_batch(*rows, fields=fields)
            for field in fields:
                assert getattr(some, field).tobytes() == getattr(overlaps, field).tobytes()
        sweeps = carom.swept_collision_batch(*rows, v)
        some = carom.swept_collision_batch(*rows, v, fields=("will_intersect", "time"))
        assert some.will_intersect.tobytes() == sweeps.will_intersect.tobytes()
        assert some.time.tobytes() == sweeps.time.tobytes()


@pytest.mark.parametrize("n", [17, 32, 100])
def test_circles_reach_large_rows_as_they_reach_single_rings(n: int) -> None:
    rng = Random(n)
    rings = np.array([spread(rng, n) for _ in range(100)])
    rings[::3] = rings[::3, ::-1]
    centers = np.array([(rng.uniform(-2, 2), rng.uniform(-2, 2)) for _ in range(100)])
    # On a vertex, and beside the box by exactly the radius.
    centers[:10] = rings[:10, 3]
    centers[10:20] = np.add(rings[10:20].max(axis=1), (0.25, 0.0))
    ragged = carom.Shapes([*rings[:-1], rings[-1][:4]])
    same = [rings[0]] * 100
    for polygons, singles in (
        (rings, rings),
        (carom.Shapes(rings), rings),
        (ragged, rings),
        (rings[0], same),
    ):
        hits = carom.circle_polygon_batch(centers, 0.25, polygons, fields=("intersects",))
        for k in range(99):
            one = carom.circle_polygon(centers[k], 0.25, singles[k])
            assert hits.intersects[k] == one.intersects


def circle_near(rng: Random, ring: Polygon) -> tuple[shapes.Point, float]:
    """A circle whose nearest features are often tied: round a vertex or the middle of an edge."""
    k = rng.randrange(len(ring))
    (px, py), (qx, qy) = ring[k - 1], ring[k]
    out = rng.choice([0.0, 0.5, 1.0, -0.25, 1e-9])
    middle = (px + qx) / 2 + out * (qy - py), (py + qy) / 2 - out * (qx - px)
    anywhere = rng.uniform(-3, 3), rng.uniform(-3, 3)
    box = (max(x for x, _ in ring) + 0.25, max(y for _, y in ring))
    center = rng.choice([(px, py), middle, (0.0, 0.0), anywhere, box])
    return center, rng.choice([0.0, 0.25, 1.0, math.hypot(center[0] - px, center[1] - py)])


@pytest.mark.parametrize("seed", range(120))
def test_circles_and_large_rings_answer_as_the_oracle_does(seed: int) -> None:
    rng = Random(3000 + seed)
    ring = rng.choice([spread, lattice])(rng, rng.choice([12, 32, 34, 40, 41, 70]))
    if rng.random() < 0.3:
        ring = ring[::-1]
    center, radius = circle_near(rng, ring)
    check.assert_circle_polygon(center, radius, ring, carom.circle_polygon(center, radius, ring))
    (px, py), (x, y) = rng.choice(ring), center
    velocity = rng.choice(
        [(2 * (px - x), 2 * (py - y)), (px - x, py - y), (-4.0, 0.0), (rng.uniform(-5, 5), 1.0)]
    )
    found = carom.swept_circle(center, radius, velocity, ring)
    check.assert_swept_circle(center, radius, velocity, ring, found)


@pytest.mark.parametrize("n", [4, 7, 8, 24, 32, 33, 40, 100, 600])
def test_circles_and_large_rows_answer_as_single_rings_do(n: int) -> None:
    rng = Random(n)
    rings = np.array([spread(rng, n) for _ in range(90)])
    rings[::3] = rings[::3, ::-1]
    circles = [circle_near(rng, [(x, y) for x, y in ring]) for ring in rings.tolist()]
    centers, radii = (np.array(numbers) for numbers in zip(*circles, strict=True))
    velocities = np.array([(rng.uniform(-4, 4), rng.choice([0.0, 1.0])) for _ in range(90)])
    for rows in (rings, carom.Shapes(rings)):
        circles_found = carom.circle_polygon_batch(centers, radii, rows)
        sweeps = carom.swept_circle_batch(centers, radii, velocities, rows)
        assert sweeps.intersects.any() and (sweeps.will_intersect & ~sweeps.intersects).any()
        for k in range(90):
            circle = centers[k], radii[k]
            assert_row_is_scalar(circles_found, k, carom.circle_polygon(*circle, rings[k]))
            alone = carom.swept_circle(*circle, velocities[k], rings[k])
            assert_row_is_scalar(sweeps, k, alone)
        for fields in (("time",), ("normal",), ("contact",), ("will_intersect", "normal")):
            some = carom.swept_circle_batch(centers, radii, velocities, rows, fields=fields)
            for field in fields:
                assert getattr(some, field).tobytes() == getattr(sweeps, field).tobytes()


@pytest.mark.parametrize("power", [0, 62, 63, 64, 65])
def test_sums_of_radii_near_the_range_of_the_filter_have_the_bits_of_single_calls(
    power: int,
) -> None:
    rng = Random(power)
    factor = 2.0**power
    rings = factor * np.array([spread(rng, 8) for _ in range(200)])
    centers = factor * np.array([(rng.uniform(-3, 3), rng.uniform(-3, 3)) for _ in range(200)])
    column = carom.Shapes(rings).with_radius(0.3 * factor)
    velocity = (0.5 * factor, 0.25 * factor)
    rows = carom.swept_circle_batch(centers, factor, velocity, column, margin=factor)
    for k in range(200):
        one = carom.swept_circle(centers[k], factor, velocity, column[k : k + 1], margin=factor)
        assert_row_is_scalar(rows, k, one)


@pytest.mark.parametrize("far", [np.nan, np.inf])
def test_a_bad_row_among_large_ones_is_named(far: float) -> None:
    rng = Random(3)
    a, b = (np.array([spread(rng, 32) for _ in range(20)]) for _ in range(2))
    b += (5.0, 0.0)
    a[7, 2] *= far
    for call in (carom.intersects_batch, carom.sat_batch):
        with pytest.raises(ValueError, match=r"a\[7\]"):
            call(a, b)
    masked = carom.intersects_batch(a, b, on_invalid="mask")
    assert not masked[7]


@pytest.mark.parametrize("n", [*range(11, 34), 100])
def test_every_vertex_of_a_large_ring_is_looked_at(n: int) -> None:
    ring = np.array(regular(n, 4.0, 0.3))
    assert carom.Shapes([ring, ring[::-1]]).is_convex.all()
    for k in range(n):
        dented = ring.copy()
        dented[k] *= 0.5
        assert not carom.Shapes([dented, dented[::-1]]).is_convex.any()
        for bad in (math.nan, math.inf):
            broken = ring.copy()
            broken[k, k % 2] = bad
            with pytest.raises(ValueError, match=f"vertex {k}"):
                carom.Shapes([broken])


@pytest.mark.parametrize("n", [12, 13, 17, 24, 33])
def test_a_dent_is_seen_wherever_the_ring_starts(n: int) -> None:
    flat = math.cos(math.tau / n)
    for start in range(n):
        ring = np.array(regular(n, 1.0, math.tau * (start + 0.25) / n))
        dented = np.repeat(ring[None], n, axis=0)
        dented[range(n), range(n)] *= flat - 0.01
        assert carom.Shapes([ring, ring[::-1]]).is_convex.all()
        assert not carom.Shapes([*dented, *dented[:, ::-1]]).is_convex.any()


@pytest.mark.parametrize("n", range(12, 28))
def test_a_large_star_is_refused_wherever_it_starts(n: int) -> None:
    # All turns go to one side, in two rounds.
    for start in range(n):
        angles = [2 * math.tau * (k + start) / n + 0.001 * k for k in range(n)]
        star = [(math.cos(t), math.sin(t)) for t in angles]
        for turned in (star, star[::-1]):
            with pytest.raises(ValueError, match=r"meet|cross|touch|intersect"):
                carom.Shapes([turned])


@pytest.mark.parametrize("n", [13, 17, 24, 33])
def test_a_large_ring_that_goes_round_twice_is_refused(n: int) -> None:
    ring = [regular(n, 4.0, 0.0)[2 * k % n] for k in range(n)] if n % 2 else None
    if ring is None:
        once = regular(n, 4.0, 0.0)
        ring = [*once, *scaled(once, 1.1)]
    for turned in (ring, ring[::-1]):
        with pytest.raises(ValueError, match=r"meet|cross|touch|intersect"):
            carom.Shapes([turned])


def with_vertices_on_edges(rng: Random, ring: Polygon) -> Polygon:
    """The ring on a grid of powers of two, some of its edges halved, a vertex repeated."""
    whole = [(round(x * 2**40) / 2**40, round(y * 2**40) / 2**40) for x, y in ring]
    found = []
    for (px, py), (qx, qy) in zip(whole, [*whole[1:], whole[0]], strict=True):
        found += [(px, py)] * rng.choice([1, 1, 1, 2])
        if rng.random() < 0.3:
            found.append(((px + qx) / 2, (py + qy) / 2))
    return found


def large(rng: Random) -> Polygon:
    """A convex ring with more vertices than a tile takes, in either winding."""
    ring = rng.choice([spread(rng, rng.choice([33, 40, 70, 130, 530])), lattice(rng, 34)])
    if rng.random() < 0.5:
        ring = with_vertices_on_edges(rng, ring)
    start = rng.randrange(len(ring))
    ring = ring[start:] + ring[:start]
    return ring[::-1] if rng.random() < 0.5 else ring


def points_near(rng: Random, ring: Polygon) -> np.ndarray:
    """Points inside, beside the corners of the bounding box, on the boundary and next to it."""
    low, high = np.min(ring, axis=0), np.max(ring, axis=0)
    found = [low + (high - low) * (rng.random(), rng.random()) for _ in range(12)]
    found += [np.array(rng.choice(ring)) for _ in range(4)]
    for _ in range(4):
        k = rng.randrange(len(ring))
        found.append((np.array(ring[k - 1]) + ring[k]) / 2)
    found += [np.nextafter(point, rng.choice([-9.0, 9.0])) for point in found[12:]]
    return np.array(found)


@pytest.mark.parametrize("seed", range(60))
def test_columns_of_large_rings_answer_points_as_the_rings_do_alone(seed: int) -> None:
    rng = Random(3000 + seed)
    ring = large(rng)
    xy = points_near(rng, ring)
    scale = rng.choice([1.0, 1.0, 1.0, 2.0**-1000, 2.0**1000])
    ring, xy = scaled(ring, scale), xy * scale
    radius = rng.choice([0.0, 0.01, 0.5]) * scale
    direction = rng.uniform(-1, 1) * scale, rng.uniform(-1, 1) * scale
    column, points = carom.Shapes([ring]), carom.Shapes.from_points(xy)
    boxes = [shapes.box(x, y, x + 0.01 * scale, y + 0.01 * scale) for x, y in xy]
    reached = carom.circle_polygon_batch(xy, radius, column, fields=("intersects",)).intersects
    circles = carom.circle_polygon_batch(xy, radius, column)
    sweeps = carom.swept_circle_batch(xy, radius, direction, column)
    distances = carom.distance_batch(points, column)
    rays = carom.ray_cast(xy, direction, column, length=2.0)
    met = carom.intersects_batch(points, column)
    near = carom.intersects_batch(boxes, column, margin=0.05 * scale)
    inside = carom.locate(xy, column)
    for k, point in enumerate(xy):
        alone = carom.circle_polygon(point, radius, ring)
        assert reached[k] == alone.intersects
        assert_row_is_scalar(circles, k, alone)
        assert_row_is_scalar(sweeps, k, carom.swept_circle(point, radius, direction, ring))
        assert_row_is_scalar(distances, k, carom.distance(carom.Shapes.from_points([point]), ring))
        assert_row_is_scalar(rays, k, carom.ray_cast(point, direction, [ring], length=2.0))
        assert met[k] == (inside[k] >= 0) == carom.circle_polygon(point, 0.0, ring).intersects
        assert near[k] == carom.intersects(boxes[k], ring, margin=0.05 * scale)


def velocity_near(rng: Random, a: Polygon, b: Polygon) -> oracle.Floats:
    """From a vertex of `a` to one of `b` or past it, along an edge of either, or anywhere."""
    (px, py), (qx, qy) = rng.choice(a), rng.choice(b)
    reach = rng.choice([0.5, 1.0, 1.0, 2.0])
    ring = rng.choice([a, b])
    k = rng.randrange(len(ring))
    (sx, sy), (tx, ty) = ring[k - 1], ring[k]
    along = (8 * (tx - sx), 8 * (ty - sy))
    anywhere = (rng.uniform(-9, 9), rng.uniform(-9, 9))
    there = (reach * (qx - px), reach * (qy - py))
    return rng.choice([there, there, there, along, (8.0, 0.0), (0.0, -8.0), anywhere])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100))
def test_large_rings_meet_within_a_margin_when_the_oracle_says(seed: int) -> None:
    rng = Random(5000 + seed)
    a = rng.choice([spread, lattice])(rng, rng.choice([34, 40]))
    b = rng.choice([spread, lattice])(rng, rng.choice([4, 4, 34]))
    a = shapes.moved(a, rng.choice([-60, -12, 3, 60]), rng.randint(-40, 12))
    if rng.random() < 0.5:
        a, b = b, a
    margin = rng.choice([0.1, 1.0, 5.0, 1e-9, carom.distance(a, b).distance])
    v = velocity_near(rng, a, b)
    both = [oracle.Shape("polygon", [[it]]) for it in (a, b)]
    found = carom.swept_collision(a, b, v, margin=margin)
    truth = oracle.first_contact(both[0], both[1], v, margin)
    assert found.will_intersect == (truth is not None)
    if truth is not None:
        assert math.isclose(found.time, truth, rel_tol=1e-10, abs_tol=1e-300)
    if min(len(a), len(b)) < 5:
        times = carom.contact_intervals(a, b, v, margin=margin)
        assert_contact_intervals(both[0], both[1], v, margin, times)


CORNERS: list[tuple[Polygon, Polygon, oracle.Floats, float]] = [
    (
        [(4.7, 3.7), (5.7, 4.7), (3.7, 4.7)],
        [(0, 0), (0, -4), (10, -4), (10, 0)],
        (16.2, -8.252830188679246),
        1.0,
    ),
    ([(1, 3), (1, 0), (3, 3)], [(4, 4), (7, 5), (7, 1)], (8, -3), 1e-200),
    ([(2, 0), (3, 1), (1, 1)], [(5, -3), (7, 2), (4, 6)], (9, -2), 1e-300),
]
"""A vertex passes the corner of the strip beside an edge, in less time than floats tell."""


@pytest.mark.parametrize(("a", "b", "v", "margin"), CORNERS)
def test_no_interval_is_lost_at_the_corner_of_a_strip(
    a: Polygon, b: Polygon, v: oracle.Floats, margin: float
) -> None:
    both = [oracle.Shape("polygon", [[it]]) for it in (a, b)]
    times = carom.contact_intervals(a, b, v, margin=margin)
    assert len(assert_contact_intervals(both[0], both[1], v, margin, times)) == 1


@pytest.mark.parametrize("seed", range(60))
def test_intervals_that_begin_at_corners_of_strips_are_those_of_the_oracle(seed: int) -> None:
    rng = Random(7000 + seed)
    a, b = (lattice(rng, rng.choice([6, 8, 10])) for _ in "ab")
    margin = rng.choice([1.0, 0.5, 5.0, 1e-16, 1e-200])
    k = rng.randrange(len(b))
    (px, py), (qx, qy) = b[k - 1], b[k]
    length = math.hypot(qx - px, qy - py)
    # Where the strip beside an edge ends, moved by ulps, is where a vertex of `a` goes.
    to = qx + margin * (qy - py) / length, qy - margin * (qx - px) / length
    (x, y), (u, w) = rng.choice(a), (rng.uniform(1, 9), rng.uniform(-9, 9))
    a = shapes.moved(a, to[0] - u - x, to[1] - w - y)
    v = rng.choice([1.0, 2.0]) * u, rng.choice([1.0, 2.0]) * w
    both = [oracle.Shape("polygon", [[it]]) for it in (a, b)]
    for one, other, by in ((0, 1, v), (1, 0, (-v[0], -v[1]))):
        times = carom.contact_intervals(
            *(both[i].parts[0][0] for i in (one, other)), by, margin=margin
        )
        assert_contact_intervals(both[one], both[other], by, margin, times)


@pytest.mark.parametrize("n", [4, 8, 13, 32, 33, 70, 600])
def test_convex_rings_with_a_margin_answer_as_parts_of_a_shape_do(n: int) -> None:
    rng = Random(6000 + n)
    rows = 200
    # Edges of regular ones are parallel but for rounding, so that either end may be the contact.
    a, b = (np.array([[regular_of, spread][k % 2](rng, n) for k in range(rows)]) for _ in "ab")
    b += np.array([(rng.uniform(-4, 4), rng.uniform(-4, 4)) for _ in range(rows)])[:, None]
    v = np.array([velocity_near(rng, a[k].tolist(), b[k].tolist()) for k in range(rows)])
    radius = np.array([rng.choice([0.0, 0.25, 2.0]) for _ in range(rows)])
    far = shapely.box(1e4, 1e4, 1e4 + 1, 1e4 + 1)
    both = [shapely.MultiPolygon([shapely.Polygon(ring), far]) for ring in b]
    alone = carom.Shapes(b).with_radius(radius)
    parts = carom.Shapes.from_shapely(both).with_radius(radius)
    found, expected = (
        carom.swept_collision_batch(a, of_b, v, margin=0.1, fields=FIRST) for of_b in (alone, parts)
    )
    assert (found.will_intersect == expected.will_intersect).all()
    later = found.will_intersect & ~found.intersects
    assert later.sum() > 20
    assert (found.intersects == expected.intersects).all()
    np.testing.assert_allclose(found.time[later], expected.time[later], rtol=1e-10)
    np.testing.assert_allclose(found.normal[later], expected.normal[later], rtol=0, atol=1e-10)
    later[::2] = False
    ends = found.contact[later]
    size = np.spacing(np.abs(ends).max())
    np.testing.assert_allclose(ends, expected.contact[later], rtol=0, atol=8 * size)
    times = carom.contact_intervals_batch(a, alone, v, margin=0.1)
    others = carom.contact_intervals_batch(a, parts, v, margin=0.1)
    for k in range(rows):
        np.testing.assert_allclose(times[k], others[k], rtol=1e-10, atol=1e-12)
        single = carom.swept_collision(a[k], alone[k], v[k], margin=0.1)
        for field in ("time", "normal", "contact"):
            assert bits(getattr(single, field)) == bits(getattr(found, field)[k])


@pytest.mark.parametrize("seed", range(20))
def test_large_rings_come_within_a_margin_where_the_oracle_finds_it(seed: int) -> None:
    rng = Random(4000 + seed)
    a, b = large(rng), scaled(spread(rng, rng.choice([5, 40])), rng.choice([1.0, 0.01]))
    b = shapes.moved(b, rng.uniform(-2, 2), rng.uniform(-2, 2))
    columns = carom.Shapes([a]), carom.Shapes([b])
    distance = carom.distance(a, b).distance
    for margin in (distance, math.nextafter(distance, 0.0), math.nextafter(distance, 9.0), 0.1):
        truth = oracle.is_within(*(oracle.Shape("polygon", [[it]]) for it in (a, b)), margin)
        assert carom.intersects(a, b, margin=margin) == truth
        assert carom.intersects_batch(*columns, margin=margin)[0] == truth


def test_columns_keep_the_index_of_a_large_ring_whatever_rows_are_taken() -> None:
    rings = [regular(n, 1.0, 0.0) for n in (40, 100, 500)]
    points = carom.Shapes.from_points([(0.1, 0.2)] * 3)
    column = carom.Shapes([*rings, None])
    before = column.nbytes
    truth = carom.distance_batch(points, carom.Shapes(rings)).distance
    slices = column[:3], column[[2, 0, 1]], column[::-1][1:], pickle.loads(pickle.dumps(column))[:3]
    orders = [0, 1, 2], [2, 0, 1], [2, 1, 0], [0, 1, 2]
    for rows, order in zip(slices, orders, strict=True):
        assert bits(carom.distance_batch(points, rows).distance) == bits(truth[order])
    assert column.nbytes > before + 640 * 16
    wide = column[:3].with_radius([0.0, 0.5, 1.0])
    inside = carom.circle_polygon_batch((1.2, 0.0), 0.0, wide).intersects
    assert inside.tolist() == [False, True, True]


def test_threads_share_the_index_of_a_large_ring() -> None:
    xy = np.random.default_rng(1).uniform(-1.2, 1.2, (200, 2))
    ring = regular(5_000, 1.0, 0.0)
    truth = carom.locate(xy, ring).tolist()
    for _ in range(20):
        column = carom.Shapes([ring])
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _, it=column: carom.locate(xy, it).tolist(), range(8)))
        assert found == [truth] * 8


@pytest.mark.parametrize("seed", range(12))
def test_large_shapes_clear_a_sweep_by_the_least_of_all_directions(seed: int) -> None:
    """The translation of a point, a segment or a rounded ring past a large ring, edge by edge."""
    rng = Random(6000 + seed)
    b = regular(rng.choice([150, 400]), 1.0, rng.uniform(0, 3))
    thin = [(rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5)) for _ in range(rng.choice([1, 2]))]
    a, margin = rng.choice([(thin, 0.0), (thin, 0.1), (scaled(b, 0.5), 0.1)])
    v = (-2 * a[0][0], -2 * a[0][1])
    row = {1: carom.Shapes.from_points, 2: lambda it: carom.Shapes.from_segments([it])}
    own = row.get(len(a), lambda it: carom.Shapes([it]))(a)
    found = carom.swept_collision_batch(own, carom.Shapes([b]), v, margin=margin).mtv[0]
    corners, others = np.array(a), np.array(b)
    edges = np.concatenate(
        [np.roll(others, -1, 0) - others, corners - np.roll(corners, -1, 0), [v], [np.negative(v)]]
    )
    edges = edges[np.hypot(*edges.T) > 0]
    normals = np.stack([edges[:, 1], -edges[:, 0]], axis=1) / np.hypot(*edges.T)[:, None]
    swept = np.concatenate([corners, corners + v])
    depth = (normals @ others.T).max(1) - (normals @ swept.T).min(1)
    assert math.isclose(np.hypot(*found), depth.min() + margin, rel_tol=1e-9)

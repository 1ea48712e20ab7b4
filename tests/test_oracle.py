"""The oracle against Shapely and brute force; the checkers against wrong results."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import shapely

from generators import shapes
from reference import oracle
from reference.oracle import accuracy, check, rings
from reference.oracle.exact import Grid, grid_of, sign_with_root
from reference.oracle.sweep import at_time, first_contact

ANY = [(family, seed) for family in shapes.PAIRS for seed in range(12)]
GENERIC = range(200)
SQUARE = shapes.box(0, 0, 2, 2)


def star(rng: Random, x: float = 0.0, y: float = 0.0) -> shapes.Polygon:
    """A concave simple polygon."""
    angles = sorted(math.tau * (i + rng.uniform(0, 0.8)) / 9 for i in range(9))
    radii = [rng.uniform(0.3, 1) for _ in angles]
    return [(x + r * math.cos(t), y + r * math.sin(t)) for r, t in zip(radii, angles, strict=True)]


def random_pair(seed: int) -> tuple[shapes.Polygon, shapes.Polygon, Random]:
    rng = Random(seed)
    a, b = shapes.generic(rng)
    if seed % 3 == 0:
        a, b = star(rng), star(rng, rng.uniform(-2, 2), rng.uniform(-2, 2))
    return a, b, rng


# --- exact numbers ------------------------------------------------------------------------------


def test_grid_holds_every_magnitude_exactly() -> None:
    numbers = [5e-324, 1.7976931348623157e308, -0.1, 0.0, 2.0**-1022]
    grid = Grid(*numbers)
    for x in numbers:
        assert Fraction(grid.number(x), 2**grid.shift) == Fraction(x)


@pytest.mark.parametrize("x", [5e-324, 1e-310, 2.0**-1022, 0.1, 1.0, 3.0, 2.0**53, 1.7e308])
def test_grid_ulp_is_that_of_the_float(x: float) -> None:
    grid = Grid(x)
    assert grid.ulp(grid.number(x)) == Fraction(math.ulp(x))


def test_sign_with_root_tells_irrational_sums_from_zero() -> None:
    assert sign_with_root(3, -2, 2) == 1  # 3 - 2.828...
    assert sign_with_root(-14142135623730951, 10**16, 2) == -1
    assert sign_with_root(-6, 2, 9) == 0
    assert sign_with_root(0, -1, 5) == -1
    assert sign_with_root(0, 7, 0) == 0
    assert sign_with_root(-1, 7, 0) == -1


# --- rings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("polygon", "expected"),
    [
        (SQUARE, "convex"),
        ([*SQUARE, SQUARE[0]], "convex"),
        ([(0, 0), (1, 0), (2, 0), (2, 2), (2, 2), (0, 2)], "convex"),
        ([(0, 0), (4, 0), (1, 1), (0, 4)], "concave"),
        ([(0, 0), (2, 2), (2, 0), (0, 2)], "invalid"),  # a bow tie
        ([(0, 0), (1, 1), (2, 2)], "invalid"),  # no area
        ([(0, 0), (4, 0), (4, 4), (4, 0), (0, 4)], "invalid"),  # a spike
        ([(0, 0), (4, 0), (2, 0), (2, 2)], "invalid"),  # turns back on an edge
        ([*SQUARE, *SQUARE], "invalid"),  # winds twice
        ([(0, 0), (1, 1), (0, 0), (1, 1)], "invalid"),
        ([(0, 0), (2, 0), (2, 2), (1.0, math.nextafter(2, 0)), (0, 2)], "rounding"),
        ([(0, 0), (2, 0), (2, 2), (1.0, 2 - 2**-48), (0, 2)], "concave"),
        ([(0, 0), (2, 0), (2, 2), (1.0, 2 - 2**-50), (0, 2)], "rounding"),  # 8 ulps of below 2
    ],
)
def test_kind_of_named_rings(polygon: shapes.Polygon, expected: str) -> None:
    for ring in (polygon, polygon[::-1]):
        assert oracle.kind(ring) == expected


def test_rotated_rectangles_with_midpoints_are_mostly_convex_up_to_rounding() -> None:
    kinds = [oracle.kind(shapes.vehicle(Random(seed), 4e5, 5e6)) for seed in range(50)]
    assert set(kinds) <= {"convex", "rounding"}
    assert kinds.count("rounding") > 10


@pytest.mark.parametrize("seed", range(50))
def test_simple_rings_are_those_that_shapely_finds_valid(seed: int) -> None:
    rng = Random(seed)
    ring = [(float(rng.randint(0, 5)), float(rng.randint(0, 5))) for _ in range(rng.randint(3, 6))]
    assert (oracle.kind(ring) != "invalid") == shapely.Polygon(ring).is_valid


# --- against Shapely ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", GENERIC)
def test_pairs_agree_with_shapely(seed: int) -> None:
    a, b, _ = random_pair(seed)
    p, q = shapely.Polygon(a), shapely.Polygon(b)
    truth = oracle.distance(a, b)
    assert truth.intersects == oracle.intersects(a, b) == p.intersects(q)
    assert float(truth.distance) == pytest.approx(p.distance(q), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(100))
def test_lattice_pairs_agree_with_shapely(seed: int) -> None:
    a, b = shapes.pair(Random(seed), "lattices")
    p, q = shapely.Polygon(a), shapely.Polygon(b)
    assert oracle.intersects(a, b) == p.intersects(q)
    sat = oracle.sat(a, b)
    assert (sat.intersects and sat.depth == 0) == p.touches(q)


@pytest.mark.parametrize("seed", GENERIC)
def test_circles_agree_with_shapely(seed: int) -> None:
    a, _, rng = random_pair(seed)
    (x, y), radius = shapes.circle(rng, a, "generic")
    p, c = shapely.Polygon(a), shapely.Point(x, y)
    truth = oracle.circle_polygon((x, y), radius, a)
    assert truth.intersects == p.dwithin(c, radius)
    signed = -p.boundary.distance(c) if p.contains(c) else p.distance(c)
    assert float(truth.depth) == pytest.approx(max(radius - signed, 0), abs=1e-12)
    assert float(truth.distance) == pytest.approx(max(signed - radius, 0), abs=1e-12)
    nearest = shapely.get_point(shapely.shortest_line(p.boundary, c), 0)
    assert any(
        math.dist((nearest.x, nearest.y), tuple(map(float, n.closest))) < 1e-9
        for n in truth.nearest
    )


@pytest.mark.parametrize("seed", GENERIC)
def test_swept_circles_agree_with_shapely(seed: int) -> None:
    a, _, rng = random_pair(seed)
    (x, y), radius = shapes.circle(rng, a, "generic")
    v = shapes.velocity(rng, [(x, y)], a, rng.choice(["random", "half"]))
    polygon, path = shapely.Polygon(a), shapely.LineString([(x, y), (x + v[0], y + v[1])])
    truth = oracle.swept_circle((x, y), radius, v, a)
    assert truth.will_intersect == polygon.dwithin(path, radius)
    if truth.time:
        t = float(truth.time)
        at_contact = shapely.Point(x + v[0] * t, y + v[1] * t)
        assert polygon.distance(at_contact) == pytest.approx(radius, abs=1e-9)
        before = shapely.LineString([(x, y), (x + v[0] * t * 0.999, y + v[1] * t * 0.999)])
        assert polygon.distance(before) > radius


# --- against brute force ------------------------------------------------------------------------


@pytest.mark.parametrize(("family", "seed"), ANY)
def test_depth_is_the_least_overlap_of_all_projections(family: str, seed: int) -> None:
    """Projections on every edge normal, in fractions; nothing is shared with the outline."""
    a, b = shapes.pair(Random(seed), family)
    truth = oracle.sat(a, b)
    exact = [[(Fraction(x), Fraction(y)) for x, y in ring] for ring in (a, b)]
    least = None
    for ring in exact:
        for i, q in enumerate(ring):
            p = ring[i - 1]
            for n in ((q[1] - p[1], p[0] - q[0]), (p[1] - q[1], q[0] - p[0])):
                if n == (0, 0):
                    continue
                top = max(n[0] * x + n[1] * y for x, y in exact[1])
                bottom = min(n[0] * x + n[1] * y for x, y in exact[0])
                square = (top - bottom) * abs(top - bottom) / (n[0] ** 2 + n[1] ** 2)
                least = square if least is None else min(least, square)
    assert least is not None
    assert (least >= 0) == truth.intersects
    if all(oracle.kind(p) == "convex" for p in (a, b)):
        assert truth.intersects == oracle.intersects(a, b)
    if truth.intersects and all(oracle.kind(p) == "convex" for p in (a, b)):
        assert float(truth.depth) == pytest.approx(math.sqrt(least), rel=1e-12)


@pytest.mark.parametrize("seed", GENERIC)
def test_the_way_out_ends_the_overlap_and_no_shorter_one_does(seed: int) -> None:
    a, b, rng = random_pair(seed)
    a, b = shapes.convex_hull(a), shapes.convex_hull(b)
    truth = oracle.sat(a, b)
    if not truth.intersects:
        return
    depth = float(truth.depth)
    for way in truth.ways:
        x, y = map(float, way.normal)
        out = depth * (1 + 1e-9)
        assert not oracle.intersects(shapes.moved(a, x * out, y * out), b)
    for _ in range(8):
        t, shorter = rng.random() * math.tau, depth * 0.999
        near = shapes.moved(a, math.cos(t) * shorter, math.sin(t) * shorter)
        assert oracle.intersects(near, b)


@pytest.mark.parametrize("seed", GENERIC)
def test_contact_lies_on_one_shape_against_an_edge_of_the_other(seed: int) -> None:
    """On the incident shape's boundary, no farther than the depth inside the reference edge."""
    a, b, _ = random_pair(seed)
    a, b = shapes.convex_hull(a), shapes.convex_hull(b)
    truth = oracle.sat(a, b)
    for way in truth.ways if truth.intersects else []:
        assert way.contacts
        (nx, ny), depth = map(float, way.normal), float(way.depth)
        top_b = max(nx * x + ny * y for x, y in b)
        for end in (end for contact in way.contacts for end in contact):
            x, y = map(float, end)
            spot = shapely.Point(x, y)
            rims = [shapely.Polygon(p).exterior.distance(spot) for p in (a, b)]
            assert min(rims) < 1e-12
            assert -depth - 1e-12 <= nx * x + ny * y - top_b <= 1e-12


@pytest.mark.parametrize(("family", "seed"), ANY)
def test_sweep_touches_at_its_time_and_at_none_before(family: str, seed: int) -> None:
    rng = Random(seed)
    a, b = shapes.pair(rng, family)
    b = shapes.apart(rng, a, b)
    v = shapes.velocity(rng, a, b, rng.choice(shapes.VELOCITIES))
    grid = grid_of(a, b, [v])
    region_a, region_b = (rings.oriented([grid.ring(p)]) for p in (a, b))
    motion = grid.point(v)
    truth = oracle.swept_collision(a, b, v)
    assert truth.intersects == rings.regions_meet(region_a, region_b)
    first = None if truth.intersects else first_contact(region_a, region_b, motion)
    assert truth.will_intersect == (truth.intersects or first is not None)

    def meet_at(time: Fraction) -> bool:
        return rings.regions_meet(*at_time(region_a, region_b, motion, time))

    if first is not None:
        time = Fraction(*first)
        assert meet_at(time)
        assert not any(meet_at(time * part / 16) for part in range(16))
        assert not meet_at(time * (1 - Fraction(1, 2**80)))
    elif not truth.intersects:
        assert not any(meet_at(Fraction(part, 16)) for part in range(17))


@pytest.mark.parametrize(("family", "seed"), ANY)
def test_sweep_agrees_with_the_hull_of_the_motion(family: str, seed: int) -> None:
    rng = Random(seed)
    a, b = shapes.pair(rng, family)
    v = shapes.velocity(rng, a, b, rng.choice(shapes.VELOCITIES))
    truth = oracle.swept_collision(a, b, v)
    if all(oracle.kind(p) == "convex" for p in (a, b)):
        assert truth.will_intersect == (truth.clearance[0].depth >= 0)
    if truth.touches:
        for normal in truth.touches[0].normals:
            assert (
                normal[0] * Decimal(v[0]) + normal[1] * Decimal(v[1])
                <= Decimal("1e-20") * max(abs(Decimal(v[0])), abs(Decimal(v[1])))
                or len(truth.touches[0].normals) == 1
            )


# --- the checkers -------------------------------------------------------------------------------


def as_float(x: Decimal) -> float:
    return float(x)


def as_vector(v: Any, factor: Any = 1) -> np.ndarray:
    return np.array([float(factor * x) for x in v])


def right_sat(a: Any, b: Any) -> SimpleNamespace:
    truth = oracle.sat(a, b)
    way = truth.ways[0]
    return SimpleNamespace(
        intersects=truth.intersects,
        depth=float(truth.depth),
        mtv=as_vector(way.normal, truth.depth),
        normal=as_vector(way.normal),
        separation=-float(truth.depth) if truth.intersects else -float(way.depth),
        contact=np.array([as_vector(p) for p in way.contacts[0]])
        if truth.intersects
        else np.full((2, 2), math.nan),
    )


def right_sweep(a: Any, b: Any, v: Any) -> SimpleNamespace:
    truth = oracle.swept_collision(a, b, v)
    assert truth.time is not None
    assert truth.touches
    touch, way = truth.touches[0], truth.clearance[0]
    return SimpleNamespace(
        intersects=truth.intersects,
        will_intersect=truth.will_intersect,
        time=float(truth.time),
        normal=as_vector(touch.normals[0]),
        contact=np.array([as_vector(p) for p in touch.ends[0]]),
        mtv=as_vector(way.normal, way.depth),
    )


def right_circle(c: Any, r: float, p: Any) -> SimpleNamespace:
    truth = oracle.circle_polygon(c, r, p)
    near = truth.nearest[0]
    return SimpleNamespace(
        intersects=truth.intersects,
        depth=float(truth.depth),
        mtv=as_vector(near.normal, truth.depth),
        normal=as_vector(near.normal),
        closest=as_vector(near.closest),
        feature=near.feature,
        index=near.index,
        distance=float(truth.distance),
    )


def right_swept_circle(c: Any, r: float, v: Any, p: Any) -> SimpleNamespace:
    truth = oracle.swept_circle(c, r, v, p)
    assert truth.time is not None
    hit = truth.hits[0]
    return SimpleNamespace(
        intersects=truth.intersects,
        will_intersect=truth.will_intersect,
        time=float(truth.time),
        normal=as_vector(hit.normal),
        contact=np.array([as_vector(hit.contact)] * 2),
    )


def right_distance(a: Any, b: Any) -> SimpleNamespace:
    truth = oracle.distance(a, b)
    near = truth.pairs[0]
    return SimpleNamespace(
        distance=float(truth.distance),
        closest_a=as_vector(near.on_a),
        closest_b=as_vector(near.on_b),
    )


OTHER = [(1.5, 0.3), (4.0, 0.5), (3.0, 1.9)]
AWAY = [(3.5, 0.3), (6.0, 0.5), (5.0, 1.9)]
CHECKS = {
    "sat": (check.assert_sat, (SQUARE, OTHER), right_sat),
    "sat apart": (check.assert_sat, (SQUARE, AWAY), right_sat),
    "swept_collision": (check.assert_swept_collision, (SQUARE, AWAY, (3.0, 0.1)), right_sweep),
    "circle_polygon": (check.assert_circle_polygon, ((2.5, 0.7), 0.9, SQUARE), right_circle),
    "swept_circle": (
        check.assert_swept_circle,
        ((5.0, 3.0), 0.5, (-3.0, -1.5), SQUARE),
        right_swept_circle,
    ),
    "distance": (check.assert_distance, (SQUARE, AWAY), right_distance),
}


@pytest.mark.parametrize("name", CHECKS)
def test_checker_accepts_the_right_answer_and_no_field_off_by_a_billionth(name: str) -> None:
    assert_right, inputs, right = CHECKS[name]
    assert_right(*inputs, right(*inputs))
    for field, value in vars(right(*inputs)).items():
        wrong = right(*inputs)
        if isinstance(value, bool):
            off: Any = not value
        elif isinstance(value, str):
            off = {"vertex": "edge", "edge": "vertex"}[value]
        elif isinstance(value, int):
            off = value + 1
        elif isinstance(value, float):
            off = value * (1 + 1e-9) or 5e-324
        elif np.isnan(value).any() or not value.any():
            off = np.ones_like(value)
        else:
            off = value * (1 + 1e-9)
        setattr(wrong, field, off)
        with pytest.raises(AssertionError, match=r"expected"):
            assert_right(*inputs, wrong)


def test_checker_prints_inputs_in_full_precision() -> None:
    a = [(0.1, 0.0), (1.0, 0.0), (1.0, 1 / 3)]
    with pytest.raises(AssertionError) as failure:
        check.assert_intersects(np.array(a), a, result=False)
    assert repr(1 / 3) in str(failure.value)


def test_checker_wants_one_answer_not_parts_of_two() -> None:
    """Two equally good ways out: the normal of one with the translation of the other is wrong."""
    a, b = SQUARE, shapes.box(1, 1, 2, 2)
    one, two = oracle.sat(a, b).ways
    mixed = right_sat(a, b)
    mixed.normal, mixed.mtv = as_vector(one.normal), as_vector(two.normal, two.depth)
    with pytest.raises(AssertionError, match="mtv"):
        check.assert_sat(a, b, mixed)


def test_checker_takes_any_pair_of_nearest_points_of_parallel_edges() -> None:
    a, b = SQUARE, shapes.box(5, 1, 2, 2)
    result = right_distance(a, b)
    for y in (1.0, 1.37, 2.0):
        result.closest_a, result.closest_b = np.array([2.0, y]), np.array([5.0, y])
        check.assert_distance(a, b, result)
    for y, z in ((0.9, 0.9), (2.1, 2.1), (1.2, 1.3)):
        result.closest_a, result.closest_b = np.array([2.0, y]), np.array([5.0, z])
        with pytest.raises(AssertionError, match="closest"):
            check.assert_distance(a, b, result)


@pytest.mark.parametrize(
    ("got", "true", "good"),
    [
        (0.0, "0", True),
        (5e-324, "0", False),
        (5e-324, "1e-400", True),
        (0.0, "1e-400", False),
        (-5e-324, "1e-400", False),
        (math.inf, "1e309", True),
        (-math.inf, "1e309", False),
        (1.7e308, "1e309", False),
        (math.inf, "1e308", False),
        (1e-310, "1.00000000001e-310", True),
        (1.0 + 9e-11, "1", True),
        (1.0 + 2e-10, "1", False),
        (math.nan, "1", False),
    ],
)
def test_number_at_the_ends_of_the_floats(got: float, true: str, *, good: bool) -> None:
    assert accuracy.number(got, Decimal(true)) is good


def test_number_is_held_to_the_local_extent_too() -> None:
    ulp = Fraction(math.ulp(1.0))
    assert accuracy.number(1.0 + 8 * math.ulp(1.0), Decimal(1), ulp)
    assert not accuracy.number(1.0 + 9 * math.ulp(1.0), Decimal(1), ulp)


def test_one_point_must_be_given_twice_to_the_bit() -> None:
    p, ulp = (Decimal(1), Decimal(1)), Fraction(math.ulp(1.0))
    assert accuracy.ends([[1.0, 1.0], [1.0, 1.0]], (p, p), ulp)
    assert not accuracy.ends([[1.0, 1.0], [1.0, math.nextafter(1, 2)]], (p, p), ulp)


def test_the_slightly_concave_ring_decides_and_its_hull_measures() -> None:
    """A peg in the dent of an edge: it overlaps the hull, and doesn't touch the ring."""
    dent = math.nextafter(2, 0)
    dented = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, dent), (0.0, 2.0)]
    peg = [(2.0, 2.0), (3.0, 3.0), (1.0, 3.0)]
    assert oracle.kind(dented) == "rounding"
    assert not oracle.intersects(peg, dented)
    assert oracle.sat(peg, dented).intersects
    sweep = oracle.swept_collision(peg, dented, (0.0, -1.0))
    assert not sweep.intersects
    assert sweep.time is not None
    assert float(sweep.time) == 2 - dent

"""The oracle on polygons of any shape, with holes: by hand, against Shapely and by brute force."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from random import Random
from types import SimpleNamespace

import pytest
import shapely

from generators import areas, shapes
from generators.areas import Area
from reference import oracle
from reference.oracle import check, rings
from reference.oracle.contact import Corner, corner_at, normals
from reference.oracle.exact import Point
from reference.oracle.pairs import regions
from reference.oracle.sweep import at_time, first_contact

SQUARE = shapes.box(0, 0, 4, 4)
FRAME = [shapes.box(0, 0, 8, 8), shapes.box(2, 2, 4, 4)]
"""Walls of width 2 about a hole from (2, 2) to (6, 6)."""
NOTCHED = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 2.0), (0.0, 4.0)]
"""A square with a right-angled notch, open upwards, down to its middle."""
NEAR = [(family, seed) for family in areas.PAIRS for seed in range(15)]


def shapely_polygon(area: Area) -> shapely.Polygon:
    return shapely.Polygon(area[0], area[1:])


def moderate_pair(family: str, seed: int) -> tuple[Area, Area]:
    """A pair near the origin, where Shapely's rounding is harmless."""
    rng = Random(f"{family}/{seed}")
    while True:
        a, b = areas.pair(rng, family)
        if max(abs(x) for p in areas.vertices(a) + areas.vertices(b) for x in p) < 100:
            return a, b


# --- validity -----------------------------------------------------------------------------------

VALIDITY: dict[str, tuple[Area, str | None]] = {
    "square": ([SQUARE], None),
    "repeated vertices": ([[*SQUARE[:2], *SQUARE[1:], SQUARE[3], SQUARE[0]]], None),
    "collinear run": ([[(0, 0), (1, 0), (2, 0), (4, 0), (4, 4)]], None),
    "no area": ([[(0, 0), (1, 1), (2, 2)]], "no area"),
    "bow tie": ([[(0, 0), (4, 4), (4, 0), (0, 4)]], "no area"),
    "lopsided bow tie": ([[(0, 0), (4, 4), (4, 0), (0, 2)]], "a ring meets itself"),
    "vertex on vertex": (
        [[(0, 0), (4, 0), (2, 2), (4, 4), (0, 4), (2, 2)]],
        "a ring meets itself",
    ),
    "vertex on edge": ([[(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)]], "a ring meets itself"),
    "spike": ([[(0, 0), (4, 0), (4, 4), (4, 8), (4, 4), (0, 4)]], "a spike"),
    "spike along an edge": ([[(0, 0), (4, 0), (2, 0), (2, 2)]], "a spike"),
    "winding twice": ([[*SQUARE, *SQUARE]], "a ring meets itself"),
    "hole": (FRAME, None),
    "hole wound as its shell": ([FRAME[0], FRAME[1][::-1]], None),
    "hole outside": ([SQUARE, shapes.box(5, 5, 1, 1)], "a hole outside the shell"),
    "hole outside, touching": ([SQUARE, [(4, 2), (6, 1), (6, 3)]], "a hole outside the shell"),
    "hole around the shell": ([SQUARE, shapes.box(-1, -1, 9, 9)], "a hole outside the shell"),
    "hole in a hole": ([*FRAME, shapes.box(3, 3, 1, 1)], "a hole in a hole"),
    "hole around a hole": (
        [FRAME[0], shapes.box(3, 3, 1, 1), FRAME[1]],
        "a hole in a hole",
    ),
    "same hole twice": ([*FRAME, FRAME[1]], "rings share a stretch"),
    "hole crossing the shell": ([SQUARE, shapes.box(2, 2, 4, 1)], "rings cross"),
    "hole crossing at vertices": ([SQUARE, [(0, 0), (6, 2), (4, 4)]], "rings cross"),
    "holes that cross": ([*FRAME, shapes.box(1, 3, 2, 1)], "rings cross"),
    "stretch shared with the shell": ([SQUARE, shapes.box(0, 1, 1, 1)], "rings share a stretch"),
    "stretch shared by holes": ([*FRAME, shapes.box(6, 3, 1, 1)], "rings share a stretch"),
    "hole equal to the shell": ([SQUARE, SQUARE], "rings share a stretch"),
    "hole equal to the shell, reversed": ([SQUARE, SQUARE[::-1]], "rings share a stretch"),
    "hole touching an edge": ([SQUARE, [(4, 2), (2, 1), (2, 3)]], None),
    "hole touching a vertex": ([SQUARE, [(4, 4), (2, 1), (1, 2)]], None),
    "hole's edge touched by a notch": ([NOTCHED, [(1, 2), (1, 1), (3, 1), (3, 2)]], None),
    "holes touching": ([FRAME[0], [(2, 2), (4, 3), (2, 4)], [(6, 2), (6, 4), (4, 3)]], None),
    "three holes at one point": (
        [FRAME[0], [(4, 4), (6, 4), (6, 5)], [(4, 4), (4, 6), (3, 6)], [(4, 4), (2, 4), (2, 3)]],
        None,
    ),
    "two touches": ([SQUARE, [(0, 2), (2, 1), (4, 2), (2, 3)]], "the interior is cut"),
    "two touches of one edge": ([SQUARE, [(0, 1), (2, 2), (0, 3), (1, 2)]], "the interior is cut"),
    "chain of holes": (
        [SQUARE, [(0, 2), (2, 1), (2, 3)], [(2, 2), (4, 2), (3, 3)]],
        "the interior is cut",
    ),
    "chain of holes that ends": (
        [SQUARE, [(0, 2), (2, 1), (2, 3)], [(2, 2), (3, 2), (3, 3)]],
        None,
    ),
    "ring of holes": (
        [
            shapes.box(0, 0, 9, 9),
            [(2, 2), (6, 2), (4, 1)],
            [(6, 2), (7, 4), (6, 6)],
            [(6, 6), (4, 7), (2, 6)],
            [(2, 6), (1, 4), (2, 2)],
        ],
        "the interior is cut",
    ),
    "hole without area": ([SQUARE, [(1, 1), (2, 2), (3, 3)]], "no area"),
    "hole that meets itself": (
        [shapes.box(0, 0, 8, 8), [(1, 1), (5, 5), (5, 1), (1, 3)]],
        "a ring meets itself",
    ),
    "gap of an ulp": ([SQUARE, [(math.nextafter(4, 0), 2), (2, 1), (2, 3)]], None),
    "out by an ulp": ([SQUARE, [(math.nextafter(4, 9), 2), (2, 1), (2, 3)]], "rings cross"),
}


@pytest.mark.parametrize("name", VALIDITY)
def test_why_named_polygons_are_invalid(name: str) -> None:
    area, reason = VALIDITY[name]
    assert oracle.why_invalid(area) == reason
    assert shapely_polygon(area).is_valid == (reason is None)
    for other in ([ring[::-1] for ring in area], [ring[1:] + ring[:1] for ring in area]):
        assert oracle.why_invalid(other) == reason


def small_ring(rng: Random, span: int, corners: int) -> shapes.Polygon:
    return [(float(rng.randint(0, span)), float(rng.randint(0, span))) for _ in range(corners)]


def small_area(rng: Random) -> Area:
    """Small whole coordinates, valid or not: a simple shell in half of all cases."""
    shell = small_ring(rng, 6, rng.randint(3, 6))
    if rng.random() < 0.7:
        shell = rng.choice([shapes.box(0, 0, 6, 6), areas.letter(rng), areas.comb(rng)])
        shell = shapes.stretched(shell, 2.0, 2.0)
    xs, ys = zip(*shell, strict=True)
    holes = [small_ring(rng, 4, rng.choice([3, 3, 4])) for _ in range(rng.randint(0, 3))]
    at = [(rng.uniform(min(xs), max(xs) - 3), rng.uniform(min(ys), max(ys) - 3)) for _ in holes]
    return [
        shell,
        *(
            shapes.moved(h, float(round(x)), float(round(y)))
            for h, (x, y) in zip(holes, at, strict=True)
        ),
    ]


def test_small_polygons_are_valid_when_shapely_finds_them_so() -> None:
    valid_with_holes = 0
    for seed in range(5000):
        area = small_area(Random(seed))
        truth = oracle.is_valid(area)
        assert truth == shapely_polygon(area).is_valid, (seed, area, oracle.why_invalid(area))
        valid_with_holes += truth and len(area) > 1
    assert valid_with_holes > 300


def test_shapes_cut_out_of_grids_are_valid_when_shapely_finds_them_so() -> None:
    """Holes of single cells, which touch at corners and share edges."""
    for seed in range(500):
        rng = Random(seed)
        cells = [(x, y) for x in range(4) for y in range(4)]
        holes = [shapes.box(x, y, 1, 1) for x, y in rng.sample(cells, rng.randint(1, 4))]
        diamonds = [
            [(x + 0.5, y), (x + 1, y + 0.5), (x + 0.5, y + 1), (x, y + 0.5)] for (x, y), *_ in holes
        ]
        shell = rng.choice([shapes.box(0, 0, 4, 4), shapes.box(-1, -1, 6, 6)])
        for area in ([shell, *holes], [shell, *diamonds]):
            assert oracle.is_valid(area) == shapely_polygon(area).is_valid, (seed, area)


@pytest.mark.parametrize("family", areas.PAIRS)
def test_generated_areas_are_valid_as_shapely_has_it(family: str) -> None:
    for seed in range(20):
        for area in moderate_pair(family, seed):
            assert shapely_polygon(area).is_valid


# --- pairs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        (shapes.box(3, 3, 1, 1), False),  # in the hole
        (shapes.box(2, 3, 1, 1), True),  # against its rim
        (shapes.box(math.nextafter(2, 3), 3, 1, 1), False),
        (FRAME[1], True),  # fills it
        ([(2, 2), (3, 2.5), (2.5, 3)], True),  # in its corner
        (shapes.box(0.5, 0.5, 1, 1), True),  # in the wall
        (shapes.box(-1, -1, 20, 20), True),  # around everything
        (shapes.box(4, 4, 8, 1), True),  # through the wall
        (shapes.box(8, 8, 1, 1), True),  # at the outer corner
        (shapes.box(9, 9, 1, 1), False),
    ],
)
def test_a_hole_is_no_part_of_its_polygon(b: shapes.Polygon, *, expected: bool) -> None:
    assert oracle.intersects(FRAME, b) == oracle.intersects([b], FRAME) == expected


def test_a_ring_around_a_ring_meets_it_only_in_walls() -> None:
    link = [shapes.box(3, 3, 2, 2), shapes.box(3.5, 3.5, 1, 1)]
    assert not oracle.intersects(FRAME, link)
    assert oracle.intersects(FRAME, [shapes.box(1, 1, 6, 6), shapes.box(3, 3, 1, 1)])
    assert oracle.intersects(FRAME, [shapes.box(0.5, 0.5, 7, 7), shapes.box(1, 1, 6, 6)])


@pytest.mark.parametrize(("family", "seed"), NEAR)
def test_pairs_agree_with_shapely(family: str, seed: int) -> None:
    a, b = moderate_pair(family, seed)
    p, q = shapely_polygon(a), shapely_polygon(b)
    truth = oracle.distance(a, b)
    assert truth.intersects == oracle.intersects(a, b) == oracle.intersects(b, a) == p.intersects(q)
    assert float(truth.distance) == pytest.approx(p.distance(q), rel=1e-9, abs=1e-12)
    for pair in truth.pairs:
        for near, polygon in ((pair.on_a, p), (pair.on_b, q)):
            assert polygon.boundary.distance(shapely.Point(*map(float, near))) < 1e-9


@pytest.mark.parametrize("seed", range(60))
def test_grid_pairs_touch_when_shapely_finds_that_they_do(seed: int) -> None:
    for family in ("grids", "neighbours"):
        a, b = moderate_pair(family, seed)
        assert oracle.touches(a, b) == shapely_polygon(a).touches(shapely_polygon(b))


def test_distance_in_a_hole_is_to_its_rim() -> None:
    truth = oracle.distance(shapes.box(3, 3.5, 1, 1), FRAME)
    assert truth.distance == 1
    assert {(float(p.on_b[0]), float(p.on_b[1])) for p in truth.pairs} == {(2, 3.5), (2, 4.5)}


# --- circles ------------------------------------------------------------------------------------


def test_features_are_numbered_ring_by_ring() -> None:
    shell = [*FRAME[0][:2], FRAME[0][1], *FRAME[0][2:], FRAME[0][0]]  # five, and a closing one
    for hole in (FRAME[1], [*FRAME[1], FRAME[1][0]]):
        near = oracle.circle_polygon((3.0, 4.0), 0.5, [shell, hole])
        assert not near.intersects
        assert near.distance == Decimal("0.5")
        assert [(n.feature, n.index) for n in near.nearest] == [("edge", 8)]
        assert tuple(map(float, near.nearest[0].normal)) == (1, 0)
    corner = oracle.circle_polygon((2.5, 2.5), 0.1, [shell, FRAME[1]])
    assert {(n.feature, n.index) for n in corner.nearest} == {("edge", 8), ("edge", 5)}
    outside = oracle.circle_polygon((9.0, 9.0), 0.1, [shell, FRAME[1]])
    assert {(n.feature, n.index) for n in outside.nearest} == {("vertex", 3)}


def test_a_circle_on_a_rim_is_pushed_into_the_hole() -> None:
    on_edge = oracle.circle_polygon((2.0, 4.0), 1.0, FRAME)
    assert (on_edge.depth, on_edge.distance) == (1, 0)
    assert tuple(map(float, on_edge.nearest[0].normal)) == (1, 0)
    on_corner = oracle.circle_polygon((2.0, 2.0), 1.0, FRAME)
    half = math.sqrt(0.5)
    assert tuple(map(float, on_corner.nearest[0].normal)) == pytest.approx((half, half))
    in_wall = oracle.circle_polygon((1.5, 4.0), 0.25, FRAME)
    assert in_wall.depth == Decimal("0.75")
    assert tuple(map(float, in_wall.nearest[0].normal)) == (1, 0)


def test_a_circle_in_a_notch_has_both_sides_nearest() -> None:
    near = oracle.circle_polygon((2.0, 3.0), 0.5, NOTCHED)
    assert {(n.feature, n.index) for n in near.nearest} == {("edge", 2), ("edge", 3)}
    deep = oracle.circle_polygon((2.0, 2.0), 0.5, NOTCHED)
    assert {(n.feature, n.index) for n in deep.nearest} == {("vertex", 3)}
    assert tuple(map(float, deep.nearest[0].normal)) == pytest.approx((0, 1))


def test_a_ray_leaves_a_hole_through_its_rim() -> None:
    hit = oracle.swept_circle((4.0, 4.0), 0.0, (8.0, 0.0), FRAME)
    assert (hit.intersects, hit.time) == (False, Decimal("0.25"))
    assert tuple(map(float, hit.hits[0].normal)) == (-1, 0)
    round_hit = oracle.swept_circle((4.0, 4.0), 1.0, (0.0, 1.0), FRAME)
    assert round_hit.time == 1
    assert oracle.swept_circle((4.0, 4.0), 1.0, (0.0, math.nextafter(1, 0)), FRAME).time is None


@pytest.mark.parametrize(("family", "seed"), NEAR)
def test_circles_agree_with_shapely(family: str, seed: int) -> None:
    rng = Random(seed)
    area, _ = moderate_pair(family, seed)
    (x, y), radius = areas.circle(rng, area, "generic")
    p, c = shapely_polygon(area), shapely.Point(x, y)
    truth = oracle.circle_polygon((x, y), radius, area)
    signed = -p.boundary.distance(c) if p.contains(c) else p.distance(c)
    assert float(truth.depth) == pytest.approx(max(radius - signed, 0), abs=1e-12)
    assert float(truth.distance) == pytest.approx(max(signed - radius, 0), abs=1e-12)
    v = areas.velocity(rng, [[(x, y)]], area, rng.choice(["random", "half"]))
    swept = oracle.swept_circle((x, y), radius, v, area)
    path = shapely.LineString([(x, y), (x + v[0], y + v[1])])
    if abs(float(swept.margin)) > 1e-12:
        assert (swept.time is not None) == (p.distance(path) <= radius)
    if swept.time:
        t = float(swept.time)
        assert p.distance(shapely.Point(x + v[0] * t, y + v[1] * t)) == pytest.approx(
            radius, abs=1e-9
        )


# --- sweeps -------------------------------------------------------------------------------------


def touches_of(a: Area, b: Area, v: shapes.Point) -> set[tuple[object, ...]]:
    """The first contacts in floats: ends, and normal."""
    truth = oracle.swept_collision(a, b, v)
    return {
        (tuple(map(float, p)), tuple(map(float, q)), *(round(float(x), 12) for x in n))
        for touch in truth.touches
        for p, q in touch.ends
        for n in touch.normals
    }


HALF = round(math.sqrt(0.5), 12)


@pytest.mark.parametrize(
    ("a", "b", "v", "time", "expected"),
    [
        # Out of the hole: flush with the rim.
        ([shapes.box(3, 3, 2, 1)], FRAME, (4, 0), "1/4", {((6, 3), (6, 4), -1, 0)}),
        # Out of the hole with a corner.
        ([[(4, 3), (5, 4), (4, 5), (3, 4)]], FRAME, (2, 0), "1/2", {((6, 4), (6, 4), -1, 0)}),
        # A tip against an edge, then into a notch.
        ([[(1, 6), (2, 4), (3, 6)]], [NOTCHED], (0, -4), "1/2", {((2, 2), (2, 2), 0, 1)}),
        # A corner that fits its notch: each side, and the corner.
        (
            [[(2, 4), (4, 6), (0, 6)]],
            [NOTCHED],
            (0, -2),
            "1",
            {
                ((0, 4), (2, 2), HALF, HALF),
                ((2, 2), (4, 4), -HALF, HALF),
                ((2, 2), (2, 2), 0, 1),
            },
        ),
        # The same with the notch moving.
        ([NOTCHED], [[(2, 4), (4, 6), (0, 6)]], (0, 4), "1/2", None),
        # Corner to corner: any normal between up and left will do for both.
        ([shapes.box(-4, 4, 2, 2)], [SQUARE], (4, 0), "1/2", {((0, 4), (0, 4), -HALF, HALF)}),
        # Two teeth at once on one edge are two places.
        (
            [[(0, 6), (1, 6), (1, 5), (3, 5), (3, 6), (4, 6), (4, 8), (0, 8)][::-1]],
            [shapes.box(-1, 0, 6, 3)],
            (0, -4),
            "1/2",
            {((1, 3), (3, 3), 0, 1)},
        ),
        (
            [[(0, 5), (1, 5), (1, 6), (3, 6), (3, 5), (4, 5), (4, 8), (0, 8)]],
            [shapes.box(-1, 0, 6, 3)],
            (0, -4),
            "1/2",
            {((0, 3), (1, 3), 0, 1), ((3, 3), (4, 3), 0, 1)},
        ),
        # Edges cut by vertices along them touch as if they weren't.
        (
            [[(0, 5), (1, 5), (4, 5), (4, 8), (0, 8)]],
            [[(-1, 0), (5, 0), (5, 3), (3, 3), (2, 3), (-1, 3)]],
            (0, -2),
            "1",
            {((0, 3), (4, 3), 0, 1)},
        ),
        # Through a thin wall.
        ([shapes.box(0, 0, 1, 1)], [shapes.box(9, -9, 2**-40, 99)], (900, 0), "8/900", None),
    ],
)
def test_first_contacts_by_hand(
    a: Area, b: Area, v: shapes.Point, time: str, expected: set[object] | None
) -> None:
    truth = oracle.swept_collision(a, b, v)
    assert not truth.intersects
    n, d = Fraction(time).as_integer_ratio()
    assert truth.time == Decimal(n) / d or abs(truth.time * d / n - 1) < Decimal("1e-25")
    if expected is not None:
        assert touches_of(a, b, v) == {(*e[:2], *map(float, e[2:])) for e in expected}
    back = oracle.swept_collision(b, a, (-v[0], -v[1]))
    assert back.time == truth.time


def test_holes_let_shapes_start_and_stay_within() -> None:
    inner = [shapes.box(3, 3, 2, 2)]
    assert oracle.swept_collision(inner, FRAME, (0.5, 0.5)).time is None
    assert oracle.swept_collision(inner, FRAME[:1], (0.5, 0.5)).time == 0
    assert oracle.swept_collision(inner, FRAME, (0.0, 0.0)).time is None
    assert oracle.swept_collision(inner, FRAME, (1.0, 0.0)).time == 1
    assert oracle.swept_collision(inner, FRAME, (math.nextafter(1, 0), 0.0)).time is None
    fits = [shapes.box(2, 2, 4, 4)]
    assert oracle.swept_collision(fits, FRAME, (1.0, 0.0)).intersects


def test_a_peg_slides_through_a_slot_that_is_an_ulp_wider() -> None:
    wide = math.nextafter(1.0, 2.0)
    slot = [(-1.0, 0.0), (3.0, 0.0), (3.0, 5.0), (wide, 5.0), (wide, 1.0), (0.0, 1.0)]
    slot += [(0.0, 5.0), (-1.0, 5.0)]
    for left, right, time in ((0, 1, "0.25"), (2**-53, 1, "0.5"), (2**-53, wide, "0.25")):
        peg = [(left, 9.0), (right, 9.0), (right, 10.0), (left, 10.0)]
        assert oracle.swept_collision([peg], [slot], (0.0, -16.0)).time == Decimal(time)


@pytest.mark.parametrize(("family", "seed"), NEAR)
def test_sweep_touches_at_its_time_and_at_none_before(family: str, seed: int) -> None:
    rng = Random(seed)
    a, b = areas.pair(rng, family)
    if oracle.intersects(a, b):
        b = areas.apart(rng, a, b)
    v = areas.velocity(rng, a, b, rng.choice(areas.VELOCITIES))
    _, region_a, region_b = regions(a, b)
    truth = oracle.swept_collision(a, b, v)
    grid, *_ = regions([*a, [v]], b)
    region_a, region_b = (rings.oriented(grid.rings(area)) for area in (a, b))
    motion = grid.point(v)
    first = None if truth.intersects else first_contact(region_a, region_b, motion)
    assert truth.will_intersect == (truth.intersects or first is not None)

    def meet_at(time: Fraction) -> bool:
        return rings.regions_meet(*at_time(region_a, region_b, motion, time))

    if first is not None:
        time = Fraction(*first)
        assert meet_at(time)
        assert not any(meet_at(time * part / 8) for part in range(8))
        assert not meet_at(time * (1 - Fraction(1, 2**80)))
        assert all(touch.normals for touch in truth.touches[:1])
    elif not truth.intersects:
        assert not any(meet_at(Fraction(part, 8)) for part in range(9))


@pytest.mark.parametrize(("family", "seed"), NEAR)
def test_normals_run_from_b_to_a(family: str, seed: int) -> None:
    """A step of a along the normal of its only contact separates the shapes."""
    rng = Random(seed)
    a, b = areas.pair(rng, family)
    if oracle.intersects(a, b):
        b = areas.apart(rng, a, b)
    v = areas.velocity(rng, a, b, rng.choice(["half", "arrive", "through", "random", "slide"]))
    truth = oracle.swept_collision(a, b, v)
    if truth.intersects or not truth.touches or len(truth.touches) > 1:
        return
    (normal,) = truth.touches[0].normals
    assert truth.time is not None
    time, step = Fraction(truth.time), Fraction(areas.size(a, b)) / 2**40
    x, y = (Fraction(u) * time + Fraction(n) * step for u, n in zip(v, normal, strict=True))
    one, other = regions(a, b)[1:]
    unit = regions(a, b)[0].number(1.0) if regions(a, b)[0].shift >= 0 else 1
    parted = [[(p + x * unit, q + y * unit) for p, q in ring] for ring in one]
    assert not rings.regions_meet(parted, other)


# --- corners ------------------------------------------------------------------------------------


def test_rings_that_touch_have_a_corner_on_either_side() -> None:
    """A hole with its tip on the shell's right edge: outside an edge, inside a notch."""
    region = rings.oriented([[(0, 0), (4, 0), (4, 4), (0, 4)], [(4, 2), (2, 1), (2, 3)]])
    outer, inner = (corner_at((4, 2), region, toward) for toward in ((1, 0), (-1, 0)))
    assert not outer.is_notch
    assert rings.cross(outer.before, outer.after) == 0
    assert rings.dot(outer.before, (1, 0)) > 0
    assert inner.is_notch


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (Corner((0, -1), (0, -1)), Corner((1, 0), (0, 1)), (0, 1)),  # an edge on a corner
        (Corner((-1, -1), (1, -1)), Corner((-1, 1), (1, 1)), (0, 1)),  # a tip in a notch
        (Corner((-1, -1), (1, -1)), Corner((-1, -1), (1, -1)), None),  # overlap
        (Corner((-1, -2), (1, -2)), Corner((1, 1), (-1, 1)), (0, 1)),  # tip on tip
        (Corner((0, -1), (1, 0)), Corner((0, 1), (-1, 0)), (-HALF, HALF)),
    ],
)
def test_normals_of_two_corners(a: Corner, b: Corner, expected: Point | None) -> None:
    found = [tuple(map(float, n)) for n in normals(a, b)]
    assert found == ([] if expected is None else [pytest.approx(expected)])


# --- the checkers -------------------------------------------------------------------------------

TEETH = [(0, 5), (1, 5), (1, 6), (3, 6), (3, 5), (4, 5), (4, 8), (0, 8)]
FLOOR = shapes.box(-1, 0, 6, 3)


def sweep_result(**changed: object) -> SimpleNamespace:
    """The expected result for two teeth that reach the floor, with some fields changed."""
    right = {
        "intersects": False,
        "will_intersect": True,
        "time": 0.5,
        "normal": [0.0, 1.0],
        "contact": [[0.0, 3.0], [1.0, 3.0]],
        "mtv": [math.nan, math.nan],
    }
    return SimpleNamespace(**(right | changed))


@pytest.mark.parametrize("contact", [[[0, 3], [1, 3]], [[1, 3], [0, 3]], [[3, 3], [4, 3]]])
def test_checker_takes_any_place_of_a_contact(contact: list[list[float]]) -> None:
    check.assert_swept_collision([TEETH], [FLOOR], (0, -4), sweep_result(contact=contact))


@pytest.mark.parametrize(
    "wrong",
    [
        {"contact": [[0.0, 3.0], [4.0, 3.0]]},  # the ends of two places
        {"contact": [[0.0, 3.0], [0.0, 3.0]]},  # half of one
        {"contact": [[1.0, 3.0], [3.0, 3.0]]},  # where they don't touch
        {"normal": [0.0, -1.0]},
        {"normal": [0.0, 0.0]},
        {"time": math.nextafter(0.5, 0) - 1e-10},
        {"mtv": [0.0, 0.0]},  # of convex shapes only
        {"intersects": True},
        {"will_intersect": False},
    ],
)
def test_checker_refuses_any_wrong_field(wrong: dict[str, object]) -> None:
    with pytest.raises(AssertionError, match="expected"):
        check.assert_swept_collision([TEETH], [FLOOR], (0, -4), sweep_result(**wrong))


def test_checker_wants_normal_and_ends_of_the_same_place() -> None:
    """A corner that fits its notch touches both sides; each has its own normal."""
    wedge = [[(2, 4), (4, 6), (0, 6)]]
    for normal, end, good in (
        ((HALF, HALF), (0.0, 4.0), True),
        ((-HALF, HALF), (4.0, 4.0), True),
        ((-HALF, HALF), (0.0, 4.0), False),
        ((0.0, 1.0), (2.0, 2.0), True),
        ((0.0, 1.0), (4.0, 4.0), False),
    ):
        normal = tuple(math.copysign(math.sqrt(0.5), x) if abs(x) == HALF else x for x in normal)
        result = sweep_result(time=1.0, normal=normal, contact=[[2.0, 2.0], end])
        if good:
            check.assert_swept_collision(wedge, [NOTCHED], (0, -2), result)
        else:
            with pytest.raises(AssertionError, match="contact"):
                check.assert_swept_collision(wedge, [NOTCHED], (0, -2), result)


def test_checker_wants_nothing_but_the_time_of_concave_shapes_that_overlap() -> None:
    nothing = {"normal": [0.0, 0.0], "contact": [[math.nan] * 2] * 2, "time": 0.0}
    result = sweep_result(intersects=True, **nothing)
    check.assert_swept_collision([NOTCHED], FRAME, (1, 0), result)
    result.contact = [[0.0, 0.0], [0.0, 0.0]]
    with pytest.raises(AssertionError, match="contact"):
        check.assert_swept_collision([NOTCHED], FRAME, (1, 0), result)

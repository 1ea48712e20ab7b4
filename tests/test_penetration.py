"""`penetration`: the shortest way apart of any two polygons."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext
from random import Random
from typing import Any

import carom
import numpy as np
import pytest
import shapely

from generators import areas, kinds, shapes
from helpers import assert_row_is_scalar, assert_scalar_types, bits
from reference.oracle.kinds import Shape
from reference.oracle.penetration import assert_along, assert_penetration

SQUARE = shapes.box(0, 0, 2, 2)
ELL = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)]
FRAME = [shapes.box(0, 0, 10, 10), shapes.box(4, 4, 2, 2)]
CUP = [
    *((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (3.0, 4.0)),
    *((3.0, 1.0), (1.0, 1.0), (1.0, 4.0), (0.0, 4.0)),
]
"""Open at the top: its notch is 2 wide, from y = 1 up."""
FAMILIES = ("grids", "notched", "in_hole", "neighbours", "alike", "interlocked", "generic")


def polygon(*parts: Any) -> Shape:
    """Of rings, or of one ring alone."""
    return Shape("polygon", [[p] if isinstance(p[0], tuple) else p for p in parts])


def checked(a: Shape, b: Shape) -> Any:
    got = carom.penetration(kinds.row(a), kinds.row(b))
    assert_penetration(a, b, got)
    return got


def checked_along(a: Shape, b: Shape, direction: tuple[float, float]) -> Any:
    got = carom.penetration(kinds.row(a), kinds.row(b), direction=direction)
    assert_along(a, b, direction, got)
    return got


# --- what it is ---------------------------------------------------------------------------------


def test_types_and_truth() -> None:
    result = carom.penetration(ELL, shapes.moved(ELL, 0.5, 0.5))
    assert_scalar_types(result, intersects=bool, depth=float, mtv=np.ndarray, normal=np.ndarray)
    assert result
    assert not carom.penetration(ELL, shapes.moved(ELL, 9, 9))


def test_hooked_brackets_come_apart_the_short_way() -> None:
    other = [(4 - x, 4 - y) for x, y in ELL]
    got = checked(polygon(ELL), polygon(shapes.moved(other, -1.5, -1.25)))
    assert got.mtv.tolist() == [0.0, -1.25]


def test_combs_slide_into_each_others_gaps() -> None:
    """The teeth are as wide as the gaps; leaving one tooth by more would enter the next."""
    below = [*((0.0, 0.0), (5.0, 0.0), (5.0, 3.0), (4.0, 3.0), (4.0, 1.0), (3.0, 1.0))]
    below += [*((3.0, 3.0), (2.0, 3.0), (2.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0))]
    above = [(x + 0.625, 5 - y) for x, y in below]
    got = checked(polygon(above), polygon(below))
    assert got.mtv.tolist() == [0.375, 0.0]
    lower = shapes.moved(above, 0.0, -1.5)
    assert checked(polygon(lower), polygon(below)).depth == pytest.approx(math.hypot(0.375, 0.5))


def test_touching_and_apart_is_depth_0_with_a_normal_of_zero() -> None:
    inner = shapes.moved(ELL, 1, 1)
    for other in (inner, shapes.moved(ELL, 3, 0), shapes.moved(ELL, 3, 3), shapes.moved(ELL, 9, 9)):
        got = checked(polygon(ELL), polygon(other))
        assert (got.depth, got.normal.tolist()) == (0.0, [0.0, 0.0])
        assert got.intersects == carom.intersects(ELL, other)


def test_one_ulp_of_overlap_is_that_ulp() -> None:
    step = math.ulp(2.0)
    for far in (0.0, 2.0**20, -(2.0**30)):
        unit = math.ulp(abs(far) + 4) if far else step
        a, b = shapes.moved(ELL, far, far), shapes.moved(ELL, far + 3 - unit, far)
        got = checked(polygon(a), polygon(b))
        assert got.depth == unit
        assert got.mtv.tolist() == [-unit, 0.0]


def test_identical_shapes_come_apart() -> None:
    for ring in (ELL, CUP, areas.comb(Random(3), teeth=3)):
        checked(polygon(ring), polygon(ring))
    checked(polygon(FRAME), polygon(FRAME))


def test_nested_shapes_leave_on_the_near_side() -> None:
    small = [(x / 8 + 0.125, y / 8 + 1.0) for x, y in ELL]
    got = checked(polygon(small), polygon(shapes.stretched(ELL, 2.0, 2.0)))
    assert got.mtv.tolist() == [-0.5, 0.0]


# --- exact fits ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dx", [0.5, -1.0, 1.75])
def test_a_peg_that_fits_its_hole_is_led_there(dx: float) -> None:
    peg = shapes.box(4 + dx, 4 + dx / 2, 2, 2)
    got = checked(polygon(peg), polygon(FRAME))
    assert got.mtv.tolist() == [-dx, -dx / 2]


def test_a_peg_one_ulp_too_wide_does_not_go_into_the_hole() -> None:
    x, y = 4.5, 4.25
    wide = [(x, y), (math.nextafter(x + 2, 9), y), (math.nextafter(x + 2, 9), y + 2), (x, y + 2)]
    got = checked(polygon(wide), polygon(FRAME))
    assert got.depth > 3
    narrow = [(x, y), (math.nextafter(x + 2, 0), y), (math.nextafter(x + 2, 0), y + 2), (x, y + 2)]
    got = checked(polygon(narrow), polygon(FRAME))
    assert got.depth == pytest.approx(math.hypot(0.5, 0.25), rel=1e-12)


def test_a_peg_of_any_shape_fits_a_hole_of_that_shape() -> None:
    rng = Random(11)
    for _ in range(8):
        ring = areas.outline({(0, 0), (1, 0), (0, 1), (rng.choice([2, 1]), 0)})
        assert ring
        hole = shapes.moved(ring[0], 3, 3)
        plate = [shapes.box(0, 0, 9, 9), hole]
        by = rng.choice([(0.25, 0.125), (-0.5, 0.25), (0.0, 0.375)])
        got = checked(polygon(shapes.moved(hole, *by)), polygon(plate))
        assert got.mtv.tolist() == [-by[0], -by[1]]


def test_a_slit_of_the_width_of_the_blade_takes_it() -> None:
    blade = shapes.box(1.25, 2, 2, 9)
    got = checked(polygon(blade), polygon(CUP))
    assert got.mtv.tolist() == [-0.25, 0.0]
    thick = [(1.25, 2), (math.nextafter(3.25, 9), 2), (math.nextafter(3.25, 9), 11), (1.25, 11)]
    got = checked(polygon(thick), polygon(CUP))
    assert got.mtv.tolist() == [0.0, 2.0]


def test_a_hole_that_admits_the_peg_only_sideways_is_entered_so() -> None:
    """An undercut: the bar fits the hole, but the way there is over the frame."""
    keyhole = [shapes.box(0, 0, 12, 6), [(2.0, 2.0), (9.0, 2.0), (9.0, 3.0), (2.0, 3.0)]]
    got = checked(polygon(shapes.box(2.5, 2.5, 7, 1)), polygon(keyhole))
    assert got.mtv.tolist() == [-0.5, -0.5]


def test_a_shape_of_several_parts_fits_several_holes() -> None:
    plate = [shapes.box(0, 0, 12, 5), shapes.box(2, 2, 1, 1), shapes.box(8, 2, 1, 1)]
    pins = polygon(shapes.box(2.25, 2.125, 1, 1), shapes.box(8.25, 2.125, 1, 1))
    assert checked(pins, polygon(plate)).mtv.tolist() == [-0.25, -0.125]
    apart = polygon(shapes.box(2.25, 2.125, 1, 1), shapes.box(8.5, 2.125, 1, 1))
    assert checked(apart, polygon(plate)).depth > 1


# --- random shapes ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_random_grid_polygons(seed: int) -> None:
    rng = Random(f"penetration {seed}")
    a, b = (kinds.shape(rng, 4, rng.choice(["polygon", "multipolygon"]), 0.0) for _ in "ab")
    checked(a, b)
    way = (0.0, 0.0)
    while way == (0.0, 0.0):
        way = kinds.velocity(rng)
    checked_along(a, b, way)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_random_areas(family: str) -> None:
    count = 0
    for seed in range(400):
        rng = Random(f"{family} {seed}")
        a, b = areas.pair(rng, family)
        if len(areas.vertices(a)) + len(areas.vertices(b)) > 22 or not areas.usable(a, b):
            continue
        checked(polygon(a), polygon(b))
        checked_along(polygon(a), polygon(b), (rng.uniform(-1, 1), rng.uniform(-1, 1)))
        count += 1
        if count == 5:
            break
    assert count


def union(a: Any, b: Any) -> Any:
    """Shapely's union of the Minkowski differences of all pairs of convex pieces."""
    pieces = [carom.convex_parts(it) for it in (a, b)]
    hulls = [(q[:, None] - p[None]).reshape(-1, 2) for p in pieces[0] for q in pieces[1]]
    return shapely.union_all([shapely.MultiPoint(hull).convex_hull for hull in hulls])


def star(rng: Random, vertices: int, x: float, y: float) -> Any:
    angles = np.arange(vertices) * (2 * np.pi / vertices)
    radii = np.array([rng.uniform(0.4, 1) for _ in angles])
    return np.stack([x + radii * np.cos(angles), y + radii * np.sin(angles)], axis=-1)


def test_random_stars_against_the_union_of_all_differences() -> None:
    rng = Random(5)
    for _ in range(25):
        a = star(rng, rng.choice([8, 16, 32]), 0.0, 0.0)
        b = star(rng, rng.choice([8, 16, 24]), rng.uniform(-1.4, 1.4), rng.uniform(-1.4, 1.4))
        region, got = union(a, b), carom.penetration(a, b)
        origin = shapely.Point(0, 0)
        depth = region.boundary.distance(origin) if region.contains(origin) else 0.0
        assert got.depth == pytest.approx(depth, abs=1e-9)


# --- no shorter way -----------------------------------------------------------------------------

ANGLES = np.arange(720) * (2 * np.pi / 720)
WAYS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=-1)


def assert_none_shorter(a: Any, b: Any) -> Any:
    """Evenly spread directions, and those that lead a vertex to a vertex, where an exact fit lies,
    leave the overlap no sooner; by Shapely the interiors meet after every shorter translation."""
    columns = carom.Shapes([a]), carom.Shapes([b])
    (one,), (other,) = (it.to_shapely() for it in columns)
    got = carom.penetration(one, other)
    assert got.depth > 0
    p, q = (np.unique(shapely.get_coordinates(it), axis=0) for it in (one, other))
    fits = (q[:, None] - p).reshape(-1, 2)
    length = np.hypot(*fits.T)
    fits = fits[(length > 0) & (length < got.depth)]
    ways = np.vstack([WAYS, fits[:: len(fits) // 4000 + 1]])
    slides = carom.penetration_batch(*columns, direction=ways, fields=("depth",)).depth
    assert slides.min() >= got.depth * (1 - 1e-9), (a, b, ways[slides.argmin()])
    for share in (0.4, 0.8, 0.999):
        shifts = share * got.depth * WAYS
        copies = np.full(len(WAYS), one)
        xy = shapely.get_coordinates(copies) + shifts.repeat(shapely.get_num_coordinates(one), 0)
        moved = shapely.set_coordinates(copies, xy)
        meet = shapely.relate_pattern(moved, other, "T********")
        assert meet.all(), (a, b, shifts[~meet][0])
    rest = carom.penetration(shapely.transform(one, lambda xy: xy + got.mtv), other).depth
    assert rest < 1e-12, (a, b)
    return got


def arm(thickness: float) -> Any:
    """A spiral of 160 vertices and three windings, that fits between those of itself turned by half
    a turn; the gap is as wide as what the thickness leaves of pi."""
    angles = np.linspace(3.0, 3.0 + 6 * np.pi, 80)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    inner, outer = (rays * (angles + side)[:, None] for side in (-thickness / 2, thickness / 2))
    return np.vstack([inner, outer[::-1]])


@pytest.mark.parametrize("seed", range(12))
def test_interlocked_spirals_come_apart_the_shortest_way(seed: int) -> None:
    ring = areas.spiral(Random(seed))
    assert_none_shorter(ring, [(-x + 0.3, -y + 0.2) for x, y in ring])


@pytest.mark.slow
@pytest.mark.parametrize("thickness", [2.0, 2.8])
def test_arms_of_round_spirals_come_apart_the_shortest_way(thickness: float) -> None:
    """At the latest back where they interlock."""
    ring = arm(thickness)
    assert not carom.penetration(ring, -ring)
    for by in ((2.0, 0.5), (-0.5, 2.75), (4.0, -3.0), (-12.0, 5.0)):
        assert assert_none_shorter(ring, by - ring).depth < math.hypot(*by)


@pytest.mark.slow
@pytest.mark.parametrize("vertices", [64, 96, 128, 200])
def test_no_way_out_of_large_stars_is_shorter(vertices: int) -> None:
    rng = Random(vertices)
    for far in (0.0, 0.5, 1.0, 1.25):
        a = star(rng, vertices, 0.0, 0.0)
        b = star(rng, rng.choice([64, 100, 200]), far * rng.uniform(0.8, 1), far * 0.3)
        assert_none_shorter(a, b)


def tangle(rng: Random, unit: float) -> Any:
    """A polygon of 64 to 250 vertices with several holes: thin triangles, one over the other, with
    coordinates that are multiples of a unit."""
    while True:
        middles = np.array([(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(30)])
        tips = [[(rng.gauss(0, 0.35), rng.gauss(0, 0.35)) for _ in range(3)] for _ in middles]
        rings = middles[:, None] + np.array(tips)
        whole = shapely.union_all(shapely.polygons(rings), grid_size=unit)
        polygon = max(shapely.get_parts(whole), key=shapely.get_num_coordinates)
        count = shapely.get_num_coordinates(polygon) - shapely.get_num_interior_rings(polygon) - 1
        if 64 <= count <= 250 and shapely.get_num_interior_rings(polygon) >= 3:
            return polygon


@pytest.mark.slow
@pytest.mark.parametrize("unit", [2.0**-30, 2.0**-5])
@pytest.mark.parametrize("seed", range(6))
def test_no_way_out_of_large_polygons_with_holes_is_shorter(seed: int, unit: float) -> None:
    """With coordinates on a coarse grid many translations fit exactly."""
    rng = Random(f"tangle {seed}")
    a, b = tangle(rng, unit), tangle(rng, unit)
    by = (rng.randint(-16, 16) / 16, rng.randint(-16, 16) / 16)
    assert_none_shorter(shapely.transform(a, lambda xy: xy + by), b)


@pytest.mark.parametrize("holes", [3, 6])
def test_no_way_from_hole_to_hole_of_a_grate_is_shorter(holes: int) -> None:
    """A small notched part fits each hole, the next of which is at most 2.74 away."""
    rng = Random(holes)
    grate = [shapes.box(0, 0, 4 * holes, 4 * holes)]
    grate += [shapes.box(4 * x + 1, 4 * y + 1, 2, 2) for x in range(holes) for y in range(holes)]
    part = shapes.stretched(ELL, 0.625, 0.625)
    overlapping = 0
    for _ in range(4):
        x, y = (4 * rng.randrange(holes) + rng.randrange(32) / 8 for _ in "xy")
        if carom.penetration(moved := shapes.moved(part, x, y), grate).depth:
            assert assert_none_shorter(moved, grate).depth < 2.75
            overlapping += 1
    assert overlapping > 0


# --- along a direction --------------------------------------------------------------------------


def test_the_length_of_the_direction_plays_no_part() -> None:
    a, b = shapes.moved(ELL, 0.25, 0.25), CUP
    for length in (1.0, 1e-300, 1e300, 5e-324, 3.5):
        got = checked_along(polygon(a), polygon(b), (length, 0.0))
        assert got.depth == got.mtv[0]
        assert got.normal.tolist() == [1.0, 0.0]


@pytest.mark.slow
@pytest.mark.parametrize("power", [-1000, -600, -300, 0, 300, 600, 1000])
def test_directions_of_any_length_lead_shapes_of_any_size_out(power: int) -> None:
    """The time of the way out, 2^-2000 to 2^2000, is often no float."""
    factor = 2.0**power
    for length in (-1000, -600, -300, 0, 300, 600, 1000):
        for x, y in ((0.5, 1.0), (1.0, 0.25), (-1.0, 2.0**-50), (1.0, 1.0)):
            way = x * 2.0**length, y * 2.0**length
            for one, other in ((shapes.moved(ELL, 0.25, 0.5), CUP), (SQUARE, SQUARE)):
                a, b = (shapes.stretched(it, factor, factor) for it in (one, other))
                checked_along(polygon(a), polygon(b), way)


def test_a_way_out_longer_than_the_largest_float_times_the_size_ends() -> None:
    square = shapes.box(0, 0, 1e-14, 1e-14)
    got = checked_along(polygon(square), polygon(square), (1e308, 1e308))
    assert got.mtv.tolist() == [1e-14, 1e-14]
    a, b = (shapes.stretched(it, 1e-20, 1e-20) for it in (shapes.moved(ELL, 0.25, 0.5), CUP))
    checked_along(polygon(a), polygon(b), (1e308, 3e307))


def test_a_gap_that_fits_exactly_ends_the_way() -> None:
    """Intervals of overlap (0, 1) and (1, 2) leave 1."""
    walls = polygon(shapes.box(0, 0, 1, 4), shapes.box(3, 0, 1, 4))
    got = checked_along(polygon(shapes.box(-0.5, 1, 2, 1)), walls, (1.0, 0.0))
    assert got.mtv.tolist() == [1.5, 0.0]
    wider = [(-0.5, 1), (math.nextafter(1.5, 2), 1), (math.nextafter(1.5, 2), 2), (-0.5, 2)]
    got = checked_along(polygon(wider), walls, (1.0, 0.0))
    assert got.mtv.tolist() == [4.5, 0.0]


def test_a_direction_of_disjoint_interiors_gives_depth_0_and_the_unit_vector() -> None:
    for other in (shapes.moved(ELL, 1, 1), shapes.moved(ELL, 9, 9)):
        got = checked_along(polygon(ELL), polygon(other), (3.0, 4.0))
        assert (got.depth, got.mtv.tolist()) == (0.0, [0.0, 0.0])
        assert got.normal.tolist() == [0.6, 0.8]


def test_convex_shapes_along_a_direction() -> None:
    got = carom.penetration(SQUARE, shapes.box(1, 1, 4, 4), direction=(1.0, 1.0))
    assert got.mtv.tolist() == [5.0, 5.0]
    circle = carom.Shapes.from_points([(0.0, 0.0)], radius=2.0)
    wall = shapes.box(1, -9, 1, 18)
    got = carom.penetration(circle, wall, direction=(-1.0, 0.0))
    assert got.mtv.tolist() == [-1.0, 0.0]
    assert carom.penetration(circle, wall, direction=(1.0, 0.0)).mtv.tolist() == [4.0, 0.0]
    got = carom.penetration(circle, wall, direction=(1.0, 0.0), margin=0.5)
    assert got.mtv.tolist() == [4.5, 0.0]
    other = carom.Shapes.from_points([(0.0, 3.0)], radius=3.0)
    got = carom.penetration(circle, other, direction=(1.0, 0.0))
    assert got.mtv.tolist() == [4.0, 0.0]
    assert carom.penetration(circle, wall, direction=(-1, 0), margin=0.25).depth == 1.25


def test_convex_shapes_without_interior_along_a_direction() -> None:
    bar, post = shapely.LineString([(-1, 0), (1, 0)]), shapely.LineString([(0, -1), (0, 3)])
    got = carom.penetration(bar, post, direction=(0.0, 1.0))
    assert got.mtv.tolist() == [0.0, 3.0]
    inside = carom.penetration(shapely.Point(0.5, 1), SQUARE, direction=(1, 1))
    assert inside.mtv.tolist() == [1.0, 1.0]
    assert carom.penetration(bar, bar, direction=(1.0, 0.0)).depth == 0.0
    assert carom.penetration(shapely.Point(1, 1), shapely.Point(1, 1), direction=(1, 0)).depth == 0


@pytest.mark.parametrize("seed", range(40))
def test_rounded_shapes_along_a_direction_end_at_the_radius(seed: int) -> None:
    rng = Random(seed)
    a, b = kinds.convex(rng, radius=0.5), kinds.convex(rng, radius=rng.choice([0.0, 0.75]))
    way = rng.uniform(-1, 1), rng.uniform(-1, 1)
    left, right = kinds.row(a), kinds.row(b)
    got = carom.penetration(left, right, direction=way)
    least = carom.penetration(left, right)
    assert (got.depth > 0) == (least.depth > 0)
    assert got.depth >= least.depth * (1 - 1e-12)
    if got.depth:
        core_a, core_b = kinds.geometry(a), kinds.geometry(b)
        moved = shapely.transform(core_a, lambda xy: xy + got.mtv)
        assert moved.distance(core_b) == pytest.approx(a.radius + b.radius, rel=1e-9)
        beyond = shapely.transform(core_a, lambda xy: xy + got.mtv * 1.001)
        assert beyond.distance(core_b) > a.radius + b.radius


def through_a_corner(rng: Random) -> tuple[Any, Any, tuple[float, float]]:
    """Triangles and a direction, rounded, that leads a vertex of one to a vertex of the other."""
    corners = [[(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(3)] for _ in "ab"]
    a, b = (ring if shapely.LinearRing(ring).is_ccw else ring[::-1] for ring in corners)
    if rng.random() < 0.3:
        a = shapes.moved(shapes.stretched(a, 1e-6, 1e-6), *b[0])
    (x, y), (u, v) = rng.choice(a), rng.choice(b)
    return a, b, (u - x, v - y)


def rounded_depth(a: Any, b: Any, way: tuple[float, float], radius: float) -> Decimal:
    """How far a triangle moves until it is at the distance from another: the last time at which a
    vertex is at it from a vertex, or beside an edge."""
    times, r = [], Decimal(radius)
    for moving, ring, sign in ((a, b, 1), (b, a, -1)):
        x, y = (sign * Decimal(it) for it in way)
        size = (x * x + y * y).sqrt()
        for point, k in itertools.product(moving, range(3)):
            (px, py), (sx, sy), (ex, ey) = (
                map(Decimal, it) for it in (point, ring[k], ring[(k + 1) % 3])
            )
            along, gap = (ex - sx, ey - sy), (px - sx, py - sy)
            square = along[0] ** 2 + along[1] ** 2
            inwards = along[0] * y - along[1] * x
            if inwards < 0:
                left = along[0] * gap[1] - along[1] * gap[0] + r * square.sqrt()
                time = -left / inwards
                foot = along[0] * (gap[0] + time * x) + along[1] * (gap[1] + time * y)
                times += [time] * (0 <= foot <= square)
            across = (x * gap[1] - y * gap[0]) / size
            if abs(across) <= r:
                half = (r * r - across * across).sqrt()
                times.append((half - (x * gap[0] + y * gap[1]) / size) / size)
    return max(times) * size


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_margins_of_any_size_lengthen_a_way_past_a_corner(seed: int) -> None:
    """Where it leaves, beside which edge or round which corner, is far below the rounding."""
    rng = Random(f"corner {seed}")
    with localcontext() as context:
        context.prec = 900
        for _ in range(200):
            a, b, way = through_a_corner(rng)
            bare = carom.penetration(a, b, direction=way).depth
            for margin in (0.0, 1e-300, 1e-25, 1e-18, 1e-17, 1e-10):
                depth = carom.penetration(a, b, direction=way, margin=margin).depth
                # To a unit in the last place or two.
                assert depth >= bare * (1 - 2**-50), (a, b, way, margin)
                if depth and rng.random() < 0.1:
                    true = rounded_depth(a, b, way, margin)
                    assert abs(Decimal(depth) / true - 1) < 1e-12, (a, b, way, margin)
            if bare:
                assert_along(polygon(a), polygon(b), way, carom.penetration(a, b, direction=way))


def test_a_margin_below_the_rounding_does_not_hide_the_edge_that_is_left() -> None:
    a = [
        (-0.42742171283454533, -0.6887485426875265),
        (0.5527292393858478, -0.643181236396654),
        (0.2925909570271652, 0.10076024615400057),
    ]
    b = [
        (-0.5576856678875711, -0.5504478562607411),
        (0.3743192693990902, -0.6005972524034594),
        (0.6746309667579862, 0.7150715955665226),
    ]
    way = (-1.110414907273419, 0.09273338013591292)
    bare = checked_along(polygon(a), polygon(b), way)
    got = carom.penetration(a, b, direction=way, margin=1e-25)
    assert got.depth == pytest.approx(bare.depth, rel=1e-14)


# --- large convex rings, and rings convex but for rounding --------------------------------------


def ngon(vertices: int, x: float = 0.0, y: float = 0.0) -> Any:
    angles = np.arange(vertices) * (2 * np.pi / vertices)
    return np.stack([x + np.cos(angles), y + np.sin(angles)], axis=-1)


@pytest.mark.parametrize("vertices", [64, 65, 75, 76, 77, 91, 300, 1000])
def test_large_convex_rings_against_the_union_of_all_differences(vertices: int) -> None:
    rng = Random(vertices)
    whole = ngon(vertices)
    bitten = np.vstack([whole[3:-3], [(0.25, 0.0)]])
    for ring in (whole, bitten, whole[::-1]):
        other = star(rng, 8, rng.uniform(-1, 1), rng.uniform(-1, 1))
        region = union(ring, other)
        got, swapped = carom.penetration(ring, other), carom.penetration(other, ring)
        depth = region.boundary.distance(shapely.Point(0, 0))
        assert got.depth == pytest.approx(depth, abs=1e-9)
        assert swapped.depth == pytest.approx(depth, abs=1e-9)


def test_a_way_along_a_chord_of_a_large_polygon_leads_all_the_way_out() -> None:
    """A chord on which the polygon may be cut into pieces is not outside of it."""
    ring = ngon(120)
    notched = np.vstack([ring, [(0.9, -0.02)]])
    for i, j in ((0, 15), (15, 30), (0, 60), (45, 105), (30, 90), (7, 22)):
        way = ring[j] - ring[i]
        for other in (ring, notched):
            start = ring[i] + way * 0.25
            dart = np.array([(0.0, 0.0), (1.0, 0.0), (0.25, 0.25), (0.0, 1.0)]) * 2.0**-30 + start
            got = carom.penetration(dart, other, direction=way)
            assert got.depth == pytest.approx(0.75 * math.hypot(*way), abs=1e-7)


@pytest.mark.parametrize("vertices", [3, 8, 64, 200])
def test_large_rounded_rings_along_a_direction_end_at_the_radius(vertices: int) -> None:
    rng = Random(vertices)
    for _ in range(5):
        a = ngon(vertices)
        b = ngon(rng.choice([4, 50, 150]), rng.uniform(-1, 1), rng.uniform(-1, 1))
        way = rng.uniform(-1, 1), rng.uniform(-1, 1)
        got = carom.penetration(a, b, direction=way, margin=0.5)
        assert carom.distance(a + got.mtv, b).distance == pytest.approx(0.5, rel=1e-9)
        assert carom.distance(a + got.mtv * 1.001, b).distance > 0.5


FAR, UNIT = 2.0**40, 2.0**-12
"""The unit in the last place of FAR is UNIT."""


def dented(rng: Random) -> Any:
    """A ring whose dents are a few units in the last place deep, once it is moved far away."""
    count = rng.choice([5, 6, 8])
    while True:
        ring = np.array([(rng.randint(0, 6), rng.randint(0, 6)) for _ in range(count)], float)
        if rng.random() < 0.7:
            center = ring.mean(axis=0)
            ring = ring[np.argsort(np.arctan2(*(ring - center).T))]
        if shapely.Polygon(ring).is_valid and shapely.Polygon(ring).area:
            offset = rng.randint(-5, 5), rng.randint(-5, 5)
            return ring + np.array(offset)


def test_notches_below_the_rounding_of_the_coordinates_decide_as_given() -> None:
    v = np.array([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]) * UNIT + FAR
    w = np.array([(1, 4), (2, 2), (3, 4)]) * UNIT + FAR
    assert carom.Shapes([v, w]).is_convex.all()
    got = carom.penetration(v, w)
    assert (got.intersects, got.depth, got.mtv.tolist()) == (False, 0.0, [0.0, 0.0])
    assert got.normal.tolist() == carom.sat(v, w).normal.tolist()
    touching = carom.penetration(v, w - (0.0, UNIT))
    assert (touching.intersects, touching.depth) == (True, 0.0)
    assert carom.penetration(v, w - (0.0, 2 * UNIT)).depth > 0
    assert not carom.penetration(v, shapely.Point(FAR + 2 * UNIT, FAR + 2 * UNIT))


@pytest.mark.parametrize("seed", range(8))
def test_rings_convex_but_for_rounding_overlap_as_given(seed: int) -> None:
    """Near the origin the same rings are concave."""
    rng, seen = Random(f"dents {seed}"), set()
    for _ in range(60):
        near = dented(rng), dented(rng)
        a, b = (ring * UNIT + FAR for ring in near)
        if not carom.Shapes([a, b]).is_convex.all():
            continue
        true, got, sat = carom.penetration(*near), carom.penetration(a, b), carom.sat(a, b)
        seen.add((true.intersects, true.depth > 0, sat.depth > 0))
        assert (got.intersects, got.depth > 0) == (true.intersects, true.depth > 0)
        if true.depth:
            assert (got.depth, bits(got.mtv), bits(got.normal)) == (
                (sat.depth, bits(sat.mtv), bits(sat.normal))
            )
        batch = carom.penetration_batch([a], [b])
        assert_row_is_scalar(batch, 0, got)
        assert carom.penetration_batch([a], [b], fields=("intersects",)).intersects[0] == bool(got)
        along = carom.penetration(a, b, direction=(1.0, 2.0))
        least = carom.penetration(*near, direction=(1.0, 2.0))
        assert (along.intersects, along.depth) == (least.intersects, least.depth * UNIT)
        distance = carom.distance(*near).distance
        for margin in (1.0, 2.0, math.sqrt(2.0)):
            grown = carom.penetration(a, b, margin=margin * UNIT)
            if margin != math.sqrt(2.0) or abs(distance - margin) > 1e-9:
                assert grown.intersects == (distance <= margin)
                assert (grown.depth > 0) == (distance < margin)
    assert len(seen) > 2


@pytest.mark.parametrize(
    ("a", "b", "way", "depth"),
    [
        (
            [
                (1.0000000000000002, 0.9999999999999998),
                (2.9999999999999996, 1.0),
                (2.9999999999999996, 3.0),
                (2.0, 1.9999999999999996),
            ],
            [
                (0.9999999999999998, 0.9999999999999998),
                (3.0, 3.0),
                (1.0000000000000002, 2.9999999999999996),
            ],
            (1.0, 1.0000000000000002),
            math.sqrt(8) / 3,
        ),
        (
            [(1.0, 1.0), (3.0, 1.0), (2.9999999999999996, 3.0), (2.0, 2.0)],
            [(1.0, 0.9999999999999998), (3.0, 3.0), (1.0, 3.0)],
            (1.0000000000000002, 1.0),
            math.sqrt(8) / 3,
        ),
    ],
)
def test_along_a_dented_edge_the_way_ends_where_the_rings_do(
    a: Any, b: Any, way: tuple[float, float], depth: float
) -> None:
    """The hulls, larger by a unit in the last place, end far behind."""
    assert carom.Shapes([a, b]).is_convex.all()
    got = checked_along(polygon(a), polygon(b), way)
    assert got.depth == pytest.approx(depth, rel=1e-12)


# --- convex pairs, scales, swaps ----------------------------------------------------------------


def test_convex_pairs_have_the_bits_of_sat() -> None:
    rng = Random(9)
    for seed in range(200):
        a, b = kinds.convex(rng), kinds.convex(rng)
        margin = rng.choice([0.0, 0.0, 0.3])
        one, other = kinds.row(a), kinds.row(b)
        got, sat = (
            carom.penetration(one, other, margin=margin),
            carom.sat(one, other, margin=margin),
        )
        for name in ("intersects", "depth", "mtv", "normal"):
            assert bits(getattr(got, name)) == bits(getattr(sat, name)), (seed, name)


@pytest.mark.parametrize("power", [-1000, -600, -200, 200, 600, 980])
def test_powers_of_two_scale_the_result(power: int) -> None:
    factor = 2.0**power
    for by in ((0.25, 0.125), (1.0, -0.375)):
        a, b = shapes.moved(ELL, *by), CUP
        one = carom.penetration(a, b)
        large = [shapes.stretched(it, factor, factor) for it in (a, b)]
        got = carom.penetration(*large)
        assert got.depth == pytest.approx(one.depth * factor, rel=1e-12, abs=0)
        assert (got.mtv / factor).tolist() == pytest.approx(one.mtv.tolist(), rel=1e-12)
        along = carom.penetration(*large, direction=(0.5, 1.0))
        least = carom.penetration(a, b, direction=(0.5, 1.0))
        assert along.depth == pytest.approx(least.depth * factor, rel=1e-12, abs=0)


@pytest.mark.parametrize("power", [-1010, -520, 505, 515, 530, 1000, 1010, 1021, 1022, 1023])
def test_stars_at_extreme_sizes_have_the_result_of_ordinary_ones(power: int) -> None:
    """Squares of coordinates leave the range of floats, and the answer is not along an axis."""
    rng = Random(power)
    for _ in range(6):
        a = np.round(star(rng, 12, 0.0, 0.0) * 2**30)
        b = np.round(star(rng, 9, rng.uniform(-0.5, 0.5), 0.75) * 2**30)
        true, factor = carom.penetration(a, b), 2.0 ** (power - 30)
        got = carom.penetration(a * factor, b * factor)
        assert got.depth == pytest.approx(true.depth * factor, rel=1e-10, abs=0)
        assert got.mtv.tolist() == pytest.approx((true.mtv * factor).tolist(), rel=1e-10, abs=0)


@pytest.mark.parametrize("power", range(1001, 1016))
def test_coordinates_up_to_the_largest_float_have_the_result_of_ordinary_ones(power: int) -> None:
    a = np.array([(-17, 68), (-81, 31), (-180, -87), (-168, -234), (89, -78), (212, -139)])
    b = np.array([(5, 8), (-3, 10), (-6, 20), (-19, 4), (-15, -5), (-3, -10)])
    true, got = carom.penetration(a, b), carom.penetration(a * 2.0**power, b * 2.0**power)
    assert got.depth == pytest.approx(true.depth * 2.0**power, rel=1e-12)
    assert got.normal.tolist() == pytest.approx(true.normal.tolist(), rel=1e-12)


def gear(teeth: int, x: float) -> Any:
    """On a grid of whole numbers."""
    angles = np.arange(2 * teeth) * (np.pi / teeth)
    radii = np.where(np.arange(2 * teeth) % 2 == 0, 1000, 600)
    return np.round(np.stack([x + radii * np.cos(angles), radii * np.sin(angles)], axis=-1))


@pytest.mark.parametrize("x", [300, 1000, 1990, 1995, 1999])
def test_shapes_of_subnormal_size_come_apart(x: float) -> None:
    """An overlap of a few of the least floats, of more edges than are visited in one ring."""
    least = 5e-324
    a, b = gear(10, 0), gear(10, x)
    true, got = carom.penetration(a, b), carom.penetration(a * least, b * least)
    assert got.depth / least == pytest.approx(true.depth, abs=1)


@pytest.mark.parametrize("power", [-1030, -520, 0, 1020])
def test_jagged_shapes_of_any_size_are_pruned(power: int) -> None:
    """Visiting all pairs of edges would take minutes."""
    a, b = (np.round(star(Random(7), 400, x, 0.0) * 2**40) for x in (0.0, 1.75))
    factor = 2.0 ** (power - 40)
    true, got = carom.penetration(a, b), carom.penetration(a * factor, b * factor)
    assert got.depth == pytest.approx(true.depth * factor, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("angle", [1e-9, 5e-7, -5e-7, 7e-7, 1e-6])
def test_a_small_turn_turns_the_translation(angle: float) -> None:
    """The way along the axis is longer by less than 1e-12 only, but in another direction."""
    turned = [(1.0, angle), (-angle, 1.0)]
    for by in ((0.25, 0.125), (1.0, -0.375), (-0.125, 2.75)):
        a, b = np.array(shapes.moved(ELL, *by)), np.array(CUP)
        one, got = carom.penetration(a, b), carom.penetration(a @ turned, b @ turned)
        want = one.normal @ turned / math.hypot(1.0, angle)
        assert got.normal.tolist() == pytest.approx(want.tolist(), abs=1e-14)
        checked(polygon(list(map(tuple, a @ turned))), polygon(list(map(tuple, b @ turned))))


def test_stretched_shapes() -> None:
    """Coordinates of very different size in one pair."""
    for x, y in ((2.0**-40, 2.0**40), (2.0**60, 1.0)):
        a = shapes.stretched(shapes.moved(ELL, 0.25, 0.5), x, y)
        checked(polygon(a), polygon(shapes.stretched(CUP, x, y)))


def test_swap_and_negation_on_a_grid() -> None:
    rng = Random(4)
    for _ in range(40):
        a, b = (kinds.shape(rng, 5, "polygon", 0.0) for _ in "ab")
        one, swapped = (carom.penetration(*map(kinds.row, ab)) for ab in ((a, b), (b, a)))
        assert one.depth == pytest.approx(swapped.depth, rel=1e-14)
        negated = [polygon([[(-x, -y) for x, y in r] for r in it.parts[0]]) for it in (a, b)]
        turned = carom.penetration(*map(kinds.row, negated))
        assert one.depth == pytest.approx(turned.depth, rel=1e-14)


def test_windings_and_starts_change_nothing() -> None:
    a, b = shapes.moved(ELL, 0.25, 0.125), CUP
    true = carom.penetration(a, b)
    for shift in range(len(a)):
        ring = [*a[shift:], *a[:shift]]
        for other in (ring, ring[::-1], [*ring, ring[0]]):
            got = carom.penetration(other, b)
            assert got.depth == true.depth
            assert got.mtv.tolist() == true.mtv.tolist()


# --- batches ------------------------------------------------------------------------------------


def rows(count: int) -> tuple[Any, Any]:
    rng = Random(2)
    sides = (
        [kinds.shape(rng, 4, rng.choice(["polygon", "multipolygon"]), 0.0) for _ in range(count)]
        for _ in "ab"
    )
    return tuple(map(kinds.column, sides))  # type: ignore[return-value]


def test_rows_are_scalars_bit_for_bit() -> None:
    a, b = rows(60)
    ways = np.random.default_rng(1).normal(size=(60, 2))
    batch, along = carom.penetration_batch(a, b), carom.penetration_batch(a, b, direction=ways)
    for row in range(60):
        assert_row_is_scalar(batch, row, carom.penetration(a[row], b[row]))
        assert_row_is_scalar(along, row, carom.penetration(a[row], b[row], direction=ways[row]))
    for threads in (1, 2):
        again = carom.penetration_batch(a, b, threads=threads)
        fields = zip(again._astuple(), batch._astuple(), strict=True)
        assert all(bits(x) == bits(y) for x, y in fields)


def test_fields_out_and_pairs() -> None:
    a, b = rows(20)
    whole = carom.penetration_batch(a, b)
    for field in ("intersects", "depth", "mtv", "normal"):
        some = carom.penetration_batch(a, b, fields=(field,))
        assert bits(getattr(some, field)) == bits(getattr(whole, field))
    out = carom.penetration_batch(b, a)
    carom.penetration_batch(a, b, out=out)
    assert bits(out.mtv) == bits(whole.mtv)
    picked = carom.penetration_batch(a, b, pairs=([3, 4], [3, 4]))
    assert bits(picked.depth) == bits(whole.depth[3:5])


def test_bad_rows_are_named_or_masked() -> None:
    column = [ELL, ELL, ELL]
    ways = [(1.0, 0.0), (0.0, -0.0), (math.nan, 1.0)]
    with pytest.raises(ValueError, match=r"direction\[1\] is \(0\.0, -0\.0\); it must not be zero"):
        carom.penetration_batch(column, CUP, direction=ways)
    masked = carom.penetration_batch(column, CUP, direction=ways, on_invalid="mask")
    assert masked.valid.tolist() == [True, False, False]
    assert np.isnan(masked.depth[1:]).all()
    unchecked = carom.penetration_batch(column, CUP, direction=ways, check=False)
    assert unchecked.depth[0] == masked.depth[0]


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match=r"direction is \(0\.0, 0\.0\); it must not be zero"):
        carom.penetration(ELL, CUP, direction=(0, 0))
    with pytest.raises(ValueError, match=r"direction is \(inf, 0\.0\); it must be finite"):
        carom.penetration(ELL, CUP, direction=(math.inf, 0))
    with pytest.raises(ValueError, match="a: the shape is not convex; with a radius or a margin"):
        carom.penetration(ELL, SQUARE, margin=0.5)
    with pytest.raises(ValueError, match="b: the shape is not convex; with a radius or a margin"):
        carom.penetration(SQUARE, carom.Shapes([ELL]).with_radius(1.0))
    for bare in (shapely.LineString([(0, 0), (1, 1)]), shapely.Point(0.5, 0.5)):
        with pytest.raises(ValueError, match=r"b: the (path|point) has no interior"):
            carom.penetration(ELL, bare)
        rounded = carom.Shapes([bare]).with_radius(1.0)
        with pytest.raises(ValueError, match="a: the shape is not convex; with a radius"):
            carom.penetration(ELL, rounded)
        with pytest.raises(ValueError, match="b: the shape is not convex; with a radius"):
            carom.penetration(rounded, ELL)
    zigzag = shapely.LineString([(0, 0), (1, 1), (2, 0)])
    with pytest.raises(ValueError, match="a: the path has no interior"):
        carom.penetration(zigzag, SQUARE)
    with pytest.raises(ValueError, match=r"a\[1\]: the shape is not convex; with a radius"):
        carom.penetration_batch([SQUARE, ELL], SQUARE, margin=[0.0, 0.5])

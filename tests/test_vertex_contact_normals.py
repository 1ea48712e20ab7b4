"""Normals at contacts of two vertices: the bisector, by its definition and in 60 digits."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import carom
import pytest

from generators import areas, kinds, shapes
from generators.shapes import Point, Polygon
from helpers import array, assert_row_is_scalar
from reference.oracle import accuracy, check
from reference.oracle.exact import Real, grid_of, long_decimals, unit
from reference.oracle.kinds import Shape
from reference.oracle.rings import between, cross, dot, edges, minus, oriented, sides

Vector = tuple[int, int]
Hit = tuple[areas.Area, areas.Area, Point, Point]
"""Two areas, the velocity of the first, and the vertex of the second that it meets."""


def halfway(one: Vector, other: Vector) -> Real:
    """The unit vector between two that are less than half a turn apart, in 60 digits and more."""
    with long_decimals(*one, *other):
        (x, y), (u, v) = unit(one), unit(other)
        length = ((x + u) ** 2 + (y + v) ** 2).sqrt()
        return (x + u) / length, (y + v) / length


def corners(area: areas.Area, vertex: Point, *rest: Any) -> list[tuple[Vector, Vector]]:
    """From a vertex of an area to its neighbours, the inside on the left of both edges."""
    grid = grid_of(*area, [vertex], *rest)
    at = grid.point(vertex)
    return [
        (minus(p, at), minus(r, at))
        for ring in oriented(grid.rings(area))
        for (p, q), (_, r) in zip(edges(ring), edges([*ring[1:], ring[0]]), strict=True)
        if q == at
    ]


def is_amid(vertex: Point, area: areas.Area) -> bool:
    """Whether another ring's edge passes through a vertex."""
    grid = grid_of(*area)
    at = grid.point(vertex)
    around = sides(grid.rings(area))
    return any(between(at, p, q) for p, q in around if at not in (p, q))


def across(v: Vector) -> Vector:
    return v[1], -v[0]


def reversed_(v: Vector) -> Vector:
    return -v[0], -v[1]


def is_reflex(corner: tuple[Vector, Vector]) -> bool:
    before, after = corner
    return cross(reversed_(before), after) < 0


def expected(a: tuple[Vector, Vector], b: tuple[Vector, Vector]) -> Real:
    """The bisector of all n that lead from b to a where two corners meet.

    At a notch these lie between the normals of its sides. Else no leg of a corner may lead across
    the line that n is normal to; the outermost of these n are normal to a leg.
    """
    for (before, after), sign in ((a, -1), (b, 1)):
        if is_reflex((before, after)):
            n, m = across(reversed_(before)), across(after)
            return halfway((sign * n[0], sign * n[1]), (sign * m[0], sign * m[1]))
    candidates = [n for leg in (*a, *b) for n in (across(leg), across(reversed_(leg)))]
    allowed = [
        n
        for n in candidates
        if all(dot(n, leg) >= 0 for leg in a) and all(dot(n, leg) <= 0 for leg in b)
    ]
    first = next(n for n in allowed if all(cross(n, m) >= 0 for m in allowed))
    last = next(n for n in allowed if all(cross(n, m) <= 0 for m in allowed))
    return halfway(first, last)


# --- pairs whose vertices meet ------------------------------------------------------------------


def leg(rng: Random) -> Vector:
    """A direction: short, long, or nearly along an axis."""
    wide = rng.choice([3, 3, 20, 2**10, 2**20])
    thin = rng.choice([wide, 1, 1, 3])
    while True:
        x, y = rng.randint(-wide, wide), rng.randint(-thin, thin)
        if (x, y) != (0, 0):
            return rng.choice([(x, y), (y, x)])


def wedge(rng: Random) -> Polygon:
    """A triangle with a corner at the origin, often a thin one."""
    while True:
        u, w = leg(rng), leg(rng)
        if rng.random() < 0.3:
            w = u[0] + rng.randint(-2, 2), u[1] + rng.randint(-2, 2)
        if cross(u, w):
            return [(0.0, 0.0), (float(u[0]), float(u[1])), (float(w[0]), float(w[1]))]


def notch(rng: Random) -> Polygon:
    """A quadrilateral with a reflex corner at the origin."""
    _, (ux, uy), (wx, wy) = wedge(rng)
    size = rng.choice([0.5, 1.0, 4.0])
    return [(0.0, 0.0), (ux, uy), (-(ux + wx) * size, -(uy + wy) * size), (wx, wy)]


def meeting(rng: Random, a: Polygon, b: Polygon) -> Hit:
    """Polygons with a corner each at the origin, moved to where these corners meet at some time."""
    vx, vy = (float(rng.choice([4, 16, 2**12]) * x) for x in leg(rng))
    part = rng.choice([0.25, 0.5, 0.75, 1.0])
    x, y = rng.choice([(0.0, 0.0), (0.0, 0.0), (691_608.0, 5_334_760.0), (-(2.0**40), 7.0)])
    scale = 2.0 ** rng.choice([0, 0, 0, -20, 300, -300, 900, -900])

    def put(ring: Polygon, dx: float, dy: float) -> areas.Area:
        return [shapes.dress(rng, shapes.stretched(shapes.moved(ring, dx, dy), scale, scale))]

    there = put(a, x - part * vx, y - part * vy), put(b, x, y)
    return (*there, (vx * scale, vy * scale), (x * scale, y * scale))


def corner_to_corner(rng: Random) -> Hit:
    return meeting(rng, wedge(rng), wedge(rng))


def corner_into_notch(rng: Random) -> Hit:
    return meeting(rng, wedge(rng), notch(rng))


def notch_onto_corner(rng: Random) -> Hit:
    return meeting(rng, notch(rng), wedge(rng))


def map_vehicles(rng: Random) -> Hit:
    """Convex polygons at map coordinates, whose differences are floats."""
    x, y = 691_608.0, 5_334_760.0
    a, b = (shapes.moved(shapes.blob(rng, 9.0), x, y) for _ in range(2))
    b = shapes.moved(b, float(rng.randint(-40, 40)), float(rng.randint(-40, 40)))
    p, q = rng.choice(a), rng.choice(b)
    return [a], [b], (q[0] - p[0], q[1] - p[1]), q


def any_areas(rng: Random) -> Hit:
    """Areas with whole coordinates, often with holes, sheared."""
    found = [rng.choice([areas.grid_area(rng), [shapes.lattice(rng)]]) for _ in range(2)]
    s, t = rng.choice([(0, 0), (1, 0), (2, 1), (0, -3)])
    a, b = ([[(x + s * y, y + t * (x + s * y)) for x, y in r] for r in area] for area in found)
    p, q = rng.choice(areas.vertices(a)), rng.choice(areas.vertices(b))
    v = rng.choice([(24.0, 0.0), (0.0, -24.0), (16.0, 16.0), (8.0, -32.0), (4.0, 1.0)])
    a = areas.shifted(a, q[0] - p[0] - v[0], q[1] - p[1] - v[1])
    return areas.dress(rng, a), areas.dress(rng, b), v, q


HITS: list[Callable[[Random], Hit]] = [
    corner_to_corner,
    corner_into_notch,
    notch_onto_corner,
    map_vehicles,
    any_areas,
]


def drawn(rng: Random, family: Callable[[Random], Hit], count: int) -> list[tuple[Hit, Real]]:
    """Hits whose first contact is that of two vertices alone, with their normals."""
    found: list[tuple[Hit, Real]] = []
    while len(found) < count:
        hit = a, b, v, q = family(rng)
        if not areas.usable(a, b):
            continue
        truth = check.swept_collision(a, b, v)
        if truth.intersects or not truth.will_intersect or len(truth.touches) != 1:
            continue
        if any(start != end for start, end in truth.touches[0].ends):
            continue
        at_q = corners(b, q, *a, [v])
        at_p = vertices_that_come_to(q, a, v, b, truth.time)
        if len(at_q) == len(at_p) == 1:
            found.append((hit, expected(at_p[0], at_q[0])))
    return found


def vertices_that_come_to(
    q: Point, a: areas.Area, v: Point, b: areas.Area, time: Decimal | None
) -> list[tuple[Vector, Vector]]:
    """The corners of a that are at q at that time."""
    assert time is not None
    t = Fraction(time)
    at = {
        p
        for p in areas.vertices(a)
        if all(Fraction(p[k]) + t * Fraction(v[k]) == Fraction(q[k]) for k in (0, 1))
    }
    return [corner for p in at for corner in corners(a, p, *b, [v])]


@pytest.mark.slow
@pytest.mark.parametrize("family", HITS)
def test_vertices_that_meet_have_the_bisector(family: Callable[[Random], Hit]) -> None:
    cases = drawn(Random(family.__name__), family, 80)
    rows = [[areas.bare(hit[k]) for hit, _ in cases] for k in (0, 1)]
    batch = carom.swept_collision_batch(*rows, array([hit[2] for hit, _ in cases]))
    for i, ((a, b, v, q), normal) in enumerate(cases):
        result = carom.swept_collision(areas.bare(a), areas.bare(b), v)
        assert_row_is_scalar(batch, i, result)
        with long_decimals():
            assert accuracy.vector(result.normal, normal), (a, b, v, normal, result)
        assert result.contact.tolist() == [list(q)] * 2


STARS = {
    "two triangles, met where the outside is more than half a turn": (
        [[[(0, 0), (4, 1), (3, 3)]], [[(0, 0), (-4, 3), (-4, 2)]]],
        [(-3, -3), (-3, -4), (-2, -4)],
        [(4, 1), (-4, 2)],
        [(1, -4), (-1, -2)],
    ),
    "two triangles, met in the notch between them": (
        [[[(0, 0), (4, 1), (3, 3)]], [[(0, 0), (-4, 3), (-4, 2)]]],
        [(2, 4), (3, 6), (2, 7)],
        [(3, 3), (-4, 3)],
        [(-1, 1), (3, 4)],
    ),
}
"""Polygons with a common corner at the origin, one that moves there with its first vertex, the
edges that face it, and the outermost normals."""


@pytest.mark.parametrize("name", STARS)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("turn", [0.0, 1e-12])
def test_a_corner_that_two_polygons_share_has_the_normals_that_both_allow(
    name: str, order: int, turn: float
) -> None:
    polygons, ring, facing, outermost = STARS[name]
    b = kinds.row(Shape("polygon", polygons[::order]))
    x, y = ring[0]
    result = carom.swept_collision(ring, b, (-2 * x, -2 * y), turn_a=turn, center_a=(x, y))
    assert result.time == pytest.approx(0.5, abs=1e-15)
    for n in outermost:
        assert any(n[0] * u + n[1] * v == 0 for u, v in facing)
    expected = halfway(*outermost)
    assert result.normal.tolist() == pytest.approx(list(map(float, expected)), abs=2e-12)
    assert result.contact.tolist() == [[0.0, 0.0]] * 2


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("turn", [0.0, 1e-12])
def test_an_end_that_two_paths_share_has_the_normals_that_both_allow(
    order: int, turn: float
) -> None:
    paths = [[(2.0, 3.0), (0.0, 4.0)], [(1.0, 2.0), (0.0, 4.0)]]
    a = kinds.row(Shape("path", paths[::order]))
    b = kinds.row(Shape("path", [[(-1.0, 3.0), (-5.0, -1.0)]]))
    result = carom.swept_collision(a, b, (-4.0, -4.0), turn_a=turn, center_a=(0.0, 4.0))
    assert result.time == 0.25
    # Across the path of b, and across the nearer one of a.
    expected = halfway((1, -1), (2, 1))
    assert result.normal.tolist() == pytest.approx(list(map(float, expected)), abs=2e-12)


@pytest.mark.parametrize("family", [wedge, notch, None])
def test_a_circle_centred_on_a_vertex_has_the_bisector(
    family: Callable[[Random], Polygon] | None,
) -> None:
    rng = Random(7)
    cases: list[tuple[areas.Area, Point, Real]] = []
    while len(cases) < 300:
        if family is None:
            area = areas.area(rng)
            vertex = rng.choice(areas.vertices(area))
        else:
            a, _, _, _ = meeting(rng, family(rng), wedge(rng))
            area, vertex = a, rng.choice(a[0])
        if not areas.usable(area) or len(corners(area, vertex)) != 1 or is_amid(vertex, area):
            continue
        before, after = corners(area, vertex)[0]
        normal = halfway(across(reversed_(before)), across(after))
        cases.append((areas.dress(rng, area), vertex, normal))
    radii = array([rng.choice([0.0, 5e-324, 1.0, 1e300]) for _ in cases])
    batch = carom.circle_polygon_batch(
        array([vertex for _, vertex, _ in cases]),
        radii,
        [areas.bare(area) for area, _, _ in cases],
    )
    for i, (area, vertex, normal) in enumerate(cases):
        result = carom.circle_polygon(vertex, radii[i], areas.bare(area))
        assert_row_is_scalar(batch, i, result)
        assert result.feature == "vertex"
        with long_decimals():
            assert accuracy.vector(result.normal, normal), (area, vertex, normal, result)

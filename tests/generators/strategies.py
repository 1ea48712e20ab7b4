"""Hypothesis strategies for degenerate shapes, of the kinds in ``shapes`` and ``areas``.

The second shape of a pair is spanned by points taken from the first: its vertices, points on its
edges, either moved by an ulp or two, and a few free ones. Velocities join features of the two;
circles are centred on features and reach to others. Everything may then be carried to any
magnitude between the subnormals and the largest floats.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from generators import areas, shapes
from generators.areas import Area, AreaPair
from generators.shapes import Pair, Point, Polygon
from reference.oracle import intersects, is_valid, kind

ULPS = st.sampled_from([0, 0, 0, 1, -1, 2, -2])
PARTS = st.one_of(st.sampled_from([0.5, 0.25, 0.75]), st.floats(0, 1, width=16))
SMALL = st.one_of(
    st.integers(-6, 6).map(float),
    st.integers(-96, 96).map(lambda n: n / 16),
    st.floats(-8, 8, allow_subnormal=False),
)
POINTS = st.tuples(SMALL, SMALL)
OFFSETS = st.sampled_from([(0.0, 0.0)] * 4 + [(4.5e5, 5.4e6), (-(2.0**40), 2.0**40), (1e9, 0.0)])


def step(x: float, ulps: int) -> float:
    """x moved by this many units in its last place."""
    for _ in range(abs(ulps)):
        x = math.nextafter(x, math.copysign(math.inf, ulps))
    return x


@st.composite
def off(draw: st.DrawFn, points: st.SearchStrategy[Point]) -> Point:
    """A point, or one that differs by an ulp or two."""
    x, y = draw(points)
    return step(x, draw(ULPS)), step(y, draw(ULPS))


def features(*rings: Polygon) -> st.SearchStrategy[Point]:
    """Vertices of rings and points on their edges, up to rounding."""

    def on_edge(edge: tuple[Point, Point], part: float) -> Point:
        (x, y), (u, v) = edge
        return x + (u - x) * part, y + (v - y) * part

    edges = st.sampled_from(areas.rims(list(rings)))
    return st.one_of(st.sampled_from(areas.vertices(list(rings))), st.builds(on_edge, edges, PARTS))


def spanned(points: list[Point]) -> Polygon:
    """The hull of the points, which must enclose an area."""
    assume(len(set(points)) > 2)
    corners = shapes.convex_hull(points)
    assume(len(corners) > 2)
    return corners


@st.composite
def dressed(draw: st.DrawFn, polygon: Polygon) -> Polygon:
    """The same region in another winding, from another start, with vertices repeated."""
    ring = polygon[::-1] if draw(st.booleans()) else list(polygon)
    start = draw(st.integers(0, len(ring) - 1))
    ring = ring[start:] + ring[:start]
    for i in sorted(draw(st.sets(st.integers(0, len(ring) - 1), max_size=2)), reverse=True):
        ring.insert(i, ring[i])
    return [*ring, ring[0]] if draw(st.booleans()) else ring


@st.composite
def spanned_pairs(draw: st.DrawFn) -> Pair:
    a = spanned(draw(st.lists(POINTS, min_size=3, max_size=6)))
    near = off(features(a))
    if draw(st.booleans()):
        return a, spanned(draw(st.lists(st.one_of(near, near, POINTS), min_size=3, max_size=6)))
    edge = draw(st.sampled_from(shapes.sides(a)))
    keep = draw(st.lists(off(features(list(edge))), min_size=1, max_size=2))
    return a, shapes.beyond(Random(draw(SEEDS)), keep, *edge)


FAMILIES = st.sampled_from(sorted(shapes.PAIRS))
SEEDS = st.integers(0, 2**32 - 1)
named_pairs = st.builds(
    lambda family, seed: shapes.PAIRS[family](Random(f"{family}/{seed}")), FAMILIES, SEEDS
)


@st.composite
def nearly_convex_pairs(draw: st.DrawFn) -> Pair:
    """Rotated rectangles with vertices on their edges, and hulls of points on their features."""
    a = shapes.vehicle(Random(draw(SEEDS)))
    near = off(features(a))
    b = draw(st.one_of(st.just(a), st.lists(near, min_size=3, max_size=5).map(spanned)))
    return a, shapes.moved(b, *draw(st.one_of(st.just((0.0, 0.0)), POINTS)))


POWERS = st.one_of(
    st.just(1.0),
    st.just(1.0),
    st.sampled_from([-1074, -1050, -1000, -520, -505, 505, 520, 1000, 1018]).map(
        lambda e: math.ldexp(1.0, e)
    ),
    st.integers(-1074, 1018).map(lambda e: math.ldexp(1.0, e)),
)


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """Two polygons, convex up to rounding, at any magnitude and position."""
    a, b = draw(st.one_of(spanned_pairs(), spanned_pairs(), named_pairs, nearly_convex_pairs()))
    x, y = draw(POWERS), 1.0
    y = draw(st.sampled_from([x, x, x, 1.0]))
    u, v = draw(st.sampled_from([(x, y)] * 4 + [(1.0, 1.0), (y, x)]))
    offset = draw(OFFSETS) if x == 1.0 else (0.0, 0.0)
    a = shapes.moved(shapes.stretched(a, x, y), *offset)
    b = shapes.moved(shapes.stretched(b, u, v), *offset)
    assume(shapes.usable(a, b))
    return draw(dressed(a)), draw(dressed(b))


@st.composite
def polygons(draw: st.DrawFn) -> Polygon:
    """A polygon that is convex up to rounding."""
    return draw(pairs())[draw(st.integers(0, 1))]


def finite(*numbers: float) -> bool:
    return all(map(math.isfinite, numbers))


@st.composite
def velocities(draw: st.DrawFn, a: Polygon, b: Polygon) -> Point:
    """A displacement of any kind, or from a feature of one shape to one of the other."""
    aim = draw(st.sampled_from([*shapes.VELOCITIES, "features", "arrive", "graze"]))
    if aim != "features":
        return shapes.velocity(Random(draw(SEEDS)), a, b, aim)
    (px, py), (qx, qy) = draw(features(a)), draw(off(features(b)))
    factor = draw(st.sampled_from([1.0, 1.0, 2.0, 0.5, -1.0, 3.0, 8.0]))
    v = step((qx - px) * factor, draw(ULPS)), step((qy - py) * factor, draw(ULPS))
    assume(finite(*v))
    return v


@st.composite
def sweeps(draw: st.DrawFn) -> tuple[Polygon, Polygon, Point]:
    """A pair, mostly disjoint, and a velocity."""
    a, b = draw(pairs())
    if draw(st.booleans()):
        width = max(p[0] for p in [*a, *b]) - min(p[0] for p in [*a, *b])
        assume(finite(width) and width > 0)
        away = math.ldexp(1.0, math.frexp(width)[1])
        b = shapes.moved(b, away, draw(st.sampled_from([0.0, away, -away])))
        assume(shapes.usable(b))
    return a, b, draw(velocities(a, b))


@st.composite
def circles(draw: st.DrawFn) -> tuple[Point, float, Polygon]:
    """A circle centred on or beside a feature of a polygon, reaching to another one."""
    polygon = draw(polygons())
    return (*draw(circles_at([polygon])), polygon)


@st.composite
def circles_at(draw: st.DrawFn, rings: Area) -> tuple[Point, float]:
    x, y = draw(off(features(*rings)))
    u, v = draw(st.one_of(features(*rings), features(*rings), POINTS))
    factor = draw(st.sampled_from([0.0, 0.0, 1.0, -1.0, 0.5, 2.0]))
    center = x + (u - x) * factor, y + (v - y) * factor
    p, q = draw(features(*rings))
    reach = math.hypot(p - center[0], q - center[1])
    radius = draw(
        st.one_of(
            st.sampled_from([0.0, reach, reach, reach, 5e-324, 1e-200, 1e200]),
            st.integers(-2, 2).map(lambda ulps: step(reach, ulps)),
            st.floats(0, 4).map(lambda part: part * reach),
        )
    )
    assume(finite(*center, radius) and radius >= 0)
    return center, radius


@st.composite
def swept_circles(draw: st.DrawFn) -> tuple[Point, float, Point, Polygon]:
    """A circle that moves to such a position, through it, or past it."""
    polygon = draw(polygons())
    return (*draw(swept_circles_at([polygon])), polygon)


@st.composite
def swept_circles_at(draw: st.DrawFn, rings: Area) -> tuple[Point, float, Point]:
    (x, y), radius = draw(circles_at(rings))
    (p, q), (r, s) = draw(features(*rings)), draw(st.sampled_from(areas.vertices(rings)))
    size = max(abs(p - x), abs(q - y), radius) or 1.0
    dx, dy = draw(st.sampled_from([(1, 0), (0, -1), (-1, 1), (2, 1), (-1, -4), (3, -2)]))
    v = draw(st.sampled_from([(dx * size, dy * size), (dx * size, dy * size), (p - r, q - s)]))
    center = x - v[0], y - v[1]
    factor = draw(st.sampled_from([1.0, 1.0, 0.5, 2.0, 16.0, 0.0]))
    v = step((x - center[0]) * factor, draw(ULPS)), step((y - center[1]) * factor, draw(ULPS))
    assume(finite(*center, *v))
    return center, radius, v


def is_exactly_convex(*polygons: Any) -> bool:
    """Whether hull and ring are equal, so that sat and the other queries use the same shape."""
    return all(kind(polygon) == "convex" for polygon in polygons)


# --- areas: polygons of any shape, with holes ---------------------------------------------------


@st.composite
def rings_through(draw: st.DrawFn, points: st.SearchStrategy[Point]) -> Polygon:
    """A simple ring through some points, in the given order or around their middle."""
    found = draw(st.lists(points, min_size=3, max_size=7, unique=True))
    if not is_valid([found]):
        x, y = (sum(p[k] for p in found) / len(found) for k in (0, 1))
        found.sort(key=lambda p: (math.atan2(p[1] - y, p[0] - x), p))
    assume(is_valid([found]))
    return found


@st.composite
def with_holes(draw: st.DrawFn, shell: Polygon) -> Area:
    """The shell with up to three holes through points on its boundary, on holes, or elsewhere."""
    area = [shell]
    (x, y), (u, v) = (tuple(f(p[k] for p in shell) for k in (0, 1)) for f in (min, max))
    within = st.tuples(PARTS, PARTS).map(lambda t: (x + (u - x) * t[0], y + (v - y) * t[1]))
    for _ in range(draw(st.integers(0, 3))):
        hole = draw(st.lists(st.one_of(features(*area), within, within), min_size=3, max_size=4))
        if is_valid([*area, hole]):
            area = [*area, hole]
    return area


@st.composite
def whole_areas(draw: st.DrawFn) -> Area:
    if draw(st.booleans()):
        return areas.area(Random(draw(SEEDS)))
    return draw(with_holes(draw(rings_through(POINTS))))


named_area_pairs = st.builds(
    lambda family, seed: areas.PAIRS[family](Random(f"{family}/{seed}")),
    st.sampled_from(sorted(areas.PAIRS)),
    SEEDS,
)


@st.composite
def spanned_area_pairs(draw: st.DrawFn) -> AreaPair:
    """The second through features of the first, or one of its holes, or filling a hole."""
    a = draw(whole_areas())
    near = off(features(*a))
    through = rings_through(st.one_of(near, near, POINTS)).flatmap(with_holes)
    return a, draw(st.one_of(through, through, st.sampled_from(a).map(lambda ring: [ring])))


@st.composite
def area_pairs(draw: st.DrawFn) -> AreaPair:
    """Two areas at any magnitude and position."""
    a, b = draw(st.one_of(spanned_area_pairs(), named_area_pairs))
    x = draw(POWERS)
    y = draw(st.sampled_from([x, x, x, 1.0]))
    offset = draw(OFFSETS) if x == 1.0 else (0.0, 0.0)
    a, b = (areas.shifted(areas.scaled(area, x, y), *offset) for area in (a, b))
    assume(areas.usable(a, b))
    return [draw(dressed(ring)) for ring in a], [draw(dressed(ring)) for ring in b]


def one_area() -> st.SearchStrategy[Area]:
    return area_pairs().flatmap(st.sampled_from)


@st.composite
def area_sweeps(draw: st.DrawFn) -> tuple[Area, Area, Point]:
    """A pair, mostly disjoint, and a velocity that moves features to features."""
    a, b = draw(area_pairs())
    if intersects(a, b) and draw(st.integers(0, 3)):
        b = areas.apart(Random(draw(SEEDS)), a, b)
        assume(areas.usable(b))
    aim = draw(st.sampled_from([*areas.VELOCITIES, "features", "features"]))
    if aim != "features":
        return a, b, areas.velocity(Random(draw(SEEDS)), a, b, aim)
    (px, py), (qx, qy) = draw(features(*a)), draw(off(features(*b)))
    factor = draw(st.sampled_from([1.0, 1.0, 2.0, 0.5, -1.0, 3.0, 8.0]))
    v = step((qx - px) * factor, draw(ULPS)), step((qy - py) * factor, draw(ULPS))
    assume(finite(*v))
    return a, b, v


@st.composite
def area_circles(draw: st.DrawFn) -> tuple[Point, float, Area]:
    area = draw(one_area())
    return (*draw(circles_at(area)), area)


@st.composite
def swept_area_circles(draw: st.DrawFn) -> tuple[Point, float, Point, Area]:
    area = draw(one_area())
    return (*draw(swept_circles_at(area)), area)

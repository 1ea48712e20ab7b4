"""``circle_polygon`` and ``swept_circle`` by every vertex and every edge of any polygon.

Whether a moving circle hits is the distance from its centre's path to the polygon, a rational
question. When it hits is the least root among the vertices (quadratic) and the edges (linear,
with the edge's length in it), each kept or dropped by an exact sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from .exact import (
    TIE,
    Grid,
    Point,
    Real,
    Region,
    Ring,
    bisector,
    floats,
    grid_of,
    long_decimals,
    ratio,
    rings_of,
    root,
    sign_with_root,
    unit,
)
from .pairs import nearest_on
from .rings import (
    cross,
    dot,
    inside,
    minus,
    negative,
    oriented,
    outward,
    plus,
    segments_meet,
    twice_area,
)
from .sat import extent

_Spot = tuple[int, int, int, int]  # squared distance times length squared, the latter, foot, edge


@dataclass(frozen=True)
class Nearest:
    """One of the equally near features of the boundary."""

    feature: Literal["vertex", "edge"]
    index: int
    closest: Real
    normal: Real


@dataclass(frozen=True)
class CirclePolygon:
    intersects: bool
    depth: Decimal
    distance: Decimal
    nearest: list[Nearest]
    extent_ulp: Fraction


@dataclass(frozen=True)
class Hit:
    contact: Real
    normal: Real


@dataclass(frozen=True)
class SweptCircle:
    """``hits`` holds the first contact and any other within 1e-12 of its time.

    Each is one that the circle can make from outside: not with the inner side of an edge, nor with
    a vertex from where another part of the boundary is nearer.
    """

    time: Decimal | None
    hits: list[Hit]
    margin: Decimal  # of the whole path: its distance from the polygon, less the radius
    extent_ulp: Fraction
    intersects: bool = False

    @property
    def will_intersect(self) -> bool:
        return self.time is not None


class _Boundary:
    """All rings in the caller's order, with the numbers that the caller knows their parts by.

    Edge k runs from vertex k to vertex ``following[k]``; repeated vertices are left out.
    """

    def __init__(self, rings: Region) -> None:
        self.edges: list[tuple[int, Point, Point]] = []
        self.vertices: list[tuple[int, Point]] = []
        self.following: list[int] = []
        self.preceding: list[int] = []
        self.normals: list[Point] = []
        self.region = oriented(rings)
        first = 0
        for number, ring in enumerate(rings):
            if len(ring) > 1 and ring[-1] == ring[0]:
                ring = ring[:-1]
            self._append(ring, first, outer=number == 0)
            first += len(ring)

    def _append(self, ring: Ring, first: int, *, outer: bool) -> None:
        left = (twice_area(ring) > 0) == outer  # the interior is to the left
        kept = [i for i, p in enumerate(ring) if p != ring[i - 1]]
        k, n = len(self.edges), len(kept)
        for place, i in enumerate(kept):
            j = kept[(place + 1) % n]
            # Of repeated vertices the last one starts the edge and the first one names the vertex.
            self.edges.append((first + (j - 1) % len(ring), ring[i], ring[j]))
            self.vertices.append((first + ring.index(ring[i]), ring[i]))
            self.following.append(k + (place + 1) % n)
            self.preceding.append(k + (place - 1) % n)
            n_left = outward(minus(ring[j], ring[i]))
            self.normals.append(n_left if left else negative(n_left))

    def faces(self, k: int, at: Point, slope: Point, n: int) -> bool:
        """Whether corner k is convex and ``at + slope * sqrt(n)``, seen from it, is beside neither
        of its edges: between their outward normals, that is.
        """
        _, before, p = self.edges[self.preceding[k]]
        _, _, after = self.edges[k]
        arriving, leaving = minus(p, before), minus(after, p)
        past = sign_with_root(dot(arriving, at), dot(arriving, slope), n)
        short = sign_with_root(dot(leaving, at), dot(leaving, slope), n)
        is_convex = dot(self.normals[self.preceding[k]], leaving) <= 0
        return is_convex and past >= 0 >= short

    def corner(self, k: int) -> Real:
        """The bisector of the outward normals of the edges before and after corner k."""
        return bisector(self.normals[self.preceding[k]], self.normals[k])


def _scaled(center: Any, radius: float, velocity: Any, polygon: Any) -> tuple[Any, ...]:
    (c,), (v,), rings = floats([center]), floats([velocity]), rings_of(polygon)
    grid = grid_of([c, v, (float(radius),)], *rings)
    return grid, grid.point(c), grid.number(float(radius)), grid.point(v), grid.rings(rings)


def circle_polygon(center: Any, radius: float, polygon: Any) -> CirclePolygon:
    """How a disc lies to a polygon, and the features of the boundary nearest to its centre."""
    grid, c, r, _, rings = _scaled(center, radius, (0.0, 0.0), polygon)
    boundary = _Boundary(rings)
    size = max(extent(*rings, [c]), r)
    with long_decimals(size):
        return _circle_polygon(c, r, boundary, grid, size)


def _circle_polygon(c: Point, r: int, boundary: _Boundary, grid: Grid, size: int) -> CirclePolygon:
    within = inside(c, boundary.region)
    found: list[_Spot] = []
    for k, (_, p, q) in enumerate(boundary.edges):
        found.append((*nearest_on(c, p, q), k))
    square, length = min(((f[0], f[1]) for f in found), key=lambda f: Fraction(*f))
    nearest = []
    for spot in found:
        s, n, *_ = spot
        if s * length <= square * n * (1 + TIE) ** 2:
            nearest.append(_nearest(c, boundary, spot, grid, within=within))
    d = root(square, length)
    difference = ratio(square - r * r * length, length)  # distance squared less radius squared
    intersects = within or square <= r * r * length
    depth = gap = Decimal(0)
    if not intersects:
        gap = difference / (d + r) * grid.step
    elif within:
        depth = (d + r) * grid.step
    elif square != r * r * length:
        depth = -difference / (d + r) * grid.step
    return CirclePolygon(intersects, depth, gap, nearest, grid.ulp(size))


def _nearest(c: Point, boundary: _Boundary, spot: _Spot, grid: Grid, *, within: bool) -> Nearest:
    _, length, foot, k = spot
    number, p, q = boundary.edges[k]
    if 0 < foot < length:
        x, y = (
            ratio(u * length + (v - u) * foot, length) * grid.step
            for u, v in zip(p, q, strict=True)
        )
        side, away = cross(minus(q, p), minus(c, p)), boundary.normals[k]
        flip = side != 0 and (dot(away, minus(c, p)) > 0) == within
        return Nearest("edge", number, (x, y), unit(negative(away) if flip else away))
    corner = k if foot == 0 else boundary.following[k]
    number, p = boundary.vertices[corner]
    away = minus(p, c) if within else minus(c, p)
    normal = boundary.corner(corner) if away == (0, 0) else unit(away)
    return Nearest("vertex", number, (p[0] * grid.step, p[1] * grid.step), normal)


def swept_circle(center: Any, radius: float, velocity: Any, polygon: Any) -> SweptCircle:
    """When a disc, moving by velocity, first touches a polygon, and where."""
    grid, c, r, v, rings = _scaled(center, radius, velocity, polygon)
    boundary = _Boundary(rings)
    size = max(extent(*rings, [c]), r, abs(v[0]), abs(v[1]))
    with long_decimals(size):
        now = _circle_polygon(c, r, boundary, grid, size)
        if now.intersects:
            hits = [Hit(n.closest, n.normal) for n in now.nearest]
            return SweptCircle(Decimal(0), hits, -now.depth, grid.ulp(size), intersects=True)
        square, length = min(
            (_path_to_edge(c, plus(c, v), p, q) for _, p, q in boundary.edges),
            key=lambda f: Fraction(*f),
        )
        margin = ratio(square - r * r * length, length) * grid.step
        if margin:
            margin /= root(square, length) + r
        if margin > 0:
            return SweptCircle(None, [], margin, grid.ulp(size))
        found = list(_roots(c, r, v, boundary, grid))
        time = min(t for t, _ in found)
        limit = time * (1 + ratio(TIE.numerator, TIE.denominator))
        hits = [hit for t, hit in found if t <= limit]
        return SweptCircle(time, hits, margin, grid.ulp(size))


def _path_to_edge(c: Point, d: Point, p: Point, q: Point) -> tuple[int, int]:
    """The squared distance of two segments as a fraction."""
    if segments_meet(c, d, p, q):
        return 0, 1
    found = [nearest_on(c, p, q), nearest_on(d, p, q)]
    if c != d:
        found += [nearest_on(p, c, d), nearest_on(q, c, d)]
    return min(((f[0], f[1]) for f in found), key=lambda f: Fraction(*f))


def _roots(
    c: Point, r: int, v: Point, boundary: _Boundary, grid: Grid
) -> Iterator[tuple[Decimal, Hit]]:
    """The times at which the circle, coming from outside, reaches each vertex and each edge."""
    speed = dot(v, v)
    for k, (_, p) in enumerate(boundary.vertices):
        w = minus(c, p)
        approach, apart = -dot(v, w), dot(w, w) - r * r
        discriminant = approach**2 - speed * apart
        if approach > 0 and discriminant >= 0:
            # The center at that time, times the speed squared: at + slope * sqrt(discriminant).
            at = [w[i] * speed + v[i] * approach for i in (0, 1)]
            if r and not boundary.faces(k, (at[0], at[1]), negative(v), discriminant):
                continue
            time = apart / (approach + root(discriminant))
            center = [w[i] + v[i] * time for i in (0, 1)]
            normal = (center[0] / r, center[1] / r) if r else boundary.corner(k)
            yield time, Hit((p[0] * grid.step, p[1] * grid.step), normal)
    for k, (_, p, q) in enumerate(boundary.edges):
        e, away = minus(q, p), boundary.normals[k]
        n, height, rate = dot(e, e), dot(away, minus(c, p)), -dot(away, v)
        if rate <= 0 or height < 0 or height * height < r * r * n:
            continue
        # The foot at time (height - r * sqrt(n)) / rate, times rate: at + slope * sqrt(n).
        at = dot(e, minus(c, p)) * rate + height * dot(e, v)
        slope = -r * dot(e, v)
        starts = sign_with_root(at, slope, n)
        stops = sign_with_root(n * rate - at, -slope, n)
        if (starts > 0 < stops) or (r and starts >= 0 <= stops):
            length = root(n)
            time = ratio(height * height - r * r * n, rate) / (height + r * length)
            part = (at + slope * length) / (rate * n)
            x, y = (grid.step * (p[i] + e[i] * part) for i in (0, 1))
            yield time, Hit((x, y), unit(away))

"""Shapes of every kind with a radius: distances, sweeps, overlaps, nearest features.

A shape is a list of segments (a point is one of length zero) and a list of regions. Two shapes come
within a distance exactly when a segment of one comes within it of a segment of the other, or a
region holds a point of the other. Squares of distances are fractions, and so every yes or no is
exact; roots and quotients come last, in decimals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from .exact import Grid, Point, Real, Region, long_decimals, ratio, root
from .points_and_rays import edge_times
from .rings import cross, dot, edges, hull, inside, minus, negative, oriented, plus, segments_meet

Floats = tuple[float, float]
Segment = tuple[Point, Point]


@dataclass(frozen=True)
class Shape:
    """Points, paths (lists of points) or polygons (lists of rings), and the radius."""

    kind: str
    parts: Sequence[Any]
    radius: float = 0.0

    @cached_property
    def rings(self) -> list[list[Floats]]:
        """The rings in the caller's order; a point is one of its own, and so is a path."""
        if self.kind == "point":
            return [[p] for p in self.parts]
        if self.kind == "path":
            return [list(path) for path in self.parts]
        return [list(ring) for rings in self.parts for ring in rings]

    @cached_property
    def vertices(self) -> list[Floats]:
        return [p for ring in self.rings for p in ring]


@dataclass(frozen=True)
class Core:
    """A shape without its radius, on a grid."""

    segments: list[Segment]
    regions: list[Region]

    @cached_property
    def points(self) -> list[Point]:
        return list(dict.fromkeys(p for segment in self.segments for p in segment))


def grid_of(*shapes: Shape, numbers: Sequence[float] = ()) -> Grid:
    """The common grid of shapes, their radii, and some numbers."""
    radii = [shape.radius for shape in shapes]
    return Grid(*(x for s in shapes for p in s.vertices for x in p), *radii, *numbers)


def core_of(shape: Shape, grid: Grid) -> Core:
    if shape.kind == "polygon":
        regions = [oriented(grid.rings(rings)) for rings in shape.parts]
        return Core([e for region in regions for ring in region for e in edges(ring)], regions)
    segments: list[Segment] = []
    for ring in shape.rings:
        points = grid.ring(ring)
        own = [(p, q) for p, q in pairwise(points) if p != q]
        segments += own or [(points[0], points[0])]
    return Core(segments, [])


def moved(core: Core, by: Point) -> Core:
    segments = [(plus(p, by), plus(q, by)) for p, q in core.segments]
    return Core(segments, [[[plus(p, by) for p in ring] for ring in r] for r in core.regions])


def foot(p: Any, a: Any, b: Any) -> tuple[Fraction, Fraction]:
    """The squared distance of a point from a segment, and where on it, 0 to 1, its foot lies."""
    along, to_p = minus(b, a), minus(p, a)
    length = dot(along, along)
    part = min(max(Fraction(dot(along, to_p), length), Fraction(0)), Fraction(1)) if length else 0
    if not 0 < part < 1:
        to_end = minus(p, b if part == 1 else a)
        return Fraction(dot(to_end, to_end)), Fraction(part)
    return Fraction(cross(along, to_p) ** 2, length), Fraction(part)


def segments_gap(a: Segment, b: Segment) -> Fraction:
    """The squared distance of two closed segments."""
    if segments_meet(*a, *b):
        return Fraction(0)
    return min(*(foot(p, *b)[0] for p in a), *(foot(p, *a)[0] for p in b))


def cores_gap(a: Core, b: Core) -> Fraction:
    """The squared distance of two cores."""
    for one, other in ((a, b), (b, a)):
        if any(inside(p, region) for region in other.regions for p in one.points):
            return Fraction(0)
    return min(segments_gap(s, t) for s in a.segments for t in b.segments)


def _reach(grid: Grid, *radii: float) -> int:
    return sum(map(grid.number, radii))


def is_within(a: Shape, b: Shape, margin: float = 0.0) -> bool:
    """Whether the distance of two shapes is at most the margin."""
    grid = grid_of(a, b, numbers=[margin])
    reach = _reach(grid, a.radius, b.radius, margin)
    return cores_gap(core_of(a, grid), core_of(b, grid)) <= reach * reach


def size_of(grid: Grid, *shapes: Shape, numbers: Sequence[float] = ()) -> int:
    """The largest coordinate difference, radii and numbers included."""
    points = [grid.point(p) for shape in shapes for p in shape.vertices]
    widest = max(max(p[k] for p in points) - min(p[k] for p in points) for k in (0, 1))
    lengths = [abs(grid.number(x)) for x in (*(s.radius for s in shapes), *numbers)]
    return int(max([widest, sum(lengths)]))


def root_minus(square: Fraction, number: int) -> Decimal:
    """``sqrt(square) - number``, without cancellation."""
    n, d = square.as_integer_ratio()
    return ratio(n - number * number * d, d) / (root(n, d) + number) if n or number else Decimal(0)


def distance(a: Shape, b: Shape, margin: float = 0.0) -> Decimal:
    """The distance of the cores less radii and margin: negative where only the radii overlap."""
    grid = grid_of(a, b, numbers=[margin])
    reach = _reach(grid, a.radius, b.radius, margin)
    square = cores_gap(core_of(a, grid), core_of(b, grid))
    with long_decimals(square.numerator, square.denominator, reach):
        return root_minus(square, reach) * grid.step


def will_meet(a: Shape, b: Shape, velocity: Floats, margin: float = 0.0) -> bool:
    """Whether the distance is at most the margin at some time of the frame."""
    grid = grid_of(a, b, numbers=[*velocity, margin])
    reach = _reach(grid, a.radius, b.radius, margin)
    first, second, motion = core_of(a, grid), core_of(b, grid), grid.point(velocity)
    limit = reach * reach
    return cores_gap(first, second) <= limit or any(
        segments_gap((p, plus(p, by)), edge) <= limit
        for one, other, by in ((first, second, motion), (second, first, negative(motion)))
        for p in one.points
        for edge in other.segments
    )


def times(p: Point, edge: Segment, motion: Point, reach: int) -> Iterator[Decimal]:
    """When a point that moves first comes within reach of the ends of an edge, and of its sides."""
    speed = dot(motion, motion)
    for end in dict.fromkeys(edge):
        gap = minus(p, end)
        half, rest = -dot(motion, gap), dot(gap, gap) - reach * reach
        if half > 0 and half * half >= speed * rest and rest >= 0:
            time = rest / (half + root(half * half - speed * rest))
            if time <= 1:
                yield time
    along = minus(edge[1], edge[0])
    across, side = cross(along, motion), cross(along, minus(p, edge[0]))
    if side * across >= 0:
        return
    length = dot(along, along)
    outside = side * side - reach * reach * length
    if outside < 0:
        return
    time = outside / ((abs(side) + reach * root(length)) * abs(across))
    place = dot(along, minus(p, edge[0])) + time * dot(along, motion)
    if time <= 1 and 0 <= place <= length:
        yield time


def first_contact(a: Shape, b: Shape, velocity: Floats, margin: float = 0.0) -> Decimal | None:
    """When they come within the margin, 0 where they are at the start."""
    if not will_meet(a, b, velocity, margin):
        return None
    if is_within(a, b, margin):
        return Decimal(0)
    grid = grid_of(a, b, numbers=[*velocity, margin])
    reach = _reach(grid, a.radius, b.radius, margin)
    first, second, motion = core_of(a, grid), core_of(b, grid), grid.point(velocity)
    size = size_of(grid, a, b, numbers=[*velocity, margin])
    with long_decimals(size**4):
        found = [
            time
            for one, other, by in ((first, second, motion), (second, first, negative(motion)))
            for p in one.points
            for edge in other.segments
            for time in times(p, edge, by, reach)
        ]
        # A contact exactly at the end of the frame may round past it.
        return min(found, default=Decimal(1))


def ray_time(origin: Floats, direction: Floats, shape: Shape) -> Fraction | None:
    """When a ray without end first meets a shape without radius."""
    grid = grid_of(shape, numbers=[*origin, *direction])
    start, path, core = grid.point(origin), grid.point(direction), core_of(shape, grid)
    if cores_gap(Core([(start, start)], []), core) == 0:
        return Fraction(0)
    both_ways = [edge for p, q in core.segments for edge in ((p, q), (q, p))]
    found = [time for edge in both_ways for time in edge_times(start, path, *edge)]
    return min(found, default=None)


@dataclass(frozen=True)
class Difference:
    """B - A of two convex shapes, a hull of one point or more, and the reach that rounds it."""

    corners: list[Point]
    reach: int
    grid: Grid

    def support(self, direction: Iterable[float]) -> Fraction:
        """How far it extends along a direction, times the direction's length, without the reach."""
        x, y = map(Fraction, direction)
        return max(p[0] * x + p[1] * y for p in self.corners) * Fraction(self.step)

    @property
    def step(self) -> Fraction:
        return Fraction(1, 1 << self.grid.shift)

    def depth(self) -> Decimal:
        """The origin's distance from the boundary, positive where it lies inside."""
        sides = list(edges(self.corners)) if len(self.corners) > 1 else []
        if len(self.corners) > 2 and all(cross(minus(q, p), negative(p)) >= 0 for p, q in sides):
            square = min(Fraction(cross(p, q) ** 2, _square(minus(q, p))) for p, q in sides)
            with long_decimals(square.numerator, square.denominator, self.reach):
                return (root(*square.as_integer_ratio()) + self.reach) * self.grid.step
        p = self.corners[0]
        square = min((foot((0, 0), p, q)[0] for p, q in sides), default=Fraction(_square(p)))
        with long_decimals(square.numerator, square.denominator, self.reach):
            return -root_minus(square, self.reach) * self.grid.step


def _square(v: Point) -> int:
    return dot(v, v)


def difference(
    a: Shape, b: Shape, margin: float = 0.0, velocity: Floats = (0.0, 0.0)
) -> Difference:
    """That of convex shapes, the first swept by a velocity."""
    grid = grid_of(a, b, numbers=[*velocity, margin])
    motion = grid.point(velocity)
    of_a = [plus(p, by) for p in core_of(a, grid).points for by in ((0, 0), motion)]
    points = {minus(q, p) for p in of_a for q in core_of(b, grid).points}
    corners = hull(list(points)) if len(points) > 1 else list(points)
    return Difference(corners, _reach(grid, a.radius, b.radius, margin), grid)


@dataclass(frozen=True)
class Nearest:
    """The boundary's features that are nearest to a point: kind and index in the caller's order."""

    inside: bool
    square: Fraction
    features: list[tuple[str, int]]
    feet: list[tuple[Fraction, Fraction]]
    grid: Grid


def nearest_features(center: Floats, shape: Shape) -> Nearest:
    """The features of a shape's core that are exactly nearest to a point, lowest index first."""
    grid = grid_of(shape, numbers=center)
    p = grid.point(center)
    found: list[tuple[Fraction, int, str, Any]] = []
    first = 0
    for ring in shape.rings:
        points = grid.ring(ring)
        closed = shape.kind == "polygon"
        while closed and len(points) > 1 and points[0] == points[-1]:
            points.pop()
        ends = [*points[1:], points[0]] if closed else points[1:]
        for k, q in enumerate(points):
            if k == points.index(q):
                found.append((Fraction(_square(minus(p, q))), first + k, "vertex", q))
            if k < len(ends) and ends[k] != q:
                square, part = foot(p, q, ends[k])
                if 0 < part < 1:
                    on = tuple(s + (t - s) * part for s, t in zip(q, ends[k], strict=True))
                    found.append((square, first + k, "edge", on))
        first += len(points)
    square = min(found)[0]
    least = [it for it in found if it[0] == square]
    regions = core_of(shape, grid).regions
    within = square > 0 and any(inside(p, region) for region in regions)
    features = [(kind, index) for _, index, kind, _ in least]
    return Nearest(within, square, features, [on for *_, on in least], grid)


def float_gap(point: Sequence[float], shape: Shape) -> Decimal:
    """How far a point lies from a shape's core boundary, in decimals."""
    p = (float(point[0]), float(point[1]))
    near = nearest_features(p, Shape(shape.kind, shape.parts))
    with long_decimals(near.square.numerator, near.square.denominator):
        return root(*near.square.as_integer_ratio()) * near.grid.step


def as_real(p: tuple[Fraction, Fraction], grid: Grid) -> Real:
    """A point of the grid in decimals."""
    x, y = (ratio(*Fraction(c).as_integer_ratio()) * grid.step for c in p)
    return x, y


def ulp_of(grid: Grid, size: int) -> float:
    """One unit in the last place of a size in steps."""
    return math.ulp(float(Fraction(size, 1 << grid.shift)))

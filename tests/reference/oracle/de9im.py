"""The DE-9IM matrix of two shapes without radius, and the predicates that it defines.

Both shapes are cut into pieces by the vertices of both and by the points in which an edge of one
crosses one of the other. A vertex or a crossing, and the middle of each piece, lie in the interior,
the boundary or the exterior of each shape; so do the faces on both sides of a piece. Whatever the
two shapes have in common contains one of these. Coordinates are rationals, as integers over a
common denominator: a point is ``(x, y, w)`` for ``(x / w, y / w)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from .exact import Grid, Point
from .kinds import Shape, grid_of
from .rings import edges, oriented, turn

Rational = tuple[int, int, int]
Segment = tuple[Point, Point]

PATTERNS = {
    "contains": ["T*****FF*"],
    "within": ["T*F**F***"],
    "covers": ["T*****FF*", "*T****FF*", "***T**FF*", "****T*FF*"],
    "covered_by": ["T*F**F***", "*TF**F***", "**FT*F***", "**F*TF***"],
    "contains_properly": ["T**FF*FF*"],
    "touches": ["FT*******", "F**T*****", "F***T****"],
    "equals": ["T*F**FFF*"],
    "intersects": ["T********", "*T*******", "***T*****", "****T****"],
    "disjoint": ["FF*FF****"],
}
"""Patterns of which a matrix has to match one; "crosses" and "overlaps" depend on dimensions."""


@dataclass(frozen=True)
class Located:
    """A shape as what its points, edges and ends are on a grid."""

    dimension: int
    points: list[Point]
    segments: list[Segment]
    """Those of polygons have the interior on the left."""
    ends: frozenset[Point]
    """The boundary of a path."""

    def at(self, p: Rational) -> str:
        """Whether a point lies in the interior, the boundary or the exterior."""
        x, y, w = p
        if self.dimension == 0:
            return "I" if any(x == u * w and y == v * w for u, v in self.points) else "E"
        odd = False
        for a, b in self.segments:
            (ax, ay), (bx, by) = a, b
            if min(ay, by) * w > y or max(ay, by) * w < y or max(ax, bx) * w < x:
                continue
            side = _side(p, a, b)
            if side == 0 and min(ax, bx) * w <= x:
                is_end = self.dimension == 1 and (x % w or y % w or (x // w, y // w)) in self.ends
                return "B" if self.dimension == 2 or is_end else "I"
            if (ay * w > y) != (by * w > y) and (side > 0) == (by > ay):
                odd = not odd
        return "I" if odd and self.dimension == 2 else "E"

    def beside(self, p: Rational, a: Rational, b: Rational, where: str) -> tuple[str, str]:
        """Where the faces left and right of a piece from a to b lie, whose middle p lies there."""
        if self.dimension < 2 or where != "B":
            inside = "I" if where == "I" and self.dimension == 2 else "E"
            return inside, inside
        for start, end in self.segments:
            if _holds(p, start, end):
                x, y = (b[k] * a[2] - a[k] * b[2] for k in (0, 1))
                along = x * (end[0] - start[0]) + y * (end[1] - start[1])
                return ("I", "E") if along > 0 else ("E", "I")
        raise AssertionError("a point of the boundary lies on an edge")


def _side(p: Rational, a: Point, b: Point) -> int:
    """Positive where a point lies left of the line from a to b."""
    x, y, w = p
    return (b[0] - a[0]) * (y - a[1] * w) - (b[1] - a[1]) * (x - a[0] * w)


def _holds(p: Rational, a: Point, b: Point) -> bool:
    x, y, w = p
    return (
        min(a[0], b[0]) * w <= x <= max(a[0], b[0]) * w
        and min(a[1], b[1]) * w <= y <= max(a[1], b[1]) * w
        and _side(p, a, b) == 0
    )


def _located(shape: Shape, grid: Grid) -> Located:
    if shape.kind == "polygon":
        rings = [ring for part in shape.parts for ring in oriented(grid.rings(part))]
        segments = [(p, q) for ring in rings for p, q in edges(ring) if p != q]
        return Located(2, [p for p, _ in segments], segments, frozenset())
    points = [grid.ring(ring) for ring in shape.rings]
    vertices = [p for ring in points for p in ring]
    segments = [(p, q) for ring in points for p, q in pairwise(ring) if p != q]
    if not segments:
        return Located(0, vertices, [], frozenset())
    count = Counter(p for ring in points for p in (ring[0], ring[-1]))
    return Located(1, vertices, segments, frozenset(p for p, n in count.items() if n % 2))


def _crossing(one: Segment, other: Segment) -> Rational | None:
    """The inner point of both in which two segments cross."""
    (a, b), (c, d) = one, other
    s, t = turn(a, b, c), turn(a, b, d)
    if s * t >= 0 or turn(c, d, a) * turn(c, d, b) >= 0:
        return None
    w = s - t
    x, y = (s * q - t * p for p, q in zip(c, d, strict=True))
    return (x, y, w) if w > 0 else (-x, -y, -w)


def _pieces(segment: Segment, cuts: list[Rational]) -> Iterator[tuple[Rational, Rational]]:
    """The pieces into which points cut a segment, whose ends are among them."""
    (ax, ay), (bx, by) = segment
    axis = int(ax == bx)
    if len(cuts) == 2:
        yield (ax, ay, 1), (bx, by, 1)
        return
    places = {Fraction(p[axis], p[2]): p for p in cuts}
    yield from pairwise(p for _, p in sorted(places.items(), reverse=segment[0] > segment[1]))


def matrix(a: Shape, b: Shape) -> str:
    """The nine dimensions, row by row, F where an intersection is empty."""
    grid = grid_of(a, b)
    shapes = [_located(shape, grid) for shape in (a, b)]
    found = {"EE": 2}

    def add(where: tuple[str, str], dimension: int) -> None:
        key = "".join(where)
        found[key] = max(found.get(key, dimension), dimension)

    vertices = list(dict.fromkeys((*p, 1) for shape in shapes for p in shape.points))
    crossings: dict[Segment, list[Rational]] = {}
    for one in shapes[0].segments:
        for other in shapes[1].segments:
            if (point := _crossing(one, other)) is not None:
                add((shapes[0].at(point), shapes[1].at(point)), 0)
                for segment in (one, other):
                    crossings.setdefault(segment, []).append(point)
    for p in vertices:
        add((shapes[0].at(p), shapes[1].at(p)), 0)
    for segment in dict.fromkeys(s for shape in shapes for s in shape.segments):
        cuts = crossings.get(segment, []) + [p for p in vertices if _holds(p, *segment)]
        for start, end in _pieces(segment, cuts):
            (x, y, w), (u, v, t) = start, end
            middle = x * t + u * w, y * t + v * w, 2 * w * t
            where = [shape.at(middle) for shape in shapes]
            add((where[0], where[1]), 1)
            left, right = zip(
                *(s.beside(middle, start, end, at) for s, at in zip(shapes, where, strict=True)),
                strict=True,
            )
            add(left, 2)
            add(right, 2)
    return "".join(str(found.get(i + j, "F")) for i in "IBE" for j in "IBE")


def holds(predicate: str, a: Shape, b: Shape, of: str | None = None) -> bool:
    """Whether a predicate holds, given the matrix if it is known."""
    of = of or matrix(a, b)
    first, second = _dimension(a), _dimension(b)
    patterns = PATTERNS.get(predicate, [])
    if predicate == "crosses" and first != second:
        patterns = ["T*T******"] if first < second else ["T*****T**"]
    elif predicate == "crosses":
        patterns = ["0********"] if first == 1 else []
    elif predicate == "overlaps":
        patterns = ["1*T***T**" if first == 1 else "T*T***T**"] if first == second else []
    return any(map(_matches, [of] * len(patterns), patterns))


def _matches(found: str, pattern: str) -> bool:
    return all(
        p == "*" or (p == "T" and m != "F") or p == m for m, p in zip(found, pattern, strict=True)
    )


def _dimension(shape: Shape) -> int:
    """A path whose vertices all coincide is a point."""
    if shape.kind == "path":
        return int(any(p != q for path in shape.parts for p, q in pairwise(path)))
    return 0 if shape.kind == "point" else 2

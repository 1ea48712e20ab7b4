"""Rings of exact integer points: what a vertex list means, by the most obvious algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Literal

from .exact import Point, Ring, floats, grid_of

Kind = Literal["convex", "rounding", "concave", "invalid"]


def cross(a: Point, b: Point) -> int:
    return a[0] * b[1] - a[1] * b[0]


def dot(a: Point, b: Point) -> int:
    return a[0] * b[0] + a[1] * b[1]


def minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def plus(a: Point, b: Point) -> Point:
    return a[0] + b[0], a[1] + b[1]


def negative(a: Point) -> Point:
    return -a[0], -a[1]


def outward(edge: Point) -> Point:
    """The outward normal, as long as the edge, of an edge of a counterclockwise ring."""
    return edge[1], -edge[0]


def turn(a: Point, b: Point, c: Point) -> int:
    """Positive when a, b, c turn left; twice the area of their triangle."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def edges(ring: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def twice_area(ring: Sequence[Point]) -> int:
    return sum(cross(p, q) for p, q in edges(ring))


def counterclockwise(ring: Sequence[Point]) -> Ring:
    """The ring without repeated vertices (the closing one is one), wound to the left."""
    kept = [p for i, p in enumerate(ring) if p != ring[i - 1]]
    return kept if twice_area(kept) > 0 else kept[::-1]


def hull(points: Sequence[Point]) -> Ring:
    """The corners of the convex hull, counterclockwise."""
    chains: list[Ring] = []
    ordered = sorted(set(points))
    for sequence in (ordered, ordered[::-1]):
        chain: Ring = []
        for p in sequence:
            while len(chain) > 1 and turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def between(p: Point, a: Point, b: Point) -> bool:
    """Whether p lies on the closed segment from a to b."""
    return turn(a, b, p) == 0 and dot(minus(p, a), minus(p, b)) <= 0


def inside(p: Point, ring: Sequence[Point]) -> bool:
    """Whether p lies in the closed region of a simple ring: on an edge, or by crossing parity."""
    odd = False
    for a, b in edges(ring):
        if between(p, a, b):
            return True
        if (a[1] > p[1]) != (b[1] > p[1]) and (turn(a, b, p) > 0) == (b[1] > a[1]):
            odd = not odd
    return odd


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two closed segments have a point in common."""
    if (
        max(a[0], b[0]) < min(c[0], d[0])
        or max(c[0], d[0]) < min(a[0], b[0])
        or max(a[1], b[1]) < min(c[1], d[1])
        or max(c[1], d[1]) < min(a[1], b[1])
    ):
        return False
    s, t = turn(a, b, c), turn(a, b, d)
    u, w = turn(c, d, a), turn(c, d, b)
    return not (s > 0 < t or s < 0 > t or u > 0 < w or u < 0 > w)


def rings_meet(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Whether the closed regions of two simple rings have a point in common."""
    if any(segments_meet(p, q, r, s) for p, q in edges(a) for r, s in edges(b)):
        return True
    return inside(a[0], b) or inside(b[0], a)


def is_simple(ring: Sequence[Point]) -> bool:
    """Whether a ring without repeated vertices encloses an area and never meets itself."""
    n = len(ring)
    if n < 3 or twice_area(ring) == 0:
        return False
    sides = list(edges(ring))
    for i, (a, b) in enumerate(sides):
        following = sides[(i + 1) % n][1]
        if turn(a, b, following) == 0 and dot(minus(a, b), minus(following, b)) > 0:
            return False
        for j in range(i + 2, n):
            if (j + 1) % n != i and segments_meet(a, b, *sides[j]):
                return False
    return True


def is_convex(ring: Sequence[Point]) -> bool:
    """Whether a simple counterclockwise ring never turns right."""
    return all(turn(ring[i - 2], ring[i - 1], p) >= 0 for i, p in enumerate(ring))


def kind(polygon: Any) -> Kind:
    """What a vertex list is: convex, convex up to rounding, concave, or no polygon at all."""
    points = floats(polygon)
    grid = grid_of(points)
    given = grid.ring(points)
    ring = counterclockwise(given) if len(set(given)) > 2 else []
    if not is_simple(ring):
        return "invalid"
    if is_convex(ring):
        return "convex"
    corners = hull(ring)
    near = all(_near_hull(p, corners, grid.ulp_steps(max(map(abs, p)))) for p in ring)
    return "rounding" if near else "concave"


def _near_hull(p: Point, corners: Ring, unit_in_last_place: Fraction) -> bool:
    """Whether a point of a ring lies within 8 units in the last place of its hull's boundary."""
    reach = 8 * unit_in_last_place
    return any(
        turn(a, b, p) ** 2 <= reach**2 * dot(minus(b, a), minus(b, a)) for a, b in edges(corners)
    )

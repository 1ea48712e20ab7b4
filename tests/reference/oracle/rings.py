"""Rings of exact integer points: what a vertex list means, by the most obvious algorithms.

A region is a list of rings, the shell first, each wound so that the interior is on its left: what
holds for the edges of a shell holds for those of its holes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from .exact import Grid, Point, Region, Ring


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
    return zip(ring, [*ring[1:], *ring[:1]], strict=True)


def twice_area(ring: Sequence[Point]) -> int:
    return sum(cross(p, q) for p, q in edges(ring))


def counterclockwise(ring: Sequence[Point]) -> Ring:
    """The ring without repeated vertices (the closing one is one), wound to the left."""
    kept = [p for i, p in enumerate(ring) if p != ring[i - 1]]
    return kept if twice_area(kept) > 0 else kept[::-1]


def hull(points: Sequence[Point]) -> Ring:
    """The corners of the convex hull, counterclockwise."""
    halves: list[Ring] = []
    ordered = sorted(set(points))
    for sequence in (ordered, ordered[::-1]):
        half: Ring = []
        for p in sequence:
            while len(half) > 1 and turn(half[-2], half[-1], p) <= 0:
                half.pop()
            half.append(p)
        halves.append(half[:-1])
    return halves[0] + halves[1]


def between(p: Point, a: Point, b: Point) -> bool:
    """Whether p lies on the closed segment from a to b."""
    return turn(a, b, p) == 0 and dot(minus(p, a), minus(p, b)) <= 0


def oriented(rings: Sequence[Sequence[Point]]) -> Region:
    """The rings of a polygon without repeated vertices, the interior to the left of each."""
    shell, *holes = map(counterclockwise, rings)
    return [shell, *(hole[::-1] for hole in holes)]


def sides(region: Region) -> Iterator[tuple[Point, Point]]:
    """The edges of all rings."""
    return chain.from_iterable(map(edges, region))


def corners(region: Region) -> Iterator[Point]:
    """The vertices of all rings."""
    return chain.from_iterable(region)


def inside(p: Point, region: Region) -> bool:
    """Whether p lies in the closed region: on an edge, or by crossing parity."""
    odd = False
    for a, b in sides(region):
        if between(p, a, b):
            return True
        if (a[1] > p[1]) != (b[1] > p[1]) and (turn(a, b, p) > 0) == (b[1] > a[1]):
            odd = not odd
    return odd


def on_boundary(p: Point, region: Region) -> bool:
    return any(between(p, a, b) for a, b in sides(region))


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


def regions_meet(a: Region, b: Region) -> bool:
    """Whether two closed regions have a point in common.

    Where no edges meet, each ring lies wholly in the other region or wholly out of it.
    """
    if any(segments_meet(p, q, r, s) for p, q in sides(a) for r, s in sides(b)):
        return True
    return any(inside(ring[0], b) for ring in a) or any(inside(ring[0], a) for ring in b)


def is_convex(ring: Sequence[Point]) -> bool:
    """Whether a simple counterclockwise ring never turns right."""
    return all(turn(ring[i - 2], ring[i - 1], p) >= 0 for i, p in enumerate(ring))


def nearly_convex(ring: Ring, grid: Grid) -> bool:
    """Whether no vertex is farther than rounding from the edge of the hull that it lies along."""
    outline = hull(ring)
    first = ring.index(outline[0])
    edge = -1
    for p in ring[first:] + ring[:first]:
        if p == outline[(edge + 1) % len(outline)]:
            edge += 1
        a, b = outline[edge], outline[(edge + 1) % len(outline)]
        reach = 8 * grid.ulp_steps(max(map(abs, p)))
        if turn(a, b, p) ** 2 > reach**2 * dot(minus(b, a), minus(b, a)):
            return False
    return True

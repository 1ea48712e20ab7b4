"""The area that two polygons have in common, as a sum over pairs of triangles.

A polygon is the sum of the triangles from one point to each of its edges, counted by their
orientation. So the area in common is the sum of those of all pairs of triangles, one of each
polygon. A triangle is clipped by the three half-planes of the other. Everything is a fraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

Point = tuple[Fraction, Fraction]
Ring = list[Point]


def _twice_area(ring: Sequence[Point]) -> Fraction:
    """Twice the area, negative for a clockwise ring."""
    closed = [*ring, *ring[:1]]
    return sum((a * d - b * c for (a, b), (c, d) in pairwise(closed)), Fraction(0))


def _clipped(ring: Ring, start: Point, end: Point) -> Ring:
    """The part of a convex ring on the left of a line."""

    def height(p: Point) -> Fraction:
        (x, y), (u, v) = start, end
        return (u - x) * (p[1] - y) - (v - y) * (p[0] - x)

    found: Ring = []
    for p, q in pairwise([*ring, *ring[:1]]):
        of_p, of_q = height(p), height(q)
        if of_p >= 0:
            found.append(p)
        if of_p * of_q < 0:
            t = of_p / (of_p - of_q)
            found.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
    return found


def _triangles(parts: Sequence[Any], origin: Point) -> Iterator[tuple[int, Ring]]:
    """The triangles from the origin to all edges: their signs, and their corners in order."""
    for rings in parts:
        for index, ring in enumerate(rings):
            points = [(Fraction(x), Fraction(y)) for x, y in ring]
            # Shells count, holes are subtracted, whatever their winding.
            sign = 1 if (_twice_area(points) > 0) == (index == 0) else -1
            for p, q in pairwise([*points, *points[:1]]):
                twice = _twice_area([origin, p, q])
                if twice > 0:
                    yield sign, [origin, p, q]
                elif twice < 0:
                    yield -sign, [origin, q, p]


def common_area(a: Sequence[Any], b: Sequence[Any]) -> Fraction:
    """The area in common of two lists of polygons, which are lists of rings, the shell first."""
    x, y = a[0][0][0]
    origin = Fraction(x), Fraction(y)
    others, twice = list(_triangles(b, origin)), Fraction(0)
    for sign, triangle in _triangles(a, origin):
        for other_sign, other in others:
            common = triangle
            for start, end in pairwise([*other, other[0]]):
                common = _clipped(common, start, end)
            twice += sign * other_sign * _twice_area(common)
    return twice / 2

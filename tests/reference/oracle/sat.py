"""``sat`` by the outline of all differences ``b - a``, built point by point.

The differences of two convex shapes fill a convex polygon. A translation t puts a over b exactly
when t lies inside it, so the shapes meet when the origin lies in it, and the way out is the way
to its nearest edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .exact import (
    TIE,
    Grid,
    Point,
    Real,
    Ring,
    floats,
    grid_of,
    long_decimals,
    ratio,
    root,
    unit,
)
from .rings import cross, dot, edges, hull, minus, negative, outward

Segment = tuple[Real, Real]


@dataclass(frozen=True)
class Way:
    """One way out of an overlap, or one direction of a gap."""

    normal: Real
    depth: Decimal  # negative: the gap
    contacts: list[Segment]  # each an acceptable pair of ends


@dataclass(frozen=True)
class Sat:
    """``ways`` are the equally good ways out when the shapes meet, else all separating normals.

    The best comes first; one that is second by less than a tie may have no contact of its own.
    """

    intersects: bool  # of the hulls; `intersects` proper takes rings as given
    depth: Decimal
    ways: list[Way]
    extent_ulp: Fraction


def extent(*groups: list[Point]) -> int:
    """The largest coordinate difference, in steps."""
    points = [p for group in groups for p in group]
    return max(max(p[k] for p in points) - min(p[k] for p in points) for k in (0, 1))


def sat(a: Any, b: Any) -> Sat:
    """The depth and the directions of the equally short translations out of b; or the directions
    that separate the hulls.
    """
    a, b = floats(a), floats(b)
    grid = grid_of(a, b)
    hulls = hull(grid.ring(a)), hull(grid.ring(b))
    size = extent(*hulls)
    with long_decimals(size):
        depth, ways = ways_out(*hulls, grid)
    return Sat(depth >= 0, max(depth, Decimal(0)), ways, grid.ulp(size))


def ways_out(a: Ring, b: Ring, grid: Grid) -> tuple[Decimal, list[Way]]:
    """The depth (negative: apart) of two convex rings, and the normals that show it."""
    sides = [
        (outward(minus(q, p)), dot(outward(minus(q, p)), p))
        for p, q in edges(hull([minus(q, p) for p in a for q in b]))
    ]
    if any(c < 0 for _, c in sides):
        chosen = [(n, c) for n, c in sides if c < 0]
    else:
        best, c = min(((dot(n, n), c) for n, c in sides), key=lambda s: Fraction(s[1] ** 2, s[0]))
        limit = c**2 * (1 + TIE) ** 2
        chosen = [(n, c) for n, c in sides if c**2 * best <= limit * dot(n, n)]
    ways = []
    for n, c in chosen:
        (x, y), depth = unit(n), c / root(dot(n, n)) * grid.step
        contacts = list(_contacts(a, b, n, grid.step)) if c >= 0 else []
        ways.append(Way((x, y), depth, contacts))
    ways.sort(key=lambda way: abs(way.depth))
    return ways[0].depth, ways


def _contacts(a: Ring, b: Ring, normal: Point, step: Decimal) -> Iterator[Segment]:
    """Clips the most opposed edge of one shape by the edge of the other that gives the normal."""
    for reference, other, n in ((a, b, negative(normal)), (b, a, normal)):
        for r0, r1 in edges(reference):
            m = outward(minus(r1, r0))
            if cross(n, m) == 0 and dot(n, m) > 0:
                yield from _clipped(r0, r1, other, m, step)
                return


def _clipped(r0: Point, r1: Point, other: Ring, m: Point, step: Decimal) -> Iterator[Segment]:
    (mx, my), along = unit(m), minus(r1, r0)
    opposed = []
    for p, q in edges(other):
        x, y = unit(outward(minus(q, p)))
        opposed.append((mx * x + my * y, p, q))
    limit = min(o[0] for o in opposed) + ratio(TIE.numerator, TIE.denominator)
    for cosine, p, q in opposed:
        if cosine > limit:
            continue
        start, end = Fraction(0), Fraction(1)
        for direction, corner in ((along, r0), (negative(along), r1), (negative(m), r0)):
            at_p, at_q = dot(direction, minus(p, corner)), dot(direction, minus(q, corner))
            if at_p < 0 and at_q < 0:
                start, end = Fraction(1), Fraction(0)
            elif at_p < 0:
                start = max(start, Fraction(at_p, at_p - at_q))
            elif at_q < 0:
                end = min(end, Fraction(at_p, at_p - at_q))
        if start <= end:
            yield _along(p, q, start, step), _along(p, q, end, step)


def _along(p: Point, q: Point, part: Fraction, step: Decimal) -> Real:
    x, y = (
        ratio(u * part.denominator + (v - u) * part.numerator, part.denominator) * step
        for u, v in zip(p, q, strict=True)
    )
    return x, y

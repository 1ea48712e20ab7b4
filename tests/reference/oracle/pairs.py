"""``intersects`` and ``distance`` of any two polygons, by every vertex against every edge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .exact import TIE, Grid, Point, Real, Region, grid_of, long_decimals, ratio, rings_of, root
from .rings import corners, cross, dot, minus, oriented, regions_meet, sides
from .sat import extent
from .validity import touch


@dataclass(frozen=True)
class Pair:
    """A nearest pair of points, and the numbers of the edges that each lies on."""

    on_a: Real
    on_b: Real
    sides_a: frozenset[int]
    sides_b: frozenset[int]


@dataclass(frozen=True)
class Distance:
    distance: Decimal
    pairs: list[Pair]
    extent_ulp: Fraction

    @property
    def intersects(self) -> bool:
        return not self.pairs


def regions(a: Any, b: Any) -> tuple[Grid, Region, Region]:
    a, b = rings_of(a), rings_of(b)
    grid = grid_of(*a, *b)
    return grid, oriented(grid.rings(a)), oriented(grid.rings(b))


def intersects(a: Any, b: Any) -> bool:
    """Whether the closed regions meet."""
    _, region_a, region_b = regions(a, b)
    return regions_meet(region_a, region_b)


def touches(a: Any, b: Any) -> bool:
    """Whether the closed regions meet, but not their interiors."""
    _, region_a, region_b = regions(a, b)
    return touch(region_a, region_b)


def nearest_on(p: Point, a: Point, b: Point) -> tuple[int, int, int]:
    """``(squared distance * length, length, foot * length)``: p to the segment, length squared."""
    along, to_p = minus(b, a), minus(p, a)
    length = dot(along, along)
    foot = min(max(dot(along, to_p), 0), length)
    if 0 < foot < length:
        return cross(along, to_p) ** 2, length, foot
    to_end = to_p if foot == 0 else minus(p, b)
    return dot(to_end, to_end) * length, length, foot


def distance(a: Any, b: Any) -> Distance:
    """The distance, and all pairs of a vertex and its nearest point on the other shape at this
    distance.
    """
    grid, region_a, region_b = regions(a, b)
    size = extent(*region_a, *region_b)
    extent_ulp = grid.ulp(size)
    if regions_meet(region_a, region_b):
        return Distance(Decimal(0), [], extent_ulp)
    with long_decimals(size):
        return gap(region_a, region_b, grid.step, extent_ulp)


def gap(region_a: Region, region_b: Region, step: Decimal, extent_ulp: Fraction) -> Distance:
    """The same of regions that are apart on a grid with such steps."""
    found = [(hit, False) for hit in _feet(region_a, region_b)]
    found += [(hit, True) for hit in _feet(region_b, region_a)]
    square, length = min((hit[:2] for hit, _ in found), key=lambda f: Fraction(*f))
    limit = square * (1 + TIE) ** 2
    pairs = []
    for hit, swapped in found:
        if hit[0] * length > limit * hit[1]:
            continue
        ends = (region_b, region_a) if swapped else (region_a, region_b)
        here, there = _ends(hit, *ends, step)
        one, two = (there, here) if swapped else (here, there)
        pairs.append(Pair(one[0], two[0], one[1], two[1]))
    return Distance(root(square, length) * step, pairs, extent_ulp)


_Hit = tuple[int, int, int, int, int]  # squared distance times length, length, foot, vertex, edge
_End = tuple[Real, frozenset[int]]


def _feet(region: Region, other: Region) -> Iterator[_Hit]:
    for i, p in enumerate(corners(region)):
        for j, (q, r) in enumerate(sides(other)):
            yield (*nearest_on(p, q, r), i, j)


def _ends(hit: _Hit, region: Region, other: Region, step: Decimal) -> tuple[_End, _End]:
    """The vertex, and its nearest point on the other region, each with the edges it lies on."""
    _, n, foot, vertex, side = hit
    (x, y), (q, r) = list(corners(region))[vertex], list(sides(other))[side]
    u, v = (ratio(s * n + (t - s) * foot, n) * step for s, t in zip(q, r, strict=True))
    around = frozenset(k for k, ends in enumerate(sides(region)) if (x, y) in ends)
    return ((x * step, y * step), around), ((u, v), frozenset({side}))

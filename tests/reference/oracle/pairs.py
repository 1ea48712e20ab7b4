"""``intersects`` and ``distance`` of any two simple rings, by every vertex against every edge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .exact import TIE, Point, Real, Ring, floats, grid_of, long_decimals, ratio, root
from .rings import counterclockwise, cross, dot, edges, minus, rings_meet
from .separation import extent


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


def intersects(a: Any, b: Any) -> bool:
    """Whether the closed regions meet."""
    a, b = floats(a), floats(b)
    grid = grid_of(a, b)
    return rings_meet(counterclockwise(grid.ring(a)), counterclockwise(grid.ring(b)))


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
    """The gap, and every vertex with its nearest point on the other shape that shows it."""
    a, b = floats(a), floats(b)
    grid = grid_of(a, b)
    ring_a, ring_b = counterclockwise(grid.ring(a)), counterclockwise(grid.ring(b))
    size = extent(ring_a, ring_b)
    extent_ulp = grid.ulp(size)
    if rings_meet(ring_a, ring_b):
        return Distance(Decimal(0), [], extent_ulp)
    found = [(*hit, 0) for hit in _feet(ring_a, ring_b)]
    found += [(*hit, 1) for hit in _feet(ring_b, ring_a)]
    square, length = min(((f[0], f[1]) for f in found), key=lambda f: Fraction(*f))
    limit = square * (1 + TIE) ** 2
    with long_decimals(size):
        pairs = []
        for s, n, foot, vertex, side, swapped in found:
            if s * length > limit * n:
                continue
            ring, other = (ring_b, ring_a) if swapped else (ring_a, ring_b)
            p, q, r = ring[vertex], other[side], other[(side + 1) % len(other)]
            on_edge = tuple(
                ratio(u * n + (v - u) * foot, n) * grid.step for u, v in zip(q, r, strict=True)
            )
            here = (
                (p[0] * grid.step, p[1] * grid.step),
                frozenset({vertex, (vertex - 1) % len(ring)}),
            )
            there = (on_edge[0], on_edge[1]), frozenset({side})
            one, two = (there, here) if swapped else (here, there)
            pairs.append(Pair(one[0], two[0], one[1], two[1]))
        return Distance(root(square, length) * grid.step, pairs, extent_ulp)


def _feet(ring: Ring, other: Ring) -> Iterator[tuple[int, int, int, int, int]]:
    for i, p in enumerate(ring):
        for j, (q, r) in enumerate(edges(other)):
            yield (*nearest_on(p, q, r), i, j)

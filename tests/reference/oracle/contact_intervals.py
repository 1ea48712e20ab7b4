"""``contact_intervals``: all times at which two shapes of any kind touch while one is translated.

The shapes begin or end to touch only when a vertex of one is exactly at the reach of an edge, or of
a vertex, of the other. At each such time they touch. Between two consecutive ones they either touch
all the time or never, which any time between them decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .check import Case
from .exact import Point
from .kinds import Core, Floats, Segment, Shape, core_of, cores_gap, grid_of, moved
from .rings import cross, dot, minus, negative

Interval = tuple[Fraction, Fraction]
ONE_TIME = Fraction(1, 1 << 300)
"""Roots, which are known to some 400 places, are told apart by more than this."""
TIE = Fraction(1, 10**12)


def contact_intervals(
    a: Shape, b: Shape, velocity: Floats, margin: float = 0.0, velocity_b: Floats = (0.0, 0.0)
) -> list[Interval]:
    """Fractions where shapes are sharp; with radii or a margin, to 80 digits."""
    grid = grid_of(a, b, numbers=[*velocity, *velocity_b, margin])
    reach = sum(map(grid.number, (a.radius, b.radius, margin)))
    first, second = core_of(a, grid), core_of(b, grid)
    motion = minus(grid.point(velocity), grid.point(velocity_b))
    found = sorted({t for t in _times(first, second, motion, reach) if 0 <= t <= 1})
    moments = [t for k, t in enumerate(found) if k == 0 or t - found[k - 1] > ONE_TIME]
    stops = [Fraction(0), *(t for t in moments if 0 < t < 1), Fraction(1)]
    pieces = [(t, t) for t in moments]
    pieces += [(t, t) for t in stops[:: len(stops) - 1] if _touch(first, second, motion, reach, t)]
    for one, other in pairwise(stops):
        if _touch(first, second, motion, reach, (one + other) / 2):
            pieces.append((one, other))
    return _joined(sorted(pieces))


def _joined(pieces: list[Interval]) -> list[Interval]:
    """Intervals that touch are one."""
    found: list[Interval] = []
    for start, end in pieces:
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _touch(a: Core, b: Core, motion: Point, reach: int, time: Fraction) -> bool:
    """Whether the cores are within reach at a time: everything times its denominator."""
    n, d = time.as_integer_ratio()
    first = moved(_scaled(a, d), (motion[0] * n, motion[1] * n))
    return cores_gap(first, _scaled(b, d)) <= (reach * d) ** 2


def _scaled(core: Core, by: int) -> Core:
    def times(p: Point) -> Point:
        return p[0] * by, p[1] * by

    segments = [(times(p), times(q)) for p, q in core.segments]
    return Core(segments, [[[times(p) for p in ring] for ring in r] for r in core.regions])


def _times(a: Core, b: Core, motion: Point, reach: int) -> Iterator[Fraction]:
    if motion == (0, 0):
        return
    for one, other, by in ((a, b, motion), (b, a, negative(motion))):
        for p in one.points:
            for edge in other.segments:
                yield from _at_edge(p, edge, by, reach)
    for p in a.points:
        for q in b.points:
            yield from _at_vertex(minus(p, q), motion, reach)


def _at_vertex(gap: Point, motion: Point, reach: int) -> Iterator[Fraction]:
    """When a vertex is exactly at the reach of another, or passes through it."""
    speed, half = dot(motion, motion), dot(motion, gap)
    rest = half * half - speed * (dot(gap, gap) - reach * reach)
    if rest >= 0:
        root = _root(rest)
        yield from {(-half - root) / speed, (-half + root) / speed}


def _at_edge(p: Point, edge: Segment, motion: Point, reach: int) -> Iterator[Fraction]:
    """When a vertex is exactly at the reach of an edge, beside which it is then."""
    along, gap = minus(edge[1], edge[0]), minus(p, edge[0])
    across, length = cross(along, motion), dot(along, along)
    if across == 0:
        return
    for side in (1, -1) if reach else (1,):
        time = (side * _root(reach * reach * length) - cross(along, gap)) / across
        if 0 <= dot(along, gap) + time * dot(along, motion) <= length:
            yield time


def _root(n: int) -> Fraction:
    root = math.isqrt(n)
    return Fraction(root) if root * root == n else Fraction(math.isqrt(n << 800), 1 << 400)


def assert_contact_intervals(
    a: Shape,
    b: Shape,
    velocity: Floats,
    margin: float,
    result: Any,
    velocity_b: Floats = (0.0, 0.0),
) -> list[Interval]:
    """Raises an `AssertionError` that prints all in full precision; returns the exact answer."""
    truth = contact_intervals(a, b, velocity, margin, velocity_b)
    case = Case(result, a=a, b=b, velocity=velocity, velocity_b=velocity_b, margin=margin)
    if result.shape != (len(result), 2) or result.dtype != float:
        raise AssertionError(f"shape {result.shape}, {result.dtype}")
    sharp = a.radius == b.radius == margin == 0
    if not sharp and len(result) != len(truth):
        truth = _closed(truth)
    shown = [(float(t), float(u)) for t, u in truth]
    if len(result) != len(truth):
        raise AssertionError(f"expected {shown}, got {result.tolist()}: {case.inputs}")
    for (start, end), (t, u) in zip(result.tolist(), truth, strict=True):
        good = _is_end(start, t) and _is_end(end, u)
        if not good or (t == u and start != end):
            raise AssertionError(f"expected {shown}, got {result.tolist()}: {case.inputs}")
    return truth


def _closed(intervals: list[Interval]) -> list[Interval]:
    """The intervals without gaps that may be closed, where their ends are rounded roots."""
    found = intervals[:1]
    for start, end in intervals[1:]:
        if start - found[-1][1] < TIE:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _is_end(got: float, true: Fraction) -> bool:
    """Within 1e-10; 0 and 1 exactly where the frame cuts."""
    if true in (0, 1) or got in (0, 1):
        return got == true
    return 0 <= got <= 1 and abs(Fraction(got) - true) <= true * Fraction(1, 10**10)

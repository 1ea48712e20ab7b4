"""Port of the second source, "moving line segments": the path of the intersection point.

Two segments are prolonged to lines. Their intersection at the frame's start and at its end is
joined by a line; where that line meets the path of one of the four end points lies a possible
contact, and the share of the way from the first intersection tells the time. Lines that are
parallel, or nearly so, close in on each other along their normal instead.

Known to be wrong:
- everything hangs on slopes: a nearly vertical line has one so large that the intercept loses
  all digits, and nearly parallel lines are taken as parallel, whatever they do;
- there is no test for containment: a small body wholly inside a large one never hits it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Point = tuple[float, float]
Segment = tuple[Point, Point]

NEARLY_PARALLEL = 1e-6  # difference of slopes; the source names no figure


class Contact(NamedTuple):
    time: float
    point: Point


class Line(NamedTuple):
    """A line through a point; a vertical one has no slope."""

    through: Point
    slope: float | None


def _line(p: Point, q: Point) -> Line:
    return Line(p, None if p[0] == q[0] else (q[1] - p[1]) / (q[0] - p[0]))


def _height(line: Line, x: float) -> float:
    assert line.slope is not None
    return line.slope * (x - line.through[0]) + line.through[1]


def _parallel(one: Line, two: Line) -> bool:
    if one.slope is None or two.slope is None:
        return one.slope == two.slope
    return abs(one.slope - two.slope) < NEARLY_PARALLEL


def _intersection(one: Line, two: Line) -> Point | None:
    if one.slope == two.slope:
        return None
    if one.slope is None:
        return one.through[0], _height(two, one.through[0])
    if two.slope is None:
        return two.through[0], _height(one, two.through[0])
    (x1, y1), (x2, y2) = one.through, two.through
    x = (two.slope * x2 - one.slope * x1 - y2 + y1) / (two.slope - one.slope)
    return x, _height(one, x)


def _at(p: Point, velocity: Point, time: float) -> Point:
    return p[0] + velocity[0] * time, p[1] + velocity[1] * time


def _length(p: Point, q: Point) -> float:
    return math.hypot(q[0] - p[0], q[1] - p[1])


def _on(p: Point, segment: Segment) -> bool:
    """By the distances to both ends, neither of which may exceed the length."""
    length = _length(*segment)
    return max(_length(p, segment[0]), _length(p, segment[1])) <= length


def segment_contact(one: Segment, v1: Point, two: Segment, v2: Point) -> Contact | None:
    """The first contact of two moving segments within a frame."""
    if _parallel(_line(*one), _line(*two)):
        return _parallel_contact(one, v1, two, v2)
    start = _intersection(_line(*one), _line(*two))
    moved = [_line(_at(s[0], v, 1), _at(s[1], v, 1)) for s, v in ((one, v1), (two, v2))]
    end = _intersection(moved[0], moved[1])
    if start is None or end is None or start == end:
        return None
    found = []
    for ends, v, other, w in ((one, v1, two, v2), (two, v2, one, v1)):
        for p in ends:
            point = (
                p if v == (0.0, 0.0) else _intersection(_line(start, end), _line(p, _at(p, v, 1)))
            )
            if point is None:
                continue
            ahead = (point[0] - start[0]) * (end[0] - start[0])
            ahead += (point[1] - start[1]) * (end[1] - start[1])
            time = math.copysign(_length(start, point), ahead) / _length(start, end)
            there = _at(other[0], w, time), _at(other[1], w, time)
            if 0 <= time <= 1 and _on(point, there):
                found.append(Contact(time, point))
    return min(found, default=None)


def _parallel_contact(one: Segment, v1: Point, two: Segment, v2: Point) -> Contact | None:
    """Two lines closing in along their normal: one distance, one rate, one instant."""
    along = two[1][0] - two[0][0], two[1][1] - two[0][1]
    normal = -along[1] / math.hypot(*along), along[0] / math.hypot(*along)
    gap = (two[0][0] - one[0][0]) * normal[0] + (two[0][1] - one[0][1]) * normal[1]
    rate = (v1[0] - v2[0]) * normal[0] + (v1[1] - v2[1]) * normal[1]
    if rate == 0 or not 0 <= gap / rate <= 1:
        return None
    time = gap / rate
    red = _at(one[0], v1, time), _at(one[1], v1, time)
    blue = _at(two[0], v2, time), _at(two[1], v2, time)
    touching = [p for p in red if _on(p, blue)] + [p for p in blue if _on(p, red)]
    return Contact(time, touching[0]) if touching else None


def _sides(ring: Sequence[Point]) -> Iterator[Segment]:
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def first_contact(
    a: Sequence[Point], v1: Point, b: Sequence[Point], v2: Point = (0.0, 0.0)
) -> Contact | None:
    """The first contact of two moving polygons: of each segment with each."""
    found = [segment_contact(s, v1, t, v2) for s in _sides(a) for t in _sides(b)]
    return min((contact for contact in found if contact is not None), default=None)

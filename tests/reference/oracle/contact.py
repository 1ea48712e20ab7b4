"""Where two shapes touch that don't overlap, and the normals of each such place.

Edges that lie against each other have a stretch in common, which ends where the last of the edges
along one line does. Any other contact is a point, and its normals depend on the two corners that
face each other there: how each shape's boundary leaves the free space around the point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import combinations_with_replacement

from .exact import Point, Real, Region, bisector, unit
from .rings import between, corners, cross, dot, minus, negative, on_boundary, outward, sides
from .sat import Segment

Stretch = tuple[Point, Point]


@dataclass(frozen=True)
class Touch:
    """One place of a contact: its ends and its normals, of which either may be one of several."""

    ends: list[Segment]
    normals: list[Real]


@dataclass(frozen=True)
class Corner:
    """The outward normals of the edges by which a boundary enters and leaves a point."""

    before: Point
    after: Point

    @property
    def is_notch(self) -> bool:
        return cross(self.before, self.after) < 0

    def reversed(self) -> Corner:
        """With the normals the other shape would have to match."""
        return Corner(negative(self.before), negative(self.after))

    def allows(self, n: Point) -> bool:
        """Whether a line with the normal n, at a corner that is no notch, has it on one side."""
        ahead = dot(n, self.before) > 0 or dot(n, self.after) > 0
        return cross(self.before, n) >= 0 and cross(n, self.after) >= 0 and ahead


def contact(a: Region, b: Region, step: Decimal) -> list[Touch]:
    """All places where two regions touch that have no interior point in common."""
    found = [
        Touch([(_real(p, step), _real(q, step))], [unit(negative(outward(minus(q, p))))])
        for p, q in stretches(a, b)
    ]
    for p in points(a, b):
        alone = not any(between(p, *stretch) for stretch in stretches(a, b))
        facing = corners_at(p, a, b)
        if alone or any(corner.is_notch for corner in facing):
            found.append(Touch([(_real(p, step), _real(p, step))], normals(*facing)))
    return found


def mingled(touches: list[Touch]) -> Touch:
    """Any normal of the touches with any two of their points.

    Sides of a notch that are reached at almost the same time count alone as well as together, and
    so do the ends of edges that are almost parallel.
    """
    places = sorted({p for touch in touches for ends in touch.ends for p in ends})
    directions = [n for touch in touches for n in touch.normals]
    return Touch(list(combinations_with_replacement(places, 2)), directions)


def _real(p: Point, step: Decimal) -> Real:
    return p[0] * step, p[1] * step


def points(a: Region, b: Region) -> set[Point]:
    """The vertices of each that lie on the boundary of the other."""
    return {p for p in corners(a) if on_boundary(p, b)} | {
        p for p in corners(b) if on_boundary(p, a)
    }


def stretches(a: Region, b: Region) -> list[Stretch]:
    """The segments that edges of a, running that way, share with edges of b: as long as they get.

    Edges that follow each other along one line count as one.
    """
    found: list[Stretch] = []
    for stretch in _shared(a, b):
        for other in [s for s in found if _in_line(s, stretch)]:
            found.remove(other)
            stretch = _joined(stretch, other)
        found.append(stretch)
    return found


def _shared(a: Region, b: Region) -> Iterator[Stretch]:
    """What each edge of a shares with each edge of b, if it is more than a point."""
    for p, q in sides(a):
        along = minus(q, p)
        for r, s in sides(b):
            if cross(along, minus(r, p)) == 0 == cross(along, minus(s, p)):
                ahead = sorted((dot(along, r), dot(along, s)))
                if ahead[0] < dot(along, q) and ahead[1] > dot(along, p):
                    inner = sorted((p, q, r, s), key=partial(dot, along))[1:3]
                    yield inner[0], inner[1]


def _in_line(one: Stretch, other: Stretch) -> bool:
    """Whether two stretches run the same way along one line and have a point in common."""
    along = minus(one[1], one[0])
    same = dot(along, minus(other[1], other[0])) > 0
    flat = all(cross(along, minus(p, one[0])) == 0 for p in other)
    return same and flat and (between(other[0], *one) or between(one[0], *other))


def _joined(one: Stretch, other: Stretch) -> Stretch:
    along = minus(one[1], one[0])
    ordered = sorted((*one, *other), key=partial(dot, along))
    return ordered[0], ordered[-1]


def corners_at(p: Point, a: Region, b: Region) -> tuple[Corner, Corner]:
    """The corners with which a and b face each other at a point where they touch."""
    return corner_at(p, a, some_way(p, b)), corner_at(p, b, some_way(p, a))


def ways(p: Point, region: Region) -> tuple[list[Point], list[Point]]:
    """The directions in which the boundary leaves a point of it, and those it comes from."""
    leaving, coming = [], []
    for q, r in sides(region):
        if p != r and between(p, q, r):
            leaving.append(minus(r, p))
        if p != q and between(p, q, r):
            coming.append(minus(q, p))
    return leaving, coming


def some_way(p: Point, region: Region) -> Point:
    return ways(p, region)[0][0]


def corner_at(p: Point, region: Region, toward: Point) -> Corner:
    """The corner whose free side holds a direction; rings that touch have more than one there.

    Counterclockwise, free space begins at a direction that the boundary comes from and ends at
    one in which it leaves. The direction may lie along the former.
    """
    leaving, coming = ways(p, region)
    start, end = coming[0], leaving[0]
    for way in coming:
        start = way if is_turn_before(toward, start, way) else start
    for way in leaving:
        end = way if is_turn_before(toward, way, end) else end
    return Corner(outward(negative(start)), outward(end))


def is_turn_before(reference: Point, one: Point, other: Point) -> bool:
    """Whether a counterclockwise turn from a reference meets one direction before another.

    The reference itself is met last.
    """
    halves = [_half(reference, way) for way in (one, other)]
    return halves[0] < halves[1] or (halves[0] == halves[1] and cross(one, other) > 0)


def _half(reference: Point, way: Point) -> int:
    """Which half of a turn meets a direction; 2 for the whole turn."""
    side = cross(reference, way)
    if side == 0 and dot(reference, way) > 0:
        return 2
    return 0 if side > 0 else 1


def normals(a: Corner, b: Corner) -> list[Real]:
    """The bisector of a notch's sides, or of the outermost normals that two corners allow.

    There is none at corners that overlap, as they may by less than a tie after the first contact.
    """
    a = a.reversed()
    for corner in (a, b):
        if corner.is_notch:
            return [bisector(corner.before, corner.after)]
    rays = [a.before, a.after, b.before, b.after]
    shared = [n for n in rays if a.allows(n) and b.allows(n)]
    lowest = [n for n in shared if all(cross(n, m) >= 0 for m in shared)]
    highest = [n for n in shared if all(cross(m, n) >= 0 for m in shared)]
    return [bisector(lowest[0], highest[0])] if shared else []

"""``swept_collision`` by every vertex of one ring travelling to every edge of the other.

Two shapes that start apart first touch with a vertex of one on an edge of the other, so the
first contact is the least of finitely many fractions. Which normals it has is read off the
rings as they stand at that time, scaled so that they still have integer coordinates.
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
    bisector,
    floats,
    grid_of,
    long_decimals,
    ratio,
    unit,
)
from .rings import (
    between,
    counterclockwise,
    cross,
    dot,
    edges,
    hull,
    is_convex,
    minus,
    negative,
    outward,
    plus,
    rings_meet,
)
from .separation import Segment, Way, extent, ways_out

Event = tuple[int, int]  # numerator and denominator of a time


@dataclass(frozen=True)
class Touch:
    """The contact at one time: its ends, and the normals that it may have.

    Rings with dents may touch in several places at once; any two of their points may then be
    the ends.
    """

    ends: list[Segment]
    normals: list[Real]


@dataclass(frozen=True)
class SweptCollision:
    """``touches`` holds the first contact and any other within 1e-12 of its time.

    ``clearance`` are the ways out of the whole sweep, or the normals that keep it clear.
    """

    intersects: bool
    will_intersect: bool
    time: Decimal | None
    touches: list[Touch]
    now: list[Way]  # the answers of `sat` where the hulls meet now
    clearance: list[Way]
    extent_ulp: Fraction


def swept_collision(a: Any, b: Any, velocity: Any) -> SweptCollision:
    """When a, moving by velocity, first touches b, where, and how to stay clear of it."""
    a, b, (v,) = floats(a), floats(b), floats([velocity])
    grid = grid_of(a, b, [v])
    ring_a, ring_b = counterclockwise(grid.ring(a)), counterclockwise(grid.ring(b))
    motion = grid.point(v)
    size = max(extent(ring_a, ring_b), abs(motion[0]), abs(motion[1]))
    hull_a, hull_b = hull(ring_a), hull(ring_b)
    swept = hull([*hull_a, *(plus(p, motion) for p in hull_a)])
    intersects = rings_meet(ring_a, ring_b)
    time, touches, now = None, [], []
    with long_decimals(size):
        if intersects:
            time, now = Decimal(0), [w for w in ways_out(hull_a, hull_b, grid)[1] if w.depth >= 0]
        else:
            first = first_contact(ring_a, ring_b, motion)
            if first is not None:
                time = ratio(*first)
                touches = list(_touches(ring_a, ring_b, motion, first, grid))
        clearance = ways_out(swept, hull_b, grid)[1]
    return SweptCollision(
        intersects, time is not None, time, touches, now, clearance, grid.ulp(size)
    )


def arrivals(points: Ring, ring: Ring, motion: Point) -> Iterator[Event]:
    """The times from 0 to 1 at which moving points reach the edges of a resting ring.

    A point that travels along the line of an edge reaches it at an end, where the ring has
    another edge, so that edge may be left out.
    """
    for q, r in edges(ring):
        along = minus(r, q)
        speed = cross(motion, along)
        sign = (speed > 0) - (speed < 0)
        for p in points if sign else []:
            to_edge = minus(q, p)
            time, place = sign * cross(to_edge, along), sign * cross(to_edge, motion)
            if 0 <= time <= abs(speed) and 0 <= place <= abs(speed):
                yield time, abs(speed)


def first_contact(a: Ring, b: Ring, motion: Point) -> Event | None:
    """The time at which two rings that are apart first touch, if they do."""
    events = [*arrivals(a, b, motion), *arrivals(b, a, negative(motion))]
    best: Event | None = None
    for event in events:
        if best is None or event[0] * best[1] < best[0] * event[1]:
            best = event
    return best


def _touches(a: Ring, b: Ring, motion: Point, first: Event, grid: Grid) -> Iterator[Touch]:
    near = {Fraction(*first)}
    for n, d in [*arrivals(a, b, motion), *arrivals(b, a, negative(motion))]:
        if n * first[1] <= first[0] * d * (1 + TIE):
            near.add(Fraction(n, d))
    for time in sorted(near):
        d = time.denominator
        moved = [
            (x * d + motion[0] * time.numerator, y * d + motion[1] * time.numerator) for x, y in a
        ]
        rested = [(x * d, y * d) for x, y in b]
        yield contact(moved, rested, grid.step / d)


def contact(a: Ring, b: Ring, step: Decimal) -> Touch:
    """The ends and normals of the contact of two rings that touch without overlapping."""
    points = sorted(
        {p for p in a if any(between(p, q, r) for q, r in edges(b))}
        | {p for p in b if any(between(p, q, r) for q, r in edges(a))}
    )
    flush = _flush_normals(a, b)
    normals = flush or [n for p in points for n in _normals_at(p, a, b)]
    ends = [(points[0], points[-1])]
    if not (is_convex(a) and is_convex(b)):
        ends += [(p, q) for p in points for q in points]
    return Touch([(_real(p, step), _real(q, step)) for p, q in ends], normals)


def _real(p: Point, step: Decimal) -> Real:
    return p[0] * step, p[1] * step


def _flush_normals(a: Ring, b: Ring) -> list[Real]:
    """The normals of edges of a that lie along edges of b for more than a point."""
    found = []
    for p, q in edges(a):
        along = minus(q, p)
        for r, s in edges(b):
            if cross(along, minus(s, r)) == 0 == cross(along, minus(r, p)):
                ahead = sorted((dot(along, minus(r, p)), dot(along, minus(s, p))))
                if ahead[0] < dot(along, along) and ahead[1] > 0:
                    found.append(unit(negative(outward(along))))
    return found


def _cone(p: Point, ring: Ring) -> tuple[Point, Point, bool]:
    """The outward normals before and after a boundary point, and whether it is a notch."""
    for i, q in enumerate(ring):
        if p == q:
            before = outward(minus(q, ring[i - 1]))
            after = outward(minus(ring[(i + 1) % len(ring)], q))
            return before, after, cross(before, after) < 0
    along = next(minus(r, q) for q, r in edges(ring) if between(p, q, r))
    return outward(along), outward(along), False


def _normals_at(p: Point, a: Ring, b: Ring) -> list[Real]:
    """At a single point: the bisector of the outermost normals that both shapes allow.

    A vertex in a notch may touch one side first by rounding alone, so the sides' own normals count
    there as well as the bisector between them.
    """
    first_a, last_a, notch_a = _cone(p, a)
    cone_a = negative(first_a), negative(last_a)
    first_b, last_b, notch_b = _cone(p, b)
    rays = [*cone_a, first_b, last_b]
    if notch_a or notch_b:
        sides = cone_a if notch_a else (first_b, last_b)
        return [*(unit(n) for n in rays), bisector(*sides)]
    shared = [n for n in rays if _within(n, *cone_a) and _within(n, first_b, last_b)]
    lowest = [n for n in shared if all(cross(n, m) >= 0 for m in shared)]
    highest = [n for n in shared if all(cross(m, n) >= 0 for m in shared)]
    return [bisector(lowest[0], highest[0])] if shared else []


def _within(n: Point, first: Point, last: Point) -> bool:
    ahead = dot(n, first) > 0 or dot(n, last) > 0
    return cross(first, n) >= 0 and cross(n, last) >= 0 and ahead

"""``swept_collision`` by every vertex of one polygon travelling to every edge of the other.

Two shapes that start apart first touch with a vertex of one on an edge of the other, so the
first contact is the least of finitely many fractions. Where they touch and which normals that has
is read off the shapes as they stand at that time, by ``contact``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .contact import Touch, contact, mingled
from .exact import TIE, Grid, Point, Region, floats, grid_of, long_decimals, ratio, rings_of
from .rings import (
    corners,
    cross,
    hull,
    is_convex,
    minus,
    nearly_convex,
    negative,
    oriented,
    plus,
    regions_meet,
    sides,
)
from .sat import Way, extent, ways_out

Event = tuple[int, int]  # numerator and denominator of a time


@dataclass(frozen=True)
class SweptCollision:
    """``touches`` holds the places of the first contact and of any within 1e-12 of its time.

    ``now`` and ``clearance`` are those of convex pairs. The first are the answers of `sat` where
    the hulls meet now, the second the ways out of the whole sweep, or the normals that keep it
    clear.
    """

    intersects: bool
    convex: bool
    time: Decimal | None
    touches: list[Touch]
    now: list[Way]
    clearance: list[Way]
    extent_ulp: Fraction

    @property
    def will_intersect(self) -> bool:
        return self.time is not None


def swept_collision(a: Any, b: Any, velocity: Any, velocity_b: Any = (0, 0)) -> SweptCollision:
    """When a, moving by velocity, first touches b, where, and how to stay clear of it.

    Places are relative to b, which moves by velocity_b.
    """
    a, b, (u, v) = rings_of(a), rings_of(b), floats([velocity, velocity_b])
    grid = grid_of(*a, *b, [u, v])
    region_a, region_b = oriented(grid.rings(a)), oriented(grid.rings(b))
    motion = minus(grid.point(u), grid.point(v))
    size = max(extent(*region_a, *region_b), abs(motion[0]), abs(motion[1]))
    intersects = regions_meet(region_a, region_b)
    first = (0, 1) if intersects else first_contact(region_a, region_b, motion)
    touches: list[Touch] = []
    now: list[Way] = []
    clearance: list[Way] = []
    convex = _has_hull(region_a, grid) and _has_hull(region_b, grid)
    with long_decimals(size):
        if convex:
            hull_a, hull_b = hull(region_a[0]), hull(region_b[0])
            swept = hull([*hull_a, *(plus(p, motion) for p in hull_a)])
            clearance = ways_out(swept, hull_b, grid)[1]
            now = [w for w in ways_out(hull_a, hull_b, grid)[1] if w.depth >= 0]
        if first is not None and not intersects:
            touches = _touches(region_a, region_b, motion, first, grid)
        time = None if first is None else ratio(*first)
    return SweptCollision(
        intersects, convex, time, touches, now if intersects else [], clearance, grid.ulp(size)
    )


def will_intersect(a: Any, b: Any, velocity: Any) -> bool:
    """Whether a, moving by velocity, ever touches b."""
    a, b, (v,) = rings_of(a), rings_of(b), floats([velocity])
    grid = grid_of(*a, *b, [v])
    region_a, region_b = oriented(grid.rings(a)), oriented(grid.rings(b))
    return first_contact(region_a, region_b, grid.point(v)) is not None or regions_meet(
        region_a, region_b
    )


def _has_hull(region: Region, grid: Grid) -> bool:
    """Whether the shape is taken for its hull: convex, at least up to rounding."""
    return len(region) == 1 and nearly_convex(region[0], grid)


def arrivals(points: list[Point], region: Region, motion: Point) -> Iterator[Event]:
    """The times from 0 to 1 at which moving points reach the edges of a resting region.

    A point that travels along the line of an edge reaches it at an end, where the ring has
    another edge, so that edge may be left out.
    """
    for q, r in sides(region):
        along = minus(r, q)
        speed = cross(motion, along)
        sign = (speed > 0) - (speed < 0)
        for p in points if sign else ():
            to_edge = minus(q, p)
            time, place = sign * cross(to_edge, along), sign * cross(to_edge, motion)
            if 0 <= time <= abs(speed) and 0 <= place <= abs(speed):
                yield time, abs(speed)


def _events(a: Region, b: Region, motion: Point) -> Iterator[Event]:
    yield from arrivals(list(corners(a)), b, motion)
    yield from arrivals(list(corners(b)), a, negative(motion))


def first_contact(a: Region, b: Region, motion: Point) -> Event | None:
    """The time at which two regions that are apart first touch, if they do."""
    best: Event | None = None
    for event in _events(a, b, motion):
        if best is None or event[0] * best[1] < best[0] * event[1]:
            best = event
    return best


def _touches(a: Region, b: Region, motion: Point, first: Event, grid: Grid) -> list[Touch]:
    """The places of contact; mingled where it takes more than exactness to tell them apart."""
    near = {Fraction(*first)}
    for n, d in _events(a, b, motion):
        if n * first[1] <= first[0] * d * (1 + TIE):
            near.add(Fraction(n, d))
    found = [
        touch
        for time in sorted(near)
        for touch in contact(*at_time(a, b, motion, time), grid.step / time.denominator)
    ]
    hulls = all(_has_hull(region, grid) for region in (a, b))
    rounding = hulls and not all(is_convex(region[0]) for region in (a, b))
    return [*found, mingled(found)] if len(near) > 1 or rounding else found


def at_time(a: Region, b: Region, motion: Point, time: Fraction) -> tuple[Region, Region]:
    """Both regions as they stand at a time, scaled so that they still have integer coordinates."""
    n, d = time.as_integer_ratio()
    moved = [[(x * d + motion[0] * n, y * d + motion[1] * n) for x, y in ring] for ring in a]
    return moved, [[(x * d, y * d) for x, y in ring] for ring in b]

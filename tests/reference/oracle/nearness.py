"""How near moving polygons come, whether within a distance, and the first contact of a trajectory.

Everything is an integer on one grid: the difference of two velocities, and where an obstacle is
after some steps. Two shapes that don't meet are nearest with a vertex of one at an edge of the
other, so the vertex's path is held against that edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .exact import TIE, Grid, Point, Region, floats, grid_of, long_decimals, rings_of, root
from .pairs import Distance, gap, nearest_on
from .rings import corners, minus, negative, oriented, plus, regions_meet, segments_meet, sides
from .sat import extent
from .sweep import at_time, first_contact

STILL: Point = (0, 0)
Span = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Approach:
    """The least distance, and the spans of time in which it is reached, to within 1e-12."""

    distance: Decimal
    spans: list[Span]
    extent_ulp: Fraction
    grid: Grid
    a: Region
    b: Region
    motion: Point

    def at(self, time: Fraction) -> Distance:
        """The nearest pairs of points then."""
        placed = at_time(self.a, self.b, self.motion, time)
        with long_decimals(extent(*placed[0], *placed[1])):
            return gap(*placed, self.grid.step / time.denominator, self.extent_ulp)


def closest_approach(a: Any, b: Any, velocity: Any) -> Approach:
    """How near a comes to b; of polygons that meet, the first contact."""
    a, b, (v,) = rings_of(a), rings_of(b), floats([velocity])
    grid = grid_of(*a, *b, [v])
    first, second, motion = oriented(grid.rings(a)), oriented(grid.rings(b)), grid.point(v)
    size = max(extent(*first, *second), *map(abs, motion))
    event = (0, 1) if regions_meet(first, second) else first_contact(first, second, motion)
    if event is not None:
        square, spans = Fraction(0), [(Fraction(*event),) * 2]
    else:
        found = [*_passes(first, second, motion), *_passes(second, first, negative(motion))]
        square = min(found)[0]
        spans = [span for by, span in found if by <= square * (1 + TIE) ** 2]
    with long_decimals(size):
        distance = root(*square.as_integer_ratio()) * grid.step
    return Approach(distance, spans, grid.ulp(size), grid, first, second, motion)


def _passes(a: Region, b: Region, motion: Point) -> Iterator[tuple[Fraction, Span]]:
    """How near each vertex of a comes to each edge of b: the square, from when and until when."""
    for p in corners(a):
        for q, r in sides(b):
            spots = [
                (*nearest_on(plus(p, motion), q, r)[:2], 1, 1),
                (*nearest_on(p, q, r)[:2], 0, 1),
            ]
            for end in (q, r) if motion != STILL else ():
                square, length, foot = nearest_on(end, p, plus(p, motion))
                spots.append((square, length, foot, length))
            found = [(Fraction(*spot[:2]), Fraction(*spot[2:])) for spot in spots]
            least = min(found)[0]
            times = [time for square, time in found if square == least]
            yield least, (min(times), max(times))


def comes_within(a: Any, b: Any, velocity_a: Any, velocity_b: Any, margin: float) -> bool:
    """Whether a and b, each moving by its velocity, come within the margin at some time."""
    a, b, (u, v) = rings_of(a), rings_of(b), floats([velocity_a, velocity_b])
    grid = grid_of(*a, *b, [u, v], [(margin, 0.0)])
    first, second = oriented(grid.rings(a)), oriented(grid.rings(b))
    motion = minus(grid.point(u), grid.point(v))
    return (
        regions_meet(first, second)
        or first_contact(first, second, motion) is not None
        or _within(first, second, motion, grid.number(margin))
        or _within(second, first, negative(motion), grid.number(margin))
    )


def _within(a: Region, b: Region, motion: Point, margin: int) -> bool:
    """Whether a vertex of a comes within the margin of an edge of b."""
    return any(
        _segments_within(p, plus(p, motion), q, r, margin)
        for p in corners(a)
        for q, r in sides(b)
        if q != r
    )


def _segments_within(a: Point, b: Point, c: Point, d: Point, margin: int) -> bool:
    if segments_meet(a, b, c, d):
        return True
    ends = [(a, c, d), (b, c, d)] + ([(c, a, b), (d, a, b)] if a != b else [])
    for p, q, r in ends:
        squared, scale, _ = nearest_on(p, q, r)
        if squared <= margin * margin * scale:
            return True
    return False


def trajectory(
    placed: list[Any], positions: Any, obstacles: list[Any], velocities: Any
) -> tuple[int, Fraction, int] | None:
    """The step, the time in it and the obstacle of the first contact; the first of equals."""
    positions, velocities = floats(positions), floats(velocities)
    shapes = [rings_of(polygon) for polygon in (*placed, *obstacles)]
    grid = grid_of(*(ring for rings in shapes for ring in rings), positions, velocities)
    regions = [oriented(grid.rings(rings)) for rings in shapes]
    places, drifts = grid.ring(positions), grid.ring(velocities)
    last = len(placed) - 1
    for step in range(len(placed)):
        found = []
        for row, drift in enumerate(drifts):
            there = _moved(regions[len(placed) + row], (step * drift[0], step * drift[1]))
            motion = STILL if step == last else minus(minus(places[step + 1], places[step]), drift)
            if regions_meet(regions[step], there):
                found.append((Fraction(0), row))
            elif event := first_contact(regions[step], there, motion):
                found.append((Fraction(*event), row))
        if found:
            return step, *min(found)
    return None


def _moved(region: Region, by: Point) -> Region:
    return [[plus(p, by) for p in ring] for ring in region]

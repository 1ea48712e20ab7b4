"""``locate``, ``nearest``, ``ray_cast``, ``area``, ``centroid``: edge by edge, in fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from .exact import Grid, Point, Real, Region, floats, grid_of, long_decimals, ratio, rings_of, unit
from .pairs import nearest_on
from .rings import (
    between,
    corners,
    cross,
    dot,
    inside,
    minus,
    on_boundary,
    oriented,
    outward,
    plus,
    regions_meet,
    sides,
)
from .sat import extent


def _regions(areas: Sequence[Any], *points: Any) -> tuple[Grid, list[Region], list[list[Point]]]:
    """Areas and lists of points on one grid."""
    shapes, lists = [rings_of(area) for area in areas], [floats(each) for each in points]
    grid = grid_of(*(ring for rings in shapes for ring in rings), *lists)
    return grid, [oriented(grid.rings(rings)) for rings in shapes], list(map(grid.ring, lists))


class Measures(NamedTuple):
    area: Fraction
    centroid: tuple[Fraction, Fraction]
    extent: Fraction
    extent_ulp: Fraction


def measures(area: Any) -> Measures:
    grid, [region], _ = _regions([area])
    terms = [(plus(p, q), cross(p, q)) for p, q in sides(region)]
    twice = sum(by for _, by in terms)
    x, y = (Fraction(sum(p[k] * by for p, by in terms), 3 * twice << grid.shift) for k in (0, 1))
    size, step = extent(*region), Fraction(1, 1 << grid.shift)
    return Measures(step * step * twice / 2, (x, y), step * size, grid.ulp(size))


def locate(points: Any, area: Any) -> list[int]:
    """-1 for each point outside, 0 on the boundary, 1 inside."""
    _, [region], [there] = _regions([area], points)
    return [0 if on_boundary(p, region) else 1 if inside(p, region) else -1 for p in there]


def nearest(
    area: Any, others: Sequence[Any], k: int, max_distance: float
) -> list[tuple[int, Fraction]]:
    """The nearest k of the others with their squared distances, of equals the lowest index."""
    reach = [(max_distance if math.isfinite(max_distance) else 0.0, 0.0)]
    grid, [region, *regions], [[(limit, _)]] = _regions([area, *others], reach)
    step = Fraction(1, 1 << grid.shift)
    found = sorted((_squared_distance(region, other), row) for row, other in enumerate(regions))
    near = [
        (row, square * step * step)
        for square, row in found
        if not math.isfinite(max_distance) or square <= limit * limit
    ]
    return near[:k]


def _squared_distance(a: Region, b: Region) -> Fraction:
    if regions_meet(a, b):
        return Fraction(0)
    return min(
        Fraction(*nearest_on(p, q, r)[:2])
        for first, second in ((a, b), (b, a))
        for p in corners(first)
        for q, r in sides(second)
        if q != r
    )


def ray_cast(
    origin: Any, direction: Any, areas: Sequence[Any], length: float
) -> tuple[Fraction, int] | None:
    """The time at which a ray first meets an area, and the lowest index of those met then."""
    _, regions, [[start, path]] = _regions(areas, [origin, direction])
    met = [(time, row) for row, area in enumerate(regions) for time in _times(start, path, area)]
    first = min(met, default=None)
    if first is None or (math.isfinite(length) and first[0] > Fraction(length)):
        return None
    return first


@dataclass(frozen=True)
class Hit:
    """Where a ray meets a polygon at a time, and the normals of the edges that it enters there."""

    time: Decimal
    point: tuple[Fraction, Fraction]
    normals: list[Real]
    extent_ulp: Fraction


def hit(origin: Any, direction: Any, area: Any, time: Fraction) -> Hit:
    grid, [region], [[start, path]] = _regions([area], [origin, direction])
    n, d = time.as_integer_ratio()
    at = start[0] * d + path[0] * n, start[1] * d + path[1] * n
    size = extent(*region, [start])
    with long_decimals(size):
        normals = [
            unit(outward(minus(q, p)))
            for p, q in sides(region)
            if cross(path, minus(q, p)) < 0 and between(at, *((x * d, y * d) for x, y in (p, q)))
        ]
        x, y = (Fraction(x, d << grid.shift) for x in at)
        return Hit(ratio(n, d), (x, y), normals, grid.ulp(size))


def _times(start: Point, path: Point, region: Region) -> list[Fraction]:
    """When a ray is in a region first, and when else it crosses an edge or meets a vertex."""
    if inside(start, region):
        return [Fraction(0)]
    return [time for side in sides(region) for time in edge_times(start, path, *side)]


def edge_times(start: Point, path: Point, p: Point, q: Point) -> list[Fraction]:
    """When, later than 0, a ray crosses an edge, or meets its start on the way along it."""
    edge, gap = minus(q, p), minus(p, start)
    speed = cross(path, edge)
    if speed:
        time, place = Fraction(cross(gap, edge), speed), Fraction(cross(gap, path), speed)
        return [time] if time > 0 and 0 <= place <= 1 else []
    is_ahead = path != (0, 0) and cross(path, gap) == 0 < dot(path, gap)
    return [Fraction(dot(path, gap), dot(path, path))] if is_ahead else []

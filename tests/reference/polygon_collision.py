"""Port of the first source, "Polygon Collision" (C#): separating axes, extended by the velocity.

Both shapes are projected on the normal of every edge; the shape that moves has its projection
lengthened by the velocity's. The axis of least overlap gives the translation.

Known to be wrong:
- the axis perpendicular to the velocity is never tried, so a long diagonal move past a corner
  is reported as a collision;
- the overlap of two intervals is measured from the one that starts first, so where one lies in
  the other, the way out on the near side is overlooked, and the translation may be too long or,
  its direction being taken from the centres, too short.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Point = tuple[float, float]


class PolygonCollisionResult(NamedTuple):
    intersect: bool
    will_intersect: bool
    minimum_translation_vector: Point


def project_polygon(axis: Point, polygon: Sequence[Point]) -> tuple[float, float]:
    heights = [x * axis[0] + y * axis[1] for x, y in polygon]
    return min(heights), max(heights)


def interval_distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The gap between two intervals, negative when they overlap."""
    return b[0] - a[1] if a[0] < b[0] else a[0] - b[1]


def center(polygon: Sequence[Point]) -> Point:
    return (
        sum(x for x, _ in polygon) / len(polygon),
        sum(y for _, y in polygon) / len(polygon),
    )


def polygon_collision(
    a: Sequence[Point], b: Sequence[Point], velocity: Point
) -> PolygonCollisionResult:
    """Whether convex a and b meet now or while a moves by velocity, and how to part them."""
    intersect = will_intersect = True
    least, translation_axis = math.inf, (0.0, 0.0)
    ca, cb = center(a), center(b)
    edges = [(p, q) for ring in (a, b) for p, q in zip(ring, [*ring[1:], ring[0]], strict=True)]
    for p, q in edges:
        length = math.hypot(q[0] - p[0], q[1] - p[1])
        axis = -(q[1] - p[1]) / length, (q[0] - p[0]) / length
        low, high = project_polygon(axis, a)
        span_b = project_polygon(axis, b)
        if interval_distance((low, high), span_b) > 0:
            intersect = False
        along = axis[0] * velocity[0] + axis[1] * velocity[1]
        distance = interval_distance((low + min(along, 0.0), high + max(along, 0.0)), span_b)
        if distance > 0:
            will_intersect = False
        if not intersect and not will_intersect:
            break
        if abs(distance) < least:
            least = abs(distance)
            ahead = (ca[0] - cb[0]) * axis[0] + (ca[1] - cb[1]) * axis[1]
            translation_axis = (-axis[0], -axis[1]) if ahead < 0 else axis
    mtv = (0.0, 0.0)
    if will_intersect:
        mtv = translation_axis[0] * least, translation_axis[1] * least
    return PolygonCollisionResult(intersect, will_intersect, mtv)

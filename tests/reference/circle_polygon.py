"""Port of the third source, "Circle vs Polygon Collision Detection in C#": both of its forms.

The first walks over the vertices once: a vertex within the radius hits; a foot of the centre
within an edge hits when near enough, and decides "apart" when the centre is on its outer side;
if nothing decided, the features about the nearest vertex tell whether the centre is inside.
The second finds the nearest vertex first and then looks at its two edges alone; that also gives
the face and the distance of least penetration.

Known to be wrong:
- "concave" in the text means convex, and the sides are right for counterclockwise rings only;
- the second form answers "hit" whenever neither edge of the nearest vertex holds the centre's
  foot and the vertex is out of reach, that is, in every vertex region.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Point = tuple[float, float]


class Incident(NamedTuple):
    """What the second form finds: the face (None: the nearest vertex) and its penetration."""

    hit: bool
    face: int | None
    vertex: int
    penetration: float


def _minus(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1]


def _square(v: Point) -> float:
    return v[0] * v[0] + v[1] * v[1]


def _beyond(edge: Point, axis: Point) -> bool:
    """Whether the centre lies right of the edge; axis runs from the centre to its foot."""
    if edge[0] > 0:
        return axis[1] > 0
    if edge[0] < 0:
        return axis[1] < 0
    if edge[1] > 0:
        return axis[0] < 0
    return axis[0] > 0


def _foot(vertex: Point, edge: Point, center: Point) -> Point | None:
    """The foot of the centre on an edge, if it has one there."""
    length = _square(edge)
    if length == 0:
        return None
    to_center = _minus(center, vertex)
    along = edge[0] * to_center[0] + edge[1] * to_center[1]
    if not 0 <= along <= length:
        return None
    return vertex[0] + along / length * edge[0], vertex[1] + along / length * edge[1]


def circle_polygon_one_pass(center: Point, radius: float, polygon: Sequence[Point]) -> bool:
    """The first form."""
    reach = radius * radius
    nearest, nearest_is_inside, nearest_vertex = math.inf, False, -1
    last_is_inside = False
    vertex = polygon[-1]
    for i, following in enumerate(polygon):
        distance = _square(_minus(center, vertex)) - reach
        if distance <= 0:
            return True
        is_inside = False
        edge = _minus(following, vertex)
        foot = _foot(vertex, edge, center)
        if foot is not None:
            axis = _minus(foot, center)
            if _square(axis) <= reach:
                return True
            if _beyond(edge, axis):
                return False
            is_inside = True
        if distance < nearest:
            nearest, nearest_vertex = distance, i
            nearest_is_inside = is_inside or last_is_inside
        vertex, last_is_inside = following, is_inside
    return nearest_is_inside or (nearest_vertex == 0 and last_is_inside)


def circle_polygon_nearest_vertex(center: Point, radius: float, polygon: Sequence[Point]) -> bool:
    """The second form."""
    return incident_face(center, radius, polygon).hit


def incident_face(center: Point, radius: float, polygon: Sequence[Point]) -> Incident:
    """The second form, with the face and the penetration that the text says it yields."""
    reach, n = radius * radius, len(polygon)
    squares = [_square(_minus(center, p)) for p in polygon]
    k = squares.index(min(squares))
    by_vertex = Incident(hit=True, face=None, vertex=k, penetration=radius - math.sqrt(squares[k]))
    if squares[k] <= reach:
        return by_vertex
    found = by_vertex
    for i in (k - 1, k):
        vertex = polygon[i % n]
        edge = _minus(polygon[(i + 1) % n], vertex)
        foot = _foot(vertex, edge, center)
        if foot is None:
            continue
        axis = _minus(foot, center)
        penetration = radius - math.sqrt(_square(axis))
        if _square(axis) <= reach:
            return Incident(hit=True, face=i % n, vertex=k, penetration=penetration)
        if _beyond(edge, axis):
            return Incident(hit=False, face=i % n, vertex=k, penetration=penetration)
        if found.face is None or penetration > found.penetration:
            found = Incident(hit=True, face=i % n, vertex=k, penetration=penetration)
    return found

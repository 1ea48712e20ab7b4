"""Random shapes of every kind that often touch: small whole coordinates, and radii that make exact
contacts.

Coordinates lie on a grid of a few whole numbers, so that vertices coincide, edges lie along one
line, and distances are those of Pythagorean triangles.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import carom
import numpy as np
import shapely

from reference.oracle.kinds import Shape

KINDS = ("point", "multipoint", "path", "multipath", "polygon", "multipolygon")
RADII = (0.5, 1.0, 2.0, 0.25, 5.0, 2.5, 0.1, 0.2, 0.3, 1 / 3, math.sqrt(2), 1e-3)
Floats = tuple[float, float]


def geometry(shape: Shape) -> Any:
    """The same for Shapely, without the radius."""
    single, several = {
        "point": (shapely.Point, shapely.MultiPoint),
        "path": (shapely.LineString, shapely.MultiLineString),
        "polygon": (
            lambda rings: shapely.Polygon(rings[0], rings[1:]),
            lambda parts: shapely.MultiPolygon([(rings[0], rings[1:]) for rings in parts]),
        ),
    }[shape.kind]
    parts = list(shape.parts)
    return single(parts[0]) if len(parts) == 1 else several(parts)


def column(shapes: list[Shape]) -> Any:
    """The column of them; a path is at least two vertices."""
    rows = carom.Shapes.from_shapely([geometry(shape) for shape in shapes])
    radii = [shape.radius for shape in shapes]
    return rows.with_radius(np.array(radii)) if any(radii) else rows


def row(shape: Shape) -> Any:
    """One shape, as scalar functions take it."""
    return column([shape])[0]


def _point(rng: Random, size: int) -> Floats:
    return float(rng.randint(0, size)), float(rng.randint(0, size))


def _path(rng: Random, size: int) -> list[Floats]:
    return [_point(rng, size) for _ in range(rng.choice([2, 2, 2, 3, 4, 5]))]


def _polygon(rng: Random, size: int) -> list[list[Floats]]:
    while True:
        if rng.random() < 0.3:
            (x, y), (u, v) = _point(rng, size), _point(rng, size)
            w, h = abs(u - x) + 1, abs(v - y) + 1
            rings = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)]]
            if w > 2 and h > 2 and rng.random() < 0.7:
                s, t = rng.choice([0.5, 1.0]), rng.choice([0.5, 1.0])
                rings.append(
                    [(x + s, y + t), (x + w - s, y + t), (x + w - s, y + h - t), (x + s, y + h - t)]
                )
        else:
            rings = [[_point(rng, size) for _ in range(rng.choice([3, 3, 3, 4, 4, 5, 6, 7]))]]
        if shapely.Polygon(rings[0], rings[1:]).is_valid and shapely.Polygon(rings[0]).area:
            return [ring[::-1] if rng.random() < 0.5 else ring for ring in rings]


def shape(
    rng: Random, size: int = 4, kind: str | None = None, radius: float | None = None
) -> Shape:
    """A random one."""
    kind = kind or rng.choice(KINDS)
    single = kind.removeprefix("multi")
    make = {"point": _point, "path": _path, "polygon": _polygon}[single]
    while True:
        count = rng.choice([2, 2, 3]) if kind != single else 1
        parts = [make(rng, size) for _ in range(count)]
        if radius is None:
            radius = rng.choice([0.0, 0.0, *RADII])
        found = Shape(single, parts, radius)
        if geometry(found).is_valid or single == "path":
            return found


def convex(rng: Random, size: int = 4, radius: float | None = None) -> Shape:
    """A point, a segment or a convex polygon."""
    if radius is None:
        radius = rng.choice([0.0, 0.0, *RADII])
    while True:
        points = {_point(rng, size) for _ in range(rng.choice([1, 2, 2, 3, 4, 5, 6]))}
        hull = shapely.MultiPoint(list(points)).convex_hull
        if hull.geom_type == "Point":
            return Shape("point", [hull.coords[0]], radius)
        if hull.geom_type == "LineString":
            return Shape("path", [list(hull.coords)], radius)
        return Shape("polygon", [[list(hull.exterior.coords)[:-1]]], radius)


def velocity(rng: Random, size: int = 4) -> Floats:
    """Whole numbers, halves, or 0."""
    scale = rng.choice([1.0, 1.0, 2.0, 0.5])
    x, y = rng.randint(-size, size), rng.randint(-size, size)
    return x * scale, y * scale


def margin(rng: Random) -> float:
    return rng.choice([0.0, 0.0, *RADII])

"""Random pairs of shapes that share vertices, edges and stretches of edges.

Polygons are unions of cells of one grid of whole numbers, so that holes touch shells, parts touch
each other, and one shape fills a hole of the other. Paths run along the grid and along boundaries.
A map takes both to other coordinates: exactly, or rounded, so that what was common is nearly so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

import shapely

from generators import kinds
from reference.oracle.kinds import Shape

Floats: TypeAlias = tuple[float, float]
Cells: TypeAlias = set[tuple[Floats, ...]]


def _cells(rng: Random, width: int, height: int) -> list[tuple[Floats, ...]]:
    """Squares, most of them cut in two."""
    found = []
    for x in range(width):
        for y in range(height):
            a, b, c, d = (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
            cut = rng.choice([[(a, b, c, d)], [(a, b, c), (a, c, d)], [(a, b, d), (b, c, d)]])
            found += [tuple((float(u), float(v)) for u, v in cell) for cell in cut]
    return found


def _of_cells(cells: Cells) -> Shape:
    union = shapely.union_all([shapely.Polygon(cell) for cell in sorted(cells)])
    return of_geometry(union)


def of_geometry(geometry: Any) -> Shape:
    """A shape of Shapely's, of any kind."""
    parts = shapely.get_parts(geometry).tolist()
    if parts[0].geom_type == "Polygon":
        rings = [[it.exterior, *it.interiors] for it in parts]
        return Shape("polygon", [[list(ring.coords)[:-1] for ring in part] for part in rings])
    if parts[0].geom_type == "Point":
        return Shape("point", [it.coords[0] for it in parts])
    return Shape("path", [list(it.coords) for it in parts])


def _chosen(rng: Random, cells: list[tuple[Floats, ...]]) -> Cells:
    share = rng.choice([0.1, 0.3, 0.5, 0.8, 1.0])
    return {cell for cell in cells if rng.random() < share} or {rng.choice(cells)}


def _related(rng: Random, cells: list[tuple[Floats, ...]], own: Cells) -> Cells:
    """Other cells: a part of these, more than these, all others, or any."""
    others = _chosen(rng, cells)
    related = rng.choice([own & others, own | others, set(cells) - own, others, own])
    return related or {rng.choice(cells)}


def _steps(rng: Random, start: Floats, size: int) -> list[Floats]:
    path = [start]
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        x, y = path[-1]
        reach = rng.choice([1, 1, 1, 2])
        path.append((x + reach * rng.choice([-1, 0, 1]), y + reach * rng.choice([-1, 0, 1])))
    if rng.random() < 0.2:
        path.append(path[0])
    if rng.random() < 0.2:
        path[-1] = float(rng.randint(0, size)), float(rng.randint(0, size))
    return path


def _along(rng: Random, shape: Shape) -> list[Floats]:
    """A stretch of a ring or path, perhaps beyond its end, in either direction."""
    ring = list(rng.choice(shape.rings))
    if shape.kind == "polygon":
        first = rng.randrange(len(ring))
        ring = ring[first:] + ring[: first + 1]
    count = rng.choice([2, 2, 3, len(ring)])
    path = ring[: max(count, 2)]
    if rng.random() < 0.3:
        (x, y), (u, v) = path[-2], path[-1]
        path[-1] = rng.choice([((x + u) / 2, (y + v) / 2), (2 * u - x, 2 * v - y)])
    return path[::-1] if rng.random() < 0.5 else path


def _is_path(path: list[Floats]) -> bool:
    return any(p != q for p, q in pairwise(path))


def _paths(rng: Random, size: int, near: Shape) -> Shape:
    while True:
        paths = []
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            if near.kind != "point" and rng.random() < 0.5:
                paths.append(_along(rng, near))
            else:
                start = rng.choice(near.vertices)
                paths.append(_steps(rng, start, size))
        if all(map(_is_path, paths)):
            return Shape("path", paths)


def _points(rng: Random, size: int, near: Shape) -> Shape:
    found = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        (x, y), (u, v) = rng.choice(near.vertices), rng.choice(near.vertices)
        choices = [(x, y), ((x + u) / 2, (y + v) / 2), (x + 0.5, y + 0.5)]
        found.append(rng.choice([*choices, (float(rng.randint(0, size)), y)]))
    return Shape("point", found)


def _any(rng: Random, size: int) -> Shape:
    """A shape of any kind; a predicate takes no point among several paths."""
    while True:
        found = kinds.shape(rng, size, radius=0.0)
        if found.kind != "path" or len(found.parts) == 1 or all(map(_is_path, found.parts)):
            return found


def pair(rng: Random) -> tuple[Shape, Shape]:
    """Two shapes without radius, on a grid of whole numbers and halves."""
    size = rng.choice([2, 3, 3, 4])
    cells = _cells(rng, size, rng.choice([1, 2, size]))
    own = _chosen(rng, cells)
    first = _of_cells(own)
    kind = rng.random()
    if kind < 0.4:
        second = _of_cells(_related(rng, cells, own))
    elif kind < 0.6:
        second = _paths(rng, size, first)
    elif kind < 0.65:
        second = _points(rng, size, first)
    elif kind < 0.75:
        first = _paths(rng, size, first)
        second = _paths(rng, size, first)
    elif kind < 0.8:
        first = rng.choice([_paths, _points])(rng, size, first)
        second = _points(rng, size, first)
    else:
        first, second = (_any(rng, size) for _ in range(2))
    return (second, first) if rng.random() < 0.5 else (first, second)


def _exact_map(rng: Random) -> Callable[[Floats], Floats]:
    scale = 2.0 ** rng.choice([0, 0, 0, -3, 5, 300, -300, 900, -900])
    a, b, c, d = rng.choice([(1, 0, 0, 1), (0, 1, 1, 0), (1, 2, 0, 1), (3, -1, 1, 2), (7, 3, 2, 1)])
    shift = rng.choice([0.0, 0.0, 3.0, 1e6, -(2.0**40)])
    return lambda p: (
        scale * (a * p[0] + b * p[1] + shift),
        scale * (c * p[0] + d * p[1] - shift),
    )


def _rounded_map(rng: Random) -> Callable[[Floats], Floats]:
    angle, scale = rng.uniform(0, math.tau), rng.choice([1.0, 0.1, 1 / 3, 1e5, 1e-200, 1e150])
    cos, sin = scale * math.cos(angle), scale * math.sin(angle)
    shift = rng.choice([0.0, 0.7, 1e6 + 1 / 3]) * scale
    return lambda p: (cos * p[0] - sin * p[1] + shift, sin * p[0] + cos * p[1] + shift)


def _shaken_map(rng: Random) -> Callable[[Floats], Floats]:
    """Some points are moved by a unit in the last place, each time they occur or once for all."""
    known: dict[Floats, Floats] = {}
    keeps = rng.random() < 0.5

    def shaken(p: Floats) -> Floats:
        if p not in known or not keeps:
            up = [math.nextafter(x + 1.0, rng.choice([-math.inf, math.inf])) for x in p]
            known[p] = rng.choice([(up[0], up[1]), (p[0] + 1.0, p[1] + 1.0)])
        return known[p]

    return shaken


def mapped(rng: Random, *shapes: Shape) -> list[Shape]:
    """The shapes in other coordinates, all by the same map."""
    draw = rng.choice([None, _exact_map, _rounded_map, _shaken_map])
    if draw is None:
        return list(shapes)
    at = draw(rng)
    return [_mapped(shape, at) for shape in shapes]


def _mapped(shape: Shape, at: Callable[[Floats], Floats]) -> Shape:
    def each(item: Any) -> Any:
        return at(item) if isinstance(item, tuple) else [each(it) for it in item]

    return Shape(shape.kind, each(list(shape.parts)))

"""Prints hashes of the bits of all results on a fixed scene: python tests/fixed_scene.py

The scene has pairs that touch, nearly touch, nest and lie far apart, at many magnitudes and with
rings of every size that kernels tell apart, of either winding. The first hash is that of convex
polygons. The second is that of shapes of every kind made from them, with radii and margins, and of
predicates, joins, nearest rows, rays and points. With the name of a set of instructions in the
environment it shows whether the bits are the same with these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import carom
import numpy as np
from numpy.typing import NDArray

from generators import shapes

Floats = NDArray[np.float64]
SIZES = (3, 4, 5, 8, 12, 16, 17, 32)
ROWS = 203
"""Not a multiple of any number of rows that a kernel processes at once."""


def convex(random: Random, vertices: int) -> list[shapes.Point]:
    """A convex polygon with corners on a small grid, a circle or a needle."""
    # Convex polygons of many corners don't fit on a small grid.
    kind = random.choice([0, 1, 2] if vertices <= 5 else [1, 2])
    while True:
        if kind == 0:
            points = [
                (float(random.randint(-40, 40)), float(random.randint(-40, 40)))
                for _ in range(6 * vertices)
            ]
        else:
            # A rational parametrisation of the circle, without sines.
            parts = [random.uniform(-3.0, 3.0) for _ in range(3 * vertices)]
            narrow = 1.0 if kind == 1 else 2.0**-12
            points = [
                (20 * (1 - t * t) / (1 + t * t), narrow * 40 * t / (1 + t * t)) for t in parts
            ]
        hull = carom.convex_hull(points)
        if len(hull) >= vertices:
            picked = sorted(random.sample(range(len(hull)), vertices))
            return [(float(x), float(y)) for x, y in hull[picked]]


def pair(random: Random, v: int, w: int) -> tuple[Floats, Floats]:
    """Two polygons, of which the second often touches the first at a vertex or an edge."""
    a, b = np.array(convex(random, v)), np.array(convex(random, w))
    way = random.randrange(4)
    if way == 0:
        b = b + (a[random.randrange(v)] - b[random.randrange(w)])
    elif way == 1:
        corner = a[random.randrange(v)]
        b = b + ((corner + a[random.randrange(v)]) / 2 - b[random.randrange(w)])
    elif way == 2:
        b = b + np.array([random.randint(-60, 60), random.randint(-60, 60)])
    scale = 2.0 ** random.choice([0, 0, 0, 0, -4, 9, 40, -300])
    offset = random.choice([0.0, 0.0, 0.0, 1024.0, 4.5e5]) * scale
    a, b = a * scale + offset, b * scale + offset
    return (a[::-1] if random.random() < 0.3 else a), (b[::-1] if random.random() < 0.3 else b)


def scene() -> Iterator[tuple[Floats, Floats, Floats, Floats, Floats]]:
    """Yields polygons, displacements, centers and radii."""
    random = Random(20)
    for v, w in [*zip(SIZES, SIZES, strict=True), (3, 4), (4, 8), (8, 5), (4, 16)]:
        pairs = [pair(random, v, w) for _ in range(ROWS)]
        a, b = (np.array(side) for side in zip(*pairs, strict=True))
        far = b[:, :1] - a[:, 1:2]
        velocity = far[:, 0] * np.array([[random.choice([0.0, 0.5, 1.0, 2.0])] for _ in pairs])
        corner = b[np.arange(ROWS), [random.randrange(w) for _ in pairs]]
        center = (corner + a[:, 0]) * 0.5
        radius = np.abs(center - corner).max(axis=-1) * random.choice([0.5, 1.0, 1.25])
        yield a, b, velocity, center, radius


def questions(
    a: Any, b: Any, velocity: Floats, center: Floats, radius: Floats
) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Yields the batch functions with their operands."""
    yield carom.intersects_batch, (a, b)
    yield carom.overlap_area_batch, (a, b)
    yield carom.sat_batch, (a, b)
    yield carom.penetration_batch, (a, b)
    yield carom.swept_collision_batch, (a, b, velocity)
    yield carom.contact_intervals_batch, (a, b, velocity)
    yield carom.closest_approach_batch, (a, b, velocity)
    yield carom.distance_batch, (a, b)
    yield carom.circle_polygon_batch, (center, radius, b)
    yield carom.swept_circle_batch, (center, radius, velocity, b)


def fields(answer: Any) -> Iterator[NDArray[Any]]:
    """Yields the arrays of an answer."""
    yield from [answer] if isinstance(answer, np.ndarray) else answer._astuple()


def digest(threads: int | None = None) -> str:
    """Returns the hash of all answers: of arrays, of columns, and of some fields alone."""
    found = hashlib.sha256()
    for a, b, velocity, center, radius in scene():
        columns = carom.Shapes(list(a)), carom.Shapes(list(b))
        for polygons in ((a, b), columns):
            operands = (*polygons, velocity, center, radius)
            for ask, given in questions(*operands):
                for field in fields(ask(*given, threads=threads)):
                    found.update(field.tobytes())
            some = carom.sat_batch(*polygons, fields=("depth", "mtv"), threads=threads)
            when = carom.swept_collision_batch(
                *polygons, velocity, fields=("will_intersect", "time"), threads=threads
            )
            near = carom.closest_approach_batch(
                *polygons, velocity, fields=("distance", "time"), threads=threads
            )
            along = carom.penetration_batch(
                *polygons, direction=velocity, on_invalid="mask", threads=threads
            )
            chosen = (
                along.depth,
                along.mtv,
                some.depth,
                some.mtv,
                when.will_intersect,
                when.time,
                near.distance,
                near.time,
            )
            for field in chosen:
                found.update(field.tobytes())
    return found.hexdigest()


def shape(random: Random, ring: Floats) -> tuple[int, list[list[Floats]]]:
    """A kind, and the rings of each of its polygons, made of a convex polygon."""
    kind = random.randrange(len(carom.KINDS))
    beside = ring + np.array([2.0 * np.ptp(ring[:, 0]), 0.0])
    parts: list[list[Floats]] = [
        [ring[:1]],
        [ring[:1], ring[1:2], beside[2:3]],
        [ring[: random.choice([2, 3, len(ring)])]],
        [ring[:2], beside[1:3]],
        [ring],
    ]
    return kind, [parts[kind]] if kind < len(parts) else [[ring], [beside]]


def column(random: Random, rows: Floats, radius: Floats) -> Any:
    """Shapes of every kind, each made of a polygon, with a radius or without."""
    made = [shape(random, ring) for ring in rows]
    radii = radius * np.array([random.choice([0.0, 0.0, 0.5, 1.0]) for _ in rows])
    return carom.Shapes(unchecked(made, radii.tolist()))


def unchecked(made: list[tuple[int, list[list[Floats]]]], radii: list[float]) -> Any:
    """A column of such shapes, which are not validated."""
    polygons = [polygon for _, row in made for polygon in row]
    rings = [ring for polygon in polygons for ring in polygon]
    return carom.Shapes._restored(
        np.concatenate(rings),
        np.cumsum([0, *map(len, rings)]),
        np.cumsum([0, *map(len, polygons)]),
        np.cumsum([0, *(len(row) for _, row in made)]),
        ([kind for kind, _ in made], radii),
        [],
    )


def kinds_scene() -> Iterator[tuple[Any, Any, Floats, Floats, Floats, Floats]]:
    """Yields columns of every kind and of rounded polygons, and what moves and surrounds them."""
    random = Random(21)
    for a, b, velocity, center, radius in scene():
        margin = radius * np.array([random.choice([0.0, 0.25, 1.0]) for _ in a])
        others = velocity, center, radius, margin
        yield column(random, a, radius), column(random, b, radius), *others
        radii = (radius * np.array([random.choice([0.0, 0.5, 1.0]) for _ in a]) for _ in "ab")
        yield *(carom.Shapes(s).with_radius(r) for s, r in zip((a, b), radii, strict=True)), *others


def answers_of_kinds(threads: int | None = None) -> Iterator[NDArray[Any]]:
    """Yields all that is asked about shapes of every kind."""
    some: Any = {"threads": threads}
    for a, b, velocity, center, radius, margin in kinds_scene():
        for ask, given in questions(a, b, velocity, center, radius):
            yield from fields(ask(*given, on_invalid="mask", **some))
        without = (
            carom.overlap_area_batch,
            carom.distance_batch,
            carom.circle_polygon_batch,
            carom.closest_approach_batch,
        )
        for ask, given in questions(a, b, velocity, center, radius):
            if ask not in without:
                yield from fields(ask(*given, margin=margin, on_invalid="mask", **some))
        along = {"direction": velocity, "margin": margin, "on_invalid": "mask"}
        yield from fields(carom.penetration_batch(a, b, **along, **some))
        yield from many_shapes(a, b, velocity, center, margin, some)
        sharp = a.with_radius(0.0), b.with_radius(0.0)
        yield carom.colliding_pairs(*sharp, predicate="within", **some)


def many_shapes(
    a: Any, b: Any, velocity: Floats, center: Floats, margin: Floats, some: Any
) -> Iterator[NDArray[Any]]:
    """Yields what is asked about columns as a whole."""
    yield carom.candidate_pairs(a, b, margin=margin, **some)
    yield carom.colliding_pairs(a, b, margin=margin, **some)
    yield carom.colliding_pairs(a, velocity_a=velocity, **some)
    pieces = carom.iter_colliding_pairs(a, b, chunk_pairs=100, **some)
    yield np.concatenate([np.empty((2, 0), np.int64), *pieces], axis=1)
    sharp, rows = (a.with_radius(0.0), b.with_radius(0.0)), np.arange(min(len(a), len(b)))
    for predicate in ("covers", "touches", "crosses"):
        given = {"pairs": (rows, rows), "on_invalid": "mask", **some}
        yield carom.predicate_batch(*sharp, predicate, **given)
    for neighbors in (carom.nearest(a, b, k=2, **some), carom.nearest(a, b[::3], **some)):
        yield from neighbors
    yield from fields(carom.ray_cast(center, velocity, b, length=1.0, **some))
    yield from fields(carom.ray_cast(center, velocity, a.with_radius(0.0), **some))
    for row in range(0, len(b), 20):
        yield carom.locate(center, b[row : row + 1].with_radius(0.0), **some)


def digest_of_kinds(threads: int | None = None) -> str:
    """Returns the hash of all answers about shapes of every kind."""
    found = hashlib.sha256()
    for field in answers_of_kinds(threads):
        found.update(field.tobytes())
    return found.hexdigest()


if __name__ == "__main__":
    print(digest())
    print(digest_of_kinds())

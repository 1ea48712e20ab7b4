"""Prints a hash of the bits of all results on a fixed scene: python tests/fixed_scene.py

The scene has pairs that touch, nearly touch, nest and lie far apart, at many magnitudes and with
rings of every size that kernels tell apart, of either winding. With the name of a set of
instructions in the environment it shows whether the bits are the same with these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import carom
import numpy as np
from numpy.typing import NDArray

import shapes

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
    yield carom.sat_batch, (a, b)
    yield carom.swept_collision_batch, (a, b, velocity)
    yield carom.contact_intervals_batch, (a, b, velocity)
    yield carom.closest_approach_batch, (a, b, velocity)
    yield carom.distance_batch, (a, b)
    yield carom.circle_polygon_batch, (center, radius, b)
    yield carom.swept_circle_batch, (center, radius, velocity, b)


def fields(answer: Any) -> Iterator[NDArray[Any]]:
    """Yields the arrays of an answer."""
    yield from [answer] if isinstance(answer, np.ndarray) else answer


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
            chosen = (
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


if __name__ == "__main__":
    print(digest())

"""The sets of pairs, the same for all contestants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import carom
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Spreading = Callable[[float, slice], NDArray[np.bool_]]

COUNTS = {4: 200_000, 8: 100_000, 32: 20_000, 256: 3_000}
SHARES = {"50": 0.5, "5": 0.05}
SETS = tuple(f"c{vertices}_{share}" for vertices in COUNTS for share in SHARES)
GRID = "squares"
RADIUS = 0.5


@dataclass(frozen=True)
class Pairs:
    """Pairs of counterclockwise convex polygons, for queries row by row.

    With each comes the displacement of `a` relative to `b`, and the center of a circle of radius
    `RADIUS` to be asked about with `b`.
    """

    name: str
    a: Floats
    b: Floats
    velocity: Floats
    centers: Floats

    def __len__(self) -> int:
        return len(self.a)


def workloads(wanted: Callable[[str], bool], scale: float) -> Iterator[Pairs]:
    """Yields the sets that are wanted, at a scale of their numbers of pairs."""
    for vertices, count in COUNTS.items():
        for name, share in SHARES.items():
            if wanted(f"c{vertices}_{name}"):
                yield random_pairs(f"c{vertices}_{name}", vertices, int(count * scale), share)
    if wanted(GRID):
        yield squares(int(COUNTS[4] * scale))


def random_pairs(name: str, vertices: int, count: int, share: float) -> Pairs:
    """Polygons in circles of radius 1, as far apart as gives the share of overlaps.

    The circles' centers are spread about `b` so that they give the same share. A velocity goes
    anywhere, and as far as the polygons may be apart.
    """
    random = np.random.default_rng([vertices, int(100 * share)])
    a, b = (rings(random, vertices, count) for _ in range(2))
    apart, aside, ahead = (directions(random, count) for _ in range(3))

    def meet(far: float, some: slice) -> NDArray[np.bool_]:
        return carom.intersects_batch(a[some], b[some] + far * apart[some, None], threads=1)

    def reach(far: float, some: slice) -> NDArray[np.bool_]:
        return carom.circle_polygon_batch(
            far * aside[some], RADIUS, b[some], fields=("intersects",), threads=1
        ).intersects

    far = spread_for(share, meet)
    places = far * apart
    centers = places + spread_for(share, reach) * aside
    return Pairs(name, a, b + places[:, None], far * ahead, centers)


def rings(random: np.random.Generator, vertices: int, count: int) -> Floats:
    """Polygons with corners on the unit circle, one in each of equal sectors."""
    angle = np.arange(vertices) + random.uniform(0.1, 0.9, (count, vertices))
    angle *= 2.0 * np.pi / vertices
    angle += random.uniform(0.0, 2.0 * np.pi, (count, 1))
    corners = np.empty((count, vertices, 2))
    np.cos(angle, out=corners[..., 0])
    np.sin(angle, out=corners[..., 1])
    return corners


def directions(random: np.random.Generator, count: int) -> Floats:
    """Vectors to anywhere, of any length up to 1."""
    angle = random.uniform(0.0, 2.0 * np.pi, count)
    vectors = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return vectors * random.uniform(0.0, 1.0, (count, 1))


def spread_for(share: float, hits: Spreading) -> float:
    """Returns how far apart the pairs must be for a share of hits, judged by the first of them."""
    low, high, some = 0.0, 64.0, slice(20_000)
    for _ in range(30):
        middle = (low + high) / 2.0
        low, high = (middle, high) if hits(middle, some).mean() > share else (low, middle)
    return low


def squares(count: int) -> Pairs:
    """Unit squares at whole numbers beside others: half of the pairs touch, and no more."""
    random, side = np.random.default_rng(0), int(np.sqrt(count))
    along = np.arange(side, dtype=np.float64)
    places: Floats = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]) + places[:, None]
    steps, velocity = random.integers(-1, 3, (2, *places.shape)).astype(np.float64)
    return Pairs(GRID, corners, corners + steps[:, None], velocity, places + 0.5)

"""Asks about ten million pairs again and again, and watches the memory: python tests/load.py

Each round makes a new column, joins it with itself, asks every batch query about its pairs until
there were --pairs of them, and forgets everything. The memory after a round may not grow: the
script ends with 1 if its median over the last third of the rounds is more than --growth megabytes
above that over the second third. In the first third the allocator gathers what it keeps.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import carom
import numpy as np

PAGE = os.sysconf("SC_PAGE_SIZE")


def resident() -> float:
    """Megabytes of memory in use now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 2**20


def column(seed: int, rows: int) -> Any:
    """Small polygons of three to eight vertices, and some concave ones with a hole."""
    rng = np.random.default_rng(seed)
    side = np.sqrt(rows)
    made: list[Any] = []
    for count, place in zip(rng.integers(3, 9, rows), rng.uniform(0, side, (rows, 2)), strict=True):
        angles = 2 * np.pi * (np.arange(count) + rng.uniform()) / count
        made.append(place + np.stack([np.cos(angles), np.sin(angles)], axis=-1))
    for row in range(0, rows, 50):
        x, y = rng.uniform(0, side, 2)
        shell = [(x, y), (x + 3, y), (x + 3, y + 3), (x + 1.5, y + 2.5), (x, y + 3)]
        made[row] = [shell, [(x + 1, y + 1), (x + 2, y + 1), (x + 1.5, y + 1.5)]]
    return carom.Shapes(made)


def calls(shapes: Any, pairs: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    velocity = (0.5, -0.25)
    of: dict[str, Any] = {"pairs": pairs}
    yield "intersects", lambda: carom.intersects_batch(shapes, shapes, **of)
    yield "sat", lambda: carom.sat_batch(shapes, shapes, on_invalid="mask", **of)
    yield "distance", lambda: carom.distance_batch(shapes, shapes, **of)
    yield "sweep", lambda: carom.swept_collision_batch(shapes, shapes, velocity, **of)
    yield "circles", lambda: carom.circle_polygon_batch(shapes.centroid, 0.5, shapes, **of)
    yield "intervals", lambda: carom.contact_intervals_batch(shapes, shapes, velocity, **of)
    yield "predicates", lambda: carom.predicate_batch(shapes, shapes, "covers", **of)
    few = pairs[:, ::20]
    yield "penetration", lambda: carom.penetration_batch(shapes, shapes, pairs=few)
    yield "approach", lambda: carom.closest_approach_batch(shapes, shapes, velocity, pairs=few)
    turn: dict[str, Any] = {"turn_a": 0.1, "center_a": (0.0, 0.0), "pairs": pairs[:, ::200]}
    yield "turning", lambda: carom.swept_collision_batch(shapes, shapes, velocity, **turn)


def round_of(seed: int, rows: int, pairs: int) -> int:
    """Asks about at least so many pairs; how many they were."""
    shapes, asked = column(seed, rows), 0
    found = carom.colliding_pairs(shapes, margin=0.5)
    carom.nearest(shapes, shapes, k=3)
    carom.ray_cast(shapes.centroid, (1.0, 1.0), shapes)
    moved = carom.Shapes.from_arrow(shapes.translate((1.0, 2.0)), check=False)
    assert len(moved) == rows
    for piece in carom.iter_colliding_pairs(shapes, margin=0.5, chunk_pairs=1000):
        asked += piece.shape[1]
    while asked < pairs:
        for _, call in calls(shapes, found):
            result = call()
            asked += len(result)
    # A row is concave: errors leave nothing behind either.
    with suppress(ValueError):
        carom.sat_batch(shapes, shapes, pairs=found)
    return asked


def watch(seconds: float, rows: int, pairs: int) -> list[float]:
    """The memory after each round, in megabytes."""
    start, after = time.monotonic(), []
    while time.monotonic() - start < seconds or len(after) < 3:
        asked = round_of(len(after), rows, pairs)
        after.append(resident())
        print(
            f"{time.monotonic() - start:6.0f} s  {asked / 1e6:5.1f} M pairs  {after[-1]:7.1f} MB",
            flush=True,
        )
    return after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0, help="no round begins after that")
    parser.add_argument("--rows", type=int, default=100_000, help="of a round's column")
    parser.add_argument("--pairs", type=float, default=1e7, help="of a round, at least")
    parser.add_argument("--growth", type=float, default=16.0, help="megabytes that are allowed")
    options = parser.parse_args()
    after = watch(options.seconds, options.rows, int(options.pairs))
    third = len(after) // 3
    growth = float(np.median(after[-third:]) - np.median(after[third : 2 * third]))
    print(f"{len(after)} rounds; grown by {growth:.1f} MB; at most {max(after):.0f} MB")
    sys.exit(growth > options.growth)


if __name__ == "__main__":
    main()

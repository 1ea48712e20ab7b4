"""How joins with strays grow from 10,000 to 1,000,000 rows: python tests/bench/exponents.py

One row far from all others, one wild velocity, many points at one place, and parts in no order, at
a constant density and a constant output for each row. Prints the shortest processor time of some
runs on one thread, and the exponent between the first size and the last; 1 is linear. Columns are
made anew in each run, so that the index counts.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import carom
import numpy as np
import shapely
from cliffs import ONE, SQUARE
from stray_cliffs import STRAY, cars, places

SIZES = (10_000, 100_000, 1_000_000)


def outlier(count: int) -> Callable[[], object]:
    """A join of boxes with themselves, one at 1e9."""
    boxes = cars(count, 1)[0]
    boxes[count // 2] += STRAY
    return lambda: carom.colliding_pairs(carom.Shapes(boxes), **ONE)


def nearest_of_outlier(count: int) -> Callable[[], object]:
    """The nearest of as many points, one at 1e9."""
    some, xy = places(count, 2), places(count, 3)
    xy[count // 2] += STRAY[0]
    return lambda: carom.nearest(
        carom.Shapes.from_points(some), carom.Shapes.from_points(xy), **ONE
    )


def wild_velocity(count: int) -> Callable[[], object]:
    """A join of moving boxes, one with a wild velocity."""
    boxes, velocity = cars(count, 4)
    velocity[count // 2] = STRAY
    return lambda: carom.colliding_pairs(carom.Shapes(boxes), velocity_a=velocity, **ONE)


def stacks(count: int) -> Callable[[], object]:
    """The nearest of points of which 60 lie at each place."""
    some, xy = places(count, 5), np.repeat(places(count // 60, 6) * 60**0.5, 60, axis=0)
    return lambda: carom.nearest(
        carom.Shapes.from_points(some), carom.Shapes.from_points(xy), **ONE
    )


def shuffled_parts(count: int) -> Callable[[], object]:
    """A join of points with one MultiPolygon whose parts come in no order."""
    side = int(count**0.5)
    corners = 10.0 * np.stack(np.divmod(np.arange(side**2), side), axis=-1)
    np.random.default_rng(7).shuffle(corners)
    parts = shapely.multipolygons(shapely.polygons(8.0 * SQUARE + corners[:, None]))
    xy = places(count, 8)
    return lambda: carom.colliding_pairs(
        carom.Shapes.from_points(xy), carom.Shapes.from_shapely([parts]), **ONE
    )


TASKS = (outlier, nearest_of_outlier, wild_velocity, stacks, shuffled_parts)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print("| what | " + " | ".join(f"{size:,}" for size in SIZES) + " | exponent |")
    print("|---|" + "---:|" * (len(SIZES) + 1))
    for task in TASKS:
        seconds = [shortest(task(size), rounds) for size in SIZES]
        exponent = math.log(seconds[-1] / seconds[0]) / math.log(SIZES[-1] / SIZES[0])
        cells = [f"{value:.4f} s" for value in seconds] + [f"{exponent:.2f}"]
        print(f"| {task.__doc__} | " + " | ".join(cells) + " |", flush=True)


def shortest(work: Callable[[], object], rounds: int) -> float:
    """Returns the shortest processor time of some runs."""
    spent = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


if __name__ == "__main__":
    main()

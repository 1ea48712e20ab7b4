"""Every kind of shape against every other, beside Shapely: python tests/bench/every_kind.py

Points, lines, boxes, convex and concave polygons of few and of many vertices, with a hole, and
several of each, at three distances: most pairs meet, near, far apart. Three questions: whether they
meet, how far apart they are, and whether they are within 0.8. Columns and Shapely's objects are
made before; one thread. Both run in each round; the result is the shortest time.

Prints as Markdown how many of the cases are slower than Shapely, and which most; with --all, every
case with the nanoseconds of both.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import carom
import numpy as np
import shapely
from cliffs import ONE, stars
from records import facts
from timing import Floats, Who, Work, interleaved
from workloads import directions
from workloads import rings as convex_rings

ROWS, ROUNDS, MARGIN = 6_000, 3, 0.8
PLACES = {"most meet": 1.2, "near": 2.5, "far apart": 30.0}
SLOWEST = 6

Random = np.random.Generator
Geometries = Any


def paths(random: Random, vertices: int, count: int) -> Floats:
    """Returns random walks that go about as far as the other shapes."""
    return np.cumsum(random.normal(0.0, vertices**-0.5, (count, vertices, 2)), axis=1)


def boxes(random: Random, count: int) -> Geometries:
    low = random.uniform(-1.2, -0.2, (2, count))
    return shapely.box(*low, *(low + random.uniform(0.5, 2.0, (2, count))))


def together(make: Callable[[Any], Any], rows: Any) -> Geometries:
    """Returns a geometry of several parts for each row."""
    return np.array([make(list(row)) for row in rows])


def holed(random: Random, count: int) -> Geometries:
    shells, holes = stars(random, 24, count), 0.2 * stars(random, 8, count)
    return shapely.polygons(shells, holes=shapely.linearrings(holes)[:, None])


def pairs_of_stars(random: Random, count: int) -> Geometries:
    one, other = (shapely.polygons(0.6 * stars(random, 10, count) + [x, 0.0]) for x in (-1.0, 1.0))
    return together(shapely.multipolygons, np.stack([one, other], axis=1))


KINDS: dict[str, Callable[[Random, int], Geometries]] = {
    "point": lambda random, count: shapely.points(random.normal(0.0, 0.5, (count, 2))),
    "10 points": lambda random, count: together(
        shapely.multipoints, random.normal(0.0, 0.7, (count, 10, 2))
    ),
    "segment": lambda random, count: shapely.linestrings(paths(random, 2, count)),
    "line of 6": lambda random, count: shapely.linestrings(paths(random, 6, count)),
    "line of 100": lambda random, count: shapely.linestrings(paths(random, 100, count)),
    "5 segments": lambda random, count: together(
        shapely.multilinestrings, random.normal(0.0, 0.7, (count, 5, 2, 2))
    ),
    "box": boxes,
    "convex 6": lambda random, count: shapely.polygons(convex_rings(random, 6, count)),
    "convex 40": lambda random, count: shapely.polygons(convex_rings(random, 40, count)),
    "concave 8": lambda random, count: shapely.polygons(stars(random, 8, count)),
    "concave 32": lambda random, count: shapely.polygons(stars(random, 32, count)),
    "concave 300": lambda random, count: shapely.polygons(stars(random, 300, count)),
    "with a hole": holed,
    "2 polygons": pairs_of_stars,
}


def main() -> None:
    """Measures and prints."""
    print(", ".join(f"{name} {value}" for name, value in facts().items()), flush=True)
    found: dict[tuple[str, str], list[tuple[float, str]]] = {}
    for place, a, b in product(PLACES, KINDS, KINDS):
        for question, own, other in questions(a, b, PLACES[place]):
            spent, others = (1e9 * seconds / ROWS for seconds in best(own, other))
            found.setdefault((question, place), []).append((others / spent, f"{a}, {b}"))
            if "--all" in sys.argv:
                print(f"{question}, {place}: {a}, {b}: {spent:.0f} ns, Shapely {others:.0f} ns")
    print("| Question | Place | Cases | Slower | Median | The slowest |")
    print("|---|---|---:|---:|---:|---|")
    for (question, place), times in found.items():
        times.sort()
        slower = sum(ratio < 1.0 for ratio, _ in times)
        slowest = "; ".join(f"{case} {ratio:.2f}" for ratio, case in times[:SLOWEST])
        middle = times[len(times) // 2][0]
        print(f"| {question} | {place} | {len(times)} | {slower} | {middle:.1f} | {slowest} |")


def questions(a: str, b: str, far: float) -> Iterator[tuple[str, Work, Work]]:
    """Yields the questions about rows of two kinds, asked of carom and of Shapely."""
    random = np.random.default_rng(3)
    first, second = KINDS[a](random, ROWS), KINDS[b](random, ROWS)
    away = far * directions(random, ROWS) * random.uniform(0.5, 1.2, (ROWS, 1))
    away = np.repeat(away, shapely.get_num_coordinates(second), axis=0)
    second = shapely.set_coordinates(second, shapely.get_coordinates(second) + away)
    columns = carom.Shapes.from_shapely(first), carom.Shapes.from_shapely(second)
    intersects = partial(carom.intersects_batch, *columns, **ONE)
    yield "intersects", intersects, partial(shapely.intersects, first, second)
    distance = partial(carom.distance_batch, *columns, fields=("distance",), **ONE)
    yield "distance", distance, partial(shapely.distance, first, second)
    within = partial(carom.intersects_batch, *columns, margin=MARGIN, **ONE)
    yield "within", within, partial(shapely.dwithin, first, second, MARGIN)


def best(*works: Work) -> list[float]:
    """Returns the least seconds of each."""
    contestants = {Who(str(index)): work for index, work in enumerate(works)}
    return [float(seconds.min()) for seconds in interleaved(contestants, ROUNDS).values()]


if __name__ == "__main__":
    main()

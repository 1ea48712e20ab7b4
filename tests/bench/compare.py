"""Carom beside Shapely on the same pairs, interleaved in one run: python tests/bench/compare.py

Prints a Markdown table of nanoseconds per pair: medians over rounds in which everybody has a turn.
"Built" are Shapely objects and carom columns made before; from arrays, their making is counted in,
and so is carom's validation. Random convex polygons with V vertices, a share of the pairs
overlapping; then unit squares on a grid, where many pairs touch.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import carom
import numpy as np
import shapely
from numpy.typing import NDArray

Floats = NDArray[np.float64]
CONTESTANTS = ("Shapely, built", "carom, built", "Shapely, arrays", "carom, arrays")
Contestants = dict[str, Callable[[], object]]


@dataclass(frozen=True)
class Pairs:
    """Polygons to be tested row by row, and circles about the first ones' centers."""

    name: str
    a: Floats
    b: Floats
    centers: Floats


def main() -> None:
    """Prints the tables."""
    options = arguments()
    print(
        f"Shapely {shapely.__version__}, GEOS {shapely.geos_version_string}, "
        f"NumPy {np.__version__}, Python {platform.python_version()}, "
        f"{options.threads or 'all'} thread(s)\n"
    )
    print(f"| pairs | question | {' | '.join(CONTESTANTS)} |")
    print("|---|---" + "|---:" * len(CONTESTANTS) + "|")
    for pairs in workloads(np.random.default_rng(0), options.scale):
        for question, contestants in questions(pairs, options.threads):
            print(row(pairs, question, contestants, options.rounds), flush=True)
    print("\nOne pair at a time, nanoseconds per call:\n")
    print("| question | Shapely | carom |")
    print("|---|---|---|")
    for line in scalar_rows(options.rounds):
        print(line, flush=True)


def arguments() -> argparse.Namespace:
    """Returns what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=None, help="of carom (default: all cores)")
    parser.add_argument("--scale", type=float, default=1.0, help="of the number of pairs")
    return parser.parse_args()


def workloads(random: np.random.Generator, scale: float) -> Iterator[Pairs]:
    """Yields the sets of pairs."""
    for vertices, count in ((4, 200_000), (8, 100_000), (32, 20_000)):
        for share in (0.5, 0.05):
            yield random_pairs(random, vertices, int(count * scale), share)
    side = int(np.sqrt(200_000 * scale))
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    along = np.arange(side, dtype=np.float64)
    places: Floats = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    steps = random.integers(-1, 3, places.shape).astype(np.float64)
    squares = corners + places[:, None]
    yield Pairs("squares on a grid", squares, squares + steps[:, None], places + 0.5)


def random_pairs(random: np.random.Generator, vertices: int, count: int, share: float) -> Pairs:
    """Convex polygons in circles of radius 1, as far apart as gives the share of overlaps."""
    a, b = (ring(random, vertices, count) for _ in range(2))
    direction = random.uniform(0.0, 2.0 * np.pi, count)
    offset = np.stack([np.cos(direction), np.sin(direction)], axis=-1)
    offset *= random.uniform(0.0, 1.0, (count, 1))
    low, high = 0.0, 64.0
    for _ in range(40):
        spread = (low + high) / 2.0
        overlapping = carom.intersects_batch(a, b + (spread * offset)[:, None]).mean()
        low, high = (spread, high) if overlapping > share else (low, spread)
    b = b + (low * offset)[:, None]
    return Pairs(f"V = {vertices}, {share:.0%} overlap", a, b, low * random.permutation(offset))


def ring(random: np.random.Generator, vertices: int, count: int) -> Floats:
    """Polygons with corners on the unit circle, one in each of equal sectors."""
    sector = np.arange(vertices) + random.uniform(0.1, 0.9, (count, vertices))
    angle = 2.0 * np.pi * (sector / vertices + random.uniform(0.0, 1.0, (count, 1)))
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def questions(pairs: Pairs, threads: int | None) -> Iterator[tuple[str, Contestants]]:
    """Yields each question with those who answer it; all must agree before they run."""
    a, b, centers, radius = pairs.a, pairs.b, pairs.centers, 0.5
    objects_a, objects_b = shapely.polygons(a), shapely.polygons(b)
    points = shapely.points(centers)
    columns = carom.Polygons(list(a)), carom.Polygons(list(b))
    velocity = centers - b.mean(axis=1)

    def reach(polygons: Floats | carom.Polygons) -> NDArray[np.bool_]:
        return carom.circle_polygon_batch(
            centers, radius, polygons, fields=("intersects",), threads=threads
        ).intersects

    yield (
        "intersects",
        {
            "Shapely, built": lambda: shapely.intersects(objects_a, objects_b),
            "carom, built": lambda: carom.intersects_batch(*columns, threads=threads),
            "Shapely, arrays": lambda: shapely.intersects(shapely.polygons(a), shapely.polygons(b)),
            "carom, arrays": lambda: carom.intersects_batch(a, b, threads=threads),
        },
    )
    yield (
        "circle within reach",
        {
            "Shapely, built": lambda: shapely.dwithin(points, objects_b, radius),
            "carom, built": lambda: reach(columns[1]),
            "Shapely, arrays": lambda: shapely.dwithin(
                shapely.points(centers), shapely.polygons(b), radius
            ),
            "carom, arrays": lambda: reach(b),
        },
    )
    fields = ("intersects", "depth", "mtv")
    yield (
        "overlap and MTV",
        {
            "carom, built": lambda: carom.sat_batch(*columns, fields=fields, threads=threads),
            "carom, arrays": lambda: carom.sat_batch(a, b, fields=fields, threads=threads),
        },
    )
    when = ("will_intersect", "time")
    yield (
        "first contact of a sweep",
        {
            "carom, built": lambda: carom.swept_collision_batch(
                *columns, velocity, fields=when, threads=threads
            ),
            "carom, arrays": lambda: carom.swept_collision_batch(
                a, b, velocity, fields=when, threads=threads
            ),
        },
    )


def row(pairs: Pairs, question: str, contestants: Contestants, rounds: int) -> str:
    """Returns one line of the table."""
    check_agreement(pairs, question, contestants)
    medians = interleaved(contestants, rounds)
    cells = [
        f"{medians[name] / len(pairs.a) * 1e9:,.0f}" if name in medians else ""
        for name in CONTESTANTS
    ]
    return f"| {' | '.join([pairs.name, question, *cells])} |"


def check_agreement(pairs: Pairs, question: str, contestants: Contestants) -> None:
    """Prints by how many answers Shapely and carom differ, if they do."""
    if "Shapely, built" not in contestants:
        return
    one, other = (np.asarray(contestants[name]()) for name in CONTESTANTS[:2])
    if differing := int((one != other).sum()):
        print(f"{pairs.name}, {question}: {differing:,} of {len(pairs.a):,} answers differ")


def interleaved(contestants: Contestants, rounds: int) -> dict[str, float]:
    """Returns each contestant's median time in seconds."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, contestant in contestants.items():
            start = time.perf_counter()
            contestant()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(spent) for name, spent in times.items()}


def scalar_rows(rounds: int) -> Iterator[str]:
    """Yields the cost of single calls for two overlapping quadrilaterals."""
    a = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]])
    b = np.array([[3.5, 1.0], [9.0, 0.5], [9.5, 4.0], [3.0, 4.0]])
    object_a, object_b = shapely.polygons(a), shapely.polygons(b)
    calls: dict[str, dict[str, Callable[[], object]]] = {
        "intersects": {
            "Shapely": lambda: object_a.intersects(object_b),
            "carom": lambda: carom.intersects(a, b),
        },
        "sat": {"carom": lambda: carom.sat(a, b)},
        "swept_collision": {"carom": lambda: carom.swept_collision(a, b, (1.0, 2.0))},
    }
    for question, contestants in calls.items():
        many: Contestants = {name: repeated(call) for name, call in contestants.items()}
        medians = interleaved(many, rounds)
        cells = [
            f"{medians[name] / REPEATS * 1e9:.0f}" if name in medians else ""
            for name in ("Shapely", "carom")
        ]
        yield f"| {' | '.join([question, *cells])} |"


REPEATS = 20_000


def repeated(call: Callable[[], object]) -> Callable[[], None]:
    """Returns a function that calls many times; the loop's own cost is counted in."""

    def many() -> None:
        for _ in range(REPEATS):
            call()

    return many


if __name__ == "__main__":
    main()

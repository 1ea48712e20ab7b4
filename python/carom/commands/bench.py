"""`carom bench`."""

from __future__ import annotations

import time
from argparse import ArgumentTypeError
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import carom
from carom._core import INSTRUCTIONS
from carom.commands.errors import CommandError
from carom.commands.info import processor
from carom.commands.report_text import aligned

if TYPE_CHECKING:
    import argparse

Floats = NDArray[np.float64]
Work = Callable[[], object]

NAME = "bench"
HELP = "measure the time per pair on this machine"
DESCRIPTION = (
    "Runs the batch functions on pairs of random quadrilaterals, about half of which overlap, and "
    "prints nanoseconds per pair: columns built before, one thread, the median of several rounds. "
    "If Shapely is installed, it is measured too."
)
EPILOG = "Other machines give other numbers, but similar ratios within a line."
ROUNDS = 9
SEED = 2026


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    command.add_argument(
        "--pairs",
        metavar="N",
        type=at_least_one,
        default=20_000,
        help="number of pairs (default: %(default)s)",
    )


def at_least_one(text: str) -> int:
    """Returns an integer, 1 or more."""
    with suppress(ValueError):
        number = int(text)
        if number > 0:
            return number
    raise ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")


def run(options: argparse.Namespace) -> int:
    """Prints the table."""
    try:
        a, b = quads(options.pairs)
        queries = carom_work(a, b)
    except (MemoryError, ValueError):  # ValueError: more rows than NumPy allows
        reason = f"there is not enough memory for {options.pairs:,} pairs"
        raise CommandError(reason) from None
    print(f"carom {carom.__version__}, {INSTRUCTIONS}, {processor()}")
    print(f"{options.pairs:,} pairs of quadrilaterals, one thread, ns per pair:")
    print()
    peers = shapely_work(a, b)
    rows: list[tuple[str, ...]] = [("query", "carom", "Shapely" if peers else "")]
    for name, work in queries.items():
        contestants = [work, *([peers[name]] if name in peers else [])]
        cells = [f"{seconds / options.pairs * 1e9:,.0f}" for seconds in medians(contestants)]
        rows.append((name, *cells, *[""] * (2 - len(cells))))
    for line in aligned(rows):
        print(line)
    if not peers:
        print("\nShapely is not installed; pip install shapely to compare.")
    return 0


def quads(number: int) -> tuple[Floats, Floats]:
    """Returns pairs of random convex quadrilaterals, of which about half overlap."""
    random = np.random.default_rng(SEED)
    turns = random.uniform(0.2, 1.3, (2, number, 4)) + np.arange(4) * np.pi / 2
    corners = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    a, b = corners * random.uniform(0.5, 2.0, (2, number, 1, 1))
    return a, b + random.uniform(-2.2, 2.2, (number, 1, 2))


def carom_work(a: Floats, b: Floats) -> dict[str, Work]:
    """Returns the calls of carom to measure, by query."""
    one, other = carom.Shapes(a), carom.Shapes(b)
    centers = a.mean(axis=1)
    velocity = (b - a).mean(axis=1) * 1.5
    return {
        "intersects": lambda: carom.intersects_batch(one, other, threads=1),
        "sat": lambda: carom.sat_batch(one, other, threads=1),
        "swept_collision": lambda: carom.swept_collision_batch(one, other, velocity, threads=1),
        "circle_polygon": lambda: carom.circle_polygon_batch(centers, 0.5, other, threads=1),
        "distance": lambda: carom.distance_batch(one, other, threads=1),
    }


def shapely_work(a: Floats, b: Floats) -> dict[str, Work]:
    """Returns the equivalent calls of Shapely, by query."""
    try:
        import shapely
    except ImportError:
        return {}
    one, other = shapely.polygons(a), shapely.polygons(b)
    centers = shapely.points(a.mean(axis=1))
    return {
        "intersects": lambda: shapely.intersects(one, other),
        "circle_polygon": lambda: shapely.dwithin(centers, other, 0.5),
        "distance": lambda: shapely.distance(one, other),
    }


def medians(contestants: list[Work]) -> list[float]:
    """Returns the median seconds of each; all run in each round, so slow moments affect all."""
    seconds = [[stopwatch(work) for work in contestants] for _ in range(ROUNDS + 1)]
    middle: list[float] = np.median(seconds[1:], axis=0).tolist()
    return middle


def stopwatch(work: Work) -> float:
    """Returns the duration of a call in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start

"""Timing: all contestants run in each round, so that a slow moment affects all of them."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Work = Callable[[], object]

TURN = 0.02
"""Seconds that a turn lasts at least: work that is faster is repeated, and finds its data in the
cache as far as that holds it."""
CORES = frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()
ALL = len(CORES) or os.cpu_count() or 1
"""How many threads "all" are."""


class Who(NamedTuple):
    """A contestant and its number of threads."""

    name: str
    threads: int = 1


class Spread(NamedTuple):
    """The median of the rounds, and the quartiles."""

    median: float
    low: float
    high: float


def spread(values: Floats) -> Spread:
    """Returns the median and the quartiles."""
    low, median, high = np.quantile(values, (0.25, 0.5, 0.75))
    return Spread(float(median), float(low), float(high))


def interleaved(contestants: dict[Who, Work], rounds: int) -> dict[Who, Floats]:
    """Returns the seconds of one piece of work, for each contestant and round."""
    numbers = {who: repetitions(who, work) for who, work in contestants.items()}
    seconds: dict[Who, list[float]] = {who: [] for who in contestants}
    with set_apart():
        for _ in range(rounds):
            for who, work in contestants.items():
                seconds[who].append(turn(who, work, numbers[who]))
    return {who: np.array(spent) for who, spent in seconds.items()}


def repetitions(who: Who, work: Work) -> int:
    """Returns how often the work fits into a measurement; a first run takes the one-time costs."""
    turn(who, work, 1)
    return max(1, int(TURN / turn(who, work, 1)))


def turn(who: Who, work: Work, number: int) -> float:
    """Returns the seconds of one of so many."""
    with on_core(who.threads):
        start = time.perf_counter()
        for _ in range(number):
            work()
        return (time.perf_counter() - start) / number


@contextmanager
def on_core(threads: int) -> Iterator[None]:
    """Keeps one thread on one core, where the system can; several go where they like.

    Threads inherit where they may run from whoever starts them, so a pool of several must not be
    started by a thread that is held.
    """
    held = threads == 1 and len(CORES) > 1
    if held:
        os.sched_setaffinity(0, {max(CORES)})
    try:
        yield
    finally:
        if held:
            os.sched_setaffinity(0, CORES)


@contextmanager
def set_apart() -> Iterator[None]:
    """Keeps the garbage collector, which is as users have it, from what was made before.

    Else it would look at a million Shapely objects whenever someone makes some more.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()

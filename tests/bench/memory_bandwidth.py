"""Memory bandwidth, and the speed of queries about quadrilaterals that are read from memory."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import carom
import numpy as np
from contests import HIT, OVERLAP, Contestants
from numba_kernels import ANY_SIZE
from timing import Who
from workloads import COUNTS, SHARES, Pairs, random_pairs

BYTES = 16 * (4 + 4) + 1
"""A pair of quadrilaterals is read, and a yes or no written."""
MANY, SOME = 4_000_000, 1_000_000
READ = "memory read"
UNCHECKED, CHECKED = "intersects, check=False", "intersects"
SAT, SWEEP, SMALL_SAT = "sat, out=", "sweep, out=", "sat, out=, pairs of c4_50"
SHARE_GOALS = {UNCHECKED: 0.8, CHECKED: 0.6}
"""Of the bandwidth, one thread."""
SPEEDUP_GOAL = 1.9
"""Of two threads over one."""
SLOWDOWN_GOAL = 1.25
"""Of `sat` among many pairs over `sat` among few, per pair."""


def many_pairs(scale: float) -> Pairs:
    """Returns quadrilaterals that exceed all caches."""
    return random_pairs("c4_50", 4, int(MANY * scale), SHARES["50"])


@contextmanager
def contest(pairs: Pairs, threads: set[int]) -> Iterator[tuple[Contestants, dict[Who, int]]]:
    """Yields the contestants that read these pairs, and the number of pairs for each."""
    with reader(pairs, max(threads)) as read:
        contestants: Contestants = {
            Who(READ, n): functools.partial(read, n) for n in sorted(threads)
        }
        contestants[Who("numba")] = lambda: ANY_SIZE.intersects(pairs.a, pairs.b)
        for n in sorted(threads):
            contestants |= questions(pairs, n)
        few = int(len(pairs) * COUNTS[4] / MANY)
        small = questions(first(pairs, few), 1)
        contestants[Who(SMALL_SAT)] = small[Who(SAT)]
        sizes = dict.fromkeys(contestants, len(pairs)) | {Who(SMALL_SAT): few}
        yield contestants, sizes


def first(pairs: Pairs, count: int) -> Pairs:
    """Returns the first of the pairs."""
    rows = (pairs.a, pairs.b, pairs.velocity, pairs.centers)
    return Pairs(pairs.name, *(array[:count] for array in rows))


def questions(pairs: Pairs, n: int) -> Contestants:
    """The contestants that answer queries, with existing output arrays."""
    a, b, velocity = pairs.a, pairs.b, pairs.velocity
    # Ones, not empty arrays: these have no pages before they are written.
    hit, number, vector = np.ones(len(a), dtype=bool), np.ones(len(a)), np.ones((len(a), 2))
    sat = {"intersects": hit, "depth": number, "mtv": vector}
    swept = {"will_intersect": hit, "time": number}

    def meet(check: bool) -> Any:
        return carom.intersects_batch(a, b, check=check, threads=n, out=hit)

    return {
        Who(UNCHECKED, n): lambda: meet(check=False),
        Who(CHECKED, n): lambda: meet(check=True),
        Who(SAT, n): lambda: carom.sat_batch(a, b, fields=OVERLAP, threads=n, out=sat),
        Who(SWEEP, n): lambda: carom.swept_collision_batch(
            a, b, velocity, fields=HIT, threads=n, out=swept
        ),
    }


@contextmanager
def reader(pairs: Pairs, threads: int) -> Iterator[Callable[[int], float]]:
    """Yields what reads the polygons on so many threads and does next to nothing with them.

    A maximum, as NumPy takes it in vectors with several running ones; a sum was slower.
    """
    arrays = pairs.a.reshape(-1), pairs.b.reshape(-1)
    parts = {n: [p for array in arrays for p in np.array_split(array, n)] for n in (1, threads)}
    with ThreadPoolExecutor(threads) as pool:

        def read(n: int) -> float:
            # The pool's threads let go of the interpreter while they read.
            return max((pool.map if n > 1 else map)(np.max, parts[n]))

        yield read

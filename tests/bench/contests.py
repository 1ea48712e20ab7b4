"""The contestants of each query about a set of pairs, and the speed-up that carom should reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import carom
import numpy as np
import shapely
from numba_fitted import fitted
from numba_kernels import ANY_SIZE
from numpy.typing import NDArray
from timing import Who, Work
from workloads import GRID, RADIUS, SETS, Pairs

Contestants = dict[Who, Work]
OVERLAP = ("intersects", "depth", "mtv")
HIT = ("will_intersect", "time")
REACH = ("intersects",)
CONTESTANTS = (
    "Shapely, built",
    "carom, built",
    "Shapely, arrays",
    "carom, arrays",
    "numba",
    "numba, fitted",
)


@dataclass(frozen=True)
class Goal:
    """The speed-up of one contestant over another that is the goal, for each set."""

    question: str
    who: str
    over: str
    least: dict[str, float]

    @property
    def name(self) -> str:
        """The heading of the goal's column."""
        return f"{self.question}: {self.who} over {self.over}"


def goal(question: str, who: str, over: str, *least: float) -> Goal:
    """A goal with a number for each of the random sets."""
    return Goal(question, who, over, dict(zip(SETS, least, strict=True)) if least else {})


INTERSECTS, MTV, SWEEP, CIRCLE = "intersects", "overlap and MTV", "sweep", "circle"
GOALS = (
    goal(INTERSECTS, "carom, built", "Shapely, built", 180, 30, 60, 12, 14, 6, 8, 1.7),
    goal(INTERSECTS, "carom, arrays", "Shapely, arrays", 400, 300, 150, 110, 60, 50, 30, 25),
    goal(INTERSECTS, "carom, arrays", "numba", 4, 4, 4, 2.5, 10, 7, 80, 40),
    goal(MTV, "carom, arrays", "numba", 8, 4, 8, 3, 8, 3, 40, 20),
    goal(SWEEP, "carom, arrays", "numba", 6, 4, 6, 3, 5, 3, 10, 10),
    goal(CIRCLE, "carom, built", "Shapely, built", 25, 8, 25, 8, 8, 8, 2, 2),
    Goal(INTERSECTS, "carom, arrays", "Shapely, built", {GRID: 60}),
    goal(INTERSECTS, "carom, arrays", "numba, fitted"),
    goal(MTV, "carom, arrays", "numba, fitted"),
    goal(SWEEP, "carom, arrays", "numba, fitted"),
)
GRID_AGAINST, GRID_AT_MOST = SETS[0], 2.0
"""The goal for the time of a grid, as a multiple of that of random pairs of quadrilaterals."""


def contests(pairs: Pairs, threads: set[int]) -> Iterator[tuple[str, Contestants]]:
    """Yields each query with its contestants."""
    columns = carom.Shapes(pairs.a), carom.Shapes(pairs.b)
    objects = shapely.polygons(pairs.a), shapely.polygons(pairs.b)
    yield INTERSECTS, intersects(pairs, columns, objects, threads)
    yield CIRCLE, circle(pairs, columns[1], objects[1], threads)
    yield MTV, overlap(pairs, columns, threads)
    yield SWEEP, sweep(pairs, columns, threads)


def intersects(pairs: Pairs, columns: Any, objects: Any, threads: set[int]) -> Contestants:
    """The contestants for whether polygons intersect."""
    a, b = pairs.a, pairs.b

    def caroms(n: int) -> Contestants:
        return {
            Who("carom, built", n): lambda: carom.intersects_batch(*columns, threads=n),
            Who("carom, arrays", n): lambda: carom.intersects_batch(a, b, threads=n),
        }

    others: Contestants = {
        Who("Shapely, built"): lambda: shapely.intersects(*objects),
        Who("Shapely, arrays"): lambda: shapely.intersects(
            shapely.polygons(a), shapely.polygons(b)
        ),
        Who("numba"): lambda: ANY_SIZE.intersects(a, b),
        Who("numba, fitted"): lambda: fitted(a.shape[1]).intersects(a, b),
    }
    return with_threads(others, caroms, threads)


def circle(pairs: Pairs, column: Any, objects: Any, threads: set[int]) -> Contestants:
    """The contestants for whether polygons are within a circle's radius."""
    centers, b = pairs.centers, pairs.b
    points = shapely.points(centers)

    def reach(polygons: Any, n: int) -> NDArray[np.bool_]:
        return carom.circle_polygon_batch(
            centers, RADIUS, polygons, fields=REACH, threads=n
        ).intersects

    def caroms(n: int) -> Contestants:
        return {
            Who("carom, built", n): lambda: reach(column, n),
            Who("carom, arrays", n): lambda: reach(b, n),
        }

    others: Contestants = {
        Who("Shapely, built"): lambda: shapely.dwithin(points, objects, RADIUS),
        Who("Shapely, arrays"): lambda: shapely.dwithin(
            shapely.points(centers), shapely.polygons(b), RADIUS
        ),
    }
    return with_threads(others, caroms, threads)


def overlap(pairs: Pairs, columns: Any, threads: set[int]) -> Contestants:
    """The contestants for penetration depth and minimum translation vector."""
    a, b = pairs.a, pairs.b

    def caroms(n: int) -> Contestants:
        return {
            Who("carom, built", n): lambda: carom.sat_batch(*columns, fields=OVERLAP, threads=n),
            Who("carom, arrays", n): lambda: carom.sat_batch(a, b, fields=OVERLAP, threads=n),
        }

    others: Contestants = {
        Who("numba"): lambda: ANY_SIZE.mtv(a, b),
        Who("numba, fitted"): lambda: fitted(a.shape[1]).mtv(a, b),
    }
    return with_threads(others, caroms, threads)


def sweep(pairs: Pairs, columns: Any, threads: set[int]) -> Contestants:
    """The contestants for whether and when moving polygons meet."""
    a, b, velocity = pairs.a, pairs.b, pairs.velocity

    def meet(a: Any, b: Any, n: int) -> Any:
        return carom.swept_collision_batch(a, b, velocity, fields=HIT, threads=n)

    def caroms(n: int) -> Contestants:
        return {
            Who("carom, built", n): lambda: meet(columns[0], columns[1], n),
            Who("carom, arrays", n): lambda: meet(a, b, n),
        }

    others: Contestants = {
        Who("numba"): lambda: ANY_SIZE.sweep(a, b, velocity),
        Who("numba, fitted"): lambda: fitted(a.shape[1]).sweep(a, b, velocity),
    }
    return with_threads(others, caroms, threads)


def with_threads(
    others: Contestants, caroms: Callable[[int], Contestants], threads: set[int]
) -> Contestants:
    """Returns the others and carom on each number of threads."""
    contestants = dict(others)
    for n in sorted(threads):
        contestants |= caroms(n)
    return contestants


def differing(contestants: Contestants) -> dict[str, int]:
    """Returns in how many rows others differ from carom: in a yes or no, a depth or a time."""
    carom_says = answers(contestants[Who("carom, arrays")]())
    found = {}
    for who, work in contestants.items():
        rows = np.zeros(len(carom_says[0]), dtype=bool)
        for one, other in zip(carom_says, answers(work()), strict=True):
            # Other ways of rounding; a yes or no is equal or isn't.
            rows |= ~np.isclose(one, other, rtol=1e-9, atol=1e-9)
        if rows.any():
            found[f"{who.name}, {who.threads} thread(s)"] = int(rows.sum())
    return found


def answers(result: Any) -> list[NDArray[Any]]:
    """Returns the numbers that must be the same; of equally short ways out there may be several."""
    if isinstance(result, np.ndarray):
        return [result]
    return [field for field in result._astuple() if field is not None][:2]

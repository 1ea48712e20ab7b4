"""Holds every noun against the oracle on cases of which at least a third are hard.

A case is hard when the shapes touch or are within two units in the last place of touching (for
a moving pair: now, at the frame's end, or grazing on the way), or when a coordinate lies beyond
1e150 or below 1e-150. Every boolean and every number of every result is checked.

    python tests/hard.py [--cases N] [--seed S] [--jobs J] [--noun NAME] [--show K]

Prints the share of hard cases by noun and by family; exits with 1 on any wrong answer, after
printing the case in full precision.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from random import Random
from typing import NamedTuple

import carom

import shapes
from reference import oracle
from reference.oracle import check

LEAST_SHARE = 1 / 3


class Outcome(NamedTuple):
    noun: str
    family: str
    touching: bool
    extreme: bool
    failure: str | None


# --- drawing a case -----------------------------------------------------------------------------


def scaled(rng: Random, *groups: shapes.Polygon) -> list[shapes.Polygon] | None:
    """All points times one extreme power of two, unless one of them overflows."""
    s = shapes.power(rng)
    groups_scaled = [shapes.stretched(group, s, s) for group in groups]
    finite = all(math.isfinite(x) for group in groups_scaled for p in group for x in p)
    return groups_scaled if finite else None


def draw_pair(rng: Random) -> tuple[str, shapes.Polygon, shapes.Polygon]:
    family = rng.choice(list(shapes.PAIRS))
    draw = shapes.extreme_pair if rng.random() < 0.12 else shapes.pair
    return (family, *draw(rng, family))


def draw_sweep(rng: Random) -> tuple[str, shapes.Polygon, shapes.Polygon, shapes.Point]:
    while True:
        family, a, b = draw_pair(rng)
        if rng.random() < 0.8 and oracle.intersects(a, b):
            b = shapes.apart(rng, a, b)
        aim = rng.choice([*shapes.VELOCITIES, "arrive", "graze", "graze"])
        v = shapes.velocity(rng, a, b, aim)
        if rng.random() < 0.1:
            a, b, (v,) = scaled(rng, a, b, [v]) or ([], [], [(0.0, 0.0)])
        if a and shapes.usable(a, b):
            return f"{family} {aim}", a, b, v


def draw_circle(
    rng: Random, *, moving: bool
) -> tuple[str, shapes.Point, float, shapes.Point, shapes.Polygon]:
    while True:
        family, aim = rng.choice(list(shapes.PAIRS)), rng.choice(shapes.CIRCLES)
        polygon = rng.choice(shapes.pair(rng, family))
        v = 0.0, 0.0
        if moving:
            center, radius, v = shapes.arriving_circle(rng, polygon, aim)
        else:
            center, radius = shapes.circle(rng, polygon, aim)
        if rng.random() < 0.12:
            parts = scaled(rng, [center, v, (radius, 0.0)], polygon)
            if parts is None:
                continue
            (center, v, (radius, _)), polygon = parts
        if shapes.usable(polygon) and all(map(math.isfinite, (*center, radius, *v))):
            return f"{family} {aim}", center, radius, v, polygon


# --- judging a case -----------------------------------------------------------------------------


def is_extreme(*groups: Iterable[shapes.Point]) -> bool:
    sizes = [abs(x) for group in groups for p in group for x in p if x != 0.0]
    return any(x > shapes.HUGE or x < shapes.TINY for x in sizes)


def is_near(gap: Decimal, *groups: Iterable[shapes.Point]) -> bool:
    """Whether a gap or an overlap is at most two units in the last place."""
    largest = max(abs(x) for group in groups for p in group for x in p)
    return abs(gap) <= 2 * Decimal(math.ulp(largest))


def at_an_end(moment: Decimal | None) -> bool:
    return moment is not None and (moment == 0 or abs(moment - 1) <= Decimal(2**-52))


def check_sat(rng: Random) -> tuple[str, bool, bool]:
    family, a, b = draw_pair(rng)
    truth = check.assert_sat(a, b, carom.sat(a, b))
    check.assert_intersects(a, b, carom.intersects(a, b))
    gap = truth.depth if truth.intersects else max(-w.depth for w in truth.ways)
    if not truth.intersects and is_near(gap, a, b):
        gap = oracle.distance(a, b).distance
    return family, is_near(gap, a, b), is_extreme(a, b)


def check_distance(rng: Random) -> tuple[str, bool, bool]:
    family, a, b = draw_pair(rng)
    truth = check.assert_distance(a, b, carom.distance(a, b))
    gap = oracle.sat(a, b).depth if truth.intersects else truth.distance
    return family, is_near(gap, a, b), is_extreme(a, b)


def check_swept_collision(rng: Random) -> tuple[str, bool, bool]:
    family, a, b, v = draw_sweep(rng)
    truth = check.assert_swept_collision(a, b, v, carom.swept_collision(a, b, v))
    gap = min((abs(w.depth) for w in truth.clearance), default=Decimal(1))
    if not truth.will_intersect:
        gap = max(abs(w.depth) for w in truth.clearance)
    if truth.intersects and truth.now:
        gap = min(gap, truth.now[0].depth)
    touching = is_near(gap, a, b) or (not truth.intersects and at_an_end(truth.time))
    return family, touching, is_extreme(a, b, [v])


def check_circle_polygon(rng: Random) -> tuple[str, bool, bool]:
    family, center, radius, _, polygon = draw_circle(rng, moving=False)
    result = carom.circle_polygon(center, radius, polygon)
    truth = check.assert_circle_polygon(center, radius, polygon, result)
    gap = truth.depth if truth.intersects else truth.distance
    near = is_near(gap, [center, (radius, 0.0)], polygon)
    return family, near, is_extreme([center, (radius, 0.0)], polygon)


def check_swept_circle(rng: Random) -> tuple[str, bool, bool]:
    family, center, radius, v, polygon = draw_circle(rng, moving=True)
    result = carom.swept_circle(center, radius, v, polygon)
    truth = check.assert_swept_circle(center, radius, v, polygon, result)
    near = is_near(truth.margin, [center, (radius, 0.0)], polygon)
    touching = near or (not truth.intersects and at_an_end(truth.time))
    return family, touching, is_extreme([center, v, (radius, 0.0)], polygon)


NOUNS: dict[str, Callable[[Random], tuple[str, bool, bool]]] = {
    "sat": check_sat,
    "swept_collision": check_swept_collision,
    "circle_polygon": check_circle_polygon,
    "swept_circle": check_swept_circle,
    "distance": check_distance,
}


def run_case(task: tuple[str, int, int]) -> Outcome:
    noun, seed, number = task
    try:
        family, touching, extreme = NOUNS[noun](Random(f"{noun}/{seed}/{number}"))
    except Exception as wrong:  # a crash is a wrong answer too
        failure = f"{noun}, seed {seed}, case {number}: {type(wrong).__name__}: {wrong}"
        return Outcome(noun, "", touching=False, extreme=False, failure=failure)
    return Outcome(noun, family, touching, extreme, None)


# --- the run ------------------------------------------------------------------------------------


def run(
    cases: int, seed: int = 0, jobs: int = 1, nouns: Iterable[str] = NOUNS
) -> Iterator[Outcome]:
    names = list(nouns)
    tasks = ((names[i % len(names)], seed, i) for i in range(cases))
    if jobs == 1:
        yield from map(run_case, tasks)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap_unordered(run_case, tasks, chunksize=50)


class Tally:
    """Counts of outcomes under one heading."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        self.count["cases"] += 1
        self.count["touching"] += outcome.touching
        self.count["extreme"] += outcome.extreme
        self.count["hard"] += outcome.touching or outcome.extreme
        self.count["wrong"] += outcome.failure is not None

    @property
    def share(self) -> float:
        return self.count["hard"] / max(self.count["cases"], 1)

    def row(self, name: str) -> str:
        c = self.count
        return (
            f"{name:34}{c['cases']:9}{c['touching']:10}{c['extreme']:9}"
            f"{c['hard']:8}{self.share:8.1%}{c['wrong']:7}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--noun", choices=NOUNS, action="append")
    parser.add_argument("--show", type=int, default=20, help="how many wrong answers to print")
    options = parser.parse_args()
    start = time.monotonic()
    total, tallies, failures = Tally(), {}, []
    for outcome in run(options.cases, options.seed, options.jobs, options.noun or NOUNS):
        shape, _, aim = outcome.family.partition(" ")
        for heading in (outcome.noun, f"  shapes: {shape}", f"  aim: {aim}"):
            tallies.setdefault(heading, Tally()).add(outcome)
        total.add(outcome)
        if outcome.failure is not None:
            failures.append(outcome.failure)
            if len(failures) <= options.show:
                print(outcome.failure, end="\n\n", flush=True)
    print(f"{'':34}{'cases':>9}{'touching':>10}{'extreme':>9}{'hard':>8}{'share':>8}{'wrong':>7}")
    for heading in sorted(tallies, key=lambda h: (h.startswith(" "), h)):
        if not heading.endswith(": "):
            print(tallies[heading].row(heading))
    print(total.row("all"))
    print(f"{time.monotonic() - start:.0f} s")
    if total.share < LEAST_SHARE:
        print(f"too few hard cases: {total.share:.1%}")
    return 1 if failures or total.share < LEAST_SHARE else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares every query with the oracle on cases of which at least a third are hard.

A case is hard when the shapes touch or are within two units in the last place of touching (for
a moving pair: now, at the frame's end, or grazing on the way), or when a coordinate lies beyond
1e150 or below 1e-150. Every boolean and every number of every result is checked. Of the general
shapes at least a third touch, or nearly so, at whatever magnitude, and a third have holes. Of those
that turn a third touch so, too, and the boundaries of a third of the pairs of which predicates are
asked have points in common.

    python tests/hard_cases.py [--shapes convex|general|turning|predicates] [--cases N] [--seed S]
        [--jobs J] [--query NAME] [--show K]

Prints the share of hard cases by query and by family; exits with 1 on any wrong answer, after
printing the case in full precision.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from cases import Case, convex, general, predicates, turning

LEAST_SHARE = 1 / 3
TARGETS = {
    "convex": convex.QUERIES,
    "general": general.QUERIES,
    "turning": turning.QUERIES,
    "predicates": predicates.QUERIES,
}
INSISTS_ON = {
    "convex": ("hard",),
    "general": ("touching", "holes"),
    "turning": ("touching",),
    "predicates": ("touching",),
}


class Outcome(NamedTuple):
    query: str
    case: Case | None
    failure: str | None


def run_case(task: tuple[str, str, int, int]) -> Outcome:
    target, query, seed, number = task
    name = query if target == "convex" else f"{target} {query}"
    try:
        return Outcome(query, TARGETS[target][query](Random(f"{name}/{seed}/{number}")), None)
    except Exception as wrong:  # a crash is a wrong answer too
        failure = f"{name}, seed {seed}, case {number}: {type(wrong).__name__}: {wrong}"
        return Outcome(query, None, failure)


def run(
    cases: int,
    seed: int = 0,
    jobs: int = 1,
    queries: Iterable[str] | None = None,
    target: str = "convex",
) -> Iterator[Outcome]:
    names = list(queries or TARGETS[target])
    tasks = ((target, names[i % len(names)], seed, i) for i in range(cases))
    if jobs == 1:
        yield from map(run_case, tasks)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap_unordered(run_case, tasks, chunksize=50)


COLUMNS = ("touching", "extreme", "hard", "holes")


class Tally:
    """Counts of outcomes under one heading."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        self.count["cases"] += 1
        self.count["wrong"] += outcome.failure is not None
        if outcome.case is not None:
            self.count["touching"] += outcome.case.touching
            self.count["extreme"] += outcome.case.extreme
            self.count["hard"] += outcome.case.touching or outcome.case.extreme
            self.count["holes"] += outcome.case.holed

    def share(self, column: str) -> float:
        return self.count[column] / max(self.count["cases"], 1)

    def row(self, name: str) -> str:
        shares = "".join(f"{self.share(column):9.1%}" for column in COLUMNS)
        return f"{name:34}{self.count['cases']:9}{shares}{self.count['wrong']:7}"


def headings(outcome: Outcome) -> Iterator[str]:
    yield outcome.query
    if outcome.case is not None:
        shape, _, aim = outcome.case.family.partition(" ")
        yield f"  shapes: {shape}"
        if aim:
            yield f"  aim: {aim}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", choices=TARGETS, default="convex")
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--query", action="append")
    parser.add_argument("--show", type=int, default=20, help="how many wrong answers to print")
    options = parser.parse_args()
    for query in options.query or []:
        if query not in TARGETS[options.shapes]:
            parser.error(f"--query: one of {', '.join(TARGETS[options.shapes])}, not {query}")
    return options


def main() -> int:
    options = arguments()
    start = time.monotonic()
    total, failures = Tally(), []
    tallies: dict[str, Tally] = {}
    for outcome in run(options.cases, options.seed, options.jobs, options.query, options.shapes):
        for heading in headings(outcome):
            tallies.setdefault(heading, Tally()).add(outcome)
        total.add(outcome)
        if outcome.failure is not None:
            failures.append(outcome.failure)
            if len(failures) <= options.show:
                print(outcome.failure, end="\n\n", flush=True)
    titles = "".join(f"{column:>9}" for column in COLUMNS)
    print(f"{options.shapes:34}{'cases':>9}{titles}{'wrong':>7}")
    for heading in sorted(tallies, key=lambda h: (h.startswith(" "), h)):
        print(tallies[heading].row(heading))
    print(total.row("all"))
    print(f"{time.monotonic() - start:.0f} s")
    scarce = [c for c in INSISTS_ON[options.shapes] if total.share(c) < LEAST_SHARE]
    for column in scarce:
        print(f"too few cases: {column} {total.share(column):.1%}")
    return 1 if failures or scarce else 0


if __name__ == "__main__":
    sys.exit(main())

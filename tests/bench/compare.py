"""Carom beside Shapely and numba on the same pairs, interleaved in one run: `make bench`

Random convex polygons with V vertices, a share of the pairs overlapping; unit squares on a grid,
where many pairs touch; data that are hard for a library of convex rows (see cliffs.py);
quadrilaterals that no cache holds, beside what memory delivers; and single calls from Python.
"Built" are Shapely objects and carom columns made before; from arrays, their making is counted in,
and so is carom's validation. "numba" is a straightforward implementation, "numba, fitted" the
fastest found; both assume valid rings and are not exact (see numba_kernels.py).

Prints Markdown: nanoseconds per pair, then the ratios of carom beside their goals, where missed
goals are bold. Each number is the median over rounds, in each of which all contestants run; the
quartiles are in parentheses. A ratio is taken in each round. Writes compare.csv beside this file
and the picture in python/docs, unless told to write elsewhere; a run of some parts, of fewer pairs
or with fewer rounds writes neither.
"""

from __future__ import annotations

import argparse
import fnmatch
from collections.abc import Callable, Iterator
from itertools import chain, product
from pathlib import Path

import arrow_cliffs
import cliffs
import contests
import frame_cliffs
import kind_cliffs
import log_cliffs
import map_cliffs
import memory_bandwidth
import numpy as np
import penetration_cliffs
import picture
import predicate_cliffs
import scalar
import stray_cliffs
import timing
import turning_cliffs
import way_cliffs
from contests import CONTESTANTS, GOALS, GRID_AGAINST, GRID_AT_MOST
from records import HERE, Record, facts, figure, ranged, read, record, table, write
from timing import ALL, Floats, Who, interleaved
from workloads import GRID, SETS, Pairs, workloads

SETS_PART, RATIOS_PART, MEMORY, SCALAR = "sets", "ratios", "memory", "scalar"
CLIFFS = "cliffs"
GROUPS = {
    **cliffs.GROUPS,
    **kind_cliffs.GROUPS,
    **map_cliffs.GROUPS,
    **stray_cliffs.GROUPS,
    **frame_cliffs.GROUPS,
    **arrow_cliffs.GROUPS,
    **turning_cliffs.GROUPS,
    **log_cliffs.GROUPS,
    **penetration_cliffs.GROUPS,
    **predicate_cliffs.GROUPS,
    **way_cliffs.GROUPS,
}
NANOSECONDS, RATIO = "ns", "times"
ROUNDS = 9
Seconds = dict[str, dict[Who, Floats]]


def main() -> None:
    """Measures, prints, writes and draws."""
    options = arguments()
    if options.draw_only:
        picture.draw(read(options.csv or HERE / "compare.csv"))
        return
    threads = {1, options.threads}
    print(", ".join(f"{name} {value}" for name, value in facts().items()), flush=True)
    rows = [*sets_part(options.wanted, options.scale, options.rounds, threads)]
    rows += cliffs_part(options.wanted, options.rounds)
    if options.wanted(MEMORY):
        rows += memory_part(options.scale, options.rounds, threads)
    if options.wanted(SCALAR):
        rows += scalar_part(options.rounds)
    print(f"\n{sum(row.short for row in rows)} of {sum(bool(row.goal) for row in rows)} short")
    whole = not options.only and options.scale == 1 and options.rounds >= ROUNDS
    if options.csv:
        write(options.csv, rows)
    elif whole:
        write(HERE / "compare.csv", rows)
        picture.draw(read(HERE / "compare.csv"))


def arguments() -> argparse.Namespace:
    """Returns what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--threads", type=int, default=ALL, help="of carom, beside one")
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers of pairs")
    names = ", ".join([*SETS, GRID, *GROUPS, MEMORY, SCALAR])
    parser.add_argument("--only", default="", help=f"some, with commas and *: {names}")
    parser.add_argument("--csv", type=Path, help="where to write")
    parser.add_argument("--draw-only", action="store_true", help="draw the CSV that is there")
    options = parser.parse_args()
    patterns = [text for text in options.only.split(",") if text]
    options.wanted = lambda name: (
        not patterns or any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
    )
    return options


def sets_part(
    wanted: Callable[[str], bool], scale: float, rounds: int, threads: set[int]
) -> list[Record]:
    """Measures the sets and prints the times and the ratios."""
    shown = [Who(name) for name in CONTESTANTS]
    if len(threads) > 1:
        shown += [Who(name, max(threads)) for name in CONTESTANTS if name.startswith("carom")]
    head = [who.name + (f", {who.threads} threads" if who.threads > 1 else "") for who in shown]
    times: list[Record] = []
    ratios: list[Record] = []
    random: Seconds = {}
    for pairs in workloads(wanted, scale):
        if not times:
            print(f"\nNanoseconds per pair:\n\n{table(2, ['pairs', 'question', *head], [])}")
        seconds: Seconds = {}
        for question, contestants in contests.contests(pairs, threads):
            say_who_differs(pairs, question, contestants)
            spent = interleaved(contestants, rounds)
            seconds[question] = {who: values / len(pairs) for who, values in spent.items()}
            found = times_of(pairs.name, question, seconds[question])
            cells = [figure(found[who].median) if who in found else "" for who in shown]
            print(f"| {' | '.join([pairs.name, question, *cells])} |", flush=True)
            times += found.values()
        ratios += goal_rows(pairs.name, seconds)
        if pairs.name == GRID_AGAINST:
            random = seconds
        if pairs.name == GRID and random:
            ratios += grid_rows(seconds, random)
    if ratios:
        print_ratios(ratios)
    return times + ratios


def say_who_differs(pairs: Pairs, question: str, contestants: contests.Contestants) -> None:
    """Prints in how many rows others have another answer than carom, if they do."""
    for name, count in contests.differing(contestants).items():
        print(f"{pairs.name}, {question}: {name} differs in {count:,} of {len(pairs):,} rows")


def times_of(pairs: str, question: str, seconds: dict[Who, Floats]) -> dict[Who, Record]:
    """Returns the nanoseconds of each contestant."""
    return {
        who: record(SETS_PART, pairs, question, who, NANOSECONDS, values * 1e9)
        for who, values in seconds.items()
    }


def goal_rows(pairs: str, seconds: Seconds) -> Iterator[Record]:
    """Yields the speed-ups of carom on one thread over the other contestants."""
    for goal in GOALS:
        spent = seconds[goal.question]
        values = spent[Who(goal.over)] / spent[Who(goal.who)]
        least = goal.least.get(pairs)
        yield record(RATIOS_PART, pairs, goal.name, Who("carom"), RATIO, values, least)


def grid_rows(grid: Seconds, random: Seconds) -> Iterator[Record]:
    """Yields how much more a pair costs on the grid than at random."""
    for question, spent in grid.items():
        who = Who("carom, arrays")
        # Other rounds: the quartiles are those of the grid.
        values = spent[who] / np.median(random[question][who])
        name = f"{question}: {GRID} over {GRID_AGAINST}"
        yield record(RATIOS_PART, GRID, name, who, RATIO, values, at_most=GRID_AT_MOST)


def print_ratios(ratios: list[Record]) -> None:
    """Prints the goals, a column each."""
    print("\nHow many times faster, one thread (quartiles) and the goal:\n")
    names = [goal.name for goal in GOALS]
    kept = {(row.pairs, row.question): ranged(row) for row in ratios}
    sets = dict.fromkeys(row.pairs for row in ratios)
    lines = [[name, *(kept[name, goal] for goal in names)] for name in sets]
    print(table(1, ["pairs", *names], lines))
    others = [row for row in ratios if row.question not in names]
    print("".join(f"\n{row.question}: {ranged(row)}" for row in others), flush=True)


def cliffs_part(wanted: Callable[[str], bool], rounds: int) -> list[Record]:
    """Measures data that are hard for a library of convex rows, prints and returns."""
    rows: list[Record] = []
    for cliff in chain.from_iterable(GROUPS[name]() for name in GROUPS if wanted(name)):
        own, other = Who("carom"), Who(cliff.peer)
        spent = interleaved({own: cliff.carom, other: cliff.other}, rounds)
        ratio = spent[other] / spent[own]
        name = f"{cliff.question}: {cliff.peer} over carom"
        rows.append(record(CLIFFS, cliff.data, name, own, RATIO, ratio, cliff.at_least))
    if rows:
        print("\nHard data, one thread, the peer's time over carom's (quartiles) and the goal:\n")
        lines = [[row.pairs, row.question, ranged(row)] for row in rows]
        print(table(2, ["data", "question", "ratio"], lines), flush=True)
    return rows


def memory_part(scale: float, rounds: int, threads: set[int]) -> list[Record]:
    """Measures quadrilaterals that exceed all caches, prints and returns."""
    pairs = memory_bandwidth.many_pairs(scale)
    rows: list[Record] = []
    for count in dict.fromkeys((len(pairs), int(memory_bandwidth.SOME * scale))):
        with memory_bandwidth.contest(memory_bandwidth.first(pairs, count), threads) as (
            contestants,
            sizes,
        ):
            seconds = interleaved(contestants, rounds)
        rows += memory_rows(f"c4_50, {count:,} pairs", seconds, sizes, count == len(pairs))
    print("\nQuadrilaterals from memory:\n")
    lines = [[row.pairs, row.question, str(row.threads), row.unit, ranged(row)] for row in rows]
    print(table(2, ["pairs", "what", "threads", "unit", "median (quartiles), goal"], lines))
    return rows


def memory_rows(
    name: str, seconds: dict[Who, Floats], sizes: dict[Who, int], largest: bool
) -> Iterator[Record]:
    """Yields bandwidths, times, shares and speed-ups."""

    def row(question: str, who: Who, unit: str, values: Floats, **goal: float | None) -> Record:
        return record(MEMORY, name, question, who, unit, values, **goal)

    for who, spent in seconds.items():
        if who.name == memory_bandwidth.READ:
            read_bytes = (memory_bandwidth.BYTES - 1) * sizes[who]
            yield row(who.name, who, "GB/s", read_bytes / spent / 1e9)
        else:
            yield row(who.name, who, NANOSECONDS, spent / sizes[who] * 1e9)
    for (question, least), threads in product(
        memory_bandwidth.SHARE_GOALS.items(), thread_counts(seconds)
    ):
        # Bytes read and written per time, relative to those of a contestant that only reads.
        share = seconds[Who(memory_bandwidth.READ, threads)] / seconds[Who(question, threads)]
        share *= memory_bandwidth.BYTES / (memory_bandwidth.BYTES - 1)
        wanted = least if largest and threads == 1 else None
        text = f"{question}: share of the bandwidth"
        yield row(text, Who("carom", threads), "share", share, at_least=wanted)
    for who, spent in seconds.items():
        if who.threads > 1:
            goal = (
                memory_bandwidth.SPEEDUP_GOAL
                if who.threads == 2 and who.name != memory_bandwidth.READ
                else None
            )
            values = seconds[Who(who.name)] / spent
            yield row(f"{who.name}: over one thread", who, RATIO, values, at_least=goal)
    if largest:
        few, many = Who(memory_bandwidth.SMALL_SAT), Who(memory_bandwidth.SAT)
        values = (seconds[many] / sizes[many]) / (seconds[few] / sizes[few])
        text = f"{memory_bandwidth.SAT}: many over few"
        yield row(text, many, RATIO, values, at_most=memory_bandwidth.SLOWDOWN_GOAL)


def thread_counts(seconds: dict[Who, Floats]) -> list[int]:
    """Returns on how many threads there are times."""
    return sorted({who.threads for who in seconds})


def scalar_part(rounds: int) -> list[Record]:
    """Measures single calls, prints and returns."""
    rows = []
    with timing.on_core(1):
        seconds = scalar.rounds_of(scalar.calls(), rounds)
    for (data, question, who), values in seconds.items():
        most = scalar.GOALS[question] if who.name == "carom" else None
        rows.append(record(SCALAR, data, question, who, NANOSECONDS, values * 1e9, at_most=most))
    print("\nSingle calls, nanoseconds each:\n")
    lines = [[row.pairs, row.question, row.who, ranged(row)] for row in rows]
    print(table(3, ["data", "question", "who", "median (quartiles), goal"], lines))
    return rows


if __name__ == "__main__":
    main()

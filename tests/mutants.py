"""Mutation testing of the core: ``python tests/mutants.py``.

Takes the mutants that cargo-mutants lists: all of the predicates, and elsewhere a sample drawn by a
seed. They are built once, all together (see `mutant_schema`). Each answers hard cases, which the
oracle checks, and the fixed scene, whose bits are known; those that survive run the tests of the
core. Constants and the few others that need a build of their own get one, of a crate cut down to
the predicates and what they use, and run the tests of these. Results are kept in a file, and a
later run goes on where an earlier one stopped.
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

from edited_tree import ROOT, EditedTree
from mutant_schema import MODULE, Schema, blamed, numbered

SECONDS = 120
"""A mutant of which a process computes for longer than this counts as caught: it may never end."""

WAITED = 10 * SECONDS
"""So does one that takes longer than this in all: it may wait for ever."""

MEMORY = 3 << 30
"""A mutant that needs more bytes than this counts as caught, too."""

PREDICATES = "src/predicates"
NOT_SAMPLED = (PREDICATES, "src/python")

LOWER = ("geom", "invalid_shape", "simd", "predicates")
TESTS_OF_LOWER = (
    "area_error_bounds",
    "balls",
    "bounds",
    "certainty",
    "circle_error_bounds",
    "crossing_time",
    "numbers",
    "predicates",
    "ring_area",
    "rounding_counts",
    "turning_gaps",
    "turns",
)

CASES = {"convex": 25, "turning": 20, "general": 15}
"""Hard cases of each question."""

NOT_BUILT, CAUGHT, SURVIVED = "does not build", "caught", "survived"

Mutant = dict[str, Any]


def listed() -> list[Mutant]:
    """All mutants of the crate."""
    found = subprocess.run(
        ["cargo", "mutants", "--list", "--json"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    mutants: list[Mutant] = json.loads(found.stdout)
    return mutants


def sample(mutants: list[Mutant], seed: int, most: int) -> list[Mutant]:
    """All mutants of the predicates and so many others, in random order."""
    others = [it for it in mutants if not it["file"].startswith(NOT_SAMPLED)]
    random.Random(seed).shuffle(others)
    chosen = [it for it in mutants if it["file"].startswith(PREDICATES)] + others[:most]
    random.Random(seed).shuffle(chosen)
    return chosen


def named(mutants: list[Mutant], names: set[str]) -> list[Mutant]:
    """The mutants with these names, which may lack line and column: these move."""

    def is_named(name: str) -> bool:
        return not names.isdisjoint((name, re.sub(r"(?<=\.rs):\d+:\d+", "", name)))

    return [it for it in mutants if is_named(it["name"])]


class AllMutants:
    """The tree with all mutants in one build.

    Attributes
    ----------
    not_built, left_over : set of int
        The numbers of the mutants that the compiler refuses, and of those that can't be switched
        on at run time.
    """

    def __init__(self, mutants: list[Mutant]) -> None:
        print(
            f"Building the tests and the extension with {len(mutants)} mutants: about 5 minutes",
            flush=True,
        )
        self.tree = EditedTree(ROOT / "target" / "all_mutants")
        self.tree.environment["RUSTFLAGS"] = "--cap-lints=allow"
        self.tree.environment["CARGO_PROFILE_MUTANTS_OPT_LEVEL"] = "1"
        self.files = numbered(mutants)
        self.not_built: set[int] = set()
        self.left_over: set[int] = set()
        self.tree.write("src/mutation.rs", MODULE)
        changes = {
            "src/lib.rs": ("pub mod batch;", "pub mod batch;\npub mod mutation;"),
            "tests/core/main.rs": ("mod layers;\n", ""),  # It knows no such module.
        }
        for name, (old, new) in changes.items():
            self.tree.write(name, (ROOT / name).read_text().replace(old, new))
        while refused := self.refused(self.written()):
            self.not_built |= refused
        if not (self.tree.build() and self.tree.extend()):
            raise SystemExit("the mutants do not build")
        sys.path.insert(0, str(self.tree.path / "python"))
        import carom._core

        self.switch = ctypes.CDLL(carom._core.__file__).carom_mutant
        """Switches a mutant on by its number."""

    def written(self) -> dict[str, Schema]:
        """The files as they are written, without the mutants that the compiler refuses."""
        schemas = {}
        for name, mutants in self.files.items():
            kept = [(number, it) for number, it in mutants if number not in self.not_built]
            schemas[name] = Schema((ROOT / name).read_bytes(), kept)
            self.left_over.update(schemas[name].left_over)
            self.tree.write(name, schemas[name].text.decode())
        return schemas

    def refused(self, schemas: dict[str, Schema]) -> set[int]:
        """The mutants that the compiler's messages are about; none if it has no errors."""
        found: set[int] = set()
        for message in self.tree.errors():
            for span in message["spans"]:
                if span["is_primary"] and span["file_name"] in schemas:
                    lines = span["line_start"], span["line_end"]
                    found |= blamed(schemas[span["file_name"]], *lines)
            if message["spans"] and not found:
                raise SystemExit(message["rendered"])
        return found

    def outcome(self, number: int) -> str:
        """How a mutant fares, in a process of its own, as it may crash or never end; 0 is none."""
        child = os.fork()
        if child == 0:
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            signal.alarm(WAITED)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            self.switch(number)
            is_caught = not are_answers_right()
            signal.alarm(0)
            self.tree.environment["CAROM_MUTANT"] = str(number)
            os._exit(is_caught or not self.tree.core(seconds=WAITED))
        return CAUGHT if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) else SURVIVED


def are_answers_right() -> bool:
    """Whether a sample of hard cases and the fixed scene are answered as they should be."""
    import fixed_scene
    import hard_cases
    import test_instructions as golden

    try:
        for target, cases in CASES.items():
            queries = hard_cases.TARGETS[target]
            for outcome in hard_cases.run(cases * len(queries), target=target):
                if outcome.failure is not None:
                    return False
        convex = fixed_scene.digest(1) == golden.GOLDEN
        return convex and fixed_scene.digest_of_kinds(1) == golden.GOLDEN_OF_KINDS
    except BaseException:  # a panic
        return False


class OneMutant:
    """The crate cut down to the predicates and what they use, and the tests of these."""

    def __init__(self) -> None:
        print("Building the predicates alone and their tests, and running these", flush=True)
        self.tree = EditedTree(ROOT / "target" / "one_mutant")
        self.tree.write("src/lib.rs", "".join(f"pub mod {room};\n" for room in LOWER))
        self.tree.write("tests/core/main.rs", "".join(f"mod {name};\n" for name in TESTS_OF_LOWER))
        if not (self.tree.build() and self.tree.core()):
            raise SystemExit("the tests of the predicates fail without a mutant")

    def outcome(self, mutant: Mutant) -> str:
        if Path(mutant["file"]).parts[1] not in LOWER:
            return "not run"
        self.tree.write(mutant["file"], mutated(mutant))
        try:
            if not self.tree.build():
                return NOT_BUILT
            return SURVIVED if self.tree.core(seconds=SECONDS) else CAUGHT
        finally:
            self.tree.restore(mutant["file"])


def mutated(mutant: Mutant) -> str:
    """The file with the mutant's span replaced; columns count characters from 1."""
    lines = (ROOT / mutant["file"]).read_text().splitlines(keepends=True)
    start, end = mutant["span"]["start"], mutant["span"]["end"]
    before = "".join(lines[: start["line"] - 1]) + lines[start["line"] - 1][: start["column"] - 1]
    after = lines[end["line"] - 1][end["column"] - 1 :] + "".join(lines[end["line"] :])
    return before + str(mutant["replacement"]) + after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=300, help="how many outside the predicates")
    parser.add_argument("--minutes", type=float, default=10**6, help="when to stop")
    parser.add_argument("--seed", type=int, default=1, help="of the sample and of the order")
    parser.add_argument("--skip", type=int, default=0, help="how many to leave out at the start")
    parser.add_argument(
        "--only",
        type=Path,
        help="a file of names, one a line, of the mutants to run, with or without line and column",
    )
    parser.add_argument(
        "--results",
        type=Path,
        default=ROOT / "target" / "mutants.csv",
        help="the file of results, which a later run goes on with",
    )
    options = parser.parse_args()
    mutants = listed()
    if options.only is None:
        mutants = sample(mutants, options.seed, options.most)[options.skip :]
    else:
        mutants = named(mutants, set(options.only.read_text().splitlines()))
        random.Random(options.seed).shuffle(mutants)
    known = {}
    if options.results.exists():
        with options.results.open() as file:
            known = dict(csv.reader(file))
    until = time.monotonic() + 60 * options.minutes
    together = AllMutants(mutants)
    alone = OneMutant() if together.left_over else None
    if together.outcome(0) != SURVIVED:
        raise SystemExit("the tests fail without a mutant")
    building, writing = Lock(), Lock()

    def try_out(number: int) -> None:
        if time.monotonic() > until:
            return
        mutant, how = mutants[number - 1], NOT_BUILT
        if alone is not None and number in together.left_over:
            with building:
                how = alone.outcome(mutant)
        elif number not in together.not_built:
            how = together.outcome(number)
        with writing:
            known[mutant["name"]] = how
            print(f"{how}: {mutant['name']}", flush=True)
            with options.results.open("w") as file:
                csv.writer(file).writerows(known.items())

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        left = [number for number, it in enumerate(mutants, 1) if it["name"] not in known]
        list(threads.map(try_out, left))
    names = {mutant["name"] for mutant in mutants}
    print(len(mutants), "listed;", Counter(how for name, how in known.items() if name in names))


if __name__ == "__main__":
    main()

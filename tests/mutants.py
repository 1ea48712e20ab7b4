"""Mutation testing of the core: ``python tests/mutants.py --under src/predicates --most 100``.

Takes the mutants that cargo-mutants lists, in an order that a seed shuffles, and runs the tests of
the core on each; those that survive, with ``--python``, the tests in Python too. Mutants of the
predicates and below first run the tests of these alone, in a crate cut down to them, which builds
in a fraction of the time. Results are appended to a file, and a later run goes on where an earlier
one stopped.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

from edited_tree import PROFILE, ROOT, EditedTree

SECONDS = 300
"""An endless loop counts as caught."""

SURVIVED = "survived tests/core"
SURVIVED_ALL = "survived all"

LOWER = ("error", "geom", "simd", "predicates")
TESTS_OF_LOWER = ("bounds", "circle_error_bounds", "numbers", "predicates")

PYTHON = (
    (PROFILE, ("tests/test_hard.py",)),
    ("dev-fast", ("-m", "not slow")),
)
"""The tests in Python, with the profile of each: first one that is quick without optimisation too,
then those of `make quick`."""


def listed(under: str, but: str | None) -> list[dict[str, Any]]:
    found = subprocess.run(
        ["cargo", "mutants", "--list", "--json"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    mutants = json.loads(found.stdout)
    return [
        mutant
        for mutant in mutants
        if mutant["file"].startswith(under) and not (but and mutant["file"].startswith(but))
    ]


def mutated(mutant: dict[str, Any]) -> str:
    """The file with the mutant's span replaced; columns count characters from 1."""
    lines = (ROOT / mutant["file"]).read_text().splitlines(keepends=True)
    start, end = mutant["span"]["start"], mutant["span"]["end"]
    before = "".join(lines[: start["line"] - 1]) + lines[start["line"] - 1][: start["column"] - 1]
    after = lines[end["line"] - 1][end["column"] - 1 :] + "".join(lines[end["line"] :])
    return before + mutant["replacement"] + after


def lower_rooms(whole: EditedTree) -> EditedTree:
    """The crate cut down to the predicates and what they use, and the tests of these."""
    tree = EditedTree(ROOT / "target" / "lower_rooms")
    tree.environment = whole.environment  # Both use the same build of the dependencies.
    tree.write("src/lib.rs", "".join(f"pub mod {room};\n" for room in LOWER))
    tree.write("tests/core/main.rs", "".join(f"mod {name};\n" for name in TESTS_OF_LOWER))
    return tree


def outcome(trees: list[EditedTree], mutant: dict[str, Any], in_python: bool) -> str:
    """How a mutant fares in each tree, one after the other."""
    for tree in trees:
        tree.write(mutant["file"], mutated(mutant))
    try:
        for tree in trees:
            if not tree.build():
                return "does not build"
            if not tree.core(seconds=SECONDS):
                return "caught by tests/core"
        return in_python_too(trees[-1]) if in_python else SURVIVED
    finally:
        for tree in trees:
            tree.restore(mutant["file"])


def in_python_too(tree: EditedTree) -> str:
    """How the mutant in the tree fares with the tests in Python."""
    for profile, tests in PYTHON:
        if not tree.extend(profile):
            return "does not build"
        if not tree.pytest(*tests, seconds=4 * SECONDS):
            return "caught by " + " ".join(tests)
    return SURVIVED_ALL


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--under", default="src/predicates", help="folder of the mutants")
    parser.add_argument("--but", help="a folder in it that is left out")
    parser.add_argument("--most", type=int, default=10**6, help="how many of the shuffled list")
    parser.add_argument("--minutes", type=float, default=10**6, help="when to stop")
    parser.add_argument("--python", action="store_true", help="survivors run the tests in Python")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=ROOT / "target" / "mutants.csv")
    options = parser.parse_args()
    mutants = listed(options.under, options.but)
    random.Random(options.seed).shuffle(mutants)
    known = {}
    if options.results.exists():
        with options.results.open() as file:
            known = dict(csv.reader(file))
    tree, until = EditedTree(), time.monotonic() + 60 * options.minutes
    lower = lower_rooms(tree)
    if not all(it.build() and it.core() for it in (lower, tree)):
        raise SystemExit("the tests of the core fail without a mutant")
    if options.python and in_python_too(tree) != SURVIVED_ALL:
        raise SystemExit("the tests in Python fail without a mutant")
    for mutant in mutants[: options.most]:
        before = known.get(mutant["name"])
        if before and not (options.python and before == SURVIVED):
            continue
        if time.monotonic() > until:
            break
        is_lower = Path(mutant["file"]).relative_to("src").parts[0] in LOWER
        trees = [lower, tree] if is_lower else [tree]
        known[mutant["name"]] = outcome(trees, mutant, options.python)
        print(f"{known[mutant['name']]}: {mutant['name']}", flush=True)
        with options.results.open("w") as file:
            csv.writer(file).writerows(known.items())
    names = {mutant["name"] for mutant in mutants}
    print(len(mutants), "listed;", Counter(how for name, how in known.items() if name in names))


if __name__ == "__main__":
    main()

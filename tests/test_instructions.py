"""All instruction sets, numbers of threads, and scalar calls return the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import carom._core
import numpy as np
import pytest

import every_form
import fixed_scene

GOLDEN = "eec682e929b299322854f2669020fca26d2db44d6022a48019e360463963bb9f"
"""The hash that `fixed_scene` prints. It must be the same on every processor, with any number of
threads and in every build; it changes only if a change of the results is intended."""

GOLDEN_OF_KINDS = "1c64e11ccbfc65099103b0276f7a0e129e65315958927150e7dd125dfeacdf38"
"""The second hash, of shapes of every kind, of predicates, joins, nearest rows, rays and points."""

SETS = every_form.SETS


def run(instructions: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "CAROM_INSTRUCTIONS": instructions},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "instructions",
    [
        name if name == carom._core.INSTRUCTIONS else pytest.param(name, marks=pytest.mark.slow)
        for name in SETS
    ],
)
def test_answers_have_the_golden_bits(instructions: str) -> None:
    if "which this processor lacks" in run(instructions, "-c", "import carom").stderr:
        pytest.skip(f"this processor has no {instructions}")
    script = run(instructions, str(Path(fixed_scene.__file__)))
    assert script.returncode == 0, script.stderr
    assert script.stdout.split() == [GOLDEN, GOLDEN_OF_KINDS]


@pytest.mark.slow
def test_instructions_and_forms_of_rows_change_no_bit() -> None:
    """`python tests/every_form.py` searches longer."""
    found = list(every_form.differences(range(12), 53))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("instructions", SETS)
def test_the_named_instructions_are_used(instructions: str) -> None:
    script = run(instructions, "-c", "import carom._core; print(carom._core.INSTRUCTIONS)")
    assert script.returncode == 0
    if script.stdout.strip() != instructions:
        assert f'CAROM_INSTRUCTIONS is "{instructions}", which' in script.stderr


def test_the_baseline_is_had_everywhere() -> None:
    script = run("baseline", "-W", "error", "-c", "import carom")
    assert (script.returncode, script.stderr) == (0, "")


def test_an_unknown_name_is_warned_of_with_those_that_are_known() -> None:
    printed = "import carom._core; print(carom._core.INSTRUCTIONS)"
    script, best = run("sse9", "-c", printed), run("", "-c", printed)
    assert script.returncode == 0
    assert script.stdout == best.stdout
    assert 'RuntimeWarning: CAROM_INSTRUCTIONS is "sse9"' in script.stderr
    assert f"{', '.join(SETS)}; using {best.stdout.strip()}" in script.stderr
    assert best.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_no_bit(threads: int) -> None:
    assert fixed_scene.digest(threads) == GOLDEN
    assert fixed_scene.digest_of_kinds(threads) == GOLDEN_OF_KINDS


def test_one_row_has_the_bits_of_many() -> None:
    for a, b, velocity, center, radius in fixed_scene.scene():
        rows = range(0, len(a), 3)
        for ask, given in fixed_scene.questions(a, b, velocity, center, radius):
            one = getattr(carom, ask.__name__.removesuffix("_batch"))
            many = ask(*given)
            for row in rows:
                single = one(*(operand[row] for operand in given))
                if isinstance(many, np.ndarray):
                    assert single == many[row]
                    continue
                if isinstance(many, carom.ContactIntervals):
                    assert single.tobytes() == many[row].tobytes(), (ask, row)
                    continue
                for name, value in many[row]._asdict().items():
                    alone = np.asarray(getattr(single, name))
                    assert np.asarray(value).tobytes() == alone.tobytes(), (ask, row, name)

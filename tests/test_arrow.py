"""Arrow data of which some number is wrong: refused, or read as Arrow has it, never a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arrow_capsules import (
    NUMBERS,
    Exported,
    GetSchema,
    ReleaseArray,
    ReleaseStream,
    Streamed,
    array,
    int32,
    polygons,
    polygons_type,
    schema,
)

ASTRAY = "ValueError: obj: offsets lead beyond the arrays"
NO_BUFFER = "ValueError: obj: C Data interface error: The external buffer at position 1 is null."

UNREAD = "ValueError: obj: C Data interface error: Cannot get next array from input stream"


def exported(**changed: dict[str, Any]) -> Any:
    return Exported(polygons_type(), polygons(**changed))


def with_offsets(rows: tuple[int, ...], rings: tuple[int, ...], dtype: Any) -> Any:
    points = array(7, [None], array(14, [None, NUMBERS]))
    of_rings = array(len(rings) - 1, [None, np.array(rings, dtype)], points)
    of_rows = array(len(rows) - 1, [None, np.array(rows, dtype)], of_rings)
    return Exported(polygons_type(b"+l" if dtype is np.int32 else b"+L"), of_rows)


def stream(*items: Any, error: bytes | None = b"the disk is full", **fields: Any) -> Any:
    return Streamed(polygons_type(), items, error, **fields)


def shifted(numbers: np.ndarray) -> np.ndarray:
    """The same bytes where no number should start."""
    memory = np.zeros(numbers.nbytes + 1, np.uint8)
    memory[1:] = numbers.view(np.uint8)
    return memory[1:]


CASES: dict[str, tuple[Any, str]] = {
    "as it should be": (exported, "2 rows of 7 vertices"),
    "fewer rows": (lambda: exported(rows={"length": 1}), "1 rows of 4 vertices"),
    "no rows": (lambda: exported(rows={"length": 0}), "0 rows of 0 vertices"),
    "nulls not counted": (lambda: exported(rows={"null_count": -1}), "2 rows of 7 vertices"),
    "nulls without a bitmap": (lambda: exported(rows={"null_count": 7}), "2 rows of 7 vertices"),
    "fewer rings": (lambda: exported(rings={"length": 1}), ASTRAY),
    "no rings": (lambda: exported(rings={"length": 0}), ASTRAY),
    "fewer points": (lambda: exported(points={"length": 6}), ASTRAY),
    "taken rows": (
        lambda: exported(rows={"release": ReleaseArray()}),
        "ValueError: obj: C Data interface error: the array has been taken already",
    ),
    "no numbers": (
        lambda: Exported(
            polygons_type(),
            array(
                2,
                [None, int32(0, 1, 2)],
                array(2, [None, int32(0, 4, 7)], array(7, [None], array(14, [None, None]))),
            ),
        ),
        NO_BUFFER,
    ),
    "no offsets": (
        lambda: Exported(
            polygons_type(),
            array(
                2,
                [None, None],
                array(2, [None, int32(0, 4, 7)], array(7, [None], array(14, [None, NUMBERS]))),
            ),
        ),
        NO_BUFFER,
    ),
    "nothing, offsets of one": (
        lambda: Exported(
            polygons_type(),
            array(
                0,
                [None, int32(0)],
                array(0, [None, int32(0)], array(0, [None], array(0, [None, None]))),
            ),
        ),
        "0 rows of 0 vertices",
    ),
    "memory that starts anywhere": (
        lambda: Exported(
            polygons_type(),
            array(
                2,
                [None, shifted(int32(0, 1, 2))],
                array(
                    2,
                    [None, shifted(int32(0, 4, 7))],
                    array(7, [None], array(14, [None, shifted(NUMBERS)])),
                ),
            ),
        ),
        "2 rows of 7 vertices",
    ),
    "a type of letters": (
        lambda: Exported(schema(b"nonsense"), polygons()),
        'ValueError: obj: C Data interface error: The datatype ""nonsense""',
    ),
    "a stream": (lambda: stream(polygons(), polygons()), "4 rows of 14 vertices"),
    "an empty stream": (stream, "0 rows of 0 vertices"),
    "a stream that fails": (lambda: stream(22), UNREAD),
    "a stream that fails in the middle": (
        lambda: stream(polygons(), 5),
        f"{UNREAD}. Error code: 5. Producer error: the disk is full",
    ),
    "a stream that fails without a word": (
        lambda: stream(polygons(), 5, error=None),
        UNREAD,
    ),
    "a stream that fails in no language": (
        lambda: stream(polygons(), 5, error=b"\xff\xfe"),
        UNREAD,
    ),
    "a stream whose second array is wrong": (
        lambda: stream(polygons(), polygons(rings={"length": 1})),
        ASTRAY,
    ),
    "a stream without a type": (
        lambda: Streamed(5, [], b"none"),
        "ValueError: obj: C Data interface error: Cannot get schema from input stream",
    ),
    "a stream without a way to its type": (
        lambda: stream(polygons(), get_schema=GetSchema()),
        "ValueError: obj: C Data interface error: input stream does not provide",
    ),
    "a taken stream": (
        lambda: stream(polygons(), release=ReleaseStream()),
        "ValueError: obj: C Data interface error: input stream is already released",
    ),
}

for dtype in (np.int32, np.int64):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    for rows, rings, outcome in [
        ((1, 1, 2), (0, 4, 7), "2 rows of 3 vertices"),
        ((2, 2, 2), (0, 4, 7), "2 rows of 0 vertices"),
        ((0, 0, 2), (0, 4, 7), "ValueError: obj[1]"),
        ((2,), (0, 4, 7), "0 rows of 0 vertices"),
        ((0, 1, 2), (1, 4, 7), "2 rows of 6 vertices"),
        ((0, 1, 2), (0, 4, 4, 7), "2 rows of 4 vertices"),
        ((0, 2, 1), (0, 4, 7), ASTRAY),
        ((0, 1, 3), (0, 4, 7), ASTRAY),
        ((0, -1, 2), (0, 4, 7), ASTRAY),
        ((-1, 1, 2), (0, 4, 7), ASTRAY),
        ((0, 100, 2), (0, 4, 7), ASTRAY),
        ((0, 0, most), (0, 4, 7), ASTRAY),
        ((least, 0, 2), (0, 4, 7), ASTRAY),
        ((-1, -1, -1), (0, 4, 7), ASTRAY),
        ((3,), (0, 4, 7), ASTRAY),
        ((0, 1, 2), (0, 7, 4), ASTRAY),
        ((0, 1, 2), (0, 4, 8), ASTRAY),
        ((0, 1, 2), (0, -4, 7), ASTRAY),
        ((0, 1, 2), (-1, 4, 7), ASTRAY),
        ((0, 1, 2), (most, most, most), ASTRAY),
        ((0, 1, 2), (0,), ASTRAY),
    ]:
        CASES[f"{dtype.__name__} {rows} {rings}"] = (
            lambda rows=rows, rings=rings, dtype=dtype: with_offsets(rows, rings, dtype),
            outcome,
        )


@pytest.fixture(scope="module")
def outcomes() -> dict[str, str]:
    if not hasattr(os, "fork"):
        pytest.skip("needs processes that may crash")
    # Without Shapely, so that nothing else looks at the objects.
    module = Path(__file__).stem
    program = f"import arrow_capsules, {module}; arrow_capsules.tell({module}.CASES)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    return dict(line.split("\t") for line in done.stdout.splitlines())


@pytest.mark.parametrize("name", CASES)
def test_wrong_numbers_are_refused_or_taken_as_arrow_has_it(
    name: str, outcomes: dict[str, str]
) -> None:
    assert outcomes[name].startswith(CASES[name][1])

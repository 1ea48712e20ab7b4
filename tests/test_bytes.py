"""Arrow, WKB and ragged arrays of arbitrary bytes: a sample of `make fuzz-bytes`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("first", [0, 10_000])
def test_bytes_from_elsewhere_are_read_as_others_read_them_or_refused(
    first: int, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("shapely")
    last = tmp_path / "last"
    command = [sys.executable, str(HERE / "fuzz_bytes.py"), "--count", "1000"]
    command += ["--first", str(first), "--last", str(last)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{last.read_bytes().hex()}\n{done.stderr}"
    assert "panicked" not in done.stderr


def test_the_study_of_numbers_finds_all_within_the_contract() -> None:
    command = [sys.executable, str(HERE / "bench" / "accuracy.py"), "--cases", "20", "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
    parts = {(row[0], row[1]): float(row[-1].rstrip(" |")) for row in rows[2:]}
    assert len({name for name, _ in parts}) == 20
    assert max(parts.values()) < 1

"""A sample of the study of numbers; ``make accuracy`` runs 3,000 cases of each query."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_the_study_of_numbers_finds_all_within_the_contract() -> None:
    command = [sys.executable, str(HERE / "bench" / "accuracy.py"), "--cases", "20", "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
    parts = {(row[0], row[1]): float(row[-1].rstrip(" |")) for row in rows[2:]}
    assert len({name for name, _ in parts}) == 20
    assert max(parts.values()) < 1

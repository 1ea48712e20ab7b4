"""Arrow, WKB and ragged arrays of arbitrary bytes: a sample of `make fuzz-readers`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 10_000])
def test_bytes_from_elsewhere_are_read_as_others_read_them_or_refused(
    first: int, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("shapely")
    last = tmp_path / "last"
    command = [sys.executable, str(HERE / "fuzz_readers.py"), "--count", "1000"]
    command += ["--first", str(first), "--last", str(last)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{last.read_bytes().hex()}\n{done.stderr}"
    assert "panicked" not in done.stderr

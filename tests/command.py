"""The command line as a user runs it, for the tests of the demos."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path


def demo(
    *arguments: str | Path, cwd: Path, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs the command line as a user would; `path` goes before the installed packages."""
    return subprocess.run(
        [sys.executable, "-m", "carom", "demo", *map(str, arguments)],
        cwd=cwd,
        env=os.environ if path is None else {**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )


def table(report: str, heading: str) -> list[list[str]]:
    """The cells under the line that begins with `heading`, up to an empty line or a remark."""
    lines = itertools.dropwhile(lambda line: line.split()[:1] != [heading], report.splitlines())
    body = itertools.takewhile(
        lambda line: line.strip() and not line.strip().startswith("and "), list(lines)[1:]
    )
    return [re.split(r"\s{2,}", line.strip()) for line in body]


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """One line on stderr that says why, and status 1."""
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("carom: ")
    for word in words:
        assert word in line


def without(folder: Path, *packages: str) -> Path:
    """A folder to go before the installed packages, so that these can't be imported."""
    for package in packages:
        blocker = folder / "blocker" / package
        blocker.mkdir(parents=True)
        blocker.joinpath("__init__.py").write_text(
            f"raise ModuleNotFoundError('No module named {package}', name='{package}')\n"
        )
    return folder / "blocker"

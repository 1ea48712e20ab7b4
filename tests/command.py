"""The command line as a user runs it."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest import mock

from carom import __main__


def carom(
    *arguments: str | Path, cwd: Path, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs the command line as a user would; `path` goes before the installed packages."""
    paths = [str(path), os.environ.get("PYTHONPATH", "")] if path else []
    return subprocess.run(
        [sys.executable, "-m", "carom", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)} if paths else os.environ,
        capture_output=True,
        text=True,
        check=False,
    )


def carom_here(
    *arguments: str | Path, cwd: Path, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs the command line in this process, which is faster."""
    out, err = io.StringIO(), io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    with (
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch("sys.stdin", given),
    ):
        try:
            status = __main__.main([*map(str, arguments)])
        except SystemExit as left:
            status = int(left.code or 0)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


def demo(
    *arguments: str | Path, cwd: Path, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a demo."""
    return carom("demo", *arguments, cwd=cwd, path=path)


def table(report: str, heading: str) -> list[list[str]]:
    """The cells under the line that starts with `heading`, up to an empty line or a comment."""
    lines = itertools.dropwhile(lambda line: line.split()[:1] != [heading], report.splitlines())
    body = itertools.takewhile(
        lambda line: line.strip() and not line.strip().startswith("and "), list(lines)[1:]
    )
    return [re.split(r"\s{2,}", line.strip()) for line in body]


def assert_refused(done: subprocess.CompletedProcess[str], *words: str, status: int = 1) -> None:
    """One line on stderr with the reason, and the status."""
    assert done.returncode == status
    (line,) = done.stderr.splitlines()
    assert line.startswith("carom: ")
    for word in words:
        assert word in line


def without(folder: Path, *packages: str) -> Path:
    """A folder that precedes the installed packages and makes the import of these fail."""
    for package in packages:
        blocker = folder / "blocker" / package
        blocker.mkdir(parents=True)
        blocker.joinpath("__init__.py").write_text(
            f"raise ModuleNotFoundError('No module named {package}', name='{package}')\n"
        )
    return folder / "blocker"

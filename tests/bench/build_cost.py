"""What a build costs: processor time, the sizes of library and wheel, and lines of LLVM by kernel.

    python tests/bench/build_cost.py          # all, some ten minutes on two cores
    python tests/bench/build_cost.py --lines  # lines of LLVM alone

Both build in a temporary folder, from nothing.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
QUERY = re.compile(r"\d([A-Z]\w*?Query)")
"""The name of a query in a mangled symbol, after its length."""
FUNCTION = re.compile(r"^define .*?@\"?(\S+?)\"?\(.*?\{$(.*?)^\}$", re.MULTILINE | re.DOTALL)
INSTRUCTIONS = ("Avx512", "Avx2", "Sse2", "Neon")


def run(command: list[str], target: str, **variables: str) -> float:
    """Runs a command, and returns the seconds of processor time that it and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "CARGO_TARGET_DIR": target, **variables}
    subprocess.run(command, cwd=ROOT, check=True, env=environment, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def build() -> None:
    """Prints what the wheel of a release costs, and its size."""
    with tempfile.TemporaryDirectory() as folder:
        maturin = [sys.executable, "-m", "maturin", "build", "--release", "--quiet", "--locked"]
        seconds = run([*maturin, "--out", folder], f"{folder}/target")
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as files:
            library = max(files.infolist(), key=lambda file: file.file_size)
        print(f"processor time  {seconds:8.0f} s")
        print(f"library         {library.file_size / 1e6:8.2f} MB")
        print(f"wheel           {wheel.stat().st_size / 1e6:8.2f} MB")


def lines_by_kernel(text: str) -> dict[tuple[str, str], Counter[str]]:
    """The functions and lines of LLVM of each query and instruction set."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for function in re.finditer(
        r"^define .*?@\"?(\S+?)\"?\(.*?\{$(.*?)^\}$", text, re.MULTILINE | re.DOTALL
    ):
        symbol, body = function.groups()
        query = QUERY.search(symbol)
        instructions = next((name for name in INSTRUCTIONS if name in symbol), "any")
        kernel = (query[1] if query else "the rest", instructions)
        counts = found.setdefault(kernel, Counter())
        counts["functions"] += 1
        counts["lines"] += body.count("\n")
    return found


def lines() -> None:
    """Prints the lines of LLVM by kernel, before any is optimized."""
    with tempfile.TemporaryDirectory() as target:
        flags = ["-C", "no-prepopulate-passes", "-C", "codegen-units=1", "-C", "lto=off"]
        flags += ["-C", "symbol-mangling-version=v0", "--emit=llvm-ir"]
        cargo = ["cargo", "rustc", "--quiet", "--locked", "--release", "--lib"]
        cargo += ["--crate-type", "rlib", "--features", "python", "--", *flags]
        run(cargo, target, PYO3_PYTHON=sys.executable)
        (emitted,) = Path(target).glob("release/deps/carom-*.ll")
        found = lines_by_kernel(emitted.read_text())
    print("\nlines of LLVM  functions  kernel")
    for (query, instructions), counts in sorted(found.items(), key=lambda it: -it[1]["lines"]):
        print(f"{counts['lines']:13,}  {counts['functions']:9,}  {query}, {instructions}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", action="store_true", help="lines of LLVM alone")
    if not parser.parse_args().lines:
        build()
    lines()

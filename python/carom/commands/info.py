"""`carom info`."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import carom
from carom._core import INSTRUCTIONS

if TYPE_CHECKING:
    import argparse

NAME = "info"
HELP = "print the version, the processor, and the number of threads"
DESCRIPTION = "Prints the facts to include in a report of a bug or of a measurement."
EPILOG = (
    "The environment variable CAROM_INSTRUCTIONS selects an instruction set other than the best: "
    "avx512, avx2, neon or baseline. The results are the same, bit for bit."
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds no arguments."""


def run(_: argparse.Namespace) -> int:
    """Prints one line per fact."""
    is_chosen = os.environ.get("CAROM_INSTRUCTIONS") == INSTRUCTIONS
    chosen = " (by CAROM_INSTRUCTIONS)" if is_chosen else ""
    facts = {
        "carom": carom.__version__,
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "NumPy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "instructions": f"{INSTRUCTIONS}{chosen}",
        "threads": str(threads()),
    }
    for name, fact in facts.items():
        print(f"{name:<13} {fact}")
    return 0


def processor() -> str:
    """Returns the processor's name, or "unknown"."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(iter(names), "") or platform.processor() or "unknown"


def threads() -> int:
    """Returns the number of cores this process may use, the default number of threads."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

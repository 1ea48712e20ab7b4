"""Loads the core. Where it refuses to load, a command says so in a line, as of any other error.

The package is imported before a command's own code, so that nothing later could catch this.
"""

from __future__ import annotations

import sys
from importlib import import_module


def is_command() -> bool:
    """Whether this is ``carom`` or ``python -m carom``, and not a program that imports carom."""
    started = sys.argv[0] if sys.argv else ""
    if started == "-m":  # as long as Python looks for the module
        word = sys.orig_argv[-len(sys.argv)]  # of the module: its arguments come after it
        if word.startswith("-"):  # -mcarom, -Imcarom
            word = word.partition("m")[2]
        return word == "carom"
    name = started.replace("\\", "/").rpartition("/")[2]  # pathlib would take long to import
    return name in {"carom", "carom.exe"}


try:
    import_module("carom._core")
except ValueError as _refusal:
    if not is_command():
        raise
    if sys.stderr is not None:
        print("carom:", _refusal, file=sys.stderr)
    sys.exit(2)

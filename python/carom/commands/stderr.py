"""Lines on stderr, which can't cause another error."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def tell(line: str) -> None:
    """Prints a line on stderr. A failed write, as on a full disk, doesn't change the status."""
    try:
        print(line, file=sys.stderr)
    except BrokenPipeError:
        raise
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Discards the buffer of a stream, which the interpreter would flush at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

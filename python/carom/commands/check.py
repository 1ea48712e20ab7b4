"""`carom check FILE`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from carom.commands.readers import FORMATS, add_reading, read_layer, readings
from carom.commands.report_text import count
from carom.commands.stderr import tell

if TYPE_CHECKING:
    import argparse

NAME = "check"
HELP = "list the shapes of a file that are not valid"
DESCRIPTION = (
    "Validates every feature of a file exactly, and prints a line for each "
    "invalid one: its number, its part, ring, edge or vertex, and the coordinates. All are counted "
    "from 0; edge 3 runs from vertex 3 to the next. Points and lines are valid if their "
    "coordinates are finite, and a line has two vertices or more."
)
EPILOG = "Exit status: 0 if all are valid, 1 if any is invalid, 2 if the file can't be read."


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    command.add_argument("file", metavar="FILE", help=FORMATS)
    add_reading(command)
    command.add_argument("-q", "--quiet", action="store_true", help="print nothing")


def run(options: argparse.Namespace) -> int:
    """Prints the invalid rows, and on stderr their number."""
    layer = read_layer(options.file, *readings(options, 1))
    bad, shapes = 0, layer.shapes
    for line in layer.bad_rows():
        bad += 1
        if not options.quiet:
            print(line)
    if not options.quiet:
        sys.stdout.flush()
        missing = int((shapes.is_valid & (shapes.kind == -1)).sum())
        rows = count(len(shapes), "row")
        absent = f", {missing:,} missing" if missing else ""
        tell(f"{layer.name}: {rows}, {bad:,} bad{absent}")
    return 1 if bad else 0

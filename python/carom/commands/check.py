"""`carom check FILE`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from carom.commands import tell
from carom.commands.layer import read_layer
from carom.demo.table import count

if TYPE_CHECKING:
    import argparse

NAME = "check"
HELP = "list the polygons of a file that are not valid"
DESCRIPTION = (
    "Validates every polygon of a GeoJSON or GeoParquet file exactly, and prints a line for each "
    "invalid one: its feature, its part within a MultiPolygon, the ring, edge or vertex, and the "
    "coordinates. Features, parts, rings, edges and vertices are counted from 0; edge 3 runs from "
    "vertex 3 to the next. Each part of a MultiPolygon is checked by itself."
)
EPILOG = "Exit status: 0 if all are valid, 1 if any is invalid, 2 if the file can't be read."


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    command.add_argument("file", metavar="FILE", help="GeoJSON, .parquet, or - for standard input")
    command.add_argument("--drop-z", action="store_true", help="accept polygons with Z, and drop Z")
    command.add_argument("-q", "--quiet", action="store_true", help="print nothing")


def run(options: argparse.Namespace) -> int:
    """Prints the invalid rows, and on stderr their number."""
    layer = read_layer(options.file, drop_z=options.drop_z)
    bad = 0
    for line in layer.bad_rows():
        bad += 1
        if not options.quiet:
            print(line)
    if not options.quiet:
        sys.stdout.flush()
        missing = sum(row is None for row in layer.rows)
        rows = count(len(layer.rows) - missing, "row")
        absent = f", {missing:,} missing" if missing else ""
        tell(f"{layer.name}: {rows}, {bad:,} bad{absent}")
    return 1 if bad else 0

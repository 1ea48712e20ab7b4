"""`carom pairs FILE [FILE]`."""

from __future__ import annotations

import math
import sys
from argparse import ArgumentTypeError
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import carom
from carom.commands import CommandError, naming, refuse_unwritable
from carom.commands.layer import PARQUET, read_layer, refuse_different_crs

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from carom.commands.layer import Layer

Integers = NDArray[np.int64]

NAME = "pairs"
HELP = "print the pairs of shapes of one or two files that touch"
DESCRIPTION = (
    "Joins the features of a GeoJSON or GeoParquet file with each other, or with those of a second "
    "file, and prints the pairs that touch or overlap as CSV with the columns a and b: the "
    "features' positions in their files, counted from 0, sorted. Points, lines, polygons and "
    "several of each are taken. Each pair is listed once; within one file a is less than b."
)
EPILOG = (
    "Exit status: 0, also if no pair touches; 1 if a shape is invalid; 2 if a file can't be read "
    "or written."
)
BATCH = 100_000
"""Lines of CSV per write."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    command.add_argument("a", metavar="FILE", help="GeoJSON, .parquet, or - for standard input")
    command.add_argument("b", metavar="FILE", nargs="?", help="a second file")
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        default="-",
        help="a CSV file, or a Parquet file if it ends in .parquet or .geoparquet (default: -, "
        "standard output)",
    )
    command.add_argument(
        "--margin",
        metavar="D",
        type=not_negative,
        default=0.0,
        help="greatest distance of a pair, in the coordinates' unit (default: 0)",
    )
    command.add_argument("--drop-z", action="store_true", help="accept shapes with Z, and drop Z")


def not_negative(text: str) -> float:
    """Returns a finite number, 0 or more."""
    with suppress(ValueError):
        number = float(text)
        if math.isfinite(number) and number >= 0.0:
            return number
    raise ArgumentTypeError(f"{text!r} is not a number of 0 or more")


def run(options: argparse.Namespace) -> int:
    """Writes the pairs."""
    if options.a == options.b == "-":
        options.refuse("standard input can be read only once")
    for file in (options.a, options.b):
        if is_same_file(file, options.output):
            options.refuse(f"argument -o/--output: {options.output} is read, so it isn't written")
    write = writer(options.output)
    a = read_layer(options.a, drop_z=options.drop_z)
    b = None
    if options.b is not None:
        b = read_layer(options.b, drop_z=options.drop_z)
        refuse_different_crs(a, b)
    write(joined(a, b, options.margin))
    return 0


def joined(a: Layer, b: Layer | None, margin: float) -> Integers:
    """Returns the features that touch, each pair once."""
    columns = a.valid(), None if b is None else b.valid()
    with bar(len(columns[0])) as progress:
        return carom.colliding_pairs(*columns, margin=margin, progress=progress)


def bar(total: int) -> AbstractContextManager[Callable[[int, int], object] | None]:
    """Returns a progress bar on stderr, if that is a terminal and tqdm is installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        return nullcontext()
    return Bar(tqdm(total=total, unit=" rows", unit_scale=True, disable=None, leave=False))


class Bar:
    """Passes the progress of `colliding_pairs` to a tqdm bar."""

    def __init__(self, bar: Any) -> None:
        self.bar = bar

    def __enter__(self) -> Callable[[int, int], object]:
        return lambda done, _: self.bar.update(done - self.bar.n)

    def __exit__(self, *_: object) -> None:
        self.bar.close()


def is_same_file(file: str | None, output: str) -> bool:
    """Whether the output would overwrite an input file, possibly under another name."""
    if file is None or "-" in {file, output} or not Path(output).is_file():
        return False
    return Path(file).exists() and Path(file).samefile(output)


def writer(output: str) -> Callable[[Integers], None]:
    """Returns a function that writes the pairs, after checking that the file is writable."""
    if output == "-":
        return lambda pairs: write_csv(pairs, sys.stdout)
    path = Path(output)
    refuse_unwritable(path)
    if path.suffix.lower() not in PARQUET:
        return lambda pairs: write_csv_file(pairs, path)
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise CommandError(f"{output}: Parquet needs pyarrow; pip install 'carom[geo]'") from None

    def write(pairs: Integers) -> None:
        with naming(path), path.open("wb") as file:
            parquet.write_table(pa.table({"a": pairs[0], "b": pairs[1]}), file)

    return write


def write_csv_file(pairs: Integers, path: Path) -> None:
    """Writes CSV to a file."""
    with naming(path), path.open("w", encoding="utf-8", newline="") as file:
        write_csv(pairs, file)


def write_csv(pairs: Integers, file: Any) -> None:
    """Writes a header and one line per pair."""
    file.write("a,b\n")
    for start in range(0, pairs.shape[1], BATCH):
        lines = pairs[:, start : start + BATCH].T.tolist()
        file.writelines(f"{a},{b}\n" for a, b in lines)

"""`carom pairs FILE [FILE]`."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import carom
from carom import _progress
from carom.commands.errors import CommandError
from carom.commands.layer import refuse_different_crs
from carom.commands.pair_writers import Joined, writer
from carom.commands.readers import FORMATS, add_reading, read_layer, readings
from carom.commands.stderr import tell
from carom.interop.crs import crs_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from carom.commands.layer import Layer
    from carom.commands.pair_writers import Integers

PREDICATES = (
    "intersects",
    "contains",
    "within",
    "covers",
    "covered_by",
    "contains_properly",
    "touches",
    "overlaps",
    "crosses",
    "equals",
)
NAME = "pairs"
HELP = "join the features of one or two files: by a predicate, or each with the nearest"
DESCRIPTION = (
    "Joins the features of a file with each other, or with those of a second file, and writes the "
    "pairs that touch or overlap, or fulfil another predicate, sorted. The columns a and b are the "
    "features' positions in their files, counted from 0; the attributes of both follow, with the "
    "suffixes _a and _b where both have the name. Points, lines, polygons and several of each are "
    "taken. Each pair is listed once; within one file a is less than b, but for predicates that "
    "have a direction."
)
EPILOG = (
    "Exit status: 0, also if no pair touches; 1 if a shape is invalid; 2 if a file can't be read "
    "or written."
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    command.add_argument("a", metavar="FILE", help=FORMATS)
    command.add_argument("b", metavar="FILE", nargs="?", help="a second file")
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        default="-",
        help="a file: .csv or no suffix, or with the geometry of a .geojson, .json, .parquet, "
        ".geoparquet, .gpkg and most of what else pyogrio writes; .xlsx and .ods have no geometry "
        "(default: -, CSV on standard output)",
    )
    command.add_argument(
        "--count", action="store_true", help="print the number of pairs, and write nothing else"
    )
    command.add_argument(
        "--margin",
        metavar="D",
        type=not_negative,
        help="greatest distance of a pair, in the coordinates' unit (default: 0, and no limit with "
        "--nearest)",
    )
    command.add_argument(
        "--nearest",
        action="store_true",
        help="pair each feature with the nearest one, and write their distance",
    )
    command.add_argument(
        "--predicate",
        metavar="NAME",
        choices=PREDICATES,
        default=PREDICATES[0],
        help=f"what a pair fulfils, the first feature to the second: {', '.join(PREDICATES)} "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--velocity",
        metavar="COLUMN,COLUMN",
        type=two_names,
        help="pair features that meet while they move by the x and y in these columns; those of a "
        "file without the columns are at rest",
    )
    command.add_argument("--no-attributes", action="store_true", help="write no attributes")
    add_reading(command, "; one for both files, or one each, as in NAME,NAME")


def not_negative(text: str) -> float:
    """Returns a finite number, 0 or more."""
    with suppress(ValueError):
        number = float(text)
        if math.isfinite(number) and number >= 0.0:
            return number
    raise ArgumentTypeError(f"{text!r} is not a number of 0 or more")


def two_names(text: str) -> tuple[str, str]:
    """Returns two names of columns."""
    names = text.split(",")
    if len(names) != 2 or not all(names):
        raise ArgumentTypeError(f"{text!r} is not two names of columns, such as vx,vy")
    return names[0], names[1]


def run(options: argparse.Namespace) -> int:
    """Writes the pairs."""
    if options.a == options.b == "-":
        options.refuse("standard input can be read only once")
    refuse_contradictions(options)
    for file in (options.a, options.b):
        if is_same_file(file, options.output):
            options.refuse(f"argument -o/--output: {options.output} is read, so it isn't written")
    write = count_writer if options.count else writer(options.output)
    files = [file for file in (options.a, options.b) if file is not None]
    a, *others = map(read_layer, files, readings(options, len(files)))
    b = others[0] if others else None
    if b is not None:
        refuse_different_crs(a, b)
    warn_of_degrees(a, b, options)
    distance = None
    if options.nearest:
        pairs, distance = nearest(a, b, options.margin)
    else:
        pairs = touching(a, b, options.margin or 0.0, options.velocity, options.predicate)
    write(Joined(a, b or a, pairs, distance, not options.no_attributes))
    return 0


def refuse_contradictions(options: argparse.Namespace) -> None:
    """Ends the command if two options exclude each other."""
    if options.nearest and options.velocity:
        options.refuse("argument --velocity: not allowed with argument --nearest")
    if options.predicate != PREDICATES[0]:
        for name in ("nearest", "margin", "velocity"):
            if getattr(options, name):
                options.refuse(
                    f"argument --{name}: not allowed with argument --predicate {options.predicate}"
                )
    if options.count and options.output != "-":
        options.refuse("argument -o/--output: not allowed with argument --count")


def count_writer(joined: Joined) -> None:
    """Prints the number of pairs."""
    print(joined.pairs.shape[1])


def warn_of_degrees(a: Layer, b: Layer | None, options: argparse.Namespace) -> None:
    """Warns of distances in degrees, which are no lengths."""
    given = {
        "distances are": options.nearest,
        "the margin is": options.margin and not options.nearest,
        "the velocity is": options.velocity,
    }
    which = next((layer for layer in (a, b) if layer is not None and layer.is_geographic), None)
    meant = next((what for what, is_given in given.items() if is_given), None)
    if which is not None and meant is not None:
        tell(
            f"carom: warning: {meant} in degrees, as the CRS of {which.name} is geographic, "
            f"{crs_name(which.crs)}; convert to a projected one"
        )


def touching(
    a: Layer,
    b: Layer | None,
    margin: float,
    velocity: tuple[str, str] | None,
    predicate: Any,
) -> Integers:
    """Returns the features that touch, or fulfil another predicate, each pair once."""
    columns = a.valid(), None if b is None else b.valid()
    moving: dict[str, Any] = {}
    if velocity:
        vectors = [None if layer is None else layer.vectors(velocity) for layer in (a, b)]
        if all(found is None for found in vectors):
            names = " and ".join(layer.name for layer in (a, b) if layer is not None)
            raise CommandError(f"{names}: there are no columns {' and '.join(velocity)}")
        moving = dict(zip(("velocity_a", "velocity_b"), vectors, strict=True))
    with bar(len(columns[0])) as progress:
        return carom.colliding_pairs(
            *columns, margin=margin, predicate=predicate, progress=progress, **moving
        )


def nearest(a: Layer, b: Layer | None, margin: float | None) -> tuple[Integers, Any]:
    """Returns each feature of `a` with the nearest other one, and their distances."""
    reach = math.inf if margin is None else margin
    if b is not None:
        pairs, distance = carom.nearest(a.valid(), b.valid(), max_distance=reach)
        return pairs, distance
    # Of two nearest at most one is the feature itself. Where neither is, the first is nearest.
    (i, j), distance = carom.nearest(a.valid(), a.valid(), k=2, max_distance=reach)
    others = np.flatnonzero(i != j)
    _, first = np.unique(i[others], return_index=True)
    kept = others[first]
    return np.stack([i[kept], j[kept]]), distance[kept]


def bar(total: int) -> AbstractContextManager[Callable[[int, int], object] | None]:
    """Returns a progress bar on stderr, if that is a terminal and tqdm is installed."""
    try:
        import tqdm  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        return nullcontext()
    return _progress.bar(total=total, disable=None, leave=False)


def is_same_file(file: str | None, output: str) -> bool:
    """Whether the output would overwrite an input file, possibly under another name."""
    if file is None or "-" in {file, output} or not Path(output).is_file():
        return False
    return Path(file).exists() and Path(file).samefile(output)

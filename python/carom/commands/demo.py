"""`carom demo [traffic|counties]`."""

from __future__ import annotations

from argparse import ArgumentTypeError
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from carom.commands.errors import CommandError, refuse_unwritable
from carom.demo import counties, traffic

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

NAME = "demo"
HELP = "find the collisions in recorded traffic, or the areas that a storm reaches"
DESCRIPTION = (
    "traffic (default): sweeps every pair of vehicles from each frame of a recorded scene to the "
    "next, prints which vehicles touch, when, where and at what closing speed, and draws one "
    "contact. counties: prints which counties a storm reaches, in which order and when, and the "
    "number of their neighbours, and draws maps."
)
EPILOG = (
    "A scene has a header and one line per vehicle and frame, in any order: "
    f"{','.join(traffic.COLUMNS)}. x and y are the centre of a rectangle in metres, heading is in "
    "radians counterclockwise; other columns are ignored."
)
NO_MATPLOTLIB = "matplotlib is not installed; pip install 'carom[plot]'"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    command.add_argument(
        "which",
        nargs="?",
        choices=("traffic", "counties"),
        default="traffic",
        metavar="DEMO",
        help="traffic or counties (default: %(default)s)",
    )
    command.add_argument("--all", action="store_true", help="print every line of the tables")
    pictures = command.add_mutually_exclusive_group()
    pictures.add_argument(
        "--output",
        metavar="FILE",
        type=Path,
        help=f"the picture's path (default: {traffic.PICTURE}); counties puts -storm, -front and "
        f"-neighbours before its suffix (default: {counties.PICTURE})",
    )
    pictures.add_argument("--no-picture", action="store_true", help="draw nothing")
    of_traffic = command.add_argument_group("traffic")
    of_traffic.add_argument("--scene", metavar="FILE", type=Path, help="a CSV file of your own")
    of_traffic.add_argument(
        "--rate",
        metavar="HZ",
        type=rate,
        help=f"frames per second (default: {traffic.RECORDED_RATE:g})",
    )
    command.add_argument_group("counties").add_argument(
        "--data",
        choices=counties.DATA,
        help="Natural Earth's countries, which carom carries, or the counties of the United "
        "States from bokeh_sampledata (default: the counties if installed)",
    )


def rate(text: str) -> float:
    """Returns a number of frames per second whose products neither over- nor underflow."""
    with suppress(ValueError):
        number = float(text)
        if 1e-9 <= number <= 1e9:
            return number
    raise ArgumentTypeError(f"{text!r} is not a number from 1e-9 to 1e9")


def run(options: argparse.Namespace) -> int:
    """Prints the report; without matplotlib, only an explicitly requested picture is an error."""
    try:
        for line in report(options):
            print(line)
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] != "matplotlib":
            raise
        if options.output:
            raise CommandError(f"{options.output}: no picture: {NO_MATPLOTLIB}", 1) from None
        print(f"No picture: {NO_MATPLOTLIB}")
    except (traffic.SceneError, counties.DataError) as error:
        raise CommandError(str(error), 1) from None
    return 0


def report(options: argparse.Namespace) -> Iterator[str]:
    """Returns the lines of the selected demo."""
    others = {"traffic": ("data",), "counties": ("scene", "rate")}[options.which]
    for option in others:
        if getattr(options, option) is not None:
            options.refuse(f"argument --{option}: not allowed with {options.which}")
    if options.output is not None:
        is_one = options.which == "traffic" or options.output.is_dir()
        for path in [options.output] if is_one else counties.pictures(options.output):
            refuse_unwritable(path)
    if options.which == "counties":
        picture = None if options.no_picture else options.output or counties.PICTURE
        return counties.run(options.data, picture, show_all=options.all)
    picture = None if options.no_picture else options.output or traffic.PICTURE
    frames_per_second = options.rate or traffic.RECORDED_RATE
    return traffic.run(options.scene, frames_per_second, picture, show_all=options.all)

"""The command line: `python -m carom demo [traffic|counties]`."""

from __future__ import annotations

import argparse
import io
import math
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from . import demo
from .demo import counties

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_MATPLOTLIB = "matplotlib is not installed; pip install 'carom[plot]'"


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0, 1 for failure, 2 for wrong usage."""
    options = parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names that the terminal can't show
    try:
        status = run_demo(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone (`| head`); keep the interpreter from flushing into the void.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, demo.SceneError, counties.DataError) as error:
        return fail(describe(error))
    except KeyboardInterrupt:
        return 130
    return status


def parser() -> argparse.ArgumentParser:
    """Returns the command line's grammar."""
    top = argparse.ArgumentParser(
        prog="python -m carom", description="Exact 2-D collision queries."
    )
    top.add_argument("--version", action="version", version=f"carom {version('carom')}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add_demo(commands)
    return top


def add_demo(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command `demo`."""
    command = commands.add_parser(
        "demo",
        help="find the collisions in recorded traffic, or whom a storm reaches",
        description="traffic (unless told): sweeps every pair of vehicles from each frame of a "
        "recorded scene to the next, prints who touches whom, when, where and how hard, and draws "
        "one contact. counties: prints which counties a storm reaches, in what order and when, "
        "and who has how many neighbours, and draws a map of each.",
        epilog="A scene has a header and one line per vehicle and frame, in any order: "
        f"{','.join(demo.COLUMNS)}. x and y are the centre of a rectangle in metres, heading is "
        "in radians counterclockwise; other columns are ignored.",
    )
    command.add_argument(
        "which",
        nargs="?",
        choices=("traffic", "counties"),
        default="traffic",
        metavar="DEMO",
        help="traffic or counties (default: %(default)s)",
    )
    command.add_argument("--all", action="store_true", help="print every line of the tables")
    add_picture(command)
    add_traffic(command.add_argument_group("traffic"))
    add_counties(command.add_argument_group("counties"))
    command.set_defaults(refuse=command.error)


def add_picture(command: argparse.ArgumentParser) -> None:
    """Adds the options about pictures."""
    pictures = command.add_mutually_exclusive_group()
    pictures.add_argument(
        "--output",
        metavar="FILE",
        type=Path,
        help=f"the picture's path (default: {demo.PICTURE}); counties puts -storm, -front and "
        f"-neighbours before its suffix (default: {counties.PICTURE})",
    )
    pictures.add_argument("--no-picture", action="store_true", help="draw nothing")


def add_traffic(group: argparse._ArgumentGroup) -> None:
    """Adds the options that only the traffic has."""
    group.add_argument("--scene", metavar="FILE", type=Path, help="a CSV file of your own")
    group.add_argument(
        "--rate",
        metavar="HZ",
        type=positive,
        help=f"frames per second (default: {demo.RECORDED_RATE:g})",
    )


def add_counties(group: argparse._ArgumentGroup) -> None:
    """Adds the options that only the counties have."""
    group.add_argument(
        "--data",
        choices=counties.DATA,
        help="Natural Earth's countries, which carom carries, or the counties of the United "
        "States from bokeh_sampledata (default: the counties if installed)",
    )


def positive(text: str) -> float:
    """Returns a finite number above zero."""
    number = float(text)
    if not (math.isfinite(number) and number > 0.0):
        raise ValueError
    return number


def run_demo(options: argparse.Namespace) -> int:
    """Prints the report; a picture that wasn't asked for by name may stay away."""
    try:
        for line in report(options):
            print(line)
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] != "matplotlib":
            raise
        if options.output:
            return fail(f"{options.output}: no picture: {NO_MATPLOTLIB}")
        print(f"No picture: {NO_MATPLOTLIB}")
    return 0


def report(options: argparse.Namespace) -> Iterator[str]:
    """Returns the lines of the demo that was asked for."""
    others = {"traffic": ("data",), "counties": ("scene", "rate")}[options.which]
    for option in others:
        if getattr(options, option) is not None:
            options.refuse(f"argument --{option}: not allowed with {options.which}")
    module = {"traffic": demo, "counties": counties}[options.which]
    picture = None if options.no_picture else options.output or module.PICTURE
    if options.which == "counties":
        return counties.run(options.data, picture, show_all=options.all)
    rate = options.rate or demo.RECORDED_RATE
    return demo.run(options.scene, rate, picture, show_all=options.all)


def describe(error: Exception) -> str:
    """Returns an error in one line, the file first."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    return str(error)


def fail(message: str) -> int:
    """Prints what is wrong, in one line, and returns the exit status of failure."""
    sys.stdout.flush()
    print("carom:", " ".join(message.split()), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

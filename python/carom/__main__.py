"""The command line: `python -m carom demo`."""

from __future__ import annotations

import argparse
import io
import math
import os
import sys
from importlib.metadata import version
from pathlib import Path

from . import demo

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
    except (OSError, demo.SceneError) as error:
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
        help="find the collisions in recorded traffic",
        description="Sweeps every pair of vehicles from each frame of a recorded scene to the "
        "next, prints who touches whom, when, where and how hard, and draws one contact.",
        epilog="A scene has a header and one line per vehicle and frame, in any order: "
        f"{','.join(demo.COLUMNS)}. x and y are the centre of a rectangle in metres, heading is "
        "in radians counterclockwise; other columns are ignored.",
    )
    command.add_argument("--scene", metavar="FILE", type=Path, help="a CSV file of your own")
    command.add_argument(
        "--rate",
        metavar="HZ",
        type=positive,
        default=demo.RECORDED_RATE,
        help="frames per second (default: %(default)g)",
    )
    command.add_argument("--all", action="store_true", help="print every contact")
    pictures = command.add_mutually_exclusive_group()
    pictures.add_argument(
        "--output", metavar="FILE", type=Path, help=f"the picture's path (default: {demo.PICTURE})"
    )
    pictures.add_argument("--no-picture", action="store_true", help="draw nothing")


def positive(text: str) -> float:
    """Returns a finite number above zero."""
    number = float(text)
    if not (math.isfinite(number) and number > 0.0):
        raise ValueError
    return number


def run_demo(options: argparse.Namespace) -> int:
    """Prints the report; a picture that wasn't asked for by name may stay away."""
    picture = None if options.no_picture else options.output or demo.PICTURE
    try:
        for line in demo.run(options.scene, options.rate, picture, show_all=options.all):
            print(line)
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] != "matplotlib":
            raise
        if options.output:
            return fail(f"{options.output}: no picture: {NO_MATPLOTLIB}")
        print(f"No picture: {NO_MATPLOTLIB}")
    return 0


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

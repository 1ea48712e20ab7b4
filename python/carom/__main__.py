"""The command line: `carom`, or `python -m carom`."""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path
from typing import TextIO

from . import __version__
from .commands import CommandError, bench, check, demo, info, pairs

COMMANDS = (demo, check, pairs, bench, info)


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit status.

    0: done. 1: there are bad polygons, or a demo failed. 2: wrong usage, or a file that can't be
    read or written. 130: interrupted. 141: the reader of the output went away.
    """
    # A stream that was closed before Python began is None, and print takes None for stdout.
    sys.stdout = sys.stdout or nowhere()
    sys.stderr = sys.stderr or nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names that the terminal can't show
    try:
        try:
            return run(parser().parse_args(arguments))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone (`| head`); keep the interpreter from flushing into the void.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        return 130


def nowhere() -> TextIO:
    """Returns a stream that swallows what is written to it."""
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def run(options: argparse.Namespace) -> int:
    """Runs the command and returns its exit status, after a word on stderr if it fails."""
    try:
        status: int = options.run(options)
    except CommandError as failure:
        return fail(str(failure), failure.status)
    except BrokenPipeError:
        raise
    except OSError as error:
        return fail(describe(error), options.status_of_failure)
    return status


def parser() -> argparse.ArgumentParser:
    """Returns the command line's grammar."""
    is_script = Path(sys.argv[0]).name != "__main__.py"
    top = argparse.ArgumentParser(
        prog="carom" if is_script else "python -m carom",
        description="Exact 2-D collision queries.",
        epilog="COMMAND --help tells more.",
    )
    top.add_argument("--version", action="version", version=f"carom {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        added = commands.add_parser(
            command.NAME, help=command.HELP, description=command.DESCRIPTION, epilog=command.EPILOG
        )
        command.add_arguments(added)
        added.set_defaults(
            run=command.run, refuse=added.error, status_of_failure=command.STATUS_OF_FAILURE
        )
    return top


def describe(error: OSError) -> str:
    """Returns an error in one line, the file first."""
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    return str(error)


def fail(message: str, status: int) -> int:
    """Prints what is wrong, in one line, and returns the exit status."""
    sys.stdout.flush()
    print("carom:", " ".join(message.split()), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())

"""The command line: `carom`, or `python -m carom`."""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path
from typing import NoReturn, TextIO

from . import __version__
from .commands import bench, check, demo, info, pairs
from .commands.errors import CommandError
from .commands.stderr import discard, tell

COMMANDS = (demo, check, pairs, bench, info)


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit status.

    0: success. 1: a shape or a scene is invalid, or a package that a demo needs is not installed.
    2: wrong usage, or a file that can't be read or written. 130: interrupted. 141: the reader of
    the output closed the pipe.
    """
    # A stream that was closed before Python started is None, and print would use stdout for None.
    sys.stdout = sys.stdout or nowhere()
    sys.stderr = sys.stderr or nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names that the terminal can't display
    try:
        try:
            return run(parser().parse_args(arguments))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader closed the pipe (`| head`)
        discard(sys.stdout)
        return 141
    except OSError as error:  # standard output is a file on a full disk
        discard(sys.stdout)
        return fail(describe(error), 2)
    except KeyboardInterrupt:
        return 130


def nowhere() -> TextIO:
    """Returns a stream that discards its input."""
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def run(options: argparse.Namespace) -> int:
    """Runs the command and returns its exit status; a failure prints one line on stderr."""
    try:
        status: int = options.run(options)
    except CommandError as failure:
        return fail(str(failure), failure.status)
    except OSError as error:
        if error.filename is None:  # standard output, handled by `main`
            raise
        return fail(describe(error), 2)
    return status


class Parser(argparse.ArgumentParser):
    """A parser that reports wrong usage in one line, without printing the usage."""

    def error(self, message: str) -> NoReturn:
        """Prints the error in the arguments, and exits with status 2."""
        sys.exit(fail(f"{message}; {self.prog} --help prints the usage", 2))


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    is_script = Path(sys.argv[0]).name != "__main__.py"
    top = Parser(
        prog="carom" if is_script else "python -m carom",
        description="Exact 2-D collision queries.",
        epilog="COMMAND --help describes a command.",
    )
    top.add_argument("--version", action="version", version=f"carom {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        added = commands.add_parser(
            command.NAME, help=command.HELP, description=command.DESCRIPTION, epilog=command.EPILOG
        )
        command.add_arguments(added)
        added.set_defaults(run=command.run, refuse=added.error)
    return top


def describe(error: OSError) -> str:
    """Returns an error in one line, starting with the file; without a file it is stdout."""
    file = "standard output" if error.filename is None else os.fsdecode(error.filename)
    return f"{file}: {error.strerror or error}"


def fail(message: str, status: int) -> int:
    """Prints the message in one line on stderr, and returns the exit status."""
    sys.stdout.flush()
    tell("carom: " + " ".join(message.split()))
    return status


if __name__ == "__main__":
    sys.exit(main())

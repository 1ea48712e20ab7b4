"""Errors of the commands."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


class CommandError(Exception):
    """A failure of a command: one line for stderr, and the exit status."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


@contextmanager
def naming(file: str | Path) -> Generator[None]:
    """Adds the name of the file to an `OSError` without one, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(file)
        raise


def refuse_unwritable(path: Path, *, is_folder: bool = False) -> None:
    """Raises `OSError` if a file can't be written, as far as is known before writing it.

    With `is_folder` the format is a folder of files.
    """
    folder = path.parent
    reason = None
    if path.is_dir() and not is_folder:
        reason = errno.EISDIR
    elif not path.exists() and not folder.exists():
        reason = errno.ENOENT
    elif not path.exists() and not folder.is_dir():
        reason = errno.ENOTDIR
    elif not os.access(path if path.exists() else folder, os.W_OK):
        reason = errno.EACCES
    if reason is not None:
        raise OSError(reason, os.strerror(reason), str(path))


def refuse_without(path: Path, what: str, *packages: str) -> None:
    """Raises `CommandError` if a package is not installed with which a format is written."""
    try:
        for name in packages:
            import_module(name)
    except ImportError:
        raise CommandError(f"{path}: {what} needs GeoPandas; pip install 'carom[geo]'") from None

"""The commands: each module has its name, its help, its arguments, and a function that runs it."""

from __future__ import annotations


class CommandError(Exception):
    """Why a command ends early: one line for stderr, and the exit status."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status

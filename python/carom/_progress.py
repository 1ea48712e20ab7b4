"""The progress of joins, shown by tqdm or told to a function."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeAlias

from carom._input_error import InputTypeError

Told: TypeAlias = Callable[[int, int], object]
"""Takes how many rows are done, and how many there are."""
Progress: TypeAlias = bool | Told | None
"""What `progress=` takes: True shows a bar."""


@contextmanager
def bar(**options: Any) -> Generator[Told]:
    """A bar of tqdm with these options, as the function that updates it."""
    try:
        from tqdm.auto import tqdm
    except ModuleNotFoundError as error:
        raise ImportError(
            "progress=True needs tqdm; pip install tqdm, or give a function of "
            "two numbers, the rows done and all rows",
            name="tqdm",
        ) from error
    with tqdm(unit=" rows", unit_scale=True, **options) as shown:

        def show(done: int, total: int) -> None:
            shown.total = total
            shown.update(done - shown.n)

        yield show


@contextmanager
def told(progress: Progress) -> Generator[Told | None]:
    """The function that is told the progress of a join; None if none is."""
    if progress is True:
        with bar() as show:
            yield show
    elif progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    else:
        raise InputTypeError(
            "expected True, or a function of two numbers, the rows done and all rows, got "
            f"{progress!r}",
            at="progress",
        )

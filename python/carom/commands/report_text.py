"""Numbers and tables in the reports of the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WORDS = {"area", "query", "vehicles"}  # columns of text


def aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yields the rows with their columns aligned: text to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    words = [column in WORDS for column in rows[0]]
    for row in rows:
        cells = zip(row, widths, words, strict=True)
        line = "  ".join(
            cell.ljust(width) if word else cell.rjust(width) for cell, width, word in cells
        )
        yield f"  {line}".rstrip()


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Returns a number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def decimal(number: float, places: int) -> str:
    """Returns a number with this many decimal places, or with an exponent above 15 digits."""
    return f"{number:.{places}f}" if abs(number) < 1e15 else f"{number:.6e}"

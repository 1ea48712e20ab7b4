"""How the demos' reports say numbers and lay out tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WORDS = {"who", "question"}  # columns that aren't numbers


def aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yields the rows with their columns aligned: words to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    words = [column in WORDS for column in rows[0]]
    for row in rows:
        cells = zip(row, widths, words, strict=True)
        line = "  ".join(
            cell.ljust(width) if word else cell.rjust(width) for cell, width, word in cells
        )
        yield f"  {line}".rstrip()


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Returns a number of things, in words."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def decimal(number: float, places: int) -> str:
    """Returns a number with so many decimal places; one of more than 15 digits with an exponent."""
    return f"{number:.{places}f}" if abs(number) < 1e15 else f"{number:.6e}"

"""The warning for rows that are masked for their numbers, such as a velocity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from carom.interop.geopandas.crs_checks import warn
from carom.interop.geopandas.masked_rows import masked_rows
from carom.interop.geopandas.row_values import axes

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

_LENGTHS = frozenset({"margin", "radius"})
"""The arguments that are not negative."""


def are_valid(name: str, values: Any) -> NDArray[np.bool_]:
    """Which rows have finite numbers, that are 0 or more if they are lengths."""
    try:
        floats = np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan)
    except (OverflowError, TypeError, ValueError):
        # What is no number is refused by carom.
        return np.array(True)
    finite = np.asarray(np.isfinite(floats))
    if name in _LENGTHS:
        finite &= floats >= 0
    return np.asarray(finite.all(axis=-1)) if axes(name) else finite


def warn_of_masked_numbers(
    name: str, numbers: Collection[str], count: int, first: str, what: str
) -> None:
    """Warns of `count` rows or pairs of an argument that are masked for one of these numbers.

    `first` is how the message names the first one, and `what` how it calls each.
    """
    whose = "its" if count == 1 else "their"
    not_lengths = _LENGTHS.isdisjoint(numbers)
    wrong = "missing or not finite" if not_lengths else "missing, not finite or negative"
    are = masked_rows(name, count, what)
    warn(f"{are}: {whose} {' or '.join(numbers)} is {wrong} (first: {first})")

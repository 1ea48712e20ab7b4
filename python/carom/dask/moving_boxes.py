"""The boxes of rows and of partitions in motion, and which of them meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from carom.interop.geopandas.column import Column
from carom.interop.geopandas.crs_checks import warn
from carom.interop.geopandas.row_values import axes, read

if TYPE_CHECKING:
    from collections.abc import Mapping

Floats = NDArray[np.float64]
MARGINS = ("margin", "distance")
"""The keywords of the margin."""
_MANY, _MOST = 64, 0.5
"""Of at least so many pairs of partitions, the share that can meet without a warning."""
_FEW = 0.1
"""The share of rows that are joined in vain, as leaving them out would copy the others."""


@dataclass(frozen=True)
class Extent:
    """How many rows are not missing, and the box of all that they sweep."""

    count: int
    box: Floats


def extent(boxes: Floats, rows: Any, motion: Mapping[str, Any]) -> Extent:
    """The extent of the rows of a partition, whose shapes have these boxes at rest."""
    count = int(np.isfinite(boxes[:, 0]).sum())
    if count == 0:
        return Extent(0, np.full(4, np.nan))
    at_rest = _columns(boxes, 4)
    low, high = _moving(at_rest, rows, motion)
    # A row with an invalid motion counts at its start position; the join raises the error.
    least = [np.fmin.reduce(axis) for axis in (*at_rest[:2], *low)]
    most = [np.fmax.reduce(axis) for axis in (*at_rest[2:], *high)]
    return Extent(count, np.array([*np.fmin(least[:2], least[2:]), *np.fmax(most[:2], most[2:])]))


def moving_boxes(column: Column, motion: Mapping[str, Any]) -> Floats:
    """The box that each row sweeps, grown by the margin, as columns; shape (4, N).

    It is NaN if the row is missing or its motion bad.
    """
    at_rest = _columns(column.shapes.bounds, 4)
    low, high = _moving(at_rest, column.rows, motion)
    return at_rest if np.shares_memory(low, at_rest) else np.vstack((low, high))


def rows_near(boxes: Floats, box: Floats) -> NDArray[np.intp]:
    """The numbers of the rows whose boxes meet a box, or are NaN; of all if most do."""
    left, bottom, right, top = boxes
    apart = (left > box[2]) | (bottom > box[3]) | (right < box[0]) | (top < box[1])
    if np.count_nonzero(apart) < _FEW * len(apart):
        return np.arange(len(apart))
    return np.flatnonzero(~apart)


def near(column: Column, boxes: Floats, box: Floats) -> Column:
    """These rows of a column."""
    rows = rows_near(boxes, box)
    if len(rows) == len(column):
        return column
    return Column(column.rows.iloc[rows], column.shapes[rows])


def meetings(one: list[Extent], other: list[Extent] | None) -> list[tuple[int, int]]:
    """The pairs of partitions whose boxes meet; each once if one is joined with itself."""
    others = one if other is None else other
    boxes = np.array([extent.box for extent in others]).reshape(-1, 4)
    pairs: list[tuple[int, int]] = []
    for p, it in enumerate(one):
        lower, upper = it.box[:2], it.box[2:]
        meets = np.all((boxes[:, :2] <= upper) & (boxes[:, 2:] >= lower), axis=1)
        first = p if other is None else 0
        pairs += [(p, first + int(q)) for q in np.flatnonzero(meets[first:])]
    possible = len(one) * (len(one) + 1) // 2 if other is None else len(one) * len(others)
    if possible >= _MANY and len(pairs) > _MOST * possible:
        warn(
            f"the boxes of {len(pairs)} of {possible} pairs of partitions meet, and all these are "
            "joined; spatial_shuffle() of dask-geopandas puts rows that lie near each other into "
            "one partition"
        )
    return pairs


def _columns(values: Floats, numbers: int) -> Floats:
    """A column for each of the numbers that a row has; of one value for all rows, its numbers.

    NumPy takes a third of the time where the numbers of a column lie side by side.
    """
    return np.ascontiguousarray(values.T).reshape(numbers, -1)


def _floats(values: Any) -> Floats:
    """The numbers, or NaN if not all are: the join names the row."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return np.full(np.shape(values), np.nan)


def _moving(boxes: Floats, rows: Any, motion: Mapping[str, Any]) -> tuple[Floats, Floats]:
    """The lower and the upper corners of what rows sweep, grown by the margin, rounded outward.

    `boxes` are the columns of the boxes at rest.
    """
    low, high = boxes[:2], boxes[2:]
    with np.errstate(invalid="ignore", over="ignore"):
        given = {
            name: _columns(_floats(read(name, values, rows, rows.index)), 1 + axes(name))
            for name, values in motion.items()
        }
        # Without a center no row may turn, which the join checks.
        if "turn" in given and "center" in given:
            # However far a shape turns, it stays in a circle round the center.
            center = given["center"]
            far = np.maximum(np.abs(low - center), np.abs(high - center))
            radius = np.hypot(*far) * (1.0 + 1e-14)
            circle = _outward(center - radius, center + radius)
            low, high = np.where(given["turn"] != 0.0, circle, (low, high))
        if "velocity" in given:
            after = _outward(low + given["velocity"], high + given["velocity"])
            low = np.minimum(low, after[0], out=after[0])
            high = np.maximum(high, after[1], out=after[1])
        for margin in MARGINS:
            if margin in given and np.any(given[margin] != 0.0):
                low, high = _outward(low - given[margin], high + given[margin])
    return low, high


def _outward(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The next floats below and above, in place."""
    return np.nextafter(low, -np.inf, out=low), np.nextafter(high, np.inf, out=high)

"""The boxes of rows and of partitions in motion, and which of them meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.interop.geopandas.columns import Column
from carom.interop.geopandas.labels import numbers, vectors
from carom.interop.geopandas.reference_systems import warn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_MANY, _MOST = 64, 0.5
"""Of at least so many pairs of partitions, the share that can meet without a warning."""


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
    # A row with a bad motion counts where it starts, and is told by the join.
    return Extent(count, _union(np.vstack([_union(boxes), _union(_moving(boxes, rows, motion))])))


def moving_boxes(column: Column, motion: Mapping[str, Any]) -> Floats:
    """The box that each row sweeps, grown by the margin; NaN if it is missing or its motion bad."""
    return _moving(column.shapes.bounds, column.rows, motion)


def rows_near(boxes: Floats, box: Floats) -> NDArray[np.intp]:
    """The numbers of the rows whose boxes meet a box, or are NaN."""
    return np.flatnonzero(~((boxes[:, :2] > box[2:]) | (boxes[:, 2:] < box[:2])).any(axis=1))


def near(column: Column, boxes: Floats, box: Floats) -> Column:
    """The rows whose boxes meet a box, or are NaN."""
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


def _moving(boxes: Floats, rows: Any, motion: Mapping[str, Any]) -> Floats:
    with np.errstate(invalid="ignore", over="ignore"):
        return _grown(_swept(boxes, rows, motion), rows, motion)


def _swept(box: Floats, rows: Any, motion: Mapping[str, Any]) -> Floats:
    """The boxes of rows in motion, rounded outward."""
    if motion.get("turn") is not None:
        # However far a shape turns, it stays in a circle round the center.
        center = vectors("center", motion["center"], rows, rows.index)
        far = np.maximum(np.abs(box[:, :2] - center), np.abs(box[:, 2:] - center))
        radius = np.hypot(*far.T)[:, None] * (1.0 + 1e-14)
        box = np.hstack([_below(center - radius), _above(center + radius)])
    if motion.get("velocity") is None:
        return box
    velocity = vectors("velocity", motion["velocity"], rows, rows.index)
    after = np.hstack([_below(box[:, :2] + velocity), _above(box[:, 2:] + velocity)])
    return np.hstack([np.minimum(box[:, :2], after[:, :2]), np.maximum(box[:, 2:], after[:, 2:])])


def _grown(box: Floats, rows: Any, motion: Mapping[str, Any]) -> Floats:
    """Boxes grown by a margin, rounded outward."""
    given = motion.get("margin")
    if given is None:
        return box
    margin = np.reshape(numbers("margin", given, rows, rows.index), (-1, 1))
    return np.hstack([_below(box[:, :2] - margin), _above(box[:, 2:] + margin)])


def _union(boxes: Floats) -> Floats:
    return np.hstack([np.fmin.reduce(boxes[:, :2]), np.fmax.reduce(boxes[:, 2:])])


def _below(values: Floats) -> Floats:
    return np.nextafter(values, -np.inf)


def _above(values: Floats) -> Floats:
    return np.nextafter(values, np.inf)

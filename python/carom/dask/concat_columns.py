"""The rows of several columns in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from dask.dataframe.dispatch import concat

import carom
from carom.interop.geopandas.column import Column

if TYPE_CHECKING:
    from numpy.typing import NDArray


def gathered(columns: list[Column], nobody: Any) -> Column:
    """The rows of all columns in one, which is empty as `nobody` if there are none."""
    if not columns:
        return Column(nobody, carom.Shapes([]))
    columns = [column for column in columns if len(column) > 0] or columns[:1]
    # Dask's concat keeps the dtype of columns whose categories differ.
    rows = concat([column.rows for column in columns])  # type: ignore[no-untyped-call]
    return Column(rows, concatenated([column.shapes for column in columns]))


def concatenated(parts: list[carom.Shapes]) -> carom.Shapes:
    """The rows of several columns in one, not validated again."""
    if len(parts) == 1:
        return parts[0]
    states = [part.__reduce__()[1] for part in parts]
    coords, rings, polygons, shapes, attributes, faults = zip(*states, strict=True)
    starts = np.cumsum([0, *map(len, parts)])
    own: Any = None
    if any(it is not None for it in attributes):
        own = (
            np.concatenate([part.kind for part in parts]),
            np.concatenate([np.nan_to_num(part.radius) for part in parts]),
        )
    nested: Any = None
    if any(it is not None for it in shapes):
        nested = _chained(
            [
                np.arange(len(part) + 1) if it is None else it
                for it, part in zip(shapes, parts, strict=True)
            ]
        )
    found = [
        (int(start) + row, why)
        for start, of in zip(starts, faults, strict=False)
        for row, why in of
    ]
    make: Any = parts[0].__reduce__()[0]
    made: carom.Shapes = make(
        np.concatenate(coords), _chained(rings), _chained(polygons), nested, own, found
    )
    return made


def _chained(offsets: Any) -> NDArray[np.int64]:
    """The offsets of pieces as those of the whole."""
    starts = np.cumsum([0, *(it[-1] for it in offsets)])
    ends = [np.asarray(it)[1:] + start for it, start in zip(offsets, starts, strict=False)]
    return np.concatenate([np.zeros(1, dtype=np.int64), *ends])

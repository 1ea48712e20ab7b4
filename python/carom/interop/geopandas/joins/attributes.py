"""The attributes of two frames, put together as `geopandas.sjoin` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from geopandas.array import GeometryArray

from carom._input_error import InputValueError
from carom.interop.geopandas.crs_checks import warn

if TYPE_CHECKING:
    from numpy.typing import NDArray


def joined(
    left: Any,
    right: Any,
    pairs: Any,
    how: str,
    suffixes: tuple[str, str],
    shared: list[Any],
    numbers: pd.DataFrame,
    replaced: str | None = None,
    distance_col: str | None = None,
) -> Any:
    """The rows of both frames in each pair, then the numbers and geometries of the pair.

    `shared` columns, by which the pairs were chosen, are those of the left frame. Numbers in the
    column `replaced` may replace a column of the frames. `distance_col` is the name that was given
    to the distance.
    """
    kept = 1 if how == "right" else 0
    rows = (left, right)[kept]
    geometry, crs = rows.geometry.name, rows.crs
    dropped = [left.geometry.name], [*shared, right.geometry.name]
    dropped[kept].remove(geometry)
    attrs = left.attrs if left.attrs == right.attrs else {}
    # GeoPandas looks for geometries again after each step, which takes longer than the steps.
    left, right = (
        pd.DataFrame(frame).drop(columns=names) if names else pd.DataFrame(frame)
        for frame, names in zip((left, right), dropped, strict=True)
    )
    index = (left, right)[kept].index
    left, left_names = _reset_index(left, suffixes[0], right)
    right, right_names = _reset_index(right, suffixes[1], left)
    geometries = (None, geometry) if how == "right" else (geometry, None)
    names = _suffixed((left_names, right_names), suffixes, geometries)
    # Of tuples, which names of several levels are, pandas would make levels again.
    left.columns, right.columns = (pd.Index(it, tupleize_cols=False) for it in names)

    i, j, number = _rows(pairs, kept, len(index), how)
    # A label that no row has, -1, gives a missing row.
    parts = [left.reindex(i), right.reindex(j)]
    for part in parts:
        part.index = pd.RangeIndex(len(i))
    table = pd.concat(parts, axis=1).set_index(names[kept][: index.nlevels])
    # Of an empty column of smaller integers, `set_index` makes labels of int64.
    table.index = index[(i, j)[kept]].set_names(
        [
            None if name is None else found
            for name, found in zip(index.names, table.index.names, strict=True)
        ]
    )
    for name in numbers.columns:
        if name in table.columns and name != replaced:
            raise InputValueError(
                f"the frames have a column {name!r} already; rename it",
                at="distance_col" if name == distance_col else "fields",
            )
        values: Any = numbers[name]
        if how != "inner" and values.dtype == np.bool_:
            # False, as a missing pair would have, says something else.
            values = values.astype("boolean")
        values = values.reindex(number).array
        table[name] = GeometryArray(values, crs=crs) if values.dtype == "geometry" else values
    found = type(rows)(table, geometry=geometry)
    found.attrs = attrs
    return found


def _rows(
    pairs: Any, kept: int, count: int, how: str
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The rows of both frames and the pair in each row of the result, -1 where there is none."""
    order = np.argsort(pairs[kept], kind="stable")
    of_kept, of_other = pairs[kept][order], pairs[1 - kept][order]
    if how != "inner":
        alone = np.setdiff1d(np.arange(count), of_kept)
        places = np.searchsorted(of_kept, alone)
        of_kept = np.insert(of_kept, places, alone)
        of_other = np.insert(of_other, places, -1)
        order = np.insert(order, places, -1)
    return (of_other, of_kept, order) if kept else (of_kept, of_other, order)


def _reset_index(frame: Any, suffix: str, other: Any) -> tuple[Any, list[Any]]:
    """The frame with its index as columns, and the names of all columns.

    Levels without a name are called `index_left`, or `index_left0`, `index_left1`.
    """
    names = frame.index.names
    reset = frame.reset_index()
    columns = list(reset.columns)
    for level, name in enumerate(names):
        if name is not None:
            continue
        made = columns[level]
        if isinstance(made, tuple):  # columns have names of several levels
            made = made[0]
        number = made.removeprefix("level_") if made.startswith("level_") else ""
        columns[level] = f"index_{suffix}{number}"
        if columns[level] in frame.columns or columns[level] in other.columns:
            raise InputValueError(
                f"{columns[level]!r} cannot be a column name in the frames being joined"
            )
    return reset, columns


def _suffixed(
    names: tuple[list[Any], list[Any]],
    suffixes: tuple[str | None, str | None],
    geometries: tuple[Any, Any],
) -> tuple[list[Any], list[Any]]:
    """The names of columns, with a suffix where both frames have one; geometry keeps its name."""
    common = set(names[0]) & set(names[1])
    if not common:
        return names
    if not any(suffixes):
        found = [name for name in names[0] if name in common]
        raise InputValueError(f"columns overlap but no suffix specified: {pd.Index(found)}")
    renamed = []
    for given, suffix, kept in zip(names, suffixes, geometries, strict=True):
        renamed.append(
            [
                f"{name}_{suffix}"
                if name in common and name != kept and suffix is not None
                else name
                for name in given
            ]
        )
    _warn_of_duplicates(renamed, names)
    return renamed[0], renamed[1]


def _warn_of_duplicates(renamed: list[list[Any]], names: tuple[list[Any], list[Any]]) -> None:
    found = set()
    for after, before in zip(renamed, names, strict=True):
        if len(set(after)) == len(after):
            continue
        is_new = pd.Index(after).duplicated() & ~pd.Index(before).duplicated()
        found |= set(pd.Index(after)[is_new])
    if found:
        warn(
            f"Passing 'suffixes' which cause duplicate columns {found} in the result is deprecated "
            "and will raise a MergeError in a future version.",
            FutureWarning,
        )

"""Batch results as data frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from carom._core import FEATURES
from carom._input_error import InputValueError, Place


def frame(result: Any, index: Any = None) -> pd.DataFrame:
    """A data frame with one column per number of the requested fields, one row per result row."""
    index = _labels(result, index)
    columns: dict[str, Any] = {}
    for field, array in result._asdict().items():
        if field == "feature" and array is not None:
            columns[field] = pd.Categorical.from_codes(array, FEATURES)
        elif array is not None:
            columns |= columns_of(field, array)
    return pd.DataFrame(columns, index=index)


def frame_of_intervals(result: Any, index: Any = None) -> pd.DataFrame:
    """A data frame with a row for each interval: the label of its row, and its ends."""
    labels = _labels(result, index)
    rows = np.repeat(np.arange(len(result)), np.diff(result.offsets))
    enter, leave = result.intervals.T
    return pd.DataFrame({"row": labels[rows], "enter": enter, "leave": leave})


def _labels(result: Any, index: Any) -> pd.Index:
    """The labels of a result's rows, by default their numbers."""
    shape = result.valid.shape
    if len(shape) != 1:
        raise InputValueError(
            f"expected a result with one leading dimension, got shape {shape}",
            at=Place(None, text="to_pandas"),
        )
    if index is None:
        return pd.RangeIndex(len(result))
    if len(index) != len(result):
        raise InputValueError(f"expected {len(result)} labels, got {len(index)}", at="index")
    # An index of several levels would be flattened.
    return index if isinstance(index, pd.Index) else pd.Index(index)


def frame_of_pairs(result: Any) -> pd.DataFrame:
    """A data frame with a row for each pair: both rows, and the requested fields."""
    fields = result._asdict()
    a, b = fields.pop("pairs")
    columns: dict[str, Any] = {"a": a, "b": b}
    for field, array in fields.items():
        if array is not None:
            columns |= columns_of(field, array)
    return pd.DataFrame(columns)


def columns_of(field: str, array: Any) -> dict[str, Any]:
    """Columns of a field: `depth` of a number, `mtv_x` of a vector, `contact_0_x` of a segment."""
    if array.ndim == 1:
        return {field: array}
    names = [""] if array.ndim == 2 else ["_0", "_1"]
    numbers = np.reshape(array, (len(array), len(names), 2))
    return {
        f"{field}{name}_{axis}": numbers[:, end, k]
        for end, name in enumerate(names)
        for k, axis in enumerate("xy")
    }


def labels_of(index: pd.Index, rows: Any) -> Any:
    """The labels of rows; missing for row -1."""
    if index.nlevels > 1:
        index = index.to_flat_index()
    # An array of NumPy's integers has no missing values, and NaN would make floats of them.
    is_integral = isinstance(index.dtype, np.dtype) and index.dtype.kind in "iu"
    labels = pd.array(index.to_numpy()) if is_integral else index.array
    return labels.take(rows, allow_fill=True)

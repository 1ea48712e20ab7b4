"""The rows of several columns in one."""

from __future__ import annotations

from typing import Any

from dask.dataframe.dispatch import concat

import carom
from carom.interop.geopandas.column import Column


def gathered(columns: list[Column], nobody: Any) -> Column:
    """The rows of all columns in one, which is empty as `nobody` if there are none."""
    if not columns:
        return Column(nobody, carom.Shapes([]))
    columns = [column for column in columns if len(column) > 0] or columns[:1]
    if len(columns) == 1:
        return columns[0]
    # Dask's concat keeps the dtype of columns whose categories differ.
    rows = concat([column.rows for column in columns])  # type: ignore[no-untyped-call]
    return Column(rows, carom.Shapes.concat([column.shapes for column in columns]))

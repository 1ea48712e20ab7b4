"""The dtypes that all partitions of a result have."""

from __future__ import annotations

from typing import Any

import pandas as pd
from dask.dataframe.utils import UNKNOWN_CATEGORIES


def with_missing(empty: Any) -> Any:
    """No rows, with the dtypes that columns have where rows are missing."""
    levels = empty.index.nlevels
    # The index may have the name of a column.
    flat = empty.reset_index(names=[object() for _ in range(levels)])
    truths = flat.select_dtypes(bool).columns
    flat = flat.astype(dict.fromkeys(truths, "boolean")).reindex([0]).iloc[:0]
    rows = flat.set_index(list(flat.columns[:levels]))
    rows.index.names = empty.index.names
    return rows


def like(table: Any, meta: Any) -> Any:
    """The table with dtypes common to all partitions, as each partition may have its own
    categories.
    """
    wanted = {}
    for name, dtype in meta.dtypes.items():
        if not isinstance(dtype, pd.CategoricalDtype):
            if table[name].dtype != dtype:
                wanted[name] = dtype
        elif UNKNOWN_CATEGORIES in table[name].cat.categories:
            known = table[name].cat.remove_categories([UNKNOWN_CATEGORIES])
            table = table.assign(**{name: known})
    return table.astype(wanted) if wanted else table

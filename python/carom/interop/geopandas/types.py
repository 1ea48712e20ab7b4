"""The types of arguments, as the signatures of the functions name them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Protocol, TypeAlias

import numpy as np
import pandas as pd
import shapely
from geopandas import GeoDataFrame, GeoSeries
from numpy.typing import ArrayLike

import carom
from carom.interop.geopandas.column import Column

Rows: TypeAlias = GeoSeries | GeoDataFrame | Column
"""Rows with an index."""

Operand: TypeAlias = (
    Rows | carom.Shapes | shapely.Geometry | Sequence[shapely.Geometry | None] | ArrayLike
)
"""Rows with an index, or shapes in any form that `carom.Shapes` takes, or one shape."""

Numbers: TypeAlias = float | ArrayLike | pd.Series | str
"""One number for all rows, or one for each: by position, by label, or in the column named."""

Vectors: TypeAlias = ArrayLike | pd.DataFrame | Sequence[str]
"""One vector for all rows, or one for each: by position, by label, or in the two columns named."""

Points: TypeAlias = Vectors | GeoSeries | shapely.Point | str
"""Vectors, or points as geometries, also in the column named."""

Pairs: TypeAlias = pd.DataFrame | tuple[ArrayLike | pd.Index, ArrayLike | pd.Index]
"""Labels of rows that go together: in the columns ``a`` and ``b``, or in two sequences."""

TimeSpan: TypeAlias = float | str | timedelta | np.timedelta64
"""A number of units, or a time span, such as "6h" or a Timedelta."""

Time: TypeAlias = str | date | np.datetime64
"""A point in time, such as a Timestamp."""


class ArrowTable(Protocol):
    """A table of pyarrow, polars or another library with Arrow's C interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

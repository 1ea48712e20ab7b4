"""Partitions with WKB in place of Shapely objects, which cost more time and memory."""

from __future__ import annotations

import copy
import json
import uuid
from importlib import import_module
from typing import TYPE_CHECKING, Any

import dask
import pandas as pd
import pyarrow as pa
from dask.base import get_scheduler

if TYPE_CHECKING:
    from collections.abc import Iterable


class _Unknown:
    """In place of a class that a version of Dask doesn't have."""


def _internal(module: str, name: str) -> Any:
    """A class that Dask doesn't promise to keep. Without it, geometries become Shapely objects."""
    try:
        return getattr(import_module(module), name)
    except (AttributeError, ImportError):
        return _Unknown


Projection = _internal("dask.dataframe.dask_expr._expr", "Projection")
Assign = _internal("dask.dataframe.dask_expr._expr", "Assign")
Filter = _internal("dask.dataframe.dask_expr._expr", "Filter")
ReadParquet = _internal("dask.dataframe.dask_expr.io.parquet", "ReadParquet")
FromGraph = _internal("dask.dataframe.dask_expr.io.io", "FromGraph")
FromPandas = _internal("dask.dataframe.dask_expr.io.io", "FromPandas")
ParquetFunctionWrapper = _internal("dask.dataframe.io.parquet.core", "ParquetFunctionWrapper")
GeoArrowEngine = _internal("dask_geopandas.io.parquet", "GeoArrowEngine")


class WkbEngine(GeoArrowEngine):  # type: ignore[misc, valid-type]
    """Reads GeoParquet files as dask-geopandas does, but leaves geometries as WKB.

    Carom reads WKB from Arrow's arrays. A Shapely object for each row would take more time than
    the rest of a join.
    """

    @classmethod
    def _arrow_table_to_pandas(cls, arrow_table: Any, categories: Any, **keywords: Any) -> Any:
        columns = json.loads((arrow_table.schema.metadata or {}).get(b"geo", "{}")).get("columns")
        found = [name for name in arrow_table.column_names if name in (columns or {})]
        if not found or any(columns[name].get("encoding") != "WKB" for name in found):
            return super()._arrow_table_to_pandas(arrow_table, categories, **keywords)
        frame = arrow_table.drop(found).to_pandas()
        for name in found:
            values = arrow_table[name]
            # Of a table without other columns nor an index, the frame has no rows yet.
            frame.insert(frame.shape[1], name, pd.array(values, dtype=pd.ArrowDtype(values.type)))
        return frame


def parts_of_files(rows: Any, geometry: Any, columns: Iterable[Any] | None) -> list[Any] | None:
    """The partitions of a frame that `dask_geopandas.read_parquet` made, with WKB as geometries.

    They have that column and these others, all by default. The result is None if the frame is
    another one.
    """
    known = list(meta_of(rows).columns)
    names = known if columns is None else dict.fromkeys([geometry, *columns])
    wanted = [it for it in names if it in known]
    if not _is_geometry(rows, geometry, wanted):
        return None
    # dask-geopandas reads all columns, and leaves out those that nobody wants afterwards.
    expr = _source(rows)
    if not isinstance(expr, FromGraph):
        return None
    try:
        layer = expr.operand("layer")
        keys = expr.operand("keys")
        tasks = [layer.get(key) for key in keys]
        if not tasks or not all(_reads_a_file(task) for task in tasks):
            return None
        # Tasks of one name are queued: Dask starts no more of them than its workers have threads.
        name = f"read-{uuid.uuid4()}"
        return [
            dask.delayed(_reader(task.func, wanted))(*task.args, dask_key_name=(name, number))
            for number, task in enumerate(tasks)
        ]
    except (AttributeError, KeyError):
        # These names may change, too.
        return None


def _reads_a_file(task: Any) -> bool:
    """Whether a task is one of `dask_geopandas.read_parquet`, without changes."""
    read: Any = getattr(task, "func", None)
    return (
        isinstance(read, ParquetFunctionWrapper)
        and read.engine is GeoArrowEngine
        and len(task.args) == 1
        and not task.kwargs
    )


def _reader(given: Any, wanted: list[Any]) -> Any:
    """The function that reads a file, for these columns and with WKB."""
    # The reader appends the names of the index to its list of columns.
    read: Any = copy.copy(given.project_columns(list(wanted)))
    read.engine = WkbEngine
    return read


def parts_to_be_sent(rows: Any, geometry: Any) -> list[Any] | None:
    """The partitions of a frame in memory; None if no other process needs them.

    Sending a Shapely object takes as much time as joining it, and WKB hardly any.
    """
    here = (None, dask.threaded.get, dask.local.get_sync)
    scheduler = get_scheduler()  # type: ignore[no-untyped-call]
    if not isinstance(_source(rows), FromPandas) or scheduler in here:
        return None
    if not _is_geometry(rows, geometry, None):
        return None
    parts: list[Any] = rows.to_delayed()
    return parts


def with_wkb(frame: Any, geometry: Any, values: Any) -> pd.DataFrame:
    """The frame with this WKB in its column of geometries, in Arrow's arrays."""
    wkb = pd.array(pa.array(values, pa.large_binary()), dtype=pd.ArrowDtype(pa.large_binary()))
    return pd.DataFrame(frame).assign(**{geometry: wkb})


def meta_of(rows: Any) -> Any:
    """No rows, as Dask knows them without computing."""
    return rows._meta  # noqa: SLF001 - of frames in memory, too, Dask knows it only so


def is_computed(rows: Any) -> bool:
    """Whether partitions are computed with all their columns, or were before, as by `persist`."""
    return isinstance(rows.expr, FromGraph)


def _source(rows: Any) -> Any:
    """The expression of a frame from which only columns were taken."""
    expr = rows.expr
    while isinstance(expr, Projection):
        expr = expr.frame
    return expr


def _is_geometry(rows: Any, name: Any, columns: list[Any] | None) -> bool:
    """Whether this one of the columns has geometries, and no other, which may have centers."""
    meta = meta_of(rows)
    if not isinstance(meta, pd.DataFrame):
        return False
    dtypes: Any = (meta if columns is None else meta[columns]).dtypes
    return [it for it, dtype in dtypes.items() if str(dtype) == "geometry"] == [name]

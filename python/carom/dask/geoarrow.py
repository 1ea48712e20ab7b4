"""Series of WKB and of native GeoArrow, as Dask reads them from Parquet files."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa

import carom
from carom._input_error import InputError, InputValueError, Place, again, parts_of, place_of
from carom.dask.partitions_as_wkb import Assign, Filter, Projection, ReadParquet, meta_of
from carom.interop.arrow import KindAdvice
from carom.interop.geopandas.column import wkb_array
from carom.interop.parquet import named

if TYPE_CHECKING:
    from collections.abc import Generator

_READERS = (
    "dask_geopandas.read_parquet tells which they are, and so does a frame as "
    "dask.dataframe.read_parquet returns it, of which rows and columns may be chosen"
)
_STATED = ("encoding", "crs", "edges")
"""What GeoParquet's metadata of a column say that tells its shapes."""


def schema_of(name: str, rows: Any, geometry: str | None) -> Any:
    """The column of shapes in the files of a frame, with the metadata of GeoParquet.

    It is None unless Dask reads the frame from Parquet files, and rows were chosen or other columns
    assigned since at most.

    Raises
    ------
    ValueError
        If native GeoArrow is not the same in all files.
    """
    column = meta_of(rows).name if geometry is None else geometry
    expr = rows.expr
    while isinstance(expr, Projection | Filter | Assign):
        if isinstance(expr, Assign) and column in expr.operands[1::2]:
            return None
        expr = expr.frame
    if not isinstance(expr, ReadParquet):
        return None
    try:
        known = expr._dataset_info  # noqa: SLF001 - Dask tells of its files nowhere else
        parts = known["fragments"] if "fragments" in known else known["ds"].get_fragments()
        files = [getattr(part, "fragment", part) for part in parts]
        first = _of_column(files[0], column)
    except (AttributeError, IndexError, KeyError):
        return None
    # WKB tells the kind of each row.
    for file in [] if is_binary(first.field(0).type) else files:
        if not _of_column(file, column).equals(first, check_metadata=True):
            raise InputValueError(
                f"the type or the metadata of {column} in {file.path} and in other files "
                "differ; read them one by one, with dask_geopandas.read_parquet",
                at=name,
            )
    return first


def _of_column(file: Any, column: str) -> Any:
    """The part of a file's schema that says what the shapes are."""
    schema = named(file.physical_schema, file.metadata)
    geo = json.loads((schema.metadata or {}).get(b"geo", b"{}")).get("columns", {}).get(column)
    metadata = {}
    if geo is not None:
        stated = {key: geo[key] for key in _STATED if key in geo}
        metadata["geo"] = json.dumps({"primary_column": column, "columns": {column: stated}})
    return pa.schema([schema.field(column)], metadata=metadata)


def shapes_in(values: Any, schema: Any, **keywords: Any) -> carom.Shapes | None:
    """The shapes of a series of WKB or native GeoArrow; None of a series of other objects."""
    array = wkb_array(values)
    if array is None and is_native(values):
        kind = None if schema is None else schema.field(0).type
        array = pa.array(values, kind, from_pandas=True)
    if array is None:
        return None
    if schema is None:
        return carom.Shapes.from_arrow(array, **keywords)
    field = schema.field(0).with_type(array.type)
    table = pa.table([array], schema=pa.schema([field], metadata=schema.metadata))
    return carom.Shapes.from_arrow(table, column=field.name, **keywords)


def crs_of(values: Any, schema: Any) -> Any:
    """The reference system of a series without rows, whose type `Shapes.from_arrow` takes."""
    if isinstance(values, geopandas.GeoSeries):
        return values.crs
    if schema is not None:
        return carom.Shapes.from_arrow(schema.empty_table(), column=schema.field(0).name).crs
    shapes_in(values, None)
    return None


def is_native(values: Any) -> bool:
    """Whether a series has coordinates, or lists."""
    if isinstance(values, geopandas.GeoSeries):
        return False
    if isinstance(values.dtype, pd.ArrowDtype):
        return bool(pa.types.is_nested(values.dtype.pyarrow_dtype))
    first = next((it for it in values if it is not None and it is not pd.NA), None)
    if isinstance(first, dict):
        return {"x", "y"} <= first.keys()
    return isinstance(first, list | np.ndarray)


def is_binary(kind: Any) -> bool:
    return bool(
        pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)
    )


@contextmanager
def naming_readers(name: str) -> Generator[None]:
    """Errors have the argument's name, and say who tells of two kinds that lists may be."""
    try:
        yield
    except InputError as why:
        at = place_of(why)
        if at == Place("obj", why.row):
            at = Place(name, why.row)
        readers = f"; {_READERS}"
        parts = [readers if isinstance(part, KindAdvice) else part for part in parts_of(why)]
        raise again(why, *parts, at=at) from None

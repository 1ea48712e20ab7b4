"""Rows by label, and the numbers that belong to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import geopandas
import numpy as np
import pandas as pd
import shapely
from geopandas.array import GeometryArray

from carom._input_error import InputTypeError, InputValueError
from carom.interop.geopandas.column import plain
from carom.interop.geopandas.crs_checks import check_crs

if TYPE_CHECKING:
    from numpy.typing import NDArray


def positions(
    name: str, index: pd.Index, labels: pd.Index, advice: str = ""
) -> NDArray[np.integer[Any]]:
    """The position in an index of each label; an absent or a repeated one is an error."""
    if not index.is_unique:
        repeated = labels[labels.isin(index[index.duplicated()])]
        if len(repeated) > 0:
            raise InputValueError(f"the label {plain(repeated[0])!r} repeats{advice}", at=name)
    found: NDArray[np.integer[Any]] = index.get_indexer_for(labels)
    for absent in np.flatnonzero(found < 0)[:1]:
        raise InputValueError(f"no row has the label {plain(labels[absent])!r}", at=name)
    return found


_AXES = {
    "velocity": 1,
    "direction": 1,
    "center": 1,
    "turn": 0,
    "margin": 0,
    "distance": 0,
    "radius": 0,
}


def axes(name: str) -> int:
    """How many axes one value of an argument has: 1 for vectors, 0 for numbers."""
    return _AXES[name.partition("_")[0]]


def names_in(given: Any) -> list[str]:
    """The names of columns in an argument that may have some."""
    if isinstance(given, str):
        return [given]
    return [it for it in given if isinstance(it, str)] if isinstance(given, tuple | list) else []


def read(name: str, values: Any, rows: Any, index: pd.Index) -> Any:
    """One number or vector for each row, by column names, by label or by position; or one for all.

    `rows` is the frame or series of the rows, or None; `index` has their labels.
    """
    return (vectors if axes(name) else numbers)(name, values, rows, index)


def numbers(name: str, values: Any, rows: Any, index: pd.Index) -> Any:
    """One number for each row, or one for all."""
    if isinstance(values, str):
        values = _columns(name, [values], rows)[values]
    if isinstance(values, pd.Series):
        return _by_label(name, values.to_frame(), index)[:, 0]
    return as_given(values)


def vectors(name: str, values: Any, rows: Any, index: pd.Index) -> Any:
    """One vector for each row, or one for all.

    Points are vectors, too: in a column, in a series with labels, in an array, or one.
    """
    if isinstance(values, str):
        values = _columns(name, [values], rows)[values]
        if not isinstance(values, geopandas.GeoSeries):
            raise InputTypeError(
                "a vector is two names of columns, or that of one of points", at=name
            )
    elif names_in(values):
        if len(values) != len("xy"):
            raise InputValueError(f"expected two names of columns, got {len(values)}", at=name)
        values = _columns(name, list(values), rows)
    if isinstance(values, geopandas.GeoSeries):
        if rows is not None:
            check_crs(values.crs, rows.crs, (name, "the rows"))
        values = pd.DataFrame(_coordinates(name, values), index=values.index)
    elif isinstance(values, GeometryArray | shapely.Geometry):
        values = _coordinates(name, values)
    if isinstance(values, pd.DataFrame):
        return _by_label(name, values, index)
    if isinstance(values, pd.Series):
        # A series of two labels would be taken for one vector.
        raise InputTypeError(
            "expected an array of shape (2,) or (N, 2), or a DataFrame of two columns, "
            "got a Series",
            at=name,
        )
    return as_given(values)


def as_given(values: Any) -> Any:
    """An array of exactly these numbers, so that carom refuses what it would refuse of them.

    NumPy would leave out masks, round integers and make numbers of booleans.
    """
    if not isinstance(values, list | tuple):
        return np.asanyarray(values)
    if _holds_masks(values):
        parts = [as_given(it) for it in values]
        masks = [np.ma.getmaskarray(it) for it in parts]
        return np.ma.array([np.ma.getdata(it) for it in parts], mask=masks, dtype=object)
    objects = np.asarray(values, dtype=object)
    if any(isinstance(it, bool | np.bool_) for it in objects.flat):
        return objects
    try:
        floats = objects.astype(np.float64)
    except (OverflowError, TypeError, ValueError):
        return objects
    return floats if np.all((floats == objects) | (objects != objects)) else objects


def _holds_masks(values: Any) -> bool:
    if isinstance(values, list | tuple):
        return any(map(_holds_masks, values))
    return isinstance(values, np.ma.MaskedArray)


def _columns(name: str, wanted: list[Any], rows: Any) -> pd.DataFrame:
    if not isinstance(rows, pd.DataFrame):
        raise InputTypeError("names of columns need a GeoDataFrame, which has columns", at=name)
    for column in wanted:
        if column not in rows.columns:
            raise InputValueError(f"no column is called {column!r}", at=name)
    columns: pd.DataFrame = rows.loc[:, wanted]
    return columns


def _by_label(name: str, values: pd.DataFrame, index: pd.Index) -> Any:
    if values.index.equals(index):
        return _plain_numbers(values)
    labels = values.index
    repeated = labels[labels.duplicated()]
    if len(repeated) > 0:
        raise InputValueError(f"the label {plain(repeated[0])!r} repeats", at=name)
    return _plain_numbers(values)[positions(name, labels, index)]


def _plain_numbers(values: pd.DataFrame) -> Any:
    """The numbers of a frame, not converted to float by pandas, which might round."""
    if values.dtypes.nunique() > 1:
        values = values.astype(object)
    # Of numbers in an extension type, as Arrow's, pandas makes objects if it isn't told otherwise.
    plain = getattr(values.dtypes.iloc[0], "numpy_dtype", None)
    has_missing = values.isna().any(axis=None)
    if plain is not None and plain.kind not in ("f" if has_missing else "fiu"):
        plain = None
    return values.to_numpy(plain, na_value=np.nan) if has_missing else values.to_numpy(plain)


def _coordinates(name: str, points: Any) -> Any:
    """The coordinates of one point or several; NaN for missing points."""
    types = shapely.get_type_id(points)
    if not np.isin(types, [-1, shapely.GeometryType.POINT]).all():
        raise InputTypeError("expected points, got other geometries", at=name)
    # GEOS raises for the coordinates of empty points.
    points = np.where(shapely.is_empty(points), None, points)
    return np.stack([shapely.get_x(points), shapely.get_y(points)], axis=-1)


def of_rows(values: Any, count: int, ndim: int, rows: Any) -> Any:
    """The values of some of `count` rows; `ndim` axes are one value for all rows."""
    if rows is None or values.ndim <= ndim or (len(values) == 1 and count != 1):
        return values
    return values[rows]


def refuse_other_length(name: str, values: Any, ndim: int, whose: str, count: int) -> None:
    """Refuses values that are neither one for all nor one for each of `count` rows."""
    if values.ndim > ndim and len(values) not in {1, count}:
        raise InputValueError(
            f"has {len(values)} rows, and {whose.format(count)}; expected one for all, or one for "
            "each, by position, by label, or in columns",
            at=name,
            link=" ",
        )

"""Shapes as they are given to the functions: columns of GeoPandas, and those of several rows."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .. import _core
from .._input_error import InputError, again, place_of


def rows_of(given: Any) -> Any:
    """The GeoSeries or GeoDataFrame of a Column of `carom.interop.geopandas`; others as given."""
    module = sys.modules.get("carom.interop.geopandas.column")
    return given.rows if module is not None and isinstance(given, module.Column) else given


def shapes_of(given: Any, name: str) -> Any:
    """A Column, a GeoSeries or a GeoDataFrame as `Shapes`; others as given.

    Errors call the argument by its name.
    """
    if rows_of(given) is not given:
        return given.shapes
    geometries = getattr(given, "geom_type", None)
    is_single = geometries is None or isinstance(geometries, str)
    return given if is_single else read(given, name)


def one_or_many(given: Any, name: str) -> Any:
    """As `shapes_of`, and arrays of polygons and lists of geometries as `Shapes`, too.

    A list of rings is one polygon with holes.
    """
    is_list = isinstance(given, list | tuple) and any(hasattr(it, "geom_type") for it in given)
    if is_list or (isinstance(given, np.ndarray) and given.ndim == 3):
        return read(given, name)
    return shapes_of(given, name)


def read(given: Any, name: str) -> _core.Shapes:
    """A column, in whose errors the argument has its name."""
    try:
        return _core.Shapes(given)
    except InputError as error:
        raise again(error, at=place_of(error).called(name)) from None


def are_many(*operands: Any) -> bool:
    """Whether one of the operands is a column of another number of rows than one."""
    return any(isinstance(it, _core.Shapes) and len(it) != 1 for it in operands)

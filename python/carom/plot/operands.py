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
    if geometries is None or isinstance(geometries, str):
        return given
    try:
        return _core.Shapes(given)
    except InputError as error:
        raise again(error, at=place_of(error).called(name)) from None


def are_several(given: Any) -> bool:
    """Whether this has rows, not one alone: `Shapes`, an array of polygons, a list of geometries.

    A list of rings is one polygon with holes.
    """
    if isinstance(given, _core.Shapes):
        return len(given) != 1
    if isinstance(given, np.ndarray):
        return given.ndim == 3 or given.dtype == object
    return isinstance(given, list | tuple) and any(hasattr(item, "geom_type") for item in given)

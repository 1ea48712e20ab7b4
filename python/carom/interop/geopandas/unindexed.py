"""Operands without an index: a single shape, a list or an array of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from geopandas.array import GeometryArray

import carom
from carom._input_error import InputError, Place
from carom.interop.geopandas.masked_rows import warn_of_masked


def masked_shapes(name: str, rows: Any) -> carom.Shapes | None:
    """The shapes of an operand, of which invalid ones are missing, with a warning of these.

    None if it has no form of shapes, which the batch function refuses. `Shapes` are taken as they
    are.
    """
    if rows is None or isinstance(rows, carom.Shapes):
        return rows
    is_one = isinstance(rows, shapely.Geometry)
    try:
        shapes = carom.Shapes([rows] if is_one else rows, on_invalid="mask")
    except InputError:
        # The vertices of one shape, perhaps.
        is_one = True
        try:
            shapes = carom.Shapes([rows], on_invalid="mask")
        except InputError:
            return None
    several = f"[{name}]" if is_one else name
    if not _are_geometries(rows):
        several = f"carom.Shapes({several}, check=False).to_shapely()"
    warn_of_masked(
        name,
        shapes,
        ~shapes.is_valid,
        lambda row: name if is_one else Place(name, row),
        f"geopandas.GeoSeries({several})",
    )
    return shapes


def without_z(rows: Any) -> Any:
    """Geometries without Z and M; other forms of shapes as they are."""
    if isinstance(rows, GeometryArray):
        return GeometryArray(shapely.force_2d(np.asarray(rows, dtype=object)), crs=rows.crs)
    if isinstance(rows, list | tuple) and any(isinstance(it, shapely.Geometry) for it in rows):
        return [shapely.force_2d(it) if isinstance(it, shapely.Geometry) else it for it in rows]
    is_array = isinstance(rows, np.ndarray) and rows.dtype == object
    return shapely.force_2d(rows) if is_array or isinstance(rows, shapely.Geometry) else rows


def _are_geometries(rows: Any) -> bool:
    """Whether a GeoSeries can be made of a geometry or several, some of which may be missing."""
    if isinstance(rows, shapely.Geometry | GeometryArray):
        return True
    is_several = isinstance(rows, list | tuple) or (
        isinstance(rows, np.ndarray) and rows.dtype == object
    )
    return is_several and all(it is None or isinstance(it, shapely.Geometry) for it in rows)

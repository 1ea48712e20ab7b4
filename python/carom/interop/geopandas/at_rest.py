"""The queries of shapes at rest, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

import carom
from carom.interop.geopandas.alignment import Operands, circles
from carom.interop.geopandas.shared_docstrings import OF_CIRCLES, twin_of
from carom.interop.geopandas.types import Numbers, Operand, Pairs, Points, Rows, Vectors


@twin_of(carom.intersects_batch)
def intersects(
    a: Operand,
    b: Operand,
    *,
    align: bool | None = None,
    pairs: Pairs | None = None,
    margin: Numbers | None = 0.0,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.Series:
    """Whether shapes intersect, row by row; touching counts.

    Returns
    -------
    pandas.Series of bool
        The results, with the aligned index, or that of ``pairs``; False where a row is missing.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> a = geopandas.GeoSeries([shapely.box(0, 0, 1, 1), None], ["p", "q"])
    >>> cg.intersects(a, shapely.box(1, 1, 2, 2))
    p     True
    q    False
    dtype: bool
    """
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    rows = Operands(a, b, options, align=align, pairs=pairs, drop_z=drop_z)
    if margin is not None and np.any(np.asarray(margin) != 0.0):
        rows.warn_of_degrees("intersects", "margin is")
    return rows.series(rows.call(carom.intersects_batch, *rows.given, margin=margin))


@twin_of(carom.sat_batch)
def sat(
    a: Operand,
    b: Operand,
    *,
    align: bool | None = None,
    pairs: Pairs | None = None,
    margin: Numbers = 0.0,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.DataFrame:
    """Whether and how convex shapes overlap, row by row.

    Raises
    ------
    ValueError
        If a shape is not convex.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> a = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)], ["p"])
    >>> cg.sat(a, shapely.box(0.75, 0, 2, 1), fields=("depth", "mtv"))
       depth  mtv_x  mtv_y
    p   0.25  -0.25    0.0
    """
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    rows = Operands(a, b, options, align=align, pairs=pairs, drop_z=drop_z)
    rows.warn_of_degrees("sat", "depth and mtv are")
    return rows.frame(rows.call(carom.sat_batch, *rows.given, margin=margin, fields=fields))


@twin_of(carom.penetration_batch)
def penetration(
    a: Operand,
    b: Operand,
    *,
    align: bool | None = None,
    pairs: Pairs | None = None,
    direction: Vectors | None = None,
    margin: Numbers = 0.0,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.DataFrame:
    """How deep shapes overlap, concave ones too, and the shortest way out, row by row.

    Parameters
    ----------
    direction : array_like of shape (2,) or (N, 2), or DataFrame of two columns, or names, optional
        The direction in which `a` moves out, given as a velocity of `swept_collision`. By default
        the shortest way.

    Raises
    ------
    ValueError
        If a direction is zero.

    See Also
    --------
    sat : the same of convex shapes, with the contact.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> notched = shapely.Polygon([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)])
    >>> a = geopandas.GeoSeries([shapely.box(1.25, 0.75, 1.75, 2), None], ["p", "q"])
    >>> cg.penetration(a, notched, fields=("depth", "mtv"))
       depth  mtv_x  mtv_y
    p   0.25    0.0   0.25
    q    NaN    NaN    NaN
    """
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    rows = Operands(a, b, options, align=align, pairs=pairs, drop_z=drop_z)
    rows.warn_of_degrees("penetration", "depth and mtv are")
    given = {"direction": direction, "margin": margin, "fields": fields}
    return rows.frame(rows.call(carom.penetration_batch, *rows.given, **given))


@twin_of(carom.overlap_area_batch)
def overlap_area(
    a: Operand,
    b: Operand,
    *,
    align: bool | None = None,
    pairs: Pairs | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.Series:
    """The area that shapes have in common, row by row.

    Returns
    -------
    pandas.Series of float
        The areas, with the aligned index, or that of ``pairs``: 0.0 exactly where the interiors
        have no point in common, NaN where a row is missing.

    Raises
    ------
    ValueError
        If a shape has a radius.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> parcels = geopandas.GeoSeries([shapely.box(0, 0, 2, 2), shapely.box(3, 0, 5, 2)])
    >>> shares = cg.overlap_area(parcels, shapely.box(1, 0, 3, 4)) / parcels.area
    >>> shares
    0    0.5
    1    0.0
    dtype: float64
    """
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    rows = Operands(a, b, options, align=align, pairs=pairs, drop_z=drop_z)
    rows.warn_of_degrees("overlap_area", "areas are")
    return rows.series(rows.call(carom.overlap_area_batch, *rows.given))


@twin_of(carom.distance_batch)
def distance(
    a: Operand,
    b: Operand,
    *,
    align: bool | None = None,
    pairs: Pairs | None = None,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.DataFrame:
    """Distance and nearest points of shapes, row by row.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> a = geopandas.GeoSeries([shapely.box(0, 0, 1, 1), shapely.box(0, 0, 3, 1)])
    >>> cg.distance(a, shapely.box(3, 0, 4, 1), fields=("distance",))
       distance
    0       2.0
    1       0.0
    """
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    rows = Operands(a, b, options, align=align, pairs=pairs, drop_z=drop_z)
    rows.warn_of_degrees("distance", "distance is")
    return rows.frame(rows.call(carom.distance_batch, *rows.given, fields=fields))


@twin_of(carom.circle_polygon_batch, OF_CIRCLES)
def circle_polygon(
    center: Points,
    radius: Numbers,
    polygon: Rows,
    *,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.DataFrame:
    """Overlap, distance and nearest feature of circles and polygons, row by row.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> plots = geopandas.GeoSeries([shapely.box(0, 0, 1, 1), shapely.box(4, 0, 5, 1)])
    >>> cg.circle_polygon(shapely.Point(2, 0.5), 1, plots, fields=("intersects", "feature"))
       intersects feature
    0        True    edge
    1       False    edge
    """
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    rows = circles("circle_polygon", polygon, options, drop_z=drop_z)
    given = {"center": center, "radius": radius, "polygon": rows.given[0], "fields": fields}
    return rows.frame(rows.call(carom.circle_polygon_batch, **given))

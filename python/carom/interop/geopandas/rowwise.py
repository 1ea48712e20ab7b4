"""The queries of carom row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import carom
from carom.interop.geopandas.operands import Operands


def intersects(a: Any, b: Any, *, align: bool | None = None, **keywords: Any) -> pd.Series:
    """Whether shapes intersect, row by row; touching counts.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or shapes in any form that `carom.intersects_batch` takes
        The shapes. At least one of the two must have an index.
    align : bool, optional
        Whether two series are aligned by index label. By default they are, with a warning if their
        indexes differ, as in GeoPandas. If False, they are aligned by position, and must have the
        same number of rows.
    pairs : DataFrame with the columns a and b, or two sequences of labels, optional
        Which rows go together, by label, as `colliding_pairs` returns them. Replaces the alignment.
        An operand without an index is indexed by row number.
    **keywords
        Passed to `carom.intersects_batch`.

    Returns
    -------
    pandas.Series of bool
        The results, with the aligned index, or that of ``pairs``.

    Raises
    ------
    ValueError
        If a shape is not valid, the CRS differ, or neither operand has an index.

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
    rows = Operands(a, b, align, keywords)
    if np.any(np.asarray(keywords.get("margin", 0.0)) != 0.0):
        rows.warn_of_degrees("intersects", "margin is")
    answers = rows.call(carom.intersects_batch, (*rows.given,), keywords)
    return rows.series(answers)


def sat(a: Any, b: Any, *, align: bool | None = None, **keywords: Any) -> pd.DataFrame:
    """Whether and how convex shapes overlap, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or shapes in any form that `carom.sat_batch` takes
        The shapes. At least one of the two must have an index.
    align : bool, optional
        Whether two series are aligned by index label. By default they are, with a warning if their
        indexes differ, as in GeoPandas. If False, they are aligned by position, and must have the
        same number of rows.
    pairs : DataFrame with the columns a and b, or two sequences of labels, optional
        Which rows go together, by label, as `colliding_pairs` returns them. Replaces the alignment.
        An operand without an index is indexed by row number.
    **keywords
        Passed to `carom.sat_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.SatBatchResult`, with the aligned
        index, or that of ``pairs``.

    Raises
    ------
    ValueError
        If a shape is not valid or not convex, the CRS differ, or neither operand has an index.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> a = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)], ["p"])
    >>> cg.sat(a, shapely.box(0.75, 0, 2, 1), fields=("depth", "mtv"))
       depth  mtv_x  mtv_y
    p   0.25  -0.25    0.0
    """
    rows = Operands(a, b, align, keywords)
    rows.warn_of_degrees("sat", "depth and mtv are")
    answers = rows.call(carom.sat_batch, (*rows.given,), keywords)
    return rows.frame(answers)


def distance(a: Any, b: Any, *, align: bool | None = None, **keywords: Any) -> pd.DataFrame:
    """Distance and nearest points of shapes, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or shapes in any form that `carom.distance_batch` takes
        The shapes. At least one of the two must have an index.
    align : bool, optional
        Whether two series are aligned by index label. By default they are, with a warning if their
        indexes differ, as in GeoPandas. If False, they are aligned by position, and must have the
        same number of rows.
    pairs : DataFrame with the columns a and b, or two sequences of labels, optional
        Which rows go together, by label, as `colliding_pairs` returns them. Replaces the alignment.
        An operand without an index is indexed by row number.
    **keywords
        Passed to `carom.distance_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.DistanceBatchResult`, with the aligned
        index, or that of ``pairs``.

    Raises
    ------
    ValueError
        If a shape is not valid, the CRS differ, or neither operand has an index.

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
    rows = Operands(a, b, align, keywords)
    rows.warn_of_degrees("distance", "distance is")
    answers = rows.call(carom.distance_batch, (*rows.given,), keywords)
    return rows.frame(answers)


def swept_collision(
    a: Any, b: Any, velocity: Any, *, align: bool | None = None, **keywords: Any
) -> pd.DataFrame:
    """First contact of moving shapes with others, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or shapes in any form that the batch function takes
        The shapes. At least one of the two must have an index.
    velocity : array_like of shape (2,) or (N, 2), or DataFrame of two columns
        The displacement of `a` relative to `b` within the frame, in the unit of the coordinates:
        one for all rows, one per row of `a` (of `b`, if only `b` has an index), or by index label.
    align : bool, optional
        Whether two series are aligned by index label. By default they are, with a warning if their
        indexes differ, as in GeoPandas. If False, they are aligned by position, and must have the
        same number of rows.
    pairs : DataFrame with the columns a and b, or two sequences of labels, optional
        Which rows go together, by label, as `colliding_pairs` returns them. Replaces the alignment.
        An operand without an index is indexed by row number.
    **keywords
        Passed to `carom.swept_collision_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.SweptCollisionBatchResult`, with the aligned
        index, or that of ``pairs``.

    Raises
    ------
    ValueError
        If a shape is not valid, a velocity is missing, the CRS differ, or neither operand has an
        index.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> a = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)], ["p"])
    >>> cg.swept_collision(a, shapely.box(3, 0, 4, 1), (4, 0), fields=("time", "normal"))
       time  normal_x  normal_y
    p   0.5      -1.0       0.0
    """
    rows = Operands(a, b, align, keywords)
    rows.warn_of_degrees("swept_collision", "velocity and mtv are")
    keywords["velocity"] = velocity
    return rows.frame(rows.call(carom.swept_collision_batch, (*rows.given,), keywords))


def circle_polygon(center: Any, radius: Any, polygon: Any, **keywords: Any) -> pd.DataFrame:
    """Overlap, distance and nearest feature of circles and polygons, row by row.

    Parameters
    ----------
    center : array_like of shape (2,) or (N, 2), or Point, or GeoSeries of points, or names
        The centers: for all, by position, or by the index label of the polygons.
    radius : float, or array_like of shape (N,), or Series
        The radii, in the unit of the coordinates.
    polygon : GeoSeries or GeoDataFrame
        The polygons.
    **keywords
        Passed to `carom.circle_polygon_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.CirclePolygonBatchResult`, with the index of `polygon`.

    Raises
    ------
    ValueError
        If a shape is not valid, a radius is negative, or a center is missing.

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
    rows = _circles("circle_polygon", polygon, keywords)
    center, radius = rows.vectors("center", center), rows.numbers("radius", radius)
    order = (center, radius, rows.given[0])
    return rows.frame(rows.call(carom.circle_polygon_batch, order, keywords))


def swept_circle(
    center: Any, radius: Any, velocity: Any, polygon: Any, **keywords: Any
) -> pd.DataFrame:
    """First contact of moving circles with polygons, row by row.

    Parameters
    ----------
    center : array_like of shape (2,) or (N, 2), or Point, or GeoSeries of points, or names
        The centers at time 0: for all, by position, or by the index label of the polygons.
    radius : float, or array_like of shape (N,), or Series
        The radii, in the unit of the coordinates.
    velocity : array_like of shape (2,) or (N, 2), or DataFrame of two columns
        The displacement of the circle relative to the polygon within the frame.
    polygon : GeoSeries or GeoDataFrame
        The polygons.
    **keywords
        Passed to `carom.swept_circle_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.SweptCircleBatchResult`, with the index of `polygon`.

    Raises
    ------
    ValueError
        If a shape is not valid, a radius is negative, or a number is missing.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> plots = geopandas.GeoSeries([shapely.box(3, 0, 4, 1), shapely.box(9, 0, 10, 1)])
    >>> cg.swept_circle(shapely.Point(0, 0.5), 1, (4, 0), plots, fields=("time",))
       time
    0   0.5
    1   inf
    """
    rows = _circles("swept_circle", polygon, keywords)
    center, radius = rows.vectors("center", center), rows.numbers("radius", radius)
    order = (center, radius, rows.vectors("velocity", velocity), rows.given[0])
    return rows.frame(rows.call(carom.swept_circle_batch, order, keywords))


def _circles(function: str, polygon: Any, keywords: dict[str, Any]) -> Operands:
    if keywords.get("pairs") is not None:
        raise TypeError(
            f"pairs: {function} has one circle for each polygon; points with a radius are rows of "
            "a column, and distance and sat take pairs of them"
        )
    rows = Operands(polygon, None, True, keywords)
    rows.warn_of_degrees(function, "radius is")
    return rows

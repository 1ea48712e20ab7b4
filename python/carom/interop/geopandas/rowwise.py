"""The queries of carom row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import carom
from carom.interop.geopandas.alignment import Operands
from carom.interop.geopandas.unknown_keywords import hinting

if TYPE_CHECKING:
    from collections.abc import Sequence


@hinting(carom.intersects_batch)
def intersects(
    a: Any,
    b: Any,
    *,
    align: bool | None = None,
    pairs: Any = None,
    margin: Any = 0.0,
    threads: int | None = None,
    check: bool = True,
    on_invalid: str = "raise",
) -> pd.Series:
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
    margin, threads, check, on_invalid
        As in `carom.intersects_batch`. A margin may also be the name of a column.

    Returns
    -------
    pandas.Series of bool
        The results, with the aligned index, or that of ``pairs``.

    Warns
    -----
    UserWarning
        If the indexes differ, one operand alone has a CRS, or a margin is in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid, or the CRS differ.
    TypeError
        If neither operand has an index, or a row is a GeometryCollection.

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
    rows = Operands(a, b, options, align=align, pairs=pairs)
    if margin is not None and np.any(np.asarray(margin) != 0.0):
        rows.warn_of_degrees("intersects", "margin is")
    answers = rows.call(carom.intersects_batch, *rows.given, margin=margin)
    return rows.series(answers)


@hinting(carom.sat_batch)
def sat(
    a: Any,
    b: Any,
    *,
    align: bool | None = None,
    pairs: Any = None,
    margin: Any = 0.0,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: str = "raise",
) -> pd.DataFrame:
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
    margin, fields, threads, check, on_invalid
        As in `carom.sat_batch`. A margin may also be the name of a column.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.SatBatchResult`, with the aligned
        index, or that of ``pairs``.

    Warns
    -----
    UserWarning
        If the indexes differ, one operand alone has a CRS, or depths are in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid or not convex, or the CRS differ.
    TypeError
        If neither operand has an index, or a row is a GeometryCollection.

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
    rows = Operands(a, b, options, align=align, pairs=pairs)
    rows.warn_of_degrees("sat", "depth and mtv are")
    answers = rows.call(carom.sat_batch, *rows.given, margin=margin, fields=fields)
    return rows.frame(answers)


@hinting(carom.penetration_batch)
def penetration(
    a: Any,
    b: Any,
    *,
    align: bool | None = None,
    pairs: Any = None,
    direction: Any = None,
    margin: Any = 0.0,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: str = "raise",
) -> pd.DataFrame:
    """How deep shapes overlap, concave ones too, and the shortest way out, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or shapes in any form that `carom.penetration_batch` takes
        The shapes. At least one of the two must have an index.
    align : bool, optional
        Whether two series are aligned by index label. By default they are, with a warning if their
        indexes differ, as in GeoPandas. If False, they are aligned by position, and must have the
        same number of rows.
    pairs : DataFrame with the columns a and b, or two sequences of labels, optional
        Which rows go together, by label, as `colliding_pairs` returns them. Replaces the alignment.
        An operand without an index is indexed by row number.
    direction : array_like of shape (2,) or (N, 2), or DataFrame of two columns, or names, optional
        The direction in which `a` moves out, given as a velocity of `swept_collision`. By default
        the shortest way.
    margin, fields, threads, check, on_invalid
        As in `carom.penetration_batch`. A margin may also be the name of a column.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.PenetrationBatchResult`, with the aligned index, or that of
        ``pairs``.

    Warns
    -----
    UserWarning
        If the indexes differ, one operand alone has a CRS, or depths are in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid, a direction is zero, or the CRS differ.
    TypeError
        If neither operand has an index, or a row is a GeometryCollection.

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
    rows = Operands(a, b, options, align=align, pairs=pairs)
    rows.warn_of_degrees("penetration", "depth and mtv are")
    answers = rows.call(
        carom.penetration_batch, *rows.given, direction=direction, margin=margin, fields=fields
    )
    return rows.frame(answers)


@hinting(carom.overlap_area_batch)
def overlap_area(
    a: Any,
    b: Any,
    *,
    align: bool | None = None,
    pairs: Any = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: str = "raise",
) -> pd.Series:
    """The area that shapes have in common, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or shapes in any form that `carom.overlap_area_batch` takes
        The shapes, without a radius. At least one of the two must have an index.
    align : bool, optional
        Whether two series are aligned by index label. By default they are, with a warning if their
        indexes differ, as in GeoPandas. If False, they are aligned by position, and must have the
        same number of rows.
    pairs : DataFrame with the columns a and b, or two sequences of labels, optional
        Which rows go together, by label, as `colliding_pairs` returns them. Replaces the alignment.
        An operand without an index is indexed by row number.
    threads, check, on_invalid
        As in `carom.overlap_area_batch`.

    Returns
    -------
    pandas.Series of float
        The areas, with the aligned index, or that of ``pairs``: 0.0 exactly where the interiors
        have no point in common, NaN where a row is missing.

    Warns
    -----
    UserWarning
        If the indexes differ, one operand alone has a CRS, or areas are in square degrees.

    Raises
    ------
    ValueError
        If a shape is not valid or has a radius, or the CRS differ.
    TypeError
        If neither operand has an index, or a row is a GeometryCollection.

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
    rows = Operands(a, b, options, align=align, pairs=pairs)
    rows.warn_of_degrees("overlap_area", "areas are")
    return rows.series(rows.call(carom.overlap_area_batch, *rows.given))


@hinting(carom.distance_batch)
def distance(
    a: Any,
    b: Any,
    *,
    align: bool | None = None,
    pairs: Any = None,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: str = "raise",
) -> pd.DataFrame:
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
    fields, threads, check, on_invalid
        As in `carom.distance_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.DistanceBatchResult`, with the aligned
        index, or that of ``pairs``.

    Warns
    -----
    UserWarning
        If the indexes differ, one operand alone has a CRS, or distances are in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid, or the CRS differ.
    TypeError
        If neither operand has an index, or a row is a GeometryCollection.

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
    rows = Operands(a, b, options, align=align, pairs=pairs)
    rows.warn_of_degrees("distance", "distance is")
    answers = rows.call(carom.distance_batch, *rows.given, fields=fields)
    return rows.frame(answers)


@hinting(carom.swept_collision_batch)
def swept_collision(
    a: Any,
    b: Any,
    velocity: Any,
    *,
    align: bool | None = None,
    pairs: Any = None,
    turn_a: Any = None,
    center_a: Any = None,
    turn_b: Any = None,
    center_b: Any = None,
    margin: Any = 0.0,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: str = "raise",
) -> pd.DataFrame:
    """First contact of moving shapes with others, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or shapes in any form that the batch function takes
        The shapes. At least one of the two must have an index.
    velocity : array_like of shape (2,) or (N, 2), or DataFrame of two columns, or names of two
        The displacement of `a` relative to `b` within the frame, in the unit of the coordinates:
        one for all rows, one per row of `a` (of `b`, if only `b` has an index), or by index label.
    align : bool, optional
        Whether two series are aligned by index label. By default they are, with a warning if their
        indexes differ, as in GeoPandas. If False, they are aligned by position, and must have the
        same number of rows.
    pairs : DataFrame with the columns a and b, or two sequences of labels, optional
        Which rows go together, by label, as `colliding_pairs` returns them. Replaces the alignment.
        An operand without an index is indexed by row number.
    turn_a, center_a, turn_b, center_b, margin, fields, threads, check, on_invalid
        As in `carom.swept_collision_batch`. A margin or a turn may also be the name of a column,
        and a center that of a column of points.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.SweptCollisionBatchResult`, with the aligned
        index, or that of ``pairs``.

    Warns
    -----
    UserWarning
        If the indexes differ, one operand alone has a CRS, or a velocity is in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid, a velocity is missing, or the CRS differ.
    TypeError
        If neither operand has an index, or a row is a GeometryCollection.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> a = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)], ["p"])
    >>> cg.swept_collision(a, shapely.box(3, 0, 4, 1), (4, 0), fields=("time", "normal"))
       time  normal_x  normal_y
    p   0.5      -1.0       0.0
    """
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    rows = Operands(a, b, options, align=align, pairs=pairs)
    rows.warn_of_degrees("swept_collision", "velocity and mtv are")
    answers = rows.call(
        carom.swept_collision_batch,
        *rows.given,
        velocity=velocity,
        turn_a=turn_a,
        center_a=center_a,
        turn_b=turn_b,
        center_b=center_b,
        margin=margin,
        fields=fields,
    )
    return rows.frame(answers)


@hinting(carom.circle_polygon_batch)
def circle_polygon(
    center: Any,
    radius: Any,
    polygon: Any,
    *,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: str = "raise",
) -> pd.DataFrame:
    """Overlap, distance and nearest feature of circles and polygons, row by row.

    Parameters
    ----------
    center : array_like of shape (2,) or (N, 2), or Point, or GeoSeries of points, or names
        The centers: for all, by position, or by the index label of the polygons.
    radius : float, or array_like of shape (N,), or Series
        The radii, in the unit of the coordinates.
    polygon : GeoSeries or GeoDataFrame
        The polygons, or shapes of other kinds.
    fields, threads, check, on_invalid
        As in `carom.circle_polygon_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.CirclePolygonBatchResult`, with the index of `polygon`.

    Warns
    -----
    UserWarning
        If the radius is in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid, a radius is negative, or a center is missing.
    TypeError
        If `polygon` has no index, or a row is a GeometryCollection.

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
    rows = _circles("circle_polygon", polygon, options)
    center, radius = rows.read("center", center), rows.read("radius", radius)
    order = (center, radius, rows.given[0])
    return rows.frame(rows.call(carom.circle_polygon_batch, *order, fields=fields))


@hinting(carom.swept_circle_batch)
def swept_circle(
    center: Any,
    radius: Any,
    velocity: Any,
    polygon: Any,
    *,
    margin: Any = 0.0,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: str = "raise",
) -> pd.DataFrame:
    """First contact of moving circles with polygons, row by row.

    Parameters
    ----------
    center : array_like of shape (2,) or (N, 2), or Point, or GeoSeries of points, or names
        The centers at time 0: for all, by position, or by the index label of the polygons.
    radius : float, or array_like of shape (N,), or Series
        The radii, in the unit of the coordinates.
    velocity : array_like of shape (2,) or (N, 2), or DataFrame of two columns, or names of two
        The displacement of the circle relative to the polygon within the frame.
    polygon : GeoSeries or GeoDataFrame
        The polygons, or shapes of other kinds.
    margin, fields, threads, check, on_invalid
        As in `carom.swept_circle_batch`. A margin may also be the name of a column.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.SweptCircleBatchResult`, with the index of `polygon`.

    Warns
    -----
    UserWarning
        If the radius is in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid, a radius is negative, or a number is missing.
    TypeError
        If `polygon` has no index, or a row is a GeometryCollection.

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
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    rows = _circles("swept_circle", polygon, options)
    center, radius = rows.read("center", center), rows.read("radius", radius)
    order = (center, radius, rows.read("velocity", velocity), rows.given[0])
    return rows.frame(rows.call(carom.swept_circle_batch, *order, margin=margin, fields=fields))


def _circles(function: str, polygon: Any, options: dict[str, Any]) -> Operands:
    rows = Operands(polygon, None, options, names=("polygon", ""))
    rows.warn_of_degrees(function, "radius is")
    return rows

"""The queries of carom on GeoSeries; results have their index.

Two GeoSeries are aligned by index label, as in GeoPandas. A single polygon is combined with every
row. Missing geometries, and labels that only one series has, intersect nothing, and their numbers
are NaN.

Other keywords are passed to the function of the same name: `fields`, `threads`, `check` and
`on_invalid` of the batch functions; velocities, `margin`, `threads` and `progress` of the joins.

Examples
--------
>>> import geopandas, shapely
>>> from carom.interop import geopandas as cg
>>> plots = geopandas.GeoSeries([shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)], list("pqr"))
>>> cg.intersects(plots, shapely.box(1, 1, 2, 3))
p     True
q     True
r    False
dtype: bool
"""

from __future__ import annotations

from typing import Any

import geopandas
import numpy as np
import pandas as pd
import shapely
from geopandas.array import GeometryArray

import carom

__all__ = [
    "candidate_pairs",
    "circle_polygon",
    "colliding_pairs",
    "distance",
    "intersects",
    "sat",
    "swept_circle",
    "swept_collision",
]


def intersects(a: Any, b: Any, *, align: bool | None = True, **keywords: Any) -> pd.Series:
    """Whether polygons intersect, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or polygons in any form that `carom.intersects_batch` takes
        The polygons. At least one of the two must have an index.
    align : bool, default True
        Whether two series are aligned by index label (also for `None`, as in GeoPandas). If False,
        they are aligned by position, and must have the same number of rows.
    **keywords
        Passed to `carom.intersects_batch`.

    Returns
    -------
    pandas.Series of bool
        The results, with the aligned index.

    Raises
    ------
    ValueError
        If a polygon is not valid, the CRS differ, or neither operand has an index.

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
    rows = _Rows(a, b, align, keywords)
    return rows.series(carom.intersects_batch(rows.a, rows.b, **keywords))


def sat(a: Any, b: Any, *, align: bool | None = True, **keywords: Any) -> pd.DataFrame:
    """Whether and how convex polygons overlap, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or polygons in any form that `carom.sat_batch` takes
        The polygons. At least one of the two must have an index.
    align : bool, default True
        Whether two series are aligned by index label (also for `None`, as in GeoPandas). If False,
        they are aligned by position, and must have the same number of rows.
    **keywords
        Passed to `carom.sat_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.SatBatchResult`, with the aligned index.

    Raises
    ------
    ValueError
        If a polygon is not valid or not convex, the CRS differ, or neither operand has an index.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> a = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)], ["p"])
    >>> cg.sat(a, shapely.box(0.75, 0, 2, 1), fields=("depth", "mtv"))
       depth  mtv_x  mtv_y
    p   0.25  -0.25    0.0
    """
    rows = _Rows(a, b, align, keywords)
    return rows.frame(carom.sat_batch(rows.a, rows.b, **keywords))


def distance(a: Any, b: Any, *, align: bool | None = True, **keywords: Any) -> pd.DataFrame:
    """Distance and nearest points of polygons, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or polygons in any form that `carom.distance_batch` takes
        The polygons. At least one of the two must have an index.
    align : bool, default True
        Whether two series are aligned by index label (also for `None`, as in GeoPandas). If False,
        they are aligned by position, and must have the same number of rows.
    **keywords
        Passed to `carom.distance_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.DistanceBatchResult`, with the aligned index.

    Raises
    ------
    ValueError
        If a polygon is not valid, the CRS differ, or neither operand has an index.

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
    rows = _Rows(a, b, align, keywords)
    return rows.frame(carom.distance_batch(rows.a, rows.b, **keywords))


def swept_collision(
    a: Any, b: Any, velocity: Any, *, align: bool | None = True, **keywords: Any
) -> pd.DataFrame:
    """First contact of moving polygons with others, row by row.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame, or polygons in any form that the batch function takes
        The polygons. At least one of the two must have an index.
    velocity : array_like of shape (2,) or (N, 2), or DataFrame of two columns
        The displacement of `a` relative to `b` within the frame, in the unit of the coordinates:
        one for all rows, one per row of `a` (of `b`, if only `b` has an index), or by index label.
    align : bool, default True
        Whether two series are aligned by index label (also for `None`, as in GeoPandas). If False,
        they are aligned by position, and must have the same number of rows.
    **keywords
        Passed to `carom.swept_collision_batch`.

    Returns
    -------
    pandas.DataFrame
        One column per number of `carom.SweptCollisionBatchResult`, with the aligned index.

    Raises
    ------
    ValueError
        If a polygon is not valid, a velocity is missing, the CRS differ, or neither operand has an
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
    rows = _Rows(a, b, align, keywords)
    velocity = rows.vectors("velocity", velocity)
    return rows.frame(carom.swept_collision_batch(rows.a, rows.b, velocity, **keywords))


def circle_polygon(center: Any, radius: Any, polygon: Any, **keywords: Any) -> pd.DataFrame:
    """Overlap, distance and nearest feature of circles and polygons, row by row.

    Parameters
    ----------
    center : array_like of shape (2,) or (N, 2), or Point, or GeoSeries of points
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
        If a polygon is not valid, a radius is negative, or a center is missing.

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
    rows = _Rows(polygon, None, True, keywords)
    center, radius = rows.points("center", center, polygon), rows.numbers("radius", radius)
    return rows.frame(carom.circle_polygon_batch(center, radius, rows.a, **keywords))


def swept_circle(
    center: Any, radius: Any, velocity: Any, polygon: Any, **keywords: Any
) -> pd.DataFrame:
    """First contact of moving circles with polygons, row by row.

    Parameters
    ----------
    center : array_like of shape (2,) or (N, 2), or Point, or GeoSeries of points
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
        If a polygon is not valid, a radius is negative, or a number is missing.

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
    rows = _Rows(polygon, None, True, keywords)
    center, radius = rows.points("center", center, polygon), rows.numbers("radius", radius)
    velocity = rows.vectors("velocity", velocity)
    return rows.frame(carom.swept_circle_batch(center, radius, velocity, rows.a, **keywords))


def candidate_pairs(a: Any, b: Any = None, **keywords: Any) -> pd.DataFrame:
    """Pairs of rows whose bounding boxes meet, by their index labels.

    Parameters
    ----------
    a : GeoSeries or GeoDataFrame
        Shapes.
    b : GeoSeries or GeoDataFrame, optional
        Other polygons. By default the rows of `a` are paired with each other, each pair once.
    **keywords
        Passed to `carom.candidate_pairs`. Velocities in a data frame are aligned by label, those in
        an array by position.

    Returns
    -------
    pandas.DataFrame
        The labels of each pair in the columns ``a`` and ``b``.

    Raises
    ------
    ValueError
        If a polygon is not valid, the CRS differ, or a row has no velocity.
    TypeError
        If `a` or `b` has no index.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> plots = geopandas.GeoSeries([shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)], list("pqr"))
    >>> cg.candidate_pairs(plots)
       a  b
    0  p  q
    """
    return _labels(carom.candidate_pairs, a, b, keywords)


def colliding_pairs(a: Any, b: Any = None, **keywords: Any) -> pd.DataFrame:
    """Pairs of rows that intersect, or come within a margin, by their index labels.

    Parameters
    ----------
    a : GeoSeries or GeoDataFrame
        Shapes.
    b : GeoSeries or GeoDataFrame, optional
        Other polygons. By default the rows of `a` are paired with each other, each pair once.
    **keywords
        Passed to `carom.colliding_pairs`. Velocities in a data frame are aligned by label, those in
        an array by position.

    Returns
    -------
    pandas.DataFrame
        The labels of each pair in the columns ``a`` and ``b``.

    Raises
    ------
    ValueError
        If a polygon is not valid, the CRS differ, or a row has no velocity.
    TypeError
        If `a` or `b` has no index.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> plots = geopandas.GeoSeries([shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)], list("pqr"))
    >>> cg.colliding_pairs(plots, margin=1)
       a  b
    0  p  q
    1  q  r
    """
    return _labels(carom.colliding_pairs, a, b, keywords)


class _Rows:
    """Two aligned operands, and the index of the result."""

    def __init__(self, a: Any, b: Any, align: bool | None, keywords: dict[str, Any]) -> None:
        if keywords.get("pairs") is not None:
            raise TypeError(
                "pairs: rows are aligned by index here; use the batch function of the same name "
                "for pairs of rows"
            )
        self.a, self.b = _geometry(a), _geometry(b)
        indexed = [it for it in (self.a, self.b) if isinstance(it, geopandas.GeoSeries)]
        if not indexed:
            raise ValueError("expected a GeoSeries or a GeoDataFrame, which has an index")
        self.index = self.own = indexed[0].index
        self._rows: Any = None
        if len(indexed) == 2 and not self.own.equals(indexed[1].index):
            if align is None or align:
                self._align()
            elif len(self.a) != len(self.b):
                raise ValueError(
                    f"a has {len(self.a)} rows and b has {len(self.b)}; by position "
                    "(align=False) they must have as many"
                )

    def _align(self) -> None:
        self.index, left, right = self.own.join(self.b.index, how="outer", return_indexers=True)
        self.a, self.b = _taken(self.a, left), _taken(self.b, right)
        self._rows = left

    def vectors(self, name: str, values: Any) -> Any:
        """One vector per row, by label or by position before alignment, or one for all rows."""
        _refuse_series(name, values)
        if isinstance(values, pd.DataFrame):
            return self._labelled(name, values)
        array = np.asarray(values)
        if self._rows is None or array.ndim < 2 or len(array) == 1:
            return array
        if len(array) != len(self.own):
            raise ValueError(f"{name}: expected {len(self.own)} rows, got {len(array)}")
        return _of_present(array, self._rows)

    def numbers(self, name: str, values: Any) -> Any:
        """One number per row, by label or by position, or one for all rows."""
        if isinstance(values, pd.Series):
            return self._labelled(name, values.to_frame())[:, 0]
        return np.asarray(values)

    def points(self, name: str, values: Any, polygon: Any) -> Any:
        """The coordinates of points."""
        values = _geometry(values)
        if isinstance(values, geopandas.GeoSeries):
            _refuse_different_crs(values, _geometry(polygon), name, "polygon")
            values = pd.DataFrame(_coordinates(name, values), index=values.index)
        elif isinstance(values, GeometryArray | shapely.Geometry):
            values = _coordinates(name, values)
        return self.vectors(name, values)

    def frame(self, result: Any) -> pd.DataFrame:
        """A batch result as a data frame with the index."""
        self._refuse_other_length(result.shape)
        table: pd.DataFrame = result.to_pandas(self.index)
        return table

    def series(self, answers: Any) -> pd.Series:
        """One value per row as a series with the index."""
        self._refuse_other_length(np.shape(answers))
        return pd.Series(answers, index=self.index)

    def _labelled(self, name: str, values: pd.DataFrame) -> Any:
        numbers = _of_rows(name, values, self.own)
        return numbers if self._rows is None else _of_present(numbers, self._rows)

    def _refuse_other_length(self, shape: tuple[int, ...]) -> None:
        if shape != (len(self.index),):
            raise ValueError(
                f"the index has {len(self.index)} labels, and the answers have the shape {shape}"
            )


def _taken(rows: geopandas.GeoSeries, positions: Any) -> geopandas.GeoSeries:
    """The rows at positions; position -1 gives a missing row."""
    if positions is None:
        return rows
    taken: Any = rows.array.take(positions, allow_fill=True)
    return geopandas.GeoSeries(taken)


def _of_present(array: Any, rows: Any) -> Any:
    """The numbers of rows; 0 for row -1, as NaN would be refused."""
    if len(array) == 0:
        return np.zeros((len(rows), *array.shape[1:]))
    array = array[rows]
    array[rows < 0] = 0
    return array


def _positions(name: str, labels: pd.Index, wanted: pd.Index) -> Any:
    """The position of each wanted label."""
    if not labels.is_unique:
        raise ValueError(f"{name}: the label {labels[labels.duplicated()][0]!r} repeats")
    absent = wanted[~wanted.isin(labels)]
    if len(absent) > 0:
        raise ValueError(f"{name}: no row has the label {absent[0]!r}")
    return labels.get_indexer(wanted)


def _numbers(values: pd.DataFrame) -> Any:
    """The numbers of a frame, not converted to float by pandas, which might round."""
    if values.dtypes.nunique() > 1:
        values = values.astype(object)
    return values.to_numpy(na_value=np.nan) if values.isna().any(axis=None) else values.to_numpy()


def _coordinates(name: str, points: Any) -> Any:
    """The coordinates of one point or several; NaN for missing points."""
    types = shapely.get_type_id(points)
    if not np.isin(types, [-1, shapely.GeometryType.POINT]).all():
        raise TypeError(f"{name}: expected points, got other geometries")
    # GEOS raises for the coordinates of empty points.
    points = np.where(shapely.is_empty(points), None, points)
    return np.stack([shapely.get_x(points), shapely.get_y(points)], axis=-1)


def _refuse_series(name: str, values: Any) -> None:
    # A series of two labels would be taken for one vector.
    if isinstance(values, pd.Series):
        raise TypeError(
            f"{name}: expected an array of shape (2,) or (N, 2), or a DataFrame of two columns, "
            "got a Series"
        )


def _refuse_different_crs(one: Any, other: Any, name: str, other_name: str) -> None:
    if one.crs is not None and other.crs is not None and one.crs != other.crs:
        raise ValueError(
            f"{name} has the CRS {one.crs} and {other_name} the CRS {other.crs}; bring them into "
            "one with to_crs()"
        )


def _geometry(rows: Any) -> Any:
    """The rows as a GeoSeries if they have an index and contain geometries, else unchanged."""
    if isinstance(rows, geopandas.GeoDataFrame):
        return rows.geometry
    if isinstance(rows, pd.Series) and not isinstance(rows, geopandas.GeoSeries):
        try:
            return geopandas.GeoSeries(rows)
        except TypeError:
            return rows
    return rows


def _labels(function: Any, a: Any, b: Any, keywords: dict[str, Any]) -> pd.DataFrame:
    a, b = _geometry(a), _geometry(b)
    for name, rows in (("a", a), ("b", b)):
        if not (isinstance(rows, geopandas.GeoSeries) or (name == "b" and rows is None)):
            found = type(rows).__name__
            raise TypeError(f"{name}: expected a GeoSeries or a GeoDataFrame, got {found}")
    for name, rows in (("velocity_a", a), ("velocity_b", b)):
        given = keywords.get(name)
        _refuse_series(name, given)
        if isinstance(given, pd.DataFrame) and rows is not None:
            keywords = {**keywords, name: _of_rows(name, given, rows.index)}
    i, j = function(a, b, **keywords)
    return pd.DataFrame({"a": a.index[i], "b": (a if b is None else b).index[j]})


def _of_rows(name: str, values: pd.DataFrame, index: pd.Index) -> Any:
    """The numbers of each row, by label."""
    if values.index.equals(index):
        return _numbers(values)
    return _numbers(values)[_positions(name, values.index, index)]

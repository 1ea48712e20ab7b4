"""Pairs of rows by label."""

from __future__ import annotations

from typing import Any

import pandas as pd

import carom
from carom.interop.geopandas.columns import both_indexed, not_indexed
from carom.interop.geopandas.motion import Motion

_MOTION = ("velocity_a", "velocity_b", "turn_a", "center_a", "turn_b", "center_b", "margin")


def candidate_pairs(a: Any, b: Any = None, **keywords: Any) -> pd.DataFrame:
    """Pairs of rows whose bounding boxes meet, by their index labels.

    Parameters
    ----------
    a : GeoSeries or GeoDataFrame
        Shapes.
    b : GeoSeries or GeoDataFrame, optional
        Other shapes. By default the rows of `a` are paired with each other, each pair once.
    **keywords
        Passed to `carom.candidate_pairs`. A velocity may also be the names of two columns, a margin
        or a turn that of one, and a center that of a column of points; data frames and series are
        aligned by label, arrays by position.

    Returns
    -------
    pandas.DataFrame
        The labels of each pair in the columns ``a`` and ``b``; ``pairs=`` of `intersects`, `sat`,
        `distance` and `swept_collision` takes it.

    Raises
    ------
    ValueError
        If a shape is not valid, the CRS differ, or a row has no velocity.
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
    return _by_label(carom.candidate_pairs, a, b, keywords)


def colliding_pairs(a: Any, b: Any = None, **keywords: Any) -> pd.DataFrame:
    """Pairs of rows that intersect, or come within a margin, by their index labels.

    Parameters
    ----------
    a : GeoSeries or GeoDataFrame
        Shapes.
    b : GeoSeries or GeoDataFrame, optional
        Other shapes. By default the rows of `a` are paired with each other, each pair once.
    **keywords
        Passed to `carom.colliding_pairs`. A velocity may also be the names of two columns, a margin
        or a turn that of one, and a center that of a column of points; data frames and series are
        aligned by label, arrays by position.

    Returns
    -------
    pandas.DataFrame
        The labels of each pair in the columns ``a`` and ``b``; ``pairs=`` of `intersects`, `sat`,
        `distance` and `swept_collision` takes it.

    Raises
    ------
    ValueError
        If a shape is not valid, the CRS differ, or a row has no velocity.
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
    return _by_label(carom.colliding_pairs, a, b, keywords)


def _by_label(function: Any, a: Any, b: Any, keywords: dict[str, Any]) -> pd.DataFrame:
    left, right = both_indexed(a, b, ("a", "b"))
    if left is None:
        raise TypeError(not_indexed("a", a))
    if right is None and b is not None:
        raise TypeError(not_indexed("b", b))
    motion = Motion(left, right, {name: keywords.pop(name, None) for name in _MOTION})
    motion.warn_of_degrees(function.__name__)
    i, j = motion.pairs(function, **keywords)
    return pd.DataFrame({"a": left.index[i], "b": (left if right is None else right).index[j]})

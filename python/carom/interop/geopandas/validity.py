"""Validity of rows, and the reasons why rows are invalid."""

from __future__ import annotations

import pandas as pd

import carom
from carom._input_error import InputTypeError
from carom.interop.geopandas.column import (
    Column,
    is_missing,
    not_indexed,
    read_column,
    wkb_array,
)
from carom.interop.geopandas.types import Rows


def is_valid(rows: Rows | pd.Series, *, drop_z: bool = False) -> pd.Series:
    """Which rows are valid shapes; missing ones are neither valid nor invalid.

    Parameters
    ----------
    rows : GeoSeries, GeoDataFrame, or Series of WKB
        The rows.
    drop_z : bool, default False
        Whether Z and M are left out; otherwise rows that have them are invalid.

    Returns
    -------
    pandas.Series of boolean
        True or False; <NA> where the geometry is None or empty. In a selection <NA> counts as
        False, so ``rows[is_valid(rows)]`` are the rows that joins can find, and
        ``rows[~is_valid(rows)]`` those that they refuse.

    Raises
    ------
    TypeError
        If `rows` has no index, or holds neither geometries nor WKB.

    See Also
    --------
    invalid_reason : what is wrong.
    repair : makes invalid rows valid.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    >>> plots = geopandas.GeoSeries([shapely.box(0, 0, 1, 1), bow, None], ["p", "q", "r"])
    >>> cg.is_valid(plots)
    p     True
    q    False
    r     <NA>
    dtype: boolean
    """
    examined = _examined(rows, drop_z)
    valid = pd.Series(examined.shapes.is_valid, index=examined.index, dtype="boolean")
    return valid.mask(is_missing(examined.shapes) & examined.shapes.is_valid)


def invalid_reason(rows: Rows | pd.Series, *, drop_z: bool = False) -> pd.Series:
    """What is wrong with each row that is not a valid shape.

    Parameters
    ----------
    rows : GeoSeries, GeoDataFrame, or Series of WKB
        The rows.
    drop_z : bool, default False
        Whether Z and M are left out; otherwise rows that have them are invalid.

    Returns
    -------
    pandas.Series of object
        The reason, a string; None where the row is valid or missing. ``dropna()`` gives the
        invalid rows.

    Raises
    ------
    TypeError
        If `rows` has no index, or holds neither geometries nor WKB.

    See Also
    --------
    is_valid : tells valid, invalid and missing rows apart.
    repair : makes invalid rows valid.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    >>> plots = geopandas.GeoSeries([shapely.box(0, 0, 1, 1), bow, None], ["p", "q", "r"])
    >>> cg.invalid_reason(plots)["q"]
    'the ring meets itself: edge 0 and edge 2 have the point (1.0, 1.0) in common'
    >>> cg.invalid_reason(plots).isna().tolist()
    [True, False, True]
    """
    examined = _examined(rows, drop_z)
    return pd.Series(examined.shapes.invalid_reason, index=examined.index, dtype=object)


def _examined(rows: Rows | pd.Series, drop_z: bool) -> Column:
    wkb = wkb_array(rows)
    if wkb is not None:
        shapes = carom.Shapes.from_arrow(wkb, drop_z=drop_z, on_invalid="mask")
        return Column(rows, shapes)
    made = read_column(rows, "rows", drop_z=drop_z, on_invalid="mask")
    if made is None:
        raise InputTypeError(not_indexed("rows", rows), at="rows")
    return made

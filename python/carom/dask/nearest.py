"""The nearest rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import dask
import numpy as np
import pandas as pd

import carom
from carom.dask.concat_columns import gathered
from carom.dask.nearest_candidates import Candidates, chosen
from carom.dask.partitions import OF_DASK_NEAREST, Partitions, beside, collected
from carom.interop.geopandas.crs_checks import check_crs, warn_of_degrees
from carom.interop.geopandas.joins.frames import OF_LENGTH
from carom.interop.geopandas.unknown_keywords import hinting

if TYPE_CHECKING:
    from carom.dask.nearest_candidates import Known
    from carom.interop.geopandas.column import Column


_OF_JOIN = {
    **dict.fromkeys(("how", "fields", "distance_col"), "sjoin_nearest has it"),
    **OF_DASK_NEAREST,
}
"""What to use instead of other keywords."""


@hinting(carom.nearest, **OF_LENGTH, **_OF_JOIN)
def nearest(
    a: Any,
    b: Any,
    *,
    k: int = 1,
    max_distance: float = np.inf,
    drop_z: bool = False,
    geometry: str | None = None,
) -> Any:
    """The k nearest rows of `b` for each row of `a`, by their index labels.

    Parameters
    ----------
    a, b : Dask frame or series, or GeoDataFrame or GeoSeries
        Shapes, as in `colliding_pairs`.
    k : int, default 1
        How many neighbors each row has; fewer if `b` has fewer rows.
    max_distance : float, default inf
        The greatest distance of a neighbor, itself included, in the unit of the coordinates.
    drop_z : bool, default False
        Whether Z and M are left out; otherwise rows that have them are refused.
    geometry : str, optional
        The column of shapes in frames; by default the active one of dask-geopandas, or "geometry".

    Returns
    -------
    dask.dataframe.DataFrame
        The labels of each pair in the columns ``a`` and ``b``, and their ``distance``: ordered by
        the row of `a`, the nearest first, of equally near ones the first, as of one machine.

    Warns
    -----
    UserWarning
        If one argument alone has a CRS, or distances are in degrees.

    Raises
    ------
    ValueError
        If the CRS differ, a column is missing, `k` is less than 1, or `max_distance` is negative or
        NaN. When computed: if a shape is not valid; the message has the label of the row.
    TypeError
        If neither `a` nor `b` is Dask's, one is neither Dask's nor a GeoDataFrame or GeoSeries, or
        its column of geometries is text.

    See Also
    --------
    carom.nearest : the same of columns in memory.

    Notes
    -----
    The boxes of partitions tell which of them can contain neighbors. The nearest partition gives
    the nearest rows that it has, which are the neighbors of most rows of `a`. For rows to which the
    box of another partition is as near, that partition gives its nearest rows, too, and among all
    these the neighbors are chosen, by exact comparison.

    Examples
    --------
    >>> import carom.dask, dask_geopandas, geopandas, shapely
    >>> stops = geopandas.GeoSeries(shapely.points([[0, 1], [9, 3]]), index=["x", "y"])
    >>> roads = geopandas.GeoSeries([shapely.LineString([(0, 0), (9, 0)])], index=["A1"])
    >>> stops = dask_geopandas.from_geopandas(stops, npartitions=1)
    >>> roads = dask_geopandas.from_geopandas(roads, npartitions=1)
    >>> carom.dask.nearest(stops, roads).compute()
       a   b  distance
    0  x  A1       1.0
    1  y  A1       3.0
    """
    reading: dict[str, Any] = {"shapes_alone": True, "drop_z": drop_z}
    left = right = Partitions("a", beside(a, b), geometry, (), **reading)
    if b is not a:
        right = Partitions("b", beside(b, a), geometry, (), **reading)
    check_crs(left.meta.crs, right.meta.crs, ("a", "b"))
    warn_of_degrees("nearest", "distances are", left.meta.crs, right.meta.crs)
    # The function itself refuses a bad k or distance.
    nobody = carom.Shapes([])
    carom.nearest(nobody, nobody, k=k, max_distance=max_distance)
    meta = pd.DataFrame({"a": left.meta.index, "b": right.meta.index, "distance": np.empty(0)})
    found = Candidates(left, right, k, max_distance)
    task = dask.delayed(_nearest)
    tasks = [task(*parts, k, max_distance, right.meta) for parts in found]
    return collected(tasks, found.unused(), meta)


def _nearest(
    a: Column, near: list[Column], known: Known | None, k: int, max_distance: float, nobody: Any
) -> pd.DataFrame:
    b = gathered(near, nobody)
    (i, j), distance = chosen(a, b, near, known, k, max_distance)
    return pd.DataFrame({"a": a.index[i], "b": b.index[j], "distance": distance})

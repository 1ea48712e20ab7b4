"""Pairs of rows that meet, by label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

import carom
from carom._input_error import InputValueError
from carom.dask.partition_pairs import PartitionPairs, some_rows
from carom.dask.partitions import OF_DASK, Partitions, beside
from carom.interop.geopandas.joins.motion import Motion, named, with_own_motion
from carom.interop.geopandas.pairs import label_frame
from carom.interop.geopandas.row_values import names_in
from carom.interop.geopandas.unknown_keywords import hinting

if TYPE_CHECKING:
    from carom.interop.geopandas import Column

_OF_SJOIN = dict.fromkeys(
    ("turn_a", "center_a", "turn_b", "center_b", "fields", "predicate"), "sjoin has it"
)
_OF_INVALID = {"on_invalid": "is_valid of carom.interop.geopandas tells which rows to leave out"}
"""What to use instead of other keywords."""


@hinting(carom.colliding_pairs, **_OF_SJOIN, **_OF_INVALID, **OF_DASK)
def colliding_pairs(
    a: Any,
    b: Any = None,
    *,
    velocity_a: Any = None,
    velocity_b: Any = None,
    margin: float | str = 0.0,
    drop_z: bool = False,
    geometry: str | None = None,
    chunk_pairs: int | None = None,
) -> Any:
    """Pairs of rows that intersect, or come within a margin of each other, by their index labels.

    Parameters
    ----------
    a : Dask frame or series
        Shapes: a frame or a series of dask-geopandas, or a Dask frame with a column of Shapely
        objects, WKB or native GeoArrow, as ``dask.dataframe.read_parquet`` gives it. Beside one of
        Dask, the other argument may be a GeoDataFrame or GeoSeries in memory, as one partition.
    b : Dask frame or series, optional
        Other shapes. By default the rows of `a` are paired with each other, each pair once.
    velocity_a, velocity_b : two column names or (2,) array_like, optional
        How far the rows move in the unit time, in the unit of the coordinates; at rest by default.
    margin : float or str, default 0.0
        The distance within which rows are paired, itself included. With 0, shapes that touch are.
        Of two arguments also the name of a column of `a`.
    drop_z : bool, default False
        Whether Z and M are left out; otherwise rows that have them are refused.
    geometry : str, optional
        The column of shapes in frames; by default the active one of dask-geopandas, or "geometry".
    chunk_pairs : int, optional
        Divides the result of two partitions: a partition of the result has at most `chunk_pairs`
        pairs, plus those of one row of `a`. The call finds the pairs once to count them; call and
        join together take about three times as long. By default each pair of partitions gives one
        partition, however many pairs it has.

    Returns
    -------
    dask.dataframe.DataFrame
        The labels of each pair in the columns ``a`` and ``b``; of a join with itself, ``a`` is the
        earlier row. The pairs are those that one machine finds, each once, in another order.

    Warns
    -----
    UserWarning
        If one argument alone has a CRS; if a margin or a velocity is in degrees; if most pairs of
        partitions have to be joined.

    Raises
    ------
    ValueError
        If the CRS differ, the margin is negative or not finite, a column is missing, a velocity is
        not two finite numbers, `velocity_b` comes without `b`, or `chunk_pairs` is less than 1.
        When computed: if a shape or a velocity is not valid; the message has the label of the row.
    TypeError
        If neither `a` nor `b` is Dask's, one is neither Dask's nor a GeoDataFrame or GeoSeries, or
        its column of geometries is text.

    See Also
    --------
    sjoin : the attributes of both rows, too.
    carom.interop.geopandas.colliding_pairs : the same of frames in memory.

    Notes
    -----
    A task needs memory for two partitions and the pairs between their rows. `chunk_pairs` bounds
    the latter where a few rows meet thousands of others.

    Examples
    --------
    >>> import carom.dask, dask_geopandas, geopandas, shapely
    >>> plots = geopandas.GeoSeries([shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)], list("pqr"))
    >>> rows = dask_geopandas.from_geopandas(plots, npartitions=2)
    >>> carom.dask.colliding_pairs(rows, margin=1.0).compute()
       a  b
    0  p  q
    0  q  r
    """
    if b is None and velocity_b is not None:
        raise InputValueError("given without b", at="velocity_b")
    if b is None and isinstance(margin, str):
        raise InputValueError(
            "expected one number, as rows are joined with themselves", at="margin"
        )
    names = [*names_in(velocity_a), *names_in(margin)]
    # The columns of a frame that is joined with itself, in other motion, are made once.
    names += names_in(velocity_b) if b is a else []
    reading: dict[str, Any] = {"shapes_alone": True, "drop_z": drop_z}
    left = Partitions("a", beside(a, b), geometry, names, **reading)
    right = left if b is a else b
    if b is not None and b is not a:
        others = beside(b, a)
        right = Partitions("b", others, geometry, names_in(velocity_b), **reading)
    motion = {"velocity_a": velocity_a, "velocity_b": velocity_b, "margin": margin}
    join = PartitionPairs("colliding_pairs", left, right, motion, chunk_pairs)
    labels = left.meta.index, (left if right is None else right).meta.index
    meta = pd.DataFrame({"a": labels[0], "b": labels[1]})
    return join.frame(_pairs_of_labels, meta)


def _pairs_of_labels(
    a: Column, b: Column | None, motion: dict[str, Any], rows: slice, names: dict[str, str]
) -> pd.DataFrame:
    with named(**names):
        i, j = Motion(some_rows(a, rows), b, motion).pairs(carom.colliding_pairs, threads=1)
    found = label_frame(i, j, a.index[rows], a.index[rows] if b is None else b.index)
    if b is not None:
        return found
    if rows.stop is None or rows.stop == len(a):
        return found
    # Pairs of the rows with later ones.
    motion = with_own_motion(motion)
    later = slice(rows.stop, None)
    return pd.concat([found, _pairs_of_labels(a, some_rows(a, later), motion, rows, names)])

"""Joins with the attributes of both rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import dask
import numpy as np
import pandas as pd

import carom
from carom._input_error import InputTypeError
from carom.dask.concat_columns import gathered
from carom.dask.dtypes import like, with_missing
from carom.dask.nearest_candidates import Candidates, chosen
from carom.dask.partition_pairs import PartitionPairs, some_rows
from carom.dask.partitions import (
    OF_DASK,
    OF_DASK_NEAREST,
    Partitions,
    beside,
    collected,
    has_geometry,
    in_partition,
    with_geometry,
)
from carom.dask.worker_memory import release
from carom.interop.geopandas.column import Column, indexed
from carom.interop.geopandas.joins import frames
from carom.interop.geopandas.joins.fields import asked_fields, field_names
from carom.interop.geopandas.joins.join import MEETING, Join, margin_of, refuse_rows
from carom.interop.geopandas.joins.motion import named
from carom.interop.geopandas.unknown_keywords import hinting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@hinting(
    carom.colliding_pairs,
    op="it is called predicate",
    self_pairs="colliding_pairs of one frame has each pair once",
    **frames.OF_SIDES,
    **frames.OF_NEAREST,
    **OF_DASK,
)
def sjoin(
    left: Any,
    right: Any,
    how: str = "inner",
    predicate: str = "intersects",
    lsuffix: str = "left",
    rsuffix: str = "right",
    distance: Any = None,
    on_attribute: Any = None,
    *,
    margin: Any = 0.0,
    velocity_a: Any = None,
    velocity_b: Any = None,
    turn_a: Any = None,
    center_a: Any = None,
    turn_b: Any = None,
    center_b: Any = None,
    fields: Sequence[str] = (),
    distance_col: str | None = None,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
    geometry: str | None = None,
    chunk_pairs: int | None = None,
) -> Any:
    """Rows of two frames whose shapes meet, with the attributes of both.

    Parameters
    ----------
    left, right : Dask frame or GeoDataFrame
        The frames, as in `colliding_pairs`.
    how : {"inner", "left", "right"}, default "inner"
        "left" and "right" keep rows of this frame that meet no other.
    predicate, lsuffix, rsuffix, distance, on_attribute
        As in `carom.interop.geopandas.sjoin`.
    margin, velocity_a, velocity_b, turn_a, center_a, turn_b, center_b
        As there, by the names of columns or one value for all rows.
    fields, distance_col, on_invalid
        As there.
    drop_z : bool, default False
        Whether Z and M are left out; otherwise rows that have them are refused. Geometries in the
        result keep them, but those of native GeoArrow.
    geometry : str, optional
        The column of shapes in frames; by default the active one of dask-geopandas, or "geometry".
    chunk_pairs : int, optional
        As in `colliding_pairs`: a partition of the result has at most `chunk_pairs` pairs, plus
        those of one row of `left`.

    Returns
    -------
    dask_geopandas.GeoDataFrame
        The rows that `carom.interop.geopandas.sjoin` returns, in another order. Columns that can
        have missing values have the dtype that holds these, whether there are any or not.

    Warns
    -----
    UserWarning
        If one frame alone has a CRS; if a margin or a velocity is in degrees; if most pairs of
        partitions have to be joined.

    Raises
    ------
    ValueError
        If an argument has a value that it can't have, the CRS differ, or a column is missing. When
        computed: if a shape, a velocity or a turn is not valid; the message has the label.
    TypeError
        If neither argument is Dask's, one is neither Dask's nor a GeoDataFrame, or its column of
        geometries is text.

    See Also
    --------
    colliding_pairs : the labels alone.

    Examples
    --------
    >>> import carom.dask, dask_geopandas, geopandas, shapely
    >>> parcels = geopandas.GeoDataFrame(
    ...     {"owner": ["Ann", "Bo"]}, geometry=[shapely.box(0, 0, 2, 2), shapely.box(6, 0, 8, 2)]
    ... )
    >>> zones = geopandas.GeoDataFrame({"zone": ["A"]}, geometry=[shapely.box(9, 0, 10, 2)])
    >>> parcels = dask_geopandas.from_geopandas(parcels, npartitions=1)
    >>> zones = dask_geopandas.from_geopandas(zones, npartitions=1)
    >>> found = carom.dask.sjoin(parcels, zones, velocity_b=(-2.0, 0.0), fields=("time",))
    >>> found[["owner", "zone", "time"]].compute()
      owner zone  time
    1    Bo    A   0.5
    """
    length = margin_of(predicate, distance, margin, how)
    motion = {"velocity_a": velocity_a, "velocity_b": velocity_b, "turn_a": turn_a}
    motion |= {"center_a": center_a, "turn_b": turn_b, "center_b": center_b}
    motion["margin" if distance is None else "distance"] = length
    one, other = _frames(left, right, geometry, on_invalid=on_invalid, drop_z=drop_z)
    if predicate not in MEETING:
        # One machine refuses rows that the predicate doesn't take, near other rows or not.
        refused = dask.delayed(_refused)
        for side in dict.fromkeys((one, other)):
            names = [in_partition(side.name, place) for place in side.places]
            columns = zip(names, side.columns, strict=True)
            side.columns = [refused(predicate, *named) for named in columns]
    met = PartitionPairs("sjoin", one, other, motion, chunk_pairs)
    wanted, suffixes = asked_fields(fields, distance_col), (lsuffix, rsuffix)
    join = Join(how, predicate, motion, wanted, on_attribute, suffixes, distance_col)
    meta, numbers = _meta(join, (one, other))
    # Sent to each worker once.
    shared = dask.delayed((join, (one.meta, other.meta), numbers, meta), traverse=False)
    operands = zip(met.pairs, met.operands(), met.pieces, strict=True)
    if how == "inner":
        inner = dask.delayed(_inner)
        tasks = [
            inner(a, b, shared, part, met.names(*places))
            for places, (a, b, _), parts in operands
            for part in parts
        ]
        return collected(tasks, met.unused(), meta)
    kept = int(how == "right")
    piece, table = dask.delayed(_piece), dask.delayed(_table)
    known, alone = dask.delayed(_known), dask.delayed(_alone)
    tasks = []
    rows: list[list[Any]] = [[] for _ in (one, other)[kept].columns]
    for places, (a, b, _), parts in operands:
        near = met.rows_near(kept, *places)
        for part in parts:
            found = piece(a, b, shared, part, met.names(*places))
            tasks.append(table(found, shared))
            rows[places[kept]].append(known(near, found, kept))
    for column, met_rows in zip((one, other)[kept].columns, rows, strict=True):
        tasks.append(alone(column, met_rows, shared))
    return collected(tasks, met.unused(), meta)


@hinting(carom.nearest, **frames.OF_SIDES, **frames.OF_JOIN, **frames.OF_LENGTH, **OF_DASK_NEAREST)
def sjoin_nearest(
    left: Any,
    right: Any,
    how: str = "inner",
    max_distance: float | None = None,
    lsuffix: str = "left",
    rsuffix: str = "right",
    distance_col: str | None = None,
    *,
    k: int = 1,
    fields: Sequence[str] = (),
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
    geometry: str | None = None,
) -> Any:
    """The nearest rows of another frame, with the attributes of both.

    Parameters
    ----------
    left, right : Dask frame or GeoDataFrame
        The frames, as in `colliding_pairs`.
    how, max_distance, lsuffix, rsuffix, distance_col, k, fields, on_invalid
        As in `carom.interop.geopandas.sjoin_nearest`: of equally near rows all are in the result.
    drop_z : bool, default False
        As in `sjoin`.
    geometry : str, optional
        The column of shapes in frames; by default the active one of dask-geopandas, or "geometry".

    Returns
    -------
    dask_geopandas.GeoDataFrame
        The rows that `carom.interop.geopandas.sjoin_nearest` returns. Where rows without a neighbor
        are kept, columns of the other frame have a dtype that may be missing.

    Warns
    -----
    UserWarning
        If one frame alone has a CRS, or distances are in degrees.

    Raises
    ------
    ValueError
        If an argument has a value that it can't have, the CRS differ, or a column is missing. When
        computed: if a shape is not valid; the message has the label.
    TypeError
        If neither argument is Dask's, one is neither Dask's nor a GeoDataFrame, or its column of
        geometries is text.

    See Also
    --------
    nearest : the labels and the distances alone, k for each row.

    Examples
    --------
    >>> import carom.dask, dask_geopandas, geopandas, shapely
    >>> stops = geopandas.GeoDataFrame({"stop": ["x"]}, geometry=[shapely.Point(9, 3)])
    >>> roads = geopandas.GeoDataFrame({"road": ["A1", "B2"]}, geometry=[
    ...     shapely.LineString([(0, 0), (9, 0)]), shapely.LineString([(0, 2), (5, 2)])])
    >>> stops = dask_geopandas.from_geopandas(stops, npartitions=1)
    >>> roads = dask_geopandas.from_geopandas(roads, npartitions=1)
    >>> found = carom.dask.sjoin_nearest(stops, roads, distance_col="metres")
    >>> found[["stop", "road", "metres"]].compute()
      stop road  metres
    0    x   A1     3.0
    """
    options: dict[str, Any] = {
        "k": k,
        "max_distance": max_distance,
        "distance_col": distance_col,
        "how": how,
    }
    options |= {"fields": field_names(fields), "lsuffix": lsuffix, "rsuffix": rsuffix}
    sides = _frames(left, right, geometry, on_invalid=on_invalid, drop_z=drop_z)
    metas = [side.meta for side in sides]
    kept = int(how == "right")
    if how != "inner":
        metas[1 - kept] = with_missing(metas[1 - kept])
    meta = frames.sjoin_nearest(*metas, on_invalid=on_invalid, **options)
    most = np.inf if max_distance is None else max_distance
    found = Candidates(sides[kept], sides[1 - kept], k, most, all_equal=True)
    task = dask.delayed(_with_neighbors)
    del options["k"], options["max_distance"]
    shared = dask.delayed((metas, options, (k, most), meta), traverse=False)
    tasks = [task(*parts, shared) for parts in found]
    return collected(tasks, found.unused(), meta)


def _frames(
    left: Any, right: Any, geometry: str | None, **reading: Any
) -> tuple[Partitions, Partitions]:
    is_one = right is left
    left, right = beside(left, right), beside(right, left)
    one = Partitions("left", left, geometry, **reading)
    # The columns of a frame that is joined with itself are made once.
    other = one
    if not is_one:
        other = Partitions("right", right, geometry, **reading)
    for side in (one, other):
        if side.geometry is None:
            raise InputTypeError(
                f"expected a frame, got a series; {side.name}.to_frame() makes one", at=side.name
            )
    return one, other


def _meta(join: Join, sides: tuple[Partitions, Partitions]) -> tuple[Any, pd.DataFrame]:
    """No rows, with the columns of the result, and the fields among them."""
    a, b = (indexed(side.meta, side.name, on_invalid=side.on_invalid) for side in sides)
    assert a is not None and b is not None  # for the type checker
    pairs, numbers = join.pairs(a, b, threads=1)
    left, right = a.rows, b.rows
    if join.how == "left":
        right, numbers = with_missing(right), with_missing(numbers)
    elif join.how == "right":
        left, numbers = with_missing(left), with_missing(numbers)
    return join.table(left, right, pairs, numbers), numbers


class _Piece(NamedTuple):
    """What two partitions have in common: less than the joined rows, which repeat both sides."""

    rows: list[Any]
    """The rows of each side that meet others; geometries that files have are WKB yet."""
    places: list[NDArray[np.int64]]
    """Where these are, among those that were joined."""
    pairs: NDArray[np.int64]
    """The pairs of them."""
    numbers: pd.DataFrame
    """The fields of each pair."""


def _refused(predicate: str, name: str, column: Column) -> Column:
    """The column, after an error for a row that the predicate doesn't take."""
    refuse_rows(predicate, name, column)
    return column


def _inner(a: Column, b: Column, shared: Any, part: slice, names: dict[str, str]) -> Any:
    """The joined rows of two partitions, of the first only a part."""
    join, metas, _, meta = shared
    if not all(has_geometry(*it) for it in zip((a.rows, b.rows), metas, strict=True)):
        # Only of rows that meet others geometries are made of WKB.
        return _table(_piece(a, b, shared, part, names), shared)
    a = some_rows(a, part)
    with named(**names):
        pairs, numbers = join.pairs(a, b, threads=1)
    release()
    if pairs.shape[1] == 0:
        return meta
    return like(join.table(a.rows, b.rows, pairs, numbers), meta)


def _piece(a: Column, b: Column, shared: Any, part: slice, names: dict[str, str]) -> _Piece:
    """The rows of two partitions that meet, of the first only a part."""
    join = shared[0]
    release()
    with named(**names):
        pairs, numbers = join.pairs(some_rows(a, part), b, threads=1)
    pairs[0] += part.start or 0
    places: list[NDArray[np.int64]] = []
    for side in (0, 1):
        known, pairs[side] = np.unique(pairs[side], return_inverse=True)
        places.append(known)
    rows = [side.rows.iloc[known] for side, known in zip((a, b), places, strict=True)]
    return _Piece(rows, places, pairs, numbers)


def _table(piece: _Piece, shared: Any) -> Any:
    """The joined rows of two partitions."""
    join, metas, _, meta = shared
    left, right = _with_geometries(piece.rows, metas, int(join.how == "right"))
    release()
    return like(join.table(left, right, piece.pairs, piece.numbers), meta)


def _known(near: NDArray[np.intp], piece: _Piece, side: int) -> Any:
    """Which rows of a partition meet some of another, given the rows that were joined."""
    return near[piece.places[side]]


def _alone(column: Column, met: list[Any], shared: Any) -> Any:
    """The rows of the kept side that meet no other."""
    join, metas, numbers, meta = shared
    kept = int(join.how == "right")
    rest = np.setdiff1d(np.arange(len(column)), np.concatenate([np.empty(0, dtype=int), *met]))
    rows = list(metas)
    rows[kept] = column.rows.iloc[rest]
    left, right = _with_geometries(rows, metas, kept)
    release()
    return like(join.table(left, right, np.empty((2, 0), dtype=np.int64), numbers), meta)


def _with_neighbors(column: Column, near: list[Column], known: Any, shared: Any) -> Any:
    metas, options, limits, meta = shared
    kept = int(options["how"] == "right")
    other = gathered(near, metas[1 - kept])
    pairs, length = chosen(column, other, near, known, *limits, all_equal=True)
    sides = [other, column] if kept else [column, other]
    rows = _with_geometries([side.rows for side in sides], metas, kept)
    release()
    a, b = (Column(it, side.shapes) for it, side in zip(rows, sides, strict=True))
    return like(frames.nearest_joined(a, b, pairs, length, threads=1, **options), meta)


def _with_geometries(rows: Sequence[Any], metas: Sequence[Any], kept: int) -> list[Any]:
    """The rows of both sides with geometries; those of the other side are not in the result."""
    return [
        with_geometry(it, meta, empty=side != kept)
        for side, (it, meta) in enumerate(zip(rows, metas, strict=True))
    ]

"""The nearest rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import dask
import numpy as np
import pandas as pd
from dask.dataframe.dispatch import concat

import carom
from carom.dask.partitions import OF_DASK_NEAREST, Partitions, collected, others
from carom.interop.geopandas.column import Column
from carom.interop.geopandas.crs_checks import check_crs, warn_of_degrees
from carom.interop.geopandas.joins import OF_LENGTH
from carom.interop.geopandas.nearest_ties import all_nearest
from carom.interop.geopandas.unknown_keywords import hinting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from carom.dask.moving_boxes import Extent


_OF_JOIN = {
    **dict.fromkeys(("how", "fields", "distance_col"), "sjoin_nearest has it"),
    **OF_DASK_NEAREST,
}
"""What to use instead of other keywords."""


@hinting(carom.nearest, **OF_LENGTH, **_OF_JOIN)
def nearest(
    a: Any, b: Any, *, k: int = 1, max_distance: float = np.inf, geometry: str | None = None
) -> Any:
    """The k nearest rows of `b` for each row of `a`, by their index labels.

    Parameters
    ----------
    a, b : Dask frame or series
        Shapes, as in `colliding_pairs`.
    k : int, default 1
        How many neighbors each row has; fewer if `b` has fewer rows.
    max_distance : float, default inf
        The greatest distance of a neighbor, itself included, in the unit of the coordinates.
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
        If `a` or `b` is not Dask's, or its column of geometries is text.

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
    left = right = Partitions("a", a, geometry, (), shapes_alone=True)
    if b is not a:
        right = Partitions("b", b, geometry, (), shapes_alone=True)
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


class Candidates:
    """The rows that can be neighbors of those in each partition of another argument."""

    def __init__(
        self,
        left: Partitions,
        right: Partitions,
        k: int,
        max_distance: float,
        *,
        all_equal: bool = False,
    ) -> None:
        self.left, self.right = left, right
        self.k, self.all_equal = k, all_equal
        self.extents = right.extents({})
        extents = self.extents if left is right else left.extents({})
        self.reached = _reached(extents, self.extents, k, max_distance)

    def __iter__(self) -> Iterator[tuple[Any, list[Any], Any]]:
        """The column of each partition, the rows near it, and the neighbors known before."""
        first, choose = dask.delayed(_first_neighbors, nout=3), dask.delayed(_candidates)
        columns, boxes = self.right.columns, [it.box for it in self.extents]
        options = self.k, self.all_equal
        for column, (places, limit) in zip(self.left.columns, self.reached, strict=True):
            near: list[Any] = []
            known: Any = None
            if places:
                nearest, *rest = places
                place, others = sorted(places).index(nearest), [boxes[q] for q in rest]
                found = first(column, columns[nearest], place, others, limit, *options)
                rows, known, unsettled = found
                of = {q: choose(unsettled, columns[q], boxes[q], *options) for q in rest}
                of[nearest] = rows
                # Of equally near rows the first is chosen.
                near = [of[q] for q in sorted(of)]
            yield column, near, known

    def unused(self) -> list[Any]:
        """The columns of partitions in which nothing is near."""
        return others(self.right.columns, {q for reached in self.reached for q in reached.places})


def gathered(columns: list[Column], nobody: Any) -> Column:
    """The rows of all columns in one, which is empty as `nobody` if there are none."""
    if not columns:
        return Column(nobody, carom.Shapes([]))
    columns = [column for column in columns if len(column) > 0] or columns[:1]
    # Dask's concat keeps the dtype of columns whose categories differ.
    rows = concat([column.rows for column in columns])  # type: ignore[no-untyped-call]
    return Column(rows, concatenated([column.shapes for column in columns]))


def concatenated(parts: list[carom.Shapes]) -> carom.Shapes:
    """The rows of several columns in one, not validated again."""
    if len(parts) == 1:
        return parts[0]
    states = [part.__reduce__()[1] for part in parts]
    coords, rings, polygons, shapes, attributes, faults = zip(*states, strict=True)
    starts = np.cumsum([0, *map(len, parts)])
    own: Any = None
    if any(it is not None for it in attributes):
        own = (
            np.concatenate([part.kind for part in parts]),
            np.concatenate([np.nan_to_num(part.radius) for part in parts]),
        )
    nested: Any = None
    if any(it is not None for it in shapes):
        nested = _chained(
            [
                np.arange(len(part) + 1) if it is None else it
                for it, part in zip(shapes, parts, strict=True)
            ]
        )
    found = [
        (int(start) + row, why)
        for start, of in zip(starts, faults, strict=False)
        for row, why in of
    ]
    make: Any = parts[0].__reduce__()[0]
    made: carom.Shapes = make(
        np.concatenate(coords), _chained(rings), _chained(polygons), nested, own, found
    )
    return made


def _chained(offsets: Any) -> NDArray[np.int64]:
    """The offsets of pieces as those of the whole."""
    starts = np.cumsum([0, *(it[-1] for it in offsets)])
    ends = [np.asarray(it)[1:] + start for it, start in zip(offsets, starts, strict=False)]
    return np.concatenate([np.zeros(1, dtype=np.int64), *ends])


class _Reached(NamedTuple):
    """The partitions that can contain neighbors of the rows of another."""

    places: list[int]
    """Their numbers; the first is the one whose rows are nearest at the most."""
    limit: float
    """How far neighbors can be."""


def _reached(one: list[Extent], other: list[Extent], k: int, max_distance: float) -> list[_Reached]:
    """The partitions that can contain neighbors of rows in each."""
    boxes = np.array([extent.box for extent in other]).reshape(-1, 4).T
    counts = np.array([extent.count for extent in other])
    found: list[_Reached] = []
    for extent in one:
        least, most = _least(extent.box, boxes), _most(extent.box, boxes)
        order = np.argsort(most)
        # So many partitions have k rows, none of them farther than the last of these partitions.
        enough = int(np.searchsorted(np.cumsum(counts[order]), k))
        limit = min(max_distance, most[order[enough]] if enough < len(order) else np.inf)
        found.append(_Reached(order[least[order] <= limit].tolist(), float(limit)))
    return found


def _least(box: NDArray[np.float64], boxes: NDArray[np.float64]) -> Any:
    """The least distance of points in a box and in others, given as columns, rounded down."""
    with np.errstate(over="ignore"):
        gaps = (
            np.fmax(boxes[axis] - box[axis + 2], box[axis] - boxes[axis + 2]) for axis in (0, 1)
        )
        least = np.hypot(*(np.maximum(gap, 0.0, out=gap) for gap in gaps))
    # The least numbers have no digits for a factor.
    return np.nextafter(least * (1.0 - 1e-12), -np.inf)


def _most(box: NDArray[np.float64], boxes: NDArray[np.float64]) -> Any:
    """The greatest distance of points in a box and in others, given as columns, rounded up."""
    with np.errstate(over="ignore"):
        most = np.hypot(
            *(np.fmax(boxes[axis + 2] - box[axis], box[axis + 2] - boxes[axis]) for axis in (0, 1))
        )
    return np.nextafter(most * (1.0 + 1e-12), np.inf)


class _Unsettled(NamedTuple):
    """The rows of a partition that can have neighbors in other partitions than the nearest."""

    shapes: carom.Shapes
    bounds: NDArray[np.float64]
    """How far a neighbor of each can be, whichever partition has it."""


class _Known(NamedTuple):
    """The neighbors that the nearest partition has of the other rows."""

    unsettled: NDArray[np.intp]
    """The numbers of the rows that can have others."""
    place: int
    """Where the rows near this partition are among those of all partitions."""
    pairs: NDArray[np.int64]
    """Each row and the number of its neighbor among these."""
    distance: NDArray[np.float64]


def _first_neighbors(
    a: Column, b: Column, place: int, others: list[Any], limit: float, k: int, all_equal: bool
) -> tuple[Column, _Known, _Unsettled]:
    """The nearest rows of one partition, and which rows no other box is as near to."""
    (i, j), distance = _find(all_equal)(a.shapes, b.shapes, k=k, max_distance=limit, threads=1)
    farthest = np.zeros(len(a))
    np.maximum.at(farthest, i, distance)
    # Distances are within 1e-10 of what they are, but for the least numbers.
    farthest = np.nextafter(farthest * (1.0 + 1e-9), np.inf)
    has_all = np.bincount(i, minlength=len(a)) >= k
    bounds = np.where(has_all, np.minimum(limit, farthest), limit)
    boxes = np.ascontiguousarray(a.shapes.bounds.T)
    is_settled = np.ones(len(a), dtype=bool)
    for box in others:
        is_settled &= ~(_least(box, boxes) <= bounds)
    unsettled, settled = np.flatnonzero(~is_settled), is_settled[i]
    rows, j = np.unique(j, return_inverse=True)
    known = _Known(unsettled, place, np.stack([i, j])[:, settled], distance[settled])
    return _rows(b, rows), known, _Unsettled(a.shapes[unsettled], bounds[unsettled])


def _candidates(a: _Unsettled, b: Column, box: Any, k: int, all_equal: bool) -> Column:
    """The nearest rows of another partition, for the rows that can have neighbors in its box."""
    near = np.flatnonzero(_least(box, a.shapes.bounds.T) <= a.bounds)
    if len(near) == 0:
        return Column(b.rows.iloc[:0], b.shapes[:0])
    most = float(a.bounds[near].max())
    (_, j), _ = _find(all_equal)(a.shapes[near], b.shapes, k=k, max_distance=most, threads=1)
    return _rows(b, np.unique(j))


def chosen(
    a: Column,
    b: Column,
    near: list[Column],
    known: _Known | None,
    k: int,
    most: float,
    *,
    all_equal: bool = False,
) -> tuple[Any, NDArray[np.float64]]:
    """The neighbors among the rows of `b`, those near, and their distances."""
    find = _find(all_equal)
    if known is None:
        pairs, distance = find(a.shapes, b.shapes, k=k, max_distance=most, threads=1)
        return pairs, distance
    rows = known.unsettled
    (i, j), distance = find(a.shapes[rows], b.shapes, k=k, max_distance=most, threads=1)
    before = sum(len(column) for column in near[: known.place])
    pairs = np.hstack([known.pairs + np.array([[0], [before]]), [rows[i], j]])
    order = np.argsort(pairs[0], kind="stable")
    return pairs[:, order], np.concatenate([known.distance, distance])[order]


def _find(all_equal: bool) -> Any:
    return all_nearest if all_equal else carom.nearest


def _rows(b: Column, rows: NDArray[np.int64]) -> Column:
    return Column(b.rows.iloc[rows], b.shapes[rows])


def _nearest(
    a: Column, near: list[Column], known: _Known | None, k: int, max_distance: float, nobody: Any
) -> pd.DataFrame:
    b = gathered(near, nobody)
    (i, j), distance = chosen(a, b, near, known, k, max_distance)
    return pd.DataFrame({"a": a.index[i], "b": b.index[j], "distance": distance})

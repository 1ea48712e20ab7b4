"""The rows of partitions that can be neighbors of those in others, and the choice among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import dask
import numpy as np

import carom
from carom.dask.partitions import others
from carom.interop.geopandas.column import Column
from carom.interop.geopandas.joins.nearest_ties import all_nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from carom.dask.moving_boxes import Extent
    from carom.dask.partitions import Partitions


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


class Known(NamedTuple):
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
) -> tuple[Column, Known, _Unsettled]:
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
    known = Known(unsettled, place, np.stack([i, j])[:, settled], distance[settled])
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
    known: Known | None,
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

"""The nearest rows of a column, with all that are equally near."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import shapely

import carom
from carom._core import _nearest_with_ties  # pyright: ignore[reportPrivateUsage]
from carom.interop.shapely import geometries

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from carom._progress import Told

    _Found = tuple[Any, Any]
    """Pairs, and their distances."""

_PIECES = 20
"""How many times progress is told."""


def all_nearest(
    a: carom.Shapes,
    b: carom.Shapes,
    k: int,
    max_distance: float,
    threads: int | None,
    *,
    exclusive: bool = False,
    progress: Told | None = None,
) -> tuple[Any, Any]:
    """Pairs and distances of the k nearest rows, and of all that are as near as the k-th.

    With `exclusive`, rows that are equal to a row are none of its neighbors. `progress` is told how
    many rows have their neighbors.
    """
    carom.nearest(a[:0], b[:0], k=k, max_distance=max_distance, threads=threads)  # refuses bad ones
    # More than all rows are none; numbers above 2^63 would not fit.
    k = min(int(k), max(len(b), 1))

    def found(a: carom.Shapes, count: NDArray[np.integer]) -> _Found:
        pairs, length = _nearest_with_ties(a, b, count.astype(np.uintp), max_distance, threads)
        return pairs, length

    nearest = found if progress is None else partial(_in_pieces, found, progress)
    if not exclusive:
        return nearest(a, np.full(len(a), k))
    # Many rows with many equal ones would have to leave them out one by one.
    number, first = _distinct(a)
    distinct = a[first]
    i, j = _equal(distinct, b, threads)
    # Equal rows are at distance 0, so they are among the nearest: as many more are asked for.
    (rows, others), length = nearest(distinct, k + np.bincount(i, minlength=len(first)))
    kept = ~np.isin(rows * len(b) + others, i * len(b) + j)
    rows, others, length = rows[kept], others[kept], length[kept]
    starts = np.searchsorted(rows, np.arange(len(first) + 1))
    counts = np.diff(starts)[number]
    repeated = np.repeat(np.arange(len(a)), counts)
    items = np.repeat(starts[number], counts) + _place(repeated)
    return (repeated, others[items]), length[items]


def _in_pieces(
    nearest: Callable[[carom.Shapes, NDArray[np.integer]], _Found],
    progress: Told,
    a: carom.Shapes,
    count: NDArray[np.integer],
) -> _Found:
    """What `nearest` finds for the rows of `a`, piece by piece; each row has its own neighbors."""
    step = max(-(-len(a) // _PIECES), 1)
    pairs, lengths = [np.empty((2, 0), dtype=np.int64)], [np.empty(0)]
    for start in range(0, len(a), step):
        piece = slice(start, start + step)
        (i, j), length = nearest(a[piece], count[piece])
        pairs.append(np.stack([i + start, j]))
        lengths.append(length)
        progress(min(piece.stop, len(a)), len(a))
    return np.hstack(pairs), np.concatenate(lengths)


def _distinct(shapes: carom.Shapes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which of the distinct rows each row is, by coordinates, and the first row with each."""
    table = pd.DataFrame({"wkb": shapes.with_radius(0.0).to_wkb(), "radius": shapes.radius})
    number = table.groupby(["wkb", "radius"], sort=False, dropna=False).ngroup().to_numpy()
    return number, np.unique(number, return_index=True)[1]


def _equal(a: carom.Shapes, b: carom.Shapes, threads: int | None) -> NDArray[np.int64]:
    """The pairs of rows that are the same set of points and have the same radius."""
    sharp = a.with_radius(0.0), b.with_radius(0.0)
    refused = [_has_part_of_one_point(it) for it in sharp]
    if any(rows.any() for rows in refused):
        pairs = carom.candidate_pairs(*sharp, threads=threads)
        given: dict[str, Any] = {"pairs": pairs, "on_invalid": "mask", "threads": threads}
        equal = carom.predicate_batch(*sharp, "equals", **given)
        asked = refused[0][pairs[0]] | refused[1][pairs[1]]
        both = (geometries(it)[rows[asked]] for it, rows in zip(sharp, pairs, strict=True))
        equal[asked] = shapely.equals(*both)
        pairs = pairs[:, equal]
    else:
        pairs = carom.colliding_pairs(*sharp, predicate="equals", threads=threads)
    return pairs[:, a.radius[pairs[0]] == b.radius[pairs[1]]]


def _has_part_of_one_point(shapes: carom.Shapes) -> NDArray[np.bool_]:
    """Which rows are several paths one of which is a point: "equals" is not defined of these."""
    found: NDArray[np.bool_] = shapes.kind == carom.KINDS.index("multipath")
    if found.any():
        rows = shapes[np.flatnonzero(found)]
        paths, parts = rows.offsets
        starts = np.repeat(rows.coords[paths[:-1]], np.diff(paths), axis=0)
        differs = (rows.coords != starts).any(axis=1)
        is_path = np.logical_or.reduceat(differs, paths[:-1])
        found[found] = ~np.logical_and.reduceat(is_path, parts[:-1])
    return found


def _place(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each item among those of the same row, which follow each other."""
    return np.arange(len(rows)) - np.searchsorted(rows, rows)

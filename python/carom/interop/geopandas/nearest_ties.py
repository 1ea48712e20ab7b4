"""The nearest rows of a column, with all that are equally near."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import shapely

import carom
from carom.interop.shapely import wkb

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST = 1e-290


def all_nearest(
    a: carom.Shapes,
    b: carom.Shapes,
    k: int,
    max_distance: float,
    threads: int | None,
    *,
    exclusive: bool = False,
) -> tuple[Any, Any]:
    """Pairs and distances of the k nearest rows, and of all that are as near as the k-th.

    One neighbor more than k shows where the distances end the k nearest. Rounded distances that are
    nearly the same don't decide whether the exact ones are equal. But of equally near rows
    `nearest` returns the first, or the last if `b` is reversed. So if both orders find the same set
    of rows, no other row is as near as the farthest of them.

    With `exclusive`, rows that are equal to a row are none of its neighbors.
    """
    carom.nearest(a[:0], b[:0], k=k)  # raises if k is none
    if not exclusive:
        return _all_nearest(a, b, k, max_distance, threads, exclusive=False)
    # Many rows with many equal ones would have to leave them out one by one.
    number, first = _distinct(a)
    (i, j), length = _all_nearest(a[first], b, k, max_distance, threads, exclusive=True)
    starts = np.searchsorted(i, np.arange(len(first) + 1))
    counts = np.diff(starts)[number]
    rows = np.repeat(np.arange(len(a)), counts)
    items = np.repeat(starts[number], counts) + _place(rows)
    return (rows, j[items]), length[items]


def _distinct(shapes: carom.Shapes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which of the distinct rows each row is, by coordinates, and the first row with each."""
    table = pd.DataFrame({"wkb": wkb(shapes), "radius": shapes.radius})
    number = table.groupby(["wkb", "radius"], sort=False, dropna=False).ngroup().to_numpy()
    return number, np.unique(number, return_index=True)[1]


def _all_nearest(
    a: carom.Shapes,
    b: carom.Shapes,
    k: int,
    max_distance: float,
    threads: int | None,
    *,
    exclusive: bool,
) -> tuple[Any, Any]:
    keywords: dict[str, Any] = {"max_distance": max_distance, "threads": threads}
    # All rows that a row meets are equally near.
    i, j = carom.colliding_pairs(a, b, threads=threads)
    are_equal = equal(a, b, (i, j)) if exclusive else np.zeros(len(i), dtype=bool)
    excluded = np.unique(i[are_equal] * len(b) + j[are_equal])
    # So many of the rows nearest to each may be no neighbors: powers of 2, so that few differ.
    more = np.bincount(i[are_equal], minlength=len(a))
    more[more > 0] = 2 ** np.ceil(np.log2(more[more > 0])).astype(np.int64)
    i, j = i[~are_equal], j[~are_equal]

    def nearest(rows: NDArray[np.int64], b: carom.Shapes, count: int) -> tuple[Any, Any, Any]:
        found = []
        for number in {0, *more[rows].tolist()}:
            places = np.flatnonzero(more[rows] == number)
            (i, j), length = carom.nearest(a[rows[places]], b, k=count + number, **keywords)
            found.append((places[i], j, length))
        i, j, length = (np.concatenate(parts) for parts in zip(*found, strict=True))
        origin = j if b is not reverse else len(b) - 1 - j
        kept = ~np.isin(rows[i] * len(b) + origin, excluded)
        order = np.argsort(i[kept], kind="stable")
        return i[kept][order], origin[kept][order], length[kept][order]

    meets = np.bincount(i, minlength=len(a)) >= k
    pieces = [(i[meets[i]], j[meets[i]], np.zeros(meets[i].sum()))]
    rows = np.flatnonzero(~meets)
    reverse, most = b[::-1], 2 * k
    i, j, length = nearest(rows, b, k + 1)
    ends = _clear_ends(len(rows), i, length, k)
    while True:
        taken = _place(i) < ends[i]
        pieces.append((rows[i[taken]], j[taken], length[taken]))
        rows = rows[ends < 0]
        if len(rows) == 0:
            break
        i, j, length = nearest(rows, b, most)
        i_last, j_last, _ = nearest(rows, reverse, most)
        ends = _ends(len(rows), (i, j), (i_last, j_last), k)
        most *= 2
    i, j, length = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    order = np.argsort(i, kind="stable")
    return (i[order], j[order]), length[order]


def equal(a: carom.Shapes, b: carom.Shapes, pairs: Any) -> NDArray[np.bool_]:
    """Which pairs of rows are the same set of points, as Shapely's `equals` decides."""
    i, j = pairs
    found: NDArray[np.bool_] = (a.bounds[i] == b.bounds[j]).all(axis=1)
    found &= a.radius[i] == b.radius[j]
    some = np.flatnonzero(found)
    found[some] = shapely.equals(a.to_shapely()[i[some]], b.to_shapely()[j[some]])
    return found


def _clear_ends(count: int, i: Any, length: Any, k: int) -> NDArray[np.int64]:
    """Number of neighbors of each row where the distances of k + 1 rows decide it; else -1."""
    found = np.bincount(i, minlength=count)
    starts = np.searchsorted(i, np.arange(count))
    ends = np.where(found <= k, found, -1)
    more = np.flatnonzero(found > k)
    last, beyond = length[starts[more] + k - 1], length[starts[more] + k]
    # Distances are within 1e-10 of themselves, and 0 only if they are. Below the normal range,
    # where that doesn't hold, nothing is clear.
    is_clear = (beyond > (1 + 1e-9) * last) & ((last == 0) | (last > _LEAST))
    ends[more[is_clear]] = k
    return ends


def _ends(count: int, first: Any, last: Any, k: int) -> NDArray[np.int64]:
    """How many neighbors each of `count` rows has; -1 if more have to be asked for.

    The first so many in both orders are the same set.
    """
    i = first[0]
    place = _place(i)
    found = np.bincount(i, minlength=count)
    most = int(found.max(initial=0))
    # The greatest place in the other order of the neighbors up to this one, `most` if one has none.
    width = most + 1
    furthest = np.maximum.accumulate(_places_of(first, last, most) + width * i) - width * i
    complete = np.flatnonzero((furthest <= place) & (place + 1 >= np.minimum(k, found[i])))
    ends = np.where(found == 0, 0, -1)
    rows, earliest = np.unique(i[complete], return_index=True)
    ends[rows] = place[complete[earliest]] + 1
    return ends


def _places_of(first: Any, last: Any, absent: int) -> NDArray[np.int64]:
    """The place of each neighbor among those of its row in the other order."""
    i, j = last
    stride = 1 + max(j.max(initial=0), first[1].max(initial=0))
    keys = i * stride + j
    order = np.argsort(keys)
    wanted = first[0] * stride + first[1]
    at = np.searchsorted(keys[order], wanted).clip(max=max(len(keys) - 1, 0))
    if len(keys) == 0:
        return np.empty(0, dtype=np.int64)
    return np.where(keys[order][at] == wanted, _place(i)[order[at]], absent)


def _place(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each item among those of the same row, which follow each other."""
    return np.arange(len(rows)) - np.searchsorted(rows, rows)

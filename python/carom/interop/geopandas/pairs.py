"""Pairs of rows by label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

import carom
from carom._input_error import InputTypeError
from carom._progress import Progress, told
from carom.interop.geopandas.column import Column, both_indexed, labelled, not_indexed
from carom.interop.geopandas.crs_checks import warn_of_degrees
from carom.interop.geopandas.duration import read_duration
from carom.interop.geopandas.joins.frames import OF_LENGTH
from carom.interop.geopandas.joins.motion import Motion
from carom.interop.geopandas.shared_docstrings import OF_PAIRS, twin_of
from carom.interop.geopandas.types import Numbers, Points, Rows, TimeSpan, Vectors

if TYPE_CHECKING:
    from collections.abc import Callable

_OF_NEAREST = {
    **dict.fromkeys(("how", "fields", "distance_col", "exclusive"), "sjoin_nearest has it"),
    **OF_LENGTH,
}
"""What to use instead of other keywords."""


@twin_of(carom.candidate_pairs, OF_PAIRS, start="sjoin has it, and times")
def candidate_pairs(
    a: Rows,
    b: Rows | None = None,
    *,
    velocity_a: Vectors | None = None,
    velocity_b: Vectors | None = None,
    turn_a: Numbers | None = None,
    center_a: Points | None = None,
    turn_b: Numbers | None = None,
    center_b: Points | None = None,
    margin: Numbers = 0.0,
    duration: TimeSpan | None = None,
    max_pairs: int | None = None,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
    threads: int | None = None,
    progress: Progress = None,
) -> pd.DataFrame:
    """Pairs of rows whose bounding boxes meet, by their index labels.

    Raises
    ------
    ImportError
        If `progress` is True and tqdm is not installed.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> plots = geopandas.GeoSeries([shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)], list("pqr"))
    >>> cg.candidate_pairs(plots)
       a  b
    0  p  q
    """
    motion: dict[str, Any] = {"velocity_a": velocity_a, "velocity_b": velocity_b, "turn_a": turn_a}
    motion |= {"center_a": center_a, "turn_b": turn_b, "center_b": center_b, "margin": margin}
    motion["duration"] = read_duration(duration, None, motion)
    columns = _columns(a, b, on_invalid=on_invalid, drop_z=drop_z)
    limits = {"max_pairs": max_pairs, "threads": threads, "progress": progress}
    return _by_label(carom.candidate_pairs, columns, motion, limits)


@twin_of(carom.colliding_pairs, OF_PAIRS, start="sjoin has it, and times")
def colliding_pairs(
    a: Rows,
    b: Rows | None = None,
    *,
    velocity_a: Vectors | None = None,
    velocity_b: Vectors | None = None,
    turn_a: Numbers | None = None,
    center_a: Points | None = None,
    turn_b: Numbers | None = None,
    center_b: Points | None = None,
    margin: Numbers = 0.0,
    duration: TimeSpan | None = None,
    predicate: Literal[
        "intersects",
        "contains",
        "within",
        "covers",
        "covered_by",
        "contains_properly",
        "touches",
        "overlaps",
        "crosses",
        "equals",
    ] = "intersects",
    max_pairs: int | None = None,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
    threads: int | None = None,
    progress: Progress = None,
) -> pd.DataFrame:
    """Pairs of rows that intersect or fulfil another predicate, by their index labels.

    Raises
    ------
    ValueError
        If the predicate is unknown or takes no margin, no motion or not such a shape.
    ImportError
        If `progress` is True and tqdm is not installed.

    See Also
    --------
    sjoin : the attributes of both rows, too.

    Notes
    -----
    A velocity has the direction in which its own rows move. Of storms `b` that move over standing
    parcels `a` it is `velocity_b`::

        [a]-->    [b]    a moves towards b:  velocity_a=(+2, 0)
        [a]    <--[b]    b moves towards a:  velocity_b=(-2, 0)
        [a]    [b]-->    b moves away:       velocity_b=(+2, 0)

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
    motion: dict[str, Any] = {"velocity_a": velocity_a, "velocity_b": velocity_b, "turn_a": turn_a}
    motion |= {"center_a": center_a, "turn_b": turn_b, "center_b": center_b, "margin": margin}
    motion["duration"] = read_duration(duration, None, motion)
    columns = _columns(a, b, on_invalid=on_invalid, drop_z=drop_z)
    limits: dict[str, Any] = {"max_pairs": max_pairs, "threads": threads, "progress": progress}
    limits["predicate"] = predicate
    return _by_label(carom.colliding_pairs, columns, motion, limits)


@twin_of(carom.nearest, OF_PAIRS, **_OF_NEAREST)
def nearest(
    a: Rows,
    b: Rows,
    *,
    k: int = 1,
    max_distance: float = np.inf,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
    threads: int | None = None,
) -> pd.DataFrame:
    """The k nearest rows of `b` for each row of `a`, by their index labels.

    Parameters
    ----------
    a, b : GeoSeries or GeoDataFrame
        Shapes. Missing rows have no neighbors and are none.

    Returns
    -------
    pandas.DataFrame
        The labels of each pair in the columns ``a`` and ``b``, and their ``distance``, 0.0 exactly
        if they touch: ordered by the row of `a`, the nearest first, of equally near ones the first.

    Raises
    ------
    ValueError
        If `k` is less than 1, or `max_distance` is negative or NaN.

    See Also
    --------
    sjoin_nearest : the attributes of both rows, and all rows that are equally near.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> stops = geopandas.GeoSeries.from_xy([0, 9], [1, 3], index=["x", "y"])
    >>> roads = geopandas.GeoSeries([shapely.LineString([(0, 0), (9, 0)])], index=["A1"])
    >>> cg.nearest(stops, roads, max_distance=2)
       a   b  distance
    0  x  A1       1.0
    """
    left, right = _columns(a, b, on_invalid=on_invalid, drop_z=drop_z)
    if right is None:
        raise InputTypeError(not_indexed("b", b), at="b")
    warn_of_degrees("nearest", "distances are", left.crs, right.crs)
    with labelled(a=("a", left.index), b=("b", right.index)):
        options: dict[str, Any] = {"k": k, "max_distance": max_distance, "threads": threads}
        (i, j), distance = carom.nearest(left.shapes, right.shapes, **options)
    return label_frame(i, j, left.index, right.index).assign(distance=distance)


def _columns(a: Any, b: Any, **options: Any) -> tuple[Column, Column | None]:
    """The columns of both arguments, of which `b` may be None."""
    left, right = both_indexed(a, b, ("a", "b"), **options)
    if left is None:
        raise InputTypeError(not_indexed("a", a), at="a")
    if right is None and b is not None:
        raise InputTypeError(not_indexed("b", b), at="b")
    return left, right


def _by_label(
    function: Callable[..., Any],
    columns: tuple[Column, Column | None],
    motion: dict[str, Any],
    limits: dict[str, Any],
) -> pd.DataFrame:
    left, right = columns
    moving = Motion(left, right, motion, ("a", "b"))
    moving.warn_of_degrees(function.__name__)
    of_a, of_b = left.index, left.index if right is None else right.index
    with labelled(a=("a", of_a), b=("b", of_b)), told(limits.pop("progress")) as progress:
        i, j = moving.pairs(function, **limits, progress=progress)
    return label_frame(i, j, of_a, of_b)


def label_frame(i: Any, j: Any, labels_a: pd.Index, labels_b: pd.Index) -> pd.DataFrame:
    """The labels of each pair; without the copies that pandas makes of a dict's values."""
    return pd.DataFrame({"a": labels_a[i], "b": labels_b[j]}, copy=False)

"""Pairs of rows by label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

import carom
from carom._input_error import InputTypeError
from carom._progress import told
from carom.interop.geopandas.column import both_indexed, labelled, not_indexed
from carom.interop.geopandas.join_motion import Motion
from carom.interop.geopandas.unknown_keywords import hinting

if TYPE_CHECKING:
    from collections.abc import Callable

    from carom._progress import Progress


@hinting(carom.candidate_pairs)
def candidate_pairs(
    a: Any,
    b: Any = None,
    *,
    velocity_a: Any = None,
    velocity_b: Any = None,
    turn_a: Any = None,
    center_a: Any = None,
    turn_b: Any = None,
    center_b: Any = None,
    margin: Any = 0.0,
    max_pairs: int | None = None,
    on_invalid: str = "raise",
    threads: int | None = None,
    progress: Progress = None,
) -> pd.DataFrame:
    """Pairs of rows whose bounding boxes meet, by their index labels.

    Parameters
    ----------
    a : GeoSeries or GeoDataFrame
        Shapes.
    b : GeoSeries or GeoDataFrame, optional
        Other shapes. By default the rows of `a` are paired with each other, each pair once.
    velocity_a, velocity_b, turn_a, center_a, turn_b, center_b, margin
        As in `carom.candidate_pairs`. A velocity may also be the names of two columns, a margin
        or a turn that of one, and a center that of a column of points; data frames and series are
        aligned by label, arrays by position.
    max_pairs, threads
        As in `carom.candidate_pairs`.
    on_invalid : {"raise", "mask"}, default "raise"
        "mask" treats invalid shapes as missing, which are in no pair.
    progress : bool or function, optional
        True shows a bar of tqdm; a function is called with the number of rows done and that of all
        rows of `a`. What it raises ends the join.

    Returns
    -------
    pandas.DataFrame
        The labels of each pair in the columns ``a`` and ``b``; ``pairs=`` of `intersects`, `sat`,
        `distance` and `swept_collision` takes it.

    Warns
    -----
    UserWarning
        If one argument alone has a CRS, or a margin or a velocity is in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid, the CRS differ, or a row has no velocity.
    TypeError
        If `a` or `b` has no index.
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
    motion = {"velocity_a": velocity_a, "velocity_b": velocity_b, "turn_a": turn_a}
    motion |= {"center_a": center_a, "turn_b": turn_b, "center_b": center_b, "margin": margin}
    limits = {"max_pairs": max_pairs, "threads": threads, "progress": progress}
    return _by_label(carom.candidate_pairs, (a, b), on_invalid, motion, limits)


@hinting(carom.colliding_pairs)
def colliding_pairs(
    a: Any,
    b: Any = None,
    *,
    velocity_a: Any = None,
    velocity_b: Any = None,
    turn_a: Any = None,
    center_a: Any = None,
    turn_b: Any = None,
    center_b: Any = None,
    margin: Any = 0.0,
    predicate: str = "intersects",
    max_pairs: int | None = None,
    on_invalid: str = "raise",
    threads: int | None = None,
    progress: Progress = None,
) -> pd.DataFrame:
    """Pairs of rows that intersect or fulfil another predicate, by their index labels.

    Parameters
    ----------
    a : GeoSeries or GeoDataFrame
        Shapes.
    b : GeoSeries or GeoDataFrame, optional
        Other shapes. By default the rows of `a` are paired with each other, each pair once.
    velocity_a, velocity_b, turn_a, center_a, turn_b, center_b, margin
        As in `carom.colliding_pairs`. A velocity may also be the names of two columns, a margin
        or a turn that of one, and a center that of a column of points; data frames and series are
        aligned by label, arrays by position.
    predicate, max_pairs, threads
        As in `carom.colliding_pairs`.
    on_invalid : {"raise", "mask"}, default "raise"
        "mask" treats invalid shapes as missing, which are in no pair.
    progress : bool or function, optional
        True shows a bar of tqdm; a function is called with the number of rows done and that of all
        rows of `a`. What it raises ends the join.

    Returns
    -------
    pandas.DataFrame
        The labels of each pair in the columns ``a`` and ``b``; ``pairs=`` of `intersects`, `sat`,
        `distance` and `swept_collision` takes it.

    Warns
    -----
    UserWarning
        If one argument alone has a CRS, or a margin or a velocity is in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid, the CRS differ, a row has no velocity, or the predicate is unknown
        or takes no margin, no motion or not such a shape.
    TypeError
        If `a` or `b` has no index.
    ImportError
        If `progress` is True and tqdm is not installed.

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
    motion = {"velocity_a": velocity_a, "velocity_b": velocity_b, "turn_a": turn_a}
    motion |= {"center_a": center_a, "turn_b": turn_b, "center_b": center_b, "margin": margin}
    limits: dict[str, Any] = {"max_pairs": max_pairs, "threads": threads, "progress": progress}
    limits["predicate"] = predicate
    return _by_label(carom.colliding_pairs, (a, b), on_invalid, motion, limits)


def _by_label(
    function: Callable[..., Any],
    operands: tuple[Any, Any],
    on_invalid: str,
    motion: dict[str, Any],
    limits: dict[str, Any],
) -> pd.DataFrame:
    names = ("a", "b")
    left, right = both_indexed(*operands, names, on_invalid=on_invalid)
    for name, given, column in zip(names, operands, (left, right), strict=True):
        if column is None and (name == "a" or given is not None):
            raise InputTypeError(not_indexed(name, given), at=name)
    assert left is not None  # for the type checker
    moving = Motion(left, right, motion, names)
    moving.warn_of_degrees(function.__name__)
    of_a, of_b = left.index, left.index if right is None else right.index
    with labelled(a=("a", of_a), b=("b", of_b)), told(limits.pop("progress")) as progress:
        i, j = moving.pairs(function, **limits, progress=progress)
    return label_frame(i, j, of_a, of_b)


def label_frame(i: Any, j: Any, labels_a: pd.Index, labels_b: pd.Index) -> pd.DataFrame:
    """The labels of each pair; without the copies that pandas makes of a dict's values."""
    return pd.DataFrame({"a": labels_a[i], "b": labels_b[j]}, copy=False)

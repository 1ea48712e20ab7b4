"""Joins of two frames with their attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from geopandas import GeoDataFrame

import carom
from carom._input_error import InputTypeError, InputValueError
from carom._progress import Progress, told
from carom.interop.geopandas.column import Column, both_indexed, not_indexed
from carom.interop.geopandas.crs_checks import warn_of_degrees
from carom.interop.geopandas.duration import read_duration
from carom.interop.geopandas.joins.attributes import joined
from carom.interop.geopandas.joins.fields import asked_fields, fields_of_pairs
from carom.interop.geopandas.joins.join import (
    HOW,
    SELF_PAIRS,
    Join,
    check_choice,
    margin_of,
    refuse_rows,
    refuse_two_frames,
)
from carom.interop.geopandas.joins.motion import Motion
from carom.interop.geopandas.joins.nearest_ties import all_nearest
from carom.interop.geopandas.types import Numbers, Points, Time, TimeSpan, Vectors
from carom.interop.geopandas.unknown_keywords import hinting

OF_SIDES = {"left_df": "it is called left", "right_df": "it is called right"}
OF_NEAREST = dict.fromkeys(("k", "exclusive"), "sjoin_nearest has it")
OF_LENGTH = dict.fromkeys(("distance", "margin"), "see max_distance")
_OF_SJOIN = ("predicate", "on_attribute", "velocity_a", "velocity_b", "duration", "start")
OF_JOIN = {
    **dict.fromkeys(_OF_SJOIN, "sjoin has it"),
    "self_pairs": "exclusive leaves rows that are equal to a row out of its neighbors",
}
"""What to use instead of other keywords."""


@hinting(carom.colliding_pairs, op="it is called predicate", **OF_SIDES, **OF_NEAREST)
def sjoin(
    left: GeoDataFrame | Column,
    right: GeoDataFrame | Column,
    how: Literal["inner", "left", "right"] = "inner",
    predicate: Literal[
        "intersects",
        "dwithin",
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
    lsuffix: str = "left",
    rsuffix: str = "right",
    distance: Numbers | None = None,
    on_attribute: str | Sequence[str] | None = None,
    *,
    margin: Numbers = 0.0,
    velocity_a: Vectors | None = None,
    velocity_b: Vectors | None = None,
    turn_a: Numbers | None = None,
    center_a: Points | None = None,
    turn_b: Numbers | None = None,
    center_b: Points | None = None,
    duration: TimeSpan | None = None,
    start: Time | None = None,
    fields: Sequence[str] = (),
    distance_col: str | None = None,
    self_pairs: Literal["all", "once"] = "all",
    drop_z: bool = False,
    on_invalid: Literal["raise", "mask"] = "raise",
    max_pairs: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> GeoDataFrame:
    """Rows of two frames whose shapes meet, with the attributes of both.

    The result is that of `geopandas.sjoin`, decided exactly; also for shapes that move, turn or
    only come near each other, and with numbers of each pair, such as the time of contact.

    Parameters
    ----------
    left, right : GeoDataFrame or Column
        The frames; the shapes of `left` are a, and those of `right` b.
    how : {"inner", "left", "right"}, default "inner"
        "left" and "right" keep rows of this frame that meet no other. The result has the index and
        the geometry of `left`, or for "right" those of `right`.
    predicate : str, default "intersects"
        "intersects", or "dwithin" with `distance`. Of shapes that don't move also "contains",
        "within", "covers", "covered_by", "contains_properly", "touches", "overlaps", "crosses" and
        "equals", as `carom.predicate_batch` defines them. Touching is intersecting; a polygon
        covers the points on its boundary, and doesn't contain them.
    lsuffix, rsuffix : str, default "left" and "right"
        Suffixes for columns that both frames have, and for the name of the index.
    distance : float, array_like of shape (N,), Series, or str, optional
        For "dwithin": the greatest distance, as `margin`.
    on_attribute : str, or list or tuple of str, optional
        Columns of both frames. Rows are joined only if these are equal, too.
    margin : float, array_like of shape (N,), Series, or str, default 0.0
        Shapes that are at most this far apart meet: one number, or one for each row of `left`, by
        position, by label, or in the column of this name.
    velocity_a, velocity_b : array_like of shape (2,) or (N, 2), DataFrame, or names, optional
        The displacement of the rows within the frame of time: one for all rows, or one for each, by
        position, by label, or in the two columns of these names.
    turn_a, turn_b : float, array_like of shape (N,), Series, or str, optional
        The angle in radians by which the rows turn within the frame of time, counterclockwise.
    center_a, center_b : array_like of shape (2,) or (N, 2), GeoSeries, Point, or names, optional
        The points about which they turn: also the name of a column of points. Required with a turn
        that is not 0.
    duration : float, Timedelta, timedelta, timedelta64, or str, optional
        How long the frame of time is, a string being such as "6h". Velocities are then per second,
        or per unit of the number, and a displacement is the float64 product of both, to which the
        exact answers refer. Times are time spans, or numbers of this unit. A turn remains the angle
        over the frame.
    start : Timestamp, datetime, datetime64, or str, optional
        When the frame begins; times then are timestamps. Requires a `duration` that is a time span.
    fields : sequence of str, default ()
        Numbers of each pair, in columns after the others, where vectors have two, such as
        ``normal_x`` and ``normal_y``. Of shapes at rest "distance", "closest_a" and "closest_b",
        "depth" and "mtv" as of `penetration`, and of convex ones "normal", "separation" and
        "contact" as of `sat`. Of moving shapes "intersects" (at time 0), "time", "normal",
        "contact" and "mtv" as of `swept_collision`, and "distance", "closest_a" and "closest_b" as
        of `closest_approach`; points are in the coordinates of the frames at that time. Without a
        turn also "enter" and "leave", the first and the last time at which they touch, and
        "still_inside", whether they do when the frame ends. "closest" is a column of geometries:
        the line from `closest_a` to `closest_b`, missing where shapes intersect. Fields are missing
        in rows that meet no other.
    distance_col : str, optional
        The name of a column for the field "distance", which it asks for.
    self_pairs : {"all", "once"}, default "all"
        The pairs in a join of a frame with itself. "all", as in GeoPandas: both orders of two rows,
        and each row with itself. "once": each pair of two rows once, the earlier row on the left;
        for "contains", "within", "covers", "covered_by" and "contains_properly" both orders if both
        hold. `velocity_a`, `turn_a` and `center_a` are then those of every row, and `margin` is one
        number. "once" requires ``how="inner"``.
    drop_z : bool, default False
        Whether Z and M are left out; otherwise rows that have them are refused. The geometries in
        the result keep them.
    on_invalid : {"raise", "mask"}, default "raise"
        "mask" treats invalid shapes as missing, which meet no other, with a warning that counts
        them; `invalid_reason` tells them, and `repair` makes them valid.
    max_pairs : int, optional
        The join is refused if it has more pairs.
    threads : int, optional
        How many threads to use; all cores, by default.
    progress : bool or function, optional
        True shows a bar of tqdm; a function is called with the number of rows done and that of all
        rows, while pairs are found. What it raises ends the join.

    Returns
    -------
    GeoDataFrame
        A row for each pair, ordered by the kept frame, then by the position of the other row: the
        attributes of both frames, the index of the other frame in the column ``index_right`` or
        ``index_left``, or under its own name, and the fields.

    Warns
    -----
    UserWarning
        If one frame alone has a CRS; if a margin or a velocity is in degrees; if rows are masked;
        if a field has the name of a method of GeoDataFrame, as "distance" without `distance_col`.

    Raises
    ------
    ValueError
        If a shape is not valid (the message has its label), if the CRS differ, if the predicate is
        unknown or takes no margin, no motion or not such a shape, if a center is missing, if a
        field is not known of such shapes, if a duration is not above 0 or has no velocity, if a
        shape is not convex and "normal", "separation" or "contact" is asked for, or if
        `self_pairs` is "once" and the frames differ.
    TypeError
        If `left` or `right` is not a GeoDataFrame.
    ImportError
        If `progress` is True and tqdm is not installed.

    See Also
    --------
    sjoin_nearest : joins the nearest rows.
    column : prepares a frame for several joins.
    carom.colliding_pairs : the pairs alone.

    Notes
    -----
    `geopandas.sjoin` orders the pairs of a row as its index finds them. Which pairs there are, and
    their numbers, are computed from both velocities as given: their difference is not rounded.

    A velocity has the direction in which its own rows move. Of storms in `right` that move over
    standing parcels in `left` it is `velocity_b`::

        [left]-->    [right]    left moves towards right:  velocity_a=(+2, 0)
        [left]    <--[right]    right moves towards left:  velocity_b=(-2, 0)
        [left]    [right]-->    right moves away:          velocity_b=(+2, 0)

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> parcels = geopandas.GeoDataFrame(
    ...     {"owner": ["Ann", "Bo", "Cy"]},
    ...     geometry=[shapely.box(x, 0, x + 2, 2) for x in (0, 2, 6)],
    ...     index=["p", "q", "r"],
    ... )
    >>> zones = geopandas.GeoDataFrame({"zone": ["A", "B"]}, geometry=[
    ...     shapely.box(1, 1, 3, 3), shapely.box(9, 0, 10, 2)])
    >>> cg.sjoin(parcels, zones)[["owner", "index_right", "zone"]]
      owner  index_right zone
    p   Ann            0    A
    q    Bo            0    A
    >>> cg.sjoin(parcels, zones, velocity_b=(-2, 0), fields=("time",))[["owner", "zone", "time"]]
      owner zone  time
    p   Ann    A   0.0
    q    Bo    A   0.0
    r    Cy    B   0.5
    """
    motion: dict[str, Any] = {"velocity_a": velocity_a, "velocity_b": velocity_b, "turn_a": turn_a}
    motion |= {"center_a": center_a, "turn_b": turn_b, "center_b": center_b}
    motion["duration"] = read_duration(duration, start, motion)
    fields = asked_fields(fields, distance_col)
    check_choice("self_pairs", self_pairs, SELF_PAIRS)
    length = margin_of(predicate, distance, margin, how)
    motion["margin" if distance is None else "distance"] = length
    a, b = _frames(left, right, drop_z=drop_z, on_invalid=on_invalid)
    if self_pairs == "once":
        refuse_two_frames(a, b, how, on_attribute)
    Motion(a, b, motion).warn_of_degrees("sjoin", fields)
    suffixes = lsuffix, rsuffix
    join = Join(how, predicate, motion, fields, on_attribute, suffixes, distance_col, self_pairs)
    for name, column in (("left", a), ("right", b)):
        refuse_rows(predicate, name, column)
    with told(progress) as tell:
        found = join.pairs(a, b, max_pairs=max_pairs, threads=threads, progress=tell)
    return join.table(a.rows, b.rows, *found)


@hinting(carom.nearest, **OF_SIDES, **OF_JOIN, **OF_LENGTH)
def sjoin_nearest(
    left: GeoDataFrame | Column,
    right: GeoDataFrame | Column,
    how: Literal["inner", "left", "right"] = "inner",
    max_distance: float | None = None,
    lsuffix: str = "left",
    rsuffix: str = "right",
    distance_col: str | None = None,
    exclusive: bool = False,
    *,
    k: int = 1,
    fields: Sequence[str] = (),
    drop_z: bool = False,
    on_invalid: Literal["raise", "mask"] = "raise",
    threads: int | None = None,
    progress: Progress = None,
) -> GeoDataFrame:
    """The nearest rows of another frame, with the attributes of both.

    The result is that of `geopandas.sjoin_nearest`: which row is nearer is decided exactly, and of
    equally near rows all are in it. ``carom.nearest`` returns one of them, the first.

    Parameters
    ----------
    left, right : GeoDataFrame or Column
        The frames.
    how : {"inner", "left", "right"}, default "inner"
        "inner" and "left" find the nearest right rows of each left one, "right" the nearest left
        rows of each right one. "left" and "right" keep rows that have no neighbor.
    max_distance : float, optional
        The greatest distance of a neighbor, itself included, in the unit of the coordinates.
    lsuffix, rsuffix : str, default "left" and "right"
        Suffixes for columns that both frames have, and for the name of the index.
    distance_col : str, optional
        The name of a column for the distances.
    exclusive : bool, default False
        Whether rows that are equal to a row are left out of its neighbors, as itself in a join of a
        frame with itself. Equality is that of Shapely's `equals`.
    k : int, default 1
        How many neighbors each row has; more if others are as near as the last of them.
    fields : sequence of str, default ()
        Numbers of each pair, in columns after the others: "closest_a" and "closest_b", the nearest
        points of the left and of the right shape, "closest", the line between them as a geometry,
        and others of shapes at rest, as in `sjoin`.
    drop_z : bool, default False
        Whether Z and M are left out; otherwise rows that have them are refused. The geometries in
        the result keep them.
    on_invalid : {"raise", "mask"}, default "raise"
        "mask" treats invalid shapes as missing, which have no neighbors and are none, with a
        warning that counts them; `repair` makes them valid.
    threads : int, optional
        How many threads to use; all cores, by default.
    progress : bool or function, optional
        As in `sjoin`. The rows are those whose neighbors are found: without `exclusive` all of the
        frame whose rows are kept.

    Returns
    -------
    GeoDataFrame
        A row for each pair, ordered by the kept frame, the nearest first, of equally near rows the
        first.

    Warns
    -----
    UserWarning
        If one frame alone has a CRS; if distances are in degrees; if rows are masked; if "distance"
        is a field.

    Raises
    ------
    ValueError
        If a shape is not valid (the message has its label), if the CRS differ, or if `k` is less
        than 1.
    TypeError
        If `left` or `right` is not a GeoDataFrame.
    ImportError
        If `progress` is True and tqdm is not installed.

    See Also
    --------
    sjoin : joins rows that meet.
    carom.nearest : the pairs alone, k for each row.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> places = shapely.points([(0, 1), (9, 3)])
    >>> stops = geopandas.GeoDataFrame({"stop": ["x", "y"]}, geometry=places)
    >>> roads = geopandas.GeoDataFrame({"road": ["A1", "B2"]}, geometry=[
    ...     shapely.LineString([(0, 0), (9, 0)]), shapely.LineString([(0, 2), (5, 2)])])
    >>> cg.sjoin_nearest(stops, roads, distance_col="metres")[["stop", "road", "metres"]]
      stop road  metres
    0    x   A1     1.0
    0    x   B2     1.0
    1    y   A1     3.0
    """
    a, b = _frames(left, right, drop_z=drop_z, on_invalid=on_invalid)
    warn_of_degrees("sjoin_nearest", "distances are", a.crs, b.crs)
    options: dict[str, Any] = {"fields": asked_fields(fields), "how": how}
    options |= {"lsuffix": lsuffix, "rsuffix": rsuffix, "distance_col": distance_col}
    check_choice("how", how, HOW)
    most = np.inf if max_distance is None else max_distance
    one, other = (b, a) if how == "right" else (a, b)
    with told(progress) as tell:
        operands = one.shapes, other.shapes
        found = all_nearest(*operands, k, most, threads, exclusive=exclusive, progress=tell)
    return nearest_joined(a, b, *found, threads=threads, **options)


def nearest_joined(
    a: Column,
    b: Column,
    pairs: Any,
    length: Any,
    *,
    distance_col: str | None,
    fields: Sequence[str],
    how: str,
    lsuffix: str,
    rsuffix: str,
    threads: int | None,
) -> Any:
    """What `sjoin_nearest` returns of two columns, given each row of the kept one with a neighbor.

    `length` is the distance of each pair.
    """
    pairs = np.array(pairs[::-1] if how == "right" else pairs)
    numbers = fields_of_pairs(Motion(a, b, {}), fields, pairs, threads)
    if distance_col is not None:
        if distance_col == (b if how == "right" else a).rows.geometry.name:
            raise InputValueError(
                f"{distance_col!r} is the geometry of the result; name another column",
                at="distance_col",
            )
        numbers[distance_col] = length
    suffixes = lsuffix, rsuffix
    return joined(a.rows, b.rows, pairs, how, suffixes, [], numbers, replaced=distance_col)


def _frames(left: Any, right: Any, **reading: Any) -> tuple[Column, Column]:
    for name, rows in (("left", left), ("right", right)):
        frame = rows.rows if isinstance(rows, Column) else rows
        if not isinstance(frame, GeoDataFrame):
            raise InputTypeError(not_indexed(name, frame, "a GeoDataFrame"), at=name)
    a, b = both_indexed(left, right, ("left", "right"), **reading)
    assert a is not None and b is not None  # for the type checker
    return a, b

"""The queries of shapes that move, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pandas as pd

import carom
from carom._input_error import InputTypeError
from carom.interop.geopandas.alignment import Operands, circles
from carom.interop.geopandas.duration import read_duration, timed
from carom.interop.geopandas.shared_docstrings import OF_CIRCLES, twin_of
from carom.interop.geopandas.types import (
    Numbers,
    Operand,
    Pairs,
    Points,
    Rows,
    Time,
    TimeSpan,
    Vectors,
)


@twin_of(carom.swept_collision_batch)
def swept_collision(
    a: Operand,
    b: Operand,
    velocity: Vectors | None = None,
    *,
    velocity_a: Vectors | None = None,
    velocity_b: Vectors | None = None,
    align: bool | None = None,
    pairs: Pairs | None = None,
    turn_a: Numbers | None = None,
    center_a: Points | None = None,
    turn_b: Numbers | None = None,
    center_b: Points | None = None,
    margin: Numbers = 0.0,
    duration: TimeSpan | None = None,
    start: Time | None = None,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.DataFrame:
    """First contact of moving shapes with others, row by row.

    Notes
    -----
    A velocity has the direction in which its own operand moves::

        [a]-->    [b]    a moves towards b:  velocity_a=(+2, 0), which is velocity=(+2, 0)
        [a]    <--[b]    b moves towards a:  velocity_b=(-2, 0), which is velocity=(+2, 0)
        [a]-->    [b]--> both, at the same speed, never meet:  velocity=(0, 0)

    So of storms `b` that move over standing parcels `a` the velocities are `velocity_b`. Normals
    and contacts are those in the frame of reference in which `b` rests; `sjoin` tells them in the
    coordinates of the frames.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> a = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)], ["p"])
    >>> cg.swept_collision(a, shapely.box(3, 0, 4, 1), (4, 0), fields=("time", "normal"))
       time  normal_x  normal_y
    p   0.5      -1.0       0.0

    The other shape comes at 0.5 per second, within six hours:

    >>> coming = {"velocity_b": (-0.5, 0), "duration": "6h", "start": "2024-05-01 12:00"}
    >>> cg.swept_collision(a, shapely.box(3, 0, 4, 1), **coming, fields=("time",))
                     time
    p 2024-05-01 12:00:04
    """
    motion = {"velocity": velocity, "velocity_a": velocity_a, "velocity_b": velocity_b}
    given = {**motion, "turn_a": turn_a, "center_a": center_a, "turn_b": turn_b}
    given |= {"center_b": center_b, "margin": margin, "fields": fields}
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    lasting = read_duration(duration, start, motion)
    rows = Operands(a, b, options, align=align, pairs=pairs, drop_z=drop_z, duration=lasting)
    rows.warn_of_degrees("swept_collision", "velocity and mtv are")
    return rows.frame(rows.call(carom.swept_collision_batch, *rows.given, **given))


@twin_of(carom.closest_approach_batch)
def closest_approach(
    a: Operand,
    b: Operand,
    velocity: Vectors | None = None,
    *,
    velocity_a: Vectors | None = None,
    velocity_b: Vectors | None = None,
    align: bool | None = None,
    pairs: Pairs | None = None,
    turn_a: Numbers | None = None,
    center_a: Points | None = None,
    turn_b: Numbers | None = None,
    center_b: Points | None = None,
    duration: TimeSpan | None = None,
    start: Time | None = None,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.DataFrame:
    """How near moving shapes come to others, when, and their nearest points then, row by row.

    See Also
    --------
    distance : the same of shapes at rest.
    swept_collision : the first contact, and whose velocity is positive.

    Notes
    -----
    The nearest points are those in the frame of reference in which `b` rests, and NaN of shapes
    that meet, whose distance is 0.0 and whose time is that of their first contact.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> ships = geopandas.GeoSeries.from_xy([0, 0], [0, 9], index=["p", "q"])
    >>> reef = shapely.Point(3, 4)
    >>> cg.closest_approach(ships, reef, (1, 0), duration=10, fields=("distance", "time"))
       distance  time
    p       4.0   3.0
    q       5.0   3.0
    """
    motion = {"velocity": velocity, "velocity_a": velocity_a, "velocity_b": velocity_b}
    given = {**motion, "turn_a": turn_a, "center_a": center_a, "turn_b": turn_b}
    given |= {"center_b": center_b, "fields": fields}
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    lasting = read_duration(duration, start, motion)
    rows = Operands(a, b, options, align=align, pairs=pairs, drop_z=drop_z, duration=lasting)
    rows.warn_of_degrees("closest_approach", "velocity and distance are")
    return rows.frame(rows.call(carom.closest_approach_batch, *rows.given, **given))


@twin_of(carom.contact_intervals_batch)
def contact_intervals(
    a: Operand,
    b: Operand,
    velocity: Vectors | None = None,
    *,
    velocity_a: Vectors | None = None,
    velocity_b: Vectors | None = None,
    align: bool | None = None,
    pairs: Pairs | None = None,
    margin: Numbers = 0.0,
    duration: TimeSpan | None = None,
    start: Time | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.DataFrame:
    """From when until when moving shapes touch others: one row for each interval.

    Returns
    -------
    pandas.DataFrame
        The labels of the two shapes in the columns ``a`` and ``b``, of operands that have an index,
        and the row numbers of one without an index if there are `pairs`; ``enter`` and ``leave``,
        the ends of the interval; and ``still_inside``, whether the shapes are in touch when the
        frame ends. Ordered by row, then by time. Rows that never touch, and those with a missing
        shape, have no interval; a single moment of touching is one whose ends are equal.

    See Also
    --------
    swept_collision : the first contact, and whose velocity is positive.
    sjoin : joins the rows that touch; its fields ``enter`` and ``leave`` are those of each pair.

    Notes
    -----
    Which intervals there are and their order are exact, and so is whether the shapes are in touch
    at the begin and at the end of the frame. With a radius or a margin, gaps shorter than 1e-12 of
    the frame may be closed.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> cities = geopandas.GeoSeries([shapely.Point(4, 1), shapely.Point(9, 1)], ["p", "q"])
    >>> storm = shapely.MultiPolygon([shapely.box(0, 0, 1, 2), shapely.box(2, 0, 3, 2)])
    >>> cg.contact_intervals(cities, storm, velocity_b=(1, 0), duration="7s")
       a           enter           leave  still_inside
    0  p 0 days 00:00:01 0 days 00:00:02         False
    1  p 0 days 00:00:03 0 days 00:00:04         False
    2  q 0 days 00:00:06 0 days 00:00:07          True
    """
    motion = {"velocity": velocity, "velocity_a": velocity_a, "velocity_b": velocity_b}
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    lasting = read_duration(duration, start, motion)
    rows = Operands(a, b, options, align=align, pairs=pairs, drop_z=drop_z, duration=lasting)
    rows.warn_of_degrees("contact_intervals", "velocity is")
    answers = rows.call(carom.contact_intervals_batch, *rows.given, **motion, margin=margin)
    if rows.present is None:
        rows.refuse_other_length(answers.valid.shape)
    table = answers.to_pandas()
    # An interval ends with exactly 1 if, and only if, the shapes are in touch then.
    table["still_inside"] = table["leave"] == 1.0
    labels = {
        name: rows.labels(side, table["row"].to_numpy()) for side, name in enumerate(rows.names)
    }
    known = {name: index for name, index in labels.items() if index is not None}
    found = pd.concat([pd.DataFrame(known), table.drop(columns="row")], axis=1)
    return timed(found, lasting)


@twin_of(carom.swept_circle_batch, OF_CIRCLES)
def swept_circle(
    center: Points,
    radius: Numbers,
    velocity: Vectors | None = None,
    polygon: Rows | None = None,
    *,
    velocity_a: Vectors | None = None,
    velocity_b: Vectors | None = None,
    margin: Numbers = 0.0,
    duration: TimeSpan | None = None,
    start: Time | None = None,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.DataFrame:
    """First contact of moving circles with polygons, row by row.

    Parameters
    ----------
    velocity_a, velocity_b : array_like of shape (2,) or (N, 2), DataFrame, or names, optional
        The displacements of the circle and of the polygon, one of them or both, in place of
        `velocity`. Their difference is not rounded.

    Notes
    -----
    A velocity has the direction in which its own shape moves::

        (o)-->    [p]    the circle moves towards the polygon:  velocity_a=(+2, 0)
        (o)    <--[p]    the polygon moves towards the circle:  velocity_b=(-2, 0)
                         Both are velocity=(+2, 0), that of the circle relative to the polygon.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> plots = geopandas.GeoSeries([shapely.box(3, 0, 4, 1), shapely.box(9, 0, 10, 1)])
    >>> cg.swept_circle(shapely.Point(0, 0.5), 1, (4, 0), plots, fields=("time",))
       time
    0   0.5
    1   inf
    """
    motion = {"velocity": velocity, "velocity_a": velocity_a, "velocity_b": velocity_b}
    options = {"threads": threads, "check": check, "on_invalid": on_invalid}
    if polygon is None:
        raise InputTypeError(
            "the shapes are missing (None); with velocity_a and velocity_b they are given by name: "
            "polygon=...",
            at="polygon",
        )
    lasting = read_duration(duration, start, motion)
    rows = circles("swept_circle", polygon, options, drop_z=drop_z, duration=lasting)
    given = {"center": center, "radius": radius, "polygon": rows.given[0], **motion}
    return rows.frame(rows.call(carom.swept_circle_batch, **given, margin=margin, fields=fields))

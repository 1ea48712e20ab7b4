"""When agents are in zones: a table of tracks, joined with a frame in space and time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import geopandas
import numpy as np
import pandas as pd

import carom
from carom._input_error import InputTypeError, InputValueError
from carom.interop.geopandas.column import (
    Column,
    both_indexed,
    indexed,
    labelled,
    not_indexed,
    place,
)
from carom.interop.geopandas.joins.motion import Motion, warn_of_motion_in_degrees
from carom.interop.geopandas.types import ArrowTable, Numbers, Rows, TimeSpan
from carom.interop.geopandas.unknown_keywords import hinting
from carom.interop.logs import clock
from carom.interop.logs.reading import in_order
from carom.interop.logs.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

_POINT = carom.KINDS.index("point")


@hinting(carom.colliding_pairs, distance="it is called margin", every="no clock is needed")
def visits(
    tracks: geopandas.GeoDataFrame | Column | pd.DataFrame | ArrowTable,
    zones: Rows,
    *,
    agent: str,
    time: str,
    x: str | None = None,
    y: str | None = None,
    radius: float | str = 0.0,
    margin: Numbers | None = 0.0,
    max_gap: TimeSpan | None = None,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
    threads: int | None = None,
) -> pd.DataFrame:
    """When each agent of a table of tracks is in each zone, from when until when.

    An agent moves on a straight line, uniformly in time, from each of its reports to its next. A
    visit is a stretch of time in which it touches the zone, as long as possible: agents that touch
    the boundary are in the zone, be it for a moment.

    Parameters
    ----------
    tracks : GeoDataFrame of points or Column, pandas.DataFrame, or a table of Arrow or polars
        One row for each agent and time, in any order. Each agent may report at times of its own.
    zones : GeoSeries, GeoDataFrame or Column
        The zones: shapes of any kind.
    agent, time : str
        The columns of the agents' labels and of times: numbers, timestamps or durations.
    x, y : str, optional
        The columns of positions; by default positions are the points of the GeoDataFrame.
    radius : str or float, default 0.0
        The radius of agents that are circles: a number for all, or a column, the same in all rows
        of an agent; in the unit of positions.
    margin : float, array_like of shape (N,), Series, or str, default 0.0
        Agents that are at most this far from a zone are in it: one number, or one for each zone, by
        position, by label, or in the column of this name.
    max_gap : float, or Timedelta or str if times are dated, optional
        The largest interval between two reports of an agent across which it moves. Across a longer
        one nothing is known of it: a visit ends with the report before, and another may begin with
        the report after. By default there is no limit. Of times that are not integers, an interval
        is not longer by rounding alone, which is 1e-9 of `max_gap` or 4 units in the last place of
        the times: from 0.1 to 0.4 it is 0.3.
    on_invalid : {"raise", "mask"}, default "raise"
        "mask" treats invalid zones as missing, which have no visits, with a warning that counts
        them by reason; `repair` makes them valid. Points of `tracks` are refused in any case.
    drop_z : bool, default False
        Whether Z and M of points and zones are left out; otherwise they are refused.
    threads : int, optional
        How many threads to use; all cores, by default.

    Returns
    -------
    pandas.DataFrame
        One row for each visit, sorted by agent, in the order of first appearance in the table, then
        by the time of entering:

        - ``agent`` and ``zone``, the label of the agent and the index label of the zone;
        - ``enter`` and ``leave``, the first and the last time of touch, the same if it is a moment.
          Of timestamps and durations these are rounded to microseconds, or to nanoseconds if the
          table has these; of integers they are float64 numbers;
        - ``already_inside``, whether the agent is in the zone when it is first seen: at the first
          of its reports, or the first after a gap, so that it may have entered before; and
          ``still_inside``, whether it is there when it is last seen.

    Warns
    -----
    UserWarning
        If one frame alone has a CRS; if a margin or a radius is in degrees; if zones are masked.

    Raises
    ------
    ValueError
        If a column doesn't exist; if an agent has two rows of the same time, a position that is
        missing or not finite, or a radius that changes (the message has agent and time); if a zone
        is not valid (the message has its label); if the CRS of points and zones differ; if a radius
        or a margin is negative, NaN or infinite, or `max_gap` not above 0.
    TypeError
        If `tracks` is not a table, or has no points and no `x` and `y`; if a column is not of
        numbers, or the times not of numbers, timestamps or durations; if `zones` has no index.

    See Also
    --------
    carom.contact_intervals : the intervals of one motion.
    carom.interop.logs.trajectories : bodies with headings and sizes, as trajectories.

    Notes
    -----
    Which steps from report to report touch which zones is decided exactly, and so is whether a
    visit goes on from one step to the next. A visit that begins or ends at a report has the time of
    this report, bit for bit. In between, times are within 1e-10 of the step's duration.

    Examples
    --------
    >>> import geopandas, pandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> harbors = geopandas.GeoSeries(
    ...     [shapely.box(0, 0, 10, 10), shapely.box(30, 0, 40, 10)], ["West", "East"]
    ... )
    >>> noon = pandas.Timestamp("2026-05-01 12:00")
    >>> reports = pandas.DataFrame(
    ...     {
    ...         "ship": ["Ada", "Ada", "Bo", "Ada", "Bo"],
    ...         "time": noon + pandas.to_timedelta([0, 10, 15, 20, 45], unit="min"),
    ...         "x": [5.0, 5.0, 50.0, 45.0, 20.0],
    ...         "y": [5.0, 6.0, 10.0, 6.0, 10.0],
    ...     }
    ... )
    >>> found = cg.visits(reports, harbors, agent="ship", time="time", x="x", y="y")
    >>> found[["agent", "zone", "enter", "leave"]]
      agent  zone               enter               leave
    0   Ada  West 2026-05-01 12:00:00 2026-05-01 12:11:15
    1   Ada  East 2026-05-01 12:16:15 2026-05-01 12:18:45
    2    Bo  East 2026-05-01 12:25:00 2026-05-01 12:35:00
    >>> found["already_inside"].tolist()
    [True, False, False]
    """
    has_points = x is None and y is None
    points = _located(tracks, drop_z) if has_points else None
    reading = {"on_invalid": on_invalid, "drop_z": drop_z}
    points, areas = both_indexed(points, zones, ("tracks", "zones"), **reading)
    if areas is None:
        raise InputTypeError(not_indexed("zones", zones), at="zones")
    frame = tracks.rows if isinstance(tracks, Column) else tracks
    # A table of Arrow has no labels.
    labels = place if isinstance(frame, pd.DataFrame) else None
    table = Table(frame, agent, time, "tracks", labels)
    made = _tracks(table, time, points if points is not None else (x, y), radius, max_gap)
    reach = Motion(areas, None, {"margin": 0.0 if margin is None else margin}, ("zones", "tracks"))
    systems = [it.crs for it in (points, areas) if it is not None]
    lengths = ["radius"] if np.any(made.radius) else []
    warn_of_motion_in_degrees("visits", reach.values, *systems, lengths=lengths)
    return _table(made, areas.index, _contacts(made, areas, reach, threads))


def _located(tracks: Any, drop_z: bool) -> Column | None:
    """The geometries of a frame of points, invalid ones of which are refused in any case."""
    frame = tracks.rows if isinstance(tracks, Column) else tracks
    if not isinstance(frame, geopandas.GeoDataFrame):
        wanted = "a GeoDataFrame of points, or x= and y=, the columns of positions"
        raise InputTypeError(not_indexed("tracks", frame, wanted), at="tracks")
    return indexed(tracks, "tracks", drop_z=drop_z)


@dataclass(frozen=True)
class _Tracks:
    """Reports in the order of agents, those of an agent in the order of time, and steps."""

    agents: pd.Index
    """The label of each agent."""
    agent: NDArray[np.int64]
    """The number of the agent of each report."""
    times: pd.Index
    positions: NDArray[np.float64]
    radius: Any
    """One for each report, or for all."""
    begin: NDArray[np.int64]
    """The report with which each step begins."""
    end: NDArray[np.int64]
    """The next report; the same one if the agent is known to be at this report alone."""


def _tracks(table: Table, time: str, where: Any, radius: Any, max_gap: Any) -> _Tracks:
    """The tracks of a table; `where` is a column of points, or the names of x and y."""
    scale, ticks = clock.read(table, time)
    positions = _points(table, where) if isinstance(where, Column) else _in_columns(table, *where)
    radius = table.sizes("radius", radius, may_be_0=True)
    order = in_order(table, pd.factorize(ticks, sort=True)[0])
    agent, ticks = table.codes[order], ticks[order]
    has_next = np.zeros(len(order), dtype=np.bool_)
    has_next[:-1] = (agent[1:] == agent[:-1]) & (
        np.diff(ticks) <= clock.longest_gap(scale, ticks, max_gap)
    )
    has_previous = np.roll(has_next, 1)
    begin = np.flatnonzero(has_next | ~has_previous)
    return _Tracks(
        table.agents,
        agent,
        scale.index(ticks),
        positions[order],
        radius[agent] if isinstance(radius, np.ndarray) else radius,
        begin,
        begin + has_next[begin],
    )


def _in_columns(table: Table, x: Any, y: Any) -> NDArray[np.float64]:
    """The positions in two columns."""
    for name, given, other in (("x", x, "y"), ("y", y, "x")):
        if given is None:
            raise InputValueError(f"is required with {other}=", at=name, link=" ")
    return np.stack([table.finite("x", x), table.finite("y", y)], axis=-1)


def _points(table: Table, points: Column) -> NDArray[np.float64]:
    """The positions of a column of points, none of which is missing."""
    for row in np.flatnonzero(points.shapes.kind != _POINT)[:1]:
        given = points.rows.geometry.iloc[row]
        if points.shapes.kind[row] >= 0:
            raise table.refusal("tracks", row, f"expected a point, got a {given.geom_type}")
        raise table.refusal(
            "tracks",
            row,
            f"expected a point, got {given}; tracks[tracks.geometry.x.notna()] leaves out reports "
            "without one",
        )
    positions: NDArray[np.float64] = points.shapes.coords
    return positions


@dataclass(frozen=True)
class _Contacts:
    """Intervals in which a step touches a zone, sorted by zone, step and time."""

    zone: NDArray[np.int64]
    step: NDArray[np.int64]
    enter: NDArray[np.float64]
    """From 0 at the beginning of the step to 1 at its end."""
    leave: NDArray[np.float64]


def _contacts(tracks: _Tracks, zones: Column, reach: Motion, threads: Any) -> _Contacts:
    here, there = tracks.positions[tracks.begin], tracks.positions[tracks.end]
    each = isinstance(tracks.radius, np.ndarray)
    radius = tracks.radius[tracks.begin] if each else tracks.radius
    swept = carom.Shapes.from_segments(np.stack([here, there], axis=1), radius)
    agents = carom.Shapes.from_points(here, radius)
    with labelled(**reach.labels()):
        zone, step = carom.colliding_pairs(
            zones.shapes, swept, margin=reach.values["margin"], threads=threads
        )
    found = carom.contact_intervals_batch(
        agents,
        zones.shapes,
        # The motion from here to there, whose difference is not rounded.
        velocity_a=there[step],
        velocity_b=here[step],
        margin=reach.of_pairs("margin", (zone, step)),
        pairs=(step, zone),
        threads=threads,
    )
    counts = np.diff(found.offsets)
    return _Contacts(np.repeat(zone, counts), np.repeat(step, counts), *found.intervals.T)


def _table(tracks: _Tracks, labels: pd.Index, of: _Contacts) -> pd.DataFrame:
    """One row for each visit, made of intervals that follow one another without a pause."""
    # An interval ends with 1, and that of the next step begins with 0, exactly if the agent touches
    # the zone at the report between them.
    goes_on = (of.zone[1:] == of.zone[:-1]) & (of.leave[:-1] == 1.0) & (of.enter[1:] == 0.0)
    goes_on &= tracks.end[of.step[:-1]] == tracks.begin[of.step[1:]]
    is_first, is_last = np.ones((2, len(of.zone)), dtype=np.bool_)
    is_first[1:], is_last[:-1] = ~goes_on, ~goes_on
    first, last = np.flatnonzero(is_first), np.flatnonzero(is_last)
    order = np.lexsort((of.zone[first], of.enter[first], of.step[first]))
    first, last = first[order], last[order]
    columns = {
        "agent": tracks.agents.take(tracks.agent[tracks.begin[of.step[first]]]),
        "zone": labels.take(of.zone[first]),
        "enter": _times(tracks, of.step[first], of.enter[first]),
        "leave": _times(tracks, of.step[last], of.leave[last]),
        # A visit that goes on from an earlier step begins with the interval of that step.
        "already_inside": of.enter[first] == 0.0,
        "still_inside": of.leave[last] == 1.0,
    }
    return pd.DataFrame(columns)


def _times(tracks: _Tracks, step: NDArray[np.int64], part: NDArray[np.float64]) -> Any:
    """The time at which this part of each step has passed."""
    is_end = part == 1.0
    report = np.where(is_end, tracks.end[step], tracks.begin[step])
    return clock.at(tracks.times, report, np.where(is_end, 0.0, part))

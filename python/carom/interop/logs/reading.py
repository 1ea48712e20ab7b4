"""A long table, one row for each agent and time, as trajectories."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

import carom
from carom._input_error import InputError, InputTypeError, InputValueError, Place, again, place_of
from carom.interop.logs import clock
from carom.interop.logs.log import Log
from carom.interop.logs.poses import Reports, on_grid, refuse_own_times, refuse_too_many, resampled
from carom.interop.logs.table import Table, as_number, plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REFERENCES = ("center", "front", "rear", "corner")
_ANGLES = ("radians", "degrees", "compass")


def trajectories(
    frame: Any,
    *,
    agent: str,
    time: str,
    x: str,
    y: str,
    heading: str | None = None,
    length: str | float,
    width: str | float,
    reference: str | float = "center",
    angle: str = "radians",
    motion: Literal["straight", "arc"] = "straight",
    every: Any = None,
    max_gap: Any = None,
) -> Log:
    """The bodies of a log of traffic, with the labels of the agents and the times.

    The clock of the log are the times of all rows. At those at which an agent has no row it is
    absent, and no motion is made up between the times before and after. With `every`, the clock has
    equal steps instead, and poses are interpolated at its times.

    Parameters
    ----------
    frame : pandas.DataFrame, or a table of Arrow or polars
        One row for each agent and time, in any order.
    agent, time : str
        The columns of the agents' labels and of times: numbers, timestamps or durations.
    x, y : str
        The columns of positions.
    heading : str, optional
        The column of headings. Without one, the heading is the direction to the agent's next pose,
        of the last pose that of the one before. Where an agent stands, it is that of the last
        motion; before the first motion, of that one; and 0 of an agent that never moves.
    length, width : str or float
        The columns of the sizes along the heading and across, in the unit of positions, the same in
        all rows of an agent; or numbers for all.
    reference : {"center", "front", "rear", "corner"} or float, default "center"
        Which point of the box `x` and `y` are: its center, the middle of its front or rear edge, or
        how far the point lies in front of the rear edge, as a rear axle does. "corner" is the
        corner of least x and y of a box along the axes, which has no heading: its `length` is along
        x.
    angle : {"radians", "degrees", "compass"}, default "radians"
        What headings are: counterclockwise from the x axis in radians or degrees; or "compass",
        degrees clockwise from the y axis, which is north.
    motion : {"straight", "arc"}, default "straight"
        How bodies move between poses, as in `carom.Trajectories`.
    every : float, or Timedelta or str if times are dated, optional
        The step of a clock that begins at the first time and doesn't go beyond the last. Poses at
        its times are interpolated between an agent's reports before and after, headings the short
        way; at the time of a report, which may differ by 1e-9 of a step, the pose is the report.
    max_gap : float, or Timedelta or str if times are dated
        The largest interval between two reports of an agent across which poses are interpolated.
        Within a longer one the agent is absent. Required with `every`; ``math.inf`` has no limit.
        Of times that are not integers, an interval is not longer by rounding alone, which is 1e-9
        of `max_gap` or 4 units in the last place of the times.

    Returns
    -------
    Log
        The agents, in the order of first appearance in the table.

    Raises
    ------
    ValueError
        If a column doesn't exist; an agent has two rows of the same time, a position, heading or
        size that is NaN or infinite, or a size that changes; a compass heading is not within 360
        degrees of north; two times differ by rounding alone; there are no rows; or fewer than half
        of the agents' successive reports are successive on the clock, as those of ships and phones,
        which report at times of their own: without `every`, nothing would move. The error has the
        row and its label, and the message names agent and time.
    TypeError
        If a column is not of numbers, the times not of numbers, timestamps or durations, or an
        argument of the wrong type.

    See Also
    --------
    carom.Trajectories : the same from arrays.

    Notes
    -----
    Headings of the motion are computed by NumPy, whose arc tangent may differ in the last digit
    from one processor to the next. All else is the same on every processor.

    Examples
    --------
    >>> import pandas
    >>> from carom.interop import logs
    >>> frame = pandas.DataFrame(
    ...     {
    ...         "id": ["car", "van", "car", "van", "car"],
    ...         "t": [0.0, 0.0, 0.5, 0.5, 1.0],
    ...         "x": [0.0, 20.0, 6.0, 14.0, 12.0],
    ...         "y": [0.0, 0.5, 0.0, 0.5, 0.0],
    ...     }
    ... )
    >>> log = logs.trajectories(
    ...     frame, agent="id", time="t", x="x", y="y", length=4.0, width=2.0
    ... )
    >>> log
    Log(<2 agents at 3 times from 0.0 to 1.0, 5 poses>)
    >>> log.encounters(margin=4.6, fields=("step", "time", "at"))
         a    b  step  time     at
    0  car  van     0  0.95  0.475
    >>> fence = [(13, -1), (15, -1), (15, 1), (13, 1)]
    >>> log.first_contact([fence], fields=("obstacle", "at")).loc["van"].to_dict()
    {'obstacle': 0.0, 'at': 0.25}
    """
    _refuse_options(reference, angle, heading, every, max_gap)
    made = converted(
        frame,
        agent=agent,
        time=time,
        x=x,
        y=y,
        heading=heading,
        length=length,
        width=width,
        angle=angle,
        is_turned=reference != "corner",
        every=every,
        max_gap=max_gap,
    )
    rear = "rear" if reference == "corner" else reference
    boxes = carom.boxes(made.length, made.width, reference=rear)
    if reference == "corner":
        # The middle of the rear edge is half a width above the corner of a box that looks along x.
        boxes = boxes + np.stack([0.0 * made.width, made.width / 2], axis=-1)[..., None, :]
    try:
        bodies = carom.Trajectories(
            boxes, made.poses, present=made.present, times=made.seconds, motion=motion
        )
    except InputError as why:
        raise _of_agent(why, made.agents) from None
    return Log(bodies, made.agents, made.times)


@dataclass(frozen=True)
class Converted:
    """A long table as arrays of K agents and T times."""

    agents: pd.Index
    times: pd.Index
    seconds: NDArray[np.float64]
    """The times as float64: seconds since the first if they are dated."""
    poses: NDArray[np.float64]
    """Of shape (K, T, 3), NaN where an agent is absent."""
    present: NDArray[np.bool_]
    length: Any
    """One for each agent, or for all, and so the width."""
    width: Any


def converted(
    frame: Any,
    *,
    agent: str,
    time: str,
    x: str,
    y: str,
    heading: str | None,
    length: str | float,
    width: str | float,
    angle: str,
    is_turned: bool,
    every: Any,
    max_gap: Any,
) -> Converted:
    """The arrays of a long table."""
    table = Table(frame, agent, time)
    if len(table.frame) == 0:
        raise InputValueError("the table has no rows; expected one or more", at="frame")
    scale, ticks = clock.read(table, time)
    positions = table.finite("x", x), table.finite("y", y)
    headings = None if heading is None else _headings(table, heading, angle)
    sizes: Any = table.sizes("length", length), table.sizes("width", width)
    if any(isinstance(size, np.ndarray) for size in sizes):
        sizes = np.broadcast_arrays(*sizes)
    times: Any
    steps, times = pd.factorize(ticks, sort=True)
    order = in_order(table, steps)
    reports = Reports(
        table.codes[order],
        positions[0][order],
        positions[1][order],
        None if headings is None else headings[order],
    )
    steps, ticks = steps[order], ticks[order]
    if every is None:
        refuse_own_times(reports.is_followed(), steps)
        clock.refuse_rounded_twins(scale, times, time)
    else:
        given = clock.resampling(scale, ticks, every, max_gap)
        scale, times = given.scale, given.clock
        refuse_too_many(len(table.agents), len(times))
        reports, steps = resampled(reports, given)
    reports = reports.with_headings() if is_turned else reports.along_axes()
    poses, present = on_grid(reports, steps, len(table.agents), len(times))
    index, seconds = scale.index(times), scale.numbers(times)
    return Converted(table.agents, index, seconds, poses, present, *sizes)


def in_order(table: Table, steps: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows in the order of agents and of time; two of the same agent and time are refused."""
    cells = table.codes * (int(steps.max(initial=0)) + 1) + steps
    order: NDArray[np.int64] = np.argsort(cells)
    if np.any(cells[order[1:]] == cells[order[:-1]]):
        row = np.flatnonzero(pd.Series(cells).duplicated())[0]
        raise table.repeated(row, np.flatnonzero(cells == cells[row])[0])
    return order


def _headings(table: Table, name: str, angle: str) -> NDArray[np.float64]:
    """The headings of a column, in radians counterclockwise from the x axis."""
    values = table.finite("heading", name)
    if angle == "radians":
        return values
    if angle == "degrees":
        return np.radians(values)
    for row in np.flatnonzero(np.abs(values) > 360.0)[:1]:
        raise table.refusal(
            "heading",
            row,
            f"expected degrees from -360 to 360, got {values[row]}; AIS has 511 where the heading "
            "is not known",
        )
    return np.radians(90.0 - values)


def _refuse_options(reference: Any, angle: Any, heading: Any, every: Any, max_gap: Any) -> None:
    overhang = as_number(reference)
    expected = f"expected a number or one of {', '.join(_REFERENCES)}"
    if overhang is None and not isinstance(reference, str):
        kind = type(reference).__name__
        raise InputTypeError(f"{expected}, got {kind}", at="reference")
    if overhang is not None and not math.isfinite(overhang):
        raise InputValueError(f"expected a finite number, got {reference}", at="reference")
    if overhang is None and reference not in _REFERENCES:
        raise InputValueError(f"{expected}, got {reference!r}", at="reference")
    if angle not in _ANGLES:
        wrong = f"expected one of {', '.join(_ANGLES)}, got {angle!r}"
        raise InputValueError(wrong, at="angle")
    if reference == "corner" and heading is not None:
        raise InputValueError(
            "boxes given by a corner lie along the axes; with headings, make x and y the center, "
            'and reference="center"',
            at="heading",
        )
    if every is None and max_gap is not None:
        raise InputValueError("needs every=, the step of the clock", at="max_gap", link=" ")
    if every is not None and max_gap is None:
        raise InputValueError(
            "is required with every=: the largest interval between two reports of an agent across "
            "which poses are interpolated; math.inf has no limit",
            at="max_gap",
            link=" ",
        )


def _of_agent(error: InputError, agents: pd.Index) -> InputError:
    """The error of a row of trajectories, with the label of its agent."""
    row = error.row[0] if isinstance(error.row, tuple) else error.row
    if row is None or error.argument not in ("poses", "footprints"):
        return error
    label = plain(agents[row])
    text = f"{place_of(error)} (agent {label!r})"
    return again(error, at=Place(error.argument, error.row, text, label))

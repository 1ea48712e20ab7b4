"""Rows of a log as poses, one for each agent and step of the clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from carom._input_error import InputValueError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from carom.interop.logs.clock import Resampling

_MOST_POSES = 10**9
"""Poses of all agents at all times, present or not: 24 GB."""


@dataclass(frozen=True)
class Reports:
    """Poses in the order of agents, those of an agent in the order of time."""

    agent: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    heading: NDArray[np.float64] | None

    def is_followed(self) -> NDArray[np.bool_]:
        """Whether the next report is of the same agent; one less than there are reports."""
        followed: NDArray[np.bool_] = self.agent[1:] == self.agent[:-1]
        return followed

    def along_axes(self) -> Reports:
        """The reports with headings along the x axis."""
        return replace(self, heading=np.zeros(len(self.x)))

    def with_headings(self) -> Reports:
        """The reports, with the headings of the motion if they have none."""
        if self.heading is not None:
            return self
        heading = headings_of_motion(self.is_followed(), self.x, self.y)
        return replace(self, heading=heading)


def headings_of_motion(
    is_followed: NDArray[np.bool_], x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The direction to the next pose; where a body stands, that of its last motion.

    Before its first motion it is the direction of that one, and 0 of a body that never moves.
    """
    dx, dy = np.diff(x), np.diff(y)
    moves = is_followed & ((dx != 0) | (dy != 0))
    # Agents are told apart by the report that they begin with, those before and after by bounds.
    begins = np.flatnonzero(np.concatenate([[True], ~is_followed]))
    counts = np.diff(np.append(begins, len(x)))
    first, end = np.repeat(begins, counts), np.repeat(begins + counts, counts)
    row = np.arange(len(x))
    moving = np.append(moves, False)
    last = np.maximum.accumulate(np.where(moving, row, -1))
    following = np.minimum.accumulate(np.where(moving, row, len(x))[::-1])[::-1]
    chosen = np.where(last >= first, last, following)
    known = chosen < end
    directions = np.append(np.arctan2(dy, dx), 0.0)
    return np.where(known, directions[np.minimum(chosen, len(x) - 1)], 0.0)


def short_way(turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """The angle between -pi and pi that leads to the same heading."""
    return turn - 2 * np.pi * np.rint(turn / (2 * np.pi))


def resampled(reports: Reports, given: Resampling) -> tuple[Reports, NDArray[np.int64]]:
    """The poses at the times of the clock, interpolated between reports, and their steps."""
    clock, ticks = given.clock, given.reports
    # Each report gives the poses from its own time to before the next report. Where the interval
    # to that one is too long, or the agent has no other, it gives that of its own time alone.
    begin = np.searchsorted(clock, ticks, side="left")
    is_joined = np.append(reports.is_followed() & (np.diff(ticks) <= given.max_gap), False)
    end = np.where(is_joined, np.append(begin[1:], 0), np.searchsorted(clock, ticks, side="right"))
    counts = end - begin
    report = np.repeat(np.arange(len(ticks)), counts)
    within = np.arange(len(report)) - np.repeat(np.cumsum(counts) - counts, counts)
    step = begin[report] + within
    since = clock[step] - ticks[report]
    is_between = since > 0
    after = np.where(is_between, report + 1, report)
    whole = np.where(is_between, ticks[after] - ticks[report], 1)
    part = since / whole

    def interpolated(values: NDArray[np.float64], turns: bool = False) -> NDArray[np.float64]:
        change = values[after] - values[report]
        between: NDArray[np.float64] = part * (short_way(change) if turns else change)
        return values[report] + between

    heading = None if reports.heading is None else interpolated(reports.heading, turns=True)
    x, y = interpolated(reports.x), interpolated(reports.y)
    return Reports(reports.agent[report], x, y, heading), step


def refuse_too_many(agents: int, times: int) -> None:
    """Refuses a table that would fill the memory."""
    if agents * times > _MOST_POSES:
        raise InputValueError(
            f"{agents:,} agents at {times:,} times are more than {_MOST_POSES:,} poses, absent "
            "ones included; divide the table by time",
            at="frame",
        )


def on_grid(
    reports: Reports, step: NDArray[np.int64], agents: int, times: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Poses `(agents, times, 3)`, NaN where an agent is absent, and where it is present."""
    refuse_too_many(agents, times)
    poses = np.full((agents, times, 3), np.nan)
    present = np.zeros((agents, times), dtype=np.bool_)
    cell = reports.agent * times + step
    rows = poses.reshape(-1, 3)
    rows[cell, 0], rows[cell, 1], rows[cell, 2] = reports.x, reports.y, reports.heading
    present.reshape(-1)[cell] = True
    return poses, present


def refuse_own_times(is_followed: NDArray[np.bool_], step: NDArray[np.int64]) -> None:
    """Refuses a clock on which less than half of the agents' successive reports are successive."""
    successive = int(np.count_nonzero(is_followed & (np.diff(step) == 1)))
    if 2 * successive < (count := int(np.count_nonzero(is_followed))):
        raise InputValueError(
            f"the agents report at times of their own: of {count} pairs of successive reports of "
            f"an agent, {successive} are successive among the times of all, and no motion is made "
            "up between the others; every= gives all a clock of equal steps, and max_gap= is the "
            "largest interval between two reports across which poses are interpolated",
            at="time",
        )

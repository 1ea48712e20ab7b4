"""Times of a log as ticks, which are numbers, and back as an index of pandas."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from carom._input_error import InputTypeError, InputValueError
from carom.interop.logs.table import as_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from carom.interop.logs.table import Table

_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_SAME = 1e-9
"""Times that differ by this share of a step are one: `3 * 0.1` is not 0.3 in float64."""

_NAT = np.iinfo(np.int64).min
"""The ticks of NaT."""


@dataclass(frozen=True)
class Scale:
    """What ticks are: timestamps ("M"), durations ("m"), integers ("i") or other numbers ("f").

    Ticks of timestamps and durations are int64 numbers of `unit`, others float64 numbers.
    """

    kind: str
    unit: str = ""
    zone: Any = None

    @property
    def is_dated(self) -> bool:
        """Whether the times are timestamps or durations."""
        return self.kind in ("M", "m")

    def index(self, ticks: NDArray[Any]) -> Any:
        """The times of ticks as pandas has them."""
        if not self.is_dated:
            integers = {"i": np.int64, "u": np.uint64}.get(self.kind)
            return pd.Index(ticks if integers is None else ticks.astype(integers), name="time")
        dated = ticks.view(f"{self.kind}8[{self.unit}]")
        if self.kind == "m":
            return pd.TimedeltaIndex(dated, name="time")
        index = pd.DatetimeIndex(dated, name="time")
        return index if self.zone is None else index.tz_localize("UTC").tz_convert(self.zone)

    def numbers(self, ticks: NDArray[Any]) -> NDArray[np.float64]:
        """Times as float64: seconds since the first, or the numbers that they are."""
        if not self.is_dated:
            return ticks
        seconds: NDArray[np.float64] = (ticks - ticks[0]) / _PER_SECOND[self.unit]
        return seconds

    def with_unit(self, unit: str, ticks: NDArray[Any]) -> tuple[Scale, NDArray[Any]]:
        """The scale and ticks in another unit."""
        if unit == self.unit:
            return self, ticks
        finer: NDArray[np.int64] = self.index(ticks).as_unit(unit).asi8
        return replace(self, unit=unit), finer


def read(table: Table, name: str) -> tuple[Scale, NDArray[Any]]:
    """What the times of a column are, and the ticks of its rows."""
    column = table.column("time", name)
    kind = getattr(column.dtype, "kind", "O")
    if kind in ("M", "m"):
        index: Any = pd.DatetimeIndex(column) if kind == "M" else pd.TimedeltaIndex(column)
        ticks, is_time = index.asi8, index.notna()
        scale = Scale(kind, index.unit, index.tz if kind == "M" else None)
    elif kind in ("i", "u", "f"):
        ticks = table.numbers("time", column)
        is_time, scale = np.isfinite(ticks), Scale(kind)
    else:
        raise InputTypeError(
            f"expected a column of numbers, timestamps or durations, got {name!r} of the type "
            f"{column.dtype}; pandas.to_datetime({table.name}[{name!r}], utc=True) reads dates",
            at="time",
        )
    for row in np.flatnonzero(~is_time)[:1]:
        raise table.without_time(row)
    return scale, ticks


def refuse_rounded_twins(scale: Scale, clock: NDArray[Any], name: str) -> None:
    """Refuses two times that differ by rounding: agents that have one are absent at the other."""
    if scale.kind != "f" or len(clock) < 3:
        return
    steps, mean = np.diff(clock), float((clock[-1] - clock[0]) / (len(clock) - 1))
    same = _same(mean, clock)
    # On a clock of steps as short as its rounding, all times would be twins.
    for k in np.flatnonzero(steps <= same)[:1] if mean > 2 * same else ():
        digits = max(0, 3 - math.floor(math.log10(mean)))
        raise InputValueError(
            f"{clock[k]} and {clock[k + 1]} are two times, and seem to differ by rounding alone; "
            f"no agent would move from one to the other: frame[{name!r}].round({digits}) makes "
            "them one",
            at="time",
        )


def _same(step: float, clock: NDArray[np.float64]) -> float:
    """The difference up to which two times are one, on a clock of this step."""
    return max(_SAME * step, 4 * float(np.spacing(np.abs(clock[[0, -1]]).max())))


@dataclass(frozen=True)
class Resampling:
    """A clock at equal intervals, and across which intervals poses are interpolated."""

    scale: Scale
    clock: NDArray[Any]
    reports: NDArray[Any]
    """The ticks of the reports on this scale."""
    max_gap: float
    """The largest interval between reports across which poses are interpolated, in ticks."""


def resampling(scale: Scale, reports: NDArray[Any], every: Any, max_gap: Any) -> Resampling:
    """The clock from the first report to the last, or to the time before it."""
    read_interval = _duration if scale.is_dated else _number
    step, gap = read_interval("every", every), read_interval("max_gap", max_gap)
    if step == math.inf:
        raise InputValueError("expected a finite interval, got inf", at="every")
    if scale.is_dated:
        return _of_ticks(scale, reports, step, gap)
    times = np.unique(reports)
    begin, end, same = float(times[0]), float(times[-1]), _same(step, times)
    steps = np.arange(_count((end - begin + same) / step), dtype=np.float64)
    longest = _with_rounding(scale, times, gap)
    if not step.is_integer():
        scale = replace(scale, kind="f")
    clock = _snapped(begin + step * steps, times, same)
    return Resampling(scale, clock, reports, longest)


def longest_gap(scale: Scale, ticks: NDArray[Any], max_gap: Any) -> Any:
    """The largest interval between reports across which there is motion, in ticks of the scale."""
    if max_gap is None:
        return math.inf
    if not scale.is_dated:
        return _with_rounding(scale, ticks, _number("max_gap", max_gap))
    gap = _duration("max_gap", max_gap)
    # Ticks are integers: what is not longer than the interval is not longer than its whole ticks.
    return gap if gap == math.inf else gap // pd.Timedelta(1, unit=scale.unit)


def _with_rounding(scale: Scale, ticks: NDArray[np.float64], gap: float) -> float:
    """The longest interval between times that are numbers and no longer than `gap` but by rounding.

    Differences of integers are not rounded.
    """
    if scale.kind != "f" or len(ticks) == 0:
        return gap
    return gap + _same(gap, np.array([ticks.min(), ticks.max()]))


def _of_ticks(scale: Scale, reports: NDArray[Any], every: Any, max_gap: Any) -> Resampling:
    """The clock of timestamps or durations, in a unit that holds both intervals exactly."""
    for interval in (every, max_gap):
        scale, reports = scale.with_unit(_unit_for(interval, scale.unit), reports)
    step, begin, end = _ticks(every, scale.unit), int(reports.min()), int(reports.max())
    clock = begin + step * np.arange(_count((end - begin) // step), dtype=np.int64)
    return Resampling(scale, clock, reports, _ticks(max_gap, scale.unit))


def _count(steps: float) -> int:
    """How many times a clock of so many steps has."""
    if steps >= 10**8:
        raise InputValueError(
            f"the table lasts {steps:.3g} such steps; is it in the unit of the times?", at="every"
        )
    return int(steps) + 1


def _snapped(
    clock: NDArray[np.float64], reports: NDArray[np.float64], same: float
) -> NDArray[np.float64]:
    """The clock with the times of reports in place of those that differ by rounding."""
    after = np.minimum(np.searchsorted(reports, clock), len(reports) - 1)
    before = np.maximum(after - 1, 0)
    is_before = np.abs(clock - reports[before]) < np.abs(clock - reports[after])
    nearest = reports[np.where(is_before, before, after)]
    snapped: NDArray[np.float64] = np.where(np.abs(clock - nearest) <= same, nearest, clock)
    return snapped


def _number(argument: str, given: Any) -> float:
    """An interval between times that are numbers."""
    number = as_number(given)
    if number is None:
        kind = type(given).__name__
        raise InputTypeError(f"expected a number, as the times are, got {kind}", at=argument)
    if not number > 0:
        raise InputValueError(f"expected a number above 0, got {given}", at=argument)
    return number


def _duration(argument: str, given: Any) -> Any:
    """An interval between timestamps or durations, a Timedelta or infinite."""
    if as_number(given) == math.inf:
        return math.inf
    if not isinstance(given, str | timedelta | np.timedelta64 | pd.offsets.BaseOffset):
        raise InputTypeError(
            f"expected text such as '1s' or a Timedelta, since the times are dated, got {given!r}",
            at=argument,
        )
    try:
        interval = pd.Timedelta(given)
    except ValueError as why:
        raise InputValueError(f"{given!r} is not an interval: {why}", at=argument) from None
    if not interval > pd.Timedelta(0):
        raise InputValueError(f"expected an interval above 0, got {given!r}", at=argument)
    return interval


def _unit_for(interval: Any, unit: str) -> str:
    """The unit if it holds the interval exactly, else that of the interval."""
    if interval != math.inf:
        with suppress(ValueError):
            interval = interval.as_unit(unit, round_ok=False)
        unit = interval.unit
    return unit


def _ticks(interval: Any, unit: str) -> Any:
    if interval == math.inf:
        return interval
    return int(interval.as_unit(unit).to_timedelta64().astype(np.int64))


def at(times: pd.Index, step: NDArray[np.int64], time: NDArray[np.float64]) -> Any:
    """When contacts are: times like those of the log, interpolated within the step.

    Timestamps and durations are in microseconds or in the finer unit of the log, and NaT where
    there is no contact; numbers are infinite there.
    """
    met = step >= 0
    after = np.minimum(step + 1, len(times) - 1)
    part = np.where(met, time, 0.0)
    if not isinstance(times, pd.DatetimeIndex | pd.TimedeltaIndex):
        numbers = times.to_numpy(np.float64)
        between = numbers[step] + part * (numbers[after] - numbers[step])
        return np.where(met, np.where(part == 0, numbers[step], between), time)
    fine = times.as_unit("us") if times.unit in ("s", "ms") else times
    ticks = fine.asi8
    since = np.rint(part * (ticks[after] - ticks[step])).astype(np.int64)
    is_date = isinstance(fine, pd.DatetimeIndex)
    scale = Scale("M" if is_date else "m", fine.unit, fine.tz if is_date else None)
    return scale.index(np.where(met, ticks[step] + since, _NAT))

"""How long the frame of time of a motion is, and the times of results as a table tells them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from carom._input_error import InputTypeError, InputValueError, Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

VELOCITIES = ("velocity", "velocity_a", "velocity_b")
_TIMES = ("time", "enter", "leave")
"""The columns that are times within the frame, from 0 to 1, infinite for never."""
_NAT = np.iinfo(np.int64).min
"""The ticks of NaT."""
_LARGEST_INTEGER = 2**53
"""float64 has every integer up to it."""


@dataclass(frozen=True)
class Duration:
    """The duration of a frame of time: a number of units, or a time span, which is in seconds."""

    units: float
    span: pd.Timedelta | None = None
    start: pd.Timestamp | None = None

    def displacement(self, velocity: Any) -> Any:
        """The float64 product of velocities per unit and the duration.

        Numbers that float64 doesn't have, and what is no number, are left for carom to refuse.
        """
        kind, is_exact = velocity.dtype.kind, velocity.dtype.itemsize <= np.float64().itemsize
        if kind in "iu":
            is_exact = bool((np.abs(velocity) <= _LARGEST_INTEGER).all())
        if kind in "fiu" and is_exact:
            # An infinite product is refused, or masked.
            with np.errstate(over="ignore"):
                return velocity.astype(np.float64) * self.units
        product = np.frompyfunc(self._product, 1, 1)
        found = np.asarray(product(np.ma.getdata(velocity).astype(object)), dtype=object)
        is_masked = isinstance(velocity, np.ma.MaskedArray)
        return np.ma.array(found, mask=velocity.mask) if is_masked else found

    def _product(self, number: Any) -> Any:
        if not _is_number(number):
            return number
        try:
            rounded = float(number)
        except (OverflowError, TypeError):
            return number
        return number if math.isfinite(rounded) and rounded != number else rounded * self.units

    def refuse_overflow(self, name: str, velocity: Any, displacement: Any) -> None:
        """Refuses a finite velocity whose product with the duration is not."""
        if displacement.dtype.kind != "f":
            return
        overflows = (np.isfinite(velocity) & np.isinf(displacement)).any(axis=-1)
        for row in np.flatnonzero(overflows)[:1]:
            given = tuple(np.atleast_2d(velocity)[row].tolist())
            at = Place(name, int(row)) if overflows.ndim else name
            raise InputValueError(
                f"{given} times the duration {self.units!r} is not finite", at=at, link=" "
            )

    def times(self, time: NDArray[np.float64]) -> Any:
        """Times within the frame as numbers, time spans or timestamps; NaT for never."""
        if self.span is None:
            return time * self.units
        # As of logs: a time is hardly known to the nanosecond.
        unit = "ns" if self.span.unit == "ns" else "us"
        ticks = int(self.span.as_unit(unit).to_timedelta64().astype(np.int64))
        is_time, is_end = np.isfinite(time), time == 1.0
        since = np.rint(np.where(is_time & ~is_end, time, 0.0) * ticks).astype(np.int64)
        # The end of the frame is exact, also of spans that float64 doesn't have.
        since[is_end] = ticks
        spans = pd.TimedeltaIndex(np.where(is_time, since, _NAT).view(f"m8[{unit}]"))
        return spans if self.start is None else self.start + spans


def read_duration(duration: Any, start: Any, motion: Mapping[str, Any]) -> Duration | None:
    """The duration and the start of a frame in which shapes have this motion."""
    if duration is None:
        if start is not None:
            raise InputValueError("given without duration, how long the frame is", at="start")
        return None
    if all(motion.get(name) is None for name in VELOCITIES):
        raise InputValueError("given without a velocity, which it multiplies", at="duration")
    if _is_number(duration):
        units, span = _number(duration), None
    else:
        span = _span(duration)
        units = span.total_seconds()
    if not 0.0 < units < math.inf:
        raise InputValueError(
            f"expected a finite duration above 0, got {duration!r}", at="duration"
        )
    found = Duration(units, span, None if start is None else _start(start, span))
    try:
        found.times(np.ones(1))
    except (OverflowError, ValueError):  # The latter is that of a start in coarser units.
        unit = found.start.unit if found.start is not None else ""
        raise InputValueError(
            f"{start!r} and the duration {duration!r} after it exceed the times of the unit {unit}",
            at="start",
        ) from None
    return found


def timed(table: pd.DataFrame, duration: Duration | None) -> pd.DataFrame:
    """A table with its times in the unit of the duration."""
    if duration is not None:
        for name in _TIMES:
            if name in table:
                times = duration.times(table[name].to_numpy())
                table[name] = pd.Series(times, index=table.index)
    return table


def _is_number(given: Any) -> bool:
    # NumPy's time spans are integers, too.
    return isinstance(given, Real) and not isinstance(given, bool | np.timedelta64)


def _number(duration: Real) -> float:
    try:
        return float(duration)
    except OverflowError:
        return math.inf


def _span(duration: Any) -> pd.Timedelta:
    if not isinstance(duration, str | timedelta | np.timedelta64):
        raise InputTypeError(
            f"expected a number, a Timedelta, or text such as '6h', got {type(duration).__name__}",
            at="duration",
        )
    if not _has_unit(duration):
        raise InputValueError(f"expected a unit, as in '6h', got {duration!r}", at="duration")
    try:
        span = pd.Timedelta(duration)
        if isinstance(span, pd.Timedelta):
            # The unit of results.
            span.as_unit("ns" if span.unit == "ns" else "us")
    except ValueError as why:
        raise InputValueError(f"{duration!r} is not a time span: {why}", at="duration") from None
    if not isinstance(span, pd.Timedelta):
        raise InputValueError("expected a time span, got NaT", at="duration")
    return span


def _has_unit(duration: Any) -> bool:
    """Whether a time span has a unit or colons; pandas takes other numbers as nanoseconds."""
    if isinstance(duration, str):
        return ":" in duration or any(map(str.isalpha, duration))
    if isinstance(duration, np.timedelta64):
        return bool(np.isnat(duration)) or np.datetime_data(duration.dtype)[0] != "generic"
    return True


def _start(start: Any, span: pd.Timedelta | None) -> pd.Timestamp:
    if span is None:
        raise InputValueError(
            "requires a duration that is a time span, such as '6h', and not a number", at="start"
        )
    if not isinstance(start, str | date | np.datetime64):
        raise InputTypeError(
            f"expected a Timestamp, or text, got {type(start).__name__}", at="start"
        )
    try:
        found = pd.Timestamp(start)
    except ValueError as why:
        raise InputValueError(f"{start!r} is not a time: {why}", at="start") from None
    if not isinstance(found, pd.Timestamp):
        raise InputValueError("expected a time, got NaT", at="start")
    return found

"""A long table as arrays: its columns, checked, and errors that name agent and time."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from carom._input_error import InputTypeError, InputValueError, Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_EXACT = 2**53
"""All integers up to here are float64 numbers."""


class Table:
    """A data frame, and the names of the columns that tell whose row it is, and of what time.

    `name` is that of the argument, by which messages call it. Messages call a row by its number, or
    as `place` does of an argument, the index and the number.
    """

    def __init__(
        self,
        frame: Any,
        agent: Any,
        time: Any,
        name: str = "frame",
        place: Callable[[str, pd.Index, int], Place] | None = None,
    ) -> None:
        self.frame, self.name, self._labelled = as_frame(frame, name), name, place
        self._who, self._when = self.column("agent", agent), self.column("time", time)
        codes, labels = pd.factorize(self._who)
        for row in np.flatnonzero(codes < 0)[:1]:
            reason = f"expected a label, got {self._who.iloc[row]!r}"
            raise InputValueError(reason, at=self._place("agent", row))
        self.codes: NDArray[np.int64] = codes.astype(np.int64)
        """The number of the agent of each row, in the order of first appearance."""
        self.agents: pd.Index = pd.Index(labels, name="agent")
        self.first = np.empty(len(self.agents), dtype=np.int64)
        """The first row of each agent in the table."""
        # Of values assigned to the same element, the last stays.
        self.first[self.codes[::-1]] = np.arange(len(self.codes))[::-1]

    def column(self, argument: str, name: Any) -> Any:
        """The column of this name."""
        if not isinstance(name, str):
            kind = type(name).__name__
            raise InputTypeError(f"expected the name of a column, got {kind}", at=argument)
        columns = list(self.frame.columns)
        if name not in columns:
            where = f"no column is called {name!r}; the columns are {columns}"
            if name in self.frame.index.names:
                where += f"; {self.name}.reset_index() makes columns of the index"
            elif argument in ("x", "y") and hasattr(self.frame, "geometry"):
                x, y = (f"{it}={self.name}.geometry.{it}" for it in "xy")
                where += f"; {self.name}.assign({x}, {y}) makes some"
            raise InputValueError(where, at=argument)
        if columns.count(name) > 1:
            raise InputValueError(f"several columns are called {name!r}", at=argument)
        return self.frame[name]

    def finite(self, argument: str, name: Any) -> NDArray[np.float64]:
        """The numbers of a column, all of them finite."""
        values = self.numbers(argument, self.column(argument, name))
        for row in np.flatnonzero(~np.isfinite(values))[:1]:
            advice = ""
            if np.isnan(values[row]) and argument == "heading":
                advice = "; without heading= it is that of the motion"
            elif np.isnan(values[row]) and argument in ("x", "y"):
                rest = f"{self.name}.dropna(subset={[name]})"
                advice = f"; rows at which an agent is absent are left out: {rest}"
            wrong = f"expected a finite number, got {values[row]}{advice}"
            raise self.refusal(argument, row, wrong)
        return values

    def numbers(self, argument: str, column: Any) -> NDArray[np.float64]:
        """The numbers of a column, NaN where there is none."""
        kind = getattr(column.dtype, "kind", "O")
        if kind not in ("i", "u", "f"):
            raise InputTypeError(
                f"expected a column of numbers, got {column.name!r} of the type {column.dtype}"
                f"; pandas.to_numeric({self.name}[{column.name!r}]) makes numbers of text",
                at=argument,
            )
        if kind == "f":
            floats: NDArray[np.float64] = column.to_numpy(np.float64, na_value=np.nan)
            return floats
        missing = column.isna().to_numpy()
        exact = column.to_numpy(np.int64 if kind == "i" else np.uint64, na_value=0)
        floats = exact.astype(np.float64)
        for row in np.flatnonzero(np.abs(floats) >= _EXACT):
            if int(floats[row]) != int(exact[row]):
                wrong = f"no float64 number is {int(exact[row])}"
                raise InputValueError(wrong, at=self._place(argument, row))
        floats[missing] = np.nan
        return floats

    def sizes(self, argument: str, given: Any, *, may_be_0: bool = False) -> Any:
        """One size for each agent, above 0 unless it may be 0; a float if it is one for all."""
        # `math.ulp(0.0)` is the smallest float64 number above 0.
        least, at_least = (0.0, "of 0 or more") if may_be_0 else (math.ulp(0.0), "above 0")
        if (size := as_number(given)) is not None:
            if not least <= size < math.inf:
                wrong = f"expected a finite number {at_least}, got {given}"
                raise InputValueError(wrong, at=argument)
            return size
        if not isinstance(given, str):
            raise InputTypeError(
                f"expected a number or the name of a column, got {type(given).__name__}",
                at=argument,
            )
        values = self.finite(argument, given)
        for row in np.flatnonzero(values < least)[:1]:
            raise self.refusal(argument, row, f"expected a number {at_least}, got {values[row]}")
        of_agents = values[self.first]
        for row in np.flatnonzero(values != of_agents[self.codes])[:1]:
            before = self.first[self.codes[row]]
            raise self.refusal(
                argument,
                row,
                f"is {values[row]}, and was {values[before]} at {self.when(before)}; expected one "
                f"for each agent: {self.name}.groupby({self._who.name!r})[{given!r}]"
                ".transform('first')",
                link=" ",
            )
        return of_agents

    def without_time(self, row: int) -> InputValueError:
        """The error for a row without a time."""
        wrong = f"agent {self.who(row)}: expected a time, got {self._when.iloc[row]}"
        return InputValueError(wrong, at=self._place("time", row))

    def repeated(self, row: Any, before: Any) -> InputValueError:
        """The error for a second row of the same agent and time."""
        names = [self._who.name, self._when.name]
        other = f"row {before}" if self._labelled is None else self._place(self.name, before)
        reason = (
            f"agent {self.who(row)} at {self.when(row)} has {other} already; expected one for "
            f"each agent and time: {self.name}.drop_duplicates({names}) keeps the first"
        )
        return InputValueError(reason, at=self._place("time", row))

    def refusal(self, argument: str, row: Any, wrong: str, link: str = ": ") -> InputValueError:
        """The error for a row, which names its agent and time."""
        reason = f"agent {self.who(row)} at {self.when(row)}{link}{wrong}"
        return InputValueError(reason, at=self._place(argument, row))

    def who(self, row: Any) -> str:
        """The agent of a row, for messages."""
        return repr(plain(self._who.iloc[row]))

    def when(self, row: Any) -> str:
        """The time of a row, for messages."""
        return f"time {self._when.iloc[row]}"

    def _place(self, argument: str, row: Any) -> Place:
        if self._labelled is not None:
            return self._labelled(argument, self.frame.index, int(row))
        return Place(argument, int(row), label=plain(self.frame.index[row]))


def as_frame(given: Any, name: str = "frame") -> Any:
    """A table as a data frame of pandas."""
    if isinstance(given, pd.DataFrame):
        return given
    advice = ""
    if hasattr(given, "__dask_graph__"):
        advice = f"; {name}.compute() brings one of Dask into memory"
    elif hasattr(given, "__arrow_c_stream__") and not isinstance(given, pd.Series):
        try:
            import pyarrow as pa
        except ImportError:
            advice = "; install pyarrow, which makes one of a table of Arrow or polars"
        else:
            return pa.table(given).to_pandas()
    elif isinstance(given, dict | list):
        advice = f"; pandas.DataFrame({name}) makes one"
    elif hasattr(given, "collect"):
        advice = f"; {name}.collect() brings a lazy one into memory"
    kind = type(given).__name__
    raise InputTypeError(f"expected a DataFrame of pandas, got {kind}{advice}", at=name)


def as_number(given: Any) -> float | None:
    """A number as a float; None of anything else, of truth values and of times."""
    # NumPy counts intervals of time among the integers.
    if isinstance(given, bool | np.bool_ | np.timedelta64) or not isinstance(given, Real):
        return None
    return float(given)


def plain(label: Any) -> Any:
    """A label as Python writes it."""
    if isinstance(label, tuple):
        return tuple(plain(level) for level in label)
    return label.item() if isinstance(label, np.number | np.bool_) else label

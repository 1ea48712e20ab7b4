"""The margin and the motion of a join."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from carom._input_error import InputError, again, place_of
from carom.interop.geopandas.column import Column, is_missing, labelled
from carom.interop.geopandas.crs_checks import warn_of_degrees
from carom.interop.geopandas.duration import VELOCITIES
from carom.interop.geopandas.row_values import axes, of_rows, read, refuse_other_length

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from carom.interop.geopandas.duration import Duration

_LENGTHS = ("distance", "depth", "mtv", "separation")


class Motion:
    """The margin and the motion of two columns, one value for each row or one for all.

    The keyword of the margin may also be "distance", which messages then name. With a `Duration` as
    the keyword "duration", velocities are those per unit of it.
    """

    def __init__(
        self,
        a: Column,
        b: Column | None,
        keywords: Mapping[str, Any],
        names: tuple[str, str] = ("left", "right"),
    ) -> None:
        self.columns = (a, b)
        self.duration: Duration | None = keywords.get("duration")
        self.values: dict[str, Any] = {}
        for name in ("velocity_a", "velocity_b", "turn_a", "center_a", "turn_b", "center_b"):
            given = keywords.get(name)
            of = b if name.endswith("_b") else a
            if given is not None:
                whose = names[int(of is b)]
                self.values[name] = given if of is None else _read(name, given, of, whose)
                if name in VELOCITIES and of is not None:
                    self.values[name] = self._displacement(name, self.values[name], of)
        self.margin = "distance" if "distance" in keywords else "margin"
        if keywords.get(self.margin) is not None:
            self.values[self.margin] = _read(self.margin, keywords[self.margin], a, names[0])

    def _displacement(self, name: str, velocity: Any, of: Column) -> Any:
        """What velocities are over the frame of time."""
        if self.duration is None:
            return velocity
        displacement = self.duration.displacement(velocity)
        with labelled(**{name: (name, of.index)}):
            self.duration.refuse_overflow(name, velocity, displacement)
        return displacement

    @property
    def turning(self) -> str | None:
        """The name of a turn that is not 0, if there is one."""
        turns = [name for name in ("turn_a", "turn_b") if np.any(self.values.get(name, 0.0))]
        return turns[0] if turns else None

    @property
    def moves(self) -> bool:
        """Whether there are velocities or turns, be they 0."""
        return any(name.startswith(("velocity", "turn")) for name in self.values)

    def labels(self) -> dict[str, tuple[str, pd.Index]]:
        """The argument whose rows an error about one of these numbers refers to."""
        of_a, of_b = (None if it is None else it.index for it in self.columns)
        named = {name: of_b if name.endswith("_b") else of_a for name in self.values}
        return {name: (name, index) for name, index in named.items() if index is not None}

    def pairs(self, function: Callable[..., Any], **keywords: Any) -> Any:
        """The pairs that a join function finds."""
        a, b = (None if it is None else it.shapes for it in self.columns)
        values = {"margin" if it == self.margin else it: of for it, of in self.values.items()}
        with labelled(**self.labels()), named(margin=self.margin):
            return function(a, b, **values, **keywords)

    def warn_of_degrees(self, function: str, fields: Sequence[str] = ()) -> None:
        """Warns of lengths in degrees, given or asked for."""
        systems = [it.crs for it in self.columns if it is not None]
        lengths = [name for name in _LENGTHS if name in fields]
        warn_of_motion_in_degrees(function, self.values, *systems, lengths=lengths)

    def of_pairs(self, name: str, pairs: Any) -> Any:
        """The numbers of the rows in each pair, or one for all."""
        values = self.values.get(name)
        if values is None:
            return np.zeros(2)
        side = int(name.endswith("_b"))
        of = self.columns[side]
        return of_rows(values, 0 if of is None else len(of), axes(name), pairs[side])


def warn_of_motion_in_degrees(
    function: str, motion: Mapping[str, Any], *systems: Any, lengths: Sequence[str] = ()
) -> None:
    """Warns of a margin, velocities and these lengths in degrees."""
    given = [name for name in ("velocity_a", "velocity_b") if name in motion]
    given += [name for name in ("margin", "distance") if np.any(motion.get(name, 0.0) != 0.0)]
    given += [name for name in lengths if name not in given]
    if given:
        verb = "are" if len(given) > 1 else "is"
        warn_of_degrees(function, f"{' and '.join(given)} {verb}", *systems)


def with_own_motion(motion: Mapping[str, Any]) -> dict[str, Any]:
    """The motion of rows that are joined with themselves, as that of both sides."""
    given = {name: values for name, values in motion.items() if values is not None}
    return {name.replace("_a", "_b"): values for name, values in given.items()} | given


@contextmanager
def named(**given: str) -> Generator[None]:
    """Errors about these arguments begin with the names that they were given by."""
    try:
        yield
    except InputError as why:
        own = given.get(why.argument or "")
        if own is None:
            raise
        raise again(why, at=place_of(why).called(own)) from None


def _read(name: str, given: Any, of: Column, whose: str) -> Any:
    values = read(name, given, of.rows, of.index)
    refuse_other_length(name, values, axes(name), f"{whose} has {{}}", len(of))
    # What a missing row has in these columns doesn't matter.
    missing = is_missing(of.shapes)
    if missing.any() and values.ndim > axes(name) and len(values) == len(of):
        values = values.copy()
        values[missing] = 0
    return values

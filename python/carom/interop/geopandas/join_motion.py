"""The margin and the motion of a join, and numbers of its pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import carom
from carom.interop.geopandas.column import Column, is_missing, labelled
from carom.interop.geopandas.crs_checks import warn_of_degrees
from carom.interop.geopandas.row_values import axes, of_rows, read, refuse_other_length

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

_AT_REST: dict[str, Callable[..., Any]] = {
    "distance": carom.distance_batch,
    "closest_a": carom.distance_batch,
    "closest_b": carom.distance_batch,
    "depth": carom.sat_batch,
    "mtv": carom.sat_batch,
    "normal": carom.sat_batch,
    "separation": carom.sat_batch,
    "contact": carom.sat_batch,
}
_MOVING: dict[str, Callable[..., Any]] = {
    "intersects": carom.swept_collision_batch,
    "time": carom.swept_collision_batch,
    "normal": carom.swept_collision_batch,
    "contact": carom.swept_collision_batch,
    "mtv": carom.swept_collision_batch,
    "distance": carom.closest_approach_batch,
    "closest_a": carom.closest_approach_batch,
    "closest_b": carom.closest_approach_batch,
}
"""The functions that compute each field of a pair."""
_LENGTHS = ("distance", "depth", "mtv", "separation")
_WITH_MARGIN = (carom.sat_batch, carom.swept_collision_batch)
_PLACES = ("contact", "closest_a", "closest_b")
"""The fields that are points."""
_TURNS = ("turn_a", "center_a", "turn_b", "center_b")


class Motion:
    """The margin and the motion of two columns, one value for each row or one for all.

    The keyword of the margin may also be "distance", which messages then name.
    """

    def __init__(
        self,
        a: Column,
        b: Column | None,
        keywords: Mapping[str, Any],
        names: tuple[str, str] = ("left", "right"),
    ) -> None:
        self.columns = (a, b)
        self.values: dict[str, Any] = {}
        for name in ("velocity_a", "velocity_b", "turn_a", "center_a", "turn_b", "center_b"):
            given = keywords.get(name)
            of = b if name.endswith("_b") else a
            if given is not None:
                whose = names[int(of is b)]
                self.values[name] = given if of is None else _read(name, given, of, whose)
        self.margin = "distance" if "distance" in keywords else "margin"
        if keywords.get(self.margin) is not None:
            self.values[self.margin] = _read(self.margin, keywords[self.margin], a, names[0])

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

    def fields(self, wanted: Sequence[str], pairs: Any, threads: int | None) -> pd.DataFrame:
        """The fields of each pair, in columns as of `to_pandas`."""
        known = _MOVING if self.moves else _AT_REST
        wanted = _checked(wanted, known)
        tables = {
            function: self._table(
                function, [name for name in wanted if known[name] is function], pairs, threads
            )
            for function in dict.fromkeys(known[name] for name in wanted)
        }
        columns: dict[str, Any] = {}
        for name in wanted:
            table = tables[known[name]]
            chosen = [it for it in table.columns if it == name or it.startswith(f"{name}_")]
            columns |= {it: table[it] for it in chosen}
        return pd.DataFrame(columns, index=pd.RangeIndex(len(pairs[0])))

    def _table(
        self, function: Callable[..., Any], names: list[str], pairs: Any, threads: int | None
    ) -> pd.DataFrame:
        a, b = self.columns
        b = a if b is None else b
        keywords: dict[str, Any] = {"pairs": tuple(pairs), "threads": threads}
        if function in _WITH_MARGIN and self.margin in self.values:
            keywords["margin"] = self._of_pairs(self.margin, pairs)
        order = [a.shapes, b.shapes]
        if self.moves:
            order.append(self._of_pairs("velocity_a", pairs))
            for name in _TURNS:
                if name in self.values:
                    keywords[name] = self._of_pairs(name, pairs)
        places = []
        if "velocity_b" in self.values:
            # Not a public keyword: the result's places are relative to b.
            keywords["_velocity_b"] = self._of_pairs("velocity_b", pairs)
            places = [name for name in names if name in _PLACES]
        fields = (*names, "time") if places else tuple(names)
        with labelled(a=("left", a.index), b=("right", b.index)):
            table: pd.DataFrame = function(*order, fields=fields, **keywords).to_pandas()
        if places:
            _follow(table, places, keywords["_velocity_b"])
        return table

    def _of_pairs(self, name: str, pairs: Any) -> Any:
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


@contextmanager
def named(**given: str) -> Generator[None]:
    """Errors about these arguments begin with the names that they were given by."""
    try:
        yield
    except (TypeError, ValueError) as why:
        for name, own in given.items():
            if name != own and str(why).startswith(name):
                raise type(why)(str(why).replace(name, own, 1)) from None
        raise


def _read(name: str, given: Any, of: Column, whose: str) -> Any:
    values = read(name, given, of.rows, of.index)
    refuse_other_length(name, values, axes(name), f"{whose} has {{}}", len(of))
    # What a missing row has in these columns doesn't matter.
    missing = is_missing(of.shapes)
    if missing.any() and values.ndim > axes(name) and len(values) == len(of):
        values = values.copy()
        values[missing] = 0
    return values


def field_names(wanted: Iterable[str] | None) -> tuple[str, ...]:
    """The names of wanted fields, which may be given by an iterator."""
    if isinstance(wanted, str):
        raise TypeError(
            f"fields: expected a tuple of names, got a string; did you mean fields=({wanted!r},)?"
        )
    if wanted is None:
        raise TypeError("fields: expected a tuple of names, got None; () is none")
    return tuple(wanted)


def _checked(wanted: Sequence[str], known: dict[str, Any]) -> list[str]:
    for name in wanted:
        if name in known:
            continue
        if name in _MOVING:
            raise ValueError(f"fields: {name!r} needs a velocity or a turn")
        if name in _AT_REST:
            raise ValueError(f"fields: shapes that move have no {name!r}")
        names = ", ".join(known)
        raise ValueError(f"fields: no field is called {name!r}; the fields are {names}")
    return list(dict.fromkeys(wanted))


def _follow(table: pd.DataFrame, places: list[str], velocity: Any) -> None:
    """Moves points from the frame in which `b` does not translate to that of the coordinates."""
    time = table["time"].to_numpy()
    with np.errstate(invalid="ignore"):
        for axis, name in enumerate("xy"):
            shift = time * np.asarray(velocity, dtype=np.float64)[..., axis]
            for column in table.columns:
                if column.startswith(tuple(places)) and column.endswith(f"_{name}"):
                    table[column] += shift

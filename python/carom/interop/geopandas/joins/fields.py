"""The fields of the pairs of a join: numbers that are computed of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import shapely
from geopandas import GeoDataFrame
from geopandas.array import GeometryArray

import carom
from carom._input_error import InputTypeError, InputValueError
from carom.interop.geopandas.column import labelled
from carom.interop.geopandas.crs_checks import warn
from carom.interop.geopandas.duration import timed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carom.interop.geopandas.joins.motion import Motion

_AT_REST: dict[str, Callable[..., Any]] = {
    "distance": carom.distance_batch,
    "closest_a": carom.distance_batch,
    "closest_b": carom.distance_batch,
    "closest": carom.distance_batch,
    "depth": carom.penetration_batch,
    "mtv": carom.penetration_batch,
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
    "enter": carom.contact_intervals_batch,
    "leave": carom.contact_intervals_batch,
    "still_inside": carom.contact_intervals_batch,
    "closest": carom.closest_approach_batch,
}
"""The functions that compute each field of a pair."""
_WITH_MARGIN = (
    carom.sat_batch,
    carom.penetration_batch,
    carom.swept_collision_batch,
    carom.contact_intervals_batch,
)
_ENDS = ("closest_a", "closest_b")
"""The fields between which the line "closest" runs."""
_PLACES = ("contact", "closest_a", "closest_b")
"""The fields that are points."""
_TURNS = ("turn_a", "center_a", "turn_b", "center_b")


def fields_of_pairs(
    motion: Motion, wanted: Sequence[str], pairs: Any, threads: int | None
) -> pd.DataFrame:
    """The fields of each pair, in columns as of `to_pandas`."""
    known = _MOVING if motion.moves else _AT_REST
    wanted = _checked(wanted, known)
    if (turn := motion.turning) is not None:
        _refuse_turn(
            turn, [name for name in wanted if known[name] is carom.contact_intervals_batch]
        )
    tables = {
        function: _table(
            motion, function, [name for name in wanted if known[name] is function], pairs, threads
        )
        for function in dict.fromkeys(known[name] for name in wanted)
    }
    columns: dict[str, Any] = {}
    for name in wanted:
        table = tables[known[name]]
        if name == "closest":
            columns[name] = _lines(table)
            continue
        chosen = [it for it in table.columns if it == name or it.startswith(f"{name}_")]
        columns |= {it: table[it] for it in chosen}
    return timed(pd.DataFrame(columns, index=pd.RangeIndex(len(pairs[0]))), motion.duration)


def _lines(table: pd.DataFrame) -> GeometryArray:
    """The lines from `closest_a` to `closest_b`, without a CRS; missing where these are."""
    ends = np.stack([table[[f"{end}_x", f"{end}_y"]].to_numpy() for end in _ENDS], axis=1)
    found = ~np.isnan(ends).any(axis=(1, 2))
    lines = np.full(len(ends), None, dtype=object)
    lines[found] = shapely.linestrings(ends[found])
    return GeometryArray(lines)


def _table(
    motion: Motion, function: Callable[..., Any], names: list[str], pairs: Any, threads: int | None
) -> pd.DataFrame:
    a, b = motion.columns
    b = a if b is None else b
    if "closest" in names:
        names = list(dict.fromkeys([*(it for it in names if it != "closest"), *_ENDS]))
    keywords: dict[str, Any] = {"pairs": tuple(pairs), "threads": threads}
    if function in _WITH_MARGIN and motion.margin in motion.values:
        keywords["margin"] = motion.of_pairs(motion.margin, pairs)
    # Functions of motion need a velocity, and some of them take no turn, be it 0.
    moved = ("velocity_b", *_TURNS) if motion.turning else ("velocity_b",)
    given = ["velocity_a"] if motion.moves else []
    given += [name for name in moved if name in motion.values]
    keywords |= {name: motion.of_pairs(name, pairs) for name in given}
    with labelled(a=("left", a.index), b=("right", b.index)):
        if function is carom.contact_intervals_batch:
            return _first_and_last(function(a.shapes, b.shapes, **keywords))
        # Points that the functions tell are in the frame of reference in which b rests.
        places = [name for name in names if name in _PLACES and "velocity_b" in motion.values]
        fields = (*names, "time") if places else tuple(names)
        table: pd.DataFrame = function(a.shapes, b.shapes, fields=fields, **keywords).to_pandas()
    if places:
        _follow(table, places, keywords["velocity_b"])
    return table


def _first_and_last(found: carom.ContactIntervals) -> pd.DataFrame:
    """Of each pair the first touch, the end of the last, and whether they touch at time 1."""
    rows = found.to_pandas().groupby("row")
    every = range(len(found))
    table = pd.DataFrame(
        {
            "enter": rows["enter"].first().reindex(every),
            "leave": rows["leave"].last().reindex(every),
        }
    )
    # An interval ends with exactly 1 if, and only if, the shapes are in touch then.
    return table.assign(still_inside=table["leave"] == 1.0)


def asked_fields(wanted: Iterable[str] | None, distance_col: str | None = None) -> tuple[str, ...]:
    """The names of wanted fields, with a warning for each that is a method of GeoDataFrame, too.

    `distance_col` asks for the distance, and is the name of its column.
    """
    fields = field_names(wanted)
    for name in fields:
        if (name == "distance" and distance_col is not None) or not hasattr(GeoDataFrame, name):
            continue
        advice = "; distance_col= gives the column another name" if name == "distance" else ""
        warn(
            f"the column {name!r} is frame[{name!r}], as frame.{name} is a method of "
            f"GeoDataFrame{advice}"
        )
    return fields if distance_col is None else tuple(dict.fromkeys((*fields, "distance")))


def field_names(wanted: Iterable[str] | None) -> tuple[str, ...]:
    """The names of wanted fields, which may be given by an iterator."""
    if isinstance(wanted, str):
        raise InputTypeError(
            f"expected a tuple of names, got a string; did you mean fields=({wanted!r},)?",
            at="fields",
        )
    if wanted is None:
        raise InputTypeError("expected a tuple of names, got None; () is none", at="fields")
    return tuple(wanted)


def _checked(wanted: Sequence[str], known: dict[str, Any]) -> list[str]:
    for name in wanted:
        if name in known:
            continue
        if name in _MOVING:
            raise InputValueError(f"{name!r} needs a velocity or a turn", at="fields")
        if name in _AT_REST:
            raise InputValueError(f"shapes that move have no {name!r}", at="fields")
        names = ", ".join(known)
        raise InputValueError(f"no field is called {name!r}; the fields are {names}", at="fields")
    return list(dict.fromkeys(wanted))


def _refuse_turn(turn: str, wanted: Sequence[str]) -> None:
    for name in wanted[:1]:
        raise InputValueError(
            f"{name!r} is known of motion without a turn, and {turn} is given; 'time' is the first "
            "contact of shapes that turn",
            at="fields",
        )


def _follow(table: pd.DataFrame, places: list[str], velocity: Any) -> None:
    """Moves points from the frame in which `b` does not translate to that of the coordinates."""
    time = table["time"].to_numpy()
    with np.errstate(invalid="ignore"):
        for axis, name in enumerate("xy"):
            shift = time * np.asarray(velocity, dtype=np.float64)[..., axis]
            for column in table.columns:
                if column.startswith(tuple(places)) and column.endswith(f"_{name}"):
                    table[column] += shift

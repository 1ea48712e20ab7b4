"""Which rows of two frames are joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import carom
from carom._input_error import InputValueError
from carom.interop.geopandas.column import Column, labelled
from carom.interop.geopandas.join_fields import fields_of_pairs
from carom.interop.geopandas.join_frames import joined
from carom.interop.geopandas.join_motion import Motion, with_own_motion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from carom._progress import Told

HOW = ("inner", "left", "right")
SELF_PAIRS = ("all", "once")
MEETING = ("intersects", "dwithin")
"""The predicates of shapes that move, with radii too."""
_CONTAINING = ("contains", "within", "covers", "covered_by", "contains_properly")
_PREDICATES = (*MEETING, *_CONTAINING, "touches", "overlaps", "crosses", "equals")


@dataclass(frozen=True)
class Join:
    """What rows are joined by, and what the result has, of any two columns."""

    how: str
    predicate: str
    motion: Mapping[str, Any]
    fields: Sequence[str]
    on_attribute: Any
    suffixes: tuple[str, str]
    distance_col: str | None = None
    self_pairs: str = "all"

    def pairs(
        self,
        a: Column,
        b: Column,
        *,
        max_pairs: int | None = None,
        threads: int | None = None,
        progress: Told | None = None,
    ) -> tuple[Any, pd.DataFrame]:
        """The pairs of rows and their fields; `refuse_rows` has to come before."""
        shared = _shared(a.rows, b.rows, self.on_attribute)
        # Refuses what is no number of pairs.
        carom.candidate_pairs([], max_pairs=max_pairs)
        # Pairs that are left out here don't count.
        limits = {"max_pairs": None if shared else max_pairs, "threads": threads}
        pairs, motion = self._meeting(a, b, **limits, progress=progress)
        pairs = pairs[:, _agree(a.rows, b.rows, shared, pairs)]
        if max_pairs is not None and (found := pairs.shape[1]) > max_pairs:
            are = "is 1 pair" if found == 1 else f"are {found} pairs"
            raise InputValueError(
                f"is {max_pairs}, but there {are}; raise it, or join parts of the frames",
                at="max_pairs",
                link=" ",
            )
        numbers = fields_of_pairs(motion, self.fields, pairs, threads)
        if self.distance_col is not None:
            numbers = numbers.rename(columns={"distance": self.distance_col})
        return pairs, numbers

    def _meeting(self, a: Column, b: Column, **limits: Any) -> tuple[Any, Motion]:
        """The pairs of rows that meet, and the motion of both."""
        if self.predicate != "dwithin":
            limits["predicate"] = self.predicate
        if self.self_pairs == "all":
            motion = Motion(a, b, self.motion)
            return motion.pairs(carom.colliding_pairs, **limits), motion
        pairs = Motion(a, None, self.motion).pairs(carom.colliding_pairs, **limits)
        return pairs, Motion(a, a, with_own_motion(self.motion))

    def table(self, left: Any, right: Any, pairs: Any, numbers: pd.DataFrame) -> Any:
        """The rows of each pair, put together."""
        shared = _shared(left, right, self.on_attribute)
        return joined(left, right, pairs, self.how, self.suffixes, shared, numbers)


def check_choice(name: str, given: Any, choices: Sequence[str]) -> None:
    """Refuses what is none of these texts."""
    # An array would be compared item by item.
    if not isinstance(given, str) or given not in choices:
        expected = ", ".join(map(repr, choices))
        raise InputValueError(f"expected one of {expected}, got {given!r}", at=name)


def refuse_two_frames(a: Column, b: Column, how: str) -> None:
    """Refuses what can't be a join of a frame with itself that has each pair once."""
    if how != "inner":
        raise InputValueError(f"'once' requires how='inner', got {how!r}", at="self_pairs")
    if a is not b and not (a.index.equals(b.index) and a.shapes == b.shapes):
        raise InputValueError(
            "'once' joins a frame with itself, and right has other labels or shapes than left",
            at="self_pairs",
        )


def margin_of(predicate: str, distance: Any, margin: Any, how: str) -> Any:
    """The margin, which "dwithin" calls distance; other predicates and joins are refused."""
    check_choice("how", how, HOW)
    check_choice("predicate", predicate, _PREDICATES)
    is_given = margin is not None and not (np.isscalar(margin) and margin == 0.0)
    if predicate != "dwithin":
        if distance is not None:
            raise InputValueError(
                f"the predicate {predicate!r} has none; give it to 'dwithin', or margin",
                at="distance",
            )
        return margin
    if is_given and distance is not None:
        raise InputValueError("given with distance, which means the same", at="margin")
    if not is_given and distance is None:
        raise InputValueError("the predicate 'dwithin' requires it", at="distance")
    return margin if distance is None else distance


def refuse_rows(predicate: Any, name: str, column: Column) -> None:
    """Refuses rows that a predicate doesn't take, by their labels."""
    if predicate not in MEETING:
        with labelled(a=(name, column.index)):
            carom.colliding_pairs(column.shapes, [], predicate=predicate)


def _shared(left: Any, right: Any, on_attribute: Any) -> list[Any]:
    """The columns by which rows are joined, too."""
    if on_attribute is None:
        return []
    shared = list(on_attribute) if isinstance(on_attribute, list | tuple) else [on_attribute]
    for name in shared:
        for side, frame in (("left", left), ("right", right)):
            if name not in frame.columns:
                raise InputValueError(f"{side} has no column {name!r}", at="on_attribute")
            if name == getattr(frame, "active_geometry_name", None):
                raise InputValueError(f"{name!r} is the geometry of {side}", at="on_attribute")
    return shared


def _agree(left: Any, right: Any, shared: list[Any], pairs: Any) -> Any:
    """Which pairs have equal values in these columns; missing values equal none."""
    agree = np.ones(len(pairs[0]), dtype=bool)
    for name in shared:
        one, other = (
            _uncategorized(rows[name].iloc[which]).array
            for rows, which in zip((left, right), pairs, strict=True)
        )
        agree &= np.asarray(pd.Series(one == other).fillna(False), dtype=bool)
    return agree


def _uncategorized(values: Any) -> Any:
    """Values that are compared as such, though their categories differ."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        return values.astype(object)
    return values

"""Which rows of two frames are joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import carom
from carom._input_error import InputTypeError, InputValueError
from carom.interop.geopandas.column import Column, labelled
from carom.interop.geopandas.joins.attributes import joined
from carom.interop.geopandas.joins.fields import fields_of_pairs
from carom.interop.geopandas.joins.motion import Motion, with_own_motion

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
        limits: dict[str, Any] = {"max_pairs": max_pairs, "threads": threads}
        if shared := _shared(a.rows, b.rows, self.on_attribute):
            limits["_groups"] = _groups(a.rows, b.rows, shared)
        pairs, motion = self._meeting(a, b, **limits, progress=progress)
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
        options: dict[str, Any] = {"distance_col": self.distance_col}
        return joined(left, right, pairs, self.how, self.suffixes, shared, numbers, **options)


def check_choice(name: str, given: Any, choices: Sequence[str]) -> None:
    """Refuses what is none of these texts."""
    # An array would be compared item by item.
    if not isinstance(given, str) or given not in choices:
        expected = ", ".join(map(repr, choices))
        raise InputValueError(f"expected one of {expected}, got {given!r}", at=name)


def refuse_two_frames(a: Column, b: Column, how: str, on_attribute: Any) -> None:
    """Refuses what can't be a join of a frame with itself that has each pair once."""
    if how != "inner":
        raise InputValueError(f"'once' requires how='inner', got {how!r}", at="self_pairs")
    if a is not b and not (a.index.equals(b.index) and a.shapes == b.shapes):
        raise InputValueError(
            "'once' joins a frame with itself, and right has other labels or shapes than left",
            at="self_pairs",
        )
    for name in _shared(a.rows, b.rows, on_attribute):
        if not a.rows[name].equals(b.rows[name]):
            raise InputValueError(
                f"'once' joins a frame with itself, and right has other values in {name!r}",
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
            if (count := list(frame.columns).count(name)) != 1:
                found = "no column" if count == 0 else f"{count} columns called"
                raise InputValueError(f"{side} has {found} {name!r}", at="on_attribute")
            if name == getattr(frame, "active_geometry_name", None):
                raise InputValueError(f"{name!r} is the geometry of {side}", at="on_attribute")
    return shared


def _both(left: pd.Series, right: pd.Series) -> pd.Series:
    """The values of both columns; as objects where pandas would convert those of one of them."""
    if left.dtype != right.dtype:
        left, right = left.astype(object), right.astype(object)
    return pd.concat([left, right], ignore_index=True)


def _groups(left: Any, right: Any, shared: list[Any]) -> tuple[Any, Any]:
    """Numbers of rows, equal where the values in these columns are; -1 where one is missing."""
    groups = np.zeros(len(left) + len(right), dtype=np.int64)
    for name in shared:
        try:
            codes, known = pd.factorize(_both(left[name], right[name]))
        except TypeError as why:
            raise InputTypeError(
                f"{name!r} has values that can't be compared: {why}", at="on_attribute"
            ) from why
        codes = np.where((codes < 0) | (groups < 0), -1, groups * len(known) + codes)
        _, places = np.unique(codes[codes >= 0], return_inverse=True)
        groups = np.full(len(codes), -1)
        groups[codes >= 0] = places
    return groups[: len(left)], groups[len(left) :]

"""The pairs of partitions to be joined, and how their rows move."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import dask
import numpy as np
import pandas as pd
import shapely
from pandas.api.types import is_bool_dtype, is_numeric_dtype

import carom
from carom._input_error import InputTypeError, InputValueError
from carom.dask.moving_boxes import MARGINS, Extent, meetings, moving_boxes, near, rows_near
from carom.dask.partitions import Partitions, collected, in_partition, others
from carom.interop.geopandas.column import Column
from carom.interop.geopandas.crs_checks import check_crs
from carom.interop.geopandas.joins.motion import (
    Motion,
    named,
    warn_of_motion_in_degrees,
    with_own_motion,
)
from carom.interop.geopandas.row_values import axes, names_in, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class PartitionPairs:
    """Two arguments, or one with itself, and the pairs of partitions that can meet."""

    def __init__(
        self,
        function: str,
        left: Partitions,
        right: Partitions | None,
        motion: Mapping[str, Any],
        chunk_pairs: int | None = None,
    ) -> None:
        if chunk_pairs is not None:
            # Carom itself refuses what is no number of pairs.
            carom.iter_colliding_pairs([], chunk_pairs=chunk_pairs)
        self.left, self.right = left, right
        self.others = left if right is None else right
        systems = left.meta.crs, self.others.meta.crs
        check_crs(*systems, (left.name, self.others.name))
        self.motion = _checked(motion, left, self.others)
        warn_of_motion_in_degrees(function, self.motion, *systems)
        # Of one argument each partition meets itself, and that join checks the motion.
        always = right is not None
        self.moving = _Moving(left, "a", self.motion, always=always)
        self.others_moving = self.moving
        if right is not None:
            self.others_moving = _Moving(right, "b", self.motion, always=always)
        extents = self.moving.extents, None if right is None else self.others_moving.extents
        self.pairs = meetings(*extents)
        self.pieces = self._pieces(chunk_pairs)

    def frame(self, function: Callable[..., pd.DataFrame], meta: pd.DataFrame) -> Any:
        """The results of the function for all pairs of partitions, as one Dask frame.

        It takes two columns, the motion, the rows of the first that are joined, and the names that
        errors have in place of those of the motion.
        """
        task = dask.delayed(function)
        operands = zip(self.pairs, self.operands(), self.pieces, strict=True)
        tasks = [
            task(*pair, rows, self.names(*places))
            for places, pair, pieces in operands
            for rows in pieces
        ]
        return collected(tasks, self.unused(), meta)

    def names(self, p: int, q: int) -> dict[str, str]:
        """What errors call the motion of two partitions."""
        found: dict[str, str] = {
            name: in_partition(
                name, self.others.places[q] if name.endswith("_b") else self.left.places[p]
            )
            for name in self.motion
        }
        if self.right is None and "velocity_a" in found:
            found["velocity_b"] = in_partition("velocity_a", self.left.places[q])
        return found

    def _pieces(self, chunk_pairs: int | None) -> list[list[slice]]:
        """The rows of the first partition that are joined at a time, for each pair of partitions.

        With `chunk_pairs` the pairs are found for their number alone, piece by piece.
        """
        whole = [[slice(None)] for _ in self.pairs]
        if chunk_pairs is None:
            return whole
        task = dask.delayed(_pieces_of)
        # The join raises the errors of bad rows, when its result is computed.
        with suppress(TypeError, ValueError):
            return list(dask.compute(*[task(*pair, chunk_pairs) for pair in self.operands()]))
        return whole

    def operands(self) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
        """The columns and the motion of each pair; no other column for a partition with itself.

        Of two partitions only the rows that are near the other are joined, so that others are
        neither moved to another worker nor indexed again.
        """
        one, other, motion = self.moving, self.others_moving, self.motion
        if self.right is None:
            motion = with_own_motion(motion)
        for p, q in self.pairs:
            if one is other and p == q:
                yield self.left.columns[p], None, self.motion
            else:
                yield one.near(p, other.extents[q]), other.near(q, one.extents[p]), motion

    def rows_near(self, side: int, p: int, q: int) -> Any:
        """The numbers, in their partition, of the rows of one side that are joined for a pair."""
        if side == 0:
            return self.moving.rows_near(p, self.others_moving.extents[q])
        return self.others_moving.rows_near(q, self.moving.extents[p])

    def unused(self) -> list[Any]:
        """The tasks that validate the partitions that meet no other."""
        left, right = ({pair[side] for pair in self.pairs} for side in (0, 1))
        if self.right is None:
            return self.moving.unused(left | right)
        return self.moving.unused(left) + self.others_moving.unused(right)


class _Moving:
    """The partitions of an argument in motion.

    Attributes
    ----------
    extents : list of Extent
        The extent of each partition.
    """

    def __init__(
        self, of: Partitions, side: str, motion: Mapping[str, Any], *, always: bool
    ) -> None:
        """`motion` is that of both sides, with suffixes; the margin is that of `a`.

        With `always` the motion of all rows is validated, also of partitions near no other.
        Without, it is validated where the box of a row is not finite.
        """
        self.of = of
        motion = {
            name: given
            for name, given in motion.items()
            if name.endswith(f"_{side}") or (name in MARGINS and side == "a")
        }
        plain = {name.removesuffix(f"_{side}"): given for name, given in motion.items()}
        self.extents = of.extents(plain)
        # Of rows at rest, one margin was validated by the call.
        at_rest = all(name in MARGINS and not names_in(given) for name, given in motion.items())
        checked = {} if at_rest else motion
        boxes = dask.delayed(partial(_boxes, side=side, always=always))
        self.boxes = [
            boxes(column, plain, checked, {name: in_partition(name, place) for name in checked})
            for column, place in zip(of.columns, of.places, strict=True)
        ]

    def near(self, place: int, other: Extent) -> Any:
        """The rows of a partition that can meet another.

        If these are all of them, it is the column itself: a worker would count and spill the result
        of another task once more.
        """
        box = self.extents[place].box
        if np.all(box[:2] >= other.box[:2]) and np.all(box[2:] <= other.box[2:]):
            return self.of.columns[place]
        return dask.delayed(near)(self.of.columns[place], self.boxes[place], other.box)

    def rows_near(self, place: int, other: Extent) -> Any:
        """The numbers of these rows."""
        return dask.delayed(rows_near)(self.boxes[place], other.box)

    def unused(self, places: set[int]) -> list[Any]:
        """The boxes of all partitions but these."""
        return others(self.boxes, places)


def _pieces_of(
    a: Column, b: Column | None, motion: dict[str, Any], chunk_pairs: int
) -> list[slice]:
    """The rows of `a` in pieces of at most `chunk_pairs` pairs, plus those of one row."""

    def ends(*shapes: Any, **keywords: Any) -> list[int]:
        pieces = carom.iter_colliding_pairs(*shapes, chunk_pairs=chunk_pairs, **keywords)
        return [int(piece[0, -1]) + 1 for piece in pieces if piece.shape[1] > 0]

    # No pair has a row after the last end.
    cuts = [0, *Motion(a, b, motion).pairs(ends, threads=1)[:-1], len(a)]
    return [slice(start, stop) for start, stop in pairwise(cuts)]


def some_rows(column: Column, rows: slice) -> Column:
    """A column of some of the rows."""
    if rows == slice(None):
        return column
    return Column(column.rows.iloc[rows], column.shapes[rows])


def _boxes(
    column: Column,
    plain: dict[str, Any],
    checked: dict[str, Any],
    names: dict[str, str],
    *,
    side: str,
    always: bool,
) -> Any:
    """The boxes that the rows sweep, after an error for a row whose motion is bad."""
    boxes = moving_boxes(column, plain)
    if checked and (always or not np.isfinite(boxes).all()):
        nobody = Column(column.rows.iloc[:0], column.shapes[:0])
        a, b = (column, nobody) if side == "a" else (nobody, column)
        with named(**names):
            Motion(a, b, checked).pairs(carom.candidate_pairs, threads=1)
    return boxes


def _checked(motion: Mapping[str, Any], left: Partitions, right: Partitions) -> dict[str, Any]:
    """The motion that is given: names of columns, or one value for all rows."""
    found: dict[str, Any] = {}
    for name, given in motion.items():
        if given is not None:
            of = right if name.endswith("_b") else left
            found[name] = _checked_names(name, given, of) or _checked_value(name, given)
    for side in "ab":
        turn = found.get(f"turn_{side}")
        if turn is not None and f"center_{side}" not in found and not isinstance(turn, str):
            if turn != 0.0:
                raise InputValueError(
                    f"missing; turn_{side} is {turn!r}, and turning needs a center",
                    at=f"center_{side}",
                )
            del found[f"turn_{side}"]
    return found


def _checked_names(name: str, given: Any, of: Partitions) -> Any:
    """The names of columns; None if there are none among what is given."""
    names = [] if dask.is_dask_collection(given) else names_in(given)
    if not names:
        return None
    kind = name.partition("_")[0]
    if kind == "velocity" and (len(names) != 2 or isinstance(given, str) or len(given) != 2):
        raise InputValueError(f"expected the names of two columns, got {given!r}", at=name)
    for column in names:
        if column not in getattr(of.rows, "columns", ()):
            raise InputValueError(f"{of.name} has no column {column!r}", at=name)
        dtype = of.meta[column].dtype
        # One name of a center is that of a column of points.
        is_point = kind == "center" and isinstance(given, str)
        if not is_point and (not is_numeric_dtype(dtype) or is_bool_dtype(dtype)):
            raise InputTypeError(
                f"expected numbers, and the column {column!r} of {of.name} has the dtype "
                f"{dtype}; {of.name}.astype({{{column!r}: float}}) makes numbers of it",
                at=name,
            )
    return given


def _checked_value(name: str, given: Any) -> Any:
    """One number or vector for all rows."""
    kind = name.partition("_")[0]
    expected = (2,) if axes(name) else ()
    if dask.is_dask_collection(given):
        raise InputTypeError(
            f"expected names of columns or one value for all rows, got a "
            f"{type(given).__name__} of Dask; rows.assign(...) makes columns of it",
            at=name,
        )
    if isinstance(given, shapely.Point):
        given = read(name, given, None, pd.Index([]))
    if np.shape(given) != expected:
        what = "names of columns or a vector" if expected else "the name of a column or a number"
        raise InputValueError(
            f"expected {what} for all rows, got an array of shape {np.shape(given)}; "
            "rows.assign(...) makes columns of numbers for each row",
            at=name,
        )
    # Carom itself refuses what it would refuse later; a center only where something turns.
    row = Column(pd.DataFrame(index=[0]), carom.Shapes.from_points([(0.0, 0.0)]))
    motion = {name: given}
    if kind == "turn":
        motion[name.replace("turn", "center")] = (0.0, 0.0)
    elif kind == "center":
        motion[name.replace("center", "turn")] = 1.0
    Motion(row, row, motion).pairs(carom.candidate_pairs)
    value = np.asarray(given, dtype=np.float64)
    return value if expected else float(value)

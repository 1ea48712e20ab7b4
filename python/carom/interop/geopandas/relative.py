"""Numbers of pairs that both move, where the difference of their velocities is rounded.

`swept_collision_batch` takes one velocity, which is that difference. Rounded, it may miss what
touches by a hair, and it changes the time of a near miss by more than its last digits.
`first_contact` and `colliding_pairs` take both velocities as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import carom

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


def is_rounded(u: Any, v: Any, count: int) -> NDArray[np.bool_]:
    """In which pairs u - v is not the difference of these vectors, but rounded."""
    u, v = np.broadcast_to(u, (count, 2)), np.broadcast_to(v, (count, 2))
    with np.errstate(invalid="ignore", over="ignore"):
        difference = u - v
        # The error of a sum of two floating-point numbers, exactly (Knuth).
        part = difference - u
        error = (u - (difference - part)) + (-v - part)
    rounded: NDArray[np.bool_] = (error != 0).any(axis=1)
    return rounded


@dataclass(frozen=True)
class MovingPairs:
    """Pairs of rows, some of them chosen, with the numbers of the rows in each pair."""

    a: Any
    b: Any
    """The columns of shapes."""
    pairs: Any
    chosen: NDArray[np.int64]
    numbers: dict[str, Any]
    """The velocities, turns, centers and margins: one for each pair, or one for all."""

    def replace_contacts(self, table: pd.DataFrame, threads: int | None) -> None:
        """Puts the first contacts of the chosen pairs into the columns that the table has."""
        fields = ["time", *(it for it in ("normal", "contact") if f"{it}{_FIRST[it]}" in table)]
        pieces: list[list[Any]] = [[] for _ in ("rows", *fields)]
        for rows, row in self._by_other_row():
            poses = np.zeros((len(rows), 2, 3))
            poses[:, 1, :2] = self._numbers("velocity_a")[rows]
            found = carom.first_contact(
                self.a[self.pairs[0][rows]],
                poses,
                self.b[row : row + 1],
                velocity=self._numbers("velocity_b")[rows[0]],
                margin=self._numbers("margin")[rows],
                fields=("step", *fields),
                threads=threads,
                # The shapes at the second pose, which are rounded, aren't asked for.
                check=False,
                on_invalid="mask",
            )
            met = np.flatnonzero(found.step == 0)
            values = rows, *(getattr(found, name) for name in fields)
            for piece, array in zip(pieces, values, strict=True):
                piece.append(array[met])
        if pieces[0]:
            rows, *arrays = (np.concatenate(piece) for piece in pieces)
            for name, array in zip(fields, arrays, strict=True):
                columns = [it for it in table if it == name or it.startswith(f"{name}_")]
                table.loc[rows, columns] = array.reshape(len(rows), -1)

    def meet(self) -> NDArray[np.int64]:
        """Which of the chosen pairs, which all come within the margin, meet."""
        if not np.any(self._numbers("margin")):
            return self.chosen
        found = [np.empty(0, dtype=np.int64)]
        for rows, row in self._by_other_row():
            keywords = {
                name: self._numbers(name)[rows[:1] if name.endswith("_b") else rows]
                for name in self.numbers
                if name != "margin"
            }
            one, other = self.a[self.pairs[0][rows]], self.b[row : row + 1]
            found.append(rows[carom.colliding_pairs(one, other, **keywords)[0]])
        return np.concatenate(found)

    def _by_other_row(self) -> Iterator[tuple[NDArray[np.int64], int]]:
        """The chosen pairs of each row of `b`, and that row."""
        owners = self.pairs[1][self.chosen]
        order = np.argsort(owners, kind="stable")
        others, starts = np.unique(owners[order], return_index=True)
        for row, which in zip(others, np.split(order, starts[1:]), strict=False):
            yield self.chosen[which], int(row)

    def _numbers(self, name: str) -> Any:
        """The numbers of this name, one for each pair."""
        size = () if name.startswith(("turn", "margin")) else (2,)
        return np.broadcast_to(self.numbers.get(name, 0.0), (len(self.pairs[0]), *size))


_FIRST = {"normal": "_x", "contact": "_0_x"}
"""The end of the first column of each field."""

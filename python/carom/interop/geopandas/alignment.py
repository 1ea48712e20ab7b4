"""Two operands row by row: which rows go together, and the index of the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from carom._input_error import InputTypeError, InputValueError, Place
from carom.interop.geopandas.column import (
    Column,
    both_indexed,
    is_missing,
    labelled,
    not_indexed,
    place,
)
from carom.interop.geopandas.crs_checks import warn, warn_of_degrees
from carom.interop.geopandas.duration import VELOCITIES, timed
from carom.interop.geopandas.masked_numbers import are_valid, warn_of_masked_numbers
from carom.interop.geopandas.row_values import (
    axes,
    names_in,
    of_rows,
    positions,
    read,
    refuse_other_length,
)
from carom.interop.geopandas.unindexed import masked_shapes, without_z

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from carom.interop.geopandas.duration import Duration

_PER_ROW = {
    "margin": 0,
    "velocity": 0,
    "velocity_a": 0,
    "velocity_b": 1,
    "center": 0,
    "radius": 0,
    "direction": 0,
    "turn_a": 0,
    "center_a": 0,
    "turn_b": 1,
    "center_b": 1,
}
"""Which operand the numbers belong to."""


class Operands:
    """Two operands aligned by label or by position, or pairs of their rows.

    An operand of one row is combined with every row of the other, as a single shape is, unless
    `align` is True.
    """

    def __init__(
        self,
        a: Any,
        b: Any,
        options: dict[str, Any],
        *,
        align: bool | None = True,
        pairs: Any = None,
        drop_z: bool = False,
        duration: Duration | None = None,
        names: tuple[str, str] = ("a", "b"),
    ) -> None:
        if type(align) not in (bool, np.bool_, type(None)):
            raise InputTypeError(f"expected True, False or None, got {align!r}", at="align")
        self.names, self.options, self.duration = names, options, duration
        validation = {key: options[key] for key in ("check", "on_invalid")}
        self.columns = both_indexed(a, b, names, drop_z=drop_z, **validation)
        self.given = [
            (without_z(rows) if drop_z else rows) if column is None else column.shapes
            for rows, column in zip((a, b), self.columns, strict=True)
        ]
        known = [column for column in self.columns if column is not None]
        if not known:
            raise InputTypeError(not_indexed(names[0], a), at=names[0])
        self.shapes = [None if column is None else column.shapes for column in self.columns]
        if self.masks:
            self.shapes = [
                masked_shapes(name, rows) if shapes is None else shapes
                for name, rows, shapes in zip(names, self.given, self.shapes, strict=True)
            ]
        self.index = known[0].index
        self.broadcast: int | None = None
        self.pairs: tuple[Any, Any] | None = None
        self.present: Any = None
        self.is_paired = pairs is not None
        if self.is_paired:
            self._pair(pairs)
        elif len(known) == 2 and not known[0].index.equals(known[1].index):
            if not align and 1 in map(len, known):
                self.broadcast = int(len(known[1]) == 1)
                self.index = known[1 - self.broadcast].index
            else:
                self._align(known[0], known[1], align)

    @property
    def masks(self) -> bool:
        """Whether rows that are not valid are masked."""
        return bool(self.options["check"]) and self.options["on_invalid"] == "mask"

    def _align(self, a: Column, b: Column, align: bool | None) -> None:
        if align is None:
            warn(
                "The indices of the left and right GeoSeries' are not equal, and therefore they "
                "will be aligned (reordering and/or introducing missing values) before executing "
                "the operation. If this alignment is the desired behaviour, you can silence this "
                "warning by passing 'align=True'. If you don't want alignment and protect yourself "
                "of accidentally aligning, you can pass 'align=False'."
            )
        elif not align:
            if len(a) != len(b):
                raise InputValueError(
                    f"a has {len(a)} rows and b has {len(b)}; by position (align=False) they must "
                    "have as many; pairs= chooses which go together, and colliding_pairs and sjoin "
                    "combine every row with every row"
                )
            return
        try:
            self.index, left, right = a.index.join(b.index, how="outer", return_indexers=True)
        except (NotImplementedError, TypeError, ValueError) as why:
            raise type(why)(
                f"a and b can't be aligned by label: {why}; align=False aligns them by position, "
                "and pairs= chooses which rows go together"
            ) from None
        every = np.arange(len(self.index))
        left, right = (every if rows is None else rows for rows in (left, right))
        self.present = (left >= 0) & (right >= 0)
        self.pairs = left[self.present], right[self.present]

    def _pair(self, pairs: Any) -> None:
        if isinstance(pairs, pd.DataFrame):
            if "a" not in pairs.columns or "b" not in pairs.columns:
                of_join = "; of what sjoin returns, (pairs.index, pairs['index_right']) are pairs"
                raise InputValueError(
                    "expected a DataFrame with the columns a and b, as colliding_pairs "
                    f"returns it, got the columns {list(pairs.columns)}"
                    + of_join
                    * ("index_right" in pairs.columns),
                    at="pairs",
                )
            self.index, labels = pairs.index, (pairs["a"], pairs["b"])
        else:
            if not isinstance(pairs, tuple | list) or len(pairs) != 2:
                raise InputTypeError(
                    "expected a DataFrame with the columns a and b, as colliding_pairs "
                    "returns it, or two sequences of labels, (labels_a, labels_b)"
                    + "; of an array of labels, tuple(pairs)"
                    * isinstance(pairs, np.ndarray),
                    at="pairs",
                )
            if len(pairs[0]) != len(pairs[1]):
                raise InputValueError(
                    f"expected as many labels of a as of b, got {len(pairs[0])} and "
                    f"{len(pairs[1])}",
                    at="pairs",
                )
            self.index, labels = pd.RangeIndex(len(pairs[0])), (pairs[0], pairs[1])
        a, b = (self._rows(side, of_side) for side, of_side in enumerate(labels))
        self.pairs = a, b

    def _rows(self, side: int, labels: Any) -> NDArray[Any]:
        column = self.columns[side]
        if column is None:
            # Without an index a row is named by its number.
            return np.asarray(labels)
        advice = (
            f" in {'ab'[side]}; sjoin(..., fields=...) computes numbers of such pairs, and "
            "reset_index(drop=True) gives each row a label"
        )
        wanted = as_labels(column.index, labels)
        return positions(Place("pairs", text=f"pairs[{side}]"), column.index, wanted, advice)

    def warn_of_degrees(self, function: str, what: str) -> None:
        """Warns of lengths in degrees."""
        warn_of_degrees(function, what, *(it.crs for it in self.columns if it is not None))

    def read(self, name: str, values: Any, side: int = 0) -> Any:
        """One number or vector for each row or pair, or one for all."""
        # One row moves differently against each row of the other, but its columns have one value.
        is_of_one = side == self.broadcast and not names_in(values)
        if self.columns[side] is None or is_of_one:
            side = 1 - side
        column = self.columns[side]
        ndim = axes(name)
        if self.is_paired and not names_in(values):
            array = read(name, values, None, self.index)
            refuse_other_length(name, array, ndim, "there are {} pairs", len(self.index))
            return array
        assert column is not None  # one of them has an index
        array = read(name, values, column.rows, column.index)
        whose = f"{self.names[side]} has {{}}"
        refuse_other_length(name, array, ndim, whose, len(column))
        chosen = None if self.pairs is None else self.pairs[side]
        return of_rows(array, len(column), ndim, chosen)

    def call(self, function: Callable[..., Any], *order: Any, **given: Any) -> Any:
        """The result of a batch function, whose errors name labels."""
        keywords = {
            key: value for key, value in (self.options | given).items() if value is not None
        }
        for name, value in list(keywords.items()):
            if name in _PER_ROW:
                keywords[name] = self.read(name, value, _PER_ROW[name])
            if name in VELOCITIES and self.duration is not None:
                velocity = keywords[name]
                keywords[name] = self.duration.displacement(velocity)
                if self.options["on_invalid"] != "mask":
                    with labelled(**self._labels()):
                        self.duration.refuse_overflow(name, velocity, keywords[name])
        if self.pairs is not None:
            keywords = {**keywords, "pairs": self.pairs}
        with labelled(**self._labels()):
            found = function(*order, **keywords)
        if self.options["on_invalid"] == "mask":
            self._warn_of_numbers({it: keywords[it] for it in _PER_ROW if it in keywords}, found)
        return found

    def _warn_of_numbers(self, numbers: dict[str, Any], found: Any) -> None:
        """Warns of rows whose shapes are there, and which are masked for their numbers."""
        wrong = {it: ~valid for it in numbers if not (valid := are_valid(it, numbers[it])).all()}
        if not wrong:
            return
        # Answers without fields don't tell which of them are valid.
        valid = found.valid if hasattr(found, "valid") else ~np.logical_or.reduce([*wrong.values()])
        count = len(self.index) if self.pairs is None else len(self.pairs[0])
        if valid.shape not in {(), (1,), (count,)}:
            return
        masked = np.flatnonzero(~valid & self._has_shapes(count))
        if len(masked) == 0:
            return
        side = _PER_ROW[next(iter(wrong))]
        column = self.columns[side]
        if column is None:
            side = 1 - side
            column = self.columns[side]
        assert column is not None  # one of them has an index
        row = min(self._chosen(side, masked[0]), len(column) - 1)
        first = place(self.names[side], column.index, int(row))
        what = "pair" if self.is_paired else "row"
        warn_of_masked_numbers(self.names[side], wrong, len(masked), first, what)

    def _has_shapes(self, count: int) -> NDArray[np.bool_]:
        """Which rows of a batch result have no missing shape."""
        there = np.ones(count, dtype=np.bool_)
        for side, shapes in enumerate(self.shapes):
            if shapes is not None:
                # A single row may go together with several of the other operand.
                chosen = np.minimum(self._chosen(side, np.arange(count)), len(shapes) - 1)
                there &= ~is_missing(shapes)[chosen]
        return there

    def _chosen(self, side: int, rows: Any) -> Any:
        """The rows of an operand in these rows of a batch result."""
        return rows if self.pairs is None else self.pairs[side][rows]

    def _labels(self) -> dict[str, tuple[str, pd.Index]]:
        index = self.index if self.present is None else self.index[self.present]
        known = {name: (name, index) for name in _PER_ROW}
        for name, column in zip(self.names, self.columns, strict=True):
            if column is not None:
                known[name] = (name, column.index)
        return known

    def frame(self, result: Any) -> pd.DataFrame:
        """A batch result as a data frame with the index."""
        if self.present is None:
            self.refuse_other_length(result.shape)
            table: pd.DataFrame = result.to_pandas(self.index)
            return timed(table, self.duration)
        found = result.to_pandas()
        table = found.reindex(self._of_present())
        for name in found.select_dtypes(bool).columns:
            table[name] = table[name].eq(True)
        return timed(table.set_axis(self.index), self.duration)

    def labels(self, side: int, rows: Any) -> pd.Index | None:
        """The labels that an operand has in these rows of a batch result.

        Without an index these are the row numbers that `pairs` has, else None.
        """
        column, chosen = self.columns[side], self._chosen(side, rows)
        if column is None:
            return pd.Index(chosen) if self.is_paired else None
        # A single row may go together with several of the other operand.
        return column.index[np.minimum(chosen, len(column) - 1)]

    def series(self, answers: Any) -> pd.Series:
        """One answer per row as a series with the index; False or NaN where an operand has none."""
        if self.present is None:
            self.refuse_other_length(np.shape(answers))
            return pd.Series(answers, index=self.index)
        answers = np.asarray(answers)
        blank = False if answers.dtype == np.bool_ else np.nan
        full = np.full(len(self.index), blank, dtype=answers.dtype)
        full[self.present] = answers
        return pd.Series(full, index=self.index)

    def _of_present(self) -> NDArray[np.int64]:
        rows: NDArray[np.int64] = np.where(self.present, np.cumsum(self.present) - 1, -1)
        return rows

    def refuse_other_length(self, shape: tuple[int, ...]) -> None:
        """Refuses a batch result of other rows than the index has labels."""
        if shape != (len(self.index),):
            raise InputValueError(
                f"the index has {len(self.index)} labels, and there are answers of the shape "
                f"{shape}; pairs= chooses which rows go together"
            )


def circles(
    function: str,
    polygon: Any,
    options: dict[str, Any],
    *,
    drop_z: bool = False,
    duration: Duration | None = None,
) -> Operands:
    """Polygons, each with its circle."""
    rows = Operands(polygon, None, options, drop_z=drop_z, duration=duration, names=("polygon", ""))
    rows.warn_of_degrees(function, "radius is")
    return rows


def as_labels(index: pd.Index, labels: Any) -> pd.Index:
    """Labels as an index of as many levels."""
    if isinstance(labels, pd.Index) and labels.nlevels == index.nlevels:
        return labels
    if index.nlevels > 1:
        items = [tuple(label) for label in labels]
        return pd.MultiIndex.from_tuples(items, names=index.names) if items else index[:0]
    return pd.Index(labels)

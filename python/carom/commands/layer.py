"""The features of a file: their shapes and their attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from carom import Shapes
from carom.commands import geojson as gj
from carom.commands.errors import CommandError
from carom.commands.stderr import tell
from carom.interop.crs import crs_name, is_same_crs
from carom.interop.reasons import CURVED, RAISED

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Layer:
    """A file's features as rows of a column, in which invalid rows are missing."""

    name: str
    shapes: Shapes
    source: Any
    """The features of GeoJSON, or a DataFrame of attributes."""
    of_curves: str = ""
    """What to do about curves, if the reader can make straight pieces of them."""

    @property
    def crs(self) -> Any:
        """The coordinate system: PROJJSON, text, or None."""
        return self.shapes.crs

    def attributes(self) -> dict[str, Any]:
        """Returns the columns but the geometry: lists, or series of pandas."""
        if isinstance(self.source, list):
            return gj.properties_of(self.source)
        return dict(self.source.items())

    def bad_rows(self) -> Iterator[str]:
        """Yields the location and the error of each invalid row."""
        for feature, reason in enumerate(self.shapes.invalid_reason):
            if reason is not None:
                yield f"{self.name}: feature {feature}: {self.told(reason)}"

    def told(self, reason: str) -> str:
        """Returns why a row is invalid, with the option that helps."""
        if reason.startswith(RAISED):
            return f"{reason.partition('; ')[0]}; --drop-z leaves it out"
        if self.of_curves and CURVED in reason:
            return reason.partition(CURVED)[0] + CURVED + self.of_curves
        return reason

    def valid(self) -> Shapes:
        """Returns the column.

        Raises `CommandError` with status 1 if a row is invalid.
        """
        line = next(self.bad_rows(), None)
        if line is not None:
            raise CommandError(f"{line}; `carom check` lists every bad row", 1)
        return self.shapes

    def vectors(self, names: tuple[str, str]) -> NDArray[np.float64] | None:
        """Returns the vector of each feature from two columns; None if there are neither.

        Raises `CommandError` with status 1 if a feature with a shape has no numbers there.
        """
        columns, kinds = self.attributes(), self.shapes.kind
        absent = [name for name in names if name not in columns]
        if len(absent) == len(names):
            return None
        if absent:
            raise CommandError(f"{self.name}: there is no column {absent[0]}")
        vectors = np.zeros((len(kinds), 2))
        for axis, name in enumerate(names):
            for row, value in enumerate(np.asarray(columns[name], dtype=object).tolist()):
                if kinds[row] >= 0:
                    vectors[row, axis] = self.number(value, row, name)
        return vectors

    def number(self, value: Any, row: int, name: str) -> float:
        """Returns a finite number that a float64 holds exactly."""
        is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not (is_number and np.isfinite(float(value)) and float(value) == value):
            raise CommandError(
                f"{self.name}: feature {row}: {name} is {value!r}, expected a finite number", 1
            )
        return float(value)

    @property
    def is_geographic(self) -> bool:
        """Whether the coordinates are known to be degrees."""
        if self.crs == gj.DEFAULT_CRS:
            return True
        try:
            from pyproj import CRS

            return self.crs is not None and bool(CRS.from_user_input(self.crs).is_geographic)
        except (ImportError, RuntimeError):  # RuntimeError: pyproj knows no such system
            return False


def refuse_different_crs(one: Layer, other: Layer) -> None:
    """Raises `CommandError` if both layers have a CRS, and they differ; warns if one has none."""
    if one.crs is None and other.crs is None:
        return
    if one.crs is None or other.crs is None:
        known, unknown = (other, one) if one.crs is None else (one, other)
        tell(
            f"carom: warning: {unknown.name} has no CRS, and {known.name} has "
            f"{crs_name(known.crs)}; the coordinates are taken as they are"
        )
    elif not are_same(one.crs, other.crs):
        raise CommandError(
            f"{one.name} has the CRS {crs_name(one.crs)} and {other.name} the CRS "
            f"{crs_name(other.crs)}; convert them to one"
        )


def are_same(one: Any, other: Any) -> bool:
    """Whether two coordinate systems are the same, as far as is known without pyproj."""
    try:
        return is_same_crs(one, other)
    except ImportError:
        return False


def plain(value: Any) -> Any:
    """Returns lists for arrays, as GeoParquet's lists are read, in lists and objects too."""
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value.tolist()]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value

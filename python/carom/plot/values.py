"""Values of rows as colours, with a colour bar for numbers and a legend for categories."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib import dates
from matplotlib.colors import to_rgba
from numpy.typing import NDArray

from .._input_error import InputTypeError, InputValueError
from .elements import BLUE, GREEN, ORANGE, PURPLE, RED, Floats, patch
from .operands import rows_of
from .outlines import EMPTY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection

timeline: Any = dates  # its functions have no annotations
PALETTE = BLUE, ORANGE, GREEN, RED, PURPLE, "#56B4E9", "#F0E442"  # of Okabe and Ito
MANY = "turbo"  # colormap of more categories
OPAQUE = 0.6
NO_COLOUR = to_rgba("none")
UNITS = {"days": 86400.0, "hours": 3600.0, "minutes": 60.0, "seconds": 1.0}
LEAST = 2.0  # units that the longest duration has


class Values(NamedTuple):
    """A value per row: numbers, NaN where it is missing, or codes of categories, then -1.

    Infinite numbers have no colour and count as missing, such as the time of what never happens.
    """

    label: str
    numbers: Floats
    categories: Sequence[Any] | None = None
    are_dates: bool = False

    @property
    def is_missing(self) -> NDArray[np.bool_]:
        """Which rows have no value."""
        return ~np.isfinite(self.numbers) if self.categories is None else self.numbers < 0.0


def values_of(given: Any, array: Any, count: int) -> Values:
    """The values of rows: a column of a frame by its name, a Series by labels, or an array."""
    array = in_order_of(rows_of(given), array)
    name = getattr(array, "name", None)
    label = "" if name is None else str(name)
    values = np.ma.getdata(array) if isinstance(array, np.ma.MaskedArray) else np.asarray(array)
    if values.shape != (count,):
        raise InputValueError(
            f"expected shape ({count},), a value for each row, got {values.shape}", at="array"
        )
    if str(getattr(array, "dtype", "")) == "category":
        kinds: Any = getattr(array, "cat", array)
        return Values(label, np.asarray(kinds.codes, dtype=float), kinds.categories.tolist())
    is_missing = missing(array, values)
    present = values[~is_missing]
    if present.dtype.kind == "M" or is_each(present, "toordinal"):
        return Values(label, spread(timeline.date2num(present), is_missing), are_dates=True)
    if present.dtype.kind == "m":
        return durations(label, present / np.timedelta64(1, "s"), is_missing)
    if present.dtype.kind in "iuf" or are_numbers(present):
        return Values(label, spread(present, is_missing))
    return distinct(label, present, is_missing)


def in_order_of(rows: Any, array: Any) -> Any:
    """Values in the order of the rows: a column by its name, a Series by its labels."""
    if isinstance(array, str):
        return column_called(rows, array)
    if hasattr(array, "reindex") and hasattr(array, "to_series"):
        # The labels of a pandas Index are its values, a value for each row.
        return array.to_series()
    if hasattr(array, "reindex") and hasattr(rows, "index"):
        return by_label(array, rows.index)
    return array


def column_called(rows: Any, name: str) -> Any:
    """The column of a frame."""
    names = getattr(rows, "columns", None)
    if names is None:
        raise InputTypeError(
            f"{name!r} is the name of a column, and only a GeoDataFrame has columns", at="array"
        )
    if name not in names:
        raise InputValueError(
            f"there is no column {name!r}, but {', '.join(map(str, names))}", at="array"
        )
    column = rows[name]
    if column.ndim != 1:
        raise InputValueError(f"{column.shape[1]} columns are called {name!r}", at="array")
    if hasattr(column, "geom_type"):
        raise InputTypeError(f"{name!r} is a column of geometries", at="array")
    return column


def by_label(series: Any, index: Any) -> Any:
    """A Series in the order of the rows, with missing values where it has no such label."""
    if series.index.equals(index):
        return series
    if not series.index.is_unique:
        raise InputValueError("its index has duplicates, and is not that of the rows", at="array")
    return series.reindex(index)


def missing(array: Any, values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which values are missing: masked, None, NaN, NaT or pandas' NA."""
    if isinstance(array, np.ma.MaskedArray):
        return np.ma.getmaskarray(array) | missing(values, values)
    if hasattr(array, "isna"):
        found: NDArray[np.bool_] = np.asarray(array.isna())
        return found
    if values.dtype.kind == "O":
        return np.array([value is None or value != value for value in values], dtype=bool)
    return np.asarray(values != values)


def spread(present: Any, is_missing: NDArray[np.bool_]) -> Floats:
    """Numbers for all rows, NaN for those whose value is missing."""
    numbers = np.full(len(is_missing), np.nan)
    numbers[~is_missing] = present
    return numbers


def is_each(present: NDArray[Any], attribute: str) -> bool:
    """Whether all objects, of which there are some, have an attribute."""
    return bool(len(present)) and all(hasattr(value, attribute) for value in present.tolist())


def are_numbers(present: NDArray[Any]) -> bool:
    """Whether all objects are numbers and none a truth value; of none it is so, too."""
    return present.dtype.kind == "O" and all(
        isinstance(value, Real) and not isinstance(value, bool | np.bool_) for value in present
    )


def durations(label: str, seconds: Floats, is_missing: NDArray[np.bool_]) -> Values:
    """Durations in the largest unit of which the longest has some."""
    longest = np.abs(seconds).max(initial=0.0)
    unit = next((name for name, size in UNITS.items() if longest >= LEAST * size), "seconds")
    return Values(f"{label}, {unit}".lstrip(", "), spread(seconds / UNITS[unit], is_missing))


def distinct(label: str, present: NDArray[Any], is_missing: NDArray[np.bool_]) -> Values:
    """Values that are no numbers as categories, in their order."""
    try:
        categories = sorted(set(present.tolist()))
    except TypeError:  # values of several types, or lists
        raise InputTypeError("expected numbers, dates, text or categories", at="array") from None
    codes = {category: code for code, category in enumerate(categories)}
    numbers = spread([codes[value] for value in present.tolist()], is_missing)
    return Values(label, np.where(is_missing, -1.0, numbers), categories)


def style_of(values: Values, style: dict[str, Any]) -> tuple[dict[str, Any], Sequence[Any]]:
    """The style of a collection whose rows are coloured by values, and the categories' colours."""
    if values.categories is None:
        return {"array": np.ma.masked_invalid(values.numbers), **style}, ()
    given = {name: value for name, value in style.items() if name != "cmap"}
    colours = palette(len(values.categories), style.get("cmap"))
    tones = np.array([*colours, NO_COLOUR])[values.numbers.astype(int)]
    return {"facecolors": tones * (1, 1, 1, OPAQUE), "edgecolors": tones, **given}, colours


def palette(count: int, colormap: Any) -> list[Any]:
    """A colour for each category."""
    if colormap is None and count <= len(PALETTE):
        return [to_rgba(colour) for colour in PALETTE[:count]]
    chosen = mpl.colormaps.get_cmap(MANY if colormap is None else colormap)
    return [chosen(share) for share in np.linspace(0.0, 1.0, count)]


def draw_key(ax: Axes, drawn: PathCollection, values: Values, colours: Sequence[Any]) -> None:
    """Draws a colour bar, or adds an entry to the legend for each category."""
    if values.categories is None:
        bar = ax.figure.colorbar(drawn, ax=ax, label=values.label)
        if values.are_dates:
            locator = timeline.AutoDateLocator()
            bar.ax.yaxis.set_major_locator(locator)
            bar.ax.yaxis.set_major_formatter(timeline.ConciseDateFormatter(locator))
        return
    for category, colour in zip(values.categories, colours, strict=True):
        patch(ax, EMPTY, facecolor=(colour, OPAQUE), edgecolor=colour, label=str(category))

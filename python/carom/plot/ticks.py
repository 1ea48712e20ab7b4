"""Numbers on axes that are read easily and don't overlap, such as those of projected metres."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.textpath import text_to_path
from matplotlib.ticker import AutoLocator, ScalarFormatter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

POINTS = 72.0  # in an inch
SPACE = 0.6  # between labels, in units of the font size
LINE = 1.5  # between the middles of labels one above the other, in the same units
MOST = 9  # intervals between ticks, as matplotlib's own locator has
PLAIN = -5, 9  # exponents between which numbers are written without one
LONGEST = 1e15  # beyond, offsets have an exponent, too


class FittingLocator(AutoLocator):
    """Ticks at round numbers, as many as have labels that don't overlap."""

    axis: Any

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """The ticks of an interval."""
        shown = np.empty(0)
        for intervals in range(MOST, 0, -1):
            self.set_params(nbins=intervals, min_n_ticks=1)
            ticks = np.asarray(super().tick_values(vmin, vmax))
            shown = ticks[(vmin <= ticks) & (ticks <= vmax)]
            if self.have_space(shown, vmax - vmin):
                return ticks
        return shown[len(shown) // 2 :][:1]

    def have_space(self, ticks: Any, length: float) -> bool:
        """Whether the labels of ticks don't overlap; `length` is that of the axis in data."""
        if len(ticks) < 2:
            return True
        font = self.axis.majorTicks[0].label1.get_fontproperties()
        place, dpi = self.axis.axes.bbox, self.axis.axes.figure.dpi
        if self.axis.axis_name == "x":
            pixels, needed = place.width, SPACE * float(font.get_size_in_points())
            needed += widest(self.axis.get_major_formatter().format_ticks(ticks), font)
        else:
            pixels, needed = place.height, LINE * float(font.get_size_in_points())
        between = float(ticks[1] - ticks[0]) / length * pixels / dpi * POINTS
        return bool(between >= needed)


class PlainFormatter(ScalarFormatter):
    """Numbers without exponents up to a thousand million, and so the offset that they have."""

    def __init__(self) -> None:
        super().__init__()
        self.set_powerlimits(PLAIN)

    def format_data(self, value: float) -> str:
        """An offset as text."""
        is_plain = 10.0 ** PLAIN[0] <= abs(value) < LONGEST
        return f"{value:.15g}".replace("-", "\u2212") if is_plain else super().format_data(value)


def widest(labels: Sequence[str], font: Any) -> float:
    """The width of the widest label in points."""
    return max(
        text_to_path.get_text_width_height_descent(text, font, ismath="$" in text)[0]
        for text in labels
    )


def make_legible(axes: Axes) -> None:
    """Sets how the numbers are placed and written, on axes where that is matplotlib's default."""
    for axis in (axes.xaxis, axes.yaxis):
        if type(axis.get_major_locator()) is AutoLocator:
            axis.set_major_locator(FittingLocator())
        if type(axis.get_major_formatter()) is ScalarFormatter:
            axis.set_major_formatter(PlainFormatter())


def lay_out_offsets(axes: Axes) -> None:
    """Makes room for the offsets of numbers in a figure that is laid out when it is drawn.

    The first layout does not know them yet, and the offset of y would lie above the figure.
    """
    figure = axes.figure
    if not isinstance(figure, Figure) or figure.get_layout_engine() is None:
        return
    for axis in (axes.xaxis, axes.yaxis):
        formatter = axis.get_major_formatter()
        formatter.format_ticks(axis.get_majorticklocs().tolist())
        if formatter.get_offset():
            figure.draw_without_rendering()
            return

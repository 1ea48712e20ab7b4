"""Animations, for notebooks and as GIFs, and their axes."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.animation import FuncAnimation
from matplotlib.figure import Figure

from ..elements import GREY, Floats, blank_axes, quiet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.text import Text

SIZE = 6.0, 4.5  # inches
LAST = 0.5  # seconds for which the last picture is shown
# Matplotlib's player loads its button icons from the network; these characters are in every font.
FETCHED = re.compile(r"<link\b[^>]*>")
ICON = re.compile(r'<i class="fa fa-([^"]*)"></i>')
SIGNS = {
    "minus": "&minus;",
    "fast-backward": "&laquo;",
    "step-backward": "&lsaquo;",
    "play fa-flip-horizontal": "&#9666;",
    "pause": "&#8214;",
    "play": "&#9656;",
    "step-forward": "&rsaquo;",
    "fast-forward": "&raquo;",
    "plus": "+",
}


class Film:
    """An animation that Jupyter displays.

    `ax` are its axes, and `draw` draws the picture of a given number on them.
    """

    def __init__(self, ax: Axes, draw: Callable[[int], object], frames: int, fps: float) -> None:
        self.ax = ax
        self.draw = draw
        self._frames, self._fps = frames, fps

    @cached_property
    def animation(self) -> FuncAnimation:
        """The matplotlib animation, for ``pyplot.show()``, and for writers other than Pillow."""

        def draw(frame: int) -> list[Artist]:
            self.draw(frame)
            return []

        return FuncAnimation(root(self.ax), draw, frames=self._frames, interval=1000.0 / self._fps)

    def save(self, path: str | Path) -> None:
        """Writes a GIF, or another format that Pillow writes, according to the suffix."""
        self.animation.save(str(path), writer="pillow")

    def _repr_html_(self) -> str:
        """A player that contains all pictures and needs no network."""
        player = FETCHED.sub("", self.animation.to_jshtml())
        return ICON.sub(lambda icon: SIGNS.get(icon[1], icon[0]), player)


def film_axes() -> Axes:
    """Returns axes of a figure outside pyplot: Jupyter would show it next to the animation."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = blank_axes(figure.add_subplot())
    quiet(axes)
    return axes


def root(ax: Axes) -> Figure:
    """Returns the figure of axes, which may be in a subfigure."""
    return ax.figure.canvas.figure


def lay_out(ax: Axes) -> None:
    """Runs the layout engine once: for each picture it would take longer than drawing."""
    figure = root(ax)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def clock_on(ax: Axes) -> Text:
    """The text that says the time."""
    # On the right: on the left, Matplotlib writes the offset of large coordinates.
    return ax.text(1.0, 1.01, "", transform=ax.transAxes, color=GREY, ha="right")


def times_of(seconds: float, fps: float) -> Floats:
    """The times of pictures from 0 to 1, the last one repeated."""
    times = np.linspace(0.0, 1.0, max(round(seconds * fps), 1) + 1)
    return np.append(times, np.ones(round(LAST * fps)))

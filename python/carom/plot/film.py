"""Animations of moving shapes, for notebooks and as GIFs."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.animation import FuncAnimation
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D

from .. import _core
from .._input_error import InputValueError
from .elements import (
    GHOST,
    GREY,
    NORMAL,
    RED,
    STYLE_A,
    STYLE_B,
    arrow,
    blank_axes,
    patch,
    quiet,
    segment,
)
from .motion import ORIGIN, motion_of
from .outlines import corners, extent
from .sliding_path import slide, straight
from .two_shapes import outlines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

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


def animate(
    a: Any,
    b: Any,
    velocity: Any,
    *,
    turn_a: float = 0.0,
    center_a: Any = None,
    turn_b: float = 0.0,
    center_b: Any = None,
    seconds: float = 2.0,
    fps: float = 20.0,
    ax: Axes | None = None,
) -> Film:
    """Animates a shape that moves, stops at the first contact and slides along it.

    At a contact, the component of the remaining velocity into the other shape is removed, and
    the shape continues with the rest until the frame ends or it is blocked. A shape that
    overlaps the other one at the start doesn't move. With a turn, both stop at the first contact.

    Parameters
    ----------
    a, b, velocity : shapes of any kind, and array_like of shape (2,)
        As `carom.swept_collision` takes them.
    turn_a, center_a, turn_b, center_b : float, and array_like of shape (2,), optional
        The angles in radians by which the shapes turn within the frame, and the points about which
        they do.
    seconds : float, default 2
        The duration of the frame, time 0 to 1, in the animation.
    fps : float, default 20
        Pictures per second.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default those of a new figure, which is not registered with pyplot.

    Returns
    -------
    Film
        Jupyter shows it; ``save("film.gif")`` writes it.

    Raises
    ------
    ValueError
        If a shape is not valid, the velocity, a turn or a center is NaN or infinite, a turn has no
        center, or `seconds` or `fps` is not above 0.
    TypeError
        If an argument does not consist of numbers.

    See Also
    --------
    swept_collision : a picture of the first contact.

    Examples
    --------
    >>> import carom.plot
    >>> block = [(0, 4), (2, 4), (2, 6), (0, 6)]
    >>> ramp = [(-1, 0), (9, 0), (-1, 3)]
    >>> film = carom.plot.animate(block, ramp, velocity=(2, -6))
    >>> film.save("block.gif")
    """
    for name, value in (("seconds", seconds), ("fps", fps)):
        if not 0.0 < value < np.inf:
            raise InputValueError(f"expected a finite number above 0, got {value}", at=name)
    turns: dict[str, Any] = {"turn_a": turn_a, "center_a": center_a}
    turns |= {"turn_b": turn_b, "center_b": center_b}
    hit = _core.swept_collision(a, b, velocity, **turns)
    motions = motion_of(velocity, turn_a, center_a), motion_of(ORIGIN, turn_b, center_b)
    is_turning = any(motion.turn for motion in motions)
    way = straight(hit, motions[0].velocity) if is_turning else slide(a, b, velocity)
    is_new = ax is None
    ax = film_axes() if ax is None else blank_axes(ax)
    shape_a, shape_b = outlines_of(a, b)
    size = extent(np.concatenate([corners(shape_a), corners(shape_b)]))
    for time in (0.0, 1.0):
        ghost = motions[0]._replace(velocity=way.at(time), turn=way.angle(motions[0].turn, time))
        patch(ax, ghost.at(shape_a, 1.0), **GHOST).set_label("_ghost")
    other = patch(ax, shape_b, **STYLE_B)
    movers = patch(ax, shape_a, **STYLE_A), other
    signs = [draw_sign(ax, hit, size) for _, hit in way.contacts]
    # On the right: on the left, Matplotlib writes the offset of large coordinates.
    clock = ax.text(1.0, 1.01, "", transform=ax.transAxes, color=GREY, ha="right")
    since_start = ", in contact from the start" if hit.intersects else ""
    ax.autoscale_view()
    still = ax.transData
    times = np.linspace(0.0, 1.0, max(round(seconds * fps), 1) + 1)
    times = np.append(times, np.ones(round(LAST * fps)))

    def draw(frame: int) -> None:
        time = times[frame]
        for drawn, motion, offset in zip(movers, motions, (way.at(time), ORIGIN), strict=True):
            x, y = motion.center
            turned = Affine2D().rotate_around(x, y, way.angle(motion.turn, time))
            drawn.set_transform(turned.translate(*offset) + still)
        clock.set_text(f"time {time:.2f}{since_start}")
        for (since, _), sign in zip(way.contacts, signs, strict=True):
            for artist in sign:
                artist.set_visible(time >= since)

    draw(0)
    if is_new:
        lay_out(ax)
    return Film(ax, draw, len(times), fps)


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


def draw_sign(ax: Axes, hit: _core.SweptCollisionResult, size: float) -> Sequence[Artist]:
    """Draws a contact and its normal, which are made visible from the time of the contact."""
    if not np.isfinite(hit.contact).all():
        return []
    contact = segment(ax, hit.contact, RED)
    vector = NORMAL * size * hit.normal
    return [contact, arrow(ax, hit.contact.mean(axis=0), vector, RED)]

"""Animations of moving shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.transforms import Affine2D

from .. import _core
from .._input_error import InputTypeError, InputValueError
from .elements import GHOST, NORMAL, RED, STYLE_A, STYLE_B, arrow, blank_axes, patch, segment
from .motion.film import Film, clock_on, film_axes, lay_out, times_of
from .motion.film_of_log import film_of_log
from .motion.moving_outline import ORIGIN, motion_of, relative_velocity
from .motion.sliding_path import slide, straight
from .operands import shapes_of
from .outlines import corners, extent
from .two_shapes import outlines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


def animate(
    a: Any,
    b: Any = None,
    velocity: Any = None,
    *,
    velocity_a: Any = None,
    velocity_b: Any = None,
    turn_a: float = 0.0,
    center_a: Any = None,
    turn_b: float = 0.0,
    center_b: Any = None,
    seconds: float = 2.0,
    fps: float = 20.0,
    ax: Axes | None = None,
) -> Film:
    """Animates a shape that stops at the first contact and slides along it, or a log.

    At a contact, the component of the remaining velocity into the other shape is removed, and
    the shape continues with the rest until the frame ends or it is blocked. A shape that
    overlaps the other one at the start doesn't move. With a turn, both stop at the first contact.

    `Trajectories` as the first argument are a log: all bodies move by one clock, from the first
    pose to the last, and are hidden where they are absent. Dots show the first contact of each pair
    from its time on, and the outlines of both bodies are vermilion.

    Parameters
    ----------
    a, b, velocity : shapes of any kind, and array_like of shape (2,)
        As `carom.swept_collision` takes them. Or `Trajectories`, and optionally obstacles: shapes,
        or `Trajectories` of as many poses. As in `carom.encounters`, contacts are those with the
        obstacles if there are any, else those of the bodies with each other.
    velocity_a, velocity_b : array_like of shape (2,), optional
        The displacements of both shapes, in place of `velocity`. The pictures are those of the
        frame of reference in which `b` doesn't translate.
    turn_a, center_a, turn_b, center_b : float, and array_like of shape (2,), optional
        The angles in radians by which the shapes turn within the frame, and the points about which
        they do.
    seconds : float, default 2
        The duration of the frame, time 0 to 1, in the animation; of a log, that of all its steps.
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
        If a shape is not valid, a velocity, a turn or a center is NaN or infinite, a turn has no
        center, both forms of velocities are given, or `seconds` or `fps` is not above 0. If a log
        has no poses.
    TypeError
        If an argument does not consist of numbers, or a velocity or a turn is given with a log.

    See Also
    --------
    swept_collision : a picture of the first contact.
    trajectories : a picture of a log.

    Examples
    --------
    >>> import carom.plot
    >>> block = [(0, 4), (2, 4), (2, 6), (0, 6)]
    >>> ramp = [(-1, 0), (9, 0), (-1, 3)]
    >>> film = carom.plot.animate(block, ramp, velocity=(2, -6))
    >>> film.save("block.gif")

    A log of two cars on arcs:

    >>> arcs = [[(0, 0, 0), (7, 7, 1.57)], [(16, 0, 3.14), (9, 7, 1.57)]]
    >>> log = carom.Trajectories(carom.boxes(4, 2), arcs, motion="arc", times=(0, 1.5))
    >>> film = carom.plot.animate(log, seconds=1.5)
    """
    for name, value in (("seconds", seconds), ("fps", fps)):
        if not 0.0 < value < np.inf:
            raise InputValueError(f"expected a finite number above 0, got {value}", at=name)
    a, b = shapes_of(a, "a"), shapes_of(b, "b")
    turns: dict[str, Any] = {"turn_a": turn_a, "center_a": center_a}
    turns |= {"turn_b": turn_b, "center_b": center_b}
    velocities = {"velocity": velocity, "velocity_a": velocity_a, "velocity_b": velocity_b}
    if isinstance(a, _core.Trajectories):
        for name, value in (velocities | turns).items():
            if np.any(value):
                raise InputTypeError("given with Trajectories, which say how they move", at=name)
        return film_of_log(a, b, seconds, fps, ax)
    hit = _core.swept_collision(a, b, **velocities, **turns)
    velocity = relative_velocity(**velocities)
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
    clock = clock_on(ax)
    since_start = ", in contact from the start" if hit.intersects else ""
    ax.autoscale_view()
    still = ax.transData
    times = times_of(seconds, fps)

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


def draw_sign(ax: Axes, hit: _core.SweptCollisionResult, size: float) -> Sequence[Artist]:
    """Draws a contact and its normal, which are made visible from the time of the contact."""
    if not np.isfinite(hit.contact).all():
        return []
    contact = segment(ax, hit.contact, RED)
    vector = NORMAL * size * hit.normal
    return [contact, arrow(ax, hit.contact.mean(axis=0), vector, RED)]

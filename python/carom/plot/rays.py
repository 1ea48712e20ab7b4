"""Drawings of rays until what they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import LineCollection

from .. import _core
from .elements import BLUE, GREY, NORMAL, RED, STYLE_B, Floats, blank_axes, finish, patch
from .motion.tracks import checked_column
from .operands import shapes_of
from .outlines import outlines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BEYOND = 2.0  # length of a ray without an end, in units of the picture: it leaves the picture


def rays(
    origins: Any, directions: Any, shapes: Any, *, length: Any = np.inf, ax: Axes | None = None
) -> Axes:
    """Draws rays until the first shape that each meets, with the points and the normals there.

    A ray that meets nothing is grey. It is drawn to its end, or out of the picture if it has none.

    Parameters
    ----------
    origins, directions, shapes : array_like of shape (..., 2), and shapes of any kind
        As `carom.ray_cast` takes them.
    length : array_like, shape (...), default inf
        The time at which the ray ends: with unit directions a distance, with displacements 1.0 for
        a line of sight.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If a shape is not valid, or an origin, a direction or a length is NaN, or infinite where it
        must not be, or negative.
    TypeError
        If an argument does not consist of numbers.

    See Also
    --------
    carom.ray_cast : the query.

    Examples
    --------
    >>> import carom.plot
    >>> pillars = [[(2, 0), (3, 0), (3, 2), (2, 2)], [(5, 0), (6, 0), (6, 4), (5, 4)]]
    >>> ax = carom.plot.rays([(0, 1), (0, 4), (0, 5)], (1, 0), pillars)
    >>> ax.get_legend_handles_labels()[1]
    ['rays', 'rays that meet nothing', 'points', 'normals']
    """
    shapes = shapes_of(shapes, "shapes")
    seen = _core.ray_cast(origins, directions, shapes, length=length)
    ax = blank_axes(ax)
    for shape in outlines(checked_column(shapes)):
        patch(ax, shape, **STYLE_B)
    starts, ways = (
        np.broadcast_to(np.array(given, dtype=np.float64), (*seen.shape, 2)).reshape(-1, 2)
        for given in (origins, directions)
    )
    times = np.broadcast_to(np.array(length, dtype=np.float64), seen.shape).ravel()
    hit, points, normals = seen.hit.ravel(), seen.point.reshape(-1, 2), seen.normal.reshape(-1, 2)
    ax.update_datalim(np.concatenate([starts, points[hit]]))
    draw_lines(ax, starts[hit], points[hit], BLUE, "rays")
    is_ended = ~hit & np.isfinite(times)
    ends = starts[is_ended] + times[is_ended, None] * ways[is_ended]
    draw_lines(ax, starts[is_ended], ends, (GREY, 0.5), "rays that meet nothing")
    size = max(ax.dataLim.width, ax.dataLim.height) or 1.0
    is_endless = ~hit & np.isinf(times)
    away = ways[is_endless]
    away /= np.maximum(np.hypot(*away.T), np.finfo(float).tiny)[:, None]
    ends = starts[is_endless] + BEYOND * size * away
    draw_lines(ax, starts[is_endless], ends, (GREY, 0.5), "rays that meet nothing", widens=False)
    if hit.any():
        ax.plot(*points[hit].T, ".", color=RED, zorder=5, label="points")
        tips = points[hit] + NORMAL / 2.0 * size * normals[hit]
        draw_lines(ax, points[hit], tips, RED, "normals")
    return finish(ax)


def draw_lines(
    ax: Axes, starts: Floats, ends: Floats, color: Any, label: str, *, widens: bool = True
) -> None:
    """Draws segments, which the limits of the axes include if they widen the picture."""
    if len(starts):
        lines = np.stack([starts, ends], axis=1)
        drawn = LineCollection(list(lines), colors=color, linewidths=1.0, label=label)
        ax.add_collection(drawn, autolim=widens)

"""Drawing of a circle and a shape, with the nearest feature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.patches import Circle

from .. import _core
from .elements import (
    BLUE,
    INK,
    MOVED,
    NORMAL,
    RED,
    STYLE_A,
    STYLE_B,
    arrow,
    blank_axes,
    finish,
    measure,
    patch,
    segment,
)
from .operands import shapes_of
from .outlines import DOT, outline, parts_of
from .two_shapes import row_of
from .zoom import NOTHING, check_zoom, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def circle_polygon(
    center: Any, radius: float, polygon: Any, *, zoom: str | None = None, ax: Axes | None = None
) -> Axes:
    """Draws a circle, a polygon or a shape of another kind, and the nearest feature.

    Also the closest point and the normal; if they overlap, the minimum translation vector and the
    circle moved by it, else the gap.

    Parameters
    ----------
    center, radius, polygon : array_like of shape (2,), number, and shape of any kind
        As `carom.circle_polygon` takes them.
    zoom : {"contact", "all"}, optional
        "contact" shows what happens, the MTV or the gap, and the smaller shape unless it is ten
        times as large as that; "all" shows both. By default "contact" where one shape is ten times
        as large as the other, or as what happens.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If the shape is not valid, a number is NaN or infinite, the radius is negative, or `zoom` is
        neither.
    TypeError
        If an argument does not consist of numbers.

    See Also
    --------
    carom.circle_polygon : the query.

    Examples
    --------
    >>> import carom.plot
    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> ax = carom.plot.circle_polygon((2.5, 1), 1, square)
    >>> ax.get_legend_handles_labels()[1]
    ['nearest edge', 'closest point', 'normal', 'MTV, length 0.5', 'circle moved by the MTV']
    """
    check_zoom(zoom)
    polygon = shapes_of(polygon, "polygon")
    result = _core.circle_polygon(center, radius, polygon)
    place = np.array(center, dtype=np.float64)
    row, circle = row_of(polygon), _core.Shapes.from_points([place], radius=radius)
    across = result.closest + result.distance * result.normal
    events = np.stack([result.closest, result.closest if result else across])
    if result.depth > 0.0:
        events = np.concatenate([events, [place, place + result.mtv]])
    view = view_of(zoom, (circle, row), events, (circle.coords + result.mtv, NOTHING))
    ax = blank_axes(ax)
    shape = outline(row, DOT * view.size)
    patch(ax, shape, **STYLE_B)
    ax.add_patch(Circle((place[0], place[1]), radius, **STYLE_A))
    ax.plot(*place, ".", color=BLUE)
    draw_feature(ax, result, row)
    segment(ax, np.stack([result.closest] * 2), RED, label="closest point")
    if not result:
        ax.plot(*events.T, ":", color=INK, label=f"gap, {result.distance:.4g} wide")
    arrow(ax, result.closest, NORMAL * view.size * result.normal, RED, label="normal")
    if result.depth > 0.0:
        measure(ax, place, result.mtv, f"MTV, length {result.depth:.4g}")
        there = place + result.mtv
        moved = Circle((there[0], there[1]), radius, facecolor="none", **MOVED)
        moved.set_label("circle moved by the MTV")
        ax.add_patch(moved)
    return view.apply(finish(ax))


def draw_feature(ax: Axes, result: _core.CirclePolygonResult, row: _core.Shapes) -> None:
    """Draws the nearest vertex or edge, without the shape's radius."""
    first = 0
    for ring in parts_of(row):
        if first <= result.index < first + len(ring):
            start = result.index - first
            ends = ring[[start, (start + 1) % len(ring)]]
            label = f"nearest {result.feature}"
            if result.feature == "vertex":
                style: dict[str, Any] = {"markersize": 13, "markerfacecolor": "none"}
                ax.plot(*ends[0], "s", color=INK, label=label, **style)
            else:
                ax.plot(*ends.T, color=INK, linewidth=2.5, label=label)
        first += len(ring)

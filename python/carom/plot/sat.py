"""Drawing of the overlap of two convex shapes, or of the gap between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .elements import (
    INK,
    MOVED,
    NEARLY,
    PURPLE,
    RED,
    STYLE_B,
    Floats,
    blank_axes,
    finish,
    measure,
    patch,
    segment,
)
from .operands import shapes_of
from .outlines import corners, extent, outline, shifted
from .two_shapes import draw_grown, grown, outlines_of, row_of
from .zoom import NOTHING, check_zoom, name_shapes, overlap_places, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def sat(
    a: Any, b: Any, *, margin: float = 0.0, zoom: str | None = None, ax: Axes | None = None
) -> Axes:
    """Draws the overlap of two convex shapes, or the gap between them.

    If they intersect: the overlap, the contact, the reference edge, the minimum translation vector,
    and `a` moved by it. If they are disjoint: a separating line, and the gap along its normal. With
    a margin, all of this is about `a` grown by the margin, which is drawn around `a`.

    Parameters
    ----------
    a, b : convex shapes, with or without a radius
        As `carom.sat` takes them.
    margin : float, default 0.0
        The distance at which shapes count as touching.
    zoom : {"contact", "all"}, optional
        "contact" shows what happens, contact, overlap and MTV or the gap, and the smaller shape
        unless it is ten times as large as that; "all" shows both. By default "contact" where one
        shape is ten times as large as the other, or as what happens.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If a shape is not valid or not convex, the margin is negative or not finite, or `zoom` is
        neither.
    TypeError
        If an argument does not consist of numbers.

    See Also
    --------
    carom.sat : the query.

    Examples
    --------
    >>> import carom.plot
    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> ax = carom.plot.sat(square, [(1.5, 1), (5, -1), (5, 3)])
    >>> ax.get_legend_handles_labels()[1]
    ['overlap', 'reference edge', 'contact', 'MTV, length 0.5', 'a moved by the MTV']
    """
    check_zoom(zoom)
    a, b = shapes_of(a, "a"), shapes_of(b, "b")
    result = _core.sat(a, b, margin=margin)
    wide_a, row_b = grown(a, margin), row_of(b)
    edge, is_a = reference_edge(wide_a, row_b, result.normal)
    ends = arrow_ends(result, corners(outline(row_b if is_a else wide_a)), margin, is_a=is_a)
    what = [result.contact, overlap_places(wide_a, row_b)] if result else []
    moved = row_of(a).coords + result.mtv
    view = view_of(zoom, (wide_a, b), np.concatenate([ends, *what]), (moved, NOTHING))
    ax = blank_axes(ax)
    shape_a, shape_b = outlines_of(wide_a, b, view.size)
    drawn_a = draw_grown(ax, shape_a, outlines_of(a, b, view.size)[0], margin)
    patch(ax, shape_b, **STYLE_B)
    if result.depth > 0.0:
        style = {"facecolor": PURPLE, "edgecolor": "none", "label": "overlap"}
        patch(ax, shape_b, **style).set_clip_path(drawn_a)
    if result:
        draw_overlap(ax, result, edge, ends)
    else:
        draw_gap(ax, result, ends, extent(corners(shape_b if is_a else shape_a)))
    if result.depth > 0.0:
        patch(ax, shifted(shape_a, result.mtv), label="a moved by the MTV", **MOVED)
    name_shapes(ax, a, b, view)
    return view.apply(finish(ax))


def reference_edge(a: _core.Shapes, b: _core.Shapes, normal: Floats) -> tuple[Floats | None, bool]:
    """Returns the edge with this normal, and whether it is one of `a`.

    At round corners, the edge is None, and the contact is on `b`, as with an edge of `a`.
    """
    edge_a, cosine_a = facing_edge(a, -normal)
    edge_b, cosine_b = facing_edge(b, normal)
    is_round = max(cosine_a, cosine_b) < 1.0 - NEARLY
    is_a = is_round or cosine_a >= cosine_b - NEARLY
    edge = edge_a if is_a else edge_b
    return (None if is_round else edge), is_a


def facing_edge(shape: _core.Shapes, direction: Floats) -> tuple[Floats, float]:
    """Returns the edge whose normal is nearest to a direction, and the cosine between them."""
    corners = shape.coords
    starts = _core.convex_hull(corners) if len(corners) > 2 else corners
    if len(starts) < 2:
        return np.repeat(starts, 2, axis=0), -1.0
    along = np.roll(starts, -1, axis=0) - starts
    cosines = (along[:, 1] * direction[0] - along[:, 0] * direction[1]) / np.hypot(*along.T)
    edge = int(cosines.argmax())
    ends = np.stack([starts[edge], starts[edge] + along[edge]])
    return ends + shape.radius[0] * direction, float(cosines[edge])


def foremost(points: Floats, direction: Floats) -> Floats:
    """Returns the point furthest in a direction; the mean of several equally far ones."""
    reach = (points - points[0]) @ direction
    front = points[reach >= reach.max() - NEARLY * extent(points)]
    place: Floats = front.mean(axis=0)
    return place


def arrow_ends(result: _core.SatResult, other: Floats, margin: float, *, is_a: bool) -> Floats:
    """Returns tail and tip of the MTV, or of the gap, between the reference edge and the other."""
    sign = 1.0 if is_a else -1.0
    if not result:
        across = result.separation * result.normal
        nearest = foremost(other, sign * result.normal)
        tail = nearest if is_a else nearest - across
        return np.stack([tail, tail + across])
    deepest = foremost(result.contact, sign * result.normal)
    # The margin grows a, but moves no contact.
    tail = deepest - (result.mtv if is_a else margin * result.normal)
    return np.stack([tail, tail + result.mtv])


def draw_overlap(ax: Axes, result: _core.SatResult, edge: Floats | None, ends: Floats) -> None:
    """Draws the contact, and the MTV between the reference edge and the deepest point behind it."""
    if edge is not None:
        ax.plot(*edge.T, color=INK, linewidth=2.5, label="reference edge")
    segment(ax, result.contact, RED, label="contact")
    if result.depth > 0.0:
        measure(ax, ends[0], result.mtv, f"MTV, length {result.depth:.4g}")


def draw_gap(ax: Axes, result: _core.SatResult, ends: Floats, size: float) -> None:
    """Draws a separating line, and the gap across it."""
    x, y = ends[0] + result.separation * result.normal / 2.0
    # Not scaled by the gap: for a tiny gap, rounding would change the direction of the line.
    along_y, along_x = 0.1 * size * result.normal
    style: dict[str, Any] = {"color": INK, "linewidth": 1.2, "linestyle": "--"}
    ax.axline((x, y), (x - along_x, y + along_y), label="separating line", **style)
    across = result.separation * result.normal
    measure(ax, ends[0], across, f"gap, {result.separation:.4g} wide", head="<|-|>")

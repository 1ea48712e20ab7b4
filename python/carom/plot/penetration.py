"""Drawing of the shortest translation that separates two shapes."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.path import Path

from .. import _core
from .elements import GREY, MOVED, PURPLE, STYLE_B, Floats, blank_axes, finish, measure, patch
from .many_rows import draw_shifts, refuse_of_many
from .operands import are_many, one_or_many
from .outlines import POLYGON, outline, shifted
from .two_shapes import draw_grown, grown, middle, outlines_of, row_of
from .zoom import NOTHING, check_zoom, name_shapes, overlap_places, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def penetration(
    a: Any,
    b: Any,
    *,
    direction: Any = None,
    margin: Any = 0.0,
    pairs: Any = None,
    region: bool = False,
    zoom: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws the shortest translation that separates two shapes, and `a` moved by it.

    The overlap is coloured. On request the region of forbidden translations is drawn around the
    tail of the arrow: `a` and `b` overlap, moved, as long as the tip is inside it. With a margin,
    all of this is about `a` grown by the margin, which is drawn around `a`.

    Of columns all rows are drawn, and for each overlap an arrow of the MTV, from the middle of the
    box of its row of `a`, and this row moved by it. Up to six have their lengths written beside
    them.

    Parameters
    ----------
    a, b : shapes
        As `carom.penetration` takes them. Or columns, as `carom.penetration_batch` takes them:
        `Shapes`, a GeoSeries, a GeoDataFrame, a Column of ``carom.interop.geopandas``, an array of
        polygons or a list of Shapely geometries. Rows are paired by their positions, one shape with
        all rows.
    direction : array_like of shape (2,), optional
        The only direction in which `a` may move; by default any.
    margin : float, default 0.0
        The distance at which shapes count as touching; of columns one for all or for each pair.
    pairs : array_like of int, shape (2, K), optional
        The rows of `a` and of `b` that are paired, such as `carom.colliding_pairs` gives them.
    region : bool, default False
        Whether to draw the forbidden translations: the union of the Minkowski differences of all
        pairs of convex parts.
    zoom : {"contact", "all"}, optional
        "contact" shows what happens, overlap and MTV, and the smaller shape unless it is ten times
        as large as that; "all" shows both. By default "contact" where one shape is ten times as
        large as the other, or as what happens, and `region` is false.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y.

    Raises
    ------
    ValueError
        If a shape is not valid or has no interior, the direction is zero or not finite, the margin
        is negative or not finite, a shape that is not convex has a radius or a margin, or `zoom` is
        neither. If `region` or the zoom "contact" is given with columns, or these differ in length.
    TypeError
        If an argument does not consist of numbers.

    See Also
    --------
    carom.penetration : the query.
    sat : the same for convex shapes, with their contact.

    Examples
    --------
    >>> import carom.plot
    >>> cup = [(0, 0), (4, 0), (4, 4), (3, 4), (3, 1), (1, 1), (1, 4), (0, 4)]
    >>> square = [(1.25, 2), (3.25, 2), (3.25, 4), (1.25, 4)]
    >>> ax = carom.plot.penetration(square, cup, region=True)
    >>> ax.get_legend_handles_labels()[1]
    ['forbidden for the tip', 'overlap', 'MTV, length 0.25', 'a moved by the MTV']

    Houses and the road that they are moved off:

    >>> house = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> houses = carom.Shapes(carom.place(house, [(0, 0, 0), (4, 0.5, 0), (8, 1, 0)]))
    >>> road = [(-1, -2), (12, -2), (12, 1.5), (-1, 1.5)]
    >>> ax = carom.plot.penetration(houses, road)
    >>> ax.get_legend_handles_labels()[1]
    ['a moved by the MTV', 'MTV']
    """
    check_zoom(zoom)
    a, b = one_or_many(a, "a"), one_or_many(b, "b")
    if pairs is not None or are_many(a, b):
        refuse_of_many("region", region)
        refuse_of_many("zoom", zoom == "contact")
        return draw_shifts(a, b, direction, margin, pairs, ax)
    result = _core.penetration(a, b, direction=direction, margin=margin)
    wide_a, row_b, tail = grown(a, margin), row_of(b), middle(a)
    overlap = overlap_places(wide_a, row_b) if result.depth > 0.0 else NOTHING
    moved = wide_a.coords + result.mtv, NOTHING
    view = view_of("all" if region and zoom is None else zoom, (wide_a, b), overlap, moved)
    if not view.has(tail) and len(overlap):
        tail = overlap.min(axis=0) / 2.0 + overlap.max(axis=0) / 2.0
    ax = blank_axes(ax)
    shape_a, shape_b = outlines_of(wide_a, b, view.size)
    if region:
        draw_region(ax, shifted(forbidden(wide_a, row_b), tail))
    drawn_a = draw_grown(ax, shape_a, outlines_of(a, b, view.size)[0], margin)
    patch(ax, shape_b, **STYLE_B)
    if result.depth > 0.0:
        style = {"facecolor": PURPLE, "edgecolor": "none", "label": "overlap"}
        patch(ax, shape_b, **style).set_clip_path(drawn_a)
        measure(ax, tail, result.mtv, f"MTV, length {result.depth:.4g}")
        patch(ax, shifted(shape_a, result.mtv), label="a moved by the MTV", **MOVED)
    name_shapes(ax, a, b, view)
    return view.apply(finish(ax))


def draw_region(ax: Axes, union: Path) -> None:
    """Draws a union of overlapping outlines with a line around it."""
    patch(ax, union, edgecolor=GREY, linewidth=2.0, zorder=0.5, snap=False)
    # Hides the parts of the lines that are within the union.
    fill: dict[str, Any] = {"facecolor": "0.95", "edgecolor": "none", "snap": False}
    patch(ax, union, zorder=0.6, label="forbidden for the tip", **fill)


def forbidden(a: _core.Shapes, b: _core.Shapes) -> Path:
    """The outlines of the Minkowski differences of all pairs of convex parts, overlapping."""
    radius = a.radius[0] + b.radius[0]
    return Path.make_compound_path(
        *(
            outline(hull((q[:, None] - p).reshape(-1, 2)).with_radius(radius))
            for p, q in product(convex_parts(a), convex_parts(b))
        )
    )


def convex_parts(shape: _core.Shapes) -> list[Floats]:
    """The vertices of each convex part."""
    if shape.kind[0] < POLYGON:
        return [shape.coords]
    parts = _core.convex_parts(shape)
    return [parts[row : row + 1].coords for row in range(len(parts))]


def hull(points: Floats) -> _core.Shapes:
    """The convex hull of points as a column of one row: a segment or a point if it has no area."""
    try:
        return _core.Shapes([_core.convex_hull(points)])
    except ValueError:
        order = points[np.lexsort(points.T)]
        return _core.Shapes.from_segments([order[[0, -1]]])

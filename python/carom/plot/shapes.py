"""Drawings of columns of shapes, and what drawings of two shapes have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import PathCollection

from .. import _core
from .elements import BLUE, GROWN, INK, STYLE_A, Floats, blank_axes, finish, note, patch
from .outlines import DOT, extent, outline, outlines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

FEW_ROWS = 400  # rows with borders of normal width; of more they are thin


def shapes(shapes: Any, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draws shapes of any kind: points, paths and polygons, of one part or several.

    A radius makes the outline round: a point with a radius is drawn as a circle, a segment as a
    capsule. Holes and paths are not filled. A point without a radius is drawn as a small dot.

    Parameters
    ----------
    shapes : Shapes, or anything it accepts; or array_like, shape (V, 2)
        A column, a GeoSeries, or a list with one shape per row; or the vertices of one polygon,
        or a Shapely geometry. A list of rings is a list of polygons, as for `Shapes`: wrap a
        single polygon with holes in a list. Missing rows are not drawn.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.
    **style
        Keywords of `matplotlib.collections.PathCollection`, each one value or one per row:
        ``facecolors``, ``edgecolors``, ``linewidths``, ``alpha``; or ``array`` and ``cmap``, which
        colour the rows by a number. The collection is ``ax.collections[-1]``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If a row is not a valid shape.
    TypeError
        If a row does not consist of numbers, or is a geometry that is no shape.

    Examples
    --------
    A frame with a square in its hole, each coloured by its area:

    >>> import carom.plot
    >>> frame = [[(0, 0), (6, 0), (6, 6), (0, 6)], [(1, 1), (5, 1), (5, 5), (1, 5)]]
    >>> column = carom.Shapes([frame, [(2, 2), (4, 2), (4, 4), (2, 4)], None])
    >>> ax = carom.plot.shapes(column, array=column.area, cmap="viridis")
    >>> len(ax.collections[-1].get_paths())
    3

    A circle and a capsule:

    >>> ax = carom.plot.shapes(carom.Shapes.from_points([(0, 0)], radius=1))
    >>> ax = carom.plot.shapes(carom.Shapes.from_segments([[(3, 0), (6, 0)]], radius=1), ax=ax)
    """
    column = column_of(shapes)
    ax = blank_axes(ax)
    paths = outlines(column)
    width = 1.0 if len(column) <= FEW_ROWS else 0.2
    plain: dict[str, Any] = {"edgecolors": BLUE, "linewidths": width}
    if "array" not in style:
        plain["facecolors"] = (BLUE, 0.3)
    ax.add_collection(PathCollection(paths, **plain | style))
    return finish(ax)


def column_of(shapes: Any) -> _core.Shapes:
    """Shapes as a column; a single shape becomes a column of one row."""
    if isinstance(shapes, _core.Shapes):
        return shapes
    is_listed = isinstance(shapes, list | tuple | np.ndarray)
    is_ring = is_listed and any(is_point(item) for item in shapes[:1])
    is_geometry = isinstance(getattr(shapes, "geom_type", None), str)
    return _core.Shapes([shapes] if is_ring or is_geometry else shapes)


def is_point(item: Any) -> bool:
    """Whether this is a single point."""
    try:
        return np.ndim(item) == 1
    except ValueError:  # rings of unequal lengths
        return False


def row_of(shape: Any) -> _core.Shapes:
    """One shape as a column of one row."""
    return shape if isinstance(shape, _core.Shapes) else _core.Shapes([shape])


def outlines_of(a: Any, b: Any) -> tuple[Path, Path]:
    """The outlines of two shapes, with dots of one size for points."""
    rows = row_of(a), row_of(b)
    dot = DOT * extent(np.concatenate([row.coords for row in rows]))
    return outline(rows[0], dot), outline(rows[1], dot)


def middle(shape: Any) -> Floats:
    """A point in a shape with space for its label."""
    row = row_of(shape)
    places = row if row.area[0] == 0.0 else _core.convex_parts(shape)
    place: Floats = places.centroid[places.area.argmax()]
    return place


def grown(shape: Any, margin: float) -> _core.Shapes:
    """A shape with the margin around it, as a column of one row."""
    row = row_of(shape)
    return row.with_radius(row.radius + margin) if margin else row


def draw_grown(ax: Axes, wide: Path, outline: Path, margin: float) -> PathPatch:
    """Draws `a`, and around it the margin, if there is one; returns the wider of the two."""
    if not margin:
        return patch(ax, outline, **STYLE_A)
    drawn = patch(ax, wide, label=f"margin of {margin:.4g}", **GROWN)
    patch(ax, outline, **STYLE_A)
    return drawn


def name_shapes(ax: Axes, a: Any, b: Any) -> None:
    """Writes the names of the operands on them."""
    note(ax, middle(a), "a", INK)
    note(ax, middle(b), "b", INK)

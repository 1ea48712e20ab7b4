"""Drawings of columns of shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import PathCollection

from .. import _core
from .elements import BLUE, blank_axes, finish
from .outlines import outlines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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

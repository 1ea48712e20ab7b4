"""Drawings of polygons and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.path import Path

from .. import _core
from .draw import BLUE, Floats, blank_axes, finish, outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

EMPTY = Path(np.empty((0, 2)))
FEW = 400  # polygons with borders of normal width; of more they are thin


def shapes(shapes: Any, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draws polygons; holes are not filled.

    Parameters
    ----------
    shapes : Shapes, or anything it accepts; or array_like, shape (V, 2)
        A column, a GeoSeries, or a list with one polygon per row; or the vertices of one polygon,
        or a `shapely.Polygon`. A list of rings is a list of polygons, as for `Shapes`: wrap a
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
        The axes, with the same scale on x and y.

    Raises
    ------
    ValueError
        If a row is not a valid polygon.
    TypeError
        If a row does not consist of numbers.

    Examples
    --------
    A frame with a square in its hole, each coloured by its area:

    >>> import carom.plot
    >>> frame = [[(0, 0), (6, 0), (6, 6), (0, 6)], [(1, 1), (5, 1), (5, 5), (1, 5)]]
    >>> column = carom.Shapes([frame, [(2, 2), (4, 2), (4, 4), (2, 4)], None])
    >>> ax = carom.plot.shapes(column, array=column.area, cmap="viridis")
    >>> len(ax.collections[-1].get_paths())
    3
    """
    column = column_of(shapes)
    ax = blank_axes(ax)
    paths = [EMPTY if row is None else outline(rings_of(row)) for row in column]
    width = 1.0 if len(column) <= FEW else 0.2
    plain: dict[str, Any] = {"edgecolors": BLUE, "linewidths": width}
    if "array" not in style:
        plain["facecolors"] = (BLUE, 0.3)
    ax.add_collection(PathCollection(paths, **plain | style))
    return finish(ax)


def column_of(shapes: Any) -> _core.Shapes:
    """Polygons as a column; a single polygon becomes a column of one row."""
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


def rings(polygon: Any) -> Sequence[Floats]:
    """The rings of one polygon, the shell first, as a column stores them."""
    return rings_of(_core.Shapes([polygon])[0])


def rings_of(row: Any) -> Sequence[Floats]:
    """The rings of a row of a column."""
    return [row] if isinstance(row, np.ndarray) else row


def middle(polygon: Any) -> Floats:
    """A point inside a polygon with space for its label."""
    parts = _core.convex_parts(polygon)
    place: Floats = parts.centroid[parts.area.argmax()]
    return place

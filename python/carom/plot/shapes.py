"""Polygons and columns of them."""

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
FEW = 400  # polygons; of more the borders are hairlines


def polygons(polygons: Any, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draws polygons, holes left open.

    Parameters
    ----------
    polygons : Polygons, or anything they are made of; or array_like, shape (V, 2)
        A column, a GeoSeries, or a list with one polygon per row; or the vertices of one polygon,
        or a `shapely.Polygon`. A list of rings is a list of polygons, as it is for `Polygons`: one
        polygon with holes is put in a list of its own. Missing rows are left out.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.
    **style
        Keywords of `matplotlib.collections.PathCollection`, each one value or one per row:
        ``facecolors``, ``edgecolors``, ``linewidths``, ``alpha``; or ``array`` and ``cmap``, which
        colour the rows by a number. The collection is ``ax.collections[-1]``.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn, with the same scale on both axes.

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
    >>> column = carom.Polygons([frame, [(2, 2), (4, 2), (4, 4), (2, 4)], None])
    >>> ax = carom.plot.polygons(column, array=column.area, cmap="viridis")
    >>> len(ax.collections[-1].get_paths())
    3
    """
    column = column_of(polygons)
    ax = blank_axes(ax)
    paths = [EMPTY if row is None else outline(rings_of(row)) for row in column]
    width = 1.0 if len(column) <= FEW else 0.2
    plain: dict[str, Any] = {"edgecolors": BLUE, "linewidths": width}
    if "array" not in style:
        plain["facecolors"] = (BLUE, 0.3)
    ax.add_collection(PathCollection(paths, **plain | style))
    return finish(ax)


def column_of(polygons: Any) -> _core.Polygons:
    """The column that polygons are or make, a single one put in a list."""
    if isinstance(polygons, _core.Polygons):
        return polygons
    is_listed = isinstance(polygons, list | tuple | np.ndarray)
    is_ring = is_listed and any(is_point(item) for item in polygons[:1])
    is_geometry = isinstance(getattr(polygons, "geom_type", None), str)
    return _core.Polygons([polygons] if is_ring or is_geometry else polygons)


def is_point(item: Any) -> bool:
    """Whether this is one point, and not a ring, a polygon or nothing."""
    try:
        return np.ndim(item) == 1
    except ValueError:  # rings of unequal lengths
        return False


def rings(polygon: Any) -> Sequence[Floats]:
    """The rings of one polygon, the shell first, as the column keeps them."""
    return rings_of(_core.Polygons([polygon])[0])


def rings_of(row: Any) -> Sequence[Floats]:
    """The rings of a column's row."""
    return [row] if isinstance(row, np.ndarray) else row


def middle(polygon: Any) -> Floats:
    """A point inside a polygon, where there is room for its name."""
    parts = _core.convex_parts(polygon)
    place: Floats = parts.centroid[parts.area.argmax()]
    return place

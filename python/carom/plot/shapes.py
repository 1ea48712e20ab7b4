"""Drawings of columns of shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba

from .. import _core
from .._input_error import InputTypeError
from .elements import BLUE, GREY, blank_axes, finish
from .operands import shapes_of
from .outlines import POLYGON, outlines
from .values import NO_COLOUR, draw_key, style_of, values_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OF_GEOPANDAS = {
    "column": "array='name of a column' colours the rows by it",
    "vmin": "clim=(vmin, vmax) has both",
    "vmax": "clim=(vmin, vmax) has both",
    "figsize": "ax=... has the axes of a figure of any size",
}
"""What to use instead of keywords of GeoPandas."""
FEW_ROWS = 400  # rows with borders of normal width; of more they are thin


def shapes(
    shapes: Any,
    *,
    array: Any = None,
    legend: bool | None = None,
    ax: Axes | None = None,
    **style: Any,
) -> Axes:
    """Draws shapes of any kind: points, paths and polygons, of one part or several.

    A radius makes the outline round: a point with a radius is drawn as a circle, a segment as a
    capsule. Holes and paths are not filled. A point without a radius is drawn as a small dot.

    Parameters
    ----------
    shapes : Shapes, or anything it accepts; or array_like, shape (V, 2)
        A column, a GeoSeries or GeoDataFrame, a Column of ``carom.interop.geopandas``, or a list
        with one shape per row; or the vertices of one polygon, or a Shapely geometry. A list of
        rings is a list of polygons, as for `Shapes`: wrap a single polygon with holes in a list.
        Missing rows are not drawn.
    array : str or array_like, shape (N,), optional
        What colours the rows: a value for each, or the name of a column of the frame. Numbers,
        dates and durations are colours of a colormap; text, truth values and pandas' categories
        are a colour each, those of Okabe and Ito up to seven. A Series with another index than the
        rows is aligned with it. Of a row whose value is missing or infinite the outline is drawn,
        in grey.
    legend : bool, optional
        Whether there is a colour bar for numbers, or an entry in the legend for each category. By
        default categories and columns of the frame have one, and numbers given as an array none.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.
    **style
        Keywords of `matplotlib.collections.PathCollection`, each one value or one per row:
        ``facecolors``, ``edgecolors``, ``linewidths``, ``alpha``; and for `array` ``cmap``,
        ``norm`` and ``clim``. The collection is ``ax.collections[-1]``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If a row is not a valid shape, `array` has not a value for each row, or the frame has no
        such column.
    TypeError
        If a row does not consist of numbers, or is a geometry that is no shape, if the values have
        several types or are geometries, or if a keyword is one of GeoPandas.

    Examples
    --------
    A frame with a square in its hole, each coloured by its area:

    >>> import carom.plot
    >>> frame = [[(0, 0), (6, 0), (6, 6), (0, 6)], [(1, 1), (5, 1), (5, 5), (1, 5)]]
    >>> column = carom.Shapes([frame, [(2, 2), (4, 2), (4, 4), (2, 4)], None])
    >>> ax = carom.plot.shapes(column, array=column.area, cmap="viridis")
    >>> len(ax.collections[-1].get_paths())
    3

    Land by its use, which is text, and so is a colour each:

    >>> import geopandas, shapely
    >>> plots = [shapely.box(x, 0, x + 2, 2) for x in (0, 2, 4)]
    >>> land = geopandas.GeoDataFrame({"use": ["field", "wood", "field"]}, geometry=plots)
    >>> ax = carom.plot.shapes(land, array="use")
    >>> ax.get_legend_handles_labels()[1]
    ['field', 'wood']

    A circle and a capsule:

    >>> ax = carom.plot.shapes(carom.Shapes.from_points([(0, 0)], radius=1))
    >>> ax = carom.plot.shapes(carom.Shapes.from_segments([[(3, 0), (6, 0)]], radius=1), ax=ax)
    """
    for name in style.keys() & _OF_GEOPANDAS.keys():
        raise InputTypeError(f"no keyword of shapes; {_OF_GEOPANDAS[name]}", at=name)
    column = column_of(shapes)
    values = None if array is None else values_of(shapes, array, len(column))
    ax = blank_axes(ax)
    plain: dict[str, Any] = {"linewidths": 1.0 if len(column) <= FEW_ROWS else 0.2}
    if values is None:
        plain |= {"edgecolors": BLUE, "facecolors": (BLUE, 0.3)}
        drawn = PathCollection(outlines(column), **plain | style)
        ax.add_collection(drawn)
        return finish(ax)
    # Of paths and points without a radius only the border is seen.
    borders: Any = "face"
    if ((column.kind >= POLYGON) | (column.kind < 0)).all():
        borders = np.where(values.is_missing[:, None], NO_COLOUR, to_rgba(BLUE))
    plain["edgecolors"] = borders
    coloured, colours = style_of(values, style)
    paths = outlines(column)
    unknown = [path for path, it in zip(paths, values.is_missing, strict=True) if it and len(path)]
    if unknown:
        without: dict[str, Any] = {"facecolors": "none", "edgecolors": (GREY, 0.6)}
        ax.add_collection(PathCollection(unknown, **plain | without))
    drawn = PathCollection(paths, **plain | coloured)
    ax.add_collection(drawn)
    is_default = isinstance(array, str) or values.categories is not None
    if is_default if legend is None else legend:
        draw_key(ax, drawn, values, colours)
    return finish(ax)


def column_of(shapes: Any) -> _core.Shapes:
    """Shapes as a column; a single shape becomes a column of one row."""
    shapes = shapes_of(shapes, "shapes")
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

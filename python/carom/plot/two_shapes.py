"""What drawings of two shapes have in common: their outlines, their names, a margin around one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .elements import GROWN, STYLE_A, Floats, patch
from .outlines import DOT, extent, outline

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path


def row_of(shape: Any) -> _core.Shapes:
    """One shape as a column of one row."""
    return shape if isinstance(shape, _core.Shapes) else _core.Shapes([shape])


def outlines_of(a: Any, b: Any, size: float | None = None) -> tuple[Path, Path]:
    """The outlines of two shapes, with dots of one size for points, in a picture of this size."""
    rows = row_of(a), row_of(b)
    dot = DOT * (extent(np.concatenate([row.coords for row in rows])) if size is None else size)
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

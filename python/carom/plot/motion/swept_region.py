"""The region that a shape sweeps in a motion."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.path import Path

from ... import _core
from ..elements import BLUE, Floats, patch
from ..outlines import EMPTY, closed, corners, kind_of, outline, outlines, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes

    from .moving_outline import Motion

TURN_STEP = np.pi / 360.0  # of a turning region, in radians
SAMPLES = 2000  # at most, of one motion: several full turns need no more
TINT, LINE = 0.1, 0.55  # shares of the colour in the swept region and its outline


def swept(row: _core.Shapes, motions: Iterable[tuple[Motion, Motion, float]], dot: float) -> Path:
    """The region that the shape in a row sweeps in motions, each up to a time.

    Each motion is one to the start, and one from there. The region is made of rings that may
    overlap, all counterclockwise. A ring is the convex hull of a convex part at two times, between
    which it turns by at most `TURN_STEP`: along a part that turns about its middle the ring is too
    wide by up to a quarter of `TURN_STEP` times the length, which is less than a pixel.
    """
    rings = []
    parts = [corners(part) for part in convex_outlines(row, dot)]
    for to_start, onward, end in motions:
        count = min(max(1, math.ceil(abs(onward.turn) * end / TURN_STEP)), SAMPLES)
        for part in parts:
            start = to_start.places(part, 1.0)
            places = [onward.places(start, time) for time in np.linspace(0.0, end, count + 1)]
            rings += [hull(np.concatenate(pair)) for pair in pairwise(places)]
    return closed(*rings) if rings else EMPTY


def convex_outlines(row: _core.Shapes, dot: float) -> Sequence[Path]:
    """The outlines of convex shapes whose union is the shape in a row; none if it is missing."""
    kind, radius = kind_of(row), float(row.radius[0])
    if not kind:
        return []
    if "point" in kind:
        return outlines(_core.Shapes.from_points(row.coords, radius=radius or dot))
    if "polygon" in kind:
        return outlines(_core.convex_parts(row.with_radius(0.0)).with_radius(radius))
    edges = [np.stack([part[:-1], part[1:]], axis=1) for part in parts_of(row)]
    segments = _core.Shapes.from_segments(np.concatenate(edges), radius=radius)
    return [outline(segments[edge : edge + 1], dot) for edge in range(len(segments))]


def hull(points: Floats) -> Floats:
    """The convex hull of points; the points themselves if all lie on one line."""
    try:
        return np.asarray(_core.convex_hull(points))
    except ValueError:
        return points


def draw_swept(ax: Axes, region: Path, label: str = "") -> None:
    """Draws a region made of rings that overlap, with its outline.

    The lines of all rings are drawn first. The filling, which is not transparent, then covers them
    except on the outline.
    """
    background, line = (np.array(to_rgb(tone)) for tone in (ax.get_facecolor(), BLUE))
    edge, filling = (tuple(part * line + (1.0 - part) * background) for part in (LINE, TINT))
    patch(ax, region, edgecolor=edge, linewidth=2.5, zorder=0.8, joinstyle="round").set_label("_")
    patch(ax, region, facecolor=filling, edgecolor="none", zorder=0.9).set_label("_swept")
    if label:
        patch(ax, EMPTY, facecolor=filling, edgecolor=edge, label=label)

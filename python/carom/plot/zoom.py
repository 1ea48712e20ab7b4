"""What a picture of two shapes shows: both, or what happens between them and the smaller one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core
from .._input_error import InputValueError
from .elements import INK, MARGIN, NEARLY, Floats, note
from .outlines import extent, kind_of, outline
from .two_shapes import middle, row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

TIMES = 10.0  # of two extents: the smaller one is hard to see
AROUND = 0.5  # share of what is shown that is added on each side
LEAST = 1e-6  # share of the larger shape that a picture shows at least
GRID = 24  # points along each side of a picture among which one for a name is chosen
NOTHING = np.empty((0, 2))


class View(NamedTuple):
    """What a picture shows: a rectangle, and whether it leaves out some of the shapes."""

    low: Floats
    high: Floats
    is_zoomed: bool

    @property
    def size(self) -> float:
        """The longer side."""
        return float((self.high - self.low).max())

    def has(self, point: Floats) -> bool:
        """Whether it shows a point."""
        return not self.is_zoomed or bool(((self.low <= point) & (point <= self.high)).all())

    def apply(self, ax: Axes) -> Axes:
        """Sets the limits of axes, if some of the shapes are left out; returns the axes."""
        if self.is_zoomed:
            ax.set(xlim=(self.low[0], self.high[0]), ylim=(self.low[1], self.high[1]))
        return ax


def view_of(
    zoom: str | None,
    shapes: Sequence[Any],
    events: Floats,
    places: Sequence[Floats] = (NOTHING, NOTHING),
) -> View:
    """What a picture of two shapes shows.

    `events` are points of what happens, and `places` further ones at which the shapes are drawn.
    """
    boxes = [row_of(shape).bounds.reshape(2, 2) for shape in shapes]
    drawn = [np.concatenate(pair) for pair in zip(boxes, places, strict=True)]
    sizes = [extent(box) for box in boxes]
    smaller, larger = sorted(sizes)
    happening = extent(events) if len(events) else 0.0
    is_seen = happening > NEARLY * larger
    whole = np.concatenate([*drawn, events])
    shown = events
    if not is_seen or smaller < TIMES * happening:
        shown = np.concatenate([events, drawn[sizes.index(smaller)]])
    if len(events) == 0:
        shown = np.concatenate([shown, gap_of(*map(row_of, shapes))])
    if zoom is None and (larger >= TIMES * smaller or (is_seen and larger >= TIMES * happening)):
        zoom = "contact"
    if zoom != "contact" or extent(shown) <= NEARLY * larger:
        return View(whole.min(axis=0), whole.max(axis=0), is_zoomed=False)
    center = shown.min(axis=0) / 2.0 + shown.max(axis=0) / 2.0
    half = (0.5 + AROUND) * max(extent(shown), LEAST * larger)
    return View(center - half, center + half, is_zoomed=True)


def gap_of(a: _core.Shapes, b: _core.Shapes) -> Floats:
    """The nearest points of two shapes; none if they intersect."""
    gap = _core.distance(a, b)
    return np.stack([gap.closest_a, gap.closest_b]) if gap.distance > 0.0 else NOTHING


def check_zoom(zoom: object) -> None:
    """Raises if this is no kind of zoom."""
    if zoom not in (None, "contact", "all"):
        raise InputValueError(f"expected 'contact', 'all' or None, got {zoom!r}", at="zoom")


def overlap_places(a: _core.Shapes, b: _core.Shapes) -> Floats:
    """The corners of what two shapes have in common: vertices in the other, and crossings."""
    edges = edges_of(a), edges_of(b)
    pairs = _core.colliding_pairs(*map(_core.Shapes.from_segments, edges))
    starts, ends = edges[0][pairs[0]].transpose(1, 0, 2)
    others = _core.Shapes.from_segments(edges[1][pairs[1]])
    # A point that goes along one edge meets the other where they cross.
    crossing = _core.swept_collision_batch(
        _core.Shapes.from_points(starts), others, ends - starts, fields=("contact",)
    ).contact[:, 0]
    inner = [
        places[_core.intersects_batch(_core.Shapes.from_points(places), other)]
        for places, other in ((edges[0][:, 0], b), (edges[1][:, 0], a))
    ]
    return np.concatenate([crossing[np.isfinite(crossing).all(axis=1)], *inner])


def edges_of(row: _core.Shapes) -> Floats:
    """The edges of the outline of a column's only row; of points, each from it to itself."""
    if "point" in kind_of(row) and row.radius[0] == 0.0:
        return np.stack([row.coords, row.coords], axis=1)
    rings = map(np.asarray, outline(row).to_polygons(closed_only=False))
    return np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in rings])


def name_shapes(ax: Axes, a: Any, b: Any, view: View) -> None:
    """Writes the names of the operands on them, where that is in the picture."""
    rows = row_of(a), row_of(b)
    for name, row, other in zip("ab", rows, rows[::-1], strict=True):
        place = middle(row)
        if not view.has(place):
            place = visible_place(row, other, view)
        if view.has(place):
            note(ax, place, name, INK)


def visible_place(row: _core.Shapes, other: _core.Shapes, view: View) -> Floats:
    """A point of a shape in the picture, far from the other one and from its own border.

    Of a shape without an interior in the picture it is the point nearest to the center.
    """
    inset = MARGIN * (view.high - view.low)
    sides = np.linspace(view.low + inset, view.high - inset, GRID)
    grid = np.stack(np.meshgrid(*sides.T), axis=-1).reshape(-1, 2)
    inside = grid[_core.intersects_batch(_core.Shapes.from_points(grid), row)]
    if len(inside) == 0:
        center = view.low / 2.0 + view.high / 2.0
        gap = _core.distance(_core.Shapes.from_points([center]), row)
        nearest: Floats = gap.closest_b if gap.distance > 0.0 else center
        return nearest
    free = inside[~_core.intersects_batch(_core.Shapes.from_points(inside), other)]
    free = free if len(free) else inside
    borders = _core.Shapes.from_segments(np.concatenate([edges_of(row), edges_of(other)]))
    clear = _core.nearest(_core.Shapes.from_points(free), borders).distance
    to_sides = np.minimum(free - view.low, view.high - free).min(axis=1)
    place: Floats = free[np.minimum(clear, to_sides).argmax()]
    return place

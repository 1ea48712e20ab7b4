"""Outlines of shapes as matplotlib paths, with round corners where a shape has a radius."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.path import Path

from .. import _core
from .elements import Floats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

POLYGON = _core.KINDS.index("polygon")  # this kind and later ones are polygons
EMPTY = Path(np.empty((0, 2)))
DOT = 1 / 100  # radius of the dot that stands for a point, as a share of the extent
ARC_STEP = np.pi / 48  # of arcs, in radians
LONGEST = 64  # samples of one straight piece of an outline
HALVINGS = 30  # of the step at whose end an outline enters another part of the shape
ROUNDING = 1e-9  # share of the radius that rounding may take away


def outlines(column: _core.Shapes) -> Sequence[Path]:
    """The outline of each row, empty where the row is missing.

    The nonzero winding rule fills it: shells are counterclockwise, and holes clockwise. A path
    without a radius runs to its end and back, so that nothing is filled.
    """
    dot = DOT * (extent(column.coords) or 1.0) if len(column.coords) else 0.0
    return [outline(column[row : row + 1], dot) for row in range(len(column))]


def outline(row: _core.Shapes, dot: float = 0.0) -> Path:
    """The outline of a column's only row; a point without a radius is a dot of this radius."""
    kind, radius = kind_of(row), float(row.radius[0])
    if not kind:
        return EMPTY
    if "point" in kind and radius == 0.0:
        radius = dot
    parts = oriented(row)
    if radius > 0.0:
        return rounded(row, parts, radius)
    if "path" in kind:
        back_and_forth = [np.concatenate([part, part[-2::-1]]) for part in parts]
        return Path.make_compound_path(*map(Path, back_and_forth))
    return closed(*parts)


def kind_of(row: _core.Shapes) -> str:
    """The kind of a column's only row; empty if it is missing."""
    kind = int(row.kind[0])
    return _core.KINDS[kind] if kind >= 0 else ""


def parts_of(row: _core.Shapes) -> Sequence[Floats]:
    """The points, paths or rings of a column's only row, in order."""
    return [part for part in np.split(row.coords, row.offsets[0][1:-1]) if len(part)]


def oriented(row: _core.Shapes) -> Sequence[Floats]:
    """The parts of a row, with shells counterclockwise and holes clockwise."""
    parts = parts_of(row)
    if "polygon" not in kind_of(row):
        return parts
    shells = set(row.offsets[1][:-1].tolist())
    return [
        part if is_ccw(part) == (number in shells) else part[::-1]
        for number, part in enumerate(parts)
    ]


def is_ccw(ring: Floats) -> bool:
    """Whether a ring is counterclockwise, with rounding that is good enough for a picture."""
    x, y = (ring - ring[0]).T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0.0


def extent(points: Floats) -> float:
    """Returns the longer side of the bounding box of points."""
    return float(np.ptp(points, axis=0).max())


def corners(outline: Path) -> Floats:
    """The vertices of a path."""
    return np.asarray(outline.vertices)


def shifted(outline: Path, offset: Floats) -> Path:
    """An outline moved by an offset."""
    return Path(corners(outline) + offset, outline.codes)


def closed(*rings: Floats) -> Path:
    """Rings as one path."""
    return Path.make_compound_path(
        *(Path(np.concatenate([ring, ring[:1]]), closed=True) for ring in rings)
    )


def moved(column: _core.Shapes, offset: Floats) -> _core.Shapes:
    """A column moved by an offset.

    Rounding may make a moved polygon slightly invalid, so polygons are not validated again.
    """
    if (column.kind < POLYGON).any():
        return column.translate(offset)
    whole = _core.Shapes.from_ragged(column.coords + offset, *column.offsets, check=False)
    return whole.with_radius(column.radius)


def rounded(row: _core.Shapes, parts: Sequence[Floats], radius: float) -> Path:
    """The boundary of all points within the radius of a row.

    It is made of edges moved outward and of arcs around vertices. Stretches of these that are
    nearer than the radius to another part of the row are left out, the others joined to rings.
    """
    origin = row.coords[0]
    if "path" in kind_of(row):
        parts = [np.concatenate([part[:-1], part[:0:-1]]) for part in parts]
    pieces = np.concatenate([pieces_around(part - origin) for part in parts])
    turn, length = pieces[:, 5] - pieces[:, 4], np.hypot(pieces[:, 2], pieces[:, 3])
    counts = np.ceil(np.maximum(turn / ARC_STEP, np.minimum(4.0 * length / radius, LONGEST)))
    piece = np.repeat(np.arange(len(pieces)), counts.astype(int) + 1)
    time = np.concatenate([np.linspace(0.0, 1.0, int(count) + 1) for count in counts])
    places = at(pieces[piece], time, radius)
    if bool(row.is_convex[0]):
        return closed(places + origin)
    core = moved(row, -origin).with_radius(0.0)
    runs = stretches(pieces, piece, time, core, radius)
    return closed(*(ring + origin for ring in joined(runs)))


def pieces_around(ring: Floats) -> Floats:
    """The pieces of the outline on the right of a ring.

    Each is a vertex, an edge and two angles. Its point at a time in [0, 1] is the vertex plus that
    share of the edge, plus the radius in the direction that lies that far between the angles.
    """
    distinct = ring[(ring != np.roll(ring, 1, axis=0)).any(axis=1)]
    ring = distinct if len(distinct) else ring[:1]
    if len(ring) == 1:
        return np.array([[*ring[0], 0.0, 0.0, 0.0, 2.0 * np.pi]])
    along = np.roll(ring, -1, axis=0) - ring
    angle = np.arctan2(along[:, 1], along[:, 0]) - np.pi / 2.0
    turn = np.mod(angle - np.roll(angle, 1), 2.0 * np.pi)
    turn = np.where(turn <= np.pi * (1.0 + ROUNDING), turn, 0.0)  # at a reflex vertex, no arc
    arcs = np.column_stack([ring, np.zeros_like(along), angle - turn, angle])
    edges = np.column_stack([ring, along, angle, angle])
    return np.stack([arcs, edges], axis=1).reshape(-1, 6)


def at(pieces: Floats, time: Floats, radius: float) -> Floats:
    """The point of each piece at its time."""
    angle = pieces[:, 4] + time * (pieces[:, 5] - pieces[:, 4])
    place: Floats = pieces[:, :2] + time[:, None] * pieces[:, 2:4]
    return place + radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def stretches(
    pieces: Floats, piece: NDArray[np.intp], time: Floats, core: _core.Shapes, radius: float
) -> Sequence[Floats]:
    """The stretches of the sampled pieces that are no nearer to the core than the radius."""
    # Coordinates are relative to the core's first vertex.
    least = radius * (1.0 - ROUNDING) - 8.0 * np.finfo(float).eps * np.abs(core.coords).max()

    def is_outside(piece: NDArray[np.intp], time: Floats) -> NDArray[np.bool_]:
        places = _core.Shapes.from_points(at(pieces[piece], time, radius))
        outside: NDArray[np.bool_] = _core.distance_batch(places, core).distance >= least
        return outside

    seen = is_outside(piece, time)
    change = np.flatnonzero((piece[1:] == piece[:-1]) & (seen[1:] != seen[:-1]))
    inner = np.where(seen[change], time[change + 1], time[change])
    outer = np.where(seen[change], time[change], time[change + 1])
    for _ in range(HALVINGS if len(change) else 0):
        middle = (inner + outer) / 2.0
        is_outer = is_outside(piece[change], middle)
        outer, inner = np.where(is_outer, middle, outer), np.where(is_outer, inner, middle)
    # The ends that were found are further samples.
    piece, time = np.insert(piece, change + 1, piece[change]), np.insert(time, change + 1, outer)
    seen = np.insert(seen, change + 1, True)
    cuts = np.flatnonzero((piece[1:] != piece[:-1]) | (seen[1:] != seen[:-1])) + 1
    runs = np.split(np.arange(len(piece)), cuts)
    return [at(pieces[piece[run]], time[run], radius) for run in runs if seen[run[0]]]


def joined(runs: Sequence[Floats]) -> Sequence[Floats]:
    """Joins runs of points to rings: each run goes on at the nearest start of another."""
    starts, is_free = np.array([run[0] for run in runs]), np.ones(len(runs), dtype=bool)
    rings = []
    while is_free.any():
        first = run = int(is_free.argmax())
        ring: list[Floats] = []
        while not ring or run != first:
            ring.append(runs[run])
            is_free[run] = run == first
            gaps = np.where(is_free, np.hypot(*(starts - runs[run][-1]).T), np.inf)
            run = int(gaps.argmin())
        is_free[first] = False
        rings.append(np.concatenate(ring))
    return rings

"""Bodies along poses: where a footprint is at a time, its path, and what is drawn of both."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.path import Path
from numpy.typing import NDArray

from ... import _core
from ..elements import BLUE, GHOST, Floats, patch
from ..outlines import ARC_STEP, extent, outline
from ..shapes import column_of
from .moving_outline import Motion
from .swept_region import draw_swept, swept

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

FEW_WAYS = 6  # trajectories whose footprints are drawn
GHOSTS = 8  # copies of one footprint, at most

Moment: TypeAlias = tuple[int, float]
Indices: TypeAlias = NDArray[np.intp]


class Track(NamedTuple):
    """A body in motion: its footprint, as a column of one row, and its poses, NaN where absent."""

    footprint: _core.Shapes
    poses: Floats
    motion: str = "straight"

    def is_there(self, step: int, time: float = 0.0) -> bool:
        """Whether the body is present at a time of a step; between two poses, at both."""
        first, last = step + (time == 1.0), step + (time > 0.0)
        return last < len(self.poses) and bool(np.isfinite(self.poses[first : last + 1]).all())

    def motions(self, step: int) -> tuple[Motion, Motion]:
        """The motion to a pose, and the one from there to the next pose, if there is one."""
        here = self.poses[step]
        to_here = Motion(here[:2], float(here[2]))
        if not self.is_there(step, 0.5):
            return to_here, Motion()
        moved = self.poses[step + 1] - here
        turn = math.remainder(moved[2], math.tau)
        if self.motion == "arc" and turn != 0.0:
            return to_here, Motion(turn=turn, center=_core.arc(here, self.poses[step + 1]).center)
        return to_here, Motion(moved[:2], turn, here[:2])

    def at(self, shape: Path, step: int, time: float = 0.0) -> Path:
        """An outline of the footprint at a time of a step."""
        to_here, onward = self.motions(step)
        return onward.at(to_here.at(shape, 1.0), time)

    def pose(self, step: int, time: float) -> Floats:
        """The position and the heading at a time of a step."""
        here, (_, onward) = self.poses[step], self.motions(step)
        return np.append(onward.places(here[None, :2], time), here[2] + time * onward.turn)

    def motions_until(self, end: Moment) -> Iterator[tuple[Motion, Motion, float]]:
        """The motions to the poses and on from there, with the time at which each ends."""
        last, time = end
        for step in range(last + 1):
            if self.is_there(step):
                yield (*self.motions(step), 1.0 if step < last else time)

    def pieces(self, end: Moment) -> Sequence[Floats]:
        """The positions from each pose to the next, on arcs with points in between, and the end.

        Where the body is absent they are NaN: a line of all pieces has a gap there.
        """
        last, time = end
        pieces = [self.poses[step : step + 1, :2] for step in range(last + 1)]
        for step, moved in enumerate(np.diff(self.poses[: last + 2, 2]).tolist()):
            stop = 1.0 if step < last else time
            angle = stop * abs(math.remainder(moved, math.tau))
            if self.motion == "arc" and angle > ARC_STEP:
                count, (_, onward) = math.ceil(angle / ARC_STEP), self.motions(step)
                places = [onward.places(pieces[step], part * stop / count) for part in range(count)]
                pieces[step] = np.concatenate(places)
        there = self.pose(last, time)[None, :2] if self.is_there(last, time) else [[np.nan] * 2]
        return [*pieces, np.asarray(there)]


class Way(NamedTuple):
    """A track until an end, such as the first contact."""

    track: Track
    end: Moment

    @property
    def is_there(self) -> bool:
        """Whether the body is present at the end."""
        return self.track.is_there(*self.end)

    def at_end(self, shape: Path) -> Path:
        """An outline of the footprint at the end."""
        return self.track.at(shape, *self.end) if self.is_there else Path(np.empty((0, 2)))

    def line(self) -> Floats:
        """The path of the position, with NaN in its gaps."""
        return np.concatenate(self.track.pieces(self.end))


def checked_column(shapes: Any) -> _core.Shapes:
    """Shapes that a query has read already, which has warned about them if that is needed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return column_of(shapes)


def tracks_of(bodies: Any, poses: Any = None) -> Sequence[Track]:
    """`Trajectories`, or footprints and their poses, as one track for each."""
    motion = "straight"
    if isinstance(bodies, _core.Trajectories):
        bodies, poses, motion = bodies.footprints, bodies.poses, bodies.motion
    column = checked_column(bodies)
    rows = [column] if len(column) == 1 else [column[row : row + 1] for row in range(len(column))]
    given = np.array(poses, dtype=np.float64)
    if given.shape[1] == 0:
        return []
    return [Track(rows[k % len(rows)], way, motion) for k, way in enumerate(given)]


def bodies_of(rows: Any, count: int) -> Indices:
    """The number of the body of each row: rows of one group are one, in order of appearance."""
    groups = getattr(rows, "groups", None)
    if groups is None:
        return np.arange(count)
    numbers = {group: body for body, group in enumerate(dict.fromkeys(groups.tolist()))}
    return np.array([numbers[group] for group in groups.tolist()], dtype=np.intp)


def last_pose(tracks: Sequence[Track]) -> Moment:
    """The last pose at which one of the tracks is present; the first if none is."""
    present = [np.flatnonzero(np.isfinite(track.poses[:, 0])) for track in tracks]
    return max((int(steps.max(initial=0)) for steps in present), default=0), 0.0


def known(points: Floats) -> Floats:
    """Points without those that are NaN."""
    return points[np.isfinite(points).all(axis=-1)]


def size_of(ways: Sequence[Way]) -> float:
    """The size of the ways with their footprints; obstacles may be far away."""
    places = [known(way.line()) for way in ways]
    coords = [way.track.footprint.coords for way in ways]
    whole = extent(np.concatenate(places)) if sum(map(len, places)) else 0.0
    return whole + max((extent(it) for it in coords if len(it)), default=0.0)


def draw_regions(ax: Axes, ways: Sequence[Way], dot: float) -> None:
    """Draws the regions that footprints sweep, and copies of them at some poses."""
    regions = [swept(way.track.footprint, way.track.motions_until(way.end), dot) for way in ways]
    draw_swept(ax, Path.make_compound_path(*regions), label="swept")
    for track, (last, _) in ways:
        shape = outline(track.footprint, dot)
        steps = np.flatnonzero([track.is_there(step) for step in range(last + 1)])
        some = np.linspace(0, len(steps) - 1, min(len(steps), GHOSTS)).round().astype(int)
        for step in steps[some]:
            patch(ax, track.at(shape, step), **GHOST).set_label("_ghost")


def draw_path(ax: Axes, way: Way) -> None:
    """Draws the path of a position, with dots at the poses and at the end."""
    pieces = way.track.pieces(way.end)
    dots = np.cumsum([0, *map(len, pieces[:-1])]).tolist()
    style: dict[str, Any] = {"linewidth": 1, "markersize": 4, "markevery": dots}
    ax.plot(*np.concatenate(pieces).T, ".-", color=BLUE, label="positions", **style)


def draw_paths(ax: Axes, ways: Sequence[Way], color: str, label: str) -> None:
    """Draws the paths of many positions as thin lines."""
    if ways:
        lines = [way.line() for way in ways]
        ax.add_collection(LineCollection(lines, colors=color, linewidths=0.5, label=label))

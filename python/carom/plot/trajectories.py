"""Drawings of the first contacts of trajectories."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.path import Path

from .. import _core
from .._renamed_keywords import renamed
from .elements import (
    BLUE,
    GROWN,
    ORANGE,
    RED,
    STYLE_A,
    STYLE_B,
    Floats,
    blank_axes,
    finish,
    patch,
)
from .motion import motion_to, placed
from .outlines import DOT, corners, extent, outline, outlines
from .shapes import column_of
from .sweeps import draw_contact
from .swept_region import draw_swept, swept
from .two_shapes import grown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from .motion import Motion

FEW_WAYS = 6  # trajectories whose footprints are drawn
GHOSTS = 8  # copies of one footprint, at most
START: dict[str, Any] = {"edgecolor": (ORANGE, 0.7), "linestyle": "--"}


@renamed(velocity="obstacle_velocity")
def first_contact(
    footprints: Any,
    poses: Any,
    obstacles: Any,
    *,
    obstacle_velocity: Any = None,
    obstacle_poses: Any = None,
    margin: Any = 0.0,
    ax: Axes | None = None,
) -> Axes:
    """Draws trajectories until their first contacts, and obstacles where they are at that time.

    A trajectory without a contact is drawn until its last pose. Up to six trajectories are drawn
    with the regions that their footprints sweep, copies at some poses, the footprint and the
    touched obstacle at the time of the contact, the contact and its normal; more of them as lines
    with dots at the contacts. With a single trajectory, all obstacles are drawn where they are at
    its end. Dashed lines show where obstacles that move start.

    Parameters
    ----------
    footprints, poses, obstacles : shapes of any kind, and array_like of shape (K, T, 3)
        As `carom.first_contact` takes them.
    obstacle_velocity : array_like of shape (2,) or (M, 2), optional
        The displacement of the obstacles per step.
    obstacle_poses : array_like of shape (M, T, 3), optional
        The poses of the obstacles, instead of a velocity.
    margin : float or array_like of shape (M,) or (K, 1) or (K, M), default 0.0
        The distance at which shapes count as touching. It is drawn around the footprint: that of
        the touched obstacle, or the largest of a trajectory that touches none.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If a shape or a pose is not valid, the margin is negative or not finite, or both
        `obstacle_velocity` and `obstacle_poses` are given.
    TypeError
        If an argument does not consist of numbers.

    See Also
    --------
    carom.first_contact : the query.

    Examples
    --------
    >>> import carom.plot
    >>> car = [(-2, -1), (2, -1), (2, 1), (-2, 1)]
    >>> parked = [[(10, -1), (14, -1), (14, 1), (10, 1)]]
    >>> ax = carom.plot.first_contact(car, [[(0, 0, 0), (6, 0, 0), (16, 0, 0)]], parked)
    >>> ax.get_legend_handles_labels()[1]
    ['swept', 'step 1, time 0.2', 'positions', 'contact', 'normal']
    """
    results = _core.first_contact(
        footprints,
        poses,
        obstacles,
        obstacle_velocity=obstacle_velocity,
        obstacle_poses=obstacle_poses,
        margin=margin,
    )
    ax = blank_axes(ax)
    steps = np.shape(poses)[1]
    given = np.array(poses, dtype=np.float64) if steps else ()
    ways = [Trajectory(way, results[k]) for k, way in enumerate(given)]
    scene = checked_column(obstacles)
    others = poses_of(obstacle_poses, obstacle_velocity, (len(scene), max(steps, 1)))
    draw_obstacles(ax, outlines(scene), others, ways)
    if not 0 < len(ways) <= FEW_WAYS:
        draw_lines(ax, ways)
        return finish(ax)
    column = checked_column(footprints)
    rows = [column[way : way + 1] if len(column) > 1 else column for way in range(len(ways))]
    size = size_of(ways, rows)
    draw_footprints(ax, ways, rows, DOT * size)
    of_pairs = np.broadcast_to(0.0 if margin is None else margin, (len(ways), len(scene)))
    margins = np.array(
        [
            row[way.hit.obstacle] if way.hit else row.max(initial=0.0)
            for row, way in zip(of_pairs, ways, strict=True)
        ]
    )
    name = f"margin of {margins[0]:.4g}" if (margins == margins[0]).all() else "margins"
    for way, row, reach in zip(ways, rows, margins, strict=True):
        if reach:
            wide = outline(grown(row, float(reach)))
            patch(ax, way.at_end(wide), label=name, **GROWN)
    for way in ways:
        if np.isfinite(way.hit.contact).all():
            draw_contact(ax, way.hit, size)
    return finish(ax)


def checked_column(shapes: Any) -> _core.Shapes:
    """Shapes that a query has read already, which has warned about them if that is needed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return column_of(shapes)


class Trajectory(NamedTuple):
    """The poses of a footprint, and its first contact."""

    poses: Floats
    hit: _core.FirstContactResult

    @property
    def end(self) -> tuple[int, float]:
        """The step and time of the first contact; if there is none, the last pose."""
        return (self.hit.step, self.hit.time) if self.hit else (len(self.poses) - 1, 0.0)

    def at_end(self, shape: Path) -> Path:
        """The footprint's outline at the end."""
        return placed(shape, self.poses, *self.end)

    def motions(self) -> Iterator[tuple[Motion, Motion, float]]:
        """The motions to the poses and on from there, with the time at which each ends."""
        last, time = self.end
        for step in range(last + 1):
            yield (*motion_to(self.poses, step), 1.0 if step < last else time)

    def positions(self) -> Floats:
        """The positions until the end."""
        there = corners(self.at_end(Path(np.zeros((1, 2)))))
        return np.concatenate([self.poses[: self.end[0] + 1, :2], there])


def poses_of(poses: Any, velocity: Any, shape: tuple[int, int]) -> Floats:
    """The poses of obstacles, which may be given by a displacement per step."""
    if poses is not None:
        return np.array(poses, dtype=np.float64)
    steps = np.zeros((*shape, 3))
    along = np.broadcast_to(np.array(0.0 if velocity is None else velocity), (shape[0], 2))
    steps[..., :2] = np.arange(shape[1])[:, None] * along[:, None]
    return steps


def draw_obstacles(
    ax: Axes, shapes: Sequence[Path], poses: Floats, ways: Sequence[Trajectory]
) -> None:
    """Draws obstacles where they start, and where they are when the trajectories end."""
    if poses.shape[1] == 0:
        return
    is_moving = (poses != poses[:, :1]).any(axis=(1, 2))
    for row, shape in enumerate(shapes):
        if len(corners(shape)) == 0:
            continue
        if not is_moving[row]:
            patch(ax, placed(shape, poses[row], 0), **STYLE_B)
            continue
        patch(ax, placed(shape, poses[row], 0), label="obstacles at the start", **START)
        for way in ways if len(ways) <= FEW_WAYS else ():
            if len(ways) == 1 or way.hit.obstacle == row:
                there = placed(shape, poses[row], *way.end)
                label = "obstacles at the contact" if way.hit else "obstacles at the end"
                patch(ax, there, label=label, **STYLE_B)


def size_of(ways: Sequence[Trajectory], rows: Sequence[_core.Shapes]) -> float:
    """The size of the trajectories with their footprints; obstacles may be far away."""
    places = np.concatenate([way.positions() for way in ways])
    return extent(places) + max(extent(row.coords) if len(row.coords) else 0.0 for row in rows)


def draw_footprints(
    ax: Axes, ways: Sequence[Trajectory], rows: Sequence[_core.Shapes], dot: float
) -> None:
    """Draws the swept regions, copies of the footprints, and each where its trajectory ends."""
    pairs = list(zip(ways, rows, strict=True))
    regions = [swept(row, way.motions(), dot) for way, row in pairs]
    draw_swept(ax, Path.make_compound_path(*regions), label="swept")
    for way, row in pairs:
        shape, (last, time) = outline(row, dot), way.end
        for step in np.unique(np.linspace(0, last, min(last + 1, GHOSTS)).round().astype(int)):
            ghost = patch(ax, placed(shape, way.poses, step), edgecolor=(BLUE, 0.45), linewidth=0.9)
            ghost.set_label("_ghost")
        moment = f"step {last}, time {time:.4g}" if len(ways) == 1 else "at the first contact"
        name = moment if way.hit else "no contact"
        patch(ax, way.at_end(shape), label=name, **STYLE_A | {"linewidth": 2.0})
        ax.plot(*way.positions().T, ".-", color=BLUE, linewidth=1, markersize=4, label="positions")


def draw_lines(ax: Axes, ways: Sequence[Trajectory]) -> None:
    """Draws the positions of many trajectories, and dots at their contacts."""
    for is_hit, color, label in ((True, RED, "until the first contact"), (False, BLUE, "free")):
        lines = [way.positions() for way in ways if bool(way.hit) == is_hit]
        if lines:
            drawn = LineCollection(lines, colors=color, linewidths=0.5, label=label)
            ax.add_collection(drawn)
    contacts = np.array([way.hit.contact.mean(axis=0) for way in ways if way.hit])
    if len(contacts):
        ax.plot(*contacts.T, ".", color=RED, markersize=3, label="contacts")

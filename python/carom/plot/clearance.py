"""Drawings of how near trajectories come to obstacles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .elements import BLUE, GREEN, INK, RED, Floats, blank_axes, finish, note
from .motion.scenes import draw_body, draw_obstacles, scene_of
from .motion.tracks import FEW_WAYS, draw_path, draw_paths, size_of
from .outlines import DOT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def clearance(
    footprints: Any,
    poses: Any = None,
    obstacles: Any = None,
    *,
    obstacle_velocity: Any = None,
    obstacle_poses: Any = None,
    velocity: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws trajectories, and where each comes nearest to an obstacle.

    A line joins the nearest points of the footprint and the obstacle. Up to six trajectories are
    drawn with the footprint and the obstacle at that time, and with the distance; more of them as
    lines. A trajectory that meets an obstacle has a dot at its first contact, and the distance 0.
    With a single trajectory, all obstacles are drawn where they are at that time. Dashed lines
    show where obstacles that move start. Of rows of one group, all are drawn at the time at which
    one of them is nearest to an obstacle. Where a body is absent it is not drawn.

    Parameters
    ----------
    footprints, poses, obstacles : shapes of any kind, and array_like of shape (K, T, 3)
        As `carom.clearance` takes them: `Trajectories` take the place of footprints and poses, the
        second argument then is `obstacles`, which may be `Trajectories` too.
    obstacle_velocity : array_like of shape (2,) or (M, 2), optional
        The displacement of the obstacles per step.
    obstacle_poses : array_like of shape (M, T, 3), optional
        The poses of the obstacles, instead of a velocity.
    velocity : array_like of shape (2,) or (M, 2), optional
        Another name of `obstacle_velocity`.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If a shape or a pose is not valid, or obstacles are given two motions.
    TypeError
        If an argument does not consist of numbers.

    See Also
    --------
    carom.clearance : the query.
    first_contact : trajectories until they touch an obstacle.

    Examples
    --------
    >>> import carom.plot
    >>> car = [(-2, -1), (2, -1), (2, 1), (-2, 1)]
    >>> post = [(5, 2), (6, 2), (6, 3), (5, 3)]
    >>> ax = carom.plot.clearance(car, [[(0, 0, 0), (10, 0, 0)]], [post])
    >>> ax.get_legend_handles_labels()[1]
    ['step 0, time 0.3', 'positions', 'least distance']
    >>> [text.get_text() for text in ax.texts]
    ['1']
    """
    motions = {"obstacle_velocity": obstacle_velocity, "obstacle_poses": obstacle_poses}
    motions["velocity"] = velocity
    operands = footprints, poses, obstacles
    scene = scene_of(_core.clearance, operands, motions)
    results, moments = scene.results, scene.ends
    ax = blank_axes(ax)
    draw_obstacles(ax, scene, ["obstacles at that time"] * len(moments))
    ways = scene.ways(scene.last_poses)
    is_few = 0 < len(ways) <= FEW_WAYS
    if not is_few:
        draw_paths(ax, ways, BLUE, "positions")
    size = size_of(ways) if is_few else 0.0
    for way, nearest in zip(ways, scene.ways(moments), strict=True) if is_few else ():
        step, time = nearest.end
        name = f"step {step}, time {time:.4g}" if len(results) == 1 else "when nearest"
        draw_body(ax, nearest, DOT * size, name)
        draw_path(ax, way)
    nearest_points = np.stack([results.closest_a, results.closest_b], axis=1)
    meets = results.distance == 0.0
    if meets.any():
        contacts = scene_of(_core.first_contact, operands, motions).results.contact
        nearest_points[meets] = contacts[meets].mean(axis=1, keepdims=True)
    draw_gaps(ax, nearest_points[~meets], GREEN, "least distance")
    draw_gaps(ax, nearest_points[meets], RED, "contact")
    for points, distance in zip(nearest_points, results.distance, strict=True) if is_few else ():
        if np.isfinite(points).all():
            note(ax, points.mean(axis=0), f"{distance:.4g}", INK, ha="left", va="bottom")
    return finish(ax)


def draw_gaps(ax: Axes, ends: Floats, color: str, label: str) -> None:
    """Draws a line with dots at its ends for each pair of points that are known."""
    ends = ends[np.isfinite(ends).all(axis=(1, 2))]
    if len(ends):
        line = np.pad(ends, ((0, 0), (0, 1), (0, 0)), constant_values=np.nan).reshape(-1, 2)
        ax.plot(*line.T, "o-", color=color, markersize=4, zorder=6, label=label)

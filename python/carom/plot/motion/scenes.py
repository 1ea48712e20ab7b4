"""Trajectories among obstacles, and what a query says about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import _core
from ..elements import ORANGE, STYLE_A, STYLE_B, patch
from ..operands import shapes_of
from ..outlines import DOT, corners, extent, outline
from .tracks import (
    FEW_WAYS,
    Indices,
    Moment,
    Track,
    Way,
    bodies_of,
    checked_column,
    last_pose,
    tracks_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes

START: dict[str, Any] = {"edgecolor": (ORANGE, 0.7), "linestyle": "--"}


class Scene(NamedTuple):
    """The results of a query, the tracks, the body of each, and the obstacles."""

    results: Any
    tracks: Sequence[Track]
    bodies: Indices
    obstacles: Sequence[Track]

    @property
    def last_poses(self) -> Sequence[Moment]:
        """The last pose of each body."""
        parts: list[list[Track]] = [[] for _ in range(len(self.results))]
        for track, body in zip(self.tracks, self.bodies, strict=False):
            parts[body].append(track)
        return [last_pose(tracks) for tracks in parts]

    @property
    def ends(self) -> Sequence[Moment]:
        """The moment of each body's result; if there is none, its last pose."""
        moments = zip(self.results.step.tolist(), self.results.time.tolist(), strict=True)
        return [
            moment if moment[0] >= 0 else last
            for moment, last in zip(moments, self.last_poses, strict=True)
        ]

    def ways(self, ends: Sequence[Moment]) -> Sequence[Way]:
        """The tracks until the ends of their bodies."""
        return [Way(it, ends[body]) for it, body in zip(self.tracks, self.bodies, strict=False)]


def scene_of(
    query: Callable[..., Any], operands: Sequence[Any], motions: Mapping[str, Any], **more: Any
) -> Scene:
    """Computes a query of trajectories and obstacles, whose motions are given by keyword."""
    names = "footprints", "obstacles", "obstacles"
    given = [
        shapes_of(operand, name)
        for operand, name in zip(operands, names, strict=True)
        if operand is not None
    ]
    keywords = {name: value for name, value in motions.items() if value is not None}
    results = query(*given, **keywords, **more)
    tracks, bodies = tracks_of(*given[:-1]), bodies_of(given[0], len(results))
    return Scene(results, tracks, bodies, obstacles_of(given[-1], tracks, **keywords))


def obstacles_of(
    obstacles: Any,
    tracks: Sequence[Track],
    *,
    obstacle_poses: Any = None,
    velocity: Any = 0.0,
    obstacle_velocity: Any = None,
) -> Sequence[Track]:
    """Obstacles, which may be given with poses or a displacement per step, as tracks."""
    if obstacle_poses is not None or isinstance(obstacles, _core.Trajectories):
        return tracks_of(obstacles, obstacle_poses)
    column = checked_column(obstacles)
    given = velocity if obstacle_velocity is None else obstacle_velocity
    along = np.broadcast_to(np.array(given, dtype=np.float64), (len(column), 2))
    poses = np.zeros((len(column), len(tracks[0].poses) if tracks else 1, 3))
    poses[..., :2] = np.arange(poses.shape[1])[:, None] * along[:, None]
    return tracks_of(column, poses)


def draw_obstacles(ax: Axes, scene: Scene, names: Sequence[str]) -> None:
    """Draws obstacles where they start, and where they are when the trajectories end.

    `names` are the labels of the latter, one for each body.
    """
    coords = [track.footprint.coords for track in scene.obstacles]
    points = np.concatenate(coords) if coords else np.empty((0, 2))
    dot = DOT * (extent(points) or 1.0) if len(points) else 0.0
    ends = scene.ends if len(scene.results) <= FEW_WAYS else ()
    for row, track in enumerate(scene.obstacles):
        shape = outline(track.footprint, dot)
        steps = np.flatnonzero(np.isfinite(track.poses[:, 0]))
        if len(corners(shape)) == 0 or len(steps) == 0:
            continue
        if (track.poses == track.poses[0]).all():
            patch(ax, track.at(shape, 0), **STYLE_B)
            continue
        patch(ax, track.at(shape, int(steps[0])), label="obstacles at the start", **START)
        for end, touched, name in zip(ends, scene.results.obstacle, names, strict=False):
            if (len(ends) == 1 or touched == row) and track.is_there(*end):
                patch(ax, track.at(shape, *end), label=name, **STYLE_B)


def draw_body(ax: Axes, way: Way, dot: float, name: str) -> None:
    """Draws the footprint at the end, if the body is present there."""
    if way.is_there:
        there = way.at_end(outline(way.track.footprint, dot))
        patch(ax, there, label=name, **STYLE_A | {"linewidth": 2.0})

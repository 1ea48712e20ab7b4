"""Contacts between vehicles of a scene: every pair is swept from each frame to the next.

Between two frames a footprint moves in a straight line and turns uniformly, the short way round.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import carom

from .recorded_scene import Floats, Integers, Scene, SceneError

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIRS_AT_A_TIME = 500_000  # about 30 MB of indices, velocities and results
FURTHEST = 1e150  # metres, so that sums, differences and products of two lengths are finite


@dataclass(frozen=True)
class Motion:
    """The footprints of a scene's states, and their motions until the next frame."""

    scene: Scene
    footprints: Floats
    displacements: Floats
    """Zero for a vehicle that isn't in the next frame."""
    turns: Floats
    """In radians; zero for a vehicle that isn't in the next frame."""
    before: Integers
    after: Integers

    def sweep(
        self, i: Integers, j: Integers, fields: tuple[str, ...] | None = None
    ) -> carom.SweptCollisionBatchResult:
        """Sweeps the states `i` past `j` to the next frame; if one has none, both stand still."""
        go_on = (self.after[i] >= 0) & (self.after[j] >= 0)
        positions = self.scene.poses[:, :2]
        return carom.swept_collision_batch(
            self.footprints,
            self.footprints,
            np.where(go_on[:, None], self.displacements[i] - self.displacements[j], 0.0),
            turn_a=np.where(go_on, self.turns[i], 0.0),
            center_a=positions[i],
            turn_b=np.where(go_on, self.turns[j], 0.0),
            center_b=positions[j],
            pairs=(i, j),
            fields=fields,
        )


@dataclass(frozen=True)
class Survey:
    """The results of all sweeps of a scene."""

    queries: int
    seconds: float
    first: Integers
    """For each pair that touches, the states at the start of its first contact: shape (2, K)."""
    sampled: set[tuple[int, int]]
    """The pairs of vehicles that overlap in some frame."""
    swept: set[tuple[int, int]]
    """The pairs of vehicles that touch in some frame or between two."""


@dataclass(frozen=True)
class Contact:
    """The first contact of two vehicles, `a` and `b`."""

    a: int
    b: int
    """Their states at the start of the step."""
    frame: float
    """The time of contact in frames, with a fraction."""
    point: Floats
    """The middle of the contact, in the scene's coordinates."""
    normal: Floats
    """From `b` to `a`."""
    closing_speed: float
    """Along the normal, metres per second."""


def motion_of(scene: Scene) -> Motion:
    """Returns the scene's footprints, displacements and turns.

    Raises `SceneError` for a position, heading, size or displacement too large to compute with.
    """
    before, after = scene.neighbours_in_time()
    positions = scene.poses[:, :2]
    with np.errstate(over="ignore"):
        motions = np.where(after[:, None] >= 0, scene.poses[after] - scene.poses, 0.0)
    leaps = np.flatnonzero(~(np.abs(motions) < FURTHEST).all(axis=1))
    for leap in leaps[:1]:
        name, frame = scene.names[scene.vehicles[leap]], scene.frames[leap]
        raise SceneError(f"vehicle {name!r} leaps too far after frame {frame}")
    reaches = np.maximum(np.abs(positions).max(axis=1), scene.sizes.max(axis=1))
    for state in np.flatnonzero(reaches >= FURTHEST)[:1]:
        name, frame = scene.names[scene.vehicles[state]], scene.frames[state]
        raise SceneError(f"vehicle {name!r} is too far out or too large in frame {frame}")
    footprints = footprints_of(scene.sizes, scene.poses)
    return Motion(scene, footprints, motions[:, :2], short_way(motions[:, 2]), before, after)


def short_way(turns: Floats) -> Floats:
    """Returns the turns between headings the short way round, from -pi to pi."""
    return np.array([math.remainder(turn, math.tau) for turn in turns], dtype=np.float64)


def footprints_of(sizes: Floats, poses: Floats) -> Floats:
    """Returns the corners of rectangles at poses, counterclockwise: shape (n, 4, 2)."""
    footprints = np.empty((len(poses), 4, 2))
    unique, kind = np.unique(sizes, axis=0, return_inverse=True)
    for index, (length, width) in enumerate(unique):
        shape = np.array([[-length, -width], [length, -width], [length, width], [-length, width]])
        chosen = kind.reshape(-1) == index
        footprints[chosen] = carom.place(shape / 2.0, poses[chosen])
    return footprints


def pairs_of_states(scene: Scene) -> Iterator[tuple[Integers, Integers]]:
    """Yields all pairs of states of the same frame, in batches of some hundred thousand."""
    parts: list[Integers] = []
    waiting = 0
    starts = np.flatnonzero(np.diff(scene.frames, prepend=scene.frames[0] - 1))
    for start, count in zip(starts, np.diff(starts, append=len(scene.frames)), strict=True):
        parts.append(start + np.array(np.triu_indices(count, 1)))
        waiting += parts[-1].shape[1]
        if waiting >= PAIRS_AT_A_TIME:
            yield tuple(np.concatenate(parts, axis=1))
            parts, waiting = [], 0
    if waiting:
        yield tuple(np.concatenate(parts, axis=1))


def survey(motion: Motion) -> Survey:
    """Sweeps every pair of vehicles from each frame to the next."""
    vehicles = motion.scene.vehicles
    queries, seconds = 0, 0.0
    hits: list[Integers] = [np.empty((2, 0), dtype=np.intp)]
    sampled: set[tuple[int, int]] = set()
    for i, j in pairs_of_states(motion.scene):
        start = time.perf_counter()
        answers = motion.sweep(i, j, ("intersects", "will_intersect"))
        seconds += time.perf_counter() - start
        queries += len(i)
        now, soon = answers.intersects, answers.will_intersect
        sampled.update(zip(vehicles[i[now]].tolist(), vehicles[j[now]].tolist(), strict=True))
        hits.append(np.stack([i[soon], j[soon]]))
    touching = np.concatenate(hits, axis=1)
    pairs, first = np.unique(vehicles[touching], axis=1, return_index=True)
    swept = set(map(tuple, pairs.T.tolist()))
    return Survey(queries, seconds, touching[:, first], sampled, swept)


def contacts_of(motion: Motion, first: Integers, rate: float) -> list[Contact]:
    """Returns the contacts of the pairs of `first`, earliest first."""
    i, j = first
    sweeps = motion.sweep(i, j)
    frames, after = motion.scene.frames, motion.after[i]
    moments = frames[i] + sweeps.time * np.where(after >= 0, frames[after] - frames[i], 0)
    # In the sweep b only turns: add the displacement of b until the contact.
    points = sweeps.contact.mean(axis=1) + sweeps.time[:, None] * motion.displacements[j]
    speeds = closing_speeds(motion, first, points, sweeps.time, sweeps.normal) * rate
    contacts = [
        Contact(
            a=int(i[k]),
            b=int(j[k]),
            frame=float(moments[k]),
            point=points[k],
            normal=sweeps.normal[k],
            closing_speed=float(speeds[k]),
        )
        for k in range(len(i))
    ]
    return sorted(contacts, key=lambda contact: contact.frame)


def closing_speeds(
    motion: Motion, states: Integers, points: Floats, times: Floats, normals: Floats
) -> Floats:
    """Returns the speed of each pair's points of contact along the normal, in metres per frame.

    For vehicles that touch exactly at a frame, it is that of the step before the frame.
    """
    frames = motion.scene.frames
    arrived = (times == 0.0) & (motion.before[states] >= 0).all(axis=0)
    starts = np.where(arrived, motion.before[states], states)
    times = np.where(arrived, 1.0, times)
    go_on = (motion.after[starts] >= 0).all(axis=0)
    moved, other = (motion_at(motion, start, points, times) for start in starts)
    frames_taken = np.where(go_on, frames[motion.after[starts[0]]] - frames[starts[0]], 1)
    speeds: Floats = -((moved - other) * normals).sum(axis=1) / frames_taken
    return np.where(go_on, speeds, 0.0).clip(min=0.0)


def motion_at(motion: Motion, states: Integers, points: Floats, times: Floats) -> Floats:
    """Returns how far a point of each vehicle moves in a step, at the velocity of a time in it."""
    arms = points - motion.scene.poses[states, :2] - times[:, None] * motion.displacements[states]
    across = np.stack([-arms[:, 1], arms[:, 0]], axis=-1)
    return motion.displacements[states] + motion.turns[states][:, None] * across

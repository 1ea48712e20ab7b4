"""Contacts between vehicles of a scene: every pair is swept from each frame to the next.

Between two frames a footprint keeps the heading of the earlier frame and moves in a straight line;
at the later frame it is tested with the pose of that frame.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import carom

from .scene import Floats, Integers, Scene, SceneError

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIRS_AT_A_TIME = 500_000  # about 30 MB of indices, velocities and results
FURTHEST = 1e150  # metres, so that sums, differences and products of two lengths are finite


@dataclass(frozen=True)
class Motion:
    """The footprints of a scene's states, and their displacements until the next frame."""

    scene: Scene
    footprints: Floats
    displacements: Floats
    """Zero for a vehicle that isn't in the next frame."""
    before: Integers
    after: Integers

    def velocities(self, i: Integers, j: Integers) -> Floats:
        """Returns the displacements of `i` relative to `j`; zero if one has no next frame."""
        go_on = (self.after[i] >= 0) & (self.after[j] >= 0)
        return np.where(go_on[:, None], self.displacements[i] - self.displacements[j], 0.0)


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
    closing_speed: float
    """Along the normal, metres per second."""
    velocity: Floats
    """The displacement of `a` relative to `b` until the next frame."""
    sweep: carom.SweptCollisionResult
    """The `swept_collision` of the two, with b fixed at its state."""


def motion_of(scene: Scene) -> Motion:
    """Returns the scene's footprints and displacements.

    Raises `SceneError` for a position, size or displacement too large to compute with.
    """
    before, after = scene.neighbours_in_time()
    positions = scene.poses[:, :2]
    with np.errstate(over="ignore"):
        displacements = np.where(after[:, None] >= 0, positions[after] - positions, 0.0)
    leaps = np.flatnonzero(~(np.abs(displacements) < FURTHEST).all(axis=1))
    for leap in leaps[:1]:
        name, frame = scene.names[scene.vehicles[leap]], scene.frames[leap]
        raise SceneError(f"vehicle {name!r} leaps too far after frame {frame}")
    reaches = np.maximum(np.abs(positions).max(axis=1), scene.sizes.max(axis=1))
    for state in np.flatnonzero(reaches >= FURTHEST)[:1]:
        name, frame = scene.names[scene.vehicles[state]], scene.frames[state]
        raise SceneError(f"vehicle {name!r} is too far out or too large in frame {frame}")
    return Motion(scene, footprints_of(scene), displacements, before, after)


def footprints_of(scene: Scene) -> Floats:
    """Returns the corners of each state's rectangle, counterclockwise: shape (n, 4, 2)."""
    footprints = np.empty((len(scene.poses), 4, 2))
    sizes, kind = np.unique(scene.sizes, axis=0, return_inverse=True)
    for index, (length, width) in enumerate(sizes):
        shape = np.array([[-length, -width], [length, -width], [length, width], [-length, width]])
        chosen = kind.reshape(-1) == index
        footprints[chosen] = carom.place(shape / 2.0, scene.poses[chosen])
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
        velocities = motion.velocities(i, j)
        start = time.perf_counter()
        answers = carom.swept_collision_batch(
            motion.footprints,
            motion.footprints,
            velocities,
            pairs=(i, j),
            fields=("intersects", "will_intersect"),
        )
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
    velocities = motion.velocities(i, j)
    sweeps = carom.swept_collision_batch(
        motion.footprints, motion.footprints, velocities, pairs=(i, j)
    )
    frames, after = motion.scene.frames, motion.after[i]
    moments = frames[i] + sweeps.time * np.where(after >= 0, frames[after] - frames[i], 0)
    # In the sweep b is fixed: add the motion of b until the contact.
    points = sweeps.contact.mean(axis=1) + sweeps.time[:, None] * motion.displacements[j]
    speeds = closing_speeds(motion, first, sweeps.time, sweeps.normal) * rate
    contacts = [
        Contact(
            a=int(i[k]),
            b=int(j[k]),
            frame=float(moments[k]),
            point=points[k],
            closing_speed=float(speeds[k]),
            velocity=velocities[k],
            sweep=sweeps[k],
        )
        for k in range(len(i))
    ]
    return sorted(contacts, key=lambda contact: contact.frame)


def closing_speeds(motion: Motion, states: Integers, times: Floats, normals: Floats) -> Floats:
    """Returns the closing speed of each pair along its normal, in metres per frame.

    For vehicles that touch exactly at a frame, it is that of the step before the frame.
    """
    i, j = states
    positions, frames = motion.scene.poses[:, :2], motion.scene.frames
    arrived = (times == 0.0) & (motion.before[i] >= 0) & (motion.before[j] >= 0)
    start_i, start_j = np.where(arrived, motion.before[states], states)
    moved = (positions[i] - positions[start_i]) - (positions[j] - positions[start_j])
    moved = np.where(arrived[:, None], moved, motion.velocities(i, j))
    frames_taken = frames[motion.after[start_i]] - frames[start_i]
    speeds: Floats = -(moved * normals).sum(axis=1) / np.where(moved.any(axis=1), frames_taken, 1)
    return speeds.clip(min=0.0)

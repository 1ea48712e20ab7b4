"""Contacts between vehicles of a scene, each with each, from each frame to the next."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import carom

if TYPE_CHECKING:
    from .recorded_scene import Floats, Scene

Integers = NDArray[np.intp]


@dataclass(frozen=True)
class Survey:
    """Which vehicles of a scene touch."""

    found: carom.Encounters
    """The pairs that touch in some frame or between two, and their first contacts."""
    seconds: float
    queries: int
    """How many pairs of vehicles there are in all frames."""
    sampled: set[tuple[int, int]]
    """The pairs that overlap in some frame."""

    @property
    def swept(self) -> set[tuple[int, int]]:
        """The pairs that touch in some frame or between two."""
        return pairs_of(self.found)


@dataclass(frozen=True)
class Contact:
    """The first contact of two vehicles, `a` and `b`."""

    a: int
    b: int
    frame: float
    """The time of contact in frames, with a fraction."""
    point: Floats
    """The middle of the contact, in the scene's coordinates."""
    normal: Floats
    """From `b` to `a`."""
    closing_speed: float
    """Along the normal, metres per second."""


def survey(scene: Scene) -> Survey:
    """Finds the pairs that touch from each frame to the next, and those that overlap in one."""
    start = time.perf_counter()
    found = carom.encounters(scene.log)
    seconds = time.perf_counter() - start
    present = scene.log.present.sum(axis=0)
    queries = int((present * (present - 1) // 2).sum())
    return Survey(found, seconds, queries, pairs_of(carom.encounters(standing(scene.log))))


def standing(log: carom.Trajectories) -> carom.Trajectories:
    """The bodies at their poses alone: between two there is one at which they are absent."""
    bodies, steps, _ = log.poses.shape
    poses = np.full((bodies, 2 * steps - 1, 3), np.nan)
    poses[:, ::2] = log.poses
    return carom.Trajectories(log.footprints, poses)


def pairs_of(found: carom.Encounters) -> set[tuple[int, int]]:
    """The pairs of vehicles."""
    a, b = found.pairs.tolist()
    return set(zip(a, b, strict=True))


def contacts_of(scene: Scene, found: carom.Encounters, rate: float) -> list[Contact]:
    """Returns the first contacts, earliest first."""
    points = found.contact.mean(axis=1)
    speeds = closing_speeds(scene, found, points) * rate
    contacts = [
        Contact(int(a), int(b), *contact)
        for a, b, *contact in zip(
            *found.pairs, found.at.tolist(), points, found.normal, speeds.tolist(), strict=True
        )
    ]
    return sorted(contacts, key=lambda contact: contact.frame)


def closing_speeds(scene: Scene, found: carom.Encounters, points: Floats) -> Floats:
    """Returns the speed of each pair's points of contact along the normal, in metres per frame.

    For vehicles that touch exactly at a frame, it is that of the step before the frame.
    """
    present = np.logical_and(*scene.log.present[found.pairs])
    row = np.arange(len(found.step))
    arrived = (found.time == 0.0) & (found.step > 0) & present[row, found.step - 1]
    starts = np.where(arrived, found.step - 1, found.step)
    times = np.where(arrived, 1.0, found.time)
    ends = np.minimum(starts + 1, len(scene.frames) - 1)
    ends = np.where(present[row, ends], ends, starts)
    moved, other = (
        motion_at(poses[row, starts], poses[row, ends], points, times)
        for poses in scene.log.poses[found.pairs]
    )
    frames_taken = np.where(ends > starts, scene.frames[ends] - scene.frames[starts], 1.0)
    speeds: Floats = -((moved - other) * found.normal).sum(axis=1) / frames_taken
    return speeds.clip(min=0.0)


def motion_at(before: Floats, after: Floats, points: Floats, times: Floats) -> Floats:
    """Returns how far a point of each vehicle moves in a step, at the velocity of a time in it."""
    moved = (after - before)[:, :2]
    arms = points - before[:, :2] - times[:, None] * moved
    across = np.stack([-arms[:, 1], arms[:, 0]], axis=-1)
    turn: Floats = np.asarray(carom.arc(before, after).turn)
    return moved + turn[:, None] * across

"""One contact as recorded, seen from the second vehicle."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

import carom

from .contacts import footprints_of, short_way

if TYPE_CHECKING:
    from .contacts import Contact
    from .recorded_scene import Floats, Integers, Scene

SAMPLES = 20  # of the motion between two recorded frames


@dataclass(frozen=True)
class Encounter:
    """Two vehicles around their first contact, from one frame of a camera to its next.

    Shapes are those seen from `b`, at the place and heading that `b` has at the contact.
    """

    contact: Contact
    names: tuple[str, str]
    frames: Integers
    """The recorded frames."""
    times: Floats
    """Samples of the time, in frames."""
    a: Floats
    """The footprint of `a` at these times: shape (n, 4, 2)."""
    b: Floats
    """The footprint of `b`: shape (4, 2)."""

    @staticmethod
    def of(scene: Scene, contact: Contact, first: int, last: int) -> Encounter | None:
        """Returns the encounter between two frames; None if a vehicle is not in all of them."""
        vehicles = scene.vehicles[[contact.a, contact.b]]
        frames = np.unique(scene.frames[(scene.frames >= first) & (scene.frames <= last)])
        tracks = [scene.poses[seen] for seen in states_of(scene, vehicles, frames)]
        if any(len(track) < len(frames) for track in tracks):
            return None
        times = sampled(frames, contact.frame)
        a, b = (poses_at(frames, track, times) for track in tracks)
        there = b[np.searchsorted(times, contact.frame)]
        sizes = scene.sizes[[contact.a, contact.b]]
        return Encounter(
            contact,
            (scene.names[vehicles[0]], scene.names[vehicles[1]]),
            frames,
            times,
            footprints_of(np.repeat(sizes[:1], len(times), axis=0), seen_from(b, there, a)),
            footprints_of(sizes[1:], there[None])[0],
        )

    def at(self, times: Floats | Integers) -> Floats:
        """The footprints of `a` at some of the samples."""
        chosen: Floats = self.a[np.searchsorted(self.times, times)]
        return chosen

    def deepest(self) -> tuple[Floats, carom.SatResult]:
        """Returns the footprint of `a` at the deepest overlap among the samples, and its `sat`."""
        answers = carom.sat_batch(self.a, self.b, check=False)
        sample = int(answers.depth.argmax())
        return self.a[sample], answers[sample]

    @property
    def relative_depth(self) -> float:
        """The deepest overlap as a share of the way of `a`."""
        way = float(np.hypot(*(self.a[-1] - self.a[0]).mean(axis=0)))
        return self.deepest()[1].depth / way if way else 0.0


def states_of(scene: Scene, vehicles: Integers, frames: Integers) -> list[Integers]:
    """Returns the states of each vehicle in some frames, in order."""
    seen = np.isin(scene.frames, frames)
    return [np.flatnonzero(seen & (scene.vehicles == vehicle)) for vehicle in vehicles]


def sampled(frames: Integers, contact: float) -> Floats:
    """Returns samples of the time between frames, with the frames and the contact among them."""
    steps = [np.linspace(start, end, SAMPLES + 1) for start, end in pairwise(frames)]
    return np.unique(np.concatenate([frames, [contact], *steps]).astype(np.float64))


def poses_at(frames: Integers, poses: Floats, times: Floats) -> Floats:
    """Returns the poses of a vehicle at times between its frames, as a sweep takes them to be."""
    steps = np.clip(np.searchsorted(frames, times, "right") - 1, 0, max(len(frames) - 2, 0))
    ends = np.minimum(steps + 1, len(frames) - 1)
    moved = poses[ends] - poses[steps]
    moved[:, 2] = short_way(moved[:, 2])
    parts = (times - frames[steps]) / np.where(ends > steps, frames[ends] - frames[steps], 1)
    result: Floats = poses[steps] + parts[:, None] * moved
    return result


def seen_from(observer: Floats, there: Floats, poses: Floats) -> Floats:
    """Returns poses as they appear from those of an observer, if this one is `there`."""
    turn = there[2] - observer[:, 2]
    cosine, sine = np.cos(turn), np.sin(turn)
    x, y = (poses - observer)[:, :2].T
    offsets = np.stack([cosine * x - sine * y, sine * x + cosine * y, poses[:, 2] + turn], axis=-1)
    offsets[:, :2] += there[:2]
    return offsets

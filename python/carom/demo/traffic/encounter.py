"""One contact as recorded, seen from the second vehicle."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

import carom

if TYPE_CHECKING:
    from .contacts import Contact, Integers
    from .recorded_scene import Floats, Scene

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
        a, b = contact.a, contact.b
        between = (scene.frames >= first) & (scene.frames <= last)
        if not scene.log.present[[a, b]][:, between].all():
            return None
        frames = scene.frames[between]
        times = sampled(frames, contact.frame)
        ways = [poses_at(frames, scene.log.poses[vehicle, between], times) for vehicle in (a, b)]
        footprint_a, footprint_b = (scene.log.footprints[[row]].coords for row in (a, b))
        there = ways[1][np.searchsorted(times, contact.frame)]
        return Encounter(
            contact,
            (scene.names[a], scene.names[b]),
            frames.astype(np.int64),
            times,
            carom.place(footprint_a, seen_from(ways[1], there, ways[0])),
            carom.place(footprint_b, there),
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


def sampled(frames: Floats, contact: float) -> Floats:
    """Returns samples of the time between frames, with the frames and the contact among them."""
    steps = [np.linspace(start, end, SAMPLES + 1) for start, end in pairwise(frames)]
    return np.unique(np.concatenate([frames, [contact], *steps]))


def poses_at(frames: Floats, poses: Floats, times: Floats) -> Floats:
    """Returns the poses of a vehicle at times between its frames, as a sweep takes them to be."""
    ahead = np.append(poses[1:], poses[-1:], axis=0)
    moved = np.append((ahead - poses)[:, :2], carom.arc(poses, ahead).turn[:, None], axis=1)
    steps = np.searchsorted(frames, times, "right") - 1
    parts = (times - frames[steps]) / np.diff(frames, append=frames[-1] + 1)[steps]
    result: Floats = poses[steps] + parts[:, None] * moved[steps]
    return result


def seen_from(observer: Floats, there: Floats, poses: Floats) -> Floats:
    """Returns poses as they appear from those of an observer, if this one is `there`."""
    turn = there[2] - observer[:, 2]
    cosine, sine = np.cos(turn), np.sin(turn)
    x, y = (poses - observer)[:, :2].T
    offsets = np.stack([cosine * x - sine * y, sine * x + cosine * y, poses[:, 2] + turn], axis=-1)
    offsets[:, :2] += there[:2]
    return offsets

"""The path of a shape that stops at contacts, and slides along them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import _core
from ..outlines import extent, moved
from ..sweeps import along_contact
from ..two_shapes import row_of
from .moving_outline import ORIGIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..elements import Floats

LEGS = 8  # most segments of a path: in a wedge, a shape would bounce for ever
GAP = 1e-6  # distance from the obstacle while sliding, as a share of the extent


class Way(NamedTuple):
    """The path of a moving shape: its offsets at some times, and its contacts."""

    times: Sequence[float]
    offsets: Sequence[Floats]
    contacts: Sequence[tuple[float, _core.SweptCollisionResult]]

    def at(self, time: float) -> Floats:
        """Returns the offset from the start at a time."""
        x, y = np.transpose(self.offsets)
        return np.array([np.interp(time, self.times, x), np.interp(time, self.times, y)])

    def angle(self, turn: float, time: float) -> float:
        """Returns the angle at a time of a shape that turns until the first contact."""
        return turn * min(time, self.contacts[0][0] if self.contacts else 1.0)


def straight(hit: _core.SweptCollisionResult, velocity: Floats) -> Way:
    """Returns the path of a shape that stops at its first contact."""
    stop = min(hit.time, 1.0)
    there = stop * velocity
    return Way([0.0, stop, 1.0], [ORIGIN, there, there], [(stop, hit)] if hit else [])


def slide(a: Any, b: Any, velocity: Any) -> Way:
    """Returns the path of a shape that stops at contacts and slides along them."""
    hit = _core.swept_collision(a, b, velocity)
    row_a, row_b = row_of(a), row_of(b)
    low, high = np.split(np.concatenate([row_a.bounds, row_b.bounds]), 2, axis=1)
    gap = GAP * extent(np.concatenate([low, high]))
    rest = np.array(velocity, dtype=np.float64)
    times, offsets, contacts = [0.0], [np.zeros(2)], []
    for _ in range(LEGS):
        part = min(hit.time, 1.0)
        times.append(times[-1] + part * (1.0 - times[-1]))
        offsets.append(offsets[-1] + part * rest)
        if not hit:
            break
        contacts.append((times[-1], hit))
        rest = along_contact((1.0 - part) * rest, hit.normal)
        away = offsets[-1] + gap * hit.normal
        hit = _core.swept_collision_batch(moved(row_a, away), row_b, rest)[0]
        if hit.intersects:
            break
    return Way([*times, 1.0], [*offsets, offsets[-1]], contacts)

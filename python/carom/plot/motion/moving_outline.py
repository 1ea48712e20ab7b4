"""Motions of shapes: where an outline is at a time."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from matplotlib.path import Path

from ..elements import Floats
from ..outlines import corners

ORIGIN = np.zeros(2)


class Motion(NamedTuple):
    """The motion of a shape within a frame: its displacement, and its turn about a center."""

    velocity: Floats = ORIGIN
    turn: float = 0.0
    center: Floats = ORIGIN

    def at(self, outline: Path, time: float) -> Path:
        """An outline at a time."""
        return Path(self.places(corners(outline), time), outline.codes)

    def places(self, points: Floats, time: float) -> Floats:
        """Points of the shape at a time."""
        if self.turn == 0.0:
            return points + time * self.velocity
        # Each point moves along a chord: so a center far away costs no digits.
        cosine, sine = math.cos(0.5 * time * self.turn), math.sin(0.5 * time * self.turn)
        chords = 2.0 * sine * (points - self.center)
        moved = np.stack([chords @ (-sine, -cosine), chords @ (cosine, -sine)], axis=-1)
        return points + moved + time * self.velocity

    def back(self, points: Floats, time: float) -> Floats:
        """Where points of the shape, given at a time, are at the start."""
        turned_back = Motion(turn=-self.turn, center=self.center)
        return turned_back.places(points - time * self.velocity, time)


def motion_of(velocity: object, turn: float | None, center: object) -> Motion:
    """A motion from the arguments of a query, which has checked them; no turn needs no center."""
    turn = float(turn or 0.0)
    middle = ORIGIN if center is None or turn == 0.0 else np.array(center, dtype=np.float64)
    return Motion(np.array(velocity, dtype=np.float64), turn, middle)


def relative_velocity(velocity: object, velocity_a: object, velocity_b: object) -> object:
    """The velocity of `a` in the frame of reference in which `b` rests, where pictures show it."""
    if velocity is not None or (velocity_a is None and velocity_b is None):
        return velocity
    one, other = (
        ORIGIN if given is None else np.array(given, dtype=np.float64)
        for given in (velocity_a, velocity_b)
    )
    return one - other

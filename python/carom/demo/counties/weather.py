"""A storm and a front that move over a map, and their first contacts with the areas.

Longitude and latitude are used as plane coordinates: the radius is in degrees.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import carom

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
Track = tuple[tuple[float, float], ...]

LEG_HOURS = 12.0
RADIUS = 1.5  # degrees

# Fictitious, similar to hurricanes that cross the Antilles and the Gulf of Mexico.
ANTILLES: Track = (
    (-57.0, 8.0),
    (-62.5, 12.5),
    (-64.5, 15.5),
    (-70.0, 18.0),
    (-77.5, 20.5),
    (-83.0, 22.5),
    (-88.0, 25.5),
    (-90.0, 30.5),
)
GULF: Track = (
    (-83.0, 22.5),
    (-87.5, 25.5),
    (-90.0, 29.5),
    (-88.5, 33.5),
    (-84.5, 37.0),
    (-78.5, 40.5),
    (-70.0, 44.5),
)

# A crescent whose tips are ahead.
BACK = [(0.0, -7.0), (-3.0, -5.0), (-4.5, -2.5), (-5.0, 0.0), (-4.5, 2.5), (-3.0, 5.0), (0.0, 7.0)]
HOLLOW = [(-2.2, 4.7), (-3.5, 2.4), (-4.0, 0.0), (-3.5, -2.4), (-2.2, -4.7)]
BOW = np.array([*BACK, *HOLLOW])
EUROPE: Track = ((-14.0, 49.0), (-5.0, 48.0), (5.0, 48.0), (15.0, 46.5), (24.0, 45.0))
UNITED_STATES: Track = (
    (-128.0, 41.0),
    (-117.0, 40.0),
    (-106.0, 38.5),
    (-96.0, 37.0),
    (-86.0, 38.0),
    (-77.0, 40.0),
)


@dataclass(frozen=True)
class Arrivals:
    """The first contacts of a shape on a track with each polygon of a column."""

    hours: Floats
    """Time of contact since the start; infinity if never."""
    legs: Integers
    """Leg of the track, from 0; meaningless if never."""
    points: Floats
    """Point of contact, shape (n, 2); NaN if never."""
    sampled: NDArray[np.bool_]
    """Whether they intersect at the end of some leg."""
    seconds: float
    """Time of the computation."""
    queries: int


def circle_arrivals(track: Track, radius: float, column: carom.Shapes) -> Arrivals:
    """Returns when a circle first touches each polygon."""
    start, velocity = legs_of(track)
    began = time.perf_counter()
    swept = carom.swept_circle_batch(start, radius, velocity, column)
    return earliest(swept, time.perf_counter() - began)


def shape_arrivals(track: Track, shape: Floats, column: carom.Shapes) -> Arrivals:
    """Returns when a polygon, convex or not, first touches each polygon."""
    start, velocity = legs_of(track)
    began = time.perf_counter()
    fields = ("intersects", "will_intersect", "time", "contact")
    swept = carom.swept_collision_batch(shape + start[:, :, None], column, velocity, fields=fields)
    return earliest(swept, time.perf_counter() - began)


def legs_of(track: Track) -> tuple[Floats, Floats]:
    """Returns the start and the displacement of each leg, both of shape (legs, 1, 2).

    The last leg has length zero, and represents the end of the track.
    """
    positions = np.array(track)
    velocity = np.diff(positions, axis=0, append=positions[-1:])
    return positions[:, None], velocity[:, None]


def earliest(swept: Any, seconds: float) -> Arrivals:
    """Returns the first contact of each polygon in the sweeps of all legs, shape (legs, n)."""
    leg = swept.will_intersect.argmax(axis=0)
    polygon = np.arange(len(leg))
    return Arrivals(
        hours=(leg + swept.time[leg, polygon]) * LEG_HOURS,
        legs=leg,
        points=swept.contact[leg, polygon].mean(axis=-2),
        sampled=swept.intersects.any(axis=0),
        seconds=seconds,
        queries=swept.time.size,
    )

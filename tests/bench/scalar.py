"""Single calls from Python."""

from __future__ import annotations

import timeit
from typing import Any

import carom
import numpy as np
import shapely
from numba_kernels import ANY_SIZE
from timing import Floats, Who

A = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)])
B = np.array([(3.5, 1.0), (9.0, 0.5), (9.5, 4.0), (3.0, 4.0)])
VELOCITY = np.array([1.0, 2.0])
ELL = np.array([(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)])
PAIR, CROWD, ELLS = "one pair", "51 circles", "two L-shapes"
REPEATS = {PAIR: 20_000, CROWD: 500, ELLS: 2_000}
JOIN = "join of moving circles, column anew"
JOIN_CALL = "carom.colliding_pairs(carom.Shapes.from_points(xy, radius), velocity_a=velocity)"
GOALS = {
    "intersects": 80.0,
    "sat": 130.0,
    "swept_collision": 180.0,
    "penetration": 5_000.0,
    JOIN: 50_000.0,
}
"""Nanoseconds of one call of carom."""
Call = tuple[str, str, Who]
"""On which data, which question, and who is asked."""


def calls() -> dict[Call, timeit.Timer]:
    """Returns who answers each question; a timer's loop has no call of its own to count in."""
    numba = {"a": A[None], "b": B[None], "v": VELOCITY[None], "ask": ANY_SIZE}
    caroms = {"carom": carom, "a": A, "b": B, "v": (1.0, 2.0)}
    ells = {"carom": carom, "a": ELL, "b": ELL[::-1] * -1.0 + (2.25, 2.5)}
    objects = {"a": shapely.Polygon(A), "b": shapely.Polygon(B)}
    texts: dict[tuple[str, str, str], tuple[str, dict[str, Any]]] = {
        (PAIR, "intersects", "Shapely"): ("a.intersects(b)", objects),
        (PAIR, "intersects", "numba"): ("ask.intersects_one(a, b)", numba),
        (PAIR, "intersects", "carom"): ("carom.intersects(a, b)", caroms),
        (PAIR, "sat", "numba"): ("ask.mtv_one(a, b)", numba),
        (PAIR, "sat", "carom"): ("carom.sat(a, b)", caroms),
        (PAIR, "swept_collision", "numba"): ("ask.sweep_one(a, b, v)", numba),
        (PAIR, "swept_collision", "carom"): ("carom.swept_collision(a, b, v)", caroms),
        (ELLS, "penetration", "carom"): ("carom.penetration(a, b)", ells),
        (CROWD, JOIN, "carom"): (JOIN_CALL, {"carom": carom, **crowd()}),
    }
    return {
        (data, question, Who(name)): timeit.Timer(text, globals=names)
        for (data, question, name), (text, names) in texts.items()
    }


def crowd() -> dict[str, Floats]:
    """Returns circles that touch now and then, and how far each moves within a frame."""
    random = np.random.default_rng(51)
    xy, radius = random.uniform(0.0, 20.0, (51, 2)), random.uniform(0.2, 0.6, 51)
    return {"xy": xy, "radius": radius, "velocity": random.normal(0.0, 0.5, (51, 2))}


def seconds(data: str, timer: timeit.Timer) -> float:
    """Returns the seconds of one call."""
    return timer.timeit(REPEATS[data]) / REPEATS[data]


def rounds_of(timers: dict[Call, timeit.Timer], rounds: int) -> dict[Call, Floats]:
    """Returns the seconds of one call, for each question, contestant and round."""
    for (data, _, _), timer in timers.items():
        seconds(data, timer)
    found = [
        [seconds(data, timer) for (data, _, _), timer in timers.items()] for _ in range(rounds)
    ]
    return dict(zip(timers, np.array(found).T, strict=True))

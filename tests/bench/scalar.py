"""Single calls from Python."""

from __future__ import annotations

import timeit
from typing import Any

import carom
import numpy as np
import shapely
from peers import ANY_SIZE
from timing import Floats, Who

A = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)])
B = np.array([(3.5, 1.0), (9.0, 0.5), (9.5, 4.0), (3.0, 4.0)])
VELOCITY = np.array([1.0, 2.0])
REPEATS = 20_000
GOALS = {"intersects": 80.0, "sat": 130.0, "swept_collision": 180.0}
"""Nanoseconds of one call of carom."""


def calls() -> dict[tuple[str, Who], timeit.Timer]:
    """Returns who answers each question; a timer's loop has no call of its own to count in."""
    numba = {"a": A[None], "b": B[None], "v": VELOCITY[None], "ask": ANY_SIZE}
    caroms = {"carom": carom, "a": A, "b": B, "v": (1.0, 2.0)}
    objects = {"a": shapely.Polygon(A), "b": shapely.Polygon(B)}
    texts: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {
        ("intersects", "Shapely"): ("a.intersects(b)", objects),
        ("intersects", "numba"): ("ask.intersects_one(a, b)", numba),
        ("intersects", "carom"): ("carom.intersects(a, b)", caroms),
        ("sat", "numba"): ("ask.mtv_one(a, b)", numba),
        ("sat", "carom"): ("carom.sat(a, b)", caroms),
        ("swept_collision", "numba"): ("ask.sweep_one(a, b, v)", numba),
        ("swept_collision", "carom"): ("carom.swept_collision(a, b, v)", caroms),
    }
    return {
        (question, Who(name)): timeit.Timer(text, globals=names)
        for (question, name), (text, names) in texts.items()
    }


def seconds(timer: timeit.Timer) -> float:
    """Returns the seconds of one call."""
    return timer.timeit(REPEATS) / REPEATS


def rounds_of(timers: dict[tuple[str, Who], timeit.Timer], rounds: int) -> dict[Any, Floats]:
    """Returns the seconds of one call, for each question, contestant and round."""
    for timer in timers.values():
        timer.timeit(REPEATS)
    found = [[seconds(timer) for timer in timers.values()] for _ in range(rounds)]
    return dict(zip(timers, np.array(found).T, strict=True))

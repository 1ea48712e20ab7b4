"""`closest_approach` where a filter, or a search from one end, would take another time."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import carom
import numpy as np
import pytest

from generators import kinds
from reference.oracle.approach import assert_closest_approach
from reference.oracle.kinds import Shape
from reference.oracle.moving import Motion

Triangle = list[tuple[float, float]]


def checked(a: Triangle, b: Triangle, motion: Motion) -> carom.ClosestApproachResult:
    """The answer, which the oracle agrees with."""
    one, other = (Shape("polygon", [[ring]]) for ring in (a, b))
    turning: dict[str, Any] = {"turn_a": motion.turn_a, "center_a": motion.center_a}
    turning |= {"turn_b": motion.turn_b, "center_b": motion.center_b}
    found = carom.closest_approach(kinds.row(one), kinds.row(other), motion.velocity, **turning)
    assert_closest_approach(one, other, motion, found)
    rows = {name: value for name, value in turning.items() if value is not None}
    numbers = ("distance", "time")
    many = np.array([a] * 16), np.array([b] * 16)
    of_rows = carom.closest_approach_batch(*many, motion.velocity, fields=numbers, **rows)
    assert of_rows.distance.tolist() == pytest.approx([found.distance] * 16, rel=2e-10, abs=0)
    assert of_rows.time.tolist() == [found.time] * 16
    return found


@pytest.mark.parametrize(
    ("a", "b", "motion"),
    [
        (
            [(0.6, 1.1), (-0.5, -1.1), (1.2, -0.8)],
            [(0.8, 0.7), (1.4, 0.4), (5.8, 1.3)],
            Motion((4.2, 7.5), 2.1, (-8.2, -6.0), 0.9, (9.3, 3.8)),
        ),
        (
            [(1.98, 0.04), (-1.81, 0.02), (0.83, -0.71)],
            [(1.32, 2.22), (0.23, 1.8), (0.93, 1.64)],
            Motion((6.35, 8.08), -0.44, (1.21, 8.48), -7.22, (-5.77, -8.53)),
        ),
        (
            [(-1.88, -0.27), (-1.63, -0.59), (-0.66, -0.99)],
            [(-2.7, 0.05), (-2.87, -0.43), (-1.75, -0.57)],
            Motion((-6.26, -6.3), -0.01, (-5.64, 3.99), 6.28, (-8.05, -5.58)),
        ),
    ],
)
def test_of_two_minima_within_a_short_time_the_lower_one_counts(
    a: Triangle, b: Triangle, motion: Motion
) -> None:
    assert checked(a, b, motion).time > 0


def test_a_distance_after_a_way_as_long_as_all_shapes_has_all_its_digits() -> None:
    """The gap at the end is left of coordinates that are ten million times larger."""
    a = [
        (0.4845123476445278, 0.38397859360037534),
        (0.48451238405003133, 0.38397859360037534),
        (0.4845123476445278, 0.3839786300058789),
    ]
    b = [
        (0.14214564150254075, -0.06591990368646021),
        (0.14214560509703722, -0.06591990368646021),
        (0.14214564150254075, -0.06591994009196375),
    ]
    velocity = (-0.342366672436901, -0.4498984722237874)
    found = checked(a, b, Motion(velocity))
    gaps = (
        Fraction(end) - Fraction(start) - Fraction(way)
        for start, way, end in zip(a[0], velocity, b[0], strict=True)
    )
    assert found.time == 1
    assert found.distance == pytest.approx(math.hypot(*map(float, gaps)), rel=1e-10, abs=0)


def test_a_diagonal_way_shorter_than_a_rounding_has_its_end() -> None:
    a = [(-4e-17, 0.0), (-1.0, 0.5), (-0.5, 1.0)]
    b = [(1.0, -1.0), (2.0, -1.5), (1.5, -2.0)]
    assert checked(a, b, Motion((1e-17, 1e-17))).time == 1
    # The nearest place of the whole line is twice as far along as the end.
    assert checked(a, b, Motion((4e-17, 4e-17))).time == 0.5

"""The center of the arc through two poses, in fractions.

The only number without an exact value is the tangent of half the turn, which is right to more than
a hundred digits.
"""

import math
import sys
from collections.abc import Sequence
from fractions import Fraction

BITS = 400  # of the fixed-point series; the cosine of half a turn is at least 2^-54.
LARGEST = Fraction(sys.float_info.max)
TERMS = 60  # (pi/2)^120 / 120! is below 2^-400.

Floats = Sequence[float]


def tangent(angle: Fraction) -> Fraction:
    """The tangent of an angle from -pi/2 to pi/2."""
    one = 1 << BITS
    square = math.floor(angle * angle * one)
    cosine = sine = 0
    term = one
    for n in range(TERMS):
        cosine += term
        sine += term // (2 * n + 1)
        term = -(term * square >> BITS) // ((2 * n + 1) * (2 * n + 2))
    return angle * sine / cosine


def center(start: Floats, end: Floats, turn: float) -> tuple[Fraction, Fraction]:
    """The point about which this turn takes one position to the other; the turn is not 0."""
    (x, y), (u, v) = ([Fraction(number) for number in pose[:2]] for pose in (start, end))
    double_tangent = 2 * tangent(Fraction(turn) / 2)
    return (x + u) / 2 - (v - y) / double_tangent, (y + v) / 2 + (u - x) / double_tangent


def errors(start: Floats, end: Floats, turn: float, found: Floats) -> tuple[float, float]:
    """How far each component of a center is off, in units in the last place.

    The unit is that of the largest coordinate of the positions and of the center itself that is
    below 2^1024. An infinite component stands for all numbers from there on.
    """
    true = center(start, end, turn)
    numbers = map(abs, (*map(Fraction, (*start[:2], *end[:2])), *true))
    largest = max(it for it in numbers if it < 2**1024)
    unit = Fraction(math.ulp(float(min(largest, LARGEST))))
    x, y = (_error(got, component, unit) for got, component in zip(found, true, strict=True))
    return x, y


def _error(got: float, true: Fraction, unit: Fraction) -> float:
    if math.isnan(got):
        return math.inf
    if math.isinf(got):
        return float(max(0, 2**1024 - (true if got > 0 else -true)) / unit)
    error = abs(Fraction(got) - true) / unit
    return float(error) if error < 2**1000 else math.inf

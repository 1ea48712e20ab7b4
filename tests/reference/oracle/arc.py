"""The center of the arc through two poses, in fractions.

The only number without an exact value is the tangent of half the turn, which is right to more than
a hundred digits.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

BITS = 400  # of the fixed-point series; the cosine of half a turn is at least 2^-54.
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

    The unit is that of the largest coordinate of the positions and of the center itself. A
    component that overflows must be infinite.
    """
    true = center(start, end, turn)
    largest = max(map(abs, (*map(Fraction, (*start[:2], *end[:2])), *filter(_is_float, true))))
    unit = Fraction(math.ulp(float(largest)))
    x, y = (_error(got, component, unit) for got, component in zip(found, true, strict=True))
    return x, y


def _error(got: float, true: Fraction, unit: Fraction) -> float:
    if math.isinf(got) or not _is_float(true):
        is_right = math.isinf(got) and not _is_float(true) and (got > 0) == (true > 0)
        return 0.0 if is_right else math.inf
    return float(abs(Fraction(got) - true) / unit)


def _is_float(number: Fraction) -> bool:
    """Whether it rounds to a finite float."""
    try:
        float(number)
    except OverflowError:
        return False
    return True

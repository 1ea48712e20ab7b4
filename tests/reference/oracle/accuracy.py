"""When a float, a vector or a point is as close to the exact one as the contract says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .exact import LARGEST, SMALLEST, SMALLEST_NORMAL, Real

RELATIVE = Decimal("1e-10")


def number(got: float, true: Decimal, extent_ulp: Fraction | None = None) -> bool:
    """Within 1e-10 of the true value; a length also within 8 units of the extent's last place."""
    if true == 0 or math.isnan(got):
        return got == 0.0
    size = abs(true)
    if math.isinf(got):
        return (got > 0) == (true > 0) and size > LARGEST * (1 - RELATIVE)
    if size < SMALLEST:
        return got == math.copysign(math.ulp(0.0), true)
    error = abs(Decimal(got) - true)
    allowed = RELATIVE * size
    if size < SMALLEST_NORMAL:
        allowed = max(allowed, SMALLEST)
    if got == 0.0 or error > allowed:
        return False
    return extent_ulp is None or abs(Fraction(got) - Fraction(true)) <= 8 * extent_ulp


def vector(got: Sequence[float], true: Real) -> bool:
    """The error's length within 1e-10 of the vector's; components beyond the floats infinite."""
    if len(got) != 2 or any(map(math.isnan, got)):
        return False
    if true == (0, 0):
        return all(g == 0.0 for g in got)
    square = Decimal(0)
    for g, t in zip(map(float, got), true, strict=True):
        if math.isinf(g):
            if not number(g, t):
                return False
        else:
            square += (Decimal(g) - t) ** 2
    size = (true[0] ** 2 + true[1] ** 2).sqrt()
    return square.sqrt() <= max(RELATIVE * size, 2 * SMALLEST)


def point(got: Sequence[float], true: Real, extent_ulp: Fraction) -> bool:
    """Each coordinate within one unit in its last place plus 8 of the extent's."""
    if len(got) != 2 or not all(map(math.isfinite, got)):
        return False
    return all(
        abs(Fraction(g) - Fraction(t)) <= Fraction(math.ulp(float(t))) + 8 * extent_ulp
        for g, t in zip(map(float, got), true, strict=True)
    )


def ends(got: Any, true: tuple[Real, Real], extent_ulp: Fraction) -> bool:
    """The two ends of a contact in either order; equal to the bit when they are one point."""
    one, two = got
    if true[0] == true[1] and list(one) != list(two):
        return False
    return any(
        point(one, p, extent_ulp) and point(two, q, extent_ulp) for p, q in (true, true[::-1])
    )


def missing(got: Any) -> bool:
    """Whether all coordinates are NaN."""
    return all(math.isnan(float(x)) for p in got for x in (p if hasattr(p, "__len__") else [p]))

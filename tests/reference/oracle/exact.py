"""Floats as exact integers on one power-of-two grid, and the few irrational numbers in decimals.

Every finite float is an integer times a power of two. All floats of one query are put on the
finest grid among them; from there on, every sum and product is plain integer arithmetic and
every comparison is exact. Square roots and quotients come last, in decimals long enough that
nothing a float could show is lost.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

Point = tuple[int, int]
Ring = list[Point]
Region = list[Ring]
Real = tuple[Decimal, Decimal]

TIE = Fraction(1, 10**12)  # what the contract calls equally good
LARGEST = Decimal(2**1024 - 2**971)
SMALLEST = Decimal(math.ulp(0.0))
SMALLEST_NORMAL = Decimal(sys.float_info.min)


def floats(points: Any) -> list[tuple[float, float]]:
    """The points of an array or list, as pairs of Python floats."""
    rows = points.tolist() if hasattr(points, "tolist") else points
    return [(float(x), float(y)) for x, y in rows]


def rings_of(polygon: Any) -> list[list[tuple[float, float]]]:
    """The rings of a polygon, shell first, from a vertex list or from a list of rings."""
    first = polygon[0] if len(polygon) else []
    nested = len(first) > 0 and hasattr(first[0], "__len__")
    return [floats(ring) for ring in (polygon if nested else [polygon])]


class Grid:
    """The common grid of some floats: one step is ``2 ** -shift``."""

    def __init__(self, *numbers: float) -> None:
        self.shift = max((x.as_integer_ratio()[1].bit_length() - 1 for x in numbers), default=0)

    def number(self, x: float) -> int:
        numerator, denominator = x.as_integer_ratio()
        return numerator << (self.shift - denominator.bit_length() + 1)

    def point(self, p: Sequence[float]) -> Point:
        return self.number(float(p[0])), self.number(float(p[1]))

    def ring(self, points: Sequence[Sequence[float]]) -> Ring:
        return [self.point(p) for p in points]

    def rings(self, rings: Sequence[Sequence[Sequence[float]]]) -> Region:
        return [self.ring(points) for points in rings]

    @property
    def step(self) -> Decimal:
        """The size of one step; to be read inside :func:`long_decimals`."""
        return 1 / Decimal(1 << self.shift)

    def ulp(self, length: int) -> Fraction:
        """One unit in the last place of a length given in steps."""
        exponent = max(length.bit_length() - 1 - self.shift - 52, -1074)
        return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)

    def ulp_steps(self, length: int) -> Fraction:
        """The same, in steps."""
        return self.ulp(length) * (1 << self.shift)


def grid_of(*groups: Sequence[Sequence[float]]) -> Grid:
    """The common grid of several lists of points (a lone number counts as a point ``(x, 0)``)."""
    return Grid(*(float(x) for group in groups for p in group for x in p))


@contextmanager
def long_decimals(*integers: int) -> Iterator[None]:
    """Decimals with 60 digits to spare after the worst cancellation among such integers."""
    bits = max((abs(n).bit_length() for n in integers), default=0)
    with localcontext(prec=60 + int(bits * 0.9)) as context:
        context.Emax, context.Emin = 999_999, -999_999
        yield


def root(numerator: int, denominator: int = 1) -> Decimal:
    """The square root of a fraction."""
    return (Decimal(numerator) / denominator).sqrt()


def ratio(numerator: int, denominator: int) -> Decimal:
    return Decimal(numerator) / denominator


def unit(direction: Point) -> Real:
    """The unit vector along an integer direction."""
    length = root(direction[0] ** 2 + direction[1] ** 2)
    return direction[0] / length, direction[1] / length


def bisector(first: Point, second: Point) -> Real:
    """The unit vector halfway between two directions that are not opposite."""
    (ax, ay), (bx, by) = unit(first), unit(second)
    x, y = ax + bx, ay + by
    length = (x * x + y * y).sqrt()
    return x / length, y / length


def sign_with_root(a: int, b: int, n: int) -> int:
    """The sign of ``a + b * sqrt(n)``, exactly, for ``n >= 0``."""
    left, right = (a > 0) - (a < 0), ((b > 0) - (b < 0)) * (n > 0)
    if left * right >= 0:
        return left or right
    squares = a * a - b * b * n
    return 0 if squares == 0 else left if squares > 0 else right

"""Hard cases: generation, comparison with the oracle, and classification."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from random import Random
from typing import NamedTuple

from generators import shapes


class Case(NamedTuple):
    """A case that was answered rightly."""

    family: str
    touching: bool
    extreme: bool
    holed: bool = False


def scaled(rng: Random, *groups: shapes.Polygon) -> list[shapes.Polygon] | None:
    """All points times one extreme power of two, unless one of them overflows."""
    s = shapes.power(rng)
    groups_scaled = [shapes.stretched(group, s, s) for group in groups]
    finite = all(math.isfinite(x) for group in groups_scaled for p in group for x in p)
    return groups_scaled if finite else None


def is_extreme(*groups: Iterable[shapes.Point]) -> bool:
    sizes = [abs(x) for group in groups for p in group for x in p if x != 0.0]
    return any(x > shapes.HUGE or x < shapes.TINY for x in sizes)


def two_ulps(*groups: Iterable[shapes.Point]) -> float:
    """Two units in the last place of the largest coordinate."""
    return 2 * math.ulp(max(abs(x) for group in groups for p in group for x in p))


def is_near(gap: Decimal, *groups: Iterable[shapes.Point]) -> bool:
    """Whether a gap or an overlap is at most two units in the last place."""
    return abs(gap) <= Decimal(two_ulps(*groups))


def at_an_end(moment: Decimal | None) -> bool:
    return moment is not None and (moment == 0 or abs(moment - 1) <= Decimal(2**-52))

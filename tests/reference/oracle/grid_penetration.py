"""Penetration of unions of unit cells, by looking at every translation by whole numbers.

Interiors of cells whose corners differ by ``d`` meet when the translation lies in the open
square of side 2 about ``d``. So a point of the grid is free unless it is such a ``d``, and any
other translation is free exactly when all corners of its edge or cell of the grid are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import shapely

from .exact import TIE

Cell = tuple[int, int]
Floats = tuple[float, float]
Vector = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Cells:
    """Cells by their lower left corners."""

    cells: frozenset[Cell]

    def geometry(self, offset: Floats, simplified: bool) -> Any:
        """The union, moved; simplified, it has no vertices within straight sides."""
        union = shapely.union_all([shapely.box(x, y, x + 1, y + 1) for x, y in sorted(self.cells)])
        union = shapely.simplify(union, 0) if simplified else union
        return shapely.transform(union, lambda points: points + offset)


def random_cells(rng: Random, size: int, share: float) -> Cells:
    """A share of the cells of a square."""
    while True:
        cells = [cell for cell in product(range(size), repeat=2) if rng.random() < share]
        if cells:
            return Cells(frozenset(cells))


def fitting(rng: Random, other: Cells, size: int) -> Cells:
    """Some of what another leaves of a square, so that it fits there."""
    rest = sorted(set(product(range(size), repeat=2)) - other.cells)
    share = rng.choice([1.0, 0.9, 0.5])
    kept = frozenset(cell for cell in rest if rng.random() < share)
    return Cells(kept or frozenset([(0, 0)]))


class Free:
    """The translations of ``a`` that leave its interior and that of ``b`` disjoint."""

    def __init__(self, a: Cells, b: Cells) -> None:
        self.taken = {(q[0] - p[0], q[1] - p[1]) for p in a.cells for q in b.cells}
        self.xs, self.ys = (
            range(min(d[k] for d in self.taken) - 1, max(d[k] for d in self.taken) + 2)
            for k in (0, 1)
        )

    def __contains__(self, point: Vector) -> bool:
        sides = [{math.floor(x), math.ceil(x)} for x in point]
        return self.taken.isdisjoint(product(*sides))

    def nearest(self, start: Floats) -> tuple[Fraction, list[Vector]]:
        """The squared distance of the nearest free points, and all as near up to ties."""
        x, y = map(Fraction, start)
        if (x, y) in self:
            return Fraction(0), [(x, y)]
        columns = sorted({x, *map(Fraction, self.xs)}, key=lambda it: abs(it - x))
        rows = sorted({y, *map(Fraction, self.ys)}, key=lambda it: abs(it - y))
        found: list[tuple[Fraction, Vector]] = []
        limit: Fraction | None = None
        for column in columns:
            for row in rows:
                square = (column - x) ** 2 + (row - y) ** 2
                if limit is not None and square > limit:
                    break
                if (column, row) in self:
                    found.append((square, (column, row)))
                    limit = min(it for it, _ in found) * (1 + 2 * TIE)
        least = min(it for it, _ in found)
        return least, [point for square, point in found if square <= least * (1 + 2 * TIE)]

    def is_tight(self, point: Vector) -> bool:
        """Whether no open set beside a free point is free."""
        hair = Fraction(1, 1 << 99)
        beside = ((point[0] + x, point[1] + y) for x in (-hair, hair) for y in (-hair, hair))
        return not any(it in self for it in beside)

    def times(self, start: Floats, way: Floats) -> Iterator[Fraction]:
        """When a ray crosses lines of the grid, in order."""
        yield from sorted(
            {Fraction(0)}
            | {
                time
                for at, speed, lines in zip(start, way, (self.xs, self.ys), strict=True)
                for line in lines
                if speed and (time := (line - Fraction(at)) / Fraction(speed)) > 0
            }
        )

    def first(self, start: Floats, way: Floats) -> Fraction:
        """When a ray is at a free translation first."""
        (x, y), (u, v) = (tuple(map(Fraction, it)) for it in (start, way))
        times = self.times(start, way)
        return next(time for time in times if (x + time * u, y + time * v) in self)


def assert_cells(a: Cells, b: Cells, offset: Floats, got: Any) -> bool:
    """Holds the penetration of ``a``, moved by an offset, and ``b``; returns whether a nearest
    translation is one where they fit exactly."""
    free = Free(a, b)
    square, nearest = free.nearest(offset)
    assert (got.depth == 0.0) == (square == 0)
    assert math.isclose(got.depth, math.sqrt(square), rel_tol=1e-10), square
    leads = [(float(x - Fraction(offset[0])), float(y - Fraction(offset[1]))) for x, y in nearest]
    assert any(math.dist(got.mtv, it) <= 1e-10 * got.depth for it in leads), (got, leads)
    return any(map(free.is_tight, nearest))


def assert_cells_along(a: Cells, b: Cells, offset: Floats, way: Floats, got: Any) -> None:
    """Holds that along a direction."""
    time = Free(a, b).first(offset, way)
    assert (got.depth == 0.0) == (time == 0)
    assert math.isclose(got.depth, float(time) * math.hypot(*way), rel_tol=1e-10), time
    lead = [float(time) * x for x in way]
    assert math.dist(got.mtv, lead) <= 1e-10 * got.depth, (got, lead)

"""Neighbours in a map that is turned off the grid, which share edges and corners up to rounding:
against exact fractions, and rows against single calls."""

from __future__ import annotations

import math
from random import Random

import carom
import numpy as np
import pytest

from generators import shapes
from helpers import bits
from reference import oracle
from reference.oracle import check

Ring = list[shapes.Point]

SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
TRIANGLE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
HEXAGON = [(0.0, 0.0), (1.0, -0.5), (2.0, 0.0), (2.0, 1.0), (1.0, 1.5), (0.0, 1.0)]
SIZES = {"squares": (SQUARE, SQUARE), "both": (HEXAGON, SQUARE), "triangles": (TRIANGLE, SQUARE)}
STEPS = [-2.0, -1.0, -0.5, 0.0, 1 / 3, 0.5, 1.0, 2.0]
"""Neighbours that touch, some of them with parts of edges, and others."""


def turned(ring: Ring, by: shapes.Point, angle: float, scale: float, at: shapes.Point) -> Ring:
    cos, sin = math.cos(angle) * scale, math.sin(angle) * scale
    moved = [(x + by[0], y + by[1]) for x, y in ring]
    return [(at[0] + x * cos - y * sin, at[1] + x * sin + y * cos) for x, y in moved]


def an_ulp_off(rng: Random, ring: Ring) -> Ring:
    """Some of the coordinates are the next floats."""

    def near(x: float) -> float:
        return rng.choice([x, x, math.nextafter(x, -math.inf), math.nextafter(x, math.inf)])

    return [(near(x), near(y)) for x, y in ring]


def neighbours(rng: Random, rings: tuple[Ring, Ring], count: int) -> list[tuple[Ring, Ring]]:
    """Pairs turned together: what is one place before may be so afterwards, or off by an ulp."""
    pairs = []
    for _ in range(count):
        angle, scale = rng.choice([0.3, rng.uniform(0, 7)]), rng.choice([1.0, 0.1, 437.0, 2.0**-60])
        far = rng.choice([0.0, 0.0, 100.0, 1e6]) * scale
        place = angle, scale, (rng.uniform(-far, far), rng.uniform(-far, far))
        step = rng.choice(STEPS), rng.choice(STEPS)
        a, b = turned(rings[0], (0.0, 0.0), *place), turned(rings[1], step, *place)
        if rng.random() < 0.3:
            a, b = an_ulp_off(rng, a), an_ulp_off(rng, b)
        pairs.append((a, b))
    return pairs


@pytest.mark.parametrize("name", SIZES)
def test_neighbours_are_the_oracles(name: str) -> None:
    pairs = neighbours(Random(f"turned {name}"), SIZES[name], 120)
    a, b = (np.array(rings) for rings in zip(*pairs, strict=True))
    meet = carom.intersects_batch(a, b)
    gaps = carom.distance_batch(a, b, fields=("distance",)).distance
    some = carom.sat_batch(a, b, fields=("depth", "mtv"))
    for row, (one, other) in enumerate(pairs):
        truth = oracle.intersects(one, other)
        assert meet[row] == truth
        assert (gaps[row] == 0.0) == truth
        alone = carom.sat(one, other)
        check.assert_sat(one, other, alone)
        assert bits(some.depth[row]) == bits(alone.depth)
        assert bits(some.mtv[row]) == bits(alone.mtv)
        assert carom.intersects(one, other) == truth
    assert 24 < meet.sum() < len(pairs)


@pytest.mark.parametrize("step", [(1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
def test_squares_with_common_corners_touch_and_an_ulp_away_they_may_not(
    step: shapes.Point,
) -> None:
    rng = Random(f"shared {step}")
    pairs, apart = [], []
    for _ in range(60):
        angle = rng.uniform(0, 7)
        cos, sin = math.cos(angle), math.sin(angle)
        a, b = (turned(SQUARE, by, angle, 1.0, (0.0, 0.0)) for by in ((0.0, 0.0), step))
        pairs.append((a, b))
        way = step[0] * cos - step[1] * sin, step[0] * sin + step[1] * cos
        apart.append((a, np.nextafter(b, np.add(b, way)).tolist()))
    rows = [np.array(rings) for rings in zip(*pairs, strict=True)]
    assert carom.intersects_batch(*rows).all()
    assert not carom.distance_batch(*rows).distance.any()
    depth = carom.sat_batch(*rows).depth
    # With an edge in common nothing is left to rounding.
    assert not depth.any() if 0.0 in step else depth.max() < 1e-15
    for one, other in pairs + apart:
        check.assert_sat(one, other, carom.sat(one, other))
        assert carom.intersects(one, other) == oracle.intersects(one, other)

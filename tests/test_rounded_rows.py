"""Columns whose rows have one number of vertices, answered eight rows at a time: points, segments
and rings, with radii and margins, against exact fractions and against single calls."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import kinds
from helpers import bits, convex_rings
from reference.oracle import accuracy
from reference.oracle import kinds as oracle
from reference.oracle.kinds import Floats, Shape

RADII = [0.0, 0.0, 0.25, 0.5, 1.0, 0.1, 1 / 3]
CORES = ("point", "segment", "triangle", "box", "quadrilateral")
ROWS = 120


def core(rng: Random, name: str) -> Shape:
    """A shape on a small grid, often far enough from others to be apart."""
    x, y = rng.randint(0, 9), rng.randint(0, 9)

    def near() -> Floats:
        return float(x + rng.randint(-3, 3)), float(y + rng.randint(-3, 3))

    if name == "point":
        return Shape("point", [near()])
    if name == "segment":
        ends = near(), near()
        return Shape("path", [list(ends)]) if ends[0] != ends[1] else core(rng, name)
    if name == "box":
        width, height = rng.randint(1, 3), rng.randint(1, 3)
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        return Shape("polygon", [[[(float(p), float(q)) for p, q in corners]]])
    while True:
        shape = kinds.convex(rng, 5, 0.0)
        count = {"triangle": 3, "quadrilateral": 4}[name]
        if shape.kind == "polygon" and len(shape.parts[0][0]) == count:
            ring = [(p + x, q + y) for p, q in shape.parts[0][0]]
            return Shape("polygon", [[ring if rng.random() < 0.5 else ring[::-1]]])


def rows(rng: Random, name: str) -> list[Shape]:
    cores = [core(rng, name) for _ in range(ROWS)]
    return [Shape(it.kind, it.parts, rng.choice(RADII)) for it in cores]


def scene(names: tuple[str, str]) -> tuple[list[Shape], list[Shape], Any, Any]:
    rng = Random(f"rows {names}")
    a, b = (rows(rng, name) for name in names)
    velocity = np.array([(rng.randint(-9, 9), rng.randint(-9, 9)) for _ in a], dtype=float)
    margin = np.array([rng.choice(RADII) for _ in a])
    return a, b, velocity, margin


PAIRS = list(itertools.product(CORES, CORES))


@pytest.mark.slow
@pytest.mark.parametrize("names", PAIRS)
def test_rows_of_one_size_are_the_oracles(names: tuple[str, str]) -> None:
    a, b, velocity, margin = scene(names)
    first, second = kinds.column(a), kinds.column(b)
    within = carom.intersects_batch(first, second, margin=margin)
    gaps = carom.distance_batch(first, second, fields=("distance",)).distance
    overlap = carom.sat_batch(first, second, margin=margin, fields=("intersects", "separation"))
    fields = ("intersects", "will_intersect", "time")
    sweep = carom.swept_collision_batch(first, second, velocity, margin=margin, fields=fields)
    for row, (one, other) in enumerate(zip(a, b, strict=True)):
        grown = float(margin[row])
        want = oracle.is_within(one, other, grown)
        assert within[row] == overlap.intersects[row] == sweep.intersects[row] == want
        gap = max(oracle.distance(one, other), Decimal(0))
        assert accuracy.number(gaps[row], gap), (one, other, gaps[row], gap)
        true = oracle.first_contact(one, other, (velocity[row][0], velocity[row][1]), grown)
        assert sweep.will_intersect[row] == (true is not None), (one, other, velocity[row])
        if true is None:
            assert sweep.time[row] == math.inf
        else:
            assert accuracy.number(sweep.time[row], true), (one, other, velocity[row])


@pytest.mark.parametrize("names", PAIRS)
@pytest.mark.parametrize("is_off_grid", [False, True])
def test_rows_of_one_size_have_the_bits_of_single_calls(
    names: tuple[str, str], is_off_grid: bool
) -> None:
    a, b, velocity, margin = scene(names)
    if is_off_grid:
        a, b = ([turned(it) for it in shapes] for shapes in (a, b))
        velocity = velocity * 0.37
    first, second = kinds.column(a), kinds.column(b)

    def check(batch: Any, single: Any, fields: tuple[str, ...]) -> None:
        for row in range(len(a)):
            alone = single(row)
            for field in fields:
                got, want = getattr(batch, field)[row], getattr(alone, field)
                assert bits(np.asarray(got)) == bits(np.asarray(want)), (a[row], b[row], field)

    some: tuple[str, ...]
    for some in (("distance",), ("distance", "closest_a", "closest_b")):
        found = carom.distance_batch(first, second, fields=some)
        check(found, lambda row: carom.distance(first[row], second[row]), some)
    for some in (("depth", "mtv"), ("normal", "separation"), ("depth", "contact")):
        overlap = carom.sat_batch(first, second, margin=margin, fields=some)
        check(
            overlap, lambda row: carom.sat(first[row], second[row], margin=float(margin[row])), some
        )
    for some in (("intersects", "will_intersect", "time"), ("time", "normal", "contact", "mtv")):
        sweep = carom.swept_collision_batch(first, second, velocity, margin=margin, fields=some)
        check(
            sweep,
            lambda row: carom.swept_collision(
                first[row], second[row], velocity[row], margin=float(margin[row])
            ),
            some,
        )


def turned(shape: Shape) -> Shape:
    """The shape turned by an angle that no float has the sine of."""
    cos, sin = math.cos(0.7), math.sin(0.7)

    def put(part: Any) -> Any:
        if isinstance(part[0], float):
            x, y = part
            return x * cos - y * sin, x * sin + y * cos
        return [put(it) for it in part]

    return Shape(shape.kind, [put(part) for part in shape.parts], shape.radius)


@pytest.mark.parametrize("vertices", [3, 4, 8, 33, 65])
def test_round_points_and_rings_have_the_bits_of_single_calls(vertices: int) -> None:
    rng = np.random.default_rng(vertices)
    rings = convex_rings(vertices)
    # Some have a vertex at the origin, with negative zeros, where some points are, too.
    rings = np.where(np.arange(24)[:, None, None] % 3 == 0, rings - rings[:, :1], rings)
    rings[rings == 0] = -0.0
    centers = rings.mean(axis=1) + rng.uniform(-2, 2, (24, 2)) * np.ptp(rings, axis=1)
    centers[::6] = -0.0
    points = carom.Shapes.from_points(centers, radius=rng.choice([0.0, 0.25, 0.7], 24))
    polygons = carom.Shapes(rings)
    velocity = np.where(
        rng.random((24, 1)) < 0.5, rings[:, 1] - centers, rng.uniform(-4, 4, (24, 2))
    )

    operands = (points, polygons), (polygons, points), (polygons.with_radius(0.5), points)
    for margin, (a, b) in itertools.product((0.0, 0.5), operands):
        way = velocity if a is points else -velocity
        alone = [carom.sat(a[row], b[row], margin=margin) for row in range(24)]
        for fields in (("depth", "normal"), ("contact",), None):
            assert_same_bits(carom.sat_batch(a, b, margin=margin, fields=fields), alone)
        rows = range(24)
        met = [carom.swept_collision(a[row], b[row], way[row], margin=margin) for row in rows]
        for fields in (("time",), ("normal",), ("contact",), None):
            many = carom.swept_collision_batch(a, b, way, margin=margin, fields=fields)
            assert_same_bits(many, met)


def assert_same_bits(many: Any, alone: list[Any]) -> None:
    for name, column in many._asdict().items():
        if column is not None:
            for row, one in enumerate(alone):
                assert bits(column[row]) == bits(getattr(one, name)), (name, row)


def test_contacts_of_moving_round_points_have_no_negative_zeros() -> None:
    square = [(-0.0, -0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
    points = carom.Shapes.from_points([(-3.0, -3.0)] * 8, radius=1.0)
    met = carom.swept_collision_batch(points, [square] * 8, (4.0, 4.0), fields=("contact",))
    boxes = carom.Shapes([[(2, -1), (4, -1), (4, 1), (2, 1)]] * 8)
    origins = carom.Shapes.from_points([(-0.0, -0.0)] * 8)
    at_points = carom.swept_collision_batch(
        boxes, origins, (-3.0, 0.25), margin=0.5, fields=("contact",)
    )
    for contact in (met.contact, at_points.contact):
        assert bits(contact) == bits(np.zeros((8, 2, 2)))

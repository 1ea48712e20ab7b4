"""Where rounded shapes touch: `contact` of `sat`, and of motions that begin in contact."""

from __future__ import annotations

import itertools
import math
from decimal import localcontext
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import kinds
from helpers import bits
from reference.oracle import accuracy, rounded_contact
from reference.oracle import kinds as oracle
from reference.oracle.kinds import Floats, Shape

FLOOR = Shape("polygon", [[[(-5.0, -1.0), (5.0, -1.0), (5.0, 0.0), (-5.0, 0.0)]]])


def point(x: float, y: float, radius: float = 0.0) -> Shape:
    return Shape("point", [(x, y)], radius)


def segment(start: Floats, end: Floats, radius: float = 0.0) -> Shape:
    return Shape("path", [[start, end]], radius)


def box(low: Floats, high: Floats, radius: float = 0.0) -> Shape:
    return Shape("polygon", [[[low, (high[0], low[1]), high, (low[0], high[1])]]], radius)


BY_HAND: list[tuple[Shape, Shape, list[Floats]]] = [
    # Circles: on the second one, where they touch and where they overlap; centers that coincide.
    (point(0, 0, 2), point(3, 4, 3), [(1.2, 1.6)]),
    (point(3, 4, 3), point(0, 0, 2), [(1.2, 1.6)]),
    (point(0, 0, 4), point(3, 4, 3), [(1.2, 1.6)]),
    (point(1, 1, 2), point(1, 1, 3), [(4.0, 1.0)]),
    # A circle on a floor, and in it: its lowest point.
    (point(2, 1, 1), FLOOR, [(2.0, 0.0)]),
    (FLOOR, point(2, 1, 1), [(2.0, 0.0)]),
    (point(2, 0.5, 1), FLOOR, [(2.0, -0.5)]),
    (point(2, -0.25, 1), FLOOR, [(2.0, -1.25)]),
    (point(2, 1.5, 1), Shape("path", [[(-5.0, 0.0), (5.0, 0.0)]], 0.5), [(2.0, 0.5)]),
    (point(2, 0, 1), segment((-5, 0), (5, 0), 0.5), [(2.0, 1.0), (2.0, -1.0)]),
    # A capsule that stands on a floor, and one that sank in: what is not above the floor.
    (segment((0, 1), (0, 3), 1), FLOOR, [(0.0, 0.0)]),
    (FLOOR, segment((0, 1), (0, 3), 1), [(0.0, 0.0)]),
    (segment((0, 0.5), (0, 3), 1), FLOOR, [(0.0, -0.5), (0.0, 0.0)]),
    # One that lies on it.
    (segment((0, 1), (7, 1), 1), FLOOR, [(0.0, 0.0), (5.0, 0.0)]),
    (FLOOR, segment((0, 1), (7, 1), 1), [(0.0, 0.0), (5.0, 0.0)]),
    # Capsules side by side, end to end, and crossed.
    (segment((0, 0), (4, 0), 1), segment((1, 3), (9, 3), 2), [(1.0, 1.0), (4.0, 1.0)]),
    (segment((1, 3), (9, 3), 2), segment((0, 0), (4, 0), 1), [(1.0, 1.0), (4.0, 1.0)]),
    (segment((0, 0), (4, 0), 1), segment((7, 0), (9, 0), 2), [(5.0, 0.0)]),
    (segment((0, 0), (0, 9), 1), segment((-1, 4), (8, 4), 2), [(-3.0, 4.0), (-2.0, 4.0)]),
    # Rounded boxes: sides, corners, and cores that overlap.
    (box((0, 0), (2, 2), 0.5), box((3, 1), (5, 3), 0.5), [(2.5, 1.0), (2.5, 2.0)]),
    (box((0, 0), (2, 2), 2), box((5, 6), (7, 8), 3), [(3.2, 3.6)]),
    (box((0, 0), (2, 2), 0.5), box((1.5, 1), (5, 3), 0.25), [(1.25, 1.0), (1.25, 2.0)]),
    (box((1.5, 1), (5, 3), 0.25), box((0, 0), (2, 2), 0.5), [(2.5, 1.0), (2.5, 2.0)]),
]


def ends(result: Any) -> list[Floats]:
    return sorted({(round(x, 14), round(y, 14)) for x, y in result.contact.tolist()})


@pytest.mark.parametrize(("a", "b", "expected"), BY_HAND)
def test_contacts_by_hand(a: Shape, b: Shape, expected: list[Floats]) -> None:
    one, other = kinds.row(a), kinds.row(b)
    got = carom.sat(one, other)
    if len(ends(got)) < len(expected):
        # Two normals are equally good.
        assert set(ends(got)) < set(expected)
        return
    assert ends(got) == sorted(expected)


def convex(rng: Random) -> Shape:
    return kinds.convex(rng, 5)


def off_grid(rng: Random, shape: Shape) -> Shape:
    """The shape turned, scaled and displaced, by numbers with all their digits."""
    angle, scale = rng.uniform(0, 7), 10.0 ** rng.uniform(-3, 3)
    x0, y0 = rng.choice([(0.0, 0.0), (5e5, 4e6)])
    cos, sin = math.cos(angle) * scale, math.sin(angle) * scale

    def put(part: Any) -> Any:
        if isinstance(part[0], float):
            x, y = part
            return x0 + x * cos - y * sin, y0 + x * sin + y * cos
        return [put(it) for it in part]

    return Shape(shape.kind, [put(part) for part in shape.parts], shape.radius * scale)


def check(a: Shape, b: Shape, margin: float, got: Any) -> bool:
    """Whether there is one answer, and it is given."""
    found = rounded_contact.contact(a, b, margin)
    if found is None:
        return False
    true, ulp = found
    with localcontext(prec=80):
        where = (a, b, margin, got.contact, true)
        near = [
            all(accuracy.point(p, q, ulp) for p, q in zip(got.contact, order, strict=True))
            for order in (true, true[::-1])
        ]
    assert any(near), where
    return True


@pytest.mark.parametrize("is_off_grid", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_contacts_are_the_oracles(seed: int, is_off_grid: bool) -> None:
    rng = Random(f"contacts {seed}")
    seen = 0
    rows: list[tuple[Shape, Shape, float]] = []
    while len(rows) < 400:
        a, b, margin = convex(rng), convex(rng), rng.choice([0.0, 0.0, 0.25, 1.0])
        if is_off_grid:
            state = rng.getstate()
            a = off_grid(rng, a)
            rng.setstate(state)
            b = off_grid(rng, b)
        if a.radius + b.radius > 0 and oracle.is_within(a, b, margin):
            rows.append((a, b, margin))
    first, second = (kinds.column([*it]) for it in list(zip(*rows, strict=True))[:2])
    margins = np.array([margin for *_, margin in rows])
    found = carom.sat_batch(first, second, margin=margins)
    moving = carom.swept_collision_batch(first, second, (3.0, -1.0), margin=margins)
    assert bits(moving.contact) == bits(found.contact)
    assert bits(moving.normal) == bits(found.normal)
    for row, (a, b, margin) in enumerate(rows):
        seen += check(a, b, margin, found[row])
        alone = carom.sat(first[row], second[row], margin=margin)
        assert bits(alone.contact) == bits(found.contact[row]), rows[row]
    assert seen > 200


@pytest.mark.parametrize("slope", [1e-3, 1e-6, 1e-9, 1e-12])
def test_edges_that_are_nearly_parallel_are_clipped_where_they_leave_the_reach(
    slope: float,
) -> None:
    """The place is the gap over the slope: an error of the reach would show many times larger."""
    for part, radius, angle in itertools.product((0.25, 0.1, 0.7), (1.0, 1 / 3), (0.0, 0.3, 2.0)):
        cos, sin = math.cos(angle), math.sin(angle)
        # Exact small differences: the reach is more than the gap by `part` of the rise of 8.
        ring = [(-20.0, -2.0), (20.0, -2.0), (20.0, 0.0), (-20.0, 0.0)]
        low = 2 * radius - 8 * slope * part
        ends = [(1.0, low), (9.0, low + 8 * slope)]
        turned = [[(x * cos - y * sin, x * sin + y * cos) for x, y in it] for it in (ring, ends)]
        a, b = Shape("path", [turned[1]], radius), Shape("polygon", [[turned[0]]], radius)
        for one, other in ((a, b), (b, a)):
            if oracle.is_within(one, other):
                got = carom.sat(kinds.row(one), kinds.row(other))
                check(one, other, 0.0, got)


def perfect(rng: Random) -> tuple[Shape, Shape, float]:
    """Two shapes that just touch, and the margin: the distance of the cores is a whole number."""
    while True:
        a, b = kinds.convex(rng, 5, 0.0), kinds.convex(rng, 5, 0.0)
        shift = rng.choice([(0.0, 0.0), (3.0, 4.0), (-4.0, 3.0), (6.0, 0.0), (0.0, -6.0)])
        b = Shape(b.kind, _shifted(b.parts, shift))
        square = float(oracle.distance(a, b)) ** 2
        distance = math.sqrt(round(square))
        if square < 0.5 or abs(square - round(square)) > 1e-12 or distance != round(distance):
            continue
        margin = rng.choice([0.0, 0.0, 0.25 * distance])
        radius = rng.choice([0.0, 0.25, 0.5, 0.75]) * distance
        radius = min(radius, distance - margin)
        one = Shape(a.kind, a.parts, radius)
        other = Shape(b.kind, b.parts, distance - margin - radius)
        if oracle.distance(one, other, margin) == 0:
            return one, other, margin


def _shifted(parts: Any, by: Floats) -> Any:
    if isinstance(parts[0], float):
        return parts[0] + by[0], parts[1] + by[1]
    return [_shifted(it, by) for it in parts]


@pytest.mark.parametrize("seed", range(2))
def test_the_contact_at_touch_is_that_of_the_moment_before(seed: int) -> None:
    """A shape that arrives and one that rests touch at the same points, but for the margin.

    It grows a: contacts of a motion lie on the boundary of b, those of `sat` may lie on that of a.
    """
    rng = Random(f"touch {seed}")
    for _ in range(150):
        a, b, margin = perfect(rng)
        one, other = kinds.row(a), kinds.row(b)
        now = carom.sat(one, other, margin=margin)
        assert (now.intersects, now.depth) == (True, 0.0)
        move = (float(rng.randint(-4, 4)), float(rng.randint(-4, 4)))
        # Not grazing: across the normal, the whole motion would be in touch.
        if now.normal @ move > -0.5:
            continue
        for far in (1.0, 2.0**-30):
            back = _shifted(a.parts, (-far * move[0], -far * move[1]))
            start = kinds.row(Shape(a.kind, back, a.radius))
            later = carom.swept_collision(
                start, other, (2 * far * move[0], 2 * far * move[1]), margin=margin
            )
            assert later.time == pytest.approx(0.5, rel=1e-10), (a, b, margin, move)
            np.testing.assert_allclose(later.normal, now.normal, atol=1e-12)
            options = [now.contact, now.contact - margin * now.normal]
            assert any(
                np.allclose(sorted(later.contact.tolist()), sorted(it.tolist()), rtol=0, atol=1e-12)
                for it in options[: 1 + (margin > 0)]
            ), (a, b, margin, move, later.contact, now.contact)


def test_a_motion_that_begins_in_touch_has_the_contact_of_one_that_begins_just_before() -> None:
    one, other = kinds.row(point(0, 0, 2)), kinds.row(point(3, 4, 3))
    now = carom.swept_collision(one, other, (1, 1))
    apart = kinds.row(point(-1e-9, -1e-9, 2))
    later = carom.swept_collision(apart, other, (1, 1))
    assert (now.intersects, later.intersects) == (True, False)
    np.testing.assert_allclose(now.contact, [[1.2, 1.6]] * 2, atol=1e-15)
    np.testing.assert_allclose(later.contact, now.contact, atol=1e-14)
    circle = carom.swept_circle((0, 0), 2, (1, 1), other)
    np.testing.assert_allclose(circle.contact, now.contact, atol=1e-15)


@pytest.mark.parametrize("far", [0.0, 1e9])
def test_trajectories_that_begin_in_contact_have_the_contact_of_sat(far: float) -> None:
    """Of a drifting obstacle too, which may have come a long way."""
    capsule = kinds.row(segment((0, 1), (0, 3), 1))
    floor = kinds.column([box((-5 + far, -1.5), (5 + far, -0.5), 0.5)])
    steps = 1025
    poses = np.zeros((1, steps, 3))
    poses[0, :-1, 1] = 1e6
    arriving = carom.first_contact(capsule, poses, floor, velocity=[(-far / (steps - 1), 0.0)])
    assert arriving.step[0] + arriving.time[0] == steps - 1
    np.testing.assert_allclose(arriving.contact[0], [[0.0, 0.0]] * 2, atol=1e-14)
    resting = carom.first_contact(capsule, np.zeros((1, 2, 3)), floor.translate((-far, 0.0)))
    assert (resting.step[0], resting.time[0]) == (0, 0.0)
    assert resting.contact[0].tolist() == [[0.0, 0.0]] * 2


def test_the_smallest_and_largest_radii_move_contacts_within_the_floats() -> None:
    for scale in (5e-324, 2.0**-1000, 1.0, 2.0**1000):
        one, other = (
            kinds.column([it]) for it in (point(0, 0, scale), point(0, 3 * scale, 2 * scale))
        )
        for result in (carom.sat(one, other), carom.sat_batch(one, other)[0]):
            assert result.contact.tolist() == [[0.0, scale]] * 2

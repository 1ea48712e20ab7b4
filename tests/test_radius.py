"""Radii and margins: exact touches, moving capsules against exact roots, rounded overlaps, and
input that goes to the ends of the floats."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import kinds
from helpers import bits
from reference.oracle import accuracy
from reference.oracle import kinds as oracle
from reference.oracle.kinds import Floats, Shape
from test_instructions import SETS, run

TRIANGLES = [(3.0, 4.0), (5.0, 12.0), (8.0, 15.0), (7.0, 24.0), (20.0, 21.0)]
SPLITS = [(0.1, 0.2, 0.3), (1.0, 2.0, 2.0), (0.5, 0.0, 4.5), (1 / 3, 1 / 3, 1 / 3), (1e-20, 1.0, 0)]


def point(x: float, y: float, radius: float = 0.0) -> Shape:
    return Shape("point", [(x, y)], radius)


def within(a: Shape, b: Shape, margin: float = 0.0) -> bool:
    """Whether a and b touch: asked in every form, which all agree."""
    first, second = kinds.column([a]), kinds.column([b])
    forms = {
        carom.intersects(first[0], second[0], margin=margin),
        carom.intersects(second[0], first[0], margin=margin),
        bool(carom.intersects_batch(first, second, margin=margin)[0]),
        bool(carom.swept_collision(first[0], second[0], (0, 0), margin=margin).intersects),
        carom.colliding_pairs(first, second, margin=margin).shape[1] == 1,
        *([carom.distance(first[0], second[0]).distance == 0] if margin == 0 else []),
    }
    assert len(forms) == 1, (a, b, margin)
    return bool(forms.pop())


def targets(x: float, y: float) -> list[Shape]:
    """Shapes of several kinds whose nearest point to the origin is (x, y)."""
    far = [(x - y, y + x), (x + y, y - x)]
    return [
        point(x, y),
        Shape("point", [(x, y), (2 * x, 3 * y)]),
        Shape("path", [far]),
        Shape("path", [[far[0], (x, y), (3 * x, 2 * y)]]),
        Shape("polygon", [[[*far, (2 * x, 2 * y)]]]),
        Shape("polygon", [[[(x, y), (x + 1, y), (x + 1, y + 1)]]]),
    ]


@pytest.mark.parametrize("legs", TRIANGLES)
@pytest.mark.parametrize("split", range(3))
def test_pythagorean_touches_are_exact_to_the_last_ulp(legs: Floats, split: int) -> None:
    """Radii and margin add up to the hypotenuse, or to one unit in the last place more or less."""
    length = math.hypot(*legs)
    parts = [[length, 0.0, 0.0], [0.5, length - 0.5, 0.0], [length - 3, 1.0, 2.0]][split]
    for target, owner in itertools.product(targets(*legs), range(3)):
        for step in (-1, 0, 1):
            a, b, margin = parts[owner:] + parts[:owner]
            a = math.nextafter(a, math.inf * step) if step else a
            if a < 0:
                continue
            got = within(point(0, 0, a), Shape(target.kind, target.parts, b), margin)
            assert got == (step >= 0), (target, a, b, margin)


@pytest.mark.parametrize("radii", SPLITS)
def test_radii_and_margin_are_added_unrounded(radii: tuple[float, float, float]) -> None:
    """0.1 + 0.2 + 0.3 is neither 0.6 nor what floats make of it."""
    a, b, margin = radii
    total = sum(map(Fraction, radii), Fraction(0))
    for ulps in range(-3, 4):
        x = float(total)
        for _ in range(abs(ulps)):
            x = math.nextafter(x, math.inf * ulps)
        for target in targets(x, 0.0):
            shape = Shape(target.kind, target.parts, b)
            want = oracle.is_within(point(0, 0, a), shape, margin)
            assert within(point(0, 0, a), shape, margin) == want
            if target.vertices == [(x, 0.0)]:
                assert want == (Fraction(x) <= total)


def comb(side: int, x: float) -> list[Floats]:
    """A ring of many vertices with a straight edge at x; its teeth are on the given side of it."""
    teeth = [(x + side * (1 + k % 2), k / 8) for k in range(60)]
    return [*teeth, (x, 59 / 8), (x, 0.0)][::-side]


def test_boxes_grow_by_sums_that_floats_round_down() -> None:
    """Of many vertices only those whose boxes meet are compared."""
    unit = 2.0**-53
    assert 1.0 + 0.9 * unit + 0.89 * unit == 1.0
    beyond = 1 + 2 * unit
    a = carom.Shapes([comb(-1, 0.0)]).with_radius(1.0)[0]
    for x, margin, want in ((1.0, 0.89, True), (beyond, 0.89, False), (beyond, 1.11, True)):
        b = carom.Shapes([comb(1, x)]).with_radius(0.9 * unit)[0]
        assert carom.intersects(a, b, margin=margin * unit) == want


def quadrilateral(rng: Random) -> list[Floats]:
    """A convex one, in small whole numbers."""
    while True:
        shape = kinds.convex(rng, 6, 0.0)
        if shape.kind == "polygon" and len(shape.parts[0][0]) == 4:
            return list(shape.parts[0][0])


@pytest.mark.parametrize("seed", range(2))
def test_rows_of_one_size_are_exact_where_their_radii_just_touch(seed: int) -> None:
    """Arrays are answered eight rows at a time; the radii leave a gap of an ulp, or none."""
    rng = Random(f"tiles {seed}")
    a = [Shape("polygon", [[quadrilateral(rng)]]) for _ in range(160)]
    b = [shifted(Shape("polygon", [[quadrilateral(rng)]]), (rng.choice([5, 7]), 4)) for _ in a]
    gaps = [float(oracle.distance(*pair)) for pair in zip(a, b, strict=True)]
    sums = [math.nextafter(it, rng.choice([0, it, math.inf])) for it in gaps]
    first = np.array([it * rng.choice([0.0, 0.25, 0.1]) for it in sums])
    second = np.array([it * rng.choice([0.0, 0.5, 0.3]) for it in sums])
    margins = np.array(sums) - first - second
    a = [Shape("polygon", it.parts, float(r)) for it, r in zip(a, first, strict=True)]
    b = [Shape("polygon", it.parts, float(r)) for it, r in zip(b, second, strict=True)]
    want = [
        oracle.is_within(one, other, float(margin))
        for one, other, margin in zip(a, b, margins, strict=True)
    ]
    assert 20 < sum(want) < 140
    one, other = (
        carom.Shapes(np.array([it.parts[0][0] for it in shapes])).with_radius(radii)
        for shapes, radii in ((a, first), (b, second))
    )
    still = np.zeros((160, 2))
    assert carom.intersects_batch(one, other, margin=margins).tolist() == want
    assert carom.sat_batch(one, other, margin=margins).intersects.tolist() == want
    moving = carom.swept_collision_batch(one, other, still, margin=margins)
    assert moving.will_intersect.tolist() == want


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_is_within_is_the_oracles(seed: int) -> None:
    rng = Random(f"within {seed}")
    a, b = ([kinds.shape(rng) for _ in range(1500)] for _ in range(2))
    margins = [kinds.margin(rng) for _ in a]
    first, second = kinds.column(a), kinds.column(b)
    found = carom.intersects_batch(first, second, margin=np.array(margins))
    back = carom.intersects_batch(second, first, margin=np.array(margins))
    want = [oracle.is_within(*row) for row in zip(a, b, margins, strict=True)]
    assert found.tolist() == want
    assert back.tolist() == want


def shifted(shape: Shape, by: Any) -> Shape:
    """The shape displaced; exact for small whole numbers and halves."""

    def put(part: Any) -> Any:
        if isinstance(part[0], float):
            return part[0] + by[0], part[1] + by[1]
        return [put(it) for it in part]

    return Shape(shape.kind, [put(part) for part in shape.parts], shape.radius)


Sweep = tuple[Shape, Shape, Floats, float]


def sweeps(rng: Random, count: int, radius: float | None) -> list[Sweep]:
    """Pairs, most of them apart, velocities and margins."""
    rows = []
    for _ in range(count):
        a, b = kinds.shape(rng, radius=radius), kinds.shape(rng, radius=radius)
        if rng.random() < 0.7:
            b = shifted(b, (rng.choice([0.0, 4.0, 6.0, 8.0]), rng.choice([-4.0, 0.0, 0.0, 6.0])))
        x, y = kinds.velocity(rng)
        scale = rng.choice([1.0, 2.0, 3.0, 4.0])
        margin = 0.0 if radius == 0.0 else kinds.margin(rng)
        rows.append((a, b, (x * scale, y * scale), margin))
    return rows


def swept(rows: list[Sweep], *, back: bool = False) -> Any:
    a, b, velocity, margin = zip(*rows, strict=True)
    first, second = kinds.column(list(a)), kinds.column(list(b))
    moves = np.array(velocity)
    if back:
        return carom.swept_collision_batch(second, first, -moves, margin=np.array(margin))
    return carom.swept_collision_batch(first, second, moves, margin=np.array(margin))


def edges(shape: Shape) -> list[tuple[np.ndarray, np.ndarray]]:
    grid = oracle.grid_of(shape)
    step = 2.0**-grid.shift
    core = oracle.core_of(shape, grid)
    return [(np.array(p) * step, np.array(q) * step) for p, q in core.segments]


def check_first_contact(row: Sweep, got: Any) -> None:
    """Time to 1e-10; the ends of the contact on both boundaries, opposite along the normal."""
    a, b, velocity, margin = row
    true = oracle.first_contact(*row)
    assert got.will_intersect == (true is not None), row
    assert got.intersects == oracle.is_within(a, b, margin), row
    if true is None:
        assert got.time == math.inf
        assert not got.normal.any()
        assert np.isnan(got.contact).all()
        return
    assert accuracy.number(got.time, true), (row, got.time, true)
    if got.intersects:
        return
    assert math.hypot(*got.normal) == pytest.approx(1, abs=1e-10)
    if a.radius + b.radius + margin > 0:
        assert got.normal @ velocity <= 1e-9, row
    there = shifted(a, np.array(velocity) * float(true))
    for end in got.contact:
        on_b, on_a = end - got.normal * b.radius, end + got.normal * (a.radius + margin)
        # The time in floats moves a by some 1e-15.
        assert float(oracle.float_gap(on_b, b)) < 1e-12, row
        assert float(oracle.float_gap(on_a, there)) < 1e-12, row
        assert abs(float(oracle.float_gap(end, b)) - b.radius) < 1e-12, row


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_sweeps_are_the_oracles(seed: int) -> None:
    rows = sweeps(Random(f"sweeps {seed}"), 700, 0.0 if seed > 3 else None)
    found, back = swept(rows), swept(rows, back=True)
    assert np.array_equal(found.will_intersect, back.will_intersect)
    assert np.array_equal(found.intersects, back.intersects)
    for row, given in enumerate(rows):
        check_first_contact(given, found[row])


@pytest.mark.parametrize("seed", range(2))
def test_sharp_contacts_have_a_normal_that_separates(seed: int) -> None:
    """Where single edges touch without a radius, the normal separates them."""
    rows = sweeps(Random(f"sharp {seed}"), 2000, 0.0)
    found = swept(rows)
    seen = 0
    for row, (a, b, velocity, _) in enumerate(rows):
        got = found[row]
        if not got.will_intersect or got.intersects:
            continue
        there = shifted(a, np.array(velocity) * got.time)
        touching = [
            [ends for ends in edges(shape) if _near(got.contact.mean(axis=0), *ends)]
            for shape in (there, b)
        ]
        if list(map(len, touching)) != [1, 1]:
            continue
        seen += 1
        ahead, behind = ([got.normal @ p for p in of[0]] for of in touching)
        assert min(ahead) >= max(behind) - 1e-12, rows[row]
    assert seen > 50


def _near(p: np.ndarray, start: np.ndarray, end: np.ndarray) -> bool:
    along = end - start
    length = along @ along
    part = min(max((p - start) @ along / length, 0), 1) if length else 0
    return math.hypot(*(start + part * along - p)) < 1e-9


@pytest.mark.parametrize("radius", [0.0, 0.25, 0.1])
@pytest.mark.parametrize("kind", ["path", "polygon"])
@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 2.0), (-1.0, 1.0), (0.5, 1.5), (0.0, 1.0), (2.0, 4.0), (0, 3)]
)
def test_parallel_edges_touch_from_end_to_end(
    kind: str, radius: float, low: float, high: float
) -> None:
    """A capsule, or a box, that comes down flat: both ends of what the edges share."""
    ends = [(low, 5.0), (high, 5.0)]
    top = [(high, 6.0), (low, 6.0)]
    a = (
        Shape("path", [ends], radius)
        if kind == "path"
        else Shape("polygon", [[ends + top]], radius)
    )
    floor = Shape("path", [[(0.0, 0.0), (2.0, 0.0)]], radius)
    got = carom.swept_collision(kinds.row(a), kinds.row(floor), (0.5, -10.0))
    shift = 0.5 * got.time
    start, end = max(low + shift, 0.0), min(high + shift, 2.0)
    if start > end:
        assert not got.will_intersect or radius
        return
    assert got.time == pytest.approx((5 - 2 * radius) / 10, rel=1e-12)
    assert got.normal.tolist() == [0, 1]
    want = [[start, radius], [end, radius]]
    np.testing.assert_allclose(sorted(got.contact.tolist()), want, atol=1e-14)


@pytest.mark.parametrize("part", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize(
    "behind", [(0.0, 0.0), (-2.0, 0.0), (-3.0, 4.0), (0.0, 16.0), (0.0, -64.0)]
)
def test_moving_circles_and_capsules_meet_at_exact_roots(behind: Floats, part: float) -> None:
    """``|gap + t v| = r`` with whole solutions: at the start of the frame, within, at the end."""
    for x, y in TRIANGLES:
        radius = math.hypot(x, y)
        b = kinds.row(point(0, 0, radius * (1 - part)))
        for start in (0.0, 1.0, 3.0, 8.0):
            # The front end moves beside the center, and is as far from it as the radii at (-x, y);
            # a capsule that reaches down past the center meets it with its side.
            front = (-(radius if behind[1] < 0 else x) - start, y)
            back = (front[0] + behind[0], front[1] + behind[1])
            is_circle = back == front
            a = point(*front) if is_circle else Shape("path", [[front, back]])
            one = kinds.row(Shape(a.kind, a.parts, radius * part))
            for velocity, meets in (
                (8.0, True),
                (start, True),
                (math.nextafter(start, 0), start == 0),
            ):
                got: list[Any] = [carom.swept_collision(one, b, (velocity, 0.0))]
                if is_circle:
                    got.append(carom.swept_circle(front, radius * part, (velocity, 0.0), b))
                for result in got:
                    assert result.intersects == (start == 0)
                    assert result.will_intersect == meets
                    assert result.time == (start / (velocity or 1.0) if meets else math.inf)


@pytest.mark.parametrize("step", [-1, 0, 1])
def test_a_graze_is_a_contact_and_a_miss_by_an_ulp_is_none(step: int) -> None:
    """Capsules past each other, in any direction of a Pythagorean triangle."""
    for x, y in TRIANGLES:
        length = math.hypot(x, y)
        for radius, margin in ((length, 0.0), (length - 1, 1.0), (0.5, length - 0.5)):
            grown = math.nextafter(radius, math.inf * step) if step else radius
            a = Shape("path", [[(-9 * x - y, -9 * y + x), (-8 * x - y, -8 * y + x)]])
            b = Shape("path", [[(0.0, 0.0), (y, -x)]], grown)
            one, other = kinds.row(a), kinds.row(b)
            got = carom.swept_collision(one, other, (20 * x, 20 * y), margin=margin)
            assert got.will_intersect == (step >= 0), (a, b, margin)


@pytest.mark.parametrize(
    ("a", "b", "velocity", "normal"),
    [
        (point(0, 0), point(4, 0), (8.0, 0.0), (-1, 0)),
        (point(0, 0), point(3, 4), (6.0, 8.0), (-0.6, -0.8)),
        (Shape("path", [[(-1.0, 0.0), (0.0, 0.0)]]), point(4, 0), (8.0, 0.0), (-1, 0)),
        (point(0, 0), Shape("path", [[(4.0, 0.0), (5.0, 0.0)]]), (8.0, 0.0), (-1, 0)),
        (Shape("path", [[(0.0, 1.0), (0.0, 0.0)]]), point(0, -4), (0.0, -8.0), (0, 1)),
        (Shape("polygon", [[[(0, 0), (1, -1), (2, 0), (1, 1)]]]), point(4, 0), (4.0, 0.0), (-1, 0)),
        (
            Shape("path", [[(0.0, 0.0), (0.0, 1.0)]]),
            Shape("path", [[(4.0, 0.0), (4.0, 1.0)]]),
            (8.0, 0.0),
            (-1, 0),
        ),
        (
            Shape("path", [[(0.0, 0.0), (-1.0, 1.0)]]),
            Shape("path", [[(4.0, -1.0), (4.0, 0.0)]]),
            (8.0, 0.0),
            (-math.cos(math.radians(67.5)), math.sin(math.radians(67.5))),
        ),
        (
            point(0, 0),
            Shape("path", [[(5.0, -1.0), (4.0, 0.0), (5.0, 1.0)]]),
            (8.0, 0.0),
            (-1, 0),
        ),
        (point(9, 0), Shape("path", [[(3, -1), (4, 0), (3, 1)]]), (-8.0, 0.0), (1, 0)),
    ],
)
def test_vertices_that_meet_have_the_bisector_as_normal(
    a: Shape, b: Shape, velocity: Floats, normal: Floats
) -> None:
    one, other = kinds.row(a), kinds.row(b)
    got = carom.swept_collision(one, other, velocity)
    assert got.will_intersect
    np.testing.assert_allclose(got.normal, normal, atol=1e-15)
    back = carom.swept_collision(other, one, (-velocity[0], -velocity[1]))
    np.testing.assert_allclose(back.normal, np.negative(normal), atol=1e-15)


def convex_rows(seed: str, count: int = 700) -> tuple[list[Shape], list[Shape], np.ndarray]:
    rng = Random(seed)
    a, b = ([kinds.convex(rng) for _ in range(count)] for _ in range(2))
    return a, b, np.array([kinds.margin(rng) for _ in a])


def leads_out(difference: oracle.Difference, way: np.ndarray, depth: float) -> None:
    """A translation reaches the boundary of the difference, no direction of a fan does sooner."""
    reach = float(difference.reach * difference.step)

    def support(direction: Any) -> float:
        return float(difference.support(direction)) + reach

    assert support(way) == pytest.approx(depth, abs=1e-12)
    fan = np.linspace(0, 2 * math.pi, 90)
    assert min(support((math.cos(at), math.sin(at))) for at in fan) >= depth - 1e-12


@pytest.mark.parametrize("radii", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
@pytest.mark.parametrize("quarters", range(4))
def test_sides_that_only_radii_bring_together_are_clipped_to_each_other(
    radii: tuple[float, float, float], quarters: int
) -> None:
    turn = np.linalg.matrix_power(np.array([[0.0, 1.0], [-1.0, 0.0]]), quarters)
    margin, *others = radii

    def rounded(low: Floats, high: Floats, radius: float) -> carom.Shapes:
        box = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
        return carom.Shapes([box @ turn]).with_radius(radius)[0]

    a = rounded((0.0, 0.0), (3.0, 3.0), others[0])
    for y, height in itertools.product(range(-5, 5), range(1, 6)):
        b = rounded((4.0, y), (6.0, y + height), others[1])
        got, other_way = carom.sat(a, b, margin=margin), carom.sat(b, a, margin=margin)
        low, high = max(0, y), min(3, y + height)
        assert got.intersects == (low <= high)
        if got.intersects:
            for found, x in ((got, 4.0 - others[1]), (other_way, 3.0 + others[0])):
                ends = found.contact @ turn.T
                assert sorted(ends.tolist()) == [[x, low], [x, high]], (y, height)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_sat_of_rounded_and_thin_shapes_is_the_oracles(seed: int) -> None:
    a, b, margins = convex_rows(f"sat {seed}")
    first, second = kinds.column(a), kinds.column(b)
    found = carom.sat_batch(first, second, margin=margins)
    for row, (one, other) in enumerate(zip(a, b, strict=True)):
        margin, got = float(margins[row]), found[row]
        difference = oracle.difference(one, other, margin)
        true = difference.depth()
        where = (one, other, margin)
        assert got.intersects == (true >= 0), where
        assert math.hypot(*got.normal) == pytest.approx(1, abs=1e-10)
        if true < 0:
            assert (got.depth, got.mtv.tolist()) == (0, [0, 0])
            assert np.isnan(got.contact).all()
            assert 0 < got.separation <= float(-true) * (1 + 1e-10), where
            reach = float(difference.reach * difference.step)
            gap = -float(difference.support(got.normal)) - reach
            assert got.separation == pytest.approx(gap, abs=1e-12), where
            continue
        assert accuracy.number(got.depth, true), where
        assert got.separation == -got.depth
        np.testing.assert_allclose(got.mtv, got.normal * got.depth, rtol=1e-10, atol=0)
        if row % 7 == 0:
            leads_out(difference, got.normal, float(true))
        alone = carom.sat(first[row], second[row], margin=margin)
        for field in ("intersects", "depth", "mtv", "normal", "separation", "contact"):
            assert bits(getattr(alone, field)) == bits(getattr(got, field)), (field, where)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_mtv_of_a_rounded_sweep_clears_all_of_it(seed: int) -> None:
    a, b, margins = convex_rows(f"mtv {seed}")
    rng = Random(seed)
    moves = [kinds.velocity(rng) for _ in a]
    found = carom.swept_collision_batch(
        kinds.column(a), kinds.column(b), np.array(moves), margin=margins
    )
    for row, (one, other) in enumerate(zip(a, b, strict=True)):
        margin, got = float(margins[row]), found[row]
        difference = oracle.difference(one, other, margin, moves[row])
        true = difference.depth()
        where = (one, other, margin, moves[row])
        assert got.will_intersect == (true >= 0), where
        if true <= 0:
            assert not got.mtv.any(), where
            continue
        depth = math.hypot(*got.mtv)
        # The length of a rounded vector.
        assert depth == pytest.approx(float(true), rel=1e-10), where
        if row % 5 == 0:
            leads_out(difference, got.mtv / depth, float(true))


def answers(one: Any, other: Any, **margin: Any) -> Iterator[tuple[str, Any]]:
    """Every query about the pairs of rows, or about all of them."""
    rng = Random(12)
    moves = np.array([kinds.velocity(rng) for _ in range(len(one))]) * 3
    centers, around = moves / 2, other.translate((9.0, 0.0))
    turning: dict[str, Any] = {"turn_a": 0.5, "center_a": centers, "turn_b": -0.25}
    turning["center_b"] = (2.0, 2.0)
    convex = np.flatnonzero(one.is_convex & other.is_convex)
    # Ten trajectories of six poses.
    poses = np.cumsum(np.insert(moves[:60], 2, 0.25, axis=1).reshape(10, 6, 3), axis=1)
    feet, few = one[convex[:10]], one[:100]
    convex_pairs: dict[str, Any] = {"pairs": (convex, convex)}
    drifting: dict[str, Any] = {"velocity_a": moves[:100]}
    yield "intersects", carom.intersects_batch(one, other, **margin)
    yield "distance", carom.distance_batch(one, other)
    yield "swept_collision", carom.swept_collision_batch(one, other, moves, **margin)
    yield "circle_polygon", carom.circle_polygon_batch(centers, 0.5, other)
    yield "swept_circle", carom.swept_circle_batch(centers, 0.5, moves, other, **margin)
    yield "sat", carom.sat_batch(one, other, **convex_pairs, **margin)
    yield "penetration", carom.penetration_batch(one, other, **convex_pairs, **margin)
    yield "contact_intervals", carom.contact_intervals_batch(one, other, moves, **margin)
    yield "closest_approach", carom.closest_approach_batch(one, other, moves)
    yield "turning sweep", carom.swept_collision_batch(one, other, moves, **turning, **margin)
    yield "turning approach", carom.closest_approach_batch(one, other, moves, **turning)
    yield "candidate_pairs", carom.candidate_pairs(few, other, **drifting, **margin)
    yield "colliding_pairs", carom.colliding_pairs(few, other, **drifting, **margin)
    yield "nearest", carom.nearest(few, around, k=5)
    yield "ray_cast", carom.ray_cast(centers, moves, around, length=1)
    yield "first_contact", carom.first_contact(feet, poses, around, **margin)
    yield "clearance", carom.clearance(feet, poses, around)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["all kinds", "quadrilaterals"])
def test_radius_zero_is_no_radius_to_the_bit(name: str) -> None:
    """Nor is one of zero in a column with other radii; quadrilaterals are answered in tiles."""
    rng = Random(12)

    def shape() -> Shape:
        if name == "all kinds":
            return kinds.shape(rng, radius=0.0)
        return Shape("polygon", [[quadrilateral(rng)]])

    count = 300
    a, b = ([shape() for _ in range(count)] for _ in range(2))
    one, other = kinds.column(a), kinds.column(b)
    plain = dict(answers(one, other))
    some = [0.0] * count + [1.0]
    among, others = (kinds.column([*it, it[0]]).with_radius(some)[:count] for it in (a, b))
    for rounded in (
        (one.with_radius(0.0), other),
        (one, other.with_radius([0.0] * count)),
        (among, others),
    ):
        for query, found in answers(*rounded, margin=0.0):
            bare, same = (
                {"": it} if isinstance(it, np.ndarray) else it._asdict()
                for it in (plain[query], found)
            )
            for field, values in bare.items():
                assert bits(values) == bits(same[field]), (query, field)


def digest() -> str:
    """The bits of all queries about random rows."""
    import hashlib

    rng = Random(99)
    rows = sweeps(rng, 400, None)
    a, b, margins = convex_rows("digest", 300)
    results: list[Any] = [
        swept(rows),
        carom.sat_batch(kinds.column(a), kinds.column(b), margin=margins),
    ]
    first, second = (kinds.column([*shapes]) for shapes in list(zip(*rows, strict=True))[:2])
    centers, moves = (np.array([kinds.velocity(rng) for _ in rows]) for _ in range(2))
    results += [
        carom.distance_batch(first, second),
        carom.circle_polygon_batch(centers, 0.3, second),
        carom.swept_circle_batch(centers, 0.3, moves, second, margin=0.1),
    ]
    found = hashlib.sha256()
    for result in results:
        for values in result._asdict().values():
            found.update(bits(values))
    return found.hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize("instructions", SETS)
def test_instructions_change_no_bit_of_rounded_shapes(instructions: str) -> None:
    script = run(instructions, str(Path(__file__)))
    if "which this processor lacks" in script.stderr:
        pytest.skip(f"this processor has no {instructions}")
    assert script.returncode == 0, script.stderr
    assert script.stdout.strip() == digest()


SCALES = [1.0, 1e300, 1e-300, 1e154, 1e-160, 5e-324, 1e307, 2.0**1020]
EXTREME = [0.0, 5e-324, 1e-300, 1.0, 1e154, 1e300, 1e308, 1.7e308]


def extreme(rng: Random, scale: float, offset: Floats) -> Shape | None:
    """A shape stretched to this size and displaced, if its coordinates stay finite."""
    shape = kinds.shape(rng, radius=rng.choice([0.0, 0.0, scale, rng.choice(EXTREME)]))

    def put(part: Any) -> Any:
        if isinstance(part[0], float):
            return part[0] * scale + offset[0], part[1] * scale + offset[1]
        return [put(it) for it in part]

    found = Shape(shape.kind, [put(part) for part in shape.parts], shape.radius)
    return found if all(map(math.isfinite, np.ravel(found.vertices))) else None


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("seed", range(4))
def test_booleans_are_exact_at_the_ends_of_the_floats_and_nothing_panics(seed: int) -> None:
    rng = Random(f"extreme {seed}")
    for _ in range(120):
        scale = rng.choice(SCALES)
        offset = rng.choice([(0.0, 0.0), (0.0, 0.0), (1e300, 0.0), (-1.7e308, 1.7e308)])
        a = extreme(rng, scale, offset)
        b = extreme(rng, rng.choice([scale, scale, rng.choice(SCALES)]), offset)
        move = [rng.choice([0, 0, 1, -1, 4, -4]) * rng.choice([scale, 1.0, 1e300]) for _ in "xy"]
        if a is None or b is None or not all(map(math.isfinite, move)):
            continue
        margin = rng.choice([0.0, 0.0, rng.choice(EXTREME)])
        check_extreme(a, b, (move[0], move[1]), margin)


def check_extreme(a: Shape, b: Shape, velocity: Floats, margin: float) -> None:
    try:
        first, second = kinds.column([a]), kinds.column([b])
    except ValueError:
        return  # rounding has made a polygon invalid
    where = (a, b, velocity, margin)
    one, other = first[0], second[0]
    want = oracle.is_within(a, b, margin)
    assert carom.intersects(one, other, margin=margin) == want, where
    assert carom.intersects(other, one, margin=margin) == want, where
    repr(carom.distance(one, other))
    got = carom.swept_collision(one, other, velocity, margin=margin)
    repr(got)
    assert got.will_intersect == oracle.will_meet(a, b, velocity, margin), where
    assert got.time == math.inf or 0 <= got.time <= 1, where
    if a.kind == "point" and len(a.parts) == 1:
        now = carom.circle_polygon(a.parts[0], a.radius, other)
        assert now.intersects == oracle.is_within(a, b), where
        repr(now)
        later = carom.swept_circle(a.parts[0], a.radius, velocity, other, margin=margin)
        assert later.will_intersect == got.will_intersect, where
        repr(later)
        seen = carom.ray_cast(a.parts[0], velocity, second, length=1)
        assert seen.hit == oracle.will_meet(Shape("point", a.parts), b, velocity), where
        assert seen.hit == (seen.time <= 1), where
    if first.is_convex[0] and second.is_convex[0]:
        sat = carom.sat(one, other, margin=margin)
        assert sat.intersects == want, where
        assert math.hypot(*sat.normal) == pytest.approx(1), where
        repr(sat)
    assert (carom.colliding_pairs(first, second, margin=margin).shape[1] == 1) == want, where
    assert (carom.nearest(first, second, max_distance=margin).pairs.shape[1] == 1) == want, where


def test_radii_that_add_up_beyond_the_floats_reach_everything() -> None:
    most = sys.float_info.max
    a, b = (kinds.row(point(x, 0, most)) for x in (most, -most))
    assert carom.intersects(a, b)
    assert carom.intersects(a.with_radius(0), b.with_radius(0), margin=most) is False
    assert carom.swept_collision(a, b, (1, 0), margin=most).intersects
    # The sum of the radii is three times the largest float; a depth of that float may round up.
    sat = carom.sat(a, b, margin=most)
    assert sat.depth >= most
    assert sat.mtv.tolist() == [sat.depth, 0]


def test_empty_columns_have_empty_answers() -> None:
    empty, points = carom.Shapes([]), carom.Shapes.from_points([(0, 0)], radius=1)
    assert carom.colliding_pairs(empty, points, margin=1e308).shape == (2, 0)
    assert carom.colliding_pairs(points, empty).shape == (2, 0)
    assert carom.intersects_batch(empty, points, margin=1).shape == (0,)
    assert carom.swept_collision_batch(points, empty, (1, 0)).time.shape == (0,)


def test_bad_margins_are_refused_where_rows_fit_tiles() -> None:
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    rows = np.repeat(square[None], 16_384, axis=0)
    for margin in (-2.5, -np.inf, np.nan):
        with pytest.raises(ValueError, match=r"margin is"):
            carom.intersects_batch(rows[:9], rows[:9] + 3.0, margin=margin)
    margins = [0.0, -1.0, np.nan]
    met = carom.intersects_batch(rows[:3], rows[:3], margin=margins, on_invalid="mask")
    assert met.tolist() == [True, False, False]
    rounded = carom.Shapes(rows[:1]).with_radius(3.0)
    with pytest.raises(ValueError, match=r"margin is -0\.5"):
        carom.intersects_batch(rounded, rows[:1] + 3.0, margin=-0.5)
    # Zeros of another type are converted, which takes memory of their own.
    assert carom.sat_batch(rows, square, margin=[0] * len(rows)).intersects.all()


@pytest.mark.parametrize("vertices", [4, 5])
@pytest.mark.parametrize("bad", [-1.0, -np.inf, np.inf, np.nan])
def test_bad_margins_are_refused_where_boxes_are_far_apart(vertices: int, bad: float) -> None:
    """The last of five vertices is a notch, so that rows fit no tile."""
    ring = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.5)])[:vertices]
    near = carom.Shapes(np.repeat(ring[None], 200, axis=0))
    far = carom.Shapes(ring + 100.0 * (1.0 + np.arange(200))[:, None, None])
    margins = np.full(200, 0.5)
    margins[[3, 150]] = bad
    with pytest.raises(ValueError, match=r"margin\[3\] is"):
        carom.intersects_batch(near, far, margin=margins)
    sweep = carom.swept_collision_batch(near, far, (1, 0), margin=margins, on_invalid="mask")
    assert np.flatnonzero(~sweep.valid).tolist() == [3, 150]


if __name__ == "__main__":
    print(digest())

"""The oracle of turning shapes against closed forms, the oracle of translations, and samples."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import shapely
from shapely import affinity

from generators import kinds, shapes, turns
from reference.oracle import approach, contact_intervals
from reference.oracle import kinds as straight
from reference.oracle.kinds import Shape
from reference.oracle.moving import Motion, Scene, time_of
from reference.oracle.turning import Contact, bisector, contact_point, normal, swept_collision
from reference.oracle.waves import Wave, cos_sin, pi

FAMILIES = list(turns.FAMILIES)


def ask(scene: turns.Scene) -> Contact:
    return swept_collision(*scene)


# --- numbers ------------------------------------------------------------------------------------

PI = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"


@pytest.mark.parametrize("bits", [10, 64, 100, 250])
def test_pi_has_the_places_it_says(bits: int) -> None:
    assert abs(Fraction(pi(bits), 1 << bits) - Fraction(PI)) <= Fraction(2, 1 << bits)


@pytest.mark.parametrize("angle", [0.5, -3.0, 1e-5, 22.0, 1e6, -123456.789, 5e-324, 1.0 + 2.0**-52])
def test_sines_are_those_of_more_places_and_of_floats(angle: float) -> None:
    j, shift = time_of(angle)
    for bits in (64, 100, 300):
        one, more = cos_sin(j, shift, bits), cos_sin(j, shift, bits + 200)
        for x, y in zip(one, more, strict=True):
            assert abs((x << 200) - y) <= 3 << 200
        c, s = (x / (1 << bits) for x in one)
        assert (c, s) == pytest.approx((math.cos(angle), math.sin(angle)), abs=1e-15)


def test_sine_of_pi_to_many_places_is_what_is_missing_of_pi() -> None:
    near = pi(200)
    _, s = cos_sin(near, 200, 400)
    rest = pi(600) - (near << 400)
    assert abs((s << 200) - rest) <= 4 << 200


def test_a_wave_has_its_value_and_its_slope() -> None:
    wave = Wave(1, {0: ([3, -2], []), 3: ([1, 4], [5])}, 0, (7, 2))  # rates in halves
    for t in ((0, 0), (1, 1), (3, 2), (-5, 3)):
        x = t[0] / 2 ** t[1]
        c, s = math.cos(1.5 * x), math.sin(1.5 * x)
        value, radius = wave.value(t, 80)
        want = 3 - 2 * x + (1 + 4 * x) * c + 5 * s + 7 * math.sqrt(2)
        assert value / 2**80 == pytest.approx(want, rel=1e-14)
        assert radius < 2**20
        slope = wave.slope.value(t, 80)[0] / 2**81
        assert slope == pytest.approx(-2 + 4 * c - 1.5 * (1 + 4 * x) * s + 7.5 * c, rel=1e-14)


# --- closed forms -------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [1.0, 2.5, -3.0, 100.0, -1e6, 1e-3, 0.6])
@pytest.mark.parametrize("height", [0.001, 0.5, 1.0, 1.999, 2.0])
def test_a_point_on_a_circle_meets_a_wall_at_an_arc_sine(turn: float, height: float) -> None:
    wall = turns.segment((-5.0, height), (5.0, height))
    found = ask(turns.Scene(turns.point(2.0, 0.0), wall, Motion((0.0, 0.0), turn, (0.0, 0.0))))
    angle = math.asin(height / 2) if turn > 0 else math.pi + math.asin(height / 2)
    assert found.will_intersect is (angle <= abs(turn))
    if found.time is not None:
        assert float(found.time) == pytest.approx(angle / abs(turn), rel=1e-13)
        assert [float(x) for x in contact_point(found.events[0])] == pytest.approx(
            [2 * math.cos(angle) * math.copysign(1.0, turn * turn), height], abs=1e-9
        )
        assert list(map(float, normal(found.events[0]) or ())) == pytest.approx([0, -1], abs=1e-30)


@pytest.mark.parametrize("ulps", [-1, 0, 1])
@pytest.mark.parametrize("legs", turns.TRIPLES)
def test_a_graze_at_a_whole_distance_is_told_from_one_an_ulp_off(
    legs: tuple[int, int, int], ulps: int
) -> None:
    x, y, radius = map(float, legs)
    height = math.nextafter(radius, math.inf * ulps) if ulps else radius
    wall = turns.segment((-9.0, height), (9.0, height))
    for spin in (3.0, -6.0):
        scene = turns.Scene(turns.point(x, y), wall, Motion((0.0, 0.0), spin, (0.0, 0.0)))
        if y < height:
            assert ask(scene).will_intersect is (ulps <= 0)


def test_a_vertex_passes_exactly_through_a_vertex() -> None:
    for other, meets in (((4.0, -3.0), True), ((4.0, math.nextafter(-3.0, 0)), False)):
        scene = turns.Scene(
            turns.point(3.0, 4.0), turns.point(*other), Motion((0.0, 0.0), -2.0, (0.0, 0.0))
        )
        assert ask(scene).will_intersect is meets
    # Fast enough, the two come round to each other.
    both = Motion((0.0, 0.0), -1.0, (0.0, 0.0), 0.75, (0.0, 0.0))
    found = ask(turns.Scene(turns.point(3.0, 4.0), turns.point(4.0, -3.0), both))
    assert found.will_intersect is True
    angle = math.atan2(4, 3) - math.atan2(-3, 4)
    assert float(found.time or 0) == pytest.approx(angle / 1.75)


def test_a_wheel_that_rolls_touches_the_ground_after_half_a_turn() -> None:
    """Its valve, on top at first, comes down on a cycloid, which meets the ground in a cusp."""
    ground = turns.segment((-9.0, 0.0), (9.0, 0.0))
    for turn in (-3.2, -3.1415926):
        roll = Motion((-turn, 0.0), turn, (0.0, 1.0))
        found = ask(turns.Scene(turns.point(0.0, 2.0), ground, roll))
        assert found.will_intersect is (turn < -math.pi)
        assert not found.events or float(found.events[0].time) == pytest.approx(math.pi / 3.2)


def test_a_straight_way_of_the_center_is_exact() -> None:
    tip = Shape("path", [[(0.0, 0.0), (0.0, 5.0)]])
    for x, meets in ((4.0, True), (math.nextafter(4.0, 5.0), False), (3.0, True)):
        scene = turns.Scene(tip, turns.point(x, 0.0), Motion((4.0, 0.0), 1.0, (0.0, 0.0)))
        found = ask(scene)
        assert found.will_intersect is meets
        if meets:
            assert float(found.time or 0) == pytest.approx(x / 4)


@pytest.mark.parametrize("radius", [0.0, 0.5])
def test_a_door_closes_flush_along_its_whole_length(radius: float) -> None:
    """It hangs beside the wall's line, which all its length reaches at once."""
    door = Shape("path", [[(1.0, 0.0), (3.0, 0.0)]], radius)
    wall = (
        turns.segment((0.0, -3.0), (0.0, -1.0))
        if radius == 0
        else turns.segment((-0.5, -3.0), (-0.5, -1.0))
    )
    found = ask(turns.Scene(door, wall, Motion((0.0, 0.0), -2.0, (0.0, 0.0))))
    assert found.will_intersect is True
    assert float(found.time or 0) == pytest.approx(math.pi / 4)
    points = {tuple(round(float(x), 9) for x in contact_point(e)) for e in found.events}
    assert {p[1] for p in points} == {-1.0, -3.0}


def test_circles_meet_at_the_sum_of_their_radii() -> None:
    """On the way about the origin the squared distance to (3, 0) is 25 - 24 cos."""
    other = turns.point(3.0, 0.0, 1.0)
    for radius, margin in ((1.5, 0.5), (2.0, 0.0), (0.25, 1.75)):
        body = turns.point(0.0, 4.0, radius)
        found = ask(turns.Scene(body, other, Motion((0.0, 0.0), -2.0, (0.0, 0.0)), margin))
        angle = math.pi / 2 - math.acos((25 - (radius + margin + 1) ** 2) / 24)
        assert float(found.time or 0) == pytest.approx(angle / 2)
        x, y = (float(c) for c in contact_point(found.events[0]))
        assert math.hypot(x - 3, y) == pytest.approx(1.0)
    # At a distance of exactly 1 on the axis they graze.
    for radius, meets in ((0.5, True), (math.nextafter(0.5, 0), False)):
        bodies = turns.point(0.0, 4.0, radius), turns.point(3.0, 0.0, 0.5)
        spin = Motion((0.0, 0.0), -2.0, (0.0, 0.0))
        assert ask(turns.Scene(*bodies, spin)).will_intersect is meets


# --- against other oracles ----------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0.0, 1e-300])
@pytest.mark.parametrize("seed", range(60))
def test_without_a_turn_the_answer_is_that_of_translations(seed: int, turn: float) -> None:
    """A turn of 1e-300 moves the vertices by less than anything here could show but a graze."""
    rng = Random(seed)
    a, b = kinds.shape(rng), turns.moved(kinds.shape(rng), rng.choice([0.0, 5.0, -6.0]), 5.0)
    velocity, margin = kinds.velocity(rng, 9), kinds.margin(rng)
    found = swept_collision(a, b, Motion(velocity, turn, (1.0, 2.0)), margin)
    want = straight.first_contact(a, b, velocity, margin)
    if turn and found.will_intersect is not (want is not None):
        # Only where the straight motion touches without overlap, or at the frame's very end.
        assert want is not None
        slower = tuple(x * (1 - 1e-9) for x in velocity)
        wider = straight.will_meet(a, b, velocity, margin + 1e-9)
        assert wider and (margin == 0 or not straight.will_meet(a, b, slower, margin * (1 - 1e-9)))
        return
    assert found.will_intersect is (want is not None)
    if want is not None and found.time is not None:
        assert float(found.time) == pytest.approx(float(want), rel=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_other_shape_sees_the_same(family: str) -> None:
    for seed in range(25):
        a, b, motion, margin = turns.scene(seed, family)
        one, other = (
            ask(turns.Scene(a, b, motion, margin)),
            swept_collision(b, a, motion.swapped(), margin),
        )
        assert one.will_intersect == other.will_intersect
        assert (one.time is None) == (other.time is None)
        if one.time is not None and other.time is not None:
            assert abs(one.time - other.time) <= one.time / 2**60


@pytest.mark.parametrize("family", FAMILIES)
def test_a_mirror_turns_the_turn_round(family: str) -> None:
    for seed in range(25):
        a, b, m, margin = turns.scene(seed, family)
        a, b = (turns.placed(shape, lambda p: (p[0], -p[1])) for shape in (a, b))
        centers = [c and (c[0], -c[1]) for c in (m.center_a, m.center_b)]
        motion = Motion(
            (m.velocity[0], -m.velocity[1]), -m.turn_a, centers[0], -m.turn_b, centers[1]
        )
        one, other = ask(turns.scene(seed, family)), swept_collision(a, b, motion, margin)
        assert one.will_intersect == other.will_intersect
        if one.time is not None and other.time is not None:
            assert abs(one.time - other.time) <= one.time / 2**60


@pytest.mark.parametrize("family", ["lattice", "vehicle", "barely", "grazing"])
def test_powers_of_two_change_nothing(family: str) -> None:
    for seed in range(8):
        scene = turns.scene(seed, family)
        one, other = ask(scene), ask(turns.scaled(scene, 2.0**-600))
        assert one.will_intersect == other.will_intersect
        assert (one.time is None) == (other.time is None)
        if one.time is not None and other.time is not None:
            assert abs(one.time - other.time) <= one.time / 2**60


def seen(scene: turns.Scene, t: float) -> float:
    """The distance of the shapes at a time as Shapely has it, less the reach."""
    a, b, m, margin = scene
    one, other = kinds.geometry(a), kinds.geometry(b)
    if m.turn_a:
        one = affinity.rotate(one, m.turn_a * t, origin=m.center_a, use_radians=True)
    if m.turn_b:
        other = affinity.rotate(other, m.turn_b * t, origin=m.center_b, use_radians=True)
    one = affinity.translate(one, m.velocity[0] * t, m.velocity[1] * t)
    return float(shapely.distance(one, other)) - a.radius - b.radius - margin


@pytest.mark.parametrize("family", ["lattice", "vehicle"])
def test_shapely_sees_no_contact_before_and_one_then(family: str) -> None:
    for seed in range(25):
        scene = turns.scene(seed, family)
        found, m = ask(scene), scene.motion
        end = 1.0 if found.time is None else float(found.time)
        # A far center puts Shapely's coordinates off.
        size = max(map(abs, (1.0, *(m.center_a or ()), *(m.center_b or ()))))
        if not found.intersects:
            before = [seen(scene, t) for t in np.linspace(0, end * (1 - 1e-6), 100)]
            assert min(before) > -1e-12 * size
            # Shapes that overlap have no distance, by however little.
            rounded = scene.a.radius + scene.b.radius + scene.margin > 0
            assert rounded or min(before) > 0 or size > 1e3
        if found.will_intersect:
            assert seen(scene, end) < 1e-12 * size


@pytest.mark.parametrize("family", FAMILIES)
def test_the_distance_is_nothing_at_the_first_contact_alone(family: str) -> None:
    for seed in range(12):
        scene = turns.scene(seed, family)
        found = ask(scene)
        moving = Scene(*scene)
        if found.intersects or not found.events:
            low, high = moving.distance((0, 0))
            assert (
                (high >= low > 0) is not found.intersects
                or scene.margin
                or scene.a.radius
                or scene.b.radius
            )
            continue
        root = found.events[0].root
        low, high = moving.distance((root.lo, root.m), 300)
        assert abs(high) <= Decimal(moving.size) * moving_step(moving) * Decimal("1e-12")
        for k in (1, 3, 7):
            low, _ = moving.distance((root.lo * k, root.m + 3), 300)
            assert low > 0


def moving_step(scene: Scene) -> Decimal:
    return 1 / Decimal(1 << scene.grid.shift)


# --- while they touch, and how near they come ---------------------------------------------------


def test_a_point_on_a_circle_is_nearest_to_a_point_on_its_ray() -> None:
    for turn, nearest in ((2.0, 3.0), (-2.0, None), (0.5, None)):
        body, other = turns.point(2.0, 0.0), turns.point(0.0, 5.0, 0.0)
        low, high = approach.least_distance(body, other, Motion((0.0, 0.0), turn, (0.0, 0.0)))
        angle = max(turn, 0.0)
        want = nearest or math.dist((0.0, 5.0), (2 * math.cos(angle), 2 * math.sin(angle)))
        assert float(low) == pytest.approx(want, rel=1e-12)
        assert 0 <= high - low <= high * Decimal("1e-13")


def test_a_square_that_passes_is_nearest_with_a_corner() -> None:
    square, wall = turns.box(-1.0, -1.0, 2.0, 2.0), turns.box(2.0, -9.0, 1.0, 18.0)
    low, high = approach.least_distance(square, wall, Motion((0.0, 3.0), 1.0, (0.0, 0.0)))
    assert float(low) == pytest.approx(2 - math.sqrt(2), rel=1e-13)
    low, high = approach.least_distance(square, wall, Motion((0.5, 3.0)))
    assert float(low) == float(high) == 0.5


@pytest.mark.parametrize("family", ["lattice", "vehicle"])
def test_no_sample_is_nearer_than_the_least_distance(family: str) -> None:
    for seed in range(30):
        scene = turns.scene(seed, family)._replace(margin=0.0)
        m = scene.motion
        far = max(map(abs, (0.0, *(m.center_a or ()), *(m.center_b or ())))) > 100
        if ask(scene).will_intersect is not False or far:
            continue
        low, high = approach.least_distance(*scene[:3])
        least = min(seen(scene, t) for t in np.linspace(0, 1, 60))
        assert float(low) - 1e-12 <= least <= float(high) + 0.2


def test_intervals_of_a_comb_are_its_teeth() -> None:
    comb = Shape("polygon", [[shapes.box(x, 0.0, 2.0, 2.0)] for x in (0.0, 4.0, 6.0)])
    pin = turns.point(-2.0, 0.5)
    assert contact_intervals.contact_intervals(pin, comb, (16.0, 0.0)) == [
        (Fraction(1, 8), Fraction(1, 4)),
        (Fraction(3, 8), Fraction(5, 8)),
    ]


def test_intervals_may_be_moments() -> None:
    roof = Shape("path", [[(0.0, 0.0), (3.0, 4.0), (6.0, 0.0)]])
    for x, y, margin in ((-1.0, 4.0, 0.0), (-1.0, 5.0, 1.0)):
        found = contact_intervals.contact_intervals(turns.point(x, y), roof, (8.0, 0.0), margin)
        assert found == [(Fraction(1, 2), Fraction(1, 2))]
    found = contact_intervals.contact_intervals(turns.point(-1.0, 3.0), roof, (8.0, 0.0))
    assert found == [(Fraction(13, 32), Fraction(13, 32)), (Fraction(19, 32), Fraction(19, 32))]


@pytest.mark.parametrize("seed", range(30))
def test_intervals_begin_with_the_first_contact_and_run_backwards(seed: int) -> None:
    rng = Random(seed)
    a, b = kinds.shape(rng), turns.moved(kinds.shape(rng), rng.choice([0.0, 5.0]), 0.0)
    (x, y), margin = kinds.velocity(rng, 9), kinds.margin(rng)
    found = contact_intervals.contact_intervals(a, b, (x, y), margin)
    first = straight.first_contact(a, b, (x, y), margin)
    assert (first is None) is (not found)
    if first is not None:
        assert float(first) == pytest.approx(float(found[0][0]), rel=1e-14)
    back = contact_intervals.contact_intervals(turns.moved(a, x, y), b, (-x, -y), margin)
    for (s, e), (t, u) in zip(found, back[::-1], strict=True):
        assert abs(s + u - 1) < 1e-40
        assert abs(e + t - 1) < 1e-40


def test_a_corner_on_a_corner_has_the_bisector_of_what_both_allow() -> None:
    spike, peg = turns.segment((3.0, 4.0), (6.0, 8.0)), turns.segment((-4.0, 3.0), (-2.0, 1.5))
    found = ask(turns.Scene(spike, peg, Motion((0.0, 0.0), 4.0, (0.0, 0.0))))
    (corner,) = [e for e in found.events if e.pair.s is None]
    assert list(map(float, bisector(corner) or ())) == pytest.approx([-0.8, 0.6])
    # A square's corner, turned by an eighth, comes straight down on another's.
    square = Shape("polygon", [[[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]]])
    other = Shape("polygon", [[[(-1.0, -5.0), (0.0, -4.0), (-1.0, -3.0), (-2.0, -4.0)]]])
    down = Motion((0.0, -4.0), 0.25, (0.0, 0.0))
    (corner,) = [e for e in ask(turns.Scene(square, other, down)).events if e.pair.s is None]
    # It allows from 0.25 to 0.25 + pi / 2, the other from -pi / 4 to pi / 4.
    angle = (0.25 + math.pi / 4) / 2
    assert list(map(float, bisector(corner) or ())) == pytest.approx(
        [math.cos(angle), math.sin(angle)]
    )


def test_a_graze_of_two_turns_can_t_be_told() -> None:
    """Two circles touch where both points are at once: a zero of the fourth order."""
    for turn in (3.0, 2.0):
        motion = Motion((0.0, 0.0), -turn, (0.0, 0.0), turn, (2.0, 0.0))
        found = swept_collision(turns.point(0.0, 1.0), turns.point(2.0, 1.0), motion)
        assert found.will_intersect is None
        assert float(found.doubtful[0].time) == pytest.approx(math.pi / 2 / turn)
        missed = turns.point(2.0, math.nextafter(1.0, 2.0))
        assert swept_collision(turns.point(0.0, 1.0), missed, motion).will_intersect is False

"""`closest_approach`: how near moving shapes come within the frame, when, and where."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from random import Random
from typing import Any

import carom
import numpy as np
import pytest
import shapely

from generators import areas, kinds, shapes, turns
from generators.areas import bare
from generators.turns import Scene
from helpers import assert_row_is_scalar, bits
from reference.oracle.approach import Bounds, assert_closest_approach, assert_time_of_minimum
from reference.oracle.kinds import Shape
from reference.oracle.moving import Motion
from reference.oracle.moving import Scene as OracleScene

PAIRS_OF_KINDS = [*itertools.product(kinds.KINDS, repeat=2)]
SQUARE = shapes.box(-1, -1, 2, 2)
ORIGIN = (0.0, 0.0)
FIELDS = ("distance", "time", "closest_a", "closest_b")


def answer(scene: Scene) -> Any:
    a, b, m, _ = scene
    turning = {"turn_a": m.turn_a, "center_a": m.center_a, "turn_b": m.turn_b}
    turning["center_b"] = m.center_b
    return carom.closest_approach(kinds.row(a), kinds.row(b), m.velocity, **turning)


def checked(scene: Scene) -> Bounds:
    return assert_closest_approach(*scene[:3], answer(scene))


def straight(a: Shape, b: Shape, velocity: kinds.Floats) -> Scene:
    return Scene(a, b, Motion(velocity))


# --- straight on --------------------------------------------------------------------------------


def test_a_square_passes_a_post() -> None:
    found = carom.closest_approach(SQUARE, shapes.box(4, 3, 1, 1), (8.0, 0.0))
    assert found.distance == 2.0
    assert found.closest_a[1] == 1.0
    assert found.closest_b[1] == 3.0
    # While the spans overlap, any time is as good.
    assert 3 / 8 <= found.time <= 6 / 8
    assert found.closest_a[0] == pytest.approx(found.closest_b[0], abs=1e-14)


def test_corners_that_pass_are_nearest_across_the_way() -> None:
    found = carom.closest_approach(SQUARE, shapes.box(4, 3, 1, 1), (8.0, 8.0))
    assert found.distance == 0.0
    found = carom.closest_approach(SQUARE, shapes.box(6, 1, 1, 1), (8.0, 8.0))
    assert found.distance == pytest.approx(math.sqrt(2))
    assert found.closest_a.tolist() == pytest.approx([5.0, 3.0])
    assert found.closest_b.tolist() == [6.0, 2.0]
    assert found.time == pytest.approx(0.5)


def test_shapes_that_leave_are_nearest_at_the_start() -> None:
    found = carom.closest_approach(SQUARE, shapes.box(4, -1, 1, 2), (-8.0, 1.0))
    assert (found.distance, found.time) == (3.0, 0.0)


def test_shapes_that_arrive_short_are_nearest_at_the_end() -> None:
    found = carom.closest_approach(SQUARE, shapes.box(4, -9, 1, 18), (2.0, 0.5))
    assert (found.distance, found.time) == (1.0, 1.0)
    assert found.closest_a[0] == 3.0
    assert found.closest_b[0] == 4.0


def test_shapes_that_meet_have_no_distance_and_the_first_contacts_time() -> None:
    wall = shapes.box(4, -9, 1, 18)
    for velocity, time in (((6.0, 0.0), 0.5), ((3.0, 2.0), 1.0), ((1e9, 0.0), 3e-9)):
        found = carom.closest_approach(SQUARE, wall, velocity)
        swept = carom.swept_collision(SQUARE, wall, velocity)
        assert found.distance == 0.0
        assert found.time == pytest.approx(time, rel=1e-10)
        assert found.time == pytest.approx(swept.time, rel=1e-12)
        assert np.isnan([found.closest_a, found.closest_b]).all()
    assert carom.closest_approach(SQUARE, shapes.box(0, 0, 1, 1), (9, 9)).time == 0.0


def test_distance_is_zero_exactly_where_they_meet() -> None:
    post = [(3.0, math.nextafter(1.0, 2)), (4.0, 2.0), (3.0, 2.0)]
    found = carom.closest_approach(SQUARE, post, (8.0, 0.0))
    assert found.distance == pytest.approx(2.0**-52, rel=1e-10)
    post[0] = (3.0, 1.0)
    assert carom.closest_approach(SQUARE, post, (8.0, 0.0)).distance == 0.0


def test_at_rest_it_is_the_distance() -> None:
    rng = Random(2)
    for _ in range(200):
        a, b = kinds.shape(rng), turns.moved(kinds.shape(rng), 5.0, 1.0)
        here = carom.distance(kinds.row(a), kinds.row(b))
        found = carom.closest_approach(kinds.row(a), kinds.row(b), (0.0, -0.0))
        assert found.distance == pytest.approx(here.distance, rel=1e-12)
        assert (found.distance == 0) is (here.distance == 0)


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), PAIRS_OF_KINDS)
def test_all_kinds_come_as_near_as_fractions_say(one: str, other: str) -> None:
    rng = Random(f"approach {one} {other}")
    for _ in range(12):
        a, b = kinds.shape(rng, kind=one), kinds.shape(rng, kind=other)
        b = turns.moved(b, rng.choice([0.0, 5.0, -6.0]), rng.choice([5.0, 6.0]))
        checked(straight(a, b, kinds.velocity(rng, 9)))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_areas_come_as_near_as_fractions_say(part: int) -> None:
    families = sorted(areas.PAIRS)
    for seed in range(part * 25, part * 25 + 25):
        rng = Random(f"approach {seed}")
        a, b = areas.pair(rng, families[seed % len(families)])
        b = areas.apart(rng, a, b)
        if not areas.usable(b) or sum(map(len, a)) * sum(map(len, b)) > 150:
            continue
        velocity = areas.velocity(rng, a, b, rng.choice(areas.VELOCITIES))
        found = carom.closest_approach(bare(a), bare(b), velocity)
        one, other = Shape("polygon", [a]), Shape("polygon", [b])
        assert_closest_approach(one, other, Motion(velocity), found)


@pytest.mark.parametrize("power", [-1030, -600, 530, 1000])
def test_magnitude_changes_the_distance_alone(power: int) -> None:
    scale = math.ldexp(1.0, power)
    post = shapes.box(4, 3, 1, 1)
    a, b = (shapes.stretched(p, scale, scale) for p in (SQUARE, post))
    for x, y in ((8, 0), (8, -8), (2, 1), (4, 0)):
        want = carom.closest_approach(SQUARE, post, (x, y))
        found = carom.closest_approach(a, b, (x * scale, y * scale))
        assert found.distance == pytest.approx(want.distance * scale, rel=2e-10, abs=0)


def test_two_that_pass_at_map_coordinates_keep_their_nanometre() -> None:
    x, y = 691_608.0, 5_334_760.0
    gap = 2.0**-29
    a, b = shapes.moved(SQUARE, x, y), shapes.box(x + 4, y + 1 + gap, 2, 2)
    found = carom.closest_approach(a, b, (9.0, 0.0))
    assert found.distance == pytest.approx(gap, rel=1e-10)


# --- with turns ---------------------------------------------------------------------------------


def test_a_corner_comes_round() -> None:
    wall = shapes.box(2, -9, 1, 18)
    found = carom.closest_approach(SQUARE, wall, (0, 0), turn_a=1.0, center_a=(0, 0))
    assert found.distance == pytest.approx(2 - math.sqrt(2), rel=1e-10)
    assert found.time == pytest.approx(math.pi / 4, rel=1e-14)
    assert found.closest_a.tolist() == pytest.approx([math.sqrt(2), 0], abs=1e-14)
    # b turns instead: the points are in the frame in which b does not translate.
    found = carom.closest_approach(wall, SQUARE, (0, 0), turn_b=1.0, center_b=(0, 0))
    assert found.distance == pytest.approx(2 - math.sqrt(2), rel=1e-10)
    assert found.time == pytest.approx(math.pi / 4, rel=1e-14)
    assert found.closest_b.tolist() == pytest.approx([math.sqrt(2), 0], abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["lattice", "vehicle", "barely", "grazing"])
def test_turns_come_as_near_as_intervals_say(family: str) -> None:
    for seed in range(60):
        checked(turns.scene(seed, family)._replace(margin=0.0))


@pytest.mark.parametrize("family", ["lattice", "vehicle", "barely", "grazing"])
def test_times_are_those_of_minima(family: str) -> None:
    """Where the distance alone is resolved to 1e-12, its minimum is off by a millionth."""
    for seed in range(100, 160):
        scene = turns.scene(seed, family)._replace(margin=0.0)
        found = answer(scene)
        if found.distance:
            assert_time_of_minimum(*scene[:3], found)


def jagged(rng: Random, x: float, y: float, count: int) -> np.ndarray:
    """A ring of so many vertices around a point, at distances from 1 to 2."""
    angles = 2 * math.pi * np.arange(count) / count
    radii = np.array([rng.uniform(1, 2) for _ in range(count)])
    ring: np.ndarray = np.array([x, y]) + (radii * [np.cos(angles), np.sin(angles)]).T
    return ring


def test_rings_of_many_vertices_are_never_nearer_than_the_least_distance() -> None:
    """They are searched by the boxes of their edges."""
    times = np.linspace(0, 1, 401)[:, None, None]

    def placed(ring: Any, turn: float, x: float, velocity: Any) -> Any:
        arm = (ring - (x, 0)) @ (1, 1j) * np.exp(1j * turn * times[..., 0])
        return np.stack([arm.real + x, arm.imag], axis=-1) + times * velocity

    for seed in range(90):
        rng = Random(seed)
        x, y, turn_a, turn_b = (10 * rng.uniform(-it, it) for it in (2, 2, 3, 3))
        a, b = jagged(rng, 0, 0, 60), jagged(rng, 4.5, rng.uniform(-2, 2), 40)
        turning: Any = {"turn_a": turn_a, "center_a": ORIGIN}
        turning |= {"turn_b": turn_b, "center_b": (4.5, 0)}
        found = carom.closest_approach(a, b, (x, y), **turning)
        at_times = placed(a, turn_a, 0, (x, y)), placed(b, turn_b, 4.5, 0)
        least = carom.distance_batch(*at_times).distance.min()
        assert found.distance <= least + 1e-12
        # No point moves further between a time and a sample.
        assert found.distance >= least - (abs(x) + abs(y) + 2 * abs(turn_a) + 4 * abs(turn_b)) / 800


def turned(ring: np.ndarray, center: np.ndarray, angle: float) -> np.ndarray:
    """The ring turned about a center, however far away, by what its vertices move."""
    x, y = (ring - center).T
    sin, versine = math.sin(angle), 2 * math.sin(angle / 2) ** 2
    return ring + np.stack([-y * sin - x * versine, x * sin - y * versine], axis=-1)


@pytest.mark.parametrize("far", [1e2, 1e4, 1e8, 1e12, 1e16, 1e18, 1e300])
@pytest.mark.parametrize("both", [False, True])
def test_a_center_far_away_costs_no_digits(far: float, both: bool) -> None:
    rng = np.random.default_rng(round(math.log10(far)))

    def gon(middle: Any) -> np.ndarray:
        angles = np.arange(5) * (2 * np.pi / 5) + rng.uniform(0, 1)
        return np.stack([np.cos(angles), np.sin(angles)], axis=-1) + middle

    def turn(distance: float) -> tuple[float, np.ndarray]:
        angle = rng.uniform(0, 2 * np.pi)
        center = distance * np.array([np.cos(angle), np.sin(angle)])
        return rng.uniform(-4, 4) / distance, center

    apart = 0
    for _ in range(40 if far < 1e16 else 8):
        a, b = gon(0.0), gon(rng.uniform(-5, 5, 2))
        turn_a, center_a = turn(far)
        turn_b, center_b = turn(far if rng.random() < 0.5 else 3.0) if both else (0.0, np.zeros(2))
        velocity = rng.uniform(-3, 3, 2) * rng.integers(0, 2)
        turns = {"turn_a": turn_a, "center_a": center_a, "turn_b": turn_b, "center_b": center_b}
        found = carom.closest_approach(a, b, velocity, **turns)
        if found.distance == 0.0:
            continue
        apart += 1

        def at(time: float) -> list[shapely.Polygon]:
            of_a = turned(a, center_a, turn_a * time) + velocity * time  # noqa: B023
            of_b = turned(b, center_b, turn_b * time)  # noqa: B023
            return [shapely.Polygon(of_a), shapely.Polygon(of_b)]

        then = at(found.time)
        assert found.distance == pytest.approx(shapely.distance(*then), rel=1e-10, abs=1e-14)
        for closest, shape in zip([found.closest_a, found.closest_b], then, strict=True):
            assert shape.distance(shapely.Point(closest)) < 1e-13
        others = [shapely.distance(*at(time)) for time in np.linspace(0, 1, 101)]
        assert found.distance <= min(others) + 1e-13
    assert apart > 2


@pytest.mark.parametrize("far", [50.0, 1e4, 1e6, 1e12, 1e16, 1e40, 1e200, 1e300])
def test_shapes_on_one_turntable_stay_as_far_apart_as_they_are(far: float) -> None:
    turns = {"turn_a": 1.0, "center_a": (far, 0.0), "turn_b": 1.0, "center_b": (far, 0.0)}
    other = shapes.box(3, 1, 2, 2)
    found = carom.closest_approach(SQUARE, other, (0, 0), **turns)
    apart = carom.distance(SQUARE, other).distance
    tolerance = 8 * np.spacing(far) if far < 100 else 1e-14
    assert found.distance == pytest.approx(apart, rel=0, abs=tolerance)


@pytest.mark.parametrize("far", [1e9, 1e20, 1e100, 1e300])
def test_a_shape_that_flies_off_is_nearest_at_the_start(far: float) -> None:
    triangle, other = [(0, 0), (1, 0), (0.5, 1)], [(3, -1), (4, -1), (3, 1)]
    about = {"turn_a": -1.0, "center_a": (0.6 * far, 0.8 * far)}
    found = carom.closest_approach(triangle, other, (0, 0), **about)
    assert (found.distance, found.time) == (2.0, 0.0)
    assert (found.closest_a.tolist(), found.closest_b.tolist()) == ([1.0, 0.0], [3.0, 0.0])


def disc(x: float, y: float, radius: float) -> Shape:
    return Shape("point", [(x, y)], radius)


def test_a_point_about_itself_does_not_turn_to_the_bit() -> None:
    rng = Random(31)
    for k in range(60):
        x, y = rng.uniform(-3, 3), rng.uniform(-3, 3)
        round_one, other = kinds.row(disc(x, y, 0.5)), kinds.row(kinds.shape(rng))
        velocity = kinds.velocity(rng, 9) if k % 3 else ORIGIN
        turn = rng.choice(turns.ANGLES + turns.TINY_OR_LARGE)
        for pair, side in (((round_one, other), "a"), ((other, round_one), "b")):
            turning: Any = {f"turn_{side}": turn, f"center_{side}": (x, y)}
            found = carom.closest_approach(*pair, velocity, **turning)
            plain = carom.closest_approach(*pair, velocity)
            for field in FIELDS:
                assert bits(getattr(found, field)) == bits(getattr(plain, field)), field
            swept = carom.swept_collision(*pair, velocity, **turning)
            assert bits(swept.time) == bits(carom.swept_collision(*pair, velocity).time)


@pytest.mark.parametrize("off", [5e-324, 1e-200, 1e-16, 1e-9, 1e-3, 1.0])
@pytest.mark.parametrize("turn", [4.0, -30.0, 1e6])
@pytest.mark.parametrize("motion", [ORIGIN, (0.25, 0.5)])
def test_a_disc_about_a_center_near_its_own(off: float, turn: float, motion: Any) -> None:
    """The distance is constant but for the way round the center."""
    a, about = disc(0.0, off, 1.0), {"turn_a": turn, "center_a": ORIGIN}
    wall = shapes.box(5, -9, 1, 18)
    found = carom.closest_approach(kinds.row(a), wall, motion, **about)

    def height(time: float) -> float:
        return motion[0] * time - off * math.sin(turn * time)

    assert 4.0 - found.distance == pytest.approx(height(found.time), rel=1e-9, abs=4e-15)
    if found.time < 1.0 and off > 1e-8:
        rate = math.cos(turn * found.time)
        assert rate == pytest.approx(motion[0] / (off * turn), abs=1e-9)
    assert found.distance <= 4.0 - max(height(1 - k / 4096) for k in range(4097)) + 4e-15


@pytest.mark.parametrize("turn", [1.0, -7.0, 1e6])
def test_a_constant_distance_is_had_at_the_start(turn: float) -> None:
    a, b = disc(0.0, 0.0, 1.0), disc(3.0, 1.0, 1.0)
    about_b = {"turn_a": turn, "center_a": (3.0, 1.0)}
    found = carom.closest_approach(kinds.row(a), kinds.row(b), ORIGIN, **about_b)
    assert found.distance == pytest.approx(math.sqrt(10) - 2, rel=1e-14)
    assert found.time == 0.0


def gon(count: int, radius: float) -> list[kinds.Floats]:
    angles = (math.tau * k / count for k in range(count))
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


@pytest.mark.parametrize("turn", [1.0, 100.0, -1e6])
def test_a_polygon_in_a_hole_turns_to_the_first_middle_of_an_edge(turn: float) -> None:
    ring = [gon(64, 3.0), gon(64, 2.0)[::-1]]
    about = {"turn_a": turn, "center_a": ORIGIN}
    found = carom.closest_approach(gon(64, 1.5), ring, ORIGIN, **about)
    assert found.distance == pytest.approx(2 * math.cos(math.pi / 64) - 1.5, rel=1e-10)
    assert found.time * abs(turn) == pytest.approx(math.pi / 64, rel=1e-9)


def test_two_that_turn_fast_come_as_near_as_their_corners_reach() -> None:
    """The corners point at each other, as nearly as they ever do in so many turns."""
    a, b = SQUARE, shapes.box(2, -0.9, 4, 2)
    about = {"turn_a": 1e4, "center_a": ORIGIN, "turn_b": -7123.456, "center_b": (4.0, 0.1)}
    found = carom.closest_approach(a, b, ORIGIN, **about)
    reach = math.hypot(4.0, 0.1) - math.sqrt(2) - math.sqrt(5)
    assert reach < found.distance < reach + 2e-3
    motion = Motion(ORIGIN, 1e4, ORIGIN, -7123.456, (4.0, 0.1))
    assert_time_of_minimum(Shape("polygon", [[a]]), Shape("polygon", [[b]]), motion, found)


@pytest.mark.parametrize("turn", [1e-300, 1e-9, 7.0, -30.0])
def test_turns_of_all_sizes(turn: float) -> None:
    rng = Random(str(turn))
    for _ in range(12):
        a, b = kinds.shape(rng), turns.moved(kinds.shape(rng), 9.0, 5.0)
        checked(Scene(a, b, Motion(kinds.velocity(rng, 5), turn, rng.choice(a.vertices))))


def test_a_point_that_all_but_meets_another_keeps_the_last_places_of_the_extent() -> None:
    """They pass at about 1e-15, and within 3e-15 of the time at ten times that."""
    b = Shape("point", [(7.212382322772374, 6.9775831902550385)])
    for points in ([(3.0, 4.0)], [(2.0, 0.0), (3.0, 4.0)]):
        scene = Scene(Shape("point", points), b, Motion((5.0, 6.0), 0.5, (7.0, 5.0)))
        low, _ = checked(scene)
        assert 1e-15 < low < 2e-15
        assert answer(scene).distance == pytest.approx(float(low), rel=1e-2)


@pytest.mark.parametrize("turn", [0.5, 20.0, 300.0, 5e4])
def test_however_fast_points_pass_their_distance_is_not_that_of_the_nearest_float_time(
    turn: float,
) -> None:
    """On its circle a point passes one that lies an ulp off it."""
    center, p = (0.25, -0.5), (4.0, 3.0)
    radius = math.hypot(p[0] - center[0], p[1] - center[1])
    for k in range(40):
        angle = 0.01 + k * (min(turn, 6.0) - 0.02) / 40
        c, s = math.cos(angle), math.sin(angle)
        x, y = p[0] - center[0], p[1] - center[1]
        q = center[0] + x * c - y * s, center[1] + x * s + y * c
        result = carom.closest_approach(
            kinds.row(Shape("point", [p])),
            kinds.row(Shape("point", [q])),
            (0.0, 0.0),
            turn_a=turn,
            center_a=center,
        )
        square = sum((Fraction(u) - Fraction(v)) ** 2 for u, v in zip(q, center, strict=True))
        exact = sum((Fraction(u) - Fraction(v)) ** 2 for u, v in zip(p, center, strict=True))
        off = abs(float((square - exact) / (2 * Fraction(radius))))
        assert result.distance == pytest.approx(off, abs=8 * math.ulp(radius), rel=1e-10)


@pytest.mark.slow
def test_a_turn_that_meets_has_the_time_of_the_sweep() -> None:
    for seed in range(150):
        scene = turns.scene(seed)._replace(margin=0.0)
        a, b, m, _ = scene
        turning = {"turn_a": m.turn_a, "center_a": m.center_a, "turn_b": m.turn_b}
        turning["center_b"] = m.center_b
        swept = carom.swept_collision(kinds.row(a), kinds.row(b), m.velocity, **turning)
        found = answer(scene)
        assert (found.distance == 0.0) is swept.will_intersect, scene
        if swept.will_intersect:
            assert found.time == pytest.approx(swept.time, rel=2e-10, abs=0)
            assert np.isnan([found.closest_a, found.closest_b]).all()


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_a_turn_of_zero_is_none_to_the_bit(zero: float) -> None:
    for seed in range(60):
        a, b, m, _ = turns.scene(seed, "lattice")
        one, other = kinds.row(a), kinds.row(b)
        plain = carom.closest_approach(one, other, m.velocity)
        given = {"turn_a": zero, "turn_b": zero, "center_b": (1.0, 2.0)}
        found = carom.closest_approach(one, other, m.velocity, **given)
        for field in FIELDS:
            assert bits(getattr(found, field)) == bits(getattr(plain, field)), (field, seed)


@pytest.mark.slow
def test_swapping_the_shapes_keeps_the_distance() -> None:
    for seed in range(40):
        a, b, m, _ = turns.scene(seed)._replace(margin=0.0)
        still = Motion(m.velocity)
        for motion in (m, still):
            one = answer(Scene(a, b, motion))
            other = answer(Scene(b, a, motion.swapped()))
            assert (one.distance == 0) is (other.distance == 0)
            ulp = float(OracleScene(a, b, motion).extent_ulp) if motion is m else 0.0
            assert one.distance == pytest.approx(other.distance, rel=2e-10, abs=16 * ulp)
            if motion is m and one.distance:
                assert_time_of_minimum(b, a, motion.swapped(), other)


# --- batches ------------------------------------------------------------------------------------


def batch(scenes: list[Scene], **keywords: Any) -> Any:
    motions = [s.motion for s in scenes]
    return carom.closest_approach_batch(
        kinds.column([s.a for s in scenes]),
        kinds.column([s.b for s in scenes]),
        np.array([m.velocity for m in motions]),
        turn_a=np.array([m.turn_a for m in motions]),
        center_a=np.array([m.center_a or ORIGIN for m in motions]),
        turn_b=np.array([m.turn_b for m in motions]),
        center_b=np.array([m.center_b or ORIGIN for m in motions]),
        **keywords,
    )


def some(count: int) -> list[Scene]:
    scenes = [
        turns.scene(seed, ("lattice", "vehicle", "barely")[seed % 3]) for seed in range(count)
    ]
    return [
        s if k % 2 else s._replace(motion=Motion(s.motion.velocity)) for k, s in enumerate(scenes)
    ]


def test_rows_of_a_batch_are_the_scalar_results_to_the_bit() -> None:
    scenes = some(150)
    many = batch(scenes)
    for row, scene in enumerate(scenes):
        assert_row_is_scalar(many, row, answer(scene))


def test_threads_fields_and_out_change_no_bit() -> None:
    scenes = some(60)
    whole = batch(scenes)
    assert list(whole._asdict()) == list(FIELDS)
    for threads in (1, 2, 3):
        for field in FIELDS:
            found = batch(scenes, threads=threads, fields=(field,))
            assert bits(getattr(found, field)) == bits(getattr(whole, field))
    again = batch(scenes, out=batch(scenes[::-1]), check=False)
    assert all(bits(getattr(again, f)) == bits(getattr(whole, f)) for f in FIELDS)


def test_distance_and_time_alone_change_no_bit() -> None:
    """These are answered by the filter, also where it has a tie to see or an end of the frame."""
    rng = np.random.default_rng(5)
    ones, others = rng.integers(-4, 5, (2, 8000, 3, 2)).astype(float)
    others += rng.integers(-12, 13, (8000, 1, 2))
    velocity = rng.integers(-12, 13, (8000, 2)).astype(float)
    velocity[np.arange(4000), rng.integers(0, 2, 4000)] = 0.0
    whole = carom.closest_approach_batch(ones, others, velocity, on_invalid="mask")
    fields = ("distance", "time")
    part = carom.closest_approach_batch(
        ones, others, velocity, fields=fields, on_invalid="mask", threads=1
    )
    for field in fields:
        assert bits(getattr(part, field)) == bits(getattr(whole, field))


def test_pairs_and_broadcasting() -> None:
    squares = np.array([SQUARE, shapes.box(0, 0, 3, 1)])
    posts = np.array([shapes.box(4, 3, 1, 1), shapes.box(9, 9, 1, 1), shapes.box(3, 0, 1, 1)])
    found = carom.closest_approach_batch(squares[:, None], posts, (4.0, 0.0))
    assert found.distance.shape == (2, 3)
    assert found.closest_a.shape == (2, 3, 2)
    for i, j in np.ndindex(2, 3):
        alone = carom.closest_approach(squares[i], posts[j], (4.0, 0.0))
        assert bits(found.distance[i, j]) == bits(alone.distance)
    chosen = carom.closest_approach_batch(squares, posts, (4.0, 0.0), pairs=([1, 0], [2, 1]))
    assert chosen.distance.tolist() == [found.distance[1, 2], found.distance[0, 1]]


def test_bad_and_missing_rows() -> None:
    post = shapes.box(4, 3, 1, 1)
    found = carom.closest_approach_batch(carom.Shapes([SQUARE, None]), post, (1.0, 0.0))
    assert np.isnan(found.distance).tolist() == [False, True]
    assert np.isnan(found.time).tolist() == [False, True]
    moves = [(1.0, 0.0), (math.nan, 0.0)]
    with pytest.raises(ValueError, match=r"velocity\[1\]"):
        carom.closest_approach_batch([SQUARE] * 2, post, moves)
    found = carom.closest_approach_batch([SQUARE] * 2, post, moves, on_invalid="mask")
    assert found.valid.tolist() == [True, False]
    assert np.isnan(found.distance).tolist() == [False, True]
    with pytest.raises(ValueError, match=r"turn_a\[1\]"):
        carom.closest_approach_batch([SQUARE] * 2, post, (1, 0), turn_a=[0.1, 2e6], center_a=(0, 0))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"velocity": (math.nan, 0.0)}, "velocity"),
        ({"turn_a": 0.5}, "center_a"),
        ({"turn_b": 0.5}, "center_b"),
        ({"turn_a": math.nan, "center_a": ORIGIN}, "turn_a"),
        ({"turn_b": -2e6, "center_b": ORIGIN}, "turn_b"),
        ({"turn_b": 0.5, "center_b": (0.0, math.inf)}, "center_b"),
    ],
)
def test_bad_arguments_are_named(arguments: dict, message: str) -> None:
    given = {"a": SQUARE, "b": shapes.box(4, 3, 1, 1), "velocity": (1.0, 0.0), **arguments}
    with pytest.raises(ValueError, match=message):
        carom.closest_approach(**given)


@pytest.mark.parametrize("scale", [1e-310, 2e307])
def test_a_polygon_turns_in_an_equal_hole_at_extreme_magnitudes(scale: float) -> None:
    """All vertices come equally near to all edges: the search must not halve time for each pair."""
    angles = np.arange(40) * (2 * np.pi / 40)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    frame = [shapes.box(-4 * scale, -4 * scale, 8 * scale, 8 * scale), 1.5 * scale * ring]
    found = carom.closest_approach(scale * ring, frame, (0.0, 0.0), turn_a=1.0, center_a=(0.0, 0.0))
    assert found.distance == pytest.approx(scale * (1.5 * math.cos(math.pi / 40) - 1.0), rel=1e-10)


def test_there_is_no_margin() -> None:
    with pytest.raises(TypeError):
        carom.closest_approach(SQUARE, SQUARE, (1, 0), margin=1.0)  # type: ignore[call-arg]


@pytest.mark.parametrize("axis", [0, 1])
def test_a_velocity_of_which_one_component_is_infinite_is_refused_where_squares_overlap(
    axis: int,
) -> None:
    squares = np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]] * 16)
    velocity = np.zeros((16, 2))
    velocity[3, axis] = np.inf
    with pytest.raises(ValueError, match=r"velocity\[3\]"):
        carom.closest_approach_batch(squares, squares + 0.5, velocity)


@pytest.mark.parametrize(
    ("others", "center"),
    [
        ([(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 0.5)], (14.0, 2.0)),
        ([(0.0, 0.0), (0.0, 1.0), (2.0, 0.5)], (0.5, 0.25)),
    ],
)
def test_what_circles_nearer_than_rounding_tells_is_searched_in_few_parts(others, center):
    # The center that is far away makes rounding errors as large as the circles.
    unit = 2.0**-53
    one = shapely.MultiPoint([(2 * unit, unit), (3 * unit, unit), (4 * unit, 2 * unit)])
    other = shapely.MultiPoint([(x * unit, y * unit) for x, y in others])
    turns = {"turn_a": 20.0, "center_a": (0, 0), "turn_b": 5e-324, "center_b": center}
    found = carom.closest_approach(one, other, (0, 0), **turns)
    assert 0.0 < found.distance <= 8.0 * np.spacing(max(center))

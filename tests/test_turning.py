"""Shapes that turn as they move: `swept_collision` and the joins against the oracle."""

from __future__ import annotations

import hashlib
import itertools
import math
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import kinds, shapes, turns
from generators.turns import Scene
from helpers import assert_row_is_scalar, bits
from reference.oracle.check_turning import assert_turning
from reference.oracle.kinds import Shape
from reference.oracle.moving import Motion
from reference.oracle.turning import Contact, swept_collision
from test_instructions import SETS, run

FAMILIES = list(turns.FAMILIES)
FIELDS = ("intersects", "will_intersect", "time", "normal", "contact", "mtv")
ORIGIN = (0.0, 0.0)
PAIRS_OF_KINDS = [*itertools.product(kinds.KINDS, repeat=2)]


def answer(scene: Scene) -> Any:
    """The library's."""
    a, b, m, margin = scene
    turning = {"turn_a": m.turn_a, "center_a": m.center_a, "turn_b": m.turn_b}
    turning["center_b"] = m.center_b
    return carom.swept_collision(kinds.row(a), kinds.row(b), m.velocity, **turning, margin=margin)


def checked(scene: Scene) -> Contact:
    """Holds the library's answer against the oracle's, which is given back."""
    return assert_turning(*scene, answer(scene))


def spun(a: Shape, b: Shape, turn: float, center: kinds.Floats = ORIGIN) -> Scene:
    """The first shape turns on the spot."""
    return Scene(a, b, Motion(ORIGIN, turn, center))


def batch(scenes: list[Scene], **keywords: Any) -> Any:
    """All of them in one call."""
    motions = [s.motion for s in scenes]
    return carom.swept_collision_batch(
        kinds.column([s.a for s in scenes]),
        kinds.column([s.b for s in scenes]),
        np.array([m.velocity for m in motions]),
        turn_a=np.array([m.turn_a for m in motions]),
        center_a=np.array([m.center_a or ORIGIN for m in motions]),
        turn_b=np.array([m.turn_b for m in motions]),
        center_b=np.array([m.center_b or ORIGIN for m in motions]),
        margin=np.array([s.margin for s in scenes]),
        **keywords,
    )


def scenes(count: int, *families: str) -> list[Scene]:
    names = families or tuple(FAMILIES)
    return [turns.scene(seed, names[seed % len(names)]) for seed in range(count)]


# --- random -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("family", FAMILIES)
def test_every_field_agrees_with_the_oracle(family: str, part: int) -> None:
    """`python tests/hard_cases.py --shapes turning` tries more."""
    for seed in range(part * 60, part * 60 + 60):
        checked(turns.scene(seed, family))


@pytest.mark.parametrize(("one", "other"), PAIRS_OF_KINDS)
def test_all_kinds_meet_all_kinds(one: str, other: str) -> None:
    rng = Random(f"turning {one} {other}")
    for _ in range(8):
        a, b = kinds.shape(rng, kind=one), kinds.shape(rng, kind=other)
        b = turns.moved(b, rng.choice([0.0, 5.0, -6.0]), rng.choice([5.0, 6.0]))
        motion = Motion(kinds.velocity(rng, 6), turns.angle(rng), kinds.velocity(rng))
        checked(Scene(a, b, motion, kinds.margin(rng)))


@pytest.mark.slow
@pytest.mark.parametrize("turn", [1e-300, -1e-100, 1e-17, 1e-9, 0.1, -3.0, 7.0, 300.0, -1e4, 1e6])
def test_turns_of_all_sizes(turn: float) -> None:
    car = turns.box(-1.0, -1.0, 4.0, 2.0)
    for x, y in (
        (3.5, 0.0),
        (2.5, 1.5),
        (0.0, 3.1),
        (-2.0, -2.0),
        (0.0, math.sqrt(10)),
        (4.0, 4.0),
    ):
        for velocity in (ORIGIN, (0.5, 0.0), (0.0, 2.0)):
            scene = Scene(car, turns.point(x, y), Motion(velocity, turn, ORIGIN))
            checked(scene)
            checked(scene._replace(b=turns.point(x, y, 0.25)))


# --- planted: where an ulp decides --------------------------------------------------------------


def ulps(x: float, count: int) -> float:
    return x if count == 0 else math.nextafter(x, math.copysign(math.inf, count))


@pytest.mark.slow
@pytest.mark.parametrize("legs", turns.TRIPLES)
@pytest.mark.parametrize("scale", [1.0, 2.0**-40, 2.0**500, 2.0**-1000])
def test_a_graze_exactly_is_contact_and_one_an_ulp_outward_is_none(
    legs: tuple[int, int, int], scale: float
) -> None:
    """A vertex on a circle of whole radius, and the circle's tangent."""
    x, y, radius = (leg * scale for leg in legs)
    if y == radius:
        x, y = y, x
    tip = Shape("polygon", [[[(x, y), ORIGIN, (y / 4, -x / 4)]]])
    for count, turn in itertools.product((-1, 0, 1), (3.0, -6.0)):
        height = ulps(radius, count)
        wall = turns.segment((-2 * radius, height), (3 * radius, height))
        block = turns.box(-2 * radius, height, 4 * radius, radius)
        for body in (turns.point(x, y), turns.segment(ORIGIN, (x, y)), tip):
            for other in (wall, block):
                meets = checked(spun(body, other, turn)).will_intersect
                assert meets is (count <= 0)
                back = Scene(other, body, Motion(ORIGIN, 0.0, None, turn, ORIGIN))
                assert checked(back).will_intersect is (count <= 0)


@pytest.mark.parametrize("legs", turns.TRIPLES[:5])
def test_a_rounded_graze_is_told_from_a_miss_too(legs: tuple[int, int, int]) -> None:
    x, y, radius = map(float, legs)
    for size, margin in ((0.5, 0.0), (0.25, 0.25), (0.0, 2.0)):
        for count in (-1, 0, 1):
            height = ulps(radius + size + margin, count)
            wall = turns.segment((-99.0, height), (99.0, height))
            for turn in (3.0, -6.0):
                scene = Scene(turns.point(x, y, size), wall, Motion(ORIGIN, turn, ORIGIN), margin)
                assert checked(scene).will_intersect is (count <= 0)
            post = turns.point(0.0, height)
            scene = Scene(turns.point(x, y, size), post, Motion(ORIGIN, 3.0, ORIGIN), margin)
            assert checked(scene).will_intersect is (count <= 0)


@pytest.mark.parametrize("legs", turns.TRIPLES[:5])
def test_an_edge_that_turns_grazes_a_vertex_within_its_circle(legs: tuple[int, int, int]) -> None:
    """The edge's line is at a whole distance from the center, the nearest point amid the edge."""
    x, y, radius = map(float, legs)
    foot = (x, y)
    edge = turns.segment((x - 3 * y, y + 3 * x), (x + 2 * y, y - 2 * x))
    for count in (-1, 0, 1):
        post = turns.point(0.0, -ulps(radius, count))
        # Outward the edge's line passes the post; inward it has no point so near.
        meets = checked(spun(edge, post, 6.2)).will_intersect
        assert meets is (count >= 0), foot


@pytest.mark.parametrize("legs", turns.TRIPLES[:5])
def test_a_vertex_goes_exactly_through_a_vertex(legs: tuple[int, int, int]) -> None:
    x, y, _ = map(float, legs)
    for count in (-1, 0, 1):
        other = (-y, ulps(x, count))
        assert checked(spun(turns.point(x, y), turns.point(*other), 4.0)).will_intersect is (
            count == 0
        )
        # Corners of which the other parts are out of the way, and on no side of a tangent.
        spike = turns.segment((x, y), (2 * x, 2 * y))
        peg = turns.segment(other, (-y / 2, x / 2))
        meets = checked(spun(spike, peg, 4.0)).will_intersect
        assert meets is (count >= 0)


@pytest.mark.parametrize("turn", [1.0, 0.25, -3.0])
def test_a_vertex_at_the_center_goes_straight(turn: float) -> None:
    """So it may meet a vertex exactly, and arrive exactly at the end of the frame."""
    tail = Shape("polygon", [[[ORIGIN, (-8.0, 0.25), (-8.0, -0.25)]]])
    for count in (-1, 0, 1):
        wall = turns.segment((ulps(3.0, count), -1.0), (ulps(3.0, count), 1.0))
        scene = Scene(tail, wall, Motion((3.0, 0.0), turn, ORIGIN))
        found = answer(scene)
        checked(scene)
        if abs(turn) < 1:  # else the tail comes round
            assert found.will_intersect is (count <= 0)
            assert found.time == (
                1.0 if count == 0 else pytest.approx(1.0) if count < 0 else math.inf
            )
        post = turns.point(3.0, 0.0 if count == 0 else count * 5e-324)
        half = Scene(turns.segment(ORIGIN, (0.0, -8.0)), post, Motion((6.0, 0.0), 0.25, ORIGIN))
        meets = checked(half).will_intersect
        assert meets is (count <= 0)


def test_a_path_slides_along_its_own_line_into_another() -> None:
    """The end at the center meets an end; all of the other path lies on the way's line."""
    for x, meets in ((3.0, True), (ulps(3.0, 1), False)):
        stick = turns.segment((x, 0.0), (9.0, 0.0))
        handle = turns.segment(ORIGIN, (0.0, 5.0))
        scene = Scene(handle, stick, Motion((3.0, 0.0), 0.5, ORIGIN))
        assert checked(scene).will_intersect is meets


@pytest.mark.parametrize("radius", [0.0, 0.5, 0.1])
def test_a_door_closes_flush(radius: float) -> None:
    """Door and frame are halves of one line through the hinge: they meet all along at once."""
    for turn in (2.0, -2.0):
        for start in (1.0, 0.25):
            door = Shape("path", [[(start, 0.0), (3.0, 0.0)]], radius)
            way = math.copysign(1.0, turn)
            frame = turns.segment((-way * radius, way), (-way * radius, 2.5 * way))
            truth = checked(spun(door, frame, turn))
            assert truth.will_intersect
            if radius == 0.0:
                found = answer(spun(door, frame, turn))
                assert found.time == pytest.approx(math.pi / 4, rel=1e-12)
                # It comes from the right, whichever way it turns.
                assert found.normal.tolist() == pytest.approx([1.0, 0.0], abs=1e-12)
                ends = sorted(found.contact[:, 1].tolist(), key=abs)
                assert ends == pytest.approx([max(1.0, start) * way, 2.5 * way])


def test_a_door_that_hangs_at_its_frame_touches_it_all_the_time() -> None:
    door, frame = turns.segment(ORIGIN, (3.0, 0.0)), turns.segment((0.0, -1.0), (0.0, 3.0))
    found = answer(spun(door, frame, 2.0))
    assert (found.intersects, found.time) == (True, 0.0)


def test_a_turning_square_fits_its_round_hole() -> None:
    """Its corners run along a square hole's sides, which they graze, an ulp more and they don't."""
    for count in (-1, 0, 1):
        half = ulps(5.0, count)
        hole = shapes.box(-half, -half, 2 * half, 2 * half)
        frame = Shape("polygon", [[shapes.box(-9.0, -9.0, 18.0, 18.0), hole]])
        rhombus = Shape("polygon", [[[(3.0, 4.0), (-4.0, 3.0), (-3.0, -4.0), (4.0, -3.0)]]])
        assert checked(spun(rhombus, frame, 6.0)).will_intersect is (count <= 0)


def test_what_touches_now_has_the_answers_of_no_turn() -> None:
    rng = Random(4)
    count = 0
    for scene in scenes(400, "lattice"):
        still = Scene(scene.a, scene.b, Motion(scene.motion.velocity), scene.margin)
        one, other = answer(scene), answer(still)
        assert one.intersects is other.intersects
        if one.intersects:
            count += 1
            for field in ("time", "normal", "contact"):
                assert bits(getattr(one, field)) == bits(getattr(other, field)), (field, scene)
            leaving = scene._replace(motion=Motion(kinds.velocity(rng), 1e6, (9.0, 9.0)))
            assert answer(leaving).time == 0.0
    assert count > 40


# --- two that turn ------------------------------------------------------------------------------


def test_shapes_that_turn_alike_about_one_point_keep_their_distance() -> None:
    a, b = turns.box(1.0, 0.0, 1.0, 1.0), turns.box(3.0, 0.0, 1.0, 1.0)
    for turn in (1.0, -7.0, 1e-200):
        scene = Scene(a, b, Motion(ORIGIN, turn, (-2.0, 5.0), turn, (-2.0, 5.0)))
        assert checked(scene).will_intersect is False
        near = Scene(a, turns.box(2.0 + 1e-9, 0.0, 1.0, 1.0), scene.motion)
        assert answer(near).will_intersect is False
        assert answer(near._replace(margin=1e-8)).time == 0.0


@pytest.mark.parametrize("ratio", [1.0, -1.0, 2.0, 0.5, -3.0, 1.1, 1e-9])
def test_two_gears(ratio: float) -> None:
    """Cogs about centers apart, of which tips reach each other's circles or not."""
    cog = [(1.0, 0.0), (0.25, 0.25), (0.0, 1.0), (-0.25, 0.25), (-1.0, 0.0), (0.0, -0.5)]
    rng = Random(str(ratio))
    for x in (1.2, 1.5, 1.75, 2.0 - 1e-9, 2.5):
        for _ in range(4):
            phase = rng.uniform(0, 6)
            c, s = math.cos(phase), math.sin(phase)
            one = Shape("polygon", [[[(u * c - v * s, u * s + v * c) for u, v in cog]]])
            other = Shape("polygon", [[[(x + u, v) for u, v in cog]]])
            turn = rng.choice([0.5, 3.0, -8.0])
            drift = rng.choice([ORIGIN, (0.1, 0.0)])
            checked(Scene(one, other, Motion(drift, turn, ORIGIN, turn * ratio, (x, 0.0))))


def test_opposite_turns_about_one_point_meet_half_way() -> None:
    for turn in (0.5, 1.0, 3.0):
        a, b = turns.segment((1.0, 0.0), (2.0, 0.0)), turns.segment((0.0, 1.0), (0.0, 2.0))
        found = answer(Scene(a, b, Motion(ORIGIN, turn, ORIGIN, -turn, ORIGIN)))
        assert found.will_intersect is (2 * turn > math.pi / 2)
        if found:
            assert found.time == pytest.approx(math.pi / 4 / turn, rel=1e-12)


def test_a_graze_of_two_turns_that_cannot_be_told_from_one_is_contact() -> None:
    """Tips of two arms pass exactly through one point on the axis at one time."""
    one, other = turns.point(0.0, 1.0), turns.point(2.0, 1.0)
    for turn_a, turn_b in ((-3.0, 3.0), (-2.0, 2.0)):
        scene = Scene(one, other, Motion(ORIGIN, turn_a, ORIGIN, turn_b, (2.0, 0.0)))
        assert swept_collision(*scene).will_intersect is None
        assert answer(scene).will_intersect is True
        assert answer(scene).time == pytest.approx(math.pi / 2 / turn_b, rel=1e-10)
    missed = scene._replace(b=turns.point(2.0, ulps(1.0, 1)))
    assert answer(missed).will_intersect is False


# --- the same, said otherwise -------------------------------------------------------------------


def test_swapping_the_shapes_keeps_boolean_and_time() -> None:
    for a, b, motion, margin in scenes(250):
        one, other = (
            answer(Scene(a, b, motion, margin)),
            answer(Scene(b, a, motion.swapped(), margin)),
        )
        assert (one.intersects, one.will_intersect) == (other.intersects, other.will_intersect)
        assert one.time == pytest.approx(other.time, rel=2e-10, abs=0)


def test_a_quarter_turn_of_everything_keeps_boolean_and_time() -> None:
    def quarter(p: Any) -> Any:
        return p and (-p[1], p[0])

    for a, b, m, margin in scenes(150):
        motion = Motion(
            quarter(m.velocity), m.turn_a, quarter(m.center_a), m.turn_b, quarter(m.center_b)
        )
        other = Scene(turns.placed(a, quarter), turns.placed(b, quarter), motion, margin)
        one, turned = answer(Scene(a, b, m, margin)), answer(other)
        assert one.will_intersect == turned.will_intersect
        assert one.time == pytest.approx(turned.time, rel=2e-10, abs=0)


@pytest.mark.parametrize("power", [-900, -40, 900])
def test_scaling_by_a_power_of_two_changes_no_time(power: int) -> None:
    for scene in scenes(60, "lattice", "vehicle", "grazing"):
        one, other = answer(scene), answer(turns.scaled(scene, 2.0**power))
        assert one.will_intersect == other.will_intersect
        assert one.time == pytest.approx(other.time, rel=2e-10, abs=0)


def test_rings_written_otherwise_meet_at_the_same_time() -> None:
    for scene in scenes(60, "vehicle"):
        (rings,) = scene.a.parts
        one = answer(scene)
        for ring in (rings[0][::-1], rings[0][2:] + rings[0][:2], [*rings[0], rings[0][0]]):
            other = answer(scene._replace(a=Shape("polygon", [[ring]])))
            assert one.will_intersect == other.will_intersect
            assert one.time == pytest.approx(other.time, rel=2e-10, abs=0)


TEETH = 24


def first_tooth(start: int, low: int | None = None, by: float = 0.0) -> int:
    """Which tooth of a comb meets a wall first: all do at once, but for one that may be longer."""
    comb = []
    for k in range(TEETH):
        comb += [(k + 1.0, -by if k == low else 0.0), (k + 1.5, 1.0)]
    comb.append((1.0, 2.0))
    # Its upper edge and the tips of the teeth lie on lines through the center.
    wall = [(0.4, -0.3), (-20.4, -30.3), (8.0, -60.0), (80.0, -60.0)]
    turned = comb[start:] + comb[:start]
    found = carom.swept_collision(turned, wall, (0, 0), turn_a=-1, center_a=(0, 0))
    assert found.time == pytest.approx(math.atan(0.75), rel=1e-2)
    return round(math.hypot(*found.contact[0])) - 1


@pytest.mark.parametrize("start", range(0, 2 * TEETH, 7))
def test_of_contacts_at_once_that_of_the_lowest_corner_is_told(start: int) -> None:
    assert first_tooth(start) == (start + 1) // 2 % TEETH


@pytest.mark.parametrize("by", [1e-11, 1e-3])
@pytest.mark.parametrize("start", range(0, 2 * TEETH, 7))
def test_of_contacts_that_are_nearly_at_once_the_first_is_told(start: int, by: float) -> None:
    for low in range(0, TEETH, 5):
        assert first_tooth(start, low, by) == low


def test_bare_polygons_are_taken() -> None:
    square, wall = shapes.box(0, 0, 2, 2), shapes.box(2.5, -9, 1, 18)
    found = carom.swept_collision(square, wall, (0, 0), turn_a=-1, center_a=(0, 0))
    assert found.time == pytest.approx(math.acos(2.5 / math.sqrt(8)) * -1 + math.pi / 4)
    assert np.isnan(found.mtv).all()
    never = carom.swept_collision(square, wall, (-5, 0), turn_a=1, center_a=[0, 0])
    assert (never.will_intersect, never.time) == (False, math.inf)
    assert np.isnan(never.mtv).all()
    assert isinstance(found.time, float)
    assert type(found.will_intersect) is bool


# --- no turn ------------------------------------------------------------------------------------


@pytest.mark.parametrize("zero", [0.0, -0.0, 0])
def test_a_turn_of_zero_is_none_to_the_bit(zero: float) -> None:
    for scene in scenes(60, "lattice", "vehicle"):
        a, b = kinds.row(scene.a), kinds.row(scene.b)
        velocity, margin = scene.motion.velocity, scene.margin
        plain = carom.swept_collision(a, b, velocity, margin=margin)
        for center in (None, (3.0, 4.0)):
            given = {"turn_a": zero, "center_a": center, "turn_b": zero, "center_b": center}
            found = carom.swept_collision(a, b, velocity, margin=margin, **given)
            for field in FIELDS:
                assert bits(getattr(found, field)) == bits(getattr(plain, field)), (field, scene)


def test_rows_without_a_turn_have_the_bits_of_a_batch_without() -> None:
    some = scenes(120, "lattice", "vehicle", "barely")
    still = [
        s._replace(motion=Motion(s.motion.velocity, 0.0, s.motion.center_a)) if k % 3 else s
        for k, s in enumerate(some)
    ]
    mixed = batch(still)
    plain = carom.swept_collision_batch(
        kinds.column([s.a for s in still]),
        kinds.column([s.b for s in still]),
        np.array([s.motion.velocity for s in still]),
        margin=np.array([s.margin for s in still]),
    )
    for field in FIELDS:
        for row in range(len(still)):
            if row % 3:
                one, other = getattr(mixed, field)[row], getattr(plain, field)[row]
                assert bits(one) == bits(other), (field, row)


FARTHEST = (1e10, 1e13, 1e16, 1e20, 1e40, 1e100, 1e200, 1e300)


@pytest.mark.parametrize("distance", FARTHEST)
@pytest.mark.parametrize("turn_b", [0.0, 0.8])
def test_a_turn_about_a_center_far_away_is_a_translation(distance: float, turn_b: float) -> None:
    """The vertices leave their straight ways by less than 50 / distance; some obstacles turn."""
    rng = Random(int(math.log10(distance)))
    hits = 0
    for _ in range(60):
        a = turns.box(rng.uniform(-1, 1), rng.uniform(-1, 1), 1.0, 0.5)
        x, y = 4 + rng.uniform(-1, 1), rng.uniform(-2, 2)
        b = Shape("polygon", [[[(x, y + 1.0), (x + 0.5, y - 1.25), (x + 1.0, y + 0.75)]]])
        (x, y), radius = (rng.uniform(3, 6), rng.uniform(-1, 1)), rng.choice([0.0, 0.25])
        way = math.hypot(x, y)
        center, turn = (-y / way * distance, x / way * distance), way / distance
        a, still = replace(a, radius=radius), Motion((x, y), 0.0, None, turn_b, (4.0, 0.0))
        turning = Motion((0.0, 0.0), turn, center, turn_b, (4.0, 0.0))
        one, other = answer(Scene(a, b, turning)), answer(Scene(a, b, still))
        assert one.will_intersect == other.will_intersect
        hits += one.will_intersect
        tolerance = 1e-10 + 1e4 / distance
        if one.will_intersect:
            assert one.time == pytest.approx(other.time, abs=tolerance)
            assert one.normal == pytest.approx(other.normal, abs=tolerance)
            assert one.contact == pytest.approx(other.contact, abs=tolerance)
    assert 10 < hits < 55


# --- bad input ----------------------------------------------------------------------------------

SQUARE, OTHER = shapes.box(0, 0, 1, 1), shapes.box(3, 0, 1, 1)


@pytest.mark.parametrize("which", ["a", "b"])
def test_a_center_that_is_needed_is_asked_for(which: str) -> None:
    turn = {f"turn_{which}": 0.5}
    with pytest.raises(ValueError, match=f"center_{which}"):
        carom.swept_collision(SQUARE, OTHER, (1, 0), **turn)
    with pytest.raises(ValueError, match=f"center_{which}"):
        carom.swept_collision_batch([SQUARE] * 2, OTHER, (1, 0), **{f"turn_{which}": [0.0, 0.5]})
    turn[f"center_{'b' if which == 'a' else 'a'}"] = (0.0, 0.0)
    with pytest.raises(ValueError, match=f"center_{which}"):
        carom.swept_collision(SQUARE, OTHER, (1, 0), **turn)


@pytest.mark.parametrize("turn", [math.nan, math.inf, -math.inf, 1e6 + 1, -2e6, 1e300])
@pytest.mark.parametrize("which", ["a", "b"])
def test_a_turn_that_is_none_is_a_bad_row(which: str, turn: float) -> None:
    center = {f"center_{which}": (0.0, 0.0)}
    with pytest.raises(ValueError, match=f"turn_{which}"):
        carom.swept_collision(SQUARE, OTHER, (1, 0), **{f"turn_{which}": turn}, **center)
    turns_of = {f"turn_{which}": [0.1, turn, 0.0]}
    with pytest.raises(ValueError, match=rf"turn_{which}\[1\]"):
        carom.swept_collision_batch([SQUARE] * 3, OTHER, (9, 0), **turns_of, **center)
    found = carom.swept_collision_batch(
        [SQUARE] * 3, OTHER, (9, 0), **turns_of, **center, on_invalid="mask"
    )
    assert found.valid.tolist() == [True, False, True]
    assert found.will_intersect.tolist() == [True, False, True]
    assert np.isnan(found.time).tolist() == [False, True, False]


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("which", ["a", "b"])
def test_a_center_that_is_not_finite_is_a_bad_row(which: str, bad: float) -> None:
    turn = {f"turn_{which}": 0.5}
    with pytest.raises(ValueError, match=f"center_{which}"):
        carom.swept_collision(SQUARE, OTHER, (1, 0), **turn, **{f"center_{which}": (bad, 0.0)})
    centers = {f"center_{which}": [(0.0, 0.0), (0.0, bad)]}
    with pytest.raises(ValueError, match=rf"center_{which}\[1"):
        carom.swept_collision_batch([SQUARE] * 2, OTHER, (9, 0), **turn, **centers)
    found = carom.swept_collision_batch(
        [SQUARE] * 2, OTHER, (9, 0), **turn, **centers, on_invalid="mask"
    )
    assert found.valid.tolist() == [True, False]


def test_the_largest_turn_is_taken() -> None:
    for turn in (1e6, -1e6):
        found = carom.swept_collision(SQUARE, OTHER, (0, 0), turn_a=turn, center_a=(0, 0))
        assert found.will_intersect is False
        found = carom.swept_collision(SQUARE, OTHER, (2, 0), turn_a=turn, center_a=(0, 0))
        assert found.will_intersect is True


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"turn_a": [0.1, 0.2, 0.3], "center_a": (0, 0)}, ValueError, r"turn_a"),
        ({"turn_a": 0.1, "center_a": (0, 0, 0)}, ValueError, "center_a"),
        ({"turn_a": 0.1, "center_a": 5.0}, ValueError, "center_a"),
        ({"turn_a": "much", "center_a": (0, 0)}, (TypeError, ValueError), "turn_a"),
        ({"turn_b": 0.1, "center_b": "there"}, (TypeError, ValueError), "center_b"),
    ],
)
def test_bad_arguments_are_named(arguments: dict, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        carom.swept_collision_batch([SQUARE] * 2, [OTHER] * 2, (1, 0), **arguments)


# --- batches ------------------------------------------------------------------------------------


def test_rows_of_a_batch_are_the_scalar_results_to_the_bit() -> None:
    some = scenes(250)
    many = batch(some)
    for row, scene in enumerate(some):
        assert_row_is_scalar(many, row, answer(scene))


def test_threads_pairs_fields_and_out_change_no_bit() -> None:
    some = scenes(90)
    whole = batch(some)
    for threads in (1, 2, 3):
        for field in FIELDS:
            found = batch(some, threads=threads, fields=(field,))
            assert bits(getattr(found, field)) == bits(getattr(whole, field))
    again = batch(some, out=batch(some[::-1]), check=False)
    assert all(bits(getattr(again, f)) == bits(getattr(whole, f)) for f in FIELDS)


@pytest.mark.parametrize("seed", range(4))
def test_a_yes_or_no_alone_is_that_of_all_fields(seed: int) -> None:
    """Alone, overlaps are found in floats, eight rows at a time."""
    rng = np.random.default_rng(seed)
    count = 4000
    ways = rng.uniform(0.0, math.tau, (count, 5)).cumsum(axis=1) % math.tau
    a = np.stack([np.cos(np.sort(ways)), np.sin(np.sort(ways))], axis=-1)
    a *= 10.0 ** rng.integers(-3, 4, (count, 1, 1))
    b = a[:, :4][rng.permutation(count)] + rng.uniform(-2.0, 2.0, (count, 1, 2))
    keywords = {
        "turn_a": rng.choice([0.0, 0.1, 1.0, -3.0, 40.0, 60.0], count),
        "center_a": rng.uniform(-1.0, 1.0, (count, 2)) * 10.0 ** rng.integers(-2, 12, (count, 1)),
        "turn_b": rng.choice([0.0, 0.0, -0.5, 2.0], count),
        "center_b": rng.uniform(-2.0, 2.0, (count, 2)),
        "margin": rng.choice([0.0, 0.25], count),
        "on_invalid": "mask",
    }
    velocity = rng.uniform(-2.0, 2.0, (count, 2))
    whole = carom.swept_collision_batch(a, b, velocity, **keywords)
    alone = carom.swept_collision_batch(a, b, velocity, **keywords, fields=("will_intersect",))
    assert alone.will_intersect.tolist() == whole.will_intersect.tolist()
    assert 0.2 < whole.will_intersect.mean() < 0.8
    assert whole.valid.all()


def test_turns_and_centers_broadcast_as_velocities_do() -> None:
    squares = np.array([shapes.box(0, 0, 1, 1), shapes.box(0, 0, 2, 1), shapes.box(0, 0, 1, 3)])
    angles, centers = np.array([0.5, 0.0, -2.0, 3.0]), np.array([[0.0, 0.0], [0.5, 0.5]])
    post = np.array(shapes.box(1.5, 1.5, 0.25, 0.25))
    found = carom.swept_collision_batch(
        squares[:, None, None], post, (0.25, 0.0), turn_a=angles[:, None], center_a=centers
    )
    assert found.time.shape == (3, 4, 2)
    for i, j, k in np.ndindex(3, 4, 2):
        one = carom.swept_collision(
            squares[i], post, (0.25, 0.0), turn_a=angles[j], center_a=centers[k]
        )
        for field in FIELDS:
            assert bits(getattr(one, field)) == bits(getattr(found, field)[i, j, k])


def test_pairs_choose_rows_with_their_own_turns() -> None:
    """With pairs, what moves is given per pair, as a velocity is."""
    rng = Random(6)
    some = scenes(30, "lattice")
    a, b = kinds.column([s.a for s in some]), kinds.column([s.b for s in some])
    i, j = (np.array([rng.randrange(30) for _ in range(50)]) for _ in range(2))
    moves = np.array([kinds.velocity(rng) for _ in i])
    angles = np.array([turns.angle(rng) for _ in i])
    centers = np.array([kinds.velocity(rng) for _ in i])
    found = carom.swept_collision_batch(a, b, moves, turn_a=angles, center_a=centers, pairs=(i, j))
    for row, (one, other) in enumerate(zip(i, j, strict=True)):
        alone = carom.swept_collision(
            a[one], b[other], moves[row], turn_a=angles[row], center_a=centers[row]
        )
        assert_row_is_scalar(found, row, alone)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0.0, 1.0, 7.0, 60.0])
def test_pairs_come_within_a_margin_when_it_exceeds_their_least_distance(turn: float) -> None:
    """Rows that all but touch: what a filter must leave lies beside what it may decide."""
    random = np.random.default_rng(4)
    angles = np.sort(random.uniform(0.0, math.tau, (2, 2_000, 4)))
    a, b = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    b += random.uniform(2.1, 4.0, (2_000, 1, 1)) * np.array([0.6, -0.8])
    moving = {
        "velocity": random.uniform(-3.0, 3.0, (2_000, 2)),
        "turn_a": random.uniform(-1.0, 1.0, 2_000),
        "center_a": random.uniform(-1.0, 1.0, (2_000, 2)),
        "turn_b": turn * random.uniform(-1.0, 1.0, 2_000),
        "center_b": random.uniform(-3.0, 3.0, (2_000, 2)),
    }
    least = carom.closest_approach_batch(a, b, **moving).distance
    apart = least > 1e-3
    assert apart.sum() > 100
    for part in (0.5, 0.999, 1 - 1e-9):
        nearer = carom.swept_collision_batch(a, b, **moving, margin=part * least)
        assert not nearer.will_intersect[apart].any()
    within = carom.swept_collision_batch(a, b, **moving, margin=(1 + 1e-9) * least)
    assert within.will_intersect.all()


def test_missing_rows_meet_nothing() -> None:
    column = carom.Shapes([SQUARE, None])
    found = carom.swept_collision_batch(column, OTHER, (3, 0), turn_a=0.5, center_a=(0, 0))
    assert found.will_intersect.tolist() == [True, False]
    assert np.isnan(found.time[1])


def digest(threads: int | None = None) -> str:
    """The hash of the bits of some answers."""
    found = hashlib.sha256()
    whole = batch(scenes(300), threads=threads)
    alone = batch(scenes(300), threads=threads, fields=("will_intersect",)).will_intersect
    for column in (*whole._astuple(), alone):
        found.update(np.asarray(column).tobytes())
    return found.hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize("instructions", SETS)
def test_all_instruction_sets_give_the_same_bits(instructions: str) -> None:
    tests = str(Path(__file__).parent)
    script = (
        f"import sys; sys.path.insert(0, {tests!r}); import test_turning as t; print(t.digest())"
    )
    found = run(instructions, "-c", script)
    if "which this processor lacks" in found.stderr:
        pytest.skip(f"this processor has no {instructions}")
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip() == digest(1)


# --- what it is for -----------------------------------------------------------------------------


def test_a_trailer_that_turns_past_a_post_hits_it() -> None:
    """Its tail sweeps over the post between two poses; held straight, it never comes there."""
    trailer = shapes.box(-14.0, -1.25, 16.0, 2.5)
    post = shapes.box(-13.5, -2.5, 0.2, 0.2)
    held = carom.swept_collision(trailer, post, (1.0, 0.0))
    swung = carom.swept_collision(trailer, post, (1.0, 0.0), turn_a=0.3, center_a=(0.0, 0.0))
    assert not held
    assert swung
    ends = carom.place(np.array(trailer), np.array([[1.0, 0.0, 0.3]]))[0]
    assert not carom.intersects(ends, post)


def test_a_thin_wall_is_not_jumped_in_a_fast_spin() -> None:
    needle = shapes.box(1.0, -1e-9, 9.0, 2e-9)
    wall = [(-5.0, 1e-9), (-5.0, 2e-9), (-6.0, 2e-9), (-6.0, 1e-9)]
    for turn in (4.0, 100.0, 1e6, -4.0, -1e6):
        found = carom.swept_collision(needle, wall, (0, 0), turn_a=turn, center_a=(0, 0))
        assert found.time * abs(turn) == pytest.approx(math.pi, rel=1e-6)


# --- joins --------------------------------------------------------------------------------------


def brute(a: list[Shape], b: list[Shape], motions: Any, margin: float) -> list[list[int]]:
    """The pairs that meet, by a batch of all pairs."""
    i, j = (index.ravel() for index in np.indices((len(a), len(b))))
    va, vb, ta, ca, tb, cb = motions
    found = carom.swept_collision_batch(
        kinds.column(a),
        kinds.column(b),
        va[i] - vb[j],
        turn_a=ta[i],
        center_a=ca[i],
        turn_b=tb[j],
        center_b=cb[j],
        margin=margin,
        pairs=(i, j),
    )
    hits = found.will_intersect
    return np.array([i[hits], j[hits]]).T.tolist()


def crowd(rng: Random, count: int) -> tuple[list[Shape], Any]:
    """Shapes over a field, with velocities, turns and centers; velocities whose differences fit."""
    some = [
        turns.moved(kinds.shape(rng), 6.0 * rng.randint(-3, 3), 6.0 * rng.randint(-3, 3))
        for _ in range(count)
    ]
    velocities = np.array([kinds.velocity(rng, 6) for _ in some])
    angles = np.array([rng.choice([0.0, turns.angle(rng)]) for _ in some])
    centers = np.array([rng.choice(s.vertices) for s in some])
    return some, (velocities, angles, centers)


@pytest.mark.parametrize("seed", range(6))
def test_joins_find_the_pairs_of_single_sweeps(seed: int) -> None:
    rng = Random(f"turning join {seed}")
    (a, (va, ta, ca)), (b, (vb, tb, cb)) = crowd(rng, 40), crowd(rng, 40)
    margin = kinds.margin(rng)
    moves = {"velocity_a": va, "turn_a": ta, "center_a": ca}
    moves |= {"velocity_b": vb, "turn_b": tb, "center_b": cb}
    first, second = kinds.column(a), kinds.column(b)
    want = brute(a, b, (va, vb, ta, ca, tb, cb), margin)
    found = carom.colliding_pairs(first, second, **moves, margin=margin)
    assert found.T.tolist() == want
    candidates = carom.candidate_pairs(first, second, **moves, margin=margin).T.tolist()
    assert {*map(tuple, want)} <= {*map(tuple, candidates)}
    assert len(candidates) < 1600
    pieces = carom.iter_colliding_pairs(first, second, **moves, margin=margin, chunk_pairs=7)
    assert np.concatenate([*pieces, np.zeros((2, 0), int)], axis=1).T.tolist() == want


@pytest.mark.parametrize("seed", range(4))
def test_a_column_joins_itself_with_turns(seed: int) -> None:
    rng = Random(f"turning self join {seed}")
    a, (va, ta, ca) = crowd(rng, 50)
    found = carom.colliding_pairs(kinds.column(a), velocity_a=va, turn_a=ta, center_a=ca)
    want = brute(a, a, (va, va, ta, ca, ta, ca), 0.0)
    assert found.T.tolist() == [[i, j] for i, j in want if i < j]


def test_a_join_with_one_turn_for_all_rows() -> None:
    rows = [shapes.moved(SQUARE, 3.0 * k, 0.0) for k in range(4)]
    posts = [shapes.moved(shapes.box(1.2, 0.5, 0.1, 0.1), 3.0 * k, 0.0) for k in range(4)]
    centers = np.array([[3.0 * k, 0.0] for k in range(4)])
    assert carom.colliding_pairs(rows, posts).shape[1] == 0
    found = carom.colliding_pairs(rows, posts, turn_a=-0.5, center_a=centers)
    assert found.T.tolist() == [[k, k] for k in range(4)]


def test_joins_name_bad_turns() -> None:
    rows = [SQUARE, OTHER]
    with pytest.raises(ValueError, match="center_a"):
        carom.colliding_pairs(rows, rows, turn_a=0.5)
    for join in (carom.colliding_pairs, carom.candidate_pairs):
        with pytest.raises(ValueError, match=r"turn_a\[1\]"):
            join(rows, rows, turn_a=[0.0, math.nan], center_a=(0, 0))
        with pytest.raises(ValueError, match=r"turn_b\[0\]"):
            join(rows, rows, turn_b=[2e6, 0.0], center_b=(0, 0))
        with pytest.raises(ValueError, match=r"center_b\[1"):
            join(rows, rows, turn_b=0.5, center_b=[(0, 0), (math.inf, 0)])


@pytest.mark.parametrize("tiny", [1e-150, 1e-165, 1e-170, 1e-300])
def test_an_edge_whose_square_underflows_hides_no_contact(tiny: float) -> None:
    b = Shape("polygon", [[[(0.0, 0.0), (tiny, 0.0), (1.0, 1.0), (0.0, 1.0)]]])
    a = turns.box(0.2, -2.0, 0.2, 0.2)
    motion = Motion((-0.25, 1.5), 0.01, (0.3, -1.9))
    for scene in (Scene(a, b, motion, 0.5), Scene(b, a, motion.swapped(), 0.5)):
        assert answer(scene).will_intersect is True
        assert answer(scene).time == pytest.approx(0.8671327067323436, rel=1e-10)


@pytest.mark.parametrize("tiny", [1e-150, 1e-200, 1e-300, 1e-323])
def test_a_contact_that_little_before_the_end_is_found(tiny: float) -> None:
    a = Shape("path", [[(1.0, 3.0), (1.0, 4.0)]])
    b = Shape("point", [(0.0, tiny)])
    scene = Scene(a, b, Motion((-1.0, -3.0), 0.5, (1.0, 3.0)), 0.0)
    assert swept_collision(*scene).will_intersect is True
    assert answer(scene).will_intersect is True


@pytest.mark.parametrize(
    "points", [[(3.0, 0.0)], [(3.0, 0.0), (3.0, 7.0)]], ids=["itself", "one of two"]
)
def test_a_point_that_turns_about_itself_meets_the_end_of_a_path_ahead(points: list) -> None:
    b = Shape("path", [[(5.0, 0.0), (8.0, 0.0)]])
    for speed, meets in ((2.0, True), (math.nextafter(2.0, 0.0), False)):
        scene = Scene(Shape("point", points), b, Motion((speed, 0.0), 0.1, (3.0, 0.0)), 0.0)
        assert answer(scene).will_intersect is meets
        assert_turning(*scene, answer(scene))


def test_a_vertex_that_all_but_slides_along_a_path_comes_from_its_own_side() -> None:
    # The velocity is nearly parallel to the path.
    b = Shape("path", [[(5.000001999999, 3.999997999998998), (-0.999997999998, 4.000003999998999)]])
    motion = Motion((-1.0, 0.0), -1e-06, (4.0, 2.0))
    scene = Scene(Shape("point", [(3.0, 4.0)]), b, motion, 0.0)
    assert_turning(*scene, answer(scene))


@pytest.mark.parametrize("scale", [1e-158, 1e-154, 1e-100, 1e100])
def test_normals_have_length_one_whatever_underflows(scale: float) -> None:
    a, b = turns.box(0.2, -2.0, 0.2, 0.2), turns.box(0.0, 0.0, 1.0, 1.0)
    a, b = (Shape("polygon", [scaled(part, scale) for part in it.parts]) for it in (a, b))
    motion = Motion((-0.25 * scale, 1.9 * scale), 0.5, (0.3 * scale, -1.9 * scale))
    scene = Scene(a, b, motion, 0.0)
    assert math.hypot(*answer(scene).normal) == pytest.approx(1.0, abs=1e-15)
    assert_turning(*scene, answer(scene))


def scaled(rings: Any, factor: float) -> Any:
    return [[(x * factor, y * factor) for x, y in ring] for ring in rings]


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q"]))

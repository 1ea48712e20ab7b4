"""`first_contact` of footprints and obstacles that turn between their poses."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import courses, kinds, shapes
from generators.courses import CAR, Course
from helpers import bits
from reference.oracle import accuracy
from reference.oracle.check_turning import decimal
from reference.oracle.turning import swept_collision

TRAILER = shapes.box(-14.0, -1.25, 16.0, 2.5)
SWING = np.array([[(0.5 * k, 0.0, 0.3 * k) for k in range(3)]])
FAR = shapes.box(1000.0, 1000.0, 1.0, 1.0)
FIELDS = ("step", "time", "obstacle", "normal", "contact")


def found(course: Course, **keywords: Any) -> Any:
    """The library's answer to one trajectory."""
    given = {**course.given, **keywords}
    return carom.first_contact(course.footprint, [course.poses], course.obstacles, **given)[0]


def moment(answer: Any) -> float:
    """As one number: a contact at the end of a step may be at the start of the next."""
    return answer.step + answer.time if answer is not None and answer.step >= 0 else math.inf


def answer_bits(answer: Any, fields: tuple[str, ...]) -> list[bytes]:
    return [bits(getattr(answer, field)) for field in fields]


# --- between the poses --------------------------------------------------------------------------


def test_a_trailer_that_swings_over_a_post_hits_it_between_two_poses() -> None:
    post = [shapes.box(-13.5, -2.5, 0.2, 0.2)]
    for k in range(2):
        assert not carom.intersects(carom.place(np.array(TRAILER), SWING[0, k]), post[0])
    result = carom.first_contact(TRAILER, SWING[:, :2], post)
    assert result.step.tolist() == [0]
    swept = carom.swept_collision(TRAILER, post[0], (0.5, 0.0), turn_a=0.3, center_a=(0, 0))
    assert result.time[0] == swept.time
    assert bits(result.normal[0]) == bits(swept.normal)
    assert bits(result.contact[0]) == bits(swept.contact)


def test_held_headings_are_swept_straight_bit_for_bit() -> None:
    """Like footprints turned beforehand; on a grid, where nothing is rounded, like sweeps."""
    rng, hits = Random(5), 0
    for _ in range(200):
        course = courses.course(rng)
        if course.obstacle_poses is not None or len(course.poses) < 2:
            continue
        level = course._replace(poses=course.poses * (1, 1, 0))
        for heading in (0.0, 1.0):
            held = course._replace(poses=np.add(level.poses, (0, 0, heading)))
            here, want = found(held), courses.first_of_steps(held)
            assert moment(here) == pytest.approx(moment(want), rel=1e-12)
            turned = carom.place(np.array(course.footprint), (0, 0, heading))
            straight = found(level._replace(footprint=turned))
            assert answer_bits(here, FIELDS) == answer_bits(straight, FIELDS), held
            if heading == 0.0 and want is not None:
                assert answer_bits(here, FIELDS[:4]) == answer_bits(want, FIELDS[:4]), held
            hits += want is not None
    assert hits > 20


@pytest.mark.parametrize("turns", [-2, -1, 1, 3])
def test_headings_go_the_short_way_round(turns: int) -> None:
    """From 3.1 to -3.1 is a twelfth of a radian, not six; whole turns added change nothing."""
    bar = shapes.box(0.0, -0.1, 5.0, 0.2)
    post = [shapes.box(3.0, -0.5, 0.1, 0.1)]  # ahead of no heading near pi
    for one, other in ((3.1, -3.1), (-3.1, 3.1), (3.1, 3.1 + turns * math.tau)):
        ways = [[(0.0, 0.0, one), (0.0, 0.0, other)]]
        assert carom.first_contact(bar, ways, post).step.tolist() == [-1]
    behind = [shapes.box(-4.0, -0.105, 1.0, 0.001)]
    ways = [[(0.0, 0.0, 3.0), (0.0, 0.0, -3.0)]]
    hit = carom.first_contact(bar, ways, behind)
    turn = math.remainder(-6.0, math.tau)
    swept = carom.swept_collision(
        carom.place(np.array(bar), (0.0, 0.0, 3.0)), behind[0], (0, 0), turn_a=turn, center_a=(0, 0)
    )
    assert (hit.step[0], hit.time[0]) == (0, swept.time)


def test_half_a_turn_goes_the_way_of_the_remainder() -> None:
    bar = shapes.box(0.0, -0.1, 5.0, 0.2)
    left, right = shapes.box(-0.5, 3.0, 1.0, 1.0), shapes.box(-0.5, -4.0, 1.0, 1.0)
    for one, other in ((0.0, math.pi), (0.0, -math.pi), (math.pi, 0.0)):
        turn = math.remainder(other - one, math.tau)
        side = math.copysign(1.0, turn) * math.copysign(1.0, math.cos(one))
        hit = carom.first_contact(bar, [[(0.0, 0.0, one), (0.0, 0.0, other)]], [left, right])
        assert hit.obstacle.tolist() == [0 if side > 0 else 1]


def test_turning_on_the_spot_touches_on_the_way() -> None:
    poses = [(0.0, 0.0, 0.0), (0.0, 0.0, math.pi / 2)]
    above = shapes.box(-0.5, 2.0, 1.0, 1.0)
    hit = carom.first_contact(CAR, [poses], [above])[0]
    assert hit.step == 0
    assert 0.0 < hit.time < 1.0
    blocked = carom.first_contact(CAR, [poses], [shapes.box(2.0, 2.0, 0.1, 0.1)])[0]
    assert blocked.step == 0  # neither pose touches it


@pytest.mark.parametrize("seed", range(120))
def test_the_first_contact_is_that_of_a_loop_over_the_steps(seed: int) -> None:
    rng = Random(f"turning trajectories {seed}")
    course, margin = courses.course(rng), rng.choice([0.0, 0.0, 0.5])
    here, want = found(course, margin=margin), courses.first_of_steps(course, margin)
    assert moment(here) == pytest.approx(moment(want), rel=1e-10)
    if want is None:
        assert (here.step, here.obstacle, here.time) == (-1, -1, math.inf)
        return
    assert here.obstacle in want.others
    if len(want.others) == 1 and here.step == want.step:
        assert here.normal.tolist() == pytest.approx(want.normal.tolist(), abs=1e-9)
        np.testing.assert_allclose(here.contact, want.contact, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_the_first_contact_is_the_oracles(seed: int) -> None:
    """The footprint as placed at each pose, turned on from there, exactly."""
    rng = Random(f"turning oracle {seed}")
    course = courses.course(rng, obstacles=2)
    here = found(course)
    for k in range(course.steps + 1):
        times = [swept_collision(*scene).time for scene in courses.step_of(course, k).scenes]
        first = min((t for t in times if t is not None), default=None)
        if first is not None:
            assert here.step == k or (here.step == k - 1 and first == 0)
            assert here.step == k - 1 or accuracy.number(here.time, decimal(first))
            return
    assert here.step == -1


# --- obstacles with poses -----------------------------------------------------------------------


def test_obstacles_that_follow_straight_poses_are_obstacles_with_a_velocity() -> None:
    rng = Random(9)
    rings = [shapes.box(-1.0, -1.0, 2.0, 2.0), CAR, courses.LETTER]
    for _ in range(60):
        poses = courses.path(rng, 4)
        places = np.array([[rng.randint(-10, 10), rng.randint(-10, 10)] for _ in rings], float)
        drift = np.array([[rng.randint(-8, 8) / 8, rng.randint(-8, 8) / 8] for _ in rings])
        ways = np.zeros((3, 4, 3))
        ways[..., :2] = places[:, None] + np.arange(4)[:, None] * drift[:, None]
        column = carom.Shapes(rings)
        one = carom.first_contact(CAR, [poses], column, obstacle_poses=ways)[0]
        other = carom.first_contact(CAR, [poses], column.translate(places), velocity=drift)[0]
        assert moment(one) == pytest.approx(moment(other), rel=1e-10)
        assert one.obstacle == other.obstacle
        np.testing.assert_allclose(one.contact, other.contact, atol=1e-12)


def test_an_obstacle_turns_about_its_own_pose() -> None:
    """A gate at (10, 0) opens into the way of a car that stands."""
    gate = shapes.box(0.0, -0.1, 6.0, 0.2)
    standing = np.array([[(5.0, 0.0, 0.0)] * 3])
    ways = np.array([[(10.0, 0.0, math.pi / 2 * (1 + k / 2)) for k in range(3)]])
    hit = carom.first_contact(CAR, standing, [gate], obstacle_poses=ways)[0]
    assert hit.step == 1
    back = carom.swept_collision(
        carom.place(np.array(CAR), standing[0, 0]),
        carom.place(np.array(gate), ways[0, 1]),
        (0, 0),
        turn_b=math.pi / 4,
        center_b=(10.0, 0.0),
    )
    assert hit.time == pytest.approx(back.time, rel=1e-12)
    assert hit.contact.tolist() == back.contact.tolist()


def test_contact_and_normal_are_in_world_coordinates() -> None:
    """Both drive at the same speed, so that the frame of neither is the world's."""
    car = shapes.box(-1.0, -1.0, 2.0, 2.0)
    one = np.array([[(0.0, 0.0, 0.0), (8.0, 0.0, 0.0)]])
    other = np.array([[(10.0, 0.0, 0.0), (6.0, 0.0, 0.0)]])
    hit = carom.first_contact(car, one, [car], obstacle_poses=other)[0]
    assert hit.time == pytest.approx(8 / 12)
    assert hit.contact[:, 0].tolist() == pytest.approx([1 + 8 * 8 / 12] * 2)
    assert hit.normal.tolist() == [-1.0, 0.0]


def test_a_velocity_and_poses_are_one_too_many() -> None:
    ways = np.zeros((1, 3, 3))
    with pytest.raises(ValueError, match="obstacle_poses"):
        carom.first_contact(CAR, SWING, [FAR], velocity=(1.0, 0.0), obstacle_poses=ways)


@pytest.mark.parametrize("shape", [(2, 2, 3), (1, 3, 3), (3, 3, 3), (2, 3, 2), (3, 3), (1, 3)])
def test_poses_of_obstacles_are_one_for_each_obstacle_and_step(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="obstacle_poses"):
        carom.first_contact(CAR, SWING, [FAR, FAR], obstacle_poses=np.zeros(shape))


@pytest.mark.parametrize("query", [carom.first_contact, carom.clearance])
def test_one_footprint_serves_all_poses_of_obstacles(query) -> None:
    rng = Random(31)
    poses = [courses.path(rng, 4) for _ in range(20)]
    ways = np.array([courses.path(rng, 4) for _ in range(7)])
    expected = query(CAR, poses, [courses.LETTER] * 7, obstacle_poses=ways)
    assert len(set(expected.obstacle.tolist())) > 2
    for one in (courses.LETTER, [courses.LETTER], carom.Shapes([courses.LETTER])):
        found = query(CAR, poses, one, obstacle_poses=ways)
        for name, values in expected._asdict().items():
            np.testing.assert_array_equal(getattr(found, name), values)
        assert found.valid_obstacles.tolist() == [True] * 7


def test_bad_poses_of_obstacles_are_named() -> None:
    ways = np.zeros((2, 3, 3))
    ways[1, 2, 0] = math.nan
    with pytest.raises(ValueError, match=r"obstacle_poses\[1, 2\]"):
        carom.first_contact(CAR, SWING, [FAR, FAR], obstacle_poses=ways)


# --- what is asked, and what is masked ----------------------------------------------------------


def test_a_margin_grows_the_footprint_on_its_turn() -> None:
    post = [shapes.box(-12.6, -5.8, 0.2, 0.2)]
    assert carom.first_contact(TRAILER, SWING[:, :2], post).step.tolist() == [-1]
    hit = carom.first_contact(TRAILER, SWING[:, :2], post, margin=0.5)
    swept = carom.swept_collision(
        TRAILER, post[0], (0.5, 0.0), turn_a=0.3, center_a=(0, 0), margin=0.5
    )
    assert swept
    assert hit.time.tolist() == [swept.time]


def test_poses_without_heading_are_told_what_is_missing() -> None:
    with pytest.raises(ValueError, match="x, y, heading"):
        carom.first_contact(CAR, SWING[..., :2], [FAR])
    with pytest.raises(ValueError, match="x, y, heading"):
        carom.first_contact(CAR, SWING, [FAR], obstacle_poses=np.zeros((1, 3, 2)))


def test_ragged_trajectories_are_told_how_to_be_padded() -> None:
    ragged = [[(0.0, 0.0, 0.0)] * 3, [(0.0, 0.0, 0.0)] * 2]
    with pytest.raises(ValueError, match=r"(?i)\bpad|repeat"):
        carom.first_contact(CAR, ragged, [FAR])


def test_masked_trajectories_and_obstacles_are_told() -> None:
    ways = np.concatenate([SWING, SWING, SWING])
    ways[1, 1, 2] = math.inf
    posts = [shapes.box(-13.5, -2.5, 0.2, 0.2)] * 2
    there = np.zeros((2, 3, 3))
    there[0, 0] = math.nan
    hit = carom.first_contact(TRAILER, ways, posts, obstacle_poses=there, on_invalid="mask")
    assert hit.valid.tolist() == [True, False, True]
    assert hit.valid_obstacles.tolist() == [False, True]
    assert hit.step.tolist() == [0, -1, 0]
    assert hit.obstacle.tolist() == [1, -1, 1]
    assert np.isnan(hit.time).tolist() == [False, True, False]
    alone = carom.first_contact(TRAILER, SWING, posts[:1], obstacle_poses=there[1:])
    assert hit.time[0] == alone.time[0]


def test_a_masked_obstacle_counts_as_missing() -> None:
    drifts = np.array([(0.0, 0.0), (math.nan, 0.0)])
    posts = [shapes.box(-13.5, -2.5, 0.2, 0.2), shapes.box(0.0, 0.0, 1.0, 1.0)]
    hit = carom.first_contact(TRAILER, SWING, posts, velocity=drifts, on_invalid="mask")
    assert hit.valid_obstacles.tolist() == [True, False]
    assert hit.valid.tolist() == [True]
    assert (hit.step[0], hit.obstacle[0]) == (0, 0)


def test_fields_threads_out_and_unchecked_rows_change_no_bit() -> None:
    rng = Random(11)
    ways = np.array([courses.path(rng, 4) for _ in range(40)])
    column = kinds.column(courses.around(rng, 12))
    whole = carom.first_contact(CAR, ways, column)
    for keywords in ({"threads": 1}, {"threads": 3}, {"check": False}):
        other = carom.first_contact(CAR, ways, column, **keywords)
        assert all(bits(getattr(other, f)) == bits(getattr(whole, f)) for f in FIELDS)
    for field in FIELDS:
        some = carom.first_contact(CAR, ways, column, fields=(field,))
        assert bits(getattr(some, field)) == bits(getattr(whole, field))
        assert sum(getattr(some, f) is not None for f in FIELDS) == 1
    out = carom.first_contact(CAR, ways[::-1], column)
    again = carom.first_contact(CAR, ways, column, out=out)
    assert again.time is out.time
    assert all(bits(getattr(again, f)) == bits(getattr(whole, f)) for f in FIELDS)


def test_rows_do_not_depend_on_each_other() -> None:
    rng = Random(12)
    ways = np.array([courses.path(rng, 4) for _ in range(60)])
    column = kinds.column(courses.around(rng, 20))
    together = carom.first_contact(CAR, ways, column)
    for k in range(0, 60, 7):
        alone = carom.first_contact(CAR, ways[k : k + 1], column)
        for field in FIELDS:
            assert bits(getattr(alone, field)[0]) == bits(getattr(together, field)[k])


def test_every_kind_of_footprint_turns() -> None:
    rng = Random(13)
    for kind in kinds.KINDS:
        for _ in range(6):
            foot = kinds.column([kinds.shape(rng, size=2, kind=kind)])
            obstacles = kinds.column(courses.around(rng, 4))
            # At the first pose the heading is 0: the footprint is placed without rounding.
            spots = [(rng.randint(-8, 8), rng.randint(-8, 8)) for _ in range(3)]
            poses = np.array([(*spot, 0.25 * k) for k, spot in enumerate(spots)])
            hit = carom.first_contact(foot, [poses[:2]], obstacles)[0]
            start = foot.translate(poses[0, :2])
            swept = carom.swept_collision_batch(
                start, obstacles, poses[1, :2] - poses[0, :2], turn_a=0.25, center_a=poses[0, :2]
            )
            if swept.will_intersect.any():
                assert moment(hit) == pytest.approx(np.nanmin(swept.time), rel=1e-10)
            else:
                assert moment(hit) >= 1.0

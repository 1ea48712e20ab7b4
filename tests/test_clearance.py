"""`clearance`: how near whole trajectories come to obstacles."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import courses, kinds, shapes
from generators.courses import CAR, Course
from helpers import bits

AHEAD = [(6.0 * k, 0.0, 0.0) for k in range(5)]
SQUARE = shapes.box(-1.0, -1.0, 2.0, 2.0)
FIELDS = ("distance", "step", "time", "obstacle", "closest_a", "closest_b")


def found(course: Course, **keywords: Any) -> Any:
    given = {**course.given, **keywords}
    return carom.clearance(course.footprint, [course.poses], course.obstacles, **given)[0]


def least_of_steps(course: Course) -> np.ndarray:
    """The least distance of each step (rows) to each obstacle."""
    rows = []
    for k in range(course.steps + 1):
        step = courses.step_of(course, k)
        rows.append(step.ask(carom.closest_approach_batch).distance)
    return np.array(rows)


def test_the_nearest_obstacle_of_a_straight_way() -> None:
    posts = [
        shapes.box(20.0, 4.0, 1.0, 1.0),
        shapes.box(9.0, 3.0, 1.0, 1.0),
        shapes.box(0, 9, 1, 1),
    ]
    result = carom.clearance(SQUARE, [AHEAD], posts)
    assert result.distance.tolist() == [2.0]
    assert result.obstacle.tolist() == [1]
    assert result.step.tolist() == [1]
    assert 2 / 6 <= result.time[0] <= 5 / 6


def test_what_is_met_has_no_clearance_and_the_first_contacts_step() -> None:
    walls = [shapes.box(14.0, -5.0, 1.0, 10.0), shapes.box(10.0, -5.0, 1.0, 10.0)]
    near, hit = carom.clearance(SQUARE, [AHEAD], walls), carom.first_contact(SQUARE, [AHEAD], walls)
    assert near.distance.tolist() == [0.0]
    for field in ("step", "time", "obstacle"):
        assert bits(getattr(near, field)) == bits(getattr(hit, field))
    assert np.isnan([near.closest_a, near.closest_b]).all()


def test_no_obstacles_are_infinitely_far() -> None:
    for obstacles in ([], [None], carom.Shapes([None, None])):
        result = carom.clearance(SQUARE, [AHEAD, AHEAD], obstacles)
        assert result.distance.tolist() == [math.inf] * 2
        assert result.step.tolist() == [-1] * 2
        assert result.time.tolist() == [math.inf] * 2
        assert result.obstacle.tolist() == [-1] * 2
        assert np.isnan([result.closest_a, result.closest_b]).all()
    empty = carom.clearance(SQUARE, np.zeros((0, 4, 3)), [SQUARE])
    assert empty.distance.shape == (0,)


def test_one_pose_is_a_distance() -> None:
    posts = [shapes.box(4.0, 4.0, 1.0, 1.0), shapes.box(-9.0, 0.0, 3.0, 1.0)]
    result = carom.clearance(SQUARE, [[(0.0, 0.0, 0.0)], [(2.0, 2.0, 0.0)]], posts)
    assert result.distance.tolist() == pytest.approx([math.hypot(3, 3), math.hypot(1, 1)])
    assert result.step.tolist() == [0, 0]
    assert result.obstacle.tolist() == [0, 0]
    assert result.time.tolist() == [0.0, 0.0]


def test_it_is_had_on_the_turn_and_not_at_the_poses() -> None:
    """The corner comes round between two poses at which sides face the wall."""
    ways = [[(0.0, 0.0, 0.0), (0.0, 0.0, math.pi / 2)]]
    wall = [shapes.box(2.0, -9.0, 1.0, 18.0)]
    result = carom.clearance(SQUARE, ways, wall)[0]
    assert result.distance == pytest.approx(2 - math.sqrt(2), rel=1e-10)
    assert (result.step, result.obstacle) == (0, 0)
    assert result.time == pytest.approx(0.5, rel=1e-14)
    for pose in ways[0]:
        placed = carom.place(np.array(SQUARE), pose)
        assert carom.distance(placed, wall[0]).distance > 0.99


@pytest.mark.parametrize("seed", range(60))
def test_it_is_the_least_of_the_steps(seed: int) -> None:
    rng = Random(f"clearance {seed}")
    course = courses.course(rng)
    here, each = found(course), least_of_steps(course)
    ulps = 16 * math.ulp(64.0)
    assert here.distance == pytest.approx(float(np.nanmin(each)), rel=2e-10, abs=ulps)
    hit = carom.first_contact(course.footprint, [course.poses], course.obstacles, **course.given)[0]
    assert (here.distance == 0.0) is (hit.step >= 0)
    if hit.step >= 0:
        assert (here.step, here.time, here.obstacle) == (hit.step, hit.time, hit.obstacle)
        return
    assert here.distance > 0.0
    assert 0.0 <= here.time <= 1.0
    told = float(each[here.step, here.obstacle])
    assert told == pytest.approx(here.distance, rel=2e-10, abs=ulps)
    # The points lie as far apart as the shapes, each on the boundary of its own.
    assert math.dist(here.closest_a, here.closest_b) == pytest.approx(here.distance, abs=1e-8)
    step = courses.step_of(course, here.step)
    alone = step.ask(carom.closest_approach_batch)[here.obstacle]
    moved = (step.drift[here.obstacle]) * here.time
    for one, other in ((here.closest_a, alone.closest_a), (here.closest_b, alone.closest_b)):
        if here.distance == pytest.approx(told, abs=0.0):
            np.testing.assert_allclose(one, other + moved, atol=1e-8)


def test_obstacles_may_drift_or_follow_poses() -> None:
    standing = [[(0.0, 0.0, 0.0)] * 3]
    box = [shapes.box(-1.0, -1.0, 2.0, 2.0)]
    passing = np.array([[(-9.0, 5.0, 0.0), (0.0, 5.0, 0.0), (9.0, 4.0, 0.0)]])
    result = carom.clearance(SQUARE, standing, box, obstacle_poses=passing)
    assert result.step.tolist() == [1]
    assert 2.0 < result.distance[0] < 3.0
    drifting = carom.clearance(SQUARE, standing, [shapes.box(-10, 4, 2, 2)], velocity=(9.0, 0.0))
    assert drifting.distance.tolist() == [3.0]
    # Where both are at that time: the footprint stands, the obstacle has moved by 9 a step.
    moment = drifting.step[0] + drifting.time[0]
    assert -10 <= drifting.closest_b[0, 0] - 9 * moment <= -8
    assert (drifting.closest_a[0, 1], drifting.closest_b[0, 1]) == (1.0, 4.0)
    assert drifting.closest_a[0, 0] == pytest.approx(drifting.closest_b[0, 0])
    for found in (result, drifting):
        a, b = found.closest_a[0], found.closest_b[0]
        assert np.abs(a).max() <= 1.0
        assert math.dist(a, b) == pytest.approx(found.distance[0])
    with pytest.raises(ValueError, match="obstacle_poses"):
        carom.clearance(SQUARE, standing, box, velocity=(1.0, 0.0), obstacle_poses=passing)


def test_radii_are_taken_off() -> None:
    disc = carom.Shapes.from_points([(0.0, 0.0)], radius=1.0)
    posts = carom.Shapes.from_points([(9.0, 4.0), (15.0, 5.0)], radius=[0.5, 2.0])
    result = carom.clearance(disc, [AHEAD], posts)
    assert result.distance.tolist() == [2.0]
    assert (result.obstacle[0], result.step[0]) == (1, 2)
    assert result.time[0] == pytest.approx(0.5)


def test_masked_trajectories_and_obstacles() -> None:
    ways = np.array([AHEAD] * 3)
    ways[1, 2, 1] = math.nan
    with pytest.raises(ValueError, match=r"poses\[1, 2\]"):
        carom.clearance(SQUARE, ways, [SQUARE])
    drifts = np.array([(math.nan, 0.0), (0.0, 0.0)])
    posts = [shapes.box(9.0, 1.5, 1.0, 1.0), shapes.box(9.0, 3.0, 1.0, 1.0)]
    result = carom.clearance(SQUARE, ways, posts, velocity=drifts, on_invalid="mask")
    assert result.valid.tolist() == [True, False, True]
    assert result.valid_obstacles.tolist() == [False, True]
    assert result.step.tolist() == [1, -1, 1]
    assert result.obstacle.tolist() == [1, -1, 1]
    assert result.distance[[0, 2]].tolist() == [2.0, 2.0]
    assert np.isnan([result.distance[1], result.time[1], *result.closest_a[1]]).all()
    assert result.closest_b[0, 1] == 3.0


def test_threads_fields_and_out_change_no_bit() -> None:
    rng = Random(3)
    ways = np.array([courses.path(rng, 4) for _ in range(30)])
    column = kinds.column(courses.around(rng, 12))
    whole = carom.clearance(CAR, ways, column)
    assert list(whole._asdict()) == list(FIELDS)
    for keywords in ({"threads": 1}, {"threads": 3}, {"check": False}):
        other = carom.clearance(CAR, ways, column, **keywords)
        assert all(bits(getattr(other, f)) == bits(getattr(whole, f)) for f in FIELDS)
    for field in FIELDS:
        some = carom.clearance(CAR, ways, column, fields=(field,))
        assert bits(getattr(some, field)) == bits(getattr(whole, field))
    out = carom.clearance(CAR, ways[::-1], column)
    again = carom.clearance(CAR, ways, column, out=out)
    assert again.distance is out.distance
    for k in range(0, 30, 7):
        alone = carom.clearance(CAR, ways[k : k + 1], column)
        for field in FIELDS:
            assert bits(getattr(alone, field)[0]) == bits(getattr(whole, field)[k])


def test_there_is_no_margin() -> None:
    with pytest.raises(TypeError):
        carom.clearance(SQUARE, [AHEAD], [SQUARE], margin=1.0)  # type: ignore[call-arg]


def test_poses_without_heading_are_told_what_is_missing() -> None:
    with pytest.raises(ValueError, match="x, y, heading"):
        carom.clearance(SQUARE, [[(0.0, 0.0), (1.0, 0.0)]], [SQUARE])


GAPS = (6.7e-16, 2.2226664952995634e-13, 9.3e-10, 0.1)


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("velocity", [None, (-0.3, 0.0), (0.1, 0.0)])
def test_small_gaps_beside_a_straight_way_have_ten_digits(gap: float, velocity: Any) -> None:
    """Neither the way nor the displacement of the obstacle is a difference without rounding."""
    car = shapes.box(-2.0, -1.0, 4.0, 2.0)
    wall = shapes.box(10.0, 1.0 + gap, 3.0, 1.0)
    poses = [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (20.3, 0.0, 0.0)]
    near = carom.clearance(car, [poses], [wall], velocity=velocity)[0]
    assert near.distance == pytest.approx((1.0 + gap) - 1.0, rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize(("vertices", "scenes"), [(4, 30), (40, 8)])
def test_an_inexact_way_comes_as_near_as_fractions_say(vertices: int, scenes: int) -> None:
    """Where the nearest corners pass each other, and at the ends of the way."""
    rng = Random(vertices)
    for _ in range(scenes):
        ring = [(math.cos(k), math.sin(k)) for k in np.arange(vertices) * math.tau / vertices]
        x, y = rng.uniform(-5, 5), rng.uniform(2.5, 4.0)
        there = [(u + x, v + y) for u, v in ring]
        way = [(rng.uniform(-3, 3) + 0.1, rng.uniform(-0.5, 0.0), 0.0) for _ in range(2)]
        near = carom.clearance(ring, [way], [there])[0]
        (sx, sy, _), (ex, ey, _) = way
        here = [(u + sx, v + sy) for u, v in ring]
        x, y = Fraction(ex) - Fraction(sx), Fraction(ey) - Fraction(sy)
        least = min(
            square
            for moving, still, by in ((here, there, (x, y)), (there, here, (-x, -y)))
            for point in moving
            for edge in itertools.pairwise([*still, still[0]])
            for square in squares_of_way(point, edge, by)
        )
        assert near.distance == pytest.approx(math.sqrt(least), rel=1e-10)


def squares_of_way(point: Any, edge: Any, way: Any) -> list[Fraction]:
    """Squared distances of a moving point and an edge: at the start, at the end, and where it
    passes the start of the edge."""
    (px, py), (ax, ay), (bx, by) = (tuple(map(Fraction, map(float, p))) for p in (point, *edge))
    (wx, wy), found = way, []
    gx, gy, ex, ey = px - ax, py - ay, bx - ax, by - ay
    for qx, qy in ((gx, gy), (gx + wx, gy + wy)):
        part = min(max((qx * ex + qy * ey) / (ex * ex + ey * ey), Fraction(0)), Fraction(1))
        found.append((qx - part * ex) ** 2 + (qy - part * ey) ** 2)
    time = -(gx * wx + gy * wy) / (wx * wx + wy * wy)
    if 0 <= time <= 1:
        found.append((gx + time * wx) ** 2 + (gy + time * wy) ** 2)
    return found

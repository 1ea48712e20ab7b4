"""`first_contact`: the first obstacle on each of many trajectories."""

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

from generators import areas, courses, kinds, shapes
from generators.areas import bare
from helpers import bits
from reference import oracle

CAR = [(-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0)]
WALL = shapes.box(10.0, -5.0, 1.0, 10.0)
POST = shapes.box(20.0, -0.5, 1.0, 1.0)
AHEAD = [(6.0 * k, 0.0, 0.0) for k in range(5)]


def expected(footprint: Any, poses: Any, obstacles: Any, velocity: Any) -> Any:
    placed = [areas_of(carom.place(footprint, pose)) for pose in poses]
    positions = [(x, y) for x, y, _ in poses]
    return oracle.trajectory(placed, positions, obstacles, velocity)


def areas_of(ring: Any) -> areas.Area:
    return [[(float(x), float(y)) for x, y in ring]]


def test_the_nearest_obstacle_is_touched_first() -> None:
    result = carom.first_contact(CAR, [AHEAD], [POST, WALL])
    assert result.step.tolist() == [1]
    assert result.obstacle.tolist() == [1]
    assert result.time.tolist() == [2 / 6]
    assert result.normal.tolist() == [[-1.0, 0.0]]
    assert sorted(result.contact[0].tolist()) == [[10.0, -1.0], [10.0, 1.0]]


def test_what_is_never_touched_is_blank() -> None:
    result = carom.first_contact(CAR, [AHEAD], [shapes.moved(WALL, 0.0, 50.0), None])
    assert result.step.tolist() == [-1]
    assert result.time.tolist() == [math.inf]
    assert result.obstacle.tolist() == [-1]
    assert result.normal.tolist() == [[0.0, 0.0]]
    assert np.isnan(result.contact).all()
    assert not result[0]


def test_a_row_is_a_result_that_is_true_when_something_is_touched() -> None:
    row = carom.first_contact(CAR, [AHEAD], [WALL])[0]
    assert row
    assert (row.step, row.obstacle) == (1, 0)
    assert type(row.step) is int


def test_a_thin_wall_between_poses_is_not_jumped() -> None:
    poses = [(0.0, 0.0, 0.0), (100.0, 0.0, 0.0)]
    thin = shapes.box(50.0, -1.0, 2.0**-40, 2.0)
    assert carom.first_contact(CAR, [poses], [thin]).time.tolist() == [0.48]


def test_an_overlap_at_the_start_is_touched_at_time_zero() -> None:
    result = carom.first_contact(CAR, [AHEAD], [shapes.box(0.0, 0.5, 1.0, 9.0)])
    assert (result.step[0], result.time[0]) == (0, 0.0)
    assert result.normal[0].tolist() == [0.0, -1.0]


def test_turning_on_the_spot_touches_on_the_way() -> None:
    poses = [(0.0, 0.0, 0.0), (0.0, 0.0, math.pi / 2)]
    above = shapes.box(-0.5, 1.5, 1.0, 1.0)
    result = carom.first_contact(CAR, [poses], [above])
    sweep = carom.swept_collision(CAR, above, (0, 0), turn_a=math.pi / 2, center_a=(0, 0))
    assert (result.step[0], result.time[0]) == (0, sweep.time)
    assert 0.0 < sweep.time < 1.0


def test_the_last_pose_is_tested_where_it_stands() -> None:
    poses = [(0.0, 0.0, 0.0), (8.0, 0.0, 0.0)]
    result = carom.first_contact(CAR, [poses, [(8.0, 0.0, 0.0)] * 2], [WALL])
    assert result.step.tolist() == [0, 0]
    assert result.time.tolist() == [1.0, 0.0]


def test_one_pose_is_a_test_where_it_stands() -> None:
    result = carom.first_contact(CAR, [[(8.0, 0.0, 0.0)], [(7.0, 0.0, 0.0)]], [WALL])
    assert result.step.tolist() == [0, -1]


def test_an_obstacle_does_not_move_on_from_the_last_pose() -> None:
    poses = [[(0.0, 0.0, 0.0)]]
    assert carom.first_contact(CAR, poses, [WALL], velocity=(-20.0, 0.0)).step.tolist() == [-1]


def test_of_obstacles_touched_at_once_it_is_the_first() -> None:
    result = carom.first_contact(CAR, [AHEAD], [POST, WALL, WALL, shapes.box(10.0, 0.0, 3.0, 3.0)])
    assert result.obstacle.tolist() == [1]


def test_the_contact_is_where_it_is_at_that_time() -> None:
    poses = [(0.0, 0.0, 0.0)] * 6
    wall = shapes.moved(WALL, 20.0, 0.0)
    result = carom.first_contact(CAR, [poses], [wall], velocity=(-8.0, 0.0))
    assert (result.step[0], result.time[0]) == (3, 0.5)
    assert {x for x, _ in result.contact[0].tolist()} == {2.0}


def test_no_poses_touch_nothing() -> None:
    assert carom.first_contact(CAR, np.zeros((3, 0, 3)), [WALL]).step.tolist() == [-1, -1, -1]
    assert carom.first_contact(CAR, np.zeros((0, 4, 3)), [WALL]).step.shape == (0,)
    assert carom.first_contact(CAR, [AHEAD], []).step.tolist() == [-1]


def test_each_trajectory_may_have_its_own_footprint() -> None:
    wide = shapes.stretched(CAR, 1.0, 3.0)
    beside = [shapes.box(10.0, 2.0, 1.0, 1.0)]
    result = carom.first_contact(carom.Shapes([CAR, wide, None]), [AHEAD] * 3, beside)
    assert result.step.tolist() == [-1, 1, -1]
    assert np.isnan(result.time[2])


def test_a_footprint_may_have_a_hole() -> None:
    frame = [shapes.box(-5.0, -5.0, 10.0, 10.0), shapes.box(-4.0, -4.0, 8.0, 8.0)]
    inside = [shapes.box(-1.0, -1.0, 2.0, 2.0)]
    result = carom.first_contact([frame], [[(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)]], inside)
    assert (result.step[0], result.time[0]) == (0, 3 / 9)


def course(rng: Random, count: int) -> list[tuple[float, float, float]]:
    x, y, heading = rng.uniform(-9, 9), rng.uniform(-9, 9), 0.0
    poses = []
    for _ in range(count):
        poses.append((x, y, heading))
        heading = rng.choice([heading, heading, heading + math.pi / 2, rng.uniform(-3, 3)])
        x, y = x + rng.choice([0.0, 3.0, rng.uniform(-4, 4)]), y + rng.choice([0.0, -1.0, 2.5])
    return poses


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(150))
def test_trajectories_end_where_the_oracle_says(seed: int) -> None:
    rng = Random(seed)
    footprint = rng.choice([CAR, shapes.lattice(rng), areas.letter(rng)])
    # The oracle does not turn; test_turning_trajectories.py has one that does.
    heading = rng.uniform(-3, 3)
    poses = [(x, y, heading) for x, y, _ in course(rng, rng.randint(1, 5))]
    obstacles = [
        areas.shifted(area, rng.uniform(-20, 20), float(rng.randint(-20, 20)))
        for area in (areas.area(rng) for _ in range(3))
    ]
    obstacles = [area for area in obstacles if oracle.is_valid(area)]
    velocity = [rng.choice([(0.0, 0.0), (0.1, -0.7), (1.5, 0.25)]) for _ in obstacles]
    if not all(oracle.is_valid(areas_of(carom.place(footprint, pose))) for pose in poses):
        pytest.skip("rounding breaks the footprint, which has a test of its own")
    truth = expected(footprint, poses, obstacles, velocity)
    result = carom.first_contact(
        footprint, [poses], [bare(o) for o in obstacles], velocity=velocity
    )[0]
    if truth is None:
        assert (result.step, result.obstacle, result.time) == (-1, -1, math.inf)
    else:
        step, time, obstacle = truth
        assert (result.step, result.obstacle) == (step, obstacle)
        assert result.time == pytest.approx(float(time), rel=1e-10, abs=0)


@pytest.mark.parametrize("seed", range(60))
def test_a_drifting_obstacle_is_nowhere_rounded(seed: int) -> None:
    rng = Random(seed)
    step = rng.randint(1, 7)
    drift = rng.choice([0.1, 0.3, 1e-3]), rng.choice([0.7, 1 / 3])
    # A moving post that touches the car after some steps, or barely misses it.
    x = 2.0 - step * drift[0]
    for corner in (math.nextafter(x, -9), x, math.nextafter(x, 9)):
        post = shapes.box(corner, 1.0 + rng.random() - step * drift[1], 1.0, 1.0)
        poses = [(-50.0, -90.0, 0.0)] * step + [(0.0, 0.0, 0.0)]
        truth = expected(CAR, poses, [[post]], [drift])
        found = carom.first_contact(CAR, [poses], [post], velocity=[drift])[0]
        assert found.step == (-1 if truth is None else truth[0])
        if truth is not None:
            assert found.time == pytest.approx(float(truth[1]), rel=1e-10, abs=0)


def test_a_point_beside_a_drifting_obstacle_by_less_than_its_rounding_does_not_touch_it() -> None:
    at, above = (8.0, 2.0), (8.0, 9.0)
    poses = [[(-50.0, 0.0, 0.0), (0.0, 0.0, 0.0)]]
    for point in (shapely.Point(at), shapely.MultiPoint([at, (8.0, -9.0)])):
        for obstacle in (
            shapely.Point(at),
            shapely.MultiPoint([at, at]),
            shapely.LineString([at, above]),
            shapely.box(8, 2, 9, 3),
        ):
            for drift in (2.0**-58, 0.0):
                found = carom.first_contact([point], poses, [obstacle], velocity=[(0.0, drift)])
                assert (found.step[0] == -1) == (drift > 0)


def test_steps_at_rest_are_sweeps_bit_for_bit() -> None:
    rng = Random(5)
    for _ in range(200):
        a, b = areas.pair(rng, rng.choice(list(areas.PAIRS)))
        v = areas.velocity(rng, a, b, rng.choice(areas.VELOCITIES))
        swept = carom.swept_collision(bare(a), bare(b), v)
        if math.copysign(1.0, v[0]) < 0 or not swept:
            continue
        found = carom.first_contact([bare(a)], [[(0.0, 0.0, 0.0), (*v, 0.0)]], [bare(b)])[0]
        assert found.time == swept.time
        assert found.normal.tobytes() == swept.normal.tobytes()
        assert found.contact.tobytes() == swept.contact.tobytes()


@pytest.mark.parametrize("shape", [(3, 5, 3), (1, 5, 3)])
def test_poses_may_be_repeated_by_broadcasting(shape: tuple[int, ...]) -> None:
    repeated = np.broadcast_to(np.array(AHEAD), shape)
    result = carom.first_contact(CAR, repeated, [POST, WALL])
    expected = carom.first_contact(CAR, np.array(repeated), [POST, WALL])
    for name, array in expected._asdict().items():
        assert array.tobytes() == getattr(result, name).tobytes()
    standing = carom.first_contact(CAR, np.broadcast_to(np.array(AHEAD[2]), (2, 4, 3)), [WALL])
    assert standing.step.tolist() == [0, 0]
    with pytest.raises(ValueError, match=r"poses\[0, 0\] is"):
        carom.first_contact(CAR, np.broadcast_to([math.nan, 0.0, 0.0], (2, 4, 3)), [WALL])


def test_rings_that_look_like_one_polygon_with_holes_are_told() -> None:
    court = [shapes.box(0.0, 0.0, 100.0, 100.0), shapes.box(1.0, 1.0, 98.0, 98.0)]
    poses = [[(50.0 + 6.0 * k, 50.0, 0.0) for k in range(5)]]
    with pytest.warns(UserWarning, match=r"obstacles: .* \[\[shell, hole\]\]"):
        assert carom.first_contact(CAR, poses, court).step.tolist() == [0]
    assert carom.first_contact(CAR, poses, [court]).step.tolist() == [-1]
    assert carom.first_contact(CAR, poses, [[ring] for ring in court]).step.tolist() == [0]


def test_a_footprint_that_rounding_breaks_is_refused_by_pose() -> None:
    sliver = [(0.0, 0.0), (1.0, 0.0), (1.0, 2.0**-40)]
    poses = [[(0.0, 0.0, 0.0)] * 2, [(0.0, 0.0, 0.0), (1e9, 1e9, 0.0)]]
    with pytest.raises(ValueError, match=r"poses\[1, 1\]: the footprint as placed there: "):
        carom.first_contact(sliver, poses, [WALL])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"poses": AHEAD}, ValueError, r"poses: expected shape \(K, T, 3\), got \(5, 3\)"),
        ({"poses": [[(0, 0)]]}, ValueError, "poses: expected shape"),
        ({"poses": [[(0, 0, 0), (0, math.nan, 0)]]}, ValueError, r"poses\[0, 1\] is \(0.0, nan"),
        ({"velocity": (0, math.inf)}, ValueError, "velocity is"),
        ({"velocity": [(0, 0)] * 2}, ValueError, r"obstacles \(1,\), velocity \(2,\)"),
        ({"footprints": [CAR, CAR]}, ValueError, "footprints: expected one, or one for each of 1"),
        ({"footprints": [(0, 0), (1, 1)]}, ValueError, r"footprints\[0\]: "),
        ({"obstacles": WALL}, ValueError, "obstacles: expected a sequence of shapes"),
        ({"obstacles": 3}, TypeError, "obstacles: "),
    ],
)
def test_bad_arguments_are_named(arguments: dict, error: type, message: str) -> None:
    given = {"footprints": CAR, "poses": [AHEAD], "obstacles": [WALL], **arguments}
    with pytest.raises(error, match=message):
        carom.first_contact(**given)


def test_the_answers_of_rows_do_not_depend_on_each_other() -> None:
    rng = Random(8)
    poses = [course(rng, 6) for _ in range(300)]
    obstacles = carom.Shapes(
        [shapes.moved(shapes.lattice(rng), k % 7 * 9.0, k // 7 * 9.0) for k in range(40)]
    )
    together = carom.first_contact(CAR, poses, obstacles, velocity=(0.5, -0.25))
    for k in range(0, 300, 17):
        alone = carom.first_contact(CAR, [poses[k]], obstacles, velocity=(0.5, -0.25))
        for name, array in together._asdict().items():
            assert array[k].tobytes() == getattr(alone, name)[0].tobytes()


def test_oracle_and_time_agree_on_a_plain_case() -> None:
    assert expected(CAR, AHEAD, [[WALL]], [(0.0, 0.0)]) == (1, Fraction(1, 3), 0)


def test_a_margin_is_met_exactly_on_the_way_and_at_the_last_pose() -> None:
    car = carom.Shapes.from_points([(0.0, 0.0)], radius=1.0)
    wall = [[(10.0, -1.0), (12.0, -1.0), (12.0, 1.0), (10.0, 1.0)]]
    ways = np.array([[(0.0, 0.0, 0.0), (8.0, 0.0, 0.0)], [(0.0, 0.0, 0.0), (6.0, 0.0, 0.0)]])
    assert carom.first_contact(car, ways, wall).step.tolist() == [-1, -1]
    near = carom.first_contact(car, ways, wall, margin=1.0)
    assert near.step.tolist() == [0, -1]
    assert near.time.tolist() == [1.0, np.inf]
    assert carom.first_contact(car, ways, wall, margin=[[0.0], [3.0]]).step.tolist() == [-1, 0]
    with pytest.raises(ValueError, match=r"margin\[1, 0\] is -1.0"):
        carom.first_contact(car, ways, wall, margin=[[0.0], [-1.0]])


def test_a_margin_of_each_obstacle_is_that_of_a_call_with_this_obstacle_alone() -> None:
    rng = Random(11)
    drift = np.array([(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(7)])
    margins = np.array([0.0, 0.25, 4.0, 1e-300, 2.0, 0.0, 9.0])
    seen = set()
    for seed in range(40):
        course = courses.course(Random(f"margins {seed}"))
        obstacles = kinds.column(courses.around(rng, 7))
        for velocity in (None, drift):
            given = {"velocity": velocity}
            foot, way = course.footprint, [course.poses, course.poses[::-1]]
            found = carom.first_contact(foot, way, obstacles, margin=margins, **given)
            pairs = carom.first_contact(foot, way, obstacles, margin=[margins] * 2, **given)
            alone = [
                carom.first_contact(
                    foot,
                    way,
                    obstacles[m : m + 1],
                    margin=margins[m],
                    velocity=velocity if velocity is None else velocity[m],
                )
                for m in range(7)
            ]
            for k in range(2):
                times = [(int(one.step[k]), float(one.time[k])) for one in alone if one.hit[k]]
                assert found.hit[k] == bool(times)
                if times:
                    told = int(found.obstacle[k])
                    moment = (int(found.step[k]), float(found.time[k]))
                    assert moment == (alone[told].step[k], alone[told].time[k])
                    assert sum(moment) <= sum(min(times)) + 1e-11
                    seen.add(told)
                assert bits(pairs.contact[k]) == bits(found.contact[k])
                assert bits(pairs.time[k]) == bits(found.time[k])
    assert len(seen) > 4


def test_an_obstacle_with_an_invalid_margin_is_refused_or_masked() -> None:
    ahead, walls = [[(0.0, 0.0, 0.0), (20.0, 0.0, 0.0)]], [WALL, WALL]
    for bad in (-1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match=r"^margin\[1\] is") as caught:
            carom.first_contact(CAR, ahead, walls, margin=[0.0, bad])
        assert isinstance(caught.value, carom.InputError)
        assert (caught.value.argument, caught.value.row) == ("margin", 1)
        found = carom.first_contact(CAR, ahead, walls, margin=[bad, 0.0], on_invalid="mask")
        assert found.valid_obstacles.tolist() == [False, True]
        assert (found.obstacle.tolist(), found.valid.tolist()) == ([1], [True])
        of_pairs = [[0, 0], [0, bad]]
        pairs = carom.first_contact(CAR, ahead * 2, walls, margin=of_pairs, on_invalid="mask")
        assert (pairs.hit.tolist(), pairs.valid.tolist()) == ([True, False], [True, False])
        with pytest.raises(ValueError, match=r"^margin\[1, 1\] is"):
            carom.first_contact(CAR, ahead * 2, walls, margin=[[0, 0], [0, bad]])
    with pytest.raises(
        ValueError,
        match=r"^margin: expected a number, or shape \(2,\) for each obstacle, \(3, 1\) for each "
        r"trajectory or \(3, 2\) for each pair, got \(3,\)",
    ):
        carom.first_contact(CAR, ahead * 3, walls, margin=[0.0, 1.0, 2.0])
    for shape in ((0,), (3, 0), (3, 1), (1,), ()):
        free = carom.first_contact(CAR, ahead * 3, [], margin=np.zeros(shape))
        assert free.hit.tolist() == [False] * 3


def test_hit_tells_which_trajectories_touch_an_obstacle() -> None:
    ways = [[(0.0, 0.0, 0.0), (20.0, y, 0.0)] for y in (0.0, 50.0)]
    found = carom.first_contact(CAR, ways, [WALL])
    assert found.hit.dtype == bool
    assert found.hit.tolist() == (found.step >= 0).tolist() == [True, False]
    assert [row.hit for row in found] == [True, False]
    assert carom.first_contact(CAR, ways, [WALL], fields=("hit",)).hit.tolist() == [True, False]
    ways[0][1] = (math.nan, 0.0, 0.0)
    assert carom.first_contact(CAR, ways, [WALL], on_invalid="mask").hit.tolist() == [False] * 2


def test_a_bad_footprint_masks_its_trajectory_alone() -> None:
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    bow = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]
    hole = [(0.0, 0.0), (np.nan, 0.0), (1.0, 1.0)]
    rows = [square, bow, None, "square", hole, square]
    ways = np.tile([(0.0, 0.0, 0.0), (5.0, 0.0, 0.0)], (len(rows), 1, 1))
    wall = [[(3.0, -1.0), (4.0, -1.0), (4.0, 2.0), (3.0, 2.0)]]
    far = np.add(wall, 10.0)
    with pytest.raises(ValueError, match=r"footprints\[1\]: the ring meets itself"):
        carom.first_contact([square, bow], ways[:2], wall)
    hit = carom.first_contact(rows, ways, wall, on_invalid="mask")
    near = carom.clearance(rows, ways, far, on_invalid="mask")
    for result in (hit, near):
        assert result.valid.tolist() == [True, False, True, False, False, True]
    assert hit.step.tolist() == [0, -1, -1, -1, -1, 0]
    assert np.isnan(near.distance).tolist() == [False, True, True, True, True, False]
    all_bad = carom.first_contact(bow, ways, wall, on_invalid="mask")
    assert not all_bad.valid.any()
    masked = carom.Shapes(rows[:3], on_invalid="mask")
    assert carom.first_contact(masked, ways[:3], wall).step.tolist() == [0, -1, -1]


@pytest.mark.parametrize("query", [carom.first_contact, carom.clearance])
@pytest.mark.parametrize("bad", [(np.nan, 1.0), (0.5, -1.0)])
def test_bad_shapes_are_let_pass_without_check(query: Any, bad: tuple[float, float]) -> None:
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    wrong = square.copy()
    wrong[2] = bad
    ways = np.array([[(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)]])
    for footprints, obstacles in (
        (wrong, square[None] + 5.0),
        ([wrong], square[None] + 5.0),
        (square, wrong[None] + 5.0),
    ):
        with pytest.raises(ValueError, match=r"vertex 2 is|meets itself"):
            query(footprints, ways, obstacles)
        answer = query(footprints, ways, obstacles, check=False)
        assert answer.step.shape == (1,)
    moving = {"obstacle_poses": ways}
    assert query(square, ways, [wrong], check=False, **moving).step.shape == (1,)
    good = square[None] + np.array([5.0, 0.0])
    answers = [query(square, ways, good, check=check) for check in (True, False)]
    assert answers[0].time.tobytes() == answers[1].time.tobytes()


def test_a_bad_pose_masks_its_trajectory_alone() -> None:
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    ways = np.zeros((3, 2, 3))
    ways[:, 1, 0] = 5.0
    ways[1, 1, 2] = np.nan
    wall = [[(3.0, 0.0), (4.0, 0.0), (4.0, 1.0), (3.0, 1.0)]]
    with pytest.raises(ValueError, match=r"poses\[1, 1\]"):
        carom.first_contact(square, ways, wall)
    result = carom.first_contact(square, ways, wall, on_invalid="mask", fields=("step", "time"))
    assert result.valid.tolist() == [True, False, True]
    assert result.step.tolist() == [0, -1, 0]
    assert result.obstacle is None
    np.testing.assert_array_equal(result.time, [0.4, np.nan, 0.4])
    hidden = np.ma.array(np.nan_to_num(ways), mask=np.isnan(ways))
    margin = np.ma.array([[0.0], [1.0], [0.0]], mask=[[False], [True], [False]])
    for given in ({"poses": hidden}, {"poses": np.nan_to_num(ways), "margin": margin}):
        masked = carom.first_contact(square, obstacles=wall, on_invalid="mask", **given)
        np.testing.assert_array_equal(masked.time, result.time)
        with pytest.raises(
            ValueError, match=r"(poses\[1, 1\]: component 2|margin\[1, 0\]) is masked"
        ):
            carom.first_contact(square, obstacles=wall, **given)
    one = carom.first_contact(square, ways[:1], wall, threads=1, check=False, out=None)
    assert one.step.tolist() == [0]
    with pytest.raises(TypeError, match="pairs"):
        carom.first_contact(square, ways, wall, pairs=([0], [0]))  # type: ignore[call-arg]


def test_a_rounded_obstacle_does_not_change_which_of_the_others_is_first() -> None:
    # The times of all three are a few units in the last place apart.
    foot = [
        (-92.52000021773641, 37.96115856648812),
        (91.74235081130375, -39.80378207677852),
        (92.13117551452008, -38.88247032163332),
        (-92.13117551452008, 38.88247032163332),
    ]
    path = [(0.0, 0.0, 0.0), (0.1381153668576921, 0.23966120721893205, 0.0)]
    later = [
        (-32.56971994533582, 13.854063643823439),
        (-32.08876406660496, 14.736492928647007),
        (-32.27302641763401, 14.814257869290273),
    ]
    first = [
        (14.562910023626225, -6.037499398915171),
        (15.043865902357078, -5.155070114091603),
        (14.85960355132804, -5.077305173448337),
    ]
    disc = shapely.Point(63.662126743194484, -26.216324064199696)
    step, _, row = expected(foot, path, [[later], [first]], [(0.0, 0.0)] * 2)
    assert (step, row) == (0, 1)
    rows = [("first", shapely.Polygon(first)), ("later", shapely.Polygon(later)), ("disc", disc)]
    for order in itertools.permutations(rows):
        radii = [0.5 if name == "disc" else 0.0 for name, _ in order]
        column = carom.Shapes([shape for _, shape in order]).with_radius(radii)
        found = carom.first_contact(foot, [path], column)
        assert found.step[0] == 0
        assert order[found.obstacle[0]][0] != "later"

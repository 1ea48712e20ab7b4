"""`first_contact` and `clearance` of `Trajectories`: those of arrays; gaps, times and groups."""

from __future__ import annotations

import math
import pickle
import re
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import courses, kinds, shapes
from helpers import bits

CAR = shapes.box(-2.0, -1.0, 4.0, 2.0)
QUERIES = [carom.first_contact, carom.clearance]
NAN, INF = math.nan, math.inf
Query = Any


def assert_same(one: Any, other: Any) -> None:
    """Both batch results are the same to the bit."""
    assert list(one._asdict()) == list(other._asdict())
    for name, values in one._asdict().items():
        assert bits(values) == bits(getattr(other, name)), name
    assert one.valid.tolist() == other.valid.tolist()
    assert one.valid_obstacles.tolist() == other.valid_obstacles.tolist()


def course(
    rng: Random,
    count: int,
    steps: int,
    kind: str | None = None,
    feet: int | None = None,
    ahead: float = 0.0,
) -> tuple[carom.Shapes, np.ndarray]:
    """Small shapes of all kinds, some with a radius, and poses, where rounding breaks none."""
    poses = np.array([courses.path(rng, steps) for _ in range(count)]).reshape(count, steps, 3)
    poses[..., 0] += ahead
    while True:
        shown = [kinds.shape(rng, size=2, kind=kind) for _ in range(feet or count)]
        own = kinds.column(shown) if shown else carom.Shapes([])
        if carom.Trajectories(own, poses, on_invalid="mask").is_valid.all():
            return own, poses


# --- bit for bit --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.KINDS)
@pytest.mark.parametrize("query", QUERIES)
def test_they_answer_as_arrays_do(query: Query, kind: str) -> None:
    hits = set()
    for seed in range(12):
        rng = Random(f"kept {kind} {seed}")
        count, steps, others = rng.randint(1, 6), rng.randint(1, 5), rng.randint(0, 5)
        own, poses = course(rng, count, steps, kind, rng.choice([1, count]))
        obstacles, moves = course(rng, others, steps)
        log = carom.Trajectories(own, poses)
        drift = np.array([(rng.uniform(-1, 1), rng.randint(-8, 8) / 8) for _ in range(others)])
        drift = drift.reshape(others, 2)
        assert_same(query(log, obstacles), query(own, poses, obstacles))
        for name in ("obstacle_velocity", "velocity"):
            given = {name: drift}
            found = query(log, obstacles, **given)
            assert_same(found, query(own, poses, obstacles, velocity=drift))
        want = query(own, poses, obstacles, obstacle_poses=moves)
        bodies = carom.Trajectories(obstacles, moves)
        for found in (query(log, bodies), query(own, poses, bodies), query(log, obstacles=bodies)):
            assert_same(found, want)
        assert_same(query(footprints=log, obstacles=bodies), want)
        hits |= set(want.step.tolist())
    assert len(hits) > 2


def test_margins_of_all_shapes_are_those_of_arrays() -> None:
    rng = Random(5)
    (own, poses), (obstacles, moves) = course(rng, 4, 4), course(rng, 3, 4)
    log, bodies = carom.Trajectories(own, poses), carom.Trajectories(obstacles, moves)
    numbers = np.random.default_rng(6).random((4, 3)) * 5
    for margin in (0.0, 2.5, numbers[0], numbers[:, :1], numbers, numbers[:1]):
        found = carom.first_contact(log, obstacles, margin=margin)
        assert_same(found, carom.first_contact(own, poses, obstacles, margin=margin))
        found = carom.first_contact(log, bodies, margin=margin)
        given = {"obstacle_poses": moves, "margin": margin}
        assert_same(found, carom.first_contact(own, poses, obstacles, **given))
    bad = numbers.copy()
    bad[2, 1] = -1.0
    with pytest.raises(ValueError, match=re.escape("margin[2, 1] is -1")):
        carom.first_contact(log, obstacles, margin=bad)
    given = {"margin": bad, "on_invalid": "mask"}
    found = carom.first_contact(log, obstacles, **given)
    assert found.valid.tolist() == [True, True, False, True]
    assert_same(found, carom.first_contact(own, poses, obstacles, **given))


@pytest.mark.parametrize("query", QUERIES)
def test_fields_out_and_threads_change_no_bit(query: Query) -> None:
    rng = Random(7)
    poses = course(rng, 40, 5)[1]
    log = carom.Trajectories(CAR, poses, times=range(5), groups=[k // 2 for k in range(40)])
    bodies = carom.Trajectories(*course(rng, 12, 5))
    want = query(log, bodies)
    assert len(want.part) == len(want.at) == 20
    for keywords in ({"threads": 1}, {"threads": 2}, {"threads": 5}, {"check": False}):
        assert_same(query(log, bodies, **keywords), want)
    for name, values in want._asdict().items():
        one = query(log, bodies, fields=(name,))
        assert bits(getattr(one, name)) == bits(values)
        others = [other for other in want._asdict() if other != name]
        assert all(getattr(one, other) is None for other in others)
    out = query(log[::-1], bodies)
    again = query(log, bodies, out=out)
    assert again.time is out.time
    assert_same(again, want)
    arrays = {name: np.empty_like(values) for name, values in want._asdict().items()}
    query(log, bodies, out=arrays)
    assert all(bits(arrays[name]) == bits(values) for name, values in want._asdict().items())
    for k in range(0, 20, 3):
        row = query(log[[2 * k, 2 * k + 1]], bodies)
        assert bits(row.time[0]) == bits(want.time[k])
        assert row.obstacle[0] == want.obstacle[k]


# --- what is refused ----------------------------------------------------------------------------

LOG = carom.Trajectories(CAR, np.zeros((2, 3, 3)), times=range(3))


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(
    ("positional", "keywords", "kind", "message"),
    [
        ((LOG, [CAR]), {"poses": LOG.poses}, ValueError, "poses: given with Trajectories"),
        (
            (LOG, [CAR]),
            {"obstacle_poses": LOG.poses},
            ValueError,
            "obstacle_poses: given with Trajectories",
        ),
        ((LOG, LOG), {"velocity": (1, 0)}, ValueError, "velocity: given with obstacles that are"),
        (
            (LOG, LOG),
            {"obstacle_velocity": (1, 0)},
            ValueError,
            "obstacle_velocity: given with obstacles that are",
        ),
        (
            (CAR, LOG.poses, LOG),
            {"obstacle_poses": LOG.poses},
            ValueError,
            "obstacle_poses: given with obstacles that are",
        ),
        (
            (LOG, carom.Trajectories(CAR, np.zeros((2, 4, 3)))),
            {},
            ValueError,
            "obstacles: expected 3 poses each",
        ),
        (
            (LOG, carom.Trajectories(CAR, np.zeros((2, 3, 3)), times=[0, 1, 2.5])),
            {},
            ValueError,
            "obstacles have the time 2.5 at pose 2",
        ),
        ((LOG, LOG.poses, [CAR]), {}, TypeError, ""),
        ((LOG,), {}, TypeError, ""),
        ((), {}, TypeError, ""),
        ((LOG, [CAR]), {"obstacles": [CAR]}, TypeError, ""),
        ((LOG, [CAR]), {"footprints": LOG}, TypeError, ""),
        ((CAR, LOG.poses), {}, TypeError, ""),
        ((CAR, LOG.poses, [CAR], 1.0), {}, TypeError, ""),
        ((LOG, [CAR]), {"times": range(3)}, TypeError, ""),
        ((CAR, LOG.poses, [CAR]), {"times": range(3)}, TypeError, ""),
        ((CAR, LOG.poses, [CAR]), {"fields": ("at",)}, ValueError, "fields: 'at' is a time"),
    ],
)
def test_wrong_calls_are_refused(
    query: Query, positional: Any, keywords: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match="^" + re.escape(message)) as caught:
        query(*positional, **keywords)
    assert isinstance(caught.value, carom.InputError)


def test_a_coordinate_system_goes_along_and_another_one_is_refused() -> None:
    car, wall = carom.Shapes([CAR]).with_crs("EPSG:32633"), carom.Shapes([CAR])
    log = carom.Trajectories(car, LOG.poses)
    kept = [log.footprints, log.at(1), log[1:].footprints, pickle.loads(pickle.dumps(log)).at(0)]
    assert [it.crs for it in kept] == ["EPSG:32633"] * 4
    other = wall.with_crs("EPSG:4326")
    for obstacles in (other, carom.Trajectories(other, LOG.poses)):
        for query in (*QUERIES, carom.encounters):
            with pytest.raises(ValueError, match=r"has the CRS EPSG:32633 and .* EPSG:4326"):
                query(log, obstacles)
    for obstacles in (wall, car, carom.Trajectories(car, LOG.poses)):
        assert carom.first_contact(log, obstacles).hit.all()


@pytest.mark.parametrize("query", QUERIES)
def test_operands_without_times_go_with_those_that_have_them(query: Query) -> None:
    bare = carom.Trajectories(CAR, LOG.poses)
    assert query(LOG, bare).at.tolist() == [0.0, 0.0]
    assert query(bare, LOG).at.tolist() == [0.0, 0.0]
    assert query(bare, bare).at is None
    assert query(LOG, LOG).at.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("on_invalid", ["raise", "mask"])
def test_a_masked_body_is_not_valid_in_results(query: Query, on_invalid: str) -> None:
    poses = [[(0.0, 0.0, 0.0)], [(INF, 0.0, 0.0)], [(9.0, 9.0, 0.0)]]
    log = carom.Trajectories(CAR, poses, on_invalid="mask")
    found = query(log, [CAR], on_invalid=on_invalid)
    assert found.valid.tolist() == [True, False, True]
    assert np.isnan(found.time).tolist() == [False, True, False]
    parts = carom.Trajectories(CAR, poses, groups=[0, 0, 1], on_invalid="mask")
    assert query(parts, [CAR], on_invalid=on_invalid).valid.tolist() == [False, True]


def test_times_across_the_range_of_floats_have_finite_times_in_between() -> None:
    way = carom.Trajectories(CAR, [[(0, 0, 0), (10, 0, 0)]], times=(-1.7e308, 1.7e308))
    wall = [(7.0, -9.0), (8.0, -9.0), (8.0, 9.0), (7.0, 9.0)]
    found = carom.first_contact(way, [wall])
    assert found.at[0] == pytest.approx((2 * found.time[0] - 1) * 1.7e308)


# --- times and groups ---------------------------------------------------------------------------


@pytest.mark.parametrize("query", QUERIES)
def test_at_is_the_time_on_the_clock(query: Query) -> None:
    rng, seen = Random(8), set()
    times = np.array([-3.7, 0.1, 0.30000000000000004, 2.9, 1e6])
    for _ in range(40):
        present = np.array([[rng.random() < 0.8 for _ in range(5)] for _ in range(4)])
        log = carom.Trajectories(*course(rng, 4, 5), times=times, present=present)
        others = [] if rng.random() < 0.1 else kinds.column(courses.around(rng, 3))
        found = query(log, others)
        for step, time, at in zip(found.step, found.time, found.at, strict=True):
            if step < 0:
                want = INF
            elif time == 0:
                want = times[step]
            else:
                want = times[step] + time * (times[step + 1] - times[step])
            assert at == want
            seen.add((step < 0, time == 0))
    assert len(seen) == 3


@pytest.mark.parametrize("query", QUERIES)
def test_of_the_parts_of_a_body_the_first_or_the_nearest_counts(query: Query) -> None:
    parts = set()
    for seed in range(60):
        rng = Random(f"groups {seed}")
        count, steps = rng.randint(1, 7), rng.randint(1, 4)
        labels = [rng.choice([5, -2, 2**62]) for _ in range(count)]
        present = np.array([[rng.random() < 0.8 for _ in range(steps)] for _ in range(count)])
        present = present.reshape(count, steps)
        own, poses = course(rng, count, steps)
        given: dict[str, Any] = {"present": present, "motion": rng.choice(["straight", "arc"])}
        log = carom.Trajectories(own, poses, groups=labels, **given)
        bodies = kinds.column(courses.around(rng, 3))
        margin = {}
        if query is carom.first_contact:
            margin["margin"] = [[rng.choice([0.0, 0.5, 2.0])] for _ in range(count)]
        found = query(log, bodies, **margin)
        rows = query(carom.Trajectories(own, poses, **given), bodies, **margin)
        order = list(dict.fromkeys(labels))
        assert found.step.shape == (len(order),)
        for label, step, time, part, k in zip(
            order, found.step, found.time, found.part, range(count), strict=False
        ):
            members = [row for row in range(count) if labels[row] == label]
            if step < 0:
                assert part == -1
                assert rows.step[members].tolist() == [-1] * len(members)
                continue
            assert labels[part] == label
            parts.add(members.index(part))
            for name, values in rows._asdict().items():
                assert bits(getattr(found, name)[k]) == bits(values[part]), name
            if query is carom.first_contact or found.distance[k] == 0:
                hits = rows.step[members] + rows.time[members]
                hits = hits[(rows.step[members] >= 0) & (met(rows)[members])]
                assert step + time <= hits.min() + 1e-11
            else:
                assert found.distance[k] == rows.distance[members].min()
    assert len(parts) > 2


def met(rows: Any) -> np.ndarray:
    """Which rows touch something."""
    return rows.hit if hasattr(rows, "hit") else rows.distance == 0


# --- gaps ---------------------------------------------------------------------------------------


def gappy(rng: Random, count: int, steps: int) -> np.ndarray:
    """Where bodies are present: mostly, with gaps of one pose and of several."""
    found = np.array([rng.random() < 0.75 for _ in range(count * steps)])
    return found.reshape(count, steps)


def by_pairs(query: Query, log: Any, other: Any, row: int, margin: float = 0.0) -> Any:
    """Of each step and each other body, the answer of a call with arrays, without gaps.

    Both move if both are there at both poses; else they stand at the first if both are there.
    """
    steps = log.present.shape[1]
    for k in range(steps):
        for j in range(len(other)):
            if not (log.present[row, k] and other.present[j, k]):
                continue
            moves = k + 1 < steps and log.present[row, k + 1] and other.present[j, k + 1]
            part = slice(k, k + 1 + bool(moves))
            given = {"margin": margin} if margin else {}
            found = query(
                log.footprints[row : row + 1],
                log.poses[row : row + 1, part],
                other.footprints[j : j + 1],
                obstacle_poses=other.poses[j : j + 1, part],
                **given,
            )
            yield k, j, found[0]


@pytest.mark.parametrize("seed", range(60))
def test_first_contacts_with_gaps_are_those_of_a_loop_over_steps_and_pairs(seed: int) -> None:
    rng = Random(f"gaps {seed}")
    steps, margin = rng.randint(1, 6), rng.choice([0.0, 0.0, 0.5])
    log, other = (
        carom.Trajectories(*course(rng, n, steps), present=gappy(rng, n, steps)) for n in (3, 4)
    )
    found = carom.first_contact(log, other, margin=margin)
    for row in range(3):
        # What touches at the pose after a step's motion is left to the next step.
        each = list(by_pairs(carom.first_contact, log, other, row, margin))
        hits = [(k, j, it) for k, j, it in each if it.step == 0]
        here = found[row]
        if not hits:
            assert (here.hit, here.step, here.obstacle, here.time) == (False, -1, -1, INF)
            continue
        first = min(k for k, _, _ in hits)
        least = min(it.time for k, _, it in hits if k == first)
        assert here.step == first
        (one,) = [it for k, j, it in hits if (k, j) == (first, here.obstacle)]
        for name in ("time", "normal", "contact"):
            assert bits(getattr(here, name)) == bits(getattr(one, name))
        assert here.time <= least + 1e-12
    nowhere = ~other.present.any(axis=1)
    assert found.valid_obstacles.tolist() == (~nowhere).tolist()


@pytest.mark.parametrize("seed", range(40))
def test_clearances_with_gaps_are_those_of_a_loop_over_steps_and_pairs(seed: int) -> None:
    rng = Random(f"clearance of gaps {seed}")
    steps = rng.randint(1, 5)
    (own, poses), (others, moves) = course(rng, 2, steps), course(rng, 3, steps, ahead=12.0)
    log = carom.Trajectories(own, poses, present=gappy(rng, 2, steps))
    other = carom.Trajectories(others, moves, present=gappy(rng, 3, steps))
    found, hits = carom.clearance(log, other), carom.first_contact(log, other)
    for row in range(2):
        each = list(by_pairs(carom.clearance, log, other, row))
        here = found[row]
        if hits.hit[row]:
            assert here.distance == 0.0
            assert (here.step, here.time, here.obstacle) == (
                hits.step[row],
                hits.time[row],
                hits.obstacle[row],
            )
        elif not each:
            assert (here.distance, here.step, here.obstacle) == (INF, -1, -1)
        else:
            want = min(it.distance for _, _, it in each)
            assert here.distance == pytest.approx(want, rel=2e-10, abs=1e-13)
            told = [it for k, j, it in each if (k, j) == (here.step, here.obstacle)]
            assert told[0].distance == pytest.approx(here.distance, rel=2e-10, abs=1e-13)
            points = here.closest_a, here.closest_b
            assert math.dist(*points) == pytest.approx(here.distance, abs=1e-9)


def test_at_a_pose_alone_a_body_is_tested_where_it_stands() -> None:
    wall = [shapes.box(10.0, -5.0, 1.0, 10.0)]
    way = [(0.0, 0.0, 0.0), (20.0, 0.0, 0.0), (9.0, 0.0, 0.0), (30.0, 0.0, 0.0)]
    for present, want in (
        ([1, 1, 1, 1], (0, 0.4)),
        ([1, 0, 1, 1], (2, 0.0)),
        ([1, 0, 1, 0], (2, 0.0)),
        ([1, 0, 0, 1], (-1, INF)),
        ([0, 1, 0, 1], (-1, INF)),
        ([0, 1, 1, 0], (1, 7 / 11)),
        ([0, 0, 0, 0], (-1, INF)),
    ):
        log = carom.Trajectories(CAR, [way], present=np.array([present], bool))
        found = carom.first_contact(log, wall)
        assert (found.step[0], found.time[0]) == (want[0], pytest.approx(want[1], rel=1e-10))


def test_both_stand_where_one_of_them_ends() -> None:
    """The other would be met on its way, but neither moves in a step that one does not take."""
    there = np.ones((1, 3), bool)
    gone = np.array([[True, False, True]])
    own = [[(0.0, 0.0, 0.0), (20.0, 0.0, 0.0), (40.0, 0.0, 0.0)]]
    post = [[(10.0, 0.0, 0.0)] * 3]
    for motion in ("straight", "arc"):
        for mine, other, hit in ((there, there, 1), (gone, there, 0), (there, gone, 0)):
            log = carom.Trajectories(CAR, own, present=mine, motion=motion)
            obstacles = carom.Trajectories(CAR, post, present=other)
            for one, two in ((log, obstacles), (obstacles, log)):
                assert carom.first_contact(one, two).hit.tolist() == [bool(hit)]
                assert carom.encounters(one, two).pairs.shape == (2, hit)
    drift = carom.first_contact(
        carom.Trajectories(CAR, post, present=gone), [CAR], obstacle_velocity=(9.0, 0.0)
    )
    assert (drift.step[0], drift.time[0]) == (-1, INF)
    drift = carom.first_contact(
        carom.Trajectories(CAR, post, present=gone), [CAR], obstacle_velocity=(4.0, 0.0)
    )
    assert (drift.step[0], drift.time[0]) == (2, 0.0)


def test_an_obstacle_that_is_nowhere_is_told() -> None:
    poses = np.zeros((3, 2, 3))
    poses[1] = NAN
    log = carom.Trajectories(CAR, poses)
    for query in QUERIES:
        found = query(log[:1], log[1:])
        assert found.valid_obstacles.tolist() == [False, True]
        assert found.obstacle.tolist() == [1]
        alone = query(log[1:2], log)
        assert (alone.step.tolist(), alone.obstacle.tolist()) == ([-1], [-1])
        assert alone.time.tolist() == [INF]
        assert alone.valid.tolist() == [True]


@pytest.mark.parametrize("seed", range(40))
def test_a_drift_is_a_straight_way_of_poses(seed: int) -> None:
    """Of positions that are exact, also beside bodies that are absent at times."""
    rng = Random(f"drift {seed}")
    # Boxes of obstacles that drift are made for eight steps at a time.
    steps, others = rng.choice([1, 2, 3, 5, 8, 9, 20]), rng.randint(1, 4)
    log = carom.Trajectories(
        *course(rng, 4, steps), present=gappy(rng, 4, steps), motion=rng.choice(["straight", "arc"])
    )
    column = kinds.column(courses.around(rng, others))
    drift = np.array([(rng.randint(-16, 16) / 8, rng.randint(-16, 16) / 8) for _ in range(others)])
    way = np.zeros((others, steps, 3))
    way[..., :2] = np.arange(steps)[:, None] * drift[:, None]
    bodies = carom.Trajectories(column, way)
    margin = rng.choice([0.0, 0.25])
    one = carom.first_contact(log, column, obstacle_velocity=drift, margin=margin)
    other = carom.first_contact(log, bodies, margin=margin)
    assert one.hit.tolist() == other.hit.tolist()
    moments = [it.step + it.time for it in (one, other)]
    np.testing.assert_allclose(*moments, rtol=1e-10, atol=1e-10)
    near = [carom.clearance(log, column, obstacle_velocity=drift), carom.clearance(log, bodies)]
    distances = [it.distance for it in near]
    np.testing.assert_allclose(*distances, rtol=2e-10, atol=1e-12)


# --- faults that are known ----------------------------------------------------------------------


@pytest.mark.parametrize("query", QUERIES)
def test_both_names_of_a_velocity_at_once_are_refused(query: Query) -> None:
    with pytest.raises((TypeError, ValueError)):
        query(LOG, [CAR], velocity=(1.0, 0.0), obstacle_velocity=(2.0, 0.0))


def test_points_are_finite_where_an_obstacle_crosses_the_whole_range_of_floats() -> None:
    disc = carom.Shapes.from_points([(0.0, 0.0)], radius=1.0)
    log = carom.Trajectories(disc, np.zeros((1, 2, 3)))
    for y in (0.0, 5.0):
        way = carom.Trajectories(disc, [[(-1.7e308, y, 0.0), (1.7e308, y, 0.0)]])
        if y:
            found = carom.clearance(log, way)
            assert found.closest_a.tolist() == [[0.0, 1.0]]
        else:
            assert np.isfinite(carom.first_contact(log, way).contact).all()

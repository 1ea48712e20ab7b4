"""`Trajectories`, the class: what it takes, what it keeps, and what its parts are."""

from __future__ import annotations

import copy
import math
import pickle
import re
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import courses, shapes
from helpers import bits
from reference.oracle.kinds import Shape
from reference.oracle.moving import Motion, Scene, time_of

NAN, INF = math.nan, math.inf
SLACK = Fraction(1, 10**30)
CAR = shapes.box(-2.0, -1.0, 4.0, 2.0)
FRAME = [shapes.box(-5.0, -5.0, 10.0, 10.0), shapes.box(-4.0, -4.0, 8.0, 8.0)]
BOW = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]
GARBAGE = [
    (0.0, 0.0, 0.0),
    (NAN, NAN, NAN),
    (INF, -INF, INF),
    (1e308, NAN, -1e308),
    (7.0, 7.0, 7.0),
]
COLUMN = carom.Shapes.concat(
    [
        carom.Shapes([CAR]),
        carom.Shapes([FRAME]),
        carom.Shapes.from_points([(1.0, 0.0)], radius=0.5),
        carom.Shapes.from_segments([[(0.0, 0.0), (3.0, 1.0)]], radius=0.25),
        carom.Shapes([courses.LETTER]),
        carom.Shapes([None]),
    ]
)


def random_log(seed: int, **keywords: Any) -> carom.Trajectories:
    """Bodies of all kinds, five poses each, some absent."""
    rng = Random(f"random log {seed}")
    poses = np.array([courses.path(rng, 5) for _ in range(6)])
    present = np.array([[rng.random() < 0.7 for _ in range(5)] for _ in range(6)])
    return carom.Trajectories(COLUMN, poses, present=present, **keywords)


def refused(kind: type[Exception], message: str, *given: Any, **keywords: Any) -> Any:
    """The error of a call; `message` is its exact start."""
    with pytest.raises(kind, match="^" + re.escape(message)) as caught:
        carom.Trajectories(*given, **keywords)
    return caught.value


# --- what is given ------------------------------------------------------------------------------


def test_one_footprint_serves_all_in_every_form() -> None:
    poses = np.random.default_rng(1).normal(size=(3, 4, 3))
    want = carom.Trajectories([CAR] * 3, poses)
    for one in (CAR, np.array(CAR), [CAR], np.array([CAR] * 3), carom.Shapes([CAR])):
        log = carom.Trajectories(one, poses)
        assert log == want
        assert log.footprints == carom.Shapes([CAR] * 3)
        assert len(log) == 3


def test_footprints_keep_their_kinds_holes_and_radii() -> None:
    log = random_log(0)
    assert log.footprints == COLUMN
    assert log.footprints.radius.tolist() == COLUMN.radius.tolist()
    placed = carom.Trajectories(COLUMN, np.zeros((6, 1, 3)))
    assert placed.at(0) == COLUMN
    assert placed.present[:, 0].tolist() == [True] * 5 + [False]
    assert carom.Trajectories([FRAME], np.zeros((2, 1, 3))).at(0) == carom.Shapes([FRAME, FRAME])


def test_absent_poses_are_not_read() -> None:
    poses = np.arange(24.0).reshape(2, 4, 3)
    present = np.array([[True, False, True, True], [False, False, True, False]])
    want = carom.Trajectories(CAR, poses, present=present)
    for garbage in GARBAGE:
        for motion in ("straight", "arc"):
            here = np.where(present[..., None], poses, garbage)
            log = carom.Trajectories(CAR, here, present=present, motion=motion)
            assert (log == want) is (motion == "straight")
            assert log.present.tolist() == present.tolist()
            assert bits(log.poses) == bits(np.where(present[..., None], poses, NAN))
    assert carom.Trajectories(CAR, np.where(present[..., None], poses, NAN)) == want
    assert carom.Trajectories(CAR, poses, present=present.tolist()) == want


def test_a_pose_is_absent_by_default_where_all_of_it_is_nan() -> None:
    poses = np.zeros((2, 3, 3))
    poses[1, 2] = NAN
    log = carom.Trajectories(CAR, poses)
    assert log.present.tolist() == [[True] * 3, [True, True, False]]
    for at in ([0], [1], [2], [0, 1], [0, 2], [1, 2]):
        bad = np.zeros((2, 3, 3))
        bad[1, 2, at] = NAN
        error = refused(ValueError, "poses[1, 2] is (", CAR, bad)
        assert isinstance(error, carom.InputError)
        assert (error.argument, error.row) == ("poses", (1, 2))
        assert "nan" in error.reason
    error = refused(
        ValueError, "poses[1, 2] is (nan, nan, nan)", CAR, poses, present=np.ones((2, 3), bool)
    )
    assert error.row == (1, 2)
    poses[0, 1, 0] = -INF
    assert refused(ValueError, "poses[0, 1] is (-inf, 0.0, 0.0)", CAR, poses).row == (0, 1)


STILL = np.zeros((2, 3, 3))


@pytest.mark.parametrize(
    ("keywords", "kind", "message", "row"),
    [
        ({"times": [0, 2, 1]}, ValueError, "times[2] is 1, after 2", 2),
        ({"times": [0, 1, 1]}, ValueError, "times[2] is 1, after 1", 2),
        ({"times": [0, NAN, 1]}, ValueError, "times[1] is NaN", 1),
        ({"times": [0, 1, INF]}, ValueError, "times[2] is inf", 2),
        ({"times": [-INF, 0, 1]}, ValueError, "times[0] is -inf", 0),
        ({"times": [0, 1]}, ValueError, "times: expected shape (3,)", None),
        ({"times": [[0, 1, 2]]}, ValueError, "times: expected shape (3,)", None),
        ({"times": 1.0}, ValueError, "times: expected shape (3,)", None),
        ({"times": ["0", "1", "2"]}, TypeError, "times[0] has a str", 0),
        ({"times": [0, 2**53 + 1, 2**60]}, ValueError, "times[1]", 1),
        ({"groups": [1]}, ValueError, "groups: expected shape (2,)", None),
        ({"groups": [[1, 2]]}, ValueError, "groups: expected shape (K,)", None),
        ({"groups": [1.0, 2.0]}, TypeError, "groups: expected an array of integers", None),
        ({"groups": [True, False]}, TypeError, "groups: expected an array of integers", None),
        ({"present": np.ones((2, 2), bool)}, ValueError, "present: expected shape (2, 3)", None),
        ({"present": np.ones(3, bool)}, ValueError, "present: expected shape (2, 3)", None),
        ({"present": np.ones((2, 3), int)}, TypeError, "present: expected an array of bool", None),
        ({"motion": "arcs"}, ValueError, "motion: expected 'straight' or 'arc', got 'arcs'", None),
        ({"motion": 3}, TypeError, "motion: expected a string", None),
        ({"on_invalid": "drop"}, ValueError, "on_invalid: expected 'raise' or 'mask'", None),
        ({"footprints": [CAR] * 3}, ValueError, "footprints: expected one, or one for", None),
        ({"footprints": []}, ValueError, "footprints: expected one, or one for", None),
        ({"footprints": None}, TypeError, "footprints: ", None),
        ({"footprints": [(0, 0), (1, 1)]}, ValueError, "footprints[0]: ", 0),
        ({"footprints": [CAR, BOW]}, ValueError, "footprints[1]: the ring meets itself", 1),
        ({"poses": STILL[0]}, ValueError, "poses: expected shape (K, T, 3), got (3, 3)", None),
        ({"poses": STILL[..., :2]}, ValueError, "poses: expected shape", None),
        ({"poses": [STILL[0], STILL[0, :2]]}, ValueError, "poses: expected shape", None),
    ],
)
def test_bad_arguments_are_named(
    keywords: dict[str, Any], kind: type[Exception], message: str, row: int | None
) -> None:
    error = refused(kind, message, **{"footprints": CAR, "poses": STILL, **keywords})
    assert isinstance(error, carom.InputError)
    (name,) = keywords
    assert (error.argument, error.row) == (name, row)
    assert str(error).endswith(error.reason)


def test_unknown_and_missing_arguments_raise_type_errors() -> None:
    refused(TypeError, "Trajectories", CAR, STILL, velocity=1)
    refused(TypeError, "Trajectories", CAR)
    with pytest.raises(TypeError):
        carom.Trajectories(CAR, STILL, np.ones((2, 3), bool))  # type: ignore[misc]


def test_a_center_that_is_not_finite_names_both_poses() -> None:
    dot = carom.Shapes.from_points([(0.0, 0.0)])
    for end in ((2.0, 0.0, 5e-324), (-1e308, 0.0, 1.0)):
        start = (1.0, 0.0, 0.0) if end[2] < 1 else (1.7e308, 0.0, 1.0 - 1e-3)
        ways = np.array([[(0.0, 0.0, 0.0)] * 3, [(0.0, 0.0, 0.0), start, end]])
        message = "poses[1, 1] is (" + ("1.0" if end[2] < 1 else "1.7e308")
        error = refused(ValueError, message, dot, ways, motion="arc")
        assert "poses[1, 2] is (" in str(error)
        assert error.row == (1, 1)
        assert carom.Trajectories(dot, ways).motion == "straight"
        ways[1, 0] = NAN  # a gap before changes nothing, one between them does
        refused(ValueError, message, dot, ways, motion="arc")
    present = np.array([[True] * 3, [True, False, True]])
    ways[1, 0] = 0.0
    assert carom.Trajectories(dot, ways, present=present, motion="arc").present[1, 2]


def test_a_footprint_that_rounding_breaks_is_refused_by_pose() -> None:
    sliver = [(0.0, 0.0), (1.0, 0.0), (1.0, 2.0**-40)]
    ways = np.array([[(0.0, 0.0, 0.0)] * 2, [(0.0, 0.0, 0.0), (1e9, 1e9, 0.0)]])
    error = refused(ValueError, "poses[1, 1]: the footprint as placed there: ", sliver, ways)
    assert (error.argument, error.row) == ("poses", (1, 1))
    present = np.array([[True, True], [True, False]])
    assert carom.Trajectories(sliver, ways, present=present).is_valid.all()


def test_given_arrays_are_copied() -> None:
    rng = np.random.default_rng(2)
    footprints, poses = np.array([CAR] * 4), rng.normal(size=(4, 3, 3))
    present, times, groups = rng.random((4, 3)) < 0.8, np.arange(3.0), np.array([1, 1, 2, 3])
    log = carom.Trajectories(footprints, poses, present=present, times=times, groups=groups)
    same = carom.Trajectories(
        footprints.copy(), poses.copy(), present=present.copy(), times=times, groups=groups
    )
    before = carom.encounters(log, margin=1.0, fields=("time", "normal", "contact"))
    for array in (footprints, poses, times, groups):
        array[...] = 9
    present[...] = ~present
    for name in ("poses", "present", "times", "groups", "bounds", "is_valid", "invalid_reason"):
        getattr(log, name)[...] = 0  # What attributes give are copies, too.
    assert log == same
    after = carom.encounters(log, margin=1.0, fields=("time", "normal", "contact"))
    assert [*map(bits, before)] == [*map(bits, after)]


# --- masked rows --------------------------------------------------------------------------------


def masked() -> carom.Trajectories:
    """Rows 1, 2 and 4 are invalid: by a pose, a footprint and a center that is not finite."""
    poses = np.zeros((5, 3, 3)) + [[[10.0 * k, 0.0, 0.0]] for k in range(5)]
    poses[1, 2, 1] = NAN
    poses[4, 1] = (1.0, 1.0, 5e-324)
    feet = [CAR, CAR, BOW, CAR, CAR]
    return carom.Trajectories(feet, poses, motion="arc", on_invalid="mask", groups=[0, 0, 1, 2, 3])


def test_masked_rows_are_absent_everywhere_and_tell_why() -> None:
    log = masked()
    valid = [True, False, False, True, False]
    assert log.is_valid.tolist() == valid
    assert log.present.tolist() == [[it] * 3 for it in valid]
    assert np.isnan(log.poses).all(axis=(1, 2)).tolist() == [not it for it in valid]
    assert np.isnan(log.bounds).all(axis=1).tolist() == [not it for it in valid]
    reasons = log.invalid_reason
    assert reasons.dtype == object
    assert [it is None for it in reasons] == valid
    assert "poses[1, 2] is (10.0, nan, 0.0)" in reasons[1]
    assert "the ring meets itself" in reasons[2]
    assert "poses[4, 0]" in reasons[4]
    for step in range(3):
        assert [row is None for row in log.at(step)] == [not it for it in valid]
    assert "9 absent" in repr(log)
    for rows in ([4, 0, 1], slice(None, None, 2), slice(1, 2), [2, 2]):
        part = log[rows]
        assert part.is_valid.tolist() == np.array(valid)[rows].tolist()
        assert part.invalid_reason.tolist() == reasons[rows].tolist()
    again = pickle.loads(pickle.dumps(log))
    assert again == log
    assert again.is_valid.tolist() == valid
    assert again.invalid_reason.tolist() == reasons.tolist()


def test_masked_rows_meet_nothing() -> None:
    log = masked()
    wide = carom.Shapes([shapes.box(-99.0, -99.0, 999.0, 999.0)])
    rows = log[[0, 1, 2, 3, 4]]
    single = carom.Trajectories(rows.footprints, rows.poses, present=rows.present, motion="arc")
    assert carom.first_contact(single, wide).step.tolist() == [0, -1, -1, 0, -1]
    assert carom.encounters(log, wide).pairs.tolist() == [[0, 3], [0, 0]]
    found = carom.first_contact(carom.Trajectories([CAR], STILL[:1]), log)
    assert found.valid_obstacles.tolist() == log.is_valid.tolist()
    answer = carom.first_contact(log, wide)  # Of groups: (0, 1), 2, 3, 4.
    # Of a body of which a part is masked nothing is certain.
    assert answer.step.tolist() == [-1, -1, 0, -1]
    assert np.isnan(answer.time).tolist() == [True, True, False, True]


# --- rows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("motion", ["straight", "arc"])
def test_rows_are_chosen_as_in_numpy(motion: Any) -> None:
    groups = np.array([7, 7, -1, 0, 7, 2**40])
    log = random_log(1, motion=motion, times=[-1.0, 0.0, 0.5, 2.0, 9.0], groups=groups)
    mask = np.array([True, False, True, True, False, False])
    keys = [slice(1, 4), slice(None, None, -2), [3, 0, 3], np.array([-1, 1]), mask, [], slice(4, 2)]
    for key in keys:
        part = log[key]
        assert len(part) == len(groups[key])
        for name in ("poses", "present", "groups", "bounds"):
            assert bits(getattr(part, name)) == bits(getattr(log, name)[key]), name
        assert (part.motion, part.times.tolist()) == (motion, log.times.tolist())
        assert part.footprints == COLUMN[np.arange(6)[key]]
    for k, row in enumerate(log):
        assert isinstance(row, carom.Trajectories)
        assert row == log[k] == log[k - 6] == log[[k]] == log[k : k + 1]
    for key in (6, -7, [0, 6]):
        with pytest.raises(IndexError):
            log[key]
    for key in ("a", 1.0, None, [0.5], (0, 1)):
        with pytest.raises((TypeError, IndexError, ValueError)):
            log[key]


def test_at_a_step_the_bodies_are_placed_and_the_absent_missing() -> None:
    log = random_log(2)
    for step in range(-5, 5):
        column = log.at(step)
        assert isinstance(column, carom.Shapes)
        for k in range(6):
            if not log.present[k, step]:
                assert column[k] is None
            elif k in (0, 4):
                want = carom.place(np.array([CAR, 0, 0, 0, courses.LETTER][k]), log.poses[k, step])
                assert bits(column[k]) == bits(want)
            else:
                one = carom.place(COLUMN[k : k + 1], log.poses[k, step][None])
                assert column[k : k + 1] == one
    for step in (5, -6):
        with pytest.raises(IndexError):
            log.at(step)
    for bad in (1.0, "1", None, [0], slice(1)):
        with pytest.raises(TypeError):
            log.at(bad)


def test_equal_are_those_with_equal_bodies_where_they_are_present() -> None:
    poses = np.arange(24.0).reshape(2, 4, 3)
    present = np.array([[True, False, True, True], [True, True, True, False]])
    given: dict[str, Any] = {"present": present, "times": range(4), "groups": [1, 2]}
    log = carom.Trajectories(CAR, poses, **given)
    other = np.where(present[..., None], poses, -3.0)
    assert log == carom.Trajectories([CAR, CAR], other, **given)
    assert log == carom.Trajectories(CAR, poses + 0 * -1.0, **given)
    changes: list[dict[str, Any]] = [
        {"times": [0, 1, 2, 4]},
        {"times": None},
        {"groups": [1, 1]},
        {"groups": None},
        {"motion": "arc"},
        {"present": np.ones((2, 4), bool)},
    ]
    for change in changes:
        assert log != carom.Trajectories(CAR, poses, **{**given, **change})
    assert log != carom.Trajectories(CAR, np.nextafter(poses, 99.0), **given)
    assert log != carom.Trajectories([CAR, courses.LETTER], poses, **given)
    assert log != carom.Trajectories(carom.Shapes([CAR]).with_radius(1.0), poses, **given)
    assert log != log[:1]
    assert log != 3
    assert (log == None) is False  # noqa: E711
    with pytest.raises(TypeError):
        hash(log)
    with pytest.raises(TypeError):
        log < log  # type: ignore[operator]  # noqa: B015


def test_copies_and_pickles_are_equal_and_answer_alike() -> None:
    for motion in ("straight", "arc"):
        log = random_log(3, motion=motion, times=range(5), groups=range(6))
        want = carom.encounters(log, margin=3.0)
        protocols = [pickle.loads(pickle.dumps(log, protocol)) for protocol in range(2, 6)]
        for other in (copy.copy(log), copy.deepcopy(log), *protocols):
            assert other == log
            assert (other.motion, repr(other)) == (motion, repr(log))
            assert bits(other.bounds) == bits(log.bounds)
            found = carom.encounters(other, margin=3.0)
            assert [*map(bits, found)] == [*map(bits, want)]


def test_repr_and_bytes() -> None:
    log = random_log(4, groups=[1, 1, 2, 2, 2, 2], motion="arc")
    absent = int((~log.present).sum())
    assert repr(log) == f"Trajectories(<6 bodies in 2 groups, 5 poses each, {absent} absent, arc>)"
    assert repr(carom.Trajectories(CAR, STILL[:1, :1])) == (
        "Trajectories(<1 body, 1 pose each, straight>)"
    )
    for motion in ("straight", "arc"):
        poses = np.random.default_rng(3).normal(size=(50, 200, 3)) * [90, 90, 1]
        log = carom.Trajectories(CAR, poses, motion=motion)
        before = log.nbytes
        carom.encounters(log)
        assert before < log.nbytes <= 200 * 50 * 200


def test_empty_logs() -> None:
    for count, steps in ((0, 4), (3, 0), (0, 0), (0, 1)):
        log = carom.Trajectories(CAR, np.zeros((count, steps, 3)), times=range(steps))
        assert (len(log), log.poses.shape, log.present.shape) == (
            count,
            (count, steps, 3),
            (count, steps),
        )
        assert (log.bounds.shape, log.times.shape) == ((count, 4), (steps,))
        assert np.isnan(log.bounds).all()
        assert (list(log), len(log.footprints)) == ([*log], count)
        assert pickle.loads(pickle.dumps(log)) == log == log[:]
        assert carom.first_contact(log, [CAR]).step.tolist() == [-1] * count
        assert carom.clearance(log, [CAR]).distance.tolist() == [INF] * count
        with pytest.raises(IndexError):
            log.at(steps)


# --- bounds -------------------------------------------------------------------------------------


def true_places(log: carom.Trajectories, foot: Any, parts: int) -> Iterator[tuple[Fraction, ...]]:
    """Corners of the one body at many times of each step, off by less than 1e-30."""
    poses, present = log.poses[0], log.present[0]
    far = Shape("point", [(0.0, 0.0)])
    for k, pose in enumerate(poses):
        if not present[k]:
            continue
        here = Shape("polygon", [[courses.listed(carom.place(np.array(foot), pose))]])
        moves = k + 1 < len(poses) and bool(present[k + 1])
        motion = courses.motion_between(pose, poses[k + 1], log.motion) if moves else Motion()
        scene = Scene(here, far, motion)
        for step in range(parts + 1 if moves else 1):
            core, _, _ = scene.placed(time_of(Fraction(step, parts)), 160)
            unit = 1 << 160 + scene.grid.shift
            yield from ((Fraction(x, unit), Fraction(y, unit)) for x, y in core.points)


@pytest.mark.parametrize("motion", ["straight", "arc"])
def test_bounds_hold_the_whole_motion_and_little_more(motion: Any) -> None:
    rng = Random(f"bounds {motion}")
    for seed in range(30):
        turn = rng.choice([0.0, 1e-12, 1e-8, 0.3, -0.5, 3.0, math.pi, 3.14159, -1e-300])
        poses = [(rng.uniform(-50, 50), rng.uniform(-50, 50), rng.uniform(-3, 3))]
        for _ in range(2):
            x, y, h = poses[-1]
            poses.append((x + rng.uniform(-4, 4), y + rng.uniform(-4, 4), h + turn))
        present = np.array([[True, True, seed % 3 > 0]])
        log = carom.Trajectories(CAR, [poses], motion=motion, present=present)
        places, box = list(true_places(log, CAR, 64)), log.bounds[0]
        for axis in (0, 1):
            least, most = min(p[axis] for p in places), max(p[axis] for p in places)
            assert Fraction(box[axis]) <= least + SLACK
            assert most <= Fraction(box[axis + 2]) + SLACK
            if abs(turn) <= 1e-8:
                assert float(least - Fraction(box[axis])) < 1e-6
                assert float(Fraction(box[axis + 2]) - most) < 1e-6


# --- faults that are known ----------------------------------------------------------------------


def test_a_footprint_that_was_masked_is_not_taken_for_valid() -> None:
    """`Shapes(..., on_invalid="mask")` makes such rows missing."""
    log = carom.Trajectories([CAR, BOW], STILL[:, :1], on_invalid="mask")
    assert carom.Shapes([CAR, BOW], on_invalid="mask")[1] is None
    assert log.footprints[1] is None


def test_the_reason_for_an_invalid_footprint_names_the_footprint() -> None:
    log = carom.Trajectories([CAR, BOW], STILL, on_invalid="mask")
    assert log.invalid_reason[1].startswith("footprints[1]: the ring meets itself")
    assert "rounded" not in log.invalid_reason[1]


@pytest.mark.parametrize("position", [0, 1])
def test_trajectories_in_the_place_of_shapes_are_refused_by_name(position: int) -> None:
    given: list[Any] = [[CAR], [CAR]]
    given[position] = carom.Trajectories(CAR, STILL)
    with pytest.raises(TypeError, match=f"^{'ab'[position]}: ") as caught:
        carom.intersects_batch(*given)
    assert isinstance(caught.value, carom.InputError)


def test_masked_poses_are_absent() -> None:
    poses = np.zeros((2, 3, 3))
    mask = np.zeros(poses.shape, dtype=bool)
    mask[0, 1] = True
    tracks = np.ma.array(poses, mask=mask)
    whole = carom.Trajectories(CAR, tracks)
    assert whole.present.tolist() == [[True, False, True], [True] * 3]
    assert carom.Trajectories(CAR, tracks, present=~mask[..., 0]) == whole
    mask[0, 1, 2] = False
    with pytest.raises(carom.InputError, match=r"^poses\[0, 1\] is \(nan, nan, 0\.0\)"):
        carom.Trajectories(CAR, np.ma.array(poses, mask=mask))


def test_a_time_is_no_step() -> None:
    log = carom.Trajectories(CAR, np.zeros((1, 3, 3)))
    with pytest.raises(TypeError, match=r"^step: expected an integer, the number of a pose"):
        log.at(1.0)  # type: ignore[arg-type]
    with pytest.raises(IndexError, match=r"^step: 3 of 3 poses"):
        log.at(3)

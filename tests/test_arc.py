"""Arcs between poses: turns, and centers within four units in the last place."""

import copy
import hashlib
import math
import pickle
import random
from fractions import Fraction

import carom
import numpy as np
import pytest

from reference.oracle import arc as oracle

LEAST, MOST = 5e-324, 1.7976931348623157e308


def coordinate(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice([0.0, 1.0, -1.0, LEAST, -LEAST, MOST, -MOST, 2.0**-1022])
    if kind == 1:
        return rng.uniform(-1, 1) * 10.0 ** rng.randint(-300, 300)
    if kind == 2:
        return rng.uniform(-1, 1) * 2.0 ** rng.choice([-1050, -900, 499, 500, 501, 1023])
    return rng.uniform(-100, 100)


def heading(rng):
    kind = rng.randrange(5)
    if kind == 0:
        near = [math.pi, math.nextafter(math.pi, 0), LEAST, 1e-320, 2.0**-26, math.pi / 2]
        return rng.choice([*near, math.nextafter(2.0**-26, 0)]) * rng.choice([-1, 1])
    if kind == 1:
        return 10.0 ** rng.uniform(-323, 0) * rng.choice([-1, 1])
    if kind == 2:
        return math.pi - 10.0 ** rng.uniform(-16, 0)
    return rng.uniform(-7, 7)


def pairs(seed, count):
    """Pairs of poses of every size, many of which are near each other in a coordinate or both."""
    rng = random.Random(seed)
    while count:
        start = [coordinate(rng), coordinate(rng)]
        end = [coordinate(rng), coordinate(rng)]
        if rng.random() < 0.3:
            end = [math.nextafter(start[0], math.inf), start[1] * rng.uniform(0.999, 1.001)]
        elif rng.random() < 0.3:
            axis = rng.randrange(2)
            end[axis] = start[axis] + rng.uniform(-0.1, 0.1)
        before = rng.choice([0.0, 0.0, rng.uniform(-4, 4)])
        if all(map(math.isfinite, end)):
            count -= 1
            yield (*start, before), (*end, before + heading(rng))


def test_centers_are_within_four_units_in_the_last_place_of_the_exact_one():
    cases = np.array(list(pairs(0, 3000)))
    found = carom.arc(cases)
    assert found.turn.shape == (3000, 1)
    assert found.center.shape == (3000, 1, 2)
    overflowing = 0
    for (start, end), turn, center in zip(cases, found.turn[:, 0], found.center[:, 0], strict=True):
        assert turn == math.remainder(end[2] - start[2], math.tau)
        if turn == 0:
            assert np.isnan(center).all()
            continue
        assert max(oracle.errors(start, end, turn, center)) <= 4
        overflowing += np.isinf(center).sum() == 1
    # A component that overflows does so alone.
    assert overflowing > 50


def test_the_turn_about_the_center_takes_each_position_to_the_next():
    rng = np.random.default_rng(0)
    poses = np.dstack([rng.uniform(-50, 50, (4, 30, 2)), rng.uniform(-9, 9, (4, 30, 1))])
    found = carom.arc(poses)
    for index in np.ndindex(4, 29):
        center, turn = found.center[index], found.turn[index]
        cos, sin = math.cos(turn), math.sin(turn)
        x, y = poses[index][:2] - center
        turned = center + np.array([cos * x - sin * y, sin * x + cos * y])
        # The radius times the roundings of sine, cosine, two products, a sum and the center.
        most = 1e-14 * (100 + math.hypot(x, y))
        after = poses[index[0], index[1] + 1, :2]
        assert abs(turned - after).max() < most


@pytest.mark.parametrize("turn", [1e-12, -1e-12, 1e-100, 1e-310, LEAST, -LEAST])
def test_a_tiny_turn_has_a_far_center(turn):
    found = carom.arc((3.0, -1.0, 0.0), (3.0 + 2.0**-60, -1.0, turn))
    assert found.turn == turn
    assert found.center.tolist() == [3.0, -1.0]
    found = carom.arc((0.0, 0.0, 0.0), (2.0**-60, 0.0, turn))
    exact = Fraction(2.0**-60) / Fraction(turn)
    assert found.center[0] == 2.0**-61
    assert abs(Fraction(found.center[1]) / exact - 1) < 2**-52


def test_arcs_have_the_same_bits_on_every_processor():
    rng = random.Random(0)
    # Numbers whose making is exact everywhere.
    scales = [2.0**exponent for exponent in (-1060, -300, -40, -3, 0, 3, 60, 700)]
    rows = [
        [(rng.random() - 0.5) * rng.choice(scales) for _ in range(2)]
        + [8 * (rng.random() - 0.5) * rng.choice(scales[:5])]
        for _ in range(5000)
    ]
    found = carom.arc(rows)
    centers = np.nan_to_num(found.center, nan=0.5)
    digest = hashlib.sha256(found.turn.tobytes() + centers.tobytes()).hexdigest()[:16]
    assert digest == "0a3af9cd672ad4fd"


def test_half_turns_are_about_the_middle():
    for turn in (math.pi, -math.pi):
        found = carom.arc((1.0, 2.0, 0.0), (5.0, 10.0, turn))
        assert found.turn == turn
        np.testing.assert_allclose(found.center, (3, 6), rtol=0, atol=8 * math.ulp(10.0))


def test_a_turn_on_the_spot_is_about_it_and_no_turn_about_nothing():
    found = carom.arc([(0.1, -0.3, 0.0), (0.1, -0.3, 1.0), (0.7, 0.0, 1.0), (0.7, 0.0, 1.0)])
    assert found.center[0].tolist() == [0.1, -0.3]
    assert found.turn[1:].tolist() == [0.0, 0.0]
    assert np.isnan(found.center[1:]).all()
    for first, second in ((0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0), (1.0, 1.0)):
        assert np.isnan(carom.arc((0, 0, first), (1, 2, second)).center).all()
    assert math.copysign(1.0, carom.arc((-1.0, 0, 0), (1.0, 0, 2)).center[0]) == 1.0


def test_the_turn_is_the_short_way_round_however_far_apart_the_headings():
    for before, after in ((3.0, -3.0), (0.0, 100.0), (1e300, -1e300), (0.0, math.tau)):
        found = carom.arc((0, 0, before), (1, 0, after)).turn
        assert found == math.remainder(after - before, math.tau)
    far = carom.arc((0, 0, -MOST), (1, 0, MOST))
    first, second = (math.remainder(it, math.tau) for it in (-MOST, MOST))
    assert far.turn == math.remainder(second - first, math.tau)


@pytest.mark.parametrize("leading", [(), (1,), (5,), (2, 3), (2, 0)])
def test_leading_dimensions_are_kept_and_two_arguments_broadcast(leading):
    poses = np.random.default_rng(0).uniform(-9, 9, (*leading, 4, 3))
    found = carom.arc(poses)
    assert found.turn.shape == (*leading, 3)
    assert found.center.shape == (*leading, 3, 2)
    given = carom.arc(poses[..., :-1, :], poses[..., 1:, :])
    assert found.turn.tobytes() == given.turn.tobytes()
    assert found.center.tobytes() == given.center.tobytes()
    for index in np.ndindex(*leading, 3):
        after = (*index[:-1], index[-1] + 1)
        one = carom.arc(poses[index], poses[after])
        assert type(one.turn) is float
        assert one.turn == found.turn[index]
        assert one.center.tolist() == found.center[index].tolist()
    one_start = carom.arc(poses[..., :1, :], poses)
    assert one_start.turn.shape == (*leading, 4)


def test_strided_repeated_and_listed_poses_are_read_where_they_lie():
    poses = np.random.default_rng(0).uniform(-9, 9, (6, 10, 3))
    found = carom.arc(poses)
    assert (carom.arc(poses[::-2]).turn == found.turn[::-2]).all()
    assert (carom.arc(poses.tolist()).center == found.center).all()
    repeated = carom.arc(np.broadcast_to(poses[2], (3, 10, 3)))
    assert (repeated.center == found.center[2]).all()
    standing = carom.arc(np.broadcast_to(poses[:, :1], (6, 10, 3)))
    assert (standing.turn == 0).all()


def test_many_poses_on_many_threads_are_the_same_as_one_by_one():
    poses = np.random.default_rng(0).uniform(-9, 9, (3, 40_000, 3))
    found = carom.arc(poses)
    for row, step in ((0, 0), (1, 39_998), (2, 20_000)):
        one = carom.arc(poses[row, step], poses[row, step + 1])
        assert one.turn == found.turn[row, step]
        assert (one.center == found.center[row, step]).all()
    poses[1, 7, 0], poses[2, 0, 0] = np.nan, np.inf
    with pytest.raises(ValueError, match=r"^poses\[1, 7\] is \(nan, .*; it must be finite"):
        carom.arc(poses)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (((0, 0, 0),), ValueError, r"shape \(..., T, 3\), got \(3,\); the next pose is the second"),
        ((np.zeros((4, 0, 3)),), ValueError, r"one pose at least, got shape \(4, 0, 3\)"),
        ((np.zeros((4, 2)),), ValueError, r"poses: expected shape \(..., 3\), got \(4, 2\)"),
        (((0, 0, 0), (0, np.inf, 0)), ValueError, r"next_pose is \(0.0, inf, 0.0\)"),
        ((np.zeros((2, 3)), np.zeros((3, 3))), ValueError, r"poses \(2,\), next_pose \(3,\)"),
        (("here", (0, 0, 0)), TypeError, "poses: expected an array of numbers"),
        (((0, 0, 0), (0, 0, 2**53 + 1)), ValueError, "next_pose: component 2 has 900719925474"),
    ],
)
def test_what_is_not_poses_is_refused(arguments, error, message):
    with pytest.raises(error, match=message) as caught:
        carom.arc(*arguments)
    assert isinstance(caught.value, carom.InputError)


def test_one_pose_has_no_steps():
    found = carom.arc([(1, 2, 3)])
    assert found.turn.shape == (0,)
    assert found.center.shape == (0, 2)


def test_the_result_has_fields_and_cannot_be_changed():
    one = carom.arc((0, 0, 0), (2, 0, math.pi))
    assert one._astuple()[0] == math.pi
    assert list(one._asdict()) == ["turn", "center"]
    assert repr(one) == f"Arcs(turn={math.pi}, center={one.center.tolist()})"
    few, many = carom.arc(np.zeros((3, 3))), carom.arc(np.zeros((2, 9, 3)))
    assert repr(few) == (
        "Arcs(\n    turn=array([0., 0.]),\n"
        "    center=array([[nan, nan],\n                  [nan, nan]]),\n)"
    )
    assert repr(many) == "Arcs(turn=<float64 (2, 8)>, center=<float64 (2, 8, 2)>)"
    for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
        assert again.turn == one.turn
        assert (again.center == one.center).all()
    with pytest.raises(AttributeError):
        one.turn = 0.0
    with pytest.raises(ValueError, match="truth value"):
        bool(one)

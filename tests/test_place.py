"""Footprints at poses."""

import math

import carom
import numpy as np
import pytest

CAR = np.array([(-2.5, -1.0), (2.5, -1.0), (2.5, 1.0), (-2.5, 1.0)])


def test_place_turns_about_the_origin_then_moves():
    placed = carom.place(CAR, (10, 20, math.pi / 2))
    assert placed.shape == (4, 2)
    assert placed.dtype == np.float64
    # Three roundings of numbers near 20: a few units in the last place.
    expected = [(11, 17.5), (11, 22.5), (9, 22.5), (9, 17.5)]
    np.testing.assert_allclose(placed, expected, rtol=0, atol=2e-14)


def test_a_pose_without_heading_only_moves():
    assert (carom.place(CAR, (0.25, -8, 0)) == CAR + np.array([0.25, -8])).all()
    assert (carom.place(CAR, (0, 0, 0)) == CAR).all()


@pytest.mark.parametrize("leading", [(), (1,), (5,), (2, 3), (2, 0), (4, 1, 2)])
def test_leading_dimensions_are_kept(leading):
    poses = np.random.default_rng(0).uniform(-9, 9, (*leading, 3))
    placed = carom.place(CAR, poses)
    assert placed.shape == (*leading, 4, 2)
    for index in np.ndindex(*leading):
        assert (placed[index] == carom.place(CAR, poses[index])).all()


def test_repeated_and_strided_poses_are_read_where_they_lie():
    poses = np.random.default_rng(0).uniform(-9, 9, (10, 3))
    expected = carom.place(CAR, poses)
    assert (carom.place(CAR, poses[::-2]) == expected[::-2]).all()
    assert (carom.place(CAR, poses.tolist()) == expected).all()
    repeated = carom.place(CAR, np.broadcast_to(poses[3], (7, 3)))
    assert (repeated == expected[3]).all()
    assert repeated.shape == (7, 4, 2)


def test_many_poses_on_many_threads_are_the_same_as_one_by_one():
    poses = np.random.default_rng(0).uniform(-9, 9, (20_000, 3))
    placed = carom.place(CAR, poses)
    for row in (0, 7, 9_999, 19_999):
        assert (placed[row] == carom.place(CAR, poses[row])).all()


def test_the_lowest_bad_pose_is_told():
    poses = np.zeros((50_000, 3))
    poses[[20_000, 40_000], 2] = np.inf
    with pytest.raises(ValueError, match=r"poses\[20000\] is \(0.0, 0.0, inf\)"):
        carom.place(CAR, poses)


def test_what_place_returns_goes_into_a_batch():
    placed = carom.place(CAR, [(0, 0, 0), (5, 0, 0), (5.0000000000000009, 0, 0)])
    assert carom.intersects_batch(CAR, placed).tolist() == [True, True, False]


def test_what_is_placed_beyond_all_floats_is_refused():
    with pytest.raises(ValueError, match=r"poses\[1\]: .* vertex 0 is \(inf, 0.0\)"):
        carom.place([(1e308, 0), (0, 1), (0, 0)], [(0, 0, 0), (1.7e308, 0, 0)])


LONG = 2**16 + 1


@pytest.mark.parametrize(
    ("last", "error", "message"),
    [
        ((0, 0, 2**53 + 1), ValueError, rf"poses\[{LONG}\]: component 2 has 9007199254740993"),
        ((0, 0, True), TypeError, rf"poses\[{LONG}\]: component 2 has a bool"),
        ((0, 0), ValueError, "poses: expected shape .*, got a sequence of items of different"),
        ((0, 0, "1"), TypeError, rf"poses\[{LONG}\]: component 2 has a str"),
    ],
)
def test_a_list_that_is_converted_in_slices_is_checked_to_its_end(last, error, message):
    poses = [(0.5, 0, 0)] * LONG
    assert np.array_equal(carom.place([(1, 2)], poses), np.tile([(1.5, 2.0)], (LONG, 1, 1)))
    with pytest.raises(error, match=message):
        carom.place([(1, 2)], [*poses, last])

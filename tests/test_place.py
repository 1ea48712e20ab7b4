"""Footprints at poses."""

import math
from fractions import Fraction

import carom
import numpy as np
import pytest
import shapely

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


# Many footprints, and columns.


@pytest.mark.parametrize(
    ("of_shapes", "of_poses"),
    [
        ((5,), (5,)),
        ((5,), ()),
        ((1,), (5,)),
        ((5, 1), (5, 3)),
        ((1, 3), (5, 1)),
        ((5, 1), (3,)),
        ((2, 1, 3), (4, 1)),
        ((0,), (1,)),
        ((5,), (1,)),
    ],
)
def test_footprints_and_poses_broadcast(of_shapes, of_poses):
    rng = np.random.default_rng(0)
    shapes, poses = rng.uniform(-9, 9, (*of_shapes, 3, 2)), rng.uniform(-9, 9, (*of_poses, 3))
    placed = carom.place(shapes, poses)
    leading = np.broadcast_shapes(of_shapes, of_poses)
    assert placed.shape == (*leading, 3, 2)
    every = np.broadcast_to(shapes, (*leading, 3, 2)), np.broadcast_to(poses, (*leading, 3))
    assert (carom.place(*every) == placed).all()
    for index in np.ndindex(*leading):
        assert (placed[index] == carom.place(every[0][index], every[1][index])).all()


def test_strided_and_listed_footprints_are_read_where_they_lie():
    rng = np.random.default_rng(0)
    shapes, poses = rng.uniform(-9, 9, (10, 4, 2)), rng.uniform(-9, 9, (10, 3))
    placed = carom.place(shapes, poses)
    assert (carom.place(shapes[::-2], poses[::-2]) == placed[::-2]).all()
    assert (carom.place(list(shapes), poses.tolist()) == placed).all()
    assert (carom.place(shapes[:, ::-1], poses) == placed[:, ::-1]).all()


def test_vertices_are_within_a_few_roundings_of_the_exact_ones():
    rng = np.random.default_rng(0)
    shapes, poses = rng.uniform(-9, 9, (200, 4, 2)), rng.uniform(-9, 9, (200, 3))
    for shape, (x, y, heading), placed in zip(
        shapes, poses, carom.place(shapes, poses), strict=True
    ):
        cos, sin = (Fraction(it(heading)) for it in (math.cos, math.sin))
        for (u, v), found in zip(shape, placed, strict=True):
            u, v = Fraction(u), Fraction(v)
            exact = (u * cos - v * sin + Fraction(x), u * sin + v * cos + Fraction(y))
            # Two products of at most 9, two sums of at most 27, and an ulp of the sine or cosine.
            for one, other in zip(found, exact, strict=True):
                assert abs(Fraction(one) - other) < 4 * math.ulp(16.0)


def test_many_footprints_on_many_threads_are_the_same_as_one_by_one():
    rng = np.random.default_rng(0)
    shapes, poses = rng.uniform(-9, 9, (20_000, 4, 2)), rng.uniform(-9, 9, (20_000, 3))
    placed = carom.place(shapes, poses)
    for row in (0, 7, 9_999, 19_999):
        assert (placed[row] == carom.place(shapes[row], poses[row])).all()
    shapes[[9, 4_000], 2, 1] = np.nan
    with pytest.raises(ValueError, match=r"shapes\[9\]: vertex 2 is \(.*, nan\)"):
        carom.place(shapes, poses)


def test_a_footprint_that_one_pose_puts_beyond_all_floats_is_named():
    huge = [CAR, CAR * 5e307]
    with pytest.raises(ValueError, match=r"^shapes\[1\]: the footprint as placed there"):
        carom.place(huge, (1.7e308, 0, 0))
    with pytest.raises(ValueError, match=r"^poses\[1, 0\]: the footprint as placed there"):
        carom.place(np.array(huge)[:, None], [[(0, 0, 0)], [(1.7e308, 0, 0)]])


def mixed():
    yard = [(0, 0), (10, 0), (10, 10), (0, 10)]
    court = [(2, 2), (4, 2), (4, 4), (2, 4)]
    plain = carom.Shapes([[yard, court], None, CAR, shapely.Point(1, 2)], on_invalid="mask")
    return plain.with_radius([0.5, 0.0, 0.25, 1.0]).with_crs("EPSG:32633")


def test_a_column_gives_a_column_with_holes_kinds_radii_and_its_system():
    column, poses = mixed(), np.random.default_rng(0).uniform(-9, 9, (4, 3))
    placed = carom.place(column, poses)
    assert isinstance(placed, carom.Shapes)
    assert placed.kind.tolist() == column.kind.tolist()
    assert (placed.radius == column.radius)[[0, 2, 3]].all()
    assert placed.crs == "EPSG:32633"
    assert placed.is_valid.tolist() == column.is_valid.tolist()
    assert placed[1] is None
    starts = np.cumsum([0, 8, 0, 4, 1])
    for row, pose in enumerate(poses):
        own = slice(starts[row], starts[row + 1])
        if row != 1:
            assert (placed.coords[own] == carom.place(column.coords[own], pose)).all()
    # A selection of rows, and one pose for all.
    assert carom.place(column[2:], poses[2:]) == placed[2:]
    assert carom.place(column, poses[:1]) == carom.place(column, poses[0])
    assert carom.place(column[::-1], poses[::-1]) == placed[::-1]


def test_one_row_stands_for_all_poses():
    column, poses = mixed(), np.random.default_rng(0).uniform(-9, 9, (6, 3))
    for row in (0, 2, 3):
        placed = carom.place(column[row : row + 1], poses)
        assert len(placed) == 6
        for k, pose in enumerate(poses):
            assert placed[k : k + 1] == carom.place(column[row : row + 1], pose)
    assert carom.place(column[1:2], poses).is_valid.all()
    assert carom.place(column[1:2], poses)[5] is None
    assert len(carom.place(column[:1], np.zeros((0, 3)))) == 0
    assert len(carom.place(column[:0], np.zeros((0, 3)))) == 0
    assert len(carom.place(column[:0], (0, 0, 0))) == 0


def test_masked_rows_stay_missing_and_tell_why():
    column = carom.Shapes([CAR, [(0, 0), (1, 1), (1, 0), (0, 1)]], on_invalid="mask")
    placed = carom.place(column, [(1, 2, 3), (4, 5, 6)])
    assert placed.is_valid.tolist() == [True, False]
    assert placed[1] is None
    assert placed.invalid_reason.tolist() == column.invalid_reason.tolist()


def test_a_row_that_rounding_makes_invalid_is_refused_and_its_pose_named():
    # The hole touches the shell in a point, which rounded coordinates may leave.
    frame = [[(0, 0), (9, 3), (6, 15)], [(3, 1), (6, 6), (5, 7)]]
    column = carom.Shapes([[CAR], frame])
    assert len(carom.place(column, np.zeros((2, 3)))) == 2
    poses = [(0, 0, heading) for heading in np.linspace(0, 3, 40)]
    with pytest.raises(carom.InputValueError, match="the footprint as placed there") as caught:
        carom.place(column[1:], poses)
    row = caught.value.row
    assert str(caught.value).startswith(f"poses[{row}]: ")
    assert len(carom.place(column[1:], poses[:row])) == row
    with pytest.raises(carom.InputValueError, match=r"^poses\[1\]: .* take an origin nearer"):
        carom.place(column, [(0, 0, 0), (1e17, 0, 0)])
    with pytest.raises(carom.InputValueError, match=r"^shapes\[1\]: the footprint as placed there"):
        carom.place(column, poses[row])


def test_a_column_at_many_poses_on_many_threads_is_that_of_arrays():
    rng = np.random.default_rng(0)
    boxes, poses = carom.boxes(rng.uniform(3, 9, 20_000), 2), rng.uniform(-9, 9, (20_000, 3))
    placed = carom.place(carom.Shapes(boxes), poses)
    assert (placed.coords == carom.place(boxes, poses).reshape(-1, 2)).all()

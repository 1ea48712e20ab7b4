"""Types: mypy and pyright check this file too, and must infer the types that occur at run time."""

from __future__ import annotations

from typing import Any, Literal, assert_type

import carom
import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
SQUARES = carom.place(SQUARE, [(0, 0, 0), (0.5, 0, 0)])


def test_one_pair_has_numbers_and_many_have_arrays() -> None:
    assert_type(carom.intersects(SQUARE, SQUARE), bool)
    assert_type(carom.intersects_batch(SQUARE, SQUARES), NDArray[np.bool_])
    assert_type(carom.overlap_area(SQUARE, SQUARE), float)
    assert_type(carom.overlap_area_batch(SQUARE, SQUARES), NDArray[np.float64])
    assert_type(carom.place(carom.boxes(4, [1.5, 2.0]), (0, 0, 0)), NDArray[np.float64])
    assert_type(carom.place(carom.Shapes(SQUARES), (0, 0, 0)), carom.Shapes)
    assert_type(carom.arc((0, 0, 0), (1, 1, 1)).center, NDArray[np.float64])
    assert_type(carom.predicate_batch(SQUARE, SQUARES, "disjoint"), NDArray[np.bool_])
    assert_type(carom.colliding_pairs(SQUARES, predicate="covers"), NDArray[np.int64])
    one, many = carom.sat(SQUARE, SQUARE), carom.sat_batch(SQUARE, SQUARES)
    assert isinstance(assert_type(one.depth, float), float)
    assert isinstance(assert_type(many.depth, Floats), np.ndarray)
    assert isinstance(assert_type(one.mtv, Floats), np.ndarray)
    assert isinstance(assert_type(many[0], carom.SatResult), carom.SatResult)
    assert isinstance(assert_type(many[:1], carom.SatBatchResult), carom.SatBatchResult)


def test_indices_and_features_are_what_they_are_said_to_be() -> None:
    one = carom.circle_polygon((3, 0), 1, SQUARE)
    many = carom.circle_polygon_batch((3, 0), 1, SQUARES)
    feature = assert_type(one.feature, Literal["vertex", "edge"] | None)
    assert feature in carom.FEATURES
    assert isinstance(assert_type(one.index, int), int)
    assert assert_type(many.feature, NDArray[np.int8]).dtype == np.int8
    assert assert_type(many.index, NDArray[np.int64]).dtype == np.int64


def test_a_column_gives_a_row_for_a_number_and_a_column_for_a_slice() -> None:
    column = carom.Shapes(SQUARES)
    assert isinstance(
        assert_type(column[0], Floats | list[Floats] | carom.Shapes | None), np.ndarray
    )
    assert isinstance(assert_type(column[1:], carom.Shapes), carom.Shapes)
    assert assert_type(carom.colliding_pairs(column), NDArray[np.int64]).dtype == np.int64


def test_whatever_is_a_polygon_is_taken() -> None:
    box = shapely.box(0, 0, 1, 1)
    frame = [[(0, 0), (9, 0), (9, 9), (0, 9)], [(1, 1), (8, 1), (8, 8), (1, 8)]]
    assert carom.intersects(box, SQUARES[0])
    assert carom.intersects(np.array(SQUARE, np.float32), frame)
    assert carom.Shapes([box, None, frame]).bounds.shape == (3, 4)
    objects: NDArray[np.object_] = np.array([box, None])
    assert carom.intersects_batch(objects, box).tolist() == [True, False]


def test_a_column_of_one_row_is_one_shape_and_one_of_several_is_not() -> None:
    column = carom.Shapes(SQUARES)
    assert carom.sat(column[:1], SQUARE)
    with pytest.raises((TypeError, ValueError)):
        carom.sat(column, SQUARE)


def test_columns_of_every_kind_are_taken_with_margins() -> None:
    circles = carom.Shapes.from_points([(0, 0), (3, 0)], radius=[0.5, 1.0])
    capsule = carom.Shapes.from_segments([[(0, 2), (3, 2)]], radius=0.5)
    assert assert_type(carom.distance(circles[:1], capsule).distance, float) == 1.0
    assert carom.intersects_batch(circles, capsule, margin=[0.5, 0.5]).tolist() == [False, True]
    assert assert_type(circles.kind, NDArray[np.int8]).tolist() == [0, 0]
    pairs = assert_type(carom.colliding_pairs(circles, capsule, margin=[1.0, 0.0]), Integers)
    pieces = list(carom.iter_colliding_pairs(circles, capsule, margin=1.0, chunk_pairs=1))
    assert assert_type(pieces, list[Integers])[0].shape == (2, 1)
    assert pairs.tolist() == [[0], [0]]


# mypy's strict mode refuses an ignored error that isn't one.


def test_results_cannot_be_changed() -> None:
    result: Any = carom.sat(SQUARE, SQUARE)
    with pytest.raises(AttributeError):
        result.depth = 0.0
    with pytest.raises(ValueError, match="on_invalid"):
        carom.sat_batch(SQUARE, SQUARES, on_invalid="ignore")  # type: ignore[arg-type]

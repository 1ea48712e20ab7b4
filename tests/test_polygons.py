"""The column."""

import pickle
import threading

import carom
import numpy as np
import pytest

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
TRIANGLE = SQUARE[:3] + 5
ROWS = [SQUARE, None, TRIANGLE, [], SQUARE[::-1] - 2]
PRESENT = [0, 2, 4]


def test_a_column_gives_back_its_rows():
    column = carom.Polygons(ROWS)
    assert len(column) == 5
    assert [row is None for row in column] == [False, True, False, True, False]
    for row in PRESENT:
        assert (column[row] == ROWS[row]).all()
        assert (column[row - 5] == ROWS[row]).all()
    for row in (5, -6, 2**70):
        with pytest.raises(IndexError, match="of a column of 5"):
            column[row]


def test_coordinates_and_offsets_are_flat_and_read_only():
    column = carom.Polygons(ROWS)
    ring_offsets, polygon_offsets = column.offsets
    assert ring_offsets.tolist() == [0, 4, 7, 11]
    assert polygon_offsets.tolist() == [0, 1, 1, 2, 2, 3]
    assert column.coords.tolist() == np.concatenate([ROWS[row] for row in PRESENT]).tolist()
    for array in (column.coords, column[0], ring_offsets, polygon_offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        column.coords.flags.writeable = True


def test_a_view_of_the_coordinates_outlives_the_column():
    coords = carom.Polygons([SQUARE * row for row in range(1, 1000)]).coords
    assert coords[-4:].tolist() == (SQUARE * 999).tolist()


def test_a_column_owns_its_numbers():
    rows = np.stack([SQUARE, SQUARE])
    column = carom.Polygons(rows)
    rows += 1
    assert (column[0] == SQUARE).all()


def test_bounds_and_convexity():
    column = carom.Polygons(ROWS)
    assert column.bounds.shape == (5, 4)
    assert column.bounds[PRESENT].tolist() == [[0, 0, 1, 1], [5, 5, 6, 6], [-2, -2, -1, -1]]
    assert np.isnan(column.bounds[[1, 3]]).all()
    assert column.is_convex.tolist() == [True, False, True, False, True]


@pytest.mark.parametrize(
    "rows",
    [
        np.stack([SQUARE, SQUARE + 1]),
        [SQUARE, SQUARE + 1],
        (SQUARE.tolist(), (SQUARE + 1).astype(np.float32)),
        np.stack([SQUARE, SQUARE + 1]).astype(int),
        np.array([SQUARE, SQUARE + 1, None], dtype=object)[:2],
        iter([SQUARE, SQUARE + 1]),
        (ring for ring in (SQUARE, SQUARE + 1)),
        [np.concatenate([SQUARE, SQUARE[:1]]), SQUARE + 1],
        carom.Polygons([SQUARE, SQUARE + 1]),
    ],
)
def test_columns_are_made_of_whatever_holds_polygons(rows):
    column = carom.Polygons(rows)
    assert column == carom.Polygons([SQUARE, SQUARE + 1])
    assert len(column.coords) == 8


def test_columns_may_be_empty_or_all_missing():
    for rows in ([], (), np.empty((0, 4, 2))):
        column = carom.Polygons(rows)
        assert len(column) == 0
        assert column.coords.shape == (0, 2)
        assert column.bounds.shape == (0, 4)
        assert carom.sat_batch(column, SQUARE).shape == (0,)
    column = carom.Polygons([None, []])
    assert list(column) == [None, None]
    assert carom.intersects_batch(column, column).tolist() == [False, False]


def test_equality_is_of_all_rows_in_order():
    column = carom.Polygons(ROWS)
    assert column == carom.Polygons(ROWS)
    assert column != carom.Polygons(ROWS[::-1])
    assert column != carom.Polygons(ROWS[:4])
    assert carom.Polygons([SQUARE, None]) != carom.Polygons([None, SQUARE])
    assert column != "column"
    with pytest.raises(TypeError, match="unhashable"):
        hash(column)


KEYS = [
    slice(1, 4),
    slice(None, None, -2),
    [0, 0, -1],
    np.array([4, 2]),
    np.array([True, False, True, True, False]),
    slice(0, 0),
    [],
]


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_slices_masks_and_index_arrays_choose_rows(key):
    column = carom.Polygons(ROWS)
    chosen = np.arange(5)[np.asarray(key, int) if isinstance(key, list) else key]
    assert column[key] == carom.Polygons([ROWS[row] for row in chosen])
    assert column[key].is_convex.tolist() == column.is_convex[chosen].tolist()


def test_rows_are_indexed_along_one_axis_only():
    column = carom.Polygons(ROWS)
    with pytest.raises(IndexError):
        column[0, 0]
    with pytest.raises(IndexError):
        column[[5]]
    with pytest.raises((IndexError, TypeError)):
        column["coords"]
    with pytest.raises(TypeError, match="indexed by"):
        column[np.zeros((2, 2), int)]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_columns_are_pickled(protocol):
    column = carom.Polygons(ROWS)
    assert pickle.loads(pickle.dumps(column, protocol)) == column


def test_repr_says_what_it_holds():
    assert repr(carom.Polygons(ROWS)) == "Polygons(<5 polygons, 2 missing, 11 vertices>)"
    assert repr(carom.Polygons([SQUARE])) == "Polygons(<1 polygon, 4 vertices>)"


def test_from_ragged_is_the_inverse_of_coords_and_offsets():
    column = carom.Polygons(ROWS)
    assert carom.Polygons.from_ragged(column.coords, *column.offsets) == column
    whole = carom.Polygons([SQUARE, TRIANGLE])
    assert carom.Polygons.from_ragged(whole.coords, whole.offsets[0]) == whole
    closed = np.concatenate([SQUARE, SQUARE[:1], TRIANGLE])
    assert carom.Polygons.from_ragged(closed, [0, 5, 8]) == whole
    assert len(carom.Polygons.from_ragged(np.empty((0, 2)), [0])) == 0


@pytest.mark.parametrize(
    ("ring_offsets", "polygon_offsets", "text"),
    [
        ([0, 5, 4], None, "ring_offsets: expected offsets that rise from 0 to 4"),
        ([0, 3], None, "ring_offsets: expected offsets that rise from 0 to 4"),
        ([1, 4], None, "ring_offsets: expected offsets that rise from 0 to 4"),
        ([], None, "ring_offsets: expected offsets that rise from 0 to 4"),
        ([-1, 4], None, "ring_offsets: expected offsets that rise from 0 to 4"),
        ([0, 2**63 - 1], None, "ring_offsets: expected offsets that rise from 0 to 4"),
        ([0, 4], [0, 2], "polygon_offsets: expected offsets that rise from 0 to 1"),
        ([0, 2, 4], None, r"polygons\[0\]: a polygon has three vertices or more, not 2"),
        ([0, 4, 4], [0, 2], r"polygons\[0\]: ring 1: a polygon has three vertices or more, not 0"),
    ],
)
def test_from_ragged_refuses_offsets_that_lead_astray(ring_offsets, polygon_offsets, text):
    with pytest.raises(ValueError, match=text):
        carom.Polygons.from_ragged(SQUARE, ring_offsets, polygon_offsets)


def test_offsets_are_integers():
    with pytest.raises(TypeError, match="ring_offsets: expected an array of integers"):
        carom.Polygons.from_ragged(SQUARE, [0.0, 4.0])


def test_a_column_in_a_batch_is_the_loop_over_its_rows():
    column = carom.Polygons(ROWS)
    result = carom.sat_batch(column, SQUARE - 0.5)
    for row in PRESENT:
        assert repr(result[row]) == repr(carom.sat(column[row], SQUARE - 0.5))
    crossed = carom.intersects_batch(column, np.stack([SQUARE, SQUARE + 5])[:, None])
    assert crossed.tolist() == [[True, *[False] * 4], [False, False, True, False, False]]


def test_many_threads_may_share_a_column():
    column = carom.Polygons([SQUARE + shift for shift in range(2000)])
    expected = carom.intersects_batch(column, column[::-1]).sum()
    found = []

    def ask():
        found.append(carom.intersects_batch(column, column[::-1]).sum())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8

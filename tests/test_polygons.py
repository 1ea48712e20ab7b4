"""The column."""

import copy
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
    for row in (5, -6, 2**70, -(10**30)):
        with pytest.raises(IndexError, match=f"^row {row} of a column of 5$"):
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
    for key in (True, False, np.True_, np.array(True)):
        with pytest.raises(TypeError):
            column[key]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_columns_are_pickled(protocol):
    column = carom.Polygons(ROWS)
    back = pickle.loads(pickle.dumps(column, protocol))
    assert back == column
    assert back.coords.tobytes() == column.coords.tobytes()
    chosen = column[::-2][1:]
    assert pickle.loads(pickle.dumps(chosen, protocol)) == chosen


def test_a_pickle_holds_the_chosen_rows_alone():
    column = carom.Polygons([SQUARE + shift for shift in range(1000)])
    assert len(pickle.dumps(column[5:6])) < 1000


def test_an_unchecked_column_is_not_refused_when_it_is_unpickled():
    bow_tie = SQUARE[[0, 2, 1, 3]]
    column = carom.Polygons([bow_tie, SQUARE[:2], SQUARE], check=False)
    back = pickle.loads(pickle.dumps(column))
    assert back == column
    assert back.is_convex.tolist() == column.is_convex.tolist()


def test_a_column_is_its_own_copy():
    column = carom.Polygons(ROWS)
    assert copy.copy(column) is column
    assert copy.deepcopy([column])[0] is column


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
    for coords in (np.empty((0, 2)), [], ()):
        assert carom.Polygons.from_ragged(coords, [0]) == carom.Polygons([])
        assert carom.Polygons.from_ragged(coords, [0], [0]) == carom.Polygons([])


@pytest.mark.parametrize(
    ("ring_offsets", "polygon_offsets", "text"),
    [
        ([0, 5, 4], None, "ring_offsets: expected .* from 0 to 4, got 4 after 5 at position 2$"),
        ([0, 3], None, "ring_offsets: expected .* from 0 to 4, got 3 as the last$"),
        ([1, 4], None, "ring_offsets: expected .* from 0 to 4, got 1 as the first$"),
        ([], None, "ring_offsets: expected offsets that rise from 0 to 4, got none$"),
        ([-1, 4], None, "ring_offsets: expected .* from 0 to 4, got -1 as the first$"),
        ([0, 2**63 - 1], None, f"ring_offsets: expected .*, got {2**63 - 1} as the last$"),
        ([0, 4], [0, 2], "polygon_offsets: expected .* from 0 to 1, got 2 as the last$"),
        (([0, 4], [0, 1]), None, r"ring_offsets: expected .*, got two arrays; .* \*offsets$"),
        ((np.array([0, 2, 4]), np.array([0, 1])), None, "ring_offsets: expected .* two arrays"),
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


CLOSED = np.concatenate([SQUARE, SQUARE[:1]])
HOLED = [SQUARE * 9, SQUARE + 1, (SQUARE + 4)[::-1]]


def frozen(array):
    """The same numbers in memory that nobody writes to."""
    array = np.array(array, float)
    array.setflags(write=False)
    return array


def test_chosen_rows_share_the_coordinates():
    column = carom.Polygons([HOLED, SQUARE, None, TRIANGLE])
    for chosen in (column[1:], column[::-1], column[[3, 0]], column[1:][1:], column[[1, 3]][::-1]):
        rows = [row for row in chosen if row is not None]
        for row in rows:
            for ring in row if isinstance(row, list) else [row]:
                assert np.shares_memory(ring, column.coords)
    assert np.shares_memory(column[1:3].coords, column.coords)
    assert np.shares_memory(column[[1, 2, 3]].coords, column.coords)
    assert not np.shares_memory(column[::-1].coords, column.coords)


@pytest.mark.parametrize("key", [slice(1, 4), slice(4, 1, -2), [2, 0, 2], slice(2, 2)], ids=str)
def test_choosing_twice_is_choosing_once(key):
    rows = [HOLED, SQUARE, None, TRIANGLE, CLOSED + 3]
    column = carom.Polygons([TRIANGLE, *rows, SQUARE])[1:-1]
    direct = carom.Polygons([rows[row] for row in np.arange(5)[key]])
    assert column[key] == direct
    assert column[key].coords.tobytes() == direct.coords.tobytes()
    for own, others in zip(column[key].offsets, direct.offsets, strict=True):
        assert own.tolist() == others.tolist()


def test_read_only_memory_is_shared_and_other_memory_is_copied():
    rows = np.stack([SQUARE, SQUARE + 2])
    assert not np.shares_memory(carom.Polygons(rows).coords, rows)
    view = frozen(rows)[1:]
    assert np.shares_memory(carom.Polygons(view).coords, view)
    immutable = np.frombuffer(rows.tobytes()).reshape(rows.shape)
    assert np.shares_memory(carom.Polygons(immutable).coords, immutable)
    coords = frozen(CLOSED)
    assert np.shares_memory(carom.Polygons.from_ragged(coords, [0, 5]).coords, coords)


def test_a_read_only_view_of_writeable_memory_is_copied():
    rows = np.stack([SQUARE, SQUARE + 2])
    for view in (rows[:], np.frombuffer(bytearray(rows.tobytes())).reshape(rows.shape)):
        view.setflags(write=False)
        assert not np.shares_memory(carom.Polygons(view).coords, view)


def test_a_column_keeps_the_memory_that_it_shares():
    column = carom.Polygons(frozen([SQUARE + shift for shift in range(999)]))
    assert (column[998] == SQUARE + 998).all()
    row = carom.Polygons(frozen([SQUARE + shift for shift in range(999)]))[7:][0]
    assert (row == SQUARE + 7).all()


def test_nobody_sees_closing_vertices():
    holed = np.concatenate([[*ring, ring[0]] for ring in HOLED])
    offsets = [0, 5, 10, 15]
    for coords in (holed, frozen(holed)):
        column = carom.Polygons.from_ragged(coords, offsets, [0, 3])
        assert column == carom.Polygons([HOLED])
        assert column.coords.tolist() == np.concatenate(HOLED).tolist()
        assert [offset.tolist() for offset in column.offsets] == [[0, 4, 8, 12], [0, 3]]
        assert [len(ring) for ring in column[0]] == [4, 4, 4]
        assert "12 vertices" in repr(column)
        nearest = carom.circle_polygon_batch((5.5, 3.9), 0, column)
        assert nearest.index[0] == carom.circle_polygon((5.5, 3.9), 0, HOLED).index


@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_a_closing_vertex_may_be_repeated(repeats):
    ring = np.concatenate([SQUARE, *[SQUARE[:1]] * repeats])
    for column in (carom.Polygons([ring]), carom.Polygons(ring[None])):
        assert column == carom.Polygons([SQUARE])
        assert carom.Polygons.from_ragged(column.coords, *column.offsets) == column


def test_positions_in_messages_do_not_count_closing_vertices():
    crossing = SQUARE[[0, 2, 1, 3, 0]] + 4
    coords = np.concatenate([[*(SQUARE * 9), (0, 0)], crossing])
    with pytest.raises(ValueError, match=r"polygons\[0\]: ring 1: .* edge 0 and edge 2"):
        carom.Polygons.from_ragged(frozen(coords), [0, 5, 10], [0, 2])


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

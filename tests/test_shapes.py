"""The column."""

import concurrent.futures
import copy
import math
import mmap
import pickle
import sys
import threading
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import carom
import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from shapely import affinity

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
TRIANGLE = SQUARE[:3] + 5
ROWS = [SQUARE, None, TRIANGLE, [], SQUARE[::-1] - 2]
PRESENT = [0, 2, 4]


def test_a_column_gives_back_its_rows():
    column = carom.Shapes(ROWS)
    assert len(column) == 5
    assert [row is None for row in column] == [False, True, False, True, False]
    for row in PRESENT:
        assert (column[row] == ROWS[row]).all()
        assert (column[row - 5] == ROWS[row]).all()
    for row in (5, -6, 2**70, -(10**30)):
        with pytest.raises(IndexError, match=f"^row {row} of a column of 5$"):
            column[row]


def test_coordinates_and_offsets_are_flat_and_read_only():
    column = carom.Shapes(ROWS)
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
    coords = carom.Shapes([SQUARE * row for row in range(1, 1000)]).coords
    assert coords[-4:].tolist() == (SQUARE * 999).tolist()


def test_a_column_owns_its_numbers():
    rows = np.stack([SQUARE, SQUARE])
    column = carom.Shapes(rows)
    rows += 1
    assert (column[0] == SQUARE).all()


def test_bounds_and_convexity():
    column = carom.Shapes(ROWS)
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
        carom.Shapes([SQUARE, SQUARE + 1]),
    ],
)
def test_columns_are_made_of_whatever_holds_polygons(rows):
    column = carom.Shapes(rows)
    assert column == carom.Shapes([SQUARE, SQUARE + 1])
    assert len(column.coords) == 8


def test_columns_may_be_empty_or_all_missing():
    for rows in ([], (), np.empty((0, 4, 2))):
        column = carom.Shapes(rows)
        assert len(column) == 0
        assert column.coords.shape == (0, 2)
        assert column.bounds.shape == (0, 4)
        assert carom.sat_batch(column, SQUARE).shape == (0,)
    column = carom.Shapes([None, []])
    assert list(column) == [None, None]
    assert carom.intersects_batch(column, column).tolist() == [False, False]


def test_equality_is_of_all_rows_in_order():
    column = carom.Shapes(ROWS)
    assert column == carom.Shapes(ROWS)
    assert column != carom.Shapes(ROWS[::-1])
    assert column != carom.Shapes(ROWS[:4])
    assert carom.Shapes([SQUARE, None]) != carom.Shapes([None, SQUARE])
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
    column = carom.Shapes(ROWS)
    chosen = np.arange(5)[np.asarray(key, int) if isinstance(key, list) else key]
    assert column[key] == carom.Shapes([ROWS[row] for row in chosen])
    assert column[key].is_convex.tolist() == column.is_convex[chosen].tolist()


def test_an_integer_of_numpy_chooses_a_row_as_it_does_of_a_result():
    column = carom.Shapes(ROWS)
    for key in (np.int64(3), np.array(3), np.array(3, "u1")):
        np.testing.assert_array_equal(column[key], column[3])
    for key in (np.array(True), np.array(1.0)):
        with pytest.raises((IndexError, TypeError)):
            column[key]


def test_a_column_says_that_it_does_not_search_for_a_row():
    with pytest.raises(TypeError, match="a column does not search for a row; intersects_batch"):
        assert SQUARE in carom.Shapes(ROWS)


def test_rows_are_indexed_along_one_axis_only():
    column = carom.Shapes(ROWS)
    with pytest.raises(IndexError):
        column[0, 0]
    with pytest.raises(IndexError):
        column[[5]]
    for key in ("coords", 1.0, None):
        with pytest.raises(TypeError, match="indexed by an integer, a slice, or one array"):
            column[key]
    with pytest.raises(TypeError, match="indexed by"):
        column[np.zeros((2, 2), int)]
    for key in (True, False, np.True_, np.array(True)):
        with pytest.raises(TypeError):
            column[key]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_columns_are_pickled(protocol):
    column = carom.Shapes(ROWS)
    back = pickle.loads(pickle.dumps(column, protocol))
    assert back == column
    assert back.coords.tobytes() == column.coords.tobytes()
    chosen = column[::-2][1:]
    assert pickle.loads(pickle.dumps(chosen, protocol)) == chosen


def test_a_pickle_holds_the_chosen_rows_alone():
    column = carom.Shapes([SQUARE + shift for shift in range(1000)])
    assert len(pickle.dumps(column[5:6])) < 1000


def test_an_unchecked_column_is_not_refused_when_it_is_unpickled():
    bow_tie = SQUARE[[0, 2, 1, 3]]
    column = carom.Shapes([bow_tie, SQUARE[:2], SQUARE], check=False)
    back = pickle.loads(pickle.dumps(column))
    assert back == column
    assert back.is_convex.tolist() == column.is_convex.tolist()


def test_an_unchecked_column_is_validated_by_making_a_column_of_it():
    good = carom.Shapes([HOLED, None, SQUARE], check=False)
    assert carom.Shapes(good) == good
    bad = carom.Shapes([SQUARE, SQUARE[[0, 2, 1, 3]]], check=False)
    assert carom.Shapes(bad, check=False) == bad
    for column, row in ((bad, 1), (bad[1:], 0), (bad[::-1], 0)):
        with pytest.raises(ValueError, match=rf"shapes\[{row}\]: the ring meets itself"):
            carom.Shapes(column)


def test_unpickled_coordinates_are_the_same_bits():
    odd = np.array([(-0.0, 0.0), (5e-324, -0.0), (1.7e308, np.nan), (np.inf, 1)])
    column = carom.Shapes([odd, SQUARE, -0.0 * SQUARE], check=False)
    for rows in (column, column[::-1]):
        back = pickle.loads(pickle.dumps(rows))
        assert back.coords.tobytes() == rows.coords.tobytes()
        assert back.is_convex.tolist() == rows.is_convex.tolist()


def test_a_column_is_its_own_copy():
    column = carom.Shapes(ROWS)
    assert copy.copy(column) is column
    assert copy.deepcopy([column])[0] is column


def test_repr_says_what_it_holds():
    assert repr(carom.Shapes(ROWS)) == "Shapes(<5 shapes, 2 missing, 11 vertices>)"
    assert repr(carom.Shapes([SQUARE])) == "Shapes(<1 shape, 4 vertices>)"
    point = carom.Shapes.from_points([(0, 0)])
    assert repr(point) == "Shapes(<1 shape, 1 vertex: 1 point>)"
    assert repr(point.with_radius(2)) == "Shapes(<1 shape, 1 vertex: 1 point, radius 2.0>)"
    lines = [shapely.LineString([(0, 0), (1, 0)]), None, shapely.box(0, 0, 1, 1)]
    rounded = carom.Shapes.from_shapely(lines).with_radius([0, 7, 0.5])
    assert repr(rounded) == (
        "Shapes(<3 shapes, 1 missing, 6 vertices: 1 path, 1 polygon, radius 0.0 to 0.5>)"
    )


def test_a_masked_row_tells_the_number_that_no_float64_holds():
    big, make = 2**53 + 1, carom.Shapes
    what = f"has {big}, which no float64 holds exactly"
    mask = {"on_invalid": "mask"}
    hole = [(0, 0), (9, 0), (9, 9), (0, 9), (1, 1), (2, 1), (2, big), (0, 0), (1, 0), (1, 1)]
    columns = {
        f"vertex 0 {what}": make.from_points([(big, 0), (0, 0)], **mask),
        f"vertex 1 {what}": make.from_segments([[(0, 0), (big, 1)], [(0, 0), (1, 1)]], **mask),
        f"vertex 2 {what}": make([[(0, 0), (1, 0), (1, big)], [(0, 0), (1, 0), (1, 1)]], **mask),
        f"vertex 1  {what}": make.from_paths([(0, 0), (big, 1), (2, 2), (3, 3)], [0, 2, 4], **mask),
        f"ring 1: vertex 2 {what}": make.from_ragged(hole, [0, 4, 7, 10], [0, 2, 3], **mask),
        "vertex 0 is masked": make.from_points(
            np.ma.masked_array([(1.0, 2.0), (0.0, 0.0)], [(0, 1), (0, 0)]), **mask
        ),
        "radius is nan; it must be finite and 0 or more": make.from_points(
            [(0, 0), (1, 1)], radius=[np.nan, 1], **mask
        ),
    }
    for why, column in columns.items():
        assert list(column.invalid_reason) == [why.replace("  ", " "), None]
        assert column.kind[0] == -1


def test_from_ragged_is_the_inverse_of_coords_and_offsets():
    column = carom.Shapes(ROWS)
    assert carom.Shapes.from_ragged(column.coords, *column.offsets) == column
    whole = carom.Shapes([SQUARE, TRIANGLE])
    assert carom.Shapes.from_ragged(whole.coords, whole.offsets[0]) == whole
    closed = np.concatenate([SQUARE, SQUARE[:1], TRIANGLE])
    assert carom.Shapes.from_ragged(closed, [0, 5, 8]) == whole
    for coords in (np.empty((0, 2)), [], (), np.array([])):
        assert carom.Shapes.from_ragged(coords, [0]) == carom.Shapes([])
        assert carom.Shapes.from_ragged(coords, [0], [0]) == carom.Shapes([])


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
        ([0, 2, 4], None, r"shapes\[0\]: a polygon has three vertices or more, not 2"),
        ([0, 4, 4], [0, 2], r"shapes\[0\]: ring 1: a polygon has three vertices or more, not 0"),
    ],
)
def test_from_ragged_refuses_offsets_that_lead_astray(ring_offsets, polygon_offsets, text):
    with pytest.raises(ValueError, match=text):
        carom.Shapes.from_ragged(SQUARE, ring_offsets, polygon_offsets)


def test_offsets_are_integers():
    with pytest.raises(TypeError, match="ring_offsets: expected an array of integers"):
        carom.Shapes.from_ragged(SQUARE, [0.0, 4.0])


CLOSED = np.concatenate([SQUARE, SQUARE[:1]])
HOLED = [SQUARE * 9, SQUARE + 1, (SQUARE + 4)[::-1]]


def frozen(array):
    """The same numbers in memory that nobody writes to."""
    array = np.array(array, float)
    array.setflags(write=False)
    return array


def test_chosen_rows_share_the_coordinates():
    column = carom.Shapes([HOLED, SQUARE, None, TRIANGLE])
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
    column = carom.Shapes([TRIANGLE, *rows, SQUARE])[1:-1]
    direct = carom.Shapes([rows[row] for row in np.arange(5)[key]])
    assert column[key] == direct
    assert column[key].coords.tobytes() == direct.coords.tobytes()
    for own, others in zip(column[key].offsets, direct.offsets, strict=True):
        assert own.tolist() == others.tolist()


def test_read_only_memory_is_shared_and_other_memory_is_copied():
    rows = np.stack([SQUARE, SQUARE + 2])
    assert not np.shares_memory(carom.Shapes(rows).coords, rows)
    view = frozen(rows)[1:]
    assert np.shares_memory(carom.Shapes(view).coords, view)
    immutable = np.frombuffer(rows.tobytes()).reshape(rows.shape)
    assert np.shares_memory(carom.Shapes(immutable).coords, immutable)
    coords = frozen(CLOSED)
    assert np.shares_memory(carom.Shapes.from_ragged(coords, [0, 5]).coords, coords)


def test_a_read_only_view_of_writeable_memory_is_copied():
    rows = np.stack([SQUARE, SQUARE + 2])
    for view in (rows[:], np.frombuffer(bytearray(rows.tobytes())).reshape(rows.shape)):
        view.setflags(write=False)
        assert not np.shares_memory(carom.Shapes(view).coords, view)


def test_a_column_keeps_the_memory_that_it_shares():
    column = carom.Shapes(frozen([SQUARE + shift for shift in range(999)]))
    assert (column[998] == SQUARE + 998).all()
    row = carom.Shapes(frozen([SQUARE + shift for shift in range(999)]))[7:][0]
    assert (row == SQUARE + 7).all()


def test_nobody_sees_closing_vertices():
    holed = np.concatenate([[*ring, ring[0]] for ring in HOLED])
    offsets = [0, 5, 10, 15]
    for coords in (holed, frozen(holed)):
        column = carom.Shapes.from_ragged(coords, offsets, [0, 3])
        assert column == carom.Shapes([HOLED])
        assert column.coords.tolist() == np.concatenate(HOLED).tolist()
        assert [offset.tolist() for offset in column.offsets] == [[0, 4, 8, 12], [0, 3]]
        assert [len(ring) for ring in column[0]] == [4, 4, 4]
        assert "12 vertices" in repr(column)
        nearest = carom.circle_polygon_batch((5.5, 3.9), 0, column)
        assert nearest.index[0] == carom.circle_polygon((5.5, 3.9), 0, HOLED).index


@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_a_closing_vertex_may_be_repeated(repeats):
    ring = np.concatenate([SQUARE, *[SQUARE[:1]] * repeats])
    for column in (carom.Shapes([ring]), carom.Shapes(ring[None])):
        assert column == carom.Shapes([SQUARE])
        assert carom.Shapes.from_ragged(column.coords, *column.offsets) == column


QUAD = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
CLOSED_TRIANGLE = [(1.0, 1.0), (0.0, 4.0), (2.0, 1.0), (1.0, 1.0)]


@pytest.mark.parametrize("rows", [1, 2, 7, 8, 9, 16, 64])
@pytest.mark.parametrize("form", ["copied", "shared", "ragged", "unchecked", "sliced"])
def test_a_closed_triangle_among_quads_is_answered_as_by_itself(rows, form):
    other = np.array([(1.0, -2.0), (3.0, 4.0), (-2.0, 3.0)])
    for position in range(0, rows, 1 if rows < 16 else 5):
        array = np.array([QUAD] * rows)
        array[position] = CLOSED_TRIANGLE
        if form == "shared":
            array.flags.writeable = False
        if form == "ragged":
            offsets = np.arange(0, 4 * rows + 1, 4)
            column = carom.Shapes.from_ragged(array.reshape(-1, 2), offsets)
        elif form == "sliced":
            column = carom.Shapes(np.concatenate([[QUAD], array, [QUAD]]))[1:-1]
        else:
            column = carom.Shapes(array, check=form != "unchecked")
        answers = {
            carom.sat: (carom.sat_batch(column, other), lambda ring: (ring, other)),
            carom.distance: (carom.distance_batch(other, column), lambda ring: (other, ring)),
            carom.swept_collision: (
                carom.swept_collision_batch(column, other, (0.5, 0.25)),
                lambda ring: (ring, other, (0.5, 0.25)),
            ),
            carom.circle_polygon: (
                carom.circle_polygon_batch((-4.0, -3.0), 3.0, column),
                lambda ring: ((-4.0, -3.0), 3.0, ring),
            ),
            carom.swept_circle: (
                carom.swept_circle_batch((-4.0, -3.0), 0.5, (9.0, 5.0), column),
                lambda ring: ((-4.0, -3.0), 0.5, (9.0, 5.0), ring),
            ),
        }
        for row in {0, position, rows - 1}:
            for ask, (batch, given) in answers.items():
                single = ask(*given(array[row]))._asdict()
                for name, value in batch[row]._asdict().items():
                    assert np.asarray(value).tobytes() == np.asarray(single[name]).tobytes(), (
                        ask.__name__,
                        name,
                        position,
                        row,
                    )


def test_positions_in_messages_do_not_count_closing_vertices():
    crossing = SQUARE[[0, 2, 1, 3, 0]] + 4
    coords = np.concatenate([[*(SQUARE * 9), (0, 0)], crossing])
    with pytest.raises(ValueError, match=r"shapes\[0\]: ring 1: .* edge 0 and edge 2"):
        carom.Shapes.from_ragged(frozen(coords), [0, 5, 10], [0, 2])


def test_a_column_in_a_batch_is_the_loop_over_its_rows():
    column = carom.Shapes(ROWS)
    result = carom.sat_batch(column, SQUARE - 0.5)
    for row in PRESENT:
        assert repr(result[row]) == repr(carom.sat(column[row], SQUARE - 0.5))
    crossed = carom.intersects_batch(column, np.stack([SQUARE, SQUARE + 5])[:, None])
    assert crossed.tolist() == [[True, *[False] * 4], [False, False, True, False, False]]


def test_many_threads_may_share_a_column():
    column = carom.Shapes([SQUARE + shift for shift in range(2000)])
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


def test_closing_vertices_repeated_are_dropped_alike_everywhere():
    shell = [(0, 0), (100, 0), (100, 100), (0, 100), (0, 0), (0, 0)]
    holes = [[(10, 10), (20, 10), (20, 20), (10, 20)], [(80, 80), (90, 80), (90, 90), (80, 90)]]
    flat = np.array([p for ring in (shell, *holes) for p in ring], dtype=float)
    column = carom.Shapes.from_ragged(flat, [0, 6, 10, 14], [0, 3])
    expected = carom.circle_polygon((11, 15), 0.5, [shell, *holes])
    for rows in (column, column[:], pickle.loads(pickle.dumps(column)), [[shell, *holes]]):
        found = carom.circle_polygon_batch((11, 15), 0.5, rows)[0]
        assert (found.distance, found.index) == (expected.distance, expected.index)
    assert column[:] == column == carom.Shapes([[shell, *holes]])


def test_what_a_column_finds_out_late_is_the_same_in_every_thread():
    # Chosen out of order, so that coordinates and offsets have yet to be gathered.
    rows = [HOLED, SQUARE, None, TRIANGLE, CLOSED] * 300
    column = carom.Shapes(rows)[::-1]
    start = threading.Barrier(8)

    def ask():
        start.wait()
        return (
            column.coords.tobytes(),
            *(offsets.tobytes() for offsets in column.offsets),
            column.is_convex.tobytes(),
            column.area.tobytes(),
            pickle.dumps(column),
            carom.distance_batch(column, TRIANGLE * 3).distance.tobytes(),
        )

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(ask) for _ in range(8)]
        assert len({answer.result() for answer in answers}) == 1


def turned(points, angle):
    sine, cosine = np.sin(angle), np.cos(angle)
    return np.asarray(points) @ [[cosine, sine], [-sine, cosine]]


STAR = [(0, 0), (4, 1), (8, 0), (7, 4), (8, 8), (4, 7), (0, 8), (1, 4)]


def round_ring(count, inner):
    """Every other vertex on the unit circle, and the others on one of this radius."""
    angle = np.arange(count) * (math.tau / count)
    radius = np.where(np.arange(count) % 2, inner, 1.0)
    return (radius * (np.cos(angle), np.sin(angle))).T


MEASURED = {
    "square": [SQUARE],
    "clockwise": [SQUARE[::-1]],
    "closed": [CLOSED],
    "with collinear and repeated vertices": [[(0, 0), (1, 0), (2, 0), (2, 0), (2, 1), (0, 1)]],
    "concave": [STAR],
    "holed": HOLED,
    "holes wound either way": [HOLED[0], HOLED[1][::-1], HOLED[2][::-1]],
    "turned and far away": [turned(ring, 0.3) + np.array([6e6, 4e5]) for ring in HOLED],
    "sliver": [[(0, 0), (1, 1), (1 + 2**-30, 1 + 2**-30 + 2**-52)]],
    "sliver far away": [[(2**40, 2**40), (2**40 + 3, 2**40 + 1), (2**40 + 3, 2**40 + 1 + 2**-12)]],
    "long": [[(k, k % 2) for k in range(2000)] + [(2000, 3), (0, 3)]],
    "tiny": [SQUARE * 1e-160],
    "smallest": [SQUARE * 1e-170],
    "huge": [SQUARE * 1e153],
    "as large as can be": [(SQUARE * 2 - 1) * 1.5e308],
    # Eight edges are added at a time, four times, and such sums in pairs.
    **{f"a disc of {count}": [round_ring(count, 1.0)] for count in (7, 8, 9, 32, 33, 65, 700)},
    **{f"a star of {count}": [round_ring(count, 0.6)] for count in (8, 10, 64, 66, 700)},
    "a far star": [round_ring(96, 0.6) + 1e7],
    "a star with a hole": [round_ring(98, 0.6), 0.5 * round_ring(98, 0.7)],
    # What holes leave of areas that are rounded is little more than their errors.
    **{
        f"walls of {part:g}": [round_ring(98, 0.9), (1 - part) * round_ring(98, 0.9)]
        for part in (1e-6, 1e-9, 1e-12, 1e-14)
    },
    "a disc thinner than a rounding": [round_ring(90, 1.0) * (1.0, 1e-12) + 1.0],
}


def exact_measures(rings):
    """Area and centroid in fractions, from the definition."""
    area, moments = 0, [0, 0]
    for number, ring in enumerate(rings):
        points = [(Fraction(x), Fraction(y)) for x, y in np.asarray(ring, float).tolist()]
        crosses = [p[0] * q[1] - p[1] * q[0] for p, q in pairwise([*points, points[0]])]
        sign = (-1 if sum(crosses) < 0 else 1) * (-1 if number else 1)
        area += sign * sum(crosses) / 2
        for axis in (0, 1):
            sums = [p[axis] + q[axis] for p, q in pairwise([*points, points[0]])]
            moments[axis] += sign * sum(s * c for s, c in zip(sums, crosses, strict=True)) / 6
    return area, [moment / area for moment in moments]


@pytest.mark.parametrize("rings", MEASURED.values(), ids=MEASURED.keys())
def test_area_is_within_1e_12_of_its_own_value(rings):
    area, _ = exact_measures(rings)
    found = carom.Shapes([rings]).area[0]
    if area > np.finfo(float).max:
        assert found == np.inf
    elif area < np.finfo(float).tiny:
        assert 0 < found <= np.finfo(float).tiny
    else:
        assert abs(Fraction(found) - area) <= area / 10**12


@pytest.mark.parametrize("rings", MEASURED.values(), ids=MEASURED.keys())
def test_centroid_is_within_a_unit_in_the_last_place_and_1e_12_of_the_size(rings):
    _, centroid = exact_measures(rings)
    (found,) = carom.Shapes([rings]).centroid
    vertices = [[Fraction(number) for number in row] for ring in rings for row in ring]
    size = max(max(axis) - min(axis) for axis in zip(*vertices, strict=True))
    for number, truth in zip(found, centroid, strict=True):
        allowed = Fraction(np.spacing(abs(float(truth)))) + size / 10**12
        assert abs(Fraction(number) - truth) <= allowed


def test_measures_of_missing_rows_are_nan():
    column = carom.Shapes([None, SQUARE, []])
    assert np.isnan(column.area).tolist() == [True, False, True]
    assert np.isnan(column.centroid).tolist() == [[True] * 2, [False] * 2, [True] * 2]


def test_measures_are_those_of_the_chosen_rows():
    column = carom.Shapes([HOLED, None, STAR, SQUARE])
    for key in (slice(None, None, -1), [2, 2, 0], slice(1, 3)):
        assert column[key].area.tobytes() == column.area[key].tobytes()
        assert column[key].centroid.tobytes() == column.centroid[key].tobytes()
        assert column[key].bounds.tobytes() == column.bounds[key].tobytes()


def test_bounds_are_those_of_shapely_whichever_rows_are_taken():
    rng = np.random.default_rng(3)
    angles = np.linspace(0.0, math.tau, 20, endpoint=False)
    disc = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    short, long = rng.uniform(-9, 9, (40, 3, 2)), rng.uniform(-9, 9, (40, 1, 2)) + disc
    for rings in (short, long):
        rows = [*rings, None]
        column, truth = carom.Shapes(rows), np.full((41, 4), np.nan)
        truth[:40] = shapely.bounds(shapely.polygons(rings))
        for key in (slice(None), slice(5, 30), slice(None, None, -1), [40, 3, 3]):
            for _ in range(2):
                np.testing.assert_array_equal(column[key].bounds, truth[key])
        wide = column.with_radius(0.5).bounds
        np.testing.assert_array_equal(wide, truth + np.array([-0.5, -0.5, 0.5, 0.5]))


def test_columns_of_none_and_of_one_have_all_attributes():
    for rows in ([], [None], [SQUARE], np.empty((3, 0, 2))):
        column = carom.Shapes(rows)
        n = len(rows)
        assert column.area.shape == column.is_convex.shape == (n,)
        assert column.centroid.shape == (n, 2)
        assert column.bounds.shape == (n, 4)
        assert column.nbytes >= column.coords.nbytes
        for other in (
            column[:],
            column.translate((1, 2)).translate((-1, -2)),
            column.affine_transform([1, 0, 0, 1, 0, 0]),
            pickle.loads(pickle.dumps(column)),
            carom.Shapes.from_ragged(column.coords, *column.offsets),
        ):
            assert other == column


def test_a_million_quads_cost_little_more_than_their_coordinates():
    quads = np.tile(SQUARE, (1_000_000, 1, 1))
    column = carom.Shapes(quads)
    assert quads.nbytes < column.nbytes < 1.1 * quads.nbytes
    assert column[10:-10].nbytes == column.nbytes
    assert column[::2].nbytes <= column.nbytes + 8 * 500_000


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_nbytes_is_what_the_process_grows_by():
    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

    quads = np.tile(SQUARE, (1_000_000, 1, 1))
    before = resident()
    column = carom.Shapes(quads)
    assert 0.9 * column.nbytes < resident() - before < 1.1 * column.nbytes


def test_nbytes_counts_what_is_known_of_rows():
    column = carom.Shapes([STAR] * 1000)
    assert column.nbytes > 2 * column.coords.nbytes
    assert column.nbytes < 1000 * 2000


def test_translate_moves_all_rows_or_each_by_its_own_offset():
    column = carom.Shapes([HOLED, None, SQUARE])
    right, up = np.array([(1, 0), (0, 3)])
    moved = column.translate(right)
    assert moved == carom.Shapes([[ring + right for ring in HOLED], None, SQUARE + right])
    moved = column.translate([right, (5, 5), up])
    assert moved == carom.Shapes([[ring + right for ring in HOLED], None, SQUARE + up])
    assert column[::-1].translate([up, (5, 5), right]) == moved[::-1]


@pytest.mark.parametrize(
    ("offset", "error", "text"),
    [
        ((1, np.nan), ValueError, r"offset is \(1.0, nan\); it must be finite"),
        ([(0, 0), (np.inf, 0)], ValueError, r"offset\[1\] is \(inf, 0.0\); it must be finite"),
        ([(0, 0)] * 3, ValueError, r"offset: expected shape \(2,\) or \(2, 2\), got \(3, 2\)"),
        ((1, 2, 3), ValueError, "offset: expected shape"),
        (7, ValueError, "offset: expected shape"),
        ("ab", TypeError, "offset: expected an array of numbers"),
        ((1e300, 0), ValueError, r"shapes\[0\]: all vertices lie on one line"),
        ([(0, 0), (1.7e308, 0)], ValueError, r"shapes\[1\]: vertex 1 is \(inf, 0.0\)"),
    ],
)
def test_translate_refuses_what_makes_no_polygons(offset, error, text):
    column = carom.Shapes([SQUARE, SQUARE * 1e308])
    with pytest.raises(error, match=text):
        column.translate(offset)


def test_a_hole_that_leaves_its_shell_by_rounding_is_noticed():
    # Floats at 2^53 are whole numbers, so the hole's rim falls on that of the shell.
    column = carom.Shapes([[SQUARE * 8, SQUARE * 7 + 0.25]])
    with pytest.raises(ValueError, match=r"shapes\[0\]: rings 0 and 1 share an edge"):
        column.translate((2.0**53, 0))


def as_shapely(row):
    shell, *holes = row if isinstance(row, list) else [row]
    return shapely.Polygon(shell, holes)


def test_affine_transform_takes_the_order_of_shapely_and_rows_of_a_matrix():
    column = carom.Shapes([HOLED, None, STAR])
    a, b, d, e, x, y = order = (0.5, -2, 1, 0.25, 10, 20)
    image = column.affine_transform(order)
    assert image == column.affine_transform([[a, b, x], [d, e, y]])
    assert image[1] is None
    for row in (0, 2):
        theirs = affinity.affine_transform(as_shapely(column[row]), order)
        assert as_shapely(image[row]).equals(theirs)


def test_a_mirrored_column_is_a_column():
    column = carom.Shapes([HOLED, SQUARE])
    mirrored = column.affine_transform([[-1, 0, 0], [0, 1, 0]])
    assert mirrored.area.tolist() == column.area.tolist()
    assert mirrored.is_convex.tolist() == column.is_convex.tolist()


@pytest.mark.parametrize(
    ("matrix", "error", "text"),
    [
        ((1, 2, 2, 4, 0, 0), ValueError, "matrix is singular"),
        ((0, 0, 0, 0, 1, 1), ValueError, "matrix is singular"),
        ((1, 0, 0, np.nan, 0, 0), ValueError, "matrix has nan; its numbers must be finite"),
        (np.eye(3), ValueError, r"matrix: expected shape \(6,\) or \(2, 3\), got \(3, 3\)"),
        ((1, 0, 0, 1), ValueError, r"matrix: expected shape \(6,\) or \(2, 3\), got \(4,\)"),
        (None, TypeError, "matrix: expected an array of numbers"),
        ((1e-320, 0, 0, 1, 0, 0), ValueError, r"shapes\[0\]: all vertices lie on one line"),
    ],
)
def test_affine_transform_refuses_what_makes_no_polygons(matrix, error, text):
    with pytest.raises(error, match=text):
        carom.Shapes([SQUARE / 1e4]).affine_transform(matrix)


def test_whether_a_matrix_is_singular_is_decided_exactly():
    # The determinant, 2^-104, is lost when the products are rounded.
    up, down = 1 + 2.0**-52, 1 - 2.0**-52
    assert up * down == 1
    column = carom.Shapes([SQUARE[:3]])
    assert column.affine_transform((up, 1, 1, down, 0, 0)).area[0] > 0
    # Rounded, the products of these differ.
    with pytest.raises(ValueError, match="singular"):
        column.affine_transform((0.1, 0.3, 0.2, 0.6, 0, 0))


# --- kinds, radii and masks -----------------------------------------------------------------------

POINT, SEGMENT = shapely.Point(1, 2), shapely.LineString([(0, 0), (4, 0)])
ZIGZAG = shapely.LineString([(0, 0), (4, 0), (4, 1), (0, 3), (0, 3)])
FAR = 1e6
EVERY_KIND = [
    POINT,
    shapely.MultiPoint([(0, 0), (1, 0), (1, 0), (0, 7)]),
    SEGMENT,
    ZIGZAG,
    shapely.LineString([(2, 3), (2, 3)]),
    shapely.MultiLineString([ZIGZAG, SEGMENT]),
    shapely.MultiLineString([[(1, 1), (1, 1)], [(3, 5), (3, 5)]]),
    shapely.LinearRing([(0, 0), (4, 0), (0, 4)]),
    shapely.box(0, 0, 4, 1),
    shapely.Polygon(HOLED[0], HOLED[1:]),
    shapely.MultiPolygon(
        [shapely.box(0, 0, 4, 1), shapely.Polygon(HOLED[0] + 20, [HOLED[1] + 20])]
    ),
    None,
]


@pytest.mark.parametrize("shift", [0.0, FAR])
def test_area_and_centroid_of_every_kind_are_those_of_shapely(shift):
    rows = affinity_all(EVERY_KIND, shift)
    column = carom.Shapes.from_shapely(rows)
    area = np.where(shapely.is_missing(rows), np.nan, shapely.area(rows))
    np.testing.assert_allclose(column.area, area, rtol=1e-9)
    centroid = [
        (np.nan, np.nan) if row is None else (row.centroid.x, row.centroid.y) for row in rows
    ]
    np.testing.assert_allclose(column.centroid, centroid, rtol=1e-12 * (1 + shift), atol=1e-9)
    # A radius changes neither.
    rounded = column.with_radius(3)
    assert rounded.area.tobytes() == column.area.tobytes()
    assert rounded.centroid.tobytes() == column.centroid.tobytes()


def affinity_all(rows, shift):
    return np.array([row and affinity.translate(row, shift, -shift) for row in rows])


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e300])
def test_centroids_of_paths_neither_overflow_nor_underflow(scale):
    paths = np.array([[(1, 0), (3, 0), (3, 2)], [(-4, 0), (4, 0), (4, 8)]]) * scale * 16
    column = carom.Shapes.from_paths(paths.reshape(-1, 2), [0, 3, 6])
    np.testing.assert_allclose(column.centroid / scale / 16, [(2.5, 0.5), (2, 2)], rtol=1e-12)
    points = carom.Shapes.from_shapely([shapely.MultiPoint(paths[0])])
    np.testing.assert_allclose(points.centroid / scale / 16, [(7 / 3, 2 / 3)], rtol=0.05)


def test_a_centroid_further_from_a_vertex_than_any_float():
    most = np.finfo(np.float64).max
    triangle = [(-most, 0), (most, 0), (most, most / 4)]
    columns = carom.Shapes([triangle]), carom.Shapes.from_paths(triangle, [0, 3])
    for column in columns:
        assert column.centroid[0, 0] / most > 0.05
    np.testing.assert_allclose(columns[0].centroid[0] / most, (1 / 3, 1 / 12), rtol=1e-12)


def test_masked_points_segments_and_paths_are_missing_and_say_what_is_wrong():
    hole = np.ma.array([(0, 0), (1, 1), (2, 2)], mask=[[0, 0], [0, 1], [0, 0]])
    points = carom.Shapes.from_points(hole, [1, 2, 3], on_invalid="mask")
    assert points.is_valid.tolist() == [True, False, True]
    assert points.invalid_reason[1] == "vertex 0 is masked"
    assert points[[0, 2]] == carom.Shapes.from_points([(0, 0), (2, 2)], [1, 3])
    ends = [[(0, 0), (1, 0)], [(0, 0), (np.inf, 0)]]
    segments = carom.Shapes.from_segments(ends, on_invalid="mask")
    assert segments.kind.tolist() == [2, -1]
    assert segments.invalid_reason[1] == "vertex 1 is (inf, 0.0); coordinates must be finite"
    paths = carom.Shapes.from_paths([(0, 0), (1, 0), (2, 0)], [0, 2, 2, 3], on_invalid="mask")
    assert paths.is_valid.tolist() == [True, True, False]
    assert paths.kind.tolist() == [2, -1, -1]
    assert paths.invalid_reason[2] == "a path has two vertices or more, not 1"
    whole = [(0, 0), (1, 1), (2, 2)]
    for radius, valid in ((-1, [False] * 3), ([0, np.nan, 0], [True, False, True])):
        with pytest.raises(
            ValueError, match=r"radius(\[1\])? is .*; it must be finite and 0 or more"
        ):
            carom.Shapes.from_points(whole, radius)
        circles = carom.Shapes.from_points(whole, radius, on_invalid="mask")
        assert circles.is_valid.tolist() == valid
    with pytest.raises(ValueError, match="xy: vertex 1 is masked"):
        carom.Shapes.from_points(hole)
    for nothing in (None, pd.NA):
        absent = np.array([(0, 0), (nothing, 1)], dtype=object)
        assert carom.Shapes.from_points(absent, on_invalid="mask").is_valid.tolist() == [
            True,
            False,
        ]
        with pytest.raises(TypeError, match="xy: vertex 1 has a N"):
            carom.Shapes.from_points(absent)


def test_a_number_that_would_lose_is_named_by_row_and_vertex():
    big = 2**53 + 1
    rings = [(0, 0), (1, 0), (0, 1), (5, 5), (6, 5), (5, 6), (7, 7)]
    lost = [*rings[:4], (6, big), *rings[5:]]
    hidden = np.ma.array(rings, mask=[[False, row == 4] for row in range(7)])
    for coords, what in (
        (lost, f"has {big}, which no float64 holds exactly"),
        (hidden, "is masked"),
    ):
        with pytest.raises(ValueError, match=rf"^shapes\[1\]: vertex 1 {what}"):
            carom.Shapes.from_ragged(coords, [0, 3, 7])
        with pytest.raises(ValueError, match=rf"^shapes\[0\]: ring 1: vertex 1 {what}"):
            carom.Shapes.from_ragged(coords, [0, 3, 7], [0, 2])
        with pytest.raises(ValueError, match=rf"^paths\[2\]: vertex 0 {what}"):
            carom.Shapes.from_paths(coords, [0, 2, 4, 7])
        with pytest.raises(ValueError, match=r"^ring_offsets: expected offsets that rise"):
            carom.Shapes.from_ragged(rings, [0, 3, 8])


def test_empty_geometries_of_any_type_are_missing():
    types = [it.name for it in shapely.GeometryType if it.value >= 0 and it.name != "LINEARRING"]
    empty = [shapely.from_wkt(f"{name}{z} EMPTY") for name in types for z in ("", " Z")]
    assert any(row.has_z for row in empty)
    assert any(row.geom_type == "GeometryCollection" for row in empty)
    for rows in (empty, [*empty, shapely.box(0, 0, 1, 1)], [shapely.MultiPoint([(0, 0)]), *empty]):
        column = carom.Shapes.from_shapely(rows)
        missing = [row.is_empty for row in rows]
        assert (column.kind == -1).tolist() == missing
        assert column.is_valid.all()
        assert carom.intersects_batch(rows, SQUARE).tolist() == [not it for it in missing]
        series = geopandas.GeoSeries(rows)
        assert carom.Shapes(series) == column
        assert carom.Shapes.from_arrow(series.to_arrow(geometry_encoding="WKB")) == column


def test_masked_rows_are_missing_and_say_what_is_wrong():
    bow_tie = SQUARE[[0, 2, 1, 3]]
    given = {
        "valid": SQUARE,
        "bow tie": bow_tie,
        "missing": None,
        "empty": [],
        "text": "POLYGON",
        "a number": 3,
        "wrong shape": np.zeros((3, 3)),
        "array of rings": np.array([SQUARE, SQUARE]),
        "NaN": [(0, 0), (1, np.nan), (1, 1)],
        "text inside": [(0, 0), ("a", 1), (1, 1)],
        "large": [(0, 0), (2**53 + 1, 0), (0, 9)],
        "masked": np.ma.array(SQUARE, mask=[[0, 0], [0, 0], [0, 0], [0, 1]]),
        "hole outside": [SQUARE, TRIANGLE + 9],
        "hole of text": [SQUARE, "hole"],
        "collection": shapely.GeometryCollection([POINT]),
        "raised": shapely.Point(1, 2, 3),
        "empty part": shapely.from_wkt("MULTIPOINT ((0 0), EMPTY)"),
        "a column": carom.Shapes([SQUARE, SQUARE]),
        "a path": SEGMENT,
    }
    column = carom.Shapes(list(given.values()), on_invalid="mask")
    for row, (name, item) in enumerate(given.items()):
        try:
            carom.Shapes([item])
        except (ValueError, TypeError) as why:
            reason = str(why).removeprefix("shapes[0]").removeprefix(": ")
            # The message may have advice after the reason.
            assert reason.startswith(column.invalid_reason[row]), name
            assert not column.is_valid[row]
            assert column[row] is None
            assert column.kind[row] == -1
            assert np.isnan([*column.bounds[row], column.area[row]]).all()
        else:
            assert column.is_valid[row], name
            assert column.invalid_reason[row] is None
    assert column.is_valid.sum() == 4
    assert len(column.coords) == 6
    assert not carom.intersects_batch(column, SQUARE)[~column.is_valid].any()
    assert carom.colliding_pairs(column, [SQUARE]).tolist() == [[0, 18], [0, 0]]


def test_what_was_masked_is_known_to_all_columns_made_of_a_column():
    rows = [SQUARE, SQUARE[[0, 2, 1, 3]], None, "text", TRIANGLE]
    column = carom.Shapes(rows, on_invalid="mask")
    reasons = column.invalid_reason.tolist()
    assert [reason is None for reason in reasons] == [True, False, True, False, True]
    for made in (
        column.with_radius(2),
        column.translate((1, 1)),
        column.affine_transform([2, 0, 0, 2, 0, 0]),
        carom.Shapes(column),
        pickle.loads(pickle.dumps(column)),
    ):
        assert made.invalid_reason.tolist() == reasons
    assert column[::-1].invalid_reason.tolist() == reasons[::-1]
    assert column[[3, 0]].with_radius(1).invalid_reason.tolist() == [reasons[3], None]
    assert column == carom.Shapes([SQUARE, None, None, None, TRIANGLE])
    assert column.nbytes > carom.Shapes([SQUARE, None, None, None, TRIANGLE]).nbytes


def test_all_ways_to_a_column_may_mask():
    crossing = np.concatenate([SQUARE, SQUARE[[0, 2, 1, 3]] + 5, TRIANGLE])
    column = carom.Shapes.from_ragged(crossing, [0, 4, 8, 11], on_invalid="mask")
    assert column.is_valid.tolist() == [True, False, True]
    assert column == carom.Shapes([SQUARE, None, TRIANGLE])
    column = carom.Shapes(np.stack([SQUARE, SQUARE[[0, 2, 1, 3]]]), on_invalid="mask")
    assert column.is_valid.tolist() == [True, False]
    for make in (carom.Shapes.from_shapely, carom.Shapes):
        column = make([shapely.box(0, 0, 1, 1), shapely.Point(1, 2, 3)], on_invalid="mask")
        assert column.is_valid.tolist() == [True, False]
    unchecked = carom.Shapes([SQUARE[[0, 2, 1, 3]], "text"], check=False, on_invalid="mask")
    assert unchecked.is_valid.tolist() == [True, False]


def test_moving_keeps_kinds_and_radii():
    rows = carom.Shapes.from_shapely(EVERY_KIND)
    radii = np.arange(len(rows)) / 4
    column = rows.with_radius(radii)
    moved = column.translate((1, 2))
    assert moved.kind.tolist() == column.kind.tolist()
    assert moved.radius.tolist() == column.radius.tolist()
    np.testing.assert_array_equal(moved.bounds, column.bounds + np.array([1, 2, 1, 2]))
    turned = column.affine_transform([0, -3, 3, 0, 1, 0])
    assert turned.kind.tolist() == column.kind.tolist()
    np.testing.assert_allclose(turned.radius, 3 * radii)
    mirrored = column.affine_transform([0.6, 0.8, 0.8, -0.6, 0, 0])
    np.testing.assert_allclose(mirrored.radius, radii)
    for matrix in ([2, 0, 0, 1, 0, 0], [1, 1, 0, 1, 0, 0], [1, 1e-300, 0, 1, 0, 0]):
        with pytest.raises(ValueError, match="matrix: rows with a radius need a similarity"):
            column.affine_transform(matrix)
        assert len(rows.affine_transform(matrix)) == len(rows)
    with pytest.raises(ValueError, match=r"radius\[0\] is inf; it must be finite and 0 or more"):
        column.with_radius(1e300).affine_transform([1e10, 0, 0, 1e10, 0, 0])


def test_nbytes_counts_kinds_and_radii():
    points = np.random.default_rng(3).random((1000, 2))
    plain = carom.Shapes.from_points(points)
    assert plain.nbytes >= points.nbytes + 1000
    assert plain.with_radius(1).nbytes >= plain.nbytes + 8000


def test_makers_of_points_segments_and_paths_name_the_row():
    nan, inf = np.nan, np.inf
    for make, arguments, text in (
        ("from_points", ([(0, 0), (1, 1), (2, 2), (nan, 0)],), "xy[3] is (nan, 0.0); coordinates"),
        ("from_points", ([(0, 0)], -1), "radius is -1.0; it must be finite and 0 or more"),
        ("from_points", ([(0, 0)], [nan]), "radius[0] is nan; it must be finite and 0 or more"),
        ("from_points", ([(0, 0)], [1, 2]), "radius: expected shape () or (1,), got (2,)"),
        ("from_segments", ([[(0, 0), (1, inf)]],), "ends[0]: vertex 1 is (1.0, inf); coordinates"),
        ("from_segments", ([(0, 0), (1, 1)],), "ends: expected shape (N, 2, 2), got (2, 2)"),
        ("from_segments", (np.zeros((3, 4)),), "ends: expected shape (N, 2, 2), got (3, 4)"),
        ("from_points", (np.empty((0, 3)),), "xy: expected shape (N, 2), got (0, 3)"),
        ("from_points", (np.array([(0, 0, "a")], object),), "xy: expected shape (N, 2), got (1, 3"),
        ("from_points", ([(1, 2, 3), (4, None, 3)],), "xy: expected shape (N, 2), got (2, 3)"),
        ("from_paths", (SQUARE, [0, 1, 4]), "paths[0]: a path has two vertices or more, not 1"),
        ("from_paths", (SQUARE * nan, [0, 4]), "paths[0]: vertex 0 is (nan, nan)"),
        ("from_paths", (SQUARE, [0, 3]), "offsets: expected offsets that rise from 0 to 4, got 3"),
    ):
        with pytest.raises(ValueError, match=r".") as caught:
            getattr(carom.Shapes, make)(*arguments)
        assert str(caught.value).startswith(text)
    column = carom.Shapes.from_points([(0, 0), (1, 1)])
    for radius, text in (([0, nan], "radius[1] is nan"), ([-1, 0], "radius[0] is -1.0")):
        with pytest.raises(ValueError, match=r".") as caught:
            column.with_radius(radius)
        assert str(caught.value).startswith(text)


def test_empty_parts_are_refused_by_number():
    for polygons in ([0, 0, 1], [0, 1, 1]):
        with pytest.raises(ValueError, match=r"^shapes\[0\]: part [01] is empty$"):
            carom.Shapes.from_ragged(SQUARE, [0, 4], polygons, [0, 2])
    three = np.concatenate([SQUARE, SQUARE + 5])
    with pytest.raises(ValueError, match=r"^shapes\[1\]: part 1 is empty$"):
        carom.Shapes.from_ragged(three, [0, 4, 8], [0, 1, 2, 2], [0, 1, 3])
    with pytest.raises(ValueError, match=r"^shapes\[0\]: part 1: a polygon has three .* not 0"):
        carom.Shapes.from_ragged(three, [0, 4, 4, 8], [0, 1, 2, 3], [0, 3])
    masked = carom.Shapes.from_ragged(three, [0, 4, 8], [0, 1, 2, 2], [0, 1, 3], on_invalid="mask")
    assert masked.invalid_reason.tolist() == [None, "part 1 is empty"]


def test_operands_of_every_kind_are_taken_in_any_container():
    rows = np.array(EVERY_KIND)
    column, probe = carom.Shapes.from_shapely(rows), shapely.box(3, -1, 5, 2)
    expected = shapely.intersects(rows, probe)
    series = geopandas.GeoSeries(rows)
    for given in (rows, list(rows), series, series.to_frame("g").set_geometry("g"), column):
        assert carom.intersects_batch(given, probe).tolist() == expected.tolist()
        assert (carom.distance_batch(given, probe).distance[:-1] == 0).tolist() == expected[
            :-1
        ].tolist()
    square = rows.reshape(3, 4)
    assert carom.intersects_batch(square, probe).tolist() == expected.reshape(3, 4).tolist()
    grid = carom.intersects_batch(rows[:, None], rows)
    assert grid.tolist() == shapely.intersects(rows[:, None], rows).tolist()


def test_a_path_whose_vertices_all_coincide_is_a_point() -> None:
    column = carom.Shapes.from_paths([(1, 1), (1, 1), (1, 1), (0, 0), (2, 0)], [0, 3, 5])
    assert [carom.KINDS[kind] for kind in column.kind] == ["point", "path"]
    assert [geometry.wkt for geometry in column.to_shapely()] == [
        "POINT (1 1)",
        "LINESTRING (0 0, 2 0)",
    ]
    assert pickle.loads(pickle.dumps(column)) == column


def test_no_points_make_an_empty_column() -> None:
    assert len(carom.Shapes.from_points([])) == 0
    assert len(carom.Shapes.from_points(np.empty((0, 2)), radius=1.0)) == 0
    assert len(carom.Shapes.from_segments([])) == 0
    for what in ("", {}, np.empty((0, 2), bool)):
        with pytest.raises(TypeError, match=r"^xy: expected an array of numbers"):
            carom.Shapes.from_points(what)

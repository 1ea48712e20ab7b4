"""Batches: the results of single calls, for any form of rows, outputs and threads."""

import collections
import ctypes
import functools
import multiprocessing
import operator
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import carom
import numpy as np
import pytest
import shapely

import helpers

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
PAIRS = [
    carom.sat,
    carom.penetration,
    carom.distance,
    carom.swept_collision,
    carom.closest_approach,
]
MOVING = [carom.swept_collision, carom.closest_approach]
TWINS = {
    carom.sat: carom.sat_batch,
    carom.penetration: carom.penetration_batch,
    carom.distance: carom.distance_batch,
    carom.swept_collision: carom.swept_collision_batch,
    carom.closest_approach: carom.closest_approach_batch,
    carom.circle_polygon: carom.circle_polygon_batch,
    carom.swept_circle: carom.swept_circle_batch,
}


def rings(random, rows, vertices):
    """Convex rings, a third of them with small integer coordinates, where ties are frequent."""
    angles = np.sort(random.uniform(0, 2 * np.pi, (rows, vertices)), axis=1)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    rings = circle * random.uniform(0.5, 2, (rows, 1, 1)) + random.uniform(-2, 2, (rows, 1, 2))
    squares = np.resize(SQUARE, (rows, vertices, 2)) if vertices == len(SQUARE) else rings
    squares = squares + random.integers(-2, 3, (rows, 1, 2))
    return np.where(random.random((rows, 1, 1)) < 1 / 3, squares, rings)


def operands(function, rows, seed=7):
    """Arguments of a batch function, one row per query."""
    random = np.random.default_rng(seed)
    a, b = rings(random, rows, 4), rings(random, rows, 5)
    velocity = random.integers(-3, 4, (rows, 2)) * random.choice([0.5, 1.0, 1 / 3], (rows, 1))
    center, radius = random.integers(-3, 4, (rows, 2)) / 2, random.integers(0, 4, rows) / 2
    return {
        carom.sat: (a, b),
        carom.penetration: (a, b),
        carom.distance: (a, b),
        carom.swept_collision: (a, b, velocity),
        carom.closest_approach: (a, b, velocity),
        carom.circle_polygon: (center, radius, a),
        carom.swept_circle: (center, radius, velocity, a),
    }[function]


def same(one, other):
    """Whether two fields hold the same bits, NaN included."""
    one, other = np.asarray(one), np.asarray(other)
    return (
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )


def same_fields(one, other):
    one, other = one._asdict(), other._asdict()
    return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)


@pytest.mark.parametrize("function", TWINS)
def test_batch_equals_scalar_bit_for_bit(function):
    arguments = operands(function, 500)
    result = TWINS[function](*arguments)
    for row, one in enumerate(zip(*arguments, strict=True)):
        alone = function(*one)._asdict()
        for name, column in result._asdict().items():
            value = alone[name]
            if name == "feature":
                value = carom.FEATURES.index(value)
            assert same(column[row], np.asarray(value, column.dtype)), (name, row)
        assert same_fields(result[row], function(*one))
        assert bool(result[row]) == bool(function(*one))


@pytest.mark.parametrize("function", TWINS)
def test_rows_whose_sizes_no_other_row_has_equal_scalar_calls(function):
    """Some rows among them share theirs, and are answered together."""
    random = np.random.default_rng(11)
    sizes = [(size, 35 - size) for size in range(3, 33)] + [(4, 5)] * 9 + [(6, 3)] * 2
    a, b = ([rings(random, 1, pair[side])[0] for pair in sizes] for side in (0, 1))
    polygons = iter((a, b))
    given = operands(function, len(sizes))
    given = [next(polygons) if operand.ndim == 3 else operand for operand in given]
    result = TWINS[function](*given, threads=1)
    for row, one in enumerate(zip(*given, strict=True)):
        assert same_fields(result[row], function(*one)), row


@pytest.mark.slow
@pytest.mark.parametrize("turned", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
@pytest.mark.parametrize("function", [carom.sat, carom.swept_collision])
def test_quadrilaterals_lent_by_arrays_are_answered_as_copies_from_lists(function, turned):
    velocities = np.random.default_rng(3).integers(-3, 4, (400, 2)) / 2
    for row, (a, b, velocity) in enumerate(zip(*helpers.quads(400, 5), velocities, strict=True)):
        a, b = (np.ascontiguousarray(ring[::way]) for ring, way in zip((a, b), turned, strict=True))
        more = (velocity,) if function in MOVING else ()
        lent, copied = function(a, b, *more), function(a.tolist(), b.tolist(), *more)
        assert same_fields(lent, copied), row
        assert bool(lent) == bool(copied)
        assert carom.intersects(a, b) is carom.intersects(a.tolist(), b.tolist())


def test_intersects_batch_equals_intersects_and_sat():
    a, b = operands(carom.sat, 500)
    found = carom.intersects_batch(a, b)
    assert found.dtype == bool
    assert found.tolist() == [carom.intersects(*pair) for pair in zip(a, b, strict=True)]
    assert same(found, carom.sat_batch(a, b).intersects)
    assert 0 < found.sum() < 500


@pytest.mark.parametrize("function", TWINS)
def test_threads_and_chunks_change_nothing(function):
    arguments = operands(function, 5000)
    whole = TWINS[function](*arguments, threads=1)
    for threads in (2, 3, None):
        assert same_fields(TWINS[function](*arguments, threads=threads), whole)
    parts = [TWINS[function](*(argument[i::2] for argument in arguments)) for i in range(2)]
    for i, part in enumerate(parts):
        assert same_fields(part, whole[i::2])


SHAPES = [
    ((), ()),
    ((3,), (3,)),
    ((), (3,)),
    ((3,), ()),
    ((1,), (3,)),
    ((3, 1), (4,)),
    ((4,), (3, 1)),
    ((3, 4), (4,)),
    ((2, 1, 3), (4, 1)),
    ((0,), (1,)),
    ((0,), ()),
    ((3, 0), (1,)),
]


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_leading_dimensions_broadcast_as_those_of_a_gufunc(a, b):
    random = np.random.default_rng(3)
    one = rings(random, int(np.prod(a)), 4).reshape(*a, 4, 2)
    other = rings(random, int(np.prod(b)), 3).reshape(*b, 3, 2)
    shape = np.broadcast_shapes(a, b)
    result = carom.sat_batch(one, other)
    assert result.shape == shape
    assert result.contact.shape == (*shape, 2, 2)
    ones = np.broadcast_to(one, (*shape, 4, 2))
    others = np.broadcast_to(other, (*shape, 3, 2))
    assert same_fields(carom.sat_batch(ones.copy(), others.copy()), result)
    assert same_fields(carom.sat_batch(ones, others), result)
    for index in np.ndindex(*shape):
        assert same_fields(result[index], carom.sat(ones[index], others[index]))


def test_the_other_operands_broadcast_too():
    velocity = np.array([(1.0, 0.0), (0.0, 3.0)])[:, None]
    result = carom.swept_collision_batch(
        SQUARE, SQUARE + np.array([[[3.0, 0.5]], [[0.5, 3.0]]]), velocity
    )
    assert result.will_intersect.tolist() == [[False, False], [False, True]]
    circles = carom.circle_polygon_batch([(0, 0), (3, 0)], [[1.0], [2.0]], SQUARE)
    assert circles.intersects.tolist() == [[True, False], [True, True]]


FORMS = {
    "float64": lambda a: a,
    "float32": lambda a: a.astype(np.float32),
    "float16": lambda a: a.astype(np.float16),
    "long double": lambda a: a.astype(np.longdouble),
    "int8": lambda a: a.astype(np.int8),
    "int64": lambda a: a.astype(np.int64),
    "objects": lambda a: a.astype(object),
    "big-endian": lambda a: a.astype(">f8"),
    "little-endian": lambda a: a.astype("<f4"),
    "Fortran": np.asfortranarray,
    "reversed axes": lambda a: a[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1],
    "every other": lambda a: np.repeat(a, 2, axis=0)[::2],
    "columns of a wider array": lambda a: np.concatenate([a, a], axis=-1)[..., :2],
    "unaligned": lambda a: (
        np.frombuffer(b"\0" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape)
    ),
    "read-only": lambda a: np.frombuffer(a.tobytes()).reshape(a.shape),
    "lists": lambda a: a.tolist(),
    "list of arrays": list,
    "tuple of tuples": lambda a: tuple(tuple(map(tuple, ring)) for ring in a.tolist()),
    "object array of arrays": lambda a: np.array([*a, None], dtype=object)[:-1],
    "masked array without masks": np.ma.array,
    "matrix rows": lambda a: [np.asmatrix(ring) for ring in a],
    "memoryview": memoryview,
    "column": carom.Shapes,
    "closed": lambda a: np.concatenate([a, a[:, :1]], axis=1),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_every_form_of_the_same_polygons_gives_the_same_answers(form):
    random = np.random.default_rng(11)
    a = random.integers(1, 4, (20, 1, 2)) * SQUARE + random.integers(-3, 3, (20, 1, 2))
    b = random.integers(1, 4, (20, 1, 2)) * SQUARE + random.integers(-3, 3, (20, 1, 2))
    result = carom.sat_batch(a, b)
    assert same_fields(carom.sat_batch(FORMS[form](a), b), result)
    assert same_fields(carom.sat_batch(a, FORMS[form](b)), result)
    if form not in {"column", "memoryview"}:
        one = FORMS[form](a[:1])[0]
        assert same_fields(carom.sat(one, b[0]), result[0])


def test_large_integers_that_are_floats_are_taken():
    big = np.array([(0, 0), (2**60, 0), (2**60, 2**60)])
    for polygon in (
        big,
        big.tolist(),
        big.astype(object),
        big.astype(np.uint64),
        [(0.5, 0), (2**70, 0), (1, 1)],
    ):
        assert carom.intersects(polygon, SQUARE)


def test_a_list_of_rows_may_differ_in_size_and_have_missing_ones():
    rows = [SQUARE, None, SQUARE[:3] + 0.5, [], SQUARE + 9, np.empty((0, 2))]
    result = carom.sat_batch(rows, SQUARE)
    assert result.intersects.tolist() == [True, False, True, False, False, False]
    assert np.isnan(result.depth).tolist() == [False, True, False, True, False, True]
    assert np.isnan(result.mtv[1]).all()
    assert result.valid.all()
    circles = carom.circle_polygon_batch((5.0, 5.0), 1.0, rows)
    assert circles.index.tolist()[1] == circles.feature.tolist()[1] == -1
    assert circles[1].feature is None
    assert not bool(result[1])
    assert carom.intersects_batch([None, None], SQUARE).tolist() == [False, False]
    assert carom.intersects_batch([], SQUARE).tolist() == []
    assert carom.intersects_batch(np.empty((2, 0, 2)), SQUARE).tolist() == [False, False]


def test_the_numbers_of_a_missing_row_do_not_matter():
    rows = [SQUARE, None]
    result = carom.swept_collision_batch(rows, [SQUARE + 3], [(4.0, 4.0), (np.nan, 0.0)])
    assert result.valid.all()
    assert result.time.tolist()[0] == 0.5
    assert np.isnan(result.time[1])
    with pytest.raises(ValueError, match=r"velocity\[0\] is \(nan, 0.0\)"):
        carom.swept_collision_batch(rows, [SQUARE + 3], [(np.nan, 0.0), (4.0, 4.0)])


# Pairs.


@pytest.mark.parametrize("form", ["array", "tuple", "lists", "int32", "uint64", "column"])
def test_pairs_choose_rows(form):
    a, b = operands(carom.sat, 30)
    random = np.random.default_rng(5)
    i, j = random.integers(0, 30, (2, 100))
    expected = carom.sat_batch(a[i], b[j])
    pairs = {
        "array": np.array([i, j]),
        "tuple": (i, j),
        "lists": (i.tolist(), j.tolist()),
        "int32": (i.astype(np.int32), j.astype(np.int16)),
        "uint64": np.array([i, j], np.uint64),
        "column": (i, j),
    }[form]
    if form == "column":
        a, b = carom.Shapes(a), carom.Shapes(b)
    assert same_fields(carom.sat_batch(a, b, pairs=pairs), expected)


def test_no_pairs_are_no_rows():
    for pairs in (([], []), np.empty((2, 0), int)):
        assert carom.sat_batch([SQUARE], [SQUARE], pairs=pairs).shape == (0,)


def test_pairs_of_circles_and_polygons_with_a_velocity_each():
    center, radius, velocity, polygon = operands(carom.swept_circle, 20)
    i, j = np.random.default_rng(1).integers(0, 20, (2, 50))
    moves = np.resize(velocity, (50, 2))
    expected = carom.swept_circle_batch(center[i], radius[i], moves, polygon[j])
    result = carom.swept_circle_batch(center, radius, moves, polygon, pairs=(i, j))
    assert same_fields(result, expected)
    expected = carom.swept_circle_batch(center[i], 0.5, (1.0, 0.0), polygon[j])
    result = carom.swept_circle_batch(center, 0.5, (1.0, 0.0), polygon, pairs=(i, j))
    assert same_fields(result, expected)


def test_only_rows_that_are_paired_are_looked_at():
    rows = np.array([SQUARE, SQUARE * np.nan])
    assert carom.intersects_batch(rows, [SQUARE], pairs=([0], [0])).tolist() == [True]
    with pytest.raises(ValueError, match=r"a\[1\]: vertex 0 is \(nan, nan\)"):
        carom.intersects_batch(rows, [SQUARE], pairs=([0, 1], [0, 0]))


# Fields and out.


@pytest.mark.parametrize("function", TWINS)
def test_only_the_wanted_fields_are_computed(function):
    arguments = operands(function, 50)
    whole = TWINS[function](*arguments)
    for wanted in (*((name,) for name in whole._asdict()), tuple(whole._asdict())[::-1], ()):
        part = TWINS[function](*arguments, fields=wanted)
        for name, column in part._asdict().items():
            assert (column is None) == (name not in wanted)
            assert column is None or same(column, getattr(whole, name))


def test_a_row_without_its_truth_says_so():
    row = carom.sat_batch(SQUARE, [SQUARE], fields=("mtv",))[0]
    assert row.intersects is None
    with pytest.raises(ValueError, match="'intersects', which was not asked for"):
        bool(row)


def test_out_is_written_and_returned():
    a, b = operands(carom.sat, 50)
    expected = carom.sat_batch(a, b)
    earlier = carom.sat_batch(b, a)
    result = carom.sat_batch(a, b, out=earlier)
    assert same_fields(result, expected)
    assert all(result._asdict()[name] is array for name, array in earlier._asdict().items())
    depth, strided = np.full(50, 7.0), np.full((50, 4), 7.0)[:, ::2]
    result = carom.sat_batch(a, b, out={"depth": depth, "mtv": strided})
    assert result.depth is depth
    assert result.mtv is strided
    assert same_fields(result, expected)
    found = np.zeros(50, bool)
    assert carom.intersects_batch(a, b, out=found) is found
    assert same(found, expected.intersects)


# Invalid rows.


@pytest.mark.parametrize("function", TWINS)
def test_out_of_no_rows_is_taken(function):
    rows = [np.asarray(operand)[:0] for operand in operands(function, 3)]
    earlier = TWINS[function](*rows)
    again = TWINS[function](*rows, out=earlier)
    assert all(array is earlier._asdict()[name] for name, array in again._asdict().items())
    none = np.empty(0, dtype=int)
    some = operands(function, 3)
    extra = 1 if function in MOVING else None
    if function in PAIRS:
        moved = [*some[:2], *(rows[2:3] if extra else [])]
        picked = TWINS[function](*moved, pairs=(none, none), out=earlier)
        assert len(picked) == 0


def test_masked_rows_are_blank_and_the_others_answered():
    a, b = operands(carom.sat, 300)
    bad = a.copy()
    bad[[3, 77, 299], 1] = np.inf
    for function in PAIRS:
        extra = ((0.5, 0.25),) if function in MOVING else ()
        good = TWINS[function](a, b, *extra)
        result = TWINS[function](bad, b, *extra, on_invalid="mask")
        assert np.flatnonzero(~result.valid).tolist() == [3, 77, 299]
        assert same_fields(result[result.valid], good[result.valid])
        for column in result[~result.valid]._astuple():
            assert (~column).all() if column.dtype == bool else np.isnan(column).all()
    assert not carom.intersects_batch(bad, bad, on_invalid="mask")[[3, 77, 299]].any()


def test_whatever_makes_a_row_bad_is_masked():
    masked = np.ma.array([SQUARE] * 3)
    masked[1, 2, 0] = np.ma.masked
    assert carom.sat_batch(masked, SQUARE, on_invalid="mask").valid.tolist() == [True, False, True]
    large = np.array([[(0, 0), (9, 0), (0, 9)], [(0, 0), (2**53 + 1, 0), (0, 9)]])
    assert carom.sat_batch(large, SQUARE, on_invalid="mask").valid.tolist() == [True, False]
    circles = carom.circle_polygon_batch((0.0, 0.0), [1.0, -1.0, np.nan], SQUARE, on_invalid="mask")
    assert circles.valid.tolist() == [True, False, False]
    assert circles.index.tolist()[1:] == circles.feature.tolist()[1:] == [-1, -1]
    concave = [[(0, 0), (4, 0), (1, 1), (0, 4)], SQUARE]
    assert carom.sat_batch(concave, SQUARE, on_invalid="mask").valid.tolist() == [False, True]


@pytest.mark.parametrize(
    "row",
    [
        np.zeros((4, 3)),
        np.zeros(8),
        np.stack([SQUARE, SQUARE]),
        [(0, 0), (1, 0, 3), (1, 1)],
        [SQUARE * 9, np.zeros((4, 3))],
        [[]],
        SQUARE > 0,
        "polygon",
        3.0,
        {},
    ],
    ids=str,
)
def test_rows_that_are_no_rings_are_masked_too(row):
    for rows in ([SQUARE, row, None], [row, SQUARE, None]):
        bad = [one is row for one in rows]
        result = carom.sat_batch(rows, SQUARE, on_invalid="mask")
        assert (~result.valid).tolist() == bad
        found = carom.intersects_batch(rows, SQUARE, on_invalid="mask")
        assert found.tolist() == result.intersects.tolist() == [one is SQUARE for one in rows]
        circles = carom.circle_polygon_batch((0, 0), 1, rows, on_invalid="mask")
        assert (~circles.valid).tolist() == bad


def test_an_argument_without_rows_is_not_masked():
    for rows in (np.zeros((3, 4, 3)), "polygons", [(0, 0), (1, 0, 3)], 3.0):
        with pytest.raises((TypeError, ValueError), match=r"^a: expected"):
            carom.sat_batch(rows, SQUARE, on_invalid="mask")


def test_unchecked_good_rows_have_the_same_answers():
    for function, twin in TWINS.items():
        arguments = operands(function, 200)
        assert same_fields(twin(*arguments, check=False), twin(*arguments))


def test_unchecked_bad_rows_do_no_harm():
    random = np.random.default_rng(2)
    odd = [0.0, -0.0, 1.0, np.nan, np.inf, -np.inf, 5e-324, 1.7e308]
    for vertices in (0, 1, 2, 3, 4, 9):
        a, b = random.choice(odd, (2, 500, vertices, 2))
        velocity, radius = random.choice(odd, (500, 2)), random.choice(odd, 500)
        carom.intersects_batch(a, b, check=False)
        for function in PAIRS:
            extra = (velocity,) if function in MOVING else ()
            TWINS[function](a, b, *extra, check=False)
        carom.circle_polygon_batch(velocity, radius, a, check=False)
        carom.swept_circle_batch(velocity, radius, velocity[::-1], a, check=False)


def star(vertices):
    """A concave ring whose every other corner is dented."""
    angle = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    radius = np.where(np.arange(vertices) % 2, 1.5, 3.0)
    return np.stack([np.cos(angle) * radius, np.sin(angle) * radius], axis=-1)


CIRCLE = np.stack([np.cos(np.arange(40) / 40 * 2 * np.pi), np.sin(np.arange(40) / 40 * 2 * np.pi)])
SINGLES = {
    "square": SQUARE,
    "closed clockwise square": np.concatenate([SQUARE, SQUARE[:1]])[::-1],
    "convex": 2 * CIRCLE.T,
    "clockwise": 2 * CIRCLE.T[::-1],
    "convex but for rounding": helpers.DENTED,
    "concave": star(8),
    "concave, of many vertices": star(200),
    "an array of one": star(12)[None],
    "with a hole": [[3 * SQUARE, SQUARE + 0.5]],
    "missing": [None],
    "not finite": np.where(np.arange(500)[:, None] == 321, np.nan, star(500)),
    "bow tie": [(0, 0), (2, 2), (2, 0), (0, 2)],
    "meets itself": np.concatenate([star(100), star(100)[:50] / 2]),
    "a stray hole": [[SQUARE, SQUARE + 5]],
    "two vertices": SQUARE[:2],
    "no vertices": np.empty((0, 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("keywords", [{}, {"check": False}, {"on_invalid": "mask"}], ids=str)
@pytest.mark.parametrize("name", SINGLES)
@pytest.mark.parametrize("function", [*TWINS, carom.intersects])
def test_a_single_polygon_is_answered_as_a_row_is(function, name, keywords):
    """Whether it takes part in one row, which reads it there, or in many, which share a copy."""
    rows, single = 1500, SINGLES[name]
    twin = TWINS.get(function, carom.intersects_batch)
    rest = operands(carom.sat if function is carom.intersects else function, rows)

    def answer(arguments):
        try:
            found = twin(*arguments, **keywords)
        except ValueError as why:
            return str(why)
        fields = {"found": found} if function is carom.intersects else found._asdict()
        valid = {} if function is carom.intersects or not keywords else {"valid": found.valid}
        return {name: np.atleast_1d(field) for name, field in {**fields, **valid}.items()}

    for place in [k for k, operand in enumerate(rest) if operand.ndim == 3]:
        many = answer((*rest[:place], single, *rest[place + 1 :]))
        for row in (0, 700, rows - 1):
            one = [operand[row : row + 1] for operand in rest]
            alone = answer((*one[:place], single, *one[place + 1 :]))
            if isinstance(many, str):
                assert many == alone
                break
            assert all(same(many[name][row : row + 1], alone[name]) for name in alone), row
        if isinstance(many, str) or isinstance(single, list) or "on_invalid" in keywords:
            continue
        column = carom.Shapes([np.reshape(single, (-1, 2))], check=False)
        of_column = answer((*rest[:place], column, *rest[place + 1 :]))
        assert all(same(many[name], of_column[name]) for name in many)


# Results.


def test_iterating_gives_the_rows_and_the_fields_unpack_by_astuple():
    a, b = operands(carom.sat, 6)
    result = carom.sat_batch(a, b)
    rows = list(result)
    assert len(rows) == len(result) == 6
    for k, row in enumerate(rows):
        assert isinstance(row, carom.SatResult)
        helpers.assert_row_is_scalar(result, k, row)
        assert [helpers.bits(it) for it in row._astuple()] == [
            helpers.bits(it) for it in result[k]._astuple()
        ]
    assert result._astuple() == tuple(result._asdict().values())
    assert all(x is y for x, y in zip(result._astuple(), result._asdict().values(), strict=True))
    some = carom.sat_batch(a, b, fields=("depth",))
    assert [row.depth for row in some] == some.depth.tolist()
    assert [it is None for it in some._astuple()] == [True, False, True, True, True, True]
    grid = carom.sat_batch(a.reshape(2, 3, 4, 2), b.reshape(2, 3, 5, 2))
    first, second = grid
    assert isinstance(first, carom.SatBatchResult)
    assert same(second.mtv, grid.mtv[1])
    assert [row.depth for part in grid for row in part] == result.depth.tolist()
    assert list(carom.sat_batch(a[:0], b[:0])) == []


def test_a_result_without_axes_has_no_rows_to_iterate_over():
    for result in (carom.sat_batch(SQUARE, SQUARE), carom.ray_cast((0, 0), (1, 0), [SQUARE])):
        with pytest.raises(TypeError, match="iteration over a 0-d result"):
            iter(result)
        with pytest.raises(TypeError, match=r"len\(\) of unsized object"):
            len(result)


def test_a_short_result_shows_its_values_and_a_long_one_its_shapes():
    found = carom.distance_batch([SQUARE] * 2, np.add(SQUARE, [[[9, 0]], [[1, 0]]]))
    a, b = (repr(it).replace("\n", "\n" + 14 * " ") for it in (found.closest_a, found.closest_b))
    assert (
        repr(found)
        == str(found)
        == (
            f"DistanceBatchResult(\n    shape=(2,),\n    distance={found.distance!r},\n"
            f"    closest_a={a},\n    closest_b={b},\n)"
        )
    )
    contacts = carom.sat_batch([SQUARE] * 10, SQUARE)
    lines = repr(contacts).splitlines()
    assert "    intersects=array([ True,  True," in lines[2]
    assert all(line == line.rstrip() for line in lines)
    assert repr(carom.sat_batch([SQUARE] * 2, SQUARE, fields=("depth",))).count("=None,") == 5
    masked = carom.distance_batch([SQUARE, SQUARE * 0], SQUARE, on_invalid="mask")
    assert "    valid=array([ True, False]),\n" in repr(masked)
    assert "shape=()" in repr(carom.distance_batch(SQUARE, SQUARE))
    assert "array([], shape=(0, 2), dtype=float64)" in repr(found[:0])
    long = carom.distance_batch(np.broadcast_to(SQUARE, (100_000, 4, 2)), SQUARE)
    assert len(repr(long)) < 200
    assert repr(long).startswith(
        "DistanceBatchResult(shape=(100000,), distance=<float64 (100000,)>"
    )


def test_a_batch_result_unpacks_and_is_indexed_like_an_array():
    a, b = operands(carom.sat, 12)
    result = carom.sat_batch(a.reshape(3, 4, 4, 2), b.reshape(3, 4, 5, 2))
    intersects, depth, mtv, normal, separation, contact = result._astuple()
    assert list(result._asdict()) == [
        "intersects",
        "depth",
        "mtv",
        "normal",
        "separation",
        "contact",
    ]
    assert depth is result.depth
    assert len(result) == 3
    assert result.shape == result.valid.shape == (3, 4)
    assert isinstance(result[1, 2], carom.SatResult)
    assert isinstance(result[1], carom.SatBatchResult)
    keys = [
        1,
        -1,
        slice(1, None),
        (slice(None), 2),
        (..., 1),
        ...,
        [0, 2],
        np.array([2, 0]),
        intersects,
    ]
    for key in keys:
        part = result[key]
        assert part.shape == depth[key].shape
        assert same(part.depth, depth[key])
        assert same(part.mtv, mtv.reshape(12, 2)[np.arange(12).reshape(3, 4)[key]])
        assert same(part.contact, contact.reshape(12, 2, 2)[np.arange(12).reshape(3, 4)[key]])
    assert same(result[np.int64(1), -1].normal, normal[1, -1])
    assert result[2, 3].separation == separation[2, 3]
    for key in (3, -4, (0, 4), (0, 0, 0)):
        with pytest.raises(IndexError):
            result[key]


def test_a_result_of_one_question_has_no_rows():
    result = carom.sat_batch(SQUARE, SQUARE)
    assert result.shape == ()
    assert bool(result[()])
    with pytest.raises(TypeError, match="len"):
        len(result)


def test_the_truth_of_a_batch_is_ambiguous():
    with pytest.raises(ValueError, match="ambiguous"):
        bool(carom.sat_batch(SQUARE, [SQUARE]))


@pytest.mark.parametrize("function", TWINS)
def test_results_are_frozen_readable_and_pickled(function):
    arguments = operands(function, 5)
    result = TWINS[function](*arguments)
    alone = function(*(argument[0] for argument in arguments))
    for one in (result, alone, result[0]):
        name = next(iter(one._asdict()))
        assert f"{type(one).__name__}(" in repr(one)
        assert f"{name}=" in repr(one)
        with pytest.raises(AttributeError):
            setattr(one, name, None)
        again = pickle.loads(pickle.dumps(one))
        assert type(again) is type(one)
        assert same_fields(again, one)
    assert repr(result[0]) == repr(alone)


def test_scalar_results_hold_python_values_and_fresh_arrays():
    result = carom.circle_polygon((3.0, 0.5), 1.0, SQUARE)
    assert type(result.intersects) is bool
    assert type(result.depth) is float
    assert type(result.index) is int
    assert type(result.feature) is str
    assert result.closest.dtype == np.float64
    assert result.closest.shape == (2,)
    result.closest[:] = 9
    assert result.closest.tolist() == [1.0, 0.5]


def test_a_result_keeps_its_answer_when_the_arrays_change():
    a, b = SQUARE.copy(), SQUARE + 0.5
    result = carom.sat(a, b)
    before = repr(result)
    a += 100
    b -= 100
    assert repr(result) == before


@pytest.mark.parametrize("twin", TWINS.values(), ids=lambda twin: twin.__name__)
def test_pairs_of_one_row_each_may_be_converted(twin):
    """What they are converted to must live on, or an output may get its memory."""
    first = {
        carom.circle_polygon_batch: ([(0.5, 0.5)], 1.0),
        carom.swept_circle_batch: ([(0.5, 0.5)], 1.0, (1.0, 0.0)),
    }.get(twin, ([SQUARE],))
    moving = (carom.swept_collision_batch, carom.closest_approach_batch)
    velocity = ((1.0, 0.0),) if twin in moving else ()
    expected = twin(*first, [SQUARE], *velocity)[0]
    for count in (1, 2, 50, 3000):
        for pairs in (
            ([0] * count, [0] * count),
            np.zeros((2, count), np.int32),
            np.zeros((count, 2), int).T,
        ):
            found = twin(*first, [SQUARE], *velocity, pairs=pairs)
            assert len(found) == count
            assert repr(found[count - 1]) == repr(expected)


@pytest.mark.parametrize("none", [[], (), np.empty(0), np.empty((0, 2))], ids=repr)
def test_no_points_may_come_without_their_second_axis(none):
    assert len(carom.circle_polygon_batch(none, 1.0, SQUARE)) == 0
    assert len(carom.swept_collision_batch(SQUARE, SQUARE, none)) == 0
    assert len(carom.ray_cast(none, (1.0, 0.0), [SQUARE])) == 0
    assert carom.colliding_pairs(carom.Shapes([]), velocity_a=none).shape == (2, 0)
    with pytest.raises(ValueError, match="velocity"):
        carom.swept_collision_batch([SQUARE, SQUARE], SQUARE, none)


# Threads, forks, interrupts.


def quads(rows):
    return np.random.default_rng(0).uniform(-3, 3, (rows, 1, 2)) + SQUARE


def long_call(_=None):
    return int(carom.intersects_batch(quads(20_000), quads(20_000)[::-1]).sum())


def test_many_threads_may_ask_at_once():
    expected = long_call()
    found = []
    threads = [threading.Thread(target=lambda: found.append(long_call())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_calls_go_on_after_a_fork():
    expected = long_call()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(long_call, range(4)).get(timeout=60)
    assert found == [expected] * 4
    assert long_call() == expected


def test_calls_go_on_after_a_fork_in_the_midst_of_others():
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            long_call()

    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                os._exit(0 if long_call() else 1)
            deadline = time.monotonic() + 60
            while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
                assert time.monotonic() < deadline, "the child hangs"
                time.sleep(0.01)
            assert ended[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.slow
def test_nothing_is_written_once_an_interrupt_has_been_answered():
    # Slanted teeth side by side, all equally near: some seconds of work on a single row.
    program = """
        import time, numpy as np, carom
        x = np.arange(800_001.0)
        teeth = np.stack([x, x % 2 * 400], axis=-1)
        turn = np.array([(3.0, 4.0), (-4.0, 3.0)])
        lower = np.vstack([teeth, [(x[-1], -9), (0, -9)]]) @ turn
        upper = np.vstack([teeth + (0, 2), [(x[-1], 900), (0, 900)]]) @ turn
        a, b = (carom.Shapes([ring], check=False) for ring in (lower, upper))
        out = {"distance": np.zeros(1)}
        print("ready", flush=True)
        try:
            carom.distance_batch(a, b, fields=("distance",), out=out)
        except KeyboardInterrupt:
            out["distance"][:] = 7.0
            time.sleep(4.0)
            print(out["distance"][0], flush=True)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "7.0\n"
        finally:
            process.kill()


ONE, OTHER = carom.Shapes([SQUARE]), carom.Shapes([SQUARE + 9])
SHORT_CALLS = {
    "a number": functools.partial(carom.colliding_pairs, ONE, OTHER, margin=0.5),
    "a number of a batch": functools.partial(carom.intersects_batch, ONE, OTHER, margin=0.5),
    "a turn of a column": functools.partial(
        carom.candidate_pairs, ONE, OTHER, turn_a=0.5, center_a=(0.0, 0.0)
    ),
    "a turn": functools.partial(
        carom.swept_collision, SQUARE, SQUARE + 9, (1.0, 0.0), turn_a=0.5, center_a=(0.0, 0.0)
    ),
    "a geometry": functools.partial(carom.intersects, shapely.box(0, 0, 1, 1), SQUARE),
    "geometries": functools.partial(carom.Shapes, [shapely.box(0, 0, 1, 1), SQUARE]),
    "a masked row": functools.partial(carom.Shapes, [SQUARE, np.array(["x"])], on_invalid="mask"),
    "outputs": functools.partial(
        carom.sat_batch,
        ONE,
        OTHER,
        fields=("depth", "separation"),
        out={"depth": np.zeros(1), "separation": np.zeros(1)},
    ),
    "a row": functools.partial(operator.getitem, ONE, 0),
    "a result": functools.partial(repr, carom.sat(SQUARE, SQUARE)),
    "results": functools.partial(repr, carom.sat_batch(ONE, ONE)),
}


@pytest.mark.skipif(sys.platform == "win32", reason="needs the C library of Unix")
@pytest.mark.parametrize("call", SHORT_CALLS.values(), ids=SHORT_CALLS)
def test_an_interrupt_of_a_short_call_is_not_lost(call):
    interrupt = functools.partial(ctypes.CDLL(None)["raise"], signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        # No line of Python runs between the two, which would answer the interrupt before the call.
        collections.deque(map(functools.partial.__call__, (interrupt, call)))


LONG_CALLS = {
    "many rows": "carom.sat_batch(quads[:, None], quads, fields=('depth',))",
    "many rows, one thread": "carom.sat_batch(quads[:, None], quads, fields=('depth',), threads=1)",
    "long rows": "carom.sat_batch(np.stack([wheel, wheel]), wheel + 0.1, threads=1)",
    "scalar": "carom.sat(wheel, wheel + 0.1)",
    "scalar penetration": "carom.penetration(comb(30_000), comb(30_000) + 0.3)",
    "scalar distance": "carom.distance(wheel, wheel + 3)",
    "validity": "carom.circle_polygon((0, 0), 1, comb(2_000_000))",
    "convex parts": "carom.convex_parts(comb(200_000))",
    "list of arrays": "carom.place(square[:1], [np.zeros(3)] * 4_000_000)",
    "a copy": "carom.Shapes(many)",
    "to Arrow": "carom.Shapes(many, check=False).__arrow_c_array__()",
    "from Arrow": "carom.Shapes.from_arrow(carom.Shapes(many, check=False), check=False)",
}


@pytest.mark.slow
@pytest.mark.parametrize("call", LONG_CALLS.values(), ids=LONG_CALLS)
def test_an_interrupt_is_answered_within_a_second(call):
    program = f"""
        import time, numpy as np, carom
        square = [(0, 0), (1, 0), (1, 1), (0, 1)]
        quads = np.random.default_rng(0).uniform(-3, 3, (10_000, 1, 2)) + square
        many = np.tile(quads, (200, 1, 1))
        turns = np.linspace(0, 2 * np.pi, 1_000_000, endpoint=False)
        wheel = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
        def comb(teeth):
            x = np.arange(teeth + 1.0)
            bottom = [(teeth, -9), (0, -9)]
            return np.vstack([np.stack([x, x % 2 * 400], axis=-1), bottom]) @ [(3, 4), (-4, 3)]
        print("ready", flush=True)
        try:
            while True:
                {call}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            carom.sat_batch(quads, quads)
            print("goes on", flush=True)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(1.0)
            assert helpers.seconds_until_interrupted(process) < 1.0
            assert process.stdout.readline() == "goes on\n"
        finally:
            process.kill()

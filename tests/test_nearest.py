"""`nearest`: the nearest rows of another column."""

from __future__ import annotations

import itertools
import math
import os
import pickle
import signal
import threading
import time
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import carom
import numpy as np
import pytest
import shapely

from generators import areas, kinds, shapes, turns
from generators.areas import bare
from reference import oracle
from reference.oracle import accuracy
from reference.oracle import kinds as oracle_of_kinds
from reference.oracle.kinds import Shape

UNIT = shapes.box(0.0, 0.0, 1.0, 1.0)
ROW = [shapes.box(x, 0.0, 1.0, 1.0) for x in (0.0, 3.0, 6.0, 3.0)]


def check(first: list[areas.Area], second: list[areas.Area], k: int, most: float) -> None:
    found = carom.nearest(
        [bare(area) for area in first], [bare(area) for area in second], k=k, max_distance=most
    )
    expected = [
        (i, j, square)
        for i, area in enumerate(first)
        for j, square in oracle.nearest(area, second, k, most)
    ]
    given = (first, second, k, most)
    assert found.pairs.T.tolist() == [[i, j] for i, j, _ in expected], given
    for distance, (_, _, square) in zip(found.distance.tolist(), expected, strict=True):
        assert (distance == 0) == (square == 0), given
        if Fraction(2) ** -2000 < square < Fraction(2) ** 2000:
            assert abs(Fraction(distance) ** 2 - square) <= square * 2 / 10**10, given


def test_neighbors_are_ordered_by_row_then_distance_then_index() -> None:
    pairs, distance = carom.nearest(ROW[:2], ROW, k=3)
    assert pairs.tolist() == [[0, 0, 0, 1, 1, 1], [0, 1, 3, 1, 3, 0]]
    assert distance.tolist() == [0, 2, 2, 0, 0, 2]
    assert (pairs.dtype, distance.dtype) == (np.int64, np.float64)


def test_the_greatest_distance_is_included() -> None:
    assert carom.nearest(ROW[:1], ROW[1:], max_distance=2.0).distance.tolist() == [2.0]
    less = math.nextafter(2.0, 0.0)
    assert carom.nearest(ROW[:1], ROW[1:], max_distance=less).pairs.shape == (2, 0)
    assert carom.nearest(ROW[:1], ROW, k=9, max_distance=0.0).pairs.tolist() == [[0], [0]]


def test_missing_rows_have_and_are_no_neighbors() -> None:
    found = carom.nearest([None, UNIT, None], [None, ROW[1], []], k=5)
    assert found.pairs.tolist() == [[1], [1]]
    assert carom.nearest([], ROW).pairs.shape == (2, 0)
    assert carom.nearest(ROW, [None]).distance.shape == (0,)
    assert carom.nearest(ROW, []).pairs.shape == (2, 0)


def test_pairs_go_where_batches_take_them() -> None:
    column = carom.Shapes(ROW)
    found = carom.nearest(column, column, k=4)
    apart = carom.distance_batch(column, column, pairs=found.pairs, fields=("distance",))
    assert apart.distance.tobytes() == found.distance.tobytes()


# --- against the oracle ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_neighbors_are_those_of_the_oracle(seed: int) -> None:
    rng = Random(seed)
    x, y = rng.choice(areas.FAR)
    column = [
        areas.shifted(areas.area(rng), x + rng.randint(-9, 9), y + rng.randint(-9, 9))
        for _ in range(9)
    ]
    column = [area for area in column if areas.usable(area)]
    most = rng.choice([math.inf, math.inf, 0.0, 1.0, 2.5])
    check(column[:3], column[3:], rng.randint(1, 5), most)


def test_ties_on_a_grid_go_to_the_lowest_rows() -> None:
    rng = Random(1)
    for _ in range(120):
        cells = rng.choices(list(itertools.product(range(0, 12, 2), repeat=2)), k=12)
        column: list[areas.Area] = [
            [shapes.box(float(x), float(y), *rng.choice([(1.0, 1.0), (2.0, 1.0)]))]
            for x, y in cells
        ]
        check(column[:4], column[4:], rng.randint(1, 8), rng.choice([math.inf, 1.0, 2.0]))


def test_triangles_of_a_grid_tie_along_edges_and_at_vertices() -> None:
    rng = Random(2)
    grid = [(float(x), float(y)) for x in range(3) for y in range(3)]
    triangles: list[areas.Area] = [[list(ring)] for ring in itertools.combinations(grid, 3)]
    triangles = [area for area in triangles if oracle.is_valid(area)]
    for _ in range(120):
        column = [
            areas.shifted(
                rng.choice(triangles), float(rng.randint(-6, 6)), float(rng.randint(-6, 6))
            )
            for _ in range(10)
        ]
        check(column[:2], column[2:], rng.randint(1, 8), rng.choice([math.inf, math.sqrt(2), 1.0]))


def test_distances_that_differ_by_a_rounding_are_told_apart() -> None:
    rng = Random(3)
    for _ in range(150):
        gap = rng.uniform(0.5, 3)
        column: list[areas.Area] = []
        for _ in range(6):
            turn = rng.choice([0.0, math.pi / 2, math.pi, rng.uniform(0, math.tau)])
            near = shapes.nudged(rng, (gap * math.cos(turn), gap * math.sin(turn)))
            away = [(near[0] * 2 + x, near[1] * 2 + y) for x, y in ((0.1, 0.0), (0.0, 0.1))]
            column.append([[near, *away]])
        point: areas.Area = [[(0.0, 0.0), (1e-9, 0.0), (0.0, 1e-9)]]
        usable = [area for area in column if areas.usable(area)]
        check([point], usable, rng.randint(1, 4), math.inf)


@pytest.mark.parametrize("scale", [5e-324, 2.0**-1030, 2.0**-530, 2.0**530, 2.0**1000])
def test_extreme_coordinates_lose_no_neighbor(scale: float) -> None:
    rng = Random(4)
    for _ in range(20):
        column = [
            areas.scaled(
                [shapes.box(float(rng.randint(-9, 9)), float(rng.randint(-9, 9)), 1.0, 2.0)],
                scale,
                scale,
            )
            for _ in range(8)
        ]
        check(column[:2], column[2:], 3, rng.choice([math.inf, 2 * scale]))


# --- shapes of all kinds against the oracle -------------------------------------------------------


def small_shapes(rng: Random, count: int, radius: float | None) -> list[Shape]:
    """Of all kinds, on whole numbers, so that many distances are equal."""
    found = [kinds.shape(rng, size=2, radius=radius) for _ in range(count)]
    return [turns.moved(it, rng.randint(-4, 4), rng.randint(-4, 4)) for it in found]


def check_kinds(first: list[Shape], second: list[Shape], k: int, most: float) -> None:
    """In exact order where no shape has a radius, else to twelve digits of the distance."""
    found = carom.nearest(kinds.column(first), kinds.column(second), k=k, max_distance=most)
    assert found.pairs[0].tolist() == sorted(found.pairs[0])
    are_sharp = not any(shape.radius for shape in (*first, *second))
    grid = oracle_of_kinds.grid_of(*first, *second)
    cores = [oracle_of_kinds.core_of(shape, grid) for shape in second]
    for row, shape in enumerate(first):
        core = oracle_of_kinds.core_of(shape, grid)
        apart = [max(oracle_of_kinds.distance(shape, other), Decimal(0)) for other in second]
        keys: list[Any] = [
            (oracle_of_kinds.cores_gap(core, other) if are_sharp else apart[j], j)
            for j, other in enumerate(cores)
            if math.isinf(most) or oracle_of_kinds.is_within(shape, second[j], most)
        ]
        expected = [j for _, j in sorted(keys)[:k]]
        here, where = found.pairs[0] == row, (shape, second, most, k)
        rows = found.pairs[1, here].tolist()
        assert len(rows) == len(set(rows)) == len(expected), where
        assert {*rows} <= {j for _, j in keys}, where
        for j, other, distance in zip(rows, expected, found.distance[here], strict=True):
            tie = 0 if are_sharp else apart[other] / 10**12
            assert j == other or abs(apart[j] - apart[other]) < tie, where
            assert accuracy.number(distance, apart[j]), where


@pytest.mark.parametrize("radius", [0.0, None])
@pytest.mark.parametrize("seed", range(20))
def test_neighbors_of_all_kinds_are_those_of_the_oracle(seed: int, radius: float | None) -> None:
    rng = Random(f"kinds {seed} {radius}")
    first, second = (small_shapes(rng, count, radius) for count in (4, 12))
    # The greatest distance is a neighbor's, an ulp less or more, or none.
    near = max(float(oracle_of_kinds.distance(rng.choice(first), rng.choice(second))), 0.0)
    most = rng.choice([math.inf, near, math.nextafter(near, 0.0), math.nextafter(near, 99.0)])
    check_kinds(first, second, rng.randint(1, 12), most)


def test_points_and_paths_whose_distances_differ_by_a_rounding_are_told_apart() -> None:
    rng = Random(4)
    for _ in range(60):
        gap = rng.uniform(0.5, 3)
        column = []
        for _ in range(6):
            turn = rng.choice([0.0, math.pi / 2, math.pi, rng.uniform(0, math.tau)])
            x, y = near = shapes.nudged(rng, (gap * math.cos(turn), gap * math.sin(turn)))
            away = (2 * x + 0.1, 2 * y)
            across = [(x - y, y + x), (x + y, y - x)]
            column += [
                rng.choice(
                    [
                        Shape("point", [near]),
                        Shape("point", [away, near]),
                        Shape("path", [[away, near]]),
                        Shape("path", [[away, (3 * x, 2 * y)], across]),
                    ]
                )
            ]
        check_kinds([Shape("point", [(0.0, 0.0)])], column, rng.randint(1, 4), math.inf)


# --- against Shapely ------------------------------------------------------------------------------


@pytest.mark.parametrize("vertices", [4, 30])
def test_among_many_polygons_neighbors_are_those_of_shapely(vertices: int) -> None:
    rng = np.random.default_rng(vertices)
    angle = np.sort(rng.uniform(0, math.tau, (2, 400, vertices)))
    rows = np.stack([np.cos(angle), np.sin(angle)], -1) * rng.uniform(
        0.3, 0.9, (2, 400, vertices, 1)
    )
    rows += rng.uniform(0, 60, (2, 400, 1, 2))
    first, second = (part[shapely.is_valid(shapely.polygons(part))] for part in rows)
    a, b = shapely.polygons(first), shapely.polygons(second)
    found = carom.nearest(first, second, k=5)
    every = shapely.distance(a[:, None], b)
    order = np.argsort(every, axis=1, kind="stable")[:, :5]
    np.testing.assert_array_equal(found.pairs[0], np.repeat(np.arange(len(a)), 5))
    np.testing.assert_array_equal(found.pairs[1], order.ravel())
    np.testing.assert_allclose(found.distance, np.sort(every, axis=1)[:, :5].ravel(), atol=1e-12)


# --- arguments and results ------------------------------------------------------------------------


def test_the_result_unpacks_pickles_and_has_no_truth() -> None:
    found = carom.nearest(ROW, ROW)
    pairs, distance = found
    assert (pairs is found.pairs) and (distance is found.distance)
    assert list(found._asdict()) == ["pairs", "distance"]
    again = pickle.loads(pickle.dumps(found))
    assert again.pairs.tolist() == pairs.tolist()
    assert found._astuple() == (pairs, distance)
    assert repr(found) == (
        f"Neighbors(\n    pairs={repr(pairs).replace(chr(10), chr(10) + 10 * ' ')},\n"
        f"    distance={distance!r},\n)"
    )
    many = carom.nearest(ROW * 3, ROW)
    assert repr(many) == "Neighbors(pairs=<int64 (2, 12)>, distance=<float64 (12,)>)"
    with pytest.raises(ValueError, match="ambiguous"):
        bool(found)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_finds_the_same(threads: int) -> None:
    rng = np.random.default_rng(3)
    column = carom.Shapes(np.array(UNIT) + rng.integers(0, 60, (2_000, 1, 2)))
    found = carom.nearest(column, column, k=4, threads=threads)
    expected = carom.nearest(column, column, k=4)
    assert found.pairs.tobytes() == expected.pairs.tobytes()
    assert found.distance.tobytes() == expected.distance.tobytes()


def test_slices_and_selections_are_searched_as_columns_of_the_same_rows() -> None:
    rng = np.random.default_rng(8)
    rows = np.array(UNIT) + rng.uniform(0, 40, (200, 1, 2))
    column, picked = carom.Shapes(rows), rng.integers(0, 200, 70)
    carom.nearest(column, column)  # The tree over all rows is built here.
    for part, same in [(column[60:150], rows[60:150]), (column[picked], rows[picked])]:
        for a, b, c, d in [(part, column, same, rows), (column, part, rows, same)]:
            found, alone = carom.nearest(a, b, k=3), carom.nearest(c, d, k=3)
            assert found.pairs.tobytes() == alone.pairs.tobytes()
            assert found.distance.tobytes() == alone.distance.tobytes()


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "no neighbor": ({"k": 0}, ValueError, "k: expected 1 or more, got 0"),
    "negative": ({"k": -3}, ValueError, "k: expected 1 or more, got -3"),
    "half": ({"k": 1.5}, TypeError, "k: expected an integer, got float"),
    "bool": ({"k": True}, TypeError, "k: expected an integer, got bool"),
    "distance": ({"max_distance": -1}, ValueError, "max_distance is -1.0; it must be 0 or more"),
    "nan": ({"max_distance": math.nan}, ValueError, "max_distance is nan; it must be 0 or more"),
    "text": ({"max_distance": "far"}, TypeError, "max_distance: expected a number"),
    "threads": ({"threads": 0}, ValueError, "threads: expected 1 or more, got 0"),
}


@pytest.mark.parametrize(("keywords", "error", "text"), BAD.values(), ids=BAD)
def test_bad_keywords_are_named_with_their_value(keywords: Any, error: Any, text: str) -> None:
    with pytest.raises(error) as caught:
        carom.nearest(ROW, ROW, **keywords)
    assert text in str(caught.value)


def test_bad_rows_are_named() -> None:
    with pytest.raises(ValueError, match=r"^b\[1\]: vertex 0 is \(nan, 0\.0\)"):
        carom.nearest(ROW, [UNIT, [(math.nan, 0), (1, 0), (1, 1)]])


def test_a_long_call_is_interrupted() -> None:
    rng = np.random.default_rng(4)
    column = carom.Shapes(np.array(UNIT) + rng.uniform(0, 900, (50_000, 1, 2)))

    def repeat() -> None:
        for _ in range(1_000):
            carom.nearest(column, column, k=10, threads=1)

    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        repeat()
    assert time.process_time() - start < 5


def test_rounded_rows_whose_distances_differ_in_the_twelfth_digit_are_in_order() -> None:
    """Both distances are differences of numbers 10,000 times as long."""
    places = [(13.122860600845044, 6.320747435194271), (9.505746062501998, -10.449078519146596)]
    radii = [14.564458424768898, 14.124649529290519]

    def distance(row: int) -> Decimal:
        (x, y), radius = map(Decimal, places[row]), Decimal(radii[row])
        return (x * x + y * y).sqrt() - radius

    assert distance(0) < distance(1) < distance(0) * (1 + Decimal("1.4e-12"))
    rows = carom.Shapes.from_points(places, radius=radii)
    found = carom.nearest(carom.Shapes.from_points([(0.0, 0.0)]), rows, k=2)
    assert found.pairs.tolist() == [[0, 0], [0, 1]]


def test_a_rounded_row_does_not_change_which_of_the_others_is_nearer() -> None:
    # The points' distances differ by less than a float can tell; that of the circle is a float.
    near, far = Shape("point", [(1.0, 0.0)]), Shape("point", [(1.0, 1e-9)])
    disc = Shape("point", [(1.5, 0.0)], 0.5)
    start = carom.Shapes.from_points([(0.0, 0.0)])
    for column in itertools.permutations((near, far, disc)):
        tied = sorted((column.index(near), column.index(disc)))
        expected = [*tied, column.index(far)]
        for k in (1, 2, 3):
            found = carom.nearest(start, kinds.column(list(column)), k=k)
            assert found.pairs[1].tolist() == expected[:k], column


# --- many rows at the same distance ---------------------------------------------------------------


def tied_rows(where: str) -> tuple[list[Any], list[Any]]:
    """Rows, and others of which many tie: copies of one, copies that touch, or points of a grid."""
    rng = Random(where)
    if where == "grid":
        xy = [(float(x), float(y)) for x in range(12) for y in range(12)]
        rng.shuffle(xy)
        middles = [(x + 0.5, y + 0.5) for x, y in xy[:40]]
        return [shapely.Point(p) for p in middles], [shapely.Point(p) for p in xy]
    if where == "squares":
        rows = [shapely.box(x, y, x + 1.0, y + 1.0) for x in range(8) for y in range(8)] * 3
        rng.shuffle(rows)
        return rows[:40], rows
    at = {"touching": (1.0, 0.5), "apart": (0.1, 7.3), "diagonal": (3.1, 4.7)}[where]
    copies = [shapely.Point(at)] * 150 + [shapely.Point(at[0], math.nextafter(at[1], 9.0))] * 150
    rng.shuffle(copies)
    return [shapely.box(0, 0, 1, 1), shapely.Point(0.1, 0.2)], copies


def squared_gap(one: Any, other: Any) -> Fraction:
    """The squared distance of two points or boxes."""
    a, b = ([Fraction(x) for x in shape.bounds] for shape in (one, other))
    gaps = (max(a[k] - b[k + 2], b[k] - a[k + 2], Fraction(0)) for k in (0, 1))
    return sum((gap * gap for gap in gaps), Fraction(0))


@pytest.mark.parametrize("where", ["apart", "around"])
def test_one_row_has_the_same_neighbors_in_a_kept_column_as_in_a_new_one(where: str) -> None:
    """Where boxes are kept, a search is tried in the calling thread. Among points around one, whose
    distances differ by roundings, it takes too long there.
    """
    rng = np.random.default_rng(1)
    middle = np.array((0.3, 0.2))
    many = rng.random((20_000, 2))
    if where == "around":
        angle = rng.uniform(0, 2 * np.pi, 20_000)
        many = middle + np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    kept, new = carom.Shapes.from_points(many), carom.Shapes.from_points(many)
    point = carom.Shapes.from_points([middle])
    carom.nearest(point, kept)
    pairs, distance = carom.nearest(point, kept, k=3)
    expected = carom.nearest(point, new, k=3)
    np.testing.assert_array_equal(pairs, expected.pairs)
    np.testing.assert_array_equal(distance, expected.distance)
    x, y = (Fraction(float(it)) for it in middle)
    squares = [(Fraction(float(u)) - x) ** 2 + (Fraction(float(v)) - y) ** 2 for u, v in many]
    assert pairs[1].tolist() == sorted(range(len(many)), key=squares.__getitem__)[:3]


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("where", ["grid", "squares", "touching", "apart", "diagonal"])
def test_of_many_rows_at_the_same_distance_the_lowest_count(where: str, k: int) -> None:
    rows, others = tied_rows(where)
    column = carom.Shapes(others)
    # A slice searches the tree of the whole column.
    for first in (0, 5):
        found = carom.nearest(rows, column[first:], k=k)
        for row, nearest in zip(rows, found.pairs[1].reshape(-1, k).tolist(), strict=True):
            squares = [squared_gap(row, other) for other in others[first:]]
            assert nearest == sorted(range(len(squares)), key=squares.__getitem__)[:k]

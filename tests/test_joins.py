"""`candidate_pairs`, `colliding_pairs`, `iter_colliding_pairs`: columns that are joined."""

from __future__ import annotations

import gc
import math
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import carom
import numpy as np
import pytest
import shapely

from generators import areas, shapes
from generators.areas import bare
from reference import oracle

UNIT = shapes.box(0.0, 0.0, 1.0, 1.0)
ROW = [shapes.moved(UNIT, float(x), 0.0) for x in range(4)]


def pairs(joined: np.ndarray) -> list[tuple[int, int]]:
    return [(int(i), int(j)) for i, j in joined.T]


def some_areas(rng: Random, count: int) -> list[areas.Area]:
    """Areas of which many touch: those of pairs, all near each other."""
    found: list[areas.Area] = []
    while len(found) < count:
        a, b = areas.pair(rng, rng.choice(list(areas.PAIRS)))
        if areas.size(a, b) < 1000:
            found += [a, b]
    return found[:count]


def many_points_and_some_areas() -> tuple[carom.Shapes, carom.Shapes]:
    """Points on a grid, some of them rounded and among other shapes, and areas that some touch."""
    grid = np.random.default_rng(8).integers(-3, 24, (700, 2))
    points = list(shapely.points(grid))
    points[40:50] = [None, shapely.Point(), *shapely.multipoints(grid[:16].reshape(8, 2, 2))]
    points[300:310] = shapely.linestrings(grid[100:120].reshape(10, 2, 2))
    radius = np.where(np.arange(700) % 5, 0.0, 0.75)
    comb = [(0, 0), (21, 0), (21, 9), *((x, 9 - 8 * (x % 2)) for x in range(20, 0, -1)), (0, 9)]
    holed = shapely.Polygon(
        shapely.box(0, 10, 21, 21).exterior, [shapely.box(3, 12, 9, 18).exterior]
    )
    areas = [
        shapely.Polygon(comb),
        None,
        holed,
        shapely.MultiPolygon([shapely.box(0, 0, 5, 5), shapely.box(5, 5, 9, 20)]),
        shapely.box(4, 4, 12, 12),
        shapely.Point(10, 10).buffer(9.0, quad_segs=30),
        shapely.LineString([(0, 0), (9, 9), (18, 0)]),
        shapely.MultiLineString([[(0, 3), (20, 3)], [(7, 0), (7, 20)]]),
        shapely.Polygon(comb),
    ]
    column = carom.Shapes.from_shapely(points).with_radius(radius)
    return column, carom.Shapes(areas).with_radius([0, 0, 0, 0, 0, 0, 0, 0, 0.5])


@pytest.mark.parametrize("margin", [0.0, 1.0])
def test_many_points_near_an_area_are_pairs_as_each_alone(margin: float) -> None:
    points, areas = many_points_and_some_areas()
    plain = points.with_radius(0.0), areas.with_radius(0.0)
    for a, b in ((points, areas), plain):
        expected = [
            (i, j)
            for i in range(len(a))
            for j in range(len(b))
            if a.kind[i] >= 0
            and b.kind[j] >= 0
            and carom.intersects(a[i : i + 1], b[j : j + 1], margin=margin)
        ]
        assert len(expected) > 1000
        swapped = sorted((j, i) for i, j in expected)
        for threads in (1, 2):
            assert pairs(carom.colliding_pairs(a, b, margin=margin, threads=threads)) == expected
            assert pairs(carom.colliding_pairs(b, a, margin=margin, threads=threads)) == swapped
            chunks = carom.iter_colliding_pairs(b, a, margin=margin, threads=threads, chunk_pairs=9)
            assert pairs(np.concatenate([*chunks], axis=1)) == swapped


def test_points_located_in_a_join_are_those_of_locate() -> None:
    points, areas = (it.with_radius(0.0) for it in many_points_and_some_areas())
    single = np.flatnonzero(points.kind == carom.KINDS.index("point"))
    xy = points.bounds[single, :2]
    polygonal = [0, 2, 3, 4, 5, 8]
    found = carom.colliding_pairs(areas[polygonal], points[single], threads=1)
    for row, area in enumerate(polygonal):
        inside = carom.locate(xy, areas[area]) >= 0
        assert found[1][found[0] == row].tolist() == np.flatnonzero(inside).tolist()


def speeds(rng: Random, count: int) -> list[shapes.Point]:
    return [
        rng.choice([(0.0, 0.0), (rng.uniform(-9, 9), rng.uniform(-9, 9)), (1.0, 0.1), (0.3, -2.0)])
        for _ in range(count)
    ]


# --- what pairs -----------------------------------------------------------------------------------


def test_neighbours_that_share_an_edge_pair_once() -> None:
    assert pairs(carom.colliding_pairs(ROW)) == [(0, 1), (1, 2), (2, 3)]


def test_two_columns_pair_in_both_orders() -> None:
    assert pairs(carom.colliding_pairs(ROW[:2], ROW)) == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)]


def test_pairs_are_sorted_int64_of_shape_2_k() -> None:
    rng = np.random.default_rng(1)
    squares = np.array(UNIT) + rng.random((300, 1, 2)) * 12
    found = carom.colliding_pairs(squares)
    assert found.dtype == np.int64
    assert found.shape[0] == 2
    assert pairs(found) == sorted(pairs(found))
    assert (found[0] < found[1]).all()


def test_no_pairs_keep_the_shape() -> None:
    assert carom.colliding_pairs([UNIT]).shape == (2, 0)
    assert carom.colliding_pairs([]).shape == (2, 0)
    assert carom.candidate_pairs([], ROW).shape == (2, 0)
    assert carom.candidate_pairs(ROW, []).shape == (2, 0)


def test_missing_rows_are_in_no_pair() -> None:
    column = carom.Shapes([UNIT, None, UNIT, []])
    assert pairs(carom.colliding_pairs(column)) == [(0, 2)]
    assert pairs(carom.candidate_pairs(column, column)) == [(0, 0), (0, 2), (2, 0), (2, 2)]
    assert carom.colliding_pairs([None, None]).shape == (2, 0)


def test_pairs_go_where_batches_take_them() -> None:
    column = carom.Shapes(ROW)
    found = carom.colliding_pairs(column, margin=1.0)
    apart = carom.distance_batch(column, column, pairs=found, fields=("distance",)).distance
    assert apart.tolist() == [0.0, 1.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize("seed", range(12))
def test_a_join_finds_what_the_oracle_finds(seed: int) -> None:
    rng = Random(seed)
    column = some_areas(rng, 10)
    found = pairs(carom.colliding_pairs([bare(area) for area in column]))
    expected = [
        (i, j) for i, j in combinations(range(10), 2) if oracle.intersects(column[i], column[j])
    ]
    assert found == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_a_moving_join_with_a_margin_finds_what_the_oracle_finds(seed: int) -> None:
    rng = Random(100 + seed)
    first, second = some_areas(rng, 3), some_areas(rng, 3)
    u, v = speeds(rng, 3), speeds(rng, 3)
    margin = rng.choice([0.0, 0.0, 0.25, 1.0, rng.random()])
    found = carom.colliding_pairs(
        [bare(area) for area in first],
        [bare(area) for area in second],
        velocity_a=u,
        velocity_b=v,
        margin=margin,
    )
    expected = [
        (i, j)
        for i in range(3)
        for j in range(3)
        if oracle.comes_within(first[i], second[j], u[i], v[j], margin)
    ]
    assert pairs(found) == expected


@pytest.mark.parametrize("vertices", [3, 4, 6, 16, 17])
@pytest.mark.parametrize("margin", [0.0, 0.02, 0.5, 3.0, 40.0])
def test_rows_pair_in_tiles_where_their_distance_is_within_the_margin(
    vertices: int, margin: float
) -> None:
    rng = np.random.default_rng(vertices)
    angles = np.sort(rng.random((90, vertices)) + np.arange(vertices), axis=1)
    angles *= 2.0 * np.pi / vertices
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=-1) + rng.random((90, 1, 2)) * 20.0
    rows[::3] = rows[::3, ::-1]
    column = carom.Shapes(rows)
    i, j = np.triu_indices(90, 1)
    apart = [
        carom.distance(first, second).distance
        for first, second in zip(rows[i], rows[j], strict=True)
    ]
    within = np.array(apart) <= margin
    expected = np.stack([i[within], j[within]])
    np.testing.assert_array_equal(carom.colliding_pairs(column, margin=margin), expected)


def test_grid_squares_pair_at_exactly_the_margin() -> None:
    places = np.stack(np.meshgrid(np.arange(12.0), np.arange(12.0)), axis=-1).reshape(-1, 1, 2)
    column = carom.Shapes(np.array(UNIT) + places * 2.0)
    assert carom.colliding_pairs(column, margin=math.nextafter(1.0, 0.0)).shape == (2, 0)
    assert carom.colliding_pairs(column, margin=1.0).shape == (2, 2 * 12 * 11)
    diagonal = math.sqrt(2.0)  # 1.4142135623730951, above the root
    assert carom.colliding_pairs(column, margin=diagonal).shape == (2, 2 * 12 * 11 + 2 * 11 * 11)
    below = math.nextafter(diagonal, 0.0)
    assert carom.colliding_pairs(column, margin=below).shape == (2, 2 * 12 * 11)


@pytest.mark.slow
@pytest.mark.parametrize("family", areas.PAIRS)
def test_a_margin_at_the_distance_is_enough_and_less_is_not(family: str) -> None:
    rng = Random(family)
    for _ in range(25):
        a, b = areas.pair(rng, family)
        b = areas.apart(rng, a, b)
        if not areas.usable(b):
            continue  # moving it rounded it
        margin = carom.distance(bare(a), bare(b)).distance
        for reach in (math.nextafter(margin, 0), margin, math.nextafter(margin, math.inf)):
            found = carom.colliding_pairs([bare(a)], [bare(b)], margin=reach)
            assert found.shape[1] == oracle.comes_within(a, b, (0, 0), (0, 0), reach), (a, b, reach)


@pytest.mark.slow
@pytest.mark.parametrize("aim", areas.VELOCITIES)
def test_the_difference_of_two_velocities_is_not_rounded(aim: str) -> None:
    rng = Random(aim)
    for _ in range(40):
        a, b = areas.pair(rng, rng.choice(list(areas.PAIRS)))
        v = areas.velocity(rng, a, b, aim)
        # A common motion doesn't matter, unless the difference is rounded.
        common = rng.choice([1e16, 0.1, 3.0]), rng.choice([0.1, -7.7e10])
        own = v[0] + common[0], v[1] + common[1]
        found = carom.colliding_pairs([bare(a)], [bare(b)], velocity_a=own, velocity_b=common)
        assert found.shape[1] == oracle.comes_within(a, b, own, common, 0.0), (a, b, own, common)


def test_a_convoy_is_as_apart_as_if_it_stood() -> None:
    vans = [shapes.moved(UNIT, 1.5 * k, 0.1 * k) for k in range(30)]
    assert carom.colliding_pairs(vans, velocity_a=(1e9, -1e9)).shape == (2, 0)
    assert carom.candidate_pairs(vans, velocity_a=(1e9, -1e9)).shape == (2, 0)


# --- candidates -----------------------------------------------------------------------------------


def test_candidates_at_rest_are_those_whose_boxes_meet() -> None:
    rng = np.random.default_rng(7)
    triangles = rng.integers(0, 12, (200, 1, 2)) + np.array([(0, 0), (2, 0), (0, 2)])
    boxes = carom.Shapes(triangles).bounds
    meet = (boxes[:, None, :2] <= boxes[None, :, 2:]).all(-1)
    expected = np.argwhere(np.triu(meet & meet.T, 1))
    assert pairs(carom.candidate_pairs(triangles)) == [tuple(p) for p in expected.tolist()]


@pytest.mark.parametrize("seed", range(10))
def test_every_colliding_pair_is_a_candidate(seed: int) -> None:
    rng = Random(seed)
    column = [bare(area) for area in some_areas(rng, 16)]
    v, margin = speeds(rng, 16), rng.choice([0.0, 0.5])
    candidates = pairs(carom.candidate_pairs(column, velocity_a=v, margin=margin))
    assert set(pairs(carom.colliding_pairs(column, velocity_a=v, margin=margin))) <= {*candidates}


def test_candidates_pass_each_other_at_the_same_time_or_not_at_all() -> None:
    # They cross the same point at different times.
    early, late = shapes.moved(UNIT, -10.0, 0.0), shapes.moved(UNIT, 0.0, -100.0)
    swept = {"velocity_a": [(20.0, 0.0), (0.0, 200.0)]}
    assert carom.candidate_pairs([early, late], **swept).shape[1] == 1
    later = shapes.moved(UNIT, 0.0, -180.0)
    assert carom.candidate_pairs([early, later], **swept).shape[1] == 0


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300, 1.7e308])
def test_extreme_boxes_lose_no_pair(size: float) -> None:
    squares = [[(0, 0), (size, 0), (size, size), (0, size)], [(-size, -size), (0, -size), (0, 0)]]
    assert pairs(carom.colliding_pairs(squares)) == [(0, 1)]
    assert pairs(carom.colliding_pairs(squares, margin=size, velocity_a=(size, size))) == [(0, 1)]
    apart = [squares[0], shapes.moved(squares[1], -size, 0.0)]
    if size < 1e308:
        assert carom.colliding_pairs(apart).shape[1] == 0
        assert pairs(carom.colliding_pairs(apart, margin=size)) == [(0, 1)]
        chasing = {"velocity_a": [(-size, 0.0), (0.0, 0.0)]}
        assert pairs(carom.colliding_pairs(apart, **chasing)) == [(0, 1)]


@pytest.mark.parametrize("far", [1e9, 1e38, 1.7e308])
def test_rows_far_away_change_no_pair_of_the_others(far: float) -> None:
    generator = np.random.default_rng(3)
    sizes = generator.uniform(0.5, 3.0, (700, 1, 1))
    boxes = generator.uniform(0.0, 60.0, (700, 1, 2)) + sizes * np.array(UNIT)
    strays = [(far, -far), (-far, 0.0), (0.5 * far, far)]
    places = np.array([0, 300, 702])
    rows = np.insert(boxes, places - np.arange(3), 0.0, axis=0)
    # As large as the spacing of floats there asks for.
    rows[places] = [0.25 * far * np.array(UNIT) + (0.5 * x, 0.5 * y) for x, y in strays]
    rest = np.setdiff1d(np.arange(703), places)
    i, j = np.triu_indices(700, 1)
    distance = carom.distance_batch(boxes, boxes, pairs=(i, j)).distance
    for margin in (0.0, 1.0):
        expected = pairs(rest[np.stack([i, j])[:, distance <= margin]])
        assert pairs(carom.colliding_pairs(rows, margin=margin)) == expected


@pytest.mark.parametrize("wild", [1, 10])
def test_wild_velocities_change_no_pair_of_the_others(wild: int) -> None:
    generator = np.random.default_rng(wild)
    boxes = generator.uniform(0.0, 60.0, (400, 1, 2)) + 2.0 * np.array(UNIT)
    velocity = generator.integers(15, 25, (400, 2)).astype(float)
    some = generator.choice(400, wild, replace=False)
    velocity[some] = generator.choice([-1e9, 1e9], (wild, 2))
    i, j = np.triu_indices(400, 1)
    sweeps = carom.swept_collision_batch(boxes, boxes, velocity[i] - velocity[j], pairs=(i, j))
    expected = pairs(np.stack([i, j])[:, sweeps.will_intersect])
    assert pairs(carom.colliding_pairs(boxes, velocity_a=velocity)) == expected


# --- against Shapely ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_join_is_that_of_shapelys_tree(seed: int) -> None:
    rng = Random(seed)
    generator = np.random.default_rng(seed)
    column = [
        areas.shifted(area, *(generator.random(2) * 30))
        for area in (areas.area(rng) for _ in range(150))
    ]
    column = [area for area in column if oracle.is_valid(area)]
    geometries = [shapely.Polygon(area[0], area[1:]) for area in column]
    tree = shapely.STRtree(geometries)
    found = tree.query(geometries, predicate="intersects")
    expected = sorted((int(i), int(j)) for i, j in found.T if i < j)
    assert pairs(carom.colliding_pairs([bare(area) for area in column])) == expected


# --- arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["at rest", "all alike", "each its own way"])
def test_slices_and_selections_pair_as_columns_of_the_same_rows_do(moves: str) -> None:
    rng = np.random.default_rng(3)
    squares = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    rows = [None if k % 17 == 5 else squares + rng.uniform(0, 12, 2) for k in range(200)]
    column, picked = carom.Shapes(rows), rng.integers(0, 200, 90)
    carom.colliding_pairs(column)  # The tree over all rows is built here.
    for part, same in [
        (column[50:140], rows[50:140]),
        (column[50:140][::-1], rows[50:140][::-1]),
        (column[picked], [rows[k] for k in picked]),
    ]:
        velocity = {
            "at rest": {},
            "all alike": {"velocity_a": (0.75, -0.5)},
            "each its own way": {"velocity_a": rng.normal(0, 1, (len(same), 2))},
        }[moves]
        for margin in (0.0, 0.3):
            found = carom.colliding_pairs(part, column, margin=margin, **velocity)
            alone = carom.colliding_pairs(
                carom.Shapes(same), carom.Shapes(rows), margin=margin, **velocity
            )
            np.testing.assert_array_equal(found, alone)
            found = carom.colliding_pairs(column, part, margin=margin)
            np.testing.assert_array_equal(
                found, carom.colliding_pairs(rows, carom.Shapes(same), margin=margin)
            )
        own = carom.colliding_pairs(part, **velocity)
        np.testing.assert_array_equal(own, carom.colliding_pairs(same, **velocity))
        assert own.shape[1] > 10


@pytest.mark.parametrize(("size", "least", "most"), [(3.0, 2, 100), (30.0, 500, 4000)])
def test_pairs_are_in_order_whether_few_or_many_of_the_rows_have_one(
    size: float, least: int, most: int
) -> None:
    rng = np.random.default_rng(4)
    few = carom.Shapes(np.array(UNIT) * size + rng.uniform(0, 60, (2, 1, 2)))
    many = carom.Shapes(np.array(UNIT) + rng.uniform(0, 90, (4000, 1, 2)))
    found, turned = carom.colliding_pairs(few, many), carom.colliding_pairs(many, few)
    assert least < turned.shape[1] < most
    np.testing.assert_array_equal(turned, turned[:, np.lexsort(turned[::-1])])
    np.testing.assert_array_equal(turned, found[::-1, np.lexsort(found)])


@pytest.mark.parametrize("join", [carom.colliding_pairs, carom.candidate_pairs])
@pytest.mark.parametrize("size", [0.5, 20.0, 400.0])
def test_one_row_pairs_with_those_of_a_kept_column_as_with_new_ones(
    size: float, join: Callable[..., Any]
) -> None:
    """Where boxes are kept, a join is tried in the calling thread: all rows take too long there."""
    x, y = np.meshgrid(np.arange(200.0), np.arange(200.0))
    many = np.array(UNIT) + np.stack([x, y], axis=-1).reshape(-1, 1, 2)
    star = size * np.array([(0.0, 0.0), (3.0, 1.0), (1.0, 1.1), (1.0, 3.0)])
    kept, new = carom.Shapes(many), partial(carom.Shapes, many)
    join([star], kept)
    told: list[tuple[int, int]] = []
    found = join([star], kept, progress=lambda *it: told.append(it))
    np.testing.assert_array_equal(found, join([star], new()))
    turned = join(kept, [star])
    np.testing.assert_array_equal(turned, join(new(), [star]))
    np.testing.assert_array_equal(turned[0], found[1])
    # Done once, though it may have been tried before.
    assert told.count((1, 1)) == 1
    assert told[-1] == (1, 1)
    with pytest.raises(ValueError, match="max_pairs"):
        join([star], kept, max_pairs=found.shape[1] - 1)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("margin", [0.0, 0.3])
@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize("rows", [1, 3, 40])
def test_either_column_may_have_more_rows(
    rows: int, moves: bool, margin: float, threads: int
) -> None:
    rng = np.random.default_rng(rows)
    few = carom.Shapes(np.array(UNIT) * 30 + rng.uniform(0, 60, (rows, 1, 2)))
    many = carom.Shapes(np.array(UNIT) + rng.uniform(0, 90, (4000, 1, 2)))
    velocity = (rng.normal(0, 3, (rows, 2)), rng.normal(0, 3, (4000, 2)))
    ahead = dict(zip(("velocity_a", "velocity_b"), velocity, strict=True)) if moves else {}
    back = dict(zip(("velocity_b", "velocity_a"), velocity, strict=True)) if moves else {}
    found = carom.colliding_pairs(few, many, margin=margin, threads=threads, **ahead)
    told: list[tuple[int, int]] = []
    turned = carom.colliding_pairs(
        many, few, margin=margin, threads=threads, progress=lambda *it: told.append(it), **back
    )
    assert found.shape[1] > 100
    assert sorted(map(tuple, found.T)) == sorted(map(tuple, turned[::-1].T))
    np.testing.assert_array_equal(turned, turned[:, np.lexsort(turned[::-1])])
    assert told == sorted(told)
    assert told[-1] == (4000, 4000)
    near = carom.candidate_pairs(many, few, margin=margin, threads=threads, **back)
    assert set(map(tuple, turned.T)) <= set(map(tuple, near.T))


def test_any_number_of_threads_finds_the_same() -> None:
    rng = np.random.default_rng(3)
    squares = carom.Shapes(np.array(UNIT) + rng.random((3000, 1, 2)) * 60)
    v = rng.normal(size=(3000, 2))
    one = carom.colliding_pairs(squares, velocity_a=v, margin=0.1, threads=1)
    for threads in (2, 5):
        again = carom.colliding_pairs(squares, velocity_a=v, margin=0.1, threads=threads)
        assert again.tobytes() == one.tobytes()


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    rng = np.random.default_rng(3)
    squares = np.array(UNIT) + rng.random((60_000, 1, 2)) * 60
    carom.colliding_pairs(squares, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (60_000, 60_000)
    assert told == sorted(told)
    assert len(told) > 1


def test_what_progress_raises_ends_the_join() -> None:
    class EnoughError(Exception):
        pass

    def stop(*_: int) -> None:
        raise EnoughError

    with pytest.raises(EnoughError):
        carom.colliding_pairs(ROW, progress=stop)


JOINS = {"candidates": carom.candidate_pairs, "colliding": carom.colliding_pairs}


@pytest.fixture(scope="module")
def crowd() -> carom.Shapes:
    """So many squares that a join reports its progress several times."""
    rng = np.random.default_rng(3)
    return carom.Shapes(np.array(UNIT) + rng.random((60_000, 1, 2)) * 100)


@pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
@pytest.mark.parametrize("threads", [1, 2])
def test_progress_grows_up_to_all_rows_of_the_first_column(
    join: Any, threads: int, crowd: carom.Shapes
) -> None:
    def told(*columns: Any) -> list[tuple[int, int]]:
        counts: list[tuple[int, int]] = []
        join(*columns, threads=threads, progress=lambda *count: counts.append(count))
        return counts

    counts = told(crowd)
    assert counts == sorted(counts)
    assert {total for _, total in counts} == {60_000}
    assert counts[-1] == (60_000, 60_000)
    assert {type(count) for told_of in counts for count in told_of} == {int}
    assert told(ROW) == [(4, 4)]
    assert told(crowd, [])[-1] == (60_000, 60_000)
    assert told([]) == told([], ROW) == [(0, 0)]
    assert told([None, None]) == [(2, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_join_waits_for_progress_that_is_slow_or_joins_itself(
    join: Any, threads: int, crowd: carom.Shapes
) -> None:
    expected = join(crowd, progress=None).tobytes()
    depth = 0

    def again(_done: int, _total: int) -> None:
        nonlocal depth
        depth += 1
        if depth < 3:
            assert join(crowd, threads=threads, progress=again).tobytes() == expected
        time.sleep(0.12)

    assert join(crowd, threads=threads, progress=again).tobytes() == expected
    assert depth >= 3


@pytest.mark.slow
@pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ZeroDivisionError])
def test_a_join_that_progress_ended_leaves_the_next_one_alone(
    join: Any, threads: int, error: type[BaseException], crowd: carom.Shapes
) -> None:
    counts: list[int] = []

    def stop(done: int, _total: int) -> None:
        counts.append(done)
        if error is KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)
        raise error

    with pytest.raises(error):
        join(crowd, threads=threads, progress=stop)
    assert len(counts) == 1
    at_the_end = []
    with pytest.raises(ZeroDivisionError):
        join(crowd, progress=lambda done, total: at_the_end.append(1 // (total - done)))
    assert join(crowd, threads=threads).tobytes() == join(crowd).tobytes()


def test_what_progress_does_to_the_arrays_of_the_caller_is_too_late() -> None:
    rng = np.random.default_rng(3)
    squares = np.array(UNIT) + rng.random((60_000, 1, 2)) * 100
    expected = carom.colliding_pairs(squares.copy()).tobytes()
    spoiled = carom.colliding_pairs(squares, progress=lambda *_: squares.fill(math.nan))
    assert np.isnan(squares).all()
    assert spoiled.tobytes() == expected


def test_progress_takes_two_numbers() -> None:
    with pytest.raises(TypeError, match="positional argument"):
        carom.colliding_pairs(ROW, progress=lambda _: None)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"margin": -1.0}, ValueError, "margin is -1.0; it must be finite and 0 or more"),
        ({"margin": math.nan}, ValueError, "margin is nan; it must be finite and 0 or more"),
        ({"margin": "wide"}, TypeError, "margin: expected"),
        ({"velocity_a": (0, math.inf)}, ValueError, r"velocity_a is \(0.0, inf\)"),
        ({"velocity_a": [(0, 0), (0, math.nan), (0, 0), (0, 0)]}, ValueError, r"velocity_a\[1\]"),
        ({"velocity_a": [(0, 0)] * 3}, ValueError, r"a \(4,\), velocity_a \(3,\)"),
        ({"velocity_b": (0, 0)}, ValueError, "velocity_b: given without b"),
        ({"threads": 0}, ValueError, "threads: expected 1 or more, got 0"),
        ({"progress": 3}, TypeError, "progress: expected a function"),
        ({"progress": False}, TypeError, "progress: expected a function"),
        ({"b": [UNIT, [(0, 0), (1, 1)]]}, ValueError, r"b\[1\]: "),
        ({"b": UNIT}, ValueError, "b: expected a sequence of shapes, got the points of one"),
    ],
)
def test_bad_arguments_are_named(keywords: dict, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        carom.colliding_pairs(ROW, **keywords)


@pytest.mark.parametrize("join", [carom.colliding_pairs, carom.candidate_pairs])
def test_none_is_the_default_margin(join: Callable[..., Any]) -> None:
    assert join(ROW, margin=None).tolist() == join(ROW).tolist()
    pieces = carom.iter_colliding_pairs(ROW, margin=None)
    assert [it.tolist() for it in pieces] == [carom.colliding_pairs(ROW).tolist()]


def test_defaults_may_be_given_to_a_join_of_a_column_with_itself() -> None:
    defaults = {"velocity_b": None, "turn_b": 0.0, "center_b": None, "margin": 0.0}
    expected = carom.colliding_pairs(ROW).tolist()
    assert carom.colliding_pairs(ROW, **defaults).tolist() == expected
    assert carom.colliding_pairs(ROW, turn_b=-0.0).tolist() == expected
    for turn in (1.0, [0.0, 0.0], "0"):
        with pytest.raises(ValueError, match="turn_b: given without b"):
            carom.colliding_pairs(ROW, turn_b=turn)


@pytest.mark.parametrize(
    "keywords",
    [
        {"velocity_a": (math.nan, 0)},
        {"velocity_a": (math.nan, 0), "b": []},
        {"velocity_b": (math.nan, 0), "b": []},
        {"turn_a": math.nan},
        {"turn_a": 1.0, "center_a": (math.nan, 0)},
        {"margin": math.nan},
    ],
)
def test_a_motion_of_all_rows_is_checked_without_rows(keywords: dict[str, Any]) -> None:
    for column in ([], [None]):
        with pytest.raises(ValueError, match=r"(velocity_[ab]|turn_a|center_a|margin) is "):
            carom.colliding_pairs(column, **keywords)


def test_what_a_row_without_a_shape_has_as_its_motion_does_not_matter() -> None:
    rng = np.random.default_rng(8)
    squares = list(np.array(UNIT) + rng.integers(0, 30, (300, 1, 2)))
    velocity, turn = rng.integers(-9, 9, (300, 2)) / 8.0, rng.integers(-9, 9, 300) / 8.0
    motion = {
        "velocity_a": velocity,
        "turn_a": turn,
        "center_a": velocity,
        "margin": abs(turn),
    }
    for row in range(0, 300, 7):
        squares[row] = None
    spoiled = {name: values.copy() for name, values in motion.items()}
    for name, values in spoiled.items():
        values[::7] = -1.0 if name == "margin" else math.nan
    spoiled["margin"][0] = math.inf
    spoiled["margin"][7] = math.nan
    column, other = carom.Shapes(squares), carom.Shapes(squares[::-1])
    for names in (["velocity_a"], ["velocity_a", "margin"], [*motion]):
        good, bad = ({name: it[name] for name in names} for it in (motion, spoiled))
        for join in (carom.candidate_pairs, carom.colliding_pairs):
            expected = join(column, other, **good)
            assert expected.shape[1] > 100
            np.testing.assert_array_equal(join(column, other, **bad), expected)
        pieces = carom.iter_colliding_pairs(column, other, **bad, chunk_pairs=50)
        np.testing.assert_array_equal(np.concatenate([*pieces], axis=1), expected)


def test_one_column_may_be_joined_from_many_threads_at_once() -> None:
    rng = np.random.default_rng(11)
    column = carom.Shapes(np.array(UNIT) + rng.random((2000, 1, 2)) * 40)
    expected = carom.colliding_pairs(column).tobytes()
    found: list[bytes] = []
    workers = [
        threading.Thread(target=lambda: found.append(carom.colliding_pairs(column).tobytes()))
        for _ in range(8)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [expected] * 8


MEMORY = """
from pathlib import Path
import numpy as np, carom

def status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))

rng = np.random.default_rng(0)
places = rng.random(({count}, 1, 2)) * {side}
column = carom.Shapes(np.array([(0, 0), (1, 0), (0.5, 1)]) + places)
velocity = rng.normal(size=({count}, 2)) if {moves} else None
carom.colliding_pairs(column[:2000], threads=2)
Path("/proc/self/clear_refs").write_text("5")
before = status("VmRSS")
found = carom.colliding_pairs(column, velocity_a=velocity, threads=2)
print(status("VmHWM") - before, column.nbytes + {count} * 16 * {moves}, found.nbytes)
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="the system tells no peak of memory"
)
@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize(("count", "side"), [(400_000, 1000.0), (20_000, 30.0)])
def test_a_join_takes_at_most_three_times_what_goes_in_and_out(
    count: int, side: float, moves: bool
) -> None:
    script = MEMORY.format(count=count, side=side, moves=moves)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    taken, given, found = map(int, done.stdout.split())
    assert taken < 3 * (given + found)


# --- margins of rows ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_each_row_of_the_first_column_may_have_its_own_margin(seed: int) -> None:
    rng = Random(300 + seed)
    first, second = some_areas(rng, 4), some_areas(rng, 4)
    u, v = speeds(rng, 4), speeds(rng, 4)
    margins = [rng.choice([0.0, 0.25, 1.0, rng.random()]) for _ in first]
    rows = [bare(area) for area in first], [bare(area) for area in second]
    found = carom.colliding_pairs(*rows, velocity_a=u, velocity_b=v, margin=margins)
    expected = [
        (i, j)
        for i in range(4)
        for j in range(4)
        if oracle.comes_within(first[i], second[j], u[i], v[j], margins[i])
    ]
    assert pairs(found) == expected
    near = carom.candidate_pairs(*rows, velocity_a=u, velocity_b=v, margin=margins)
    assert set(expected) <= {*pairs(near)}


def test_one_margin_for_all_rows_may_come_in_any_form() -> None:
    expected = carom.colliding_pairs(ROW, ROW, margin=1.0).tobytes()
    for margin in (1, np.float32(1), [1.0], np.ones(4), np.broadcast_to(1.0, 4)):
        assert carom.colliding_pairs(ROW, ROW, margin=margin).tobytes() == expected


@pytest.mark.parametrize("b", [[], ROW])
def test_no_rows_have_no_margins(b: Any) -> None:
    for join in (carom.candidate_pairs, carom.colliding_pairs):
        assert join([], b, margin=np.empty(0)).shape == (2, 0)


BAD_MARGINS: dict[str, tuple[Any, Any, type[Exception], str]] = {
    "nan": ([0, 0, math.nan, 0], ROW, ValueError, "margin[2] is nan; it must be finite and 0 or"),
    "negative": (-0.5, ROW, ValueError, "margin is -0.5; it must be finite and 0 or more"),
    "inf": (math.inf, None, ValueError, "margin is inf; it must be finite and 0 or more"),
    "of two": ([1.0, 2.0], ROW, ValueError, "don't broadcast: a (4,), margin (2,)"),
    "of its own": ([1.0] * 4, None, ValueError, "one number for a column joined with itself"),
    "text": ("wide", ROW, TypeError, "margin: expected a number or an array of numbers"),
}


@pytest.mark.parametrize(("margin", "b", "error", "text"), BAD_MARGINS.values(), ids=BAD_MARGINS)
def test_a_bad_margin_is_named_with_its_row(margin: Any, b: Any, error: Any, text: str) -> None:
    for join in (carom.candidate_pairs, carom.colliding_pairs, carom.iter_colliding_pairs):
        with pytest.raises(error) as caught:
            join(ROW, b, margin=margin)
        assert text in str(caught.value)


# --- many pairs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
@pytest.mark.parametrize("threads", [1, 2])
def test_more_pairs_than_allowed_are_refused_and_as_many_are_not(join: Any, threads: int) -> None:
    squares = np.array(UNIT) + np.random.default_rng(1).uniform(0, 20, (2_000, 1, 2))
    every = join(squares)
    count = every.shape[1]
    assert join(squares, max_pairs=count, threads=threads).tobytes() == every.tobytes()
    assert join(squares, max_pairs=None).tobytes() == every.tobytes()
    with pytest.raises(ValueError, match="but there are at least") as caught:
        join(squares, max_pairs=count - 1, threads=threads)
    # It yields the pairs of shapes, not those of boxes.
    assert ("iter_colliding_pairs" in str(caught.value)) == (join is carom.colliding_pairs)
    start, found = str(caught.value).split(", but there are at least ")
    assert start == f"max_pairs is {count - 1}"
    assert count - 1 < int(found.split()[0]) <= count
    assert join(ROW[:1], max_pairs=0).shape == (2, 0)
    with pytest.raises(ValueError, match=r"max_pairs is 0, but there is at least 1 pair(;|$)"):
        join(ROW[:1], ROW[:1], max_pairs=0, threads=threads)


@pytest.mark.parametrize(("most", "error"), [(-1, ValueError), (1.5, TypeError), (True, TypeError)])
def test_a_bad_number_of_pairs_is_named(most: Any, error: Any) -> None:
    with pytest.raises(error, match="max_pairs: expected"):
        carom.colliding_pairs(ROW, max_pairs=most)
    with pytest.raises(error, match="chunk_pairs: expected"):
        carom.iter_colliding_pairs(ROW, chunk_pairs=most)
    with pytest.raises(ValueError, match="chunk_pairs: expected 1 or more, got 0"):
        carom.iter_colliding_pairs(ROW, chunk_pairs=0)


def test_a_join_that_would_not_fit_is_refused_early() -> None:
    # They make 4e10 pairs, 320 GB.
    squares = carom.Shapes(np.broadcast_to(np.array(UNIT), (200_000, 4, 2)))
    with pytest.raises(ValueError, match="max_pairs is 1000000, but there are at least"):
        carom.candidate_pairs(squares, squares, max_pairs=1_000_000)


# --- piece by piece -------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", [1, 2, 7, 100, 10**6])
@pytest.mark.parametrize("threads", [1, 2])
def test_pieces_are_as_short_as_whole_rows_allow_and_make_up_the_join(
    chunk: int, threads: int
) -> None:
    rng = np.random.default_rng(chunk)
    squares = np.array(UNIT) + rng.uniform(0, 15, (600, 1, 2))
    others = np.array(UNIT) + rng.uniform(0, 15, (300, 1, 2))
    velocity = rng.normal(0, 1, (600, 2))
    for given in (
        {"a": squares},
        {"a": squares, "velocity_a": velocity, "margin": 0.2},
        {"a": squares, "b": others, "velocity_a": velocity, "margin": rng.random(600)},
    ):
        every = carom.colliding_pairs(**given)
        pieces = [*carom.iter_colliding_pairs(**given, chunk_pairs=chunk, threads=threads)]
        assert np.concatenate(pieces, axis=1).tobytes() == every.tobytes()
        for piece in pieces:
            assert (piece.dtype, piece.shape[0]) == (np.int64, 2)
            last_row = (piece[0] == piece[0, -1]).sum()
            assert piece.shape[1] - last_row < chunk <= piece.shape[1] or piece is pieces[-1]


def test_a_join_without_pairs_has_no_pieces() -> None:
    for column in ([], [None], ROW[:1]):
        assert [*carom.iter_colliding_pairs(column)] == []
        assert [*carom.iter_colliding_pairs(column, [])] == []


def test_pieces_come_one_by_one_and_errors_at_once() -> None:
    chunks = carom.iter_colliding_pairs(ROW, chunk_pairs=1)
    assert iter(chunks) is chunks
    assert next(chunks).tolist() == [[0], [1]]
    assert next(chunks).tolist() == [[1], [2]]
    assert [piece.tolist() for piece in chunks] == [[[2], [3]]]
    assert next(chunks, None) is None
    with pytest.raises(ValueError, match=r"a\[1\]: vertex 0 is"):
        carom.iter_colliding_pairs([UNIT, [(math.nan, 0), (1, 0), (1, 1)]])
    with pytest.raises(TypeError, match="unexpected keyword argument 'max_pairs'"):
        carom.iter_colliding_pairs(ROW, max_pairs=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'chunk_pairs'"):
        carom.colliding_pairs(ROW, chunk_pairs=1)


def test_pieces_of_a_join_that_would_not_fit_stay_small() -> None:
    squares = carom.Shapes(np.broadcast_to(np.array(UNIT), (20_000, 4, 2)))
    chunks = carom.iter_colliding_pairs(squares, squares, chunk_pairs=50_000)
    for _ in range(3):
        assert next(chunks).shape == (2, 60_000)


def test_pieces_tell_their_progress() -> None:
    told: list[tuple[int, int]] = []
    chunks = carom.iter_colliding_pairs(
        ROW, chunk_pairs=2, progress=lambda done, total: told.append((done, total))
    )
    assert len([*chunks]) == 2
    assert told == sorted(told)
    assert told[-1] == (4, 4)


def test_an_exception_of_progress_ends_a_join_in_pieces() -> None:
    calls: list[int] = []

    def progress(done: int, _: int) -> None:
        calls.append(done)
        if len(calls) == 2:
            raise RuntimeError("enough")

    chunks = carom.iter_colliding_pairs(ROW, chunk_pairs=1, progress=progress)
    assert next(chunks).tolist() == [[0], [1]]
    with pytest.raises(RuntimeError, match="enough"):
        next(chunks)
    assert next(chunks, None) is None
    assert len(calls) == 2


def test_pieces_are_computed_one_at_a_time() -> None:
    refused: list[str] = []

    def progress(*_: int) -> None:
        with pytest.raises(ValueError, match="computing its next piece already") as caught:
            next(chunks)
        refused.append(str(caught.value))

    chunks = carom.iter_colliding_pairs(ROW, chunk_pairs=2, progress=progress)
    assert np.concatenate([*chunks], axis=1).tolist() == carom.colliding_pairs(ROW).tolist()
    assert len(refused) == 3


def test_an_iterator_that_its_own_progress_holds_is_collected() -> None:
    class Progress:
        chunks: object = None

        def __call__(self, *_: int) -> None:
            pass

    progress = Progress()
    progress.chunks = carom.iter_colliding_pairs(ROW, progress=progress)
    alive = weakref.ref(progress)
    del progress
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("name", ["a", "b", "margin", "velocity_a", "turn_a", "center_a"])
@pytest.mark.parametrize("taken", [0, 1])
def test_pieces_do_not_see_later_changes_of_the_arrays(name: str, taken: int) -> None:
    rng = np.random.default_rng(6)
    squares = rng.uniform(0, 30, (200, 1, 2)) + UNIT
    given = {
        "a": squares,
        "b": squares[::-1].copy(),
        "margin": rng.uniform(0, 3, 200),
        "velocity_a": rng.uniform(-3, 3, (200, 2)),
        "turn_a": rng.uniform(-1, 1, 200),
        "center_a": rng.uniform(0, 30, (200, 2)),
    }
    expected = carom.colliding_pairs(**given)
    pieces = carom.iter_colliding_pairs(**given, chunk_pairs=5)
    found = [next(pieces) for _ in range(taken)]
    given[name][:] = 0.0
    np.testing.assert_array_equal(np.concatenate([*found, *pieces], axis=1), expected)

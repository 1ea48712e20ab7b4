"""Polygons of any shape, with holes: every query against the oracle, and invariances."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import carom
import numpy as np
import pytest
import shapely
from hypothesis import given

from generators import areas, shapes, strategies
from generators.areas import Area, bare, vertices
from helpers import SQUARE, assert_row_is_scalar, examples, points, seeded_areas
from reference import oracle
from reference.oracle import check
from reference.oracle.pairs import regions as oracle_regions
from reference.oracle.rings import twice_area
from reference.oracle.validity import places

FRAME = [shapes.box(0, 0, 8, 8), shapes.box(2, 2, 4, 4)]
"""Walls of width 2 about a hole from (2, 2) to (6, 6)."""
NOTCHED = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 2.0), (0.0, 4.0)]
"""A square with a right-angled notch, open upwards, down to its middle."""
CLOSE = {"rel": 2e-10, "abs": 0}
EXACT_SHIFTS = [(2.0**20, -(2.0**21)), (0.5, 12345.0)]


def swept(a: Area, b: Area, v: shapes.Point) -> carom.SweptCollisionResult:
    result = carom.swept_collision(bare(a), bare(b), v)
    check.assert_swept_collision(a, b, v, result)
    return result


# --- by hand ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        (shapes.box(3, 3, 1, 1), False),  # in the hole
        (shapes.box(2, 3, 1, 1), True),  # against its rim
        (shapes.box(math.nextafter(2, 3), 3, 1, 1), False),
        (FRAME[1], True),  # fills it
        (shapes.box(0.5, 0.5, 1, 1), True),  # in the wall
        (shapes.box(-1, -1, 20, 20), True),  # around everything
        (shapes.box(9, 9, 1, 1), False),
    ],
)
def test_a_hole_is_no_part_of_its_polygon(b: shapes.Polygon, *, expected: bool) -> None:
    assert carom.intersects(FRAME, b) is carom.intersects(b, FRAME) is expected


def test_a_dart_in_a_notch() -> None:
    r = swept([[(1, 6), (2, 4), (3, 6)]], [NOTCHED], (0.0, -4.0))
    assert r.time == 0.5
    assert r.normal == pytest.approx([0, 1], abs=1e-10)
    assert r.contact.tolist() == [[2, 2], [2, 2]]
    assert np.isnan(r.mtv).all()


def test_two_teeth_on_one_edge_are_two_places() -> None:
    teeth = [(0, 5), (1, 5), (1, 6), (3, 6), (3, 5), (4, 5), (4, 8), (0, 8)]
    r = swept([teeth], [shapes.box(-1, 0, 6, 3)], (0.0, -4.0))
    assert r.time == 0.5
    assert points(r.contact) in ({(0, 3), (1, 3)}, {(3, 3), (4, 3)})


def test_out_of_a_hole_through_its_rim() -> None:
    inner = [shapes.box(3, 3, 2, 1)]
    r = swept(inner, FRAME, (4.0, 0.0))
    assert (r.intersects, r.time) == (False, 0.25)
    assert r.normal.tolist() == [-1, 0]
    assert points(r.contact) == {(6, 3), (6, 4)}
    assert swept(inner, FRAME, (1.0, 0.0)).time == 1
    assert not swept(inner, FRAME, (math.nextafter(1, 0), 0.0))
    assert not swept(inner, FRAME, (0.0, 0.0))


def test_overlapping_now_gives_time_zero_and_neither_normal_nor_contact() -> None:
    r = swept([NOTCHED], FRAME, (1.0, 2.0))
    assert (r.intersects, r.will_intersect, r.time) == (True, True, 0)
    assert r.normal.tolist() == [0, 0]
    assert np.isnan(r.contact).all()
    assert np.isnan(r.mtv).all()


def test_never_gives_zeros_and_no_mtv() -> None:
    r = swept([NOTCHED], [shapes.box(9, 9, 1, 1)], (-1.0, 0.0))
    assert (r.will_intersect, r.time) == (False, math.inf)
    assert r.normal.tolist() == [0, 0]
    assert np.isnan(r.contact).all()
    assert np.isnan(r.mtv).all()


def test_a_thin_wall_is_not_passed() -> None:
    wall = [(9.0, -9.0), (10.0, -9.0), (10.0, 9.0), (9.0, 9.0), (math.nextafter(10, 0), 0.0)]
    r = swept([shapes.box(0, 0, 1, 1)], [wall], (9e6, 0.0))
    assert r.will_intersect


def test_features_are_numbered_ring_by_ring() -> None:
    shell = [*FRAME[0][:2], FRAME[0][1], *FRAME[0][2:], FRAME[0][0]]  # five, and a closing one
    for hole in (FRAME[1], [*FRAME[1], FRAME[1][0]]):
        r = carom.circle_polygon((3.0, 4.0), 0.5, [shell, hole])
        assert (r.feature, r.index, r.distance) == ("edge", 8, 0.5)
        assert r.normal.tolist() == [1, 0]
        assert r.closest.tolist() == [2, 4]
    r = carom.circle_polygon((9.0, 9.0), 0.1, [shell, FRAME[1]])
    assert (r.feature, r.index) == ("vertex", 3)


def test_sat_of_a_concave_polygon_says_what_to_use_instead() -> None:
    for polygon in (NOTCHED, FRAME):
        with pytest.raises(ValueError, match="intersects") as refusal:
            carom.sat(SQUARE, polygon)
        assert "convex_parts" in str(refusal.value)


# --- against the oracle -------------------------------------------------------------------------


@examples(400)
@given(strategies.area_pairs())
def test_intersects_agrees_with_the_oracle(pair: areas.AreaPair) -> None:
    a, b = pair
    check.assert_intersects(a, b, carom.intersects(bare(a), bare(b)))
    assert carom.intersects(a, b) == carom.intersects(bare(b), bare(a))


@pytest.mark.slow
@examples(400)
@given(strategies.area_sweeps())
def test_swept_collision_agrees_with_the_oracle(case: tuple[Area, Area, shapes.Point]) -> None:
    swept(*case)


@pytest.mark.slow
@examples(300)
@given(strategies.area_pairs())
def test_distance_agrees_with_the_oracle(pair: areas.AreaPair) -> None:
    a, b = pair
    check.assert_distance(a, b, carom.distance(bare(a), bare(b)))


@pytest.mark.slow
@examples(300)
@given(strategies.area_circles())
def test_circle_polygon_agrees_with_the_oracle(case: tuple[shapes.Point, float, Area]) -> None:
    center, radius, area = case
    result = carom.circle_polygon(center, radius, bare(area))
    check.assert_circle_polygon(center, radius, area, result)


@pytest.mark.slow
@examples(300)
@given(strategies.swept_area_circles())
def test_swept_circle_agrees_with_the_oracle(
    case: tuple[shapes.Point, float, shapes.Point, Area],
) -> None:
    center, radius, v, area = case
    result = carom.swept_circle(center, radius, v, bare(area))
    check.assert_swept_circle(center, radius, v, area, result)


def long_comb(teeth: int, play: float) -> shapes.Polygon:
    """Teeth of width ``1 - play``, two apart."""
    ring = [(0.0, -1.0), (2.0 * teeth, -1.0)]
    for i in reversed(range(teeth)):
        x = 2.0 * i
        ring += [(x + 1 - play, 0.0), (x + 1 - play, 4.0), (x, 4.0), (x, 0.0)]
    return ring


@pytest.mark.parametrize("teeth", [3, 40, 500])
def test_combs_of_any_length_slide_between_each_other_s_teeth(teeth: int) -> None:
    """Enough vertices for the index over edges; the results are obvious."""
    a = long_comb(teeth, 0.0)
    for play, meets in ((0.0, True), (2.0**-40, False)):
        b = [(x + 1 + play / 2, 6.0 - y) for x, y in long_comb(teeth, play)]
        assert carom.intersects(a, b) is meets
        r = carom.swept_collision(a, b, (0.0, 0.5))
        assert r.intersects is meets
        assert not r.will_intersect or meets
        if not meets:
            assert carom.distance(a, b).distance == play / 2
            sideways = carom.swept_collision(a, b, (play, 0.0))
            assert sideways.time == 0.5
            assert sideways.normal.tolist() == [-1, 0]
            assert carom.swept_collision(a, b, (0.0, 4.0)).time == 0.5


# --- what must not matter -----------------------------------------------------------------------


def answers(a: Area, b: Area, v: shapes.Point) -> tuple[Any, ...]:
    """All booleans, then all scalars."""
    sweep, gap = carom.swept_collision(bare(a), bare(b), v), carom.distance(bare(a), bare(b))
    together = carom.intersects(bare(a), bare(b)), sweep.intersects, sweep.will_intersect
    return together, (sweep.time, gap.distance)


def sweeps(count: int, *families: str) -> list[tuple[Area, Area, shapes.Point]]:
    """Pairs, half of them moved apart, with velocities of every aim."""
    found = []
    for seed, (a, b) in enumerate(seeded_areas(count, *families)):
        rng = Random(seed)
        if seed % 2 and carom.intersects(bare(a), bare(b)):
            b = areas.apart(rng, a, b)
        found.append((a, b, areas.velocity(rng, a, b, rng.choice(areas.VELOCITIES))))
    return [case for case in found if areas.usable(*case[:2])]


def assert_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    assert one[0] == other[0]
    for x, y in zip(one[1], other[1], strict=True):
        assert (x == 0) == (y == 0)
        assert x == pytest.approx(y, **CLOSE)


def test_swapping_the_shapes_changes_no_answer() -> None:
    for a, b, v in sweeps(220):
        assert_same(answers(a, b, v), answers(b, a, (-v[0], -v[1])))


REWRITINGS: list[Callable[[Area], Area]] = [
    lambda area: [ring[::-1] for ring in area],
    lambda area: [ring[1:] + ring[:1] for ring in area],
    lambda area: [[*ring, ring[0]] for ring in area],
    lambda area: [[*ring[:2], ring[1], *ring[2:]] for ring in area],
    lambda area: [area[0], *area[:0:-1]],
]


@pytest.mark.slow
@pytest.mark.parametrize("rewritten", REWRITINGS)
def test_writing_an_area_otherwise_changes_no_answer(rewritten: Callable[[Area], Area]) -> None:
    for a, b, v in sweeps(110):
        truth = answers(a, b, v)
        assert_same(answers(rewritten(a), b, v), truth)
        assert_same(answers(a, rewritten(b), v), truth)


def test_moving_both_by_exact_sums_changes_no_answer() -> None:
    for a, b, v in sweeps(120, "grids", "neighbours"):
        for shift in EXACT_SHIFTS:
            moved = [areas.shifted(area, *shift) for area in (a, b)]
            assert areas.shifted(moved[1], -shift[0], -shift[1]) == b  # the sums are exact
            assert_same(answers(moved[0], moved[1], v), answers(a, b, v))


def test_a_vertex_amid_an_edge_changes_no_answer() -> None:
    for a, b, v in sweeps(80, "grids", "neighbours"):
        halved = [
            [p for q, r in shapes.sides(ring) for p in (q, ((q[0] + r[0]) / 2, (q[1] + r[1]) / 2))]
            for ring in b
        ]
        assert_same(answers(a, halved, v), answers(a, b, v))


def test_a_hole_can_only_remove_contacts() -> None:
    for a, b, v in sweeps(330):
        (now, _, ever), (time, gap) = answers(a, b, v)
        for fewer in range(len(a)):
            (filled_now, _, filled_ever), (filled_time, filled_gap) = answers(a[: fewer + 1], b, v)
            assert filled_now >= now
            assert filled_ever >= ever
            assert filled_time <= time * (1 + 2e-10)
            assert filled_gap <= gap * (1 + 2e-10)


def test_time_of_contact_is_no_later_for_a_longer_way() -> None:
    met = 0
    for a, b, (x, y) in sweeps(110):
        one = carom.swept_collision(bare(a), bare(b), (x, y))
        two = carom.swept_collision(bare(a), bare(b), (2 * x, 2 * y))
        if math.isfinite(2 * x) and math.isfinite(2 * y) and one.will_intersect:
            assert two.time == pytest.approx(one.time / 2, **CLOSE)
            met += one.time > 0
    assert met > 30


# --- parts --------------------------------------------------------------------------------------


def parts_of(area: Area) -> carom.Shapes:
    parts = carom.convex_parts(bare(area))
    assert isinstance(parts, carom.Shapes)
    return parts


def assert_tiles(area: Area, parts: carom.Shapes) -> None:
    """Convex parts in the area, with its vertices and total area: so they don't overlap."""
    grid, region, _ = oracle_regions(area, area)
    total = 0
    corners = set(vertices(area))
    for part in parts:
        ring = [(float(x), float(y)) for x, y in part]
        assert oracle.kind(ring) == "convex"
        assert set(ring) <= corners
        exact = grid.ring(ring)
        total += abs(twice_area(exact))
        assert "outside" not in places(exact, region)
    assert total == sum(twice_area(ring) for ring in region)


@pytest.mark.slow
def test_parts_are_convex_and_tile_the_polygon() -> None:
    for a, b in seeded_areas(330):
        for area in (a, b):
            assert_tiles(area, parts_of(area))


def test_parts_of_extreme_polygons_tile_them() -> None:
    for seed in range(60):
        rng = Random(seed)
        for area in areas.extreme_pair(rng, rng.choice(list(areas.PAIRS))):
            assert_tiles(area, parts_of(area))


def test_a_convex_polygon_is_its_own_part() -> None:
    assert len(parts_of([SQUARE])) == 1


@pytest.mark.slow
def test_cutting_an_area_into_its_parts_changes_no_boolean_and_no_time() -> None:
    for a, b, v in sweeps(330):
        whole = carom.swept_collision(bare(a), bare(b), v)
        parts_a, parts_b = parts_of(a), parts_of(b)
        i, j = (k.ravel() for k in np.indices((len(parts_a), len(parts_b))))
        cut = carom.swept_collision_batch(parts_a, parts_b, v, pairs=(i, j))
        assert whole.intersects == cut.intersects.any()
        assert whole.will_intersect == cut.will_intersect.any()
        assert whole.time == pytest.approx(cut.time.min(), **CLOSE)
        gap = carom.distance_batch(parts_a, parts_b, pairs=(i, j)).distance.min()
        assert carom.distance(bare(a), bare(b)).distance == pytest.approx(gap, **CLOSE)


# --- batches ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rows_of_columns_are_the_scalar_results_to_the_bit() -> None:
    cases = sweeps(330)
    a, b = (carom.Shapes([bare(case[k]) for case in cases]) for k in (0, 1))
    v = np.array([case[2] for case in cases])
    swept_batch = carom.swept_collision_batch(a, b, v)
    distance_batch = carom.distance_batch(a, b)
    intersects_batch = carom.intersects_batch(a, b)
    nested = carom.intersects_batch(*([bare(case[k]) for case in cases] for k in (0, 1)))
    assert nested.tolist() == intersects_batch.tolist()
    for row, (p, q, w) in enumerate(cases):
        assert intersects_batch[row] == carom.intersects(bare(p), bare(q))
        assert_row_is_scalar(swept_batch, row, carom.swept_collision(bare(p), bare(q), w))
        assert_row_is_scalar(distance_batch, row, carom.distance(bare(p), bare(q)))


@pytest.mark.slow
def test_rows_of_circles_are_the_scalar_results_to_the_bit() -> None:
    cases = []
    for seed, (area, _) in enumerate(seeded_areas(330)):
        rng = Random(seed)
        family = rng.choice(shapes.CIRCLES[:-1])
        cases.append((*areas.arriving_circle(rng, area, family), area))
    column = carom.Shapes([bare(case[3]) for case in cases])
    centers, radii, velocities = (np.array([case[k] for case in cases]) for k in range(3))
    still = carom.circle_polygon_batch(centers, radii, column)
    moving = carom.swept_circle_batch(centers, radii, velocities, column)
    for row, (center, radius, v, area) in enumerate(cases):
        assert_row_is_scalar(still, row, carom.circle_polygon(center, radius, bare(area)))
        assert_row_is_scalar(moving, row, carom.swept_circle(center, radius, v, bare(area)))


@pytest.mark.slow
def test_columns_keep_rings_and_holes() -> None:
    rows = [bare(a) for a, _ in seeded_areas(110)]
    column = carom.Shapes([rows[0], None, *rows[1:]])
    assert carom.Shapes.from_ragged(column.coords, *column.offsets) == column
    ring_offsets, polygon_offsets = column.offsets
    assert polygon_offsets[-1] == len(ring_offsets) - 1
    assert len(column.coords) == ring_offsets[-1]
    assert not column.is_convex[1]
    for row, (area, _) in zip((0, *range(2, 111)), seeded_areas(110), strict=True):
        assert column.is_convex[row] == (oracle.kind(area) in ("convex", "rounding"))
        (x, y), (u, v) = (tuple(f(p[k] for p in area[0]) for k in (0, 1)) for f in (min, max))
        assert column.bounds[row].tolist() == [x, y, u, v]


def test_missing_rows_meet_nothing_among_areas() -> None:
    column = carom.Shapes([FRAME, None, NOTCHED])
    assert carom.intersects_batch(column, NOTCHED).tolist() == [True, False, True]
    r = carom.swept_collision_batch(column, NOTCHED, (1.0, 0.0))
    assert np.isnan(r.time[1])


# --- against Shapely ----------------------------------------------------------------------------


@pytest.mark.slow
def test_agrees_with_shapely_in_generic_position() -> None:
    for a, b in seeded_areas(300, "generic"):
        if max(abs(x) for p in [*vertices(a), *vertices(b)] for x in p) > 1e3:
            continue
        p, q = (shapely.Polygon(area[0], area[1:]) for area in (a, b))
        gap = carom.distance(bare(a), bare(b)).distance
        assert carom.intersects(bare(a), bare(b)) == p.intersects(q)
        assert gap == pytest.approx(p.distance(q), rel=1e-9, abs=1e-12)

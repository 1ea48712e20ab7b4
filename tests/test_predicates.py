"""`predicate_batch` and joins by a predicate, against exact DE-9IM matrices."""

from __future__ import annotations

from random import Random

import carom
import numpy as np
import pytest
import shapely

from cases.predicates import PREDICATES
from generators import kinds, relations
from reference.oracle import de9im
from reference.oracle.kinds import Shape

JOINED = PREDICATES[:-1]
"""Those that joins take: all but "disjoint"."""
SYMMETRIC = ("intersects", "touches", "overlaps", "crosses", "equals")


def columns(pairs):
    """The columns of both shapes, without pairs of which one is not valid."""
    both = []
    for shapes in zip(*pairs, strict=True):
        geometries = [kinds.geometry(shape) for shape in shapes]
        both.append(carom.Shapes.from_shapely(geometries, on_invalid="mask"))
    valid = np.flatnonzero((both[0].kind >= 0) & (both[1].kind >= 0))
    return both[0][valid], both[1][valid], [pairs[k] for k in valid]


def assert_all(pairs):
    """Compares all predicates with the matrices; returns of how many pairs each holds."""
    a, b, pairs = columns(pairs)
    matrices = [de9im.matrix(*pair) for pair in pairs]
    counts = {}
    for predicate in PREDICATES:
        both = zip(pairs, matrices, strict=True)
        wanted = [de9im.holds(predicate, *pair, of) for pair, of in both]
        found = carom.predicate_batch(a, b, predicate)
        wrong = [(pairs[row], matrices[row]) for row in np.flatnonzero(found != wanted)]
        assert not wrong, f"{predicate} of {wrong[0]}"
        counts[predicate] = sum(wanted)
    return len(pairs), counts


# 20,000 pairs in all.
@pytest.mark.parametrize("seed", range(8))
def test_predicates_of_shapes_that_share_points_and_stretches_are_those_of_their_matrices(seed):
    rng = Random(seed)
    pairs = [tuple(relations.mapped(rng, *relations.pair(rng))) for _ in range(2500)]
    count, counts = assert_all(pairs)
    assert count > 2000
    # Every predicate holds of some pairs and not of others.
    assert all(10 < held < count - 10 for held in counts.values())


def polygon(*rings):
    return Shape("polygon", [[[(float(x), float(y)) for x, y in ring] for ring in rings]])


def polygons(*parts):
    return Shape("polygon", [part.parts[0] for part in parts])


def path(*paths):
    return Shape("path", [[(float(x), float(y)) for x, y in it] for it in paths])


def points(*given):
    return Shape("point", [(float(x), float(y)) for x, y in given])


def holding(a, b):
    """The predicates that hold, after a comparison with the matrix."""
    assert_all([(a, b)])
    a, b, _ = columns([(a, b)])
    return {it for it in PREDICATES if carom.predicate_batch(a, b, it)[0]}


SQUARE = polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
PIERCED = polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [(2, 2), (4, 2), (2, 3)])
EQUAL = {"intersects", "contains", "within", "covers", "covered_by", "equals"}
INSIDE = {"intersects", "within", "covered_by"}


def test_a_polygon_with_a_hole_that_touches_its_shell_lies_within_that_shell():
    assert holding(PIERCED, SQUARE) == INSIDE


def test_a_polygon_that_fills_a_hole_exactly_touches():
    assert holding(polygon([(2, 2), (4, 2), (2, 3)]), PIERCED) == {"intersects", "touches"}


def test_equal_polygons_may_start_elsewhere_turn_back_and_have_more_vertices():
    other = polygon([(4, 4), (4, 1), (4, 0), (0, 0), (0, 4)])
    assert holding(SQUARE, other) == EQUAL


def test_a_path_through_the_point_where_parts_touch_lies_within():
    parts = polygons(SQUARE, polygon([(4, 4), (8, 4), (8, 8), (4, 8)]))
    assert holding(path([(1, 1), (7, 7)]), parts) == INSIDE
    assert holding(path([(3, 5), (5, 3)]), parts) == {"intersects", "touches"}
    assert holding(path([(4, 0), (4, 8)]), parts) == {"intersects", "touches", "covered_by"}


def test_an_edge_through_a_vertex_where_rings_touch_doesn_t_cross_the_other_ring_alone():
    # The hole touches the shell's upper edge at (2, 4); the path leads from the hole straight out.
    wedge = polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [(1, 2), (3, 2), (2, 4)])
    assert holding(path([(2, 3), (2, 5)]), wedge) == {"intersects", "touches"}
    needle = polygon([(2, 2.5), (2.125, 5), (1.875, 5)])
    assert holding(needle, wedge) == {"intersects", "overlaps"}


def test_an_odd_number_of_ends_is_a_boundary():
    star = path([(0, 0), (2, 0)], [(0, 0), (0, 2)])
    assert "touches" not in holding(star, path([(-1, -1), (1, 1)]))
    star = path([(0, 0), (2, 0)], [(0, 0), (0, 2)], [(0, 0), (-1, 0)])
    assert "touches" in holding(star, path([(-1, -1), (1, 1)]))
    # An end on the inner of the same path is a boundary, too.
    tee = path([(-2, 0), (2, 0)], [(0, 0), (0, 2)])
    assert holding(tee, path([(-1, -1), (1, 1)])) == {"intersects", "touches"}
    assert holding(tee, points((0, 0))) == {"intersects", "covers", "touches"}


def test_a_closed_path_has_no_boundary():
    ring = path([(0, 0), (4, 0), (4, 4), (0, 0)])
    assert holding(ring, path([(0, 0), (-1, -1)])) == {"intersects", "touches"}
    assert holding(ring, points((0, 0))) == {
        "intersects",
        "contains",
        "covers",
        "contains_properly",
    }


def test_paths_that_share_a_stretch_overlap_and_don_t_cross():
    line = path([(0, 0), (4, 0)])
    assert holding(line, path([(2, 0), (6, 0)])) == {"intersects", "overlaps"}
    assert holding(line, path([(2, -1), (2, 1)])) == {"intersects", "crosses"}
    assert holding(line, path([(0, 0), (1, 0)], [(4, 0), (1, 0)])) == EQUAL


def test_coordinates_of_any_size_are_decided_exactly():
    for scale in (5e-324, 1e-300, 1.0, 1e300):
        scaled = [[(0, 0), (8 * scale, 0), (8 * scale, 8 * scale), (0, 8 * scale)]]
        outer = polygon(*scaled)
        corner = polygon([(0, 0), (8 * scale, 8 * scale), (0, 8 * scale)])
        assert holding(corner, outer) == INSIDE
    step = np.nextafter(4.0, 5.0)
    assert holding(SQUARE, polygon([(0, 0), (step, 0), (4, 4), (0, 4)])) == INSIDE
    assert "covered_by" not in holding(polygon([(0, 0), (step, 0), (4, 4), (0, 4)]), SQUARE)


def test_missing_rows_fulfil_no_predicate():
    rows = carom.Shapes.from_shapely([None, shapely.Point(0, 0)])
    for predicate in PREDICATES:
        found = carom.predicate_batch(rows, rows[[0, 0]], predicate)
        assert found.tolist() == [False, False]
    for predicate in JOINED:
        assert 0 not in carom.colliding_pairs(rows, rows, predicate=predicate)
    with pytest.raises(ValueError, match=r"predicate: expected one of .*, got 'disjoint'"):
        carom.colliding_pairs(rows, rows, predicate="disjoint")


def test_rows_broadcast_and_are_picked_and_masked():
    squares = carom.Shapes([[(x, 0), (x + 2, 0), (x + 2, 2), (x, 2)] for x in (0, 1, 5)])
    box = shapely.box(0, 0, 3, 2)
    assert carom.predicate_batch(squares, box, "within").tolist() == [True, True, False]
    pairs = [0, 2], [2, 2]
    assert carom.predicate_batch(squares, squares, "equals", pairs=pairs).tolist() == [False, True]
    bow = [(0, 0), (1, 1), (1, 0), (0, 1)]
    rows = [bow, [(0, 0), (1, 0), (1, 1)]]
    found = carom.predicate_batch(rows, box, "covered_by", on_invalid="mask", threads=1)
    assert found.tolist() == [False, True]
    found = carom.predicate_batch(rows, box, "disjoint", on_invalid="mask")
    assert found.tolist() == [False, False]


@pytest.fixture(scope="module")
def mixed():
    rng = Random(77)
    shapes = [shape for _ in range(60) for shape in relations.pair(rng)]
    shapes = [shape for shape in shapes if len(shape.rings) < 6]
    return carom.Shapes.from_shapely([kinds.geometry(it) for it in shapes], on_invalid="mask")


def all_pairs(a, b, predicate):
    i, j = (it.ravel() for it in np.indices((len(a), len(b))))
    found = carom.predicate_batch(a, b, predicate, pairs=(i, j))
    return np.array([i[found], j[found]])


@pytest.mark.parametrize("predicate", JOINED)
def test_joins_find_the_pairs_of_the_batch(mixed, predicate):
    few, several = mixed[:20], mixed[20:]
    for a, b in ((few, several), (several, few)):
        wanted = all_pairs(a, b, predicate)
        for threads in (1, 2):
            found = carom.colliding_pairs(a, b, predicate=predicate, threads=threads)
            assert np.array_equal(found, wanted)
        pieces = list(carom.iter_colliding_pairs(a, b, predicate=predicate, chunk_pairs=3))
        pieces = np.hstack([np.empty((2, 0), dtype=int), *pieces])
        assert np.array_equal(pieces, wanted)


@pytest.mark.parametrize("predicate", JOINED)
def test_a_column_with_itself_has_symmetric_pairs_once_and_others_in_both_orders(mixed, predicate):
    i, j = all_pairs(mixed, mixed, predicate)
    chosen = i < j if predicate in SYMMETRIC else i != j
    wanted = np.array([i[chosen], j[chosen]])
    assert np.array_equal(carom.colliding_pairs(mixed, predicate=predicate), wanted)
    pieces = np.hstack(list(carom.iter_colliding_pairs(mixed, predicate=predicate, chunk_pairs=5)))
    assert np.array_equal(pieces, wanted)


def test_a_margin_and_a_radius_and_a_turn_of_zero_are_allowed(mixed):
    wanted = carom.colliding_pairs(mixed, predicate="covers")
    found = carom.colliding_pairs(mixed.with_radius(0), predicate="covers", margin=0.0, turn_a=0.0)
    assert np.array_equal(found, wanted)


def wave(count, start=0, turn=1):
    """A jagged ring of many vertices."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    radius = 1 + 0.2 * np.sin(7 * angle) + 0.001 * np.cos(np.arange(count) * 2.5)
    ring = np.transpose([radius * np.cos(angle), radius * np.sin(angle)])
    return np.roll(ring, start, axis=0)[::turn]


def test_large_rings_that_are_equal_differ_by_a_hair_or_touch_are_told_apart():
    ring = wave(5000)
    other = ring.copy()
    other[1234] *= 1 - 1e-15
    column = carom.Shapes([ring, wave(5000, 17, -1), other])
    for predicate, wanted in (
        ("equals", [[0], [1]]),
        ("covers", [[0, 0, 1, 1], [1, 2, 0, 2]]),
        ("within", [[0, 1, 2, 2], [1, 0, 0, 1]]),
        ("overlaps", [[], []]),
    ):
        assert carom.colliding_pairs(column, predicate=predicate).tolist() == wanted
    geometry = shapely.Polygon(ring)
    inner = shapely.Polygon(ring[:2500])
    assert carom.predicate_batch([geometry], [inner], "equals").tolist() == [False]
    bites = shapely.MultiPoint(ring[::7])
    assert carom.predicate_batch([geometry], [bites], "covers").tolist() == [True]
    assert carom.predicate_batch([geometry], [bites], "touches").tolist() == [True]
    line = shapely.LineString(ring[100:200])
    assert carom.predicate_batch([geometry], [line], "covers").tolist() == [True]
    assert carom.predicate_batch([geometry], [line], "contains").tolist() == [False]


def test_shapes_of_many_parts_that_meet_in_a_point_are_told_apart():
    angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    tips = np.transpose([np.cos(angle), np.sin(angle)]).reshape(200, 2, 2)
    parts = [shapely.Polygon([(0, 0), *ends]) for ends in tips]
    fan, turned = shapely.MultiPolygon(parts), shapely.MultiPolygon(parts[::-1])
    fewer = shapely.MultiPolygon(parts[1:])
    for predicate, wanted in (
        ("equals", [True, False]),
        ("covers", [True, True]),
        ("overlaps", [False, False]),
        ("touches", [False, False]),
    ):
        assert carom.predicate_batch(fan, [turned, fewer], predicate).tolist() == wanted
    assert carom.predicate_batch(fewer, [parts[0]], "touches").tolist() == [True]
    spokes = shapely.MultiLineString([[(0, 0), tip] for tip in tips[:, 0]][:101])
    spoke = shapely.LineString([(0, 0), (-1, -2)])
    # An odd number of paths ends at the hub, so that it is a boundary of both.
    assert carom.predicate_batch(spokes, [spoke, spokes], "touches").tolist() == [True, False]


@pytest.mark.parametrize("check", [True, False])
def test_a_radius_is_refused_whether_rows_are_checked_or_not(check):
    square, circle = [shapely.box(0, 0, 4, 4)], carom.Shapes.from_points([(2, 2)], radius=1)
    for predicate in ("contains", "disjoint"):
        with pytest.raises(ValueError, match="radius"):
            carom.predicate_batch(square, circle, predicate, check=check)


def test_points_beside_the_box_of_a_shape_count_as_outside():
    points = shapely.MultiPoint([(1, 1), (9, 9)])
    square = shapely.box(0, 0, 2, 2)
    for predicate, wanted in (("covered_by", False), ("crosses", True), ("intersects", True)):
        assert carom.predicate_batch(points, [square], predicate).tolist() == [wanted]
    others = shapely.MultiPoint([(1, 1), (5, 5)])
    assert carom.predicate_batch(points, [others], "overlaps").tolist() == [True]

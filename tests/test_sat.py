"""`sat`: overlap, minimum translation, contact, and the separating normal."""

from __future__ import annotations

import math

import carom
import numpy as np
import pytest
import shapely
from hypothesis import given

from generators import shapes, strategies
from helpers import (
    DENTED,
    SCALES,
    SQUARE,
    array,
    assert_row_is_scalar,
    assert_scalar_types,
    examples,
    points,
    quads,
    rewritten,
    seeded_pairs,
)
from reference import oracle
from reference.oracle import check


def checked(a: shapes.Polygon, b: shapes.Polygon) -> carom.SatResult:
    result = carom.sat(a, b)
    check.assert_sat(a, b, result)
    return result


def test_overlapping_squares() -> None:
    r = checked(SQUARE, shapes.box(1.5, 0.5, 2, 1))
    assert r.intersects is True
    assert r.depth == 0.5
    assert r.mtv.tolist() == [-0.5, 0]
    assert r.normal.tolist() == [-1, 0]
    assert r.separation == -0.5
    assert points(r.contact) == {(1.5, 0.5), (1.5, 1.5)}


def test_touching_squares_intersect_with_depth_zero() -> None:
    r = checked(SQUARE, shapes.box(2, 0, 2, 2))
    assert r.intersects
    assert r.depth == 0
    assert r.mtv.tolist() == [0, 0]
    assert r.separation == 0


def test_at_depth_zero_normal_is_that_of_the_touching_edge() -> None:
    r = checked(SQUARE, [(2.0, 1.0), (4.0, 0.0), (4.0, 2.0)])
    assert r.depth == 0
    assert r.normal.tolist() == [-1, 0]
    assert points(r.contact) == {(2, 1)}


def test_one_point_of_contact_is_given_twice() -> None:
    r = checked(SQUARE, [(1.5, 1.0), (4.0, 0.5), (4.0, 1.5)])
    assert r.contact[0].tolist() != r.contact[1].tolist()
    r = checked(SQUARE, [(2.0, 1.0), (4.0, 0.5), (4.0, 1.5)])
    assert r.contact[0].tolist() == r.contact[1].tolist() == [2, 1]


def test_an_ulp_of_overlap_is_the_depth() -> None:
    left = math.nextafter(2, 0)
    r = checked(SQUARE, [(left, 0.0), (4.0, 0.0), (4.0, 2.0), (left, 2.0)])
    assert r.depth == 2 - left
    assert r.mtv.tolist() == [left - 2, 0]


@pytest.mark.parametrize("size", [1.0, 1e-16, 1e-300])
def test_a_notch_whose_tip_is_the_origin_is_a_notch_at_any_size(size: float) -> None:
    dart = [(4 * size, 0.0), (-4 * size, 4 * size), (0.0, 0.0), (-4 * size, -4 * size)]
    assert carom.Shapes([dart]).is_convex.tolist() == [False]
    with pytest.raises(ValueError, match="vertex 2"):
        carom.sat(dart, [(-4 * size, -size / 8), (-3 * size, 0.0), (-4 * size, size / 8)])


def test_which_of_two_parallel_edges_is_asked_first_changes_no_depth() -> None:
    a = [(0, 0), (2, 1e-12), (2.000000000001, 0.9999999999999046), (-7.526936941725479e-13, 1)]
    b = [
        (-16.666644243899324, -23.333931085982375),
        (11.333355756100678, -25.333931085982375),
        (17.333355756100676, 11.666068914017627),
        (11.333355756100678, 13.666068914017627),
        (-2.6666442438993228, 13.666068914017627),
        (-14.666644243899322, 12.666068914017627),
    ]
    one, other = checked(a, b), checked(b, a)
    assert one.depth == pytest.approx(other.depth, rel=0, abs=8 * math.ulp(39.0))


def test_shapes_apart() -> None:
    r = checked(SQUARE, shapes.box(5, 0.5, 1, 1))
    assert r.intersects is False
    assert r.depth == 0
    assert r.mtv.tolist() == [0, 0]
    assert r.normal.tolist() == [-1, 0]
    assert r.separation == 3
    assert np.isnan(r.contact).all()


def test_separation_is_the_gap_along_normal() -> None:
    a, b = SQUARE, [(4.0, 3.0), (6.0, 5.0), (3.0, 6.0)]
    r = checked(a, b)
    nearest_a = max(-r.normal[0] * x - r.normal[1] * y for x, y in a)
    nearest_b = min(-r.normal[0] * x - r.normal[1] * y for x, y in b)
    assert r.separation == pytest.approx(nearest_b - nearest_a, rel=1e-12)
    assert 0 < r.separation <= shapely.Polygon(a).distance(shapely.Polygon(b))


@pytest.mark.parametrize("overlap", [1e-9, 0.0, -1e-9])
def test_nanometre_overlap_at_utm_coordinates_reports_that_nanometre(overlap: float) -> None:
    east, north = 691_608.0, 5_334_760.0
    front = east + 4.5
    rear = front - overlap
    a, b = shapes.box(east, north, 4.5, 2), shapes.box(rear, north, 4.5, 2)
    r = checked(a, b)
    true = front - rear
    assert r.intersects is (true >= 0)
    assert r.depth == pytest.approx(max(true, 0.0), rel=1e-10, abs=0)
    assert r.separation == pytest.approx(-true, rel=1e-10, abs=0)


def test_a_hairline_gap_is_no_overlap() -> None:
    near = math.nextafter(1, 2)
    r = checked(shapes.box(0, 0, 1, 1), [(near, 0.0), (2.0, 0.0), (2.0, 1.0), (near, 1.0)])
    assert not r.intersects
    assert r.separation == math.ulp(1.0)


@pytest.mark.parametrize(
    ("x", "y", "mtv"),
    [(1, 4, [-2, 0]), (8, 4, [2, 0]), (4, 1, [0, -2]), (4, 8, [0, 2])],
)
def test_a_nested_shape_goes_out_on_the_near_side(x: float, y: float, mtv: list[float]) -> None:
    inner, outer = shapes.box(x, y, 1, 1), shapes.box(0, 0, 10, 10)
    assert checked(inner, outer).mtv.tolist() == mtv
    assert checked(outer, inner).mtv.tolist() == [-mtv[0], -mtv[1]]


def test_identical_squares_leave_by_their_width() -> None:
    r = checked(SQUARE, SQUARE)
    assert r.depth == 2
    assert sorted(map(abs, r.mtv.tolist())) == [0, 2]


def test_equally_good_ways_give_one_consistent_answer_every_time() -> None:
    results = [checked(SQUARE, shapes.box(1, 1, 2, 2)) for _ in range(3)]
    assert len({repr(r) for r in results}) == 1
    assert results[0].mtv.tolist() in ([-1, 0], [0, -1])


def test_reference_edge_is_that_of_a_where_both_have_the_normal() -> None:
    """Flush edges: a's is the reference, so that the ends lie on b's."""
    r = checked(SQUARE, [(1.5, -1.0), (4.0, -1.0), (4.0, 9.0), (1.5, 9.0)])
    assert points(r.contact) == {(1.5, 0), (1.5, 2)}
    r = checked([(1.5, -1.0), (4.0, -1.0), (4.0, 9.0), (1.5, 9.0)], SQUARE)
    assert points(r.contact) == {(2, 0), (2, 2)}


def test_incident_edge_is_clipped_to_the_inner_side() -> None:
    """Of the wedge's edge only the part below the square's top."""
    r = checked([(1.0, 1.75), (3.0, 2.75), (1.0, 9.0)], shapes.box(0, 0, 9, 2))
    assert r.mtv.tolist() == [0, 0.25]
    assert points(r.contact) == {(1, 1.75), (1.5, 2)}


def test_flush_edges_that_overlap_in_part() -> None:
    r = checked(SQUARE, shapes.box(2, 1, 2, 5))
    assert points(r.contact) == {(2, 1), (2, 2)}


def test_flush_edges_that_share_an_end_only() -> None:
    r = checked(SQUARE, shapes.box(2, 2, 2, 2))
    assert r.depth == 0
    assert points(r.contact) == {(2, 2)}


def test_vertex_on_vertex_takes_the_normal_of_an_edge() -> None:
    r = checked(SQUARE, [(2.0, 2.0), (4.0, 3.0), (3.0, 4.0)])
    assert r.normal.tolist() in ([-1, 0], [0, -1])


def test_result_is_true_when_shapes_intersect() -> None:
    assert carom.sat(SQUARE, SQUARE)
    assert not carom.sat(SQUARE, shapes.box(5, 5, 1, 1))


def test_result_has_python_scalars_and_float64_vectors() -> None:
    vectors = dict.fromkeys(("mtv", "normal", "contact"), np.ndarray)
    for b in (SQUARE, shapes.box(5, 5, 1, 1)):
        r = carom.sat(SQUARE, b)
        assert_scalar_types(r, intersects=bool, depth=float, separation=float, **vectors)


def test_result_is_frozen() -> None:
    r = carom.sat(SQUARE, SQUARE)
    with pytest.raises((AttributeError, TypeError)):
        r.depth = 1.0


def test_concave_polygon_is_refused_with_its_vertex_and_a_way_on() -> None:
    arrow = [(0, 0), (4, 0), (1, 1), (0, 4)]
    for a, b in ((arrow, SQUARE), (SQUARE, arrow)):
        with pytest.raises(ValueError, match=r"2.*") as refused:
            carom.sat(a, b)
        for hint in ("not convex", "intersects", "convex_parts"):
            assert hint in str(refused.value)


def test_rounding_dents_count_as_their_hull() -> None:
    """The peg overlaps the hull by the dent; the ring as given it would not touch."""
    peg = [(2.0, 2.0), (3.0, 3.0), (1.0, 3.0)]
    r = checked(peg, DENTED)
    assert r.intersects
    assert r.depth == 0
    assert r.normal.tolist() == [0, 1]


def test_a_dent_of_nine_ulps_is_concave() -> None:
    """Vertices up to 2, whose last place is 2**-51 from 2 on and 2**-52 below."""
    for dent, accepted in ((8 * 2.0**-52, True), (9 * 2.0**-52, False)):
        ring = [(0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (0.5, 2 - dent), (0.0, 2.0)]
        assert oracle.kind(ring) == ("rounding" if accepted else "concave")
        if accepted:
            checked(ring, SQUARE)
        else:
            with pytest.raises(ValueError, match="not convex"):
                carom.sat(ring, SQUARE)


def test_a_needle_along_a_side_is_no_rounding() -> None:
    """The tip lies an ulp from the side below, and far from the side that the notch interrupts."""
    least = 5e-324
    rings = [
        [(6e-9, 7e-9), (5e-9, -least), (0.0, -least), (3e-9, 0.0), (4.5e-9, 3.5e-9)],
        [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (3.0, 2.0**-52)],
    ]
    assert not carom.Shapes(rings).is_convex.any()
    for ring in rings:
        assert oracle.kind(ring) == "concave"
        with pytest.raises(ValueError, match="not convex"):
            carom.sat(ring, SQUARE)


def test_turned_rectangles_with_vertices_amid_their_edges_are_accepted() -> None:
    for a, b in seeded_pairs(60, "vehicles", "bumper_to_bumper", "utm"):
        checked(a, b)


@pytest.mark.parametrize("scale", SCALES)
def test_depth_is_right_at_every_magnitude(scale: float) -> None:
    a = shapes.stretched(SQUARE, scale, scale)
    b = shapes.stretched(shapes.box(1, 1, 4, 4), scale, scale)
    assert checked(a, b).depth == scale


def test_depth_below_the_subnormals_is_the_least_float() -> None:
    """A slanted overlap of less than half the least float is not zero."""
    tiny = 5e-324
    a = [(0.0, 0.0), (tiny, 0.0), (0.0, tiny)]
    b = [(tiny, 0.0), (tiny, tiny), (0.0, tiny)]
    assert checked(a, b).depth == 0
    b = [(0.0, 0.0), (tiny * 4, -tiny), (tiny * 4, -tiny * 2)]
    assert checked([(0.0, 0.0), (tiny * 3, tiny), (tiny * 3, -tiny)], b).depth > 0


def test_depth_above_the_largest_float_is_infinite() -> None:
    a = [(-1.7e308, -1.7e308), (1.7e308, -1.7e308), (1.7e308, 1.7e308), (-1.7e308, 1.7e308)]
    r = checked(a, a)
    assert r.depth == math.inf
    assert r.intersects


def test_swapping_turns_directions_round() -> None:
    for a, b in seeded_pairs(160, "generic", "vertex_on_edge", "flush", "utm"):
        one, two = checked(a, b), checked(b, a)
        assert one.intersects == two.intersects
        assert one.depth == pytest.approx(two.depth, rel=1e-10, abs=0)
        if one.intersects and len(oracle.sat(a, b).ways) == 1:
            assert one.normal == pytest.approx(-two.normal, abs=1e-10)
            assert one.mtv == pytest.approx(-two.mtv, rel=1e-9, abs=0)


def test_contact_does_not_depend_on_how_the_rings_are_written() -> None:
    a, b = SQUARE, [(1.5, -1.0), (4.0, 0.5), (1.75, 3.0)]
    expected = points(checked(a, b).contact)
    for other in rewritten(a):
        assert points(checked(other, b).contact) == expected
    for other in rewritten(b):
        assert points(checked(a, other).contact) == expected


def test_writing_a_ring_otherwise_changes_no_number() -> None:
    for a, b in seeded_pairs(96):
        truth = carom.sat(a, b)
        for other in rewritten(a):
            r = checked(other, b)
            assert r.intersects == truth.intersects
            assert r.depth == pytest.approx(truth.depth, rel=1e-10, abs=0)


def test_moving_both_by_exact_sums_changes_no_number() -> None:
    for a, b in seeded_pairs(60, "lattices", "grid_squares"):
        r = checked(shapes.moved(a, 2.0**20, -7.0), shapes.moved(b, 2.0**20, -7.0))
        assert r.depth == pytest.approx(carom.sat(a, b).depth, rel=1e-10, abs=0)


@pytest.mark.parametrize("power", [-900, 900])
def test_scaling_by_a_power_of_two_scales_the_depth(power: int) -> None:
    s = math.ldexp(1.0, power)
    for a, b in seeded_pairs(60, "generic", "lattices", "flush"):
        r = checked(shapes.stretched(a, s, s), shapes.stretched(b, s, s))
        assert r.depth == pytest.approx(s * carom.sat(a, b).depth, rel=1e-10, abs=0)


def test_parallel_edges_that_face_each_other_in_their_last_bit_alone() -> None:
    """Vehicles turned alike: the incident edge is parallel, and only its very end is opposite.

    The contact is that end, not the far one, which was once answered.
    """
    a = [
        (-6.245706621422665, -1.7501798223998963),
        (-5.315505454217158, -3.7171739773390082),
        (0.46510058360275364, -0.983497077469556),
        (6.245706621422665, 1.7501798223998963),
        (5.315505454217158, 3.7171739773390082),
        (-0.46510058360275364, 0.983497077469556),
    ]
    b = [
        (-5.780606037819911, -2.7336768998694523),
        (-4.850404870614405, -4.700671054808565),
        (6.710807205025418, 0.7666827449303404),
        (5.780606037819911, 2.7336768998694523),
        (-3.3306690738754696e-16, 0.0),
    ]
    checked(a, b)
    checked(b, a)


def test_products_beyond_the_floats_are_answered() -> None:
    """Overflown products once made expansions grow without end: seconds for a pair."""
    corners = [(2.7e-229, 1.9), (2.3e-229, 2.7), (-3.8e-230, 0.8), (-3.1e-229, -1.1)]
    a = shapes.convex_hull([(x * 1.9e304, y * 1.9e304) for x, y in corners])
    b = shapes.convex_hull([(y * 2e304, x * 2e304) for x, y in corners])
    checked(a, b)
    assert carom.circle_polygon((8e303, 1.2e304), 0.0, b).index >= 0


@examples(500)
@given(strategies.pairs())
def test_every_field_agrees_with_the_oracle(pair: shapes.Pair) -> None:
    checked(*pair)


def test_intersects_is_that_of_intersects_for_exactly_convex_shapes() -> None:
    compared = 0
    for a, b in seeded_pairs(200):
        if strategies.is_exactly_convex(a, b):
            assert carom.sat(a, b).intersects == carom.intersects(a, b)
            compared += 1
    assert compared > 150


def test_batch_rows_are_the_scalar_results_to_the_bit() -> None:
    a, b = quads(300, seed=1)
    batch = carom.sat_batch(a, b)
    for i, (p, q) in enumerate(zip(a, b, strict=True)):
        assert_row_is_scalar(batch, i, carom.sat(p, q))


def test_batch_of_lists_of_any_length_is_the_scalar_results_to_the_bit() -> None:
    pairs = list(seeded_pairs(64))
    a, b = ([array(pair[k]) for pair in pairs] for k in (0, 1))
    batch = carom.sat_batch(a, b)
    for i, (p, q) in enumerate(pairs):
        assert_row_is_scalar(batch, i, carom.sat(p, q))


def test_a_closing_vertex_of_the_first_row_alone_takes_none_from_other_rows() -> None:
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)]
    pentagon = [(0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (1.0, 3.0), (-1.0, 1.0)]
    rows = np.array([square] + [pentagon] * 15)
    found = carom.sat_batch(rows, rows + 2.0)
    assert found.intersects.tolist() == [False] + [True] * 15


def test_points_and_paths_of_one_line_are_convex_where_their_union_is() -> None:
    square = shapely.box(0.0, -1.0, 2.0, 1.0)
    segment = shapely.LineString([(0.1, 0.2), (1.3, 2.6)])
    ends = [(0.1, 0.2), (0.4, 0.8), (0.9, 1.8), (1.3, 2.6)]
    whole = [
        [ends[:2], ends[2:], ends[1:3]],
        [[ends[0], ends[2], ends[1]], [ends[3], ends[1]], ends[2:]],
        [[ends[0], ends[3]], ends[1:3], [ends[1], ends[1]]],
    ]
    for paths in whole:
        several = shapely.MultiLineString(paths)
        assert carom.Shapes([several]).is_convex.all()
        for one, other in ((several, square), (square, several)):
            found, expected = (
                carom.sat(one, other),
                carom.sat(*(segment if it is several else it for it in (one, other))),
            )
            assert (found.depth, found.mtv.tolist()) == (expected.depth, expected.mtv.tolist())
    point = shapely.MultiPoint([(0.5, 0.5)] * 3)
    assert carom.sat(point, square).depth == carom.sat(shapely.Point(0.5, 0.5), square).depth
    gaps = [
        shapely.MultiPoint([(0.0, 0.0), (1.0, 1.0)]),
        shapely.MultiLineString([ends[:2], ends[2:]]),
        shapely.MultiLineString([ends[2:], [ends[0], ends[0]]]),
        shapely.MultiLineString([[(0.0, 0.0), (1.0, 0.0)], [(0.0, 1.0), (1.0, 1.0)]]),
    ]
    assert not carom.Shapes(gaps).is_convex.any()
    for several in gaps:
        with pytest.raises(ValueError, match="is not convex"):
            carom.sat(several, square)


def test_a_depth_below_the_subnormals_is_added_to_the_radius_before_it_is_rounded() -> None:
    # The tip of `b` is a fifth of the least float behind the long edge of `a`.
    least = 5e-324
    a = np.array([(0.0, 0.0), (8.0, -6.0), (8.0, 6.0)]) * least
    b = np.array([(3.0, 2.0), (1.0, 12.0), (-9.0, 6.0)]) * least
    assert carom.sat(a, b).depth == least
    for margin in (1.0, 3.0, 1e6):
        assert carom.sat(a, b, margin=margin * least).depth == margin * least


def test_contacts_at_negative_zeros_are_those_of_positive_zeros_in_rows_and_alone() -> None:
    a = np.array([(0.625, 0.5), (-0.0, 1.375), (-1.125, 1.0), (-1.125, -0.125), (0.0, -0.5)])
    b = np.array([(1.25, 0.375), (0.625, 0.875), (-0.25, 0.75), (-0.625, -0.0), (-0.25, -0.875)])
    for ring in (b, b[::-1]):
        expected = carom.sat(a, ring + 0.0).contact.tobytes()
        assert carom.sat(a, ring).contact.tobytes() == expected
        rows = carom.sat_batch(np.array([a] * 9), np.array([ring] * 9))
        assert [contact.tobytes() for contact in rows.contact] == [expected] * 9

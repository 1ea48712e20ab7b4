"""`circle_polygon`: a circle against a polygon, and the nearest feature in the caller's order."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

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
    convex_rings,
    examples,
    forms_of,
    quads,
    seeded_pairs,
)
from reference import oracle
from reference.oracle import check

HALF = math.sqrt(0.5)


def checked(
    center: shapes.Point, radius: float, polygon: shapes.Polygon
) -> carom.CirclePolygonResult:
    result = carom.circle_polygon(center, radius, polygon)
    check.assert_circle_polygon(center, radius, polygon, result)
    return result


def test_circle_over_an_edge() -> None:
    r = checked((3.0, 1.0), 1.5, SQUARE)
    assert r.intersects is True
    assert r.depth == 0.5
    assert r.mtv.tolist() == [0.5, 0]
    assert r.normal.tolist() == [1, 0]
    assert r.closest.tolist() == [2, 1]
    assert (r.feature, r.index) == ("edge", 1)
    assert r.distance == 0


def test_circle_out_of_reach() -> None:
    r = checked((5.0, 1.0), 1.0, SQUARE)
    assert r.intersects is False
    assert r.depth == 0
    assert r.mtv.tolist() == [0, 0]
    assert r.normal.tolist() == [1, 0]
    assert r.distance == 2
    assert r.closest.tolist() == [2, 1]


def test_circle_in_a_vertex_region_is_measured_from_the_vertex() -> None:
    r = checked((5.0, 6.0), 1.0, SQUARE)
    assert not r.intersects
    assert (r.feature, r.index) == ("vertex", 2)
    assert r.distance == 4
    assert r.normal == pytest.approx([0.6, 0.8], abs=1e-10)


@pytest.mark.parametrize(
    ("center", "radius"), [((5.0, 6.0), 5.0), ((14.0, 7.0), 13.0), ((3.0, 1.0), 1.0)]
)
def test_tangent_circle_intersects_with_depth_zero(center: shapes.Point, radius: float) -> None:
    r = checked(center, radius, SQUARE)
    assert r.intersects
    assert r.depth == r.distance == 0
    less = checked(center, math.nextafter(radius, 0), SQUARE)
    assert not less.intersects
    assert less.distance == radius - math.nextafter(radius, 0)
    more = checked(center, math.nextafter(radius, math.inf), SQUARE)
    assert more.depth == math.nextafter(radius, math.inf) - radius


def test_center_inside_goes_out_by_the_nearest_edge() -> None:
    r = checked((1.75, 1.0), 0.5, SQUARE)
    assert r.depth == 0.75
    assert r.mtv.tolist() == [0.75, 0]
    assert r.normal.tolist() == [1, 0]


def test_center_on_an_edge_takes_its_outward_normal() -> None:
    for polygon in (SQUARE, SQUARE[::-1]):
        r = checked((2.0, 1.0), 0.5, polygon)
        assert r.depth == 0.5
        assert r.normal.tolist() == [1, 0]
        assert r.feature == "edge"


def test_center_on_a_vertex_takes_the_bisector_of_its_edges_normals() -> None:
    for polygon in (SQUARE, SQUARE[::-1]):
        r = checked((2.0, 2.0), 0.5, polygon)
        assert r.normal == pytest.approx([HALF, HALF], abs=1e-10)
        assert r.feature == "vertex"
        assert r.depth == 0.5


def test_bisector_is_of_normals_not_of_edge_vectors() -> None:
    """Edges of very different lengths count alike."""
    r = checked((0.0, 0.0), 1.0, [(0.0, 0.0), (1e6, 0.0), (0.0, 1.0)])
    assert r.normal == pytest.approx([-HALF, -HALF], abs=1e-10)


def test_a_flat_vertex_is_a_vertex() -> None:
    ring = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 2.0)]
    r = checked((1.0, -1.0), 0.5, ring)
    assert (r.feature, r.index) == ("vertex", 1)
    r = checked((1.0, 0.0), 0.5, ring)
    assert (r.feature, r.index) == ("vertex", 1)
    assert r.normal.tolist() == [0, -1]


def test_radius_zero_is_a_point() -> None:
    assert checked((2.0, 1.0), 0.0, SQUARE).intersects
    assert checked((2.0, 2.0), 0.0, SQUARE).depth == 0
    assert not checked((math.nextafter(2.0, 3), 1.0), 0.0, SQUARE).intersects
    assert checked((1.0, 1.5), 0.0, SQUARE).depth == 0.5


def test_a_huge_circle_swallows_the_polygon() -> None:
    r = checked((1e200, 0.0), 1.5e200, SQUARE)
    assert r.intersects
    assert r.depth == pytest.approx(0.5e200, rel=1e-10)


def test_nanometre_of_overlap_at_utm_coordinates_reports_that_nanometre() -> None:
    east, north = 691_608.0, 5_334_760.0
    radius = 1.0 + 1e-9
    r = checked((east + 5.0, north + 1.0), radius, shapes.box(east, north, 4, 2))
    assert r.depth == pytest.approx(radius - 1, rel=1e-10, abs=0)


@pytest.mark.parametrize(
    ("ring", "vertex", "edge"),
    [
        (SQUARE, 2, 1),
        (SQUARE[::-1], 1, 1),
        (SQUARE[2:] + SQUARE[:2], 0, 3),
        ([*SQUARE, SQUARE[0]], 2, 1),
        ([SQUARE[0], *SQUARE], 3, 2),  # the first vertex twice
        ([*SQUARE[:3], SQUARE[2], SQUARE[3]], 2, 1),  # the nearest vertex twice: the first
        ([*SQUARE[:2], SQUARE[1], *SQUARE[2:]], 3, 2),  # the edge starts at the later of the two
        ([SQUARE[2], *SQUARE[3:], *SQUARE[:2], SQUARE[2]], 0, 3),  # closing vertex not counted
        ([SQUARE[2], *SQUARE[3:], *SQUARE[:2], SQUARE[2], SQUARE[2]], 0, 3),
    ],
)
def test_index_counts_in_the_callers_order(ring: shapes.Polygon, vertex: int, edge: int) -> None:
    r = checked((5.0, 6.0), 1.0, ring)
    assert (r.feature, r.index) == ("vertex", vertex)
    r = checked((5.0, 1.0), 1.0, ring)
    assert (r.feature, r.index) == ("edge", edge)


def test_edge_of_the_last_vertex_runs_to_the_first() -> None:
    assert checked((-1.0, 1.0), 0.5, SQUARE).index == 3
    assert checked((-1.0, 1.0), 0.5, [*SQUARE, SQUARE[0]]).index == 3


def test_the_first_of_equally_near_edges_is_named() -> None:
    r = checked((1.0, 1.0), 0.5, SQUARE)
    assert (r.feature, r.index) == ("edge", 0)
    assert r.depth == 1.5


def test_a_dent_is_taken_as_given() -> None:
    dent = DENTED[3][1]
    r = checked((2.0, 3.0), 1.0, DENTED)
    assert not r.intersects
    assert (r.feature, r.index) == ("edge", 2) or r.closest.tolist() == [2, dent]
    assert r.distance > 0


@pytest.mark.parametrize("scale", SCALES)
def test_decided_at_every_magnitude(scale: float) -> None:
    polygon = shapes.stretched(SQUARE, scale, scale)
    r = checked((5 * scale, 6 * scale), 5 * scale, polygon)
    assert r.intersects
    assert r.depth == 0
    assert not checked((5 * scale, 6 * scale), math.nextafter(5 * scale, 0), polygon).intersects


def test_depth_beyond_the_largest_float_is_infinite() -> None:
    polygon = [(-1.7e308, -1.7e308), (1.7e308, -1.7e308), (0.0, 1.7e308)]
    assert checked((0.0, -1e308), 1.7e308, polygon).depth == math.inf


def test_negative_and_undefined_radii_are_refused() -> None:
    for radius in (-1.0, -5e-324, math.nan, math.inf):
        with pytest.raises(ValueError, match="radius"):
            carom.circle_polygon((0, 0), radius, SQUARE)
    assert checked((0.0, 0.0), -0.0, SQUARE).intersects


def test_result_is_true_when_they_intersect() -> None:
    assert carom.circle_polygon((1, 1), 0, SQUARE)
    assert not carom.circle_polygon((4, 4), 1, SQUARE)


def test_result_has_python_scalars_and_float64_vectors() -> None:
    vectors = dict.fromkeys(("mtv", "normal", "closest"), np.ndarray)
    for center in ((1, 1), (4, 4), array((1, 1), np.float32)):
        r = carom.circle_polygon(center, 1, SQUARE)
        scalars = {"depth": float, "distance": float, "feature": str, "index": int}
        assert_scalar_types(r, intersects=bool, **scalars, **vectors)


def test_winding_changes_nothing_but_the_index() -> None:
    for seed, (a, _) in enumerate(seeded_pairs(160)):
        for family in ("generic", "on_edge", "tangent_edge"):
            center, radius = shapes.circle(Random(seed), a, family)
            one, two = checked(center, radius, a), checked(center, radius, a[::-1])
            assert one.intersects == two.intersects
            assert one.depth == pytest.approx(two.depth, rel=1e-10, abs=0)
            assert one.distance == pytest.approx(two.distance, rel=1e-10, abs=0)


def test_agrees_with_shapely_in_generic_position() -> None:
    for seed, (a, _) in enumerate(seeded_pairs(200, "generic", "lattices")):
        center, radius = shapes.circle(Random(seed), a, "generic")
        polygon, point = shapely.Polygon(a), shapely.Point(center)
        r = carom.circle_polygon(center, radius, a)
        assert r.intersects == polygon.dwithin(point, radius)
        assert r.distance == pytest.approx(
            max(polygon.distance(point) - radius, 0), rel=1e-9, abs=1e-12
        )


@examples(500)
@given(strategies.circles())
def test_every_field_agrees_with_the_oracle(
    case: tuple[shapes.Point, float, shapes.Polygon],
) -> None:
    checked(*case)


def hard_circles(polygons: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A centre and a radius for each polygon."""
    rng = Random(0)
    drawn = []
    for p in polygons:
        while True:
            center, radius = shapes.circle(rng, p.tolist(), rng.choice(shapes.CIRCLES))
            if math.isfinite(radius) and all(map(math.isfinite, center)):
                break
        drawn.append((*center, radius))
    return array(drawn)[:, :2], array(drawn)[:, 2]


def test_batch_rows_are_the_scalar_results_to_the_bit() -> None:
    polygons = array([p for p in quads(300, seed=4)[0] if abs(p).max() < 1e300])
    centers, radii = hard_circles(polygons)
    batch = carom.circle_polygon_batch(centers, radii, polygons)
    assert batch.feature.dtype == np.int8
    for i in range(len(polygons)):
        scalar = carom.circle_polygon(centers[i], radii[i], polygons[i])
        assert_row_is_scalar(batch, i, scalar)
        assert carom.FEATURES[batch.feature[i]] == scalar.feature


def test_one_circle_serves_a_whole_batch() -> None:
    polygons = quads(20, seed=5)[0]
    batch = carom.circle_polygon_batch((0.5, 0.5), 1.0, polygons)
    for i, polygon in enumerate(polygons):
        assert_row_is_scalar(batch, i, carom.circle_polygon((0.5, 0.5), 1.0, polygon))


def test_oracle_and_library_name_the_same_feature_of_dressed_rings() -> None:
    for seed, (a, _) in enumerate(seeded_pairs(160)):
        center, radius = shapes.circle(Random(seed), a, "generic")
        r = checked(center, radius, a)
        near = oracle.circle_polygon(center, radius, a).nearest
        assert (r.feature, r.index) in {(n.feature, n.index) for n in near}


@pytest.mark.parametrize("teeth", [2, 5, 12])
@pytest.mark.parametrize("reverse", [False, True])
def test_centers_on_and_between_features_of_a_comb_agree_with_the_oracle(
    teeth: int, *, reverse: bool
) -> None:
    """Its vertices are repeated, and some lie along an edge; many features are equally near."""
    ring = [(4.0 * teeth, -2.0), (2.0 * teeth, -2.0), (0.0, -2.0), (0.0, -2.0)]
    for x in range(0, 4 * teeth, 4):
        ring += [(x + 0.0, 0.0), (x + 1.0, 3.0), (x + 1.0, 3.0), (x + 2.0, 0.0)]
    ring = ring[::-1] if reverse else ring
    last = 4 * teeth - 2
    centers = [(x / 2, y / 2) for x in (-3, 0, 1, 2, 5, 6, 2 * last) for y in (-5, -2, 0, 1, 3, 9)]
    for center in [*centers, *ring[:6]]:
        checked(center, 0.5, ring)


def test_a_hole_that_touches_the_shell_leaves_inside_and_outside_as_they_are() -> None:
    """The hole's vertex and the shell's edge are equally near."""
    shell = [(0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)]
    hole = [(0.0, 10.0), (6.0, 4.0), (6.0, 16.0)]
    for rings in ([shell, hole], [shell[::-1], hole], [shell, hole[::-1]]):
        beside = carom.circle_polygon((-1.0, 10.0), 0.5, rings)
        assert (beside.intersects, beside.distance, beside.normal.tolist()) == (False, 0.5, [-1, 0])
        assert carom.circle_polygon((3.0, 10.0), 0.5, rings).intersects is False
        assert carom.circle_polygon((0.0, 10.0), 0.0, rings).depth == 0.0


@pytest.mark.parametrize("fields", [("depth", "mtv"), ("intersects", "depth"), ("distance",), None])
def test_rows_far_from_their_circles_have_the_scalar_results(
    fields: tuple[str, ...] | None,
) -> None:
    rng = np.random.default_rng(1)
    centers, radii = rng.integers(-30, 31, (400, 2)) / 2.0, rng.integers(0, 9, 400) / 2.0
    for ring in (DENTED, SQUARE):
        column = carom.Shapes([ring] * 400)
        batch = carom.circle_polygon_batch(centers, radii, column, fields=fields)
        whole = carom.circle_polygon_batch(centers, radii, column)
        for name in fields or batch._asdict():
            assert getattr(batch, name).tobytes() == getattr(whole, name).tobytes()
        for i in range(0, 400, 9):
            assert_row_is_scalar(whole, i, carom.circle_polygon(centers[i], radii[i], ring))


@pytest.mark.parametrize("vertices", [3, 4, 5, 8, 17, 32, 33, 64, 65])
def test_every_form_of_convex_rings_gives_the_scalar_results_to_the_bit(vertices: int) -> None:
    rings = convex_rings(vertices)
    for family in shapes.CIRCLES:
        rng = Random(family)
        drawn = [shapes.circle(rng, [tuple(p) for p in ring], family) for ring in rings.tolist()]
        centers, radii = array([c for c, _ in drawn]), array([r for _, r in drawn])
        for polygons in forms_of(rings):
            batch = carom.circle_polygon_batch(centers, radii, polygons)
            reaches = carom.circle_polygon_batch(
                centers, radii, polygons, fields=("intersects",)
            ).intersects
            assert reaches.tolist() == batch.intersects.tolist()
            for i in range(len(rings)):
                scalar = carom.circle_polygon(centers[i], radii[i], polygons[i])
                assert_row_is_scalar(batch, i, scalar)


@pytest.mark.parametrize("vertices", [3, 4, 8, 17])
def test_convex_rings_agree_with_the_oracle(vertices: int) -> None:
    for row, ring in enumerate(convex_rings(vertices, seed=1, count=12).tolist()):
        polygon = [tuple(p) for p in ring]
        for family in shapes.CIRCLES:
            center, radius = shapes.circle(Random(row), polygon, family)
            checked(center, radius, polygon)
            checked(center, radius, polygon[::-1])


def test_bad_circles_of_a_tile_are_told_apart() -> None:
    rings = np.repeat(array([SQUARE]), 20, axis=0)
    centers, radii = np.ones((20, 2)), np.ones(20)
    centers[3, 1], centers[5, 0], radii[9], radii[17] = math.nan, math.inf, -1.0, math.nan
    for polygons in (rings, carom.Shapes(rings), carom.Shapes(convex_rings(20, count=20))):
        for fields in (("intersects",), ("intersects", "depth")):
            r = carom.circle_polygon_batch(
                centers, radii, polygons, fields=fields, on_invalid="mask"
            )
            assert np.flatnonzero(~r.valid).tolist() == [3, 5, 9, 17]
            assert not r.intersects[~r.valid].any()
            with pytest.raises(ValueError, match=r"center\[3\]"):
                carom.circle_polygon_batch(centers, radii, polygons, fields=fields)


@pytest.mark.parametrize("kind", ["dent", "comb", "hole", "path", "points"])
def test_points_in_one_shape_are_decided_as_alone_beside_circles_and_bad_rows(kind: str) -> None:
    """All points of a column without a radius are located at once."""
    comb = [(x / 4, float(x % 2)) for x in range(80)] + [(20.0, -1.0), (0.0, -1.0)]
    hole = [(0.5, 0.5), (1.5, 0.5), (1.0, 1.5)]
    one = {
        "dent": shapely.Polygon(DENTED),
        "comb": shapely.Polygon(comb),
        "hole": shapely.Polygon(SQUARE, [hole]),
        "path": shapely.LineString(DENTED),
        "points": shapely.MultiPoint(DENTED),
    }[kind]
    xy = array([(x / 8, y / 8) for x in range(-8, 40) for y in range(-9, 18)])
    xy = np.concatenate([xy, array(DENTED), array([(3.0, 2.0), (math.nextafter(4.0, 5.0), 1.0)])])
    radii = np.zeros(len(xy))
    radii[::7], radii[30] = 0.25, -1.0
    xy[50, 1] = math.nan
    fields = ("intersects",)
    r = carom.circle_polygon_batch(xy, radii, one, fields=fields, on_invalid="mask")
    assert np.flatnonzero(~r.valid).tolist() == [30, 50]
    alone = [bool(carom.circle_polygon(xy[i], radii[i], one)) for i in np.flatnonzero(r.valid)]
    assert r.intersects[r.valid].tolist() == alone
    assert not r.intersects[~r.valid].any()
    with pytest.raises(ValueError, match=r"radius\[30\]"):
        carom.circle_polygon_batch(xy, radii, one, fields=fields)


def test_missing_and_general_rows_beside_long_rings() -> None:
    rows = [*convex_rings(40, count=9), None, array(DENTED), array(SQUARE)]
    column = carom.Shapes(rows)
    for some in (column, column[3:], column[[11, 2, 9, 10]]):
        centers = array([(0.5, 0.5)] * len(some))
        r = carom.circle_polygon_batch(centers, 1.0, some, fields=("intersects",)).intersects
        for row in range(len(some)):
            alone = some[row]
            assert r[row] == (
                alone is not None and bool(carom.circle_polygon((0.5, 0.5), 1, alone))
            )


def test_a_circle_reaches_the_end_of_an_edge_whose_next_edge_it_hardly_faces() -> None:
    # Within rounding the center lies past the end of the eighth edge, and the ninth is farther.
    x, y = vertex = (0.8978721014008795, 0.6994769200383745)
    ring = [(-3, 1), (-3.2, 0.8), (-3, 0.6), (-3.2, 0.4), (-3, 0.2), (-3.2, 0), (-3.1, -1)]
    ring += [(-0.3656357558875988, 0.3474337369372327), vertex]
    ring += [(x - k / 10, y + (0.3 if k % 2 else 0.1)) for k in range(1, 8)]
    ring += [(x - 0.8, y + 1), (-2.5, 3), (-3, 2.5)]
    center, radius = (0.8978721014009055, 0.6994769200382812), 9.680966514903063e-14
    assert carom.circle_polygon(center, radius, ring).intersects
    assert carom.swept_circle(center, radius, (0.0, 0.0), ring).intersects
    alone = carom.circle_polygon_batch([center], radius, [ring], fields=("intersects",))
    assert alone.intersects.tolist() == [True]


def test_the_nearest_feature_is_exact_where_a_center_hardly_lies_beside_an_edge() -> None:
    rng = Random(59)
    centers, triangles, expected = [], [], []
    while len(centers) < 2000:
        triangle = [(rng.random(), rng.random()) for _ in range(3)]
        (ax, ay), (bx, by), (cx, cy) = triangle
        if (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) < 0.05:
            continue
        away = rng.choice([1.0, 2.0, 0.5, rng.uniform(0.1, 3)])
        # Beyond the second vertex, across the first edge but for rounding.
        x, y = bx + away * (by - ay), by - away * (bx - ax)
        edge = Fraction(bx) - Fraction(ax), Fraction(by) - Fraction(ay)
        past_end = Fraction(x) - Fraction(bx), Fraction(y) - Fraction(by)
        is_beside = edge[0] * past_end[0] + edge[1] * past_end[1] < 0
        centers.append((x, y))
        triangles.append(triangle)
        expected.append(("edge", 0) if is_beside else ("vertex", 1))
    many = carom.circle_polygon_batch(centers, 0.1, triangles)
    for row, (center, triangle) in enumerate(zip(centers, triangles, strict=True)):
        alone = carom.circle_polygon(center, 0.1, triangle)
        for found in (alone, many[row]):
            assert (found.feature, found.index) == expected[row], (center, triangle)
    assert {kind for kind, _ in expected} == {"edge", "vertex"}

"""Convex parts and hulls: exact areas, no new vertex, no overlap."""

from fractions import Fraction
from random import Random

import carom
import numpy as np
import pytest
import shapely

from generators import areas
from generators.shapes import stretched

SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]


def doubled_area(ring):
    """Twice the area of a ring, exactly; positive when it runs counterclockwise."""
    points = [(Fraction(float(x)), Fraction(float(y))) for x, y in ring]
    following = points[1:] + points[:1]
    return sum(
        (a * d - c * b for (a, b), (c, d) in zip(points, following, strict=True)), Fraction(0)
    )


def turns(ring):
    """Twice the areas of the triangles of consecutive vertices."""
    n = len(ring)
    return [doubled_area([ring[k - 1], ring[k], ring[(k + 1) % n]]) for k in range(n)]


def assert_tiles(parts, area):
    shell, *holes = (abs(doubled_area(ring)) for ring in area)
    rings = [part.tolist() for part in parts]
    assert all(turn > 0 for ring in rings for turn in turns(ring))
    assert sum(map(doubled_area, rings)) == shell - sum(holes)
    given = {tuple(p) for ring in area for p in ring}
    assert {tuple(p) for ring in rings for p in ring} <= given


def assert_apart(parts, area):
    """Whether the parts cover each point of the whole once, in floats."""
    whole = shapely.Polygon(area[0], area[1:])
    pieces = [shapely.Polygon(part) for part in parts]
    union = shapely.union_all(pieces)
    assert union.symmetric_difference(whole).area <= 1e-9 * whole.area


@pytest.mark.parametrize("seed", range(400))
def test_parts_tile_areas_of_all_kinds(seed):
    rng = Random(seed)
    area = rng.choice([areas.area, areas.grid_area, areas.frame_of_cells])(rng)
    parts = carom.convex_parts(areas.bare(area))
    assert parts.is_convex.all()
    assert_tiles(parts, area)
    assert_apart(parts, area)


@pytest.mark.parametrize("power", [-1040, -600, 600, 1010])
@pytest.mark.parametrize("seed", range(25))
def test_parts_tile_areas_of_any_size(seed, power):
    area = areas.area(Random(seed))
    scaled = [stretched(ring, 2.0**power, 2.0**power) for ring in area]
    try:
        parts = carom.convex_parts(areas.bare(scaled))
    except ValueError:
        # Among the subnormals, vertices round to the same point.
        assert power == -1040
        return
    assert_tiles(parts, scaled)


def castle(towers):
    x = np.repeat(np.arange(towers + 1.0), 2)[1:-1]
    y = np.repeat(np.where(np.arange(towers) % 2, 1.0, 2.0), 2)
    return [*zip(x.tolist(), y.tolist(), strict=True), (float(towers), 0.0), (0.0, 0.0)]


def test_rows_of_collinear_corners_make_no_slivers():
    area = [castle(200)]
    assert_tiles(carom.convex_parts(area[0]), area)
    # A convex part contains the inner corners of one tower at most.
    assert 100 <= len(carom.convex_parts(area[0])) <= 400


def test_convex_polygons_are_their_own_part():
    dressed = [(0, 0), (0, 0), (0.5, 0), (1, 0), (1, 1), (0, 1), (0, 0)]
    assert carom.convex_parts(dressed)[0].tolist() == [list(p) for p in SQUARE]
    clockwise = SQUARE[::-1]
    (part,) = carom.convex_parts(clockwise)
    assert doubled_area(part) == 2


def test_a_vertex_of_a_hole_amid_an_edge_of_the_shell():
    shell = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    area = [shell, [(0.0, 5.0), (5.0, 4.0), (5.0, 6.0)]]
    parts = carom.convex_parts(area)
    assert_tiles(parts, area)
    assert_apart(parts, area)


def test_parts_refuse_what_is_no_polygon():
    with pytest.raises(ValueError, match="polygon: the ring meets itself: edge 0 and edge 2"):
        carom.convex_parts([(0, 0), (2, 2), (2, 0), (0, 2)])


@pytest.mark.parametrize("seed", range(200))
def test_hulls_are_the_least_convex_rings_round_points(seed):
    rng = np.random.default_rng(seed)
    points = rng.integers(-4, 5, (rng.integers(3, 40), 2)) * rng.choice([1.0, 0.1, 1e300, 1e-300])
    if shapely.MultiPoint(points / abs(points).max()).convex_hull.area == 0:
        with pytest.raises(ValueError, match="points: all points lie on one line"):
            carom.convex_hull(points)
        return
    hull = carom.convex_hull(points)
    assert all(turn > 0 for turn in turns(hull.tolist()))
    n = len(hull)
    for point in points.tolist():
        for k in range(n):
            assert doubled_area([hull[k], hull[(k + 1) % n], point]) >= 0
    assert {tuple(p) for p in hull.tolist()} <= {tuple(p) for p in points.tolist()}


def test_a_hull_starts_at_its_leftmost_point():
    points = [(2, 5), (0, 3), (0, 0), (0, 1), (4, 0), (4, 0)]
    assert carom.convex_hull(points).tolist() == [[0, 0], [4, 0], [2, 5], [0, 3]]


def test_hulls_name_what_is_not_finite():
    with pytest.raises(ValueError, match=r"points: vertex 1 is \(nan, 0.0\)"):
        carom.convex_hull([(0, 0), (np.nan, 0), (1, 1)])


def test_several_polygons_are_tiled_one_after_the_other():
    shell, hole = [(0, 0), (9, 0), (9, 9), (0, 9)], [(1, 1), (1, 2), (2, 2)]
    one, other = (
        shapely.Polygon(shell, [hole]),
        shapely.Polygon([(20, 0), (29, 0), (21, 1), (20, 9)]),
    )
    several = shapely.MultiPolygon([one, other, shapely.box(40, 0, 41, 1)])
    parts = carom.convex_parts(several)
    apart = [carom.convex_parts(part) for part in several.geoms]
    assert parts == carom.Shapes([ring for column in apart for ring in column])
    assert parts.is_convex.all()
    assert parts.area.sum() == pytest.approx(several.area, rel=1e-14)
    # Parts that touch in a point are tiled each for itself.
    touching = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(1, 1, 2, 2)])
    assert len(carom.convex_parts(touching)) == 2


def test_parts_have_the_radius_of_the_polygon():
    row = carom.Shapes([[(0, 0), (4, 0), (1, 1), (0, 4)]]).with_radius(0.5)[0]
    parts = carom.convex_parts(row)
    assert len(parts) == 2
    assert parts.radius.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        (shapely.Point(0, 0), "point"),
        (shapely.MultiPoint([(0, 0), (1, 0)]), "multipoint"),
        (shapely.LineString([(0, 0), (1, 0)]), "path"),
        (shapely.LineString([(1, 0), (1, 0)]), "path"),
        (shapely.MultiLineString([[(0, 0), (1, 0)], [(5, 5), (6, 6)]]), "multipath"),
    ],
)
def test_points_and_paths_have_no_convex_parts(shape, kind):
    with pytest.raises(
        TypeError, match=f"^polygon: expected a polygon, got a {kind}, which has no"
    ):
        carom.convex_parts(shape)

"""`locate`: points inside, on the boundary of and outside a polygon."""

from __future__ import annotations

import itertools
import math
import os
import signal
import threading
import time
from random import Random

import carom
import numpy as np
import pytest
import shapely

from generators import areas, shapes
from generators.areas import bare
from reference import oracle

HOLED = [shapes.box(0.0, 0.0, 4.0, 4.0), shapes.box(1.0, 1.0, 2.0, 2.0)]


def star(vertices: int, seed: int = 0) -> np.ndarray:
    """A ring of which every other corner lies nearer to the center."""
    rng = np.random.default_rng(seed)
    angle = np.sort(rng.uniform(0.0, math.tau, vertices))
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    ring[::2] *= rng.uniform(0.3, 0.7, ((vertices + 1) // 2, 1))
    return ring


def near_points(rng: Random, area: areas.Area) -> list[shapes.Point]:
    """Points of which many lie on the boundary, level with a vertex, or beside it by a rounding."""
    corners = areas.vertices(area)
    found = [rng.choice(corners) for _ in range(8)]
    for p, q in rng.choices(areas.rims(area), k=12):
        found += [shapes.on_segment(rng, p, q), ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)]
    found += [shapes.nudged(rng, p) for p in found]
    found += [(rng.choice(corners)[0], rng.choice(corners)[1]) for _ in range(12)]
    return found


def test_a_hole_is_outside_and_its_ring_is_boundary() -> None:
    points = [(0.5, 0.5), (2.0, 2.0), (1.0, 2.0), (3.0, 3.0), (4.0, 4.0), (5.0, 2.0)]
    assert carom.locate(points, HOLED).tolist() == [1, -1, 0, 0, 0, -1]


def test_points_and_long_paths_are_their_own_boundary() -> None:
    rng = Random(8)
    spots = [(rng.randint(0, 60), rng.randint(0, 60)) for _ in range(100)]
    paths = [[(rng.randint(0, 60), rng.randint(0, 60)) for _ in range(50)] for _ in range(4)]
    xy = np.array([(rng.randint(0, 120) / 2, rng.randint(0, 120) / 2) for _ in range(2_000)])
    for shape in (shapely.MultiPoint(spots), shapely.MultiLineString(paths)):
        found = carom.locate(xy, shape)
        assert (found == np.where(shapely.intersects_xy(shape, *xy.T), 0, -1)).all()
        assert (found == 0).any()


def test_one_point_gives_an_int_and_leading_dimensions_stay() -> None:
    assert type(carom.locate((0.5, 0.5), HOLED)) is int
    found = carom.locate(np.full((2, 3, 2), 0.5), HOLED)
    assert (found.dtype, found.shape) == (np.int8, (2, 3))
    for none in (np.zeros((0, 2)), np.zeros(0), [], ()):
        assert carom.locate(none, HOLED).shape == (0,)
    assert carom.locate(np.broadcast_to([0.5, 0.5], (7, 2)), HOLED).tolist() == [1] * 7


def test_the_box_round_a_ring_may_have_the_origin_in_its_middle() -> None:
    # Rounding puts the points on the edges, or beside them by less than what floats can tell.
    rng = Random(5)
    angles = [math.pi * (k + rng.uniform(0, 0.5)) / 40 for k in range(40)]
    half = [(math.cos(t), math.sin(t)) for t in angles]
    half[::2] = [(0.15 * x, 0.15 * y) for x, y in half[::2]]
    ring = half + [(-x, -y) for x, y in half]
    edges = [edge for edge in itertools.pairwise([*ring, ring[0]]) for _ in range(12)]
    points = [shapes.on_segment(rng, p, q) for p, q in edges]
    assert carom.locate(points, ring).tolist() == oracle.locate(points, [ring])


@pytest.mark.parametrize("seed", range(60))
def test_points_are_where_the_oracle_finds_them(seed: int) -> None:
    rng = Random(seed)
    area = areas.area(rng)
    x, y = rng.choice(areas.FAR)
    area = areas.shifted(area, x, y)
    if not areas.usable(area):
        return  # moving it rounded it
    points = near_points(rng, area)
    assert carom.locate(points, bare(area)).tolist() == oracle.locate(points, area)


@pytest.mark.parametrize("scale", [5e-324, 2.0**-1030, 2.0**-530, 2.0**530, 2.0**1000])
def test_extreme_coordinates_are_located_exactly(scale: float) -> None:
    rng = Random(1)
    ring = [(0, 0), (4, 0), (4, 2), (2, 1), (0, 4), (1, 2)]
    area = [[(x * scale, y * scale) for x, y in ring]]
    points = [(x * scale, y * scale) for x in range(-1, 6) for y in range(-1, 6)]
    points += [shapes.nudged(rng, p) for p in points]
    assert carom.locate(points, bare(area)).tolist() == oracle.locate(points, area)


def test_all_points_of_a_grid_in_all_triangles_of_it() -> None:
    grid = [(float(x), float(y)) for x in range(4) for y in range(4)]
    halves = [(x / 2, y / 2) for x in range(-1, 8) for y in range(-1, 8)]
    for ring in itertools.combinations(grid, 3):
        if oracle.is_valid([list(ring)]):
            assert carom.locate(halves, ring).tolist() == oracle.locate(halves, [list(ring)])


@pytest.mark.parametrize("vertices", [3, 8, 9, 64, 65, 500, 5_000])
def test_a_ring_of_any_size_holds_what_shapely_says(vertices: int) -> None:
    ring = star(vertices)
    points = np.random.default_rng(vertices).uniform(-1.1, 1.1, (20_000, 2))
    points[::10, 1] = np.resize(ring[:, 1], 2_000)  # level with a vertex
    points[5::10] = np.resize(ring, (2_000, 2))
    found = carom.locate(points, ring)
    polygon = shapely.Polygon(ring)
    shapely.prepare(polygon)
    np.testing.assert_array_equal(found >= 0, shapely.intersects_xy(polygon, *points.T))
    np.testing.assert_array_equal(found > 0, shapely.contains_xy(polygon, *points.T))
    assert (found[5::10] == 0).all()


@pytest.mark.parametrize("holes", [1, 7, 8, 9, 70, 300])
def test_many_holes_are_all_outside(holes: int) -> None:
    side = math.isqrt(holes - 1) + 1
    cells = list(itertools.product(range(side), range(side)))[:holes]
    rings = [shapes.box(-1.0, -1.0, side + 1.0, side + 1.0)]
    rings += [shapes.box(x + 0.25, y + 0.25, 0.5, 0.5) for x, y in cells]
    points = np.random.default_rng(holes).integers(-5, 4 * side + 5, (5_000, 2)) / 4.0
    polygon = shapely.Polygon(rings[0], rings[1:])
    shapely.prepare(polygon)
    found = carom.locate(points, rings)
    np.testing.assert_array_equal(found >= 0, shapely.intersects_xy(polygon, *points.T))
    np.testing.assert_array_equal(found > 0, shapely.contains_xy(polygon, *points.T))


@pytest.mark.parametrize("vertices", [4, 300])
def test_reversing_a_ring_or_starting_elsewhere_changes_nothing(vertices: int) -> None:
    ring, points = star(vertices), np.random.default_rng(2).uniform(-1, 1, (3_000, 2))
    expected = carom.locate(points, ring).tobytes()
    for same in (ring[::-1], np.roll(ring, 3, axis=0), np.concatenate([ring, ring[:1]])):
        assert carom.locate(points, same).tobytes() == expected


def test_polygons_of_any_form_are_taken() -> None:
    points, ring = [(0.5, 0.5), (9.0, 9.0)], shapes.box(0.0, 0.0, 1.0, 1.0)
    forms = [
        ring,
        np.array(ring, dtype=np.float32),
        shapely.Polygon(ring),
        carom.Shapes([ring]),
        carom.Shapes([HOLED, ring])[1:],
    ]
    for polygon in forms:
        assert carom.locate(points, polygon).tolist() == [1, -1]


def test_all_points_are_outside_a_missing_row_and_none_is_refused() -> None:
    points = [(0.5, 0.5), (9.0, 9.0)]
    for missing in (carom.Shapes([None]), shapely.Polygon(), [], np.empty((0, 2))):
        assert carom.locate(points, missing).tolist() == [-1, -1]
    with pytest.raises(TypeError, match=r"^polygon: the shape is missing \(None\); test for that"):
        carom.locate(points, None)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_finds_the_same(threads: int) -> None:
    points = np.random.default_rng(3).uniform(-1, 1, (30_001, 2))
    ring = star(100)
    one_by_one = [carom.locate(point, ring) for point in points[:300]]
    found = carom.locate(points, ring, threads=threads)
    assert found[:300].tolist() == one_by_one
    assert found.tobytes() == carom.locate(points, ring).tobytes()


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_bad_point_is_named(threads: int) -> None:
    points = np.zeros((100, 60, 2))
    points[51, 7, 1], points[70] = math.nan, math.inf
    with pytest.raises(ValueError, match=r"^points\[51, 7\] is \(0\.0, nan\); it must be finite$"):
        carom.locate(points, HOLED, threads=threads)
    with pytest.raises(ValueError, match=r"^points is \(inf, 0\.0\); it must be finite$"):
        carom.locate((math.inf, 0.0), HOLED)


def test_several_polygons_are_refused_with_advice() -> None:
    with pytest.raises(ValueError, match="expected a column of one row, got 2; locate takes one"):
        carom.locate([(0, 0)], carom.Shapes([HOLED, HOLED]))
    with pytest.raises(ValueError, match=r"polygon: expected shape \(V, 2\).*locate takes one"):
        carom.locate([(0, 0)], np.array([HOLED[0], HOLED[0]]))
    with pytest.raises(ValueError, match=r"points: expected shape \(\.\.\., 2\), got \(3,\)"):
        carom.locate((0, 0, 0), HOLED)
    with pytest.raises(ValueError, match="polygon: vertex 1 is"):
        carom.locate([(0, 0)], [(0, 0), (math.nan, 0), (1, 1)])
    with pytest.raises(ValueError, match="threads: expected 1 or more, got 0"):
        carom.locate([(0, 0)], HOLED, threads=0)


def test_a_long_call_is_interrupted() -> None:
    ring, points = star(20_000), np.random.default_rng(4).uniform(-1, 1, (3_000_000, 2))

    def repeat() -> None:
        for _ in range(1_000):
            carom.locate(points, ring, threads=1)

    threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        repeat()
    assert time.process_time() - start < 5


def test_a_shape_with_a_radius_is_refused() -> None:
    disc = carom.Shapes.from_points([(0, 0)], radius=1.0)
    with pytest.raises(ValueError, match="without a radius; circle_polygon_batch"):
        carom.locate([(0.5, 0.0)], disc)

"""Shapes of every kind: all queries, against exact fractions and Shapely, on grids that fit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from random import Random
from typing import Any

import carom
import numpy as np
import pytest
import shapely

from generators import kinds
from helpers import bits
from reference.oracle import accuracy
from reference.oracle import kinds as oracle
from reference.oracle.kinds import Floats, Shape

FIELDS = {
    "distance": ("distance", "closest_a", "closest_b"),
    "sat": ("intersects", "depth", "mtv", "normal", "separation", "contact"),
    "swept_collision": ("intersects", "will_intersect", "time", "normal", "contact", "mtv"),
    "circle_polygon": ("intersects", "depth", "mtv", "normal", "closest", "index", "distance"),
    "swept_circle": ("intersects", "will_intersect", "time", "normal", "contact"),
}
PAIRS_OF_KINDS = list(itertools.product(kinds.KINDS, repeat=2))


def grid_points(size: int) -> list[Floats]:
    return [(float(x), float(y)) for x in range(size) for y in range(size)]


def against_shapely(a: Sequence[Any], b: Sequence[Any]) -> None:
    """Every one of a with every one of b: Shapely's numbers are whole here, or square roots.

    Not lines of length zero, which Shapely calls invalid and takes for nothing.
    """
    a, b = ([it for it in shapes if it.is_valid] for shapes in (a, b))
    one, other = np.array(a, dtype=object)[:, None], np.array(b, dtype=object)[None]
    pairs = [index.ravel() for index in np.indices((len(a), len(b)))]
    first, second = carom.Shapes.from_shapely(a), carom.Shapes.from_shapely(b)
    meets = carom.intersects_batch(first, second, pairs=pairs)
    assert np.array_equal(meets, shapely.intersects(one, other).ravel())
    gaps = carom.distance_batch(first, second, pairs=pairs, fields=("distance",)).distance
    np.testing.assert_allclose(gaps, shapely.distance(one, other).ravel(), rtol=1e-12)
    found = carom.colliding_pairs(first, second)
    assert np.array_equal(found, np.array(pairs)[:, meets])


def triangles(size: int) -> list[Any]:
    found = [shapely.Polygon(three) for three in itertools.combinations(grid_points(size), 3)]
    return [it for it in found if it.area]


def vertices(polygons: list[Any]) -> np.ndarray:
    """Of polygons with one number of vertices."""
    return np.reshape(shapely.get_coordinates(polygons), (len(polygons), -1, 2))[:, :-1]


def small_polygons() -> list[Any]:
    """All triangles on a grid of three by three points, boxes, and a frame."""
    frame = shapely.Polygon(
        [(-1, -1), (3, -1), (3, 3), (-1, 3)], [[(0, 0), (2, 0), (2, 2), (0, 2)]]
    )
    return [*triangles(3), shapely.box(0, 0, 2, 1), frame]


def segments(size: int) -> list[Any]:
    return [shapely.LineString(ends) for ends in itertools.permutations(grid_points(size), 2)]


def test_all_points_with_all_small_polygons() -> None:
    points = [shapely.Point(x / 2 - 1, y / 2 - 1) for x in range(9) for y in range(9)]
    against_shapely(points, small_polygons())


def test_all_segments_of_a_grid_with_each_other() -> None:
    against_shapely(segments(3), segments(3))


def test_all_segments_of_a_grid_with_all_small_polygons() -> None:
    against_shapely(segments(3), small_polygons())


def test_all_small_polygons_with_each_other() -> None:
    against_shapely(small_polygons(), small_polygons())


@pytest.mark.slow
def test_all_triangles_of_a_grid_with_each_other() -> None:
    """So do `sat` and a sweep of no motion, from any first vertex and in either winding."""
    against_shapely(triangles(4), triangles(4))
    rows = vertices(triangles(4))
    meets = carom.intersects_batch(rows[:, None], rows)
    for order in itertools.permutations(range(3)):
        turned = rows[:, None, order]
        assert np.array_equal(carom.sat_batch(turned, rows).intersects, meets)
        still = carom.swept_collision_batch(turned, rows, (0, 0), fields=("will_intersect",))
        assert np.array_equal(still.will_intersect, meets)


def test_all_sweeps_of_the_triangles_of_a_grid_meet_what_their_hulls_do() -> None:
    small = triangles(3)
    rows = vertices(small)
    for velocity in itertools.product(range(-3, 4), repeat=2):
        swept = [shapely.MultiPoint([*it, *(it + velocity)]).convex_hull for it in rows]
        found = carom.swept_collision_batch(rows[:, None], rows, velocity)
        meets = shapely.intersects(np.array(swept)[:, None], small)
        assert np.array_equal(found.will_intersect, meets), velocity
        assert np.array_equal(np.isfinite(found.time), meets), velocity


def test_all_pairs_of_points_with_all_small_polygons_and_segments() -> None:
    pairs = [shapely.MultiPoint(ends) for ends in itertools.combinations(grid_points(3), 2)]
    against_shapely(pairs, [*small_polygons(), *segments(3)])


def test_all_rays_of_a_grid_hit_what_their_segments_meet() -> None:
    ends = np.array(list(itertools.product(grid_points(5), repeat=2))) - 1.0
    starts, directions = ends[:, 0], ends[:, 1] - ends[:, 0]
    paths = np.where(directions.any(axis=1), shapely.linestrings(ends), shapely.points(starts))
    for shape in [*small_polygons(), *segments(3)]:
        found = carom.ray_cast(starts, directions, [shape], length=1)
        assert np.array_equal(found.hit, shapely.intersects(paths, shape)), shape
        assert np.array_equal(found.time == 0, shapely.intersects_xy(shape, starts)), shape


def some(rng: Random, kind: str, count: int, radius: float | None = 0.0) -> list[Shape]:
    return [kinds.shape(rng, kind=kind, radius=radius) for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), PAIRS_OF_KINDS)
def test_intersects_and_distance_are_shapelys(one: str, other: str) -> None:
    rng = Random(f"{one} {other}")
    a, b = some(rng, one, 60), some(rng, other, 60)
    against_shapely([*map(kinds.geometry, a)], [*map(kinds.geometry, b)])


def check_distance(a: Shape, b: Shape, got: Any) -> None:
    """The number, and points on both boundaries that are so far apart."""
    true = oracle.distance(a, b)
    assert accuracy.number(got.distance, max(true, 0 * true)), (a, b, true)
    if true <= 0:
        assert np.isnan([got.closest_a, got.closest_b]).all()
        return
    # 8 units in the last place of an extent below 32, for each coordinate, and the points' own.
    for shape, closest in ((a, got.closest_a), (b, got.closest_b)):
        assert abs(float(oracle.float_gap(closest, shape)) - shape.radius) < 1e-13, (a, b)
    between = math.hypot(*(got.closest_a - got.closest_b))
    assert between == pytest.approx(float(true), abs=1e-13), (a, b)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_distances_and_closest_points_are_the_oracles(seed: int) -> None:
    rng = Random(seed)
    a, b = ([kinds.shape(rng) for _ in range(500)] for _ in range(2))
    meets = carom.intersects_batch(*map(kinds.column, (a, b)))
    found = carom.distance_batch(*map(kinds.column, (a, b)))
    for row, (one, other) in enumerate(zip(a, b, strict=True)):
        assert meets[row] == oracle.is_within(one, other), (one, other)
        check_distance(one, other, found[row])


def with_repeats(rng: Random, shape: Shape) -> Shape:
    """The same shape with some vertices given twice."""
    rings = [list(ring) for ring in shape.rings]
    for ring in rings if shape.kind != "point" else []:
        for _ in range(rng.choice([0, 0, 1, 2])):
            at = rng.randrange(len(ring))
            ring.insert(at, ring[at])
    left = iter(rings)
    if shape.kind == "point":
        return shape
    if shape.kind == "path":
        return Shape("path", [next(left) for _ in shape.parts], shape.radius)
    parts = [[next(left) for _ in part] for part in shape.parts]
    return Shape("polygon", parts, shape.radius)


def check_circle(center: Floats, radius: float, shape: Shape, got: Any) -> None:
    near = oracle.nearest_features(center, shape)
    assert (got.feature, got.index) == near.features[0], (center, shape)
    step = 2.0**-near.grid.shift
    foot = np.array([float(x) * step for x in near.feet[0]])
    away = np.array(center) - foot
    signed = math.hypot(*away) * (-1 if near.inside else 1)
    depth = radius + shape.radius - signed
    assert got.intersects == oracle.is_within(Shape("point", [center], radius), shape)
    # The reference is computed in floats of size 10.
    assert got.depth - got.distance == pytest.approx(depth, abs=1e-14), (center, shape)
    assert math.hypot(*got.normal) == pytest.approx(1)
    if signed:
        np.testing.assert_allclose(got.normal, away / signed, atol=1e-14)
    np.testing.assert_allclose(got.closest, foot + got.normal * shape.radius, atol=1e-14)
    np.testing.assert_allclose(got.mtv, got.normal * got.depth, rtol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_circles_name_the_nearest_feature_in_the_callers_order(seed: int) -> None:
    rng = Random(seed)
    shapes = [with_repeats(rng, kinds.shape(rng)) for _ in range(500)]
    centers = np.array([[rng.randint(-4, 12) / 2, rng.randint(-4, 12) / 2] for _ in shapes])
    radii = np.array([rng.choice([0.0, *kinds.RADII]) for _ in shapes])
    found = carom.circle_polygon_batch(centers, radii, kinds.column(shapes))
    for row, shape in enumerate(shapes):
        check_circle(tuple(centers[row].tolist()), float(radii[row]), shape, found[row])


def test_a_path_has_no_inside() -> None:
    path = carom.Shapes.from_paths([(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)], [0, 5])
    found = carom.circle_polygon((1, 2), 0.5, path)
    assert not found.intersects
    assert (found.distance, found.feature, found.index) == (0.5, "edge", 3)


@pytest.mark.parametrize("point", [(1.0, -1.0), (1.0, 1.0)])
@pytest.mark.parametrize("step", [1, -1])
def test_the_normal_of_a_path_points_to_the_center_on_either_side(point: Floats, step: int) -> None:
    path = carom.Shapes.from_segments([[(0, 0), (2, 0)][::step]])
    assert carom.circle_polygon(point, 0.25, path).normal.tolist() == [0, point[1]]


def test_points_and_circles_agree() -> None:
    rng = Random(5)
    shapes = [kinds.shape(rng) for _ in range(400)]
    centers = np.array([[rng.randint(-4, 12) / 2, rng.randint(-4, 12) / 2] for _ in shapes])
    radii = np.array([rng.choice([0.0, *kinds.RADII]) for _ in shapes])
    moves = np.array([kinds.velocity(rng) for _ in shapes])
    points, others = carom.Shapes.from_points(centers, radius=radii), kinds.column(shapes)
    circles = carom.circle_polygon_batch(centers, radii, others)
    assert np.array_equal(circles.intersects, carom.intersects_batch(points, others))
    one = carom.swept_circle_batch(centers, radii, moves, others)
    other = carom.swept_collision_batch(points, others, moves)
    assert np.array_equal(one.will_intersect, other.will_intersect)
    np.testing.assert_allclose(one.time, other.time, rtol=1e-10)
    later = one.will_intersect & ~one.intersects
    np.testing.assert_allclose(one.normal[later], other.normal[later], atol=1e-10)


@pytest.mark.parametrize(("one", "other"), PAIRS_OF_KINDS)
def test_scalar_and_batch_have_the_same_bits(one: str, other: str) -> None:
    rng = Random(f"bits {one} {other}")
    radius = rng.choice([0.0, None])
    a, b = some(rng, one, 12, radius), some(rng, other, 12, radius)
    moves = np.array([kinds.velocity(rng) for _ in a])
    margin, size = kinds.margin(rng), rng.choice(kinds.RADII)
    centers = np.array([kinds.velocity(rng) for _ in a])
    first, second = kinds.column(a), kinds.column(b)
    calls: dict[str, tuple[Any, ...]] = {
        "distance": (first, second),
        "swept_collision": (first, second, moves),
        "circle_polygon": (centers, np.full(12, size), second),
        "swept_circle": (centers, np.full(12, size), moves, second),
    }
    for name, given in calls.items():
        more = {"margin": margin} if name.startswith("swept") else {}
        batch = getattr(carom, f"{name}_batch")(*given, **more)
        for row in range(12):
            alone = getattr(carom, name)(*(operand[row] for operand in given), **more)
            for field in FIELDS[name]:
                assert bits(getattr(alone, field)) == bits(getattr(batch, field)[row]), (name, row)


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), PAIRS_OF_KINDS)
def test_joins_find_the_pairs_of_the_oracle(one: str, other: str) -> None:
    rng = Random(f"join {one} {other}")
    a, b = some(rng, one, 14, None), some(rng, other, 14, None)
    margin = kinds.margin(rng)
    moves, others = ([kinds.velocity(rng) for _ in range(14)] for _ in range(2))
    first, second = kinds.column(a), kinds.column(b)
    cells = list(itertools.product(range(14), repeat=2))
    found = carom.colliding_pairs(first, second, margin=margin)
    assert found.T.tolist() == [[i, j] for i, j in cells if oracle.is_within(a[i], b[j], margin)]
    found = carom.colliding_pairs(first, margin=margin)
    assert found.T.tolist() == [
        [i, j] for i, j in cells if i < j and oracle.is_within(a[i], a[j], margin)
    ]
    found = carom.colliding_pairs(first, second, velocity_a=moves, velocity_b=others, margin=margin)

    def relative(i: int, j: int) -> Floats:
        return moves[i][0] - others[j][0], moves[i][1] - others[j][1]

    assert found.T.tolist() == [
        [i, j] for i, j in cells if oracle.will_meet(a[i], b[j], relative(i, j), margin)
    ]


def against_shapely_validity(geometries: list[Any]) -> None:
    found = carom.Shapes(geometries, on_invalid="mask")
    valid = shapely.is_valid(np.array(geometries, dtype=object))
    wrong = np.flatnonzero(np.array(found.is_valid) != valid)
    assert not wrong.size, [(geometries[k].wkt, found.invalid_reason[k]) for k in wrong[:3]]
    assert valid.any()
    assert not valid.all()


def test_two_triangles_of_a_grid_are_valid_as_shapely_says() -> None:
    pairs = itertools.product(triangles(3), repeat=2)
    against_shapely_validity([shapely.MultiPolygon(pair) for pair in pairs])


def test_shells_in_holes_and_beside_are_valid_as_shapely_says() -> None:
    shell = [(0, 0), (6, 0), (6, 6), (0, 6)]
    holes = [
        [(1, 1), (5, 1), (5, 5), (1, 5)],
        [(1, 1), (3, 1), (3, 3), (1, 3)],
        [(0, 3), (3, 0), (6, 3), (3, 6)],
        [(1, 1), (5, 1), (3, 5)],
    ]
    boxes = [
        [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        for x, y, w, h in itertools.product(range(7), range(7), (1, 2, 4), (1, 2, 4))
    ]
    diamonds = [
        [(x, y), (x + 1, y + 1), (x, y + 2), (x - 1, y + 1)]
        for x, y in itertools.product(range(1, 6), range(5))
    ]
    parts = [[(shell, [hole]), (it, [])] for hole in holes for it in boxes + diamonds]
    against_shapely_validity([shapely.MultiPolygon(two[::k]) for two in parts for k in (1, -1)])


def test_random_multipolygons_are_valid_as_shapely_says() -> None:
    rng = Random(8)
    parts = [
        kinds.geometry(kinds.shape(rng, size=5, kind="polygon", radius=0.0)) for _ in range(800)
    ]
    rows = [shapely.MultiPolygon(rng.sample(parts, rng.choice([2, 2, 3, 4]))) for _ in range(4000)]
    against_shapely_validity(rows)


def test_frames_in_frames_are_valid_as_shapely_says() -> None:
    rng = Random(9)

    def frame(depth: int) -> tuple[Any, list[Any]]:
        inner = depth + rng.choice([0.5, 1.0])
        shell, hole = (shapely.box(d, d, 12 - d, 12 - d).exterior.coords for d in (depth, inner))
        return shell, [hole] if rng.random() < 0.8 else []

    depths = [rng.sample(range(5), rng.choice([2, 3, 4])) for _ in range(1000)]
    against_shapely_validity([shapely.MultiPolygon([*map(frame, some)]) for some in depths])


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_first_contact_is_that_of_its_steps(kind: str) -> None:
    rng = Random(kind)
    for _ in range(6):
        foot = kinds.column([kinds.shape(rng, kind=kind)])
        shapes = [kinds.shape(rng, size=6) for _ in range(8)]
        obstacles = kinds.column(shapes).translate((rng.choice([0, 6, 9]), 0))
        drifts = np.array([kinds.velocity(rng) for _ in shapes]) / 2
        poses = np.array([[[*kinds.velocity(rng, 6), 0.0] for _ in range(4)] for _ in range(4)])
        found = carom.first_contact(foot, poses, obstacles, velocity=drifts)
        for row, trajectory in enumerate(poses[..., :2]):
            want = first_of_steps(foot, trajectory, obstacles, drifts)
            got = found[row].step + found[row].time if found[row].step >= 0 else math.inf
            assert got == pytest.approx(want, rel=1e-10), (foot, trajectory, shapes, drifts)


def first_of_steps(foot: Any, places: np.ndarray, obstacles: Any, drifts: np.ndarray) -> float:
    """The first contact in units of steps; whole and half numbers, so that floats are exact."""
    last = len(places) - 1
    for step, place in enumerate(places):
        there = obstacles.translate(drifts * step)
        move = places[step + 1] - place - drifts if step < last else np.zeros_like(drifts)
        times = carom.swept_collision_batch(foot.translate(place), there, move).time
        if np.isfinite(times).any():
            return step + float(times.min())
    return math.inf


def test_a_bent_line_in_a_list_is_not_the_polygon_of_its_vertices() -> None:
    line, inside = shapely.LineString([(0, 0), (4, 0), (4, 4)]), shapely.box(3, 0.5, 3.5, 1)
    for b in (line, [line], [line] * 9, [carom.Shapes([line])]):
        assert not carom.intersects_batch(inside, b).any()
        assert not carom.intersects_batch(b, inside).any()
        assert (carom.distance_batch(inside, b).distance == 0.5).all()
        assert not carom.swept_collision_batch(inside, b, (0, 0.125)).will_intersect.any()
        centers = [(3, 1)]
        assert not carom.circle_polygon_batch(centers, 0.125, b).intersects.any()
        assert not carom.swept_circle_batch(centers, 0.125, (0, 0.125), b).will_intersect.any()


def test_a_rounded_row_in_a_list_keeps_its_radius_beside_circles() -> None:
    triangle = carom.Shapes([[(0, 0), (2, 0), (2, 1)]]).with_radius(1.0)
    for rows in ([triangle], [triangle, triangle], [None, triangle]):
        result = carom.circle_polygon_batch([(5, 0)], 0.5, rows)
        assert result.distance[-1] == 1.5
        assert carom.circle_polygon_batch([(5, 0)], 2.0, rows, fields=("intersects",))[
            -1
        ].intersects
        assert carom.swept_circle_batch([(5, 0)], 0.5, (-3, 0), rows).time[-1] == 0.5


@pytest.mark.parametrize("seed", range(12))
def test_points_and_others_beside_one_polygon_answer_as_each_does_alone(seed: int) -> None:
    rng = Random(5000 + seed)
    angles = [math.tau * (k + rng.uniform(0.1, 0.9)) / 70 for k in range(70)]
    reach = [rng.choice([1.0, rng.uniform(0.5, 1.0)]) if seed % 2 else 1.0 for _ in angles]
    ring = [(r * math.cos(t), r * math.sin(t)) for r, t in zip(reach, angles, strict=True)]
    polygon = Shape("polygon", [[ring]], rng.choice([0.0, 0.25]))
    own = [kinds.shape(rng) for _ in range(20)]
    for _ in range(40):
        radius = rng.choice([0.0, 0.0, 0.125])
        spot = rng.choice([rng.choice(ring), (rng.uniform(-2, 2), rng.uniform(-2, 2))])
        own.append(Shape("point", [spot], radius))
    one, rows = kinds.column([polygon]), kinds.column(own)
    margins = [rng.choice([0.0, 0.1, 0.5]) for _ in own]
    met = [oracle.is_within(it, polygon) for it in own]
    near = [oracle.is_within(it, polygon, m) for it, m in zip(own, margins, strict=True)]
    assert carom.intersects_batch(rows, one).tolist() == met
    assert carom.intersects_batch(one, rows).tolist() == met
    assert carom.intersects_batch(rows, one, margin=margins).tolist() == near
    assert carom.intersects_batch(one, rows, margin=margins).tolist() == near


def test_bad_margins_and_missing_rows_beside_one_large_polygon() -> None:
    angles = np.linspace(0.0, math.tau, 70, endpoint=False)
    disc = carom.Shapes([np.stack([np.cos(angles), np.sin(angles)], axis=1)])
    rows = carom.Shapes(
        [shapely.Point(0, 0), None, shapely.Point(1.5, 0), shapely.Point(0, 0), shapely.Point(9, 0)]
    )
    margins = [0.0, 0.0, 1.0, math.nan, -1.0]
    with pytest.raises(ValueError, match=r"margin\[3\]"):
        carom.intersects_batch(rows, disc, margin=margins)
    found = carom.intersects_batch(rows, disc, margin=margins, on_invalid="mask")
    assert found.tolist()[:3] == [True, False, True]
    # The numbers of a missing row do not count.
    rest = carom.intersects_batch(rows[:3], disc, margin=[0.0, math.nan, 1.0])
    assert rest.tolist() == [True, False, True]
    trusted = carom.intersects_batch(rows, disc, margin=margins, check=False)
    assert trusted.tolist() == [True, False, True, False, False]

"""The world's countries: real concave polygons that share borders, against Shapely."""

from __future__ import annotations

from pathlib import Path

import carom
import numpy as np
import pytest
import shapely
from shapely.affinity import translate

from reference import oracle

DATA = Path(carom.__file__).parent / "data" / "natural_earth.npz"
RAGGED = ("coords", "ring_offsets", "polygon_offsets")
TIE = 1e-9
"""Degrees within which Shapely's results depend on rounding; such queries aren't compared."""


@pytest.fixture(scope="module")
def column() -> carom.Shapes:
    with np.load(DATA) as ragged:
        return carom.Shapes.from_ragged(*(ragged[name] for name in RAGGED))


@pytest.fixture(scope="module")
def polygons() -> np.ndarray:
    with np.load(DATA) as ragged:
        coords, ring_offsets, polygon_offsets = (ragged[name] for name in RAGGED)
    offsets = ring_offsets, polygon_offsets
    return shapely.from_ragged_array(shapely.GeometryType.POLYGON, coords, offsets)


def some_pairs(polygons: np.ndarray, count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Pairs whose boxes meet, and as many random pairs."""
    tree = shapely.STRtree(polygons)
    near = tree.query(polygons)
    near = near[:, near[0] < near[1]]
    anywhere = np.random.default_rng(seed).integers(0, len(polygons), (2, count))
    return tuple(np.concatenate([near, anywhere], axis=1))


def test_the_file_holds_valid_polygons_one_with_a_hole(
    column: carom.Shapes, polygons: np.ndarray
) -> None:
    assert len(column) == len(polygons) == 288
    assert shapely.is_valid(polygons).all()
    assert shapely.get_num_interior_rings(polygons).sum() == 1
    assert len(column.coords) == 10_365


def test_each_polygon_has_the_name_of_its_country(polygons: np.ndarray) -> None:
    with np.load(DATA) as file:
        names, owners = file["names"], file["owners"]
    assert len(set(names)) == len(names) == 177
    assert np.unique(owners).tolist() == list(range(177))
    cities = {"France": (2.3, 48.9), "Côte d'Ivoire": (-5.3, 6.8), "Lesotho": (28.2, -29.6)}
    for name, city in cities.items():
        around = np.flatnonzero(shapely.contains(polygons, shapely.Point(city)))
        assert names[owners[around]].tolist() == [name]


def test_countries_intersect_when_shapely_finds_that_they_do(
    column: carom.Shapes, polygons: np.ndarray
) -> None:
    i, j = some_pairs(polygons, 3000)
    truth = shapely.intersects(polygons[i], polygons[j])
    assert truth.sum() > 200
    assert carom.intersects_batch(column, column, pairs=(i, j)).tolist() == truth.tolist()


def test_neighbours_touch_as_the_oracle_has_it(column: carom.Shapes, polygons: np.ndarray) -> None:
    i, j = some_pairs(polygons, 0)
    small = np.flatnonzero(shapely.get_num_coordinates(polygons) < 60)
    chosen = np.flatnonzero(np.isin(i, small) & np.isin(j, small))[:60]
    found = carom.intersects_batch(column, column, pairs=(i[chosen], j[chosen]))
    for row, got in zip(chosen, found, strict=True):
        assert got == oracle.intersects(*(rings(polygons[k[row]]) for k in (i, j)))


def rings(polygon: shapely.Polygon) -> list[list[tuple[float, float]]]:
    return [list(ring.coords) for ring in (polygon.exterior, *polygon.interiors)]


def test_distances_are_those_of_shapely(column: carom.Shapes, polygons: np.ndarray) -> None:
    i, j = some_pairs(polygons, 400)
    result = carom.distance_batch(column, column, pairs=(i, j))
    expected = shapely.distance(polygons[i], polygons[j])
    assert result.distance == pytest.approx(expected, rel=1e-9, abs=1e-12)
    apart = np.flatnonzero(expected > 0)
    for points, k in ((result.closest_a, i), (result.closest_b, j)):
        rims = shapely.boundary(polygons[k[apart]])
        assert shapely.distance(rims, shapely.points(points[apart])).max() < 1e-12
    between = np.linalg.norm(result.closest_a - result.closest_b, axis=-1)[apart]
    assert between == pytest.approx(expected[apart], rel=1e-9)


def test_within_reach_as_shapely_has_it(column: carom.Shapes, polygons: np.ndarray) -> None:
    i, j = some_pairs(polygons, 2000, seed=1)
    reach = np.random.default_rng(1).uniform(0, 40, len(i))
    distance = carom.distance_batch(column, column, pairs=(i, j)).distance
    clear = abs(shapely.distance(polygons[i], polygons[j]) - reach) > TIE
    expected = shapely.dwithin(polygons[i], polygons[j], reach)
    assert (distance <= reach)[clear].tolist() == expected[clear].tolist()


def test_discs_reach_countries_as_shapely_has_it(
    column: carom.Shapes, polygons: np.ndarray
) -> None:
    random = np.random.default_rng(2)
    centers = random.uniform((-180, -90), (180, 90), (40, 2))
    radii = random.uniform(0, 30, 40)
    found = carom.circle_polygon_batch(centers[:, None], radii[:, None], column)
    points = shapely.points(centers)[:, None]
    signed = shapely.distance(polygons, points)
    within = shapely.contains(polygons, points)
    signed = np.where(within, -shapely.distance(shapely.boundary(polygons), points), signed)
    clear = abs(signed - radii[:, None]) > TIE
    assert found.intersects[clear].tolist() == (signed <= radii[:, None])[clear].tolist()
    depth = np.maximum(radii[:, None] - signed, 0)
    assert found.depth[clear] == pytest.approx(depth[clear], rel=1e-9, abs=1e-12)


def test_rays_meet_countries_as_shapely_has_it(column: carom.Shapes, polygons: np.ndarray) -> None:
    random = np.random.default_rng(3)
    start = random.uniform((-180, -90), (180, 90), (40, 2))
    velocity = random.uniform(-60, 60, (40, 2))
    found = carom.swept_circle_batch(start[:, None], 0.0, velocity[:, None], column)
    paths = shapely.linestrings(np.stack([start, start + velocity], axis=1))[:, None]
    expected = shapely.intersects(paths, polygons)
    assert expected.sum() > 40
    assert found.will_intersect.tolist() == expected.tolist()
    assert (
        found.intersects.tolist()
        == shapely.intersects(shapely.points(start)[:, None], polygons).tolist()
    )


def test_a_drifting_country_touches_at_its_time_and_not_before(
    column: carom.Shapes, polygons: np.ndarray
) -> None:
    i, j = some_pairs(polygons, 400, seed=4)
    apart = ~shapely.intersects(polygons[i], polygons[j])
    i, j = i[apart], j[apart]
    random = np.random.default_rng(4)
    towards = shapely.centroid(polygons[j]), shapely.centroid(polygons[i])
    dx, dy = (f(towards[0]) - f(towards[1]) for f in (shapely.get_x, shapely.get_y))
    velocity = np.stack([dx, dy], axis=-1) * random.uniform(0.3, 1.5, (len(i), 1))
    found = carom.swept_collision_batch(column, column, velocity, pairs=(i, j))
    assert found.will_intersect.mean() > 0.3
    for row in np.flatnonzero(found.will_intersect):
        t, b = found.time[row], polygons[j[row]]
        x, y = velocity[row]
        there = translate(polygons[i[row]], x * t, y * t)
        assert there.distance(b) < TIE
        assert shapely.Point(found.contact[row, 0]).distance(b.boundary) < TIE
        for part in (0.3, 0.7, 1 - 1e-6):
            before = translate(polygons[i[row]], x * t * part, y * t * part)
            assert before.distance(b) > 0
    for row in np.flatnonzero(~found.will_intersect):
        for part in (0.25, 0.5, 0.75, 1.0):
            x, y = velocity[row] * part
            assert translate(polygons[i[row]], x, y).distance(polygons[j[row]]) > 0


def test_parts_of_countries_are_convex_and_as_large_together(polygons: np.ndarray) -> None:
    for polygon in polygons:
        parts = carom.convex_parts(rings(polygon))
        assert parts.is_convex.all()
        whole = sum(shapely.Polygon(part).area for part in parts)
        assert whole == pytest.approx(polygon.area, rel=1e-12)

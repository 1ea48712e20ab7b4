"""Parts and holes in any order: each query has the same answer, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import carom
import numpy as np
import pytest
import shapely

from helpers import bits

SIDE = 11
SQUARE = np.array([(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)])
Kind = Callable[[np.ndarray], Any]


def parts(seed: int) -> np.ndarray:
    """Quadrilaterals in the cells of a grid, no two distances equal."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(SIDE, dtype=float), np.arange(SIDE, dtype=float))
    places = np.stack([x.ravel(), y.ravel()], axis=-1)[:, None]
    rings = SQUARE + rng.uniform(-0.1, 0.1, (SIDE**2, 4, 2))
    return places + rings * rng.uniform(0.2, 1.0, (SIDE**2, 1, 1))


SHELL = [(-1.0, -1.0), (SIDE, -1.0), (SIDE, SIDE), (-1.0, SIDE)]
KINDS: dict[str, Kind] = {
    "polygons": lambda rings: shapely.MultiPolygon([shapely.Polygon(ring) for ring in rings]),
    "holes": lambda rings: shapely.Polygon(SHELL, list(rings)),
    "paths": lambda rings: shapely.MultiLineString(list(rings)),
    "closed paths": lambda rings: shapely.MultiLineString(
        [np.concatenate([ring, ring[:1]]) for ring in rings]
    ),
    "points": lambda rings: shapely.MultiPoint(rings.reshape(-1, 2)),
}


def vertices(shape: Any) -> np.ndarray:
    """The vertices as they are numbered: without those that close the rings of polygons."""
    if not shape.geom_type.endswith("Polygon"):
        return shapely.get_coordinates(shape)
    rings = shapely.get_rings(shapely.get_parts(shape))
    return np.concatenate([shapely.get_coordinates(ring)[:-1] for ring in rings])


def others(rng: np.random.Generator) -> list[Any]:
    """Shapes that lie in gaps, in parts, on them, around some and around all."""
    at = rng.uniform(-2.0, SIDE + 1.0, (300, 2))
    small = [shapely.Point(xy) for xy in at[:80]]
    small += [shapely.LineString([xy, xy + rng.uniform(-1, 1, 2)]) for xy in at[80:160]]
    small += [shapely.Polygon(xy + SQUARE * rng.uniform(0.01, 0.9)) for xy in at[160:240]]
    around = [shapely.Polygon(xy + SQUARE * rng.uniform(2, 30)) for xy in at[240:]]
    frame = shapely.Polygon(SQUARE * 200, [SQUARE * 150])
    return [*small, *around, frame, shapely.Polygon(SQUARE * 500)]


def answers(shape: Any, seed: int) -> dict[str, Any]:
    """What every query says of other shapes and one in many parts."""
    rng = np.random.default_rng(seed)
    column, rows = carom.Shapes([shape]), carom.Shapes(others(rng))
    velocity = rng.uniform(-3.0, 3.0, (len(rows), 2))
    centers, radii = rng.uniform(-2.0, SIDE + 1.0, (500, 2)), rng.uniform(0.0, 0.5, 500)
    found: dict[str, Any] = {
        "intersects": carom.intersects_batch(rows, column),
        "swapped": carom.intersects_batch(column, rows),
        "within": carom.intersects_batch(rows, column, margin=0.3),
        "join": carom.colliding_pairs(rows, column),
    }
    if shape.geom_type.endswith("Polygon"):
        on_ring = vertices(shape)
        on_ring = on_ring[np.lexsort(on_ring.T)]
        found["locate"] = carom.locate(np.concatenate([centers, on_ring]), column)
    results = {
        "distance": carom.distance_batch(rows, column),
        "circle": carom.circle_polygon_batch(centers, radii, column),
        "swept circle": carom.swept_circle_batch(centers, radii, velocity[:1], column),
        "sweep": carom.swept_collision_batch(rows, column, velocity),
        "rounded": carom.swept_collision_batch(rows, column, velocity, margin=0.1),
        "approach": carom.closest_approach_batch(rows, column, velocity),
        "ray": carom.ray_cast(centers, velocity[:1], column, length=1),
    }
    for query, result in results.items():
        for field, values in result._asdict().items():
            found[f"{query}, {field}"] = values
    found["circle, index"] = vertices(shape)[found["circle, index"]]
    intervals = carom.contact_intervals_batch(rows, column, velocity)
    return found | {"intervals": intervals.intervals, "offsets": intervals.offsets}


@pytest.mark.parametrize("count", [16, SIDE**2])
@pytest.mark.parametrize("kind", KINDS)
def test_parts_in_any_order_have_the_same_answers(kind: str, count: int) -> None:
    rings = parts(7)[:count]
    order = np.random.default_rng(8).permutation(count)
    ordered, shuffled = (answers(KINDS[kind](it), 9) for it in (rings, rings[order]))
    for name, values in ordered.items():
        assert bits(values) == bits(shuffled[name]), name


def test_a_point_is_located_among_shuffled_parts_as_shapely_does() -> None:
    rings = parts(3)[np.random.default_rng(4).permutation(SIDE**2)]
    shape = KINDS["polygons"](rings)
    points = np.random.default_rng(5).uniform(-1.0, SIDE, (20_000, 2))
    assert ((carom.locate(points, shape) >= 0) == shapely.intersects_xy(shape, *points.T)).all()


@pytest.mark.parametrize("count", [1, 64, 65, SIDE**2])
def test_a_polygon_around_one_of_many_parts_meets_it(count: int) -> None:
    rings = parts(6)[:count]
    shape = KINDS["polygons"](rings)
    rng = np.random.default_rng(count)
    for ring in rings[rng.integers(0, count, 20)]:
        around = shapely.Polygon(ring.mean(axis=0) + SQUARE * 1.6)
        assert carom.intersects(around, shape)
        assert carom.intersects(shape, around)
        gap = shapely.Polygon(ring[0] - (0.08, 0.08) + SQUARE * 0.01)
        assert carom.intersects(gap, shape) == shapely.intersects(gap, shape)

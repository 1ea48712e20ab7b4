"""Scalar functions on a row of a column: the bits of the batch, whatever the row keeps."""

from __future__ import annotations

from typing import Any

import carom
import numpy as np
import pytest
import shapely

from helpers import assert_row_is_scalar, bits

SQUARE = np.array([(0.0, 0.0), (0.7, 0.0), (0.7, 0.7), (0.0, 0.7)])
SIDE = 60


def places() -> np.ndarray:
    x, y = np.meshgrid(np.arange(SIDE, dtype=float), np.arange(SIDE, dtype=float))
    return np.stack([x.ravel(), y.ravel()], axis=-1)[:, None]


def disc(vertices: int, inner: float = 1.0) -> np.ndarray:
    """A ring around the middle, of which every other vertex lies nearer to it."""
    angle = np.arange(vertices) * 2.0 * np.pi / vertices
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    ring[::2] *= inner
    return SIDE / 2 * (1.0 + ring)


def large() -> dict[str, Any]:
    """A shape of each kind with many vertices."""
    squares = places() + SQUARE
    around = [(-1.0, -1.0), (SIDE, -1.0), (SIDE, SIDE), (-1.0, SIDE)]
    return {
        "points": shapely.MultiPoint(squares[:, 0]),
        "polygons": shapely.MultiPolygon([shapely.Polygon(ring) for ring in squares]),
        "paths": shapely.MultiLineString(list(squares)),
        "holes": shapely.Polygon(around, list(squares)),
        "concave ring": shapely.Polygon(disc(4_000, 0.9)),
        "convex ring": shapely.Polygon(disc(4_000)),
        "path": shapely.LineString(disc(4_000, 0.9)),
        "closed path": shapely.LinearRing(disc(4_000)),
    }


def others() -> carom.Shapes:
    """Points, segments and polygons: apart, touching, inside; and one large polygon."""
    at = np.random.default_rng(5).uniform(-5.0, SIDE + 5.0, (36, 2))
    at[:6] = (SIDE / 2, SIDE / 2), (3.0, 3.0), (3.7, 3.7), (0.85, 0.35), (-1.0, 5.0), (9.85, 9.85)
    small = [shapely.Point(xy) for xy in at[:12]]
    small += [shapely.LineString([xy, xy + np.array([0.4, 0.2])]) for xy in at[12:24]]
    small += [shapely.Polygon(xy + SQUARE / 4) for xy in at[24:]]
    return carom.Shapes([*small, shapely.Polygon(disc(700, 0.5))])


@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize("kind", large())
def test_a_row_of_a_column_has_the_answers_of_the_batch(kind: str, margin: float) -> None:
    column = carom.Shapes([shapely.Point(0, 0), large()[kind], shapely.Point(1, 1)])
    rows = others()
    velocity = np.random.default_rng(6).uniform(-4.0, 4.0, (len(rows), 2))
    meet = carom.intersects_batch(rows, column[1:2], margin=margin)
    intervals = carom.contact_intervals_batch(rows, column[1:2], velocity, margin=margin)
    results = {
        "distance": carom.distance_batch(rows, column[1:2]),
        "approach": carom.closest_approach_batch(rows, column[1:2], velocity),
        "sweep": carom.swept_collision_batch(rows, column[1:2], velocity, margin=margin),
    }
    for row in range(len(rows)):
        one = rows[row : row + 1]
        for other in (column[1:2], column[[1]]):
            assert carom.intersects(one, other, margin=margin) == meet[row]
            assert carom.intersects(other, one, margin=margin) == meet[row]
            scalars = {
                "distance": carom.distance(one, other),
                "approach": carom.closest_approach(one, other, velocity[row]),
                "sweep": carom.swept_collision(one, other, velocity[row], margin=margin),
            }
            for query, scalar in scalars.items():
                assert_row_is_scalar(results[query], row, scalar)
            own = carom.contact_intervals(one, other, velocity[row], margin=margin)
            assert bits(own) == bits(intervals[row])


@pytest.mark.parametrize("kind", large())
def test_circles_and_points_beside_a_row_have_the_answers_of_the_batch(kind: str) -> None:
    column = carom.Shapes([large()[kind], shapely.Point(1, 1)])
    row = column[:1]
    rng = np.random.default_rng(7)
    centers, radii = rng.uniform(-5.0, SIDE + 5.0, (30, 2)), rng.uniform(0.0, 2.0, 30)
    centers[:3] = (SIDE / 2, SIDE / 2), (3.85, 3.85), (3.7, 3.35)
    velocity = rng.uniform(-4.0, 4.0, (30, 2))
    at_rest = carom.circle_polygon_batch(centers, radii, row)
    swept = carom.swept_circle_batch(centers, radii, velocity, row)
    where = carom.locate(centers, row)
    for k, center in enumerate(centers):
        assert_row_is_scalar(at_rest, k, carom.circle_polygon(center, radii[k], row))
        assert_row_is_scalar(swept, k, carom.swept_circle(center, radii[k], velocity[k], row))
        assert carom.locate(center, row) == where[k]


def test_a_missing_row_is_refused_as_before() -> None:
    column = carom.Shapes([None, SQUARE])
    with pytest.raises(ValueError, match="missing"):
        carom.distance((SQUARE + 3.0), column[:1])

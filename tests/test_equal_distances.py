"""Distances from the centers of circles, where all features are as good as equally near."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import carom
import numpy as np
import pytest
import shapely

from helpers import bits


def regular(vertices: int, start: float = 0.0) -> np.ndarray:
    angle = start + np.arange(vertices) * 2.0 * np.pi / vertices
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def mirrored(vertices: int) -> np.ndarray:
    """A ring of which every eighth is an exact image of the first."""
    angle = np.arange(1, vertices) * (np.pi / 4) / vertices
    first = [(float(x), float(y)) for x, y in zip(np.cos(angle), np.sin(angle), strict=True)]
    quarter = [(1.0, 0.0), *first, *((y, x) for x, y in reversed(first))]
    half = quarter + [(-y, x) for x, y in quarter]
    return np.array(half + [(-x, -y) for x, y in half])


def whole() -> np.ndarray:
    """Whole numbers on a circle, counterclockwise."""
    found = {(x, y) for x in range(-65, 66) for y in range(-65, 66) if x * x + y * y == 65 * 65}
    return np.array(sorted(found, key=lambda p: np.arctan2(p[1], p[0])), dtype=float)


def squares(center: np.ndarray, ring: np.ndarray) -> list[Fraction]:
    """The squared distance of a point from each edge of a ring."""
    (px, py), points = map(Fraction, center), [tuple(map(Fraction, p)) for p in ring]
    found = []
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
        dx, dy, gx, gy = bx - ax, by - ay, px - ax, py - ay
        t = min(max((dx * gx + dy * gy) / (dx * dx + dy * dy), Fraction(0)), Fraction(1))
        found.append((gx - t * dx) ** 2 + (gy - t * dy) ** 2)
    return found


RINGS = {
    "64": regular(64),
    "64, from elsewhere": regular(64, 0.1),
    "99": 3.0 * regular(99) + np.array([0.1, 0.7]),
    "mirrored": mirrored(20),
    "whole": whole(),
    "at large coordinates": regular(40) + np.array([500_000.0, 5_000_000.0]),
    "1,000": regular(1_000),
}
CENTERS = {"99": (0.1, 0.7), "at large coordinates": (500_000.0, 5_000_000.0)}


def shapes(ring: np.ndarray, center: np.ndarray) -> dict[str, Any]:
    """Shapes that have this ring as their boundary, or as part of it."""
    box = center + 9.0 * np.ptp(ring) * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return {
        "path": shapely.LinearRing(ring),
        "hole": shapely.Polygon(box, [ring]),
        "hole, the other way round": shapely.Polygon(box, [ring[::-1]]),
    }


@pytest.mark.parametrize("name", RINGS)
def test_the_first_of_the_nearest_edges_is_told(name: str) -> None:
    ring = RINGS[name]
    middle = CENTERS.get(name, (0.0, 0.0))
    for center in np.array([middle, np.nextafter(middle, 1.0), np.add(middle, 0.001)]):
        exact = squares(center, ring)
        first = exact.index(min(exact))
        point = carom.Shapes.from_points([center])
        nearest = shapely.LineString(ring[[first, (first + 1) % len(ring)]])
        alone = carom.distance(point, nearest)
        for kind, shape in shapes(ring, center).items():
            column = carom.Shapes([shape])
            found = carom.distance(point, column)
            assert bits(found.distance) == bits(alone.distance), kind
            circle = carom.circle_polygon(center, 0.0, column)
            # Rounded in other places.
            assert abs(circle.distance - alone.distance) <= 1e-14 * alone.distance
            if kind == "path":
                assert bits(found.closest_b) == bits(alone.closest_b)


@pytest.mark.parametrize("name", RINGS)
def test_the_first_of_the_nearest_points_is_told(name: str) -> None:
    ring = RINGS[name]
    center = np.array(CENTERS.get(name, (0.0, 0.0)))
    (x, y), exact = map(Fraction, center), []
    for p, q in ring:
        exact.append((Fraction(p) - x) ** 2 + (Fraction(q) - y) ** 2)
    first = exact.index(min(exact))
    found = carom.distance(carom.Shapes.from_points([center]), shapely.MultiPoint(ring))
    assert found.closest_b.tolist() == ring[first].tolist()


def test_the_nearest_row_of_equals_is_the_lowest() -> None:
    ring = whole()
    points = carom.Shapes.from_points(np.concatenate([ring, ring + 200.0]))
    center = carom.Shapes.from_points([(0.0, 0.0)])
    found = carom.nearest(center, points, k=len(ring))
    assert found.pairs[1].tolist() == list(range(len(ring)))
    assert (found.distance == 65.0).all()

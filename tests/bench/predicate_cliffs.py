"""Predicates of shapes that share borders: parcels, a coast within itself, municipalities; areas.

As in cliffs.py, a question is answered by carom and by a peer, one thread. Frames are joined with
GeoPandas, whose index of a frame is kept; columns beside Shapely's tree, which is kept, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import carom
import geopandas
import numpy as np
import shapely
from carom.interop import geopandas as cg
from cliffs import ONE, SQUARE, Cliff, stars
from map_cliffs import disc, grid, turned
from timing import Floats


def coast(vertices: int) -> Floats:
    """Returns a jagged ring around the origin."""
    random = np.random.default_rng(vertices)
    angle = np.arange(vertices) * 2.0 * np.pi / vertices
    radius = 1.0 + 0.2 * np.sin(7.0 * angle) + random.uniform(0.0, 20.0 / vertices, vertices)
    return radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def municipalities(ring: Floats, count: int) -> Any:
    """Returns the polygons into which lines to an inner ring divide what a coast encloses."""
    size = len(ring) // count
    stretches = np.append(ring, ring[:1], axis=0)
    inner = 0.5 * ring[::size]
    return [
        shapely.Polygon(
            [*stretches[k * size : (k + 1) * size + 1], inner[(k + 1) % count], inner[k]]
        )
        for k in range(count)
    ]


def parcels() -> tuple[Any, Any]:
    """Returns parcels, and the halves into which they were divided at vertices of theirs."""
    old = np.array([(0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1), (0, 0.5)])
    at = grid(10_000, 1.0)
    halves = [old[[0, 1, 5, 6, 7]] + at, old[[1, 2, 3, 4, 5]] + at]
    return tuple(turned(shapely.polygons(rings)) for rings in (old + at, np.concatenate(halves)))


def joined() -> Iterator[tuple[str, str, float, Any, Any]]:
    """Data, the predicate, the goal, and the geometries of both sides."""
    squares = shapely.polygons(SQUARE + grid(10_000, 1.0))
    yield "10,000 squares, themselves", "covers", 2.0, squares, squares
    old, new = parcels()
    yield "20,000 parcels, 10,000 older ones", "within", 2.0, new, old
    for vertices in (10_000, 50_000, 200_000):
        ring = [shapely.Polygon(coast(vertices))]
        yield f"a coast of {vertices:,}, itself", "within", 1.5, ring, ring
    ring = coast(30_000)
    some = municipalities(ring, 300)
    yield "300 municipalities, their country", "within", 1.5, some, [shapely.Polygon(ring)]
    tips = np.exp(2j * np.pi * np.arange(1_000) / 1_000).view(float).reshape(500, 2, 2)
    fan = shapely.polygons(np.concatenate([np.zeros((500, 1, 2)), tips], axis=1))
    both = [[shapely.MultiPolygon(list(parts))] for parts in (fan, fan[::-1])]
    yield "500 triangles that meet in a point, in another order", "within", 1.0, *both
    random = np.random.default_rng(3)
    places = random.normal(0.0, 0.02, (300, 30, 2)) + random.uniform(-1.0, 1.0, (300, 1, 2))
    several = [shapely.MultiPoint(xy) for xy in places]
    shore = [shapely.Polygon(coast(50_000))]
    yield "300 MultiPoints, a coast of 50,000", "within", 1.5, several, shore


def predicates() -> Iterator[Cliff]:
    """Joins by a predicate, of frames and of columns."""
    for data, predicate, goal, a, b in joined():
        frames = geopandas.GeoDataFrame(geometry=a), geopandas.GeoDataFrame(geometry=b)
        ask = partial(cg.sjoin, *frames, predicate=predicate, **ONE)
        peer = partial(geopandas.sjoin, *frames, predicate=predicate)
        yield Cliff(data, f"sjoin {predicate!r}", "GeoPandas", goal, ask, peer)
        columns = carom.Shapes(a), carom.Shapes(b)
        ask = partial(carom.colliding_pairs, *columns, predicate=predicate, **ONE)
        peer = partial(shapely.STRtree(b).query, a, predicate=predicate)
        yield Cliff(data, predicate, "STRtree, kept", goal, ask, peer)


def overlap_areas() -> Iterator[Cliff]:
    """The areas that pairs have in common: small polygons, parcels and their halves, coasts."""
    random = np.random.default_rng(4)
    shift = random.uniform(-0.5, 0.5, (10_000, 1, 2))
    for vertices in (4, 16, 64):
        rings = disc(vertices) * random.uniform(0.5, 1.0, (10_000, 1, 1))
        jagged = stars(random, vertices, 10_000)
        for kind, a in (("convex", rings), ("concave", jagged)):
            pairs = shapely.polygons(a), shapely.polygons(a[::-1] + shift)
            yield area_row(f"10,000 pairs of {kind} {vertices}-gons", 1.5, *pairs)
    old, new = parcels()
    yield area_row("10,000 parcels, halves of theirs", 1.5, old, new[:10_000])
    for vertices in (1_000, 50_000):
        one = shapely.Polygon(coast(vertices))
        other = shapely.transform(one, lambda xy: xy + 0.01)
        yield area_row(f"two coasts of {vertices:,}", 1.5, np.array([one]), np.array([other]))


def area_row(data: str, goal: float, a: Any, b: Any) -> Cliff:
    """Areas in common, of columns and of geometries."""
    ask = partial(carom.overlap_area_batch, carom.Shapes(a), carom.Shapes(b), **ONE)

    def peer() -> Any:
        return shapely.area(shapely.intersection(a, b))

    return Cliff(data, "overlap_area", "Shapely", goal, ask, peer)


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {
    "predicates": predicates,
    "overlap areas": overlap_areas,
}

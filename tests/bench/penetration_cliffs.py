"""Ways out of each other: concave polygons, counties, and labels that slide off a map.

As in cliffs.py, a question is answered by carom and by a peer, both warm, columns and convex pieces
made before, one thread. The peer is Shapely's union of the Minkowski differences of all pairs of
convex pieces, and what of its boundary is nearest to the origin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import carom
import numpy as np
import shapely
from cliffs import ONE, Cliff, stars
from growth import maps, rough_ring
from scalar import ELL
from timing import Floats

UNION, LABELS = "Shapely's union", 200
DEPTH = partial(carom.penetration_batch, fields=("depth",), **ONE)
TO_THE_RIGHT = np.array([1.0, 0.0])
SHARE = 0.01
"""How far neighbouring counties are moved into each other, of the way between their centers."""


class Pieces:
    """The convex pieces of a polygon, as the peer has them."""

    def __init__(self, polygon: Any) -> None:
        parts = carom.convex_parts(polygon)
        self.rings = [parts[row : row + 1].coords for row in range(len(parts))]
        self.tree = shapely.STRtree(parts.to_shapely())


def penetration() -> Iterator[Cliff]:
    """Pairs that overlap, deeply and not."""
    random = np.random.default_rng(19)
    turned = np.stack([ELL, ELL[:, ::-1] * (1.0, -1.0), -ELL, ELL[:, ::-1] * (-1.0, 1.0)])
    ells = turned[random.integers(0, 4, (2, 500))]
    ells[1] += random.uniform(-2.0, 2.0, (500, 1, 2))
    yield way_out("500 pairs of L-shapes", list(ells[0]), list(ells[1]))
    a, b = stars(random, 64, 10), stars(random, 64, 10)
    b += random.uniform(-1.0, 1.0, (10, 1, 2))
    yield way_out("10 pairs of concave 64-gons", list(a), list(b))
    yield from neighbours(random)
    yield labels(random)


def neighbours(random: np.random.Generator) -> Iterator[Cliff]:
    """Areas of a map and their neighbours, moved a little into each other."""
    for name, areas in maps():
        i, j = carom.colliding_pairs(carom.Shapes(areas), **ONE)
        i, j = np.array([i, j])[:, shapely.length(shapely.intersection(areas[i], areas[j])) > 0]
        some = random.choice(len(i), 30, replace=False)
        middle = shapely.get_coordinates(shapely.centroid(areas))
        moved = [
            shapely.transform(areas[p], lambda xy, way=middle[q] - middle[p]: xy + SHARE * way)
            for p, q in zip(i[some], j[some], strict=True)
        ]
        yield way_out(f"30 pairs of neighbours, {name}", moved, list(areas[j[some]]))


def way_out(data: str, a: list[Any], b: list[Any]) -> Cliff:
    """Returns the question of how deeply pairs overlap."""
    ask = partial(DEPTH, carom.Shapes(a), carom.Shapes(b))
    peer = partial(depths, [(Pieces(p), Pieces(q)) for p, q in zip(a, b, strict=True)])
    print(difference(data, peer(), ask().depth))
    return Cliff(data, "penetration", UNION, None, ask, peer)


def depths(pairs: list[tuple[Pieces, Pieces]]) -> Floats:
    """Returns how deeply pairs overlap, by Shapely."""
    origin = shapely.Point(0, 0)
    unions = [union(a.rings, b.rings) for a, b in pairs]
    inside = shapely.contains(unions, origin)
    return np.where(inside, shapely.distance(shapely.boundary(unions), origin), 0.0)


def union(a: list[Floats], b: list[Floats]) -> Any:
    """Returns the translations of `a` that make the interiors meet."""
    sums = [(q[:, None] - p).reshape(-1, 2) for p in a for q in b]
    rows = np.repeat(np.arange(len(sums)), [len(points) for points in sums])
    return shapely.union_all(
        shapely.convex_hull(shapely.multipoints(np.concatenate(sums), indices=rows))
    )


def labels(random: np.random.Generator) -> Cliff:
    """Boxes of several sizes on a coast, that may only slide to the right."""
    coast = rough_ring(5, 2_000)
    size = random.uniform((0.02, 0.01), (0.12, 0.03), (LABELS, 2))
    corners = random.uniform(-1.2, 1.2, (LABELS, 2))
    boxes = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]) * size[:, None]
    boxes += corners[:, None]
    ask = partial(DEPTH, carom.Shapes(boxes), carom.Shapes([coast]), direction=TO_THE_RIGHT)
    peer = partial(slides, boxes, Pieces(coast))
    data = f"{LABELS} labels on a coast of 2,000 vertices"
    print(difference(data, peer(), ask().depth))
    return Cliff(data, "penetration along a direction", UNION, None, ask, peer)


def slides(boxes: Floats, pieces: Pieces) -> Floats:
    """Returns how far boxes slide to the right until they are free, by Shapely."""
    end = np.max([ring.max(axis=0)[0] for ring in pieces.rings])
    origin, found = shapely.Point(0, 0), np.zeros(len(boxes))
    for row, box in enumerate(boxes):
        (left, low), (_, high) = box.min(axis=0), box.max(axis=0)
        ahead = pieces.tree.query(shapely.box(left, low, end, high))
        if len(ahead):
            region = union([box], [pieces.rings[piece] for piece in ahead])
            if shapely.contains(region, origin):
                ray = shapely.LineString([(0, 0), (2.0 * (end - left), 0)])
                found[row] = shapely.distance(shapely.difference(ray, region), origin)
    return found


def difference(data: str, found: Floats, truth: Floats) -> str:
    """Returns how often Shapely is off, whose unions lose the points where shapes fit exactly."""
    off = np.abs(found - truth)
    return f"Shapely's union for {data}: {np.sum(off > 1e-9)} differ, by up to {off.max():.3g}"


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {"penetration": penetration}

"""Geometries of maps: validity, areas, the nearest of equals, many parts, and single objects.

As in cliffs.py, a question is answered by carom and by Shapely, one thread. A column is made from
Shapely's geometries, which includes reading and indexing them; Shapely only says whether they are
valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import carom
import numpy as np
import shapely
from cliffs import ONE, SQUARE, Cliff, stars
from timing import Floats

CALLS = 100


def grid(count: int, step: float) -> Floats:
    """Returns the places of `count` things on a square grid, shape (count, 1, 2)."""
    side = int(count**0.5)
    x, y = np.meshgrid(np.arange(side), np.arange(side))
    return step * np.stack([x.ravel(), y.ravel()], axis=-1)[:, None]


def box(radius: float) -> Floats:
    """Returns a square around the origin."""
    return radius * (2.0 * SQUARE - 1.0)


def disc(vertices: int) -> Floats:
    """Returns a regular polygon in the unit circle."""
    angle = np.arange(vertices) * 2.0 * np.pi / vertices
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def turned(geometry: Any) -> Any:
    """Returns a geometry turned by 0.7, so that hardly any edge keeps its line exactly."""
    turn = np.array([(np.cos(0.7), np.sin(0.7)), (-np.sin(0.7), np.cos(0.7))])
    return shapely.transform(geometry, lambda xy: xy @ turn)


def divided(ring: Floats, pieces: int) -> Floats:
    """Returns a ring each of whose edges is divided into so many."""
    along = (np.arange(pieces) / pieces)[None, :, None]
    edges = (np.roll(ring, -1, axis=0) - ring)[:, None]
    return (ring[:, None] + along * edges).reshape(-1, 2)


def mapped() -> dict[str, Any]:
    """Returns geometries that are hard to validate, by name."""
    holes = SQUARE + 1.0 + grid(40_000, 2.0)
    around = np.array([(0.0, 0.0), (401.0, 0.0), (401.0, 401.0), (0.0, 401.0)])
    bands = [(box(4.0 * k + 4.0), [box(4.0 * k + 3.0)]) for k in range(3_000)]
    tips = disc(2_000).reshape(1_000, 2, 2)
    fan = np.concatenate([np.zeros((1_000, 1, 2)), tips], axis=1)
    bent = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 2.0), (2.0, 4.0), (0.0, 4.0)])
    frame = np.array([(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)])
    several = shapely.multipolygons
    return {
        "40,000 holes": shapely.Polygon(around, list(holes)),
        "40,000 holes, turned": turned(shapely.Polygon(around, list(holes))),
        "3,000 bands in each other": shapely.MultiPolygon(bands),
        "1,000 triangles that meet in a point": several(shapely.polygons(fan)),
        "1,000 holes that meet in a point": shapely.Polygon(frame, list(fan)),
        "10,000 discs": several(shapely.polygons(disc(64) + grid(10_000, 3.0))),
        "10,000 discs that touch": several(shapely.polygons(disc(64) + grid(10_000, 2.0))),
        "40,000 squares": several(shapely.polygons(SQUARE + grid(40_000, 2.0))),
        "6 edges in 20,000 pieces": shapely.Polygon(divided(bent, 20_000)),
        "6 edges in 20,000 pieces, turned": turned(shapely.Polygon(divided(bent, 20_000))),
    }


def validity() -> Iterator[Cliff]:
    """Whether large geometries are valid, and a column of many small ones."""
    random = np.random.default_rng(12)
    small = shapely.polygons(
        stars(random, 12, 20_000) + random.uniform(0.0, 1_000.0, (20_000, 1, 2))
    )
    rows = {name: [geometry] for name, geometry in mapped().items()} | {
        "20,000 concave polygons of 12 vertices": small
    }
    for name, geometries in rows.items():
        ask = partial(carom.Shapes.from_shapely, geometries, on_invalid="mask")
        peer = partial(shapely.is_valid, geometries)
        yield Cliff(name, "is_valid", "Shapely", 1.0, ask, peer)


def measured() -> Iterator[tuple[str, Any]]:
    """Geometries of one kind and size, and what they are."""
    yield "20,000 convex, 4 vertices", shapely.polygons(SQUARE + grid(20_000, 2.0))
    for vertices, count in ((12, 20_000), (1_000, 200), (100_000, 1)):
        random = np.random.default_rng(vertices)
        for kind, rings in (
            ("concave", stars(random, vertices, count)),
            ("convex", np.tile(disc(vertices), (count, 1, 1))),
        ):
            yield f"{count:,} {kind}, {vertices:,} vertices", shapely.polygons(rings)
    frames = [shapely.Polygon(box(3.0) + at, [box(1.0) + at]) for at in grid(20_000, 8.0)]
    yield "20,000 squares with a square hole", np.array(frames)
    yield "a polygon with 40,000 holes", np.array([mapped()["40,000 holes, turned"]])


def measures() -> Iterator[Cliff]:
    """Areas and centroids of columns."""
    for data, geometries in measured():
        column = carom.Shapes.from_shapely(geometries, check=False)
        for name, of_peer in (("area", shapely.area), ("centroid", shapely.centroid)):
            ask, peer = partial(getattr, column, name), partial(of_peer, geometries)
            yield Cliff(data, name, "Shapely", 1.0, ask, peer)


def ties() -> Iterator[Cliff]:
    """The nearest of many that are equally near."""
    copies = shapely.points(np.tile((3.1, 4.7), (20_000, 1)))
    squares = shapely.polygons(SQUARE + grid(40_000, 1.0))
    some = shapely.polygons(0.5 * SQUARE + np.random.default_rng(1).uniform(0, 200, (2_000, 1, 2)))
    cover = shapely.polygons(np.tile(box(400.0), (2_000, 1, 1)))
    for name, rows, others in (
        ("2,000 boxes and 20,000 copies of a point", some, copies),
        ("2,000 boxes on 40,000 squares", some, squares),
        ("2,000 copies of a box over 40,000 squares", cover, squares),
    ):
        columns = carom.Shapes(rows), carom.Shapes(others)
        ask = partial(carom.nearest, *columns, **ONE)
        query = shapely.STRtree(others).query_nearest
        peer = partial(query, rows, return_distance=True, all_matches=False)
        yield Cliff(name, "nearest", "STRtree, kept", 1.0, ask, peer)


def multipoints() -> Iterator[Cliff]:
    """A MultiPoint as a column, beside Shapely's way to ask about it more than once."""
    xy = np.random.default_rng(2).uniform(0.0, 1_000.0, (100_000, 2))
    geometry = shapely.MultiPoint(xy)
    ask = partial(carom.Shapes, [geometry])

    def peer() -> None:
        shapely.STRtree(shapely.get_parts(geometry)).query(shapely.box(0, 0, 1, 1))

    yield Cliff("a MultiPoint of 100,000", "reading and indexing", "STRtree", 1.0, ask, peer)


def parts() -> Iterator[Cliff]:
    """MultiPolygons whose parts come in no order: points in them, and polygons in their gaps."""
    random = np.random.default_rng(4)
    side, of = 300.0, random.permutation
    shuffled = shapely.multipolygons(shapely.polygons(SQUARE + of(grid(22_500, 2.0))))
    in_order = carom.Shapes([shapely.multipolygons(shapely.polygons(SQUARE + grid(22_500, 2.0)))])
    column = carom.Shapes([shuffled])
    shapely.prepare(shuffled)
    xy = random.uniform(0.0, side, (5_000, 2))
    ask = partial(carom.locate, xy, column, **ONE)
    peer = partial(shapely.contains_xy, shuffled, xy[:, 0], xy[:, 1])
    data = "5,000 points in 22,500 shuffled parts"
    yield Cliff(data, "locate", "Shapely, prepared", 5.0, ask, peer)
    easy = partial(carom.locate, xy, in_order, **ONE)
    yield Cliff(data, "locate", "carom, in order", 0.8, ask, easy)
    points = carom.Shapes.from_points(xy)
    near = partial(carom.distance_batch, points, column, fields=("distance",), **ONE)
    easy = partial(carom.distance_batch, points, in_order, fields=("distance",), **ONE)
    yield Cliff(data, "distance", "carom, in order", 0.8, near, easy)
    many = shapely.multipolygons(shapely.polygons(SQUARE + of(grid(90_000, 2.0))))
    small = 0.5 * SQUARE + 1.25 + 2.0 * random.integers(0, 299, (200, 1, 2))
    gaps, column = shapely.polygons(small), carom.Shapes([many])
    ask = partial(carom.intersects_batch, carom.Shapes(small), column, **ONE)
    peer = partial(shapely.intersects, gaps, many)
    yield Cliff("200 squares in gaps of 90,000 parts", "intersects", "Shapely", 20.0, ask, peer)


def centers() -> Iterator[Cliff]:
    """Distances from the centers of circles: all features are as good as equally near."""
    for vertices, count in ((64, 5_000), (1_000, 300), (100_000, 3)):
        ring = disc(vertices)
        middles = carom.Shapes.from_points(np.zeros((count, 2)))
        around = shapely.Polygon(box(3.0), [ring])
        for name, geometry in (
            ("ring", shapely.LinearRing(ring)),
            ("hole", around),
            ("points", shapely.MultiPoint(ring)),
        ):
            column = carom.Shapes([geometry])
            ask = partial(carom.distance_batch, middles, column, fields=("distance",), **ONE)
            peer = partial(shapely.distance, shapely.points(np.zeros((count, 2))), geometry)
            data = f"the center of a regular {vertices:,}-gon, {name}"
            yield Cliff(data, "distance", "Shapely", 1.0, ask, peer)


def kept_rows() -> Iterator[Cliff]:
    """Single calls with a point and a row of a column, which keeps what it knows of the shape."""
    squares = SQUARE + grid(100_000, 2.0)
    around = np.array([(-1.0, -1.0), (700.0, -1.0), (700.0, 700.0), (-1.0, 700.0)])
    point, place = carom.Shapes.from_points([(313.7, 313.2)]), shapely.Point(313.7, 313.2)
    for name, geometry in {
        "MultiPolygon of 100,000 parts": shapely.multipolygons(shapely.polygons(squares)),
        "MultiPoint of 100,000": shapely.MultiPoint(squares[:, 0]),
        "MultiLineString of 100,000": shapely.multilinestrings(list(squares)),
        "Polygon with 100,000 holes": shapely.Polygon(around, list(squares)),
        "ring of 100,000": shapely.Polygon(300.0 * (1.0 + disc(100_000))),
    }.items():
        row = carom.Shapes([geometry, None])[:1]
        shapely.prepare(geometry)

        def repeat(ask: Callable[[Any, Any], object], one: Any, other: Any) -> None:
            for _ in range(CALLS):
                ask(one, other)

        data = f"a point and a row, a {name}, {CALLS} calls"
        for question in ("distance", "intersects"):
            ask = partial(repeat, getattr(carom, question), point, row)
            # Its geometries keep an index for this order of the arguments.
            peer = partial(repeat, getattr(shapely, question), geometry, place)
            yield Cliff(data, question, "Shapely, prepared", 3.0, ask, peer)


def single_kinds() -> Iterator[Cliff]:
    """Single calls with Shapely's objects of other kinds than polygons without holes."""
    square = shapely.Polygon(SQUARE)
    for name, other in {
        "Point": shapely.Point(0.5, 0.5),
        "LineString": shapely.LineString([(0.0, 0.0), (1.0, 1.0)]),
        "Polygon with a hole": shapely.Polygon(box(9.0), [box(2.0)]),
    }.items():

        def repeat(ask: Callable[[Any, Any], object], other: Any = other) -> None:
            for _ in range(CALLS):
                ask(other, square)

        ask, peer = partial(repeat, carom.intersects), partial(repeat, shapely.intersects)
        data = f"a {name} and a Polygon of Shapely, {CALLS} calls"
        yield Cliff(data, "intersects", "Shapely", 0.15, ask, peer)


def places() -> Iterator[Cliff]:
    """Footprints at poses of their own; `place` takes all threads."""
    random = np.random.default_rng(5)
    for count in (10_000, 1_000_000):
        sizes, headings = random.uniform(2.0, 6.0, (2, count)), random.uniform(-3.2, 3.2, count)
        boxes = carom.boxes(*sizes)
        poses = np.column_stack([random.uniform(-500.0, 500.0, (count, 2)), headings])

        def by_hand(boxes: Floats = boxes, poses: Floats = poses) -> Floats:
            cos, sin = np.cos(poses[:, 2, None]), np.sin(poses[:, 2, None])
            x, y = boxes[..., 0], boxes[..., 1]
            placed = np.empty_like(boxes)
            placed[..., 0] = x * cos - y * sin + poses[:, 0, None]
            placed[..., 1] = x * sin + y * cos + poses[:, 1, None]
            return placed

        ask = partial(carom.place, boxes, poses)
        yield Cliff(f"{count:,} boxes and poses", "place", "NumPy", 2.0, ask, by_hand)


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {
    "validity": validity,
    "measures": measures,
    "ties": ties,
    "multipoints": multipoints,
    "parts": parts,
    "centers": centers,
    "kept_rows": kept_rows,
    "single_kinds": single_kinds,
    "places": places,
}

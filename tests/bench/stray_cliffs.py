"""Data with strays: a row far from all others, a wild velocity, and many rows at the same distance.

As in cliffs.py, a question is answered by carom and by a peer, one thread. Where the peer is carom
itself, it answers the same question about the same rows without the strays. Columns and Shapely's
objects are made before; where there is a stray, their indices are built anew in each call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import carom
import carom.interop.geopandas as cg
import geopandas
import numpy as np
import shapely
from cliffs import ONE, Cliff
from timing import Floats

WITHOUT = "carom without it"
STRAY = np.array([[1e9, 1e9]])


def places(count: int, seed: int) -> Floats:
    """Returns random points, on average one in each square of side 10."""
    return np.random.default_rng(seed).uniform(0.0, 10.0 * count**0.5, (count, 2))


def cars(count: int, seed: int) -> tuple[Floats, Floats]:
    """Returns boxes of 4 by 2 and their velocities."""
    random = np.random.default_rng(seed)
    half = np.array([(-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0)])
    return places(count, seed)[:, None] + half, random.normal(0.0, 5.0, (count, 2))


def fresh(column: carom.Shapes) -> carom.Shapes:
    """Returns an equal column without the tree that a column keeps."""
    return column[np.arange(len(column))]


def outliers() -> Iterator[Cliff]:
    """A point or a box far from all others."""
    xy, probes = places(50_000, 1), carom.Shapes.from_points(places(1_000, 2))
    boxes, others = cars(100_000, 3)[0], carom.Shapes(cars(100_000, 4)[0])
    points = [carom.Shapes.from_points(it) for it in (np.concatenate([xy, STRAY]), xy)]
    strayed = np.concatenate([boxes, boxes[:1] + STRAY])
    columns = [carom.Shapes(it) for it in (strayed, boxes)]
    asked = {
        ("50,000 points, one at 1e9", "nearest of 1,000"): [
            lambda it=it: carom.nearest(probes, fresh(it), **ONE) for it in points
        ],
        ("50,000 points, one at 1e9", "pairs within 10"): [
            lambda it=it: carom.colliding_pairs(fresh(it), margin=10.0, **ONE) for it in points
        ],
        ("100,000 boxes, one at 1e9", "join with 100,000"): [
            lambda it=it: carom.colliding_pairs(fresh(it), others, **ONE) for it in columns
        ],
    }
    of_shapely, some = points[0].to_shapely(), probes.to_shapely()
    polygons, others_of_shapely = columns[0].to_shapely(), others.to_shapely()
    tree = shapely.STRtree
    by_tree = [
        lambda: tree(of_shapely).query_nearest(some, all_matches=False),
        lambda: tree(of_shapely).query(of_shapely, predicate="dwithin", distance=10.0),
        lambda: tree(polygons).query(others_of_shapely, predicate="intersects"),
    ]
    for ((data, question), (ask, peer)), shapelys in zip(asked.items(), by_tree, strict=True):
        yield Cliff(data, question, WITHOUT, 0.8, ask, peer)
        yield Cliff(data, question, "STRtree", 3.0, ask, shapelys)
    cloud = 1_000.0 * np.random.default_rng(5).uniform(size=(160_000, 2))
    strayed_cloud = np.concatenate([cloud, [(1e38, 0.0)]])
    columns = [carom.Shapes([shapely.MultiPoint(it)]) for it in (strayed_cloud, cloud)]
    probes = carom.Shapes.from_points(1_000.0 * np.random.default_rng(6).uniform(size=(2_000, 2)))
    ask, peer = (partial(carom.distance_batch, probes, it, **ONE) for it in columns)
    yield Cliff("a MultiPoint of 160,000, one at 1e38", "2,000 distances", WITHOUT, 0.8, ask, peer)


def wild_velocities() -> Iterator[Cliff]:
    """A few velocities that are errors of measurement: "carom apart" joins these rows apart."""
    for count, wild in ((50_000, 1), (20_000, 10)):
        boxes, velocity = cars(count, 7)
        random = np.random.default_rng(8)
        jumps = 1e9 * np.ones((1, 2)) if wild == 1 else random.uniform(-1e6, 1e6, (wild, 2))
        tame, few = carom.Shapes(boxes[wild:]), carom.Shapes(boxes[:wild])
        velocity[:wild] = jumps
        all_rows = carom.Shapes(boxes)
        ask = partial(carom.colliding_pairs, all_rows, velocity_a=velocity, **ONE)

        def apart(
            tame: carom.Shapes = tame,
            few: carom.Shapes = few,
            velocity: Floats = velocity,
            wild: int = wild,
        ) -> None:
            carom.colliding_pairs(tame, velocity_a=velocity[wild:], **ONE)
            velocities = {"velocity_a": velocity[:wild], "velocity_b": velocity[wild:]}
            carom.colliding_pairs(few, tame, **velocities, **ONE)

        data = f"{count:,} cars, {wild} with a wild velocity"
        yield Cliff(data, "pairs that meet", "carom apart", 0.8, ask, apart)


def equal_distances() -> Iterator[Cliff]:
    """Addresses of one house, and roads that end at one junction."""
    houses = places(300, 9)
    stacked = shapely.points(np.repeat(houses, 60, axis=0))
    some = shapely.points(places(1_000, 10) * 300**0.5 / 1_000**0.5)
    frames = [geopandas.GeoDataFrame(geometry=it) for it in (some, stacked)]

    def of_geopandas() -> object:
        return geopandas.sjoin_nearest(*frames)

    ask = partial(cg.sjoin_nearest, *frames, **ONE)
    yield Cliff(
        "300 places of 60 points", "sjoin_nearest of 1,000", "GeoPandas", 2.0, ask, of_geopandas
    )
    junctions = np.repeat(places(2_000, 11), 5, axis=0)
    ends = junctions + np.random.default_rng(12).uniform(-3.0, 3.0, junctions.shape)
    roads = shapely.linestrings(np.stack([junctions, ends], axis=1))
    for data, others, goal in (
        ("5 roads at each of 2,000 junctions", roads, 1.5),
        ("300 places of 60 points", stacked, 1.5),
    ):
        columns = carom.Shapes(some), carom.Shapes(others)
        query = shapely.STRtree(others).query_nearest
        peer = partial(query, some, return_distance=True, all_matches=False)
        ask = partial(carom.nearest, *columns, **ONE)
        yield Cliff(data, "nearest", "STRtree, kept", goal, ask, peer)
    distinct = carom.Shapes.from_points(places(18_000, 13) * 300**0.5 / 18_000**0.5)
    columns = carom.Shapes(some), carom.Shapes(stacked)
    ask = partial(carom.nearest, *columns, k=200, **ONE)
    peer = partial(carom.nearest, columns[0], distinct, k=200, **ONE)
    yield Cliff("300 places of 60 points", "200 nearest", "distinct points", 0.8, ask, peer)


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {
    "outliers": outliers,
    "wild_velocities": wild_velocities,
    "equal_distances": equal_distances,
}

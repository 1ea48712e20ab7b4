"""Data on which a library for convex rows could fall behind: concave, touching, or far apart.

Each cliff is a question about such data, answered by carom and by a peer, both warm, objects and
columns built before, one thread. The peer is Shapely, or carom itself on data that are easy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import carom
import numpy as np
import shapely
from timing import Floats, Work
from workloads import Spreading, directions, spread_for
from workloads import rings as convex_rings

ONE = {"threads": 1}
FAR, SOME, MANY = "far apart", "5 %", "50 %"
SPREADS = {FAR: 0.0, SOME: 0.05, MANY: 0.5}
COUNTS = {8: 100_000, 32: 40_000, 300: 5_000}
SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


@dataclass(frozen=True)
class Cliff:
    """A query about some data, and the speed-up over the peer that is the goal."""

    data: str
    question: str
    peer: str
    at_least: float | None
    carom: Work
    other: Work


def stars(random: np.random.Generator, vertices: int, count: int) -> Floats:
    """Concave polygons in circles of radius 1: every other corner lies nearer to the center."""
    corners = convex_rings(random, vertices, count)
    corners[:, ::2] *= random.uniform(0.3, 0.7, (count, (vertices + 1) // 2, 1))
    return corners


def spread_pairs(
    random: np.random.Generator, a: Floats, b: Floats, share: float
) -> tuple[Floats, Floats]:
    """Returns `b` and centers of circles, moved so that this share of pairs intersects."""
    apart = directions(random, len(a))
    if share == 0.0:
        places = 50.0 * (apart + np.sign(apart))
        return b + places[:, None], np.zeros_like(places)

    def meet(far: float, some: slice) -> Any:
        return carom.intersects_batch(a[some], b[some] + far * apart[some, None], **ONE)

    def reach(far: float, some: slice) -> Any:
        centers = far * apart[some]
        fields = ("intersects",)
        return carom.circle_polygon_batch(centers, 0.5, b[some], fields=fields, **ONE).intersects

    tests: tuple[Spreading, Spreading] = meet, reach
    places, centers = (spread_for(share, test) * apart for test in tests)
    return b + places[:, None], places + centers


def concave() -> Iterator[Cliff]:
    """Pairs of concave polygons, and circles beside them."""
    for vertices, count in COUNTS.items():
        random = np.random.default_rng(vertices)
        a, b = stars(random, vertices, count), stars(random, vertices, count)
        for where, share in SPREADS.items():
            moved, centers = spread_pairs(random, a, b, share)
            columns = carom.Shapes(a), carom.Shapes(moved)
            geometries = shapely.polygons(a), shapely.polygons(moved)
            data = f"concave, {vertices} vertices, {where}"
            ask = partial(carom.intersects_batch, *columns, **ONE)
            peer = partial(shapely.intersects, *geometries)
            least = {FAR: 5.0, SOME: 5.0, MANY: 4.0}[where]
            yield Cliff(data, "intersects", "Shapely", least, ask, peer)
            if where == FAR:
                convex = carom.Shapes(convex_rings(random, vertices, count))
                others = carom.Shapes(convex_rings(random, vertices, count) + 100.0)
                easy = partial(carom.intersects_batch, convex, others, **ONE)
                yield Cliff(data, "intersects", "carom, convex", 0.33, ask, easy)
                sweep = partial(
                    carom.swept_collision_batch,
                    *columns,
                    random.uniform(-1, 1, (count, 2)),
                    fields=("time",),
                    **ONE,
                )
                yield Cliff(data, "sweep", "Shapely at rest", 2.0, sweep, peer)
            reach = partial(
                carom.circle_polygon_batch,
                centers,
                0.5,
                columns[1],
                fields=("intersects",),
                **ONE,
            )
            within = partial(shapely.dwithin, shapely.points(centers), geometries[1], 0.5)
            yield Cliff(data, "circle", "Shapely", 3.0 if where == FAR else 2.0, reach, within)


def circles() -> Iterator[Cliff]:
    """Circles beside concave polygons: all numbers at rest, and sweeps of them."""
    for vertices, count in COUNTS.items():
        random = np.random.default_rng(vertices)
        a, b = stars(random, vertices, count), stars(random, vertices, count)
        velocity = random.uniform(-1.0, 1.0, (count, 2))
        for where, share in SPREADS.items():
            moved, centers = spread_pairs(random, a, b, share)
            column, geometries = carom.Shapes(moved), shapely.polygons(moved)
            points = shapely.points(centers)
            data = f"concave, {vertices} vertices, {where}"

            def gap(points: Any = points, geometries: Any = geometries) -> Floats:
                return np.maximum(shapely.distance(points, geometries) - 0.5, 0.0)

            ask = partial(carom.circle_polygon_batch, centers, 0.5, column, **ONE)
            yield Cliff(
                data, "circle, gap", "Shapely", 1.0, partial(ask, fields=("distance",)), gap
            )
            yield Cliff(data, "circle, all", "Shapely, gap", 1.0, ask, gap)
            sweep = partial(carom.swept_circle_batch, centers, 0.5, velocity, column, **ONE)
            paths = shapely.linestrings(np.stack([centers, centers + velocity], axis=1))
            within = partial(shapely.dwithin, paths, geometries, 0.5)
            yield Cliff(data, "swept circle", "Shapely, whether", 1.0, sweep, within)


def points() -> Iterator[Cliff]:
    """A million points in one concave polygon."""
    random = np.random.default_rng(500)
    for vertices, least in ((8, 1.0), (500, 1.0)):
        ring = stars(random, vertices, 1)[0]
        xy = random.uniform(-1.0, 1.0, (1_000_000, 2))
        column, geometry = carom.Shapes([ring]), shapely.Polygon(ring)
        shapely.prepare(geometry)
        ask = partial(carom.circle_polygon_batch, xy, 0.0, column, fields=("intersects",), **ONE)
        peer = partial(shapely.intersects_xy, geometry, xy[:, 0], xy[:, 1])
        yield Cliff(f"points in a concave {vertices}-gon", "circle", "Shapely", least, ask, peer)
        locate = partial(carom.locate, xy, column, **ONE)
        goal = 2.0 if vertices == 500 else 1.0
        yield Cliff(f"points in a concave {vertices}-gon", "locate", "Shapely", goal, locate, peer)


def single() -> Iterator[Cliff]:
    """One polygon with many vertices, given as an array, and many points and boxes."""
    random = np.random.default_rng(6)
    ring = stars(random, 500, 1)[0]
    geometry = shapely.Polygon(ring)
    shapely.prepare(geometry)
    xy = random.uniform(-1.0, 1.0, (100_000, 2))
    boxes = 0.01 * SQUARE + xy[:, None]
    column, geometries = carom.Shapes(boxes), shapely.polygons(boxes)
    data = "a concave 500-gon as an array"
    reach = partial(carom.circle_polygon_batch, xy, 0.0, ring, fields=("intersects",), **ONE)
    peer = partial(shapely.intersects_xy, geometry, xy[:, 0], xy[:, 1])
    yield Cliff(f"{data}, 100,000 points", "circle", "Shapely, prepared", 1.0, reach, peer)
    ask = partial(carom.intersects_batch, ring, column, **ONE)
    peer = partial(shapely.intersects, geometry, geometries)
    yield Cliff(f"{data}, 100,000 boxes", "intersects", "Shapely, prepared", 1.0, ask, peer)


def storm() -> Iterator[Cliff]:
    """One polygon against a column of many, again and again."""
    random = np.random.default_rng(1)
    parcels = SQUARE + random.uniform(0.0, 500.0, (100_000, 1, 2))
    column, tree = carom.Shapes(parcels), shapely.STRtree(shapely.polygons(parcels))
    for where, center, least in (("near", 250.0, 1.0), ("far away", 9000.0, 0.25)):
        ring = stars(random, 40, 1)[0] * 10.0 + center
        one, geometry = carom.Shapes([ring]), shapely.Polygon(ring)
        ask = partial(carom.colliding_pairs, one, column, **ONE)
        peer = partial(tree.query, geometry, predicate="intersects")
        yield Cliff(
            f"a storm and 100,000 boxes, {where}", "join", "STRtree, kept", least, ask, peer
        )
        ask = partial(carom.colliding_pairs, column, one, **ONE)
        yield Cliff(
            f"100,000 boxes and a storm, {where}", "join", "STRtree, kept", least, ask, peer
        )

    points = random.uniform(0.0, 1_000.0, (100_000, 2))
    column, tree = carom.Shapes.from_points(points), shapely.STRtree(shapely.points(points))
    box = shapely.box(500.0, 500.0, 503.0, 503.0)
    ask = partial(carom.colliding_pairs, carom.Shapes([box]), column, **ONE)
    peer = partial(tree.query, box, predicate="intersects")
    yield Cliff("a box and 100,000 points", "join", "STRtree, kept", 1.0, ask, peer)


def large() -> Iterator[Cliff]:
    """One polygon of many vertices, and small shapes inside it or beside it, within its box."""
    random = np.random.default_rng(6)
    for vertices, notch in ((64, 1.0), (1_000, 1.0), (1_000, 0.7), (20_000, 1.0)):
        ring = regular(vertices)
        ring[0] *= notch
        name = f"a regular {vertices:,}-gon" + (" with a notch" if notch < 1.0 else "")
        column, geometry = carom.Shapes([ring]), shapely.Polygon(ring)
        shapely.prepare(geometry)
        # Of 20,000 vertices, Shapely takes 0.2 ms for a distance.
        count = 4_000 if vertices < 20_000 else 2_000
        inside = random.uniform(-0.6, 0.6, (count, 2))
        corners = random.choice([-1.0, 1.0], (count, 2)) * random.uniform(0.8, 0.99, (count, 2))
        for where, xy in (("in", inside), ("beside", corners)):
            squares = 0.01 * SQUARE + xy[:, None]
            for what, own, others in (
                ("points", carom.Shapes.from_points(xy), shapely.points(xy)),
                ("boxes", carom.Shapes(squares), shapely.polygons(squares)),
            ):
                data = f"{what} {where} {name}"
                ask = partial(carom.intersects_batch, own, column, **ONE)
                peer = partial(shapely.intersects, geometry, others)
                yield Cliff(data, "intersects", "Shapely, prepared", 1.0, ask, peer)
                ask = partial(carom.intersects_batch, own, column, margin=0.05, **ONE)
                peer = partial(shapely.dwithin, geometry, others, 0.05)
                yield Cliff(data, "with a margin", "Shapely, prepared", 1.0, ask, peer)
                ask = partial(carom.distance_batch, own, column, fields=("distance",), **ONE)
                peer = partial(shapely.distance, geometry, others)
                yield Cliff(data, "distance", "Shapely, prepared", 1.0, ask, peer)
    for vertices in (32, 64, 256):
        ring = regular(vertices)
        both = np.stack([ring] * 2_000), np.stack([ring + np.array([0.8, 0.1])] * 2_000)
        ask = partial(carom.intersects_batch, *map(carom.Shapes, both), margin=0.5, **ONE)
        peer = partial(shapely.dwithin, *map(shapely.polygons, both), 0.5)
        data = f"regular {vertices}-gons that overlap"
        yield Cliff(data, "with a margin", "Shapely", 1.0, ask, peer)


def districts() -> Iterator[Cliff]:
    """Many small shapes and a few polygons of many vertices, which cover most of the map."""
    random = np.random.default_rng(7)
    xy = random.uniform(0.0, 14.0, (50_000, 2))
    squares = 0.02 * SQUARE + xy[:, None]
    paths = np.stack([xy, xy + random.uniform(-0.2, 0.2, xy.shape)], axis=1)
    small = {
        "points": (carom.Shapes.from_points(xy), shapely.points(xy)),
        "boxes": (carom.Shapes(squares), shapely.polygons(squares)),
        "segments": (carom.Shapes.from_segments(paths), shapely.linestrings(paths)),
    }
    trees = {what: shapely.STRtree(others) for what, (_, others) in small.items()}
    places = 2.0 * np.stack(np.meshgrid(np.arange(7.0), np.arange(7.0)), axis=-1) + 1.0
    for vertices, (kind, nearest) in product((32, 2_000), (("regular", 1.0), ("jagged", 0.6))):
        radius = random.uniform(nearest, 1.0, (49, vertices, 1))
        rings = regular(vertices) * radius + places.reshape(49, 1, 2)
        column, geometries = carom.Shapes(rings), shapely.polygons(rings)
        shapely.prepare(geometries)
        for what, (own, _) in small.items():
            ask = partial(carom.colliding_pairs, own, column, **ONE)
            peer = partial(trees[what].query, geometries, predicate="intersects")
            data = f"50,000 {what} and 49 {kind} {vertices:,}-gons"
            yield Cliff(data, "join", "STRtree, kept, and prepared", 1.0, ask, peer)


def regular(vertices: int) -> Floats:
    """Returns a regular polygon in the unit circle."""
    angle = np.linspace(0.0, 2.0 * np.pi, vertices, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def turned() -> Iterator[Cliff]:
    """Squares that touch edge to edge, turned by any angle; sweeps along the edges of a grid."""
    random = np.random.default_rng(2)
    count = 50_000
    angle = random.uniform(0.0, 2.0 * np.pi, count)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    places = random.uniform(0.0, 100.0, (count, 1, 2))

    def turn(xy: Floats) -> Floats:
        x, y = xy[..., 0], xy[..., 1]
        return np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1) + places

    a, b = (
        turn(np.tile(SQUARE, (count, 1, 1))),
        turn(np.tile(SQUARE + np.array([1.0, 0.0]), (count, 1, 1))),
    )
    columns = carom.Shapes(a), carom.Shapes(b)
    ask = partial(carom.intersects_batch, *columns, **ONE)
    peer = partial(shapely.intersects, shapely.polygons(a), shapely.polygons(b))
    data = "squares turned, edge to edge"
    yield Cliff(data, "intersects", "Shapely", 1.5, ask, peer)
    gap = partial(carom.distance_batch, *columns, fields=("distance",), **ONE)
    peer = partial(shapely.distance, shapely.polygons(a), shapely.polygons(b))
    yield Cliff(data, "distance", "Shapely", 1.2, gap, peer)
    overlap = partial(carom.sat_batch, *columns, fields=("depth", "mtv"), **ONE)
    yield Cliff(data, "depth and MTV", "carom, intersects", 0.5, overlap, ask)
    grid = SQUARE + random.integers(0, 3, (count, 1, 2))
    on_grid = carom.Shapes(grid), carom.Shapes(SQUARE + random.integers(0, 3, (count, 1, 2)))
    off_grid = carom.Shapes(a), carom.Shapes(b + random.uniform(-2.0, 2.0, (count, 1, 2)))
    velocity = random.uniform(-2.0, 2.0, (count, 2))
    sweep = partial(carom.swept_collision_batch, fields=("time",), **ONE)
    yield Cliff(
        "squares on a grid, velocity off it",
        "sweep",
        "carom, random squares",
        0.25,
        partial(sweep, *on_grid, velocity),
        partial(sweep, *off_grid, velocity),
    )


def cadastre() -> Iterator[Cliff]:
    """Parcels that share edges, the whole map turned off the grid."""
    random = np.random.default_rng(3)
    side = 120
    corners = np.stack(np.meshgrid(np.arange(side + 1.0), np.arange(side + 1.0)), axis=-1)
    corners += random.uniform(-0.3, 0.3, corners.shape)
    middle = (corners[:, :-1] + corners[:, 1:]) / 2.0 + random.uniform(
        -0.1, 0.1, (side + 1, side, 2)
    )
    parcels = np.stack(
        [
            corners[:-1, :-1],
            middle[:-1],
            corners[:-1, 1:],
            corners[1:, 1:],
            middle[1:],
            corners[1:, :-1],
        ],
        axis=2,
    ).reshape(-1, 6, 2)
    turn = np.array([(np.cos(0.3), np.sin(0.3)), (-np.sin(0.3), np.cos(0.3))])
    parcels = np.ascontiguousarray(parcels @ turn)
    column, geometries = carom.Shapes(parcels), shapely.polygons(parcels)
    tree = shapely.STRtree(geometries)
    ask = partial(carom.colliding_pairs, column, **ONE)
    peer = partial(tree.query, geometries, predicate="intersects")
    yield Cliff("a cadastre, turned", "join", "STRtree, kept", 3.0, ask, peer)


def spirals() -> Iterator[Cliff]:
    """Two spirals that interlock without touching."""
    for count in (1_000, 20_000):
        angle = np.linspace(0.5, 30.0 * np.pi, count // 2)

        def spiral(phase: float, angle: Floats = angle) -> Floats:
            outward = np.stack([np.cos(angle + phase), np.sin(angle + phase)], axis=-1)
            return np.concatenate(
                [outward * angle[:, None], (outward * (angle[:, None] + 0.9))[::-1]]
            )

        a, b = spiral(0.0), spiral(np.pi)
        columns = carom.Shapes([a]), carom.Shapes([b])
        geometries = shapely.Polygon(a), shapely.Polygon(b)
        shapely.prepare(geometries[0])
        ask = partial(carom.intersects_batch, *columns, **ONE)
        peer = partial(shapely.intersects, *geometries)
        yield Cliff(
            f"spirals of {count:,} vertices", "intersects", "Shapely, prepared", 1.0, ask, peer
        )


def wide_margin() -> Iterator[Cliff]:
    """A join whose margin is far wider than the polygons."""
    random = np.random.default_rng(4)
    rows = convex_rings(random, 6, 20_000) + random.uniform(0.0, 500.0, (20_000, 1, 2))
    column, margin = carom.Shapes(rows), 5.0
    pairs = carom.candidate_pairs(column, margin=margin)
    ask = partial(carom.colliding_pairs, column, margin=margin, **ONE)
    peer = partial(carom.distance_batch, column, column, pairs=pairs, fields=("distance",), **ONE)
    yield Cliff("a wide margin", "join", "carom, distance_batch", 1.0, ask, peer)


def boxes() -> Iterator[Cliff]:
    """Many boxes joined with themselves."""
    random = np.random.default_rng(5)
    rows = SQUARE + random.uniform(0.0, 300.0, (100_000, 1, 2))
    column, geometries = carom.Shapes(rows), shapely.polygons(rows)
    tree = shapely.STRtree(geometries)
    ask = partial(carom.colliding_pairs, column, **ONE)
    peer = partial(tree.query, geometries, predicate="intersects")
    yield Cliff("100,000 boxes", "join", "STRtree, kept", 3.0, ask, peer)


def distances() -> Iterator[Cliff]:
    """Distances of convex polygons."""
    for vertices, count in ((4, 50_000), (8, 20_000)):
        random = np.random.default_rng(vertices)
        a = convex_rings(random, vertices, count)
        b = convex_rings(random, vertices, count) + 8.0 * directions(random, count)[:, None]
        columns = carom.Shapes(a), carom.Shapes(b)
        ask = partial(carom.distance_batch, *columns, fields=("distance",), **ONE)
        peer = partial(shapely.distance, shapely.polygons(a), shapely.polygons(b))
        yield Cliff(f"convex, {vertices} vertices", "distance", "Shapely", 5.0, ask, peer)


def moving() -> Iterator[Cliff]:
    """Moving polygons: all times of contact and the nearest approach, beside simpler questions."""
    shapes = (("convex", convex_rings), ("concave", stars))
    sizes = ((4, 100_000), (8, 50_000), (32, 10_000))
    for (kind, make), (vertices, count) in product(shapes, sizes):
        random = np.random.default_rng(vertices)
        a = make(random, vertices, count)
        b = make(random, vertices, count) + 3.0 * directions(random, count)[:, None]
        columns, velocity = (
            (carom.Shapes(a), carom.Shapes(b)),
            random.uniform(-3.0, 3.0, (count, 2)),
        )
        data = f"{kind}, {vertices} vertices, moving"
        times = partial(carom.contact_intervals_batch, *columns, velocity, **ONE)
        hit = ("will_intersect", "time")
        sweep = partial(carom.swept_collision_batch, *columns, velocity, fields=hit, **ONE)
        # Of concave shapes all edges that touch count, not only those before the first contact.
        least = 0.67 if kind == "convex" else 0.1
        yield Cliff(data, "contact_intervals", "carom, sweep", least, times, sweep)
        for wanted in (("distance",), ("distance", "closest_a", "closest_b")):
            near = partial(carom.closest_approach_batch, *columns, velocity, fields=wanted, **ONE)
            rest = partial(carom.distance_batch, *columns, fields=wanted, **ONE)
            question = "closest_approach" + (" with points" if len(wanted) > 1 else "")
            yield Cliff(data, question, "carom, distance", 0.5, near, rest)


def objects() -> Iterator[Cliff]:
    """A single call with two Shapely objects."""
    a, b = shapely.Polygon(SQUARE), shapely.Polygon(SQUARE + 0.5)

    def repeat(ask: Callable[[Any, Any], object]) -> None:
        for _ in range(100):
            ask(a, b)

    ask, peer = partial(repeat, carom.intersects), partial(repeat, shapely.intersects)
    yield Cliff("two Shapely objects, 100 calls", "intersects", "Shapely", 0.15, ask, peer)


def rounded() -> Iterator[Cliff]:
    """Convex polygons with a margin, or with radii, beside the same without."""
    for vertices in (4, 8, 32):
        random = np.random.default_rng(vertices)
        count = 160_000 // vertices
        a, b = (convex_rings(random, vertices, count) for _ in range(2))
        places = directions(random, count) * random.uniform(1.0, 4.0, (count, 1))
        velocity = 0.6 * places + 0.5 * directions(random, count)
        one, other = carom.Shapes(a), carom.Shapes(b + places[:, None])
        round_ones = one.with_radius(0.2), other.with_radius(0.1)
        centers = np.zeros((count, 2))
        sweep, intervals = carom.swept_collision_batch, carom.contact_intervals_batch
        circle, swept = carom.circle_polygon_batch, carom.swept_circle_batch
        data, peer = f"convex, {vertices} vertices, near", "carom, without"
        moving = {"velocity": velocity, **ONE}
        for question, ask in (("sweep", sweep), ("contact intervals", intervals)):
            sharp = partial(ask, one, other, **moving)
            wide = partial(ask, one, other, margin=0.2, **moving)
            yield Cliff(data, f"{question} with a margin", peer, None, wide, sharp)
            grown = partial(ask, *round_ones, **moving)
            yield Cliff(data, f"{question} with radii", peer, None, grown, sharp)
        sharp = partial(swept, centers, 0.5, velocity, other, **ONE)
        wide = partial(swept, centers, 0.5, velocity, other, margin=0.2, **ONE)
        yield Cliff(data, "swept circle with a margin", peer, None, wide, sharp)
        sharp = partial(circle, centers, 0.5, other, **ONE)
        grown = partial(circle, centers, 0.5, round_ones[1], **ONE)
        yield Cliff(data, "circle and polygons with radii", peer, None, grown, sharp)


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {
    "concave": concave,
    "circles": circles,
    "points": points,
    "single": single,
    "storm": storm,
    "large": large,
    "districts": districts,
    "turned": turned,
    "cadastre": cadastre,
    "spirals": spirals,
    "margin": wide_margin,
    "rounded": rounded,
    "boxes": boxes,
    "distance": distances,
    "moving": moving,
    "objects": objects,
}

"""Shapes of every kind: points, lines, circles, capsules and rounded polygons, and rays among them.

As in cliffs.py, a question is answered by carom and by a peer, both warm, objects and columns built
before, one thread. The peer is Shapely, parry, or carom itself on the same shapes without a radius.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import carom
import numpy as np
import shapely
from cliffs import ONE, SQUARE, Cliff, stars
from contests import HIT, OVERLAP
from growth import Parry, parry_program
from timing import Floats
from workloads import directions
from workloads import rings as convex_rings

RAYS_AMONG = ((200, 8, 30.0), (3_000, 8, 120.0), (100_000, 4, 700.0))
"""How many polygons of how many vertices, and the side of the square in which they lie."""
RADIUS, ROUNDED_GOAL, UNROUNDED = 0.2, 0.67, "carom, no radius"


def zones(random: np.random.Generator) -> Floats:
    """Returns 3,000 concave polygons of 20 vertices that overlap here and there."""
    return 20.0 * stars(random, 20, 3_000) + random.uniform(0.0, 2_000.0, (3_000, 1, 2))


def inside() -> Iterator[Cliff]:
    """Many points joined with 3,000 polygons, of which either can be in Shapely's tree."""
    random = np.random.default_rng(17)
    polygons = zones(random)
    column, geometries = carom.Shapes(polygons), shapely.polygons(polygons)
    tree = shapely.STRtree(geometries)
    for count in (100_000, 1_000_000):
        xy = random.uniform(0.0, 2_000.0, (count, 2))
        positions, points = carom.Shapes.from_points(xy), shapely.points(xy)
        ask = partial(carom.colliding_pairs, positions, column, **ONE)
        data = f"{count:,} points in 3,000 polygons"
        peer = partial(tree.query, points, predicate="intersects")
        yield Cliff(data, "join", "STRtree of the polygons", 2.0, ask, peer)
        other = partial(shapely.STRtree(points).query, geometries, predicate="intersects")
        yield Cliff(data, "join", "STRtree of the points", 2.0, ask, other)


def nearest() -> Iterator[Cliff]:
    """The nearest row of another column for each of many."""
    for vertices in (4, 8):
        random = np.random.default_rng(vertices)
        a, b = (
            convex_rings(random, vertices, 100_000) + random.uniform(0.0, 1_000.0, (100_000, 1, 2))
            for _ in range(2)
        )
        columns = carom.Shapes(a), carom.Shapes(b)
        data = f"100,000 convex rows of {vertices} vertices"
        yield nearest_of(data, columns, shapely.polygons(a), shapely.polygons(b))
    random = np.random.default_rng(100)
    xy, others = random.uniform(0.0, 2_000.0, (2, 100_000, 2))
    points, polygons = carom.Shapes.from_points(xy), zones(random)
    for data, column, geometries in (
        ("100,000 points and others", carom.Shapes.from_points(others), shapely.points(others)),
        ("100,000 points and 3,000 polygons", carom.Shapes(polygons), shapely.polygons(polygons)),
    ):
        yield nearest_of(data, (points, column), shapely.points(xy), geometries)
    yield nearest_of(
        "a point and 100,000", (points[:1], points), shapely.points(xy[0]), shapely.points(xy), 1.0
    )


def nearest_of(
    data: str,
    columns: tuple[carom.Shapes, carom.Shapes],
    a: Any,
    b: Any,
    least: float = 5.0,
) -> Cliff:
    """Returns the question of what is nearest, asked with Shapely's geometries too."""
    ask = partial(carom.nearest, *columns, **ONE)
    query = shapely.STRtree(b).query_nearest
    peer = partial(query, a, return_distance=True, all_matches=False)
    return Cliff(data, "nearest", "STRtree, kept", least, ask, peer)


def rays() -> Iterator[Cliff]:
    """Rays among polygons: the first that each meets."""
    for count, vertices, side in RAYS_AMONG:
        random = np.random.default_rng(count)
        rows = scattered(random, count, vertices, side)
        column, geometries = carom.Shapes(rows), shapely.polygons(rows)
        origins, way = bundle(random, 500, side)
        starts = shapely.points(origins)
        lines = shapely.linestrings(np.stack([origins, origins + way], axis=1))
        ask = partial(carom.ray_cast, origins, way, column, length=1.0, **ONE)
        peer = partial(first_gaps, shapely.STRtree(geometries), lines, starts, geometries)
        yield Cliff(among(500, count, vertices), "ray_cast", "Shapely", 10.0, ask, peer)
    yield from rays_of_parry()


def first_gaps(tree: shapely.STRtree, lines: Any, starts: Any, rows: Any) -> Floats:
    """Returns how far from each start its line first meets a row, by Shapely."""
    ray, row = tree.query(lines)
    gap = shapely.distance(starts[ray], shapely.intersection(lines[ray], rows[row]))
    nearest = np.full(len(lines), np.inf)
    np.fmin.at(nearest, ray, gap)
    return nearest


def rays_of_parry() -> Iterator[Cliff]:
    """The same polygons and more rays, so that asking another process counts for little."""
    with parry_if_built() as parry:
        if parry is None:
            return
        for count, vertices, side in RAYS_AMONG:
            random = np.random.default_rng(count)
            rows = scattered(random, count, vertices, side)
            origins, way = bundle(random, 10_000, side)
            parry.answered("polygons", vertices, parry.file("polygons", rows))
            file = parry.file("rays", np.stack([origins, way], axis=1))
            shapes = carom.Shapes(rows)
            ask = partial(carom.ray_cast, origins, way, shapes, length=1.0, **ONE)
            peer = partial(parry.answered, "rays", 1, file)
            yield Cliff(among(10_000, count, vertices), "ray_cast", "parry", None, ask, peer)


@contextmanager
def parry_if_built() -> Iterator[Parry | None]:
    """Runs parry's program; prints a note if cargo can't build it."""
    with ExitStack() as stack:
        try:
            parry = stack.enter_context(parry_program())
        except (OSError, subprocess.CalledProcessError) as fault:
            print(f"no rows of parry: {fault}")
            parry = None
        yield parry


def scattered(random: np.random.Generator, count: int, vertices: int, side: float) -> Floats:
    """Returns unit squares or convex polygons in circles of radius 1, anywhere in a square."""
    rows = SQUARE[None] if vertices == 4 else convex_rings(random, vertices, count)
    return rows + random.uniform(0.0, side, (count, 1, 2))


def bundle(random: np.random.Generator, count: int, side: float) -> tuple[Floats, Floats]:
    """Returns origins and directions of rays."""
    return random.uniform(0.0, side, (count, 2)), random.normal(0.0, side / 12.0, (count, 2))


def among(rays: int, count: int, vertices: int) -> str:
    """Returns the name of such data."""
    return f"{rays:,} rays among {count:,} {'boxes' if vertices == 4 else 'polygons'}"


def rounded() -> Iterator[Cliff]:
    """Convex polygons with round corners beside the same without."""
    for vertices, count in ((4, 50_000), (8, 20_000)):
        random = np.random.default_rng(vertices)
        a, b = convex_rings(random, vertices, count), convex_rings(random, vertices, count)
        b += 3.0 * directions(random, count)[:, None]
        velocity = 3.0 * directions(random, count)
        plain = carom.Shapes(a), carom.Shapes(b)
        data = f"rounded, {vertices} vertices"
        yield from rounded_and_not(data, plain, velocity)
        city = carom.Shapes(a + random.uniform(0.0, 3.0 * np.sqrt(count), (count, 1, 2)))
        ask = partial(carom.colliding_pairs, city.with_radius(RADIUS), **ONE)
        peer = partial(carom.colliding_pairs, city, **ONE)
        yield Cliff(data, "join", UNROUNDED, ROUNDED_GOAL, ask, peer)


def rounded_and_not(
    data: str, plain: tuple[carom.Shapes, carom.Shapes], velocity: Floats
) -> Iterator[Cliff]:
    """Yields the questions about pairs with a radius, asked about the same without one too."""
    questions: dict[str, Callable[..., object]] = {
        "intersects": partial(carom.intersects_batch, **ONE),
        "overlap and MTV": partial(carom.sat_batch, fields=OVERLAP, **ONE),
        "distance": partial(carom.distance_batch, fields=("distance",), **ONE),
    }
    sweep = partial(carom.swept_collision_batch, fields=HIT, **ONE)
    questions["sweep"] = lambda a, b: sweep(a, b, velocity)
    round_rows = [column.with_radius(RADIUS) for column in plain]
    for question, query in questions.items():
        ask, peer = partial(query, *round_rows), partial(query, *plain)
        yield Cliff(data, question, UNROUNDED, ROUNDED_GOAL, ask, peer)


def circles_and_lines() -> Iterator[Cliff]:
    """Pairs of circles, of capsules, and of a line and a polygon, beside Shapely's `dwithin`."""
    random = np.random.default_rng(7)
    count = 50_000
    xy, far = random.uniform(0.0, 1_000.0, (count, 2)), 2.0 * directions(random, count)
    radii = random.uniform(0.1, 0.9, (2, count))
    ends = np.stack([directions(random, count), directions(random, count)], axis=1)
    there = far[:, None] + xy[:, None]
    segments = ends + xy[:, None], ends[::-1] + there
    polygons = convex_rings(random, 8, count) + there
    points, lines = shapely.points(np.stack([xy, xy + far])), shapely.linestrings(segments)
    no = np.zeros(count)
    make_circles, make_capsules = carom.Shapes.from_points, carom.Shapes.from_segments
    circles = [make_circles(p, radius) for p, radius in zip((xy, xy + far), radii, strict=True)]
    capsules = [make_capsules(p, radius) for p, radius in zip(segments, radii, strict=True)]
    mixed = [make_capsules(segments[0]), carom.Shapes(polygons)]
    for data, columns, geometries, reach in (
        ("circles", circles, points, radii.sum(axis=0)),
        ("capsules", capsules, lines, radii.sum(axis=0)),
        ("segments and convex 8-gons", mixed, (lines[0], shapely.polygons(polygons)), no),
    ):
        yield from reaching(data, columns, geometries, reach)


def reaching(data: str, columns: Any, geometries: Any, reach: Floats) -> Iterator[Cliff]:
    """Yields whether and by how much pairs are apart, asked with Shapely's geometries too."""
    ask = partial(carom.intersects_batch, *columns, **ONE)
    within = partial(shapely.dwithin, *geometries, reach)
    peer = within if reach.any() else partial(shapely.intersects, *geometries)
    yield Cliff(data, "intersects", "Shapely", None, ask, peer)
    gap = partial(carom.distance_batch, *columns, fields=("distance",), **ONE)
    yield Cliff(data, "distance", "Shapely", None, gap, partial(gaps, geometries, reach))


def gaps(geometries: Any, reach: Floats) -> Floats:
    """Returns the distances between rounded rows, by Shapely."""
    return np.maximum(shapely.distance(*geometries) - reach, 0.0)


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {
    "inside": inside,
    "nearest": nearest,
    "rays": rays,
    "rounded": rounded,
    "round": circles_and_lines,
}

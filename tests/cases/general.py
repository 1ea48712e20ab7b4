"""Hard cases of polygons of any shape, with holes and without."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random

import carom

import areas
import shapes
from areas import Area, bare, vertices
from reference import oracle
from reference.oracle import check

from . import Case, at_an_end, is_extreme, is_near, scaled, two_ulps

FAMILIES = [*areas.PAIRS, "in_hole", "in_hole", "hairline", "pointed", "with_convex", "notched"]
AIMS = [*shapes.CIRCLES, "on_vertex", "on_edge", "point", *["tangent_vertex", "tangent_exact"] * 2]


def draw_pair(rng: Random) -> tuple[str, Area, Area]:
    family = rng.choice(FAMILIES)
    draw = areas.extreme_pair if rng.random() < 0.1 else areas.pair
    return (family, *draw(rng, family))


def draw_sweep(rng: Random) -> tuple[str, Area, Area, shapes.Point]:
    while True:
        family, a, b = draw_pair(rng)
        if rng.random() < 0.4 and oracle.touches(a, b):
            a, v = areas.docking(rng, a, b)
            if areas.usable(a):
                return f"{family} dock", a, b, v
            continue
        if rng.random() < 0.8 and oracle.intersects(a, b):
            b = areas.apart(rng, a, b)
        if not areas.usable(b):
            continue
        aim = rng.choice([*areas.VELOCITIES, "graze", "graze", "graze"])
        return f"{family} {aim}", a, b, areas.velocity(rng, a, b, aim)


def draw_circle(
    rng: Random, *, moving: bool
) -> tuple[str, shapes.Point, float, shapes.Point, Area]:
    while True:
        family, aim = rng.choice(list(areas.PAIRS)), rng.choice(AIMS)
        one, other = areas.pair(rng, family)
        area = one if len(one) > 1 or rng.random() < 0.3 else other
        v = 0.0, 0.0
        if moving:
            center, radius, v = areas.arriving_circle(rng, area, aim)
        else:
            center, radius = areas.circle(rng, area, aim)
        if rng.random() < 0.1:
            parts = scaled(rng, [center, v, (radius, 0.0)], *area)
            if parts is None:
                continue
            (center, v, (radius, _)), *area = parts
        if areas.usable(area) and all(map(math.isfinite, (*center, radius, *v))):
            return f"{family} {aim}", center, radius, v, area


def nearby(a: Area, b: Area) -> Iterator[Area]:
    """a, moved in every direction by two units in the last place."""
    step = two_ulps(vertices(a), vertices(b))
    for x in (-step, 0.0, step):
        for y in (-step, 0.0, step):
            moved = areas.shifted(a, x, y)
            finite = all(math.isfinite(u) for p in vertices(moved) for u in p)
            if finite and all(len(set(ring)) > 2 for ring in moved):
                yield moved


def hangs_by_a_hair(a: Area, b: Area) -> bool:
    """Whether shapes touch, or would answer otherwise from two units in the last place aside."""
    now = oracle.intersects(a, b)
    if any(oracle.intersects(c, b) != now for c in nearby(a, b)):
        return True
    return now and oracle.touches(a, b)


def sweep_hangs_by_a_hair(a: Area, b: Area, v: shapes.Point, *, hit: bool) -> bool:
    return any(oracle.will_intersect(c, b, v) != hit for c in nearby(a, b))


def has_holes(*given: Area) -> bool:
    return any(len(area) > 1 for area in given)


def check_intersects(rng: Random) -> Case:
    family, a, b = draw_pair(rng)
    check.assert_intersects(a, b, carom.intersects(bare(a), bare(b)))
    extreme = is_extreme(vertices(a), vertices(b))
    return Case(family, hangs_by_a_hair(a, b), extreme, has_holes(a, b))


def check_distance(rng: Random) -> Case:
    family, a, b = draw_pair(rng)
    check.assert_distance(a, b, carom.distance(bare(a), bare(b)))
    extreme = is_extreme(vertices(a), vertices(b))
    return Case(family, hangs_by_a_hair(a, b), extreme, has_holes(a, b))


def check_swept_collision(rng: Random) -> Case:
    family, a, b, v = draw_sweep(rng)
    truth = check.assert_swept_collision(a, b, v, carom.swept_collision(bare(a), bare(b), v))
    touching = sweep_hangs_by_a_hair(a, b, v, hit=truth.will_intersect)
    touching = touching or (truth.intersects and hangs_by_a_hair(a, b))
    return Case(family, touching, is_extreme(vertices(a), vertices(b), [v]), has_holes(a, b))


def check_circle_polygon(rng: Random) -> Case:
    family, center, radius, _, area = draw_circle(rng, moving=False)
    result = carom.circle_polygon(center, radius, bare(area))
    truth = check.assert_circle_polygon(center, radius, area, result)
    points = [center, (radius, 0.0)], vertices(area)
    near = is_near(truth.depth if truth.intersects else truth.distance, *points)
    return Case(family, near, is_extreme(*points), has_holes(area))


def check_swept_circle(rng: Random) -> Case:
    family, center, radius, v, area = draw_circle(rng, moving=True)
    result = carom.swept_circle(center, radius, v, bare(area))
    truth = check.assert_swept_circle(center, radius, v, area, result)
    near = is_near(truth.margin, [center, (radius, 0.0)], vertices(area))
    touching = near or (not truth.intersects and at_an_end(truth.time))
    extreme = is_extreme([center, v, (radius, 0.0)], vertices(area))
    return Case(family, touching, extreme, has_holes(area))


NOUNS: dict[str, Callable[[Random], Case]] = {
    "intersects": check_intersects,
    "swept_collision": check_swept_collision,
    "circle_polygon": check_circle_polygon,
    "swept_circle": check_swept_circle,
    "distance": check_distance,
}

"""Hard cases of convex shapes."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from random import Random

import carom

from generators import shapes
from reference import oracle
from reference.oracle import check

from . import Case, at_an_end, is_extreme, is_near, scaled


def draw_pair(rng: Random) -> tuple[str, shapes.Polygon, shapes.Polygon]:
    family = rng.choice(list(shapes.PAIRS))
    draw = shapes.extreme_pair if rng.random() < 0.12 else shapes.pair
    return (family, *draw(rng, family))


def draw_sweep(rng: Random) -> tuple[str, shapes.Polygon, shapes.Polygon, shapes.Point]:
    while True:
        family, a, b = draw_pair(rng)
        if rng.random() < 0.8 and oracle.intersects(a, b):
            b = shapes.apart(rng, a, b)
        aim = rng.choice([*shapes.VELOCITIES, "arrive", "graze", "graze"])
        v = shapes.velocity(rng, a, b, aim)
        if rng.random() < 0.1:
            a, b, (v,) = scaled(rng, a, b, [v]) or ([], [], [(0.0, 0.0)])
        if a and shapes.usable(a, b):
            return f"{family} {aim}", a, b, v


def draw_circle(
    rng: Random, *, moving: bool
) -> tuple[str, shapes.Point, float, shapes.Point, shapes.Polygon]:
    while True:
        family, aim = rng.choice(list(shapes.PAIRS)), rng.choice(shapes.CIRCLES)
        polygon = rng.choice(shapes.pair(rng, family))
        v = 0.0, 0.0
        if moving:
            center, radius, v = shapes.arriving_circle(rng, polygon, aim)
        else:
            center, radius = shapes.circle(rng, polygon, aim)
        if rng.random() < 0.12:
            parts = scaled(rng, [center, v, (radius, 0.0)], polygon)
            if parts is None:
                continue
            (center, v, (radius, _)), polygon = parts
        if shapes.usable(polygon) and all(map(math.isfinite, (*center, radius, *v))):
            return f"{family} {aim}", center, radius, v, polygon


def check_sat(rng: Random) -> Case:
    family, a, b = draw_pair(rng)
    truth = check.assert_sat(a, b, carom.sat(a, b))
    check.assert_intersects(a, b, carom.intersects(a, b))
    gap = truth.depth if truth.intersects else max(-w.depth for w in truth.ways)
    if not truth.intersects and is_near(gap, a, b):
        gap = oracle.distance(a, b).distance
    return Case(family, is_near(gap, a, b), is_extreme(a, b))


def check_distance(rng: Random) -> Case:
    family, a, b = draw_pair(rng)
    truth = check.assert_distance(a, b, carom.distance(a, b))
    gap = oracle.sat(a, b).depth if truth.intersects else truth.distance
    return Case(family, is_near(gap, a, b), is_extreme(a, b))


def check_swept_collision(rng: Random) -> Case:
    family, a, b, v = draw_sweep(rng)
    truth = check.assert_swept_collision(a, b, v, carom.swept_collision(a, b, v))
    gap = min((abs(w.depth) for w in truth.clearance), default=Decimal(1))
    if not truth.will_intersect:
        gap = max(abs(w.depth) for w in truth.clearance)
    if truth.intersects and truth.now:
        gap = min(gap, truth.now[0].depth)
    touching = is_near(gap, a, b) or (not truth.intersects and at_an_end(truth.time))
    return Case(family, touching, is_extreme(a, b, [v]))


def check_circle_polygon(rng: Random) -> Case:
    family, center, radius, _, polygon = draw_circle(rng, moving=False)
    result = carom.circle_polygon(center, radius, polygon)
    truth = check.assert_circle_polygon(center, radius, polygon, result)
    gap = truth.depth if truth.intersects else truth.distance
    near = is_near(gap, [center, (radius, 0.0)], polygon)
    return Case(family, near, is_extreme([center, (radius, 0.0)], polygon))


def check_swept_circle(rng: Random) -> Case:
    family, center, radius, v, polygon = draw_circle(rng, moving=True)
    result = carom.swept_circle(center, radius, v, polygon)
    truth = check.assert_swept_circle(center, radius, v, polygon, result)
    near = is_near(truth.margin, [center, (radius, 0.0)], polygon)
    touching = near or (not truth.intersects and at_an_end(truth.time))
    return Case(family, touching, is_extreme([center, v, (radius, 0.0)], polygon))


QUERIES: dict[str, Callable[[Random], Case]] = {
    "sat": check_sat,
    "swept_collision": check_swept_collision,
    "circle_polygon": check_circle_polygon,
    "swept_circle": check_swept_circle,
    "distance": check_distance,
}

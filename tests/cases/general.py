"""Hard cases of polygons of any shape, with holes and without."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random

import carom
import shapely

from generators import areas, shapes
from generators.areas import Area, bare, vertices
from reference import oracle
from reference.oracle import check, grid_penetration
from reference.oracle.kinds import Shape
from reference.oracle.penetration import assert_along, assert_penetration

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


MOST_VERTICES = 20
"""Of a pair whose penetration is checked: the oracle's time grows with their fourth power."""
CELL_OFFSETS = (0.0, 0.5, -0.5, 0.25, 1.0, -2.0, 3.0, 0.125, 2.0**-30, -(2.0**-30), 1.375)
NEAR_FITS = (0.125, -0.25, 0.375, 0.5, -0.75, 1.0, -1.25, 2.0**-40)


def draw_overlap(rng: Random) -> tuple[str, Area, Area]:
    """A pair that mostly touches or fits, as drawn or moved: by eighths, some ulps, or anyhow."""
    while True:
        family, a, b = draw_pair(rng)
        if len(vertices(a)) + len(vertices(b)) > MOST_VERTICES:
            continue
        aim = rng.choice([*["as it is", "moved", "hair"] * 2, "random"])
        unit = areas.power_above(areas.size(a, b)) / 8
        step = {"as it is": 0.0, "moved": unit, "hair": two_ulps(vertices(a), vertices(b)) / 2}
        if aim == "random":
            by = rng.uniform(-4, 4) * unit, rng.uniform(-4, 4) * unit
        elif aim == "moved":
            by = rng.choice((0.0, *NEAR_FITS)) * unit, rng.choice((0.0, *NEAR_FITS)) * unit
        else:
            by = rng.randint(-2, 2) * step[aim], rng.randint(-2, 2) * step[aim]
        a = areas.shifted(a, *by)
        if areas.usable(a):
            return f"{family} {aim}", a, b


def draw_direction(rng: Random, a: Area, b: Area) -> shapes.Point:
    """Along an axis, an edge, from a vertex to a feature of the other, or anyhow; any length."""
    while True:
        aim = rng.choice(["axis", "slide", "arrive", "random"])
        if aim == "axis":
            x, y = rng.choice([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, -1.0)])
        else:
            x, y = areas.velocity(rng, a, b, aim)
        if rng.random() < 0.1:
            factor = shapes.power(rng)
            x, y = x * factor, y * factor
        if (x or y) and math.isfinite(x) and math.isfinite(y):
            return x, y


def check_penetration(rng: Random) -> Case:
    family, a, b = draw_overlap(rng)
    return overlap_case(family, a, b, None)


def check_penetration_along(rng: Random) -> Case:
    family, a, b = draw_overlap(rng)
    return overlap_case(family, a, b, draw_direction(rng, a, b))


def overlap_case(family: str, a: Area, b: Area, direction: shapes.Point | None) -> Case:
    result = carom.penetration(bare(a), bare(b), direction=direction)
    try:
        assert_overlap(a, b, direction, result)
    except AssertionError as wrong:
        inputs = f"a = {a!r}\nb = {b!r}\ndirection = {direction!r}\nresult = {result!r}"
        raise AssertionError(f"{wrong}\n{inputs}") from wrong
    touching = hangs_by_a_hair(a, b) or depth_hangs_by_a_hair(a, b, direction, result.depth)
    return Case(family, touching, is_extreme(vertices(a), vertices(b)), has_holes(a, b))


def assert_overlap(
    a: Area, b: Area, direction: shapes.Point | None, result: carom.PenetrationResult
) -> None:
    one, other = Shape("polygon", [a]), Shape("polygon", [b])
    if direction is not None:
        assert_along(one, other, direction, result)
    elif result.depth > 0 and carom.Shapes([a, b]).is_convex.all():
        # Rings that are convex but for rounding count as their hulls if both are, unless the
        # interiors as given are disjoint.
        sat = carom.sat(bare(a), bare(b))
        assert (result.depth, result.mtv.tolist()) == (sat.depth, sat.mtv.tolist()), sat
    else:
        assert_penetration(one, other, result)


def depth_hangs_by_a_hair(a: Area, b: Area, direction: shapes.Point | None, depth: float) -> bool:
    """Whether shapes overlap by a hair, or fit so tightly that the depth changes by far more than
    the two units in the last place by which a is moved."""
    hair = 2 * two_ulps(vertices(a), vertices(b))
    if 0 < depth <= hair:
        return True
    depths = (
        carom.penetration(bare(c), bare(b), direction=direction).depth
        for c in nearby(a, b)
        if areas.usable(c)
    )
    return any(abs(other - depth) > 1e6 * hair for other in depths)


def check_penetration_of_cells(rng: Random) -> Case:
    """Unions of cells of a grid, large ones too, many of which fit one another exactly."""
    size, share = rng.choice([3, 4, 5, 6, 8, 12, 16]), rng.choice([0.3, 0.6, 0.8, 0.95])
    other = grid_penetration.random_cells(rng, size, share)
    family = rng.choice(["fitting", "random"])
    if family == "fitting":
        one = grid_penetration.fitting(rng, other, size)
    else:
        one = grid_penetration.random_cells(
            rng, rng.choice([2, 3, 4, size]), rng.choice([0.3, 0.6, 0.95])
        )
    by = rng.choice(CELL_OFFSETS), rng.choice(CELL_OFFSETS)
    way = rng.choice(
        [(1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (-1.0, 2.0), (3.0, -1.0), (-2.0, -0.125)]
    )
    a, b = (
        it.geometry(at, simplified=rng.random() < 0.8)
        for it, at in ((one, by), (other, (0.0, 0.0)))
    )
    try:
        is_tight = grid_penetration.assert_cells(one, other, by, carom.penetration(a, b))
        grid_penetration.assert_cells_along(
            one, other, by, way, carom.penetration(a, b, direction=way)
        )
    except AssertionError as wrong:
        inputs = f"a = {sorted(one.cells)}\nb = {sorted(other.cells)}\nmoved by {by}, way {way}"
        raise AssertionError(f"{wrong}\n{inputs}") from wrong
    return Case(f"cells {family}", is_tight or bool(a.touches(b)), False, has_interiors(a, b))


def has_interiors(*given: shapely.Geometry) -> bool:
    """Whether any has a hole."""
    return any(part.interiors for it in given for part in shapely.get_parts(it))


QUERIES: dict[str, Callable[[Random], Case]] = {
    "intersects": check_intersects,
    "swept_collision": check_swept_collision,
    "circle_polygon": check_circle_polygon,
    "swept_circle": check_swept_circle,
    "distance": check_distance,
    "penetration": check_penetration,
    "penetration_along": check_penetration_along,
    "penetration_of_cells": check_penetration_of_cells,
}

"""Seeded generators of areas: polygons of any shape, with or without holes, mostly degenerate.

An area is a list of rings, the shell first. As in ``shapes``, which generates convex polygons,
every generator takes a ``random.Random``, the families are named, and touching is common.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from generators import shapes
from generators.shapes import Point, Polygon, box, moved, nudge, nudged, on_segment, sides
from reference import oracle
from reference.oracle import intersects, is_valid

Area = list[Polygon]
AreaPair = tuple[Area, Area]
Cell = tuple[int, int]

FAR = [(0.0, 0.0), (0.0, 0.0), (450_000.25, 5_400_000.5), (2.0**40, -(2.0**40)), (-1e9, 3.0)]
"""Offsets of pairs: none, map coordinates, and coordinates whose ulp is 2 ** -12."""


def bare(area: Area) -> Polygon | Area:
    """The single ring of an area without holes, as most callers would write it."""
    return area if len(area) > 1 else area[0]


def shifted(area: Area, x: float, y: float) -> Area:
    return [moved(ring, x, y) for ring in area]


def scaled(area: Area, x: float, y: float) -> Area:
    return [shapes.stretched(ring, x, y) for ring in area]


def vertices(area: Area) -> list[Point]:
    return [p for ring in area for p in ring]


def rims(area: Area) -> list[tuple[Point, Point]]:
    """The edges of all rings."""
    return [side for ring in area for side in sides(ring)]


def usable(*given: Area) -> bool:
    """Whether all are finite and valid."""
    finite = all(math.isfinite(x) for area in given for p in vertices(area) for x in p)
    return finite and all(map(is_valid, given))


def size(*given: Area) -> float:
    """The largest coordinate difference."""
    points = [p for area in given for p in vertices(area)]
    return max(max(p[k] for p in points) - min(p[k] for p in points) for k in (0, 1))


def power_above(length: float) -> float:
    """The power of two next above a length, or the largest there is."""
    return 2.0 ** min(math.ceil(math.log2(min(length, 2.0**1023))), 1023)


# --- shells -------------------------------------------------------------------------------------


def star(rng: Random) -> Polygon:
    """Star-shaped about the origin."""
    n = rng.choice([5, 7, 9, 12])
    angles = [math.tau * (i + rng.uniform(0, 0.8)) / n for i in range(n)]
    return [(r * math.cos(t), r * math.sin(t)) for t in angles for r in [rng.uniform(0.6, 4)]]


def comb(rng: Random, teeth: int | None = None, gap: float = 1.0, width: float = 1.0) -> Polygon:
    """Teeth that point up, from a back below the x-axis."""
    n, long = teeth or rng.randint(2, 4), float(rng.randint(2, 4))
    step = width + gap
    ring: Polygon = [(0.0, -1.0), ((n - 1) * step + width, -1.0)]
    for i in reversed(range(n)):
        x = i * step
        ring += [(x + width, long), (x, long)]
        if i:
            ring += [(x, 0.0), (x - gap, 0.0)]
    return ring


def spiral(rng: Random) -> Polygon:
    """A spiral corridor of width 1, with walls of width 1."""
    n, long = rng.choice([5, 7]), rng.randint(9, 24)
    cells = [(0, 0)]
    (x, y), (dx, dy) = (0, 0), (1, 0)
    while len(cells) < long:
        ahead = x + dx, y + dy
        beyond = x + 2 * dx, y + 2 * dy
        if beyond in cells or not (0 <= ahead[0] < n and 0 <= ahead[1] < n):
            dx, dy = -dy, dx
            if (x + 2 * dx, y + 2 * dy) in cells:
                break
            continue
        x, y = ahead
        cells.append(ahead)
    found = outline(set(cells))
    assert found is not None
    return without_runs(found[0])


def without_runs(ring: Polygon) -> Polygon:
    """Without the collinear vertices of a ring with axis-parallel edges."""
    return [
        p
        for i, p in enumerate(ring)
        for o, q in [(ring[i - 1], ring[(i + 1) % len(ring)])]
        if not (o[0] == p[0] == q[0] or o[1] == p[1] == q[1])
    ]


def letter(rng: Random) -> Polygon:
    """An L, U, T, Z or plus on the unit grid."""
    plus = [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2)]
    forms: list[list[Cell]] = [
        [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)],
        [(0, 0), (4, 0), (4, 3), (3, 3), (3, 1), (1, 1), (1, 3), (0, 3)],
        [(1, 0), (2, 0), (2, 2), (3, 2), (3, 3), (0, 3), (0, 2), (1, 2)],
        [(0, 0), (2, 0), (2, 1), (3, 1), (3, 2), (1, 2), (1, 1), (0, 1)],
        [*plus, (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)],
        [(0, 0), (4, 0), (2, 1), (0, 4)],
    ]
    turned = rng.choice([(1, 1), (-1, 1), (1, -1), (-1, -1)])
    ring = [(float(x * turned[0]), float(y * turned[1])) for x, y in rng.choice(forms)]
    return [(y, x) for x, y in ring] if rng.random() < 0.5 else ring


def polyomino(rng: Random) -> Area:
    """A union of grid cells, often with holes; every grid point on its boundary is a vertex."""
    while True:
        cells = {(0, 0)}
        while len(cells) < rng.randint(6, 14):
            x, y = rng.choice(sorted(cells))
            dx, dy = rng.choice([(1, 0), (0, 1), (-1, 0), (0, -1)])
            cells.add((min(max(x + dx, 0), 3), min(max(y + dy, 0), 3)))
        area = outline(cells)
        if area is not None and is_valid(area):
            return area


def outline(cells: set[Cell]) -> Area | None:
    """The boundary rings of some cells; None if two cells share a corner only."""
    following: dict[Cell, Cell] = {}
    for x, y in sorted(cells):
        around = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        beyond = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
        for i, neighbour in enumerate(beyond):
            if neighbour not in cells:
                if around[i] in following:
                    return None
                following[around[i]] = around[(i + 1) % 4]
    found = []
    while following:
        p = min(following)
        ring: Polygon = []
        while p in following:
            ring.append((float(p[0]), float(p[1])))
            p = following.pop(p)
        found.append(ring)
    return found  # the least vertex of all lies on the shell


def with_runs(rng: Random, ring: Polygon) -> Polygon:
    """With additional vertices at the midpoints of some edges, up to rounding."""
    filled: Polygon = []
    for p, q in sides(ring):
        middle = (p[0] + q[0]) / 2, (p[1] + q[1]) / 2
        filled += [p, middle] if rng.random() < 0.4 else [p]
    return filled


def ring(rng: Random) -> Polygon:
    """A shell without holes."""
    family = rng.choice([star, comb, spiral, letter, letter, shapes.lattice])
    found = family(rng)
    return with_runs(rng, found) if family is not star and rng.random() < 0.3 else found


# --- holes --------------------------------------------------------------------------------------


def frame(rng: Random) -> Area:
    """A box with a box cut out of it, its walls sometimes an ulp thin."""
    w, h = float(rng.randint(3, 8)), float(rng.randint(3, 8))
    walls = [rng.choice([1.0, 0.5, 0.25, 2.0**-50]) for _ in range(4)]
    hole = [
        (walls[0], walls[1]),
        (w - walls[2], walls[1]),
        (w - walls[2], h - walls[3]),
        (walls[0], h - walls[3]),
    ]
    return [box(0.0, 0.0, w, h), hole]


def holed(rng: Random) -> Area:
    """A shell with one to three holes, some of which touch the shell or each other in a point."""
    while True:
        shell = rng.choice([ring(rng), box(0.0, 0.0, 6.0, 6.0), comb(rng, width=3.0)])
        area = [shapes.stretched(shell, 4.0, 4.0)]
        for _ in range(rng.randint(1, 3)):
            attempts = ([*area, hole(rng, area)] for _ in range(30))
            area = next(filter(is_valid, attempts), area)
        if len(area) > 1:
            return area


def hole(rng: Random, area: Area) -> Polygon:
    """A hole for an area, possibly invalid: free, or with a vertex on the boundary."""
    x, y = _spot(rng, area)
    if rng.random() < 0.5:
        return [(x + dx, y + dy) for dx, dy in rng.choice(SMALL)]
    tip = rng.choice([rng.choice(vertices(area)), _amid(rng, area)])
    u, v = (x - tip[0]) * 0.75, (y - tip[1]) * 0.75
    feet = [(tip[0] + u - v / 8, tip[1] + v + u / 8), (tip[0] + u + v / 8, tip[1] + v - u / 8)]
    return [tip, *feet, *rng.choice([[], [(tip[0] + u / 4, tip[1] + v / 4)]])]


SMALL: list[Polygon] = [
    [(0, 0), (1, 0), (0, 1)],
    [(0, 0), (1, 0), (1, 1), (0, 1)],
    [(0, 0), (2, 0), (1, 1), (2, 2), (0, 2)],
    [(-0.5, 0), (0, -0.5), (0.5, 0), (0, 0.5)],
]


def _amid(rng: Random, area: Area) -> Point:
    """A point on an edge, up to rounding."""
    (x, y), (u, v) = rng.choice(rims(area))
    part = rng.choice([0.5, 0.25])
    return x + (u - x) * part, y + (v - y) * part


def _spot(rng: Random, area: Area) -> Point:
    """A point within an area, on a fine grid."""
    xs, ys = zip(*area[0], strict=True)
    while True:
        x, y = (math.floor(rng.uniform(min(axis), max(axis)) * 4) / 4 for axis in (xs, ys))
        if intersects([(x, y), (x + 2**-9, y), (x, y + 2**-9)], area):
            return x, y


def area(rng: Random) -> Area:
    """Any of the above."""
    family = rng.choice(["plain", "plain", "cells", "frame", "holed", "holed"])
    if family == "plain":
        return [ring(rng)]
    return {"cells": polyomino, "frame": frame, "holed": holed}[family](rng)


def grid_area(rng: Random) -> Area:
    """An area with small whole coordinates."""
    family = rng.choice(["plain", "cells", "frame"])
    if family == "plain":
        return [rng.choice([letter, comb, spiral])(rng)]
    return {"cells": polyomino, "frame": frame_of_cells}[family](rng)


def frame_of_cells(rng: Random) -> Area:
    w, h = rng.randint(3, 5), rng.randint(3, 5)
    x, y = rng.randint(0, w - 3), rng.randint(0, h - 3)
    return [
        box(0.0, 0.0, float(w), float(h)),
        box(float(x + 1), float(y + 1), float(w - 2 - x), float(h - 2 - y)),
    ]


def dress(rng: Random, area: Area) -> Area:
    """The same area with other winding, start, repeated and closing vertices."""
    shell, *holes = (shapes.dress(rng, ring) for ring in area)
    rng.shuffle(holes)
    return [shell, *holes]


# --- pairs --------------------------------------------------------------------------------------


def generic(rng: Random) -> AreaPair:
    a, b = area(rng), area(rng)
    reach = max(size(a), size(b))
    b = scaled(b, *rng.choice([(1.0, 1.0), (0.37, 0.41), (1.3, 0.7)]))
    return a, shifted(b, rng.uniform(-reach, reach), rng.uniform(-reach, reach))


def grids(rng: Random) -> AreaPair:
    """Integer coordinates: common edges and vertices are frequent."""
    a, b = grid_area(rng), grid_area(rng)
    return a, shifted(b, float(rng.randint(-4, 4)), float(rng.randint(-4, 4)))


def neighbours(rng: Random) -> AreaPair:
    """Two parts of one block of cells, which share their boundary exactly."""
    while True:
        block = [(x, y) for x in range(4) for y in range(4)]
        one = {c for c in block if rng.random() < 0.55}
        a, b = outline(one), outline(set(block) - one)
        if a and b and usable(a, b):
            return a, b


def interlocked(rng: Random) -> AreaPair:
    """Interlocking combs that touch or are some ulps apart."""
    gap = rng.choice([1.0, 0.5, 3.0])
    play = rng.choice([0.0, 0.0, 0.25])
    a = comb(rng, gap=gap)
    width = gap - 2 * play
    teeth = [(x, -y) for x, y in comb(rng, gap=1 + 2 * play, width=width)]
    shift = 1.0 + play + rng.choice([0, 0, 1]) * (1 + gap)
    rise = rng.choice([max(y for _, y in teeth), 4.0, 4.0 + max(y for _, y in a)])
    b = moved(teeth, shift, rise - min(y for _, y in teeth) - rng.choice([0, 0.5, 1]))
    if rng.random() < 0.3:
        b = [(nudge(rng, x), y) for x, y in b]
    holes = [box(0.125, -0.75, 0.25, 0.5)] if rng.random() < 0.5 else []
    return [a, *holes], [b]


def middle(ring: Polygon) -> Point:
    """The middle of a ring's box."""
    xs, ys = zip(*ring, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def in_hole(rng: Random) -> AreaPair:
    """A shape in a hole: filling it, some ulps smaller, touching its boundary, or free."""
    a = rng.choice([holed, frame, frame, frame_of_cells])(rng)
    hole = rng.choice(a[1:])
    x, y = middle(hole)
    aim = rng.choice(["fill", "hair", "smaller", "corner", "speck"])
    if aim == "fill":
        b = hole
    elif aim == "hair":
        b = [nudged(rng, p, 2) for p in hole]
    elif aim == "smaller":
        s = rng.choice([0.5, 0.9, 1 - 2**-50])
        b = [(x + (p[0] - x) * s, y + (p[1] - y) * s) for p in hole]
    elif aim == "corner":
        k = rng.randrange(len(hole))
        b = [hole[k - 1], hole[k], on_segment(rng, hole[k], hole[(k + 1) % len(hole)])]
        b = [nudged(rng, p, rng.choice([0, 0, 1])) for p in b]
    else:
        b = [(x + u / 64, y + v / 64) for u, v in rng.choice(SMALL)]
    return a, [b]


def pointed(rng: Random) -> AreaPair:
    """A wedge or an arrow head whose tip lies on, or some ulps off, a vertex or an edge."""
    a = area(rng)
    (p, q), ulps = rng.choice(rims(a)), rng.choice([0, 0, 1, 2])
    tip = nudged(rng, rng.choice([p, q, on_segment(rng, p, q)]), ulps)
    height, t = rng.choice([0.2, 1.0]), rng.random() * math.tau
    if rng.random() < 0.7:
        t = math.atan2(p[0] - q[0], q[1] - p[1]) + rng.uniform(-0.7, 0.7)
    spread = rng.uniform(0.05, 0.6)
    feet = [
        (tip[0] + height * math.cos(t + s), tip[1] + height * math.sin(t + s))
        for s in (-spread, spread)
    ]
    dent = tip[0] + height / 2 * math.cos(t), tip[1] + height / 2 * math.sin(t)
    return a, [rng.choice([[tip, feet[0], dent, feet[1]], [tip, *feet]])]


def notched(rng: Random) -> AreaPair:
    """A V whose notch is on a vertex, or some ulps beside it, open towards the area or away."""
    a = area(rng)
    around = rng.choice(a)
    k = rng.randrange(len(around))
    before, p, after = around[k - 1], around[k], around[(k + 1) % len(around)]
    notch = nudged(rng, p, rng.choice([0, 0, 1]))
    legs = [(q[0] - p[0], q[1] - p[1]) for q in (before, after)]
    back = -(legs[0][0] + legs[1][0]) or 0.5, -(legs[0][1] + legs[1][1]) or 0.5
    far = notch[0] + back[0], notch[1] + back[1]
    if rng.random() < 0.5:  # flush with both sides
        arms = [before, after]
    else:
        arms = [
            (notch[0] + x * 0.5 + back[0] * 0.25, notch[1] + y * 0.5 + back[1] * 0.25)
            for x, y in legs
        ]
    return a, [[notch, arms[0], far, arms[1]]]


def on_features(rng: Random) -> AreaPair:
    """A star-shaped polygon through points on, or some ulps off, features of the other."""
    a = area(rng)
    points = {
        nudged(rng, rng.choice([p, on_segment(rng, p, q)]), rng.choice([0, 0, 1, 2]))
        for p, q in rng.choices(rims(a), k=rng.randint(3, 6))
    }
    x, y = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    return a, [sorted(points, key=lambda p: math.atan2(p[1] - y, p[0] - x))]


def hairline(rng: Random) -> AreaPair:
    """A touching pair, moved apart or together by an ulp or two of its coordinates."""
    a, b = rng.choice([grids, neighbours, interlocked, in_hole])(rng)
    x, y = rng.choice(FAR)
    a, b = shifted(a, x, y), shifted(b, x, y)
    ulp = math.ulp(max(abs(c) for p in vertices(a) for c in p))
    dx, dy = (ulp * rng.choice([0, 0, 1, -1, 2, -2]) for _ in range(2))
    return a, shifted(b, dx, dy)


def alike(rng: Random) -> AreaPair:
    """The same area twice, identical or some ulps different."""
    a = area(rng)
    return a, [[nudged(rng, p, rng.choice([0, 1])) for p in ring] for ring in a]


def with_convex(rng: Random) -> AreaPair:
    """A convex shape beside an area, or touching it."""
    a = area(rng)
    p, q = rng.choice(rims(a))
    keep = nudged(rng, rng.choice([p, on_segment(rng, p, q)]), rng.choice([0, 0, 1]))
    return a, [shapes.beyond(rng, [keep], p, q)]


def dented(rng: Random) -> AreaPair:
    """Lattice polygons with more vertices on their edges, nudged: convex but for rounding."""
    rings = (moved(ring, 16.0, 16.0) for ring in shapes.collinear_runs(rng))
    a, b = ([nudged(rng, p, 1) for p in ring] for ring in rings)
    return [a], [b]


PAIRS: dict[str, Callable[[Random], AreaPair]] = {
    f.__name__: f
    for f in (
        generic,
        grids,
        neighbours,
        interlocked,
        in_hole,
        pointed,
        notched,
        on_features,
        hairline,
        alike,
        with_convex,
        dented,
    )
}


def pair(rng: Random, family: str) -> AreaPair:
    """A valid pair of the family, with any winding, start and order."""
    while True:
        a, b = PAIRS[family](rng)
        if rng.random() < 0.25 and family != "hairline":
            x, y = rng.choice(FAR)
            a, b = shifted(a, x, y), shifted(b, x, y)
        if usable(a, b):
            a, b = dress(rng, a), dress(rng, b)
            return (a, b) if rng.random() < 0.5 else (b, a)


def extreme_pair(rng: Random, family: str) -> AreaPair:
    """A pair of the family scaled to extreme magnitudes, by common or separate factors."""
    while True:
        a, b = pair(rng, family)
        factors = shapes.stretch(rng)
        a = scaled(a, *factors)
        b = scaled(b, *(factors if rng.random() < 0.7 else shapes.stretch(rng)))
        if usable(a, b):
            return a, b


# --- velocities ---------------------------------------------------------------------------------

VELOCITIES = ("zero", "random", "arrive", "half", "through", "slide", "graze", "leave", "wall")


def apart(rng: Random, a: Area, b: Area) -> Area:
    """b, moved by a power of two to where it does not meet a."""
    step = power_above(size(a, b)) * rng.choice([1, 2])
    x, y = rng.choice([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (2, 1), (1, -2)])
    return shifted(b, x * step, y * step)


def docking(rng: Random, a: Area, b: Area) -> tuple[Area, Point]:
    """a at a start position, and the velocity that moves it back to where it was."""
    step = power_above(size(a, b)) * rng.choice([2.0, 1.0, 0.5, 0.125])
    x, y = rng.choice([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (2, 1), (1, -2)])
    return shifted(a, -x * step, -y * step), (x * step, y * step)


def _feature(rng: Random, area: Area) -> Point:
    p, q = rng.choice(rims(area))
    return rng.choice([p, on_segment(rng, p, q)])


def velocity(rng: Random, a: Sequence[Polygon], b: Area, aim: str) -> Point:
    """A displacement of a, of the kind `aim`; a may be a single point."""
    p, q = rng.choice(vertices(list(a))), _feature(rng, b)
    if len(a[0]) > 1 and rng.random() < 0.5:
        p, q = _feature(rng, list(a)), rng.choice(vertices(b))
    ulps = rng.choice([0, 0, 0, 1, 2])
    x, y = nudged(rng, (q[0] - p[0], q[1] - p[1]), ulps)
    if aim == "wall":  # through everything
        x, y = 64 * x, 64 * y
    elif aim in ("arrive", "graze"):
        factor = 1.0 if aim == "arrive" else rng.choice([1.0, 2.0, 1.5])
        x, y = x * factor, y * factor
        if aim == "graze" and len(a[0]) > 1:
            x, y = shapes.velocity(rng, vertices(list(a)), vertices(b), "graze")
    elif aim == "slide":
        r, s = rng.choice([*rims(list(a)), *rims(b)] if len(a[0]) > 1 else rims(b))
        factor = rng.choice([0.5, 1.0, 2.0, -1.0, 3.0])
        x, y = (s[0] - r[0]) * factor, (s[1] - r[1]) * factor
    elif aim == "random":
        reach = size(list(a), b) or 1.0
        x, y = rng.uniform(-2, 2) * reach, rng.uniform(-2, 2) * reach
    else:
        factor = {"half": 2.0, "through": 8.0, "leave": -1.0, "zero": 0.0}[aim]
        x, y = factor * x, factor * y
    return (x, y) if math.isfinite(x) and math.isfinite(y) else (0.0, 0.0)


# --- circles ------------------------------------------------------------------------------------


def circle(rng: Random, area: Area, family: str) -> tuple[Point, float]:
    """A centre and a radius of the family for one of the rings, or tangent to the whole area."""
    around = rng.choice(area)
    center, radius = shapes.circle(rng, around, family)
    if len(area) > 1 and family.startswith("tangent") and rng.random() < 0.5:
        center = middle(rng.choice(area[1:]))
        radius = nudge(rng, float(oracle.circle_polygon(center, 0.0, area).distance), 1)
    if family == "generic" and rng.random() < 0.5:
        # Tangent to two features at once, up to rounding.
        p, q = _feature(rng, area), _feature(rng, area)
        center = (p[0] + q[0]) / 2, (p[1] + q[1]) / 2
        radius = nudge(rng, math.dist(center, p))
    return center, max(0.0, radius)


def arriving_circle(rng: Random, area: Area, family: str) -> tuple[Point, float, Point]:
    """Centre, radius and velocity of a circle that moves to one of the rings."""
    return shapes.arriving_circle(rng, rng.choice(area), family)

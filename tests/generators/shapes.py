"""Seeded generators of convex polygons, velocities and circles, mostly degenerate.

Every generator takes a ``random.Random`` and returns plain lists of float pairs. The families are
named, so that a failing case shows its kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from reference.oracle import kind
from reference.oracle.exact import grid_of
from reference.oracle.rings import hull

Point = tuple[float, float]
Polygon = list[Point]
Pair = tuple[Polygon, Polygon]

HUGE, TINY = 1e150, 1e-150


def convex_hull(points: Sequence[Point]) -> Polygon:
    """The exact corners of the hull of some floats, counterclockwise."""
    grid = grid_of(points)
    named = {grid.point(p): p for p in points}
    return [named[p] for p in hull(list(named))]


def usable(*polygons: Polygon) -> bool:
    """Whether all are finite, and convex up to rounding."""
    finite = all(math.isfinite(x) for polygon in polygons for p in polygon for x in p)
    return finite and all(kind(p) in ("convex", "rounding") for p in polygons)


def nudge(rng: Random, x: float, ulps: int = 2) -> float:
    """x moved by at most `ulps` units in the last place."""
    steps = rng.randint(-ulps, ulps)
    for _ in range(abs(steps)):
        x = math.nextafter(x, math.copysign(math.inf, steps))
    return x


def nudged(rng: Random, p: Point, ulps: int = 2) -> Point:
    return nudge(rng, p[0], ulps), nudge(rng, p[1], ulps)


def on_segment(rng: Random, p: Point, q: Point) -> Point:
    """A point on the segment, up to rounding."""
    t = rng.choice([0.25, 0.5, 0.75, rng.random()])
    return p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t


def sides(polygon: Polygon) -> list[tuple[Point, Point]]:
    """The edges of a polygon that have a length."""
    following = [*polygon[1:], polygon[0]]
    return [(p, q) for p, q in zip(polygon, following, strict=True) if p != q]


def box(x: float, y: float, width: float, height: float) -> Polygon:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def moved(polygon: Polygon, x: float, y: float) -> Polygon:
    return [(p[0] + x, p[1] + y) for p in polygon]


def stretched(polygon: Polygon, x: float, y: float) -> Polygon:
    return [(p[0] * x, p[1] * y) for p in polygon]


def blob(rng: Random, size: float = 1.0, corners: int | None = None) -> Polygon:
    """A convex polygon of generic position about the origin."""
    n = corners or rng.choice([3, 4, 4, 5, 6, 8])
    start, wide = rng.random() * math.tau, rng.uniform(0.3, 1.0)
    angles = sorted(start + math.tau * (i + 0.9 * rng.random()) / n for i in range(n))
    return convex_hull([(size * math.cos(t), size * wide * math.sin(t)) for t in angles])


def lattice(rng: Random, span: int = 6) -> Polygon:
    """A convex polygon with small integer vertices."""
    while True:
        points = [(float(rng.randint(0, span)), float(rng.randint(0, span))) for _ in range(6)]
        corners = convex_hull(points)
        if len(corners) > 2:
            return corners


def vehicle(rng: Random, x: float = 0.0, y: float = 0.0, heading: float | None = None) -> Polygon:
    """A rotated rectangle with a vertex at the middle of each edge: convex up to rounding."""
    t = rng.random() * math.tau if heading is None else heading
    c, s, length, width = math.cos(t), math.sin(t), rng.uniform(2, 9), rng.uniform(1, 3)
    ring: Polygon = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
    return [
        (u * length * c - w * width * s + x, u * length * s + w * width * c + y) for u, w in ring
    ]


def sliver(rng: Random) -> Polygon:
    """A triangle or quadrilateral a few units in the last place to 1e-6 thick."""
    p, q = blob(rng, 1.0, 4)[:2]
    thin = rng.choice([0.0, 1e-15, 1e-12, 1e-6])
    amid = on_segment(rng, p, q)
    above = nudged(rng, (amid[0] + thin * rng.random(), amid[1] + thin * rng.random()))
    below = nudged(rng, on_segment(rng, p, q))
    return convex_hull([p, q, above, below])


def dress(rng: Random, polygon: Polygon) -> Polygon:
    """The same region with other winding, start, repeated and closing vertices."""
    ring = list(polygon)
    if rng.random() < 0.5:
        ring.reverse()
    start = rng.randrange(len(ring))
    ring = ring[start:] + ring[:start]
    if rng.random() < 0.2:
        i = rng.randrange(len(ring))
        ring[i:i] = [ring[i]] * rng.randint(1, 2)
    if rng.random() < 0.2:
        ring.append(ring[0])
    return ring


def beyond(rng: Random, keep: Sequence[Point], p: Point, q: Point) -> Polygon:
    """A polygon with the vertices ``keep``, and all others on the outer side of edge p to q."""
    along = q[0] - p[0], q[1] - p[1]
    out = along[1], -along[0]
    points = list(keep)
    for _ in range(rng.randint(2, 5)):
        t, h = rng.uniform(-1, 2), rng.uniform(0.1, 2)
        points.append((p[0] + along[0] * t + out[0] * h, p[1] + along[1] * t + out[1] * h))
    return convex_hull(points)


# --- pairs --------------------------------------------------------------------------------------


def generic(rng: Random) -> Pair:
    reach = rng.choice([1.0, 1.6, 2.5])
    x, y = rng.uniform(-reach, reach), rng.uniform(-reach, reach)
    return blob(rng), moved(blob(rng, rng.choice([0.5, 1, 2])), x, y)


def vertex_on_vertex(rng: Random) -> Pair:
    a = rng.choice([blob, lattice])(rng)
    p, q = rng.choice(sides(a))
    return a, beyond(rng, [nudged(rng, p, rng.choice([0, 2]))], p, q)


def vertex_on_edge(rng: Random) -> Pair:
    a = rng.choice([blob, lattice])(rng)
    p, q = rng.choice(sides(a))
    touch = nudged(rng, on_segment(rng, p, q), rng.choice([0, 2]))
    return a, beyond(rng, [touch], p, q)


def flush(rng: Random) -> Pair:
    a = rng.choice([blob, lattice])(rng)
    p, q = rng.choice(sides(a))
    ulps = rng.choice([0, 0, 2])
    keep = rng.choice([[p, q], [p, on_segment(rng, p, q)], [on_segment(rng, p, q), q]])
    return a, beyond(rng, [nudged(rng, k, ulps) for k in keep], p, q)


def flush_boxes(rng: Random) -> Pair:
    x, w = rng.uniform(-9, 9), rng.uniform(0.5, 5)
    b = [(x + w, rng.uniform(-3, 3)), (x + w, rng.uniform(3, 6)), (x + 2 * w, rng.uniform(-3, 6))]
    return box(x, rng.uniform(-3, 0), w, rng.uniform(1, 3)), convex_hull(b)


def identical(rng: Random) -> Pair:
    a = rng.choice([blob, lattice, vehicle, sliver])(rng)
    return a, list(a)


def almost_identical(rng: Random) -> Pair:
    a = rng.choice([blob, lattice, vehicle])(rng)
    return a, [nudged(rng, p) for p in a]


def nested(rng: Random) -> Pair:
    a = rng.choice([blob, lattice])(rng)
    x, y = (sum(p[k] for p in a) / len(a) for k in (0, 1))
    towards = rng.choice(a)
    s, t = rng.choice([0.01, 0.3, 0.9, 0.999]), rng.random()
    x, y = x + (towards[0] - x) * t, y + (towards[1] - y) * t
    b = [(x + (p[0] - x) * s, y + (p[1] - y) * s) for p in (a if rng.random() < 0.5 else blob(rng))]
    return (a, b) if rng.random() < 0.5 else (b, a)


def slivers(rng: Random) -> Pair:
    a = sliver(rng)
    b = rng.choice([sliver(rng), [nudged(rng, p) for p in a], vertex_on_edge(rng)[1]])
    return a, b


def hull_of_features(rng: Random) -> Pair:
    """The second shape is the hull of points on features of the first, or some ulps beside."""
    a = rng.choice([blob, lattice, sliver])(rng)
    points = []
    for _ in range(rng.randint(3, 6)):
        p = on_segment(rng, *rng.choice(sides(a)))
        p = rng.choice([p, rng.choice(a), (rng.uniform(-2, 6), rng.uniform(-2, 6))])
        points.append(nudged(rng, p, rng.choice([0, 1, 2])))
    return a, convex_hull(points)


def grid_squares(rng: Random) -> Pair:
    x, y = rng.randint(-2, 2), rng.randint(-2, 2)
    far = float(rng.choice([0, 0, 450_000, 2**40]))
    return box(far, far, 1, 1), box(far + x, far + y, 1, 1)


def lattices(rng: Random) -> Pair:
    a, b = lattice(rng, 4), lattice(rng, 4)
    return a, moved(b, float(rng.randint(-4, 4)), float(rng.randint(-4, 4)))


def collinear_runs(rng: Random) -> Pair:
    """Lattice polygons with every lattice point of their edges as a vertex."""
    rings = []
    for ring in lattices(rng):
        filled: Polygon = []
        for p, q in sides(ring):
            n = math.gcd(int(q[0] - p[0]), int(q[1] - p[1]))
            filled += [
                (p[0] + (q[0] - p[0]) * i / n, p[1] + (q[1] - p[1]) * i / n) for i in range(n)
            ]
        rings.append(filled)
    return rings[0], rings[1]


def vehicles(rng: Random) -> Pair:
    t = rng.random() * math.tau
    x, y = rng.uniform(-9, 9), rng.uniform(-9, 9)
    turned = rng.choice([t, t + math.pi / 2, None])
    return vehicle(rng, heading=t), vehicle(rng, x, y, turned)


def bumper_to_bumper(rng: Random) -> Pair:
    """A vehicle and its copy, moved by the difference of two of its vertices."""
    a = vehicle(rng)
    p, q = rng.sample(a, 2)
    return a, moved(a, q[0] - p[0], q[1] - p[1])


def utm(rng: Random) -> Pair:
    """Vehicles at map coordinates, some apart or overlapping by a nanometre."""
    east, north = rng.uniform(2e5, 8e5), rng.uniform(1e6, 9e6)
    a = vehicle(rng, east, north, rng.choice([0.0, math.pi / 2, None]))
    width = max(p[0] for p in a) - min(p[0] for p in a)
    gap = rng.choice([0.0, 1e-9, -1e-9, rng.uniform(-1, 1)])
    return a, moved(a, width + gap, rng.choice([0.0, rng.uniform(-3, 3)]))


PAIRS: dict[str, Callable[[Random], Pair]] = {
    f.__name__: f
    for f in (
        generic,
        vertex_on_vertex,
        vertex_on_edge,
        flush,
        flush_boxes,
        identical,
        almost_identical,
        nested,
        slivers,
        hull_of_features,
        grid_squares,
        lattices,
        collinear_runs,
        vehicles,
        bumper_to_bumper,
        utm,
    )
}


def power(rng: Random) -> float:
    """A power of two far from one."""
    return 2.0 ** rng.choice(
        [-1060, -1000, -600, -510, 510, 600, 900, 1010, rng.randint(-1074, 1015)]
    )


def stretch(rng: Random) -> tuple[float, float]:
    """Factors for both axes that scale coordinates above 1e150 or below 1e-150."""
    s = power(rng)
    return rng.choice([(s, s), (s, s), (s, 1.0), (1.0, s), (s, power(rng))])


def pair(rng: Random, family: str) -> Pair:
    """A valid pair of the family, with any winding, start and repeated vertices."""
    while True:
        a, b = PAIRS[family](rng)
        if usable(a, b):
            return dress(rng, a), dress(rng, b)


def extreme_pair(rng: Random, family: str) -> Pair:
    """A pair of the family scaled to extreme magnitudes, by common or separate factors."""
    while True:
        a, b = PAIRS[family](rng)
        factors = stretch(rng)
        a = stretched(a, *factors)
        b = stretched(b, *(factors if rng.random() < 0.7 else stretch(rng)))
        if usable(a, b):
            return dress(rng, a), dress(rng, b)


# --- velocities ---------------------------------------------------------------------------------

VELOCITIES = ("zero", "random", "arrive", "half", "through", "slide", "graze", "leave")


def _facing(rng: Random, a: Polygon, b: Polygon) -> tuple[Point, Point]:
    """The extreme vertices of a and of b in some direction, facing each other."""
    r, s = rng.choice([*sides(a), *sides(b), (rng.choice(a), rng.choice(b))])
    out = rng.choice([(s[1] - r[1], r[0] - s[0]), (r[1] - s[1], s[0] - r[0])])
    size = math.hypot(*out) or 1.0
    out = out[0] / size, out[1] / size

    def height(p: Point) -> float:
        return p[0] * out[0] + p[1] * out[1]

    return max(a, key=height), min(b, key=height)


def _tangent(rng: Random, a: Polygon, b: Polygon) -> tuple[Point, Point]:
    """A vertex of each on a common tangent that separates them, if there is one."""
    found = []
    for p in a:
        for q in b:
            x, y = q[0] - p[0], q[1] - p[1]
            side_a = [x * (s[1] - p[1]) - y * (s[0] - p[0]) for s in a]
            side_b = [x * (s[1] - q[1]) - y * (s[0] - q[0]) for s in b]
            if max(side_a) <= 0 <= min(side_b) or max(side_b) <= 0 <= min(side_a):
                found.append((p, q))
    return rng.choice(found) if found else (rng.choice(a), rng.choice(b))


def velocity(rng: Random, a: Polygon, b: Polygon, aim: str) -> Point:
    """A displacement of a, of the kind `aim`; a may be a single point."""
    size = max(abs(p[k] - q[k]) for p in a for q in b for k in (0, 1)) or 1.0
    (p, q), ulps = _facing(rng, a, b), rng.choice([0, 0, 1, 2])
    x, y = nudged(rng, (q[0] - p[0], q[1] - p[1]), ulps)
    if aim == "arrive":  # at time 1, with a vertex of each
        v = x, y
    elif aim == "half":
        v = 2 * x, 2 * y
    elif aim == "through":
        v = 8 * x, 8 * y
    elif aim == "leave":
        v = -x, -y
    elif aim == "slide":
        r, s = rng.choice([*sides(a), *sides(b)])
        factor = rng.choice([0.5, 1.0, 2.0, -1.0, 3.0])
        v = (s[0] - r[0]) * factor, (s[1] - r[1]) * factor
    elif aim == "graze":
        p, q = _tangent(rng, a, b)
        factor = rng.choice([1.0, 2.0, 1.5])
        v = nudged(rng, ((q[0] - p[0]) * factor, (q[1] - p[1]) * factor), ulps)
    elif aim == "random":
        v = rng.uniform(-2, 2) * size, rng.uniform(-2, 2) * size
    else:
        v = 0.0, -0.0
    return v if all(map(math.isfinite, v)) else (0.0, 0.0)


# --- circles ------------------------------------------------------------------------------------

CIRCLES = (
    "generic",
    "on_vertex",
    "on_edge",
    "tangent_vertex",
    "tangent_edge",
    "tangent_exact",
    "centroid",
    "point",
    "tiny",
    "huge",
)


def circle(rng: Random, polygon: Polygon, family: str) -> tuple[Point, float]:
    """A centre and a radius of the family."""
    size = max(abs(p[k] - polygon[0][k]) for p in polygon for k in (0, 1))
    p, q = rng.choice(sides(polygon))
    amid = on_segment(rng, p, q)
    free = polygon[0][0] + rng.uniform(-2, 2) * size, polygon[0][1] + rng.uniform(-2, 2) * size
    center, radius = free, rng.choice([0.0, rng.random()]) * size
    if family == "generic":
        radius = rng.random() * size
    elif family in ("on_vertex", "on_edge"):
        center = nudged(rng, p if family == "on_vertex" else amid, rng.choice([0, 2]))
    elif family == "tangent_vertex":
        radius = nudge(rng, min(math.hypot(free[0] - x, free[1] - y) for x, y in polygon))
    elif family == "tangent_edge":
        height = rng.uniform(-0.5, 0.5)
        center = amid[0] - (q[1] - p[1]) * height, amid[1] + (q[0] - p[0]) * height
        radius = nudge(rng, abs(height) * math.hypot(q[0] - p[0], q[1] - p[1]))
    elif family == "tangent_exact":
        # Whole multiples of 3, 4, 5 are exactly tangent to a vertex.
        scale = 2.0 ** math.floor(math.log2(size)) * rng.choice([0.25, 1, 8])
        x, y = rng.choice([(3, 4), (-3, 4), (4, -3), (-5, 0), (0, 5), (5, 12), (-12, -5)])
        p = max(polygon, key=lambda p: p[0] / size * x + p[1] / size * y)
        center, radius = (p[0] + x * scale, p[1] + y * scale), math.hypot(x, y) * scale
    elif family == "centroid":
        n = len(polygon)
        center = sum(p[0] / n for p in polygon), sum(p[1] / n for p in polygon)
    elif family == "point":
        center, radius = rng.choice([free, amid, p]), 0.0
    elif family == "tiny":
        center = nudged(rng, rng.choice([amid, p]))
        radius = size * rng.choice([1e-15, 1e-9, 1e-200])
    elif family == "huge":
        radius = size * rng.choice([1e3, 1e12, 1e200])
    return center, max(radius, 0.0)


def apart(rng: Random, a: Polygon, b: Polygon) -> Polygon:
    """b, moved by a power of two to where it does not meet a."""
    size = max(abs(p[k] - q[k]) for p in [*a, *b] for q in a for k in (0, 1))
    step = 2.0 ** math.ceil(math.log2(size)) * rng.choice([1, 2])
    x, y = rng.choice([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (2, 1), (1, -2)])
    return moved(b, x * step, y * step)


def arriving_circle(rng: Random, polygon: Polygon, family: str) -> tuple[Point, float, Point]:
    """Centre, radius and velocity of a circle that moves to the position from ``circle``."""
    (x, y), radius = circle(rng, polygon, family)
    size = max(abs(p[k] - polygon[0][k]) for p in polygon for k in (0, 1))
    step = 2.0 ** math.ceil(math.log2(size))
    r, s = rng.choice(sides(polygon))
    along = (s[0] - r[0], s[1] - r[1])
    v = rng.choice([along, (step, 0.0), (0.0, -step), (step, 2 * step), (-step, step)])
    back, factor = rng.choice([1, 2, 4]), rng.choice([1, 1, 1.5, 2, 0.5])
    center = x - back * v[0], y - back * v[1]
    toward = x - center[0], y - center[1]
    velocity = nudged(rng, (factor * toward[0], factor * toward[1]), rng.choice([0, 0, 1]))
    return center, radius, velocity

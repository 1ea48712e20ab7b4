"""The ends of the contact of two convex shapes with radii that intersect, from what `sat` promises.

The normal is the direction between the nearest points of the cores, or, where these overlap, that
of the least overlap. Each core has a face in that direction: a vertex or an edge. An edge is the
reference, that of a first. The edge of the other core that is most opposed to it is clipped to its
span, and to what the radii and the margin reach. The part that is left moves by the radius.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from .exact import TIE, Grid, Point, Real, long_decimals, root
from .kinds import Core, Segment, Shape, core_of, cores_gap, foot, grid_of, size_of
from .rings import dot, minus, negative

Direction = tuple[Fraction, Fraction]
Ends = tuple[Real, Real]


def contact(a: Shape, b: Shape, margin: float = 0.0) -> tuple[Ends, Fraction] | None:
    """Both ends, and one unit in the last place of the extent. None if several are equally good."""
    grid = grid_of(a, b, numbers=[margin])
    cores = core_of(a, grid), core_of(b, grid)
    reach = sum(map(grid.number, (a.radius, b.radius, margin)))
    size = size_of(grid, a, b, numbers=[margin])
    with long_decimals(size**4):
        are_apart = cores_gap(*cores) > 0
        direction = _gap(*cores) if are_apart else _least_overlap(*cores)
        if direction is None:
            return None
        core = _clipped(*cores, direction, reach if are_apart else 0)
        if core is None:
            return None
        ends, is_of_b = core
        radius = grid.number(b.radius) if is_of_b else -grid.number(a.radius)
        one, other = (_moved(end, direction, radius, grid) for end in ends)
        return (one, other), grid.ulp(size)


def _gap(a: Core, b: Core) -> Direction | None:
    """From the nearest point of b to that of a, if there is one direction."""
    found: list[tuple[Fraction, Direction]] = []
    for one, other, sign in ((a, b, 1), (b, a, -1)):
        for p in one.points:
            for start, end in other.segments:
                square, part = foot(p, start, end)
                x, y = (
                    sign * (u - s - (t - s) * part) for u, s, t in zip(p, start, end, strict=True)
                )
                found.append((square, (Fraction(x), Fraction(y))))
    least = min(square for square, _ in found)
    return _only([way for square, way in found if square <= least * (1 + TIE)])


def _least_overlap(a: Core, b: Core) -> Direction | None:
    """The normal of an edge along which the overlap is least, if there is one."""
    found: list[tuple[Fraction, Direction]] = []
    for start, end in a.segments + b.segments:
        x, y = minus(end, start)
        for normal in ((y, -x), (-y, x)):
            square = dot(normal, normal)
            if square:
                overlap = max(dot(normal, q) for q in b.points)
                overlap -= min(dot(normal, p) for p in a.points)
                way = Fraction(normal[0]), Fraction(normal[1])
                found.append((Fraction(overlap**2, square), way))
    least = min((square for square, _ in found), default=None)
    if least is None:
        return None
    return _only([way for square, way in found if square <= least * (1 + TIE)])


def _only(ways: list[Direction]) -> Direction | None:
    """The direction that all of these have."""
    x, y = ways[0]
    same = all(x * v == y * u and x * u + y * v > 0 for u, v in ways)
    return ways[0] if same else None


def _face(core: Core, direction: Direction) -> list[Point]:
    """The one or two points that lie farthest in a direction."""
    farthest = max(_along(direction, p) for p in core.points)
    return [p for p in core.points if _along(direction, p) == farthest]


def _along(direction: Direction, p: Point) -> Fraction:
    return direction[0] * p[0] + direction[1] * p[1]


def _clipped(
    a: Core, b: Core, direction: Direction, reach: int
) -> tuple[tuple[Direction, Direction], bool] | None:
    """What is left of the incident edge, in steps, and whether that is one of b."""
    back = -direction[0], -direction[1]
    face_a, face_b = _face(a, back), _face(b, direction)
    if len(face_a) == 1 and len(face_b) == 1:
        (x, y) = face_b[0]
        return ((Fraction(x), Fraction(y)),) * 2, True
    is_of_b = len(face_a) == 2
    (reference, incident), way = ((face_a, b), direction) if is_of_b else ((face_b, a), back)
    found = {_part(edge, reference, way, reach) for edge in _most_opposed(incident, way)}
    return (found.pop(), is_of_b) if len(found) == 1 else None


def _most_opposed(core: Core, way: Direction) -> Iterator[Segment]:
    """The edges at the deepest vertex that deviate least from being parallel to the reference."""
    deepest = _face(core, way)
    if len(core.points) == 1 or len(deepest) == 2:
        yield (deepest[0], deepest[-1])
        return
    (tip,) = deepest
    edges = [(tip, q if p == tip else p) for p, q in core.segments if tip in (p, q)]
    slopes = []
    for p, q in edges:
        along = minus(q, p)
        slopes.append(_along(way, along) ** 2 / dot(along, along))
    steepest = min(slopes)
    yield from (edge for edge, it in zip(edges, slopes, strict=True) if it <= steepest * (1 + TIE))


def _part(
    edge: Segment, reference: list[Point], way: Direction, reach: int
) -> tuple[Direction, Direction]:
    """The part of an edge in the span of another, and not farther from its line than it reaches."""
    tip, end = edge
    first, last = reference
    span, along = minus(last, first), minus(end, tip)
    low, high = Fraction(0), Fraction(1)
    for limit, side in ((first, span), (last, negative(span))):
        start, slope = dot(side, minus(tip, limit)), dot(side, along)
        if slope == 0 and start < 0:
            high = Fraction(-1)
        elif slope > 0:
            low = max(low, Fraction(-start, slope))
        elif slope < 0:
            high = min(high, Fraction(-start, slope))
    fall = -_along(way, along)
    if fall:
        # In lengths along the normal, which are roots.
        unit = way[0] ** 2 + way[1] ** 2
        depth = _along(way, minus(tip, first))
        rest = Decimal(reach) * root(*unit.as_integer_ratio()) + _decimal(depth)
        part = rest / _decimal(fall)
        high = min(high, Fraction(part))
    if low > high:
        low = high = Fraction(0)
    return _at(tip, along, low), _at(tip, along, high)


def _at(start: Point, along: Point, part: Fraction) -> Direction:
    return start[0] + along[0] * part, start[1] + along[1] * part


def _decimal(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / x.denominator


def _moved(p: Direction, direction: Direction, by: int, grid: Grid) -> Real:
    """A point moved along a direction, as coordinates."""
    length = root(*(direction[0] ** 2 + direction[1] ** 2).as_integer_ratio())
    x, y = (_decimal(c) + _decimal(d) / length * by for c, d in zip(p, direction, strict=True))
    return x * grid.step, y * grid.step

"""The shortest translation that separates two polygons' interiors, by trying all that may be it.

At the shortest one an edge of one polygon holds a vertex of the other: it lies on one of the
segments that edges less vertices make, at the foot of the perpendicular from the origin, at an end,
or where two cross. Each of these is tried: interiors meet exactly when a piece of one boundary, cut
where it meets the other, runs inside the other polygon, or along its boundary with the interior on
the same side.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from . import accuracy
from .exact import Real, long_decimals, ratio, root
from .kinds import Core, Shape, core_of, grid_of
from .rings import cross, dot, inside, minus, on_boundary, plus

Vector = tuple[Fraction, Fraction]
Line = tuple[Any, Any]
TIE = Fraction(1, 10**12)


def pieces(edge: Line, others: Iterable[Line]) -> Iterator[Any]:
    """The middles of the pieces of an edge between the points where it meets others."""
    (p, q), cuts = edge, {Fraction(0), Fraction(1)}
    along = minus(q, p)
    for r, s in others:
        other, gap = minus(s, r), minus(r, p)
        turned = cross(along, other)
        if turned:
            at, of_other = Fraction(cross(gap, other), turned), Fraction(cross(gap, along), turned)
            if 0 <= of_other <= 1:
                cuts.add(at)
        elif not cross(along, gap):
            cuts.update(Fraction(dot(along, minus(e, p)), dot(along, along)) for e in (r, s))
    for low, high in itertools.pairwise(sorted(cut for cut in cuts if 0 <= cut <= 1)):
        middle = (low + high) / 2
        yield p[0] + middle * along[0], p[1] + middle * along[1]


def runs_inside(a: Core, b: Core) -> bool:
    """Whether a piece of one boundary is inside the other, or shares its boundary and its side."""
    for edge in a.segments:
        for middle in pieces(edge, b.segments):
            for region in b.regions:
                if not inside(middle, region):
                    continue
                if not on_boundary(middle, region):
                    return True
                for r, s in b.segments:
                    is_on = not cross(minus(s, r), minus(middle, r))
                    is_on = is_on and dot(minus(middle, r), minus(middle, s)) < 0
                    along = minus(edge[1], edge[0])
                    other = minus(s, r)
                    if is_on and not cross(along, other) and dot(along, other) > 0:
                        return True
    return False


def interiors_meet(a: Core, b: Core, by: Any = (0, 0)) -> bool:
    """Whether the interiors meet when the first polygon is moved."""
    shifted = Core(
        [(plus(p, by), plus(q, by)) for p, q in a.segments],
        [[[plus(p, by) for p in ring] for ring in region] for region in a.regions],
    )
    return runs_inside(shifted, b) or runs_inside(b, shifted)


def segments(a: Core, b: Core) -> list[Line]:
    """The translations at which an edge of one polygon holds a vertex of the other."""
    of_a = [(minus(v, p), minus(v, q)) for p, q in a.segments for v in b.points]
    return of_a + [(minus(p, v), minus(q, v)) for p, q in b.segments for v in a.points]


def foot(segment: Line) -> Vector:
    """The point of a segment nearest to the origin."""
    (x, y), along = segment[0], minus(segment[1], segment[0])
    part = min(max(Fraction(-dot(segment[0], along), dot(along, along)), Fraction(0)), Fraction(1))
    return x + part * along[0], y + part * along[1]


def crossing(one: Line, other: Line) -> Vector | None:
    """The point that two segments that are not parallel have in common."""
    along, across = minus(one[1], one[0]), minus(other[1], other[0])
    turned, gap = cross(along, across), minus(other[0], one[0])
    if not turned:
        return None
    at, of_other = Fraction(cross(gap, across), turned), Fraction(cross(gap, along), turned)
    if not (0 <= at <= 1 and 0 <= of_other <= 1):
        return None
    return one[0][0] + at * along[0], one[0][1] + at * along[1]


def candidates(a: Core, b: Core, within: Fraction) -> list[Vector]:
    """All translations that may be the shortest, up to this square of the length, in order."""
    near = [it for it in segments(a, b) if square(foot(it)) <= within]
    found = {point for it in near for point in (foot(it), *it)}
    crossings = (crossing(one, other) for one, other in itertools.combinations(near, 2))
    found.update(point for point in crossings if point is not None)
    return sorted((point for point in found if square(point) <= within), key=square)


def square(vector: Any) -> Fraction:
    return dot(vector, vector)  # type: ignore[return-value]


def assert_penetration(a: Shape, b: Shape, got: Any) -> Fraction:
    """Holds a result against all that may be the shortest; returns its squared length."""
    grid = grid_of(a, b)
    cores = core_of(a, grid), core_of(b, grid)
    steps = Fraction(1 << grid.shift)
    depth = Fraction(got.depth) * steps
    if not interiors_meet(*cores):
        assert got.depth == 0.0, "the interiors are disjoint"
        assert list(got.mtv) == [0.0, 0.0]
        return Fraction(0)
    assert got.depth > 0.0, "the interiors meet"
    assert got.intersects
    # A length below the least float is that float.
    least_float = 2 * Fraction(math.ulp(0.0)) * steps
    shorter = max(depth - least_float, Fraction(0)) ** 2 * (1 - 2 * TIE)
    mtv = tuple(Fraction(x) * steps for x in map(float, got.mtv))
    found = []
    farthest = max(depth**2 * (1 + 1000 * TIE), (depth + least_float) ** 2)
    for by in candidates(*cores, farthest):
        is_shorter = square(by) < shorter
        error = square((by[0] - mtv[0], by[1] - mtv[1]))
        is_it = error <= max(square(by) * Fraction(1, 10**20), least_float**2)
        if (is_shorter or is_it) and not interiors_meet(*cores, by):
            assert not is_shorter, f"{float(got.depth)}: a shorter one is {by}"
            found.append((error, by))
    assert found, "no translation that separates is so near"
    # Where floats are as coarse as the translation, several are near.
    _, least = min(found)
    allowed = 4 * square(least) * Fraction(1, 10**10)
    assert abs(square(least) - depth**2) <= max(allowed, (depth + least_float) * 4 * least_float)
    if depth > least_float:  # else several are that near
        assert_unit(got.normal, least)
    return square(least) / steps**2


def assert_along(a: Shape, b: Shape, direction: tuple[float, float], got: Any) -> None:
    """Holds a result along a direction against all multiples at which an edge holds a vertex."""
    grid = grid_of(a, b, numbers=direction)
    cores = core_of(a, grid), core_of(b, grid)
    way = grid.point(direction)
    times = {Fraction(0)}
    for p, q in segments(*cores):
        along = minus(q, p)
        turned = cross(way, along)
        if turned and 0 <= Fraction(cross(p, way), turned) <= 1:
            times.add(Fraction(cross(p, along), turned))
        elif not turned and not cross(way, p):
            times.update(Fraction(dot(way, e), dot(way, way)) for e in (p, q))
    steps = (time for time in sorted(times) if time >= 0)
    least = next(t for t in steps if not interiors_meet(*cores, (t * way[0], t * way[1])))
    true = least * square(way)
    with long_decimals(*way, true.numerator, true.denominator):
        length = ratio(least.numerator, least.denominator)
        vector = tuple(length * ratio(x, 1 << grid.shift) for x in way)
        size = length * root(int(square(way))) / (1 << grid.shift)
        assert accuracy.number(got.depth, size), (got, size)
        assert accuracy.vector(got.mtv, vector), (got, vector)  # type: ignore[arg-type]
    assert_unit(got.normal, way)


def assert_unit(got: Any, direction: Any) -> None:
    """Whether a vector is the unit vector of a direction."""
    x, y = (Fraction(part) for part in direction)
    denominator = x.denominator * y.denominator
    whole = int(x * denominator), int(y * denominator)
    with long_decimals(*whole):
        size = root(whole[0] ** 2 + whole[1] ** 2)
        unit: Real = whole[0] / size, whole[1] / size
        assert accuracy.vector(got, unit), (got, unit)

"""Whether a list of rings is a polygon, and if not, why: every edge against every other.

A ring is simple when edges that aren't neighbours never meet. How two simple rings lie to each
other is read off the pieces into which each is cut where it touches the other: with no touch
inside a piece, its midpoint stands for it. Rings that touch in points only, none beyond another,
cut the interior in two exactly when some of them can be walked round in a circle from touch to
touch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, Literal

from .exact import Point, Region, Ring, grid_of, rings_of
from .rings import (
    between,
    counterclockwise,
    cross,
    dot,
    edges,
    inside,
    is_convex,
    minus,
    nearly_convex,
    on_boundary,
    oriented,
    regions_meet,
    segments_meet,
    sides,
    turn,
    twice_area,
)

Kind = Literal["convex", "rounding", "concave", "invalid"]
Reason = Literal[
    "no area",
    "a spike",
    "a ring meets itself",
    "rings cross",
    "rings share a stretch",
    "a hole outside the shell",
    "a hole in a hole",
    "the interior is cut",
]
Place = Literal["inside", "on", "outside"]


def kind(polygon: Any) -> Kind:
    """What a polygon is: convex, convex up to rounding, concave (holes are), or none at all."""
    rings = rings_of(polygon)
    grid = grid_of(*rings)
    if reason(grid.rings(rings)) is not None:
        return "invalid"
    shell, *holes = oriented(grid.rings(rings))
    if holes:
        return "concave"
    if is_convex(shell):
        return "convex"
    return "rounding" if nearly_convex(shell, grid) else "concave"


def why_invalid(polygon: Any) -> Reason | None:
    """What forbids a polygon, None for a valid one."""
    rings = rings_of(polygon)
    return reason(grid_of(*rings).rings(rings))


def is_valid(polygon: Any) -> bool:
    return why_invalid(polygon) is None


def reason(rings: Sequence[Ring]) -> Reason | None:
    """The same of rings as they were given."""
    return next(faults([counterclockwise(ring) for ring in rings]), None)


def faults(region: Region) -> Iterator[Reason]:
    """What is wrong, each kind of fault to be looked for only where the ones before are not."""
    shell, *holes = region
    yield from filter(None, map(ring_fault, region))
    yield from filter(None, (hole_fault(hole, shell) for hole in holes))
    yield from filter(None, (holes_fault(one, other) for one, other in combinations(holes, 2)))
    if is_cut(region):
        yield "the interior is cut"


def ring_fault(ring: Ring) -> Reason | None:
    """What keeps a ring without repeated vertices from enclosing an area once."""
    n = len(ring)
    if n < 3 or twice_area(ring) == 0:
        return "no area"
    around = list(edges(ring))
    for (a, b), (_, c) in zip(around, [*around[1:], around[0]], strict=True):
        if turn(a, b, c) == 0 and dot(minus(a, b), minus(c, b)) > 0:
            return "a spike"
    for i, j in combinations(range(n), 2):
        neighbours = j - i == 1 or j - i == n - 1
        if not neighbours and segments_meet(*around[i], *around[j]):
            return "a ring meets itself"
    return None


def hole_fault(hole: Ring, shell: Ring) -> Reason | None:
    """What is wrong with how a simple ring lies in another."""
    found = places(hole, [shell])
    if "on" in found:
        return "rings share a stretch"
    if found == {"inside"}:
        return None
    return "rings cross" if "inside" in found else "a hole outside the shell"


def holes_fault(one: Ring, other: Ring) -> Reason | None:
    """What is wrong with how two simple rings lie beside each other."""
    found = places(one, [other])
    if "on" in found:
        return "rings share a stretch"
    if len(found) > 1:
        return "rings cross"
    return "a hole in a hole" if "inside" in found | places(other, [one]) else None


def places(ring: Ring, region: Region) -> set[Place]:
    """Where the pieces of a ring, cut where it touches a region's boundary, lie to the region."""
    return {_place(piece, region) for piece in pieces(ring, region)}


def pieces(ring: Ring, region: Region) -> Iterator[Any]:
    """The midpoint of every piece of a ring that meets the region's boundary at its ends only."""
    for p, q in edges(ring):
        stops = sorted({Fraction(0), Fraction(1), *_stops(p, q, region)})
        for start, end in pairwise(stops):
            part = (start + end) / 2
            yield p[0] + (q[0] - p[0]) * part, p[1] + (q[1] - p[1]) * part


def _stops(p: Point, q: Point, region: Region) -> Iterator[Fraction]:
    """The parts of the way from p to q at which edges of a region are met."""
    along = minus(q, p)
    for r, s in sides(region):
        if not segments_meet(p, q, r, s):
            continue
        speed = cross(along, minus(s, r))
        if speed:
            yield Fraction(cross(minus(r, p), minus(s, r)), speed)
        else:
            for end in (r, s):
                if between(end, p, q):
                    yield Fraction(dot(minus(end, p), along), dot(along, along))


def _place(p: Any, region: Region) -> Place:
    if on_boundary(p, region):
        return "on"
    return "inside" if inside(p, region) else "outside"


def touch(a: Region, b: Region) -> bool:
    """Whether two regions meet, but have no interior point in common."""
    if any("inside" in places(ring, other) for r, other in ((a, b), (b, a)) for ring in r):
        return False
    alongside = any(
        cross(minus(q, p), minus(s, r)) == 0 < dot(minus(q, p), minus(s, r))
        for p, q in sides(a)
        for r, s in sides(b)
        if any(between(m, p, q) and between(m, r, s) for m in _amid(p, q, r, s))
    )
    return not alongside and regions_meet(a, b)


def _amid(p: Point, q: Point, r: Point, s: Point) -> list[Any]:
    """The midpoint of what two segments would have in common if they lay along one line."""
    _, one, other, _ = sorted((p, q, r, s))
    middle = Fraction(one[0] + other[0], 2), Fraction(one[1] + other[1], 2)
    return [] if one == other else [middle]


def touching_points(one: Ring, other: Ring) -> set[Point]:
    """The points in which two rings touch, if they neither cross nor share a stretch."""
    return {p for p in one if on_boundary(p, [other])} | {p for p in other if on_boundary(p, [one])}


def is_cut(region: Region) -> bool:
    """Whether rings and the points where they touch form a circle."""
    group: dict[Any, Any] = {}

    def head(node: Any) -> Any:
        while group.setdefault(node, node) != node:
            node = group[node]
        return node

    links = {
        (number, p)
        for i, j in combinations(range(len(region)), 2)
        for p in touching_points(region[i], region[j])
        for number in (i, j)
    }
    for number, p in links:
        one, other = head(number), head(p)
        if one == other:
            return True
        group[one] = other
    return False

"""Port of the fourth source, "Polygonal Collision Detection" (C and Lua): a boolean ``sat``.

Every edge's normal is made a unit axis, both polygons are projected on it, and the first axis
whose two intervals have no end in common decides that the polygons are apart.

Known to be wrong:
- an edge of length zero has no direction; its axis is NaN, no comparison with it holds, and the
  polygons are declared apart however they lie;
- ``perp`` as first printed in Lua takes the elements 1 and 0 of a vector whose elements are 1
  and 2, so that it negates nil (the full listing at the end of the source has 2 and 1);
- the C text never frees the two intervals it allocates per axis, which a port can't show.

Numbers behave as in those languages: a division by zero gives NaN or infinity and no error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Point = tuple[float, float]
LuaVector = dict[int, float]  # a Lua table counts from 1


def divide(x: float, y: float) -> float:
    if y != 0:
        return x / y
    return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x)


def dot(v: Point, w: Point) -> float:
    return v[0] * w[0] + v[1] * w[1]


def normalize(v: Point) -> Point:
    magnitude = math.sqrt(dot(v, v))
    return divide(v[0], magnitude), divide(v[1], magnitude)


def perp(v: Point) -> Point:
    return v[1], -v[0]


def edge_directions(polygon: Sequence[Point]) -> list[Point]:
    following = [*polygon[1:], polygon[0]]
    return [(q[0] - p[0], q[1] - p[1]) for p, q in zip(polygon, following, strict=True)]


def project(polygon: Sequence[Point], axis: Point) -> tuple[float, float]:
    axis = normalize(axis)
    low = high = dot(polygon[0], axis)
    for p in polygon:
        height = dot(p, axis)
        if height < low:
            low = height
        if height > high:
            high = height
    return low, high


def contains(n: float, interval: tuple[float, float]) -> bool:
    low, high = interval
    if high < low:
        low, high = high, low
    return low <= n <= high


def overlap(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return any((contains(a[0], b), contains(a[1], b), contains(b[0], a), contains(b[1], a)))


def _sat(a: Sequence[Point], b: Sequence[Point], normal: Callable[[Point], Point]) -> bool:
    for direction in [*edge_directions(a), *edge_directions(b)]:
        axis = normal(direction)
        if not overlap(project(a, axis), project(b, axis)):
            return False
    return True


def sat_c(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """The C text: whether two convex polygons meet."""
    return _sat(a, b, perp)


def perp_lua(v: LuaVector) -> LuaVector:
    """``perp`` of the full Lua listing."""
    return {1: v[2], 2: -v[1]}


def perp_lua_as_first_printed(v: LuaVector) -> LuaVector:
    """``perp`` of the running text, where element 0 is nil."""
    nil = v.get(0)
    if nil is None:
        raise TypeError("attempt to perform arithmetic on a nil value")
    return {1: v[1], 2: -nil}


def sat_lua(
    a: Sequence[Point],
    b: Sequence[Point],
    perp: Callable[[LuaVector], LuaVector] = perp_lua,
) -> bool:
    """The Lua text, with either of its two ``perp``."""

    def normal(direction: Point) -> Point:
        table = perp({1: direction[0], 2: direction[1]})
        return table[1], table[2]

    return _sat(a, b, normal)

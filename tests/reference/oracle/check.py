"""Compares every field of a result of the library with the exact answer.

Each function raises an ``AssertionError`` that names the field and prints the inputs in full
precision, and returns the exact answer.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

from . import accuracy
from .circles import CirclePolygon, SweptCircle, circle_polygon, swept_circle
from .contact import Touch
from .exact import Real, floats, ratio
from .nearness import Approach, closest_approach
from .pairs import Distance, Pair, distance, intersects
from .sat import Sat, Way, sat
from .sweep import SweptCollision, swept_collision


class Case:
    """The inputs of one query, the result under test, and the error messages."""

    def __init__(self, result: Any, **inputs: Any) -> None:
        self.result = result
        self.inputs = inputs

    def fail(self, field: str, expected: Any, got: Any) -> NoReturn:
        lines = [f"{field}: expected {_short(expected)}, got {got!r}"]
        for name, value in self.inputs.items():
            lines.append(f"{name} = {value.tolist() if hasattr(value, 'tolist') else value!r}")
        lines.append(f"result = {self.result!r}")
        raise AssertionError("\n".join(lines))

    def equal(self, field: str, expected: Any) -> None:
        got = getattr(self.result, field)
        if got != expected:
            self.fail(field, expected, got)

    def zeros(self, field: str) -> None:
        got = getattr(self.result, field)
        if len(got) != 2 or any(x != 0.0 for x in got):
            self.fail(field, "zeros", got)

    def missing(self, field: str) -> None:
        got = getattr(self.result, field)
        if not accuracy.missing(got):
            self.fail(field, "NaN", got)

    def number(self, field: str, true: Decimal, extent_ulp: Any = None) -> None:
        got = getattr(self.result, field)
        if not accuracy.number(float(got), true, extent_ulp):
            self.fail(field, true, got)


def _short(value: Any) -> str:
    if isinstance(value, Decimal):
        return f"{value:.25g}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_short, value)) + "]"
    return str(value)


def _times(factor: Decimal, direction: Real) -> Real:
    return factor * direction[0], factor * direction[1]


def assert_intersects(a: Any, b: Any, result: object) -> bool:
    truth = intersects(a, b)
    if result != truth:
        Case(result, a=a, b=b).fail("intersects", truth, result)
    return truth


def assert_sat(a: Any, b: Any, result: Any) -> Sat:
    truth = sat(a, b)
    case = Case(result, a=a, b=b)
    case.equal("intersects", truth.intersects)
    if truth.intersects:
        case.number("depth", truth.depth, truth.extent_ulp)
        case.equal("separation", -result.depth)
        _one_way(case, truth.ways, truth.extent_ulp, mtv=True)
        return truth
    case.equal("depth", 0.0)
    case.zeros("mtv")
    case.missing("contact")
    facing = [w for w in truth.ways if accuracy.vector(result.normal, w.normal)]
    if not facing:
        case.fail("normal", [w.normal for w in truth.ways], result.normal)
    if not any(accuracy.number(result.separation, -w.depth, truth.extent_ulp) for w in facing):
        case.fail("separation", [-w.depth for w in facing], result.separation)
    return truth


def _one_way(case: Case, ways: list[Way], extent_ulp: Any, *, mtv: bool) -> None:
    """Normal, contact and, if requested, mtv must belong to the same one of the equally good
    translations.
    """
    result = case.result
    facing = [w for w in ways if accuracy.vector(result.normal, w.normal)]
    if not facing:
        case.fail("normal", [w.normal for w in ways], result.normal)
    if mtv:
        facing = [w for w in facing if accuracy.vector(result.mtv, _times(w.depth, w.normal))]
        if not facing:
            case.fail("mtv", [_times(w.depth, w.normal) for w in ways], result.mtv)
    contacts = [c for w in facing for c in w.contacts]
    if not any(accuracy.ends(result.contact, c, extent_ulp) for c in contacts):
        case.fail("contact", contacts, result.contact)


def assert_swept_collision(
    a: Any, b: Any, velocity: Any, result: Any, velocity_b: Any = (0, 0)
) -> SweptCollision:
    truth = swept_collision(a, b, velocity, velocity_b)
    case = Case(result, a=a, b=b, velocity=velocity, velocity_b=velocity_b)
    case.equal("intersects", truth.intersects)
    case.equal("will_intersect", truth.will_intersect)
    _clearance(case, truth)
    if truth.time is None:
        case.equal("time", float("inf"))
        case.zeros("normal")
        case.missing("contact")
        return truth
    _time(case, truth.time)
    if truth.intersects and truth.convex:
        _one_way(case, truth.now, truth.extent_ulp, mtv=False)
    elif truth.intersects:
        case.zeros("normal")
        case.missing("contact")
    else:
        _one_touch(case, truth.touches, truth.extent_ulp)
    return truth


def _clearance(case: Case, truth: SweptCollision) -> None:
    """The mtv of convex shapes: zeros when they never meet."""
    if not truth.convex:
        case.missing("mtv")
    elif truth.time is None:
        case.zeros("mtv")
    else:
        moves = [_times(w.depth, w.normal) for w in truth.clearance]
        if not any(accuracy.vector(case.result.mtv, m) for m in moves):
            case.fail("mtv", moves, case.result.mtv)


def _one_touch(case: Case, touches: list[Touch], extent_ulp: Any) -> None:
    """Normal and ends must belong to the same place of contact."""
    result = case.result
    facing = [t for t in touches if any(accuracy.vector(result.normal, n) for n in t.normals)]
    if not facing:
        case.fail("normal", [n for t in touches for n in t.normals], result.normal)
    ends = [e for t in facing for e in t.ends]
    if not any(accuracy.ends(result.contact, e, extent_ulp) for e in ends):
        case.fail("contact", ends, result.contact)


def _time(case: Case, true: Decimal) -> None:
    case.number("time", true)
    if not 0.0 <= case.result.time <= 1.0:
        case.fail("time", "at most 1", case.result.time)


def assert_circle_polygon(center: Any, radius: float, polygon: Any, result: Any) -> CirclePolygon:
    truth = circle_polygon(center, radius, polygon)
    case = Case(result, center=center, radius=radius, polygon=polygon)
    case.equal("intersects", truth.intersects)
    case.number("depth", truth.depth, truth.extent_ulp)
    case.number("distance", truth.distance, truth.extent_ulp)
    feature = result.feature
    name = feature if isinstance(feature, str) else ("vertex", "edge")[int(feature)]
    named = [n for n in truth.nearest if (n.feature, n.index) == (name, result.index)]
    if not named:
        expected = sorted({(n.feature, n.index) for n in truth.nearest})
        case.fail("feature, index", expected, (name, result.index))
    if not any(accuracy.point(result.closest, n.closest, truth.extent_ulp) for n in named):
        case.fail("closest", [n.closest for n in named], result.closest)
    facing = [n for n in named if accuracy.vector(result.normal, n.normal)]
    if not facing:
        case.fail("normal", [n.normal for n in named], result.normal)
    moves = [_times(truth.depth, n.normal) for n in facing]
    if not any(accuracy.vector(result.mtv, m) for m in moves):
        case.fail("mtv", moves, result.mtv)
    return truth


def assert_swept_circle(
    center: Any, radius: float, velocity: Any, polygon: Any, result: Any
) -> SweptCircle:
    truth = swept_circle(center, radius, velocity, polygon)
    case = Case(result, center=center, radius=radius, velocity=velocity, polygon=polygon)
    case.equal("intersects", truth.intersects)
    case.equal("will_intersect", truth.will_intersect)
    if truth.time is None:
        case.equal("time", float("inf"))
        case.zeros("normal")
        case.missing("contact")
        return truth
    _time(case, truth.time)
    hits = [h for h in truth.hits if accuracy.vector(result.normal, h.normal)]
    if not hits:
        case.fail("normal", [h.normal for h in truth.hits], result.normal)
    contacts = [(h.contact, h.contact) for h in hits]
    if not any(accuracy.ends(result.contact, c, truth.extent_ulp) for c in contacts):
        case.fail("contact", contacts, result.contact)
    return truth


def assert_distance(a: Any, b: Any, result: Any) -> Distance:
    truth = distance(a, b)
    case = Case(result, a=a, b=b)
    case.number("distance", truth.distance, truth.extent_ulp)
    if truth.intersects:
        case.missing("closest_a")
        case.missing("closest_b")
    elif not any(_nearest(result, p, q, truth) for p in truth.pairs for q in truth.pairs):
        expected = [(p.on_a, p.on_b) for p in truth.pairs]
        case.fail("closest_a, closest_b", expected, (result.closest_a, result.closest_b))
    return truth


def assert_closest_approach(a: Any, b: Any, velocity: Any, result: Any) -> Approach:
    """Of polygons, without turns."""
    truth = closest_approach(a, b, velocity)
    case = Case(result, a=a, b=b, velocity=velocity)
    case.number("distance", truth.distance, truth.extent_ulp)
    got = Fraction(result.time)
    times = {min(max(got, start), end) for start, end in truth.spans}
    close = [t for t in times if accuracy.number(result.time, ratio(*t.as_integer_ratio()))]
    if not close:
        case.fail("time", sorted(map(float, times)), result.time)
    if truth.distance == 0:
        case.missing("closest_a")
        case.missing("closest_b")
        return truth
    gaps = map(truth.at, close)
    if not any(_nearest(result, p, q, gap) for gap in gaps for p in gap.pairs for q in gap.pairs):
        expected = [(p.on_a, p.on_b) for t in close for p in truth.at(t).pairs]
        case.fail("closest_a, closest_b", expected, (result.closest_a, result.closest_b))
    return truth


def _nearest(result: Any, p: Pair, q: Pair, truth: Distance) -> bool:
    """Whether the points are the pair p, or lie between p and q on the same two edges."""
    part = Decimal(0)
    if p is not q:
        if not (p.sides_a & q.sides_a and p.sides_b & q.sides_b):
            return False
        got = floats([result.closest_a])[0]
        k = max((0, 1), key=lambda k: abs(q.on_a[k] - p.on_a[k]))
        span = q.on_a[k] - p.on_a[k]
        if span == 0:
            return False
        part = min(max((Decimal(got[k]) - p.on_a[k]) / span, Decimal(0)), Decimal(1))
    on_a, on_b = (
        (x + part * (u - x), y + part * (v - y))
        for (x, y), (u, v) in ((p.on_a, q.on_a), (p.on_b, q.on_b))
    )
    return accuracy.point(result.closest_a, on_a, truth.extent_ulp) and accuracy.point(
        result.closest_b, on_b, truth.extent_ulp
    )

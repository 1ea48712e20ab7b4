"""Compares every field of a sweep of turning shapes with the exact answer."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from . import accuracy
from .check import Case
from .exact import Real
from .kinds import Shape
from .moving import Motion
from .turning import Contact, bisector, common_ends, contact_point, normal, swept_collision

LEAN = Decimal("1e-9")
Spot = tuple[Fraction, Fraction]


def decimal(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


def assert_turning(a: Shape, b: Shape, motion: Motion, margin: float, result: Any) -> Contact:
    """Raises an `AssertionError` that prints all in full precision; returns the exact answer."""
    truth = swept_collision(a, b, motion, margin)
    case = Case(result, a=a, b=b, motion=motion, margin=margin)
    with localcontext(prec=80) as context:
        context.Emin, context.Emax = -999_999, 999_999
        _check(case, truth)
        if motion.turn_a or motion.turn_b:
            case.missing("mtv")
    return truth


def _check(case: Case, truth: Contact) -> None:
    case.equal("intersects", truth.intersects)
    if truth.will_intersect is not None:
        case.equal("will_intersect", truth.will_intersect)
    if not case.result.will_intersect:
        case.equal("time", math.inf)
        case.zeros("normal")
        case.missing("contact")
    elif truth.intersects:
        case.equal("time", 0.0)
    else:
        _first(case, truth)


def _first(case: Case, truth: Contact) -> None:
    """Checks the time and the place: of the first contact, or of an earlier event that the oracle
    can't tell from a contact.
    """
    got = case.result.time
    if not 0.0 <= got <= 1.0:
        case.fail("time", "a part of the frame", got)
    times = [e.time for e in truth.doubtful] + [e.time for e in truth.events[:1]]
    close = [t for t in times if accuracy.number(got, decimal(t))]
    if not close:
        case.fail("time", [decimal(t) for t in times], got)
    if truth.time in close and not any(e.time in close for e in truth.doubtful):
        _where(case, truth)


def _where(case: Case, truth: Contact) -> None:
    """Checks the ends of the contact and the normal, which is that of one event, or lies between
    those of several.
    """
    got, ulp = case.result, truth.scene.extent_ulp
    points = _apart([contact_point(event) for event in truth.events], ulp / 1000)
    if len(truth.events) > 1:  # of times up to 1e-12 apart
        ulp *= 2**12
    common = [*points, *(end for event in truth.events for end in common_ends(event))]
    for end in got.contact:
        if not any(_is_on(end, p, q, ulp) for p in common for q in common):
            case.fail("contact", [tuple(map(decimal, p)) for p in points], got.contact)
    if len(common) == 1 and got.contact[0].tolist() != got.contact[1].tolist():
        case.fail("contact", "two equal ends", got.contact)
    if not _is_unit(got.normal):
        case.fail("normal", "a unit vector", got.normal)
    corners = [e for e in truth.events if normal(e) is None]
    if len(points) == 1 and corners:
        found = [n for n in map(bisector, corners) if n is not None]
    else:
        found = [n for n in map(normal, truth.events) if n is not None]
    if (
        found
        and not any(accuracy.vector(got.normal, n) for n in found)
        and not (len(points) > 1 and _is_amid(got.normal, found))
    ):
        case.fail("normal", found, got.normal)


def _apart(points: list[Spot], least: Fraction) -> list[Spot]:
    """One of all that are the same but for rounding."""
    found: list[Spot] = []
    for p in points:
        if all(max(abs(p[0] - q[0]), abs(p[1] - q[1])) > least for q in found):
            found.append(p)
    return found


def _is_unit(n: Any) -> bool:
    x, y = (Decimal(float(c)) for c in n)
    return abs((x * x + y * y).sqrt() - 1) <= accuracy.RELATIVE


def _is_amid(got: Any, normals: list[Real]) -> bool:
    """Whether a normal lies between two others, that of a vertex on a vertex, or in a notch."""
    x, y = (Decimal(float(c)) for c in got)
    for (a, b), (c, d) in itertools.combinations(normals, 2):
        turn = 1 if a * d - b * c > 0 else -1
        left, right = (a * y - b * x) * turn, (x * d - y * c) * turn
        if left > -LEAN and right > -LEAN and x * (a + c) + y * (b + d) > 0:
            return True
    return False


def _is_on(got: Any, p: Spot, q: Spot, ulp: Fraction) -> bool:
    """Whether a point lies between two others, as closely as the contract has it."""
    x, y = (Fraction(float(c)) for c in got)
    u, v = q[0] - p[0], q[1] - p[1]
    length = u * u + v * v
    part = ((x - p[0]) * u + (y - p[1]) * v) / length if length else Fraction(0)
    part = min(max(part, Fraction(0)), Fraction(1))
    return accuracy.point(got, (p[0] + part * u, p[1] + part * v), ulp)  # type: ignore[arg-type]

"""Holds a sweep that turns against the exact answer, every field of it."""

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
from .turning import Contact, contact_point, normal, swept_collision

LEAN = Decimal("1e-9")


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
    """The time, and where: of the first contact, or of one before that can't be told from one."""
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
    """The normal and the ends of the contact, which are those of one event, if there is but one."""
    got, ulp = case.result.normal, truth.scene.extent_ulp
    found = [n for n in map(normal, truth.events) if n is not None]
    if not _is_unit(got):
        case.fail("normal", "a unit vector", got)
    is_told = any(accuracy.vector(got, n) for n in found) or _is_amid(got, found)
    if found and not is_told and not _parts_path_ends(case):
        case.fail("normal", found, got)
    points = [contact_point(event) for event in truth.events]
    for end in case.result.contact:
        if not any(_is_on(end, p, q, ulp) for p in points for q in points):
            case.fail("contact", [tuple(map(decimal, p)) for p in points], case.result.contact)
    if len(set(points)) == 1 and case.result.contact[0].tolist() != case.result.contact[1].tolist():
        case.fail("contact", "two equal ends", case.result.contact)


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


def _parts_path_ends(case: Case) -> bool:
    """Whether ends of paths or points touch, and the normal has each path on its own side.

    The normals between which that of an end lies are not those of its edge alone."""
    shapes, result = (case.inputs["a"], case.inputs["b"]), case.result
    if any(shape.kind not in {"path", "point"} or shape.radius for shape in shapes):
        return False
    motion, (normal_x, normal_y) = case.inputs["motion"], result.normal
    x, y = result.contact[0]
    for shape, sign in zip(shapes, (1.0, -1.0), strict=True):
        turn, center = (
            (motion.turn_a, motion.center_a) if sign > 0.0 else (motion.turn_b, motion.center_b)
        )
        if shape.kind == "point":
            continue
        path = shape.parts[0]
        c_x, c_y = center or path[0]
        cos, sin = math.cos(turn * result.time), math.sin(turn * result.time)
        v_x, v_y = motion.velocity if sign > 0.0 else (0.0, 0.0)
        placed = [
            (
                c_x + cos * (p - c_x) - sin * (q - c_y) + result.time * v_x,
                c_y + sin * (p - c_x) + cos * (q - c_y) + result.time * v_y,
            )
            for p, q in path
        ]
        if placed[0] != min(placed, key=lambda it: math.dist(it, (x, y))):
            placed.reverse()
        (near_x, near_y), (next_x, next_y) = placed[:2]
        size = math.dist(placed[0], placed[1])
        if math.dist((near_x, near_y), (x, y)) > 1e-9 * size:
            return False
        if sign * (normal_x * (next_x - x) + normal_y * (next_y - y)) < -1e-9 * size:
            return False
    return True


def _is_on(
    got: Any, p: tuple[Fraction, Fraction], q: tuple[Fraction, Fraction], ulp: Fraction
) -> bool:
    """Whether a point lies between two others, as closely as the contract has it."""
    x, y = (Fraction(float(c)) for c in got)
    u, v = q[0] - p[0], q[1] - p[1]
    length = u * u + v * v
    part = ((x - p[0]) * u + (y - p[1]) * v) / length if length else Fraction(0)
    part = min(max(part, Fraction(0)), Fraction(1))
    return accuracy.point(got, (p[0] + part * u, p[1] + part * v), ulp)  # type: ignore[arg-type]

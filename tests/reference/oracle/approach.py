"""How near two shapes come as they move, and where they are then.

For a translation, the least squared distance is a fraction: the path of a vertex is a segment, and
is compared with each edge. With turns, the frame is halved repeatedly, the nearer half first. On
each piece, the value and the derivatives in the middle bound the distance of every vertex from
every edge and from every other vertex below; the distance in the middle bounds the least one above.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from . import accuracy
from .check import Case
from .check_turning import decimal
from .kinds import Core, Shape, core_of, cores_gap, foot, grid_of, root_minus, segments_gap
from .moving import Motion, Pair, Scene, time_of
from .rings import negative, plus
from .turning import ROUNDING, Near, swept_collision
from .waves import Around, Time

BITS = 160
"""Functions are known to so many places, distances to half of it."""
CLOSE = 44
"""Bounds of the least distance differ by so many places of it, or by 60 of the local extent."""
Bounds = tuple[Decimal, Decimal]


def least_distance(a: Shape, b: Shape, motion: Motion) -> Bounds:
    """Bounds of the least distance over the frame; negative where radii overlap."""
    if motion.turn_a or motion.turn_b:
        return _turning(a, b, motion)
    grid = grid_of(a, b, numbers=motion.velocity)
    first, second, by = core_of(a, grid), core_of(b, grid), grid.point(motion.velocity)
    square = min(
        cores_gap(first, second),
        *(
            segments_gap((p, plus(p, way)), edge)
            for one, other, way in ((first, second, by), (second, first, negative(by)))
            for p in one.points
            for edge in other.segments
        ),
    )
    reach = grid.number(a.radius) + grid.number(b.radius)
    with _decimals():
        gap = root_minus(square, reach) * grid.step
        return gap, gap


@contextmanager
def _decimals() -> Iterator[None]:
    with localcontext(prec=800) as context:
        context.Emin, context.Emax = -999_999, 999_999
        yield


def _turning(a: Shape, b: Shape, motion: Motion) -> Bounds:
    scene = Scene(Shape(a.kind, a.parts), Shape(b.kind, b.parts), motion)
    radius = Fraction(a.radius) + Fraction(b.radius)
    low, high = Least(scene, radius * (1 << scene.grid.shift)).bounds()
    with _decimals():
        step = Decimal(1) / (1 << scene.grid.shift + BITS // 2)
        return low * step - decimal(radius), high * step - decimal(radius)


class Least:
    """The least distance of two cores, in steps of the scene's grid of so many places."""

    def __init__(self, scene: Scene, reach: Fraction) -> None:
        self.scene, self.near = scene, Near(scene)
        self.reach = math.floor(reach * (1 << BITS // 2))
        self.best = scene.size << BITS // 2 + 2
        self.about = 4.0

    def bounds(self) -> tuple[int, int]:
        pairs = [*self.scene.with_edges(), *self.scene.with_vertices()]
        heap = [(0, (0, 0), pairs)]
        fine = self.scene.size << BITS // 2 >> 60
        while heap:
            low, (j, m), pairs = heapq.heappop(heap)
            if self.best - low <= max((self.best - self.reach) >> CLOSE, fine):
                return low, self.best
            for span in ((2 * j, m + 1), (2 * j + 1, m + 1)):
                found = list(self._of(span, self._nearest(span, pairs)))
                if found:
                    lowest = min(by for by, _ in found)
                    heapq.heappush(heap, (lowest, span, [pair for _, pair in found]))
        return self.best, self.best

    def _nearest(self, span: Time, pairs: list[Pair]) -> list[Pair]:
        """Without those that are never as near as another is amid the span, by floats."""
        gaps = list(self.near.gaps(span, pairs))
        self.about = min([self.about, *(gap + ROUNDING + by for _, gap, by in gaps)])
        return [pair for pair, gap, by in gaps if gap <= self.about + by + ROUNDING]

    def _of(self, span: Time, pairs: list[Pair]) -> Iterator[tuple[int, Pair]]:
        """The least distance of each pair, if it may be the least of all."""
        for pair in pairs:
            if pair.s is not None and any(Around(w, span).sign(0) < 0 for w in pair.along):
                continue  # Nearest to an end of the edge, which has a pair of its own.
            around = Around(pair.wave, span, BITS)
            (middle, radius), least = around.values[0], around.least
            beside = pair.s is None or all(w.sign(around.mid) >= 0 for w in pair.along)
            if beside:
                self.best = min(self.best, self._length(pair, abs(middle) + radius) + 1)
            low = self._length(pair, least)
            if low < self.best:
                yield low, pair

    def _length(self, pair: Pair, value: int) -> int:
        """The distance at which a pair's function has a value, rounded down."""
        if pair.s is None:
            return math.isqrt(value)
        return value // (math.isqrt(pair.length << BITS) + 1)


# --- a result against it ------------------------------------------------------------------------


def assert_closest_approach(a: Shape, b: Shape, motion: Motion, result: Any) -> Bounds:
    """Raises an `AssertionError` that prints all in full precision; returns the exact answer."""
    meeting = swept_collision(a, b, motion)
    case = Case(result, a=a, b=b, motion=motion)
    with _decimals():
        if not 0.0 <= result.time <= 1.0:
            case.fail("time", "a part of the frame", result.time)
        if meeting.will_intersect or (meeting.will_intersect is None and not result.distance):
            case.equal("distance", 0.0)
            case.missing("closest_a")
            case.missing("closest_b")
            if meeting.time is not None and not meeting.doubtful:
                case.number("time", decimal(meeting.time))
            return Decimal(0), Decimal(0)
        low, high = least_distance(a, b, motion)
        scene = Scene(a, b, motion)
        _points(case, scene, _apart(case, scene, low, high))
    return low, high


def assert_least(a: Shape, b: Shape, motion: Motion, result: Any) -> Bounds:
    """The same of the distance and the time alone, of shapes that don't meet."""
    bounds = least_distance(a, b, motion)
    with _decimals():
        _apart(Case(result, a=a, b=b, motion=motion), Scene(a, b, motion), *bounds)
    return bounds


def _apart(case: Case, scene: Scene, low: Decimal, high: Decimal) -> Bounds:
    """The distance, and that the shapes are so far apart at the time, which is returned."""
    result, allowed = case.result, max(accuracy.RELATIVE * high, 8 * decimal(scene.extent_ulp))
    got = Decimal(result.distance)
    if not (low - allowed <= got <= high + allowed and got > 0):
        case.fail("distance", (low, high), result.distance)
    if scene.rates == (0, 0) and not accuracy.number(result.distance, low):
        case.fail("distance", low, result.distance)
    # The time may be off by 1e-10 of itself, and the shapes by as much of their way.
    off = accuracy.RELATIVE * Decimal(result.time) * _way(scene)
    reach = Decimal(sum(scene.radii)) / (1 << scene.grid.shift)
    then = scene.distance(time_of(result.time))
    if then[0] > ((high + reach) ** 2 + off**2).sqrt() - reach + allowed:
        case.fail("time", f"one with a distance of {high}, not {then[0]}", result.time)
    return then


def _points(case: Case, scene: Scene, then: Bounds) -> None:
    """Both are on the boundaries as they are at the time, and as far apart as these."""
    ends = {"closest_a": case.result.closest_a, "closest_b": case.result.closest_b}
    largest = max(abs(float(x)) for p in ends.values() for x in p)
    if any(map(accuracy.missing, ends.values())) or not math.isfinite(largest):
        case.fail("closest_a, closest_b", "points", ends)
    near = Decimal("1.5") * (Decimal(math.ulp(largest)) + 8 * decimal(scene.extent_ulp))
    *cores, error = scene.placed(time_of(case.result.time), BITS)
    shift = scene.grid.shift + BITS
    for (field, point), core, radius in zip(ends.items(), cores, scene.radii, strict=True):
        off = _height(point, core, radius, shift)
        if abs(off) > near + 2 * Decimal(error) / (1 << shift):
            case.fail(field, f"a point of the boundary, not {off} off it", point)
    x, y = (Decimal(float(p)) - Decimal(float(q)) for p, q in zip(*ends.values(), strict=True))
    if abs((x * x + y * y).sqrt() - then[0]) > 2 * near + (then[1] - then[0]):
        case.fail("closest_a, closest_b", then, ends)


APART = Fraction(1, 1 << 34)
"""Times so far apart tell where between them a distance is least."""


def assert_time_of_minimum(a: Shape, b: Shape, motion: Motion, result: Any) -> None:
    """The distance is stationary at the time, or grows into the frame from its end.

    The time may be off by 1e-10 and by what the rounding of a slope makes of the bend there. Where
    the shapes all but touch, the slope turns over within less time than three times can tell.
    """
    scene, time = Scene(a, b, motion), Fraction(result.time)
    inner = min(max(time, APART), 1 - APART)
    with _decimals():
        before, here, after = (
            sum(scene.distance(time_of(inner + by), 400)) / 2 for by in (-APART, 0, APART)
        )
        step = decimal(APART)
        slope, bend = (after - before) / (2 * step), (before - 2 * here + after) / step**2
        slope += bend * decimal(time - inner)
        # The direction between two vertices is rounded the more, the nearer they are.
        gap = here + decimal(Fraction(a.radius) + Fraction(b.radius))
        if gap < 2**20 * decimal(scene.extent_ulp):
            return
        noise = 64 * _way(scene) * (Decimal(2) ** -52 + decimal(scene.extent_ulp) / gap)
        inward = slope if time == 0 else -slope if time == 1 else -abs(slope)
        if inward < -noise - Decimal("1e-10") * abs(bend):
            case = Case(result, a=a, b=b, motion=motion)
            case.fail("time", f"one without the slope {slope} and the bend {bend}", result.time)


def _way(scene: Scene) -> Decimal:
    """No vertex goes farther in the frame."""
    x, y = scene.velocity
    turned = sum(
        abs(rate) * max(abs(p[0] - c[0]) + abs(p[1] - c[1]) for p in core.points)
        for rate, c, core in zip(scene.rates, scene.centers, scene.cores, strict=True)
    )
    steps = Decimal(abs(x) + abs(y)) + Decimal(turned) / (1 << scene.grain)
    return steps / (1 << scene.grid.shift)


def _height(point: Sequence[float], core: Core, radius: int, shift: int) -> Decimal:
    """How far a point is from the boundary of a placed core with a radius."""
    x, y = (Fraction(float(c)) * (1 << shift) for c in point)
    square = min(foot((x, y), p, q)[0] for p, q in core.segments)
    return decimal(square).sqrt() / (1 << shift) - Decimal(radius << BITS) / (1 << shift)

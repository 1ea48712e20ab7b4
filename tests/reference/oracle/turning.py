"""The first contact of two shapes that move and turn: whether, when and where.

The frame is cut in halves, the earliest first, until on each piece every pair's function has at
most one zero, or one extremum, whose value is then looked at with ever more places. Places separate
a zero from a near miss, save where there is a graze, or a vertex on a vertex, exactly. Where all
that moves is one rotation, that is a question about whole numbers, which ``Scene.is_graze`` and
``Scene.coincide`` answer. Elsewhere there is no exact zero (Lindemann), except where both shapes
turn by different amounts: there the answer is None, undecided.
"""

from __future__ import annotations

import cmath
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from .exact import Real, Ring, unit
from .kinds import Core, Shape
from .moving import STILL, Motion, Pair, Scene
from .rings import turn
from .waves import Around, Path, Root, Time, UndecidedError, Vector, Wave, minus, place, widths

TIE = Fraction(1, 10**12)
DOUBTFUL = 1000
"""What differs from zero by no more than so many places can't be told from an exact zero."""
SHORT = 200
"""A span shorter than its time by so many places isn't cut: two that turn may meet in a zero of any
order."""
PLACES = 200
FLAT = Decimal("1e-20")
"""What is less of a unit vector is nothing."""
ROUNDING = 4e-9
"""More than any float of lengths is wrong, of which the local extent is one."""


@dataclass(frozen=True)
class Event:
    """A vertex comes within reach of an edge or a vertex; surely so if it is `certain`.

    `side` is that of the edge from which it comes.
    """

    pair: Pair
    root: Root
    side: int
    certain: bool

    @property
    def time(self) -> Fraction:
        return Fraction(self.root.lo, 1 << self.root.m)


@dataclass(frozen=True)
class Contact:
    """The answer; `will_intersect` is None where it can't be told.

    `events` are the certain ones of the least time and within 1e-12 of it, `doubtful` those before
    them that may be contacts or not.
    """

    scene: Scene
    intersects: bool
    will_intersect: bool | None
    events: list[Event]
    doubtful: list[Event]

    @property
    def time(self) -> Fraction | None:
        """A lower bound of the time of the first certain contact, off by less than 1e-24 of it."""
        if self.intersects:
            return Fraction(0)
        return self.events[0].time if self.events else None


def swept_collision(a: Shape, b: Shape, motion: Motion, margin: float = 0.0) -> Contact:
    """Whether, when and where two shapes first come within the margin."""
    scene = Scene(a, b, motion, margin)
    if scene.is_within:
        return Contact(scene, True, True, [], [])
    return Search(scene).first()


class Search:
    """For the first contact of shapes that are apart."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.near = scene, Near(scene)

    def first(self) -> Contact:
        doubtful: list[Event] = []
        stack: list[tuple[Time, list[Pair]]] = [((0, 0), list(self.scene.pairs()))]
        while stack:
            span, pairs = stack.pop()
            events, left = self.events(span, self.near.filter(span, pairs))
            if left and span[0].bit_length() > SHORT:
                events = [Event(pair, Root(pair.wave, *_ends(span), 1), 1, False) for pair in left]
            elif left:
                stack += [((2 * span[0] + k, span[1] + 1), left) for k in (1, 0)]
                continue
            events.sort(key=lambda e: e.time)
            first = next((e.time for e in events if e.certain), None)
            doubtful += [e for e in events if not e.certain and (first is None or e.time <= first)]
            if first is not None:
                tied = [e for e in events if e.certain and e.time <= first * (1 + TIE)]
                return Contact(self.scene, False, True, tied, doubtful)
        return Contact(self.scene, False, None if doubtful else False, [], doubtful)

    def events(self, span: Time, pairs: list[Pair]) -> tuple[list[Event], list[Pair]]:
        """The events of a span; or the pairs that still matter, if it must be cut in halves."""
        if self.near.turns_much(span):
            return [], pairs
        found = [(pair, zeros(span, pair)) for pair in pairs]
        if any(events is None for _, events in found):
            return [], [pair for pair, events in found if events != []]
        return [e for _, events in found for e in events or ()], []


def _ends(span: Time) -> tuple[int, int, int]:
    return span[0], span[0] + 1, span[1]


def zeros(span: Time, pair: Pair) -> list[Event] | None:
    """The events of a pair within a span, None if it is too wide for them to be told."""
    wave, (j, m) = pair.wave, span
    if wave.is_zero or (
        pair.s is not None and any(Around(w, span).sign(0) < 0 for w in pair.along)
    ):
        return []
    around = Around(wave, span)
    if around.sign(0):
        return []
    if around.sign(1):
        return _crossing(pair, j, j + 1, m, around.sign(1))
    bend = around.sign(2)
    if not bend:
        return None
    top = bracket(wave.slope, j, j + 1, m)
    if top is None:
        return _crossing(pair, j, j + 1, m, wave.slope.sign((2 * j + 1, m + 1)))
    exact = pair.scene.is_graze(pair)
    value = extreme(wave, top, exact)
    if value == bend:
        return []
    if value == 0:
        return event(pair, top, bend, certain=exact is True)
    j, end = j << top.m - m, j + 1 << top.m - m
    before = _crossing(pair, j, top.lo, top.m, value) if top.lo > j else []
    return before + (_crossing(pair, top.hi, end, top.m, -value) if end > top.hi else [])


def _crossing(pair: Pair, lo: int, hi: int, m: int, rises: int) -> list[Event]:
    """The event where a wave is zero that rises, or falls, throughout."""
    root = bracket(pair.wave, lo, hi, m)
    return [] if root is None else event(pair, root, -rises, certain=True)


def bracket(wave: Wave, lo: int, hi: int, m: int) -> Root | None:
    """The zero of a wave that rises or falls throughout, if there is one."""
    start, end = (wave.sign((t, m)) for t in (lo, hi))
    if start * end > 0:
        return None
    if start * end == 0:
        lo, hi = (lo, lo) if start == 0 else (hi, hi)
    return Root(wave, lo, hi, m, start)


def event(pair: Pair, root: Root, side: int, *, certain: bool) -> list[Event]:
    """A vertex at the line of an edge is one beside the edge only."""
    root.refine(80)
    if pair.s is not None:
        beside = [_beside(pair, root, end) for end in (0, 1)]
        if -1 in beside:
            return []
        certain = certain and None not in beside
    return [Event(pair, root, pair.side or side, certain)]


def _beside(pair: Pair, root: Root, end: int) -> int | None:
    """On which side of an end of its edge a vertex is: 1, -1, 0 exactly there, None can't tell."""
    vertex = (pair.q, pair.s)[end]
    assert vertex is not None
    exact = None if pair.scene.reach else pair.scene.coincide(minus(pair.p, vertex))
    sign = extreme(pair.along[end], root, exact)
    if sign or exact:
        return sign
    # Where there is reach, the same is found as that of the vertices.
    return -1 if pair.scene.reach else None


def extreme(wave: Wave, root: Root, exact: bool | None) -> int:
    """The sign of a wave at the root of another; 0 if it can't be told from zero.

    If it is known not to be zero exactly, it is told with as many places as it takes.
    """
    for bits in widths():
        if exact is not False and bits > DOUBTFUL:
            return 0
        if root.lo < root.hi:
            root.refine(bits)
        t, finer = (root.lo, root.m), bits + root.m
        value, radius = wave.value(t, finer)
        slope, error = wave.slope.value(t, finer)
        width = root.hi - root.lo
        steep = (abs(slope) + error) * width >> root.m + wave.grain
        bend = (wave.slope.slope.bound * width * width << finer) >> 2 * (root.m + wave.grain)
        if abs(value) > radius + steep + bend + 2:
            return 1 if value > 0 else -1
    raise UndecidedError


class Near:
    """Drops pairs that are certainly out of reach, by floats.

    The origin is a vertex of `b`, and the local extent is one.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.turns = [rate / (1 << scene.grain) for rate in scene.rates]
        self.reach = scene.reach / scene.size
        self.known: dict[int, Any] = {}

    def turns_much(self, span: Time) -> bool:
        """By more than half a radian."""
        a, b = self.scene.rates
        return 2 * max(abs(a), abs(b), abs(a - b)) > 1 << self.scene.grain + span[1]

    def _is_repeated(self, span: Time) -> bool:
        """Whether the motion is a single rotation that is complete before the span."""
        a, b = self.scene.rates
        return (
            self.scene.velocity == STILL
            and a * b == 0
            and abs(a + b) * span[0] > 7 << self.scene.grain + span[1]
        )

    def filter(self, span: Time, pairs: list[Pair]) -> list[Pair]:
        """The pairs that may come within reach in a span."""
        if self._is_repeated(span):
            return []
        limit = self.reach + ROUNDING
        return [pair for pair, gap, by in self.gaps(span, pairs) if gap <= limit + by]

    def gaps(self, span: Time, pairs: list[Pair]) -> Iterator[tuple[Pair, float, float]]:
        """The distance of each pair amid a span, and by how much it may change within the span."""
        time, half = (2 * span[0] + 1) / (2 << span[1]), 1 / (2 << span[1])
        spins = [cmath.exp(1j * time * turn) for turn in self.turns]
        places: dict[int, tuple[complex, float]] = {}

        def at(path: Path) -> tuple[complex, float]:
            if id(path) not in places:
                start, velocity, turning = self._numbers(path)
                place, by = start + velocity * time, abs(velocity) * half
                for u, spin, turn in zip(turning, spins, self.turns, strict=True):
                    is_wide = abs(turn) * half > 1.0  # it may be anywhere on its circle
                    place += 0.0 if is_wide else u * spin
                    by += abs(u) * (1.0 if is_wide else abs(turn) * half)
                places[id(path)] = place, by
            return places[id(path)]

        for pair in pairs:
            (p, by), (q, of_q) = at(pair.p), at(pair.q)
            s, of_s = (q, 0.0) if pair.s is None else at(pair.s)
            yield pair, _distance(p, q, s), by + max(of_q, of_s)

    def _numbers(self, path: Path) -> tuple[complex, complex, list[complex]]:
        if id(path) not in self.known:
            (x, y), size = self.scene.cores[1].points[0], self.scene.size

            def number(v: Vector) -> complex:
                return complex(v[0] / size, v[1] / size)

            (u, v), *moves = path[0]
            a, b = (path[rate][0] if rate in path and rate else STILL for rate in self.scene.rates)
            turning = [
                number(a),
                number(STILL if self.scene.rates[0] == self.scene.rates[1] else b),
            ]
            self.known[id(path)] = number((u - x, v - y)), number((*moves, STILL)[0]), turning
        return self.known[id(path)]


def _distance(p: complex, q: complex, s: complex) -> float:
    """Of a point from a segment."""
    along, to_p = s - q, p - q
    square = abs(along) ** 2
    if square == 0.0:
        return abs(to_p)
    part = (to_p * along.conjugate()).real / square
    return abs(to_p - along * min(max(part, 0.0), 1.0))


# --- where they meet ----------------------------------------------------------------------------


def normal(event: Event) -> Real | None:
    """The unit vector from `b` to `a`; None where a vertex is on a vertex."""
    pair, root = event.pair, event.root
    if pair.s is None and pair.scene.reach == 0:
        return None
    way = pair.gap if pair.s is None else pair.edge
    x, y, _ = place(way, pair.scene.grain, (root.lo, root.m), PLACES + root.m)
    if pair.s is not None:
        sign = event.side if pair.moves else -event.side
        x, y = -y * sign, x * sign
    with localcontext(prec=60):
        length = (Decimal(x * x + y * y)).sqrt()
        return x / length, y / length


def bisector(event: Event) -> Real | None:
    """Between the normals that two corners allow, a vertex being on a vertex; None at a notch."""
    pair, t = event.pair, (event.root.lo, event.root.m)
    rays = [
        unit((sign * x, sign * y))
        for which, path, sign in ((0, pair.p, 1), (1, pair.q, -1))
        for way in _ways(pair.scene, which, path)
        for x, y, _ in [place(way, pair.scene.grain, t, PLACES + t[1])]
    ]
    sides = [n for x, y in rays for n in ((-y, x), (y, -x)) if _faces(n, rays)]
    if not sides:
        return None
    one, other = min(itertools.product(sides, repeat=2), key=lambda two: _dot(*two))
    x, y = one[0] + other[0], one[1] + other[1]
    if x * x + y * y < FLAT:  # All rays are one.
        return rays[0]
    length = (x * x + y * y).sqrt()
    return x / length, y / length


def _ways(scene: Scene, which: int, path: Path) -> Iterator[Path]:
    """The edges that leave a vertex, which opposes them at a notch."""
    at = next(p for (of, p), known in scene.paths.items() if of == which and known is path)
    core = scene.cores[which]
    notch = any(p == at and turn(o, p, q) < 0 for r in _rings(core) for o, p, q in _corners(r))
    for end in {q for segment in core.segments if at in segment for q in segment if q != at}:
        way = minus(scene.path(which, end), path)
        yield way
        if notch:
            yield minus(path, scene.path(which, end))


def _rings(core: Core) -> list[Ring]:
    return [ring for region in core.regions for ring in region]


def _corners(ring: Ring) -> Iterator[tuple[Vector, Vector, Vector]]:
    return zip([ring[-1], *ring[:-1]], ring, [*ring[1:], ring[0]], strict=True)


def _dot(a: Real, b: Real) -> Decimal:
    return a[0] * b[0] + a[1] * b[1]


def _faces(n: Real, rays: list[Real]) -> bool:
    return all(_dot(n, ray) > -FLAT for ray in rays)


def common_ends(event: Event) -> list[tuple[Fraction, Fraction]]:
    """The ends of what edges have in common that lie on each other, but for an angle of 1e-12."""
    scene, t = event.pair.scene, (event.root.lo, event.root.m)
    if scene.reach:
        return []

    def at(which: int, p: Vector) -> tuple[Fraction, Fraction]:
        x, y, _ = place(scene.path(which, p), scene.grain, t, PLACES)
        step = 1 << PLACES + scene.grid.shift
        return Fraction(x, step), Fraction(y, step)

    sides = [
        [tuple(at(k, p) for p in segment) for segment in scene.cores[k].segments] for k in (0, 1)
    ]
    touched = contact_point(event)
    return [
        end
        for one, other in itertools.product(*sides)
        if all(_holds(segment, touched, TIE) for segment in (one, other))
        for this, that in ((one, other), (other, one))
        for end in this
        if _holds(that, end, TIE)
    ]


def _holds(segment: Any, point: Any, slack: Fraction) -> bool:
    """Whether a point lies between the ends, seen from which it is off by such an angle at most."""
    (x, y), (u, v) = segment[0], (q - p for p, q in zip(*segment, strict=True))
    s, t = point[0] - x, point[1] - y
    length = u * u + v * v
    along, across = (s * u + t * v), (u * t - v * s)
    return -slack * length <= along <= length * (1 + slack) and abs(across) <= slack * length


def contact_point(event: Event) -> tuple[Fraction, Fraction]:
    """The point of contact, which is on the boundary of `b`."""
    pair, root, scene = event.pair, event.root, event.pair.scene
    path = pair.q if pair.s is None else pair.p
    x, y, _ = place(path, scene.grain, (root.lo, root.m), PLACES)
    by = scene.radii[1] - (scene.reach if pair.moves and pair.s is not None else 0)
    n = normal(event) or STILL
    step = 1 << PLACES + scene.grid.shift
    x, y = ((c + (by * Fraction(k) * (1 << PLACES))) / step for c, k in zip((x, y), n, strict=True))
    return x, y

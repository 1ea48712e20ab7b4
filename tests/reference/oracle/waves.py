"""Polynomials in time multiplied by sines and cosines of it, and where they are zero.

The positions of vertices that move and turn are such sums, and so are products of them. Their
coefficients are whole numbers, exact. A sine or a cosine is a whole number of units in the last of
some hundreds of places, and an error. A value is therefore a ball, its middle and its radius. A
sign is certain only if the ball does not contain zero; more places can always be computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property, lru_cache

Ball = tuple[int, int]
Time = tuple[int, int]  # j, m: the time j / 2**m
Vector = tuple[int, int]
Path = dict[int, list[Vector]]
"""By rate of turning, coefficients by power of time: the sum of ``R(rate * t) (c0 + c1 * t)``."""

FIRST_BITS, MOST_BITS = 96, 1 << 15


class UndecidedError(ArithmeticError):
    """Not told from zero with as many places as are allowed."""


def widths() -> Iterable[int]:
    """Numbers of places to try, one after the other."""
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        yield bits
        bits *= 2


@lru_cache(maxsize=64)
def pi(bits: int) -> int:
    """Pi in units of ``2 ** -bits``, within two of them (Machin's formula)."""
    work = bits + 32

    def arccot(n: int) -> int:
        power = total = (1 << work) // n
        k = 1
        while power:
            power //= -n * n
            k += 2
            total += power // k
        return total

    return 4 * (4 * arccot(5) - arccot(239)) >> 32


@lru_cache(maxsize=1 << 14)
def cos_sin(angle: int, shift: int, bits: int) -> tuple[int, int]:
    """Cosine and sine of ``angle * 2 ** -shift`` in units of ``2 ** -bits``, within two of them."""
    whole = max(abs(angle).bit_length() - shift, 0)
    work = -(-(bits + whole + 40) // 64) * 64
    x = angle << work - shift if shift <= work else angle >> shift - work
    right = pi(work) >> 1
    quarters, x = divmod(x + (right >> 1), right)
    c, s = _series(x - (right >> 1), work)
    for _ in range(quarters % 4):
        c, s = -s, c
    return c >> work - bits, s >> work - bits


def _series(x: int, work: int) -> tuple[int, int]:
    """Cosine and sine by Taylor's series, some units in the last of many places off."""
    square = x * x >> work
    c, s, even, odd, k = 0, 0, 1 << work, x, 0
    while even > 1 or even < -1:
        c, s = c + even, s + odd
        even = -(even * square >> work) // ((k + 1) * (k + 2))
        odd = -(odd * square >> work) // ((k + 2) * (k + 3))
        k += 2
    return c, s


class Wave:
    """A sum over rates of ``cos(rate * t) * C(t) + sin(rate * t) * S(t)``, plus ``n * sqrt(k)``.

    Rates are in units of ``2 ** -grain``, the value in units of ``2 ** -exponent``.
    """

    def __init__(
        self,
        grain: int,
        terms: dict[int, tuple[list[int], list[int]]],
        exponent: int = 0,
        surd: tuple[int, int] = (0, 0),
    ) -> None:
        n, k = surd
        if n and math.isqrt(k) ** 2 == k:
            constant = terms.setdefault(0, ([], []))[0]
            constant[:1] = [(constant or [0])[0] + n * math.isqrt(k)]
            n = 0
        self.grain, self.exponent = grain, exponent
        self.surd = (n, k) if n else (0, 0)
        self.terms = {rate: (c, s) for rate, (c, s) in terms.items() if any(c) or any(s)}
        both = [p for pair in self.terms.values() for p in pair]
        self.degree = max(map(len, both), default=1) - 1

    @property
    def is_polynomial(self) -> bool:
        return all(rate == 0 for rate in self.terms)

    @property
    def is_zero(self) -> bool:
        return not self.terms and not self.surd[0]

    @cached_property
    def bound(self) -> int:
        """No value of the frame is larger, nor is the value of any one term."""
        n, k = self.surd
        own = sum(abs(x) for c, s in self.terms.values() for x in (*c, *s))
        return own + (math.isqrt(n * n * k) + 1 if n else 0)

    @cached_property
    def slope(self) -> Wave:
        """The derivative."""
        terms = {}
        for rate, (c, s) in self.terms.items():
            dc, ds = ([k * x << self.grain for k, x in enumerate(p)][1:] for p in (c, s))
            terms[rate] = _sum(dc, [rate * x for x in s]), _sum(ds, [-rate * x for x in c])
        return Wave(self.grain, terms, self.exponent + self.grain)

    def sign(self, t: Time) -> int:
        """The sign at a time, 0 only where the value is zero exactly."""
        for bits in widths():
            middle, radius, _ = self._ball(t, bits)
            if abs(middle) > radius:
                return 1 if middle > 0 else -1
            if radius == 0:
                return 0
        raise UndecidedError

    def value(self, t: Time, bits: int) -> Ball:
        """The value in units of ``2 ** -(exponent + bits)``."""
        middle, radius, extra = self._ball(t, bits)
        return middle >> extra, (radius >> extra) + 2

    def _ball(self, t: Time, bits: int) -> tuple[int, int, int]:
        """Middle and radius in units of ``2 ** -(exponent + bits + extra)``, and extra."""
        j, m = t
        middle = radius = 0
        for rate, pair in self.terms.items():
            c, s = (_horner(p, j, m, self.degree) for p in pair)
            if rate == 0 or j == 0:
                middle += c << bits
                continue
            cosine, sine = cos_sin(rate * j, self.grain + m, bits)
            middle += c * cosine + s * sine
            radius += 2 * (abs(c) + abs(s))
        n, k = self.surd
        if n:
            root = math.isqrt(n * n * k << 2 * bits)
            middle += (root if n > 0 else -root) << m * self.degree
            radius += 1 << m * self.degree
        return middle, radius, m * self.degree


def _sum(one: list[int], other: list[int]) -> list[int]:
    size = max(len(one), len(other))
    one, other = (p + [0] * (size - len(p)) for p in (one, other))
    return [x + y for x, y in zip(one, other, strict=True)]


def _horner(coefficients: list[int], j: int, m: int, degree: int) -> int:
    """The polynomial at ``j / 2 ** m``, times ``2 ** (m * degree)``."""
    total = 0
    for power in range(len(coefficients) - 1, -1, -1):
        total = total * j + (coefficients[power] << m * (len(coefficients) - 1 - power))
    return total << m * (degree + 1 - max(len(coefficients), 1))


# --- paths of vertices --------------------------------------------------------------------------


def minus(one: Path, other: Path) -> Path:
    """The difference, without coefficients that cancel."""
    found = {}
    for rate in {**one, **other}:
        p, q = one.get(rate, []), other.get(rate, [])
        size = max(len(p), len(q))
        p, q = (v + [(0, 0)] * (size - len(v)) for v in (p, q))
        rest = [(a[0] - b[0], a[1] - b[1]) for a, b in zip(p, q, strict=True)]
        while rest and rest[-1] == (0, 0):
            rest.pop()
        if rest:
            found[rate] = rest
    return found


def product(
    one: Path, other: Path, grain: int, *, crossed: bool, surd: tuple[int, int] = (0, 0)
) -> Wave:
    """The cross or the dot product of two paths, plus ``n * sqrt(k)``."""
    terms: dict[int, tuple[list[int], list[int]]] = {}
    for r, us in one.items():
        for q, vs in other.items():
            sign = 1 if q >= r else -1
            cosines, sines = terms.setdefault(abs(q - r), ([], []))
            for i, u in enumerate(us):
                for j, v in enumerate(vs):
                    dot, cross = u[0] * v[0] + u[1] * v[1], u[0] * v[1] - u[1] * v[0]
                    even, odd = (cross, dot) if crossed else (dot, -cross)
                    _add(cosines, i + j, even)
                    _add(sines, i + j, sign * odd if q != r else 0)
    return Wave(grain, terms, 0, surd)


def _add(coefficients: list[int], power: int, x: int) -> None:
    coefficients += [0] * (power + 1 - len(coefficients))
    coefficients[power] += x


def place(path: Path, grain: int, t: Time, bits: int) -> tuple[int, int, int]:
    """A vertex or a vector at a time, in units of ``2 ** -bits``, and how far off both may be."""
    j, m = t
    x = y = error = 0
    for rate, vectors in path.items():
        degree = len(vectors) - 1
        u, v = (_horner([w[k] for w in vectors], j, m, degree) for k in (0, 1))
        c, s = cos_sin(rate * j, grain + m, bits) if rate and j else (1 << bits, 0)
        x += c * u - s * v >> m * degree
        y += s * u + c * v >> m * degree
        error += (2 * (abs(u) + abs(v)) >> m * degree) + 2
    return x, y, error


# --- zeros --------------------------------------------------------------------------------------


class Around:
    """A wave and its first derivatives on ``[j, j + 1] / 2 ** m``, from their values amid it.

    Near a zero of high order, more derivatives show sooner that there is none elsewhere.
    """

    def __init__(self, wave: Wave, span: Time, bits: int = FIRST_BITS) -> None:
        self.waves = [wave]
        for _ in range(3 if span[0].bit_length() < 24 else 6):
            self.waves.append(self.waves[-1].slope)
        self.mid, self.half = (2 * span[0] + 1, span[1] + 1), span[1] + 1
        self.values: list[Ball] = []
        self.bits = 0
        self._evaluate(bits)

    def _evaluate(self, bits: int) -> None:
        """All values in units of ``2 ** -(exponent of the wave + bits)``."""
        self.bits = bits
        extras = [w.exponent - self.waves[0].exponent for w in self.waves]
        balls = [w.value(self.mid, bits) for w in self.waves[:-1]]
        self.values = [
            (mid >> extra, (radius >> extra) + 2)
            for (mid, radius), extra in zip(balls, extras, strict=False)
        ]
        self.last = ((self.waves[-1].bound << bits) >> extras[-1]) + 1

    def reach(self, order: int) -> int:
        """How far a derivative may be from its middle value."""
        sizes = [abs(mid) + radius for mid, radius in self.values] + [self.last]
        return sum(
            (size >> k * self.half) // math.factorial(k) + 1
            for k, size in enumerate(sizes[order:])
            if k
        )

    @property
    def least(self) -> int:
        """No value on the span is nearer to zero."""
        middle, radius = self.values[0]
        return max(abs(middle) - radius - self.reach(0), 0)

    def sign(self, order: int) -> int:
        """The sign of a derivative on all of the span, 0 where it isn't known to have one."""
        while True:
            middle, radius = self.values[order]
            reach = self.reach(order)
            if abs(middle) > radius + reach:
                return 1 if middle > 0 else -1
            if radius <= reach or self.bits >= MOST_BITS:
                return 0
            self._evaluate(2 * self.bits)


class Root:
    """The zero of a wave between two times of which it has opposite signs; its slope has one."""

    def __init__(self, wave: Wave, lo: int, hi: int, m: int, before: int) -> None:
        self.wave, self.lo, self.hi, self.m = wave, lo, hi, m
        self.before = before

    def refine(self, bits: int) -> Root:
        """Until the bracket is narrower than its time by so many bits."""
        while self.hi - self.lo << bits > self.hi:
            if self.hi - self.lo < 1 << 8:
                self.lo, self.hi, self.m = self.lo << 64, self.hi << 64, self.m + 64
            self._newton() or self._bisect()
        return self

    def _bisect(self) -> None:
        mid = self.lo + self.hi >> 1
        sign = self.wave.sign((mid, self.m))
        if sign == 0:
            self.lo = self.hi = mid
        elif sign == self.before:
            self.lo = mid
        else:
            self.hi = mid

    def _newton(self) -> bool:
        """Whether an interval step has halved the bracket at least."""
        x, width, w = self.lo + self.hi >> 1, self.hi - self.lo, self.wave
        bits = FIRST_BITS + 2 * max(self.m - width.bit_length(), 0)
        slope, bend = w.slope, w.slope.slope.bound
        value, radius = w.value((x, self.m), bits)
        d, error = slope.value((x, self.m), bits)
        error += ((bend * width << bits) >> self.m + w.grain) + 1
        if d < 0:
            value, d = -value, -d
        if d <= error:
            return False
        up = self.m + w.grain
        ends = [
            (v << up) // by
            for v in (value - radius, value + radius)
            for by in (d - error, d + error)
        ]
        lo, hi = max(self.lo, x - max(ends) - 1), min(self.hi, x - min(ends) + 1)
        if hi - lo > width >> 1:
            return False
        self.lo, self.hi = lo, hi
        return True

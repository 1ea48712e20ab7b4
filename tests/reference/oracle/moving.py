"""Two shapes of any kind that move and turn: where their vertices are, and what pairs may meet.

Shapes that start apart come within reach of each other when a vertex of one comes within reach of
an edge, or of a vertex, of the other. Each such pair has a function of time that is zero then: the
vertex's height over the edge's line, or the square of its distance from the other vertex.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property

from .exact import Grid
from .kinds import Core, Floats, Shape, core_of, cores_gap, grid_of
from .rings import cross, dot, plus
from .waves import Path, Time, Vector, Wave, minus, place, product

STILL: Vector = (0, 0)


@dataclass(frozen=True)
class Motion:
    """How `a` and `b` move: the arguments of ``swept_collision``. No turn needs no center.

    The velocity is relative to `b`, which moves itself by `drift`. Both may be dyadic fractions, as
    differences of floats are.
    """

    velocity: Floats = (0.0, 0.0)
    turn_a: float = 0.0
    center_a: Floats | None = None
    turn_b: float = 0.0
    center_b: Floats | None = None
    drift: Floats = (0.0, 0.0)

    @property
    def centers(self) -> list[Floats | None]:
        """Those that are used."""
        return [self.center_a if self.turn_a else None, self.center_b if self.turn_b else None]

    def swapped(self) -> Motion:
        """The same, of `b` against `a`."""
        x, y = self.velocity
        return Motion((-x, -y), self.turn_b, self.center_b, self.turn_a, self.center_a)


@dataclass(frozen=True, eq=False)
class Pair:
    """A vertex, and an edge or (`s` is None) a vertex of the other shape.

    The vertex is one of `a` where `moves` is true. `side` is that of the edge from which it may
    come: 1 the left, -1 the right, 0 either.
    """

    scene: Scene
    moves: bool
    p: Path
    q: Path
    s: Path | None = None
    side: int = 0

    @cached_property
    def gap(self) -> Path:
        return minus(self.p, self.q)

    @cached_property
    def edge(self) -> Path:
        assert self.s is not None
        return minus(self.s, self.q)

    @cached_property
    def length(self) -> int:
        """The square of the edge's."""
        ((v,),) = self.edge.values()
        return dot(v, v)

    @cached_property
    def wave(self) -> Wave:
        """Zero where the vertex is at the reach of the edge's line, or of the vertex."""
        reach, grain = self.scene.reach, self.scene.grain
        if self.s is None:
            return product(self.gap, self.gap, grain, crossed=False, surd=(-reach * reach, 1))
        surd = (-self.side * reach, self.length)
        return product(self.edge, self.gap, grain, crossed=True, surd=surd)

    @cached_property
    def along(self) -> tuple[Wave, Wave]:
        """Both are positive while the vertex is beside the edge, one is zero at its ends."""
        assert self.s is not None
        grain, beyond = self.scene.grain, minus(self.p, self.s)
        return (
            product(self.edge, self.gap, grain, crossed=False),
            product(minus(self.q, self.s), beyond, grain, crossed=False),
        )


class Scene:
    """Two shapes and their motion on one grid."""

    def __init__(self, a: Shape, b: Shape, motion: Motion, margin: float = 0.0) -> None:
        centers = [x for center in motion.centers if center for x in center]
        self.grid = grid_of(a, b, numbers=[*motion.velocity, *motion.drift, *centers, margin])
        angles = Grid(motion.turn_a, motion.turn_b)
        self.grain = angles.shift
        self.rates = angles.number(motion.turn_a), angles.number(motion.turn_b)
        self.radii = self.grid.number(a.radius), self.grid.number(b.radius)
        self.reach = sum(self.radii) + self.grid.number(margin)
        self.cores = core_of(a, self.grid), core_of(b, self.grid)
        self.centers = [self.grid.point(center or STILL) for center in motion.centers]
        self.velocity, drift = (
            (self.grid.number(x), self.grid.number(y)) for x, y in (motion.velocity, motion.drift)
        )
        self.ways = plus(self.velocity, drift), drift
        self.paths: dict[tuple[int, Vector], Path] = {}

    def path(self, which: int, p: Vector) -> Path:
        """Where a vertex of `a` (0) or of `b` (1) is."""
        if (which, p) not in self.paths:
            rate, (x, y) = self.rates[which], self.centers[which]
            straight = [(x, y) if rate else p]
            if self.ways[which] != STILL:
                straight.append(self.ways[which])
            turning = {rate: [(p[0] - x, p[1] - y)]} if rate and p != (x, y) else {}
            self.paths[which, p] = {0: straight, **turning}
        return self.paths[which, p]

    @cached_property
    def size(self) -> int:
        """The local extent."""
        points = [p for core in self.cores for p in core.points]
        points += [c for c, rate in zip(self.centers, self.rates, strict=True) if rate]
        spans = [max(p[k] for p in points) - min(p[k] for p in points) for k in (0, 1)]
        speeds = [abs(x) for way in (self.velocity, *self.ways) for x in way]
        return int(max([*spans, *speeds, self.reach, 1]))

    @property
    def extent_ulp(self) -> Fraction:
        return self.grid.ulp(self.size)

    @property
    def is_within(self) -> bool:
        """Whether the shapes are within reach as they are given."""
        return cores_gap(*self.cores) <= self.reach * self.reach

    # --- pairs ------------------------------------------------------------------------------

    def with_edges(self) -> Iterator[Pair]:
        """Vertices of one with edges of the other, which have a polygon on their left."""
        for which in (0, 1):
            other = self.cores[1 - which]
            sides = (-1,) if other.regions else (1, -1) if self.reach else (0,)
            for p in self.cores[which].points:
                for q, s in other.segments:
                    ends = self.path(1 - which, q), self.path(1 - which, s)
                    for side in sides if q != s else ():
                        yield Pair(self, which == 0, self.path(which, p), *ends, side)

    def with_vertices(self) -> Iterator[Pair]:
        for p in self.cores[0].points:
            for q in self.cores[1].points:
                yield Pair(self, True, self.path(0, p), self.path(1, q))

    def pairs(self) -> Iterator[Pair]:
        """All that may begin a contact. Without reach, vertices must meet exactly for that."""
        yield from self.with_edges()
        alone = [id(self.path(k, q)) for k in (0, 1) for q, s in self.cores[k].segments if q == s]
        for pair in self.with_vertices():
            meets = self.reach > 0 or self.coincide(pair.gap)
            if meets or (meets is None and id(pair.p) in alone and id(pair.q) in alone):
                yield pair

    # --- exact questions --------------------------------------------------------------------

    def coincide(self, gap: Path) -> bool | None:
        """Whether a difference of vertices, not zero at first, is so exactly at some time.

        None is for two that turn by different amounts.
        """
        (start, velocity), turning = _parts(gap)
        if not turning:
            return _passes_zero(start, velocity)
        if len(turning) == 1:
            return velocity == STILL and dot(start, start) == dot(turning[0], turning[0])
        if velocity != STILL or start != STILL:
            return None
        return dot(turning[0], turning[0]) == dot(turning[1], turning[1])

    def is_graze(self, pair: Pair) -> bool | None:
        """Whether some extremum of the pair's wave is zero exactly; None is for two that turn."""
        return self._vertex_grazes(pair) if pair.s is None else self._edge_grazes(pair)

    def _vertex_grazes(self, pair: Pair) -> bool | None:
        (start, velocity), turning = _parts(pair.gap)
        if velocity != STILL:
            if turning:
                return False if len(turning) == 1 else None
            return cross(start, velocity) ** 2 == self.reach**2 * dot(velocity, velocity)
        squares = [dot(v, v) for v in (start, *turning) if v != STILL]
        return (
            None if len(squares) > 2 else _add_up(*squares, *(0, 0)[len(squares) :], self.reach**2)
        )

    def _edge_grazes(self, pair: Pair) -> bool | None:
        """In the edge's own frame: what turns there, and the height of what doesn't."""
        ((rate, (edge,)),) = pair.edge.items()
        start, velocity = (*pair.gap.get(rate, []), STILL, STILL)[:2]
        turning = [vectors for r, vectors in pair.gap.items() if r != rate]
        if cross(edge, velocity) or any(len(vectors) > 1 for vectors in turning):
            return False
        if len(turning) > 1:
            return None
        around = dot(turning[0][0], turning[0][0]) if turning else 0
        height = cross(edge, start) ** 2
        return _add_up(height, pair.length * around, pair.length * self.reach**2)

    # --- at a time --------------------------------------------------------------------------

    def placed(self, t: Time, bits: int) -> tuple[Core, Core, int]:
        """The cores at a time, on a grid finer by so many bits, and how far off they may be."""
        worst, cores = 0, []
        for which, core in enumerate(self.cores):
            at = {}
            for p in core.points:
                x, y, error = place(self.path(which, p), self.grain, t, bits)
                at[p], worst = (x, y), max(worst, error)
            regions = [[[at[p] for p in ring] for ring in region] for region in core.regions]
            cores.append(Core([(at[p], at[q]) for p, q in core.segments], regions))
        return cores[0], cores[1], worst

    def distance(self, t: Time, bits: int = 160) -> tuple[Decimal, Decimal]:
        """Bounds of the cores' distance less the reach: where that is negative, they overlap."""
        a, b, error = self.placed(t, bits)
        gap, reach = math.isqrt(math.floor(cores_gap(a, b))), self.reach << bits
        with localcontext(prec=200) as context:
            context.Emin, context.Emax = -999_999, 999_999
            step = 1 / Decimal(1 << bits + self.grid.shift)
            return (gap - reach - 4 * error) * step, (gap + 1 - reach + 4 * error) * step


def time_of(x: float | Fraction) -> Time:
    """A float as a dyadic time."""
    j, d = x.as_integer_ratio()
    return j, d.bit_length() - 1


def _parts(gap: Path) -> tuple[tuple[Vector, Vector], list[Vector]]:
    """What moves straight (its start and velocity), and what turns."""
    straight = (*gap.get(0, []), STILL, STILL)[:2]
    return (straight[0], straight[1]), [vectors[0] for rate, vectors in gap.items() if rate]


def _passes_zero(start: Vector, velocity: Vector) -> bool:
    ahead = -dot(start, velocity)
    return cross(start, velocity) == 0 and 0 < ahead <= dot(velocity, velocity)


def _add_up(one: int, other: int, third: int) -> bool:
    """Whether of three square roots one is the sum of the others."""
    return (one + other - third) ** 2 == 4 * one * other

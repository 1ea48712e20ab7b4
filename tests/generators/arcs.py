"""Steps along arcs, with something near the way, and their exact answers."""

from __future__ import annotations

import heapq
import math
from decimal import Decimal
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import carom
import numpy as np

from generators import courses, kinds, shapes, turns
from reference.oracle import accuracy, approach, check_turning
from reference.oracle.approach import BITS, CLOSE, Least
from reference.oracle.check import Case
from reference.oracle.kinds import Shape, distance, is_within
from reference.oracle.moving import Motion, Scene, time_of
from reference.oracle.turning import Contact, swept_collision

TURNS = (0.3, -0.5, 1.2, 1e-3, -1e-6, 1e-9, 1e-12, -1e-12, 3e-14, 2.9, math.pi, -math.pi)
ALMOST = math.nextafter(math.pi, 0.0)
Pose = tuple[float, float, float]


class Step(NamedTuple):
    """A body on an arc between two poses, and one at rest, drifting, or between poses of its own.

    `way` is "rest", "drift", "straight" or "arc".
    """

    foot: list[tuple[float, float]]
    poses: list[Pose]
    other: Shape
    way: str
    there: Any
    margin: float = 0.0

    @property
    def log(self) -> carom.Trajectories:
        return carom.Trajectories(self.foot, [self.poses], motion="arc")

    @property
    def obstacles(self) -> Any:
        column = kinds.column([self.other])
        if self.way in ("rest", "drift"):
            return column
        return carom.Trajectories(column, [self.there], motion=self.way)

    @property
    def velocity(self) -> Any:
        return self.there if self.way == "drift" else None

    def ask(self, query: Any, **keywords: Any) -> Any:
        if self.velocity is not None:
            keywords["obstacle_velocity"] = self.velocity
        return query(self.log, self.obstacles, **keywords)[0]

    @property
    def own(self) -> Motion:
        return courses.motion_between(*self.poses, "arc")

    @property
    def scene(self) -> tuple[Shape, Shape, Motion]:
        """What the oracle takes, in world coordinates."""
        a, own = placed(self.foot, self.poses[0]), self.own
        if self.way in ("rest", "drift"):
            b, other = self.other, Motion(self.there or (0.0, 0.0))
        else:
            b = placed(self.other.parts[0][0], self.there[0])
            other = courses.motion_between(*self.there, self.way)
        (u, v), (x, y) = (tuple(map(Fraction, it.velocity)) for it in (own, other))
        turn = (own.turn_a, own.center_a, other.turn_a, other.center_a)
        return a, b, Motion((u - x, v - y), *turn, drift=(x, y))

    @property
    def at_end(self) -> tuple[Shape, Shape] | None:
        """Both at their second poses; of one that drifts that is no float."""
        a = placed(self.foot, self.poses[1])
        if self.way == "drift":
            return None
        b = self.other if self.way == "rest" else placed(self.other.parts[0][0], self.there[1])
        return a, b

    def extent(self, scene: Scene) -> int:
        """The local extent on the grid of a scene, without the centers of arcs."""
        points = [p for core in scene.cores for p in core.points]
        spans = [Fraction(max(p[k] for p in points) - min(p[k] for p in points)) for k in (0, 1)]
        ways = [self.poses, self.there] if self.way in ("straight", "arc") else [self.poses]
        unit = 1 << scene.grid.shift
        for way in ways:
            (x, y, _), (u, v, _) = ((*map(Fraction, pose),) for pose in way)
            spans += [abs(u - x) * unit, abs(v - y) * unit]
        return math.ceil(max([*spans, *map(abs, scene.ways[1]), scene.reach, 1]))


def placed(ring: Any, pose: Any) -> Shape:
    place = carom.place(np.array(ring, float), np.array(pose, float))
    return Shape("polygon", [[courses.listed(place)]])


def assert_first(step: Step, *, with_centers: bool = False) -> Contact:
    """The first contact is the oracle's; that is given back.

    The local extent is without the centers of arcs, unless these are to count.
    """
    found = step.ask(carom.first_contact, margin=step.margin)
    a, b, motion = step.scene
    truth = swept_collision(a, b, motion, step.margin)
    if not with_centers:
        truth.scene.__dict__["size"] = step.extent(truth.scene)
    on_way = found.hit and found.step == 0
    result = SimpleNamespace(
        intersects=on_way and found.time == 0.0,
        will_intersect=on_way,
        time=found.time if on_way else math.inf,
        normal=found.normal if on_way else np.zeros(2),
        contact=found.contact if on_way else np.full((2, 2), math.nan),
    )
    case = Case(result, a=a, b=b, motion=motion, margin=step.margin, step=step)
    with check_turning.localcontext(prec=80) as context:
        context.Emin, context.Emax = -999_999, 999_999
        check_turning._check(case, truth)
    if not on_way and step.at_end is not None:
        case.result = found
        case.equal("hit", is_within(*step.at_end, step.margin))
    return truth


def assert_clearance(step: Step, *, with_centers: bool = False) -> Decimal:
    """The distance is the least one, within the accuracy that the contract has without centers.

    For the nearest points, the local extent may be one with centers.
    """
    found, first = step.ask(carom.clearance), step.ask(carom.first_contact)
    a, b, motion = step.scene
    case = Case(found, a=a, b=b, motion=motion, step=step)
    if first.hit:
        for name in ("step", "time", "obstacle"):
            case.equal(name, getattr(first, name))
        case.equal("distance", 0.0)
        return Decimal(0)
    scene = Scene(Shape(a.kind, a.parts), Shape(b.kind, b.parts), motion)
    size = step.extent(scene)
    low, high = bounds(Least(scene, Fraction(0)), size)
    with check_turning.localcontext(prec=400):
        unit = Decimal(1) / (1 << scene.grid.shift + BITS // 2)
        radii = Decimal(a.radius) + Decimal(b.radius)
        low, high = low * unit - radii, high * unit - radii
        if step.at_end is not None:
            end = distance(*step.at_end)
            low, high = min(low, end), min(high, end)
        ulp = check_turning.decimal(scene.grid.ulp(size))
        allowed = max(accuracy.RELATIVE * high, 8 * ulp)
        if not low - allowed <= Decimal(found.distance) <= high + allowed:
            case.fail("distance", (low, high), found.distance)
        if found.step == 0:
            scene = Scene(a, b, motion)
            if not with_centers:
                scene.__dict__["size"] = step.extent(scene)
            approach._points(case, scene, scene.distance(time_of(found.time)))
    return high


def bounds(least: Least, size: int) -> tuple[int, int]:
    """As `Least.bounds`, to 60 places of this size, not of one with centers in it."""
    heap: Any = [(0, (0, 0), [*least.scene.with_edges(), *least.scene.with_vertices()])]
    fine = size << BITS // 2 >> 60
    while heap:
        low, (j, m), pairs = heapq.heappop(heap)
        if least.best - low <= max(least.best >> CLOSE, fine):
            return low, least.best
        for span in ((2 * j, m + 1), (2 * j + 1, m + 1)):
            found = list(least._of(span, least._nearest(span, pairs)))
            if found:
                heapq.heappush(heap, (min(it for it, _ in found), span, [p for _, p in found]))
    return least.best, least.best


# --- random steps -------------------------------------------------------------------------------


def poses_of(rng: Random, x: float, y: float) -> list[Pose]:
    """A car's step, or one to anywhere."""
    h, turn = rng.uniform(-3, 3), rng.choice([*TURNS, ALMOST, rng.uniform(-3, 3)])
    length, way = rng.choice([0.0, 0.5, 3.0, 9.0]), h + turn / 2
    if rng.random() < 0.3:
        way = rng.uniform(-3, 3)
    return [(x, y, h), (x + length * math.cos(way), y + length * math.sin(way), h + turn)]


def beside(rng: Random, foot: Any, poses: list[Pose]) -> tuple[float, float]:
    """Where some vertex is at some time, or near it."""
    motion, t = courses.motion_between(*poses, "arc"), rng.random()
    x, y = rng.choice(courses.listed(carom.place(np.array(foot), np.array(poses[0]))))
    if motion.center_a is None:
        return x, y
    # About the far center as in floats: a small turn of a long radius.
    cx, cy = motion.center_a
    c, s = -2 * math.sin(motion.turn_a * t / 2) ** 2, math.sin(motion.turn_a * t)
    off = rng.choice([0.0, 0.0, 1e-6, 0.05, 1.0, 3.0])
    u = x + c * (x - cx) - s * (y - cy) + float(motion.velocity[0]) * t
    v = y + s * (x - cx) + c * (y - cy) + float(motion.velocity[1]) * t
    return u + rng.uniform(-off, off), v + rng.uniform(-off, off)


def step(rng: Random, way: str) -> Step:
    """A random one; few begin in touch."""
    while True:
        found = any_step(rng, way)
        if rng.random() < 0.1 or not is_within(*found.scene[:2], found.margin):
            return found


def any_step(rng: Random, way: str) -> Step:
    """A random one, in touch or not."""
    foot = rng.choice([courses.CAR, courses.LETTER])
    far = rng.choice([0.0, 0.0, 40.0, 6e5]) if way == "rest" else rng.choice([0.0, 40.0])
    poses = poses_of(rng, far + rng.uniform(-9, 9), 5 * far + rng.uniform(-9, 9))
    x, y = beside(rng, foot, poses)
    margin = rng.choice([0.0, 0.0, 0.5])
    if way in ("rest", "drift"):
        end = x + rng.uniform(-3, 3), y + rng.uniform(-3, 3)
        other = rng.choice(
            [
                turns.point(x, y),
                turns.point(x, y, 0.25),
                turns.segment((x, y), end),
                turns.box(x, y, 0.5, 0.25),
            ]
        )
        drift = (rng.randint(-8, 8) / 8, rng.randint(-8, 8) / 8) if way == "drift" else None
        return Step(foot, poses, other, way, drift, margin)
    other = Shape("polygon", [[rng.choice([shapes.box(-0.5, -0.5, 3.0, 1.0), courses.CAR])]])
    return Step(foot, poses, other, way, poses_of(rng, x, y), margin)

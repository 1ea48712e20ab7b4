"""Trajectories that turn, and their first contacts by a loop over the steps."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import carom
import numpy as np

from generators import kinds, turns
from reference.oracle.kinds import Shape
from reference.oracle.moving import Motion

CAR = [(-1.0, -0.9), (3.5, -0.9), (3.5, 0.9), (-1.0, 0.9)]
"""About its rear axle."""
LETTER = [(-1.0, -1.0), (3.0, -1.0), (3.0, 0.0), (0.0, 0.0), (0.0, 2.0), (-1.0, 2.0)]


class Course(NamedTuple):
    """The arguments of ``first_contact`` for one trajectory. Obstacles drift or have poses."""

    footprint: Any
    poses: np.ndarray
    obstacles: Any
    velocity: np.ndarray | None = None
    obstacle_poses: np.ndarray | None = None

    @property
    def given(self) -> dict[str, Any]:
        return {"velocity": self.velocity, "obstacle_poses": self.obstacle_poses}

    @property
    def steps(self) -> int:
        return len(self.poses) - 1


class Step(NamedTuple):
    """One step of a course, as a sweep takes it, and how the obstacles' coordinates move on."""

    a: Any
    b: Any
    velocity: np.ndarray
    turning: dict[str, Any]
    drift: np.ndarray

    def ask(self, batch: Any, **keywords: Any) -> Any:
        return batch(self.a, self.b, self.velocity, **self.turning, **keywords)

    @property
    def scenes(self) -> list[tuple[Shape, Shape, Motion]]:
        """What the oracle takes, of a footprint of one ring, in world coordinates."""
        found = []
        for m, row in enumerate(self.b):
            own = {key: value for key, value in self.turning.items() if key.endswith("_a")}
            if "turn_b" in self.turning:
                own["turn_b"] = float(self.turning["turn_b"][m])
                own["center_b"] = tuple(map(float, self.turning["center_b"][m]))
            own["center_a"] = tuple(map(float, own["center_a"]))
            velocity, drift = (tuple(map(float, it[m])) for it in (self.velocity, self.drift))
            foot = Shape("polygon", [[listed(self.a)]])
            found.append((foot, shape_of(row), Motion(velocity, **own, drift=drift)))
        return found


def shape_of(row: Any) -> Shape:
    """A row of a column, for the oracle."""
    if isinstance(row, np.ndarray):
        return Shape("polygon", [[listed(row)]])
    if isinstance(row, list):
        return Shape("polygon", [[listed(ring) for ring in row]])
    (geometry,), radius = row.with_radius(0.0).to_shapely(), float(row.radius[0])
    parts = list(getattr(geometry, "geoms", [geometry]))
    kind = {"Point": "point", "LineString": "path", "Polygon": "polygon"}[parts[0].geom_type]
    if kind == "point":
        return Shape(kind, [listed(part.coords)[0] for part in parts], radius)
    if kind == "path":
        return Shape(kind, [listed(part.coords) for part in parts], radius)
    rings = [[part.exterior, *part.interiors] for part in parts]
    return Shape(kind, [[listed(ring.coords)[:-1] for ring in part] for part in rings], radius)


def listed(points: Any) -> list[tuple[float, float]]:
    return [(float(p[0]), float(p[1])) for p in points]


def short_way(one: float, other: float) -> float:
    return math.remainder(other - one, math.tau)


def motion_between(pose: Any, after: Any, motion: str) -> Motion:
    """How a body moves from a pose to the next one, as the oracle takes it."""
    (x, y, h), (u, v, then) = (tuple(map(float, it)) for it in (pose, after))
    turn = short_way(h, then)
    if motion == "arc" and turn:
        cx, cy = map(float, carom.arc(pose, after).center)
        return Motion(turn_a=turn, center_a=(cx, cy))
    return Motion((Fraction(u) - Fraction(x), Fraction(v) - Fraction(y)), turn, (x, y))  # type: ignore[arg-type]


def step_of(course: Course, k: int) -> Step:
    """From pose k to the next, or at rest at the last. Positions differ without rounding."""
    after = min(k + 1, course.steps)
    (x, y, heading), (u, v, then) = course.poses[k], course.poses[after]
    own = np.array([u - x, v - y])
    turning: dict[str, Any] = {"turn_a": short_way(heading, then), "center_a": (x, y)}
    foot = placed(course.footprint, course.poses[k])
    count = len(course.obstacles)
    if course.obstacle_poses is None:
        drift = np.zeros((count, 2)) if course.velocity is None else np.asarray(course.velocity)
        there = course.obstacles.translate(k * drift)
        drift = drift if after > k else 0 * drift
        return Step(foot, there, own - drift, turning, drift)
    now, next_ = course.obstacle_poses[:, k], course.obstacle_poses[:, after]
    there = carom.Shapes(
        [[carom.place(ring, pose)] for ring, pose in zip(course.obstacles, now, strict=True)]
    )
    turning["turn_b"] = np.array(
        [short_way(*pair) for pair in zip(now[:, 2], next_[:, 2], strict=True)]
    )
    turning["center_b"] = now[:, :2]
    drift = next_[:, :2] - now[:, :2]
    return Step(foot, there, own - drift, turning, drift)


def placed(footprint: Any, pose: Any) -> Any:
    """A footprint of one ring, or a column of points and paths without heading."""
    if isinstance(footprint, carom.Shapes):
        x, y, heading = pose
        c, s = math.cos(heading), math.sin(heading)
        return footprint.affine_transform([c, -s, s, c, x, y])
    return carom.place(np.array(footprint), np.array(pose))


class First(NamedTuple):
    step: int
    time: float
    obstacle: int
    others: list[int]
    normal: np.ndarray
    contact: np.ndarray


def first_of_steps(course: Course, margin: float = 0.0) -> First | None:
    """The first contact; `others` are obstacles that are met at times within 1e-9 of it."""
    for k in range(course.steps + 1):
        step = step_of(course, k)
        found = step.ask(carom.swept_collision_batch, margin=margin)
        if found.will_intersect.any():
            m = int(np.nanargmin(found.time))
            time = float(found.time[m])
            others = np.flatnonzero(np.abs(found.time - time) <= 1e-9).tolist()
            contact = found.contact[m] + time * step.drift[m]
            return First(k, time, m, others, found.normal[m], contact)
    return None


def path(rng: Random, count: int, heading: float | None = None) -> np.ndarray:
    """Poses on a grid of eighths, headings of any float, sometimes beyond pi."""
    x, y = rng.randint(-40, 40) / 8, rng.randint(-40, 40) / 8
    h = rng.uniform(-4, 4) if heading is None else heading
    poses = []
    for _ in range(count):
        poses.append((x, y, h))
        h += rng.choice([0.0, 0.0, rng.uniform(-0.6, 0.6), 3.0, math.tau]) * (heading is None)
        x, y = x + rng.randint(-24, 24) / 8, y + rng.randint(-24, 24) / 8
    return np.array(poses)


def around(rng: Random, count: int) -> list[Any]:
    """Small shapes of all kinds on a field."""
    return [
        turns.moved(
            kinds.shape(rng, size=2, radius=0.0), 2.0 * rng.randint(-8, 8), 2.0 * rng.randint(-8, 8)
        )
        for _ in range(count)
    ]


def course(rng: Random, obstacles: int = 5) -> Course:
    """A random one: obstacles that stand, drift, or follow poses."""
    poses = path(rng, rng.randint(1, 5))
    foot = rng.choice([CAR, LETTER])
    way = rng.choice(["stand", "drift", "poses", "poses"])
    if way == "poses":
        rings = [rng.choice([CAR, LETTER]) for _ in range(obstacles)]
        ways = np.array([path(rng, len(poses)) for _ in rings]) + np.array([[[8.0, 0.0, 0.0]]])
        return Course(foot, poses, carom.Shapes(rings), None, ways)
    column = kinds.column(around(rng, obstacles))
    if way == "stand":
        return Course(foot, poses, column)
    drift = np.array(
        [[rng.randint(-16, 16) / 16, rng.randint(-16, 16) / 16] for _ in range(obstacles)]
    )
    return Course(foot, poses, column, drift)

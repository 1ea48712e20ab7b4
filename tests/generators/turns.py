"""Seeded generators of shapes that turn: vehicles, grids that fit, and motions that barely touch.

A scene is two shapes of any kind, their motion and a margin. The families are named, so that a
failing scene shows its kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from generators import kinds, shapes
from reference.oracle.kinds import Floats, Shape
from reference.oracle.moving import Motion

ANGLES = (0.5, -0.5, 0.1, 1.0, -2.0, 1e-3, -1e-6, 3.0, math.pi, -math.pi / 2, 7.0, -20.0)
TINY_OR_LARGE = (1e-300, -1e-300, 1e-100, 5e-324, 1e-17, -1e-12, 300.0, -5e4, 1e6, -1e6)
TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (0, 1, 1))


class Scene(NamedTuple):
    """The arguments of one question, in full."""

    a: Shape
    b: Shape
    motion: Motion
    margin: float = 0.0


def placed(shape: Shape, change: Callable[[Floats], Floats], radius: float | None = None) -> Shape:
    """The shape with every vertex changed."""

    def of(part: object) -> object:
        if isinstance(part, tuple):
            return change(part)
        return [of(inner) for inner in part]  # type: ignore[attr-defined]

    parts = [of(part) for part in shape.parts]
    return Shape(shape.kind, parts, shape.radius if radius is None else radius)


def moved(shape: Shape, x: float, y: float) -> Shape:
    return placed(shape, lambda p: (p[0] + x, p[1] + y))


def scaled(scene: Scene, factor: float) -> Scene:
    """The same at another magnitude; a power of two changes nothing else."""

    def by(p: Floats | None) -> Floats | None:
        return p and (p[0] * factor, p[1] * factor)

    a, b = (placed(s, lambda p: by(p) or p, s.radius * factor) for s in (scene.a, scene.b))
    m = scene.motion
    velocity, center_a, center_b = by(m.velocity) or (0.0, 0.0), by(m.center_a), by(m.center_b)
    motion = Motion(velocity, m.turn_a, center_a, m.turn_b, center_b)
    return Scene(a, b, motion, scene.margin * factor)


def box(x: float, y: float, width: float, height: float) -> Shape:
    return Shape("polygon", [[shapes.box(x, y, width, height)]])


def segment(p: Floats, q: Floats, radius: float = 0.0) -> Shape:
    return Shape("path", [[p, q]], radius)


def point(x: float, y: float, radius: float = 0.0) -> Shape:
    return Shape("point", [(x, y)], radius)


# --- families -----------------------------------------------------------------------------------


def angle(rng: Random) -> float:
    return rng.choice([rng.choice(ANGLES), rng.uniform(-4, 4)])


def center(rng: Random, shape: Shape) -> Floats:
    """On a vertex, among them, somewhere near, or far away."""
    p = rng.choice(shape.vertices)
    x, y = (sum(q[k] for q in shape.vertices) / len(shape.vertices) for k in (0, 1))
    near = float(rng.randint(-4, 8)), float(rng.randint(-4, 8))
    far = rng.choice([1e3, -1e6]), rng.choice([0.0, 5e4])
    return rng.choice([p, p, (x, y), near, near, near, far])


def lattice(rng: Random) -> Scene:
    """Small whole coordinates, radii that fit, shapes mostly apart; one turns, or both."""
    a, b = kinds.shape(rng), kinds.shape(rng)
    b = moved(b, rng.choice([0.0, 5.0, 6.0, -9.0]), rng.choice([0.0, 5.0, 7.0, -6.0]))
    velocity = rng.choice([(0.0, 0.0), kinds.velocity(rng, 8), kinds.velocity(rng, 8)])
    turns = rng.choice([(1, 0), (1, 0), (0, 1), (1, 1), (1, 2)])
    one, other = angle(rng), angle(rng)
    turn_a, turn_b = one * bool(turns[0]), (other if turns[1] == 2 else one) * bool(turns[1])
    motion = Motion(velocity, turn_a, center(rng, a), turn_b, center(rng, b))
    return Scene(a, b, motion, kinds.margin(rng))


def vehicle(rng: Random) -> Scene:
    """A car or a lorry about its rear axle past a post, a wall or another car."""
    length, width, rear = rng.choice([(4.5, 1.8, 1.0), (16.0, 2.5, 2.0), (2.0, 1.0, 0.5)])
    heading, x, y = rng.uniform(-3, 3), rng.uniform(-50, 50), rng.uniform(-50, 50)
    c, s = math.cos(heading), math.sin(heading)
    ring = [
        (-rear, -width / 2),
        (length - rear, -width / 2),
        (length - rear, width / 2),
        (-rear, width / 2),
    ]
    car = Shape("polygon", [[[(x + u * c - v * s, y + u * s + v * c) for u, v in ring]]])
    step = rng.choice([0.0, 0.5, 2.0, 8.0])
    turn = rng.uniform(-0.6, 0.6)
    # Beside the front as it is at the end, mostly on the side to which it turns.
    ahead, beside = (
        length - rear + rng.uniform(-2, 1),
        math.copysign(rng.uniform(0.5, 1.5) * width / 2, turn),
    )
    u, v = math.cos(heading + turn), math.sin(heading + turn)
    at = x + step * c + ahead * u - beside * v, y + step * s + ahead * v + beside * u
    obstacle = rng.choice(
        [
            point(*at),
            point(*at, 0.25),
            segment(at, (at[0] + 4, at[1] - 1)),
            box(*at, 0.3, 0.3),
            moved(car, *at),
        ]
    )
    turn_b = rng.choice([0.0, 0.0, rng.uniform(-0.5, 0.5)])
    motion = Motion((step * c, step * s), turn, (x, y), turn_b, at)
    return Scene(car, obstacle, motion, rng.choice([0.0, 0.0, 0.5]))


def barely(rng: Random) -> Scene:
    """A wall put at the double nearest to where some vertex is at some time, or an ulp beside."""
    scene = vehicle(rng) if rng.random() < 0.5 else lattice(rng)
    m = scene.motion
    center_a = m.center_a or (0.0, 0.0)
    at = rng.choice([1.0, rng.random(), rng.random()])
    p, turn = rng.choice(scene.a.vertices), (m.turn_a or 0.5) * at
    x, y = p[0] - center_a[0], p[1] - center_a[1]
    c, s = math.cos(turn), math.sin(turn)
    q = (
        shapes.nudge(rng, center_a[0] + x * c - y * s + m.velocity[0] * at),
        shapes.nudge(rng, center_a[1] + x * s + y * c + m.velocity[1] * at),
    )
    fall = (-(x * s + y * c) * turn + m.velocity[0], (x * c - y * s) * turn + m.velocity[1])
    way = rng.choice([fall, fall, (0.0, 1.0), (1.0, 0.0), (rng.uniform(-1, 1), rng.uniform(-1, 1))])
    size = math.hypot(*way) or 1.0
    far = q[0] + 3 * way[0] / size, q[1] + 3 * way[1] / size
    near = 2 * q[0] - far[0], 2 * q[1] - far[1]
    wall = rng.choice([point(*q), segment(q, far), segment(near, far)])
    motion = Motion(m.velocity, m.turn_a or 0.5, center_a, 0.0, None)
    return Scene(Shape(scene.a.kind, scene.a.parts), wall, motion)


def grazing(rng: Random) -> Scene:
    """One rotation, of which the farthest vertex, or the wall, is at a whole distance: exactly a
    graze, or an ulp off."""
    u, v, w = rng.choice(TRIPLES)
    x, y = rng.choice([(u, v), (-v, u), (v, -u), (-u, -v)])
    scale = rng.choice([1.0, 0.25, 3.0, 2.0**-40, 2.0**30])
    cx, cy = rng.choice([(0.0, 0.0), (8.0, -3.0)])
    p = cx + x * scale, cy + y * scale
    height = shapes.nudge(rng, w * scale, rng.choice([0, 0, 1]))
    wall = segment((cx - 3 * w * scale, cy + height), (cx + 2 * w * scale, cy + height))
    tip = Shape("polygon", [[[p, (cx, cy), (cx + y * scale / 4, cy - x * scale / 4)]]])
    a, b = rng.choice([(point(*p), wall), (segment((cx, cy), p), wall), (tip, wall), (wall, tip)])
    turn = rng.choice([angle(rng), 7.0, -7.0])
    if rng.random() < 0.5:
        return Scene(a, b, Motion((0.0, 0.0), turn, (cx, cy)))
    return Scene(a, b, Motion((0.0, 0.0), 0.0, None, turn, (cx, cy)))


def extreme(rng: Random) -> Scene:
    """Another family at an extreme magnitude, or with a turn of one."""
    scene = rng.choice([lattice, vehicle, grazing, barely])(rng)
    if rng.random() < 0.5:
        power = rng.choice([-1000, -600, -530, 500, 530, 990])
        return scaled(scene, math.ldexp(1.0, power))
    # Far from its center, a shape that turns so much would pass the other thousands of times.
    turn, at = rng.choice(TINY_OR_LARGE), rng.choice(scene.a.vertices)
    return Scene(scene.a, scene.b, Motion(scene.motion.velocity, turn, at), scene.margin)


def arc(rng: Random) -> Scene:
    """A vehicle on an arc about a center far away, almost straight on; the obstacle turns, too."""
    car, obstacle, m, margin = vehicle(rng)
    (vx, vy), radius = m.velocity, rng.choice([1e2, 1e4, 1e6, 1e8]) * rng.choice([1.0, -1.0])
    way = math.hypot(vx, vy) or 1.0
    x, y = m.center_a or (0.0, 0.0)
    far = x - vy / way * radius, y + vx / way * radius
    turn_b = rng.choice([m.turn_b, rng.uniform(-1.0, 1.0), way / radius])
    motion = Motion((0.0, 0.0), way / radius, far, turn_b, m.center_b)
    if rng.random() < 0.5:
        return Scene(car, obstacle, motion, margin)
    swapped = Motion((0.0, 0.0), turn_b, m.center_b, motion.turn_a, far)
    return Scene(obstacle, car, swapped, margin)


FAMILIES: dict[str, Callable[[Random], Scene]] = {
    f.__name__: f for f in (lattice, vehicle, arc, barely, grazing, extreme)
}


def usable(scene: Scene) -> bool:
    """Whether all is finite and the shapes are valid after the changes of scale."""
    m = scene.motion
    numbers = [x for s in (scene.a, scene.b) for p in (*s.vertices, (s.radius, 0.0)) for x in p]
    numbers += [*m.velocity, *(m.center_a or ()), *(m.center_b or ()), scene.margin]
    if not all(map(math.isfinite, numbers)) or max(map(abs, numbers)) > 1e307:
        return False
    return all(
        s.kind != "path" or all(len(set(path)) > 1 for path in s.parts) for s in (scene.a, scene.b)
    )


def scene(seed: object, family: str | None = None) -> Scene:
    """A scene of a family, by default of any."""
    rng = Random(f"{family}/{seed}")
    while True:
        found = FAMILIES[family or rng.choice(list(FAMILIES))](rng)
        if usable(found):
            return found

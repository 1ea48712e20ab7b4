"""Hard cases of shapes that turn, and of all times at which shapes touch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random

import carom

from generators import kinds, turns
from generators.turns import Scene
from reference.oracle.approach import assert_closest_approach
from reference.oracle.check_turning import assert_turning
from reference.oracle.contact_intervals import assert_contact_intervals
from reference.oracle.kinds import Shape
from reference.oracle.moving import Motion
from reference.oracle.turning import swept_collision

from . import Case, is_extreme, two_ulps

FAMILIES = ["lattice", "vehicle", "arc", *["barely"] * 2, *["grazing"] * 3, "extreme"]


def draw(rng: Random) -> tuple[str, Scene]:
    family = rng.choice(FAMILIES)
    while True:
        scene = turns.FAMILIES[family](rng)
        if turns.usable(scene):
            return family, scene


def given(scene: Scene) -> tuple[tuple, dict]:
    """What the library takes: the shapes and the velocity, and the turns."""
    a, b, m, _ = scene
    keywords = {"turn_a": m.turn_a, "center_a": m.center_a}
    keywords |= {"turn_b": m.turn_b, "center_b": m.center_b}
    return (kinds.row(a), kinds.row(b), m.velocity), keywords


def nearby(scene: Scene) -> Iterator[Scene]:
    """With `b` two units in the last place aside, its center too."""
    a, b, m, _ = scene
    step = two_ulps(a.vertices, b.vertices, [m.center_a or (0.0, 0.0)])
    for x, y in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)):
        center = m.center_b and (m.center_b[0] + x, m.center_b[1] + y)
        motion = Motion(m.velocity, m.turn_a, m.center_a, m.turn_b, center)
        yield scene._replace(b=turns.moved(b, x, y), motion=motion)


def hangs_by_a_hair(scene: Scene, *, hit: bool | None) -> bool:
    """Whether they touch, or would meet or not meet from two units in the last place aside."""
    return any(swept_collision(*other).will_intersect is not hit for other in nearby(scene))


def is_far(scene: Scene) -> bool:
    m = scene.motion
    centers = [center for center in (m.center_a, m.center_b) if center]
    return is_extreme(scene.a.vertices, scene.b.vertices, [m.velocity, *centers])


def check_swept_collision(rng: Random) -> Case:
    family, scene = draw(rng)
    operands, turning = given(scene)
    result = carom.swept_collision(*operands, **turning, margin=scene.margin)
    truth = assert_turning(*scene, result)
    touching = hangs_by_a_hair(scene, hit=truth.will_intersect)
    m = scene.motion
    tiny = 0.0 < max(abs(m.turn_a), abs(m.turn_b)) < 1e-150
    return Case(family, touching, tiny or is_far(scene))


def check_closest_approach(rng: Random) -> Case:
    family, scene = draw(rng)
    while max(abs(scene.motion.turn_a), abs(scene.motion.turn_b)) > 50:
        family, scene = draw(rng)  # The oracle would take a minute.
    scene = scene._replace(margin=0.0)
    operands, turning = given(scene)
    low, _ = assert_closest_approach(*scene[:3], carom.closest_approach(*operands, **turning))
    touching = hangs_by_a_hair(scene, hit=low == 0)
    return Case(family, touching, is_far(scene))


def passing(rng: Random, a: Shape, b: Shape, velocity: kinds.Floats) -> Shape:
    """`a` from where its vertex farthest to one side of the way passes through that of `b`."""
    x, y = velocity

    def side(p: kinds.Floats) -> float:
        return x * p[1] - y * p[0]

    p, q = max(a.vertices, key=side), min(b.vertices, key=side)
    time = rng.choice([0.5, 1.0, 0.25])
    return turns.moved(a, q[0] - p[0] - x * time, q[1] - p[1] - y * time)


def check_contact_intervals(rng: Random) -> Case:
    """Small whole coordinates, so that the last place of a number decides often."""
    sharp = rng.random() < 0.6
    radius, margin = (0.0, 0.0) if sharp else (None, kinds.margin(rng))
    a, b = kinds.shape(rng, radius=radius), kinds.shape(rng, radius=radius)
    velocity = kinds.velocity(rng, 10)
    b = turns.moved(b, rng.choice([0.0, 5.0]), 0.0)
    if rng.random() < 0.7:
        a = passing(rng, a, b, velocity)
    scene = Scene(a, b, Motion(velocity), margin)
    if rng.random() < 0.15:
        scene = turns.scaled(scene, math.ldexp(1.0, rng.choice([-1000, -520, 520, 1000])))
    operands, _ = given(scene)
    found = carom.contact_intervals(*operands, margin=scene.margin)
    truth = assert_contact_intervals(*scene[:2], scene.motion.velocity, scene.margin, found)
    moments = any(start == end for start, end in truth)
    return Case("intervals", moments or hangs_by_a_hair(scene, hit=bool(truth)), is_far(scene))


QUERIES: dict[str, Callable[[Random], Case]] = {
    "swept_collision": check_swept_collision,
    "closest_approach": check_closest_approach,
    "contact_intervals": check_contact_intervals,
}

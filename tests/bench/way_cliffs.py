"""The same question in another way: with a margin, of a circle or round point, of one vertex more.

As in cliffs.py, both are answered in turn, both warm, one thread; the peer is carom itself, asked
the other way.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import carom
import numpy as np
from cliffs import ONE, Cliff, stars
from timing import Floats, Work
from workloads import directions
from workloads import rings as convex_rings

HALF = 0.5
"""No way may cost more than twice the other."""
ONE_MORE = 1 / 1.5
"""A vertex more may cost half as much again."""
COUNTS = {4: 20_000, 12: 10_000, 13: 10_000, 32: 5_000, 64: 3_000, 65: 3_000, 256: 500}
LATER = ("time", "normal", "contact")


class Scene:
    """Rows of two polygons three apart, the first of which moves past the second or against it."""

    def __init__(self, make: Any, vertices: int) -> None:
        random = np.random.default_rng(vertices)
        count = COUNTS[vertices]
        way = directions(random, count)
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        self.centers: Floats = -3.0 * way
        self.a = carom.Shapes(make(random, vertices, count) + self.centers[:, None])
        self.b = carom.Shapes(make(random, vertices, count))
        aside = random.uniform(-0.6, 0.6, (count, 1)) * way[:, ::-1] * (1.0, -1.0)
        self.velocity: Floats = 5.0 * (way + aside)
        self.points = carom.Shapes.from_points(self.centers, radius=0.5)

    def sweep(self, fields: tuple[str, ...], margin: float = 0.0, **others: Any) -> Work:
        """Sweeps of the polygons."""
        return partial(
            carom.swept_collision_batch,
            *(self.a, self.b, self.velocity),
            fields=fields,
            margin=margin,
            **ONE,
            **others,
        )

    def intervals(self, margin: float = 0.0) -> Work:
        """All times of contact of the polygons."""
        ask = carom.contact_intervals_batch
        return partial(ask, self.a, self.b, self.velocity, margin=margin, **ONE)

    def sat(self, **others: Any) -> Work:
        """How deep the polygons overlap where they meet, halfway."""
        moved = self.a.translate(0.45 * self.velocity)
        return partial(carom.sat_batch, moved, self.b, **ONE, **others)


def margins() -> Iterator[Cliff]:
    """With a margin, and without one."""
    for name, make in (("convex", convex_rings), ("concave", stars)):
        for vertices in (4, 12, 32, 64, 65, 256) if make is convex_rings else (12, 65, 256):
            scene = Scene(make, vertices)
            data = f"{name}, {vertices} vertices, margin"
            for question, ask in (
                ("sweep, time", partial(scene.sweep, ("time",))),
                ("sweep, contact", partial(scene.sweep, LATER)),
                ("intervals", scene.intervals),
            ):
                yield Cliff(data, question, "carom, no margin", HALF, ask(margin=0.1), ask())
            if make is convex_rings:
                for question, ask in (
                    ("sweep, mtv", partial(scene.sweep, ("mtv",))),
                    ("sat", scene.sat),
                ):
                    yield Cliff(data, question, "carom, no margin", HALF, ask(margin=0.1), ask())


def round_points() -> Iterator[Cliff]:
    """Circles, as such and as points with a radius."""
    for vertices in (4, 32, 64, 65, 256):
        scene = Scene(convex_rings, vertices)
        data = f"convex, {vertices} vertices, circle"
        points, b, velocity = scene.points, scene.b, scene.velocity
        for fields in (("time",), ("time", "normal")):
            circles = partial(
                carom.swept_circle_batch, scene.centers, 0.5, velocity, b, fields=fields, **ONE
            )
            rows = partial(carom.swept_collision_batch, points, b, velocity, fields=fields, **ONE)
            question = f"sweep, {fields[-1]}"
            yield Cliff(data, question, "carom, round points", HALF, circles, rows)
            yield Cliff(f"{data} as point", question, "carom, circles", HALF, rows, circles)
        centers = scene.centers + 0.45 * velocity
        near = carom.Shapes.from_points(centers, radius=0.5)
        circles = partial(carom.circle_polygon_batch, centers, 0.5, b, **ONE)
        rows = partial(carom.sat_batch, near, b, **ONE)
        yield Cliff(data, "overlap", "carom, round points", HALF, circles, rows)
        yield Cliff(f"{data} as point", "overlap", "carom, circles", HALF, rows, circles)


def one_more() -> Iterator[Cliff]:
    """A vertex more than kernels take: those of shapes that turn 12, the others 64."""
    for few in (12, 64):
        one, other = Scene(convex_rings, few + 1), Scene(convex_rings, few)
        data = f"convex, {few + 1} vertices"
        for question, ask in (
            ("sweep, time", lambda scene: scene.sweep(("time",))),
            ("sweep, all", lambda scene: scene.sweep((*LATER, "mtv"))),
            (
                "sweep, turning",
                lambda scene: scene.sweep(("time",), turn_a=0.001, center_a=(0.0, 0.0)),
            ),
            ("sat", lambda scene: scene.sat()),
            ("intervals", lambda scene: scene.intervals()),
        ):
            yield Cliff(data, question, f"carom, {few} vertices", ONE_MORE, ask(one), ask(other))


GROUPS = {"margins": margins, "round points": round_points, "one vertex more": one_more}

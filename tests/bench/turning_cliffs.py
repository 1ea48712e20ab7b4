"""Motion with turns: pairs of quadrilaterals, and trajectories that turn between poses.

As in cliffs.py, a question is answered by carom and by a peer, both warm, objects and columns built
before, one thread. The peer is parry, or carom itself without turns or at the poses alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import carom
import numpy as np
from cliffs import ONE, Cliff
from growth import Parry
from kind_cliffs import parry_if_built
from timing import Floats
from workloads import directions
from workloads import rings as convex_rings

PAIRS = 20_000
WHEN = ("will_intersect", "time")
CAR = np.array([(-1.0, -0.9), (3.5, -0.9), (3.5, 0.9), (-1.0, 0.9)])
"""Its origin is the middle of the rear axle."""
STEP = 0.1


def turning() -> Iterator[Cliff]:
    """Quadrilaterals that turn and move, of which all meet, or none though the swept boxes do."""
    hits, misses = sorted_pairs(np.random.default_rng(18))
    for data, (a, b, motion) in {"turning quads that meet": hits, "that miss": misses}.items():
        columns = carom.Shapes(a), carom.Shapes(b)
        moved = {"turn_a": motion["turn_a"], "center_a": motion["center_a"]}
        for fields in (("will_intersect",), WHEN):
            keywords: dict[str, Any] = {"fields": fields, **ONE}
            ask = partial(
                carom.swept_collision_batch, *columns, motion["velocity"], **moved, **keywords
            )
            straight = partial(
                carom.swept_collision_batch, *columns, motion["velocity"], **keywords
            )
            question = "sweep, " + ", ".join(fields)
            yield Cliff(data, question, "carom, no turn", None, ask, straight)
        with parry_if_built() as parry:
            if parry is not None:
                peer = partial(parry_times, parry, a, b, motion)
                print(wrong_answers(data, peer(), ask().time))
                yield Cliff(data, "sweep, time", "parry", None, ask, peer)


def far_centers() -> Iterator[Cliff]:
    """The same pairs on arcs about centers far away, as of cars that drive all but straight on."""
    for data, (a, b, motion) in zip(
        ("arcs about far centers that meet", "arcs that miss"),
        sorted_pairs(np.random.default_rng(18)),
        strict=True,
    ):
        columns, path = (carom.Shapes(a), carom.Shapes(b)), motion["velocity"]
        across = np.column_stack([-path[:, 1], path[:, 0]])
        straight = partial(carom.swept_collision_batch, *columns, path, fields=WHEN, **ONE)
        for distance in (1e6, 1e16):
            arc = {
                "turn_a": np.full(len(a), 1.0 / distance),
                "center_a": a.mean(axis=1) + distance * across,
            }
            still = np.zeros_like(path)
            ask = partial(carom.swept_collision_batch, *columns, still, **arc, fields=WHEN, **ONE)
            question = f"sweep, {', '.join(WHEN)}, about {distance:g} away"
            yield Cliff(data, question, "carom, no turn", None, ask, straight)


def sorted_pairs(random: np.random.Generator) -> Iterator[tuple[Floats, Floats, dict[str, Floats]]]:
    """Yields pairs that meet within the frame, and pairs that don't, though they come near."""
    count = 20 * PAIRS
    a = convex_rings(random, 4, count)
    b = (
        convex_rings(random, 4, count)
        + random.uniform(2.1, 4.0, (count, 1))[..., None] * (directions(random, count)[:, None])
    )
    motion = {
        "velocity": random.uniform(-3.0, 3.0, (count, 2)),
        "turn_a": random.uniform(-1.0, 1.0, count),
        "center_a": random.uniform(-1.0, 1.0, (count, 2)),
    }
    met = carom.swept_collision_batch(a, b, **motion, fields=WHEN[:1]).will_intersect
    near = carom.swept_collision_batch(a, b, **motion, margin=0.1, fields=WHEN[:1]).will_intersect
    apart = ~carom.intersects_batch(a, b)
    for chosen in (met & apart, near & ~met):
        rows = np.flatnonzero(chosen)[:PAIRS]
        yield a[rows], b[rows], {name: values[rows] for name, values in motion.items()}


def parry_times(parry: Parry, a: Floats, b: Floats, motion: dict[str, Floats]) -> Floats:
    """Returns when parry's `cast_shapes_nonlinear` finds contacts; NaN where it fails."""
    rows = np.column_stack([motion["velocity"], motion["center_a"], motion["turn_a"]])
    rows = np.column_stack([a.reshape(len(a), -1), b.reshape(len(b), -1), rows])
    file, times = parry.file("turning", rows), parry.folder / "times"
    parry.answered("turning", file, times)
    return np.fromfile(times)


def wrong_answers(data: str, found: Floats, truth: Floats) -> str:
    """Returns how often parry is wrong."""
    met, hit = np.isfinite(truth), np.isfinite(found)
    both = met & hit
    off = np.abs(found[both] - truth[both])
    wrong = {
        "failures": np.isnan(found),
        "missed": met & np.isinf(found),
        "false contacts": ~met & hit,
        "times off by more than 1e-6": off > 1e-6,
    }
    counts = ", ".join(f"{np.sum(rows):,} {name}" for name, rows in wrong.items())
    return f"parry of {len(truth):,} {data}: {counts}"


def rollouts(random: np.random.Generator, count: int, poses: int, *, turn: bool) -> Floats:
    """Returns the poses of cars that drive arcs, or straight on, through a square of 100 m."""
    start = random.uniform(0.0, 100.0, (count, 1, 2))
    speed = random.uniform(2.0, 20.0, (count, 1))
    heading = random.uniform(-np.pi, np.pi, (count, 1))
    curvature = random.uniform(-0.1, 0.1, (count, 1)) * turn
    way = STEP * speed * np.arange(poses)
    headings = heading + curvature * way
    middle = (headings[:, 1:] + headings[:, :-1]) / 2
    steps = np.diff(way)[..., None] * np.stack([np.cos(middle), np.sin(middle)], axis=-1)
    ahead = np.concatenate([np.zeros((count, 1, 2)), np.cumsum(steps, axis=1)], axis=1)
    return np.concatenate([start + ahead, headings[..., None]], axis=-1)


def trajectories() -> Iterator[Cliff]:
    """Cars on arcs among obstacles that rest, or follow trajectories of their own."""
    random = np.random.default_rng(50)
    turning, straight = (rollouts(random, 2_000, 50, turn=turn) for turn in (True, False))
    posts = carom.Shapes(convex_rings(random, 4, 300) / 2 + random.uniform(0.0, 100.0, (300, 1, 2)))
    ask, peer = (
        partial(carom.first_contact, CAR, poses, posts, **ONE) for poses in (turning, straight)
    )
    data = "2,000 trajectories of 50 poses, 300 obstacles"
    yield Cliff(data, "first_contact", "carom, no turns", 0.25, ask, peer)
    poses = rollouts(random, 2_000, 60, turn=True)
    others = rollouts(random, 40, 60, turn=True)
    cars = carom.Shapes(np.tile(CAR, (40, 1, 1)))
    ask = partial(carom.first_contact, CAR, poses, cars, obstacle_poses=others, **ONE)
    data = "2,000 trajectories of 60 poses, 40 moving cars"
    yield Cliff(
        data, "first_contact", "carom at the poses", 1.0, ask, partial(stepwise, poses, others)
    )
    near = partial(carom.clearance, CAR, poses, cars, obstacle_poses=others, **ONE)
    yield Cliff(data, "clearance", "carom, first_contact", None, near, ask)


def stepwise(poses: Floats, others: Floats) -> None:
    """Tests all cars at each pose, as is done by hand: what happens between poses is missed."""
    for step in range(poses.shape[1]):
        cars, obstacles = carom.place(CAR, poses[:, step]), carom.place(CAR, others[:, step])
        carom.colliding_pairs(cars, obstacles, **ONE)


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {
    "turning": turning,
    "far_centers": far_centers,
    "trajectories": trajectories,
}

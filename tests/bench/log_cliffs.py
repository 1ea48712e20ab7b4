"""Logs: many bodies in motion, each against each, and one against prepared others.

As in cliffs.py, a question is answered by carom and by a peer, both warm, one thread. The peer is
carom itself: a call for each agent, a join for each step, arrays in place of kept columns, or a
smaller log asked more often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import carom
import numpy as np
from cliffs import ONE, Cliff
from timing import Floats
from turning_cliffs import CAR, rollouts

APART = 35.0
"""So many metres of road for each agent in either direction."""


def courses(random: np.random.Generator, agents: int, poses: int) -> Floats:
    """Returns the poses of agents that drift through a square with as many as it has room for."""
    start = random.uniform(0.0, APART * agents**0.5, (agents, 1, 2))
    velocity = random.normal(0.0, 0.5, (agents, 1, 2))
    places = start + velocity * np.arange(poses)[None, :, None]
    heading = np.broadcast_to(np.arctan2(velocity[..., 1], velocity[..., 0]), (agents, poses))
    return np.concatenate([places, heading[..., None]], axis=-1)


def call_per_agent(poses: Floats) -> None:
    """Asks of each agent which of the later ones it meets first."""
    for agent in range(len(poses) - 1):
        own, others = poses[agent : agent + 1], poses[agent + 1 :]
        carom.first_contact(CAR, own, CAR, obstacle_poses=others, **ONE)


def join_per_step(columns: list[carom.Shapes], moves: Floats) -> None:
    """Joins the agents of each step, as they move to the next."""
    for column, velocity in zip(columns, moves, strict=False):
        carom.colliding_pairs(column, velocity_a=velocity, **ONE)


def often(work: Callable[[], Any], count: int) -> None:
    """Does something so many times."""
    for _ in range(count):
        work()


def encounters() -> Iterator[Cliff]:
    """All agents against all."""
    random = np.random.default_rng(60)
    poses = courses(random, 300, 100)
    log = carom.Trajectories(CAR, poses)
    ask = partial(carom.encounters, log, **ONE)
    data = "300 agents, 100 poses"
    yield Cliff(
        data, "encounters", "first_contact by agent", 200, ask, partial(call_per_agent, poses)
    )
    columns = [carom.Shapes(carom.place(CAR, poses[:, step])) for step in range(100)]
    moves = np.diff(poses[..., :2], axis=1).swapaxes(0, 1)
    yield Cliff(
        data, "encounters", "a join by step", 1, ask, partial(join_per_step, columns, moves)
    )
    for agents, steps in ((9_000, 100), (300, 2_000)):
        large = carom.Trajectories(CAR, courses(random, agents, steps))
        times = agents * steps // 30_000
        peer = f"the first log {times} times"
        question = partial(carom.encounters, large, **ONE)
        yield Cliff(
            f"{agents:,} agents, {steps:,} poses",
            "encounters",
            peer,
            0.7,
            question,
            partial(often, ask, times),
        )


def prepared() -> Iterator[Cliff]:
    """One trajectory against others that are kept, or are arrays."""
    random = np.random.default_rng(61)
    for agents, steps, goal in ((50, 50, 10), (300, 100, 100)):
        poses = courses(random, agents + 1, steps)
        own, others = carom.Trajectories(CAR, poses[:1]), carom.Trajectories(CAR, poses[1:])
        ask = partial(carom.first_contact, own, others, **ONE)
        peer = partial(carom.first_contact, CAR, poses[:1], CAR, obstacle_poses=poses[1:], **ONE)
        data = f"1 trajectory, {agents} moving cars, {steps} poses"
        yield Cliff(data, "first_contact", "carom, arrays", goal, ask, peer)


def arcs() -> Iterator[Cliff]:
    """Rollouts on arcs among parked cars."""
    random = np.random.default_rng(62)
    poses = rollouts(random, 2_000, 30, turn=True)
    places = np.column_stack([random.uniform(0.0, 100.0, (300, 2)), random.uniform(-3, 3, 300)])
    parked = carom.Shapes(carom.place(CAR, places))
    asks = [
        partial(carom.first_contact, carom.Trajectories(CAR, poses, motion=motion), parked, **ONE)
        for motion in ("arc", "straight")
    ]
    data = "2,000 trajectories of 30 poses, 300 parked cars"
    yield Cliff(data, "first_contact on arcs", "carom, straight", 0.5, *asks)


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {
    "encounters": encounters,
    "prepared": prepared,
    "arcs": arcs,
}

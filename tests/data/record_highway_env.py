"""Records calls of HighwayEnv's collision test: python record_highway_env.py highway_env.npz

Needs highway-env 1.12.1. Kept are the calls in which HighwayEnv says that the two will
intersect, with all that it answers. The ego vehicle acts at random, and nothing is patched.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import numpy as np

SCENARIOS = ("highway-fast-v0", "intersection-v1", "merge-v1", "roundabout-v1")
STEPS = 300

Call = tuple[Any, ...]
"""The four arguments, and the triple that HighwayEnv gives."""


def main() -> None:
    """Writes the calls of all scenarios, one row each."""
    calls = [(name, *call) for name in SCENARIOS for call in recorded(name, STEPS) if call[5]]
    names, a, b, displacement_a, displacement_b, intersecting, will_intersect, translation = zip(
        *calls, strict=True
    )
    np.savez_compressed(
        sys.argv[1],
        scenario=names,
        a=a,
        b=b,
        displacement_a=displacement_a,
        displacement_b=displacement_b,
        intersecting=intersecting,
        will_intersect=will_intersect,
        translation=translation,
    )


def recorded(scenario: str, steps: int, answer: Callable[..., Any] | None = None) -> list[Call]:
    """Returns the calls of a scenario of so many steps; `answer` is put in HighwayEnv's place."""
    from highway_env import utils

    theirs, calls = utils.are_polygons_intersecting, []

    def recording(*arguments: Any) -> Any:
        triple = theirs(*arguments)
        calls.append((*map(np.copy, arguments), *triple))
        return answer(*arguments) if answer else triple

    with patched(utils, recording):
        drive(scenario, steps)
    return calls


def drive(scenario: str, steps: int) -> None:
    """Acts at random, and begins anew after a crash, a second later."""
    import gymnasium
    import highway_env

    gymnasium.register_envs(highway_env)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        environment = gymnasium.make(scenario).unwrapped
    environment.action_space.seed(0)
    environment.reset(seed=0)
    for step in range(steps):
        *_, terminated, truncated, _ = environment.step(environment.action_space.sample())
        if terminated or truncated:
            # The cars are pushed apart in the steps after the crash.
            environment.step(environment.action_space.sample())
            environment.reset(seed=step)
    environment.close()


@contextmanager
def patched(module: Any, function: Callable[..., Any]) -> Iterator[None]:
    """Puts the function in the module's place for as long as the block runs."""
    theirs = module.are_polygons_intersecting
    module.are_polygons_intersecting = function
    try:
        yield
    finally:
        module.are_polygons_intersecting = theirs


if __name__ == "__main__":
    main()

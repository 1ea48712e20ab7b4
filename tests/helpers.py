"""Helpers shared by the tests of several queries: sample data, and comparison bit by bit."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import carom
import numpy as np
from hypothesis import HealthCheck, settings

from generators import areas, shapes

SQUARE = shapes.box(0, 0, 2, 2)
DENTED = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, np.nextafter(2.0, 0.0)), (0.0, 2.0)]
"""Convex up to rounding: the fourth vertex lies an ulp inside the upper edge."""
SCALES = [5e-324, 2.0**-1030, 2.0**-530, 2.0**530, 2.0**1000]
"""Factors that keep small integers exact."""


def examples(count: int) -> settings:
    """Settings for this number of examples, in `make quick` a quarter. The generators reject too
    much for health checks."""
    count = count // 4 if "CAROM_QUICK" in os.environ else count
    return settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))


def array(points: Any, dtype: Any = np.float64) -> np.ndarray:
    return np.array(points, dtype=dtype)


def seeded_pairs(count: int, *families: str) -> Iterator[shapes.Pair]:
    """Pairs of the families in turn; by default of all families."""
    names = families or tuple(shapes.PAIRS)
    for seed in range(count):
        yield shapes.pair(Random(seed), names[seed % len(names)])


def seeded_areas(count: int, *families: str) -> Iterator[areas.AreaPair]:
    """Pairs of areas of the families in turn; by default of all families."""
    names = families or tuple(areas.PAIRS)
    for seed in range(count):
        yield areas.pair(Random(seed), names[seed % len(names)])


def seconds_until_interrupted(process: subprocess.Popen[str]) -> float:
    """Interrupts a process, which prints "interrupted" then, and returns how long that took.

    On Linux this is the processor time of the process over the number of cores, since other
    programs of a loaded machine make the process wait."""

    def now() -> float:
        # The clock of another process, as `clock_getcpuclockid` has it.
        return time.clock_gettime((~process.pid << 3) | 2) / (os.cpu_count() or 1)

    clock = now if sys.platform == "linux" else time.monotonic
    assert process.stdout is not None
    start = clock()
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    return clock() - start


def points(contact: np.ndarray) -> set[tuple[float, float]]:
    """The ends of a contact, in no order."""
    return {(float(x), float(y)) for x, y in contact}


def rewritten(polygon: shapes.Polygon) -> Iterator[shapes.Polygon]:
    """The same region with other winding, start and repeated vertices."""
    yield polygon[::-1]
    yield polygon[1:] + polygon[:1]
    yield [*polygon, polygon[0]]
    yield [polygon[0], *polygon]
    yield [*polygon[:2], polygon[1], *polygon[2:]]


def quads(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays of quadrilaterals, many nearly touching, some of extreme magnitude."""
    rng = Random(seed)
    found: list[shapes.Pair] = []
    while len(found) < count:
        family = rng.choice(list(shapes.PAIRS))
        draw = shapes.extreme_pair if rng.random() < 0.1 else shapes.pair
        a, b = (quad(p) for p in draw(rng, family))
        if a and b:
            found.append((a, b))
    return array([p[0] for p in found]), array([p[1] for p in found])


def quad(polygon: shapes.Polygon) -> shapes.Polygon:
    """A ring of at most four vertices, the last repeated to make four; else an empty list."""
    return (polygon + polygon[-1:] * 4)[:4] if len(polygon) <= 4 else []


def bits(value: Any) -> bytes:
    """The bytes of a field, to compare NaN as equal and -0.0 and 0.0 as different."""
    if isinstance(value, str):
        value = np.int8(carom.FEATURES.index(value))
    elif isinstance(value, int) and not isinstance(value, bool):
        value = np.int64(value)
    return np.asarray(value).tobytes()


def assert_row_is_scalar(batch: Any, row: int, scalar: Any) -> None:
    """A row of a batch is the scalar result to the bit, field by field and as `batch[row]`."""
    for field, column in batch._asdict().items():
        value = column[row]
        if isinstance(value, np.integer) and field == "index":
            value = int(value)
        assert bits(value) == bits(getattr(scalar, field)), (field, row)
        assert bits(getattr(batch[row], field)) == bits(getattr(scalar, field)), (field, row)


def assert_scalar_types(result: Any, **types: type) -> None:
    """Booleans and numbers are Python's own; vectors are float64 arrays."""
    for field, expected in types.items():
        value = getattr(result, field)
        assert type(value) is expected, (field, type(value))
        if expected is np.ndarray:
            assert value.dtype == np.float64
            assert value.shape == ((2, 2) if field == "contact" else (2,))


def convex_rings(vertices: int, seed: int = 0, count: int = 24) -> np.ndarray:
    """Counterclockwise rings, each vertex a corner: of all proportions, some far from the origin,
    some of them on a grid of whole numbers or turned a little."""
    rng = Random(seed)
    # Whole numbers: edges of all these directions, one after the other.
    steps = sorted(
        {(x, y) for x in range(-4, 5) for y in range(-4, 5) if math.gcd(x, y) == 1},
        key=lambda step: math.atan2(step[1], step[0]),
    )
    rings = []
    for _ in range(count):
        part = 2 * math.pi / vertices
        angles = [part * (k + rng.uniform(0.2, 0.8)) for k in range(vertices)]
        x, y = rng.choice([(0, 0), (3, -5), (691_608, 5_334_760)])
        wide, high = rng.choice([(1, 1), (8, 1), (1, 1e-3), (1e3, 1e3)])
        ring = [(x + wide * math.cos(a), y + high * math.sin(a)) for a in angles]
        if vertices % 4 == 0 and rng.random() < 0.5:
            # A quarter's directions, and the same turned, close the ring.
            quarter = sorted(rng.sample(steps[16:32], vertices // 4), key=steps.index)
            ring = [(float(x), float(y))]
            for _ in range(4):
                for dx, dy in quarter:
                    ring.append((ring[-1][0] + dx, ring[-1][1] + dy))
                quarter = [(-dy, dx) for dx, dy in quarter]
            assert ring[-1] == ring[0]
            ring.pop()
        rings.append(ring)
    return array(rings)


def forms_of(rings: np.ndarray) -> Iterator[Any]:
    """The same rings in every form that a batch takes, and clockwise."""
    yield rings
    yield carom.Shapes(rings)
    yield rings[:, ::-1]
    yield carom.Shapes(list(rings[:, ::-1]))
    closed = np.concatenate([rings, rings[:, :1]], axis=1)
    yield closed
    yield carom.Shapes(closed)
    turned = [ring[::-1] if row % 3 else ring for row, ring in enumerate(rings)]
    yield np.array(turned)
    yield carom.Shapes(turned)

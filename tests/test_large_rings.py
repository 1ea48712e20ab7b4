"""Convex rings of so many vertices that not every pair of them is looked at."""

import math
from random import Random

import carom
import pytest

import shapes
from reference.oracle import check

Polygon = list[tuple[float, float]]


def regular(n: int, radius: float, heading: float) -> Polygon:
    angles = [heading + math.tau * k / n for k in range(n)]
    return [(radius * math.cos(t), radius * math.sin(t)) for t in angles]


def lattice(rng: Random, n: int) -> Polygon:
    """Edges in all directions of small integers, put together by angle."""
    steps = {(x, y) for x in range(-5, 6) for y in range(-5, 6) if math.gcd(x, y) == 1}
    chosen = rng.sample(sorted(steps), n // 2)
    both = sorted({*chosen, *((-x, -y) for x, y in chosen)}, key=lambda v: math.atan2(v[1], v[0]))
    x = y = 0.0
    ring = []
    for u, v in both:
        ring.append((x, y))
        x, y = x + u, y + v
    return ring


def scaled(ring: Polygon, factor: float) -> Polygon:
    return [(x * factor, y * factor) for x, y in ring]


def pair(rng: Random) -> tuple[Polygon, Polygon]:
    n, m = rng.randint(12, 30), rng.randint(12, 30)
    if rng.random() < 0.5:
        a, b = lattice(rng, n), lattice(rng, m)
    else:
        heading = rng.uniform(0, 3)
        a = regular(n, rng.uniform(1, 4), heading)
        b = regular(rng.choice([n, m]), rng.uniform(1, 4), rng.choice([heading, 0.3]))
    kind = rng.choice(["vertex", "anywhere", "anywhere", "same", "flat", "tiny", "huge"])
    if kind == "same":
        return a, shapes.moved(a, rng.randint(-3, 3), rng.randint(-3, 3))
    (px, py), (qx, qy) = rng.choice(a), rng.choice(b)
    if kind == "vertex":
        return a, shapes.moved(b, px - qx, py - qy)
    if kind == "flat":
        return a, shapes.moved(b, max(x for x, _ in a) - min(x for x, _ in b), 0.0)
    if kind == "tiny":
        return scaled(a, 2.0**-1000), scaled(b, 2.0**-1000)
    if kind == "huge":
        return scaled(a, 2.0**1000), scaled(shapes.moved(b, px - qx, py - qy), 2.0**1000)
    return a, shapes.moved(b, rng.uniform(-9, 9), rng.uniform(-9, 9))


@pytest.mark.parametrize("seed", range(60))
def test_large_rings_answer_as_the_oracle_does(seed: int) -> None:
    rng = Random(seed)
    a, b = pair(rng)
    check.assert_intersects(a, b, carom.intersects(a, b))
    check.assert_sat(a, b, carom.sat(a, b))
    check.assert_distance(a, b, carom.distance(a, b))
    (px, py), (qx, qy) = rng.choice(a), rng.choice(b)
    v = rng.choice([(qx - px, qy - py), (rng.uniform(-9, 9), rng.uniform(-9, 9)), (0.0, -4.0)])
    check.assert_swept_collision(a, b, v, carom.swept_collision(a, b, v))


@pytest.mark.parametrize("seed", range(40))
def test_large_rings_answer_as_their_reversals_do(seed: int) -> None:
    rng = Random(1000 + seed)
    a, b = pair(rng)
    rotated = b[7:] + b[:7]
    for other in (rotated, rotated[::-1]):
        assert carom.intersects(a, other) == carom.intersects(a, b)
        depth, expected = carom.sat(a, other).depth, carom.sat(a, b).depth
        assert math.isclose(depth, expected, rel_tol=1e-10)

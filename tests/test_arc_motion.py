"""Bodies on arcs: `Trajectories(..., motion="arc")` against ball arithmetic and against sweeps."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import arcs, courses, kinds, shapes, turns
from generators.arcs import Step
from helpers import bits
from reference.oracle.kinds import Shape

FIELDS = ("step", "time", "obstacle", "normal", "contact")
MOVES = ["rest", "drift", "straight", "arc"]


def seeded(seed: int, way: str) -> Step:
    return arcs.step(Random(f"{way} {seed}"), way)


def is_quick(step: Step) -> bool:
    """Whether the oracle decides fast: of two that turn, no center is far away."""
    both = step.scene[2]
    tiny = [turn for turn in (both.turn_a, both.turn_b) if 0 < abs(turn) < 1e-5]
    return not tiny or step.way in ("rest", "drift")


# --- against the oracle -------------------------------------------------------------------------


@pytest.mark.parametrize("way", MOVES)
def test_the_first_contact_is_the_oracles(way: str) -> None:
    """But for digits of contact points, which are counted with centers: see the last tests."""
    hits = 0
    for seed in range(40 if way in ("rest", "drift") else 14):
        step = seeded(seed, way)
        if is_quick(step):
            hits += bool(arcs.assert_first(step, with_centers=True).will_intersect)
    assert hits > 5


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 260, 20))
@pytest.mark.parametrize("way", MOVES)
def test_many_first_contacts_are_the_oracles(way: str, first: int) -> None:
    for seed in range(first, first + 20):
        step = seeded(seed, way)
        if is_quick(step):
            arcs.assert_first(step, with_centers=True)


@pytest.mark.parametrize("way", MOVES)
def test_the_clearance_is_the_oracles(way: str) -> None:
    apart, seed = 0, 0
    while apart < 6:
        seed += 1
        step = seeded(seed, way)
        # With centers a million times as far away, bounds of the least distance take long.
        if min(abs(step.own.turn_a) or 1.0, abs(step.scene[2].turn_b) or 1.0) > 1e-7:
            apart += arcs.assert_clearance(step, with_centers=True) > 0


@pytest.mark.parametrize("turn", [1e-12, -1e-12, 3e-14, 1e-9, -1e-6, 1e-4])
def test_far_centers_take_no_digits(turn: float) -> None:
    """The step is a millionth of a millionth of its radius; the gap is the sagitta and an ulp."""
    poses = [(0.0, 0.0, 0.0), (8.0, 0.0, turn)]
    box = shapes.box(-1.0, -1.0, 2.0, 2.0)
    side = 1.0 if turn < 0 else -1.0  # The side to which the way swings out.
    sagitta = 8 * math.tan(abs(turn) / 4) / 2
    for gap in (0.0, sagitta / 2, sagitta, sagitta * 1.5, sagitta * 64, 0.25):
        post = turns.box(3.5, 1.0 + gap if side > 0 else -2.0 - gap, 1.0, 1.0)
        if len({y for _, y in post.vertices}) < 2:
            continue
        step = Step(box, poses, post, "rest", None)
        truth = arcs.assert_first(step)
        assert truth.will_intersect in (True, False)
        arcs.assert_first(step._replace(margin=0.125))


def test_two_bodies_on_arcs_of_the_same_turn_are_decided() -> None:
    decided = 0
    for seed in range(12):
        rng = Random(f"two arcs {seed}")
        turn = rng.choice([0.3, -1.0, 1e-3, 3.0])
        poses, there = (arcs.poses_of(rng, rng.uniform(-3, 3), rng.uniform(-3, 3)) for _ in "ab")
        poses[1] = (*poses[1][:2], poses[0][2] + turn)
        there[1] = (*there[1][:2], there[0][2] + turn * rng.choice([1, 1, -1, 2]))
        step = Step(courses.CAR, poses, Shape("polygon", [[courses.CAR]]), "arc", there)
        truth = arcs.assert_first(step, with_centers=True)
        decided += truth.will_intersect is not None and not truth.intersects
    assert decided > 4


# --- planted ------------------------------------------------------------------------------------

CENTER = (64.0, 80.0)
TRIPLES = [(3, 4, 5), (5, 12, 13), (4, 3, 5), (8, 15, 17)]


def about_a_round_center(rng: Random, start: tuple[float, float]) -> list[arcs.Pose]:
    """Poses from a start of heading 0 whose center is `CENTER` to the last bit."""
    while True:
        turn = rng.uniform(1.3, 3.1)
        x, y = start[0] - CENTER[0], start[1] - CENTER[1]
        c, s = math.cos(turn), math.sin(turn)
        end = (CENTER[0] + c * x - s * y, CENTER[1] + s * x + c * y, turn)
        poses = [(*start, 0.0), end]
        if tuple(carom.arc(poses).center[0]) == CENTER:
            return poses


@pytest.mark.parametrize(("u", "v", "w"), TRIPLES)
def test_a_vertex_that_grazes_a_wall_on_its_circle_touches_it(u: int, v: int, w: int) -> None:
    """It begins at (u, v) about the center, and meets the wall at (0, w); or is an ulp off."""
    for seed in range(4):
        poses = about_a_round_center(Random(f"graze {seed}"), (64.0, 75.0))
        tip = (float(u), float(v) + 5.0)  # Relative to the position, five below the center.
        foot = [(0.0, 5.0), (u / 2, 4.0), tip]
        top, turn = CENTER[1] + w, poses[1][2]
        for wall in (turns.box(62.0, top, 4.0, 1.0), turns.point(CENTER[0], top)):
            step = Step(foot, poses, wall, "rest", None)
            truth = arcs.assert_first(step)
            assert truth.will_intersect
            found = step.ask(carom.first_contact)
            assert found.step == 0
            assert found.time == pytest.approx(math.atan2(u, v) / turn, rel=1e-10)
        for y, hits in ((math.nextafter(top, 999.0), False), (math.nextafter(top, 0.0), True)):
            wall = Shape("polygon", [[[(62.0, y), (66.0, y), (66.0, 99.0), (62.0, 99.0)]]])
            step = Step(foot, poses, wall, "rest", None)
            assert arcs.assert_first(step).will_intersect is hits
            assert (step.ask(carom.clearance).distance == 0.0) is hits
            near = step.ask(carom.first_contact, margin=2.0**-40)
            assert near.hit
        beyond = Step(foot, poses, turns.point(CENTER[0], math.nextafter(top, 999.0)), "rest", None)
        gap = beyond.ask(carom.clearance)
        assert gap.distance == pytest.approx(math.ulp(top), rel=1e-10)
        assert not arcs.assert_first(beyond).will_intersect


@pytest.mark.parametrize("turn", [math.pi, -math.pi, arcs.ALMOST, -arcs.ALMOST, 3.14159])
def test_half_a_circle_sweeps_its_whole_half_disc(turn: float) -> None:
    """The arc from (0, 0) to (8, 0) about (4, 0), with a needle that points forward."""
    needle = shapes.box(0.0, -0.125, 1.0, 0.25)
    start = -math.copysign(math.pi / 2, turn)
    poses = [(0.0, 0.0, start), (8.0, 0.0, start + turn)]
    below, above = turns.box(3.5, -5.0, 1.0, 1.5), turns.box(3.5, 3.5, 1.0, 1.5)
    for post in (below, above):
        step = Step(needle, poses, post, "rest", None)
        truth = arcs.assert_first(step)
        low = post.vertices[0][1] < 0
        assert truth.will_intersect is (low is (turn > 0))
        if not truth.will_intersect:
            arcs.assert_clearance(step)


def test_contact_at_a_pose_is_told_there_whatever_the_arc_does() -> None:
    """Where a step ends differs from its second pose by rounding; the pose is tested itself."""
    ends = set()
    for seed in range(60):
        rng = Random(f"at a pose {seed}")
        poses = arcs.poses_of(rng, rng.uniform(-9, 9), rng.uniform(-9, 9))
        poses.append(arcs.poses_of(rng, *poses[1][:2])[1])
        foot = rng.choice([courses.CAR, courses.LETTER])
        for k in (0, 1, 2):
            corner = rng.choice(arcs.placed(foot, poses[k]).vertices)
            log = carom.Trajectories(foot, [poses], motion="arc")
            found = carom.first_contact(log, kinds.column([turns.point(*corner)]))
            assert found.hit[0]
            moment = found.step[0] + found.time[0]
            assert moment <= k
            if moment > k - 1e-9:
                ends.add((int(found.step[0]) - k, float(found.time[0]) == 1.0))
    assert {(0, False)} < ends


def test_without_a_turn_it_is_the_straight_line_bit_for_bit() -> None:
    rng = Random(2)
    poses = np.array([courses.path(rng, 4, heading=0.0) for _ in range(30)])
    turned = np.array([[[0.0], [-0.0], [0.0], [-0.0]], [[1.5]] * 4, [[-3.0]] * 4] * 10)
    poses[..., 2:] = turned
    column = kinds.column(courses.around(rng, 9))
    one, other = (
        carom.Trajectories(courses.LETTER, poses, motion=motion) for motion in ("straight", "arc")
    )
    assert bits(one.bounds) == bits(other.bounds)
    for b in (column, carom.Trajectories(courses.CAR, poses[::-1])):
        for query in (carom.first_contact, carom.clearance):
            for name, values in query(one, b)._asdict().items():
                assert bits(getattr(query(other, b), name)) == bits(values), name
        found, want = carom.encounters(other, b), carom.encounters(one, b)
        assert [*map(bits, found)] == [*map(bits, want)]
        assert len(found) > 10


# --- among our own paths ------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["rest", "straight", "arc"])
def test_a_step_is_the_sweep_about_its_center(way: str) -> None:
    hits = 0
    for seed in range(200):
        step = seeded(1000 + seed, way)
        a, b, m = step.scene
        turning: dict[str, Any] = {"turn_a": m.turn_a, "center_a": m.center_a}
        turning |= {"turn_b": m.turn_b, "center_b": m.center_b}
        rows = kinds.row(a), kinds.row(b)
        velocity = np.array(m.velocity, float)
        swept = carom.swept_collision(*rows, velocity, **turning, margin=step.margin)
        found = step.ask(carom.first_contact, margin=step.margin)
        assert (found.hit and found.step == 0) is swept.will_intersect
        if swept.will_intersect:
            hits += 1
            same = way == "rest" or m.velocity == (0.0, 0.0)
            assert found.time == pytest.approx(swept.time, rel=1e-12 if same else 1e-10)
            contact = swept.contact + swept.time * np.array(m.drift, float)
            np.testing.assert_allclose(found.normal, swept.normal, rtol=0, atol=1e-9)
            np.testing.assert_allclose(found.contact, contact, rtol=1e-14, atol=1e-9)
            if same and swept.time > 0 and way == "rest":
                assert bits(found.time) == bits(swept.time)
                assert bits(found.normal) == bits(swept.normal)
                assert bits(found.contact) == bits(swept.contact)
        elif not found.hit:
            near = carom.closest_approach(*rows, velocity, **turning)
            gap = step.ask(carom.clearance).distance
            assert gap == pytest.approx(near.distance, rel=2e-10, abs=1e-9)
    assert hits > 50


def test_a_way_of_many_arcs_is_its_steps_one_after_the_other() -> None:
    for seed in range(30):
        rng = Random(f"many arcs {seed}")
        poses = [(rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-3, 3))]
        for _ in range(4):
            poses.append(arcs.poses_of(rng, *poses[-1][:2])[1])
        column = kinds.column(courses.around(rng, 3))
        log = carom.Trajectories(courses.CAR, [poses], motion="arc")
        found = carom.first_contact(log, column)[0]
        for k in range(5):
            part = carom.Trajectories(courses.CAR, [poses[k : k + 2]], motion="arc")
            here = carom.first_contact(part, column)[0]
            if here.step == 0:
                assert found.step == k
                for name in FIELDS[1:]:
                    assert bits(getattr(here, name)) == bits(getattr(found, name))
                break
        else:
            assert not found.hit


def test_an_arc_and_a_straight_way_meet_from_either_side() -> None:
    hits = 0
    for seed in range(100):
        step = seeded(3000 + seed, "straight")
        one = step.ask(carom.first_contact, margin=step.margin)
        other = carom.first_contact(step.obstacles, step.log, margin=step.margin)[0]
        assert (one.hit, one.step) == (other.hit, other.step)
        if one.hit:
            hits += 1
            assert one.time == pytest.approx(other.time, rel=2e-10)
    assert hits > 40


def test_a_body_on_an_arc_is_met_as_an_obstacle_and_in_a_log_alike() -> None:
    hits = 0
    for seed in range(150):
        step = seeded(4000 + seed, "rest")
        still = carom.Trajectories(kinds.column([step.other]), np.zeros((1, 2, 3)))
        given = {"margin": step.margin}
        one = step.ask(carom.first_contact, **given)
        other = carom.first_contact(still, step.log, **given)[0]
        assert (one.hit, one.step) == (other.hit, other.step)
        assert other.time == pytest.approx(one.time, rel=2e-10)
        near = step.ask(carom.clearance).distance
        away = carom.clearance(still, step.log).distance[0]
        assert away == pytest.approx(near, rel=2e-10, abs=1e-12)
        met = carom.encounters(still, step.log, **given)
        assert met.step.tolist() == [other.step] * bool(other.hit)
        assert met.time.tolist() == [other.time] * bool(other.hit)
        hits += bool(one.hit)
    assert 50 < hits < 140


@pytest.mark.parametrize("count", [9, 40, 70])
def test_large_rings_on_arcs_are_decided_as_small_ones(count: int) -> None:
    """Rings that are stars, or round; their boxes are searched in trees."""
    hits = 0
    for seed in range(12):
        rng = Random(f"large {count} {seed}")
        step = seeded(5000 + seed, rng.choice(["rest", "drift"]))
        deep = rng.choice([0.0, 0.5, 1.5])
        radii = [4.0 + deep * (k % 2) for k in range(count)]
        angles = [k * math.tau / count for k in range(count)]
        ring = [(r * math.cos(k), r * math.sin(k)) for r, k in zip(radii, angles, strict=True)]
        step = step._replace(foot=ring, margin=rng.choice([0.0, 0.25]))
        truth = arcs.assert_first(step, with_centers=True)
        hits += bool(truth.will_intersect) and not truth.intersects
    assert hits > 0


def test_an_arc_is_neither_its_chord_nor_the_turn_on_a_straight_line() -> None:
    """Contract's figure: a quarter circle of radius 6 is 1.76 from its chord."""
    disc = carom.Shapes.from_points([(0.0, 0.0)], radius=0.25)
    poses = [[(6.0, 0.0, math.pi / 2), (0.0, 6.0, math.pi)]]
    posts = carom.Shapes.from_points([(3.0, 3.0), (4.2, 4.2)])
    straight = carom.first_contact(carom.Trajectories(disc, poses), posts)
    arc = carom.first_contact(carom.Trajectories(disc, poses, motion="arc"), posts)
    assert (straight.obstacle.tolist(), arc.obstacle.tolist()) == ([0], [1])
    near = carom.clearance(carom.Trajectories(disc, poses, motion="arc"), posts[:1])
    assert near.distance[0] == pytest.approx(6 - math.hypot(3, 3) - 0.25, rel=1e-10)


# --- faults that are known ----------------------------------------------------------------------


@pytest.mark.parametrize("way", ["straight", "arc"])
def test_contacts_with_a_body_that_moves_lose_no_digits_to_the_center(way: str) -> None:
    """Off by 80 and 160 units in the last place of the local extent, of which 8 are allowed."""
    ring = shapes.box(0.0, -1.0, 4.0, 2.0)
    poses, there = [(0.0, 0.0, 0.0), (9.0, 0.3, 3e-3)], [(10.0, 2.0, -2.0), (10.0, 3.0, -1.7)]
    arcs.assert_first(Step(ring, poses, Shape("polygon", [[ring]]), way, there))


@pytest.mark.parametrize("turn", [1e-8, 1e-9])
def test_contacts_at_utm_coordinates_lose_no_digits_to_the_center(turn: float) -> None:
    """Off by a micrometre at 1e-9 radians, where coordinates have places of 5e-10."""
    x, y = 600_000.0, 3_000_000.0
    ring = shapes.box(0.0, -1.0, 4.0, 2.0)
    post = [(x + 7.1, y - 2.0), (x + 8.0, y - 2.0), (x + 8.0, y + 3.0), (x + 7.9, y + 3.0)]
    poses = [(x, y, 0.5), (x + 9.0, y + 3.0, 0.5 + turn)]
    arcs.assert_first(Step(ring, poses, Shape("polygon", [[post]]), "rest", None))


def test_the_contact_with_an_obstacle_that_drifts_is_within_a_unit_in_the_last_place() -> None:
    """Off by 1.12 units."""
    poses = [
        (600003.580659593, 2999997.8909103563, -0.18769949994657864),
        (600012.4225837082, 2999996.2115122676, -0.18770049994657864),
    ]
    ends = (600008.8941635609, 2999998.0252606277), (600006.6684147938, 3000000.111378777)
    arcs.assert_first(
        Step(courses.LETTER, poses, turns.segment(*ends), "drift", (0.25, -0.75), 0.5)
    )

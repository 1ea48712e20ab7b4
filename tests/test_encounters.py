"""`encounters`: which bodies of a log meet, against fractions, and against queries of one pair."""

from __future__ import annotations

import itertools
import math
import pickle
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

import carom
import numpy as np
import pytest

from generators import courses, kinds, shapes, turns
from helpers import bits
from reference.oracle import accuracy
from reference.oracle.approach import least_distance
from reference.oracle.kinds import Shape, first_contact
from reference.oracle.moving import Motion

INF, NAN = math.inf, math.nan
CAR = carom.boxes(4.0, 2.0)
DISTANCES = ("distance", "distance_step", "distance_time")
EVERY = ("step", "time", "normal", "contact", *DISTANCES)


class Body(NamedTuple):
    """A footprint, and the whole numbers to which it is moved; None where it is absent."""

    foot: Shape
    places: list[tuple[int, int] | None]

    def at(self, step: int) -> tuple[int, int] | None:
        return self.places[step] if step < len(self.places) else None

    def shape(self, step: int) -> Shape:
        place = self.places[step]
        assert place is not None
        return turns.moved(self.foot, *map(float, place))


class Meeting(NamedTuple):
    """The first contact of a pair, and how its second body moves in that step."""

    step: int
    time: Decimal
    a: Shape
    b: Shape
    velocity: tuple[float, float]
    drift: tuple[int, int]


def body(rng: Random, steps: int) -> Body:
    x, y, places = rng.randint(-5, 5), rng.randint(-5, 5), []
    for _ in range(steps):
        places.append((x, y) if rng.random() < 0.8 else None)
        x, y = x + rng.randint(-3, 3), y + rng.randint(-3, 3)
    return Body(kinds.shape(rng, size=2), places)


def log_of(bodies: list[Body], steps: int, **keywords: Any) -> carom.Trajectories:
    poses = [[(*(it or (NAN, NAN)), 0.0 if it else NAN) for it in body.places] for body in bodies]
    feet = kinds.column([body.foot for body in bodies]) if bodies else carom.Shapes([])
    given = np.array(poses, float).reshape(len(bodies), steps, 3)
    return carom.Trajectories(feet, given, **keywords)


def steps_of(a: Body, b: Body) -> Iterator[tuple[int, Shape, Shape, Any, Any]]:
    """The steps in which both take part: their shapes, the velocity, and that of the second."""
    for k in range(len(a.places)):
        if a.places[k] is None or b.places[k] is None:
            continue
        (x, y), (u, v), one, other = a.places[k], b.places[k], a.at(k + 1), b.at(k + 1)
        drift, velocity = (0, 0), (0.0, 0.0)
        if one is not None and other is not None:
            drift = other[0] - u, other[1] - v
            velocity = float(one[0] - x - drift[0]), float(one[1] - y - drift[1])
        yield k, a.shape(k), b.shape(k), velocity, drift


def meeting(a: Body, b: Body, margin: float) -> Meeting | None:
    for k, one, other, velocity, drift in steps_of(a, b):
        time = first_contact(one, other, velocity, margin)
        if time is not None:
            return Meeting(k, time, one, other, velocity, drift)
    return None


def assert_meetings(found: Any, rows: Iterable[tuple[int, int, Body, Body]], margin: float) -> int:
    """The pairs are exactly those of all steps of all pairs, in order, each with its first one."""
    want = [(i, j, meeting(a, b, margin)) for i, j, a, b in rows]
    met = [(i, j, it) for i, j, it in want if it is not None]
    assert found.pairs.dtype == np.int64
    assert found.pairs.T.tolist() == [[i, j] for i, j, _ in met]
    for k, (_, _, it) in enumerate(met):
        assert found.step[k] == it.step
        assert accuracy.number(float(found.time[k]), it.time)
        swept = carom.swept_collision(kinds.row(it.a), kinds.row(it.b), it.velocity, margin=margin)
        if it.drift == (0, 0) and margin == it.a.radius == it.b.radius == 0.0:
            assert bits(found.time[k]) == bits(swept.time)
            assert bits(found.normal[k]) == bits(swept.normal)
        np.testing.assert_allclose(found.normal[k], swept.normal, rtol=0, atol=1e-14)
        contact = swept.contact + swept.time * np.array(it.drift)
        np.testing.assert_allclose(found.contact[k], contact, rtol=1e-14, atol=1e-13)
    return len(met)


def scene(seed: int) -> tuple[Random, int, float, dict[str, Any]]:
    rng = Random(f"encounters {seed}")
    motion = rng.choice(["straight", "arc"])  # Without a turn the same.
    return rng, rng.choice([0, 1, 2, 3, 3, 4]), kinds.margin(rng), {"motion": motion}


def check_itself(seed: int) -> int:
    """A random log of bodies that meet each other, some of them one."""
    rng, steps, margin, keywords = scene(seed)
    bodies = [body(rng, steps) for _ in range(rng.choice([0, 1, 2, 3, 4, 5]))]
    labels = list(range(len(bodies)))
    if rng.random() < 0.4:
        labels = [rng.randint(-1, 2) for _ in bodies]
        keywords["groups"] = np.array(labels, int)
    rows = (
        (i, j, bodies[i], bodies[j])
        for i, j in itertools.combinations(range(len(bodies)), 2)
        if labels[i] != labels[j]
    )
    found = carom.encounters(log_of(bodies, steps, **keywords), margin=margin)
    return assert_meetings(found, rows, margin)


def check_others(seed: int) -> int:
    """A random log and other bodies, or shapes at rest."""
    rng, steps, margin, keywords = scene(seed)
    ours = [body(rng, steps) for _ in range(rng.choice([0, 1, 2, 3]))]
    others = [body(rng, steps) for _ in range(rng.choice([0, 1, 2, 3]))]
    given: Any
    log = log_of(ours, steps, groups=[0] * len(ours), **keywords)
    if rng.random() < 0.5:
        still = [Body(turns.moved(it.foot, 1.0, -2.0), [(0, 0)] * steps) for it in others]
        column = kinds.column([it.foot for it in still]) if still else carom.Shapes([])
        given, others = carom.Shapes.concat([column, carom.Shapes([None])]), still
    else:
        given = log_of(others, steps, groups=[0] * len(others))
    rows = ((i, j, a, b) for i, a in enumerate(ours) for j, b in enumerate(others))
    return assert_meetings(carom.encounters(log, given, margin=margin), rows, margin)


# --- against fractions --------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_pairs_are_those_of_all_steps_and_pairs(first: int) -> None:
    """Seeds from `first` on; 2,000 logs are in the slow tests."""
    seeds = range(first, first + 50)
    assert sum(map(check_itself, seeds)) > 20
    assert sum(map(check_others, seeds)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 3000, 100))
def test_pairs_are_those_of_all_steps_and_pairs_in_many_logs(first: int) -> None:
    for seed in range(first, first + 50):
        check_itself(seed)
        check_others(seed)


@pytest.mark.parametrize("first", range(0, 120, 40))
def test_the_distance_is_the_least_of_the_log(first: int) -> None:
    apart = 0
    for seed in range(first, first + 40):
        rng = Random(f"distances {seed}")
        steps, margin = rng.randint(1, 4), rng.choice([2.0, 5.0])
        bodies = [body(rng, steps) for _ in range(4)]
        log = log_of(bodies, steps)
        found = carom.encounters(log, margin=margin, fields=EVERY)
        for k, (i, j) in enumerate(found.pairs.T):
            near = carom.clearance(log[i : i + 1], log[j : j + 1])
            for name in ("distance", "step", "time"):
                field = name if name == "distance" else f"distance_{name}"
                assert bits(getattr(found, field)[k]) == bits(getattr(near, name)[0])
            each = [
                (least_distance(one, other, Motion(velocity))[0], step)
                for step, one, other, velocity, _ in steps_of(bodies[i], bodies[j])
            ]
            least = max(min(each)[0], Decimal(0))
            assert accuracy.number(float(found.distance[k]), least)
            assert found.distance[k] <= margin
            apart += least > 0
    assert apart > 20


# --- against queries of one pair ----------------------------------------------------------------


def turning(rng: Random, count: int, steps: int, **keywords: Any) -> carom.Trajectories:
    """Cars, letters and discs whose headings are any, some absent at times."""
    feet = carom.Shapes.concat(
        [
            carom.Shapes([rng.choice([CAR, np.array(courses.LETTER)]) for _ in range(count - 1)]),
            carom.Shapes.from_points([(0.5, 0.0)], radius=1.0),
        ]
    )
    poses = np.array([courses.path(rng, steps) for _ in range(count)])
    present = np.array([[rng.random() < 0.85 for _ in range(steps)] for _ in range(count)])
    return carom.Trajectories(feet, poses, present=present, **keywords)


@pytest.mark.parametrize("motion", ["straight", "arc"])
def test_they_are_the_first_contacts_of_each_pair_bit_for_bit(motion: Any) -> None:
    seen = 0
    for seed in range(12):
        rng = Random(f"turning {seed}")
        log, other = turning(rng, 6, 5, motion=motion), turning(rng, 5, 5)
        column = kinds.column(courses.around(rng, 5))
        for b in (None, other, column):
            margin = rng.choice([0.0, 0.5, 3.0])
            found = carom.encounters(log, b, margin=margin, fields=EVERY)
            pairs = iter(range(len(found)))
            against = log if b is None else b
            for i, j in itertools.product(range(6), range(len(against))):
                if b is None and i >= j:
                    continue
                alone = carom.first_contact(log[i : i + 1], against[j : j + 1], margin=margin)
                if not alone.hit[0]:
                    assert [i, j] not in found.pairs.T.tolist()
                    continue
                k = next(pairs)
                assert found.pairs[:, k].tolist() == [i, j]
                for name in ("step", "time", "normal", "contact"):
                    assert bits(getattr(found, name)[k]) == bits(getattr(alone, name)[0])
                near = carom.clearance(log[i : i + 1], against[j : j + 1])
                assert found.distance[k] == near.distance[0]
                assert found.distance_step[k] == near.step[0]
                assert found.distance_time[k] == near.time[0]
                seen += 1
            assert next(pairs, None) is None
    assert seen > 200


def test_margins_of_pairs_and_threads_change_no_other_pair() -> None:
    rng = Random(3)
    log, other = turning(rng, 40, 6, times=range(6)), turning(rng, 30, 6, times=range(6))
    margins = np.array([[rng.choice([0.0, 1.0, 4.0]) for _ in range(30)] for _ in range(40)])
    for b, margin in ((None, 0.5), (other, margins), (other, margins[0]), (other, margins[:, :1])):
        want = carom.encounters(log, b, margin=margin, fields=(*EVERY, "at"))
        assert len(want) > 50
        for threads in (1, 2, 5):
            given = {"margin": margin, "fields": (*EVERY, "at"), "threads": threads}
            found = carom.encounters(log, b, **given)
            assert [*map(bits, found)] == [*map(bits, want)]
        times = np.arange(6.0)
        at = np.where(want.time == 0, times[want.step], times[want.step] + want.time)
        assert want.at.tolist() == at.tolist()
        if np.ndim(margin) == 0:
            continue
        each = np.broadcast_to(margin, (40, 30))
        for (i, j), step, time in zip(want.pairs.T, want.step, want.time, strict=True):
            if rng.random() < 0.1:
                alone = carom.encounters(log[i : i + 1], other[j : j + 1], margin=each[i, j])
                assert (alone.step.tolist(), alone.time.tolist()) == ([step], [time])


def test_bodies_meet_others_from_either_side() -> None:
    rng = Random(4)
    log, other = turning(rng, 12, 5, motion="arc"), turning(rng, 9, 5)
    one, two = carom.encounters(log, other), carom.encounters(other, log)
    order = np.lexsort(two.pairs)
    assert two.pairs[::-1, order].tolist() == one.pairs.tolist()
    np.testing.assert_allclose(two.step[order] + two.time[order], one.step + one.time, rtol=1e-9)
    both = carom.encounters(log, log)
    itself = carom.encounters(log)
    upper = both.pairs[0] < both.pairs[1]
    assert both.pairs[:, upper].tolist() == itself.pairs.tolist()
    assert bits(both.time[upper]) == bits(itself.time)
    assert {(k, k) for k in range(12)} <= set(map(tuple, both.pairs.T.tolist()))


def pairs_of_steps(log: carom.Trajectories, margin: float) -> dict[tuple[int, int], int]:
    """The first step of each pair, by joins of all bodies at each pose."""
    first: dict[tuple[int, int], int] = {}
    poses, present = log.poses, log.present
    last = poses.shape[1] - 1
    for k in range(last + 1):
        here = np.flatnonzero(present[:, k])
        moves = here[present[here, k + 1]] if k < last else here[:0]
        stands = set(here.tolist()) - set(moves.tolist())
        column = log.at(k)
        found = carom.colliding_pairs(column[here], margin=margin)
        pairs = {tuple(here[[i, j]].tolist()) for i, j in found.T}
        pairs = {(i, j) for i, j in pairs if i in stands or j in stands}
        if len(moves):
            arc = carom.arc(poses[moves, k : k + 2])
            turn, center = arc.turn[:, 0], arc.center[:, 0]
            velocity = poses[moves, k + 1, :2] - poses[moves, k, :2]
            turns_here = turn != 0 if log.motion == "arc" else np.zeros(len(moves), bool)
            found = carom.colliding_pairs(
                column[moves],
                velocity_a=np.where(turns_here[:, None], 0.0, velocity),
                turn_a=turn,
                center_a=np.where(turns_here[:, None], center, poses[moves, k, :2]),
                margin=margin,
            )
            pairs |= {tuple(moves[[i, j]].tolist()) for i, j in found.T}
        for pair in pairs:
            first.setdefault(pair, k)
    return first


@pytest.mark.parametrize("motion", ["straight", "arc"])
def test_encounters_of_many_are_those_of_joins_of_each_step(motion: Any) -> None:
    rng = Random(f"crowd {motion}")
    for count, steps, margin in ((130, 9, 0.0), (65, 4, 0.25)):
        small = turning(rng, count, steps, motion=motion)
        poses = small.poses
        # On a grid of eighths, differences of positions are exact.
        poses[..., :2] += np.array([[[8 * rng.randint(-4, 4)] * 2] for _ in range(count)])
        poses[:, :, 1] += np.array([[8 * rng.randint(-4, 4)] for _ in range(count)])
        log = carom.Trajectories(small.footprints, poses, motion=motion)
        found = carom.encounters(log, margin=margin)
        want = pairs_of_steps(log, margin)
        assert dict(zip(map(tuple, found.pairs.T.tolist()), found.step, strict=True)) == want
        assert len(want) > 30


def test_many_threads_may_ask_a_new_log_at_once() -> None:
    log = turning(Random(9), 60, 6)
    want = [*map(bits, carom.encounters(log[:], margin=0.5))]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            new = log[:]
            answers = pool.map(lambda _, new=new: carom.encounters(new, margin=0.5), range(8))
            assert all([*map(bits, it)] == want for it in answers)


# --- the result ---------------------------------------------------------------------------------

ROW = [[(4.0 * k, 0.0, 0.0)] * 2 for k in range(4)]
"""Four cars that stand bumper to bumper."""


def test_it_unpacks_into_what_was_computed() -> None:
    log = carom.Trajectories(CAR, ROW)
    result = carom.encounters(log)
    pairs, step, time, normal, contact = result
    assert pairs.tolist() == [[0, 1, 2], [1, 2, 3]]
    assert (step.dtype, time.dtype) == (np.int64, np.float64)
    assert (normal.shape, contact.shape) == ((3, 2), (3, 2, 2))
    assert normal.tolist() == [[-1.0, 0.0]] * 3  # From b to a.
    assert result._astuple()[0] is result.pairs
    assert list(result._asdict()) == ["pairs", *EVERY[:4], "at", *DISTANCES]
    assert (result.at, result.distance, len(result)) == (None, None, 3)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(result)
    again = pickle.loads(pickle.dumps(result))
    assert [*map(bits, again)] == [*map(bits, result)]
    assert "pairs=" in repr(result)
    timed = carom.Trajectories(CAR, ROW, times=[3.0, 5.0])
    *_, at = carom.encounters(timed)
    assert at.tolist() == [3.0] * 3


@pytest.mark.parametrize("name", [*EVERY, "at"])
def test_fields_choose_what_is_computed(name: str) -> None:
    log = turning(Random(6), 20, 4, times=range(4))
    whole = carom.encounters(log, margin=1.0, fields=(*EVERY, "at"))
    result = carom.encounters(log, margin=1.0, fields=(name,))
    pairs, values = result
    assert pairs.tolist() == whole.pairs.tolist()
    assert bits(values) == bits(getattr(whole, name))
    others = [it for it, array in result._asdict().items() if array is None]
    assert set(others) == {*EVERY, "at"} - {name}


def test_empty_logs_have_no_encounters() -> None:
    for count, steps in ((0, 3), (1, 3), (3, 0), (0, 0), (1, 1)):
        log = carom.Trajectories(CAR, np.zeros((count, steps, 3)), times=range(steps))
        others = carom.Trajectories(CAR, np.zeros((2 * (steps == 0), steps, 3)))
        for b in (None, others, [], carom.Shapes([None])):
            found = carom.encounters(log, b, fields=(*EVERY, "at"))
            assert (found.pairs.shape, found.pairs.dtype) == ((2, 0), np.int64)
            assert len(found) == 0
            assert found.contact.shape == (0, 2, 2)
            assert found.normal.shape == (0, 2)
            assert found.step.dtype == found.distance_step.dtype == np.int64
    one = carom.Trajectories(CAR, np.zeros((2, 1, 3)))
    assert carom.encounters(one).pairs.tolist() == [[0], [1]]
    assert carom.encounters(one[:1], [CAR + 4]).pairs.shape == (2, 0)


def test_more_pairs_than_allowed_raise() -> None:
    log = carom.Trajectories(CAR, ROW)
    assert len(carom.encounters(log, max_pairs=3)) == 3
    for most in (2, 0):
        with pytest.raises(ValueError, match=f"^max_pairs is {most}"):
            carom.encounters(log, max_pairs=most)
    for most, kind in ((-1, ValueError), (1.5, TypeError)):
        with pytest.raises(kind, match=r"^max_pairs"):
            carom.encounters(log, max_pairs=most)  # type: ignore[arg-type]


BOW = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]


@pytest.mark.parametrize(
    ("given", "keywords", "kind", "message"),
    [
        ((CAR,), {}, TypeError, "a: expected Trajectories"),
        ((carom.Shapes([CAR]),), {}, TypeError, "a: expected Trajectories"),
        (([CAR],), {"margin": -1.0}, ValueError, "margin is -1.0"),
        (([CAR],), {"margin": NAN}, ValueError, "margin is "),
        (([CAR],), {"margin": [1.0, 2.0]}, ValueError, "margin: expected a number, or shape (1,)"),
        ((), {"margin": [1.0, 2.0, 1.0, 1.0]}, ValueError, "margin: expected a number, where"),
        (([CAR],), {"margin": [[0], [0], [INF], [0]]}, ValueError, "margin[2, 0] is inf"),
        (([BOW],), {}, ValueError, "b[0]: the ring meets itself"),
        ((CAR,), {}, ValueError, "b: expected a sequence of shapes"),
        ((3,), {}, TypeError, "b: "),
        ((carom.Trajectories(CAR, [[(0, 0, 0)]]),), {}, ValueError, "b: expected 2 poses each"),
        ((), {"fields": ("far",)}, ValueError, "fields: no field is called 'far'"),
        ((), {"fields": ("at",)}, ValueError, "fields: 'at' is a time"),
        ((), {"threads": 0}, ValueError, "threads"),
        ((), {"velocity": (1, 0)}, TypeError, "encounters() got an unexpected keyword"),
    ],
)
def test_bad_arguments_are_named(
    given: Any, keywords: Any, kind: type[Exception], message: str
) -> None:
    log = () if message.startswith("a:") else (carom.Trajectories(CAR, ROW),)
    with pytest.raises(kind, match="^" + re.escape(message)) as caught:
        carom.encounters(*log, *given, **keywords)
    assert isinstance(caught.value, carom.InputError)


def test_different_times_raise() -> None:
    log, other = (carom.Trajectories(CAR, ROW, times=[0, t]) for t in (1, 2))
    with pytest.raises(ValueError, match=r"^b have the time 2 at pose 1"):
        carom.encounters(log, other)
    assert len(carom.encounters(log, carom.Trajectories(CAR, ROW))) == 10


def test_a_thin_wall_that_crosses_a_way_is_not_jumped() -> None:
    """Both move by a hundred of their sizes in a step."""
    needle = shapes.box(0.0, 0.0, 2.0**-30, 1.0)
    ways = [[(-100.0, 0.0, 0.0), (100.0, 0.0, 0.0)], [(0.5, -100.0, 0.0), (0.5, 100.0, 0.0)]]
    found = carom.encounters(carom.Trajectories(needle, ways))
    assert found.pairs.tolist() == [[0], [1]]
    assert found.time[0] == pytest.approx(0.5025, rel=1e-9)
    for end, hits in ((100.9, 1), (101.1, 0)):  # Past it, the other way is 0.98 or 1.03 ahead.
        ways[1][1] = (0.5, end, 0.0)
        assert len(carom.encounters(carom.Trajectories(needle, ways))) == hits

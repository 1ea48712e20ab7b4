"""Cases of queries about columns and trajectories, and of approaches without turns."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import carom
import numpy as np

from generators import areas, courses, kinds, turns
from generators.areas import bare
from generators.courses import Course
from reference import oracle
from reference.oracle import accuracy, check, points_and_rays
from reference.oracle.approach import assert_least, least_distance
from reference.oracle.check import Case
from reference.oracle.check_turning import assert_turning, decimal
from reference.oracle.exact import TIE
from reference.oracle.moving import Scene
from reference.oracle.turning import Contact, swept_collision

from . import general, turning

NOWHERE = (math.nan, math.nan)


def draw_row(rng: Random) -> list[areas.Area]:
    """Three areas, of which the second and the third are the same at two places."""
    while True:
        _, a, b = general.draw_pair(rng)
        row = [a, b, areas.apart(rng, a, b)]
        if areas.usable(*row):
            return row


def check_ray_cast(rng: Random) -> None:
    """From a vertex of one area or beside it, to the features of another."""
    a, *column = draw_row(rng)
    origin = rng.choice(areas.vertices(rng.choice([a, areas.apart(rng, column[0], a)])))
    way = areas.velocity(rng, [[origin]], rng.choice(column), rng.choice(areas.VELOCITIES))
    length = rng.choice([1.0, 1.0, math.inf])
    result = carom.ray_cast([origin], [way], [bare(it) for it in column], length=length)[0]
    case = Case(result, origin=origin, direction=way, column=column, length=length)
    first = oracle.ray_cast(origin, way, column, length)
    case.equal("hit", first is not None)
    case.equal("row", -1 if first is None else first[1])
    if first is None or first[0] == 0:
        case.equal("time", math.inf if first is None else 0.0)
        case.zeros("normal")
        return
    truth = points_and_rays.hit(origin, way, column[first[1]], first[0])
    case.number("time", truth.time)
    if not any(accuracy.vector(result.normal, n) for n in truth.normals):
        case.fail("normal", truth.normals, result.normal)
    if not accuracy.point(result.point, truth.point, truth.extent_ulp):
        case.fail("point", truth.point, result.point)


def check_nearest(rng: Random) -> None:
    a, *column = draw_row(rng)
    result = carom.nearest([bare(a)], [bare(it) for it in column], k=2)
    case = Case(result, a=a, column=column)
    rows = [row for row, _ in oracle.nearest(a, column, 2, math.inf)]
    if result.pairs.tolist() != [[0, 0], rows]:
        case.fail("pairs", rows, result.pairs)
    for got, row in zip(result.distance.tolist(), rows, strict=True):
        truth = oracle.distance(a, column[row])
        if not accuracy.number(got, truth.distance, truth.extent_ulp):
            case.fail("distance", truth.distance, got)


def check_closest_approach(rng: Random) -> None:
    _, a, b, v = general.draw_sweep(rng)
    check.assert_closest_approach(a, b, v, carom.closest_approach(bare(a), bare(b), v))


def check_measures(rng: Random) -> None:
    _, area, _ = general.draw_pair(rng)
    assert_measures(area, carom.Shapes([bare(area)]))


def assert_measures(area: areas.Area, column: carom.Shapes) -> points_and_rays.Measures:
    """The area, and the centroid to within 1e-12 of the extent."""
    truth = points_and_rays.measures(area)
    case = Case(column, rings=area)
    (size,), (center,) = column.area.tolist(), column.centroid.tolist()
    if not accuracy.number(size, decimal(truth.area)):
        case.fail("area", decimal(truth.area), size)
    if not accuracy.point(center, truth.centroid, truth.extent / (8 * 10**12)):
        case.fail("centroid", [*map(decimal, truth.centroid)], center)
    return truth


# --- trajectories -------------------------------------------------------------------------------


def draw_course(rng: Random) -> Course:
    """Some steps among two obstacles, or one of a polygon that turns and touches, or nearly."""
    if rng.random() < 0.4:
        return courses.course(rng, obstacles=2)
    while True:
        _, (a, b, m, _) = turning.draw(rng)
        if not m.turn_a:
            a, b, m = b, a, m.swapped()
        x, y = m.center_a or (0.0, 0.0)
        a, b = turns.moved(a, -x, -y), turns.moved(b, -x, -y)
        polygons = [it.parts[0] for it in (a, b) if it.kind == "polygon"]
        whole = max(len(a.parts), len(a.rings), len(b.parts)) == 1 and areas.usable(*polygons)
        if a.kind == "polygon" and a.radius == 0.0 and whole:
            poses = np.array([(0.0, 0.0, 0.0), (*m.velocity, m.turn_a)])
            return Course(a.rings[0], poses, kinds.column([b]))


def asked(query: Any, course: Course) -> Any:
    return query(course.footprint, [course.poses], course.obstacles, **course.given)[0]


def first_step(course: Course) -> tuple[int, list[Contact]] | None:
    """The step of the first contact, or of one that can't be told, and what is met in it."""
    for k in range(course.steps + 1):
        contacts = [swept_collision(*scene) for scene in courses.step_of(course, k).scenes]
        if any(contact.will_intersect is not False for contact in contacts):
            return k, contacts
    return None


def assert_first(course: Course, step: int, contacts: list[Contact], result: Any) -> bool:
    """When and what is met first; returns whether that is in the step, not at its end."""
    case = Case(result, course=course)
    first = min(contact.time for contact in contacts if contact.time is not None)
    if first == 1 and result.step == step + 1:
        case.equal("time", 0.0)
        return False
    case.equal("step", step)
    time = contacts[result.obstacle].time
    if time is None or time > first * (1 + TIE):
        case.fail("obstacle", [contact.time for contact in contacts], result.obstacle)
    case.number("time", decimal(time))
    return True


def check_first_contact(rng: Random) -> None:
    course = draw_course(rng)
    result = asked(carom.first_contact, course)
    step, contacts = first_step(course) or (-1, [])
    if step < 0:
        Case(result, course=course).equal("step", -1)
        return
    can_tell = all(it.will_intersect is not None for it in contacts)
    if can_tell and assert_first(course, step, contacts, result):
        now = contacts[result.obstacle].intersects
        fields = {"intersects": now, "will_intersect": True, "mtv": NOWHERE}
        found = SimpleNamespace(**fields, **result._asdict())
        scene = courses.step_of(course, step).scenes[result.obstacle]
        assert_turning(*scene, 0.0, found)


def check_clearance(rng: Random) -> None:
    course = draw_course(rng)
    result = asked(carom.clearance, course)
    step, contacts = first_step(course) or (-1, [])
    if step < 0:
        steps = [courses.step_of(course, k).scenes for k in range(course.steps + 1)]
        assert_least(*steps[result.step][result.obstacle], result)
        for scene in (scene for scenes in steps for scene in scenes):
            _, high = least_distance(*scene)
            spins = scene[2].turn_a or scene[2].turn_b
            slack = 8 * decimal(Scene(*scene).extent_ulp) if spins else 0
            if result.distance > high + max(accuracy.RELATIVE * high, slack):
                Case(result, course=course).fail("distance", high, result.distance)
    elif all(it.will_intersect is not None for it in contacts):
        Case(result, course=course).equal("distance", 0.0)
        assert_first(course, step, contacts, result)


QUERIES: dict[str, Callable[[Random], None]] = {
    "ray_cast": check_ray_cast,
    "nearest": check_nearest,
    "closest_approach, any shape": check_closest_approach,
    "first_contact": check_first_contact,
    "clearance": check_clearance,
    "column": check_measures,
}

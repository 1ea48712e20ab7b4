"""`ray_cast`: the first of many shapes that each ray meets."""

from __future__ import annotations

import itertools
import math
import os
import pickle
import signal
import sys
import threading
import time
from fractions import Fraction
from random import Random
from typing import Any

import carom
import numpy as np
import pytest
import shapely

from generators import areas, kinds, shapes, turns
from generators.areas import bare
from reference import oracle
from reference.oracle import kinds as oracle_of_kinds
from reference.oracle.kinds import Floats, Shape

UNIT = shapes.box(0.0, 0.0, 1.0, 1.0)
ROW = [shapes.box(x, 0.0, 1.0, 1.0) for x in (2.0, 5.0, 5.0)]


def check(origin: Any, direction: Any, column: list[areas.Area], length: float) -> bool:
    """Holds one ray against the oracle; returns whether it hits."""
    rows = [bare(area) for area in column]
    found = carom.ray_cast(origin, direction, rows, length=length)[()]
    expected = oracle.ray_cast(origin, direction, column, length)
    given = (origin, direction, column, length)
    if expected is None:
        assert (found.hit, found.time, found.row) == (False, math.inf, -1), given
        assert found.normal.tolist() == [0.0, 0.0], given
        assert np.isnan(found.point).all(), given
        return False
    moment, row = expected
    assert (found.hit, found.row) == (True, row), given
    if moment == 0:
        assert found.time == 0.0, given
        assert (found.point == np.array(origin)).all(), given
        assert found.normal.tolist() == [0.0, 0.0], given
        return True
    if moment < Fraction(2) ** 1023:
        limit = moment / 10**10 if moment > Fraction(2) ** -1022 else Fraction(math.ulp(0.0))
        assert abs(Fraction(found.time) - moment) <= limit, given
    assert 0.0 < found.time <= length, given
    assert math.isclose(math.hypot(*found.normal), 1.0, rel_tol=1e-10), given
    assert (
        Fraction(found.normal[0]) * Fraction(direction[0])
        + Fraction(found.normal[1]) * Fraction(direction[1])
        < 0
    ), given
    corners = areas.vertices(column[row])
    for k in (0, 1):
        there = Fraction(origin[k]) + moment * Fraction(direction[k])
        extent = max(
            abs(Fraction(p[j]) - Fraction(q[j])) for p in corners for q in corners for j in (0, 1)
        )
        unit = Fraction(2) ** -53
        limit = 2 * unit * abs(there) + 16 * unit * extent + Fraction(math.ulp(0.0))
        assert abs(Fraction(found.point[k]) - there) <= limit, given
    return True


def test_the_nearest_polygon_is_met_first_and_of_equals_the_lowest_row() -> None:
    found = carom.ray_cast([(0, 0.5), (3.5, 0.5), (7, 0.5)], [(10, 0), (10, 0), (-10, 0)], ROW)
    assert found.hit.tolist() == [True, True, True]
    assert found.row.tolist() == [0, 1, 1]
    np.testing.assert_allclose(found.time, [0.2, 0.15, 0.1], rtol=1e-15)
    assert found.normal.tolist() == [[-1, 0], [-1, 0], [1, 0]]
    assert found.point.tolist() == [[2, 0.5], [5, 0.5], [6, 0.5]]


def test_a_ray_that_starts_inside_is_at_time_zero_without_a_normal() -> None:
    for origin in ((2.5, 0.5), (2.0, 0.0), (2.0, 0.5)):
        found = carom.ray_cast(origin, (1, 0), ROW)[()]
        assert (found.hit, found.time, found.row) == (True, 0.0, 0)
        assert found.normal.tolist() == [0, 0]
        assert found.point.tolist() == list(origin)


def test_a_zero_direction_asks_about_the_point() -> None:
    found = carom.ray_cast([(5.5, 0.5), (4.0, 0.5), (6.0, 1.0)], (0, 0), ROW, length=math.inf)
    assert found.row.tolist() == [1, -1, 1]
    assert found.time.tolist() == [0, math.inf, 0]


def test_a_touch_in_a_vertex_or_along_an_edge_is_a_hit() -> None:
    triangle = [(2.0, 0.0), (4.0, 0.0), (3.0, 1.0)]
    found = carom.ray_cast(
        [(0, 1), (0, 0), (6, 0)], [(1, 0), (1, 0), (-1, 0)], [triangle], length=9
    )
    assert found.time.tolist() == [3, 2, 2]
    above = carom.ray_cast((0, math.nextafter(1, 2)), (1, 0), [triangle], length=math.inf)
    assert not above.hit


def test_a_ray_ends_at_its_length_itself_included() -> None:
    lengths = [2.0, math.nextafter(2.0, 0.0), 0.0, math.inf]
    found = carom.ray_cast((0, 0.5), (1, 0), ROW, length=lengths)
    assert found.hit.tolist() == [True, False, False, True]
    third = [(1 / 3, -1.0), (1.0, -1.0), (1.0, 1.0), (1 / 3, 1.0)]  # at 3.3e-17 less than 1/3
    assert carom.ray_cast((0, 0), (1, 0), [third], length=1 / 3).hit
    assert not carom.ray_cast((0, 0), (1, 0), [third], length=math.nextafter(1 / 3, 0)).hit


def test_a_hole_is_empty_and_its_ring_is_met_from_within() -> None:
    holed = [shapes.box(0.0, 0.0, 4.0, 4.0), shapes.box(1.0, 1.0, 2.0, 2.0)]
    found = carom.ray_cast((2, 2), [(2, 0), (0.5, 0)], [holed], length=1)
    assert found.hit.tolist() == [True, False]
    assert found.time[0] == 0.5
    assert found.normal[0].tolist() == [-1, 0]


def test_a_ray_has_no_end_unless_its_length_is_given() -> None:
    far = [shapes.box(1e9, -1.0, 1e9 + 1, 1.0)]
    assert carom.ray_cast((0, 0), (1, 0), far).time == 1e9
    assert carom.ray_cast((0, 0), (1e-300, 0), far).hit
    assert not carom.ray_cast((0, 0), (1, 0), far, length=1).hit


def test_missing_rows_and_no_rows_are_never_met() -> None:
    assert not carom.ray_cast((0, 0), (1, 0), [None, []], length=math.inf).hit
    assert not carom.ray_cast((0, 0), (1, 0), []).hit
    assert carom.ray_cast((0, 0.5), (9, 0), [None, ROW[0], None, ROW[1]]).row == 1


# --- against the oracle ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(80))
def test_rays_among_any_areas_meet_what_the_oracle_says(seed: int) -> None:
    rng = Random(seed)
    x, y = rng.choice(areas.FAR)
    column = [
        areas.shifted(areas.area(rng), x + rng.randint(-6, 6), y + rng.randint(-6, 6))
        for _ in range(5)
    ]
    column = [area for area in column if areas.usable(area)]
    corners = [p for area in column for p in areas.vertices(area)]
    hits = 0
    for _ in range(12):
        origin = rng.choice([(x + rng.uniform(-9, 9), y + rng.uniform(-9, 9)), (x - 9.0, y)])
        if not corners:
            continue
        p, q = rng.choice(corners), rng.choice(corners)
        origin = rng.choice([origin, (p[0] - 2 * (q[0] - p[0]), p[1] - 2 * (q[1] - p[1]))])
        direction = rng.choice(
            [(p[0] - origin[0], p[1] - origin[1]), (q[0] - p[0], q[1] - p[1]), (1.0, 0.0)]
        )
        direction = rng.choice([direction, shapes.nudged(rng, direction)])
        hits += check(origin, direction, column, rng.choice([1.0, 0.5, 3.0, math.inf]))
    assert hits or not corners


def test_all_rays_of_a_grid_among_all_triangles_of_it() -> None:
    grid = [(float(x), float(y)) for x in range(3) for y in range(3)]
    triangles = [[list(ring)] for ring in itertools.combinations(grid, 3)]
    triangles = [area for area in triangles if oracle.is_valid(area)]
    starts = [(x / 2, y / 2) for x in range(-1, 6) for y in range(-1, 6)]
    ways = [(float(x), float(y)) for x in range(-2, 3) for y in range(-2, 3)]
    rng = Random(1)
    for area in triangles:
        for origin in rng.sample(starts, 8):
            for direction in rng.sample(ways, 6):
                check(origin, direction, [area], math.inf)
    for _ in range(150):
        column = rng.sample(triangles, 6)
        check(rng.choice(starts), rng.choice(ways), column, rng.choice([0.25, 0.5, 1.0, math.inf]))


def test_all_rays_of_a_grid_at_the_areas_of_polyominoes() -> None:
    rng = Random(2)
    for _ in range(60):
        column = [areas.polyomino(rng), areas.shifted([areas.letter(rng)], 1.0, -2.0)]
        for _ in range(8):
            origin = float(rng.randint(-3, 7)), float(rng.randint(-3, 7))
            direction = float(rng.randint(-3, 3)), float(rng.randint(-3, 3))
            check(origin, direction, column, math.inf)


@pytest.mark.parametrize("scale", [5e-324, 2.0**-1030, 2.0**-530, 2.0**530, 2.0**1000])
@pytest.mark.parametrize("speed", [5e-324, 2.0**-600, 1.0, 2.0**900])
def test_extreme_coordinates_and_speeds_lose_no_hit(scale: float, speed: float) -> None:
    column = [
        areas.scaled([shapes.moved(UNIT, x, y)], scale, scale)
        for x in (2.0, 4.0)
        for y in (0.0, 3.0)
    ]
    for x, y in itertools.product((-1.0, 0.5, 2.5, 7.0), (0.0, 0.5, 1.0, 3.5)):
        for direction in ((speed, 0.0), (-speed, speed), (0.0, -speed)):
            check((x * scale, y * scale), direction, column, math.inf)
            check((x * scale, y * scale), direction, column, 1.0)


def test_ties_by_a_rounding_are_told_apart() -> None:
    # The edges cross the ray at times that differ by less than a float can tell.
    rng = Random(5)
    for _ in range(200):
        p = rng.uniform(1, 3), rng.uniform(1, 3)
        column = []
        for _ in range(3):
            top = (rng.uniform(-1, 1) + p[0], p[1] + rng.uniform(0.5, 2))
            low = (2 * p[0] - top[0], 2 * p[1] - top[1])
            column.append([[low, (9.0, rng.uniform(-5, -3)), (9.0, rng.uniform(6, 9)), top]])
        if all(map(areas.usable, column)):
            check((0.0, 0.0), p, column, math.inf)


# --- shapes of all kinds against the oracle -------------------------------------------------------


Ray = tuple[Floats, Floats]
FAR = 256.0
"""In units of the direction, beyond all shapes of the tests below; its products are exact."""


def times_of(ray: Ray, length: float, column: list[Shape]) -> list[Any]:
    """When a ray meets each shape, or None; of shapes with a radius to some sixty digits."""
    origin, direction = ray
    found: list[Any] = []
    for shape in column:
        if shape.radius == 0:
            time = oracle_of_kinds.ray_time(origin, direction, shape)
            found.append(None if time is None or time > length else time)
            continue
        last = min(length, FAR)
        path = direction[0] * last, direction[1] * last
        part = oracle_of_kinds.first_contact(Shape("point", [origin]), shape, path)
        found.append(None if part is None else Fraction(part) * Fraction(last))
    return found


def ray_near(rng: Random, column: list[Shape]) -> Ray:
    """From, to, through and between vertices; some of no direction."""
    corners = [p for shape in column for p in shape.vertices]
    p, q, r = (rng.choice(corners) for _ in range(3))
    origins = [p, ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2), (2 * p[0] - q[0], 2 * p[1] - q[1])]
    x, y = rng.choice([*origins, kinds.velocity(rng, 9)])
    ways = [(q[0] - p[0], q[1] - p[1]), (r[0] - x, r[1] - y), kinds.velocity(rng), (0.0, 0.0)]
    return (x, y), rng.choices(ways, [3, 3, 3, 1])[0]


def length_near(rng: Random, times: list[Any]) -> float:
    """Often at the first of the times, or beside it; few digits, so that products are exact."""
    first = min((time for time in times if time is not None), default=Fraction(1))
    beside = math.floor(first * 2**40 + rng.choice([-1, 0, 1])) / 2**40
    return rng.choice([math.inf, 1.0, 0.5, 0.0, *[max(beside, 0.0)] * 6])


def check_kinds(rays: list[Ray], lengths: list[float], column: list[Shape]) -> int:
    """Exact where no shape that is met first has a radius; returns how many rays hit."""
    origins, directions = map(np.array, zip(*rays, strict=True))
    found = carom.ray_cast(origins, directions, kinds.column(column), length=lengths)
    for k, (ray, length) in enumerate(zip(rays, lengths, strict=True)):
        times, got, where = times_of(ray, length, column), found[k], (ray, length, column)
        met = [time for time in times if time is not None]
        assert got.hit == bool(met), where
        if not met:
            assert (got.time, got.row) == (math.inf, -1), where
            continue
        first = min(met)
        latest = first + first / 10**12
        near = [row for row, it in enumerate(times) if it is not None and it <= latest]
        is_exact = first == 0 or not any(column[row].radius for row in near)
        assert got.row in ([times.index(first)] if is_exact else near), where
        assert column.index(column[got.row]) == got.row, where
        assert abs(Fraction(got.time) - first) <= first / 10**10, where
        there = np.array(ray[0]) + float(first) * np.array(ray[1])
        assert math.dist(got.point, there) < 1e-13, where
        assert math.hypot(*got.normal) == pytest.approx(float(first > 0), abs=1e-10), where
        # A ray that grazes a circle is at right angles to the normal.
        assert first == 0 or got.normal @ ray[1] < (1e-9 if column[got.row].radius else 0), where
    return int(found.hit.sum())


@pytest.mark.slow
@pytest.mark.parametrize("radius", [0.0, None])
@pytest.mark.parametrize("seed", range(5))
def test_rays_among_shapes_of_all_kinds_meet_what_the_oracle_says(
    seed: int, radius: float | None
) -> None:
    rng = Random(f"rays {seed} {radius}")
    column = [
        turns.moved(kinds.shape(rng, radius=radius), rng.randint(-6, 6), rng.randint(-6, 6))
        for _ in range(8)
    ]
    # Of equals the lowest row, and the same shape is equal with a radius too.
    column.append(column[rng.randrange(8)])
    rays = [ray_near(rng, column) for _ in range(60)]
    lengths = [length_near(rng, times_of(ray, math.inf, column)) for ray in rays]
    assert 10 < check_kinds(rays, lengths, column) < 60


def test_points_and_paths_met_at_times_that_differ_by_a_rounding_are_told_apart() -> None:
    rng = Random(6)
    for _ in range(100):
        p = rng.uniform(1, 3), rng.uniform(1, 3)
        column = []
        for _ in range(4):
            x, y = shapes.nudged(rng, p)
            u, v = rng.uniform(-1, 1), rng.uniform(0.5, 2)
            parts = [
                [(x + u, y + v), (x - u, y - v)],
                [(x, y), (x + v, y + u)],
                [(x, y), (2 * x, 2 * y)],
            ]
            column.append(
                rng.choice([Shape("point", [(x, y)]), Shape("path", [rng.choice(parts)])])
            )
        directions = [p, shapes.nudged(rng, p), column[0].vertices[0]]
        check_kinds([((0.0, 0.0), it) for it in directions], [math.inf, 1.0, 1.0], column)


# --- against Shapely ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["boxes", "stars"])
def test_among_many_polygons_the_first_is_that_of_shapely(kind: str) -> None:
    rng = np.random.default_rng(1)
    if kind == "boxes":
        rows = np.array(UNIT) + rng.uniform(0, 60, (500, 1, 2))
    else:
        angle = np.sort(rng.uniform(0, math.tau, (200, 60)))
        reach = rng.uniform(0.5, 2.0, (200, 60, 1))
        rows = np.stack([np.cos(angle), np.sin(angle)], -1) * reach + rng.uniform(
            0, 60, (200, 1, 2)
        )
        rows = rows[shapely.is_valid(shapely.polygons(rows))]
    polygons = shapely.polygons(rows)
    tree = shapely.STRtree(polygons)
    origins, ends = rng.uniform(0, 60, (2, 300, 2))
    found = carom.ray_cast(origins, ends - origins, carom.Shapes(rows), length=1)
    for ray, (origin, end) in enumerate(zip(origins, ends, strict=True)):
        line, start = shapely.LineString([origin, end]), shapely.Point(origin)
        near = tree.query(line, predicate="intersects")
        assert found.hit[ray] == (near.size > 0)
        if near.size:
            gap = shapely.distance(start, shapely.intersection(line, polygons[near]))
            length = math.dist(origin, end)
            assert math.isclose(gap.min() / length, found.time[ray], rel_tol=1e-9, abs_tol=1e-12)
            assert found.row[ray] in near[gap <= gap.min() + 1e-9]


# --- arguments and results ----------------------------------------------------------------------


def test_rays_broadcast_as_numpy_does() -> None:
    origins, directions = np.zeros((3, 1, 2)), np.ones((4, 2))
    found = carom.ray_cast(origins, directions, ROW, length=np.ones((2, 1, 1)))
    assert found.hit.shape == found.time.shape == found.row.shape == (2, 3, 4)
    assert found.normal.shape == found.point.shape == (2, 3, 4, 2)
    assert found.valid.all()
    single = carom.ray_cast((0, 0), (1, 0), ROW)
    assert (single.hit.shape, single.point.shape) == ((), (2,))


def test_results_unpack_index_pickle_and_have_a_truth_each() -> None:
    found = carom.ray_cast([(0, 0.5), (0, 2)], (9, 0), ROW)
    hit, moment, row, normal, point = found._astuple()
    assert (hit is found.hit) and (moment is found.time) and (row is found.row)
    assert (normal is found.normal) and (point is found.point)
    assert list(found._asdict()) == ["hit", "time", "row", "normal", "point"]
    assert [ray.row for ray in found] == [0, -1]
    assert found.shape == (2,)
    assert bool(found[0])
    assert not found[1]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(found)
    again = pickle.loads(pickle.dumps(found))
    assert again.time.tobytes() == found.time.tobytes()
    assert repr(found[1]) == (
        "RayCastResult(hit=False, time=inf, row=-1, normal=[0.0, 0.0], point=[nan, nan])"
    )
    assert found.to_pandas().columns.tolist()[:3] == ["hit", "time", "row"]
    assert "<table" in found._repr_html_()
    assert "<table" in found[0]._repr_html_()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_and_one_ray_at_a_time_give_the_same_bits(threads: int) -> None:
    rng = np.random.default_rng(7)
    column = carom.Shapes(np.array(UNIT) + rng.uniform(0, 40, (300, 1, 2)))
    origins, directions = rng.uniform(0, 40, (4_000, 2)), rng.normal(0, 20, (4_000, 2))
    found = carom.ray_cast(origins, directions, column, threads=threads)
    for ray in range(0, 4_000, 29):
        one = carom.ray_cast(origins[ray], directions[ray], column)
        for whole, part in zip(found._astuple(), one._astuple(), strict=True):
            assert whole[ray].tobytes() == part.tobytes()


def test_slices_and_selections_are_met_by_their_own_rows() -> None:
    rng = np.random.default_rng(8)
    rows = np.array(UNIT) + rng.uniform(0, 20, (200, 1, 2))
    column, picked = carom.Shapes(rows), rng.integers(0, 200, 70)
    origins, directions = rng.uniform(0, 20, (300, 2)), rng.normal(0, 20, (300, 2))
    carom.ray_cast(origins, directions, column)  # The tree over all rows is built here.
    for part, same in [(column[60:150], rows[60:150]), (column[picked], rows[picked])]:
        found = carom.ray_cast(origins, directions, part)
        alone = carom.ray_cast(origins, directions, carom.Shapes(same))
        for one, other in zip(found._astuple(), alone._astuple(), strict=True):
            assert one.tobytes() == other.tobytes()


# --- bad input --------------------------------------------------------------------------------


BAD = {
    "origin": (
        ([(0, 0), (0, math.nan)], (1, 0)),
        {},
        "origins[1] is (0.0, nan); it must be finite",
    ),
    "direction": (((0, 0), (math.inf, 0)), {}, "directions is (inf, 0.0); it must be finite"),
    "negative": (((0, 0), (1, 0)), {"length": [1, -1]}, "length[1] is -1.0; it must be 0 or more"),
    "nan": (((0, 0), (1, 0)), {"length": math.nan}, "length is nan; it must be 0 or more"),
    "three": (((0, 0, 0), (1, 0)), {}, "origins: expected shape (..., 2), got (3,)"),
    "rows": ((np.zeros((2, 2)), np.zeros((3, 2))), {}, "don't broadcast: origins (2,), directions"),
    "threads": (((0, 0), (1, 0)), {"threads": 0}, "threads: expected 1 or more, got 0"),
}


@pytest.mark.parametrize(("rays", "keywords", "text"), BAD.values(), ids=BAD)
def test_bad_rays_are_named_with_row_and_value(rays: Any, keywords: Any, text: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        carom.ray_cast(*rays, ROW, **keywords)
    assert text in str(caught.value)


def test_bad_shapes_are_named() -> None:
    with pytest.raises(ValueError, match=r"^shapes\[1\]: the ring meets itself"):
        carom.ray_cast((0, 0), (1, 0), [UNIT, [(0, 0), (2, 2), (2, 0), (0, 2)]])
    with pytest.raises(TypeError, match="origins: expected an array of numbers"):
        carom.ray_cast("here", (1, 0), ROW)


def test_a_long_call_is_interrupted() -> None:
    rng = np.random.default_rng(4)
    column = carom.Shapes(np.array(UNIT) + rng.uniform(0, 40, (1_000, 1, 2)))
    rays = rng.uniform(0, 40, (1_000_000, 2))

    def repeat() -> None:
        for _ in range(1_000):
            carom.ray_cast(rays, (3.0, 1.0), column, threads=1)

    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        repeat()
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("origin", "direction", "center", "radius", "time"),
    [
        ((0.0, 0.0), (1.0, 0.0), (1e302, 0.0), 1e301, 9e301),
        ((0.0, 0.0), (1e307, 0.0), (1e307, 0.0), 1e306, 0.9),
        ((0.0, 0.0), (1e305, 0.0), (1e306, 0.0), 1e300, 9.99999),
        ((-1.5e308, 0.0), (1e308, 0.0), (1.5e308, 0.0), 1e300, 2.99999999),
        ((0.0, 0.0), (1e-307, 0.0), (10.0, 0.0), 1.0, 9e307),
    ],
)
def test_rounded_shapes_are_met_at_any_scale(
    origin: tuple[float, float],
    direction: tuple[float, float],
    center: tuple[float, float],
    radius: float,
    time: float,
) -> None:
    disc = carom.Shapes.from_points([center], radius=radius)
    hit = carom.ray_cast(origin, direction, disc, length=np.inf)
    assert hit.hit
    assert float(hit.time) == pytest.approx(time, rel=1e-9)


def test_the_smaller_component_of_a_long_direction_is_not_lost() -> None:
    # The ray would touch the circle if it ran along the axis.
    disc = carom.Shapes.from_points([(5e307, 1.0)], radius=1.0)
    for small, is_hit in ((-5e-324, False), (0.0, True), (5e-324, True)):
        way = 1e308, small
        assert carom.ray_cast((0.0, 0.0), way, disc).hit == is_hit
        swept = carom.swept_circle_batch((0.0, 0.0), 0.0, way, disc)
        assert swept.will_intersect == is_hit


def test_vertices_at_the_largest_float_are_met_in_time() -> None:
    most = sys.float_info.max
    for x, y in ((most, 5.0), (-5.0, most), (most, -5.0), (5.0, -most)):
        start, way = ((x, 0.0), (0.0, y / 5)) if abs(x) == most else ((0.0, y), (x / 5, 0.0))
        point = carom.Shapes.from_points([(x, y)])
        for length, is_hit in ((4.0, False), (math.nextafter(5.0, 0.0), False), (5.0, True)):
            assert carom.ray_cast(start, way, point, length=length).hit == is_hit
            assert carom.ray_cast(start, way, point, length=math.inf).time == 5.0
    # The vertex is three halves of the largest float ahead, beyond the end of the ray.
    path = shapely.LineString([(-most, most), (5e-324, 0.0), (-most, 1.0)])
    ray = (most / 2, most), (-1.0, 0.0)
    assert not carom.ray_cast(*ray, [path], length=most / 2).hit
    assert carom.ray_cast(*ray, [path], length=math.inf).hit


def test_a_rounded_row_does_not_change_which_of_the_others_is_first() -> None:
    # The first two differ by less than a float can tell; the time of the circle is a float.
    h = 2.0**-10
    flat = Shape("path", [[(1.0, -1.0), (1.0, 1.0)]])
    steep = Shape("path", [[(1.0 - h, -1.0), (1.0 + h, 1.0 + 2.0**-51)]])
    disc = Shape("point", [(1.5, 0.0)], 0.5)
    times = times_of(((0.0, 0.0), (1.0, 0.0)), math.inf, [steep, flat, disc])
    assert times[0] < times[1] == times[2] == 1
    for column in itertools.permutations((flat, steep, disc)):
        found = carom.ray_cast((0.0, 0.0), (1.0, 0.0), kinds.column(list(column)))
        assert column[found.row] == steep

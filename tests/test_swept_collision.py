"""`swept_collision`: whether, when and how moving shapes first touch."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import carom
import numpy as np
import pytest
from hypothesis import given

from generators import areas, kinds, shapes, strategies
from generators.areas import bare
from helpers import (
    DENTED,
    SCALES,
    SQUARE,
    array,
    assert_row_is_scalar,
    assert_scalar_types,
    bits,
    examples,
    points,
    quads,
    rewritten,
    seeded_pairs,
)
from reference import oracle
from reference.oracle import check

BISECTOR = pytest.approx([-math.sqrt(0.5), -math.sqrt(0.5)], abs=1e-10)


def checked(
    a: shapes.Polygon, b: shapes.Polygon, velocity: tuple[float, float]
) -> carom.SweptCollisionResult:
    result = carom.swept_collision(a, b, velocity)
    check.assert_swept_collision(a, b, velocity, result)
    return result


def test_square_meets_square_half_way() -> None:
    r = checked(SQUARE, shapes.box(4, 1, 2, 2), (4.0, 0.0))
    assert r.intersects is False
    assert r.will_intersect is True
    assert r.time == 0.5
    assert r.normal.tolist() == [-1, 0]
    assert points(r.contact) == {(4, 1), (4, 2)}


def test_never() -> None:
    r = checked(SQUARE, shapes.box(4, 1, 2, 2), (-4.0, 0.0))
    assert r.will_intersect is False
    assert r.time == math.inf
    assert r.normal.tolist() == r.mtv.tolist() == [0, 0]
    assert np.isnan(r.contact).all()


def test_arrival_at_exactly_time_one_counts() -> None:
    r = checked(SQUARE, shapes.box(4, 1, 2, 2), (2.0, 0.0))
    assert r.time == 1
    assert r.mtv.tolist() == [0, 0]
    assert not checked(SQUARE, shapes.box(4, 1, 2, 2), (math.nextafter(2, 0), 0.0)).will_intersect


def test_touching_now_is_time_zero_even_when_leaving() -> None:
    for velocity in ((-1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)):
        r = checked(SQUARE, shapes.box(2, 1, 2, 2), velocity)
        assert r.intersects
        assert r.will_intersect
        assert r.time == 0
        assert r.normal.tolist() == [-1, 0]


def test_overlapping_now_has_the_normal_and_contact_of_sat() -> None:
    overlapping = 0
    for a, b in seeded_pairs(80):
        now = carom.sat(a, b)
        if carom.intersects(a, b):
            overlapping += 1
            r = checked(a, b, (3.0, -1.0))
            assert r.time == 0
            assert r.normal.tolist() == now.normal.tolist()
            assert r.contact.tolist() == now.contact.tolist()
    assert overlapping > 50


def test_zero_velocity_asks_about_now() -> None:
    assert not checked(SQUARE, shapes.box(3, 0, 1, 1), (0.0, -0.0))
    assert checked(SQUARE, shapes.box(1, 0, 1, 1), (0.0, 0.0)).time == 0


def test_passing_right_through_is_caught() -> None:
    wall = shapes.box(10, -50, 0.001, 100)
    r = checked(SQUARE, wall, (1000.0, 0.0))
    assert r.time == pytest.approx(8 / 1000)
    r = checked(SQUARE, shapes.box(1e9, 0, 1e-6, 1), (1e15, 0.0))
    assert r.will_intersect


def test_moving_past_a_corner_is_no_false_alarm() -> None:
    """Along every edge normal the swept shapes overlap; across the velocity they don't."""
    a, b = shapes.box(0, 0, 1, 1), shapes.box(6, 3, 1, 1)
    assert not checked(a, b, (10.0, 10.0)).will_intersect
    assert checked(a, b, (10.0, 6.0)).will_intersect


def test_grazing_a_corner_touches() -> None:
    a, b = shapes.box(0, 0, 1, 1), shapes.box(4, 2, 1, 1)
    r = checked(a, b, (6.0, 6.0))
    assert r.will_intersect
    assert r.time == 0.5
    assert r.mtv.tolist() == [0, 0]
    assert points(r.contact) == {(4, 3)}
    assert not checked(a, b, (6.0, math.nextafter(6.0, 7))).will_intersect


def test_sliding_along_an_edge_touches_all_the_while() -> None:
    """Above the long box, exactly on its top, from outside its span."""
    r = checked(shapes.box(0, 2, 1, 1), shapes.box(3, 0, 9, 2), (4.0, 0.0))
    assert r.time == 0.5
    assert points(r.contact) == {(3, 2)}


def test_sliding_an_ulp_above_an_edge_touches_nothing() -> None:
    above = math.nextafter(2, 3)
    a = [(0.0, above), (1.0, above), (1.0, 3.0), (0.0, 3.0)]
    assert not checked(a, shapes.box(3, 0, 9, 2), (4.0, 0.0)).will_intersect


def test_a_small_body_inside_a_large_one_hits_at_once() -> None:
    r = checked(shapes.box(4, 4, 1, 1), shapes.box(0, 0, 10, 10), (0.5, 0.25))
    assert r.intersects
    assert r.time == 0


def test_vertex_on_edge_has_the_normal_of_the_edge() -> None:
    diamond = [(5.0, 1.0), (6.0, 0.0), (7.0, 1.0), (6.0, 2.0)]
    assert checked(SQUARE, diamond, (6.0, 0.0)).normal.tolist() == [-1, 0]
    r = checked(diamond, SQUARE, (-6.0, 0.0))
    assert r.normal.tolist() == [1, 0]
    assert points(r.contact) == {(2, 1)}


def test_vertex_on_vertex_has_the_bisector() -> None:
    r = checked(SQUARE, shapes.box(4, 4, 1, 1), (4.0, 4.0))
    assert r.normal.tolist() == BISECTOR
    assert points(r.contact) == {(4, 4)}


def test_bisector_is_between_the_normals_that_both_shapes_allow() -> None:
    """A sharp tip against a square's corner: the tip's edges bound the cone, on one side."""
    tip = [(4.0, 4.0), (9.0, 4.5), (9.0, 5.0)]
    r = checked(SQUARE, tip, (4.0, 4.0))
    assert r.normal.tolist() == BISECTOR
    tip = [(4.0, 4.0), (9.0, 3.0), (9.0, 5.0)]  # its lower edge falls below the corner's level
    r = checked(SQUARE, tip, (4.0, 4.0))
    low = np.array([-1.0, -5.0]) / math.sqrt(26)
    between = low + np.array([-1.0, 0.0])
    assert r.normal.tolist() == pytest.approx(list(between / np.hypot(*between)), abs=1e-10)


def test_on_a_tie_of_edges_normal_is_that_of_a() -> None:
    r = checked([(0.0, 0.0), (3.0, 1.0), (0.0, 2.0)], [(3.0, 4.0), (3.0, 9.0), (0.0, 3.0)], (0, 4))
    assert r.will_intersect
    slope = [(0.0, 0.0), (3.0, 0.0), (0.0, 1.5)]
    ramp = [(5.0, 5.0), (2.0, 5.0), (5.0, 3.5)]
    r = checked(slope, ramp, (0.0, 8.0))
    normal = np.array([-1.0, -2.0]) / math.sqrt(5)
    assert r.normal.tolist() == pytest.approx(normal.tolist(), abs=1e-10)
    assert points(r.contact) == {(2.0, 5.0), (3.0, 4.5)}


def test_contact_is_in_the_coordinates_of_the_resting_shape() -> None:
    r = checked(shapes.box(100, 0, 2, 2), shapes.box(0, 0, 2, 2), (-196.0, 0.0))
    assert r.time == 0.5
    assert points(r.contact) == {(2, 0), (2, 2)}


def test_clear_of_the_whole_sweep_after_mtv() -> None:
    for seed, (a, b) in enumerate(seeded_pairs(160, "generic", "lattices", "nested")):
        velocity = shapes.velocity(Random(seed), a, b, "random")
        r = checked(a, b, velocity)
        if not r.will_intersect:
            continue
        beyond = [x * (1 + 1e-9) for x in r.mtv]
        out = shapes.moved(a, *beyond)
        depth = math.hypot(*r.mtv)
        if depth > 1e-6:
            assert not carom.swept_collision(out, b, velocity).will_intersect
            half = shapes.moved(a, *(x * 0.999 for x in r.mtv))
            assert carom.swept_collision(half, b, velocity).will_intersect


def test_mtv_pushes_the_passer_back_or_aside_whichever_is_less() -> None:
    wall = shapes.box(10, -50, 1, 100)
    assert checked(SQUARE, wall, (9.0, 0.0)).mtv.tolist() == [-1, 0]
    post = shapes.box(10, 1.5, 1, 100)
    assert checked(SQUARE, post, (1000.0, 0.0)).mtv.tolist() == [0, -0.5]


def test_a_dent_is_reached_later_than_its_hull() -> None:
    """The mtv is that of the hull, which is overlapped a little more."""
    dent = DENTED[3][1]
    r = checked([(2.0, 2.0), (3.0, 3.0), (1.0, 3.0)], DENTED, (0.0, -1.0))
    assert not r.intersects
    assert r.time == pytest.approx(2 - dent, rel=1e-10, abs=0)
    assert r.mtv.tolist() == [0, 1]


def test_dented_sides_may_touch_in_two_places_at_once() -> None:
    """Vehicles turned alike at map coordinates: both ends of the sides meet, the middles don't."""
    a = [
        (365757.0101561259, 5517274.403594311),
        (365753.15656814165, 5517271.444022445),
        (365749.30298015743, 5517268.48445058),
        (365750.6577191731, 5517266.720477197),
        (365752.0124581888, 5517264.956503816),
        (365755.86604617303, 5517267.916075682),
        (365759.71963415726, 5517270.875647548),
        (365758.36489514157, 5517272.63962093),
    ]
    b = [
        (365768.7815491414, 5517271.819114172),
        (365770.1362881571, 5517270.05514079),
        (365766.28270017286, 5517267.095568924),
        (365762.42911218863, 5517264.135997058),
        (365761.07437317295, 5517265.899970439),
        (365759.71963415726, 5517267.663943822),
        (365763.5732221415, 5517270.623515687),
        (365767.4268101257, 5517273.583087553),
    ]
    r = checked(a, b, (155.82855187170205, 26.677308738231662))
    for x, y in points(r.contact):
        ends = ((365759.71963415726, 5517267.663943822), (365765.101105917, 5517271.796936887))
        assert min(math.dist((x, y), end) for end in ends) < 1e-8


@pytest.mark.parametrize("scale", SCALES)
def test_time_is_right_at_every_magnitude(scale: float) -> None:
    a, b = (shapes.stretched(p, scale, scale) for p in (SQUARE, shapes.box(4, 1, 2, 2)))
    assert checked(a, b, (8 * scale, 0.0)).time == 0.25
    assert not checked(a, b, (2 * scale, 2 * scale + scale * 2)).will_intersect


def test_a_time_below_the_subnormals_is_the_least_float() -> None:
    a, b = shapes.box(-1, 0, 1, 1), [(5e-324, 0.0), (1.0, 0.0), (1.0, 1.0)]
    assert checked(a, b, (1e300, 0.0)).time == 5e-324


def test_a_plus_velocity_is_never_rounded() -> None:
    """The displacement is far below the last place of the coordinates, and yet arrives."""
    a = shapes.box(2.0**52, 0, 1, 1)
    edge = 2.0**52 + 1
    b = [(edge + 1, 0.0), (edge + 9, 0.0), (edge + 9, 1.0), (edge + 1, 1.0)]
    for step, expected in ((math.nextafter(1, 0), False), (1.0, True)):
        assert checked(a, b, (step, 0.0)).will_intersect is expected
    still = shapes.box(2.0**60, 0, 2.0**10, 1)
    touching = shapes.box(2.0**60 + 2.0**10, 0, 2.0**10, 1)
    assert checked(still, touching, (-5e-324, 0.0)).time == 0


BOTH_MOVE: tuple[Any, ...] = (carom.swept_collision_batch, carom.closest_approach_batch)


@pytest.mark.slow
@pytest.mark.parametrize("aim", areas.VELOCITIES)
def test_the_difference_of_velocities_is_not_rounded(aim: str) -> None:
    rng = Random(aim)
    for _ in range(40):
        a, b = areas.pair(rng, rng.choice(list(areas.PAIRS)))
        x, y = areas.velocity(rng, a, b, aim)
        v = rng.choice([1e16, 0.1, 3.0]), rng.choice([0.1, -7.7e10])
        u = x + v[0], y + v[1]
        sweep, approach = (
            it([bare(a)], [bare(b)], velocity_a=u, velocity_b=v)[0] for it in BOTH_MOVE
        )
        truth = check.assert_swept_collision(a, b, u, sweep, v)
        assert (approach.distance == 0) is truth.will_intersect
        assert approach.time == sweep.time or not truth.will_intersect


class Many:
    """Pairs of shapes of all kinds with margins, velocities in halves, and turns."""

    def __init__(self, seed: int) -> None:
        rng, rows, pairs = Random(seed), range(40), range(1200)
        radii = (0.0, 0.0, 0.0, 1.0)
        a, b = (
            kinds.column([kinds.shape(rng, radius=rng.choice(radii)) for _ in rows]) for _ in "ab"
        )
        self.columns = [a, b.translate((5.0, 0.0))]
        self.pairs = np.array([[rng.choice(rows) for _ in pairs] for _ in "ij"])
        self.u, self.v = (np.array([kinds.velocity(rng) for _ in pairs]) for _ in "uv")
        self.margin = np.array([rng.choice(radii) for _ in pairs])
        turn = np.array([rng.choice([0.0, 0.5, -2.0]) for _ in pairs])
        self.turns = {"turn_b": turn, "center_b": (1.0, 2.0)}

    def sweep(self, **given: Any) -> Any:
        given = {"pairs": self.pairs, "margin": self.margin} | given
        return BOTH_MOVE[0](*self.columns, **given)


@pytest.mark.parametrize("turning", [False, True])
def test_a_difference_of_velocities_that_is_a_vector_of_floats_has_its_bits(turning: bool) -> None:
    many = Many(3)
    turns = many.turns if turning else {}
    both = many.sweep(velocity_a=many.u, velocity_b=many.v, **turns)
    expected = many.sweep(velocity=many.u - many.v, **turns)
    assert 300 < expected.will_intersect.sum() < 900
    assert [bits(it) for it in both._astuple()] == [bits(it) for it in expected._astuple()]
    given: Any = {"pairs": many.pairs, "fields": ("time", "distance"), **turns}
    near = BOTH_MOVE[1](*many.columns, velocity_a=many.u, velocity_b=many.v, **given)
    expected = BOTH_MOVE[1](*many.columns, many.u - many.v, **given)
    assert bits(near.time) == bits(expected.time)
    assert bits(near.distance) == bits(expected.distance)


def test_scalars_have_the_bits_of_the_batch_when_both_move() -> None:
    many = Many(6)
    (i, j), (a, b) = many.pairs, many.columns
    # Some differences are vectors of floats, others are not.
    v = many.v * np.where(np.arange(len(i)) % 2, 2.0**-60, 1.0)[:, None]
    sweeps = many.sweep(velocity_a=many.u, velocity_b=v)
    near = BOTH_MOVE[1](a, b, velocity_a=many.u, velocity_b=v, pairs=many.pairs)
    for row in range(0, len(i), 5):
        one, other = a[i[row] : i[row] + 1], b[j[row] : j[row] + 1]
        given = {"velocity_a": many.u[row], "velocity_b": v[row]}
        swept = carom.swept_collision(one, other, **given, margin=many.margin[row])
        assert_row_is_scalar(sweeps, row, swept)
        assert_row_is_scalar(near, row, carom.closest_approach(one, other, **given))


@pytest.mark.parametrize("threads", [1, 2])
def test_contacts_by_rounded_differences_are_those_with_moving_obstacles(threads: int) -> None:
    many = Many(4)
    # Whether shapes touch at the end of the frame depends on the last bits.
    v = many.v * 2.0**-60
    found = many.sweep(velocity_a=many.u, velocity_b=v, threads=threads)
    rounded = many.sweep(velocity=many.u - v)
    assert (found.will_intersect != rounded.will_intersect).any()
    a, b = many.columns
    for row, (i, j) in enumerate(many.pairs.T):
        met = carom.first_contact(
            a[i : i + 1],
            [[(0.0, 0.0, 0.0), (*many.u[row], 0.0)]],
            b[j : j + 1],
            velocity=v[row],
            margin=many.margin[row],
        )[0]
        assert found.will_intersect[row] == (met.step == 0)
        assert found.time[row] == pytest.approx(met.time, rel=1e-10, abs=0)
        assert found.normal[row] == pytest.approx(met.normal, abs=1e-10)
    both = found.will_intersect & rounded.will_intersect
    depths = (np.hypot(*it.mtv[both].T) for it in (found, rounded))
    np.testing.assert_allclose(*depths, rtol=1e-10, atol=1e-10)


def test_turning_pairs_with_rounded_differences_are_those_of_the_join() -> None:
    many = Many(5)
    i, j = many.pairs
    of_a = {"velocity_a": many.u, "margin": many.margin}
    of_b = {"velocity_b": many.v * 2.0**-60, "turn_b": many.turns["turn_b"]}
    of_a, of_b = ({name: it[:40] for name, it in of.items()} for of in (of_a, of_b))
    joined = carom.colliding_pairs(*many.columns, **of_a, **of_b, center_b=(1.0, 2.0))
    meet = np.zeros((40, 40), dtype=bool)
    meet[tuple(joined)] = True
    found = many.sweep(
        velocity_a=of_a["velocity_a"][i],
        velocity_b=of_b["velocity_b"][j],
        margin=of_a["margin"][i],
        turn_b=of_b["turn_b"][j],
        center_b=(1.0, 2.0),
    )
    assert np.array_equal(found.will_intersect, meet[i, j])
    assert 300 < found.will_intersect.sum() < 900


def test_velocities_of_both_are_refused_by_name_and_may_differ_by_more_than_a_float() -> None:
    squares, boxes = [SQUARE] * 3, [shapes.box(4, 1, 2, 2)] * 3
    u = [(1e308, 0.0), (4.0, 0.0), (math.inf, 0.0)]
    v = [(-1e308, 0.0), (0.0, math.nan), (0.0, 0.0)]
    for function in BOTH_MOVE:
        with pytest.raises(ValueError, match=r"velocity_b\[1\] is \(0.0, nan\); it must be finite"):
            function(squares, boxes, velocity_a=u, velocity_b=v)
        with pytest.raises(ValueError, match=r"velocity_a\[2\] is \(inf, 0.0\); it must be finite"):
            function(squares, boxes, velocity_a=u, velocity_b=[v[0], v[2], v[2]])
        masked = function(squares, boxes, velocity_a=u, velocity_b=v, on_invalid="mask")
        assert masked.valid.tolist() == [True, False, False]
        assert masked.time[0] == pytest.approx(1e-308, rel=1e-10)


def test_result_is_true_when_shapes_will_intersect() -> None:
    assert carom.swept_collision(SQUARE, shapes.box(3, 0, 1, 1), (1, 0))
    assert not carom.swept_collision(SQUARE, shapes.box(3, 0, 1, 1), (0.5, 0))


def test_result_has_python_scalars_and_float64_vectors() -> None:
    types = dict.fromkeys(("normal", "contact", "mtv"), np.ndarray)
    for velocity in ((1, 0), (0.5, 0), array((8, 8), np.float32)):
        r = carom.swept_collision(SQUARE, shapes.box(3, 0, 1, 1), velocity)
        assert_scalar_types(r, intersects=bool, will_intersect=bool, time=float, **types)


def test_swapping_shapes_turns_the_motion_round() -> None:
    for seed, (a, near) in enumerate(seeded_pairs(160)):
        b = shapes.apart(Random(seed), a, near)
        if not shapes.usable(b):
            continue
        x, y = shapes.velocity(Random(seed), a, b, "half")
        one, two = checked(a, b, (x, y)), checked(b, a, (-x, -y))
        assert one.will_intersect == two.will_intersect
        assert one.time == pytest.approx(two.time, rel=1e-10, abs=0)
        if one.will_intersect and len(oracle.swept_collision(a, b, (x, y)).touches) == 1:
            assert one.normal == pytest.approx(-two.normal, abs=1e-9)


def test_writing_a_ring_otherwise_changes_nothing() -> None:
    for seed, (a, b) in enumerate(seeded_pairs(64)):
        velocity = shapes.velocity(Random(seed), a, b, "through")
        truth = carom.swept_collision(a, b, velocity)
        for other in rewritten(a):
            r = checked(other, b, velocity)
            assert (r.intersects, r.will_intersect) == (truth.intersects, truth.will_intersect)
            assert r.time == pytest.approx(truth.time, rel=1e-10, abs=0)


def test_moving_both_by_exact_sums_changes_no_time() -> None:
    for seed, (a, b) in enumerate(seeded_pairs(64, "lattices", "grid_squares")):
        velocity = shapes.velocity(Random(seed), a, b, "half")
        r = checked(shapes.moved(a, -(2.0**20), 3.0), shapes.moved(b, -(2.0**20), 3.0), velocity)
        truth = carom.swept_collision(a, b, velocity)
        assert r.time == pytest.approx(truth.time, rel=1e-10, abs=0)


@pytest.mark.parametrize("power", [-900, 900])
def test_scaling_by_a_power_of_two_changes_no_time(power: int) -> None:
    s = math.ldexp(1.0, power)
    for seed, (a, b) in enumerate(seeded_pairs(64, "generic", "lattices", "flush")):
        x, y = shapes.velocity(Random(seed), a, b, "half")
        large_a, large_b, (v,) = (shapes.stretched(p, s, s) for p in (a, b, [(x, y)]))
        if shapes.stretched([*large_a, *large_b, v], 1 / s, 1 / s) != [*a, *b, (x, y)]:
            continue  # a coordinate underflowed
        r = checked(large_a, large_b, v)
        truth = carom.swept_collision(a, b, (x, y))
        assert r.will_intersect == truth.will_intersect
        assert r.time == pytest.approx(truth.time, rel=1e-10, abs=0)


def test_a_frame_cut_in_two_meets_at_the_same_moment() -> None:
    """Half the velocity doubles the time, or leaves the contact to the second half."""
    for seed, (a, near) in enumerate(seeded_pairs(160, "generic", "lattices")):
        b = shapes.apart(Random(seed), a, near)
        x, y = shapes.velocity(Random(seed), a, b, "half")
        whole, half = checked(a, b, (x, y)), checked(a, b, (x / 2, y / 2))
        # A time is rounded: one that hardly differs from a half may be a half.
        if whole.time < 0.5 * (1 - 1e-10):
            assert half.time == pytest.approx(2 * whole.time, rel=1e-10, abs=0)
        elif whole.time > 0.5 * (1 + 1e-10):
            assert half.will_intersect is False


@examples(500)
@given(strategies.sweeps())
def test_every_field_agrees_with_the_oracle(
    sweep: tuple[shapes.Polygon, shapes.Polygon, shapes.Point],
) -> None:
    checked(*sweep)


def test_batch_rows_are_the_scalar_results_to_the_bit() -> None:
    a, b = quads(300, seed=2)
    rng = Random(0)
    aims = list(shapes.VELOCITIES)
    v = array(
        [
            shapes.velocity(rng, p.tolist(), q.tolist(), rng.choice(aims))
            for p, q in zip(a, b, strict=True)
        ]
    )
    batch = carom.swept_collision_batch(a, b, v)
    for i in range(len(a)):
        assert_row_is_scalar(batch, i, carom.swept_collision(a[i], b[i], v[i]))


def test_one_velocity_serves_a_whole_batch() -> None:
    a, b = quads(20, seed=3)
    batch = carom.swept_collision_batch(a, b, (1.0, -2.0))
    for i in range(len(a)):
        assert_row_is_scalar(batch, i, carom.swept_collision(a[i], b[i], (1.0, -2.0)))


SHELL_AND_TOUCHING_HOLE = [
    [(32.0, 56.0), (32.0, 32.0), (56.0, 32.0), (56.0, 56.0)],
    [(37.671875, 36.03125), (38.703125, 48.2890625), (34.671875, 47.9609375), (38.0, 32.0)],
]


def test_a_hole_that_touches_the_shell_from_inside_gives_no_normal_outside() -> None:
    square = [(0.0, 24.0), (24.0, 24.0), (24.0, 0.0), (0.0, 0.0)]
    result = carom.swept_collision(square, SHELL_AND_TOUCHING_HOLE, (28.0, 16.0))
    assert result.time == 0.5
    assert result.normal.tolist() == [0.0, -1.0]
    assert result.contact.tolist() == [[32.0, 32.0], [38.0, 32.0]]


def test_a_tip_reaches_the_point_where_a_hole_touches_the_shell() -> None:
    x, y = 450005.75, 5399996.5
    shell = [(x - 5, y), (x + 22.5, y), (x + 22.5, y + 20), (x - 5, y + 20)]
    hole = [(x - 0.5, y + 0.5), (x, y), (x + 0.5, y + 0.5), (x, y + 1)]
    tip = [(x, y - 32), (x - 0.5, y - 31.5), (x, y - 31), (x + 0.5, y - 31.5)]
    result = carom.swept_collision(tip, [shell, hole], (0.0, 32.0))
    assert (result.time, result.normal.tolist()) == (0.96875, [0.0, -1.0])
    # From within the hole the same point is a notch between its sides.
    tip = [(x, y + 0.25), (x + 0.125, y + 0.5), (x - 0.125, y + 0.5)]
    result = carom.swept_collision(tip, [shell, hole], (0.0, -0.5))
    assert (result.time, result.normal.tolist()) == (0.5, [0.0, 1.0])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("fields", [("intersects",), ("will_intersect",), ("intersects", "time")])
@pytest.mark.parametrize("rows", [1, 8, 20])
def test_a_velocity_that_is_no_number_is_refused_also_where_the_shapes_overlap(
    bad: float, fields: tuple[str, ...], rows: int
) -> None:
    squares = np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]] * rows)
    velocity = np.zeros((rows, 2))
    velocity[rows // 2, 1] = bad
    for polygons in (squares, carom.Shapes(list(squares))):
        with pytest.raises(ValueError, match="velocity"):
            carom.swept_collision_batch(polygons, squares + 0.3, velocity, fields=fields)
        masked = carom.swept_collision_batch(
            polygons, squares + 0.3, velocity, fields=fields, on_invalid="mask"
        )
        assert masked.valid.tolist() == [row != rows // 2 for row in range(rows)]


def test_edges_that_become_flush_left_of_the_origin_and_right_of_it_share_a_segment() -> None:
    square = [(-3.0, -4.0), (0.0, -4.0), (0.0, -2.0), (-3.0, -2.0)]
    triangle = [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0)]
    result = carom.swept_collision(square, triangle, (4.0, 3.0))
    assert (result.time, result.contact.tolist()) == (1.0, [[1.0, 1.0], [2.0, 1.0]])

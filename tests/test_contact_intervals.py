"""`contact_intervals`: all times of the frame at which shapes touch."""

from __future__ import annotations

import itertools
import math
from random import Random
from typing import Any

import carom
import numpy as np
import pytest

from generators import areas, kinds, shapes, turns
from generators.areas import bare
from helpers import bits
from reference.oracle.contact_intervals import Interval, assert_contact_intervals
from reference.oracle.kinds import Floats, Shape, is_within

PAIRS_OF_KINDS = [*itertools.product(kinds.KINDS, repeat=2)]
SQUARE = shapes.box(0, 0, 2, 2)
COMB = [
    *((0.0, 0.0), (9.0, 0.0), (9.0, 3.0), (8.0, 3.0), (8.0, 1.0), (5.0, 1.0)),
    *((5.0, 3.0), (4.0, 3.0), (4.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)),
]
"""Three teeth that point up, at x from 0 to 1, from 4 to 5 and from 8 to 9."""
FRAME = [shapes.box(0, 0, 10, 10), shapes.box(1, 1, 8, 8)]


def listed(a: Any, b: Any, velocity: Floats, margin: float = 0.0) -> list[list[float]]:
    found = carom.contact_intervals(a, b, velocity, margin=margin)
    assert isinstance(found, np.ndarray)
    assert found.dtype == np.float64
    return found.tolist()


def checked(a: Shape, b: Shape, velocity: Floats, margin: float = 0.0) -> list[Interval]:
    found = carom.contact_intervals(kinds.row(a), kinds.row(b), velocity, margin=margin)
    return assert_contact_intervals(a, b, velocity, margin, found)


# --- what they are ------------------------------------------------------------------------------


def test_a_square_passes_a_square() -> None:
    assert listed(SQUARE, shapes.box(4, 1, 2, 2), (8.0, 0.0)) == [[0.25, 0.75]]


def test_none_is_no_rows_of_two() -> None:
    found = carom.contact_intervals(SQUARE, shapes.box(4, 1, 2, 2), (-8.0, 0.0))
    assert found.shape == (0, 2)
    assert found.dtype == np.float64


def test_shapes_at_rest_in_touch_touch_all_the_time() -> None:
    for other in (shapes.box(2, 0, 1, 1), shapes.box(1, 1, 9, 9), shapes.box(2, 2, 1, 1)):
        assert listed(SQUARE, other, (0.0, -0.0)) == [[0.0, 1.0]]
    assert listed(SQUARE, shapes.box(3, 0, 1, 1), (0.0, 0.0)) == []


def test_the_frame_cuts_at_exactly_0_and_1() -> None:
    assert listed(SQUARE, shapes.box(1, 1, 2, 2), (6.0, 0.0)) == [[0.0, 0.5]]
    assert listed(SQUARE, shapes.box(4, 1, 2, 2), (4.0, 0.0)) == [[0.5, 1.0]]
    assert listed(SQUARE, shapes.box(1, 1, 2, 2), (0.5, 0.0)) == [[0.0, 1.0]]


def test_touching_only_at_an_end_of_the_frame_is_a_moment() -> None:
    assert listed(SQUARE, shapes.box(4, 1, 2, 2), (2.0, 0.0)) == [[1.0, 1.0]]
    assert listed(SQUARE, shapes.box(2, 1, 2, 2), (-2.0, 0.0)) == [[0.0, 0.0]]


def test_a_graze_is_a_moment_with_equal_ends() -> None:
    a, b = shapes.box(0, 0, 1, 1), shapes.box(4, 2, 1, 1)
    assert listed(a, b, (6.0, 6.0)) == [[0.5, 0.5]]
    assert listed(a, b, (6.0, math.nextafter(6.0, 7))) == []
    ((start, end),) = listed(a, b, (6.0, math.nextafter(6.0, 5)))
    assert start < end
    for velocity in ((7.0, 7.0), (3.0, 3.0), (10.0, 10.0)):
        ((start, end),) = listed(a, b, velocity)
        assert bits(start) == bits(end)


def test_every_tooth_of_a_comb_is_an_interval() -> None:
    pin = shapes.box(-2, 2, 1, 5)
    assert listed(pin, COMB, (16.0, 0.0)) == [[0.0625, 0.1875], [0.3125, 0.4375], [0.5625, 0.6875]]
    assert listed(pin, COMB, (-16.0, 0.0)) == []
    low = shapes.box(-2, 0.5, 1, 5)
    assert listed(low, COMB, (16.0, 0.0)) == [[0.0625, 0.6875]]


def test_tips_of_teeth_that_are_only_brushed_touch() -> None:
    """Sliding along the tips, exactly at their height and an ulp above."""
    slider = shapes.box(-2, 3, 1, 5)
    assert listed(slider, COMB, (16.0, 0.0)) == [
        [0.0625, 0.1875],
        [0.3125, 0.4375],
        [0.5625, 0.6875],
    ]
    assert listed(shapes.moved(slider, 0.0, 2.0**-50), COMB, (16.0, 0.0)) == []


def test_intervals_that_touch_are_one() -> None:
    """One tooth is left at the moment in which the next is met."""
    wide = shapes.box(-4, 2, 3, 5)
    assert listed(wide, COMB, (16.0, 0.0)) == [[0.0625, 0.8125]]
    narrower = shapes.box(-4, 2, math.nextafter(3, 0), 5)
    assert len(listed(narrower, COMB, (16.0, 0.0))) == 3


def test_a_body_crosses_a_frame() -> None:
    body = shapes.box(-3, 4, 1, 1)
    assert listed(body, FRAME, (16.0, 0.0)) == [[0.125, 0.25], [0.6875, 0.8125]]
    inside = shapes.box(4, 4, 1, 1)
    assert listed(inside, FRAME, (1.0, 0.0)) == []
    assert listed(inside, FRAME, (8.0, 0.0)) == [[0.5, 0.75]]


def test_a_peg_that_fits_its_hole_touches_it_all_the_while() -> None:
    assert listed(shapes.box(2, 1, 2, 8), FRAME, (5.0, 0.0)) == [[0.0, 1.0]]
    assert listed(shapes.box(2, 1, 2, 8), FRAME, (0.0, 1.0)) == [[0.0, 1.0]]
    slot = shapes.box(2, 1, 2, math.nextafter(7, 8))
    assert listed(slot, FRAME, (0.0, 0.0)) == [[0.0, 1.0]]


def test_points_and_paths() -> None:
    zigzag = Shape("path", [[(0.0, 0.0), (2.0, 4.0), (4.0, 0.0), (6.0, 4.0)]])
    point = turns.point(-2.0, 2.0)
    found = checked(point, zigzag, (8.0, 0.0))
    assert found == [(3 / 8, 3 / 8), (5 / 8, 5 / 8), (7 / 8, 7 / 8)]
    assert checked(turns.point(-2.0, 4.0), zigzag, (8.0, 0.0)) == [(0.5, 0.5), (1, 1)]
    # Along its own line into a path, and out of it.
    line = turns.segment((2.0, 0.0), (4.0, 0.0))
    assert checked(turns.point(0.0, 0.0), line, (8.0, 0.0)) == [(0.25, 0.5)]
    assert checked(turns.segment((-1.0, 0.0), (0.0, 0.0)), line, (8.0, 0.0)) == [(0.25, 0.625)]
    assert checked(turns.point(0.0, 0.0), turns.point(3.0, 4.0), (6.0, 8.0)) == [(0.5, 0.5)]


def test_radii_and_margins_widen_them() -> None:
    wall = turns.box(4.0, -9.0, 2.0, 18.0)
    for radius, margin in ((1.0, 0.0), (0.25, 0.75), (0.0, 1.0)):
        found = checked(turns.point(0.0, 0.0, radius), wall, (8.0, 0.0), margin)
        assert found == [(3 / 8, 7 / 8)]
    # Two circles pass at 3, 4, 5, and graze exactly.
    assert checked(turns.point(-8.0, 4.0, 2.0), turns.point(0.0, 0.0, 3.0), (16.0, 0.0)) == [
        (5 / 16, 11 / 16)
    ]
    graze = checked(turns.point(-8.0, 5.0, 2.0), turns.point(0.0, 0.0, 3.0), (16.0, 0.0))
    assert graze == [(0.5, 0.5)]
    assert not checked(
        turns.point(-8.0, math.nextafter(5.0, 6), 2.0), turns.point(0.0, 0.0, 3.0), (16.0, 0.0)
    )


def test_parts_of_a_shape_are_one_shape() -> None:
    boxes = Shape("polygon", [[shapes.box(x, 0.0, 2.0, 2.0)] for x in (0.0, 4.0, 8.0)])
    assert checked(turns.point(-2.0, 0.5), boxes, (16.0, 0.0)) == [
        (1 / 8, 1 / 4),
        (3 / 8, 1 / 2),
        (5 / 8, 3 / 4),
    ]


# --- against the oracle -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), PAIRS_OF_KINDS)
def test_all_kinds_have_the_intervals_of_the_oracle(one: str, other: str) -> None:
    rng = Random(f"intervals {one} {other}")
    for sharp in (True, True, False) * 4:
        radius, margin = (0.0, 0.0) if sharp else (None, kinds.margin(rng))
        a = kinds.shape(rng, kind=one, radius=radius)
        b = turns.moved(kinds.shape(rng, kind=other, radius=radius), rng.choice([0.0, 5.0]), 0.0)
        checked(a, b, kinds.velocity(rng, 10), margin)


@pytest.mark.parametrize("part", range(4))
def test_areas_have_the_intervals_of_the_oracle(part: int) -> None:
    families = sorted(areas.PAIRS)
    for seed in range(part * 30, part * 30 + 30):
        rng = Random(f"intervals {seed}")
        a, b = areas.pair(rng, families[seed % len(families)])
        velocity = areas.velocity(rng, a, b, rng.choice(areas.VELOCITIES))
        if len(a) * len(b) * max(map(len, a)) > 300:
            continue
        found = carom.contact_intervals(bare(a), bare(b), velocity)
        one, other = Shape("polygon", [a]), Shape("polygon", [b])
        assert_contact_intervals(one, other, velocity, 0.0, found)


def test_intervals_end_with_the_frame_exactly_if_the_shapes_touch_then() -> None:
    """The frame ends within some ulps of the time at which they part, or come into contact."""
    rng, cut = Random(11), 0
    for kind, radius, toward in itertools.product(kinds.KINDS, (0.0, 0.3), (False, True)):
        for _ in range(12):
            a = kinds.shape(rng, kind=rng.choice(kinds.KINDS), radius=0.0)
            b = turns.moved(kinds.shape(rng, kind=kind, radius=radius), 5.3, 0.0)
            way = (8.1, rng.choice([0.0, 0.7]))
            whole = listed(kinds.row(a), kinds.row(b), (20 * way[0], 20 * way[1]))
            if not whole:
                continue
            # Of the first interval its begin, or of the last one its end.
            ulps = rng.randint(-3, 3)
            end = 20 * (whole[0][0] if toward else whole[-1][1]) * (1 + ulps * 2.0**-53)
            truth = checked(a, b, (end * way[0], end * way[1]))
            cut += bool(truth) and truth[-1][1] == 1
    assert 40 < cut < 200


def reversed_in_time(intervals: list[list[float]]) -> list[list[float]]:
    return [[1 - end, 1 - start] for start, end in intervals[::-1]]


@pytest.mark.parametrize("speed", [8, 16, 32, 64])
def test_backwards_the_intervals_are_reversed(speed: int) -> None:
    """With whole coordinates and a speed of a power of two, ends are floats, and their order is
    all that changes, bit for bit."""
    rng = Random(speed)
    several = 0
    for _ in range(150):
        a, b = (kinds.shape(rng, size=5, radius=0.0) for _ in range(2))
        x, y = rng.choice([(speed, 0), (0, speed), (speed, speed), (-speed, speed)])
        axis = rng.choice([a, b, None])
        if axis is None or x * y == 0:
            a = turns.moved(a, -float(rng.randint(0, speed)) * (x != 0), 0.0)
        one = listed(kinds.row(a), kinds.row(b), (x, y))
        there = turns.moved(a, x, y)
        back = listed(kinds.row(there), kinds.row(b), (-x, -y))
        several += len(one) > 1
        if all((t * 2**40).is_integer() for pair in one + back for t in pair):
            assert one == reversed_in_time(back)
        else:
            np.testing.assert_allclose(one, reversed_in_time(back), atol=2e-10)
    assert several > 5


def test_swapping_shapes_and_motion_changes_nothing() -> None:
    rng = Random(3)
    for _ in range(150):
        a, b = kinds.shape(rng), turns.moved(kinds.shape(rng), 5.0, 0.0)
        (x, y), margin = kinds.velocity(rng, 10), kinds.margin(rng)
        one = listed(kinds.row(a), kinds.row(b), (x, y), margin)
        other = listed(kinds.row(b), kinds.row(a), (-x, -y), margin)
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=2e-10)


def test_the_first_enter_is_the_first_contact() -> None:
    rng = Random(4)
    for _ in range(300):
        a, b = kinds.shape(rng), turns.moved(kinds.shape(rng), 5.0, 0.0)
        velocity, margin = kinds.velocity(rng, 10), kinds.margin(rng)
        swept = carom.swept_collision(kinds.row(a), kinds.row(b), velocity, margin=margin)
        found = listed(kinds.row(a), kinds.row(b), velocity, margin)
        assert bool(found) is swept.will_intersect
        if found:
            assert found[0][0] == pytest.approx(swept.time, rel=2e-10, abs=0)


@pytest.mark.parametrize("power", [-1040, -600, -530, 530, 1000])
def test_magnitude_changes_no_time(power: int) -> None:
    scale = math.ldexp(1.0, power)
    comb, pin = (
        shapes.stretched(COMB, scale, scale),
        shapes.stretched(shapes.box(-2, 2, 1, 5), scale, scale),
    )
    want = [[0.0625, 0.1875], [0.3125, 0.4375], [0.5625, 0.6875]]
    assert listed(pin, comb, (16 * scale, 0.0)) == want


def test_thin_gaps_of_sharp_shapes_stay_open() -> None:
    """Teeth an ulp apart are told apart, though no float lies between the times."""
    left = shapes.box(0, 0, 1, 1)
    right = shapes.box(math.nextafter(1.0, 2), 0, 1, 1)
    both = Shape("polygon", [[left], [right]])
    found = carom.contact_intervals(kinds.row(turns.point(-1.0, 0.5)), kinds.row(both), (4.0, 0.0))
    assert len(found) == 2
    assert found.tolist()[0] == [0.25, 0.5]
    assert found[1].tolist() == pytest.approx([0.5, 0.75])


def test_a_miss_that_times_cannot_tell_from_a_graze_has_no_interval() -> None:
    """The point passes a corner of the region beside an edge, within the rounding of times."""
    far = 2.0**28
    path = carom.Shapes.from_paths([(-3, -5 * far), (5, 0), (-3, 2 * far)], [0, 3])
    point = carom.Shapes.from_points([(-5, 0)])
    below = math.nextafter(2.0, 0.0)
    assert listed(path, point, (0.0, -3 * far), below) == []
    assert listed(path.with_radius(below), point, (0.0, -3 * far)) == []
    assert len(listed(path, point, (0.0, -3 * far), 2.0)) == 1

    fast = carom.Shapes.from_points(
        [(4.719739349925542e17, -6.270212772741866e17)], 0.23419205521205846
    )
    edge = carom.Shapes.from_paths([(0.0, 0.0), (2.1103694968098283, 0.20666089078560734)], [0, 2])
    velocity = (-6.013919317538689e17, 7.989541566456425e17)
    assert listed(fast, edge, velocity) == []
    assert listed(edge, fast, (-velocity[0], -velocity[1])) == []


@pytest.mark.slow
def test_points_that_pass_a_path_fast_touch_it_exactly_if_they_come_near_enough() -> None:
    rng, touching = Random(7), 0
    for _ in range(2_000):
        scale = 2.0 ** rng.choice([0, 20, 30, 40, 50, 300])
        (start, by, *path) = (
            (float(rng.randint(-5, 5)), rng.randint(-5, 5) * scale)
            for _ in range(rng.choice([4, 5]))
        )
        way = Shape("path", [[start, (start[0] + by[0], start[1] + by[1])]])
        other = Shape("path", [path])
        least = carom.distance(kinds.row(way), kinds.row(other)).distance
        radius = least * (1 + rng.choice([0.0, 2e-16, -2e-16, 4e-16, -4e-16, 1e-12, -1e-12, -0.01]))
        if radius == 0:
            continue
        expected = is_within(way, other, radius)
        touching += expected
        point, row = kinds.row(turns.point(*start)), kinds.row(other)
        back = (-by[0], -by[1])
        assert bool(listed(point, row, by, radius)) is expected, (start, by, path, radius)
        assert bool(listed(row, point, back, radius)) is expected, (start, by, path, radius)
    assert 300 < touching < 1_700


# --- both move ----------------------------------------------------------------------------------


def both_move(rng: Random) -> tuple[Floats, Floats]:
    """Velocities whose difference is mostly no vector of floats."""
    (x, y), v = kinds.velocity(rng, 10), (rng.choice([0.1, 1e16]), rng.choice([0.1, -7.7e10]))
    return (x + v[0], y + v[1]), v


@pytest.mark.parametrize("part", range(4))
def test_the_difference_of_both_velocities_is_not_rounded(part: int) -> None:
    rng, several = Random(f"both {part}"), 0
    for _ in range(60):
        a, b = kinds.shape(rng), turns.moved(kinds.shape(rng), rng.choice([0.0, 5.0]), 0.0)
        (u, v), margin = both_move(rng), kinds.margin(rng)
        one, other = kinds.column([a]), kinds.column([b])
        given: Any = {"velocity_a": u, "velocity_b": v, "margin": margin}
        found = carom.contact_intervals(one, other, **given)
        assert_contact_intervals(a, b, u, margin, found, v)
        batch = carom.contact_intervals_batch(one, other, **given)
        assert bits(batch.intervals) == bits(found)
        several += len(found)
    assert several > 20


def test_one_velocity_of_both_is_that_of_the_other_at_rest() -> None:
    rng = Random(12)
    for _ in range(60):
        a, b = (kinds.column([kinds.shape(rng)]) for _ in "ab")
        b = b.translate((5.0, 0.0))
        x, y = kinds.velocity(rng, 10)
        expected = bits(carom.contact_intervals(a, b, (x, y)))
        assert bits(carom.contact_intervals(a, b, velocity_a=(x, y))) == expected
        assert bits(carom.contact_intervals(a, b, velocity_b=(-x, -y))) == expected
        batch = carom.contact_intervals_batch(a, b, velocity_b=[(-x, -y)])
        assert bits(batch.intervals) == expected


# --- batches ------------------------------------------------------------------------------------


def some(count: int, seed: int = 0) -> tuple[list[Shape], list[Shape], np.ndarray, np.ndarray]:
    rng = Random(seed)
    a = [kinds.shape(rng) for _ in range(count)]
    b = [turns.moved(kinds.shape(rng), rng.choice([0.0, 5.0]), 0.0) for _ in range(count)]
    moves = np.array([kinds.velocity(rng, 10) for _ in a])
    return a, b, moves, np.array([kinds.margin(rng) for _ in a])


def test_a_batch_has_the_intervals_of_its_rows_one_after_the_other() -> None:
    a, b, moves, margins = some(200)
    found = carom.contact_intervals_batch(kinds.column(a), kinds.column(b), moves, margin=margins)
    intervals, offsets = found._astuple()
    assert intervals is found.intervals
    assert offsets is found.offsets
    assert intervals.dtype == np.float64
    assert np.issubdtype(offsets.dtype, np.integer)
    assert offsets.shape == (201,)
    assert (offsets[0], offsets[-1]) == (0, len(intervals))
    assert found.valid is None or np.all(found.valid)
    for row in range(200):
        alone = carom.contact_intervals(
            kinds.row(a[row]), kinds.row(b[row]), moves[row], margin=margins[row]
        )
        assert bits(intervals[offsets[row] : offsets[row + 1]]) == bits(alone)


@pytest.mark.parametrize("are_quads", [False, True])
def test_a_batch_in_which_both_move_has_the_bits_of_its_rows(are_quads: bool) -> None:
    rng = Random(13)
    a, b, _, margins = some(200, 5)
    if are_quads:
        a, b = ([turns.box(*(rng.randint(1, 4) for _ in range(4))) for _ in it] for it in (a, b))
    u, v = (np.array(it) for it in zip(*(both_move(rng) for _ in a), strict=True))
    v[::3] = 0.0
    columns = kinds.column(a), kinds.column(b)
    found = carom.contact_intervals_batch(*columns, velocity_a=u, velocity_b=v, margin=margins)
    assert len(found.intervals) > 20
    for row in range(200):
        given: Any = {"velocity_a": u[row], "velocity_b": v[row], "margin": margins[row]}
        alone = carom.contact_intervals(kinds.row(a[row]), kinds.row(b[row]), **given)
        assert bits(found[row]) == bits(alone)


def test_threads_and_unchecked_rows_change_no_bit() -> None:
    a, b, moves, margins = some(120, 1)
    columns = kinds.column(a), kinds.column(b)
    whole = carom.contact_intervals_batch(*columns, moves, margin=margins)
    for keywords in ({"threads": 1}, {"threads": 3}, {"check": False}):
        found = carom.contact_intervals_batch(*columns, moves, margin=margins, **keywords)
        assert bits(found.intervals) == bits(whole.intervals)
        assert bits(found.offsets) == bits(whole.offsets)


def test_rows_broadcast_in_c_order() -> None:
    squares = np.array([SQUARE, shapes.box(0, 0, 1, 1)])
    others = np.array([shapes.box(4, 1, 2, 2), shapes.box(4, 0, 1, 1), shapes.box(9, 9, 1, 1)])
    found = carom.contact_intervals_batch(squares[:, None], others, (8.0, 0.0))
    assert found.offsets.shape == (7,)
    rows = itertools.product(squares, others)
    for row, (one, other) in enumerate(rows):
        alone = carom.contact_intervals(one, other, (8.0, 0.0))
        part = found.intervals[found.offsets[row] : found.offsets[row + 1]]
        assert part.tolist() == alone.tolist()


MASK = np.array([[True, False, True], [False, False, True]])


@pytest.mark.parametrize(
    "key", [0, -1, (1, 2), slice(None, None, -1), [1, 0, 1], (slice(None), 1), ..., None, MASK]
)
def test_a_key_chooses_the_rows_that_it_chooses_in_numpy(key: Any) -> None:
    moves = np.array(
        [(8.0, 0.0), (8.0, 1.0), (-1.0, 0.0), (20.0, 0.0), (math.nan, 0.0), (2.0, 0.5)]
    )
    fork = [(2, -1), (9, -1), (9, 3), (8, 3), (8, 0), (3, 0), (3, 3), (2, 3)]
    found = carom.contact_intervals_batch(
        shapes.box(0, 1, 1, 1), fork, moves.reshape(2, 3, 2), on_invalid="mask"
    )
    rows = np.empty(6, object)
    rows[:] = [found.intervals[first:end] for first, end in itertools.pairwise(found.offsets)]
    assert max(map(len, rows)) == 2
    expected, chosen = rows.reshape(2, 3)[key], found[key]
    if isinstance(chosen, np.ndarray):
        assert bits(chosen) == bits(expected)
        return
    assert chosen.valid.tolist() == found.valid[key].tolist()
    parts = [chosen.intervals[first:end] for first, end in itertools.pairwise(chosen.offsets)]
    assert [bits(part) for part in parts] == [bits(part) for part in expected.ravel()]
    assert chosen.offsets[0] == 0
    assert chosen.offsets[-1] == len(chosen.intervals)


def test_a_key_beyond_the_rows_is_an_index_error() -> None:
    found = carom.contact_intervals_batch([SQUARE] * 3, shapes.box(4, 0, 1, 1), (8.0, 0.0))
    with pytest.raises(IndexError, match="out of bounds"):
        found[3]


def test_a_key_that_chooses_no_row_gives_no_interval() -> None:
    found = carom.contact_intervals_batch([SQUARE] * 3, shapes.box(4, 0, 1, 1), (8.0, 0.0))
    assert found[:0].offsets.tolist() == [0]
    assert found[:0].intervals.shape == (0, 2)


def test_pairs_choose_rows() -> None:
    a, b, moves, _ = some(20, 2)
    i, j = np.array([3, 3, 0, 19]), np.array([1, 3, 0, 7])
    columns = kinds.column(a), kinds.column(b)
    found = carom.contact_intervals_batch(*columns, moves[i], pairs=(i, j))
    for row in range(4):
        alone = carom.contact_intervals(columns[0][i[row]], columns[1][j[row]], moves[i[row]])
        part = found.intervals[found.offsets[row] : found.offsets[row + 1]]
        assert bits(part) == bits(alone)


def test_bad_and_missing_rows_have_none() -> None:
    column = carom.Shapes([SQUARE, None, SQUARE])
    wall = shapes.box(4, 0, 1, 1)
    found = carom.contact_intervals_batch(column, wall, (8.0, 0.0))
    assert found.offsets.tolist() == [0, 1, 1, 2]
    moves = [(8.0, 0.0), (math.nan, 0.0), (8.0, 0.0)]
    with pytest.raises(ValueError, match=r"velocity\[1\]"):
        carom.contact_intervals_batch([SQUARE] * 3, wall, moves)
    found = carom.contact_intervals_batch([SQUARE] * 3, wall, moves, on_invalid="mask")
    assert found.offsets.tolist() == [0, 1, 1, 2]
    assert found.valid.tolist() == [True, False, True]
    with pytest.raises(ValueError, match=r"margin\[2\]"):
        carom.contact_intervals_batch([SQUARE] * 3, wall, (1, 0), margin=[0.0, 0.0, -1.0])
    empty = carom.contact_intervals_batch(np.zeros((0, 4, 2)), wall, (8.0, 0.0))
    assert empty.intervals.shape == (0, 2)
    assert empty.offsets.tolist() == [0]


@pytest.mark.parametrize("keyword", [{"out": {}}, {"fields": ("intervals",)}])
def test_neither_out_nor_fields(keyword: dict) -> None:
    with pytest.raises(TypeError):
        carom.contact_intervals_batch([SQUARE], [SQUARE], (1, 0), **keyword)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"velocity": (math.nan, 0.0)}, "velocity"),
        ({"velocity": (0.0, 0.0, 0.0)}, "velocity"),
        ({"margin": -1.0}, "margin"),
        ({"margin": math.inf}, "margin"),
        ({"a": [(0.0, 0.0), (1.0, 1.0)]}, "a"),
    ],
)
def test_bad_arguments_are_named(arguments: dict, message: str) -> None:
    given = {"a": SQUARE, "b": SQUARE, "velocity": (1.0, 0.0), **arguments}
    with pytest.raises(ValueError, match=message):
        carom.contact_intervals(**given)


def test_encroachment_and_headway_follow_by_subtraction() -> None:
    """Two cars cross at a right angle: how long after one has left a place the other comes."""
    place = shapes.box(0, 0, 2, 2)
    first = listed(shapes.box(-6, 0, 4, 2), place, (20.0, 0.0))
    second = listed(shapes.box(0, -18, 2, 4), place, (0.0, 20.0))
    assert second[0][0] - first[0][1] == pytest.approx(14 / 20 - 8 / 20)


def test_a_data_frame_has_a_row_for_each_interval() -> None:
    pin = shapes.box(-2, 2, 1, 5)
    found = carom.contact_intervals_batch(pin, COMB, [(16.0, 0.0), (-16.0, 0.0), (4.0, 0.0)])
    table = found.to_pandas()
    assert table.columns.tolist() == ["row", "enter", "leave"]
    assert table["row"].tolist() == [0, 0, 0, 2]
    assert table[["enter", "leave"]].to_numpy().tolist() == found.intervals.tolist()
    assert found.to_pandas(["p", "q", "r"])["row"].tolist() == ["p", "p", "p", "r"]
    with pytest.raises(ValueError, match="index: expected 3 labels, got 2"):
        found.to_pandas(["p", "q"])
    with pytest.raises(ValueError, match="one leading dimension"):
        carom.contact_intervals_batch(np.array([[pin]]), COMB, (1.0, 0.0)).to_pandas()

"""Examples of `contact_intervals` and `closest_approach`, each simple enough to verify by hand."""

from __future__ import annotations

import math
import pickle
from typing import Any

import carom
import numpy as np
import pytest

SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
WALL = [(3.0, -5.0), (4.0, -5.0), (4.0, 5.0), (3.0, 5.0)]
FORK = [(2, -1), (9, -1), (9, 3), (8, 3), (8, 0), (3, 0), (3, 3), (2, 3)]
ROOM = [[(0, 0), (10, 0), (10, 10), (0, 10)], [(1, 1), (9, 1), (9, 9), (1, 9)]]


def intervals(*given: Any, **keywords: Any) -> list[list[float]]:
    found: list[list[float]] = carom.contact_intervals(*given, **keywords).tolist()
    return found


def points(*xy: tuple[float, float], radius: float = 0.0) -> Any:
    return carom.Shapes.from_points(list(xy), radius=radius)


def path(*xy: tuple[float, float]) -> Any:
    return carom.Shapes.from_paths(list(xy), [0, len(xy)])


@pytest.mark.parametrize(
    ("velocity", "expected"),
    [
        ((8, 0), [[0.25, 0.5]]),
        ((2, 0), [[1.0, 1.0]]),
        ((math.nextafter(2, 0), 0), []),
        ((-2, 0), []),
        ((0, 3), []),
        ((4, 0), [[0.5, 1.0]]),
    ],
)
def test_a_square_crosses_a_wall(velocity: Any, expected: Any) -> None:
    assert intervals(SQUARE, WALL, velocity) == expected
    assert intervals(WALL, SQUARE, (-velocity[0], -velocity[1])) == expected


def test_shapes_at_rest_in_touch_have_the_whole_frame() -> None:
    assert intervals(SQUARE, np.add(SQUARE, 1), (0, 0)) == [[0, 1]]
    assert intervals(FORK, SQUARE, (0, 0)) == []
    assert intervals(points((1, 1)), SQUARE, (0, 0)) == [[0, 1]]
    assert intervals(SQUARE, WALL, (0, 0), margin=2) == [[0, 1]]


def test_shapes_that_part_at_once_touch_for_a_moment() -> None:
    assert intervals(SQUARE, np.add(SQUARE, (1, 0)), (-1, 0)) == [[0, 0]]
    assert intervals(SQUARE, np.add(SQUARE, 1), (1, -1)) == [[0, 0]]


def test_vertices_that_graze_touch_for_a_moment() -> None:
    diamond = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    assert intervals(diamond, np.add(diamond, (3, 2)), (6, 0)) == [[0.5, 0.5]]


def test_intervals_that_touch_are_one() -> None:
    walls = carom.Shapes.from_ragged(
        [(3, -1), (4, -1), (4, 2), (3, 2), (5, -1), (6, -1), (6, 2), (5, 2)],
        [0, 4, 8],
        [0, 1, 2],
        [0, 2],
    )
    # The square leaves the first as it reaches the second.
    assert intervals(SQUARE, walls, (8, 0)) == [[0.25, 0.75]]
    least = math.nextafter(1, 0)
    assert len(intervals([(0, 0), (least, 0), (least, 1), (0, 1)], walls, (8, 0))) == 2


def test_a_fork_is_passed_one_tine_after_the_other() -> None:
    square = [(0, 1), (1, 1), (1, 2), (0, 2)]
    assert intervals(square, FORK, (10, 0)) == [[0.1, 0.3], [0.7, 0.9]]
    assert intervals(points((0, 1.5)), FORK, (10, 0)) == [[0.2, 0.3], [0.8, 0.9]]
    assert intervals(points((1, 1.5)), FORK, (10, 0), margin=0.5) == pytest.approx(
        np.array([[0.05, 0.25], [0.65, 0.85]])
    )


def test_inside_a_polygon_is_touching_and_in_a_hole_or_within_a_path_is_not() -> None:
    assert intervals([(2, 4), (4, 4), (4, 6), (2, 6)], ROOM, (4, 0)) == []
    assert intervals([(2, 4), (4, 4), (4, 6), (2, 6)], ROOM, (5, 0)) == [[1, 1]]
    assert intervals(points((5, 5)), ROOM[0], (2, 2)) == [[0, 1]]
    outline = path(*ROOM[0], ROOM[0][0])
    assert intervals(points((5, 5)), outline, (2, 2)) == []
    assert intervals(points((-5, 5)), outline, (20, 0)) == [[0.25, 0.25], [0.75, 0.75]]


def test_a_circle_that_grazes_touches_for_a_moment() -> None:
    disc = points((0, 0), radius=1)
    assert intervals(disc, points((3, 2), radius=1), (6, 0)) == [[0.5, 0.5]]
    assert intervals(disc, points((3, math.nextafter(2, 3)), radius=1), (6, 0)) == []


def test_a_batch_has_the_bits_of_single_calls() -> None:
    random = np.random.default_rng(5)
    angles = np.arange(8) * math.tau / 8
    stars = (
        np.stack([np.cos(angles), np.sin(angles)], -1) * np.where(np.arange(8) % 2, 1, 0.4)[:, None]
    )
    for a, b in (
        (np.array(SQUARE), np.array(SQUARE)),
        (stars, stars),
        (np.array(FORK), np.array(SQUARE) + 0.5),
    ):
        a = a + random.integers(-8, 9, (300, 1, 2)) / 4
        b = b + random.integers(-8, 9, (300, 1, 2)) / 4
        velocity = random.integers(-9, 10, (300, 2)) / random.choice([1, 2, 3], (300, 1))
        for margin in (0.0, 0.25):
            result = carom.contact_intervals_batch(a, b, velocity, margin=margin)
            whole, offsets = result._astuple()
            assert offsets[0] == 0
            assert offsets[-1] == len(whole)
            for i, given in enumerate(zip(a, b, velocity, strict=True)):
                alone = carom.contact_intervals(*given, margin=margin)
                assert result[i].tobytes() == alone.tobytes()
                assert whole[offsets[i] : offsets[i + 1]].tobytes() == alone.tobytes()
            columns = carom.Shapes(list(a)), carom.Shapes(list(b))
            again = carom.contact_intervals_batch(*columns, velocity, margin=margin, threads=2)
            assert again.intervals.tobytes() == whole.tobytes()
            assert again.offsets.tobytes() == offsets.tobytes()


def test_rows_of_a_batch_broadcast_and_bad_ones_have_no_intervals() -> None:
    bad = np.array([SQUARE, SQUARE, SQUARE])
    bad[1, 0, 0] = np.nan
    velocity = [[(8, 0)], [(0, 0)]]
    result = carom.contact_intervals_batch(bad, WALL, velocity, on_invalid="mask")
    assert result.offsets.tolist() == [0, 1, 1, 2, 2, 2, 2]
    assert result.offsets.dtype == np.int64
    assert result.valid.tolist() == [[True, False, True]] * 2
    assert result[0, 2].tolist() == [[0.25, 0.5]]
    assert result[1, 0].shape == (0, 2)
    picked = carom.contact_intervals_batch([SQUARE], [WALL, None], (8, 0), pairs=([0, 0], [1, 0]))
    assert picked.offsets.tolist() == [0, 0, 1]
    assert picked.valid.all()
    with pytest.raises(ValueError, match=r"a\[1\]"):
        carom.contact_intervals_batch(bad, WALL, (8, 0))
    with pytest.raises(TypeError, match="unexpected keyword argument 'fields'"):
        carom.contact_intervals_batch(SQUARE, WALL, (8, 0), fields=None)  # type: ignore[call-arg]
    assert result[1].valid.tolist() == [True, False, True]
    assert result[1].offsets.tolist() == [0, 0, 0, 0]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(result)


def test_the_result_of_a_batch_is_shown_and_pickled() -> None:
    result = carom.contact_intervals_batch(SQUARE, WALL, [(8, 0), (1, 0)])
    assert repr(result) == (
        "ContactIntervals(\n    shape=(2,),\n    intervals=array([[0.25, 0.5 ]]),\n"
        "    offsets=array([0, 1, 1]),\n)"
    )
    many = carom.contact_intervals_batch(SQUARE, WALL, [(8, 0)] * 11)
    text = "ContactIntervals(shape=(11,), intervals=<float64 (11, 2)>, offsets=<int64 (12,)>)"
    assert repr(many) == text
    assert [row.tolist() for row in result] == [[[0.25, 0.5]], []]
    intervals, offsets = result._astuple()
    assert (intervals is result.intervals) and (offsets is result.offsets)
    with pytest.raises(TypeError, match="iteration over a 0-d result"):
        iter(carom.contact_intervals_batch(SQUARE, WALL, (8, 0)))
    copy = pickle.loads(pickle.dumps(result))
    assert copy[0].tolist() == [[0.25, 0.5]]
    assert list(result._asdict()) == ["intervals", "offsets"]
    assert len(result) == 2
    empty = carom.contact_intervals_batch(np.zeros((0, 4, 2)), WALL, (8, 0))
    assert empty.offsets.tolist() == [0]
    assert empty.intervals.shape == (0, 2)


DIAMOND = [(-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0)]
KITE = [(4.0, 3.0), (5.0, 2.0), (6.0, 3.0), (5.0, 4.0)]


@pytest.mark.parametrize(
    ("velocity", "distance", "time", "closest_a", "closest_b"),
    [
        ((10, 0), 1.0, 0.5, (5, 1), (5, 2)),
        ((0, 0), math.sqrt(18), 0.0, None, None),
        ((-3, -1), math.sqrt(18), 0.0, None, None),
        ((1, 1), math.sqrt(8), 1.0, None, None),
        ((5, 0), 1.0, 1.0, (5, 1), (5, 2)),
    ],
)
def test_diamonds_pass_each_other(
    velocity: Any, distance: float, time: float, closest_a: Any, closest_b: Any
) -> None:
    result = carom.closest_approach(DIAMOND, KITE, velocity)
    assert result.distance == pytest.approx(distance, rel=1e-10)
    assert result.time == time
    assert not result
    if closest_a:
        assert result.closest_a.tolist() == list(closest_a)
        assert result.closest_b.tolist() == list(closest_b)
    swapped = carom.closest_approach(KITE, DIAMOND, (-velocity[0], -velocity[1]))
    assert swapped.distance == pytest.approx(distance, rel=1e-10)


def test_shapes_that_meet_have_the_time_of_first_contact_and_no_points() -> None:
    for velocity in ((10, 6), (3, 2), (4, 3)):
        result = carom.closest_approach(DIAMOND, KITE, velocity)
        sweep = carom.swept_collision(DIAMOND, KITE, velocity)
        assert bool(result) == sweep.will_intersect
        if sweep:
            assert (result.distance, result.time) == (0.0, sweep.time)
            assert np.isnan([result.closest_a, result.closest_b]).all()
    graze = carom.closest_approach(DIAMOND, np.add(DIAMOND, (3, 2)), (6, 0))
    assert (graze.distance, graze.time) == (0.0, 0.5)
    miss = carom.closest_approach(DIAMOND, np.add(DIAMOND, (3, math.nextafter(2, 3))), (6, 0))
    assert miss.distance == math.nextafter(2, 3) - 2
    assert miss.time == 0.5


def test_an_edge_is_nearest_at_an_end_of_the_frame() -> None:
    result = carom.closest_approach(WALL, points((-4, 0.5)), (-6, 1))
    assert (result.distance, result.time) == (1.0, 1.0)
    assert result.closest_a.tolist() == [-3, 0.5]
    assert result.closest_b.tolist() == [-4, 0.5]


def test_radii_shorten_the_distance_and_move_the_points() -> None:
    disc = points((0, 0), radius=0.5)
    result = carom.closest_approach(disc, points((3, 4), radius=1.5), (6, 0))
    assert (result.distance, result.time) == (2.0, 0.5)
    assert result.closest_a.tolist() == [3, 0.5]
    assert result.closest_b.tolist() == [3, 2.5]


def test_a_shape_in_a_room_is_nearest_to_a_wall_of_it() -> None:
    result = carom.closest_approach([(2, 4), (4, 4), (4, 6), (2, 6)], ROOM, (4, 0))
    assert result.distance == 1.0
    assert result.time in (0.0, 1.0)


def test_a_batch_of_approaches_has_the_bits_of_single_calls() -> None:
    random = np.random.default_rng(6)
    for vertices in (3, 4, 7, 20):
        angles = np.sort(random.uniform(0, math.tau, (400, vertices)), axis=1)
        rings = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        places = random.uniform(-3, 3, (400, 1, 2))
        places[::3] = random.integers(-6, 7, places[::3].shape) / 2
        velocity = random.uniform(-4, 4, (400, 2))
        velocity[::4] = random.integers(-2, 3, velocity[::4].shape)
        b = np.roll(rings, 7, axis=0) + places
        whole = carom.closest_approach_batch(rings, b, velocity)
        fields = ("distance", "time")
        some = carom.closest_approach_batch(rings, b, velocity, fields=fields)
        for i, given in enumerate(zip(rings, b, velocity, strict=True)):
            alone = carom.closest_approach(*given)
            for name, value in alone._asdict().items():
                assert np.asarray(value).tobytes() == getattr(whole, name)[i].tobytes()
        assert some.distance.tobytes() == whole.distance.tobytes()
        assert some.time.tobytes() == whole.time.tobytes()
        least = np.min(
            [
                carom.distance_batch(
                    rings + t * velocity[:, None], b, fields=("distance",)
                ).distance
                for t in np.linspace(0, 1, 33)
            ],
            axis=0,
        )
        assert (whole.distance <= least * (1 + 1e-9) + 1e-12).all()
        step = np.hypot(*velocity.T) / 64
        assert (least <= whole.distance + step + 1e-9).all()

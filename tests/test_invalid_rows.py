"""One bad row among many: it is named, and no other row's answer changes by a bit."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import carom
import numpy as np
import pytest
import shapely

ROWS, BAD = 1_000_000, 654_321
SQUARE = np.array([(0, 0), (2, 0), (2, 2), (0, 2)], float)

RINGS: dict[str, tuple[Any, str]] = {
    "NaN": ([(0, 0), (2, np.nan), (2, 2), (0, 2)], "vertex 1 is (2.0, nan)"),
    "infinite": ([(0, 0), (2, 0), (np.inf, 2), (0, 2)], "vertex 2 is (inf, 2.0)"),
    "crossing itself": ([(0, 0), (2, 2), (2, 0), (0, 2)], "the ring meets itself"),
    "a spike": ([(0, 0), (2, 0), (4, 0), (2, 0)], "area"),
    "too few vertices": ([(0, 0), (2, 0), (2, 0), (0, 0)], "all vertices lie on one line"),
    "all the same": ([(1, 1)] * 4, "three vertices or more"),
}
"""Of four vertices, so that they fit into one array; and what is said of each."""


@pytest.fixture(scope="module")
def million() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.uniform(0, 3, (ROWS, 1, 2)) + SQUARE, rng.uniform(0, 3, (ROWS, 1, 2)) + SQUARE


CALLS: dict[str, Callable[..., Any]] = {
    "sat": lambda a, b, **k: carom.sat_batch(a, b, fields=("depth", "normal"), **k),
    "sweep": lambda a, b, **k: carom.swept_collision_batch(a, b, (1, 1), fields=("time",), **k),
}


@pytest.fixture(scope="module")
def expected(million: tuple[np.ndarray, np.ndarray]) -> dict[str, Any]:
    return {name: call(*million) for name, call in CALLS.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("ring", "text"), RINGS.values(), ids=RINGS)
@pytest.mark.parametrize("side", [0, 1])
def test_a_bad_row_among_a_million_is_named_and_changes_no_other(
    ring: Any, text: str, side: int, million: Any, expected: dict[str, Any]
) -> None:
    sides = list(million)
    sides[side] = sides[side].copy()
    sides[side][BAD] = ring
    place = f"{'ab'[side]}[{BAD}]: "
    for name, call in CALLS.items():
        with pytest.raises(ValueError, match=rf"^{re.escape(place)}") as caught:
            call(*sides)
        assert text in str(caught.value)
        masked = call(*sides, on_invalid="mask")
        assert np.flatnonzero(~masked.valid).tolist() == [BAD]
        for field, values in masked._asdict().items():
            if values is None:
                continue
            assert np.isnan(values[BAD]).all()
            values[BAD] = getattr(expected[name], field)[BAD]
            assert values.tobytes() == getattr(expected[name], field).tobytes(), (name, field)


HOLE_OUTSIDE = [SQUARE, SQUARE + 9]
HOLES_CROSS = [SQUARE * 9, SQUARE + 1, SQUARE + 2]
OTHERS: dict[str, tuple[Any, str | None]] = {
    **RINGS,
    "hole outside": (HOLE_OUTSIDE, "hole"),
    "holes that cross": (HOLES_CROSS, "cross"),
    "a hole in a hole": ([SQUARE * 9, SQUARE * 3 + 1, SQUARE + 2], "inside"),
    "parts that overlap": (
        shapely.multipolygons([shapely.box(0, 0, 2, 2), shapely.box(1, 1, 3, 3)]),
        "cross",
    ),
    "parts with a common side": (
        shapely.multipolygons([shapely.box(0, 0, 2, 2), shapely.box(2, 0, 3, 2)]),
        "share",
    ),
    "an interior in two": ([SQUARE, [(1, 0), (2, 1), (1, 2), (0, 1)]], "interior"),
    "an infinite path": (shapely.linestrings([(0, 0), (np.inf, 1)]), "vertex 1 is (inf, 1.0)"),
    "missing": (None, None),
}


@pytest.mark.slow
@pytest.mark.parametrize(("row", "text"), OTHERS.values(), ids=OTHERS)
def test_a_bad_row_of_a_column_is_missing_from_joins_and_named(row: Any, text: str | None) -> None:
    rows, bad = 20_000, 12_345
    rng = np.random.default_rng(1)
    rings = [*(rng.uniform(0, 400, (rows, 1, 2)) + SQUARE)]
    good = carom.Shapes(rings)
    rings[bad] = row
    column = carom.Shapes(rings, on_invalid="mask")
    if text is not None:
        with pytest.raises(ValueError, match=rf"^shapes\[{bad}\]: "):
            carom.Shapes(rings)
        assert text in column.invalid_reason[bad]
    assert np.flatnonzero(~column.is_valid).tolist() == ([] if text is None else [bad])
    assert np.flatnonzero(column.kind == -1).tolist() == [bad]
    others = np.arange(rows) != bad
    for name in ("area", "bounds", "centroid"):
        got, all_of = getattr(column, name), getattr(good, name)
        assert np.isnan(got[bad]).all()
        assert got[others].tobytes() == all_of[others].tobytes()
    for join in (carom.candidate_pairs, carom.colliding_pairs):
        pairs = join(good, velocity_a=(1.0, 0.0), margin=0.5)
        pairs = pairs[:, (pairs != bad).all(axis=0)]
        assert join(column, velocity_a=(1.0, 0.0), margin=0.5).tobytes() == pairs.tobytes()
    near = carom.nearest(column, column, k=2)
    assert not (near.pairs == bad).any()
    ray = carom.ray_cast((-1.0, 200.0), (500.0, 0.0), column)
    assert ray.row != bad
    answers, whole = (
        carom.distance_batch(it, good[::-1], on_invalid="mask") for it in (column, good)
    )
    assert np.isnan(answers.distance[bad])
    for field in ("distance", "closest_a", "closest_b"):
        got, all_of = getattr(answers, field), getattr(whole, field)
        assert got[others].tobytes() == all_of[others].tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_bad_number_beside_a_million_rows_is_named_and_masked(value: float, million: Any) -> None:
    (a, b), bad = million, BAD
    numbers = np.ones((len(a), 2))
    good = carom.swept_collision_batch(a, b, numbers, fields=("time",)).time
    numbers[bad, 1] = value
    with pytest.raises(ValueError, match=rf"^velocity\[{bad}\] is \(1.0, "):
        carom.swept_collision_batch(a, b, numbers)
    with pytest.raises(ValueError, match=rf"^velocity_a\[{bad}\] is \(1.0, "):
        carom.colliding_pairs(a, velocity_a=numbers)
    masked = carom.swept_collision_batch(a, b, numbers, on_invalid="mask", fields=("time",))
    assert np.flatnonzero(~masked.valid).tolist() == [bad]
    assert np.isnan(masked.time[bad])
    masked.time[bad] = good[bad]
    assert masked.time.tobytes() == good.tobytes()
    radius = np.ones(len(a))
    radius[bad] = value
    with pytest.raises(ValueError, match=rf"^radius\[{bad}\] is "):
        carom.circle_polygon_batch(a[:, 0], radius, b)
    circles = carom.circle_polygon_batch(a[:, 0], radius, b, on_invalid="mask")
    assert np.flatnonzero(~circles.valid).tolist() == [bad]
    assert (circles.index[bad], circles.intersects[bad]) == (-1, False)
    assert np.isnan(circles.depth[bad])

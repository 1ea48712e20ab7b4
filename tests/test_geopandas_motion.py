"""Motion of frames: whose velocity it is, and from when until when rows touch."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import carom
import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg

from moving_frames import BOW, FUNCTIONS, INDEXES, MOVING, STAY, frame


def contact(a: Any, b: Any, velocity: Any) -> tuple[Fraction, Fraction] | None:
    """From when until when two boxes touch, as fractions; None if they don't."""
    since, until = Fraction(0), Fraction(1)
    for axis in (0, 1):
        speed = Fraction(velocity[axis])
        low = Fraction(b.bounds[axis]) - Fraction(a.bounds[axis + 2])
        high = Fraction(b.bounds[axis + 2]) - Fraction(a.bounds[axis])
        if speed == 0:
            if not low <= 0 <= high:
                return None
            continue
        first, last = sorted((low / speed, high / speed))
        since, until = max(since, first), min(until, last)
    return (since, until) if since <= until else None


def contacts(left: Any, right: Any) -> dict[tuple[int, int], tuple[Fraction, Fraction]]:
    """The contact of each pair of rows that touch, by position."""
    found = {}
    for i, j in np.ndindex(len(left), len(right)):
        shapes = left.geometry.iloc[i], right.geometry.iloc[j]
        own, other = (
            [Fraction(it) for it in frame[["vx", "vy"]].iloc[row]]
            for frame, row in ((left, i), (right, j))
        )
        if None not in shapes:
            relative = [one - two for one, two in zip(own, other, strict=True)]
            if (times := contact(*shapes, relative)) is not None:
                found[i, j] = times
    return found


def assert_times(table: Any, expected: Any) -> None:
    """Asserts that a table has these times, exactly where they are 0 or 1."""
    for name, place in (("enter", 0), ("leave", 1)):
        times = [it[place] for it in expected]
        np.testing.assert_allclose(table[name], list(map(float, times)), rtol=1e-10, atol=0)
        assert (table[name] == 1.0).tolist() == [it == 1 for it in times]
        assert (table[name] == 0.0).tolist() == [it == 0 for it in times]
    assert table["still_inside"].tolist() == [it[1] == 1 for it in expected]
    assert table["still_inside"].dtype == bool


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES.keys())
def test_first_and_last_times_of_joined_boxes_are_those_of_fractions(index: Any) -> None:
    rng = np.random.default_rng(1)
    left, right = frame(rng, index), frame(rng)
    expected = contacts(left, right)
    assert sum(it[0] == it[1] for it in expected.values()) > 3
    assert 10 < sum(it[1] == 1 for it in expected.values()) < len(expected) - 10
    found = cg.sjoin(left, right, **MOVING, fields=STAY)
    assert list(zip(found["n_left"], found["n_right"], strict=True)) == list(expected)
    assert_times(found, list(expected.values()))
    time = cg.sjoin(left, right, **MOVING, fields=("time",))["time"]
    assert found["enter"].tolist() == time.tolist()


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES.keys())
def test_intervals_have_the_labels_of_both_rows_and_the_times_of_fractions(index: Any) -> None:
    rng = np.random.default_rng(2)
    left, right = frame(rng, index), frame(rng, index)
    expected = contacts(left, right)
    rows = {(i, i): expected[i, i] for i in range(20) if (i, i) in expected}
    found = cg.contact_intervals(left, right, **MOVING)
    assert list(found.columns) == ["a", "b", *STAY]
    labels = [index[i] for i, _ in rows]
    assert found["a"].tolist() == found["b"].tolist() == labels
    assert_times(found, list(rows.values()))
    if index.is_unique:
        pairs = [index[i] for i, _ in expected], [index[j] for _, j in expected]
        sides = zip((left, right), pairs, strict=True)
        of_pairs = (rows.loc[labels, ["vx", "vy"]] for rows, labels in sides)
        for given in (MOVING, dict(zip(MOVING, map(np.array, of_pairs), strict=True))):
            found = cg.contact_intervals(left, right, pairs=pairs, **given)
            assert (found["a"].tolist(), found["b"].tolist()) == pairs
            assert_times(found, list(expected.values()))


def test_every_interval_of_several_parts_has_a_row() -> None:
    storm = shapely.MultiPolygon([shapely.box(0, 0, 1, 2), shapely.box(2, 0, 3, 2)])
    cities = geopandas.GeoSeries.from_xy([4, 9, 2.5], [1, 1, 9], index=["p", "q", "r"])
    found = cg.contact_intervals(cities, storm, velocity_b=(8, 0))
    assert found.values.tolist() == [
        ["p", 0.125, 0.25, False],
        ["p", 0.375, 0.5, False],
        ["q", 0.75, 0.875, False],
        ["q", 1.0, 1.0, True],
    ]
    # One storm, seen from its own row: the label is in the column of the operand that has it.
    storms = geopandas.GeoSeries([storm], ["storm"])
    found = cg.contact_intervals(cities.iloc[0], storms, velocity_b=(8, 0))
    assert found.values.tolist() == [["storm", 0.125, 0.25, False], ["storm", 0.375, 0.5, False]]
    assert found.columns[0] == "b"
    whole = cg.sjoin(cities.to_frame("geometry"), storms.to_frame("geometry"), velocity_b=(8, 0))
    assert whole.index.tolist() == ["p", "q"]
    joined = cg.sjoin(
        cities.to_frame("geometry"), storms.to_frame("geometry"), velocity_b=(8, 0), fields=STAY
    )
    assert joined[list(STAY)].values.tolist() == [[0.125, 0.5, False], [0.75, 1.0, True]]


def test_whether_they_are_still_in_touch_is_decided_by_the_last_digit() -> None:
    gone = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)])
    zone = geopandas.GeoDataFrame(geometry=[shapely.box(1, 0, 2.1, 1)])
    for speed, still in ((2.1, True), (np.nextafter(2.1, 9), False), (np.nextafter(2.1, 0), True)):
        found = cg.sjoin(gone, zone, velocity_a=(speed, 0), fields=STAY)
        assert found["still_inside"].tolist() == [still]
        assert (found["leave"] == 1.0).tolist() == [still]
        found = cg.contact_intervals(gone, zone, (speed, 0))
        assert found["still_inside"].tolist() == [still]


def test_whether_they_are_within_the_margin_at_the_end_is_decided_by_the_last_digit() -> None:
    disc = geopandas.GeoDataFrame(geometry=[shapely.Point(0, 0)])
    disc = cg.Column(disc, carom.Shapes(disc).with_radius(0.25))
    zone = geopandas.GeoDataFrame(geometry=[shapely.box(1, -1, 2, 1)], index=["zone"])
    # At the end the disc is 0.5 beyond the zone.
    for speed, still in ((2.75, True), (np.nextafter(2.75, 9), False)):
        for margin, near in ((0.5, still), (0.25, False), (1.0, True)):
            given: dict[str, Any] = {"velocity_a": (speed, 0), "margin": margin}
            for found in (
                cg.sjoin(disc, zone, **given, fields=STAY),
                cg.contact_intervals(disc, zone, pairs=([0], ["zone"]), **given),
            ):
                assert found["still_inside"].tolist() == [near]
                assert (found["leave"] == 1.0).tolist() == [near]


def test_times_of_shapes_of_every_kind_are_those_of_the_scalar_function() -> None:
    rng = np.random.default_rng(18)
    left, right = frame(rng), frame(rng)
    shapes = left.geometry.to_numpy()
    shapes[:6] = [None if it is None else it.exterior for it in shapes[:6]]
    shapes[6:12] = [it.difference(it.centroid.buffer(0.3)) for it in shapes[6:12]]
    shapes[12:15] = [it.centroid for it in shapes[12:15]]
    left = left.set_geometry(geopandas.GeoSeries(shapes, crs=32633))
    rounded = cg.Column(right, carom.Shapes(right).with_radius(rng.integers(0, 3, 20) / 4))
    found = cg.sjoin(left, rounded, margin=0.125, **MOVING, fields=STAY)
    assert len(found) > 50
    for row in found.itertuples():
        i, j = row.n_left, row.n_right
        times = carom.contact_intervals(
            shapes[i],
            rounded.shapes[j],
            velocity_a=left.loc[i, ["vx", "vy"]].astype(float),
            velocity_b=right.loc[j, ["vx", "vy"]].astype(float),
            margin=0.125,
        )
        assert (row.enter, row.leave, row.still_inside) == (
            *times[[0, -1], [0, 1]],
            times[-1, 1] == 1,
        )


def test_intervals_of_aligned_rows_have_the_labels_that_both_have() -> None:
    rng = np.random.default_rng(17)
    left, right = frame(rng, INDEXES["strings"]), frame(rng, INDEXES["strings"])
    moved = right.iloc[::-1].iloc[:12]
    both = cg.contact_intervals(left, right, velocity_a=("vx", "vy"), velocity_b=("vx", "vy"))
    found = cg.contact_intervals(left, moved, **MOVING, align=True)
    expected = both[both["a"].isin(moved.index)].reset_index(drop=True)
    assert found["a"].tolist() == found["b"].tolist() and len(found) > 0
    order = ["a", "enter"]
    pd.testing.assert_frame_equal(
        found.sort_values(order, ignore_index=True), expected.sort_values(order, ignore_index=True)
    )
    with pytest.warns(UserWarning, match="The indices of the left and right"):
        again = cg.contact_intervals(left, moved, **MOVING)
    assert again.equals(found)
    other = moved.set_axis([f"b {it}" for it in moved.index])
    by_place = cg.contact_intervals(left.loc[moved.index], other, **MOVING, align=False)
    assert ("b " + by_place["a"]).tolist() == by_place["b"].tolist()
    lasting = cg.closest_approach(left, moved, **MOVING, align=True, duration="6h")
    assert sorted(lasting.index) == sorted(left.index)
    assert lasting["time"].isna().tolist() == lasting["distance"].isna().tolist()
    assert lasting["time"].isna().sum() >= 8


@pytest.mark.filterwarnings("ignore:.* masked, as if missing")
def test_rows_without_a_contact_have_no_times_and_masked_rows_no_interval() -> None:
    left = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1), None, BOW], index=[5, 6, 7])
    right = geopandas.GeoDataFrame(geometry=[shapely.box(3, 0, 4, 1)], index=["z"])
    options: dict[str, Any] = {"velocity_a": (4, 0), "on_invalid": "mask"}
    found = cg.sjoin(left, right, how="left", fields=STAY, **options)
    assert found.index.tolist() == [5, 6, 7]
    assert found["enter"].isna().tolist() == found["leave"].isna().tolist() == [False, True, True]
    assert found["still_inside"].isna().tolist() == [False, True, True]
    assert cg.contact_intervals(left, right.geometry.iloc[0], **options)["a"].tolist() == [5]
    with pytest.raises(ValueError, match=r"a.loc\[7\]: the ring meets itself"):
        cg.contact_intervals(left, right.geometry.iloc[0], (4, 0))


def test_frames_without_rows_give_frames_without_rows_of_the_same_types() -> None:
    rng = np.random.default_rng(3)
    full, empty = frame(rng), frame(rng)[:0]
    start = pd.Timestamp("2024-05-01", tz="UTC")
    for options in (
        {},
        {"duration": 6},
        {"duration": "6h"},
        {"duration": "6h", "start": "2024-05-01"},
        {"duration": "6h", "start": start},
    ):
        expected = cg.contact_intervals(full, full, **MOVING, **options)
        found = cg.contact_intervals(empty, empty, **MOVING, **options)
        assert len(found) == 0 < len(expected)
        assert found.dtypes.equals(expected.dtypes)
        for one, other in ((empty, full), (full, empty)):
            joined = cg.sjoin(one, other, **MOVING, fields=STAY, **options)
            assert len(joined) == 0
            assert joined[list(STAY)].dtypes.equals(expected[list(STAY)].dtypes)
    shape = shapely.box(0, 0, 1, 1)
    assert cg.closest_approach(empty, shape, (0, 0)).shape == (0, 6)
    assert cg.nearest(empty, full).shape == cg.nearest(full, empty).shape == (0, 3)


def test_a_turn_has_no_time_of_leaving_and_a_turn_of_zero_does() -> None:
    rows = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1), shapely.box(3, 0, 4, 1)])
    turning: dict[str, Any] = {"velocity_a": (4, 0), "center_b": (0, 0)}
    with pytest.raises(ValueError, match=r"^fields: 'leave' is known .* and turn_b is given"):
        cg.sjoin(rows, rows, turn_b=[0.0, 0.1], fields=("leave",), **turning)
    still = cg.sjoin(rows, rows, turn_b=0.0, fields=STAY, **turning)
    assert still.equals(cg.sjoin(rows, rows, velocity_a=(4, 0), fields=STAY))
    for turned in ({}, {"margin": 1.0}):
        with pytest.raises(ValueError, match="fields: 'enter' needs a velocity or a turn"):
            cg.sjoin(rows, rows, fields=("enter",), **turned)
    assert "time" in cg.sjoin(rows, rows, turn_b=0.1, fields=("time",), **turning)


# --- Velocities of both ---------------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda it: it.__name__)
def test_velocities_of_both_are_those_of_rows_by_name_label_or_position(function: Any) -> None:
    rng = np.random.default_rng(4)
    left, right = frame(rng, INDEXES["strings"]), frame(rng, INDEXES["strings"])
    own, other = left[["vx", "vy"]], right[["vx", "vy"]]
    expected = function(left, right, own - other)
    for one, two in (
        (("vx", "vy"), ("vx", "vy")),
        (own.sample(frac=1, random_state=1), other.to_numpy()),
    ):
        found = function(left, right, velocity_a=one, velocity_b=two)
        pd.testing.assert_frame_equal(found, expected)
    still = function(left, right, velocity_a=own)
    pd.testing.assert_frame_equal(still, function(left, right, own))
    still = function(left, right, velocity_b=other)
    pd.testing.assert_frame_equal(still, function(left, right, -other))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda it: it.__name__)
def test_a_velocity_has_one_form(function: Any) -> None:
    rows, wall = frame(np.random.default_rng(5)), shapely.box(0, 0, 1, 1)
    for name in ("velocity_a", "velocity_b"):
        with pytest.raises(ValueError, match="velocity"):
            function(rows, wall, (1, 0), **{name: (1, 0)})
    with pytest.raises((TypeError, ValueError), match="velocity"):
        function(rows, wall)


def test_differences_of_velocities_are_not_rounded() -> None:
    rows = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)], index=["p"])
    wall = shapely.box(2, 0, 3, 1)
    # The differences are 1 and a hair less than 1, which float64 doesn't tell apart.
    for hair, meets in ((0.0, True), (2.0**-80, False)):
        given: dict[str, Any] = {"velocity_a": (1, 0), "velocity_b": (hair, 0)}
        found = cg.swept_collision(rows, wall, **given, fields=("will_intersect",))
        assert found["will_intersect"].tolist() == [meets]
        assert len(cg.contact_intervals(rows, wall, **given)) == meets
        assert (cg.closest_approach(rows, wall, **given)["distance"] == 0).tolist() == [meets]
        circle = cg.swept_circle((0.5, 0.5), 0.5, polygon=rows.translate(2), **given)
        assert circle["will_intersect"].tolist() == [meets]


def test_a_circle_and_a_polygon_have_velocities_of_their_own() -> None:
    plots = geopandas.GeoDataFrame(
        {"vx": [-4.0, -9.0], "vy": 0.0}, geometry=[shapely.box(x, 0, x + 1, 1) for x in (3, 9)]
    )
    by_columns = cg.swept_circle((0, 0.5), 1, polygon=plots, velocity_b=("vx", "vy"))
    expected = cg.swept_circle((0, 0.5), 1, -plots[["vx", "vy"]], plots)
    pd.testing.assert_frame_equal(by_columns, expected)
    lasting = cg.swept_circle(
        (0, 0.5), 1, polygon=plots, velocity_b=("vx", "vy"), duration=0.5, fields=("time",)
    )
    assert lasting["time"].tolist() == [0.5, np.inf]


def test_polygons_in_the_place_of_a_velocity_are_told_to_be_given_by_name() -> None:
    rows = geopandas.GeoSeries([shapely.box(3, 0, 4, 1)])
    text = r"^polygon: the shapes are missing \(None\); .* given by name: polygon=\.\.\.$"
    with pytest.raises(TypeError, match=text):
        cg.swept_circle((0, 0), 1, rows, velocity_a=(4, 0))
    with pytest.raises(TypeError, match=text):
        cg.swept_circle((0, 0), 1, (4, 0))

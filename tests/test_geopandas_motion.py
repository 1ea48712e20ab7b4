"""Motion of frames: whose velocity it is, how long the frame lasts, and from when until when."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Any

import carom
import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg

HOUR = 3600.0
TWO_LEVELS = pd.MultiIndex.from_product([["a", "b"], range(10)], names=["u", "v"])
INDEXES = {
    "numbers": pd.RangeIndex(20),
    "strings": pd.Index([f"row {k}" for k in range(20)], name="id"),
    "repeating": pd.Index(["p", "q"] * 10),
    "of two levels": TWO_LEVELS,
}
BOW = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])


def corners(rng: np.random.Generator, count: int) -> Any:
    """Corners of boxes with small integers, so that many touch in a moment."""
    low = rng.integers(-6, 6, (count, 2))
    return np.concatenate([low, low + rng.integers(1, 4, (count, 2))], axis=1).astype(float)


def frame(rng: np.random.Generator, index: Any = INDEXES["numbers"]) -> Any:
    """Rows that move in quarters of the unit; the fourth has no geometry."""
    boxes = shapely.box(*corners(rng, 20).T)
    boxes[3] = None
    velocity = rng.integers(-30, 30, (20, 2)) / 4
    columns = {"vx": velocity[:, 0], "vy": velocity[:, 1], "n": range(20)}
    return geopandas.GeoDataFrame(columns, geometry=boxes, index=index, crs=32633)


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


MOVING = {"velocity_a": ("vx", "vy"), "velocity_b": ("vx", "vy")}
STAY = ("enter", "leave", "still_inside")


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

FUNCTIONS = (cg.swept_collision, cg.closest_approach, cg.contact_intervals)


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
    with pytest.raises(
        TypeError, match=r"^polygon: expected a GeoSeries or a GeoDataFrame, got No"
    ):
        cg.swept_circle((0, 0.5), 1, (4, 0))


# --- Duration -------------------------------------------------------------------------------------


def results(rows: Any, others: Any, scale: float = 1.0, **options: Any) -> dict[str, Any]:
    """What each function of motion gives, for velocities that are multiplied by a number."""
    velocity = rows[["vx", "vy"]] * scale
    given: dict[str, Any] = {"velocity_a": velocity, **options}
    joined = cg.sjoin(rows, others, fields=(*STAY, "distance", "normal", "contact"), **given)
    found = {it.__name__: it(rows, others, velocity, **options) for it in FUNCTIONS}
    found["swept_circle"] = cg.swept_circle((0, 0), 1, velocity, rows, **options)
    found["sjoin"] = joined.drop(columns=["geometry"])
    if "start" not in options:
        found["colliding_pairs"] = cg.colliding_pairs(rows, others, **given)
        found["candidate_pairs"] = cg.candidate_pairs(rows, others, **given)
    return found


@pytest.mark.parametrize(
    "duration",
    [
        "6h",
        pd.Timedelta(hours=6),
        dt.timedelta(hours=6),
        np.timedelta64(6, "h"),
        np.timedelta64(6 * 3600 * 10**9, "ns"),
    ],
    ids=repr,
)
def test_velocities_are_per_second_of_a_time_span_and_times_are_time_spans(duration: Any) -> None:
    rng = np.random.default_rng(6)
    rows, others = frame(rng), frame(rng)
    rows[["vx", "vy"]] /= 6 * HOUR
    expected = results(rows, others, 6 * HOUR)
    dated = results(rows, others, duration=duration, start="2024-05-01 12:00")
    for name, found in results(rows, others, duration=duration).items():
        assert len(found) == len(expected[name]) > 0
        for column in found.columns:
            plain = expected[name][column]
            if column not in ("time", "enter", "leave"):
                pd.testing.assert_series_equal(found[column], plain)
                continue
            spans = pd.to_timedelta(plain.replace(np.inf, np.nan) * 6 * HOUR, unit="s")
            assert (found[column].notna() == np.isfinite(plain)).all()
            assert (found[column].dropna() - spans.dropna()).abs().max() <= pd.Timedelta("1us")
            times = pd.Timestamp("2024-05-01 12:00") + found[column]
            assert dated[name][column].equals(times)


@pytest.mark.parametrize(
    "duration", [0.1, 3, np.float32(0.5), np.int8(7), Fraction(1, 3)], ids=repr
)
def test_velocities_are_per_unit_of_a_number_and_the_displacement_is_the_product(
    duration: Any,
) -> None:
    rng = np.random.default_rng(7)
    rows, others = frame(rng), frame(rng)
    rows["vy"] = rows["vy"].round().astype(int)
    expected = results(rows, others, float(duration))
    for name, found in results(rows, others, duration=duration).items():
        times = [it for it in ("time", "enter", "leave") if it in found]
        scaled = expected[name].assign(**{it: expected[name][it] * float(duration) for it in times})
        pd.testing.assert_frame_equal(found, scaled)


def test_a_frame_begins_at_a_time_of_its_zone() -> None:
    rows = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)] * 2, ["p", "q"])
    start = pd.Timestamp("2024-03-31 00:00", tz="Europe/Berlin")
    lasting: dict[str, Any] = {"duration": "4h", "start": start, "fields": ("time",)}
    found = cg.swept_collision(rows, shapely.box(7201, 0, 7202, 1), [(1, 0), (-1, 0)], **lasting)
    # Two hours later clocks are set forward.
    assert found["time"].dt.tz is not None
    assert found.loc["p", "time"] == pd.Timestamp("2024-03-31 03:00", tz="Europe/Berlin")
    assert pd.isna(found.loc["q", "time"])
    for given in (start.to_pydatetime(), start.isoformat()):
        lasting["start"] = given
        again = cg.swept_collision(rows, shapely.box(7201, 0, 7202, 1), (1, 0), **lasting)
        assert again.loc["p", "time"] == found.loc["p", "time"]
    lasting["start"] = np.datetime64("2024-03-30T23:00")
    naive = cg.swept_collision(rows, shapely.box(7201, 0, 7202, 1), (1, 0), **lasting)
    assert naive.loc["p", "time"] == pd.Timestamp("2024-03-31 01:00")


def test_an_end_of_the_frame_is_the_end_of_its_duration() -> None:
    rows = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)])
    for duration in ("1s", "7D", pd.Timedelta("1ns"), pd.Timedelta(days=36500)):
        lasting: dict[str, Any] = {"duration": duration, "start": "2024-01-01"}
        found = cg.sjoin(rows, rows, velocity_a=(0, 0), fields=STAY, **lasting)
        begin = pd.Timestamp("2024-01-01")
        assert found["enter"].tolist() == [begin]
        assert found["leave"].tolist() == [begin + pd.Timedelta(duration)]


def test_a_turn_is_the_angle_over_the_frame_however_long_it_is() -> None:
    rows = geopandas.GeoSeries([shapely.box(0, 0, 4, 1)], ["p"])
    post = shapely.Point(3, 3)
    turn: dict[str, Any] = {"turn_a": 1.5, "center_a": (0, 0), "fields": ("time",)}
    expected = cg.swept_collision(rows, post, (0.5, 0.25), **turn)["time"]
    lasting = cg.swept_collision(rows, post, (0.25, 0.125), duration=2, **turn)["time"]
    assert 0 < expected["p"] < 1
    assert lasting["p"] == 2 * expected["p"]


WRONG = (
    ({"duration": 0}, ValueError, r"^duration: expected a finite duration above 0, got 0$"),
    ({"duration": -1.5}, ValueError, r"^duration: expected a finite duration above 0, got -1.5$"),
    ({"duration": np.nan}, ValueError, r"^duration: expected a finite duration above 0, got nan"),
    ({"duration": np.inf}, ValueError, r"^duration: expected a finite duration above 0, got inf"),
    ({"duration": 10**400}, ValueError, r"^duration: expected a finite duration above 0, got 10"),
    ({"duration": "-6h"}, ValueError, r"^duration: expected a finite duration above 0, got '-6h'"),
    ({"duration": "6"}, ValueError, r"^duration: expected a unit, as in '6h', got '6'$"),
    ({"duration": "six h"}, ValueError, r"^duration: 'six h' is not a time span: "),
    ({"duration": pd.NaT}, (TypeError, ValueError), r"^duration: expected "),
    ({"duration": np.timedelta64("NaT")}, ValueError, r"^duration: expected a time span, got NaT"),
    ({"duration": np.timedelta64(1, "Y")}, ValueError, r"^duration: .* is not a time span: "),
    ({"duration": True}, TypeError, r"^duration: expected a number, a Timedelta, or .* got bool$"),
    ({"duration": [6.0]}, TypeError, r"^duration: expected a number, a Timedelta, or .* got list$"),
    ({"start": "2024-05-01"}, ValueError, r"^start: given without duration"),
    (
        {"duration": 6, "start": "2024-05-01"},
        ValueError,
        r"^start: requires a duration that is a t",
    ),
    ({"duration": "6h", "start": "noon-ish"}, ValueError, r"^start: 'noon-ish' is not a time: "),
    ({"duration": "6h", "start": 2024}, TypeError, r"^start: expected a Timestamp, or text, got i"),
    ({"duration": "6h", "start": "NaT"}, ValueError, r"^start: expected a time, got NaT$"),
)


@pytest.mark.parametrize(("given", "error", "text"), WRONG, ids=lambda it: str(it)[:40])
def test_durations_and_starts_that_are_none_are_refused(given: Any, error: Any, text: str) -> None:
    rows = frame(np.random.default_rng(8))
    for call in (
        lambda: cg.swept_collision(rows, rows, (1, 0), **given),
        lambda: cg.swept_circle((0, 0), 1, (1, 0), rows, **given),
        lambda: cg.contact_intervals(rows, rows, velocity_b=(1, 0), **given),
        lambda: cg.closest_approach(rows, rows, (1, 0), **given),
        lambda: cg.sjoin(rows, rows, velocity_b=(1, 0), **given),
    ):
        with pytest.raises(error, match=text):
            call()


def test_a_duration_without_a_velocity_is_refused() -> None:
    rows = frame(np.random.default_rng(9))
    for call in (
        lambda: cg.colliding_pairs(rows, duration="6h"),
        lambda: cg.candidate_pairs(rows, duration=6, turn_a=0.5, center_a=(0, 0)),
        lambda: cg.sjoin(rows, rows, duration="6h", margin=2),
        lambda: cg.contact_intervals(rows, rows, duration="6h"),
    ):
        with pytest.raises(ValueError, match=r"^duration: given without a velocity"):
            call()


def test_velocities_that_carom_refuses_are_refused_with_a_duration_too() -> None:
    rows = geopandas.GeoSeries([shapely.box(x, 0, x + 1, 1) for x in (0, 5, 9)], list("pqr"))
    big = 2**53 + 1
    for velocity, error, text in (
        ([(1, 0), (np.nan, 0), (1, 0)], ValueError, r"velocity.loc\['q'\] is \(nan, 0.0\)"),
        ([(1, 0), (big, 0.5), (1, 0)], ValueError, rf"velocity.loc\['q'\]: component 0 has {big}"),
        ([(1, 0), (True, 0), (1, 0)], TypeError, r"velocity.loc\['q'\]: component 0 has a bool"),
        ([("1", "0")] * 3, (TypeError, ValueError), "velocity"),
        (np.full((3, 2), big), ValueError, f"component 0 has {big}"),
        (np.ma.array([(1.0, 0)] * 3, mask=[(0, 0), (1, 0), (0, 0)]), ValueError, "is masked"),
    ):
        for duration in (2.0, "2s"):
            with pytest.raises(error, match=text):
                cg.swept_collision(rows, shapely.box(6, 0, 7, 1), velocity, duration=duration)


def test_masked_velocities_leave_those_of_other_rows_as_they_are() -> None:
    rows = geopandas.GeoSeries([shapely.box(x, 0, x + 1, 1) for x in (0, 5, 9)], list("pqr"))
    lasting: dict[str, Any] = {"duration": 2.0, "on_invalid": "mask", "fields": ("time",)}
    masks = np.ma.array([(2, 0)] * 3, mask=[(0, 0), (1, 0), (0, 0)])
    for velocity in (masks, masks.astype(float), [(2, 0), (2**53 + 1, 0), (2, 0)]):
        time = cg.swept_collision(rows, shapely.box(4, 0, 5, 1), velocity, **lasting)["time"]
        assert time.isna().tolist() == [False, True, False]
        assert time["p"] == 1.5


@pytest.mark.parametrize("dtype", ["int64", "float32", "object", "Int64"])
def test_velocities_of_every_type_are_multiplied_in_float64(dtype: str) -> None:
    rows = geopandas.GeoDataFrame(
        {"vx": pd.Series([3, 1], dtype=dtype), "vy": [0.0, 0.0]},
        geometry=[shapely.box(0, 0, 1, 1), shapely.box(0, 2, 1, 3)],
    )
    expected = carom.swept_collision_batch(
        rows, shapely.box(1.25, 0, 2, 4), [(3 * 0.1, 0.0), (1 * 0.1, 0.0)]
    )
    found = cg.swept_collision(rows, shapely.box(1.25, 0, 2, 4), ("vx", "vy"), duration=0.1)
    assert found["time"].tolist() == (expected.time * 0.1).tolist()


# --- Nearest, closest approach, first contact, Z --------------------------------------------------


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES.keys())
def test_nearest_rows_are_those_of_carom_by_label(index: Any) -> None:
    rng = np.random.default_rng(10)
    left, right = frame(rng, index), frame(rng, index)
    for options in ({}, {"k": 3}, {"k": 2, "max_distance": 1.0}):
        (i, j), distance = carom.nearest(left, right, **options)
        for a, b in ((left, right), (left.geometry, cg.column(right))):
            found = cg.nearest(a, b, **options)
            assert list(found.columns) == ["a", "b", "distance"]
            assert found["a"].tolist() == index[i].tolist()
            assert found["b"].tolist() == index[j].tolist()
            assert found["distance"].tolist() == distance.tolist()
    assert 3 not in i and 3 not in j
    near = cg.nearest(left.reset_index(drop=True), right.reset_index(drop=True), k=2)
    lengths = cg.distance(left.reset_index(), right.reset_index(), pairs=near)["distance"]
    assert lengths.tolist() == near["distance"].tolist()


def test_bad_arguments_of_nearest_are_named() -> None:
    rows = frame(np.random.default_rng(11))
    bad = geopandas.GeoSeries([BOW], ["bow"], crs=32633)
    for call, text in (
        (lambda: cg.nearest(rows, rows, k=0), "^k"),
        (lambda: cg.nearest(rows, rows, max_distance=-1), "^max_distance"),
        (lambda: cg.nearest(rows, bad), r"^b.loc\['bow'\]: the ring meets itself"),
        (lambda: cg.nearest(rows, rows.to_crs(4326)), "CRS"),
    ):
        with pytest.raises(ValueError, match=text):
            call()
    assert len(cg.nearest(rows, bad, on_invalid="mask")) == 0
    for given in (None, [shapely.box(0, 0, 1, 1)]):
        with pytest.raises(TypeError, match=r"^b: expected a GeoSeries or a GeoDataFrame, got "):
            cg.nearest(rows, given)
    with pytest.raises(TypeError, match=r"^a: expected a GeoSeries or a GeoDataFrame, got list"):
        cg.nearest([shapely.box(0, 0, 1, 1)], rows)
    degrees = rows.set_crs(4326, allow_override=True)
    with pytest.warns(UserWarning, match="'nearest' are likely incorrect: distances are in deg"):
        cg.nearest(degrees, degrees)


def test_closest_approaches_are_those_of_the_batch_for_rows_labels_and_pairs() -> None:
    rng = np.random.default_rng(12)
    left, right = frame(rng), frame(rng)
    velocity = left[["vx", "vy"]]
    expected = carom.closest_approach_batch(left, right, velocity.to_numpy()).to_pandas(left.index)
    pd.testing.assert_frame_equal(cg.closest_approach(left, right, ("vx", "vy")), expected)
    assert expected["distance"].isna().tolist() == [k == 3 for k in range(20)]
    pairs = cg.colliding_pairs(left, right, margin=3.0)
    turns: dict[str, Any] = {"turn_a": 0.5, "center_a": (0, 0)}
    found = cg.closest_approach(left, right, ("vx", "vy"), pairs=pairs, **turns)
    for row in pairs.index[:20]:
        a, b = pairs.loc[row]
        shapes = left.geometry[a], right.geometry[b]
        one = carom.closest_approach(*shapes, velocity.loc[a], **turns)
        assert found.loc[row, ["distance", "time"]].tolist() == [one.distance, one.time]
    shifted = cg.closest_approach(left.iloc[::-1], right[5:], (1, 0), align=True)
    assert shifted.index.tolist() == list(range(20))
    assert shifted["distance"].isna().tolist() == [k < 5 for k in range(20)]
    with pytest.warns(UserWarning, match="'closest_approach' .* velocity and distance are in degr"):
        cg.closest_approach(left.set_crs(4326, allow_override=True), shapely.Point(0, 0), (0, 0))


CAR = carom.boxes(2.0, 2.0)


def ways(rng: np.random.Generator) -> Any:
    """Trajectories from left to right."""
    poses = np.zeros((6, 4, 3))
    poses[..., 0] = np.linspace(-9, 9, 4)
    poses[..., 1] = rng.integers(-6, 6, (6, 1))
    poses[..., 2] = rng.uniform(-1, 1, (6, 4))
    return poses


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES.keys())
def test_first_contacts_of_trajectories_name_the_obstacle_by_its_label(index: Any) -> None:
    rng = np.random.default_rng(13)
    obstacles, poses = frame(rng, index), ways(rng)
    # One way is free.
    poses[2, :, 1] = 99.0
    given: dict[str, Any] = {"obstacle_velocity": ("vx", "vy"), "margin": "gap"}
    obstacles["gap"] = rng.integers(0, 2, 20) / 2
    arrays = {"obstacle_velocity": obstacles[["vx", "vy"]].to_numpy(), "margin": obstacles["gap"]}
    expected = carom.first_contact(CAR, poses, obstacles, **arrays)
    tables = [
        cg.first_contact(CAR, poses, obstacles, **given),
        cg.first_contact(CAR, poses, cg.column(obstacles), **given),
        cg.first_contact(carom.Trajectories(CAR, poses), obstacles, **given),
        cg.first_contact(carom.Trajectories(CAR, poses), obstacles=obstacles, **given),
    ]
    for found in tables:
        plain = expected.to_pandas().drop(columns="obstacle")
        pd.testing.assert_frame_equal(found.drop(columns="obstacle"), plain)
        assert found["obstacle"].isna().tolist() == (~expected.hit).tolist()
        told = found.loc[expected.hit, "obstacle"].tolist()
        assert told == index[expected.obstacle[expected.hit]].tolist()
    assert expected.hit.tolist() == [k != 2 for k in range(6)]
    assert found["obstacle"].dtype.kind != "f"


def test_trajectories_have_the_index_of_their_footprints_or_a_row_for_each_group() -> None:
    rng = np.random.default_rng(14)
    obstacles, poses = frame(rng), ways(rng)
    cars = geopandas.GeoSeries([shapely.Polygon(CAR)] * 6, [f"car {k}" for k in range(6)])
    found = cg.first_contact(cars, poses, obstacles, fields=("hit", "obstacle"))
    assert found.index.equals(cars.index) and list(found.columns) == ["hit", "obstacle"]
    one = cg.first_contact(cars[:1], poses, obstacles, fields=("hit", "obstacle"))
    assert one.index.equals(pd.RangeIndex(6))
    assert one.values.tolist() == found.values.tolist()
    assert list(cg.first_contact(cars, poses, obstacles, fields=("time",)).columns) == ["time"]
    trains = carom.Trajectories(CAR, poses, groups=[0, 0, 1, 1, 2, 2])
    parts = cg.first_contact(trains, obstacles)
    assert len(parts) == 3 and set(parts["part"]) <= set(range(6))
    assert cg.first_contact(CAR, poses, obstacles[:0])["obstacle"].isna().all()


def test_faults_of_obstacles_and_footprints_are_told_by_label() -> None:
    rng = np.random.default_rng(15)
    obstacles, poses = frame(rng, INDEXES["strings"]), ways(rng)
    bad = obstacles.set_geometry(geopandas.GeoSeries([BOW] * 20, obstacles.index, crs=32633))
    wrong = obstacles.assign(vx=np.nan)
    cars = geopandas.GeoSeries([BOW] * 6, list("pqrstu"))
    for call, error, text in (
        (lambda: cg.first_contact(CAR, poses, bad), ValueError, r"^obstacles.loc\['row 0'\]: the"),
        (lambda: cg.first_contact(cars, poses, obstacles), ValueError, r"^footprints.loc\['p'\]: "),
        (
            lambda: cg.first_contact(CAR, poses, wrong, obstacle_velocity=("vx", "vy")),
            ValueError,
            r"^obstacle_velocity.loc\['row 0'\]",
        ),
        (
            lambda: cg.first_contact(CAR, poses, obstacles, obstacle_velocity=[(0, 0)] * 3),
            ValueError,
            "^obstacle_velocity has 3 rows, and obstacles has 20",
        ),
        (
            lambda: cg.first_contact(CAR, poses, [CAR]),
            TypeError,
            "^obstacles: expected a GeoSeries",
        ),
        (lambda: cg.first_contact(CAR, poses), TypeError, "^obstacles: expected a GeoSeries or"),
    ):
        with pytest.raises(error, match=text):
            call()
    masked = cg.first_contact(CAR, poses, bad, on_invalid="mask")
    assert not masked["hit"].any()
    with pytest.warns(UserWarning, match="'first_contact' .* poses are in degrees"):
        cg.first_contact(CAR, poses, obstacles.set_crs(4326, allow_override=True))


def test_z_is_left_out_on_request_by_every_function() -> None:
    flat = frame(np.random.default_rng(16))
    high = flat.set_geometry(flat.force_3d(7.0))
    shape = shapely.box(-2, -2, 2, 2)
    above = shapely.force_3d(shape, 3.0)
    geometries = [above, *high.geometry[:3]]
    of_two = (cg.intersects, cg.sat, cg.penetration, cg.overlap_area, cg.distance)
    calls = [(lambda a, b, f=it, **o: f(a, b, **o)) for it in of_two]
    calls += [(lambda a, b, f=it, **o: f(a, b, (3, 1), **o)) for it in FUNCTIONS]
    for call in calls:
        expected = call(flat, shape)
        for one, other in ((high, shape), (high, above), (flat, above), (high.geometry, shape)):
            assert call(one, other, drop_z=True).equals(expected)
        with pytest.raises(ValueError, match="Z"):
            call(high, shape)
        with pytest.raises(ValueError, match="Z"):
            call(flat, above)
    by_pairs: dict[str, Any] = {"pairs": ([0, 1], [0, 2])}
    expected = cg.distance(flat, [shape, *flat.geometry[:3]], **by_pairs)
    for given in (
        geometries,
        np.array(geometries),
        geopandas.GeoSeries(geometries, crs=32633).array,
    ):
        assert cg.distance(high, given, drop_z=True, **by_pairs).equals(expected)
    for call in (
        cg.colliding_pairs,
        lambda a, **o: cg.candidate_pairs(a, a, **o),
        lambda a, **o: cg.nearest(a, a, k=2, **o),
        lambda a, **o: cg.circle_polygon((0, 0), 1, a, **o),
        lambda a, **o: cg.swept_circle((0, 0), 1, (1, 0), a, **o),
        lambda a, **o: cg.first_contact(CAR, [[(0, 0, 0), (3, 0, 0)]], a, **o),
    ):
        assert call(high, drop_z=True).equals(call(flat))
        with pytest.raises(ValueError, match="Z"):
            call(high)

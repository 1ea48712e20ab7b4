"""`carom.interop.logs`: tables of SUMO, highD, nuScenes and AIS as trajectories, and back."""

from __future__ import annotations

import itertools
import math
import pickle
from typing import Any

import carom
import dask.dataframe
import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely
from carom.interop import logs
from carom.interop.logs.reading import converted

from docstring_rules import assert_documented

NAMES = {"agent": "id", "time": "t", "x": "x", "y": "y"}
SIZE = {"length": 4.0, "width": 2.0}
CAR: dict[str, Any] = {**NAMES, **SIZE}


def arrays(frame: Any, **keywords: Any) -> Any:
    """The table as arrays, without a question to carom."""
    options = {"heading": None, "angle": "radians", "is_turned": True, "every": None}
    return converted(frame, **{**CAR, **options, "max_gap": None, **keywords})


def table(**columns: Any) -> pd.DataFrame:
    """A table whose y is 0 unless given."""
    frame = pd.DataFrame(columns)
    return frame if "y" in frame else frame.assign(y=0.0)


def headings(x: Any, y: Any) -> list[float]:
    """The headings of the motion of one agent along these positions."""
    frame = table(id="p", t=range(len(x)), x=x, y=y)
    return arrays(frame).poses[0, :, 2].tolist()


def refused(kind: type[carom.InputError], frame: Any, **keywords: Any) -> carom.InputError:
    """The error for a table."""
    with pytest.raises(kind) as caught:
        logs.trajectories(frame, **{**CAR, **keywords})
    return caught.value


# Agents and the clock.


def test_agents_are_in_the_order_of_first_appearance_whatever_their_times() -> None:
    frame = table(id=["q", "p", "q", "p"], t=[2, 1, 1, 2], x=[4.0, 8.0, 3.0, 9.0])
    found = arrays(frame)
    assert found.agents.tolist() == ["q", "p"]
    assert found.agents.name == "agent"
    assert found.times.tolist() == [1, 2]
    assert found.poses[:, :, 0].tolist() == [[3.0, 4.0], [8.0, 9.0]]


def test_an_agent_is_absent_at_times_at_which_it_has_no_row() -> None:
    frame = table(id=list("ppqqq"), t=[0, 2, 0, 1, 2], x=[0.0, 2.0, 5.0, 6.0, 7.0])
    found = arrays(frame)
    assert found.present.tolist() == [[True, False, True], [True, True, True]]
    assert np.isnan(found.poses[0, 1]).all()
    assert np.isfinite(found.poses[found.present]).all()


@pytest.mark.parametrize("labels", [[7, 9], ["p", "q"], [True, False], [("p", 1), ("p", 2)]])
def test_labels_of_any_kind_are_kept(labels: Any) -> None:
    who = pd.Series(pd.Index(labels, tupleize_cols=False).repeat(2))
    found = arrays(table(id=who, t=[0, 1, 0, 1], x=[0.0, 1.0, 2.0, 3.0]))
    assert found.agents.tolist() == labels


def test_categories_without_rows_are_no_agents() -> None:
    who = pd.Categorical(["b", "b", "a"], categories=["a", "b", "unseen"])
    found = arrays(table(id=who, t=[0, 1, 0], x=[0.0, 1.0, 2.0]))
    assert found.agents.tolist() == ["b", "a"]


def test_an_agent_of_a_single_row_is_one() -> None:
    found = arrays(table(id=["p"], t=[3.5], x=[1.0]))
    assert found.poses.tolist() == [[[1.0, 0.0, 0.0]]]


def test_a_shuffled_table_gives_the_same_poses() -> None:
    frame = traffic(seed=1)
    found, shuffled = arrays(frame), arrays(frame.sample(frac=1, random_state=3))
    rows = shuffled.agents.get_indexer(found.agents)
    assert shuffled.poses[rows].tobytes() == found.poses.tobytes()


# Times.


def test_numbers_stay_the_times_that_they_are() -> None:
    found = arrays(table(id="p", t=[100, 103, 104], x=[0.0, 1.0, 2.0]))
    assert found.times.dtype == np.int64
    assert found.seconds.tolist() == [100.0, 103.0, 104.0]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
def test_timestamps_are_seconds_since_the_first(unit: str, zone: str | None) -> None:
    # The clock in Berlin goes back by an hour between these times.
    when = pd.date_range("2024-10-27 00:30", periods=3, freq="30min", tz="UTC").as_unit(unit)
    when = when.tz_localize(None) if zone is None else when.tz_convert(zone)
    found = arrays(table(id="p", t=when, x=[0.0, 1.0, 2.0]))
    assert found.times.equals(when)
    assert found.times.dtype == when.dtype
    assert found.seconds.tolist() == [0.0, 1800.0, 3600.0]


def test_durations_are_seconds_since_the_first() -> None:
    when = pd.to_timedelta([1.5, 2.0, 2.25], unit="s")
    found = arrays(table(id="p", t=when, x=[0.0, 1.0, 2.0]))
    assert found.times.equals(when)
    assert found.seconds.tolist() == [0.0, 0.5, 0.75]


def test_nullable_and_arrow_columns_are_numbers() -> None:
    frame = table(id=list("pp"), t=[0, 1], x=[0, 5], y=[1.5, 2.5])
    expected = arrays(frame)
    for engine in ("numpy_nullable", "pyarrow"):
        found = arrays(frame.convert_dtypes(dtype_backend=engine))
        assert found.poses.tolist() == expected.poses.tolist()
    stamps = pd.Series(pd.date_range("2024-01-01", periods=2, freq="1s", tz="UTC"))
    stamps = stamps.astype(pd.ArrowDtype(pa.timestamp("us", "UTC")))
    assert arrays(frame.assign(t=stamps)).seconds.tolist() == [0.0, 1.0]


def test_a_table_of_arrow_is_read_as_the_frame_is() -> None:
    frame = traffic(seed=2)
    found = arrays(pa.table(frame))
    assert found.poses.tobytes() == arrays(frame).poses.tobytes()


# Headings.


def test_a_heading_is_the_direction_to_the_next_pose() -> None:
    found = headings([0, 1, 1, 0, 0], [0, 0, 2, 2, 1])
    assert found == [0.0, math.pi / 2, math.pi, -math.pi / 2, -math.pi / 2]


def test_a_body_that_stands_keeps_the_heading_of_its_last_motion() -> None:
    up = math.pi / 2
    assert headings([0, 0, 0, 0, 5], [0, 3, 3, 3, 3]) == [up, up, up, 0.0, 0.0]


def test_before_its_first_motion_a_body_has_the_heading_of_that() -> None:
    up = math.pi / 2
    assert headings([0, 0, 0, 4], [0, 0, 3, 3]) == [up, up, 0.0, 0.0]


def test_a_body_that_never_moves_has_heading_0() -> None:
    assert headings([3, 3, 3], [1, 1, 1]) == [0.0, 0.0, 0.0]


def test_a_heading_leads_to_the_next_pose_at_which_the_agent_is_present() -> None:
    frame = table(id=list("ppqqq"), t=[0, 2, 0, 1, 2], x=[0.0, 0.0, 5.0, 6.0, 7.0])
    frame.loc[1, "y"] = 4.0
    assert arrays(frame).poses[0, 0, 2] == math.pi / 2


def expected_headings(x: Any, y: Any) -> list[float]:
    """The headings of one agent, one after the other."""
    directions = [
        math.atan2(y[k + 1] - y[k], x[k + 1] - x[k])
        if (x[k], y[k]) != (x[k + 1], y[k + 1])
        else None
        for k in range(len(x) - 1)
    ]
    moved = [it for it in directions if it is not None]
    heading = moved[0] if moved else 0.0
    found = []
    for direction in [*directions, None]:
        heading = heading if direction is None else direction
        found.append(heading)
    return found


def test_headings_are_those_of_a_loop_over_agents() -> None:
    random = np.random.default_rng(5)
    rows = [(who, k) for who in range(200) for k in range(int(random.integers(1, 9)))]
    who, when = np.array(rows).T
    # Most bodies stand in most steps.
    x, y = np.cumsum(random.integers(0, 5, (2, len(rows))) // 3, axis=1).astype(float)
    frame = table(id=who, t=when, x=x, y=y)
    found = arrays(frame.sample(frac=1, random_state=5))
    for label, own in frame.groupby("id"):
        row = found.poses[found.agents.get_loc(label), : len(own), 2]
        own = own.sort_values("t")
        np.testing.assert_allclose(
            row, expected_headings(own["x"].tolist(), own["y"].tolist()), rtol=1e-15
        )


@pytest.mark.parametrize(
    ("angle", "given", "radians"),
    [
        ("radians", [0.0, -4.0, 7.0], [0.0, -4.0, 7.0]),
        ("degrees", [0.0, 90.0, 180.0, -90.0], [0.0, math.pi / 2, math.pi, -math.pi / 2]),
        (
            "compass",
            [90.0, 0.0, 180.0, 270.0, 360.0, 45.0],
            [0.0, math.pi / 2, -math.pi / 2, -math.pi, -1.5 * math.pi, math.pi / 4],
        ),
    ],
)
def test_quarter_turns_are_exact(angle: str, given: list[float], radians: list[float]) -> None:
    frame = table(id="p", t=range(len(given)), x=range(len(given)), h=given)
    assert arrays(frame, heading="h", angle=angle).poses[0, :, 2].tolist() == radians


def test_integer_degrees_are_taken() -> None:
    frame = table(id="p", t=[0, 1], x=[0, 1], h=np.array([90, 0], dtype=np.int16))
    found = arrays(frame, heading="h", angle="compass")
    assert found.poses[0, :, 2].tolist() == [0.0, math.pi / 2]


# Sizes and the point of the box.


def test_sizes_are_one_for_each_agent_in_its_order() -> None:
    frame = table(id=list("qpqp"), t=[0, 0, 1, 1], x=range(4), l=[5, 4, 5, 4], w=[2.5, 2, 2.5, 2])
    found = arrays(frame, length="l", width="w")
    assert found.length.tolist() == [5.0, 4.0]
    assert found.width.tolist() == [2.5, 2.0]
    mixed = arrays(frame, length="l", width=1)
    assert mixed.width.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("reference", "bounds"),
    [
        ("center", [8.0, 19.0, 12.0, 21.0]),
        ("front", [6.0, 19.0, 10.0, 21.0]),
        ("rear", [10.0, 19.0, 14.0, 21.0]),
        (1.5, [8.5, 19.0, 12.5, 21.0]),
        ("corner", [10.0, 20.0, 14.0, 22.0]),
    ],
)
@pytest.mark.parametrize("as_columns", [False, True])
def test_the_reference_is_the_point_of_the_box_that_x_and_y_are(
    reference: Any, bounds: list[float], as_columns: bool
) -> None:
    frame = table(id=["p", "q"], t=[0, 0], x=[10.0, 10.0], y=[20.0, 20.0], l=4, w=2)
    sizes = {"length": "l", "width": "w"} if as_columns else SIZE
    log = logs.trajectories(frame, **NAMES, **sizes, reference=reference)
    assert log.trajectories.bounds.tolist() == [bounds, bounds]


def test_boxes_given_by_a_corner_stay_along_the_axes() -> None:
    frame = table(id="p", t=[0, 1], x=[0.0, 1.0], y=[0.0, 7.0])
    log = logs.trajectories(frame, **CAR, reference="corner")
    assert log.trajectories.poses[0, :, 2].tolist() == [0.0, 0.0]
    # Bounds are rounded outward.
    np.testing.assert_allclose(
        log.trajectories.bounds, [[0.0, 0.0, 5.0, 9.0]], rtol=1e-15, atol=1e-15
    )


# Reports at times of their own.


def ships() -> pd.DataFrame:
    """Two ships as AIS tells of them: every few seconds, each at its own times."""
    start = pd.Timestamp("2024-05-01T12:00:00", tz="UTC")
    seconds = [0, 10, 20, 90, 100, 3, 14, 24, 33, 45, 56, 66, 77, 88, 99]
    return pd.DataFrame(
        {
            "MMSI": [211000001] * 5 + [211000002] * 10,
            "BaseDateTime": start + pd.to_timedelta(seconds, unit="s"),
            "x": [0.0, 50.0, 100.0, 450.0, 500.0, *(400.0 - 5.0 * np.array(seconds[5:]))],
            "y": [0.0] * 5 + [8.0] * 10,
            "Heading": [90] * 5 + [270] * 10,
        }
    )


AIS: dict[str, Any] = {
    "agent": "MMSI",
    "time": "BaseDateTime",
    "x": "x",
    "y": "y",
    "heading": "Heading",
    "angle": "compass",
    "length": 40.0,
    "width": 10.0,
}


def test_agents_that_report_at_times_of_their_own_need_a_clock() -> None:
    error = refused(carom.InputValueError, ships(), **AIS)
    assert error.argument == "time"
    assert "every=" in error.reason and "max_gap=" in error.reason
    assert "of 13 pairs of successive reports of an agent, 6 are successive" in error.reason


def test_half_of_the_reports_on_one_clock_suffice() -> None:
    # Of the two intervals of p one is a step of the clock 0, 1, 2, 3; then one of three.
    assert arrays(table(id=list("pppq"), t=[0, 1, 3, 2], x=range(4))).present.sum() == 4
    error = refused(carom.InputValueError, table(id=list("ppppqq"), t=[0, 1, 3, 5, 2, 4], x=0))
    assert "of 4 pairs of successive reports of an agent, 1 are successive" in error.reason


def test_times_that_differ_by_rounding_are_refused() -> None:
    # 3 * 0.1 is not 0.3.
    when = [*(k * 0.1 for k in range(5)), *(k / 10 for k in range(5))]
    frame = table(id=["p"] * 5 + ["q"] * 5, t=when, x=range(10))
    error = refused(carom.InputValueError, frame)
    assert error.argument == "time"
    assert "0.3 and 0.30000000000000004" in error.reason
    assert arrays(frame.round({"t": 5})).present.all()
    assert "frame['t'].round(5)" in error.reason
    # A microsecond at the seconds since 1970 is four times their rounding.
    since = table(id="p", t=1.7e9 + np.arange(9) * 1e-6, x=range(9))
    assert arrays(since).present.all()


def test_a_clock_of_equal_steps_interpolates_between_reports() -> None:
    found = arrays(ships(), **AIS, every="10s", max_gap="1min")
    assert len(found.times) == 11
    assert found.times[1] == pd.Timestamp("2024-05-01T12:00:10Z")
    first, second = found.poses
    # Between 20 s and 90 s the first ship doesn't report, for more than a minute.
    assert found.present[0].tolist() == [True] * 3 + [False] * 6 + [True] * 2
    assert first[found.present[0], 0].tolist() == [0.0, 50.0, 100.0, 450.0, 500.0]
    assert found.present[1].tolist() == [False] + [True] * 9 + [False]
    np.testing.assert_allclose(second[1:10, 0], 400.0 - 50.0 * np.arange(1, 10), atol=1e-12)
    assert set(second[1:10, 2]) == {-math.pi}


def test_the_largest_gap_is_included() -> None:
    assert arrays(ships(), **AIS, every="10s", max_gap="70s").present[0].all()
    assert not arrays(ships(), **AIS, every="10s", max_gap="69999ms").present[0].all()
    assert arrays(ships(), **AIS, every="10s", max_gap=math.inf).present[0].all()
    # 0.8 - 0.7 is more than 0.1 in float64.
    tenths = table(id="p", t=np.arange(12) / 10, x=np.arange(12.0))
    assert arrays(tenths, every=0.05, max_gap=0.1).present.all()


def test_a_report_at_a_time_of_the_clock_is_taken_as_it_is() -> None:
    x = [0.1, 0.7, 1e17, 0.3]
    frame = table(id="p", t=np.arange(4) / 10, x=x, h=[3.1, -3.1, 9.0, 0.2])
    found = arrays(frame, heading="h", every=0.1, max_gap=1)
    # The clock has no 3 * 0.1, which is more than the 0.3 of the last report.
    assert found.times.tolist() == [0.0, 0.1, 0.2, 0.3]
    assert found.poses[0, :, 0].tolist() == x
    assert found.poses[0, :, 2].tolist() == [3.1, -3.1, 9.0, 0.2]


def test_headings_are_interpolated_the_short_way() -> None:
    frame = table(id="p", t=[0, 2, 4], x=[0, 0, 0], h=[3.0, -3.0, 3.0 + 4 * math.pi])
    found = arrays(frame, heading="h", every=1, max_gap=2)
    turned = found.poses[0, [1, 3], 2] - math.pi
    np.testing.assert_allclose(np.remainder(turned + 1, 2 * math.pi), [1.0, 1.0], rtol=1e-13)


def test_headings_of_the_motion_are_those_on_the_clock() -> None:
    frame = table(id="p", t=[0.0, 1.5, 3.0], x=[0.0, 1.5, 1.5], y=[0.0, 0.0, 1.5])
    found = arrays(frame, every=1.0, max_gap=2.0)
    assert found.poses[0, :, :2].tolist() == [[0, 0], [1, 0], [1.5, 0.5], [1.5, 1.5]]
    up = math.pi / 2
    np.testing.assert_allclose(found.poses[0, :, 2], [0.0, math.pi / 4, up, up], rtol=1e-15)


def test_resampling_is_that_of_a_loop_over_agents_and_times() -> None:
    random = np.random.default_rng(7)
    who = random.integers(0, 30, 600)
    ticks = random.permutation(4000)[:600]
    frame = table(id=who, t=ticks / 8, x=random.normal(size=600), y=random.normal(size=600))
    found = arrays(frame, every=1.0, max_gap=30.0)
    assert found.times.tolist() == (ticks.min() / 8 + np.arange(len(found.times))).tolist()
    assert found.times[-1] <= frame["t"].max() < found.times[-1] + 1
    for label, own in frame.sort_values("t").groupby("id"):
        row = found.agents.get_loc(label)
        seen = own["t"].to_numpy()
        for k, time in enumerate(found.times):
            after = int(np.searchsorted(seen, time))
            is_report = after < len(seen) and seen[after] == time
            is_between = 0 < after < len(seen) and seen[after] - seen[after - 1] <= 30.0
            assert found.present[row, k] == (is_report or is_between)
            if found.present[row, k]:
                expected = [np.interp(time, seen, own[axis]) for axis in "xy"]
                np.testing.assert_allclose(found.poses[row, k, :2], expected, atol=1e-12)


def test_an_agent_between_two_times_of_the_clock_is_never_present() -> None:
    frame = table(id=list("ppq"), t=[0.0, 4.0, 1.5], x=[0.0, 4.0, 9.0])
    found = arrays(frame, every=1.0, max_gap=9.0)
    assert found.agents.tolist() == ["p", "q"]
    assert found.present.sum(axis=1).tolist() == [5, 0]


def test_integer_times_stay_integers_on_a_clock_of_integer_steps() -> None:
    frame = table(id="p", t=[10, 14], x=[0, 4])
    whole, halves = (arrays(frame, every=step, max_gap=4).times for step in (2, 0.5))
    assert whole.tolist() == [10, 12, 14] and whole.dtype == np.int64
    assert halves.dtype == np.float64 and len(halves) == 9


@pytest.mark.parametrize(
    "every", ["500ms", pd.Timedelta(milliseconds=500), np.timedelta64(500, "ms")]
)
def test_steps_finer_than_the_unit_of_the_times_are_exact(every: Any) -> None:
    when = pd.DatetimeIndex(np.array(["2024-01-01T00:00:00", "2024-01-01T00:00:02"], "M8[s]"))
    found = arrays(table(id="p", t=when, x=[0.0, 4.0]), every=every, max_gap="1h")
    assert found.poses[0, :, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert found.times[1] == pd.Timestamp("2024-01-01 00:00:00.5")


# Refusals.


def test_a_missing_column_is_named_with_those_that_are_there() -> None:
    error = refused(carom.InputValueError, table(id=["p"], t=[0], x=[0]), x="pos_x")
    assert str(error) == ("x: no column is called 'pos_x'; the columns are ['id', 't', 'x', 'y']")
    indexed = table(id=["p"], t=[0], x=[0]).set_index(["id", "t"])
    assert "frame.reset_index()" in refused(carom.InputValueError, indexed).reason
    points = geopandas.GeoDataFrame({"id": ["p"], "t": [0]}, geometry=[shapely.Point(1, 2)])
    assert "x=frame.geometry.x" in refused(carom.InputValueError, points).reason


def test_a_column_name_is_text_and_names_one_column() -> None:
    frame = table(id=["p"], t=[0], x=[0])
    assert refused(carom.InputTypeError, frame, agent=0).argument == "agent"
    twice = pd.concat([frame, frame[["x"]]], axis=1)
    assert "several columns" in refused(carom.InputValueError, twice).reason


def test_two_rows_of_one_agent_and_time_are_refused() -> None:
    frame = table(id=list("qpqp"), t=[1, 0, 0, 0], x=range(4)).set_index(pd.Index(list("abcd")))
    error = refused(carom.InputValueError, frame)
    assert (error.argument, error.row, error.label) == ("time", 3, "d")
    assert str(error).startswith("time[3]: agent 'p' at time 0 has row 1 already")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("argument", ["x", "y", "heading", "length", "width"])
def test_a_number_that_is_not_finite_names_agent_and_time(argument: str, value: float) -> None:
    numbers = {"x": [0.0, 1.0], "y": [0.0, 0.0], "h": [0.0, 0.0], "l": [4.0, 4.0], "w": [2.0, 2.0]}
    names = {**NAMES, "heading": "h", "length": "l", "width": "w"}
    frame = table(id="p", t=[0.0, 0.5], **numbers)
    frame.loc[1, names[argument]] = value
    error = refused(carom.InputValueError, frame, **names)
    assert (error.argument, error.row, error.label) == (argument, 1, 1)
    assert f"agent 'p' at time 0.5: expected a finite number, got {value}" in str(error)


def test_missing_values_of_nullable_columns_are_refused() -> None:
    for dtype in ("Int64", "Float64", "int64[pyarrow]", "double[pyarrow]"):
        frame = table(id="p", t=[0, 1], x=pd.Series([1, None], dtype=dtype))
        assert refused(carom.InputValueError, frame).row == 1


def test_a_size_that_changes_is_refused() -> None:
    frame = table(id=list("pqpq"), t=[0, 0, 1, 1], x=range(4), l=[4.0, 5.0, 4.0, 5.5])
    error = refused(carom.InputValueError, frame, length="l")
    assert (error.argument, error.row) == ("length", 3)
    assert "agent 'q' at time 1 is 5.5, and was 5.0 at time 0" in str(error)


@pytest.mark.parametrize("size", [0.0, -1.0])
def test_a_size_is_above_0(size: float) -> None:
    frame = table(id="p", t=[0], x=[0], w=[size])
    assert "agent 'p' at time 0" in str(refused(carom.InputValueError, frame, width="w"))
    assert refused(carom.InputValueError, frame, width=size).argument == "width"
    assert refused(carom.InputTypeError, frame, width=True).argument == "width"


@pytest.mark.parametrize("argument", ["x", "heading", "length"])
def test_a_column_of_text_or_truths_is_refused(argument: str) -> None:
    for values in (["1", "2"], [True, False], [1 + 0j, 2], np.array([1, 2], dtype=object)):
        frame = table(id="p", t=[0, 1], x=[0, 1], other=values)
        error = refused(carom.InputTypeError, frame, **{argument: "other"})
        assert error.argument == argument
        assert "'other'" in error.reason


def test_times_that_are_text_are_refused_with_the_call_that_reads_them() -> None:
    for values in (["2024-01-01", "2024-01-02"], [None, None]):
        error = refused(carom.InputTypeError, table(id="p", t=values, x=[0, 1]))
        assert "pandas.to_datetime(frame['t'], utc=True)" in error.reason


@pytest.mark.parametrize("times", [[0.0, math.nan], [0.0, math.inf], ["2024-01-01", None]])
def test_a_row_without_a_time_is_refused(times: Any) -> None:
    values = pd.to_datetime(times) if times[0] else times
    error = refused(carom.InputValueError, table(id="p", t=values, x=[0, 1]))
    assert (error.argument, error.row) == ("time", 1)
    assert "agent 'p'" in error.reason


def test_a_row_without_an_agent_is_refused() -> None:
    error = refused(carom.InputValueError, table(id=["p", None], t=[0, 1], x=[0, 1]))
    assert (error.argument, error.row) == ("agent", 1)


def test_integers_that_no_float64_is_are_refused() -> None:
    error = refused(carom.InputValueError, table(id="p", t=[2**53, 2**53 + 1], x=[0, 1]))
    assert (error.argument, error.row) == ("time", 1)
    assert str(2**53 + 1) in error.reason


def test_a_table_without_rows_is_refused() -> None:
    assert refused(carom.InputValueError, table(id=[], t=[], x=[])).argument == "frame"


def test_what_is_no_table_is_refused() -> None:
    on_dask = dask.dataframe.from_pandas(table(id=["p"], t=[0], x=[0]), npartitions=1)
    for given, advice in (
        ({"id": ["p"]}, "pandas.DataFrame(frame)"),
        (on_dask, "frame.compute()"),
        (np.zeros((2, 4)), "got ndarray"),
    ):
        error = refused(carom.InputTypeError, given)
        assert error.argument == "frame" and advice in error.reason


def test_a_compass_has_360_degrees() -> None:
    frame = ships().assign(Heading=511)
    error = refused(carom.InputValueError, frame, **AIS, every="10s", max_gap="1min")
    assert (error.argument, error.row) == ("heading", 0)
    assert "agent 211000001 at time 2024-05-01 12:00:00+00:00" in str(error)
    assert "AIS" in error.reason


@pytest.mark.parametrize(
    ("kind", "argument", "keywords"),
    [
        (carom.InputValueError, "reference", {"reference": "middle"}),
        (carom.InputValueError, "reference", {"reference": math.nan}),
        (carom.InputTypeError, "reference", {"reference": None}),
        (carom.InputTypeError, "reference", {"reference": True}),
        (carom.InputValueError, "angle", {"angle": "gon"}),
        (carom.InputValueError, "heading", {"reference": "corner", "heading": "x"}),
        (carom.InputValueError, "max_gap", {"every": 1.0}),
        (carom.InputValueError, "max_gap", {"max_gap": 1.0}),
        (carom.InputValueError, "max_gap", {"every": 1.0, "max_gap": 0.0}),
        (carom.InputValueError, "every", {"every": -1.0, "max_gap": 1.0}),
        (carom.InputValueError, "every", {"every": math.nan, "max_gap": 1.0}),
        (carom.InputValueError, "every", {"every": math.inf, "max_gap": 1.0}),
        (carom.InputValueError, "every", {"every": 1e-12, "max_gap": 1.0}),
        (carom.InputTypeError, "every", {"every": "1s", "max_gap": 1.0}),
        (carom.InputTypeError, "every", {"every": True, "max_gap": 1.0}),
    ],
)
def test_options_that_mean_nothing_are_refused(kind: Any, argument: str, keywords: Any) -> None:
    frame = table(id=["p", "p"], t=[0.0, 1.0], x=[0.0, 1.0])
    assert refused(kind, frame, **keywords).argument == argument


@pytest.mark.parametrize(
    ("kind", "every"),
    [
        (carom.InputTypeError, 10),
        (carom.InputValueError, "soon"),
        (carom.InputValueError, "-1s"),
        (carom.InputValueError, "1ns"),
        (carom.InputValueError, np.timedelta64("NaT")),
    ],
)
def test_steps_between_timestamps_are_durations(kind: Any, every: Any) -> None:
    assert refused(kind, ships(), **AIS, every=every, max_gap="1min").argument == "every"


def test_what_trajectories_refuses_names_the_agent() -> None:
    # The center of the arc is further away than the largest float64.
    frame = table(id=list("qqpp"), t=[0, 1, 0, 1], x=[0, 1, 0, 1e300], h=[0, 0, 0, 1e-300])
    error = refused(carom.InputError, frame, heading="h", motion="arc")
    assert error.label == "p"
    assert "(agent 'p')" in str(error)


# Results, against one step after the other.


def traffic(seed: int) -> pd.DataFrame:
    """A dozen vehicles that drive through a square, some of them for a part of the time."""
    random = np.random.default_rng(seed)
    rows = []
    for who in range(12):
        begin, end = sorted(random.choice(9, 2, replace=False))
        start, speed = random.uniform(-9, 9, 2), random.uniform(-9, 9, 2)
        heading, turn = random.uniform(-3, 3), random.uniform(-0.6, 0.6)
        for k in range(begin, end + 1):
            x, y = start + (k - 4) * speed
            rows.append((f"vehicle{who}", k / 2, x, y, heading + k * turn, 4 + who % 3, 2.0))
    return pd.DataFrame(rows, columns=["id", "t", "x", "y", "h", "l", "w"])


DRIVING: dict[str, Any] = {**NAMES, "heading": "h", "length": "l", "width": "w"}


def first_meeting(frame: pd.DataFrame, a: str, b: str, margin: float) -> float | None:
    """The first time at which two vehicles of `traffic` meet, step by step."""
    (length_a, one), (length_b, other) = (
        (own["l"].iloc[0], {row.t: (row.x, row.y, row.h) for row in own.itertuples()})
        for own in (frame[frame["id"] == who] for who in (a, b))
    )
    boxes = [
        np.array([(-it / 2, -1), (it / 2, -1), (it / 2, 1), (-it / 2, 1)])
        for it in (length_a, length_b)
    ]
    for time in sorted(one.keys() & other.keys()):
        poses = np.array([one[time], other[time]])
        placed = [carom.place(box, pose) for box, pose in zip(boxes, poses, strict=True)]
        if carom.intersects(*placed, margin=margin):
            return time
        if time + 0.5 in one.keys() & other.keys():
            moved = np.array([one[time + 0.5], other[time + 0.5]]) - poses
            turns = [math.remainder(it, math.tau) for it in moved[:, 2]]
            result = carom.swept_collision(
                *placed,
                moved[0, :2] - moved[1, :2],
                turn_a=turns[0],
                center_a=poses[0, :2],
                turn_b=turns[1],
                center_b=poses[1, :2],
                margin=margin,
            )
            if result.will_intersect:
                return time + 0.5 * result.time
    return None


@pytest.mark.parametrize("margin", [0.0, 1.5])
@pytest.mark.parametrize("seed", range(4))
def test_encounters_are_those_of_all_pairs_step_by_step(seed: int, margin: float) -> None:
    frame = traffic(seed)
    log = logs.trajectories(frame, **DRIVING)
    found = log.encounters(margin=margin)
    expected = {
        (a, b): time
        for a, b in itertools.combinations(log.agents, 2)
        if (time := first_meeting(frame, a, b, margin)) is not None
    }
    assert list(zip(found["a"], found["b"], strict=True)) == list(expected)
    np.testing.assert_allclose(found["at"], list(expected.values()), rtol=1e-9)
    np.testing.assert_allclose(found["at"], log.times[0] + 0.5 * (found["step"] + found["time"]))
    assert len(expected) > 0


def test_encounters_have_a_column_for_each_number() -> None:
    log = logs.trajectories(traffic(0), **DRIVING)
    ends = [f"contact_{end}_{axis}" for end in (0, 1) for axis in "xy"]
    columns = ["a", "b", "step", "time", "at", "normal_x", "normal_y", *ends]
    assert log.encounters().columns.tolist() == columns
    assert log.encounters(fields=("at",)).columns.tolist() == ["a", "b", "at"]
    some = log.encounters(fields=("normal", "at", "step"))
    assert some.columns.tolist() == ["a", "b", "normal_x", "normal_y", "at", "step"]
    assert log.encounters(fields=("step",)).columns.tolist() == ["a", "b", "step"]


def test_no_encounters_are_a_frame_of_the_same_columns_and_types() -> None:
    log = logs.trajectories(traffic(0), **DRIVING)
    alone = logs.trajectories(table(id="p", t=[0, 1], x=[0, 1]), **CAR)
    assert len(alone.encounters()) == 0
    assert alone.encounters().columns.tolist() == log.encounters().columns.tolist()
    assert alone.encounters().dtypes.equals(log.encounters().dtypes)


def head_on(**columns: Any) -> logs.Log:
    """Agent 10 meets agent 20 after a quarter of the second step; agent 30 is elsewhere."""
    frame = table(
        id=[10] * 3 + [20] * 3 + [30] * 3,
        t=[0, 1, 2] * 3,
        x=[0.0, 8.0, 16.0, 30.0, 22.0, 14.0, 0.0, 0.0, 0.0],
        y=[0.0] * 6 + [50.0] * 3,
    )
    # Boxes of 4 m: 10 m between their ends after the first step, at 16 m a step.
    return logs.trajectories(frame.assign(**columns), **CAR)


def test_times_of_contact_are_timestamps_where_times_are() -> None:
    for zone in (None, "Asia/Kolkata"):
        when = pd.date_range("2024-03-01 08:00", periods=3, freq="4s", tz=zone)
        log = head_on(t=np.tile(when, 3) if zone is None else [*when] * 3)
        found = log.encounters()
        assert found[["a", "b", "step", "time"]].to_numpy().tolist() == [[10, 20, 1, 0.625]]
        assert found["at"].dtype == log.times.dtype
        assert found["at"][0] == pd.Timestamp("2024-03-01 08:00:06.5", tz=zone)


def test_times_of_contact_are_finer_than_a_second_where_times_are_not() -> None:
    when = np.array(["2024-03-01T08:00:00", "2024-03-01T08:00:01", "2024-03-01T08:00:02"], "M8[s]")
    found = head_on(t=np.tile(when, 3)).encounters(fields=("at",))
    assert found["at"][0] == pd.Timestamp("2024-03-01 08:00:01.625")
    lasting = pd.to_timedelta(np.tile([0, 1, 2], 3), unit="s").as_unit("ns")
    assert head_on(t=lasting).encounters()["at"].tolist() == [pd.Timedelta("1.625s")]


WALL = [(9.0, -5.0), (10.0, -5.0), (10.0, 5.0), (9.0, 5.0)]


def test_a_first_contact_has_the_label_of_the_agent() -> None:
    when = pd.date_range("2024-03-01 08:00", periods=3, freq="4s")
    log = head_on(t=np.tile(when, 3))
    found = log.first_contact(carom.Shapes([WALL]))
    assert found.index.equals(pd.Index([10, 20, 30], name="agent"))
    assert found.columns.tolist()[:5] == ["hit", "step", "time", "at", "obstacle"]
    assert found["obstacle"].tolist() == [0, -1, -1]
    assert found.loc[10, "at"] == pd.Timestamp("2024-03-01 08:00:03.5")
    assert found["at"].isna().tolist() == [False, True, True]
    assert head_on().first_contact([WALL])["at"].tolist() == [0.875, math.inf, math.inf]


def test_clearance_has_the_time_of_the_least_distance() -> None:
    found = head_on().clearance([WALL], fields=("distance", "at"))
    assert found["distance"].tolist() == [0.0, 2.0, math.hypot(44.0, 7.0)]
    assert found.loc[[10, 20], "at"].tolist() == [0.875, 2.0]


def test_obstacles_of_another_log_are_named_by_their_labels() -> None:
    log = head_on()
    frame = table(id=["post"] * 3 + ["gate"] * 3, t=[0, 1, 2] * 2, x=[99.0] * 3 + [25.0] * 3)
    others = logs.trajectories(frame, **NAMES, length=1.0, width=1.0)
    found = log.first_contact(others, fields=("obstacle",))
    assert found["obstacle"].isna().tolist() == [True, False, True]
    assert found.loc[20, "obstacle"] == "gate"
    assert others.clearance(log, fields=("obstacle",))["obstacle"].tolist() == [20, 20]
    met = others.first_contact(log, fields=("obstacle",))["obstacle"]
    assert met.dtype == "Int64" and met.isna().tolist() == [True, False] and met["gate"] == 20
    assert log.first_contact(others.trajectories)["obstacle"].tolist() == [-1, 1, -1]


def test_obstacles_with_other_times_are_refused() -> None:
    when = pd.date_range("2024-03-01 08:00", periods=3, freq="4s")
    log, later = head_on(t=np.tile(when, 3)), head_on(t=np.tile(when + pd.Timedelta("1D"), 3))
    for query in (log.first_contact, log.clearance):
        with pytest.raises(carom.InputValueError, match=r"^obstacles: the log has other times"):
            query(later)
        with pytest.raises(carom.InputValueError, match=r"encounters\(\)"):
            query(log)


def test_a_log_shows_what_it_has_and_is_immutable() -> None:
    log = head_on()
    assert repr(log) == "Log(<3 agents at 3 times from 0 to 2, 9 poses>)"
    assert len(log) == 3
    one = logs.trajectories(table(id="p", t=[2.5], x=[0]), **CAR)
    assert repr(one) == "Log(<1 agent at 1 time, 2.5, 1 pose>)"
    with pytest.raises(AttributeError, match="immutable"):
        log.agents = None  # type: ignore[misc]
    with pytest.raises(carom.InputValueError, match=r"^agents: expected 3, got 2"):
        logs.Log(log.trajectories, [1, 2], log.times)


def test_a_log_is_pickled_with_its_labels_and_times() -> None:
    log = head_on(t=pd.to_timedelta(np.tile([0, 1, 2], 3), unit="s"))
    copy = pickle.loads(pickle.dumps(log))
    assert copy.agents.equals(log.agents) and copy.times.equals(log.times)
    pd.testing.assert_frame_equal(copy.encounters(), log.encounters())


# Tables as they come.


def test_sumo_gives_the_middle_of_the_front_bumper_and_compass_degrees() -> None:
    frame = pd.DataFrame(
        {
            "timestep_time": [0.0, 0.0, 1.0, 1.0],
            "vehicle_id": ["east", "north", "east", "north"],
            "vehicle_x": [0.0, 20.0, 20.0, 20.0],
            "vehicle_y": [0.0, -20.0, 0.0, -4.0],
            "vehicle_angle": [90.0, 0.0, 90.0, 0.0],
            "vehicle_type": ["car", "bus", "car", "bus"],
        }
    )
    frame["length"] = frame["vehicle_type"].map({"car": 5.0, "bus": 12.0})
    log = logs.trajectories(
        frame,
        agent="vehicle_id",
        time="timestep_time",
        x="vehicle_x",
        y="vehicle_y",
        heading="vehicle_angle",
        angle="compass",
        length="length",
        width=2.0,
        reference="front",
    )
    np.testing.assert_allclose(
        log.trajectories.bounds, [[-5.0, -1.0, 20.0, 1.0], [19.0, -32.0, 21.0, -4.0]], atol=1e-12
    )
    assert len(log.encounters()) == 0
    assert log.encounters(margin=3.5)["b"].tolist() == ["north"]


def test_highd_gives_a_corner_and_calls_the_length_width() -> None:
    frame = pd.DataFrame(
        {
            "frame": [1, 2, 1, 2],
            "id": [1, 1, 2, 2],
            "x": [100.0, 101.0, 90.0, 92.5],
            "y": [8.0, 8.0, 8.5, 8.5],
            "width": [4.5, 4.5, 8.0, 8.0],
            "height": [2.0, 2.0, 2.5, 2.5],
        }
    )
    columns = {"agent": "id", "time": "frame", "x": "x", "y": "y"}
    log = logs.trajectories(frame, **columns, length="width", width="height", reference="corner")
    bounds = [[100, 8, 105.5, 10], [90, 8.5, 100.5, 11]]
    np.testing.assert_allclose(log.trajectories.bounds, bounds, rtol=1e-15)
    found = log.encounters(margin=0.8)
    # A gap of 2 m closes by 1.5 m in the step.
    np.testing.assert_allclose(found["at"], [1.8], rtol=1e-12)


def test_nuscenes_gives_a_center_a_quaternion_and_microseconds() -> None:
    yaw = np.array([0.0, 0.1, math.pi / 2, math.pi / 2])
    frame = pd.DataFrame(
        {
            "instance_token": ["a1", "a1", "b2", "b2"],
            "timestamp": [1532402927647951, 1532402928147847] * 2,
            "x": [411.0, 413.0, 420.0, 420.0],
            "y": [1180.0, 1180.1, 1170.0, 1173.0],
            "qw": np.cos(yaw / 2),
            "qz": np.sin(yaw / 2),
            "size_l": [4.6, 4.6, 11.0, 11.0],
            "size_w": [1.9, 1.9, 2.9, 2.9],
        }
    )
    frame["yaw"] = 2 * np.arctan2(frame["qz"], frame["qw"])
    frame["when"] = pd.to_datetime(frame["timestamp"], unit="us", utc=True)
    columns = {"agent": "instance_token", "x": "x", "y": "y", "heading": "yaw"}
    sizes = {"length": "size_l", "width": "size_w"}
    for time, seconds in (("timestamp", 499896.0), ("when", 0.499896)):
        log = logs.trajectories(frame, time=time, **columns, **sizes)
        np.testing.assert_allclose(log.trajectories.poses[:, :, 2].ravel(), yaw, atol=1e-15)
        assert np.diff(log.trajectories.times) == seconds
    assert log.clearance([WALL], fields=("at",))["at"].dtype == frame["when"].dtype


def test_ais_gives_reports_at_times_of_their_own() -> None:
    log = logs.trajectories(ships(), **AIS, every="10s", max_gap="1min")
    assert repr(log) == (
        "Log(<2 agents at 11 times from 2024-05-01 12:00:00+00:00 to 2024-05-01 12:01:40+00:00, "
        "14 poses, 1 gap>)"
    )
    # The ships meet while the first doesn't report, and if it is taken to go on, after 35 s.
    assert len(log.encounters(margin=10.0)) == 0
    guessed = logs.trajectories(ships(), **AIS, every="10s", max_gap=math.inf)
    found = guessed.encounters(margin=10.0)
    assert found[["a", "b"]].to_numpy().tolist() == [[211000001, 211000002]]
    moment = pd.Timestamp("2024-05-01 12:00:35", tz="UTC")
    assert abs(found["at"][0] - moment) <= pd.Timedelta("1us")


@pytest.mark.parametrize(
    "function", [logs.trajectories, logs.Log.encounters, logs.Log.first_contact, logs.Log.clearance]
)
def test_the_docstrings_are_complete(function: Any) -> None:
    bound = function.__get__(head_on()) if function is not logs.trajectories else function
    assert_documented(bound)

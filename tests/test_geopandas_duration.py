"""How long a frame of time lasts: velocities per second, and times as spans and timestamps."""

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

from moving_frames import FUNCTIONS, STAY, frame

pytestmark = pytest.mark.filterwarnings("ignore:the column 'distance' is frame")

HOUR = 3600.0


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
        "06:00:00",
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
    ({"duration": "1.5"}, ValueError, r"^duration: expected a unit, as in '6h', got '1.5'$"),
    ({"duration": np.timedelta64(5)}, ValueError, r"^duration: expected a unit, as in '6h', got "),
    (
        {"duration": "200 days", "start": pd.Timestamp("2262-04-01").as_unit("ns")},
        ValueError,
        r"^start: Timestamp\('2262-04-01 .* and the duration '200 days' after it exceed the times",
    ),
    (
        {"duration": pd.Timedelta(200, "D").as_unit("ns"), "start": "2262-04-01"},
        ValueError,
        r"^start: '2262-04-01' and the duration Timedelta\(.* after it exceed the times",
    ),
    ({"duration": "6:x"}, ValueError, r"^duration: '6:x' is not a time span: "),
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


@pytest.mark.filterwarnings("ignore:.* masked, as if missing")
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


def test_a_product_that_is_not_finite_is_refused_by_the_numbers_given_or_masked() -> None:
    rows = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)] * 2, ["p", "q"])
    post = shapely.Point(9, 0)
    lasting: dict[str, Any] = {"duration": 1e10, "fields": ("time",)}
    given = np.array([(0, 0), (1e300, 0)])
    for velocity, text in (
        (given, r"^velocity_a\.loc\['q'\] \(1e\+300, 0\.0\) times the duration 10000000000\.0"),
        ((1e300, 0), r"^velocity_a \(1e\+300, 0\.0\) times the duration 10000000000\.0 is not fin"),
        ((np.inf, 0), r"^velocity_a.* is \(inf, 0\.0\)"),
    ):
        with pytest.raises(ValueError, match=text):
            cg.swept_collision(rows, post, velocity_a=velocity, **lasting)
    with pytest.warns(UserWarning, match=r"^a: 1 row is masked, .* velocity_a is .*'q'") as caught:
        found = cg.swept_collision(rows, post, velocity_a=given, on_invalid="mask", **lasting)
    assert len(caught) == 1
    assert found["time"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    "duration",
    [pd.Timedelta.max, pd.Timedelta(2**53 + 1, "ns"), np.timedelta64(2**53 + 1, "us")],
    ids=repr,
)
def test_the_end_of_a_long_frame_is_its_duration_to_the_tick(duration: Any) -> None:
    speed = 3 / pd.Timedelta(duration).total_seconds()
    a, b = (geopandas.GeoSeries([shapely.box(x, 0, x + 1, 1)]) for x in (0, 3))
    found = cg.contact_intervals(a, b, (speed, 0), duration=duration)
    assert found["still_inside"].tolist() == [True]
    assert found["leave"].tolist() == [pd.Timedelta(duration)]


def test_a_duration_that_no_table_of_times_has_is_refused() -> None:
    a = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)])
    with pytest.raises(ValueError, match=r"duration: .* is not a time span"):
        cg.contact_intervals(a, a, (1, 0), duration=np.timedelta64(2**62, "s"))


def test_joins_name_the_velocity_whose_displacement_overflows() -> None:
    rows = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)], index=["p"])
    for join in (cg.sjoin, cg.colliding_pairs):
        with pytest.raises(ValueError, match=r"velocity_a.loc\['p'\] \(1e\+300, 0.0\) times the"):
            join(rows, rows, velocity_a=[(1e300, 0)], duration=1e10)

"""What tables, zones and systems `carom.interop.geopandas.visits` takes, and what it refuses."""

from __future__ import annotations

import math
import warnings
from typing import Any

import carom
import geopandas
import pandas as pd
import pyarrow as pa
import pytest
import shapely
from carom.interop import geopandas as cg

from tracks import NAMES, SQUARE, THROUGH, XY, boxes, located, random_table, times, track

COLUMNS = ["agent", "zone", "enter", "leave", "already_inside", "still_inside"]


# Tables.


def test_points_of_a_frame_are_positions() -> None:
    frame, bounds = random_table(3)
    zones = boxes(*bounds).set_crs(32633)
    wanted = cg.visits(frame, zones, **XY)
    points = located(frame, 32633)
    for tracks in (points, cg.column(points), points.rename_geometry("where")):
        for areas in (zones, zones.to_frame("shape"), cg.column(zones)):
            pd.testing.assert_frame_equal(cg.visits(tracks, areas, **NAMES), wanted)


def test_tables_of_arrow_are_taken() -> None:
    frame, bounds = random_table(5)
    wanted = cg.visits(frame, boxes(*bounds), **XY)
    found = cg.visits(pa.Table.from_pandas(frame), boxes(*bounds), **XY)
    pd.testing.assert_frame_equal(found, wanted)


def test_a_table_without_rows_has_no_visits() -> None:
    zones = boxes((0, 0, 1, 1), index=["a"])
    when = pd.DatetimeIndex(["2026-05-01"], tz="UTC")
    frame = track((0, 0, 0)).assign(t=when)
    whole, empty = cg.visits(frame, zones, **XY), cg.visits(frame[:0], zones, **XY)
    assert list(empty.columns) == list(whole.columns) == COLUMNS
    assert len(whole) == 1 and len(empty) == 0
    assert (empty.dtypes == whole.dtypes).all()
    assert len(cg.visits(located(frame)[:0], zones, **NAMES)) == 0


def test_no_zones_have_no_visits() -> None:
    for zones in (SQUARE[:0], geopandas.GeoSeries([None, shapely.Polygon()])):
        found = cg.visits(THROUGH, zones, **XY)
        assert list(found.columns) == COLUMNS and len(found) == 0


def test_missing_zones_have_no_visits() -> None:
    zones = geopandas.GeoDataFrame(
        {"reach": [math.nan, 1.0]}, geometry=[None, shapely.box(0, 0, 10, 10)]
    )
    assert cg.visits(THROUGH, zones, **XY, margin="reach")["zone"].tolist() == [1]


def test_each_row_of_zones_with_the_same_label_is_a_zone() -> None:
    zones = boxes((0, 0, 10, 10), (10, 0, 20, 10), (0, 0, 20, 10), index=["a", "a", "b"])
    found = cg.visits(THROUGH, zones, **XY)
    assert sorted(zip(found["zone"], *zip(*times(found), strict=True), strict=True)) == [
        ("a", 1.0, 2.0),
        ("a", 2.0, 3.0),
        ("b", 1.0, 3.0),
    ]


def test_labels_of_several_levels_are_tuples() -> None:
    labels = pd.MultiIndex.from_tuples([("port", 1), ("port", 2)])
    zones = boxes((0, 0, 10, 10), (10, 0, 20, 10), index=labels)
    assert cg.visits(THROUGH, zones, **XY)["zone"].tolist() == [("port", 1), ("port", 2)]


def test_agents_keep_their_type() -> None:
    frame = pd.concat([track((0, 5, 5), agent=9), track((0, 5, 5), agent=7)])
    found = cg.visits(frame, SQUARE, **XY)
    assert found["agent"].tolist() == [9, 7] and found["agent"].dtype == frame["id"].dtype
    named = cg.visits(frame.assign(id=pd.Categorical(["n", "m"])), SQUARE, **XY)
    assert named["agent"].tolist() == ["n", "m"]


def test_invalid_zones_are_refused_by_label_or_masked() -> None:
    bow = shapely.Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])
    zones = geopandas.GeoSeries([bow, shapely.box(0, 0, 10, 10)], index=["bow", "box"])
    with pytest.raises(carom.InputValueError, match=r"zones\.loc\['bow'\]"):
        cg.visits(THROUGH, zones, **XY)
    with pytest.warns(
        UserWarning, match=r"^zones: 1 row is masked, .*repair\(zones\) repairs rows$"
    ):
        found = cg.visits(THROUGH, zones, **XY, on_invalid="mask")
    assert found["zone"].tolist() == ["box"]


def test_the_number_of_threads_changes_nothing() -> None:
    frame, bounds = random_table(8)
    one, two = (cg.visits(frame, boxes(*bounds), **XY, threads=count) for count in (1, 2))
    pd.testing.assert_frame_equal(one, two)


# Coordinate reference systems.


def test_different_systems_of_points_and_zones_are_refused() -> None:
    with pytest.raises(carom.InputValueError, match=r"tracks has the CRS EPSG:32632 and zones"):
        cg.visits(located(THROUGH, 32632), SQUARE.set_crs(32633), **NAMES)


def test_one_system_alone_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="CRS mismatch between the CRS of tracks") as caught:
        cg.visits(located(THROUGH, 32632), SQUARE, **NAMES)
    assert caught[0].filename == __file__


def test_columns_of_positions_have_no_system() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(cg.visits(THROUGH, SQUARE.set_crs(32633), **XY)) == 1


def test_a_margin_and_a_radius_in_degrees_are_warned_of() -> None:
    zones = SQUARE.set_crs(4326)
    with pytest.warns(UserWarning, match="'visits' are likely incorrect: margin is in degrees"):
        cg.visits(THROUGH, zones, **XY, margin=1)
    with pytest.warns(UserWarning, match="radius is in degrees"):
        cg.visits(located(THROUGH, 4326), zones, **NAMES, radius=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cg.visits(THROUGH, zones, **XY)


# Refusals.


def refused(tracks: Any, zones: Any = SQUARE, **keywords: Any) -> Any:
    """The error for these arguments."""
    with pytest.raises(carom.InputError) as caught:
        cg.visits(tracks, zones, **{**NAMES, **keywords})
    return caught.value


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_position_that_is_not_finite_names_agent_and_time(value: float) -> None:
    frame = track((0, 1, 1), (0.5, value, 1)).set_index(pd.Index(["one", "two"]))
    error = refused(frame, x="x", y="y")
    assert (error.argument, error.row, error.label) == ("x", 1, "two")
    assert f"agent 'p' at time 0.5: expected a finite number, got {value}" in str(error)
    assert value == math.inf or "tracks.dropna(subset=['x'])" in error.reason


@pytest.mark.parametrize("on_invalid", ["raise", "mask"])
@pytest.mark.parametrize("point", [None, shapely.Point()])
def test_a_missing_point_names_agent_and_time(point: Any, on_invalid: str) -> None:
    frame = located(track((0, 1, 1), (0.5, 1, 1)))
    frame.geometry = [frame.geometry.iloc[0], point]
    error = refused(frame, on_invalid=on_invalid)
    assert (error.argument, error.row, error.label) == ("tracks", 1, 1)
    assert "agent 'p' at time 0.5: expected a point, got" in str(error)
    assert "tracks[tracks.geometry.x.notna()]" in error.reason
    kept = frame[frame.geometry.x.notna()]
    assert len(cg.visits(kept, SQUARE, **NAMES)) == 1


def test_geometries_other_than_points_are_refused() -> None:
    frame = located(track((0, 1, 1), (0.5, 1, 1)))
    frame.geometry = [frame.geometry.iloc[0], shapely.box(0, 0, 1, 1)]
    assert "agent 'p' at time 0.5: expected a point, got a Polygon" in str(refused(frame))


def test_points_and_zones_with_z_are_refused_unless_it_is_left_out() -> None:
    frame = located(track((0, 1, 1)))
    frame.geometry = shapely.force_3d(frame.geometry.values)
    for on_invalid in ("raise", "mask"):
        assert "have Z; drop_z=True" in str(refused(frame, on_invalid=on_invalid))
    flat = cg.visits(frame, SQUARE, **NAMES, drop_z=True)
    raised = SQUARE.force_3d()
    assert "have Z; drop_z=True" in str(refused(frame, zones=raised, drop_z=False))
    assert cg.visits(frame, raised, **NAMES, drop_z=True).equals(flat)
    assert len(cg.visits(cg.column(frame, drop_z=True), SQUARE, **NAMES)) == 1


def test_positions_are_required() -> None:
    assert "x= and y=" in refused(THROUGH).reason
    assert refused(THROUGH, x="x").argument == "y"
    assert refused(THROUGH, y="y").argument == "x"
    assert refused(THROUGH, x="x", y="lat").argument == "y"
    assert refused(located(THROUGH).geometry).argument == "tracks"
    assert refused([1, 2], x="x", y="y").argument == "tracks"


def test_two_rows_of_one_agent_and_time_are_refused() -> None:
    error = refused(track((0, 1, 1), (1, 2, 2), (0, 3, 3)), x="x", y="y")
    assert (error.argument, error.row) == ("time", 2)
    assert "tracks.drop_duplicates(['id', 't'])" in error.reason


def test_errors_name_a_row_by_its_label_and_one_of_a_table_without_an_index_by_its_number() -> None:
    frame = track((0, 1, 1), (0, 2, 2)).set_index(pd.Index(["one", "two"]))
    text = str(refused(frame, x="x", y="y"))
    assert text.startswith("time.loc['two']: agent 'p' at time 0 has tracks.loc['one'] already;")
    text = str(refused(frame.set_index(pd.Index(["one", "one"])), x="x", y="y"))
    assert text.startswith("time.loc['one'] (row 1): agent 'p' at time 0 has tracks.loc['one'] (ro")
    text = str(refused(frame.assign(x=[1, math.nan], t=[0, 1]), x="x", y="y"))
    assert text.startswith("x.loc['two']: agent 'p' at time 1: ")
    text = str(refused(pa.table(frame.reset_index(drop=True)), x="x", y="y"))
    assert text.startswith("time[1]: agent 'p' at time 0 has row 0 already;")


def test_a_row_without_a_time_is_refused() -> None:
    frame = THROUGH.assign(t=pd.to_datetime(["2026-05-01", None]))
    error = refused(frame, x="x", y="y")
    assert (error.argument, error.row) == ("time", 1)


@pytest.mark.parametrize("radius", [-1.0, math.nan, math.inf])
def test_a_radius_is_finite_and_0_or_more(radius: float) -> None:
    assert refused(THROUGH, x="x", y="y", radius=radius).argument == "radius"
    error = refused(THROUGH.assign(r=radius), x="x", y="y", radius="r")
    assert "agent 'p' at time 0" in str(error)


def test_a_radius_that_changes_is_refused() -> None:
    error = refused(THROUGH.assign(r=[1.0, 2.0]), x="x", y="y", radius="r")
    assert (error.argument, error.row) == ("radius", 1)
    assert "is 2.0, and was 1.0 at time 0" in str(error)


def test_a_bad_margin_names_the_zone() -> None:
    error = refused(THROUGH, x="x", y="y", margin=[-1.0])
    assert (error.argument, error.label) == ("margin", "square")
    assert "zones has 1" in str(refused(THROUGH, x="x", y="y", margin=[1.0, 2.0]))


@pytest.mark.parametrize("gap", [0, -1, math.nan, "1min", pd.Timedelta("1s"), True])
def test_a_gap_between_numbers_is_a_number_above_0(gap: Any) -> None:
    assert refused(THROUGH, x="x", y="y", max_gap=gap).argument == "max_gap"


@pytest.mark.parametrize("gap", [60, "soon", "0s"])
def test_a_gap_between_timestamps_is_an_interval_above_0(gap: Any) -> None:
    frame = THROUGH.assign(t=pd.to_datetime(THROUGH["t"], unit="h"))
    assert refused(frame, x="x", y="y", max_gap=gap).argument == "max_gap"


def test_zones_have_an_index() -> None:
    error = refused(THROUGH, [shapely.box(0, 0, 1, 1)], x="x", y="y")
    assert error.argument == "zones" and "geopandas.GeoSeries(zones)" in error.reason


def test_unknown_keywords_are_told_what_to_use_instead() -> None:
    with pytest.raises(carom.InputTypeError, match=r"visits\(\) .*'distance'; it is called margin"):
        cg.visits(THROUGH, SQUARE, **XY, distance=1)  # type: ignore[call-arg]

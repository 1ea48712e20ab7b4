"""`carom.interop.geopandas.visits`: when agents are in zones."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Any

import carom
import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely
from carom.interop import geopandas as cg

from docstring_rules import assert_documented

NAMES: dict[str, Any] = {"agent": "id", "time": "t"}
XY: dict[str, Any] = {**NAMES, "x": "x", "y": "y"}
COLUMNS = ["agent", "zone", "enter", "leave", "already_inside", "still_inside"]
Visit = tuple[Fraction, Fraction, bool, bool]


def track(*reports: tuple[float, float, float], agent: Any = "p") -> pd.DataFrame:
    """The reports t, x and y of one agent."""
    return pd.DataFrame(reports, columns=["t", "x", "y"]).assign(id=agent)


def boxes(*bounds: tuple[float, float, float, float], index: Any = None) -> geopandas.GeoSeries:
    return geopandas.GeoSeries([shapely.box(*it) for it in bounds], index=index)


def times(frame: pd.DataFrame) -> list[tuple[Any, Any]]:
    """When agents enter and leave."""
    return list(zip(frame["enter"], frame["leave"], strict=True))


def located(frame: pd.DataFrame, crs: Any = None) -> geopandas.GeoDataFrame:
    """A table with points in place of the columns x and y."""
    points = geopandas.points_from_xy(frame["x"], frame["y"])
    return geopandas.GeoDataFrame(frame.drop(columns=["x", "y"]), geometry=points, crs=crs)


SQUARE = boxes((0, 0, 10, 10), index=["square"])
THROUGH = track((0, -10, 5), (4, 30, 5))


# The oracle: points on segments, clipped by boxes in exact fractions.


def clipped(here: Any, there: Any, box: Any) -> tuple[Fraction, Fraction] | None:
    """From when until when a point is in a box, on its way from here at 0 to there at 1."""
    enter, leave = Fraction(0), Fraction(1)
    for p, q, low, high in zip(here, there, box[:2], box[2:], strict=True):
        way, ends = Fraction(q) - Fraction(p), (Fraction(low) - Fraction(p), high - Fraction(p))
        if way == 0:
            if not low <= p <= high:
                return None
            continue
        first, last = sorted(it / way for it in ends)
        enter, leave = max(enter, first), min(leave, last)
    return (enter, leave) if enter <= leave else None


def pieces(reports: Any, max_gap: float) -> list[list[Any]]:
    """The reports of one agent, divided at its gaps."""
    found: list[list[Any]] = []
    for report in sorted(reports):
        if found and report[0] - found[-1][-1][0] <= max_gap:
            found[-1].append(report)
        else:
            found.append([report])
    return found


def visits_of_piece(reports: list[Any], box: Any) -> list[Visit]:
    """The visits of one agent between two gaps, to one box."""
    spans: list[list[Fraction]] = []
    for (start, *here), (end, *there) in zip(reports, reports[1:] or reports, strict=False):
        if (part := clipped(here, there, box)) is None:
            continue
        enter, leave = (Fraction(start) + it * (Fraction(end) - Fraction(start)) for it in part)
        if spans and spans[-1][1] == enter:
            spans[-1][1] = leave
        else:
            spans.append([enter, leave])
    first, last = reports[0][0], reports[-1][0]
    return [(enter, leave, enter == first, leave == last) for enter, leave in spans]


def expected(frame: pd.DataFrame, bounds: Any, max_gap: float) -> dict[tuple[Any, int], Any]:
    """The visits of each agent to each box, in the order of time."""
    return {
        (agent, zone): [
            visit
            for piece in pieces(own[["t", "x", "y"]].itertuples(index=False, name=None), max_gap)
            for visit in visits_of_piece(piece, box)
        ]
        for agent, own in frame.groupby("id")
        for zone, box in enumerate(bounds)
    }


def assert_time(found: float, exact: Fraction, reports: set[float]) -> None:
    """Asserts that a time is that of the report, bit for bit, or else as near as is promised."""
    if exact in reports:
        assert found == exact
    else:
        assert abs(found - float(exact)) <= 1e-10 * max(reports)
        assert min(reports) <= found <= max(reports)


def random_table(seed: int) -> tuple[pd.DataFrame, list[Any]]:
    """Reports on a small grid in any order, of which some agents have one, and boxes on it."""
    rng = np.random.default_rng(seed)
    agents = [
        track(*zip(0.1 * when, *rng.integers(0, 7, (2, len(when))), strict=True), agent=agent)
        for agent in "pqrs"[: rng.integers(1, 5)]
        for when in [np.sort(rng.choice(40, rng.integers(1, 12), replace=False))]
    ]
    frame = pd.concat(agents).sample(frac=1, random_state=seed)
    corners = rng.integers(0, 6, (rng.integers(1, 5), 2))
    return frame, [(x, y, x + w, y + h) for x, y in corners for w, h in [rng.integers(1, 4, 2)]]


@pytest.mark.parametrize("seed", range(200))
def test_visits_to_boxes_are_those_of_exact_fractions(seed: int) -> None:
    frame, bounds = random_table(seed)
    max_gap = [math.inf, 0.75][seed % 2]
    found = cg.visits(frame, boxes(*bounds), **XY, max_gap=max_gap)
    reports = set(frame["t"])
    wanted = expected(frame, bounds, max_gap)
    assert len(found) == sum(map(len, wanted.values()))
    for (agent, zone), visits in wanted.items():
        own = found[(found["agent"] == agent) & (found["zone"] == zone)]
        assert len(own) == len(visits)
        flags = list(zip(own["already_inside"], own["still_inside"], strict=True))
        assert flags == [visit[2:] for visit in visits]
        for one, visit in zip(times(own), visits, strict=True):
            assert_time(one[0], visit[0], reports)
            assert_time(one[1], visit[1], reports)


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_sorted_by_first_appearance_of_the_agent_then_by_the_time_of_entering(
    seed: int,
) -> None:
    frame, bounds = random_table(seed)
    found = cg.visits(frame, boxes(*bounds), **XY)
    order = {agent: number for number, agent in enumerate(frame["id"].unique())}
    keys = list(zip(found["agent"].map(order), found["enter"], strict=True))
    assert keys == sorted(keys)
    assert found.index.equals(pd.RangeIndex(len(found)))


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_the_rows_changes_the_order_of_agents_alone(seed: int) -> None:
    frame, bounds = random_table(seed)
    one, other = (
        cg.visits(rows, boxes(*bounds), **XY).sort_values(["agent", "enter", "zone", "leave"])
        for rows in (frame, frame.iloc[::-1])
    )
    pd.testing.assert_frame_equal(one.reset_index(drop=True), other.reset_index(drop=True))


@pytest.mark.parametrize("seed", range(20))
def test_visits_to_zones_with_holes_and_parts_are_those_of_shapely(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [shapely.Point(xy).buffer(12) for xy in rng.uniform(0, 100, (12, 2))]
    ring = shapely.Point(50, 50).buffer(40).difference(shapely.Point(55, 45).buffer(15))
    zones = geopandas.GeoSeries([shapely.union_all(parts), ring, ring.boundary.buffer(3)])
    # The position along x rises with time, so that no track crosses itself.
    path = np.column_stack([np.sort(rng.uniform(-10, 110, 60)), rng.uniform(0, 100, 60)])
    frame = track(*zip(range(60), *path.T, strict=True))
    found = cg.visits(frame, zones, **XY)
    for zone, shape in zones.items():
        own = found[found["zone"] == zone]
        assert len(own) == shapely.get_num_geometries(shapely.LineString(path).intersection(shape))
        steps = shapely.linestrings(np.stack([path[:-1], path[1:]], axis=1))
        shares = shapely.length(shapely.intersection(steps, shape)) / shapely.length(steps)
        assert (own["leave"] - own["enter"]).sum() == pytest.approx(shares.sum(), rel=1e-9)


# What a visit is.


def test_an_agent_that_runs_along_an_edge_is_in_the_zone() -> None:
    found = cg.visits(track((0, -10, 10), (4, 30, 10)), SQUARE, **XY)
    assert times(found) == [(1.0, 2.0)]


def test_an_agent_that_passes_a_corner_is_in_the_zone_for_a_moment() -> None:
    found = cg.visits(track((0, -5, 5), (1, 5, 15)), SQUARE, **XY)
    assert times(found) == [(0.5, 0.5)]
    beside = track((0, -5, math.nextafter(5, 6)), (1, 5, 15))
    assert len(cg.visits(beside, SQUARE, **XY)) == 0


def test_a_touch_at_a_report_alone_is_one_visit_of_that_moment() -> None:
    found = cg.visits(track((0.1, -5, 5), (0.3, 0, 5), (0.7, -5, 5)), SQUARE, **XY)
    assert times(found) == [(0.3, 0.3)]
    assert found[["already_inside", "still_inside"]].to_numpy().tolist() == [[False, False]]


def test_an_agent_that_stays_for_many_reports_has_one_visit() -> None:
    inside = [(0.1 * k, 5 + k % 3, 5) for k in range(1, 50)]
    found = cg.visits(track((0, -5, 5), *inside, (6, 5, -10)), SQUARE, **XY)
    assert len(found) == 1
    alone = cg.visits(track(*inside), SQUARE, **XY)
    assert times(alone) == [(0.1, 0.1 * 49)]
    assert alone[["already_inside", "still_inside"]].to_numpy().all()


def test_two_zones_that_share_an_edge_are_left_and_entered_at_the_same_time() -> None:
    pair = boxes((0, 0, 10, 10), (10, 0, 20, 10), index=["left", "right"])
    found = cg.visits(THROUGH, pair, **XY)
    assert found["zone"].tolist() == ["left", "right"]
    assert times(found) == [(1.0, 2.0), (2.0, 3.0)]


def test_a_zone_may_be_visited_twice_within_one_step() -> None:
    horseshoe = shapely.box(0, 0, 10, 10).difference(shapely.box(4, 4, 6, 20))
    found = cg.visits(track((0, 0, 8), (10, 10, 8)), geopandas.GeoSeries([horseshoe]), **XY)
    assert np.array(times(found)) == pytest.approx(np.array([(0, 4), (6, 10)]))
    assert found["already_inside"].tolist() == [True, False]
    assert found["still_inside"].tolist() == [False, True]


def test_an_agent_with_one_report_is_there_at_that_moment() -> None:
    found = cg.visits(track((7, 10, 10)), SQUARE, **XY)
    assert times(found) == [(7, 7)]
    assert found[["already_inside", "still_inside"]].to_numpy().tolist() == [[True, True]]


def test_across_a_longer_gap_no_motion_is_made_up() -> None:
    frame = track((0, 5, 5), (1, 20, 5), (3, -20, 5), (6, 5, 5), (9, 5, 5), (10, 5, 5))
    whole = cg.visits(frame, SQUARE, **XY)
    assert len(whole) == 3
    parted = cg.visits(frame, SQUARE, **XY, max_gap=2)
    assert times(parted)[1:] == [(1.5, 2.0), (6, 6), (9, 10)]
    flags = parted[["already_inside", "still_inside"]].to_numpy().tolist()
    assert flags == [[True, False], [False, False], [True, True], [True, True]]
    shorter = cg.visits(frame, SQUARE, **XY, max_gap=math.nextafter(2, 0))
    assert times(shorter)[1:] == [(6, 6), (9, 10)]


def test_lines_and_points_are_zones_too() -> None:
    zones = geopandas.GeoSeries(
        [shapely.LineString([(0, 0), (0, 10)]), shapely.Point(10, 5), shapely.Point(10, 6)]
    )
    found = cg.visits(THROUGH, zones, **XY)
    assert found["zone"].tolist() == [0, 1]
    assert times(found) == [(1.0, 1.0), (2.0, 2.0)]


def test_the_difference_of_two_positions_is_not_rounded() -> None:
    # In float64 2**53 - (-0.75) is 2**53, and the point would reach the edge a quarter later.
    edge = geopandas.GeoSeries([shapely.LineString([(2.0**53, 0), (2.0**53, 1)])])
    found = cg.visits(track((0, -0.75, 0.5), (3, 2.0**53, 0.5)), edge, **XY)
    assert times(found) == [(3.0, 3.0)]


# Circles.


def test_a_circle_that_touches_is_in_the_zone() -> None:
    frame = track((0, -10, 12), (4, 30, 12))
    assert len(cg.visits(frame, SQUARE, **XY, radius=2)) == 1
    assert len(cg.visits(frame, SQUARE, **XY, radius=math.nextafter(2, 0))) == 0


def test_a_radius_of_agents_is_a_margin_of_zones() -> None:
    rng = np.random.default_rng(4)
    frame = pd.concat(
        track(*zip(range(30), *rng.uniform(-20, 30, (2, 30)), strict=True), agent=agent)
        for agent in "pq"
    )
    one = cg.visits(frame, SQUARE, **XY, radius=1.5)
    other = cg.visits(frame, SQUARE, **XY, margin=1.5)
    assert len(one) > 4
    pd.testing.assert_frame_equal(one, other, rtol=1e-9)
    both = cg.visits(frame, SQUARE, **XY, radius=1, margin=0.5)
    pd.testing.assert_frame_equal(one, both, rtol=1e-9)


def test_a_column_of_radii_belongs_to_agents() -> None:
    frame = pd.concat([track((0, 5, 13), agent="p"), track((0, 5, 13), agent="q")])
    found = cg.visits(frame.assign(r=[3.0, 2.0]), SQUARE, **XY, radius="r")
    assert found["agent"].tolist() == ["p"]
    none = cg.visits(frame.assign(r=0), SQUARE, **XY, radius="r")
    assert len(none) == 0


def test_a_margin_of_each_zone_is_by_label_by_position_or_in_a_column() -> None:
    zones = geopandas.GeoDataFrame(
        {"reach": [0.0, 3.0]}, geometry=boxes((0, 0, 1, 1), (0, 0, 1, 1)).values, index=["a", "b"]
    )
    frame = track((0, 4, 1))
    by_label = pd.Series([3.0, 0.0], ["b", "a"])
    for margin in ("reach", by_label, [0.0, 3.0]):
        assert cg.visits(frame, zones, **XY, margin=margin)["zone"].tolist() == ["b"]
    assert len(cg.visits(frame, zones, **XY, margin=None)) == 0


# Times.


def test_timestamps_keep_their_time_zone() -> None:
    noon = pd.Timestamp("2026-03-29 00:59:59", tz="Europe/Berlin")
    frame = THROUGH.assign(t=noon + pd.to_timedelta(THROUGH["t"], unit="h"))
    found = cg.visits(frame, SQUARE, **XY)
    assert found["enter"].dt.tz == noon.tz
    assert times(found) == [(noon + pd.Timedelta("1h"), noon + pd.Timedelta("2h"))]


@pytest.mark.parametrize(("unit", "finer"), [("s", "us"), ("ms", "us"), ("us", "us"), ("ns", "ns")])
def test_timestamps_are_rounded_to_microseconds_or_finer(unit: str, finer: str) -> None:
    when = pd.DatetimeIndex(["2026-05-01", "2026-05-02"]).as_unit(unit)
    found = cg.visits(track((0, -1, 5), (1, 2, 5)).assign(t=when), SQUARE, **XY)
    assert found["enter"].dt.unit == finer
    assert times(found) == [(pd.Timestamp("2026-05-01 08:00"), pd.Timestamp("2026-05-02"))]


def test_times_before_the_years_of_nanoseconds_are_taken() -> None:
    when = pd.DatetimeIndex(np.array(["1492-08-03", "1492-10-12"], "M8[s]"))
    found = cg.visits(track((0, -10, 5), (1, 5, 5)).assign(t=when), SQUARE, **XY)
    assert found["leave"].tolist() == [when[1]]


def test_durations_give_durations() -> None:
    frame = THROUGH.assign(t=pd.to_timedelta(THROUGH["t"], unit="min"))
    found = cg.visits(frame, SQUARE, **XY)
    assert times(found) == [(pd.Timedelta("1min"), pd.Timedelta("2min"))]


@pytest.mark.parametrize("gap", ["90s", pd.Timedelta(90, "s"), np.timedelta64(90, "s")])
def test_a_gap_of_dated_tracks_is_an_interval(gap: Any) -> None:
    when = pd.DatetimeIndex(np.array(["2026-05-01T00:00:00", "2026-05-01T00:01:30"], "M8[s]"))
    frame = track((0, 5, 5), (1, 5, 5)).assign(t=when)
    assert len(cg.visits(frame, SQUARE, **XY, max_gap=gap)) == 1
    assert len(cg.visits(frame, SQUARE, **XY, max_gap="89.999999999s")) == 2
    assert len(cg.visits(frame, SQUARE, **XY, max_gap=math.inf)) == 1


def test_integers_give_numbers() -> None:
    found = cg.visits(track((0, -5, 5), (1, 5, 5)), SQUARE, **XY)
    assert times(found) == [(0.5, 1.0)]
    assert found["enter"].dtype == np.float64


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
    assert cg.visits(THROUGH, zones, **XY, on_invalid="mask")["zone"].tolist() == ["box"]


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


def test_points_with_z_are_refused_unless_a_column_leaves_it_out() -> None:
    frame = located(track((0, 1, 1)))
    frame.geometry = shapely.force_3d(frame.geometry.values)
    for on_invalid in ("raise", "mask"):
        assert "have Z" in str(refused(frame, on_invalid=on_invalid))
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


def test_the_docstring_is_complete_and_its_examples_run() -> None:
    assert_documented(cg.visits)

"""`carom.interop.geopandas.visits`: when agents are in zones."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg
from carom.interop import logs

from docstring_rules import assert_documented
from tracks import SQUARE, THROUGH, XY, boxes, random_table, times, track

Visit = tuple[Fraction, Fraction, bool, bool]


# The oracle: points on segments, clipped by boxes in exact fractions.


def clipped(here: Any, there: Any, box: Any) -> tuple[Fraction, Fraction] | None:
    """From when until when a point is in a box, on its way from here at 0 to there at 1."""
    enter, leave = Fraction(0), Fraction(1)
    for p, q, low, high in zip(here, there, box[:2], box[2:], strict=True):
        way, ends = Fraction(q) - Fraction(p), [Fraction(it) - Fraction(p) for it in (low, high)]
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


@pytest.mark.parametrize("ulps", [0, 1])
@pytest.mark.parametrize("seed", range(200))
def test_visits_to_boxes_are_those_of_exact_fractions(seed: int, ulps: int) -> None:
    frame, bounds = random_table(seed, ulps)
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


def test_a_gap_is_not_longer_by_rounding_alone_as_of_trajectories() -> None:
    sides: dict[str, Any] = {"length": 1, "width": 1, "heading": "h", "every": 0.1}
    for begin, end, gap, is_one in (
        (0.1, 0.4, 0.3, True),
        (0.1, 0.4, 0.3 * (1 - 1e-8), False),
        (1e9 + 0.1, 1e9 + 0.4, 0.3, True),
        (0.1, 0.4, 0.3 - 1e-12, True),
    ):
        frame = track((begin, 1, 5), (end, 4, 5)).assign(h=0.0)
        assert len(cg.visits(frame, SQUARE, **XY, max_gap=gap)) == 2 - is_one
        log = logs.trajectories(frame, **XY, **sides, max_gap=gap)
        assert bool(np.isfinite(log.trajectories.poses).all()) == is_one


def test_integers_have_no_rounding_however_large_they_are() -> None:
    frame = track((2**52, 1, 5), (2**52 + 4, 4, 5))
    assert len(cg.visits(frame, SQUARE, **XY, max_gap=3)) == 2
    assert len(cg.visits(frame, SQUARE, **XY, max_gap=4)) == 1


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


def test_the_docstring_is_complete_and_its_examples_run() -> None:
    assert_documented(cg.visits)

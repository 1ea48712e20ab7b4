"""The counties demo: its results equal Shapely's on the swept regions."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest
import shapely
from carom.demo.counties import datasets, neighbours, weather
from carom.demo.counties.weather import LEG_HOURS, RADIUS

from command import assert_refused, demo, table, without

CARRIED = ("counties", "--data", "natural-earth")
PRINTED = 0.0051
"""Half of the last digit of a printed hour, plus a bound of Shapely's rounding."""
CLOSE = 1e-7
"""Hours within which Shapely's rounding may decide: some 1e-8 degrees."""
NEAR = 1e-9
"""Degrees, likewise."""


@pytest.fixture(scope="module")
def carried() -> datasets.Areas:
    return datasets.countries()


@pytest.fixture(scope="module")
def polygons(carried: datasets.Areas) -> np.ndarray:
    kind = shapely.GeometryType.POLYGON
    return shapely.from_ragged_array(kind, carried.column.coords, carried.column.offsets)


@pytest.fixture(scope="module")
def countries(carried: datasets.Areas, polygons: np.ndarray) -> dict[str, Any]:
    return {
        name: shapely.multipolygons(polygons[carried.owners == number])
        for number, name in enumerate(carried.names)
    }


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    done = demo(*CARRIED, "--all", "--no-picture", cwd=tmp_path_factory.mktemp("counties"))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def part(report: str, start: str) -> list[list[str]]:
    """The table after the line that begins with `start`."""
    return table(report[report.index(f"\n{start}") :], "hour")


# --- what was swept so far, by Shapely ------------------------------------------------------------


def way(track: weather.Track, hours: float) -> np.ndarray:
    """The corners of the track up to this hour, and its position then."""
    legs = np.clip(hours / LEG_HOURS, 0, len(track) - 1)
    past = int(legs)
    here = [np.interp(legs, range(len(track)), values) for values in np.transpose(track)]
    return np.array([*track[: past + 1], here])


def swept_by_shape(shape: np.ndarray, track: weather.Track, hours: float) -> Any:
    """The region that a polygon sweeps: itself at corners, and its edges between them."""
    corners = way(track, hours)
    parts = [shapely.Polygon(shape + corner) for corner in corners]
    for start, end in itertools.pairwise(corners):
        for edge in np.stack([shape, np.roll(shape, -1, axis=0)], axis=1):
            ends = np.concatenate([edge + start, edge + end])
            parts.append(shapely.MultiPoint(ends).convex_hull)
    return shapely.union_all(parts)


def circle_touches(track: weather.Track, hours: float, areas: Any) -> Any:
    return shapely.dwithin(shapely.LineString(way(track, hours)), areas, RADIUS)


def shape_touches(shape: np.ndarray, track: weather.Track, hours: float, areas: Any) -> Any:
    return shapely.intersects(swept_by_shape(shape, track, hours), areas)


def test_a_way_is_cut_where_its_time_is_up() -> None:
    track = ((0.0, 0.0), (4.0, 0.0), (4.0, 8.0))
    assert way(track, 1.5 * LEG_HOURS).tolist() == [[0, 0], [4, 0], [4, 4]]
    assert way(track, 2.0 * LEG_HOURS).tolist() == [[0, 0], [4, 0], [4, 8], [4, 8]]


# --- order and times ------------------------------------------------------------------------------

MOVERS = ("circle", "front")


def arrivals_and_touch(mover: str, carried: datasets.Areas) -> tuple[weather.Arrivals, Any, float]:
    """The results, the predicate for Shapely, and the duration of the track."""
    if mover == "circle":
        track = carried.storm
        found = weather.circle_arrivals(track, RADIUS, carried.column)
        return found, functools.partial(circle_touches, track), LEG_HOURS * (len(track) - 1)
    track = carried.front
    found = weather.shape_arrivals(track, weather.BOW, carried.column)
    touches = functools.partial(shape_touches, weather.BOW, track)
    return found, touches, LEG_HOURS * (len(track) - 1)


@pytest.mark.parametrize("mover", MOVERS)
def test_the_polygons_reached_are_those_that_the_whole_way_touches(
    mover: str, carried: datasets.Areas, polygons: np.ndarray
) -> None:
    found, touches, end = arrivals_and_touch(mover, carried)
    reached = np.isfinite(found.hours)
    assert reached.sum() > 7
    assert reached.tolist() == touches(end, polygons).tolist()


@pytest.mark.parametrize("mover", MOVERS)
def test_at_the_found_time_it_touches_and_just_before_it_does_not(
    mover: str, carried: datasets.Areas, polygons: np.ndarray
) -> None:
    found, touches, _ = arrivals_and_touch(mover, carried)
    reached = np.flatnonzero(np.isfinite(found.hours))
    assert len(reached) > 7
    for row in reached:
        hours = found.hours[row]
        assert touches(hours + CLOSE, polygons[row])
        assert not touches(hours - CLOSE, polygons[row])
        assert found.legs[row] == int(hours // LEG_HOURS)


@pytest.mark.parametrize("mover", MOVERS)
def test_the_point_is_on_the_polygon_and_on_what_moves(
    mover: str, carried: datasets.Areas, polygons: np.ndarray
) -> None:
    found, _, _ = arrivals_and_touch(mover, carried)
    reached = np.flatnonzero(np.isfinite(found.hours))
    assert len(reached) > 7
    for row in reached:
        point = shapely.Point(found.points[row])
        assert point.distance(polygons[row].boundary) < NEAR
        if mover == "circle":
            center = shapely.Point(way(carried.storm, found.hours[row])[-1])
            assert point.distance(center) == pytest.approx(RADIUS, abs=NEAR)
        else:
            center = way(carried.front, found.hours[row])[-1]
            assert point.distance(shapely.Polygon(weather.BOW + center).boundary) < NEAR


def test_nothing_is_touched_at_the_start(carried: datasets.Areas) -> None:
    for mover in MOVERS:
        assert arrivals_and_touch(mover, carried)[0].hours.min() > 0


@pytest.mark.parametrize(("mover", "start"), [("circle", "A storm"), ("front", "A front")])
def test_the_table_has_every_country_at_its_time_earliest_first(
    mover: str, start: str, report: str, carried: datasets.Areas, countries: dict[str, Any]
) -> None:
    _, touches, end = arrivals_and_touch(mover, carried)
    rows = part(report, start)
    hours = [float(row[0]) for row in rows]
    assert hours == sorted(hours)
    assert sorted(row[2] for row in rows) == sorted(
        name for name, shape in countries.items() if touches(end, shape)
    )
    for hour, row in zip(hours, rows, strict=True):
        assert touches(hour + PRINTED, countries[row[2]])
        assert not touches(hour - PRINTED, countries[row[2]])
        assert int(row[1]) == hour // LEG_HOURS + 1
    noun = f"legs of {LEG_HOURS:g} hours, reaches {len(rows)} countries:"
    assert noun in report[report.index(f"\n{start}") :].splitlines()[1]


def test_countries_that_sampling_misses_are_marked(
    report: str, carried: datasets.Areas, countries: dict[str, Any]
) -> None:
    positions = shapely.MultiPoint(carried.storm)
    rows = part(report, "A storm")
    missed = {row[2] for row in rows if row[5:] == ["misses"]}
    assert missed
    assert missed == {
        row[2] for row in rows if not shapely.dwithin(positions, countries[row[2]], RADIUS)
    }
    assert f"(sampling), it touches {len(rows) - len(missed)} of them" in report


def test_how_early_the_hull_would_come(
    report: str, carried: datasets.Areas, countries: dict[str, Any]
) -> None:
    hull = np.array(shapely.Polygon(weather.BOW).convex_hull.exterior.coords)[:-1]
    rows = part(report, "A front")
    early = [float(row[5].removesuffix(" h early")) if row[5:] else 0.0 for row in rows]
    assert max(early) > 4
    for row, hours in zip(rows, early, strict=True):
        hour = float(row[0]) - hours
        assert shape_touches(hull, carried.front, hour + 2 * PRINTED, countries[row[2]])
        assert not shape_touches(hull, carried.front, hour - 2 * PRINTED, countries[row[2]])
    said = re.search(r"too early to (\d+) of them, by up to ([\d.]+) hours", report)
    assert said
    assert int(said[1]) == np.count_nonzero(early)
    assert float(said[2]) == pytest.approx(max(early), abs=0.06)


# --- neighbours -----------------------------------------------------------------------------------


def test_the_pairs_are_those_of_a_tree_of_shapely(
    carried: datasets.Areas, polygons: np.ndarray, report: str
) -> None:
    i, j = shapely.STRtree(polygons).query(polygons, predicate="intersects")
    expected = sorted(zip(i[i < j].tolist(), j[i < j].tolist(), strict=True))
    assert carom.colliding_pairs(carried.column).T.tolist() == [list(pair) for pair in expected]
    assert f"\n{len(expected)} pairs of polygons touch" in report


def test_neighbours_are_the_other_countries_that_touch(
    report: str, countries: dict[str, Any]
) -> None:
    shapes = np.array(list(countries.values()))
    touching = shapely.intersects(shapes[:, None], shapes)
    expected = dict(zip(countries, touching.sum(axis=1) - 1, strict=True))
    rows = table(report, "neighbours")
    assert {who: int(number) for number, who in rows} == expected
    assert [int(row[0]) for row in rows] == sorted(expected.values(), reverse=True)
    alone = sum(number == 0 for number in expected.values())
    assert f"Without a neighbour: {alone} countries." in report


def test_an_area_is_not_its_own_neighbour_nor_anybody_twice(carried: datasets.Areas) -> None:
    two = dataclasses.replace(carried, names=["one", "other"], owners=np.array([0, 0, 1]))
    pairs = np.array([(0, 1), (0, 2), (1, 2)]).T
    assert neighbours(two, pairs).tolist() == [1, 1]


# --- the counties ---------------------------------------------------------------------------------


def test_counties_are_used_when_installed(tmp_path: Path) -> None:
    pytest.importorskip("bokeh_sampledata")
    done = demo("counties", "--no-picture", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "3,233 counties of 3,398 polygons" in done.stdout
    assert "U.S. Census Bureau" in done.stdout.splitlines()[1]
    assert "\n9,652 pairs of polygons touch" in done.stdout
    assert done.stdout.count("more; --all shows them") == 3
    assert table(done.stdout, "neighbours")[0] == ["14", "San Juan County, Utah"]


def test_counties_are_reached_when_shapely_finds_that_they_are() -> None:
    pytest.importorskip("bokeh_sampledata")
    counties = datasets.us_counties()
    kind = shapely.GeometryType.POLYGON
    polygons = shapely.from_ragged_array(kind, counties.column.coords, counties.column.offsets)
    hours = weather.circle_arrivals(counties.storm, RADIUS, counties.column).hours
    end = LEG_HOURS * (len(counties.storm) - 1)
    assert np.isfinite(hours).tolist() == circle_touches(counties.storm, end, polygons).tolist()
    assert len(counties.first_of_each(hours)) == 598
    for row in np.flatnonzero(np.isfinite(hours) & (hours > 0)):
        assert circle_touches(counties.storm, hours[row] + CLOSE, polygons[row])
        assert not circle_touches(counties.storm, hours[row] - CLOSE, polygons[row])


def test_without_counties_the_countries_are_used_and_the_way_to_counties_shown(
    tmp_path: Path,
) -> None:
    path = without(tmp_path, "bokeh_sampledata")
    done = demo("counties", "--no-picture", cwd=tmp_path, path=path)
    assert (done.returncode, done.stderr) == (0, "")
    first, credit, hint = done.stdout.splitlines()[:3]
    assert first.startswith("177 countries of 288 polygons")
    assert "Natural Earth" in credit
    assert "public domain" in credit
    assert "pip install 'carom[data]'" in hint
    asked = demo("counties", "--data", "us-counties", cwd=tmp_path, path=path)
    assert_refused(asked, "us-counties", "pip install 'carom[data]'")
    assert asked.stdout == ""


# --- the command line -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["storms"],
        ["counties", "--scene", "x.csv"],
        ["counties", "--rate", "5"],
        ["counties", "--data", "mars"],
        ["traffic", "--data", "natural-earth"],
        ["--data", "natural-earth"],
        ["counties", "--output", "x.png", "--no-picture"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_two(tmp_path: Path, arguments: list[str]) -> None:
    done = demo(*arguments, cwd=tmp_path)
    assert_refused(done, "python -m carom demo --help prints the usage", status=2)
    assert done.stdout == ""


def test_traffic_by_name_is_the_demo_without_one(tmp_path: Path) -> None:
    named, plain = (demo(*name, "--no-picture", cwd=tmp_path) for name in (["traffic"], []))
    assert named.returncode == plain.returncode == 0
    assert named.stdout.splitlines()[:-1] == plain.stdout.splitlines()[:-1]  # the last has a timing


def test_short_tables_say_how_much_they_leave_out(tmp_path: Path, report: str) -> None:
    short = demo(*CARRIED, "--no-picture", cwd=tmp_path).stdout
    assert part(short, "A front") == part(report, "A front")[:12]
    assert f"\n  and {len(part(report, 'A front')) - 12} more; --all shows them\n" in short
    assert "--all shows" not in report


# --- the pictures ---------------------------------------------------------------------------------


def test_three_pictures_are_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = demo(*CARRIED, "--output", "here.svg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    names = ["here-storm.svg", "here-front.svg", "here-neighbours.svg"]
    assert done.stdout.endswith(f"\nPictures: {', '.join(names)}\n")
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(names)
    assert all("<svg" in (tmp_path / name).read_text() for name in names)


def test_a_picture_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = demo(*CARRIED, "--output", "no/where.png", cwd=tmp_path)
    assert_refused(done, "no/where-storm.png: No such file", status=2)
    assert done.stdout == ""
    done = demo(*CARRIED, "--output", "x.unknown", cwd=tmp_path)
    assert_refused(done, "x-storm.unknown: ", status=2)
    assert_refused(demo(*CARRIED, "--output", ".", cwd=tmp_path), ".: Is a directory", status=2)
    assert not list(tmp_path.iterdir())
    (tmp_path / "x-front.png").mkdir()
    done = demo(*CARRIED, "--output", "x.png", cwd=tmp_path)
    assert_refused(done, "x-front.png: Is a directory", status=2)


def test_without_matplotlib_everything_is_printed_and_the_way_to_the_pictures(
    tmp_path: Path,
) -> None:
    path = without(tmp_path, "matplotlib")
    done = demo(*CARRIED, cwd=tmp_path, path=path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Most neighbours:" in done.stdout
    assert done.stdout.endswith(
        "\nNo picture: matplotlib is not installed; pip install 'carom[plot]'\n"
    )
    asked = demo(*CARRIED, "--output", "x.png", cwd=tmp_path, path=path)
    assert_refused(asked, "x.png", "pip install 'carom[plot]'")


@pytest.fixture
def drawn(carried: datasets.Areas, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The figures, by name, as they would be written."""
    pytest.importorskip("matplotlib")
    from carom.demo.counties import maps

    figures: dict[str, Any] = {}
    monkeypatch.setattr(maps, "save", lambda figure, path: figures.update({path.name: figure}))
    circle = weather.circle_arrivals(carried.storm, RADIUS, carried.column)
    front = weather.shape_arrivals(carried.front, weather.BOW, carried.column)
    numbers = neighbours(carried, carom.colliding_pairs(carried.column))
    maps.draw_storm(carried, circle, Path("storm"))
    maps.draw_front(carried, front, Path("front"))
    maps.draw_neighbours(carried, numbers, Path("neighbours"))
    return figures


def land(figure: Any) -> list[tuple[Any, str]]:
    """The areas that a map shows: path and colour of each."""
    from matplotlib.collections import PathCollection
    from matplotlib.colors import to_hex

    (drawn,) = (c for c in figure.axes[0].collections if type(c) is PathCollection)
    colours = map(to_hex, drawn.get_facecolor())
    return list(zip(drawn.get_paths(), colours, strict=True))


def texts(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.parametrize(("name", "mover"), [("storm", "circle"), ("front", "front")])
def test_what_is_reached_is_coloured_and_nothing_else(
    drawn: dict[str, Any], carried: datasets.Areas, name: str, mover: str
) -> None:
    from carom.demo.counties.maps import LAND

    found, *_ = arrivals_and_touch(mover, carried)
    reached = sum(colour != LAND.lower() for _, colour in land(drawn[name]))
    assert reached == np.isfinite(found.hours).sum()
    first = carried.first_of_each(found.hours)
    assert texts(drawn[name]) == [str(number) for number in range(1, len(first) + 1)]
    title = drawn[name].get_suptitle()
    assert title.endswith(
        f"reaches {len(first)} countries; colours say when, numbers in what order"
    )


def test_the_colour_is_that_of_the_hour_and_darker_when_later(
    drawn: dict[str, Any], carried: datasets.Areas
) -> None:
    from carom.demo.counties.maps import LAND, LATE
    from matplotlib.colors import to_hex

    found, *_ = arrivals_and_touch("circle", carried)
    hours = found.hours[np.isfinite(found.hours)]
    expected = [to_hex(LATE(share)) for share in (hours - hours.min()) / np.ptp(hours)]
    colours = [colour for _, colour in land(drawn["storm"]) if colour != LAND.lower()]
    assert colours == expected
    lightness = [sum(LATE(share)[:3]) for share in (0.0, 0.5, 1.0)]
    assert lightness == sorted(lightness, reverse=True)


@pytest.mark.parametrize(("name", "mover"), [("storm", "circle"), ("front", "front")])
def test_the_map_shows_the_whole_way(
    drawn: dict[str, Any], carried: datasets.Areas, name: str, mover: str
) -> None:
    track, shape = {
        "circle": (carried.storm, np.array([(-RADIUS, -RADIUS), (RADIUS, RADIUS)])),
        "front": (carried.front, weather.BOW),
    }[mover]
    axes = drawn[name].axes[0]
    ghosts = shape + np.array(track)[:, None]
    for values, (low, high) in zip(ghosts.T, (axes.get_xlim(), axes.get_ylim()), strict=True):
        assert low < values.min()
        assert values.max() < high
    assert axes.get_aspect() == 1.0
    shown = [c for c in axes.collections if len(c.get_paths()) == len(track)]
    assert len(shown) == 1


def test_a_map_of_all_areas_is_shown_where_it_is_not_much_larger() -> None:
    pytest.importorskip("matplotlib")
    from carom.demo.counties.maps import view_of

    def ghosts(track: weather.Track) -> Any:
        return weather.BOW + np.array(track)[:, None]

    none = np.empty((0, 4))
    west, east, south, north = view_of(
        ghosts(weather.UNITED_STATES), none, (-125.0, -66.0, 24.0, 50.0)
    )
    assert (west, east, south, north) == (-136.0, -66.0, 24.0, 51.0)
    whole = (-180.0, 180.0, -60.0, 85.0)
    assert view_of(ghosts(weather.EUROPE), none, whole) == (-22.0, 27.0, 35.0, 59.0)


def test_a_map_shows_all_of_the_areas_that_are_reached_unless_they_end_far_away() -> None:
    pytest.importorskip("matplotlib")
    from carom.demo.counties.maps import view_of

    ghosts = weather.BOW + np.array(weather.EUROPE)[:, None]
    reached = np.array(
        [(22.0, 44.5, 40.0, 52.5), (20.0, 40.0, 180.0, 81.0), (-9.0, 36.0, 3.0, 43.0)]
    )
    view = view_of(ghosts, reached, (-180.0, 180.0, -60.0, 85.0))
    assert view == (-22.0, 40.0, 35.0, 59.0)


def test_the_scale_of_hours_runs_from_the_first_contact_to_the_last(
    drawn: dict[str, Any], carried: datasets.Areas
) -> None:
    for name, mover in (("storm", "circle"), ("front", "front")):
        hours = arrivals_and_touch(mover, carried)[0].hours
        _, scale = drawn[name].axes
        assert scale.get_ylim() == (hours.min(), hours[np.isfinite(hours)].max())


def test_each_map_names_the_data(drawn: dict[str, Any], carried: datasets.Areas) -> None:
    assert sorted(drawn) == ["front", "neighbours", "storm"]
    for figure in drawn.values():
        assert figure.get_supxlabel() == carried.credit


def test_the_map_of_neighbours_has_a_colour_for_each_number(
    drawn: dict[str, Any], carried: datasets.Areas
) -> None:
    figure = drawn["neighbours"]
    assert len(land(figure)) == len(carried.column) - 8  # those of Antarctica are out of view
    assert figure.get_suptitle().endswith("Most, 14: Russia and China")
    assert figure.axes[0].get_xlim() == (-180, 180)


def test_a_hole_is_drawn_as_a_hole(drawn: dict[str, Any]) -> None:
    paths = [path.to_polygons() for path, _ in land(drawn["neighbours"])]
    ((shell, hole),) = (rings for rings in paths if len(rings) > 1)
    assert shapely.Polygon(hole).contains(shapely.Point(28.2, -29.6))  # Lesotho
    # A region with winding number 0 isn't filled.
    assert shapely.LinearRing(shell).is_ccw
    assert not shapely.LinearRing(hole).is_ccw


def test_numbers_keep_clear_of_each_other(drawn: dict[str, Any]) -> None:
    axes = drawn["front"].axes[0]
    places = np.array([text.get_position() for text in axes.texts])
    gaps = np.linalg.norm(places[:, None] - places, axis=-1)
    assert gaps[gaps > 0].min() > 0.015 * np.ptp(axes.get_xlim())

"""The seven jobs of the page "For GeoPandas users", on larger random data.

On generic data the rows and numbers are those of GeoPandas. On decimals, where GeoPandas rounds,
they are those of exact fractions.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import product
from typing import Any

import carom
import carom.dask
import dask_geopandas
import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg

CRS = 32633
Rows = set[tuple[Any, Any]]


def frame(shapes: Any, **columns: Any) -> geopandas.GeoDataFrame:
    return geopandas.GeoDataFrame(columns, geometry=shapes, crs=CRS)


def rows(joined: pd.DataFrame, *names: str) -> Rows:
    """The labels of both frames, or these columns, of which no row occurs twice."""
    columns = [joined[name] for name in names] or [joined.index, joined["index_right"]]
    found = list(zip(*columns, strict=True))
    assert len(found) == len(set(found))
    return set(found)


def boxes(random: np.random.Generator, count: int, extent: float = 100.0) -> Any:
    """Boxes anywhere, of which none touches another by more than chance."""
    low = random.uniform(0, extent, (count, 2))
    return shapely.box(*low.T, *(low + random.uniform(1, 6, (count, 2))).T)


def blobs(random: np.random.Generator, count: int, vertices: int = 9) -> Any:
    """Star-shaped polygons, most of them concave."""
    angle = (
        2 * np.pi / vertices * (np.arange(vertices) + random.uniform(0.1, 0.9, (count, vertices)))
    )
    radius = random.uniform(1, 5, (count, vertices))
    center = random.uniform(0, 100, (count, 1, 2))
    ways = radius[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return shapely.polygons(center + ways)


# A messy layer.


def messy_layer(random: np.random.Generator) -> geopandas.GeoDataFrame:
    """Valid rows, rings that cross themselves, heights, collections, and missing rows."""
    shapes = blobs(random, 200)
    tangled = shapely.polygons(random.uniform(0, 92, (60, 1, 2)) + random.uniform(0, 8, (60, 7, 2)))
    shapes[:60] = tangled
    shapes[60:90] = shapely.force_3d(shapes[60:90], 7.0)
    shapes[90:100] = None
    points = shapely.points(random.uniform(0, 100, (20, 2)))
    for row, point in zip(range(100, 120), points, strict=True):
        shapes[row] = shapely.GeometryCollection([shapes[row], point])
    order = random.permutation(200)
    return frame(shapes[order], number=order)


def test_a_repaired_layer_is_joined_as_by_geopandas() -> None:
    random = np.random.default_rng(1)
    layer, zones = messy_layer(random), frame(boxes(random, 80))
    repaired, report = cg.repair(layer, collections="polygons")
    assert cg.is_valid(repaired).fillna(value=True).all()
    assert set(report["done"]) == {"made valid", "dropped Z", "kept polygons"}
    found = rows(cg.sjoin(repaired, zones))
    assert len(found) > 100
    assert found == rows(geopandas.sjoin(repaired, zones))
    # GeoPandas' own way, but that points of collections are not asked for.
    made = layer.make_valid(method="structure", keep_collapsed=False)
    kept = (
        made.explode()[lambda part: part.geom_type != "Point"]
        .groupby(level=0)
        .agg(lambda parts: shapely.union_all(parts.to_numpy()))
    )
    assert found == rows(geopandas.sjoin(frame(kept.to_numpy()).set_index(kept.index), zones))
    areas = repaired.area[kept.index]
    assert areas.to_numpy() == pytest.approx(shapely.area(kept.to_numpy()), rel=1e-9)


def test_a_masked_layer_is_joined_as_its_valid_rows_are() -> None:
    random = np.random.default_rng(2)
    layer, zones = messy_layer(random), frame(boxes(random, 80))
    with pytest.warns(UserWarning, match=r"^left: \d+ rows are masked, as if missing: 30 have Z"):
        found = cg.sjoin(layer, zones, on_invalid="mask")
    assert rows(found) == rows(geopandas.sjoin(layer[cg.is_valid(layer).fillna(False)], zones))
    with pytest.warns(UserWarning, match="20 are GeometryCollections") as told:
        flat = cg.sjoin(layer, zones, on_invalid="mask", drop_z=True)
    assert "Z or M" not in str(told[0].message)
    valid = cg.is_valid(layer.set_geometry(layer.force_2d())).fillna(False)
    assert rows(flat) == rows(geopandas.sjoin(layer[valid], zones))
    assert len(flat) > len(found)


# Parcels and zones with a margin.


def test_a_margin_has_the_rows_distances_and_lines_of_geopandas() -> None:
    random = np.random.default_rng(3)
    lines = shapely.linestrings(
        random.uniform(0, 100, (40, 1, 2)) + random.uniform(0, 9, (40, 4, 2))
    )
    parcels, zones = frame(blobs(random, 150)), frame([*boxes(random, 40), *lines])
    near = cg.sjoin(parcels, zones, margin=4.0, distance_col="metres", fields=("closest",))
    theirs = geopandas.sjoin(parcels, zones, predicate="dwithin", distance=4.0)
    assert rows(near) == rows(theirs)
    assert rows(near) == rows(cg.sjoin(parcels, zones, predicate="dwithin", distance=4.0))
    others = zones.geometry.loc[near["index_right"]]
    apart = near["closest"].notna().to_numpy()
    assert 0 < apart.sum() < len(near)
    assert near["metres"].to_numpy() == pytest.approx(
        near.distance(others, align=False).to_numpy(), rel=1e-9, abs=1e-12
    )
    assert ((near["metres"] > 0) == apart).all()
    shortest = near.shortest_line(others, align=False).to_numpy()[apart]
    found = near.set_geometry("closest").geometry.to_numpy()[apart]
    assert shapely.length(found) == pytest.approx(shapely.length(shortest), rel=1e-9)
    assert shapely.hausdorff_distance(found, shortest).max() < 1e-9


def test_on_decimals_a_margin_is_that_of_exact_fractions() -> None:
    xy = [(x / 10, y / 10) for x, y in product(range(7, 20), range(3, 12))]
    points, margin = frame(shapely.points(xy)), Fraction(0.5)
    beyond = {
        (i, j): sum((Fraction(u) - Fraction(v)) ** 2 for u, v in zip(p, q, strict=True)) - margin**2
        for (i, p), (j, q) in product(enumerate(xy), repeat=2)
    }
    exact = {pair for pair, by in beyond.items() if by <= 0}
    assert rows(cg.sjoin(points, points, margin=float(margin))) == exact
    theirs = rows(geopandas.sjoin(points, points, predicate="dwithin", distance=float(margin)))
    doubtful = {pair for pair, by in beyond.items() if abs(by) < Fraction(1, 10**12)}
    assert len(doubtful - exact) > 10
    assert theirs ^ exact <= doubtful


# Points per county.


def counties(random: np.random.Generator) -> geopandas.GeoDataFrame:
    """Quadrilaterals that share their borders and cover a square."""
    corners = np.stack(np.meshgrid(*[np.linspace(0, 100, 11)] * 2, indexing="ij"), axis=-1)
    corners[1:-1, 1:-1] += random.uniform(-3, 3, (9, 9, 2))
    rings = np.stack(
        [corners[:-1, :-1], corners[1:, :-1], corners[1:, 1:], corners[:-1, 1:]], axis=-2
    )
    shapes = shapely.polygons(rings.reshape(-1, 4, 2))
    return frame(shapes).set_index(pd.Index([f"county {k}" for k in range(100)], name="county"))


def test_points_per_county_are_the_same_in_four_ways() -> None:
    random = np.random.default_rng(4)
    areas, points = counties(random), frame(shapely.points(random.uniform(-10, 110, (3000, 2))))
    inside = cg.sjoin(points, areas).groupby("county").size()
    pd.testing.assert_series_equal(inside, geopandas.sjoin(points, areas).groupby("county").size())
    within = cg.sjoin(points, areas, predicate="within").groupby("county").size()
    pairs = cg.colliding_pairs(points, areas)["b"].value_counts().sort_index()
    for other in (within, pairs):
        assert other.sort_index().to_dict() == inside.to_dict()
    nearest = cg.sjoin_nearest(points, areas, max_distance=5.0, distance_col="off")
    theirs = geopandas.sjoin_nearest(points, areas, max_distance=5.0, distance_col="off")
    assert rows(nearest.reset_index(), "index", "county") == rows(
        theirs.reset_index(), "index", "county"
    )
    assert nearest["off"].to_numpy() == pytest.approx(theirs["off"].to_numpy(), rel=1e-9)
    assert (nearest["off"] == 0).sum() == inside.sum() < len(nearest) < len(points)


def side(p: Any, q: Any, point: Any) -> Fraction:
    """Twice the signed area of a triangle, exactly: above 0 to the left of the way from p to q."""
    (a, b), (c, d), (x, y) = (tuple(map(Fraction, it)) for it in (p, q, point))
    return (c - a) * (y - b) - (d - b) * (x - a)


def test_wells_on_a_border_of_decimals_are_in_both_counties_and_within_none() -> None:
    p, q = (1.8, 1.2), (7.2, 5.4)
    areas = frame(shapely.polygons([[p, q, (1.8, 5.4)], [p, (7.2, 1.2), q]]))
    xy = [(x / 10, y / 10) for x, y in product(range(19, 72), range(13, 54))]
    wells = frame(shapely.points(xy))
    sides = [side(p, q, it) for it in xy]
    closed = {(k, j) for k, s in enumerate(sides) for j in (0, 1) if (s <= 0 if j else s >= 0)}
    inside = {(k, j) for k, s in enumerate(sides) for j in (0, 1) if (s < 0 if j else s > 0)}
    on_border = closed - inside
    assert on_border
    for rings in (areas, areas.set_geometry(areas.reverse())):
        assert rows(cg.sjoin(wells, rings)) == closed
        assert rows(cg.sjoin(wells, rings, predicate="within")) == inside
        assert rows(cg.sjoin(wells, rings, predicate="touches")) == on_border
        assert rows(geopandas.sjoin(wells, rings)) ^ closed <= on_border


# A storm that comes and goes.


def spans(box: Any, storm: Any, way: tuple[float, float]) -> tuple[Fraction, Fraction] | None:
    """From when until when a moving box touches another at rest, in exact parts of the way."""
    enter, leave = Fraction(0), Fraction(1)
    for axis, step in enumerate(way):
        low = Fraction(box[axis]) - Fraction(storm[axis + 2])
        high = Fraction(box[axis + 2]) - Fraction(storm[axis])
        if step == 0:
            if not low <= 0 <= high:
                return None
            continue
        first, last = sorted((low / Fraction(step), high / Fraction(step)))
        enter, leave = max(enter, first), min(leave, last)
    return (enter, leave) if enter <= leave else None


def test_a_storm_comes_and_goes_as_in_exact_fractions() -> None:
    random = np.random.default_rng(5)
    bounds = random.integers(0, 60, (200, 2)) * 1000.0
    bounds = np.concatenate([bounds, bounds + random.integers(1, 5, (200, 2)) * 1000.0], axis=1)
    fronts = np.array([(-9e3, 0.0, -1e3, 40e3), (10e3, -20e3, 30e3, -2e3), (0.0, 0.0, 4e3, 4e3)])
    velocity = np.array([(5.0, 1.0), (0.0, 3.0), (0.0, 0.0)])
    towns = frame(shapely.box(*bounds.T))
    storms = frame(shapely.box(*fronts.T), vx=velocity[:, 0], vy=velocity[:, 1])
    start, hours = pd.Timestamp("2026-05-01 12:00"), 3
    motion: dict[str, Any] = {"velocity_b": ("vx", "vy"), "duration": f"{hours}h"}
    stay = ("enter", "leave", "still_inside")
    hit = cg.sjoin(towns, storms, **motion, start=start, fields=stay)
    exact = {
        (i, j): span
        for i, j in product(range(200), range(3))
        if (span := spans(bounds[i], fronts[j], tuple(velocity[j] * 3600 * hours))) is not None
    }
    assert rows(hit) == set(exact)
    seconds = 3600 * hours
    for label, row in hit.iterrows():
        enter, leave = exact[label, row["index_right"]]
        for time, share in ((row["enter"], enter), (row["leave"], leave)):
            assert abs(Fraction((time - start).total_seconds()) - share * seconds) <= Fraction(
                1, 10**6
            )
        assert row["still_inside"] == (leave == 1)
    intervals = cg.contact_intervals(
        towns, storms, pairs=cg.colliding_pairs(towns, storms, **motion), **motion, start=start
    )
    assert rows(intervals, "a", "b", "enter", "leave", "still_inside") == rows(
        hit.reset_index(names="a"), "a", "index_right", *stay
    )


def test_steps_of_geopandas_find_what_a_sweep_finds_at_their_times_and_miss_the_rest() -> None:
    random = np.random.default_rng(6)
    towns, cloud = frame(boxes(random, 200)), shapely.Point(-20, 50).buffer(8)
    storm = frame([cloud])
    hit = cg.sjoin(
        towns, storm, velocity_b=(0.03125, 0.0078125), duration="1h", fields=("enter", "leave")
    )
    seen: set[Any] = set()
    for minute in range(0, 61, 15):
        # The steps are float64 numbers, so that both move the storm by the same.
        there = shapely.affinity.translate(cloud, 1.875 * minute, 0.46875 * minute)
        now = pd.Timedelta(minutes=minute)
        during = hit.index[(hit["enter"] <= now) & (now <= hit["leave"])]
        assert set(during) == set(towns.index[towns.intersects(there)])
        seen |= set(during)
    assert seen < set(hit.index)


# Ships.


def reports(random: np.random.Generator, ships: int = 40, times: int = 12) -> Any:
    """Points of ships that all report at the same times."""
    start = random.uniform(0, 100, (ships, 1, 2))
    way = random.uniform(-12, 12, (ships, 1, 2)) * np.arange(times)[:, None]
    clock = pd.Timestamp("2026-05-01") + pd.to_timedelta(10 * np.arange(times), unit="min")
    return frame(
        shapely.points((start + way).reshape(-1, 2)),
        ship=np.repeat([f"ship {k}" for k in range(ships)], times),
        time=np.tile(clock, ships),
    )


def test_ships_near_each_other_at_the_same_time_are_those_of_geopandas() -> None:
    tracks = reports(np.random.default_rng(7))
    near = cg.sjoin(
        tracks, tracks, margin=9.0, on_attribute="time", self_pairs="once", distance_col="metres"
    )
    theirs = geopandas.sjoin(tracks, tracks, predicate="dwithin", distance=9.0, on_attribute="time")
    assert rows(near) == rows(theirs[theirs.index < theirs["index_right"]])
    assert len(near) > 50
    others = tracks.geometry.loc[near["index_right"]]
    assert near["metres"].to_numpy() == pytest.approx(near.distance(others, align=False).to_numpy())


def test_reports_in_a_zone_are_those_during_visits_and_some_visits_have_none() -> None:
    random = np.random.default_rng(8)
    tracks, zones = reports(random), frame(boxes(random, 60))
    visits = cg.visits(tracks, zones, agent="ship", time="time")
    during = visits.merge(tracks, left_on="agent", right_on="ship")
    during = during[(during["enter"] <= during["time"]) & (during["time"] <= during["leave"])]
    inside = geopandas.sjoin(tracks, zones)
    assert rows(during, "agent", "time", "zone") == rows(inside, "ship", "time", "index_right")
    assert set(zip(during["agent"], during["zone"], strict=True)) < set(
        zip(visits["agent"], visits["zone"], strict=True)
    )
    ways = tracks.groupby("ship")["geometry"].agg(lambda it: shapely.LineString(it.tolist()))
    crossed = geopandas.sjoin(frame(ways.to_numpy()).set_index(ways.index), zones)
    assert set(zip(visits["agent"], visits["zone"], strict=True)) == rows(crossed)


# Shifts off a road.


def test_shifted_rows_are_clear_and_moved_by_the_depth_of_the_join() -> None:
    random = np.random.default_rng(9)
    line = shapely.LineString([(0, 20), (60, 30), (70, 90)])
    sheds, road = frame(blobs(random, 120)), frame([line.buffer(3, join_style="mitre")])
    depths = cg.sjoin(sheds, road, fields=("depth", "mtv"))
    moved = cg.shift(sheds, road)
    length = np.hypot(moved["shift_x"], moved["shift_y"])
    overlapping = sheds.index[sheds.overlaps(road.geometry[0])]
    assert set(length.index[length > 0]) == set(overlapping) == set(depths.index)
    assert length[depths.index].to_numpy() == pytest.approx(depths["depth"].to_numpy(), rel=1e-12)
    assert (cg.penetration(moved, road, fields=("depth",))["depth"] == 0).all()
    assert not moved.overlaps(road.geometry[0]).any()
    clear = length.index[length == 0]
    assert (moved.geometry[clear] == sheds.geometry[clear]).all()
    # No shorter way along either axis or diagonal leads off the road.
    for direction in product((-1, 0, 1), repeat=2):
        if direction != (0, 0):
            along = cg.penetration(sheds, road, direction=direction, fields=("depth",))["depth"]
            assert (along[overlapping] >= length[overlapping] * (1 - 1e-9)).all()


def test_two_metres_off_a_road_are_at_least_two_metres_for_geopandas() -> None:
    random = np.random.default_rng(10)
    line = shapely.LineString([(0, 20), (60, 30), (70, 90)])
    road = line.buffer(3, cap_style="flat", join_style="mitre")
    moved = cg.shift(frame(blobs(random, 120)), road.buffer(2, join_style="mitre"))
    assert moved.distance(road).min() >= 2 * (1 - 1e-9)
    tanks, wall = frame(boxes(random, 120)), shapely.box(40, -5, 60, 105)
    moved = cg.shift(tanks, wall, margin=2.0)
    near = tanks.distance(wall) < 2
    assert moved.distance(wall)[near].to_numpy() == pytest.approx(2.0, rel=1e-12)
    assert (moved.geometry[~near] == tanks.geometry[~near]).all()


# More data than memory.


@pytest.mark.parametrize("in_memory", ["right", "left"])
def test_partitions_beside_a_frame_in_memory_are_joined_as_by_geopandas(in_memory: str) -> None:
    random = np.random.default_rng(11)
    parcels, zones = frame(blobs(random, 300)), frame(boxes(random, 40), zone=range(40))
    with warnings.catch_warnings():
        # Rows at random have partitions that all meet.
        warnings.simplefilter("ignore")
        many = dask_geopandas.from_geopandas(parcels, npartitions=5)
        sides = (many, zones) if in_memory == "right" else (zones, many)
        found = carom.dask.sjoin(*sides, margin=3.0, distance_col="metres").compute()
    given = (parcels, zones) if in_memory == "right" else (zones, parcels)
    assert rows(found) == rows(geopandas.sjoin(*given, predicate="dwithin", distance=3.0))
    order = ["level_0", "index_right"]
    one_machine = cg.sjoin(*given, margin=3.0, distance_col="metres")
    tables = [it.reset_index(names="level_0").sort_values(order) for it in (found, one_machine)]
    assert tables[0]["metres"].tolist() == tables[1]["metres"].tolist()


def test_pieces_are_the_join_and_progress_ends_with_all_rows() -> None:
    random = np.random.default_rng(12)
    parcels, zones = frame(blobs(random, 300)), frame(boxes(random, 40))
    told: list[tuple[int, int]] = []
    joined = cg.sjoin(parcels, zones, margin=3.0, progress=lambda *counts: told.append(counts))
    pieces = list(carom.iter_colliding_pairs(parcels, zones, margin=3.0, chunk_pairs=20))
    assert len(pieces) > 3
    assert rows(joined) == {(i, j) for piece in pieces for i, j in piece.T.tolist()}
    assert told[-1] == (300, 300)
    assert [done for done, _ in told] == sorted(done for done, _ in told)

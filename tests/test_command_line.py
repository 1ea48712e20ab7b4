"""`carom check`, `pairs`, `bench` and `info`: output, exit statuses, and messages on stderr."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom import __main__, __version__
from carom.commands.readers import PARQUET

from command import assert_refused, carom_here, table, without
from command import carom as carom_elsewhere

BOX, FAR = shapely.box(0, 0, 1, 1), shapely.box(5, 5, 6, 6)
CORNER = shapely.box(1, 1, 2, 2)
BOW_TIE = shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)])
COLLECTION = shapely.GeometryCollection([BOX])
MIXED = [BOX, shapely.MultiPolygon([FAR, CORNER]), None, shapely.box(6, 6, 7, 7), shapely.Polygon()]
MIXED_PAIRS = [(0, 1), (1, 3)]


def write(file: Path, geometries: list[Any], crs: int | None = 4326) -> Path:
    """Writes a file of the format that its suffix names."""
    if file.suffix == ".parquet":
        geopandas.GeoDataFrame(geometry=geopandas.GeoSeries(geometries, crs=crs)).to_parquet(file)
        return file
    shapes = [None if shape is None else shapely.geometry.mapping(shape) for shape in geometries]
    return write_raw(file, shapes)


def write_raw(file: Path, geometries: list[Any]) -> Path:
    """Writes GeoJSON of geometries, some of them null."""
    features = [{"type": "Feature", "properties": {}, "geometry": it} for it in geometries]
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return file


def polygon(*rings: Any) -> dict[str, Any]:
    return {"type": "Polygon", "coordinates": rings}


def pairs_in(text: str) -> list[tuple[int, int]]:
    header, *rows = csv.reader(io.StringIO(text))
    assert header == ["a", "b"]
    return [(int(a), int(b)) for a, b in rows]


def pairs_of(frame: pd.DataFrame) -> list[tuple[int, int]]:
    return list(zip(frame["a"], frame["b"], strict=True))


KINDS = pytest.mark.parametrize("name", ["own.geojson", "own.json", "own.parquet"])


# --- check ----------------------------------------------------------------------------------------


@KINDS
def test_good_polygons_pass_in_silence_but_for_a_count(tmp_path: Path, name: str) -> None:
    done = carom_here("check", write(tmp_path / name, MIXED), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.endswith(f"{name}: 5 rows, 0 bad, 2 missing\n")


@KINDS
def test_every_bad_row_is_listed_where_it_stands(tmp_path: Path, name: str) -> None:
    leaving = shapely.Polygon(FAR.exterior, [[(5.5, 5.5), (7, 5.5), (5.5, 5.7)]])
    rows = [BOX, BOW_TIE, None, shapely.MultiPolygon([BOX, leaving]), COLLECTION]
    write(tmp_path / name, rows)
    done = carom_here("check", name, cwd=tmp_path)
    assert done.returncode == 1
    first, second, third = done.stdout.splitlines()
    assert first.startswith(f"{name}: feature 1: the ring meets itself: edge 0 and edge 2 ")
    assert "(0.5, 0.5)" in first
    assert second.startswith(f"{name}: feature 3: rings 0 and 1 of part 1 cross: ")
    assert third.startswith(f"{name}: feature 4: expected points, lines or polygons, got a Geom")
    assert done.stderr == f"{name}: 5 rows, 3 bad, 1 missing\n"


SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)]
UNREADABLE: dict[str, tuple[Any, str]] = {
    "words": (
        polygon([["0", 0], [1, 0], [1, 1]]),
        'ring 0: vertex 0 is ["0", 0]; a ring is a list',
    ),
    "null": (polygon([[None, 0], [1, 0], [1, 1]]), "ring 0: vertex 0 is [null, 0]; a ring is a"),
    "ragged": (polygon([[0, 0], [1], [1, 1]]), "ring 0: vertex 1 is [1]; a ring is a list of"),
    "flat": (polygon([0, 0, 1, 1]), "ring 0: vertex 0 is 0; a ring is a list of positions"),
    "too deep": (polygon([[[[0, 0]], 1]]), "ring 0: vertex 0 is [[...], 1]; a ring is a list"),
    "an object": (polygon([{"x": 0}]), "ring 0: vertex 0 is {...}; a ring is a list"),
    "empty ring": (polygon(SQUARE, []), "ring 1 is []; a ring is a list of positions"),
    "ring of words": (polygon(SQUARE, "no"), 'ring 1 is "no"; a ring is a list of positions'),
    "null as z": (polygon([[0, 0, None], [1, 0, 0], [1, 1, 0]]), "vertex 0 is [0, 0, null]; a"),
    "true": (polygon([[0, 0], [True, 0.5], [1, 1]]), "ring 0: vertex 1 is [true, 0.5]; a ring is"),
    "only false": (
        polygon(SQUARE, [[False] * 2] * 3),
        "ring 1: vertex 0 is [false, false]; a ring",
    ),
    "true as z": (polygon([[0, 0, 0], [1, 0, True], [1, 1, 0]]), "vertex 1 is [1, 0, true]; a"),
    "long words": (polygon([["a" * 999, 0]]), f'vertex 0 is ["{"a" * 23}..., 0]; a ring is'),
    "many numbers": (polygon([[0, 0, 0, 0, "1"]]), "vertex 0 is [0, 0, 0, 0, ...]; a ring is"),
    "no coordinates": ({"type": "Polygon"}, "a ring is a list of positions"),
    "part of words": ({"type": "MultiPolygon", "coordinates": ["no"]}, "part 0: a ring is"),
    "infinite": (polygon([[0, 0], [1, float("inf")], [1, 1]]), "vertex 1 is (1.0, inf)"),
    "two vertices": (polygon([[0, 0], [1, 1]]), "three vertices or more, not 2"),
    "one number": (polygon([[0], [1], [2]]), "ring 0: vertex 0 is [0]; a ring is a list of"),
    "huge": (polygon([[2**53 + 1, 0], [1, 0], [1, 1]]), "9007199254740993"),
    "huge beside a float": (polygon([[0.5, 0], [2**53 + 1, 0], [1, 1]]), "vertex 1 has 90071992"),
    "huge beside a negative": (polygon([[-1, 0], [2**64 - 1, 0], [1, 1]]), "vertex 1 has 18446744"),
    "300 digits": (polygon([[0, 0], [1, 10**299 + 1], [1, 1]]), "..., which no float64 holds"),
    "400 digits": (polygon([[0, 0], [1, 10**400], [1, 1]]), "vertex 1 is (1.0, inf); coordinates"),
    "400 below": (
        polygon(SQUARE, [[0, 0], [-(10**400), 1], [1, 1]]),
        "ring 1: vertex 1 is (-inf, 1",
    ),
    "no type": ({"coordinates": []}, "got a None"),
    "odd type": ({"type": ["Polygon"]}, "expected points, lines or polygons"),
    "type of two lines": ({"type": "a\nb"}, r'got a "a\nb"'),
    "a list": ([1, 2], "got a thing that is no geometry"),
    "a collection": (
        {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [0, 0]}]},
        "got a GeometryCollection",
    ),
    "a number as a point": ({"type": "Point", "coordinates": 7}, "the point is 7; a position is"),
    "half a point": ({"type": "MultiPoint", "coordinates": [[0, 0], [1]]}, "part 1 is [1]; a posi"),
    "a point of words": ({"type": "Point", "coordinates": ["0", 1]}, 'the point is ["0", 1]; a'),
    "a line of one": (
        {"type": "LineString", "coordinates": [[0, 0]]},
        "two vertices or more, not 1",
    ),
    "a line with null": (
        {"type": "LineString", "coordinates": [[0, 0], None]},
        "the path: vertex 1 is null; a path is a list of positions",
    ),
    "an empty line": (
        {"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], []]},
        "part 1 is []; a path is a list of positions",
    ),
    "huge point": ({"type": "Point", "coordinates": [2**53 + 1, 0]}, "has 9007199254740993"),
}


@pytest.mark.parametrize(("geometry", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_polygon_is_a_bad_row(tmp_path: Path, geometry: Any, reason: str) -> None:
    square = shapely.geometry.mapping(BOX)
    write_raw(tmp_path / "own.geojson", [square, geometry, square])
    done = carom_here("check", "own.geojson", cwd=tmp_path)
    (line,) = done.stdout.splitlines()
    assert done.returncode == 1
    assert line.startswith("own.geojson: feature 1")
    assert reason in line


HUGE = {
    "exponent": ("1e400", "(inf, 0.0)"),
    "negative": ("-1e400", "(-inf, 0.0)"),
    "400 digits": ("1" + "0" * 400, "(inf, 0.0)"),
    "more digits than Python takes": ("-1" + "0" * 5000, "(-inf, 0.0)"),
    "a fraction": ("1" + "0" * 5000 + ".5", "(inf, 0.0)"),
}


@pytest.mark.parametrize(("number", "told"), HUGE.values(), ids=HUGE)
def test_a_number_beyond_the_floats_is_told_as_infinite_with_its_place(
    tmp_path: Path, number: str, told: str
) -> None:
    text = f'{{"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [{number}, 0]]]}}'
    done = carom_here("check", "-", cwd=tmp_path, stdin=text)
    assert done.returncode == 1
    assert done.stdout == (
        f"standard input: feature 0: vertex 2 is {told}; coordinates must be finite\n"
    )


def test_integers_that_a_float_holds_are_taken_however_large(tmp_path: Path) -> None:
    large = [[0, 0], [2**1000, 0.5], [-(2**64), 2**63], [0, 0]]
    write_raw(tmp_path / "own.geojson", [polygon(large)])
    assert carom_here("check", "own.geojson", cwd=tmp_path).returncode == 0


def test_a_ring_may_have_z_at_some_vertices_only(tmp_path: Path) -> None:
    write_raw(tmp_path / "own.geojson", [polygon([[0, 0], [4, 0, 7], [0, 4, 7, 9], [0, 0]])])
    done = carom_here("check", "own.geojson", cwd=tmp_path)
    assert done.stdout.endswith("the coordinates have Z; --drop-z leaves it out\n")
    assert carom_here("check", "--drop-z", "own.geojson", cwd=tmp_path).returncode == 0


def test_a_feature_without_geometry_is_missing_and_null_is_no_feature(tmp_path: Path) -> None:
    features = [
        {"type": "Feature", "geometry": None, "properties": None},
        None,
        {"type": "Feature"},
    ]
    text = json.dumps({"type": "FeatureCollection", "features": features})
    done = carom_here("check", "-", cwd=tmp_path, stdin=text)
    assert done.stdout == "standard input: feature 1: expected a Feature, got null\n"
    assert done.stderr == "standard input: 3 rows, 1 bad, 2 missing\n"


def test_an_empty_part_of_a_multipolygon_is_bad_in_either_format(tmp_path: Path) -> None:
    parts = shapely.from_wkt("MULTIPOLYGON (EMPTY, ((0 0, 1 0, 1 1, 0 0)))")
    write(tmp_path / "own.parquet", [parts])
    part = [[[0, 0], [1, 0], [1, 1], [0, 0]]]
    write_raw(tmp_path / "own.geojson", [{"type": "MultiPolygon", "coordinates": [[], part]}])
    for name in ("own.parquet", "own.geojson"):
        done = carom_here("check", name, cwd=tmp_path)
        assert done.stdout == f"{name}: feature 0: part 0 is empty\n"


EMPTY = ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"]


def test_empty_geometries_of_any_type_are_missing_in_either_format(tmp_path: Path) -> None:
    rows = [{"type": kind, "coordinates": []} for kind in EMPTY]
    rows.append({"type": "GeometryCollection", "geometries": []})
    rows.append({"type": "MultiPolygon", "coordinates": [[], []]})
    write_raw(tmp_path / "own.geojson", rows)
    empty = [shapely.from_wkt(f"{row['type']} EMPTY".upper()) for row in rows]
    write(tmp_path / "own.parquet", empty)
    for name in ("own.geojson", "own.parquet"):
        done = carom_here("check", name, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr == f"{name}: 8 rows, 0 bad, 8 missing\n"
        assert carom_here("pairs", name, cwd=tmp_path).stdout == "a,b\n"


@KINDS
def test_pairs_of_shapes_of_all_kinds_are_those_of_shapely(tmp_path: Path, name: str) -> None:
    line = shapely.LineString([(0, 0), (3, 3), (3, 0)])
    rows = [
        shapely.Point(1, 1),
        shapely.MultiPoint([(1, 1), (9, 9)]),
        line,
        shapely.MultiLineString([[(9, 9), (8, 9)], [(3, 1), (4, 1)]]),
        BOX,
        shapely.MultiPolygon([shapely.box(3, -1, 4, 0), shapely.box(7, 8, 8, 10)]),
        shapely.Polygon(shapely.box(-9, -9, 9, 9).exterior, [shapely.box(-8, -8, 8, 8).exterior]),
        shapely.LinearRing([(0, 2), (2, 2), (2, 0)]),
    ]
    rows = [
        line if name != "own.parquet" and row.geom_type == "LinearRing" else row for row in rows
    ]
    write(tmp_path / name, rows)
    pairs = [(i, j) for i in range(8) for j in range(i + 1, 8) if rows[i].intersects(rows[j])]
    done = carom_here("pairs", name, cwd=tmp_path)
    assert pairs_in(done.stdout) == pairs


TWICE = {
    "features": '{"type": "FeatureCollection", "features": [], "features": []}',
    "geometry": '{"type": "Feature", "geometry": null, "geometry": null}',
    "coordinates": '{"type": "Polygon", "coordinates": [], "coordinates": []}',
    "type": '{"type": "Polygon", "type": "Polygon", "coordinates": []}',
}


@pytest.mark.parametrize("command", ["check", "pairs"])
@pytest.mark.parametrize("member", TWICE)
def test_a_member_that_stands_there_twice_has_no_one_meaning(
    tmp_path: Path, member: str, command: str
) -> None:
    done = carom_here(command, "-", cwd=tmp_path, stdin=TWICE[member])
    assert_refused(done, f'not GeoJSON: an object has the member "{member}" twice', status=2)


def test_properties_may_have_names_twice(tmp_path: Path) -> None:
    text = '{"type": "Feature", "geometry": null, "properties": {"type": "a", "type": "b"}}'
    assert carom_here("check", "-", cwd=tmp_path, stdin=text).returncode == 0


@KINDS
def test_z_is_refused_unless_it_is_dropped(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, [shapely.force_3d(BOX, 7.0), BOX])
    refused = carom_here("check", name, cwd=tmp_path)
    assert refused.returncode == 1
    assert refused.stdout == (
        f"{name}: feature 0: the coordinates have Z; --drop-z leaves it out\n"
    )
    assert carom_here("check", "--drop-z", name, cwd=tmp_path).returncode == 0
    assert carom_here("pairs", "--drop-z", name, cwd=tmp_path).stdout == "a,b\n0,1\n"


def test_quiet_only_exits(tmp_path: Path) -> None:
    for geometry, status in ((BOX, 0), (BOW_TIE, 1)):
        write(tmp_path / "own.geojson", [geometry])
        done = carom_here("check", "-q", "own.geojson", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


@pytest.mark.parametrize("geometry", [BOW_TIE, shapely.MultiPolygon([BOW_TIE])])
def test_a_bare_geometry_is_read_from_standard_input(tmp_path: Path, geometry: Any) -> None:
    text = json.dumps(shapely.geometry.mapping(geometry))
    done = carom_here("check", "-", cwd=tmp_path, stdin="\ufeff" + text)
    assert done.returncode == 1
    place = "part 0: " if geometry.geom_type == "MultiPolygon" else ""
    assert done.stdout.startswith(f"standard input: feature 0: {place}the ring meets itself: ")


# --- pairs ----------------------------------------------------------------------------------------


@KINDS
def test_features_that_touch_are_paired_once_however_many_parts_do(
    tmp_path: Path, name: str
) -> None:
    write(tmp_path / name, [*MIXED, shapely.MultiPolygon([BOX, CORNER])])
    done = carom_here("pairs", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert pairs_in(done.stdout) == sorted([*MIXED_PAIRS, (0, 5), (1, 5)])


def test_two_files_are_joined_with_each_other(tmp_path: Path) -> None:
    write(tmp_path / "a.geojson", MIXED)
    write(tmp_path / "b.parquet", [CORNER, FAR])
    done = carom_here("pairs", "a.geojson", "b.parquet", cwd=tmp_path)
    assert pairs_in(done.stdout) == [(0, 0), (1, 0), (1, 1), (3, 1)]


def test_random_pairs_are_those_of_shapely(tmp_path: Path) -> None:
    random = np.random.default_rng(6)
    corners = random.integers(0, 40, (60, 2))
    boxes = [shapely.box(x, y, x + 4, y + 3) for x, y in corners.tolist()]
    write(tmp_path / "own.geojson", boxes)
    touching = [
        (i, j) for i in range(60) for j in range(i + 1, 60) if boxes[i].intersects(boxes[j])
    ]
    assert touching
    assert pairs_in(carom_here("pairs", "own.geojson", cwd=tmp_path).stdout) == touching


def test_a_margin_pairs_what_is_near(tmp_path: Path) -> None:
    write(tmp_path / "own.geojson", [BOX, shapely.box(3, 0, 4, 1), shapely.box(8, 0, 9, 1)])
    assert pairs_in(carom_here("pairs", "own.geojson", cwd=tmp_path).stdout) == []
    near = carom_here("pairs", "own.geojson", "--margin", "2", cwd=tmp_path)
    assert pairs_in(near.stdout) == [(0, 1)]


def test_pairs_go_where_they_are_told(tmp_path: Path) -> None:
    write(tmp_path / "own.geojson", MIXED)
    for output in ("out.csv", "out.parquet"):
        done = carom_here("pairs", "own.geojson", "-o", output, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert pairs_in((tmp_path / "out.csv").read_text()) == MIXED_PAIRS
    assert pairs_of(geopandas.read_parquet(tmp_path / "out.parquet")) == MIXED_PAIRS


def test_a_dash_is_standard_output_and_makes_no_file(tmp_path: Path) -> None:
    write(tmp_path / "own.geojson", MIXED)
    done = carom_here("pairs", "own.geojson", "-o", "-", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert pairs_in(done.stdout) == MIXED_PAIRS
    assert [file.name for file in tmp_path.iterdir()] == ["own.geojson"]


def test_a_file_that_is_read_is_not_written_over(tmp_path: Path) -> None:
    write(tmp_path / "own.geojson", MIXED)
    write(tmp_path / "other.geojson", MIXED)
    before = (tmp_path / "own.geojson").read_bytes()
    (tmp_path / "link.csv").symlink_to("own.geojson")
    for files in (
        ["own.geojson"],
        ["own.geojson", "other.geojson"],
        ["other.geojson", "own.geojson"],
    ):
        for output in ("own.geojson", "./own.geojson", "link.csv"):
            done = carom_here("pairs", *files, "-o", output, cwd=tmp_path)
            assert_refused(done, output, "isn't written", status=2)
    assert (tmp_path / "own.geojson").read_bytes() == before
    write(tmp_path / "out.csv", MIXED)
    assert carom_here("pairs", "own.geojson", "-o", "out.csv", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("suffix", sorted({*PARQUET, ".GeoParquet"}))
def test_what_is_read_as_parquet_is_written_as_parquet(tmp_path: Path, suffix: str) -> None:
    write(tmp_path / "own.geojson", MIXED)
    done = carom_here("pairs", "own.geojson", "-o", f"out{suffix}", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert pairs_of(geopandas.read_parquet(tmp_path / f"out{suffix}")) == MIXED_PAIRS


def test_bad_polygons_are_not_joined(tmp_path: Path) -> None:
    for bad in (BOW_TIE, COLLECTION):
        write(tmp_path / "own.geojson", [BOX, bad])
        done = carom_here("pairs", "own.geojson", "-o", "out.csv", cwd=tmp_path)
        assert_refused(done, "own.geojson: feature 1: ", "carom check")
    assert not (tmp_path / "out.csv").exists()


def test_coordinates_of_different_systems_are_not_joined(tmp_path: Path) -> None:
    write(tmp_path / "degrees.geojson", MIXED)
    write(tmp_path / "metres.parquet", MIXED, crs=3857)
    write(tmp_path / "unknown.parquet", MIXED, crs=None)
    done = carom_here("pairs", "degrees.geojson", "metres.parquet", cwd=tmp_path)
    assert_refused(done, "OGC:CRS84", "EPSG:3857", status=2)
    tree = json.loads((tmp_path / "degrees.geojson").read_text())
    tree["crs"] = {"type": "name", "properties": {"name": "my yard"}}
    (tmp_path / "yard.geojson").write_text(json.dumps(tree))
    done = carom_here("pairs", "degrees.geojson", "yard.geojson", cwd=tmp_path)
    assert_refused(done, "OGC:CRS84", "my yard", status=2)
    assert carom_here("pairs", "yard.geojson", "yard.geojson", cwd=tmp_path).returncode == 0
    for other in ("degrees.geojson", "metres.parquet"):
        assert carom_here("pairs", "unknown.parquet", other, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("version", ["1.3", ""])
def test_longitude_and_latitude_are_the_same_by_name_and_without(
    tmp_path: Path, version: str
) -> None:
    blocker = without(tmp_path, "pyproj")
    write(tmp_path / "unnamed.geojson", MIXED)
    tree = json.loads((tmp_path / "unnamed.geojson").read_text())
    name = f"urn:ogc:def:crs:OGC:{version}:CRS84"
    tree["crs"] = {"type": "name", "properties": {"name": name}}
    (tmp_path / "named.geojson").write_text(json.dumps(tree))
    files = ("unnamed.geojson", "named.geojson")
    assert carom_here("pairs", *files, cwd=tmp_path).returncode == 0
    done = carom_elsewhere("pairs", *files, cwd=tmp_path, path=blocker)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("code", [32633, "32633", "epsg:32633"])
def test_the_code_of_a_system_in_the_oldest_geojson_is_not_overlooked(
    tmp_path: Path, code: int | str
) -> None:
    write(tmp_path / "degrees.geojson", MIXED)
    write(tmp_path / "metres.parquet", MIXED, crs=32633)
    tree = json.loads((tmp_path / "degrees.geojson").read_text())
    tree["crs"] = {"type": "EPSG", "properties": {"code": code}}
    (tmp_path / "coded.geojson").write_text(json.dumps(tree))
    done = carom_here("pairs", "coded.geojson", "metres.parquet", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = carom_here("pairs", "coded.geojson", "degrees.geojson", cwd=tmp_path)
    assert_refused(done, "EPSG:32633", "OGC:CRS84", status=2)


@pytest.mark.parametrize("code", ["1e999", "true", "32633.7", '"utm 33"', "null"])
def test_what_is_no_code_of_a_system_is_refused(tmp_path: Path, code: str) -> None:
    write(tmp_path / "own.geojson", MIXED)
    text = (tmp_path / "own.geojson").read_text()
    crs = f'{{"crs": {{"type": "EPSG", "properties": {{"code": {code}}}}}, '
    (tmp_path / "own.geojson").write_text(crs + text.lstrip()[1:])
    done = carom_here("check", "own.geojson", cwd=tmp_path)
    assert_refused(done, "own.geojson", "expected a code of EPSG in its crs", status=2)


def test_what_is_no_name_of_a_system_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "own.geojson", MIXED)
    tree = json.loads((tmp_path / "own.geojson").read_text())
    tree["crs"] = {"type": "name", "properties": {"name": "{32633"}}
    (tmp_path / "own.geojson").write_text(json.dumps(tree))
    for command in ("check", "pairs"):
        done = carom_here(command, "own.geojson", cwd=tmp_path)
        assert_refused(done, "expected the name of a system in its crs, got '{32633'", status=2)


def test_a_terminal_sees_a_progress_bar_and_a_file_does_not(tmp_path: Path) -> None:
    write(tmp_path / "own.geojson", MIXED)
    pty, termios = (pytest.importorskip(name) for name in ("pty", "termios"))
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    os.set_blocking(ours, False)
    done = subprocess.run(
        [sys.executable, "-m", "carom", "pairs", "own.geojson"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=True,
    )
    seen = os.read(ours, 10_000)
    os.close(theirs)
    os.close(ours)
    assert b"rows" in seen
    assert pairs_in(done.stdout.decode()) == MIXED_PAIRS


# --- bench and info -------------------------------------------------------------------------------


def test_info_names_what_a_report_needs(tmp_path: Path) -> None:
    done = carom_here("info", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    facts = dict(re.split(r"\s{2,}", line, maxsplit=1) for line in done.stdout.splitlines())
    assert facts["carom"] == __version__
    assert facts["NumPy"] == np.__version__
    assert facts["instructions"] in {"avx512", "avx2", "neon", "baseline"}
    assert int(facts["threads"]) >= 1


def test_info_tells_whether_the_instructions_were_chosen_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAROM_INSTRUCTIONS", "baseline")
    assert "baseline (by CAROM_INSTRUCTIONS)" in carom_elsewhere("info", cwd=tmp_path).stdout


QUESTIONS = ["intersects", "sat", "swept_collision", "circle_polygon", "distance"]


def test_bench_measures_every_question_and_shapely_where_it_has_an_answer(tmp_path: Path) -> None:
    done = carom_here("bench", "--pairs", "50", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    rows = table(done.stdout, "query")
    assert [row[0] for row in rows] == QUESTIONS
    assert [len(row) for row in rows] == [3, 2, 2, 3, 3]


def test_bench_does_without_shapely(tmp_path: Path) -> None:
    done = carom_elsewhere(
        "bench", "--pairs", "50", cwd=tmp_path, path=without(tmp_path, "shapely")
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Shapely is not installed" in done.stdout
    assert [len(row) for row in table(done.stdout, "query")] == [2] * 5


@pytest.mark.parametrize("number", [10**12 - 1, 10**30])
def test_more_pairs_than_the_memory_holds_are_a_line(tmp_path: Path, number: int) -> None:
    done = carom_here("bench", "--pairs", str(number), cwd=tmp_path)
    assert_refused(done, "not enough memory", f"{number:,} pairs", status=2)
    assert done.stdout == ""


# --- errors and exit statuses ---------------------------------------------------------------------


NOT_READ: dict[str, tuple[bytes | None, str]] = {
    "nowhere.geojson": (None, "No such file or directory"),
    "nowhere.parquet": (None, "No such file or directory"),
    "binary.geojson": (b"\xff\xfe\x00", "not UTF-8 text"),
    "empty.geojson": (b"", "not JSON"),
    "cut.geojson": (b'{"type": "Feature', "not JSON"),
    "deep.geojson": (b"[" * 100_000, "nested too deeply"),
    "number.geojson": (b"7", "not GeoJSON"),
    "other.geojson": (b'{"type": "Coverage"}', "not GeoJSON: expected an object"),
    "topology.json": (b'{"type": "Topology", "arcs": []}', "not GeoJSON but TopoJSON; convert"),
    "esri.json": (
        b'{"geometryType": "esriGeometryPoint", "features": []}',
        "not GeoJSON but Esri JSON; convert",
    ),
    "ring.json": (b'{"rings": [[[0, 0], [0, 1], [1, 0], [0, 0]]]}', "not GeoJSON but Esri JSON"),
    "lines.geojsonl": (
        b'{"type": "Point", "coordinates": [0, 0]}\n{"type": "Point", "coordinates": [1, 0]}\n',
        "not GeoJSON but several objects, one a line (GeoJSONSeq, NDJSON); convert",
    ),
    "numbers.json": (b"1\n2\n", "not JSON"),
    "sequence.geojsons": (
        b'\x1e{"type": "Point", "coordinates": [0, 0]}\n',
        "not GeoJSON but a GeoJSON text sequence (RFC 8142); convert",
    ),
    "list.geojson": (b'{"type": "FeatureCollection", "features": 7}', "not GeoJSON"),
    "text.parquet": (b"a,b\n1,2\n", "not GeoParquet"),
    "text.gpkg": (b"a,b\n1,2\n", "not GeoPackage"),
    "nowhere.shp": (None, "No such file or directory"),
    "binary.kml": (b"\xff\xfe\x00", ".feather, .gpkg and .shp are read"),
    "https://example.org/x.geojson": (None, "a URL is not read"),
    "s3://bucket/x.parquet": (None, "a URL is not read"),
}


@pytest.mark.parametrize("command", ["check", "pairs"])
@pytest.mark.parametrize("name", NOT_READ)
def test_a_file_that_cannot_be_read_is_status_two(tmp_path: Path, name: str, command: str) -> None:
    content, reason = NOT_READ[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert_refused(carom_here(command, name, cwd=tmp_path), f"{name}: ", reason, status=2)


def test_a_parquet_file_without_geometry_is_refused_with_its_columns(tmp_path: Path) -> None:
    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "own.parquet")
    assert_refused(
        carom_here("check", "own.parquet", cwd=tmp_path),
        "no column has the extension name of shapes",
        "--column",
        status=2,
    )


def test_a_file_that_cannot_be_written_is_status_two(tmp_path: Path) -> None:
    write(tmp_path / "own.geojson", MIXED)
    for output in ("no/where.csv", "no/where.parquet"):
        done = carom_here("pairs", "own.geojson", "-o", output, cwd=tmp_path)
        assert_refused(done, f"{output}: No such file", status=2)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_where_nothing_can_be_written_nothing_is_read(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"folder.{suffix}").mkdir()
    (tmp_path / "file").touch()
    reasons = {
        f"no/where.{suffix}": "No such file",
        f"file/x.{suffix}": "Not a directory",
        f"folder.{suffix}": "Is a directory",
    }
    for output, reason in reasons.items():
        done = carom_here("pairs", "unread.geojson", "-o", output, cwd=tmp_path)
        assert_refused(done, f"{output}: {reason}", status=2)
    monkeypatch.setattr(os, "access", lambda *_: False)
    done = carom_here("pairs", "unread.geojson", "-o", f"x.{suffix}", cwd=tmp_path)
    assert_refused(done, f"x.{suffix}: Permission denied", status=2)


def test_geojson_needs_nothing_and_parquet_says_what_it_needs(tmp_path: Path) -> None:
    blocker = without(tmp_path, "geopandas", "pyarrow", "shapely", "tqdm", "pyproj")
    write(tmp_path / "own.geojson", MIXED)
    write(tmp_path / "own.parquet", MIXED)
    done = carom_elsewhere("pairs", "own.geojson", "own.geojson", cwd=tmp_path, path=blocker)
    assert (done.returncode, done.stderr) == (0, "")
    hint = "pip install 'carom[geo]'"
    for name in ("own.gpkg", "own.shp"):
        (tmp_path / name).touch()
    for arguments in (
        ["check", "own.parquet"],
        ["check", "own.gpkg"],
        ["pairs", "own.shp"],
        ["pairs", "own.geojson", "-o", "x.parquet"],
    ):
        assert_refused(carom_elsewhere(*arguments, cwd=tmp_path, path=blocker), hint, status=2)


@pytest.mark.parametrize("command", ["info", "--version"])
def test_a_command_warns_of_instructions_that_there_are_not(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = carom_elsewhere(command, cwd=tmp_path)
    monkeypatch.setenv("CAROM_INSTRUCTIONS", "sse9")
    done = carom_elsewhere(command, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, usual.stdout)
    assert 'RuntimeWarning: CAROM_INSTRUCTIONS is "sse9"' in done.stderr
    assert "avx512, avx2, neon, baseline" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["chek"],
        ["check"],
        ["check", "a", "b"],
        ["pairs", "-", "-"],
        ["pairs", "x.geojson", "--margin", "-1"],
        ["pairs", "x.geojson", "--margin", "nan"],
        ["pairs", "x.geojson", "--margin", "1e400"],
        ["pairs", "x.geojson", "--margin", ""],
        ["pairs", "x.geojson", "--margin"],
        ["pairs", "x.geojson", "--velocity", "vx"],
        ["pairs", "x.geojson", "--velocity", "vx,"],
        ["pairs", "x.geojson", "--nearest", "--velocity", "vx,vy"],
        ["check", "a", "--two\nlines"],
        ["bench", "--pairs", "1e3"],
        ["bench", "--pairs", "1" * 5000],
        ["bench", "--pairs", "0"],
        ["info", "more"],
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_wrong_usage_is_a_line_and_status_two(tmp_path: Path, arguments: list[str]) -> None:
    done = carom_here(*arguments, cwd=tmp_path)
    assert_refused(done, "--help prints the usage", status=2)
    assert done.stdout == ""


@pytest.mark.parametrize("command", ["check", "pairs", "bench", "info", "demo"])
def test_help_and_version_are_printed_to_standard_output(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, words in (([command, "--help"], f"carom {command}"), (["--version"], "carom ")):
        with pytest.raises(SystemExit) as left:
            __main__.main(arguments)
        assert left.value.code == 0
        assert words in capsys.readouterr().out


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


@POSIX
@pytest.mark.parametrize("arguments", [["pairs", "own.geojson"], ["info"]], ids=" ".join)
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, arguments: list[str]) -> None:
    write(tmp_path / "own.geojson", [BOX] * 300)
    with subprocess.Popen(
        [sys.executable, "-m", "carom", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def with_streams(streams: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command with some of its streams closed or redirected by a shell."""
    shell = ["sh", "-c", f'exec "$@" {streams}', "sh"]
    return subprocess.run(
        [*shell, sys.executable, "-m", "carom", *arguments],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@POSIX
@pytest.mark.parametrize(
    "words",
    [
        ["check", "good.geojson"],
        ["check", "bad.geojson"],
        ["check", "nowhere.geojson"],
        ["pairs", "good.geojson"],
        ["--version"],
        ["chek"],
    ],
)
def test_closed_streams_change_no_status_and_no_other_stream(
    tmp_path: Path, words: list[str]
) -> None:
    write(tmp_path / "good.geojson", MIXED)
    write(tmp_path / "bad.geojson", [BOW_TIE])
    whole = carom_elsewhere(*words, cwd=tmp_path)
    for streams in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
        done = with_streams(streams, *words, cwd=tmp_path)
        assert done.returncode == whole.returncode
        assert done.stdout == ("" if ">&-" in streams.split() else whole.stdout)
        assert done.stderr == ("" if "2>&-" in streams else whole.stderr)


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")


@FULL
@pytest.mark.parametrize("buffering", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [["info"], ["check", "bad.geojson"], ["pairs", "good.geojson"], ["demo", "--no-picture"]],
    ids=" ".join,
)
def test_a_full_disk_under_standard_output_is_a_line_and_status_two(
    tmp_path: Path, arguments: list[str], buffering: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", buffering)
    write(tmp_path / "good.geojson", [BOX] * 300)
    write(tmp_path / "bad.geojson", [BOW_TIE])
    done = with_streams(">/dev/full", *arguments, cwd=tmp_path)
    assert_refused(done, "standard output: No space left on device", status=2)


@FULL
def test_a_full_disk_under_standard_error_changes_no_status(tmp_path: Path) -> None:
    write(tmp_path / "good.geojson", MIXED)
    write(tmp_path / "bad.geojson", [BOW_TIE])
    for words in (["check", "good.geojson"], ["check", "bad.geojson"], ["check", "no"], ["chek"]):
        whole = carom_elsewhere(*words, cwd=tmp_path)
        done = with_streams("2>/dev/full", *words, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (whole.returncode, whole.stdout)


@FULL
def test_a_file_that_cannot_be_read_or_written_on_is_named(tmp_path: Path) -> None:
    write(tmp_path / "own.geojson", MIXED)
    (tmp_path / "full.parquet").symlink_to("/dev/full")
    for output in ("/dev/full", "full.parquet"):
        done = carom_here("pairs", "own.geojson", "-o", output, cwd=tmp_path)
        assert_refused(done, f"{output}: No space left", status=2)
    memory = "/proc/self/mem"  # it opens, and can't be read
    for words in (["check", memory], ["pairs", memory], ["demo", "--scene", memory]):
        assert_refused(carom_here(*words, cwd=tmp_path), f"{memory}: Input/output", status=2)


@POSIX
@pytest.mark.parametrize("command", ["check", "pairs"])
def test_standard_input_that_is_closed_cannot_be_read(tmp_path: Path, command: str) -> None:
    done = with_streams("<&-", command, "-", cwd=tmp_path)
    assert_refused(done, "standard input: it is closed", status=2)
    assert with_streams("<&- 2>&-", command, "-", cwd=tmp_path).stdout == ""


@POSIX
def test_instructions_that_there_are_not_say_nothing_where_nobody_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = carom_elsewhere("info", cwd=tmp_path)
    monkeypatch.setenv("CAROM_INSTRUCTIONS", "sse9")
    done = with_streams("2>&-", "info", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, usual.stdout, "")


@POSIX
def test_an_interrupt_ends_quietly_with_130(tmp_path: Path) -> None:
    fifo = tmp_path / "own.geojson"
    os.mkfifo(fifo)
    with (
        subprocess.Popen(
            [sys.executable, "-m", "carom", "check", fifo], stderr=subprocess.PIPE, text=True
        ) as process,
        fifo.open("w"),
    ):  # opens when the other side does, which then reads
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 130

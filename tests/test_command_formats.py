"""`carom pairs`: files of the vector formats that pyogrio writes, predicates, and the count."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

import carom
import geopandas
import numpy as np
import pandas as pd
import pyogrio
import pytest
import shapely
from carom.commands.pairs import PREDICATES

from command import assert_refused, carom_here, without
from command import carom as carom_elsewhere

if TYPE_CHECKING:
    from pathlib import Path

METRES = "EPSG:25832"
PLOTS = [shapely.box(0, 0, 2, 2), shapely.MultiPolygon([shapely.box(2, 0, 4, 2)])]
DAY = dt.datetime(2026, 11, 22, tzinfo=dt.UTC)


def write(file: Path, geometries: list[Any] = PLOTS, crs: Any = METRES, **columns: Any) -> Path:
    geopandas.GeoDataFrame(columns, geometry=geometries, crs=crs).to_parquet(file)
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Plots whose attributes have names and types that some formats lack."""
    write(
        tmp_path / "own.parquet",
        fid=[7, 8],
        geom=["x", "y"],
        Name=["u", "v"],
        name=[1, None],
        list=[[1, 2], []],
        when=pd.to_datetime([DAY, None]),
        use=pd.Categorical(["field", "wood"]),
        large=pd.array([2**60 + 1, None], dtype="Int64"),
    )
    return tmp_path


OUTPUTS = ["gpkg", "fgb", "gml", "jml", "sqlite", "gdb", "tab", "shp.zip", "gpkg.zip"]


@pytest.mark.parametrize("suffix", OUTPUTS)
def test_a_vector_format_has_the_pairs_their_attributes_and_the_first_geometry(
    folder: Path, suffix: str
) -> None:
    output = f"out.{suffix}"
    for _ in range(2):  # the second replaces the first
        done = carom_here("pairs", "own.parquet", "-o", output, cwd=folder)
        assert (done.returncode, done.stdout) == (0, "")
    frame = geopandas.read_file(folder / output)
    assert frame.crs == METRES
    assert len(frame) == 1
    assert frame.geometry[0].equals(PLOTS[0])
    row = frame.iloc[0].astype(str)
    assert row[["a", "b", "fid_a", "fid_b"]].astype(float).tolist() == [0, 1, 7, 8]
    assert {row["geom_a"], row["use_a"]} == {"x", "field"}
    assert json.loads(row["list_a"]) == [1, 2]
    assert row["when_a"].replace("/", "-").startswith("2026-11-22")
    assert float(row["large_a"]) == float(2**60 + 1)
    (upper,) = (name for name in row.index if name.lower() == "name_a")
    assert row[upper] == "u"
    (lower,) = (name for name in row.index if name.lower() in {"name_a_1", "name_a_2"})
    assert float(row[lower]) == 1.0


@pytest.mark.parametrize("suffix", ["kml", "geojsonl"])
def test_formats_of_longitude_and_latitude_are_converted_to_them_and_a_warning_says_so(
    folder: Path, suffix: str
) -> None:
    done = carom_here("pairs", "own.parquet", "-o", f"out.{suffix}", cwd=folder)
    assert done.returncode == 0
    assert done.stderr.endswith(" has coordinates in EPSG:4326, to which they are projected\n")
    frame = geopandas.read_file(folder / f"out.{suffix}")
    expected = geopandas.GeoSeries(PLOTS[:1], crs=METRES).to_crs(4326)
    assert frame.crs == 4326
    assert frame.geometry.geom_equals_exact(expected, 1e-6).all()


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_a_spreadsheet_has_the_attributes_alone_and_a_warning_says_so(
    folder: Path, suffix: str
) -> None:
    done = carom_here("pairs", "own.parquet", "-o", f"out.{suffix}", cwd=folder)
    told = f"carom: warning: out.{suffix}: {suffix.upper()} has no geometry; the attributes alone"
    assert (done.returncode, done.stderr) == (0, f"{told} are written\n")
    frame = pyogrio.read_dataframe(folder / f"out.{suffix}")
    assert not isinstance(frame, geopandas.GeoDataFrame)
    assert (frame["a"][0], frame["fid_b"][0], frame["use_b"][0]) == (0, 8, "wood")


@pytest.mark.parametrize(
    ("suffix", "driver"), [("dxf", "DXF"), ("dgn", "DGN"), ("gpx", "GPX"), ("map", "WAsP")]
)
def test_a_format_without_columns_for_attributes_is_refused_before_anything_is_read(
    tmp_path: Path, suffix: str, driver: str
) -> None:
    done = carom_here("pairs", "absent.parquet", "-o", f"out.{suffix}", cwd=tmp_path)
    assert_refused(done, f"out.{suffix}: .{suffix} is not written, as {driver} has no", status=2)


def test_the_help_names_what_is_written_without_a_geometry_and_that_there_are_predicates(
    tmp_path: Path,
) -> None:
    text = " ".join(carom_here("pairs", "--help", cwd=tmp_path).stdout.split())
    assert ".xlsx and .ods have no geometry" in text
    assert "touch or overlap, or fulfil another predicate" in text
    assert "by a predicate" in " ".join(carom_here("--help", cwd=tmp_path).stdout.split())


def test_a_feature_in_many_pairs_keeps_its_fid_in_each(tmp_path: Path) -> None:
    write(tmp_path / "own.parquet", [shapely.box(x, 0, x + 1, 1) for x in (0, 1, 2)], fid=[5, 6, 6])
    done = carom_here("pairs", "own.parquet", "-o", "out.gpkg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    frame = geopandas.read_file(tmp_path / "out.gpkg")
    assert frame[["fid_a", "fid_b"]].to_numpy().tolist() == [[5, 6], [6, 6]]
    write(tmp_path / "other.parquet", PLOTS[:1])
    done = carom_here("pairs", "own.parquet", "other.parquet", "-o", "one.gpkg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert geopandas.read_file(tmp_path / "one.gpkg")["fid"].tolist() == [5, 6, 6]


@pytest.mark.parametrize("suffix", ["gpkg", "shp", "fgb", "kml", "xlsx"])
def test_no_pairs_make_a_file_without_features(tmp_path: Path, suffix: str) -> None:
    write(tmp_path / "own.parquet", PLOTS[:1], name=["u"])
    done = carom_here("pairs", "own.parquet", "-o", f"out.{suffix}", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert len(pyogrio.read_dataframe(tmp_path / f"out.{suffix}")) == 0


def test_a_file_without_a_crs_and_a_name_in_upper_case_are_written_without_a_warning(
    tmp_path: Path,
) -> None:
    write(
        tmp_path / "own.parquet", crs=None, place=geopandas.GeoSeries([None, shapely.Point(1, 2)])
    )
    done = carom_here("pairs", "own.parquet", "-o", "OUT.GPKG", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    frame = geopandas.read_file(tmp_path / "OUT.GPKG")
    assert frame.crs is None
    assert (frame["place_a"][0], frame["place_b"][0]) == (None, "POINT (1 2)")


def test_what_a_shapefile_cannot_name_is_warned_of(tmp_path: Path) -> None:
    write(tmp_path / "own.parquet", use_of_the_land=["field", "wood"])
    done = carom_here("pairs", "own.parquet", "-o", "out.shp", cwd=tmp_path)
    assert done.returncode == 0
    for line in done.stderr.splitlines():
        assert line.startswith("carom: warning: out.shp: Normalized/laundered field name: 'use_of_")
    assert len(done.stderr.splitlines()) == 2


def test_a_failure_leaves_an_existing_file_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / "own.parquet", [shapely.box(0, 0, 2, 2), shapely.Point(1, 1)])
    write(tmp_path / "all.parquet", [shapely.box(0, 0, 9, 9)])
    words = ("pairs", "own.parquet", "all.parquet", "-o", "out.shp")
    (tmp_path / "out.shp").write_text("ours")
    done = carom_here(*words, cwd=tmp_path)
    assert_refused(done, "out.shp: ESRI Shapefile: ", status=2)
    assert (tmp_path / "out.shp").read_text() == "ours"
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {"own.parquet", "all.parquet", "out.shp"}


REPLACED = {
    "shp": ["s.qix", "s.QPJ", "s.sbn", "s.sbx", "s.shp.xml", "s.shp.aux.xml"],
    "gml": ["s.gfs", "s.gml.aux.xml"],
    "gpkg": ["s.gpkg-wal", "s.gpkg-shm", "s.gpkg-journal"],
    "fgb": ["s.fgb.aux.xml"],
}
UNRELATED = ["s.txt", "s.asc", "s2.prj", "s.shp.txt", "as.prj", "s.tif.aux.xml"]


@pytest.mark.parametrize("suffix", REPLACED)
@pytest.mark.parametrize("crs", [None, METRES])
def test_nothing_of_a_replaced_file_is_left_and_what_is_not_of_it_stays(
    tmp_path: Path, suffix: str, crs: str | None
) -> None:
    write(tmp_path / "old.parquet", crs="EPSG:32633")
    write(tmp_path / "new.parquet", crs=crs)
    output = tmp_path / "new" / f"s.{suffix}"
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        words = ("pairs", "new.parquet", "-o", f"{folder}/s.{suffix}")
        assert carom_here(*words, cwd=tmp_path).returncode == 0
    expected = {file.name for file in (tmp_path / "old").iterdir()} | {*UNRELATED}
    output.unlink()
    assert carom_here("pairs", "old.parquet", "-o", output, cwd=tmp_path).returncode == 0
    assert geopandas.read_file(output).crs == "EPSG:32633"
    for name in REPLACED[suffix] + UNRELATED:
        (output.parent / name).write_text("")
    assert carom_here("pairs", "new.parquet", "-o", output, cwd=tmp_path).returncode == 0
    assert {file.name for file in output.parent.iterdir()} == expected
    assert geopandas.read_file(output).crs == crs


def test_files_beside_one_that_does_not_exist_yet_are_not_removed(tmp_path: Path) -> None:
    write(tmp_path / "own.parquet")
    (tmp_path / "s.qix").write_text("ours")
    assert carom_here("pairs", "own.parquet", "-o", "s.shp", cwd=tmp_path).returncode == 0
    assert (tmp_path / "s.qix").read_text() == "ours"


def test_a_file_of_several_layers_is_not_replaced(folder: Path) -> None:
    frame = geopandas.GeoDataFrame(geometry=PLOTS, crs=METRES)
    for layer in ("plots", "roads"):
        frame.to_file(folder / "out.gpkg", layer=layer)
    done = carom_here("pairs", "unread.parquet", "-o", "out.gpkg", cwd=folder)
    assert_refused(done, "out.gpkg: it has 2 layers, plots, roads, which would be lost", status=2)
    assert len(pyogrio.list_layers(folder / "out.gpkg")) == 2


def test_z_is_left_out_of_a_geopackage(tmp_path: Path) -> None:
    write(tmp_path / "own.parquet", [shapely.force_3d(plot, 7.0) for plot in PLOTS])
    words = ("pairs", "--drop-z", "own.parquet", "-o", "out.gpkg")
    assert carom_here(*words, cwd=tmp_path).returncode == 0
    assert not geopandas.read_file(tmp_path / "out.gpkg").has_z.any()


def test_without_pyogrio_the_way_to_it_is_named(tmp_path: Path) -> None:
    blocker = without(tmp_path, "pyogrio")
    words = ("pairs", "unread.geojson", "-o", "out.gpkg")
    done = carom_elsewhere(*words, cwd=tmp_path, path=blocker)
    assert_refused(done, "out.gpkg: .gpkg needs GeoPandas; pip install 'carom[geo]'", status=2)


# --- predicates and the count ---------------------------------------------------------------------

NESTED = [
    shapely.box(0, 0, 4, 4),
    shapely.box(1, 1, 2, 2),
    shapely.box(0, 0, 1, 1),
    shapely.box(3, 3, 6, 6),
    shapely.box(4, 0, 5, 1),
    shapely.LineString([(-1, 2), (9, 2)]),
    shapely.box(0, 0, 4, 4),
]


def pairs_of(text: str) -> list[tuple[int, ...]]:
    return [tuple(map(int, line.split(","))) for line in text.splitlines()[1:]]


@pytest.mark.parametrize("predicate", PREDICATES)
def test_pairs_fulfil_the_predicate_as_shapely_decides_it(tmp_path: Path, predicate: Any) -> None:
    holds = getattr(shapely, predicate)
    write(tmp_path / "one.parquet", NESTED)
    write(tmp_path / "other.parquet", NESTED[::-1])
    words = ("--predicate", predicate, "--no-attributes")
    done = carom_here("pairs", "one.parquet", "other.parquet", *words, cwd=tmp_path)
    expected = [
        (i, j) for i, a in enumerate(NESTED) for j, b in enumerate(NESTED[::-1]) if holds(a, b)
    ]
    assert pairs_of(done.stdout) == expected
    done = carom_here("pairs", "one.parquet", "other.parquet", *words, "--count", cwd=tmp_path)
    assert done.stdout == f"{len(expected)}\n"
    own = carom_here("pairs", "one.parquet", *words, cwd=tmp_path)
    rows = carom.colliding_pairs(NESTED, predicate=predicate)
    assert pairs_of(own.stdout) == list(map(tuple, rows.T.tolist()))


def test_a_predicate_goes_with_no_distance_and_no_motion(tmp_path: Path) -> None:
    for option in (["--margin", "2"], ["--nearest"], ["--velocity", "vx,vy"]):
        words = ("pairs", "unread.parquet", "--predicate", "touches", *option)
        done = carom_here(*words, cwd=tmp_path)
        told = f"{option[0]}: not allowed with argument --predicate touches"
        assert_refused(done, told, status=2)
    done = carom_here("pairs", "unread.parquet", "--predicate", "equal", cwd=tmp_path)
    assert_refused(done, "argument --predicate: invalid choice: 'equal'", "'equals'", status=2)


def test_the_count_of_nearest_features_is_that_of_the_rows_within_the_margin(
    tmp_path: Path,
) -> None:
    write(tmp_path / "houses.parquet", [shapely.Point(x, 0) for x in range(5)])
    write(tmp_path / "roads.parquet", [shapely.Point(-1, 0)])
    words = ("pairs", "houses.parquet", "roads.parquet", "--nearest", "--count", "--margin", "3")
    assert carom_here(*words, cwd=tmp_path).stdout == "3\n"
    done = carom_here(*words, "-o", "out.csv", cwd=tmp_path)
    assert_refused(done, "-o/--output: not allowed with argument --count", status=2)


@pytest.mark.parametrize(
    ("suffix", "told"),
    [
        ("fgb", None),
        ("gpkg", None),
        ("tab", "MapInfo File rounds coordinates"),
        ("kml", "KML has coordinates in EPSG:4326, to which they are projected"),
    ],
)
def test_what_a_format_does_to_geometries_is_told_and_rows_keep_their_order(
    tmp_path: Path, suffix: str, told: str | None
) -> None:
    rng = np.random.default_rng(3)
    places = shapely.points(rng.uniform(0, 100, (300, 2)) + np.array((5e5, 5e6)))
    write(tmp_path / "discs.parquet", list(shapely.buffer(places, 2)))
    done = carom_here("pairs", "discs.parquet", "-o", f"pairs.{suffix}", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == "" if told is None else told in done.stderr
    rows = geopandas.read_file(tmp_path / f"pairs.{suffix}")[["a", "b"]].astype(int)
    assert len(rows) > 10
    assert rows.equals(rows.sort_values(["a", "b"], ignore_index=True))

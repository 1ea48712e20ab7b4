"""The files that `carom check` and `pairs` read: tables of Parquet and Arrow, curves, Z and M."""

from __future__ import annotations

import csv
import io
import json
import struct
import warnings
from typing import TYPE_CHECKING, Any

import geopandas
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyogrio
import pyproj
import pytest
import shapely

from command import assert_refused, carom_here
from parquet_geometry import write_geometry

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

BOX, CORNER = shapely.box(0, 0, 1, 1), shapely.box(1, 1, 2, 2)
BOW_TIE = shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)])


def write(file: Path, geometries: list[Any], crs: Any = 4326) -> Path:
    """Writes GeoParquet or GeoJSON."""
    frame = geopandas.GeoDataFrame(geometry=geometries, crs=crs)
    if file.suffix == ".parquet":
        frame.to_parquet(file)
    else:
        file.write_text(frame.to_json())
    return file


def pairs_in(text: str) -> list[tuple[int, int]]:
    header, *rows = csv.reader(io.StringIO(text))
    assert header == ["a", "b"]
    return [(int(a), int(b)) for a, b in rows]


# --- Parquet and Arrow ----------------------------------------------------------------------------


def arrow_file(file: Path, frame: geopandas.GeoDataFrame, encoding: str) -> Path:
    """Writes a file of Arrow's IPC: ".arrows" in the format of streams."""
    table = pa.table(frame.to_arrow(index=False, geometry_encoding=encoding))
    new = pa.ipc.new_stream if file.suffix == ".arrows" else pa.ipc.new_file
    with new(file, table.schema) as writer:
        writer.write_table(table)
    return file


def test_the_geometry_type_of_parquet_needs_no_metadata_of_geoparquet(tmp_path: Path) -> None:
    write_geometry(tmp_path / "own.parquet", [BOX, BOW_TIE, None])
    done = carom_here("check", "own.parquet", cwd=tmp_path)
    assert done.stdout.startswith("own.parquet: feature 1: the ring meets itself")
    assert done.stderr == "own.parquet: 3 rows, 1 bad, 1 missing\n"
    write_geometry(tmp_path / "own.parquet", [BOX, CORNER])
    done = carom_here("pairs", "own.parquet", "--margin", "1", cwd=tmp_path)
    assert done.stdout == "a,b,n_a,n_b\n0,1,0,1\n"
    assert "own.parquet is geographic, OGC:CRS84" in done.stderr


def test_the_geometry_type_of_parquet_states_a_system(tmp_path: Path) -> None:
    projected = pyproj.CRS(32633)
    write(tmp_path / "same.parquet", [BOX], 32633)
    write(tmp_path / "other.parquet", [BOX], 32634)
    for crs in ("EPSG:32633", "srid:32633", projected.to_json_dict(), projected.to_wkt()):
        write_geometry(tmp_path / "own.parquet", [BOX], json.dumps({"crs": crs}))
        done = carom_here("pairs", "own.parquet", "same.parquet", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        done = carom_here("pairs", "own.parquet", "other.parquet", cwd=tmp_path)
        assert_refused(done, "own.parquet has the CRS", "EPSG:32634", status=2)


def test_edges_on_the_sphere_are_refused(tmp_path: Path) -> None:
    write_geometry(tmp_path / "own.parquet", [BOX], '{"edges": "spherical"}')
    done = carom_here("check", "own.parquet", cwd=tmp_path)
    assert_refused(done, "own.parquet: the edges are spherical", "project", status=2)


PARTS = [
    shapely.MultiLineString([[(0, 0), (4, 0), (0, 4)]]),
    None,
    shapely.MultiLineString([[(1, 1), (9, 9)]]),
]


@pytest.mark.parametrize("encoding", ["WKB", "geoarrow"])
@pytest.mark.parametrize("name", ["own.parquet", "own.arrow", "own.arrows", "own.feather"])
def test_tables_of_every_encoding_are_read_with_their_attributes(
    tmp_path: Path, name: str, encoding: str
) -> None:
    frame = geopandas.GeoDataFrame({"n": list("pqr")}, geometry=PARTS, crs=32633)
    if name == "own.parquet":
        frame.to_parquet(tmp_path / name, geometry_encoding=encoding, schema_version="1.1.0")
    else:
        arrow_file(tmp_path / name, frame, encoding)
    write(tmp_path / "points.parquet", [shapely.Point(1, 1), shapely.Point(3, 3)], 32633)
    done = carom_here("pairs", "points.parquet", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "a,b,n\n0,2,r\n1,2,r\n"
    write(tmp_path / "points.parquet", [shapely.Point(1, 1)], 32634)
    done = carom_here("pairs", "points.parquet", name, cwd=tmp_path)
    assert_refused(done, "EPSG:32634", f"{name} the CRS EPSG:32633", status=2)


def test_a_column_and_a_kind_are_one_for_both_files_or_one_each(tmp_path: Path) -> None:
    wkb = pa.array(shapely.to_wkb([BOX, CORNER]), pa.binary())
    pq.write_table(pa.table({"id": [7, 8], "shape": wkb}), tmp_path / "plain.parquet")
    frame = geopandas.GeoDataFrame(geometry=PARTS)
    frame.to_parquet(
        tmp_path / "parts.parquet", geometry_encoding="geoarrow", schema_version="1.1.0"
    )
    lists = pq.read_table(tmp_path / "parts.parquet")["geometry"]
    pq.write_table(pa.table({"shape": lists, "where": lists}), tmp_path / "lists.parquet")
    write(tmp_path / "own.geojson", [BOX])

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return carom_here("pairs", "--no-attributes", *words, cwd=tmp_path)

    done = run("plain.parquet")
    assert_refused(done, "no column has the extension name of shapes", "--column takes", status=2)
    assert pairs_in(run("plain.parquet", "--column", "shape").stdout) == [(0, 1)]
    both = ("plain.parquet", "lists.parquet")
    done = run(*both, "--column", "shape")
    assert_refused(done, "lists.parquet: two nested lists", "--kind multipath", status=2)
    for columns in ("shape", "shape,where"):
        done = run(*both, "--column", columns, "--kind", ",multipath")
        assert pairs_in(done.stdout) == [(0, 0), (0, 2), (1, 0), (1, 2)]
    done = run(*both, "--column", "shape", "--kind", "multipath")
    assert_refused(done, "plain.parquet: feature 0: kind is 'multipath', but", status=2)
    assert_refused(run(*both, "--column", "a,b,c"), "--column", "one for each", status=2)
    assert_refused(run(*both, "--kind", "ring"), "--kind: 'ring' is none of point", status=2)
    assert_refused(run(*both, "--column", "x"), "no column is called 'x'; the columns", status=2)
    done = run("plain.parquet", "own.geojson", "--column", "shape")
    assert_refused(done, "own.geojson: --column is for Parquet and Arrow", status=2)
    assert run("plain.parquet", "own.geojson", "--column", "shape,").returncode == 0


def test_other_geometries_of_a_file_are_attributes_and_covering_boxes_are_none(
    tmp_path: Path,
) -> None:
    frame = geopandas.GeoDataFrame(geometry=[BOX, CORNER], crs=32633)
    frame["door"] = geopandas.GeoSeries(shapely.points([[0, 0], [2, 1]]), crs=32633)
    frame.to_parquet(tmp_path / "own.parquet", write_covering_bbox=True)
    done = carom_here("pairs", "own.parquet", cwd=tmp_path)
    assert done.stdout == "a,b,door_a,door_b\n0,1,POINT (0 0),POINT (2 1)\n"
    assert carom_here("pairs", "own.parquet", "-o", "out.parquet", cwd=tmp_path).returncode == 0
    out = geopandas.read_parquet(tmp_path / "out.parquet")
    assert (out["door_b"].tolist(), out["door_b"].crs) == ([shapely.Point(2, 1)], frame.crs)


# --- curves and M in a GeoPackage -----------------------------------------------------------------


def wkb_of(kind: int, *parts: bytes) -> bytes:
    """WKB of this type that consists of others."""
    return b"\1" + struct.pack("<2I", kind, len(parts)) + b"".join(parts)


def chain(kind: int, *vertices: tuple[float, ...]) -> bytes:
    """WKB of a line or an arc."""
    return wkb_of(kind, *(struct.pack(f"<{len(it)}d", *it) for it in vertices))


ARC = chain(8, (-1, 0), (0, 1), (1, 0))
DIAMETER = chain(2, (1, 0), (-1, 0))
CURVES = {
    "CIRCULARSTRING": ARC,
    "COMPOUNDCURVE": wkb_of(9, ARC, DIAMETER),
    "CURVEPOLYGON": wkb_of(10, wkb_of(9, ARC, DIAMETER)),
    "MULTICURVE": wkb_of(11, ARC, DIAMETER),
    "MULTISURFACE": wkb_of(12, wkb_of(10, wkb_of(9, ARC, DIAMETER))),
}
SPATIAL = {
    "POLYHEDRALSURFACE": wkb_of(
        1015, wkb_of(1003, chain(1, *[(0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 1)])[5:])
    ),
    "TIN": wkb_of(1016, wkb_of(1017, chain(1, *[(0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 1)])[5:])),
}


def write_wkb(file: Path, rows: list[bytes]) -> Path:
    """Writes a GeoPackage of geometries that GeoPandas doesn't have."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # surfaces are no standard type of a GeoPackage
        pyogrio.raw.write(
            file,
            np.array(rows, dtype=object),
            [],
            [],
            geometry_type="Unknown",
            crs="EPSG:32633",
            driver="GPKG",
        )
    return file


def test_curves_are_bad_rows_unless_they_are_straightened(tmp_path: Path) -> None:
    write_wkb(tmp_path / "own.gpkg", [shapely.to_wkb(BOX), *CURVES.values()])
    done = carom_here("check", "own.gpkg", cwd=tmp_path)
    assert done.returncode == 1
    for row, (line, kind) in enumerate(zip(done.stdout.splitlines(), CURVES, strict=True), 1):
        assert line.startswith(f"own.gpkg: feature {row}: expected points, lines or polygons, got ")
        assert f"a {kind}, which may have arcs; --straighten " in line
    done = carom_here("pairs", "own.gpkg", cwd=tmp_path)
    assert_refused(done, "own.gpkg: feature 1: ", "CIRCULARSTRING", "--straighten")
    done = carom_here("check", "--straighten", "own.gpkg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "own.gpkg: 6 rows, 0 bad\n")
    done = carom_here("pairs", "--straighten", "own.gpkg", "-o", "out.parquet", cwd=tmp_path)
    assert done.returncode == 0
    pieces = geopandas.read_file(tmp_path / "own.gpkg").geometry
    out = geopandas.read_parquet(tmp_path / "out.parquet")
    assert out.geometry.tolist() == pieces[out["a"]].tolist()
    assert list(zip(out["a"], out["b"], strict=True)) == [
        (i, j) for i in range(6) for j in range(i + 1, 6) if pieces[i].intersects(pieces[j])
    ]


@pytest.mark.parametrize("kind", SPATIAL)
def test_surfaces_in_space_are_bad_rows(tmp_path: Path, kind: str) -> None:
    write_wkb(tmp_path / "own.gpkg", [shapely.to_wkb(BOX), SPATIAL[kind]])
    for words in ([], ["--straighten"], ["--drop-z"]):
        done = carom_here("check", "own.gpkg", *words, cwd=tmp_path)
        assert done.returncode == 1
        assert done.stdout.startswith("own.gpkg: feature 1: expected points, lines or polygons, ")
        assert f"got a {kind}, which is a surface in space" in done.stdout


@pytest.mark.parametrize("suffix", ["gpkg", "shp"])
def test_m_is_called_m_and_dropped_like_z(tmp_path: Path, suffix: str) -> None:
    lines = [
        shapely.from_wkt("LINESTRING M (0 0 7, 1 1 8)"),
        shapely.from_wkt("LINESTRING M (0 1 0, 1 0 0)"),
    ]
    own = f"own.{suffix}"
    pyogrio.raw.write(
        tmp_path / own,
        shapely.to_wkb(lines, flavor="iso", output_dimension=4),
        [np.array(["p", "q"], dtype=object)],
        ["n"],
        geometry_type="Unknown",
        crs="EPSG:32633",
    )
    done = carom_here("check", own, cwd=tmp_path)
    assert done.stdout.startswith(
        f"{own}: feature 0: the coordinates have M; --drop-z leaves it out\n"
    )
    done = carom_here("pairs", "--drop-z", own, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("a,b,n_a,n_b\n0,1,p,q\n", "")


def test_arcs_with_m_are_straightened_only_without_it(tmp_path: Path) -> None:
    write_wkb(tmp_path / "own.gpkg", [chain(2008, (-1, 0, 5), (0, 1, 5), (1, 0, 5))])
    done = carom_here("check", "--straighten", "own.gpkg", cwd=tmp_path)
    assert "feature 0: " in done.stdout
    assert "no M, which --drop-z accepts" in done.stdout
    done = carom_here("check", "--straighten", "--drop-z", "own.gpkg", cwd=tmp_path)
    assert done.returncode == 0

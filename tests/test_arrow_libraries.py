"""Columns go from DuckDB, SedonaDB, polars, pyarrow and others to carom and back without loss.

The libraries come with the extra `arrow-test`; what isn't installed is skipped.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import carom
import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import shapely
from carom import Shapes
from shapely import LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon

import arrow_variations
from command import carom_here

TRIANGLE = [(0, 0), (4, 0), (0, 4), (0, 0)]
PARTS = [shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)]
ROWS: dict[str, list[Any]] = {
    "point": [Point(1, 2), None, Point(3, 4)],
    "path": [LineString(TRIANGLE), None, LineString([(5, 5), (6, 7)])],
    "polygon": [Polygon(TRIANGLE), None, shapely.box(5, 5, 6, 6)],
    "multipoint": [MultiPoint(TRIANGLE[:2]), None, MultiPoint(TRIANGLE[1:3])],
    "multipath": [MultiLineString([TRIANGLE[:3]]), None, MultiLineString([[(0, 0), (9, 9)]])],
    "multipolygon": [MultiPolygon(PARTS), None, MultiPolygon(PARTS[:1])],
}
"""Rows of one kind each, the second of which is missing."""

KINDS = pytest.mark.parametrize("kind", ROWS)
AMBIGUOUS = {
    "path": ("path", "multipoint"),
    "multipoint": ("path", "multipoint"),
    "polygon": ("polygon", "multipath"),
    "multipath": ("polygon", "multipath"),
}
"""The kinds that lists as deep as those of a kind may have."""

MIXED = [Point(1, 2), None, Polygon(TRIANGLE), MultiPolygon(PARTS), LineString([(0, 0), (1, 1)])]
ZONES = (32633, 32634)
BOTH_ZONES = r"(?s)(?=.*32633)(?=.*32634)"
NAME = b"ARROW:extension:name"
METADATA = b"ARROW:extension:metadata"
BINARY = pa.binary()
WKB = pa.schema([pa.field("geometry", BINARY, metadata={NAME: b"geoarrow.wkb"})])


def library(name: str) -> Any:
    """The module, or a skip of the test that names the extra."""
    return pytest.importorskip(
        name, reason=f"{name} comes with the extra arrow-test, where it has a wheel"
    )


def frame(rows: list[Any], crs: Any = 32633) -> geopandas.GeoDataFrame:
    return geopandas.GeoDataFrame({"id": range(len(rows))}, geometry=rows, crs=crs)


def table(rows: list[Any], crs: Any = 32633, **encoding: Any) -> pa.Table:
    """The rows as GeoPandas exports them."""
    return pa.table(frame(rows, crs).to_arrow(index=False, **encoding))


def native(rows: list[Any], crs: Any = 32633, *, interleaved: bool = True) -> pa.Table:
    return table(rows, crs, geometry_encoding="geoarrow", interleaved=interleaved)


def unnamed(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column without the name of its type, which pyarrow keeps if it knows the type."""
    if isinstance(column.type, pa.BaseExtensionType):
        chunks = [chunk.storage for chunk in column.chunks]
        return pa.chunked_array(chunks, column.type.storage_type)
    return column


def as_wkb(column: Shapes, binary: pa.DataType = BINARY) -> pa.Table:
    """The table of WKB that a column makes on request."""
    capsules = column.__arrow_c_array__(binary.__arrow_c_schema__())
    answer = pa.Array._import_from_c_capsule(*capsules)
    schema = pa.schema([WKB.field(0).with_type(binary)])
    return pa.table([getattr(answer, "storage", answer)], schema=schema)


def told(crs: Any) -> str:
    """The authority and code of a CRS, for short."""
    pyproj = pytest.importorskip("pyproj")
    return ":".join(pyproj.CRS.from_user_input(crs).to_authority())


def assert_same(column: Shapes, rows: list[Any], crs: Any = 32633) -> None:
    expected = [None if row is None or row.is_empty else shapely.to_wkb(row) for row in rows]
    assert column.to_wkb().tolist() == expected
    assert crs is None if column.crs is None else told(column.crs) == told(crs)


# MultiLineStrings are no polygons.


@pytest.fixture(scope="module")
def geoparquet(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file in GeoParquet's native encoding for each kind."""
    folder = tmp_path_factory.mktemp("geoparquet")
    for kind, rows in ROWS.items():
        options = {"geometry_encoding": "geoarrow", "schema_version": "1.1.0"}
        frame(rows).to_parquet(folder / f"{kind}.parquet", **options)
    return {kind: folder / f"{kind}.parquet" for kind in ROWS}


@KINDS
def test_a_table_of_geoparquet_tells_its_kind(geoparquet: dict[str, Path], kind: str) -> None:
    assert_same(Shapes.from_arrow(pq.read_table(geoparquet[kind])), ROWS[kind])


@KINDS
def test_geoparquet_tells_the_kind_of_a_column_that_lost_its_name(
    geoparquet: dict[str, Path], kind: str
) -> None:
    read = pq.read_table(geoparquet[kind])
    lost = read.set_column(1, "geometry", unnamed(read["geometry"]))
    assert_same(Shapes.from_arrow(lost), ROWS[kind])


@KINDS
def test_a_column_that_lost_its_names_is_not_guessed(
    geoparquet: dict[str, Path], kind: str
) -> None:
    column = unnamed(pq.read_table(geoparquet[kind])["geometry"])
    assert_same(Shapes.from_arrow(column, kind=kind), ROWS[kind], None)
    if kind not in AMBIGUOUS:
        assert_same(Shapes.from_arrow(column), ROWS[kind], None)
        return
    with pytest.raises(ValueError, match="kind") as refused:
        Shapes.from_arrow(column)
    assert all(name in str(refused.value) for name in AMBIGUOUS[kind])


@KINDS
def test_names_of_the_lists_tell_the_kind(kind: str) -> None:
    for interleaved in (True, False):
        column = unnamed(native(ROWS[kind], interleaved=interleaved)["geometry"])
        assert_same(Shapes.from_arrow(column), ROWS[kind], None)


def test_a_kind_that_contradicts_the_name_is_refused() -> None:
    exported = native(ROWS["multipath"])
    with pytest.raises(ValueError, match="polygon"):
        Shapes.from_arrow(exported, kind="polygon")
    assert_same(Shapes.from_arrow(exported, kind="multipath"), ROWS["multipath"])


@KINDS
def test_lists_named_in_the_opposite_order_are_the_same(kind: str) -> None:
    ga = library("geoarrow.pyarrow")
    of_crs = ga.with_crs(
        ga.as_geoarrow(shapely.to_wkt(row) for row in ROWS[kind][::2]), "EPSG:32633"
    )
    assert_same(Shapes.from_arrow(of_crs), ROWS[kind][::2])
    assert_same(Shapes.from_arrow(of_crs.storage), ROWS[kind][::2], None)


@KINDS
def test_a_column_of_carom_keeps_its_kind_in_parquet_and_duckdb(tmp_path: Path, kind: str) -> None:
    duckdb = library("duckdb")
    column = Shapes.from_arrow(table(ROWS[kind]))
    wkb = as_wkb(column)
    pq.write_table(wkb, tmp_path / "wkb.parquet")
    for read in (wkb, pq.read_table(tmp_path / "wkb.parquet"), duckdb.sql("FROM wkb")):
        assert_same(Shapes.from_arrow(read), ROWS[kind], None)
    lists = pa.table({"geometry": column})
    pq.write_table(lists, tmp_path / "lists.parquet")
    with duckdb.connect() as connection:
        from_file = connection.sql(f"FROM '{tmp_path / 'lists.parquet'}'").to_arrow_table()
    for read in (pq.read_table(tmp_path / "lists.parquet"), duckdb.sql("FROM lists"), from_file):
        with contextlib.suppress(TypeError, ValueError):  # names are lost on some of these ways
            again = Shapes.from_arrow(read, column="geometry")
            assert_same(again, ROWS[kind], 32633 if again.crs else None)


# The CRS and the edges.


@pytest.mark.parametrize("encode", [table, native])
def test_columns_of_two_zones_are_not_joined(encode: Callable[..., pa.Table]) -> None:
    one, other = (Shapes.from_arrow(encode(ROWS["polygon"], zone)) for zone in ZONES)
    assert [told(column.crs) for column in (one, other)] == ["EPSG:32633", "EPSG:32634"]
    for join in (carom.colliding_pairs, carom.intersects_batch, carom.nearest):
        with pytest.raises(ValueError, match=BOTH_ZONES):
            join(one, other)
    with pytest.raises(ValueError, match=BOTH_ZONES):
        Shapes.concat([one, other])
    assert carom.colliding_pairs(one, other.with_crs(None)).shape == (2, 2)
    assert carom.colliding_pairs(one, other.with_crs(one.crs)).shape == (2, 2)


def test_export_keeps_the_crs() -> None:
    for rows in (ROWS["polygon"], MIXED):
        column = Shapes.from_arrow(table(rows))
        for made in (column, column[:], pickle.loads(pickle.dumps(column))):
            assert geopandas.GeoSeries.from_arrow(made).crs == "EPSG:32633"


def test_longitude_and_latitude_are_the_same_under_both_names() -> None:
    one = Shapes.from_points([(8.5, 50)]).with_crs("EPSG:4326")
    other = Shapes.from_points([(8.5, 50)]).with_crs("OGC:CRS84")
    assert carom.colliding_pairs(one, other).tolist() == [[0], [0]]


@pytest.mark.parametrize("srid", [0, 4326, 32633])
def test_the_srid_of_polars_st_is_the_crs(srid: int) -> None:
    pl, st = library("polars"), library("polars_st")
    rows = [None if row is None else shapely.set_srid(row, srid) for row in ROWS["polygon"]]
    series = st.GeoSeries("geometry", rows)
    column = Shapes.from_arrow(series)
    assert_same(column, ROWS["polygon"], srid or None)
    assert_same(Shapes.from_arrow(pl.DataFrame(series), column="geometry"), rows, srid or None)
    with pytest.raises(ValueError, match="geometry"):
        Shapes.from_arrow(pl.DataFrame(series))
    chunks = pl.concat([series, series], rechunk=False)
    assert_same(Shapes.from_arrow(chunks[1:5]), (ROWS["polygon"] * 2)[1:5], srid or None)


def test_rows_of_two_srids_are_refused() -> None:
    st = library("polars_st")
    rows = [shapely.set_srid(Point(1, 2), srid) for srid in (0, *ZONES)]
    with pytest.raises(ValueError, match=BOTH_ZONES):
        Shapes.from_arrow(st.GeoSeries("geometry", rows))


def test_srids_of_sedonadb_by_row_are_the_crs() -> None:
    session = library("sedonadb").connect()
    query = "SELECT ST_SetSRID(ST_Point(1, 2), srid) AS g FROM (VALUES ({}), ({})) t(srid)"
    alike = session.sql(query.format(32633, 32633))
    assert_same(Shapes.from_arrow(alike, column="g"), [Point(1, 2)] * 2)
    with pytest.raises(ValueError, match=BOTH_ZONES):
        Shapes.from_arrow(session.sql(query.format(*ZONES)), column="g")


def test_the_crs_that_spatial_polars_has_in_each_row_is_that_of_the_column() -> None:
    pl, spatial_polars = library("polars"), library("spatial_polars")
    with contextlib.suppress(ValueError):  # Its import makes polars drop this name.
        pl.unregister_extension_type("geoarrow.wkb")
    wkb = [None if row is None else shapely.to_wkb(row) for row in ROWS["polygon"]]
    made = spatial_polars.SpatialFrame.from_WKB(pl.DataFrame({"g": wkb}), "g", "EPSG:32633")
    assert_same(Shapes.from_arrow(made, column="g"), ROWS["polygon"])
    assert_same(Shapes.from_arrow(made["g"]), ROWS["polygon"])


def of_geography() -> Any:
    text = "'POLYGON ((0 50, 60 50, 60 60, 0 60, 0 50))'"
    return library("sedonadb").connect().sql(f"SELECT ST_GeogFromText({text}) AS g")


def of_edges(name: str) -> Any:
    ga = library("geoarrow.pyarrow")
    return ga.with_edge_type(ga.as_wkb(["POINT (30 51)"]), ga.EdgeType[name])


@pytest.mark.parametrize(
    "make", [of_geography, *(lambda n=n: of_edges(n) for n in ("SPHERICAL", "VINCENTY", "KARNEY"))]
)
def test_edges_that_are_not_planar_are_refused(make: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match="edges"):
        Shapes.from_arrow(make())


def test_a_geography_in_parquet_is_refused(tmp_path: Path) -> None:
    library("geoarrow.pyarrow")
    pq.write_table(pa.table({"g": of_edges("SPHERICAL")}), tmp_path / "geography.parquet")
    with pytest.raises(ValueError, match="edges"):
        Shapes.from_arrow(pq.read_table(tmp_path / "geography.parquet"))
    read = carom_here("check", "geography.parquet", cwd=tmp_path)
    assert read.returncode == 2
    assert "edges" in read.stderr


def test_spherical_edges_of_geoparquet_are_refused(tmp_path: Path) -> None:
    frame(ROWS["polygon"]).to_parquet(tmp_path / "a.parquet")
    read = pq.read_table(tmp_path / "a.parquet")
    geo = json.loads(read.schema.metadata[b"geo"])
    geo["columns"]["geometry"]["edges"] = "spherical"
    with pytest.raises(ValueError, match="edges"):
        Shapes.from_arrow(read.replace_schema_metadata({"geo": json.dumps(geo)}))


# Curves.


@pytest.fixture(scope="module")
def curves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GeoPackage of a square and a circle, which is a CURVEPOLYGON of a CIRCULARSTRING."""
    pyogrio = library("pyogrio")
    arc = np.array([(0, 0), (1, 1), (2, 0), (1, -1), (0, 0)], "<f8").tobytes()
    circle = b"\1\x0a\0\0\0\1\0\0\0" + b"\1\x08\0\0\0\5\0\0\0" + arc
    rows = pa.table({"geometry": pa.array([shapely.to_wkb(shapely.box(0, 0, 1, 1)), circle])})
    path = tmp_path_factory.mktemp("curves") / "curves.gpkg"
    options = {"geometry_name": "geometry", "geometry_type": "Unknown", "crs": "EPSG:32633"}
    pyogrio.write_arrow(rows, path, driver="GPKG", **options)
    return path


@pytest.mark.parametrize("command", ["check", "pairs"])
def test_curves_are_straightened_on_request_alone(curves: Path, command: str) -> None:
    refused = carom_here(command, curves.name, cwd=curves.parent)
    assert refused.returncode != 0
    said = refused.stdout + refused.stderr
    assert "curvepolygon" in said.lower()
    assert "1" in said
    assert "--straighten" in said
    straightened = carom_here(command, "--straighten", curves.name, cwd=curves.parent)
    assert straightened.returncode == 0


def test_a_curve_in_arrow_is_called_one(curves: Path) -> None:
    read = library("pyogrio").read_arrow(curves)[1]
    with pytest.raises((TypeError, ValueError), match=r"\b1\b") as refused:
        Shapes.from_arrow(read)
    assert "curvepolygon" in str(refused.value).lower()
    assert "not valid" not in str(refused.value)


# Tables, batches, readers, relations.


def batches(rows: pa.Table) -> dict[str, Callable[[], Any]]:
    """The rows in whatever pyarrow has for them."""
    return {
        "table": lambda: rows,
        "chunks": lambda: pa.concat_tables([rows[:1], rows[1:1], rows[1:]]),
        "slice": lambda: pa.concat_tables([rows, rows])[1 : 1 + len(rows)].take(
            pa.array(np.roll(np.arange(len(rows)), 1))
        ),
        "batch": lambda: rows.combine_chunks().to_batches()[0],
        "reader": rows.to_reader,
        "structs": rows.to_struct_array,
    }


@pytest.mark.parametrize("form", batches(table(MIXED)))
@pytest.mark.parametrize("encode", [table, native])
def test_the_geometry_of_a_table_is_found(encode: Callable[..., pa.Table], form: str) -> None:
    for rows in [MIXED] if encode is table else ROWS.values():
        assert_same(Shapes.from_arrow(batches(encode(rows))[form]()), rows)


def test_one_of_several_geometries_must_be_named() -> None:
    second = table(MIXED[::-1])
    both = table(MIXED).append_column(
        second.schema.field("geometry").with_name("other"), second["geometry"]
    )
    with pytest.raises(ValueError, match=r"geometry[\s\S]*other"):
        Shapes.from_arrow(both)
    assert_same(Shapes.from_arrow(both, column="other"), MIXED[::-1])
    with pytest.raises(ValueError, match="nowhere"):
        Shapes.from_arrow(both, column="nowhere")
    with pytest.raises(ValueError, match="id"):
        Shapes.from_arrow(both.select(["id"]))


def test_the_primary_column_is_that_of_geoparquet(tmp_path: Path) -> None:
    two = frame(MIXED).assign(other=geopandas.GeoSeries(MIXED[::-1], crs=32633))
    two.set_geometry("other").to_parquet(tmp_path / "two.parquet")
    assert_same(Shapes.from_arrow(pq.read_table(tmp_path / "two.parquet")), MIXED[::-1])


@pytest.mark.parametrize(
    "settings", ["", "SET arrow_large_buffer_size = true", "SET produce_arrow_string_view = true"]
)
def test_a_relation_of_duckdb_is_read(settings: str) -> None:
    duckdb = library("duckdb")
    with duckdb.connect() as connection:
        if "view" in settings:
            connection.sql("SET arrow_output_version = '1.5'")
        if settings:
            connection.sql(settings)
        connection.register("rows", table(MIXED))
        relation = connection.sql("FROM rows")
        assert_same(Shapes.from_arrow(relation), MIXED)
        assert_same(Shapes.from_arrow(relation.to_arrow_table()), MIXED)
        assert_same(Shapes.from_arrow(relation.to_arrow_reader(2)), MIXED)
        assert len(Shapes.from_arrow(connection.sql("FROM rows WHERE id < 0"))) == 0


def test_a_data_frame_of_sedonadb_is_read() -> None:
    session = library("sedonadb").connect()
    made = session.create_data_frame(table(MIXED))
    assert_same(Shapes.from_arrow(made), MIXED)
    assert_same(Shapes.from_arrow(made.to_arrow_table()), MIXED)
    none = session.sql("SELECT ST_Point(1, 2) AS g WHERE false")
    assert len(Shapes.from_arrow(none)) == 0


def test_views_that_sedonadb_reads_from_a_file_are_read(tmp_path: Path) -> None:
    session = library("sedonadb").connect()
    frame(MIXED).to_parquet(tmp_path / "a.parquet", write_covering_bbox=True)
    assert_same(Shapes.from_arrow(session.read_parquet(tmp_path / "a.parquet")), MIXED)


@KINDS
def test_a_frame_of_polars_is_read_with_its_name(kind: str) -> None:
    pl = library("polars")
    for rows in (table(ROWS[kind]), native(ROWS[kind]), native(ROWS[kind], interleaved=False)):
        assert_same(Shapes.from_arrow(pl.from_arrow(rows)), ROWS[kind])


def test_a_table_of_arro3_is_read() -> None:
    core = library("arro3.core")
    made = core.Table.from_arrow(table(MIXED))
    for exported in (made, made["geometry"], made["geometry"].combine_chunks()):
        assert_same(Shapes.from_arrow(exported), MIXED)


def test_files_that_pyogrio_opens_as_arrow_are_read(tmp_path: Path) -> None:
    pyogrio = library("pyogrio")
    frame(MIXED).to_file(tmp_path / "a.gpkg")
    assert_same(Shapes.from_arrow(pyogrio.read_arrow(tmp_path / "a.gpkg")[1]), MIXED)
    with pyogrio.open_arrow(tmp_path / "a.gpkg") as (_, stream):
        assert_same(Shapes.from_arrow(stream), MIXED)


def test_arrow_files_are_read(tmp_path: Path) -> None:
    rows = table(MIXED)
    with pa.ipc.new_file(tmp_path / "a.arrow", rows.schema) as file:
        file.write_table(rows)
    assert_same(Shapes.from_arrow(pa.ipc.open_file(tmp_path / "a.arrow").read_all()), MIXED)
    assert carom_here("pairs", "--no-attributes", "a.arrow", cwd=tmp_path).stdout.startswith(
        "a,b\n"
    )


# Unions, boxes and encodings.


@pytest.mark.parametrize(
    "rows", [MIXED, [*MIXED, Polygon(), Point(), MultiPoint()], *ROWS.values()]
)
@pytest.mark.parametrize("coord_type", ["separated", "interleaved"])
def test_a_union_of_geoarrow_rust_is_read(rows: list[Any], coord_type: str) -> None:
    core = library("geoarrow.rust.core")
    to_type = core.geometry(coord_type=coord_type, crs="EPSG:32633")
    made = core.from_wkb(geopandas.GeoSeries(rows, crs=32633).to_arrow(), to_type=to_type)
    assert_same(Shapes.from_arrow(made), rows)
    assert_same(Shapes.from_arrow(made[2]), rows[2:3])
    assert_same(Shapes.from_arrow(core.from_wkb(frame(rows).geometry.to_arrow())), rows)


def test_boxes_are_polygons_and_an_empty_one_is_missing() -> None:
    ga = library("geoarrow.pyarrow")
    rows = ["LINESTRING (0 1, 2 3)", "POINT EMPTY", None, "LINESTRING (5 5, 7 6)"]
    boxes = ga.box(rows)
    expected = [shapely.box(0, 1, 2, 3), None, None, shapely.box(5, 5, 7, 6)]
    for column in (Shapes.from_arrow(boxes), Shapes.from_arrow(boxes.storage, kind="box")):
        assert [None if it is None else it.bounds for it in column.to_shapely()] == [
            None if it is None else it.bounds for it in expected
        ]


def test_dictionaries_are_decoded(tmp_path: Path) -> None:
    frame(MIXED * 3).to_parquet(tmp_path / "a.parquet")
    read = pq.read_table(tmp_path / "a.parquet", read_dictionary=["geometry"])
    assert pa.types.is_dictionary(read["geometry"].type)
    assert_same(Shapes.from_arrow(read), MIXED * 3)
    wkb = [None if row is None else shapely.to_wkb(row) for row in MIXED]
    with_null = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1, None]), pa.array(wkb))
    expected = [MIXED[0], MIXED[1], MIXED[2], MIXED[1], None]
    assert_same(Shapes.from_arrow(with_null), expected, None)
    chunks = pa.chunked_array([pa.array(wkb[:2]), pa.array(wkb[2:])]).dictionary_encode()
    assert_same(Shapes.from_arrow(chunks), MIXED, None)


def refusal(array: Any, rows: list[Any], crs: Any = None, **options: Any) -> str:
    """The message of a refusal, or nothing: the column is that of the rows."""
    try:
        column = Shapes.from_arrow(array, **options)
    except (TypeError, ValueError) as refused:
        return str(refused)
    assert_same(column, rows, crs)
    return ""


def test_run_ends_and_list_views_are_read_or_the_call_that_decodes_them_is_named() -> None:
    wkb = [None if row is None else shapely.to_wkb(row) for row in MIXED]
    said = refusal(pc.run_end_encode(pa.array(wkb)), MIXED)
    assert not said or "run_end_decode" in said
    ends = native(ROWS["path"][::2])["geometry"].combine_chunks()
    ends = getattr(ends, "storage", ends)
    views = pa.ListViewArray.from_arrays(
        ends.offsets[:-1], pc.subtract(ends.offsets[1:], ends.offsets[:-1]), ends.values
    )
    said = refusal(views, ROWS["path"][::2], kind="path")
    assert not said or "cast" in said


# WKB for those who know no other geometry.


@KINDS
@pytest.mark.parametrize("binary", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_a_column_goes_to_duckdb_and_sedonadb_as_wkb(kind: str, binary: pa.DataType) -> None:
    duckdb, sedonadb = library("duckdb"), library("sedonadb")
    column = Shapes.from_arrow(native(ROWS[kind]))
    exported = as_wkb(column, binary)
    wkb = [None if row is None else shapely.to_wkb(row) for row in ROWS[kind]]
    assert [None if it is None else bytes(it) for it in exported["geometry"].to_pylist()] == wkb
    names = [None if row is None else row.geom_type.upper() for row in ROWS[kind]]
    asked = duckdb.sql("SELECT typeof(geometry), ST_AsText(geometry) FROM exported").fetchall()
    assert {it for it, _ in asked} == {"GEOMETRY"}
    assert [text and text.split()[0] for _, text in asked] == names
    session = sedonadb.connect()
    session.create_data_frame(exported).to_view("rows", overwrite=True)
    texts = session.sql("SELECT ST_AsText(geometry) AS t FROM rows").to_arrow_table()["t"]
    assert [text and text.split("(")[0] for text in texts.to_pylist()] == names


class Answer:
    """Exports a column by what it answers to a request, which no library but pyarrow makes."""

    def __init__(self, column: Shapes, binary: pa.DataType) -> None:
        self.column, self.binary = column, binary

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        assert requested_schema is None
        return self.column.__arrow_c_stream__(self.binary.__arrow_c_schema__())


@pytest.mark.parametrize("rows", [MIXED, *ROWS.values()])
def test_a_requested_binary_type_is_named_wkb(rows: list[Any]) -> None:
    column = Shapes.from_arrow(table(rows))
    for binary in (pa.binary(), pa.large_binary(), pa.binary_view()):
        answers = column.__arrow_c_array__(binary.__arrow_c_schema__())
        field = pa.Field._import_from_c_capsule(answers[0])
        assert getattr(field.type, "storage_type", field.type) == binary
        assert_same(Shapes.from_arrow(Answer(column, binary)), rows)
        assert_same(Shapes.from_arrow(as_wkb(column, binary)), rows, None)
    wkb = [None if row is None else shapely.to_wkb(row) for row in rows]
    assert column.to_wkb().tolist() == wkb


# Z, M, missing rows.


@pytest.mark.parametrize("interleaved", [True, False])
@pytest.mark.parametrize("letters", ["Z", "M", "ZM"])
def test_rows_of_z_and_m_are_masked_whatever_the_encoding(letters: str, interleaved: bool) -> None:
    ga = library("geoarrow.pyarrow")
    numbers = " 3" * len(letters)
    made = ga.as_geoarrow([f"LINESTRING {letters} (0 0{numbers}, 1 1{numbers})", None])
    if interleaved:
        made = ga.with_coord_type(made, ga.CoordType.INTERLEAVED)
    for array in (made, ga.as_wkb(made)):
        masked = Shapes.from_arrow(array, on_invalid="mask")
        assert masked.to_wkb().tolist() == [None, None]
        assert [it is None for it in masked.invalid_reason] == [False, True]
        assert letters[0] in masked.invalid_reason[0]
        if letters == "M":
            assert "have Z" not in masked.invalid_reason[0]
        with pytest.raises((TypeError, ValueError), match=letters[0]):
            Shapes.from_arrow(array)
        dropped = Shapes.from_arrow(array, drop_z=True)
        assert_same(dropped, [LineString([(0, 0), (1, 1)]), None], None)


def test_rows_without_z_among_others_are_in_the_plane() -> None:
    mixed = native([Point(1, 2), Point(3, 4, 5)])
    column = Shapes.from_arrow(mixed, on_invalid="mask")
    assert_same(column, [Point(1, 2), None])


def test_a_column_of_nothing_is_read() -> None:
    pl = library("polars")
    for series in (
        pl.Series("g", [None, None], dtype=pl.Binary),
        pl.Series("g", [None, None]),
        pl.Series("g", [shapely.to_wkb(Point(1, 2)), None, None])[1:],
    ):
        assert_same(Shapes.from_arrow(series), [None, None], None)
    assert len(Shapes.from_arrow(pl.Series("g", [], dtype=pl.Binary))) == 0
    for rows in ([None, None], []):
        assert_same(Shapes.from_arrow(table(rows)), rows)


@pytest.mark.parametrize("make", [bytearray, memoryview])
def test_bytes_in_another_form_are_read_or_refused_without_wrong_advice(make: Any) -> None:
    try:
        column = Shapes([make(shapely.to_wkb(Point(1, 2)))])
    except (TypeError, ValueError) as refused:
        said = str(refused)
    else:
        assert_same(column, [Point(1, 2)], None)
        said = ""
    # Shapely's function takes bytes alone.
    assert "from_wkb reads" not in said


@pytest.mark.parametrize("encode", [table, native])
def test_a_point_of_nan_is_empty(encode: Callable[..., pa.Table]) -> None:
    rows = [Point(1, 2), Point(), Point(np.nan, np.nan)]
    for column in (Shapes.from_arrow(encode(rows)), Shapes.from_shapely(rows)):
        assert [it is None for it in column.to_shapely()] == [False, True, True]
    with pytest.raises(ValueError, match="nan"):
        Shapes.from_points([(1, 2), (np.nan, np.nan)])


# Whoever takes columns.


@pytest.fixture
def plain_types() -> Iterator[None]:
    """pyarrow as it is without the types of geoarrow-pyarrow, which some libraries import."""
    arrow_variations.forget_types()
    yield
    if "geoarrow.pyarrow" in sys.modules:
        sys.modules["geoarrow.pyarrow"].register_extension_types()


@pytest.fixture
def parquet_geometry(tmp_path: Path) -> Path:
    """A file of Parquet's own type GEOMETRY, without what GeoParquet writes."""
    duckdb = library("duckdb")
    rows = as_wkb(Shapes.from_arrow(table(PARTS)))
    with duckdb.connect() as connection:
        connection.register("rows", rows)
        path = tmp_path / "geometry.parquet"
        connection.sql(f"COPY rows TO '{path}' (geoparquet_version 'NONE')")
    assert "Geometry" in str(pq.ParquetFile(path).schema.column(0).logical_type)
    assert b"geo" not in (pq.read_schema(path).metadata or {})
    return path


@pytest.mark.parametrize("command", ["check", "pairs"])
def test_the_command_line_reads_parquets_own_geometry(parquet_geometry: Path, command: str) -> None:
    done = carom_here(command, parquet_geometry.name, cwd=parquet_geometry.parent)
    told = {"check": "geometry.parquet: 2 rows, 0 bad\n", "pairs": ""}[command]
    assert (done.returncode, done.stderr) == (0, told)


@KINDS
def test_the_command_line_reads_native_geoparquet(geoparquet: dict[str, Path], kind: str) -> None:
    path = geoparquet[kind]
    done = carom_here("pairs", "--no-attributes", path.name, cwd=path.parent)
    found = carom.colliding_pairs(Shapes.from_shapely(ROWS[kind]))
    expected = "".join(f"{i},{j}\n" for i, j in found.T)
    assert (done.returncode, done.stdout) == (0, f"a,b\n{expected}")


# Dask reads no column of these types.
@pytest.mark.usefixtures("plain_types")
@pytest.mark.parametrize("kind", ["polygon", "multipath"])
def test_dask_joins_native_geoparquet(geoparquet: dict[str, Path], kind: str) -> None:
    dd = library("dask.dataframe")
    pytest.importorskip("dask_geopandas")
    from carom.dask import colliding_pairs

    read = dd.read_parquet(geoparquet[kind])
    found = colliding_pairs(read, geometry="geometry").compute(scheduler="synchronous")
    expected = carom.colliding_pairs(Shapes.from_shapely(ROWS[kind]))
    assert found[["a", "b"]].to_numpy().T.tolist() == expected.tolist()


def test_joins_take_frames_of_polars_and_relations_of_duckdb() -> None:
    pl, duckdb = library("polars"), library("duckdb")
    rows = table(ROWS["polygon"])
    expected = carom.colliding_pairs(Shapes.from_arrow(rows), Shapes.from_arrow(rows)).tolist()
    for taken in (rows, pl.from_arrow(rows), duckdb.sql("FROM rows"), rows.to_batches()[0]):
        assert carom.colliding_pairs(taken, rows).tolist() == expected
    assert carom.colliding_pairs(rows.to_reader(), rows.to_reader()).tolist() == expected
    wkb = pl.DataFrame({"g": [shapely.to_wkb(row) for row in PARTS]})
    with pytest.raises(ValueError, match=r"from_arrow\(.*column"):
        carom.colliding_pairs(wkb, rows)


def test_frames_of_wkb_in_pandas_are_read_by_the_name_of_a_column() -> None:
    of_bytes = pd.DataFrame({"g": [shapely.to_wkb(row) for row in PARTS]})
    assert_same(Shapes.from_arrow(of_bytes, column="g"), PARTS, None)


# What is decided exactly.


def test_a_point_on_a_line_is_found_in_both_directions() -> None:
    line, point = LineString([(0, 0), (0.4, 3.6)]), Point(0.1, 0.9)
    assert carom.intersects(line, point)
    assert carom.intersects(line.reverse(), point)


# Variations of everything.


@pytest.mark.usefixtures("plain_types")
@pytest.mark.parametrize("way", arrow_variations.WAYS)
def test_variations_go_through_a_library_and_back(way: str) -> None:
    for needed in arrow_variations.WAYS[way].needs:
        library(needed)
    failures = [it.failure for it in arrow_variations.run(12, 0, [way]) if it.failure]
    assert not failures, failures[0]


def known() -> Iterator[Any]:
    """What each library is expected to lose, for one encoding and one CRS."""
    for it in arrow_variations.KNOWN:
        if it.loses != "untried":
            for encoding in it.encodings:
                name = f"{it.way} {it.loses} {encoding}"
                yield pytest.param(it.way, it.loses, encoding, it.crs[-1], id=name)


@pytest.mark.usefixtures("plain_types")
@pytest.mark.parametrize(("way", "loses", "encoding", "crs"), list(known()))
def test_what_a_library_is_said_to_lose_it_loses(
    way: str, loses: str, encoding: str, crs: str
) -> None:
    for needed in arrow_variations.WAYS[way].needs:
        library(needed)
    said: list[str] = []
    for seed in range(200):
        if len(said) == 2:
            break
        random = Random(seed)
        one = arrow_variations.case(random, encoding, crs)
        try:
            exported = arrow_variations.WAYS[way].through(one.table, random)
            if loses == "kind":
                Shapes.from_arrow(exported, column="geometry")
            elif loses == "crs":
                losses = arrow_variations.lost(way, encoding, crs)
                said.append(str(arrow_variations.read(exported, one, losses).crs))
            else:
                Shapes.from_arrow(exported)
        except Exception as refused:
            said.append(type(refused).__name__)
    assert said
    assert loses != "crs" or set(said) == {"None"}


# Whether pyarrow knows the extension types.


def test_registered_extension_types_change_nothing() -> None:
    library("geoarrow.pyarrow")
    code = """
        import carom, pyarrow as pa, geopandas, shapely
        rows = [shapely.MultiLineString([[(0, 0), (4, 0), (0, 4)]]), None]
        before = geopandas.GeoSeries(rows, crs=32633).to_arrow(geometry_encoding="geoarrow")
        before = pa.table(geopandas.GeoDataFrame(geometry=rows, crs=32633).to_arrow())
        import geoarrow.pyarrow
        native = {"geometry_encoding": "geoarrow"}
        after = pa.table(geopandas.GeoDataFrame(geometry=rows, crs=32633).to_arrow(**native))
        columns = [carom.Shapes.from_arrow(it) for it in (before, after, after["geometry"])]
        assert columns[0] == columns[1] == columns[2]
        assert all(it.crs["id"]["code"] == 32633 for it in columns)
        asked = pa.chunked_array(columns[1], type=pa.binary())
        assert asked.to_pylist() == columns[1].to_wkb().tolist()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr

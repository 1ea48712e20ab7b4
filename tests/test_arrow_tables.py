"""Arrow data as libraries give them: tables, unnamed lists, dictionaries, runs, unions, boxes."""

from __future__ import annotations

import json
from typing import Any

import carom
import geopandas
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely

SQUARE = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)]
BEND = [[(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)]]

SHAPES: dict[str, list[Any]] = {
    "point": [shapely.Point(0, 0), None, shapely.Point(0.1, 0.3)],
    "multipoint": [shapely.MultiPoint([(0, 0), (3, 4)]), None, shapely.MultiPoint([(0.1, 0.2)])],
    "path": [shapely.LineString([(0, 0), (0.1, 4)]), None, shapely.LineString([(0, 0), (1, 1)])],
    "multipath": [
        shapely.MultiLineString(BEND),
        None,
        shapely.MultiLineString([*BEND, [(9, 9), (8, 8)]]),
    ],
    "polygon": [shapely.box(0, 0, 4, 4), None, shapely.box(0, 0, 9, 9) - shapely.box(1, 1, 2, 2)],
    "multipolygon": [
        shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(5, 5, 7, 7)]),
        None,
        shapely.MultiPolygon([shapely.box(0, 0, 1, 1)]),
    ],
}


def series(kind: str, crs: Any = None) -> geopandas.GeoSeries:
    return geopandas.GeoSeries(SHAPES[kind], crs=crs)


def native(kind: str, **how: Any) -> pa.Array:
    return pa.array(series(kind).to_arrow(geometry_encoding="geoarrow", **how))


def renamed(of: pa.DataType, *names: str) -> pa.DataType:
    """The lists of a type with other names, the outermost first."""
    if not names:
        return of
    return pa.list_(pa.field(names[0], renamed(of.value_type, *names[1:])))


def with_names(kind: str, *names: str) -> pa.Array:
    array = native(kind)
    return array.cast(renamed(array.type, *names))


def named(array: pa.Array, name: str, metadata: str = "{}") -> pa.Table:
    about = {"ARROW:extension:name": name, "ARROW:extension:metadata": metadata}
    field = pa.field("shapes", array.type, metadata=about)
    return pa.Table.from_arrays([array], schema=pa.schema([field]))


@pytest.mark.parametrize("kind", carom.KINDS)
@pytest.mark.parametrize("interleaved", [True, False])
def test_native_tables_are_read_by_the_name_of_the_type(kind: str, interleaved: bool):
    frame = geopandas.GeoDataFrame({"a": [1, 2, 3]}, geometry=SHAPES[kind], crs=32633)
    table = pa.table(frame.to_arrow(geometry_encoding="geoarrow", interleaved=interleaved))
    expected = carom.Shapes.from_shapely(SHAPES[kind])
    for source in (table, table.to_batches()[0], table.to_reader(), table.slice(0)):
        read = carom.Shapes.from_arrow(source)
        assert read == expected
        assert read.crs["id"] == {"authority": "EPSG", "code": 32633}
    assert carom.Shapes.from_arrow(table.slice(1)) == expected[1:]
    assert carom.Shapes.from_arrow(table, column="geometry", kind=kind) == expected


@pytest.mark.parametrize("kind", ["path", "multipoint", "polygon", "multipath"])
def test_lists_without_names_are_never_guessed(kind: str):
    depth = 1 if kind in ("path", "multipoint") else 2
    unnamed = with_names(kind, *["element"] * depth)
    both = {1: ("path", "multipoint"), 2: ("polygon", "multipath")}[depth]
    with pytest.raises(ValueError, match=f"kind='{both[0]}' or kind='{both[1]}'"):
        carom.Shapes.from_arrow(unnamed)
    with pytest.raises(ValueError, match="may be"):
        carom.colliding_pairs(unnamed, unnamed)
    assert carom.Shapes.from_arrow(unnamed, kind=kind) == carom.Shapes.from_shapely(SHAPES[kind])


def test_several_paths_from_parquet_are_no_polygon(tmp_path: Any):
    path = tmp_path / "paths.parquet"
    frame = geopandas.GeoDataFrame(geometry=[shapely.MultiLineString(BEND)])
    frame.to_parquet(path, geometry_encoding="geoarrow", schema_version="1.1.0")
    table = pq.read_table(path)
    with pytest.raises(ValueError, match=r"polygons or several paths a row: kind='polygon' or"):
        carom.Shapes.from_arrow(table["geometry"])
    for read in (
        carom.Shapes.from_arrow(table["geometry"], kind="multipath"),
        carom.Shapes.from_arrow(table),
        carom.Shapes.from_arrow(table.replace_schema_metadata(None)),
    ):
        assert carom.KINDS[read.kind[0]] == "multipath"
        assert not carom.intersects(read[0], shapely.Point(1, 1))


def test_the_encoding_of_geoparquet_tells_the_kind(tmp_path: Any):
    path = tmp_path / "paths.parquet"
    frame = geopandas.GeoDataFrame(geometry=SHAPES["multipath"])
    frame.to_parquet(path, geometry_encoding="geoarrow", schema_version="1.1.0")
    table = pq.read_table(path)
    plain = pa.Table.from_arrays(
        [table["geometry"]],
        schema=pa.schema([pa.field("geometry", table["geometry"].type)], table.schema.metadata),
    )
    assert carom.Shapes.from_arrow(plain) == carom.Shapes.from_shapely(SHAPES["multipath"])
    with pytest.raises(ValueError, match="kind is 'polygon', but the type is that of a multipath"):
        carom.Shapes.from_arrow(plain, kind="polygon")


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("polygon", ("rings", "item")),
        ("polygon", ("item", "rings")),
        ("polygon", ("vertices", "rings")),
        ("multipath", ("item", "linestrings")),
        ("multipath", ("linestrings", "vertices")),
        ("path", ("vertices",)),
        ("multipoint", ("points",)),
        ("multipolygon", ("item", "item", "item")),
    ],
)
def test_a_list_may_be_named_at_any_level(kind: str, names: tuple[str, ...]):
    read = carom.Shapes.from_arrow(with_names(kind, *names))
    assert read == carom.Shapes.from_shapely(SHAPES[kind])


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (with_names("polygon", "rings", "vertices"), "multipath"),
        (with_names("multipath", "linestrings", "vertices"), "polygon"),
        (with_names("path", "vertices"), "multipoint"),
        (named(native("polygon"), "geoarrow.polygon"), "multipath"),
        (named(native("path"), "geoarrow.linestring"), "box"),
        (native("point"), "path"),
        (pa.array(series("point").to_arrow()), "polygon"),
        (pa.array(series("point").to_arrow()), "box"),
        (native("point"), "box"),
    ],
)
def test_a_kind_that_contradicts_the_data_raises(array: Any, kind: str):
    with pytest.raises(ValueError, match=f"obj.*{kind}"):
        carom.Shapes.from_arrow(array, kind=kind)


def test_an_unknown_kind_names_those_there_are():
    with pytest.raises(ValueError, match=r"kind: expected one of point, .*, box, got 'line'"):
        carom.Shapes.from_arrow(native("path"), kind="line")


def test_a_table_of_several_or_no_columns_of_shapes_names_them():
    points, paths = (
        named(native(kind), name)
        for kind, name in (("point", "geoarrow.point"), ("path", "geoarrow.linestring"))
    )
    fields = [points.schema.field(0).with_name("stop"), paths.schema.field(0).with_name("road")]
    both = pa.Table.from_arrays([points[0], paths[0]], schema=pa.schema(fields))
    with pytest.raises(ValueError, match=r"the columns stop, road have shapes; .*column=") as told:
        carom.Shapes.from_arrow(both)
    assert str(told.value).startswith("obj: ")
    assert carom.Shapes.from_arrow(both, column="road") == carom.Shapes.from_shapely(SHAPES["path"])
    with pytest.raises(ValueError, match="no column is called 'r'; the columns are stop, road"):
        carom.Shapes.from_arrow(both, column="r")
    plain = pa.table({"wkb": pa.array(shapely.to_wkb(np.array(SHAPES["point"]))), "n": [1, 2, 3]})
    with pytest.raises(ValueError, match=r"no column has the extension name .* are wkb, n"):
        carom.Shapes.from_arrow(plain)
    with pytest.raises(ValueError, match=r"a: no column .*Shapes\.from_arrow\(frame, column="):
        carom.intersects_batch(plain, (0, 0))
    read = carom.Shapes.from_arrow(plain, column="wkb")
    assert read == carom.Shapes.from_shapely(SHAPES["point"])
    with pytest.raises(ValueError, match="column is given, but the data are not a table"):
        carom.Shapes.from_arrow(native("path"), column="geometry")


def test_primary_column_of_geoparquet_is_taken(tmp_path: Any):
    frame = geopandas.GeoDataFrame(
        {"other": geopandas.GeoSeries(SHAPES["path"])}, geometry=SHAPES["point"], crs=3857
    )
    frame.to_parquet(tmp_path / "two.parquet")
    table = pq.read_table(tmp_path / "two.parquet")
    read = carom.Shapes.from_arrow(table)
    assert read == carom.Shapes.from_shapely(SHAPES["point"])
    assert read.crs["id"]["code"] == 3857
    assert carom.Shapes.from_arrow(table, column="other").crs is None


def every_encoding() -> dict[str, Any]:
    wkb = pa.array(series("polygon").to_arrow())
    lists = with_names("polygon", "rings", "vertices")
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3], pa.int32()), wkb)
    pair = pa.StructArray.from_arrays(
        [wkb, pa.array(["EPSG:32633", "", "EPSG:32633"])], ["item", "crs"]
    )
    srid = pa.StructArray.from_arrays([pa.array([32633, 4326, 32633]), wkb], ["srid", "wkb"])
    return {
        "dictionary": wkb.dictionary_encode(),
        "dictionary of lists": pa.DictionaryArray.from_arrays(
            pa.array([0, None, 2], pa.int8()), lists
        ),
        "dictionary in chunks": pa.chunked_array(
            [wkb[:1].dictionary_encode(), wkb[1:].dictionary_encode()]
        ),
        "runs": runs,
        "slice of runs": pa.concat_arrays([runs, runs])[3:],
        "views": wkb.cast(pa.binary_view()),
        "large": wkb.cast(pa.large_binary()),
        "large lists": lists.cast(
            pa.large_list(pa.field("rings", pa.large_list(lists.type.value_type.value_field)))
        ),
        "WKB and system": pair,
        "system of a dictionary": pa.StructArray.from_arrays(
            [wkb, pair.field(1).dictionary_encode()], ["wkb", "crs"]
        ),
        "SRID and WKB": srid,
        "null structs": pa.StructArray.from_arrays(
            [pa.array(["EPSG:1"] * 3), pa.array([wkb[0].as_py(), b"", wkb[2].as_py()])],
            ["crs", "wkb_geometry"],
            mask=pa.array([False, True, False]),
        ),
    }


@pytest.mark.parametrize("name", every_encoding())
def test_encodings_are_decoded(name: str):
    array, expected = every_encoding()[name], carom.Shapes.from_shapely(SHAPES["polygon"])
    assert carom.Shapes.from_arrow(array) == expected
    table = pa.table({"n": pa.array(range(3)), "shapes": array, "text": ["p", "q", "r"]})
    assert carom.Shapes.from_arrow(table, column="shapes") == expected
    assert carom.Shapes.from_arrow(table.slice(2), column="shapes") == expected[2:]


def test_a_system_of_rows_is_that_of_the_column():
    cases = every_encoding()
    assert carom.Shapes.from_arrow(cases["WKB and system"]).crs == "EPSG:32633"
    assert carom.Shapes.from_arrow(cases["SRID and WKB"]).crs == "EPSG:32633"
    wkb = pa.array(shapely.to_wkb([shapely.Point(0, 0), shapely.Point(1, 1)]))
    two = pa.StructArray.from_arrays([wkb, pa.array(["EPSG:1", "EPSG:2"])], ["wkb", "crs"])
    with pytest.raises(
        ValueError, match=r"obj\[1\] has the CRS EPSG:2 and obj\[0\] the CRS EPSG:1"
    ):
        carom.Shapes.from_arrow(two)


def test_a_key_beyond_the_dictionary_raises():
    wkb = pa.array(shapely.to_wkb([shapely.Point(0, 0)]))
    for keys, of in (([0, 1], pa.int32()), ([0, -1], pa.int8()), ([255], pa.uint8())):
        beyond = pa.DictionaryArray.from_arrays(pa.array(keys, of), wkb, safe=False)
        with pytest.raises(ValueError, match=r"obj: .*row \d is item -?\d+ of 1$"):
            carom.Shapes.from_arrow(beyond)


def union(rows: list[tuple[int, int]], *children: tuple[int, pa.Array]) -> pa.Array:
    """A dense union: for each row the number of a child's type, and a place in the child."""
    ids, places = (
        pa.array(it, of)
        for it, of in zip(zip(*rows, strict=True), (pa.int8(), pa.int32()), strict=True)
    )
    names = [str(number) for number, _ in children]
    return pa.UnionArray.from_dense(
        ids, places, [child for _, child in children], names, [number for number, _ in children]
    )


def test_unions_have_rows_of_any_kind():
    numbers = dict(
        zip(
            ("point", "path", "polygon", "multipoint", "multipath", "multipolygon"),
            range(1, 7),
            strict=True,
        )
    )
    children = [(number, native(kind)) for kind, number in numbers.items()]
    order = [(number, place) for place in (2, 0, 1) for number in (6, 1, 3, 2, 5, 4)]
    kinds = {number: kind for kind, number in numbers.items()}
    expected = carom.Shapes.from_shapely([SHAPES[kinds[number]][place] for number, place in order])
    array = union(order, *children)
    assert carom.Shapes.from_arrow(array) == expected
    assert carom.Shapes.from_arrow(named(array, "geoarrow.geometry")) == expected
    assert carom.Shapes.from_arrow(pa.chunked_array([array, array[3:]])) == carom.Shapes.concat(
        [expected, expected[3:]]
    )
    points = union([(1, 0), (1, 2)], *children)
    assert carom.Shapes.from_arrow(points, kind="point") == carom.Shapes.from_points(
        [(0, 0), (0.1, 0.3)]
    )
    with pytest.raises(ValueError, match=r"obj\[1\]: kind is 'point', but the row is a polygon"):
        carom.Shapes.from_arrow(union([(1, 0), (3, 0)], *children), kind="point")


def test_rows_of_unions_are_named_by_their_own_number():
    bad = pa.array(
        [None, [[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]]],
        native("polygon").type,
    )
    array = union([(1, 0), (1, 2), (3, 1)], (1, native("point")), (3, bad))
    with pytest.raises(ValueError, match=r"obj\[2\]: the ring meets itself"):
        carom.Shapes.from_arrow(array)
    raised = pa.array([[[0.0, 1.0, 2.0]]], pa.list_(pa.list_(pa.float64(), 3)))
    array = union([(1, 0), (12, 0)], (1, native("point")), (12, raised))
    with pytest.raises(ValueError, match=r"obj\[1\]: the coordinates have Z; "):
        carom.Shapes.from_arrow(array)
    masked = carom.Shapes.from_arrow(array, on_invalid="mask")
    assert masked.is_valid.tolist() == [True, False]


def test_collections_of_unions_are_refused_unless_they_are_null():
    inner = union([(1, 0)], (1, native("point")))
    none = pa.array([0, 0], pa.int32())
    collections = pa.ListArray.from_arrays(none, inner, mask=pa.array([True]))
    array = union([(1, 0), (7, 0)], (1, native("point")), (7, collections))
    assert carom.Shapes.from_arrow(array).kind.tolist() == [0, -1]
    collections = pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), inner)
    array = union([(1, 0), (7, 0)], (1, native("point")), (7, collections))
    with pytest.raises(TypeError, match=r"obj\[1\]: .* got a GeometryCollection; take"):
        carom.Shapes.from_arrow(array)


def boxes(*rows: tuple[float, float, float, float] | None) -> pa.Array:
    sides = ["xmin", "ymin", "xmax", "ymax"]
    values = [None if row is None else dict(zip(sides, row, strict=True)) for row in rows]
    return pa.array(values, pa.struct([(side, pa.float64()) for side in sides]))


def test_boxes_are_polygons_and_empty_ones_are_missing():
    inf, nan = float("inf"), float("nan")
    array = boxes(
        (0, 0, 4, 4),
        None,
        (inf, inf, -inf, -inf),
        (1, 0, 0, 1),
        (nan, nan, nan, nan),
        (0.1, 0.2, 0.3, 0.4),
    )
    for given in (array, named(array, "geoarrow.box")):
        read = carom.Shapes.from_arrow(given)
        assert read.kind.tolist() == [4, -1, -1, -1, -1, 4]
        assert read.bounds[[0, 5]].tolist() == [[0, 0, 4, 4], [0.1, 0.2, 0.3, 0.4]]
        assert carom.Shapes.from_arrow(given, kind="box") == read
    with pytest.raises(ValueError, match=r"obj\[1\]"):
        carom.Shapes.from_arrow(boxes((0, 0, 1, 1), (2, 2, 2, 3)))
    with pytest.raises(ValueError, match="kind is 'polygon', but"):
        carom.Shapes.from_arrow(array, kind="polygon")


@pytest.mark.parametrize("letters", ["xyz", "xym", "xyzm"])
@pytest.mark.parametrize("separated", [True, False])
def test_z_and_m_are_told_apart_and_nan_is_none(letters: str, separated: bool):
    rows = np.array(
        [[0, 0, *[np.nan] * (len(letters) - 2)], [1, 1, *range(2, len(letters))]], float
    )
    if separated:
        of = pa.struct([(letter, pa.float64()) for letter in letters])
        array = pa.array([dict(zip(letters, row, strict=True)) for row in rows.tolist()], of)
    else:
        of = pa.list_(pa.field(letters, pa.float64()), len(letters))
        array = pa.array(rows.tolist(), of)
    names = " and ".join(letters[2:].upper())
    with pytest.raises(ValueError, match=rf"obj\[1\]: the coordinates have {names}; "):
        carom.Shapes.from_arrow(array)
    masked = carom.Shapes.from_arrow(array, on_invalid="mask")
    assert masked.kind.tolist() == [0, -1]
    assert masked.invalid_reason[1].startswith(f"the coordinates have {names}; ")
    assert carom.Shapes.from_arrow(array, drop_z=True) == carom.Shapes.from_points([(0, 0), (1, 1)])
    assert carom.Shapes.from_arrow(array[:1]) == carom.Shapes.from_points([(0, 0)])


def test_m_of_wkb_is_called_m():
    values = [bytes.fromhex("01d1070000" + "0000000000000000" * 3), None]
    with pytest.raises(ValueError, match=r"obj\[0\]: the coordinates have M; "):
        carom.Shapes.from_arrow(pa.array(values))


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (8, "CIRCULARSTRING"),
        (9, "COMPOUNDCURVE"),
        (10, "CURVEPOLYGON"),
        (12, "MULTISURFACE"),
        (16, "TIN"),
    ],
)
def test_curves_are_named_and_not_said_to_be_invalid(number: int, name: str):
    empty = pa.array([b"\1\1\0\0\0" + bytes(16), b"\1" + number.to_bytes(4, "little") + bytes(4)])
    with pytest.raises(
        ValueError, match=rf"obj\[1\]: expected points, lines or polygons, got a {name}"
    ) as told:
        carom.Shapes.from_arrow(empty)
    assert "not valid" not in str(told.value)


@pytest.mark.parametrize("edges", ["spherical", "vincenty", "karney"])
def test_edges_that_are_not_straight_raise(edges: str):
    wkb = pa.array(shapely.to_wkb([shapely.box(0, 50, 60, 60)]))
    metadata = json.dumps({"crs": "OGC:CRS84", "edges": edges})
    with pytest.raises(ValueError, match=f"obj: the edges are {edges}, .* project"):
        carom.Shapes.from_arrow(named(wkb, "geoarrow.wkb", metadata))
    geo = {
        "version": "1.1.0",
        "primary_column": "g",
        "columns": {"g": {"encoding": "WKB", "edges": edges}},
    }
    table = pa.table({"g": wkb}).replace_schema_metadata({"geo": json.dumps(geo)})
    with pytest.raises(ValueError, match=f"a: the edges are {edges}"):
        carom.colliding_pairs(table, [SQUARE])
    planar = named(wkb, "geoarrow.wkb", json.dumps({"edges": "planar"}))
    assert len(carom.Shapes.from_arrow(planar)) == 1


@pytest.mark.parametrize("metadata", ["[]", "{", '"EPSG:4326"', "[" * 100_000])
def test_metadata_that_are_no_object_raise(metadata: str):
    with pytest.raises(ValueError, match="obj: expected a JSON object as metadata"):
        carom.Shapes.from_arrow(named(native("point"), "geoarrow.point", metadata))


@pytest.mark.parametrize("crs", [[1], True, "", {}, "{"])
def test_metadata_without_a_system_in_crs_raise(crs: Any):
    wkb = [shapely.to_wkb(shapely.Point(0, 0))]
    column = named(pa.array(wkb), "geoarrow.wkb", json.dumps({"crs": crs}))
    with pytest.raises(ValueError, match="obj: crs: expected "):
        carom.Shapes.from_arrow(column)
    geo = {"columns": {"g": {"encoding": "WKB", "crs": crs}}}
    table = pa.table({"g": wkb}).replace_schema_metadata({"geo": json.dumps(geo)})
    with pytest.raises(ValueError, match="obj: crs: expected "):
        carom.Shapes.from_arrow(table, column="g")


def test_an_encoding_that_is_no_text_raises():
    table = pa.table({"g": [shapely.to_wkb(shapely.Point(0, 0))]})
    geo = json.dumps({"columns": {"g": {"encoding": 3}}})
    with pytest.raises(ValueError, match="obj: expected text as GeoParquet's encoding of g"):
        carom.Shapes.from_arrow(table.replace_schema_metadata({"geo": geo}), column="g")


@pytest.mark.parametrize("letters", ["Z", "M", "ZM"])
@pytest.mark.parametrize(
    "text",
    ["POINT {} (1 2{})", "MULTIPOINT {0} (1 2{1}, 3 4{1})", "LINESTRING {0} (0 0{1}, 1 1{1})"],
)
def test_nan_is_no_z_and_no_m_of_geometries_and_wkb(text: str, letters: str):
    flat = carom.Shapes.from_shapely([shapely.from_wkt(text.format("", ""))])
    without = shapely.from_wkt(text.format(letters, " NaN" * len(letters)))
    nowhere = shapely.from_wkt(f"POINT {letters} (NaN NaN{' NaN' * len(letters)})")
    for rows in ([without], [without, nowhere]):
        for on_invalid in ("raise", "mask"):
            wkb = pa.array([shapely.to_wkb(row, flavor="iso") for row in rows])
            for read in (
                carom.Shapes.from_shapely(rows, on_invalid=on_invalid),
                carom.Shapes.from_arrow(wkb, on_invalid=on_invalid),
            ):
                assert read[:1] == flat
                assert read.kind.tolist()[1:] == [-1] * (len(rows) - 1)
                assert read.invalid_reason.tolist() == [None] * len(rows)
    assert carom.intersects(without, flat[0])
    given = shapely.from_wkt(text.format(letters, " NaN" * (len(letters) - 1) + " 5"))
    with pytest.raises(ValueError, match=rf"obj\[1\]: the coordinates have {letters[-1]}; "):
        carom.Shapes.from_arrow(
            pa.array([shapely.to_wkb(it, flavor="iso") for it in (without, given)])
        )


def test_a_name_that_does_not_fit_the_type_raises():
    with pytest.raises(TypeError, match=r"obj: expected the type of geoarrow\.box"):
        carom.Shapes.from_arrow(named(native("point"), "geoarrow.box"))
    with pytest.raises(ValueError, match="obj: expected coordinates in 1 lists for a path"):
        carom.Shapes.from_arrow(named(native("polygon"), "geoarrow.linestring"))
    with pytest.raises(TypeError, match="obj: expected the type of WKB, got"):
        carom.Shapes.from_arrow(named(native("point"), "geoarrow.wkb"))


def test_points_without_coordinates_are_missing_except_in_from_points():
    nan = float("nan")
    given = [shapely.Point(nan, nan), shapely.Point(), shapely.Point(1, 2)]
    wkb = pa.array([shapely.to_wkb(it) for it in given])
    pairs = pa.array([[nan, nan], [nan, nan], [1.0, 2.0]], pa.list_(pa.float64(), 2))
    for read in (
        carom.Shapes.from_shapely(given),
        carom.Shapes.from_arrow(wkb),
        carom.Shapes.from_arrow(pairs),
    ):
        assert read.kind.tolist() == [-1, -1, 0]
    with pytest.raises(ValueError, match=r"xy\[0\]"):
        carom.Shapes.from_points([(nan, nan)])


def test_columns_of_nulls_alone_are_read():
    for array in (
        pa.nulls(3),
        pa.nulls(3, pa.binary()),
        pa.nulls(3, pa.binary_view()),
        pa.nulls(3, native("polygon").type),
    ):
        kind = "polygon" if pa.types.is_list(array.type) else None
        assert carom.Shapes.from_arrow(array, kind=kind).kind.tolist() == [-1] * 3


def test_concat_joins_columns_without_another_validation():
    points = carom.Shapes.from_points([(0, 0), (1, 0)], radius=[1, 2])
    bow = [(0, 0), (1, 1), (1, 0), (0, 1)]
    masked = carom.Shapes([SQUARE, bow, None], on_invalid="mask")
    whole = carom.Shapes.concat([points, masked, points[1:]])
    assert whole.radius.tolist() == [1, 2, 0, 0, 0, 2]
    assert whole.kind.tolist() == [0, 0, 4, -1, -1, 0]
    assert whole.invalid_reason[3] == masked.invalid_reason[1]
    assert len(carom.Shapes.concat([])) == 0
    unchecked = carom.Shapes([bow], check=False)
    with pytest.raises(ValueError, match=r"shapes\[1\]: the ring meets itself"):
        carom.Shapes(carom.Shapes.concat([carom.Shapes([SQUARE]), unchecked]))
    with pytest.raises(TypeError, match=r"columns\[1\]: expected a column of Shapes, got list"):
        carom.Shapes.concat([points, [SQUARE]])


@pytest.mark.parametrize("of", [pa.int32(), pa.int64()])
def test_list_views_may_lie_anywhere(of: pa.DataType):
    make = pa.ListViewArray if of == pa.int32() else pa.LargeListViewArray
    paths = native("path").take(pa.array([0, 2]))
    starts, sizes, mask = [1, 0, 7, 0], [1, 2, 1, 0], [False, False, True, False]
    inner = make.from_arrays(
        pa.array([2, 0], of), pa.array([2, 2], of), paths.flatten(), type=view(make, paths.type)
    )
    for values in (paths, inner):
        views = make.from_arrays(
            pa.array(starts, of), pa.array(sizes, of), values, mask=pa.array(mask)
        )
        read = carom.Shapes.from_arrow(views, kind="multipath")
        chains = [SHAPES["path"][row] for row in (0, 2)][:: 1 if values is paths else -1]
        rows = [shapely.MultiLineString([chains[1]]), shapely.MultiLineString(chains), None, None]
        assert read == carom.Shapes.from_shapely(rows)
        assert carom.Shapes.from_arrow(views[1:], kind="multipath") == read[1:]


def view(make: Any, of: pa.DataType) -> pa.DataType:
    name = {pa.ListViewArray: pa.list_view, pa.LargeListViewArray: pa.large_list_view}[make]
    return name(of.value_field)


def test_a_reader_that_is_both_operands_is_read_once():
    frame = geopandas.GeoDataFrame(geometry=SHAPES["polygon"])
    table = pa.table(frame.to_arrow())
    both = carom.Shapes.from_shapely(SHAPES["polygon"])
    for ask in (
        carom.colliding_pairs,
        carom.intersects_batch,
        lambda a, b: carom.nearest(a, b).pairs,
        lambda a, b: carom.predicate_batch(a, b, "equals"),
    ):
        reader = table.to_reader()
        assert ask(reader, reader).tolist() == ask(both, both).tolist()


def test_tables_of_geopandas_are_taken_as_they_are():
    frame = geopandas.GeoDataFrame(geometry=SHAPES["polygon"], crs=32633)
    expected = carom.Shapes.from_shapely(SHAPES["polygon"])
    assert carom.Shapes(frame.to_arrow()) == expected
    pairs = carom.colliding_pairs(frame.to_arrow(), frame)
    assert pairs.tolist() == carom.colliding_pairs(expected, expected).tolist()


def test_objects_that_give_arrow_data_are_told_by_which_method():
    class Lazy:
        def collect(self) -> None: ...

    with pytest.raises(TypeError, match=r"got .*Lazy; its method collect\(\) gives one"):
        carom.Shapes.from_arrow(Lazy())

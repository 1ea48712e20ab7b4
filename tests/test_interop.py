"""Conversion from and to other libraries: the same bits, or an error with advice."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import carom
import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely
from carom import Shapes
from carom.interop import geopandas as by_index
from numpydoc.docscrape import ClassDoc, FunctionDoc

from helpers import seconds_until_interrupted

BOX = shapely.box(0, 0, 1, 1)
FRAME = shapely.Polygon(
    [(0, 0), (9, 0), (9, 9), (0, 9)],
    [[(1, 1), (1, 8), (8, 8), (8, 1)], [(8.5, 8.5), (8.6, 8.5), (8.5, 8.6)]],
)
SLANTED = shapely.Polygon([(0.1, -0.0), (5e-324, 0.3), (1e300, 7)])
RAISED = shapely.Polygon([(0, 0, 1), (1, 0, 1), (0, 1, 1)])
BOW_TIE = shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)])
ISLES = shapely.MultiPolygon([BOX, shapely.box(2, 0, 3, 1)])
RINGED = shapely.MultiPolygon([FRAME, shapely.box(20, 20, 21, 21)])
COLLECTION = shapely.GeometryCollection([BOX])
EMPTY_PART = shapely.from_wkt("MULTIPOINT ((0 0), EMPTY)")
PATHS = [
    shapely.LineString([(0, 0), (1, 1), (2, 0)]),
    shapely.MultiLineString([[(0, 0), (1, 1)], [(3, 3), (4, 4), (5, 4)]]),
    shapely.MultiPoint([(0, 0), (1, 1)]),
]
ROWS = [BOX, None, FRAME, SLANTED, None, BOX]
SERIES = geopandas.GeoSeries(ROWS, crs=4326)
COLUMN = Shapes.from_shapely(ROWS)
XY = pa.list_(pa.float64(), 2)
RINGS = pa.list_(pa.field("rings", pa.list_(XY)))
AREAS = pa.list_(RINGS)
TRIANGLE = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
DATA = Path(carom.__file__).parent / "data" / "natural_earth.npz"


def same(one, other):
    """Whether they hold the same geometries, to the bit."""
    return shapely.to_wkb(one).tolist() == shapely.to_wkb(other).tolist()


@pytest.fixture(scope="module")
def countries():
    with np.load(DATA) as file:
        coords, ring_offsets, polygon_offsets = (
            file[key] for key in ("coords", "ring_offsets", "polygon_offsets")
        )
    kind = shapely.GeometryType.POLYGON
    return shapely.from_ragged_array(kind, coords, (ring_offsets, polygon_offsets))


# Shapely


@pytest.mark.parametrize(
    "geoms",
    [
        ROWS,
        tuple(ROWS),
        np.array(ROWS),
        iter(ROWS),
        SERIES,
        SERIES.values,
        pd.Series(ROWS),
        geopandas.GeoDataFrame({"n": range(6)}, geometry=SERIES),
        geopandas.GeoDataFrame({"area": SERIES}, geometry="area"),
        [BOX, shapely.Polygon(), FRAME, SLANTED, None, BOX],
    ],
    ids=lambda geoms: type(geoms).__name__,
)
def test_whatever_holds_shapely_polygons_is_a_column(geoms):
    made = Shapes.from_shapely(geoms)
    assert made == COLUMN
    assert [row is None for row in made] == [row is None for row in ROWS]
    if not hasattr(geoms, "__next__"):
        assert Shapes(geoms) == COLUMN


def test_shapes_come_back_from_a_column_to_the_bit():
    back = COLUMN.to_shapely()
    assert back.dtype == object
    assert same(back, np.array(ROWS))
    assert same(COLUMN[::-2].to_shapely(), np.array(ROWS[::-2]))
    assert Shapes([]).to_shapely().shape == (0,)
    assert Shapes([None]).to_shapely().tolist() == [None]


def test_columns_of_no_polygon_have_the_length_of_what_they_are_made_of():
    for geoms in ([], [None, None], [shapely.Polygon()], geopandas.GeoSeries([])):
        assert len(Shapes.from_shapely(geoms)) == len(Shapes(geoms)) == len(geoms)


def test_closing_vertices_are_not_copied_away():
    assert not Shapes.from_shapely([BOX, FRAME]).coords.flags.owndata


@pytest.mark.parametrize("rows", [1, 2, 3, 7])
def test_rows_that_shapely_gets_in_pieces_are_those_of_the_whole(rows, monkeypatch, countries):
    monkeypatch.setattr("carom.interop.shapely._ROWS", rows)
    assert Shapes.from_shapely(ROWS) == COLUMN
    assert same(COLUMN.to_shapely(), np.array(ROWS))
    assert same(COLUMN[::-2].to_shapely(), np.array(ROWS[::-2]))
    assert same(Shapes.from_shapely(countries).to_shapely(), countries)
    assert Shapes.from_shapely([None] * 9).to_shapely().tolist() == [None] * 9
    assert len(Shapes.from_shapely([])) == len(Shapes([]).to_shapely()) == 0
    raised = [BOX] * 4 + [RAISED, BOX]
    assert same(Shapes.from_shapely(raised, drop_z=True).to_shapely(), shapely.force_2d(raised))
    with pytest.raises(ValueError, match=r"geoms\[4\]: the coordinates have Z; "):
        Shapes.from_shapely(raised)
    mixed = [BOX, None, RINGED, shapely.Point(1, 2), FRAME, *PATHS]
    assert same(Shapes.from_shapely(mixed).to_shapely(), mixed)
    assert same(Shapes.from_shapely(mixed)[::-2].to_shapely(), mixed[::-2])
    with pytest.raises(TypeError, match=r"geoms\[5\]: expected .*, got a GeometryCollection; take"):
        Shapes.from_shapely([BOX, None, *ROWS[:3], COLLECTION])
    masked = Shapes.from_shapely([BOX, COLLECTION, BOX, BOX, 3, BOW_TIE], on_invalid="mask")
    assert masked.is_valid.tolist() == [True, False, True, True, False, False]
    with pytest.raises(TypeError, match=r"geoms\[4\]: expected a Shapely geometry, got int"):
        Shapes.from_shapely([BOX, None, BOX, BOX, 3])
    with pytest.raises(TypeError, match=r"b\[1, 2\]: expected points, .* got a GeometryColl"):
        carom.intersects_batch(BOX, np.array([[BOX] * 3, [BOX, BOX, COLLECTION]]))


@pytest.mark.slow
def test_an_interrupt_ends_the_way_to_shapely():
    program = """
        import time, numpy as np, carom
        squares = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + np.zeros((3_000_000, 1, 2))
        column = carom.Shapes(squares, check=False)
        column[:1].to_shapely()
        print("ready", flush=True)
        try:
            column.to_shapely()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.3)
            assert seconds_until_interrupted(process) < 1.0
        finally:
            process.kill()


WITHOUT_Z = "Shapes.from_shapely and Shapes.from_arrow leave it out with drop_z=True, and so does "


@pytest.mark.parametrize(
    ("geoms", "error", "text"),
    [
        ([COLLECTION], TypeError, "explode() in GeoPandas or shapely.get_parts"),
        ([None, COLLECTION], TypeError, "[1]: expected points, lines or polygons, got a GeometryC"),
        ([None, EMPTY_PART], ValueError, "[1]: part 1 is empty"),
        ([BOX, RAISED], ValueError, f"[1]: the coordinates have Z; {WITHOUT_Z}"),
        ([BOX, None, BOW_TIE], ValueError, "[2]: the ring meets itself"),
    ],
)
def test_rows_that_are_no_polygons_are_refused_by_number(geoms, error, text):
    series = geopandas.GeoSeries(geoms)
    calls = {
        "geoms": lambda: Shapes.from_shapely(geoms),
        "shapes": lambda: Shapes(series),
        "a": lambda: carom.intersects_batch(series, BOX),
        "b": lambda: carom.colliding_pairs(SERIES, geoms),
        "polygon": lambda: carom.circle_polygon_batch((0, 0), 1, np.array(geoms)),
    }
    for name, call in calls.items():
        with pytest.raises(error) as caught:
            call()
        assert str(caught.value).startswith(f"{name}[")
        assert text in str(caught.value)


@pytest.mark.parametrize(
    ("geoms", "error", "text"),
    [
        (BOX, TypeError, "geoms: expected a sequence of shapes, got a single geometry; put it"),
        (3, TypeError, "geoms: expected a sequence of shapes, got int"),
        ([BOX, 3], TypeError, "geoms[1]: expected a Shapely geometry, got int"),
        ([TRIANGLE], TypeError, "geoms[0]: expected a Shapely geometry, got list"),
        (
            np.array([[BOX, BOX]]),
            ValueError,
            "geoms: expected a sequence of shapes, got an array",
        ),
        (SERIES.to_numpy()[:4].reshape(2, 2), ValueError, "got an array of shape (2, 2)"),
    ],
)
def test_what_holds_other_things_is_no_column(geoms, error, text):
    with pytest.raises(error) as caught:
        Shapes.from_shapely(geoms)
    assert text in str(caught.value)


def test_z_is_left_out_when_asked_and_unchecked_rows_are_taken():
    column = Shapes.from_shapely([BOX, RAISED], drop_z=True)
    assert same(column.to_shapely(), shapely.force_2d([BOX, RAISED]))
    assert len(Shapes.from_shapely([BOX, BOW_TIE], check=False)) == 2


def test_points_with_an_empty_part_are_told_of_as_a_geometry():
    # Shapely raises IndexError where it is asked for their coordinates as GeoJSON.
    points = shapely.from_wkt("MULTIPOINT (EMPTY, (0 0))")
    with pytest.raises(TypeError, match=r"^shapes: expected an array .* got MultiPoint;"):
        carom.place(points, (0, 0, 0))


def test_scalar_functions_take_a_shapely_polygon():
    inside = shapely.box(3, 3, 4, 4)
    assert carom.intersects(BOX, FRAME)
    assert not carom.intersects(inside, FRAME)
    assert carom.distance(inside, FRAME).distance == 2.0
    assert repr(carom.sat(BOX, inside)) == repr(
        carom.sat(BOX.exterior.coords, [*inside.exterior.coords])
    )
    assert carom.swept_collision(inside, FRAME, (4, 0)).time == 1.0
    assert carom.swept_circle((3, 3), 1, (-2, 0), FRAME).time == 0.5
    assert carom.circle_polygon((0.5, 0.5), 0, BOX)
    assert len(carom.convex_parts(FRAME)) >= 4


@pytest.mark.parametrize(
    ("polygon", "error", "text"),
    [
        (COLLECTION, TypeError, "b: expected points, lines or polygons, got a GeometryCollection"),
        (EMPTY_PART, ValueError, "b: part 1 is empty"),
        (RAISED, ValueError, f"b: the coordinates have Z; {WITHOUT_Z}"),
        (shapely.Polygon(), ValueError, "b: the shape is missing (empty)"),
        (BOW_TIE, ValueError, "b: the ring meets itself"),
        (SERIES, TypeError, "b: expected one shape, got several geometries; for many at once"),
        ([BOX, BOX], TypeError, "b: expected one shape, got several geometries; for many"),
    ],
)
def test_scalar_functions_say_what_is_wrong_with_a_geometry(polygon, error, text):
    with pytest.raises(error) as caught:
        carom.intersects(BOX, polygon)
    assert text in str(caught.value)


RING = shapely.LinearRing([(0, 0), (4, 0), (4, 3)])
SCALARS = {
    "point": shapely.Point(3, 3),
    "line": shapely.LineString([(0, 3), (1, 4), (1, 9)]),
    "ring": RING,
    "polygon": shapely.Polygon(RING),
    "hole": shapely.Polygon(RING, [[(2, 0.5), (3, 0.5), (3, 1)]]),
    "holes": shapely.box(-9, -9, 9, 9).difference(shapely.MultiPoint([(1, 1), (6, 6)]).buffer(2)),
    "points": shapely.MultiPoint([(3, 3), (2, 7)]),
    "lines": shapely.MultiLineString([[(0, 3), (1, 4)], [(5, 5), (6, 7)]]),
    "polygons": shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)]),
}


@pytest.mark.parametrize("name", SCALARS)
def test_a_geometry_alone_is_read_as_in_a_column(name):
    geometry = SCALARS[name]
    (row,) = carom.Shapes([geometry, None]).to_shapely()[:1]
    assert row.equals(geometry)
    for other in SCALARS.values():
        columns = carom.Shapes([geometry]), carom.Shapes([other])
        scalar = carom.distance(geometry, other)
        (batch,) = carom.distance_batch(*columns).distance.tolist()
        assert scalar.distance == batch
        assert scalar.distance == pytest.approx(shapely.distance(geometry, other), rel=1e-9)
        assert carom.intersects(geometry, other) == shapely.intersects(geometry, other)


@pytest.mark.parametrize("name", SCALARS)
def test_a_geometry_alone_has_no_z_and_is_not_empty(name):
    with pytest.raises(ValueError, match=r"^a: .* Z"):
        carom.intersects(shapely.force_3d(SCALARS[name]), BOX)
    with pytest.raises(ValueError, match=r"^a: .*(empty|missing)"):
        carom.intersects(type(SCALARS[name])(), BOX)


def test_points_of_which_some_are_several_are_rows_as_they_are_alone():
    rows = [SCALARS["points"], SCALARS["point"], shapely.MultiPoint([(1, 2)]), SCALARS["points"]]
    column = carom.Shapes(rows)
    assert column.kind.tolist() == [1, 0, 1, 1]
    assert column.offsets[1].tolist() == [0, 2, 3, 4, 6]
    assert [row.wkt for row in column.to_shapely()] == [row.wkt for row in rows]
    with_missing = carom.Shapes([*rows, None, shapely.Point()])
    assert with_missing[:4] == column
    assert with_missing.kind.tolist() == [1, 0, 1, 1, -1, -1]


def test_one_polygon_broadcasts_in_a_batch_holes_included():
    rows = [BOX, None, shapely.box(3, 3, 4, 4)]
    assert carom.intersects_batch(rows, FRAME).tolist() == [True, False, False]
    assert carom.intersects_batch(FRAME, np.array(rows)).tolist() == [True, False, False]
    assert carom.intersects_batch(BOX, FRAME).shape == ()
    assert carom.intersects_batch(shapely.Polygon(), rows).tolist() == [False] * 3
    grid = np.array([shapely.get_coordinates(BOX) + shift for shift in (0, 3, 9)])
    assert carom.intersects_batch(grid[:, None], FRAME).tolist() == [[True], [False], [True]]


def test_arrays_of_polygons_broadcast_along_all_axes():
    a, b = np.array(ROWS), np.array([BOX, FRAME, None, shapely.box(3, 3, 4, 4)])
    sure = np.array([row is not SLANTED for row in ROWS])
    expected = shapely.intersects(a[sure, None], b)
    assert carom.intersects_batch(a[sure, None], b).tolist() == expected.tolist()
    assert carom.intersects_batch(b, a[sure].reshape(1, -1, 1)).tolist() == [expected.tolist()]
    with pytest.raises(TypeError, match=r"b\[1, 0\]: expected points, .* got a GeometryColl"):
        carom.intersects_batch(BOX, np.array([[BOX], [COLLECTION]]))
    with pytest.raises(ValueError, match=r"b\[0, 1\]: the ring meets itself"):
        carom.intersects_batch(BOX, np.array([[BOX, BOW_TIE]]))
    with pytest.raises(ValueError, match=r"shapes: expected a sequence .* of shape \(1, 2\)"):
        Shapes(np.array([[BOX, BOX]]))


def test_lists_may_mix_geometries_and_arrays():
    rows = [np.array(TRIANGLE), BOX, None, [TRIANGLE], FRAME, shapely.Polygon()]
    answers = [True, True, False, True, True, False]
    for mixed, expected in ((rows, answers), (rows[::-1], answers[::-1])):
        assert carom.intersects_batch(mixed, BOX).tolist() == expected
        assert len(Shapes(mixed)) == 6


def test_series_of_different_crs_are_refused_by_their_names():
    metres = SERIES.to_crs(3857)
    for call in (carom.intersects_batch, carom.colliding_pairs, by_index.intersects):
        with pytest.raises(ValueError, match="CRS EPSG:4326 and b the CRS EPSG:3857"):
            call(SERIES, metres)
    with pytest.raises(ValueError, match="CRS"):
        carom.distance_batch(SERIES, metres.to_frame("g").set_geometry("g"))
    assert carom.intersects_batch(SERIES, SERIES.values)[0]
    assert carom.intersects_batch(SERIES, geopandas.GeoSeries(ROWS))[0]


def test_rows_of_several_parts_need_no_column_and_no_exploding():
    rows = geopandas.GeoSeries([BOX, ISLES])
    assert carom.colliding_pairs(rows).tolist() == [[0], [1]]
    frame = geopandas.GeoDataFrame({"name": ["p"]}, geometry=[shapely.MultiPolygon([BOX, FRAME])])
    assert carom.colliding_pairs(frame.explode().geometry).tolist() == [[0], [1]]


def test_nothing_is_imported_for_those_who_use_arrays():
    code = (
        "import sys, carom; square = [(0, 0), (1, 0), (1, 1)]; column = carom.Shapes([square]);"
        "carom.intersects_batch(column, [square]); carom.Shapes.from_arrow(column);"
        "print([m for m in ('shapely', 'pandas', 'geopandas', 'pyarrow') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_countries_are_valid_as_shapely_has_it(countries):
    assert shapely.is_valid(countries).all()
    assert same(Shapes.from_shapely(countries).to_shapely(), countries)


def test_countries_with_exchanged_vertices_are_as_valid_as_shapely_has_it(countries):
    def exchanged(polygon, seed):
        rings = [np.array(ring.coords[:-1]) for ring in (polygon.exterior, *polygon.interiors)]
        i, j = np.random.default_rng(seed).integers(0, len(rings[0]), 2)
        rings[0][[i, j]] = rings[0][[j, i]]
        return shapely.Polygon(rings[0], rings[1:])

    rows = [exchanged(polygon, seed) for seed, polygon in enumerate(countries)]
    found = carom.distance_batch(rows, BOX, on_invalid="mask").valid
    assert found.tolist() == shapely.is_valid(rows).tolist()
    assert 5 < found.sum() < 200


def test_us_counties_are_valid_as_shapely_has_it():
    us_counties = pytest.importorskip("bokeh_sampledata.us_counties")
    counties = shapely.get_parts([row["geometry"] for row in us_counties.records()])
    assert len(counties) == 3398
    assert shapely.is_valid(counties).all()
    column = Shapes.from_shapely(counties)
    assert same(column.to_shapely(), counties)
    assert same(geopandas.GeoSeries.from_arrow(column).to_numpy(), counties)


# Arrow


@pytest.mark.parametrize("interleaved", [True, False])
def test_geoarrow_of_geopandas_is_the_column(interleaved, countries):
    for rows in (SERIES, geopandas.GeoSeries(countries)):
        array = rows.to_arrow(geometry_encoding="geoarrow", interleaved=interleaved)
        column = Shapes.from_arrow(array)
        assert column == Shapes.from_shapely(rows)
        assert same(column.to_shapely(), rows.to_numpy())
        assert Shapes.from_arrow(pa.array(array)) == column


HOMOGENEOUS = {
    "point": [shapely.Point(1, 2), None, shapely.Point(-0.0, 5e-324)],
    "multipoint": [shapely.MultiPoint([(0, 0), (1, 1)]), None, shapely.MultiPoint([(5, 5)])],
    "linestring": [PATHS[0], None, shapely.LineString([(0, 0), (1e300, 1)])],
    "multilinestring": [PATHS[1], None, shapely.MultiLineString([PATHS[0]])],
    "polygon": ROWS,
    "multipolygon": [ISLES, None, RINGED, shapely.MultiPolygon([FRAME])],
}


@pytest.mark.parametrize("interleaved", [True, False])
@pytest.mark.parametrize("kind", HOMOGENEOUS)
def test_geoarrow_of_every_kind_is_the_column(kind, interleaved):
    rows = geopandas.GeoSeries([*HOMOGENEOUS[kind], type(HOMOGENEOUS[kind][0])()])
    column = Shapes.from_shapely(rows)
    array = rows.to_arrow(geometry_encoding="geoarrow", interleaved=interleaved)
    assert Shapes.from_arrow(array) == column
    assert Shapes(array) == column


@pytest.mark.parametrize("kind", HOMOGENEOUS)
def test_columns_of_one_kind_are_exported_as_its_type(kind):
    rows = HOMOGENEOUS[kind]
    column = Shapes.from_shapely(rows)
    assert pa.field(column).metadata[b"ARROW:extension:name"] == f"geoarrow.{kind}".encode()
    assert same(geopandas.GeoSeries.from_arrow(column).to_numpy(), np.array(rows))
    for chosen in (column, column[::-1], column[1:], column[:0], column[[2, 0, 2]]):
        assert Shapes.from_arrow(chosen) == chosen


def single_precision(coords):
    return np.float32(coords.clip(max=1e30))


@pytest.mark.parametrize("kind", HOMOGENEOUS)
def test_lists_of_every_kind_may_be_large_sliced_chunked_or_of_float32(kind):
    column = Shapes.from_shapely(shapely.transform(HOMOGENEOUS[kind], single_precision))
    storage = pa.array(column)
    name = f"geoarrow.{kind}"
    narrow = storage.type
    for single in (False, True):
        wide = pa.list_(pa.float32() if single else pa.float64(), 2)
        for _ in range(str(narrow).count("<") - 1):
            wide = pa.large_list(wide)
        large = pa.array(storage.to_pylist(), wide)
        assert Shapes.from_arrow(Named(large, name)) == column
        assert Shapes.from_arrow(Named(large[1:], name)) == column[1:]
        assert Shapes.from_arrow(Named(large[2:], name)) == column[2:]


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        (ROWS + HOMOGENEOUS["multipolygon"], "geoarrow.wkb"),
        (HOMOGENEOUS["point"] + HOMOGENEOUS["multipoint"], "geoarrow.wkb"),
        (HOMOGENEOUS["multilinestring"] + HOMOGENEOUS["linestring"], "geoarrow.wkb"),
        (HOMOGENEOUS["multipolygon"], "geoarrow.multipolygon"),
        ([None, None], "geoarrow.polygon"),
        ([BOX, *PATHS, None, ISLES], "geoarrow.wkb"),
        ([shapely.Point(0, 0), PATHS[0]], "geoarrow.wkb"),
    ],
)
def test_columns_of_several_kinds_are_exported_as_wkb_and_come_back_equal(rows, name):
    column = Shapes.from_shapely(rows)
    assert pa.field(column).metadata[b"ARROW:extension:name"] == name.encode()
    assert Shapes.from_arrow(column) == column
    if name == "geoarrow.wkb":
        assert same(geopandas.GeoSeries.from_arrow(column).to_numpy(), np.array(rows))
        assert pa.array(column).type == pa.binary()


def test_a_radius_is_not_exported():
    circles = Shapes.from_points([(0, 0), (1, 1)], radius=[0, 2])
    points = shapely.points([(0, 0), (1, 1)])
    mixed = Shapes.from_shapely([shapely.box(0, 0, 1, 1), *points]).with_radius([0, 0, 2])
    for row, column in ((1, circles), (2, mixed)):
        for export in (
            column.__arrow_c_array__,
            column.__arrow_c_stream__,
            column.__arrow_c_schema__,
        ):
            with pytest.raises(
                ValueError, match=rf"row {row} has the radius 2\.0, .* with_radius\(0\) drops"
            ):
                export()
    assert Shapes.from_arrow(circles[:1]) == circles[:1]
    assert Shapes.from_arrow(circles.with_radius(0)) == circles.with_radius(0)


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_wkb_is_read_whatever_holds_it(kind):
    rows = np.array([*ROWS, *PATHS, ISLES, shapely.Point(), shapely.Point(1, 2)])
    column = Shapes.from_shapely(rows)
    for order, flavor in ((0, "iso"), (1, "extended")):
        wkb = shapely.to_wkb(shapely.set_srid(rows, 4326), byte_order=order, flavor=flavor)
        array = pa.array(wkb.tolist(), kind)
        assert Shapes.from_arrow(array) == column
        assert Shapes(array[3:]) == column[3:]
        assert Shapes.from_arrow(pa.chunked_array([array[:4], array[4:4], array[4:]])) == column
        assert Shapes.from_arrow(Named(array, "ogc.wkb")) == column
    assert Shapes.from_arrow(geopandas.GeoSeries(rows).to_arrow()) == column
    raised = pa.array(shapely.to_wkb([RAISED, BOX]).tolist(), kind)
    assert Shapes.from_arrow(raised, drop_z=True) == Shapes([TRIANGLE, BOX])


def test_points_need_no_name_of_their_type():
    assert Shapes.from_arrow(POINTS).kind.tolist() == [0, -1, 0]
    points = Shapes.from_points([(0, 0), (1, 2), (3, 4)])
    assert Shapes.from_arrow(pa.array(points)) == points
    assert Shapes.from_arrow(pa.chunked_array([pa.array(points)])) == points


def test_bad_rows_of_arrow_may_be_masked():
    wkb = [shapely.to_wkb(BOX), b"WKB", None, shapely.to_wkb(COLLECTION), shapely.to_wkb(BOW_TIE)]
    column = Shapes.from_arrow(pa.array(wkb), on_invalid="mask")
    assert column.is_valid.tolist() == [True, False, True, False, False]
    assert column.kind.tolist() == [4, -1, -1, -1, -1]
    assert column.invalid_reason[1].startswith("not valid WKB: ")
    assert column.invalid_reason[3].startswith("expected points, lines or polygons, got a Geom")
    assert column.invalid_reason[4].startswith("the ring meets itself")
    rows = [[TRIANGLE], [TRIANGLE, [*TRIANGLE, None]], None, [[*TRIANGLE[:2], [0, None]]]]
    for array in (
        pa.array(rows, RINGS),
        pa.chunked_array([rows[:1], rows[1:]], RINGS),
    ):
        column = Shapes.from_arrow(array, on_invalid="mask")
        reasons = [None, "ring 1: vertex 3 is null", None, "ring 0: vertex 2 is null"]
        assert column.invalid_reason.tolist() == reasons
        assert column[:1] == Shapes([TRIANGLE]) and list(column[1:]) == [None] * 3


def test_geoarrow_goes_back_to_geopandas_with_rings_closed():
    back = geopandas.GeoSeries.from_arrow(COLUMN)
    assert same(back.to_numpy(), np.array(ROWS))
    array = pa.array(COLUMN)
    assert array.null_count == 2
    storage = getattr(array, "storage", array)
    assert storage[0].as_py()[0] == [list(p) for p in BOX.exterior.coords]
    assert storage[1].as_py() is None


def test_the_exported_type_is_that_of_geoarrow_polygons():
    field = pa.field(COLUMN)
    assert field.metadata is None or field.metadata[b"ARROW:extension:name"] == b"geoarrow.polygon"
    storage = getattr(field.type, "storage_type", field.type)
    assert storage.value_field.name == "rings"
    assert storage.value_type.value_field.name == "vertices"
    assert storage.value_type.value_type.value_field.name == "xy"
    assert not storage.value_field.nullable


def test_a_consumer_may_ask_for_separated_coordinates():
    point = pa.struct([pa.field("x", pa.float64()), pa.field("y", pa.float64())])
    wish = pa.list_(pa.list_(point))
    for export in (COLUMN.__arrow_c_array__, COLUMN.__arrow_c_stream__):
        with pytest.raises(TypeError, match="requested_schema: expected a capsule"):
            export(3)
    schema, array = COLUMN.__arrow_c_array__(wish.__arrow_c_schema__())
    made = pa.Array._import_from_c_capsule(schema, array)
    storage = getattr(made, "storage", made)
    assert storage[0].as_py()[0][1] == {"x": 1.0, "y": 1.0}
    assert Shapes.from_arrow(made) == COLUMN


def test_streams_go_out_and_come_in():
    chunked = pa.chunked_array(COLUMN)
    assert chunked.num_chunks == 1
    assert Shapes.from_arrow(chunked) == COLUMN
    parts = pa.chunked_array([chunked.chunk(0)[:2], chunked.chunk(0)[2:2], chunked.chunk(0)[2:]])
    assert Shapes.from_arrow(parts) == COLUMN
    assert len(Shapes.from_arrow(parts[:0])) == 0
    empty = pa.chunked_array([], chunked.type)
    assert len(Shapes.from_arrow(empty)) == 0


def test_an_export_may_be_dropped_or_be_taken_once():
    for export in (COLUMN.__arrow_c_array__, COLUMN.__arrow_c_stream__, COLUMN.__arrow_c_schema__):
        del export
    schema, array = COLUMN.__arrow_c_array__()

    class Exported:
        def __arrow_c_array__(self):
            return schema, array

    assert Shapes.from_arrow(Exported()) == COLUMN
    with pytest.raises(ValueError, match="the array has been taken already"):
        Shapes.from_arrow(Exported())


def test_a_stream_may_be_taken_once():
    stream = COLUMN.__arrow_c_stream__()

    class Exported:
        def __arrow_c_stream__(self):
            return stream

    assert Shapes.from_arrow(Exported()) == COLUMN
    with pytest.raises(ValueError, match="already released"):
        Shapes.from_arrow(Exported())


def test_slices_and_tables_columns_are_taken():
    array = pa.array(COLUMN)
    assert Shapes.from_arrow(array[1:4]) == COLUMN[1:4]
    assert Shapes.from_arrow(array[2:][1:]) == COLUMN[3:]
    assert Shapes.from_arrow(array.take(pa.array([5, 2, 1]))) == COLUMN[[5, 2, 1]]
    table = pa.table({"n": range(6), "shape": array})
    assert Shapes.from_arrow(table["shape"]) == COLUMN
    assert Shapes.from_arrow(table.slice(2)["shape"]) == COLUMN[2:]
    with pytest.raises(ValueError, match=r"no column has .*; the columns are n, shape;"):
        Shapes.from_arrow(table)
    assert Shapes.from_arrow(table, column="shape") == COLUMN


@pytest.mark.parametrize("item", [XY, pa.list_(pa.float32(), 2)], ids=str)
@pytest.mark.parametrize("make", [pa.list_, pa.large_list])
def test_plain_lists_of_any_width_are_taken(make, item):
    array = pa.array([[TRIANGLE], None, [], [[*TRIANGLE, TRIANGLE[0]]]], make(make(item)))
    read = Shapes.from_arrow(array, kind="polygon")
    assert read == Shapes([TRIANGLE, None, None, TRIANGLE])
    assert Shapes.from_arrow(array[1:], kind="polygon") == read[1:]


class NeverConverted:
    """Arrow data that fail when NumPy makes an array of them, as producers do on bad offsets."""

    def __init__(self, array):
        self._array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self._array.__arrow_c_array__(requested_schema)

    def __array__(self, *_, **__):
        raise AssertionError("converted to NumPy")


def test_arrow_is_asked_before_anything_is_converted_to_numpy():
    assert "shapely" in sys.modules  # whose geometries are looked for in other objects
    array, square = NeverConverted(pa.array(COLUMN)), np.asarray(BOX.exterior.coords)
    assert Shapes.from_arrow(array) == COLUMN
    assert Shapes(array) == COLUMN
    for one in (lambda: carom.intersects(array, square), lambda: Shapes([square, array])):
        with pytest.raises(TypeError, match=r"got Arrow data; Shapes\.from_arrow makes"):
            one()
    expected = carom.intersects_batch(COLUMN, square).tolist()
    assert carom.intersects_batch(array, square).tolist() == expected
    assert carom.intersects_batch(square, array).tolist() == expected
    assert carom.circle_polygon_batch((0, 0), 1.0, array).intersects.tolist() == expected
    assert carom.colliding_pairs(array).tolist() == carom.colliding_pairs(COLUMN).tolist()
    poses = [[(0, 0, 0), (1, 0, 0)]]
    assert carom.first_contact(square, poses, array).step.tolist() == [0]
    assert carom.first_contact(array, poses * len(COLUMN), [square]).step[0] == 0


@pytest.mark.parametrize("offsets", [[0, 3, 10**9], [0, 3, -1], [0, 4, 3]])
def test_arrow_offsets_that_lead_astray_are_refused(offsets):
    script = f"""
import numpy as np, pyarrow as pa, shapely, carom
coords = pa.FixedSizeListArray.from_arrays(pa.array(np.zeros(12)), 2)
offsets = np.array([0, 3, 6], dtype=np.int32)
buffers = [None, pa.py_buffer(offsets)]
rings = pa.ListArray.from_buffers(pa.list_(coords.type), 2, buffers, children=[coords])
named = pa.list_(pa.field('rings', rings.type))
rows = pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), rings, named)
offsets[:] = {offsets!r}
for ask in (carom.Shapes.from_arrow, carom.Shapes):
    try:
        ask(rows)
    except ValueError as why:
        print(why)
"""
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.count("offsets lead beyond the arrays") == 2


def test_arrays_of_geoarrow_pyarrow_are_taken():
    geoarrow = pytest.importorskip("geoarrow.pyarrow")
    array = geoarrow.as_geoarrow(geoarrow.array(SERIES))
    assert Shapes.from_arrow(array) == COLUMN
    separated = geoarrow.with_coord_type(array, geoarrow.CoordType.SEPARATED)
    assert Shapes.from_arrow(separated) == COLUMN
    assert Shapes.from_arrow(geoarrow.array(COLUMN)) == COLUMN
    assert Shapes.from_arrow(geoarrow.array(SERIES)) == COLUMN


def test_null_rows_may_cover_something():
    points = pa.array([p for _ in range(3) for p in TRIANGLE], XY)
    rings = pa.ListArray.from_arrays([0, 3, 6, 9], points)
    mask = pa.array([False, True, False])
    rows = pa.ListArray.from_arrays([0, 1, 2, 3], rings, RINGS, mask=mask)
    assert Shapes.from_arrow(rows) == Shapes([TRIANGLE, None, TRIANGLE])
    assert Shapes.from_arrow(rows[1:]) == Shapes([None, TRIANGLE])


def test_interleaved_coordinates_are_shared_and_others_copied():
    flat = np.array([*TRIANGLE, TRIANGLE[0]]).ravel()
    points = pa.FixedSizeListArray.from_arrays(pa.array(flat), 2)
    rings = pa.ListArray.from_arrays([0, 4], points)
    rows = pa.ListArray.from_arrays([0, 1], rings, pa.list_(pa.field("rings", rings.type)))
    column = Shapes.from_arrow(rows)
    assert np.shares_memory(column.coords, flat)
    del rows, rings, points
    assert column.coords.tolist() == TRIANGLE
    chunks = pa.chunked_array([pa.array(COLUMN)] * 2)
    assert Shapes.from_arrow(chunks)[6:] == COLUMN


@pytest.mark.parametrize("interleaved", [True, False])
def test_z_of_arrow_is_refused_or_left_out(interleaved):
    rows = geopandas.GeoSeries([RAISED])
    array = rows.to_arrow(geometry_encoding="geoarrow", interleaved=interleaved)
    with pytest.raises(ValueError, match=r"obj\[0\]: the coordinates have Z; .*drop_z=True"):
        Shapes.from_arrow(array)
    assert Shapes.from_arrow(array, drop_z=True) == Shapes([TRIANGLE])


def test_empty_geometries_with_z_are_missing_rows_of_arrow():
    for name in ("POINT", "LINESTRING", "POLYGON", "MULTIPOLYGON"):
        rows = geopandas.GeoSeries([shapely.from_wkt(f"{name} Z EMPTY"), None])
        for encoding in ("geoarrow", "WKB"):
            array = rows.to_arrow(geometry_encoding=encoding)
            assert Shapes.from_arrow(array) == Shapes([None, None])


def test_nulls_without_a_type_are_missing_rows():
    wkb = pa.array(shapely.to_wkb([None] * 3))
    for rows in (wkb, pa.nulls(3), pa.chunked_array([pa.nulls(1), pa.nulls(2)])):
        assert rows.type == pa.null()
        assert Shapes.from_arrow(rows) == Shapes([None] * 3)
        assert not carom.intersects_batch(rows, TRIANGLE).any()


def geoarrow(*geoms):
    return geopandas.GeoSeries(geoms).to_arrow(geometry_encoding="geoarrow")


class Named:
    """Arrow data with the name of an extension type."""

    def __init__(self, array, name):
        self.array, self.name = array, name

    def __arrow_c_array__(self, requested_schema=None):
        field = pa.field("", self.array.type, metadata={"ARROW:extension:name": self.name})
        return field.__arrow_c_schema__(), self.array.__arrow_c_array__()[1]


POINTS = pa.array([[0.0, 1.0], None, [2.0, 3.0]], XY)
TEXT = (
    "expected coordinates or WKB, got text; shapely.from_wkt reads WKT, and shapely.from_wkb hexa"
)


@pytest.mark.parametrize(
    ("obj", "error", "text"),
    [
        (pa.array(["POLYGON EMPTY"]), TypeError, TEXT),
        (Named(pa.array(["POLYGON EMPTY"]), "geoarrow.wkt"), TypeError, TEXT),
        (pa.array([b"POLYGON EMPTY"]), ValueError, "obj[0]: not valid WKB: "),
        (pa.chunked_array([[None], [b""]], pa.binary()), ValueError, "obj[1]: not valid WKB: "),
        (Named(POINTS, "geoarrow.wkb"), TypeError, "expected the type of WKB, got FixedSizeList"),
        (Named(POINTS, "geoarrow.box"), TypeError, "expected the type of geoarrow.box, got Fixed"),
        (Named(POINTS, "geoarrow.circle"), TypeError, "lines or polygons, got geoarrow.circle"),
        (Named(POINTS, "geoarrow.polygon"), ValueError, "in 2 lists for a polygon, got FixedSize"),
        (
            pa.array([TRIANGLE], pa.list_(XY)),
            ValueError,
            "one list of coordinates may be paths or several points a row: kind='path' or kind=",
        ),
        (geopandas.GeoSeries([BOX, COLLECTION]).to_arrow(), TypeError, "obj[1]: expected points"),
        (geopandas.GeoSeries([BOX, RAISED]).to_arrow(), ValueError, WITHOUT_Z),
        (geopandas.GeoSeries([None, EMPTY_PART]).to_arrow(), ValueError, "obj[1]: part 1 is empty"),
        (pa.array([1.0]), TypeError, "expected a list of rings, each a list of float64"),
        (pa.array([TRIANGLE]), TypeError, "expected a list of rings"),
        (pa.array([[TRIANGLE]]), TypeError, "expected a list of rings"),
        (pa.array([[[TRIANGLE], []]], AREAS), ValueError, "obj[0]: part 1 is empty"),
        (pa.array([[[TRIANGLE], [[]]]], AREAS), ValueError, "obj[0]: part 1: a polygon has three"),
        (pa.array([[[[0, 0]]]], pa.list_(pa.list_(pa.list_(pa.int64(), 2)))), TypeError, "Int64"),
        (
            pa.array([{"x": 1.0}]),
            ValueError,
            "no column has the extension name of shapes; the columns are x",
        ),
        (SERIES, TypeError, "got Shapely geometries; see Shapes.from_shapely"),
        ([TRIANGLE], TypeError, "__arrow_c_array__ or __arrow_c_stream__, got list"),
        (geoarrow(BOX, BOW_TIE), ValueError, "obj[1]: the ring meets itself"),
    ],
    ids=lambda given: given if isinstance(given, str) else None,  # some tell their addresses
)
def test_arrow_data_that_is_no_shapes_is_refused(obj, error, text):
    with pytest.raises(error) as caught:
        Shapes.from_arrow(obj)
    assert str(caught.value).startswith("obj")
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([[TRIANGLE], [None]], "obj[1]: ring 0 is null"),
        ([None, [TRIANGLE, None]], "obj[1]: ring 1 is null"),
        ([[TRIANGLE], [TRIANGLE, [*TRIANGLE, None]]], "obj[1]: ring 1: vertex 3 is null"),
        ([[[*TRIANGLE[:2], [0, None]]]], "obj[0]: ring 0: vertex 2 is null"),
        ([[[*TRIANGLE[:2], [0, float("nan")]]]], "obj[0]: vertex 2 is (0.0, nan)"),
    ],
)
def test_only_whole_rows_may_be_null(rows, text):
    array = pa.array(rows, RINGS)
    for obj, shift in ((array, 0), (pa.chunked_array([array[:1], array[1:]]), 0)):
        with pytest.raises(ValueError, match="obj") as caught:
            Shapes.from_arrow(obj)
        assert text in str(caught.value), shift


def test_nulls_of_other_kinds_are_named_by_their_place():
    rows = [[[TRIANGLE]], [[TRIANGLE], [TRIANGLE, [None]]], [None]]
    for obj, text in (
        (pa.array(rows, AREAS), "obj[1]: part 1: ring 1: vertex 0 is null"),
        (pa.array(rows[2:], AREAS), "obj[0]: part 0 is null"),
        (Named(pa.array([[[0, 0], None]], pa.list_(XY)), "geoarrow.multipoint"), "part 1 is null"),
        (Named(pa.array([[[0, 0], None]], pa.list_(XY)), "geoarrow.linestring"), "vertex 1 is nul"),
    ):
        with pytest.raises(ValueError, match=r"obj\[") as caught:
            Shapes.from_arrow(obj)
        assert text in str(caught.value)
    assert Shapes.from_arrow(Named(POINTS, "geoarrow.point")).kind.tolist() == [0, -1, 0]
    half = pa.array([[0.0, 1.0], [0.0, None]], XY)
    with pytest.raises(ValueError, match=r"obj\[1\]: a coordinate is null"):
        Shapes.from_arrow(Named(half, "geoarrow.point"))


def test_offsets_that_lead_astray_are_refused():
    points = pa.array(TRIANGLE, XY)
    # The first and the last offset are right: pyarrow checks those itself.
    for offsets in ([0, 7, 3], [0, -3, 3]):
        buffers = [None, pa.py_buffer(np.array(offsets, np.int32))]
        rings = pa.Array.from_buffers(pa.list_(XY), 2, buffers, children=[points])
        rows = pa.ListArray.from_arrays([0, 2], rings, RINGS)
        with pytest.raises(ValueError, match="obj: offsets lead beyond the arrays"):
            Shapes.from_arrow(rows)


def test_objects_that_export_no_capsules_are_refused():
    class Liar:
        def __arrow_c_array__(self):
            return 1, 2

    with pytest.raises(TypeError, match="obj: __arrow_c_array__ gave no pair of capsules"):
        Shapes.from_arrow(Liar())


def test_the_refusals_of_exporters_come_through():
    class Broken:
        def __arrow_c_stream__(self):
            raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        Shapes.from_arrow(Broken())


# pandas and GeoPandas


def test_results_become_data_frames_with_a_column_for_each_number():
    result = carom.sat_batch([BOX, None], shapely.box(0.75, 0, 2, 1))
    frame = result.to_pandas(["p", "q"])
    assert frame.index.tolist() == ["p", "q"]
    vectors = ["mtv_x", "mtv_y", "normal_x", "normal_y"]
    ends = ["contact_0_x", "contact_0_y", "contact_1_x", "contact_1_y"]
    assert frame.columns.tolist() == ["intersects", "depth", *vectors, "separation", *ends]
    for end in (0, 1):
        for k, axis in enumerate("xy"):
            assert frame[f"contact_{end}_{axis}"][0:1].to_list() == [result.contact[0, end, k]]
    assert frame["mtv_x"]["p"] == result.mtv[0, 0]
    assert frame.loc["q"].isna().sum() == 10


def test_data_frames_name_features_and_leave_out_what_was_not_asked_for():
    fields = ("feature", "index")
    result = carom.circle_polygon_batch((2, 0.5), 1, [BOX, None], fields=fields)
    frame = result.to_pandas()
    assert frame.columns.tolist() == ["feature", "index"]
    assert frame["feature"].tolist()[0] == "edge"
    assert frame["feature"].isna().tolist() == [False, True]
    assert len(carom.sat_batch([BOX], BOX, fields=()).to_pandas()) == 1


def test_every_batch_result_becomes_a_data_frame():
    rows = [BOX, FRAME]
    for result in (
        carom.distance_batch(rows, BOX),
        carom.swept_collision_batch(rows, BOX, (1, 0)),
        carom.swept_circle_batch((5, 5), 1, (1, 0), rows),
        carom.first_contact(BOX, np.zeros((2, 3, 3)), rows),
    ):
        assert len(result.to_pandas(["p", "q"])) == 2


def test_data_frames_need_one_axis_and_a_label_for_each_row():
    with pytest.raises(ValueError, match=r"one leading dimension, got shape \(\)"):
        carom.sat_batch(BOX, BOX).to_pandas()
    with pytest.raises(ValueError, match="index: expected 2 labels, got 3"):
        carom.sat_batch([BOX, BOX], BOX).to_pandas(range(3))


A = geopandas.GeoSeries([BOX, None, FRAME], ["p", "q", "r"], crs=32633)
B = geopandas.GeoSeries([FRAME, shapely.box(3, 3, 4, 4), BOX], ["s", "r", "p"], crs=32633)


def test_answers_along_the_index_are_those_of_the_batch():
    assert by_index.intersects(A, BOX).to_dict() == {"p": True, "q": False, "r": True}
    frame = geopandas.GeoDataFrame({"n": [1, 2, 3]}, geometry=A, index=A.index)
    expected = carom.distance_batch(A, BOX).to_pandas(A.index)
    pd.testing.assert_frame_equal(by_index.distance(frame, BOX), expected)
    pd.testing.assert_frame_equal(
        by_index.distance(BOX, frame)[["distance"]], expected[["distance"]]
    )
    with pytest.raises(
        TypeError, match=r"a: expected a GeoSeries .*; geopandas.GeoSeries\(\[a\]\)"
    ):
        by_index.intersects(BOX, BOX)


def test_series_are_put_together_by_label_as_geopandas_does_it():
    found = by_index.intersects(A, B, align=True)
    assert found.to_dict() == {"p": True, "q": False, "r": False, "s": False}
    with pytest.warns(UserWarning, match="align") as theirs:
        assert found.equals(A.intersects(B))
    with pytest.warns(UserWarning, match="align") as ours:
        assert found.equals(by_index.intersects(A, B))
    assert [str(it.message) for it in ours] == [str(it.message) for it in theirs]
    assert ours[0].filename == __file__
    assert by_index.intersects(A, B, align=False).tolist() == [True, False, True]


def test_velocities_go_with_their_rows():
    velocities = [(4.0, 0.0), (np.nan, 0.0), (0.0, 0.0)]
    still = by_index.swept_collision(A, B, align=True, velocity=(0, 0))
    assert still["intersects"].to_dict() == by_index.intersects(A, B, align=True).to_dict()
    array = np.nan_to_num(velocities)
    moved = by_index.swept_collision(A, B, align=True, velocity=array, fields=("time",))
    assert list(moved.index) == ["p", "q", "r", "s"]
    labelled = pd.DataFrame(array[::-1], index=A.index[::-1])
    assert by_index.swept_collision(A, B, align=True, velocity=labelled, fields=("time",)).equals(
        moved
    )
    with pytest.raises(ValueError, match="velocity"):
        by_index.swept_collision(A, B, align=True, velocity=labelled.iloc[:2])


def test_circles_may_be_points_with_labels():
    centers = geopandas.GeoSeries.from_xy([5, 2, 0], [5, 2, 0], index=["r", "q", "p"], crs=32633)
    found = by_index.circle_polygon(centers, pd.Series([1.0, 1.0, 1.0], ["p", "q", "r"]), A)
    assert found["intersects"].tolist() == [True, False, False]
    assert found["distance"]["r"] == 2.0
    moved = by_index.swept_circle(centers, 1, (4, 0), A, fields=("time",))
    assert moved["time"].iloc[[0, 2]].tolist() == [0.0, 0.5]
    with pytest.raises(
        ValueError, match="center has the CRS EPSG:3857 and the rows the CRS EPSG:32633"
    ):
        by_index.circle_polygon(centers.set_crs(3857, allow_override=True), 1, A)


def shifted_boxes(labels):
    """Boxes of side 2 along x and y, every fourth missing or empty."""
    rows = [shapely.box(k, k % 3, k + 2, k % 3 + 2) for k in range(len(labels))]
    rows[1::4] = [None, shapely.Polygon(), None][: len(rows[1::4])]
    return geopandas.GeoSeries(rows, labels)


INDEXES = {
    "range": pd.RangeIndex(5),
    "shorter range": pd.RangeIndex(2),
    "reordered": pd.Index([3, 0, 4, 1, 2]),
    "floats and NaN": pd.Index([2.0, np.nan, 0.0]),
    "repeated": pd.Index([1, 1, 0, 7, 0, 1]),
    "repeated text": pd.Index(list("paap")),
    "text": pd.Index(list("apq")),
    "two levels": pd.MultiIndex.from_tuples([("a", 1), ("b", 0), ("a", 0), ("c", 5)]),
    "two levels, reordered": pd.MultiIndex.from_tuples([("b", 0), ("a", 1), ("d", 2)]),
    "one row": pd.Index([4]),
    "empty": pd.RangeIndex(0),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The indices of the left and right")
@pytest.mark.parametrize("align", [True, False, None])
@pytest.mark.parametrize("one", INDEXES)
def test_rows_are_put_together_as_geopandas_does_it_whatever_the_index(one, align):
    for other in INDEXES.values():
        a, b = shifted_boxes(INDEXES[one]), shifted_boxes(other)
        if not align and 1 in (len(a), len(b)):
            continue  # one row is combined with every row
        try:
            expected = a.intersects(b, align=align), a.distance(b, align=align)
        except (ValueError, NotImplementedError) as refused:
            with pytest.raises(type(refused)):
                by_index.intersects(a, b, align=align)
            continue
        pd.testing.assert_series_equal(by_index.intersects(a, b, align=align), expected[0])
        found = by_index.distance(a, b, align=align, fields=("distance",))["distance"]
        pd.testing.assert_series_equal(found, expected[1], check_names=False, rtol=1e-12)


@pytest.mark.parametrize("align", [False, None])
@pytest.mark.parametrize("index", INDEXES)
def test_one_row_is_combined_with_every_row_as_its_geometry_is(index, align):
    rows = shifted_boxes(INDEXES[index])
    for place in (0.5, 3.0):
        one = geopandas.GeoSeries([shapely.box(place, 0, place + 1, 1)], [99])
        geometry = one.iloc[0]
        if len(rows) != 1:
            for a, b in ((rows, geometry), (geometry, rows)):
                given = (one if it is geometry else it for it in (a, b))
                expected = by_index.distance(a, b)
                pd.testing.assert_frame_equal(by_index.distance(*given, align=align), expected)
        found = by_index.intersects(rows, one.to_frame("g").set_geometry("g"), align=align)
        pd.testing.assert_series_equal(found, rows.intersects(geometry))
        assert by_index.intersects(one, rows, align=align).tolist() == found.tolist()
    # Of two single rows the first has the index; by label there is nothing to combine.
    if len(rows) == 1:
        assert by_index.intersects(one, rows).index.equals(one.index)
    assert not by_index.intersects(rows, one, align=True).any()
    missing = geopandas.GeoSeries([None], [99])
    assert by_index.distance(rows, missing, align=align)["distance"].isna().all()


def test_numbers_of_one_row_are_its_columns_or_those_of_the_rows_that_it_is_combined_with():
    one = geopandas.GeoDataFrame(
        {"vx": [1.0], "vy": 0.0, "turn": 0.0}, geometry=[shapely.box(0, 0, 1, 1)], index=["x"]
    )
    walls = geopandas.GeoSeries([shapely.box(x, 0, x + 1, 1) for x in (2, 3, 5)], list("pqr"))
    expected = [carom.swept_collision(one.geometry.iloc[0], it, (4, 0)).time for it in walls]
    by_label = pd.DataFrame({"x": 4.0, "y": 0.0}, walls.index)
    for velocity in ((4, 0), [(4, 0)] * 3, by_label, by_label[::-1]):
        found = by_index.swept_collision(one, walls, velocity, fields=("time",))
        assert found["time"].to_dict() == dict(zip("pqr", expected, strict=True))
    slow = by_index.swept_collision(one, walls, ("vx", "vy"), fields=("time",))
    assert slow["time"].to_dict() == {"p": 1.0, "q": np.inf, "r": np.inf}
    back = by_index.swept_collision(
        walls, one, [(-4, 0)] * 3, turn_b="turn", center_b=(0, 0), fields=("time",)
    )
    assert back["time"].tolist() == expected
    with pytest.raises(ValueError, match="velocity has 2 rows, and b has 3"):
        by_index.swept_collision(one, walls, [(4, 0)] * 2)


def test_by_position_series_have_as_many_rows():
    with pytest.raises(ValueError, match="a has 3 rows and b has 2"):
        by_index.intersects(A, B[:2], align=False)
    with pytest.raises(ValueError, match=r"the index has 1 labels, and .* \(2,\); pairs="):
        by_index.sat(A[:1], [BOX, BOX])


def test_pairs_are_of_labels_and_rows_without_labels_have_numbers():
    far = shapely.box(90, 90, 91, 91)
    found = by_index.intersects(A, [far, BOX], pairs=(["p", "p", "q"], [0, 1, 1]))
    assert found.tolist() == [False, True, False]
    with pytest.raises(TypeError, match=r"argument 'pairs'; carom.circle_polygon_batch has it"):
        by_index.circle_polygon([(0, 0)], 1, A, pairs=([0, 0, 0], [2, 1, 0]))


def test_the_geometry_column_may_be_any():
    frame = geopandas.GeoDataFrame({"shape": A, "other": A[::-1].to_numpy()}, geometry="shape")
    assert by_index.intersects(frame, FRAME).tolist() == [True, False, True]
    moved = frame.set_geometry("other")
    inside = shapely.box(3, 3, 4, 4)
    assert by_index.distance(frame, inside)["distance"].tolist()[::2] == [np.sqrt(8), 2.0]
    assert by_index.distance(moved, inside)["distance"].tolist()[::2] == [2.0, np.sqrt(8)]


def test_a_series_of_pandas_has_an_index_too():
    plain = pd.Series([BOX, FRAME], ["r", "p"], dtype=object)
    series, rows = geopandas.GeoSeries(plain), A.set_crs(None, allow_override=True)
    for call in (
        lambda b: by_index.intersects(rows, b, align=True),
        lambda b: by_index.colliding_pairs(rows, b),
    ):
        assert call(plain).equals(call(series))


def test_velocities_by_position_follow_rows_whose_labels_repeat():
    boxes = geopandas.GeoSeries([BOX, BOX, BOX], ["p", "q", "p"])
    wall = geopandas.GeoSeries([shapely.box(3, 0, 4, 1)] * 2, ["p", "z"])
    found = by_index.swept_collision(
        boxes, wall, align=True, velocity=[(4, 0), (9, 9), (2, 0)], fields=("time",)
    )
    assert list(found.index) == ["p", "p", "q", "z"]
    np.testing.assert_array_equal(found["time"], [0.5, 1.0, np.nan, np.nan])
    for one in ([(4, 0)], (4, 0)):
        found = by_index.swept_collision(boxes, wall, align=True, velocity=one, fields=("time",))
        np.testing.assert_array_equal(found["time"], [0.5, 0.5, np.nan, np.nan])
    with pytest.raises(ValueError, match="velocity has 2 rows, and a has 3; expected one for all"):
        by_index.swept_collision(boxes, wall, align=True, velocity=[(4, 0), (2, 0)])


def test_a_series_is_neither_one_vector_nor_many():
    # A series of two rows would be read as one vector.
    numbers = pd.Series([4.0, 0.0], ["p", "r"])
    two = A.iloc[[0, 2]]
    for call in (
        lambda: by_index.swept_collision(two, BOX, numbers),
        lambda: by_index.swept_circle((0, 0), 1, numbers, two),
        lambda: by_index.colliding_pairs(two, velocity_a=numbers),
    ):
        with pytest.raises(TypeError, match=r"velocity.* of two columns, got a Series"):
            call()
    with pytest.raises(TypeError, match=r"center: .* got a Series"):
        by_index.circle_polygon(numbers, 1, two)


def test_points_of_an_array_go_by_position_and_each_has_its_own_x_and_y():
    centers = geopandas.GeoSeries.from_xy([0, 4], [0, 5], index=["p", "r"])
    two = A.iloc[[0, 2]].set_crs(None, allow_override=True)
    expected = by_index.circle_polygon(centers, 1, two)
    pd.testing.assert_frame_equal(by_index.circle_polygon(centers.values, 1, two), expected)


@pytest.mark.parametrize(
    ("center", "error", "text"),
    [
        (BOX, TypeError, "center: expected points, got other geometries"),
        (geopandas.GeoSeries([BOX, BOX], ["p", "r"]), TypeError, "center: expected points"),
        (shapely.Point(), ValueError, "center is (nan, nan)"),
        (
            geopandas.GeoSeries([None, shapely.Point(0, 0)], ["p", "r"]),
            ValueError,
            "center.loc['p'] is",
        ),
        (
            geopandas.GeoSeries.from_xy([0], [0], index=["r"]),
            ValueError,
            "no row has the label 'p'",
        ),
        (
            geopandas.GeoSeries.from_xy([0, 1, 2], [0, 0, 0], index=["p", "r", "p"]),
            ValueError,
            "center: the label 'p' repeats",
        ),
    ],
    ids=str,
)
def test_centers_that_are_no_points_are_refused(center, error, text):
    with pytest.raises(error) as caught:
        by_index.circle_polygon(center, 1, A.iloc[[0, 2]].set_crs(None, allow_override=True))
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("numbers", "error", "text"),
    [
        ([2**53 + 1, 1], ValueError, "9007199254740993, which no float64 holds exactly"),
        (["4", "1"], TypeError, "has a str, expected a number"),
        ([True, False], TypeError, "expected"),
    ],
    ids=str,
)
def test_numbers_with_labels_are_no_more_lenient_than_others(numbers, error, text):
    two = A.iloc[[0, 2]]
    velocity = pd.DataFrame({"x": numbers, "y": [0, 0]}, ["r", "p"])
    for call in (
        lambda: by_index.swept_collision(two, BOX, velocity),
        lambda: by_index.swept_collision(two, BOX, velocity.set_axis(["p", "r"])),
        lambda: by_index.colliding_pairs(two, velocity_a=velocity),
        lambda: by_index.circle_polygon((0, 0), pd.Series(numbers, ["r", "p"]), two),
    ):
        with pytest.raises(error) as caught:
            call()
        assert text in str(caught.value)


def test_numbers_of_nullable_types_are_numbers_and_may_be_missing():
    two = A.iloc[[0, 2]]
    velocity = pd.DataFrame({"x": [4, 0], "y": [0.5, 0.5]}, ["r", "p"]).convert_dtypes()
    plain = velocity.astype(float)
    found = by_index.swept_collision(two, FRAME, velocity)
    pd.testing.assert_frame_equal(found, by_index.swept_collision(two, FRAME, plain))
    velocity.loc["p", "x"] = pd.NA
    with pytest.raises(ValueError, match=r"velocity.loc\['p'\] is \(nan, 0.5\)"):
        by_index.swept_collision(two, FRAME, velocity)


def test_names_of_several_levels_are_tuples_in_a_join():
    labels = pd.MultiIndex.from_tuples([("x", 1), ("y", 2), ("x", 2)])
    rows = A.set_axis(labels)
    pairs = by_index.colliding_pairs(rows)
    assert pairs.to_dict("list") == {"a": [("x", 1)], "b": [("x", 2)]}
    assert by_index.colliding_pairs(rows[:0]).columns.tolist() == ["a", "b"]
    velocity = pd.DataFrame({"x": [0, 0, 50], "y": 0}, labels[::-1])
    assert by_index.colliding_pairs(rows, velocity_a=velocity).equals(pairs)
    with pytest.raises(ValueError, match=r"velocity_a: the label .* repeats"):
        by_index.colliding_pairs(rows, velocity_a=velocity.iloc[[0, 0, 1, 2]])


def test_pairs_are_named_by_their_labels():
    pairs = by_index.colliding_pairs(A)
    assert pairs.to_dict("list") == {"a": ["p"], "b": ["r"]}
    pairs = by_index.colliding_pairs(A, B)
    assert set(zip(pairs["a"], pairs["b"], strict=True)) == {
        ("p", "s"),
        ("p", "p"),
        ("r", "s"),
        ("r", "p"),
    }
    assert len(by_index.candidate_pairs(A, B)) == 5


@pytest.mark.parametrize("name", by_index.__all__)
def test_functions_along_an_index_are_documented(name):
    function = getattr(by_index, name)
    is_class = isinstance(function, type)
    text = (ClassDoc if is_class else FunctionDoc)(function)
    assert text["Summary"][0].endswith(".")
    sections = ["Parameters", "Returns", "Raises", "Examples"]
    if function is by_index.forget:  # takes and returns nothing
        sections = ["Examples"]
    assert is_class or all(text[section] for section in sections)
    assert doctest.run_docstring_examples(function, {}) is None


@pytest.mark.parametrize("module", ["", ".geopandas", ".shapely", ".pandas"])
def test_examples_of_the_modules_give_what_they_say(module):
    outcome = doctest.testmod(importlib.import_module(f"carom.interop{module}"))
    assert outcome.failed == 0


def test_arrow_arrays_are_taken_as_they_are():
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    column = carom.Shapes([square, None, [(4, 0), (5, 0), (4, 1)]])
    array = pa.array(column)
    chunked = pa.chunked_array([array[:1], array[1:]])
    for given in (array, chunked, pa.table({"geometry": array})["geometry"]):
        assert carom.Shapes(given) == column
        assert carom.intersects_batch(given, square).tolist() == [True, False, False]
        assert carom.colliding_pairs(given, [square]).tolist() == [[0], [0]]


def test_velocities_of_a_join_belong_to_rows_by_label():
    plots = geopandas.GeoSeries([shapely.box(0, 0, 2, 2), shapely.box(5, 0, 6, 1)], ["p", "q"])
    velocity = pd.DataFrame({"x": [-4, 0], "y": [0, 0]}, index=["q", "p"])
    assert by_index.colliding_pairs(plots, velocity_a=velocity).to_numpy().tolist() == [["p", "q"]]
    with pytest.raises(ValueError, match="velocity_a: no row has the label 'p'"):
        by_index.colliding_pairs(plots, velocity_a=velocity[:1])
    with pytest.raises(TypeError, match="b: expected a GeoSeries or a GeoDataFrame, got list"):
        by_index.colliding_pairs(plots, [shapely.box(0, 0, 2, 2)])


def test_a_schema_that_was_taken_is_not_looked_at():
    column = carom.Shapes([[(0, 0), (1, 0), (0, 1)]])

    class Taken:
        def __arrow_c_array__(self, requested_schema=None):
            schema, array = column.__arrow_c_array__()
            pa.Field._import_from_c_capsule(schema)
            return schema, array

    with pytest.raises(ValueError, match="the schema has been taken already"):
        carom.Shapes.from_arrow(Taken())
    wish = pa.int32().__arrow_c_schema__()
    pa.DataType._import_from_c_capsule(wish)
    schema, array = column.__arrow_c_array__(wish)
    assert carom.Shapes.from_arrow(pa.Array._import_from_c_capsule(schema, array)) == column


def test_rows_that_shapely_cannot_hold_are_named():
    coords = np.array([(0, 0), (1, 0), (0, 1)], dtype=float)
    column = carom.Shapes.from_ragged(coords, [0, 0, 3], [0, 2], check=False)
    assert np.isnan(column.bounds).all()
    with pytest.raises(ValueError, match="row 0: ring 0: Shapely has no polygons"):
        column.to_shapely()


NAN, INF = float("nan"), float("inf")
NOT_HELD = {
    "NaN first": ([(NAN, 0.0), (1.0, 0.0), (0.0, 1.0)], r"vertex 0 is \(nan, 0\.0\)"),
    "only NaN": ([(NAN, NAN)] * 5, r"vertex 0 is \(nan, nan\)"),
    "one vertex": ([(1.0, 1.0)], "less than 3 vertices, and this ring has 1"),
    "two vertices": ([(0.0, 0.0), (1.0, 1.0)], "less than 3 vertices, and this ring has 2"),
    "a point": ([(1.0, 1.0)] * 4, "less than 3 vertices"),
}


@pytest.mark.parametrize(("ring", "reason"), NOT_HELD.values(), ids=NOT_HELD)
def test_unchecked_rows_that_shapely_cannot_hold_are_named_with_the_reason(ring, reason):
    rows = [TRIANGLE, None, ring, TRIANGLE]
    with pytest.raises(ValueError, match=f"row 2: .*{reason}"):
        Shapes(rows, check=False).to_shapely()
    with pytest.raises(ValueError, match=f"row 1: .*{reason}"):
        Shapes(rows, check=False)[1:][::1].to_shapely()
    with pytest.raises(ValueError, match=f"row 1: ring 1: .*{reason}"):
        Shapes([TRIANGLE, [TRIANGLE, ring]], check=False).to_shapely()


HELD = {
    "bow tie": [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)],
    "no area": [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)],
    "there and back twice": [(0.0, 0.0), (1.0, 1.0)] * 2,
    "NaN later": [(0.0, 0.0), (NAN, 1.0), (1.0, 0.0)],
    "infinite": [(INF, 0.0), (1.0, 1.0), (1.0, -INF)],
}


@pytest.mark.parametrize("ring", HELD.values(), ids=HELD)
def test_unchecked_rows_that_shapely_can_hold_become_invalid_polygons(ring):
    column = Shapes([TRIANGLE, ring, [TRIANGLE, ring], None], check=False)
    one, other, with_hole, missing = column.to_shapely()
    assert one.is_valid and missing is None
    for found in (other.exterior, with_hole.interiors[0]):
        np.testing.assert_array_equal(shapely.get_coordinates(found), [*ring, ring[0]])
    assert not other.is_valid


ODDS = [0.32, 0.32, 0.32, 0.02, 0.02]


def test_any_unchecked_column_becomes_polygons_or_tells_the_row():
    random = np.random.default_rng(14)
    raised = 0
    for _ in range(300):
        rows = [
            [
                random.choice([0.0, 1.0, 2.0, NAN, INF], (random.integers(1, 6), 2), p=ODDS)
                for _ in range(random.integers(1, 3))
            ]
            for _ in range(random.integers(1, 4))
        ]
        column = Shapes(rows, check=False)
        try:
            made = column.to_shapely()
        except ValueError:
            with pytest.raises(ValueError, match=r"^row \d+: .*Shapely has no polygons"):
                column.to_shapely()
            raised += 1
        else:
            assert len(made) == len(rows)
    assert 30 < raised < 290


def test_trajectories_refuse_different_reference_systems():
    car = geopandas.GeoSeries([shapely.box(-2, -1, 2, 1)], crs=4326)
    with pytest.raises(ValueError, match="footprints has the CRS"):
        carom.first_contact(car, [[(0, 0, 0)]], car.to_crs(3857))


@pytest.mark.parametrize("form", [list, np.array, geopandas.GeoSeries, lambda points: points[0]])
def test_points_of_shapely_are_refused_with_what_makes_an_array_of_them(form):
    points, square = shapely.points([(0.0, 0.0), (3.0, 1.0)]), [(0, 0), (1, 0), (1, 1), (0, 1)]
    hint = r"got Point; shapely.get_coordinates\({}\) makes an array of shape \(N, 2\)"
    with pytest.raises(TypeError, match=r"center: expected .*" + hint.format("center")):
        carom.circle_polygon_batch(form(points), 1.0, square)
    with pytest.raises(TypeError, match=r"points: expected .*" + hint.format("points")):
        carom.convex_hull(form(points))
    with pytest.raises(TypeError, match=r"got Point; shapely.get_coordinates\(center\)\[0\] has"):
        carom.circle_polygon(points[1], 1.0, square)
    centers = shapely.get_coordinates(points)
    found = carom.circle_polygon_batch(centers, 1.0, square)
    assert found.intersects.tolist() == [True, False]


def test_a_missing_row_of_several_empty_polygons_moves_no_other_row():
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    coords = np.vstack([square, square + 5])
    column = Shapes.from_ragged(coords, [0, 4, 8], [0, 0, 0, 1, 2], [0, 2, 3, 4])
    squares = [shapely.Polygon(square), shapely.Polygon(square + 5)]
    assert same(column.to_shapely(), [None, *squares])


UNCHECKED = {
    "a polygon without rings": ([0, 4], [0, 1, 1], [0, 2], None, "less than 1 ring"),
    "a path of one vertex": ([0, 1, 4], [0, 1, 2], [0, 1, 2], [2, 2], "less than 2 vertices"),
    "points without a vertex": ([0, 0, 4], [0, 2], [0, 1], [1], "less than 1 vertex"),
}


@pytest.mark.parametrize(
    ("rings", "polygons", "rows", "kinds", "text"), UNCHECKED.values(), ids=UNCHECKED
)
def test_unchecked_parts_that_shapely_cannot_hold_are_refused(rings, polygons, rows, kinds, text):
    # GEOS crashes on some of them.
    coords = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    if kinds is None:
        column = Shapes.from_ragged(coords, rings, polygons, rows, check=False)
    else:
        attributes = (np.array(kinds, np.int8), [0.0] * len(kinds))
        column = Shapes._restored(coords, rings, polygons, rows, attributes, [])
    with pytest.raises(ValueError, match=f"row 0: Shapely has no parts of {text}"):
        column.to_shapely()


def test_an_empty_multipolygon_is_a_missing_row_among_rows_of_one_part():
    box, dots = shapely.box(0, 0, 1, 1), shapely.MultiPoint([(0, 0), (3, 0)])
    for rows in ([shapely.MultiPolygon(), None, dots], [dots, shapely.MultiPolygon(), box]):
        column = carom.Shapes.from_shapely(rows)
        rings, polygons = column.offsets
        assert len(polygons) == 4
        assert polygons[-1] == len(rings) - 1
        expected = [None if row is None or row.is_empty else row for row in rows]
        assert shapely.equals(column.to_shapely(), expected).sum() == 3 - expected.count(None)
        assert carom.Shapes.from_arrow(column) == column

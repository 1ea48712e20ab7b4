"""Coordinate reference systems of columns: their sources, which are the same, what keeps them."""

from __future__ import annotations

import json
import pickle
import sys
from typing import Any

import carom
import geopandas
import numpy as np
import pyarrow as pa
import pyproj
import pytest
import shapely
from carom.interop import geopandas as cg
from pyproj.crs import GeographicCRS, ProjectedCRS
from pyproj.crs.coordinate_operation import UTMConversion

BOX = shapely.box(0, 0, 1, 1)
NORTH, SOUTH = 32633, 32733


def column(crs: Any = None) -> carom.Shapes:
    return carom.Shapes.from_shapely([BOX, None, shapely.Point(5, 5)]).with_crs(crs)


def test_a_system_is_kept_as_it_was_given():
    assert column().crs is None
    assert column("EPSG:32633").crs == "EPSG:32633"
    assert column(NORTH).crs == column(np.int32(NORTH)).crs == "EPSG:32633"
    known = pyproj.CRS(NORTH)
    assert column(known).crs == known.to_json_dict()
    assert column(known.to_json_dict()).crs == known.to_json_dict()
    assert column(known.to_json()).crs == known.to_json_dict()
    assert column("EPSG:32633").with_crs(None).crs is None
    assert column("made up").crs == "made up"
    # The classes for parts of a system take other arguments than text.
    nad27 = GeographicCRS(datum="North American Datum 1927")
    utm = ProjectedCRS(UTMConversion(33), geodetic_crs=nad27)
    assert column(nad27).crs == nad27.to_json_dict()
    assert column(utm).crs == utm.to_json_dict()


@pytest.mark.parametrize(
    ("crs", "error", "match"),
    [
        ("", ValueError, "crs: expected a system, or None for none, got ''"),
        ({}, ValueError, "crs: expected a system"),
        (-1, ValueError, "crs: expected the number of an EPSG code, or None for none, got -1"),
        ({"id": {1, 2}}, ValueError, "crs: the dict is not PROJJSON"),
        ({"id": float("nan")}, ValueError, "crs: the dict is not PROJJSON"),
        ('{"id": 1', ValueError, "crs: expected PROJJSON or text without braces, got '{\"id\": 1'"),
        (1.5, TypeError, "crs: expected PROJJSON as a dict, text, an EPSG code or None, got float"),
        (True, TypeError, "got bool"),
    ],
)
def test_what_is_no_system_raises(crs: Any, error: type[Exception], match: str):
    with pytest.raises(error, match=match):
        column().with_crs(crs)


def test_equality_ignores_the_system():
    assert column(NORTH) == column(SOUTH) == column()


def test_derived_columns_keep_the_system():
    given = column("EPSG:32633")
    derived = [
        given[1:],
        given[[2, 0]],
        given[np.array([True, False, True])],
        given[2],
        given.translate((1, 1)),
        given.affine_transform([[1, 0, 5], [0, 1, 0]]),
        given.with_radius(0),
        carom.Shapes(given),
        carom.Shapes(given, on_invalid="mask"),
        pickle.loads(pickle.dumps(given)),
        carom.Shapes.concat([given, column()]),
        carom.Shapes.concat([column(), given]),
        carom.Shapes.from_arrow(given),
        carom.Shapes([given[2], None]),
    ]
    assert [it.crs for it in derived] == ["EPSG:32633"] * len(derived)
    masked = carom.Shapes([[(0, 0), (1, 1), (1, 0), (0, 1)]], check=False).with_crs(NORTH)
    assert carom.Shapes(masked, on_invalid="mask").crs == "EPSG:32633"


def test_series_srids_and_arrow_state_the_system():
    series = geopandas.GeoSeries([BOX], crs=NORTH)
    as_dict = pyproj.CRS(NORTH).to_json_dict()
    assert carom.Shapes.from_shapely(series).crs == as_dict
    assert carom.Shapes.from_shapely(geopandas.GeoDataFrame(geometry=series)).crs == as_dict
    assert carom.Shapes(series).crs == as_dict
    assert carom.Shapes.from_shapely([shapely.set_srid(BOX, NORTH), None]).crs == "EPSG:32633"
    assert carom.Shapes.from_shapely([shapely.set_srid(BOX, 0)]).crs is None
    assert carom.Shapes.from_arrow(series.to_arrow()).crs == as_dict
    wkb = pa.array(
        [shapely.to_wkb(shapely.set_srid(BOX, NORTH), include_srid=True), shapely.to_wkb(BOX)]
    )
    assert carom.Shapes.from_arrow(wkb).crs == "EPSG:32633"


def extended(*srids: int) -> pa.Array:
    return pa.array(
        [shapely.to_wkb(shapely.set_srid(BOX, it), include_srid=it != 0) for it in srids]
    )


def test_different_srids_of_rows_raise():
    with pytest.raises(ValueError, match=r"obj\[2\]: the SRID 32733, where obj\[1\] has 32633"):
        carom.Shapes.from_arrow(extended(0, NORTH, SOUTH))
    given = [BOX, shapely.set_srid(BOX, NORTH), shapely.set_srid(BOX, SOUTH)]
    with pytest.raises(ValueError, match=r"geoms\[2\]: the SRID 32733, where geoms\[1\] has 32633"):
        carom.Shapes.from_shapely(given)
    about = {
        "ARROW:extension:name": "geoarrow.wkb",
        "ARROW:extension:metadata": json.dumps({"crs": "EPSG:32733"}),
    }
    schema = pa.schema([pa.field("g", pa.binary(), metadata=about)])
    table = pa.Table.from_arrays([extended(0, NORTH)], schema=schema)
    with pytest.raises(
        ValueError,
        match=r"obj\[1\] has the CRS EPSG:32633 and the type of obj the CRS EPSG:32733",
    ):
        carom.Shapes.from_arrow(table)
    with pytest.raises(ValueError, match=r"geoms\[0\] has the CRS EPSG:32633"):
        carom.Shapes.from_shapely(geopandas.GeoSeries([shapely.set_srid(BOX, NORTH)], crs=SOUTH))


SAME = [
    ("EPSG:4326", "OGC:CRS84"),
    ("EPSG:4326", "epsg:4326"),
    ("EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84"),
    ("EPSG:32633", "urn:ogc:def:crs:EPSG::32633"),
    ("EPSG:32633", "32633"),
    ("EPSG:32633", pyproj.CRS(32633).to_json_dict()),
    (pyproj.CRS("OGC:CRS84").to_json_dict(), pyproj.CRS(4326).to_json_dict()),
]
BY_PYPROJ = [("EPSG:32633", pyproj.CRS(32633).to_wkt()), ("EPSG:3857", pyproj.CRS(3857).to_wkt())]


@pytest.mark.parametrize(("one", "other"), [*SAME, *BY_PYPROJ])
def test_the_same_system_in_other_words_is_the_same(one: Any, other: Any):
    a, b = column(one), column(other)
    assert carom.colliding_pairs(a, b).shape == (2, 2)
    assert carom.colliding_pairs(b, a).shape == (2, 2)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_codes_and_text_are_compared_without_pyproj(
    one: Any, other: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "pyproj", None)
    assert carom.intersects_batch(column(one), column(other)).tolist() == [True, False, True]
    with pytest.raises(ValueError, match="takes pyproj, which is not installed"):
        carom.intersects_batch(column(one), column("EPSG:2180"))


CALLS: dict[str, Any] = {
    "intersects": lambda a, b: carom.intersects(a[2], b[2]),
    "distance": lambda a, b: carom.distance(a[2], b[2]),
    "swept_collision": lambda a, b: carom.swept_collision(a[2], b[2], (1, 0)),
    "intersects_batch": carom.intersects_batch,
    "distance_batch": carom.distance_batch,
    "sat_batch": lambda a, b: carom.sat_batch(a[2:], b[2:]),
    "penetration_batch": carom.penetration_batch,
    "closest_approach_batch": lambda a, b: carom.closest_approach_batch(a, b, (1, 0)),
    "swept_collision_batch": lambda a, b: carom.swept_collision_batch(a, b, (1, 0)),
    "contact_intervals_batch": lambda a, b: carom.contact_intervals_batch(a, b, (1, 0)),
    "overlap_area_batch": carom.overlap_area_batch,
    "predicate_batch": lambda a, b: carom.predicate_batch(a, b, "touches"),
    "candidate_pairs": carom.candidate_pairs,
    "colliding_pairs": carom.colliding_pairs,
    "iter_colliding_pairs": lambda a, b: list(carom.iter_colliding_pairs(a, b)),
    "nearest": carom.nearest,
    "first_contact": lambda a, b: carom.first_contact(a[2:], np.zeros((1, 2, 3)), b),
    "clearance": lambda a, b: carom.clearance(a[2:], np.zeros((1, 2, 3)), b),
    "first_contact with poses": lambda a, b: carom.first_contact(
        a[2:], np.zeros((1, 2, 3)), b[2:], obstacle_poses=np.zeros((1, 2, 3))
    ),
    "concat": lambda a, b: carom.Shapes.concat([a, b]),
    "Shapes": lambda a, b: carom.Shapes([a[2], b[2]]),
}


@pytest.mark.parametrize("name", CALLS)
def test_two_systems_are_refused_everywhere(name: str):
    call = CALLS[name]
    call(column(NORTH), column())
    call(column(), column(NORTH))
    call(column(NORTH), column("EPSG:32633"))
    with pytest.raises(ValueError, match=r"has the CRS EPSG:32633 and .* the CRS EPSG:32733"):
        call(column(NORTH), column(SOUTH))


def test_other_forms_of_operands_are_refused_too():
    series = geopandas.GeoSeries([BOX], crs=SOUTH)
    table = pa.table(geopandas.GeoDataFrame(geometry=series).to_arrow())
    for other in (
        series,
        table,
        series.to_arrow(),
        [shapely.set_srid(BOX, SOUTH)],
        extended(SOUTH),
    ):
        with pytest.raises(ValueError, match="a has the CRS EPSG:32633 and b the CRS EPSG:32733"):
            carom.colliding_pairs(column(NORTH), other)
    with pytest.raises(ValueError, match="a has the CRS EPSG:32633 and b the CRS EPSG:32733"):
        carom.intersects(shapely.set_srid(BOX, NORTH), shapely.set_srid(BOX, SOUTH))


@pytest.mark.parametrize("crs", [None, "EPSG:32633", "OGC:CRS84", pyproj.CRS(NORTH), "made up"])
@pytest.mark.parametrize("rows", [slice(0, 1), slice(0, 3)])
def test_exports_state_the_system(crs: Any, rows: slice):
    given = column(crs)[rows]
    schema = pa.field(given)
    stated = json.loads(schema.metadata[b"ARROW:extension:metadata"])
    assert stated.get("crs") == given.crs
    back = carom.Shapes.from_arrow(given)
    assert back == given
    assert back.crs == given.crs
    series = geopandas.GeoSeries.from_arrow(given) if crs != "made up" else None
    if series is not None:
        assert series.crs == (None if crs is None else pyproj.CRS(crs))


def test_srids_of_frames_are_compared_and_named_by_label():
    def frame(srids: list[int], crs: Any = None) -> geopandas.GeoDataFrame:
        rows = [shapely.set_srid(BOX, srid) for srid in srids]
        return geopandas.GeoDataFrame(geometry=rows, index=[*"pq"][: len(rows)], crs=crs)

    for function in (cg.sjoin, cg.sjoin_nearest, cg.colliding_pairs, cg.distance):
        with (
            pytest.warns(UserWarning, match="CRS mismatch"),
            pytest.raises(ValueError, match="the CRS EPSG:32733; bring"),
        ):
            function(frame([0], NORTH), frame([SOUTH]))
    assert cg.column(frame([0], NORTH)).shapes.crs == pyproj.CRS(NORTH).to_json_dict()
    text = r"^rows\.loc\['q'\]: the SRID 32733, where rows\.loc\['p'\] has 32633; rows of"
    with pytest.raises(ValueError, match=text):
        cg.column(frame([NORTH, SOUTH]))
    text = r"^rows\.loc\['p'\] has the CRS EPSG:32733 and rows the CRS EPSG:32633; a column"
    with pytest.raises(ValueError, match=text):
        cg.column(frame([SOUTH], NORTH))

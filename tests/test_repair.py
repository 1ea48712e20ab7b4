"""Repair of frames, and the warning for rows that a mask leaves out.

The file is long because each fault of a shape and each form of rows has a case of its own.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import carom
import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg

NAN = float("nan")
BOX = shapely.box(0, 0, 1, 1)
BOW = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
FLAT = shapely.Polygon([(0, 0), (1, 1), (2, 2)])
ROOF = shapely.Polygon([(0, 0, 5), (1, 0, 5), (0, 1, 5)])
LINES_BESIDE = shapely.GeometryCollection([BOX, shapely.LineString([(0, 0), (3, 3)])])

VALID = "made valid"
YARD = "(0 0, 9 0, 9 9, 0 9, 0 0)"
TWO = "MULTIPOLYGON (((8 8, 10 8, 10 10, 8 10, 8 8)), ((15 5, 16 5, 16 6, 15 6, 15 5)))"
# What is done to each, and the area that it has then.
BROKEN: dict[str, tuple[str, str, float]] = {
    "bow tie": ("POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))", VALID, 2.0),
    "spike": ("POLYGON ((0 0, 4 0, 6 0, 3 0, 3 3, 0 0))", VALID, 4.5),
    "slit": ("POLYGON ((0 0, 4 0, 4 4, 2 4, 2 2, 2 4, 0 4, 0 0))", VALID, 16.0),
    "ring that turns twice": (
        "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0, 2 0, 2 2, 0 2, 0 0))",
        VALID,
        4.0,
    ),
    "ring that touches itself": ("POLYGON ((0 0, 4 0, 4 4, 2 0, 0 4, 0 0))", VALID, 8.0),
    "hole that shares an edge with the shell": (
        f"POLYGON ({YARD}, (0 1, 2 1, 2 2, 0 2, 0 1))",
        VALID,
        79.0,
    ),
    "hole that crosses the shell": (f"POLYGON ({YARD}, (-1 1, 2 1, 2 2, -1 2, -1 1))", VALID, 79.0),
    "hole beside the shell": (f"POLYGON ({YARD}, (10 0, 11 0, 11 1, 10 1, 10 0))", VALID, 82.0),
    "hole in a hole": (
        f"POLYGON ({YARD}, (1 1, 5 1, 5 5, 1 5, 1 1), (2 2, 3 2, 3 3, 2 3, 2 2))",
        VALID,
        65.0,
    ),
    "hole twice": (
        f"POLYGON ({YARD}, (1 1, 5 1, 5 5, 1 5, 1 1), (1 1, 5 1, 5 5, 1 5, 1 1))",
        VALID,
        65.0,
    ),
    "hole without an area": (f"POLYGON ({YARD}, (1 1, 2 2, 3 3, 1 1))", VALID, 81.0),
    "holes that cut the interior": (f"POLYGON ({YARD}, (0 4, 4 1, 9 4, 4 7, 0 4))", VALID, 54.0),
    "parts that share an edge": (
        "MULTIPOLYGON (((0 0, 1 0, 1 2, 0 2, 0 0)), ((1 1, 2 1, 2 3, 1 3, 1 1)))",
        VALID,
        4.0,
    ),
    "parts that overlap": (
        "MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((1 1, 3 1, 3 3, 1 3, 1 1)))",
        VALID,
        7.0,
    ),
    "part in a part": (f"MULTIPOLYGON (({YARD}), ((1 1, 2 1, 2 2, 1 1)))", VALID, 81.0),
    "part twice": (f"MULTIPOLYGON (({YARD}), ({YARD}))", VALID, 81.0),
    "empty part": (f"MULTIPOLYGON (({YARD}), EMPTY)", VALID, 81.0),
    # GEOS makes two parts of it that share an edge, which are not valid.
    "ring along itself": ("POLYGON ((4 2, 0 2, 4 4, 5 2, 3 2, 3 0, 4 2))", VALID, 6.0),
    # GEOS makes a collection of it, with a line.
    "ring and hole that cross": (
        "POLYGON ((2 0, 3 0, 1 4, 3 1, 5 0, 3 4, 2 0), (1 2, 1 4, 2 1, 4 3, 4 3, 1 2))",
        VALID,
        142 / 35,
    ),
    "polygon in a collection": (
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 2, 0 0)), LINESTRING (0 0, 9 9))",
        "kept polygons",
        2.0,
    ),
    "polygons in collections that overlap": (
        f"GEOMETRYCOLLECTION (POINT (9 9), GEOMETRYCOLLECTION (POLYGON ({YARD}), {TWO}))",
        "kept polygons, made valid",
        85.0,
    ),
    "polygon with Z": ("POLYGON Z ((0 0 1, 2 0 1, 2 2 NaN, 0 0 1))", "dropped Z", 2.0),
    "bow tie with Z": (
        "POLYGON Z ((0 0 1, 2 2 1, 2 0 1, 0 2 1, 0 0 1))",
        "dropped Z, made valid",
        2.0,
    ),
    "polygon with M": ("POLYGON M ((0 0 1, 2 0 1, 2 2 1, 0 0 1))", "dropped M", 2.0),
    "point with Z and M": ("POINT ZM (1 2 3 4)", "dropped Z and M", 0.0),
    "vertex of NaN": ("POLYGON ((0 0, 2 0, 1234 1, 2 2, 0 2, 0 0))", "dropped vertices", 4.0),
    "vertex at infinity": ("POLYGON ((0 0, 2 0, 2 2, 4321 5, 0 2, 0 0))", "dropped vertices", 4.0),
    "line with NaN": ("LINESTRING (0 0, 2 2, 2 0, 0 2, 1234 5)", "dropped vertices", 0.0),
    "point of NaN among others": ("MULTIPOINT (0 0, 1 1234 , 2 2)", "dropped vertices", 0.0),
}
# What nothing is left of.
LOST = {
    "ring without an area": "POLYGON ((0 0, 1 1, 2 2, 0 0))",
    "ring of one point": "POLYGON ((1 1, 1 1, 1 1, 1 1))",
    "hole equal to the shell": f"POLYGON ({YARD}, {YARD})",
    "point with a NaN": "POINT (1 1234 )",
    "line of one finite vertex": "LINESTRING (0 0, 1234 1)",
    "collection of lines": "GEOMETRYCOLLECTION (POINT (0 0), LINESTRING (0 0, 1 1))",
}


def read(wkt: str) -> shapely.Geometry:
    """A geometry, in which 1234 stands for NaN and 4321 for infinity."""
    read = shapely.from_wkt(wkt)
    return shapely.transform(read, not_finite) if {"1234", "4321"} & set(wkt.split()) else read


def not_finite(coordinates: Any) -> Any:
    return np.select([coordinates == 1234.0, coordinates == 4321.0], [NAN, np.inf], coordinates)


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_shape_becomes_a_valid_one_of_this_area(what: str) -> None:
    wkt, done, area = BROKEN[what]
    broken = geopandas.GeoSeries([read(wkt)], [what])
    assert cg.is_valid(broken).tolist() == [False]
    repaired, report = cg.repair(broken, collections="polygons")
    assert shapely.is_valid(repaired[what])
    assert shapely.get_coordinate_dimension(repaired[what]) == 2
    assert carom.Shapes(repaired).kind[0] >= 0
    assert repaired[what].area == pytest.approx(area, rel=1e-12)
    assert report["done"].to_dict() == {what: done}


@pytest.mark.parametrize("what", LOST)
def test_what_nothing_is_left_of_is_missing_and_told(what: str) -> None:
    lost = geopandas.GeoSeries([BOX, read(LOST[what])], ["p", "q"])
    repaired, report = cg.repair(lost, collections="polygons")
    assert repaired["q"] is None
    assert report["done"].to_dict() == {"q": "made missing"}
    assert report["reason"].str.len().min() > 10


def random_ring(rng: Random) -> list[tuple[float, float]]:
    """A ring that crosses itself, of whole numbers or not, near the origin or far from it."""
    digits, offset = rng.choice([0, 0, 1, 12]), rng.choice([0.0, 0.0, 450000.123])

    def number() -> float:
        return round(rng.uniform(0, 6), digits) + offset

    return [(number(), number()) for _ in range(rng.randrange(4, 14))]


def area_around(ring: list[tuple[float, float]]) -> float:
    """The area of the points around which a ring turns, from the faces that its edges bound."""
    edges = shapely.union_all(
        [shapely.LineString(ends) for ends in zip(ring, ring[1:] + ring[:1], strict=True)]
    )
    faces = shapely.polygonize([edges]).geoms
    return sum(face.area for face in faces if turns(ring, face.representative_point()))


def turns(ring: list[tuple[float, float]], at: shapely.Point) -> int:
    """How often a ring turns around a point: the crossings of a ray to the right, by direction."""
    count = 0
    for (px, py), (qx, qy) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (py > at.y) != (qy > at.y):
            side = (qx - px) * (at.y - py) - (qy - py) * (at.x - px)
            count += (side > 0 and qy > py) - (side < 0 and qy < py)
    return count


def random_rings(count: int) -> geopandas.GeoSeries:
    rings = [random_ring(Random(f"ring {seed}")) for seed in range(count)]
    return geopandas.GeoSeries([shapely.Polygon(ring) for ring in rings])


def test_vertices_are_dropped_and_what_is_left_is_made_valid() -> None:
    """Both are told, with both reasons."""
    bow = shapely.from_wkt("POLYGON ((0 0, 2 2, 1234 1, 2 0, 0 2, 0 0))")
    holes = shapely.from_wkt(
        f"POLYGON ({YARD}, (1 1, 2 1234, 2 2, 1 1), (5 1, 5 5, 1234 5, 1 5, 5 1))"
    )
    parts = shapely.from_wkt("MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 1234, 5 5)))")
    given = [shapely.transform(it, not_finite) for it in (bow, holes, parts)]
    rows, report = cg.repair(geopandas.GeoSeries(given))
    assert report["done"].tolist() == [f"dropped vertices, {VALID}", *["dropped vertices"] * 2]
    assert rows.area.tolist() == [2.0, 73.0, 0.5]
    assert "; the ring meets itself" in report["reason"].tolist()[0]


@pytest.mark.parametrize("exponent", [-1073, -1000, -500, 201, 450, 500, 700, 1022])
def test_a_bow_tie_of_any_size_keeps_both_halves(exponent: int) -> None:
    """Also where products of coordinates are infinite or zero in float64, without a warning."""
    power = 2.0**exponent
    bow = shapely.transform(BOW, lambda at: at * power)
    repaired, report = cg.repair(geopandas.GeoSeries([bow]))
    assert report["done"].tolist() == [VALID]
    expected = shapely.transform(
        cg.repair(geopandas.GeoSeries([BOW])).rows[0], lambda at: at * power
    )
    assert repaired[0].equals_exact(expected, 0.0)


def test_the_attributes_of_a_series_are_kept() -> None:
    rows = geopandas.GeoSeries([BOW])
    rows.attrs["source"] = "survey"
    assert cg.repair(rows).rows.attrs == {"source": "survey"}
    assert cg.repair(rows.to_frame("geometry")).rows.attrs == {"source": "survey"}


def test_random_rings_become_what_they_turn_around() -> None:
    broken = random_rings(2000)
    repaired, report = cg.repair(broken)
    assert shapely.is_valid(repaired.dropna()).all()
    assert carom.Shapes(repaired).is_valid.all()
    areas = [area_around(list(ring.exterior.coords)[:-1]) for ring in broken]
    np.testing.assert_allclose(repaired.area.fillna(0.0), areas, rtol=1e-9, atol=1e-9)
    assert 1500 < len(report) < 2000


def test_random_polygons_with_holes_and_parts_become_valid() -> None:
    broken: list[shapely.Geometry] = []
    for seed in range(1000):
        rng = Random(f"rings {seed}")
        several = [random_ring(rng) for _ in range(rng.randrange(2, 4))]
        is_one = rng.random() < 0.5
        broken.append(
            shapely.Polygon(several[0], several[1:])
            if is_one
            else shapely.MultiPolygon([shapely.Polygon(ring) for ring in several])
        )
    repaired, report = cg.repair(geopandas.GeoSeries(broken))
    assert shapely.is_valid(repaired.dropna()).all()
    assert carom.Shapes(repaired).is_valid.all()
    assert repaired.isna().sum() < 100
    assert len(report) > 900


def test_what_the_message_advises_makes_every_random_ring_valid() -> None:
    broken = random_rings(1000)
    told = ""
    for g in broken[cg.is_valid(broken) == False]:  # noqa: E712  # <NA> is neither
        with pytest.raises(ValueError, match="geoms") as caught:
            carom.Shapes.from_shapely([g])
        if "; shapely.buffer" in str(caught.value):
            told = str(caught.value).partition("; ")[2].removesuffix(" repairs it")
            repaired = eval(told, {"shapely": shapely, "g": g})  # the advice itself
            assert carom.Shapes([repaired]).is_valid.all()
    assert told


LABELS: dict[str, Any] = {
    "numbers": pd.RangeIndex(4),
    "text": pd.Index(list("pqrs"), name="plot"),
    "twice the same": pd.Index(["p", "p", "p", "q"]),
    "levels": pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["block", "lot"]),
    "times": pd.date_range("2024-01-01", periods=4),
}


@pytest.mark.parametrize("labels", LABELS)
def test_labels_columns_and_systems_are_kept_and_the_report_names_labels(labels: str) -> None:
    index = LABELS[labels]
    frame = geopandas.GeoDataFrame(
        {"owner": ["Ann", "Bo", "Cy", "Di"], "shape": [BOX, BOW, None, ROOF]},
        geometry="shape",
        index=index,
        crs=32633,
    ).assign(seat=geopandas.GeoSeries([BOW] * 4, index=index, crs=4326))
    frame.attrs["source"] = "survey"
    repaired, report = cg.repair(frame)
    assert isinstance(repaired, geopandas.GeoDataFrame)
    assert repaired.active_geometry_name == "shape"
    assert (repaired.crs, repaired["seat"].crs) == (frame.crs, frame["seat"].crs)
    assert repaired.attrs == frame.attrs
    others = ["owner", "seat"]
    assert repaired[others].equals(frame[others])
    pd.testing.assert_index_equal(repaired.index, index)
    pd.testing.assert_index_equal(report.index, index[[1, 3]])
    assert report["done"].tolist() == ["made valid", "dropped Z"]
    assert [it.geom_type for it in frame["shape"].dropna()] == ["Polygon"] * 3


def test_rows_that_are_valid_or_missing_keep_their_objects() -> None:
    ring = shapely.LinearRing([(0, 0), (1, 0), (1, 1)])
    at_a_point = shapely.LineString([(1, 1), (1, 1)])
    near = shapely.Point(1, 2, NAN)
    kept: list[Any] = [
        BOX,
        None,
        shapely.Polygon(),
        ring,
        at_a_point,
        near,
        shapely.GeometryCollection(),
    ]
    rows = geopandas.GeoSeries([*kept, BOW])
    repaired, report = cg.repair(rows)
    assert all(one is other for one, other in zip(repaired[:-1], kept, strict=True))
    assert report.index.tolist() == [len(kept)]


@pytest.mark.parametrize("rows", [[], [None], [BOX]])
def test_without_invalid_rows_the_report_is_empty(rows: list[Any]) -> None:
    series = geopandas.GeoSeries(rows, crs=32633)
    repaired, report = cg.repair(series)
    assert repaired.equals(series)
    assert repaired.crs == series.crs
    assert report.empty
    assert report.columns.tolist() == ["reason", "done"]
    frame = series.to_frame("shape")
    assert cg.repair(frame).rows.equals(frame)


def test_series_and_columns_are_taken_and_keep_the_name() -> None:
    series = geopandas.GeoSeries([BOX, BOW], ["p", "q"], crs=32633, name="plot")
    found = cg.repair(series)
    assert isinstance(found.rows, geopandas.GeoSeries)
    assert found.rows.name == "plot"
    for given in (pd.Series(np.asarray(series), series.index), cg.column(series, check=False)):
        again = cg.repair(given)
        assert shapely.equals_exact(np.asarray(again.rows), np.asarray(found.rows)).all()
        assert again.report.equals(found.report)
    assert cg.repair(found.rows).report.empty


def test_a_result_that_is_taken_for_its_rows_is_told_where_these_are() -> None:
    repaired = cg.repair(geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)]))
    with pytest.raises(TypeError, match=r"^left: .*, got Repaired; left\.rows has the rows$"):
        cg.sjoin(repaired, repaired.rows)
    with pytest.raises(TypeError, match=r"^a: .*, got Repaired; a\.rows has the rows$"):
        cg.intersects(repaired, shapely.Point(0, 0))


def test_a_repaired_frame_is_joined_without_an_error() -> None:
    wkts = [*(wkt for wkt, _, _ in BROKEN.values()), *LOST.values()]
    frame = geopandas.GeoDataFrame(geometry=[read(wkt) for wkt in wkts])
    with pytest.raises((TypeError, ValueError), match=r"^left\.loc\["):
        cg.sjoin(frame, frame)
    repaired = cg.repair(frame, collections="polygons").rows
    found, expected = (
        join(repaired, repaired)["index_right"].sort_index(kind="stable")
        for join in (cg.sjoin, geopandas.sjoin)
    )
    assert sorted(found.items()) == sorted(expected.items())


def test_collections_and_what_has_no_geometries_are_refused() -> None:
    rows = geopandas.GeoSeries([BOW, LINES_BESIDE], ["p", "q"])
    advice = re.escape("carom.interop.geopandas.repair(rows, collections='polygons') keeps its")
    with pytest.raises(TypeError, match=rf"^rows\.loc\['q'\]: .* GeometryCollection; {advice}"):
        cg.repair(rows)
    for bad in ("drop", None, ["polygons"]):
        with pytest.raises(ValueError, match=r"^collections: expected 'raise' or 'polygons', got"):
            cg.repair(rows, collections=bad)  # type: ignore[arg-type]
    for given in ([BOW], pd.Series([1.0]), carom.Shapes([BOX])):
        with pytest.raises(TypeError, match=r"^rows: expected a GeoSeries or a GeoDataFrame, got"):
            cg.repair(given)


@pytest.mark.parametrize(
    "broken",
    [BOW, shapely.MultiPolygon([shapely.box(0, 0, 1, 2), shapely.box(1, 0, 2, 2)]), LINES_BESIDE],
)
def test_errors_about_a_frame_advise_a_call_that_makes_it_valid(broken: shapely.Geometry) -> None:
    left = geopandas.GeoDataFrame(geometry=[BOX, broken])
    with pytest.raises((TypeError, ValueError), match=r"^left\.loc\[1\]: ") as caught:
        cg.sjoin(left, left)
    advice = re.search(r"carom\.interop\.geopandas\.repair\([^)]*\)", str(caught.value))
    assert advice is not None
    repaired = eval(advice[0], {"carom": carom, "left": left})  # the advice itself
    assert len(cg.sjoin(repaired.rows, repaired.rows)) == 4


ROWS: list[Any] = [BOX, BOW, None, ROOF, FLAT, LINES_BESIDE]
MASKED = geopandas.GeoDataFrame(geometry=ROWS, index=list("pqrstu"))
TOLD = (
    "left: 4 rows are masked, as if missing: 1 has Z or M, 1 is a GeometryCollection, 2 are not "
    "valid (first: left.loc['q']: the ring meets itself: edge 0 and edge 2 have the point (1.0, "
    "1.0) in common); drop_z=True takes rows with Z and M, and "
    "carom.interop.geopandas.repair(left, collections='polygons') repairs rows"
)


@pytest.mark.parametrize("join", [cg.sjoin, cg.sjoin_nearest])
def test_masked_rows_are_counted_by_reason_in_one_warning_at_the_call(join: Any) -> None:
    with pytest.warns(UserWarning, match="masked") as caught:
        found = join(MASKED, MASKED, on_invalid="mask")
    assert [str(it.message) for it in caught] == [TOLD]
    assert caught[0].filename == __file__
    assert found.index.tolist() == ["p"]


def test_each_argument_and_each_kind_of_row_is_warned_of() -> None:
    for given, told in (
        ([ROOF], "rows: 1 row is masked, as if missing: 1 has Z or M .* takes rows with Z and M$"),
        ([BOW, BOW, BOX], r"rows: 2 rows are .*: 2 are not valid .*repair\(rows\) repairs rows$"),
        ([LINES_BESIDE] * 2, r"rows: 2 rows are .*: 2 are GeometryCollections .*='polygons'\) rep"),
    ):
        with pytest.warns(UserWarning, match=f"^{told}"):
            cg.column(geopandas.GeoSeries(given), on_invalid="mask")
    with pytest.warns(UserWarning, match="masked") as caught:
        cg.sjoin(MASKED, MASKED.copy(), on_invalid="mask")
    assert [str(it.message)[:6] for it in caught] == ["left: ", "right:"]


def test_nothing_is_warned_of_that_a_column_told_or_that_is_only_examined() -> None:
    with pytest.warns(UserWarning, match="^rows: 4 rows are masked"):
        column = cg.column(MASKED, on_invalid="mask")
    # Warnings are errors in tests.
    assert cg.sjoin(column, column, on_invalid="mask").index.tolist() == ["p"]
    assert cg.is_valid(MASKED).tolist() == [True, False, pd.NA, False, False, False]
    assert cg.invalid_reason(MASKED).notna().sum() == 4
    assert len(cg.repair(MASKED, collections="polygons").report) == 4
    assert cg.sjoin(MASKED[:1], MASKED[:1], on_invalid="mask").index.tolist() == ["p"]


@pytest.mark.parametrize("join", [cg.sjoin, cg.sjoin_nearest])
def test_joins_drop_z_and_their_results_keep_it(join: Any) -> None:
    rows: list[Any] = [ROOF, shapely.Point(1, 2, 3), None]
    raised = geopandas.GeoDataFrame({"n": [1, 2, 3]}, geometry=rows)
    raised = raised.set_index(pd.Index(["p", "q", "r"]))
    with pytest.raises(ValueError, match=r"^left\.loc\['p'\]: the coordinates have Z; drop_z=True"):
        join(raised, raised)
    flat = raised.set_geometry(raised.force_2d())
    found, expected = join(raised, raised, drop_z=True), join(flat, flat)
    assert found.drop(columns="geometry").equals(expected.drop(columns="geometry"))
    assert shapely.has_z(found.geometry).all()
    assert join(flat, raised, drop_z=True).index.tolist() == expected.index.tolist()

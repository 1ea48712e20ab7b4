"""Labels, columns with an index, reasons and warnings of `carom.interop.geopandas`."""

import copy
import inspect
import pickle
import re
import warnings

import carom
import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg
from carom.interop.geopandas.row_values import read

from docstring_rules import assert_documented

BOW = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
ROWS = geopandas.GeoSeries(
    [shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)], ["p", "q", "r"], crs=32633
)
OTHERS = geopandas.GeoSeries(
    [None, shapely.box(8, 0, 9, 1), shapely.box(1, 1, 3, 3)], [7, 8, 9], crs=32633
)
TWO_LEVELS = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["u", "v"])
INVALID = "the ring meets itself"


@pytest.mark.parametrize(
    "index", [pd.Index(["p", "q", "r"]), pd.Index([3, 1, 2]), TWO_LEVELS], ids=str
)
def test_pairs_of_a_join_are_pairs_of_the_other_functions(index):
    rows = ROWS.set_axis(index)
    for b in (OTHERS, OTHERS.set_axis(TWO_LEVELS)):
        pairs = cg.colliding_pairs(rows, b, margin=3.5)
        i, j = carom.colliding_pairs(rows, b, margin=3.5)
        assert len(pairs) == 4
        expected = carom.distance_batch(rows, b, pairs=(i, j)).to_pandas()
        pd.testing.assert_frame_equal(cg.distance(rows, b, pairs=pairs), expected)
        labels = pairs["a"].tolist(), pairs["b"].tolist()
        pd.testing.assert_frame_equal(cg.distance(rows, b, pairs=labels), expected)
        chosen = pairs[::2]
        pd.testing.assert_frame_equal(cg.distance(rows, b, pairs=chosen), expected[::2])
        assert pairs.join(cg.distance(rows, b, pairs=chosen)).shape == (4, 7)
        assert cg.distance(rows, b, pairs=pairs[:0]).empty
    own = cg.colliding_pairs(rows, margin=1)
    touching = cg.intersects(rows, rows, pairs=own)
    assert touching.tolist() == [True, False]


def test_pairs_of_a_join_of_frames_are_its_index_and_its_column():
    left, right = (it.to_frame("geometry") for it in (ROWS, OTHERS))
    joined = cg.sjoin(left, right, margin=3.5, distance_col="metres")
    found = cg.distance(left, right, pairs=(joined.index, joined["index_right"]))
    assert found["distance"].tolist() == joined["metres"].tolist()


def test_velocities_and_margins_of_pairs_belong_to_pairs_or_are_columns_of_the_rows():
    frame = ROWS.to_frame("shape").assign(x=[1.0, 2.0, 3.0], y=0.0, m=[0, 0, 3.5])
    pairs = pd.DataFrame({"a": ["r", "p"], "b": [8, 8]}, index=["one", "two"])
    expected = carom.swept_collision_batch(ROWS[["r", "p"]], OTHERS[[8, 8]].array, [(3, 0), (1, 0)])
    expected = expected.to_pandas(pairs.index)
    by_label = pd.DataFrame({"x": [1, 3], "y": [0, 0]}, ["two", "one"])
    for velocity in (("x", "y"), [(3, 0), (1, 0)], by_label):
        found = cg.swept_collision(frame, OTHERS, velocity, pairs=pairs)
        pd.testing.assert_frame_equal(found, expected)
    assert cg.intersects(frame, OTHERS, margin="m", pairs=pairs).to_dict() == {
        "one": True,
        "two": False,
    }
    with pytest.raises(ValueError, match=r"velocity.loc\['two'\] is \(nan, 0.0\)"):
        cg.swept_collision(frame, OTHERS, [(3, 0), (np.nan, 0)], pairs=pairs)


@pytest.mark.parametrize(
    ("pairs", "error", "text"),
    [
        ((["p", "z"], [8, 8]), ValueError, "pairs[0]: no row has the label 'z'"),
        ((["p"], [1]), ValueError, "pairs[1]: no row has the label 1"),
        ((["p"], [8, 9]), ValueError, "pairs: expected as many labels of a as of b, got 1 and 2"),
        (np.zeros((2, 3), int), TypeError, "pairs: expected a DataFrame with the columns a and b"),
        (pd.DataFrame({"a": ["p"]}), ValueError, "returns it, got the columns ['a']"),
        (
            pd.DataFrame({"index_right": [8]}, ["p"]),
            ValueError,
            "; of what sjoin returns, (pairs.index, pairs['index_right']) are pairs",
        ),
    ],
    ids=str,
)
def test_pairs_that_name_no_rows_are_refused(pairs, error, text):
    with pytest.raises(error) as caught:
        cg.distance(ROWS, OTHERS, pairs=pairs)
    assert text in str(caught.value)


def test_a_label_that_repeats_names_no_pair_but_others_do():
    rows = ROWS.set_axis(["p", "p", "q"])
    assert cg.distance(rows, OTHERS, pairs=(["q"], [8]))["distance"].tolist() == [1.0]
    with pytest.raises(
        ValueError, match=r"pairs\[0\]: the label 'p' repeats in a; sjoin\(..., fields"
    ):
        cg.distance(rows, OTHERS, pairs=(["q", "p"], [8, 8]))


def test_errors_name_the_label_of_a_row():
    bad = geopandas.GeoSeries([*ROWS, BOW, BOW], ["p", "q", "r", "s", "p"], crs=32633)
    arrow = shapely.Polygon([(0, 0), (4, 2), (0, 4), (1, 2)])
    concave = geopandas.GeoSeries([None, arrow], [246, 135], crs=32633)
    for call, text in (
        (lambda: cg.intersects(ROWS, ROWS[:2], align=False), r"a has 3 rows and b has 2"),
        (lambda: cg.intersects(BOW, bad[:4]), r"b.loc\['s'\]: " + INVALID),
        (lambda: cg.colliding_pairs(ROWS, bad[:4]), r"b.loc\['s'\]: " + INVALID),
        (lambda: cg.distance(bad.iloc[[0, 4]], ROWS.iloc[0]), r"a.loc\['p'\] \(row 1\): "),
        (
            lambda: cg.sat(concave, ROWS.iloc[0]),
            r"a.loc\[135\]: the polygon is not convex at vertex",
        ),
        (
            lambda: cg.sat(ROWS.iloc[:2], concave.set_axis(["q", "p"]), align=True),
            r"b.loc\['p'\]: the p",
        ),
        (
            lambda: cg.column(bad.set_axis(pd.MultiIndex.from_product([["a"], range(5)]))),
            r"rows.loc\[\('a', 3\)\]: ",
        ),
        (lambda: cg.circle_polygon((0, 0), [1, -1, 1], ROWS), r"radius.loc\['q'\] is -1.0"),
        (
            lambda: cg.swept_collision(ROWS, OTHERS, [(0, 0), (0, np.inf), (0, 0)], align=False),
            r"velocity.loc\['q'\]",
        ),
    ):
        with pytest.raises(ValueError, match=text):
            call()
    collection = geopandas.GeoSeries([shapely.GeometryCollection([ROWS.iloc[0]])], ["s"])
    with pytest.raises(
        TypeError, match=r"^a.loc\['s'\]: expected points, lines or polygons, got a Geo"
    ):
        cg.intersects(collection, ROWS.iloc[0])
    raised = geopandas.GeoSeries([shapely.Point(0, 0, 1)], ["s"])
    with pytest.raises(ValueError, match=r"a.loc\['s'\]: .* Z; drop_z=True .* a.force_2d\(\)$"):
        cg.intersects(raised, ROWS.iloc[0])
    assert cg.intersects(cg.column(raised, drop_z=True), ROWS.iloc[0]).to_dict() == {"s": True}


def test_columns_keep_the_index_and_are_taken_by_every_function():
    column, other = cg.column(ROWS), cg.column(OTHERS)
    wall, velocity = shapely.box(9, 0, 10, 1), (4, 0)
    for call in (
        lambda a: cg.intersects(a, wall),
        lambda a: cg.intersects(wall, a),
        lambda a: cg.sat(a, wall),
        lambda a: cg.distance(a, wall),
        lambda a: cg.swept_collision(a, wall, velocity),
        lambda a: cg.circle_polygon((0, 0), 1, a),
        lambda a: cg.swept_circle((0, 0), 1, velocity, a),
        lambda a: cg.candidate_pairs(a, other, margin=1),
        cg.colliding_pairs,
        lambda a: cg.distance(a, other, align=True),
        lambda a: cg.distance(a, other, pairs=(["p"], [9])),
        cg.is_valid,
        cg.invalid_reason,
    ):
        assert call(column).equals(call(ROWS))
    assert column.index.equals(ROWS.index) and column.crs == ROWS.crs and len(column) == 3
    assert cg.column(column) is column
    assert repr(column) == "Column(<3 shapes, 12 vertices>, EPSG:32633)"
    for other in (pickle.loads(pickle.dumps(column)), copy.copy(column), copy.deepcopy(column)):
        assert other.shapes == column.shapes and other.rows.equals(ROWS)
    with pytest.raises(AttributeError, match="a Column is immutable"):
        column.rows = OTHERS
    with pytest.raises(ValueError, match="rows: expected 3, one for each shape, got 2"):
        cg.Column(ROWS[:2], column.shapes)
    for rows in ([shapely.box(0, 0, 1, 1)], column.shapes, pd.Series([1, 2])):
        with pytest.raises(TypeError, match="rows: expected a GeoSeries or a GeoDataFrame, got"):
            cg.column(rows)


def test_a_column_may_have_radii_that_its_rows_have_not():
    circles = cg.column(geopandas.GeoSeries.from_xy([0, 9], [0, 0], index=["p", "q"]))
    circles = cg.Column(circles.rows, circles.shapes.with_radius([1.0, 2.0]))
    found = cg.distance(circles, shapely.Point(5, 0))["distance"]
    assert found.to_dict() == {"p": 4.0, "q": 2.0}


def test_missing_and_invalid_rows_are_told_apart():
    rows = [shapely.box(0, 0, 1, 1), BOW, None, shapely.Polygon(), shapely.Point(0, 0, 1)]
    series = geopandas.GeoSeries(rows, list("pqrst"))
    frame = series.to_frame("shape").assign(n=range(5))
    with pytest.warns(UserWarning, match="2 rows are masked"):
        masked = cg.column(series, on_invalid="mask")
    for given in (series, frame, masked, series.astype(object)):
        valid, reason = cg.is_valid(given), cg.invalid_reason(given)
        assert valid.index.equals(series.index) and reason.index.equals(series.index)
        assert valid.isna().tolist() == [False, False, True, True, False]
        assert series[valid].index.tolist() == ["p"]
        assert series[~valid].index.tolist() == ["q", "t"]
        assert reason.dropna().index.tolist() == ["q", "t"]
        assert reason["q"].startswith(INVALID) and reason["t"].startswith("the coordinates have Z")
    assert series[cg.is_valid(series, drop_z=True)].index.tolist() == ["p", "t"]
    assert cg.invalid_reason(series, drop_z=True).dropna().index.tolist() == ["q"]
    unchecked = cg.column(series[:2], check=False)
    assert cg.is_valid(unchecked).tolist() == [True, False]
    assert cg.invalid_reason(unchecked)["q"].startswith(INVALID)
    assert cg.is_valid(series[:0]).dtype == "boolean"


def test_an_empty_geometry_with_z_is_missing_and_not_invalid():
    rows = geopandas.GeoSeries([shapely.from_wkt("POLYGON Z EMPTY"), shapely.Point(1, 2, 3)])
    assert cg.is_valid(rows).tolist() == [pd.NA, False]


def test_lengths_in_degrees_are_warned_of_where_they_are_asked_for():
    degrees, box = ROWS.set_crs(4326, allow_override=True), shapely.box(0, 0, 1, 1)
    assert len(cg.intersects(degrees, box)) == 3
    assert len(cg.colliding_pairs(degrees, margin=0.0)) == 1
    for call, name, what in (
        (lambda: cg.distance(degrees, box), "distance", "distance is"),
        (lambda: cg.intersects(degrees, box, margin=1), "intersects", "margin is"),
        (lambda: cg.sat(degrees, box), "sat", "depth and mtv are"),
        (lambda: cg.swept_collision(degrees, box, (0, 0)), "swept_collision", "velocity and mtv"),
        (lambda: cg.circle_polygon((0, 0), 1, degrees), "circle_polygon", "radius is"),
        (lambda: cg.colliding_pairs(degrees, margin=1), "colliding_pairs", "margin is"),
        (
            lambda: cg.candidate_pairs(degrees, velocity_a=(1, 0)),
            "candidate_pairs",
            "velocity_a is",
        ),
    ):
        with pytest.warns(UserWarning, match="Geometry is in a geographic CRS") as told:
            call()
        assert len(told) == 1 and told[0].filename == __file__
        assert f"'{name}' are likely incorrect: {what}" in str(told[0].message)


def test_no_margin_is_none_in_degrees():
    rows = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)], crs=4326)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cg.intersects(rows, rows, margin=None).tolist() == [True]


def test_numbers_are_refused_as_carom_refuses_them():
    big = 2**53 + 1
    with pytest.raises(ValueError, match=rf"^velocity\.loc\['p'\]: component 0 has {big}, which"):
        cg.swept_collision(ROWS, ROWS, [(big, 0.5), (0, 0), (0, 0)])
    with pytest.raises(TypeError, match=r"^velocity.*: component 0 has a bool"):
        cg.swept_collision(ROWS, ROWS, [(True, 0.5), (0, 0), (0, 0)])
    for radius in (np.ma.array([1.0, 2, 3], mask=[0, 1, 0]), [1.0, np.ma.masked, 3]):
        with pytest.raises(ValueError, match=r"^radius\.loc\['q'\] is masked"):
            cg.circle_polygon((0, 0), radius, ROWS)
        with pytest.warns(UserWarning, match=r"^polygon: 1 row is masked, .* its radius is .*'q'"):
            found = cg.circle_polygon((0, 0), radius, ROWS, on_invalid="mask")
        assert found["distance"].isna().tolist() == [False, True, False]


def test_one_missing_reference_system_is_warned_of_as_by_geopandas_with_the_names_of_the_call():
    names = {"left geometries": "a", "right geometries": "b"}
    names |= {"Left CRS": "CRS of a", "Right CRS": "CRS of b"}
    none = ROWS.set_crs(None, allow_override=True)
    for one, other in ((ROWS, none), (none, ROWS)):
        with pytest.warns(UserWarning, match="CRS mismatch") as theirs:
            one.intersects(other)
        expected = str(theirs[0].message)
        for words, own in names.items():
            expected = expected.replace(words, own)
        for call in (cg.intersects, cg.distance, cg.colliding_pairs):
            with pytest.warns(UserWarning, match="CRS mismatch") as ours:
                call(one, other)
            assert [str(it.message) for it in ours] == [expected]
    assert cg.intersects(none, none.array.to_numpy()).all()
    assert cg.intersects(ROWS, carom.Shapes(none)).all()


def test_reference_systems_without_a_code_are_called_by_their_name():
    parsed = ROWS.crs.to_json()
    named = ROWS.set_crs(parsed, allow_override=True)
    assert len(str(named.crs)) > 400
    other = ROWS.to_crs(3857)
    long = "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m"
    # Columns keep PROJJSON, which has the code or the name.
    calls = {
        cg.intersects: (r"WGS 84 / UTM zone 33N", r"\+proj=laea .{,40}\.\.\."),
        cg.colliding_pairs: (r"WGS 84 / UTM zone 33N", r"\+proj=laea .{,40}\.\.\."),
        carom.colliding_pairs: ("EPSG:32633", r"unknown \(Lambert Azimuthal Equal Area\)"),
        carom.intersects_batch: ("EPSG:32633", r"unknown \(Lambert Azimuthal Equal Area\)"),
    }
    for call, (of_named, of_long) in calls.items():
        with pytest.raises(
            ValueError, match=f"^a has the CRS {of_named} and b the CRS EPSG:3857; "
        ):
            call(named, other)
        with pytest.raises(ValueError, match=f"^a has the CRS {of_long} and b the CRS EPSG:32633"):
            call(ROWS.to_crs(long), ROWS)


def test_unequal_lengths_name_the_joins():
    with pytest.raises(
        ValueError,
        match=r"a has 3 rows and b has 2; .* pairs= .* sjoin combine every row with every",
    ):
        cg.intersects(ROWS, OTHERS[:2], align=False)
    many = "expected one for all, or one for each, by position, by label, or in columns"
    two, vectors = [1.0, 2.0], [(1, 0), (2, 0)]
    frame = ROWS.to_frame("geometry")
    pairs = (["p"] * 4, [8] * 4)
    for call, text in (
        (lambda: cg.intersects(ROWS, ROWS, margin=two), "margin has 2 rows, and a has 3"),
        (lambda: cg.swept_collision(ROWS, ROWS, vectors), "velocity has 2 rows, and a has 3"),
        (lambda: cg.penetration(ROWS, ROWS, direction=vectors), "direction has 2 rows, and a has"),
        (lambda: cg.circle_polygon(vectors, 1, ROWS), "center has 2 rows, and polygon has 3"),
        (lambda: cg.swept_circle((0, 0), two, (0, 0), ROWS), "radius has 2 rows, and polygon has"),
        (lambda: cg.colliding_pairs(ROWS, OTHERS[:2], velocity_b=vectors * 2), "and b has 2"),
        (lambda: cg.sjoin(frame, frame, velocity_b=vectors), "velocity_b has 2 rows, and right"),
        (lambda: cg.sjoin(frame, frame, margin=two), "margin has 2 rows, and left has 3"),
        (
            lambda: cg.swept_collision(ROWS, OTHERS, vectors, pairs=pairs),
            "velocity has 2 rows, and there are 4 pairs",
        ),
    ):
        with pytest.raises(ValueError, match=text) as caught:
            call()
        assert str(caught.value).endswith(many)


@pytest.mark.parametrize("align", ["x", 0, np.array([True, False])], ids=str)
def test_align_is_a_bool_or_none(align):
    with pytest.raises(TypeError, match=r"^align: expected True, False or None, got "):
        cg.intersects(ROWS, OTHERS, align=align)
    assert cg.intersects(ROWS, OTHERS, align=np.True_).equals(
        cg.intersects(ROWS, OTHERS, align=True)
    )


def test_pairs_may_be_integers_in_arrays_of_objects():
    rows, others = ROWS.reset_index(drop=True), carom.Shapes(ROWS)
    pairs = np.array([[0, 1, 2], [1, 1, 0]])
    told = cg.distance(rows, others, pairs=tuple(pairs))
    assert cg.distance(rows, others, pairs=tuple(pairs.astype(object))).equals(told)
    with pytest.raises(TypeError, match=r"\(labels_a, labels_b\); of an array of labels, tuple"):
        cg.distance(rows, others, pairs=pairs)
    batch = carom.distance_batch(others, others, pairs=pairs.astype(object))
    assert batch.to_pandas().equals(told)


def test_indexes_that_pandas_cannot_align_are_told_of_other_ways():
    others = ROWS.set_axis(TWO_LEVELS)
    for rows in (ROWS.set_axis(pd.Index(["p", "p", "q"])), ROWS.rename_axis("w")):
        for call in (cg.intersects, cg.distance):
            with pytest.raises(
                (NotImplementedError, ValueError),
                match=r"can't be aligned by label: .* align=False .*pairs=",
            ):
                call(rows, others, align=True)
    assert cg.intersects(ROWS, others, align=False).all()


def test_a_column_given_to_carom_itself_is_told_where_it_is_taken():
    column = cg.column(ROWS)
    for call in (
        carom.colliding_pairs,
        carom.Shapes,
        lambda it: carom.nearest(it, ROWS),
        lambda it: carom.intersects_batch(ROWS, it),
        lambda it: carom.distance(it, ROWS.iloc[0]),
    ):
        text = (
            r"^(a|b|shapes): expected shapes, got a Column; .*geopandas take it, .* column.shapes"
        )
        with pytest.raises(TypeError, match=text):
            call(column)
    assert carom.colliding_pairs(column.shapes).tolist() == [[0], [1]]


def test_keywords_of_a_column_are_honoured():
    drawn = geopandas.GeoSeries([BOW, ROWS.iloc[0]], ["p", "q"], crs=32633)
    column = cg.column(drawn, check=False)
    assert cg.column(column, check=False) is column
    with pytest.raises(ValueError, match=r"rows.loc\['p'\]: " + INVALID):
        cg.column(column)
    told = "1 row is masked"
    with pytest.warns(UserWarning, match=told):
        assert cg.column(column, on_invalid="mask").shapes.kind.tolist() == [-1, 4]
    with pytest.warns(UserWarning, match=told):
        masked = cg.intersects(column, ROWS.iloc[0], on_invalid="mask")
    assert masked.to_dict() == {"p": False, "q": True}
    with pytest.warns(UserWarning, match=told):
        assert cg.colliding_pairs(column, ROWS, on_invalid="mask")["a"].tolist() == ["q", "q"]
    frame = cg.column(drawn.to_frame("geometry"), check=False)
    for join in (cg.sjoin, cg.sjoin_nearest):
        with pytest.warns(UserWarning, match=told):
            assert set(join(frame, frame, on_invalid="mask").index) == {"q"}


def test_frames_and_their_rows_are_told_where_their_shapes_are():
    frame = ROWS.to_frame("geometry").assign(n="x")
    for given, text in (
        (frame.iloc[0], "a row of a frame; its attribute `geometry` is the shape"),
        (frame.drop(columns="geometry"), "a DataFrame; take its column of geometries"),
        (geopandas.GeoDataFrame({"n": ["x"]}), "a GeoDataFrame without an active geometry"),
    ):
        for call in (
            carom.Shapes,
            carom.colliding_pairs,
            lambda it: carom.intersects(it, ROWS.iloc[0]),
            lambda it: carom.intersects_batch(ROWS, it),
        ):
            with pytest.raises(TypeError, match=rf"^(a|b|shapes): expected shapes, got {text}"):
                call(given)
    numbers = pd.DataFrame([(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)])
    assert carom.intersects(numbers, shapely.Point(1, 1))


def test_frames_without_an_active_geometry_are_told_which_column_may_be():
    without = geopandas.GeoDataFrame({"n": [1, 2, 3]}, index=ROWS.index)
    other = without.assign(outline=ROWS)
    for frame, text in (
        (without, r": the GeoDataFrame has no active geometry$"),
        (other, r": .* no active geometry; \w+.set_geometry\('outline'\) sets one$"),
    ):
        for call in (
            cg.column,
            cg.is_valid,
            cg.colliding_pairs,
            lambda it: cg.intersects(ROWS, it),
            lambda it: cg.distance(it, ROWS),
            lambda it: cg.circle_polygon((0, 0), 1, it),
            lambda it: cg.sjoin(it, it),
            lambda it: cg.sjoin_nearest(ROWS.to_frame("g").set_geometry("g"), it),
        ):
            with pytest.raises(ValueError, match=text):
                call(frame)
    assert len(cg.sjoin(other.set_geometry("outline"), other.set_geometry("outline"))) == 5


@pytest.mark.parametrize(
    ("given", "series"),
    [
        (pd.DataFrame({"n": [1]}), "geopandas.GeoDataFrame(b, geometry=...)"),
        (ROWS.bounds, "geopandas.GeoSeries(shapely.box(*b.to_numpy().T))"),
        (ROWS.iloc[0], "geopandas.GeoSeries([b])"),
        (list(ROWS), "geopandas.GeoSeries(b)"),
        (ROWS.array, "geopandas.GeoSeries(b)"),
        (carom.Shapes(ROWS), "geopandas.GeoSeries(b.to_shapely(), crs=b.crs)"),
        ((0, 0, 1, 1), "geopandas.GeoSeries([shapely.box(*b)])"),
        (ROWS.total_bounds, "geopandas.GeoSeries([shapely.box(*b)])"),
        ("POINT (0 0)", "geopandas.GeoSeries([shapely.from_wkt(b)])"),
        (b"\1", "geopandas.GeoSeries([shapely.from_wkb(b)])"),
        (ROWS.to_wkt(), "geopandas.GeoSeries(shapely.from_wkt(b))"),
        (ROWS.to_wkb(), "geopandas.GeoSeries(shapely.from_wkb(b))"),
        ("parcels.gpkg", "geopandas.read_file(b)"),
        (
            {"type": "Point", "coordinates": [0, 0]},
            "geopandas.GeoSeries([shapely.geometry.shape(b)])",
        ),
        (ROWS.__geo_interface__, "geopandas.GeoDataFrame.from_features(b)"),
        (3, None),
        ([1, 2], None),
        ([], None),
    ],
    ids=lambda it: str(it) if it is None or isinstance(it, str) else type(it).__name__,
)
def test_what_has_no_index_is_told_how_it_gets_one(given, series):
    advice = "" if series is None else f"; {series} makes one"
    found = f"got {type(given).__name__}{advice}"
    with pytest.raises(
        TypeError, match=f"^{re.escape('b: expected a GeoSeries or a GeoDataFrame')}"
    ) as caught:
        cg.colliding_pairs(ROWS, given)
    assert str(caught.value).endswith(found)
    with pytest.raises(TypeError) as caught:
        cg.sjoin(given, ROWS.to_frame("geometry"))
    frame = found.replace("GeoSeries(", "GeoDataFrame(geometry=")
    frame = re.sub(r"\bb\b", "left", frame)
    assert str(caught.value) == f"left: expected a GeoDataFrame, {frame}"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (cg.intersects, "distance; see margin, the distance at which shapes touch"),
        (cg.colliding_pairs, "distance; see margin, the distance at which shapes touch"),
        (cg.intersects, "predicate; predicate_batch has it"),
        (cg.colliding_pairs, "how; carom.interop.geopandas.sjoin has it"),
        (cg.colliding_pairs, "velocity; see velocity_a and velocity_b"),
        (cg.sjoin, "velocity; see velocity_a and velocity_b"),
        (cg.sjoin, "max_distance; see margin, the distance at which shapes touch"),
        (cg.sjoin, "k; sjoin_nearest has it"),
        (cg.sjoin, "left_df; it is called left"),
        (cg.sjoin, "op; it is called predicate"),
        (cg.sjoin, "turn; see turn_a and turn_b"),
        (cg.sjoin_nearest, "distance; see max_distance"),
        (cg.sjoin_nearest, "tolerance; see max_distance"),
        (cg.intersects, "tolerance; see margin, the distance at which shapes touch"),
        (cg.intersects, "velocity; swept_collision has it"),
        (cg.sjoin_nearest, "predicate; sjoin has it"),
        (cg.sjoin_nearest, "foo"),
        (cg.nearest, "distance_col; sjoin_nearest has it"),
        (cg.nearest, "distance; see max_distance"),
        (cg.first_contact, "velocity; it is called obstacle_velocity"),
        (cg.first_contact, "foo"),
        (cg.colliding_pairs, "start; sjoin has it, and times"),
        (cg.sjoin_nearest, "duration; sjoin has it"),
        (cg.distance, "max_distance; nearest has it"),
        (cg.distance, "out; carom.distance_batch has it"),
        (cg.distance, "foo"),
    ],
    ids=lambda it: getattr(it, "__name__", str(it)),
)
def test_keywords_that_others_have_name_them(call, text):
    keyword, _, advice = text.partition("; ")
    with pytest.raises(TypeError) as caught:
        call(ROWS, ROWS, **{keyword: None})
    told = f"{call.__name__}() got an unexpected keyword argument '{keyword}'"
    assert str(caught.value) == f"{told}; {advice}" if advice else told


PUBLIC = [getattr(cg, name) for name in cg.__all__ if name not in {"Column", "Repaired"}]


@pytest.mark.parametrize("function", PUBLIC, ids=lambda it: it.__name__)
def test_signatures_name_every_argument_and_docstrings_explain_it(function):
    assert_documented(function)


TWINS = [it for it in PUBLIC if hasattr(carom, f"{it.__name__}_batch")]


@pytest.mark.parametrize("function", TWINS, ids=lambda it: it.__name__)
def test_keywords_are_those_of_the_batch_but_out(function):
    own = set(inspect.signature(function).parameters) - {"align", "drop_z", "duration", "start"}
    batch = set(inspect.signature(getattr(carom, f"{function.__name__}_batch")).parameters)
    of_circles = {"pairs"} if "circle" in function.__name__ else set()
    of_single_fields = {"fields"} if function in {cg.intersects, cg.overlap_area} else set()
    of_arrays = {"out"} & batch
    assert batch - own == of_arrays | of_circles | of_single_fields
    assert own <= batch


def test_penetration_is_that_of_the_batch_for_rows_and_for_pairs():
    notched = shapely.Polygon([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)])
    rows = geopandas.GeoSeries([notched, None, shapely.box(0, 0, 1, 1)], ["p", "q", "r"])
    others = geopandas.GeoSeries([shapely.box(0.5, 0.75, 1.75, 2), shapely.box(0, 0, 1, 1)], [7, 8])
    found = cg.penetration(rows, others.iloc[0])
    expected = carom.penetration_batch(rows, others.iloc[0]).to_pandas(rows.index)
    pd.testing.assert_frame_equal(found, expected)
    assert found["depth"].isna().tolist() == [False, True, False]
    pairs = cg.colliding_pairs(rows, others)
    ways = pd.DataFrame({"x": 1.0, "y": 0.0}, pairs.index)
    for given in ({}, {"direction": (1, 0)}, {"direction": ways}):
        deep = cg.penetration(rows, others, pairs=pairs, fields=("depth", "mtv"), **given)
        for row, (a, b) in pairs.iterrows():
            way = (1, 0) if given else None
            one = carom.penetration(rows[a], others[b], direction=way)
            assert deep.loc[row].tolist() == [one.depth, *one.mtv]
    moving = rows.to_frame("geometry").assign(x=[1.0, 1.0, 0.0], y=[0.0, 0.0, 1.0])
    towards = cg.penetration(moving, others.iloc[1], direction=("x", "y"), fields=("depth", "mtv"))
    assert towards.loc["r"].tolist() == [1.0, 0.0, 1.0]
    with pytest.raises(ValueError, match=r"^direction.loc\['r'\]"):
        cg.penetration(rows, others.iloc[1], direction=[(1, 0), (1, 0), (0, 0)])
    degrees = rows.set_crs(4326)
    with pytest.warns(UserWarning, match="'penetration' .* depth and mtv are in degrees"):
        cg.penetration(degrees, others.iloc[0])


def test_overlap_areas_are_those_of_the_batch_for_rows_labels_and_pairs():
    plots = [shapely.box(0, 0, 2, 2), None, shapely.box(3, 0, 5, 2)]
    rows = geopandas.GeoSeries(plots, list("pqr"))
    zone = shapely.box(1, 0, 3, 4)
    found = cg.overlap_area(rows, zone)
    expected = pd.Series(carom.overlap_area_batch(rows, zone), rows.index)
    pd.testing.assert_series_equal(found, expected)
    assert found.fillna(-1.0).tolist() == [2.0, -1.0, 0.0]
    others = geopandas.GeoSeries([zone, zone], ["r", "s"])
    aligned = cg.overlap_area(rows, others, align=True)
    assert aligned.fillna(-1.0).to_dict() == {"p": -1.0, "q": -1.0, "r": 0.0, "s": -1.0}
    pairs = pd.DataFrame({"a": ["r", "p"], "b": ["s", "r"]}, ["first", "second"])
    paired = cg.overlap_area(rows, others, pairs=pairs)
    assert paired.to_dict() == {"first": 0.0, "second": 2.0}
    with pytest.warns(UserWarning, match="'overlap_area' .* areas are in degrees"):
        cg.overlap_area(rows.set_crs(4326), zone)
    round_points = carom.Shapes.from_points([(0, 0)] * 3, radius=1.0)
    with pytest.raises(ValueError, match=r"^b\[0\]: there is a radius"):
        cg.overlap_area(rows, round_points)


@pytest.mark.parametrize(
    "dtype", ["float64", "Float64", "Int64", "double[pyarrow]", "int32[pyarrow]"]
)
def test_columns_of_numbers_are_read_without_an_object_for_each(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"vx": [1, 2], "vy": [3, 4]}, dtype=dtype)
    found = read("velocity", ("vx", "vy"), frame, frame.index)
    assert found.dtype.kind in "fi"
    assert found.tolist() == [[1, 3], [2, 4]]
    if frame["vx"].dtype.kind == "f":
        frame.iloc[1, 0] = None
        found = read("velocity", ("vx", "vy"), frame, frame.index)
        assert found.dtype.kind == "f"
        assert np.isnan(found[1, 0])

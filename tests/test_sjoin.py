"""`sjoin` and `sjoin_nearest` against GeoPandas' own."""

import inspect
import itertools
import re
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import carom
import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg
from geopandas.testing import assert_geodataframe_equal

# Tests of this warning expect it.
pytestmark = pytest.mark.filterwarnings("ignore:the column '.*' is frame")

HOW = ["inner", "left", "right"]
PREDICATES = [
    "intersects",
    "contains",
    "within",
    "covers",
    "covered_by",
    "contains_properly",
    "touches",
    "overlaps",
    "crosses",
]


def mixed(rng, count, kinds="bgmpPlL"):
    """Shapes of several kinds on a small grid, so that they touch, coincide and contain others."""
    rows = []
    for kind in rng.choice(list(kinds), count):
        x, y = rng.integers(0, 9, 2)
        box = shapely.box(x, y, *np.add((x, y), rng.integers(1, 5, 2)))
        match kind:
            case "b":
                rows.append(box)
            case "g":
                hole = shapely.box(x + 1, y + 1, x + 2, y + 2).exterior
                rows.append(shapely.Polygon(shapely.box(x, y, x + 4, y + 3).exterior, [hole]))
            case "m":
                other = shapely.box(x + 4, y + rng.integers(0, 3), x + 6, y + 4)
                touching = [
                    shapely.box(x, y, x + 2, y + 2),
                    shapely.box(x + 2, y + 2, x + 3, y + 3),
                ]
                rows.append(shapely.MultiPolygon([*touching, other]))
            case "p":
                rows.append(shapely.Point(x, y))
            case "P":
                rows.append(shapely.MultiPoint(rng.integers(0, 9, (3, 2)) / 2))
            case "l":
                rows.append(shapely.LineString([(x, y), (x + 3, y), (x + 3, y + 2)]))
            case "L":
                rows.append(
                    shapely.MultiLineString([[(x, y), (x + 2, y + 2)], [(y, x), (y, x + 1)]])
                )
    rows[3::7] = [None, shapely.Polygon(), shapely.Point()][: len(rows[3::7])] + rows[3::7][3:]
    return rows


def indexes(rng, count):
    """Indexes of all sorts for as many rows."""
    levels = [rng.integers(0, 3, count), rng.choice(list("xyz"), count)]
    return {
        "range": pd.RangeIndex(count),
        "reordered": pd.Index(rng.permutation(count) * 10),
        "named": pd.Index([f"r{k}" for k in range(count)], name="id"),
        "repeated": pd.Index(rng.integers(0, 4, count)),
        "two levels": pd.MultiIndex.from_arrays(levels),
        "levels with names": pd.MultiIndex.from_arrays(levels, names=["u", "v"]),
        "one name of two": pd.MultiIndex.from_arrays(levels, names=["u", None]),
    }


def frame(rng, count, labels="range", kinds="bgmpPlL", geometry="geometry", **columns):
    """A frame with columns of several types."""
    attributes = {
        "n": np.arange(count),
        "kind": pd.Categorical(rng.choice(list("ab"), count)),
        "flag": rng.random(count) < 0.5,
        "text": rng.choice(["one", "two", None], count),
    }
    shapes = geopandas.GeoSeries(mixed(rng, count, kinds), crs=32633).array
    table = pd.DataFrame(attributes | columns).assign(**{geometry: shapes})
    made = geopandas.GeoDataFrame(table, geometry=geometry)
    return made.set_index(indexes(rng, count)[labels])


def in_order(theirs, left, right, how, **keywords):
    """GeoPandas' result, whose pairs of a row are in the order of its index, ordered by position.

    The frames are joined once more with their positions.
    """
    numbered = left.assign(_i=np.arange(len(left))), right.assign(_j=np.arange(len(right)))
    places = theirs(*numbered, how=how, **keywords)
    keys = ["_j", "_i"] if how == "right" else ["_i", "_j"]
    order = np.lexsort([places[key].fillna(-1).to_numpy() for key in reversed(keys)])
    return theirs(left, right, how=how, **keywords).iloc[order]


def assert_same_join(left, right, how="inner", **keywords):
    expected = in_order(geopandas.sjoin, left, right, how, **keywords)
    found = cg.sjoin(left, right, how=how, **keywords)
    assert_geodataframe_equal(found, expected)
    assert found.geometry.name == expected.geometry.name
    assert list(found.index.names) == list(expected.index.names)
    return found


def assert_same_nearest(left, right, how="inner", **keywords):
    expected = in_order(geopandas.sjoin_nearest, left, right, how, **keywords)
    found = cg.sjoin_nearest(left, right, how=how, **keywords)
    assert_geodataframe_equal(found, expected, check_less_precise=False)
    return found


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("index", indexes(np.random.default_rng(0), 2))
def test_joins_equal_those_of_geopandas_whatever_the_index(index, how):
    rng = np.random.default_rng(1)
    left, right = frame(rng, 40, index), frame(rng, 30, "repeated")
    assert len(assert_same_join(left, right, how)) > 40
    assert_same_join(right, left, how)
    assert_same_join(left, left, how)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("predicate", PREDICATES)
def test_predicates_equal_those_of_geopandas(predicate, how):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        left, right = frame(rng, 50), frame(rng, 50, "named")
        assert_same_join(left, right, how, predicate=predicate)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("dtype", ["int8", "int32", "uint16", "float32"])
def test_labels_have_their_dtype_though_no_row_is_joined(dtype, how):
    frame = WALLS.set_axis(pd.Index(range(len(WALLS)), dtype=dtype)).iloc[:0]
    for join in (cg.sjoin, cg.sjoin_nearest):
        assert join(frame, frame, how=how).index.dtype == dtype


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("columns", [{"index": 1}, {"id": 2}, {"n_left": 3}, {"index_left": 4}])
def test_columns_of_awkward_names_are_treated_as_geopandas_treats_them(columns, how):
    rng = np.random.default_rng(3)
    for index in ("range", "named", "two levels"):
        for one, other in ((columns, {}), ({}, columns), (columns, columns)):
            left, right = frame(rng, 12, **one), frame(rng, 10, index, **other)
            assert_same_outcome(left, right, how=how)
            assert_same_outcome(right, left, how=how)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", [None, "id"])
def test_columns_of_several_levels_are_treated_as_geopandas_treats_them(name, how):
    def plots(names, starts, levels):
        shapes = [shapely.box(x, 0, x + 2, 2) for x in starts]
        made = geopandas.GeoDataFrame(dict.fromkeys(names, range(len(shapes))), geometry=shapes)
        made = made.rename_axis(name)
        if levels == 1:
            return made
        made.columns = pd.MultiIndex.from_tuples([*((it, "n") for it in names), ("geometry", "")])
        return made.set_geometry(("geometry", ""))

    for levels in ((2, 2), (2, 1), (1, 2)):
        left = plots(["a", "both"], (0, 9, 30), levels[0])
        right = plots(["both", "b"], (1, 8), levels[1])
        for join in ("sjoin", "sjoin_nearest"):
            keywords = {"how": how} | ({"max_distance": 5.0} if join == "sjoin_nearest" else {})
            expected = getattr(geopandas, join)(left, right, **keywords)
            found = getattr(cg, join)(left, right, **keywords)
            assert_geodataframe_equal(found, expected)
            assert list(found.columns) == list(expected.columns)
            assert found.index.names == expected.index.names
    # Here GeoPandas raises an error.
    several = left.set_index(pd.MultiIndex.from_tuples([(1, "x"), (1, "y"), (2, "x")]))
    assert (cg.sjoin(several, several, how=how).index == several.index).all()


def test_distances_do_not_take_the_place_of_the_geometry():
    renamed = WALLS.rename_geometry("place")
    for how, taken in (("inner", "geometry"), ("left", "geometry"), ("right", "place")):
        with pytest.raises(ValueError, match=f"^distance_col: '{taken}' is the geometry of"):
            cg.sjoin_nearest(WALLS, renamed, how=how, distance_col=taken)


def assert_same_outcome(left, right, **keywords):
    """The same result, the same error, or the same warnings."""
    try:
        with warnings.catch_warnings(record=True) as theirs:
            warnings.simplefilter("always")
            geopandas.sjoin(left, right, **keywords)
    except ValueError as refused:
        with pytest.raises(ValueError, match=re.escape(str(refused).strip('"'))):
            cg.sjoin(left, right, **keywords)
        return
    with warnings.catch_warnings(record=True) as ours:
        warnings.simplefilter("always")
        cg.sjoin(left, right, **keywords)
    assert [it.category for it in ours] == [it.category for it in theirs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same_join(left, right, **keywords)


def test_suffixes_and_duplicates_are_those_of_geopandas():
    rng = np.random.default_rng(4)
    left, right = frame(rng, 12), frame(rng, 10, n_l=5)
    for suffixes in (
        {"lsuffix": "l", "rsuffix": "r"},
        {"lsuffix": ""},
        {"lsuffix": "x", "rsuffix": "x"},
    ):
        for how in HOW:
            assert_same_outcome(left, right, how=how, **suffixes)
    with pytest.raises(ValueError, match="columns overlap but no suffix"):
        cg.sjoin(left.rename_axis("u"), right.rename_axis("v"), lsuffix="", rsuffix="")


@pytest.mark.parametrize("how", HOW)
def test_geometry_columns_of_any_name_and_number_are_kept_as_geopandas_keeps_them(how):
    rng = np.random.default_rng(5)
    left = frame(rng, 20, geometry="shape")
    right = frame(rng, 20).assign(other=lambda it: it.geometry.translate(1), shape=2)
    for one, other in ((left, right), (right, left), (right, right.set_geometry("other"))):
        found = assert_same_join(one, other, how)
        assert found.crs == left.crs


@pytest.mark.parametrize("how", HOW)
def test_empty_frames_and_frames_of_missing_rows_join_as_in_geopandas(how):
    rng = np.random.default_rng(6)
    full, named = frame(rng, 6), frame(rng, 6, "levels with names")
    missing = named.set_geometry(geopandas.GeoSeries([None] * 6, index=named.index, crs=32633))
    for one, other in ((full[:0], named), (full, named[:0]), (full[:0], named[:0])):
        assert_same_join(one, other, how)
        assert_same_nearest(one, other, how, distance_col="d")
    assert_same_join(full, missing, how)
    assert_same_join(missing, full, how)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("shared", ["kind", ["kind", "text"], ("flag",)])
def test_attributes_restrict_a_join_as_in_geopandas(how, shared):
    rng = np.random.default_rng(7)
    left, right = frame(rng, 40, "named"), frame(rng, 40)
    assert len(assert_same_join(left, right, how, on_attribute=shared)) > 0
    with pytest.raises(ValueError, match="on_attribute: right has no column 'z'"):
        cg.sjoin(left.assign(z=1), right, on_attribute="z")
    with pytest.raises(ValueError, match="on_attribute: 'geometry' is the geometry of left"):
        cg.sjoin(left, right, on_attribute="geometry")


@pytest.mark.parametrize("how", HOW)
def test_categories_with_missing_values_restrict_a_join_as_in_geopandas(how):
    left = geopandas.GeoDataFrame(
        {"c": pd.Categorical([1, None, 2])},
        geometry=[shapely.box(x, 0, x + 2, 2) for x in range(3)],
    )
    right = geopandas.GeoDataFrame(
        {"c": pd.Categorical([1, 2, 2])}, geometry=[shapely.box(x, 1, x + 2, 3) for x in range(3)]
    )
    found = cg.sjoin(left, right, how=how, on_attribute="c")
    expected = geopandas.sjoin(left, right, how=how, on_attribute="c")
    order = [*found.columns.drop("geometry")]
    found, expected = (it.sort_values(order).reset_index(drop=True) for it in (found, expected))
    assert_geodataframe_equal(found, expected, check_dtype=False, check_like=True)


def test_as_many_pairs_as_the_result_has_count():
    box = geopandas.GeoDataFrame({"c": [1]}, geometry=[shapely.box(0, 0, 10, 10)])
    points = geopandas.GeoDataFrame(
        {"c": [1, 2, 3]}, geometry=shapely.points([5, 0, 10], [5, 0, 10])
    )
    assert len(cg.sjoin(box, points, predicate="contains", max_pairs=1)) == 1
    assert len(cg.sjoin(box, points, on_attribute="c", max_pairs=1)) == 1
    for predicate in ("intersects", "contains"):
        with pytest.raises(ValueError, match="max_pairs: expected 0 or more, got -1"):
            cg.sjoin(box, points, predicate=predicate, max_pairs=-1)
        with pytest.raises(TypeError, match="max_pairs: expected an integer or None, got float"):
            cg.sjoin(box, points, predicate=predicate, max_pairs=1.5)
    for predicate in ("intersects", "covers"):
        with pytest.raises(ValueError, match=r"max_pairs is 2, but there are .*3 pairs"):
            cg.sjoin(box, points, predicate=predicate, max_pairs=2)
        with pytest.raises(ValueError, match=r"max_pairs is 0, but there is (at least )?1 pair;"):
            cg.sjoin(box, points[:1], predicate=predicate, max_pairs=0)


@pytest.mark.parametrize("names", ["kind", ["kind", "zone"]])
@pytest.mark.parametrize("how", HOW)
def test_rows_with_equal_attributes_are_the_pairs_of_these_among_all(how, names):
    """Also where shapes move, turn or have a margin, and one side has far more rows."""
    rng = np.random.default_rng(9)

    def some(count):
        corners = rng.integers(0, 30, (count, 2))
        boxes = [shapely.box(x, y, x + 2, y + 1) for x, y in corners]
        kinds = rng.choice(np.array(["p", "q", None], dtype=object), count)
        zones = rng.choice([0.0, 1.0, np.nan, 3.0], count)
        moves = dict(zip(("vx", "vy"), rng.normal(0, 3, (2, count)), strict=True))
        return geopandas.GeoDataFrame({"kind": kinds, "zone": zones, **moves}, geometry=boxes)

    shared = [names] if isinstance(names, str) else names
    moving = {"velocity_a": ("vx", "vy"), "fields": ("time",)}
    turning = {"turn_b": 1.0, "center_b": shapely.Point(0, 0), "velocity_b": (1, 2)}
    for sizes in ((200, 1500), (1500, 200)):
        left, right = map(some, sizes)
        for given in ({}, {"margin": 1.0}, moving, moving | turning, {"predicate": "touches"}):
            found = cg.sjoin(left, right, on_attribute=names, how=how, **given)
            pairs = cg.sjoin(left, right, **given)
            alike = [pairs[f"{it}_left"] == pairs[f"{it}_right"] for it in shared]
            alike = pairs[np.logical_and.reduce(alike)]
            kept = found.dropna(subset=[f"index_{'left' if how == 'right' else 'right'}"])
            one, other = kept.index, kept.iloc[:, kept.columns.str.startswith("index_")].iloc[:, 0]
            if how == "right":
                one, other = other, one
            assert len(kept) == len(alike) > 0
            expected = set(zip(alike.index, alike["index_right"], strict=True))
            assert set(zip(one, other, strict=True)) == expected


@pytest.mark.parametrize(
    "types", [("u8", "i8"), ("UInt64", "Int64"), ("i8", "f8"), ("f8", "Int64")]
)
def test_attributes_of_different_types_are_compared_as_numbers(types):
    """Integers above 2^53, as cells of a grid have, are not rounded."""
    numbers = [(2**53, 5, 6), (2**53 + 1, 5, 7)]
    left, right = (
        geometries.assign(cell=pd.array(of, dtype))
        for geometries, of, dtype in zip(
            [geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)] * 3)] * 2,
            numbers,
            types,
            strict=True,
        )
    )
    pairs = itertools.product(*(map(int, frame["cell"]) for frame in (left, right)))
    expected = sum(one == other for one, other in pairs)
    assert len(cg.sjoin(left, right, on_attribute="cell")) == expected


def test_joins_by_attributes_refuse_what_has_no_single_meaning():
    boxes = geopandas.GeoDataFrame(
        {"g": [1, 2]}, geometry=[shapely.box(0, 0, 2, 1), shapely.box(1, 0, 3, 1)]
    )
    twice = pd.concat([boxes, boxes[["g"]]], axis=1)
    with pytest.raises(ValueError, match="on_attribute: left has 2 columns called 'g'"):
        cg.sjoin(twice, boxes, on_attribute="g")
    with pytest.raises(ValueError, match="right has other values in 'g'"):
        cg.sjoin(boxes, boxes.assign(g=[2, 1]), on_attribute="g", self_pairs="once")
    with pytest.raises(ValueError, match="distance_col: the frames have a column 'g_left' already"):
        cg.sjoin(boxes, boxes, distance_col="g_left")


def test_attributes_that_cannot_be_compared_are_refused():
    frame = geopandas.GeoDataFrame({"tags": [["a"], ["b"]]}, geometry=[shapely.box(0, 0, 1, 1)] * 2)
    with pytest.raises(TypeError, match="on_attribute: 'tags' has values that can't be compared"):
        cg.sjoin(frame, frame, on_attribute="tags")


def test_numbers_of_rows_are_refused_as_carom_refuses_them():
    rows = geopandas.GeoDataFrame(geometry=[shapely.box(x, 0, x + 1, 1) for x in (0, 5)])
    big = 2**53 + 1
    for name, given, error, text in (
        ("margin", np.ma.array([10.0, 1.0], mask=[1, 0]), ValueError, " is masked"),
        ("margin", [np.ma.masked, 1.0], ValueError, " is masked"),
        ("margin", [True, 1.0], TypeError, " has a bool, expected a number"),
        ("margin", [big, 0.5], ValueError, f" has {big}, which no float64"),
        ("velocity_a", [(big, 0.5), (0, 0)], ValueError, f": component 0 has {big}, which no"),
        ("velocity_a", [(True, 0.5), (0, 0)], TypeError, ": component 0 has a bool"),
        ("velocity_b", [np.ma.array([1, 0], mask=[1, 0]), (0, 0)], ValueError, ": component 0 is"),
        ("velocity_b", [[np.ma.masked, 0], (0, 0)], ValueError, ": component 0 is masked"),
    ):
        with pytest.raises(error) as caught:
            cg.sjoin(rows, rows, **{name: given})
        assert str(caught.value).startswith(name)
        assert text in str(caught.value)
    half = [(0.5, 0), (0.25, 1)]
    for given in (half, np.array(half), [np.ma.array(it) for it in half]):
        found = cg.sjoin(rows, rows, velocity_a=given, velocity_b=half, fields=("contact",))
        assert found["contact_0_x"].dtype == np.float64


def test_fields_may_be_given_by_an_iterator():
    rows = geopandas.GeoDataFrame(geometry=[shapely.box(x, 0, x + 1, 1) for x in (0, 1)])
    for join, names in ((cg.sjoin, ["depth", "mtv"]), (cg.sjoin_nearest, ["distance"])):
        expected = join(rows, rows, fields=names)
        assert_geodataframe_equal(join(rows, rows, fields=iter(names)), expected)
        assert set(names[:1]) < set(expected.columns)


def test_how_and_predicate_are_names():
    rows = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)])
    for name in ("how", "predicate"):
        for wrong in (np.array(["inner", "left"]), pd.Series(["inner"]), None):
            with pytest.raises(ValueError, match=f"^{name}: expected one of '"):
                cg.sjoin(rows, rows, **{name: wrong})
    assert len(cg.sjoin(rows, rows, predicate="dwithin", distance=1, margin=None)) == 1


def test_lengths_asked_for_in_degrees_are_warned_of():
    frame = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)], crs=4326)
    with pytest.warns(UserWarning, match="distance and depth are in degrees"):
        cg.sjoin(frame, frame, fields=("depth", "distance"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cg.sjoin(frame, frame, fields=("normal",))


def test_many_equal_rows_are_left_out_for_one_of_them(monkeypatch):
    asked = []

    def nearest(a, b, *, k, **keywords):
        asked.append((len(a), k))
        return whole(a, b, k=k, **keywords)

    whole = carom.nearest
    monkeypatch.setattr(carom, "nearest", nearest)
    places = np.concatenate([np.zeros((20, 2)), np.arange(1, 101)[:, None] * [1.0, 0.5] + 9.0])
    frame = geopandas.GeoDataFrame(geometry=shapely.points(places))
    found = cg.sjoin_nearest(frame, frame, exclusive=True)
    expected = geopandas.sjoin_nearest(frame, frame, exclusive=True)
    assert sorted(found.index_right.items()) == sorted(expected.index_right.items())
    assert sum(rows for rows, k in asked if k > 20) <= 3


@pytest.mark.parametrize("how", HOW)
def test_within_a_distance_is_a_margin(how):
    rng = np.random.default_rng(8)
    left, right = frame(rng, 30), frame(rng, 30, "repeated")
    far = rng.integers(0, 4, 30).astype(float)
    left["far"] = far
    for distance in (2.0, far):
        found = assert_same_join(left, right, how, predicate="dwithin", distance=distance)
        assert_geodataframe_equal(found, cg.sjoin(left, right, how=how, margin=distance))
    for name in ("far", left["far"][::-1]):
        assert_geodataframe_equal(found, cg.sjoin(left, right, how=how, margin=name))
        by_name = cg.sjoin(left, right, how=how, predicate="dwithin", distance=name)
        assert_geodataframe_equal(found, by_name)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("index", indexes(np.random.default_rng(0), 2))
def test_nearest_rows_with_all_equals_are_those_of_geopandas(index, how):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        left, right = frame(rng, 40, index), frame(rng, 25, "repeated")
        found = assert_same_nearest(left, right, how, distance_col="metres")
        assert len(found) > 40
        assert_same_nearest(left, right, how)
        assert_same_nearest(left, right, how, max_distance=1.0, distance_col="n")


@pytest.mark.parametrize("how", HOW)
def test_neighbors_that_are_equal_to_a_row_are_left_out_as_in_geopandas(how):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        left, right = frame(rng, 60), frame(rng, 50, "named")
        for most in (None, 2.0):
            given = {"exclusive": True, "max_distance": most, "distance_col": "d"}
            assert_same_nearest(left, left, how, **given)
            assert_same_nearest(left, right, how, **given)


def test_positional_arguments_come_in_the_order_of_geopandas():
    rng = np.random.default_rng(5)
    left, right = frame(rng, 30), frame(rng, 20)
    for own, theirs in (
        (cg.sjoin, geopandas.sjoin),
        (cg.sjoin_nearest, geopandas.sjoin_nearest),
    ):
        names = list(inspect.signature(theirs).parameters)[2:]
        own_names = list(inspect.signature(own).parameters)[2:]
        positional = names[: names.index("kwargs")] if "kwargs" in names else names
        assert own_names[: len(positional)] == positional
    found = cg.sjoin(left, right, "left", "within", "of_left", "of_right")
    given = {"predicate": "within", "lsuffix": "of_left", "rsuffix": "of_right"}
    assert_geodataframe_equal(found, cg.sjoin(left, right, how="left", **given))
    found = cg.sjoin_nearest(left, right, "left", 1.0)
    assert_geodataframe_equal(found, cg.sjoin_nearest(left, right, how="left", max_distance=1.0))


def test_paths_with_a_part_of_one_point_are_left_out_of_their_own_neighbors():
    texts = [
        "MULTILINESTRING ((0 0, 0 0), (1 1, 2 2))",
        "MULTILINESTRING ((2 2, 1 1), (0 0, 0 0))",
        "MULTILINESTRING ((1.5 1.5, 1.5 1.5), (1 1, 2 2))",
        "LINESTRING (1 1, 2 2)",
        "MULTILINESTRING ((1 1, 2 2), (4 4, 5 5))",
        "POINT (0 0)",
        None,
    ]
    rows = geopandas.GeoDataFrame(geometry=shapely.from_wkt(texts))
    assert_same_nearest(rows, rows, "inner", exclusive=True, distance_col="d")
    assert_same_nearest(rows, rows[3:], "left", exclusive=True, distance_col="d")


@pytest.mark.parametrize("k", [1, 2, 3])
def test_as_many_neighbors_as_asked_for_remain_when_equal_rows_are_left_out(k):
    rows = frame(np.random.default_rng(3), 40)
    found = cg.sjoin_nearest(rows, rows, exclusive=True, k=k, distance_col="d")
    shapes = [it for it in rows.geometry if it is not None and not it.is_empty]
    for row, shape in rows.geometry.items():
        if shape is not None and not shape.is_empty:
            length = sorted(shape.distance(it) for it in shapes if not shape.equals(it))
            expected = [it for it in length if it <= length[k - 1]]
            assert sorted(found["d"][found.index == row]) == pytest.approx(expected)


def test_rounded_shapes_are_equal_if_their_radii_are():
    rows = geopandas.GeoDataFrame(geometry=shapely.points([(0, 0), (0, 0), (0, 0), (9, 0)]))
    rounded = cg.Column(rows, carom.Shapes(rows).with_radius([1.0, 1.0, 2.0, 0.0]))
    found = cg.sjoin_nearest(rounded, rounded, exclusive=True)
    assert found["index_right"].tolist() == [2, 2, 0, 1, 2]


def test_as_many_neighbors_as_asked_for_and_those_that_are_as_near():
    xs = [1, 1, -1, 2, 2, 5]
    right = geopandas.GeoDataFrame({"x": xs}, geometry=[shapely.Point(x, 0) for x in xs])
    left = right[:1].set_geometry([shapely.Point(0, 0)])
    for k, count in ((1, 3), (3, 3), (4, 5), (5, 5), (6, 6), (9, 6)):
        found = cg.sjoin_nearest(left, right, k=k, distance_col="d")
        assert found["index_right"].tolist() == list(range(count))
        assert found["d"].tolist() == [abs(x) for x in xs[:count]]
        back = cg.sjoin_nearest(right, left, k=k, how="right")
        assert back["index_left"].tolist() == list(range(count))
    assert cg.sjoin_nearest(left, right, k=9, max_distance=2.0)["x_right"].tolist() == xs[:5]
    for k, error in ((0, ValueError), (1.5, TypeError)):
        with pytest.raises(error, match="k"):
            cg.sjoin_nearest(left, right, k=k)


def test_equally_near_is_decided_exactly_where_distances_are_rounded():
    # The second point is nearer by 2^-60, which the distances don't show.
    points = [shapely.Point(1, 2**-30), shapely.Point(1, 0), shapely.Point(-1, 0)]
    right = geopandas.GeoDataFrame(geometry=points)
    left = geopandas.GeoDataFrame(geometry=[shapely.Point(0, 0)])
    found = cg.sjoin_nearest(left, right, k=3, distance_col="d")
    assert found["index_right"].tolist() == [1, 2, 0]
    assert found["d"].nunique() == 1
    assert cg.sjoin_nearest(left, right)["index_right"].tolist() == [1, 2]


def triangulated(rng, count):
    """Unions of triangles of a grid: concave, with shared edges, holes and several parts."""
    cells = []
    for x in range(4):
        for y in range(4):
            corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
            turn = (x + y) % 2
            for k in (0, 2):
                chosen = [corners[(turn + k + step) % 4] for step in range(3)]
                cells.append(shapely.Polygon(chosen))
    cells = np.array(cells)
    rows = []
    while len(rows) < count:
        union = shapely.union_all(cells[rng.random(len(cells)) < rng.choice([0.1, 0.5, 0.9])])
        if carom.Shapes([union], on_invalid="mask").is_valid[0]:
            rows.append(union)
    return geopandas.GeoDataFrame(geometry=rows)


def test_polygons_in_polygons_with_shared_edges_are_those_of_shapely():
    rng = np.random.default_rng(9)
    left, right = triangulated(rng, 60), triangulated(rng, 60)
    for predicate in ("contains", "within", "covers"):
        assert len(assert_same_join(left, right, predicate=predicate)) > 60


def test_containment_is_exact_by_a_hair():
    slope = shapely.Polygon([(0, 0), (3, 1), (0, 1)])
    on, out, inside = (1.5, 0.5), (1.5, np.nextafter(0.5, 0)), (1.5, np.nextafter(0.5, 1))
    points = [shapely.Point(*it) for it in (on, out, inside)]
    points = geopandas.GeoDataFrame(geometry=points, index=[0, 1, 2])
    zone = geopandas.GeoDataFrame(geometry=[slope])
    assert cg.sjoin(points, zone)["index_right"].index.tolist() == [0, 2]
    assert cg.sjoin(points, zone, predicate="within").index.tolist() == [2]
    assert cg.sjoin(points, zone, predicate="covered_by").index.tolist() == [0, 2]
    tips = [shapely.Polygon([tip, (0.25, 0.5), (0.25, 0.75)]) for tip in (on, out, inside)]
    tips = geopandas.GeoDataFrame(geometry=tips)
    assert cg.sjoin(tips, zone, predicate="within").index.tolist() == [0, 2]
    assert cg.sjoin(zone, tips, predicate="contains")["index_right"].tolist() == [0, 2]


def test_points_on_and_in_polygons_with_holes_and_several_parts_are_those_of_shapely():
    ring = shapely.box(0, 0, 8, 8).difference(shapely.box(2, 2, 6, 6))
    parts = shapely.MultiPolygon([shapely.box(0, 0, 4, 4), shapely.box(4, 4, 8, 8)])
    zones = geopandas.GeoDataFrame(geometry=[ring, None, parts, shapely.box(7, 7, 9, 9)])
    points = shapely.points(*np.meshgrid(np.arange(10), np.arange(10.0))).ravel()
    rows = [*points, None, shapely.MultiPoint(points[:3]), shapely.MultiPoint(points[:12])]
    grid = geopandas.GeoDataFrame(geometry=rows)
    for predicate in ("within", "covered_by"):
        assert len(assert_same_join(grid, zones, predicate=predicate)) > 30
    for predicate in ("contains", "covers"):
        assert len(assert_same_join(zones, grid, predicate=predicate)) > 30


def test_predicates_are_known_and_take_some_shapes_at_rest():
    box = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 2, 2)])
    for predicate in ("disjoint", "touch", None):
        with pytest.raises(ValueError, match=r"predicate: expected one of 'intersects', 'dwithin'"):
            cg.sjoin(box, box, predicate=predicate)
    lines = shapely.MultiLineString([[(9, 9), (9, 8)], [(9, 9), (9, 9)]])
    lines = geopandas.GeoDataFrame(geometry=[None, lines], index=["p", "q"])
    assert len(cg.sjoin(box, lines)) == 0
    with pytest.raises(ValueError, match=r"right.loc\['q'\]: part 1: all vertices of the path"):
        cg.sjoin(box, lines, predicate="contains")
    rounded = cg.Column(box, carom.Shapes(box).with_radius(1.0))
    with pytest.raises(ValueError, match=r"left.loc\[0\]: there is a radius, which only the predi"):
        cg.sjoin(rounded, box, predicate="covers")
    for given, name in (
        ({"margin": 1.0}, "margin"),
        ({"velocity_a": (1, 0)}, "velocity_a"),
        ({"margin": [1.0]}, "margin"),
        ({"turn_b": 1.0, "center_b": (0, 0)}, "turn_b"),
    ):
        with pytest.raises(ValueError, match=f"{name}: only the predicate 'intersects' takes"):
            cg.sjoin(box, box, predicate="within", **given)
    for given, text in (
        ({"predicate": "dwithin"}, "distance: the predicate 'dwithin' requires it"),
        ({"predicate": "dwithin", "distance": 1, "margin": 1}, "margin: given with distance"),
        ({"distance": 1}, "distance: the predicate 'intersects' has none"),
        ({"how": "outer"}, "how: expected one of 'inner', 'left', 'right', got 'outer'"),
        ({"how": "outer", "predicate": "within"}, "how: expected one of"),
    ):
        with pytest.raises(ValueError, match=text):
            cg.sjoin(box, box, **given)


CARS = geopandas.GeoDataFrame(
    {
        "vx": [4.0, 0.0, np.nan],
        "vy": 0.0,
        "turn": 0.0,
        "reach": [0.0, 0.0, 9.0],
        "car": list("ABC"),
    },
    geometry=[shapely.box(0, 0, 1, 1), shapely.box(20, 0, 21, 1), None],
    index=["p", "q", "r"],
    crs=32633,
)
CARS["middle"] = geopandas.GeoSeries.from_xy(
    [0.5, 20.5, 0], [0.5, 0.5, 0], index=CARS.index, crs=32633
)
WALLS = geopandas.GeoDataFrame(
    {"wall": ["near", "far"], "ux": [-2.0, 0.0], "uy": [0.0, 0.0]},
    geometry=[shapely.box(3, 0, 4, 1), shapely.box(30, 0, 31, 1)],
    crs=32633,
)


@pytest.mark.parametrize(
    "velocity",
    [("vx", "vy"), ["vx", "vy"], CARS[["vx", "vy"]][::-1], [(4, 0), (0, 0), (0, 0)]],
    ids=["names", "list", "labels", "array"],
)
def test_velocities_are_columns_labels_or_positions(velocity):
    found = cg.sjoin(CARS, WALLS, velocity_a=velocity, fields=("time", "normal", "contact"))
    assert found.index.tolist() == ["p"]
    assert found[["time", "normal_x", "normal_y", "contact_0_x"]].iloc[0].tolist() == [
        0.5,
        -1,
        0,
        3,
    ]
    pairs = cg.colliding_pairs(CARS, WALLS, velocity_a=velocity)
    assert pairs.to_dict("list") == {"a": ["p"], "b": [0]}


def test_numbers_of_pairs_come_after_the_columns_and_are_missing_where_there_is_no_pair():
    given = {"velocity_a": ("vx", "vy"), "fields": ("intersects", "time", "distance")}
    plain = cg.sjoin(CARS, WALLS, velocity_a=("vx", "vy"), how="left")
    found = cg.sjoin(CARS, WALLS, how="left", **given)
    assert_geodataframe_equal(found[plain.columns], plain)
    assert list(found.columns[len(plain.columns) :]) == ["intersects", "time", "distance"]
    assert found["time"].tolist()[0] == 0.5
    assert found["distance"].isna().tolist() == [False, True, True]
    right = cg.sjoin(CARS, WALLS, how="right", **given)
    assert right["time"].tolist()[0] == 0.5
    assert right.index.equals(WALLS.index)


def test_places_are_in_the_coordinates_of_the_frames_when_both_move():
    found = cg.sjoin(
        CARS, WALLS, velocity_a=("vx", "vy"), velocity_b=("ux", "uy"), fields=("contact", "time")
    )
    # 4 t = 2 - 2 t
    assert found["time"].iloc[0] == pytest.approx(1 / 3)
    assert found["contact_0_x"].iloc[0] == found["contact_1_x"].iloc[0]
    assert found["contact_0_x"].iloc[0] == pytest.approx(1 + 4 / 3)
    assert sorted(found.filter(regex="contact_._y").iloc[0]) == [0.0, 1.0]
    assert list(found.columns[-5:]) == [
        "contact_0_x",
        "contact_0_y",
        "contact_1_x",
        "contact_1_y",
        "time",
    ]
    without = cg.sjoin(
        CARS, WALLS, velocity_a=("vx", "vy"), velocity_b=("ux", "uy"), fields=("contact",)
    )
    assert_geodataframe_equal(without, found.drop(columns="time"))


def moving(shapes, velocities, **columns):
    """Shapes that move by the columns x and y."""
    x, y = np.transpose(velocities)
    return geopandas.GeoDataFrame({"x": x, "y": y, **columns}, geometry=list(shapes))


def both_move(left, right, *fields, **given):
    given |= {"velocity_a": ("x", "y"), "velocity_b": ("x", "y")}
    return cg.sjoin(left, right, fields=fields, **given)


TINY = 2.0**-60


def test_what_touches_by_a_hair_in_motion_has_a_time_and_no_distance():
    # 1 + 2^-60 is 1 as a float64, with which the point ends 2^-60 before the wall.
    point = moving([shapely.Point(-TINY, 0.5)], [(1.0, 0.0)])
    walls = [shapely.box(1, 0, 2, 1), shapely.box(3, 0, 4, 1)]
    wall = moving(walls, [(-TINY, 0.0), (0.0, 0.0)])
    assert carom.swept_collision(point.geometry[0], walls[0], (1.0 + TINY, 0)).time == np.inf
    fields = ("time", "normal", "contact", "distance", "closest_a")
    found = both_move(point, wall, *fields)
    assert found[["time", "normal_x", "contact_0_x", "distance"]].to_numpy().tolist() == [
        [1.0, -1.0, 1.0, 0.0]
    ]
    assert found["closest_a_x"].isna().all()
    back = both_move(wall, point, *fields)
    assert back[["time", "normal_x", "contact_0_x", "distance"]].to_numpy().tolist() == [
        [1.0, 1.0, 1.0, 0.0]
    ]
    without = both_move(point, wall, "normal", "distance")
    assert_geodataframe_equal(without, found.drop(columns=[*found.filter(regex="c.*_._?"), "time"]))


def test_what_touches_by_a_hair_within_a_margin_has_its_true_distance():
    point = moving([shapely.Point(-TINY, 0.5)], [(1.0, 0.0)])
    walls = moving([shapely.box(x, 0, x + 1, 1) for x in (1, 1.5, 2.25)], [(-TINY, 0.0)] * 3)
    found = both_move(point, walls, "time", "distance", margin=0.5)
    assert found["distance"].tolist() == [0.0, 0.5]
    assert found["time"].tolist() == [0.5, 1.0]


def test_what_touches_by_a_hair_as_it_turns_has_the_time_of_the_nearest():
    left = moving([shapely.Point(-TINY, 0.5)], [(1.0, 0.0)], turn=[0.1], cx=-TINY, cy=0.5)
    right = moving([shapely.box(1, 0, 2, 1)], [(-TINY, 0.0)])
    given = {"turn_a": "turn", "center_a": ("cx", "cy")}
    found = both_move(left, right, "time", "distance", **given)
    assert found[["time", "distance"]].to_numpy().tolist() == [[1.0, 0.0]]


def test_first_contacts_of_two_that_move_are_those_of_their_own_velocities():
    # The edge x = 3 y is almost parallel to the motion: 2^-55 of the velocity is 1e-5 of the time.
    triangle = shapely.Polygon([(-30, -10), (30, 10), (30, -100)])
    points = [shapely.Point(3, 1 + 2.0**-41), shapely.Point(6, 2 + 2.0**-40)]
    velocities = [(3.0, 1 - 2.0**-40), (3.0, 1 - 2.0**-39)]
    left = moving(points, velocities)
    right = moving([triangle] * 2, [(2.0**-55, 0.0), (-(2.0**-56), 2.0**-70)])
    found = both_move(left, right, "time", "contact")
    assert found.index.tolist() == [0, 0, 1, 1]
    for row, (i, j) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
        x, y = (Fraction(it) for it in points[i].coords[0])
        u, v = (
            [Fraction(it) for it in rows.loc[k, ["x", "y"]]] for rows, k in ((left, i), (right, j))
        )
        time = (3 * y - x) / ((u[0] - v[0]) - 3 * (u[1] - v[1]))
        assert found["time"].iloc[row] == pytest.approx(float(time), rel=1e-10)
        rounded = carom.swept_collision(
            points[i],
            triangle,
            np.subtract(velocities[i], right.loc[j, ["x", "y"]].to_numpy(float)),
        )
        assert abs(rounded.time / float(time) - 1) > 1e-6
        assert found["contact_0_x"].iloc[row] == pytest.approx(float(x + time * u[0]), rel=1e-15)


def test_contacts_of_own_velocities_are_those_of_the_difference_where_it_is_exact():
    rng = np.random.default_rng(5)
    left, right = (frame(rng, 80)[["geometry"]] for _ in range(2))
    for name, rows in (("i", left), ("j", right)):
        rows[["x", "y"]], rows[name] = rng.integers(-8, 9, (80, 2)) / 2, np.arange(80)
    fields = ("intersects", "time", "normal", "contact", "distance", "closest_a")
    for margin in (0.0, 0.5):
        found = both_move(left, right, *fields, margin=margin)
        assert len(found) > 2000
        u, v = (found[[f"x_{side}", f"y_{side}"]].to_numpy() for side in ("left", "right"))
        order = (left.geometry, right.geometry, u - v)
        pairs = (found["i"].to_numpy(), found["j"].to_numpy())
        sweep = carom.swept_collision_batch(*order, pairs=pairs, margin=margin)
        approach = carom.closest_approach_batch(*order, pairs=pairs)
        for name in ("intersects", "time"):
            assert np.array_equal(found[name], getattr(sweep, name))
        assert np.array_equal(found[["normal_x", "normal_y"]], sweep.normal)
        assert np.array_equal(found["distance"], approach.distance)
        ends = found.filter(regex="contact_").to_numpy().reshape(-1, 2, 2)
        np.testing.assert_array_equal(ends, sweep.contact + (sweep.time[:, None] * v)[:, None])
        moved = approach.closest_a + approach.time[:, None] * v
        np.testing.assert_array_equal(found[["closest_a_x", "closest_a_y"]], moved)


def test_margins_belong_to_rows_and_missing_rows_need_none():
    assert cg.sjoin(CARS, WALLS, margin="reach").empty
    by_label = pd.Series([10.0, 2.0, np.nan], ["q", "p", "r"])
    found = cg.sjoin(CARS, WALLS, margin=by_label, fields=("distance", "closest_b"))
    assert found["wall"].tolist() == ["near", "far"]
    assert found["distance"].tolist() == [2.0, 9.0]
    assert found["closest_b_x"].tolist() == [3.0, 30.0]
    near = cg.sjoin(CARS, WALLS, margin=1, velocity_a=(1.5, 0), fields=("time", "distance"))
    assert near[["time", "distance"]].to_numpy().tolist() == [[pytest.approx(2 / 3), 0.5]]


def test_a_turn_has_a_center_in_a_column_by_label_or_by_position():
    bars = CARS[:2].set_geometry([shapely.box(-3, 0, 3, 0.5), shapely.box(20, 0, 26, 0.5)])
    above = WALLS.set_geometry([shapely.box(-1, 2, 1, 3), shapely.box(60, 0, 61, 1)])
    assert cg.sjoin(bars, above).empty
    bars["middle"] = geopandas.GeoSeries.from_xy([0, 23], [0, 0], index=bars.index, crs=32633)
    bars["x"], bars["y"], bars["turn"] = [0, 23], 0, [1.5, 0.0]
    for center in ("middle", ("x", "y"), bars["middle"][::-1], [(0, 0), (23, 0)], (0, 0)):
        found = cg.sjoin(bars, above, turn_a="turn", center_a=center, fields=("time",))
        assert found.index.tolist() == ["p"]
        assert 0 < found["time"].iloc[0] < 1
        back = cg.sjoin(above, bars, turn_b=bars["turn"][::-1], center_b=center, fields=("time",))
        assert back["time"].iloc[0] == pytest.approx(found["time"].iloc[0])
    with pytest.raises(ValueError, match=r"center_a: missing; turn_a is 1.5"):
        cg.sjoin(bars, above, turn_a=1.5)
    with pytest.raises(TypeError, match="center_a: expected points, got other geometries"):
        cg.sjoin(bars, above, turn_a="turn", center_a="geometry")


def test_numbers_of_convex_shapes_at_rest_are_those_of_sat():
    found = cg.sjoin(
        CARS, WALLS.translate(-2.5).to_frame("g").set_geometry("g"), fields=("mtv", "depth")
    )
    assert found[["mtv_x", "mtv_y", "depth"]].to_numpy().tolist() == [[-0.5, 0.0, 0.5]]
    arrow = CARS[:1].set_geometry([shapely.Polygon([(0, 0), (4, 2), (0, 4), (1, 2)])])
    for fields in (("separation",), ("depth", "normal"), ("contact",)):
        with pytest.raises(ValueError, match=r"left.loc\['p'\]: the .* is not convex"):
            cg.sjoin(arrow, WALLS, predicate="dwithin", distance=9, fields=fields)
    with pytest.raises(ValueError, match=r"left.loc\['p'\]: .*margin"):
        cg.sjoin(arrow, WALLS, margin=9, fields=("depth",))


def test_the_depth_of_concave_shapes_is_that_of_penetration_and_of_convex_ones_that_of_sat():
    rng = np.random.default_rng(3)
    boxes = geopandas.GeoDataFrame(geometry=mixed(rng, 40, "b"), crs=32633)
    holed = geopandas.GeoDataFrame(geometry=mixed(rng, 40, "gm"), crs=32633)
    for left, right, function in (
        (boxes, holed, carom.penetration_batch),
        (holed, boxes, carom.penetration_batch),
        (holed, holed, carom.penetration_batch),
        (boxes, boxes, carom.sat_batch),
    ):
        found = cg.sjoin(left, right, fields=("mtv", "depth"))
        pairs = carom.colliding_pairs(left, right)
        expected = function(left, right, pairs=pairs, fields=("depth", "mtv"))
        assert found["depth"].to_numpy().tobytes() == expected.depth.tobytes()
        assert found[["mtv_x", "mtv_y"]].to_numpy().tobytes() == expected.mtv.tobytes()
        assert 0 < (found["depth"] > 0).sum() < len(found)
    rounded = cg.sjoin(boxes, boxes, margin=0.5, fields=("depth", "separation"))
    assert (rounded["depth"] == -rounded["separation"]).all()


@pytest.mark.parametrize("how", HOW)
def test_shortest_lines_are_geometries_from_one_nearest_point_to_the_other(how):
    left = geopandas.GeoDataFrame(
        geometry=[shapely.box(0, 0, 1, 1), shapely.box(9, 9, 10, 10), None], crs=32633
    )
    right = left.set_geometry([shapely.box(3, 0, 4, 1), shapely.box(1, 1, 2, 2), None])
    fields = ("closest_b", "closest", "distance", "closest_a")
    found = cg.sjoin(left, right, how, "dwithin", distance=2.5, fields=fields)
    names = ["closest_b_x", "closest_b_y", "closest", "distance", "closest_a_x", "closest_a_y"]
    assert list(found.columns[-6:]) == names
    assert found["closest"].dtype == "geometry"
    assert geopandas.GeoSeries(found["closest"]).crs == left.crs
    apart = found[found["distance"] > 0]
    assert len(apart) == 1
    line = apart["closest"].iloc[0]
    assert line.length == apart["distance"].iloc[0] == 2.0
    ends = apart[["closest_a_x", "closest_a_y", "closest_b_x", "closest_b_y"]].iloc[0].tolist()
    assert [*line.coords[0], *line.coords[1]] == ends
    touching_or_alone = found[~(found["distance"] > 0)]
    assert len(touching_or_alone) == {"inner": 1, "left": 3, "right": 2}[how]
    assert touching_or_alone["closest"].isna().all()
    assert found.set_geometry("closest").geometry.length.sum() == 2.0
    # Frames without rows have the column, too.
    empty = cg.sjoin(left[:0], right, how, fields=("closest",))
    assert empty["closest"].dtype == "geometry"


def test_shortest_lines_of_the_nearest_rows_and_of_moving_rows_lie_in_the_frames():
    rng = np.random.default_rng(4)
    left, right = frame(rng, 30, "named"), frame(rng, 9, kinds="pb")
    found = cg.sjoin_nearest(left, right, distance_col="d", fields=("closest",))
    apart = found[found["d"] > 0]
    assert len(apart) > 5
    assert apart["closest"].notna().all()
    assert np.allclose(geopandas.GeoSeries(apart["closest"]).length, apart["d"])
    assert found["closest"].isna().sum() == (found["d"] == 0).sum()
    given = {"velocity_a": (1, 0), "velocity_b": (0, 8)}
    near = cg.sjoin(CARS, WALLS, margin=9, fields=("closest", "closest_a", "closest_b"), **given)
    assert len(near) > 0
    ends = near[["closest_a_x", "closest_a_y", "closest_b_x", "closest_b_y"]].to_numpy()
    drawn = [shapely.get_coordinates(it).ravel().tolist() for it in near["closest"]]
    assert drawn == ends.tolist()


def test_columns_that_methods_of_a_frame_hide_are_warned_of_and_the_distance_can_be_renamed():
    left = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)])
    right = geopandas.GeoDataFrame(geometry=[shapely.box(3, 0, 4, 1)])
    told = r"'distance' is frame\['distance'\], as frame.distance is a method .*distance_col="
    for join, given in ((cg.sjoin, {"margin": 2}), (cg.sjoin_nearest, {})):
        with pytest.warns(UserWarning, match=told) as caught:
            found = join(left, right, fields=("distance",), **given)
        assert caught[0].filename == __file__
        assert found["distance"].tolist() == [2.0]
    with pytest.warns(UserWarning, match=r"'intersects' is frame\['intersects'\].*DataFrame$"):
        cg.sjoin(left, right, velocity_a=(3, 0), fields=("intersects",))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        names = ("depth", "mtv", "normal", "separation", "contact", "closest", "closest_a")
        cg.sjoin(left, right, margin=2, fields=names)
        alone = cg.sjoin(left, right, margin=2, distance_col="metres")
        assert alone["metres"].tolist() == [2.0]
        fields = ("closest_a", "distance", "depth")
        among = cg.sjoin(left, right, margin=2, distance_col="metres", fields=fields)
        assert list(among.columns[-4:]) == ["closest_a_x", "closest_a_y", "metres", "depth"]
        moving = cg.sjoin(left, right, velocity_a=(3, 0), distance_col="least", fields=("time",))
        assert moving[["time", "least"]].to_numpy().tolist() == [[2 / 3, 0.0]]
        with pytest.raises(ValueError, match="the frames have a column 'index_right' already"):
            cg.sjoin(left, right, margin=2, distance_col="index_right")


@pytest.mark.parametrize("index", indexes(np.random.default_rng(0), 2))
@pytest.mark.parametrize("predicate", [*PREDICATES, "equals", "dwithin"])
def test_a_frame_joined_with_itself_once_has_each_pair_of_rows_once(predicate, index):
    rows = frame(np.random.default_rng(5), 40, index)
    numbered = rows.assign(place=np.arange(40))
    given = {"distance": 1.0} if predicate == "dwithin" else {}
    every = cg.sjoin(numbered, numbered, predicate=predicate, **given)
    once = cg.sjoin(numbered, numbered, predicate=predicate, self_pairs="once", **given)
    is_ordered = predicate in ("contains", "within", "covers", "covered_by", "contains_properly")
    i, j = every["place_left"], every["place_right"]
    assert_geodataframe_equal(once, every[i != j if is_ordered else i < j])
    assert len(once) > 0 or predicate in ("equals", "contains_properly", "crosses")


def test_a_frame_joined_with_itself_once_moves_by_one_velocity():
    rows = geopandas.GeoDataFrame(
        {"name": list("pqr"), "vx": [2.0, 0.0, -3.0], "vy": 0.0},
        geometry=[shapely.box(x, 0, x + 1, 1) for x in (0, 3, 8)],
    )
    given = {"fields": ("time", "contact"), "margin": 1}
    way = ("vx", "vy")
    once = cg.sjoin(rows, rows, velocity_a=way, self_pairs="once", **given)
    every = cg.sjoin(rows, rows, velocity_a=way, velocity_b=way, **given)
    first = every[every.index < every["index_right"]]
    assert_geodataframe_equal(once, first)
    assert once["name_right"].tolist() == ["q", "r"]
    # Columns, and a frame of fewer attributes, are the same frame.
    column = cg.column(rows)
    for left, right in ((column, column), (column, rows), (rows, rows[["geometry"]])):
        assert len(cg.sjoin(left, right, velocity_a=way, self_pairs="once")) == 1
    by_label = pd.Series([7.0, 7.0, 9.0])
    assert cg.sjoin(rows, rows, self_pairs="once", on_attribute="vx").empty
    for wrong, text in (
        ({"velocity_b": way}, "velocity_b: given without b"),
        ({"margin": by_label}, "margin"),
        ({"how": "left"}, "self_pairs: 'once' requires how='inner', got 'left'"),
        ({"self_pairs": "twice"}, "self_pairs: expected one of 'all', 'once', got 'twice'"),
    ):
        with pytest.raises(ValueError, match=f"^{text}"):
            cg.sjoin(rows, rows, **({"self_pairs": "once"} | wrong))
    for other in (rows[:2], rows.set_index("name"), rows.translate(1).to_frame("geometry")):
        with pytest.raises(ValueError, match=r"^self_pairs: .* right has other labels or shapes"):
            cg.sjoin(rows, other, self_pairs="once")
    with pytest.raises(ValueError, match="max_pairs"):
        cg.sjoin(rows, rows, margin=9, self_pairs="once", max_pairs=2)


JOINS = [cg.sjoin, cg.sjoin_nearest, cg.colliding_pairs, cg.candidate_pairs]


@pytest.mark.parametrize("join", JOINS, ids=lambda it: it.__name__)
def test_progress_is_told_up_to_the_last_row(join):
    rows = geopandas.GeoDataFrame(geometry=shapely.points(np.random.default_rng(0).random((99, 2))))
    told = []
    found = join(rows, rows, progress=lambda done, total: told.append((done, total)))
    assert found.equals(join(rows, rows, progress=False))
    assert told[-1] == (99, 99)
    assert told == sorted(set(told))

    def stop(*_):
        raise OSError("enough")

    with pytest.raises(OSError, match="enough"):
        join(rows, rows, progress=stop)
    for wrong in (1, "yes"):
        with pytest.raises(TypeError, match=f"^progress: expected True, or a .* got {wrong!r}"):
            join(rows, rows, progress=wrong)


@pytest.mark.parametrize("join", JOINS, ids=lambda it: it.__name__)
def test_progress_is_shown_by_tqdm_if_it_is_installed(join, monkeypatch, capsys):
    rows = geopandas.GeoDataFrame(geometry=shapely.points(np.random.default_rng(0).random((99, 2))))
    assert join(rows, rows, progress=True).equals(join(rows, rows))
    assert "99.0/99.0" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match=r"progress=True needs tqdm; pip install .* a function"):
        join(rows, rows, progress=True)
    assert not join(rows, rows).empty


class Pieces:
    def __init__(self):
        self.told = []

    def append(self, *rows):
        self.told.append(rows)


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("exclusive", [False, True])
def test_neighbors_are_the_same_piece_by_piece(exclusive, k):
    rng = np.random.default_rng(6)
    left, right = frame(rng, 70), frame(rng, 50)
    given = {"k": k, "exclusive": exclusive, "distance_col": "d"}
    for how in HOW:
        pieces = Pieces()
        found = cg.sjoin_nearest(left, right, how, progress=pieces.append, **given)
        assert_geodataframe_equal(found, cg.sjoin_nearest(left, right, how, **given))
        assert len(pieces.told) > 10
    empty = cg.sjoin_nearest(left[:0], right, progress=print, **given)
    assert_geodataframe_equal(empty, cg.sjoin_nearest(left[:0], right, **given))


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        (
            {"fields": ("tme",)},
            ValueError,
            "fields: no field is called 'tme'; the fields are distance",
        ),
        ({"fields": ("time",)}, ValueError, "fields: 'time' needs a velocity or a turn"),
        (
            {"fields": ("depth",), "velocity_a": (1, 0)},
            ValueError,
            "fields: shapes that move have no 'depth'",
        ),
        ({"fields": "time"}, TypeError, "did you mean fields=('time',)?"),
        ({"velocity_a": ("vx", "vz")}, ValueError, "velocity_a: no column is called 'vz'"),
        ({"margin": "vz"}, ValueError, "margin: no column is called 'vz'"),
        ({"velocity_b": WALLS[["ux", "uy"]][:1]}, ValueError, "velocity_b: no row has the label 1"),
        (
            {"velocity_a": [(0, 0), (np.nan, 0), (0, 0)]},
            ValueError,
            "velocity_a.loc['q'] is (nan, 0.0); it must be finite",
        ),
        (
            {"velocity_a": [(0, 0)] * 2},
            ValueError,
            "velocity_a has 2 rows, and left has 3; expected one for all, or one for each",
        ),
        ({"margin": [1.0, -1.0, 0.0]}, ValueError, "margin.loc['q'] is -1.0"),
        ({"predicate": "dwithin", "distance": -1}, ValueError, "distance is -1.0; it must be"),
        (
            {"predicate": "dwithin", "distance": [1.0, -1.0, 0.0]},
            ValueError,
            "distance.loc['q'] is -1.0",
        ),
        (
            {"predicate": "dwithin", "distance": [1.0, 2.0]},
            ValueError,
            "distance has 2 rows, and left has 3",
        ),
        ({"predicate": "dwithin", "distance": "car"}, TypeError, "distance"),
        ({"margin": "car"}, TypeError, "margin"),
        ({"max_pairs": 0, "margin": 99}, ValueError, "max_pairs is 0"),
        ({"velocity_a": CARS["vx"]}, TypeError, "velocity_a: expected an array"),
        ({"velocity_a": "vx"}, TypeError, "velocity_a: a vector is two names of columns"),
        ({"velocity_a": ("vx", "vy", "vz")}, ValueError, "velocity_a: expected two names"),
        ({"fields": None}, TypeError, "fields: expected a tuple of names, got None"),
    ],
    ids=str,
)
def test_arguments_of_joins_are_refused_with_names_and_labels(given, error, text):
    with pytest.raises(error) as caught:
        cg.sjoin(CARS, WALLS, **given)
    assert text in str(caught.value)


def test_a_field_never_replaces_a_column():
    with pytest.raises(
        ValueError, match="fields: the frames have a column 'time' already; rename it"
    ):
        cg.sjoin(CARS.assign(time=1), WALLS, velocity_a=("vx", "vy"), fields=("time",))


def test_frames_are_required_and_series_told_how_to_become_one():
    with pytest.raises(
        TypeError, match=r"left: expected a GeoDataFrame, got GeoSeries; left.to_frame\(\)"
    ):
        cg.sjoin(CARS.geometry, WALLS)
    with pytest.raises(TypeError, match="right: expected a GeoDataFrame, got list"):
        cg.sjoin_nearest(CARS, [shapely.box(0, 0, 1, 1)])


def test_columns_prepared_once_join_as_frames_do():
    rng = np.random.default_rng(10)
    left, right = frame(rng, 30, "named"), frame(rng, 30, "two levels")
    columns = cg.column(left), cg.column(right)
    for how in HOW:
        assert_geodataframe_equal(cg.sjoin(*columns, how=how), cg.sjoin(left, right, how=how))
    nearest = cg.sjoin_nearest(left, columns[1], fields=("closest_b",))
    assert_geodataframe_equal(nearest, cg.sjoin_nearest(left, right, fields=("closest_b",)))
    with pytest.raises(TypeError, match="left: expected a GeoDataFrame, got GeoSeries"):
        cg.sjoin(cg.column(left.geometry), right)


def test_systems_that_differ_in_the_order_of_their_axes_are_the_same():
    one, other = (
        geopandas.GeoSeries(shapely.points([1.0], [2.0]), crs=it) for it in (4326, "OGC:CRS84")
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(cg.sjoin(one.to_frame("at"), other.to_frame("at"))) == 1
    assert carom.colliding_pairs(one, other).shape == (2, 1)


def test_columns_prepared_once_know_what_on_invalid_may_be():
    column = cg.column(geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)]))
    with pytest.raises(ValueError, match="on_invalid: expected 'raise' or 'mask', got 'skip'"):
        cg.sjoin(column, column, on_invalid="skip")


def test_invalid_rows_are_refused_by_label_or_masked():
    bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    left = CARS.set_geometry([bow, shapely.box(0, 0, 1, 1), None])
    for join in (cg.sjoin, cg.sjoin_nearest):
        with pytest.raises(ValueError, match=r"^right.loc\['p'\]: the ring meets itself"):
            join(WALLS, left)
        with pytest.warns(UserWarning, match="1 row is masked"):
            masked = join(left, left, on_invalid="mask")
        assert masked.index.tolist() == ["q"]


def test_reference_systems_are_refused_or_warned_of():
    degrees = WALLS.set_crs(4326, allow_override=True)
    none = WALLS.set_crs(None, allow_override=True)
    long = WALLS.to_crs(
        "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m"
    )
    for join in (cg.sjoin, cg.sjoin_nearest):
        with pytest.raises(
            ValueError,
            match=r"^left has the CRS EPSG:32633 and right the CRS EPSG:4326; .* set_crs",
        ):
            join(CARS, degrees)
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - the text is examined below
            join(CARS, long)
        assert len(str(caught.value)) < 160
        with pytest.warns(
            UserWarning, match="CRS mismatch .*\n.*\n\nCRS of left: EPSG:32633\nCRS of right: None"
        ) as told:
            join(CARS, none)
        assert [it.filename for it in told] == [__file__]
    silent = cg.sjoin(degrees, degrees)
    assert len(silent) == 2
    for given, text in (
        ({"margin": 1}, "margin is in degrees"),
        ({"velocity_b": (1, 0)}, "velocity_b is in degrees"),
        ({"velocity_a": (1, 0), "margin": [1, 0]}, "velocity_a and margin are in degrees"),
        ({"predicate": "dwithin", "distance": 1}, "distance is in degrees"),
    ):
        with pytest.warns(UserWarning, match=f"Geometry is in a geographic CRS.*'sjoin'.*{text}"):
            cg.sjoin(degrees, degrees, **given)
    with pytest.warns(UserWarning, match="geographic CRS.*'sjoin_nearest'"):
        cg.sjoin_nearest(degrees, degrees)
    with pytest.warns(UserWarning, match="geographic CRS.*'colliding_pairs'"):
        cg.colliding_pairs(degrees, margin=1)


@pytest.fixture(scope="module")
def countries():
    """The countries of the world, most of several parts, their parts, and points among them."""
    with np.load(Path(carom.__file__).parent / "data" / "natural_earth.npz") as data:
        column = carom.Shapes.from_ragged(
            data["coords"], data["ring_offsets"], data["polygon_offsets"]
        )
        owners, names, corners = data["owners"], data["names"], data["coords"][::23]
    rows = column.to_shapely()
    parts = geopandas.GeoDataFrame({"part": range(len(rows))}, geometry=rows).set_index(
        pd.Index(names[owners], name="name")
    )
    whole = geopandas.GeoDataFrame(
        geometry=[shapely.multipolygons(rows[owners == k]) for k in np.unique(owners)]
    )
    rng = np.random.default_rng(11)
    places = np.concatenate([rng.uniform((-180, -80), (180, 80), (3000, 2)), corners])
    return parts, whole, geopandas.GeoDataFrame(geometry=shapely.points(places))


@pytest.mark.parametrize("how", HOW)
def test_countries_join_as_in_geopandas(countries, how):
    parts, whole, points = countries
    assert_same_join(whole, parts, how)
    assert_same_join(parts, whole, how, predicate="within")
    assert_same_join(whole, whole, how, predicate="covers")
    assert_same_join(points, parts, how, predicate="within")
    assert_same_nearest(points, whole, how, distance_col="d")


@pytest.mark.parametrize("how", HOW)
def test_answers_are_missing_and_not_false_in_rows_that_meet_no_other(how):
    left, right = (
        geopandas.GeoDataFrame(geometry=[shapely.box(x, 0, x + 1, 1) for x in places])
        for places in ((0, 50), (3, 90))
    )
    found = cg.sjoin(left, right, how=how, velocity_a=(3, 0), fields=("still_inside",))
    assert found["still_inside"].dtype == ("bool" if how == "inner" else "boolean")
    assert found["still_inside"].isna().sum() == (0 if how == "inner" else 1)
    assert found["still_inside"].dropna().tolist() == [True]

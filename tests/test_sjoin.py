"""`sjoin` and `sjoin_nearest` against GeoPandas' own."""

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from geopandas.testing import assert_geodataframe_equal

import carom
from carom.interop import geopandas as cg

HOW = ["inner", "left", "right"]
PREDICATES = ["intersects", "contains", "within", "covers", "covered_by"]


def mixed(rng, count, kinds="bgmpPlL"):
    """Shapes of several kinds on a small grid, so that they touch, coincide and contain others."""
    rows = []
    for kind in rng.choice(list(kinds), count):
        x, y = rng.integers(0, 9, 2)
        box = shapely.box(x, y, *((x, y) + rng.integers(1, 5, 2)))
        match kind:
            case "b":
                rows.append(box)
            case "g":
                hole = shapely.box(x + 1, y + 1, x + 2, y + 2).exterior
                rows.append(shapely.Polygon(shapely.box(x, y, x + 4, y + 3).exterior, [hole]))
            case "m":
                other = shapely.box(x + 4, y + rng.integers(0, 3), x + 6, y + 4)
                touching = [shapely.box(x, y, x + 2, y + 2), shapely.box(x + 2, y + 2, x + 3, y + 3)]
                rows.append(shapely.MultiPolygon([*touching, other]))
            case "p":
                rows.append(shapely.Point(x, y))
            case "P":
                rows.append(shapely.MultiPoint(rng.integers(0, 9, (3, 2)) / 2))
            case "l":
                rows.append(shapely.LineString([(x, y), (x + 3, y), (x + 3, y + 2)]))
            case "L":
                rows.append(shapely.MultiLineString([[(x, y), (x + 2, y + 2)], [(y, x), (y, x + 1)]]))
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


def frame(rng, count, index="range", kinds="bgmpPlL", geometry="geometry", **columns):
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
    return made.set_index(indexes(rng, count)[index])


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
def test_predicates_equal_those_of_geopandas_on_points_and_polygons(predicate, how):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        left, right = frame(rng, 50, kinds="bgmpP"), frame(rng, 50, "named", kinds="bgmpP")
        assert_same_join(left, right, how, predicate=predicate)

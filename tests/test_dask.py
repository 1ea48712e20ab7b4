"""Joins on Dask give what one machine gives, for any partitioning."""

from __future__ import annotations

import datetime as dt
import doctest
import pickle
import subprocess
import sys
import warnings

import carom
import carom.dask as cd
import cloudpickle
import dask
import dask.array as da
import dask.dataframe as dd
import dask_geopandas
import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely
from carom.dask import joins, partitions_as_wkb
from carom.dask import partitions as partitions_module
from carom.interop import geopandas as cg
from dask.sizeof import sizeof

from docstring_rules import assert_documented
from parquet_geometry import write_geometry
from partitioned import VELOCITY, as_set, divided, moving_rows, same_rows

ROWS = 60
CAR = np.array([(-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0)])


@pytest.fixture(autouse=True)
def _one_process():
    with dask.config.set(scheduler="synchronous"):
        yield


PARTITIONINGS = ("one", "random", "sorted")
pytestmark = [
    pytest.mark.filterwarnings("ignore:the boxes of .* pairs of partitions meet"),
    pytest.mark.filterwarnings("ignore:the column '.*' is frame"),
]


@pytest.mark.parametrize("how", PARTITIONINGS)
@pytest.mark.parametrize("margin", [0.0, 0.5])
@pytest.mark.parametrize("velocities", [{}, {"velocity_a": VELOCITY, "velocity_b": (0.5, -1.0)}])
def test_pairs_are_those_of_one_machine(how, margin, velocities):
    for seed in range(3):
        a, one = divided(moving_rows(seed, "p"), how, seed)
        b, other = divided(moving_rows(seed + 100, "q", 40), how, seed)
        found = cd.colliding_pairs(one, other, margin=margin, **velocities)
        expected = cg.colliding_pairs(a, b, margin=margin, **velocities)
        assert as_set(found.compute()) == as_set(expected)
        assert len(expected) > 0


@pytest.mark.parametrize("how", PARTITIONINGS)
@pytest.mark.parametrize("velocity", [None, VELOCITY, (1.0, 2.0)])
def test_a_join_with_itself_has_the_earlier_row_first(how, velocity):
    for seed in range(3):
        a, one = divided(moving_rows(seed, "p"), how, seed)
        found = cd.colliding_pairs(one, velocity_a=velocity)
        assert as_set(found.compute()) == as_set(cg.colliding_pairs(a, velocity_a=velocity))


def test_labels_keep_their_dtypes_which_are_known_before():
    frame = moving_rows(0, "p")
    for index in (frame.index, pd.RangeIndex(3, ROWS + 3), pd.date_range("2026", periods=ROWS)):
        rows = dd.from_pandas(frame.set_axis(index), npartitions=3)
        found = cd.colliding_pairs(rows)
        assert (found.compute().dtypes == found.dtypes).all()
        assert found.dtypes["a"] == rows.compute().index.dtype


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "uint8", "float32"])
def test_labels_of_any_width_are_known_before(dtype):
    frame = moving_rows(0, "p").set_axis(pd.Index(np.arange(ROWS), dtype=dtype))
    rows = in_partitions(frame, 3)
    for join in (cd.colliding_pairs, cd.nearest, cd.sjoin, cd.sjoin_nearest):
        found = join(rows, rows)
        computed = found.compute()
        labels = [computed.index.dtype, found._meta.index.dtype]
        if join in (cd.colliding_pairs, cd.nearest):
            labels = [computed["b"].dtype, found.dtypes["a"]]
        assert labels == [dtype, dtype]
        assert (computed.dtypes == found.dtypes).all()


def test_series_and_columns_of_wkb_are_taken():
    frame = moving_rows(0, "p").sort_index()  # as Dask sorts
    expected = as_set(cg.colliding_pairs(frame, velocity_a=VELOCITY))
    at_rest = as_set(cg.colliding_pairs(frame))
    series = dd.from_pandas(frame.geometry, npartitions=4)
    assert as_set(cd.colliding_pairs(series).compute()) == at_rest
    wkb = pd.DataFrame(frame.drop(columns="geometry"))
    wkb["shape"] = pd.array(shapely.to_wkb(frame.geometry.array), pd.ArrowDtype(pa.binary()))
    rows = dd.from_pandas(wkb, npartitions=4)
    found = cd.colliding_pairs(rows, velocity_a=VELOCITY, geometry="shape")
    assert as_set(found.compute()) == expected
    with dask.config.set({"dataframe.convert-string": False}):
        plain = pd.DataFrame(frame).assign(geometry=np.array(frame.geometry, dtype=object))
        rows = dd.from_pandas(plain, npartitions=4)
        assert as_set(cd.colliding_pairs(rows, velocity_a=VELOCITY).compute()) == expected


@pytest.mark.parametrize("dtype", [pa.binary(), pa.large_binary()])
def test_wkb_lies_anywhere_in_memory(dtype):
    """As in partitions that Dask got from another process."""
    frame = pd.DataFrame(moving_rows(1, "p").to_wkb())
    frame["geometry"] = frame["geometry"].astype(pd.ArrowDtype(dtype))
    buffers = []
    pickled = pickle.dumps(frame, protocol=5, buffer_callback=buffers.append)

    def from_offset(offset):
        moved = [memoryview(bytes(offset) + bytes(it.raw()))[offset:] for it in buffers]
        return pickle.loads(pickled, buffers=moved)

    expected = as_set(cg.colliding_pairs(moving_rows(1, "p"), velocity_a=VELOCITY))
    for offset in range(8):
        rows = dd.from_map(from_offset, [offset], meta=frame)
        assert as_set(cd.colliding_pairs(rows, velocity_a=VELOCITY).compute()) == expected


@pytest.mark.parametrize("convert", [np.asarray, shapely.to_wkb])
def test_objects_that_dask_made_text_are_refused(convert):
    frame = moving_rows(0, "p").dropna()
    plain = pd.DataFrame(frame).assign(geometry=convert(np.array(frame.geometry, dtype=object)))
    with dask.config.set({"dataframe.convert-string": True}):
        # `dd.from_pandas` itself raises for WKB that is not text by chance.
        rows = in_partitions(plain)
        with pytest.raises(TypeError, match=r"a: .* text; .*convert-string.* objects and of WKB:"):
            cd.colliding_pairs(rows)
    with dask.config.set({"dataframe.convert-string": False}):
        assert len(cd.colliding_pairs(in_partitions(plain)).compute()) > 0


def test_what_is_no_geometry_is_a_type_error():
    plain = pd.DataFrame({"geometry": [1.0, 2.0]})
    with pytest.raises(TypeError, match="a: expected geometries or WKB, got dtype float64"):
        cd.colliding_pairs(in_partitions(plain))
    mixed = pd.DataFrame({"geometry": [shapely.Point(0, 0), 3]}, dtype=object)
    with dask.config.set({"dataframe.convert-string": False}):
        rows = in_partitions(mixed)
    with pytest.raises(TypeError, match=r"a.*\.loc\[1\].*: expected a geometry or WKB, got int"):
        cd.colliding_pairs(rows).compute()


def test_columns_of_one_name_are_refused():
    frame = moving_rows(0, "p").rename(columns={"vy": "vx"})
    doubled = in_partitions(frame)
    rows = in_partitions(moving_rows(0, "p"))
    for function, name in ((cd.colliding_pairs, "b"), (cd.sjoin, "right"), (cd.nearest, "b")):
        with pytest.raises(ValueError, match=f"^{name}: several columns are called 'vx'"):
            function(rows, doubled)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"margin": -1.0}, r"margin is -1.0; it must be finite and 0 or more"),
        ({"margin": np.nan}, r"margin is nan; it must be finite"),
        ({"margin": 2**53 + 1}, r"margin has 9007199254740993, which no float64"),
        ({"margin": np.ma.masked}, r"margin is masked"),
        (
            {"velocity_a": np.ma.array([1.0, 2.0], mask=[1, 0])},
            r"velocity_a: component 0 is masked",
        ),
        ({"velocity_a": ("vx", "speed")}, r"velocity_a: a has no column 'speed'"),
        ({"velocity_a": ("vx",)}, r"velocity_a: expected the names of two columns"),
        ({"velocity_a": (1.0, np.inf)}, r"velocity_a is \(1.0, inf\); it must be finite"),
        ({"velocity_a": np.zeros((ROWS, 2))}, r"velocity_a: .* shape \(60, 2\)"),
        ({"velocity_b": (1.0, 0.0)}, r"velocity_b: given without b"),
        ({"geometry": "shape"}, r"geometry: a has no column 'shape'"),
    ],
)
def test_bad_arguments_raise_at_the_call(keywords, message):
    rows = dd.from_pandas(moving_rows(0, "p"), npartitions=2)
    with pytest.raises(ValueError, match=message):
        cd.colliding_pairs(rows, **keywords)


@pytest.mark.parametrize(
    ("function", "keyword", "advice"),
    [
        (cd.colliding_pairs, "distance", "see margin"),
        (cd.colliding_pairs, "velocity", "see velocity_a and velocity_b"),
        (cd.colliding_pairs, "turn_a", "sjoin has it"),
        (cd.colliding_pairs, "on_invalid", "is_valid of carom.interop.geopandas"),
        (cd.colliding_pairs, "threads", "a task has one thread"),
        (cd.colliding_pairs, "max_pairs", "chunk_pairs bounds a partition of the result"),
        (cd.nearest, "progress", "dask.diagnostics.ProgressBar and the dashboard"),
        (cd.sjoin, "op", "it is called predicate"),
        (cd.sjoin, "duration", "velocities are displacements"),
        (cd.sjoin, "self_pairs", "colliding_pairs of one frame has each pair once"),
        (cd.sjoin_nearest, "threads", "a task has one thread"),
        (cd.nearest, "margin", "see max_distance"),
        (cd.nearest, "how", "sjoin_nearest has it"),
        (cd.sjoin, "left_df", "it is called left"),
        (cd.sjoin, "k", "sjoin_nearest has it"),
        (cd.sjoin_nearest, "distance", "see max_distance"),
        (cd.sjoin_nearest, "velocity_a", "sjoin has it"),
    ],
)
def test_keywords_that_others_have_name_them(function, keyword, advice):
    rows = dd.from_pandas(moving_rows(0, "p"), npartitions=2)
    with pytest.raises(TypeError, match=rf"unexpected keyword argument '{keyword}'; {advice}"):
        function(rows, rows, **{keyword: None})


@pytest.mark.parametrize(("name", "other"), [("distance", "margin"), ("margin", "distance")])
def test_a_bad_distance_has_the_name_it_was_given_by(name, other):
    rows = dask_geopandas.from_geopandas(moving_rows(0, "p").assign(reach=-1.0), npartitions=2)
    with pytest.raises(ValueError, match=f"{name} is -1.0; it must be finite and 0 or") as told:
        cd.sjoin(rows, rows, predicate="dwithin", **{name: -1.0})
    assert other not in str(told.value)
    joined = cd.sjoin(rows, rows, predicate="dwithin", **{name: "reach"})
    with pytest.raises(ValueError, match=rf"{name}\.partitions\[\d\]\.loc\['p\d+'\] is -1.0"):
        joined.compute()


def test_a_frame_without_the_column_geometry_is_told_of_the_keyword():
    frame = pd.DataFrame({"shape": moving_rows(0, "p").geometry.to_wkb()})
    with dask.config.set({"dataframe.convert-string": False}):
        rows = dd.from_pandas(frame, npartitions=2)
    for function in (cd.colliding_pairs, cd.nearest, cd.sjoin, cd.sjoin_nearest):
        with pytest.raises(ValueError, match="has no column 'geometry'; geometry= names its col"):
            function(rows, rows)
        function(rows, rows, geometry="shape")


def test_different_crs_and_frames_in_memory_raise_at_the_call():
    frame = moving_rows(0, "p")
    rows = dd.from_pandas(frame, npartitions=2)
    other = dd.from_pandas(frame.to_crs(3857), npartitions=2)
    for function in (cd.colliding_pairs, cd.nearest):
        with pytest.raises(ValueError, match=r"a has the CRS EPSG:32633 and b the CRS EPSG:3857"):
            function(rows, other)
        with pytest.raises(TypeError, match=r"a: .* Dask, got GeoDataFrame; .*from_geopandas"):
            function(frame, frame)
        with pytest.raises(TypeError, match=r"b: .* Dask, got Column; .*from_geopandas"):
            function(rows, cg.column(frame))
        with pytest.raises(ValueError, match=r"a has the CRS EPSG:32633 and b the CRS EPSG:3857"):
            function(frame, other)


@pytest.mark.parametrize("partitioning", PARTITIONINGS)
def test_a_frame_in_memory_is_joined_with_one_of_dask(partitioning):
    kept = moving_rows(1, "p").assign(kind=lambda frame: frame["number"].map("row {}".format))
    other, rows = divided(moving_rows(101, "q", 40), partitioning)
    # Another order than that of the labels.
    kept = kept.iloc[::-1]
    given = {"velocity_a": VELOCITY, "velocity_b": VELOCITY, "margin": 0.5}
    for a, b, on_dask in ((kept, other, (kept, rows)), (other, kept, (rows, kept))):
        found = cd.colliding_pairs(*on_dask, **given).compute()
        assert as_set(found) == as_set(cg.colliding_pairs(a, b, **given))
        series = [it if isinstance(it, dd.DataFrame) else it.geometry for it in on_dask]
        assert as_set(cd.colliding_pairs(*series).compute()) == as_set(cg.colliding_pairs(a, b))
        neighbors = cd.nearest(*on_dask, k=2).compute()
        (i, j), distance = carom.nearest(a, b, k=2)
        expected = pd.DataFrame({"a": a.index[i], "b": b.index[j], "distance": distance})
        key = ["a", "distance", "b"]
        pd.testing.assert_frame_equal(
            neighbors.sort_values(key, ignore_index=True),
            expected.sort_values(key, ignore_index=True),
        )
        for how in ("inner", "left", "right"):
            joined = cd.sjoin(*on_dask, how, fields=("time",), **given)
            same_rows(joined.compute(), cg.sjoin(a, b, how, fields=("time",), **given))
            assert (joined.dtypes == joined.compute().dtypes).all()
            near = cd.sjoin_nearest(*on_dask, how, distance_col="metres").compute()
            same_rows(near, cg.sjoin_nearest(a, b, how, distance_col="metres"))
    assert cd.sjoin(kept[:0], rows).compute().empty
    assert len(cd.sjoin(rows, kept[:0], "left").compute()) == len(other)


def test_a_missing_crs_is_warned_of_with_the_names_of_the_call():
    rows = dd.from_pandas(moving_rows(0, "p"), npartitions=2)
    other = dd.from_pandas(moving_rows(0, "q").set_crs(None, allow_override=True), npartitions=2)
    told = r"CRS of a and the CRS of b\.\n.*\n\nCRS of a: EPSG:32633\nCRS of b: None"
    for function in (cd.colliding_pairs, cd.nearest):
        with pytest.warns(UserWarning, match=told):
            function(rows, other)


def test_degrees_are_warned_of():
    rows = dd.from_pandas(moving_rows(0, "p").set_crs(4326, allow_override=True), npartitions=2)
    with pytest.warns(UserWarning, match=r"'colliding_pairs' .* margin is in degrees"):
        cd.colliding_pairs(rows, margin=1.0)


@pytest.mark.parametrize("partitions", [1, 5])
def test_a_bad_row_is_told_by_its_label_when_computed(partitions):
    frame = moving_rows(0, "p")
    bow_tie = shapely.Polygon([(500, 0), (501, 1), (501, 0), (500, 1)])
    frame.loc["p7", "geometry"] = bow_tie  # far from all others, and in no pair of partitions
    _, rows = divided(frame, "sorted" if partitions > 1 else "one")
    other = dd.from_pandas(moving_rows(1, "q"), npartitions=2)
    for found in (
        cd.colliding_pairs(rows),
        cd.colliding_pairs(rows, other),
        cd.colliding_pairs(other, rows),
        cd.nearest(other, rows),
        cd.nearest(rows, other),
    ):
        with pytest.raises(ValueError, match=r"\.loc\['p7'\]"):
            found.compute()


def test_bad_wkb_and_bad_velocities_are_told_by_their_labels():
    frame = moving_rows(0, "p")
    rows = dd.from_pandas(frame.assign(vx=frame["vx"].where(frame.index != "p3")), npartitions=3)
    with pytest.raises(ValueError, match=r"velocity_a\.partitions\[\d\]\.loc\['p3'\]"):
        cd.colliding_pairs(rows, velocity_a=VELOCITY).compute()
    wkb = shapely.to_wkb(frame.geometry.array)
    wkb[5] = b"\x01\x02"
    data = pd.DataFrame({"geometry": pd.array(wkb, pd.ArrowDtype(pa.binary()))}, index=frame.index)
    with pytest.raises(ValueError, match=r"a\.partitions\[\d\]\.loc\['p5'\].*WKB"):
        cd.colliding_pairs(dd.from_pandas(data, npartitions=3)).compute()


def test_velocities_of_another_dtype_than_dask_was_told_are_named_by_their_rows():
    frame = moving_rows(0, "p")
    for values, kind in ((frame["vx"] > 0, "bool"), (frame["vx"].astype(str), "str")):
        partitions = [dask.delayed(frame), dask.delayed(frame.assign(vx=values))]
        rows = dd.from_delayed(partitions, meta=frame.iloc[:0], verify_meta=False)
        found = cd.colliding_pairs(rows, velocity_a=VELOCITY)
        told = rf"velocity_a\.partitions\[1\]\.loc\['p\d+'\].*: component 0 has a {kind}, expected"
        with pytest.raises(TypeError, match=told):
            found.compute()


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_a_bad_row_is_told_by_its_partition_and_position_where_labels_repeat(bad):
    frame = moving_rows(0, "p", 12).dropna().iloc[:9].set_axis(list("xyy" * 3))
    frame = frame.set_crs(None, allow_override=True)
    rows, is_bad = in_partitions(frame, 3), np.arange(9) == 3 * bad + 2
    place = rf"\.partitions\[{bad}\]\.loc\['y'\] \(row 2\)"
    moving = in_partitions(frame.assign(vx=frame["vx"].mask(is_bad)), 3)
    for other in ((), (rows,)):
        with pytest.raises(ValueError, match=rf"^velocity_a{place} is \(nan"):
            cd.colliding_pairs(moving, *other, velocity_a=VELOCITY).compute()
    bow_tie = shapely.Polygon([(5, 0), (6, 1), (6, 0), (5, 1)])
    crossed = in_partitions(frame.assign(geometry=frame.geometry.mask(is_bad, bow_tie)), 3)
    with pytest.raises(ValueError, match=rf"^a{place}: the ring meets itself"):
        cd.colliding_pairs(crossed).compute()
    with dask.config.set({"dataframe.convert-string": False}):
        wkb = pd.DataFrame(frame.to_wkb())
        wkb = in_partitions(wkb.assign(geometry=wkb["geometry"].mask(is_bad, b"x")), 3)
    with pytest.raises(ValueError, match=rf"^right{place}: not valid WKB"):
        cd.sjoin_nearest(rows, wkb).compute()


def test_a_join_with_itself_has_one_velocity_to_be_told_of():
    frame = moving_rows(0, "p").assign(vx=2**60 + 1, vy=0)
    found = cd.colliding_pairs(in_partitions(frame, 3), velocity_a=VELOCITY)
    for part in found.partitions:
        with pytest.raises(ValueError, match=r"^velocity_a\.partitions\[\d\]\.loc.* no float64"):
            part.compute()


@pytest.mark.parametrize("name", ["velocity_a", "velocity_b"])
def test_bad_velocities_are_told_where_no_partitions_meet(name):
    frame = moving_rows(0, "p")
    far = frame.assign(vx=np.nan, geometry=shapely.box(900, 0, 901, 1)).set_axis(frame.index + "x")
    rows = dd.from_pandas(frame, npartitions=2)
    bad = dd.from_pandas(far, npartitions=1)
    one, other = (bad, rows) if name == "velocity_a" else (rows, bad)
    with pytest.raises(ValueError, match=rf"{name}\.partitions\[\d\]\.loc\['p0x'\]"):
        cd.colliding_pairs(one, other, **{name: VELOCITY}).compute()


def test_only_partitions_whose_boxes_meet_are_joined():
    x = np.arange(64.0)
    frame = geopandas.GeoDataFrame(geometry=shapely.box(x, 0, x + 1, 1))
    found = cd.colliding_pairs(dd.from_pandas(frame, npartitions=16))
    # Each with itself and with its neighbor.
    assert found.npartitions == 16 + 15
    assert len(found.compute()) == 63


def test_partitions_that_lie_within_others_are_joined_without_a_copy():
    places = np.repeat([0.0, 100.0, 200.0], 2)
    frame = geopandas.GeoDataFrame(
        {"vx": np.ones(6), "vy": 0.0}, geometry=shapely.box(places, 0, places + 1, 1)
    )
    rows = in_partitions(frame, 3)
    for how, tasks in (("inner", {"_column", "_inner"}), ("left", {"_column", "_piece", "_boxes"})):
        found = cd.sjoin(rows, rows, velocity_a=VELOCITY, velocity_b=VELOCITY, how=how)
        made = {str(key).rsplit("-", 5)[0] for key in found.__dask_graph__()}
        assert tasks < made and "near" not in made
        assert len(found.compute()) == 12


def test_partitions_that_overlap_are_warned_of():
    frame = moving_rows(0, "p").iloc[np.random.default_rng(0).permutation(ROWS)]
    rows = dd.from_pandas(frame, npartitions=12, sort=False)
    with pytest.warns(UserWarning, match=r"of 78 pairs of partitions meet.*spatial_shuffle"):
        cd.colliding_pairs(rows)


@pytest.mark.parametrize("how", PARTITIONINGS)
@pytest.mark.parametrize("k", [1, 3, 100])
@pytest.mark.parametrize("max_distance", [np.inf, 1.5])
def test_neighbors_are_those_of_one_machine(how, k, max_distance):
    for seed in range(3):
        a, one = divided(moving_rows(seed, "p"), how, seed)
        b, other = divided(moving_rows(seed + 100, "q", 40), how, seed)
        found = cd.nearest(one, other, k=k, max_distance=max_distance)
        (i, j), distance = carom.nearest(a, b, k=k, max_distance=max_distance)
        table = pd.DataFrame({"a": a.index[i], "b": b.index[j], "distance": distance})
        pd.testing.assert_frame_equal(found.compute().reset_index(drop=True), table)


def test_the_nearest_rows_are_warned_of_once_at_the_call():
    degrees = moving_rows(1, "a").set_crs(4326, allow_override=True)
    without = degrees.set_crs(None, allow_override=True)
    left, right = (dd.from_pandas(it, npartitions=3) for it in (degrees, without))
    with pytest.warns(UserWarning, match=r"^CRS mismatch|^Geometry is in") as told:
        found = cd.sjoin_nearest(left, right)
    assert [str(it.message).split(" ")[0] for it in told] == ["CRS", "Geometry"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found.compute()


def test_bad_arguments_of_nearest_raise_at_the_call():
    rows = dd.from_pandas(moving_rows(0, "p"), npartitions=2)
    with pytest.raises(ValueError, match="k: "):
        cd.nearest(rows, rows, k=0)
    with pytest.raises(ValueError, match=r"max_distance is -1\.0"):
        cd.nearest(rows, rows, max_distance=-1.0)


def trajectories(count, seed=0):
    """Poses of trajectories through a park."""
    random = np.random.default_rng(seed)
    steps = random.normal(0.0, 2.0, (count, 6, 3))
    steps[:, :, 2] /= 5.0
    return np.cumsum(steps, axis=1) + random.uniform(-20.0, 20.0, (count, 1, 3))


def test_first_contacts_are_those_of_one_machine():
    poses = trajectories(50)
    trees = carom.Shapes.from_points(np.random.default_rng(1).uniform(-20, 20, (60, 2)), 0.5)
    many = carom.Shapes([CAR * size for size in np.linspace(0.5, 1.5, 50)])
    of_frame = geopandas.GeoDataFrame(geometry=many.to_shapely())
    for footprints in (CAR, many, carom.Shapes([CAR]), of_frame, of_frame.geometry):
        found = cd.first_contact(footprints, da.from_array(poses, chunks=(15, 2, 3)), trees)
        expected = carom.first_contact(footprints, poses, trees).to_pandas()
        assert found.npartitions == 4
        pd.testing.assert_frame_equal(found.compute(), expected, check_exact=True)
        assert (expected["step"] >= 0).any()


def test_a_bad_pose_is_told_by_its_number_among_all():
    poses = trajectories(50)
    poses[37, 2, 1] = np.nan
    found = cd.first_contact(CAR, da.from_array(poses, chunks=(15, -1, -1)), carom.Shapes([CAR]))
    with pytest.raises(ValueError, match=r"poses\[37"):
        found.compute()


@pytest.mark.parametrize("predicate", ["contains", "covered_by", "touches"])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("how", ["inner", "left"])
def test_lines_of_length_zero_are_refused_near_other_rows_or_not(predicate, side, how):
    squares = geopandas.GeoDataFrame(
        {"w": 1}, geometry=[shapely.box(x, 0, x + 1, 1) for x in (0, 100)], index=["a", "b"]
    )
    shapes = [shapely.box(0, 0, 1, 1), shapely.MultiLineString([[(50, 0), (51, 0)], [(9, 9)] * 2])]
    lined = geopandas.GeoDataFrame({"v": 1}, geometry=shapes, index=["p", "line"])
    operands = {"left": lined, "right": squares}
    if side == "right":
        operands = {"left": squares, "right": lined}
    message = rf"{side}.*\.loc\['line'\]: part 1: all vertices of the path coincide"
    with pytest.raises(ValueError, match=message):
        cg.sjoin(**operands, predicate=predicate, how=how)
    divided = {
        name: dask_geopandas.from_geopandas(frame, npartitions=2, sort=False)
        for name, frame in operands.items()
    }
    joined = cd.sjoin(**divided, predicate=predicate, how=how)
    with pytest.raises(ValueError, match=message):
        joined.compute()


def test_rows_are_refused_once_though_their_partition_meets_several(monkeypatch):
    names = []
    monkeypatch.setattr(joins, "refuse_rows", lambda _, name, __: names.append(name))
    points = geopandas.GeoDataFrame(geometry=shapely.points(range(6), 0))
    zones = geopandas.GeoDataFrame(geometry=shapely.box([0, 1, 2], -1, [4, 5, 6], 1))
    found = cd.sjoin(in_partitions(points, 3), in_partitions(zones, 1), predicate="within")
    assert len(found.compute()) > 0
    partitions = ["left.partitions[0]", "left.partitions[1]", "left.partitions[2]"]
    assert sorted(names) == [*partitions, "right.partitions[0]"]


def test_bad_arguments_of_first_contact_raise_at_the_call():
    poses = da.zeros((4, 2, 3), chunks=2)
    wall = carom.Shapes([CAR])
    with pytest.raises(TypeError, match="poses: expected a Dask array, got ndarray"):
        cd.first_contact(CAR, np.zeros((4, 2, 3)), wall)
    with pytest.raises(ValueError, match=r"poses: expected the shape \(K, T, 3\), got \(4, 2\)"):
        cd.first_contact(CAR, poses[:, :, 0], wall)
    with pytest.raises(ValueError, match="footprints: expected one, or one for each of 4"):
        cd.first_contact(carom.Shapes([CAR] * 3), poses, wall)
    with pytest.raises(ValueError, match="velocity: given with obstacle_poses"):
        cd.first_contact(CAR, poses, wall, velocity=[(1, 0)], obstacle_poses=np.zeros((1, 2, 3)))
    for margin in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"^margin is"):
            cd.first_contact(CAR, poses, wall, margin=margin)
    with pytest.raises(ValueError, match="margin: expected a number, or one for each obstacle"):
        cd.first_contact(CAR, poses, wall, margin=[[1.0]] * 4)
    with pytest.raises(ValueError, match=r"^margin: expected a number, or shape \(1,\)"):
        cd.first_contact(CAR, poses, wall, margin=[1.0, 2.0])
    with pytest.raises(TypeError, match="speed"):
        cd.first_contact(CAR, poses, wall, speed=1.0)


MOTION = {"velocity_a": VELOCITY, "velocity_b": (0.5, -1.0)}
TURN = {"turn_a": "vx", "center_a": VELOCITY, "turn_b": 0.5, "center_b": (3.0, 4.0)}


@pytest.mark.parametrize("how", ["inner", "left", "right"])
@pytest.mark.parametrize("partitioning", PARTITIONINGS)
@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"predicate": "dwithin", "distance": 0.5, "fields": ("distance",)},
        {"margin": 0.5, "distance_col": "metres", "fields": ("closest", "closest_a")},
        {"margin": "margin", **MOTION, "fields": ("time", "intersects", "normal")},
        {**MOTION, **TURN, "fields": ("time",)},
        {"margin": "margin", **MOTION, "fields": ("enter", "leave", "still_inside")},
        {"on_attribute": "kind", "lsuffix": "one", "rsuffix": "other"},
    ],
)
def test_joined_rows_are_those_of_one_machine(how, partitioning, keywords):
    frames = [moving_rows(1, "p"), moving_rows(101, "q", 40)]
    frames = [frame.assign(kind=frame["number"] % 3, margin=0.25) for frame in frames]
    (a, one), (b, other) = (divided(frame, partitioning) for frame in frames)
    found = cd.sjoin(one, other, how=how, **keywords)
    computed = found.compute()
    same_rows(computed, cg.sjoin(a, b, how=how, **keywords))
    assert (computed.dtypes == found.dtypes).all()
    assert len(computed) > 0


def test_files_are_read_by_tasks_of_one_name(tmp_path):
    """Of such tasks Dask starts no more than it has threads for, and doesn't read all first."""
    frame = moving_rows(1, "p", 20)
    for part in range(5):
        frame.iloc[4 * part : 4 * part + 4].to_parquet(tmp_path / f"{part}.parquet")
    rows = dask_geopandas.read_parquet(f"{tmp_path}/*.parquet")
    keys = cd.sjoin(rows, rows).__dask_graph__()
    reads = [key for key in keys if isinstance(key, tuple) and key[0].startswith("read-")]
    assert sorted(number for _, number in reads) == [0, 1, 2, 3, 4]
    assert len({name for name, _ in reads}) == 1


@pytest.mark.parametrize("how", ["inner", "left", "right"])
def test_shortest_lines_of_rows_from_files_have_the_reference_system(tmp_path, how):
    a, b = moving_rows(1, "p"), moving_rows(101, "q", 40)
    for part in range(3):
        a.iloc[part::3].to_parquet(tmp_path / f"{part}.parquet")
    rows = dask_geopandas.read_parquet(tmp_path / "*.parquet")
    given = {"fields": ("closest",), "distance_col": "metres"}
    for function, margin in ((cd.sjoin, {"margin": 1.0}), (cd.sjoin_nearest, {})):
        lazy = function(rows, b, how, **given, **margin)
        found = lazy.compute()
        expected = getattr(cg, function.__name__)(a, b, how, **given, **margin)
        same_rows(found, expected)
        assert found["closest"].crs == a.crs
        assert (found.dtypes == lazy.dtypes).all()


@pytest.mark.parametrize("how", ["inner", "left", "right"])
def test_frames_read_by_dask_geopandas_join(tmp_path, how):
    frame = moving_rows(1, "p", 20).set_crs(32633)
    for part in range(2):
        frame.iloc[10 * part : 10 * part + 10].to_parquet(tmp_path / f"{part}.parquet")
    rows = dask_geopandas.read_parquet(f"{tmp_path}/*.parquet")
    same_rows(cd.sjoin(rows, rows, how=how).compute(), cg.sjoin(frame, frame, how=how))
    near = cd.sjoin_nearest(rows, rows, how=how).compute()
    same_rows(near, cg.sjoin_nearest(frame, frame, how=how))


def test_an_index_that_is_not_kept_may_have_the_name_of_a_column():
    left, right = (moving_rows(seed, "p", 20) for seed in (1, 101))
    left.index.name = "geometry"
    found = cd.sjoin(in_partitions(left, 2), in_partitions(right, 2), how="right")
    same_rows(found.compute(), cg.sjoin(left, right, how="right"))


@pytest.mark.parametrize("how", ["inner", "left", "right"])
@pytest.mark.parametrize("partitioning", PARTITIONINGS)
@pytest.mark.parametrize("max_distance", [None, 1.0])
def test_joined_neighbors_are_those_of_one_machine(how, partitioning, max_distance):
    keywords = {"how": how, "k": 2, "max_distance": max_distance, "distance_col": "far"}
    a, one = divided(moving_rows(1, "p"), partitioning)
    b, other = divided(moving_rows(101, "q", 40), partitioning)
    found = cd.sjoin_nearest(one, other, fields=("closest_b",), **keywords)
    computed = found.compute()
    same_rows(computed, cg.sjoin_nearest(a, b, fields=("closest_b",), **keywords))
    assert (computed.dtypes == found.dtypes).all()


@pytest.mark.parametrize("wkb", [False, True])
@pytest.mark.parametrize("how", ["inner", "left", "right"])
def test_masked_rows_meet_no_other_and_are_nearest_to_none(how, wkb):
    crossed = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    boxes = [shapely.box(x, 0, x + 1, 1) for x in range(6)]
    left = geopandas.GeoDataFrame({"name": list("abcdef")}, geometry=[crossed, *boxes[1:]])
    right = geopandas.GeoDataFrame({"zone": list("uvwxyz")}, geometry=[*boxes[:4], None, crossed])
    frames = [in_partitions(frame, 3) for frame in (left, right)]
    if wkb:
        for position, frame in enumerate((left, right)):
            values = shapely.to_wkb(frame.geometry.array)
            if frame is left:
                values[1] = b"no geometry"
            column = pd.array(values, pd.ArrowDtype(pa.binary()))
            rows = pd.DataFrame(frame).assign(geometry=column)
            frames[position] = dd.from_pandas(rows, npartitions=3)
        left.loc[1, "geometry"] = None
    mask = {"how": how, "on_invalid": "mask"}
    for own, theirs, k in (
        (cd.sjoin, cg.sjoin, {}),
        (cd.sjoin_nearest, cg.sjoin_nearest, {"k": 2}),
    ):
        found = own(*frames, **k, **mask).compute()
        with pytest.warns(UserWarning, match="1 row is masked"):
            expected = theirs(left, right, **k, **mask)
        rows = [it[["name", "zone"]].fillna("none") for it in (found, expected)]
        one, other = (sorted(map(tuple, it.to_numpy())) for it in rows)
        assert one == other
    with pytest.raises(ValueError, match=r"the ring meets itself|WKB that can't be read"):
        cd.sjoin(*frames).compute()
    with pytest.raises(ValueError, match="on_invalid"):
        cd.sjoin(*frames, on_invalid="skip")


def test_a_bad_row_is_told_with_a_repair_of_all_partitions():
    bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    boxes = [shapely.box(x, 0, x + 1, 1) for x in range(5)]
    frame = geopandas.GeoDataFrame({"n": range(6)}, geometry=[*boxes, bow], crs=32633)
    a = in_partitions(frame, 3)
    repaired = "a.map_partitions(lambda part: carom.interop.geopandas.repair(part).rows)"
    with pytest.raises(ValueError, match="the ring meets itself") as caught:
        cd.colliding_pairs(a).compute()
    assert str(caught.value).endswith(f"; {repaired} repairs it")
    rows = a.map_partitions(lambda part: cg.repair(part).rows)
    same_rows(cd.sjoin(rows, rows).compute(), cg.sjoin(*[cg.repair(frame).rows] * 2))
    values = pd.array(shapely.to_wkb([*boxes, bow]), pd.ArrowDtype(pa.binary()))
    wkb = dd.from_pandas(pd.DataFrame({"geometry": values}), npartitions=2)
    with pytest.raises(ValueError, match=r"shapely\.make_valid\(g, .* repairs it$"):
        cd.colliding_pairs(wkb).compute()


def test_categories_and_truths_are_kept():
    frames = [moving_rows(1, "p", 30), moving_rows(101, "q", 20)]
    for frame in frames:
        frame["kind"] = pd.Categorical(frame["number"] % 3 == 0)
        frame["zone"] = pd.Categorical([f"zone {number % 5}" for number in frame["number"]])
        frame["open"] = frame["number"] % 2 == 0
    (a, one), (b, other) = (divided(frame, "sorted") for frame in frames)
    # Each partition has its own categories, which Dask doesn't know.
    one, other = (
        rows.assign(zone=rows["zone"].astype(object).astype("category")) for rows in (one, other)
    )
    assert len({tuple(part["zone"].cat.categories) for part in dask.compute(*one.to_delayed())}) > 1
    for how in ("inner", "left", "right"):
        for keywords in ({}, {"on_attribute": "zone"}):
            expected = cg.sjoin(a, b, how=how, **keywords)
            found = cd.sjoin(one, other, how=how, **keywords).compute()
            assert list(found.columns) == list(expected.columns)
            columns = ["number_left", "number_right", "open_left", "open_right", "kind_left"]
            columns += ["zone"] if keywords else ["zone_left", "zone_right"]
            rows, others = (
                sorted(map(str, frame[columns].astype(object).fillna("none").to_numpy().tolist()))
                for frame in (
                    found,
                    expected.assign(
                        **{
                            name: expected[name].astype(found[name].dtype)
                            for name in ("number_left", "number_right", "open_left", "open_right")
                        }
                    ),
                )
            )
            assert rows == others
            assert "string" not in {str(dtype) for dtype in found.dtypes[columns[2:5]]}


def test_labels_of_any_kind_stay_what_they_are():
    frame = moving_rows(0, "p")
    days = [dt.date(2026, 1, 1) + dt.timedelta(days=row) for row in range(ROWS)]
    with dask.config.set({"dataframe.convert-string": False}):
        rows = dd.from_pandas(frame.set_axis(pd.Index(days, dtype=object)), npartitions=3)
    found = cd.colliding_pairs(rows).compute()
    assert set(found["a"]) <= set(days)


def test_a_bad_motion_is_told_wherever_its_row_lies():
    frame = geopandas.GeoDataFrame(
        {"vx": [0.0, np.nan], "vy": 0.0, "margin": [0.0, -1.0]},
        geometry=[shapely.box(0, 0, 1, 1), shapely.box(100, 0, 101, 1)],
        index=["p", "bad"],
    )
    for partitions in (1, 2):
        rows = dd.from_pandas(frame, npartitions=partitions, sort=False)
        with pytest.raises(ValueError, match=r"velocity_a\.partitions\[\d\]\.loc\['bad'\]"):
            cd.colliding_pairs(rows, velocity_a=VELOCITY).compute()
        with pytest.raises(ValueError, match=r"margin\.partitions\[\d\]\.loc\['bad'\]"):
            cd.sjoin(rows, rows, margin="margin").compute()


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"turn_a": 0.3}, ValueError, r"center_a: missing; turn_a is 0.3"),
        ({"velocity_a": ("vx", 1.0)}, ValueError, r"velocity_a: expected the names of two"),
        ({"velocity_a": ("vx", "name")}, TypeError, r"velocity_a: expected numbers, .* 'name'"),
        ({"velocity_a": ("vx", "sure")}, TypeError, r"'sure' of left has the dtype bool; .*astype"),
        ({"margin": "sure"}, TypeError, r"margin: expected numbers, .* 'sure'"),
        (
            {"turn_a": 1.0, "center_a": ("vx", "name")},
            TypeError,
            r"center_a: expected numbers, .* 'name'",
        ),
        ({"velocity_a": (True, False)}, TypeError, r"velocity_a: component 0 has a bool"),
        ({"margin": True}, TypeError, r"margin: expected a number .*, got dtype bool"),
        ({"margin": object()}, TypeError, r"margin has a object, expected a number"),
        ({"turn_a": np.nan, "center_a": (0.0, 0.0)}, ValueError, r"turn_a is nan"),
        ({"turn_a": "vx", "center_a": (np.inf, 0.0)}, ValueError, r"center_a is \(inf, 0.0\)"),
        ({"fields": "time"}, TypeError, r"did you mean fields=\('time',\)"),
    ],
)
def test_bad_motions_raise_at_the_call(keywords, error, message):
    frame = moving_rows(0, "p").assign(name="car", sure=True)
    rows = dd.from_pandas(frame, npartitions=2)
    with pytest.raises(error, match=message):
        cd.sjoin(rows, rows, **keywords)
    assert len(cd.sjoin(rows, rows, turn_a=0.0).compute()) > 0


def test_series_have_no_attributes_to_join():
    rows = dd.from_pandas(moving_rows(0, "p"), npartitions=2)
    for function in (cd.sjoin, cd.sjoin_nearest):
        with pytest.raises(TypeError, match=r"left: .* got a series; left\.to_frame\(\)"):
            function(rows.geometry, rows)


def in_partitions(frame, partitions=2):
    """The rows in their order, in so many partitions."""
    tasks = [
        dask.delayed(frame.iloc)[rows] for rows in np.array_split(np.arange(len(frame)), partitions)
    ]
    return dd.from_delayed(tasks, meta=frame.iloc[:0])


@pytest.mark.parametrize(
    "dtypes",
    [
        {"vx": "int64"},
        {"vx": "Int64", "vy": "float32"},
        {"vx": "Float64", "vy": "Float64"},
        {"vx": "double[pyarrow]", "vy": "double[pyarrow]"},
    ],
)
def test_velocities_have_any_dtype_of_numbers(dtypes):
    frame = moving_rows(0, "p").assign(vx=1.0).astype(dtypes)
    found = cd.colliding_pairs(in_partitions(frame), velocity_a=VELOCITY)
    assert as_set(found.compute()) == as_set(cg.colliding_pairs(frame, velocity_a=VELOCITY))


@pytest.mark.parametrize("centers", [{}, {"center_a": ("x", "y")}])
def test_rows_that_do_not_turn_need_no_center(centers):
    frame = geopandas.GeoDataFrame(
        {"turn": [0.0, -0.0], "x": np.nan, "y": np.nan, "vx": 10.0, "vy": 0.0},
        geometry=shapely.box([0, 1], 0, [1, 2], 1),
    )
    far = in_partitions(geopandas.GeoDataFrame(geometry=[shapely.box(11, 0, 12, 1)]), 1)
    motion = {"turn_a": "turn", "velocity_a": VELOCITY, **centers}
    assert len(cd.sjoin(in_partitions(frame), far, **motion).compute()) == 2
    turning = in_partitions(frame.assign(turn=[0.0, 1.0]))
    with pytest.raises(ValueError, match=r"center_a"):
        cd.sjoin(turning, far, **motion).compute()


def test_centers_are_points_in_a_column_or_one_for_all():
    shapes = geopandas.GeoSeries(shapely.box([0, 50], 5, [9, 59], 6), crs=32633)
    centers = geopandas.GeoSeries(shapely.points([0, 50], 0), crs=32633)
    # Neither the shapes nor the centers are the active geometry.
    frame = geopandas.GeoDataFrame(
        {"center": centers, "shape": shapes}, geometry=shapely.points([7, 8], 70), crs=32633
    )
    other = geopandas.GeoDataFrame({"shape": shapes.translate(-10)}, geometry="shape")
    one = frame.set_geometry("shape")
    for center in ("center", shapely.Point(1, 2)):
        motion = {"turn_a": 1.5, "center_a": center}
        found = cd.sjoin(in_partitions(frame), in_partitions(other), geometry="shape", **motion)
        assert len(found.compute()) == len(cg.sjoin(one, other, **motion)) > 0


@pytest.mark.parametrize(
    ("bad", "keywords", "message"),
    [
        ({"margin": -5.0}, {"margin": "margin"}, r"margin\.partitions\[\d\]\.loc\['bad'\]"),
        ({"vx": np.inf}, {"velocity_a": VELOCITY}, r"velocity_a\.partitions\[\d\]\.loc\['bad'\]"),
        ({"turn": 1e7}, {"turn_a": "turn", "center_a": ("x", "y")}, r"turn_a\..*\.loc\['bad'\]"),
    ],
)
def test_a_bad_motion_is_told_of_rows_that_are_near_no_other(bad, keywords, message):
    frame = geopandas.GeoDataFrame(
        {"vx": 0.0, "vy": 0.0, "margin": 0.0, "turn": 0.0, "x": [0.0, 100.0], "y": 0.0},
        geometry=shapely.box([0, 100], 0, [1, 101], 1),
        index=["p", "bad"],
    )
    for name, value in bad.items():
        frame.loc["bad", name] = value
    # The partition with the bad row meets that of the other frame, but the row doesn't.
    other = in_partitions(geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1)]), 1)
    with pytest.raises(ValueError, match=message):
        cd.sjoin(in_partitions(frame, 1), other, **keywords).compute()


def test_pairs_have_a_margin_for_each_row():
    a, b = moving_rows(0, "p").assign(far=np.arange(ROWS) / 60), moving_rows(1, "q")
    found = cd.colliding_pairs(in_partitions(a), in_partitions(b), margin="far").compute()
    assert as_set(found) == as_set(cg.colliding_pairs(a, b, margin="far"))
    with pytest.raises(ValueError, match="margin: expected one number"):
        cd.colliding_pairs(in_partitions(a), margin="far")


def test_a_series_is_joined_with_the_column_of_a_frame():
    frame = moving_rows(0, "p")
    other = in_partitions(frame.rename_geometry("shape"))
    found = cd.colliding_pairs(in_partitions(frame.geometry), other, geometry="shape")
    assert as_set(found.compute()) == as_set(cg.colliding_pairs(frame, frame))


def test_neighbors_from_partitions_of_other_categories_keep_these():
    frames = [moving_rows(1, "p"), moving_rows(101, "q", 40).assign(kind=sorted("pqrs" * 10))]
    one, other = (in_partitions(frame, 4) for frame in frames)
    other = other.assign(kind=other["kind"].astype("category"))
    found = cd.sjoin_nearest(one, other, k=3, how="left").compute()
    expected = cg.sjoin_nearest(*frames, k=3, how="left")
    assert isinstance(found["kind"].dtype, pd.CategoricalDtype)
    assert sorted(found["kind"].dropna()) == sorted(expected["kind"].dropna())


def test_a_join_of_wkb_gives_a_frame_of_dask_geopandas_that_nobody_imported():
    lines = """
import carom.dask, dask, dask.dataframe as dd, pandas as pd, shapely
dask.config.set({"dataframe.convert-string": False, "scheduler": "synchronous"})
wkb = [shapely.to_wkb(shapely.box(0, 0, x, 1)) for x in (1, 2)]
rows = dd.from_pandas(pd.DataFrame({"geometry": pd.Series(wkb, dtype=object)}), npartitions=2)
joined = carom.dask.sjoin(rows, rows)
print(type(joined).__module__, len(joined), joined.geometry.crs)
"""
    done = subprocess.run([sys.executable, "-c", lines], check=True, capture_output=True, text=True)
    assert done.stdout == "dask_geopandas.expr 4 None\n"


def test_all_tasks_are_in_one_layer(monkeypatch):
    x = np.arange(40.0)
    rows = in_partitions(geopandas.GeoDataFrame(geometry=shapely.box(x, 0, x + 1, 1)), 4)
    calls = []
    monkeypatch.setattr(dd, "from_delayed", lambda tasks, **_: calls.append(tasks))
    cd.colliding_pairs(rows)
    cd.sjoin(rows, rows, how="left")
    for tasks in calls:
        # Of a layer for each task, Dask needs time that grows with the square of their number.
        assert len({id(task.dask) for task in tasks}) == 1
        assert len(tasks[0].dask.layers) == 1
    assert len(calls) == 2


def test_footprints_are_a_list_or_an_array_of_geometries():
    poses = trajectories(12)
    trees = carom.Shapes.from_points(np.random.default_rng(1).uniform(-20, 20, (60, 2)), 0.5)
    blocks = da.from_array(poses, chunks=(5, -1, -1))
    many = [CAR * size for size in np.linspace(0.5, 1.5, 12)]
    expected = carom.first_contact(many, poses, trees).to_pandas()
    for footprints in (many, np.stack(many), shapely.polygons(np.stack(many))):
        found = cd.first_contact(footprints, blocks, trees).compute()
        pd.testing.assert_frame_equal(found, expected)
    assert len(cd.first_contact(CAR.tolist(), blocks, trees).compute()) == 12
    # Five are not repeated for each block of five.
    with pytest.raises(ValueError, match="footprints: expected one, or one for each of 12"):
        cd.first_contact(many[:5], blocks, trees)


def test_bad_obstacles_are_masked_as_on_one_machine():
    poses = trajectories(12)
    obstacles = [CAR + 5, CAR[[0, 2, 1, 3]]]
    keywords = {"on_invalid": "mask", "fields": ("step", "obstacle")}
    found = cd.first_contact(CAR, da.from_array(poses, chunks=(5, -1, -1)), obstacles, **keywords)
    expected = carom.first_contact(CAR, poses, obstacles, **keywords).to_pandas()
    pd.testing.assert_frame_equal(found.compute(), expected)


def test_a_bad_footprint_of_all_trajectories_raises_at_the_call():
    poses = da.zeros((4, 2, 3), chunks=2)
    with pytest.raises(ValueError, match=r"footprints\[0\]"):
        cd.first_contact(CAR[None] * 0, poses, carom.Shapes([CAR]))


def test_rows_are_found_by_number_beside_empty_blocks():
    poses = trajectories(12)
    wall = carom.Shapes([CAR])
    for sizes in ((5, 7, 0), (0, 12), (5, 0, 7)):
        found = cd.first_contact(CAR, da.from_array(poses, chunks=(sizes, -1, -1)), wall)
        assert found.divisions == (None,) * (len(sizes) + 1)
        assert found.loc[4:11].compute().index.tolist() == list(range(4, 12))
    found = cd.first_contact(CAR, da.from_array(poses, chunks=(5, -1, -1)), wall)
    assert found.divisions == (0, 5, 10, 11)


@pytest.mark.parametrize("name", cd.__all__)
def test_docstrings_explain_every_argument(name):
    assert_documented(getattr(cd, name))


def test_the_first_example_runs():
    assert doctest.testmod(cd).failed == 0


@pytest.mark.parametrize("how", ["inner", "left", "right"])
def test_files_of_which_few_columns_are_used_lose_no_row(how, tmp_path):
    """Dask reads several such files as one partition, and more of them for the boxes alone."""
    x = np.arange(30) * 10.0
    attributes = {f"column {place}": place for place in range(20)}
    cars = geopandas.GeoDataFrame(
        {"vx": 6.0, "vy": 0.0, **attributes, "number": np.arange(30)},
        geometry=shapely.box(x, 0.0, x + 4.0, 2.0),
    )
    for place in range(30):
        cars.iloc[place : place + 1].to_parquet(tmp_path / f"{place:02}.parquet")
    rows = dd.read_parquet(tmp_path)
    motion = {"velocity_a": ("vx", "vy"), "how": how}
    some = rows[rows["vx"] > 0]

    def numbers(found):
        return sorted(zip(found["number_left"], found["number_right"], strict=True))

    expected = numbers(cg.sjoin(cars, cars, **motion))
    assert len(expected) == 59
    assert numbers(cd.sjoin(rows, rows, **motion).compute()) == expected
    assert numbers(cd.sjoin(some, rows, **motion).compute()) == expected
    nearest = cd.sjoin_nearest(some, rows, how=how, distance_col="far").compute()
    assert numbers(nearest) == [(place, place) for place in range(30)]
    assert not nearest["far"].any()


@pytest.mark.parametrize("unit", [5e-324, 1.5e-323, 1e-310])
def test_neighbors_at_the_least_distances_are_found(unit):
    one, other = ([shapely.Point(x, x)] for x in (0.0, unit))
    frames = [dask_geopandas.from_geopandas(geopandas.GeoSeries(it), 1) for it in (one, other)]
    assert len(cd.nearest(*frames).compute()) == len(carom.nearest(one, other).pairs[0]) == 1


def written(frame, folder, partitions=3, **keywords):
    """The frame in GeoParquet files, read by dask-geopandas."""
    for place, rows in enumerate(np.array_split(np.arange(len(frame)), partitions)):
        frame.iloc[rows].to_parquet(folder / f"{place}.parquet", **keywords)
    return dask_geopandas.read_parquet(folder)


def refuse_objects(*_, **__):
    raise AssertionError("geometries of files became Shapely objects")


# Of Dask and dask-geopandas, with pandas 3.1.
of_reading = pytest.mark.filterwarnings("ignore:.*:pandas.errors.Pandas4Warning")


@of_reading
@pytest.mark.parametrize("name", [None, "vehicle"])
def test_pairs_of_files_are_found_without_shapely_objects(tmp_path, monkeypatch, name):
    frame = moving_rows(1, "p").rename_axis(name)
    rows = written(frame, tmp_path)
    expected = as_set(cg.colliding_pairs(frame, velocity_a=VELOCITY))
    monkeypatch.setattr("geopandas.io.arrow._arrow_to_geopandas", refuse_objects)
    some = rows[["number", "geometry", "vy", "vx"]]
    for given in (rows, some):
        found = cd.colliding_pairs(given, velocity_a=VELOCITY)
        assert as_set(found.compute()) == expected
        assert (found.compute().dtypes == found.dtypes).all()
    # Frames that were changed after they were read are not read again.
    changed = rows[rows["vx"] > -9]
    with pytest.raises(AssertionError, match="became Shapely objects"):
        cd.colliding_pairs(changed, velocity_a=VELOCITY)


@of_reading
@pytest.mark.parametrize("name", ["FromGraph", "ParquetFunctionWrapper", "GeoArrowEngine"])
def test_files_are_joined_where_a_version_of_dask_lacks_a_class(tmp_path, monkeypatch, name):
    assert partitions_as_wkb._internal("dask.dataframe", f"No{name}") is partitions_as_wkb._Unknown
    assert partitions_as_wkb._internal("dask.nothing", name) is partitions_as_wkb._Unknown
    frame = moving_rows(1, "p")
    rows = written(frame, tmp_path)
    monkeypatch.setattr(partitions_as_wkb, name, partitions_as_wkb._Unknown)
    found = cd.colliding_pairs(rows, velocity_a=VELOCITY).compute()
    assert as_set(found) == as_set(cg.colliding_pairs(frame, velocity_a=VELOCITY))


@of_reading
def test_files_without_an_index_are_read_as_dask_geopandas_does(tmp_path):
    frame = moving_rows(1, "p").reset_index(drop=True)
    rows = written(frame, tmp_path, 1, index=False)
    assert as_set(cd.colliding_pairs(rows).compute()) == as_set(cg.colliding_pairs(frame))
    only = frame[["geometry"]]
    rows = written(only, tmp_path, 1, index=False)
    assert as_set(cd.colliding_pairs(rows).compute()) == as_set(cg.colliding_pairs(only))


@of_reading
def test_files_with_other_geometries_than_wkb_are_joined(tmp_path):
    boxes = [shapely.box(x, 0, x + 1, 1) for x in range(12)]
    frame = geopandas.GeoDataFrame({"number": np.arange(12)}, geometry=boxes, crs=32633)
    expected = as_set(cg.colliding_pairs(frame))
    coded = written(frame, tmp_path, geometry_encoding="geoarrow")
    assert as_set(cd.colliding_pairs(coded).compute()) == expected
    # Of two columns of geometries, one may have centers, which are read from objects.
    (tmp_path / "two").mkdir()
    two = written(frame.assign(center=frame.centroid), tmp_path / "two")
    motion = {"turn_a": 0.5, "center_a": "center"}
    found = cd.sjoin(two, two, **motion).compute()
    assert len(found) == len(cg.sjoin(*[frame.assign(center=frame.centroid)] * 2, **motion))


def of_kind(kind, count=24):
    """Shapes of a kind of which some meet; the first and the fourth are missing."""
    xy = np.random.default_rng(3).integers(0, 9, (count, 2)).astype(float)
    hook = np.array([(0, 0), (6, 0), (0, 6)])
    rows = {
        "point": shapely.Point,
        "linestring": lambda p: shapely.LineString(p + hook[1:]),
        "polygon": lambda p: shapely.box(*p, *(p + 3)),
        "multipoint": lambda p: shapely.MultiPoint(p + hook),
        # Read as polygons, these have an area that others meet.
        "multilinestring": lambda p: shapely.MultiLineString([p + hook]),
        "multipolygon": lambda p: shapely.MultiPolygon([shapely.box(*p, *(p + 3))]),
    }[kind]
    shapes = [None if place in (0, 3) else rows(it) for place, it in enumerate(xy)]
    labels = [f"r{place}" for place in range(count)]
    return geopandas.GeoDataFrame(
        {"number": range(count), "vx": 1.0, "vy": 2.0}, geometry=shapes, index=labels, crs=32633
    )


def native_files(frame, folder, **keywords):
    folder.mkdir(exist_ok=True)
    written(frame, folder, geometry_encoding="geoarrow", schema_version="1.1.0", **keywords)
    return folder


@pytest.mark.parametrize("backend", [{}, {"dtype_backend": "pyarrow"}])
@pytest.mark.parametrize(
    "kind", ["point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon"]
)
def test_native_files_are_joined_as_dask_reads_them(tmp_path, kind, backend):
    frame = of_kind(kind)
    rows = dd.read_parquet(native_files(frame, tmp_path), **backend)
    expected = as_set(cg.colliding_pairs(frame))
    assert len(expected) > 0
    for given in (rows, rows.geometry, rows.assign(more=1)):
        assert as_set(cd.colliding_pairs(given).compute()) == expected
    moving = {"velocity_a": ("vx", "vy"), "velocity_b": (0.0, 1.0)}
    found = cd.colliding_pairs(rows[rows["number"] < 20], rows, **moving)
    assert as_set(found.compute()) == as_set(cg.colliding_pairs(frame[:20], frame, **moving))
    for how in ("inner", "left"):
        joined = (
            cd.sjoin(rows, rows, how=how).compute().sort_values(["number_left", "number_right"])
        )
        alike = cg.sjoin(frame, frame, how=how).sort_values(["number_left", "number_right"])
        assert joined.crs == frame.crs
        others = [it["number_right"].astype(float) for it in (joined, alike)]
        assert np.array_equal(*others, equal_nan=True)
        assert joined.geometry.geom_equals(alike.geometry).eq(alike.geometry.notna()).all()
    near = cd.nearest(rows, rows, k=2).compute()
    (i, j), distance = carom.nearest(*[carom.Shapes.from_shapely(frame)] * 2, k=2)
    assert near["a"].tolist() == frame.index[i].tolist()
    assert near["b"].tolist() == frame.index[j].tolist()
    assert near["distance"].tolist() == distance.tolist()


def test_interleaved_coordinates_and_partitions_without_shapes_are_read(tmp_path):
    frame = of_kind("polygon")
    expected = as_set(cg.colliding_pairs(frame))
    table = pa.table(frame.to_arrow(geometry_encoding="geoarrow", interleaved=True))
    for place, rows in enumerate((slice(0, 1), slice(1, 9), slice(9, None))):
        part = table.slice(rows.start, None if rows.stop is None else rows.stop - rows.start)
        pq.write_table(part, tmp_path / f"{place}.parquet")
    for backend in ({}, {"dtype_backend": "pyarrow"}):
        rows = dd.read_parquet(tmp_path, **backend)
        assert as_set(cd.colliding_pairs(rows).compute()) == expected


def test_lists_of_two_kinds_are_refused_where_nothing_tells_which(tmp_path):
    rows = dd.read_parquet(native_files(of_kind("multilinestring"), tmp_path))
    told = r"^a: .* polygons or several paths .*; dask_geopandas\.read_parquet tells which they are"
    with pytest.raises(ValueError, match=told):
        cd.colliding_pairs(rows.persist())
    with pytest.raises(ValueError, match=told):
        cd.colliding_pairs(rows.map_partitions(lambda part: part))
    renamed = rows.rename(columns={"number": "count"})
    with pytest.raises(ValueError, match=r"^left: .*; dask_geopandas"):
        cd.sjoin(renamed, renamed)
    points = dd.read_parquet(native_files(of_kind("point"), tmp_path / "points")).persist()
    assert len(cd.colliding_pairs(points).compute()) > 0


def test_files_of_different_kinds_are_refused(tmp_path):
    for place, kind in enumerate(("polygon", "multilinestring")):
        of_kind(kind).to_parquet(
            tmp_path / f"{place}.parquet", geometry_encoding="geoarrow", schema_version="1.1.0"
        )
    with pytest.raises(ValueError, match=r"^a: the type or the metadata of geometry .* differ"):
        cd.colliding_pairs(dd.read_parquet(tmp_path))


@pytest.mark.parametrize("encoding", ["WKB", "geoarrow"])
def test_files_of_different_crs_are_refused_at_the_call(tmp_path, encoding):
    frame = of_kind("polygon")
    for name, crs in (("one", 32633), ("other", 32634)):
        (tmp_path / name).mkdir()
        written(
            frame.set_crs(crs, allow_override=True),
            tmp_path / name,
            geometry_encoding=encoding,
            schema_version="1.1.0",
        )
    one, other = (dd.read_parquet(tmp_path / name) for name in ("one", "other"))
    for join in (cd.colliding_pairs, cd.sjoin, cd.nearest, cd.sjoin_nearest):
        with pytest.raises(ValueError, match=r"has the CRS .* 33N and .* 34N; bring"):
            join(one, other)
    assert len(cd.colliding_pairs(one, one).compute()) > 0


@of_reading
def test_the_geometry_type_of_parquet_states_system_and_edges(tmp_path):
    boxes = [shapely.box(0, 0, 1, 1), shapely.box(1, 1, 2, 2), None]
    read = {}
    for name, metadata in {
        "metres": '{"crs": "EPSG:32633"}',
        "default": "{}",
        "sphere": '{"edges": "spherical"}',
    }.items():
        write_geometry(tmp_path / f"{name}.parquet", boxes, metadata)
        read[name] = dd.read_parquet(tmp_path / f"{name}.parquet")
    found = cd.sjoin(read["metres"], read["metres"], geometry="shape")
    assert found.crs == 32633
    assert len(found.compute()) == 4
    with pytest.raises(ValueError, match=r"^left has the CRS EPSG:32633 and right the CRS OGC:"):
        cd.sjoin(read["metres"], read["default"], geometry="shape")
    with pytest.raises(ValueError, match=r"^a: the edges are spherical"):
        cd.colliding_pairs(read["sphere"], geometry="shape")


def test_bad_native_rows_are_told_by_their_labels_or_left_out(tmp_path):
    frame = of_kind("polygon")
    bow_tie = shapely.Polygon([(0, 0), (30, 30), (30, 0), (0, 30)])
    frame.loc["r5", "geometry"] = bow_tie
    rows = dd.read_parquet(native_files(frame, tmp_path))
    with pytest.raises(ValueError, match=r"a\.partitions\[0\]\.loc\['r5'\]: the ring meets itself"):
        cd.colliding_pairs(rows).compute()
    found = cd.sjoin(rows, rows, how="left", on_invalid="mask").compute()
    with pytest.warns(UserWarning, match="left: 1 row is masked"):
        alike = cg.sjoin(frame, frame, how="left", on_invalid="mask")
    assert len(found) == len(alike)
    assert found.loc["r5", "geometry"].equals_exact(bow_tie)


@of_reading
def test_a_bad_row_of_files_is_told_by_its_label(tmp_path):
    frame = moving_rows(0, "p")
    frame.loc["p7", "geometry"] = shapely.Polygon([(500, 0), (501, 1), (501, 0), (500, 1)])
    found = cd.colliding_pairs(written(frame, tmp_path))
    with pytest.raises(ValueError, match=r"a\.partitions\[\d\]\.loc\['p7'\]: the ring meets"):
        found.compute()


def test_dask_knows_how_large_columns_and_geometries_are():
    circle = shapely.Point(0, 0).buffer(1, quad_segs=250)
    frame = geopandas.GeoDataFrame({"number": range(100)}, geometry=[circle] * 100)
    vertices = 100 * 1_001 * 16
    column = cg.column(frame)
    for it in (frame, frame.geometry, column.shapes):
        assert 0.9 < sizeof(it) / vertices < 2.2
    assert sizeof(column) > 1.8 * vertices
    assert sizeof(frame.iloc[:0]) < 10_000
    assert sizeof(frame.drop(columns="geometry")) < 10_000


def test_frames_in_memory_are_sent_to_other_processes_as_wkb(monkeypatch):
    frame = moving_rows(1, "p")
    expected = as_set(cg.colliding_pairs(frame, velocity_a=VELOCITY))
    joined = cg.sjoin(frame, frame, how="left")

    def elsewhere(graph, keys, **_):
        return dask.get(pickle.loads(cloudpickle.dumps(graph)), keys)

    def refuse(*_):
        raise AssertionError("geometries were sent as Shapely objects")

    with dask.config.set(scheduler=elsewhere):
        rows = dask_geopandas.from_geopandas(frame, npartitions=3, sort=False)
        found = cd.colliding_pairs(rows, velocity_a=VELOCITY)
        left = cd.sjoin(rows, rows, how="left")
        monkeypatch.setattr(geopandas.array.GeometryArray, "__reduce__", refuse, raising=False)
        monkeypatch.setattr(geopandas.array.GeometryArray, "__getstate__", refuse, raising=False)
        assert as_set(found.compute()) == expected
        monkeypatch.undo()
        same_rows(left.compute(), joined)


def crowd(rows=90):
    """Boxes of which the first few meet thousands."""
    random = np.random.default_rng(3)
    x = random.uniform(0, 6, rows)
    size = np.where(np.arange(rows) < 4, 9.0, random.uniform(0.1, 3.0, rows))
    return geopandas.GeoDataFrame(
        {"vx": random.normal(0, 1, rows), "vy": 0.0, "number": np.arange(rows)},
        geometry=shapely.box(x, 0, x + size, 1),
        index=[f"p{row}" for row in range(rows)],
    )


@pytest.mark.parametrize("chunk_pairs", [1, 40, 10_000])
@pytest.mark.parametrize("itself", [True, False])
def test_no_partition_of_a_result_has_more_pairs_than_asked_for(chunk_pairs, itself):
    frame = crowd()
    other = None if itself else crowd(50).set_axis([f"q{row}" for row in range(50)])
    operands = [None if it is None else in_partitions(it, 2) for it in (frame, other)]
    motion = {"velocity_a": VELOCITY} | ({} if itself else {"velocity_b": VELOCITY})
    found = cd.colliding_pairs(*operands, **motion, chunk_pairs=chunk_pairs)
    expected = cg.colliding_pairs(frame, other, **motion)
    assert as_set(found.compute()) == as_set(expected)
    of_a_row = expected["a"].value_counts().max()
    sizes = found.map_partitions(len).compute()
    assert sizes.max() < chunk_pairs + of_a_row
    assert found.npartitions == len(sizes)
    # A limit that no result reaches changes nothing.
    plain = cd.colliding_pairs(*operands, **motion)
    assert (found.npartitions > plain.npartitions) == (chunk_pairs < 10_000)
    assert plain.map_partitions(len).compute().max() > 40 + of_a_row


@pytest.mark.parametrize("how", ["inner", "left", "right"])
@pytest.mark.parametrize("keywords", [{}, {"velocity_a": VELOCITY, "fields": ("time",)}])
def test_joined_rows_come_in_pieces(how, keywords):
    left = crowd()
    right = crowd(50).set_axis([f"q{row}" for row in range(50)])
    right.geometry = right.geometry.translate(3.0)
    one, other = in_partitions(left, 3), in_partitions(right, 2)
    found = cd.sjoin(one, other, how=how, **keywords, chunk_pairs=50)
    same_rows(found.compute(), cg.sjoin(left, right, how=how, **keywords))
    assert found.npartitions > cd.sjoin(one, other, how=how, **keywords).npartitions
    assert found.map_partitions(len).compute().max() < 100


def test_the_columns_of_a_frame_joined_with_itself_are_made_once(monkeypatch):
    frame = moving_rows(0, "p")
    rows = in_partitions(frame, 3)
    made = []
    read = partitions_module.read_column
    monkeypatch.setattr(
        partitions_module, "read_column", lambda *a, **k: made.append(a) or read(*a, **k)
    )
    motion = {"velocity_a": VELOCITY, "velocity_b": (0.5, -1.0)}
    for join in (cd.sjoin, cd.colliding_pairs, cd.nearest, cd.sjoin_nearest):
        made.clear()
        given = motion if join in (cd.sjoin, cd.colliding_pairs) else {"k": 2}
        found = join(rows, rows, **given)
        made.clear()
        found.compute()
        assert len(made) == 3
    same_rows(cd.sjoin(rows, rows, **motion).compute(), cg.sjoin(frame, frame, **motion))


def test_a_bad_number_of_pairs_raises_at_the_call_and_a_bad_row_when_computed():
    frame = moving_rows(0, "p")
    rows = in_partitions(frame)
    for function in (cd.colliding_pairs, cd.sjoin):
        with pytest.raises(ValueError, match="chunk_pairs: expected 1 or more, got 0"):
            function(rows, rows, chunk_pairs=0)
        with pytest.raises(TypeError, match=r"chunk_pairs: expected an integer, got float"):
            function(rows, rows, chunk_pairs=1.5)
    frame.loc["p7", "geometry"] = shapely.Polygon([(500, 0), (501, 1), (501, 0), (500, 1)])
    found = cd.colliding_pairs(in_partitions(frame), chunk_pairs=5)
    with pytest.raises(ValueError, match=r"\.loc\['p7'\]"):
        found.compute()


def as_wkb(frame):
    """A plain frame with WKB in an array of Arrow's."""
    values = pd.array(shapely.to_wkb(frame.geometry.array), pd.ArrowDtype(pa.binary()))
    return pd.DataFrame(frame).assign(geometry=values)


@pytest.mark.parametrize("wkb", [False, True])
def test_z_is_left_out_as_the_message_says(wkb):
    flat = moving_rows(0, "p", 20)
    high = flat.copy()
    high.loc["p3", "geometry"] = shapely.force_3d(flat.geometry["p3"], 7.0)
    assert high.has_z.sum() == 1
    rows, expected = (in_partitions(as_wkb(it) if wkb else it) for it in (high, flat))
    joins = (cd.colliding_pairs, cd.nearest, cd.sjoin, cd.sjoin_nearest)
    for join in joins:
        told = r"\.partitions\[\d\]\.loc\['p3'\]: .* Z; drop_z=True leaves it out$"
        with pytest.raises(ValueError, match=told):
            join(rows, rows).compute()
        found, without = (join(it, it, drop_z=True).compute() for it in (rows, expected))
        assert len(found) > 10
        columns = [name for name in found.columns if name != "geometry"]
        assert found[columns].equals(without[columns])
        if "geometry" in found:
            assert set(found.index[found.geometry.has_z]) == {"p3"}


def test_z_of_native_files_is_left_out_of_the_result_as_well(tmp_path):
    flat = geopandas.GeoDataFrame(geometry=shapely.points(range(6), 0), index=list("pqrstu"))
    high = flat.set_geometry(shapely.force_3d(flat.geometry.array, 7.0))
    rows = dd.read_parquet(native_files(high, tmp_path))
    for mask in ({}, {"on_invalid": "mask"}):
        found = cd.sjoin(rows, rows, margin=1.0, drop_z=True, **mask).compute()
        joined = cg.sjoin(high, high, margin=1.0, drop_z=True)
        assert found["index_right"].tolist() == joined["index_right"].tolist()
        assert not found.geometry.has_z.any()
        assert joined.geometry.has_z.all()


def test_collections_of_dask_and_frames_in_memory_are_told_apart():
    frame = moving_rows(0, "p", 20)
    rows = in_partitions(frame)
    for function in (cg.colliding_pairs, cg.is_valid, cg.column):
        with pytest.raises(TypeError, match=r"got a GeoDataFrame of Dask; carom\.dask joins it"):
            function(rows)
    for given in ((rows, frame), (frame, rows)):
        with pytest.raises(TypeError, match=r"expected a GeoDataFrame, got a GeoDataFrame of Dask"):
            cg.sjoin(*given)
    advice = {
        r"dask_geopandas\.from_geopandas\(a, npartitions=": frame,
        r"dask_geopandas\.from_geopandas\(a\.rows, npartitions=": cg.column(frame),
        r"dask\.dataframe\.from_pandas\(a, npartitions=": pd.DataFrame(frame.to_wkb()),
        r"dask_geopandas\.from_geopandas makes one": [shapely.Point(0, 0)],
    }
    for text, given in advice.items():
        with pytest.raises(TypeError, match=rf"^a: expected a frame or a series of Dask.*{text}"):
            cd.colliding_pairs(given)
    poses = da.zeros((4, 2, 3), chunks=2)
    for footprints, obstacles in ((rows, [CAR]), (CAR, rows)):
        with pytest.raises(TypeError, match=r"expected shapes in memory, got a GeoDataFrame of D"):
            cd.first_contact(footprints, poses, obstacles)


@pytest.mark.parametrize("name", ["velocity_a", "margin"])
def test_numbers_of_each_row_are_asked_for_in_columns(name):
    rows = in_partitions(moving_rows(0, "p"))
    columns = "vx" if name == "margin" else list(VELOCITY)
    with pytest.raises(TypeError, match=rf"{name}: .* of Dask; rows\.assign"):
        cd.sjoin(rows, rows, **{name: rows[columns]})
    with pytest.raises(ValueError, match=rf"{name}: .* shape \(60,.*; rows\.assign"):
        cd.sjoin(rows, rows, **{name: rows.compute()[columns].to_numpy()})


def test_rows_of_wkb_that_are_not_valid_can_be_left_out():
    frame = moving_rows(0, "p")
    expected = as_set(cg.colliding_pairs(frame.drop(index=["p7", "p8", "p9"])))
    frame.loc["p7", "geometry"] = shapely.Polygon([(0, 0), (9, 9), (9, 0), (0, 9)])
    frame.loc["p8", "geometry"] = None
    wkb = shapely.to_wkb(frame.geometry.array)
    wkb[9] = b"no geometry"
    for dtype in (object, pd.ArrowDtype(pa.binary())):
        column = pd.Series(wkb, frame.index, dtype=dtype)
        valid = cg.is_valid(column)
        assert valid.index[~valid.fillna(value=True)].tolist() == ["p7", "p9"]
        assert (
            valid.index[valid.isna()].tolist()
            == cg.is_valid(frame).index[frame.geometry.isna()].tolist()
        )
        assert cg.invalid_reason(column)["p9"].startswith("not valid WKB")
        with dask.config.set({"dataframe.convert-string": False}):
            rows = in_partitions(pd.DataFrame({"geometry": column}))
        kept = rows[rows["geometry"].map_partitions(cg.is_valid, meta=("valid", "boolean"))]
        assert as_set(cd.colliding_pairs(kept).compute()) == expected
    with pytest.raises(TypeError, match=r"got Series; .*shapely\.from_wkt"):
        cg.is_valid(pd.Series(["POINT (0 0)"]))


def test_only_rows_near_a_partition_are_compared_with_it(monkeypatch):
    x = np.arange(400.0)
    frame = geopandas.GeoDataFrame(geometry=shapely.points(x, 0))
    other = geopandas.GeoDataFrame(geometry=shapely.points(x + 0.25, 0))
    asked = []
    nearest = carom.nearest
    monkeypatch.setattr(
        carom, "nearest", lambda a, b, **k: asked.append(len(a)) or nearest(a, b, **k)
    )
    found = cd.nearest(in_partitions(frame, 8), in_partitions(other, 8)).compute()
    assert (found["b"] == found["a"]).all()
    # Each row in its own partition, and a few at the edges in others and among the candidates.
    assert 400 <= sum(asked) < 460


@of_reading
def test_a_column_of_wkb_beside_the_geometries_is_joined(tmp_path):
    frame = moving_rows(1, "p")
    others = frame.geometry.iloc[::-1].set_axis(frame.index)
    both = frame.assign(shape=pd.array(shapely.to_wkb(others.array), pd.ArrowDtype(pa.binary())))
    expected = as_set(cg.colliding_pairs(others))
    files = written(both, tmp_path)
    joined = cd.sjoin(files, files, geometry="shape").compute()
    assert joined["geometry_left"].dtype == "geometry"
    assert as_set(cd.colliding_pairs(files, geometry="shape").compute()) == expected
    with dask.config.set(scheduler=lambda graph, keys, **_: dask.get(graph, keys)):
        rows = dask_geopandas.from_geopandas(both, npartitions=2, sort=False)
        assert as_set(cd.colliding_pairs(rows, geometry="shape").compute()) == expected


# --- partitions of trajectories ------------------------------------------------------------------


def test_first_contacts_of_partitions_of_trajectories_are_those_of_one_machine():
    rng = np.random.default_rng(60)
    poses = np.cumsum(rng.normal(0.0, 2.0, (30, 5, 3)), axis=1)
    poses[rng.random((30, 5)) < 0.1] = np.nan
    groups = np.arange(30) // 2
    times = [0.0, 0.5, 1.0, 2.0, 4.0]
    posts = carom.Shapes.from_points(rng.uniform(-16, 16, (12, 2)), radius=0.5)
    for keywords in ({}, {"times": times}, {"groups": groups, "motion": "arc", "times": times}):
        whole = carom.Trajectories(CAR, poses, **keywords)
        parts = [whole[:10], dask.delayed(whole[10:12]), whole[12:]]
        expected = carom.first_contact(whole, posts, margin=0.25).to_pandas()
        assert expected.hit.any() and not expected.hit.all()
        found = cd.first_contact(parts, posts, margin=0.25)
        assert found.npartitions == 3
        pd.testing.assert_frame_equal(found.compute(), expected)
    others = carom.Trajectories(CAR, poses[::-1] + np.array([20.0, 0.0, 0.0]))
    expected = carom.first_contact(carom.Trajectories(CAR, poses), others).to_pandas()
    parts = carom.Trajectories(CAR, poses)
    pd.testing.assert_frame_equal(
        cd.first_contact([parts[:7], parts[7:]], others).compute(), expected
    )
    with pytest.raises(ValueError, match="obstacle_poses: given with Trajectories"):
        cd.first_contact([parts], posts, obstacle_poses=poses)
    with pytest.raises(TypeError, match="missing the argument 'obstacles'"):
        cd.first_contact([parts])

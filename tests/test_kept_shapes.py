"""The columns that `carom.interop.geopandas` keeps of the last frames."""

import gc
import threading
import weakref

import carom
import geopandas
import numpy as np
import pytest
import shapely
from carom.interop import geopandas as cg
from carom.interop.geopandas import kept_shapes


@pytest.fixture(autouse=True)
def made(monkeypatch):
    """The arrays of which columns are made in a test, in order."""
    arrays = []

    class Shapes:
        @staticmethod
        def from_shapely(array, **keywords):
            arrays.append(list(array))
            return carom.Shapes.from_shapely(array, **keywords)

    class Carom:
        def __getattr__(self, name):
            return Shapes if name == "Shapes" else getattr(carom, name)

    monkeypatch.setattr(kept_shapes, "carom", Carom())
    cg.forget()
    yield arrays
    cg.forget()


def boxes(*places, crs=32633):
    """A frame of unit squares at these places on a line."""
    return geopandas.GeoDataFrame(
        {"place": places}, geometry=[shapely.box(x, 0, x + 1, 1) for x in places], crs=crs
    )


def test_the_same_frames_are_read_once(made):
    left, right = boxes(0, 3, 6), boxes(1, 9)
    first = cg.sjoin(left, right)
    assert len(made) == 2
    again = cg.sjoin(left, right)
    assert first.equals(again)
    cg.sjoin(right, left)
    cg.sjoin_nearest(left, right)
    assert cg.intersects(left, shapely.box(6, 0, 7, 1)).tolist() == [False, False, True]
    assert len(made) == 2


def test_other_frames_of_the_same_objects_are_the_same_column(made):
    frame = boxes(0, 3, 6)
    cg.sjoin(frame, frame.copy())
    cg.sjoin(frame.assign(n=1), frame.rename(index=str))
    assert len(made) == 1
    reordered = frame.iloc[::-1]
    assert cg.sjoin(reordered, frame)["place_left"].tolist() == [6, 3, 0]
    assert len(made) == 2
    cg.sjoin(frame.iloc[:2], frame)
    assert [len(it) for it in made] == [3, 3, 2]


def test_equal_geometries_that_are_other_objects_are_read_again(made):
    cg.sjoin(boxes(0, 3), boxes(0, 3))
    assert len(made) == 2


def test_geometries_replaced_in_the_array_are_seen():
    zone = boxes(5)
    series = boxes(0, 1, 2).geometry
    assert len(cg.colliding_pairs(series, zone)) == 0
    for place in range(20):
        # Objects that are freed leave their addresses to later ones.
        series.iloc[1] = shapely.box(place, 0, place + 1, 1)
        assert cg.colliding_pairs(series, zone)["a"].tolist() == [1] * (4 <= place <= 6)
    array = series.array
    array[1] = None
    assert cg.is_valid(series).isna().tolist() == [False, True, False]
    assert len(cg.colliding_pairs(series, zone)) == 0


def test_objects_that_are_gone_leave_no_address_behind():
    zone = shapely.box(0, 0, 1, 1)
    frame = geopandas.GeoSeries([shapely.Point(0.5, 0.5)] * 3)
    objects = np.asarray(frame.array)
    for k in range(200):
        objects[:] = None
        is_in = k % 2 == 0
        objects[:] = [shapely.Point(0.5 if is_in else 7.0, 0.5) for _ in range(3)]
        assert cg.intersects(frame, zone).tolist() == [is_in] * 3


def test_the_crs_belongs_to_the_column(made):
    frame = boxes(0, 3)
    other = frame.set_crs(3857, allow_override=True)
    cg.sjoin(frame, frame)
    cg.sjoin(other, other)
    assert len(made) == 2
    with pytest.raises(ValueError, match="32633"):
        cg.sjoin(frame, other)
    without = frame.set_crs(None, allow_override=True)
    cg.sjoin(without, without)
    assert len(made) == 3


def test_rows_that_are_read_otherwise_are_another_column(made):
    bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    frame = geopandas.GeoDataFrame(geometry=[bow, shapely.box(0, 0, 1, 1)])
    for _ in range(2):
        with pytest.raises(ValueError, match=r"left\.loc\[0\]: the ring meets itself"):
            cg.sjoin(frame, frame)
        with pytest.warns(UserWarning, match="1 row is masked"):
            assert len(cg.sjoin(frame, frame, on_invalid="mask")) == 1
        assert cg.column(frame, check=False).shapes.is_valid.all()
    # What is refused isn't kept.
    assert len(made) == 4


def test_columns_are_freed_with_their_frames_and_by_forget():
    frame, other = boxes(0, 3, 6), boxes(1, 2)
    cg.sjoin(frame, other)
    geometries = [weakref.ref(kept.made.objects) for kept in kept_shapes._kept]
    del frame
    gc.collect()
    assert sorted(it() is None for it in geometries) == [False, True]
    cg.forget()
    gc.collect()
    assert all(it() is None for it in geometries)
    assert kept_shapes._kept == []


def test_the_last_four_columns_are_kept(made):
    frames = [boxes(0, k) for k in range(2, 8)]
    zone = shapely.box(0, 0, 1, 1)
    for frame in frames:
        cg.intersects(frame, zone)
    cg.intersects(frames[-4], zone)
    assert len(made) == len(frames)
    # The one that was used last is the last to go.
    cg.intersects(frames[0], zone)
    cg.intersects(frames[-4], zone)
    assert len(made) == len(frames) + 1


def test_an_array_with_gaps_in_memory_is_compared_where_it_lies(made):
    objects = np.array([shapely.Point(x, 0) for x in range(8)], dtype=object)
    zone = shapely.box(0, 0, 2, 1)
    for step, expected in ((2, [True, True, False, False]), (-3, [False, False, True])):
        series = geopandas.GeoSeries(geopandas.array.GeometryArray(objects[::step]))
        for _ in range(2):
            assert cg.intersects(series, zone).tolist() == expected
    assert len(made) == 2


def test_threads_may_join_the_same_frames_and_forget_them():
    frames = [boxes(*range(0, 30, step)) for step in (1, 2, 3)]
    expected = {
        (i, j): len(cg.sjoin(one, other))
        for i, one in enumerate(frames)
        for j, other in enumerate(frames)
    }
    wrong = []

    def work(seed):
        random = np.random.default_rng(seed)
        for _ in range(60):
            i, j = random.integers(0, 3, 2)
            if len(cg.sjoin(frames[i], frames[j])) != expected[i, j]:
                wrong.append((i, j))
            if random.random() < 0.1:
                cg.forget()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_columns_of_series_have_their_reference_system():
    frame = boxes(0, 1)
    assert cg.column(frame).shapes.crs["id"] == {"authority": "EPSG", "code": 32633}
    assert cg.column(frame.set_crs(None, allow_override=True)).shapes.crs is None
    geometries = shapely.set_srid(np.array(frame.geometry), 32633)
    assert cg.column(geopandas.GeoSeries(geometries)).shapes.crs == "EPSG:32633"
    assert cg.column(geopandas.GeoSeries(geometries, crs=32633)).shapes.crs is not None
    other = geopandas.GeoSeries(geometries, index=["p", "q"], crs=32634)
    told = r"^a\.loc\['p'\] has the CRS EPSG:32633 and a the CRS EPSG:32634; "
    with pytest.raises(ValueError, match=told):
        cg.intersects(other, frame.geometry.iloc[0])


def test_shapes_and_arrow_data_of_another_reference_system_are_refused():
    series, other = boxes(0, 1).geometry, boxes(0, 1, crs=32634).geometry
    for function in (cg.intersects, cg.distance, cg.sat):
        for given in (carom.Shapes.from_shapely(other), other.to_arrow()):
            told = "^a has the CRS EPSG:3263. and b the CRS EPSG:3263.; bring"
            with pytest.raises(ValueError, match=told):
                function(series, given)
            with pytest.raises(ValueError, match=told):
                function(given, series)
        assert len(function(series, carom.Shapes.from_shapely(series))) == 2
        assert len(function(series, carom.Shapes.from_shapely(np.array(other)))) == 2

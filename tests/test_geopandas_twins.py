"""Nearest rows, closest approaches and first contacts by label; Z that is left out."""

from __future__ import annotations

from typing import Any

import carom
import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg
from carom.interop.geopandas.shared_docstrings import twin_of
from numpydoc.docscrape import FunctionDoc

from moving_frames import BOW, FUNCTIONS, INDEXES, frame


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES.keys())
def test_nearest_rows_are_those_of_carom_by_label(index: Any) -> None:
    rng = np.random.default_rng(10)
    left, right = frame(rng, index), frame(rng, index)
    for options in ({}, {"k": 3}, {"k": 2, "max_distance": 1.0}):
        (i, j), distance = carom.nearest(left, right, **options)
        for a, b in ((left, right), (left.geometry, cg.column(right))):
            found = cg.nearest(a, b, **options)
            assert list(found.columns) == ["a", "b", "distance"]
            assert found["a"].tolist() == index[i].tolist()
            assert found["b"].tolist() == index[j].tolist()
            assert found["distance"].tolist() == distance.tolist()
    assert 3 not in i and 3 not in j
    near = cg.nearest(left.reset_index(drop=True), right.reset_index(drop=True), k=2)
    lengths = cg.distance(left.reset_index(), right.reset_index(), pairs=near)["distance"]
    assert lengths.tolist() == near["distance"].tolist()


@pytest.mark.filterwarnings("ignore:.* masked, as if missing")
def test_bad_arguments_of_nearest_are_named() -> None:
    rows = frame(np.random.default_rng(11))
    bad = geopandas.GeoSeries([BOW], ["bow"], crs=32633)
    for call, text in (
        (lambda: cg.nearest(rows, rows, k=0), "^k"),
        (lambda: cg.nearest(rows, rows, max_distance=-1), "^max_distance"),
        (lambda: cg.nearest(rows, bad), r"^b.loc\['bow'\]: the ring meets itself"),
        (lambda: cg.nearest(rows, rows.to_crs(4326)), "CRS"),
    ):
        with pytest.raises(ValueError, match=text):
            call()
    assert len(cg.nearest(rows, bad, on_invalid="mask")) == 0
    for given in (None, [shapely.box(0, 0, 1, 1)]):
        with pytest.raises(TypeError, match=r"^b: expected a GeoSeries or a GeoDataFrame, got "):
            cg.nearest(rows, given)
    with pytest.raises(TypeError, match=r"^a: expected a GeoSeries or a GeoDataFrame, got list"):
        cg.nearest([shapely.box(0, 0, 1, 1)], rows)
    degrees = rows.set_crs(4326, allow_override=True)
    with pytest.warns(UserWarning, match="'nearest' are likely incorrect: distances are in deg"):
        cg.nearest(degrees, degrees)


def test_closest_approaches_are_those_of_the_batch_for_rows_labels_and_pairs() -> None:
    rng = np.random.default_rng(12)
    left, right = frame(rng), frame(rng)
    velocity = left[["vx", "vy"]]
    expected = carom.closest_approach_batch(left, right, velocity.to_numpy()).to_pandas(left.index)
    pd.testing.assert_frame_equal(cg.closest_approach(left, right, ("vx", "vy")), expected)
    assert expected["distance"].isna().tolist() == [k == 3 for k in range(20)]
    pairs = cg.colliding_pairs(left, right, margin=3.0)
    turns: dict[str, Any] = {"turn_a": 0.5, "center_a": (0, 0)}
    found = cg.closest_approach(left, right, ("vx", "vy"), pairs=pairs, **turns)
    for row in pairs.index[:20]:
        a, b = pairs.loc[row]
        shapes = left.geometry[a], right.geometry[b]
        one = carom.closest_approach(*shapes, velocity.loc[a], **turns)
        assert found.loc[row, ["distance", "time"]].tolist() == [one.distance, one.time]
    shifted = cg.closest_approach(left.iloc[::-1], right[5:], (1, 0), align=True)
    assert shifted.index.tolist() == list(range(20))
    assert shifted["distance"].isna().tolist() == [k < 5 for k in range(20)]
    with pytest.warns(UserWarning, match="'closest_approach' .* velocity and distance are in degr"):
        cg.closest_approach(left.set_crs(4326, allow_override=True), shapely.Point(0, 0), (0, 0))


CAR = carom.boxes(2.0, 2.0)


def ways(rng: np.random.Generator) -> Any:
    """Trajectories from left to right."""
    poses = np.zeros((6, 4, 3))
    poses[..., 0] = np.linspace(-9, 9, 4)
    poses[..., 1] = rng.integers(-6, 6, (6, 1))
    poses[..., 2] = rng.uniform(-1, 1, (6, 4))
    return poses


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES.keys())
def test_first_contacts_of_trajectories_name_the_obstacle_by_its_label(index: Any) -> None:
    rng = np.random.default_rng(13)
    obstacles, poses = frame(rng, index), ways(rng)
    # One way is free.
    poses[2, :, 1] = 99.0
    given: dict[str, Any] = {"obstacle_velocity": ("vx", "vy"), "margin": "gap"}
    obstacles["gap"] = rng.integers(0, 2, 20) / 2
    arrays = {"obstacle_velocity": obstacles[["vx", "vy"]].to_numpy(), "margin": obstacles["gap"]}
    expected = carom.first_contact(CAR, poses, obstacles, **arrays)
    tables = [
        cg.first_contact(CAR, poses, obstacles, **given),
        cg.first_contact(CAR, poses, cg.column(obstacles), **given),
        cg.first_contact(carom.Trajectories(CAR, poses), obstacles, **given),
        cg.first_contact(carom.Trajectories(CAR, poses), obstacles=obstacles, **given),
    ]
    for found in tables:
        plain = expected.to_pandas().drop(columns="obstacle")
        pd.testing.assert_frame_equal(found.drop(columns="obstacle"), plain)
        assert found["obstacle"].isna().tolist() == (~expected.hit).tolist()
        told = found.loc[expected.hit, "obstacle"].tolist()
        assert told == index[expected.obstacle[expected.hit]].tolist()
    assert expected.hit.tolist() == [k != 2 for k in range(6)]
    assert found["obstacle"].dtype.kind != "f"


def test_trajectories_have_the_index_of_their_footprints_or_a_row_for_each_group() -> None:
    rng = np.random.default_rng(14)
    obstacles, poses = frame(rng), ways(rng)
    cars = geopandas.GeoSeries([shapely.Polygon(CAR)] * 6, [f"car {k}" for k in range(6)])
    found = cg.first_contact(cars, poses, obstacles, fields=("hit", "obstacle"))
    assert found.index.equals(cars.index) and list(found.columns) == ["hit", "obstacle"]
    one = cg.first_contact(cars[:1], poses, obstacles, fields=("hit", "obstacle"))
    assert one.index.equals(pd.RangeIndex(6))
    assert one.values.tolist() == found.values.tolist()
    assert list(cg.first_contact(cars, poses, obstacles, fields=("time",)).columns) == ["time"]
    trains = carom.Trajectories(CAR, poses, groups=[0, 0, 1, 1, 2, 2])
    parts = cg.first_contact(trains, obstacles)
    assert len(parts) == 3 and set(parts["part"]) <= set(range(6))
    assert cg.first_contact(CAR, poses, obstacles[:0])["obstacle"].isna().all()


@pytest.mark.filterwarnings("ignore:.* masked, as if missing")
def test_faults_of_obstacles_and_footprints_are_told_by_label() -> None:
    rng = np.random.default_rng(15)
    obstacles, poses = frame(rng, INDEXES["strings"]), ways(rng)
    bad = obstacles.set_geometry(geopandas.GeoSeries([BOW] * 20, obstacles.index, crs=32633))
    wrong = obstacles.assign(vx=np.nan)
    cars = geopandas.GeoSeries([BOW] * 6, list("pqrstu"))
    for call, error, text in (
        (lambda: cg.first_contact(CAR, poses, bad), ValueError, r"^obstacles.loc\['row 0'\]: the"),
        (lambda: cg.first_contact(cars, poses, obstacles), ValueError, r"^footprints.loc\['p'\]: "),
        (
            lambda: cg.first_contact(CAR, poses, wrong, obstacle_velocity=("vx", "vy")),
            ValueError,
            r"^obstacle_velocity.loc\['row 0'\]",
        ),
        (
            lambda: cg.first_contact(CAR, poses, obstacles, obstacle_velocity=[(0, 0)] * 3),
            ValueError,
            "^obstacle_velocity has 3 rows, and obstacles has 20",
        ),
        (
            lambda: cg.first_contact(CAR, poses, [CAR]),
            TypeError,
            "^obstacles: expected a GeoSeries",
        ),
        (lambda: cg.first_contact(CAR, poses), TypeError, "^obstacles: expected a GeoSeries or"),
    ):
        with pytest.raises(error, match=text):
            call()
    masked = cg.first_contact(CAR, poses, bad, on_invalid="mask")
    assert not masked["hit"].any()
    with pytest.warns(UserWarning, match="'first_contact' .* poses are in degrees"):
        cg.first_contact(CAR, poses, obstacles.set_crs(4326, allow_override=True))


def test_z_is_left_out_on_request_by_every_function() -> None:
    flat = frame(np.random.default_rng(16))
    high = flat.set_geometry(flat.force_3d(7.0))
    shape = shapely.box(-2, -2, 2, 2)
    above = shapely.force_3d(shape, 3.0)
    geometries = [above, *high.geometry[:3]]
    of_two = (cg.intersects, cg.sat, cg.penetration, cg.overlap_area, cg.distance)
    calls = [(lambda a, b, f=it, **o: f(a, b, **o)) for it in of_two]
    calls += [(lambda a, b, f=it, **o: f(a, b, (3, 1), **o)) for it in FUNCTIONS]
    for call in calls:
        expected = call(flat, shape)
        for one, other in ((high, shape), (high, above), (flat, above), (high.geometry, shape)):
            assert call(one, other, drop_z=True).equals(expected)
        with pytest.raises(ValueError, match="Z"):
            call(high, shape)
        with pytest.raises(ValueError, match="Z"):
            call(flat, above)
    by_pairs: dict[str, Any] = {"pairs": ([0, 1], [0, 2])}
    expected = cg.distance(flat, [shape, *flat.geometry[:3]], **by_pairs)
    for given in (
        geometries,
        np.array(geometries),
        geopandas.GeoSeries(geometries, crs=32633).array,
    ):
        assert cg.distance(high, given, drop_z=True, **by_pairs).equals(expected)
    for call in (
        cg.colliding_pairs,
        lambda a, **o: cg.candidate_pairs(a, a, **o),
        lambda a, **o: cg.nearest(a, a, k=2, **o),
        lambda a, **o: cg.circle_polygon((0, 0), 1, a, **o),
        lambda a, **o: cg.swept_circle((0, 0), 1, (1, 0), a, **o),
        lambda a, **o: cg.first_contact(CAR, [[(0, 0, 0), (3, 0, 0)]], a, **o),
    ):
        assert call(high, drop_z=True).equals(call(flat))
        with pytest.raises(ValueError, match="Z"):
            call(high)


SHARED = """
Parameters
----------
a, b : shapes of `carom.{batch}`
    Shared.

Returns
-------
carom.{result}
    Shared.

Raises
------
TypeError
    Shared.
"""


def test_the_docstring_of_a_twin_is_its_own_text_and_what_it_shares() -> None:
    @twin_of(carom.sat_batch, SHARED)
    def twin(a: Any, b: Any, *, fields: Any = None, margin: Any = 0.0, threads: Any = None) -> Any:
        """Own summary.

        Parameters
        ----------
        margin : float
            Own.

        Raises
        ------
        ValueError
            Own.

        Notes
        -----
        Own.
        """
        return a, b, fields, margin, threads

    text = FunctionDoc(twin)
    assert text["Summary"] == ["Own summary."]
    described = [(it.name, it.type, " ".join(it.desc)) for it in text["Parameters"]]
    assert described == [
        ("a, b", "shapes of `carom.sat_batch`", "Shared."),
        ("margin", "float", "Own."),
        ("fields, threads", "", "As in `carom.sat_batch`."),
    ]
    assert [(it.type, it.desc) for it in text["Returns"]] == [("carom.SatBatchResult", ["Shared."])]
    errors = [(it.type, it.desc) for it in text["Raises"]]
    assert errors == [("ValueError", ["Own."]), ("TypeError", ["Shared."])]
    assert text["Notes"] == ["Own."]
    with pytest.raises(TypeError, match=r"^twin\(\) got an unexpected keyword argument 'out'"):
        twin(1, 2, out=3)

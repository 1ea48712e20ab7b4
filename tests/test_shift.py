"""`shift`: shapes moved off obstacles, whose interiors are then disjoint in fractions."""

from fractions import Fraction

import carom
import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from carom.interop import geopandas as cg
from geopandas.testing import assert_geodataframe_equal

from reference.oracle.common_area import common_area

ELL = shapely.Polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])
CUP = shapely.Polygon([(0, 0), (6, 0), (6, 6), (5, 6), (5, 1), (1, 1), (1, 6), (0, 6)])
FRAME = shapely.box(0, 0, 10, 10).difference(shapely.box(4, 4, 7, 7))
PLACES = [(0.0, 0.0), (448252.9, 5411935.6)]
"""Near the origin, and at the size of UTM coordinates."""
NEW = ["shift_x", "shift_y", "shift_line"]


def parts(geometry):
    """The rings of each part of a polygon."""
    return [
        [list(ring.coords)[:-1] for ring in (part.exterior, *part.interiors)]
        for part in shapely.get_parts(geometry)
    ]


def have_disjoint_interiors(one, other):
    return common_area(parts(one), parts(other)) == 0


def scattered(rng, count, at=(0.0, 0.0), shape=ELL, size=0.4):
    """Copies of a shape, turned and scaled, over a square of side 10."""
    rows = []
    for x, y in rng.random((count, 2)) * 10:
        turned = shapely.affinity.rotate(shape, rng.random() * 360, origin=(0, 0))
        scaled = shapely.affinity.scale(turned, size, size, origin=(0, 0))
        rows.append(shapely.affinity.translate(scaled, x + at[0], y + at[1]))
    return geopandas.GeoDataFrame({"number": np.arange(count)}, geometry=rows, crs=32633)


def moved_by(geometry, shift):
    """The geometry with a vector added to each vertex, in floats."""
    return shapely.transform(geometry, lambda vertices: vertices + shift)


def assert_shifted(frame, obstacles, found):
    """Asserts what `shift` promises, row by row, of a frame and the obstacle of each row."""
    assert found.index.equals(frame.index)
    assert list(found.columns) == [*frame.columns, *NEW]
    for row, (geometry, obstacle) in enumerate(zip(frame.geometry, obstacles, strict=True)):
        shift = found[["shift_x", "shift_y"]].iloc[row].to_numpy()
        after, line = found.geometry.iloc[row], found["shift_line"].iloc[row]
        depth = carom.penetration(geometry, obstacle).depth
        assert have_disjoint_interiors(after, obstacle)
        assert carom.penetration(after, obstacle).depth == 0.0
        if depth == 0.0:
            assert after is geometry
            assert shift.tolist() == [0.0, 0.0]
            assert line is None
            continue
        assert shapely.equals_identical(after, moved_by(geometry, shift))
        unit = np.spacing(np.abs(shapely.bounds([geometry, after])).max())
        # The true length but for its error, and what was added.
        assert -1e-10 * depth <= np.hypot(*shift) - depth <= 1e-10 * depth + 99 * unit
        start, end = shapely.get_coordinates(line)
        assert start == pytest.approx(shapely.get_coordinates(geometry.centroid)[0], rel=1e-9)
        assert (end == start + shift).all()


@pytest.mark.parametrize("at", PLACES)
def test_boxes_leave_a_box_by_what_fractions_say(at):
    rng = np.random.default_rng(0)
    corners = rng.random((60, 2)) * 10 + at
    boxes = [shapely.box(x, y, x + 1.1, y + 0.7) for x, y in corners]
    frame = geopandas.GeoDataFrame(geometry=boxes)
    obstacle = shapely.box(*np.add((3.3, 2.1), at), *np.add((7.9, 8.7), at))
    found = cg.shift(frame, obstacle)
    left, low, right, high = map(Fraction, obstacle.bounds)
    allowed = 8 * Fraction(np.spacing(max(obstacle.bounds)))
    for before, after in zip(boxes, found.geometry, strict=True):
        one = [Fraction(it) for it in before.bounds]
        other = [Fraction(it) for it in after.bounds]
        # By one of the four sides the interiors are apart.
        assert max(left - other[2], other[0] - right, low - other[3], other[1] - high) >= 0
        way = min(one[2] - left, right - one[0], one[3] - low, high - one[1])
        moved = max(abs(p - q) for p, q in zip(one, other, strict=True))
        assert moved == 0 if way <= 0 else abs(moved - way) <= allowed
    assert_shifted(frame, [obstacle] * 60, found)


@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("obstacle", [ELL, CUP, FRAME, shapely.LineString([(0, 0), (9, 7)])])
def test_concave_shapes_leave_obstacles_with_notches_and_holes(obstacle, at):
    rng = np.random.default_rng(1)
    if isinstance(obstacle, shapely.LineString):
        obstacle = obstacle.buffer(1.2, quad_segs=3)
    obstacle = moved_by(shapely.affinity.rotate(obstacle, 17, origin=(5, 5)), at)
    frame = scattered(rng, 60, at, size=0.9)
    found = cg.shift(frame, obstacle)
    assert found["shift_line"].notna().sum() > 8
    assert_shifted(frame, [obstacle] * 60, found)
    # What was moved is clear: it stays where it is.
    again = cg.shift(found[["number", "geometry"]], obstacle)
    assert (again[["shift_x", "shift_y"]] == 0.0).all(axis=None)
    assert all(it is other for it, other in zip(again.geometry, found.geometry, strict=True))


@pytest.mark.parametrize("at", PLACES)
def test_every_row_leaves_its_own_obstacle(at):
    rng = np.random.default_rng(2)
    frame = scattered(rng, 40, at).set_index(pd.Index(rng.permutation(40), name="id"))
    obstacles = scattered(rng, 40, at, CUP, 0.5).geometry.set_axis(frame.index)
    found = cg.shift(frame, obstacles, align=True)
    assert_shifted(frame, obstacles, found)
    by_label = obstacles.iloc[::-1]
    assert_geodataframe_equal(cg.shift(frame, by_label, align=True), found)
    by_position = obstacles.reset_index(drop=True)
    assert_geodataframe_equal(cg.shift(frame, by_position, align=False), found)
    # Rows without an obstacle stay where they are.
    some = cg.shift(frame, by_label[:15], align=True)
    with_one = frame.index.isin(by_label.index[:15])
    assert_geodataframe_equal(some[with_one], found[with_one])
    assert (some.geometry[~with_one] == frame.geometry[~with_one]).all()
    assert (some.loc[~with_one, ["shift_x", "shift_y"]] == 0.0).all(axis=None)


@pytest.mark.parametrize("at", PLACES)
def test_a_direction_is_kept(at):
    frame = scattered(np.random.default_rng(3), 40, at).assign(x=1.0, y=0.5)
    obstacle = moved_by(CUP, at)
    found = cg.shift(frame, obstacle, direction=("x", "y"))
    depth = carom.penetration_batch(frame, obstacle, direction=(1, 0.5)).depth
    moved = depth > 0
    assert moved.sum() > 8
    assert (found["shift_line"].notna() == moved).all()
    assert all(have_disjoint_interiors(it, obstacle) for it in found.geometry)
    shift = found.loc[moved, ["shift_x", "shift_y"]].to_numpy()
    unit = np.spacing(max(map(abs, frame.total_bounds)))
    assert np.abs(shift[:, 0] - 2 * shift[:, 1]).max() <= 4 * unit
    assert np.abs(np.hypot(*shift.T) - depth[moved]).max() <= 40 * unit
    one = cg.shift(frame[["geometry"]], obstacle, direction=(1, 0.5))
    assert (one.geometry == found.geometry).all()
    with pytest.raises(ValueError, match=r"^direction.loc\[39\]"):
        cg.shift(frame, obstacle, direction=[(1, 0)] * 39 + [(0, 0)])
    with pytest.raises(ValueError, match=r"^direction has 2 rows, and frame has 40"):
        cg.shift(frame, obstacle, direction=[(1, 0)] * 2)


def test_a_margin_is_left_by_convex_shapes():
    frame = geopandas.GeoDataFrame(
        {"gap": [0.0, 0.1, 3.0]}, geometry=[shapely.Point(x, 0.1).buffer(1) for x in (0, 0.3, 9)]
    )
    obstacle = shapely.box(0, -5, 7, 5)
    found = cg.shift(frame, obstacle, margin="gap")
    gap = carom.distance_batch(found, obstacle).distance
    assert (gap >= frame["gap"]).all()
    assert gap == pytest.approx([0.0, 0.1, 3.0], abs=1e-14)
    with pytest.raises(ValueError, match=r"^frame.loc\[0\]: .* margin"):
        cg.shift(scattered(np.random.default_rng(0), 2), obstacle, margin=0.5)


def test_the_shortest_way_between_walls_is_found_though_rounding_pushes_to_and_fro():
    # The free wedge between two walls, whose normals nearly face each other.
    rng = np.random.default_rng(4)
    for _ in range(60):
        angle, opening = rng.random() * 360, 4 + rng.random() * 60
        wall = shapely.Polygon([(0, 0), (20, 0), (20, -9), (-9, -9), (-9, 20), (0, 20)])
        wedge = shapely.affinity.skew(wall, 90 - opening, origin=(0, 0))
        obstacle = shapely.affinity.rotate(wedge, angle, origin=(0, 0))
        peg = shapely.affinity.rotate(shapely.box(-1, -1, 0.5, 0.5), rng.random() * 360)
        frame = geopandas.GeoDataFrame(geometry=[moved_by(peg, rng.random(2) * 3)])
        found = cg.shift(frame, obstacle)
        assert_shifted(frame, [obstacle], found)


def test_a_place_that_fits_to_the_last_digit_is_refused_if_no_float_leads_there():
    peg = geopandas.GeoDataFrame(geometry=[shapely.box(4.25, 3, 6.25, 5)], index=["peg"])
    notch = shapely.box(0, 0, 10, 6).difference(shapely.box(4, 2, 6, 6))
    assert cg.shift(peg, notch)[["shift_x", "shift_y"]].to_numpy().tolist() == [[-0.25, 0.0]]
    # Far from a hole of its width, floats are too coarse for the way into it.
    low, high, at = 0.4, 0.7, 700.0
    unit = np.spacing(at)
    right = at + unit * np.floor((high - low) / unit)
    least, most = Fraction(low) - Fraction(at), Fraction(high) - Fraction(right)
    assert least < most
    assert least // Fraction(unit) == most // Fraction(unit)
    plate = shapely.box(-3000, -3000, 3000, 3000).difference(shapely.box(low, low, high, high))
    coarse = geopandas.GeoDataFrame(geometry=[shapely.box(at, low, right, high)], index=["peg"])
    way = carom.penetration(coarse.geometry.iloc[0], plate).mtv
    assert way == pytest.approx([low - at, 0.0], abs=1e-9)
    told = r"^frame.loc\['peg'\] can't be moved by \(-699.* is as wide as the shape"
    with pytest.raises(ValueError, match=told):
        cg.shift(coarse, plate)


@pytest.mark.filterwarnings("ignore:.* masked, as if missing")
def test_missing_rows_stay_and_invalid_ones_are_refused_or_masked():
    bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    shapes = [shapely.box(0, 0, 2, 2), None, shapely.Polygon(), bow]
    frame = geopandas.GeoDataFrame({"name": list("abcd")}, geometry=shapes, index=list("pqrs"))
    obstacle = shapely.box(1.5, 0, 4, 4)
    found = cg.shift(frame[:3], obstacle)
    assert found["shift_x"].fillna(9.0).tolist() == [-0.5, 9.0, 9.0]
    assert found.geometry.iloc[1] is None
    assert found.geometry.iloc[2].is_empty
    with pytest.raises(ValueError, match=r"^frame.loc\['s'\]: the ring meets itself"):
        cg.shift(frame, obstacle)
    masked = cg.shift(frame, obstacle, on_invalid="mask")
    assert_geodataframe_equal(masked[:3], found)
    assert masked.geometry["s"] is bow
    assert np.isnan(masked["shift_x"]["s"])
    with pytest.raises(ValueError, match=r"^obstacle: the ring meets itself"):
        cg.shift(frame[:3], bow)
    with pytest.raises(ValueError, match=r"^obstacle.loc\['y'\]: the ring meets itself"):
        cg.shift(frame[:2], geopandas.GeoSeries([obstacle, bow], ["x", "y"]), align=False)
    with pytest.raises(ValueError, match=r"^obstacle\[0\]: the path has no interior"):
        cg.shift(frame[:1], shapely.LineString([(0, 0), (2, 2), (4, 0)]))
    collection = shapely.GeometryCollection([obstacle, shapely.Point(0, 0)])
    with pytest.raises(TypeError, match=r"^obstacle: .* got a GeometryCollection"):
        cg.shift(frame[:1], collection)
    nowhere = cg.shift(frame[:1], geopandas.GeoSeries([None]))
    assert nowhere["shift_x"].tolist() == [0.0]


def test_heights_are_refused_or_left_out_of_what_is_moved():
    high = [shapely.force_3d(it, 7.0) for it in (shapely.box(0, 0, 2, 2), shapely.box(8, 0, 9, 1))]
    frame = geopandas.GeoDataFrame(geometry=high, index=["p", "q"])
    obstacle = shapely.box(1.5, 0, 4, 4)
    with pytest.raises(ValueError, match=r"^frame.loc\['p'\]: .*drop_z=True"):
        cg.shift(frame, obstacle)
    with pytest.raises(ValueError, match=r"^obstacle: .*drop_z=True"):
        cg.shift(frame.force_2d(), shapely.force_3d(obstacle))
    flat = cg.shift(frame.set_geometry(frame.force_2d()), obstacle)
    found = cg.shift(frame, obstacle, drop_z=True)
    assert found[["shift_x", "shift_y"]].equals(flat[["shift_x", "shift_y"]])
    assert found.geometry["p"].equals_exact(flat.geometry["p"], 0.0)
    assert found.geometry.has_z.tolist() == [False, True]
    assert found.geometry["q"] is high[1]
    for high_obstacle in (shapely.force_3d(obstacle), geopandas.GeoSeries([obstacle]).force_3d()):
        other = cg.shift(cg.column(frame, drop_z=True), high_obstacle, drop_z=True)
        assert_geodataframe_equal(other, found)


def test_frames_of_all_kinds_keep_what_they_have():
    boxes = [shapely.box(0, 0, 2, 2), shapely.box(5, 5, 6, 6)]
    levels = pd.MultiIndex.from_tuples([("a", 1), ("a", 1)], names=["u", "v"])
    obstacle = geopandas.GeoDataFrame(geometry=[shapely.box(1.5, 0, 4, 4)], index=[7], crs=32633)
    frame = geopandas.GeoDataFrame(
        {"name": list("ab"), "centre": shapely.points([(0, 0), (1, 1)]), "shape": boxes},
        geometry="shape",
        index=levels,
        crs=32633,
    )
    frame.attrs["source"] = "here"
    before = frame.copy()
    found = cg.shift(frame, obstacle)
    assert_geodataframe_equal(frame, before)
    assert found.geometry.name == "shape"
    assert found.crs == found["shift_line"].crs == frame.crs
    assert found.attrs == frame.attrs
    assert found.index.equals(levels)
    assert list(found.columns) == [*frame.columns, *NEW]
    assert found["centre"].equals(frame["centre"])
    for rows in (frame.geometry, cg.column(frame), frame[["shape"]]):
        other = cg.shift(rows, cg.column(obstacle))
        assert_geodataframe_equal(other[["shape", *NEW]], found[["shape", *NEW]])
    nameless = cg.shift(geopandas.GeoSeries(boxes), obstacle.geometry.iloc[0])
    assert list(nameless.columns) == ["geometry", *NEW]
    empty = cg.shift(frame[:0], obstacle)
    assert len(empty) == 0
    assert (empty.dtypes == found.dtypes).all()
    lines = found.set_geometry("shift_line")
    assert lines.geometry.length.sum() == 0.5


def test_circles_and_capsules_of_a_column_are_moved_by_their_radius():
    centers = geopandas.GeoDataFrame(geometry=shapely.points([(0, 0), (9, 9)]))
    round_rows = carom.Shapes(centers.geometry).with_radius(0.7)
    found = cg.shift(cg.Column(centers, round_rows), shapely.box(-0.3, -5, 5, 5))
    after = carom.Shapes(found.geometry).with_radius(0.7)
    assert carom.penetration_batch(after, shapely.box(-0.3, -5, 5, 5)).depth.tolist() == [0.0, 0.0]
    assert found.geometry.iloc[0].x == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("obstacle", "given", "error", "text"),
    [
        ([(0, 0), (1, 0), (0, 1)], {}, TypeError, "obstacle: expected a geometry, a GeoSeries or"),
        (None, {}, TypeError, "obstacle: expected a geometry"),
        (CUP, {"align": "x"}, TypeError, "align: expected True, False or None, got 'x'"),
        (
            geopandas.GeoSeries([CUP, ELL], ["x", "y"]),
            {},
            ValueError,
            r"obstacle has 2 rows; obstacle.union_all\(\)",
        ),
        (
            geopandas.GeoSeries([CUP] * 3),
            {"align": False},
            ValueError,
            "obstacle has 3 rows, and frame has 2",
        ),
        (
            geopandas.GeoSeries([CUP, ELL], [1, 1]),
            {"align": True},
            ValueError,
            "obstacle: the label 1 repeats",
        ),
        (
            geopandas.GeoSeries([CUP], crs=3857),
            {},
            ValueError,
            "frame has the CRS EPSG:32633 and obstacle the CRS EPSG:3857",
        ),
    ],
)
def test_arguments_are_refused_by_name(obstacle, given, error, text):
    frame = scattered(np.random.default_rng(0), 2)
    if not isinstance(obstacle, geopandas.GeoSeries) or obstacle.crs is None:
        frame = frame.set_crs(None, allow_override=True)
    with pytest.raises(error, match=f"^{text}"):
        cg.shift(frame, obstacle, **given)


def test_what_shift_cannot_tell_is_refused_or_warned_of():
    frame = scattered(np.random.default_rng(0), 2)
    with pytest.raises(ValueError, match=r"^frame has a column 'shift_y' already; rename it"):
        cg.shift(frame.assign(shift_y=0), CUP)
    with pytest.raises(TypeError, match=r"^frame: expected a GeoSeries or .*, got list"):
        cg.shift([CUP], CUP)
    with pytest.warns(UserWarning, match="'shift' .* shifts are in degrees"):
        cg.shift(frame.set_crs(4326, allow_override=True), CUP)
    with pytest.raises(TypeError, match=r"shift\(\) got an unexpected keyword argument 'pairs'"):
        cg.shift(frame, CUP, pairs=None)


def test_the_shift_of_each_pair_is_that_of_a_join():
    frame = scattered(np.random.default_rng(5), 30)
    obstacle = geopandas.GeoDataFrame(geometry=[CUP], crs=32633)
    found = cg.shift(frame, obstacle)
    joined = cg.sjoin(frame, obstacle, fields=("mtv", "depth"))
    way = found.loc[joined.index, ["shift_x", "shift_y"]].to_numpy()
    assert np.allclose(way, joined[["mtv_x", "mtv_y"]], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["shift_x", "shift_y", "shift_line"])
def test_a_series_with_the_name_of_a_column_of_the_result_is_refused(name: str) -> None:
    series = geopandas.GeoSeries([shapely.box(0, 0, 1, 1)], name=name)
    with pytest.raises(ValueError, match=f"frame has a column '{name}' already"):
        cg.shift(series, shapely.box(0.5, 0, 3, 3))

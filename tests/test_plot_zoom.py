"""Pictures show what matters: the zoom of two shapes, and numbers on axes that are legible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import carom
import carom.plot
import matplotlib as mpl
import numpy as np
import pytest
import shapely
from carom.plot import elements, zoom
from matplotlib import pyplot as plt

from drawn import arrows, labelled, shows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

mpl.use("Agg")

FAR = (4_481_234.567, 5_334_760.125)
ROAD = shapely.LineString([(0, 0), (400, 80), (900, 60)]).buffer(6)
HOUSE = shapely.affinity.rotate(shapely.box(395, 70, 410, 80), 20)


def square(x: float, y: float, side: float) -> np.ndarray:
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


def shown(ax: Axes) -> list[float]:
    """Least x, least y, greatest x and greatest y of what is shown."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    return [left, low, right, high]


def notes(ax: Axes) -> dict[str, tuple[float, float]]:
    return {it.get_text(): it.get_position() for it in ax.texts if it.get_text() in {"a", "b"}}


# --- zoom -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "is_zoomed"), [(9.75, False), (10.0, True), (400.0, True)])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_picture_zooms_where_one_shape_is_ten_times_as_large(
    side: float, is_zoomed: bool, swapped: bool
) -> None:
    small, large = square(-0.5, 1, 1), square(0, 0, side)
    a, b = (large, small) if swapped else (small, large)
    for draw in (carom.plot.sat, carom.plot.penetration):
        ax = draw(a, b)
        assert shows(ax, small)
        assert shows(ax, large) != is_zoomed


@pytest.mark.parametrize(("overlap", "is_zoomed"), [(1.03125, False), (1.0, True), (0.0, False)])
def test_a_picture_zooms_where_a_shape_is_ten_times_as_large_as_what_happens(
    overlap: float, is_zoomed: bool
) -> None:
    a, b = square(0, 0, 10), square(10 - overlap, 10 - overlap, 10)
    ax = carom.plot.penetration(a, b)
    assert shows(ax, np.concatenate([a, b])) != is_zoomed
    if is_zoomed:  # the shapes themselves are as large, and left out
        assert shown(ax) == pytest.approx([8.5, 8.5, 10.5, 10.5])


def test_what_a_picture_shows_can_be_chosen() -> None:
    a, b = square(0, 0, 4), square(3, 1, 8)
    near, every = (carom.plot.sat(a, b, zoom=choice) for choice in ("contact", "all"))
    assert shows(near, a)
    assert not shows(near, b)
    assert shows(every, np.concatenate([a, b]))
    small = square(-0.5, 1, 1)
    every = carom.plot.sat(small, square(0, 0, 400), zoom="all")
    assert shows(every, np.concatenate([small, square(0, 0, 400)]))


@pytest.mark.parametrize("far", [(0.0, 0.0), FAR])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_zoomed_shift_is_where_the_overlap_is_and_names_lie_on_their_shapes(
    far: tuple[float, float], swapped: bool
) -> None:
    shapes = [shapely.affinity.translate(shape, *far) for shape in (HOUSE, ROAD)]
    a, b = shapes[::-1] if swapped else shapes
    ax = carom.plot.penetration(a, b)
    low_x, low_y, high_x, high_y = shown(ax)
    window = shapely.box(low_x, low_y, high_x, high_y)
    assert window.covers(a.intersection(b))
    assert not window.covers(shapely.box(*shapes[1].bounds))
    (text,) = (it for it in ax.texts if hasattr(it, "arrow_patch"))
    assert window.covers(shapely.LineString([text.xy, text.xyann]))
    np.testing.assert_allclose(arrows(ax, elements.GREEN)[0], carom.penetration(a, b).mtv)
    for name, place in notes(ax).items():
        point = shapely.Point(place)
        assert window.covers(point)
        assert (a if name == "a" else b).covers(point)
    assert set(notes(ax)) == {"a", "b"}


def test_a_zoomed_sweep_shows_the_way_the_contact_and_the_slide() -> None:
    house = shapely.box(395, -60, 410, -50)
    result = carom.swept_collision(house, ROAD, (30, 200))
    for turn in ({}, {"turn_a": 0.1, "center_a": (400, -55)}):
        ax = carom.plot.swept_collision(house, ROAD, (30, 200), **turn)
        assert shows(ax, np.reshape(house.bounds, (2, 2)))
        assert not shows(ax, np.reshape(ROAD.bounds, (2, 2)))
        (contact,) = labelled(ax, "contact")
        assert shows(ax, contact.get_xydata())
        (normal,) = arrows(ax, elements.RED)
        assert np.hypot(*normal) < 0.2 * (ax.get_ylim()[1] - ax.get_ylim()[0])
    ax = carom.plot.swept_collision(house, ROAD, (30, 200))
    (slide,) = arrows(ax, elements.GREEN)
    assert shows(ax, result.contact.mean(axis=0) + slide)
    for mover, other, velocity in ((ROAD, house, (0, -30)), (house, ROAD, (9, 9))):
        ax = carom.plot.swept_collision(mover, other, velocity)
        assert labelled(ax, "a at time 1, no contact")
        gap = carom.distance(mover, other)
        assert shows(ax, np.array([gap.closest_a, gap.closest_b]))
        assert shows(ax, np.reshape(house.bounds, (2, 2)))
        assert not shows(ax, np.reshape(ROAD.bounds, (2, 2)))


def test_a_zoomed_circle_shows_itself_and_its_gap() -> None:
    ax = carom.plot.circle_polygon((400, 110), 8, ROAD)
    result = carom.circle_polygon((400, 110), 8, ROAD)
    assert shows(ax, np.array([(392, 102), (408, 118), result.closest]))
    assert not shows(ax, np.reshape(ROAD.bounds, (2, 2)))
    every = carom.plot.circle_polygon((400, 110), 8, ROAD, zoom="all")
    assert shows(every, np.reshape(ROAD.bounds, (2, 2)))


def test_a_point_is_a_dot_of_the_picture_that_is_shown() -> None:
    point, wall = shapely.Point(500, 1), shapely.box(0, -900, 1000, 0)
    ax = carom.plot.sat(point, wall)
    (dot, *_) = ax.patches
    side = ax.get_ylim()[1] - ax.get_ylim()[0]
    assert not shows(ax, np.array([(0, 0)]))
    assert dot.get_path().get_extents().width == pytest.approx(0.02 * side, rel=1e-3)


def test_the_corners_of_an_overlap_are_those_that_shapely_finds() -> None:
    rng = np.random.default_rng(11)
    seen = 0
    for _ in range(200):
        angles = np.sort(rng.uniform(0, 2 * np.pi, (2, 9)), axis=1)
        radii = rng.uniform(0.5, 2, (2, 9))
        rings = radii[..., None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        a, b = shapely.Polygon(rings[0]), shapely.Polygon(rings[1] + (1.5, 0.5))
        common = a.intersection(b)
        if not (a.is_valid and b.is_valid) or common.is_empty:
            continue
        seen += 1
        places = zoom.overlap_places(carom.Shapes([a]), carom.Shapes([b]))
        bounds = [*places.min(axis=0), *places.max(axis=0)]
        np.testing.assert_allclose(bounds, common.bounds, atol=1e-9)
    assert seen > 100


@pytest.mark.parametrize(
    "geometry", ["POINT (1 1)", "MULTIPOINT (1 1, 9 9)", "LINESTRING (0 1, 9 1)"]
)
def test_points_and_paths_have_corners_of_an_overlap_too(geometry: str) -> None:
    row, other = (carom.Shapes([shape]) for shape in (shapely.from_wkt(geometry), square(0, 0, 2)))
    for pair in ((row, other), (other, row)):
        places = zoom.overlap_places(*pair)
        expected = shapely.from_wkt(geometry).intersection(shapely.box(0, 0, 2, 2)).bounds
        assert [*places.min(axis=0), *places.max(axis=0)] == list(expected)


@pytest.mark.parametrize("value", ["near", 2, True])
def test_another_zoom_is_refused_and_nothing_is_drawn(value: Any) -> None:
    a, b = square(0, 0, 1), square(0.5, 0, 1)
    for draw in (
        lambda: carom.plot.sat(a, b, zoom=value),
        lambda: carom.plot.penetration(a, b, zoom=value),
        lambda: carom.plot.swept_collision(a, b, (1, 0), zoom=value),
        lambda: carom.plot.circle_polygon((0, 0), 1, a, zoom=value),
    ):
        with pytest.raises(ValueError, match=r"^zoom: expected 'contact', 'all' or None, got"):
            draw()
    assert plt.get_fignums() == []


# --- numbers on axes ------------------------------------------------------------------------------


def labels_in(axis: Any) -> list[tuple[Any, float]]:
    """The texts of the ticks that are drawn, with their places."""
    low, high = sorted(axis.get_view_interval())
    pairs = zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True)
    return [(text, place) for text, place in pairs if low <= place <= high]


@pytest.mark.parametrize("grid", [(1, 1), (2, 3)], ids=str)
@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("tall", [0.25, 1.0, 4.0])
@pytest.mark.parametrize("size", [1e-3, 0.1, 1, 5, 30, 300, 5e3, 1e5])
def test_numbers_of_projected_metres_do_not_overlap_and_are_true(
    size: float, tall: float, layout: Any, grid: tuple[int, int]
) -> None:
    figure, axes = plt.subplots(*grid, layout=layout, squeeze=False)
    for ax in axes.flat:
        carom.plot.shapes(square(0, 0, size) * (1.0, tall) + FAR, ax=ax)
    figure.canvas.draw()
    for ax in axes.flat:
        for axis in (ax.xaxis, ax.yaxis):
            found = labels_in(axis)
            boxes = [text.get_window_extent() for text, _ in found]
            assert not any(
                one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i]
            )
            offset = float(axis.get_offset_text().get_text() or 0.0)
            for text, place in found:
                number = float(text.get_text().replace("\N{MINUS SIGN}", "-"))
                assert number + offset == pytest.approx(place, abs=1e-3 * size)
        assert labels_in(ax.xaxis)


@pytest.mark.parametrize("far", [-4_481_234.0, 3e12, 1e-9, 0.0])
def test_numbers_of_any_size_are_true(far: float) -> None:
    ax = carom.plot.shapes(square(far, far, abs(far) / 1e6 or 1.0))
    ax.figure.canvas.draw()
    for text, _ in labels_in(ax.xaxis):
        assert text.get_text()
    offset = ax.xaxis.get_offset_text().get_text().replace("\N{MINUS SIGN}", "-")
    if far == -4_481_234.0:
        assert float(offset) < -4.48e6


def test_axes_with_ticks_of_the_callers_keep_them() -> None:
    _, ax = plt.subplots()
    ax.xaxis.set_major_locator(mpl.ticker.FixedLocator([0, 1]))
    ax.yaxis.set_major_formatter("{x:.1f} m")
    carom.plot.shapes(square(0, 0, 1), ax=ax)
    ax.figure.canvas.draw()
    assert ax.get_xticks().tolist() == [0, 1]
    assert all(text.get_text().endswith(" m") for text in ax.get_yticklabels())

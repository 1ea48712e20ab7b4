"""Pictures of motion: bodies are where the log says, arcs are arcs, a group has one clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import carom
import carom.plot
import matplotlib as mpl
import numpy as np
import pytest
import shapely
from carom.plot import elements

from drawn import (
    CAR,
    COMES,
    CURVE,
    FAR,
    NOWHERE,
    POST,
    arrows,
    box,
    circle,
    legend,
    quad,
    region,
    turned,
    words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


mpl.use("Agg")


def labelled(ax: Axes, label: str) -> list[Any]:
    """The patches and lines of a label, which the legend may list once."""
    found = [*ax.patches, *ax.lines]
    return [it for it in found if label in (it.get_label(), it.get_label().removeprefix("_"))]


# --- first_contact --------------------------------------------------------------------------------


def test_the_path_and_the_region_of_an_arc_follow_the_circle() -> None:
    ways = carom.Trajectories(CAR, [CURVE], motion="arc")
    ax = carom.plot.first_contact(ways, [FAR])
    (line,) = labelled(ax, "positions")
    np.testing.assert_allclose(np.hypot(*(line.get_xydata() - (0, 12)).T), 12.0, atol=1e-9)
    dots = line.get_xydata()[line.get_markevery()]
    np.testing.assert_allclose(dots, [*CURVE[:, :2], CURVE[-1, :2]], atol=1e-9)
    copies = [
        shapely.Polygon(turned(CAR, heading, offset=(x, y)))
        for x, y, heading in circle(12.0, np.linspace(0, 2.5, 2000))
    ]
    exact = shapely.union_all(copies)
    assert region(ax).symmetric_difference(exact).area < 8e-3 * exact.area


def test_a_contact_on_an_arc_is_drawn_where_the_query_says() -> None:
    ways, post = carom.Trajectories(CAR, [CURVE], motion="arc"), [np.subtract(POST, (1, 0))]
    result = carom.first_contact(ways, post)[0]
    ax = carom.plot.first_contact(ways, post)
    (there,) = labelled(ax, f"step {result.step}, time {result.time:.4g}")
    turn = carom.arc(CURVE).turn[result.step]
    angle = CURVE[result.step, 2] + result.time * turn
    ((x, y, _),) = circle(12.0, [angle])
    np.testing.assert_allclose(quad(there), turned(CAR, angle, offset=(x, y)), atol=1e-9)
    (contact,) = labelled(ax, "contact")
    np.testing.assert_array_equal(contact.get_xydata(), result.contact)


@pytest.mark.parametrize("turn", [1e-9, -1e-5, 2.9])
def test_arcs_of_small_and_of_large_turns_end_at_the_next_pose(turn: float) -> None:
    poses = [(3, 2, 0.5), (9, 2, 0.5 + turn)]
    ways = carom.Trajectories(CAR, [poses], motion="arc")
    (line,) = labelled(carom.plot.first_contact(ways, [FAR]), "positions")
    np.testing.assert_allclose(line.get_xydata()[[0, -1]], [(3, 2), (9, 2)], atol=1e-9)
    center = carom.arc(poses).center[0]
    away = np.hypot(*(line.get_xydata() - center).T)
    np.testing.assert_allclose(away, np.hypot(*(center - (3, 2))), rtol=1e-12)


def test_arrays_and_trajectories_give_the_same_picture() -> None:
    poses = [[(0, 0, 0), (6, 1, 0.3), (12, 4, 0.6)]]
    ways = carom.Trajectories(CAR, poses)
    moving: dict[str, Any] = {"obstacle_poses": [[(0, 0, 0), (-1, 0, 0), (-2, 0, 0.1)]]}
    obstacles = carom.Trajectories([POST], moving["obstacle_poses"])
    pictures = [
        carom.plot.first_contact(CAR, poses, [POST], **moving),
        carom.plot.first_contact(ways, obstacles),
        carom.plot.first_contact(ways, obstacles=obstacles),
        carom.plot.first_contact(CAR, poses, obstacles),
    ]
    boxes = [[box(patch) for patch in ax.patches if len(patch.get_path())] for ax in pictures]
    assert boxes[0] == boxes[1] == boxes[2] == boxes[3]
    by_speed = [
        carom.plot.first_contact(ways, [POST], **{name: (-1, 0)})
        for name in ("velocity", "obstacle_velocity")
    ]
    places = [box(labelled(ax, "obstacles at the contact")[0]) for ax in by_speed]
    result = carom.first_contact(ways, [POST], obstacle_velocity=(-1, 0))[0]
    gone = result.step + result.time
    assert places[0] == places[1] == pytest.approx([11 - gone, 4, 11.5 - gone, 4.5])


def test_rows_of_a_group_are_drawn_at_its_first_contact() -> None:
    poses = [[(10 * step - back, 0, 0) for step in range(4)] for back in (0, 5)]
    wall = [[(17, -3), (18, -3), (18, 3), (17, 3)]]
    apart = carom.plot.first_contact(carom.Trajectories(CAR, poses), wall)
    stops = [quad(it)[:, 0].max() for it in labelled(apart, "at the first contact")]
    np.testing.assert_allclose(stops, [17, 17])
    whole = carom.Trajectories(CAR, poses, groups=[4, 4])
    result = carom.first_contact(whole, wall)[0]
    ax = carom.plot.first_contact(whole, wall, margin=0.5)
    near = carom.first_contact(whole, wall, margin=0.5)[0]
    drawn = labelled(ax, f"step {near.step}, time {near.time:.4g}")
    np.testing.assert_allclose([quad(it)[:, 0].max() for it in drawn], [16.5, 11.5])
    assert (result.part, len(labelled(ax, "contact")), len(arrows(ax, elements.RED))) == (0, 1, 1)
    for line, end in zip([it for it in ax.lines if it.get_markevery()], (14.5, 9.5), strict=True):
        np.testing.assert_allclose(line.get_xydata()[-1], (end, 0))


def test_a_group_without_contact_has_one_clock_too() -> None:
    longer = [(0, 5 * step, 0) for step in range(4)]
    shorter = [*((9, 5 * step, 0) for step in range(2)), NOWHERE, NOWHERE]
    ways = carom.Trajectories(CAR, [longer, shorter], groups=[1, 1])
    obstacles = carom.Trajectories(CAR, [[(30 + 5 * step, 0, 0) for step in range(4)]])
    ax = carom.plot.first_contact(ways, obstacles)
    assert [quad(it)[0].tolist() for it in labelled(ax, "no contact")] == [[-2.0, 14.0]]
    assert [quad(it)[0, 0] for it in labelled(ax, "obstacles at the end")] == [43.0]


def test_what_is_absent_is_not_drawn() -> None:
    ways = carom.Trajectories(CAR, [COMES])
    obstacles = carom.Trajectories(
        CAR, [[(40, 0, 0)] * 3 + [NOWHERE] * 2, [NOWHERE] + [(60, 0, 0)] * 4, [NOWHERE] * 5]
    )
    ax = carom.plot.first_contact(ways, obstacles)
    (line,) = labelled(ax, "positions")
    expected = [[np.nan] * 2, (0, -9), (6, -9), [np.nan] * 2, (20, -9), (20, -9)]
    np.testing.assert_array_equal(line.get_xydata(), expected)
    assert region(ax).area == pytest.approx((4 + 6) * 2 + 4 * 2)
    assert [quad(it)[0, 0] for it in labelled(ax, "_ghost")] == [-2.0, 4.0, 18.0]
    assert [quad(it)[0, 0] for it in ax.patches if it.get_linestyle() == "--"] == [38.0, 58.0]
    assert [quad(it)[0, 0] for it in labelled(ax, "obstacles at the end")] == [58.0]
    assert (quad(labelled(ax, "no contact")[0])[0] == (18, -10)).all()
    never = carom.plot.first_contact(carom.Trajectories(CAR, [[NOWHERE] * 2]), [POST])
    assert legend(never) == ["swept", "positions"]


def test_many_rows_on_arcs_with_gaps_are_lines() -> None:
    poses = np.array([circle(radius, [0, 1, 1.5, 2, 2.5]) for radius in range(5, 15)])
    ways = carom.Trajectories(
        CAR, poses, present=[[True, True, False, True, True]] * 10, motion="arc"
    )
    ax = carom.plot.first_contact(ways, [FAR])
    (lines,) = ax.collections
    for radius, line in zip(range(5, 15), lines.get_segments(), strict=True):
        seen = line[np.isfinite(line[:, 0])]
        np.testing.assert_allclose(np.hypot(*(seen - (0, radius)).T), radius, atol=1e-9)
        angles = np.arctan2(seen[:, 0], radius - seen[:, 1])
        assert not ((angles > 1 + 1e-9) & (angles < 2 - 1e-9)).any()


# --- clearance ------------------------------------------------------------------------------------


def gaps(ax: Axes, label: str) -> np.ndarray:
    """The pairs of points that are joined by lines of a label."""
    (line,) = labelled(ax, label)
    points: np.ndarray = line.get_xydata().reshape(-1, 3, 2)[:, :2]
    return points


@pytest.mark.parametrize("motion", ["straight", "arc"])
def test_nearest_points_are_joined_where_the_query_finds_them(motion: Any) -> None:
    ways = carom.Trajectories(CAR, [CURVE, circle(-20, [0, -0.3, -0.8])], motion=motion)
    scene = carom.Trajectories(CAR, [[(18, 5, 0), (18, 6, 0.5), (18, 9, 0.5)]], motion=motion)
    result = carom.clearance(ways, scene)
    ax = carom.plot.clearance(ways, scene)
    expected = np.stack([result.closest_a, result.closest_b], axis=1)
    np.testing.assert_array_equal(gaps(ax, "least distance"), expected)
    assert words(ax) == [f"{distance:.4g}" for distance in result.distance]
    for drawn, point in zip(labelled(ax, "when nearest"), result.closest_a, strict=True):
        assert shapely.Polygon(quad(drawn)).exterior.distance(shapely.Point(point)) < 1e-9
    there = [shapely.Polygon(quad(it)) for it in labelled(ax, "obstacles at that time")]
    for point in result.closest_b:
        assert min(it.distance(shapely.Point(point)) for it in there) < 1e-9


def test_a_trajectory_that_meets_an_obstacle_has_the_distance_0_at_its_contact() -> None:
    poses = [[(0, y, 0), (20, y, 0)] for y in (3.5, 8.0)]
    result = carom.first_contact(CAR, poses, [POST])
    ax = carom.plot.clearance(CAR, poses, [POST])
    assert gaps(ax, "contact").tolist() == [[result[0].contact.mean(axis=0).tolist()] * 2]
    assert words(ax) == ["0", "2.5"]
    stops = [quad(it)[1, 0] for it in labelled(ax, "when nearest")]
    assert stops[0] == pytest.approx(11.0)


def test_clearance_of_groups_of_many_and_of_none_is_drawn() -> None:
    poses = np.array([[(0, y, 0), (20, y, 0)] for y in range(6, 26)], dtype=float)
    result = carom.clearance(CAR, poses, [POST])
    ax = carom.plot.clearance(CAR, poses, [POST])
    assert gaps(ax, "least distance")[:, 0].tolist() == result.closest_a.tolist()
    assert words(ax) == []
    whole = carom.Trajectories(CAR, poses[:2], groups=[0, 0])
    ax = carom.plot.clearance(whole, [POST])
    assert len(gaps(ax, "least distance")) == len(words(ax)) == 1
    step, time = carom.clearance(whole, [POST]).step[0], carom.clearance(whole, [POST]).time[0]
    drawn = labelled(ax, f"step {step}, time {time:.4g}")
    assert [quad(it)[0] for it in drawn] == [pytest.approx((20 * time - 2, y - 1)) for y in (6, 7)]
    ax = carom.plot.clearance(CAR, poses[:1], carom.Shapes([None]))
    assert (labelled(ax, "least distance"), words(ax)) == ([], [])
    carom.plot.clearance(CAR, np.empty((0, 3, 3)), [POST])
    carom.plot.clearance(CAR, np.empty((2, 0, 3)), [POST])


# --- rays -----------------------------------------------------------------------------------------

PILLARS = [[(2, 0), (3, 0), (3, 2), (2, 2)], [(5, 0), (6, 0), (6, 4), (5, 4)]]


def segments(ax: Axes, label: str) -> np.ndarray:
    """The ends of the lines of a label, also of a repeated one."""
    found = [it for it in ax.collections if it.get_label().lstrip("_") == label]
    return np.concatenate([it.get_segments() for it in found])


def test_rays_end_where_they_meet_a_shape() -> None:
    origins = np.array([[(0.0, y)] for y in (1, 4, 5)])
    directions = np.array([(1.0, 0.0), (0.5, -0.5)])
    seen = carom.ray_cast(origins, directions, PILLARS)
    ax = carom.plot.rays(origins, directions, PILLARS)
    starts = np.broadcast_to(origins, (3, 2, 2))[seen.hit]
    np.testing.assert_array_equal(segments(ax, "rays"), np.stack([starts, seen.point[seen.hit]], 1))
    (points,) = labelled(ax, "points")
    np.testing.assert_array_equal(points.get_xydata(), seen.point[seen.hit])
    along = np.diff(segments(ax, "normals"), axis=1)[:, 0]
    np.testing.assert_allclose(along / np.hypot(*along.T)[:, None], seen.normal[seen.hit])
    assert [box(it) for it in ax.patches] == [[2, 0, 3, 2], [5, 0, 6, 4]]


def test_a_ray_that_meets_nothing_goes_to_its_end_or_out_of_the_picture() -> None:
    ax = carom.plot.rays([(0, 5), (0, 6)], (1, 0), PILLARS, length=[7, np.inf])
    short, long = segments(ax, "rays that meet nothing")
    assert short.tolist() == [[0, 5], [7, 5]]
    assert long[1, 0] > ax.get_xlim()[1]
    assert ax.get_xlim()[1] < 8
    assert "points" not in legend(ax)


def test_rays_that_start_in_a_shape_or_have_no_direction_are_points() -> None:
    ax = carom.plot.rays([(2.5, 1), (0, 0)], [(1, 0), (0, 0)], PILLARS)
    assert labelled(ax, "points")[0].get_xydata().tolist() == [[2.5, 1]]
    assert np.ptp(segments(ax, "normals"), axis=1).max() == 0.0
    assert np.ptp(segments(ax, "rays that meet nothing"), axis=1).max() == 0.0
    for rays in (np.empty((0, 2)), (0, 0)):
        assert carom.plot.rays(rays, (1, 0), carom.Shapes([])).get_aspect() == 1.0

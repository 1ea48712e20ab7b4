"""Pictures and films of logs: bodies are where the log says, and hidden where they are absent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import carom
import carom.plot
import matplotlib as mpl
import numpy as np
import pytest
import shapely
from carom.plot import elements
from matplotlib import pyplot as plt
from matplotlib.colors import same_color

from drawn import (
    CAR,
    COMES,
    CURVE,
    FAR,
    NOWHERE,
    POST,
    circle,
    labelled,
    legend,
    quad,
    shows,
    turned,
    words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


mpl.use("Agg")


LOG = carom.Trajectories(
    CAR,
    [
        [(0, 0, 0), (5, 0, 0), (10, 0, 0), (15, 0, 0), (20, 0, 0)],
        COMES,
        [(24, 0.5, 3.0), (19, 0.5, 3.1), (14, 0.5, 3.2), NOWHERE, NOWHERE],
        [(0, 30, 0), (0, 30, 1), (9, 30, 1), (9, 30, 2), (9, 35, 2)],
    ],
    times=[0, 1, 1.5, 2, 4],
)


def bodies(ax: Axes, color: str) -> list[np.ndarray]:
    """The footprints of the collections of a color."""
    found = [it for it in ax.collections if same_color(it.get_edgecolor()[0], color)]
    paths = [path for it in found for path in it.get_paths()]
    return [path.vertices[:4] for path in paths if len(path.vertices) == 5]


# --- trajectories ---------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [0, 2, -2])
def test_bodies_are_drawn_at_a_step_if_they_are_there(step: int) -> None:
    ax = carom.plot.trajectories(LOG, step=step)
    there = LOG.at(step)
    expected = there.coords.reshape(-1, 4, 2).tolist()
    assert [it.tolist() for it in bodies(ax, elements.BLUE)] == expected
    assert f"step {step % 5}" in legend(ax)
    lines = ax.collections[0].get_segments()
    known = [line[np.isfinite(line[:, 0])] for line in lines]
    for line, poses, present in zip(known, LOG.poses, LOG.present, strict=True):
        assert set(map(tuple, line.tolist())) == set(map(tuple, poses[present][:, :2].tolist()))


@pytest.mark.parametrize("margin", [0.0, 12.0])
def test_near_pairs_are_drawn_at_their_first_contacts(margin: float) -> None:
    near = carom.encounters(LOG, margin=margin)
    ax = carom.plot.trajectories(LOG, margin=margin)
    drawn = bodies(ax, elements.RED)
    assert len(drawn) == 2 * len(near) > 0
    for (i, j), place_i, place_j in zip(near.pairs.T, drawn[::2], drawn[1::2], strict=True):
        away = shapely.Polygon(place_i).distance(shapely.Polygon(place_j))
        assert away <= margin + 1e-9, (i, j)
    contacts = [it.get_xydata() for it in ax.lines if it.get_linewidth() == 4]
    np.testing.assert_array_equal([it for it in contacts if len(it)], near.contact)


def test_zoom_shows_what_is_touched_alone() -> None:
    ax = carom.plot.trajectories(LOG, zoom=True)
    touching = np.concatenate(bodies(ax, elements.RED))
    assert shows(ax, touching)
    assert not shows(ax, np.array([(0, 30)]))
    sides = np.ptp([ax.get_xlim(), ax.get_ylim()], axis=1)
    assert (sides <= 1.2 * np.ptp(touching, axis=0).max()).all()
    assert shows(carom.plot.trajectories(LOG), np.array([(0, 30)]))
    assert shows(carom.plot.trajectories(LOG[[0, 3]], zoom=True), np.array([(0, 30)]))


def test_a_log_of_many_has_dots_at_its_contacts() -> None:
    standing = [[(6 * k, 0, 0)] * 2 for k in range(8)]
    log = carom.Trajectories(CAR, [*standing, [(0, 1.5, 0), (42, 1.5, 0)]])
    ax = carom.plot.trajectories(log)
    (dots,) = labelled(ax, "contacts")
    expected = carom.encounters(log).contact.mean(axis=1)
    assert len(expected) > 6
    np.testing.assert_array_equal(dots.get_xydata(), expected)
    for empty in (log[:0], carom.Trajectories(CAR, np.empty((2, 0, 3)))):
        assert carom.plot.trajectories(empty).patches is not None


def test_a_log_that_is_refused_leaves_no_picture() -> None:
    with pytest.raises(IndexError):
        carom.plot.trajectories(LOG, step=5)
    with pytest.raises(ValueError, match="margin"):
        carom.plot.trajectories(LOG, margin=-1)
    with pytest.raises(TypeError):
        carom.plot.trajectories([CURVE])  # type: ignore[arg-type]
    assert plt.get_fignums() == []


# --- films of logs --------------------------------------------------------------------------------


def test_a_film_moves_bodies_to_their_places_and_hides_those_that_are_absent() -> None:
    movie = carom.plot.animate(LOG, seconds=4, fps=2)
    for frame, step in enumerate((0, None, 1, 2, 3)):
        movie.draw((0, 1, 2, 3, 4)[frame])
        if step is None:
            continue
        assert [it.get_visible() for it in movie.ax.patches] == LOG.present[:, step].tolist()
        drawn = [quad(it) for it in movie.ax.patches if it.get_visible()]
        expected = carom.place(CAR, LOG.poses[LOG.present[:, step], step])
        np.testing.assert_allclose(drawn, expected, atol=1e-9)
    movie.draw(6)
    assert words(movie.ax) == ["time 3.00"]
    expected = carom.place(CAR, [(17.5, 0, 0), (9, 32.5, 2)])
    drawn = [quad(it) for it in movie.ax.patches if it.get_visible()]
    np.testing.assert_allclose(drawn, expected, atol=1e-9)


def test_bodies_of_a_film_go_along_arcs() -> None:
    movie = carom.plot.animate(carom.Trajectories(CAR, [CURVE], motion="arc"), seconds=2, fps=10)
    (car,) = movie.ax.patches
    for frame in range(21):
        movie.draw(frame)
        angle = np.interp(frame / 10, [0, 1, 2], CURVE[:, 2])
        ((x, y, _),) = circle(12.0, [angle])
        np.testing.assert_allclose(quad(car), turned(CAR, angle, offset=(x, y)), atol=1e-9)
    assert words(movie.ax) == ["step 2.00"]


def test_contacts_of_a_film_are_marked_from_their_times_on() -> None:
    near = carom.encounters(LOG)
    movie = carom.plot.animate(LOG, seconds=4, fps=5)
    (dots,) = movie.ax.lines
    touched = set(near.pairs.ravel().tolist())
    assert 0 < len(touched) < 4
    for frame in (20, 0, 5, 8, 20):
        movie.draw(frame)
        now = near.at <= frame / 5 + 1e-9
        assert dots.get_xydata().tolist() == near.contact[now].mean(axis=1).tolist()
        red = {
            k for k, it in enumerate(movie.ax.patches) if same_color(it.get_edgecolor(), "#D55E00")
        }
        assert red == set(near.pairs[:, now].ravel().tolist())


@pytest.mark.parametrize(
    "obstacles", [[POST, FAR], carom.Trajectories([POST, FAR], [[(1, -3, 0)] * 5, [(0, 0, 0)] * 5])]
)
def test_obstacles_of_a_film_are_drawn_and_meet_the_bodies(obstacles: Any) -> None:
    near = carom.encounters(LOG, obstacles)
    movie = carom.plot.animate(LOG, obstacles, seconds=1, fps=10)
    movie.draw(10)
    (dots,) = movie.ax.lines
    assert dots.get_xydata().tolist() == near.contact.mean(axis=1).tolist()
    assert shows(movie.ax, np.array([*FAR, (0, 31)]))
    assert len(movie.ax.patches) == 6


def test_a_film_of_a_log_refuses_another_motion_and_no_poses() -> None:
    for wrong in ({"velocity": (1, 0)}, {"turn_a": 1.0}, {"center_b": (1, 0)}):
        (name,) = wrong
        with pytest.raises(TypeError, match=f"{name}: given with Trajectories"):
            carom.plot.animate(LOG, **wrong)
    with pytest.raises(ValueError, match="a: expected trajectories of one pose"):
        carom.plot.animate(carom.Trajectories(CAR, np.empty((1, 0, 3))))
    with pytest.raises(ValueError, match="fps"):
        carom.plot.animate(LOG, fps=0)
    single = carom.plot.animate(carom.Trajectories(CAR, [[(0, 0, 0)]]))
    single.draw(40)
    assert words(single.ax) == ["step 0.00"]

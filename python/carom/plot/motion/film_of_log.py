"""Animations of logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.transforms import Affine2D

from ... import _core
from ..._input_error import InputValueError
from ..elements import BLUE, NEARLY, RED, STYLE_A, STYLE_B, blank_axes
from ..outlines import DOT, outline
from .film import Film, clock_on, film_axes, lay_out, times_of
from .scenes import obstacles_of
from .tracks import Way, checked_column, draw_paths, last_pose, size_of, tracks_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .tracks import Track


def film_of_log(
    log: _core.Trajectories, obstacles: Any, seconds: float, fps: float, ax: Axes | None
) -> Film:
    """Animates all bodies of a log, with the first contacts from their times on."""
    near = _core.encounters(log, obstacles, fields=("step", "time", "contact"))
    count = log.poses.shape[1]
    if count == 0:
        raise InputValueError("expected trajectories of one pose or more", at="a")
    is_new = ax is None
    ax = film_axes() if ax is None else blank_axes(ax)
    tracks = tracks_of(log)
    others = [] if obstacles is None else obstacles_of(obstacles, tracks)
    ways = [Way(track, last_pose([track])) for track in tracks]
    size = size_of(ways)
    draw_paths(ax, ways, BLUE, "paths")
    actors = [actor(ax, track, size, STYLE_B) for track in others]
    actors += [actor(ax, track, size, STYLE_A) for track in tracks]
    since = near.step + near.time - NEARLY
    first = np.full(len(actors), np.inf)
    for rows, start in zip(near.pairs, (len(others), 0), strict=True):
        np.minimum.at(first, start + rows, since)
    contacts = near.contact.mean(axis=1)
    (dots,) = ax.plot([], [], "o", color=RED, markersize=5, zorder=5, label="contacts")
    ax.update_datalim(log.bounds.reshape(-1, 2))
    if others:
        is_moving = isinstance(obstacles, _core.Trajectories)
        column = obstacles if is_moving else checked_column(obstacles)
        ax.update_datalim(column.bounds.reshape(-1, 2))
    ax.autoscale_view()
    still, clock = ax.transData, clock_on(ax)
    steps = np.arange(count)
    times = steps if log.times is None else log.times
    moments = times[0] + (times[-1] - times[0]) * times_of(seconds, fps)

    def draw(frame: int) -> None:
        now = float(np.interp(moments[frame], times, steps))
        now = round(now) if abs(now - round(now)) < NEARLY else now
        step, time = int(now), now - int(now)
        for (track, drawn, color), touches in zip(actors, first, strict=True):
            drawn.set_visible(track.is_there(step, time))
            if drawn.get_visible():
                x, y, heading = track.pose(step, time)
                drawn.set_transform(Affine2D().rotate(heading).translate(x, y) + still)
            tone = RED if touches <= now else color
            drawn.set(facecolor=(tone, 0.45), edgecolor=tone)
        dots.set_data(*contacts[since <= now].T)
        clock.set_text(f"step {now:.2f}" if log.times is None else f"time {moments[frame]:.2f}")

    draw(0)
    if is_new:
        lay_out(ax)
    return Film(ax, draw, len(moments), fps)


def actor(
    ax: Axes, track: Track, size: float, style: dict[str, Any]
) -> tuple[Track, PathPatch, str]:
    """A track with its footprint's outline, which is to be moved, and the outline's color."""
    drawn = PathPatch(outline(track.footprint, DOT * size), visible=False, **style)
    ax.add_artist(drawn)  # unlike `add_patch`, it leaves the limits of the axes as they are
    return track, drawn, style["edgecolor"]

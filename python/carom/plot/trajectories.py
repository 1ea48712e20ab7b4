"""Drawings of all bodies of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import PathCollection

from .. import _core
from .elements import BLUE, MARGIN, RED, blank_axes, finish, patch
from .motion.tracks import (
    FEW_WAYS,
    Way,
    draw_path,
    draw_paths,
    draw_regions,
    last_pose,
    size_of,
    tracks_of,
)
from .outlines import DOT, EMPTY, corners, extent, outline, outlines
from .sweeps import draw_contact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.path import Path


def trajectories(
    trajectories: _core.Trajectories,
    *,
    margin: Any = 0.0,
    step: int | None = None,
    zoom: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draws the paths of all bodies of a log, and the pairs that come near each other.

    Both bodies of a pair that touches, or comes within the margin, are drawn where they are at
    their first contact, in vermilion, with the contact. The others are drawn at a step, if it is
    given. Without a step, up to six bodies are drawn with the regions that they sweep. A path has
    gaps where the body is absent.

    Parameters
    ----------
    trajectories : Trajectories
        The bodies. To draw some, choose rows: ``trajectories[[2, 5]]``.
    margin : float, default 0.0
        The distance at which bodies count as touching, as `carom.encounters` takes it.
    step : int, optional
        The pose at which all bodies are drawn that are present there; negative ones count from the
        end. By default the paths alone are drawn.
    zoom : bool, default False
        Whether the picture shows only what surrounds the first contacts: the bodies of all near
        pairs at that time. If there are none, it shows everything.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If the margin is negative or not finite.
    TypeError
        If `trajectories` is not a column of trajectories.
    IndexError
        If there is no such step.

    See Also
    --------
    carom.encounters : the pairs that come near.
    animate : an animation of a log.
    first_contact : trajectories and obstacles.

    Examples
    --------
    >>> import carom.plot
    >>> log = carom.Trajectories(carom.boxes(4, 2), [
    ...     [(0, 0, 0), (6, 0, 0), (12, 0, 0)],
    ...     [(16, 1, 3.14), (10, 1, 3.14), (4, 1, 3.14)],
    ...     [(0, 9, 0), (6, 9, 0), (12, 9, 0)],
    ... ])
    >>> ax = carom.plot.trajectories(log, step=2)
    >>> ax.get_legend_handles_labels()[1]
    ['paths', 'step 2', 'first contacts', 'contact', 'normal']
    """
    near = _core.encounters(trajectories, margin=margin)
    placed = outlines(trajectories.at(step)) if step is not None else []
    count = trajectories.poses.shape[1]
    ax = blank_axes(ax)
    tracks = tracks_of(trajectories)
    ways = [Way(track, last_pose([track])) for track in tracks]
    size = size_of(ways)
    if step is None and 0 < len(ways) <= FEW_WAYS:
        draw_regions(ax, ways, DOT * size)
        for way in ways:
            draw_path(ax, way)
    else:
        draw_paths(ax, ways, BLUE, "paths")
    draw_bodies(ax, placed, BLUE, f"step {(step or 0) % max(count, 1)}")
    moments = list(zip(near.step.tolist(), near.time.tolist(), strict=True))
    touching = [
        tracks[row].at(outline(tracks[row].footprint, DOT * size), *moment)
        for pair, moment in zip(near.pairs.T, moments, strict=True)
        for row in pair
    ]
    draw_bodies(ax, touching, RED, "first contacts")
    if zoom and touching:
        places = np.concatenate([corners(body) for body in touching])
        size = extent(places)
        low, high = places.min(axis=0) - MARGIN * size, places.max(axis=0) + MARGIN * size
        ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    if len(moments) <= FEW_WAYS:
        for contact, normal in zip(near.contact, near.normal, strict=True):
            draw_contact(ax, contact, normal, size)
    else:
        ax.plot(*near.contact.mean(axis=1).T, ".", color=RED, label="contacts")
    return finish(ax)


def draw_bodies(ax: Axes, bodies: Sequence[Path], color: str, label: str) -> None:
    """Draws outlines of bodies in one color; those of missing ones are empty."""
    bodies = [body for body in bodies if len(corners(body))]
    if bodies:
        style: dict[str, Any] = {"facecolor": (color, 0.3), "edgecolor": color, "linewidth": 1.0}
        ax.add_collection(PathCollection(bodies, **style)).set_label("_")
        patch(ax, EMPTY, label=label, **style)

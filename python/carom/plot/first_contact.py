"""Drawings of the first contacts of trajectories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .elements import BLUE, GROWN, RED, Floats, blank_axes, finish, patch
from .motion.scenes import draw_body, draw_obstacles, scene_of
from .motion.tracks import FEW_WAYS, Way, draw_path, draw_paths, draw_regions, size_of
from .outlines import DOT, outline
from .sweeps import draw_contact
from .two_shapes import grown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes


def first_contact(
    footprints: Any,
    poses: Any = None,
    obstacles: Any = None,
    *,
    obstacle_velocity: Any = None,
    obstacle_poses: Any = None,
    velocity: Any = None,
    margin: Any = 0.0,
    ax: Axes | None = None,
) -> Axes:
    """Draws trajectories until their first contacts, and obstacles where they are at that time.

    A trajectory without a contact is drawn until its last pose. Up to six trajectories are drawn
    with the regions that their footprints sweep, copies at some poses, the footprint and the
    touched obstacle at the time of the contact, the contact and its normal; more of them as lines
    with dots at the contacts. With a single trajectory, all obstacles are drawn where they are at
    its end. Dashed lines show where obstacles that move start. Rows of one group are drawn until
    the first contact of the group. Where a body is absent it is not drawn.

    Parameters
    ----------
    footprints, poses, obstacles : shapes of any kind, and array_like of shape (K, T, 3)
        As `carom.first_contact` takes them: `Trajectories` take the place of footprints and poses,
        the second argument then is `obstacles`, which may be `Trajectories` too.
    obstacle_velocity : array_like of shape (2,) or (M, 2), optional
        The displacement of the obstacles per step.
    obstacle_poses : array_like of shape (M, T, 3), optional
        The poses of the obstacles, instead of a velocity.
    velocity : array_like of shape (2,) or (M, 2), optional
        Another name of `obstacle_velocity`.
    margin : float or array_like of shape (M,) or (K, 1) or (K, M), default 0.0
        The distance at which shapes count as touching. It is drawn around the footprint: that of
        the touched obstacle, or the largest of a trajectory that touches none.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If a shape or a pose is not valid, the margin is negative or not finite, or obstacles are
        given two motions.
    TypeError
        If an argument does not consist of numbers.

    See Also
    --------
    carom.first_contact : the query.
    clearance : where trajectories come nearest to obstacles.
    trajectories : all bodies of a log.

    Examples
    --------
    >>> import carom.plot
    >>> car = [(-2, -1), (2, -1), (2, 1), (-2, 1)]
    >>> parked = [[(10, -1), (14, -1), (14, 1), (10, 1)]]
    >>> ax = carom.plot.first_contact(car, [[(0, 0, 0), (6, 0, 0), (16, 0, 0)]], parked)
    >>> ax.get_legend_handles_labels()[1]
    ['swept', 'step 1, time 0.2', 'positions', 'contact', 'normal']

    A car that turns along an arc:

    >>> curve = carom.Trajectories(car, [[(0, 0, 0), (7, 7, 1.5708)]], motion="arc")
    >>> ax = carom.plot.first_contact(curve, [[(9, 3), (10, 3), (10, 4), (9, 4)]])
    >>> ax.get_legend_handles_labels()[1][1]
    'no contact'
    """
    motions = {"obstacle_velocity": obstacle_velocity, "obstacle_poses": obstacle_poses}
    motions["velocity"] = velocity
    scene = scene_of(_core.first_contact, (footprints, poses, obstacles), motions, margin=margin)
    results, bodies = scene.results, scene.bodies
    ax = blank_axes(ax)
    names = [f"obstacles at the {'contact' if hit else 'end'}" for hit in results.hit]
    draw_obstacles(ax, scene, names)
    ways = scene.ways(scene.ends)
    if not 0 < len(ways) <= FEW_WAYS:
        draw_lines(ax, ways, results.hit[bodies], results.contact[results.hit])
        return finish(ax)
    size = size_of(ways)
    draw_regions(ax, ways, DOT * size)
    for way, body in zip(ways, bodies, strict=True):
        hit = results[body]
        moment = f"step {hit.step}, time {hit.time:.4g}" if len(results) == 1 else ""
        draw_body(ax, way, DOT * size, (moment or "at the first contact") if hit else "no contact")
        draw_path(ax, way)
    of_pairs = np.broadcast_to(0.0 if margin is None else margin, (len(ways), len(scene.obstacles)))
    touched = results.obstacle[bodies]
    margins = np.array(
        [
            row[obstacle] if obstacle >= 0 else row.max(initial=0.0)
            for row, obstacle in zip(of_pairs, touched, strict=True)
        ]
    )
    name = f"margin of {margins[0]:.4g}" if (margins == margins[0]).all() else "margins"
    for way, reach in zip(ways, margins, strict=True):
        if reach and way.is_there:
            wide = outline(grown(way.track.footprint, float(reach)))
            patch(ax, way.at_end(wide), label=name, **GROWN)
    for hit in results:
        if np.isfinite(hit.contact).all():
            draw_contact(ax, hit.contact, hit.normal, size)
    return finish(ax)


def draw_lines(ax: Axes, ways: Sequence[Way], is_hit: Any, contacts: Floats) -> None:
    """Draws the positions of many trajectories, and dots at their contacts."""
    for touches, color, label in ((True, RED, "until the first contact"), (False, BLUE, "free")):
        some = [way for way, hits in zip(ways, is_hit, strict=False) if hits == touches]
        draw_paths(ax, some, color, label)
    if len(contacts):
        ax.plot(*contacts.mean(axis=1).T, ".", color=RED, markersize=3, label="contacts")

"""Drawings of the first contact within a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .elements import (
    GREEN,
    GROWN,
    NEARLY,
    NORMAL,
    RED,
    STYLE_A,
    STYLE_B,
    Floats,
    arrow,
    blank_axes,
    finish,
    patch,
    segment,
)
from .many_rows import draw_arrivals, refuse_of_many
from .motion.moving_outline import ORIGIN, Motion, motion_of, relative_velocity
from .motion.swept_region import draw_swept, swept
from .operands import are_many, one_or_many
from .outlines import DOT, corners, outline
from .two_shapes import grown, outlines_of, row_of
from .zoom import NOTHING, View, check_zoom, name_shapes, view_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

GHOSTS = 4


def swept_collision(
    a: Any,
    b: Any,
    velocity: Any = None,
    *,
    velocity_a: Any = None,
    velocity_b: Any = None,
    turn_a: float = 0.0,
    center_a: Any = None,
    turn_b: float = 0.0,
    center_b: Any = None,
    margin: Any = 0.0,
    pairs: Any = None,
    zoom: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws the first contact of a moving shape with another, and copies along its motion.

    If they meet: `a` at the first contact, the region that it sweeps until then, the contact, its
    normal, and the slide, which is the rest of the velocity along the contact. If they don't: the
    whole motion. Of shapes that intersect at time 0 the legend says so. A margin is drawn around
    `a` where it stops. With a turn there is no slide; a `b` that turns is drawn where it is at the
    first contact, too.

    Of columns all rows are drawn at time 0, and `a` of each pair at its first contact, with a dot
    at the contact and the line along which the point of `a` comes that touches there. So is a `b`
    that turns. Pairs without a contact are drawn at time 1, with the way of the middle of the box
    of `a`. Up to six contacts have their times written beside them.

    Parameters
    ----------
    a, b, velocity : shapes of any kind, and array_like of shape (2,)
        As `carom.swept_collision` takes them. Or columns and one velocity or one for each pair, as
        `carom.swept_collision_batch` takes them: `Shapes`, a GeoSeries, a GeoDataFrame, a Column of
        ``carom.interop.geopandas``, an array of polygons or a list of Shapely geometries. Rows are
        paired by their positions, one shape with all rows.
    velocity_a, velocity_b : array_like of shape (2,), optional
        The displacements of both shapes, in place of `velocity`. The picture is that of the frame
        of reference in which `b` doesn't translate.
    turn_a, center_a, turn_b, center_b : float, and array_like of shape (2,), optional
        The angles in radians by which the shapes turn within the frame, and the points about which
        they do; of columns one for all, or one for each pair.
    margin : float, default 0.0
        The distance at which shapes count as touching; of columns one for all or for each pair.
    pairs : array_like of int, shape (2, K), optional
        The rows of `a` and of `b` that are paired, such as `carom.colliding_pairs` gives them.
    zoom : {"contact", "all"}, optional
        "contact" shows what happens, way, contact and slide, and the smaller shape unless it is ten
        times as large as that; "all" shows both. By default "contact" where one shape is ten times
        as large as the other, or as what happens.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the same scale on x and y, unless they were given with another aspect.

    Raises
    ------
    ValueError
        If a shape is not valid, a velocity, a turn or a center is NaN or infinite, a turn has no
        center, both forms of velocities are given, the margin is negative or not finite, or `zoom`
        is neither. If the zoom "contact" is given with columns, or these differ in length.
    TypeError
        If an argument does not consist of numbers.

    See Also
    --------
    carom.swept_collision : the query.
    first_contact : the same along trajectories of many poses.
    animate : an animation of the same.

    Examples
    --------
    >>> import carom.plot
    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> wall = [(10, -4), (11, -4), (11, 4), (10, 4)]
    >>> ax = carom.plot.swept_collision(square, wall, velocity=(16, 4))
    >>> ax.get_legend_handles_labels()[1]
    ['swept by a', 'a at time 0.5', 'contact', 'normal', 'slide, length 2']

    Three boats and the piers that two of them reach:

    >>> boats = carom.Shapes.from_segments([[(0, y), (4, y)] for y in (0, 4, 8)], radius=1)
    >>> pier = [(15, -3), (16, -3), (16, 6), (15, 6)]
    >>> ax = carom.plot.swept_collision(boats, pier, velocity=(14, 0))
    >>> ax.get_legend_handles_labels()[1][-3:]
    ['until the first contact', 'free', 'contacts']
    """
    check_zoom(zoom)
    a, b = one_or_many(a, "a"), one_or_many(b, "b")
    turns: dict[str, Any] = {"turn_a": turn_a, "center_a": center_a}
    turns |= {"turn_b": turn_b, "center_b": center_b}
    velocities = {"velocity": velocity, "velocity_a": velocity_a, "velocity_b": velocity_b}
    if pairs is not None or are_many(a, b):
        refuse_of_many("zoom", zoom == "contact")
        return draw_arrivals(a, b, velocities, turns, margin, pairs, ax)
    result = _core.swept_collision(a, b, **velocities, **turns, margin=margin)
    velocity = relative_velocity(**velocities)
    motion_a = motion_of(velocity, turn_a, center_a)
    motion_b = motion_of(ORIGIN, turn_b, center_b)
    stop = min(result.time, 1.0)
    view = view_of_sweep(zoom, (grown(a, margin), row_of(b)), (motion_a, motion_b), result)
    ax = blank_axes(ax)
    size = view.size
    shape_a, shape_b = outlines_of(a, b, size)
    if stop > 0.0:
        region = swept(row_of(a), [(Motion(), motion_a, stop)], DOT * size)
        draw_swept(ax, region, label="swept by a")
    state = ", in contact" if result.intersects else "" if result else ", no contact"
    name = f"at time {stop:.4g}{state}"
    draw_copies(ax, shape_b, motion_b, stop, STYLE_B, f"b {name}" if motion_b.turn else "")
    draw_copies(ax, shape_a, motion_a, stop, STYLE_A, f"a {name}")
    if margin:
        wide = outlines_of(grown(a, margin), b, size)[0]
        patch(ax, motion_a.at(wide, stop), label=f"margin of {margin:.4g}", **GROWN)
    if np.isfinite(result.contact).all():
        draw_contact(ax, result.contact, result.normal, size)
        if not (motion_a.turn or motion_b.turn):
            draw_slide(ax, result, motion_a.velocity, size)
    name_shapes(ax, a, b, view)
    return view.apply(finish(ax))


def view_of_sweep(
    zoom: str | None,
    rows: tuple[_core.Shapes, _core.Shapes],
    motions: tuple[Motion, Motion],
    result: _core.SweptCollisionResult,
) -> View:
    """What the picture shows: the way of what touches, the contact and the slide happen."""
    stop = min(result.time, 1.0)
    times = np.linspace(0.0, stop, GHOSTS + 2)
    places = [
        np.concatenate([motion.places(corners(outline(row)), time) for time in times])
        for row, motion in zip(rows, motions, strict=True)
    ]
    events = NOTHING
    if np.isfinite(result.contact).all():
        events = np.concatenate([motion.back(result.contact, stop) for motion in motions])
        events = np.concatenate([events, result.contact])
        if not any(motion.turn for motion in motions):
            slide = (1.0 - stop) * along_contact(motions[0].velocity, result.normal)
            events = np.concatenate([events, result.contact + slide])
    return view_of(zoom, rows, events, (places[0], places[1]))


def draw_copies(
    ax: Axes, shape: Path, motion: Motion, stop: float, style: dict[str, Any], name: str
) -> None:
    """Draws a shape at time 0, and if it has a name where it stops, with some copies on its way."""
    color = style["edgecolor"]
    is_moving = bool(name) and stop > 0.0
    for time in np.linspace(0.0, stop, GHOSTS + 2)[1:-1] if is_moving else ():
        ghost = patch(ax, motion.at(shape, time), edgecolor=(color, 0.45), linewidth=0.9)
        ghost.set_label("_ghost")
    patch(ax, shape, **style).set_label("" if is_moving else name)
    if is_moving:
        there = style | {"facecolor": (color, 0.15), "linewidth": 2.0}
        patch(ax, motion.at(shape, stop), label=name, **there)


def draw_contact(ax: Axes, contact: Floats, normal: Floats, size: float) -> None:
    """Draws a contact and its normal."""
    segment(ax, contact, RED, label="contact")
    arrow(ax, contact.mean(axis=0), NORMAL * size * normal, RED, label="normal")


def draw_slide(ax: Axes, result: _core.SweptCollisionResult, velocity: Floats, size: float) -> None:
    """Draws the rest of the velocity along the contact."""
    slide = (1.0 - result.time) * along_contact(velocity, result.normal)
    length = float(np.hypot(*slide))
    if length > NEARLY * size:
        label = f"slide, length {length:.4g}"
        arrow(ax, result.contact.mean(axis=0), slide, GREEN, label=label)


def along_contact(velocity: Floats, normal: Floats) -> Floats:
    """Returns a velocity without its component into a contact; all of it if it points away."""
    return velocity - min(float(velocity @ normal), 0.0) * normal

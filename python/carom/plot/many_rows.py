"""Drawings of the shifts and the arrivals of many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.collections import LineCollection, PathCollection

from .. import _core
from .._input_error import InputValueError
from .elements import (
    BLUE,
    GREEN,
    INK,
    MOVED,
    ORANGE,
    RED,
    STYLE_A,
    STYLE_B,
    Floats,
    add_arrow_entry,
    blank_axes,
    finish,
    note,
    patch,
)
from .motion.moving_outline import ORIGIN, Motion, motion_of, relative_velocity
from .motion.tracks import FEW_WAYS
from .outlines import EMPTY, outlines, shifted
from .shapes import FEW_ROWS
from .two_shapes import row_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.path import Path

    from .motion.tracks import Indices

SAMPLES = 33  # points along the way of a row that turns
SHAFT = 0.004  # width of an arrow, as a share of the picture's
LEAST_ARROW = 1e-3  # share of the picture below which a shift is a dot


class Pairs(NamedTuple):
    """Two columns, and the rows of both that belong together."""

    a: _core.Shapes
    b: _core.Shapes
    rows_a: Indices
    rows_b: Indices


class Ends(NamedTuple):
    """Where the shapes of rows are at their contact or at time 1, and how points of `a` come there.

    Of `b` those alone that turn.
    """

    a: list[Path]
    b: list[Path]
    ways: list[Floats]


def pairs_of(a: Any, b: Any, pairs: Any, count: int) -> Pairs:
    """The operands of a batch of some results."""
    columns = row_of(a), row_of(b)
    if pairs is not None:
        rows = np.asarray(pairs, dtype=np.intp)
        return Pairs(*columns, rows[0], rows[1])
    every = np.arange(count)
    return Pairs(*columns, *(every if len(it) == count else np.zeros_like(every) for it in columns))


def refuse_of_many(name: str, is_given: bool) -> None:
    """Raises if an argument is given that is for two shapes."""
    if is_given:
        raise InputValueError("given with several rows, for two shapes alone", at=name)


def draw_shifts(a: Any, b: Any, direction: Any, margin: Any, pairs: Any, ax: Axes | None) -> Axes:
    """Draws all rows, and the MTV of each with `a` moved by it."""
    result = _core.penetration_batch(a, b, direction=direction, margin=margin, pairs=pairs)
    both = pairs_of(a, b, pairs, len(result))
    ax = blank_axes(ax)
    shapes_a, _ = draw_columns(ax, both)
    shifts = np.flatnonzero(result.depth > 0.0)
    if len(shifts):
        rows, vectors = both.rows_a[shifts], result.mtv[shifts]
        moved = [shifted(shapes_a[row], by) for row, by in zip(rows, vectors, strict=True)]
        draw_outlines(ax, moved, MOVED | {"facecolor": "none"}, "a moved by the MTV")
        tails = centers(both.a)[rows]
        draw_vectors(ax, tails, vectors, "MTV")
        write_numbers(ax, tails + vectors, result.depth[shifts])
    return finish(ax)


def draw_vectors(ax: Axes, tails: Floats, vectors: Floats, label: str) -> None:
    """Draws vectors of true length, and dots for those that are too short to see."""
    size = max(ax.dataLim.width, ax.dataLim.height)
    is_seen = np.hypot(*vectors.T) > LEAST_ARROW * size
    if not is_seen.all():
        ax.plot(*tails[~is_seen].T, ".", color=GREEN, zorder=6, label=label)
    if is_seen.any():
        style: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1.0, "zorder": 6}
        style |= {"color": GREEN, "width": SHAFT, "minlength": 0.0}
        ax.quiver(*tails[is_seen].T, *vectors[is_seen].T, **style)
        add_arrow_entry(ax, GREEN, label)


def draw_arrivals(
    a: Any,
    b: Any,
    velocities: Mapping[str, Any],
    turns: Mapping[str, Any],
    margin: Any,
    pairs: Any,
    ax: Axes | None,
) -> Axes:
    """Draws all rows at time 0, and `a` of each at its first contact, or at time 1.

    So is `b`, if it turns.
    """
    result = _core.swept_collision_batch(a, b, **velocities, **turns, margin=margin, pairs=pairs)
    both, count = pairs_of(a, b, pairs, len(result)), len(result)
    motions_a = motions_of(
        relative_velocity(**velocities), turns["turn_a"], turns["center_a"], count
    )
    motions_b = motions_of(ORIGIN, turns["turn_b"], turns["center_b"], count)
    ax = blank_axes(ax)
    ends = ends_of(both, draw_columns(ax, both), (motions_a, motions_b), result)
    hits, free = ends[True], ends[False]
    style = {"facecolor": "none", "linewidth": 1.0}
    for name, arrived, passed, tones in (
        ("b", hits.b, free.b, (ORANGE, (ORANGE, 0.5))),
        ("a", hits.a, free.a, (RED, (BLUE, 0.5))),
    ):
        draw_outlines(ax, arrived, style | {"edgecolor": tones[0]}, f"{name} at the first contact")
        draw_outlines(ax, passed, style | {"edgecolor": tones[1]}, f"{name} at time 1, no contact")
    draw_ways(ax, hits.ways, RED, "until the first contact")
    draw_ways(ax, free.ways, BLUE, "free")
    contacts = result.contact.mean(axis=1)
    seen = np.isfinite(contacts).all(axis=1)
    if seen.any():
        ax.plot(*contacts[seen].T, ".", color=RED, zorder=5, label="contacts")
        write_numbers(ax, contacts[seen], result.time[seen])
    return finish(ax)


def ends_of(
    both: Pairs,
    shapes: tuple[Sequence[Path], Sequence[Path]],
    motions: tuple[Sequence[Motion], Sequence[Motion]],
    result: _core.SweptCollisionBatchResult,
) -> dict[bool, Ends]:
    """The ends of the rows with a contact, and of those without one."""
    is_hit, stops = result.intersects | result.will_intersect, np.minimum(result.time, 1.0)
    contacts, middles = result.contact.mean(axis=1), centers(both.a)
    ends = {True: Ends([], [], []), False: Ends([], [], [])}
    for number, (motion_a, motion_b) in enumerate(zip(*motions, strict=True)):
        row, stop, hit = both.rows_a[number], float(stops[number]), bool(is_hit[number])
        shape_a, shape_b = shapes[0][row], shapes[1][both.rows_b[number]]
        if len(shape_a) == 0 or len(shape_b) == 0:
            continue  # a missing row
        ends[hit].a.append(motion_a.at(shape_a, stop))
        if motion_b.turn:
            ends[hit].b.append(motion_b.at(shape_b, stop))
        contact = contacts[number][None]
        if not hit:
            ends[hit].ways.append(way(motion_a, middles[row][None], stop))
        elif np.isfinite(contact).all():
            ends[hit].ways.append(way(motion_a, motion_a.back(contact, stop), stop))
        # One that overlaps at time 0 has neither contact nor way.
    return ends


def way(motion: Motion, start: Floats, stop: float) -> Floats:
    """The places of a point from time 0 on."""
    times = np.linspace(0.0, stop, SAMPLES if motion.turn else 2)
    return np.concatenate([motion.places(start, time) for time in times])


def draw_ways(ax: Axes, ways: Sequence[Floats], color: str, label: str) -> None:
    """Draws lines as one collection, if there are some."""
    if ways:
        ax.add_collection(LineCollection(ways, colors=color, linewidths=0.7, label=label))


def write_numbers(ax: Axes, places: Floats, numbers: Floats) -> None:
    """Writes numbers beside places, if these are few."""
    few = zip(places, numbers, strict=True) if len(places) <= FEW_WAYS else ()
    for place, number in few:
        note(ax, place, f"{number:.4g}", INK, ha="left", va="bottom")


def motions_of(velocity: Any, turn: Any, center: Any, count: int) -> Sequence[Motion]:
    """The motion of each row; one for all is broadcast."""
    velocities = np.broadcast_to(np.asarray(velocity, dtype=np.float64), (count, 2))
    turned = np.broadcast_to(np.asarray(0.0 if turn is None else turn, dtype=np.float64), (count,))
    middles = np.broadcast_to(
        np.zeros(2) if center is None else np.asarray(center, dtype=np.float64), (count, 2)
    )
    rows = zip(velocities, turned.tolist(), middles, strict=True)
    return [motion_of(*row) for row in rows]


def draw_columns(ax: Axes, both: Pairs) -> tuple[Sequence[Path], Sequence[Path]]:
    """Draws the rows of both columns that are in a pair; returns the outlines of all rows."""
    shapes_a, shapes_b = outlines(both.a), outlines(both.b)
    for paths, rows, style in (
        (shapes_b, both.rows_b, STYLE_B),
        (shapes_a, both.rows_a, STYLE_A),
    ):
        draw_outlines(ax, [paths[row] for row in np.unique(rows)], style, "")
    return shapes_a, shapes_b


def draw_outlines(ax: Axes, paths: Sequence[Path], style: dict[str, Any], label: str) -> None:
    """Draws outlines as one collection, with an entry in the legend if there are some."""
    if not paths:
        return
    width = style.get("linewidth", 1.0) * (1.0 if len(paths) <= FEW_ROWS else 0.3)
    style = style | {"linewidth": width}
    ax.add_collection(PathCollection(paths, **style)).set_label("_")
    if label:
        patch(ax, EMPTY, label=label, **style)


def centers(column: _core.Shapes) -> Floats:
    """The middle of the box of each row."""
    middles: Floats = column.bounds[:, :2] / 2.0 + column.bounds[:, 2:] / 2.0
    return middles

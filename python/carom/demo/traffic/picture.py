"""A picture of one contact, seen from b."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

import carom

from ...plot.elements import BLUE, GREEN, GREY, MARGIN, ORANGE, RED, arrow, note, patch, quiet
from ...plot.motion.swept_region import draw_swept
from ...plot.outlines import closed
from ..figures import blank, save

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from .encounter import Encounter
    from .recorded_scene import Floats

LEAST = 0.01  # of a way to be drawn as an arrow, as a share of the picture


def draw_contact(encounter: Encounter, title: str, path: Path) -> None:
    """Writes the picture of a contact to `path`.

    Raises `OSError` if it can't be written, or the suffix is not a known format.
    """
    figure = blank((8.0, 6.0))
    axes = figure.add_subplot()
    draw_shapes(axes, encounter)
    draw_answers(axes, encounter)
    draw_names(axes, encounter)
    frame_view(axes, encounter)
    figure.suptitle(title, x=0.02, ha="left", fontsize=13, parse_math=False)
    figure.legend(
        *axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False
    )
    save(figure, path)


def draw_shapes(axes: Axes, encounter: Encounter) -> None:
    """Draws both footprints, and the first in every recorded frame with the region it sweeps."""
    a = encounter.a
    hulls = [carom.convex_hull(np.concatenate(pair)) for pair in pairwise([a[0], *a])]
    draw_swept(axes, closed(*hulls))
    patch(axes, closed(encounter.b), facecolor=ORANGE, edgecolor="black", linewidth=1.2)
    for ghost in encounter.at(encounter.frames):
        patch(axes, closed(ghost), edgecolor=(BLUE, 0.5), linewidth=0.8)
    patch(axes, closed(a[-1]), edgecolor=BLUE, linewidth=1.8)
    patch(axes, closed(a[0]), facecolor=(BLUE, 0.85), edgecolor="black", linewidth=1.2)


def draw_answers(axes: Axes, encounter: Encounter) -> None:
    """Draws the first contact with its normal, and the MTV of the deepest overlap."""
    contact, size = encounter.contact, extent(encounter)
    style = {"edgecolor": RED, "linewidth": 1.8, "label": "first contact and its normal"}
    (touching,) = encounter.at(np.array([contact.frame]))
    patch(axes, closed(touching), **style)
    arrow(axes, contact.point, 0.12 * size * contact.normal, RED)
    axes.plot(*contact.point, "o", color=RED, markersize=8, markeredgecolor="black", zorder=5)
    deepest, answer = encounter.deepest()
    if answer.depth > 0.0:
        label = f"deepest overlap, moved by its MTV of {answer.depth:.3g} m"
        style = {"edgecolor": GREEN, "linewidth": 1.8, "linestyle": "--", "label": label}
        patch(axes, closed(deepest + answer.mtv), **style)
        if answer.depth > LEAST * size:
            arrow(axes, deepest.mean(axis=0), answer.mtv, GREEN)


def draw_names(axes: Axes, encounter: Encounter) -> None:
    """Labels the footprints with vehicle and frame."""
    (name_a, name_b), frames, a = encounter.names, encounter.frames, encounter.a
    note(axes, a[0].mean(axis=0), f"{name_a}\nframe {frames[0]}", "black")
    note(axes, encounter.b.mean(axis=0), name_b, "black")
    if (a[-1] != a[0]).any():
        note(axes, a[-1].mean(axis=0), f"frame {frames[-1]}", BLUE)


def shown(encounter: Encounter) -> Floats:
    """Returns the corners that must be in the picture."""
    deepest, answer = encounter.deepest()
    return np.concatenate([*encounter.a, encounter.b, deepest + answer.mtv])


def extent(encounter: Encounter) -> float:
    """Returns the longer side of what must be in the picture."""
    return float(np.ptp(shown(encounter), axis=0).max())


def frame_view(axes: Axes, encounter: Encounter) -> None:
    """Sets the limits, the same scale on x and y, and unobtrusive axes."""
    corners = shown(encounter)
    margin = MARGIN * extent(encounter)
    low, high = corners.min(axis=0) - margin, corners.max(axis=0) + margin
    quiet(axes)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.set_xlabel("x, metres", color=GREY)
    axes.set_ylabel("y, metres", color=GREY)

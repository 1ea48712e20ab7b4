"""A picture of one contact in the frame of reference of b."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..plot.draw import BLUE, GREEN, GREY, MARGIN, ORANGE, RED, arrow, note, patch, quiet
from ..plot.outlines import closed

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from .contacts import Contact, Motion
    from .scene import Floats

GHOSTS = 6
CLEARED = "moved by the MTV: no contact in the whole sweep"


def draw_contact(motion: Motion, contact: Contact, title: str, path: Path) -> None:
    """Writes the picture of a contact to `path`.

    Raises `OSError` if it can't be written, or the suffix is not a known format.
    """
    figure = blank((8.0, 6.0))
    axes = figure.add_subplot()
    draw_shapes(axes, motion, contact)
    draw_answers(axes, motion, contact)
    draw_names(axes, motion, contact)
    frame_view(axes, motion, contact)
    figure.suptitle(title, x=0.02, ha="left", fontsize=13, parse_math=False)
    figure.legend(
        *axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False
    )
    save(figure, path)


def blank(size: tuple[float, float]) -> Figure:
    """Returns an empty figure of this size in inches, which needs no display."""
    figure = Figure(figsize=size, dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Writes a figure; raises `OSError` if it can't, or if the suffix is not a known format."""
    try:
        # Without a format, Matplotlib would add a suffix to a path without one.
        figure.savefig(path, format=path.suffix[1:] or "png")
    except OSError as error:
        error.filename = str(path)
        raise
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), str(path)) from None


def draw_shapes(axes: Axes, motion: Motion, contact: Contact) -> None:
    """Draws both footprints, and copies of the first along its motion to the next frame."""
    a, b = motion.footprints[contact.a], motion.footprints[contact.b]
    patch(axes, closed(b), facecolor=ORANGE, edgecolor="black", linewidth=1.2)
    for part in np.linspace(0.0, 1.0, GHOSTS + 1)[1:]:
        ghost = a + part * contact.velocity
        patch(axes, closed(ghost), facecolor=(BLUE, 0.07), edgecolor=(BLUE, 0.5), linewidth=0.8)
    patch(axes, closed(a + contact.velocity), edgecolor=BLUE, linewidth=1.8)
    patch(axes, closed(a), facecolor=(BLUE, 0.85), edgecolor="black", linewidth=1.2)


def draw_answers(axes: Axes, motion: Motion, contact: Contact) -> None:
    """Draws the result of the sweep: contact, normal and minimum translation vector."""
    a, sweep = motion.footprints[contact.a], contact.sweep
    end = a + contact.velocity
    touching, cleared = a + sweep.time * contact.velocity, end + sweep.mtv
    patch(
        axes, closed(touching), edgecolor=RED, linewidth=1.8, label="first contact and its normal"
    )
    patch(axes, closed(cleared), edgecolor=GREEN, linewidth=1.8, linestyle="--", label=CLEARED)
    point = sweep.contact.mean(axis=0)
    arrow(axes, point, 0.12 * extent(motion, contact) * sweep.normal, RED)
    arrow(axes, end.mean(axis=0), sweep.mtv, GREEN)
    axes.plot(*sweep.contact.T, color=RED, linewidth=5, solid_capstyle="round")
    axes.plot(*point, "o", color=RED, markersize=8, markeredgecolor="black", zorder=5)


def draw_names(axes: Axes, motion: Motion, contact: Contact) -> None:
    """Labels the footprints with vehicle and frame."""
    scene, sweep = motion.scene, contact.sweep
    a, b = motion.footprints[contact.a], motion.footprints[contact.b]
    name_a, name_b = (scene.names[scene.vehicles[state]] for state in (contact.a, contact.b))
    note(axes, a.mean(axis=0), f"{name_a}\nframe {scene.frames[contact.a]}", "black")
    note(axes, b.mean(axis=0), name_b, "black")
    if contact.velocity.any():
        end = a + contact.velocity
        away = sweep.mtv / max(np.hypot(*sweep.mtv), np.finfo(float).tiny)
        from_b = np.linalg.norm(end - b.mean(axis=0), axis=1)
        corner = end[np.argmax(from_b - end @ away)]  # away from both b and the arrow
        place = (end.mean(axis=0) + corner) / 2.0
        note(axes, place, f"frame {scene.frames[motion.after[contact.a]]}", BLUE)


def shown(motion: Motion, contact: Contact) -> Floats:
    """Returns the corners that must be in the picture."""
    a, b = motion.footprints[contact.a], motion.footprints[contact.b]
    end = a + contact.velocity
    return np.concatenate([a, b, end, end + contact.sweep.mtv])


def extent(motion: Motion, contact: Contact) -> float:
    """Returns the longer side of what must be in the picture."""
    return float(np.ptp(shown(motion, contact), axis=0).max())


def frame_view(axes: Axes, motion: Motion, contact: Contact) -> None:
    """Sets the limits, the same scale on x and y, and unobtrusive axes."""
    corners = shown(motion, contact)
    margin = MARGIN * extent(motion, contact)
    low, high = corners.min(axis=0) - margin, corners.max(axis=0) + margin
    quiet(axes)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.set_xlabel("x, metres", color=GREY)
    axes.set_ylabel("y, metres", color=GREY)

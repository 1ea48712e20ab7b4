"""Elements of all pictures: colours, outlines, arrows, labels and axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from .ticks import POINTS, lay_out_offsets, make_legible

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.path import Path
    from matplotlib.text import Annotation

Floats: TypeAlias = NDArray[np.float64]

# The colours of Okabe and Ito, which colour-blind readers can distinguish.
BLUE, ORANGE, GREEN, RED, PURPLE = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7"
INK, GREY = "#1A1A1A", "#666666"
MARGIN = 0.06  # as a share of the contents
STYLE_A: dict[str, Any] = {"facecolor": (BLUE, 0.45), "edgecolor": BLUE, "linewidth": 1.5}
STYLE_B: dict[str, Any] = {"facecolor": (ORANGE, 0.45), "edgecolor": ORANGE, "linewidth": 1.5}
GROWN: dict[str, Any] = {"facecolor": (BLUE, 0.15), "edgecolor": BLUE, "linestyle": ":"}
MOVED: dict[str, Any] = {"edgecolor": GREEN, "linewidth": 1.5, "linestyle": "--"}
GHOST: dict[str, Any] = {"edgecolor": (BLUE, 0.45), "linewidth": 0.9}
PADDING = 3.0  # between axes and legend, in units of the font size
CELL = 1.2  # from axes to the next ones in a grid, in units of their size
LARGEST_LEGEND = 0.35  # share of its cell's height that a legend takes
LEAST_SIZE = 5.0  # of letters, in points
LARGEST_STRIP = 0.75  # share of the axes' height that a legend takes at most
NORMAL = 0.14  # length of a unit vector, as a share of the picture's longer side
NEARLY = 1e-9  # tolerance of what is only drawn: share of the extent, and of a cosine


def blank_axes(ax: Axes | None) -> Axes:
    """Returns the axes to draw on, with the same scale on x and y; new ones are unobtrusive.

    An aspect that given axes have is kept, such as that of GeoPandas for longitude and latitude.
    """
    if ax is None:
        from matplotlib import pyplot as plt

        _, ax = plt.subplots(layout="constrained")
        quiet(ax)
    if ax.get_aspect() == "auto":
        ax.set_aspect("equal")
    make_legible(ax)
    return ax


def quiet(axes: Axes) -> None:
    """Makes axes unobtrusive."""
    axes.margins(MARGIN)
    axes.tick_params(colors=GREY)
    axes.spines[:].set_visible(False)


def patch(axes: Axes, outline: Path, **style: Any) -> PathPatch:
    """Draws one shape, unfilled by default."""
    drawn = PathPatch(outline, **{"facecolor": "none"} | style)
    axes.add_patch(drawn)
    return drawn


def arrow(
    axes: Axes, tail: Floats, vector: Floats, color: str, *, head: str = "-|>", label: str = ""
) -> Annotation:
    """Draws a vector from its tail; with a label it is listed in the legend."""
    style = {"arrowstyle": head, "color": color, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
    tip = tail + vector
    ends: dict[str, Any] = {"xy": (tip[0], tip[1]), "xytext": (tail[0], tail[1])}
    drawn = axes.annotate("", arrowprops=style, zorder=6, **ends)
    axes.update_datalim([tail, tip])
    if label:
        add_arrow_entry(axes, color, label)
    return drawn


def add_arrow_entry(axes: Axes, color: str, label: str) -> None:
    """Lists arrows of a color in the legend."""
    axes.plot([], [], color=color, linewidth=2.2, marker=">", markersize=6, label=label)


def segment(axes: Axes, ends: Floats, color: str, *, label: str = "") -> Line2D:
    """Draws a contact: a thick segment with dots at its ends, or one dot."""
    style: dict[str, Any] = {"marker": "o", "markersize": 7, "markeredgecolor": INK, "zorder": 5}
    style |= {"linewidth": 4, "solid_capstyle": "round", "label": label}
    (line,) = axes.plot(*ends.T, color=color, **style)
    return line


def measure(axes: Axes, tail: Floats, vector: Floats, label: str, *, head: str = "-|>") -> None:
    """Draws a vector of true length; a dot if it is too short to see."""
    if np.hypot(*vector) > NEARLY * max(axes.dataLim.width, axes.dataLim.height):
        arrow(axes, tail, vector, GREEN, head=head, label=label)
    else:
        axes.plot(*tail, ".", color=GREEN, zorder=6, label=label)


def note(axes: Axes, place: Floats, text: str, color: str, **more: Any) -> None:
    """Writes text with a white outline, legible on any background, centered by default."""
    halo = [withStroke(linewidth=3, foreground="white")]
    style: dict[str, Any] = {"ha": "center", "va": "center", "path_effects": halo, "zorder": 7}
    axes.text(place[0], place[1], text, color=color, parse_math=False, **style | more)


def finish(axes: Axes) -> Axes:
    """Sets the limits, and adds a legend with each label once; repeated labels are hidden."""
    axes.autoscale_view()
    add_legend(axes)
    lay_out_offsets(axes)
    return axes


def add_legend(axes: Axes) -> None:
    """Adds a legend below the axes, in as many columns as fit, if there are labels."""
    meaning: dict[str, Artist] = {}
    for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
        if meaning.setdefault(label, handle) is not handle:
            handle.set_label(f"_{label}")
    if not meaning:
        return
    # The padding, in units of the font size, keeps clear of the tick labels.
    style: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0)}
    style |= {"borderaxespad": PADDING, "frameon": False}
    fits = {}
    for columns in (2, 1):
        legend = axes.legend(meaning.values(), meaning.keys(), ncols=columns, **style)
        fits[columns] = share_that_fits(axes, legend)
    columns = 2 if fits[2] >= fits[1] else 1
    style["fontsize"] = fits[columns] * legend.prop.get_size_in_points()
    axes.legend(meaning.values(), meaning.keys(), ncols=columns, **style)
    locator = axes.get_axes_locator()
    if axes.figure.get_layout_engine() is None and not isinstance(locator, AboveLegend):
        axes.set_axes_locator(AboveLegend(locator))


def share_that_fits(axes: Axes, legend: Any) -> float:
    """Returns the share of its size at which a legend is clear of those of other axes in a grid."""
    place, whole = axes.get_position(original=True), axes.figure.bbox
    width, height = CELL * place.width * whole.width, CELL * place.height * whole.height
    needed = legend.get_window_extent()
    least = LEAST_SIZE / legend.prop.get_size_in_points()
    share = min(1.0, width / needed.width, LARGEST_LEGEND * height / needed.height)
    return float(max(share, min(least, 1.0)))


class AboveLegend:
    """Leaves space for the legend below axes, as a layout engine does where there is one."""

    def __init__(self, locator: Callable[[Any, Any], Bbox] | None) -> None:
        self.locator = locator

    def __call__(self, axes: Any, renderer: Any) -> Bbox:
        """Returns the position of the axes, without the strip that the legend takes."""
        place = self.locator(axes, renderer) if self.locator else axes.get_position(original=True)
        legend = axes.get_legend()
        if legend is None or renderer is None:
            return place
        size = legend.prop.get_size_in_points() * PADDING * axes.figure.dpi / POINTS
        strip = (legend.get_window_extent(renderer).height + size) / axes.figure.bbox.height
        low = place.y0 + min(strip, LARGEST_STRIP * place.height)
        return Bbox.from_extents(place.x0, low, place.x1, place.y1)

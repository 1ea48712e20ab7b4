"""Maps of the times at which areas are reached, and of their numbers of neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import BoundaryNorm, Normalize
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MultipleLocator

from ...plot.elements import GREY, INK, RED, quiet
from ...plot.outlines import outlines
from ..figures import blank, save
from .weather import BOW, LEG_HOURS, RADIUS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .datasets import Areas
    from .weather import Arrivals, Floats, Integers, Track

View: TypeAlias = tuple[float, float, float, float]
LAND, BORDER = "#E4E4E4", "white"
LATE = colormaps["viridis_r"]  # colour-blind readers can distinguish its ends
HALO = [withStroke(linewidth=3.0, foreground="white")]
LARGEST = 7.1, 6.0  # inches of a map
BESIDE, ABOVE = 1.9, 1.7  # inches around it
MARGIN = 3.0  # degrees around the track
BEYOND = 16.0  # degrees from there within which areas that are reached are shown whole
LARGER = 2.0  # times the map around a track: a larger map of all areas is not drawn
MANY = 400  # polygons, beyond which borders are thin
NUMBERED = 40  # most contacts that are numbered
BESIDE_DOT = 0.02  # of the map's width, from a dot to its number
ROUND = np.linspace(0.0, 2.0 * np.pi, 73)[:-1]
CIRCLE = RADIUS * np.stack([np.cos(ROUND), np.sin(ROUND)], axis=-1)


def draw_storm(areas: Areas, arrivals: Arrivals, path: Path) -> None:
    """Writes the map of the storm's track and the times at which it reaches areas."""
    title = f"A storm {2 * RADIUS:g} degrees across, drawn every {LEG_HOURS:g} hours"
    draw_arrivals(areas, arrivals, (areas.storm, CIRCLE), title, path)


def draw_front(areas: Areas, arrivals: Arrivals, path: Path) -> None:
    """Writes the map of the front's track and the times at which it reaches areas."""
    title = f"A front shaped like a crescent, drawn every {LEG_HOURS:g} hours"
    draw_arrivals(areas, arrivals, (areas.front, BOW), title, path)


def draw_arrivals(
    areas: Areas, arrivals: Arrivals, mover: tuple[Track, Floats], title: str, path: Path
) -> None:
    """Writes the map of a shape's track and the times at which it reaches areas."""
    track, shape = mover
    ghosts = shape + np.array(track)[:, None]
    first = areas.first_of_each(arrivals.hours)
    touched = np.isfinite(arrivals.hours)
    figure, axes = blank_map(view_of(ghosts, areas.column.bounds[touched], areas.view))
    hours = np.where(touched, arrivals.hours, arrivals.hours.min())
    norm = Normalize(hours.min(), hours.max())
    draw_areas(axes, areas, LATE(norm(hours)), touched)
    draw_way(axes, track, ghosts)
    number_contacts(axes, arrivals.points[first])
    add_scale(figure, axes, norm, "hour of first contact", LEG_HOURS / 2.0)
    number = f"{len(first):,} {areas.nouns[len(first) != 1]}"
    order = ", numbers in what order" if len(first) <= NUMBERED else ""
    finish(figure, f"{title}\nIt reaches {number}; colours say when{order}", areas, path)


def view_of(ghosts: Floats, reached: Floats, whole: View) -> View:
    """Returns the limits of a map around a track and the boxes of areas reached, but for those
    that lie farther away: of all areas, if that is not much larger.
    """
    low, high = ghosts.min(axis=(0, 1)) - MARGIN, ghosts.max(axis=(0, 1)) + MARGIN
    west, south, east, north = reached.T
    is_near = (west > low[0] - BEYOND) & (south > low[1] - BEYOND)
    is_near &= (east < high[0] + BEYOND) & (north < high[1] + BEYOND)
    corners = np.concatenate([[low, high], reached[is_near].reshape(-1, 2)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    near = float(low[0]), float(high[0]), float(low[1]), float(high[1])
    west, south = min(near[0], whole[0]), min(near[2], whole[2])
    east, north = max(near[1], whole[1]), max(near[3], whole[3])
    is_larger = (east - west) * (north - south) > LARGER * np.prod(high - low)
    return near if is_larger else (west, east, south, north)


def draw_neighbours(areas: Areas, numbers: Integers, path: Path) -> None:
    """Writes the map of the number of neighbours of each area."""
    figure, axes = blank_map(areas.view)
    most = int(numbers.max())
    norm = BoundaryNorm(np.arange(numbers.min() - 0.5, most + 1.0), LATE.N)
    everyone = np.ones(len(areas.owners), dtype=np.bool_)
    draw_areas(axes, areas, LATE(norm(numbers[areas.owners])), everyone)
    add_scale(figure, axes, norm, "neighbours", 2)
    busiest = " and ".join(areas.names[area] for area in np.flatnonzero(numbers == most))
    title = f"How many neighbours each {areas.nouns[0]} has\nMost, {most}: {busiest}"
    finish(figure, title, areas, path)


def blank_map(view: View) -> tuple[Figure, Axes]:
    """Returns axes with these limits and the same scale on x and y, in a figure of that shape."""
    west, east, south, north = view
    inches = min(LARGEST[0] / (east - west), LARGEST[1] / (north - south))
    figure = blank((BESIDE + inches * (east - west), ABOVE + inches * (north - south)))
    axes = figure.add_subplot()
    quiet(axes)
    axes.set(xlim=view[:2], ylim=view[2:], aspect="equal")
    axes.set_xlabel("longitude, degrees", color=GREY)
    axes.set_ylabel("latitude, degrees", color=GREY)
    return figure, axes


def draw_areas(axes: Axes, areas: Areas, colours: Floats, coloured: Any) -> None:
    """Draws the polygons within the limits, filled with their colour or that of land."""
    (west, east), (south, north) = axes.get_xlim(), axes.get_ylim()
    x0, y0, x1, y1 = areas.column.bounds.T
    seen = np.flatnonzero((x1 >= west) & (x0 <= east) & (y1 >= south) & (y0 <= north))
    width = 0.5 if len(seen) < MANY else 0.15
    faces = [tuple(colours[row]) if coloured[row] else LAND for row in seen]
    style: dict[str, Any] = {"facecolors": faces, "edgecolors": BORDER, "linewidths": width}
    axes.add_collection(PathCollection(outlines(areas.column[seen]), **style), autolim=False)


def draw_way(axes: Axes, track: Track, ghosts: Iterable[Floats]) -> None:
    """Draws a track, and the shape at its vertices."""
    style: dict[str, Any] = {"facecolors": [("white", 0.35)], "edgecolors": [INK]}
    shapes = PolyCollection(list(ghosts), linewidths=1.3, path_effects=HALO, **style)
    axes.add_collection(shapes, autolim=False)
    x, y = zip(*track, strict=True)
    axes.plot(x, y, "o-", color=INK, linewidth=1.3, markersize=3.5, path_effects=HALO)


def number_contacts(axes: Axes, points: Floats) -> None:
    """Marks and numbers first contacts, if there are not too many."""
    if len(points) > NUMBERED:
        return
    axes.plot(*points.T, "o", color=RED, markersize=5, zorder=5)
    style: dict[str, Any] = {"ha": "center", "va": "center", "path_effects": HALO, "zorder": 6}
    for number, (x, y) in enumerate(label_places(points, BESIDE_DOT * np.ptp(axes.get_xlim())), 1):
        axes.text(x, y, str(number), color=RED, fontsize=11, clip_on=True, **style)


def label_places(points: Floats, reach: float) -> Floats:
    """Returns a position near each point, far from the other points and positions."""
    places: list[Floats] = []
    for point in points:
        around = point + reach * CIRCLE[::9] / RADIUS
        others = np.array([*points[(points != point).any(axis=1)], *places, point - 9 * reach])
        gaps = np.linalg.norm(around[:, None] - others, axis=-1).min(axis=1)
        places.append(around[gaps.argmax()])
    return np.array(places).reshape(-1, 2)


def add_scale(figure: Figure, axes: Axes, norm: Normalize, label: str, step: float) -> None:
    """Adds a colour bar, with a tick at each multiple of the step."""
    bar = figure.colorbar(ScalarMappable(norm, LATE), ax=axes, shrink=0.85, pad=0.015)
    bar.set_label(label, color=GREY)
    bar.ax.minorticks_off()
    bar.ax.yaxis.set_major_locator(MultipleLocator(step))


def finish(figure: Figure, title: str, areas: Areas, path: Path) -> None:
    """Adds title and credit, and writes the picture."""
    figure.suptitle(title, x=0.02, ha="left", fontsize=13, parse_math=False)
    figure.supxlabel(areas.credit, x=0.02, ha="left", fontsize=9, color=GREY, parse_math=False)
    save(figure, path)

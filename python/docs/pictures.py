"""Draws the pages' pictures from the pages' examples: `make pictures`.

A page shows the picture that is named like it. Pictures lie beside the pages, so that these can be
read where nothing is built.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import carom
import carom.plot
import matplotlib as mpl
import numpy as np
import shapely
from matplotlib import pyplot as plt

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

IMAGES = Path(__file__).parent / "images"
A, B, ANSWER = "#0072B2", "#E69F00", "#D55E00"

Ring = list[tuple[float, float]]


def box(left: float, bottom: float, right: float, top: float) -> Ring:
    """A rectangle."""
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


SQUARE, WALL = box(0, 0, 2, 2), box(10, -4, 11, 4)
BRACKET = [(0, 0), (6, 0), (6, 5), (5, 5), (5, 1), (1, 1), (1, 5), (0, 5)]
FRAME = [box(0, 0, 10, 10), box(2, 2, 8, 8)]
CAR, TRAILER = box(-2, -1, 2, 1), box(-4, -1.25, 12, 1.25)


def show(ax: Axes, shapes: Any, color: str, *, filled: bool = True) -> None:
    """Draws shapes in one color."""
    face = (color, 0.35) if filled else "none"
    carom.plot.shapes(shapes, ax=ax, facecolors=face, edgecolors=color)


def stroke(ax: Axes, start: Any, end: Any, text: str) -> None:
    """Draws an arrow and what it means."""
    style = {"arrowstyle": "-|>", "color": ANSWER, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=style, zorder=6)
    ax.annotate(text, np.add(start, end) / 2, (0, 6), textcoords="offset points", ha="center")


def tutorial(axes: list[Axes]) -> None:
    """A boat that goes through a pier."""
    boat, pier = box(0, 0, 12, 4), box(60, -20, 63, 30)
    carom.plot.swept_collision(boat, pier, (100, 0), ax=axes[0])
    show(axes[0], [box(100, 0, 112, 4)], A, filled=False)
    axes[0].annotate("end of the frame", (106, 4), (0, 6), textcoords="offset points", ha="center")


def intersects(axes: list[Axes]) -> None:
    """Between the arms of a bracket, apart and touching."""
    for ax, inner in zip(axes, (box(2, 2, 4, 4), box(2, 1, 4, 4)), strict=True):
        show(ax, [BRACKET], A)
        show(ax, [inner], B)
        ax.set_title(f"intersects: {carom.intersects(BRACKET, inner)}")


def sat(axes: list[Axes]) -> None:
    """An overlap and a gap."""
    carom.plot.sat(SQUARE, [(1.5, 1), (5, -1), (5, 3)], ax=axes[0])
    carom.plot.sat(SQUARE, [(3, 1), (6.5, -1), (6.5, 3)], ax=axes[1])


def swept_collision(axes: list[Axes]) -> None:
    """Onto a wall, into a bracket, a trailer that turns, and a door."""
    carom.plot.swept_collision(SQUARE, WALL, (16, 4), ax=axes[0])
    carom.plot.swept_collision(box(2, 7, 4, 9), BRACKET, (1, -12), ax=axes[1])
    post, turn = box(9, 4.5, 10, 5.5), {"turn_a": 0.6, "center_a": (0, 0)}
    carom.plot.swept_collision(TRAILER, post, (-2, 0), **turn, ax=axes[2])
    door, wheel = box(0, -0.2, 6, 0), carom.Shapes.from_points([(2.5, 5)], radius=1)
    turn = {"turn_b": math.pi / 2, "center_b": (0, 0)}
    carom.plot.swept_collision(wheel, door, (2, 0), **turn, ax=axes[3])


def circle_polygon(axes: list[Axes]) -> None:
    """Beside a square, and in a bracket too narrow for the circle."""
    carom.plot.circle_polygon((3, 1), 1.5, SQUARE, ax=axes[0])
    carom.plot.circle_polygon((2.5, 4), 2.25, BRACKET, ax=axes[1])


def distance(axes: list[Axes]) -> None:
    """In a hole, and between two arms."""
    pairs: Any = [([(3, 4), (5, 5), (3, 6)], FRAME), ([(2.5, 3), (3, 2), (3, 4)], BRACKET)]
    for ax, (a, b) in zip(axes, pairs, strict=True):
        show(ax, [a], A)
        show(ax, [b], B)
        result = carom.distance(a, b)
        ax.plot(*np.stack([result.closest_a, result.closest_b]).T, "o-", color=ANSWER)
        ax.set_title(f"distance: {result.distance:g}")


def shapes(axes: list[Axes]) -> None:
    """Every kind, and the same with a radius."""
    points, line = [(0.5, 6.5), (1.5, 7.5), (2.5, 6.5)], [(4, 6.5), (5.5, 7.5), (7, 6.5)]
    isles = (
        [box(4.5, 0.5, 7.5, 3.5), box(5.5, 1.5, 6.5, 2.5)],
        [[(8.5, 0.5), (11, 0.5), (8.5, 3.5)]],
    )
    column = carom.Shapes.from_shapely(
        [
            shapely.MultiPoint(points),
            shapely.LineString(line),
            shapely.MultiLineString([[(8.5, 6.25), (11, 7.75)], [(8.5, 7.75), (11, 6.25)]]),
            shapely.Polygon([(0, 0.5), (2.5, 0.5), (2.5, 3.5), (1.25, 1.5), (0, 3.5)]),
            shapely.MultiPolygon([shapely.Polygon(shell, holes) for shell, *holes in isles]),
        ]
    )
    for ax, color, radius in zip(axes, (A, B), (0.0, 0.3), strict=True):
        show(ax, column.with_radius(radius), color)
        for row, (left, low, right, _) in enumerate(column.bounds):
            kind = carom.KINDS[column.kind[row]]
            ax.text((left + right) / 2, low - 0.5, kind, ha="center", va="top")
        ax.set_title(f"radius {radius:g}" if radius else "without a radius")


def joins(axes: list[Axes]) -> None:
    """Rows that meet while one of them moves."""
    ax = axes[0]
    column = carom.Shapes([box(x, 0, x + 1, 1) for x in (0, 1, 3, 7)])
    velocity = np.array([(0, 0), (0, 0), (0, 0), (-3, 0)])
    pairs = carom.colliding_pairs(column, velocity_a=velocity)
    show(ax, column, A)
    show(ax, column[3:].translate(velocity[3]), A, filled=False)
    stroke(ax, column.centroid[3], column.centroid[3] + velocity[3], "velocity")
    for row, (x, y) in enumerate(column.centroid):
        ax.annotate(str(row), (x, y - 0.3), ha="center")
    ax.set_title("pairs: " + ", ".join(f"({i}, {j})" for i, j in pairs.T))


def first_contact(axes: list[Axes]) -> None:
    """A trailer that turns into a post, and a car that meets one which pulls out."""
    turning, post = [(0, 0, 0), (1, 0, 0.3), (2, 0.3, 0.6)], box(12.1, 1.4, 13.1, 2.1)
    carom.plot.first_contact(TRAILER, [turning], [post], ax=axes[0])
    straight = [(0, 0, 0), (6, 0, 0), (16, 0, 0), (22, 0, 0)]
    pulling_out = [(12, 2.75, 0), (13, 2.5, -0.4), (15, 1.6, -0.4), (18, 0.75, -0.1)]
    carom.plot.first_contact(CAR, [straight], [CAR], obstacle_poses=[pulling_out], ax=axes[1])


# What is drawn, on how many axes.
PICTURES: dict[str, tuple[Callable[[list[Axes]], None], int]] = {
    "tutorial": (tutorial, 1),
    "intersects": (intersects, 2),
    "sat": (sat, 2),
    "swept_collision": (swept_collision, 4),
    "circle_polygon": (circle_polygon, 2),
    "distance": (distance, 2),
    "shapes": (shapes, 2),
    "joins": (joins, 1),
    "first_contact": (first_contact, 2),
}


def draw(folder: Path) -> None:
    """Draws all of them into a folder."""
    style: Any = {"svg.fonttype": "none", "svg.hashsalt": "carom", "font.size": 9}
    for name, (fill, count) in PICTURES.items():
        with mpl.rc_context(style):
            rows = -(-count // 2)
            size = (8, 3.6 * rows)
            figure, axes = plt.subplots(rows, min(count, 2), figsize=size, layout="constrained")
            panels = np.ravel(axes).tolist()
            for ax in panels:
                ax.set_axis_off()
                ax.margins(0.08)
            fill(panels)
            figure.savefig(folder / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})
            plt.close(figure)


if __name__ == "__main__":
    mpl.use("svg")
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)

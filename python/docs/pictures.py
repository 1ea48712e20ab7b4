"""Draws the pages' pictures from the pages' examples: `make pictures`.

A page shows the pictures that are named like it; a name may go on after a dash. Pictures lie beside
the pages, so that these can be read where nothing is built.
"""

from __future__ import annotations

import doctest
import math
import sys
from contextlib import redirect_stdout
from io import StringIO
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


def penetration(axes: list[Axes]) -> None:
    """Into a notch, out of a cup, the same to the right alone, and into a hole."""
    cup = [(0, 0), (4, 0), (4, 4), (3, 4), (3, 1), (1, 1), (1, 4), (0, 4)]
    bracket = [(0.5, 0.4), (3.5, 0.4), (3.5, 1.4), (1.5, 1.4), (1.5, 3.4), (0.5, 3.4)]
    carom.plot.penetration(box(1.5, 2, 3.5, 4), cup, ax=axes[0])
    carom.plot.penetration(bracket, cup, region=True, ax=axes[1])
    carom.plot.penetration(bracket, cup, direction=(1, 0), ax=axes[2])
    carom.plot.penetration(box(6, 2.75, 9, 5.75), [box(0, 0, 10, 8), box(5, 3, 8, 6)], ax=axes[3])


def swept_collision(axes: list[Axes]) -> None:
    """Onto a wall, into a bracket, a trailer that turns, and a door."""
    carom.plot.swept_collision(SQUARE, WALL, (16, 4), ax=axes[0])
    carom.plot.swept_collision(box(2, 7, 4, 9), BRACKET, (1, -12), ax=axes[1])
    post, door = box(9, 4.5, 10, 5.5), box(0, -0.2, 6, 0)
    wheel, angle = carom.Shapes.from_points([(2.5, 5)], radius=1), math.pi / 2
    turning: Any = {"turn_a": 0.6, "center_a": (0, 0), "zoom": "all"}
    carom.plot.swept_collision(TRAILER, post, (-2, 0), **turning, ax=axes[2])
    carom.plot.swept_collision(wheel, door, (2, 0), turn_b=angle, center_b=(0, 0), ax=axes[3])


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


def motion(axes: list[Axes]) -> None:
    """A car on arcs that touches a post, and how near it comes to another; a log; rays."""
    poses = [(0, 0, 0), (6, 6, math.pi / 2), (0, 12, math.pi)]
    turning = carom.Trajectories(CAR, [poses], motion="arc")
    posts = carom.Shapes.from_points([(8, 6), (0, 10.8)], radius=0.5)
    carom.plot.first_contact(turning, posts, ax=axes[0])
    carom.plot.clearance(turning, posts[:1], ax=axes[1])
    half = math.pi / 2
    ways: Any = [
        [(0, 0, 0), (6, 0, 0), (12, 0, 0), (18, 0, 0)],
        [(20, -14, half), (20, -8, half), (20, -2, half), (20, 4, half)],
        [(30, 2, math.pi), (24, 2, math.pi), (18, 2, math.pi), (12, 8, half)],
    ]
    log = carom.Trajectories(CAR, ways, motion="arc", times=(0, 0.5, 1, 1.5))
    carom.plot.trajectories(log, step=1, ax=axes[2])
    angles = np.radians(np.arange(-60, 61, 10))
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    carom.plot.rays((-4, 6), directions, posts, length=13, ax=axes[3])


def trajectories(axes: list[Axes]) -> None:
    """The page's car between its two posts, along chords and along arcs."""
    radius, car = 6.0, carom.boxes(4, 2)
    turn = 2 * math.asin(2.5 / 2 / radius)

    def on_circle(angle: Any) -> Any:
        """Poses on the circle."""
        ends = radius * np.sin(angle), radius - radius * np.cos(angle), angle
        return np.stack(ends, axis=-1)

    here = on_circle(turn * np.arange(5))
    parts = np.linspace(0, 4, 801)
    chords = np.stack([np.interp(parts, np.arange(5), it) for it in here.T], axis=-1)
    halfway = np.array([math.sin(1.5 * turn), -math.cos(1.5 * turn)])
    places = [(0, radius) + far * halfway for far in (4.9, 7.3)]
    posts = carom.Shapes.from_points(places, radius=0.05)
    drawn: Any = zip(axes, ("straight", "arc"), (chords, on_circle(turn * parts)), strict=True)
    for ax, motion, poses in drawn:
        swept = shapely.union_all([shapely.Polygon(it) for it in carom.place(car, poses)])
        show(ax, [swept.simplify(0.005)], A)
        show(ax, carom.place(car, here), A, filled=False)
        show(ax, posts, ANSWER)
        ways = carom.Trajectories(car, [here], motion=motion)
        inner, outer = (carom.clearance(ways, posts[[k]]).distance[0] for k in (0, 1))
        ax.set_title(f"{motion}: {inner:.2g} and {outer:.2g} from the posts")
        ax.set(xlim=(1, 6.5), ylim=(-1.5, 4))


def points_in_zones(axes: list[Axes]) -> None:
    """Points in an island of two parts and in a shore around a lagoon, and those near them."""
    shore = shapely.box(8, 0, 14, 6).difference(shapely.box(9.5, 1.5, 12.5, 4.5))
    isles = shapely.MultiPolygon([shapely.box(0, 0, 2.5, 5), shapely.box(3.5, 1, 6, 6)])
    zones = carom.Shapes([isles, shore])
    x, y = np.meshgrid(np.arange(-1.25, 15.5, 0.75), np.arange(-1.25, 7.5, 0.75))
    points = carom.Shapes.from_points(np.stack([x.ravel(), y.ravel()], axis=-1))
    for ax, margin in zip(axes, (0.0, 0.75), strict=True):
        inside, _ = carom.colliding_pairs(points, zones, margin=margin)
        show(ax, zones, B)
        ax.plot(*points.coords.T, ".", color="0.75", markersize=3)
        ax.plot(*points.coords[inside].T, ".", color=ANSWER, markersize=5)
        ax.set_title(f"margin {margin:g}" if margin else "points in zones")


PEOPLE = carom.Shapes.from_points([(4, 0.5), (6, 3), (9, -0.6)], radius=0.4)


def robot(axes: list[Axes]) -> None:
    """A capsule on its way to people, without and with a safety margin."""
    capsule = carom.Shapes.from_segments([[(0, 0), (1, 0)]], radius=0.3)
    for ax, margin in zip(axes, (0.0, 0.25), strict=True):
        show(ax, PEOPLE[1:], B)
        carom.plot.swept_collision(capsule, PEOPLE[:1], (8, 0), margin=margin, ax=ax)
        if legend := ax.get_legend():
            legend.remove()
        time = carom.swept_collision(capsule, PEOPLE[:1], (8, 0), margin=margin).time
        name = f"margin {margin:g}" if margin else "without a margin"
        ax.set_title(f"{name}: time {time:.3g}")


def nearest(axes: list[Axes]) -> None:
    """The nearest shop of each house, and the two nearest of several kinds of shapes."""
    houses = carom.Shapes.from_points([(0, 0), (4, 1), (1, 6), (6, 5)])
    shops = carom.Shapes.from_points([(3, 4), (6, 1), (0, 9)])
    here = carom.Shapes.from_points([(3, 2.5)])
    kinds = [
        shapely.Polygon(box(0, 0, 1.5, 1.5)),
        shapely.LineString([(0, 5), (2, 4.5), (3, 6)]),
        shapely.Point(6, 5),
        shapely.Polygon([(5, 0), (7, 0), (7, 2)]),
    ]
    rows = carom.Shapes(kinds).with_radius([0.25, 0, 1, 0])
    for ax, a, b, k in zip(axes, (houses, here), (shops, rows), (1, 2), strict=True):
        pairs, distance = carom.nearest(a, b, k=k)
        for column, color in ((b, B), (a, A)):
            show(ax, column, color)
            is_dot = (column.kind == 0) & (column.radius == 0)
            ax.plot(*column.centroid[is_dot].T, "o", color=color, markersize=6, zorder=5)
        found = carom.distance_batch(a, b, pairs=pairs)
        for ends, gap in zip(
            np.stack([found.closest_a, found.closest_b], 1), distance, strict=True
        ):
            ax.plot(*ends.T, "-", color=ANSWER)
            ax.annotate(f"{gap:.3g}", ends.mean(axis=0), (4, 4), textcoords="offset points")
        ax.set_title("the nearest of each" if k == 1 else f"the {k} nearest")


def ray_cast(axes: list[Axes]) -> None:
    """A range sensor among posts and a wall, and a line of sight."""
    ax, sight = axes
    posts = [shapely.Point(4, 0), shapely.Point(0, 5), shapely.LineString([(-3, -3), (-3, 3)])]
    scene = carom.Shapes([*posts, shapely.box(2, 3, 5, 5)]).with_radius([1, 1.5, 0, 0])
    angles = np.radians(np.arange(0, 360, 15))
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    scan = carom.ray_cast((0, 0), ways, scene, length=6)
    show(ax, scene, B)
    for way, hit, time in zip(ways, scan.hit, scan.time, strict=True):
        end = way * (time if hit else 6.0)
        ax.plot(*np.stack([(0, 0), end]).T, color=ANSWER if hit else "0.8", linewidth=1)
    ax.plot(*scan.point[scan.hit].T, "o", color=ANSWER, markersize=4)
    ax.set_title(f"{scan.hit.sum()} of {len(ways)} rays meet a shape")
    eye, pillars = (0, 3), [box(2, 0, 3, 2), box(5, 0, 6, 4)]
    seen = carom.ray_cast(eye, (9, 0), pillars, length=1)
    show(sight, pillars, B)
    sight.plot(*np.stack([eye, seen.point]).T, "o-", color=ANSWER)
    stroke(sight, seen.point, seen.point + 1.5 * seen.normal, "normal")
    sight.plot([seen.point[0], 9], [3, 3], ":", color="0.5")
    sight.set_title(f"shape {seen.row}, at time {seen.time:.3g}")


def locate(axes: list[Axes]) -> None:
    """Points inside, on the boundary of and outside a frame."""
    frame = [box(0, 0, 8, 6), box(2, 2, 6, 4)]
    x, y = np.meshgrid(np.arange(-1.0, 10.0), np.arange(-1.0, 8.0))
    points = np.stack([x.ravel(), y.ravel()], axis=-1)
    side = carom.locate(points, frame)
    show(axes[0], [frame], A)
    for value, color, name in ((1, ANSWER, "inside"), (0, "k", "boundary"), (-1, "0.7", "outside")):
        some = points[side == value]
        axes[0].plot(*some.T, "o", color=color, markersize=4, label=f"{value}: {name}")
    axes[0].set_aspect("equal")
    axes[0].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def frames(axes: list[Axes]) -> None:
    """Plots by their use, one zoomed shift, the shifts of all houses, and their arrivals."""
    road = shapely.LineString([(0, 0), (60, 12), (120, 8)]).buffer(4)
    places = [(6, 0), (22, 8), (42, 6), (60, 15), (78, 5), (98, 16)]
    houses = carom.Shapes([shapely.box(x, y, x + 9, y + 6) for x, y in places])
    uses = ["barn", "house", "house", "shed", "house", "barn"]
    carom.plot.shapes(road, ax=axes[0], facecolors="0.9", edgecolors="0.6")
    carom.plot.shapes(houses, array=uses, ax=axes[0])
    carom.plot.penetration(houses[2], road, ax=axes[1])
    carom.plot.penetration(houses, road, ax=axes[2])
    carom.plot.swept_collision(houses.translate((0, 22)), road, (-6, -24), ax=axes[3])


def of_job(heading: str) -> Callable[[list[Axes]], None]:
    """The picture that a section of the page about jobs draws."""

    def fill(axes: list[Axes]) -> None:
        text = (IMAGES.parent / "jobs.md").read_text(encoding="utf-8")
        section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        names: dict[str, Any] = {"ax": axes[0]}
        with redirect_stdout(StringIO()):
            for example in doctest.DocTestParser().get_examples(section):
                source = example.source
                if source.startswith("ax = carom.plot.") and "ax=ax" not in source:
                    source = source.rstrip().removesuffix(")") + ", ax=ax)"
                exec(source, names)

    return fill


# What is drawn, on how many axes.
PICTURES: dict[str, tuple[Callable[[list[Axes]], None], int]] = {
    "tutorial": (tutorial, 1),
    "tutorial-points": (points_in_zones, 2),
    "tutorial-robot": (robot, 2),
    "intersects": (intersects, 2),
    "sat": (sat, 2),
    "penetration": (penetration, 4),
    "swept_collision": (swept_collision, 4),
    "circle_polygon": (circle_polygon, 2),
    "distance": (distance, 2),
    "shapes": (shapes, 2),
    "joins": (joins, 1),
    "trajectories": (trajectories, 2),
    "first_contact": (first_contact, 2),
    "plot-motion": (motion, 4),
    "plot-frames": (frames, 4),
    "nearest": (nearest, 2),
    "ray_cast": (ray_cast, 2),
    "locate": (locate, 1),
    "jobs-planner": (of_job("I have a planner"), 1),
    "jobs-log": (of_job("I have a log"), 1),
    "jobs-grid": (of_job("I have a grid"), 1),
    "jobs-scanner": (of_job("I have a scanner"), 1),
    "jobs-trailers": (of_job("I have a vehicle with trailers"), 1),
    "jobs-layer": (of_job("I have a layer"), 1),
    "jobs-storm": (of_job("I have a storm"), 1),
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

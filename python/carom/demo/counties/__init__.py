"""`python -m carom demo counties`: which areas a storm reaches, in which order and when."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import carom
from carom.commands.report_text import aligned, count

from .datasets import DATA, Areas, DataError, load
from .weather import BOW, LEG_HOURS, RADIUS, circle_arrivals, shape_arrivals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .weather import Arrivals, Floats, Integers

__all__ = ["DATA", "PICTURE", "DataError", "pictures", "run"]

SHOWN = 12  # lines of a table, without --all
NAMES = ("storm", "front", "neighbours")
PICTURE = Path("carom-counties.png")


def run(
    data: str | None = None, picture: Path | None = None, *, show_all: bool = False
) -> Iterator[str]:
    """Yields the report's lines; draws the pictures at the end if there is a path for them.

    Raises `DataError` for data that aren't installed, `OSError` for a file that can't be written,
    `ImportError` for a picture without matplotlib.
    """
    areas = load(data)
    limit = None if show_all else SHOWN
    storm = circle_arrivals(areas.storm, RADIUS, areas.column)
    front = shape_arrivals(areas.front, BOW, areas.column)
    hull = shape_arrivals(areas.front, carom.convex_hull(BOW), areas.column)
    yield from headline(areas)
    yield ""
    yield from storm_report(areas, storm, limit)
    yield ""
    yield from front_report(areas, front, hull, limit)
    yield ""
    began = time.perf_counter()
    pairs = carom.colliding_pairs(areas.column)
    seconds = time.perf_counter() - began
    yield from neighbour_report(areas, pairs, seconds, limit)
    if picture:
        yield from draw(areas, storm, front, pairs, picture)


def headline(areas: Areas) -> Iterator[str]:
    """Yields a description of the data, and the credit."""
    polygons, vertices = len(areas.column), len(areas.column.coords)
    yield (
        f"{count(len(areas.names), *areas.nouns)} of {polygons:,} polygons and "
        f"{vertices:,} vertices, in degrees"
    )
    yield areas.credit
    if areas.nouns[0] == "country":
        yield "For the counties of the United States: pip install 'carom[data]'"


def storm_report(areas: Areas, storm: Arrivals, limit: int | None) -> Iterator[str]:
    """Yields the areas that the circle reaches, when and where."""
    first = areas.first_of_each(storm.hours)
    seen = areas.any_of_each(storm.sampled)[areas.owners[first]]
    legs = len(areas.storm) - 1
    yield (
        f"A storm {2 * RADIUS:g} degrees across, on {legs} legs of {LEG_HOURS:g} hours, reaches "
        f"{count(len(first), *areas.nouns)}:"
    )
    yield ""
    remarks = ["" if here else "misses" for here in seen]
    yield from arrival_table(areas, storm, first, ("sampling", remarks), limit)
    yield ""
    yield (
        f"At its positions every {LEG_HOURS:g} hours (sampling), it touches {np.sum(seen):,} of "
        f"them. {speed(storm, 'circle')}"
    )


def front_report(areas: Areas, front: Arrivals, hull: Arrivals, limit: int | None) -> Iterator[str]:
    """Yields the areas that the front reaches, and the error that its convex hull would cause."""
    first = areas.first_of_each(front.hours)
    early = front.hours[first] - first_hours(areas, hull)[areas.owners[first]]
    legs = len(areas.front) - 1
    yield (
        f"A front shaped like a crescent, tips ahead, on {legs} legs of {LEG_HOURS:g} hours, "
        f"reaches {count(len(first), *areas.nouns)}:"
    )
    yield ""
    remarks = [f"{hours:.2f} h early" if hours > 0.005 else "" for hours in early]
    yield from arrival_table(areas, front, first, ("convex hull", remarks), limit)
    yield ""
    yield (
        f"Its convex hull would come too early to {np.sum(early > 0.005):,} of them, by up to "
        f"{max(early, default=0.0):.1f} hours. {speed(front, 'front')}"
    )


def first_hours(areas: Areas, arrivals: Arrivals) -> Floats:
    """Returns the time at which each area is reached."""
    hours = np.full(len(areas.names), np.inf)
    np.minimum.at(hours, areas.owners, arrivals.hours)
    return hours


def arrival_table(
    areas: Areas,
    arrivals: Arrivals,
    polygons: Integers,
    remark: tuple[str, list[str]],
    limit: int | None,
) -> Iterator[str]:
    """Yields one line for each of these polygons, up to the limit."""
    heading, remarks = remark
    rows = [("hour", "leg", "area", "longitude", "latitude", heading)]
    for polygon, words in zip(polygons[:limit], remarks, strict=False):
        hour, leg = arrivals.hours[polygon], arrivals.legs[polygon] + 1
        x, y = arrivals.points[polygon]
        name = areas.names[areas.owners[polygon]]
        rows.append((f"{hour:.2f}", str(leg), name, f"{x:.2f}", f"{y:.2f}", words))
    yield from aligned(rows)
    yield from more(len(polygons), limit)


def more(number: int, limit: int | None) -> Iterator[str]:
    """Yields the number of lines left out, if any."""
    if limit and number > limit:
        yield f"  and {number - limit:,} more; --all shows them"


def speed(arrivals: Arrivals, mover: str) -> str:
    """Returns the number of sweeps and their time."""
    sweeps = count(arrivals.queries, "sweep")
    return f"{sweeps} of a {mover} past a polygon took {arrivals.seconds * 1e3:,.1f} ms."


def neighbour_report(
    areas: Areas, pairs: Integers, seconds: float, limit: int | None
) -> Iterator[str]:
    """Yields the areas with the most neighbours."""
    numbers = neighbours(areas, pairs)
    alone = count(int(np.sum(numbers == 0)), *areas.nouns)
    yield (
        f"{count(pairs.shape[1], 'pair')} of polygons touch, found in {seconds * 1e3:,.1f} ms. "
        f"Without a neighbour: {alone}. Most neighbours:"
    )
    yield ""
    order = np.argsort(-numbers, kind="stable")
    rows = [(f"{numbers[area]}", areas.names[area]) for area in order[:limit]]
    yield from aligned([("neighbours", "area"), *rows])
    yield from more(len(order), limit)


def neighbours(areas: Areas, pairs: Integers) -> Integers:
    """Returns the number of other areas that each area touches."""
    a, b = np.sort(areas.owners[pairs], axis=0)
    together = np.unique(np.stack([a, b])[:, a != b], axis=1)
    return np.bincount(together.ravel(), minlength=len(areas.names))


def pictures(path: Path) -> list[Path]:
    """Returns the paths of the three maps: storm, front and neighbours."""
    return [path.with_stem(f"{path.stem}-{name}") for name in NAMES]


def draw(
    areas: Areas, storm: Arrivals, front: Arrivals, pairs: Integers, picture: Path
) -> Iterator[str]:
    """Draws the three maps, and yields their paths."""
    from . import maps

    paths = pictures(picture)
    maps.draw_storm(areas, storm, paths[0])
    maps.draw_front(areas, front, paths[1])
    maps.draw_neighbours(areas, neighbours(areas, pairs), paths[2])
    yield ""
    yield f"Pictures: {', '.join(map(str, paths))}"

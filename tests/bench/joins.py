"""Joins and trajectories beside Shapely's tree, in one run: python tests/bench/joins.py

Prints a Markdown table and writes joins.csv beside this file: the least wall time of several
rounds, in each of which all contestants run. Both libraries start from polygons built before and
build a new index every time. Shapely runs on one thread, carom on as many as the row says. The
counties need `pip install bokeh_sampledata`; without it the map is Natural Earth's countries alone.

Points in polygons start from GeoSeries, whose conversion counts. GeoPandas' `sjoin` gives a frame,
carom the pairs of rows. Both are asked in both orders of their arguments, which differ for
GeoPandas.

Moving vehicles have no peer: Shapely tests them at their start positions. A trajectory is tested
with Shapely by the convex hull of the footprint at both ends of each step, which is the same answer
as long as obstacles rest, footprints keep their headings and nobody asks when.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import carom
import geopandas
import numpy as np
import shapely
from growth import HERE, human, machine_name, write
from numpy.typing import NDArray

Floats = NDArray[np.float64]
COLUMNS = ("machine", "date", "what", "size", "contestant", "threads", "seconds", "answer")
CAR = np.array([(-2.5, -1.0), (2.5, -1.0), (2.5, 1.0), (-2.5, 1.0)])


@dataclass(frozen=True)
class Task:
    """A query, the number of rows, and a contestant with its number of threads and its work."""

    what: str
    size: int
    contestants: list[tuple[str, int, Callable[[], int]]]


def main() -> None:
    """Measures, prints and writes."""
    options = arguments()
    machine, date = machine_name(), dt.datetime.now(dt.UTC).date().isoformat()
    print(f"Shapely {shapely.__version__}, GEOS {shapely.geos_version_string}, {machine}\n")
    print("| what | of | who | threads | time | answer |\n|---|---:|---|---:|---:|---:|")
    rows = []
    for task in tasks(options.most):
        for row in measured(task, options.rounds):
            print("| " + " | ".join(cells(row)) + " |", flush=True)
            rows.append({"machine": machine, "date": date, **row})
    write(options.csv, rows, COLUMNS)


def arguments() -> argparse.Namespace:
    """Returns what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, default=1_000_000, help="of the moving vehicles")
    parser.add_argument("--csv", type=Path, default=HERE / "joins.csv")
    return parser.parse_args()


def cells(row: dict[str, Any]) -> list[str]:
    """Returns a row as text."""
    seconds = human(float(row["seconds"]))
    return [*(str(row[name]) for name in COLUMNS[2:6]), seconds, str(row["answer"])]


def measured(task: Task, rounds: int) -> Iterator[dict[str, Any]]:
    """Yields a row for each contestant; all must have the same answer."""
    best = [float("inf")] * len(task.contestants)
    answers = [0] * len(task.contestants)
    for _ in range(rounds):
        for place, (_, _, work) in enumerate(task.contestants):
            start = time.perf_counter()
            answers[place] = work()
            best[place] = min(best[place], time.perf_counter() - start)
    if len(set(answers)) > 1:
        raise AssertionError(f"{task.what}: {answers}")
    for (name, threads, _), seconds, answer in zip(task.contestants, best, answers, strict=True):
        yield {
            "what": task.what,
            "size": task.size,
            "contestant": name,
            "threads": threads,
            "seconds": f"{seconds:.4g}",
            "answer": answer,
        }


def tasks(most: int) -> Iterator[Task]:
    """Yields all that is measured."""
    for name, areas in maps():
        yield neighbours(name, areas)
    size = 10_000
    while size <= most:
        yield vehicles(size)
        yield moving(size)
        size *= 10
    for name, areas in maps():
        yield inside(name.split()[0], areas)
    yield trajectories()
    yield drifting()


def maps() -> Iterator[tuple[str, NDArray[np.object_]]]:
    """Yields the polygons of each map there is."""
    with np.load(Path(carom.__file__).parent / "data" / "natural_earth.npz") as data:
        offsets = data["ring_offsets"], data["polygon_offsets"]
        column = carom.Shapes.from_ragged(data["coords"], *offsets)
    yield "countries that touch", polygons(column)
    try:
        from bokeh_sampledata import us_counties
    except ImportError:
        return
    geometries = [record["geometry"] for record in us_counties.records()]
    yield "counties that touch", shapely.get_parts(geometries)


def polygons(column: carom.Shapes) -> NDArray[np.object_]:
    """Returns the rows as Shapely's polygons."""
    rings = [row if isinstance(row, list) else [row] for row in column if row is not None]
    return np.array([shapely.Polygon(shell, holes) for shell, *holes in rings])


def neighbours(name: str, areas: NDArray[np.object_]) -> Task:
    """Returns the join of a map with itself."""
    _, coords, (rings, rows) = shapely.to_ragged_array(areas)
    column = carom.Shapes.from_ragged(coords, rings, rows)
    return Task(name, len(areas), static(column, areas))


def static(column: carom.Shapes, geometries: NDArray[np.object_]) -> list[Any]:
    """Returns who joins polygons at rest, each pair in both orders and each with itself."""
    cores = os.cpu_count() or 1

    def shapelys() -> int:
        return shapely.STRtree(geometries).query(geometries, predicate="intersects").shape[1]

    rows = np.arange(len(column))

    def fresh() -> carom.Shapes:
        return column[rows]  # equal, without the tree that a column keeps

    def caroms(threads: int) -> Callable[[], int]:
        def join() -> int:
            a = fresh()
            return carom.colliding_pairs(a, a, threads=threads).shape[1]

        return join

    def once(threads: int) -> Callable[[], int]:
        # A pair once, as a user of carom asks for it: the same pairs, counted alike.
        return lambda: 2 * carom.colliding_pairs(fresh(), threads=threads).shape[1] + len(column)

    return [
        ("Shapely's STRtree", 1, shapelys),
        ("carom, both orders", 1, caroms(1)),
        ("carom, each pair once", 1, once(1)),
        ("carom, each pair once", cores, once(cores)),
    ]


def fleet(size: int) -> tuple[Floats, Floats]:
    """Returns vehicles anywhere, with room for each, and how far they move."""
    rng = np.random.default_rng(size)
    side = np.sqrt(size) * 6
    places, headings = rng.random((size, 2)) * side, rng.random((size, 1)) * 2 * np.pi
    return carom.place(CAR, np.hstack([places, headings])), rng.normal(0, 2, (size, 2))


def vehicles(size: int) -> Task:
    """Returns the join of vehicles that stand."""
    rows, _ = fleet(size)
    return Task("standing vehicles", size, static(carom.Shapes(rows), shapely.polygons(rows)))


def moving(size: int) -> Task:
    """Returns the join of vehicles that move."""
    rows, velocities = fleet(size)
    column, cores = carom.Shapes(rows), os.cpu_count() or 1

    def join(threads: int) -> Callable[[], int]:
        return lambda: carom.colliding_pairs(column, velocity_a=velocities, threads=threads).shape[
            1
        ]

    return Task("moving vehicles", size, [("carom", n, join(n)) for n in (1, cores)])


def inside(name: str, areas: NDArray[np.object_]) -> Task:
    """Returns the join of a million points with the polygons of a map, in both orders."""
    corners = shapely.bounds(areas).reshape(-1, 2)
    low, high = np.percentile(corners, (10, 90), axis=0)  # without islands far away
    points = shapely.points(np.random.default_rng(17).uniform(low, high, (1_000_000, 2)))
    rows = {"points": points, name: areas}

    def geopandas_join(left: str, right: str) -> int:
        # A frame keeps its tree, so each round has frames of its own.
        a, b = (geopandas.GeoDataFrame(geometry=rows[name].copy()) for name in (left, right))
        return len(geopandas.sjoin(a, b))

    def carom_join(left: str, right: str) -> int:
        a, b = (geopandas.GeoSeries(rows[name].copy()) for name in (left, right))
        return carom.colliding_pairs(a, b, threads=1).shape[1]

    orders = (("points", name), (name, "points"))
    contestants = [
        (f"{who}({', '.join(order)})", 1, partial(join, *order))
        for who, join in (("GeoPandas sjoin", geopandas_join), ("carom", carom_join))
        for order in orders
    ]
    return Task(f"points in {name}", len(points), contestants)


def drive() -> tuple[Floats, Floats]:
    """Returns 2,000 bent trajectories of 50 poses among 300 vehicles that are parked."""
    rng = np.random.default_rng(1)
    bends, headings = rng.normal(0, 0.02, (2000, 1)), rng.random((2000, 1)) * 2 * np.pi
    angles = headings + bends * np.arange(50)
    steps = 2.0 * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    places = rng.random((2000, 1, 2)) * 400 + np.cumsum(steps, axis=1)
    parked = np.hstack([rng.random((300, 2)) * 400, rng.random((300, 1)) * 2 * np.pi])
    return np.concatenate([places, angles[..., None]], axis=-1), carom.place(CAR, parked)


def trajectories() -> Task:
    """Returns the first contacts with obstacles that rest, as the sum of their steps."""
    poses, parked = drive()
    poses[..., 2] = poses[:, :1, 2]
    column, geometries = carom.Shapes(parked), shapely.polygons(parked)

    def shapelys() -> int:
        placed = carom.place(CAR, poses)
        moves = np.diff(poses[..., :2], axis=1, append=poses[:, -1:, :2])
        ends = np.concatenate([placed, placed + moves[:, :, None]], axis=2)
        points = shapely.multipoints(shapely.points(ends.reshape(-1, 8, 2)))
        hulls = shapely.convex_hull(points)
        hits, _ = shapely.STRtree(geometries).query(hulls, predicate="intersects")
        first = np.full(len(poses), poses.shape[1])
        np.minimum.at(first, hits // poses.shape[1], hits % poses.shape[1])
        return int(first.sum())

    def caroms() -> int:
        steps = carom.first_contact(CAR, poses, column).step
        return int(np.where(steps < 0, poses.shape[1], steps).sum())

    cores = os.cpu_count() or 1
    contestants = [("Shapely, steps alone", 1, shapelys), ("carom", cores, caroms)]
    return Task("2,000 x 50 poses, headings kept, 300 parked", len(poses), contestants)


def drifting() -> Task:
    """Returns the first contacts with obstacles that move."""
    poses, parked = drive()
    column = carom.Shapes(parked)
    velocity = np.random.default_rng(2).normal(0, 1, (300, 2))

    def caroms() -> int:
        steps = carom.first_contact(CAR, poses, column, obstacle_velocity=velocity).step
        return int(np.where(steps < 0, poses.shape[1], steps).sum())

    cores = os.cpu_count() or 1
    return Task("2,000 x 50 poses, 300 moving", len(poses), [("carom", cores, caroms)])


if __name__ == "__main__":
    main()

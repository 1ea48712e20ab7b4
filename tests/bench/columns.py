"""The cost of making a column, and of converting in each call: python tests/bench/columns.py

Prints a Markdown table of milliseconds: the least of several rounds, in each of which all
contestants run. One thread: start it with `taskset -c 0`. The counties need `pip install
bokeh_sampledata`.
"""

from __future__ import annotations

import pickle
import platform
import time
from collections.abc import Callable
from typing import Any

import carom
import geopandas
import numpy as np
import shapely
from carom.interop import geopandas as cg

ROUNDS = 9
Contestants = dict[str, Callable[[], object]]


def main() -> None:
    """Prints the table."""
    print(
        f"Shapely {shapely.__version__}, GEOS {shapely.geos_version_string}, "
        f"NumPy {np.__version__}, Python {platform.python_version()}\n"
    )
    print("| what | ms |\n|---|---:|")
    for contestants in (quads(), counties(), geometries()):
        for name, best in timed(contestants).items():
            print(f"| {name} | {best * 1e3:.1f} |", flush=True)


def timed(contestants: Contestants) -> dict[str, float]:
    """Returns the least time of each, in seconds."""
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def quads() -> Contestants:
    """Returns what is done with a million rectangles that lie and point anywhere."""
    rng = np.random.default_rng(0)
    centers, angles = rng.uniform(-1000, 1000, (1_000_000, 1, 2)), rng.uniform(0, 7, 1_000_000)
    sine, cosine = np.sin(angles), np.cos(angles)
    turn = np.stack([np.stack([cosine, -sine], -1), np.stack([sine, cosine], -1)], -2)
    shape = np.array([(-2.5, -1), (2.5, -1), (2.5, 1), (-2.5, 1)])
    rows = np.einsum("nij,vj->nvi", turn, shape) + centers
    frozen = rows.copy()
    frozen.setflags(write=False)
    column = carom.Shapes(rows)
    stored = pickle.dumps(column, 5)
    return {
        "a million quads: numpy copy": rows.copy,
        "a million quads: Shapes": lambda: carom.Shapes(rows),
        "a million quads: Shapes, read-only array": lambda: carom.Shapes(frozen),
        "a million quads: unpickled": lambda: pickle.loads(stored),
        "a million quads: area": lambda: column.area,
        "a million quads: centroid": lambda: column.centroid,
        "a million quads: translate": lambda: column.translate((1, 2)),
        "a million quads: every second row": lambda: column[np.arange(0, len(column), 2)],
    }


def counties() -> Contestants:
    """Returns what is done with the US counties, nothing without their data."""
    try:
        from bokeh_sampledata import us_counties
    except ImportError:
        return {}
    shapes = shapely.get_parts([record["geometry"] for record in us_counties.records()])
    _, coords, (rings, polygons) = shapely.to_ragged_array(shapes)
    column = carom.Shapes.from_ragged(coords, rings, polygons)

    def ragged(check: bool) -> object:
        return carom.Shapes.from_ragged(coords, rings, polygons, check=check)

    return {
        "US counties: from_ragged": lambda: ragged(check=True),
        "US counties: from_ragged, check=False": lambda: ragged(check=False),
        "US counties: from_shapely": lambda: carom.Shapes.from_shapely(shapes),
        "US counties: from_shapely, check=False": lambda: carom.Shapes.from_shapely(
            shapes, check=False
        ),
        "US counties: shapely.is_valid": lambda: shapely.is_valid(shapes),
        "US counties: shapely.to_ragged_array": lambda: shapely.to_ragged_array(shapes),
        "US counties: area": lambda: column.area,
        "US counties: shapely.area": lambda: shapely.area(shapes),
        "US counties: centroid": lambda: column.centroid,
        "US counties: shapely.centroid": lambda: shapely.centroid(shapes),
    }


def geometries() -> Contestants:
    """Returns what is done with Shapely's geometries, 100,000 in a series or two in a call."""
    places = np.random.default_rng(0).uniform(0, 1000, (2, 100_000))
    points = geopandas.GeoSeries(shapely.points(*places))
    boxes = geopandas.GeoSeries(shapely.box(*places, *(places + 1.0)))
    column, middle = cg.column(boxes), shapely.box(400, 400, 600, 600)
    pair = shapely.box(0, 0, 2, 1), shapely.box(1, 1, 3, 3)
    arrays = [np.array(it.exterior.coords[:-1]) for it in pair]

    def thousand(a: Any, b: Any) -> object:
        return [carom.intersects(a, b) for _ in range(1000)]

    return {
        "100,000 points: column": lambda: cg.column(points),
        "100,000 boxes: column": lambda: cg.column(boxes),
        "100,000 boxes, one box: intersects": lambda: cg.intersects(boxes, middle),
        "100,000 boxes, one box: intersects of a column": lambda: cg.intersects(column, middle),
        "100,000 boxes, one box: GeoPandas' intersects": lambda: boxes.intersects(middle),
        "two boxes: intersects of Shapely's, 1000 times": lambda: thousand(*pair),
        "two boxes: intersects of arrays, 1000 times": lambda: thousand(*arrays),
    }


if __name__ == "__main__":
    main()

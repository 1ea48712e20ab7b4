"""carom.dask and its namesakes, of shapes at rest: python tests/bench/dask_at_rest.py

Two frames of boxes with an attribute, in memory and in spatial order, as 8 persisted partitions; on
average a box is in each 36 square metres. Boxes of up to 3 metres meet rarely, of up to 9 often.
Dask uses the threads of this process; one call on one machine has one thread and takes the frames.

The result is the least processor time of several rounds, the construction of the graph included.
Both must find as many rows. Writes dask_at_rest.csv beside this file.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import time
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import carom
import carom.dask as cd
import dask_geopandas
import geopandas
import numpy as np
import shapely
from carom.interop import geopandas as cg
from dask_moving import COLUMNS, ROOM, save, show
from growth import HERE, machine_name

PARTITIONS = 8
SIDES = (3.0, 9.0)
"""Metres: the greatest side of a box."""


def main() -> None:
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="1e5,1e6", help="of each frame, sizes in turn")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv", type=Path, default=HERE / "dask_at_rest.csv")
    options = parser.parse_args()
    facts = {"machine": machine_name(), "date": dt.datetime.now(dt.UTC).date().isoformat()}
    print("| boxes | rows | who | s | µs per row | ratio | rows found | |")
    print("|---|---:|---|---:|---:|---:|---:|---|")
    rows = []
    for count, side in product(options.rows.split(","), SIDES):
        for row in measured(int(float(count)), side, options.rounds):
            show(row)
            rows.append({**facts, **row})
        save(options.csv, rows, COLUMNS)


def boxes(seed: int, count: int, side: float) -> geopandas.GeoDataFrame:
    """Returns boxes in spatial order, along a Hilbert curve."""
    rng = np.random.default_rng(seed)
    low = rng.random((count, 2)) * math.sqrt(count) * ROOM
    high = low + rng.uniform(0.5, side, (count, 2))
    made = geopandas.GeoDataFrame(
        {"number": np.arange(count)}, geometry=shapely.box(*low.T, *high.T), crs=32633
    )
    order = made.hilbert_distance().sort_values(kind="stable").index
    return made.loc[order].reset_index(drop=True)


def measured(count: int, side: float, rounds: int) -> list[dict[str, Any]]:
    """Returns a row for each function on one machine, and one for it on Dask."""
    frames = boxes(1, count, side), boxes(2, count, side)
    parts = [dask_geopandas.from_geopandas(it, npartitions=PARTITIONS).persist() for it in frames]
    one = {
        "colliding_pairs": lambda: len(cg.colliding_pairs(*frames, threads=1)),
        "sjoin": lambda: len(cg.sjoin(*frames, threads=1)),
        "nearest": lambda: len(tuple(carom.nearest(*frames, threads=1))[1]),
        "sjoin_nearest": lambda: len(cg.sjoin_nearest(*frames, threads=1)),
    }
    rows = []
    for name, alone in one.items():
        joined = partial(computed, getattr(cd, name), parts)
        best, found = [math.inf] * 2, [0, 0]
        for _ in range(rounds):
            for which, work in enumerate((alone, joined)):
                start = time.process_time()
                found[which] = work()
                best[which] = min(best[which], time.process_time() - start)
        if found[0] != found[1]:
            raise AssertionError(f"{name}: {found[1]} rows, expected {found[0]}")
        for who, seconds in zip(("one call", "Dask, threads"), best, strict=True):
            cost = {"seconds": f"{seconds:.3f}", "per_row": f"{seconds / count * 1e6:.2f}"}
            kinds = {"fleet": f"sides to {side:g} m", "rows": count, "who": f"{who}, {name}"}
            ratio = f"{seconds / best[0]:.2f}"
            rows.append({**kinds, **cost, "ratio": ratio, "pairs": found[0], "peak_mib": ""})
    return rows


def computed(function: Any, parts: list[Any]) -> int:
    """Returns how many rows the function finds on Dask."""
    return len(function(*parts).compute())


if __name__ == "__main__":
    main()

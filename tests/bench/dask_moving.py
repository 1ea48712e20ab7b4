"""A fleet joined in motion, on Dask and on one machine: python tests/bench/dask_moving.py

Vehicles with velocities, in tiles of 100,000 rows, each of which is a GeoParquet file. Each
contestant starts from the files and ends with the labels of all pairs that meet within the frame:

- one machine, GeoDataFrame: geopandas.read_parquet, carom.interop.geopandas.colliding_pairs;
- one machine, WKB: pyarrow.parquet.read_table, carom.Shapes.from_arrow, carom.colliding_pairs;
- Dask, GeoDataFrame: dask_geopandas.read_parquet, carom.dask.colliding_pairs;
- Dask, WKB: dask.dataframe.read_parquet, which leaves the geometries as WKB, in Arrow's arrays,
  and the same join;
- Dask, memory kept, WKB: workers whose allocator doesn't give memory back to the system at once;
- Dask, threads, GeoDataFrame or WKB: with the default scheduler, in one process;
- Dask, threads, boxes: the call of the join alone, which reads all geometries for the boxes of the
  partitions, and doesn't compute the pairs;
- one machine and Dask, threads, in memory: the join alone, of GeoDataFrames that were read before.

One machine has one thread. Dask has a LocalCluster of two workers of one thread each, which the
nanny ends if they take more memory than --memory.

There are two fleets. The random one has a vehicle in each 36 square metres on average; its pairs
are compared with those of carom.iter_colliding_pairs from the arrays that the files were made of.
The pairs of the lattice are known without a join (tests/lattice.py): its vehicles touch at the end
of the frame, or miss by a rounding step. Compared are the number of pairs, and a checksum over the
labels. The result is the least processor time of several rounds, of client, scheduler and workers
together; the ratio is to one machine that reads the same way. Writes dask_moving.csv, beside this
file.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import carom
import carom.dask
import dask
import dask.dataframe as dd
import dask_geopandas
import geopandas
import numpy as np
import pandas as pd
import pyarrow.parquet
import shapely
from carom.interop import geopandas as cg
from distributed import Client, LocalCluster
from growth import HERE, machine_name
from growth import write as save
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))
from generators.lattice import known_pairs, moving_boxes

Floats = NDArray[np.float64]
NUMBERS = ("seconds", "per_row", "ratio", "pairs", "peak_mib")
COLUMNS = ("machine", "date", "fleet", "rows", "who", *NUMBERS)
CAR = np.array([(-2.5, -1.0), (2.5, -1.0), (2.5, 1.0), (-2.5, 1.0)])
VELOCITY = ("vx", "vy")
TILE = 100_000
"""Rows of a partition."""
WIDTH = 800
"""Vehicles in a line of the lattice; the last line of a tile has the lower half of blocks."""
ROOM = 6.0
"""Metres; each vehicle has a square of this side for itself on average."""
GEO, WKB, MEMORY = "GeoDataFrame", "WKB", "in memory"
AT_HOME = "one machine, "
ENVIRONMENT = "distributed.nanny.pre-spawn-environ"
KEPT = {
    f"{ENVIRONMENT}.MALLOC_TRIM_THRESHOLD_": 2**28,
    f"{ENVIRONMENT}.MALLOC_MMAP_THRESHOLD_": 2**25,
}
"""Dask has its workers return more than 64 KiB at once, so that each array has page faults."""


class Summary(NamedTuple):
    """How many pairs there are, and a checksum that doesn't depend on their order."""

    pairs: int
    checksum: int


class Spent(NamedTuple):
    """Seconds of processor time, and the greatest memory of a process in MiB."""

    seconds: float
    peak: int


def main() -> None:
    """Measures, prints and writes."""
    options = arguments()
    facts = {"machine": machine_name(), "date": dt.datetime.now(dt.UTC).date().isoformat()}
    print("| fleet | rows | who | s | µs per row | ratio | pairs | peak, MiB |")
    print("|---|---:|---|---:|---:|---:|---:|---:|")
    rows = []
    sizes = [int(float(it)) for it in options.rows.split(",")]
    for size, fleet in product(sizes, options.fleets.split(",")):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            for row in measured(fleet, size, Path(folder), options):
                show(row)
                rows.append({**facts, **row})
            save(options.csv, rows, COLUMNS)


def show(row: dict[str, Any]) -> None:
    """Prints a row of a table."""
    print("| " + " | ".join(str(row[name]) for name in COLUMNS[2:]) + " |", flush=True)


def arguments() -> argparse.Namespace:
    """Returns what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="1e5,1e6,1e7", help="sizes of the fleet")
    parser.add_argument("--fleets", default="random,lattice")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--once", type=float, default=1e7, help="rows that are joined but once")
    parser.add_argument("--memory", default="1.5GiB", help="of each worker")
    parser.add_argument("--folder", type=Path, help="where the files are written")
    parser.add_argument("--csv", type=Path, default=HERE / "dask_moving.csv")
    return parser.parse_args()


def random_tile(tile: int, tiles: int) -> tuple[Floats, Floats]:
    """Returns the vehicles of a tile, and how far they move: row by row of a square of tiles."""
    rng = np.random.default_rng(tile)
    side, width = math.sqrt(TILE) * ROOM, math.isqrt(tiles - 1) + 1
    corner = np.array((tile % width, tile // width))
    places = (rng.random((TILE, 2)) + corner) * side
    headings = rng.random((TILE, 1)) * 2 * np.pi
    return carom.place(CAR, np.hstack([places, headings])), rng.normal(0, 2, (TILE, 2))


def lattice_tile(tile: int, _: int) -> tuple[Floats, Floats]:
    """Returns the vehicles of some lines of the lattice, and how far they move."""
    return moving_boxes(np.arange(TILE) + tile * TILE, WIDTH)


def write(folder: Path, tiles: int, fleet: Callable[[int, int], tuple[Floats, Floats]]) -> None:
    """Writes each tile into a file; the labels are numbers through all tiles."""
    for tile in range(tiles):
        rings, velocity = fleet(tile, tiles)
        frame = geopandas.GeoDataFrame(
            dict(zip(VELOCITY, velocity.T, strict=True)),
            geometry=shapely.polygons(rings),
            index=pd.Index(np.arange(TILE) + tile * TILE, name="vehicle"),
            crs=32633,
        )
        frame.to_parquet(folder / f"{tile:05}.parquet")


def independent(tiles: int) -> Summary:
    """Returns the pairs of all tiles in one column, from arrays, piece by piece."""
    made = [random_tile(tile, tiles) for tile in range(tiles)]
    column = carom.Shapes(np.concatenate([rings for rings, _ in made]))
    velocity = np.concatenate([velocity for _, velocity in made])
    del made
    pieces = carom.iter_colliding_pairs(column, velocity_a=velocity)
    return total(summary(i, j) for i, j in pieces)


def known(tiles: int) -> Summary:
    """Returns the pairs of the lattice."""
    return summary(*known_pairs(tiles * TILE, WIDTH))


def summary(i: NDArray[np.int64], j: NDArray[np.int64]) -> Summary:
    """Returns the summary of pairs of labels."""
    one, other = i.astype(np.uint64), j.astype(np.uint64)
    mixed = (one * np.uint64(0x9E3779B97F4A7C15)) ^ (other * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed ^= mixed >> np.uint64(29)
    return Summary(len(i), int((mixed * np.uint64(0xBF58476D1CE4E5B9)).sum()))


def total(summaries: Iterator[Summary]) -> Summary:
    """Returns the summary of the pairs of all."""
    pairs, checksum = 0, 0
    for it in summaries:
        pairs, checksum = pairs + it.pairs, (checksum + it.checksum) % 2**64
    return Summary(pairs, checksum)


def at_home(folder: Path) -> Summary:
    """Returns the pairs of one machine, from a GeoDataFrame."""
    return of_frame(geopandas.read_parquet(folder))


def of_frame(frame: geopandas.GeoDataFrame) -> Summary:
    """Returns the pairs of a GeoDataFrame."""
    found = cg.colliding_pairs(frame, velocity_a=VELOCITY, threads=1)
    return summary(found["a"].to_numpy(), found["b"].to_numpy())


def at_home_wkb(folder: Path) -> Summary:
    """Returns the pairs of one machine, from WKB."""
    table = pyarrow.parquet.read_table(folder, use_threads=False)
    velocity = np.stack([table[name].to_numpy() for name in VELOCITY], axis=-1)
    column = carom.Shapes.from_arrow(table["geometry"])
    labels = table["vehicle"].to_numpy()
    i, j = carom.colliding_pairs(column, velocity_a=velocity, threads=1)
    return summary(labels[i], labels[j])


def on_dask(rows: Any) -> Summary:
    """Returns the pairs that Dask finds, with the scheduler that is set."""
    pairs = carom.dask.colliding_pairs(rows, velocity_a=VELOCITY)
    meta = pd.DataFrame({"pairs": [0], "checksum": np.zeros(1, dtype=np.uint64)})
    table = pairs.map_partitions(summary_frame, meta=meta).compute()
    return total(Summary(int(p), int(c)) for p, c in table.itertuples(index=False))


def summary_frame(pairs: pd.DataFrame) -> pd.DataFrame:
    """Returns the summary of a partition of the result."""
    found = summary(pairs["a"].to_numpy(), pairs["b"].to_numpy())
    return pd.DataFrame({"pairs": [found.pairs], "checksum": np.array([found.checksum], np.uint64)})


def measured(
    fleet: str, size: int, folder: Path, options: argparse.Namespace
) -> Iterator[dict[str, Any]]:
    """Yields a row for each contestant; all must find the same pairs."""
    tiles = size // TILE
    rounds = options.rounds if size < options.once else 1
    make, count = FLEETS[fleet]
    in_process(write, folder, tiles, make)
    expected, _ = in_process(count, tiles)
    contestants: dict[str, Callable[[], Any]] = {}
    with ExitStack() as stack:
        # One machine holds all rows as Shapely's objects, which is too much for the largest fleet.
        if size < options.once:
            contestants[AT_HOME + GEO] = partial(in_process, at_home, folder)
            contestants[AT_HOME + MEMORY] = partial(
                in_process, of_frame, folder, read=geopandas.read_parquet
            )
            contestants[f"Dask, threads, {MEMORY}"] = partial(
                in_process, on_dask, folder, read=persisted
            )
            contestants[f"Dask, threads, {GEO}"] = partial(
                in_process, on_threads, dask_geopandas.read_parquet, folder
            )
        contestants[AT_HOME + WKB] = partial(in_process, at_home_wkb, folder)
        workers = partial(on_cluster, options.memory, folder=folder)
        contestants[f"Dask, {GEO}"] = partial(workers, dask_geopandas.read_parquet)
        contestants[f"Dask, {WKB}"] = partial(workers, read_wkb)
        contestants[f"Dask, memory kept, {WKB}"] = partial(workers, read_wkb, settings=KEPT)
        contestants[f"Dask, threads, {WKB}"] = partial(in_process, on_threads, read_wkb, folder)
        for name, read in ((GEO, dask_geopandas.read_parquet), (WKB, read_wkb)):
            contestants[f"Dask, threads, boxes, {name}"] = partial(in_process, boxes, read, folder)
        stack.enter_context(dask.config.set({"dataframe.convert-string": False}))
        best = {name: Spent(math.inf, 0) for name in contestants}
        for _ in range(rounds):
            for name, work in contestants.items():
                found, spent = work()
                if found is not None and found != expected:
                    raise AssertionError(f"{size} rows, {name}: {found}, expected {expected}")
                best[name] = min(best[name], spent)
    for name, (seconds, peak) in best.items():
        home = best.get(AT_HOME + name.rpartition(", ")[2])
        ratio = f"{seconds / home.seconds:.2f}" if home else ""
        cost = {"seconds": f"{seconds:.3f}", "per_row": f"{seconds / size * 1e6:.2f}"}
        kinds = {"fleet": fleet, "rows": size, "who": name}
        yield {**kinds, **cost, "ratio": ratio, "pairs": expected.pairs, "peak_mib": peak}


def read_wkb(folder: Path) -> Any:
    """Returns a frame whose geometries are WKB in Arrow's arrays."""
    return dd.read_parquet(folder, dtype_backend="pyarrow")


def on_threads(read: Callable[..., Any], folder: Path) -> Summary:
    """Returns the pairs that Dask finds with its default scheduler."""
    return on_dask(read(folder))


def boxes(read: Callable[..., Any], folder: Path) -> None:
    """Finds the boxes of the partitions, and which of them meet."""
    carom.dask.colliding_pairs(read(folder), velocity_a=VELOCITY)


def persisted(folder: Path) -> Any:
    """Returns a frame whose partitions are in memory."""
    return dask_geopandas.read_parquet(folder).persist()


def on_cluster(
    memory: str,
    read: Callable[..., Any],
    folder: Path,
    settings: dict[str, int] | None = None,
) -> tuple[Summary, Spent]:
    """Returns the pairs that a cluster finds; the nanny restarts workers that grow too large."""
    keywords = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": memory}
    with (
        dask.config.set(settings or {}),
        LocalCluster(dashboard_address=":0", **keywords) as cluster,
        Client(cluster) as client,
    ):
        client.run(warm)
        before = sum(client.run(time.process_time).values()) + time.process_time()
        found = on_dask(read(folder))
        seconds = sum(client.run(time.process_time).values()) + time.process_time() - before
        return found, Spent(seconds, max(client.run(peak).values()))


def warm() -> None:
    """Imports what a worker needs, which the processes of the others have done as well."""
    import carom.dask  # noqa: F401
    import dask_geopandas  # noqa: F401


def in_process(
    function: Callable[..., Any], *arguments: Any, read: Callable[..., Any] | None = None
) -> tuple[Any, Spent]:
    """Returns what the function does in a process of its own, whose memory ends with it."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(timed, (function, read, *arguments))


def timed(
    function: Callable[..., Any], read: Callable[..., Any] | None, *arguments: Any
) -> tuple[Any, Spent]:
    """Returns the result of the function and its cost, excluding the reading if `read` is given."""
    if read is not None:
        arguments = (read(*arguments),)
    start = time.process_time()
    found = function(*arguments)
    return found, Spent(time.process_time() - start, peak())


def peak() -> int:
    """Returns the greatest memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


FLEETS = {"random": (random_tile, independent), "lattice": (lattice_tile, known)}
"""The tiles of each fleet, and the summary of its pairs."""

if __name__ == "__main__":
    main()

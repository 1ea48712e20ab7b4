"""Joins on a cluster of two processes: one of them killed, or both with little memory."""

from __future__ import annotations

import os
import signal
import time

import carom
import carom.dask as cd
import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely
from carom.interop import geopandas as cg
from distributed import Client, KilledWorker, LocalCluster

from generators.lattice import known_pairs, moving_boxes
from partitioned import VELOCITY, as_set, divided, moving_rows, same_rows

CAR = [(-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0)]
LIMIT = 400 * 2**20
"""Bytes that a worker may take; two fifths of them before it has any rows."""
WIDTH, TILE, TILES, POINTS = 100, 2_500, 84, 32
"""Of the lattice: boxes of a line, rows of a partition, partitions, and points on a side."""
# Workers that end leave sockets unclosed, and the event loop of the cluster warns of them.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("cluster"),
    pytest.mark.filterwarnings("default"),
]


@pytest.fixture(scope="module", name="client")
def _client():
    keywords = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**keywords) as cluster, Client(cluster) as client:
        yield client


def workers(client):
    return sorted(client.scheduler_info()["workers"])


@pytest.mark.usefixtures("client")
def test_joins_are_those_of_one_machine():
    a, one = divided(moving_rows(1, "p"), "sorted")
    b, other = divided(moving_rows(101, "q", 40), "sorted")
    motion = {"velocity_a": VELOCITY, "velocity_b": (0.5, -1.0)}
    pairs = cd.colliding_pairs(one, other, **motion, margin=0.5)
    itself = cd.colliding_pairs(one, velocity_a=VELOCITY)
    joined = cd.sjoin(one, other, how="left", **motion, fields=("time",))
    near = cd.nearest(one, other, k=3)
    found = dask.compute(pairs, itself, joined, near)
    assert as_set(found[0]) == as_set(cg.colliding_pairs(a, b, **motion, margin=0.5))
    assert as_set(found[1]) == as_set(cg.colliding_pairs(a, velocity_a=VELOCITY))
    same_rows(found[2], cg.sjoin(a, b, how="left", **motion, fields=("time",)))
    (i, j), distance = carom.nearest(a, b, k=3)
    table = pd.DataFrame({"a": a.index[i], "b": b.index[j], "distance": distance})
    pd.testing.assert_frame_equal(found[3].reset_index(drop=True), table)


def test_columns_move_from_one_worker_to_another(client):
    frame = moving_rows(1, "p")
    first, second = workers(client)
    column = client.submit(cg.column, frame, workers=[first], pure=False)
    moved = client.submit(lambda it: it, column, workers=[second], pure=False).result()
    assert moved.shapes == cg.column(frame).shapes
    assert moved.rows.equals(frame)
    shapes = client.submit(carom.Shapes, [CAR], workers=[first], pure=False)
    count = client.submit(
        lambda it: carom.colliding_pairs(it, it).shape[1], shapes, workers=[second], pure=False
    )
    assert count.result() == 1


def test_a_worker_killed_in_the_middle_is_survived(client):
    frame, _ = divided(moving_rows(1, "p", 200), "sorted")
    parts = np.array_split(np.arange(200), 10)

    def slowly(rows):
        time.sleep(0.2)
        return frame.iloc[rows]

    rows = dd.from_map(slowly, parts, meta=frame.iloc[:0])
    future = client.compute(cd.colliding_pairs(rows, velocity_a=VELOCITY))
    while not any(client.has_what().values()):
        time.sleep(0.02)
    pid = next(iter(client.run(os.getpid).values()))
    assert not future.done()
    os.kill(pid, signal.SIGKILL)
    assert as_set(future.result(timeout=60)) == as_set(
        cg.colliding_pairs(frame, velocity_a=VELOCITY)
    )
    client.wait_for_workers(2, timeout=60)
    assert pid not in client.run(os.getpid).values()


def tile(number):
    """A partition of rows of the lattice, as WKB; it ends in the middle of blocks."""
    labels = pd.RangeIndex(number * TILE, (number + 1) * TILE)
    rings, velocity = moving_boxes(labels, WIDTH, POINTS)
    wkb = pd.array(shapely.to_wkb(shapely.polygons(rings)), pd.ArrowDtype(pa.binary()))
    columns = {"geometry": wkb, "vx": velocity[:, 0], "vy": velocity[:, 1]}
    return pd.DataFrame(columns, index=labels)


def wide_tile(number):
    """The rows with many attributes."""
    return tile(number).assign(**{f"column {place}": 1.0 * place for place in range(20)})


def labels(joined):
    """The labels of joined rows."""
    return pd.DataFrame({"left": joined.index, "right": joined["index_right"].to_numpy()})


def one_column():
    """The number of rows of a column that has them all."""
    return len(carom.Shapes.from_arrow(pa.array(pd.concat(map(tile, range(TILES)))["geometry"])))


def test_a_join_has_more_rows_than_a_worker_may_hold():
    # The vertices alone are too many for one worker.
    assert TILES * TILE * 4 * POINTS * 16 > LIMIT
    keywords = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(**keywords, memory_limit=LIMIT) as cluster,
        Client(cluster) as client,
    ):
        pids = client.run(os.getpid)
        rows = dd.from_map(tile, range(TILES), meta=tile(0).iloc[:0])
        found = cd.colliding_pairs(rows, velocity_a=VELOCITY).compute()
        assert as_set(found) == set(map(tuple, known_pairs(TILES * TILE, WIDTH).T.tolist()))
        # No worker was ended by its nanny, which ends one that gathers them all.
        assert client.run(os.getpid) == pids
        with pytest.raises(KilledWorker):
            client.submit(one_column).result(timeout=120)


def test_a_wide_join_of_more_rows_than_a_worker_may_hold_ends():
    """Its workers are not paused for good by memory that is free between geometries."""
    tiles = 24
    keywords = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**keywords, memory_limit=LIMIT) as cluster, Client(cluster):
        rows = dd.from_map(wide_tile, range(tiles), meta=wide_tile(0).iloc[:0])
        motion = {"velocity_a": VELOCITY, "velocity_b": VELOCITY}
        found = cd.sjoin(rows, rows, **motion)
        meta = {"left": np.int64, "right": np.int64}
        pairs = found.map_partitions(labels, meta=meta).compute()
    count = tiles * TILE
    once = known_pairs(count, WIDTH)
    itself = np.tile(np.arange(count), (2, 1))
    expected = np.concatenate([once, once[::-1], itself], axis=1)
    assert set(map(tuple, pairs.to_numpy().tolist())) == set(map(tuple, expected.T.tolist()))
    assert len(pairs) == expected.shape[1]

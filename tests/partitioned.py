"""Rows in partitions, for the tests of joins on Dask."""

from __future__ import annotations

import dask
import dask.dataframe as dd
import dask_geopandas  # noqa: F401 - makes Dask frames of GeoDataFrames
import geopandas
import numpy as np
import pandas as pd
import shapely

VELOCITY = ("vx", "vy")


def moving_rows(seed, prefix, rows=60):
    """Boxes, lines, points and MultiPolygons on a lattice, some of them missing, that move."""
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 12, (2, rows)) / 1.0
    size = random.integers(1, 3, rows)
    boxes = shapely.box(x, y, x + size, y + 1)
    shapes = np.where(random.random(rows) < 0.2, shapely.boundary(boxes), boxes)
    shapes = np.where(random.random(rows) < 0.2, shapely.points(x, y), shapes)
    pairs = shapely.union(boxes, shapely.transform(boxes, lambda xy: xy + np.array((5, 0))))
    shapes = np.where(random.random(rows) < 0.2, pairs, shapes)
    shapes[random.random(rows) < 0.1] = None
    motion = random.integers(-2, 3, (rows, 2)) / 2.0
    return geopandas.GeoDataFrame(
        {"vx": motion[:, 0], "vy": motion[:, 1], "number": np.arange(rows)},
        geometry=shapes,
        index=[f"{prefix}{row}" for row in range(rows)],
        crs=32633,
    )


def divided(frame, how, seed=0):
    """The rows in partitions: some of them empty, at random, by place, or one for all."""
    random = np.random.default_rng(seed)
    count = len(frame)
    if how == "one":
        cuts, order = [], np.arange(count)
    elif how == "random":
        cuts, order = np.sort(random.integers(0, count + 1, 6)), random.permutation(count)
        cuts = np.sort([*cuts, cuts[0]])
    else:
        order = np.argsort(shapely.bounds(frame.geometry.array)[:, 0], kind="stable")
        cuts = np.arange(0, count, 10)[1:]
    frame = frame.iloc[order]
    parts = np.split(np.arange(count), cuts)
    tasks = [dask.delayed(frame.iloc)[rows] for rows in parts]
    return frame, dd.from_delayed(tasks, meta=frame.iloc[:0])


def as_set(pairs):
    """Pairs as a set, of which each occurs once."""
    found = [tuple(row) for row in pairs[["a", "b"]].to_numpy()]
    assert len(set(found)) == len(found)
    return set(found)


def same_rows(found, expected):
    """Asserts that two frames have the same rows, in any order."""
    assert list(found.columns) == list(expected.columns)
    assert found.index.names == expected.index.names
    assert found.crs == expected.crs
    assert found.geometry.name == expected.geometry.name
    first, other = (
        sorted(map(repr, pd.DataFrame(frame).reset_index().to_numpy(dtype=object).tolist()))
        for frame in (found.to_wkb(), expected.astype(found.dtypes.to_dict()).to_wkb())
    )
    assert first == other

"""Memory, as Dask's workers see it: how large columns and geometries are, and what is free."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import shapely
from dask.sizeof import sizeof as _sizeof

import carom
from carom.interop.geopandas.column import Column

if TYPE_CHECKING:
    from collections.abc import Callable

sizeof: Any = _sizeof
_SAMPLE = 1_000
"""Geometries whose vertices are counted."""
_OBJECT = 200
"""Bytes of a geometry without its vertices: the objects of Python and GEOS."""
_FULL = 0.5
"""The part of its limit above which a worker's thread gives memory back. From 0.6 on it spills."""
_PAUSE = 0.2
"""Seconds between two looks at the memory that a worker takes."""
_watched: WeakSet[Any] = WeakSet()
"""Workers that have such a thread."""
_lock = threading.Lock()


def register() -> None:
    """Tells Dask the sizes of columns, and of geometries unless it knows these already.

    By them workers decide what to spill. Of an object that Dask doesn't know, it counts a few
    bytes, and of a geometry the pointer alone.
    """
    sizeof.register(carom.Shapes, _of_shapes)
    sizeof.register(Column, _of_column)
    for kind, plain, of in (
        (geopandas.GeoSeries, pd.Series, _of_series),
        (geopandas.GeoDataFrame, pd.DataFrame, _of_frame),
    ):
        without = sizeof.dispatch(plain)
        if sizeof.dispatch(kind) is without:
            sizeof.register(kind, _with_geometries(without, of))


def _of_shapes(shapes: carom.Shapes) -> int:
    return shapes.nbytes


def _of_column(column: Column) -> int:
    return column.shapes.nbytes + int(sizeof(column.rows))


def _with_geometries(
    without: Callable[[Any], int], of: Callable[[Any], int]
) -> Callable[[Any], int]:
    return lambda rows: without(rows) + of(rows)


def _of_frame(frame: Any) -> int:
    return sum(
        _of_series(frame.iloc[:, place])
        for place, dtype in enumerate(frame.dtypes)
        if str(dtype) == "geometry"
    )


def _of_series(series: Any) -> int:
    """The bytes of geometries, estimated from some of them."""
    if len(series) == 0:
        return 0
    step = max(1, len(series) // _SAMPLE)
    some = np.asarray(series.array[::step], dtype=object)
    vertices = float(shapely.get_num_coordinates(some).mean())
    return int(len(series) * (_OBJECT + 16 * vertices))


def release() -> None:
    """Gives freed memory back to the system, in a worker of Dask's, and starts to watch its memory.

    The allocators keep what small objects leave free between others, such as geometries and WKB. A
    worker counts it, is paused at four fifths of its limit, and never resumes if it has spilled all
    rows already. A paused worker runs no task, so a thread gives memory back as well.
    """
    if "distributed" in sys.modules and sys.platform.startswith("linux"):
        with suppress(ValueError):  # no worker runs this
            _watch(sys.modules["distributed"].get_worker())
            _trim()


def _watch(worker: Any) -> None:
    """Starts a thread that gives memory back while the worker takes more than half of its limit."""
    with _lock:
        if worker in _watched:
            return
        _watched.add(worker)
    limit = worker.memory_manager.memory_limit

    def watch() -> None:
        while worker.status.name in ("running", "paused"):
            if worker.monitor.get_process_memory() > _FULL * limit:
                _trim()
            time.sleep(_PAUSE)

    if limit:
        threading.Thread(target=watch, daemon=True).start()


def _trim() -> None:
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)

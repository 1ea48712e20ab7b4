"""Joins of shapes that are moving, on Dask: in bounded memory, on one machine or many.

The functions have the meaning of their namesakes in `carom` and `carom.interop.geopandas`. They
take frames and series of dask-geopandas, and Dask frames with a column of Shapely objects, WKB or
native GeoArrow, one of two also a GeoDataFrame in memory, and give Dask frames, which are computed
when they are asked for.

A row stays in its partition: two partitions are joined with each other if their bounding boxes
meet, so each pair of rows is found once. The answers are the same for any partitioning; the work is
least where the rows of a partition lie near each other (``frame.spatial_shuffle()``). The boxes are
computed by the call, in one pass over the geometries; frames that are expensive to compute are best
persisted before, as before ``set_index``.

Examples
--------
>>> import carom.dask, dask_geopandas, geopandas, shapely
>>> cars = geopandas.GeoDataFrame(
...     {"vx": [1.0, 0.0, -1.0], "vy": 0.0},
...     geometry=[shapely.box(x, 0, x + 2, 1) for x in (0, 8, 14)],
...     index=["p", "q", "r"],
... )
>>> rows = dask_geopandas.from_geopandas(cars, npartitions=2)
>>> pairs = carom.dask.colliding_pairs(rows, velocity_a=("vx", "vy"), margin=3.0)
>>> list(pairs.columns)
['a', 'b']
>>> pairs.compute()
   a  b
0  q  r
"""

from __future__ import annotations

try:
    from carom.dask.colliding_pairs import colliding_pairs
    from carom.dask.first_contact import first_contact
    from carom.dask.joins import sjoin, sjoin_nearest
    from carom.dask.nearest import nearest
except ModuleNotFoundError as _error:
    if (_error.name or "").partition(".")[0] == "carom":
        raise
    raise ImportError(
        f"carom.dask needs {_error.name}; pip install 'carom[dask]'", name=_error.name
    ) from _error

__all__ = ["colliding_pairs", "first_contact", "nearest", "sjoin", "sjoin_nearest"]

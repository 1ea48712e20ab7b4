"""The queries of carom on GeoSeries and GeoDataFrames; results have their index.

`sjoin` and `sjoin_nearest` return what GeoPandas' functions of these names return, decided exactly,
for shapes that move too. `colliding_pairs` and `candidate_pairs` return pairs of labels, and the
other functions one result for each row or for each of such pairs. `visits` tells when the agents of
a table of tracks are in zones.

Two GeoSeries are aligned by index label, as in GeoPandas. A single shape is combined with every
row. Missing geometries, and labels that only one series has, intersect nothing, and their numbers
are NaN. Errors name the label of a row.

Other keywords are those of the function of the same name: `fields`, `threads`, `check` and
`on_invalid` of the batch functions; velocities, turns, `margin`, `threads` and `progress` of the
joins.

Examples
--------
>>> import geopandas, shapely
>>> from carom.interop import geopandas as cg
>>> plots = geopandas.GeoSeries([shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)], list("pqr"))
>>> cg.intersects(plots, shapely.box(1, 1, 2, 3))
p     True
q     True
r    False
dtype: bool
"""

from carom.interop.geopandas.column import Column, column
from carom.interop.geopandas.joins import sjoin, sjoin_nearest
from carom.interop.geopandas.kept_shapes import forget
from carom.interop.geopandas.pairs import candidate_pairs, colliding_pairs
from carom.interop.geopandas.rowwise import (
    circle_polygon,
    distance,
    intersects,
    overlap_area,
    penetration,
    sat,
    swept_circle,
    swept_collision,
)
from carom.interop.geopandas.validity import invalid_reason, is_valid
from carom.interop.geopandas.visits import visits

__all__ = [
    "Column",
    "candidate_pairs",
    "circle_polygon",
    "colliding_pairs",
    "column",
    "distance",
    "forget",
    "intersects",
    "invalid_reason",
    "is_valid",
    "overlap_area",
    "penetration",
    "sat",
    "sjoin",
    "sjoin_nearest",
    "swept_circle",
    "swept_collision",
    "visits",
]

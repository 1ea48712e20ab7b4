"""The queries of carom on GeoSeries and GeoDataFrames; results have their index.

`sjoin` and `sjoin_nearest` return what GeoPandas' functions of these names return, decided exactly,
for shapes that move too. `shift` moves shapes off an obstacle, `repair` makes valid rows of invalid
ones, and `visits` tells when agents are in zones. `colliding_pairs`, `candidate_pairs` and
`nearest` return pairs of labels, and the other functions one result for each row or for each of
such pairs.

Two GeoSeries are aligned by index label, as in GeoPandas. A single shape is combined with every
row, and so is a frame of one row, unless ``align=True``. Missing geometries, and labels that only
one series has, intersect nothing, and their numbers are NaN. Errors name the label of a row.

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

try:
    import geopandas as _required  # noqa: F401  # pyright: ignore[reportUnusedImport]
except ModuleNotFoundError as _error:
    raise ImportError(
        f"carom.interop.geopandas needs {_error.name}; pip install 'carom[geo]'", name=_error.name
    ) from _error

from carom.interop.geopandas.at_rest import (
    circle_polygon,
    distance,
    intersects,
    overlap_area,
    penetration,
    sat,
)
from carom.interop.geopandas.column import Column, column
from carom.interop.geopandas.first_contact import first_contact
from carom.interop.geopandas.in_motion import (
    closest_approach,
    contact_intervals,
    swept_circle,
    swept_collision,
)
from carom.interop.geopandas.joins.frames import sjoin, sjoin_nearest
from carom.interop.geopandas.kept_shapes import forget
from carom.interop.geopandas.pairs import candidate_pairs, colliding_pairs, nearest
from carom.interop.geopandas.repair import Repaired, repair
from carom.interop.geopandas.shift import shift
from carom.interop.geopandas.validity import invalid_reason, is_valid
from carom.interop.geopandas.visits import visits

__all__ = [
    "Column",
    "Repaired",
    "candidate_pairs",
    "circle_polygon",
    "closest_approach",
    "colliding_pairs",
    "column",
    "contact_intervals",
    "distance",
    "first_contact",
    "forget",
    "intersects",
    "invalid_reason",
    "is_valid",
    "nearest",
    "overlap_area",
    "penetration",
    "repair",
    "sat",
    "shift",
    "sjoin",
    "sjoin_nearest",
    "swept_circle",
    "swept_collision",
    "visits",
]

"""Why geometries of Shapely are not read, and what to do about it."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from carom._input_error import InputError, InputTypeError, InputValueError
from carom.interop.reasons import CURVED, RAISED

POLYGON = int(shapely.GeometryType.POLYGON)
COLLECTION = int(shapely.GeometryType.GEOMETRYCOLLECTION)

# Coordinates of a vertex without Z and M.
PLANE = 2

_NO_SHAPE = "expected points, lines or polygons, got a "
COLLECTED = f"{_NO_SHAPE}GeometryCollection"
"""What the reason begins with why collections are not taken."""
TAKE_PARTS = "take its parts first, with explode() in GeoPandas or shapely.get_parts"
WITHOUT_Z = (
    "Shapes.from_shapely and Shapes.from_arrow leave it out with drop_z=True, and so does "
    "shapely.force_2d"
)
REPAIR = (
    '; shapely.buffer(shapely.make_valid(g, method="structure", keep_collapsed=False), 0) '
    "repairs it"
)
UNION = (
    "; shapely.union_all(shapely.get_parts(g)) joins the parts, which can also be rows of their own"
)
"""What to do about shapes that are refused. The core has these, too."""

Faults: TypeAlias = dict[int, tuple[type[InputError], tuple[str, ...]]]
"""The error of each row that can't be read, and the parts of its reason."""


def faults_of(rows: NDArray[np.object_], drop_z: bool) -> tuple[Faults, NDArray[np.int32]]:
    """The rows that can't be read, the error for each, and why; and the types of all."""
    found: Faults = {}
    # In bulk first: most columns have no such row.
    try:
        types = shapely.get_type_id(rows)
    except TypeError:
        is_other = ~shapely.is_valid_input(rows)
        for row in np.flatnonzero(is_other):
            what = type(rows[row]).__name__
            found[int(row)] = InputTypeError, (f"expected a Shapely geometry, got {what}",)
        rows = rows.copy()
        rows[is_other] = None
        types = shapely.get_type_id(rows)
    for row in np.flatnonzero(types >= COLLECTION):
        if not rows[row].is_empty:
            what = f"{_NO_SHAPE}{rows[row].geom_type}; "
            found[int(row)] = InputTypeError, (what, TAKE_PARTS)
    if not drop_z:
        for raised, names in with_z(rows).items():
            found.setdefault(raised, (InputValueError, (f"{RAISED}{names}; ", WITHOUT_Z)))
    several = np.flatnonzero((types > POLYGON) & (types < COLLECTION))
    parts, owners = shapely.get_parts(rows[several], return_index=True)
    for empty in np.flatnonzero(shapely.is_empty(parts)):
        row, part = several[owners[empty]], empty - np.searchsorted(owners, owners[empty])
        if not shapely.is_empty(rows[row]):
            found.setdefault(int(row), (InputValueError, (f"part {part} is empty",)))
    return found, types


def with_z(rows: NDArray[np.object_]) -> dict[int, str]:
    """The rows that have Z or M at some vertex, and which: "Z", "M" or "Z and M"."""
    if not (shapely.get_coordinate_dimension(rows) > PLANE).any():
        return {}
    has = {"Z": _given(rows, "z"), "M": _given(rows, "m")}
    return {
        int(row): " and ".join(name for name, given in has.items() if given[row])
        for row in np.flatnonzero(has["Z"] | has["M"])
    }


def _given(rows: NDArray[np.object_], name: str) -> NDArray[np.bool_]:
    """Which rows have "z" or "m" at some vertex, where NaN stands for none."""
    given = np.zeros(len(rows), dtype=bool)
    # Shapely knows of M since 2.1.
    has = getattr(shapely, f"has_{name}", None)
    if has is not None and len(known := np.flatnonzero(has(rows))) > 0:
        include: dict[str, Any] = {f"include_{name}": True}
        coords, owners = shapely.get_coordinates(rows[known], return_index=True, **include)
        given[known[owners[~np.isnan(coords[:, -1])]]] = True
    return given


# The types of WKB that are no shapes, by their numbers.
_CURVES = {
    8: "CIRCULARSTRING",
    9: "COMPOUNDCURVE",
    10: "CURVEPOLYGON",
    11: "MULTICURVE",
    12: "MULTISURFACE",
    13: "CURVE",
    14: "SURFACE",
}
_SURFACES = {15: "POLYHEDRALSURFACE", 16: "TIN", 17: "TRIANGLE"}


def unread(value: bytes) -> str:
    """Why Shapely does not read a value of well-known binary."""
    head = value[1:5]
    code = int.from_bytes(head, "little" if value[:1] == b"\x01" else "big")
    # Without the flags of PostGIS and the thousands of ISO, which tell of Z and M.
    number = (code & 0x1FFFFFFF) % 1000
    if len(head) == 4 and number in _CURVES:
        return (
            f"{_NO_SHAPE}{_CURVES[number]}{CURVED}ogr2ogr -nlt CONVERT_TO_LINEAR of GDAL makes "
            "straight pieces of them"
        )
    if len(head) == 4 and number in _SURFACES:
        return f"{_NO_SHAPE}{_SURFACES[number]}, which is a surface in space"
    try:
        shapely.from_wkb(value)
    except (shapely.GEOSException, NotImplementedError) as why:
        return f"not valid WKB: {str(why).strip()}"
    return "not valid WKB"

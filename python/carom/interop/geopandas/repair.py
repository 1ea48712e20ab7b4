"""Repair of rows that are not valid shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import geopandas
import numpy as np
import pandas as pd
import shapely
from geopandas.array import GeometryArray

import carom
from carom._input_error import InputTypeError, InputValueError
from carom.interop.geopandas.column import Column, geometries, not_indexed, place, read_column
from carom.interop.geopandas.row_advice import keeps_polygons
from carom.interop.geopandas.types import Rows
from carom.interop.reasons import RAISED
from carom.interop.shapely_faults import COLLECTED, COLLECTION, POLYGON, with_z

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RING = 3
"""How many distinct vertices a ring has at least."""
_LARGEST_EXPONENT = 200
"""Products of five coordinates below 2**200 are finite; GEOS loses parts from about 2**450."""
_COLLECTIONS = ("raise", "polygons")


class Repaired(NamedTuple):
    """What `repair` returns: the rows, and what was done; it unpacks as these two.

    Attributes
    ----------
    rows : GeoSeries or GeoDataFrame
        The rows, of which none is invalid.
    report : pandas.DataFrame
        The rows that are not as they were, by label. ``reason`` is what was wrong, and ``done``
        what was done, in words that ``report["done"].value_counts()`` counts: "made valid",
        "dropped Z", "kept polygons", "dropped vertices" that are not finite, several of these, or
        "made missing".

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> plots = geopandas.GeoSeries([shapely.Point(1, 2), shapely.Point(3, 4, 5)], ["p", "q"])
    >>> plots, report = cg.repair(plots)
    >>> report["done"].to_dict()
    {'q': 'dropped Z'}
    """

    rows: Any
    report: pd.DataFrame


def repair(rows: Rows, *, collections: Literal["raise", "polygons"] = "raise") -> Repaired:
    """The rows with valid shapes, and a report of what was done to which.

    Valid rows keep their geometries, the same objects. An invalid polygon becomes what Shapely's
    `make_valid` makes of its shells and holes: shells that overlap or share an edge are joined,
    holes are cut out of them, a hole beside its shell becomes a part, and what has no area is
    dropped. Where that result is not valid either, with parts that share an edge, the union of its
    polygons takes its place. Z and M are dropped, and vertices that are not finite.

    Every row is then what `sjoin` and the other functions take: what can't be repaired, such as a
    polygon without an area, is missing (None).

    Parameters
    ----------
    rows : GeoSeries or GeoDataFrame, or Column
        The rows, or the column of them. Of a frame with several columns of geometries, the active
        one is repaired.
    collections : {"raise", "polygons"}, default "raise"
        Whether a GeometryCollection is refused, or becomes the union of its polygons, without its
        lines and points. One without polygons becomes missing.

    Returns
    -------
    Repaired
        ``rows``, a copy with the same labels, columns and CRS, and ``report``, a DataFrame with
        the columns ``reason`` and ``done``, which has the rows that are not as they were.

    Raises
    ------
    ValueError
        If `collections` is neither.
    TypeError
        If `rows` has no index or no geometries, or a row is a GeometryCollection.

    See Also
    --------
    invalid_reason : what is wrong, without a repair.

    Notes
    -----
    `is_valid` decides which rows are repaired, and with what success. The area of a polygon may
    change: ``repaired.area - rows.area`` says by how much.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    >>> flat = shapely.Polygon([(0, 0), (1, 1), (2, 2)])
    >>> roof = shapely.Polygon([(0, 0, 5), (1, 0, 5), (0, 1, 5)])
    >>> plots = [shapely.box(0, 0, 1, 1), bow, flat, roof]
    >>> plots = geopandas.GeoSeries(plots, ["p", "q", "r", "s"])
    >>> repaired, report = cg.repair(plots)
    >>> report["done"]
    q      made valid
    r    made missing
    s       dropped Z
    Name: done, dtype: object
    >>> report["reason"]["r"]
    'all vertices lie on one line: the area is zero'
    >>> repaired["q"].geom_type, repaired["q"].area
    ('MultiPolygon', 2.0)
    >>> repaired["p"] is plots["p"]
    True
    """
    if collections not in _COLLECTIONS:
        expected = " or ".join(map(repr, _COLLECTIONS))
        raise InputValueError(f"expected {expected}, got {collections!r}", at="collections")
    given = geometries("rows", rows.rows if isinstance(rows, Column) else rows)
    if given is None:
        raise InputTypeError(not_indexed("rows", rows), at="rows")
    examined = read_column(given, "rows", on_invalid="mask")
    assert examined is not None  # for the type checker
    objects = np.array(given.geometry.array, dtype=object)
    changed = np.flatnonzero(~examined.shapes.is_valid)
    if collections == "raise":
        _refuse_collections(objects, changed, given.index)
    repairs = [_repaired(objects[row]) for row in changed]
    for row, made in zip(changed, repairs, strict=True):
        objects[row] = made.geometry
    table = {"reason": [it.reason for it in repairs], "done": [it.done for it in repairs]}
    report = pd.DataFrame(table, index=given.index[changed], dtype=object)
    return Repaired(_with_geometries(given, objects), report)


def _refuse_collections(objects: Any, rows: Any, index: pd.Index) -> None:
    for row in rows[shapely.get_type_id(objects[rows]) >= COLLECTION][:1]:
        raise InputTypeError(
            f"{COLLECTED}; {keeps_polygons('rows')}", at=place("rows", index, int(row))
        )


def _with_geometries(rows: Any, objects: Any) -> Any:
    """A copy of the rows with these geometries."""
    array = GeometryArray(objects, crs=rows.crs)
    if isinstance(rows, geopandas.GeoSeries):
        made = geopandas.GeoSeries(array, index=rows.index, name=rows.name)
        return made.__finalize__(rows)
    copied = rows.copy()
    copied[rows.active_geometry_name] = array
    return copied


class _Row(NamedTuple):
    """A row after its repair: None where it is missing now."""

    geometry: Any
    reason: str
    done: str


def _repaired(geometry: Any) -> _Row:
    """The repair of a geometry that is not a valid shape."""
    reasons: list[str] = []
    done: list[str] = []
    made = geometry
    if shapely.get_type_id(made) >= COLLECTION:
        reasons.append(f"a {geometry.geom_type} is not a shape")
        done.append("kept polygons")
        made = _several(_polygons(geometry))
    for names in with_z(np.array([made])).values():
        reasons.append(f"{RAISED}{names}")
        done.append(f"dropped {names}")
    made = shapely.force_2d(made)
    why = _refusal(made)
    if not np.isfinite(shapely.get_coordinates(made)).all():
        reasons.append(str(why))
        done.append("dropped vertices")
        made = _of_finite_vertices(made)
        why = None if made is None else _refusal(made)
    if why is not None:
        reasons.append(why)
        done.append("made valid")
        made = _valid_form(made)
    if made is None or made.is_empty:
        return _Row(None, "; ".join(reasons), "made missing")
    return _Row(made, "; ".join(reasons), ", ".join(done))


def _refusal(geometry: Any) -> str | None:
    """Why a geometry is not a valid shape; None if it is one."""
    shapes = carom.Shapes.from_shapely([geometry], on_invalid="mask")
    reason: str | None = shapes.invalid_reason[0]
    return reason


def _of_finite_vertices(geometry: Any) -> Any:
    """The geometry without vertices that are not finite; None if nothing is left of it."""
    parts = [_of_finite_parts(it) for it in shapely.get_parts(geometry)]
    left = [it for it in parts if it is not None]
    if not left:
        return None
    return type(geometry)(left) if hasattr(geometry, "geoms") else left[0]


def _of_finite_parts(part: Any) -> Any:
    """The same of a point, a line, a ring or a polygon."""
    if isinstance(part, shapely.Polygon):
        shell, *holes = (_finite(ring, _RING) for ring in (part.exterior, *part.interiors))
        holes = [it for it in holes if it is not None]
        return None if shell is None else shapely.Polygon(shell, holes)
    kind = type(part)
    vertices = _finite(part, {shapely.Point: 1, shapely.LineString: 2}.get(kind, _RING))
    return None if vertices is None else kind(vertices)


def _finite(part: Any, least: int) -> NDArray[np.float64] | None:
    """The finite vertices of a point, a line or a ring; None if fewer than `least` are distinct."""
    vertices: NDArray[np.float64] = shapely.get_coordinates(part)
    finite = vertices[np.isfinite(vertices).all(axis=1)]
    return finite if len(np.unique(finite, axis=0)) >= least else None


def _valid_form(geometry: Any) -> Any:
    """A valid shape made of an invalid one; None if nothing is left of it."""
    exponent = _exponent(geometry)
    scaled = _scaled(geometry, -exponent)
    for made_of in (_structured, _united):
        try:
            made = _scaled(made_of(scaled), exponent)
        except shapely.GEOSException:
            continue
        if not made.is_empty and _refusal(made) is None:
            return made
    return None


def _exponent(geometry: Any) -> int:
    """The power of two by which coordinates are divided for GEOS, whose products are float64."""
    exponent = int(np.frexp(np.abs(shapely.get_coordinates(geometry)).max(initial=0.0))[1])
    return exponent if abs(exponent) > _LARGEST_EXPONENT else 0


def _scaled(geometry: Any, exponent: int) -> Any:
    """The geometry multiplied by a power of two, which rounds subnormal numbers alone."""
    return shapely.transform(geometry, lambda at: np.ldexp(at, exponent)) if exponent else geometry


def _structured(geometry: Any) -> Any:
    """What GEOS makes of the shells and holes; its parts may share an edge."""
    return shapely.make_valid(geometry, method="structure", keep_collapsed=False)


def _united(geometry: Any) -> Any:
    return shapely.union_all(_polygons(_structured(geometry)))


def _polygons(geometry: Any) -> NDArray[np.object_]:
    """The polygons of a geometry, of collections in collections too."""
    parts = shapely.get_parts(geometry)
    while (shapely.get_type_id(parts) > POLYGON).any():
        parts = shapely.get_parts(parts)
    polygons: NDArray[np.object_] = parts[shapely.get_type_id(parts) == POLYGON]
    return polygons


def _several(polygons: NDArray[np.object_]) -> Any:
    return polygons[0] if len(polygons) == 1 else shapely.multipolygons(polygons)

"""Conversion of Shapely polygons to ragged arrays, and back."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

_Offsets: TypeAlias = NDArray[np.integer[Any]]

_MISSING, _POLYGON = -1, int(shapely.GeometryType.POLYGON)
# Collections that may contain polygons.
_PARTS = {int(shapely.GeometryType.MULTIPOLYGON), int(shapely.GeometryType.GEOMETRYCOLLECTION)}

# Rows per call: Shapely can't be interrupted, and takes some 50 ms for these.
_ROWS = 1 << 14


def simple(geometry: Any) -> NDArray[np.float64] | None:
    """The vertices of a polygon in the plane without holes; None for any other object.

    A single call takes a twentieth of the time that `ragged` takes for one polygon.
    """
    if (
        type(geometry) is not shapely.Polygon
        or geometry.has_z
        or geometry.is_empty
        or shapely.get_num_interior_rings(geometry)
    ):
        return None
    coords: NDArray[np.float64] = shapely.get_coordinates(geometry)
    return coords


def ragged(
    name: str, geometries: Any, drop_z: bool
) -> tuple[NDArray[np.float64], _Offsets, _Offsets]:
    """Coordinates and offsets of polygons. Errors for other geometries contain `name` and row."""
    given = _objects(name, geometries)
    rows = given.ravel()
    pieces = [
        _piece(name, given, start, rows[start : start + _ROWS], drop_z)
        for start in range(0, max(len(rows), 1), _ROWS)
    ]
    coords = _joined([piece[0] for piece in pieces])
    # The array is not shared, so the column may keep it without a copy.
    coords.flags.writeable = False
    return (
        coords,
        _chained([piece[1] for piece in pieces]),
        _chained([piece[2] for piece in pieces]),
    )


def _piece(
    name: str, given: NDArray[np.object_], start: int, rows: NDArray[np.object_], drop_z: bool
) -> tuple[NDArray[np.float64], _Offsets, _Offsets]:
    """Coordinates and offsets of some rows; `start` is the number of the first."""
    _refuse_other_types(name, given, start, _types(name, start, rows))
    if not drop_z:
        _refuse_third_dimensions(name, given, start, rows)
    if shapely.is_empty(rows[~shapely.is_missing(rows)]).all():
        return np.empty((0, 2)), np.zeros(1, np.int64), np.zeros(len(rows) + 1, np.int64)
    _, coords, (ring_offsets, polygon_offsets) = shapely.to_ragged_array(rows, include_z=False)
    if coords.shape[1] > 2:
        coords = coords[:, :2].copy()
    return coords, ring_offsets, polygon_offsets


def _joined(pieces: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


def _chained(pieces: list[_Offsets]) -> _Offsets:
    """Concatenates offsets of pieces: each piece starts where the one before ends."""
    if len(pieces) == 1:
        return pieces[0]
    ends = np.cumsum([0, *(piece[-1] for piece in pieces)])
    shifted = [piece[1:] + end for piece, end in zip(pieces, ends, strict=False)]
    return np.concatenate([pieces[0][:1], *shifted])


def polygons(column: Any) -> NDArray[np.object_]:
    """The rows of a column as an array of Shapely polygons, None where they are missing."""
    offsets = column.offsets
    is_missing = np.diff(offsets[1]) == 0
    # Shapely before 2.1 fails if all rows are missing.
    if is_missing.all():
        return np.full(len(column), None, dtype=object)
    _refuse_rings_that_shapely_cannot_hold(column.coords, *offsets)
    rows = np.empty(len(column), dtype=object)
    for start in range(0, len(column), _ROWS):
        if not is_missing[start : start + _ROWS].all():
            rows[start : start + _ROWS] = _made(column.coords, offsets, start)
    rows[is_missing] = None
    return rows


def _made(
    coords: NDArray[np.float64], offsets: tuple[NDArray[np.int64], ...], start: int
) -> NDArray[np.object_]:
    """The polygons of some rows; missing rows are empty polygons."""
    ring_offsets, polygon_offsets = offsets
    polygon_offsets = polygon_offsets[start : start + _ROWS + 1]
    ring_offsets = ring_offsets[polygon_offsets[0] : polygon_offsets[-1] + 1]
    made: NDArray[np.object_] = shapely.from_ragged_array(
        shapely.GeometryType.POLYGON,
        coords[ring_offsets[0] : ring_offsets[-1]],
        (ring_offsets - ring_offsets[0], polygon_offsets - polygon_offsets[0]),
    )
    return made


def _refuse_rings_that_shapely_cannot_hold(
    coords: NDArray[np.float64],
    ring_offsets: NDArray[np.int64],
    polygon_offsets: NDArray[np.int64],
) -> None:
    # A column made with check=False may contain such rings. GEOS crashes on an empty shell, and
    # requires that the last vertex of a ring equals the first, which NaN never does.
    is_short = np.diff(ring_offsets) < 3
    starts = ring_offsets[:-1].clip(max=len(coords) - 1)
    is_open = np.isnan(coords[starts]).any(axis=1)
    for ring in np.flatnonzero(is_short | is_open)[:1]:
        row = int(np.searchsorted(polygon_offsets, ring, side="right")) - 1
        place = f"row {row}: "
        if polygon_offsets[row + 1] - polygon_offsets[row] > 1:
            place += f"ring {ring - polygon_offsets[row]}: "
        if is_short[ring]:
            found = ring_offsets[ring + 1] - ring_offsets[ring]
            raise ValueError(
                f"{place}Shapely has no polygons with rings of less than 3 vertices, and this ring "
                f"has {found} before it closes"
            )
        x, y = coords[ring_offsets[ring]]
        raise ValueError(
            f"{place}vertex 0 is ({x}, {y}); Shapely has no polygons with rings that begin with NaN"
        )


def _objects(name: str, geometries: Any) -> NDArray[np.object_]:
    """The geometries as an array; a single one as an array without axes."""
    if isinstance(geometries, shapely.Geometry) or hasattr(geometries, "__array__"):
        array = np.asarray(geometries, dtype=object)
    else:
        try:
            items = list(geometries)
        except TypeError:
            found = type(geometries).__name__
            raise TypeError(f"{name}: expected a sequence of polygons, got {found}") from None
        # np.asarray would convert items that are sequences.
        array = np.fromiter(items, dtype=object, count=len(items))
    return array


def _types(name: str, start: int, rows: NDArray[np.object_]) -> NDArray[np.int32]:
    try:
        types: NDArray[np.int32] = shapely.get_type_id(rows)
    except TypeError:
        is_other = [not (row is None or isinstance(row, shapely.Geometry)) for row in rows]
        row = is_other.index(True)
        found = type(rows[row]).__name__
        raise TypeError(f"{name}[{start + row}]: expected a Shapely polygon, got {found}") from None
    return types


def _refuse_other_types(
    name: str, given: NDArray[np.object_], start: int, types: NDArray[np.int32]
) -> None:
    others = np.flatnonzero((types != _MISSING) & (types != _POLYGON))
    if others.size == 0:
        return
    row = start + others[0]
    found = given.flat[row].geom_type
    hint = ""
    if types[others[0]] in _PARTS:
        hint = "; take its parts first, with explode() in GeoPandas or shapely.get_parts"
    raise TypeError(f"{_place(name, given, row)}: expected a polygon, got a {found}{hint}")


def _refuse_third_dimensions(
    name: str, given: NDArray[np.object_], start: int, rows: NDArray[np.object_]
) -> None:
    # Shapely knows of M since 2.1.
    has_m = getattr(shapely, "has_m", shapely.has_z)
    more = np.flatnonzero(shapely.has_z(rows) | has_m(rows))
    if more.size:
        raise ValueError(
            f"{_place(name, given, start + more[0])}: the coordinates have Z or M; "
            "Polygons.from_shapely leaves it out with drop_z=True, and so does shapely.force_2d"
        )


def _place(name: str, given: NDArray[np.object_], row: int) -> str:
    index = ", ".join(str(place) for place in np.unravel_index(row, given.shape))
    return f"{name}[{index}]" if index else name

"""Conversion of Shapely's geometries to ragged arrays, and back."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from carom._input_error import InputTypeError, InputValueError, Place
from carom.interop.crs import two_srids
from carom.interop.shapely_faults import POLYGON, faults_of, unread

if TYPE_CHECKING:
    from collections.abc import Callable

_Offsets: TypeAlias = NDArray[np.integer[Any]]
_Kinds: TypeAlias = NDArray[np.int8]
_Pieces: TypeAlias = tuple[NDArray[np.float64], _Offsets, _Offsets, _Offsets | None, _Kinds | None]
_Ragged: TypeAlias = tuple[
    NDArray[np.float64],
    _Offsets,
    _Offsets,
    _Offsets | None,
    _Kinds | None,
    list[tuple[int, str]],
]

_MISSING, _POINT = -1, int(shapely.GeometryType.POINT)
_POINTS = int(shapely.GeometryType.POINT), int(shapely.GeometryType.MULTIPOINT)

# The index in carom.KINDS of each of Shapely's types, by number: Point, LineString, LinearRing,
# Polygon, MultiPoint, MultiLineString, MultiPolygon, and GeometryCollection, which is empty.
_KIND = np.array([0, 2, 2, 4, 1, 3, 5, 4], dtype=np.int8)
_KIND_POINT, _KIND_PATH, _KIND_MULTIPATH, _KIND_POLYGON, _KIND_MULTIPOLYGON = 0, 2, 3, 4, 5

_SIMPLE = {
    shapely.Point: 0,
    shapely.LineString: _KIND_PATH,
    shapely.LinearRing: _KIND_PATH,
    shapely.Polygon: _KIND_POLYGON,
}

# Vertices per part from which on WKB takes longer than to take the parts apart: of 32 vertices it
# takes 0.9, of 65 vertices 1.0 and of 100 vertices 1.2 times as long.
_LONG = 64

# Rows per call: Shapely can't be interrupted, and takes some 50 ms for these.
_ROWS = 1 << 14


def simple(geometry: Any) -> tuple[NDArray[np.float64], list[int], int, int] | None:
    """The vertices, where each ring ends, the kind and the SRID of a Point, a line or a Polygon.

    None for any other object, for what is empty, a point of NaN alone among them, and for what has
    Z or M. A single call takes a twentieth of the time that `ragged` takes for one geometry.
    """
    kind = _SIMPLE.get(type(geometry))
    if kind is None or geometry.is_empty or geometry.has_z or getattr(geometry, "has_m", False):
        return None
    coords: NDArray[np.float64] = shapely.get_coordinates(geometry)
    srid = int(shapely.get_srid(geometry))
    if kind == _KIND_POINT and np.isnan(coords).all():
        return None
    if kind != _KIND_POLYGON or not (holes := len(geometry.interiors)):
        return coords, [len(coords)], kind, srid
    lengths = shapely.get_num_points(shapely.get_interior_ring(geometry, range(holes))).tolist()
    shell = len(coords) - sum(lengths)
    return coords, list(accumulate(lengths, initial=shell)), kind, srid


def srid(name: str, geometries: NDArray[np.object_]) -> tuple[int, tuple[int, ...] | None]:
    """The SRID of the geometries that have one, and the row of the first; 0 if none does.

    Raises
    ------
    ValueError
        If they have different ones; the message names rows.
    """
    try:
        numbers = np.asarray(shapely.get_srid(geometries))
    except TypeError:  # An object is not a geometry, which is told with its row.
        return 0, None
    # That of None is -1.
    if numbers.size == 0 or numbers.max() <= 0:
        return 0, None
    known = np.flatnonzero(numbers > 0)
    first = known[0]
    others = known[numbers.flat[known] != numbers.flat[first]]
    if len(others) > 0:
        rows = int(others[0]), int(first)
        one, other = (_place(name, geometries, row) for row in rows)
        raise two_srids(one, int(numbers.flat[rows[0]]), other, int(numbers.flat[rows[1]]))
    return int(numbers.flat[first]), _index(geometries, int(first))


def ragged(
    name: str,
    geometries: NDArray[np.object_],
    rows: list[int] | None,
    drop_z: bool,
    mask: bool,
) -> _Ragged:
    """Coordinates, offsets of rings, polygons and rows, kinds, and the rows that can't be read.

    Of all geometries, or of those in these rows. Offsets of rows and kinds are None if all rows are
    polygons. With `mask`, rows that can't be read are empty, and the last item says why; else the
    first is an error, with `name` and row.
    """
    chosen = geometries.ravel()
    if rows is not None:
        chosen = chosen[rows]

    def place(row: int) -> Place:
        return _place(name, geometries, row if rows is None else rows[row])

    return _ragged(place, chosen, drop_z, mask)


def wkb_of_parts(
    geometries: NDArray[np.object_], start: int, drop_z: bool
) -> list[bytes | None] | None:
    """Some rows from `start` on in well-known binary, none after the last one.

    None if that would not pay: where few rows have several parts, or their parts are long; and if
    an object is not a geometry.
    """
    if not start:
        try:
            parts = int(shapely.get_num_geometries(geometries).sum())
        except TypeError:
            return None
        few = 2 * parts < 3 * geometries.size
        if few or shapely.count_coordinates(geometries) > _LONG * parts:
            return None
    piece = geometries.flat[start : start + _ROWS]
    if drop_z:
        values: list[bytes | None] = shapely.to_wkb(
            piece, output_dimension=2, byte_order=1
        ).tolist()
    else:
        values = shapely.to_wkb(piece, byte_order=1).tolist()
    return values


def ragged_wkb(
    name: str, values: list[bytes], rows: list[int], drop_z: bool, mask: bool
) -> _Ragged:
    """The same for geometries in well-known binary, which are these rows of an argument."""
    starts = range(0, len(values), _ROWS)
    geometries = np.full(len(values), None, dtype=object)
    faults: list[int] = []

    def place(row: int) -> Place:
        return Place(name, rows[row])

    for start in starts:
        piece = values[start : start + _ROWS]
        try:
            made = shapely.from_wkb(piece, on_invalid="ignore")
        except NotImplementedError:
            # A curve, whatever `on_invalid` is. One by one, to know which.
            made = np.array([_read(value) for value in piece], dtype=object)
        geometries[start : start + _ROWS] = made
        faults += [start + int(row) for row in np.flatnonzero(shapely.is_missing(made))]
    reasons: list[tuple[int, str]] = []
    for row in faults:
        reason = unread(values[row])
        if not mask:
            raise InputValueError(reason, at=place(row))
        reasons.append((row, reason))
    coords, rings, polygons, shapes, kinds, others = _ragged(place, geometries, drop_z, mask)
    return coords, rings, polygons, shapes, kinds, sorted([*reasons, *others])


def _read(value: bytes) -> shapely.Geometry | None:
    """The geometry in well-known binary; None if it can't be read."""
    try:
        made: shapely.Geometry | None = shapely.from_wkb(value, on_invalid="ignore")
    except NotImplementedError:
        return None
    return made


def _ragged(
    place: Callable[[int], Place], rows: NDArray[np.object_], drop_z: bool, mask: bool
) -> _Ragged:
    """The same for geometries along one axis, each of which has a place in messages."""
    starts = range(0, max(len(rows), 1), _ROWS)
    faults: list[tuple[int, str]] = []
    pieces = []
    for start in starts:
        piece = rows[start : start + _ROWS]
        wrong, types = faults_of(piece, drop_z)
        if wrong and not mask:
            row = min(wrong)
            error, why = wrong[row]
            raise error(*why, at=place(start + row))
        if wrong:
            piece = piece.copy()
            piece[list(wrong)] = None
            types[list(wrong)] = _MISSING
            faults += [(start + row, "".join(why)) for row, (_, why) in sorted(wrong.items())]
        pieces.append(_piece(piece, types))
    return _whole(pieces, len(rows), faults)


def _whole(pieces: list[_Pieces], count: int, faults: list[tuple[int, str]]) -> _Ragged:
    """The ragged arrays of so many rows from those of each piece."""
    coords = _joined([piece[0] for piece in pieces])
    # The array is not shared, so the column may keep it without a copy.
    coords.flags.writeable = False
    rings, polygons = (_chained(list(level)) for level in list(zip(*pieces, strict=True))[1:3])
    if all(kinds is None for *_, kinds in pieces):
        return coords, rings, polygons, None, None, faults
    lengths = [min(_ROWS, count - start) for start in range(0, max(count, 1), _ROWS)]
    shapes: list[_Offsets] = [
        np.arange(length + 1) if offsets is None else offsets
        for (_, _, _, offsets, _), length in zip(pieces, lengths, strict=True)
    ]
    kinds = [
        np.full(length, _KIND_POLYGON, np.int8) if piece[4] is None else piece[4]
        for piece, length in zip(pieces, lengths, strict=True)
    ]
    return coords, rings, polygons, _chained(shapes), np.concatenate(kinds), faults


def _piece(rows: NDArray[np.object_], types: NDArray[np.int32]) -> _Pieces:
    """The ragged arrays of some rows of these types, all of which can be read."""
    if (points := _single_points(rows, types)) is not None:
        return points
    is_point = np.flatnonzero(types == _POINT)
    coords, owners = shapely.get_coordinates(rows[is_point], return_index=True)
    if (nowhere := is_point[owners[np.isnan(coords).all(axis=1)]]).size > 0:
        rows, types = rows.copy(), types.copy()
        rows[nowhere], types[nowhere] = None, _MISSING
    if shapely.is_empty(rows[types != _MISSING]).all():
        empty = np.zeros(len(rows) + 1, np.int64)
        return np.empty((0, 2)), np.zeros(1, np.int64), empty, None, None
    if np.isin(types, (_MISSING, POLYGON)).all():
        return _polygons_and_holes(rows)
    kinds = np.where(types == _MISSING, _KIND_POLYGON, _KIND[types])
    if np.isin(types, _POINTS).all() and not shapely.is_empty(rows).any():
        coords, owners = shapely.get_coordinates(rows, return_index=True)
        # Of several points some may be empty.
        if len(coords) == shapely.get_num_geometries(rows).sum():
            parts = _offsets(owners, len(rows))
            return coords, np.arange(len(coords) + 1), parts, np.arange(len(rows) + 1), kinds
    # Multi-part geometries are taken apart, and then polygons into their rings.
    parts, row_of_part = shapely.get_parts(rows, return_index=True)
    rings, part_of_ring = shapely.get_rings(parts, return_index=True)
    others = np.flatnonzero(shapely.get_type_id(parts) != POLYGON)
    part_of_chain = np.concatenate([part_of_ring, others])
    order = np.argsort(part_of_chain, kind="stable")
    chains = np.concatenate([rings, parts[others]])[order]
    coords, chain_of_vertex = shapely.get_coordinates(chains, return_index=True)
    of_polygons = kinds == _KIND_MULTIPOLYGON
    # Each row but a multipolygon is one part, whatever it consists of.
    is_first = np.diff(row_of_part, prepend=-1) > 0
    is_part = of_polygons[row_of_part] | is_first
    number = np.cumsum(is_part) - 1
    return (
        _flat(coords),
        _offsets(chain_of_vertex, len(chains)),
        _offsets(number[part_of_chain[order]], int(is_part.sum())),
        _offsets(row_of_part[is_part], len(rows)),
        kinds,
    )


def _single_points(rows: NDArray[np.object_], types: NDArray[np.int32]) -> _Pieces | None:
    """The ragged arrays of points, of which some may be missing or empty; None of other rows.

    A point of NaN alone is empty.
    """
    if not np.isin(types, (_MISSING, _POINT)).all():
        return None
    is_point = (types == _POINT) & ~shapely.is_empty(rows)
    points = rows if is_point.all() else rows[is_point]
    # Takes two thirds of the time of `shapely.get_coordinates`.
    coords = np.stack([shapely.get_x(points), shapely.get_y(points)], axis=1)
    if (is_nowhere := np.isnan(coords).all(axis=1)).any():
        is_point[np.flatnonzero(is_point)[is_nowhere]] = False
        coords = coords[~is_nowhere]
    starts = np.concatenate([[0], np.cumsum(is_point)])
    kinds = np.where(is_point, _KIND_POINT, _KIND_POLYGON).astype(np.int8)
    return coords, np.arange(len(coords) + 1), starts, np.arange(len(rows) + 1), kinds


def _polygons_and_holes(rows: NDArray[np.object_]) -> _Pieces:
    """The ragged arrays of polygons, of which some may be missing or empty."""
    if shapely.get_num_interior_rings(rows).any():
        _, coords, (rings, polygons) = shapely.to_ragged_array(rows, include_z=False)
        return _flat(coords), rings, polygons, None, None
    # An object for each ring would take several times as long.
    lengths = shapely.get_num_coordinates(rows)
    has_ring = lengths > 0
    rings = np.concatenate([[0], np.cumsum(lengths[has_ring])])
    polygons = np.concatenate([[0], np.cumsum(has_ring)])
    return shapely.get_coordinates(rows), rings, polygons, None, None


def _flat(coords: NDArray[np.float64]) -> NDArray[np.float64]:
    return coords if coords.shape[1] == 2 else coords[:, :2].copy()


def _offsets(owners: NDArray[np.int64], count: int) -> _Offsets:
    """Where the items of each of `count` owners start, given the owner of each item in order."""
    return np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))])


def _joined(pieces: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


def _chained(pieces: list[_Offsets]) -> _Offsets:
    """Concatenates offsets of pieces: each piece starts where the one before ends."""
    if len(pieces) == 1:
        return pieces[0]
    ends = np.cumsum([0, *(piece[-1] for piece in pieces)])
    shifted = [piece[1:] + end for piece, end in zip(pieces, ends, strict=False)]
    return np.concatenate([pieces[0][:1], *shifted])


def geometries(column: Any) -> NDArray[np.object_]:
    """The rows of a column as an array of Shapely's geometries, None where they are missing."""
    rings, polygons, *shapes = column.offsets
    kinds = column.kind
    is_missing = kinds == -1
    rows = np.full(len(column), None, dtype=object)
    # Shapely before 2.1 fails if all rows are missing.
    if is_missing.all():
        return rows
    # A missing row may consist of several empty polygons.
    are_single = not shapes or bool((np.diff(shapes[0]) == 1).all())
    if are_single and (kinds[~is_missing] == _KIND_POLYGON).all():
        _refuse_rings_that_shapely_cannot_hold(column.coords, rings, polygons)
        for start in range(0, len(column), _ROWS):
            if not is_missing[start : start + _ROWS].all():
                rows[start : start + _ROWS] = _polygons(column.coords, rings, polygons, start)
        rows[is_missing] = None
        return rows
    shape_offsets = shapes[0] if shapes else np.arange(len(polygons))
    for kind in np.unique(kinds[~is_missing]):
        for start in range(0, len(column), _ROWS):
            chosen = start + np.flatnonzero(kinds[start : start + _ROWS] == kind)
            if chosen.size:
                offsets = (rings, polygons, shape_offsets)
                rows[chosen] = _of_kind(int(kind), column.coords, offsets, chosen)
    return rows


def _of_kind(
    kind: int,
    coords: NDArray[np.float64],
    offsets: tuple[NDArray[np.int64], ...],
    rows: NDArray[np.int64],
) -> NDArray[np.object_]:
    """The geometries of some rows, all of one kind."""
    rings, polygons, shapes = offsets
    of_rows, parts = _ranges(shapes, rows)
    of_parts, chains = _ranges(polygons, parts)
    of_chains, vertices = _ranges(rings, chains)
    if kind == 0:
        # A path whose vertices all coincide is a point, too.
        vertices = rings[chains]
    row_of_part = np.repeat(rows, np.diff(of_rows))
    _refuse_parts_that_shapely_cannot_hold(kind, of_chains, of_parts, row_of_part)
    if kind >= _KIND_POLYGON:
        _refuse_rings_that_shapely_cannot_hold(coords[vertices], of_chains, of_parts, row_of_part)
    levels: dict[int, tuple[Any, tuple[_Offsets, ...]]] = {
        0: (shapely.GeometryType.POINT, ()),
        1: (shapely.GeometryType.MULTIPOINT, (of_chains[of_parts],)),
        2: (shapely.GeometryType.LINESTRING, (of_chains,)),
        3: (shapely.GeometryType.MULTILINESTRING, (of_chains, of_parts)),
        4: (shapely.GeometryType.POLYGON, (of_chains, of_parts)),
        5: (shapely.GeometryType.MULTIPOLYGON, (of_chains, of_parts, of_rows)),
    }
    geometry, nested = levels[kind]
    made: NDArray[np.object_] = shapely.from_ragged_array(geometry, coords[vertices], nested)
    return made


def _ranges(
    offsets: NDArray[np.int64], chosen: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The offsets of the chosen items alone, and the numbers of what they consist of."""
    counts = offsets[chosen + 1] - offsets[chosen]
    starts = np.concatenate([[0], np.cumsum(counts)])
    items = np.arange(starts[-1]) + np.repeat(offsets[chosen] - starts[:-1], counts)
    return starts, items


def _polygons(
    coords: NDArray[np.float64],
    ring_offsets: NDArray[np.int64],
    polygon_offsets: NDArray[np.int64],
    start: int,
) -> NDArray[np.object_]:
    """The polygons of some rows; missing rows are empty polygons."""
    polygon_offsets = polygon_offsets[start : start + _ROWS + 1]
    ring_offsets = ring_offsets[polygon_offsets[0] : polygon_offsets[-1] + 1]
    made: NDArray[np.object_] = shapely.from_ragged_array(
        shapely.GeometryType.POLYGON,
        coords[ring_offsets[0] : ring_offsets[-1]],
        (ring_offsets - ring_offsets[0], polygon_offsets - polygon_offsets[0]),
    )
    return made


def _refuse_parts_that_shapely_cannot_hold(
    kind: int, of_chains: _Offsets, of_parts: _Offsets, row_of_part: NDArray[np.int64]
) -> None:
    # A column made with check=False may contain such parts. GEOS crashes on a polygon without rings
    # among several.
    if kind >= _KIND_POLYGON:
        parts, least = np.flatnonzero(np.diff(of_parts) < 1), "1 ring"
    else:
        fewest = 2 if kind in (_KIND_PATH, _KIND_MULTIPATH) else 1
        chains = np.flatnonzero(np.diff(of_chains) < fewest)
        parts = np.searchsorted(of_parts, chains, side="right") - 1
        least = f"{fewest} {'vertices' if fewest > 1 else 'vertex'}"
    if parts.size:
        row = int(row_of_part[parts[0]])
        raise InputValueError(
            f"Shapely has no parts of less than {least}", at=Place(None, row, f"row {row}")
        )


def _refuse_rings_that_shapely_cannot_hold(
    coords: NDArray[np.float64],
    ring_offsets: NDArray[np.int64],
    polygon_offsets: NDArray[np.int64],
    row_of_polygon: NDArray[np.int64] | None = None,
) -> None:
    # A column made with check=False may contain such rings. GEOS crashes on an empty shell, and
    # requires that the last vertex of a ring equals the first, which NaN never does.
    is_short = np.diff(ring_offsets) < 3
    starts = ring_offsets[:-1].clip(max=len(coords) - 1)
    is_open = np.isnan(coords[starts]).any(axis=1)
    for ring in np.flatnonzero(is_short | is_open)[:1]:
        polygon = int(np.searchsorted(polygon_offsets, ring, side="right")) - 1
        row = polygon if row_of_polygon is None else int(row_of_polygon[polygon])
        at = Place(None, row, f"row {row}")
        which = ""
        if polygon_offsets[polygon + 1] - polygon_offsets[polygon] > 1:
            which = f"ring {ring - polygon_offsets[polygon]}: "
        if is_short[ring]:
            found = ring_offsets[ring + 1] - ring_offsets[ring]
            raise InputValueError(
                f"{which}Shapely has no polygons with rings of less than 3 vertices, and this ring "
                f"has {found} before it closes",
                at=at,
            )
        x, y = coords[ring_offsets[ring]]
        raise InputValueError(
            f"{which}vertex 0 is ({x}, {y}); Shapely has no polygons with rings that begin with "
            "NaN",
            at=at,
        )


def objects(name: str, geometries: Any) -> NDArray[np.object_]:
    """The geometries as an array; a single one as an array without axes."""
    if isinstance(geometries, shapely.Geometry) or hasattr(geometries, "__array__"):
        array = np.asarray(geometries, dtype=object)
    else:
        try:
            items = list(geometries)
        except TypeError:
            found = type(geometries).__name__
            raise InputTypeError(f"expected a sequence of shapes, got {found}", at=name) from None
        # np.asarray would convert items that are sequences.
        array = np.fromiter(items, dtype=object, count=len(items))
    return array


def _place(name: str, given: NDArray[np.object_], row: int) -> Place:
    index = _index(given, row)
    if not index:
        return Place(name)
    return Place(name, index[0] if len(index) == 1 else index)


def _index(given: NDArray[np.object_], row: int) -> tuple[int, ...]:
    return tuple(int(place) for place in np.unravel_index(row, given.shape))

"""GeoJSON, read into a column and written from one. No other package is needed."""

from __future__ import annotations

import json
import math
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from carom import Shapes
from carom.commands.errors import CommandError
from carom.interop.reasons import RAISED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# The default of RFC 7946.
DEFAULT_CRS = "OGC:CRS84"
SPELLINGS = {"urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84"}
"""Names of the default CRS in older files."""
NAMES = {
    "Point": "point",
    "MultiPoint": "point",
    "LineString": "path",
    "MultiLineString": "path",
    "Polygon": "ring",
    "MultiPolygon": "ring",
}
"""What geometries of each type consist of. The types are in the order of `carom.KINDS`."""
GEOMETRIES = tuple(NAMES)
FIRST_GAP = 2.0**53
"""Above this, not every integer is a float64."""
GEOJSON = ("FeatureCollection", "Feature", *GEOMETRIES, "GeometryCollection")
MEMBERS = ("type", "features", "geometry", "coordinates", "crs")
"""The members of GeoJSON objects that are read."""
NUMBERS = {int, float}
SHAPES = "points, lines or polygons"
ESRI = {"attributes", "geometryType", "paths", "rings", "spatialReference"}
"""Members that tell Esri JSON."""
CONVERT = "convert it to GeoJSON, for example with ogr2ogr"
READ = "GeoJSON, .parquet, .geoparquet, .arrow, .arrows, .feather, .gpkg and .shp"
HAS_Z = f"{RAISED}Z; --drop-z leaves it out"
Vertices: TypeAlias = NDArray[np.float64]
Row: TypeAlias = tuple[int, list[list[Vertices]]]
"""The kind of a shape, and the rings of each of its polygons."""
MISSING: Row = (-1, [])


class BadRowError(Exception):
    """A geometry that can't be read."""


class DuplicateMemberError(Exception):
    """A GeoJSON object with a duplicate member, which is ambiguous."""


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns a JSON object."""
    found = dict(pairs)
    if len(found) < len(pairs) and found.get("type") in GEOJSON:  # members of properties may repeat
        names = [name for name, _ in pairs]
        for name in MEMBERS:
            if names.count(name) > 1:
                raise DuplicateMemberError(f'an object has the member "{name}" twice')
    return found


def whole_number(text: str) -> int | float:
    """Returns an integer; one beyond the range of float64 is infinite, as with an exponent."""
    if len(text) > 300:  # Python's int() refuses 4,300 digits
        number = float(text)
        if math.isinf(number):
            return number
    return int(text)


def parse(text: bytes, name: str) -> dict[str, Any]:
    """Returns a GeoJSON object; raises `CommandError` if the text is none."""
    try:
        tree = json.loads(
            text.decode("utf-8-sig"), parse_int=whole_number, object_pairs_hook=members
        )
    except UnicodeDecodeError as error:
        raise CommandError(
            f"{name}: not UTF-8 text ({error.reason}), so not GeoJSON; {READ} are read"
        ) from None
    except json.JSONDecodeError as error:
        if found := several_objects(error):
            raise CommandError(f"{name}: not GeoJSON but {found}; {CONVERT}") from None
        raise CommandError(f"{name}: not JSON: {error}; {READ} are read") from None
    except DuplicateMemberError as error:
        raise CommandError(f"{name}: not GeoJSON: {error}") from None
    except RecursionError:
        raise CommandError(f"{name}: not GeoJSON: nested too deeply") from None
    if not isinstance(tree, dict) or tree.get("type") not in GEOJSON:
        if found := other_format(tree):
            raise CommandError(f"{name}: not GeoJSON but {found}; {CONVERT}")
        raise CommandError(f"{name}: not GeoJSON: expected an object of a type such as Feature")
    return tree


def several_objects(error: json.JSONDecodeError) -> str | None:
    """Returns what text is that has several GeoJSON objects and so is no JSON, if it is that."""
    if error.doc.startswith("\x1e"):
        return "a GeoJSON text sequence (RFC 8142)"
    if error.msg != "Extra data":
        return None
    first = json.loads(error.doc[: error.pos])
    is_geojson = isinstance(first, dict) and first.get("type") in GEOJSON
    goes_on = error.doc[error.pos :].startswith("{")
    return "several objects, one a line (GeoJSONSeq, NDJSON)" if is_geojson and goes_on else None


def other_format(tree: Any) -> str | None:
    """Returns what JSON that is mistaken for GeoJSON is called, if it is known."""
    if not isinstance(tree, dict):
        return None
    if tree.get("type") == "Topology":
        return "TopoJSON"
    return "Esri JSON" if ESRI & tree.keys() else None


def features_of(tree: dict[str, Any], name: str) -> list[Any]:
    """Returns the features of a GeoJSON object; a bare geometry is one."""
    features: Any = tree.get("features") if tree["type"] == "FeatureCollection" else [tree]
    if not isinstance(features, list):
        raise CommandError(f"{name}: not GeoJSON: a FeatureCollection has a list of features")
    return features


def properties_of(features: list[Any]) -> dict[str, list[Any]]:
    """Returns the properties of features as columns; what a feature doesn't have is None.

    The member "id" of features, if they have it, is the first column; if they have another property
    of this name, it is called "feature_id".
    """
    given = [it.get("properties") if isinstance(it, dict) else None for it in features]
    rows: list[dict[str, Any]] = [it if isinstance(it, dict) else {} for it in given]
    names = dict.fromkeys(chain.from_iterable(rows))
    columns = {name: [row.get(name) for row in rows] for name in names}
    ids = [it.get("id") if is_feature(it) else None for it in features]
    if ids == [None] * len(ids) or ids == columns.get("id"):
        return columns
    name = "id"
    while name in columns:
        name = f"feature_{name}"
    return {name: ids, **columns}


def is_feature(thing: Any) -> bool:
    """Whether this is a GeoJSON Feature; a bare geometry may stand for one."""
    return isinstance(thing, dict) and thing.get("type") == "Feature"


def shapes_of(features: list[Any], crs: str, drop_z: bool) -> Shapes:
    """Returns the shapes of features as a column, in which invalid ones are missing."""
    rows: list[Row] = []
    faults: list[tuple[int, str]] = []
    for number, feature in enumerate(features):
        try:
            rows.append(row_of(feature, drop_z))
        except BadRowError as fault:
            rows.append(MISSING)
            faults.append((number, str(fault)))
    return column_of(rows, faults, crs)


def geometries(shapes: Shapes, rows: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Yields rows of a column as GeoJSON geometries."""
    rings, polygons, *more = (offsets.tolist() for offsets in shapes.offsets)
    parts = more[0] if more else range(len(shapes) + 1)
    coords, kinds = shapes.coords, shapes.kind.tolist()
    for row in rows:
        whole = [
            [coords[rings[k] : rings[k + 1]].tolist() for k in range(*polygons[part : part + 2])]
            for part in range(*parts[row : row + 2])
        ]
        kind = GEOMETRIES[kinds[row]]
        yield {"type": kind, "coordinates": coordinates_of(kind, whole)}


def coordinates_of(kind: str, polygons: list[list[list[Any]]]) -> Any:
    """Returns the coordinates of a geometry, the inverse of `polygons_of`."""
    if NAMES[kind] == "ring":
        closed = [[[*ring, ring[0]] for ring in polygon] for polygon in polygons]
        return closed if kind == "MultiPolygon" else closed[0]
    (chains,) = polygons
    if NAMES[kind] == "point":
        chains = [chain[0] for chain in chains]
    return chains if kind.startswith("Multi") else chains[0]


def column_of(rows: list[Row], faults: list[tuple[int, str]], crs: str) -> Shapes:
    """Returns the rows as a column, in which those with faults and invalid ones are missing."""
    polygons = [polygon for _, row in rows for polygon in row]
    rings = [ring for polygon in polygons for ring in polygon]
    read = Shapes._restored(  # noqa: SLF001 - no other constructor takes rows of any kind
        np.concatenate([*rings, np.empty((0, 2))]),
        np.cumsum([0, *map(len, rings)]),
        np.cumsum([0, *map(len, polygons)]),
        np.cumsum([0, *(len(row) for _, row in rows)]),
        ([kind for kind, _ in rows], []),
        faults,
        crs,
    )
    return Shapes(read, on_invalid="mask")


def named_crs(tree: dict[str, Any], name: str) -> str:
    """Returns the CRS, which older GeoJSON may name, or give as a code of EPSG."""
    crs = tree.get("crs")
    if not isinstance(crs, dict) or not isinstance(values := crs.get("properties"), dict):
        return DEFAULT_CRS
    if str(crs.get("type")).upper() == "EPSG":
        code = str(values.get("code")).upper().removeprefix("EPSG:")
        if not code.isdecimal():
            raise CommandError(f"{name}: expected a code of EPSG in its crs, got {json.dumps(crs)}")
        return f"EPSG:{code}"
    given = values.get("name")
    if not isinstance(given, str) or not given.strip() or given in SPELLINGS:
        return DEFAULT_CRS
    if given.startswith("{"):
        raise CommandError(f"{name}: expected the name of a system in its crs, got {given[:50]!r}")
    return given


def row_of(feature: Any, drop_z: bool) -> Row:
    """Returns the row of a feature or of a bare geometry."""
    if feature is None:
        raise BadRowError("expected a Feature, got null")
    geometry = feature.get("geometry") if is_feature(feature) else feature
    if geometry is None:
        return MISSING
    kind = geometry.get("type") if isinstance(geometry, dict) else "thing that is no geometry"
    if kind == "GeometryCollection" and geometry.get("geometries") == []:
        return MISSING
    if kind not in GEOMETRIES:
        found = json.dumps(kind) if isinstance(kind, str) and not kind.isprintable() else kind
        raise BadRowError(f"expected {SHAPES}, got a {found}")
    if "coordinates" not in geometry:
        raise BadRowError(f"the {kind} has no coordinates; {positions(NAMES[kind])}")
    if geometry["coordinates"] == []:
        return MISSING
    row = polygons_of(kind, geometry["coordinates"], drop_z)
    return (GEOMETRIES.index(kind), row) if any(map(len, row)) else MISSING


def polygons_of(kind: str, coordinates: Any, drop_z: bool) -> list[list[Vertices]]:
    """Returns what a column holds of a geometry: rings, of which those of one polygon are together.

    Each path and each point is a ring, and all of them count as one polygon.
    """
    read = partial(vertices, name=NAMES[kind], drop_z=drop_z)
    match kind:
        case "Point":
            return [[read([coordinates], place="", is_point=True)]]
        case "MultiPoint":
            points = enumerate(items(coordinates, kind))
            return [[read([point], place=f"part {k}", is_point=True) for k, point in points]]
        case "LineString":
            return [[read(coordinates, place="")]]
        case "MultiLineString":
            return [
                [read(path, place=f"part {k}") for k, path in enumerate(items(coordinates, kind))]
            ]
        case "Polygon":
            return [rings(coordinates, "", read)]
        case _:  # a MultiPolygon
            parts = enumerate(items(coordinates, kind))
            return [rings(part, f"part {k}: ", read) for k, part in parts]


def rings(polygon: Any, place: str, read: Callable[..., Vertices]) -> list[Vertices]:
    """Returns the rings of a polygon."""
    if not isinstance(polygon, list):
        raise BadRowError(f"{place}{positions('ring')}")
    return [read(ring, place=f"{place}ring {number}") for number, ring in enumerate(polygon)]


def items(coordinates: Any, kind: str) -> list[Any]:
    """Returns the parts of a geometry of several."""
    if not isinstance(coordinates, list):
        raise BadRowError(positions(NAMES[kind]))
    return coordinates


def vertices(
    chain: Any, *, name: str, place: str, drop_z: bool, is_point: bool = False
) -> Vertices:
    """Returns the vertices of a ring, a path or a point."""
    if not is_ring(chain):
        fault = f" is {shown(chain[0])}" if is_point else fault_of_ring(chain)
        raise BadRowError(f"{place or f'the {name}'}{fault}; {positions(name)}")
    dimensions = set(map(len, chain))
    if dimensions != {2}:
        if not drop_z:
            raise BadRowError(HAS_Z)
        chain = [position[:2] for position in chain]
    array = np.array(chain, dtype=np.float64)
    if np.abs(array).max() >= FIRST_GAP and (inexact := inexact_integer(chain)):
        raise BadRowError(f"{place}: {inexact}" if place else inexact)
    return array


def positions(name: str) -> str:
    """Returns of what a ring, a path or a point consists."""
    position = "a position is [x, y] or [x, y, z] of numbers"
    return position if name == "point" else f"a {name} is a list of positions, and {position}"


def is_ring(ring: Any) -> bool:
    """Whether this is a list of positions. Unlike in Python, booleans are not numbers."""
    return (
        isinstance(ring, list)
        and set(map(type, ring)) == {list}
        and min(map(len, ring)) >= 2
        and set(map(type, chain.from_iterable(ring))) <= NUMBERS
    )


def fault_of_ring(ring: Any) -> str:
    """Returns the error of an invalid ring: the ring itself, or its first invalid vertex."""
    for vertex, position in enumerate(ring if isinstance(ring, list) else []):
        if (
            not isinstance(position, list)
            or len(position) < 2
            or not NUMBERS.issuperset(map(type, position))
        ):
            return f": vertex {vertex} is {shown(position)}"
    return f" is {shown(ring)}"


def inexact_integer(ring: list[list[int | float]]) -> str | None:
    """Returns the first vertex with an integer that float64 would round, if any."""
    for vertex, position in enumerate(ring):
        for number in position:
            if isinstance(number, int) and float(number) != number:
                return f"vertex {vertex} has {shown(number)}, which no float64 holds exactly"
    return None


def shown(value: Any, depth: int = 1) -> str:
    """Returns a JSON value, abbreviated for a message."""
    if isinstance(value, dict):
        return "{...}" if value else "{}"
    if isinstance(value, list):
        if not depth and value:
            return "[...]"
        more = ["..."] if len(value) > 4 else []
        return f"[{', '.join([shown(item, depth - 1) for item in value[:4]] + more)}]"
    text = json.dumps(value)
    return text if len(text) <= 32 else f"{text[:24]}..."

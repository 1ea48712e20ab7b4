"""The polygons of a GeoJSON or GeoParquet file, part by part."""

from __future__ import annotations

import json
import math
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from carom import Shapes
from carom.commands import CommandError, naming

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

PARQUET = {".parquet", ".geoparquet"}
# The default of RFC 7946.
DEFAULT_CRS = "OGC:CRS84"
SPELLINGS = {"urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84"}
"""Names of the default CRS in older files."""
POLYGONAL = ("Polygon", "MultiPolygon")
GEOMETRIES = ("Point", "MultiPoint", "LineString", "MultiLineString", *POLYGONAL)
FIRST_GAP = 2.0**53
"""Above this, not every integer is a float64."""
GEOJSON = ("FeatureCollection", "Feature", *GEOMETRIES, "GeometryCollection")
MEMBERS = ("type", "features", "geometry", "coordinates", "crs")
"""The members of GeoJSON objects that are read."""
NUMBERS = {int, float}
POSITIONS = "a ring is a list of positions, and a position is [x, y] or [x, y, z] of numbers"
HAS_Z = "the coordinates have Z; --drop-z leaves it out"
NO_GEOPANDAS = "GeoParquet needs GeoPandas and pyarrow; pip install 'carom[geo]'"


@dataclass
class Layer:
    """A file's polygons: one row per part of a MultiPolygon, one row for anything else."""

    name: str
    crs: Any = None
    rows: list[Any] = field(default_factory=list)
    """Rings, a Shapely polygon, None if missing, or the error if the row can't be read."""
    features: list[int] = field(default_factory=list)
    """The feature of each row, counted from 0."""
    parts: list[int | None] = field(default_factory=list)
    """The part of a MultiPolygon that each row is."""

    def add(self, row: Any, feature: int, part: int | None = None) -> None:
        """Appends a row."""
        self.rows.append(row)
        self.features.append(feature)
        self.parts.append(part)

    def place(self, row: int) -> str:
        """Returns the location of a row, for messages."""
        part = "" if self.parts[row] is None else f", part {self.parts[row]}"
        return f"{self.name}: feature {self.features[row]}{part}"

    def bad_rows(self) -> Iterator[str]:
        """Yields the location and the error of each invalid row."""
        for row, polygon in enumerate(self.rows):
            try:
                if isinstance(polygon, CommandError):
                    raise polygon
                Shapes([polygon])
            except (ValueError, TypeError, CommandError) as error:
                reason = str(error).removeprefix("shapes[0]: ")
                yield f"{self.place(row)}: {reason}"

    def column(self) -> Shapes:
        """Returns the polygons.

        Raises `CommandError` with status 1 if one is invalid.
        """
        if not any(isinstance(row, CommandError) for row in self.rows):
            with suppress(ValueError, TypeError):
                return Shapes(self.rows)
        raise CommandError(f"{next(self.bad_rows())}; `carom check` lists every bad row", 1)

    def feature_of_row(self) -> NDArray[np.int64]:
        """Returns the feature of each row."""
        return np.array(self.features, dtype=np.int64)


def read_layer(file: str, *, drop_z: bool) -> Layer:
    """Returns the polygons in a file; "-" is GeoJSON from standard input.

    Raises `OSError` if it can't be read, and `CommandError` if it doesn't have the format that its
    name implies.
    """
    if Path(file).suffix.lower() in PARQUET:
        return read_parquet(file, drop_z)
    name = "standard input" if file == "-" else file
    if file == "-" and sys.stdin is None:
        raise CommandError(f"{name}: it is closed")
    try:
        with naming(name):
            text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        tree = json.loads(
            text.decode("utf-8-sig"), parse_int=whole_number, object_pairs_hook=members
        )
    except UnicodeDecodeError as error:
        raise CommandError(f"{name}: not UTF-8 text ({error.reason}), so not GeoJSON") from None
    except json.JSONDecodeError as error:
        raise CommandError(f"{name}: not JSON: {error}") from None
    except DuplicateMemberError as error:
        raise CommandError(f"{name}: not GeoJSON: {error}") from None
    except RecursionError:
        raise CommandError(f"{name}: not GeoJSON: nested too deeply") from None
    return read_geojson(name, tree, drop_z)


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


def read_geojson(name: str, tree: Any, drop_z: bool) -> Layer:
    """Returns the polygons of a GeoJSON object."""
    if not isinstance(tree, dict) or tree.get("type") not in GEOJSON:
        raise CommandError(f"{name}: not GeoJSON: expected an object of a type such as Feature")
    layer = Layer(name, named_crs(tree))
    features: Any = tree.get("features") if tree["type"] == "FeatureCollection" else [tree]
    if not isinstance(features, list):
        raise CommandError(f"{name}: not GeoJSON: a FeatureCollection has a list of features")
    for number, feature in enumerate(features):
        if feature is None:
            layer.add(CommandError("expected a Feature, got null"), number)
            continue
        is_feature = isinstance(feature, dict) and feature.get("type") == "Feature"
        add_geometry(layer, feature.get("geometry") if is_feature else feature, number, drop_z)
    return layer


def named_crs(tree: dict[str, Any]) -> Any:
    """Returns the CRS, which older GeoJSON may name."""
    try:
        name = tree["crs"]["properties"]["name"]
    except (KeyError, TypeError):
        return DEFAULT_CRS
    return name if isinstance(name, str) and name not in SPELLINGS else DEFAULT_CRS


def add_geometry(layer: Layer, geometry: Any, feature: int, drop_z: bool) -> None:
    """Appends the rows of one geometry."""
    if geometry is None:
        layer.add(None, feature)
        return
    kind = geometry.get("type") if isinstance(geometry, dict) else "thing that is no geometry"
    coordinates = geometry.get("coordinates") if isinstance(geometry, dict) else None
    if kind not in POLYGONAL:
        found = json.dumps(kind) if isinstance(kind, str) and not kind.isprintable() else kind
        layer.add(CommandError(f"expected a Polygon or a MultiPolygon, got a {found}"), feature)
    elif "coordinates" not in geometry:
        layer.add(CommandError(f"the {kind} has no coordinates; {POSITIONS}"), feature)
    elif kind == "Polygon" or not coordinates or not isinstance(coordinates, list):
        layer.add(rings(coordinates, drop_z), feature)
    else:
        for part, polygon in enumerate(coordinates):
            layer.add(rings(polygon, drop_z), feature, part)


def rings(polygon: Any, drop_z: bool) -> Any:
    """Returns the rings of a polygon as arrays, None if it is empty, or the error."""
    if polygon == []:
        return None
    if not isinstance(polygon, list):
        return CommandError(POSITIONS)
    arrays = []
    for number, ring in enumerate(polygon):
        if not is_ring(ring):
            return CommandError(f"ring {number}{fault_of_ring(ring)}; {POSITIONS}")
        dimensions = set(map(len, ring))
        if dimensions != {2}:
            if not drop_z:
                return CommandError(HAS_Z)
            ring = [position[:2] for position in ring]
        array = np.array(ring, dtype=np.float64)
        if np.abs(array).max() >= FIRST_GAP and (fault := inexact_integer(ring)):
            return CommandError(f"ring {number}: {fault}")
        arrays.append(array)
    return arrays


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


def read_parquet(file: str, drop_z: bool) -> Layer:
    """Returns the polygons of a GeoParquet file."""
    Path(file).open("rb").close()  # raises the system's error if it can't be read
    try:
        import geopandas

        series = geopandas.read_parquet(file).geometry
    except ImportError:
        raise CommandError(f"{file}: {NO_GEOPANDAS}") from None
    except Exception as error:  # a broken file may make its readers raise anything
        raise CommandError(f"{file}: not GeoParquet: {error}") from None
    layer = Layer(file, series.crs)
    for number, geometry in enumerate(series):
        add_shapely(layer, geometry, number, drop_z)
    return layer


def add_shapely(layer: Layer, geometry: Any, feature: int, drop_z: bool) -> None:
    """Appends the rows of one Shapely geometry."""
    import shapely

    if geometry is None or (geometry.geom_type in POLYGONAL and geometry.is_empty):
        layer.add(None, feature)
    elif geometry.geom_type not in POLYGONAL:
        found = geometry.geom_type
        layer.add(CommandError(f"expected a Polygon or a MultiPolygon, got a {found}"), feature)
    elif geometry.has_z and not drop_z:
        layer.add(CommandError(HAS_Z), feature)
    elif geometry.geom_type == "Polygon":
        layer.add(shapely.force_2d(geometry), feature)
    else:
        for part, polygon in enumerate(shapely.force_2d(geometry).geoms):
            layer.add(None if polygon.is_empty else polygon, feature, part)


def refuse_different_crs(one: Layer, other: Layer) -> None:
    """Raises `CommandError` if both layers have a CRS, and they differ."""
    if one.crs is None or other.crs is None or one.crs == other.crs:
        return
    try:
        from pyproj import CRS

        known = [CRS.from_user_input(layer.crs) for layer in (one, other)]
        is_same = known[0].equals(known[1], ignore_axis_order=True)
    except (ImportError, RuntimeError):  # RuntimeError: pyproj knows no such system
        is_same = False
    if not is_same:
        raise CommandError(
            f"{one.name} has the CRS {short(one.crs)} and {other.name} the CRS {short(other.crs)}; "
            "convert them to one"
        )


def short(crs: Any) -> str:
    """Returns the name of a coordinate system."""
    return crs if isinstance(crs, str) else crs.name

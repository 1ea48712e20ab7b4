"""The polygons of a GeoJSON or GeoParquet file, part by part."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from carom import Polygons
from carom.commands import CommandError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

PARQUET = {".parquet", ".geoparquet"}
# What RFC 7946 says of coordinates whose system isn't named.
DEFAULT_CRS = "OGC:CRS84"
SPELLINGS = {"urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84"}
"""How older files name it."""
POLYGONAL = ("Polygon", "MultiPolygon")
GEOMETRIES = ("Point", "MultiPoint", "LineString", "MultiLineString", *POLYGONAL)
GEOJSON = ("FeatureCollection", "Feature", *GEOMETRIES, "GeometryCollection")
NO_GEOPANDAS = "GeoParquet needs GeoPandas and pyarrow; pip install 'carom[geo]'"


@dataclass
class Layer:
    """A file's polygons: a MultiPolygon gives one row per part, anything else one row."""

    name: str
    crs: Any = None
    rows: list[Any] = field(default_factory=list)
    """Rings, a Shapely polygon, None if missing, or why the row can't be read."""
    features: list[int] = field(default_factory=list)
    """The feature of each row, counted from 0."""
    parts: list[int | None] = field(default_factory=list)
    """Which part of a MultiPolygon each row is."""

    def add(self, row: Any, feature: int, part: int | None = None) -> None:
        """Appends a row."""
        self.rows.append(row)
        self.features.append(feature)
        self.parts.append(part)

    def place(self, row: int) -> str:
        """Returns where a row stands, for people."""
        part = "" if self.parts[row] is None else f", part {self.parts[row]}"
        return f"{self.name}: feature {self.features[row]}{part}"

    def bad_rows(self) -> Iterator[str]:
        """Yields where each bad row stands and what is wrong with it."""
        for row, polygon in enumerate(self.rows):
            try:
                if isinstance(polygon, CommandError):
                    raise polygon
                Polygons([polygon])
            except (ValueError, TypeError, CommandError) as error:
                reason = str(error).removeprefix("polygons[0]: ")
                yield f"{self.place(row)}: {reason}"

    def column(self) -> Polygons:
        """Returns the polygons.

        Raises `CommandError` with the status 1 if there is a bad one.
        """
        if not any(isinstance(row, CommandError) for row in self.rows):
            with suppress(ValueError, TypeError):
                return Polygons(self.rows)
        raise CommandError(f"{next(self.bad_rows())}; `carom check` lists every bad row", 1)

    def feature_of_row(self) -> NDArray[np.int64]:
        """Returns the features of the rows as an array."""
        return np.array(self.features, dtype=np.int64)


def read_layer(file: str, *, drop_z: bool) -> Layer:
    """Returns the polygons in a file; "-" is GeoJSON from standard input.

    Raises `OSError` if it can't be read, and `CommandError` if it is not what its name says.
    """
    if Path(file).suffix.lower() in PARQUET:
        return read_parquet(file, drop_z)
    name = "standard input" if file == "-" else file
    if file == "-" and sys.stdin is None:
        raise CommandError(f"{name}: it is closed")
    try:
        text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        tree = json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CommandError(f"{name}: not UTF-8 text ({error.reason}), so not GeoJSON") from None
    except ValueError as error:
        raise CommandError(f"{name}: not JSON: {error}") from None
    except RecursionError:
        raise CommandError(f"{name}: not GeoJSON: nested too deeply") from None
    return read_geojson(name, tree, drop_z)


def read_geojson(name: str, tree: Any, drop_z: bool) -> Layer:
    """Returns the polygons of a GeoJSON object."""
    if not isinstance(tree, dict) or tree.get("type") not in GEOJSON:
        raise CommandError(f"{name}: not GeoJSON: expected an object of a type such as Feature")
    layer = Layer(name, named_crs(tree))
    features: Any = tree.get("features") if tree["type"] == "FeatureCollection" else [tree]
    if not isinstance(features, list):
        raise CommandError(f"{name}: not GeoJSON: a FeatureCollection has a list of features")
    for number, feature in enumerate(features):
        is_feature = isinstance(feature, dict) and feature.get("type") == "Feature"
        add_geometry(layer, feature.get("geometry") if is_feature else feature, number, drop_z)
    return layer


def named_crs(tree: dict[str, Any]) -> Any:
    """Returns the coordinate system that older GeoJSON names."""
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
        layer.add(CommandError(f"expected a Polygon or a MultiPolygon, got a {kind}"), feature)
    elif kind == "Polygon" or not coordinates or not isinstance(coordinates, list):
        layer.add(rings(coordinates, drop_z), feature)
    else:
        for part, polygon in enumerate(coordinates):
            layer.add(rings(polygon, drop_z), feature, part)


def rings(polygon: Any, drop_z: bool) -> Any:
    """Returns the rings of a polygon as arrays, or why they are none."""
    if polygon == []:
        return None
    try:
        arrays = [np.array(ring) for ring in polygon]
    except (ValueError, TypeError):
        arrays = []
    # Of words NumPy would make numbers, and of null NaN.
    if not arrays or any(ring.ndim != 2 or ring.dtype.kind not in "iuf" for ring in arrays):
        return CommandError("a ring is a list of positions, and a position is [x, y] or [x, y, z]")
    if any(ring.shape[1] > 2 for ring in arrays) and not drop_z:
        return CommandError("the coordinates have Z; --drop-z leaves it out")
    return [ring[:, :2] for ring in arrays]


def read_parquet(file: str, drop_z: bool) -> Layer:
    """Returns the polygons of a GeoParquet file."""
    Path(file).open("rb").close()  # for the system's words about why it can't be read
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
        layer.add(CommandError("the coordinates have Z; --drop-z leaves it out"), feature)
    elif geometry.geom_type == "Polygon":
        layer.add(shapely.force_2d(geometry), feature)
    else:
        for part, polygon in enumerate(shapely.force_2d(geometry).geoms):
            layer.add(polygon, feature, part)


def refuse_different_crs(one: Layer, other: Layer) -> None:
    """Raises `CommandError` if both layers say what their coordinates mean, and not the same."""
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
            "bring them into one"
        )


def short(crs: Any) -> str:
    """Returns the name of a coordinate system."""
    return crs if isinstance(crs, str) else crs.name

"""The features of a file: their shapes and their attributes."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from carom import Shapes
from carom.commands import geojson as gj
from carom.commands.errors import CommandError, naming
from carom.commands.stderr import tell
from carom.interop.crs import is_same_crs

if TYPE_CHECKING:
    from collections.abc import Iterator

PARQUET = {".parquet", ".geoparquet"}
VECTOR = {".gpkg": "GeoPackage", ".shp": "Shapefile"}
"""The formats that are read by GeoPandas with pyogrio."""
RAISED = "the coordinates have Z or M"
"""How the reason begins that names a remedy in Python."""
NO_GEOPANDAS = (
    "{} needs GeoPandas; pip install 'carom[geo]', or convert it to GeoJSON, which needs nothing"
)


@dataclass
class Layer:
    """A file's features as rows of a column, in which invalid rows are missing."""

    name: str
    crs: Any
    shapes: Shapes
    source: Any
    """The features: a list of GeoJSON, or a GeoDataFrame."""

    def attributes(self) -> dict[str, Any]:
        """Returns the columns but the geometry: lists, or series of pandas."""
        if isinstance(self.source, list):
            return gj.properties_of(self.source)
        return dict(self.source.drop(columns=self.source.geometry.name).items())

    def bad_rows(self) -> Iterator[str]:
        """Yields the location and the error of each invalid row."""
        for feature, reason in enumerate(self.shapes.invalid_reason):
            if reason is not None:
                told = gj.HAS_Z if reason.startswith(RAISED) else reason
                yield f"{self.name}: feature {feature}: {told}"

    def valid(self) -> Shapes:
        """Returns the column.

        Raises `CommandError` with status 1 if a row is invalid.
        """
        line = next(self.bad_rows(), None)
        if line is not None:
            raise CommandError(f"{line}; `carom check` lists every bad row", 1)
        return self.shapes

    def vectors(self, names: tuple[str, str]) -> NDArray[np.float64] | None:
        """Returns the vector of each feature from two columns; None if there are neither.

        Raises `CommandError` with status 1 if a feature with a shape has no numbers there.
        """
        columns, kinds = self.attributes(), self.shapes.kind
        absent = [name for name in names if name not in columns]
        if len(absent) == len(names):
            return None
        if absent:
            raise CommandError(f"{self.name}: there is no column {absent[0]}")
        vectors = np.zeros((len(kinds), 2))
        for axis, name in enumerate(names):
            for row, value in enumerate(np.asarray(columns[name], dtype=object).tolist()):
                if kinds[row] >= 0:
                    vectors[row, axis] = self.number(value, row, name)
        return vectors

    def number(self, value: Any, row: int, name: str) -> float:
        """Returns a finite number that a float64 holds exactly."""
        is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not (is_number and np.isfinite(float(value)) and float(value) == value):
            raise CommandError(
                f"{self.name}: feature {row}: {name} is {value!r}, expected a finite number", 1
            )
        return float(value)

    @property
    def is_geographic(self) -> bool:
        """Whether the coordinates are known to be degrees."""
        if self.crs == gj.DEFAULT_CRS:
            return True
        try:
            from pyproj import CRS

            return self.crs is not None and bool(CRS.from_user_input(self.crs).is_geographic)
        except (ImportError, RuntimeError):  # RuntimeError: pyproj knows no such system
            return False


def read_layer(file: str, *, drop_z: bool) -> Layer:
    """Returns the features in a file; "-" is GeoJSON from standard input.

    Raises `OSError` if it can't be read, and `CommandError` if it doesn't have the format that its
    name implies.
    """
    if "://" in file:
        raise CommandError(f"{file}: a URL is not read; download the file and name it")
    suffix = Path(file).suffix.lower()
    if suffix in {*PARQUET, *VECTOR}:
        return read_frame(file, suffix, drop_z)
    name = "standard input" if file == "-" else file
    if file == "-" and sys.stdin is None:
        raise CommandError(f"{name}: it is closed")
    with naming(name):
        text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    tree = gj.parse(text, name)
    features = gj.features_of(tree, name)
    return Layer(name, gj.named_crs(tree, name), gj.shapes_of(features, drop_z), features)


def read_frame(file: str, suffix: str, drop_z: bool) -> Layer:
    """Returns the features of a file that GeoPandas reads."""
    Path(file).open("rb").close()  # raises the system's error if it can't be read
    what = VECTOR.get(suffix, "GeoParquet")
    try:
        import geopandas

        if suffix in PARQUET:
            frame = with_index(geopandas.read_parquet(file))
        else:
            refuse_several(file)
            frame = with_index(geopandas.read_file(file))
        if not isinstance(frame, geopandas.GeoDataFrame):
            raise CommandError(f"{file}: has no geometries")
        series = frame.geometry
    except ImportError:
        raise CommandError(f"{file}: {NO_GEOPANDAS.format(what)}") from None
    except CommandError:
        raise
    except Exception as error:  # a broken file may make its readers raise anything
        raise CommandError(f"{file}: not {what}: {error}") from None
    read = Shapes.from_shapely(series, drop_z=drop_z, on_invalid="mask")
    return Layer(file, series.crs, read, frame)


def with_index(frame: Any) -> Any:
    """Returns a frame with the named levels of its index as columns of other names than its own."""
    names: list[Any] = []
    for name in frame.index.names:
        while name is not None and (name in frame.columns or name in names):
            name = f"index_{name}"
        names.append(name)
    return frame.rename_axis(index=names).reset_index([it for it in names if it is not None])


def refuse_several(file: str) -> None:
    """Raises `CommandError` if a file has more than one layer."""
    import pyogrio

    names = [str(name) for name, _ in pyogrio.list_layers(file)]
    if len(names) > 1:
        raise CommandError(
            f"{file}: it has {len(names)} layers, {', '.join(names)}; write one to a file of its "
            f"own: ogr2ogr layer.gpkg {file} {names[0]}"
        )


def refuse_different_crs(one: Layer, other: Layer) -> None:
    """Raises `CommandError` if both layers have a CRS, and they differ; warns if one has none."""
    if one.crs is None and other.crs is None:
        return
    if one.crs is None or other.crs is None:
        known, unknown = (other, one) if one.crs is None else (one, other)
        tell(
            f"carom: warning: {unknown.name} has no CRS, and {known.name} has {short(known.crs)}; "
            "the coordinates are taken as they are"
        )
    elif not is_same_crs(one.crs, other.crs):
        raise CommandError(
            f"{one.name} has the CRS {short(one.crs)} and {other.name} the CRS {short(other.crs)}; "
            "convert them to one"
        )


def short(crs: Any) -> str:
    """Returns the name of a coordinate system."""
    return crs if isinstance(crs, str) else crs.name

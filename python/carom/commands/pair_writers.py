"""Pairs of features with their attributes, written as CSV, GeoJSON, GeoParquet or by pyogrio."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
from numpy.typing import NDArray

from carom.commands import geojson as gj
from carom.commands.errors import CommandError, naming, refuse_unwritable, refuse_without
from carom.commands.layer import are_same, plain
from carom.commands.readers import PARQUET
from carom.commands.vector_file import (
    MOST,
    driver_of,
    refuse_fixed_columns,
    refuse_other_layers,
    write_vector,
)
from carom.interop.crs import crs_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from carom.commands.layer import Layer

Integers = NDArray[np.int64]
GEOJSON = {".geojson", ".json"}
FOLDERS = {".gdb"}
"""The suffixes of formats that are folders."""
OWN = ("a", "b", "distance", "geometry")
"""Columns that are no attributes."""
BATCH = 100_000
"""Pairs at a time."""


@dataclass
class Joined:
    """The pairs of a join."""

    a: Layer
    b: Layer
    pairs: Integers
    distance: NDArray[np.float64] | None
    has_attributes: bool

    @cached_property
    def attributes(self) -> list[tuple[str, int, Any]]:
        """The name of each column of attributes, the side of the pair it is of, and its values."""
        if not self.has_attributes:
            return []
        both = self.a.attributes(), self.b.attributes()
        return [
            (unique(name, side, both), side, values)
            for side in (0, 1)
            for name, values in both[side].items()
        ]

    def columns(self) -> Mapping[str, Callable[[slice], list[Any]]]:
        """Returns for each column a function that gives the values of some pairs."""
        numbers: dict[str, NDArray[Any]] = {"a": self.pairs[0], "b": self.pairs[1]}
        if self.distance is not None:
            numbers["distance"] = self.distance
        found = {name: partial(listed, it) for name, it in numbers.items()}
        for name, side, values in self.attributes:
            found[name] = partial(taken, values, self.pairs[side])
        return found

    def frame(self) -> Any:
        """Returns a GeoDataFrame of the pairs, with the geometry of the first of each.

        Raises `RuntimeError` if pyproj doesn't know the CRS.
        """
        import geopandas

        data: dict[str, Any] = {"a": self.pairs[0], "b": self.pairs[1]}
        if self.distance is not None:
            data["distance"] = self.distance
        for name, side, values in self.attributes:
            data[name] = series_of(values).take(self.pairs[side]).array
        shapes = self.a.shapes.to_shapely()[self.pairs[0]]
        return geopandas.GeoDataFrame(data, geometry=shapes, crs=self.a.crs)

    def batches(self) -> Iterator[slice]:
        """Yields slices of the pairs."""
        for start in range(0, self.pairs.shape[1], BATCH):
            yield slice(start, start + BATCH)


def unique(name: str, side: int, both: tuple[dict[str, Any], ...]) -> str:
    """Returns the name of an attribute in the output: with a suffix where it would be ambiguous."""
    label = name
    while label in OWN or label in both[1 - side] or (label != name and label in both[side]):
        label += ("_a", "_b")[side]
    return label


def listed(numbers: NDArray[Any], part: slice) -> list[Any]:
    """Returns some numbers."""
    return list(numbers[part].tolist())


def taken(values: Any, rows: Integers, part: slice) -> list[Any]:
    """Returns the values of some rows, None where one is missing."""
    if isinstance(values, list):
        return [values[row] for row in rows[part].tolist()]
    chosen = values.take(rows[part])
    return [plain(it) for it in chosen.astype(object).where(chosen.notna(), None)]


def writer(output: str) -> Callable[[Joined], None]:
    """Returns a function that writes the pairs, after checking that it can.

    Raises `CommandError` for a format that isn't written, or if a package is missing.
    """
    if output == "-":
        return lambda joined: write_csv(joined, sys.stdout)
    path = Path(output)
    suffix = path.suffix.lower()
    if "://" in output:
        raise CommandError(f"{output}: a URL is not written; name a file")
    refuse_unwritable(path, is_folder=suffix in FOLDERS)
    if suffix in PARQUET:
        return parquet_writer(path)
    write = {".csv": write_csv, "": write_csv} | dict.fromkeys(GEOJSON, write_geojson)
    if suffix not in write:
        return vector_writer(path)

    def write_text(joined: Joined) -> None:
        with naming(path), path.open("w", encoding="utf-8", newline="") as file:
            write[suffix](joined, file)

    return write_text


def write_csv(joined: Joined, file: TextIO) -> None:
    """Writes a header and one line per pair."""
    columns = joined.columns()
    write = csv.writer(file, lineterminator="\n")
    write.writerow(columns)
    for part in joined.batches():
        cells = [map(cell, values(part)) for values in columns.values()]
        write.writerows(zip(*cells, strict=True))


def cell(value: Any) -> Any:
    """Returns a value as it stands in CSV: lists and objects as JSON."""
    return json.dumps(value) if isinstance(value, list | dict) else value


def write_geojson(joined: Joined, file: TextIO) -> None:
    """Writes a feature per pair, with the geometry of the first of the two."""
    start = {"type": "FeatureCollection"} | crs_member(joined.a)
    file.write(f'{json.dumps(start)[:-1]}, "features": [')
    columns = joined.columns()
    separator = "\n"
    for part in joined.batches():
        rows = zip(*(values(part) for values in columns.values()), strict=True)
        shapes = gj.geometries(joined.a.shapes, joined.pairs[0, part].tolist())
        for row, geometry in zip(rows, shapes, strict=True):
            properties = {name: finite(value) for name, value in zip(columns, row, strict=True)}
            feature = {"type": "Feature", "properties": properties, "geometry": geometry}
            file.write(separator + json.dumps(feature, ensure_ascii=False, default=str))
            separator = ",\n"
    file.write("\n]}\n")


def finite(value: Any) -> Any:
    """Returns a value that JSON has: None instead of NaN and infinity, in lists and objects too."""
    if isinstance(value, dict):
        return {name: finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def crs_member(layer: Layer) -> dict[str, Any]:
    """Returns the member of GeoJSON that names a CRS; none for longitude and latitude."""
    crs = layer.crs
    if crs is None or are_same(crs, gj.DEFAULT_CRS):
        return {}
    if not isinstance(layer.source, list):  # whose name is GeoJSON's already
        authority = authority_of(crs)
        if authority is None:
            raise CommandError(
                f"GeoJSON can't name the CRS {crs_name(crs)} of {layer.name}; write .parquet"
            )
        crs = "urn:ogc:def:crs:{}::{}".format(*authority)
    return {"crs": {"type": "name", "properties": {"name": crs}}}


def authority_of(crs: Any) -> tuple[str, str] | None:
    """Returns the authority and the code of a system; None if it has neither."""
    from pyproj import CRS

    try:
        known: tuple[str, str] | None = CRS.from_user_input(crs).to_authority()
    except RuntimeError:  # pyproj knows no such system
        return None
    return known


def parquet_writer(path: Path) -> Callable[[Joined], None]:
    """Returns a function that writes GeoParquet, with the geometry of the first of each pair."""
    refuse_without(path, "GeoParquet", "geopandas", "pyarrow")
    import pyarrow as pa

    def write(joined: Joined) -> None:
        file = io.BytesIO()
        try:
            joined.frame().to_parquet(file, index=False)
        except (pa.ArrowException, RuntimeError, TypeError, ValueError) as error:
            raise CommandError(f"{path}: {error}") from None
        with naming(path):
            path.write_bytes(file.getbuffer())

    return write


def vector_writer(path: Path) -> Callable[[Joined], None]:
    """Returns a function that writes a vector format, with the geometry of the first of each pair.

    Raises `CommandError` if pyogrio writes no such format, or not with these columns.
    """
    driver = driver_of(path)
    if driver is None:
        raise CommandError(
            f"{path}: {path.suffix} is not written; .csv, .geojson, .json, .parquet, .geoparquet "
            "and the formats that pyogrio writes are, such as .gpkg, .shp, .fgb, .gml and .kml"
        )
    refuse_fixed_columns(path, driver)
    refuse_other_layers(path)

    def write(joined: Joined) -> None:
        try:
            frame = joined.frame()
        except (RuntimeError, TypeError, ValueError) as error:
            raise CommandError(f"{path}: {error}") from None
        write_vector(frame, path, driver)

    return write


def series_of(values: Any) -> Any:
    """Returns a column as a series; lists, objects, large integers and mixed types as JSON text."""
    if not isinstance(values, list):
        return values
    import pandas as pd

    types = {float if type(value) is int else type(value) for value in values if value is not None}
    are_large = types == {float} and any(type(it) is int and abs(it) > MOST for it in values)
    if len(types) > 1 or types & {list, dict} or are_large:
        values = [None if value is None else json.dumps(value) for value in values]
    return pd.Series(values).convert_dtypes()

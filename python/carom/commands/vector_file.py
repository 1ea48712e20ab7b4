"""Frames written to files of the vector formats that pyogrio writes."""

from __future__ import annotations

import json
import shutil
import tempfile
import warnings
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.commands.errors import CommandError, naming, refuse_without
from carom.commands.layer import plain
from carom.commands.stderr import tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST = np.iinfo(np.int64).max
"""The largest integer of these formats."""
SHARED = {".gdb": ("OpenFileGDB",), ".kml": ("LIBKML", "KML")}
"""The drivers of suffixes that several have, best first."""
MISLEADING = {".dbf", ".tsv", ".txt", ".x10"}
"""Suffixes of which GDAL would make a Shapefile, a CSV without tabs, and timetables of VDV."""
TABLES = {"ODS", "XLSX"}
"""Drivers without geometries."""
FIXED = {"DGN", "DXF", "GPSBabel", "GPX", "S57", "Selafin", "WAsP"}
"""Drivers that write no columns but their own, which the pairs don't have."""
DATABASES = {"GPKG", "OpenFileGDB", "SQLite"}
"""Drivers whose features have a number and a geometry in columns, which may be renamed."""
DEFAULTS = {"FID": "fid", "GEOMETRY_NAME": "geom"}
"""The options that name these columns, and their names unless an attribute has them."""
SIDECARS = {
    ".gml": {".gfs", ".xsd"},
    ".mif": {".mid"},
    ".shp": {".shx", ".dbf", ".prj", ".qpj", ".cpg", ".cst", ".qix", ".sbn", ".sbx", ".idm"},
    ".tab": {".dat", ".id", ".ind", ".map"},
}
"""The suffixes of the files that are parts of a data set beside that with its own suffix."""
ADDED = ("-journal", "-shm", "-wal", ".aux.xml", ".xml")
"""What is added to the name of a data set in those of files about it, and of SQLite's."""


def driver_of(path: Path) -> str | None:
    """Returns the driver that writes a file of this name; None if there is none.

    Raises `CommandError` if GeoPandas or pyogrio is not installed.
    """
    refuse_without(path, path.suffix, "geopandas", "pyogrio")
    import pyogrio

    suffix = path.suffix.lower()
    if suffix in MISLEADING:
        return None
    if suffix in SHARED:
        written = pyogrio.list_drivers(write=True)
        return next((name for name in SHARED[suffix] if name in written), None)
    try:
        return str(pyogrio.detect_write_driver(path.name))
    except ValueError:
        return None


def refuse_other_layers(path: Path) -> None:
    """Raises `CommandError` if a file exists that has several layers, which would be lost."""
    import pyogrio
    from pyogrio.errors import DataSourceError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            names = [str(name) for name, _ in pyogrio.list_layers(path)] if path.exists() else []
        except DataSourceError:  # not a file of layers
            return
    if len(names) > 1:
        raise CommandError(
            f"{path}: it has {len(names)} layers, {', '.join(names)}, which would be lost; write "
            "a new file"
        )


def refuse_fixed_columns(path: Path, driver: str) -> None:
    """Raises `CommandError` if a driver writes no other columns than its own."""
    if driver in FIXED:
        raise CommandError(
            f"{path}: {path.suffix} is not written, as {driver} has no columns for a, b and the "
            "attributes; write .gpkg"
        )


def write_vector(frame: Any, path: Path, driver: str) -> None:
    """Writes a frame as the only layer of a file, in place of an existing one.

    The files are complete before they have their names: a failure leaves an existing file as it is.
    """
    geometry = frame.geometry.name
    names = [name for name in frame.columns if name != geometry]
    table = frame.assign(**{name: storable(frame[name]) for name in names})
    table = table[names] if driver in TABLES else table
    table = table.rename(columns=dict(zip(names, distinct(names, {geometry}), strict=True)))
    with naming(path), tempfile.TemporaryDirectory(dir=path.parent) as folder:
        try:
            warned_of = create(table, Path(folder, path.name), driver)
        except (RuntimeError, TypeError, ValueError) as error:
            raise CommandError(f"{path}: {driver}: {error}") from None
        warned_of += changes(table, Path(folder, path.name), driver)
        for text in warned_of:
            tell(f"carom: warning: {path}: {text}")
        remove_sidecars(path)
        for made in Path(folder).iterdir():
            replace(made, path.parent / made.name)


def create(table: Any, file: Path, driver: str) -> list[str]:
    """Creates a file; returns what is warned of, such as names that the format cuts."""
    import pyogrio

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", "'crs' was not provided")
        pyogrio.write_dataframe(
            table,
            file,
            driver=driver,
            layer=file.name.partition(".")[0],
            # The driver has no type for single and multiple parts together.
            promote_to_multi=driver == "OpenFileGDB" or None,
            **options_of(driver, table.columns),
        )
    return list(dict.fromkeys(str(warning.message) for warning in told))


def changes(table: Any, file: Path, driver: str) -> list[str]:
    """Returns what a driver does to the geometries: leave them out, project or round them."""
    import pyogrio
    import pyproj
    from pyogrio.errors import DataSourceError

    if driver in TABLES:
        return [f"{driver} has no geometry; the attributes alone are written"]
    try:
        crs = pyogrio.read_info(file)["crs"]
        _, bounds = pyogrio.read_bounds(file)
    except DataSourceError:
        return [f"{driver} makes a file that can't be read again"]
    if table.crs is not None and crs and pyproj.CRS(crs) != table.crs:
        return [f"{driver} has coordinates in {crs}, to which they are projected"]
    found, expected = ({*it.ravel().tolist()} for it in (bounds, table.bounds.to_numpy()))
    return [] if found <= expected else [f"{driver} rounds coordinates"]


def remove_sidecars(path: Path) -> None:
    """Removes the files beside an existing data set that would be taken for parts of a new one."""
    if not path.is_file():
        return
    names = {path.name + ending for ending in ADDED}
    suffixes = SIDECARS.get(path.suffix.lower(), set())
    for file in list(path.parent.iterdir()):
        is_part = file.stem == path.stem and file.suffix.lower() in suffixes
        if (is_part or file.name in names) and file.is_file():
            file.unlink()


def replace(made: Path, place: Path) -> None:
    """Moves a file or a folder to a place, in place of what is there."""
    if place.is_dir():
        shutil.rmtree(place)
    elif made.is_dir():
        place.unlink(missing_ok=True)
    made.replace(place)


def options_of(driver: str, columns: Iterable[str]) -> dict[str, Any]:
    """Returns what a driver has to be told: to keep the order, or names that no attribute has."""
    if driver == "FlatGeobuf":
        # Its index sorts the rows by place.
        return {"SPATIAL_INDEX": "NO"}
    if driver not in DATABASES:
        return {}
    return dict(zip(DEFAULTS, distinct(DEFAULTS.values(), columns), strict=True))


def distinct(names: Iterable[str], others: Iterable[str]) -> list[str]:
    """Returns names that differ from each other and from others in more than upper case.

    Most drivers take names for the same that differ in that alone.
    """
    taken = {name.lower() for name in others}
    made = []
    for name in names:
        own = next(it for it in candidates(name) if it.lower() not in taken)
        taken.add(own.lower())
        made.append(own)
    return made


def candidates(name: str) -> Iterator[str]:
    """Yields a name, and then it with the numbers from 2 on."""
    yield name
    for number in count(2):
        yield f"{name}_{number}"


def storable(column: Any) -> Any:
    """Returns a column of types that every driver has: JSON text for lists, text for others."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    is_number = pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(
        column
    )
    if is_number and not (pd.api.types.is_unsigned_integer_dtype(column) and column.max() > MOST):
        return column
    return column.astype(object).map(text_of, na_action="ignore")


def text_of(value: Any) -> Any:
    """Returns strings as they are, lists and objects as JSON, and other values as text."""
    value = plain(value)
    return json.dumps(value, default=str) if isinstance(value, list | dict) else str(value)

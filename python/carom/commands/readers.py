"""Files read as layers, by the options that all commands have in common."""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carom import KINDS, InputError, Shapes
from carom._input_error import Place, again, parts_of, place_of
from carom.commands import geojson as gj
from carom.commands.errors import CommandError, naming
from carom.commands.layer import Layer
from carom.commands.tables import arrow_table, is_of_shapes, parquet_table
from carom.interop.arrow import BY_COLUMN, KindAdvice, chosen_column

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

PARQUET = {".parquet", ".geoparquet"}
ARROW = {".arrow", ".arrows", ".feather"}
VECTOR = {".gpkg": "GeoPackage", ".shp": "Shapefile"}
"""The formats that pyogrio reads."""
FORMATS = "GeoJSON, .parquet, .arrow, .feather, .gpkg, .shp, or - for standard input"
NEEDED = (
    "{} needs GeoPandas; pip install 'carom[geo]', or convert it to GeoJSON, which needs nothing"
)
CURVES = range(8, 13)
"""The numbers of curves, and of what consists of them, in WKB. Z adds 1000, and M 2000."""
WITH_M = 2000


@dataclass
class Reading:
    """How a file is read."""

    drop_z: bool
    straighten: bool
    column: str | None
    kind: Any


def add_reading(command: ArgumentParser, each: str = "") -> None:
    """Adds the options; `each` says of which files they are."""
    command.add_argument(
        "--column", metavar="NAME", help=f"the column of shapes in a Parquet or Arrow file{each}"
    )
    command.add_argument(
        "--kind",
        help="what the shapes are, where lists of coordinates leave it open: "
        f"{', '.join(KINDS)} or box{each}",
    )
    command.add_argument(
        "--straighten",
        action="store_true",
        help="accept curves in a GeoPackage, and take the straight pieces that its reader makes",
    )
    command.add_argument(
        "--drop-z", action="store_true", help="accept shapes with Z or M, and drop both"
    )


def readings(options: Namespace, files: int) -> list[Reading]:
    """Returns how each of the files is read."""
    given = []
    for name in ("column", "kind"):
        text = getattr(options, name)
        values = [text] if text is None or files == 1 else text.split(",")
        if len(values) not in (1, files):
            options.refuse(f"argument --{name}: expected one, or one for each file, got {text!r}")
        given.append([value or None for value in values] * (files // len(values)))
    for kind in given[1]:
        if kind not in (None, "box", *KINDS):
            options.refuse(f"argument --kind: {kind!r} is none of {', '.join(KINDS)} and box")
    return [Reading(options.drop_z, options.straighten, *own) for own in zip(*given, strict=True)]


def read_layer(file: str, how: Reading) -> Layer:
    """Returns the features in a file; "-" is GeoJSON from standard input.

    Raises `OSError` if it can't be read, and `CommandError` if it doesn't have the format that its
    name implies.
    """
    if "://" in file:
        raise CommandError(f"{file}: a URL is not read; download the file and name it")
    suffix = Path(file).suffix.lower()
    if suffix in PARQUET:
        return read_with("GeoParquet", lambda: of_table(file, parquet_table(file), how), file)
    if suffix in ARROW:
        return read_with("Arrow IPC", lambda: of_table(file, arrow_table(file), how), file)
    name = "standard input" if file == "-" else file
    for option in ("column", "kind"):
        if getattr(how, option) is not None:
            raise CommandError(f"{name}: --{option} is for Parquet and Arrow files")
    if suffix in VECTOR:
        return read_with(VECTOR[suffix], lambda: read_vector(file, how), file)
    if file == "-" and sys.stdin is None:
        raise CommandError(f"{name}: it is closed")
    with naming(name):
        text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    tree = gj.parse(text, name)
    features = gj.features_of(tree, name)
    return Layer(name, gj.shapes_of(features, gj.named_crs(tree, name), how.drop_z), features)


def read_with(what: str, read: Callable[[], Layer], file: str) -> Layer:
    """Returns the features of a file of a format that other packages read."""
    Path(file).open("rb").close()  # raises the system's error if it can't be read
    try:
        return read()
    except ImportError:
        raise CommandError(f"{file}: {NEEDED.format(what)}") from None
    except CommandError:
        raise
    except Exception as error:  # a broken file may make its readers raise anything
        raise CommandError(f"{file}: not {what}: {error}") from None


def of_table(file: str, table: Any, how: Reading) -> Layer:
    """Returns the features in the rows of a table."""
    geo = (table.schema.metadata or {}).get(b"geo", b"").decode()
    fields = [(field.name, is_of_shapes(field)) for field in table.schema]
    try:
        position = chosen_column(file, fields, how.column, geo)
        shapes = Shapes.from_arrow(
            table.select([position]),
            column=fields[position][0],
            kind=how.kind,
            on_invalid="mask",
            drop_z=how.drop_z,
        )
    except InputError as error:
        raise CommandError(f"{file}: {as_options(error)}") from None
    return Layer(
        file, shapes, attributes_of(table.remove_column(position), geo, fields[position][0])
    )


def as_options(error: InputError) -> str:
    """Returns what is wrong with a table, with the command's options for arguments in Python."""

    def option(part: str) -> str:
        if isinstance(part, KindAdvice):
            return KindAdvice(part.kinds, part.names, "--kind {} or --kind {}")
        return "--column" if part == BY_COLUMN else part

    place = place_of(error)
    if error.row is not None:
        # The features of a file are the rows.
        place = Place(None, text=f"feature {error.row}")
    elif place == error.argument:
        place = Place(None)
    return str(again(error, *map(option, parts_of(error)), at=place))


def attributes_of(table: Any, geo: str, column: str) -> Any:
    """Returns the columns of a table but that of the shapes, their boxes, and a named index's.

    Other columns of WKB are geometries.
    """
    import geopandas

    columns = json.loads(geo).get("columns", {}) if geo else {}
    frame = table.to_pandas()
    for field in table.schema:
        stored = getattr(field.type, "storage_type", field.type)
        if (field.name in columns or is_of_shapes(field)) and "binary" in str(stored):
            crs = columns.get(field.name, {"crs": None}).get("crs", gj.DEFAULT_CRS)
            frame[field.name] = geopandas.GeoSeries.from_wkb(
                frame[field.name], crs=crs, on_invalid="ignore"
            )
    boxes = columns.get(column, {}).get("covering", {}).get("bbox", {}).get("xmin", [])[:1]
    return with_index(frame.drop(columns=boxes, errors="ignore"), column)


def with_index(frame: Any, column: str) -> Any:
    """Returns a frame with the named levels of its index as columns of other names than its own."""
    names: list[Any] = [column]
    for name in frame.index.names:
        while name is not None and (name in frame.columns or name in names):
            name = f"index_{name}"
        names.append(name)
    own = names[1:]
    return frame.rename_axis(index=own).reset_index([it for it in own if it is not None])


def read_vector(file: str, how: Reading) -> Layer:
    """Returns the features of a GeoPackage or a Shapefile."""
    import geopandas
    import pyogrio

    with warnings.catch_warnings():
        # pyogrio's frames have no M, of which it warns, and straight pieces in place of curves.
        warnings.filterwarnings("ignore", "Measured")
        refuse_several(file)
        about, table = pyogrio.read_arrow(file, columns=[])
        if about["geometry_type"] is None:
            raise CommandError(f"{file}: has no geometries")
        frame = geopandas.read_file(file, ignore_geometry=True)
        if how.straighten:
            table = straightened(file, table, how.drop_z)
    shapes = Shapes.from_arrow(
        table, column=table.column_names[0], on_invalid="mask", drop_z=how.drop_z
    )
    of_curves = (
        "its straight pieces have no M, which --drop-z accepts"
        if how.straighten
        else "--straighten takes straight pieces of it"
    )
    return Layer(file, shapes.with_crs(about["crs"]), frame, of_curves)


def straightened(file: str, table: Any, drop_m: bool) -> Any:
    """Returns the geometries with straight pieces for curves, but for those with M to be kept."""
    import pyarrow as pa
    import pyogrio
    import shapely

    pieces = pyogrio.read_dataframe(file, columns=[], use_arrow=False, on_invalid="ignore").geometry
    rows = table.column(0).to_pylist()
    for row, wkb in enumerate(rows):
        kind = int.from_bytes(wkb[1:5], "little") if wkb else 0
        if kind % 1000 in CURVES and (drop_m or kind < WITH_M):
            rows[row] = shapely.to_wkb(pieces.iloc[row])
    return pa.table({table.column_names[0]: pa.array(rows, pa.binary())})


def refuse_several(file: str) -> None:
    """Raises `CommandError` if a file has more than one layer."""
    import pyogrio

    names = [str(name) for name, _ in pyogrio.list_layers(file)]
    if len(names) > 1:
        raise CommandError(
            f"{file}: it has {len(names)} layers, {', '.join(names)}; write one to a file of its "
            f"own: ogr2ogr layer.gpkg {file} {names[0]}"
        )

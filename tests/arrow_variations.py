"""Sends columns of geometries through libraries that exchange Arrow, to carom, and back.

Each case is a column of some kind, encoding, CRS and length, with missing and empty rows, chunks
and slices. It goes through a library to `Shapes.from_arrow`, and as WKB on request through it once
more; then its own type is read again. The rows and the CRS must be the same each time, but for what
KNOWN says that a library loses.

    python tests/arrow_variations.py [--cases N] [--seed S] [--library NAME] [--show K]

Libraries take turns. Prints how many cases came back different by library; exits with 1 if any did,
after printing the number that makes the case again. Libraries that aren't installed are named and
left out.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import geopandas
import pyarrow as pa
import pyarrow.parquet as pq
import pyproj
import shapely
from carom import KINDS, Shapes
from shapely import LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon

NAME, METADATA = b"ARROW:extension:name", b"ARROW:extension:metadata"
BINARY = {"binary": pa.binary(), "large": pa.large_binary(), "view": pa.binary_view()}
NATIVE = {"interleaved": True, "separated": False}
ENCODINGS = (*BINARY, "big-endian", "srid", "dictionary", *NATIVE)
CRS = {
    "none": None,
    "PROJJSON": pyproj.CRS(32633).to_json_dict(),
    "code": "EPSG:32633",
    "4326": "EPSG:4326",
    "CRS84": "OGC:CRS84",
    "WKT": pyproj.CRS(32633).to_wkt(),
}
SRIDS = {"none": 0, "4326": 4326, "CRS84": 4326}


class Case(NamedTuple):
    """A column, and what carom must make of it."""

    kind: str
    encoding: str
    crs: str
    rows: list[Any]
    table: pa.Table

    @property
    def wkb(self) -> list[bytes | None]:
        return [None if row is None or row.is_empty else shapely.to_wkb(row) for row in self.rows]


def coordinates(random: Random, count: int) -> list[tuple[float, float]]:
    return [(random.randint(-99, 99) / 10, random.uniform(-9, 9)) for _ in range(count)]


def path(random: Random) -> LineString:
    """No two vertices coincide: carom writes such a path with one vertex."""
    return LineString([(k, random.uniform(-9, 9)) for k in range(random.randint(2, 5))])


def polygon(random: Random, at: int = 0) -> Polygon:
    left, width = 10.0 * at, random.uniform(2, 9)
    hole = [(left + 0.5, 0.5), (left + 0.5, 1), (left + 1, 0.5)]
    shell = [(left, 0), (left + width, 0), (left + width, 5), (left, random.uniform(2, 5))]
    return Polygon(shell, [hole] if random.random() < 0.3 else [])


MAKE: dict[str, Callable[[Random], Any]] = {
    "point": lambda random: Point(*coordinates(random, 1)),
    "path": path,
    "polygon": polygon,
    "multipoint": lambda random: MultiPoint(coordinates(random, random.randint(1, 4))),
    "multipath": lambda random: MultiLineString(
        [path(random) for _ in range(random.randint(1, 3))]
    ),
    "multipolygon": lambda random: MultiPolygon(
        [polygon(random, at) for at in range(random.randint(1, 3))]
    ),
}
EMPTY = {
    "point": Point(),
    "path": LineString(),
    "polygon": Polygon(),
    "multipoint": MultiPoint(),
    "multipath": MultiLineString(),
    "multipolygon": MultiPolygon(),
}


def row(random: Random, kind: str, missing: float) -> Any:
    if random.random() < missing:
        return random.choice([None, EMPTY[kind]])
    return MAKE[kind](random)


def encoded(rows: list[Any], encoding: str, crs: str) -> tuple[pa.Field, pa.Array]:
    """The rows as a field and its array."""
    metadata = {METADATA: json.dumps({} if CRS[crs] is None else {"crs": CRS[crs]}).encode()}
    if encoding in NATIVE:
        made = geopandas.GeoSeries(rows).to_arrow(
            geometry_encoding="geoarrow", interleaved=NATIVE[encoding]
        )
        field = pa.Field._import_from_c_capsule(made.__arrow_c_array__()[0])
        array = pa.array(made)
        if isinstance(array, pa.ExtensionArray):
            name, array = array.type.extension_name.encode(), array.storage
        else:
            name = field.metadata[NAME]
        field = pa.field("geometry", array.type, metadata={NAME: name, **metadata})
        return field, array
    options: dict[str, Any] = {}
    if encoding == "big-endian":
        options = {"byte_order": 0}
    elif encoding == "srid":
        options = {"include_srid": True}
        srid = SRIDS.get(crs, 32633)
        rows = [None if it is None else shapely.set_srid(it, srid) for it in rows]
    values = [None if it is None else shapely.to_wkb(it, **options) for it in rows]
    array = pa.array(values, BINARY.get(encoding, pa.binary()))
    if encoding == "dictionary":
        array = array.dictionary_encode()
    named = {NAME: b"geoarrow.wkb", **metadata}
    if encoding == "srid":  # PostGIS's form, which has no name, and tells the CRS by row
        named = {}
    return pa.field("geometry", array.type, metadata=named), array


def case(random: Random, encoding: str | None = None, crs: str | None = None) -> Case:
    kind = random.choice([*KINDS, "mixed"] if encoding not in NATIVE else KINDS)
    drawn_encoding = random.choice(ENCODINGS if kind != "mixed" else ENCODINGS[: -len(NATIVE)])
    encoding = encoding or drawn_encoding
    crs = crs or random.choice(list(CRS))
    missing = random.choice([0.0, 0.3, 1.0]) if encoding not in NATIVE else 0.3
    count = random.randint(0 if encoding not in NATIVE else 1, 6)
    drawn = (random.choice(KINDS) if kind == "mixed" else kind for _ in range(count))
    rows = [row(random, it, missing) for it in drawn]
    if encoding in NATIVE and all(it is None for it in rows):
        rows[0] = MAKE[kind](random)  # GeoPandas writes no column of which it knows no type
    before, after = random.choice([(0, 0), (1, 0), (2, 3)])
    pad = MAKE[KINDS[0] if kind == "mixed" else kind](random)
    field, array = encoded([*[pad] * before, *rows, *[pad] * after], encoding, crs)
    array = array[before : before + count]
    cut = random.choice([0, random.randint(0, count)])
    chunks = [array[:cut], array[cut:]] if cut else [array]
    number = pa.array(range(count))
    schema = pa.schema([pa.field("id", pa.int64()), field])
    return Case(
        kind,
        encoding,
        crs,
        rows,
        pa.table([number, pa.chunked_array(chunks, field.type)], schema=schema),
    )


class Way(NamedTuple):
    """What a library makes of a table: whatever it exports."""

    through: Callable[[pa.Table, Random], Any]
    needs: tuple[str, ...] = ()


def through_pyarrow(table: pa.Table, random: Random) -> Any:
    forms = (
        lambda: table,
        table.to_reader,
        lambda: pa.concat_tables([table[:1], table[1:1], table[1:]]),
        table.combine_chunks,
    )
    return random.choice(forms)()


def through_ipc(table: pa.Table, random: Random) -> Any:
    sink = io.BytesIO()
    with random.choice([pa.ipc.new_stream, pa.ipc.new_file])(sink, table.schema) as writer:
        writer.write_table(table)
    try:
        return pa.ipc.open_file(sink.getvalue()).read_all()
    except pa.ArrowInvalid:
        return pa.ipc.open_stream(sink.getvalue())


def through_parquet(table: pa.Table, random: Random) -> Any:
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=random.choice([2, 100]))
    return pq.read_table(sink)


@cache
def duckdb_connection() -> Any:
    return importlib.import_module("duckdb").connect()


@cache
def sedonadb_session() -> Any:
    return importlib.import_module("sedonadb").connect()


def through_duckdb(table: pa.Table, random: Random) -> Any:
    connection = duckdb_connection().cursor()
    connection.execute(f"SET arrow_large_buffer_size = {random.choice(['true', 'false'])}")
    connection.register("rows", table)
    relation = connection.sql("FROM rows")
    return random.choice([lambda: relation, relation.to_arrow_table, relation.to_arrow_reader])()


def through_sedonadb(table: pa.Table, random: Random) -> Any:
    frame = sedonadb_session().create_data_frame(table)
    return random.choice([lambda: frame, frame.to_arrow_table])()


def through_polars(table: pa.Table, random: Random) -> Any:
    import polars as pl

    frame = pl.DataFrame(table)
    cut = random.randint(0, len(frame))
    return random.choice(
        [lambda: frame, lambda: pl.concat([frame[:cut], frame[cut:]], rechunk=False)]
    )()


def through_polars_st(table: pa.Table, random: Random) -> Any:
    import polars_st as st

    frame = through_polars(table, random)
    made = frame.select(st.geom("geometry").st.force_2d())
    return random.choice([made, made["geometry"]])


def through_arro3(table: pa.Table, random: Random) -> Any:
    from arro3 import core

    made = core.Table.from_arrow(table)
    return random.choice([lambda: made, lambda: made["geometry"], made.to_reader])()


def through_geopandas(table: pa.Table, random: Random) -> Any:
    frame = geopandas.GeoDataFrame.from_arrow(table)
    return random.choice([frame.to_arrow, frame.geometry.to_arrow])()


def through_geoarrow_rust(table: pa.Table, random: Random) -> Any:
    from geoarrow.rust import core

    column = table.combine_chunks()["geometry"]
    array = column.chunk(0) if column.num_chunks else pa.array([], column.type)
    coord_type = random.choice(["separated", "interleaved"])
    text = table.schema.field("geometry").metadata[METADATA]
    to_type = core.geometry(coord_type=coord_type, crs=json.loads(text).get("crs"))
    return core.from_wkb(Named(table.schema.field("geometry"), array), to_type=to_type)


class Named:
    """An array with the metadata of its field, which pyarrow's arrays don't have."""

    def __init__(self, field: pa.Field, array: pa.Array) -> None:
        self.field, self.array = field, getattr(array, "storage", array)

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        del requested_schema
        return self.field.__arrow_c_schema__(), self.array.__arrow_c_array__()[1]


WAYS = {
    "pyarrow": Way(through_pyarrow),
    "ipc": Way(through_ipc),
    "parquet": Way(through_parquet),
    "duckdb": Way(through_duckdb, ("duckdb",)),
    "sedonadb": Way(through_sedonadb, ("sedonadb",)),
    "polars": Way(through_polars, ("polars",)),
    "polars-st": Way(through_polars_st, ("polars", "polars_st")),
    "arro3": Way(through_arro3, ("arro3.core",)),
    "geopandas": Way(through_geopandas),
    "geoarrow-rust": Way(through_geoarrow_rust, ("geoarrow.rust.core",)),
}

WKB = ("binary", "large", "view", "big-endian")


class Known(NamedTuple):
    """What a library does to a column, for some encodings and CRS."""

    way: str
    loses: str
    encodings: tuple[str, ...] = ENCODINGS
    crs: tuple[str, ...] = tuple(CRS)


KNOWN = (
    Known("duckdb", "crs", WKB, ("code", "4326")),
    Known("duckdb", "kind", tuple(NATIVE)),
    Known("duckdb", "crs", tuple(NATIVE)),
    Known("duckdb", "all", ("dictionary",)),
    Known("polars", "slice", ("interleaved",)),
    Known("polars-st", "name"),
    Known("polars-st", "crs", (*WKB, "dictionary")),
    Known("polars-st", "all", (*NATIVE, "dictionary")),
    Known("geopandas", "all", ("srid", "dictionary")),
    Known("geopandas", "untried", tuple(NATIVE)),
    Known("geoarrow-rust", "all", ("srid", "dictionary", *NATIVE)),
)
"""`crs`: it is gone. `name`: no field is named as a geometry, so that the column must be named.
`kind`: the names of the lists are gone, too, so that the kind must be told. `slice`: the library
reads no array that begins within its buffers. `all`: it takes no such column as geometries.
`untried`: the column goes to carom alone."""


def lost(way: str, encoding: str, crs: str) -> set[str]:
    return {
        known.loses
        for known in KNOWN
        if known.way == way and encoding in known.encodings and crs in known.crs
    }


def same_crs(found: Any, expected: Any) -> bool:
    if found is None or expected is None:
        return found is expected
    one, other = (pyproj.CRS.from_user_input(it) for it in (found, expected))
    return bool(one.equals(other, ignore_axis_order=True))


def difference(column: Shapes, wkb: list[bytes | None], crs: Any) -> str | None:
    found = column.to_wkb().tolist()
    if found != wkb:
        return f"rows are {found}, not {wkb}"
    if not same_crs(column.crs, crs):
        return f"the CRS is {column.crs}, not {crs}"
    return None


def asked(column: Shapes, binary: pa.DataType) -> pa.Table:
    """The table of WKB that a column answers to a request."""
    field, array = column.__arrow_c_array__(binary.__arrow_c_schema__())
    told = pa.Field._import_from_c_capsule(field)
    answer = pa.Array._import_from_c_capsule(told.__arrow_c_schema__(), array)
    answer = getattr(answer, "storage", answer)
    crs = {} if column.crs is None else {"crs": column.crs}
    metadata = {NAME: b"geoarrow.wkb", METADATA: json.dumps(crs).encode()}
    return pa.table([answer], schema=pa.schema([pa.field("geometry", binary, metadata=metadata)]))


def read(exported: Any, one: Case, losses: set[str]) -> Shapes:
    """The column, of which is told what the library has lost."""
    options: dict[str, Any] = {}
    is_column = type(exported).__name__ in {"Series", "ChunkedArray", "GeoArray", "GeoArrowArray"}
    if not is_column and ({"name", "kind"} & losses or one.encoding == "srid"):
        options["column"] = "geometry"
    if "kind" in losses:
        options["kind"] = one.kind
    return Shapes.from_arrow(exported, **options)


def there(way: str, one: Case, random: Random) -> tuple[Shapes | None, str | None]:
    """The column that came through the library, and what is wrong with it."""
    losses = lost(way, one.encoding, one.crs)
    if {"all", "untried"} & losses:
        return None, None
    crs = None if "crs" in losses else CRS[one.crs]
    table = one.table.take(list(range(len(one.rows)))) if "slice" in losses else one.table
    column = read(WAYS[way].through(table, random), one, losses)
    if one.encoding == "srid" and not any(one.wkb):
        crs = column.crs  # a row that is missing has no SRID that counts
    return column, difference(column, one.wkb, crs)


def back(way: str, one: Case, column: Shapes, random: Random) -> str | None:
    """What is wrong with the column that went through the library once more as WKB on request."""
    name = random.choice(list(BINARY))
    losses = lost(way, name, one.crs)
    if "all" in losses:
        name, losses = "binary", lost(way, "binary", one.crs)
    kept = column.with_crs(CRS[one.crs])
    exported = WAYS[way].through(asked(kept, BINARY[name]), random)
    again = read(exported, one, losses)
    return difference(again, one.wkb, None if "crs" in losses else CRS[one.crs])


def exported(one: Case, column: Shapes) -> str | None:
    """What is wrong with the column's own type, read again."""
    kept = column.with_crs(CRS[one.crs])
    table = pa.table({"geometry": kept})
    for form in (
        kept,
        Named(pa.Field._import_from_c_capsule(kept.__arrow_c_array__()[0]), pa.array(kept)),
    ):
        wrong = difference(Shapes.from_arrow(form), one.wkb, CRS[one.crs])
        if wrong:
            return wrong
    return None if len(table) == len(one.rows) else "another number of rows"


class Outcome(NamedTuple):
    way: str
    case: str
    failure: str | None


def run_case(seed: int, number: int, ways: list[str]) -> Outcome:
    random = Random(f"{seed}/{number}")
    one, way = case(random), ways[number % len(ways)]
    name = f"{way}, seed {seed}, case {number}: {one.kind}, {one.encoding}, CRS {one.crs}"
    try:
        column, failure = there(way, one, random)
        if column is None:  # the library takes no such column: it goes to carom alone
            column = Shapes.from_arrow(one.table, column="geometry")
            failure = difference(column, one.wkb, column.crs)
        failure = failure or back(way, one, column, random) or exported(one, column)
    except Exception as wrong:  # a refusal is a difference too
        failure = f"{type(wrong).__name__}: {wrong}"
    return Outcome(way, name, failure)


def run(cases: int, seed: int, ways: list[str]) -> Iterator[Outcome]:
    return (run_case(seed, number, ways) for number in range(cases))


def installed(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def forget_types() -> None:
    """Makes pyarrow and polars keep names as metadata, also if a library has registered the types.

    With geoarrow-pyarrow's types, which SedonaDB imports, pyarrow refuses what it doesn't know.
    """
    if installed("geoarrow.pyarrow"):
        importlib.import_module("geoarrow.pyarrow").unregister_extension_types()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--library", action="append", choices=WAYS)
    parser.add_argument("--show", type=int, default=20, help="how many differences to print")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    start = time.monotonic()
    warnings.simplefilter("error")
    forget_types()
    wanted = options.library or list(WAYS)
    ways = [way for way in wanted if all(map(installed, WAYS[way].needs))]
    count: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for outcome in run(options.cases, options.seed, ways):
        count[outcome.way] += 1
        if outcome.failure is not None:
            wrong[outcome.way] += 1
            if wrong.total() <= options.show:
                print(f"{outcome.case}\n  {outcome.failure}\n", flush=True)
    print(f"{'library':20}{'cases':>8}{'different':>11}")
    for way in wanted:
        told = f"{count[way]:8}{wrong[way]:11}" if way in ways else "  not installed"
        print(f"{way:20}{told}")
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

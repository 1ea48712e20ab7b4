"""Arrow in and out: every form of WKB beside plain WKB, tables of points, and export.

As in cliffs.py, a question is answered by carom and by a peer, one thread. One row needs DuckDB,
`pip install duckdb`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import carom
import geopandas
import numpy as np
import pyarrow as pa
import shapely
from cliffs import Cliff
from frame_cliffs import places, squares

COUNT = 200_000

POINTS = 1_000_000


def forms_of_wkb(boxes: Any) -> dict[str, Any]:
    """The same boxes in the forms in which libraries export them."""
    with_srid = shapely.to_wkb(shapely.set_srid(boxes, 32633), include_srid=True)
    plain = pa.array(shapely.to_wkb(boxes))
    systems = pa.array(["EPSG:32633"] * COUNT)
    few = pa.array(np.arange(COUNT) % 1000)
    return {
        "with SRID": pa.array(with_srid),
        "with SRID, as views": pa.array(with_srid).cast(pa.binary_view()),
        "big-endian": pa.array(shapely.to_wkb(boxes, byte_order=0)),
        "with Z": pa.array(shapely.to_wkb(shapely.force_3d(boxes))),
        "encoded as a dictionary": plain.dictionary_encode(),
        "of 1,000 in a dictionary": pa.DictionaryArray.from_arrays(few, plain[:1000]),
        "in structs with the CRS": pa.StructArray.from_arrays([plain, systems], ["wkb", "crs"]),
        "in 100 chunks": pa.chunked_array([plain[at : at + 2000] for at in range(0, COUNT, 2000)]),
    }


def reading_wkb() -> Iterator[Cliff]:
    """WKB in each form, and what DuckDB has, against plain WKB."""
    boxes = squares(COUNT)
    plain = pa.array(shapely.to_wkb(boxes))
    read = partial(carom.Shapes.from_arrow, drop_z=True)
    for form, array in forms_of_wkb(boxes).items():
        data = f"WKB of {COUNT:,} boxes {form}"
        yield Cliff(
            data, "reading", "carom, plain WKB", 0.67, partial(read, array), partial(read, plain)
        )
    if (relation := relation_of(plain)) is not None:
        data = f"a DuckDB relation of {COUNT:,} boxes"

        def exported() -> Any:
            return carom.Shapes.from_arrow(pa.table(relation), column="g")

        yield Cliff(
            data,
            "reading",
            "pyarrow's table of it, read",
            0.67,
            partial(read, relation, column="g"),
            exported,
        )


def relation_of(wkb: pa.Array) -> Any:
    """A relation of DuckDB with a column g of WKB; None without DuckDB."""
    try:
        import duckdb
    except ImportError:
        return None
    table = pa.table({"g": wkb})
    return duckdb.connect().from_arrow(table)


def reading_points() -> Iterator[Cliff]:
    """Tables of points in both forms of coordinates, against an array of them."""
    points = places(POINTS)
    xy = shapely.get_coordinates(points)
    frame = geopandas.GeoDataFrame({"n": np.arange(POINTS)}, geometry=points)
    for form, interleaved in (("interleaved", True), ("separated", False)):
        table = pa.table(frame.to_arrow(geometry_encoding="geoarrow", interleaved=interleaved))
        ask, peer = partial(carom.Shapes.from_arrow, table), partial(carom.Shapes.from_points, xy)
        yield Cliff(
            f"a table of {POINTS:,} points, {form}", "reading", "from_points", 0.77, ask, peer
        )


def writing() -> Iterator[Cliff]:
    """WKB of columns against Shapely, and arrays of mixed columns against those of one kind."""
    for name, geometries in (("points", places(COUNT)), ("boxes", squares(COUNT))):
        column = carom.Shapes.from_shapely(geometries)
        peer = partial(shapely.to_wkb, geometries)
        yield Cliff(f"{COUNT:,} {name}", "to_wkb", "Shapely", 1.0, column.to_wkb, peer)
    boxes = squares(COUNT)
    mixed = boxes.copy()
    mixed[0] = shapely.MultiPolygon([boxes[0]])
    columns = [carom.Shapes.from_shapely(it) for it in (mixed, boxes)]
    ask, peer = (partial(pa.array, it) for it in columns)
    data = f"{COUNT:,} boxes, one of which is a multipolygon"
    yield Cliff(data, "export to Arrow", "carom, boxes alone", 0.5, ask, peer)


GROUPS: dict[str, Callable[[], Iterator[Cliff]]] = {
    "reading_wkb": reading_wkb,
    "reading_points": reading_points,
    "writing": writing,
}

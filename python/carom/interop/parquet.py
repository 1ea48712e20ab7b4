"""Parquet's own types of geometries, which pyarrow shows as binary columns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from carom.interop.arrow import metadata

if TYPE_CHECKING:
    from collections.abc import Mapping


def named(schema: Any, file: Any) -> Any:
    """The schema of a file with GeoArrow's extension name where Parquet has GEOMETRY or GEOGRAPHY.

    Parameters
    ----------
    schema : pyarrow.Schema
        The columns as pyarrow shows them.
    file : pyarrow.parquet.FileMetaData
        The metadata of the file.
    """
    texts = file.metadata or {}
    for leaf in map(file.schema.column, range(len(file.schema))):
        kind = leaf.logical_type
        if kind.type not in ("GEOMETRY", "GEOGRAPHY") or leaf.path not in schema.names:
            continue
        position = schema.names.index(leaf.path)
        known = {
            "ARROW:extension:name": "geoarrow.wkb",
            "ARROW:extension:metadata": _metadata(json.loads(kind.to_json()), texts),
        }
        schema = schema.set(position, schema.field(position).with_metadata(known))
    return schema


def _metadata(kind: dict[str, Any], texts: Mapping[bytes, bytes]) -> str:
    """The metadata of GeoArrow for a type of Parquet, given those of the file."""
    if kind["Type"] == "Geography":
        return json.dumps({"edges": kind.get("algorithm", "spherical")})
    crs = kind.get("crs")
    if crs is None:
        # GeoParquet's metadata may state one, and have the same default.
        return "{}" if b"geo" in texts else metadata("OGC:CRS84")
    name, _, key = crs.partition(":")
    if name == "projjson":
        crs = texts.get(key.encode(), crs.encode()).decode()
    elif name == "srid":
        crs = "" if key == "0" else f"EPSG:{key}"
    return metadata(crs) if crs else "{}"

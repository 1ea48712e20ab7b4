"""Parquet files with the format's own types of geometries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import shapely

if TYPE_CHECKING:
    from pathlib import Path


class OwnGeometry(pa.ExtensionType):
    """GeoArrow's WKB, which pyarrow writes to Parquet as GEOMETRY, or else as GEOGRAPHY."""

    def __init__(self, metadata: str) -> None:
        self.metadata = metadata
        super().__init__(pa.binary(), "geoarrow.wkb")

    def __arrow_ext_serialize__(self) -> bytes:
        return self.metadata.encode()

    @classmethod
    def __arrow_ext_deserialize__(cls, _: pa.DataType, metadata: bytes) -> OwnGeometry:
        return cls(metadata.decode())


def write_geometry(file: Path, geometries: list[Any], metadata: str = "{}") -> Path:
    """Writes a Parquet file of a column of the type GEOMETRY, without metadata of GeoParquet."""
    wkb = pa.array(shapely.to_wkb(geometries), pa.binary())
    pa.register_extension_type(OwnGeometry(""))
    try:
        shapes = pa.ExtensionArray.from_storage(OwnGeometry(metadata), wkb)
        table = pa.table({"n": range(len(wkb)), "shape": shapes})
        pq.write_table(table, file, store_schema=False)
    finally:
        pa.unregister_extension_type("geoarrow.wkb")
    return file

"""Parquet and Arrow files as tables of pyarrow, whose columns of shapes have extension names."""

from __future__ import annotations

from typing import Any

from carom.interop.parquet import named

EXTENSION = b"ARROW:extension:name"


def parquet_table(file: str) -> Any:
    """Returns a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(file) as source:
        table = source.read()
        return pa.Table.from_arrays(table.columns, schema=named(table.schema, source.metadata))


def arrow_table(file: str) -> Any:
    """Returns a file in the format of Arrow's IPC, of files or of streams."""
    import pyarrow as pa

    with pa.OSFile(file) as source:
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        with (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source) as reader:
            return reader.read_all()


def is_of_shapes(field: Any) -> bool:
    """Whether a column has the extension name of shapes."""
    name = getattr(field.type, "extension_name", None)
    if name is None:
        name = (field.metadata or {}).get(EXTENSION, b"").decode()
    return bool(name.startswith("geoarrow.") or name == "ogc.wkb")

#!/usr/bin/env bash
# A file that DuckDB writes with GEOPARQUET_VERSION 'V2' in EPSG:32633 is one of longitude and latitude for
# GeoPandas: coordinates in metres are taken for degrees, without a warning.
#
# A guess: the same system, as with version 1, or an error for a version that the reader doesn't know.
#
# Why it matters: the system stands in Parquet's own type GEOMETRY alone. In the metadata of GeoParquet,
# which DuckDB writes as well, it is left out, and readers of those take a system that is left out for
# OGC:CRS84. Version 1, the default, refuses codes and wants the whole definition; choosing version 2 to
# get rid of this error loses the system. Look at .crs after reading, and set it with
# set_crs(..., allow_override=True).
#
# Seen with duckdb 2.0.1, geopandas 1.2.0 and pyarrow 26.0.1 on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    duckdb==2.0.1 geopandas==1.2.0 pyarrow==26.0.1 shapely==2.2.0
cd "$folder"
venv/bin/python -W error - <<'PYTHON'
import duckdb
import geopandas
import pyarrow.parquet as pq

well = "SELECT ST_SetCRS('POINT (500000 5500000)'::GEOMETRY, 'EPSG:32633') AS place"
try:
    duckdb.execute(f"COPY ({well}) TO 'one.parquet'")
except duckdb.Error as error:
    print("version 1:", error)
else:
    raise AssertionError("version 1 takes a code")
duckdb.execute(f"COPY ({well}) TO 'two.parquet' (GEOPARQUET_VERSION 'V2')")
kept = str(pq.ParquetFile("two.parquet").schema.column(0).logical_type)
read = geopandas.read_parquet("two.parquet")
print("duckdb", duckdb.__version__, "geopandas", geopandas.__version__)
print("Parquet's type:", kept)
print("metadata of GeoParquet:", pq.read_schema("two.parquet").metadata[b"geo"].decode())
print("GeoPandas:", read.crs.to_string(), read.geometry[0])
assert "EPSG:32633" in kept
assert read.crs.to_string() == "OGC:CRS84"
assert read.geometry[0].x == 500000
PYTHON

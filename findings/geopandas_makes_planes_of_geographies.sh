#!/usr/bin/env bash
# GeoPandas makes planar geometries of SedonaDB's geographies without a warning: a point that is outside an
# area on the sphere is inside it afterwards, and files written then say nothing of the sphere.
#
# A guess: a warning, as geopandas.read_parquet gives for the same column in a file, or an error, as DuckDB
# gives for it.
#
# Why it matters: an edge between two points at 50 degrees north and 60 degrees apart bends four degrees
# to the north of the straight one. Of geographies, .to_pandas() and GeoDataFrame.from_arrow() are the
# usual ways out of SedonaDB. The field's metadata have "edges": "spherical": look there before, and
# densify the edges or project.
#
# Seen with sedonadb 0.5.0, geopandas 1.2.0, duckdb 2.0.1 and pyarrow 26.0.1 on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    sedonadb==0.5.0 geoarrow-pyarrow==0.3.0 geopandas==1.2.0 duckdb==2.0.1 pyarrow==26.0.1 \
    shapely==2.2.0
cd "$folder"
venv/bin/python -W error - <<'PYTHON'
import json

import duckdb
import geopandas
import pyarrow as pa
import pyarrow.parquet as pq
import sedonadb

area = "ST_GeogFromText('POLYGON ((0 50, 60 50, 60 60, 0 60, 0 50))')"
point = "ST_GeogFromText('POINT (30 51)')"
session = sedonadb.connect()
of_sphere = session.sql(f"SELECT ST_Intersects({area}, {point}) AS meet").to_pandas()["meet"][0]
table = session.sql(f"SELECT {area} AS area, {point} AS point")
frame = geopandas.GeoDataFrame.from_arrow(table)
in_plane = frame["area"].intersects(frame["point"])[0]
frame.to_parquet("areas.parquet")
written = json.loads(pq.read_schema("areas.parquet").metadata[b"geo"])["columns"]["area"]
rows = pa.table(table)
try:
    duckdb.sql("FROM rows")
except duckdb.Error as error:
    refused = str(error)
else:
    refused = ""
print("sedonadb", sedonadb.__version__, "geopandas", geopandas.__version__)
print("they meet, by SedonaDB:", of_sphere)
print("they meet, by GeoPandas:", in_plane)
print("edges in the file:", written.get("edges"))
print("DuckDB:", refused)
assert not of_sphere
assert in_plane
assert "edges" not in written
assert "non-planar edges" in refused
PYTHON

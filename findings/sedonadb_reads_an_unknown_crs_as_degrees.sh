#!/usr/bin/env bash
# SedonaDB takes a GeoParquet file that says that its coordinate reference system is unknown for one of
# longitude and latitude.
#
# A guess: no system. GeoParquet says that a system left out is OGC:CRS84, and that null is unknown, and
# GeoPandas writes null for a frame that has none.
#
# Why it matters: local coordinates, of a building site or in pixels, are degrees in the frames that come
# out of SedonaDB, and whatever looks at the system from there on is misled. Its own functions refuse the
# column, which they call binary. Set a system before writing, or pass the frame to create_data_frame,
# which keeps it unknown.
#
# Seen with sedonadb 0.5.0, geopandas 1.2.0 and pyarrow 26.0.1 on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    sedonadb==0.5.0 geoarrow-pyarrow==0.3.0 geopandas==1.2.0 pyarrow==26.0.1 shapely==2.2.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import json

import geopandas
import pyarrow.parquet as pq
import sedonadb
from shapely import Point

site = geopandas.GeoDataFrame({"name": ["crane"]}, geometry=[Point(1250.5, 310)])
site.to_parquet("site.parquet")
written = json.loads(pq.read_schema("site.parquet").metadata[b"geo"])["columns"]["geometry"]
session = sedonadb.connect()
from_file = session.read_parquet("site.parquet").to_pandas()
from_frame = session.create_data_frame(site).to_pandas()
print("sedonadb", sedonadb.__version__, "geopandas", geopandas.__version__)
print("the file says:", {"crs": written["crs"]})
print("GeoPandas reads:", geopandas.read_parquet("site.parquet").crs)
print("SedonaDB reads:", from_file.crs.to_string(), from_file.geometry[0])
print("SedonaDB has of the frame:", from_frame.crs)
assert written["crs"] is None
assert geopandas.read_parquet("site.parquet").crs is None
assert from_file.crs.to_string() == "OGC:CRS84"
assert from_frame.crs is None
PYTHON

#!/usr/bin/env bash
# Once SedonaDB has returned any result as a table, pyarrow writes other Parquet files: a column of
# geometries without a coordinate reference system is read back as longitude and latitude, and polars
# can't read the file at all.
#
# A guess: pyarrow.parquet.write_table writes the same file, whatever another library did before.
#
# Why it matters: to_arrow_table() and to_pandas() import geoarrow-pyarrow, which registers its types with
# pyarrow for the whole process. From then on, WKB columns are written as Parquet's own type GEOMETRY, in
# which no system means OGC:CRS84: metres are then degrees. The same script writes one file or the other,
# depending on which cell ran first. Set the system before writing, or call
# geoarrow.pyarrow.unregister_extension_types().
#
# Seen with sedonadb 0.5.0, geoarrow-pyarrow 0.3.0, pyarrow 26.0.1, polars 2.1.0 and geopandas 1.2.0 on
# 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    sedonadb==0.5.0 geoarrow-pyarrow==0.3.0 pyarrow==26.0.1 polars==2.1.0 geopandas==1.2.0 \
    shapely==2.2.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import sys

import geopandas
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import sedonadb
from shapely import Point

wells = geopandas.GeoDataFrame(geometry=[Point(500000, 5500000)])  # metres, of an unknown system


def write(file):
    pq.write_table(pa.table(wells.to_arrow(index=False)), file)
    return str(pq.ParquetFile(file).schema.column(0).logical_type)


def read_by_polars(file):
    try:
        return str(pl.read_parquet(file).schema["geometry"])
    except pl.exceptions.ComputeError as error:
        return f"ComputeError: {error}".splitlines()[0]


types = [write("before.parquet")]
sedonadb.connect().sql("SELECT 1 AS one").to_arrow_table()
types.append(write("after.parquet"))
files = ("before.parquet", "after.parquet")
systems = [geopandas.GeoDataFrame.from_arrow(pq.read_table(file)).crs for file in files]
frames = [read_by_polars(file) for file in files]
sys.modules["geoarrow.pyarrow"].unregister_extension_types()
undone = write("undone.parquet")
print("sedonadb", sedonadb.__version__, "pyarrow", pa.__version__)
for told in zip(files, types, systems, frames):
    print(*told, sep=" | ")
print("unregistered:", undone)
assert types == ["None", "Geometry(crs=)"]
assert undone == "None"
assert systems[0] is None
assert systems[1].to_string() == "OGC:CRS84"
assert frames[0].startswith("Extension('geoarrow.wkb'")
assert frames[1].startswith("ComputeError: parquet: File out of specification")
PYTHON

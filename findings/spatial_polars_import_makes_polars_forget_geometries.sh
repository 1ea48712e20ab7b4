#!/usr/bin/env bash
# Importing spatial_polars makes polars drop the type of every WKB geometry, and with it the coordinate
# reference system, in frames that have nothing to do with spatial_polars.
#
# A guess: an import adds a namespace to polars and changes no frame that polars itself reads.
#
# Why it matters: polars 2 keeps Arrow's extension types, so that a frame read from a file says which
# column is a geometry, and in which system. After the import, the same call gives plain binary: what
# takes the frame next finds no geometry, or joins two systems. It depends on what else the process has
# imported, in whatever module. pl.unregister_extension_type("geoarrow.wkb") after the import undoes it;
# frames that were read before keep their type.
#
# Seen with spatial-polars 0.4.1, polars 2.1.0, geopandas 1.2.0 and pyarrow 26.0.1 on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    spatial-polars==0.4.1 polars==2.1.0 geopandas==1.2.0 pyarrow==26.0.1 shapely==2.2.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import geopandas
import polars as pl
from shapely import Point

wells = geopandas.GeoDataFrame({"name": ["a"]}, geometry=[Point(500000, 5500000)], crs=32633)
wells.to_parquet("wells.parquet")


def read():
    return str(pl.read_parquet("wells.parquet").schema["geometry"])[:50]


before = read()
held = pl.read_parquet("wells.parquet")
import spatial_polars

after = read()
pl.unregister_extension_type("geoarrow.wkb")
undone = read()
print("polars", pl.__version__, "spatial-polars", spatial_polars.__version__)
print("before the import:", before)
print("after:            ", after)
print("unregistered:     ", undone)
assert before.startswith("Extension('geoarrow.wkb', Binary, '{\"crs\":")
assert after == "Binary"
assert undone == before
assert str(held.schema["geometry"])[:50] == before
PYTHON

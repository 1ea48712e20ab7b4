#!/usr/bin/env bash
# GeoPandas' to_file(mode="a") appends rows of another coordinate reference system as they are: neither
# transformed nor refused, and without a warning.
#
# A guess: an error, as for a column that the file lacks and as from pandas.concat, or a warning, as from
# geopandas.sjoin.
#
# Why it matters: metres are then read as degrees, or metres of one zone as those of another, which looks
# plausible. The file says one system for all rows, so that it can't be told afterwards. GeoPackage,
# Shapefile, GeoJSON and FlatGeobuf are alike in this.
#
# Seen with geopandas 1.2.0, pyogrio 0.13.0, pyproj 3.7.2 and shapely 2.2.0 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    geopandas==1.2.0 pyogrio==0.13.0 pyproj==3.7.2 shapely==2.2.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import warnings

import geopandas
import pyogrio
from shapely import Point

place = [Point(600000, 5500000)]
church = geopandas.GeoDataFrame({"name": ["in zone 32"]}, geometry=place, crs=25832)
same = church.assign(name="in zone 33").to_crs(25833)  # the same place on the ground
print("geopandas", geopandas.__version__, "pyogrio", pyogrio.__version__)
for suffix in ("gpkg", "shp", "geojson", "fgb"):
    file = f"church.{suffix}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        church.to_file(file)
        same.to_file(file, mode="a")
    rows = geopandas.read_file(file).sort_values("name", ignore_index=True)
    apart = rows.geometry[0].distance(rows.geometry[1])
    print(f"{file}: {rows.crs.to_string()}, the two rows are {apart / 1000:.0f} km apart")
    assert rows.crs == church.crs
    assert apart > 400_000
extended = church.assign(height=30.0)
try:
    extended.to_file("church.gpkg", mode="a")
except Exception as error:
    print("another column:", type(error).__name__, error)
else:
    raise AssertionError("another column is taken")
PYTHON

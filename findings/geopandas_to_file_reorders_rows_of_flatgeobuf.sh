#!/usr/bin/env bash
# GeoDataFrame.to_file("rows.fgb") stores the rows in another order, that of a curve through their places, and
# read_file returns them so, with a new index 0, 1, 2, ... A GeoPackage, a Shapefile or GeoJSON, with a spatial index or
# without one, keeps the order of the frame.
#
# A guess: the order of the frame, as an index lies beside the rows and only says where they are.
#
# Why it matters: arrays that belong to the rows by position, such as velocities, weights or masks, then belong to other
# rows, and tests that compare a frame with what was read of its file fail. There is no warning, and with one row or with
# rows that happen to lie along the curve nothing is seen. Write with SPATIAL_INDEX="NO", or keep a column of row numbers.
#
# Seen with geopandas 1.2.0, pyogrio 0.13.0 and shapely 2.2.0 on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    geopandas==1.2.0 pyogrio==0.13.0 shapely==2.2.0
cd "$folder"
venv/bin/python -W error::RuntimeWarning -W error::UserWarning - <<'PYTHON'
import geopandas
import pyogrio
from shapely import Point

places = [Point(x, 0) for x in range(4)]
frame = geopandas.GeoDataFrame({"row": range(4)}, geometry=places, crs=32633)
print("geopandas", geopandas.__version__, "pyogrio", pyogrio.__version__)


def read_back(suffix, **options):
    frame.to_file(f"rows.{suffix}", **options)
    rows = geopandas.read_file(f"rows.{suffix}")
    print(suffix, options, "rows", rows["row"].tolist(), "index", rows.index.tolist())
    assert rows.index.tolist() == [0, 1, 2, 3]
    return rows["row"].tolist()


assert read_back("fgb") != [0, 1, 2, 3]
assert read_back("fgb", SPATIAL_INDEX="NO") == [0, 1, 2, 3]
assert read_back("gpkg") == [0, 1, 2, 3]
assert read_back("shp", SPATIAL_INDEX="YES") == [0, 1, 2, 3]
assert read_back("geojson") == [0, 1, 2, 3]
PYTHON

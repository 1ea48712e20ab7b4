#!/usr/bin/env bash
# geopandas.points_from_xy makes POINT (NaN NaN) of missing coordinates, which is neither missing nor
# empty. Parquet and GeoPackage give it back as POINT EMPTY, GeoJSON and Shapefile as None.
#
# A guess: None, or an empty point; and the same from each format.
#
# Why it matters: GPS logs have rows without a fix. dropna() keeps them, neither isna() nor is_empty finds
# them, and which of the two does later depends on the file that the frame was stored in. Test the numbers
# before points are made of them.
#
# Seen with geopandas 1.2.0, pyogrio 0.13.0, pyarrow 26.0.1 and shapely 2.2.0 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    geopandas==1.2.0 pyogrio==0.13.0 pyarrow==26.0.1 shapely==2.2.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import geopandas
import numpy as np

fixes = geopandas.points_from_xy([8.5, np.nan], [50.0, np.nan], crs=4326)
frame = geopandas.GeoDataFrame({"row": [0, 1]}, geometry=fixes)


def described(frame):
    last = frame.geometry.iloc[1]
    return str(last), bool(frame.geometry.isna()[1]), bool(frame.geometry.is_empty[1])


frame.to_parquet("fixes.parquet")
found = {"memory": described(frame), "parquet": described(geopandas.read_parquet("fixes.parquet"))}
for suffix in ("gpkg", "geojson", "shp"):
    frame.to_file(f"fixes.{suffix}")
    found[suffix] = described(geopandas.read_file(f"fixes.{suffix}"))
print("geopandas", geopandas.__version__)
for place, (text, is_missing, is_empty) in found.items():
    print(f"{place}: {text}, isna {is_missing}, is_empty {is_empty}")
print("rows that dropna keeps in memory:", len(frame.dropna()))
assert found == {
    "memory": ("POINT (NaN NaN)", False, False),
    "parquet": ("POINT EMPTY", False, True),
    "gpkg": ("POINT EMPTY", False, True),
    "geojson": ("None", True, False),
    "shp": ("None", True, False),
}
assert len(frame.dropna()) == 2
PYTHON

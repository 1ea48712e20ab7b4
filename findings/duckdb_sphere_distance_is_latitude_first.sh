#!/usr/bin/env bash
# DuckDB's ST_Distance_Sphere, and its functions that end in _Spheroid, take x as the latitude and y as
# the longitude. ST_Point(longitude, latitude), which is what WKB, GeoJSON and GeoParquet hold, is
# accepted, and the length is of another place.
#
# A guess: x is the longitude, as in the files that DuckDB reads, and as in PostGIS' functions of similar
# names.
#
# Why it matters: at 60 degrees north, a step to the east comes out twice as long as it is. Near the
# equator the error is small, so that a first test passes. Flip the coordinates (ST_FlipCoordinates)
# before, or project them.
#
# Seen with duckdb and duckdb-extension-spatial 1.4.4 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    duckdb==1.4.4 duckdb-extension-spatial==1.4.4 pyproj==3.7.2
cd "$folder"
venv/bin/python - <<'PYTHON'
from pathlib import Path

import duckdb
import duckdb_extension_spatial
import pyproj

extension = next(Path(duckdb_extension_spatial.__file__).parent.rglob("spatial.duckdb_extension"))
connection = duckdb.connect()
connection.load_extension(str(extension))


def ask(expression):
    return connection.sql(f"SELECT {expression}").fetchone()[0]


west, east = "ST_Point(10, 60)", "ST_Point(11, 60)"  # longitude and latitude
true = pyproj.Geod(ellps="WGS84").inv(10, 60, 11, 60)[2]
given = ask(f"ST_Distance_Sphere({west}, {east})")
flipped = ask(f"ST_Distance_Sphere(ST_FlipCoordinates({west}), ST_FlipCoordinates({east}))")
line = ask("ST_Length_Spheroid(ST_GeomFromText('LINESTRING (10 60, 11 60)'))")
print("duckdb", duckdb.__version__)
print(f"one degree to the east at 60 degrees north, by pyproj: {true:,.0f} m")
print(f"ST_Distance_Sphere, longitude first: {given:,.0f} m")
print(f"ST_Distance_Sphere, latitude first: {flipped:,.0f} m")
print(f"ST_Length_Spheroid, longitude first: {line:,.0f} m")
assert abs(flipped / true - 1) < 0.01
assert given / true > 1.9
assert line / true > 1.9
PYTHON

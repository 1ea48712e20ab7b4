#!/usr/bin/env bash
# In DuckDB, the distance from anything to an empty geometry is 0, although the two don't intersect.
#
# A guess: NULL, as in PostGIS, or NaN, as in Shapely.
#
# Why it matters: ORDER BY ST_Distance(...) LIMIT 1 finds the row without a place instead of the nearest
# one, and ST_Distance(...) < 10 is true for it, while ST_DWithin(..., 10) is not. Empty geometries come
# from points without coordinates and from overlays. Leave them out with NOT ST_IsEmpty(...).
#
# Seen with duckdb and duckdb-extension-spatial 1.4.4 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    duckdb==1.4.4 duckdb-extension-spatial==1.4.4 shapely==2.2.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import math
from pathlib import Path

import duckdb
import duckdb_extension_spatial
import shapely

extension = next(Path(duckdb_extension_spatial.__file__).parent.rglob("spatial.duckdb_extension"))
connection = duckdb.connect()
connection.load_extension(str(extension))
connection.sql("""
    CREATE TABLE wells AS SELECT name, ST_GeomFromText(wkt) AS place FROM (VALUES
        ('near', 'POINT (1 0)'), ('far', 'POINT (9 9)'), ('unplaced', 'POINT EMPTY')
    ) AS rows(name, wkt)
""")
here = "ST_Point(0, 0)"
ranked = connection.sql(
    f"SELECT name, ST_Distance(place, {here}) AS d FROM wells ORDER BY d"
).fetchall()
empty = connection.sql(f"""
    SELECT
        ST_Intersects(place, {here}), ST_DWithin(place, {here}, 0.5),
        ST_Distance(place, {here}) < 0.5
    FROM wells WHERE name = 'unplaced'
""").fetchone()
print("duckdb", duckdb.__version__)
print("by distance:", ranked)
print("POINT EMPTY: intersects, within 0.5, distance below 0.5:", empty)
assert [name for name, _ in ranked] == ["unplaced", "near", "far"]
assert ranked[0][1] == 0
assert empty == (False, False, True)
assert math.isnan(shapely.distance(shapely.Point(), shapely.Point(0, 0)))
PYTHON

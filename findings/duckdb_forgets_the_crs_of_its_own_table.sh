#!/usr/bin/env bash
# DuckDB refuses to put geometries of two coordinate reference systems into one column, but forgets the
# system when its own Arrow table is read back, if it is a code such as EPSG:32633. Then it takes both.
#
# A guess: what DuckDB exports it reads again, or says that it can't.
#
# Why it matters: queries that pass a table through Arrow, polars or pandas lose the check that would have
# found zone 32 beside zone 33. GeoPandas' tables are safe, because they have the whole definition
# (PROJJSON); SedonaDB's have codes, which are dropped likewise. Set the system again with ST_SetCRS after
# each import.
#
# Seen with duckdb 2.0.1 and pyarrow 26.0.1 on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    duckdb==2.0.1 pyarrow==26.0.1
cd "$folder"
venv/bin/python - <<'PYTHON'
import duckdb

well = "SELECT ST_SetCRS('POINT (500000 5500000)'::GEOMETRY, '{}') AS place"
one, other = (duckdb.sql(well.format(f"EPSG:{zone}")).to_arrow_table() for zone in (32632, 32633))
try:
    duckdb.sql(f"{well.format('EPSG:32632')} UNION ALL {well.format('EPSG:32633')}").fetchall()
except duckdb.BinderException as error:
    refused = str(error)
else:
    refused = ""
exported = one.schema.field("place").metadata[b"ARROW:extension:metadata"].decode()
back = duckdb.sql("SELECT ST_CRS(place) FROM one").fetchall()
both = duckdb.sql("SELECT ST_CRS(place) FROM (FROM one UNION ALL FROM other)").fetchall()
print("duckdb", duckdb.__version__)
print("within DuckDB:", refused)
print("its table says:", exported)
print("read back:", back)
print("both together:", both)
assert "different CRS" in refused
assert "EPSG:32632" in exported
assert back == [(None,)]
assert both == [(None,), (None,)]
PYTHON

#!/usr/bin/env bash
# geopandas.read_file makes float64 of a column of 64-bit integers as soon as one row of it is missing: the numbers
# of H3 cells, above 5e17, are rounded to multiples of 128. The file has them exactly. There is no warning, and
# use_arrow=True rounds them, too.
#
# A guess: Int64, which the frame had when it was written, or with use_arrow=True at least exact integers.
#
# Why it matters: one observation outside of the grid, and all others are in cells that don't exist; in a merge with a
# table of cells, which compares floats then, each finds the rows of its neighbours at resolution 15, too. Write such
# ids as text, or read them by pyogrio.read_arrow, whose columns are integers with missing values.
#
# Seen with geopandas 1.2.0, pyogrio 0.13.0, pyarrow 26.0.1, pandas 3.1.1 and shapely 2.2.0 on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    geopandas==1.2.0 pyogrio==0.13.0 pyarrow==26.0.1 pandas==3.1.1 shapely==2.2.0
cd "$folder"
venv/bin/python -W error::RuntimeWarning -W error::UserWarning - <<'PYTHON'
import geopandas
import pandas as pd
import pyogrio
from shapely import Point

cell, neighbour = 0x8F2830828052D25, 0x8F2830828052D24  # of resolution 15, siblings
ids = pd.array([cell, None], dtype="Int64")
frame = geopandas.GeoDataFrame({"cell": ids}, geometry=[Point(0, 0), Point(1, 1)], crs=4326)
cells = pd.DataFrame({"cell": [cell, neighbour], "population": [2, 350]})
print("geopandas", geopandas.__version__, "pyogrio", pyogrio.__version__)
print("written:", hex(cell), frame["cell"].dtype, frame.merge(cells)["population"].tolist())
assert frame.merge(cells)["population"].tolist() == [2]
for suffix in ("gpkg", "fgb", "geojson"):
    file = f"seen.{suffix}"
    for use_arrow in (False, True):
        frame.to_file(file, use_arrow=use_arrow)
        rows = geopandas.read_file(file, use_arrow=use_arrow)
        found = int(rows["cell"].max())
        merged = sorted(rows.merge(cells)["population"])
        print(f"{file}, use_arrow={use_arrow}:", hex(found), rows["cell"].dtype, merged)
        assert rows["cell"].dtype == "float64"
        assert found == 0x8F2830828052D00
        assert merged == [2, 350]
    exact = [it for it in pyogrio.read_arrow(file)[1]["cell"].to_pylist() if it is not None]
    print(f"{file}, read_arrow:", [hex(it) for it in exact])
    assert exact == [cell]
alone = geopandas.read_file("seen.gpkg", max_features=1)
print("without the missing row:", hex(alone["cell"][0]), alone["cell"].dtype)
assert alone["cell"].tolist() == [cell]
PYTHON

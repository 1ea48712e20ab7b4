#!/usr/bin/env bash
# libpysal's Graph.build_contiguity compares vertices and edges, not lines: two areas that share a border
# are no neighbours if one of them has a vertex there that the other lacks.
#
# A guess: areas that share a stretch of border are neighbours, and rook=False, which is content with a
# point, finds no fewer.
#
# Why it matters: a field along two plots has no common edge with either of them (a T-junction). Borders
# of two sources, or simplified one by one, are like that all over. The weights of spatial statistics
# then lack neighbours, and areas become islands, although nothing is invalid and no gap exists. The
# default strict=False is meant for topologically correct coverages, says the documentation; strict=True
# decides by geometry.
#
# Seen with libpysal 4.14.1, geopandas 1.2.0 and shapely 2.2.0 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    libpysal==4.14.1 geopandas==1.2.0 shapely==2.2.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import geopandas
import libpysal
from libpysal.graph import Graph
from shapely import box

# A field, two plots above it, and a garden within the length of its right side.
areas = geopandas.GeoSeries(
    [box(0, 0, 2, 1), box(0, 1, 1, 2), box(1, 1, 2, 2), box(2, 0.25, 3, 0.75)],
    ["field", "plot 1", "plot 2", "garden"],
)


def count(**options):
    return Graph.build_contiguity(areas, **options).cardinalities.to_dict()


default, queen, strict = count(), count(rook=False), count(strict=True)
print("libpysal", libpysal.__version__)
print("length of border of field and plot 1:", areas["field"].intersection(areas["plot 1"]).length)
print("neighbours by default:", default)
print("neighbours with rook=False:", queen)
print("neighbours with strict=True:", strict)
assert default == {"field": 0, "plot 1": 1, "plot 2": 1, "garden": 0}
assert queen == {"field": 2, "plot 1": 2, "plot 2": 2, "garden": 0}
assert strict == {"field": 3, "plot 1": 2, "plot 2": 2, "garden": 1}
PYTHON

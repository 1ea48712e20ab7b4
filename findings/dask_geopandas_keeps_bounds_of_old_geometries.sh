#!/usr/bin/env bash
# A Dask frame whose geometries are replaced by assignment, frame["geometry"] = ..., keeps the bounds of
# its partitions as they were before. Joins and selections by .cx then leave out partitions that have what
# is looked for, without a word.
#
# A guess: assignment is the same as frame.assign(geometry=...), which forgets the bounds.
#
# Why it matters: rows are lost. Whatever moves, buffers or corrects geometries in place after
# read_parquet, which knows the bounds from the files, is concerned; how many rows are lost depends on the
# partitioning. calculate_spatial_partitions() computes the bounds anew.
#
# Seen with dask-geopandas 0.5.0, dask 2026.8.0 and geopandas 1.2.0 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    dask-geopandas==0.5.0 dask==2026.8.0 geopandas==1.2.0 shapely==2.2.0 pandas==3.1.1
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import dask_geopandas
import geopandas
import shapely

cars = geopandas.GeoDataFrame({"car": range(6)}, geometry=[shapely.Point(x, 0) for x in range(6)])
street = geopandas.GeoDataFrame({"street": ["A"]}, geometry=[shapely.box(2.5, -1, 5.5, 1)])
streets = dask_geopandas.from_geopandas(street, npartitions=1)
streets.calculate_spatial_partitions()


def partitioned():
    frame = dask_geopandas.from_geopandas(cars, npartitions=2)
    frame.calculate_spatial_partitions()
    return frame


def on_the_street(frame):
    return sorted(dask_geopandas.sjoin(frame, streets).compute()["car"])


replaced = partitioned()
replaced["geometry"] = replaced.geometry.translate(3, 0)
assigned = partitioned()
assigned = assigned.assign(geometry=assigned.geometry.translate(3, 0))
in_memory = sorted(geopandas.sjoin(replaced.compute(), street)["car"])
selected = sorted(replaced.cx[2.5:5.5, :].compute()["car"])
print("dask-geopandas", dask_geopandas.__version__)
print("bounds of all cars:", replaced.compute().total_bounds)
print("bounds of the partitions:", replaced.spatial_partitions.bounds.to_numpy().tolist())
print("cars on the street, by geopandas.sjoin:", in_memory)
print("by dask_geopandas.sjoin after frame['geometry'] = ...:", on_the_street(replaced))
print("by .cx after it:", selected)
print("by dask_geopandas.sjoin after frame.assign(geometry=...):", on_the_street(assigned))
assert in_memory == on_the_street(assigned) == [0, 1, 2]
assert on_the_street(replaced) == selected == []
replaced.calculate_spatial_partitions()
assert on_the_street(replaced) == [0, 1, 2]
PYTHON

#!/usr/bin/env bash
# In movingpandas, add_direction gives a vehicle that stands the direction 0, which is north. A vehicle that drives
# east, waits and drives on east turns its nose by 90 degrees for the time that it waits.
#
# A guess: the direction before the stop, or NaN.
#
# Why it matters: directions of such a column are headings of footprints. A 16 m truck that waits in its lane then stands
# across three lanes, and everybody who passes touches it. Keep the heading of the last motion where the position
# doesn't change.
#
# Seen with movingpandas 0.23.0, geopandas 1.2.0 and shapely 2.2.0 on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    movingpandas==0.23.0 geopandas==1.2.0 shapely==2.2.0
cd "$folder"
venv/bin/python -W ignore - <<'PYTHON'
import geopandas
import movingpandas
import pandas as pd

# East for a minute, a minute's stop, east again.
places = geopandas.points_from_xy([0, 100, 100, 200], [0, 0, 0, 0])
times = pd.date_range("2026-11-29 12:00", periods=4, freq="min")
frame = geopandas.GeoDataFrame({"vehicle": "truck"}, geometry=places, index=times, crs=32633)
drive = movingpandas.Trajectory(frame, "truck")
drive.add_direction()
directions = drive.df["direction"].tolist()
print("movingpandas", movingpandas.__version__)
print("directions, degrees clockwise from north:", directions)
assert directions == [90, 90, 0, 90], directions
PYTHON

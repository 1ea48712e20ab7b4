#!/usr/bin/env bash
# In movingpandas, the length of a trajectory in longitude and latitude is in metres, but its distance to
# another one is in degrees. With units="km", degrees are divided by 1000.
#
# A guess: both are metres, and kilometres where these are asked for.
#
# Why it matters: two vessels that are 111 km apart have a distance of "1", and of 0.001 "km": one metre.
# Encounters are found where there are none. hausdorff_distance does the same. Project the trajectories
# before (to_crs).
#
# Seen with movingpandas 0.23.0, geopandas 1.2.0 and shapely 2.2.0 on 2026-11-28.
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


def sailing(latitude, vessel):
    """One degree to the east in a minute."""
    places = geopandas.points_from_xy([0, 1], [latitude] * 2)
    times = pd.to_datetime(["2026-11-28 12:00", "2026-11-28 12:01"])
    frame = geopandas.GeoDataFrame({"vessel": vessel}, geometry=places, index=times, crs=4326)
    return movingpandas.Trajectory(frame, vessel)


south, north = sailing(0, "S"), sailing(1, "N")
length = south.get_length(units="km")
distance = south.distance(north, units="km")
hausdorff = south.hausdorff_distance(north, units="km")
print("movingpandas", movingpandas.__version__)
print("length of one degree:", south.get_length(), "in km:", length)
print("distance of one degree:", south.distance(north), "in km:", distance)
print("Hausdorff distance of one degree, in km:", hausdorff)
assert 111 < length < 112
assert south.distance(north) == 1
assert distance == hausdorff == 0.001
PYTHON

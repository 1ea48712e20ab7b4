#!/usr/bin/env bash
# gpxpy's get_location_at(time) gives the first recorded point that is not before the time, however much
# later it is. Nothing is interpolated.
#
# A guess: the position between the two points around the time, or the last one known. The documentation
# says "approx. location".
#
# Why it matters: the result lies in the future. With recorders that save a point only where the
# direction changes, it is off by the length of the leg, kilometres, and who was near whom at a time is
# answered wrongly. Interpolate between the points, whose times are right.
#
# Seen with gpxpy 1.6.2 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check gpxpy==1.6.2
cd "$folder"
venv/bin/python - <<'PYTHON'
import importlib.metadata
from datetime import timedelta

import gpxpy

track = gpxpy.parse("""
<gpx version="1.1" creator="a recorder"><trk><trkseg>
    <trkpt lat="0" lon="8"><time>2026-11-28T12:00:00Z</time></trkpt>
    <trkpt lat="0" lon="9"><time>2026-11-28T13:00:00Z</time></trkpt>
</trkseg></trk></gpx>
""")
start = track.tracks[0].segments[0].points[0]
print("gpxpy", importlib.metadata.version("gpxpy"))
for seconds in (0, 1, 3599, 3600):
    time = start.time + timedelta(seconds=seconds)
    (place,) = track.get_location_at(time)
    between = 8 + seconds / 3600
    print(f"{time:%H:%M:%S}: longitude {place.longitude:.4f}, by interpolation {between:.4f}")
    assert place.longitude == (8 if seconds == 0 else 9)
PYTHON

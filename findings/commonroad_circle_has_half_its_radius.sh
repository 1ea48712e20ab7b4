#!/usr/bin/env bash
# The polygon of a circle in commonroad-io, `shapely_object`, has half the radius of the circle.
#
# A guess: a polygon of the circle's radius, as `contains_point` and `enclosing_axis_aligned_rect` of the
# same object use it.
#
# Why it matters: whoever tests pedestrians and other round obstacles with Shapely keeps a quarter of
# their area, and calls a path free that leads through them. Take `circle_center` and `radius` instead.
#
# Seen with commonroad-io 2026.1 and shapely 2.2.0 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    commonroad-io==2026.1 shapely==2.2.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import importlib.metadata

import shapely
from commonroad.geometry.occupancy.circle_occupancy import CircleOccupancy

circle = CircleOccupancy(radius=2.0, circle_center=shapely.Point(0, 0))
inside = shapely.Point(1.5, 0)
box = circle.enclosing_axis_aligned_rect()
print("commonroad-io", importlib.metadata.version("commonroad-io"))
print("radius:", circle.radius)
print("bounds of shapely_object:", circle.shapely_object.bounds)
print("sides of enclosing_axis_aligned_rect:", box.length, box.width)
print("contains_point(1.5, 0):", circle.contains_point(inside))
print("shapely_object intersects it:", circle.shapely_object.intersects(inside))
assert circle.shapely_object.bounds == (-1, -1, 1, 1)
assert (box.length, box.width) == (4, 4)
assert circle.contains_point(inside)
assert not circle.shapely_object.intersects(inside)
PYTHON

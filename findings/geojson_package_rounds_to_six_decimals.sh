#!/usr/bin/env bash
# The package geojson rounds every coordinate to six decimals when it reads a file. Numbers in `bbox` and
# `properties` keep their digits.
#
# A guess: geojson.loads reads what is there, as json.loads does, and geojson.dumps writes it back.
#
# Why it matters: reading and writing a file moves its vertices by up to 5e-7, which is some 5 cm in
# degrees. Vertices that lay on an edge of a neighbour no longer do, gaps and overlaps come into a
# coverage, and small rings collapse: a triangle of 1e-6 has no area left. Coordinates in other units,
# such as kilometres or radians, lose more.
#
# Seen with geojson 3.3.0 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check geojson==3.3.0
cd "$folder"
venv/bin/python - <<'PYTHON'
import importlib.metadata
import json

import geojson

text = """{
    "type": "Feature",
    "bbox": [10.12345678, 0, 10.12345678, 0.0000004],
    "properties": {"height": 0.12345678},
    "geometry": {"type": "LineString", "coordinates": [[10.12345678, 0], [10.12345678, 0.0000004]]}
}"""
before = json.loads(text)
after = json.loads(geojson.dumps(geojson.loads(text)))
print("geojson", importlib.metadata.version("geojson"))
for member in ("geometry", "bbox", "properties"):
    print(member, "before:", before[member])
    print(member, "after: ", after[member])
assert after["geometry"]["coordinates"] == [[10.123457, 0], [10.123457, 0]]
assert after["bbox"] == before["bbox"]
assert after["properties"] == before["properties"]
PYTHON

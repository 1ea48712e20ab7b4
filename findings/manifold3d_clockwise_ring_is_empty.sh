#!/usr/bin/env bash
# A CrossSection of manifold3d made of a clockwise ring is empty, without a word.
#
# A guess: the order of a single ring doesn't matter, as in Shapely, or its area is negative.
#
# Why it matters: shells of shapefiles are clockwise, and so are shapes from pictures, whose y axis points
# down. They vanish, and with them each obstacle that should have been in the way. The filling rule is
# FillRule.Positive by default; EvenOdd and NonZero take rings in both orders.
#
# Seen with manifold3d 3.5.4 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check manifold3d==3.5.4
cd "$folder"
venv/bin/python - <<'PYTHON'
import importlib.metadata

from manifold3d import CrossSection, FillRule

ring = [(0, 0), (4, 0), (4, 4), (0, 4)]
left, right = CrossSection([ring]), CrossSection([ring[::-1]])
even_odd = CrossSection([ring[::-1]], FillRule.EvenOdd)
print("manifold3d", importlib.metadata.version("manifold3d"))
print("area of a counterclockwise square:", left.area())
print("area of the same square clockwise:", right.area(), "empty:", right.is_empty())
print("area of it with FillRule.EvenOdd:", even_odd.area())
assert left.area() == 16
assert right.area() == 0
assert right.is_empty()
assert even_odd.area() == 16
PYTHON

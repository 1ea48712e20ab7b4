#!/usr/bin/env bash
# rtree's Index.delete(id, bounds) does nothing, and says nothing, if the bounds are not those that the
# item was inserted with.
#
# A guess: the id identifies the item, or a KeyError tells that there is none with these bounds.
#
# Why it matters: whoever moves an object with delete(id, new_bounds) and insert(id, new_bounds) leaves a
# copy at every place where it has been. Queries find the object where it is no longer, and the index
# grows with each step. Keep the old bounds until they are deleted, and compare the index's size.
#
# Seen with rtree 1.4.1 on 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check rtree==1.4.1
cd "$folder"
venv/bin/python - <<'PYTHON'
import rtree

index = rtree.index.Index()
places = [(x, 0, x + 1, 1) for x in (0, 10, 20)]
index.insert(7, places[0])
for bounds in places[1:]:
    index.delete(7, bounds)
    index.insert(7, bounds)
found_at = [bounds for bounds in places if 7 in index.intersection(bounds)]
print("rtree", rtree.__version__)
print("item 7 was moved along", places)
print("found at", found_at)
print("size of the index:", index.get_size())
assert found_at == places
assert index.get_size() == 3
for bounds in places:
    index.delete(7, bounds)
assert index.get_size() == 0
PYTHON

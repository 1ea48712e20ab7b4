"""Records the countries of the demo and the tests: python record_natural_earth.py WHEEL OUTPUT.npz

WHEEL is that of pyogrio 0.13.0, whose tests carry Natural Earth's countries as a shapefile. Its
rings are written as they are, closing vertices dropped: shells clockwise, holes the other way.
"""

from __future__ import annotations

import struct
import sys
import zipfile
from collections.abc import Iterator

import numpy as np
import shapely

FOLDER = "pyogrio/tests/fixtures/naturalearth_lowres"
FORMATS = "shp", "dbf"
POLYGON = 5  # the shapefile format's number for it
HEADER = 100  # bytes before the first record


def main() -> None:
    """Writes all polygons in ragged form, whose they are, and the countries' names."""
    wheel, output = sys.argv[1:]
    with zipfile.ZipFile(wheel) as archive:
        shapes, table = (archive.read(f"{FOLDER}/naturalearth_lowres.{end}") for end in FORMATS)
    countries = [with_their_holes(rings) for rings in records(shapes)]
    polygons = [polygon for country in countries for polygon in country]
    rings = [ring for polygon in polygons for ring in polygon]
    np.savez_compressed(
        output,
        coords=np.concatenate(rings),
        ring_offsets=offsets(rings),
        polygon_offsets=offsets(polygons),
        owners=np.repeat(np.arange(len(countries)), [len(country) for country in countries]),
        names=np.array(list(names(table))),
    )


def records(content: bytes) -> Iterator[list[np.ndarray]]:
    """Yields the rings of each country."""
    at = HEADER
    while at < len(content):
        _, words = struct.unpack_from(">ii", content, at)
        kind, parts, points = struct.unpack_from("<i32xii", content, at + 8)
        assert kind == POLYGON
        starts = np.frombuffer(content, "<i4", parts, at + 52)
        coords = np.frombuffer(content, "<f8", 2 * points, at + 52 + 4 * parts).reshape(-1, 2)
        yield [ring[:-1] for ring in np.split(coords, starts[1:])]
        at += 8 + 2 * words


def names(table: bytes) -> Iterator[str]:
    """Yields the field "name" of each row of a dBASE table, which is in ISO 8859-1."""
    count, header, width = struct.unpack_from("<IHH", table, 4)
    fields = [table[at : at + 32] for at in range(32, header - 1, 32)]
    keys = [field[:11].rstrip(b"\0") for field in fields]
    number = keys.index(b"name")
    start = 1 + sum(field[16] for field in fields[:number])  # after the mark of deleted rows
    for row in range(count):
        at = header + row * width + start
        yield table[at : at + fields[number][16]].decode("latin-1").rstrip()


def with_their_holes(rings: list[np.ndarray]) -> list[list[np.ndarray]]:
    """One polygon for each shell: its ring and those of the holes that lie in it."""
    clockwise = [not shapely.LinearRing(ring).is_ccw for ring in rings]
    polygons = [[ring] for ring, is_shell in zip(rings, clockwise, strict=True) if is_shell]
    for ring, is_shell in zip(rings, clockwise, strict=True):
        if not is_shell:
            around = [p for p in polygons if shapely.Polygon(p[0]).contains(shapely.Polygon(ring))]
            around[0].append(ring)
    return polygons


def offsets(groups: list[np.ndarray] | list[list[np.ndarray]]) -> np.ndarray:
    """Where each group starts, and where the last one ends."""
    return np.cumsum([0, *map(len, groups)])


if __name__ == "__main__":
    main()

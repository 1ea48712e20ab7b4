"""Reads columns from arbitrary bytes: python tests/fuzz_readers.py --seconds 60

Each input is a string of bytes that decides what a producer hands over: Arrow arrays whose lengths,
offsets, bitmaps and types contradict each other, ragged arrays with any offsets, WKB with any bytes
changed. What comes back must be one of the documented exceptions, or the column that the same rows
give as lists, which then answers every query, checked or not, without a crash.

The inputs are random, each made from a number: --first and --count choose the numbers. The input
that is being read is kept in the file --last, so that a crash can be repeated by --input.
"""

from __future__ import annotations

import argparse
import itertools
import os
import pickle
import struct
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import carom
import numpy as np
import pyarrow as pa
import shapely

from arrow_capsules import KEPT, Exported, Streamed, array, c, schema

DOCUMENTED = (ValueError, TypeError)
PALETTE = [0.0, 1.0, 2.0, 3.0, 4.0, 0.5, 1.5, -1.0, -0.0, 1e300, -1e300, 5e-324, np.nan, np.inf]
"""Coordinates: mostly small and whole, so that valid rows come up."""

ROOM = 64
"""The items that every buffer has room for: what an array states never leads beyond its memory,
which no consumer can check."""


class Choices:
    """Decisions read from bytes, one or two bytes each; zeros when the bytes are used up."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def below(self, count: int) -> int:
        return self.byte() % count

    def seldom(self) -> bool:
        """One time in sixteen."""
        return self.byte() % 16 == 1

    def one(self, items: Any) -> Any:
        return items[self.below(len(items))]

    def coordinates(self, count: int) -> np.ndarray:
        """Mostly small and whole; rarely any bits at all."""
        if self.seldom():
            return np.array([self.byte() for _ in range(8 * count)], np.uint8).view(np.float64)
        usual = 9 if self.below(4) else len(PALETTE)
        return np.array([PALETTE[self.below(usual)] for _ in range(count)])

    def offsets(self, count: int, limit: int) -> list[int]:
        """Offsets of `count` items among `limit`: rising, then some of them changed."""
        made = sorted(self.below(limit + 1) for _ in range(count + 1))
        if self.below(4):
            made[0], made[-1] = 0, limit
        while self.below(8) == 1:
            odd = [-1, limit + 1, 2**31 - 1, -(2**31), 2**15, 0, limit, limit // 2]
            made[self.below(count + 1)] = self.one(odd)
        return made


# --- Arrow ----------------------------------------------------------------------------------------

NAMES = ["point", "multipoint", "linestring", "multilinestring", "polygon", "multipolygon"]
DEPTHS = [0, 1, 1, 2, 2, 3]
KINDS = [4, 4, 4, 5, 3, 2, 1, 0]
COMPARED = [0]
"""How many rows were compared with those that pyarrow reads."""


def metadata(name: str) -> Any:
    """The metadata of an extension type, in the C interface's encoding."""
    pairs = [(b"ARROW:extension:name", name.encode())]
    made = struct.pack("=i", len(pairs))
    for pair in pairs:
        made += b"".join(struct.pack("=i", len(text)) + text for text in pair)
    text = c.create_string_buffer(made)
    KEPT.append(text)
    return c.cast(text, c.c_void_p)


def bitmap(choices: Choices, most: int = 1) -> Any:
    """No bitmap mostly, else one with any bits for so many times the room."""
    if choices.below(4):
        return None
    some = [choices.byte() | choices.byte() | choices.byte() for _ in range(8)]
    return np.resize(np.array(some, np.uint8), most * ROOM // 8 + 1)


def vertices(choices: Choices, points: int) -> tuple[Any, Any]:
    """The type and the array of coordinates: interleaved or separated, wide or narrow."""
    text, dtype = choices.one([(b"g", np.float64), (b"g", np.float64), (b"f", np.float32)])
    width = choices.one([2, 2, 2, 3, 1, 0])
    lie = {"null_count": -1} | ({"length": choices.below(ROOM)} if choices.seldom() else {})
    start = {"null_count": -1} | ({"offset": choices.below(3)} if choices.seldom() else {})
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = choices.coordinates(2 * points).astype(dtype)
    room = np.zeros(4 * ROOM + 16, dtype)
    room[: len(numbers)] = numbers
    if choices.below(4):
        inner = array(max(2, width) * ROOM, [bitmap(choices, 4), room], null_count=-1)
        return (
            schema(b"+w:%d" % width, schema(text)),
            array(points, [bitmap(choices)], inner, **(lie | start)),
        )
    names = [b"x", b"y", b"z"][: choices.one([2, 2, 2, 3, 1])]
    fields = [schema(text, name=name) for name in names]
    columns = [
        array(points, [bitmap(choices), room[at:].copy()], **lie) for at in range(len(names))
    ]
    return schema(b"+s", *fields), array(points, [bitmap(choices)], *columns, **start)


def nested(choices: Choices) -> tuple[Any, Any]:
    """The type and the array of shapes of a kind; numbers contradict each other at times."""
    kind = choices.one(KINDS)
    counts = [choices.below(4)]
    for _ in range(DEPTHS[kind]):
        counts.append(min(ROOM - 1, counts[-1] * (1 + choices.below(3)) + choices.below(4)))
    counts[-1] = min(ROOM - 1, 4 * counts[-1]) if DEPTHS[kind] else counts[-1]
    of, made = vertices(choices, counts[-1])
    for count, limit in zip(counts[-2::-1], counts[:0:-1], strict=True):
        text, dtype = choices.one([(b"+l", np.int32), (b"+L", np.int64), (b"+l", np.int32)])
        offsets = np.zeros(ROOM + 4, dtype)
        offsets[: count + 1] = choices.offsets(count, limit)
        offsets[count + 1 :] = offsets[count]
        fields: dict[str, Any] = {"null_count": -1}
        if choices.seldom():
            fields["offset"] = choices.below(3)
        if choices.seldom():
            fields["length"] = choices.one([0, 1, count + 1, 2**40, -1, 2**62])
            if fields["length"] > ROOM:
                offsets[count + 1] = -1  # where a reader must stop
        if choices.below(4) == 0:
            fields["null_count"] = choices.one([-1, 0, 1, 7])
        has_more = fields.get("length", 0) > ROOM
        made = array(count, [None if has_more else bitmap(choices), offsets], made, **fields)
        of.name = choices.one([b"", b"rings", b"linestrings", b"points", b"vertices"])
        of = schema(text, of)
    if choices.below(8):
        of.metadata = metadata(
            "geoarrow." + (choices.one(NAMES) if choices.seldom() else NAMES[kind])
        )
    if choices.seldom():
        of.dictionary = c.pointer(schema(b"u"))
    return of, made


def from_arrow(choices: Choices) -> Callable[[], Any]:
    of, made = nested(choices)
    if choices.below(3):
        return lambda: Exported(of, made)
    others = [made, nested(choices)[1] if choices.seldom() else None]
    return lambda: Streamed(of, [it for it in others if it is not None], None)


# --- WKB ------------------------------------------------------------------------------------------


def well_known(choices: Choices) -> bytes | None:
    """The bytes of one geometry, of which some are changed, missing or too many."""
    if choices.below(8) == 0:
        return None
    order = choices.below(4) == 0
    mark, number = (b"\0", ">") if order else (b"\1", "<")

    def chain(count: int, closed: bool) -> bytes:
        numbers = choices.coordinates(2 * count)
        if closed and count:
            numbers[-2:] = numbers[:2]
        return struct.pack(number + "I", count) + numbers.astype(number + "f8").tobytes()

    def geometry(kind: int, levels: int) -> bytes:
        head = mark + struct.pack(number + "I", kind)
        if kind == 1:
            return head + choices.coordinates(2).astype(number + "f8").tobytes()
        if kind == 2:
            return head + chain(choices.below(5), False)
        if kind == 3:
            rings = [
                chain(4 + choices.below(3), choices.below(8) > 0) for _ in range(choices.below(4))
            ]
            return head + struct.pack(number + "I", len(rings)) + b"".join(rings)
        inner = kind - 3 if kind < 7 else choices.one([1, 2, 3, 7]) if levels else 1
        parts = [geometry(inner, levels - 1) for _ in range(choices.below(3))]
        return head + struct.pack(number + "I", len(parts)) + b"".join(parts)

    made = bytearray(geometry(choices.one([3, 3, 3, 3, 6, 1, 2, 4, 5, 7]), 2))
    while choices.below(8) == 1 and made:
        made[choices.below(min(255, len(made)))] = choices.one(
            [0xFF, 0, 1, 0x80, 3, choices.byte()]
        )
    if choices.below(8) == 1:
        at = choices.one([1, 5, 9])
        made[at : at + 4] = choices.one(
            [b"\xff" * 4, b"\0\0\0\x10", b"\x03\0\0\x20", b"\xeb\x03\0\0"]
        )
    if choices.below(8) == 1:
        made = made[: choices.below(255)]
    if choices.seldom():
        made += bytes(choices.below(4))
    return bytes(made)


def from_wkb(choices: Choices) -> tuple[list[bytes | None], Callable[[], Any]]:
    """The values, and an Arrow array of them, whose offsets and views may be wrong."""
    values = [well_known(choices) for _ in range(choices.below(5))]
    whole = np.frombuffer(b"".join(value or b"" for value in values) + bytes(16), np.uint8)
    ends = np.cumsum([0, *(len(value or b"") for value in values)])
    given = np.packbits([value is not None for value in values] + [False] * 9, bitorder="little")
    if choices.below(3) == 0:
        views = np.zeros((len(values) + 1, 4), np.int32)
        for row, value in enumerate(values):
            if value is not None and len(value) <= 12:
                text = value.ljust(12, b"\0")
                views[row] = [len(value), *np.frombuffer(text, np.int32)]
            elif value is not None:
                start = np.frombuffer(value[:4], np.int32)[0]
                views[row] = [len(value), start, 0, ends[row]]
        while choices.below(8) == 1 and values:
            views[choices.below(len(values)), choices.below(4)] = choices.one(
                [-1, 1, 2**31 - 1, -(2**31), 0, 100]
            )
            values = []  # the model no longer knows them
        lengths = np.array([len(whole)], np.int64)
        made = array(len(views) - 1, [given, views.view(np.uint8), whole, lengths], null_count=-1)
        return values, lambda: Exported(schema(b"vz"), made)
    text, dtype = choices.one([(b"z", np.int32), (b"Z", np.int64)])
    offsets = ends.astype(dtype)
    count = len(values)
    while choices.below(8) == 1:
        odd = [-1, 2**31 - 1, 0, 3, int(ends[-1])]
        # The last offset is taken as the length of the values, which no reader can check.
        at = choices.below(len(offsets))
        offsets[at] = choices.one(odd if at + 1 < len(offsets) else odd[:1])
        values = []
    made = array(count, [given, offsets, whole], null_count=-1)
    return values, lambda: Exported(schema(text), made)


# --- ragged ---------------------------------------------------------------------------------------


def ragged(choices: Choices) -> tuple[Any, ...]:
    """Coordinates, and offsets at one to three levels, of any type."""
    count = choices.below(25)
    coords: Any = choices.coordinates(2 * count).reshape(-1, 2)
    shape = choices.below(16)
    coords = (
        coords[::2]
        if shape == 1
        else coords.astype(np.float32)
        if shape == 2
        else coords.tolist()
        if shape == 3
        else coords.ravel()
        if shape == 4
        else np.asfortranarray(coords)
        if shape == 5
        else coords.astype(object)
        if shape == 6
        else coords.astype(">f8")
        if shape == 7
        else coords
    )
    levels: list[Any] = []
    limit = len(coords)
    for _ in range(1 + choices.below(3)):
        items = choices.below(6)
        made: Any = np.array(choices.offsets(items, limit), np.int64)
        kind = choices.below(16)
        if kind == 1:
            made = made.astype(
                choices.one([np.int32, np.int16, np.uint64, np.float64, bool, object])
            )
        elif kind == 2:
            made = made.tolist()
        elif kind == 3:
            made = choices.one([made[:0], made[:, None], np.repeat(made, 2)[::2], made[::-1]])
        elif kind == 4:
            made = choices.one([None, 3, "offsets", [None], [2**64], [[0], [1]]])
        levels.append(made)
        limit = items
    return coords, *levels


def rows_of(coords: np.ndarray, *levels: np.ndarray) -> list[Any]:
    """The rows of ragged arrays as nested lists; None where a row has no rings."""
    rings = zip(levels[0], levels[0][1:], strict=False)
    items: list[Any] = [coords[start:end].reshape(-1, 2) for start, end in rings]
    for level in levels[1:]:
        items = [items[start:end] for start, end in itertools.pairwise(level)]
    if len(levels) == 1:
        return [[ring] if len(ring) else None for ring in items]
    return [row or None for row in items]


# --- what must hold -------------------------------------------------------------------------------


def documented(why: BaseException) -> bool:
    text = str(why)
    return isinstance(why, DOCUMENTED) and "internal error" not in text and "panic" not in text


def answer_all(column: Any, choices: Choices) -> None:
    """Asks everything about a column, perhaps unchecked; only documented exceptions come out."""
    other = carom.Shapes([[(0, 0), (2, 0), (2, 2), (0, 2)]] * max(len(column), 1))
    velocity = (1.0, 0.5)
    unchecked = {"check": False} if choices.below(2) else {"on_invalid": "mask"}
    calls: list[Callable[[], Any]] = [
        lambda: (column.bounds, column.area, column.centroid, column.kind, column.is_convex),
        lambda: (
            column.is_valid,
            column.invalid_reason,
            column.radius,
            column.nbytes,
            repr(column),
        ),
        lambda: column[::-1] == column,
        lambda: list(column),
        column.to_shapely,
        lambda: column.translate((1.0, 1.0)),
        lambda: carom.Shapes.from_arrow(column, check=False),
        lambda: carom.colliding_pairs(column),
        lambda: carom.candidate_pairs(column, other, margin=0.5),
        lambda: carom.colliding_pairs(column, other, velocity_a=velocity),
        lambda: carom.nearest(column, other),
        lambda: carom.ray_cast((0.0, 0.0), (1.0, 1.0), column),
        lambda: carom.intersects_batch(column, column[::-1], **unchecked),
        lambda: carom.predicate_batch(column, column[::-1], "covers", **unchecked),
        lambda: carom.sat_batch(column, other[: len(column)], **unchecked),
        lambda: carom.distance_batch(column, column[::-1], **unchecked),
        lambda: carom.penetration_batch(column, other[: len(column)], **unchecked),
        lambda: carom.swept_collision_batch(column, other[: len(column)], velocity, **unchecked),
        lambda: carom.circle_polygon_batch((1.0, 1.0), 0.5, column, **unchecked),
        lambda: carom.contact_intervals_batch(column, other[: len(column)], velocity, **unchecked),
        lambda: carom.closest_approach_batch(column, other[: len(column)], velocity, **unchecked),
    ]
    for call in calls:
        try:
            call()
        except Exception as why:
            if not documented(why):
                raise
    pickled = pickle.loads(pickle.dumps(column))
    assert pickled.coords.tobytes() == column.coords.tobytes()


def same(column: Any, rows: Any) -> None:
    """The column is that of these rows, and so is what is wrong with each."""
    assert len(column) == len(rows), (len(column), len(rows))
    assert column.is_valid.tobytes() == rows.is_valid.tobytes(), (column.is_valid, rows.is_valid)
    assert column.coords.tobytes() == rows.coords.tobytes()
    assert column.kind.tobytes() == rows.kind.tobytes()
    assert column == rows


def by_pyarrow(export: Any) -> list[Any] | None:
    """The rows of polygons as pyarrow reads them; None if it refuses, or they are no polygons."""
    if not isinstance(export, Exported) or export.array.length > ROOM:
        return None
    text, inner = (
        export.schema.format,
        export.schema.n_children and export.schema.children[0].contents,
    )
    is_list = inner and {text, inner.format} <= {b"+l", b"+L"} and inner.n_children
    if not is_list or inner.children[0].contents.format not in (b"+w:2", b"+s"):
        return None
    if not 0 <= inner.children[0].contents.n_children <= 2 or export.schema.dictionary:
        return None
    try:
        made = pa.array(export)
        made.validate(full=True)
    except (pa.ArrowException, ValueError, TypeError, OSError):
        return None
    return made.to_pylist()


def has_null(row: Any) -> bool:
    """Whether a row has a null inside, at any level."""
    items = row.values() if isinstance(row, dict) else row if isinstance(row, list) else ()
    return any(item is None or has_null(item) for item in items)


def plain(row: Any) -> Any:
    """The rings of a row; None if there are none."""
    if row is None or has_null(row):
        return None
    return [
        np.reshape([[*xy.values()] if isinstance(xy, dict) else xy for xy in ring], (-1, 2))
        for ring in row
    ] or None


def arrow_input(choices: Choices) -> None:
    again = Choices(choices.data)
    again.at = choices.at
    of = Choices(choices.data)
    of.at = choices.at
    make, is_polygon = from_arrow(choices), of.one(KINDS) == 4
    masked, drop_z = choices.below(2) == 1, choices.below(2) == 1
    how: dict[str, Any] = {"on_invalid": "mask"} if masked else {"check": choices.below(3) == 0}
    expected = by_pyarrow(from_arrow(again)()) if is_polygon and masked else None
    column = carom.Shapes.from_arrow(make(), drop_z=drop_z, **how)
    # Another name at times makes paths of the same lists.
    if expected is not None and not set(column.kind.tolist()) - {-1, 4}:
        rows = carom.Shapes([plain(row) for row in expected], on_invalid="mask")
        nulls = np.array([has_null(row) for row in expected], bool)
        found = [column.is_valid, column.invalid_reason, rows.invalid_reason, nulls, expected]
        assert column.is_valid.tolist() == (rows.is_valid & ~nulls).tolist(), found
        assert column == rows, found
        COMPARED[0] += len(rows)
    answer_all(column, choices)


def by_shapely(value: bytes | None) -> Any:
    """The geometry that Shapely reads; None where it refuses."""
    if value is None:
        return None
    try:
        return shapely.from_wkb(value, on_invalid="ignore")
    except NotImplementedError:
        return None


def wkb_input(choices: Choices) -> None:
    values, make = from_wkb(choices)
    masked = carom.Shapes.from_arrow(make(), on_invalid="mask", drop_z=True)
    if values:
        geoms = np.array([*map(by_shapely, values)])
        rows = carom.Shapes.from_shapely(geoms, on_invalid="mask", drop_z=True)
        unread = [v is not None and g is None for v, g in zip(values, geoms, strict=True)]
        assert masked.is_valid.tolist() == (rows.is_valid & ~np.array(unread)).tolist()
        assert masked == rows
    answer_all(masked, choices)


def ragged_input(choices: Choices) -> None:
    coords, *levels = ragged(choices)
    column = carom.Shapes.from_ragged(coords, *levels, on_invalid="mask")
    are_arrays = all(isinstance(it, np.ndarray) for it in (coords, *levels))
    if are_arrays and len(levels) < 3 and coords.dtype == np.float64:
        same(column, carom.Shapes(rows_of(coords, *levels), on_invalid="mask"))
    answer_all(column, choices)
    answer_all(carom.Shapes.from_ragged(coords, *levels, check=False), choices)


def path_input(choices: Choices) -> None:
    coords, offsets, *_ = ragged(choices)
    column = carom.Shapes.from_paths(coords, offsets, on_invalid="mask")
    answer_all(column, choices)


INPUTS = [arrow_input, arrow_input, wkb_input, ragged_input, path_input]


def one_input(data: bytes) -> str:
    """Reads one input; what came out."""
    choices = Choices(data)
    try:
        choices.one(INPUTS)(choices)
    except Exception as why:
        if not documented(why):
            raise
        return type(why).__name__
    finally:
        KEPT.clear()
    return "a column"


def random_input(number: int) -> bytes:
    random = Random(number)
    return random.randbytes(random.randint(0, 400))


def run(options: argparse.Namespace) -> None:
    counts: dict[str, int] = {}
    last = (
        os.open(options.last, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600) if options.last else None
    )
    end = time.monotonic() + options.seconds if options.seconds else float("inf")
    number = options.first
    while time.monotonic() < end and number - options.first < options.count:
        data = random_input(number)
        if last is not None:
            os.ftruncate(last, 0)
            os.pwrite(last, data, 0)
        try:
            outcome = one_input(data)
        except BaseException:
            print(f"input {number}: {data.hex()}", file=sys.stderr)
            raise
        counts[outcome] = counts.get(outcome, 0) + 1
        number += 1
    print(number - options.first, "inputs:", dict(sorted(counts.items())), "compared:", COMPARED[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.0, help="when to stop; 0 is never")
    parser.add_argument("--count", type=float, default=float("inf"), help="the most inputs to read")
    parser.add_argument(
        "--first",
        type=int,
        default=int(time.time()) * 1000,
        help="number of the first input; by default from the clock",
    )
    parser.add_argument("--last", type=Path, help="file that keeps the input that is being read")
    parser.add_argument("--input", help="one input to read: hexadecimal, or the path of a file")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.input is not None:
        path = Path(options.input)
        print(one_input(path.read_bytes() if path.exists() else bytes.fromhex(options.input)))
    else:
        run(options)


if __name__ == "__main__":
    main()

"""Arrow data with a wrong number: refused, or read as Arrow defines it, but never a crash."""

from __future__ import annotations

import ctypes as c
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest

from arrow_capsules import (
    KEPT,
    NUMBERS,
    Array,
    Exported,
    GetNext,
    GetSchema,
    ReleaseArray,
    ReleaseStream,
    Schema,
    Streamed,
    array,
    capsule,
    int32,
    pointers,
    polygons,
    polygons_type,
    schema,
)

BEYOND = "InputValueError: obj: offsets lead beyond the arrays"
NO_BUFFER = (
    "InputValueError: obj: C Data interface error: The external buffer at position 1 is null."
)

REFUSED = "InputValueError: obj: C Data interface error: "

UNREAD = "InputValueError: obj: C Data interface error: Cannot get next array from input stream"


def exported(**changed: dict[str, Any]) -> Any:
    return Exported(polygons_type(), polygons(**changed))


def with_offsets(rows: tuple[int, ...], rings: tuple[int, ...], dtype: Any) -> Any:
    points = array(7, [None], array(14, [None, NUMBERS]))
    of_rings = array(len(rings) - 1, [None, np.array(rings, dtype)], points)
    of_rows = array(len(rows) - 1, [None, np.array(rows, dtype)], of_rings)
    return Exported(polygons_type(b"+l" if dtype is np.int32 else b"+L"), of_rows)


def stream(*items: Any, error: bytes | None = b"the disk is full", **fields: Any) -> Any:
    return Streamed(polygons_type(), items, error, **fields)


def shifted(numbers: np.ndarray) -> np.ndarray:
    """The same bytes at an unaligned address."""
    memory = np.zeros(numbers.nbytes + 1, np.uint8)
    memory[1:] = numbers.view(np.uint8)
    return memory[1:]


CASES: dict[str, tuple[Any, str]] = {
    "as it should be": (exported, "2 rows of 7 vertices"),
    "fewer rows": (lambda: exported(rows={"length": 1}), "1 rows of 4 vertices"),
    "no rows": (lambda: exported(rows={"length": 0}), "0 rows of 0 vertices"),
    "nulls not counted": (lambda: exported(rows={"null_count": -1}), "2 rows of 7 vertices"),
    "nulls without a bitmap": (lambda: exported(rows={"null_count": 1}), REFUSED),
    "more nulls than rows": (lambda: exported(rows={"null_count": 7}), REFUSED),
    "fewer rings": (lambda: exported(rings={"length": 1}), BEYOND),
    "no rings": (lambda: exported(rings={"length": 0}), BEYOND),
    "fewer points": (lambda: exported(points={"length": 6}), BEYOND),
    "taken rows": (
        lambda: exported(rows={"release": ReleaseArray()}),
        "InputValueError: obj: C Data interface error: the array has been taken already",
    ),
    "no numbers": (
        lambda: Exported(
            polygons_type(),
            array(
                2,
                [None, int32(0, 1, 2)],
                array(2, [None, int32(0, 4, 7)], array(7, [None], array(14, [None, None]))),
            ),
        ),
        NO_BUFFER,
    ),
    "no offsets": (
        lambda: Exported(
            polygons_type(),
            array(
                2,
                [None, None],
                array(2, [None, int32(0, 4, 7)], array(7, [None], array(14, [None, NUMBERS]))),
            ),
        ),
        NO_BUFFER,
    ),
    "nothing, offsets of one": (
        lambda: Exported(
            polygons_type(),
            array(
                0,
                [None, int32(0)],
                array(0, [None, int32(0)], array(0, [None], array(0, [None, None]))),
            ),
        ),
        "0 rows of 0 vertices",
    ),
    "memory that starts anywhere": (
        lambda: Exported(
            polygons_type(),
            array(
                2,
                [None, shifted(int32(0, 1, 2))],
                array(
                    2,
                    [None, shifted(int32(0, 4, 7))],
                    array(7, [None], array(14, [None, shifted(NUMBERS)])),
                ),
            ),
        ),
        "2 rows of 7 vertices",
    ),
    "a type of letters": (
        lambda: Exported(schema(b"nonsense"), polygons()),
        'InputValueError: obj: C Data interface error: The datatype ""nonsense""',
    ),
    "a stream": (lambda: stream(polygons(), polygons()), "4 rows of 14 vertices"),
    "an empty stream": (stream, "0 rows of 0 vertices"),
    "a stream that fails": (lambda: stream(22), UNREAD),
    "a stream that fails in the middle": (
        lambda: stream(polygons(), 5),
        f"{UNREAD}. Error code: 5. Producer error: the disk is full",
    ),
    "a stream that fails without a word": (
        lambda: stream(polygons(), 5, error=None),
        UNREAD,
    ),
    "a stream that fails in no language": (
        lambda: stream(polygons(), 5, error=b"\xff\xfe"),
        UNREAD,
    ),
    "a stream whose second array is wrong": (
        lambda: stream(polygons(), polygons(rings={"length": 1})),
        BEYOND,
    ),
    "a stream without a type": (
        lambda: Streamed(5, [], b"none"),
        "InputValueError: obj: C Data interface error: Cannot get schema from input stream",
    ),
    "a stream without a way to its type": (
        lambda: stream(polygons(), get_schema=GetSchema()),
        "InputValueError: obj: C Data interface error: input stream does not provide",
    ),
    "a taken stream": (
        lambda: stream(polygons(), release=ReleaseStream()),
        "InputValueError: obj: C Data interface error: input stream is already released",
    ),
}

for dtype in (np.int32, np.int64):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    for rows, rings, outcome in [
        ((1, 1, 2), (0, 4, 7), "2 rows of 3 vertices"),
        ((2, 2, 2), (0, 4, 7), "2 rows of 0 vertices"),
        ((0, 0, 2), (0, 4, 7), "InputValueError: obj[1]"),
        ((2,), (0, 4, 7), "0 rows of 0 vertices"),
        ((0, 1, 2), (1, 4, 7), "2 rows of 6 vertices"),
        ((0, 1, 2), (0, 4, 4, 7), "2 rows of 4 vertices"),
        ((0, 2, 1), (0, 4, 7), BEYOND),
        ((0, 1, 3), (0, 4, 7), BEYOND),
        ((0, -1, 2), (0, 4, 7), BEYOND),
        ((-1, 1, 2), (0, 4, 7), BEYOND),
        ((0, 100, 2), (0, 4, 7), BEYOND),
        ((0, 0, most), (0, 4, 7), BEYOND),
        ((least, 0, 2), (0, 4, 7), BEYOND),
        ((-1, -1, -1), (0, 4, 7), BEYOND),
        ((3,), (0, 4, 7), BEYOND),
        ((0, 1, 2), (0, 7, 4), BEYOND),
        ((0, 1, 2), (0, 4, 8), BEYOND),
        ((0, 1, 2), (0, -4, 7), BEYOND),
        ((0, 1, 2), (-1, 4, 7), BEYOND),
        ((0, 1, 2), (most, most, most), BEYOND),
        ((0, 1, 2), (0,), BEYOND),
    ]:
        CASES[f"{dtype.__name__} {rows} {rings}"] = (
            lambda rows=rows, rings=rings, dtype=dtype: with_offsets(rows, rings, dtype),
            outcome,
        )


def add(name: str, make: Any, outcome: str) -> None:
    assert name not in CASES
    CASES[name] = make, outcome


# Lengths and counts of arrays.
for part in ("rows", "rings", "points", "numbers"):
    lies: list[dict[str, Any]] = [
        {field: number}
        for field in ("length", "offset")
        for number in (-1, -(2**63), 2**62, 2**63 - 1)
    ]
    lies += [{"n_buffers": n} for n in (-1, 0, 3, 2**63 - 1)]
    lies += [{"n_children": n} for n in (-(2**63), -1, 2)]
    lies += [{"buffers": c.POINTER(c.c_void_p)()}]
    if part != "numbers":
        lies += [
            {"n_children": 0},
            {"children": c.POINTER(c.POINTER(Array))()},
            {"children": pointers(Array, (None,))},
        ]
    if part != "rows":
        lies += [{"release": ReleaseArray()}]
    for at, lie in enumerate(lies):
        add(
            f"{part} {at}: {', '.join(lie)}",
            lambda part=part, lie=lie: exported(**{part: lie}),
            REFUSED,
        )

add("fewer numbers than points need", lambda: exported(numbers={"length": 13}), REFUSED)
add("points beyond the numbers", lambda: exported(points={"offset": 1}), REFUSED)
add("rings to which no row refers", lambda: exported(rings={"length": 2**56}), "2 rows of 7 vert")


def nulls(length: int) -> Any:
    return Exported(schema(b"n"), array(length, []))


add("nulls", lambda: nulls(3), "3 rows of 0 vertices")
add("nulls of a negative number", lambda: nulls(-1), REFUSED)
add("more nulls than there can be", lambda: nulls(2**62), REFUSED)
add("more nulls than memory", lambda: nulls(2**56), "MemoryError: ")
add("a stream of nulls", lambda: Streamed(schema(b"n"), [array(2, [])], None), "2 rows of 0")


def ended(rows: int, rings: int) -> Any:
    """Arrays with a length that is too large, and a wrong offset after the right ones."""
    points = array(7, [None], array(14, [None, NUMBERS]))
    of_rings = array(rings, [None, int32(0, 4, 7, 3)], points)
    return Exported(polygons_type(), array(rows, [None, int32(0, 1, 2, 0)], of_rings))


for length in (2**24, 2**40, 2**56):
    add(f"{length} rows", lambda length=length: ended(length, 2), f"{BEYOND}, at obj[2]")


def separated(
    lengths: tuple[int, ...], length: int = 7, offset: int = 0, kind: bytes = b"g"
) -> Any:
    coordinates = schema(b"+s", schema(kind, name=b"x"), schema(kind, name=b"y"))
    numbers = NUMBERS[::2].copy(), NUMBERS[1::2].copy(), NUMBERS
    columns = [array(n, [None, of]) for n, of in zip(lengths, numbers, strict=False)]
    points = array(length, [None], *columns, offset=offset)
    rows = array(2, [None, int32(0, 1, 2)], array(2, [None, int32(0, 4, 7)], points))
    return Exported(schema(b"+l", schema(b"+l", coordinates, name=b"rings")), rows)


add("separated", lambda: separated((7, 7)), "2 rows of 7 vertices")
for arguments in (
    ((7, 5),),
    ((5, 5), 5, 2),
    ((-1, -1),),
    ((7, 7), 7, -2),
    ((7, 7), 7, 2**62),
    ((7,),),
    ((),),
    ((7, 7, 7),),
):
    add(f"separated {arguments}", lambda it=arguments: separated(*it), REFUSED)
add("separated texts", lambda: separated((7, 7), kind=b"u"), "InputTypeError: obj: ")


# Well-known binary.
POINT = np.frombuffer(bytes.fromhex("0101000000000000000000f03f0000000000000040"), np.uint8)
FEW = np.array([4, 0, 0, 0, *b"wkb!", *[0] * 8], np.uint8)
"""A view of four bytes, which are in it."""


def binary(offsets: Any, values: Any = POINT, text: bytes = b"z", **changed: Any) -> Any:
    length = changed.pop("length", None)
    number = len(offsets) - 1 if length is None else length
    return Exported(schema(text), array(number, [None, offsets, values], **changed))


def views(*buffers: Any, length: int = 1, **changed: Any) -> Any:
    return Exported(schema(b"vz"), array(length, [None, *buffers], **changed))


def far(length: int, buffer: int, offset: int) -> Any:
    """A view of bytes in a buffer, which repeats the first four."""
    (start,) = POINT[:4].view(np.int32)
    return np.array([length, start, buffer, offset], np.int32).view(np.uint8)


def int64(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


INVALID = "InputValueError: obj: Invalid argument error: Invalid buffer"
NO_WKB = "InputValueError: obj[0]: not valid WKB: "
WKB_CASES: dict[str, tuple[Any, str]] = {
    "a point": (lambda: binary(int32(0, 21)), "1 rows of 1 vertices"),
    "a point after nothing": (lambda: binary(int32(0, 0, 21)), NO_WKB),
    "large": (lambda: binary(int64(0, 21), text=b"Z"), "1 rows of 1 vertices"),
    "unaligned": (lambda: binary(shifted(int32(0, 21)), length=1), "1 rows of 1 vertices"),
    "large, unaligned": (
        lambda: binary(shifted(int64(0, 21)), shifted(POINT), text=b"Z", length=1),
        "1 rows of 1 vertices",
    ),
    "the second of two, unaligned": (
        lambda: binary(shifted(int32(0, 11, 32)), np.r_[POINT[:11], POINT], length=1, offset=1),
        "1 rows of 1 vertices",
    ),
    "half a point": (lambda: binary(int32(0, 11)), NO_WKB),
    "no rows": (lambda: binary(int32(0)), "0 rows of 0 vertices"),
    "no rows, no offsets": (lambda: binary(None, None, length=0), NO_BUFFER),
    "rows without offsets": (lambda: binary(None, length=1), REFUSED),
    "rows without values": (lambda: binary(int32(0, 21), None), REFUSED),
    "a view": (lambda: views(far(21, 0, 0), POINT, int64(21)), "1 rows of 1 vertices"),
    "a view in itself": (lambda: views(FEW, int64()), NO_WKB),
    "a view without views": (lambda: views(None, int64()), REFUSED),
    "views without lengths": (lambda: views(far(21, 0, 0), POINT, None), REFUSED),
    "too few buffers": (lambda: views(FEW), REFUSED),
}
for offsets in ((0, -1), (-1, 21), (5, 4), (0, 21, 4), (0, -(2**31), 21)):
    WKB_CASES[f"offsets {offsets}"] = lambda it=offsets: binary(int32(*it)), REFUSED
for offsets in ((0, -1), (0, 2**63 - 1), (-(2**63), 21)):
    WKB_CASES[f"large {offsets}"] = lambda it=offsets: binary(int64(*it), text=b"Z"), REFUSED
for length in (2**40, 2**58):
    WKB_CASES[f"{length} binaries"] = (
        lambda length=length: binary(int32(0, 21, 4), length=length),
        REFUSED,
    )
for view in ((22, 0, 0), (21, 1, 0), (21, -1, 0), (21, 0, 1), (21, 0, -1), (-1, 0, 0)):
    WKB_CASES[f"view {view}"] = lambda it=view: views(far(*it), POINT, int64(21)), INVALID
for length in (-1, 2**63 - 1):
    WKB_CASES[f"a buffer of {length}"] = (
        lambda length=length: views(far(21, 0, 0), POINT, int64(length)),
        REFUSED,
    )
for count in (-1, 0, 2, 4, 2**63 - 1):
    WKB_CASES[f"{count} buffers"] = lambda it=count: binary(int32(0, 21), n_buffers=it), REFUSED


# Types.
def typed(level: int, **changed: Any) -> Any:
    """Polygons whose type is changed at some level."""
    changes = top = polygons_type()
    for _ in range(level):
        changes = changes.children[0].contents
    for name, value in changed.items():
        setattr(changes, name, value)
    return Exported(top, polygons())


for level in range(4):
    lies = [{"format": None}, {"format": b"\xff"}, {"name": b"\xff"}]
    if level < 3:
        lies += [{"n_children": n} for n in (-1, 0, 2)]
        lies += [
            {"children": c.POINTER(c.POINTER(Schema))()},
            {"children": pointers(Schema, (None,))},
        ]
    for at, lie in enumerate(lies):
        add(
            f"type {level} {at}: {', '.join(lie)}",
            lambda level=level, lie=lie: typed(level, **lie),
            REFUSED,
        )
    for text in (b"u", b"z", b"vz", b"w:-3", b"+r", b"+vl", b"+w:-1", b"+w:2147483647"):
        has_no_child = text == b"+r" or (level == 3 and text.startswith(b"+"))
        is_read = level == 0 and text in (b"z", b"vz", b"+vl")
        add(
            f"type {level} is {text!r}",
            lambda level=level, text=text: typed(level, format=text),
            "InputValueError: obj: " if has_no_child or is_read else "InputTypeError: obj: ",
        )


def deep(levels: int) -> Any:
    made = schema(b"g")
    for _ in range(levels):
        made = schema(b"+l", made)
    return Exported(made, polygons())


def cyclic(children: int) -> Any:
    made = schema(b"+s", *[None] * children)
    made.children = pointers(Schema, (made,) * children)
    return Exported(made, polygons())


def own_dictionary() -> Any:
    made = schema(b"i")
    made.dictionary = c.pointer(made)
    return Exported(made, polygons())


DEEP = f"{REFUSED}the type is nested too deeply"
add("20 levels", lambda: deep(20), "InputTypeError: obj: expected a list of rings")
add("100,000 levels", lambda: deep(100_000), DEEP)
add("a type that holds itself", lambda: cyclic(1), DEEP)
add("a type that holds itself three times", lambda: cyclic(3), DEEP)
add("a type that is its own dictionary", own_dictionary, DEEP)

add("a stream of a taken type", lambda: Streamed(Schema(), [polygons()], None), REFUSED)
add("a stream of a nameless type", lambda: Streamed(schema(None), [polygons()], None), REFUSED)
add("a stream without arrays", lambda: stream(polygons(), get_next=GetNext()), REFUSED)


def dictionary(*keys: int, values: Any | None = None, **changed: Any) -> Any:
    """Rows that are keys of the polygons."""
    of = schema(b"i")
    of.dictionary = c.pointer(polygons_type())
    rows = array(len(keys), [None, int32(*keys)], **changed)
    if "dictionary" not in changed:
        rows.dictionary = c.pointer(polygons() if values is None else values)
    return Exported(of, rows)


add("a dictionary", lambda: dictionary(1, 0, 1), "3 rows of 10 vertices")
add("keys beyond the dictionary", lambda: dictionary(0, 2), "InputValueError: obj: ")
add("negative keys", lambda: dictionary(0, -1), "InputValueError: obj: ")
add("no dictionary", lambda: dictionary(0, dictionary=c.POINTER(Array)()), REFUSED)
add(
    "a shorter dictionary",
    lambda: dictionary(1, values=polygons(rows={"length": 1})),
    "InputValueErr",
)
add("a taken dictionary", lambda: dictionary(1, values=Array()), REFUSED)
add("more keys than there can be", lambda: dictionary(0, length=2**62), REFUSED)


def runs(*ends: int, length: int, offset: int = 0, **changed: Any) -> Any:
    """Rows that are runs of the polygons."""
    of = schema(
        b"+r", schema(b"i", name=b"run_ends"), schema(b"+l", polygons_type().children[0].contents)
    )
    children = array(len(ends), [None, int32(*ends)]), polygons()
    return Exported(of, array(length, [], *children, offset=offset, **changed))


add("runs", lambda: runs(1, 3, length=3), "3 rows of 10 vertices")
add("a part of runs", lambda: runs(1, 3, length=1, offset=2), "1 rows of 3 vertices")
add("runs that end early", lambda: runs(1, 3, length=4), REFUSED)
add("runs that go back", lambda: runs(3, 1, length=3), REFUSED)
add("runs of less than nothing", lambda: runs(-1, -5, length=1), REFUSED)
add("more runs than values", lambda: runs(1, 2, 3, length=3), "InputValueError: obj: ")
add("more rows of runs than there can be", lambda: runs(1, 2**31 - 1, length=2**62), REFUSED)
add("runs of rows without end", lambda: runs(1, 3, length=2**40), REFUSED)


def list_views(offsets: Any, sizes: Any, **changed: Any) -> Any:
    """Rows that are views of the rings of the polygons."""
    rings = array(2, [None, int32(0, 4, 7)], array(7, [None], array(14, [None, NUMBERS])))
    of = polygons_type()
    of.format = b"+vl"
    return Exported(of, array(len(sizes), [None, offsets, sizes], rings, **changed))


add("list views", lambda: list_views(int32(1, 0, 0), int32(1, 1, 0)), "3 rows of 7 vertices")
add(
    "a part of list views",
    lambda: list_views(int32(1, 0), int32(1, 1), offset=1, length=1),
    "1 rows of 4",
)
add("list views beyond the items", lambda: list_views(int32(1), int32(2)), REFUSED)
add("list views before the items", lambda: list_views(int32(-1), int32(1)), REFUSED)
add("list views of less than nothing", lambda: list_views(int32(1), int32(-1)), REFUSED)
add("list views of all there can be", lambda: list_views(int32(1), int32(2**31 - 1)), REFUSED)
add(
    "more list views than there can be",
    lambda: list_views(int32(0), int32(1), length=2**62),
    REFUSED,
)


def union(ids: bytes, offsets: Any, text: bytes = b"+ud:3", **changed: Any) -> Any:
    """Rows that are items of the polygons."""
    numbers = np.frombuffer(ids, np.int8).copy()
    buffers = [numbers] if offsets is None else [numbers, offsets]
    return Exported(schema(text, polygons_type()), array(len(ids), buffers, polygons(), **changed))


add("a union", lambda: union(b"\3\3\3", int32(1, 0, 1)), "3 rows of 10 vertices")
add("a sparse union", lambda: union(b"\3\3", None, b"+us:3"), "2 rows of 7 vertices")
add("a sparse union with fewer items", lambda: union(b"\3" * 3, None, b"+us:3"), REFUSED)
add(
    "unknown children of a union",
    lambda: union(b"\3\4", int32(0, 1)),
    "InputValueError: obj: the union",
)
add(
    "negative children of a union",
    lambda: union(b"\3\xff", int32(0, 1)),
    "InputValueError: obj: the u",
)
add("places beyond a child", lambda: union(b"\3", int32(2)), "InputValueError: obj: ")
add("negative places in a child", lambda: union(b"\3", int32(-1)), "InputValueError: obj: ")
add("a union without children", lambda: union(b"\3", int32(0), n_children=0), REFUSED)
add("a union of one buffer", lambda: union(b"\3", None), REFUSED)
add("more rows of a union than there can be", lambda: union(b"\3", int32(0), length=2**62), REFUSED)
add("a union of unknown form", lambda: union(b"\3", int32(0), b"+ux:3"), "InputValueError: obj: ")


def table(of: bytes = b"+s", **changed: Any) -> Any:
    """Rows of a table whose other column is of a type that is not read."""
    shapes = polygons_type()
    # One key and one value, with their lengths in front.
    name, value = b"ARROW:extension:name", b"geoarrow.polygon"
    text = b"".join(
        it if isinstance(it, bytes) else np.int32(it).tobytes()
        for it in (1, len(name), name, len(value), value)
    )
    memory = c.create_string_buffer(text, len(text))
    KEPT.append(memory)
    shapes.metadata = c.cast(memory, c.c_void_p)
    other = array(2, [None, NUMBERS], **changed.pop("other", {}))
    rows = array(
        changed.pop("length", 2), [None], other, changed.pop("shapes", polygons()), **changed
    )
    return Exported(schema(of, schema(b"tsu:"), shapes), rows)


add("a table", table, "2 rows of 7 vertices")
add("a part of a table", lambda: table(length=1, offset=1), "1 rows of 3 vertices")
add("a table longer than its column", lambda: table(length=3), REFUSED)
add("a table beyond its column", lambda: table(offset=1), REFUSED)
add("a table with a column that was taken", lambda: table(shapes=Array()), REFUSED)
add("a table without columns", lambda: table(n_children=0), REFUSED)
add("a table of rows without end", lambda: table(length=2**62), REFUSED)
add(
    "a table whose other column was taken",
    lambda: table(other={"release": ReleaseArray()}),
    "2 rows of 7",
)


@pytest.fixture(scope="module")
def outcomes() -> dict[str, str]:
    # Without Shapely, so that no other code accesses the objects.
    return told("CASES")


def told(cases: str) -> dict[str, str]:
    if not hasattr(os, "fork"):
        pytest.skip("needs processes that may crash")
    module = Path(__file__).stem
    program = f"import arrow_capsules, {module}; arrow_capsules.tell({module}.{cases})"
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    assert "panicked" not in done.stderr
    return dict(line.split("\t") for line in done.stdout.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_wrong_numbers_are_refused_or_taken_as_arrow_has_it(
    name: str, outcomes: dict[str, str]
) -> None:
    assert outcomes[name].startswith(CASES[name][1])


@pytest.fixture(scope="module")
def wkb_outcomes() -> dict[str, str]:
    pytest.importorskip("shapely")
    return told("WKB_CASES")


@pytest.mark.parametrize("name", WKB_CASES)
def test_wrong_numbers_of_binary_arrays_are_refused(
    name: str, wkb_outcomes: dict[str, str]
) -> None:
    assert wkb_outcomes[name].startswith(WKB_CASES[name][1])


def test_wkb_without_shapely_says_what_is_missing() -> None:
    program = (
        "import sys; sys.modules['shapely'] = None; import carom, test_arrow\n"
        "mixed = carom.Shapes([carom.Shapes.from_points([(0, 0)]), [(0, 0), (1, 0), (0, 1)]])\n"
        "assert carom.Shapes.from_arrow(mixed) == mixed\n"
        "try: carom.Shapes.from_arrow(test_arrow.binary(test_arrow.int32(0, 11)))\n"
        "except ImportError as why: print(why)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    told = "obj: WKB that is no shape is looked at by Shapely, which can't be imported: "
    assert done.stdout.startswith(told)


@pytest.mark.parametrize(
    "requested",
    [(None,), (b"\xff",), (b"+l",), (b"+l", None), (b"+w:2",), (b"+r",), (b"nonsense",)],
    ids=str,
)
def test_a_requested_type_that_is_wrong_is_ignored(requested: tuple[Any, ...]) -> None:
    column = carom.Shapes([[(0, 0), (1, 0), (0, 1)]])
    wish = schema(*requested)
    made = column.__arrow_c_array__(capsule(c.addressof(wish), b"arrow_schema", None))

    class Export:
        def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
            return made

    assert carom.Shapes.from_arrow(Export()) == column


def test_a_capsule_of_another_name_is_refused() -> None:
    class Swapped(Exported):
        def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
            return super().__arrow_c_array__()[::-1]

    with pytest.raises(TypeError, match="obj: expected a capsule named arrow_schema"):
        carom.Shapes.from_arrow(Swapped(polygons_type(), polygons()))
    wish = capsule(c.addressof(polygons_type()), b"arrow_array", None)
    with pytest.raises(TypeError, match="requested_schema: expected a capsule named arrow_schema"):
        carom.Shapes([[(0, 0), (1, 0), (0, 1)]]).__arrow_c_stream__(wish)


def test_an_array_is_released_though_one_of_its_columns_was_taken() -> None:
    released = []

    @ReleaseArray
    def release(rows: Any) -> None:
        released.append(rows.contents.length)
        rows.contents.release = ReleaseArray()

    with pytest.raises(ValueError, match="the array has been taken already"):
        carom.Shapes.from_arrow(table(shapes=Array(), release=release))
    assert released == [2]

"""Arrow's C data interface built by hand, so that any field can be wrong."""

from __future__ import annotations

import ctypes as c
import os
from collections.abc import Callable, Iterable
from typing import Any

import carom
import numpy as np


class Schema(c.Structure):
    """`struct ArrowSchema`."""


class Array(c.Structure):
    """`struct ArrowArray`."""


class Stream(c.Structure):
    """`struct ArrowArrayStream`."""


ReleaseSchema = c.CFUNCTYPE(None, c.POINTER(Schema))
ReleaseArray = c.CFUNCTYPE(None, c.POINTER(Array))
ReleaseStream = c.CFUNCTYPE(None, c.POINTER(Stream))
GetSchema = c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Schema))
GetNext = c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Array))
GetLastError = c.CFUNCTYPE(c.c_void_p, c.POINTER(Stream))

Schema._fields_ = [
    ("format", c.c_char_p),
    ("name", c.c_char_p),
    ("metadata", c.c_void_p),
    ("flags", c.c_int64),
    ("n_children", c.c_int64),
    ("children", c.POINTER(c.POINTER(Schema))),
    ("dictionary", c.POINTER(Schema)),
    ("release", ReleaseSchema),
    ("private_data", c.c_void_p),
]
Array._fields_ = [
    ("length", c.c_int64),
    ("null_count", c.c_int64),
    ("offset", c.c_int64),
    ("n_buffers", c.c_int64),
    ("n_children", c.c_int64),
    ("buffers", c.POINTER(c.c_void_p)),
    ("children", c.POINTER(c.POINTER(Array))),
    ("dictionary", c.POINTER(Array)),
    ("release", ReleaseArray),
    ("private_data", c.c_void_p),
]
Stream._fields_ = [
    ("get_schema", GetSchema),
    ("get_next", GetNext),
    ("get_last_error", GetLastError),
    ("release", ReleaseStream),
    ("private_data", c.c_void_p),
]

KEPT: list[Any] = []
"""The targets of the structs' pointers, which ctypes doesn't keep alive."""

capsule = c.pythonapi.PyCapsule_New
capsule.restype = c.py_object
capsule.argtypes = [c.c_void_p, c.c_char_p, c.c_void_p]


@ReleaseSchema
def release_schema(schema: Any) -> None:
    schema.contents.release = ReleaseSchema()


@ReleaseArray
def release_array(array: Any) -> None:
    array.contents.release = ReleaseArray()


@ReleaseStream
def release_stream(stream: Any) -> None:
    stream.contents.release = ReleaseStream()


def pointers(struct: Any, children: tuple[Any, ...]) -> Any:
    of = c.POINTER(struct)
    made = (of * max(1, len(children)))(*[of() if it is None else c.pointer(it) for it in children])
    KEPT.extend([made, children])
    return c.cast(made, c.POINTER(of))


def schema(text: bytes | None, /, *children: Any, **fields: Any) -> Any:
    given = {"name": b"", "flags": 2, "n_children": len(children)} | fields
    made = Schema(format=text, children=pointers(Schema, children), release=release_schema)
    for field, value in given.items():
        setattr(made, field, value)
    KEPT.append(made)
    return made


def array(length: int, buffers: list[Any], /, *children: Any, **fields: Any) -> Any:
    addresses = [None if it is None else it.ctypes.data for it in buffers]
    memory = (c.c_void_p * max(1, len(buffers)))(*addresses)
    KEPT.extend([memory, buffers])
    made = Array(
        length=length,
        n_buffers=len(buffers),
        n_children=len(children),
        buffers=c.cast(memory, c.POINTER(c.c_void_p)),
        children=pointers(Array, children),
        release=release_array,
    )
    for field, value in fields.items():
        setattr(made, field, value)
    KEPT.append(made)
    return made


NUMBERS = np.array([0, 0, 1, 0, 1, 1, 0, 1, 5, 5, 6, 5, 6, 6], float)
"""A square and a triangle."""


def int32(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def polygons_type(text: bytes = b"+l") -> Any:
    points = schema(b"+w:2", schema(b"g"), name=b"vertices")
    return schema(text, schema(text, points, name=b"rings"))


def polygons(**changed: dict[str, Any]) -> Any:
    """The square and the triangle, with other fields in `rows`, `rings`, `points` or `numbers`."""
    numbers = array(14, [None, NUMBERS], **changed.get("numbers", {}))
    points = array(7, [None], numbers, **changed.get("points", {}))
    rings = array(2, [None, int32(0, 4, 7)], points, **changed.get("rings", {}))
    return array(2, [None, int32(0, 1, 2)], rings, **changed.get("rows", {}))


class Exported:
    """An object that exports an array."""

    def __init__(self, its_type: Any, rows: Any) -> None:
        self.schema, self.array = its_type, rows

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        schema = capsule(c.addressof(self.schema), b"arrow_schema", None)
        return schema, capsule(c.addressof(self.array), b"arrow_array", None)


class Streamed:
    """An object that exports a stream of arrays; an integer is an error code."""

    def __init__(self, its_type: Any, items: Iterable[Any], error: bytes | None, **fields: Any):
        items = iter(items)
        text = c.create_string_buffer(error) if error is not None else None

        def get_schema(_: Any, out: Any) -> int:
            if isinstance(its_type, int):
                return its_type
            c.memmove(out, c.addressof(its_type), c.sizeof(Schema))
            return 0

        def get_next(_: Any, out: Any) -> int:
            item = next(items, None)
            if isinstance(item, int):
                return item
            if item is None:
                c.memset(out, 0, c.sizeof(Array))
            else:
                c.memmove(out, c.addressof(item), c.sizeof(Array))
            return 0

        def get_last_error(_: Any) -> int | None:
            return c.addressof(text) if text is not None else None

        self.stream = Stream(
            GetSchema(get_schema), GetNext(get_next), GetLastError(get_last_error), release_stream
        )
        for field, value in fields.items():
            setattr(self.stream, field, value)
        KEPT.append(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return capsule(c.addressof(self.stream), b"arrow_array_stream", None)


def tell(cases: dict[str, tuple[Callable[[], Any], str]]) -> None:
    """Prints the outcome of each case, in a process of its own that may crash."""
    for name, (make, _) in cases.items():
        print(f"{name}\t", end="", flush=True)
        child = os.fork()
        if child == 0:
            try:
                column = carom.Shapes.from_arrow(make())
                outcome = f"{len(column)} rows of {len(column.coords)} vertices"
            except BaseException as why:
                outcome = f"{type(why).__name__}: {why}".replace("\n", " ")
            print(outcome, flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            print(f"signal {os.WTERMSIG(status)}", flush=True)

"""What exceptions for invalid input carry, compared with what their messages say."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
from typing import Any

import carom
import carom.dask
import dask.array
import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely
from carom.interop import geopandas as cg

from test_bad_input import BATCH, CONCAVE, NAN, SCALAR, SQUARE, cases, changed, row_cases

CONCRETE = {
    carom.InputValueError: ValueError,
    carom.InputTypeError: TypeError,
    carom.InputIndexError: IndexError,
}
BAD_SQUARE = changed(SQUARE, 2, NAN)
FIELDS = ("argument", "row", "label", "reason")
# The argument at the beginning of a message, its row, and the reason.
MESSAGE = re.compile(r"(?P<argument>\w+)(\[(?P<row>[\d, ]+)\])?(: | )(?P<reason>.+)", re.DOTALL)


SERIES = geopandas.GeoSeries([shapely.box(0, 0, 1, 1), shapely.Point(0, 0, 0)], index=["p", "q"])


def raised(function: Any, *args: Any, **keywords: Any) -> carom.InputError:
    with pytest.raises(carom.InputError) as caught:
        function(*args, **keywords)
    return caught.value


def assert_carries_its_message(error: carom.InputError) -> None:
    found = MESSAGE.fullmatch(str(error))
    assert found is not None
    row = None if found["row"] is None else tuple(map(int, found["row"].split(", ")))
    assert error.argument == found["argument"]
    assert error.row == (row[0] if row is not None and len(row) == 1 else row)
    assert error.reason == found["reason"]
    assert error.label is None
    assert type(error) in CONCRETE


@pytest.mark.parametrize(
    ("function", "arguments", "error", "text"), [*cases(SCALAR), *cases(BATCH)]
)
def test_an_exception_carries_argument_and_reason_of_its_message(
    function: Any, arguments: dict[str, Any], error: type[Exception], text: str
) -> None:
    found = raised(function, *arguments.values())
    assert_carries_its_message(found)
    assert isinstance(found, error)
    assert text in str(found)
    assert found.argument in inspect.signature(function).parameters


@pytest.mark.parametrize(("function", "arguments", "text"), row_cases())
def test_an_exception_for_a_row_carries_it(
    function: Any, arguments: dict[str, Any], text: str
) -> None:
    found = raised(function, *arguments.values())
    assert_carries_its_message(found)
    assert text in str(found)
    assert found.row == 2


def test_a_row_of_several_dimensions_is_a_tuple() -> None:
    a = np.array([[SQUARE, SQUARE], [SQUARE, SQUARE], [SQUARE, BAD_SQUARE]])
    found = raised(carom.sat_batch, a, SQUARE)
    assert_carries_its_message(found)
    assert found.row == (2, 1)


@pytest.mark.parametrize(
    ("call", "argument", "row", "reason"),
    [
        (lambda: carom.sat(SQUARE, CONCAVE), "b", None, "the polygon is not convex at vertex 2"),
        (lambda: carom.Shapes([SQUARE, BAD_SQUARE]), "shapes", 1, "vertex 2 is (nan, 1.0)"),
        (lambda: carom.Shapes.from_points([(0, 0), (NAN, 0)]), "xy", 1, "is (nan, 0.0); coord"),
        (
            lambda: carom.Shapes([[SQUARE, np.zeros((4, 3))]]),
            "shapes",
            0,
            "ring 1: expected shape (V, 2), got (4, 3)",
        ),
        (
            lambda: carom.sat_batch([SQUARE], [SQUARE], pairs=([0, 1], [0, 0])),
            "pairs",
            1,
            "is 1, but a has 1 row",
        ),
        (
            lambda: carom.sat_batch([SQUARE], SQUARE, out={"depth": np.zeros(2)}),
            "out",
            None,
            "expected shape (1,), got (2,)",
        ),
        (lambda: carom.intersects_batch([SQUARE] * 2, [SQUARE] * 3), None, None, "leading dimen"),
        (
            lambda: carom.Shapes.from_shapely([shapely.box(0, 0, 1, 1), shapely.Point(0, 0, 0)]),
            "geoms",
            1,
            "the coordinates have Z; ",
        ),
        (
            lambda: carom.Shapes.from_shapely(
                shapely.set_srid([shapely.box(0, 0, 1, 1)] * 3, [0, 1, 2])
            ),
            "geoms",
            2,
            "the SRID 2, where geoms[1] has 1; ",
        ),
        (
            lambda: carom.Shapes.from_arrow(pa.array([[{"x": 0.0, "y": 0.0}]])),
            "obj",
            None,
            "one list of coordinates may be paths or several points a row: kind=",
        ),
        (lambda: carom.Shapes([SQUARE])[3], None, None, "row 3 of a column of 1"),
        (lambda: carom.sat_batch(SQUARE, SQUARE, turn=1), None, None, "got an unexpected keyword"),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_exceptions_of_every_other_form_carry_what_they_say(
    call: Any, argument: str | None, row: int | None, reason: str
) -> None:
    found = raised(call)
    assert (found.argument, found.row) == (argument, row)
    assert found.reason.startswith(reason)
    assert str(found).endswith(found.reason)


@pytest.mark.parametrize(("kind", "builtin"), CONCRETE.items())
def test_each_class_is_also_the_builtin_one(kind: type, builtin: type) -> None:
    assert issubclass(kind, carom.InputError)
    assert issubclass(kind, builtin)
    assert not issubclass(carom.InputError, ValueError | TypeError | IndexError)


@pytest.mark.parametrize("copied", [copy.copy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_has_the_type_the_message_and_the_fields(copied: Any) -> None:
    for error in (
        raised(carom.sat_batch, [SQUARE, BAD_SQUARE], SQUARE),
        raised(carom.sat, SQUARE, None),
        raised(carom.sat_batch, [SQUARE], [SQUARE], pairs=([1], [0])),
        raised(carom.Shapes.from_arrow, pa.array([[{"x": 0.0, "y": 0.0}]])),
        raised(cg.column, SERIES),
    ):
        again = copied(error)
        assert type(again) is type(error)
        assert str(again) == str(error)
        for field in FIELDS:
            assert getattr(again, field) == getattr(error, field)


def test_a_label_takes_the_place_of_the_row_in_the_message() -> None:
    found = raised(cg.column, SERIES)
    assert (found.argument, found.row, found.label) == ("rows", 1, "q")
    assert str(found) == f"rows.loc['q']: {found.reason}"
    assert found.reason == (
        "the coordinates have Z; drop_z=True leaves it out, and so does rows.force_2d()"
    )


def test_a_label_of_several_levels_is_a_tuple() -> None:
    index = pd.MultiIndex.from_tuples([("p", 1), ("p", 2)])
    bow_tie = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    found = raised(cg.column, geopandas.GeoSeries([shapely.box(0, 0, 1, 1), bow_tie], index=index))
    assert (found.row, found.label) == (1, ("p", 2))
    assert str(found).startswith("rows.loc[('p', 2)]: the ring meets itself")


def test_a_worker_of_dask_tells_the_row_of_the_whole_array() -> None:
    poses = np.zeros((5, 2, 3))
    poses[4, 1, 0] = NAN
    contacts = carom.dask.first_contact(
        SQUARE, dask.array.from_array(poses, chunks=(2, -1, -1)), [SQUARE]
    )
    found = raised(contacts.compute, scheduler="sync")
    assert (found.argument, found.row) == ("poses", (4, 1))
    assert str(found) == f"poses[4, 1] {found.reason}"


def test_a_partition_of_dask_tells_the_label() -> None:
    import dask_geopandas

    bow_tie = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    frame = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 1, 1), bow_tie], index=[7, 9])
    parts = dask_geopandas.from_geopandas(frame, npartitions=2)
    found = raised(carom.dask.colliding_pairs(parts).compute, scheduler="processes")
    assert (found.argument, found.row, found.label) == ("a", 0, 9)
    assert str(found) == f"a.partitions[1].loc[9]: {found.reason}"

"""One table of everything that is refused, for every function, scalar and batch."""

import inspect
import re
import warnings

import carom
import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely

NAN, INF = float("nan"), float("inf")
SQUARE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
TRIANGLE = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
CONCAVE = [(0.0, 0.0), (4.0, 0.0), (1.0, 1.0), (0.0, 4.0)]
QUADS = np.array([SQUARE, SQUARE, SQUARE])
HOLED = [np.array(SQUARE) * 9, np.array(SQUARE) + 1]
STRAY_HOLE = [np.array(SQUARE) * 9, np.array(SQUARE) + 20]

# Every function, with valid arguments by name, in order.
SCALAR = {
    carom.sat: {"a": SQUARE, "b": SQUARE},
    carom.intersects: {"a": SQUARE, "b": SQUARE},
    carom.penetration: {"a": SQUARE, "b": SQUARE},
    carom.overlap_area: {"a": SQUARE, "b": SQUARE},
    carom.distance: {"a": SQUARE, "b": SQUARE},
    carom.swept_collision: {"a": SQUARE, "b": SQUARE, "velocity": (1.0, 0.0)},
    carom.closest_approach: {"a": SQUARE, "b": SQUARE, "velocity": (1.0, 0.0)},
    carom.contact_intervals: {"a": SQUARE, "b": SQUARE, "velocity": (1.0, 0.0)},
    carom.circle_polygon: {"center": (0.0, 0.0), "radius": 1.0, "polygon": SQUARE},
    carom.swept_circle: {
        "center": (0.0, 0.0),
        "radius": 1.0,
        "velocity": (1.0, 0.0),
        "polygon": SQUARE,
    },
}
BATCH = {
    carom.sat_batch: {"a": QUADS, "b": QUADS},
    carom.intersects_batch: {"a": QUADS, "b": QUADS},
    carom.penetration_batch: {"a": QUADS, "b": QUADS},
    carom.predicate_batch: {"a": QUADS, "b": QUADS, "predicate": "covers"},
    carom.overlap_area_batch: {"a": QUADS, "b": QUADS},
    carom.distance_batch: {"a": QUADS, "b": QUADS},
    carom.swept_collision_batch: {"a": QUADS, "b": QUADS, "velocity": (1.0, 0.0)},
    carom.closest_approach_batch: {"a": QUADS, "b": QUADS, "velocity": (1.0, 0.0)},
    carom.contact_intervals_batch: {"a": QUADS, "b": QUADS, "velocity": (1.0, 0.0)},
    carom.circle_polygon_batch: {"center": np.zeros((3, 2)), "radius": 1.0, "polygon": QUADS},
    carom.swept_circle_batch: {
        "center": np.zeros((3, 2)),
        "radius": 1.0,
        "velocity": (1.0, 0.0),
        "polygon": QUADS,
    },
}
POLYGONS = ("a", "b", "polygon")


def changed(polygon, vertex, x):
    """A polygon with another x at one vertex."""
    changed = np.array(polygon, dtype=object if isinstance(x, int) else float)
    changed[vertex, 0] = x
    return changed


def masked(array, index):
    array = np.ma.array(array)
    array[index] = np.ma.masked
    return array


def beyond_double():
    """A long double between two doubles, if this platform has one."""
    return np.longdouble(1) + np.finfo(np.longdouble).eps


BIG = 2**53 + 1
LONG = np.array(SQUARE, dtype=np.longdouble)
LONG[2, 1] = beyond_double()

# The fault of a polygon, the error, and its message after the argument's name.
BAD_POLYGONS = {
    "nan": (changed(SQUARE, 2, NAN), ValueError, ": vertex 2 is (nan, 1.0); coordinates must be"),
    "inf": (changed(SQUARE, 1, -INF), ValueError, ": vertex 1 is (-inf, 0.0)"),
    "two vertices": (SQUARE[:2], ValueError, ": a polygon has three vertices or more, not 2"),
    "closed segment": (
        [*SQUARE[:2], SQUARE[0]],
        ValueError,
        ": a polygon has three vertices or more, not 2, closing ones not counted",
    ),
    "one point": ([(0, 0)] * 3, ValueError, ": a polygon has three vertices or more, not 1, closi"),
    "masked in a list of lists": (
        [[np.ma.masked, 0.0], [1.0, 0.0], [0.0, 1.0]],
        ValueError,
        ": vertex 0 is masked",
    ),
    "masked rows in a list": (
        [np.ma.array([0.0, 0.0]), np.ma.array([1, 0], mask=[0, 1]), (0, 1)],
        ValueError,
        ": vertex 1 is masked",
    ),
    "large integer beside a masked array": (
        [np.ma.array([0.0, 0.5]), (BIG, 0), (0, 9)],
        ValueError,
        f": vertex 1 has {BIG}, which no",
    ),
    "bool beside a masked array": (
        [np.ma.array([0.0, 0.5]), (1, 0), (0, True)],
        TypeError,
        ": vertex 2 has a bool, expected a number",
    ),
    "ragged with a masked array": (
        [np.ma.array([0.0, 0.5]), (1, 0, 3), (0, 1)],
        ValueError,
        ": expected shape (",
    ),
    "no area": ([(0, 0), (1, 1), (3, 3)], ValueError, ": all vertices lie on one line"),
    "bow tie": (
        [(0, 0), (2, 2), (2, 0), (0, 2)],
        ValueError,
        ": the ring meets itself: edge 0 and edge 2 have the point (1.0, 1.0) in common",
    ),
    "spike": (
        [(0, 0), (4, 0), (4, 4), (8, 8), (0, 0), (0, 4)],
        ValueError,
        ": the ring turns back on itself at vertex 3, (8.0, 8.0)",
    ),
    "large integer": (changed(SQUARE, 2, BIG), ValueError, f": vertex 2 has {BIG}, which no"),
    "large int64": (
        np.array([(0, 0), (BIG, 0), (0, 9)]),
        ValueError,
        f": vertex 1 has {BIG}, which no float64 holds exactly",
    ),
    "large uint64": (
        np.array([(0, 0), (2**64 - 1, 0), (0, 9)], dtype=np.uint64),
        ValueError,
        f": vertex 1 has {2**64 - 1}, which no",
    ),
    "large integer among floats": (
        [(0.0, 0.5), (BIG, 0), (0, 9)],
        ValueError,
        f": vertex 1 has {BIG}, which no",
    ),
    "large integer of NumPy in a list": (
        [(0, 0), (np.int64(BIG), 0), (0, 9)],
        ValueError,
        f": vertex 1 has {BIG}, which no float64 holds exactly",
    ),
    "large unsigned integer of NumPy in a list": (
        [(0, 0), (np.uint64(BIG), 0), (0, 9)],
        ValueError,
        f": vertex 1 has {BIG}, which no float64 holds exactly",
    ),
    "integer of 300 digits": (
        [(0, 0), (10**299 + 1, 0), (0, 9)],
        ValueError,
        f": vertex 1 has 1{'0' * 39}..., which no float64 holds exactly",
    ),
    "huge integer": (
        [(0, 0), (10**5000, 0), (0, 9)],
        ValueError,
        ": vertex 1 has a number beyond the range of float64",
    ),
    "masked": (masked(SQUARE, (3, 1)), ValueError, ": vertex 3 is masked"),
    "complex": (np.array(SQUARE) * 1j, TypeError, ": expected an array of numbers of shape"),
    "bool": (np.array(SQUARE) > 0, TypeError, ": expected an array of numbers of shape"),
    "text": ("polygon", TypeError, ": expected an array of numbers of shape"),
    "array of text": (np.array(SQUARE).astype(str), TypeError, ": expected an array of numbers"),
    "bytes": (b"polygon", TypeError, ": expected an array of numbers of shape"),
    "dict": ({}, TypeError, ": expected an array of numbers of shape"),
    "object": (object(), TypeError, ": expected an array of numbers of shape"),
    "dates": (np.array(SQUARE).astype("M8[s]"), TypeError, ": expected an array of numbers"),
    "None inside": (
        np.array([(0, 0), (1, None), (1, 1)], dtype=object),
        TypeError,
        ": vertex 1 has a NoneType, expected a number",
    ),
    "bool inside": (
        np.array([(0, 0), (1, 0), (1, True)], dtype=object),
        TypeError,
        ": vertex 2 has a bool, expected a number",
    ),
    "bool in a list": (
        [(0, 0), (1, 0), (1, True)],
        TypeError,
        ": vertex 2 has a bool, expected a number",
    ),
    "bool of NumPy in a list": (
        [(0, 0), (1, 0), (1, np.True_)],
        TypeError,
        ": vertex 2 has a bool, expected a number",
    ),
    "text in a list": (
        [(0, 0), (1, "0"), (1, 1)],
        TypeError,
        ": vertex 1 has a str, expected a number",
    ),
    "text of NumPy in a list": (
        [(0, 0), (1, np.str_("0")), (1, 1)],
        TypeError,
        ": vertex 1 has a str_, expected a number",
    ),
    "WKT of NumPy in a list": (
        list(np.array(["POLYGON EMPTY"] * 3)),
        TypeError,
        ": expected an array of numbers of shape",
    ),
    "short complex in a list": (
        [(0, 0), (1, 0), (1, np.complex64(0))],
        TypeError,
        ": vertex 2 has a complex64, expected a number",
    ),
    "date in a list": (
        [(0, 0), (np.datetime64("2026-01-01"), 0), (1, 1)],
        TypeError,
        ": vertex 1 has a datetime64, expected a number",
    ),
    "complex in a list": (
        [(0, 0), (1, 0), (1, 1j)],
        TypeError,
        ": vertex 2 has a complex, expected a number",
    ),
    "bools in a list of arrays": (
        [np.array([0.0, 0.0]), np.array([1, 0]), np.array([True, True])],
        TypeError,
        ": vertex 2 has a bool, expected a number",
    ),
    "three columns": (np.zeros((4, 3)), ValueError, ": expected shape ("),
    "one dimension": (np.zeros(8), ValueError, ": expected shape ("),
    "a number": (1.0, ValueError, ": expected shape ("),
    "ragged points": ([(0, 0), (1, 0, 3), (1, 1)], ValueError, ": expected shape ("),
}
if beyond_double() != 1:
    BAD_POLYGONS["long double"] = (LONG, ValueError, f": vertex 2 has {LONG[2, 1]!s}, which no")

BAD_VELOCITIES = {
    "nan": ((0.0, NAN), ValueError, " is (0.0, nan); it must be finite"),
    "inf": ((INF, 0.0), ValueError, " is (inf, 0.0); it must be finite"),
    "three": ((1.0, 2.0, 3.0), ValueError, ": expected shape ("),
    "a number": (1.0, ValueError, ": expected shape ("),
    "text": ("up", TypeError, ": expected an array of numbers of shape"),
    "None": (None, TypeError, ": expected an array of numbers of shape"),
    "bool": ((True, 1.0), TypeError, ": component 0 has a bool, expected a number"),
    "text in a list": ((1.0, "2"), TypeError, ": component 1 has a str, expected a number"),
    "large integer": ((BIG, 0), ValueError, f": component 0 has {BIG}, which no"),
    "masked": (masked([1.0, 2.0], 1), ValueError, ": component 1 is masked"),
    "masked in a list": ([1.0, np.ma.masked], ValueError, ": component 1 is masked"),
}
BAD_RADII = {
    "negative": (-1.0, ValueError, " is -1.0; it must be finite and 0 or more"),
    "least negative": (-5e-324, ValueError, " is -5e-324; it must be"),
    "nan": (NAN, ValueError, " is nan; it must be"),
    "inf": (INF, ValueError, " is inf; it must be"),
    "large integer": (BIG, ValueError, f" has {BIG}, which no"),
    "text": ("1", TypeError, ": expected a number"),
    "None": (None, TypeError, ": expected a number"),
    "bool": (True, TypeError, ": expected a number"),
    "complex": (1j, TypeError, ": expected a number"),
}
NAMES = "'intersects', 'contains', 'within', 'covers', 'covered_by', 'contains_properly', "
NAMES += "'touches', 'overlaps', 'crosses', 'equals'"
BAD_PREDICATES = {
    "unknown": ("inside", ValueError, f": expected one of {NAMES}, 'disjoint', got 'inside'"),
    "no name": (None, TypeError, ": expected a string, got NoneType"),
}
BAD = {
    "predicate": BAD_PREDICATES,
    **dict.fromkeys(POLYGONS, BAD_POLYGONS),
    "velocity": {**BAD_VELOCITIES, "None": (None, TypeError, ": missing; give the velocity of a")},
    "center": BAD_VELOCITIES,
    "radius": BAD_RADII,
}


def cases(functions):
    return [
        pytest.param(
            function,
            {**good, name: value},
            error,
            name + text,
            id=f"{function.__name__}-{name}-{what}",
        )
        for function, good in functions.items()
        for name in good
        for what, (value, error, text) in BAD[name].items()
    ]


def refuses(function, arguments, error, text, **keywords):
    with pytest.raises(error, match=re.escape(text)) as caught:
        function(*arguments.values(), **keywords)
    assert isinstance(caught.value, carom.InputError)


@pytest.mark.parametrize(("function", "arguments", "error", "text"), cases(SCALAR))
def test_scalar_functions_refuse_and_say_what(function, arguments, error, text):
    refuses(function, arguments, error, text)


@pytest.mark.parametrize(("function", "arguments", "error", "text"), cases(BATCH))
def test_batch_functions_refuse_and_say_what(function, arguments, error, text):
    refuses(function, arguments, error, text)


# Rows of which row 2 is invalid, and the message after the argument's name.
BAD_POLYGON_ROWS = {
    "nan": ([SQUARE, SQUARE, changed(SQUARE, 2, NAN)], "[2]: vertex 2 is (nan, 1.0)"),
    "bow tie": ([SQUARE, None, [(0, 0), (2, 2), (2, 0), (0, 2)]], "[2]: the ring meets itself"),
    "two vertices": ([SQUARE, TRIANGLE, SQUARE[:2]], "[2]: a polygon has three"),
    "stray hole": ([SQUARE, TRIANGLE, STRAY_HOLE], "[2]: ring 1 is a hole outside the shell"),
    "bad hole": (
        [SQUARE, TRIANGLE, [HOLED[0], changed(HOLED[1], 2, NAN)]],
        "[2]: ring 1: vertex 2 is (nan, 2.0)",
    ),
    "spike in a hole": (
        [SQUARE, TRIANGLE, [HOLED[0], np.array([(1, 1), (5, 1), (5, 5), (9, 9), (1, 1), (1, 3)])]],
        "[2]: ring 1: the ring turns back on itself at vertex 3, (9.0, 9.0)",
    ),
    "large integer in a hole": (
        [SQUARE, TRIANGLE, [SQUARE, changed(SQUARE, 3, BIG)]],
        f"[2]: ring 1: vertex 3 has {BIG}",
    ),
    "array of many": (
        [SQUARE, TRIANGLE, QUADS],
        (
            "[2]: expected shape (V, 2), or a list of such rings, got (3, 4, 2); a polygon with "
            "holes is a list of rings, like list(array)"
        ),
    ),
    "three columns": (
        [SQUARE, TRIANGLE, np.zeros((4, 3))],
        "[2]: expected shape (V, 2), or a list of such rings, got (4, 3)",
    ),
    "hole of three columns": (
        [SQUARE, TRIANGLE, [SQUARE, np.zeros((4, 3))]],
        "[2]: ring 1: expected shape (V, 2), got (4, 3)",
    ),
    "no vertices": ([SQUARE, TRIANGLE, [[]]], "[2]: ring 0: expected shape (V, 2), got (0,)"),
    "masked": (masked(QUADS, (2, 1, 0)), "[2]: vertex 1 is masked"),
    "masked item": ([SQUARE, TRIANGLE, masked(SQUARE, (1, 0))], "[2]: vertex 1 is masked"),
    "large integer": ([SQUARE, TRIANGLE, changed(SQUARE, 3, BIG)], f"[2]: vertex 3 has {BIG}"),
}
BAD_ROWS = {
    "predicate": {},
    **dict.fromkeys(POLYGONS, BAD_POLYGON_ROWS),
    "velocity": {
        "nan": ([(0, 0), (1, 1), (0, NAN)], "[2] is (0.0, nan)"),
        "masked": ([(0, 0), (1, 1), masked([0, 1], 1)], "[2]: component 1 is masked"),
        "masked deep": ([(0, 0), (1, 1), [0, np.ma.masked]], "[2]: component 1 is masked"),
        "frame": (
            pd.DataFrame({"x": [0, 1, BIG], "y": 0.5}),
            f"[2]: component 0 has {BIG}, which no float64 holds exactly",
        ),
        "large integer": (np.array([(0, 0), (1, 1), (0, BIG)]), f"[2]: component 1 has {BIG}"),
    },
    "center": {"inf": ([(0, 0), (1, 1), (0, INF)], "[2] is (0.0, inf)")},
    "radius": {
        "negative": ([0, 1, -1], "[2] is -1.0"),
        "large integer": (np.array([0, 1, BIG]), f"[2] has {BIG}"),
        "masked": (masked([0.0, 1.0, 2.0], 2), "[2] is masked"),
        "beside a mask": ([1.0, np.ma.array(1.0), BIG], f"[2] has {BIG}"),
    },
}


def row_cases():
    return [
        pytest.param(
            function, {**good, name: rows}, name + text, id=f"{function.__name__}-{name}-{what}"
        )
        for function, good in BATCH.items()
        for name in good
        for what, (rows, text) in BAD_ROWS[name].items()
    ]


@pytest.mark.parametrize(("function", "arguments", "text"), row_cases())
def test_a_bad_row_is_named(function, arguments, text):
    refuses(function, arguments, ValueError, text)


def test_rows_of_several_dimensions_are_named_by_all_of_them():
    a = np.array([[SQUARE, SQUARE], [SQUARE, SQUARE], [SQUARE, changed(SQUARE, 0, NAN)]])
    refuses(carom.sat_batch, {"a": a, "b": SQUARE}, ValueError, "a[2, 1]: vertex 0 is (nan, 0.0)")


def test_a_repeated_row_is_named_by_its_first_index():
    a = np.broadcast_to(changed(SQUARE, 0, NAN), (5, 4, 2))
    refuses(carom.sat_batch, {"a": a, "b": SQUARE}, ValueError, "a[0]: vertex 0 is (nan, 0.0)")


@pytest.mark.parametrize("function", SCALAR, ids=lambda function: function.__name__)
def test_scalar_functions_point_at_their_twin(function):
    for name in set(POLYGONS) & set(SCALAR[function]):
        arguments = SCALAR[function]
        refuses(function, {**arguments, name: QUADS}, ValueError, "`_batch` twin")
        refuses(function, {**arguments, name: carom.Shapes(QUADS)}, TypeError, "`_batch` twin")
        refuses(function, {**arguments, name: None}, TypeError, f"{name}: the shape is missing (")


@pytest.mark.parametrize("function", SCALAR, ids=lambda function: function.__name__)
@pytest.mark.parametrize(
    "missing",
    [
        shapely.Polygon(),
        shapely.Point(),
        shapely.GeometryCollection(),
        carom.Shapes([SQUARE, None])[1:],
        [],
        np.empty((0, 2)),
    ],
    ids=["polygon", "point", "collection", "row", "list", "array"],
)
def test_scalar_functions_say_of_a_missing_shape_that_it_is_missing(function, missing):
    for name in set(POLYGONS) & set(SCALAR[function]):
        arguments = {**SCALAR[function], name: missing}
        found = "the row of a column" if isinstance(missing, carom.Shapes) else "empty"
        refuses(function, arguments, ValueError, f"{name}: the shape is missing ({found})")


@pytest.mark.parametrize("function", SCALAR, ids=lambda function: function.__name__)
def test_points_and_segments_name_what_makes_shapes_of_them(function):
    for name in set(POLYGONS) & set(SCALAR[function]):
        for given, advice in (
            ((0.0, 0.0), "got (2,); a point is a row of Shapes.from_points, or a Point of Shapely"),
            ([(0.0, 0.0)], "not 1, closing ones not counted; a point is a row of Shapes.from_poi"),
            (SQUARE[:2], "not 2, closing ones not counted; a segment is a row of Shapes.from_segm"),
        ):
            refuses(function, {**SCALAR[function], name: given}, ValueError, advice)


def test_convex_parts_has_no_twin_for_a_missing_shape():
    told = "polygon: the shape is missing (empty); test for that first"
    refuses(carom.convex_parts, {"polygon": shapely.Polygon()}, ValueError, told)
    with pytest.raises(ValueError, match=r"test for that first$"):
        carom.convex_parts(shapely.Polygon())


def test_sat_of_shapes_that_have_no_convex_parts_does_not_point_at_them():
    points = [(0, 0), (1, 1), (2, 0)]
    for shape, kind in (
        (shapely.MultiPoint(points), "multipoint"),
        (shapely.LineString(points), "path"),
        (shapely.MultiLineString([points, points[:2]]), "multipath"),
    ):
        with pytest.raises(ValueError, match=f"b: the {kind} is not convex; .*, which takes any$"):
            carom.sat(SQUARE, shape)
    isles = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)])
    with pytest.raises(ValueError, match=r"b: the multipolygon is not convex; .* convex_parts$"):
        carom.sat(SQUARE, isles)


@pytest.mark.parametrize("hint", ["see penetration and intersects, "])
def test_sat_of_a_concave_polygon_names_the_vertex_and_points_at_what_takes_one(hint):
    concave = (
        f"b: the polygon is not convex at vertex 2, (1.0, 1.0); sat takes convex shapes: {hint}"
    )
    holed = f"a: the polygon is not convex: it has a hole, ring 1; sat takes convex shapes: {hint}"
    refuses(carom.sat, {"a": SQUARE, "b": CONCAVE}, ValueError, concave)
    refuses(carom.sat, {"a": HOLED, "b": SQUARE}, ValueError, holed)
    rows = {"a": SQUARE, "b": [SQUARE, CONCAVE]}
    refuses(carom.sat_batch, rows, ValueError, "b[1]: the polygon is not convex at vertex 2")
    column = {"a": SQUARE, "b": carom.Shapes([None, SQUARE, HOLED])}
    refuses(carom.sat_batch, column, ValueError, "b[2]: the polygon is not convex: it has a hole")
    assert carom.sat_batch(*column.values(), on_invalid="mask").valid.tolist() == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("function", SCALAR, ids=lambda function: function.__name__)
def test_rings_in_one_array_could_mean_several_polygons(function):
    for name in set(POLYGONS) & set(SCALAR[function]):
        arguments = {**SCALAR[function], name: np.array([SQUARE, SQUARE])}
        text = (
            f"{name}: expected shape (V, 2), or a list of such rings, got (2, 4, 2); a polygon "
            "with holes is a list of rings, like list(array); for many at once call the "
            "function's `_batch` twin"
        )
        refuses(function, arguments, ValueError, text)


RAGGED = np.empty(2, dtype=object)
RAGGED[:] = [np.zeros((3, 3)), np.zeros((4, 3))]


def without_twins():
    """Calls with several items where one is expected, the error and its advice."""
    rings, column = [SQUARE, TRIANGLE], carom.Shapes([SQUARE, TRIANGLE])
    hull = "convex_hull takes points: of a polygon those of its shell, of a column column.coords"
    parts = "convex_parts takes one polygon at a time"
    place = "footprints have the same number of vertices: make a column of others"
    flat = "the vertices of all rings are one array, ring after ring"
    one = "points: expected shape (N, 2), got (3, 4, 2)"
    ragged = "items of different shapes: (4, 2) at [0], (3, 2) at [1]"
    return {
        "hull of an array": (carom.convex_hull, (QUADS,), ValueError, f"{one}; {hull}"),
        "hull of rings": (carom.convex_hull, (rings,), ValueError, f"{ragged}; {hull}"),
        "hull of a column": (carom.convex_hull, (column,), TypeError, f"got a column; {hull}"),
        "parts of a column": (carom.convex_parts, (column,), TypeError, f"a row of it; {parts}"),
        "parts of geometries": (
            carom.convex_parts,
            ([shapely.box(0, 0, 1, 1)] * 2,),
            TypeError,
            f"got several geometries; {parts}",
        ),
        "parts of an array": (carom.convex_parts, (QUADS,), ValueError, f"list(array); {parts}"),
        "place of rings": (carom.place, (rings, (0, 0, 0)), ValueError, f"{ragged}; {place}"),
        "place of another number": (
            carom.place,
            (QUADS, np.zeros((2, 3))),
            ValueError,
            "leading dimensions don't broadcast: shapes (3,), poses (2,)",
        ),
        "place of a column at another number": (
            carom.place,
            (column, np.zeros((3, 3))),
            ValueError,
            "leading dimensions don't broadcast: shapes (2,), poses (3,)",
        ),
        "place of a column at trajectories": (
            carom.place,
            (column, np.zeros((2, 4, 3))),
            ValueError,
            "poses: expected shape (N, 3) for a column, got (2, 4, 3)",
        ),
        "parts of one geometry": (
            carom.convex_parts,
            ([shapely.box(0, 0, 1, 1)],),
            TypeError,
            "got a sequence of one geometry; take it out of that",
        ),
        "points of a frame": (
            carom.Shapes.from_points,
            (geopandas.GeoDataFrame({"name": ["a"]}, geometry=[shapely.Point(0, 0)]),),
            TypeError,
            "got GeoDataFrame; Shapes(xy) makes rows of geometries",
        ),
        "locate of a frame": (
            carom.locate,
            (geopandas.GeoDataFrame({"name": ["a"]}, geometry=[shapely.Point(0, 0)]), SQUARE),
            TypeError,
            "shapely.get_coordinates(points.geometry) makes an array of shape (N, 2)",
        ),
        "ragged offsets": (
            carom.Shapes.from_ragged,
            (SQUARE, RAGGED),
            ValueError,
            "ring_offsets: expected shape (K,), got items of different shapes",
        ),
        "threads in an array": (
            carom.ray_cast,
            ((0, 0), (1, 0), QUADS),
            TypeError,
            "threads: expected an integer or None, got ndarray",
            {"threads": np.zeros(0)},
        ),
        "k in an array": (
            carom.nearest,
            (QUADS, QUADS),
            TypeError,
            "k: expected an integer, got ndarray",
            {"k": np.zeros(0)},
        ),
        "margins of as many as there are neither": (
            carom.first_contact,
            (SQUARE, [[(0, 0, 0)]], QUADS),
            ValueError,
            "for each obstacle, (1, 1) for each trajectory or (1, 3) for each pair, got (2,)",
            {"margin": (0.0, 1.0)},
        ),
        "a negative margin of an obstacle": (
            carom.first_contact,
            (SQUARE, [[(0, 0, 0)]], QUADS),
            ValueError,
            "margin[2] is -1.0",
            {"margin": (0.0, 1.0, -1.0)},
        ),
        "an infinite margin of a pair": (
            carom.first_contact,
            (SQUARE, [[(0, 0, 0)]] * 2, QUADS),
            ValueError,
            "margin[1, 0] is inf",
            {"margin": [(0.0, 1.0, 0.0), (np.inf, 0.0, 0.0)]},
        ),
        "three axes of margins": (
            carom.first_contact,
            (SQUARE, [[(0, 0, 0)]], QUADS),
            ValueError,
            "(1, 3) for each pair, got (1, 1, 3)",
            {"margin": np.zeros((1, 1, 3))},
        ),
        "coords in an array": (
            carom.Shapes.from_ragged,
            (QUADS, [0, 12]),
            ValueError,
            f"coords: expected shape (C, 2), got (3, 4, 2); {flat}",
        ),
        "coords in rings": (carom.Shapes.from_ragged, (rings, [0, 7]), ValueError, flat),
    }


@pytest.mark.parametrize("what", without_twins())
def test_functions_without_a_twin_say_what_they_take(what):
    function, arguments, error, text, *keywords = without_twins()[what]
    keywords = dict(*keywords)
    refuses(function, dict(enumerate(arguments)), error, text, **keywords)
    with pytest.raises(error) as caught:
        function(*arguments, **keywords)
    assert "twin" not in str(caught.value)


WAY = [(0, 0, 0), (1, 0, 0), (2, 0, 1)]
STACKED = np.empty(2, dtype=object)
STACKED[:] = [np.zeros(2), np.ones(2)]
PAD = "a pose is x, y, heading; all need the same number of poses: repeat the last pose of shorter"
STEPS = "a row has one velocity: first_contact takes motions of several steps, as poses and"
DRIFTS = "velocities that change from step to step are given as obstacle_poses"
HOLE = "one with holes is a list in a list: [[shell, hole]]"
TRAJECTORIES = {"footprints": SQUARE, "poses": [WAY], "obstacles": QUADS}
SWEEP = {"a": QUADS, "b": QUADS, "velocity": (1, 0)}

# What is wrong, the error, and the end of the message, which says what to do.
MISTAKES = {
    "ragged list of poses": (
        {"poses": [WAY, WAY[:2]]},
        ValueError,
        f"of different shapes: (3, 3) at [0], (2, 3) at [1]; {PAD}",
    ),
    "ragged objects": (
        {"poses": RAGGED},
        ValueError,
        f"of different shapes: (3, 3) at [0], (4, 3) at [1]; {PAD}",
    ),
    "a pose of two": (
        {"poses": [WAY, [*WAY[:2], (1, 2)]]},
        ValueError,
        f"of different shapes: (3,) at [1, 0], (2,) at [1, 2]; {PAD}",
    ),
    "ragged obstacle_poses": (
        {"obstacle_poses": [WAY, WAY, WAY[:2]]},
        ValueError,
        f"items of different shapes: (3, 3) at [0], (2, 3) at [2]; {PAD}",
    ),
    "one trajectory": (
        {"poses": WAY},
        ValueError,
        "expected shape (K, T, 3), got (3, 3); put those of one trajectory in a list: [poses]",
    ),
    "one obstacle": (
        {"obstacle_poses": WAY},
        ValueError,
        "shape (M, T, 3), got (3, 3); put those of one obstacle in a list: [obstacle_poses]",
    ),
    "no trajectories": (
        {"poses": []},
        ValueError,
        "poses: expected shape (..., 3), got (0,); if there are none, numpy.empty((0, T, 3))",
    ),
    "no footprints": (
        {"footprints": []},
        ValueError,
        "footprints: expected one, or one for each of 1 trajectories, got 0",
    ),
    "poses far from the origin": (
        {"poses": [[(1e17, 0, 0)]]},
        ValueError,
        "the area is zero; coordinates are rounded there: take an origin nearer to the poses",
    ),
    "one pose": (
        {"poses": WAY[0]},
        ValueError,
        "poses: expected shape (K, T, 3), got (3,); a pose is x, y, heading",
    ),
    "poses in a string": ({"poses": "poses"}, TypeError, "of shape (..., 3), got a string"),
    "strings": (
        {"poses": np.array("poses")},
        TypeError,
        "poses: expected an array of numbers of shape (..., 3), got strings of dtype <U5",
    ),
    "velocities of several steps": (
        {"velocity": np.zeros((3, 2, 2))},
        ValueError,
        f"leading dimensions don't broadcast: obstacles (3,), velocity (3, 2); {DRIFTS}",
    ),
    "velocities of one obstacle": (
        {"velocity": np.zeros((4, 2))},
        ValueError,
        f"leading dimensions don't broadcast: obstacles (3,), velocity (4,); {DRIFTS}",
    ),
    "velocities as objects": (
        {"velocity": STACKED},
        TypeError,
        "of shape (..., 2), got an array of arrays; numpy.stack(velocity) makes one of them",
    ),
    "holes in a footprint": (
        {"footprints": HOLED},
        ValueError,
        f"footprints: expected one, or one for each of 1 trajectories, got 2; {HOLE}",
    ),
    "holes in an obstacle": (
        {"obstacles": HOLED, "obstacle_poses": [WAY]},
        ValueError,
        f"for each of the 2 obstacles at each of the 3 poses, got (1, 3, 3); {HOLE}",
    ),
    "velocities by another name": (
        {"velocities": (1.0, 0.0)},
        TypeError,
        "unexpected keyword argument 'velocities'; see obstacle_velocity",
    ),
    "a turn by another name": (
        {"rotation": 0.5},
        TypeError,
        "unexpected keyword argument 'rotation'; shapes turn by the headings of the poses",
    ),
    "a turn": (
        {"turn_a": 1.0},
        TypeError,
        "unexpected keyword argument 'turn_a'; shapes turn by the headings of the poses",
    ),
}


def test_an_origin_nearer_to_the_poses_is_advised_only_where_it_helps():
    huge = [(-1.5e308, -1.5e308), (1.5e308, -1.5e308), (0.0, 1.5e308)]
    advice = "rounded there: take an origin nearer to the poses"
    for call in (
        lambda shape, pose: carom.place(shape, [pose]),
        lambda shape, pose: carom.first_contact(shape, [[pose]], QUADS),
        lambda shape, pose: carom.clearance(shape, [[pose]], QUADS),
        lambda shape, pose: carom.first_contact(
            SQUARE, [[(0, 0, 0)]], [shape], obstacle_poses=[[pose]]
        ),
    ):
        for shape, pose, helps in (
            (huge, (0.0, 0.0, 0.5), False),
            (huge, (1.5e308, 0.0, 0.0), True),
        ):
            with pytest.raises(ValueError, match=r"as placed there: .*; coordinates are") as caught:
                call(shape, pose)
            assert str(caught.value).endswith(advice if helps else "coordinates are rounded there")


@pytest.mark.parametrize("function", [carom.first_contact, carom.clearance])
@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_about_trajectories_are_told_with_their_remedy(function, what):
    wrong, error, text = MISTAKES[what]
    with pytest.raises(error) as caught:
        function(**{**TRAJECTORIES, **wrong})
    assert text in str(caught.value)


@pytest.mark.parametrize(
    "function",
    [carom.swept_collision_batch, carom.closest_approach_batch, carom.contact_intervals_batch],
)
def test_velocities_of_several_steps_are_sent_to_first_contact(function):
    text = f"don't broadcast: a (3,), b (3,), velocity (3, 2); {STEPS}"
    refuses(function, {**SWEEP, "velocity": np.zeros((3, 2, 2))}, ValueError, text)
    pairs = ([0, 1, 2], [0, 1, 2])
    text = f"velocity (3, 2), pairs (3,); {STEPS}"
    refuses(function, {**SWEEP, "velocity": np.zeros((3, 2, 2))}, ValueError, text, pairs=pairs)


def test_a_turn_without_a_center_is_told_with_its_row():
    text = "center_a: missing; turn_a{} is -0.5, and a turn that is not 0 needs its center"
    for function in (carom.swept_collision_batch, carom.closest_approach_batch):
        refuses(function, SWEEP, ValueError, text.format("[1]"), turn_a=[0, -0.5, 7])
        refuses(function, SWEEP, ValueError, text.format(""), turn_a=-0.5)
        turns = np.broadcast_to([[0.0], [-0.5]], (2, 3))
        refuses(function, SWEEP, ValueError, text.format("[1, 0]"), turn_a=turns)
    refuses(
        carom.colliding_pairs, {"a": QUADS}, ValueError, text.format("[2]"), turn_a=[0, 0, -0.5]
    )
    one = {"a": SQUARE, "b": SQUARE, "velocity": (1, 0)}
    for function in (carom.swept_collision, carom.closest_approach):
        refuses(function, one, ValueError, text.format(""), turn_a=-0.5)
        # An invalid angle is told before a missing center.
        refuses(function, one, ValueError, "turn_a is nan; it must be", turn_a=NAN)


POINT_AMONG_PATHS = carom.Shapes([None, shapely.MultiLineString([[(0, 0), (1, 1)], [(2, 2)] * 2])])
SHAPES_WITHOUT_PREDICATE = {
    "radius": (
        carom.Shapes(QUADS[:2]).with_radius([0, 0.5]),
        "[1]: there is a radius, which only the predicate 'intersects' takes",
    ),
    "a point among paths": (
        POINT_AMONG_PATHS,
        "[1]: part 1: all vertices of the path coincide; only the predicate 'intersects' takes it",
    ),
}
JOINS_WITHOUT_PREDICATE = {
    "unknown": ({"predicate": "inside"}, ValueError, f"expected one of {NAMES}, got 'inside'"),
    "disjoint": ({"predicate": "disjoint"}, ValueError, f"of {NAMES}, got 'disjoint'"),
    "no name": ({"predicate": 1}, TypeError, "predicate: expected a string, got int"),
    "margin": ({"margin": 0.5}, ValueError, "margin: only the predicate 'intersects' takes"),
    "velocity": (
        {"velocity_b": (0, 0)},
        ValueError,
        "velocity_b: only the predicate 'intersects' takes",
    ),
    "turn": ({"turn_a": 1, "center_a": (0, 0)}, ValueError, "turn_a: only the predicate 'inters"),
}


@pytest.mark.parametrize("what", SHAPES_WITHOUT_PREDICATE)
def test_predicates_refuse_shapes_of_which_they_are_not_defined(what):
    rows, text = SHAPES_WITHOUT_PREDICATE[what]
    others = carom.Shapes(QUADS[:2])
    for name, both in (("a", (rows, others)), ("b", (others, rows))):
        given = dict(zip("ab", both, strict=True))
        refuses(carom.predicate_batch, {**given, "predicate": "equals"}, ValueError, name + text)
        for join in (carom.colliding_pairs, carom.iter_colliding_pairs):
            refuses(join, given, ValueError, name + text, predicate="equals")
        assert not carom.predicate_batch(*both, "disjoint", on_invalid="mask")[1]
        found = carom.predicate_batch(*both, "intersects")
        assert np.array_equal(found, carom.intersects_batch(*both))


@pytest.mark.parametrize("row", range(3))
def test_areas_refuse_a_radius(row):
    rounded = carom.Shapes(QUADS).with_radius([float(row == k) for k in range(3)])
    why = "there is a radius; overlap_area takes shapes without one"
    for name in "ab":
        given = {"a": QUADS, "b": QUADS, name: rounded}
        refuses(carom.overlap_area_batch, given, ValueError, f"{name}[{row}]: {why}")
        one = {"a": SQUARE, "b": SQUARE, name: rounded[row]}
        refuses(carom.overlap_area, one, ValueError, f"{name}: {why}")


def test_a_margin_of_predicates_is_sent_to_intersects():
    given = {"a": QUADS, "b": QUADS, "predicate": "covers"}
    text = "unexpected keyword argument 'margin'; intersects_batch has it"
    refuses(carom.predicate_batch, given, TypeError, text, margin=1.0)


@pytest.mark.parametrize("what", JOINS_WITHOUT_PREDICATE)
def test_joins_refuse_unknown_predicates_and_others_than_intersects_of_shapes_in_motion(what):
    given, error, text = JOINS_WITHOUT_PREDICATE[what]
    for join in (carom.colliding_pairs, carom.iter_colliding_pairs):
        keywords = {"predicate": "covers", **given}
        refuses(join, {"a": QUADS, "b": QUADS}, error, text, **keywords)


OTHER_KEYWORDS = {
    "contact_intervals": ("turn_b", "swept_collision finds the first contact and closest_approach"),
    "clearance": ("margin", "subtract it from the distances, or see first_contact, which has one"),
    "closest_approach": ("margin", "subtract it from the distance, or see swept_collision, which"),
}

KEYWORDS_OF_OTHERS = {
    carom.colliding_pairs: {
        "distance": "; see margin, the distance at which shapes touch",
        "max_distance": "; see margin",
        "how": "; carom.interop.geopandas.sjoin has it",
        "velocity": "; see velocity_a and velocity_b",
        "velocities": "; see velocity_a and velocity_b",
        "turn": "; see turn_a and turn_b",
        "rotation": "; see turn_a and turn_b, in radians",
        "center": "; see center_a and center_b",
        "pairs": "; the batch functions take the pairs that it finds, as pairs=",
        "fields": "; the batch functions take the pairs that it finds, as pairs=",
        "on_invalid": "; Shapes has it, whose columns are taken",
        "tolerance": "; see margin",
    },
    carom.candidate_pairs: {"predicate": "; colliding_pairs has it"},
    carom.nearest: {
        "distance": "; see max_distance",
        "tolerance": "; see max_distance",
        "check": "; Shapes has it, whose columns are taken",
        "velocity_a": "; colliding_pairs has it",
        "max_pairs": "; colliding_pairs has it",
        "length": "; ray_cast has it",
        "obstacle_poses": "; first_contact has it",
        "drop_z": "; Shapes.from_shapely has it",
    },
    carom.sat: {"distance": "; see margin", "velocity": "; swept_collision has it"},
    carom.sat_batch: {"tolerance": "; see margin", "velocity": "; swept_collision has it"},
    carom.distance: {
        "margin": "; subtract it",
        "max_distance": "; nearest has it",
        "velocity": "; closest_approach has it",
    },
    carom.overlap_area: {
        "margin": "; the area is that of shapes at rest, without a radius",
        "pairs": "; overlap_area_batch has it",
    },
    carom.penetration: {"tolerance": "; see margin", "fields": "; penetration_batch has it"},
    carom.intersects: {
        "distance": "; see margin",
        "predicate": "; predicate_batch has it",
        "velocity": "; swept_collision has it",
    },
    carom.intersects_batch: {
        "k": "; nearest has it",
        "direction": "; penetration has it",
        "distance": "; see margin",
        "predicate": "; predicate_batch has it",
        "align": "; carom.interop.geopandas aligns rows by index label",
    },
    carom.distance_batch: {"margin": "; subtract it", "max_distance": "; nearest has it"},
}


@pytest.mark.parametrize(
    ("function", "key", "instead"),
    [(it, key, told) for it, keys in KEYWORDS_OF_OTHERS.items() for key, told in keys.items()],
)
def test_keywords_of_other_libraries_name_the_right_call(function, key, instead):
    with pytest.raises(TypeError) as caught:
        function(QUADS, QUADS, **{key: 1})
    assert f"unexpected keyword argument '{key}'{instead}" in str(caught.value)


class Feature:
    __geo_interface__ = {"type": "Point", "coordinates": (0, 0)}  # noqa: RUF012


@pytest.mark.parametrize(
    ("shape", "advice"),
    [
        ("POINT (0 0)", "shapely.from_wkt reads WKT"),
        (shapely.box(0, 0, 1, 1).wkb_hex, "shapely.from_wkb hexadecimal WKB"),
        (b"\x01\x01", "shapely.from_wkb reads WKB"),
        (Feature.__geo_interface__, "shapely.geometry.shape reads GeoJSON"),
        (Feature(), "shapely.geometry.shape reads GeoJSON"),
        ((0, 0, 1, 1), "shapely.box("),
        (np.array([0.0, 0.0, 1.0, 1.0]), "shapely.box("),
    ],
    ids=["WKT", "hexadecimal WKB", "WKB", "GeoJSON", "feature", "bounds", "array of bounds"],
)
def test_other_forms_of_a_shape_name_what_reads_them(shape, advice):
    for call in (
        lambda: carom.intersects(shape, SQUARE),
        lambda: carom.intersects_batch(shape, QUADS),
        lambda: carom.intersects_batch([shape], QUADS),
        lambda: carom.intersects_batch([shape, shape], QUADS),
        lambda: carom.colliding_pairs(shape, QUADS),
        lambda: carom.colliding_pairs([shape]),
        lambda: carom.nearest(QUADS, [shape, shape]),
        lambda: carom.Shapes([SQUARE, shape]),
        lambda: carom.Shapes(shape),
    ):
        with pytest.raises((TypeError, ValueError)) as caught:
            call()
        assert advice in str(caught.value)


def test_text_that_is_no_shape_is_not_called_one():
    for call in (
        lambda: carom.swept_collision(SQUARE, SQUARE, "velocity"),
        lambda: carom.intersects(SQUARE, SQUARE, margin="wide"),
        lambda: carom.intersects([("0", "0"), ("1", "0"), ("0", "1")], SQUARE),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert "shapely" not in str(caught.value)


@pytest.mark.parametrize(
    ("function", "key", "instead"),
    [
        (carom.swept_collision, "distance", "see margin"),
        (carom.swept_collision_batch, "tolerance", "see margin"),
        (carom.swept_collision_batch, "turn", "see turn_a and turn_b"),
        (carom.closest_approach, "on_invalid", "closest_approach_batch has it"),
    ],
)
def test_keywords_of_other_sweeps_name_the_right_one(function, key, instead):
    with pytest.raises(TypeError, match=f"argument '{key}'; {instead}"):
        function(**SWEEP, **{key: 1})


def test_keywords_of_other_queries_about_rays_and_circles_name_the_right_one():
    with pytest.raises(TypeError, match="'max_distance'; see length, in units of the direction"):
        carom.ray_cast((0, 0), (1, 0), QUADS, max_distance=1)
    for key in ("radius", "margin"):
        with pytest.raises(TypeError, match=rf"'{key}'; .*shapes\.with_radius\(radius\)"):
            carom.ray_cast((0, 0), (1, 0), QUADS, **{key: 1})
    with pytest.raises(TypeError, match="'radius'; the method with_radius gives rows a radius"):
        carom.Shapes(QUADS, radius=1)
    with pytest.raises(TypeError, match=r"'exclusive'; .*sjoin_nearest has it"):
        carom.nearest(QUADS, QUADS, exclusive=True)
    for function in (carom.circle_polygon, carom.circle_polygon_batch):
        with pytest.raises(TypeError, match="'margin'; add it to the radius"):
            function((0, 0), 1, SQUARE, margin=1)
        with pytest.raises(TypeError, match="'velocity'; swept_circle has it"):
            function((0, 0), 1, SQUARE, velocity=1)
    for function in (carom.swept_circle, carom.swept_circle_batch):
        with pytest.raises(TypeError, match="'distance'; see margin"):
            function((0, 0), 1, (1, 0), SQUARE, distance=1)


@pytest.mark.parametrize(
    ("function", "arguments", "told"),
    [
        (
            carom.locate,
            ((0, 0), SQUARE),
            {
                "margin": "circle_polygon_batch has a radius for each point",
                "radius": "circle_polygon_batch has a radius for each point",
                "check": "Shapes has it, whose columns are taken",
                "on_invalid": "Shapes has it, whose columns are taken",
            },
        ),
        (
            carom.place,
            (SQUARE, (0, 0, 0)),
            {
                "angle": "poses are x, y, heading, in radians",
                "heading": "poses are x, y, heading, in radians",
                "check": "Shapes has it, which takes the result",
            },
        ),
        (
            carom.convex_parts,
            (SQUARE,),
            {
                "check": "Shapes has it, whose columns are taken",
                "on_invalid": "Shapes has it, whose columns are taken",
            },
        ),
    ],
    ids=lambda it: getattr(it, "__name__", ""),
)
def test_keywords_of_others_name_the_right_one_in_functions_of_one_shape(function, arguments, told):
    for key, instead in told.items():
        text = f"{function.__name__}() got an unexpected keyword argument '{key}'; {instead}"
        with pytest.raises(TypeError, match=f"^{re.escape(text)}$"):
            function(*arguments, **{key: 1})


@pytest.mark.parametrize("name", OTHER_KEYWORDS)
def test_keywords_of_similar_functions_are_told_what_to_use_instead(name):
    key, instead = OTHER_KEYWORDS[name]
    arguments = TRAJECTORIES if name == "clearance" else SWEEP
    for function in (getattr(carom, name), getattr(carom, f"{name}_batch", None)):
        if function is not None:
            with pytest.raises(TypeError) as caught:
                function(**arguments, **{key: 0.5})
            told = f"{function.__name__}() got an unexpected keyword argument '{key}'; "
            assert str(caught.value).startswith(told)
            assert instead in str(caught.value)


def test_a_number_is_not_asked_for_by_its_shape():
    one = {"a": SQUARE, "b": SQUARE, "velocity": (1, 0)}
    text = "margin: expected a number, got a string"
    refuses(carom.swept_collision, one, TypeError, text, margin="0.5")
    text = "margin: expected a number, got (2,); for many at once call the"
    refuses(carom.swept_collision, one, ValueError, text, margin=[0.5, 1])
    text = "margin: expected a number or an array of numbers, got strings of dtype <U3"
    refuses(carom.swept_collision_batch, SWEEP, TypeError, text, margin=np.array("0.5"))


def test_a_column_joined_with_itself_has_one_margin():
    text = r"^margin: expected one number for a column joined with itself, got shape \(2,\)$"
    with pytest.raises(ValueError, match=text):
        carom.colliding_pairs(QUADS, margin=[1, 2])


KEYWORDS = {
    "no such keyword": ({"thread": 1}, TypeError, "got an unexpected keyword argument 'thread'"),
    "threads 0": ({"threads": 0}, ValueError, "threads: expected 1 or more, got 0"),
    "threads negative": ({"threads": -1}, ValueError, "threads: expected 1 or more, got -1"),
    "threads float": (
        {"threads": 2.0},
        TypeError,
        "threads: expected an integer or None, got float",
    ),
    "threads bool": (
        {"threads": True},
        TypeError,
        "threads: expected an integer or None, got bool",
    ),
    "threads text": ({"threads": "2"}, TypeError, "threads: expected an integer or None, got str"),
    "fields unknown": (
        {"fields": ("depht",)},
        ValueError,
        "fields: no field is called 'depht'; the fields are",
    ),
    "fields text": ({"fields": "distance"}, TypeError, "did you mean fields=('distance',)?"),
    "fields number": ({"fields": 3}, TypeError, "fields: expected a tuple of names, got int"),
    "fields of numbers": ({"fields": (3,)}, TypeError, "fields: expected names, got int"),
    "check": ({"check": 1}, TypeError, "check: expected a bool, got int"),
    "check None": ({"check": None}, TypeError, "check: expected a bool, got None"),
    "on_invalid": (
        {"on_invalid": "ignore"},
        ValueError,
        "expected 'raise' or 'mask', got 'ignore'",
    ),
    "on_invalid None": ({"on_invalid": None}, TypeError, "on_invalid: expected a string, got None"),
    "on_invalid number": ({"on_invalid": 1}, TypeError, "on_invalid: expected a string, got int"),
    "pairs beyond": ({"pairs": ([0, 3], [0, 0])}, IndexError, "pairs[0][1] is 3, but "),
    "pairs beyond b": ({"pairs": ([0, 0], [0, 3])}, IndexError, "pairs[1][1] is 3, but "),
    "pairs negative": ({"pairs": ([0], [-1])}, IndexError, "pairs[1][0] is -1, but "),
    "pairs huge": ({"pairs": np.full((2, 1), 2**64 - 1, np.uint64)}, IndexError, "pairs[0][0] is "),
    "pairs float": (
        {"pairs": ([0.0], [0.0])},
        TypeError,
        "pairs[0]: expected an array of integers",
    ),
    "pairs bool": (
        {"pairs": ([True], [True])},
        TypeError,
        "pairs[0]: expected an array of integers",
    ),
    "pairs of floats as objects": (
        {"pairs": np.array([[0], [0.5]], dtype=object)},
        TypeError,
        "pairs[1]: expected an array of integers, got dtype float64",
    ),
    "pairs text": ({"pairs": "ab"}, TypeError, "pairs: expected a tuple of two index arrays"),
    "pairs number": ({"pairs": 3}, TypeError, "pairs: expected a tuple of two index arrays"),
    "pairs dict": ({"pairs": {0: [0], 1: [0]}}, TypeError, "of shape (2, K), got dict"),
    "pairs set": ({"pairs": {0, 1}}, TypeError, "of shape (2, K), got set"),
    "pairs transposed": (
        {"pairs": np.zeros((3, 2), int)},
        ValueError,
        (
            "pairs: expected a tuple of two index arrays or one array of shape (2, K), got shape "
            "(3, 2); transpose it: pairs.T"
        ),
    ),
    "pairs bool among integers": (
        {"pairs": ([True, 0], [0, 0])},
        TypeError,
        "pairs[0]: expected an array of integers, got booleans among them",
    ),
    "pairs beyond all integers": (
        {"pairs": ([0], [2**70])},
        IndexError,
        f"pairs[1][0] is {2**70}, which is not a row",
    ),
    "pairs in a frame": (
        {"pairs": pd.DataFrame({"a": [0, 1], "b": [1, 2]})},
        TypeError,
        "of labels carom.interop.geopandas takes it, and of row numbers (pairs['a'], pairs['b'])",
    ),
    "pairs in a longer frame": (
        {"pairs": pd.DataFrame({"a": [0, 1, 2], "b": [1, 2, 2]})},
        TypeError,
        "got DataFrame; of labels",
    ),
    "pairs of nearest": (
        {"pairs": carom.nearest(QUADS, QUADS)},
        TypeError,
        "got Neighbors; its attribute `pairs` has them",
    ),
    "pairs listed": (
        {"pairs": [(0, 1), (1, 2), (2, 0)]},
        ValueError,
        "got shape (3, 2); transpose it: np.array(pairs).T",
    ),
    "pairs of one row": ({"pairs": np.zeros((1, 4), int)}, ValueError, "got shape (1, 4)"),
    "pairs ragged": ({"pairs": ([0], [0, 1], [0])}, ValueError, "got a sequence of 3"),
    "pairs uneven": ({"pairs": ([0, 1], [0])}, ValueError, "of one length, got 2 and 1"),
    "pairs deep": (
        {"pairs": np.zeros((2, 2, 2), int)},
        ValueError,
        "expected shape (K,), got (2, 2)",
    ),
    "out number": ({"out": 3}, TypeError, "out: expected an earlier result of this"),
    "out unknown": ({"out": {"depht": QUADS}}, ValueError, "out: no field is called 'depht'"),
    "out list": ({"out": {"FIELD": [0.0]}}, TypeError, "expected an array, got list"),
    "out dtype": ({"out": {"FIELD": np.zeros(3, np.float32)}}, ValueError, "expected dtype"),
    "out big-endian": ({"out": {"FIELD": np.zeros(3, ">i4")}}, ValueError, "expected dtype"),
}


@pytest.mark.parametrize("function", BATCH, ids=lambda function: function.__name__)
@pytest.mark.parametrize("what", KEYWORDS)
def test_keywords_are_checked(function, what):
    keywords, error, text = KEYWORDS[what]
    without = (carom.contact_intervals_batch, carom.predicate_batch)
    if function in without and {"fields", "out"} & set(keywords):
        error, text = TypeError, f"unexpected keyword argument '{next(iter(keywords))}'"
    if "out" in keywords and isinstance(keywords["out"], dict) and "FIELD" in keywords["out"]:
        of_distance = (carom.distance_batch, carom.closest_approach_batch)
        field = "distance" if function in of_distance else "intersects"
        if function is carom.overlap_area_batch:
            field = "overlap_area"
        keywords = {"out": {field: keywords["out"]["FIELD"]}}
    refuses(function, BATCH[function], error, text, **keywords)


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (carom.Shapes, (QUADS,)),
        (carom.Shapes.from_ragged, (SQUARE, [0, 4])),
        (carom.Shapes.from_shapely, ([shapely.box(0, 0, 1, 1)],)),
        (carom.Shapes.from_arrow, (carom.Shapes(QUADS),)),
        (carom.Shapes.from_points, (SQUARE,)),
        (carom.Shapes.from_segments, (QUADS[:, :2],)),
        (carom.Shapes.from_paths, (SQUARE, [0, 4])),
    ],
    ids=lambda it: getattr(it, "__name__", "arguments"),
)
def test_keywords_of_columns_are_checked(make, arguments):
    kept = make(*arguments)
    assert make(*arguments, on_invalid="raise") == kept
    for key in ("check", "drop_z"):
        if key in inspect.signature(make).parameters:
            for wrong, found in ((1, "int"), (None, "NoneType")):
                with pytest.raises(TypeError, match=rf"^{key}: expected a bool, got {found}$"):
                    make(*arguments, **{key: wrong})
    with pytest.raises(TypeError, match=r"^on_invalid: expected a string, got NoneType$"):
        make(*arguments, on_invalid=None)


def test_a_list_of_two_pairs_is_told_from_two_halves():
    text = r"^pairs: the list is taken as the rows of the first operand .* numpy\.transpose"
    with pytest.warns(UserWarning, match=text) as warned:
        found = carom.sat_batch(QUADS, QUADS, pairs=[(0, 1), (0, 2)])
    assert (len(warned), len(found)) == (1, 2)
    for halves in (((0, 1), (0, 2)), [[0, 1], [0, 2]], [(0,), (2,)], np.array([(0, 1), (0, 2)])):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            carom.sat_batch(QUADS, QUADS, pairs=halves)


def test_a_mask_in_a_list_masks_its_row_alone():
    radii = [np.ma.masked, 1.0, BIG, 2]
    found = carom.circle_polygon_batch((0, 0), radii, SQUARE, on_invalid="mask")
    assert found.valid.tolist() == [False, True, False, True]


def test_out_must_fit_and_share_nothing():
    good = {"a": QUADS, "b": QUADS}
    wrong = {
        "expected shape (3,), got (4,)": {"depth": np.zeros(4)},
        "expected shape (3, 2), got (3,)": {"mtv": np.zeros(3)},
        "out['depth'] is read-only": {"depth": np.broadcast_to(0.0, 3)},
    }
    for text, out in wrong.items():
        refuses(carom.sat_batch, good, ValueError, text, out=out)
    once = np.zeros(3)
    out = {"depth": once, "separation": once}
    refuses(carom.sat_batch, good, ValueError, "out['separation'] shares memory", out=out)
    strip = np.zeros((3, 4))
    out = {"mtv": strip[:, 0:2], "normal": strip[:, 1:3]}
    refuses(carom.sat_batch, good, ValueError, "out['normal'] shares memory", out=out)
    assert not strip.any()


def test_out_may_interleave_and_may_lie_where_operands_do():
    a, b = QUADS.copy(), QUADS + 0.5
    expected = carom.sat_batch(a, b)
    strip = np.zeros((3, 4))
    carom.sat_batch(
        a, b, fields=("mtv", "normal"), out={"mtv": strip[:, 2:], "normal": strip[:, :2]}
    )
    assert (strip == np.hstack([expected.normal, expected.mtv])).all()
    carom.sat_batch(a, b, out={"depth": a.reshape(-1)[:3], "mtv": a[:, 2]})
    assert (a.reshape(-1)[:3] == expected.depth).all()
    assert (a[:, 2] == expected.mtv).all()


def test_shapes_that_do_not_broadcast_are_named():
    arguments = {"a": QUADS, "b": np.array([SQUARE] * 4)}
    text = (
        "leading dimensions don't broadcast: a (3,), b (4,); colliding_pairs(a, b) finds the pairs"
    )
    refuses(carom.sat_batch, arguments, ValueError, text)
    arguments = {"a": QUADS, "b": QUADS, "velocity": np.zeros((4, 2))}
    refuses(carom.swept_collision_batch, arguments, ValueError, "a (3,), b (3,), velocity (4,)")
    text = "velocity (3,), pairs (2,)"
    arguments["velocity"] = np.zeros((3, 2))
    refuses(carom.swept_collision_batch, arguments, ValueError, text, pairs=([0, 1], [1, 2]))


def test_rings_that_were_meant_as_one_polygon_are_told_from_rows():
    hint = "looks like the rings of one polygon: a polygon with holes in a batch is a list in a"
    text = f"leading dimensions don't broadcast: a (2,), b (3,); a {hint} list: [[shell, hole]]"
    refuses(carom.intersects_batch, {"a": HOLED, "b": QUADS}, ValueError, text)
    arguments = {**BATCH[carom.circle_polygon_batch], "polygon": HOLED}
    refuses(carom.circle_polygon_batch, arguments, ValueError, f"; polygon {hint}")
    for rows in (HOLED[::-1], carom.Shapes([[ring] for ring in HOLED]), np.array(HOLED)):
        with pytest.raises(ValueError, match="don't broadcast") as caught:
            carom.intersects_batch(QUADS, rows)
        assert "rings of one" not in str(caught.value)
    assert carom.intersects_batch([HOLED], QUADS).tolist() == [True, True, True]


def test_a_list_that_looks_like_the_rings_of_one_polygon_is_warned_of_once_per_call():
    ring = np.array([(3.0, 3.0), (5.0, 3.0), (3.0, 5.0)])
    calls = {
        "a": [
            lambda: carom.intersects_batch(HOLED, SQUARE),
            lambda: carom.sat_batch(tuple(HOLED), HOLED),
            lambda: carom.distance_batch([HOLED[0].tolist(), HOLED[1].tolist()], SQUARE),
            lambda: carom.swept_collision_batch([*HOLED, ring], SQUARE, (1, 0)),
            lambda: carom.intersects_batch(HOLED, HOLED, pairs=([0], [1])),
            lambda: carom.colliding_pairs(HOLED, QUADS),
        ],
        "b": [lambda: carom.intersects_batch(SQUARE, [HOLED[0], ring])],
        "polygon": [
            lambda: carom.circle_polygon_batch((0, 0), 1, HOLED),
            lambda: carom.swept_circle_batch((0, 0), 1, (1, 0), [*HOLED, ring]),
        ],
        "shapes": [lambda: carom.Shapes(HOLED)],
    }
    for name, those in calls.items():
        for call in those:
            text = rf"^{name}: each item of the list is taken as a polygon .*\[\[shell, hole\]\]"
            with pytest.warns(UserWarning, match=text) as warned:
                call()
            assert len(warned) == 1
    column = carom.Shapes([[ring] for ring in HOLED])
    geometries = [shapely.Polygon(ring) for ring in HOLED]
    for rows in (HOLED[::-1], column, np.array(HOLED), [HOLED], geometries, [*column, None][:1]):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            carom.intersects_batch(rows, SQUARE)
            carom.intersects(HOLED, SQUARE)


def test_rows_that_make_no_polygon_together_are_not_warned_of():
    wide = np.array([(0, 0), (9, 0), (9, 9), (0, 9)], dtype=float)
    notched = np.array([(0, 0), (9, 0), (9, 9), (8, 1), (0, 9)], dtype=float)
    small = np.array([(3, 3), (5, 3), (5, 5), (3, 5)], dtype=float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        beside = np.add(small, (3.5, 2.0))
        for rows in ([wide, small, small + 1], [wide, small, small], [notched, beside]):
            carom.colliding_pairs(rows)
            carom.Shapes(rows)
    with pytest.warns(UserWarning, match="taken as a polygon of its own"):
        carom.Shapes([notched, small - 2])
    # Of many vertices only the boxes are compared.
    with pytest.warns(UserWarning, match="taken as a polygon of its own"):
        carom.Shapes([wide, *[small] * 300])


def test_shapes_in_frames_of_their_own_are_not_warned_of():
    shell, hole = HOLED
    poses = np.zeros((2, 1, 3))
    for function in (carom.first_contact, carom.clearance):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            function([shell, hole], poses, QUADS)
            function(SQUARE, poses, [shell, hole], obstacle_poses=poses)
        with pytest.warns(UserWarning, match="^obstacles: each item of the list is taken as"):
            function(SQUARE, poses, [shell, hole])


def test_a_scalar_function_asks_for_a_row_of_a_column():
    column = carom.Shapes.from_points([(0, 0), (1, 1)], radius=1)
    for function, good in SCALAR.items():
        for name in set(POLYGONS) & set(good):
            given = {**good, name: column}
            expected = (
                f"{name}: expected an array of numbers of shape (V, 2), or a list of such rings"
            )
            advice = "take a row of it; for many at once"
            refuses(function, given, TypeError, f"{expected}, got a column; {advice}")
            row = column.with_radius(0.0)[0] if function is carom.overlap_area else column[0]
            if function is not carom.sat or name == "a":
                function(*{**good, name: row}.values())


def test_pairs_need_rows_to_choose():
    text = "a: with pairs it must have one leading dimension, got ()"
    refuses(carom.sat_batch, {"a": SQUARE, "b": QUADS}, ValueError, text, pairs=([0], [0]))


def test_more_rows_than_memory_are_refused():
    a = np.broadcast_to(np.array(SQUARE), (2**31, 1, 4, 2))
    b = np.broadcast_to(np.array(SQUARE), (2**31, 4, 2))
    with pytest.raises(MemoryError):
        carom.sat_batch(a, b)


def test_the_lowest_bad_row_is_told_whatever_the_threads():
    rows = np.array([SQUARE] * 100_000)
    rows[[31_337, 77_777, 99_999], 1] = NAN
    for threads in (1, 2, 5, None):
        refuses(
            carom.sat_batch, {"a": rows, "b": SQUARE}, ValueError, "a[31337]: ", threads=threads
        )


BAD_COLUMNS = {
    "points": (
        SQUARE,
        ValueError,
        "shapes: expected a sequence of shapes, got the points of one",
    ),
    "None": (None, TypeError, "shapes: expected a sequence of shapes, got NoneType"),
    "text": ("abc", TypeError, "shapes: expected a sequence of shapes, got str"),
    "number": (3, TypeError, "shapes: expected a sequence of shapes, got int"),
    "text inside": ([SQUARE, "abc"], TypeError, "shapes[1]: expected an array of numbers"),
    "nan": ([SQUARE, changed(SQUARE, 1, NAN)], ValueError, "shapes[1]: vertex 1 is (nan, 0.0)"),
    "stray hole": (
        [None, STRAY_HOLE],
        ValueError,
        (
            "shapes[1]: ring 1 is a hole outside the shell: (20.0, 21.0) is not inside; the "
            "shell comes first"
        ),
    ),
    "text as a shell": (
        [["a", SQUARE]],
        TypeError,
        "shapes[0]: ring 0: expected an array of numbers of shape (V, 2), got a string",
    ),
    "no vertices": ([[[]]], ValueError, "shapes[0]: ring 0: expected shape (V, 2), got (0,)"),
    "numbers as a row": ([3, SQUARE], ValueError, "shapes[0]: expected shape (V, 2), or a list"),
    "rings in an array": (
        [np.array([SQUARE, SQUARE])],
        ValueError,
        (
            "shapes[0]: expected shape (V, 2), or a list of such rings, got (2, 4, 2); a polygon "
            "with holes is a list of rings, like list(array)"
        ),
    ),
    "hole in a hole": (
        [[np.array(SQUARE) * 9, np.array(SQUARE) * 7 + 1, np.array(SQUARE) + 2]],
        ValueError,
        "shapes[0]: ring 2 is a hole inside another hole, ring 1",
    ),
    "hole across the shell": (
        [[np.array(SQUARE) * 9, np.add(SQUARE, (8.5, 4))]],
        ValueError,
        "shapes[0]: rings 0 and 1 cross: edge 1 of ring 0 and edge ",
    ),
    "hole along the shell": (
        [[np.array(SQUARE) * 9, np.add(SQUARE, (0, 4))]],
        ValueError,
        "shapes[0]: rings 0 and 1 share an edge: edge 3 of ring 0 and edge ",
    ),
    "hole across the interior": (
        [[np.array(SQUARE) * 9, [(0, 4), (4, 1), (9, 4), (4, 7)]]],
        ValueError,
        "shapes[0]: rings that touch cut the interior in two: ring 1 closes the cut at (",
    ),
    "flat": ([[(0, 0), (1, 1), (2, 2)]], ValueError, "shapes[0]: all vertices lie on one line"),
    "three columns": (
        np.zeros((2, 4, 3)),
        ValueError,
        "shapes: expected shape (..., V, 2), got (2, 4, 3)",
    ),
}


@pytest.mark.parametrize("what", BAD_COLUMNS)
def test_columns_refuse_and_say_what(what):
    shapes, error, text = BAD_COLUMNS[what]
    refuses(carom.Shapes, {"shapes": shapes}, error, text)


SEGMENT = "; a segment is a row of Shapes.from_segments, or a LineString of Shapely"
REPAIR = (
    '; shapely.buffer(shapely.make_valid(g, method="structure", keep_collapsed=False), 0) '
    "repairs it"
)
UNION = (
    "; shapely.union_all(shapely.get_parts(g)) joins the parts, which can also be rows of their own"
)
YARD = "(0 0, 9 0, 9 9, 0 9, 0 0)"
FAR = "((20 0, 21 0, 21 1, 20 0))"
INVALID_GEOMETRIES = {
    "box without height": (
        "POLYGON ((0 0, 1 0, 1 0, 0 0, 0 0))",
        "all vertices lie on one line: the area is zero",
        SEGMENT,
    ),
    "bow": (
        "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))",
        "the ring meets itself: edge 0 and edge 2 have the point (1.0, 1.0) in common",
        REPAIR,
    ),
    "flat hole": (
        f"POLYGON ({YARD}, (1 1, 2 1, 3 1, 1 1))",
        "ring 1: all vertices lie on one line",
        REPAIR,
    ),
    "holes that cross": (
        f"POLYGON ({YARD}, (1 1, 3 1, 3 3, 1 3, 1 1), (2 2, 4 2, 4 4, 2 4, 2 2))",
        "rings 1 and 2 cross: edge 1 of ring 1 and edge 0 of ring 2 meet at (3.0, 2.0)",
        REPAIR,
    ),
    "stray hole": (
        f"POLYGON ({YARD}, (12 1, 13 1, 13 2, 12 1))",
        "ring 1 is a hole outside the shell: (13.0, 2.0) is not inside; the shell comes first",
        "",
    ),
    "bow in a part": (
        f"MULTIPOLYGON ({FAR}, ((0 0, 2 2, 2 0, 0 2, 0 0)))",
        "part 1: the ring meets itself: edge 0 and edge 2 have the point (1.0, 1.0) in common",
        REPAIR,
    ),
    "flat part": (
        f"MULTIPOLYGON ({FAR}, ((0 0, 1 0, 2 0, 0 0)))",
        "part 1: all vertices lie on one line: the area is zero",
        REPAIR,
    ),
    "hole that crosses the shell of a part": (
        f"MULTIPOLYGON ({FAR}, ({YARD}, (1 1, 2 1, 2 2, 1 1), (8 8, 12 8, 12 12, 8 8)))",
        "rings 0 and 2 of part 1 cross: edge 1 of part 1 and edge 0 of ring 2 of part 1 meet",
        REPAIR,
    ),
    "stray hole of a part": (
        f"MULTIPOLYGON ({FAR}, ({YARD}, (1 1, 2 1, 2 2, 1 1), (12 1, 13 1, 13 2, 12 1)))",
        "ring 2 of part 1 is a hole outside the shell: (13.0, 2.0) is not inside; the shell comes",
        REPAIR,
    ),
    "hole in a hole of a part": (
        f"MULTIPOLYGON ({FAR}, ({YARD}, (1 1, 8 1, 8 8, 1 8, 1 1), (2 2, 3 2, 3 3, 2 2)))",
        "ring 2 of part 1 is a hole inside another hole, ring 1 of part 1",
        REPAIR,
    ),
    "cut part": (
        f"MULTIPOLYGON ({FAR}, ({YARD}, (0 4, 4 1, 9 4, 4 7, 0 4)))",
        "rings that touch cut the interior in two: ring 1 of part 1 closes the cut at (",
        REPAIR,
    ),
    "parts with a common edge": (
        "MULTIPOLYGON (((0 0, 1 0, 1 2, 0 2, 0 0)), ((1 0, 2 0, 2 2, 1 2, 1 0)))",
        "parts 0 and 1 share an edge: edge 1 of part 0 and edge 3 of part 1 meet at (1.0, ",
        UNION,
    ),
    "parts that overlap": (
        f"MULTIPOLYGON (({YARD}), ((8 1, 12 1, 12 3, 8 3, 8 1)))",
        "parts 0 and 1 cross: edge 1 of part 0 and edge 0 of part 1 meet at (9.0, 1.0)",
        UNION,
    ),
    "a part that crosses a hole": (
        f"MULTIPOLYGON (({YARD}, (1 1, 8 1, 8 8, 1 8, 1 1)), ((4 4, 5 4, 5 8.5, 4 8.5, 4 4)))",
        "ring 1 of part 0 and part 1 cross: edge ",
        UNION,
    ),
    "a part in a part": (
        f"MULTIPOLYGON (({YARD}), ((1 1, 2 1, 2 2, 1 1)))",
        "part 1 lies inside part 0; parts must not overlap",
        UNION,
    ),
}
REMEDIES = {
    REPAIR: lambda g: shapely.buffer(
        shapely.make_valid(g, method="structure", keep_collapsed=False), 0
    ),
    UNION: lambda g: shapely.union_all(shapely.get_parts(g)),
}


@pytest.mark.parametrize("what", INVALID_GEOMETRIES)
def test_invalid_geometries_name_parts_and_a_remedy_that_works(what):
    wkt, text, remedy = INVALID_GEOMETRIES[what]
    geometry = shapely.from_wkt(wkt)
    with pytest.raises(ValueError, match=re.escape(f"shapes[1]: {text}")) as caught:
        carom.Shapes([None, geometry])
    assert str(caught.value).endswith(remedy)
    if remedy in REMEDIES:
        assert carom.Shapes([REMEDIES[remedy](geometry)]).area[0] > 0
    if remedy == UNION:
        assert len(carom.Shapes(shapely.get_parts(geometry))) == 2


def test_a_segment_is_what_a_box_without_height_is_told_to_be():
    flat = shapely.box(0, 0, 1, 0)
    with pytest.raises(ValueError, match="from_segments"):
        carom.intersects(flat, SQUARE)
    assert carom.intersects(carom.Shapes.from_segments([[(0, 0), (1, 0)]])[0], SQUARE)


def test_items_of_neighbors_are_told_apart_from_its_fields():
    found = carom.nearest(QUADS, QUADS)
    with pytest.raises(
        TypeError, match=r"pairs, distance = nearest\(a, b\) unpacks it; .*pairs\[:, k\]"
    ):
        found[0]
    pairs, distance = found
    assert pairs[:, 2].tolist() == [2, 0]
    assert distance[2] == 0.0


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_any_number_of_missing_rows_is_a_column(count):
    rows = [None] * count
    assert carom.Shapes(rows).kind.tolist() == [-1] * count
    assert carom.Shapes(rows, on_invalid="mask").is_valid.all()
    assert carom.colliding_pairs(rows, [SQUARE]).shape == (2, 0)
    assert not carom.intersects_batch(rows, SQUARE).any()


@pytest.mark.parametrize("bad", [NAN, 5, {}, "x", b"x", [1, 2], [5], SQUARE[:2]], ids=repr)
@pytest.mark.parametrize("good", [shapely.Polygon(SQUARE), SQUARE, None], ids=["P", "list", "None"])
@pytest.mark.parametrize(("count", "at"), [(2, 0), (2, 1), (4, 0), (4, 2)])
def test_a_bad_row_is_masked_or_named_wherever_it_is_in_a_list(bad, good, count, at):
    rows = [good] * count
    rows[at], rows[-1 - at] = bad, shapely.Polygon(SQUARE)
    valid = [row != at for row in range(count)]
    assert carom.Shapes(rows, on_invalid="mask").is_valid.tolist() == valid
    masked = carom.distance_batch(rows, SQUARE, on_invalid="mask")
    assert masked.valid.tolist() == valid
    for name, function in (("shapes", carom.Shapes), ("a", carom.intersects_batch)):
        rest = () if function is carom.Shapes else (SQUARE,)
        with pytest.raises((TypeError, ValueError), match=rf"^{name}\[{at}\]"):
            function(rows, *rest)


def test_an_empty_list_is_a_missing_row_wherever_it_is_in_a_list():
    polygon = shapely.Polygon(SQUARE)
    for rows in ([[], polygon], [polygon, []], [None, [], polygon]):
        expected = [row is polygon for row in rows]
        assert carom.intersects_batch(rows, SQUARE).tolist() == expected


def test_four_rows_are_bounds_only_if_they_are_numbers():
    for rows in (["POINT (0 0)"] * 4, np.array(["POINT (0 0)"] * 4)):
        with pytest.raises(TypeError, match=r"^shapes\[0\]: .*shapely\.from_wkt"):
            carom.Shapes(rows)
    bounds = ([0, 0, 1, 1], np.array([0.0, 0, 1, 1]), [(0, 0, 1, 1), (NAN,) * 4], np.ones((2, 4)))
    for rows in bounds:
        with pytest.raises(ValueError, match="got four numbers for each; if they are bounds"):
            carom.Shapes(rows)
    assert not carom.Shapes([NAN] * 4, on_invalid="mask").is_valid.any()


@pytest.mark.parametrize("axes", [(1, 1), (1, 2), (3, 2), (2, 1, 2)])
def test_arrays_of_missing_rows_have_the_axes_of_arrays_of_shapes(axes):
    missing = np.full(axes, None)
    some = missing.copy()
    some.flat[-1] = shapely.Point(0, 0)
    expected = np.zeros(axes, bool)
    np.testing.assert_array_equal(carom.intersects_batch(missing, SQUARE), expected, strict=True)
    expected.flat[-1] = True
    np.testing.assert_array_equal(carom.intersects_batch(some, SQUARE), expected, strict=True)
    for array in (missing, some):
        with pytest.raises(ValueError, match="expected a sequence of shapes, got an array of shap"):
            carom.Shapes(array)
        with pytest.raises(TypeError, match="a: expected one shape, got "):
            carom.intersects(array, SQUARE)


def test_a_number_as_a_row_is_told_with_its_value():
    with pytest.raises(ValueError, match=r"^shapes\[1\]: .* such rings, got the number 5$"):
        carom.Shapes([SQUARE, 5])
    with pytest.raises(ValueError, match="got the number nan; a missing row is None; pandas marks"):
        carom.Shapes([SQUARE, NAN])


def test_scalar_functions_do_not_call_arrow_data_a_column():
    with pytest.raises(TypeError, match=r"^b: .*got Arrow data; Shapes\.from_arrow"):
        carom.sat(SQUARE, pa.array(carom.Shapes([SQUARE])))


def test_a_frame_without_an_active_geometry_is_told_so_whatever_its_columns():
    for values in ([1, 2], ["a", "b"]):
        with pytest.raises(TypeError, match="without an active geometry; its method set_geometry"):
            carom.Shapes(geopandas.GeoDataFrame({"a": values}))


BAD_PLACES = {
    "nan vertex": (
        (changed(SQUARE, 1, NAN), (0, 0, 0)),
        ValueError,
        "shapes: vertex 1 is (nan, 0.0)",
    ),
    "nan pose": ((SQUARE, [(0, 0, 0), (0, NAN, 0)]), ValueError, "poses[1] is (0.0, nan, 0.0)"),
    "pose of two": ((SQUARE, (0, 0)), ValueError, "poses: expected shape (..., 3), got (2,)"),
    "shape of three": (
        (np.zeros((4, 3)), (0, 0, 0)),
        ValueError,
        "shapes: expected shape (..., V, 2)",
    ),
    "text": ((SQUARE, "here"), TypeError, "poses: expected an array of numbers"),
    "nan vertex without poses": (
        (changed(SQUARE, 1, NAN), np.zeros((0, 3))),
        ValueError,
        "shapes: vertex 1 is (nan, 0.0)",
    ),
    "nan among footprints": (
        ([SQUARE, changed(SQUARE, 1, NAN)], (0, 0, 0)),
        ValueError,
        "shapes[1]: vertex 1 is (nan, 0.0)",
    ),
    "nan pose of a column": (
        (carom.Shapes([SQUARE, None]), [(0, 0, 0), (0, NAN, 0)]),
        ValueError,
        "poses[1] is (0.0, nan, 0.0)",
    ),
    "far pose of a column": (
        (carom.Shapes([SQUARE, SQUARE]), [(0, 0, 0), (1e17, 0, 0)]),
        ValueError,
        "poses[1]: the footprint as placed there: all vertices lie on one line",
    ),
}


@pytest.mark.parametrize("what", BAD_PLACES)
def test_place_refuses_and_says_what(what):
    arguments, error, text = BAD_PLACES[what]
    refuses(carom.place, dict(enumerate(arguments)), error, text)


def nested(depth):
    deep = []
    for _ in range(depth):
        deep = [deep]
    return deep


def endless():
    loop = []
    loop.append(loop)
    return loop


@pytest.mark.parametrize("what", [endless(), nested(100_000)], ids=["endless", "deep"])
def test_a_list_that_never_ends_is_refused(what):
    for function, good in [*SCALAR.items(), *BATCH.items()]:
        for name in good.keys() - {"predicate"}:
            with pytest.raises(ValueError, match=f"^{name}"):
                function(*{**good, name: what}.values())
    for polygons in (what, [what], [what, what, what]):
        with pytest.raises(ValueError, match=r"^shapes"):
            carom.Shapes(polygons)
    with pytest.raises(ValueError, match=r"^shapes"):
        carom.place(what, (0, 0, 0))


def test_out_is_filled_or_refused_but_never_ignored():
    rows = {"a": QUADS, "b": SQUARE}
    other = carom.distance_batch(QUADS, SQUARE)
    refuses(carom.sat_batch, rows, TypeError, "out: expected an earlier result of this", out=other)
    depth = {"depth": np.zeros(3)}
    refuses(
        carom.sat_batch,
        rows,
        ValueError,
        "out['depth']: not among the wanted fields",
        out=depth,
        fields=("mtv",),
    )
    hidden = {"depth": np.ma.masked_all(3)}
    refuses(carom.sat_batch, rows, TypeError, "out['depth']: expected an array", out=hidden)
    one = {"depth": np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,))}
    refuses(carom.sat_batch, rows, ValueError, "out['depth'] repeats memory", out=one)


def test_pairs_that_name_no_row_are_refused():
    rows = {"a": QUADS, "b": QUADS}
    largest = np.array([2**64 - 1], dtype=np.uint64)
    refuses(carom.sat_batch, rows, IndexError, f"pairs[0][0] is {2**64 - 1}", pairs=(largest, [0]))
    hidden = np.ma.array([0, 1], mask=[False, True])
    refuses(carom.sat_batch, rows, TypeError, "pairs[0]: expected", pairs=(hidden, [0, 0]))
    assert carom.intersects_batch(QUADS, QUADS, pairs=np.zeros((2, 0))).shape == (0,)


def test_repeated_rows_without_fields_take_no_memory():
    """The first row is refused at once: a list of all chunks would be 60 gigabytes."""
    rows = np.broadcast_to(np.full((4, 2), NAN), (2**40, 4, 2))
    for kwargs in ({}, {"threads": 1}):
        with pytest.raises(ValueError, match=r"^a\[0\]: vertex 0 is \(nan, nan\)"):
            carom.sat_batch(rows, SQUARE, fields=(), **kwargs)
    with pytest.raises(ValueError, match=r"^margin\[0\] is -1.0"):
        carom.sat_batch(SQUARE, SQUARE, margin=np.broadcast_to(-1.0, 2**40), fields=())
    poses = np.broadcast_to(NAN, (2**40, 2, 3))
    with pytest.raises(ValueError, match=r"^poses\[0, 0\] is \(nan, nan, nan\)"):
        carom.first_contact(SQUARE, poses, [SQUARE], fields=())


@pytest.mark.parametrize("points", [np.zeros((5, 0)), np.broadcast_to(np.zeros(3), (5, 3))])
def test_repeated_rows_of_a_wrong_shape_are_told_as_given(points):
    with pytest.raises(ValueError, match=re.escape(f"expected shape (..., 2), got {points.shape}")):
        carom.locate(points, SQUARE)


def test_a_row_number_beyond_int64_is_named_as_given():
    with pytest.raises(IndexError, match=r"^rows\[0\] is 9223372036854775808, which is not a row$"):
        carom.Shapes(QUADS)[np.array([2**63], "u8")]


def test_a_ring_that_is_nan_is_not_taken_for_a_hole():
    rows = [np.array(SQUARE), np.full((4, 2), NAN)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = carom.distance_batch(rows, SQUARE, on_invalid="mask")
    assert found.valid.tolist() == [True, False]


def test_rows_without_wanted_fields_are_refused_however_far_apart():
    far, bent = carom.Shapes(np.array([SQUARE]) + 100), shapely.LineString([(0, 0), (1, 1), (2, 0)])
    rows = [
        (carom.sat_batch, carom.Shapes([CONCAVE])),
        (carom.penetration_batch, carom.Shapes.from_shapely([bent])),
    ]
    for call, refused in rows:
        for kwargs in ({}, {"fields": ()}):
            with pytest.raises(ValueError, match=r"^a\[0\]"):
                call(refused, far, **kwargs)
            assert not call(refused, far, on_invalid="mask", **kwargs).valid.any()
    with pytest.raises(ValueError, match=r"^a\[0\]"):
        carom.penetration_batch(carom.Shapes.from_shapely([bent]), far, direction=(1, 0), fields=())

"""Shapes in WKB are read as Shapely reads them, or left to it."""

from __future__ import annotations

import struct
import sys
from unittest.mock import Mock

import carom
import numpy as np
import pyarrow as pa
import pytest
import shapely

SHELL = shapely.box(0, 0, 9, 9)
HOLES = [shapely.box(x, 1, x + 1, 2) for x in (1, 3, 5)]


def rings(count):
    """A square with so many holes."""
    return shapely.difference(SHELL, shapely.union_all(HOLES[:count]))


@pytest.fixture
def taken_apart(monkeypatch):
    """Reads geometries with Shapely's own functions, whatever their kind."""

    def read(rows, **options):
        with monkeypatch.context() as context:
            context.setattr("carom.interop.shapely.wkb_of_parts", lambda *_: None)
            return carom.Shapes.from_shapely(rows, **options)

    return read


def types(rows):
    """Arrow's arrays of the rows, of each of its types for bytes."""
    values = [None if row is None else shapely.to_wkb(row) for row in rows]
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        yield pa.chunked_array([values[:7], values[7:]], kind)
        yield pa.array([b"left out", *values], kind)[1:]


def test_polygons_are_those_of_shapely():
    random = np.random.default_rng(0)
    centers = shapely.points(random.normal(size=(200, 2)) * 1e5)
    rows = shapely.buffer(centers, random.uniform(1, 9, 200), quad_segs=3)
    rows[::7] = [rings(k % 4) for k in range(len(rows[::7]))]
    rows[::5] = None
    rows[-1] = None
    expected = carom.Shapes.from_shapely(rows)
    for array in types(rows):
        assert carom.Shapes.from_arrow(array) == expected


EVERY_KIND = [
    shapely.Point(1, 2),
    shapely.MultiPoint([(0, 0), (3, 1), (0, 5)]),
    shapely.LineString([(0, 0), (1, 1), (2, 0)]),
    shapely.LineString([(4, 4), (4, 4)]),
    shapely.MultiLineString([[(0, 0), (1, 1)], [(2, 0), (3, 0), (3, 3)]]),
    rings(2),
    shapely.MultiPolygon([rings(1), shapely.box(20, 20, 21, 21)]),
    shapely.MultiPolygon([SHELL]),
    None,
]


def test_shapes_of_every_kind_are_those_of_shapely(taken_apart):
    random = np.random.default_rng(1)
    several = [EVERY_KIND[k] for k in random.integers(0, len(EVERY_KIND), 300)]
    for rows in (several, *([row, None, row, *[row] * 9] for row in EVERY_KIND[:-1])):
        expected = taken_apart(rows)
        for array in types(rows):
            found = carom.Shapes.from_arrow(array)
            assert found == expected
            assert found.kind.tolist() == expected.kind.tolist()


EMPTY = [shapely.Polygon(), shapely.LineString(), shapely.MultiPoint(), shapely.MultiPolygon()]


@pytest.mark.parametrize("rows_at_once", [1, 7, 1 << 14])
def test_geometries_of_many_parts_are_read_as_taken_apart(rows_at_once, taken_apart, monkeypatch):
    monkeypatch.setattr("carom.interop.shapely._ROWS", rows_at_once)
    monkeypatch.setattr("shapely.get_parts", get_parts := Mock(side_effect=shapely.get_parts))
    random = np.random.default_rng(2)
    several = [shapely.MultiPoint(random.normal(size=(9, 2))), EVERY_KIND[4], EVERY_KIND[6]]
    kinds = [*EVERY_KIND, *EMPTY, shapely.LinearRing([(0, 0), (1, 0), (0, 1)]), *3 * several]
    rows = np.array([kinds[k] for k in random.integers(0, len(kinds), 300)])
    moved = shapely.transform(rows, lambda xy: np.sin(9.0 * xy))
    left = [*several, shapely.Point(np.nan, 1), shapely.Point()]
    for geometries, options, is_left in (
        (rows, {}, False),
        (moved, {"check": False}, False),
        (shapely.force_3d(moved), {"check": False, "drop_z": True}, False),
        (np.append(rows, EMPTY[-1:] * 3), {}, False),
        (np.repeat(rows, 2)[::2], {}, False),
        (left, {"on_invalid": "mask"}, True),
        ([*left, shapely.GeometryCollection([SHELL]), 3], {"on_invalid": "mask"}, True),
        ([several[0], *[shapely.Point(1, 2)] * 50], {}, True),
        ([shapely.MultiPoint(random.normal(size=(9, 2))).buffer(1e-3, quad_segs=40)], {}, True),
    ):
        get_parts.reset_mock()
        found = carom.Shapes.from_shapely(geometries, **options)
        assert get_parts.called == is_left
        expected = taken_apart(geometries, **options)
        assert found == expected
        assert found.kind.tolist() == expected.kind.tolist()
        assert found.is_valid.tolist() == expected.is_valid.tolist()


def test_no_object_is_made_for_each_part(monkeypatch):
    monkeypatch.setattr("shapely.get_parts", None)
    row = shapely.MultiPoint(np.random.default_rng(3).normal(size=(9, 2)))
    for geometries in ([row], [row, None, SHELL, shapely.MultiPolygon()]):
        assert len(carom.Shapes.from_shapely(geometries)) == len(geometries)
    with pytest.raises(TypeError, match="NoneType"):
        carom.Shapes.from_shapely([row, shapely.from_wkt("MULTIPOINT ((0 0), EMPTY)")])


@pytest.mark.parametrize("row", EVERY_KIND[:-1], ids=str)
def test_a_value_that_ends_too_early_is_left_to_shapely_wherever_it_ends(row):
    good, whole = shapely.to_wkb(shapely.Point(5, 5)), shapely.to_wkb(row)
    for cut in (*(whole[:end] for end in range(len(whole))), whole + b"\0"):
        read = shapely.from_wkb(cut, on_invalid="ignore")
        found = carom.Shapes.from_arrow(pa.array([good, cut, good]), on_invalid="mask")
        assert found == carom.Shapes.from_shapely([shapely.Point(5, 5), read] * 2)[:3][[0, 1, 0]]
        assert found.is_valid[1] == (read is not None)


def in_forms(rows):
    """The rows in WKB of other forms than GEOS writes them in by default."""
    return {
        "big-endian": [shapely.to_wkb(row, byte_order=0) for row in rows],
        "with SRID": [
            shapely.to_wkb(row and shapely.set_srid(row, 32633), include_srid=True) for row in rows
        ],
        "with SRID, big-endian": [
            shapely.to_wkb(row and shapely.set_srid(row, 7), include_srid=True, byte_order=0)
            for row in rows
        ],
        "with Z": [shapely.to_wkb(shapely.force_3d(row, 5.0)) for row in rows],
        "ISO with Z": [shapely.to_wkb(shapely.force_3d(row), flavor="iso") for row in rows],
        "with M and SRID": [with_m(row) for row in rows],
    }


def with_m(row):
    """A row in the WKB of PostGIS, whose parts have the M of theirs and a system of their own."""
    if row is None:
        return None
    if hasattr(row, "geoms"):
        parts = [with_m(part) for part in row.geoms]
        return head(row.geom_type, len(parts)) + b"".join(parts)
    if row.geom_type == "Polygon":
        rings = [row.exterior, *row.interiors] if not row.is_empty else []
        return head("Polygon", len(rings)) + b"".join(
            struct.pack(">I", len(ring.coords)) + measured(ring) for ring in rings
        )
    if row.geom_type == "Point":
        return head("Point") + (measured(row) or struct.pack(">3d", *[np.nan] * 3))
    return head("LineString", len(row.coords)) + measured(row)


KINDS = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"]


def head(kind, *count):
    """The beginning of a shape with M and an SRID, and how many items follow."""
    code = 0x60000000 + 1 + KINDS.index(kind)
    return struct.pack(f">BII{len(count) * 'I'}", 0, code, 4326, *count)


def measured(row):
    return b"".join(struct.pack(">3d", x, y, 9.0) for x, y in row.coords)


FORMS = in_forms([*EVERY_KIND, *EMPTY, shapely.Point()])
COLLECTION = shapely.to_wkb(shapely.GeometryCollection([SHELL]))


@pytest.mark.parametrize("form", FORMS)
def test_other_forms_of_wkb_are_the_same_shapes(form):
    expected = carom.Shapes.from_shapely([*EVERY_KIND, *EMPTY, shapely.Point()])
    plain = [None if row is None else shapely.to_wkb(row) for row in EVERY_KIND]
    found = carom.Shapes.from_arrow(pa.array([*plain, *FORMS[form]]), drop_z=True)
    assert found[len(plain) :] == expected
    assert found[: len(plain)] == expected[: len(plain)]
    assert found[len(plain) :].kind.tolist() == expected.kind.tolist()


@pytest.mark.parametrize("form", ["with Z", "ISO with Z", "with M and SRID"])
def test_z_and_m_are_refused_by_row_in_any_form(form):
    good, raised = shapely.to_wkb(SHELL), FORMS[form][5]
    letter = "M" if "M" in form else "Z"
    with pytest.raises(ValueError, match=rf"^obj\[2\]: the coordinates have {letter}; "):
        carom.Shapes.from_arrow(pa.array([good, None, raised, raised]))
    empty = FORMS[form][-1]
    column = carom.Shapes.from_arrow(pa.array([good, empty, raised]), on_invalid="mask")
    assert column.is_valid.tolist() == [True, True, False]
    assert column.kind.tolist() == [carom.KINDS.index("polygon"), -1, -1]


def test_only_rows_in_unknown_forms_are_given_to_shapely(monkeypatch):
    monkeypatch.setattr("shapely.from_wkb", read := Mock(side_effect=shapely.from_wkb))
    good, short = shapely.to_wkb(SHELL), shapely.to_wkb(SHELL)[:-1]
    values = [good, None, COLLECTION, good, short, good]
    column = carom.Shapes.from_arrow(pa.chunked_array([values[:3], values[3:]]), on_invalid="mask")
    assert read.call_args_list[0].args[0] == [COLLECTION, short]
    assert column.is_valid.tolist() == [True, True, False, True, False, True]
    assert "GeometryCollection" in column.invalid_reason[2]
    assert column.invalid_reason[4].startswith("not valid WKB: ")
    assert column[[0, 3, 5]] == carom.Shapes.from_shapely([SHELL] * 3)
    with pytest.raises(ValueError, match=r"^obj\[4\]: not valid WKB: "):
        carom.Shapes.from_arrow(pa.array(values))
    with pytest.raises(TypeError, match=r"^obj\[2\]: .* got a GeometryCollection"):
        carom.Shapes.from_arrow(pa.array(values[:4]))


def read_by_shapely(value):
    """What Shapely reads, None where it refuses the value."""
    try:
        return shapely.from_wkb(value, on_invalid="ignore")
    except NotImplementedError:
        return None


def test_values_with_wrong_bytes_are_read_or_refused_as_by_shapely():
    random = np.random.default_rng(5)
    whole = [it for values in FORMS.values() for it in values if it is not None]
    values = []
    for value in whole:
        for _ in range(40):
            wrong = bytearray(value)
            for at in random.integers(0, min(len(wrong), 30), random.integers(1, 3)):
                wrong[at] = random.choice([0, 1, 2, 3, 4, 6, 7, 0x20, 0x40, 0x80, 0xE0, 255])
            values.append(bytes(wrong[: len(wrong) - random.choice([0, 0, 0, 1, 8])]))
    # A column has one SRID; the bytes of some were changed.
    geometries = [read_by_shapely(value) for value in values]
    is_of_one = shapely.get_srid(geometries) <= 0
    values, geometries = (
        [it for it, of in zip(them, is_of_one, strict=True) if of] for them in (values, geometries)
    )
    options = {"on_invalid": "mask", "drop_z": True}
    found = carom.Shapes.from_arrow(pa.array(values), **options)
    expected = carom.Shapes.from_shapely(geometries, **options)
    assert found == expected
    is_read = ~shapely.is_missing(geometries)
    assert (found.is_valid == (expected.is_valid & is_read)).all()
    assert found.kind.tolist() == expected.kind.tolist()
    assert 200 < is_read.sum() < len(values) - 200


def test_shapes_in_the_plane_need_no_object(monkeypatch):
    every = [None if row is None else shapely.to_wkb(row) for row in [*EVERY_KIND, *EMPTY]]
    monkeypatch.setitem(sys.modules, "shapely", None)
    monkeypatch.delitem(sys.modules, "carom.interop.shapely", raising=False)
    assert len(carom.Shapes.from_arrow(pa.array(every))) == len(every)
    for values in FORMS.values():
        assert len(carom.Shapes.from_arrow(pa.array(values), drop_z=True)) == len(values)
    with pytest.raises(ImportError, match="WKB that is no shape"):
        carom.Shapes.from_arrow(pa.array([COLLECTION]))


@pytest.mark.parametrize(
    "row",
    [
        shapely.to_wkb(shapely.Point(1, 2), byte_order=0),
        shapely.to_wkb(shapely.Point()),
        shapely.to_wkb(shapely.MultiPoint([(0, 0)]))[:14] + shapely.to_wkb(SHELL)[5:],
        shapely.to_wkb(shapely.from_wkt("MULTIPOINT ((0 0), EMPTY)")),
        shapely.to_wkb(shapely.from_wkt("MULTILINESTRING ((0 0, 1 1), EMPTY)")),
        shapely.to_wkb(shapely.from_wkt("MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), EMPTY)")),
        shapely.to_wkb(shapely.GeometryCollection([SHELL])),
        shapely.to_wkb(shapely.MultiPoint([(0, 0)]))[:9] + shapely.to_wkb(SHELL),
        shapely.to_wkb(shapely.Polygon(), byte_order=0),
        shapely.to_wkb(SHELL, byte_order=0),
        shapely.to_wkb(shapely.force_3d(SHELL), output_dimension=3),
        shapely.to_wkb(shapely.set_srid(SHELL, 4326), include_srid=True),
        shapely.to_wkb(SHELL)[:-1],
        shapely.to_wkb(SHELL)[:12],
        shapely.to_wkb(SHELL)[:7],
        shapely.to_wkb(SHELL) + b"\0",
        shapely.to_wkb(SHELL)[:-8] + b"\1" * 8,  # not closed
        shapely.to_wkb(SHELL)[:9] + b"\xff" * 84,  # a ring of more points than there are bytes
        shapely.to_wkb(SHELL)[:5] + b"\xff" * 4 + shapely.to_wkb(SHELL)[9:],
        b"",
    ],
)
def test_other_rows_are_read_by_shapely(row):
    good = shapely.to_wkb(SHELL)
    values = [good, None, row, good]
    expected = [SHELL, None, shapely.from_wkb(row, on_invalid="ignore"), SHELL]
    found = carom.Shapes.from_arrow(pa.array(values), drop_z=True, on_invalid="mask")
    assert found == carom.Shapes.from_shapely(expected, drop_z=True, on_invalid="mask")


def test_columns_are_the_same_whoever_reads_them():
    rows = [shapely.to_wkb(rings(k)) for k in range(4)]
    point = shapely.to_wkb(shapely.Point(1, 2), byte_order=0)
    plain = carom.Shapes.from_arrow(pa.array([*rows, None]))
    by_shapely = carom.Shapes.from_arrow(pa.array([*rows, None, point]))
    assert plain == by_shapely[:5]
    assert plain == carom.Shapes.from_shapely([*map(shapely.from_wkb, rows), None])


def test_all_missing_is_no_error():
    column = carom.Shapes.from_arrow(pa.array([None, None], pa.binary()))
    assert column.kind.tolist() == [-1, -1]


def test_a_curve_is_refused_by_row_whatever_else_there_is():
    curve = b"\x01\x08\x00\x00\x00\x00\x00\x00\x00"
    good = shapely.to_wkb(SHELL)
    with pytest.raises(ValueError, match=r"obj\[1\]: expected .* got a CIRCULARSTRING"):
        carom.Shapes.from_arrow(pa.array([good, curve, None, shapely.to_wkb(shapely.Point(1, 2))]))
    masked = carom.Shapes.from_arrow(pa.array([good, curve, None]), on_invalid="mask")
    assert masked.is_valid.tolist() == [True, False, True]
    assert masked[:1] == carom.Shapes.from_shapely([SHELL])


def test_wkb_is_written_as_shapely_writes_it():
    rows = [*EVERY_KIND, None, shapely.Point(), shapely.box(0, 0, 9, 9) - shapely.box(1, 1, 2, 2)]
    column = carom.Shapes.from_shapely(rows)
    written = column.to_wkb()
    assert written.dtype == object
    expected = [
        None if row is None or row.is_empty else shapely.to_wkb(row, byte_order=1) for row in rows
    ]
    assert written.tolist() == expected
    assert column[::-1].to_wkb().tolist() == expected[::-1]
    assert carom.Shapes([]).to_wkb().shape == (0,)
    assert carom.Shapes.from_arrow(pa.array(written)) == column


def test_wkb_has_no_radius():
    rounded = carom.Shapes.from_points([(0, 0), (1, 1)], radius=[0, 2])
    for ask in (rounded.to_wkb, rounded.__arrow_c_array__, rounded.__arrow_c_stream__):
        with pytest.raises(ValueError, match=r"row 1 has the radius 2\.0, .* with_radius\(0\)"):
            ask()
    assert len(rounded.with_radius(0).to_wkb()) == 2


@pytest.mark.parametrize("binary", [pa.binary(), pa.large_binary(), pa.binary_view()])
@pytest.mark.parametrize("rows", [[SHELL, None, SHELL], EVERY_KIND, []])
def test_a_request_for_binary_data_gives_wkb(binary, rows):
    column = carom.Shapes.from_shapely(rows).with_crs("EPSG:32633")
    expected = [None if row is None else shapely.to_wkb(row, byte_order=1) for row in rows]
    wish = binary.__arrow_c_schema__()
    field, array = column.__arrow_c_array__(wish)
    told = pa.Field._import_from_c_capsule(field)
    assert told.type == binary
    assert told.metadata[b"ARROW:extension:name"] == b"geoarrow.wkb"
    assert b'"EPSG:32633"' in told.metadata[b"ARROW:extension:metadata"]
    answer = pa.Array._import_from_c_capsule(told.__arrow_c_schema__(), array)
    assert answer.to_pylist() == expected
    chunks = pa.chunked_array(column, type=binary)
    assert chunks.type == binary
    assert chunks.to_pylist() == expected

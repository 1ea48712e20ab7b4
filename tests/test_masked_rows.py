"""What is told of rows that are masked: shapes without an index, and numbers of rows."""

from __future__ import annotations

from typing import Any

import carom
import geopandas
import numpy as np
import pytest
import shapely
from carom.interop import geopandas as cg
from geopandas.array import GeometryArray

BOX, FAR = shapely.box(0, 0, 1, 1), shapely.box(3, 0, 4, 1)
RING = [(0, 0), (2, 2), (2, 0), (0, 2)]
BOW = shapely.Polygon(RING)
ROWS = geopandas.GeoSeries([BOX, FAR], ["p", "q"])
MASK: dict[str, Any] = {"on_invalid": "mask"}


@pytest.mark.parametrize(
    ("other", "first", "made"),
    [
        (BOW, "b: the ring", "[b]"),
        ([BOX, BOW], "b[1]: the ring", "b"),
        (np.array([BOX, BOW]), "b[1]: the ring", "b"),
        (GeometryArray(np.array([None, BOW])), "b[1]: the ring", "b"),
        (RING, "b: the ring", "carom.Shapes([b], check=False).to_shapely()"),
        (np.array([RING, RING]), "b[0]: the ring", "carom.Shapes(b, check=False).to_shapely()"),
    ],
)
def test_masked_shapes_without_an_index_are_told_by_number(
    other: Any, first: str, made: str
) -> None:
    with pytest.warns(UserWarning, match="^b: .* masked, as if missing") as caught:
        found = cg.intersects(ROWS, other, **MASK)
    assert not found.tolist()[1]
    text = str(caught[0].message)
    assert f"(first: {first} meets itself" in text
    call = f"carom.interop.geopandas.repair(geopandas.GeoSeries({made}))"
    assert text.endswith(f"; {call} repairs rows")
    repaired = eval(call, {"carom": carom, "geopandas": geopandas, "b": other}).rows
    assert "GeometryCollection" not in str(repaired.geom_type)
    cg.intersects(ROWS, repaired.values if len(repaired) == 2 else repaired.iloc[0])


def test_shapes_that_are_not_masked_now_are_not_told() -> None:
    # Warnings are errors in tests.
    masked = carom.Shapes([BOX, BOW], on_invalid="mask")
    assert cg.intersects(ROWS, masked, **MASK).tolist() == [True, False]
    assert cg.intersects(ROWS, BOX, **MASK).tolist() == [True, False]
    raised = shapely.force_3d(BOX)
    assert cg.intersects(ROWS, raised, drop_z=True, **MASK).tolist() == [True, False]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: cg.swept_collision(ROWS, FAR, velocity_a=[(4, 0), (np.nan, 0)], **MASK),
            (
                "a: 1 row is masked, as if missing: its velocity_a is missing or not finite "
                "(first: a.loc['q'])"
            ),
        ),
        (
            lambda: cg.swept_collision(ROWS, ROWS, velocity_b=[(np.inf, 0)] * 2, **MASK),
            (
                "b: 2 rows are masked, as if missing: their velocity_b is missing or not finite "
                "(first: b.loc['p'])"
            ),
        ),
        (
            lambda: cg.closest_approach(
                ROWS, FAR, (1, 0), turn_a=[1, np.nan], center_a=[(np.nan, 0), (0, 0)], **MASK
            ),
            (
                "a: 2 rows are masked, as if missing: their turn_a or center_a is missing or not "
                "finite (first: a.loc['p'])"
            ),
        ),
        (
            lambda: cg.contact_intervals(ROWS, FAR, (1, 0), margin=[0, -1], **MASK),
            (
                "a: 1 row is masked, as if missing: its margin is missing, not finite or negative "
                "(first: a.loc['q'])"
            ),
        ),
        (
            lambda: cg.intersects(ROWS, ROWS[::-1], align=True, margin=[0, np.nan], **MASK),
            (
                "a: 1 row is masked, as if missing: its margin is missing, not finite or negative "
                "(first: a.loc['q'])"
            ),
        ),
        (
            lambda: cg.sat(ROWS, ROWS, pairs=(["q", "q"], ["p", "q"]), margin=[0, np.nan], **MASK),
            (
                "a: 1 pair is masked, as if missing: its margin is missing, not finite or negative "
                "(first: a.loc['q'])"
            ),
        ),
        (
            lambda: cg.swept_circle((0, 0), [1, -1], (4, 0), ROWS, **MASK),
            (
                "polygon: 1 row is masked, as if missing: its radius is missing, not finite or "
                "negative (first: polygon.loc['q'])"
            ),
        ),
        (
            lambda: cg.penetration(ROWS, BOX, direction=[(1, 0), (np.nan, 0)], **MASK),
            (
                "a: 1 row is masked, as if missing: its direction is missing or not finite "
                "(first: a.loc['q'])"
            ),
        ),
    ],
)
def test_rows_that_are_masked_for_a_number_are_told_by_label(call: Any, text: str) -> None:
    with pytest.warns(UserWarning, match="masked") as caught:
        call()
    assert [str(it.message) for it in caught] == [text]


def test_numbers_of_missing_rows_are_not_told() -> None:
    geometries: list[Any] = [None, BOX]
    rows = geopandas.GeoSeries(geometries, ["p", "q"])
    velocity = [(np.nan, 0), (4, 0)]
    found = cg.swept_collision(rows, FAR, velocity, fields=("time",), **MASK)
    assert found["time"].tolist()[1] == 0.5
    with pytest.warns(UserWarning, match="^a: 1 row is masked, as if missing: 1 is not") as caught:
        cg.swept_collision(rows.fillna(BOW), FAR, velocity, fields=("time",), **MASK)
    assert len(caught) == 1


def test_intervals_of_pairs_have_the_row_numbers_of_an_operand_without_an_index() -> None:
    found = cg.contact_intervals(ROWS, [FAR, BOX], (4, 0), pairs=(["p", "p", "q"], [1, 0, 1]))
    assert found[["a", "b"]].to_numpy().tolist() == [["p", 1], ["p", 0]]
    assert "b" not in cg.contact_intervals(ROWS, BOX, (4, 0))

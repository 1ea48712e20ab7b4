"""The types in the signatures of the functions for GeoPandas: what `help` tells."""

from __future__ import annotations

import inspect
import typing
from typing import Any

import carom
import geopandas
import pytest
from carom.interop import geopandas as cg

FUNCTIONS = {
    name: getattr(cg, name) for name in cg.__all__ if inspect.isfunction(getattr(cg, name))
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_parameter_has_a_type_that_tells_something(name: str) -> None:
    types = typing.get_type_hints(FUNCTIONS[name])
    assert set(types) == {*inspect.signature(FUNCTIONS[name]).parameters, "return"}
    assert [parameter for parameter, type_ in types.items() if type_ in (Any, object)] == []


def test_joins_take_and_return_frames() -> None:
    for join in (cg.sjoin, cg.sjoin_nearest):
        types = typing.get_type_hints(join)
        assert types["left"] == types["right"] == geopandas.GeoDataFrame | cg.Column
        assert types["return"] is geopandas.GeoDataFrame
    assert typing.get_type_hints(cg.shift)["return"] is geopandas.GeoDataFrame


def test_help_has_choices_and_classes_in_place_of_any() -> None:
    text = str(inspect.signature(cg.sjoin))
    assert "left: 'GeoDataFrame | Column', right: 'GeoDataFrame | Column'" in text
    assert "how: \"Literal['inner', 'left', 'right']\" = 'inner'" in text
    assert "Any" not in text


def choices(function: Any, parameter: str) -> list[str]:
    """The texts that a parameter may be, by its type."""
    return list(typing.get_args(typing.get_type_hints(function)[parameter]))


def test_the_predicates_in_the_types_are_those_that_are_taken() -> None:
    square = geopandas.GeoDataFrame(geometry=carom.Shapes([carom.boxes(1, 1)]).to_shapely())
    predicates = choices(cg.colliding_pairs, "predicate")
    found = [name for name in predicates if len(cg.colliding_pairs(square, square, predicate=name))]
    assert found == ["intersects", "contains", "within", "covers", "covered_by", "equals"]
    assert sorted(choices(cg.sjoin, "predicate")) == sorted([*predicates, "dwithin"])
    with pytest.raises(ValueError, match="expected one of") as error:
        cg.sjoin(square, square, predicate="meets")
    told = str(error.value).partition("one of ")[2].partition(", got")[0]
    assert told.replace("'", "").split(", ") == choices(cg.sjoin, "predicate")


@pytest.mark.parametrize("parameter", ["how", "self_pairs"])
def test_the_choices_in_the_types_of_a_join_are_those_in_its_errors(parameter: str) -> None:
    square = geopandas.GeoDataFrame(geometry=carom.Shapes([carom.boxes(1, 1)]).to_shapely())
    told = ", ".join(map(repr, choices(cg.sjoin, parameter)))
    with pytest.raises(ValueError, match=f"{parameter}: expected one of {told}, got 'none'"):
        cg.sjoin(square, square, **{parameter: "none"})

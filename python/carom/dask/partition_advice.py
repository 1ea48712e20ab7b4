"""What to do about rows of Dask that are refused."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import geopandas

from carom._input_error import InputError, again, parts_of
from carom.dask.partitions_as_wkb import meta_of
from carom.interop.geopandas.row_advice import advice_on_rows, repair_of
from carom.interop.shapely_faults import REPAIR, TAKE_PARTS, UNION, WITHOUT_Z

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

_FLAT = "drop_z=True leaves it out"


def advice_on_partitions(name: str, rows: Any) -> dict[str, str]:
    """The advice on rows of an argument, by the advice on shapes of Shapely."""
    if not isinstance(meta_of(rows), geopandas.GeoDataFrame | geopandas.GeoSeries):
        return {WITHOUT_Z: _FLAT, TAKE_PARTS: TAKE_PARTS, REPAIR: REPAIR, UNION: REPAIR}
    repaired = _mapped(name, f"{repair_of('part')}.rows")
    polygons = _mapped(name, f"{repair_of('part', polygons=True)}.rows")
    return {
        WITHOUT_Z: _FLAT,
        TAKE_PARTS: f"{polygons} keeps its polygons",
        REPAIR: f"; {repaired} repairs it",
        UNION: f"; {repaired} repairs it",
    }


def _mapped(name: str, made: str) -> str:
    return f"{name}.map_partitions(lambda part: {made})"


@contextmanager
def advised(name: str, advice: Mapping[str, str]) -> Generator[None]:
    """Errors about the rows of a partition have the advice that fits Dask."""
    try:
        yield
    except InputError as why:
        instead = {
            of_rows: advice.get(of_shapes, of_shapes)
            for of_shapes, of_rows in advice_on_rows(name).items()
        }
        raise again(why, *(instead.get(part, part) for part in parts_of(why))) from None

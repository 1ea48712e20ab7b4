"""What to do about rows that are refused."""

from __future__ import annotations

from carom.interop.shapely_faults import REPAIR, TAKE_PARTS, UNION, WITHOUT_Z


def advice_on_rows(name: str) -> dict[str, str]:
    """The advice on rows of an argument, by the advice on shapes that it replaces."""
    repaired = f"; {repair_of(name)} repairs it"
    return {
        WITHOUT_Z: f"drop_z=True leaves it out, and so does {name}.force_2d()",
        TAKE_PARTS: f"{keeps_polygons(name)}, and {name}.explode() makes rows of its parts",
        REPAIR: repaired,
        UNION: repaired,
    }


def keeps_polygons(name: str) -> str:
    """How to take the polygons of a collection."""
    return f"{repair_of(name, polygons=True)} keeps its polygons"


def repair_of(name: str, *, polygons: bool = False) -> str:
    """The call that repairs the rows of an argument."""
    collections = ", collections='polygons'" * polygons
    return f"carom.interop.geopandas.repair({name}{collections})"

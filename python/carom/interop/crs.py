"""Coordinate reference systems, with or without GeoPandas."""

from __future__ import annotations

from typing import Any

_SHORT = 50


def crs_name(crs: Any) -> str:
    """The code of a coordinate reference system, such as EPSG:4326, or else its name."""
    text = str(crs)
    if len(text) <= _SHORT:
        return text
    name = str(getattr(crs, "name", "unknown"))
    return f"{text[:_SHORT]}..." if name == "unknown" else name


def refuse_different(one: Any, other: Any, names: tuple[str, str]) -> None:
    """Refuses the two systems of arguments of these names if they are not the same."""
    if is_same_crs(one, other):
        return
    texts = crs_name(one), crs_name(other)
    if texts[0] == texts[1]:
        texts = str(one), str(other)
    raise ValueError(
        f"{names[0]} has the CRS {texts[0]} and {names[1]} the CRS {texts[1]}; bring them into one "
        "with to_crs()"
    )


def is_same_crs(one: Any, other: Any) -> bool:
    """Whether two coordinate systems are the same, but for the order of their axes."""
    if one == other:
        return True
    try:
        from pyproj import CRS

        known = [CRS.from_user_input(crs) for crs in (one, other)]
        return bool(known[0].equals(known[1], ignore_axis_order=True))
    except (ImportError, RuntimeError):  # RuntimeError: pyproj knows no such system
        return False

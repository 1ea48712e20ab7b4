"""Coordinate reference systems, with or without GeoPandas."""

from __future__ import annotations

from typing import Any


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

"""Coordinate reference systems: what is refused, and what is warned of."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

from carom.interop.crs import crs_name, refuse_different


def check_crs(one: Any, other: Any, names: tuple[str, str]) -> None:
    """Refuses two different systems, and warns, as GeoPandas does, if only one is known."""
    if one is not None and other is not None:
        refuse_different(one, other, names, "set_crs()")
    elif one is not None or other is not None:
        known = [None if crs is None else crs_name(crs) for crs in (one, other)]
        warn(
            f"CRS mismatch between the CRS of {names[0]} and the CRS of {names[1]}.\n"
            "Use `to_crs()` to reproject one of the input geometries to match the CRS of the "
            f"other.\n\nCRS of {names[0]}: {known[0]}\nCRS of {names[1]}: {known[1]}\n"
        )


def warn_of_degrees(function: str, what: str, *systems: Any) -> None:
    """Warns, as GeoPandas does, if a length or a direction is asked of degrees."""
    if any(crs is not None and crs.is_geographic for crs in systems):
        warn(
            f"Geometry is in a geographic CRS. Results from '{function}' are likely incorrect: "
            f"{what} in degrees. Use 'GeoSeries.to_crs()' to re-project geometries to a projected "
            "CRS before this operation.\n"
        )


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Issues a warning that names the line of the caller of this package."""
    frame, level = inspect.currentframe(), 1
    while frame and frame.f_back and frame.f_globals.get("__name__", "").startswith("carom."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)

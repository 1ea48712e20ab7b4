"""Coordinate reference systems: what is refused, and what is warned of."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

from carom.interop.crs import is_same_crs

_SHORT = 50


def crs_name(crs: Any) -> str:
    """The code of a coordinate reference system, such as EPSG:4326, or else its name."""
    text = str(crs)
    if len(text) <= _SHORT:
        return text
    name = str(getattr(crs, "name", "unknown"))
    return f"{text[:_SHORT]}..." if name == "unknown" else name


def check_crs(one: Any, other: Any, names: tuple[str, str]) -> None:
    """Refuses two different systems, and warns, as GeoPandas does, if only one is known."""
    if one is not None and other is not None:
        if not is_same_crs(one, other):
            texts = crs_name(one), crs_name(other)
            if texts[0] == texts[1]:
                texts = str(one), str(other)
            raise ValueError(
                f"{names[0]} has the CRS {texts[0]} and {names[1]} the CRS {texts[1]}; bring them "
                "into one with to_crs()"
            )
    elif one is not None or other is not None:
        left, right = (None if crs is None else crs_name(crs) for crs in (one, other))
        warn(
            "CRS mismatch between the CRS of left geometries and the CRS of right geometries.\n"
            "Use `to_crs()` to reproject one of the input geometries to match the CRS of the "
            f"other.\n\nLeft CRS: {left}\nRight CRS: {right}\n"
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
    while frame and frame.f_back and frame.f_globals["__name__"].startswith("carom."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)

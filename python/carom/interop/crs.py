"""Coordinate reference systems, with or without pyproj: as columns keep them, and compared."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from carom._input_error import InputTypeError, InputValueError, Place

_SHORT = 50

_CODE = re.compile(r"(?:urn:ogc:def:crs:)?([A-Za-z_]\w*):(?:[\d.]*:)?(\w+)")

# Coordinates are x, y here whatever the order of a system's axes.
_SAME_BUT_FOR_AXES = {"OGC:CRS84": "EPSG:4326"}

# PROJJSON of the last systems.
_written: dict[str, str] = {}
_MOST = 64


def crs_text(crs: Any) -> str:
    """What a column keeps of a system: a JSON object, or text.

    Parameters
    ----------
    crs : dict, str, int or pyproj.CRS
        PROJJSON, text such as "EPSG:32633", the number of an EPSG code, or a system of pyproj.

    Raises
    ------
    TypeError
        If `crs` is something else.
    ValueError
        If it is empty text or no positive number, or the dict is not one of JSON.
    """
    if hasattr(crs, "to_json") and hasattr(crs, "srs"):
        return _json_of(crs.srs)
    if isinstance(crs, str) and crs.strip():
        if crs.startswith("{") and not _json(crs):
            raise InputValueError(
                f"expected PROJJSON or text without braces, got {crs[:_SHORT]!r}", at="crs"
            )
        return crs
    if isinstance(crs, int | np.integer) and not isinstance(crs, bool):
        if crs <= 0:
            raise InputValueError(
                f"expected the number of an EPSG code, or None for none, got {crs}", at="crs"
            )
        return f"EPSG:{crs}"
    if isinstance(crs, dict) and crs:
        try:
            return json.dumps(crs, allow_nan=False)
        except (TypeError, ValueError) as why:
            raise InputValueError(f"the dict is not PROJJSON: {why}", at="crs") from None
    if isinstance(crs, str | dict):
        raise InputValueError(f"expected a system, or None for none, got {crs!r}", at="crs")
    raise InputTypeError(
        f"expected PROJJSON as a dict, text, an EPSG code or None, got {type(crs).__name__}",
        at="crs",
    )


def _json_of(srs: str) -> str:
    """PROJJSON of a system of pyproj, which takes it as long as a short batch to write."""
    from pyproj import CRS

    if srs not in _written:
        if len(_written) == _MOST:
            _written.clear()
        _written[srs] = CRS(srs).to_json()
    return _written[srs]


def crs_name(crs: Any) -> str:
    """The code of a coordinate reference system, such as EPSG:4326, or else its name."""
    if isinstance(crs, dict) or (isinstance(crs, str) and crs.startswith("{")):
        known = _json(crs)
        name = str(known.get("name", "unknown"))
        if name == "unknown" and isinstance(conversion := known.get("conversion"), dict):
            name = f"unknown ({conversion.get('method', {}).get('name')})"
        return _code(known) or name
    text = str(crs)
    if len(text) <= _SHORT:
        return text
    name = str(getattr(crs, "name", "unknown"))
    return f"{text[:_SHORT]}..." if name == "unknown" else name


def refuse_different(
    one: Any, other: Any, names: tuple[str, str], setter: str = "with_crs()"
) -> None:
    """Refuses the two systems of arguments of these names if they are not the same.

    `setter` is the method by which the arguments get another system.
    """
    _refuse(one, other, names, f"bring them into one with to_crs(), or set it by {setter}")


def refuse_contradiction(one: Any, other: Any, names: tuple[str, str]) -> None:
    """Refuses the systems that two parts of one column state if they are not the same."""
    advice = (
        "a column has one, so drop the wrong one before: shapely.set_srid(geometries, 0) drops "
        "those of geometries"
    )
    _refuse(one, other, names, advice)


def _refuse(one: Any, other: Any, names: tuple[str, str], advice: str) -> None:
    """Refuses two systems of things of these names if they are not the same."""
    try:
        if is_same_crs(one, other):
            return
    except ImportError:
        advice = (
            "whether they are the same takes pyproj, which is not installed, and with_crs() sets "
            "the system of a column"
        )
    texts = crs_name(one), crs_name(other)
    if texts[0] == texts[1]:
        texts = str(one), str(other)
    raise InputValueError(
        f"has the CRS {texts[0]} and ",
        names[1],
        f" the CRS {texts[1]}; {advice}",
        at=names[0],
        link=" ",
    )


def two_srids(row: Place, srid: int, first: Place, of_first: int) -> InputValueError:
    """The error for two rows of an argument that have these SRIDs."""
    return InputValueError(
        f"the SRID {srid}, where ",
        first,
        f" has {of_first}; rows of a column have one reference system",
        at=row,
    )


def is_same_crs(one: Any, other: Any) -> bool:
    """Whether two coordinate systems are the same, but for the order of their axes.

    Raises
    ------
    ImportError
        If that is not plain from their texts or codes, and pyproj is not installed.
    """
    if one == other:
        return True
    codes = [_code(crs) for crs in (one, other)]
    if codes[0] is not None and codes[0] == codes[1]:
        return True
    from pyproj import CRS

    try:
        known = [CRS.from_user_input(crs) for crs in (one, other)]
    except RuntimeError:  # pyproj knows no such system
        return False
    return bool(known[0].equals(known[1], ignore_axis_order=True))


def is_code(crs: str) -> bool:
    """Whether text is an authority and a code."""
    return _CODE.fullmatch(crs) is not None and not crs.startswith("urn:")


def _json(crs: dict[str, Any] | str) -> dict[str, Any]:
    """PROJJSON as a dict; an empty one of text that is something else."""
    if isinstance(crs, dict):
        return crs
    try:
        known = json.loads(crs)
    except (ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def _code(crs: Any) -> str | None:
    """The authority and the code of a system, where it states them."""
    if isinstance(crs, str) and crs.startswith("{"):
        crs = _json(crs)
    if isinstance(crs, dict):
        known = crs.get("id")
        stated = f"{known.get('authority')}:{known.get('code')}" if isinstance(known, dict) else ""
    else:
        stated = crs.strip() if isinstance(crs, str) else ""
    if stated.isdecimal():
        stated = f"EPSG:{stated}"
    if (found := _CODE.fullmatch(stated)) is None:
        return None
    code = f"{found[1]}:{found[2]}".upper()
    return _SAME_BUT_FOR_AXES.get(code, code)

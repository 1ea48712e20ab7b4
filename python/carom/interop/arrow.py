"""What the metadata of Arrow data say about shapes: the column, its encoding and its CRS."""

from __future__ import annotations

import json
from typing import Any

from carom.interop.crs import crs_text, is_code, refuse_contradiction

# What GeoParquet takes for the system of a column that states none.
_DEFAULT_CRS = "OGC:CRS84"


def chosen_column(
    name: str, fields: list[tuple[str, bool]], column: str | None, geo: str | None
) -> int:
    """The position of the column of shapes in a table.

    Parameters
    ----------
    name : str
        The argument's name, for errors.
    fields : list of (str, bool)
        The name of each column, and whether it has an extension name of shapes.
    column : str or None
        The column that the caller names; by default GeoParquet's primary column, or else the one
        with an extension name.
    geo : str or None
        The metadata of GeoParquet.

    Raises
    ------
    ValueError
        If there is no such column, or more than one.
    """
    names = [field for field, _ in fields]
    listed = ", ".join(names) if names else "none"
    if column is not None:
        found = [position for position, field in enumerate(names) if field == column]
        if len(found) == 1:
            return found[0]
        what = f"{len(found)} columns are" if found else "no column is"
        raise ValueError(f"{name}: {what} called {column!r}; the columns are {listed}")
    primary: Any = _object(name, geo).get("primary_column")
    if names.count(primary) == 1:
        return names.index(primary)
    found = [position for position, (_, is_shapes) in enumerate(fields) if is_shapes]
    if len(found) == 1:
        return found[0]
    what = (
        f"the columns {', '.join(names[position] for position in found)} have shapes"
        if found
        else f"no column has the extension name of shapes; the columns are {listed}"
    )
    raise ValueError(f"{name}: {what}; Shapes.from_arrow(frame, column=...) takes one")


def stated(
    name: str, column: str | None, metadata: str | None, geo: str | None
) -> tuple[str | None, str | None]:
    """The encoding that GeoParquet states of a column, and the reference system of its shapes.

    Parameters
    ----------
    name : str
        The argument's name, for errors.
    column : str or None
        The column; None of data that are not a table.
    metadata, geo : str or None
        The metadata of the extension type, and of GeoParquet.

    Raises
    ------
    ValueError
        If edges are not straight in the plane, the systems of both metadata differ, or metadata are
        not as their formats say.
    """
    own = _object(name, metadata)
    columns = _object(name, geo).get("columns")
    in_file = columns.get(column) if isinstance(columns, dict) else None
    if not isinstance(in_file, dict | None):
        raise ValueError(f"{name}: expected a JSON object as GeoParquet's metadata of {column}")
    for known in (own, in_file or {}):
        edges = known.get("edges", "planar")
        if edges not in ("planar", None):
            raise ValueError(
                f"{name}: the edges are {edges}, and those of shapes are straight in the plane; "
                "divide long edges along the curves that they stand for, then project the data"
            )
    crs = own.get("crs")
    encoding = None
    if in_file is not None:
        encoding = in_file.get("encoding")
        if not isinstance(encoding, str | None):
            raise ValueError(f"{name}: expected text as GeoParquet's encoding of {column}")
        if crs is None:
            crs = in_file.get("crs", _DEFAULT_CRS)
        elif in_file.get("crs") is not None:
            refuse_contradiction(
                crs, in_file["crs"], (f"the type of {name}", f"the file's metadata of {name}")
            )
    try:
        return encoding, None if crs is None else crs_text(crs)
    except (TypeError, ValueError) as why:
        raise ValueError(f"{name}: {why}") from None


def _object(name: str, text: str | None) -> dict[str, Any]:
    """A JSON object; an empty one of no text."""
    if not text:
        return {}
    try:
        known = json.loads(text)
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, dict):
        raise ValueError(f"{name}: expected a JSON object as metadata, got {text[:50]!r}")
    return known


def metadata(crs: str) -> str:
    """The metadata of an extension type whose shapes have this reference system."""
    if crs.startswith("{"):
        return f'{{"crs": {crs}, "crs_type": "projjson"}}'
    kind = {"crs_type": "authority_code"} if is_code(crs) else {}
    return json.dumps({"crs": crs, **kind})

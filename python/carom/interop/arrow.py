"""What the metadata of Arrow data say about shapes: the column, its encoding and its CRS."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from carom._input_error import InputValueError, Place
from carom.interop.crs import crs_text, is_code, refuse_contradiction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

BY_COLUMN = "Shapes.from_arrow(frame, column=...)"

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
        raise InputValueError(f"{what} called {column!r}; the columns are {listed}", at=name)
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
    raise InputValueError(f"{what}; ", BY_COLUMN, " takes one", at=name)


class KindAdvice(str):
    """Advice on what tells which of two kinds the shapes in lists are.

    `given` says where a caller states the kind; the other way is the name of the extension type.
    """

    __slots__ = ("given", "kinds", "names")

    kinds: Sequence[str]
    names: Sequence[str]
    given: str

    def __new__(
        cls,
        kinds: Sequence[str],
        names: Sequence[str],
        given: str = "kind='{}' or kind='{}' of Shapes.from_arrow",
    ) -> Self:
        names_text = f"the extension name {names[0]} or {names[1]}"
        advice = super().__new__(cls, f": {given.format(*kinds)} tells, or {names_text}")
        advice.kinds, advice.names, advice.given = kinds, names, given
        return advice

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.kinds, self.names, self.given


def two_kinds(name: str, what: str, kinds: Sequence[str], names: Sequence[str]) -> InputValueError:
    """The error for lists of coordinates that may be of two kinds, of which `what` tells."""
    return InputValueError(what, KindAdvice(kinds, names), at=name)


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
        raise InputValueError(
            f"expected a JSON object as GeoParquet's metadata of {column}", at=name
        )
    for known in (own, in_file or {}):
        edges = known.get("edges", "planar")
        if edges not in ("planar", None):
            raise InputValueError(
                f"the edges are {edges}, and those of shapes are straight in the plane; "
                "divide long edges along the curves that they stand for, then project the data",
                at=name,
            )
    crs = own.get("crs")
    encoding = None
    if in_file is not None:
        encoding = in_file.get("encoding")
        if not isinstance(encoding, str | None):
            raise InputValueError(f"expected text as GeoParquet's encoding of {column}", at=name)
        if crs is None:
            crs = in_file.get("crs", _DEFAULT_CRS)
        elif in_file.get("crs") is not None:
            sources = (f"the type of {name}", f"the file's metadata of {name}")
            one, other = (Place(name, text=source) for source in sources)
            refuse_contradiction(crs, in_file["crs"], (one, other))
    try:
        return encoding, None if crs is None else crs_text(crs)
    except (TypeError, ValueError) as why:
        raise InputValueError(str(why), at=name) from None


def _object(name: str, text: str | None) -> dict[str, Any]:
    """A JSON object; an empty one of no text."""
    if not text:
        return {}
    try:
        known = json.loads(text)
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, dict):
        raise InputValueError(f"expected a JSON object as metadata, got {text[:50]!r}", at=name)
    return known


def metadata(crs: str) -> str:
    """The metadata of an extension type whose shapes have this reference system."""
    if crs.startswith("{"):
        return f'{{"crs": {crs}, "crs_type": "projjson"}}'
    kind = {"crs_type": "authority_code"} if is_code(crs) else {}
    return json.dumps({"crs": crs, **kind})

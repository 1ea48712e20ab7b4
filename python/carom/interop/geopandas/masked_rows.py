"""The warning for rows that are masked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from carom.interop.geopandas.crs_checks import warn
from carom.interop.geopandas.row_advice import repair_of
from carom.interop.reasons import RAISED
from carom.interop.shapely_faults import COLLECTED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    import carom


def warn_of_masked(
    name: str,
    shapes: carom.Shapes,
    masked: NDArray[np.bool_],
    place: Callable[[int], str],
    repairable: str = "",
) -> None:
    """Warns of masked rows of an argument: how many, why, and what to do.

    `place` is how the message names a row, and `repairable` the code of the rows as `repair` takes
    them, by default the argument.
    """
    rows = np.flatnonzero(masked)
    if len(rows) == 0:
        return
    reasons = shapes.invalid_reason[rows].tolist()
    counts = Counter(map(_kind, reasons))
    found = [(counts[kind], kind) for kind in _KINDS if counts[kind]]
    why = ", ".join(f"{count} {kind.many if count > 1 else kind.one}" for count, kind in found)
    first = f"{place(int(rows[0]))}: {reasons[0].partition('; ')[0]}"
    warn(
        f"{masked_rows(name, len(rows))}: {why} (first: {first}); "
        + _advice(repairable or name, {kind.begin for _, kind in found})
    )


class _Kind(NamedTuple):
    """Masked rows whose reasons begin alike, and what one and several are said to be."""

    begin: str
    one: str
    many: str


_KINDS = (
    _Kind(RAISED, "has Z or M", "have Z or M"),
    _Kind(COLLECTED, "is a GeometryCollection", "are GeometryCollections"),
    _Kind("", "is not valid", "are not valid"),
)


def _kind(reason: str) -> _Kind:
    return next(kind for kind in _KINDS if reason.startswith(kind.begin))


def _advice(name: str, begins: set[str]) -> str:
    """What to do about rows whose reasons begin so."""
    advice = ["drop_z=True takes rows with Z and M"] if RAISED in begins else []
    if begins != {RAISED}:
        advice.append(f"{repair_of(name, polygons=COLLECTED in begins)} repairs rows")
    return ", and ".join(advice)


def masked_rows(name: str, count: int, what: str = "row") -> str:
    """What the warning begins with; `what` is how a row is called."""
    are = f"1 {what} is" if count == 1 else f"{count} {what}s are"
    return f"{name}: {are} masked, as if missing"

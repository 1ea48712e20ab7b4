"""Docstrings of functions that have parameters, results and errors in common."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from carom.interop.geopandas.unknown_keywords import hinting

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

_ORDER = ("Parameters", "Returns", "Warns", "Raises", "See Also", "Notes", "Examples")
_HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)

PARAMETERS = """
align : bool, optional
    Whether two series are aligned by index label. By default they are, with a warning if their
    indexes differ, as in GeoPandas. If False, they are aligned by position, and must have the
    same number of rows. A series of one row is combined with every row, unless this is True.
pairs : DataFrame with the columns a and b, or two sequences of labels, optional
    Which rows go together, by label, as `colliding_pairs` returns them. Replaces the alignment.
    An operand without an index is indexed by row number.
margin : float, array_like of shape (N,), Series, or str, default 0.0
    The distance up to which shapes count as touching: one number, or one for each row, by position,
    by label, or in the column of this name.
center : array_like of shape (2,) or (N, 2), or Point, or GeoSeries of points, or names
    The centers at time 0: for all, by position, or by the index label of the polygons.
radius : float, or array_like of shape (N,), or Series
    The radii, in the unit of the coordinates.
polygon : GeoSeries or GeoDataFrame
    The polygons, or shapes of other kinds.
velocity : array_like of shape (2,) or (N, 2), DataFrame of two columns, or names of two, optional
    The displacement of the first shape relative to the other one within the frame of time, in the
    unit of the coordinates: one for all rows, or one for each, by position, by index label, or in
    the two columns of these names.
velocity_a, velocity_b : array_like of shape (2,) or (N, 2), DataFrame, or names, optional
    The displacements of the first shape and of the other one, one of them or both, each in the
    direction in which its own shape moves. Their difference is not rounded.
turn_a, turn_b : float, array_like of shape (N,), Series, or str, optional
    The angle in radians by which the rows turn within the frame of time, counterclockwise.
center_a, center_b : array_like of shape (2,) or (N, 2), GeoSeries, Point, or names, optional
    The points about which they turn: also the name of a column of points. Required with a turn
    that is not 0.
duration : float, Timedelta, timedelta, timedelta64, or str, optional
    How long the frame of time is, a string being such as "6h". Velocities are then per second, or
    per unit of the number, and a displacement is the float64 product of both, to which the exact
    answers refer. A turn remains the angle over the frame.
progress : bool or function, optional
    True shows a bar of tqdm; a function is called with the number of rows done and that of all
    rows of `a`. What it raises ends the join.
start : Timestamp, datetime, datetime64, or str, optional
    When the frame begins; the times of the result then are timestamps. Requires a `duration` that
    is a time span.
drop_z : bool, default False
    Whether Z and M of geometries are left out; otherwise they are refused.
on_invalid : {"raise", "mask"}, default "raise"
    "mask" treats invalid shapes as missing, with a warning that counts them by reason; `repair`
    makes them valid.
"""

OF_ROWS = """
Parameters
----------
a, b : GeoSeries or GeoDataFrame, or shapes in any form that `carom.{batch}` takes
    The shapes. At least one of the two must have an index.

Returns
-------
pandas.DataFrame
    One column per number of `carom.{result}`, with the aligned index, or that of ``pairs``.

Warns
-----
UserWarning
    If the indexes differ, one operand alone has a CRS, lengths that are given or asked for are in
    degrees, or rows are masked, for their shapes or for numbers that are not valid: how many, and
    why.

Raises
------
ValueError
    If a shape is not valid, the CRS differ, or a number of a row is missing or not finite.
TypeError
    If neither operand has an index, or a row is a GeometryCollection.
"""

OF_CIRCLES = """
Returns
-------
pandas.DataFrame
    One column per number of `carom.{result}`, with the index of `polygon`.

Warns
-----
UserWarning
    If the radius is in degrees, or rows are masked, for their shapes or for numbers that are not
    valid: how many, and why.

Raises
------
ValueError
    If a shape is not valid, a radius is negative, or a number of a row is missing or not finite.
TypeError
    If `polygon` has no index, or a row is a GeometryCollection.
"""

OF_PAIRS = """
Parameters
----------
a : GeoSeries or GeoDataFrame
    Shapes.
b : GeoSeries or GeoDataFrame, optional
    Other shapes. By default the rows of `a` are paired with each other, each pair once.
velocity_a, velocity_b : array_like of shape (2,) or (N, 2), DataFrame, or names, optional
    The displacements of the rows within the frame of time: one for all rows, or one for each, by
    position, by label, or in the two columns of these names.

Returns
-------
pandas.DataFrame
    The labels of each pair in the columns ``a`` and ``b``; ``pairs=`` of `intersects`, `sat`,
    `distance` and `swept_collision` takes it.

Warns
-----
UserWarning
    If one argument alone has a CRS, lengths that are given or asked for are in degrees, or shapes
    are masked: how many, and why.

Raises
------
ValueError
    If a shape is not valid, the CRS differ, or a number of a row is missing or not finite.
TypeError
    If `a` or `b` has no index.
"""


def twin_of(
    function: Callable[..., Any], shared: str = OF_ROWS, **instead: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Makes a function the twin of one of carom: it refuses unknown keywords as by `hinting`.

    Its docstring is completed from `shared`: parameters that it doesn't describe are those of
    `shared`, of `PARAMETERS`, or else "As in" `function`; errors follow its own, and the other
    sections are those of `shared` if it has none.
    """

    def decorated(own: Callable[P, R]) -> Callable[P, R]:
        # Python leaves docstrings out if it is told to.
        if own.__doc__ is not None:
            own.__doc__ = _completed(own, function, shared)
        return hinting(function, **instead)(own)

    return decorated


def _completed(own: Callable[..., Any], function: Callable[..., Any], shared: str) -> str:
    summary, sections = _sections(own.__doc__ or "")
    result = "".join(map(str.capitalize, f"{function.__name__}_result".split("_")))
    filled = shared.replace("{batch}", function.__name__).replace("{result}", result)
    common = _sections(filled)[1]
    described = [sections.get("Parameters", ""), common.get("Parameters", ""), PARAMETERS]
    found = common | sections
    found["Parameters"] = _parameters(own, function, described)
    found["Raises"] = sections.get("Raises", "") + common["Raises"]
    texts = [
        f"{name}\n{'-' * len(name)}\n{found[name].strip()}" for name in _ORDER if name in found
    ]
    return "\n\n".join([summary.strip(), *texts]) + "\n"


def _sections(text: str) -> tuple[str, dict[str, str]]:
    """The text before the first section of a docstring, and the text of each section."""
    before, *parts = _HEADING.split(inspect.cleandoc(text))
    return before, {
        name: f"{it.strip()}\n" for name, it in zip(parts[::2], parts[1::2], strict=True)
    }


def _parameters(own: Callable[..., Any], function: Callable[..., Any], described: list[str]) -> str:
    """A description of each parameter, the first that there is, in the order of the signature."""
    known: dict[str, str] = {}
    for text in reversed(described):
        for entry in _ENTRY.split(text.strip())[1:]:
            names = entry.partition("\n")[0].partition(" : ")[0]
            known |= dict.fromkeys(names.split(", "), f"{entry.strip()}\n")
    names = list(inspect.signature(own).parameters)
    undescribed = ", ".join(name for name in names if name not in known)
    entries = dict.fromkeys(known[name] for name in names if name in known)
    as_there = f"{undescribed}\n    As in `carom.{function.__name__}`.\n" if undescribed else ""
    return "".join(entries) + as_there

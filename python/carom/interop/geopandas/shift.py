"""Shapes moved off obstacles by the shortest way."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import geopandas
import numpy as np
import pandas as pd
import shapely
from geopandas.array import GeometryArray
from numpy.typing import NDArray

import carom
from carom._input_error import InputError, InputTypeError, InputValueError, again
from carom.interop.geopandas.column import (
    Column,
    both_indexed,
    is_missing,
    labelled,
    not_indexed,
    place,
)
from carom.interop.geopandas.crs_checks import warn_of_degrees
from carom.interop.geopandas.joins.motion import named
from carom.interop.geopandas.row_values import axes, of_rows, positions, read, refuse_other_length
from carom.interop.geopandas.types import Numbers, Rows, Vectors
from carom.interop.geopandas.unknown_keywords import hinting

_Floats: TypeAlias = NDArray[np.float64]
_Positions: TypeAlias = NDArray[np.integer[Any]]

_COLUMNS = ("shift_x", "shift_y", "shift_line")
_LENGTHENINGS = 16
"""How many times a shift is lengthened, each time by twice as many units in the last place: at the
size of UTM coordinates by less than a millimetre in all."""

_LEAST_OPENING = 2.0**-20
"""1 plus the cosine of two normals, below which edges count as parallel: 1e-3 rad between them."""


@hinting(carom.penetration_batch, pairs="sjoin(fields=('mtv',)) gives the shift of each pair")
def shift(
    frame: Rows,
    obstacle: shapely.Geometry | Rows,
    *,
    align: bool | None = None,
    direction: Vectors | None = None,
    margin: Numbers = 0.0,
    threads: int | None = None,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> geopandas.GeoDataFrame:
    """Shapes moved off an obstacle by the shortest way, so that the interiors are disjoint.

    A row that overlaps the obstacle is moved by the `mtv` of `carom.penetration`, lengthened by the
    few units in the last place after which the interiors of the float64 shapes have exactly no
    point in common. It then touches the obstacle, but for these units. Other rows keep their very
    geometry.

    Parameters
    ----------
    frame : GeoDataFrame, GeoSeries or Column
        The shapes to be moved.
    obstacle : Geometry, GeoSeries, GeoDataFrame or Column
        What they are moved off: one geometry or a frame of one row for all, or a row for each.
        ``obstacle.union_all()`` is one geometry of many. ``obstacle.buffer(2)`` leaves two metres.
    align : bool, optional
        How several obstacles belong to the rows, required with several: with True by label, where
        a row whose label none of them has stays where it is; with False by position.
    direction : array_like of shape (2,) or (N, 2), or DataFrame of two columns, or names, optional
        The direction in which the shapes move; by default the shortest way.
    margin : float, array_like of shape (N,), Series, or str, default 0.0
        How far convex shapes are apart afterwards, also the name of a column.
    threads : int, optional
        How many threads to use; all cores, by default.
    on_invalid : {"raise", "mask"}, default "raise"
        "mask" treats invalid shapes as missing, which are not moved.
    drop_z : bool, default False
        Whether Z and M are left out; otherwise shapes that have them are refused. Moved geometries
        have none, the others keep theirs.

    Returns
    -------
    GeoDataFrame
        The rows with their index and attributes. The active geometry is that of the moved shapes,
        ``shift_x`` and ``shift_y`` are what was added to their coordinates (0 where a shape is
        clear, NaN where it is missing), and ``shift_line`` is a second column of geometries, the
        line from the centroid of the shape to that of the moved one (missing where it isn't moved).

    Warns
    -----
    UserWarning
        If one argument alone has a CRS, or shifts are in degrees.

    Raises
    ------
    ValueError
        If a shape is not valid, a direction is zero, the CRS differ, there are several obstacles
        without `align`, a label has several obstacles, a column has the name of one of the
        result, or a shape can't be moved: see Notes.
    TypeError
        If `frame` has no index, `obstacle` is no geometry and has none, or a shape is a path or a
        point that isn't convex.

    See Also
    --------
    penetration : the depths and the translations alone.

    Notes
    -----
    A shape that overlaps several obstacles is moved off all of them at once only if they are one
    geometry. The way may lead into a hole or a notch. If the place that it leads to is as wide as
    the shape, to the last digit, the rounded coordinates may not fit: then the row is refused.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> sheds = geopandas.GeoDataFrame({"shed": ["p", "q"]}, geometry=[
    ...     shapely.box(0, 0, 2, 2), shapely.box(5, 5, 6, 6)])
    >>> road = shapely.LineString([(-9, -1), (9, -1)])
    >>> moved = cg.shift(sheds, road.buffer(1.5, cap_style="flat"))
    >>> moved[["shed", "shift_x", "shift_y"]]
      shed  shift_x  shift_y
    0    p      0.0      0.5
    1    q      0.0      0.0
    >>> moved.geometry.bounds.loc[0].tolist()
    [0.0, 0.5, 2.0, 2.5]
    """
    if type(align) not in (bool, np.bool_, type(None)):
        raise InputTypeError(f"expected True, False or None, got {align!r}", at="align")
    names = ("frame", "obstacle")
    reading: dict[str, Any] = {"on_invalid": on_invalid, "drop_z": drop_z}
    column, given = both_indexed(frame, obstacle, names, check=True, **reading)
    if column is None:
        raise InputTypeError(not_indexed("frame", frame), at="frame")
    # The name of a series is that of its column in the result.
    names_of_rows = getattr(column.rows, "columns", [getattr(column.rows, "name", None)])
    for name in _COLUMNS:
        if name in names_of_rows:
            raise InputValueError(f"has a column {name!r} already; rename it", at="frame", link=" ")
    warn_of_degrees("shift", "shifts are", *(it.crs for it in (column, given) if it is not None))
    obstacles = _one(obstacle, **reading) if given is None else given.shapes
    pairs = _pairs(column, given, align)
    numbers = {"margin": margin} | ({} if direction is None else {"direction": direction})
    overlaps = _Overlaps(column, obstacles, pairs, threads, **numbers)
    with labelled(**overlaps.labels(given)), named(b="obstacle"):
        shifts = _shifts(overlaps)
    return _frame(column, shifts)


def _one(obstacle: Any, **reading: Any) -> carom.Shapes:
    """The column of one geometry."""
    if not isinstance(obstacle, shapely.Geometry):
        wanted = "a geometry, a GeoSeries or a GeoDataFrame"
        raise InputTypeError(not_indexed("obstacle", obstacle, wanted), at="obstacle")
    try:
        return carom.Shapes.from_shapely(np.array([obstacle], dtype=object), **reading)
    except InputError as why:
        raise again(why, at="obstacle") from None


def _pairs(
    column: Column, obstacles: Column | None, align: bool | None
) -> tuple[_Positions, _Positions]:
    """The rows that have an obstacle, and its row."""
    every = np.arange(len(column))
    if obstacles is None:
        return every, np.zeros_like(every)
    one, other = column.index, obstacles.index
    if len(other) == 1 and not align:
        return every, np.zeros_like(every)
    if align is None:
        raise InputValueError(
            f"has {len(other)} rows; obstacle.union_all() is one geometry of all, and align=True "
            "takes the row of the same label",
            at="obstacle",
            link=" ",
        )
    if not align:
        if len(one) != len(other):
            raise InputValueError(
                f"has {len(other)} rows, and frame has {len(one)}; by position (align=False) they "
                "must have as many",
                at="obstacle",
                link=" ",
            )
        return every, every
    rows = np.flatnonzero(one.isin(other))
    return rows, positions("obstacle", other, one[rows])


class _Overlaps:
    """The rows of a frame that have an obstacle, and their way out of it."""

    def __init__(
        self,
        column: Column,
        obstacles: carom.Shapes,
        pairs: tuple[_Positions, _Positions],
        threads: int | None,
        **numbers: Any,
    ) -> None:
        self.column, self.obstacles, self.threads = column, obstacles, threads
        self.rows, self.partners = pairs
        self.numbers: dict[str, Any] = {}
        for name, values in numbers.items():
            array = read(name, values, column.rows, column.index)
            refuse_other_length(name, array, axes(name), "frame has {}", len(column))
            self.numbers[name] = of_rows(array, len(column), axes(name), self.rows)

    def labels(self, obstacles: Column | None) -> dict[str, tuple[str, pd.Index]]:
        """How errors name the rows of each argument."""
        known = {name: (name, self.column.index[self.rows]) for name in self.numbers}
        known["a"] = "frame", self.column.index
        return known if obstacles is None else known | {"b": ("obstacle", obstacles.index)}

    def ways(self) -> carom.PenetrationBatchResult:
        """The way out of each row."""
        return self._ways(self.column.shapes, self.rows, np.arange(len(self.rows)))

    def after(
        self, some: _Positions, shifts: _Floats
    ) -> tuple[_Floats, carom.PenetrationBatchResult]:
        """The bounds of some of these rows after their shifts, and the way out that is left."""
        shapes = self.column.shapes[self.rows[some]]
        try:
            shapes = shapes.translate(shifts)
        except InputError as why:
            row = why.row if isinstance(why.row, int) else 0
            reason = f"with rounded coordinates: {why.reason}"
            raise self.refusal(some[row], shifts[row], reason) from None
        return shapes.bounds, self._ways(shapes, np.arange(len(some)), some)

    def _ways(
        self, shapes: carom.Shapes, rows: _Positions, some: _Positions
    ) -> carom.PenetrationBatchResult:
        count = len(self.rows)
        numbers = {
            name: of_rows(values, count, axes(name), some) for name, values in self.numbers.items()
        }
        pairs, fields = (rows, self.partners[some]), ("depth", "mtv", "normal")
        return carom.penetration_batch(
            shapes, self.obstacles, pairs=pairs, fields=fields, threads=self.threads, **numbers
        )

    def refusal(self, which: np.integer[Any], shift: _Floats, why: str) -> InputValueError:
        """The error for a row that can't be moved."""
        return InputValueError(
            f"can't be moved by ({shift[0]}, {shift[1]}) {why}",
            at=place("frame", self.column.index, int(self.rows[which])),
            link=" ",
        )


def _shifts(overlaps: _Overlaps) -> _Floats:
    """The shift of each row of the frame.

    Coordinates are rounded when they are shifted, so that some overlap may be left: the shifts are
    lengthened.
    """
    ways = overlaps.ways()
    left = np.flatnonzero(ways.depth > 0.0)
    shifts = np.zeros((len(overlaps.rows), 2))
    shifts[left], normals = ways.mtv[left], ways.normal[left]
    for power in range(_LENGTHENINGS):
        bounds, rest = overlaps.after(left, shifts[left])
        over = rest.depth > 0.0
        left, before, normals = left[over], normals[over], rest.normal[over]
        if len(left) == 0:
            break
        size = np.abs(np.hstack([bounds[over], shifts[left]])).max(axis=1)
        step = np.ldexp(np.spacing(size), power)[:, np.newaxis]
        shifts[left] += rest.mtv[over] + step * _away_from(before, normals)
    for which in left[:1]:
        raise overlaps.refusal(
            which,
            shifts[which],
            "without an overlap, as coordinates are rounded: the place that the way out leads to "
            "is as wide as the shape; obstacle.buffer(...) closes it",
        )
    of_all = np.zeros((len(overlaps.column), 2))
    of_all[overlaps.rows] = shifts
    of_all[is_missing(overlaps.column.shapes)] = np.nan
    return of_all


def _away_from(one: _Floats, other: _Floats) -> _Floats:
    """The vectors by which shapes get 1 away from two edges with these normals.

    Away from the last edge alone, shapes in an acute corner would be moved to and fro.
    """
    # The less the normals differ from opposite ones, the farther the way; these have none.
    length = 1.0 + (one * other).sum(axis=1, keepdims=True)
    vectors: _Floats = (one + other) / np.maximum(length, _LEAST_OPENING)
    return vectors


def _frame(column: Column, shifts: _Floats) -> Any:
    """The rows with moved geometries, their shifts, and lines that show these."""
    rows = column.rows
    found = rows.copy()
    if isinstance(rows, geopandas.GeoSeries):
        found = rows.to_frame("geometry" if rows.name is None else rows.name)
    moved = np.flatnonzero((np.nan_to_num(shifts) != 0.0).any(axis=1))
    geometries = np.array(rows.geometry.array, dtype=object)
    vertices, owner = shapely.get_coordinates(geometries[moved], return_index=True)
    geometries[moved] = shapely.set_coordinates(geometries[moved], vertices + shifts[moved[owner]])
    start = column.shapes.centroid[moved]
    lines = np.full(len(rows), None, dtype=object)
    lines[moved] = shapely.linestrings(np.stack([start, start + shifts[moved]], axis=1))
    found[found.geometry.name] = GeometryArray(geometries, crs=rows.crs)
    found["shift_x"], found["shift_y"] = shifts.T
    found["shift_line"] = GeometryArray(lines, crs=rows.crs)
    return found

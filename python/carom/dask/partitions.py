"""The partitions of a Dask frame: their columns of shapes, their boxes, and which of them meet."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import dask
import dask.dataframe as dd
import geopandas
import numpy as np
import pandas as pd
import shapely

from carom.interop.geopandas.columns import Column, indexed, place
from carom.interop.geopandas.labels import numbers, vectors
from carom.interop.geopandas.reference_systems import check_crs, warn_of_degrees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_MANY, _MOST = 64, 0.5
"""Of at least so many pairs of partitions, the share that can meet without a warning."""


@dataclass(frozen=True)
class Extent:
    """How many rows are not missing, and the box of all that they sweep."""

    count: int
    box: Floats


class Partitions:
    """The rows of an argument, partition by partition.

    Attributes
    ----------
    meta : GeoDataFrame or GeoSeries
        No rows, with the attributes, the index and the CRS of all; all attributes by default.
    columns : list of Delayed
        The column of each partition, which is validated once.
    """

    def __init__(
        self, name: str, rows: Any, geometry: str | None, attributes: Iterable[str] | None = None
    ) -> None:
        if not isinstance(rows, dd.DataFrame | dd.Series):
            raise TypeError(
                f"{name}: expected a frame or a series of Dask, got {type(rows).__name__}; "
                "carom.interop.geopandas joins rows in memory, and dask_geopandas.from_geopandas "
                "divides them into partitions"
            )
        self.geometry = _geometry_name(name, rows, geometry)
        if attributes is not None and self.geometry is not None:
            wanted = [it for it in attributes if it in rows.columns]
            rows = rows[list(dict.fromkeys([self.geometry, *wanted]))]
        self.name, self.rows = name, rows
        self.meta = _with_geometry(name, meta_of(rows), self.geometry)
        column = dask.delayed(_column)
        self.columns = [column(name, part, self.geometry) for part in rows.to_delayed()]

    def extents(self, motion: Mapping[str, Any]) -> list[Extent]:
        """The extent of each partition, in one pass over the columns needed for it."""
        rows = self.rows
        if self.geometry is not None:
            names = [name for given in motion.values() for name in names_in(given)]
            rows = rows[list(dict.fromkeys([self.geometry, *names]))]
        extent = dask.delayed(_extent)
        tasks = [extent(self.name, part, self.geometry, motion) for part in rows.to_delayed()]
        found: list[Extent] = list(dask.compute(*tasks))
        return found


class PartitionPairs:
    """Two arguments, or one with itself, and the pairs of partitions that can meet."""

    def __init__(
        self, function: str, left: Partitions, right: Partitions | None, motion: Mapping[str, Any]
    ) -> None:
        self.left, self.right = left, right
        self.others = left if right is None else right
        self.motion = {name: given for name, given in motion.items() if given is not None}
        systems = left.meta.crs, self.others.meta.crs
        check_crs(*systems, (left.name, self.others.name))
        _check_motion(self.motion, left, self.others)
        self._warn_of_degrees(function, systems)
        extents = left.extents(self._of("a"))
        others = None if right is None else right.extents(self._of("b"))
        self.pairs = _meetings(extents, others)

    def frame(self, function: Callable[..., pd.DataFrame], meta: pd.DataFrame) -> Any:
        """What the function gives of each pair of partitions, as one Dask frame."""
        task = dask.delayed(function)
        return collected([task(*pair) for pair in self.operands()], self.unused(), meta)

    def operands(self) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
        """The columns and the motion of each pair; no other column for a partition with itself."""
        motion = self.motion
        if self.right is None:
            both = {f"{name}_b": given for name, given in self._of("a").items() if name != "margin"}
            motion = self.motion | both
        for p, q in self.pairs:
            if self.right is None and p == q:
                yield self.left.columns[p], None, self.motion
            else:
                yield self.left.columns[p], self.others.columns[q], motion

    def unused(self) -> list[Any]:
        """The columns of partitions that meet no other."""
        left, right = ({pair[side] for pair in self.pairs} for side in (0, 1))
        if self.right is None:
            return unused(self.left, left | right)
        return unused(self.left, left) + unused(self.right, right)

    def _of(self, side: str) -> dict[str, Any]:
        """The motion of one side, without suffixes; the margin is that of `a`."""
        suffix = f"_{side}"
        found = {
            name.removesuffix(suffix): given
            for name, given in self.motion.items()
            if name.endswith(suffix)
        }
        return found | ({"margin": self.motion["margin"]} if side == "a" else {})

    def _warn_of_degrees(self, function: str, systems: tuple[Any, Any]) -> None:
        given = [name for name in self.motion if name.startswith("velocity")]
        given += ["margin"] * (self.motion["margin"] != 0.0)
        if given:
            verb = "are" if len(given) > 1 else "is"
            warn_of_degrees(function, f"{' and '.join(given)} {verb}", *systems)


def unused(side: Partitions, places: set[int]) -> list[Any]:
    """The columns of all partitions but these."""
    return [column for place, column in enumerate(side.columns) if place not in places]


def collected(tasks: list[Any], rest: list[Any], meta: pd.DataFrame) -> Any:
    """The frames of tasks as one of Dask; columns that none of them needs are validated as well."""
    nothing = dask.delayed(_nothing)
    return dd.from_delayed([*tasks, *(nothing(column, meta) for column in rest)], meta=meta)


def names_in(given: Any) -> list[str]:
    """The names of columns in an argument that may have some."""
    if isinstance(given, str):
        return [given]
    return [it for it in given if isinstance(it, str)] if isinstance(given, tuple | list) else []


def _with_geometry(name: str, part: Any, geometry: str | None, on_invalid: str = "raise") -> Any:
    """A partition as a GeoSeries or a GeoDataFrame whose geometry is the column of this name."""
    if geometry is None:
        return geopandas.GeoSeries(_geometries(name, part, on_invalid), crs=_crs(part))
    column = part[geometry]
    shapes = geopandas.GeoSeries(_geometries(name, column, on_invalid), crs=_crs(column))
    return geopandas.GeoDataFrame(part.assign(**{geometry: shapes}), geometry=geometry)


def _meetings(one: list[Extent], other: list[Extent] | None) -> list[tuple[int, int]]:
    """The pairs of partitions whose boxes meet; each once if one is joined with itself."""
    others = one if other is None else other
    boxes = np.array([extent.box for extent in others]).reshape(-1, 4)
    pairs: list[tuple[int, int]] = []
    for p, extent in enumerate(one):
        lower, upper = extent.box[:2], extent.box[2:]
        meets = np.all((boxes[:, :2] <= upper) & (boxes[:, 2:] >= lower), axis=1)
        first = p if other is None else 0
        pairs += [(p, first + int(q)) for q in np.flatnonzero(meets[first:])]
    possible = len(one) * (len(one) + 1) // 2 if other is None else len(one) * len(others)
    if possible >= _MANY and len(pairs) > _MOST * possible:
        warnings.warn(
            f"the boxes of {len(pairs)} of {possible} pairs of partitions meet, and all these are "
            "joined; spatial_shuffle() of dask-geopandas puts rows that lie near each other into "
            "one partition",
            stacklevel=3,
        )
    return pairs


def meta_of(rows: Any) -> Any:
    """No rows, as Dask knows them without computing."""
    return rows._meta  # noqa: SLF001 - of frames in memory, too, Dask knows it only so


def _geometry_name(name: str, rows: Any, geometry: str | None) -> str | None:
    """The name of the column of geometries; None of a series."""
    meta = meta_of(rows)
    if isinstance(rows, dd.Series):
        if geometry is not None:
            raise TypeError(f"geometry: {name} is a series, which has no columns")
        found = meta
    else:
        if geometry is None and isinstance(meta, geopandas.GeoDataFrame):
            geometry = meta._geometry_column_name  # noqa: SLF001
        geometry = geometry or "geometry"
        if geometry not in meta.columns:
            raise ValueError(f"geometry: {name} has no column {geometry!r}")
        found = meta[geometry]
    if pd.api.types.is_string_dtype(found.dtype) and found.dtype != object:
        raise TypeError(
            f"{name}: expected geometries or WKB, got text; with the setting "
            "'dataframe.convert-string' Dask makes text of Shapely objects: set it to False, or "
            "use dask-geopandas"
        )
    return geometry


def _geometries(name: str, values: pd.Series, on_invalid: str) -> pd.Series:
    """Geometries, read from WKB where they are no geometries yet."""
    if isinstance(values, geopandas.GeoSeries):
        return values
    given = np.asarray(values, dtype=object)
    absent = pd.isna(given)
    is_wkb = np.array([isinstance(it, bytes) for it in given], dtype=bool)
    read = given.copy()
    read[absent] = None
    read[is_wkb] = shapely.from_wkb(given[is_wkb], on_invalid="ignore")
    is_geometry = np.asarray(shapely.is_geometry(read))
    if on_invalid == "raise":
        for row in np.flatnonzero(~is_geometry & ~absent)[:1]:
            what = "WKB that can't be read" if is_wkb[row] else f"{type(given[row]).__name__}"
            raise ValueError(
                f"{place(name, values.index, row)}: expected a geometry or WKB, got {what}"
            )
    read[~is_geometry] = None
    return pd.Series(read, index=values.index, name=values.name)


def _crs(values: Any) -> Any:
    return values.crs if isinstance(values, geopandas.GeoSeries) else None


def _nothing(_: Column, meta: pd.DataFrame) -> pd.DataFrame:
    return meta


def _check_motion(motion: Mapping[str, Any], left: Partitions, right: Partitions) -> None:
    for name, given in motion.items():
        of = right if name.endswith("_b") else left
        for column in names_in(given):
            if column not in getattr(of.rows, "columns", ()):
                raise ValueError(f"{name}: {of.name} has no column {column!r}")
        kind = name.partition("_")[0]
        expected = (2,) if kind in ("velocity", "center") else ()
        if names_in(given):
            if kind == "velocity" and len(given) != 2:
                raise ValueError(f"{name}: expected the names of two columns, got {given!r}")
            continue
        value = np.asarray(given, dtype=np.float64)
        if value.shape != expected:
            what = "a vector" if expected else "a number"
            raise ValueError(
                f"{name}: expected names of columns or {what} for all rows, got an array of shape "
                f"{value.shape}"
            )
        if not np.isfinite(value).all() or (kind == "margin" and value < 0.0):
            least = " of 0 or more" if kind == "margin" else ""
            raise ValueError(f"{name}: expected finite numbers{least}, got {given!r}")


def _column(name: str, part: Any, geometry: str | None) -> Column:
    made = indexed(_with_geometry(name, part, geometry), name)
    assert made is not None  # for the type checker
    return made


def _extent(name: str, part: Any, geometry: str | None, motion: Mapping[str, Any]) -> Extent:
    """The box of what rows sweep; those that can't be read are told by the join."""
    rows = _with_geometry(name, part, geometry, on_invalid="ignore")
    box = shapely.bounds(np.asarray(rows.geometry.array)).reshape(-1, 4)
    count = int(np.isfinite(box[:, 0]).sum())
    if count == 0:
        return Extent(0, np.full(4, np.nan))
    with np.errstate(invalid="ignore", over="ignore"):
        return Extent(count, _union(_grown(_swept(box, rows, motion), rows, motion)))


def _swept(box: Floats, rows: Any, motion: Mapping[str, Any]) -> Floats:
    """The boxes of rows in motion, rounded outward."""
    if motion.get("turn") is not None:
        # However far a shape turns, it stays in a circle round the center.
        center = vectors("center", motion["center"], rows, rows.index)
        far = np.maximum(np.abs(box[:, :2] - center), np.abs(box[:, 2:] - center))
        radius = np.hypot(*far.T)[:, None] * (1.0 + 1e-14)
        box = np.hstack([_below(center - radius), _above(center + radius)])
    if motion.get("velocity") is None:
        return box
    velocity = vectors("velocity", motion["velocity"], rows, rows.index)
    after = np.hstack([_below(box[:, :2] + velocity), _above(box[:, 2:] + velocity)])
    return np.hstack([np.fmin(box[:, :2], after[:, :2]), np.fmax(box[:, 2:], after[:, 2:])])


def _grown(box: Floats, rows: Any, motion: Mapping[str, Any]) -> Floats:
    """Boxes grown by a margin, rounded outward."""
    given = motion.get("margin")
    if given is None:
        return box
    margin = np.reshape(numbers("margin", given, rows, rows.index), (-1, 1))
    return np.hstack([_below(box[:, :2] - margin), _above(box[:, 2:] + margin)])


def _union(boxes: Floats) -> Floats:
    return np.hstack([np.fmin.reduce(boxes[:, :2]), np.fmax.reduce(boxes[:, 2:])])


def _below(values: Floats) -> Floats:
    return np.nextafter(values, -np.inf)


def _above(values: Floats) -> Floats:
    return np.nextafter(values, np.inf)

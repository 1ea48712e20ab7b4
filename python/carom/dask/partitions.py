"""The partitions of a Dask frame and their columns of shapes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import dask
import dask.dataframe as dd
import dask_geopandas
import geopandas
import numpy as np
import pandas as pd
import shapely
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph

import carom
from carom._input_error import InputTypeError, InputValueError, Place
from carom.dask.geoarrow import crs_of, is_native, naming_readers, schema_of, shapes_in
from carom.dask.moving_boxes import Extent, extent
from carom.dask.partition_advice import advice_on_partitions, advised
from carom.dask.partitions_as_wkb import (
    is_computed,
    meta_of,
    parts_of_files,
    parts_to_be_sent,
    with_wkb,
)
from carom.dask.worker_memory import register, release
from carom.interop.geopandas.column import Column, labelled, place, read_column
from carom.interop.geopandas.row_values import names_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

register()

OF_DASK = {
    "threads": "a task has one thread, and Dask runs several tasks at a time",
    "progress": "dask.diagnostics.ProgressBar and the dashboard show it",
    "max_pairs": "chunk_pairs bounds a partition of the result, and len(result) counts all",
    "duration": "velocities are displacements within the frame of time, whose times are 0 to 1",
    "drop_z": "rows.map_partitions(lambda part: part.set_geometry(part.force_2d())) leaves it out",
}
"""What to use instead of keywords of the joins in memory."""

OF_DASK_NEAREST = {name: OF_DASK[name] for name in ("threads", "progress")}
"""Those that `nearest` has in memory, too."""


class Partitions:
    """The rows of an argument, partition by partition.

    Attributes
    ----------
    meta : GeoDataFrame or GeoSeries
        No rows, with the attributes, the index and the CRS of all; all attributes by default.
    columns : list of Delayed
        The column of each partition, which is validated once. Its rows are those of the partition,
        with geometries or WKB; with `shapes_alone`, a frame without either.
    parts : list of Delayed
        The rows of each partition, with geometries or WKB.
    places : list of str
        How errors continue the name of the argument, as ``.partitions[0]``. Empty if Dask reads
        several partitions as one.
    """

    def __init__(
        self,
        name: str,
        rows: Any,
        geometry: str | None,
        attributes: Iterable[str] | None = None,
        *,
        shapes_alone: bool = False,
        on_invalid: str = "raise",
        drop_z: bool = False,
    ) -> None:
        if not isinstance(rows, dd.DataFrame | dd.Series):
            raise InputTypeError(_not_on_dask(name, rows), at=name)
        self.geometry = _geometry_name(name, rows, geometry)
        given = rows
        wanted = [it for it in dict.fromkeys(attributes or ()) if it in meta_of(rows)]
        if attributes is not None and self.geometry is not None and not is_computed(rows):
            rows = rows[list(dict.fromkeys([self.geometry, *wanted]))]
        self.name, self.rows, self.on_invalid = name, rows, on_invalid
        self._reading: dict[str, Any] = {"on_invalid": on_invalid, "drop_z": drop_z}
        self._given, self.in_memory = given, parts_to_be_sent(rows, self.geometry)
        self.schema = schema_of(name, given, self.geometry)
        meta = meta_of(rows)
        with naming_readers(name):
            crs = crs_of(meta if self.geometry is None else meta[self.geometry], self.schema)
        self.meta = _with_geometry(name, meta, self.geometry, crs=crs)
        column = dask.delayed(
            partial(_shapes_alone, attributes=wanted, **self._reading)
            if shapes_alone
            else partial(_column, **self._reading)
        )
        advice = advice_on_partitions(name, given)
        # Made once: Dask optimizes each time, and reads several files as one partition, the more of
        # them the fewer columns are taken.
        self.parts = self._wkb_parts(attributes) or rows.to_delayed()
        numbers = range(given.npartitions)
        self.places = [f".partitions[{number}]" for number in numbers]
        if len(self.parts) != len(numbers):
            self.places = [""] * len(self.parts)
        self.columns = [
            column(in_partition(name, place), part, self.geometry, self.schema, advice)
            for place, part in zip(self.places, self.parts, strict=True)
        ]

    def extents(self, motion: Mapping[str, Any]) -> list[Extent]:
        """The extent of each partition, in one pass."""
        task = dask.delayed(partial(_extent, **self._reading))
        names = [name for given in motion.values() for name in names_in(given)]
        if self.in_memory is None:
            parts, where = self._wkb_parts(names) or self.parts, {}
        else:
            # Other processes would get all rows for this alone.
            parts, where = self.in_memory, {"scheduler": "threads"}
        tasks = [task(self.name, part, self.geometry, self.schema, motion) for part in parts]
        found: list[Extent] = list(dask.compute(*tasks, **where))
        return found

    def _wkb_parts(self, attributes: Iterable[str] | None) -> list[Any] | None:
        """The partitions with WKB in place of geometries, if that saves time."""
        if self.geometry is None:
            return None
        if self.in_memory is not None:
            frames = dask.compute(*self.in_memory, scheduler="threads")
            return [dask.delayed(_as_wkb(it, self.geometry), traverse=False) for it in frames]
        return parts_of_files(self._given, self.geometry, attributes)


def beside(rows: Any, other: Any) -> Any:
    """A frame or series in memory as one partition, if the other argument is Dask's."""
    is_in_memory = isinstance(rows, geopandas.GeoDataFrame | geopandas.GeoSeries)
    if not (is_in_memory and isinstance(other, dd.DataFrame | dd.Series)):
        return rows
    # Attributes keep their dtypes, and rows their order.
    with dask.config.set({"dataframe.convert-string": False}):
        return dask_geopandas.from_geopandas(rows, npartitions=1, sort=False)


def in_partition(name: str, place: str) -> Place:
    """How errors name a partition of an argument."""
    return Place(name, text=name + place)


def others(of: list[Any], places: set[int]) -> list[Any]:
    """All but those in these places."""
    return [it for place, it in enumerate(of) if place not in places]


def collected(tasks: list[Any], rest: list[Any], meta: pd.DataFrame) -> Any:
    """The frames of tasks as one of Dask; the rest, which none of them needs, is computed as well.

    It validates the rows of other partitions.
    """
    nothing = dask.delayed(_nothing)
    tasks = [*tasks, *(nothing(it, meta) for it in rest)]
    # One graph for all: of a layer for each task, Dask needs quadratic time.
    layer = tasks[0].key
    tasks_of_all = HighLevelGraph.merge(*(task.dask for task in tasks)).to_dict()
    graph = HighLevelGraph({layer: tasks_of_all}, {layer: set()})
    tasks = [Delayed(task.key, graph, layer=layer) for task in tasks]  # type: ignore[no-untyped-call]
    # Labels and attributes have the types that they have in the arguments.
    with dask.config.set({"dataframe.convert-string": False}):
        # Not verified in a task of its own: the tests compare the types of results with these.
        return dd.from_delayed(tasks, meta=meta, verify_meta=False)


def _with_geometry(
    name: str, part: Any, geometry: str | None, on_invalid: str = "raise", crs: Any = None
) -> Any:
    """A partition as a GeoSeries or a GeoDataFrame whose geometry is the column of this name."""
    column = part if geometry is None else part[geometry]
    shapes = geopandas.GeoSeries(_geometries(name, column, on_invalid), crs=crs)
    if geometry is None:
        return shapes
    if isinstance(part, geopandas.GeoDataFrame) and part.active_geometry_name == geometry:
        frame = part.copy(deep=False)
    else:
        frame = geopandas.GeoDataFrame(part.assign(**{geometry: shapes}), geometry=geometry)
    # Frames read by dask-geopandas have a series there, which pandas can't compare where it joins.
    frame.attrs = {}
    return frame


def has_geometry(rows: Any, meta: Any) -> bool:
    """Whether the rows of a column have geometries, not WKB."""
    return (
        isinstance(rows, geopandas.GeoDataFrame) and rows.active_geometry_name == meta.geometry.name
    )


def with_geometry(rows: Any, meta: Any, *, empty: bool = False) -> Any:
    """The rows of a column with geometries, or with missing ones if they are not needed.

    `meta` has the column of geometries and its CRS.
    """
    if has_geometry(rows, meta):
        return rows
    name = meta.geometry.name
    values: Any = rows[name]
    found: Any = None if empty else _geometries("", values, "mask").array
    shapes = geopandas.GeoSeries(found, index=rows.index, crs=meta.crs)
    return geopandas.GeoDataFrame(rows.assign(**{name: shapes}), geometry=name)


def _not_on_dask(name: str, rows: Any) -> str:
    """The message for an argument that is not Dask's."""
    text = f"expected a frame or a series of Dask, got {type(rows).__name__}; "
    if isinstance(rows, Column):
        rows = rows.rows
        name = f"{name}.rows"
    if isinstance(rows, geopandas.GeoSeries | geopandas.GeoDataFrame):
        made = f"dask_geopandas.from_geopandas({name}, npartitions=...)"
    elif isinstance(rows, pd.Series | pd.DataFrame):
        made = f"dask.dataframe.from_pandas({name}, npartitions=...)"
    else:
        return text + "dask_geopandas.from_geopandas makes one of a GeoDataFrame"
    return f"{text}{made} divides it, and carom.interop.geopandas joins rows in memory"


def _geometry_name(name: str, rows: Any, geometry: str | None) -> str | None:
    """The name of the column of geometries; None of a series."""
    meta = meta_of(rows)
    if isinstance(rows, dd.Series):
        geometry, found = None, meta
    else:
        for column in meta.columns[meta.columns.duplicated()][:1]:
            raise InputValueError(f"several columns are called {column!r}; rename them", at=name)
        if geometry is None and isinstance(meta, geopandas.GeoDataFrame):
            geometry = meta._geometry_column_name  # noqa: SLF001
        advice = "" if geometry else "; geometry= names its column of geometries or WKB"
        geometry = geometry or "geometry"
        if geometry not in meta.columns:
            raise InputValueError(f"{name} has no column {geometry!r}{advice}", at="geometry")
        found = meta[geometry]
    if pd.api.types.is_string_dtype(found.dtype) and found.dtype != object:
        raise InputTypeError(
            "expected geometries or WKB, got text; with the setting "
            "'dataframe.convert-string' Dask makes text of Shapely objects and of WKB: set it to "
            "False before the frame is made, use dask-geopandas, or for WKB Arrow's binary type; "
            "shapely.from_wkt and shapely.from_wkb read text",
            at=name,
        )
    if pd.api.types.is_numeric_dtype(found.dtype):
        raise InputTypeError(f"expected geometries or WKB, got dtype {found.dtype}", at=name)
    return geometry


def _geometries(name: str, values: pd.Series, on_invalid: str = "raise") -> pd.Series:
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
            error = InputValueError if is_wkb[row] else InputTypeError
            raise error(
                f"expected a geometry or WKB, got {what}", at=place(name, values.index, row)
            )
    read[~is_geometry] = None
    return pd.Series(read, index=values.index, name=values.name)


def _as_wkb(frame: Any, geometry: str) -> pd.DataFrame:
    return with_wkb(frame, geometry, shapely.to_wkb(np.asarray(frame[geometry], dtype=object)))


def _nothing(_: Any, meta: pd.DataFrame) -> pd.DataFrame:
    return meta


def _column(
    name: str,
    part: Any,
    geometry: str | None,
    schema: Any,
    advice: Mapping[str, str],
    **reading: Any,
) -> Column:
    """The column of a partition; the shapes of its rows are geometries or WKB."""
    release()
    values = part if geometry is None else part[geometry]
    with advised(name, advice):
        with naming_readers(name), labelled(obj=(name, part.index)):
            shapes = shapes_in(values, schema, **reading)
        if shapes is not None:
            if geometry is not None and is_native(values):
                part = with_wkb(part, geometry, _kept(shapes, values, schema, **reading).to_wkb())
            return Column(part, shapes)
        rows = _with_geometry(name, part, geometry, reading["on_invalid"])
        made = read_column(rows, name, **reading)
    assert made is not None  # for the type checker
    return made


def _kept(
    shapes: carom.Shapes, values: Any, schema: Any, *, on_invalid: str, drop_z: bool
) -> carom.Shapes:
    """The shapes with the invalid ones, which a join leaves out and its result may contain."""
    if on_invalid == "raise":
        return shapes
    return shapes_in(values, schema, check=False, on_invalid="mask", drop_z=drop_z) or shapes


def _shapes_alone(
    name: str,
    part: Any,
    geometry: str | None,
    schema: Any,
    advice: Mapping[str, str],
    attributes: list[str],
    **reading: Any,
) -> Column:
    """The column of a partition, whose rows are these columns of the frame."""
    values = part if geometry is None else part[geometry]
    rows = pd.DataFrame(index=part.index)
    if geometry is not None and attributes:
        rows = pd.DataFrame(part)[attributes]
    return Column(rows, _column(name, values, None, schema, advice, **reading).shapes)


def _extent(
    name: str,
    part: Any,
    geometry: str | None,
    schema: Any,
    motion: Mapping[str, Any],
    on_invalid: str,
    drop_z: bool,
) -> Extent:
    """The extent of a partition without unreadable rows, for which the join raises the error."""
    release()
    values = part if geometry is None else part[geometry]
    if on_invalid == "mask":
        # Rows that count are neighbors of others.
        reading: dict[str, Any] = {"on_invalid": on_invalid, "drop_z": drop_z}
        boxes = _column(name, values, None, schema, {}, **reading).shapes.bounds
    else:
        with naming_readers(name):
            shapes = shapes_in(values, schema, check=False, on_invalid="mask", drop_z=drop_z)
        if shapes is None:
            boxes = shapely.bounds(np.asarray(_geometries(name, values, "mask"), dtype=object))
        else:
            boxes = shapes.bounds
    is_frame = isinstance(part, geopandas.GeoDataFrame) and isinstance(values, geopandas.GeoSeries)
    if is_frame and part.active_geometry_name != geometry:
        part = part.set_geometry(geometry)
    return extent(boxes.reshape(-1, 4), part, motion)

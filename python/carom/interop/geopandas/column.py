"""Columns of shapes that keep the index, the attributes and the CRS of their rows."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import geopandas
import numpy as np
import pandas as pd
import shapely
from geopandas.array import GeometryArray

import carom
from carom._input_error import InputError, InputTypeError, InputValueError, Place, again, parts_of
from carom.interop.crs import crs_name
from carom.interop.geopandas.crs_checks import check_crs
from carom.interop.geopandas.kept_shapes import shapes_of
from carom.interop.geopandas.masked_rows import warn_of_masked
from carom.interop.geopandas.row_advice import advice_on_rows

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray


_BOUNDS = ["minx", "miny", "maxx", "maxy"]


class Column:
    """Shapes with the index, the attributes and the CRS of their rows; made by `column`.

    Attributes
    ----------
    rows : GeoSeries or GeoDataFrame
        The rows as given.
    shapes : carom.Shapes
        The shapes of the rows.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> cg.column(geopandas.GeoSeries([shapely.box(0, 0, 1, 1), None], ["p", "q"], crs=32633))
    Column(<2 shapes, 1 missing, 4 vertices>, EPSG:32633)
    """

    __slots__ = ("rows", "shapes")

    rows: Any
    shapes: carom.Shapes

    def __init__(self, rows: Any, shapes: carom.Shapes) -> None:
        if len(rows) != len(shapes):
            raise InputValueError(
                f"expected {len(shapes)}, one for each shape, got {len(rows)}", at="rows"
            )
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "shapes", shapes)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Column is immutable: {name} can't be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return Column, (self.rows, self.shapes)

    @property
    def index(self) -> pd.Index:
        """The labels of the rows."""
        return self.rows.index

    @property
    def crs(self) -> Any:
        """The coordinate reference system of the rows, or None."""
        return self.rows.crs

    def __len__(self) -> int:
        return len(self.shapes)

    def __array__(self, *_: Any, **__: Any) -> Any:
        # The functions of carom itself ask for an array, and put the argument's name before this.
        raise TypeError(
            "expected shapes, got a Column; the functions of carom.interop.geopandas take it, and "
            "those of carom its shapes, column.shapes"
        )

    def __repr__(self) -> str:
        crs = "" if self.crs is None else f", {crs_name(self.crs)}"
        return f"Column({repr(self.shapes).removeprefix('Shapes(').removesuffix(')')}{crs})"


def column(
    rows: geopandas.GeoSeries | geopandas.GeoDataFrame | Column,
    *,
    drop_z: bool = False,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
) -> Column:
    """A column that is validated and indexed once, with the index of its rows.

    All functions of this module take it in place of the rows. It pays off for rows that are used
    in many calls, as it is kept whatever else is used in between.

    Parameters
    ----------
    rows : GeoSeries or GeoDataFrame, or Column
        The rows. A Column made with ``check=False`` is validated now.
    drop_z : bool, default False
        Whether Z and M are left out; otherwise they are refused.
    check : bool, default True
        Whether the shapes are validated.
    on_invalid : {"raise", "mask"}, default "raise"
        "mask" makes invalid rows missing, with a warning, instead of an error.

    Returns
    -------
    Column
        The shapes, with the rows.

    Warns
    -----
    UserWarning
        If rows are masked: how many, and why.

    Raises
    ------
    ValueError
        If a shape is not valid; the message says which label it has, what is wrong, and where.
    TypeError
        If `rows` is neither, or a row is a GeometryCollection.

    See Also
    --------
    invalid_reason : what is wrong with each row.
    repair : makes invalid rows valid.
    forget : frees the columns of the last frames, which are kept while these live.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> plots = geopandas.GeoSeries([shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)], list("pqr"))
    >>> column = cg.column(plots)
    >>> cg.colliding_pairs(column)
       a  b
    0  p  q
    >>> cg.intersects(column, shapely.box(1, 1, 2, 3))
    p     True
    q     True
    r    False
    dtype: bool
    """
    if isinstance(rows, Column) and check:
        return _with_warning("rows", rows, validated(rows, "rows", on_invalid))
    made = indexed(rows, "rows", drop_z=drop_z, check=check, on_invalid=on_invalid)
    if made is None:
        raise InputTypeError(not_indexed("rows", rows), at="rows")
    return made


def indexed(rows: Any, name: str, **keywords: Any) -> Column | None:
    """The column of rows that have an index and contain geometries; None for others.

    Rows that are masked are warned of.
    """
    made = read_column(rows, name, **keywords)
    # Otherwise no row is masked.
    is_masking = keywords.get("on_invalid") == "mask"
    return _with_warning(name, rows, made) if made is not None and is_masking else made


def read_column(rows: Any, name: str, **keywords: Any) -> Column | None:
    """The same without a warning."""
    rows = geometries(name, rows)
    if isinstance(rows, Column) and (how := keywords.get("on_invalid", "raise")) != "raise":
        return validated(rows, name, how)
    if rows is None or isinstance(rows, Column):
        return rows
    with labelled(geoms=(name, rows.index)):
        shapes = shapes_of(rows.geometry.array, **keywords)
    return Column(rows, shapes)


def _with_warning(name: str, rows: Any, made: Column) -> Column:
    """The column of these rows, with a warning of those that are masked now."""
    if made is not rows:
        masked = ~made.shapes.is_valid
        if isinstance(rows, Column):
            masked &= ~is_missing(rows.shapes)
        warn_of_masked(name, made.shapes, masked, lambda row: place(name, made.index, row))
    return made


def validated(column: Column, name: str, on_invalid: Any) -> Column:
    """The column without the invalid rows of one that was made with ``check=False``."""
    with labelled(shapes=(name, column.index)):
        shapes = carom.Shapes(column.shapes, on_invalid=on_invalid)
    return column if shapes == column.shapes else Column(column.rows, shapes)


def both_indexed(
    one: Any, other: Any, names: tuple[str, str], **keywords: Any
) -> tuple[Column | None, Column | None]:
    """The columns of two arguments, which don't have different CRS."""
    given = geometries(names[0], one), geometries(names[1], other)
    if given[0] is not None and given[1] is not None:
        check_crs(given[0].crs, given[1].crs, names)
    first = indexed(given[0], names[0], **keywords)
    return first, first if other is one else indexed(given[1], names[1], **keywords)


def geometries(name: str, rows: Any) -> Any:
    """The rows if they have an index and contain geometries, else None."""
    if isinstance(rows, pd.Series) and not isinstance(rows, geopandas.GeoSeries):
        try:
            return geopandas.GeoSeries(rows)
        except TypeError:
            return None
    if isinstance(rows, geopandas.GeoDataFrame):
        refuse_no_geometry(name, rows)
    elif isinstance(rows, pd.DataFrame):
        raise InputTypeError(not_indexed(name, rows), at=name)
    known = isinstance(rows, Column | geopandas.GeoSeries | geopandas.GeoDataFrame)
    return rows if known else None


def refuse_no_geometry(name: str, frame: Any) -> None:
    """Refuses a frame without an active geometry."""
    if frame.active_geometry_name in frame.columns:
        return
    found = [label for label, dtype in frame.dtypes.items() if dtype == "geometry"]
    advice = f"; {name}.set_geometry({found[0]!r}) sets one" if found else ""
    raise InputValueError(f"the GeoDataFrame has no active geometry{advice}", at=name)


def not_indexed(name: str, rows: Any, wanted: str = "a GeoSeries or a GeoDataFrame") -> str:
    """The message for an argument that has no index, with the call that makes one of it."""
    if (on_dask := _on_dask(name, rows)) is not None:
        return f"expected {wanted}, got {on_dask}"
    if isinstance(getattr(rows, "rows", None), geopandas.GeoSeries | geopandas.GeoDataFrame):
        # `repair` returns the rows and its report.
        return f"expected {wanted}, got {type(rows).__name__}; {name}.rows has the rows"
    made = _made_of(name, rows)
    if made is not None and not made.startswith(("geopandas.", f"{name}.to_frame")):
        series = "GeoSeries" if "GeoSeries" in wanted else "GeoDataFrame"
        made = f"geopandas.{series}({'' if series == 'GeoSeries' else 'geometry='}{made})"
    advice = "" if made is None else f"; {made} makes one"
    return f"expected {wanted}, got {type(rows).__name__}{advice}"


def _on_dask(name: str, rows: Any) -> str | None:
    """What a collection of Dask is called, which has the name of what it consists of."""
    if not hasattr(rows, "__dask_graph__"):
        return None
    return (
        f"a {type(rows).__name__} of Dask; carom.dask joins it, and {name}.compute() brings its "
        "rows into memory"
    )


def _made_of(name: str, rows: Any) -> str | None:
    """The call that makes geometries, or a frame of them."""
    if isinstance(rows, pd.DataFrame):
        if list(rows.columns) == _BOUNDS:
            return f"shapely.box(*{name}.to_numpy().T)"
        return f"geopandas.GeoDataFrame({name}, geometry=...)"
    if isinstance(rows, geopandas.GeoSeries):
        return f"{name}.to_frame()"
    if isinstance(rows, dict):
        is_one = "coordinates" in rows
        made = (
            "[shapely.geometry.shape({})]" if is_one else "geopandas.GeoDataFrame.from_features({})"
        )
        return made.format(name)
    if isinstance(rows, str | bytes):
        is_file = isinstance(rows, str) and "(" not in rows
        kind = "wkt" if isinstance(rows, str) else "wkb"
        return f"geopandas.read_file({name})" if is_file else f"[shapely.from_{kind}({name})]"
    if isinstance(rows, shapely.Geometry):
        return f"[{name}]"
    if isinstance(rows, carom.Shapes):
        return f"{name}.to_shapely(), crs={name}.crs"
    if hasattr(rows, "__arrow_c_stream__") and not isinstance(rows, pd.Series):
        return f"geopandas.GeoDataFrame.from_arrow({name})"
    return _made_of_several(name, rows)


def _made_of_several(name: str, rows: Any) -> str | None:
    if (
        not isinstance(rows, pd.Series | np.ndarray | GeometryArray | list | tuple)
        or len(rows) == 0
    ):
        return None
    first = rows.iloc[0] if isinstance(rows, pd.Series) else rows[0]
    if isinstance(first, str | bytes):
        return f"shapely.from_{'wkt' if isinstance(first, str) else 'wkb'}({name})"
    if len(rows) == len(_BOUNDS) and all(np.isscalar(it) for it in rows):
        return f"[shapely.box(*{name})]"
    return name if first is None or isinstance(first, shapely.Geometry) else None


def wkb_array(values: Any) -> Any:
    """An Arrow array of a series of WKB; None of anything else."""
    if not isinstance(values, pd.Series) or isinstance(values, geopandas.GeoSeries):
        return None
    if isinstance(values.dtype, pd.ArrowDtype):
        if str(values.dtype.pyarrow_dtype) not in ("binary", "large_binary", "binary_view"):
            return None
    elif pd.api.types.infer_dtype(values) != "bytes":
        return None
    import pyarrow as pa

    return pa.array(values, from_pandas=True)


def is_missing(shapes: carom.Shapes) -> NDArray[np.bool_]:
    """Which rows are missing."""
    missing: NDArray[np.bool_] = shapes.kind == -1
    return missing


@contextmanager
def labelled(**indexes: tuple[str, pd.Index]) -> Generator[None]:
    """Errors about a row of one of these arguments name its label, in place of its number.

    Each argument of the function that is called has the name that the message uses instead.
    """
    try:
        yield
    except InputError as why:
        argument = why.argument
        if argument not in indexes or not isinstance(why.row, int):
            raise
        name, index = indexes[argument]
        advice = advice_on_rows(name)

        def renamed(part: str) -> str:
            if isinstance(part, Place) and part.argument == argument:
                return place(name, index, part.row) if isinstance(part.row, int) else name
            return advice.get(part, part)

        reason = map(renamed, parts_of(why))
        raise again(why, *reason, at=place(name, index, why.row)) from None


def place(name: str, index: pd.Index, row: int) -> Place:
    """The name of a row by its label; by its number as well, if the label repeats."""
    label = plain(index[row])
    text = f"{name}.loc[{label!r}]"
    if index.duplicated(keep=False)[row]:
        text += f" (row {row})"
    return Place(name, row, text, label)


def plain(label: Any) -> Any:
    """A label as Python writes it."""
    if isinstance(label, tuple):
        return tuple(plain(level) for level in label)
    return label.item() if isinstance(label, np.number | np.bool_) else label

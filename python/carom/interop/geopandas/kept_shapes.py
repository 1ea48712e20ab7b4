"""The last shapes that were made of arrays of geometries, found again by their objects.

Shapely's geometries are immutable: arrays of the same objects are the same shapes.
"""

from __future__ import annotations

import weakref
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import carom

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST = 4
"""How many columns are kept: those of the last two joins."""


class _Made(NamedTuple):
    """A column, and what it was made of."""

    # The array may get others. The copy keeps these alive: no other object has their addresses.
    objects: NDArray[np.object_]
    crs: Any
    options: str
    shapes: carom.Shapes

    def is_of(self, objects: NDArray[np.object_], crs: Any, options: str) -> bool:
        """Whether the column is that of these objects."""
        return (
            len(objects) == len(self.objects)
            and options == self.options
            and (crs is self.crs or crs == self.crs)
            and bool((_addresses(objects) == _addresses(self.objects)).all())
        )


class _Kept(weakref.ref["NDArray[np.object_]"]):
    """A reference to an array, and what was made of it as long as the array lives."""

    __slots__ = ("made",)

    made: _Made | None


def _release(kept: Any) -> None:
    """Frees what was made of an array that is gone."""
    kept.made = None


# The last one used comes first. Of two threads that add one at once, one may lose its own, which is
# made again.
_kept: list[_Kept] = []


def forget() -> None:
    """Frees the columns that are kept of the last frames.

    The functions of this module keep the columns that they made of the last frames and series, with
    their boxes and trees, until these are gone, and take them again for frames with the same
    geometries: the same objects in the same order, with the same CRS.

    See Also
    --------
    column : a column that is kept as long as its user wants.

    Examples
    --------
    >>> import geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> plots = geopandas.GeoDataFrame(geometry=[shapely.box(0, 0, 2, 2)])
    >>> len(cg.sjoin(plots, plots))
    1
    >>> cg.forget()
    """
    _kept.clear()


def shapes_of(
    array: Any, *, drop_z: Any = False, check: Any = True, on_invalid: Any = "raise"
) -> carom.Shapes:
    """What ``Shapes.from_shapely`` makes of a GeoSeries' array, or made of the same objects."""
    objects, crs = np.asarray(array, dtype=object), array.crs
    # As text: the values may be of any type, and are checked when the column is made.
    options = repr((drop_z, check, on_invalid))
    for kept in _kept.copy():
        # Read once: it is gone when the array is.
        if (made := kept.made) is not None and made.is_of(objects, crs, options):
            _put_first(kept)
            return made.shapes
    shapes = carom.Shapes.from_shapely(array, drop_z=drop_z, check=check, on_invalid=on_invalid)
    kept = _Kept(objects, _release)
    kept.made = _Made(objects.copy(), crs, options, shapes)
    _put_first(kept)
    return shapes


def _put_first(kept: _Kept) -> None:
    """Keeps this one, and the last others of arrays that live."""
    others = [it for it in _kept.copy() if it is not kept and it.made is not None]
    _kept[:] = [kept, *others[: _MOST - 1]]


def _addresses(objects: NDArray[np.object_]) -> NDArray[np.intp]:
    """The address of each object, where the array has it: no object is touched."""
    interface = {**objects.__array_interface__, "typestr": np.dtype(np.intp).str}
    del interface["descr"]
    return np.asarray(SimpleNamespace(__array_interface__=interface, of=objects))

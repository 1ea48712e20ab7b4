"""Which shapes contain others, exactly, from the queries of carom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import shapely

import carom

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Rows: TypeAlias = "NDArray[np.int64]"
_POINTS, _PATHS = ("point", "multipoint"), ("path", "multipath")


def refuse_others(predicate: str, **columns: carom.Shapes) -> None:
    """Refuses lines and rounded shapes, for which a predicate isn't decided."""
    for name, column in columns.items():
        for row in np.flatnonzero(column.radius > 0)[:1]:
            raise ValueError(f"{name}[{row}]: the predicate {predicate!r} takes no radius")
        for row in np.flatnonzero(_is_one_of(column, _PATHS))[:1]:
            raise ValueError(
                f"{name}[{row}]: the predicate {predicate!r} takes points and polygons, not lines; "
                f"geopandas.sjoin(..., predicate={predicate!r}) takes any"
            )


def contained(outer: carom.Shapes, inner: carom.Shapes, pairs: Any, covers: bool) -> Any:
    """Which pairs of intersecting rows have the inner one in the outer, exactly.

    With `covers` its points may all lie on the boundary of the outer row; without, one has to lie
    in the interior, as in Shapely's `contains`.
    """
    # A connected row that meets the other one, but not its boundary, lies in its interior.
    meets_boundary = _on_boundary(outer, inner, pairs)
    kinds = inner.kind[pairs[1]]
    is_point, is_polygon = (kinds == carom.KINDS.index(name) for name in ("point", "polygon"))
    outer_is_region = ~_is_one_of(outer, _POINTS)[pairs[0]]
    found = is_point & (covers | ~meets_boundary) | is_polygon & outer_is_region & ~meets_boundary
    several = np.flatnonzero(kinds == carom.KINDS.index("multipoint"))
    found[several] = _points_in(outer, inner, pairs[:, several], covers)
    regions = np.flatnonzero(outer_is_region & ~found & ~_is_one_of(inner, _POINTS)[pairs[1]])
    # Most rows that don't lie in the other have a vertex outside.
    regions = regions[_points_in(outer, inner, pairs[:, regions], covers=True)]
    found[regions] = _polygons_in(outer, inner, pairs[:, regions])
    return found


def _on_boundary(outer: carom.Shapes, inner: carom.Shapes, pairs: Any) -> NDArray[np.bool_]:
    """In which pairs the inner row meets the boundary of the outer one; points have none."""
    rows, row_of_pair = np.unique(pairs[0], return_inverse=True)
    boundary = carom.Shapes.from_shapely(shapely.boundary(outer[rows].to_shapely()))
    return carom.intersects_batch(boundary, inner, pairs=(row_of_pair, pairs[1]))


def _is_one_of(column: carom.Shapes, kinds: tuple[str, ...]) -> Any:
    return np.isin(column.kind, [carom.KINDS.index(kind) for kind in kinds])


def _points_in(
    outer: carom.Shapes, inner: carom.Shapes, pairs: Any, covers: bool
) -> NDArray[np.bool_]:
    """Which inner rows have all vertices in the outer row, and one in its interior or `covers`."""
    rows, row_of_pair = np.unique(pairs[1], return_inverse=True)
    coords, owners = shapely.get_coordinates(inner[rows].to_shapely(), return_index=True)
    points = carom.Shapes.from_points(coords)
    starts = np.searchsorted(owners, np.arange(len(rows) + 1))
    pair, point = _expanded(starts, row_of_pair)
    each = np.array([pairs[0][pair], point])
    is_in = carom.intersects_batch(outer, points, pairs=each)
    found: NDArray[np.bool_] = np.bincount(pair[~is_in], minlength=len(row_of_pair)) == 0
    if not covers:
        inside = ~_on_boundary(outer, points, each)
        found &= np.bincount(pair[inside], minlength=len(row_of_pair)) > 0
    return found


def _polygons_in(outer: carom.Shapes, inner: carom.Shapes, pairs: Any) -> NDArray[np.bool_]:
    """Which rows of polygons lie in the outer row.

    The interior of a polygon is connected, and parts of a row touch in points alone: each part of
    the inner row has to lie in one part of the outer row.
    """
    outers, inners = _Parts(outer, pairs[0]), _Parts(inner, pairs[1])
    pair, inner_part = _expanded(inners.starts, inners.row_of_pair)
    # Each part of the inner row with each part of the outer row.
    k, outer_part = _expanded(outers.starts, outers.row_of_pair[pair])
    first = inner_part[k]
    box, other = outers.bounds[outer_part], inners.bounds[first]
    is_in = np.all((box[:, :2] <= other[:, :2]) & (box[:, 2:] >= other[:, 2:]), axis=1)
    chosen = np.flatnonzero(is_in)
    is_in[chosen] = _parts_in(outers, inners, outer_part[chosen], first[chosen])
    part_is_in = np.bincount(k[is_in], minlength=len(pair)) > 0
    found: NDArray[np.bool_] = np.bincount(pair[~part_is_in], minlength=len(pairs[0])) == 0
    return found


class _Parts:
    """The polygons that the rows of a column consist of, as far as pairs need them."""

    def __init__(self, column: carom.Shapes, rows: _Rows) -> None:
        needed, self.row_of_pair = np.unique(rows, return_inverse=True)
        self.polygons, owners = shapely.get_parts(column[needed].to_shapely(), return_index=True)
        self.starts = np.searchsorted(owners, np.arange(len(needed) + 1))
        self.bounds = shapely.bounds(self.polygons).reshape(-1, 4)


def _parts_in(outers: _Parts, inners: _Parts, outer: _Rows, inner: _Rows) -> NDArray[np.bool_]:
    """Which polygons lie in the others, given pairs of them whose boxes do.

    A polygon lies in another if its interior and the other's complement have no point in common.
    Both are cut into convex tiles, and tiles whose interiors meet have a positive depth.
    """
    found = np.ones(len(outer), dtype=bool)
    own = {part: carom.convex_parts(inners.polygons[part]) for part in np.unique(inner)}
    for part in np.unique(outer):
        chosen = np.flatnonzero(outer == part)
        others = _complement(outers.polygons[part], outers.bounds[part])
        complement = _concatenated([carom.convex_parts(other) for other in others])
        tiles = [own[it] for it in inner[chosen]]
        joined = _concatenated(tiles)
        pairs = carom.colliding_pairs(complement, joined)
        depth = carom.sat_batch(complement, joined, pairs=pairs, fields=("depth",)).depth
        pair_of_tile = np.repeat(chosen, [len(it) for it in tiles])
        found[pair_of_tile[pairs[1][depth > 0]]] = False
    return found


def _complement(polygon: Any, bounds: NDArray[np.float64]) -> list[Any]:
    """What a larger box has outside of a polygon: a frame around its shell, and its holes."""
    most = np.finfo(float).max
    with np.errstate(over="ignore"):
        extent = bounds[2:] - bounds[:2]
        low, high = (bounds[:2] - extent).clip(-most), (bounds[2:] + extent).clip(max=most)
    frame = shapely.Polygon(shapely.box(*low, *high).exterior, [polygon.exterior])
    return [frame, *(shapely.Polygon(hole) for hole in polygon.interiors)]


def _concatenated(tiles: list[carom.Shapes]) -> carom.Shapes:
    lengths = np.concatenate([np.diff(it.offsets[0]) for it in tiles])
    coords = np.concatenate([it.coords for it in tiles])
    return carom.Shapes.from_ragged(coords, np.cumsum([0, *lengths]), check=False)


def _expanded(starts: _Rows, chosen: _Rows) -> tuple[_Rows, _Rows]:
    """The items of each chosen row: which choice it is, and the item."""
    counts = starts[chosen + 1] - starts[chosen]
    owners = np.repeat(np.arange(len(chosen)), counts)
    ends = np.cumsum(counts)
    return owners, np.arange(len(owners)) + np.repeat(starts[chosen] - ends + counts, counts)

"""Containment of shapes, decided exactly by the queries of carom."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

import carom

_Rows: TypeAlias = NDArray[np.int64]
_EDGES = 16
"""Edges of a path of a boundary that is searched for points: boxes of longer ones hold more points,
and of shorter ones there are more."""
_LOCATED = 6
"""Points of a polygon from which `locate` is faster than pairs, despite a call for each polygon."""
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
    """Which pairs of rows, whose boxes meet, have the inner one in the outer, exactly.

    With `covers` its points may all lie on the boundary of the outer row; without, one has to lie
    in the interior, as in Shapely's `contains`.
    """
    kinds = inner.kind[pairs[1]]
    is_points = _is_one_of(inner, _POINTS)[pairs[1]]
    regions = np.flatnonzero(~_is_one_of(outer, _POINTS)[pairs[0]] & ~is_points)
    i, j = pairs[:, regions]
    regions = regions[_box_in_box(outer.bounds[i], inner.bounds[j])]
    asked = np.concatenate([np.flatnonzero(is_points), regions])
    position = np.full(len(kinds), -1, dtype=np.int8)
    position[asked] = _positions(outer, inner, pairs[:, asked])

    is_point, is_points, is_polygon = (
        kinds == carom.KINDS.index(name) for name in ("point", "multipoint", "polygon")
    )
    found: NDArray[np.bool_] = is_point & (position >= (0 if covers else 1))
    several = np.flatnonzero(is_points & (position >= 0))
    found[several] = _points_in(outer, inner, pairs[:, several], covers)
    # A connected row that meets the other one, but not its boundary, lies in its interior.
    connected = regions[is_polygon[regions] & (position[regions] == 1)]
    found[connected] = ~_meets_boundary(outer, inner, pairs[:, connected])
    regions = regions[(position[regions] >= 0) & ~found[regions]]
    # Most rows that don't lie in the other have a vertex outside.
    regions = regions[_points_in(outer, inner, pairs[:, regions], covers=True)]
    found[regions] = _polygons_in(outer, inner, pairs[:, regions])
    return found


def _positions(outer: carom.Shapes, inner: carom.Shapes, pairs: Any) -> NDArray[np.int8]:
    """Where the first vertex of the inner row lies: 1 in the interior, 0 on the boundary, else -1.

    Points have no boundary. Of an inner row that is not a point, 1 may also mean on the boundary.
    """
    points = inner.coords[inner.offsets[0][_first_rings(inner)[pairs[1]]]]
    is_located = outer.kind == carom.KINDS.index("polygon")
    is_located &= np.bincount(pairs[0], minlength=len(outer)) >= _LOCATED
    others = np.flatnonzero(~is_located[pairs[0]])
    each = np.array([pairs[0][others], np.arange(len(others))])
    found = np.full(len(points), -1, dtype=np.int8)
    column = carom.Shapes.from_points(points[others])
    found[others] = np.where(carom.intersects_batch(outer, column, pairs=each), 1, -1)
    is_doubtful = _is_one_of(inner, _POINTS)[pairs[1]] & ~_is_one_of(outer, _POINTS)[pairs[0]]
    some = np.flatnonzero(is_doubtful[others] & (found[others] > 0))
    found[others[some]] -= _points_on_boundary(outer, column, each[:, some])
    order = np.argsort(pairs[0], kind="stable")
    rows, starts = np.unique(pairs[0][order], return_index=True)
    for row, chosen in zip(rows, np.split(order, starts[1:]), strict=False):
        if is_located[row]:
            found[chosen] = carom.locate(points[chosen], outer[row : row + 1])
    return found


def _points_on_boundary(outer: carom.Shapes, points: carom.Shapes, pairs: Any) -> NDArray[np.bool_]:
    """In which pairs the point lies on the boundary of the outer row, which is a region."""
    paths, row_of_path = _boundary(outer, np.unique(pairs[0]), _EDGES)
    point, path = carom.colliding_pairs(points, paths)
    on_boundary = point * len(outer) + row_of_path[path]
    found: NDArray[np.bool_] = np.isin(pairs[1] * len(outer) + pairs[0], on_boundary)
    return found


def _meets_boundary(outer: carom.Shapes, inner: carom.Shapes, pairs: Any) -> NDArray[np.bool_]:
    """In which pairs the inner row meets the boundary of the outer one, which is a region."""
    rows, row_of_pair = np.unique(pairs[0], return_inverse=True)
    rings, row_of_ring = _boundary(outer, rows, len(outer.coords))
    starts = np.searchsorted(row_of_ring, np.append(rows, len(outer)))
    pair, ring = _expanded(starts, row_of_pair)
    meets = carom.intersects_batch(rings, inner, pairs=(ring, pairs[1][pair]))
    found: NDArray[np.bool_] = np.bincount(pair[meets], minlength=len(row_of_pair)) > 0
    return found


def _boundary(outer: carom.Shapes, rows: _Rows, most: int) -> tuple[carom.Shapes, _Rows]:
    """The rings of some rows as paths of at most so many edges, and the row of each path.

    Paths follow each other as their rows do.
    """
    offsets = outer.offsets[0]
    owner, ring = _expanded(_first_rings(outer), rows)
    size = offsets[ring + 1] - offsets[ring]
    of_path, place = _expanded(np.append(0, np.cumsum(-(-size // most))), np.arange(len(ring)))
    first = most * (place - np.searchsorted(of_path, of_path))
    edges = np.minimum(size[of_path] - first, most)
    starts = np.append(0, np.cumsum(edges + 1))
    path, vertex = _expanded(starts, np.arange(len(edges)))
    ring_of_vertex = of_path[path]
    # The last vertex of a ring is its first one.
    vertex = (vertex - starts[path] + first[path]) % size[ring_of_vertex]
    coords = outer.coords[offsets[ring[ring_of_vertex]] + vertex]
    return carom.Shapes.from_paths(coords, starts), rows[owner[of_path]]


def _first_rings(column: carom.Shapes) -> _Rows:
    """The first ring of each row, and the number of rings."""
    _, polygons, *shapes = column.offsets
    return polygons[shapes[0]] if shapes else polygons


def _box_in_box(outer: NDArray[np.float64], inner: NDArray[np.float64]) -> NDArray[np.bool_]:
    sides = np.hstack([outer[:, :2] <= inner[:, :2], outer[:, 2:] >= inner[:, 2:]])
    is_in: NDArray[np.bool_] = np.logical_and.reduce(sides, axis=1)
    return is_in


def _is_one_of(column: carom.Shapes, kinds: tuple[str, ...]) -> Any:
    return np.isin(column.kind, [carom.KINDS.index(kind) for kind in kinds])


def _points_in(
    outer: carom.Shapes, inner: carom.Shapes, pairs: Any, covers: bool
) -> NDArray[np.bool_]:
    """Which inner rows have all vertices in the outer row, and one in its interior or `covers`."""
    rows, row_of_pair = np.unique(pairs[1], return_inverse=True)
    owners, vertices = _expanded(inner.offsets[0][_first_rings(inner)], rows)
    points = carom.Shapes.from_points(inner.coords[vertices])
    starts = np.searchsorted(owners, np.arange(len(rows) + 1))
    pair, point = _expanded(starts, row_of_pair)
    each = np.array([pairs[0][pair], point])
    is_in = carom.intersects_batch(outer, points, pairs=each)
    found: NDArray[np.bool_] = np.bincount(pair[~is_in], minlength=len(row_of_pair)) == 0
    if not covers:
        regions = np.flatnonzero(~_is_one_of(outer, _POINTS)[each[0]])
        inside = np.ones(len(pair), dtype=bool)
        inside[regions] = ~_points_on_boundary(outer, points, each[:, regions])
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
    is_in = _box_in_box(outers.bounds[outer_part], inners.bounds[first])
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

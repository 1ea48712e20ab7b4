"""Shapely's calls and their equivalents in carom: a table, no functions.

Nothing is patched: carom takes Shapely's objects and arrays of them, and `Shapes.from_shapely`
makes a column for more than one call.

========================================  ==========================================================
Shapely                                   carom
========================================  ==========================================================
``shapely.intersects(a, b)``              ``intersects(a, b)``, ``intersects_batch(a, b)``
``shapely.disjoint(a, b)``                ``predicate_batch(a, b, "disjoint")``; also "contains",
                                          "within", "covers", "covered_by", "contains_properly",
                                          "touches", "overlaps", "crosses" and "equals"
``shapely.distance(a, b)``                ``distance(a, b).distance``
``shapely.shortest_line(a, b)``           ``closest_a`` and ``closest_b`` of ``distance(a, b)``; NaN
                                          where they intersect
``shapely.dwithin(a, b, r)``              ``intersects_batch(a, b, margin=r)``, exactly: row by row
``STRtree(b).query(a, "dwithin", r)``     ``colliding_pairs(a, b, margin=r)``, exactly: all pairs
``STRtree(b).query_nearest(a)``           ``nearest(a, b)``: of equals the lowest row
``shapely.intersects_xy(p, x, y)``        ``locate(points, p) >= 0``; ``> 0`` without the boundary
``STRtree(b).query(a, "intersects")``     ``colliding_pairs(a, b)``: columns keep their tree
``STRtree(b).query(a, "covers")``         ``colliding_pairs(a, b, predicate="covers")``
``STRtree(b).query(a)``                   ``candidate_pairs(a, b)``: by bounding boxes
``geopandas.sjoin(a, b)``                 ``carom.interop.geopandas.sjoin(a, b)``; ``sjoin_nearest``
``Point(p).buffer(r)`` against a polygon  ``circle_polygon(p, r, polygon)``: an exact circle
``shapely.convex_hull(points)``           ``convex_hull(points)``: of points, not of geometries
``shapely.affinity.translate(a, x, y)``   ``Shapes.translate``
``shapely.affinity.affine_transform``     ``Shapes.affine_transform``
``shapely.is_valid(a)``                   ``Shapes(a, on_invalid="mask").is_valid``
``shapely.to_ragged_array(a)``            ``coords`` and ``offsets`` of a column
none                                      ``sat``, ``swept_collision``, ``swept_circle``,
                                          ``first_contact``: depth, time and points
========================================  ==========================================================

Both treat shapes as closed sets, so touching is intersecting; carom decides exactly for the floats
given. In both, missing and empty rows intersect nothing and their distances are NaN. Carom has no
overlays (intersections as shapes, unions, differences).

>>> import carom, shapely
>>> a, b = shapely.box(0, 0, 2, 2), shapely.box(3, 0, 4, 2)
>>> shapely.intersects(a, b).item(), carom.intersects(a, b)
(False, False)
>>> shapely.distance(a, b).item(), carom.distance(a, b).distance
(1.0, 1.0)
"""

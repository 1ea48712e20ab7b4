"""Exact, fast 2-D collision queries on NumPy arrays.

Every yes or no is exactly right for the float64 numbers given: touching counts, and no tolerance
takes part. A function with a ``_batch`` twin asks about one pair, the twin about many at once.

Two shapes::

    intersects, intersects_batch                    whether they touch
    sat, sat_batch                                  convex: depth, translation, contact
    penetration, penetration_batch                  any: the shortest way apart
    distance, distance_batch                        the distance, and the nearest points
    overlap_area, overlap_area_batch                the area in common
    predicate_batch                                 contains, touches, overlaps, ... as in DE-9IM

Shapes that move and turn::

    swept_collision, swept_collision_batch          the first contact within a frame
    contact_intervals, contact_intervals_batch      from when until when they touch
    closest_approach, closest_approach_batch        how near they come, and when

Circles::

    circle_polygon, circle_polygon_batch            overlap with a shape, and its nearest feature
    swept_circle, swept_circle_batch                a moving circle's first contact

Many shapes::

    Shapes                                          a column of shapes, validated and indexed once
    colliding_pairs                                 all pairs that touch, or fulfil a predicate
    iter_colliding_pairs                            the same, piece by piece
    candidate_pairs                                 all pairs whose boxes meet
    nearest                                         the nearest rows of another column
    ray_cast                                        the first shape that each ray meets
    locate                                          points inside, on the boundary or outside

Trajectories::

    Trajectories                                    a column of bodies in motion, validated once
    encounters                                      which bodies come near each other, and when
    first_contact                                   the first obstacle that each trajectory touches
    clearance                                       how near each comes to obstacles
    place                                           footprints at poses
    boxes                                           footprints of vehicles
    arc                                             turn and center from pose to pose

Shapes made of others::

    convex_parts                                    convex polygons that tile a polygon
    convex_hull                                     the convex hull of points

Subpackages, imported when they are asked for::

    plot                                            pictures of shapes and results
    interop                                         GeoPandas, Shapely, Arrow, pandas, Parquet
    dask                                            joins on many machines
    compat                                          what replaces the functions of other libraries

Input that is not valid raises `InputError`, which says the argument, the row and the reason.
"""

import typing as _typing

from carom._core import (
    FEATURES,
    KINDS,
    Arcs,
    CirclePolygonBatchResult,
    CirclePolygonResult,
    ClearanceBatchResult,
    ClearanceResult,
    ClosestApproachBatchResult,
    ClosestApproachResult,
    ContactIntervals,
    DistanceBatchResult,
    DistanceResult,
    Encounters,
    FirstContactBatchResult,
    FirstContactResult,
    Neighbors,
    PenetrationBatchResult,
    PenetrationResult,
    RayCastBatchResult,
    RayCastResult,
    SatBatchResult,
    SatResult,
    Shapes,
    SweptCircleBatchResult,
    SweptCircleResult,
    SweptCollisionBatchResult,
    SweptCollisionResult,
    Trajectories,
    __version__,
    arc,
    boxes,
    candidate_pairs,
    circle_polygon,
    circle_polygon_batch,
    clearance,
    closest_approach,
    closest_approach_batch,
    colliding_pairs,
    contact_intervals,
    contact_intervals_batch,
    convex_hull,
    convex_parts,
    distance,
    distance_batch,
    encounters,
    first_contact,
    intersects,
    intersects_batch,
    iter_colliding_pairs,
    locate,
    nearest,
    overlap_area,
    overlap_area_batch,
    penetration,
    penetration_batch,
    place,
    predicate_batch,
    ray_cast,
    sat,
    sat_batch,
    swept_circle,
    swept_circle_batch,
    swept_collision,
    swept_collision_batch,
)
from carom._input_error import InputError, InputIndexError, InputTypeError, InputValueError

__all__ = [
    "FEATURES",
    "KINDS",
    "Arcs",
    "CirclePolygonBatchResult",
    "CirclePolygonResult",
    "ClearanceBatchResult",
    "ClearanceResult",
    "ClosestApproachBatchResult",
    "ClosestApproachResult",
    "ContactIntervals",
    "DistanceBatchResult",
    "DistanceResult",
    "Encounters",
    "FirstContactBatchResult",
    "FirstContactResult",
    "InputError",
    "InputIndexError",
    "InputTypeError",
    "InputValueError",
    "Neighbors",
    "PenetrationBatchResult",
    "PenetrationResult",
    "RayCastBatchResult",
    "RayCastResult",
    "SatBatchResult",
    "SatResult",
    "Shapes",
    "SweptCircleBatchResult",
    "SweptCircleResult",
    "SweptCollisionBatchResult",
    "SweptCollisionResult",
    "Trajectories",
    "__version__",
    "arc",
    "boxes",
    "candidate_pairs",
    "circle_polygon",
    "circle_polygon_batch",
    "clearance",
    "closest_approach",
    "closest_approach_batch",
    "colliding_pairs",
    "contact_intervals",
    "contact_intervals_batch",
    "convex_hull",
    "convex_parts",
    "distance",
    "distance_batch",
    "encounters",
    "first_contact",
    "intersects",
    "intersects_batch",
    "iter_colliding_pairs",
    "locate",
    "nearest",
    "overlap_area",
    "overlap_area_batch",
    "penetration",
    "penetration_batch",
    "place",
    "predicate_batch",
    "ray_cast",
    "sat",
    "sat_batch",
    "swept_circle",
    "swept_circle_batch",
    "swept_collision",
    "swept_collision_batch",
]

if _typing.TYPE_CHECKING:
    from carom import compat as compat
    from carom import dask as dask
    from carom import interop as interop
    from carom import plot as plot
else:
    from carom._subpackages import on_demand as _on_demand

    __getattr__, __dir__ = _on_demand(
        __name__,
        {
            "compat": (),
            "dask": ("dask", "dask_geopandas", "geopandas", "pandas", "pyarrow", "shapely"),
            "interop": (),
            "plot": ("matplotlib",),
        },
    )

"""Exact, fast 2-D collision queries on NumPy arrays.

Every yes or no is exactly right for the float64 numbers given: touching counts, and no tolerance
takes part. `intersects`, `sat`, `swept_collision`, `circle_polygon`, `swept_circle` and `distance`
ask about one pair; each has a ``_batch`` twin that answers many rows at once.
"""

import typing as _typing

from carom._core import (
    FEATURES,
    KINDS,
    CirclePolygonBatchResult,
    CirclePolygonResult,
    ClearanceBatchResult,
    ClearanceResult,
    ClosestApproachBatchResult,
    ClosestApproachResult,
    ContactIntervals,
    DistanceBatchResult,
    DistanceResult,
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
    __version__,
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
    first_contact,
    intersects,
    intersects_batch,
    iter_colliding_pairs,
    locate,
    nearest,
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

__all__ = [
    "FEATURES",
    "KINDS",
    "CirclePolygonBatchResult",
    "CirclePolygonResult",
    "ClearanceBatchResult",
    "ClearanceResult",
    "ClosestApproachBatchResult",
    "ClosestApproachResult",
    "ContactIntervals",
    "DistanceBatchResult",
    "DistanceResult",
    "FirstContactBatchResult",
    "FirstContactResult",
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
    "__version__",
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
    "first_contact",
    "intersects",
    "intersects_batch",
    "iter_colliding_pairs",
    "locate",
    "nearest",
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
    from carom import dask as dask
    from carom import plot as plot
else:

    def __getattr__(name):
        """The subpackages `dask` and `plot`, imported when asked for: both need large libraries."""
        if name in ("dask", "plot"):
            import importlib

            return importlib.import_module(f"carom.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

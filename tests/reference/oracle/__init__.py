"""Exact answers to the library's questions: slow, obvious, and sharing nothing with it.

Each group of queries has its own module. ``check`` compares a result of the library with them.
"""

from .circles import circle_polygon, swept_circle
from .nearness import comes_within, trajectory
from .pairs import distance, intersects, touches
from .points_and_rays import locate, nearest, ray_cast
from .sat import sat
from .sweep import swept_collision, will_intersect
from .validity import is_valid, kind, why_invalid

__all__ = [
    "circle_polygon",
    "comes_within",
    "distance",
    "intersects",
    "is_valid",
    "kind",
    "locate",
    "nearest",
    "ray_cast",
    "sat",
    "swept_circle",
    "swept_collision",
    "touches",
    "trajectory",
    "why_invalid",
    "will_intersect",
]

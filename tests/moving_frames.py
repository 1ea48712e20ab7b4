"""Frames of boxes that move, for the tests of motion by label."""

from __future__ import annotations

from typing import Any

import geopandas
import numpy as np
import pandas as pd
import shapely
from carom.interop import geopandas as cg

TWO_LEVELS = pd.MultiIndex.from_product([["a", "b"], range(10)], names=["u", "v"])
INDEXES = {
    "numbers": pd.RangeIndex(20),
    "strings": pd.Index([f"row {k}" for k in range(20)], name="id"),
    "repeating": pd.Index(["p", "q"] * 10),
    "of two levels": TWO_LEVELS,
}
BOW = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
MOVING = {"velocity_a": ("vx", "vy"), "velocity_b": ("vx", "vy")}
STAY = ("enter", "leave", "still_inside")
FUNCTIONS = (cg.swept_collision, cg.closest_approach, cg.contact_intervals)


def corners(rng: np.random.Generator, count: int) -> Any:
    """Corners of boxes with small integers, so that many touch in a moment."""
    low = rng.integers(-6, 6, (count, 2))
    return np.concatenate([low, low + rng.integers(1, 4, (count, 2))], axis=1).astype(float)


def frame(rng: np.random.Generator, index: Any = INDEXES["numbers"]) -> Any:
    """Rows that move in quarters of the unit; the fourth has no geometry."""
    boxes = shapely.box(*corners(rng, 20).T)
    boxes[3] = None
    velocity = rng.integers(-30, 30, (20, 2)) / 4
    columns = {"vx": velocity[:, 0], "vy": velocity[:, 1], "n": range(20)}
    return geopandas.GeoDataFrame(columns, geometry=boxes, index=index, crs=32633)

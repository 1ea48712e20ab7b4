"""Tables of tracks, and zones, for the tests of visits."""

from __future__ import annotations

from typing import Any

import geopandas
import numpy as np
import pandas as pd
import shapely

NAMES: dict[str, Any] = {"agent": "id", "time": "t"}
XY: dict[str, Any] = {**NAMES, "x": "x", "y": "y"}


def track(*reports: tuple[float, float, float], agent: Any = "p") -> pd.DataFrame:
    """The reports t, x and y of one agent."""
    return pd.DataFrame(reports, columns=["t", "x", "y"]).assign(id=agent)


def boxes(*bounds: tuple[float, float, float, float], index: Any = None) -> geopandas.GeoSeries:
    """A zone for each least x, least y, greatest x and greatest y."""
    return geopandas.GeoSeries([shapely.box(*it) for it in bounds], index=index)


def times(frame: pd.DataFrame) -> list[tuple[Any, Any]]:
    """When agents enter and leave."""
    return list(zip(frame["enter"], frame["leave"], strict=True))


def located(frame: pd.DataFrame, crs: Any = None) -> geopandas.GeoDataFrame:
    """A table with points in place of the columns x and y."""
    points = geopandas.points_from_xy(frame["x"], frame["y"])
    return geopandas.GeoDataFrame(frame.drop(columns=["x", "y"]), geometry=points, crs=crs)


SQUARE = boxes((0, 0, 10, 10), index=["square"])
THROUGH = track((0, -10, 5), (4, 30, 5))


def random_table(seed: int, ulps: int = 0) -> tuple[pd.DataFrame, list[Any]]:
    """Reports on a small grid in any order, of which some agents have one, and boxes on it.

    Positions may lie beside the grid by so many units in the last place.
    """
    rng = np.random.default_rng(seed)
    agents = [
        track(*zip(0.1 * when, *positions, strict=True), agent=agent)
        for agent in "pqrs"[: rng.integers(1, 5)]
        for when in [np.sort(rng.choice(40, rng.integers(1, 12), replace=False))]
        for grid in [rng.integers(0, 7, (2, len(when))).astype(np.float64)]
        for positions in [grid + rng.integers(-ulps, ulps + 1, grid.shape) * np.spacing(grid)]
    ]
    frame = pd.concat(agents).sample(frac=1, random_state=seed)
    count = rng.integers(1, 5)
    corners, sizes = rng.integers(0, 6, (count, 2)), rng.integers(1, 4, (count, 2))
    # Python's numbers, of which fractions are made without overflow.
    return frame, np.hstack([corners, corners + sizes]).astype(np.float64).tolist()

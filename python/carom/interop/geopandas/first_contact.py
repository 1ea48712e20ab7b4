"""The first contact of trajectories with obstacles that have labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
from numpy.typing import ArrayLike

import carom
from carom._input_error import InputTypeError
from carom.interop.geopandas.column import Column, indexed, labelled, not_indexed
from carom.interop.geopandas.crs_checks import warn_of_degrees
from carom.interop.geopandas.row_values import numbers, refuse_other_length, vectors
from carom.interop.geopandas.shared_docstrings import twin_of
from carom.interop.geopandas.types import Numbers, Operand, Rows, Vectors
from carom.interop.pandas import labels_of

_SHARED = """
Raises
------
ValueError
    If a shape, a pose or a velocity is not valid, or footprints and obstacles have different CRS.
TypeError
    If `obstacles` has no index, or an argument does not consist of numbers.
"""


@twin_of(carom.first_contact, _SHARED, velocity="it is called obstacle_velocity")
def first_contact(
    footprints: Operand | carom.Trajectories,
    poses: ArrayLike | Rows | None = None,
    obstacles: Rows | None = None,
    *,
    obstacle_velocity: Vectors | None = None,
    obstacle_poses: ArrayLike | None = None,
    margin: Numbers = 0.0,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    check: bool = True,
    on_invalid: Literal["raise", "mask"] = "raise",
    drop_z: bool = False,
) -> pd.DataFrame:
    """The first obstacle that a footprint touches on each of many trajectories, by its label.

    Parameters
    ----------
    footprints : GeoSeries or GeoDataFrame, or shapes in any form, or Trajectories
        The footprint at the pose ``(0, 0, 0)``, or one for each trajectory. Or trajectories, in the
        place of footprints and poses: the second argument then is `obstacles`.
    poses : array_like, shape (K, T, 3)
        For each of K trajectories T poses ``x, y, heading``, in the coordinates of the obstacles.
    obstacles : GeoSeries or GeoDataFrame
        The obstacles at the time of the first pose. Missing rows are left out.
    obstacle_velocity : array_like of shape (2,) or (M, 2), DataFrame, or names, optional
        The displacement of the obstacles per step: one for all, or one for each, by position, by
        label, or in the two columns of these names. By default they rest.
    margin : float, array_like, Series, or str, default 0.0
        The distance at which an obstacle counts as touched: one number, one for each obstacle by
        position, by label or in the column of this name, or an array of shape (K, 1) or (K, M).

    Returns
    -------
    pandas.DataFrame
        One row for each trajectory, or for each group of `Trajectories` that have groups, and one
        column per number of `carom.FirstContactBatchResult`. ``obstacle`` is the label of an
        obstacle, missing where there is no contact. The index is that of `footprints`, if they have
        one and are as many as the trajectories, else the number of the trajectory.

    Warns
    -----
    UserWarning
        If the obstacles are in degrees, or shapes are masked: how many, and why.

    See Also
    --------
    carom.first_contact : the same with the number of the obstacle's row.

    Examples
    --------
    >>> import carom, geopandas, shapely
    >>> from carom.interop import geopandas as cg
    >>> trees = geopandas.GeoSeries.from_xy([6, 9], [0, 4], index=["oak", "elm"])
    >>> straight, turning = [(0, 0, 0), (8, 0, 0)], [(0, 0, 0), (0, 8, 0)]
    >>> mower = carom.boxes(2, 2)
    >>> cg.first_contact(mower, [straight, turning], trees, fields=("hit", "time", "obstacle"))
         hit   time obstacle
    0   True  0.625      oak
    1  False    inf      NaN
    """
    rows: Any = obstacles
    if obstacles is None:
        poses, rows = None, poses
    options = {"check": check, "on_invalid": on_invalid, "drop_z": drop_z}
    column = indexed(rows, "obstacles", **options)
    if column is None:
        raise InputTypeError(not_indexed("obstacles", rows), at="obstacles")
    warn_of_degrees("first_contact", "poses are", column.crs)
    bodies = None
    if not isinstance(footprints, carom.Trajectories):
        bodies = indexed(footprints, "footprints", **options)
    keywords: dict[str, Any] = _of_obstacles(column, obstacle_velocity, margin)
    keywords |= {"poses": poses, "obstacles": column.shapes, "obstacle_poses": obstacle_poses}
    keywords |= {"fields": fields, "threads": threads, "check": check, "on_invalid": on_invalid}
    shapes: Any = footprints if bodies is None else bodies.shapes
    of_rows = dict.fromkeys(("obstacles", "obstacle_velocity", "margin"), column)
    of_rows |= {} if bodies is None else {"footprints": bodies}
    with labelled(**{name: (name, it.index) for name, it in of_rows.items()}):
        found = carom.first_contact(shapes, **keywords)
    index = bodies.index if bodies is not None and len(bodies) == len(found) else None
    table: pd.DataFrame = found.to_pandas(index)
    if "obstacle" in table:
        table["obstacle"] = labels_of(column.index, found.obstacle)
    return table


def _of_obstacles(column: Column, velocity: Any, margin: Any) -> dict[str, Any]:
    """The numbers that belong to obstacles, by position."""
    if velocity is not None:
        velocity = vectors("obstacle_velocity", velocity, column.rows, column.index)
        refuse_other_length("obstacle_velocity", velocity, 1, "obstacles has {}", len(column))
    if margin is not None:
        margin = numbers("margin", margin, column.rows, column.index)
    return {"obstacle_velocity": velocity, "margin": margin}

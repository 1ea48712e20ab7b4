"""First contacts of many trajectories."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
from dask.delayed import Delayed

import carom
from carom._input_error import InputTypeError, InputValueError, Place, again
from carom.interop.geopandas.unknown_keywords import hinting

if TYPE_CHECKING:
    from collections.abc import Sequence


@hinting(carom.first_contact)
def first_contact(
    footprints: Any,
    poses: Any = None,
    obstacles: Any = None,
    *,
    obstacle_velocity: Any = None,
    obstacle_poses: Any = None,
    velocity: Any = None,
    margin: Any = 0.0,
    fields: Sequence[str] | None = None,
    check: bool = True,
    on_invalid: str = "raise",
) -> Any:
    """The first contact of each trajectory with any obstacle.

    Parameters
    ----------
    footprints : (V, 2) array_like, (K, V, 2) array, list of footprints, or Shapes
        One footprint for all trajectories, or one for each. Or a list of `Trajectories`, some of
        which may be ``dask.delayed``, in place of footprints and poses: each is a partition of the
        result, and the second argument is `obstacles`. Groups must not be divided.
    poses : dask.array.Array of shape (K, T, 3)
        The poses x, y, heading of each trajectory. A block of trajectories is a partition of the
        result.
    obstacles : Shapes, or what they are made of, or Trajectories
        The obstacles, of which each worker gets a copy.
    obstacle_velocity, obstacle_poses, fields, check, on_invalid
        As in `carom.first_contact`.
    margin : float or array_like of shape (M,), default 0.0
        As there, the same for all trajectories.
    velocity
        Another name of `obstacle_velocity`.

    Returns
    -------
    dask.dataframe.DataFrame
        A row for each trajectory or group, numbered from 0, and the columns of `to_pandas`:
        ``hit``, ``step``, ``time``, ``obstacle``, ``normal_x``, ...

    Raises
    ------
    ValueError
        If poses have another shape, or there is not one footprint for each trajectory. When
        computed: if a pose or a shape is not valid, or as `carom.first_contact` raises.
    TypeError
        If `poses` is not a Dask array, or `footprints` or `obstacles` are Dask's.

    See Also
    --------
    carom.first_contact : the same of poses in memory.

    Examples
    --------
    >>> import carom.dask, dask.array, numpy as np
    >>> car = [(-2, -1), (2, -1), (2, 1), (-2, 1)]
    >>> poses = np.zeros((4, 2, 3))
    >>> poses[:, 1, 0] = [5, 10, 20, 40]
    >>> wall = carom.Shapes([[(22, -9), (23, -9), (23, 9), (22, 9)]])
    >>> poses = dask.array.from_array(poses, chunks=(2, -1, -1))
    >>> found = carom.dask.first_contact(car, poses, wall)
    >>> found[["step", "time"]].compute()
       step  time
    0    -1   inf
    1    -1   inf
    2     0   1.0
    3     0   0.5
    """
    if obstacle_velocity is None:
        obstacle_velocity = velocity
    elif velocity is not None:
        raise InputValueError("given with obstacle_velocity, which is the same", at="velocity")
    keywords: dict[str, Any] = {"obstacle_velocity": obstacle_velocity, "margin": margin}
    keywords |= {"fields": fields, "check": check, "on_invalid": on_invalid}
    if np.ndim(margin) > 1:
        raise InputValueError("expected a number, or one for each obstacle", at="margin")
    if _are_trajectories(footprints):
        for name, given in (
            ("poses", poses if obstacles is not None else None),
            ("obstacle_poses", obstacle_poses),
        ):
            if given is not None:
                raise InputValueError("given with Trajectories, which have poses", at=name)
        parts = [footprints] if isinstance(footprints, carom.Trajectories) else list(footprints)
        return _of_parts(parts, poses if obstacles is None else obstacles, keywords)
    if not dask.is_dask_collection(poses) or not hasattr(poses, "chunks"):
        raise InputTypeError(f"expected a Dask array, got {type(poses).__name__}", at="poses")
    if poses.ndim != 3 or poses.shape[2] != 3:
        raise InputValueError(f"expected the shape (K, T, 3), got {poses.shape}", at="poses")
    if np.isnan(poses.shape[0]):
        raise InputValueError(
            "compute_chunk_sizes() tells the sizes of its blocks, not known yet", at="poses"
        )
    for name, given in (("footprints", footprints), ("obstacles", obstacles)):
        if dask.is_dask_collection(given):
            raise InputTypeError(
                f"expected shapes in memory, got a {type(given).__name__} of Dask; "
                f"{name}.compute() brings them there",
                at=name,
            )
    poses = poses.rechunk({1: -1, 2: -1})
    ends = np.cumsum([0, *poses.chunks[0]])
    footprints = getattr(footprints, "geometry", footprints)
    parts = _parts(footprints, ends)
    keywords["obstacle_poses"] = obstacle_poses
    checks: dict[str, Any] = {"check": check, "on_invalid": on_invalid}
    # Raises now the errors that don't depend on the trajectories.
    one = parts[0][:0] if _is_many(footprints) else footprints
    empty = np.empty((0, *poses.shape[1:]))
    meta = carom.first_contact(one, empty, obstacles, **keywords)
    if np.size(margin) == 1:
        point, still = carom.Shapes.from_points([(0.0, 0.0)]), np.zeros((1, 1, 3))
        carom.first_contact(point, still, carom.Shapes([]), margin=margin, **checks)
    if not isinstance(obstacles, carom.Shapes | carom.Trajectories):
        obstacles = carom.Shapes(obstacles, **checks)
    shared = dask.delayed((obstacles, keywords))
    task = dask.delayed(_first_contact)
    blocks = poses.to_delayed().ravel()
    tasks = [task(*it, shared) for it in zip(parts, blocks, ends[:-1].tolist(), strict=True)]
    # An empty partition has no first row.
    divisions = None if 0 in poses.chunks[0] else (*ends[:-1].tolist(), int(ends[-1]) - 1)
    return dd.from_delayed(tasks, meta=meta.to_pandas(pd.RangeIndex(0)), divisions=divisions)


def _are_trajectories(given: Any) -> bool:
    """Whether these are partitions of trajectories."""
    if not isinstance(given, list | tuple):
        return isinstance(given, carom.Trajectories)
    return any(isinstance(part, carom.Trajectories | Delayed) for part in given)


def _of_parts(parts: list[Any], obstacles: Any, keywords: dict[str, Any]) -> Any:
    """The first contacts of partitions of trajectories."""
    if obstacles is None:
        raise InputTypeError(
            "missing the argument 'obstacles'", at=Place(None, text="first_contact()")
        )
    shared, task, start = dask.delayed((obstacles, keywords)), dask.delayed(_of_part), (0, 0)
    tasks = []
    for part in parts:
        tasks.append(task(part, start, shared))
        start = dask.delayed(_after)(part, start)
    one = next((part for part in parts if isinstance(part, carom.Trajectories)), None)
    if one is None:
        one = parts[0].compute()
    # Raises now the errors that don't depend on the trajectories.
    meta = carom.first_contact(one[:0], obstacles, **keywords)
    return dd.from_delayed(tasks, meta=meta.to_pandas(pd.RangeIndex(0)))


def _bodies(part: Any) -> int:
    """Number of rows of a result."""
    return len(part) if part.groups is None else len(set(part.groups.tolist()))


def _after(part: Any, start: tuple[int, int]) -> tuple[int, int]:
    """The first row, and the first body, of the partition after this one."""
    return start[0] + len(part), start[1] + _bodies(part)


def _of_part(part: Any, start: tuple[int, int], shared: Any) -> pd.DataFrame:
    obstacles, keywords = shared
    found = carom.first_contact(part, obstacles, threads=1, **keywords)
    table: pd.DataFrame = found.to_pandas(pd.RangeIndex(start[1], start[1] + _bodies(part)))
    if "part" in table:
        table["part"] += start[0] * (table["part"] >= 0)
    return table


def _is_many(footprints: Any) -> bool:
    """Whether there is not one footprint for all: vertices, a geometry, or one in a column."""
    if isinstance(footprints, list | tuple):
        return len(footprints) > 1 and np.ndim(footprints[0]) != 1
    if isinstance(footprints, carom.Shapes):
        return len(footprints) != 1
    return getattr(footprints, "ndim", 2) != 2 and len(footprints) != 1


def _parts(footprints: Any, ends: Any) -> list[Any]:
    """The footprints of each block."""
    if not _is_many(footprints):
        return [footprints] * (len(ends) - 1)
    if len(footprints) != ends[-1]:
        raise InputValueError(
            f"expected one, or one for each of {ends[-1]} trajectories, got {len(footprints)}",
            at="footprints",
        )
    return [footprints[start:stop] for start, stop in pairwise(ends)]


def _first_contact(footprints: Any, poses: Any, start: int, shared: Any) -> pd.DataFrame:
    obstacles, keywords = shared
    try:
        found = carom.first_contact(footprints, poses, obstacles, threads=1, **keywords)
    except carom.InputError as why:
        if why.argument not in ("poses", "footprints") or why.row is None:
            raise
        first, *rest = why.row if isinstance(why.row, tuple) else (why.row,)
        row = (first + start, *rest) if rest else first + start
        raise again(why, at=Place(why.argument, row)) from None
    table: pd.DataFrame = found.to_pandas(pd.RangeIndex(start, start + len(poses)))
    return table

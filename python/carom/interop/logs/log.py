"""Trajectories with the labels of their agents, and queries whose results have these labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import carom
from carom._input_error import InputValueError
from carom.interop.logs import clock
from carom.interop.pandas import columns_of, labels_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOMENT = ("step", "time")
"""The fields of which `at` is computed."""


class Log:
    """Trajectories with the labels of their agents and the times; made by `trajectories`.

    Attributes
    ----------
    trajectories : carom.Trajectories
        The bodies, one for each agent, which all functions of carom take. Their times are numbers:
        if those of the log are dated, seconds since the first.
    agents : pandas.Index
        The label of each agent, in the order of first appearance.
    times : pandas.Index
        The time of each step: numbers, timestamps or durations, as in the table.

    Examples
    --------
    >>> import pandas
    >>> from carom.interop import logs
    >>> frame = pandas.DataFrame(
    ...     {
    ...         "ship": [7, 9, 7, 9],
    ...         "time": pandas.to_datetime(["2024-05-01 12:00"] * 2 + ["2024-05-01 12:01"] * 2),
    ...         "x": [0.0, 0.0, 500.0, 0.0],
    ...         "y": [0.0, 300.0, 0.0, 310.0],
    ...     }
    ... )
    >>> columns = {"agent": "ship", "time": "time", "x": "x", "y": "y"}
    >>> log = logs.trajectories(frame, **columns, length=100.0, width=20.0)
    >>> log
    Log(<2 agents at 2 times from 2024-05-01 12:00:00 to 2024-05-01 12:01:00, 4 poses>)
    >>> log.agents.tolist(), log.trajectories.poses[1, 0].tolist()
    ([7, 9], [0.0, 300.0, 1.5707963267948966])
    """

    __slots__ = ("agents", "times", "trajectories")

    trajectories: carom.Trajectories
    agents: pd.Index
    times: pd.Index

    def __init__(self, trajectories: carom.Trajectories, agents: Any, times: Any) -> None:
        object.__setattr__(self, "trajectories", trajectories)
        object.__setattr__(self, "agents", pd.Index(agents, name="agent"))
        object.__setattr__(self, "times", pd.Index(times, name="time"))
        expected = trajectories.present.shape
        for name, index, count in zip(
            ("agents", "times"), (self.agents, self.times), expected, strict=True
        ):
            if len(index) != count:
                raise InputValueError(f"expected {count}, got {len(index)}", at=name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Log is immutable: {name} can't be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Log is immutable: {name} can't be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return Log, (self.trajectories, self.agents, self.times)

    def __len__(self) -> int:
        return len(self.agents)

    def __repr__(self) -> str:
        agents, times = _counted(len(self), "agent"), _counted(len(self.times), "time")
        span = f" from {self.times[0]} to {self.times[-1]}"
        if len(self.times) == 1:
            span = f", {self.times[0]}"
        present = self.trajectories.present
        poses = _counted(int(np.count_nonzero(present)), "pose")
        # Between successive poses of an agent that are not successive on the clock nothing moves.
        steps = int(np.maximum(present.sum(axis=1) - 1, 0).sum())
        gaps = steps - int(np.count_nonzero(present[:, 1:] & present[:, :-1]))
        told = f", {_counted(gaps, 'gap')}" if gaps else ""
        return f"Log(<{agents} at {times}{span}, {poses}{told}>)"

    def encounters(
        self,
        *,
        margin: float = 0.0,
        fields: Sequence[str] | None = None,
        max_pairs: int | None = None,
        threads: int | None = None,
    ) -> pd.DataFrame:
        """Which agents come within the margin of each other, and the first contact of each pair.

        Parameters
        ----------
        margin : float, default 0.0
            The distance, in the unit of positions, within which two agents meet.
        fields : sequence of str, optional
            The fields of the result: those of `carom.encounters`, and "at". On request also
            "distance", "distance_step" and "distance_time".
        max_pairs : int, optional
            The number of pairs beyond which the call raises.
        threads : int, optional
            The number of threads; by default all cores.

        Returns
        -------
        pandas.DataFrame
            One row for each pair, each once, sorted: the labels ``a`` and ``b``, of which ``a``
            appears first in the log, and a column for each number of the fields. ``at`` is the time
            of the contact: a timestamp or duration if those of the log are, rounded to
            microseconds, or to nanoseconds if the log has these.

        Raises
        ------
        ValueError
            If the margin is negative, NaN or infinite, a field is unknown, or there are more pairs
            than `max_pairs`.
        TypeError
            If an argument is of the wrong type.

        See Also
        --------
        carom.encounters : the same with rows in place of labels.

        Examples
        --------
        >>> import pandas
        >>> from carom.interop import logs
        >>> frame = pandas.DataFrame(
        ...     {"id": list("pqpq"), "t": [0, 0, 1, 1], "x": [0, 9, 4, 5], "y": [0, 0, 0, 1]}
        ... )
        >>> columns = {"agent": "id", "time": "t", "x": "x", "y": "y"}
        >>> log = logs.trajectories(frame, **columns, length=2.0, width=2.0, reference="corner")
        >>> log.encounters(fields=("at", "normal"))
           a  b     at  normal_x  normal_y
        0  p  q  0.875      -1.0       0.0
        """
        options: dict[str, Any] = {"margin": margin, "max_pairs": max_pairs, "threads": threads}
        asked, is_timed = _asked(fields)
        result = carom.encounters(self.trajectories, fields=asked, **options)
        a, b = result.pairs
        pairs = {"a": self.agents.take(a), "b": self.agents.take(b)}
        return pd.DataFrame(pairs | self._columns(result, fields, is_timed))

    def first_contact(
        self,
        obstacles: Any,
        *,
        obstacle_velocity: Any = None,
        margin: Any = 0.0,
        fields: Sequence[str] | None = None,
        threads: int | None = None,
        check: bool = True,
        on_invalid: str = "raise",
    ) -> pd.DataFrame:
        """The first obstacle that each agent touches, and when.

        Parameters
        ----------
        obstacles : Log or carom.Trajectories, or shapes in any form that `carom.Shapes` takes
            The obstacles. Another log has the same times.
        obstacle_velocity : array_like of shape (2,) or (M, 2), optional
            The displacement of shapes per step; by default they rest.
        margin : float or array_like of shape (M,), default 0.0
            The distance at which an obstacle counts as touched.
        fields : sequence of str, optional
            The fields of the result: those of `carom.first_contact`, and "at".
        threads, check, on_invalid
            As in `carom.first_contact`.

        Returns
        -------
        pandas.DataFrame
            The index ``agent``, and a column for each number of the fields. ``obstacle`` is a row,
            or the label of an agent of another log, missing where there is no contact. ``at`` is
            the time of the contact: a timestamp or duration if those of the log are, NaT where
            there is none.

        Raises
        ------
        ValueError
            If an obstacle is not valid, a log has other times, or the obstacles are this log, whose
            agents `encounters` compares.
        TypeError
            If an argument is of the wrong type.

        See Also
        --------
        carom.first_contact : the same with rows in place of labels.

        Examples
        --------
        >>> import pandas
        >>> from carom.interop import logs
        >>> frame = pandas.DataFrame(
        ...     {"id": list("pqpq"), "t": [0, 0, 1, 1], "x": [0, 9, 4, 9], "y": [0, 0, 0, 1]}
        ... )
        >>> columns = {"agent": "id", "time": "t", "x": "x", "y": "y"}
        >>> log = logs.trajectories(frame, **columns, length=2.0, width=2.0)
        >>> wall = [(3, -5), (4, -5), (4, 5), (3, 5)]
        >>> log.first_contact([wall], fields=("hit", "obstacle", "at")).reset_index()
          agent    hit  obstacle   at
        0     p   True         0  0.5
        1     q  False        -1  inf
        """
        options = {"margin": margin, "obstacle_velocity": obstacle_velocity, "threads": threads}
        options |= {"check": check, "on_invalid": on_invalid}
        return self._against(carom.first_contact, obstacles, fields, options)

    def clearance(
        self,
        obstacles: Any,
        *,
        obstacle_velocity: Any = None,
        fields: Sequence[str] | None = None,
        threads: int | None = None,
        check: bool = True,
        on_invalid: str = "raise",
    ) -> pd.DataFrame:
        """How near each agent comes to the obstacles, and when.

        Parameters
        ----------
        obstacles : Log or carom.Trajectories, or shapes in any form that `carom.Shapes` takes
            The obstacles. Another log has the same times.
        obstacle_velocity : array_like of shape (2,) or (M, 2), optional
            The displacement of shapes per step; by default they rest.
        fields : sequence of str, optional
            The fields of the result: those of `carom.clearance`, and "at".
        threads, check, on_invalid
            As in `carom.clearance`.

        Returns
        -------
        pandas.DataFrame
            The index ``agent``, and a column for each number of the fields. ``obstacle`` is a row,
            or the label of an agent of another log. ``at`` is the time at which the distance is
            least: a timestamp or duration if those of the log are.

        Raises
        ------
        ValueError
            If an obstacle is not valid, a log has other times, or the obstacles are this log.
        TypeError
            If an argument is of the wrong type.

        See Also
        --------
        carom.clearance : the same with rows in place of labels.

        Examples
        --------
        >>> import pandas
        >>> from carom.interop import logs
        >>> frame = pandas.DataFrame(
        ...     {"id": list("pqpq"), "t": [0, 0, 1, 1], "x": [0, 9, 4, 9], "y": [0, 0, 0, 1]}
        ... )
        >>> columns = {"agent": "id", "time": "t", "x": "x", "y": "y"}
        >>> log = logs.trajectories(frame, **columns, length=2.0, width=2.0)
        >>> wall = [(6, -5), (7, -5), (7, 5), (6, 5)]
        >>> log.clearance([wall], fields=("distance", "at")).loc["p"].tolist()
        [1.0, 1.0]
        """
        options = {"obstacle_velocity": obstacle_velocity, "threads": threads}
        options |= {"check": check, "on_invalid": on_invalid}
        return self._against(carom.clearance, obstacles, fields, options)

    def _against(self, query: Any, obstacles: Any, fields: Any, options: Any) -> pd.DataFrame:
        labels = None
        if isinstance(obstacles, Log):
            self._refuse_log(obstacles)
            obstacles, labels = obstacles.trajectories, obstacles.agents
        asked, is_timed = _asked(fields)
        result = query(self.trajectories, obstacles, fields=asked, **options)
        table = pd.DataFrame(self._columns(result, fields, is_timed), index=self.agents)
        if labels is not None and "obstacle" in table:
            table["obstacle"] = labels_of(labels, result.obstacle)
        return table

    def _refuse_log(self, obstacles: Log) -> None:
        if obstacles is self:
            raise InputValueError(
                "every agent of a log meets itself; encounters() compares it with the others",
                at="obstacles",
            )
        if not obstacles.times.equals(self.times):
            raise InputValueError(
                "the log has other times; logs of one clock are made with times in common, or of "
                "one table, whose agents encounters() compares",
                at="obstacles",
            )

    def _columns(self, result: Any, fields: Any, is_timed: bool) -> dict[str, Any]:
        """The columns of a result's fields in the order asked for, `at` included."""
        found = {name: it for name, it in result._asdict().items() if it is not None}
        if is_timed:
            found["at"] = clock.at(self.times, result.step, result.time)
        order = [name for name in found if name != "at"] if fields is None else fields
        if fields is None:
            order.insert(order.index("time") + 1, "at")
        columns: dict[str, Any] = {}
        for name in order:
            if name != "pairs":
                columns |= columns_of(name, found[name])
        return columns


def _asked(fields: Any) -> tuple[Any, bool]:
    """The fields to ask of carom, and whether `at` is one of the result."""
    if fields is None or isinstance(fields, str) or "at" not in fields:
        return fields, fields is None
    return tuple(dict.fromkeys([*(it for it in fields if it != "at"), *_MOMENT])), True


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'s' * (count != 1)}"

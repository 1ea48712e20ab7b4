"""Logs of traffic in long tables, one row for each agent and time, as trajectories.

`trajectories` reads tables as SUMO, highD, nuScenes and AIS give them. The queries of the `Log`
that it makes return data frames with the labels of the agents and the times of the table.

Examples
--------
>>> import pandas
>>> from carom.interop import logs
>>> frame = pandas.DataFrame(
...     {
...         "vehicle": ["p", "q", "p", "q"],
...         "timestep": [0.0, 0.0, 1.0, 1.0],
...         "x": [10.0, 40.0, 24.0, 27.0],
...         "y": [3.2, 3.2, 3.2, 3.2],
...         "angle": [90.0, 270.0, 90.0, 270.0],
...     }
... )
>>> log = logs.trajectories(
...     frame,
...     agent="vehicle",
...     time="timestep",
...     x="x",
...     y="y",
...     heading="angle",
...     angle="compass",
...     length=4.5,
...     width=1.8,
...     reference="front",
... )
>>> log.encounters(margin=10.0, fields=("at",)).round(3)
   a  b     at
0  p  q  0.741
"""

from carom.interop.logs.log import Log
from carom.interop.logs.reading import trajectories

__all__ = ["Log", "trajectories"]

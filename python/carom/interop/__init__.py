"""Conversion to and from other libraries, each imported only when it is needed.

Subpackages, imported when they are asked for::

    geopandas       the queries of carom on frames with labels and attributes
    logs            long tables of traffic as trajectories

Examples
--------
>>> import carom, geopandas, shapely
>>> plots = geopandas.GeoSeries([shapely.box(x, 0, x + 2, 2) for x in (0, 2, 5)], list("pqr"))
>>> carom.interop.geopandas.colliding_pairs(plots)
   a  b
0  p  q
"""

import typing as _typing

if _typing.TYPE_CHECKING:
    from carom.interop import geopandas as geopandas
    from carom.interop import logs as logs

    def __dir__() -> list[str]: ...

else:
    from carom._subpackages import on_demand as _on_demand

    __getattr__, __dir__ = _on_demand(
        __name__, {"geopandas": ("geopandas", "pandas", "shapely"), "logs": ("pandas",)}
    )

"""Pictures of polygons and of what carom answers about them, drawn with matplotlib.

`polygons` draws a polygon or a column. `sat`, `swept_collision` and `circle_polygon` ask the
question of the same name and draw the answer; each draws on `ax`, or on new axes, and returns
them. `animate` is a film of a sweep that stops at the contact and slides along it.

Colours are Okabe and Ito's, which colour-blind readers tell apart. Matplotlib comes with
``pip install 'carom[plot]'``.

Examples
--------
>>> import carom.plot
>>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
>>> ax = carom.plot.sat(square, [(1.5, 1), (5, -1), (5, 3)])
>>> ax.figure.savefig("sat.png")
"""

try:
    from .answers import circle_polygon, sat, swept_collision
    from .film import Film, animate
    from .shapes import polygons
except ModuleNotFoundError as _error:
    if (_error.name or "").partition(".")[0] != "matplotlib":
        raise
    raise ImportError(
        "carom.plot needs matplotlib; pip install 'carom[plot]'", name="matplotlib"
    ) from _error

__all__ = ["Film", "animate", "circle_polygon", "polygons", "sat", "swept_collision"]

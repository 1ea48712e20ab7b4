"""Pictures of shapes and of query results, drawn with matplotlib.

`shapes` draws a shape or a column, `trajectories` the bodies of a log and the pairs that come near.
`sat`, `penetration`, `swept_collision`, `first_contact`, `clearance` and `circle_polygon` compute
the query of the same name and draw its result, `rays` that of `ray_cast`: on `ax`, or on new axes,
which they return.
`animate` is an animation of a sweep that stops at the contact and slides along it, or of a log.

The colours are those of Okabe and Ito, which colour-blind readers can distinguish.
``pip install 'carom[plot]'`` installs matplotlib.

Examples
--------
>>> import carom.plot
>>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
>>> ax = carom.plot.sat(square, [(1.5, 1), (5, -1), (5, 3)])
>>> ax.figure.savefig("sat.png")
"""

try:
    from .animate import animate
    from .circle_polygon import circle_polygon
    from .clearance import clearance
    from .first_contact import first_contact
    from .motion.film import Film
    from .penetration import penetration
    from .rays import rays
    from .sat import sat
    from .shapes import shapes
    from .sweeps import swept_collision
    from .trajectories import trajectories
except ModuleNotFoundError as _error:
    if (_error.name or "").partition(".")[0] != "matplotlib":
        raise
    raise ImportError(
        "carom.plot needs matplotlib; pip install 'carom[plot]'", name="matplotlib"
    ) from _error

__all__ = [
    "Film",
    "animate",
    "circle_polygon",
    "clearance",
    "first_contact",
    "penetration",
    "rays",
    "sat",
    "shapes",
    "swept_collision",
    "trajectories",
]


def __dir__() -> list[str]:
    """The public names: imported, the inner modules would be among them."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])

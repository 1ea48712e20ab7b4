"""Figures without a display, and how they are saved."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from pathlib import Path


def blank(size: tuple[float, float]) -> Figure:
    """Returns an empty figure of this size in inches, which needs no display."""
    figure = Figure(figsize=size, dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Writes a figure; raises `OSError` if it can't, or if the suffix is not a known format."""
    try:
        # Without a format, Matplotlib would add a suffix to a path without one.
        figure.savefig(path, format=path.suffix[1:] or "png")
    except OSError as error:
        error.filename = str(path)
        raise
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), str(path)) from None

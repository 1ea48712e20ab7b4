"""What is in a picture: its artists, words and colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from matplotlib.colors import same_color
from matplotlib.text import Annotation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import PathPatch


def arrows(ax: Axes, color: str) -> list[np.ndarray]:
    """The vectors that are drawn in a colour."""
    found = [text for text in ax.texts if isinstance(text, Annotation)]
    found = [text for text in found if same_color(text.arrow_patch.get_edgecolor(), color)]
    return [np.subtract(text.xy, text.xyann) for text in found]


def words(ax: Axes) -> list[str]:
    """What is written on a picture."""
    return [text.get_text() for text in ax.texts if text.get_text()]


def legend(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def labelled(ax: Axes, label: str) -> list[Any]:
    """The patches and lines of a label."""
    return [artist for artist in [*ax.patches, *ax.lines] if artist.get_label() == label]


def box(patch: PathPatch) -> list[float]:
    """Least x, least y, greatest x and greatest y of a patch."""
    return patch.get_path().get_extents().extents.tolist()


def shows(ax: Axes, points: Any) -> bool:
    """Whether points are within the limits of the axes."""
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
    return bool((points >= low).all() and (points <= high).all())


def colours(figure: Any) -> set[tuple[int, ...]]:
    """The colours of the pixels of a figure."""
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    return set(map(tuple, pixels.reshape(-1, 3).tolist()))


def turned(shape: Any, angle: float, center: Any = (0, 0), offset: Any = (0, 0)) -> np.ndarray:
    """Vertices turned about a center, then moved."""
    pivot = complex(*center)
    places = (np.array(shape) @ (1, 1j) - pivot) * np.exp(1j * angle) + pivot + complex(*offset)
    return np.stack([places.real, places.imag], axis=-1)


def region(ax: Axes) -> Any:
    """The swept region of a picture."""
    (drawn,) = labelled(ax, "_swept")
    rings = [shapely.Polygon(ring) for ring in drawn.get_path().to_polygons() if len(ring) > 3]
    assert all(ring.exterior.is_ccw for ring in rings)
    return shapely.union_all(rings)


def quad(patch: Any) -> np.ndarray:
    """The vertices of a footprint of four in data coordinates."""
    shift = patch.get_transform() - patch.axes.transData
    vertices: np.ndarray = shift.transform(patch.get_path().vertices[:4])
    return vertices


def circle(radius: float, angles: Any) -> np.ndarray:
    """Poses on a circle about (0, radius), which starts along the x axis."""
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.stack([radius * sine, radius - radius * cosine, angles], axis=-1)


CAR = [(-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0)]
POST = [(11.0, 4.0), (11.5, 4.0), (11.5, 4.5), (11.0, 4.5)]
FAR = [(90.0, 4.0), (91.0, 4.0), (91.0, 5.0)]
NOWHERE = (np.nan,) * 3
CURVE = circle(12.0, [0.0, 1.0, 2.5])
COMES = [NOWHERE, (0, -9, 0), (6, -9, 0), NOWHERE, (20, -9, 0)]

"""Notebook display of results and columns: tables in HTML, and small pictures in SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np
from numpy.typing import NDArray

from ._core import FEATURES, KINDS, Shapes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Floats: TypeAlias = NDArray[np.float64]

ENDS = 5  # rows shown at either end of a table
LARGEST = 2000  # vertices in a picture
SIDE, SKETCH, RIM = 240.0, 90.0, 8.0  # pixels: side of a column's and of a result's picture, margin
UNIT, HEAD = 36.0, 7.0  # pixels: length of a unit vector, of an arrow's head
# The colours of `carom.plot`, which can't be imported without matplotlib.
BLUE, GREEN, RED = "#0072B2", "#009E73", "#D55E00"


def scalar_html(result: Any) -> str:
    """A scalar result: a table of its fields, and a picture of its points and vectors."""
    fields = {name: value for name, value in result._asdict().items() if value is not None}
    page = Element("div", style="display: flex; align-items: center; gap: 2em")
    rows = [[name, text(name, value)] for name, value in fields.items()]
    page.append(table(type(result).__name__, [], rows))
    picture = sketch(fields)
    if picture is not None:
        page.append(picture)
    return markup(page)


def batch_html(result: Any) -> str:
    """A batch result: a table of its first and last rows."""
    fields = {name: array for name, array in result._asdict().items() if array is not None}
    if not result.valid.all():
        fields["valid"] = result.valid
    count = int(np.prod(result.valid.shape))
    rows = []
    for row in ends(count):
        if row is None:
            rows.append(["…"] * (len(fields) + 1))
            continue
        index = np.unravel_index(row, result.valid.shape)
        values = [text(name, array[index]) for name, array in fields.items()]
        rows.append([", ".join(str(k) for k in index), *values])
    size = " x ".join(f"{length:,}" for length in result.valid.shape) or "1"
    title = f"{type(result).__name__}, {size} row{'' if count == 1 else 's'}"
    return markup(table(title, ["", *fields], rows))


def shapes_svg(column: Shapes) -> str | None:
    """A picture of a column; None if it has no vertices or too many."""
    picture = empty_picture(column)
    if picture is None:
        return None
    for row in np.flatnonzero(column.kind >= 0):
        picture.draw_shape(column[row : row + 1])
    picture.svg.insert(0, element("title", repr(column)))
    return markup(picture.svg)


def empty_picture(column: Shapes) -> Picture | None:
    """What a column is drawn into; None if it has no vertices or too many."""
    if not 0 < len(column.coords) <= LARGEST:
        return None
    bounds = column.bounds[column.kind >= 0]
    picture = Picture(bounds.reshape(-1, 2), SIDE, RIM)
    return picture if picture.is_finite else None


def shapes_html(column: Shapes) -> str | None:
    """A table of the first and last rows of a column that has no picture."""
    if empty_picture(column) is not None:
        return None
    head = ["", "kind", "vertices", "holes", "area", "least x, y", "greatest x, y"]
    rows = []
    for row in ends(len(column)):
        if row is None:
            rows.append(["…"] * len(head))
            continue
        one = column[row : row + 1]
        if one.kind[0] < 0:
            rows.append([str(row), "missing", *[""] * 5])
            continue
        kind, radius, (rings, polygons, *_) = KINDS[one.kind[0]], one.radius[0], one.offsets
        name = f"{kind}, radius {number(radius)}" if radius else kind
        holes = len(rings) - len(polygons) if kind.endswith("polygon") else 0
        low, high = one.bounds[0, :2], one.bounds[0, 2:]
        sizes = [str(len(one.coords)), str(holes), number(one.area[0])]
        rows.append([str(row), name, *sizes, vector(low), vector(high)])
    return markup(table(repr(column), head, rows))


def ends(count: int) -> Iterable[int | None]:
    """The numbers of the first and last rows; None stands for the rows between."""
    if count <= 2 * ENDS:
        return range(count)
    return [*range(ENDS), None, *range(count - ENDS, count)]


def text(field: str, value: Any) -> str:
    """A value of a field, rounded."""
    if isinstance(value, str):
        return value
    if field == "feature":
        return FEATURES[value] if value >= 0 else "None"
    if np.ndim(value) == 1:
        return vector(value)
    if np.ndim(value) == 2:
        first, last = map(vector, value)
        return first if first == last else f"{first} to {last}"
    return number(value) if isinstance(value, float) else str(value)


def number(value: float) -> str:
    """A rounded number."""
    return format(float(value), ".6g")


def vector(value: Sequence[float] | Floats) -> str:
    """A rounded vector or point."""
    return "nan" if np.isnan(value).any() else f"({', '.join(map(number, value))})"


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> Element:
    """A table with a caption; the first cell of each row is a heading."""
    whole = Element("table", {"class": "dataframe", "border": "1"})
    whole.append(element("caption", title, style="caption-side: top; text-align: left"))
    if head:
        line = SubElement(SubElement(whole, "thead"), "tr")
        # A list: ElementTree turns an interrupt inside a generator into a TypeError.
        line.extend([element("th", name) for name in head])
    body = SubElement(whole, "tbody")
    for row in rows:
        line = SubElement(body, "tr")
        line.append(element("th", row[0]))
        line.extend([element("td", cell) for cell in row[1:]])
    return whole


def sketch(fields: dict[str, Any]) -> Element | None:
    """A picture of contact or nearest points, normal and MTV; None without finite points."""
    places = [name for name in ("contact", "closest", "closest_a", "closest_b") if name in fields]
    points = np.array([fields[name] for name in places]).reshape(-1, 2)
    if not len(points) or not np.isfinite(points).all():
        return None
    start, mtv = points.mean(axis=0), fields.get("mtv", np.zeros(2))
    has_mtv = bool(np.isfinite(mtv).all() and mtv.any())
    picture = Picture(np.stack([*points, start + mtv]) if has_mtv else points, SKETCH, UNIT + RIM)
    if not picture.is_finite:
        return None
    words = ["contact" if "contact" in fields else "nearest points"]
    picture.draw(points, RED, 4)
    if "normal" in fields and not (has_mtv and "depth" in fields):  # normal and MTV coincide
        words.append("normal")
        x, y = fields["normal"]
        tail = picture.pixels([start])[0]
        picture.draw_arrow(tail, tail + UNIT * np.array([x, -y]), RED)
    if has_mtv:
        words.append("mtv (green)")
        tail, tip = picture.pixels([start, start + mtv])
        picture.draw_arrow(tail, tip, GREEN)
    for x, y in picture.pixels(points):
        picture.svg.append(element("circle", cx=px(x), cy=px(y), r="4", fill=RED))
    picture.svg.insert(0, element("title", ", ".join(words)))
    return picture.svg


class Picture:
    """A small picture scaled to given points, with y upwards."""

    def __init__(self, points: Floats, side: float, rim: float) -> None:
        with np.errstate(over="ignore"):
            self.low, span = points.min(axis=0), np.ptp(points, axis=0)
        self.span = float(span.max()) or 1.0
        self.is_finite = bool(np.isfinite(self.span))
        self.side, self.rim = side, rim
        width, height = span / self.span * side if self.is_finite else (side, side)
        self.top = height + rim
        self.svg = element("svg", xmlns="http://www.w3.org/2000/svg", role="img")
        self.svg.set("width", px(width + 2 * rim))
        self.svg.set("height", px(self.top + rim))

    def pixels(self, points: Sequence[Floats] | Floats) -> Floats:
        """Points in pixels."""
        x, y = (self.side * ((np.asarray(points) - self.low) / self.span)).T
        return np.stack([self.rim + x, self.top - y], axis=-1)

    def draw(self, points: Floats, color: str, width: float) -> None:
        """Draws a line through points."""
        style = {"stroke": color, "stroke-width": px(width), "fill": "none"}
        self.svg.append(element("path", d=f"M{trace(self.pixels(points))}", **style))

    def draw_shape(self, shape: Shapes) -> None:
        """Draws a column's only row with its radius; holes are not filled."""
        kind, width = KINDS[shape.kind[0]], 2 * self.side * float(shape.radius[0]) / self.span
        is_filled, is_dot = kind.endswith("polygon"), kind.endswith("point")
        rings = np.split(shape.coords, shape.offsets[0][1:-1])
        # A line without length is drawn as a dot as wide as its stroke.
        end = "Z" if is_filled or is_dot else ""
        outline = "".join(f"M{trace(self.pixels(ring))}{end}" for ring in rings)
        if width:
            around = {"stroke": BLUE, "stroke-width": px(width), "opacity": "0.45"}
            around |= {"fill": BLUE if is_filled else "none", "fill-rule": "evenodd"}
            around |= {"stroke-linejoin": "round", "stroke-linecap": "round"}
            self.svg.append(element("path", d=outline, **around))
        style = {"fill": BLUE if is_filled and not width else "none", "fill-opacity": "0.45"}
        style |= {"fill-rule": "evenodd", "stroke": BLUE, "stroke-linecap": "round"}
        style["stroke-width"] = "5" if is_dot else "1.5"
        self.svg.append(element("path", d=outline, **style))

    def draw_arrow(self, tail: Floats, tip: Floats, color: str) -> None:
        """Draws an arrow; both ends are in pixels."""
        length = float(np.hypot(*(tip - tail))) or 1.0
        x, y = HEAD * (tip - tail) / length
        barbs = np.array([tip - (x, y) + (y / 2, -x / 2), tip, tip - (x, y) - (y / 2, -x / 2)])
        style = {"stroke": color, "stroke-width": "2", "fill": "none"}
        shape = f"M{trace([tail, tip])}M{trace(barbs)}"
        self.svg.append(element("path", d=shape, **style))


def trace(points: Iterable[Floats]) -> str:
    """Points in the syntax of SVG paths."""
    return " ".join(f"{px(x)},{px(y)}" for x, y in points)


def px(length: float) -> str:
    """A length in pixels, with two decimals."""
    return format(length, ".2f")


def element(tag: str, content: str | None = None, **attributes: str) -> Element:
    """An element with text."""
    made = Element(tag, attributes)
    made.text = content
    return made


def markup(page: Element) -> str:
    """An element as markup that is both XML and HTML."""
    return tostring(page, encoding="unicode", short_empty_elements=False)

"""Ways out of concave polygons beside CGAL's exact Minkowski sums: python tests/bench/minkowski.py

SFCGAL brings CGAL to Python: `pip install pysfcgal`. Carom returns the point outside of the sum
that is nearest to the origin, CGAL the whole sum. One thread, polygons made before. Both calls
validate them; carom's scalar call also cuts them into convex pieces.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import carom
import numpy as np
import shapely
from cliffs import ONE, stars
from pysfcgal.geometry import Geometry
from timing import Floats, Who, Work, interleaved

COUNT, ROUNDS = 10, 9
SCALAR, COLUMNS, CGAL = Who("carom, scalar calls"), Who("carom, columns"), Who("CGAL, sums")


def pairs(vertices: int) -> tuple[Floats, Floats]:
    """Returns polygons that mostly overlap, as those of penetration_cliffs.py."""
    random = np.random.default_rng(19)
    a, b = stars(random, vertices, COUNT), stars(random, vertices, COUNT)
    return a, b + random.uniform(-1.0, 1.0, (COUNT, 1, 2))


def depth(region: Any) -> float:
    """Returns how far the origin is inside a sum."""
    polygon, origin = shapely.from_wkt(region.to_wkt(17)), shapely.Point(0, 0)
    inside = shapely.contains(polygon, origin)
    return float(shapely.distance(shapely.boundary(polygon), origin)) if inside else 0.0


def measure(vertices: int) -> None:
    """Prints the seconds of a pair and the ratios, and how far the depths differ."""
    a, b = pairs(vertices)
    one, other = (
        [Geometry.from_wkt(polygon.wkt) for polygon in shapely.polygons(rings)] for rings in (-a, b)
    )
    columns = carom.Shapes(a), carom.Shapes(b)

    def scalar() -> list[float]:
        return [carom.penetration(p, q).depth for p, q in zip(a, b, strict=True)]

    def sums() -> list[Any]:
        return [p.minkowski_sum(q) for p, q in zip(one, other, strict=True)]

    batch = partial(carom.penetration_batch, *columns, **ONE)
    contestants: dict[Who, Work] = {SCALAR: scalar, COLUMNS: batch, CGAL: sums}
    found = interleaved(contestants, ROUNDS)
    apart = np.abs(np.subtract(scalar(), [*map(depth, sums())])).max()
    print(f"concave {vertices}-gons, depths differ by at most {apart:.2g}")
    for who, spent in found.items():
        ratio = np.median(found[CGAL] / spent)
        print(f"  {who.name:20} {np.median(spent) / COUNT * 1e3:9.3f} ms a pair, 1 / {ratio:.3g}")


if __name__ == "__main__":
    for vertices in (16, 64):
        measure(vertices)

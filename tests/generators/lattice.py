"""Moving boxes on a lattice, whose pairs are known without a join.

Boxes of side 4 stand 10 apart, so the gaps between neighbors are 6. In each block of four boxes

    C D     A moves by (6, 6), B by (0, 6), C by (6, 0) less one rounding step, D not at all.
    A B

At the end of the frame A touches B, C and D, and B touches D; C misses D by the rounding step. No
box reaches another block. The rows are numbered line by line, from the left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

VELOCITIES = np.array([[(6, 6), (0, 6)], [(np.nextafter(6, 0), 0), (0, 0)]])
"""By line and column in a block."""


def moving_boxes(rows: Any, width: int, points: int = 1) -> tuple[Any, Any]:
    """The vertices of these rows, counterclockwise, and their velocities.

    Lines have `width` boxes, an even number. A side has so many points, its end aside.
    """
    line, column = np.divmod(np.asarray(rows), width)
    side = np.stack([np.arange(points) * 4.0 / points, np.zeros(points)], axis=-1)
    sides = [side]
    for _ in range(3):
        # The next side: turned by a right angle.
        x, y = sides[-1].T
        sides.append(np.stack([4.0 - y, x], axis=-1))
    corners = 10.0 * np.stack([column, line], axis=-1)
    return corners[:, None] + np.concatenate(sides), VELOCITIES[line % 2, column % 2]


def known_pairs(count: int, width: int) -> NDArray[np.int64]:
    """The pairs of the first `count` rows, whole lines, as of `carom.colliding_pairs`, unsorted."""
    rows = np.arange(count)
    a = rows[(rows % width % 2 == 0) & (rows // width % 2 == 0)]
    b, c, d = a + 1, a + width, a + width + 1
    pairs = np.stack([np.concatenate([a, a, a, b]), np.concatenate([b, c, d, d])])
    # The upper half of the last blocks may be missing.
    return pairs[:, pairs[1] < count]

"""Long slanted edges side by side, whose boxes all meet, so that the plane sweep is used."""

import carom
import pytest

TEETH, LONG = 150, 400


def turned(points):
    """By the angle whose cosine is 3/5, and five times as large: integers stay integers."""
    return [(3.0 * x - 4.0 * y, 4.0 * x + 3.0 * y) for x, y in points]


def zigzag(lift):
    return [(k, lift + LONG * (k % 2)) for k in range(2 * TEETH + 1)]


LOWER = turned([*zigzag(0), (2 * TEETH, -9), (0, -9)])


def upper(lift):
    return turned([*zigzag(lift), (2 * TEETH, 2 * LONG), (0, 2 * LONG)])


@pytest.mark.parametrize(("lift", "meets"), [(2, False), (1, False), (0, True), (-1, True)])
def test_interlocking_combs(lift, meets):
    column = carom.Shapes([LOWER, upper(lift)])
    assert carom.intersects(LOWER, upper(lift)) == meets
    assert carom.intersects_batch(column[:1], column[1:]).tolist() == [meets]


def test_the_one_tip_that_touches_is_found():
    above = zigzag(2)
    above[2 * TEETH - 3] = (2 * TEETH - 3, LONG)
    assert carom.intersects(LOWER, turned([*above, (2 * TEETH, 2 * LONG), (0, 2 * LONG)]))


@pytest.mark.parametrize("aside", [3, -3, 40])
@pytest.mark.parametrize("tip", [9, 149, 291])
def test_a_tooth_bent_across_its_neighbours_is_refused(tip, aside):
    ring = zigzag(0)
    ring[tip] = (tip + aside, LONG + 5)
    with pytest.raises(ValueError, match="the ring meets itself"):
        carom.intersects(turned([*ring, (2 * TEETH, -9), (0, -9)]), LOWER)


def test_holes_between_the_teeth():
    shell = turned([(0, -20), (2 * TEETH, -20), (2 * TEETH, 3 * LONG), (0, 3 * LONG)])

    def sliver(k, foot):
        return turned([(k, foot), (k + 1, LONG + 10), (k + 0.5, 6)])

    slivers = [sliver(k, 5) for k in range(2, 2 * TEETH - 2)]
    assert carom.Shapes([[shell, *slivers]]).is_convex.tolist() == [False]
    # A foot on the shell touches it in a point, and in two it cuts nothing off yet.
    slivers[7] = sliver(9, -20)
    carom.Shapes([[shell, *slivers]])
    slivers[50] = turned([(52, 5), (55.5, LONG + 10), (52.5, 6)])
    with pytest.raises(ValueError, match=r"shapes\[0\]: rings \d+ and \d+ cross: edge"):
        carom.Shapes([[shell, *slivers]])

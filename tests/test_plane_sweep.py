"""Long slanted edges side by side, whose boxes all meet, so that the plane sweep is used."""

import re
from random import Random

import carom
import pytest
import shapely

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


# --- many rings through one point, and many in each other -----------------------------------------


def direction(slot, length=1000.0):
    """Of so many slots around the origin, whose integer directions all differ."""
    steps = 60
    side, step = divmod(slot % (4 * steps), steps)
    corner = (length, length * step / steps)
    for _ in range(side):
        corner = (-corner[1], corner[0])
    return corner


def fan(pairs, length=600.0):
    """Triangles from the origin to two slots each."""
    return [[(0.0, 0.0), direction(i, length), direction(j, length)] for i, j in pairs]


APART = [(k, k + 1) for k in range(0, 240, 2)]
PAIR, OTHER_PAIR = [[direction(k), direction(k + 1)] for k in (0, 2)]
FANS = {
    "apart": (fan(APART), None),
    "two cross": (fan(APART[2:]) + fan([(0, 2)]) + fan([(1, 3)], 500.0), " cross: edge "),
    "two share an edge": (fan([*APART[1:], (2, 1)]), "share an edge"),
    "one in another": (fan(APART[2:]) + fan([(0, 3)]) + fan([(1, 2)], 60.0), "lies inside part"),
    "one beside the origin": ([*fan(APART[1:]), [(9.0, 0.0), (600.0, 0.0), (600.0, 9.0)]], None),
    "an edge through the origin": (
        [*fan([(k, k + 1) for k in range(1, 119, 2)]), [(-9.0, 0.0), (9.0, 0.0), (0.0, -9.0)]],
        None,
    ),
    "a ring twice through the origin": (
        [*fan(APART[3:]), [(0.0, 0.0), *PAIR, (0.0, 0.0), *OTHER_PAIR]],
        "meets itself",
    ),
}


def is_taken(polygons, reason):
    """Whether a row of several polygons is valid; if not, the reason must match."""
    column = carom.Shapes([shapely.MultiPolygon(polygons)], on_invalid="mask")
    (taken,) = column.is_valid.tolist()
    if not taken and reason is not None:
        assert re.search(reason, column.invalid_reason[0]), column.invalid_reason[0]
    assert taken == shapely.MultiPolygon(polygons).is_valid
    return taken


@pytest.mark.parametrize("name", FANS)
def test_polygons_that_meet_in_one_point_are_judged_by_their_directions(name):
    rings, reason = FANS[name]
    for start in (0, 1, 2):
        for turn in (lambda ring: ring, turned, lambda ring: [(-x, -y) for x, y in ring]):
            polygons = [(turn(ring[start:] + ring[:start]), []) for ring in rings]
            assert is_taken(polygons, reason) == (reason is None)


@pytest.mark.parametrize("name", FANS)
def test_holes_that_meet_in_one_point_are_judged_by_their_directions(name):
    rings, reason = FANS[name]
    shell = [(-2000.0, -2000.0), (2000.0, -2000.0), (2000.0, 2000.0), (-2000.0, 2000.0)]
    reason = {"lies inside part": "hole inside another"}.get(reason, reason)
    assert is_taken([(shell, rings)], reason) == (reason is None)
    # One more, by which the others enclose a part of the shell.
    bridge = [(600.0, 0.0), (900.0, 10.0), (600.0, 20.0), (700.0, 10.0)]
    if name == "apart":
        assert not is_taken([(shell, [*rings, bridge])], "interior")


def square(radius, turn=list, x=0, y=0):
    corners = [(-radius, -radius), (radius, -radius), (radius, radius), (-radius, radius)]
    return turn([(x + dx, y + dy) for dx, dy in corners])


@pytest.mark.parametrize("count", [3, 90])
@pytest.mark.parametrize("turn", [list, turned, lambda ring: turned(turned(ring))])
def test_bands_in_each_other_are_nested_however_many(count, turn):
    bands = [(square(4 * k + 4, turn), [square(4 * k + 2, turn)]) for k in range(count)]
    assert is_taken(bands, None)
    assert is_taken(bands[::-1], None)
    middle = count // 2
    for changed, reason in (
        ((bands[middle][0], []), "lies inside part"),
        ((bands[middle][0], [square(4 * middle + 5, turn)]), "hole"),
        ((square(4 * middle + 6, turn), []), "share an edge"),
        ((square(1, turn), []), None),
    ):
        others = [*bands[:middle], changed, *bands[middle + 1 :]]
        assert is_taken(others, reason) == (reason is None)


@pytest.mark.slow
def test_rings_at_random_lie_in_each_other_as_shapely_finds():
    """Squares on a grid, with holes that others fit in, are added while that is valid."""
    taken = 0
    for seed in range(60):
        random = Random(seed)
        turn = random.choice([list, turned])
        kept = [(square(501, turn, 66, 66), [square(500, turn, 66, 66)])]
        for _ in range(70):
            at = (turn, random.randrange(12) * 12, random.randrange(12) * 12)
            radius = random.choice([1, 2, 3, 4, 5, 6])
            polygon = (square(radius, *at), [square(radius - 1, *at)] if radius > 1 else [])
            if random.random() < 0.01 or shapely.MultiPolygon([*kept, polygon]).is_valid:
                kept.append(polygon)
        taken += is_taken(kept, None)
    assert 0 < taken < 60


def crossing_lines(count):
    """Slanted lines side by side and two that cross; and lines between them, one through both.

    A plane sweep of all edges has no order to the right of the crossing.
    """
    long = 100 * count
    between = [[(0, 2 * k + 1), (long, long + 2 * k + 1)] for k in range(count)]
    lines = [[(0, 2 * k), (long, long + 2 * k)] for k in range(count)]
    lines += [[(-100, 0), (-90, -8)], [(-100, -2), (-90, -2)]]
    return lines, [*between, [(-101, -9), (-92, -4)]]


@pytest.mark.parametrize("count", [33, 34, 40, 120])
def test_paths_that_cross_themselves_are_compared_without_a_sweep(count):
    one, other = map(shapely.MultiLineString, crossing_lines(count))
    assert shapely.intersects(one, other)
    for pair in ((one, other), (other, one)):
        columns = [carom.Shapes([it]) for it in pair]
        assert carom.intersects(*pair)
        assert carom.intersects_batch(*columns).tolist() == [True]
        assert carom.distance(*pair).distance == 0.0
        assert carom.colliding_pairs(*columns).tolist() == [[0], [0]]


@pytest.mark.slow
@pytest.mark.parametrize("of_polygon", [False, True])
def test_long_tracks_on_either_side_of_a_line_do_not_meet(of_polygon):
    rng = Random(11)

    def track(low, high):
        along = [rng.uniform(0, 1000) for _ in range(4000)]
        return [(t, t + rng.uniform(low, high)) for t in along]

    below = shapely.LineString(track(-30.0, -0.5))
    above = shapely.LineString(track(0.5, 30.0))
    if of_polygon:
        teeth = [(k / 4, k / 4 + (30.0 if k % 2 else 0.5)) for k in range(4001)]
        above = shapely.Polygon([*teeth, (1000, 1200), (-200, 1200), (-200, 0)])
    assert carom.intersects(below, above) == shapely.intersects(below, above)
    assert carom.intersects(above, below) == shapely.intersects(above, below)

"""Validity of polygons: the library against the oracle and Shapely."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from random import Random

import carom
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from generators import areas, shapes, strategies
from generators.areas import Area, bare
from helpers import SQUARE, examples
from reference import oracle
from test_oracle_areas import VALIDITY, small_area


def accepted(area: Area) -> bool:
    """Whether a scalar call, a column and a masked batch take the polygon; they must agree."""
    answers = set(scalar_and_column(area))
    assert len(answers) == 1
    return answers.pop()


def scalar_and_column(area: Area) -> Iterator[bool]:
    for call in (
        lambda: carom.intersects(bare(area), SQUARE),
        lambda: carom.Shapes([bare(area)]),
    ):
        try:
            call()
        except ValueError:
            yield False
        else:
            yield True
    masked = carom.distance_batch([bare(area)], SQUARE, on_invalid="mask")
    assert masked.valid is not None
    yield bool(masked.valid[0])


@pytest.mark.parametrize("name", VALIDITY)
def test_named_polygons_are_taken_when_valid(name: str) -> None:
    area, reason = VALIDITY[name]
    assert accepted(area) == (reason is None)
    for ring in range(len(area)):
        turned = [r[::-1] if i == ring else r for i, r in enumerate(area)]
        assert accepted(turned) == (reason is None)
    started_elsewhere = [ring[2:] + ring[:2] for ring in area]
    assert accepted(started_elsewhere) == (reason is None)


@pytest.mark.parametrize("name", [name for name in VALIDITY if VALIDITY[name][1] is not None])
def test_a_refusal_names_the_argument_and_a_place(name: str) -> None:
    area, _ = VALIDITY[name]
    with pytest.raises(ValueError, match=r"^b: .*(ring|hole|polygon|vert|area|edge)"):
        carom.intersects(SQUARE, bare(area))
    with pytest.raises(ValueError, match=r"^shapes\[1\]: "):
        carom.Shapes([SQUARE, bare(area)])


@pytest.mark.parametrize("power", [-1060, -520, 510, 1015])
@pytest.mark.parametrize("name", VALIDITY)
def test_validity_is_decided_at_every_magnitude(name: str, power: int) -> None:
    area, _ = VALIDITY[name]
    s = math.ldexp(1.0, power)
    scaled = areas.scaled(area, s, s)
    assert accepted(scaled) == oracle.is_valid(scaled)


def test_small_polygons_are_taken_when_shapely_and_the_oracle_find_them_valid() -> None:
    taken = 0
    for seed in range(3000):
        area = small_area(Random(f"library {seed}"))
        got = accepted(area)
        assert got == oracle.is_valid(area), (area, oracle.why_invalid(area))
        assert got == shapely.Polygon(area[0], area[1:]).is_valid, area
        taken += got
    assert 600 < taken < 2400


def test_large_polygons_are_checked_as_small_ones_are() -> None:
    """Enough vertices for any index over edges, and one fault anywhere or none."""
    for seed in range(40):
        rng = Random(seed)
        n = rng.choice([100, 333, 1000])
        radii = [rng.uniform(1, 2) for _ in range(n)]
        ring = [
            (r * math.cos(math.tau * i / n), r * math.sin(math.tau * i / n))
            for i, r in enumerate(radii)
        ]
        hole = shapes.stretched(ring[::3], 0.25, 0.25)
        assert accepted([ring, hole])
        i, j = rng.sample(range(n), 2)
        crossed = list(ring)
        crossed[i], crossed[j] = crossed[j], crossed[i]
        assert accepted([crossed]) == shapely.Polygon(crossed).is_valid
        touching = [*ring[: i + 1], ring[j], *ring[i + 1 :]]
        assert accepted([touching]) == shapely.Polygon(touching).is_valid
        tip = rng.choice(ring)
        assert accepted([ring, [tip, (0.01, 0.0), (0.0, 0.01)]]) == oracle_tip(ring, tip)


def oracle_tip(ring: shapes.Polygon, tip: shapes.Point) -> bool:
    return shapely.Polygon(ring, [[tip, (0.01, 0.0), (0.0, 0.01)]]).is_valid


@pytest.mark.slow
@examples(300)
@given(strategies.area_pairs())
def test_generated_areas_are_taken(pair: areas.AreaPair) -> None:
    for area in pair:
        assert accepted(area)


@pytest.mark.slow
@examples(600)
@given(st.data())
def test_holes_on_features_are_judged_as_by_the_oracle(data: st.DataObject) -> None:
    """Holes through vertices, points on edges and points some ulps beside them."""
    area = data.draw(strategies.whole_areas())
    near = strategies.off(strategies.features(*area))
    hole = data.draw(st.lists(st.one_of(near, strategies.POINTS), min_size=3, max_size=5))
    x, y = data.draw(strategies.OFFSETS)
    marred = areas.shifted([*area, hole], x, y)
    assert accepted(marred) == oracle.is_valid(marred), oracle.why_invalid(marred)


@examples(400)
@given(st.lists(strategies.POINTS, min_size=3, max_size=8))
def test_rings_are_judged_as_by_the_oracle(ring: shapes.Polygon) -> None:
    assert accepted([ring]) == oracle.is_valid([ring]), oracle.why_invalid([ring])


def squares_in_a_row(count, along):
    """Holes side by side, so that a ray along them meets all."""
    steps = (3.0, 0.0) if along == "x" else (0.0, 3.0)
    return [shapes.box(2 + k * steps[0], 2 + k * steps[1], 1.0, 1.0) for k in range(count)]


@pytest.mark.parametrize("along", ["x", "y"])
@pytest.mark.parametrize("spot", [0, 40, 79])
def test_a_hole_amid_many_is_judged_whichever_way_they_stand(along, spot):
    holes = squares_in_a_row(80, along)
    shell = shapes.box(0.0, 0.0, 250.0, 250.0)
    assert carom.Shapes([[shell, *holes]])
    (x, y), *_ = holes[spot]
    inner = shapes.box(x + 0.25, y + 0.25, 0.5, 0.5)
    with pytest.raises(ValueError, match=f"ring 81 is a hole inside another hole, ring {spot + 1}"):
        carom.Shapes([[shell, *holes, inner]])
    outer = shapes.box(x, y - 300 if along == "x" else y + 300, 0.5, 0.5)
    with pytest.raises(ValueError, match="ring 81 is a hole outside the shell"):
        carom.Shapes([[shell, *holes, outer]])


def test_many_holes_are_as_valid_as_shapely_finds_them():
    rng = np.random.default_rng(5)
    for _ in range(60):
        corners = rng.integers(0, 40, (60, 2)) * 3.0
        holes = [
            shapes.box(x, y, *size)
            for (x, y), size in zip(corners, rng.integers(1, 4, (60, 2)), strict=True)
        ]
        shell = shapes.box(0.0, 0.0, 118.0, 118.0)
        kept = holes[: int(rng.integers(20, 60))]
        expected = shapely.is_valid(shapely.Polygon(shell, kept))
        try:
            carom.Shapes([[shell, *kept]])
        except ValueError:
            assert not expected
        else:
            assert expected


def small_parts(rng: Random) -> list[Area]:
    """Some polygons on a grid, perhaps with holes, often inside or beside each other."""

    def ring(low: int, high: int) -> shapes.Polygon:
        if rng.random() < 0.5:
            (x, w), (y, h) = (sorted(rng.sample(range(low, high + 1), 2)) for _ in "xy")
            corners = [(x, y), (w, y), (w, h), (x, h)]
            return [(float(x), float(y)) for x, y in corners]
        return [(float(rng.randint(low, high)), float(rng.randint(low, high))) for _ in range(3)]

    return [
        [ring(0, 8), *(ring(0, 8) for _ in range(rng.choice((0, 0, 1, 2))))]
        for _ in range(rng.choice((2, 2, 3)))
    ]


def test_several_polygons_are_taken_when_shapely_finds_them_valid() -> None:
    taken = 0
    for seed in range(6000):
        parts = small_parts(Random(f"parts {seed}"))
        several = shapely.MultiPolygon([shapely.Polygon(part[0], part[1:]) for part in parts])
        found = carom.Shapes([several], on_invalid="mask").is_valid[0]
        assert found == several.is_valid, (several.wkt, shapely.is_valid_reason(several))
        taken += found
    assert 300 < taken < 3000


def band(inner: float, outer: float) -> shapely.Polygon:
    hole = shapely.box(-inner, -inner, inner, inner).exterior
    return shapely.Polygon(shapely.box(-outer, -outer, outer, outer).exterior, [hole])


def test_bands_in_each_other_and_many_parts_beside_are_taken_and_a_part_too_many_is_not() -> None:
    bands = [band(2.0 * i + 1, 2.0 * i + 2) for i in range(300)]
    boxes = [shapely.box(700 + x, y, 700.5 + x, y + 0.5) for x in range(30) for y in range(30)]
    touching = [
        shapely.box(700.5 + x, y + 0.5, 701 + x, y + 1) for x in range(30) for y in range(30)
    ]
    parts = [*bands, *boxes, *touching]
    assert carom.Shapes([shapely.MultiPolygon(parts)]).is_valid.all()
    for inside, other in ((-1.5, 0), (-299.6, 149), (700.25, 300)):
        small = shapely.box(inside - 0.1, 0.1, inside + 0.1, 0.3)
        with pytest.raises(ValueError, match=f"part 2100 lies inside part {other}; parts must not"):
            carom.Shapes([shapely.MultiPolygon([*parts, small])])


EDGES = re.compile(r"edge (\d+) of ring (\d+) and edge (\d+) of ring (\d+) meet at \((.+), (.+)\)")
OWN_EDGES = re.compile(r"edge (\d+) and edge (\d+) have the point \((.+), (.+)\) in common")


def test_the_edges_that_are_named_hold_the_point_that_is_named() -> None:
    """Also where vertices lie amid the sides of a ring."""
    named = 0
    for seed in range(1500):
        rng = Random(f"edges {seed}")
        rings = [amid_sides(ring) for part in small_parts(rng) for ring in part]
        if seed % 2:
            rings[0] = [*rings[0], *rings[-1]]
        for area in (rings, rings[:1]):
            message = str(carom.Shapes([area], on_invalid="mask").invalid_reason[0])
            if found := EDGES.search(message):
                i, p, j, q, x, y = (*map(int, found.groups()[:4]), *map(float, found.groups()[4:]))
            elif found := OWN_EDGES.search(message):
                i, j, x, y = (*map(int, found.groups()[:2]), *map(float, found.groups()[2:]))
                p = q = int(re.search(r"(?:ring (\d+): )?the ring meets", message)[1] or 0)
            else:
                continue
            named += 1
            for edge, ring in ((i, area[p]), (j, area[q])):
                ends = [ring[edge], ring[(edge + 1) % len(ring)]]
                assert shapely.LineString(ends).distance(shapely.Point(x, y)) < 1e-12, message
    assert named > 800


NEAR_AN_END = (
    [
        (-0.00010596251232700294, 0.0009244869047434517),
        (0.0004942433468427492, -0.0008184019378079759),
        (0.0001701445073080904, 0.0001227222493004083),
        (0.0008831348212564265, -0.0005001633914600592),
    ],
    [
        (-89413280.75371526, 2997209.791834976),
        (93613868.10793923, -74291757.32568309),
        (8988107.243367203, -38555869.565661475),
        (99468426.91296342, 34229649.67150002),
    ],
)


@pytest.mark.parametrize("ring", NEAR_AN_END)
def test_edges_are_named_that_cross_within_an_ulp_of_an_end(ring: shapes.Polygon) -> None:
    with pytest.raises(ValueError, match="edge 0 and edge 2 have the point"):
        carom.Shapes([ring])


def amid_sides(ring: shapes.Polygon) -> shapes.Polygon:
    """The ring with a vertex amid each side, and one repeated."""
    ends = zip(ring, ring[1:] + ring[:1], strict=True)
    split = [point for p, q in ends for point in (p, ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2))]
    return [split[0], *split]


def test_a_hole_outside_its_shell_is_told_by_a_vertex_outside() -> None:
    yard = shapes.box(0.0, 0.0, 9.0, 9.0)
    with pytest.raises(ValueError, match=r"hole outside the shell: \(12\.0, 0\.5\) is not inside"):
        carom.Shapes([[yard, [(9.0, 0.0), (12.0, 0.5), (12.0, -1.0)]]])


def test_a_ring_of_several_polygons_is_counted_within_its_part() -> None:
    far, hole = [(20, 0), (21, 0), (21, 1)], [(1, 1), (2, 1), (2, 2)]
    yard = shapes.box(0.0, 0.0, 9.0, 9.0)
    for spoilt, what in (
        ([(4, 4), (6, 6), (6, 4), (4, 6)], "the ring meets itself"),
        ([(4, 4), (8, 4), (6, 4), (6, 6)], "the ring turns back"),
    ):
        parts = [shapely.Polygon(far), shapely.Polygon(yard, [hole, spoilt])]
        with pytest.raises(ValueError, match=rf"part 1: ring 2: {what}.*shapely\.make_valid"):
            carom.Shapes([shapely.MultiPolygon(parts)])


STAIRS = [
    (0, 0), (1, 0), (1, 1), (3, 2), (4, 3), (6, 3), (7, 5), (9, 6), (9, 8), (11, 10), (12, 10),
    (12, 11), (14, 11), (16, 13), (16, 14), (17, 14), (17, 16), (15, 17), (14, 18), (14, 19),
    (13, 19), (13, 21), (12, 22), (12, 23), (10, 23), (10, 24), (9, 24), (8, 25), (7, 27),
    (5, 29), (5, 30), (4, 31), (1, 31), (0, 29), (-2, 29), (-3, 27), (-5, 25), (-5, 23),
    (-7, 23), (-9, 21), (-8, 19), (-8, 18), (-6, 18), (-5, 16), (-5, 14), (-3, 14), (-1, 12),
    (-1, 11), (1, 11), (2, 13), (4, 13), (6, 15), (5, 17), (5, 18), (4, 18), (2, 20), (0, 21),
]  # fmt: skip
"""A ring that touches itself at (0, 11), where two pieces meet that rise and fall the same way."""

SHELL = [
    (-1000, 0), (-831, -556), (-383, -924), (195, -981), (707, -707), (981, -195), (924, 383),
    (556, 831), (0, 1000), (-195, 981), (-383, 924), (-556, 831), (-707, 707), (-831, 556),
    (-924, 383), (-981, 195),
]  # fmt: skip
HOLE = [
    (-200, 1400), (-223, 1166), (-291, 941), (-402, 733), (-551, 551), (-733, 402), (-941, 291),
    (-1166, 223), (-1400, 200), (-2067, 402), (-2509, 941), (-2577, 1634), (-2249, 2249),
    (-1634, 2577), (-941, 2509), (-402, 2067),
]  # fmt: skip
"""Two rings that cross where both rise and fall the same way."""


def test_pieces_that_rise_and_fall_alike_are_compared_unless_they_are_neighbours() -> None:
    assert not shapely.is_valid(shapely.Polygon(STAIRS))
    with pytest.raises(ValueError, match=r"edge 47 and edge 56 .*\(0\.0, 11\.0\)"):
        carom.Shapes([STAIRS])
    with pytest.raises(ValueError, match="rings 0 and 1 cross"):
        carom.Shapes([[SHELL, HOLE]])

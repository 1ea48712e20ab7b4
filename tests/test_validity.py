"""Validity of polygons: the library against the oracle and Shapely."""

from __future__ import annotations

import math
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


@examples(300)
@given(strategies.area_pairs())
def test_generated_areas_are_taken(pair: areas.AreaPair) -> None:
    for area in pair:
        assert accepted(area)


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

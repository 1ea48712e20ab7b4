"""Random degenerate rows, computed in every form and with every instruction set.

A scene is a list of rows: two polygons, a velocity and a circle each. Its rows are polygons of 3 to
40 vertices of either winding that touch, nearly touch, nest or lie apart, at magnitudes from 1e-300
to 1e300: on a grid, turned, needles, concave, with holes, with repeated, collinear and closing
vertices; and some rows are bad. In some scenes they become points, paths and polygons, one or
several, with radii, and each row has a margin. `answers` answers it with every batch function,
once, and compares with that, bit for bit, the scalar calls and every other form in which the rows
can be given. As the instructions are chosen once for a process, `answers_with` asks a process of
its own.

    python tests/every_form.py [--seconds S] [--seed N] [--rows R]

searches for so long; prints each difference with the seed of its scene, and exits with 1 on any.
"""

from __future__ import annotations

import argparse
import math
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import carom
import numpy as np

import fixed_scene
from generators import areas, shapes
from generators.shapes import Point, Polygon
from helpers import bits

SETS = ("avx512", "avx2", "neon", "baseline")
Answers = dict[str, Any]


class Scene(NamedTuple):
    """Rows of operands. `a` and `b` are lists of polygons, of equal counts of vertices if dense, or
    of columns of one row each; then there are margins too."""

    dense: bool
    a: list[Any]
    b: list[Any]
    velocity: list[Point]
    center: list[Point]
    radius: list[float]
    margins: list[float] = []  # noqa: RUF012 - read only

    def margin(self) -> float:
        """A distance of the rows' own size."""
        return next((r for r in self.radius if 0.0 < r < math.inf), 0.0)


# --- polygons -----------------------------------------------------------------------------------


def whole(rng: Random, vertices: int) -> Polygon:
    """Corners on a grid."""
    span = rng.choice([2, 4, 40]) if vertices < 6 else 40
    points = [(float(rng.randint(0, span)), float(rng.randint(0, span))) for _ in range(vertices)]
    return shapes.convex_hull([*points, (0.0, 0.0), (float(span), 0.0), (0.0, float(span))])


def round_(rng: Random, vertices: int) -> Polygon:
    """Corners on a circle or a long ellipse."""
    narrow = rng.choice([1.0, 1.0, 2.0**-12, 2.0**-40])
    start = rng.random() * math.tau
    angles = [start + math.tau * (k + rng.uniform(0, 0.8)) / vertices for k in range(vertices)]
    return [(20 * math.cos(t), 20 * narrow * math.sin(t)) for t in angles]


def turned(rng: Random, vertices: int) -> Polygon:
    """A rotated rectangle; with vertices on its edges it is convex only up to rounding."""
    if vertices < 8:
        return round_(rng, vertices)
    return shapes.vehicle(rng)


def star(rng: Random, vertices: int) -> Polygon:
    """Star-shaped about the origin, seldom convex."""
    ring = round_(rng, vertices)
    return [(x * s, y * s) for x, y in ring for s in [rng.choice([1.0, 1.0, 0.5, 0.25])]]


def comb(rng: Random, vertices: int) -> Polygon:
    """Concave, with whole coordinates."""
    return areas.comb(rng, teeth=2) if vertices > 7 else star(rng, vertices)


def exactly(rng: Random, ring: Polygon, vertices: int) -> Polygon:
    """The ring with this many vertices: some left out, or added: repeated, on edges, closing."""
    ring = list(ring)
    while len(ring) > vertices:
        del ring[rng.randrange(len(ring))]
    closing = rng.random() < 0.15 and len(ring) < vertices
    while len(ring) < vertices - closing:
        k = rng.randrange(len(ring))
        p, q = ring[k - 1], ring[k]
        ring.insert(k, rng.choice([p, q, ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)]))
    if rng.random() < 0.4:
        ring.reverse()
    start = rng.randrange(len(ring))
    ring = ring[start:] + ring[:start]
    return [*ring, ring[0]] if closing else ring


Kind = Callable[[Random, int], Polygon]
CONVEX: list[Kind] = [whole, whole, round_, turned]
ANY = [*CONVEX, star, star, comb]


def polygon(rng: Random, vertices: int, kinds: list[Kind]) -> Polygon:
    found = exactly(rng, rng.choice(kinds)(rng, vertices), vertices)
    return found if len(set(found)) > 2 else exactly(rng, round_(rng, vertices), vertices)


# --- rows ---------------------------------------------------------------------------------------


def beside(rng: Random, a: Polygon, b: Polygon) -> Polygon:
    """b, moved so that it mostly touches a, or nearly; sometimes a itself."""
    way = rng.choice(["corner", "amid", "alike", "free", "free"])
    if way == "alike" and len(a) == len(b):
        b = list(a)
        (x, y), (u, v) = rng.sample(a, 2)
    elif way == "corner":
        (x, y), (u, v) = rng.choice(a), rng.choice(b)
    elif way == "amid":
        (x, y), (u, v) = shapes.on_segment(rng, *rng.choice(shapes.sides(a))), rng.choice(b)
    else:
        (x, y), (u, v) = (rng.randint(-60, 60), rng.randint(-60, 60)), (0, 0)
    b = shapes.moved(b, x - u, y - v)
    return [shapes.nudged(rng, p, 1) for p in b] if rng.random() < 0.1 else b


def magnitude(rng: Random) -> tuple[float, float]:
    """Factors for the axes."""
    powers = [0, 0, 0, 0, 0, 9, -4, 40, -300, 500, -510, 990, -1010, rng.randint(-1040, 1000)]
    x = 2.0 ** rng.choice(powers)
    return (x, x) if rng.random() < 0.9 else (x, 1.0)


def velocity(rng: Random, a: Polygon, b: Polygon) -> Point:
    """From a feature of a to one of b, or along an edge."""
    (x, y), (u, v) = rng.choice(a), rng.choice([*b, shapes.on_segment(rng, b[0], b[1])])
    if rng.random() < 0.3:
        (x, y), (u, v) = rng.choice(shapes.sides(rng.choice([a, b])))
    factor = rng.choice([0.0, 0.5, 1.0, 1.0, 2.0, -1.0, 8.0])
    found = shapes.nudged(rng, ((u - x) * factor, (v - y) * factor), rng.choice([0, 0, 1]))
    return found if all(map(math.isfinite, found)) else (0.0, 0.0)


def circle(rng: Random, a: Polygon, b: Polygon) -> tuple[Point, float]:
    """Centred on a feature of a or b, or between them, and reaching to one of b."""
    (x, y), (u, v) = rng.choice(a), shapes.on_segment(rng, *rng.choice(shapes.sides(b)))
    center = rng.choice([(x, y), (u, v), b[0], (x / 2 + u / 2, y / 2 + v / 2)])
    p, q = rng.choice([(u, v), rng.choice(b)])
    reach = math.hypot(p - center[0], q - center[1])
    radius = rng.choice([0.0, reach, reach, reach / 2, 5e-324, shapes.nudge(rng, reach, 1)])
    return center, radius if math.isfinite(radius) else 1.0


def spoiled(rng: Random, ring: Polygon) -> Polygon:
    """A bad polygon."""
    way = rng.choice(["nan", "inf", "flat", "point", "crossing"])
    if way in ("nan", "inf"):
        k = rng.randrange(len(ring))
        return [*ring[:k], (ring[k][0], float(way)), *ring[k + 1 :]]
    if way == "crossing":
        return rng.sample(ring, len(ring))
    return [(p[0], 0.0) for p in ring] if way == "flat" else [ring[0]] * len(ring)


def row(rng: Random, a: areas.Area, b: areas.Area) -> tuple[Any, ...]:
    """The operands of two areas, at any magnitude and position, valid or invalid."""
    x, y = magnitude(rng)
    offset = rng.choice([(0.0, 0.0)] * 3 + [(691_608.0 * x, 5_334_760.0 * y), (1024 * x, 0.0)])
    placed = [areas.shifted(areas.scaled(area, x, y), *offset) for area in (a, b)]
    if all(math.isfinite(c) for area in placed for p in areas.vertices(area) for c in p):
        a, b = placed if all(map(shapes.sides, (placed[0][0], placed[1][0]))) else (a, b)
    v, (center, radius) = velocity(rng, a[0], b[0]), circle(rng, a[0], b[0])
    if rng.random() < 0.6:
        # Moved back by a round number.
        width = areas.size(b) or 1.0
        step = [rng.choice([0.0, 1.0, -1.0, 2.0, -4.0]) * 2.0 ** math.frexp(width)[1] for _ in "xy"]
        back = areas.shifted(a, -step[0], -step[1])
        if all(math.isfinite(c) for p in areas.vertices(back) for c in p):
            a, center = back, (center[0] - step[0], center[1] - step[1])
            v = step[0] * rng.choice([1, 1, 2]), step[1] * rng.choice([1, 1, 2])
    spoil = rng.random()
    if spoil < 0.04:
        a = [spoiled(rng, a[0]), *a[1:]]
    elif spoil < 0.08:
        b = [spoiled(rng, b[0]), *b[1:]]
    elif spoil < 0.1:
        v = rng.choice([(math.nan, 0.0), (0.0, math.inf)])
    elif spoil < 0.12:
        center, radius = rng.choice([((math.nan, 0.0), 1.0), (center, -1.0), (center, math.inf)])
    return areas.bare(a), areas.bare(b), v, center, radius


def holed_row(rng: Random) -> tuple[Any, ...]:
    """Polygons of any shape, with holes or without."""
    a, b = areas.PAIRS[rng.choice(list(areas.PAIRS))](rng)
    return row(rng, areas.dress(rng, a), areas.dress(rng, b))


def small_row(rng: Random) -> tuple[Any, ...]:
    """Convex pairs of a named family."""
    while True:
        a, b = shapes.PAIRS[rng.choice(list(shapes.PAIRS))](rng)
        if shapes.sides(a) and shapes.sides(b):
            return row(rng, [shapes.dress(rng, a)], [shapes.dress(rng, b)])


def plain_row(rng: Random, sizes: tuple[int, int], kinds: list[Kind]) -> tuple[Any, ...]:
    """Polygons with so many vertices."""
    a, b = (polygon(rng, vertices, kinds) for vertices in sizes)
    return row(rng, [a], [beside(rng, a, b)])


def kinds_row(rng: Random, polygons: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same row with shapes of any kind made of its polygons, and a margin."""
    a, b, velocity, center, radius = polygons
    reach = radius if 0.0 <= radius < math.inf else 0.0
    margin = rng.choice([0.0, 0.0, reach / 4, reach, -1.0 if rng.random() < 0.1 else reach])
    return of_any_kind(rng, a, reach), of_any_kind(rng, b, reach), velocity, center, radius, margin


def of_any_kind(rng: Random, ring: Polygon, reach: float) -> Any:
    """A column of one row, which is not validated."""
    with np.errstate(all="ignore"):  # infinite coordinates of rows that are bad, or become so
        made = fixed_scene.shape(rng, np.array(ring))
    return fixed_scene.unchecked([made], [rng.choice([0.0, 0.0, reach / 2, reach])])


def scene(seed: int, rows: int) -> Scene:
    """A scene by its seed: of equal sizes, of any, of few vertices, with holes, of every kind."""
    rng = Random(seed)
    kinds = rng.choice([CONVEX, CONVEX, ANY])
    form = ("dense", "dense", "dense", "mixed", "small", "holed", "kinds")[seed % 7]
    counts = [3, 4, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40]
    v, w = rng.choice(counts), rng.choice(counts)
    w = rng.choice([v, w])
    found = []
    for _ in range(rows // 2 if form == "holed" else rows):
        if form == "mixed":
            v, w = rng.choice(counts), rng.choice([v, rng.choice(counts)])
        if form in ("small", "holed"):
            found.append(small_row(rng) if form == "small" else holed_row(rng))
        elif form == "kinds":
            found.append(kinds_row(rng, plain_row(rng, (v, w), kinds)))
        else:
            found.append(plain_row(rng, (v, w), kinds))
    return Scene(form == "dense", *map(list, zip(*found, strict=True)))


# --- answers ------------------------------------------------------------------------------------

ALONG = "penetration along"
"""`penetration` with a direction."""
OVERLAPS = ("intersects", "sat", "penetration", ALONG)
PAIRS = (*OVERLAPS, "swept_collision", "distance", "closest_approach")
NAMES = (*PAIRS, "circle_polygon", "swept_circle")
WITH_MARGIN = (*OVERLAPS, "swept_collision", "swept_circle")


def operands(name: str, scene: Scene) -> list[list[Any]]:
    return {
        "intersects": [scene.a, scene.b],
        "sat": [scene.a, scene.b],
        "penetration": [scene.a, scene.b],
        ALONG: [scene.a, scene.b, scene.velocity],
        "distance": [scene.a, scene.b],
        "swept_collision": [scene.a, scene.b, scene.velocity],
        "closest_approach": [scene.a, scene.b, scene.velocity],
        "circle_polygon": [scene.center, scene.radius, scene.b],
        "swept_circle": [scene.center, scene.radius, scene.velocity, scene.b],
    }[name]


def fields(answer: Any) -> dict[str, Any]:
    if isinstance(answer, (bool, np.ndarray)):
        return {"intersects": answer}
    return {k: v for k, v in answer._asdict().items() if v is not None}


class Reference:
    """The results of one batch function for a scene, and the forms that are compared with them."""

    def __init__(self, name: str, scene: Scene) -> None:
        self.name, self.dense = name, scene.dense
        has_margin = bool(scene.margins) and name in WITH_MARGIN
        self.named = ["direction"] * (name == ALONG) + ["margin"] * has_margin
        self.rows = operands(name, scene) + [scene.margins] * has_margin
        self.polygons = [
            k for k, part in enumerate(self.rows) if part is scene.a or part is scene.b
        ]
        given = self.given(range(len(scene.a)))
        self.answer = fields(self.ask(*given, on_invalid="mask"))
        self.differences: list[str] = []
        self.good: list[int] = []
        self.compare_scalars()

    def ask(self, *given: Any, **keywords: Any) -> Any:
        """The results of the batch function."""
        return self.call("_batch", given, keywords)

    def call(self, suffix: str, given: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The last operands are the named ones."""
        count = len(given) - len(self.named)
        keywords |= zip(self.named, given[count:], strict=True)
        function = getattr(carom, self.name.split()[0] + suffix)
        return function(*given[:count], **keywords)

    def given(self, rows: Any) -> list[Any]:
        """Operands of some rows: polygons in lists, others in arrays."""
        return [
            [as_row(p) for p in part] if k in self.polygons else np.array(part)
            for k, operand in enumerate(self.rows)
            for part in [[operand[i] for i in rows]]
        ]

    def compare_scalars(self) -> None:
        """With each row alone, which also determines the valid rows."""
        for i, given in enumerate(zip(*self.rows, strict=True)):
            try:
                alone = fields(self.call("", given, {}))
            except ValueError:
                continue
            self.good.append(i)
            for field, value in alone.items():
                expected = self.answer[field][i]
                if bits(value) != bits(int(expected) if field == "index" else expected):
                    self.differences.append(f"{self.name}: scalar, row {i}, {field}")
        bad = [i for i in range(len(self.rows[0])) if i not in self.good]
        valid = np.ones(len(self.rows[0]), bool)
        valid[bad] = False
        if self.name != "intersects":
            given = self.given(range(len(valid)))
            if (self.ask(*given, on_invalid="mask").valid != valid).any():
                self.differences.append(f"{self.name}: valid")

    def compare(self, form: str, rows: Any, given: list[Any], **keywords: Any) -> None:
        """With the results of these rows in another form."""
        rows = np.asarray(rows)
        for field, column in fields(self.ask(*given, **keywords)).items():
            expected = self.answer[field][rows]
            if column.tobytes() != expected.tobytes():
                column = column.reshape(rows.size, -1)
                expected = expected.reshape(rows.size, -1)
                differing = [
                    int(row)
                    for row, x, y in zip(rows.ravel(), column, expected, strict=True)
                    if x.tobytes() != y.tobytes()
                ]
                self.differences.append(f"{self.name}: {form}, rows {differing}, {field}")

    def with_polygons(self, given: list[Any], form: Callable[[Any], Any]) -> list[Any]:
        return [form(part) if k in self.polygons else part for k, part in enumerate(given)]

    def compare_forms(self, rng: Random) -> None:
        """With all forms of valid rows."""
        rows = np.array(self.good)
        if not len(rows):
            return
        given = self.given(rows)
        columns = self.with_polygons(given, carom.Shapes)
        self.compare("lists", rows, given)
        self.compare("ragged columns", rows, self.with_polygons(given, ragged))
        self.compare("lists unchecked", rows, given, check=False)
        self.compare("columns", rows, columns)
        self.compare("columns by three threads", rows, columns, threads=3)
        self.compare("unchecked columns", rows, self.with_polygons(given, unchecked))
        for k in self.polygons:
            mixed = [columns[j] if j == k else part for j, part in enumerate(given)]
            self.compare(f"operand {k} a column", rows, mixed)
        self.compare_selections(rng, rows, columns, "column")
        self.compare_fields(rng, rows, columns)
        if self.dense:
            dense = self.with_polygons(given, np.array)
            self.compare("arrays", rows, dense)
            self.compare("arrays unchecked", rows, dense, check=False)
            self.compare("strided arrays", rows, self.with_polygons(given, strided))
            self.compare("columns of arrays", rows, self.with_polygons(dense, carom.Shapes))
            self.compare_selections(rng, rows, dense, "array")
            self.compare_fields(rng, rows, dense)
            self.compare_broadcast(rng, rows, dense)
            column = self.with_polygons(dense, carom.Shapes)
            self.compare_selections(rng, rows, column, "column of arrays")

    def compare_selections(self, rng: Random, rows: Any, given: list[Any], form: str) -> None:
        """With slices, selected rows and pairs."""
        for part in (slice(3, None), slice(None, None, 2), slice(None, None, -1), slice(1, 2)):
            self.compare(f"{form}[{part}]", rows[part], [operand[part] for operand in given])
        picked = np.array([rng.randrange(len(rows)) for _ in range(len(rows))])
        self.compare(f"{form}, picked", rows[picked], [operand[picked] for operand in given])
        if self.name in PAIRS:
            rest = [operand[picked] for operand in given[2:]]
            self.compare(
                f"{form}, pairs", rows[picked], [*given[:2], *rest], pairs=(picked, picked)
            )

    def compare_fields(self, rng: Random, rows: Any, given: list[Any]) -> None:
        """With some of the fields, and with `out`."""
        if self.name == "intersects":
            return
        for field in self.answer:
            self.compare(f"{field} alone", rows, given, fields=(field,))
        some = tuple(rng.sample(list(self.answer), 2))
        self.compare(f"{some}", rows, given, fields=some)
        whole = self.ask(*given)
        self.compare("out", rows, given, out=whole)

    def compare_broadcast(self, rng: Random, rows: Any, dense: list[Any]) -> None:
        """One row with itself many times, along two axes."""
        k = rng.randrange(len(rows))
        same = np.full((3, 5), rows[k])
        first = np.full((3, 1), k)
        operands = [dense[0][first], *(operand[k] for operand in dense[1:])]
        self.compare("broadcast", same, [operands[0], *operands[1:-1], dense[-1][[k] * 5]])


def as_row(polygon: Any) -> Any:
    """A polygon as a row of a list: as an array, if it is one ring."""
    is_ring = not isinstance(polygon, carom.Shapes) and np.ndim(polygon[0]) == 1
    return np.array(polygon) if is_ring else polygon


def unchecked(polygons: list[Any]) -> Any:
    return carom.Shapes(polygons, check=False)


def ragged(polygons: list[Any]) -> Any:
    """A column from coordinates and offsets."""
    if isinstance(polygons[0], carom.Shapes):
        return pickle.loads(pickle.dumps(carom.Shapes(polygons)))
    rings = [[np.array(r) for r in p] if np.ndim(p[0]) > 1 else [p] for p in polygons]
    lengths = [len(ring) for polygon in rings for ring in polygon]
    return carom.Shapes.from_ragged(
        np.concatenate([ring for polygon in rings for ring in polygon]),
        np.cumsum([0, *lengths]),
        np.cumsum([0, *map(len, rings)]),
    )


def strided(polygons: list[Any]) -> Any:
    """An array with negative strides and gaps."""
    spread = np.zeros((len(polygons), len(polygons[0]), 2, 3))
    spread[..., ::-1, 1] = np.array(polygons)
    return spread[..., ::-1, 1]


def answers(scene: Scene) -> tuple[Answers, list[str]]:
    """The results of a scene by function and field, and the forms that differ."""
    found: Answers = {"instructions": carom._core.INSTRUCTIONS}
    differences: list[str] = []
    for name in NAMES:
        reference = Reference(name, scene)
        reference.compare_forms(Random(len(scene.a)))
        reference.ask(*reference.given(range(len(scene.a))), check=False)
        found |= {f"{name}.{field}": value for field, value in reference.answer.items()}
        differences += reference.differences
    found |= column_answers(scene)
    return found, [*differences, *many_shapes_differences(found)]


def column_answers(scene: Scene) -> Iterator[tuple[str, Any]]:
    """Properties and joins of columns of the valid polygons."""
    a, b = (good(side) for side in (scene.a, scene.b))
    velocity = np.nan_to_num(np.array(scene.velocity), posinf=0.0)[: len(a)]
    yield from ((name, getattr(a, name)) for name in ("bounds", "is_convex", "area", "centroid"))
    yield "candidate_pairs", carom.candidate_pairs(a, b)
    yield "colliding_pairs", carom.colliding_pairs(a, b)
    yield "colliding_pairs of a", carom.colliding_pairs(a)
    yield "colliding_pairs moving", carom.colliding_pairs(a, b, velocity_a=velocity)
    yield "colliding_pairs with margin", carom.colliding_pairs(a, b, margin=scene.margin())
    for k in range(0, len(a), 8):
        if carom.KINDS[a.kind[k]].endswith("polygon"):
            yield f"convex_parts {k}", carom.convex_parts(a[k]).coords
            yield f"convex_hull {k}", carom.convex_hull(a.coords[: 40 + k])
    yield from trajectory_answers(a, b, velocity)
    yield from many_shapes_answers(scene, a, b, velocity)


def many_shapes_answers(scene: Scene, a: Any, b: Any, velocity: Any) -> Iterator[tuple[str, Any]]:
    """Joins, nearest rows, rays and points, by one thread and by three."""
    center = np.nan_to_num(np.array(scene.center))[: len(a)]
    margin = np.full(len(a), scene.margin())
    for threads in (1, 3):
        found = fixed_scene.many_shapes(a, b, velocity, center, margin, {"threads": threads})
        yield from ((f"many shapes {k}, {threads}", value) for k, value in enumerate(found))
    for row in range(min(len(a), 5)):
        met = carom.ray_cast(center[row], velocity[row], b, length=1.0)
        yield from ((f"ray {row}, {field}", value) for field, value in fields(met).items())


def many_shapes_differences(found: Answers) -> Iterator[str]:
    """Where threads, pieces of a join, or single rays changed a bit."""
    if found["colliding_pairs"].tobytes() != found["many shapes 3, 1"].tobytes():
        yield "iter_colliding_pairs: the pieces"
    for name, value in found.items():
        is_one = name.startswith("many shapes") and name.endswith(", 1")
        if is_one and value.tobytes() != found[f"{name[:-1]}3"].tobytes():
            yield f"{name}: three threads"


def trajectory_answers(a: Any, b: Any, velocity: Any) -> Iterator[tuple[str, Any]]:
    """First contacts of a footprint of each kind, on straight and turning paths."""
    steps = np.cumsum(velocity[:6] / 2, axis=0)
    for k in range(0, len(a), 8):
        for turn in (0.0, 0.3):
            poses = np.column_stack([steps, turn * np.arange(len(steps))])
            # With numbers from 1e-300 to 1e300 a turning contact takes seconds to compute.
            if turn and np.abs(steps).max(initial=0.0) > 1e100:
                continue
            try:
                if isinstance(a[k], np.ndarray):
                    yield f"place {k} {turn}", carom.place(a[k], poses)
                met = carom.first_contact(a[k : k + 1], [poses], b, velocity=velocity[0])
            except ValueError as refused:
                yield f"first_contact {k} {turn}", np.array(str(refused))
                continue
            for field, value in met._asdict().items():
                yield f"first_contact {k} {turn} {field}", value


def good(polygons: list[Any]) -> Any:
    return carom.Shapes([p for p in polygons if is_good(p)])


def is_good(polygon: Any) -> bool:
    try:
        carom.Shapes([as_row(polygon)])
    except ValueError:
        return False
    return True


# --- instructions -------------------------------------------------------------------------------


def answers_with(instructions: str, scenes: list[Scene]) -> list[tuple[Answers, list[str]]] | None:
    """The results of a process with this instruction set; None if it isn't supported."""
    asked = subprocess.run(
        [sys.executable, str(Path(__file__)), "--answer"],
        env={**os.environ, "CAROM_INSTRUCTIONS": instructions},
        input=pickle.dumps([tuple(scene) for scene in scenes]),
        capture_output=True,
        check=False,
    )
    if b"which this processor lacks" in asked.stderr:
        return None
    assert asked.returncode == 0, asked.stderr.decode()
    return pickle.loads(asked.stdout)


def differences(seeds: range, rows: int) -> Iterator[str]:
    """The forms and instruction sets that differ, for scenes of these seeds."""
    scenes = [scene(seed, rows) for seed in seeds]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda name: answers_with(name, scenes), SETS))
    sets = [(name, each) for name, each in zip(SETS, found, strict=True) if each is not None]
    for k, seed in enumerate(seeds):
        for name, each in sets:
            assert each[k][0].pop("instructions") == name
            yield from (f"seed {seed}, {name}: {text}" for text in each[k][1])
        _, expected = sets[-1]
        for name, each in sets[:-1]:
            for field, value in each[k][0].items():
                other = expected[k][0][field]
                if value.tobytes() != other.tobytes():
                    yield f"seed {seed}, {name} and {sets[-1][0]}: {field}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", type=int, default=53)
    parser.add_argument("--answer", action="store_true", help="scenes from stdin, to stdout")
    options = parser.parse_args()
    if options.answer:
        scenes = [Scene(*each) for each in pickle.load(sys.stdin.buffer)]
        sys.stdout.buffer.write(pickle.dumps([answers(each) for each in scenes]))
        return 0
    start, seed, failures = time.monotonic(), options.seed, 0
    while time.monotonic() - start < options.seconds:
        for text in differences(range(seed, seed + 48), options.rows):
            failures += 1
            print(text, flush=True)
        seed += 48
    print(f"{seed - options.seed} scenes, {failures} differences")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())

"""Pairs of shapes of every kind that share points and stretches, and all predicates of them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import carom

from generators import kinds, relations
from reference.oracle import de9im

from . import Case, is_extreme

PREDICATES = (
    "intersects",
    "contains",
    "within",
    "covers",
    "covered_by",
    "contains_properly",
    "touches",
    "overlaps",
    "crosses",
    "equals",
    "disjoint",
)


def check_predicates(rng: Random) -> Case:
    while True:
        a, b = relations.mapped(rng, *relations.pair(rng))
        columns = [
            carom.Shapes.from_shapely([kinds.geometry(shape)], on_invalid="mask")
            for shape in (a, b)
        ]
        # Rounding may make a polygon invalid.
        if all(column.kind[0] >= 0 for column in columns):
            break
    matrix = de9im.matrix(a, b)
    for predicate in PREDICATES:
        found = bool(carom.predicate_batch(*columns, predicate)[0])
        assert found == de9im.holds(predicate, a, b, matrix), f"{predicate} of {a}, {b}: {matrix}"
    touching = any(matrix[k] != "F" for k in (1, 3, 4))
    holed = any(shape.kind == "polygon" and max(map(len, shape.parts)) > 1 for shape in (a, b))
    extreme = is_extreme(a.vertices, b.vertices)
    return Case(" ".join(sorted((a.kind, b.kind))), touching, extreme, holed)


QUERIES: dict[str, Callable[[Random], Case]] = {"predicate_batch": check_predicates}

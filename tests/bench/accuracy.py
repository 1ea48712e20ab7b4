"""Measures the error of every returned number against the oracle: python tests/bench/accuracy.py

The cases are those of tests/hard_cases.py, of which a third touch or nearly do and a tenth are of
extreme magnitude, and those of tests/cases/columns.py, most of which are made from these. Each
number is compared with the exact one in three units: in units of its own last place, in units of
the last place of the local extent (the largest coordinate difference), and as a part of what the
contract allows. A vector's error is the length of the difference, against the length of the vector;
a point's is the larger of its two coordinates', which have no last place of their own. Prints a
table with the median, the 99th percentile and the worst; ends with 1 if any number exceeds the
contract.

    python tests/bench/accuracy.py [--cases N] [--seed S] [--jobs J] [--only NAME]
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
import time
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

import carom
import numpy as np

from cases import columns, convex, general, turning
from reference.oracle import accuracy
from reference.oracle.approach import Scene

NUMBERS = ("depth", "separation", "distance", "time")
VECTORS = ("mtv", "normal")
POINTS = ("contact", "closest", "closest_a", "closest_b", "point")
NORMAL = Decimal(sys.float_info.min)
"""Below it the contract has no relative bound."""


class Error(NamedTuple):
    """The error of one number, in each unit; None where a unit doesn't apply."""

    field: str
    own: float | None
    extent: float | None
    relative: float | None
    allowed: float


TARGETS: dict[str, Any] = {
    **{f"{query}, convex": check for query, check in convex.QUERIES.items()},
    **{f"{query}, any shape": check for query, check in general.QUERIES.items()},
    **{f"{query}, turning": check for query, check in turning.QUERIES.items()},
    **columns.QUERIES,
}
TARGETS["contact_intervals"] = TARGETS.pop("contact_intervals, turning")
del TARGETS["intersects, any shape"]


class Recorder:
    """Notes how far every number that the oracle accepts is from the exact one."""

    def __init__(self) -> None:
        self.result: Any = None
        self.least: dict[Any, tuple[Any, ...]] = {}
        """For each value, the unit of its bound and the least error among the answers allowed."""

    def note(self, key: Any, *errors: Any) -> None:
        if key not in self.least or errors[0] < self.least[key][0]:
            self.least[key] = errors

    def install(self) -> None:
        """Wraps what the oracle compares with, and the functions whose results it compares."""
        number, vector, point = accuracy.number, accuracy.vector, accuracy.point

        def noted_number(got: float, true: Decimal, extent_ulp: Any = None) -> bool:
            good = number(got, true, extent_ulp)
            if good and abs(true) > 0 and math.isfinite(got):
                kind = "number" if extent_ulp is None else "length"
                self.note((kind, float(got)), abs(Decimal(got) - true), abs(true), extent_ulp)
            return good

        def noted_vector(got: Any, true: Any) -> bool:
            good = vector(got, true)
            if good and true != (0, 0) and all(map(math.isfinite, got)):
                square = sum((Decimal(float(g)) - t) ** 2 for g, t in zip(got, true, strict=True))
                size = (true[0] ** 2 + true[1] ** 2).sqrt()
                self.note(tuple(map(float, got)), Decimal(square).sqrt(), size, None)
            return good

        def noted_point(got: Any, true: Any, extent_ulp: Any) -> bool:
            good = point(got, true, extent_ulp)
            if good:
                pairs = [*zip(map(float, got), true, strict=True)]
                worst = max(pairs, key=lambda it: abs(Fraction(it[0]) - Fraction(it[1])))
                error = abs(Fraction(worst[0]) - Fraction(worst[1]))
                one = Fraction(math.ulp(float(worst[1])))
                self.note(("point", *map(float, got)), error, one, extent_ulp)
            return good

        accuracy.number, accuracy.vector, accuracy.point = noted_number, noted_vector, noted_point
        for name in {target.split(",")[0] for target in TARGETS} | {"penetration"}:
            if hasattr(carom, name):
                setattr(carom, name, self.recorded(getattr(carom, name)))

    def recorded(self, function: Any) -> Any:
        def call(*arguments: Any, **keywords: Any) -> Any:
            result = function(*arguments, **keywords)
            # The oracle may ask again, about shapes nearby.
            if self.result is None:
                self.result = result[0] if hasattr(result, "valid") else result
            return result

        return call

    def errors(self) -> Iterator[Error]:
        """The errors of the fields of the result."""
        fields = self.result._asdict() if hasattr(self.result, "_asdict") else {}
        for field, value in fields.items():
            if field in NUMBERS:
                kinds = ("number",) if field == "time" else ("length", "number")
                keys = [[(kind, x) for kind in kinds] for x in np.ravel(value).tolist() if x]
                found = [next(filter(None, map(self.least.get, of)), None) for of in keys]
            elif field in VECTORS:
                found = [self.least.get(tuple(value.tolist()))] if value.any() else []
            elif field in POINTS:
                rows = value.reshape(-1, 2).tolist()
                found = [self.least.get(("point", *row)) for row in rows]
            else:
                continue
            for it in found:
                if it is not None:
                    yield error_of(field, *it, is_point=field in POINTS)


def error_of(field: str, error: Any, size: Any, extent_ulp: Any, *, is_point: bool) -> Error:
    with localcontext(prec=60) as context:
        context.Emin, context.Emax = -999_999, 999_999
        extent = None if extent_ulp is None else float(Fraction(error) / Fraction(extent_ulp))
        if is_point:
            return Error(field, None, extent, None, float(error / (size + 8 * extent_ulp)))
        last_place = Fraction(math.ulp(float(size)))
        relative = float(error / size) if size >= NORMAL else None
        allowed = 0.0 if relative is None else relative / 1e-10
        if extent is not None:
            allowed = max(allowed, extent / 8)
        return Error(field, float(Fraction(error) / last_place), extent, relative, allowed)


RECORDER = Recorder()


def measure(task: tuple[str, int, int]) -> tuple[str, list[Error], str | None]:
    """The errors of one case, and how it exceeds the contract."""
    name, seed, number = task
    RECORDER.result, RECORDER.least = None, {}
    TRUTH.clear()
    try:
        TARGETS[name](Random(f"accuracy {name}/{seed}/{number}"))
    except AssertionError as wrong:
        return name, [], f"{name}, seed {seed}, case {number}: {wrong}"
    errors = [*RECORDER.errors()]
    if TRUTH:
        own = [*OWN[name](*TRUTH)]
        fields = {it.field for it in own}
        errors = [it for it in errors if it.field not in fields] + own
    return name, errors, None


TRUTH: list[Any] = []
"""The exact answers that the oracle returned in the case, where its comparison is its own."""


def keep(module: Any, function: str) -> None:
    """Makes the cases keep what a function of the oracle returns."""
    own = getattr(module, function)

    def kept(*arguments: Any) -> Any:
        TRUTH[:] = [own(*arguments), *arguments]
        return TRUTH[0]

    setattr(module, function, kept)


def interval_errors(truth: Any, *arguments: Any) -> Iterator[Error]:
    """The errors of the ends of intervals within the frame."""
    found = arguments[-1]
    if len(truth) != len(found):
        return  # gaps below 1e-12 were closed
    for ends, got in zip(truth, found.tolist(), strict=True):
        for true, end in zip(ends, got, strict=True):
            if 0 < true < 1:
                error = abs(Fraction(end) - true)
                relative = float(error / true)
                own = float(error / Fraction(math.ulp(float(true))))
                yield Error("intervals", own, None, relative, relative / 1e-10)


def depth_errors(square: Any, _a: Any, _b: Any, result: Any) -> Iterator[Error]:
    """The error of the depth, whose exact square the oracle returns."""
    if square and math.isfinite(result.depth):
        with localcontext(prec=800) as context:
            context.Emin, context.Emax = -999_999, 999_999
            true = (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()
            error = abs(Decimal(result.depth) - true)
            yield error_of("depth", error, true, None, is_point=False)


def approach_errors(bounds: Any, a: Any, b: Any, motion: Any, result: Any) -> Iterator[Error]:
    """The error of the least distance of shapes that turn, from the oracle's bounds of it."""
    low, high = bounds
    if low > 0 and math.isfinite(result.distance) and (motion.turn_a or motion.turn_b):
        with localcontext(prec=60) as context:
            context.Emin, context.Emax = -999_999, 999_999
            got, unit = Decimal(result.distance), Scene(a, b, motion).extent_ulp
            found = error_of(
                "distance", max(low - got, got - high, Decimal(0)), high, unit, is_point=False
            )
            # Of these the contract grants the larger bound.
            relative = (found.relative or 0.0) / 1e-10
            yield found._replace(allowed=min(relative, (found.extent or 0.0) / 8))


def measure_errors(truth: Any, _area: Any, column: Any) -> Iterator[Error]:
    """The errors of the area and the centroid, which have bounds of their own."""
    (size,), (center,) = column.area.tolist(), column.centroid.tolist()
    if NORMAL <= size < math.inf:
        error = abs(Fraction(size) - truth.area)
        relative = float(error / truth.area)
        own = float(error / Fraction(math.ulp(float(truth.area))))
        yield Error("area", own, None, relative, relative / 1e-12)
    errors = [abs(Fraction(c) - t) for c, t in zip(center, truth.centroid, strict=True)]
    at = errors.index(max(errors))
    allowed = Fraction(math.ulp(float(truth.centroid[at]))) + truth.extent / 10**12
    extent = float(errors[at] / truth.extent_ulp)
    yield Error("centroid", None, extent, None, float(errors[at] / allowed))


OWN = {
    "contact_intervals": interval_errors,
    "penetration, any shape": depth_errors,
    "closest_approach, turning": approach_errors,
    "clearance": approach_errors,
    "column": measure_errors,
}


def prepare() -> None:
    RECORDER.install()
    keep(turning, "assert_closest_approach")
    keep(turning, "assert_contact_intervals")
    keep(general, "assert_penetration")
    keep(columns, "assert_least")
    keep(columns, "assert_measures")


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def short(value: float) -> str:
    return f"{value:.2g}" if value < 100 else f"{value:.0f}" if value < 1e5 else f"{value:.1e}"


def row(name: str, field: str, errors: list[Error]) -> str:
    own = [it.own for it in errors if it.own is not None]
    extent = [it.extent for it in errors if it.extent is not None]
    relative = [it.relative for it in errors if it.relative is not None]
    cells = [
        f"{len(errors):,}",
        *(short(percentile(own, part)) if own else "" for part in (0.5, 0.99, 1.0)),
        f"{short(percentile(extent, 0.99))}, {short(max(extent))}" if extent else "",
        f"{max(relative):.1e}" if relative else "",
        f"{max(it.allowed for it in errors):.2g}",
    ]
    return f"| {name} | {field} | " + " | ".join(cells) + " |"


TITLES = """\
| query | field | values | own: median | 99 % | worst | extent: 99 %, worst | relative | bound |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


def study(cases: int, seed: int, jobs: int, only: str = "") -> tuple[list[str], list[str]]:
    """The rows of the table, and the cases that exceed the contract."""
    names = [name for name in TARGETS if only in name]
    tasks = ((name, seed, number) for number in range(cases) for name in names)
    found: dict[tuple[str, str], list[Error]] = {}
    wrong: list[str] = []
    with multiprocessing.get_context("fork").Pool(jobs, prepare) as pool:
        for name, errors, failure in pool.imap_unordered(measure, tasks, chunksize=20):
            if failure is not None:
                wrong.append(failure)
            for it in errors:
                found.setdefault((name, it.field), []).append(it)
    order = {name: at for at, name in enumerate(names)}
    keys = sorted(found, key=lambda key: (order[key[0]], key[1]))
    return [row(*key, found[key]) for key in keys], wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=2000, help="per query")
    parser.add_argument("--seed", type=int, default=0, help="of the random cases")
    parser.add_argument(
        "--jobs", type=int, default=multiprocessing.cpu_count(), help="processes at a time"
    )
    parser.add_argument("--only", default="", help="queries whose name contains this")
    options = parser.parse_args()
    if not any(options.only in name for name in TARGETS):
        parser.error("\n".join(["no such query; there are:", *TARGETS]))
    start = time.monotonic()
    rows, wrong = study(options.cases, options.seed, options.jobs, options.only)
    print(TITLES, *rows, sep="\n")
    print(
        f"\n{options.cases} cases per query, {time.monotonic() - start:.0f} s; {len(wrong)} wrong"
    )
    print(*wrong[:10], sep="\n\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()

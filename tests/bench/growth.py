"""How cost grows with the number of vertices: python tests/bench/growth.py [--parry]

Two combs that interlock and never touch, two rough rings that overlap, and neighbours on maps: the
world's countries, and the counties of the United States where bokeh_sampledata is installed.
Carom's columns and Shapely's prepared polygons are made before; the query "make and validate"
measures the cost of making them. All contestants run in each round, on one thread; the result is
the shortest processor time.

With --parry, the Rust program in the folder `parry` is built and has its turns too. It asks closed
polylines, which are boundaries without an inside. Writes growth.csv beside this file and, where
matplotlib is installed, the picture in python/docs.
"""

from __future__ import annotations

import argparse
import csv
import datetime as dt
import math
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import carom
import numpy as np
import shapely
from numpy.typing import NDArray

HERE = Path(__file__).parent
PICTURE = HERE.parent.parent / "python" / "docs" / "images" / "growth.svg"
SWEEP = ("time", "normal", "contact")
COLUMNS = ("machine", "date", "pair", "question", "vertices", "contestant", "seconds", "answer")
TURN = 0.05
"""Seconds of a measurement, so that the resolution of the clock doesn't matter."""
PATIENCE = 20.0
"""Seconds of a query after which a contestant gets no inputs with more vertices."""

Floats = NDArray[np.float64]
# Runs the query a number of times; returns the processor time of one in seconds, and the answer.
Contestant = Callable[[int], tuple[float, Any]]


@dataclass(frozen=True)
class Pair:
    """Two rings, and a velocity for the first."""

    name: str
    a: Floats
    b: Floats
    velocity: tuple[float, float]


def main() -> None:
    """Measures, prints, writes and draws."""
    options = arguments()
    if options.draw_only:
        draw(read(options.csv))
        return
    rows: list[dict[str, Any]] = []
    with ExitStack() as stack:
        parry = stack.enter_context(parry_program()) if options.parry else None
        for pair in pairs(options.most):
            rows += measured(pair.name, questions(pair, parry), len(pair.a), rows, options.rounds)
    for name, areas in maps():
        vertices = round(shapely.get_num_coordinates(areas).mean())
        rows += measured(name, map_questions(areas), vertices, rows, options.rounds)
    machine, date = machine_name(), dt.datetime.now(dt.UTC).date().isoformat()
    rows = [{"machine": machine, "date": date, **row} for row in rows]
    write(options.csv, rows)
    draw(read(options.csv))


def arguments() -> argparse.Namespace:
    """Returns what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=float, default=1e6, help="vertices of the largest ring")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--parry", action="store_true", help="build parry and ask it too")
    parser.add_argument("--csv", type=Path, default=HERE / "growth.csv")
    parser.add_argument("--draw-only", action="store_true", help="draw the CSV that is there")
    return parser.parse_args()


def pairs(most: float) -> Iterator[Pair]:
    """Yields pairs of rings of more and more vertices."""
    exponents = np.arange(3.0, math.log10(most) + 0.01, 0.5)
    for vertices in (int(round(10.0**exponent, -2)) for exponent in exponents):
        up = comb(vertices)
        down = np.stack([up[:, 0] + 2.0, 11.0 - up[:, 1]], axis=-1)
        yield Pair("interlocking combs", up, down, (0.5, 0.5))
        here, there = rough_ring(0, vertices), rough_ring(1, vertices)
        yield Pair("rough rings", here, there + np.array([1.0, 0.0]), (0.0, 0.0))
        yield Pair("rough rings, apart", here, there + np.array([3.0, 0.0]), (2.0, 0.0))


def comb(vertices: int) -> Floats:
    """Teeth of width 1 and height 10 on a bar, three units from one to the next."""
    left = 4.0 * np.arange(vertices // 4 - 1)
    x = left[:, None] + (0.0, 0.0, 1.0, 1.0)
    y = np.broadcast_to((0.0, 10.0, 10.0, 0.0), x.shape)
    end = left[-1] + 1.0
    bar = [(end, -1.0), (end / 2.0, -1.0), (0.0, -1.0), (0.0, -0.5)]
    return np.concatenate([bar, np.stack([x, y], axis=-1).reshape(-1, 2)])


def rough_ring(seed: int, vertices: int) -> Floats:
    """A ring rough at every scale, as a coast is; with more vertices it shows more of the same."""
    waves = np.arange(1, vertices // 2)
    size = np.zeros(vertices // 2 + 1, dtype=complex)
    size[1:-1] = waves**-1.5 * np.exp(
        2j * np.pi * np.random.default_rng(seed).uniform(size=len(waves))
    )
    height = np.fft.irfft(size, vertices) * vertices
    radius = 1.0 + 0.3 * height / np.abs(height).max()
    angle = 2.0 * np.pi * np.arange(vertices) / vertices
    return radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def questions(pair: Pair, parry: Parry | None) -> list[tuple[str, dict[str, Contestant]]]:
    """Returns each query with its contestants."""
    columns = carom.Shapes([pair.a]), carom.Shapes([pair.b])
    objects = shapely.polygons(pair.a), shapely.polygons(pair.b)
    shapely.prepare(objects[0])
    velocity = np.array(pair.velocity)
    intersects: dict[str, Contestant] = {
        "carom": timed(lambda: bool(carom.intersects_batch(*columns, threads=1)[0])),
        "Shapely, prepared": timed(lambda: bool(shapely.intersects(*objects))),
    }
    sweep: dict[str, Contestant] = {
        "carom": timed(
            lambda: float(
                carom.swept_collision_batch(*columns, velocity, fields=SWEEP, threads=1).time[0]
            )
        )
    }
    valid: dict[str, Contestant] = {
        "carom": timed(lambda: len(carom.Shapes([pair.a])) == 1),
        "Shapely": timed(lambda: bool(shapely.is_valid(shapely.polygons(pair.a)))),
    }
    if parry:
        parry.load(pair.a, pair.b)
        intersects["parry"] = lambda number: parry.ask("intersects", number)
        sweep["parry"] = lambda number: parry.ask("sweep", number, *pair.velocity)
    match pair.name:
        case "rough rings":
            return [("intersects", intersects), ("make and validate", valid)]
        case "rough rings, apart":
            return [("swept_collision", sweep)]
    return [("intersects", intersects), ("swept_collision", sweep), ("make and validate", valid)]


def maps() -> Iterator[tuple[str, NDArray[np.object_]]]:
    """Yields the polygons of real areas."""
    with np.load(Path(carom.__file__).parent / "data" / "natural_earth.npz") as ragged:
        coords, *offsets = (ragged[name] for name in ("coords", "ring_offsets", "polygon_offsets"))
    yield (
        "countries",
        shapely.from_ragged_array(shapely.GeometryType.POLYGON, coords, tuple(offsets)),
    )
    try:
        from bokeh_sampledata.us_counties import records
    except ImportError:
        print("no counties: bokeh_sampledata isn't installed, or too old to have their records")
        return
    yield "counties", shapely.get_parts([record["geometry"] for record in records()])


def map_questions(areas: NDArray[np.object_]) -> list[tuple[str, dict[str, Contestant]]]:
    """Returns the questions about all pairs of areas whose boxes meet, and who answers them."""
    column = carom.Shapes(
        [[shapely.get_coordinates(ring) for ring in (a.exterior, *a.interiors)] for a in areas]
    )
    i, j = shapely.STRtree(areas).query(areas)
    i, j = i[i < j], j[i < j]
    shapely.prepare(areas)
    here, there = areas[i], areas[j]
    velocity = np.array((0.1, 0.05))
    share = 1.0 / len(i)
    print(f"{len(i):,} pairs of {len(areas):,}; per pair:")

    def meet() -> int:
        return int(carom.intersects_batch(column, column, pairs=(i, j), threads=1).sum())

    def sweep() -> int:
        when = carom.swept_collision_batch(
            column, column, velocity, pairs=(i, j), fields=SWEEP, threads=1
        ).time
        return int(np.isfinite(when).sum())

    return [
        (
            "intersects",
            {
                "carom": timed(meet, share),
                "Shapely, prepared": timed(
                    lambda: int(shapely.intersects(here, there).sum()), share
                ),
            },
        ),
        ("swept_collision", {"carom": timed(sweep, share)}),
    ]


def timed(ask: Callable[[], Any], share: float = 1.0) -> Contestant:
    """Returns the contestant that asks here; one answer costs a share of what it asks."""

    def contestant(number: int) -> tuple[float, Any]:
        start = time.process_time()
        for _ in range(number):
            answer = ask()
        return (time.process_time() - start) / number * share, answer

    return contestant


class Parry:
    """The Rust program, which keeps one pair at a time."""

    def __init__(self, program: subprocess.Popen[str], folder: Path) -> None:
        self.program = program
        self.folder = folder

    def load(self, *rings: Floats) -> None:
        """Hands over a pair."""
        self.answered("load", *map(self.file, ("a", "b"), rings))

    def file(self, name: str, points: Floats) -> Path:
        """Writes points where the program can read them."""
        path = self.folder / name
        path.write_bytes(points.astype("<f8").tobytes())
        return path

    def ask(self, *request: object) -> tuple[float, Any]:
        """Returns the seconds of one, and the answer as carom gives it."""
        seconds, answer = map(float, self.answered(*request).split("\t"))
        return seconds, bool(answer) if request[0] == "intersects" else answer

    def answered(self, *request: object) -> str:
        """Returns the answer to one line."""
        assert self.program.stdin and self.program.stdout
        print(*request, sep="\t", file=self.program.stdin, flush=True)
        return self.program.stdout.readline().strip()


@contextmanager
def parry_program() -> Iterator[Parry]:
    """Builds the program and runs it."""
    manifest = HERE / "parry" / "Cargo.toml"
    with tempfile.TemporaryDirectory() as folder:
        target = os.environ.get("CARGO_TARGET_DIR", folder)
        build = ("cargo", "build", "--release", "--quiet", "--locked")
        subprocess.run([*build, "--manifest-path", manifest, "--target-dir", target], check=True)
        program = Path(target) / "release" / "growth-parry"
        pipe = subprocess.PIPE
        with subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True) as running:
            yield Parry(running, Path(folder))


def measured(
    pair: str,
    asked: list[tuple[str, dict[str, Contestant]]],
    vertices: int,
    before: list[dict[str, Any]],
    rounds: int,
) -> list[dict[str, Any]]:
    """Returns a row for each question and contestant, and prints them beside carom's."""
    rows = []
    for question, contestants in asked:
        slow = {
            row["contestant"]
            for row in before
            if (row["pair"], row["question"]) == (pair, question) and row["seconds"] > PATIENCE
        }
        willing = {name: ask for name, ask in contestants.items() if name not in slow}
        best, answers = interleaved(willing, rounds)
        line = ", ".join(
            f"{name} {human(seconds)} ({seconds / best['carom']:.1f})"
            for name, seconds in best.items()
        )
        print(f"{pair}, {vertices:,} vertices, {question}: {line}", flush=True)
        differing = {name: answer for name, answer in answers.items() if not same(answers, answer)}
        if differing:
            print(f"  other answers than carom's {answers['carom']}: {differing}", flush=True)
        for name, seconds in best.items():
            kinds = {"pair": pair, "question": question, "vertices": vertices, "contestant": name}
            rows.append({**kinds, "seconds": f"{seconds:.3e}", "answer": answers[name]})
            rows[-1]["seconds"] = float(rows[-1]["seconds"])
    return rows


def same(answers: dict[str, Any], answer: float) -> bool:
    """Whether an answer is carom's, but for the digits that others don't promise."""
    return answer == answers["carom"] or math.isclose(answer, answers["carom"], abs_tol=1e-6)


def interleaved(
    contestants: dict[str, Contestant], rounds: int
) -> tuple[dict[str, float], dict[str, Any]]:
    """Returns each contestant's best time in seconds, and its answer."""
    best, answers, numbers = {}, {}, {}
    for name, contestant in contestants.items():
        # The first run includes lazy initialisation; the second determines the number of
        # repetitions.
        contestant(1)
        start = time.perf_counter()
        best[name], answers[name] = contestant(1)
        numbers[name] = max(1, min(10_000, int(TURN / (time.perf_counter() - start))))
    for _ in range(rounds):
        for name, contestant in contestants.items():
            if best[name] < PATIENCE:
                best[name] = min(best[name], contestant(numbers[name])[0])
    return best, answers


def human(seconds: float) -> str:
    """Returns a time as text with a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def machine_name() -> str:
    """Returns the processor's name and the number of cores."""
    facts = {}
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            facts[key.strip()] = value.strip()
    name = facts.get("model name") or platform.processor() or platform.machine()
    model = f" family {facts['cpu family']} model {facts['model']}" if "model" in facts else ""
    return f"{name}{model}, {os.cpu_count()} cores"


def write(path: Path, rows: list[dict[str, Any]], columns: Sequence[str] = COLUMNS) -> None:
    """Writes the CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read(path: Path) -> list[dict[str, str]]:
    """Returns the rows of the CSV."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def draw(rows: list[dict[str, str]]) -> None:
    """Draws one curve for each contestant, a panel for each pair and question."""
    try:
        import matplotlib as mpl
    except ImportError:
        print("no picture: matplotlib isn't installed")
        return
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "growth"
    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["font.size"] = 9
    import matplotlib.pyplot as plt

    panels = [
        ("interlocking combs", "intersects", "combs that interlock: intersects"),
        ("interlocking combs", "swept_collision", "combs that interlock: a sweep that misses"),
        ("interlocking combs", "make and validate", "a comb: made and validated"),
        ("rough rings", "intersects", "rough rings that overlap: intersects"),
        ("rough rings, apart", "swept_collision", "rough rings: a sweep that hits"),
        ("rough rings", "make and validate", "a rough ring: made and validated"),
    ]
    looks = {
        "carom": ("#c1121f", "o", "carom"),
        "Shapely, prepared": ("#1d4e89", "s", "Shapely (prepared; is_valid)"),
        "Shapely": ("#1d4e89", "s", None),
        "parry": ("#5f7f3a", "^", "parry (outlines with their tree)"),
    }
    figure, axes = plt.subplots(
        2, 3, figsize=(10, 6), sharex=True, sharey=True, layout="constrained"
    )
    sizes = np.array([1e3, 1e6])
    rule = 3e-9 * sizes * np.log(sizes)
    for axis, (pair, question, title) in zip(axes.flat, panels, strict=True):
        for contestant, (color, marker, label) in looks.items():
            points = [
                (int(row["vertices"]), float(row["seconds"]))
                for row in rows
                if (row["pair"], row["question"], row["contestant"]) == (pair, question, contestant)
            ]
            if points:
                axis.loglog(
                    *zip(*points, strict=True), color=color, marker=marker, ms=4, label=label
                )
        axis.loglog(sizes, rule, color="0.7", ls=":", zorder=0, label="a slope of V log V")
        axis.minorticks_off()
        axis.set_title(title, fontsize=9)
        axis.grid(which="major", color="0.9")
        axis.spines[["top", "right"]].set_visible(False)
    for axis in axes[1]:
        axis.set_xlabel("vertices in each ring, V")
    for axis in axes[:, 0]:
        axis.set_ylabel("seconds, one thread")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    figure.supxlabel(f"{rows[0]['machine']}, {rows[0]['date']}", fontsize=8, color="0.4")
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()

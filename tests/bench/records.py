"""Measurements, as rows of a CSV file and as text for the tables."""

from __future__ import annotations

import csv
import datetime as dt
import functools
import os
import platform
import subprocess
from dataclasses import dataclass, fields
from pathlib import Path

import carom
import numba
import numpy as np
import shapely
from timing import Floats, Spread, spread

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Record:
    """A number with its quartiles, and its goal."""

    part: str
    pairs: str
    question: str
    who: str
    threads: int
    unit: str
    median: float
    low: float
    high: float
    at_least: float | None = None
    at_most: float | None = None

    @property
    def short(self) -> bool:
        """Whether the goal was missed."""
        least, most = self.at_least, self.at_most
        return (least is not None and self.median < least) or (
            most is not None and self.median > most
        )

    @property
    def goal(self) -> str:
        """The goal as text."""
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return "" if self.at_most is None else f"≤ {self.at_most:g}"


def record(
    part: str,
    pairs: str,
    question: str,
    who: tuple[str, int],
    unit: str,
    values: Floats,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Record:
    """Returns the record of the values of all rounds."""
    middle: Spread = spread(values)
    return Record(part, pairs, question, *who, unit, *middle, at_least, at_most)


def figure(value: float) -> str:
    """Returns a number with about three figures."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ranged(row: Record) -> str:
    """Returns the median, the quartiles and the goal; bold where it falls short."""
    text = figure(row.median)
    if row.short:
        text = f"**{text}**"
    text += f" ({figure(row.low)} to {figure(row.high)})"
    return f"{text}, {row.goal}" if row.goal else text


def table(names: int, head: list[str], rows: list[list[str]]) -> str:
    """Returns a Markdown table whose first columns are names, the others numbers."""
    rule = ["---"] * names + ["---:"] * (len(head) - names)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, rule, *rows])


@functools.cache
def facts() -> dict[str, str]:
    """Returns where, when and with what was measured."""
    return {
        "cpu": cpu_name(),
        "cores": str(os.cpu_count()),
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "commit": commit(),
        "carom": carom.__version__,
        "shapely": f"{shapely.__version__} with GEOS {shapely.geos_version_string}",
        "numba": numba.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def cpu_name() -> str:
    """Returns the processor's name; family and model tell apart those that have the same."""
    told = {}
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            told[key.strip()] = value.strip()
    name = told.get("model name") or platform.processor() or platform.machine()
    return f"{name} family {told['cpu family']} model {told['model']}" if "model" in told else name


def commit() -> str:
    """Returns the commit of this folder, with a mark where files differ from it."""
    command = ("git", "describe", "--always", "--dirty", "--abbrev=10")
    try:
        told = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return told.stdout.strip()


def write(path: Path, rows: list[Record]) -> None:
    """Writes the CSV."""
    where = facts()
    names = [field.name for field in fields(Record)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*where, *names])
        for row in rows:
            values = (getattr(row, name) for name in names)
            cells = [f"{value:.4g}" if isinstance(value, float) else value for value in values]
            writer.writerow([*where.values(), *cells])


def read(path: Path) -> list[dict[str, str]]:
    """Returns the rows of the CSV."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))

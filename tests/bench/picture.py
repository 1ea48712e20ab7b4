"""Draws what compare.py measured: nanoseconds per pair, a panel for each question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PICTURE = Path(__file__).parent.parent.parent / "python" / "docs" / "images" / "speed.svg"
PANELS = {
    "intersects": "do they intersect",
    "overlap and MTV": "overlap, depth and way out",
    "sweep": "first contact of a sweep",
    "circle": "is a circle within reach",
}
LOOKS = {
    "Shapely, arrays": ("#1d4e89", "s", "none"),
    "Shapely, built": ("#1d4e89", "s", "full"),
    "numba": ("#5f7f3a", "^", "none"),
    "numba, fitted": ("#5f7f3a", "^", "full"),
    "carom, arrays": ("#c1121f", "o", "none"),
    "carom, built": ("#c1121f", "o", "full"),
}
"""Color, marker and filling."""


def draw(rows: list[dict[str, str]]) -> None:
    """Draws the sets' times on one thread, with bars from quartile to quartile."""
    try:
        import matplotlib as mpl
    except ImportError:
        print("no picture: matplotlib isn't installed")
        return
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "speed"
    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["font.size"] = 9
    import matplotlib.pyplot as plt

    times = [row for row in rows if row["part"] == "sets" and row["threads"] == "1"]
    sets = list(dict.fromkeys(row["pairs"] for row in times))
    figure, axes = plt.subplots(
        2, 2, figsize=(10, 7), sharex=True, sharey=True, layout="constrained"
    )
    for axis, (question, title) in zip(axes.flat, PANELS.items(), strict=True):
        panel(axis, [row for row in times if row["question"] == question], sets)
        axis.set_title(title, fontsize=9)
    for axis in axes[:, 0]:
        axis.set_ylabel("nanoseconds per pair, one thread")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    where = f"{rows[0]['cpu']}, {rows[0]['cores']} cores, {rows[0]['date']}"
    figure.supxlabel(where, fontsize=8, color="0.4")
    figure.savefig(PICTURE, metadata={"Date": None})


def panel(axis: Any, rows: list[dict[str, str]], sets: list[str]) -> None:
    """Draws one question."""
    for number, (who, (color, marker, filling)) in enumerate(LOOKS.items()):
        found = {row["pairs"]: row for row in rows if row["who"] == who}
        if not found:
            continue
        places = [sets.index(name) + 0.11 * (number - 2.5) for name in found]
        medians, lows, highs = (
            [float(row[name]) for row in found.values()] for name in ("median", "low", "high")
        )
        below = [median - low for median, low in zip(medians, lows, strict=True)]
        above = [high - median for median, high in zip(medians, highs, strict=True)]
        look = {"color": color, "marker": marker, "ms": 5, "fillstyle": filling, "ls": "none"}
        axis.errorbar(places, medians, (below, above), elinewidth=1.2, label=who, **look)
    for between in range(1, len(sets)):
        axis.axvline(between - 0.5, color="0.9", lw=0.8, zorder=0)
    axis.set_yscale("log")
    axis.minorticks_off()
    axis.set_xticks(range(len(sets)), sets)
    axis.tick_params(axis="x", labelrotation=30)
    axis.grid(which="major", axis="y", color="0.9")
    axis.spines[["top", "right"]].set_visible(False)

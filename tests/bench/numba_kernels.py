"""Straightforward implementations in numba for convex counterclockwise rings.

An edge of either ring separates when all of the other is on its outer side, so a question looks at
V + W edges, and leaves a pair at the first that settles it. Plain floats: where shapes barely
touch, the answer may be wrong. Nothing is validated, and one thread goes over the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Piece = Callable[..., Any]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Best = tuple[float, float, float, float]
Span = tuple[float, float, float, float]


class Kernels(NamedTuple):
    """The questions about rows of rings, and about the first row alone."""

    intersects: Piece
    mtv: Piece
    sweep: Piece
    intersects_one: Piece
    mtv_one: Piece
    sweep_one: Piece


def kernels(separates: Piece, reach: Piece, size: Piece, *, branchless: bool) -> Kernels:
    """Returns the questions, given what an edge is asked and how many there are."""
    intersects, intersects_one = boolean_kernels(separates, branchless)
    mtv, mtv_one = mtv_kernels(reach, size)
    sweep, sweep_one = sweep_kernels(reach, size)
    return Kernels(intersects, mtv, sweep, intersects_one, mtv_one, sweep_one)


@njit(inline="always")
def separates(p: Floats, q: Floats, row: int) -> bool:
    """Whether an edge of the first ring has all of the second on its outer side."""
    v, w = p.shape[1], q.shape[1]
    px, py = p[row, v - 1, 0], p[row, v - 1, 1]
    for i in range(v):
        x, y = p[row, i, 0], p[row, i, 1]
        ex, ey = x - px, y - py
        # A count, where a maximum would do as well: whole numbers are summed in vectors.
        inside = 0
        for j in range(w):
            inside += ex * (q[row, j, 1] - py) >= ey * (q[row, j, 0] - px)
        if inside == 0:
            return True
        px, py = x, y
    return False


@njit(inline="always")
def reach(q: Floats, row: int, nx: float, ny: float, px: float, py: float) -> Any:
    """How far the ring begins beyond a point along a normal; negative when it begins before."""
    least = nx * (q[row, 0, 0] - px) + ny * (q[row, 0, 1] - py)
    for j in range(1, q.shape[1]):
        s = nx * (q[row, j, 0] - px) + ny * (q[row, j, 1] - py)
        least = s if s < least else least
    return least


def boolean_kernels(separates: Piece, branchless: bool) -> tuple[Piece, Piece]:
    """Whether rings intersect."""

    @njit
    def intersects(a: Floats, b: Floats) -> Bools:
        hit = np.empty(a.shape[0], np.bool_)
        for row in range(a.shape[0]):
            if branchless:
                hit[row] = not (separates(a, b, row) | separates(b, a, row))
            else:
                hit[row] = not (separates(a, b, row) or separates(b, a, row))
        return hit

    @njit
    def intersects_one(a: Floats, b: Floats) -> bool:
        return not (separates(a, b, 0) or separates(b, a, 0))

    return intersects, intersects_one


def mtv_kernels(reach: Piece, size: Piece) -> tuple[Piece, Piece]:
    """Overlap, depth and minimum translation vector.

    The overlaps along two normals compare as overlap² / length² do, by cross-multiplication.
    """

    @njit(inline="always")
    def least(p: Floats, q: Floats, row: int, sign: float, best: Best) -> Best:
        # The square of overlap times length, length², and the normal. 0 for length²: apart.
        square, length, mx, my = best
        v = size(p)
        px, py = p[row, v - 1, 0], p[row, v - 1, 1]
        for i in range(v):
            x, y = p[row, i, 0], p[row, i, 1]
            nx, ny = y - py, px - x
            s = reach(q, row, nx, ny, px, py)
            if s > 0.0:
                return square, 0.0, mx, my
            n = nx * nx + ny * ny
            if s * s * length < square * n:
                square, length, mx, my = s * s, n, sign * nx, sign * ny
            px, py = x, y
        return square, length, mx, my

    @njit(inline="always")
    def answer(a: Floats, b: Floats, row: int) -> tuple[bool, float, float, float]:
        best = least(a, b, row, -1.0, (np.inf, 1.0, 0.0, 0.0))
        if best[1] > 0.0:
            best = least(b, a, row, 1.0, best)
        square, length, mx, my = best
        if length == 0.0:
            return False, 0.0, 0.0, 0.0
        scale = np.sqrt(square) / length
        return True, scale * np.sqrt(length), scale * mx, scale * my

    @njit
    def mtv(a: Floats, b: Floats) -> tuple[Bools, Floats, Floats]:
        n = a.shape[0]
        hit, depth, vector = np.empty(n, np.bool_), np.empty(n), np.empty((n, 2))
        for row in range(n):
            hit[row], depth[row], vector[row, 0], vector[row, 1] = answer(a, b, row)
        return hit, depth, vector

    @njit
    def mtv_one(a: Floats, b: Floats) -> tuple[bool, float, float, float]:
        return answer(a, b, 0)

    return mtv, mtv_one


def sweep_kernels(reach: Piece, size: Piece) -> tuple[Piece, Piece]:
    """Whether rings meet while the first moves, and when.

    Each edge clips the span of time in which they may: its entry and exit are fractions. Nothing
    is left when the entry is after the exit.
    """

    @njit(inline="always")
    def clip(p: Floats, q: Floats, row: int, vx: float, vy: float, span: Span) -> Span:
        entry, entry_over, leave, leave_over = span
        v = size(p)
        px, py = p[row, v - 1, 0], p[row, v - 1, 1]
        for i in range(v):
            x, y = p[row, i, 0], p[row, i, 1]
            nx, ny = y - py, px - x
            gap, speed = reach(q, row, nx, ny, px, py), nx * vx + ny * vy
            if speed > 0.0:
                if gap * entry_over > entry * speed:
                    entry, entry_over = gap, speed
            elif speed < 0.0:
                if gap * leave_over > leave * speed:
                    leave, leave_over = -gap, -speed
            elif gap > 0.0:
                leave = -1.0
            if entry * leave_over > leave * entry_over:
                break
            px, py = x, y
        return entry, entry_over, leave, leave_over

    @njit(inline="always")
    def answer(a: Floats, b: Floats, velocity: Floats, row: int) -> tuple[bool, float]:
        vx, vy = velocity[row, 0], velocity[row, 1]
        span = clip(a, b, row, vx, vy, (0.0, 1.0, 1.0, 1.0))
        if span[0] * span[3] <= span[2] * span[1]:
            span = clip(b, a, row, -vx, -vy, span)
        if span[0] * span[3] > span[2] * span[1]:
            return False, np.inf
        return True, span[0] / span[1]

    @njit
    def sweep(a: Floats, b: Floats, velocity: Floats) -> tuple[Bools, Floats]:
        n = a.shape[0]
        hit, time = np.empty(n, np.bool_), np.empty(n)
        for row in range(n):
            hit[row], time[row] = answer(a, b, velocity, row)
        return hit, time

    @njit
    def sweep_one(a: Floats, b: Floats, velocity: Floats) -> tuple[bool, float]:
        return answer(a, b, velocity, 0)

    return sweep, sweep_one


@njit(inline="always")
def size(p: Floats) -> Any:
    """How many vertices the rings have."""
    return p.shape[1]


ANY_SIZE = kernels(separates, reach, size, branchless=False)
"""For rings of any size: the straightforward form, which tests every vertex against each edge."""

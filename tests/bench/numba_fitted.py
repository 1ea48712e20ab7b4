"""The fastest implementations found in numba: compiled for a fixed number of vertices.

Up to six vertices, a yes or no has no early exit: an unpredictable branch costs more than it saves.
With more vertices, the test of an edge ends at the first vertex inside, which is most often the one
that was inside the edge before. Overlaps keep four running minima, so that comparisons don't depend
on the one before.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numba_kernels import Floats, Kernels, kernels

BRANCHLESS = 6
"""Vertices up to which all tests of an edge are made."""


@functools.cache
def fitted(v: int) -> Kernels:
    """Returns the questions about rings of v vertices, both of a pair."""
    branchless = v <= BRANCHLESS
    separates = all_edges(v) if branchless else first_edge(v)
    return kernels(separates, reach_of(v), size_of(v), branchless=branchless)


def size_of(v: int) -> Callable[..., Any]:
    """How many vertices the rings have, known to the compiler."""

    @njit(inline="always")
    def size(_p: Floats) -> int:
        return v

    return size


def all_edges(v: int) -> Callable[..., Any]:
    """Whether an edge separates, without a branch."""

    @njit(inline="always")
    def separates(p: Floats, q: Floats, row: int) -> bool:
        found = False
        px, py = p[row, v - 1, 0], p[row, v - 1, 1]
        for i in range(v):
            x, y = p[row, i, 0], p[row, i, 1]
            ex, ey = x - px, y - py
            outside = True
            for j in range(v):
                outside &= ex * (q[row, j, 1] - py) < ey * (q[row, j, 0] - px)
            found |= outside
            px, py = x, y
        return found

    return separates


def first_edge(v: int) -> Callable[..., Any]:
    """Whether an edge separates, with an early exit."""

    @njit(inline="always")
    def separates(p: Floats, q: Floats, row: int) -> bool:
        px, py = p[row, v - 1, 0], p[row, v - 1, 1]
        last = 0
        for i in range(v):
            x, y = p[row, i, 0], p[row, i, 1]
            ex, ey = x - px, y - py
            if ex * (q[row, last, 1] - py) < ey * (q[row, last, 0] - px):
                outside = True
                for j in range(v):
                    if ex * (q[row, j, 1] - py) >= ey * (q[row, j, 0] - px):
                        outside, last = False, j
                        break
                if outside:
                    return True
            px, py = x, y
        return False

    return separates


def reach_of(v: int) -> Callable[..., Any]:
    """How far the ring begins beyond a point along a normal."""
    whole = v // 4 * 4

    @njit(inline="always")
    def reach(q: Floats, row: int, nx: float, ny: float, px: float, py: float) -> float:
        a = b = c = d = np.inf
        for j in range(0, whole, 4):
            s = nx * (q[row, j, 0] - px) + ny * (q[row, j, 1] - py)
            a = s if s < a else a
            s = nx * (q[row, j + 1, 0] - px) + ny * (q[row, j + 1, 1] - py)
            b = s if s < b else b
            s = nx * (q[row, j + 2, 0] - px) + ny * (q[row, j + 2, 1] - py)
            c = s if s < c else c
            s = nx * (q[row, j + 3, 0] - px) + ny * (q[row, j + 3, 1] - py)
            d = s if s < d else d
        for j in range(whole, v):
            s = nx * (q[row, j, 0] - px) + ny * (q[row, j, 1] - py)
            a = s if s < a else a
        a = a if a < b else b
        c = c if c < d else d
        return a if a < c else c

    return reach

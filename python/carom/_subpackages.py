"""Subpackages that are imported when they are asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def on_demand(
    package: str, needs: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package.

    `needs` has its subpackages and the libraries that each needs. `dir` leaves out those that can't
    be imported: `help` reads every name that it gives.
    """

    def get(name: str) -> Any:
        """A subpackage, imported when asked for: some need large libraries."""
        if name in needs:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        there = [name for name, libraries in needs.items() if all(map(find_spec, libraries))]
        return sorted({*vars(sys.modules[package]), *there})

    return get, names

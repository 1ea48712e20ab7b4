"""Keywords that still work under an earlier name."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from carom._input_error import InputTypeError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def renamed(**now: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Takes keywords by earlier names too, which the signature doesn't show."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def called(*args: P.args, **keywords: P.kwargs) -> R:
            for earlier in now.keys() & keywords.keys():
                name = now[earlier]
                if name in keywords:
                    wrong = f"{earlier} is its earlier name; give one of the two"
                    raise InputTypeError(wrong, at=name)
                keywords[name] = keywords.pop(earlier)
            return function(*args, **keywords)

        return called

    return decorated

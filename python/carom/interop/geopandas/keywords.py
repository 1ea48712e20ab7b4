"""Keywords that a function doesn't have."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def hinting(function: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuses unknown keywords as `function` of carom does, which names what to use instead."""
    required = [
        None for it in inspect.signature(function).parameters.values() if it.default is it.empty
    ]

    def decorated(own: Callable[P, R]) -> Callable[P, R]:
        known = inspect.signature(own).parameters

        @functools.wraps(own)
        def checked(*args: P.args, **keywords: P.kwargs) -> R:
            for name in keywords:
                if name not in known:
                    refuse(name)
            return own(*args, **keywords)

        def refuse(name: str) -> None:
            try:
                function(*required, **{name: None})
            except TypeError as why:
                text = str(why).replace(f"{function.__name__}()", f"{own.__name__}()", 1)
                if "unexpected keyword" not in text:
                    text = f"{own.__name__}() got an unexpected keyword argument {name!r}"
                    text += f"; carom.{function.__name__} has it"
                raise TypeError(text) from None

        return checked

    return decorated

"""The errors for unknown keywords."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def hinting(
    function: Callable[..., Any], **instead: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuses unknown keywords as `function` of carom does, which names what to use instead.

    `instead` has the alternatives to further keywords.
    """
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
            unexpected = f"{own.__name__}() got an unexpected keyword argument {name!r}"
            if name in instead:
                raise TypeError(f"{unexpected}; {instead[name]}")
            try:
                function(*required, **{name: None})
            except TypeError as why:
                text = str(why).replace(f"{function.__name__}()", f"{own.__name__}()", 1)
                if "unexpected keyword" not in text:
                    text = f"{unexpected}; carom.{function.__name__} has it"
                raise TypeError(text) from None

        return checked

    return decorated

"""The errors for unknown keywords."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from carom._input_error import InputTypeError, Place, again

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
    parameters = inspect.signature(function).parameters.values()
    operands = [None for it in parameters if it.kind is not it.KEYWORD_ONLY]

    def decorated(own: Callable[P, R]) -> Callable[P, R]:
        known = inspect.signature(own).parameters

        @functools.wraps(own)
        def checked(*args: P.args, **keywords: P.kwargs) -> R:
            for name in keywords:
                if name not in known:
                    refuse(name)
            return own(*args, **keywords)

        def refuse(name: str) -> None:
            advice = f"; {instead[name]}" if name in instead else ""
            call = Place(None, text=f"{own.__name__}()")
            try:
                function(*operands, **{name: None})
            except InputTypeError as why:
                if why.argument is None and not advice:
                    raise again(why, at=call) from None
                advice = advice or f"; carom.{function.__name__} has it"
            unexpected = f"got an unexpected keyword argument {name!r}{advice}"
            raise InputTypeError(unexpected, at=call, link=" ") from None

        return checked

    return decorated

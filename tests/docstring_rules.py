"""Requirements on the docstrings of public functions."""

from __future__ import annotations

import doctest
import inspect
import re
from typing import Any

from numpydoc.docscrape import FunctionDoc


def assert_documented(function: Any) -> None:
    """Asserts that a function's docstring explains every argument, and that its examples run."""
    parameters = inspect.signature(function).parameters.values()
    assert not [it.name for it in parameters if it.kind in {it.VAR_KEYWORD, it.VAR_POSITIONAL}]
    text = FunctionDoc(function)
    documented = [part.strip() for it in text["Parameters"] for part in re.split("[,\n]", it.name)]
    assert sorted(documented) == sorted(it.name for it in parameters)
    assert all(it.desc for it in text["Parameters"] + text["Raises"])
    assert text["Examples"]
    if parameters:
        assert text["Returns"] and text["Raises"]
    for example in doctest.DocTestFinder(recurse=False).find(function, globs={}):
        assert doctest.DocTestRunner().run(example).failed == 0

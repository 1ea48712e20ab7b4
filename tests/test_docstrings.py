"""What `help()` shows: complete, true, and run."""

import doctest
import inspect
import pkgutil

import carom
import numpy as np
import pytest
from numpydoc.docscrape import FunctionDoc

FUNCTIONS = [
    getattr(carom, name) for name in carom.__all__ if inspect.isroutine(getattr(carom, name))
]
CLASSES = [getattr(carom, name) for name in carom.__all__ if inspect.isclass(getattr(carom, name))]
METHODS = [
    carom.Polygons.from_ragged,
    carom.Polygons.from_shapely,
    carom.Polygons.from_arrow,
    carom.Polygons.to_shapely,
]
DOCUMENTED = [*FUNCTIONS, carom.Polygons, *METHODS]
BATCH = "*, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"


def name(thing):
    return thing.__name__


@pytest.mark.parametrize("thing", DOCUMENTED, ids=name)
def test_docstrings_have_the_sections_of_numpydoc(thing):
    text = FunctionDoc(thing)
    assert text["Summary"][0].endswith(".")
    assert text["Raises"]
    documented = [part for parameter in text["Parameters"] for part in parameter.name.split(", ")]
    parameters = [name for name in inspect.signature(thing).parameters if name != "self"]
    assert documented == parameters
    assert all(parameter.desc for parameter in text["Parameters"] + text["Raises"])
    if thing is not carom.Polygons:
        assert text["Returns"][0].desc
    if thing is not carom.Polygons.from_ragged:
        assert text["Examples"]


@pytest.mark.parametrize("thing", FUNCTIONS, ids=name)
def test_every_name_that_is_referred_to_exists(thing):
    for references, _ in FunctionDoc(thing)["See Also"]:
        for reference, _ in references:
            assert hasattr(carom, reference)


@pytest.mark.parametrize("thing", [carom, *DOCUMENTED], ids=name)
def test_examples_give_what_they_say(thing):
    with np.printoptions(legacy="1.25" if np.__version__ < "2" else False):
        for example in doctest.DocTestFinder(recurse=False).find(thing, globs={}):
            outcome = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(example)
            assert outcome.failed == 0


@pytest.mark.parametrize("function", FUNCTIONS, ids=name)
def test_signatures_are_those_of_the_contract(function):
    signature = str(inspect.signature(function))
    twin = getattr(carom, f"{function.__name__}_batch", None)
    if twin:
        assert str(inspect.signature(twin)) == f"{signature[:-1]}, {BATCH}"


@pytest.mark.parametrize("result", CLASSES, ids=name)
def test_every_attribute_of_a_class_is_documented(result):
    assert inspect.getdoc(result)
    for attribute, value in vars(result).items():
        if not attribute.startswith("_"):
            assert inspect.getdoc(value), attribute


def test_all_public_names_are_there_and_sorted():
    public = [name for name in vars(carom) if not name.startswith("_")]
    modules = {module.name for module in pkgutil.iter_modules(carom.__path__)}
    assert set(public) - modules == set(carom.__all__) - {"__version__"}

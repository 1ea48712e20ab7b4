"""Docstrings, as `help()` shows them: complete, correct, and executed."""

import ast
import doctest
import inspect
import pkgutil
from pathlib import Path

import carom
import numpy as np
import pytest
from numpydoc.docscrape import ClassDoc, FunctionDoc

FUNCTIONS = [
    getattr(carom, name) for name in carom.__all__ if inspect.isroutine(getattr(carom, name))
]
CLASSES = [getattr(carom, name) for name in carom.__all__ if inspect.isclass(getattr(carom, name))]
PUBLIC = [name for name in vars(carom.Shapes) if not name.startswith("_")]
METHODS = [getattr(carom.Shapes, name) for name in PUBLIC if callable(getattr(carom.Shapes, name))]
ATTRIBUTES = [name for name in PUBLIC if not callable(getattr(carom.Shapes, name))]
DOCUMENTED = [*FUNCTIONS, carom.Shapes, *METHODS]
BATCH = "pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"


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
    if thing is not carom.Shapes:
        assert text["Returns"][0].desc
    if thing is not carom.Shapes.from_ragged:
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


def test_examples_of_attributes_give_what_they_say():
    shown = 0
    for attribute in ATTRIBUTES:
        text = inspect.getdoc(getattr(carom.Shapes, attribute))
        example = doctest.DocTestParser().get_doctest(text, {}, attribute, None, None)
        outcome = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(example)
        assert outcome.failed == 0
        shown += bool(example.examples)
    assert shown >= 5


TWINS = [it for it in FUNCTIONS if hasattr(carom, f"{it.__name__}_batch")]
WITHOUT_FIELDS = (carom.contact_intervals_batch,)


@pytest.mark.parametrize("function", TWINS, ids=name)
def test_a_twin_adds_the_keywords_of_batches_to_the_signature(function):
    signature = str(inspect.signature(function))
    twin = getattr(carom, f"{function.__name__}_batch")
    own = signature[:-1] if "*" in signature else f"{signature[:-1]}, *"
    batch = BATCH.replace("fields=None, out=None, ", "") if twin in WITHOUT_FIELDS else BATCH
    assert str(inspect.signature(twin)) == f"{own}, {batch}"


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


# The fields of results: declared in Rust, described in the docstring, and typed in the stub.

RESULTS = [getattr(carom, name) for name in carom.__all__ if name.endswith("Result")]
STUB = ast.parse((Path(carom.__file__).parent / "_core.pyi").read_text())
SCALAR_TYPES = {
    "bool": "bool",
    "float": "float",
    "int": "int",
    "ndarray of float64, shape (2,)": "_Floats",
    "ndarray of float64, shape (2, 2)": "_Floats",
    "str or None": "Literal['vertex', 'edge'] | None",
}
BATCH_TYPES = {
    "ndarray of bool, shape (...)": "_Bools",
    "ndarray of bool, shape (M,)": "_Bools",
    "ndarray of float64, shape (...)": "_Floats",
    "ndarray of float64, shape (..., 2)": "_Floats",
    "ndarray of float64, shape (..., 2, 2)": "_Floats",
    "ndarray of int64, shape (...)": "_Integers",
    "ndarray of int8, shape (...)": "NDArray[np.int8]",
    "tuple of int": "tuple[int, ...]",
}


MASKS = {"valid": "_Bools", "valid_obstacles": "_Bools"}


def properties_of(name):
    """The properties of a class in the stub, with their types, in order."""
    [stub] = [node for node in STUB.body if getattr(node, "name", "") == name]
    assert isinstance(stub, ast.ClassDef)
    return {
        node.name: ast.unparse(node.returns)
        for node in stub.body
        if isinstance(node, ast.FunctionDef)
        and node.returns
        and any(
            isinstance(each, ast.Name) and each.id == "property" for each in node.decorator_list
        )
    }


# The fields that a result tells of only where it has them.
OPTIONAL = ("part", "at")


def blank(result):
    """A result of this class without values."""
    documented = ClassDoc(result)["Attributes"]
    if not result.__name__.endswith("BatchResult"):
        return result._make([None] * len(documented))
    masks = [part for part in documented if part.name in MASKS]
    fields = [part for part in documented if part.name not in MASKS and part.type != "tuple of int"]
    return result._make((0,), [None] * len(fields), *[None] * len(masks))


@pytest.mark.parametrize("result", RESULTS, ids=name)
def test_docstring_stub_and_dict_of_a_result_have_the_same_fields(result):
    is_batch = result.__name__.endswith("BatchResult")
    types = BATCH_TYPES if is_batch else SCALAR_TYPES
    documented = {part.name: types[part.type] for part in ClassDoc(result)["Attributes"]}
    typed = properties_of(result.__name__)
    assert documented == typed | (properties_of("_Batch") if is_batch else {})
    # The attributes of a batch result that are no fields: `shape` may be either.
    attributes = {**MASKS, "shape": "tuple[int, ...]"}.items() if is_batch else ()
    for names in (documented, typed):
        fields = [name for name, type_ in names.items() if (name, type_) not in attributes]
        told = [name for name in fields if name not in OPTIONAL]
        assert list(blank(result)._asdict()) == told
    properties = {name for name in vars(result) if not name.startswith("_")}
    assert properties - {"to_pandas"} == set(documented)

"""The names in annotations exist. Ruff finds undefined names, but doesn't check `module.name`."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILES = [*sorted(TESTS.rglob("*.py")), *sorted((TESTS.parent / "python").rglob("*.py"))]


def imported(tree: ast.Module) -> dict[str, str]:
    """The modules and names that a file imports, also for type checkers alone, as dotted paths."""
    paths: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                first = name.name.partition(".")[0]
                paths[name.asname or first] = name.name if name.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for name in node.names:
                paths[name.asname or name.name] = f"{node.module}.{name.name}"
    return paths


def annotations(tree: ast.Module) -> list[ast.expr]:
    """The annotations of a file."""
    found: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            found.append(node.annotation)
    return [annotation for annotation in found if annotation is not None]


def dotted(node: ast.expr) -> str:
    """`module.name` as written; empty if the expression is not a dotted name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (before := dotted(node.value)):
        return f"{before}.{node.attr}"
    return ""


def unknown(text: str) -> list[str]:
    """The dotted names in a file's annotations that its imports don't have."""
    tree = ast.parse(text)
    paths = imported(tree)
    missing = []
    for annotation in annotations(tree):
        for node in ast.walk(annotation):
            first, _, rest = dotted(node).partition(".") if isinstance(node, ast.expr) else [""] * 3
            if rest and first in paths and not exists(f"{paths[first]}.{rest}"):
                missing.append(f"{first}.{rest}")
    return missing


def exists(path: str) -> bool:
    """Whether a dotted path exists; True if the module isn't installed."""
    try:
        pkgutil.resolve_name(path)
    except AttributeError:
        return False
    except ImportError:
        module, _, _ = path.partition(".")
        try:
            importlib.import_module(module)
        except ImportError:
            return True
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(TESTS.parent)))
def test_annotations_name_what_there_is(file: Path) -> None:
    assert unknown(file.read_text(encoding="utf-8")) == []


IMPORTS = "import carom\nimport numpy as np\nfrom carom import plot\nimport no_such_library\n"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("def f(a: carom.Sat) -> carom.SatResult: ...", ["carom.Sat"]),
        ("def f() -> list[np.nothing] | None: ...", ["np.nothing"]),
        ("x: plot.polygon = carom.Nothing", ["plot.polygon"]),
        ("class A:\n    x: dict[str, carom.plot.Nothing]", ["carom.plot.Nothing"]),
        ("async def f(*a: np.float64, **b: no_such_library.Name) -> np.ndarray[int]: ...", []),
    ],
)
def test_a_name_that_there_isnt_is_noticed(text: str, missing: list[str]) -> None:
    assert unknown(IMPORTS + text) == missing

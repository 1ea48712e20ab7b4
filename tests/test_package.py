"""What the package and its subpackages show: `dir`, `help`, and what is imported when needed."""

from __future__ import annotations

import inspect
import pydoc
import re
import subprocess
import sys
from types import ModuleType

import carom
import carom.plot
import pytest

SUBPACKAGES = ("compat", "dask", "interop", "plot")


def run(code: str) -> str:
    """What a new interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.strip()


def table() -> list[tuple[str, str]]:
    """The names of each line of the package's table, and what is said about them."""
    lines = re.findall(r"^    (\w+(?:, \w+)*)  +(\S.*)$", carom.__doc__ or "", re.MULTILINE)
    return [(names, text) for names, text in lines]


def test_help_begins_with_a_table_of_all_functions_each_once() -> None:
    listed = [name for names, _ in table() for name in names.split(", ")]
    functions = {name for name in carom.__all__ if inspect.isroutine(getattr(carom, name))}
    assert sorted(listed) == sorted(functions | {"Shapes", "Trajectories", *SUBPACKAGES})
    assert all(len(text) > 10 for _, text in table())
    page = pydoc.plain(pydoc.render_doc(carom))
    assert page.index("intersects, intersects_batch") < page.index("PACKAGE CONTENTS")


def test_a_batch_twin_stands_beside_its_function() -> None:
    for names, _ in table():
        one, *twin = names.split(", ")
        assert twin == ([f"{one}_batch"] if f"{one}_batch" in carom.__all__ else [])


def test_dir_has_all_public_names_and_the_subpackages() -> None:
    assert {*carom.__all__, *SUBPACKAGES} <= set(dir(carom))
    for name in SUBPACKAGES:
        assert isinstance(getattr(carom, name), ModuleType)
    with pytest.raises(AttributeError, match="no attribute 'plots'"):
        _ = carom.plots  # type: ignore[attr-defined]


def test_subpackages_and_their_libraries_are_imported_when_asked_for() -> None:
    code = (
        "import sys, carom; dir(carom); "
        "print({'matplotlib', 'dask', 'pandas', 'shapely', 'carom.plot'} & set(sys.modules)); "
        "print(carom.plot.sat.__name__, carom.interop.__name__, carom.compat.__name__)"
    )
    assert run(code).splitlines() == ["set()", "sat carom.interop carom.compat"]


def test_subpackages_of_interop_are_reached_from_carom_alone() -> None:
    code = (
        "import sys, carom; dir(carom.interop)\n"
        "print({'geopandas', 'pandas', 'shapely'} & set(sys.modules))\n"
        "print(carom.interop.geopandas.sjoin.__name__, carom.interop.logs.Log.__name__)\n"
        "print({'geopandas', 'logs'} <= set(dir(carom.interop)))\n"
    )
    assert run(code).splitlines() == ["set()", "sjoin Log", "True"]
    with pytest.raises(AttributeError, match=r"'carom\.interop' has no attribute 'geopanda'"):
        _ = carom.interop.geopanda  # type: ignore[attr-defined]


def without(library: str) -> str:
    """The beginning of a program for which a library is not installed."""
    return (
        "import importlib.util, pydoc, sys\n"
        "class Without:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] == {library!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Without())\n"
        "find = importlib.util.find_spec\n"
        f"importlib.util.find_spec = lambda name: None if name == {library!r} else find(name)\n"
        "import carom\n"
    )


def test_without_geopandas_its_subpackage_says_what_it_needs() -> None:
    code = without("geopandas") + (
        "print('geopandas' in dir(carom.interop))\n"
        "try:\n"
        "    carom.interop.geopandas\n"
        "except ImportError as why:\n"
        "    print(why)\n"
        "try:\n"
        "    from carom.interop import geopandas\n"
        "except ImportError as why:\n"
        "    print(why)\n"
    )
    told = "carom.interop.geopandas needs geopandas; pip install 'carom[geo]'"
    assert run(code).splitlines() == ["False", told, told]


def test_without_matplotlib_plot_says_what_it_needs_and_help_works() -> None:
    code = without("matplotlib") + (
        "print('plot' in dir(carom), len(pydoc.render_doc(carom)) > 1000)\n"
        "try:\n"
        "    carom.plot\n"
        "except ImportError as why:\n"
        "    print(why)\n"
    )
    assert run(code).splitlines() == [
        "False True",
        "carom.plot needs matplotlib; pip install 'carom[plot]'",
    ]


def test_dir_of_plot_has_the_public_functions_alone() -> None:
    shown = [name for name in dir(carom.plot) if not name.startswith("__")]
    assert shown == sorted(carom.plot.__all__)

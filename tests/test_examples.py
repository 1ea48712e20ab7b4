"""The notebooks run from top to bottom, and are kept without their outputs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpec
from nbclient import NotebookClient

EXAMPLES = sorted((Path(__file__).parent.parent / "python" / "examples").glob("*.ipynb"))
COMMAND = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
WIDEST = 110  # characters of a line of prose
LINK = re.compile(r"\]\(([^):]+)\)")


class ThisPython(KernelManager):
    """Starts the Python that runs the tests, rather than a registered kernel."""

    @property
    def kernel_spec(self) -> KernelSpec:
        return KernelSpec(argv=COMMAND, display_name="Python 3", language="python")


def name(path: Path) -> str:
    return path.stem


# Jupyter raises deprecation warnings of its own, and leaves sockets unclosed.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "default")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(
        notebook, timeout=300, resources=folder, kernel_manager_class=ThisPython
    )
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any(output.output_type != "error" for output in outputs)
    warned = [
        output.text
        for output in outputs
        if output.get("name") == "stderr" and "Warning" in output.text
    ]
    assert not warned


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_notebook_is_stripped(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_notebook_has_short_lines_and_a_title(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert notebook.cells[0].source.startswith("# ")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            assert all(len(line) <= WIDEST for line in cell.source.splitlines())


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    for target in LINK.findall("".join(prose)):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_there_are_notebooks() -> None:
    assert [path.stem[:2] for path in EXAMPLES] == [f"{k}_" for k in range(1, 10)]

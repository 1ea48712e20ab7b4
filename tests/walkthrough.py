"""Follows the README in an empty environment with a wheel, and checks the wheel's golden bits.

`python tests/walkthrough.py WHEEL` installs the wheel with its extra `plot`, and runs the README's
examples, the demo, each command on a file, and the first notebook if it is there. Then it runs
`test_instructions.py`, which compares the bits of all results on every instruction set, and with
the extra `geo` the tutorial.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
TUTORIAL = ROOT / "python" / "docs" / "tutorial.md"
GOLDEN = ROOT / "tests" / "test_instructions.py"
SQUARES = [[[[x, 0], [x + 2, 0], [x + 2, 2], [x, 2], [x, 0]]] for x in (0, 2, 5)]


def main(wheel: Path) -> None:
    """Runs all steps; a step that fails raises."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        venv.create(home / "venv", with_pip=True)
        scripts = home / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        python = scripts / "python"
        run(home, python, "-m", "pip", "install", "--quiet", f"carom[plot] @ {wheel.as_uri()}")
        run(home, python, "-m", "doctest", "-o", "ELLIPSIS", ROOT / "README.md")
        demo(home, python)
        commands(home, scripts / "carom")
        for notebook in sorted((ROOT / "python" / "examples").glob("1*.ipynb")):
            run(home, python, "-m", "pip", "install", "--quiet", "nbclient", "ipykernel")
            run(home, scripts / "jupyter-execute", notebook)
        run(home, python, "-m", "pip", "install", "--quiet", "pytest", "hypothesis")
        run(home, python, "-m", "pytest", "-p", "no:cacheprovider", GOLDEN)
        run(home, python, "-m", "pip", "install", "--quiet", f"{wheel}[geo,plot]")
        run(home, python, "-m", "doctest", "-o", "ELLIPSIS", TUTORIAL)
    print("The walkthrough is done.")


def demo(home: Path, python: Path) -> None:
    """The demo prints contacts and draws one."""
    assert "pairs touch." in run(home, python, "-m", "carom", "demo")
    assert home.joinpath("carom-demo.png").read_bytes().startswith(b"\x89PNG")


def commands(home: Path, carom: Path) -> None:
    """Each of the other commands prints its result."""
    shape = {"type": "MultiPolygon", "coordinates": SQUARES[::2]}
    parts = [{"type": "Polygon", "coordinates": part} for part in SQUARES]
    features = [{"type": "Feature", "properties": {}, "geometry": it} for it in [*parts, shape]]
    file = home / "squares.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    assert run(home, carom, "check", file) == ""
    assert run(home, carom, "pairs", file).split() == ["a,b", "0,1", "0,3", "1,3", "2,3"]
    assert "instructions" in run(home, carom, "info")
    assert "sat" in run(home, carom, "bench", "--pairs", "1000")


def run(home: Path, *command: str | Path) -> str:
    """Runs a command in the empty folder, and returns what it prints."""
    print("$", *command)
    done = subprocess.run([*command], cwd=home, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(done.stdout)
    done.check_returncode()
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())

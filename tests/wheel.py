"""Checks that the wheels in a folder install and work on every Python of this machine.

`python tests/wheel.py FOLDER` makes an empty environment for each interpreter that it finds and
that a wheel is for. At least one must exist.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MINORS = range(11, 16)
OLDEST = (3, 11)
QUESTION = """
import carom
square = [(0, 0), (1, 0), (1, 1), (0, 1)]
assert carom.intersects(square, carom.place(square, (1, 1, 0)))
assert not carom.intersects(square, carom.place(square, (2, 1, 0)))
"""
ABOUT = """
import sys, sysconfig
print(*sys.version_info[:2], sysconfig.get_config_var("Py_GIL_DISABLED") or 0)
"""


def main(folder: Path) -> int:
    """Tries every interpreter, and returns the exit status."""
    wheels = sorted(folder.glob("carom-*.whl"))
    tried = 0
    for python in interpreters():
        wheel = wheel_for(python, wheels)
        if wheel is None:
            continue
        answers(python, wheel)
        tried += 1
        print(f"{wheel.name}: {python}")
    print(f"{tried} interpreters" if tried else f"{folder}: no wheel for any interpreter here")
    return 0 if tried else 1


def interpreters() -> list[str]:
    """Returns one interpreter of each version: this one, those on the path, those of pyenv."""
    names = [f"python3.{minor}{kind}" for minor in MINORS for kind in ("", "t")]
    homes = Path.home().joinpath(".pyenv", "versions").glob("3.*/bin")
    found = [sys.executable, *(shutil.which(name) for name in names)]
    found += [str(home / name) for home in sorted(homes) for name in names]
    versions = {about(path): path for path in reversed(found) if path}
    return [path for version, path in sorted(versions.items()) if version]


def about(python: str) -> tuple[int, ...]:
    """Returns an interpreter's version, with a 1 at the end if it is free-threaded.

    Empty if it doesn't run: pyenv has names for versions that aren't chosen.
    """
    try:
        done = subprocess.run([python, "-c", ABOUT], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ()
    return tuple(map(int, done.stdout.split()))


def wheel_for(python: str, wheels: list[Path]) -> Path | None:
    """Returns the wheel that is for an interpreter."""
    major, minor, is_free_threaded = about(python)
    tag = f"cp{major}{minor}-cp{major}{minor}t" if is_free_threaded else r"cp311-abi3"
    fitting = [wheel for wheel in wheels if re.search(f"-{tag}-", wheel.name)]
    return fitting[0] if fitting and (major, minor) >= OLDEST else None


def answers(python: str, wheel: Path) -> None:
    """Installs a wheel into an empty environment, and asks something."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        scripts = Path(folder, "Scripts" if sys.platform == "win32" else "bin")
        pip = [scripts / "python", "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "--disable-pip-version-check", wheel], check=True)
        subprocess.run([scripts / "python", "-I", "-W", "error", "-c", QUESTION], check=True)
        subprocess.run([scripts / "carom", "--version"], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

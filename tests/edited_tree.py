"""A copy of the tree in which a few characters are changed, built and tested."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROFILE = "mutants"
"""Not optimised: a change costs seconds to build, not minutes."""

STACK = str(64 << 20)
"""Generators of cases need more than the default when they are not optimised."""


class EditedTree:
    """The tracked files, copied below a folder, by default ``target/edited``."""

    def __init__(self, place: Path = ROOT / "target" / "edited") -> None:
        self.path = place / "tree"
        self.environment = {
            **os.environ,
            "CARGO_TARGET_DIR": str(place / "target"),
            "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1",
            "PROPTEST_MAX_SHRINK_ITERS": "0",
            "PYO3_PYTHON": sys.executable,
            "PYTHONPATH": str(self.path / "python"),
            "RUST_MIN_STACK": STACK,
        }
        self.tests = ""
        shutil.rmtree(self.path, ignore_errors=True)
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
        )
        for name in listed.stdout.splitlines():
            copy = self.path / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            # Without its date, which may be before that of an edited file that was built.
            shutil.copyfile(ROOT / name, copy)

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)

    def restore(self, name: str) -> None:
        shutil.copyfile(ROOT / name, self.path / name)

    def run(self, *command: str, seconds: float = 900) -> bool:
        """Whether a command succeeds; one that takes too long does not."""
        try:
            return not subprocess.run(
                command,
                cwd=self.path,
                env=self.environment,
                check=False,
                timeout=seconds,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ).returncode
        except subprocess.TimeoutExpired:
            return False

    def build(self) -> bool:
        """Builds the tests of the core."""
        messages = self.cargo("test", "--test", "core", "--no-run")
        self.tests = next((it["executable"] for it in messages if it.get("executable")), "")
        return bool(self.tests)

    def errors(self) -> list[dict[str, Any]]:
        """The compiler's errors in the library."""
        messages = self.cargo("check", "--features", "python", "--lib")
        found = [it.get("message", {}) for it in messages]
        return [it for it in found if it.get("level") == "error"]

    def cargo(self, command: str, *options: str) -> list[dict[str, Any]]:
        """The messages of a command of cargo."""
        printed = subprocess.run(
            ["cargo", command, "--profile", PROFILE, "--message-format", "json", *options],
            cwd=self.path,
            env=self.environment,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        return [json.loads(line) for line in printed.stdout.splitlines()]

    def core(self, *names: str, seconds: float = 900) -> bool:
        """Whether the tests of the core pass, or these; the first failure ends the run."""
        options = ["-Z", "unstable-options", "--fail-fast", *(["--exact"] if names else [])]
        # `--fail-fast` is not stable yet.
        allowed = ["env", "RUSTC_BOOTSTRAP=1"]
        return self.run(*allowed, self.tests, *options, *names, seconds=seconds)

    def extend(self, profile: str = PROFILE) -> bool:
        """Builds the extension, for tests in Python."""
        built = self.run("cargo", "build", "--profile", profile, "--features", "python", "--lib")
        if built:
            target = Path(self.environment["CARGO_TARGET_DIR"])
            extension = self.path / "python" / "carom" / "_core.abi3.so"
            extension.unlink(missing_ok=True)
            shutil.copyfile(target / profile / "libcarom.so", extension)
        return built

    def pytest(self, *arguments: str, seconds: float = 900) -> bool:
        """Whether tests in Python pass."""
        options = ["-x", "-q", "-p", "no:cacheprovider"]
        return self.run(sys.executable, "-m", "pytest", *options, *arguments, seconds=seconds)

"""Settings of all tests."""

import signal
import sys
from collections.abc import Iterator

import pytest

# A shell makes background processes ignore interrupts, and the tests of interrupts would fail.
signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW = {
    "test_accuracy",
    "test_command_line",
    "test_compat",
    "test_dask",
    "test_demo",
    "test_demo_counties",
    "test_docs",
    "test_examples",
    "test_hard_cases",
    "test_load",
    "test_oracle",
    "test_oracle_areas",
    "test_oracle_turning",
    "test_plot",
    "test_readme",
    "test_reference",
    "test_sjoin",
    "test_threads",
}
"""Files that `make quick` leaves out, besides the tests that take more than about a second: of
commands, demos, pages, notebooks and Dask, and of the tests' own oracle, which an edit in `src`
rarely breaks alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks all tests of the slow files."""
    for item in items:
        if item.path.stem in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    """Closes what a test drew: matplotlib warns of many open figures."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")

"""A sample of the hard cases; ``make hard`` runs 100,000 of each kind."""

from __future__ import annotations

import pytest

import hard_cases

CASES = {"convex": 1000, "general": 1000, "turning": 300, "predicates": 1000}


@pytest.mark.parametrize("target", hard_cases.TARGETS)
def test_a_sample_of_hard_cases_is_answered_exactly(target: str) -> None:
    tally = hard_cases.Tally()
    for outcome in hard_cases.run(
        CASES[target], seed=1, queries=list(hard_cases.TARGETS[target]), target=target
    ):
        assert outcome.failure is None, outcome.failure
        tally.add(outcome)
    for column in hard_cases.INSISTS_ON[target]:
        assert tally.share(column) > hard_cases.LEAST_SHARE, column

"""A sample of the hard cases; ``make hard`` runs 100,000 of each kind."""

from __future__ import annotations

import pytest

import hard

CASES = {"convex": 1000, "general": 1000, "turning": 300}


@pytest.mark.parametrize("target", hard.TARGETS)
def test_a_sample_of_hard_cases_is_answered_exactly(target: str) -> None:
    tally = hard.Tally()
    for outcome in hard.run(CASES[target], seed=1, nouns=list(hard.TARGETS[target]), target=target):
        assert outcome.failure is None, outcome.failure
        tally.add(outcome)
    for column in hard.INSISTS_ON[target]:
        assert tally.share(column) > hard.LEAST_SHARE, column

"""A sample of the hard cases; ``make hard`` runs a hundred thousand."""

from __future__ import annotations

import pytest

import hard


@pytest.mark.parametrize("noun", hard.NOUNS)
def test_a_sample_of_hard_cases_is_answered_exactly(noun: str) -> None:
    tally = hard.Tally()
    for outcome in hard.run(300, seed=1, nouns=[noun]):
        assert outcome.failure is None, outcome.failure
        tally.add(outcome)
    assert tally.share > hard.LEAST_SHARE

"""Stored texts in words for people: each pattern matches what the code writes into files today."""

from __future__ import annotations

import pytest

from peloarena.tournament.ranking import HARDLY_PLAYED
from peloarena.tournament.ratings import GameResult
from peloarena.tournament.ratings.bradley_terry import rate
from peloarena.tournament.secret import SECRET_NOT_DRAWN_TEXT
from peloarena.tournament.wording import for_people


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (HARDLY_PLAYED, "too few games"),
        ("the house's", "built in"),
        ("b: benched after round 1: 4 verdicts in a row", "b: benched after round 1: 4 faults in a row"),
        ("cee: place 4, of 2 entries of theirs", "cee: rank 4, the best of this author's 2 entries"),
        ("cee: place 1, of 3 bots in it", "cee: rank 1, the best of 3 bots in this language"),
        ("cee: place 2, from round 3 on", "cee: rank 2, plays from round 3 on"),
        (SECRET_NOT_DRAWN_TEXT, "the deals are not drawn yet"),
        ("deals by a secret with SHA-256 ab", "fair deals, fixed before the start by a secret with SHA-256 ab"),
        ("a bot called hardly played", "a bot called hardly played"),
    ],
)
def test_stored_text_is_shown_in_words_for_people(stored: str, shown: str) -> None:
    assert for_people(stored) == shown


def test_warning_of_one_sided_results_says_that_the_gap_is_a_guess() -> None:
    warning, *_ = rate([GameResult("g", ("ada", "bob"), (1, 2), "d")], prior=2).warnings
    assert for_people(warning) == "one side won everything between [ada] / [bob]: the gap in rating is a guess"

"""Whether a bot knows the deck in the second seating of a deal: the beast keeps_notes_in_usr in a real tournament.

bench/notebook.py plays it for longer and prints the figures.
"""

from pathlib import Path

import pytest
from notebook import play_tournament
from promises import SANDBOX, untried

from peloarena.referee.sandbox.isolation import prepare

BEAST = "keeps_notes_in_usr"


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "there is none")


def test_no_call_tells_a_beast_what_it_saw_in_the_first_seating(tmp_path: Path) -> None:
    found = play_tournament(tmp_path, BEAST, "calls", "deals = 2\n")
    assert (found.deals, found.played_again, found.recognised, found.bits) == (2, 2, 0, 0.0)


def test_where_strangers_submit_a_beast_meets_no_deal_that_it_has_notes_of(tmp_path: Path) -> None:
    """Reads and a clock tell what was noted, and nothing can keep them from it: so every deal is played once."""
    found = play_tournament(tmp_path, BEAST, "clock", 'deals = 3\nentries = "tokens"\n')
    assert (found.deals, found.played_again, found.recognised, found.bits) == (3, 0, 0, 0.0)

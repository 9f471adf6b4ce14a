"""How long a night takes: by what bots needed in their trials, not by what some bot might need."""

from __future__ import annotations

import pytest
from made_up import night_of

from peloarena.tournament.pace import ANSWERS, REFEREE_SECONDS, SLOW, BotPace, duration_of

QUICK = BotPace(start=0.1, seconds=0.004)
ONE_AT_A_TIME = night_of("ab", deals=20, restart="never").config


def test_bots_that_were_tried_are_taken_as_quick_as_they_were() -> None:
    """It announced 2.1 hours for what took 11 minutes: 20 ms an answer, whatever the bots are."""
    found = duration_of(ONE_AT_A_TIME, 40, [QUICK, QUICK], places=1)
    assert found.likely == pytest.approx((40 * (2 * 0.004 + REFEREE_SECONDS),) * 2)
    assert found.measured == "as fast as in the trial games"
    assert found.likely[0] < 40 * 2 * ANSWERS * SLOW / 20


def test_bots_of_a_process_for_each_game_start_each_time() -> None:
    each = night_of("ab", deals=20, restart="game").config
    found = duration_of(each, 40, [QUICK, BotPace(start=0.3, seconds=0.004)], places=1)
    assert found.likely[0] == pytest.approx(40 * (2 * (0.2 + 0.004) + REFEREE_SECONDS))


def test_night_that_has_begun_goes_by_its_own_games() -> None:
    found = duration_of(ONE_AT_A_TIME, 10, [QUICK], between=0.5)
    assert (found.likely, found.measured) == ((5.0, 5.0), "as fast as this tournament so far")

"""How long a tournament takes: by what bots needed in their trials, not by what some bot might need."""

from __future__ import annotations

import pytest
from made_up import tournament_of

from peloarena.tournament.pace import ANSWERS_PER_SEAT, REFEREE_SECONDS, SLOW_ANSWER_SECONDS, BotPace, estimate_duration

QUICK = BotPace(start=0.1, seconds=0.004)
ONE_AT_A_TIME = tournament_of("ab", deals=20, restart="never").config


def test_bots_that_were_tried_are_taken_as_quick_as_they_were() -> None:
    """It announced 2.1 hours for what took 11 minutes: 20 ms an answer, whatever the bots are."""
    found = estimate_duration(ONE_AT_A_TIME, 40, [QUICK, QUICK], slots=1)
    assert found.likely == pytest.approx((40 * (2 * 0.004 + REFEREE_SECONDS),) * 2)
    assert found.measured == "as fast as in the trial games"
    assert found.likely[0] < 40 * 2 * ANSWERS_PER_SEAT * SLOW_ANSWER_SECONDS / 20


def test_bots_of_a_process_for_each_game_start_each_time() -> None:
    each = tournament_of("ab", deals=20, restart="game").config
    found = estimate_duration(each, 40, [QUICK, BotPace(start=0.3, seconds=0.004)], slots=1)
    assert found.likely[0] == pytest.approx(40 * (2 * (0.2 + 0.004) + REFEREE_SECONDS))


def test_tournament_that_has_begun_goes_by_its_own_games() -> None:
    found = estimate_duration(ONE_AT_A_TIME, 10, [QUICK], game_interval=0.5)
    assert (found.likely, found.measured) == ((5.0, 5.0), "as fast as this tournament so far")

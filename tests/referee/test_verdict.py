"""The rules of verdicts and outcomes, which the table and `verify` share: plain data in, plain data out."""

from __future__ import annotations

from typing import get_args

import pytest

from peloarena.game import Result
from peloarena.game.shapes import SeatResult
from peloarena.protocol.errors import Fault
from peloarena.referee.verdict import exit_text, is_decided, is_forgiven, outcome_of


def result_of(*ranks: int) -> Result:
    return Result(tuple(SeatResult(score=100 - rank, prestige=0, population=0, luxury=0, rank=rank) for rank in ranks))


@pytest.mark.parametrize("fault", get_args(Fault))
def test_only_late_and_illegal_answers_are_ever_forgiven(fault: Fault) -> None:
    assert is_forgiven(fault, so_far=0, allowed=1) == (fault in ("late", "illegal"))


def test_a_bot_is_forgiven_as_often_as_the_host_allows() -> None:
    assert [is_forgiven("late", so_far, allowed=2) for so_far in range(4)] == [True, True, False, False]
    assert not is_forgiven("late", so_far=0, allowed=0)


@pytest.mark.parametrize(
    ("out", "decided"),
    [
        ((False, False), False),
        ((True, False), True),
        ((True, True), True),
        ((False, True, False), False),
        ((False, True, True), True),
    ],
)
def test_a_game_of_several_is_decided_when_one_is_left_or_none(out: tuple[bool, ...], decided: bool) -> None:
    assert is_decided(out) == decided


def test_a_solo_game_is_decided_only_when_its_bot_is_out() -> None:
    assert not is_decided([False])
    assert is_decided([True])


def test_who_finished_ranks_by_the_rules() -> None:
    outcome = outcome_of(result_of(2, 1, 3), [None, None, None])
    assert (outcome.ranks, outcome.scores) == ((2, 1, 3), (98, 99, 97))
    assert outcome.finished


def test_who_is_out_ranks_behind_all_who_finished_whatever_the_caretaker_made_of_the_seat() -> None:
    outcome = outcome_of(result_of(1, 2, 3), [7, None, None])
    assert (outcome.ranks, outcome.scores, outcome.out) == ((3, 1, 2), (None, 98, 97), (True, False, False))


def test_the_later_out_the_higher_and_equal_questions_share_a_rank() -> None:
    assert outcome_of(None, [5, None, 9, 5]).ranks == (3, 1, 2, 3)


def test_a_game_without_an_end_has_no_scores() -> None:
    outcome = outcome_of(None, [None, 3])
    assert (outcome.ranks, outcome.scores, outcome.finished, outcome.result) == ((1, 2), (None, None), False, None)


def test_exit_texts_tell_signals() -> None:
    assert exit_text(None) == "it still runs"
    assert exit_text(-9) == "it was ended by signal 9"
    assert exit_text(3) == "its exit status was 3"
    assert exit_text(139) == "its exit status was 139, as after signal 11"

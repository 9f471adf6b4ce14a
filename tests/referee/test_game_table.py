"""The table's one door: a seat is asked, counted, checked and judged there, whoever plays the game."""

from __future__ import annotations

import pytest

from peloarena.game import make_options
from peloarena.protocol.messages import Decide
from peloarena.referee.game_table import GameTable
from peloarena.referee.inprocess import EmptySeat, InProcessPlayer
from peloarena.referee.job import GameJob, SeatJob
from peloarena.referee.player import Player, PlayerFailure, TimeSpent
from peloarena.referee.record import SeatInfo
from peloarena.referee.shapes import SeatAnswer
from peloarena.referee.verdict import Evidence

pytestmark = pytest.mark.trio


def first(decide: Decide) -> int:
    return 0


def wrong(decide: Decide) -> int:
    return len(decide.legal)


def late(decide: Decide) -> int:
    raise PlayerFailure("late", "no answer within 1.000 s", Evidence(), TimeSpent(1.0, 0.25))


async def table_of(*players: Player, faults: int = 0) -> GameTable:
    seats = tuple(SeatJob("", f"seat {number}") for number in range(len(players)))
    job = GameJob("game", make_options(len(players)), "friday-1", seats, faults=faults)
    table = GameTable(job, [SeatInfo(seat.name, "") for seat in seats], players)
    await table.begin()
    return table


async def answer(table: GameTable) -> SeatAnswer | None:
    assert table.game.decision is not None
    return await table.ask_seat(table.game.decision)


async def test_an_answer_is_a_legal_move_and_changes_nothing_by_itself() -> None:
    table = await table_of(*[InProcessPlayer(first) for _ in range(3)])
    decision = table.game.decision
    assert decision is not None
    answered = await answer(table)
    assert answered is not None
    assert answered.move == decision.legal[0]
    assert table.game.decision is decision, "whoever asked plays the move"
    assert table.chairs[decision.seat].decisions == 1


@pytest.mark.parametrize(("choose", "fault"), [(wrong, "illegal"), (late, "late")])
async def test_a_forgiven_fault_leaves_the_answer_to_the_caretaker(choose: object, fault: str) -> None:
    table = await table_of(*[InProcessPlayer(choose) for _ in range(3)], faults=1)  # type: ignore[arg-type]
    assert await answer(table) is None
    assert [(verdict.fault, verdict.forgiven) for verdict in table.verdicts] == [(fault, True)]
    assert not any(chair.is_out for chair in table.chairs)


async def test_a_seat_that_is_out_is_not_asked_again() -> None:
    table = await table_of(*[InProcessPlayer(wrong) for _ in range(3)])
    assert await answer(table) is None
    assert await answer(table) is None
    assert len(table.verdicts) == 1
    assert table.question == 2, "the question is counted, whoever answers it"


async def test_the_time_of_a_late_answer_is_counted_once() -> None:
    table = await table_of(*[InProcessPlayer(late) for _ in range(3)])
    await answer(table)
    stats = table.chairs[table.verdicts[0].seat].stats()
    assert (stats.decisions, stats.seconds, stats.cpu) == (1, 1.0, 0.25)


async def test_nobody_can_be_asked_in_an_empty_seat() -> None:
    table = await table_of(*[EmptySeat() for _ in range(3)])
    with pytest.raises(AssertionError, match="an empty seat cannot be asked"):
        await answer(table)

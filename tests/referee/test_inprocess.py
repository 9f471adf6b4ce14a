"""House players sit at a table like anyone else and need no process."""

import pytest

from peloarena.game import make_options
from peloarena.referee.game_table import GameTable
from peloarena.referee.inprocess import InProcessPlayer
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.record import SeatInfo
from peloarena.referee.record_verification import verify_record

pytestmark = pytest.mark.trio


async def play(*players: InProcessPlayer) -> GameReport:
    infos = [SeatInfo(f"house{number}", "") for number in range(len(players))]
    seats = tuple(SeatJob("", info.name) for info in infos)
    return await GameTable(GameJob("game", make_options(len(players)), "friday-1", seats), infos, players).play()


async def test_built_in_players_play_a_whole_game_that_verifies() -> None:
    report = await play(InProcessPlayer(lambda decide: 0), InProcessPlayer(lambda decide: len(decide.legal) - 1))
    assert report.verdicts == ()
    assert report.outcome.finished
    verify_record(report.record)


async def test_built_in_player_uses_no_time() -> None:
    report = await play(InProcessPlayer(lambda decide: 0), InProcessPlayer(lambda decide: 0))
    assert [stats.seconds for stats in report.stats] == [0.0, 0.0]
    assert all(stats.decisions > 5 for stats in report.stats)


async def test_built_in_player_that_chooses_wrongly_is_out() -> None:
    """Judged like a bot: a mistake of ours shows instead of spoiling a record."""
    report = await play(InProcessPlayer(lambda decide: -1), InProcessPlayer(lambda decide: 0))
    assert [(v.seat, v.fault) for v in report.verdicts] == [(0, "illegal")]

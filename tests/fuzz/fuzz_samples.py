"""Good records to damage: small games of built-in players, one with a verdict."""

import functools
import random

import trio

from peloarena.game import make_options
from peloarena.protocol.messages import Decide
from peloarena.referee.game_table import GameTable
from peloarena.referee.inprocess import InProcessPlayer
from peloarena.referee.job import GameJob, SeatJob
from peloarena.referee.player import PlayerFailure
from peloarena.referee.record import SeatInfo
from peloarena.referee.time_control import TimeControl
from peloarena.referee.verdict import Evidence


def player(seed: int, fails_at: int | None) -> InProcessPlayer:
    chance = random.Random(seed)

    def choose(decide: Decide) -> int:
        if decide.id == fails_at:
            raise PlayerFailure("late", "no answer within 1.000 s", Evidence(stderr="Traceback"))
        return chance.randrange(len(decide.legal))

    return InProcessPlayer(choose)


def played(players: int, modules: tuple[str, ...], fails_at: int | None = None) -> bytes:
    seats = tuple(SeatJob("", f"seat {number}") for number in range(players))
    infos = [SeatInfo(seat.name, "0" * 64) for seat in seats]
    job = GameJob("sample", make_options(players, modules), "sample", seats, TimeControl())
    table = GameTable(job, infos, [player(number, fails_at) for number in range(players)])
    return trio.run(table.play).record


@functools.cache
def records() -> tuple[bytes, ...]:
    return played(2, ()), played(3, ("hellas",), fails_at=9)

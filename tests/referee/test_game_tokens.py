"""What bots are told of a game besides the game: it follows from the record and tells nothing."""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path

from peloarena.game import make_options
from peloarena.protocol.messages import NewGame
from peloarena.referee.game_table import GameTable
from peloarena.referee.game_tokens import game_token, random_for_bot
from peloarena.referee.inprocess import InProcessPlayer
from peloarena.referee.job import GameJob, SeatJob
from peloarena.referee.record import SeatInfo

PAGE = (Path(__file__).parents[2] / "spec" / "RECORD.md").read_text()
ROW = re.compile(
    r"^\| `([^`]+)` \| (?:`([0-9a-f]{64})` )?\| (\d) \| (\d) \| `([0-9a-f]{16})` \| (\d+) \|$", re.MULTILINE
)


def test_table_of_the_page_holds_and_is_recomputed_without_our_code() -> None:
    rows = ROW.findall(PAGE)
    assert len(rows) == 5
    for seed, key, seat, seating, game, number in rows:
        drawn = f"{seed}\nrandom\n{seat}" + ("" if seating == "0" else f"\n{seating}")
        told = digest(f"{seed}\ngame\n{seat}\n{seating}", key)[:16]
        assert (told, int(digest(drawn, key)[:12], 16)) == (game, int(number))
        place = (seed, int(seat), int(seating), key)
        assert (game_token(*place), random_for_bot(*place)) == (game, int(number))


def digest(text: str, key: str) -> str:
    if not key:
        return hashlib.sha256(text.encode()).hexdigest()
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest()


def test_newgame_holds_neither_name_nor_seed_and_is_another_in_each_seat_and_seating() -> None:
    told = [message for seating in (0, 1) for message in newgames(seating)]
    assert len({message.game for message in told}) == len({message.random for message in told}) == 4
    assert not any("r03-2.5" in message.game or "drawn" in message.game for message in told)


def newgames(seating: int) -> list[NewGame]:
    seats = (SeatJob("", "a"), SeatJob("", "b"))
    job = GameJob("r03-2.5-d003-s1", make_options(2), "drawn", seats, seating=seating)
    table = GameTable(job, [SeatInfo(seat.name, "") for seat in seats], [InProcessPlayer(lambda _: 0) for _ in seats])
    return [table.make_newgame(chair) for chair in table.chairs]

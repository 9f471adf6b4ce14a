"""A game as it is sent to a node: it names bots by their hashes, not by paths on the host."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..game import encode
from ..referee.bots import find_bot
from ..referee.job import GameJob
from .parcels import place_of

SLACK_SECONDS = 300.0
MOST_ANSWERS = 300
"""Answers of a seat in a game; with all modules there are about 60."""


BotWords = tuple[str, str, str]
"""Version, author and language from its bot.toml."""


class OnItsWay(Struct, frozen=True):
    data: bytes
    deal: str
    bots: tuple[str, ...]
    """Their places, without those that forfeit."""
    words: tuple[BotWords, ...]
    """By seat; empty for those that forfeit."""
    most_seconds: float
    """No game takes longer: after that its node is given up."""

    @property
    def digests(self) -> tuple[str, ...]:
        return tuple(place_of(place)[0] for place in self.bots)


def on_its_way(job: GameJob, keeping: Path, words: tuple[BotWords, ...]) -> OnItsWay:
    """`keeping`: where the host stores the bots of the job."""
    seats = tuple(
        replace(seat, path="" if seat.forfeit else str(Path(seat.path).relative_to(keeping))) for seat in job.seats
    )
    bots = tuple(dict.fromkeys(seat.path for seat in seats if not seat.forfeit))
    deal = deal_of(job.seed, [seat.name for seat in seats])
    return OnItsWay(encode(replace(job, seats=seats)), deal, bots, words, most_seconds(job))


def words_of(job: GameJob) -> tuple[BotWords, ...]:
    """By seat, from the host's own snapshots; empty for those that forfeit."""
    return tuple(("", "", "") if seat.forfeit else _words_in(seat.path) for seat in job.seats)


@lru_cache(maxsize=1000)
def _words_in(path: str) -> BotWords:
    """A snapshot is named by its hash: it never changes."""
    bot = find_bot(Path(path))
    return bot.version, bot.author, bot.language


def deal_of(seed: str, names: Sequence[str]) -> str:
    """The same for all seatings of a table's deal."""
    return "\n".join([seed, *sorted(names)])


def most_seconds(job: GameJob) -> float:
    """The seconds of a game in which every bot uses all its time, with more answers than in any real game."""
    clock = job.clock
    return SLACK_SECONDS + len(job.seats) * (
        clock.startup + clock.bank + MOST_ANSWERS * (clock.increment + clock.grace)
    )

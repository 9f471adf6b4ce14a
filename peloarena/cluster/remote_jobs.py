"""A game as it is sent to a node: it names bots by their hashes, not by paths on the host."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..game import encode
from ..referee.bot_finder import find_bot
from ..referee.job import GameJob
from .bundles import parse_bot_path

SLACK_SECONDS = 300.0
MAX_ANSWERS = 300
"""Answers of a seat in a game; with all modules there are about 60."""


BotDescription = tuple[str, str, str]
"""Version, author and language from its bot.toml."""


class RemoteJob(Struct, frozen=True):
    data: bytes
    deal: str
    bot_paths: tuple[str, ...]
    """Without bots that forfeit."""
    bot_descriptions: tuple[BotDescription, ...]
    """By seat; empty for those that forfeit."""
    max_seconds: float
    """No game takes longer: after that its node is given up."""

    @property
    def digests(self) -> tuple[str, ...]:
        return tuple(parse_bot_path(path)[0] for path in self.bot_paths)


def make_remote_job(job: GameJob, snapshots: Path, bot_descriptions: tuple[BotDescription, ...]) -> RemoteJob:
    """`snapshots`: where the host stores the bots of the job."""
    seats = tuple(
        replace(seat, path="" if seat.forfeit else str(Path(seat.path).relative_to(snapshots))) for seat in job.seats
    )
    bots = tuple(dict.fromkeys(seat.path for seat in seats if not seat.forfeit))
    deal = deal_key(job.seed, [seat.name for seat in seats])
    return RemoteJob(encode(replace(job, seats=seats)), deal, bots, bot_descriptions, max_game_seconds(job))


def bot_descriptions_of(job: GameJob) -> tuple[BotDescription, ...]:
    """By seat, from the host's own snapshots; empty for those that forfeit."""
    return tuple(("", "", "") if seat.forfeit else _read_bot_description(seat.path) for seat in job.seats)


@lru_cache(maxsize=1000)
def _read_bot_description(path: str) -> BotDescription:
    """A snapshot is named by its hash: it never changes."""
    bot = find_bot(Path(path))
    return bot.version, bot.author, bot.language


def deal_key(seed: str, names: Sequence[str]) -> str:
    """The same for all seatings of a table's deal."""
    return "\n".join([seed, *sorted(names)])


def max_game_seconds(job: GameJob) -> float:
    """The seconds of a game in which every bot uses all its time, with more answers than in any real game."""
    clock = job.clock
    return SLACK_SECONDS + len(job.seats) * (clock.startup + clock.bank + MAX_ANSWERS * (clock.increment + clock.grace))

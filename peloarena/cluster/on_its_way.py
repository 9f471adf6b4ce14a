"""A game as it is sent to a node: its bots are named by their hashes, not by places of the host."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..game import encode
from ..referee.job import GameJob
from .parcels import place_of

SLACK_SECONDS = 300.0
MOST_ANSWERS = 300
"""Of a seat in a game; with all modules they are about 60."""


class OnItsWay(Struct, frozen=True):
    data: bytes
    deal: str
    bots: tuple[str, ...]
    """Their places, without those that forfeit."""
    most_seconds: float
    """No game takes longer: then its node is not heard out."""

    @property
    def digests(self) -> tuple[str, ...]:
        return tuple(place_of(place)[0] for place in self.bots)


def on_its_way(job: GameJob, keeping: Path) -> OnItsWay:
    """`keeping`: where the host keeps the bots of the job."""
    seats = tuple(
        replace(seat, path="" if seat.forfeit else str(Path(seat.path).relative_to(keeping))) for seat in job.seats
    )
    bots = tuple(dict.fromkeys(seat.path for seat in seats if not seat.forfeit))
    deal = deal_of(job.seed, [seat.name for seat in seats])
    return OnItsWay(encode(replace(job, seats=seats)), deal, bots, most_seconds(job))


def deal_of(seed: str, names: Sequence[str]) -> str:
    """The same for all seatings of a table's deal."""
    return "\n".join([seed, *sorted(names)])


def most_seconds(job: GameJob) -> float:
    """Of a game in which every bot uses all its time, and more than anybody was ever asked."""
    clock = job.clock
    return SLACK_SECONDS + len(job.seats) * (
        clock.startup + clock.bank + MOST_ANSWERS * (clock.increment + clock.grace)
    )

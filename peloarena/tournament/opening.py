"""The beginning of a night: what is the same night, what is a change, when the seed is drawn. And a night as begun.

`begin` brings a file and its bots into a store; `begun` reads out of a store alone what was begun there, so that a
page, a table or a web host needs no tournament file. Knows no terminal; plays nothing but the trials of the field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from .brackets import champion
from .config import Night, NightConfig, stored_config
from .field import Tell, check_field, field_changes, names_of_players, relocated, try_field
from .rows import BotRow, Damaged, GameRow, Order, VoidRow
from .schedule import Fixture, Plan, PlayedGame, fixtures, pair_results, plan_of, rounds_of, still_to_play, unplayed
from .seeds import random_seed
from .store import Store


class Begun(Struct, frozen=True):
    """A night as its store tells it at one moment: everything but the records."""

    text: str
    """The tournament file."""
    config: NightConfig
    bots: tuple[BotRow, ...]
    """In the order of the file, those left out as well."""
    plan: Plan
    games: tuple[GameRow, ...]
    """Finished ones, in the order of the schedule."""
    orders: tuple[Order, ...]
    voids: tuple[VoidRow, ...]

    def history(self, before: int | None = None) -> list[PlayedGame]:
        """Results of all rounds, or of those before one."""
        return [row.played_game for row in self.games if before is None or row.fixture.round < before]

    def missing(self) -> Iterator[Fixture]:
        """What is still to be played, as far as the pairings are known; may be millions, so look at the first."""
        return still_to_play(self.plan, self.history())

    def is_over(self) -> bool:
        return next(self.missing(), None) is None

    def is_round_over(self, number: int) -> bool:
        done = {row.fixture.game for row in self.games}
        return not unplayed(fixtures(self.plan, number, self.history(before=number)), done)

    def champion(self) -> str | None:
        """Of a knockout that is over."""
        if self.config.format != "knockout" or not self.is_over():
            return None
        return champion(self.plan.bots, rounds_of(self.plan), pair_results(self.history()))


def begun(store: Store) -> Begun:
    """ConfigError if no night was begun in it, or if it does not fit together."""
    text = store.meta("config")
    config = stored_config(text)
    bots, games = store.bots(), store.games()
    seats = 1 if config.format == "solo" else config.table
    for row in games:
        if len(row.fixture.seats) != seats:
            raise Damaged(f"{row.fixture.game!r} has {len(row.fixture.seats)} seats, its night {seats}")
    return Begun(
        text=text or "",
        config=config,
        bots=tuple(bots),
        plan=plan_of(config, names_of_players(bots), store.meta("seed") or config.seed),
        games=tuple(games),
        orders=tuple(store.orders()),
        voids=tuple(store.voids()),
    )


class Differences(Struct, frozen=True):
    """The night was begun otherwise, and nobody accepted that. Nothing was done."""

    changes: tuple[str, ...]


class Failures(Struct, frozen=True):
    """Bots that did not pass, where all had to. Nothing was begun."""

    bots: tuple[BotRow, ...]


async def begin(
    night: Night,
    found: Sequence[BotRow],
    store: Store,
    tell: Tell,
    *,
    accept: bool = False,
    all_must_pass: bool = False,
) -> Begun | Differences | Failures:
    """Begin a night with the field that was found for it, or go on with it: then nobody is tried again.

    `accept`: go on although the file or bots were changed; games that no longer fit are set aside when it is played.
    """
    changed = changes_since(night, found, store)
    if changed is None:
        store.set_night(relocated(store.bots(), found), {"seed": seed_of(night, store)})
        return begun(store)
    if changed and not accept:
        return Differences(changed)
    check_field(night, found)  # a wrong challenger is told at once, not after a trial of everybody
    rows = await try_field(night, found, tell)
    failed = tuple(row for row in rows if row.problem)
    if failed and all_must_pass:
        return Failures(failed)
    check_field(night, rows)
    with store.transaction():
        if changed:
            store.order("accept-changes", "", "; ".join(changed))
        meta = {"digest": night.digest, "config": night.text, "name": night.config.name, "seed": seed_of(night, store)}
        store.set_night(rows, meta)
    return begun(store)


def changes_since(night: Night, found: Sequence[BotRow], store: Store) -> tuple[str, ...] | None:
    """What was changed since the night began; empty if none was begun, None if it is the same.

    The same night: the same file, components included, and the same files of every bot, wherever they lie. Bots that
    were not found do not count, then or now.
    """
    before = store.bots()
    if not before:
        return ()
    changed = field_changes([row for row in before if row.digest], [row for row in found if row.digest])
    if store.meta("digest") != night.digest:
        changed.insert(0, "the tournament file was changed")
    return tuple(changed) or None


def seed_of(night: Night, store: Store) -> str:
    """As the file says, or drawn once and kept."""
    return night.config.seed or store.meta("seed") or random_seed()

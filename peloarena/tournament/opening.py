"""The beginning of a night: what is the same night, what is a change, when the secret is drawn. And a night as begun.

`begin` brings a file and its bots into a store; `begun` reads out of a store alone what was begun there, so that a
page, a table or a web host needs no tournament file. Knows no terminal; plays nothing but the trials of the field.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError
from ..referee.sandbox.isolation import prepare
from ..referee.sandbox.show import refuse_if_shown
from .changes import SECOND_NIGHT, Changes, changes_of
from .config import PAIRED_BY_RESULTS, Night, NightConfig, stored_config
from .course import rounds_begun
from .entries import BotVersion, Entry, Version, VersionState, newest_ready, playing_versions
from .entry_files import write_entry_files
from .field import Tell, check_field, kept_row, try_field
from .gate import Gate
from .handing_in import waiting
from .keeping import check_keeping, keeping_of
from .night_state import NightState
from .old_store import OldStore
from .places import NightTable, table_of_night
from .rounds import Fixture
from .rows import BotRow, Damaged, GameRow, Order, VoidRow
from .secret import deals_told, drawn_source, is_closed, source_of
from .store import Store
from .trying import try_version


class Begun(Struct, frozen=True):
    """A night as its store tells it at one moment: everything but the records."""

    text: str
    """The tournament file."""
    config: NightConfig
    state: NightState
    games: tuple[GameRow, ...]
    """Finished ones, in the order of the schedule."""
    orders: tuple[Order, ...]
    voids: tuple[VoidRow, ...]
    closed: bool
    """Nothing is played any more, so everything may be shown."""

    @property
    def bots(self) -> tuple[BotRow, ...]:
        """The version of each entry that plays, or why none does; in order of entry."""
        return tuple(bot_row(entry, self.state.versions) for entry in self.state.entries)

    def players(self) -> list[str]:
        return [bot.name for bot in self.bots if not bot.problem]

    def missing(self) -> list[Fixture]:
        """What is still to be played of the rounds that began."""
        return [fixture for round in self.state.rounds for fixture in self.state.missing(round)]

    def is_over(self) -> bool:
        return self.closed or self.state.is_over()

    def deals_told(self) -> str:
        """Where the deals come from; stands below every table."""
        return deals_told(self.config, self.state.source, Gate((), (), closed=self.closed).shows_secret())

    def table(self) -> NightTable:
        return table_of_night(self.state.place_facts(), self.games, self.config.prior)

    def champion(self) -> str | None:
        """Of a knockout that is over."""
        if self.config.format != "knockout" or not self.is_over() or not self.state.rounds:
            return None
        winner = self.state.cup().champion
        return None if winner is None else self.state.names[winner]


def bot_row(entry: Entry, versions: Sequence[Version]) -> BotRow:
    mine = [version for version in versions if version.entry == entry.number]
    playing = newest_ready(mine).get(entry.number)
    version = next((v for v in mine if v.edition == playing), mine[-1] if mine else Version(entry.number, 1, ""))
    problem = "\n".join(filter(None, [version.problem or "not tried yet", version.details]))
    return BotRow(
        name=entry.name,
        path=entry.path,
        digest=version.hash,
        version=version.version,
        author=entry.author,
        language=version.language,
        problem="" if version.state == "ready" else problem,
        house=entry.house,
    )


def begun(store: Store) -> Begun:
    """ConfigError if no night was begun in it, or if it does not fit together."""
    text = store.meta("config")
    config = stored_config(text)
    games = store.games()
    seats = 1 if config.format == "solo" else config.table
    for row in games:
        if len(row.fixture.seats) != seats:
            raise Damaged(f"{row.fixture.game!r} has {len(row.fixture.seats)} seats, its night {seats}")
    return Begun(
        text=text or "",
        config=config,
        state=state_of(store, config, games),
        games=tuple(games),
        orders=tuple(store.orders()),
        voids=tuple(store.voids()),
        closed=is_closed(store),
    )


def state_of(store: Store, config: NightConfig, games: Sequence[GameRow]) -> NightState:
    """ConfigError if its parts do not fit each other."""
    state = NightState(
        config,
        source_of(store, config),
        store.entries(),
        store.versions(),
        store.rounds(),
        [row.played_game for row in games],
        store.orders(),
        store.redraws(),
        scores_count=not isinstance(store, OldStore),  # there, ties went to the better seed
    )
    for round in state.rounds:
        seated = {number for table in round.tables for number in table}
        if not seated <= {row.entry for row in round.roster} or not seated <= state.names.keys():
            raise Damaged(f"round {round.number} has a table of nobody")
        if config.format in PAIRED_BY_RESULTS and any(len(set(table)) != 2 for table in round.tables):
            raise Damaged(f"round {round.number} has a table that is no match")
    return state


class Differences(Struct, frozen=True):
    """The file was changed, and nobody accepted that. Nothing was done."""

    changes: Changes
    keeps: int
    """Finished games, all of which stay."""
    plays: int
    """Games still to come, if all new versions pass."""


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
    """Begin a night with the field that was found for it, or go on with it: then only what is new is tried.

    `accept`: go on although the file or bots were changed. Whatever changes, no game that was played is lost.
    """
    refuse_if_shown(store.path, "the night's store")
    if not store.entries():
        return await _begin_anew(night, found, store, tell, all_must_pass)
    changes = changes_since(night, found, store)
    if changes.refused:
        raise ConfigError(f"{'; '.join(changes.refused)}: {SECOND_NIGHT}")
    if changes.said and not accept:
        return differences_of(night, changes, store)
    keeping = keeping_of(store.path)
    numbered = _numbered(changes, store.entries(), store.versions())
    tried = await try_field(night, numbered, drawn_source(store, night.config), keeping, tell)
    failed = tuple(row for row in tried if row.problem)
    if failed and all_must_pass:
        return Failures(failed)
    with store.transaction():
        _apply(changes, tried, store)
        _relocate(found, store)
        _set_night(night, store)
    write_entry_files(store, tried)
    if not store.rounds():
        failed = await _try_queued(night, store, tell)
        if failed and all_must_pass:
            return Failures(failed)
    keeping.tidy(store.versions())
    with prepare(night.config.sandbox) as isolation:
        check_keeping(keeping, store.entries(), playing_versions(store.versions()), isolation)
    return begun(store)


async def _try_queued(night: Night, store: Store, tell: Tell) -> tuple[BotRow, ...]:
    """Bots that were entered before the night: all are tried before its first round. Those that failed."""
    failed = []
    for version in waiting(store.versions()):
        await try_version(store, version)
        row = bot_row(next(e for e in store.entries() if e.number == version.entry), store.versions())
        tell(row)
        failed += [row] if row.problem else []
    check_field(night, [bot_row(entry, store.versions()) for entry in store.entries()])
    return tuple(failed)


def queue_field(night: Night, found: Sequence[BotRow], store: Store) -> None:
    """The file's bots are the first entries, also where another one is entered before the night."""
    with prepare(night.config.sandbox) as isolation:
        kept = [row if row.problem else kept_row(row, keeping_of(store.path), isolation) for row in found]
    with store.transaction():
        _enter(kept, store, "queued")
        _set_night(night, store)


async def _begin_anew(
    night: Night, found: Sequence[BotRow], store: Store, tell: Tell, all_must_pass: bool
) -> Begun | Failures:
    check_field(night, found)  # a wrong challenger is told at once, not after a trial of everybody
    numbered = [(row, (number, 1)) for number, row in enumerate(found, 1)]
    rows = await try_field(night, numbered, drawn_source(store, night.config), keeping_of(store.path), tell)
    failed = tuple(row for row in rows if row.problem)
    if failed and all_must_pass:
        return Failures(failed)
    check_field(night, rows)
    with store.transaction():
        _enter(rows, store)
        _set_night(night, store)
    keeping_of(store.path).tidy(store.versions())
    write_entry_files(store, failed)
    return begun(store)


def _numbered(
    changes: Changes, entries: Sequence[Entry], versions: Sequence[Version]
) -> list[tuple[BotRow, BotVersion]]:
    """New bots and new versions, with the numbers that they will have."""
    numbers = {entry.name: entry.number for entry in entries}
    new = [(row, (number, 1)) for number, row in enumerate(changes.enter, len(entries) + 1)]
    return new + [(row, (numbers[row.name], _next_edition(numbers[row.name], versions))) for row in changes.update]


def changes_since(night: Night, found: Sequence[BotRow], store: Store) -> Changes:
    old = stored_config(store.meta("config"))
    state = state_of(store, old, ())
    rounds = rounds_begun(old, state.rounds)
    changes = changes_of(old, night.config, rounds, state.entries, state.versions, state.removed(), found)
    if (store.meta("components") or "") != night.components:
        return replace(changes, refused=(*changes.refused, "components: the file has other pieces"))
    return changes


def differences_of(night: Night, changes: Changes, store: Store) -> Differences:
    """What would follow."""
    now = state_of(store, night.config, store.games())
    number = len(now.entries)
    for row in changes.enter:
        number += 1
        now.entries.append(Entry(number, row.name))
        now.versions.append(Version(number, 1, row.digest, state="refused" if row.problem else "ready"))
    numbers = {entry.name: entry.number for entry in now.entries}
    for row in changes.update:
        now.versions.append(replace(_next_version(numbers[row.name], row, now.versions), state="ready"))
    wishes = [("remove", name) for name in changes.remove] + [("restore", name) for name in changes.restore]
    last = max((order.id for order in now.orders), default=0)
    now.orders += [Order(last + place, kind, name, "", 0.0) for place, (kind, name) in enumerate(wishes, 1)]
    return Differences(changes, len(now.played), now.to_come())


def _apply(changes: Changes, tried: Sequence[BotRow], store: Store) -> None:
    new = {row.name for row in changes.enter}
    _enter([row for row in tried if row.name in new], store)
    numbers = {entry.name: entry.number for entry in store.entries()}
    for row in tried:
        if row.name not in new:
            store.set_version(_next_version(numbers[row.name], row, store.versions()))
    for name in changes.remove:
        store.order("remove", name, "no longer in the tournament file")
    for name in changes.restore:
        store.order("restore", name, "in the tournament file again")
    if changes.said:
        store.order("accept-changes", "", "; ".join(changes.said))


def _enter(rows: Sequence[BotRow], store: Store, state: VersionState = "ready") -> None:
    """Numbers are given in order of entry, also to bots that did not pass: they may be repaired."""
    number = len(store.entries())
    for row in rows:
        number += 1
        store.set_entry(Entry(number, row.name, row.author, row.path, house=row.house))
        store.set_version(_next_version(number, row, [], state))


def _next_version(number: int, row: BotRow, versions: Sequence[Version], state: VersionState = "ready") -> Version:
    sentence, _, details = row.problem.partition("\n")
    return Version(
        entry=number,
        edition=_next_edition(number, versions),
        hash=row.digest,
        version=row.version,
        language=row.language,
        state="refused" if row.problem else state,
        problem=sentence,
        details=details,
        copy=row.copy,
        at=time.time(),
        start=row.start,
        seconds=row.seconds,
    )


def _next_edition(number: int, versions: Sequence[Version]) -> int:
    """A folder that was not found was no version."""
    return 1 + sum(version.entry == number and bool(version.hash) for version in versions)


def _relocate(found: Sequence[BotRow], store: Store) -> None:
    """A night may be carried to another folder; but where a newer version was handed in from is another matter."""
    newest = {version.entry: version.hash for version in store.versions()}
    paths = {(row.name, row.digest): row.path for row in found}
    for entry in store.entries():
        path = paths.get((entry.name, newest.get(entry.number, "")), entry.path)
        if path != entry.path:
            store.set_entry(replace(entry, path=path))


def _set_night(night: Night, store: Store) -> None:
    for key, value in {"config": night.text, "components": night.components, "name": night.config.name}.items():
        store.set_meta(key, value)

"""The plan of an archive: its files decoded and checked against each other, every deal drawn again. Pure.

Everything may come from an enemy: each thing that later code relies on is checked here first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...game import ConfigError, encode
from ..config import Night, check_night, parse_config
from ..deals import SECRET_BYTES, Deal, DealSource, check_word, chosen_by_host, commitment
from ..entries import BotVersion, Entry, Version
from ..night_state import NightState
from ..rounds import Fixture, PlayedGame, Round, fixtures_of, seatings_of
from ..rows import SAFE_NAME, Order
from . import layout
from .layout import ArchivedGame, ArchivedVoid, EntryRow, NightFile, Plan, Redraw, archived
from .manifest import MOST_FILES, ArchiveError

T = TypeVar("T")


class ArchivedNight(Struct, frozen=True):
    """What the records are compared with."""

    night: Night
    source: DealSource
    entries: tuple[EntryRow, ...]
    plan: Plan
    hashes: dict[BotVersion, str]
    """Of the files of each version."""

    @property
    def names(self) -> dict[int, str]:
        return {entry.number: entry.name for entry in self.entries}

    def state(self, played: Iterable[PlayedGame], orders: Sequence[Order]) -> NightState:
        """The night as it was when it was closed."""
        versions = [
            Version(entry.number, one.edition, one.hash, state=one.state)
            for entry in self.entries
            for one in entry.versions
        ]
        return NightState(
            self.night.config,
            self.source,
            [Entry(entry.number, entry.name, entry.author, house=entry.house) for entry in self.entries],
            versions,
            self.plan.rounds,
            played,
            orders,
            {redraw.deal: redraw.times for redraw in self.plan.redraws},
        )


def decoded(name: str, content: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ArchiveError(name, str(error)) from None


def archived_night(file: NightFile, entries: tuple[EntryRow, ...], plan: Plan) -> ArchivedNight:
    night = _night(file)
    _check_entries(entries)
    hashes = {(entry.number, version.edition): version.hash for entry in entries for version in entry.versions}
    found = ArchivedNight(night, _source(file, night), entries, plan, hashes)
    _check_rounds(found)
    return found


def _night(file: NightFile) -> Night:
    try:
        config = parse_config(file.file, "file")
        night = Night(config, file.file, "", file.components)
        check_night(night, "file")
    except ConfigError as error:
        raise ArchiveError(layout.NIGHT, str(error)) from None
    if config.name != file.name:
        raise ArchiveError(layout.NIGHT, f"name is {file.name[:100]!r}, the tournament file says {config.name!r}")
    return night


def _source(file: NightFile, night: Night) -> DealSource:
    """The secret must be the one that was committed to."""
    if night.config.seed:
        if file.secret or file.commitment or file.word:
            raise ArchiveError(layout.NIGHT, "the tournament file has a seed, so there is no secret and no word")
        return chosen_by_host(night.config.seed)
    try:
        secret = bytes.fromhex(file.secret)
        if file.word and check_word(file.word) != file.word:
            raise ConfigError(f"word {file.word!r}: not in its normal form")
    except (ValueError, ConfigError) as error:
        raise ArchiveError(layout.NIGHT, f"secret or word: {error}") from None
    if len(secret) != SECRET_BYTES or secret.hex() != file.secret:
        raise ArchiveError(layout.NIGHT, f"secret: {SECRET_BYTES} bytes in lower-case hexadecimal")
    if commitment(secret) != file.commitment:
        raise ArchiveError(layout.NIGHT, f"commitment: the SHA-256 of the secret is {commitment(secret)}")
    return DealSource(secret, file.word)


def _check_entries(entries: Sequence[EntryRow]) -> None:
    if [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
        raise ArchiveError(layout.ENTRIES, "entries are numbered 1, 2, 3 ...")
    if len({entry.name for entry in entries}) < len(entries):
        raise ArchiveError(layout.ENTRIES, "two entries have one name")


def _check_rounds(found: ArchivedNight) -> None:
    config = found.night.config
    seats = 1 if config.format == "solo" else config.table
    each = len(seatings_of(config.seatings, tuple(range(seats))))
    if sum(len(round.tables) * len(round.deals) * each for round in found.plan.rounds) > MOST_FILES:
        raise ArchiveError(layout.ROUNDS, f"more than {MOST_FILES} games")
    for number, round in enumerate(found.plan.rounds):
        problem = _problem_of(round, seats, found)
        if problem:
            raise ArchiveError(layout.ROUNDS, f"rounds[{number}]: {problem}")


def _problem_of(round: Round, seats: int, found: ArchivedNight) -> str:
    roster = {row.entry: row.edition for row in round.roster}
    if len(roster) < len(round.roster) or not found.hashes.keys() >= roster.items():
        return "its roster names a version that there is not, or an entry twice"
    if any(
        len(table) != seats or len(set(table)) != seats or not roster.keys() >= set(table) for table in round.tables
    ):
        return f"a table has not {seats} different entries of its roster"
    if round.points_for and len(round.points_for) != len(round.tables):
        return "points_for has not one entry for each table"
    return ""


# ---- games


def scheduled(found: ArchivedNight, most_redraws: int | None = None) -> dict[str, Fixture]:
    """All games of all rounds, in order, by name: each with the seed that follows from the secret.

    `most_redraws`: as it was before deals were drawn anew more often than this.
    """
    config = found.night.config
    times = {redraw.deal: redraw.times for redraw in found.plan.redraws}
    redraws = times if most_redraws is None else {deal: min(most_redraws, count) for deal, count in times.items()}
    fixtures: dict[str, Fixture] = {}
    for number, round in enumerate(found.plan.rounds):
        solo = config.format == "solo"
        shared = config.same_deals
        for fixture in fixtures_of(round, config.seatings, solo, found.names, found.source, redraws, shared=shared):
            if fixture.game in fixtures or not SAFE_NAME.fullmatch(fixture.game):
                raise ArchiveError(layout.ROUNDS, f"rounds[{number}]: its game {fixture.game[:100]!r} cannot be")
            fixtures[fixture.game] = fixture
    return fixtures


def check_games(games: Sequence[ArchivedGame], fixtures: dict[str, Fixture]) -> None:
    """Each is one of the plan, with its own deal; in the order of the plan, each once."""
    order = iter(fixtures)
    for number, game in enumerate(games):
        place = f"games[{number}]"
        if game.game not in fixtures:
            raise ArchiveError(layout.GAMES, f"{place}: no round has a game {game.game[:100]!r}")
        check_same(layout.GAMES, place, game, archived(fixtures[game.game], game.at))
        if not any(name == game.game for name in order):
            raise ArchiveError(layout.GAMES, f"{place}: {game.game} stands twice, or not in the order of the plan")


def check_voids(voids: Sequence[ArchivedVoid], found: ArchivedNight) -> None:
    """Void games, too, were of the plan, with their own deals; and nothing was drawn anew without one."""
    seen = {void.fixture.whole_deal for void in voids if void.fixture is not None}
    for number, redraw in enumerate(found.plan.redraws):
        if redraw.deal.redraw or any(deal not in seen for deal in _earlier(redraw)):
            problem = "a deal was drawn anew, and no void game of it is there"
            raise ArchiveError(layout.ROUNDS, f"redraws[{number}]: {problem}")
    most = max((redraw.times for redraw in found.plan.redraws), default=0)
    plans: dict[int, dict[str, Fixture]] = {}
    for number, void in enumerate(voids):
        place, fixture = f"voids[{number}]", void.fixture
        if void.record != ("" if fixture is None else layout.void_name(number + 1, void.game)):
            raise ArchiveError(layout.VOIDS, f"{place}: record is {void.record[:200]!r}")
        if fixture is None:
            continue
        times = min(fixture.redraw, most)
        plan = plans[times] = plans.get(times) or scheduled(found, times)
        if void.game not in plan:
            raise ArchiveError(layout.VOIDS, f"{place}: no round had a game {void.game[:100]!r}")
        check_same(layout.VOIDS, place, fixture, plan[void.game])


def _earlier(redraw: Redraw) -> Iterator[Deal]:
    return (replace(redraw.deal, redraw=times) for times in range(redraw.times))


def check_same(file: str, place: str, told: Struct, right: Struct) -> None:
    for name in right.__struct_fields__:
        mine, other = getattr(told, name), getattr(right, name)
        if mine != other:
            raise ArchiveError(file, f"{place}: {name} is {_shown(mine)}, but it must be {_shown(other)}")


def _shown(value: object) -> str:
    return encode(value).decode()[:200]


def expected_files(games: Iterable[ArchivedGame], voids: Iterable[ArchivedVoid]) -> dict[str, None]:
    """All files that the list may have, in the order in which they are read."""
    fixed = (layout.NIGHT, layout.ENTRIES, layout.ROUNDS, layout.ORDERS, layout.GAMES, layout.VOIDS, layout.TABLE)
    records = (layout.record_name(game.game) for game in games)
    return dict.fromkeys([*fixed, *records, *(void.record for void in voids if void.record)])

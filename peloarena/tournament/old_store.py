"""Read stores of version 1: their rows as the Structs of version 2.

Entries are numbered in the order of the file; each has one version; rounds are reconstructed from the games. Such a
tournament cannot continue, so everything in it may be shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from .config import MAX_COUNT
from .deals import Deal
from .entries import Entry, RosterRow, Version
from .fixtures import Fixture, Round
from .rows import DamagedStoreError, GameRow, from_columns, from_json, make_game_row
from .store import Store

BOT_COLUMNS = "name, path, digest, version, author, language, problem"
OLD_GAME_COLUMNS = "game, fixture, played, outcome, verdicts, evidence, stats, at"
OLD_GAME_NAME = re.compile(r"r(\d{2,6})-(?:t(\d{3,6})-d(\d{3,6})-s(\d{1,5})|l([1-5])-(\d{3,6}))", re.ASCII)


class OldBot(Struct, frozen=True):
    name: str
    path: str = ""
    digest: str = ""
    version: str = ""
    author: str = ""
    language: str = ""
    problem: str = ""


class OldFixture(Struct, frozen=True):
    game: str
    round: Annotated[int, Meta(ge=1, le=MAX_COUNT)]
    table: Annotated[int, Meta(ge=1, le=MAX_COUNT)]
    seats: Annotated[tuple[str, ...], Meta(min_length=1, max_length=8)]
    seed: str
    level: Annotated[int, Meta(ge=0, le=5)] = 0


class OldStore(Store):
    def _bots(self) -> list[OldBot]:
        """In the order of the file; then bots that left it, which are known only from games."""
        rows = self._rows(f"SELECT {BOT_COLUMNS} FROM bots ORDER BY place")
        bots = {bot.name: bot for bot in (from_columns(OldBot, BOT_COLUMNS, row) for row in rows)}
        for (fixture,) in self._rows("SELECT fixture FROM games ORDER BY game"):
            for name in from_json(fixture, OldFixture).seats:
                bots.setdefault(name, OldBot(name))
        return list(bots.values())

    def entries(self) -> list[Entry]:
        return [Entry(number, bot.name, bot.author, bot.path) for number, bot in enumerate(self._bots(), 1)]

    def versions(self) -> list[Version]:
        return [
            Version(
                entry=number,
                edition=1,
                hash=bot.digest,
                version=bot.version,
                language=bot.language,
                state="refused" if bot.problem else "ready",
                problem=bot.problem.partition("\n")[0],
                details=bot.problem.partition("\n")[2],
            )
            for number, bot in enumerate(self._bots(), 1)
        ]

    def rounds(self) -> list[Round]:
        """As far as they have finished games."""
        roster = tuple(RosterRow(version.entry, 1) for version in self.versions() if version.state == "ready")
        tables: dict[int, dict[int, tuple[int, ...]]] = {}
        deals: dict[int, set[int]] = {}
        for row in self.games():
            fixture = row.fixture
            tables.setdefault(fixture.round, {}).setdefault(fixture.table, fixture.entries)
            deals.setdefault(fixture.round, set()).add(fixture.deal)
        return [
            Round(n, "main", n, tuple(tables[n][t] for t in sorted(tables[n])), tuple(sorted(deals[n])), roster)
            for n in sorted(tables)
        ]

    def redraws(self) -> dict[Deal, int]:
        return {}

    def games(self, round: int | None = None) -> list[GameRow]:
        where, values = ("", ()) if round is None else (" WHERE round = ?", (round,))
        numbers = {entry.name: entry.number for entry in self.entries()}
        rows = [
            _parse_old_game_row(row, numbers)
            for row in self._rows(f"SELECT {OLD_GAME_COLUMNS} FROM games{where}", *values)
        ]
        return sorted(rows, key=lambda row: _schedule_key(row.fixture))

    def record(self, game: str) -> bytes:
        packed = self._packed_record(game)
        if not isinstance(packed, bytes):
            raise DamagedStoreError(f"the record of {game!r} is not a record")
        return packed

    def stderr(self, game: str) -> dict[int, str]:
        rows = self._rows("SELECT stderr FROM games WHERE game = ?", game)
        texts = from_json(rows[0][0], tuple[str, ...]) if rows else ()
        return {seat: text for seat, text in enumerate(texts) if text}


def _schedule_key(fixture: Fixture) -> tuple[int, ...]:
    return fixture.round, fixture.level, fixture.table, fixture.deal, fixture.seating


def _parse_old_game_row(values: Sequence[object], numbers: Mapping[str, int]) -> GameRow:
    game, fixture, *others = values
    made = _convert_fixture(from_json(fixture, OldFixture), numbers)
    return make_game_row(game, made.round, made, others)


def _convert_fixture(old: OldFixture, numbers: Mapping[str, int]) -> Fixture:
    """Version 1 stored deal and seating only in the name."""
    match = OLD_GAME_NAME.fullmatch(old.game)
    if match is None:
        raise DamagedStoreError(f"a game has the invalid name {old.game[:100]!r}")
    deal, seating = (int(match[3]), int(match[4])) if match[3] else (old.level, 1)
    return Fixture(
        game=old.game,
        stage="main",
        round=old.round,
        table=old.table,
        place=1,
        deal=deal,
        seating=seating,
        redraw=0,
        entries=tuple(numbers[name] for name in old.seats),
        editions=(1,) * len(old.seats),
        seats=old.seats,
        seed=old.seed,
        level=old.level,
    )

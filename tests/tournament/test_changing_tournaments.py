"""Tournaments that change while they are played, with the real store: every game against a model that shares no code.

The model says what the digest of every kept record must be. Swiss, knockout and chosen tables, which it does not know,
keep the rules of their formats; and whatever happened, every round can be decided again from the store.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from changing_evening import ChangingEvening, Script, digest, digests, scripts, told
from changing_kinds import KINDS, keys_of, many, model_of
from hypothesis import given
from hypothesis import strategies as st
from made_up import store_of
from msgspec.structs import replace
from trio.testing import MockClock

from peloarena.tournament.archive.archive_files import Plan, Redraw
from peloarena.tournament.archive.manifest import ArchiveError
from peloarena.tournament.archive.plan import ArchivedTournament
from peloarena.tournament.archive.rounds_check import check_rounds
from peloarena.tournament.archive.write import entry_row
from peloarena.tournament.deals import DealSource
from peloarena.tournament.fixtures import PlayedGame, Round
from peloarena.tournament.game_selection import games_with_points
from peloarena.tournament.news import GameFinished
from peloarena.tournament.store import Store

UNKNOWN: dict[str, dict[str, Any]] = {
    "swiss": {"format": "swiss", "rounds": 4, "deals": 2, "bench_after": 3},
    "knockout": {"format": "knockout", "deals": 3, "bench_after": 3},
    "chosen tables": {"table": 3, "tables": 4, "deals": 3, "bench_after": 3},
}
"""Formats that the model does not know."""


class ModelEvening(ChangingEvening):
    """Everything that happens is told to the model, too, and every game that ends is asked of it."""

    def __init__(self, store: Store, kind: str, deals: int, entries: int, script: Script) -> None:
        self.model = model_of(kind, deals)
        self.kept: dict[str, str] = {}
        """By game the digest that the model expects of its record."""
        super().__init__(store, keys_of(kind, deals), entries, script)

    def has_ended(self, news: GameFinished) -> None:
        assert self.model.begin()
        assert news.fixture.game not in self.kept, "played twice"
        self.kept[news.fixture.game] = digest(told(news.fixture.game, *self.model.played(news.fixture.game)))

    def has_entered(self, number: int) -> None:
        self.model.ready[number] = 1

    def has_a_version(self, number: int, version_number: int, crashes: bool) -> None:
        self.model.ready[number] = version_number
        self.model.crashing |= {(number, version_number)} if crashes else set()

    def is_ordered(self, kind: str, number: int) -> None:
        changed = self.model.withdrawn if kind in ("withdraw", "readmit") else self.model.removed
        changed.add(number) if kind in ("withdraw", "remove") else changed.discard(number)
        if kind == "readmit":
            self.model.back[number] = len(self.model.begun)

    def are_void(self, game: str, names: Sequence[str]) -> None:
        assert self.model.void(game) == set(names)
        for name in names:
            del self.kept[name]

    def is_over(self) -> None:
        assert not self.model.begin()


class WatchedEvening(ChangingEvening):
    """Of a format that the model does not know: a round that began never changes, and no game is played twice."""

    def __init__(self, store: Store, keys: dict[str, Any], entries: int, script: Script) -> None:
        self.seen: list[Round] = []
        self.kept: set[str] = set()
        super().__init__(store, keys, entries, script)

    def has_ended(self, news: GameFinished) -> None:
        rounds = self.store.rounds()
        assert rounds[: len(self.seen)] == self.seen
        self.seen = rounds
        assert news.fixture.game not in self.kept, "played twice"
        self.kept.add(news.fixture.game)

    def are_void(self, game: str, names: Sequence[str]) -> None:
        self.kept -= set(names)


@contextmanager
def played(make: Callable[[Store], ChangingEvening]) -> Iterator[tuple[Store, Any]]:
    with tempfile.TemporaryDirectory() as folder, store_of(Path(folder) / "night.sqlite", "") as store:
        evening = make(store)
        trio.run(evening.play, clock=MockClock(autojump_threshold=0))
        yield store, evening


def decide_again(store: Store, evening: ChangingEvening) -> None:
    """As `verify` does with an archive."""
    plan = Plan(tuple(store.rounds()), tuple(Redraw(deal, times) for deal, times in store.redraws().items()))
    entries = tuple(entry_row(entry, store.versions()) for entry in store.entries())
    versions = {(entry.number, version.edition): version for entry in entries for version in entry.versions}
    games = void_games(store, evening.crashing)
    voids = [(row.game, row.origin, game) for row, game in zip(store.voids(), games, strict=True)]
    found = ArchivedTournament(evening.tournament, DealSource(b"s"), entries, plan, versions, dict(store.redraws()))
    check_rounds(found, [row.played_game for row in store.games()], voids, store.host_actions())


def void_games(store: Store, crashing: Set[tuple[int | None, int]]) -> Iterator[PlayedGame | None]:
    """What there was of each, read from its record: who was absent, and who fell because it always does."""
    for _, fixture, record in store.voided_games():
        if fixture is None or record is None:
            yield None
            continue
        seats = json.loads(record)[2]
        absent = tuple(entry for entry, _, out in seats if out)
        guilty = tuple(entry for entry, version_number, out in seats if (entry, version_number) in crashing and not out)
        yield PlayedGame(fixture, tuple(range(1, len(seats) + 1)), absent, guilty)


@many(50)
@given(kind=st.sampled_from(list(KINDS)), entries=st.integers(2, 4), deals=st.integers(1, 3), script=scripts)
def test_whatever_happens_every_game_that_fits_is_kept_and_none_is_played_twice(
    kind: str, entries: int, deals: int, script: Script
) -> None:
    with played(lambda store: ModelEvening(store, kind, deals, entries, script)) as (store, evening):
        assert digests(store) == evening.kept
        counted = [
            (row.fixture.round, row.fixture.deal, row.fixture.entries) for row in games_with_points(store.games())
        ]
        assert len(counted) == len(set(counted))
        decide_again(store, evening)


@many(20)
@given(kind=st.sampled_from(list(KINDS)), entries=st.integers(2, 4), deals=st.integers(1, 3), script=scripts)
def test_tournament_that_is_stopped_ends_as_one_that_was_not(
    kind: str, entries: int, deals: int, script: Script
) -> None:
    ends = []
    for stop in ("stop", "nothing"):
        steps = [(games, stop if what == "stop" else what, which) for games, what, which in script]
        with played(lambda store, steps=steps: ModelEvening(store, kind, deals, entries, steps)) as (store, _):  # type: ignore[misc]
            ends.append(whole(store))
    assert ends[0] == ends[1]


def whole(store: Store) -> object:
    """All that must be the same. How often the host of the script resumes hangs on threads, so these orders, which
    decide no round, are not counted."""
    deciding = [order.id for order in store.host_actions() if order.kind not in ("pause", "resume")]
    rounds = [replace(round, orders=sum(number <= round.orders for number in deciding)) for round in store.rounds()]
    rows = [(row.fixture, row.played, row.outcome, row.verdicts) for row in store.games()]
    return rounds, rows, digests(store)


@many(30)
@given(kind=st.sampled_from(list(UNKNOWN)), entries=st.integers(3, 6), script=scripts)
def test_formats_that_choose_who_meets_keep_their_rules(kind: str, entries: int, script: Script) -> None:
    with played(lambda store: WatchedEvening(store, UNKNOWN[kind], entries, script)) as (store, evening):
        for round in store.rounds():
            check_tables(kind, round)
        for row in store.games():
            fixture = row.fixture
            deal = ["", fixture.stage, fixture.round, fixture.deal, sorted(fixture.entries), fixture.redraw]
            text = json.dumps(deal, separators=(",", ":")).encode()
            assert fixture.seed == hmac.new(b"s", text, hashlib.sha256).hexdigest()
        check_seatings(store)
        decide_again(store, evening)


def check_tables(kind: str, round: Round) -> None:
    sits = Counter(entry for table in round.tables for entry in table)
    there = {row.entry for row in round.roster if not row.absent}
    assert sits.keys() <= {row.entry for row in round.roster}
    if kind == "swiss":
        assert sits.keys() <= there
        assert all(count == 1 for count in sits.values())
        assert len(there - sits.keys()) == len(there) % 2
    elif kind == "knockout":
        assert all(count == 1 for count in sits.values())
    elif round.stage == "main" and len(round.roster) >= 3:
        assert max(sits.values()) - min(sits[row.entry] for row in round.roster) <= 1


def check_seatings(store: Store) -> None:
    """Every deal was played in every seating: each entry sat in each seat of it."""
    sat: dict[object, Counter[tuple[int, int]]] = {}
    for row in store.games():
        places = sat.setdefault(row.fixture.deal_identity, Counter())
        places.update((entry, seat) for seat, entry in enumerate(row.fixture.entries))
    for places in sat.values():
        size = len({entry for entry, _ in places})
        assert len(places) == size * size
        assert set(places.values()) == {1}


@many(15)
@given(kind=st.sampled_from(list(UNKNOWN)), entries=st.integers(3, 6), script=scripts)
def test_formats_that_choose_who_meets_are_resumed_as_if_nothing_was(kind: str, entries: int, script: Script) -> None:
    ends = []
    for stop in ("stop", "nothing"):
        steps = [(games, stop if what == "stop" else what, which) for games, what, which in script]
        with played(lambda store, steps=steps: WatchedEvening(store, UNKNOWN[kind], entries, steps)) as (store, _):  # type: ignore[misc]
            ends.append(whole(store))
    assert ends[0] == ends[1]


def test_round_that_was_not_decided_so_is_found() -> None:
    """The check of the check: another bench, other tables, somebody left out."""
    script: Script = [(3, "crashing", 1), (30, "nothing", 0)]
    with played(lambda store: ModelEvening(store, "pairs", 3, 4, script)) as (store, evening):
        decide_again(store, evening)
        for change in (
            "UPDATE rounds SET round = replace(round, '\"tables\":[[1,4],', '\"tables\":[[4,1],')",
            "UPDATE rounds SET round = replace(round, ',{\"entry\":4,\"edition\":1}', '') WHERE id = 2",
        ):
            with store.transaction():
                store._write(change)
            with pytest.raises(ArchiveError, match=r"rounds\[\d\]"):
                decide_again(store, evening)

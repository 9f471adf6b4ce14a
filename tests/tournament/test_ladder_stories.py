"""Ladders to which anything may happen: caps, newcomers, stops and voids, against what is counted anew.

The runner plays nothing. The ladder is stopped now and then, as by kill -9, and gone on with.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import FakeRunner
from made_up_ladder import ladder, ladder_store
from trio.testing import MockClock

from peloarena.tournament import host_commands
from peloarena.tournament.director import Director
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.host_commands import GameFilter
from peloarena.tournament.news import DealChosen, GameFinished, News
from peloarena.tournament.stop_condition import StopCondition
from peloarena.tournament.store import Store

CHANGES = ("enter", "withdraw", "readmit", "version", "stop", "void")
scripts = st.lists(st.tuples(st.integers(0, 8), st.sampled_from(CHANGES), st.integers(0, 9)), max_size=8)
Script = Sequence[tuple[int, str, int]]
LONG = 200.0
"""Of Trio's time; a game takes a second."""


class Story:
    """A ladder to which things happen after so many games; stopped as by kill -9, and gone on with."""

    def __init__(self, store: Store, script: Script, places: int, on_choice: Callable[[], None]) -> None:
        store._db.execute("PRAGMA synchronous = OFF")
        self.store, self.script, self.places, self.on_choice = store, list(script), places, on_choice
        self.tournament = ladder()
        self.runner = FakeRunner()
        self.scope = trio.CancelScope()

    async def play(self, games: int) -> None:
        """Or until nobody has been there for long: then it would wait for ever."""
        while True:
            with trio.move_on_after(LONG) as patience, trio.CancelScope() as self.scope:
                ending = StopCondition(games=games)
                await Director(
                    self.tournament, self.store, self.runner, self.tell, self.places, stop_condition=ending
                ).play()
            if patience.cancelled_caught or not self.scope.cancelled_caught:
                return

    def tell(self, news: News) -> None:
        if isinstance(news, DealChosen):
            self.on_choice()
        if isinstance(news, GameFinished) and self.script:
            games, kind, which = self.script[0]
            self.script[0] = (games - 1, kind, which)
            if games <= 0:
                self.script.pop(0)
                self.change(kind, which)

    def change(self, kind: str, which: int) -> None:
        entries = [entry for entry in self.store.entries() if not entry.house]
        chosen = entries[which % len(entries)]
        if kind == "stop":
            self.scope.cancel()
        elif kind == "enter" and len(entries) < 7:
            number = len(self.store.entries()) + 1
            self.store.set_entry(Entry(number, f"late{number}"))
            self.store.set_version(Version(number, 1, "", state="ready"))
        elif kind == "version":
            version_number = 1 + sum(version.entry == chosen.number for version in self.store.versions())
            self.store.set_version(Version(chosen.number, version_number, "", state="ready"))
        elif kind in ("withdraw", "readmit"):
            self.store.add_host_action(kind, chosen.name, "because")  # type: ignore[arg-type]
        elif kind == "void" and (games := self.store.games()):
            host_commands.void_finished_games(
                self.store, GameFilter(game=games[which % len(games)].fixture.game), "because"
            )


@settings(max_examples=20, deadline=None)
@given(script=scripts, places=st.integers(1, 3), bots=st.integers(1, 4))
def test_whatever_happens_every_choice_is_played_once_and_all_of_it(script: Script, places: int, bots: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        ladder_store(Path(folder) / "night.sqlite", "abcd"[:bots]) as store,
    ):
        story = Story(store, script, places, lambda: None)
        trio.run(story.play, 60, clock=MockClock(autojump_threshold=0))
        rounds, games = store.rounds(), store.games()
        assert len(games) == 2 * len(rounds)  # every deal that was chosen, in both seatings, whatever was void
        assert len({row.fixture.game for row in games}) == len(games)
        assert len(games) >= 60 or all(_is_out(store, entry.name) for entry in store.entries() if not entry.house)
        house = {entry.number for entry in store.entries() if entry.house}
        for round in rounds:
            assert len(set(round.tables[0])) == 2
            assert len(house & set(round.tables[0])) <= 1
            assert round.reason


@settings(max_examples=12, deadline=None)
@given(script=scripts)
def test_ladder_that_is_stopped_chooses_as_one_that_was_not(script: Script) -> None:
    """With one place nothing is on when a game ends, so both know the same at every choice."""
    ends = []
    for stop in ("stop", "nothing"):
        steps = [(games, stop if kind == "stop" else kind, which) for games, kind, which in script]
        with tempfile.TemporaryDirectory() as folder, ladder_store(Path(folder) / "night.sqlite", "abc") as store:
            story = Story(store, steps, 1, lambda: None)
            trio.run(story.play, 40, clock=MockClock(autojump_threshold=0))
            ends.append(([msg.tables + (msg.reason,) for msg in store.rounds()], len(store.games())))
    assert ends[0] == ends[1]


@settings(max_examples=12, deadline=None)
@given(script=scripts, places=st.integers(1, 3))
def test_nobody_plays_far_more_than_the_others_and_newcomers_come_first(script: Script, places: int) -> None:
    """Counted anew from the rounds of the store, at each choice."""
    with tempfile.TemporaryDirectory() as folder, ladder_store(Path(folder) / "night.sqlite", "abcd") as store:

        def check() -> None:
            *before, now = store.rounds()
            had: dict[tuple[int, int], int] = {}
            for round in before:
                for row in round.roster:
                    had[row.entry, row.edition] = had.get((row.entry, row.edition), 0) + 2
            chosen = [(row.entry, row.edition) for row in now.roster]
            if "many games" in now.reason or "house" in now.reason:
                return
            newest = {version.entry: version.edition for version in store.versions()}
            out = {name for name in (e.name for e in store.entries()) if _is_out(store, name)}
            there = [(e.number, newest[e.number]) for e in store.entries() if not e.house and e.name not in out]
            games = [had.get(version, 0) for version in there]
            assert max(had.get(version, 0) for version in chosen) + 2 <= max(4, 2 * median(games))
            if min(games) < 4:
                assert min(had.get(version, 0) for version in chosen) == min(games)
                assert "is new" in now.reason

        story = Story(store, [step for step in script if step[1] != "void"], places, check)
        trio.run(story.play, 60, clock=MockClock(autojump_threshold=0))


def _is_out(store: Store, name: str) -> bool:
    kinds = [
        order.kind for order in store.host_actions() if order.target == name and order.kind in ("withdraw", "readmit")
    ]
    return bool(kinds) and kinds[-1] == "withdraw"

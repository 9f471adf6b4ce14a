"""Running games on the pages: the feed of one whose deal comes again is there, and no address gives any of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from little_tournament import made
from web_servers import Visitor, eventually, open_web_server

from peloarena.game import ConfigError
from peloarena.tournament.fixtures import Fixture
from peloarena.tournament.heartbeat import HeartbeatWriter
from peloarena.tournament.host_commands import GameFilter, void_finished_games
from peloarena.tournament.live_feed import read_running_game, temporary_feed_folder
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_tournament
from peloarena.web.channel import GetStateUpdate
from peloarena.web.tournament_source import TournamentSource

TOURNAMENT = 'name = "Live"\nbots = ["a", "b", "c"]\ndeals = 2\nsandbox = "off"\n'
OF_A_GAME = ("/live/{}", "/live/{}/position.json", "/live/{}/events", "/game/{}", "/game/{}/film.json")
WORD = "word-of-{}"
"""What the feed of a game holds, and nothing else does."""


class Playing:
    """A tournament after its first game. Every other game of the round is being played, and its worker writes its
    feed: more than a runner would do, which plays seatings of one deal one after the other."""

    def __init__(self, path: Path, store: Store) -> None:
        self.path = path
        self.store = store
        tournament = load_tournament(store)
        gate = tournament.state.gate(tournament.closed)
        missing: list[Fixture] = tournament.state.due_fixtures(tournament.state.rounds[0])
        self.last = [fixture.game for fixture in missing if gate.may_show_live(fixture)]
        """Games in the last seating of their deals."""
        self.others = [fixture.game for fixture in missing if not gate.may_show_live(fixture)]
        self.done = tournament.games[0].fixture.game
        with ExitStack() as games:
            writer = HeartbeatWriter(path, len(missing))
            for fixture in missing:
                games.enter_context(writer.game_running(fixture))
            writer._write()

    def write_feeds(self, folder: Path) -> None:
        for place, game in enumerate((*self.last, *self.others)):
            (folder / f"{place}.json").write_text(json.dumps({"game": game, "told": WORD.format(game)}))


@contextmanager
def playing_now(path: Path) -> Iterator[Playing]:
    with Store.open_to_change(path) as store, temporary_feed_folder(path) as folder:
        assert folder is not None
        store.lock()
        found = Playing(path, store)
        found.write_feeds(folder)
        assert (len(found.last), len(found.others)) == (1, 4)
        yield found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b", "c"], most=1)


@pytest.fixture
def playing(path: Path) -> Iterator[Playing]:
    with playing_now(path) as found:
        yield found


def test_the_feed_of_a_deal_that_is_not_open_is_at_no_address(path: Path) -> None:
    with (
        open_web_server(path) as visitor,
        playing_now(path) as playing,
    ):  # in this order: see `door` in test_entering.py
        (shown,) = playing.last
        eventually(lambda: visitor.text("/live.json"), shown)
        assert WORD.format(shown) in visitor.text(f"/live/{shown}/position.json")
        assert [one["game"] for one in json.loads(visitor.text("/live.json"))] == [shown]
        for game in playing.others:
            assert read_running_game(path, game) is not None
            assert [visitor.ask(address.format(game))[0] for address in OF_A_GAME] == [404] * len(OF_A_GAME)
        said = b"\n".join(bodies(visitor, playing.others))
    assert [game for game in playing.others if WORD.format(game).encode() in said] == []


def bodies(visitor: Visitor, games: list[str]) -> list[bytes]:
    pages = ("/", "/games", "/pairings", "/projector", "/featured.json", "/live.json", "/host")
    addresses = (*pages, *(address.format(game) for game in games for address in OF_A_GAME))
    return [visitor.ask(address)[2] for address in addresses]


def test_the_backend_gives_the_web_process_no_feed_of_a_deal_that_is_not_open(playing: Playing) -> None:
    """Whatever it asks for: its code may be an attacker's."""
    with closing(TournamentSource(playing.path)) as source:
        assert source.get_update(GetStateUpdate(0, 0, 0)).watchable == tuple(playing.last)
        assert WORD.format(playing.last[0]).encode() in source.get_live_position(playing.last[0]).data
        for game in (*playing.others, playing.done, "nothing", ""):
            with pytest.raises(ConfigError, match="cannot be watched"):
                source.get_live_position(game)


def test_a_feed_ends_when_the_host_voids_another_seating_of_its_deal(playing: Playing) -> None:
    """Its deal comes again."""
    (shown,) = playing.last
    with closing(TournamentSource(playing.path)) as source:
        source.get_live_position(shown)
        void_finished_games(playing.store, GameFilter(game=playing.done), "a cable was loose")
        with pytest.raises(ConfigError, match="cannot be watched"):
            source.get_live_position(shown)

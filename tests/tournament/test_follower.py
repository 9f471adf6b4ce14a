"""A tournament followed through its store: what is new, and that a look is cheap and disturbs nobody."""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from little_tournament import made
from made_up import report_of

from peloarena.game import ConfigError
from peloarena.tournament import host_commands
from peloarena.tournament.config import stored_config
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.follower import Follower, ObservedState
from peloarena.tournament.secret import close_tournament, commit_to_secret, deals_text, store_room_word
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_state

TEXT = 'name = "Followed"\nbots = ["a", "b", "c"]\ndeals = 3\nseed = "s"\n'
GAMES = 18
"""Three pairs, three deals, two seatings."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night.sqlite"


@pytest.fixture
def follower(path: Path) -> Iterator[Follower]:
    found = Follower(path)
    yield found
    found.close()


def looked(follower: Follower) -> ObservedState:
    seen = follower.poll()
    assert seen is not None
    return seen


def play(path: Path, games: int) -> None:
    """As a runner does, in a process that knows nothing of who looks."""
    with Store.open_to_play(path) as store:
        for _ in range(games):
            state = load_state(store, stored_config(store.meta("config")), store.games())
            round = next((round for round in state.rounds if state.due_fixtures(round)), None)
            if round is None:
                round = state.next_round()
                assert round is not None
                store.add_round(round)
            fixture = state.due_fixtures(round)[0]
            store.add_game(round.id, fixture, report_of(fixture), played=True)


def test_nothing_is_seen_before_a_tournament_is_begun(path: Path, follower: Follower) -> None:
    assert follower.poll() is None
    Store.open_to_play(path).close()
    assert follower.poll() is None
    made(path, TEXT, "abc", most=0)
    seen = looked(follower)
    assert (seen.round, seen.remaining_games, seen.due_fixtures) == (None, GAMES, ())


def test_secret_and_word_that_come_after_the_first_look_are_told(path: Path, follower: Follower) -> None:
    """A page that was open before the room gave its word said all night that it gave none."""
    text = 'name = "Followed"\nbots = ["a", "b"]\n'
    with Store.open_to_play(path) as store:
        store.set_meta("config", text)
    told = []
    for _ in range(2):
        seen, state = looked(follower), follower.state
        assert state is not None
        told.append(deals_text(seen.config, state.source, public=False))
        with Store.open_to_change(path) as store:
            shown = commit_to_secret(store)
            store_room_word(store, seen.config, "amphora")
    assert told == [
        "deals by a secret that is not drawn yet",
        f"deals by a secret with SHA-256 {shown}, the room's word: amphora",
    ]


def test_look_gives_something_only_when_something_is_new(path: Path, follower: Follower) -> None:
    made(path, TEXT, "abc", most=5)
    seen = looked(follower)
    assert len(seen.games) == 5
    assert seen.remaining_games == GAMES - 5
    assert follower.poll() is None
    play(path, 2)
    seen = looked(follower)
    assert len(seen.games) == 7
    assert seen.remaining_games == GAMES - 7
    assert seen.round is not None
    assert (seen.round.number, seen.main_round_count) == (2, 3)
    assert len(seen.due_fixtures) == 5
    assert follower.poll() is None


def test_games_are_in_the_order_in_which_they_ended(path: Path, follower: Follower) -> None:
    made(path, TEXT, "abc", most=2)
    first = list(looked(follower).games)
    play(path, 1)
    assert list(looked(follower).games)[:2] == first


def test_following_step_by_step_is_the_same_as_looking_once(path: Path, follower: Follower) -> None:
    made(path, TEXT, "abc", most=1)
    for _ in range(GAMES - 1):
        seen = looked(follower)
        play(path, 1)
    seen = looked(follower)
    assert (len(seen.games), seen.remaining_games) == (GAMES, 0)
    afresh = Follower(path)
    assert looked(afresh) == seen
    afresh.close()


def test_void_game_is_gone_and_told(path: Path, follower: Follower) -> None:
    made(path, TEXT, "abc", most=3)
    looked(follower)
    with Store.open_to_change(path) as store:
        host_commands.void_finished_games(store, host_commands.GameFilter("r01-1.2-d001-s1"), "look again")
    seen = looked(follower)
    assert "r01-1.2-d001-s1" not in seen.games
    assert {void.reason for void in seen.voids} == {"look again"}
    play(path, 1)
    assert len(looked(follower).games) + seen.remaining_games - 1 == GAMES


def test_store_that_cannot_be_read_is_told_at_every_look(path: Path, follower: Follower) -> None:
    made(path, TEXT, ["a", "b", "c"], most=2)
    looked(follower)
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE games SET fixture = 'nothing'")
        database.execute("INSERT INTO voids (game, reason, origin, at) VALUES ('g', 'r', 'host', 1.0)")
    for _ in range(2):
        with pytest.raises(ConfigError, match="damaged"):
            follower.poll()


def test_host_actions_and_new_versions_are_seen(path: Path, follower: Follower) -> None:
    made(path, TEXT, "abc", most=3)
    looked(follower)
    with Store.open_to_change(path) as store:
        store.add_host_action("withdraw", "b", "tired")
        store.set_version(Version(1, 2, "v2-9", version="0.2", state="ready"))
        store.set_entry(Entry(4, "late"))
        store.set_version(Version(4, 1, "v2-10", state="trying"))
    seen = looked(follower)
    assert [(seen.names[note.entry], note.text) for note in seen.notes] == [
        ("a", "v2 plays from the next round on"),
        ("b", "withdrawn: tired"),
        ("late", "v1 is being tried"),
    ]
    assert {name: version.version for name, version in seen.newer_versions.items()} == {"a": "0.2"}


def test_pause_is_seen_until_the_tournament_goes_on(path: Path, follower: Follower) -> None:
    made(path, TEXT, "abc", most=3)
    assert looked(follower).active_pause is None
    with Store.open_to_change(path) as store:
        host_commands.pause(store, True, "pizza")
    pause = looked(follower).active_pause
    assert pause is not None
    assert pause.reason == "pizza"
    with Store.open_to_change(path) as store:
        host_commands.pause(store, False, "")
    assert looked(follower).active_pause is None


def test_tournament_that_the_host_closed_is_seen_to_be(path: Path, follower: Follower) -> None:
    made(path, TEXT, "abc", most=3)
    assert not looked(follower).closed
    with Store.open_to_change(path) as store:
        close_tournament(store, stored_config(TEXT))
    assert looked(follower).closed


def test_look_at_the_lock_does_not_keep_a_runner_out(path: Path) -> None:
    """It holds the lock for an instant; here it is a long one."""
    made(path, TEXT, "abc", most=3)
    with Store.open_to_play(path) as store, Path(f"{path}.lock").open("ab") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        over = threading.Timer(0.02, lambda: fcntl.flock(looking, fcntl.LOCK_UN))
        over.start()
        store.lock()
        over.join()


def test_two_runners_are_one_too_many(path: Path) -> None:
    made(path, TEXT, "abc", most=3)
    with Store.open_to_play(path) as one, Store.open_to_play(path) as two:
        one.lock()
        with pytest.raises(ConfigError, match="is being played by another process"):
            two.lock()


def test_looking_writes_nothing(path: Path, follower: Follower) -> None:
    made(path, TEXT, "abc", most=3)
    before = path.read_bytes()
    looked(follower)
    follower.close()
    assert path.read_bytes() == before

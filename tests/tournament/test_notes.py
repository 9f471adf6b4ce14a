"""What stands below the table of a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_up import FakeRunner, crash, enter, play, store_of, tournament_of
from trio.testing import MockClock

from peloarena.tournament import host_commands
from peloarena.tournament.config import TournamentFile
from peloarena.tournament.entries import Version
from peloarena.tournament.notes import tournament_notes
from peloarena.tournament.points_and_ratings import rating_results, tournament_ratings
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_state, load_tournament

pytestmark = pytest.mark.trio
TEXT = 'name = "x"\nbots = ["a", "b"]\nseed = "s"\ndeals = 2\nbench_after = 2\n'
TOURNAMENT = tournament_of("ab", deals=2, bench_after=2)


def notes(store: Store, more: str = "") -> list[str]:
    store.set_meta("config", TEXT + more)
    tournament = load_tournament(store)
    return tournament_notes(
        tournament,
        tournament_ratings(tournament.games, tournament.config.prior) if rating_results(tournament.games) else None,
    )


def open_store(tmp_path: Path, names: str = "ab") -> Store:
    return store_of(tmp_path / "night.sqlite", names)


async def test_quiet_tournament_has_none(autojump_clock: MockClock, tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        await play(TOURNAMENT, store, FakeRunner())
        assert notes(store) == []


async def test_absent_bots_are_told_until_they_are_back(autojump_clock: MockClock, tmp_path: Path) -> None:
    with open_store(tmp_path, "abc") as store:
        await play(TOURNAMENT, store, FakeRunner(lambda job: crash(job, "b")))
        store.add_host_action("withdraw", "c", "its author asked")
        store.add_host_action("remove", "a", "no longer in the tournament file")
        assert notes(store) == [
            "a: no longer in the tournament file",
            "b: benched after round 1: 4 verdicts in a row",
            "c: withdrawn: its author asked",
        ]
        for name, kind in (("b", "readmit"), ("c", "readmit"), ("a", "restore")):
            store.add_host_action(kind, name, "")  # type: ignore[arg-type]
        assert notes(store) == ["b: benched, plays again from the next round on"]
        await play(TOURNAMENT, store, FakeRunner())
        assert notes(store) == []


async def test_benched_bot_is_told_when_its_round_is_over_and_not_before(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    with open_store(tmp_path) as store:
        ended: list[list[str]] = []
        tournament = tournament_of("ab", deals=1, bench_after=1)
        await play(
            tournament, store, FakeRunner(lambda job: crash(job, "b")), tell=lambda _: ended.append(notes(store))
        )
        assert ended[1] == []  # after the first of two games
        assert notes(store, "") == ["b: benched after round 1: 2 verdicts in a row"]


async def test_void_in_a_round_of_long_ago_brings_nobody_back_to_it(autojump_clock: MockClock, tmp_path: Path) -> None:
    """A latecomer was told to play from the next round on, because the round that was open again did not know it."""
    with open_store(tmp_path) as store:
        await play(tournament_of("ab", deals=1), store, FakeRunner())
        enter(store, "c")
        await play(TOURNAMENT, store, FakeRunner())
        store.set_meta("config", TEXT)
        host_commands.void_finished_games(store, host_commands.GameFilter("r01-1.2-d001-s1"), "power cut")
        assert notes(store) == ["c: from round 2 on; what it missed is played after the last round"]


async def test_version_that_came_after_the_last_round_is_told_to_have(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    with open_store(tmp_path) as store:
        await play(TOURNAMENT, store, FakeRunner())
        store.set_version(Version(2, 2, "v2-new", state="ready"))
        assert notes(store) == ["b: v2 came after the last round"]


@pytest.mark.parametrize(
    ("tournament", "more", "told"),
    [
        (TOURNAMENT, "", "c: from round 2 on; what it missed is played after the last round"),
        (tournament_of("ab", deals=2, bench_after=2, catch_up=False), "catch_up = false\n", "c: from round 2 on"),
    ],
)
async def test_latecomers_are_told_until_they_have_caught_up(
    autojump_clock: MockClock, tmp_path: Path, tournament: TournamentFile, more: str, told: str
) -> None:
    with open_store(tmp_path) as store:
        state = load_state(store, tournament.config, [])
        first = state.next_round()
        assert first is not None
        store.add_round(first)
        enter(store, "c")
        await play(tournament_of("ab", deals=2, bench_after=2, catch_up=False), store, FakeRunner())
        assert notes(store, more) == [told]
        await play(tournament, store, FakeRunner())
        assert notes(store, more) == ([] if tournament.config.catch_up else [told])


async def test_older_versions_and_twins_are_told(autojump_clock: MockClock, tmp_path: Path) -> None:
    with open_store(tmp_path, "abc") as store:
        state_before = store.versions()
        await play(tournament_of("abc", deals=1), store, FakeRunner())
        store.set_version(Version(2, 2, state_before[0].hash, state="ready"))
        await play(tournament_of("abc", deals=2), store, FakeRunner())
        told = notes(store)
    assert told[0].startswith("earlier: b v1, ")
    assert told[0].endswith(", 4 games")
    assert told[1:] == ["the same files: a, b"]

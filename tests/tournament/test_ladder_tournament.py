"""A ladder as a tournament: choices stored before they are played, stops, voids, comings and goings, the finish."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import trio
from made_up import FakeRunner, crash, enter, play, store_of, tournament_of
from made_up_ladder import TEXT, ladder, ladder_store
from trio.testing import MockClock

from peloarena.game import ConfigError
from peloarena.referee.disk import DiskFull
from peloarena.referee.job import GameJob
from peloarena.tournament import host_commands
from peloarena.tournament.config import TournamentFile
from peloarena.tournament.director import Director
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.fixtures import Round
from peloarena.tournament.game_selection import decisive_games
from peloarena.tournament.host_commands import GameFilter
from peloarena.tournament.news import DiskStateChanged, GameFinished, News
from peloarena.tournament.points_and_ratings import points_of, tournament_ratings
from peloarena.tournament.stop_condition import StopCondition
from peloarena.tournament.store import Store

pytestmark = pytest.mark.trio


@pytest.fixture
def tournament() -> TournamentFile:
    return ladder()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return ladder_store(tmp_path / "night.sqlite", "abcd")


async def climb(
    tournament: TournamentFile, store: Store, games: int, runner: FakeRunner | None = None, places: int = 1
) -> FakeRunner:
    """Play until the ladder has so many games."""
    used = runner or FakeRunner()
    await Director(tournament, store, used, lambda _: None, places, stop_condition=StopCondition(games=games)).play()
    return used


async def test_deal_is_stored_with_its_reason_before_it_is_played(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    class Looking(FakeRunner):
        async def play(self, job: GameJob) -> object:  # type: ignore[override]
            names = {f"r00-{'.'.join(map(str, sorted(t)))}-d{r.deals[0]:03}" for r in store.rounds() for t in r.tables}
            assert job.game.rpartition("-s")[0] in names
            return await super().play(job)

    await climb(tournament, store, 12, Looking())
    rounds = store.rounds()
    assert [round.number for round in rounds] == [0] * 6
    assert rounds[0].reason == "a is new: 0 of 4 games"
    assert all(round.reason for round in rounds)


async def test_deal_number_is_how_often_these_entries_met(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    await climb(tournament, store, 40)
    met: dict[tuple[int, ...], int] = {}
    for round in store.rounds():
        table = tuple(sorted(round.tables[0]))
        met[table] = met.get(table, 0) + 1
        assert round.deals == (met[table],)
        assert [row.entry for row in round.roster] == list(table)


async def test_whole_deals_are_played_and_the_ladder_ends_with_the_games_it_was_told(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    await climb(tournament, store, 11)
    assert len(store.games()) == 12
    deals = [row.fixture.deal_name for row in store.games()]
    assert all(deals.count(deal) == 2 for deal in deals)


async def test_two_places_play_two_deals_at_a_time_and_never_one_deal_twice(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    used = await climb(tournament, store, 40, places=2)
    assert used.most_at_once == 2
    assert len(used.games) == len(set(used.games)) == 40


async def test_who_enters_plays_at_once(autojump_clock: MockClock, tournament: TournamentFile, store: Store) -> None:
    await climb(tournament, store, 20)
    store.set_entry(Entry(6, "f"))
    store.set_version(Version(6, 1, "v2-6", state="ready", copy="f/bot"))
    await climb(tournament, store, 24)
    assert [6 in round.tables[0] for round in store.rounds()[-2:]] == [True, True]
    assert store.rounds()[-1].reason == "f is new: 2 of 4 games"


async def test_withdrawn_bot_is_not_chosen_and_comes_back(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    await climb(tournament, store, 16)
    host_commands.withdraw(store, "a", "its author asked")
    await climb(tournament, store, 32)
    assert all(1 not in round.tables[0] for round in store.rounds()[8:])
    assert not any(row.verdicts for row in store.games())
    host_commands.readmit(store, "a", "")
    await climb(tournament, store, 48)
    assert any(1 in round.tables[0] for round in store.rounds()[16:])


async def test_bot_that_crashes_is_benched_and_leaves_its_games_to_the_others(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    await climb(tournament, store, 60, FakeRunner(lambda job: crash(job, "b")))
    had = [row for row in store.games() if "b" in row.fixture.seats]
    assert len(had) <= 8


async def test_table_short_of_a_seat_is_filled_by_built_in_bots(
    autojump_clock: MockClock, tournament: TournamentFile, tmp_path: Path
) -> None:
    store = ladder_store(tmp_path / "short.sqlite", "a")
    await climb(tournament, store, 8)
    assert {tuple(sorted(row.fixture.seats)) for row in store.games()} == {("a", "house-2")}
    assert store.rounds()[0].reason == "only a can play now: the house fills the table"


async def test_built_in_bots_are_not_chosen_where_two_entries_are_there(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    await climb(tournament, store, 40)
    assert all(5 not in round.tables[0] for round in store.rounds())


async def test_ladder_without_anybody_waits_for_somebody(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    for name in "abcd":
        host_commands.withdraw(store, name, "")
    run = Director(tournament, store, FakeRunner(), lambda _: None, 1, stop_condition=StopCondition(games=4))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        await trio.sleep(10)
        assert not store.games()
        host_commands.readmit(store, "a", "")
    assert len(store.games()) == 4


async def test_void_deal_is_played_again_and_no_choice_is_made_twice(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    await climb(tournament, store, 12)
    before = store.rounds()
    names = host_commands.void_finished_games(store, GameFilter(game=store.games()[0].fixture.game), "power cut")
    assert len(names) == 2  # it was open: the whole deal, and another is drawn
    used = await climb(tournament, store, 12)
    assert sorted(used.games) == [f"{name}-x1" for name in sorted(names)]
    assert store.rounds() == before


async def test_hour_that_has_come_ends_the_ladder_with_the_deals_that_are_on(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    run = Director(
        tournament, store, FakeRunner(), lambda _: None, 1, stop_condition=StopCondition(until=time.time() - 1)
    )
    await run.play()
    assert store.games() == []
    assert run.has_ended_early


async def test_hour_that_has_come_lets_a_round_be_played_to_its_end(autojump_clock: MockClock, tmp_path: Path) -> None:
    """Of every format: no round begins after it."""
    store, tournament = store_of(tmp_path / "night.sqlite", "abc"), tournament_of("abc", deals=3)
    now = [100.0]

    def tell(news: News) -> None:
        now[0] += isinstance(news, GameFinished)

    run = Director(
        tournament, store, FakeRunner(), tell, 1, stop_condition=StopCondition(until=108.0), now=lambda: now[0]
    )
    await run.play()
    assert len(store.games()) == 12  # two rounds of six: the second was on
    assert run.has_ended_early
    again = Director(tournament, store, FakeRunner(), tell, 1)
    await again.play()
    assert len(store.games()) == 18
    assert not again.has_ended_early


# ---- the finish


async def finished(tournament: TournamentFile, store: Store, places: int = 1) -> FakeRunner:
    used = FakeRunner()
    await play(tournament, store, used, places)
    return used


async def test_finish_is_a_round_robin_of_all_who_are_there_and_alone_decides(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    await climb(tournament, store, 30)
    host_commands.withdraw(store, "c", "gone home")
    host_commands.finish_ladder(store, "it is late")
    await finished(tournament, store)
    games = [row for row in store.games() if row.fixture.stage == "finish"]
    assert "f01-1.2-d001-s1" in {row.fixture.game for row in games}
    assert len(games) == 3 * 2 * 2  # pairs of a, b, d; two deals; two seatings
    assert decisive_games(store.games()) == games
    assert points_of(store.games()) == {"a": 8.0, "b": 4.0, "d": 0.0}
    assert [row.player for row in tournament_ratings(store.games(), 2).ratings] == ["a", "b", "d"]


async def test_finish_ends_the_ladder_that_is_on_and_locks_entries(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    def tell(news: News) -> None:
        if isinstance(news, GameFinished) and len(store.games()) == 7:
            host_commands.finish_ladder(store, "")

    await Director(tournament, store, FakeRunner(), tell, 2).play()
    stages = [row.fixture.stage for row in store.games()]
    assert stages.index("finish") in range(8, 11)
    assert stages.count("finish") == 6 * 2 * 2
    with pytest.raises(ConfigError, match="nobody can enter its final round-robin"):
        host_commands.lock_entries(store, False, "")
    with pytest.raises(ConfigError, match="has already ended"):
        host_commands.finish_ladder(store, "")


async def test_who_leaves_during_the_finish_forfeits_and_keeps_its_place(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    def tell(news: News) -> None:
        if isinstance(news, GameFinished) and news.fixture.stage == "finish" and news.fixture.place == 12:
            host_commands.withdraw(store, "a", "")

    await climb(tournament, store, 8)
    host_commands.finish_ladder(store, "")
    await Director(tournament, store, FakeRunner(), tell, 1).play()
    second = [row for row in store.games() if row.fixture.stage == "finish" and row.fixture.round == 2]
    assert len(second) == 12
    assert {row.played for row in second if "a" in row.fixture.seats} == {False}


async def test_finish_of_a_roster_too_small_for_a_table_has_built_in_bots_in_it(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    store = ladder_store(tmp_path / "small.sqlite", "ab", house=3)
    store.set_meta("config", TEXT + "table = 4\n")
    tournament = ladder(table=4)
    await climb(tournament, store, 4)
    host_commands.finish_ladder(store, "")
    await finished(tournament, store)
    tables = [round.tables for round in store.rounds() if round.stage == "finish"]
    assert [len(found) for found in tables] == [1, 1]
    assert set(tables[0][0]) == {1, 2, 3, 4}


async def test_only_a_ladder_is_finished(autojump_clock: MockClock, tmp_path: Path) -> None:
    store = store_of(tmp_path / "night.sqlite", "ab")
    store.set_meta("config", TEXT.replace("ladder", "swiss"))
    with pytest.raises(ConfigError, match="only a ladder can be finished"):
        host_commands.finish_ladder(store, "")


# ---- a pause after the round


async def test_pause_after_the_round_lets_it_be_played_and_who_enters_meanwhile_plays_the_next(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    store, tournament = store_of(tmp_path / "night.sqlite", "ab"), tournament_of("ab", deals=2)
    host_commands.pause_at_round_end(store, "pizza")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Director(tournament, store, FakeRunner(), lambda _: None, 1).play)
        await trio.sleep(60)
        assert store.games() == []  # no round was on: it begins with the pause
        host_commands.pause(store, False, "")
        await trio.sleep(1.6)
        host_commands.pause_at_round_end(store, "pizza")
        await trio.sleep(60)
        assert len(store.games()) == 2
        enter(store, "c")
        host_commands.pause(store, False, "")
    assert [len(round.roster) for round in store.rounds() if round.stage == "main"] == [2, 3]


async def test_pause_after_the_deals_that_are_on_holds_a_ladder(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store
) -> None:
    run = Director(tournament, store, FakeRunner(), lambda _: None, 1, stop_condition=StopCondition(games=8))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        await trio.sleep(0.5)
        host_commands.pause_at_round_end(store, "")
        await trio.sleep(60)
        assert len(store.games()) == 2
        with pytest.raises(ConfigError, match="is already paused"):
            host_commands.pause_at_round_end(store, "")
        host_commands.pause(store, False, "")
    assert len(store.games()) == 8


async def test_ladder_plays_what_is_on_to_its_end_and_waits_for_a_full_disk(
    autojump_clock: MockClock, tournament: TournamentFile, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    news: list[News] = []
    tries = 0
    add_round = store.add_round

    def attempt(round: Round) -> None:
        nonlocal tries
        tries += 1
        if 3 < tries < 10:
            raise DiskFull("'night.sqlite' cannot be written: database or disk is full")
        add_round(round)

    monkeypatch.setattr(store, "add_round", attempt)
    runner = FakeRunner()
    with trio.fail_after(3600):
        await Director(tournament, store, runner, news.append, 2, stop_condition=StopCondition(games=12)).play()
    assert tries > 10
    assert sorted(runner.games) == sorted(store.finished_game_names())
    assert len(store.finished_game_names()) == 12
    told = [bool(n.problem) for n in news if isinstance(n, DiskStateChanged)]
    assert told == [True, False] * (len(told) // 2)
    assert told

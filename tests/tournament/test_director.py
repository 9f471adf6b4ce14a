"""The tournament over its store: resumes, benches, forfeits, voids and host actions, with a runner that plays
nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import ClassVar

import pytest
import trio
from made_up import FakeRunner, crash, enter, missing, play, store_of, tournament_of
from msgspec.structs import replace
from trio.testing import MockClock

from peloarena.game import ConfigError
from peloarena.referee.disk import DiskFull
from peloarena.referee.job import GameJob, GameReport
from peloarena.referee.verdict import Verdict
from peloarena.tournament.config import TournamentFile
from peloarena.tournament.director import Director
from peloarena.tournament.entries import Version
from peloarena.tournament.game_runner import MAX_ATTEMPTS
from peloarena.tournament.game_selection import games_with_points
from peloarena.tournament.news import (
    DiskStateChanged,
    GameFinished,
    GameVoided,
    News,
    PauseChanged,
    RoundAnnounced,
)
from peloarena.tournament.store import Store

pytestmark = pytest.mark.trio

THREE = tournament_of("abc", deals=4)
DAYS = [("2.3", "1.2", "1.3"), ("1.2", "1.3", "2.3"), ("1.3", "2.3", "1.2"), ("2.3", "1.2", "1.3")]
"""The pairs of its rounds, in the order of play: each round begins with another one."""
FOUR_SWISS = tournament_of("abcd", format="swiss", deals=1, rounds=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night.sqlite"


def summary(store: Store) -> list[tuple[object, ...]]:
    """What must be the same however a tournament was cut."""
    return [(row.fixture, row.played, row.outcome, row.verdicts) for row in store.games()]


async def play_some(tournament: TournamentFile, store: Store, runner: FakeRunner, games: int, places: int = 1) -> None:
    """Until that number of games have ended; then everything stops at once."""
    with trio.CancelScope() as scope:
        left = games

        def tell(news: News) -> None:
            nonlocal left
            if isinstance(news, GameFinished):
                left -= 1
                if not left:
                    scope.cancel()

        await play(tournament, store, runner, places, tell)


# ---- playing and resuming


async def test_every_game_is_played_once_in_the_order_of_the_schedule(autojump_clock: MockClock, path: Path) -> None:
    runner = FakeRunner()
    with store_of(path, "abc") as store:
        await play(THREE, store, runner)
        wanted = [
            f"r{number:02}-{pair}-d{number:03}-s{seating}"
            for number, pairs in enumerate(DAYS, 1)
            for pair in pairs
            for seating in (1, 2)
        ]
        assert runner.games == wanted
        assert [row.fixture.game for row in store.games()] == wanted
        assert missing(THREE, store) == []


async def test_job_says_all_that_the_file_says(autojump_clock: MockClock, path: Path) -> None:
    tournament = tournament_of("ab", deals=1, time="3s+1s", faults=2, restart="never", pondering=True, sandbox="off")
    runner = FakeRunner()
    with store_of(path, "ab") as store:
        await play(tournament, store, runner)
    job = runner.jobs[0]
    assert (job.clock.bank, job.faults, job.restart, job.pondering, job.sandbox) == (3, 2, "never", True, "off")
    assert [(seat.name, seat.path) for seat in job.seats] == [
        (name, str(path.parent / "night.bots" / name / "bot")) for name in "ab"
    ]


@pytest.mark.parametrize(("places", "most"), [(1, 1), (2, 2), (100, 3)])
async def test_as_many_games_at_a_time_as_there_are_places(
    autojump_clock: MockClock, path: Path, places: int, most: int
) -> None:
    """And no more than there are tables: the two seatings of each are played one after the other."""
    runner = FakeRunner()
    with store_of(path, "abc") as store:
        await play(THREE, store, runner, places)
    assert runner.most_at_once == most


@pytest.mark.parametrize("games", [1, 5, 6, 7, 23])
async def test_resumed_tournament_plays_just_what_is_missing(autojump_clock: MockClock, path: Path, games: int) -> None:
    first, second, third = FakeRunner(), FakeRunner(), FakeRunner()
    with store_of(path, "abc") as store:
        await play_some(THREE, store, first, games)
        assert len(store.finished_game_names()) == games
        await play(THREE, store, second)
        assert not set(second.games) & set(first.games)
        assert len(second.games) == 24 - games
        await play(THREE, store, third)
        assert third.games == []


@pytest.mark.parametrize("tournament", [THREE, FOUR_SWISS, tournament_of("abcdef", format="knockout", deals=2)])
async def test_tournament_cut_anywhere_ends_as_one_that_was_not(
    autojump_clock: MockClock, tmp_path: Path, tournament: TournamentFile
) -> None:
    names = [str(name) for name in tournament.config.bots]
    with store_of(tmp_path / "whole.sqlite", names) as store:
        await play(tournament, store, FakeRunner())
        whole = summary(store)
    with store_of(tmp_path / "cut.sqlite", names) as store:
        while missing(tournament, store):
            await play_some(tournament, store, FakeRunner(), 3, places=2)
        assert summary(store) == whole


async def test_rounds_are_told_only_when_something_is_to_be_played(autojump_clock: MockClock, path: Path) -> None:
    news: list[News] = []
    with store_of(path, "abc") as store:
        await play_some(THREE, store, FakeRunner(), 8)
        await play(THREE, store, FakeRunner(), tell=news.append)
        assert [n for n in news if isinstance(n, RoundAnnounced)] == [
            RoundAnnounced(2, 6, 4, "main", 8, 24),
            RoundAnnounced(3, 6, 6, "main", 12, 24),
            RoundAnnounced(4, 6, 6, "main", 18, 24),
        ]


# ---- benching


async def test_bot_with_so_many_verdicts_in_a_row_is_benched_at_the_rounds_end(
    autojump_clock: MockClock, path: Path
) -> None:
    tournament = tournament_of("abc", deals=3, bench_after=3)
    runner = FakeRunner(lambda job: crash(job, "b"))
    with store_of(path, "abc") as store:
        await play(tournament, store, runner)
        told = [(job.game[:3], seat.forfeit) for job in runner.jobs for seat in job.seats if seat.name == "b"]
        assert Counter(told) == {
            ("r01", ""): 4,
            ("r02", "benched after round 1: 4 verdicts in a row"): 4,
            ("r03", "benched after round 1: 4 verdicts in a row"): 4,
        }
        assert [row.played for row in store.games(2) if "b" in row.fixture.seats] == [False] * 4
        assert all(row.played for row in store.games(2) if "b" not in row.fixture.seats)
        assert all(row.verdicts[0].fault == "forfeit" for row in store.games(3) if "b" in row.fixture.seats)


async def test_game_without_a_verdict_ends_the_row(autojump_clock: MockClock, path: Path) -> None:
    """b fails in three of its four games of each round, but never four times in a row."""
    tournament = tournament_of("abc", deals=3, bench_after=4)
    runner = FakeRunner(lambda job: [] if job.seats[0].name == "c" else crash(job, "b"))
    with store_of(path, "abc") as store:
        await play(tournament, store, runner)
        assert not any(seat.forfeit for job in runner.jobs for seat in job.seats)


async def test_forgiven_faults_and_bench_after_0_bench_nobody(
    autojump_clock: MockClock, path: Path, tmp_path: Path
) -> None:
    forgiven = FakeRunner(lambda job: [Verdict(0, "late", "slow", 1, forgiven=True)])
    with store_of(path, "abc") as store:
        await play(tournament_of("abc", deals=3, bench_after=1), store, forgiven)
    never = FakeRunner(lambda job: crash(job, "b"))
    with store_of(tmp_path / "never.sqlite", "abc") as store:
        await play(tournament_of("abc", deals=3, bench_after=0), store, never)
    assert not any(seat.forfeit for job in forgiven.jobs + never.jobs for seat in job.seats)


@pytest.mark.parametrize("places", [1, 4])
@pytest.mark.parametrize("games", [2, 7, 13])
async def test_benching_is_the_same_after_a_resume_and_with_any_number_of_places(
    autojump_clock: MockClock, tmp_path: Path, games: int, places: int
) -> None:
    """b fails from its second deal on, c in every other game: whatever ends first, the schedule's order counts."""

    def judge(job: GameJob) -> list[Verdict]:
        return crash(job, "b" if not job.game.startswith("r01") else "", "c" if job.game.endswith("s1") else "")

    tournament = tournament_of("abc", deals=5, bench_after=6)
    with store_of(tmp_path / "whole.sqlite", "abc") as store:
        await play(tournament, store, FakeRunner(judge))
        whole = summary(store)
        benched = {v.reason for row in store.games() for v in row.verdicts if v.fault == "forfeit"}
    assert benched == {"benched after round 3: 8 verdicts in a row"}
    with store_of(tmp_path / "cut.sqlite", "abc") as store:
        await play_some(tournament, store, FakeRunner(judge), games, places)
        await play(tournament, store, FakeRunner(judge), places)
        assert summary(store) == whole


async def test_void_that_ends_a_row_lets_the_bot_play_what_it_missed(autojump_clock: MockClock, path: Path) -> None:
    tournament = tournament_of("ab", deals=3, bench_after=2)
    with store_of(path, "ab") as store:
        await play(tournament, store, FakeRunner(lambda job: crash(job, "b")))
        assert len([row for row in store.games() if not row.played]) == 4
        store.void_game("r01-1.2-d001-s1", "the machine was swapping", "host")
        runner = FakeRunner()
        await play(tournament, store, runner)
        assert runner.games == [
            "r01-1.2-d001-s1",
            *(f"c{number:02}-1.2-d{number:03}-s{seating}" for number in (2, 3) for seating in (1, 2)),
        ]
        assert all(row.played for row in games_with_points(store.games()))
        assert [void.origin for void in store.voids()] == ["host"]


async def test_readmitted_bot_plays_and_catches_up(autojump_clock: MockClock, path: Path) -> None:
    with store_of(path, "abc") as store:
        store.add_host_action("withdraw", "c", "its author asked")
        await play(THREE, store, FakeRunner())
        assert sum(not row.played for row in store.games()) == 16
        store.add_host_action("readmit", "c", "")
        runner = FakeRunner()
        await play(THREE, store, runner)
        assert len(runner.games) == 16
        assert all(row.played for row in games_with_points(store.games()))


# ---- host actions


async def test_withdrawn_bot_forfeits_from_then_on_without_being_started(autojump_clock: MockClock, path: Path) -> None:
    runner = FakeRunner()
    with store_of(path, "abc") as store:

        def tell(news: News) -> None:
            if isinstance(news, GameFinished) and news.fixture.game == "r02-1.2-d002-s1":
                with Store.open_to_change(path) as elsewhere:
                    elsewhere.add_host_action("withdraw", "c", "its author asked")

        await play(THREE, store, runner, tell=tell)
        reasons = {seat.forfeit for job in runner.jobs for seat in job.seats if seat.name == "c"}
        assert reasons == {"", "withdrawn by the host: its author asked"}
        assert all(not row.played for number in (3, 4) for row in store.games(number) if "c" in row.fixture.seats)
        assert all(row.played for row in store.games(1))


async def test_void_game_of_an_earlier_round_is_replayed_while_the_tournament_runs(
    autojump_clock: MockClock, path: Path
) -> None:
    runner = FakeRunner()
    with store_of(path, "abc") as store:

        def tell(news: News) -> None:
            if isinstance(news, GameFinished) and news.fixture.game == "r03-1.3-d003-s1":
                with Store.open_to_change(path) as elsewhere:
                    elsewhere.void_game("r01-1.2-d001-s1", "look again", "host")

        await play(THREE, store, runner, tell=tell)
        assert Counter(runner.games)["r01-1.2-d001-s1"] == 2
        assert missing(THREE, store) == []


async def test_void_game_of_the_last_round_is_replayed_too(autojump_clock: MockClock, path: Path) -> None:
    runner = FakeRunner()
    with store_of(path, "abc") as store:
        done = False

        def tell(news: News) -> None:
            nonlocal done
            if isinstance(news, GameFinished) and news.fixture.game == "r04-1.3-d004-s2" and not done:
                done = True
                with Store.open_to_change(path) as elsewhere:
                    elsewhere.void_game("r04-1.3-d004-s2", "look again", "host")

        await play(THREE, store, runner, tell=tell)
        assert runner.games.count("r04-1.3-d004-s2") == 2
        assert len(store.finished_game_names()) == 24


async def test_round_that_began_is_never_paired_anew(autojump_clock: MockClock, path: Path) -> None:
    """Though its pairs would be others, if the void game had ended as it does now."""
    with store_of(path, "abcd") as store:
        await play(FOUR_SWISS, store, FakeRunner())
        before = [row.fixture for row in store.games()]
        for name in sorted(store.finished_game_names(1)):
            store.void_game(name, "look again", "host")
        runner = FakeRunner(lambda job: crash(job, "a", "c"))
        await play(FOUR_SWISS, store, runner)
        assert [row.fixture for row in store.games()] == before
        assert len(runner.games) == 4


async def test_paused_tournament_begins_no_game_until_it_goes_on(autojump_clock: MockClock, path: Path) -> None:
    runner = FakeRunner()
    news: list[News] = []
    with store_of(path, "abc") as store:
        async with trio.open_nursery() as nursery:

            async def host() -> None:
                await trio.sleep(2.2)
                store.add_host_action("pause", "", "pizza")
                await trio.sleep(100)
                assert len(store.finished_game_names()) == len(runner.games) < 8
                assert runner.playing == 0
                store.add_host_action("resume", "", "")

            nursery.start_soon(host)
            await play(THREE, store, runner, 2, news.append)
        assert len(store.finished_game_names()) == 24
        assert [n for n in news if isinstance(n, PauseChanged)] == [
            PauseChanged(True, "pizza"),
            PauseChanged(False, ""),
        ]
        assert trio.current_time() > 100


async def test_pause_given_before_the_runner_began_holds_until_it_is_taken_back(
    autojump_clock: MockClock, path: Path
) -> None:
    """It was ignored, without a word."""
    runner, news = FakeRunner(), list[News]()
    with store_of(path, "abc") as store:
        store.add_host_action("pause", "", "good night")
    with Store.open_to_change(path) as store:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, THREE, store, runner, 2, news.append)
            await trio.sleep(100)
            assert runner.games == []
            assert PauseChanged(True, "good night") in news
            store.add_host_action("resume", "", "")
        assert len(store.finished_game_names()) == 24


async def test_version_submitted_while_the_tournament_is_paused_is_tried_at_once(
    autojump_clock: MockClock, path: Path
) -> None:
    tried: list[float] = []

    async def try_version(store: Store, version: Version) -> None:
        tried.append(trio.current_time())
        store.set_version(replace(version, state="ready"))

    with store_of(path, "ab") as store:
        store.add_host_action("pause", "", "pizza")
        async with trio.open_nursery() as nursery:
            run = Director(tournament_of("ab", deals=1), store, FakeRunner(), lambda _: None, 1, try_version)
            nursery.start_soon(run.play)
            await trio.sleep(10)
            store.set_version(Version(2, 2, "v2-new", state="queued"))
            await trio.sleep(10)
            assert len(tried) == 1
            assert 10 <= tried[0] <= 11
            assert store.finished_game_names() == set()
            store.add_host_action("resume", "", "")


# ---- the machine


def fill_disk(store: Store, change: str, monkeypatch: pytest.MonkeyPatch, failures: int = 5) -> list[str]:
    """That many tries of one kind of change fail; all tries."""
    tries: list[str] = []
    write = getattr(store, change)

    def attempt(*args: object) -> None:
        tries.append(change)
        if len(tries) <= failures:
            raise DiskFull("'night.sqlite' cannot be written: database or disk is full")
        write(*args)

    monkeypatch.setattr(store, change, attempt)
    return tries


@pytest.mark.parametrize("change", ["add_round", "add_game", "void_game"])
@pytest.mark.parametrize("places", [1, 3])
async def test_tournament_waits_for_a_full_disk_and_plays_no_game_twice(
    autojump_clock: MockClock, path: Path, monkeypatch: pytest.MonkeyPatch, change: str, places: int
) -> None:
    news: list[News] = []
    runner = FakeRunner(spoil={"r01-2.3-d001-s1": 1})
    with store_of(path, "abc") as store:
        tries = fill_disk(store, change, monkeypatch)
        await play(THREE, store, runner, places, news.append)
        assert len(tries) > 5
        assert len(store.finished_game_names()) == 24
        assert len(runner.games) == 25
        assert [(void.game, void.origin) for void in store.voids()] == [("r01-2.3-d001-s1", "machine")]
    told = [bool(n.problem) for n in news if isinstance(n, DiskStateChanged)]
    assert told == [True, False] * (len(told) // 2)
    assert len(told) == 2 or places > 1, "each line once; another change may fit in between"


async def test_version_that_could_not_be_tried_for_a_full_disk_is_tried_again(
    autojump_clock: MockClock, path: Path
) -> None:
    tries: list[Version] = []

    async def try_version(store: Store, version: Version) -> None:
        tries.append(version)
        if len(tries) < 4:
            raise DiskFull("the disk is full")
        store.set_version(replace(version, state="ready"))

    news: list[News] = []
    with store_of(path, "ab") as store:
        store.set_version(Version(2, 2, "v2-new", state="queued"))
        with trio.fail_after(3600):
            await Director(tournament_of("ab", deals=1), store, FakeRunner(), news.append, 1, try_version).play()
        assert len(tries) == 4
        assert [version.state for version in store.versions() if version.edition == 2] == ["ready"]


async def test_spoiled_game_is_void_and_played_again(autojump_clock: MockClock, path: Path) -> None:
    news: list[News] = []
    runner = FakeRunner(spoil={"r01-2.3-d001-s1": 2})
    with store_of(path, "abc") as store:
        await play(THREE, store, runner, tell=news.append)
        assert runner.games[:3] == ["r01-2.3-d001-s1"] * 3
        assert [(void.game, void.origin) for void in store.voids()] == [("r01-2.3-d001-s1", "machine")] * 2
        assert [n.given_up for n in news if isinstance(n, GameVoided)] == [False, False]
        assert len(store.finished_game_names()) == 24


async def test_round_that_could_not_be_played_whole_is_not_followed_by_one_paired_on_it(
    autojump_clock: MockClock, path: Path
) -> None:
    """Its result could change who should have met; another run plays it, and then the tournament goes on."""
    with store_of(path, "abcd") as store:
        await play(FOUR_SWISS, store, FakeRunner(spoil={"r01-1.3-d001-s1": 99}))
        assert [round.number for round in store.rounds()] == [1]
        await play(FOUR_SWISS, store, FakeRunner())
        assert [round.number for round in store.rounds()] == [1, 2, 3]


async def test_cup_says_that_a_round_goes_on_while_its_matches_are_not_decided(
    autojump_clock: MockClock, path: Path
) -> None:
    """a wins the first deal and falls in the second: 2 : 2, and one deal more, which it wins."""
    told: list[News] = []
    runner = FakeRunner(lambda job: crash(job, "a") if "d002" in job.game else ())
    with store_of(path, "ab") as store:
        await play(tournament_of("ab", format="knockout", deals=2), store, runner, tell=told.append)
    assert runner.games == [f"r01-1.2-d00{deal}-s{seating}" for deal in (1, 2, 3) for seating in (1, 2)]
    rounds = [news for news in told if isinstance(news, RoundAnnounced)]
    assert [(news.due_count, news.is_resumed) for news in rounds] == [(4, False), (2, True)]


async def test_game_spoiled_three_times_is_given_up_and_the_tournament_goes_on(
    autojump_clock: MockClock, path: Path
) -> None:
    runner = FakeRunner(spoil={"r01-2.3-d001-s1": 99})
    with store_of(path, "abc") as store:
        await play(THREE, store, runner)
        assert runner.games.count("r01-2.3-d001-s1") == MAX_ATTEMPTS
        assert len(store.finished_game_names()) == 23
        assert missing(THREE, store) == ["r01-2.3-d001-s1"]
        again = FakeRunner()
        await play(THREE, store, again)
        assert again.games == ["r01-2.3-d001-s1"]


async def test_bot_whose_files_are_gone_does_not_end_the_tournament(autojump_clock: MockClock, path: Path) -> None:
    class Gone(FakeRunner):
        async def play(self, job: GameJob) -> GameReport:
            report = await super().play(job)
            if any(seat.name == "c" for seat in job.seats):
                raise ConfigError("no bot at '/bots/c'")
            return report

    with store_of(path, "abc") as store:
        await play(THREE, store, Gone())
        assert {row.fixture.seats for row in store.games()} == {("a", "b"), ("b", "a")}


# ---- changes that the host accepted


async def test_more_deals_keep_what_was_played(autojump_clock: MockClock, path: Path) -> None:
    more = tournament_of("abc", deals=6)
    runner = FakeRunner()
    with store_of(path, "abc") as store:
        await play(THREE, store, FakeRunner())
        await play(more, store, runner)
        assert {name[:3] for name in runner.games} == {"r05", "r06"}
        assert store.voids() == []


async def test_bot_that_comes_late_costs_no_game(autojump_clock: MockClock, path: Path) -> None:
    """One bot appended to eight made 168 of 224 games void."""
    first, second = FakeRunner(), FakeRunner()
    with store_of(path, "abc") as store:
        await play_some(THREE, store, first, 8)
        enter(store, "d")
        await play(THREE, store, second)
        assert not set(first.games) & set(second.games)
        assert store.voids() == []
        stages = Counter(row.fixture.stage for row in store.games())
        assert stages == {"main": 6 + 6 + 12 + 12, "catch-up": 2 * 3 * 2}
        assert len({(row.fixture.round, row.fixture.entries) for row in store.games()}) == 4 * 12


async def test_bot_that_is_removed_plays_no_further_round_and_costs_no_game(
    autojump_clock: MockClock, path: Path
) -> None:
    with store_of(path, "abc") as store:
        await play_some(THREE, store, FakeRunner(), 8)
        store.add_host_action("remove", "b", "no longer in the tournament file")
        await play(THREE, store, FakeRunner())
        assert store.voids() == []
        assert [len(store.finished_game_names(number)) for number in (1, 2, 3, 4)] == [6, 6, 2, 2]
        assert all(row.played for row in store.games())


async def test_new_version_plays_from_the_next_round_on(autojump_clock: MockClock, path: Path) -> None:
    runner = FakeRunner()
    with store_of(path, "ab") as store:

        def tell(news: News) -> None:
            if isinstance(news, GameFinished) and news.fixture.game == "r01-1.2-d001-s1":
                with Store.open_to_change(path) as elsewhere:
                    elsewhere.set_version(Version(2, 2, "v2-new", state="ready"))

        await play(tournament_of("ab", deals=2), store, runner, tell=tell)
        assert [row.fixture.editions for row in store.games()] == [(1, 1), (1, 1), (1, 2), (2, 1)]
    assert [[seat.edition for seat in job.seats] for job in runner.jobs] == [[1, 1], [1, 1], [1, 2], [2, 1]]
    assert {(seat.name, seat.entry) for job in runner.jobs for seat in job.seats} == {("a", 1), ("b", 2)}
    assert [job.seating for job in runner.jobs] == [0, 1, 0, 1]


async def test_two_seatings_of_one_deal_never_run_at_the_same_time(autojump_clock: MockClock, path: Path) -> None:
    """A bot at both tables could tell itself what is to come."""

    class Watched(FakeRunner):
        on: ClassVar[set[str]] = set()

        async def play(self, job: GameJob) -> GameReport:
            assert job.seed not in self.on
            self.on.add(job.seed)
            report = await super().play(job)
            self.on.remove(job.seed)
            return report

    runner = Watched()
    with store_of(path, "abcd") as store:
        await play(tournament_of("abcd", deals=2), store, runner, 4)
    assert len(runner.games) == 24
    assert runner.most_at_once > 1


async def test_news_of_an_ended_game_comes_after_it_is_stored(autojump_clock: MockClock, path: Path) -> None:
    told: list[tuple[bytes, bytes]] = []

    def tell(news: News) -> None:
        if isinstance(news, GameFinished):
            with Store.open_to_change(path) as elsewhere:
                told.append((elsewhere.record(news.fixture.game), news.report.record))

    with store_of(path, "abc") as store:
        await Director(THREE, store, FakeRunner(), tell, 2).play()
    assert len(told) == 24
    assert all(stored == reported for stored, reported in told)

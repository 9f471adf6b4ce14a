"""The view of a tournament: plain lines, and what the live screen tells of the store and of the runner."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from little_bots import wait_until
from little_tournament import made
from made_up import crash, enter, fixture_of, made_up, store_of
from msgspec.structs import replace
from rich.console import Console

from peloarena.cli.live_view import LiveTournament, LiveView
from peloarena.cli.tournament_view import PlainView, TournamentView, make_tournament_view
from peloarena.game import make_options
from peloarena.referee.job import GameJob, SeatJob
from peloarena.tournament import host_commands
from peloarena.tournament.entries import Version
from peloarena.tournament.fixtures import Fixture, Round
from peloarena.tournament.follower import ObservedState
from peloarena.tournament.heartbeat import GameInProgress, Heartbeat, TrialInProgress
from peloarena.tournament.news import DiskStateChanged, GameFinished, RoundAnnounced
from peloarena.tournament.pace import seconds_between_games
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_tournament


def job_of(fixture: Fixture, absent: str = "") -> GameJob:
    seats = tuple(SeatJob(name, name, "benched" if name in absent else "") for name in fixture.seats)
    return GameJob(fixture.game, make_options(2), fixture.seed, seats)


def ended(fixture: Fixture, *falls: str) -> GameFinished:
    return GameFinished(fixture, made_up(job_of(fixture), crash(job_of(fixture), *falls)))


TEXT = 'name = "Friday"\nbots = ["x"]\ndeals = 2\nseed = "s"\n'


def games_of(path: Path) -> tuple[Round, list[Fixture]]:
    """Of the round that is on, those that are missing."""
    with Store.open_to_read(path) as store:
        state = load_tournament(store).state
    return state.rounds[-1], state.due_fixtures(state.rounds[-1])


def add(path: Path, *ends: GameFinished) -> None:
    round, _ = games_of(path)
    with Store.open_to_play(path) as store:
        for end in ends:
            store.add_game(round.id, end.fixture, end.report, played=True)


@pytest.fixture
def forty(tmp_path: Path) -> Path:
    """Forty bots, 200 of 1560 games of the first round."""
    names = [f"bot-{number:02}" for number in range(40)]
    return made(tmp_path / "night.sqlite", TEXT, names, most=200)


@pytest.fixture
def tournament(forty: Path) -> Iterator[LiveTournament]:
    tournament = LiveTournament(forty)
    tournament.poll()
    yield tournament
    tournament.follower.close()


def text_of(tournament: LiveTournament, width: int = 80, height: int = 40) -> str:
    return tournament.draw(width, height).plain


def test_standings_of_a_resumed_tournament_are_there_from_the_start(tournament: LiveTournament) -> None:
    text = text_of(tournament)
    assert "1  bot-00 " in text
    assert "more" in text
    assert "200/3120" in text
    assert "round-robin, round 1 of 2" in text


def test_what_the_runner_plays_and_tries_is_shown_with_the_seconds(tournament: LiveTournament, forty: Path) -> None:
    _, games = games_of(forty)
    now = time.time()
    on = tuple(GameInProgress(game.game, game.seats, now - 3) for game in games[:2])
    tournament.heartbeat = Heartbeat(now - 60, now, 2, on, (TrialInProgress("late\x1b", 2, now - 7),))
    text = text_of(tournament, 160)
    assert f"{games[0].game}  {games[0].seats[0]}, {games[0].seats[1]}  3 s" in text
    assert f"{games[1].game}  {games[1].seats[0]}, {games[1].seats[1]}  3 s" in text
    assert "late␛ v2 plays its trial  7 s" in text
    add(forty, ended(games[0]))
    tournament.state = looked(tournament)
    tournament.heartbeat = Heartbeat(now - 60, now, 2, on)
    assert f"{games[0].game}  {games[0].seats[0]}, {games[0].seats[1]}  " not in text_of(tournament, 160)


def test_time_left_is_told_only_while_somebody_plays(tournament: LiveTournament, forty: Path) -> None:
    """A watcher saw a time left, counted from games of yesterday, when no runner lived."""
    assert " left" not in text_of(tournament)
    tournament.heartbeat = Heartbeat(1.0, time.time(), 2)
    assert " left" in text_of(tournament)
    with Store.open_to_play(forty) as store:
        host_commands.pause(store, True, "pizza")
    tournament.state = looked(tournament)
    tournament.heartbeat = Heartbeat(1.0, time.time(), 2)
    assert " left" not in text_of(tournament)


def test_runner_that_is_silent_is_told(tournament: LiveTournament) -> None:
    tournament.heartbeat = Heartbeat(1.0, time.time() - 60, 2)
    assert "NO NEWS from the tournament for 60 s" in text_of(tournament)
    tournament.heartbeat = Heartbeat(1.0)
    assert "SILENT" not in text_of(tournament)
    assert "bots play their trial games" in text_of(tournament)


def test_results_faults_and_voids_come_from_the_store(tournament: LiveTournament, forty: Path) -> None:
    _, games = games_of(forty)
    add(forty, ended(games[0], games[0].seats[0]))
    with Store.open_to_play(forty) as store:
        store.void_game(games[1].game, "the worker was lost\x1b[31m", "machine")
    tournament.poll()
    text = text_of(tournament, 160)
    assert f"{games[0].game}  1. {games[0].seats[1]} 10, 2. {games[0].seats[0]} eliminated" in text
    assert f"{games[0].seats[0]}: crashed in {games[0].game}: it left" in text
    assert f"{games[1].game} is declared void by the machine: the worker was lost␛[31m" in text


def test_pause_is_shown_until_it_is_taken_back(tournament: LiveTournament, forty: Path) -> None:
    with Store.open_to_play(forty) as store:
        host_commands.pause(store, True, "pizza\x1b[31m")
        tournament.poll()
        assert "PAUSED pizza␛[31m" in text_of(tournament)
        host_commands.pause(store, False, "")
        tournament.poll()
        assert "PAUSED" not in text_of(tournament)


def test_watcher_is_told_when_no_runner_is_at_work(forty: Path) -> None:
    tournament = LiveTournament(forty, "`run` goes on")
    tournament.poll()
    assert "NO RUNNER: `run` goes on" in text_of(tournament)
    assert "to be played" in text_of(tournament)
    with Store.open_to_play(forty) as store:
        store.lock()
        tournament.poll()
        assert "NO RUNNER" not in text_of(tournament)
        assert "to be played" not in text_of(tournament)
        assert "bots play their trial games" in text_of(tournament)
    tournament.follower.close()


def test_places_that_moved_since_the_round_began_are_marked(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", TEXT, "abc", most=7)
    tournament = LiveTournament(path)
    tournament.poll()
    before = text_of(tournament)
    assert "▲▼ since the round started" in before
    assert "▲1" not in before
    _, games = games_of(path)
    add(path, *(ended(game, "a") for game in games))
    tournament.table.rate(looked(tournament))
    text = text_of(tournament)
    assert "▲1  b" in text or "▲1  c" in text
    assert "▼" in text
    tournament.follower.close()


def test_notes_versions_and_late_entries_stand_in_the_table(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", TEXT, "ab", most=2)
    with Store.open_to_play(path) as store:
        enter(store, "c")
        store.set_version(Version(1, 2, "v2-9", version="0.2", state="ready"))
        store.add_host_action("withdraw", "b", "tired")
        state = load_tournament(store).state
        round = state.next_round()
        assert round is not None
        store.add_round(round)
    add(path, *(ended(game) for game in games_of(path)[1]))
    tournament = LiveTournament(path)
    tournament.poll()
    lines = text_of(tournament, 200).split("\n")
    assert any(" a " in line and "v2 (0.2)" in line for line in lines)
    assert any(" b " in line and "withdrawn" in line for line in lines)
    assert any(" c " in line and "from round 2" in line for line in lines)
    assert any("b: withdrawn: tired" in line for line in lines)
    tournament.follower.close()


def looked(tournament: LiveTournament) -> ObservedState:
    seen = tournament.poll()
    assert seen is not None
    return seen


def test_tournament_that_nobody_began_says_so(tmp_path: Path) -> None:
    tournament = LiveTournament(tmp_path / "night.sqlite", "`run` goes on")
    assert tournament.poll() is None
    assert "night  the tournament has not started yet" in text_of(tournament)
    assert not tournament.is_over()


@pytest.mark.parametrize(
    ("ends", "pace"),
    [((), None), ((5.0,), None), ((0.0, 2.0, 6.0), 3.0), ((0.0, 2.0, 4.0, 3604.0, 3606.0), 2.0), ((1.0, 1.0), 0.0)],
)
def test_pace_leaves_out_the_time_when_nobody_played(ends: tuple[float, ...], pace: float | None) -> None:
    assert seconds_between_games(ends) == pace


def test_view_draws_while_games_begin_and_end(forty: Path) -> None:
    """A thread of its own draws; what fails there is a test that fails."""
    out = Console(file=io.StringIO(), force_terminal=True, width=100, height=30)
    _, games = games_of(forty)
    with LiveView(out, forty) as view:
        for fixture in games[:40]:
            add(forty, ended(fixture))
            view.show_news(ended(fixture))
        wait_until(lambda: "240/3120" in out.file.getvalue())  # type: ignore[attr-defined]


def test_screen_that_fails_does_not_end_the_tournament(tmp_path: Path) -> None:
    broken = tmp_path / "night.sqlite"
    broken.write_bytes(b"SQLite format 3\0 and rubbish")
    out = Console(file=io.StringIO(), force_terminal=True, width=200, height=30)
    with LiveView(out, broken) as view:
        view._thread.join()
    assert "the live view ended early" in out.file.getvalue()  # type: ignore[attr-defined]


def test_count_goes_on_from_what_the_round_says(capsys: pytest.CaptureFixture[str]) -> None:
    """A game that was void is not counted twice: the runner says again how many there are."""
    view = PlainView()
    first, second = fixture_of("ab"), fixture_of("ba", seating=2)
    view.show_news(RoundAnnounced(1, 2, 1, "main", 1, 4))
    view.show_news(ended(second))
    view.show_news(RoundAnnounced(1, 2, 1, "main", 1, 4))
    view.show_news(ended(first))
    view.show_news(RoundAnnounced(2, 2, 2, "catch-up", 2, 6))
    view.show_news(ended(replace(first, game="c02-1.2-d002-s1")))
    said = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in said] == [
        "round 1: 1 of 2 games to play",
        "2/4 r01-1.2-d001-s2",
        "round 1: 1 of 2 games to play",
        "2/4 r01-1.2-d001-s1",
        "catch-up of round 2: 2 of 2 games to play",
        "3/6 c02-1.2-d002-s1",
    ]


@pytest.mark.parametrize("view", [PlainView(), TournamentView()])
def test_disk_that_is_full_is_told_on_stderr_also_when_quiet(
    capsys: pytest.CaptureFixture[str], view: TournamentView
) -> None:
    view.show_news(DiskStateChanged("the disk of '/srv' is full: make room there"))
    view.show_news(DiskStateChanged(""))
    assert capsys.readouterr().err.splitlines() == [
        "the disk of '/srv' is full: make room there. The tournament waits and goes on by itself when there is room; "
        "no finished game is lost.",
        "There is room on the disk again: the tournament goes on.",
    ]


def test_disk_that_is_full_is_an_alarm_on_the_screen(forty: Path) -> None:
    view = LiveView(Console(), forty)
    view.tournament.poll()
    view.show_news(DiskStateChanged("the disk of '/srv' is full"))
    assert "WAITS FOR THE DISK: the disk of '/srv' is full" in view.tournament.headline()
    view.show_news(DiskStateChanged(""))
    assert "DISK" not in view.tournament.headline()
    view.tournament.follower.close()


def test_forfeit_is_told_in_the_result_and_is_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    view = PlainView()
    game = fixture_of("ab")
    view.show_news(GameFinished(game, made_up(job_of(game, absent="b"), ())))
    assert capsys.readouterr().out == "1 r01-1.2-d001-s1  1. a 10, 2. b forfeit\n"


def test_terminal_that_can_do_nothing_gets_plain_lines(tmp_path: Path) -> None:
    out = Console(file=io.StringIO(), force_terminal=True, _environ={"TERM": "dumb"})
    with store_of(tmp_path / "night.sqlite", "ab") as store:
        assert type(make_tournament_view(out, store)) is PlainView

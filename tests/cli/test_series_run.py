"""The games of a match while they run: spoiled ones are played again, records are whole, the bar fits its line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from peloarena.cli.line_log import LineLog
from peloarena.cli.records_folder import RecordsFolder
from peloarena.cli.series_run import Contest, SeriesProgress, play_or_raise
from peloarena.game import ConfigError, make_options
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.rotation import series
from peloarena.referee.verdict import Outcome
from peloarena.tournament.game_runner import GameSpoiled
from peloarena.tournament.series_score import SeriesScore

NAMES = ["a bot with a long name", "another one with a longer name"]
JOB = GameJob("game", make_options(2), "seed", tuple(SeatJob("", name) for name in NAMES))


def report(job: GameJob) -> GameReport:
    outcome = Outcome((1, 2), (20, 10), (False, False), True, None)
    names = tuple(seat.name for seat in job.seats)
    return GameReport(job.game, job.seed, names, outcome, (), (), (), ("", ""), b"the record\n")


def contest(folder: Path, games: int) -> Contest:
    return Contest(list(series(JOB, games)), SeriesScore(NAMES), RecordsFolder(folder))


class Faulty:
    """A runner whose machine spoils the first games."""

    def __init__(self, spoiled: int) -> None:
        self.spoiled = spoiled
        self.played = 0

    async def play(self, job: GameJob) -> GameReport:
        self.played += 1
        if self.played <= self.spoiled:
            raise GameSpoiled("no memory")
        return report(job)


@pytest.mark.trio
async def test_spoiled_game_is_played_again() -> None:
    runner = Faulty(2)
    assert (await play_or_raise(runner, JOB)).game == "game"
    assert runner.played == 3


@pytest.mark.trio
async def test_game_spoiled_three_times_is_told_and_blames_nobody() -> None:
    with pytest.raises(ConfigError, match="game: the machine failed 3 times: no memory"):
        await play_or_raise(Faulty(3), JOB)


def test_record_is_kept_on_disk_and_not_in_memory(tmp_path: Path) -> None:
    played = contest(tmp_path / "games", 2)
    played.add(0, report(played.jobs[0]))
    assert (tmp_path / "games" / "game-1.jsonl").read_bytes() == b"the record\n"
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["game-1.jsonl"]
    assert played.score.reports[0].record == b""


@pytest.mark.parametrize("width", [40, 60, 200])
def test_bar_fits_its_line_and_shows_the_count(tmp_path: Path, width: int) -> None:
    screen = io.StringIO()
    out = Console(file=screen, force_terminal=True, width=width, color_system=None, legacy_windows=False)
    played = contest(tmp_path, 4)
    with SeriesProgress(out, played) as advance:
        for place, job in enumerate(played.jobs):
            played.add(place, report(job))
            advance()
    last = screen.getvalue().split("\r")[-1].split("\x1b[2K")[-1].splitlines()[0]
    assert "4/4" in last
    assert len(last) <= width


def test_elsewhere_ten_lines_tell_of_the_progress(tmp_path: Path) -> None:
    told = io.StringIO()
    played = contest(tmp_path, 35)
    with SeriesProgress(Console(file=told, width=200), played) as advance:
        for place, job in enumerate(played.jobs):
            played.add(place, report(job))
            advance()
    lines = told.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[-1].startswith("35/35 games: ")


def test_name_of_a_bot_cannot_forge_a_line_of_the_log(tmp_path: Path) -> None:
    with LineLog(str(tmp_path / "log")) as log:
        assert log is not None
        log("evil\n0.0 other", ">", b"{}\n")
    assert len((tmp_path / "log").read_text().splitlines()) == 1


def test_running_score_of_a_few_deals_has_no_interval_yet(tmp_path: Path) -> None:
    told = io.StringIO()
    played = contest(tmp_path, 4)
    with SeriesProgress(Console(file=told, width=200), played) as advance:
        for place, job in enumerate(played.jobs):
            played.add(place, report(job))
            advance()
    assert told.getvalue().splitlines()[-1].endswith("  Elo +0 (no interval)")

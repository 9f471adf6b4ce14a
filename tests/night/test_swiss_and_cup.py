"""A Swiss of eleven and a cup of seven with real bots, whose runner is killed -9 again and again, beside nights that
ran through: the same games and records, and a table that a program of somebody else's computes from the export."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hosted import Session
from killable import KillableNight
from promises import C, needs
from token_keys import fix_token_key

from peloarena.tournament.archive.archive_check import check_archive
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import StoredTournament, load_tournament

pytestmark = needs(C, shutil.which("cc") is not None)
ROOT = Path(__file__).parents[2]
SOURCES = {"tiny": ROOT / "bots" / "tiny-c" / "bot.c", "good": ROOT / "tests" / "zoo" / "good.c"}
HOUSE = ["greedy", "random"]
INDEPENDENT_PLACES = ROOT / "tests" / "tournament" / "independent_places.py"
INDEPENDENT_ARCHIVE = ROOT / "tests" / "tournament" / "independent_archive.py"
KEYS = (
    'seed = "formats"\nsandbox = "off"\njobs = 2\ntime = "60s"\nbench_after = 0\nsame_deals = true\nanonymous = true\n'
)
NIGHTS = {
    "swiss": (11, 'format = "swiss"\nrounds = 5\ndeals = 1\n', [1, 7, 20, 33]),
    "knockout": (7, 'format = "knockout"\ndeals = 2\nextra_deals = 2\n', [1, 5, 9, 14]),
}
"""Bots, keys, and after how many games the runner is killed."""


class FormatNight(KillableNight):
    def __init__(self, folder: Path, format: str) -> None:
        super().__init__(folder)
        self.store_path = fix_token_key(self.file.with_suffix(".sqlite"))
        compiler = shutil.which("cc")
        assert compiler is not None
        for name, source in SOURCES.items():
            (folder / name).mkdir()
            subprocess.run([compiler, "-O1", "-o", folder / name / "bot", source], check=True)
            (folder / name / "bot.toml").write_text(f'name = "{name}"\ncommand = ["./bot"]\n')
        count, keys, self.kills = NIGHTS[format]
        aliases = [f'{{ path = "{("tiny", "good")[n % 2]}", alias = "bot-{n}" }}' for n in range(count - len(HOUSE))]
        bots = ", ".join([*(json.dumps(name) for name in HOUSE), *aliases])
        self.file.write_text(f'name = "Night"\nbots = [{bots}]\n{KEYS}{keys}')

    def play(self, kills: list[int]) -> None:
        done = 0
        for wanted in kills:
            session = Session(self.start("run"))
            while done < wanted:
                session.read_until(r"^\d+/\d+ r\d+-")
                done += 1
            session.end(kill=True)
            self.wait_until_alone()
            with Store.open_to_read(self.store_path) as store:
                done = len(store.finished_game_names())  # including those whose line was not read
        session = Session(self.start("run"))
        assert session.end() == 0, "".join(session.said)

    def call(self, command: str, *words: str) -> str:
        done = subprocess.run(self.words(command, *words), capture_output=True, text=True, check=True)
        return done.stdout


@pytest.fixture(scope="module", params=list(NIGHTS))
def nights(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[FormatNight, FormatNight]:
    """One that is killed, and one that runs through."""
    folder = tmp_path_factory.mktemp(request.param)
    killed, whole = FormatNight(folder / "killed", request.param), FormatNight(folder / "whole", request.param)
    killed.play(killed.kills)
    whole.play([])
    return killed, whole


def night_in(night: FormatNight) -> tuple[StoredTournament, dict[str, str]]:
    """With the digest of every record: all of a game but its times."""
    with Store.open_to_read(night.store_path) as store:
        ends = {name: json.loads(store.record(name).splitlines()[-1])["game"] for name in store.finished_game_names()}
        return load_tournament(store), ends


def test_killed_night_is_the_one_that_ran_through(nights: tuple[FormatNight, FormatNight]) -> None:
    (killed, records), (whole, others) = map(night_in, nights)
    assert killed.state.rounds == whole.state.rounds
    assert records == others
    assert killed.is_over()
    assert killed.standings().lines == whole.standings().lines


def test_program_of_somebody_else_computes_the_same_places(nights: tuple[FormatNight, FormatNight]) -> None:
    night = nights[0]
    night.call("export", "--to", str(night.folder / "export"))
    words = [sys.executable, "-I", str(INDEPENDENT_PLACES), str(night.folder / "export")]
    told = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    for line in night_in(night)[0].standings().lines:
        row = line.swiss
        mine = [row.match_points, row.game_points, row.buchholz, row.sonneborn_berger] if row else []
        assert told[line.player] == [line.place, *mine]


def test_nobody_met_twice_and_the_cup_ended_when_it_was_decided(nights: tuple[FormatNight, FormatNight]) -> None:
    night = night_in(nights[0])[0]
    pairs = [frozenset(table) for round in night.state.rounds for table in round.tables]
    assert len(set(pairs)) == len(pairs)
    if night.config.format == "knockout":
        assert len(pairs) == 7  # six and the third place
        for round in night.state.rounds:
            for match in night.state.matches(round):
                assert match.is_over
                assert match.due_deals == match.possible_deals
                ahead = abs(match.half_points[0] - match.half_points[1])
                assert ahead or match.possible_deals == tuple(range(1, 5))


def test_archive_holds_for_us_and_for_somebody_else(nights: tuple[FormatNight, FormatNight]) -> None:
    night = nights[0]
    archive = night.folder / "archive"
    night.call("close")
    night.call("export", "--to", str(archive), "--archive")
    assert check_archive(archive).missing == 0
    words = [sys.executable, "-I", str(INDEPENDENT_ARCHIVE), str(archive)]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stderr == ""

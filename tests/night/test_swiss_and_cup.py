"""A Swiss of eleven and a cup of seven with real bots, whose runner is killed -9 again and again, beside tournaments
that ran through: the same games and records, and a table that a program of somebody else's computes from the export."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hosted import Session
from killable import KillableTournament
from promises import C, needs
from token_keys import fix_token_key

from peloarena.tournament.archive.archive_check import check_archive
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import StoredTournament, load_tournament

pytestmark = needs(C, shutil.which("cc") is not None)
ROOT = Path(__file__).parents[2]
SOURCES = {"tiny": ROOT / "bots" / "tiny-c" / "bot.c", "good": ROOT / "tests" / "zoo" / "good.c"}
BUILT_IN_BOTS = ["greedy", "random"]
INDEPENDENT_PLACES = ROOT / "tests" / "tournament" / "independent_places.py"
INDEPENDENT_ARCHIVE = ROOT / "tests" / "tournament" / "independent_archive.py"
KEYS = (
    'seed = "formats"\nsandbox = "off"\njobs = 2\ntime = "60s"\nbench_after = 0\nsame_deals = true\nanonymous = true\n'
)
TOURNAMENTS = {
    "swiss": (11, 'format = "swiss"\nrounds = 5\ndeals = 1\n', [1, 7, 20, 33]),
    "knockout": (7, 'format = "knockout"\ndeals = 2\nextra_deals = 2\n', [1, 5, 9, 14]),
}
"""Bots, keys, and after how many games the runner is killed."""


class FormatTournament(KillableTournament):
    def __init__(self, folder: Path, format: str) -> None:
        super().__init__(folder)
        self.store_path = fix_token_key(self.file.with_suffix(".sqlite"))
        compiler = shutil.which("cc")
        assert compiler is not None
        for name, source in SOURCES.items():
            (folder / name).mkdir()
            subprocess.run([compiler, "-O1", "-o", folder / name / "bot", source], check=True)
            (folder / name / "bot.toml").write_text(f'name = "{name}"\ncommand = ["./bot"]\n')
        count, keys, self.kills = TOURNAMENTS[format]
        aliases = [
            f'{{ path = "{("tiny", "good")[n % 2]}", alias = "bot-{n}" }}' for n in range(count - len(BUILT_IN_BOTS))
        ]
        bots = ", ".join([*(json.dumps(name) for name in BUILT_IN_BOTS), *aliases])
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


@pytest.fixture(scope="module", params=list(TOURNAMENTS))
def tournaments(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[FormatTournament, FormatTournament]:
    """One that is killed, and one that runs through."""
    folder = tmp_path_factory.mktemp(request.param)
    killed, whole = (
        FormatTournament(folder / "killed", request.param),
        FormatTournament(folder / "whole", request.param),
    )
    killed.play(killed.kills)
    whole.play([])
    return killed, whole


def tournament_in(tournament: FormatTournament) -> tuple[StoredTournament, dict[str, str]]:
    """With the digest of every record: all of a game but its times."""
    with Store.open_to_read(tournament.store_path) as store:
        ends = {name: json.loads(store.record(name).splitlines()[-1])["game"] for name in store.finished_game_names()}
        return load_tournament(store), ends


def test_killed_tournament_is_the_one_that_ran_through(tournaments: tuple[FormatTournament, FormatTournament]) -> None:
    (killed, records), (whole, others) = map(tournament_in, tournaments)
    assert killed.state.rounds == whole.state.rounds
    assert records == others
    assert killed.is_over()
    assert killed.standings().lines == whole.standings().lines


def test_program_of_somebody_else_computes_the_same_places(
    tournaments: tuple[FormatTournament, FormatTournament],
) -> None:
    tournament = tournaments[0]
    tournament.call("export", "--to", str(tournament.folder / "export"))
    words = [sys.executable, "-I", str(INDEPENDENT_PLACES), str(tournament.folder / "export")]
    told = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    for line in tournament_in(tournament)[0].standings().lines:
        row = line.swiss
        mine = [row.match_points, row.game_points, row.buchholz, row.sonneborn_berger] if row else []
        assert told[line.player] == [line.place, *mine]


def test_nobody_met_twice_and_the_cup_ended_when_it_was_decided(
    tournaments: tuple[FormatTournament, FormatTournament],
) -> None:
    tournament = tournament_in(tournaments[0])[0]
    pairs = [frozenset(table) for round in tournament.state.rounds for table in round.tables]
    assert len(set(pairs)) == len(pairs)
    if tournament.config.format == "knockout":
        assert len(pairs) == 7  # six and the third place
        for round in tournament.state.rounds:
            for match in tournament.state.matches(round):
                assert match.is_over
                assert match.due_deals == match.possible_deals
                ahead = abs(match.half_points[0] - match.half_points[1])
                assert ahead or match.possible_deals == tuple(range(1, 5))


def test_archive_holds_for_us_and_for_somebody_else(tournaments: tuple[FormatTournament, FormatTournament]) -> None:
    tournament = tournaments[0]
    archive = tournament.folder / "archive"
    tournament.call("close")
    tournament.call("export", "--to", str(archive), "--archive")
    assert check_archive(archive).missing == 0
    words = [sys.executable, "-I", str(INDEPENDENT_ARCHIVE), str(archive)]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stderr == ""

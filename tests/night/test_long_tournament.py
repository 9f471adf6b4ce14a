"""One long tournament with real bots that has everything (long_tournament.py plays it), and what must be true after
it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from long_tournament import ROUNDS, LongTournament
from promises import C, needs

from peloarena.referee.bot_files import content_hash
from peloarena.tournament.archive.archive_check import check_archive
from peloarena.tournament.entries import Version
from peloarena.tournament.store import Store

pytestmark = needs(C, shutil.which("cc") is not None)
HERE = Path(__file__).parent
INDEPENDENT_TABLE = HERE / "independent_table.py"
INDEPENDENT_ARCHIVE = HERE.parent / "tournament" / "independent_archive.py"
ROSTER_AT_THE_END = (1, 2, 3, 5, 6)


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> LongTournament:
    tournament = LongTournament(tmp_path_factory.mktemp("long"))
    tournament.play()
    return tournament


@pytest.fixture
def store(tournament: LongTournament) -> Iterator[Store]:
    with Store.open_to_read(tournament.store_path) as store:
        yield store


@pytest.fixture(scope="module")
def exported(tournament: LongTournament) -> Path:
    tournament.run_command("export", "--to", str(tournament.folder / "export"))
    return tournament.folder / "export"


def test_runner_was_killed_at_every_stage(tournament: LongTournament) -> None:
    assert tournament.stages == [
        "trials of the field",
        "main round",
        "pause",
        "trial of a late entry",
        "main round after new versions",
        "catch-up",
    ]


def test_no_game_was_void_or_played_twice(tournament: LongTournament, store: Store) -> None:
    """LongNight.note has looked at every stop; here the count of all."""
    assert store.voided_games() == []
    assert len(tournament.reported) == len(set(tournament.reported))
    assert tournament.stored() == tournament.kept
    unseen = tournament.kept.keys() - set(tournament.reported)
    assert len(unseen) <= 2 * len(tournament.stages), "stored, and killed before it could be told: one a place at most"


def test_who_nothing_happened_to_played_every_deal_once(store: Store) -> None:
    between = [row for row in store.games() if set(row.fixture.entries) == {1, 2}]
    assert [(row.fixture.stage, row.fixture.round, row.fixture.seating) for row in between] == [
        ("main", number, seating) for number in range(1, ROUNDS + 1) for seating in (1, 2)
    ]
    assert all(row.played and not row.verdicts for row in between)


def test_in_the_end_all_of_the_roster_have_met_on_every_deal(store: Store) -> None:
    """Late, benched or withdrawn: what was missed was caught up, once."""
    whole = Counter(
        (row.fixture.round, row.fixture.entries) for row in store.games() if row.played and 4 not in row.fixture.entries
    )
    seats = [seats for pair in combinations(ROSTER_AT_THE_END, 2) for seats in (pair, pair[::-1])]
    assert whole == Counter((number, pair) for number in range(1, ROUNDS + 1) for pair in seats)


def test_removed_bot_keeps_what_it_played_and_plays_no_more(store: Store) -> None:
    last = max(row.fixture.round for row in store.games() if 4 in row.fixture.entries)
    assert 2 <= last < ROUNDS
    assert all(row.fixture.stage == "main" for row in store.games() if 4 in row.fixture.entries)


def test_version_that_failed_never_played_and_others_followed_each_other(store: Store) -> None:
    version_numbers: dict[int, list[int]] = {}
    for row in store.games():
        for entry, version_number in zip(row.fixture.entries, row.fixture.editions, strict=True):
            version_numbers.setdefault(entry, []).append(version_number)
    assert all(found == sorted(found) for found in version_numbers.values())
    assert [set(version_numbers[entry]) for entry in range(1, 7)] == [{1}, {1}, {1, 2}, {1}, {1}, {1, 3}]


def test_hashes_in_the_records_are_those_of_the_files_that_played(tournament: LongTournament, store: Store) -> None:
    """Every bot says its mark in every game; it stands in bot.toml of the copy that the hash names."""
    ready = [version for version in store.versions() if version.state == "ready"]
    kept = {folder.name for folder in tournament.store_path.with_suffix(".bots").iterdir()}
    assert kept == {version.hash for version in ready}, "of the one that was refused no copy is kept"
    marks = {version.hash: mark_of(tournament, version) for version in ready}
    assert len(set(marks.values())) == len(marks) == 8
    for row in store.games():
        header = json.loads(store.record(row.fixture.game).splitlines()[0])
        named = {number: f"mark {marks[seat['bot']]}" for number, seat in enumerate(header["seats"]) if seat["bot"]}
        said = {number: text.splitlines()[0] for number, text in store.stderr(row.fixture.game).items()}
        assert said == (named if row.played else {}), "where one of two forfeits, nobody is started"
        assert len(named) == 2 or not row.played


def mark_of(tournament: LongTournament, version: Version) -> str:
    copy = tournament.store_path.with_suffix(".bots") / version.hash / "bot"
    assert content_hash(copy) == version.hash
    return (copy / "bot.toml").read_text().split('"')[5]


def test_table_is_the_one_that_an_independent_program_computes_from_the_export(
    tournament: LongTournament, exported: Path
) -> None:
    right: dict[str, list[float]] = json.loads(said_by(INDEPENDENT_TABLE, exported))
    told: dict[str, Any] = json.loads((exported / "standings.json").read_text())
    shown: dict[str, Any] = json.loads(tournament.run_command("standings", "--json"))
    assert shown["points"] == told["points"] == {name: row[0] for name, row in right.items()}
    rows = {r["player"]: [r["points"], r["games"], r["wins"], r["draws"], r["losses"]] for r in shown["ratings"]}
    assert rows == right
    assert all(right[name][1] == 2 * ROUNDS * 4 + against_goes(exported, name) for name in right if name != "goes")


def against_goes(exported: Path, name: str) -> int:
    games = json.loads((exported / "games.json").read_text())
    return sum({"goes", name} == set(game["seats"]) for game in games)


def test_archive_of_the_tournament_verifies_after_it_is_closed(tournament: LongTournament, exported: Path) -> None:
    folder = tournament.folder / "archive"
    assert "close" in tournament.run_command("export", "--to", str(folder), "--archive", code=2)
    tournament.run_command("close")
    tournament.run_command("run", code=2)
    tournament.run_command("export", "--to", str(folder), "--archive")
    check_archive(folder)
    assert said_by(INDEPENDENT_ARCHIVE, folder) == f"{len(tournament.kept)} games\n"


def said_by(program: Path, folder: Path) -> str:
    return subprocess.run([sys.executable, "-I", program, folder], stdout=subprocess.PIPE, text=True, check=True).stdout

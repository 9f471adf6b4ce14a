"""Export: everything about a tournament for programs, and the records as they were written."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_tournament import HOSTILE, REDRAWN, VOID, add, made
from made_up import fixture_of
from msgspec.structs import replace

from peloarena.cli.main import cli
from peloarena.referee.record_verification import verify_record
from peloarena.tournament.csv_text import csv_cell, csv_sheet
from peloarena.tournament.points_and_ratings import rating_results
from peloarena.tournament.ratings import rating_table, read_csv
from peloarena.tournament.store import Store

TWO = 'name = "Two"\nbots = ["a", "b"]\ndeals = 2\n'
ALONE = 'name = "Alone"\nbots = ["a", "b"]\nformat = "solo"\ndeals = 2\nlevels = [1]\n'


def tournament(*args: str) -> Result:
    return CliRunner().invoke(cli, ["tournament", *args])


@pytest.fixture(scope="module")
def folder(little_tournament: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("export") / "made" / "here"
    result = tournament("export", str(little_tournament / "night.toml"), "--to", str(target), "--records")
    assert result.exit_code == 0, result.output
    return target


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_games_have_a_row_for_each_seat(folder: Path) -> None:
    found = rows(folder / "games.csv")
    assert len(found) == 18 * 2
    assert {row["faults"] for row in found} == {"", "crashed", "forfeit"}
    assert {row["rank"] for row in found} == {"1", "2"}
    assert sum(row["played"] == "0" for row in found) == 8 * 2


def test_results_give_the_same_ratings_again(folder: Path, little_tournament: Path) -> None:
    with Store.open_to_change(little_tournament / "night.sqlite") as store:
        expected = rating_table(rating_results(store.games()))
    again = rating_table(read_csv((folder / "results.csv").read_text("utf-8")))
    assert [row.rating for row in again.ratings] == pytest.approx([row.rating for row in expected.ratings])


def test_names_are_exact_in_json_and_no_formula_in_csv(folder: Path) -> None:
    standings = json.loads((folder / "standings.json").read_text())
    assert HOSTILE in [row["player"] for row in standings["ratings"]]
    assert f"'{HOSTILE}" in [row["player"] for row in rows(folder / "standings.csv")]


def test_standings_tell_what_the_host_did(folder: Path) -> None:
    standings = json.loads((folder / "standings.json").read_text())
    assert standings["finished"] is True
    assert [order["kind"] for order in standings["orders"]] == ["void"]
    assert [void["game"] for void in standings["voids"]] == [VOID, VOID.replace("s1", "s2")]
    assert [bot["bot"] for bot in standings["left_out"]] == ["nowhere"]
    assert standings["forfeits"] == {"crashes": 8}


def test_seeds_come_with_their_digests(folder: Path) -> None:
    found = rows(folder / "seeds.csv")
    assert len(found) == 9
    for row in found:
        assert row["sha256"] == hashlib.sha256(row["seed"].encode()).hexdigest()
        assert len(row["games"].split()) == 2


def test_faults_have_their_evidence(folder: Path) -> None:
    crashed = [row for row in rows(folder / "faults.csv") if row["fault"] == "crashed"]
    assert len(crashed) == 4
    assert all(row["exit_status"] == "3" and "onerror" in row["stderr"] and row["request"] for row in crashed)


def test_records_hold_and_games_json_knows_each(folder: Path) -> None:
    games = json.loads((folder / "games.json").read_text())
    records = {path.stem: path.read_bytes() for path in (folder / "records").iterdir()}
    assert {game["game"] for game in games} == set(records)
    for content in records.values():
        verify_record(content)


def test_solo_standings_are_by_mean_score(tmp_path: Path) -> None:
    tournament("export", str(made(tmp_path / "s.sqlite", ALONE, "ab")), "--to", str(tmp_path / "out"))
    assert [row["mean_score"] for row in rows(tmp_path / "out" / "standings.csv")] == ["19", "19"]


def test_deal_that_is_still_played_is_left_out_and_that_is_said(tmp_path: Path) -> None:
    path = made(tmp_path / "s.sqlite", TWO, "ab", most=3)
    with Store.open_to_read(path) as store:
        open_seed, _, closed_seed = [row.fixture.seed for row in store.games()]
    result = tournament("export", str(path), "--to", str(tmp_path / "out"), "--records")
    assert result.exit_code == 0
    assert "Some deals are still being played" in result.stderr
    written = {file.name: file.read_text() for file in (tmp_path / "out").rglob("*") if file.is_file()}
    assert any(open_seed in text for text in written.values())
    assert not any(closed_seed in text for text in written.values())
    assert {name for name in written if name.endswith(".jsonl")} == {"r01-1.2-d001-s1.jsonl", "r01-1.2-d001-s2.jsonl"}


def test_store_cannot_write_outside_the_folder(tmp_path: Path) -> None:
    path = made(tmp_path / "s.sqlite", TWO, "ab")
    with Store.open_to_change(path) as store:
        add(store, 1, replace(fixture_of("ab", table=9), game="../../escaped"), "ab")
    result = tournament("export", str(path), "--to", str(tmp_path / "a" / "b"), "--records")
    assert result.exit_code == 2
    assert "damaged" in result.stderr
    assert not list(tmp_path.rglob("escaped*"))


def test_folder_that_is_a_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = tournament("export", str(made(tmp_path / "s.sqlite", TWO, "ab")), "--to", str(tmp_path / "file"))
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


# -- before there is a secret


@pytest.fixture
def undrawn(tmp_path: Path) -> Path:
    """As `tournament enter --token` leaves a tournament: begun, and nothing tried or dealt."""
    with Store.open_to_play(tmp_path / "night.sqlite") as store:
        store.set_meta("config", TWO)
    return tmp_path / "night.sqlite"


def test_standings_commit_to_nothing_before_a_secret_is_drawn(undrawn: Path, tmp_path: Path) -> None:
    """They had the SHA-256 of no bytes."""
    assert tournament("export", str(undrawn), "--to", str(tmp_path / "out")).exit_code == 0
    told = json.loads((tmp_path / "out" / "standings.json").read_text())
    assert (told["commitment"], told["deals"]) == ("", "deals by a secret that is not drawn yet")


def test_tournament_that_is_closed_before_a_secret_is_drawn_has_an_archive_that_holds(
    undrawn: Path, tmp_path: Path
) -> None:
    closed = tournament("close", str(undrawn), "--unfinished")
    assert re.fullmatch("The tournament is closed.\nsecret [0-9a-f]{32}, no word\n", closed.output)
    assert tournament("export", str(undrawn), "--to", str(tmp_path / "out"), "--archive").exit_code == 0
    assert CliRunner().invoke(cli, ["verify", str(tmp_path / "out")]).exit_code == 0


# -- one record


def test_record_is_printed_as_it_was_written(little_tournament: Path) -> None:
    result = tournament("record", str(little_tournament / "night.sqlite"), REDRAWN)
    with Store.open_to_change(little_tournament / "night.sqlite") as store:
        assert result.stdout_bytes == store.record(REDRAWN)
    assert verify_record(result.stdout_bytes).header.game == REDRAWN


def test_unknown_game_is_refused_with_the_nearest(little_tournament: Path) -> None:
    result = tournament("record", str(little_tournament / "night.sqlite"), "r01-1.3-d001-s9")
    assert result.exit_code == 2
    assert "did you mean 'r01-1.3-d001-s" in result.stderr


# -- sheets


def test_cells_are_plain_and_never_formulas() -> None:
    assert [csv_cell(value) for value in ("=1+1", "@x", "-1", "a=1")] == ["'=1+1", "'@x", "'-1", "a=1"]
    assert [csv_cell(value) for value in (None, True, -1, 0.25, 2.0)] == ["", 1, -1, "0.25", "2"]
    assert csv_sheet(("a", "b"), [('x,"y"', "line\nbreak")]) == 'a,b\n"x,""y""","line\nbreak"\n'

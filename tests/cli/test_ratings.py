"""`peloarena ratings`: the same table from a store, its records and its results; mistakes in one line."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from little_bots import little_bot
from little_tournament import HOSTILE, made

from peloarena.cli.main import cli
from peloarena.tournament.ratings import RatingRow
from peloarena.tournament.store import Store

DUELS = "game,first,second,result\n1,a,b,1-0\n2,b,a,1/2-1/2\n3,a,b,0-1\n4,b,c,1-0\n5,a,c,1-0\n6,c,a,1-0\n"
ONE_DEAL = "game,player,rank,cluster\n1,a,1,x\n1,b,2,x\n2,b,1,x\n2,a,2,x\n"
TWO = 'name = "Two"\nbots = ["a", "b", "c"]\ndeals = 2\n'
ALONE = 'name = "Alone"\nbots = ["a", "b"]\nformat = "solo"\ndeals = 2\nlevels = [1]\n'


def ratings(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["ratings", *map(str, args)])


def ratings_json(*args: str | Path) -> dict[str, Any]:
    result = ratings(*args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def refused(*args: str | Path) -> str:
    """The one line."""
    result = ratings(*args)
    assert result.exit_code == 2, result.output
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


@pytest.fixture
def duels(tmp_path: Path) -> Path:
    path = tmp_path / "duels.csv"
    path.write_text(DUELS)
    return path


@pytest.fixture(scope="module")
def records(little_tournament: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    with Store.open_to_change(little_tournament / "night.sqlite") as store:
        for name in store.finished_game_names():
            (folder / f"{name}.jsonl").write_bytes(store.record(name))
    return folder


# -- what is rated


def test_store_and_its_records_give_the_same_ratings(little_tournament: Path, records: Path) -> None:
    store, folder = ratings_json(little_tournament / "night.sqlite"), ratings_json(records)
    for one, two in zip(store["ratings"], folder["ratings"], strict=True):
        assert one == pytest.approx(two)
    assert store["warnings"] == folder["warnings"]
    assert {row["player"]: row["faults"] for row in store["ratings"]} == {"random": 0, HOSTILE: 0, "crashes": 4}


def test_tournament_file_stands_for_its_store(little_tournament: Path) -> None:
    assert ratings_json(little_tournament / "night.toml") == ratings_json(little_tournament / "night.sqlite")


def test_forfeits_are_left_out_and_told(little_tournament: Path, records: Path) -> None:
    for place in (little_tournament / "night.sqlite", records):
        found = ratings_json(place)
        assert found["forfeits"] == {"crashes": 8}
        assert "counted, but not rated: 8 games with a forfeit" in found["warnings"]
        assert sum(row["games"] for row in found["ratings"]) == 2 * 18


def test_records_need_not_be_played_again(records: Path) -> None:
    assert ratings_json(records, "--no-replay") == ratings_json(records)


def test_one_record_is_enough(records: Path) -> None:
    found = ratings_json(next(records.glob("r01-*s1.jsonl")))
    assert [row["error"] for row in found["ratings"]] == [None, None]


def test_copy_of_a_record_counts_once(records: Path, tmp_path: Path) -> None:
    one = next(records.glob("r01-*s1.jsonl"))
    for name in ("a.jsonl", "b.jsonl"):
        shutil.copy(one, tmp_path / name)
    found = ratings_json(tmp_path)
    assert [row["games"] for row in found["ratings"]] == [1, 1]
    assert "left out: 1 copy of a record" in found["warnings"]


def test_versions_are_merged_with_a_word_or_rated_apart(tmp_path: Path) -> None:
    """A changed bot keeps its name and not its hash."""
    other = little_bot(tmp_path, "other")
    mine = little_bot(tmp_path, "mine")
    for games in ("4", "2"):
        args = ["--games", games, "--seed", "v", "--sandbox", "off", "--record", str(tmp_path / "games")]
        assert CliRunner().invoke(cli, ["match", mine, other, *args]).exit_code == 0
        (tmp_path / "mine" / "new.txt").write_text("a change")
    merged, apart = ratings_json(tmp_path / "games"), ratings_json(tmp_path / "games", "--by-version")
    assert {row["player"]: row["games"] for row in merged["ratings"]} == {"mine": 6, "other": 6}
    assert "mine: 2 versions rated as one; --by-version rates them apart" in merged["warnings"]
    assert sorted(row["games"] for row in apart["ratings"]) == [2, 4, 6]
    assert all(re.fullmatch(r"other|mine@[0-9a-f]{8}", row["player"]) for row in apart["ratings"])
    assert not any("versions" in said for said in apart["warnings"])


def test_seat_advantage_comes_from_the_first_turn_order(little_tournament: Path, records: Path) -> None:
    store = ratings_json(little_tournament / "night.sqlite", "--seat-advantage")
    assert [seat["position"] for seat in store["seats"]] == [0, 1]
    assert sum(seat["elo"] for seat in store["seats"]) == pytest.approx(0, abs=1e-6)
    folder = ratings_json(records, "--seat-advantage")
    assert [seat["elo"] for seat in folder["seats"]] == pytest.approx([seat["elo"] for seat in store["seats"]])
    assert [seat["error"] for seat in folder["seats"]] == pytest.approx([seat["error"] for seat in store["seats"]])


def test_nobody_is_3222_where_one_wins_and_one_loses_everything(tmp_path: Path) -> None:
    """Seen at a host's: `c1 3222, random -222`."""
    rows = ratings_json(made(tmp_path / "n.sqlite", TWO, "abc"))["ratings"]
    assert [row["player"] for row in rows] == ["a", "b", "c"]
    assert all(1000 < row["rating"] < 2000 for row in rows)
    assert [row["open_end"] for row in rows] == ["above", "", "below"]


def test_three_deals_that_all_split_are_no_knowledge(tmp_path: Path) -> None:
    """Seen at a host's: ± 64 from six games."""
    rows = [
        f"{deal}{n},{bot},{1 + (n + place) % 2},{deal}"
        for deal in "xyz"
        for n in (0, 1)
        for place, bot in enumerate("ab")
    ]
    (tmp_path / "split.csv").write_text("\n".join(["game,player,rank,cluster", *rows]))
    for prior in ("2", "0"):
        found = ratings_json(tmp_path / "split.csv", "--prior", prior)["ratings"]
        assert [row["wins"] for row in found] == [3, 3]
        assert all(200 <= row["error"] < 1000 for row in found)


def test_prior_of_the_tournament_is_taken_unless_another_is_asked_for(tmp_path: Path) -> None:
    """a wins everything."""
    tournament = made(tmp_path / "n.sqlite", f"{TWO}prior = 5\n", "abc")
    firsts = [
        ratings_json(tournament, *given)["ratings"][0]["rating"] for given in ((), ("--prior", "2"), ("--prior", "0"))
    ]
    assert 1500 < firsts[0] < firsts[1] < 2000 < firsts[2]
    assert "counts 5 extra draws against the mean" in ratings(tournament).stdout
    assert "from the results alone" in ratings(tournament, "--prior", "0").stdout


# -- how it is told


def test_json_has_a_row_for_each_player_from_the_strongest_down(duels: Path) -> None:
    rows = ratings_json(duels)["ratings"]
    assert [row["player"] for row in rows] == ["b", "a", "c"]
    assert list(rows[0]) == list(RatingRow.__struct_fields__)
    assert sum(row["rating"] for row in rows) == pytest.approx(4500)


def test_csv_has_the_same_numbers_and_warnings_go_to_stderr(duels: Path) -> None:
    result = ratings(duels, "--csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [float(row["rating"]) for row in rows] == pytest.approx(
        [r["rating"] for r in ratings_json(duels)["ratings"]]
    )
    assert "few deals" in result.stderr


def test_table_tells_few_deals_and_positions(duels: Path) -> None:
    shown = ratings(duels, "--seat-advantage").stdout
    assert "± 95 %" in shown
    assert shown.count("few deals") == 1
    assert "turn position 1:" in shown


def test_one_deal_has_no_error_bars(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(ONE_DEAL)
    shown = ratings(tmp_path / "one.csv").stdout
    assert "± ?: no interval for 2 bots" in shown
    assert "one deal only" in shown


def test_hostile_name_cannot_steer_the_terminal(little_tournament: Path) -> None:
    assert "\u202e" not in ratings(little_tournament / "night.sqlite").stdout


# -- mistakes


def test_bad_csv_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("game,first,second,result\n1,a,b,2-0\n")
    assert "bad.csv:2: result '2-0'" in refused(tmp_path / "bad.csv")


def test_positions_are_needed_for_the_seat_advantage(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(ONE_DEAL)
    assert "turn positions" in refused(tmp_path / "one.csv", "--seat-advantage")


def test_record_that_was_changed_is_named(records: Path, tmp_path: Path) -> None:
    content = next(records.glob("r01*")).read_bytes()
    (tmp_path / "changed.jsonl").write_bytes(content.replace(b'"ranks":[1,2]', b'"ranks":[2,1]', 1)[:-40] + b"\n")
    assert "changed.jsonl: this record is invalid: line " in refused(tmp_path)


def test_solo_games_are_not_rated(tmp_path: Path) -> None:
    assert "no results to rate" in refused(made(tmp_path / "s.sqlite", ALONE, "ab"))


def test_nothing_there_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "none.csv")
    assert "no tournament store" in refused(tmp_path / "none.sqlite")
    assert "no *.jsonl" in refused(tmp_path)


def test_json_and_csv_exclude_each_other(duels: Path) -> None:
    assert "not both" in refused(duels, "--json", "--csv")


def test_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE things (x)")
    database.close()
    before = path.read_bytes()
    assert "not a tournament store" in refused(path)
    assert path.read_bytes() == before


def test_damaged_store_is_told_in_one_line(tmp_path: Path) -> None:
    path = made(tmp_path / "s.sqlite", TWO, "abc")
    with Store.open_to_change(path) as store:
        store._db.execute("UPDATE games SET outcome = '{}'")
    assert "damaged" in refused(path)
    with Store.open_to_change(path) as store:
        store._db.execute("DROP TABLE games")
        store._db.execute("CREATE TABLE games (game, round)")
    assert "damaged" in refused(path)

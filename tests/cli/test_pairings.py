"""`tournament pairings`, and the tables of Swiss and cup in the terminal: the same words everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_tournament import made
from msgspec.structs import replace

from peloarena.cli.live_standings import LiveStandings
from peloarena.cli.live_view import LiveTournament
from peloarena.cli.main import cli
from peloarena.tournament.store import Store

SWISS = 'name = "Swiss"\nbots = ["x"]\nformat = "swiss"\nrounds = 2\ndeals = 1\n'
CUP = 'name = "Cup"\nbots = ["x"]\nformat = "knockout"\ndeals = 3\n'


def call(*words: object) -> Result:
    return CliRunner().invoke(cli, ["tournament", *map(str, words)], env={"COLUMNS": "120"})


@pytest.fixture
def swiss(tmp_path: Path) -> Path:
    return made(tmp_path / "s.sqlite", SWISS, "abcde")


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    return made(tmp_path / "c.sqlite", CUP, "abcd")


def test_rounds_are_printed_with_results_and_byes(swiss: Path) -> None:
    assert [line.rstrip() for line in call("pairings", swiss).output.splitlines()] == [
        "Swiss",
        "",
        "Round 1",
        "table  bots   points",
        "    1  a – c   2 : 0",
        "    2  b – d   2 : 0",
        "bye: e",
        "",
        "Round 2",
        "table  bots   points",
        "    1  a – b   2 : 0",
        "    2  e – c   0 : 2",
        "bye: d",
    ]


def test_one_round_alone(swiss: Path) -> None:
    output = call("pairings", swiss, "--round", "2").output
    assert "Round 2" in output
    assert "Round 1" not in output


def test_round_that_has_not_begun_is_refused_in_one_line(swiss: Path) -> None:
    result = call("pairings", swiss, "--round", "7")
    assert result.exit_code == 2
    assert "round 7 has not started; 2 rounds have" in result.output


def test_catch_ups_are_not_counted_as_rounds(tmp_path: Path) -> None:
    """It said "7 of them have" in a tournament of 2 rounds with 5 catch-ups."""
    store = made(tmp_path / "n.sqlite", 'name = "N"\nbots = ["x"]\ndeals = 2\n', "abc")
    with Store.open_to_change(store) as opened:
        last = opened.rounds()[-1]
        opened.add_round(replace(last, id=last.id + 1, stage="catch-up", number=1))
    assert "round 3 has not started; 2 rounds have" in call("pairings", store, "--round", "3").output


def test_solo_shows_scores(tmp_path: Path) -> None:
    store = made(tmp_path / "n.sqlite", 'name = "N"\nbots = ["x"]\nformat = "solo"\nlevels = [1, 2]\ndeals = 1\n', "ab")
    assert [line.split() for line in call("pairings", store).output.splitlines()[3:6]] == [
        ["table", "bots", "scores"],
        ["1", "a", "19,", "19"],
        ["2", "b", "19,", "19"],
    ]


def test_programs_get_the_same(swiss: Path) -> None:
    first, second = json.loads(call("pairings", swiss, "--json").stdout)
    assert first["byes"] == ["e"]
    assert second["tables"][0] == {
        "table": 1,
        "players": ["a", "b"],
        "points": [2.0, 0.0],
        "games": 2,
        "left": 0,
        "winner": "a",
        "about": "",
    }


def test_round_that_is_on_says_what_is_left(tmp_path: Path) -> None:
    output = call("pairings", made(tmp_path / "s.sqlite", SWISS, "abcd", most=1)).output
    assert "1  a – c   1 : 0  1 to play" in output
    assert "2  b – d          2 to play" in output


def test_who_was_not_there_is_told(swiss: Path) -> None:
    with Store.open_to_change(swiss) as store:
        store.add_host_action("withdraw", "a", "its author asked")
    assert "–  a" in call("standings", swiss).output
    assert "–: not ranked (withdrawn, benched, removed, too few games, or built in)." in call("standings", swiss).output


def test_pairings_of_a_cup_name_its_rounds_and_draw_it(cup: Path) -> None:
    output = call("pairings", cup).output
    assert "Round 1: Semi-finals" in output
    assert "Round 2: Final" in output
    assert "third place" in output
    assert "champion: a" in output


def test_other_formats_have_pairings_too(tmp_path: Path) -> None:
    text = 'name = "Four"\nbots = ["x"]\ntable = 4\ndeals = 1\n'
    output = call("pairings", made(tmp_path / "f.sqlite", text, "abcd")).output
    assert "1  a, b, c, d  4, 2.6667, 1.3333, 0" in output


def test_table_of_a_swiss_has_points_tie_breaks_and_results_by_round(swiss: Path) -> None:
    lines = [line.split() for line in call("standings", swiss).output.splitlines()]
    assert lines[0][:8] == ["bot", "match", "points", "game", "points", "Buchholz", "Sonneborn–Berger", "Elo"]
    assert lines[1][:6] == ["1", "a", "2", "4", "2", "2"]
    rounds = [["+3", "+2"], ["+5", "-1"], ["-1", "+4"], ["bye", "-3"], ["-2", "bye"]]
    assert [line[-2:] for line in lines[1:6]] == rounds
    text = call("standings", swiss).output
    assert "Ranked by match points, then game points, Buchholz (BH), Sonneborn–Berger (SB) and rating." in text
    assert "ahead of next: chance" not in text


def test_table_of_a_cup_goes_by_the_cup_and_has_the_bracket_below(cup: Path) -> None:
    output = call("standings", cup).output
    assert [line.split()[:2] for line in output.splitlines()[1:5]] == [["1", "a"], ["2", "b"], ["3", "c"], ["4", "d"]]
    assert "won the cup" in output
    assert "Semi-finals" in output
    assert "└─ a" in output
    told = json.loads(call("standings", cup, "--json").stdout)
    assert [row["cup"] for row in told["places"][:2]] == ["won the cup", "lost the final"]
    assert told["champion"] == "a"


@pytest.mark.parametrize(("text", "heading", "cell"), [(SWISS, "match", "+3"), (CUP, "cup", "won the cup")])
def test_live_screen_shows_the_same_table(tmp_path: Path, text: str, heading: str, cell: str) -> None:
    tournament = LiveTournament(made(tmp_path / "n.sqlite", text, "abcd"))
    try:
        tournament.poll()
        screen = tournament.draw(150, 40).plain
    finally:
        tournament.follower.close()
    assert heading in [column.heading for column in tournament.table.standings.columns]
    assert cell in screen
    assert ("└─ a" in screen) == (text == CUP)
    assert isinstance(tournament.table, LiveStandings)

"""Results from CSV. Any text gives results or a ResultsError, never anything else."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from peloarena.tournament.ratings import GameResult, ResultsError, csv_results, read_csv

DUELS = "game,first,second,result\n"
TABLES = "game,player,rank\n"
CLUSTERS = "game,player,rank,cluster\n"


def test_duels_are_read_with_each_game_its_own_cluster() -> None:
    assert read_csv(DUELS + "1,ada,bob,1-0\n2,bob,ada,0-1\n3,ada,bob,1/2-1/2\n") == (
        GameResult("1", ("ada", "bob"), (1, 2), "1", (0, 1)),
        GameResult("2", ("bob", "ada"), (2, 1), "2", (0, 1)),
        GameResult("3", ("ada", "bob"), (1, 1), "3", (0, 1)),
    )


def test_tables_are_read_whatever_the_order_of_their_rows() -> None:
    assert read_csv(TABLES + "1,ada,1\n2,bob,1\n1,bob,2\n2,ada,1\n1,cyd,2\n") == (
        GameResult("1", ("ada", "bob", "cyd"), (1, 2, 2), "1"),
        GameResult("2", ("bob", "ada"), (1, 1), "2"),
    )


def test_a_cluster_column_joins_the_games_of_a_deal() -> None:
    games = read_csv(CLUSTERS + "1,ada,1,d\n1,bob,2,d\n2,ada,1,d\n2,bob,2,d\n")
    assert [game.cluster for game in games] == ["d", "d"]


def test_byte_order_mark_spaces_quotes_and_windows_lines_are_understood() -> None:
    text = '\ufeffgame, first, second, result\r\n\r\n1, "ada, the first", bob, 1-0\r\n'
    assert read_csv(text.replace(", ", ",").replace("ada,the", "ada, the"))[0].players == ("ada, the first", "bob")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "results.csv:1: header ''"),
        (
            "white,black\n",
            "results.csv:1: header 'white,black': must be one of game,first,second,result or game,player",
        ),
        (DUELS, "results.csv:1: no games below the header"),
        (DUELS + "1,a,b,2-0\n", "results.csv:2: result '2-0': must be one of 1-0, 0-1, 1/2-1/2"),
        (DUELS + "1,a,b,1-0\n1,a,b,1-0\n", "results.csv:3: game '1': already on line 2"),
        (DUELS + "1,a,a,1-0\n", "results.csv:2: player 'a': plays against itself"),
        (DUELS + "1,a,b\n", "results.csv:2: 3 columns, the header has 4"),
        (DUELS + "1,,b,1-0\n", "results.csv:2: column 2 is empty"),
        (DUELS + "1,a\x1b[2J,b,1-0\n", r"results.csv:2: 'a\x1b[2J': unprintable characters"),
        (DUELS + f"1,{'a' * 201},b,1-0\n", "201 characters, at most 200"),
        (DUELS + '1,"a"b,c,1-0\n', "results.csv:2: not CSV"),
        (DUELS + '1,"a,b,1-0\n', "not CSV"),
        (DUELS + f"1,{'a' * 200_000},b,1-0\n", "results.csv:2: 200,009 characters in one line, at most 4,096"),
        (TABLES + "1,a,1\n1,b,0\n", "results.csv:3: rank '0': must be a whole number from 1"),
        (TABLES + "1,a,1\n1,b,²\n", "results.csv:3: rank '²'"),
        (TABLES + "1,a,1\n1,b,99999999999\n", "results.csv:3: rank '99999999999'"),
        (TABLES + "1,a,1\n1,a,2\n", "results.csv:3: player 'a': twice in one game (from line 2)"),
        (TABLES + "1,a,1\n", "results.csv:2: game '1': 1 player(s); a result needs at least 2"),
        (TABLES + "1,a,2\n1,b,3\n", "results.csv:2: game '1': the best rank is 2, not 1"),
        (TABLES + "".join(f"1,p{n},1\n" for n in range(17)), "results.csv:18: more than 16 players"),
        (CLUSTERS + "1,a,1,x\n1,b,2,y\n", "results.csv:3: cluster 'y': earlier rows of game '1' have 'x'"),
        (DUELS + "".join(f"{n},p{n},q{n},1-0\n" for n in range(251)), "results.csv: 502 players, at most 500"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ResultsError) as caught:
        read_csv(text)
    assert message in str(caught.value)


def test_errors_name_the_file_they_are_told() -> None:
    with pytest.raises(ResultsError, match=r"^night\.csv:2: result"):
        read_csv(DUELS + "1,a,b,won\n", "night.csv")


def test_too_much_text_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_results, "MAX_CHARACTERS", 30)
    with pytest.raises(ResultsError, match="at most 30"):
        read_csv(DUELS + "1,ada,bob,1-0\n")


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_results, "MAX_ROWS", 2)
    with pytest.raises(ResultsError, match=r"results\.csv:4: more than 2 rows"):
        read_csv(DUELS + "1,a,b,1-0\n2,a,b,1-0\n3,a,b,1-0\n")


LINES = st.text(alphabet='012345,ab-/"\n\r\x00\ufeff é', max_size=60)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["", DUELS, TABLES, CLUSTERS]), LINES)
def test_any_text_gives_results_or_a_results_error(header: str, body: str) -> None:
    with suppress(ResultsError):
        assert read_csv(header + body)

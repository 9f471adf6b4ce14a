"""The finished table: what each bot did beside its rating, and its JSON."""

import msgspec
import pytest

from peloarena.tournament.ratings import Counts, GameResult, ranks_with_ties, rating_table

RESULTS = (
    GameResult("1", ("ada", "bob", "cyd"), (1, 2, 3), "x"),
    GameResult("2", ("bob", "cyd", "ada"), (1, 3, 1), "x"),
    GameResult("3", ("cyd", "ada", "bob"), (1, 2, 2), "y"),
    GameResult("4", ("ada", "bob"), (2, 1), "z"),
)


def test_rows_count_games_points_wins_draws_and_losses() -> None:
    rows = {row.player: row for row in rating_table(RESULTS).ratings}
    ada, cyd = rows["ada"], rows["cyd"]
    assert (ada.games, ada.wins, ada.draws, ada.losses) == (4, 1, 1, 2)
    assert ada.points == pytest.approx(1.0 + 0.75 + 0.25 + 0.0)
    assert (cyd.games, cyd.wins, cyd.draws, cyd.losses) == (3, 1, 0, 2)


def test_points_of_all_bots_are_half_of_each_tables_seats() -> None:
    assert sum(row.points for row in rating_table(RESULTS).ratings) == pytest.approx(1.5 * 3 + 1.0)


def test_rows_come_from_the_strongest_down_around_1500() -> None:
    ratings = [row.rating for row in rating_table(RESULTS).ratings]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) / len(ratings) == pytest.approx(1500.0)


def test_faults_are_carried_along_and_change_no_rating() -> None:
    table = rating_table(RESULTS, faults={"bob": 2})
    assert {row.player: row.faults for row in table.ratings} == {"ada": 0, "bob": 2, "cyd": 0}
    assert [row.rating for row in table.ratings] == [row.rating for row in rating_table(RESULTS).ratings]


def test_the_table_is_json_with_null_for_an_error_nobody_can_know() -> None:
    one_deal = [GameResult(str(n), ("ada", "bob"), (1, 2) if n % 3 else (2, 1), "x") for n in range(9)]
    table = msgspec.json.decode(msgspec.json.encode(rating_table(one_deal)))
    assert table["clusters"] == 1
    assert table["warnings"]
    assert {"player", "rating", "error", "games", "points", "los"} <= set(table["ratings"][0])
    assert table["ratings"][0]["error"] is None


def test_equal_ratings_share_a_place() -> None:
    even = [GameResult(str(n), ("ada", "bob"), (1, 2) if n % 2 else (2, 1), str(n)) for n in range(4)]
    beaten = [GameResult(f"c{n}", (player, "cyd"), (1, 2), f"c{n}") for n, player in enumerate(("ada", "bob"))]
    rows = rating_table([*even, *beaten]).ratings
    assert [(row.place, row.player) for row in rows] == [(1, "ada"), (1, "bob"), (3, "cyd")]


def test_absent_bot_has_lost_even_if_nobody_was_there() -> None:
    counts = Counts()
    counts.add((1, 1), 0, absent=True)
    counts.add((2, 1), 1)
    assert (counts.games, counts.points, counts.wins, counts.draws, counts.losses) == (2, 1.0, 1, 0, 1)


@pytest.mark.parametrize(
    ("keys", "found"), [([], []), ([3, 2, 1], [1, 2, 3]), ([3, 2, 2, 1], [1, 2, 2, 4]), ([1, 1, 1], [1, 1, 1])]
)
def test_equals_share_a_place_and_the_next_comes_after_all_of_them(keys: list[int], found: list[int]) -> None:
    assert ranks_with_ties(keys) == found

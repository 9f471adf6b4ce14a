"""What counts for points, and how versions are called in the ratings."""

from __future__ import annotations

from msgspec.structs import replace

from peloarena.tournament.deals import DealSource
from peloarena.tournament.entries import RosterRow
from peloarena.tournament.fixtures import PlayedGame, Round, fixtures_of
from peloarena.tournament.game_selection import games_with_points, is_seat_counted, version_labels

NAMES = {1: "a", 2: "b"}
MAIN = Round(1, "main", 1, ((1, 2),), (1,), (RosterRow(1, 1), RosterRow(2, 1)))
CAUGHT_UP = replace(MAIN, id=2, stage="catch-up", roster=(RosterRow(1, 1), RosterRow(2, 3)))
FOR_ONE = replace(CAUGHT_UP, points_for=(2,))


def games(round: Round) -> list[PlayedGame]:
    fixtures = fixtures_of(round, "rotations", False, NAMES, DealSource(b"secret"), {})
    return [PlayedGame(fixture, (1, 2)) for fixture in fixtures]


def test_each_sitting_counts_once_and_the_catch_up_stands_in_for_the_main_game() -> None:
    main, caught = games(MAIN), games(CAUGHT_UP)
    assert games_with_points(main) == main
    assert games_with_points(main + caught[:1]) == [main[1], caught[0]]
    assert games_with_points(main + caught) == caught


def test_table_made_for_a_latecomer_replaces_nothing_and_counts_for_it_alone() -> None:
    every = games(MAIN) + games(FOR_ONE)
    assert games_with_points(every) == every
    assert [is_seat_counted(every[2].fixture, seat) for seat in (0, 1)] == [False, True]
    assert [is_seat_counted(every[0].fixture, seat) for seat in (0, 1)] == [True, True]


def test_newest_version_bears_the_name_and_older_ones_their_number() -> None:
    seats = [((1, 1), "a", True), ((2, 1), "b", True), ((2, 3), "b", True)]
    assert version_labels(seats) == {(1, 1): "a", (2, 1): "b v1", (2, 3): "b"}


def test_version_that_only_forfeited_is_not_the_newest_yet() -> None:
    seats = [((2, 1), "b", True), ((2, 2), "b", False)]
    assert version_labels(seats) == {(2, 1): "b", (2, 2): "b v2"}
    assert version_labels([((2, 2), "b", False)]) == {(2, 2): "b"}


def test_nobody_can_be_called_like_the_older_version_of_another() -> None:
    seats = [((1, 1), "b v1", True), ((2, 1), "b", True), ((2, 2), "b", True)]
    assert version_labels(seats) == {(1, 1): "b v1", (2, 1): "b v1'", (2, 2): "b"}

"""A season: who is the same bot in several tournaments, which games count, and what is told about it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from peloarena.tournament.config import TournamentConfig
from peloarena.tournament.season import Season, SeasonGame, SeasonSource, SeatedBot, season_of, season_player_text

BLUE = SeatedBot("mybot", "team blue", "v2-1111111111")
BLUE_NEW = SeatedBot("mybot", "team blue", "v2-2222222222")
RED = SeatedBot("mybot", "team red", "v2-3333333333")
OTHER = SeatedBot("other", "team red", "v2-4444444444")


def duel(number: int, winner: SeatedBot, loser: SeatedBot, tournament: str = "n") -> SeasonGame:
    return SeasonGame(f"g{number}", f"{tournament} {number}", (1, 2), (winner, loser))


def source(name: str, *games: SeasonGame, versions: Sequence[SeatedBot] = ()) -> SeasonSource:
    return SeasonSource(name, games, tuple(versions))


def players(found: Season) -> set[str]:
    return {player for result in found.results for player in result.players}


def games(found: Season) -> dict[str, int]:
    return {player: counts.games for player, counts in found.counts.items()}


# -- who is who


def test_one_name_and_author_with_the_same_files_is_one_player() -> None:
    found = season_of([source("mon", duel(1, BLUE, OTHER, "mon")), source("fri", duel(1, OTHER, BLUE, "fri"))])
    assert games(found) == {"mybot": 2, "other": 2}
    assert [row.sources for row in found.joined] == [("mon", "fri"), ("mon", "fri")]


def test_versions_are_told_apart_by_their_files_and_the_last_one_bears_the_name() -> None:
    """Each tournament counts versions of its own: the first of Friday is the second of the season."""
    found = season_of([source("mon", duel(1, BLUE, OTHER, "mon")), source("fri", duel(1, BLUE_NEW, OTHER, "fri"))])
    assert games(found) == {"mybot v1": 1, "mybot": 1, "other": 2}
    assert [season_player_text(row) for row in found.joined] == [
        "mybot: team blue, files 22222222, in fri",
        "mybot v1: team blue, files 11111111, in mon",
        "other: team red, files 44444444, in mon, fri",
    ]


def test_who_goes_back_to_older_files_is_the_older_version_again() -> None:
    monday = source("mon", duel(1, BLUE, OTHER, "m"), duel(2, BLUE_NEW, OTHER, "m"), versions=(BLUE, BLUE_NEW, OTHER))
    found = season_of([monday, source("fri", duel(1, BLUE, OTHER, "f"))])
    assert games(found) == {"mybot": 2, "mybot v2": 1, "other": 3}


def test_a_version_that_was_submitted_but_never_there_is_not_the_newest() -> None:
    found = season_of([source("mon", duel(1, BLUE, OTHER), versions=(BLUE, OTHER, BLUE_NEW))])
    assert players(found) == {"mybot", "other"}


def test_one_name_of_two_authors_is_two_bots() -> None:
    found = season_of([source("mon", duel(1, BLUE, OTHER, "mon")), source("fri", duel(1, RED, OTHER, "fri"))])
    assert players(found) == {"mybot (team blue)", "mybot (team red)", "other"}


def test_who_has_no_author_is_the_one_bot_of_that_name() -> None:
    """Records of a match, or a CSV, may not know."""
    nobody = SeatedBot("mybot", "", BLUE.files)
    found = season_of([source("mon", duel(1, BLUE, OTHER, "mon")), source("csv", duel(1, nobody, OTHER, "csv"))])
    assert games(found) == {"mybot": 2, "other": 2}


def test_the_same_files_under_two_names_are_two_bots_and_told() -> None:
    twin = SeatedBot("twin", "team red", BLUE.files)
    found = season_of([source("mon", duel(1, BLUE, twin))])
    assert players(found) == {"mybot", "twin"}
    assert "the same files: mybot, twin" in found.notes


# -- which games


def test_a_game_that_comes_twice_counts_once() -> None:
    """From a tournament and from its records, which do not tell the files of who forfeits."""
    forfeit = SeasonGame("g2", "n 2", (1, 2), (BLUE, OTHER), absent=(1,))
    recorded = SeasonGame("g2", "n 2", (1, 2), (BLUE, SeatedBot("other")), absent=(1,))
    played = duel(1, BLUE, OTHER)
    found = season_of([source("night", played, forfeit), source("records", played, recorded)])
    assert games(found) == {"mybot": 2, "other": 2}
    assert found.forfeits == {"other": 1}
    assert "left out: 2 games that were counted before" in found.notes
    assert "counted, but not rated: 1 game with a forfeit" in found.notes


def test_deals_of_two_tournaments_are_two_deals_though_games_are_called_the_same() -> None:
    found = season_of([source("mon", duel(1, BLUE, OTHER, "mon")), source("fri", duel(1, BLUE, OTHER, "fri"))])
    assert len({result.cluster for result in found.results}) == 2


def test_points_that_do_not_count_are_rated_all_the_same() -> None:
    """Tables made for a latecomer give points to it alone."""
    game = SeasonGame("g1", "n 1", (1, 2), (BLUE, OTHER), uncounted=(1,))
    found = season_of([source("mon", game)])
    assert games(found) == {"mybot": 1}
    assert len(found.results) == 1


# -- by author


def test_by_author_all_bots_and_versions_of_one_are_one_player() -> None:
    monday = source("mon", duel(1, BLUE, OTHER), duel(2, BLUE_NEW, RED), duel(3, RED, OTHER))
    found = season_of([monday], by_author=True)
    assert games(found) == {"team blue": 2, "team red": 2}
    assert "left out: 1 game among bots of one author" in found.notes
    assert season_player_text(found.joined[1]) == "team red: other, mybot, files 44444444, 33333333, in mon"


def test_by_author_who_has_none_stands_for_itself() -> None:
    found = season_of([source("mon", duel(1, BLUE, SeatedBot("house")))], by_author=True)
    assert players(found) == {"team blue", "house (author unknown)"}


# -- what is told


def tournament(name: str, **keys: object) -> SeasonSource:
    config = TournamentConfig("n", ["a"], **keys)  # type: ignore[arg-type]
    return SeasonSource(name, (duel(1, BLUE, OTHER, name),), config=config)


def test_tournaments_that_played_otherwise_are_told() -> None:
    found = season_of([tournament("mon", time="3s+0s"), tournament("fri", jobs=3)])
    assert 'the nights differ in time: "3s+0s" / "10s+0.1s"' in found.notes


@pytest.mark.parametrize(("priors", "taken"), [((4, 4), 4), ((4, 3), 2), ((0, 0), 0)])
def test_the_prior_is_the_tournaments_own_if_they_agree(priors: tuple[int, int], taken: int) -> None:
    assert season_of([tournament("mon", prior=priors[0]), tournament("fri", prior=priors[1])]).prior == taken


def test_what_joins_is_told() -> None:
    said = season_of([tournament("mon"), tournament("fri")]).notes[0]
    joined = "bots of one name and author are one, versions are told apart by their files"
    assert said == f"2 sources (mon, fri): {joined}"

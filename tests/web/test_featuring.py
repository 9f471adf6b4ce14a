"""Which games are shown on the wall, and which losses a bot's author should see first."""

from __future__ import annotations

from peloarena.referee.job import SeatStats
from peloarena.referee.verdict import Outcome
from peloarena.tournament.fixtures import Fixture
from peloarena.tournament.rows import GameRow
from peloarena.web.bot_facts import summarize_bot
from peloarena.web.featuring import featured_games, upset_score

RATINGS = {"strong": 1900.0, "good": 1850.0, "weak": 1100.0}
NUMBERS = {"strong": 1, "good": 2, "weak": 3}


def played(game: str, *seats: str, scores: tuple[int, ...], finished: bool = True) -> GameRow:
    ranks = tuple(1 + sum(other > mine for other in scores) for mine in scores)
    entries = tuple(NUMBERS[name] for name in seats)
    fixture = Fixture(game, "main", 1, 1, 1, 1, 1, 0, entries, (1,) * len(seats), seats, "")
    outcome = Outcome(ranks, scores, (False,) * len(seats), finished, None)
    return GameRow(1, fixture, True, outcome, (), (), (SeatStats(),) * len(seats), 0.0)


def test_an_upset_comes_before_what_everybody_expected() -> None:
    expected = played("expected", "strong", "weak", scores=(20, 10))
    surprise = played("surprise", "strong", "weak", scores=(10, 20))
    assert [one.game for one in featured_games([expected, surprise], RATINGS, 5)] == ["surprise", "expected"]


def test_the_closer_of_two_equal_games_comes_first() -> None:
    clear = played("clear", "strong", "good", scores=(30, 10))
    close = played("close", "strong", "good", scores=(21, 20))
    assert [one.game for one in featured_games([clear, close], RATINGS, 1)] == ["close"]
    assert featured_games([close], RATINGS, 1)[0].why == "a close game"


def test_a_game_that_was_broken_off_is_not_shown() -> None:
    assert featured_games([played("half", "strong", "weak", scores=(1, 2), finished=False)], RATINGS, 5) == []


def test_a_solo_game_is_no_upset() -> None:
    assert upset_score((1,), (1500.0,)) == 0.0


def test_a_bot_sees_whom_it_beat_from_which_seat_and_what_to_learn() -> None:
    games = [
        played("won", "strong", "weak", scores=(20, 10)),
        played("lost-to-weak", "weak", "strong", scores=(20, 19)),
        played("lost-to-good", "good", "strong", scores=(25, 19)),
        played("without", "good", "weak", scores=(25, 19)),
    ]
    found = summarize_bot(games, NUMBERS["strong"], RATINGS, 5)
    assert len(found.games) == 3
    assert {name: (share.games, share.points) for name, share in found.opponents.items()} == {
        "good": (1, 0.0),
        "weak": (2, 1.0),
    }
    assert {seat: share.points for seat, share in found.seats.items()} == {1: 1.0, 2: 0.0}
    assert [loss.row.fixture.game for loss in found.losses] == ["lost-to-weak", "lost-to-good"]

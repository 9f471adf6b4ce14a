"""What the wall shows beside a bot, by format."""

from __future__ import annotations

from peloarena.tournament.points_and_ratings import SoloRow
from peloarena.tournament.ranking import StandingsLine
from peloarena.tournament.ratings import RatingRow
from peloarena.tournament.swiss_score import SwissRow
from peloarena.web.pages.projector_page import column_values
from peloarena.web.web_tournament import make_standing

RATING = RatingRow(2, "a", 1612.4, 80.0, 10, 6.5, 6, 1, 3, None, 0)
SWISS = SwissRow(1, 2.5, 8.0, 4.0, 3.0, ())


def shown(**keys: object) -> tuple[str, str, str]:
    return column_values(make_standing(StandingsLine(2, "a", 1, **keys), None, "", ""))  # type: ignore[arg-type]


def test_rating_interval_and_points_in_a_round_robin() -> None:
    assert shown(rating=RATING) == ("1612", "80", "6.5")


def test_match_and_game_points_in_a_swiss_also_of_one_who_had_a_bye_only() -> None:
    assert shown(rating=RATING, swiss=SWISS) == ("2.5", "8", "1612")
    assert shown(swiss=SwissRow(1, 1.0, 1.5, 0.0, 0.0, ())) == ("1", "1.5", "")


def test_how_far_it_came_in_a_cup() -> None:
    assert shown(rating=RATING, cup="lost the final") == ("lost the final", "1612", "6.5")


def test_mean_and_levels_alone() -> None:
    assert shown(solo=SoloRow(2, "a", 10, 12.34, 3, {1: 3}, 0)) == ("12.3", "3", "10")

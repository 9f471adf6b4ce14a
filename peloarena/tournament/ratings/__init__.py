"""Ratings: from results of tables to Elo with honest error bars. Knows no bots, records or stores."""

from peloarena.tournament.ratings.bradley_terry import PlayerRating, Ratings, SeatAdvantage, rate
from peloarena.tournament.ratings.csv_results import read_csv
from peloarena.tournament.ratings.results import GameResult, ResultsError
from peloarena.tournament.ratings.sprt import (
    Conclusion,
    EloDifference,
    SprtState,
    elo_difference,
    sprt,
    sprt_of_counts,
)
from peloarena.tournament.ratings.table import RatingRow, RatingTable, rating_table

__all__ = [
    "Conclusion",
    "EloDifference",
    "GameResult",
    "PlayerRating",
    "RatingRow",
    "RatingTable",
    "Ratings",
    "ResultsError",
    "SeatAdvantage",
    "SprtState",
    "elo_difference",
    "rate",
    "rating_table",
    "read_csv",
    "sprt",
    "sprt_of_counts",
]

"""Ratings: from results of tables to Elo with honest error bars. Knows no bots, records or stores."""

from .bradley_terry import PlayerRating, Ratings, SeatAdvantage, rate
from .csv_results import read_csv
from .results import GameResult, ResultsError
from .sprt import (
    Conclusion,
    EloDifference,
    SprtState,
    elo_difference,
    sprt,
    sprt_of_counts,
)
from .table import RatingRow, RatingTable, rating_table

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

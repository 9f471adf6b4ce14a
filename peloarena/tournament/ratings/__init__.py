"""Ratings: from results of tables to Elo with honest error bars. Knows no bots, records or stores."""

from .bradley_terry import OpenEnd, PlayerRating, Ratings, SeatAdvantage, rate
from .csv_results import read_csv
from .points import Counts, half_points, ranks_with_ties, share_beaten
from .rating_rows import RatingRow, RatingTable, rating_table, rerank, split_off_history
from .results import GameResult, ResultsError
from .sprt import (
    Conclusion,
    EloDifference,
    SprtState,
    elo_difference,
    expected_score,
    sprt,
    sprt_of_counts,
)

__all__ = [
    "Conclusion",
    "Counts",
    "EloDifference",
    "GameResult",
    "OpenEnd",
    "PlayerRating",
    "RatingRow",
    "RatingTable",
    "Ratings",
    "ResultsError",
    "SeatAdvantage",
    "SprtState",
    "elo_difference",
    "expected_score",
    "half_points",
    "ranks_with_ties",
    "rate",
    "rating_table",
    "read_csv",
    "rerank",
    "share_beaten",
    "split_off_history",
    "sprt",
    "sprt_of_counts",
]

"""Fixtures of the tournaments that are hosted here."""

from tournament_fixtures import ended, evening

__all__ = ["ended", "evening"]

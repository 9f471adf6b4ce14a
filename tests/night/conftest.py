"""Fixtures of the nights that are hosted here."""

from evening_fixtures import ended, evening

__all__ = ["ended", "evening"]

"""Tournaments: schedule, workers, store, ratings, report."""

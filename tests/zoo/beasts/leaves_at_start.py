"""Ends with status 0 before it says hello."""

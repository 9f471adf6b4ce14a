"""A made-up ladder: its tournament, and a store with a roster of names and built-in bots."""

from __future__ import annotations

from pathlib import Path

from made_up import store_of, tournament_of

from peloarena.tournament.config import TournamentFile
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.store import Store

TEXT = 'name = "Ladder"\nbots = ["x"]\nformat = "ladder"\nseed = "s"\ndeals = 2\nnewcomer_games = 4\n'


def ladder(**keys: object) -> TournamentFile:
    return tournament_of("x", format="ladder", **{"deals": 2, "newcomer_games": 4, **keys})


def ladder_store(path: Path, bots: str, house: int = 1) -> Store:
    store = store_of(path, bots)
    store.set_meta("config", TEXT)
    for number in range(len(bots) + 1, len(bots) + 1 + house):
        store.set_entry(Entry(number, f"house-{number}", house=True))
        store.set_version(Version(number, 1, f"v2-{number}", state="ready", copy="house/bot"))
    return store

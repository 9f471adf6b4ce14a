"""The scheduler of a tournament: which round begins next. Pure, and only asked when every round that began is over.

Its decision is stored before any game of it is played, so nothing here is ever computed twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from .catch_up import next_catch_up
from .config import NightConfig
from .entries import BotVersion, Entry, Roster, RosterRow, Version, roster_of
from .host_orders import Order
from .ladder.tallies import Tallies
from .rounds import PlayedGame, Round, Table
from .tables import deals_in, kept_apart, rounds_in, tables_of

NO_LONGER_LISTED = "no longer in the tournament file"


class Facts(Struct, frozen=True):
    """Everything that the next round depends on."""

    config: NightConfig
    entries: Sequence[Entry]
    versions: Sequence[Version]
    orders: Sequence[Order]
    rounds: Sequence[Round]
    """The rounds that began, in that order."""
    main: Sequence[Round]
    """The main ones of these; a ladder needs none."""
    games: Sequence[PlayedGame]
    """Finished games, in the order of the schedule; empty if nothing depends on them."""
    benched: Mapping[BotVersion, str]
    missed: bool = True
    """Somebody was absent or came late, so there may be something to catch up."""
    tallies: Tallies = field(default_factory=Tallies)
    """For a ladder (ladder/course.py)."""


def next_round(facts: Facts) -> Round | None:
    """None: the tournament is over, unless somebody enters."""
    main = facts.main
    roster = present_roster(facts, main)
    first = main[0].roster if main else roster
    number = len(main) + 1
    challenger = challenger_of(facts.config, facts.entries)
    authors = kept_apart(facts.config, facts.entries)
    if number <= rounds_in(facts.config, len(first)):
        history = [game for game in facts.games if game.fixture.stage == "main"]
        tables = tables_of(facts.config, number, roster, challenger, main, history, authors)
        return begun_round(facts, "main", number, tuple(tables), roster)
    caught = next_catch_up(facts.config, roster, challenger, facts.rounds, facts.games, authors)
    if caught is None or not facts.config.catch_up:
        return None
    return begun_round(facts, "catch-up", caught.number, caught.tables, roster, caught.points_for)


def begun_round(
    facts: Facts,
    stage: Literal["main", "catch-up", "finish"],
    number: int,
    tables: tuple[Table, ...],
    roster: Roster,
    points_for: tuple[int, ...] = (),
) -> Round:
    return Round(
        id=len(facts.rounds) + 1,
        stage=stage,
        number=number,
        tables=tables,
        deals=deals_in(facts.config, number),
        roster=roster,
        orders=max((order.id for order in facts.orders), default=0),
        points_for=points_for,
    )


def present_roster(facts: Facts, main: Sequence[Round]) -> Roster:
    """Who could play the round that begins now, as far as the format allows."""
    roster = roster_of(facts.entries, facts.versions, facts.orders, facts.benched)
    match facts.config.format:
        case "knockout":
            return kept_places(roster, main[0].roster) if main else tuple(r for r in roster if not r.absent)
        case "swiss":
            known = {row.entry for round in main for row in round.roster}
            late = len(main) + 1 > latest_swiss_entry(facts.config.rounds)
            return tuple(row for row in roster if not late or row.entry in known)
        case _:
            return roster


def latest_swiss_entry(rounds: int) -> int:
    """The last round that a new entry of a Swiss may start with: about half of the rounds are still to come."""
    return (rounds + 1) // 2


def rounds_begun(config: NightConfig, rounds: Sequence[Round]) -> int:
    """Only those that the file sets the number of: main rounds, or on a ladder the rounds of its finish."""
    return sum(round.stage == ("finish" if config.format == "ladder" else "main") for round in rounds)


def too_late(config: NightConfig, begun: int) -> str:
    """Why no new entry is possible after `begun` rounds; empty if it is."""
    if config.format == "ladder" and begun:
        return "the finish of a ladder takes nobody"
    if config.format == "knockout" and begun:
        return "a knockout takes nobody once its first round has begun"
    if config.format == "swiss" and begun >= latest_swiss_entry(config.rounds):
        return f"a Swiss of {config.rounds} rounds takes nobody once round {begun} has begun"
    return ""


def kept_places(now: Roster, first: Roster) -> Roster:
    """A bracket and the finish of a ladder keep their places: nobody enters, and an entry that leaves forfeits; a new
    version plays the next match."""
    playing = {row.entry: row for row in now}
    return tuple(playing.get(row.entry, RosterRow(row.entry, row.edition, NO_LONGER_LISTED)) for row in first)


def challenger_of(config: NightConfig, entries: Sequence[Entry]) -> int:
    """The number of a gauntlet's challenger: the one that the file names, or the first entry; 0 in other formats."""
    if config.format != "gauntlet":
        return 0
    return next((entry.number for entry in entries if not config.challenger or entry.name == config.challenger), 0)

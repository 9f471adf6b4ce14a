"""The scheduler of a tournament: which round begins next. Pure, and only asked when every round that began is over.

Its decision is stored before any game of it is played, so nothing here is ever computed twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from .catch_up import next_catch_up_round
from .config import TournamentConfig
from .entries import BotVersion, Entry, Roster, RosterRow, Version, build_roster
from .fixtures import PlayedGame, Round, TableEntries
from .host_actions import HostAction
from .ladder.tallies import Tallies
from .pairing import authors_kept_apart, deals_in, pair_round, rounds_in

NO_LONGER_LISTED = "no longer in the tournament file"


class SchedulingFacts(Struct, frozen=True):
    """Everything that the next round depends on."""

    config: TournamentConfig
    entries: Sequence[Entry]
    versions: Sequence[Version]
    actions: Sequence[HostAction]
    rounds: Sequence[Round]
    """The rounds that began, in that order."""
    main_rounds: Sequence[Round]
    """The main ones of these; a ladder needs none."""
    games: Sequence[PlayedGame]
    """Finished games, in the order of the schedule; empty if nothing depends on them."""
    benched: Mapping[BotVersion, str]
    may_need_catch_up: bool = True
    """Somebody was absent or came late, so there may be something to catch up."""
    tallies: Tallies = field(default_factory=Tallies)
    """For a ladder (ladder/ladder_scheduler.py)."""


def next_round(facts: SchedulingFacts) -> Round | None:
    """None: the tournament is over, unless somebody enters."""
    main = facts.main_rounds
    roster = roster_of_next_round(facts, main)
    first = main[0].roster if main else roster
    number = len(main) + 1
    challenger = challenger_number(facts.config, facts.entries)
    authors = authors_kept_apart(facts.config, facts.entries)
    if number <= rounds_in(facts.config, len(first)):
        history = [game for game in facts.games if game.fixture.stage == "main"]
        tables = pair_round(facts.config, number, roster, challenger, main, history, authors)
        return make_round(facts, "main", number, tuple(tables), roster)
    caught = next_catch_up_round(facts.config, roster, challenger, facts.rounds, facts.games, authors)
    if caught is None or not facts.config.catch_up:
        return None
    return make_round(facts, "catch-up", caught.number, caught.tables, roster, caught.points_for)


def make_round(
    facts: SchedulingFacts,
    stage: Literal["main", "catch-up", "finish"],
    number: int,
    tables: tuple[TableEntries, ...],
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
        orders=max((action.id for action in facts.actions), default=0),
        points_for=points_for,
    )


def roster_of_next_round(facts: SchedulingFacts, main_rounds: Sequence[Round]) -> Roster:
    """Who could play the round that begins now, as far as the format allows."""
    roster = build_roster(facts.entries, facts.versions, facts.actions, facts.benched)
    match facts.config.format:
        case "knockout":
            return (
                closed_roster(roster, main_rounds[0].roster)
                if main_rounds
                else tuple(r for r in roster if not r.absent)
            )
        case "swiss":
            known = {row.entry for round in main_rounds for row in round.roster}
            late = len(main_rounds) + 1 > last_swiss_entry_round(facts.config.rounds)
            return tuple(row for row in roster if not late or row.entry in known)
        case _:
            return roster


def last_swiss_entry_round(round_count: int) -> int:
    """The last round that a new entry of a Swiss may start with: about half of the rounds are still to come."""
    return (round_count + 1) // 2


def count_started_rounds(config: TournamentConfig, rounds: Sequence[Round]) -> int:
    """Only those that the file sets the number of: main rounds, or on a ladder the rounds of its finish."""
    return sum(round.stage == ("finish" if config.format == "ladder" else "main") for round in rounds)


def late_entry_problem(config: TournamentConfig, started_rounds: int) -> str:
    """Why no new entry is possible after `started_rounds`; empty if it is."""
    if config.format == "ladder" and started_rounds:
        return "the finish of a ladder takes nobody"
    if config.format == "knockout" and started_rounds:
        return "a knockout takes nobody once its first round has begun"
    if config.format == "swiss" and started_rounds >= last_swiss_entry_round(config.rounds):
        return f"a Swiss of {config.rounds} rounds takes nobody once round {started_rounds} has begun"
    return ""


def closed_roster(current: Roster, first: Roster) -> Roster:
    """A bracket and the finish of a ladder keep their roster: nobody enters, and an entry that leaves forfeits; a new
    version plays the next match."""
    playing = {row.entry: row for row in current}
    return tuple(playing.get(row.entry, RosterRow(row.entry, row.edition, NO_LONGER_LISTED)) for row in first)


def challenger_number(config: TournamentConfig, entries: Sequence[Entry]) -> int:
    """The number of a gauntlet's challenger: the one that the file names, or the first entry; 0 in other formats."""
    if config.format != "gauntlet":
        return 0
    return next((entry.number for entry in entries if not config.challenger or entry.name == config.challenger), 0)

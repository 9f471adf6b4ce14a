"""Pairings and results by round, as plain data: for the terminal, paper and programs. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .brackets import depth_of, round_name
from .config import PAIRED_BY_RESULTS
from .counting import counts_for
from .cup import ties_in_order
from .deals import Stage
from .matches import Match
from .night_state import NightState
from .ratings import share_beaten
from .rounds import PlayedGame, Round
from .swiss_score import byes_of

THIRD = "third place"


class PairedTable(Struct, frozen=True):
    table: int
    """Its position in the round, from 1."""
    players: tuple[str, ...]
    points: tuple[float, ...]
    """From the games of this round that count; solo: the score of each, level by level."""
    games: int
    """Finished ones."""
    left: int
    """Games to play now; a match of a cup may need more."""
    winner: str | None = None
    """Of a match that is over and not drawn."""
    about: str = ""
    """The stakes, if they differ from the round's name; how a tie was broken."""


class RoundPairings(Struct, frozen=True):
    stage: Stage
    round: int
    name: str
    """For a cup: Semi-finals, Final; for a ladder's deals, why they were chosen; otherwise empty."""
    tables: tuple[PairedTable, ...]
    byes: tuple[str, ...]
    absent: dict[str, str]
    """Entries absent at the beginning, and why."""


def pairings_of(state: NightState) -> list[RoundPairings]:
    """For all rounds that began, in that order."""
    return [_round_pairings(state, round) for round in state.rounds]


def _round_pairings(state: NightState, round: Round) -> RoundPairings:
    names, cup = state.names, state.config.format == "knockout"
    byes = byes_of(round) if round.stage == "main" and not (cup and round.number > 1) else []
    depth = depth_of(len(state.rounds[0].roster))
    return RoundPairings(
        stage=round.stage,
        round=round.number,
        name=round_name(depth - round.number + 1) if cup else round.reason,
        tables=tuple(_tables(state, round)),
        byes=tuple(names[entry] for entry in byes) if state.config.table == 2 and not state.solo else (),
        absent={names[row.entry]: row.absent for row in round.roster if row.absent},
    )


def _tables(state: NightState, round: Round) -> list[PairedTable]:
    if round.stage == "main" and state.config.format in PAIRED_BY_RESULTS:
        return _matches(state, round)
    left = [fixture.table for fixture in state.missing(round)]
    games: dict[int, list[PlayedGame]] = {}
    for game in state.games(round):
        games.setdefault(game.fixture.table, []).append(game)
    return [
        PairedTable(
            table=place,
            players=tuple(state.names[entry] for entry in table),
            points=_scores(games.get(place, []))
            if state.solo
            else tuple(_points(entry, games.get(place, [])) for entry in table),
            games=len(games.get(place, [])),
            left=left.count(place),
        )
        for place, table in enumerate(round.tables, 1)
    ]


def _scores(games: Sequence[PlayedGame]) -> tuple[float, ...]:
    """As the table counts them: no score counts as 0."""
    return tuple(game.scores[0] or 0 for game in sorted(games, key=lambda game: game.fixture.level))


def _points(entry: int, games: Sequence[PlayedGame]) -> float:
    shares = [
        share_beaten(game.ranks, seat)
        for game in games
        for seat, other in enumerate(game.fixture.entries)
        if other == entry and entry not in game.absent and len(game.ranks) > 1 and counts_for(game.fixture, seat)
    ]
    return round(sum(shares), 4)


def _matches(state: NightState, round: Round) -> list[PairedTable]:
    left = [fixture.table for fixture in state.missing(round)]
    played = [game.fixture.table for game in state.games(round)]
    about = _stakes(state, round)
    return [
        PairedTable(
            table=place,
            players=tuple(state.names[entry] for entry in match.entries),
            points=match.points,
            games=played.count(place),
            left=left.count(place),
            winner=_winner(state, round, match),
            about=about.get(frozenset(match.entries), ""),
        )
        for place, match in enumerate(state.matches(round), 1)
    ]


def _winner(state: NightState, round: Round, match: Match) -> str | None:
    if not match.over:
        return None
    if state.best_of:
        ties = ties_in_order(state.cup(), round.number)
        tie = next((tie for tie in ties if set(tie.sides) == set(match.entries)), None)
        return None if tie is None or tie.winner is None else state.names[tie.winner]
    one, two = match.halves
    return None if one == two else state.names[match.entries[int(two > one)]]


def _stakes(state: NightState, round: Round) -> dict[frozenset[int | None], str]:
    if not state.best_of:
        return {}
    cup = state.cup()
    found = {frozenset(tie.sides): tie.broken_by for tie in ties_in_order(cup, round.number)}
    if cup.third is not None and round.number == len(cup.rounds):
        found[frozenset(cup.third.sides)] = ", ".join(filter(None, [THIRD, cup.third.broken_by]))
    return found

"""Pairings and results by round, as plain data: for the terminal, paper and programs. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .brackets import bracket_depth, round_name
from .config import PAIRED_BY_RESULTS
from .cup import played_pairings
from .deals import Stage
from .fixtures import PlayedGame, Round
from .game_selection import is_seat_counted
from .matches import Match
from .ratings import share_beaten
from .swiss_score import byes_of
from .tournament_state import TournamentState

THIRD_PLACE_TEXT = "third place"


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


def pairings_of(state: TournamentState) -> list[RoundPairings]:
    """For all rounds that began, in that order."""
    return [_round_pairings(state, round) for round in state.rounds]


def _round_pairings(state: TournamentState, round: Round) -> RoundPairings:
    names, cup = state.names, state.config.format == "knockout"
    byes = byes_of(round) if round.stage == "main" and not (cup and round.number > 1) else []
    depth = bracket_depth(len(state.rounds[0].roster))
    return RoundPairings(
        stage=round.stage,
        round=round.number,
        name=round_name(depth - round.number + 1) if cup else round.reason,
        tables=tuple(_tables(state, round)),
        byes=tuple(names[entry] for entry in byes) if state.config.table == 2 and not state.is_solo else (),
        absent={names[row.entry]: row.absent for row in round.roster if row.absent},
    )


def _tables(state: TournamentState, round: Round) -> list[PairedTable]:
    if round.stage == "main" and state.config.format in PAIRED_BY_RESULTS:
        return _paired_matches(state, round)
    left = [fixture.table for fixture in state.due_fixtures(round)]
    games: dict[int, list[PlayedGame]] = {}
    for game in state.finished_games(round):
        games.setdefault(game.fixture.table, []).append(game)
    return [
        PairedTable(
            table=table_number,
            players=tuple(state.names[entry] for entry in table),
            points=_scores(games.get(table_number, []))
            if state.is_solo
            else tuple(_points(entry, games.get(table_number, [])) for entry in table),
            games=len(games.get(table_number, [])),
            left=left.count(table_number),
        )
        for table_number, table in enumerate(round.tables, 1)
    ]


def _scores(games: Sequence[PlayedGame]) -> tuple[float, ...]:
    """As the table counts them: no score counts as 0."""
    return tuple(game.scores[0] or 0 for game in sorted(games, key=lambda game: game.fixture.level))


def _points(entry: int, games: Sequence[PlayedGame]) -> float:
    shares = [
        share_beaten(game.ranks, seat)
        for game in games
        for seat, other in enumerate(game.fixture.entries)
        if other == entry and entry not in game.absent and len(game.ranks) > 1 and is_seat_counted(game.fixture, seat)
    ]
    return round(sum(shares), 4)


def _paired_matches(state: TournamentState, round: Round) -> list[PairedTable]:
    left = [fixture.table for fixture in state.due_fixtures(round)]
    played = [game.fixture.table for game in state.finished_games(round)]
    about = _stakes_by_pair(state, round)
    return [
        PairedTable(
            table=table_number,
            players=tuple(state.names[entry] for entry in match.entries),
            points=match.points,
            games=played.count(table_number),
            left=left.count(table_number),
            winner=_winner(state, round, match),
            about=about.get(frozenset(match.entries), ""),
        )
        for table_number, match in enumerate(state.matches(round), 1)
    ]


def _winner(state: TournamentState, round: Round, match: Match) -> str | None:
    if not match.is_over:
        return None
    if state.is_best_of:
        ties = played_pairings(state.cup(), round.number)
        tie = next((tie for tie in ties if set(tie.sides) == set(match.entries)), None)
        return None if tie is None or tie.winner is None else state.names[tie.winner]
    one, two = match.half_points
    return None if one == two else state.names[match.entries[int(two > one)]]


def _stakes_by_pair(state: TournamentState, round: Round) -> dict[frozenset[int | None], str]:
    if not state.is_best_of:
        return {}
    cup = state.cup()
    stakes = {frozenset(tie.sides): tie.tie_break for tie in played_pairings(cup, round.number)}
    if cup.third_place is not None and round.number == len(cup.rounds):
        stakes[frozenset(cup.third_place.sides)] = ", ".join(
            filter(None, [THIRD_PLACE_TEXT, cup.third_place.tie_break])
        )
    return stakes

"""The lines of a tournament's table as plain data: for `--json`, exports and archives. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from .ranking import StandingsLine, TournamentStandings
from .swiss_score import RoundKind


class SwissResultRow(Struct, frozen=True):
    """A round of a Swiss, for one bot."""

    round: int
    kind: RoundKind
    opponent: str | None
    game_points: float
    other_game_points: float
    match_points: float


class StandingsRow(Struct, frozen=True, omit_defaults=True):
    """The facts that decide a rank; ratings are in a separate list."""

    place: int | None
    """None if it is unranked."""
    player: str
    apart: str = ""
    """Why."""
    match_points: float | None = None
    """These five only in a Swiss."""
    game_points: float | None = None
    buchholz: float | None = None
    sonneborn_berger: float | None = None
    results: tuple[SwissResultRow, ...] = ()
    cup: str = ""
    """Knockout: how far it came."""


def standings_rows(table: TournamentStandings, names: Mapping[int, str]) -> tuple[StandingsRow, ...]:
    return tuple(_row(line, names) for line in table.lines)


def _row(line: StandingsLine, names: Mapping[int, str]) -> StandingsRow:
    if line.swiss is None:
        return StandingsRow(line.place, line.player, line.apart, cup=line.cup)
    return StandingsRow(
        place=line.place,
        player=line.player,
        apart=line.apart,
        match_points=line.swiss.match_points,
        game_points=line.swiss.game_points,
        buchholz=line.swiss.buchholz,
        sonneborn_berger=line.swiss.sonneborn_berger,
        results=tuple(
            SwissResultRow(
                one.round,
                one.kind,
                None if one.opponent is None else names[one.opponent],
                one.halves / 2,
                one.other_halves / 2,
                one.score / 2,
            )
            for one in line.swiss.results
        ),
    )

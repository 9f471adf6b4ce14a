"""The contents of a report, collected from the store as plain data. Knows no markup; makes no decisions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...referee.verdict import Evidence
from ..config import TournamentConfig
from ..cup import BracketPairing
from ..gate import Gate
from ..points_and_ratings import SoloRow, counts_of, rating_results
from ..prizes import Prize, prizes_of
from ..ranking import TournamentStandings
from ..ratings import Counts, RatingTable, half_points
from ..round_pairings import RoundPairings, pairings_of
from ..rows import BotRow, GameRow, HostAction, VoidRow
from ..secret import shown_commitment
from ..store import Store
from ..stored_tournament import StoredTournament, load_tournament
from .public_text import without_folders
from .usage import BotFault, Usage, faults_of_bot, scores_of, usage_of

MAX_EMBEDDED_BYTES = 20 * 1024 * 1024
"""Total size in bytes up to which records go into the page."""


class BotData(Struct, frozen=True):
    name: str
    version: str
    author: str
    language: str
    digest: str
    problem: str
    games: int
    """Finished games, including forfeits."""
    points: float | None
    """Over all of them, with a forfeit as a loss. None in solo, where nobody is beaten."""
    usage: Usage
    scores: tuple[int, ...]
    faults: tuple[BotFault, ...]
    forfeits: tuple[BotFault, ...]


class Meeting(Struct, frozen=True):
    """Two bots at one table: the first one's share of their games."""

    share: float
    games: int


class NamedMatch(Struct, frozen=True):
    """A match of a knockout; None if there is no bot (a bye) or it is not known yet."""

    names: tuple[str | None, str | None]
    points: tuple[float, float] | None
    winner: str | None
    decided_by: str = ""
    """If not by points."""


class Bracket(Struct, frozen=True):
    rounds: tuple[tuple[NamedMatch, ...], ...]
    third: NamedMatch | None


class ReportData(Struct, frozen=True):
    name: str
    config: TournamentConfig
    text: str
    """The tournament file."""
    missing: bool
    """There are still games to play."""
    commitment: str
    """To the secret that the deals come from; empty if there is none."""
    deals: str
    """Their source, in words."""
    hidden: frozenset[str]
    """Games whose deals are not open yet: their seeds, evidence and records are left out."""
    bots: tuple[BotData, ...]
    """The best first, then the unranked ones."""
    games: tuple[GameRow, ...]
    names: dict[int, str]
    """Of entries, by number."""
    pairings: tuple[RoundPairings, ...]
    table: TournamentStandings
    """In order of rank."""
    ratings: RatingTable | None
    """Its ratings, from the strongest down."""
    solo: tuple[SoloRow, ...]
    meetings: dict[tuple[str, str], Meeting]
    bracket: Bracket | None
    champion: str | None
    prizes: tuple[Prize, ...]
    orders: tuple[HostAction, ...]
    voids: tuple[VoidRow, ...]
    records: dict[str, bytes] | None
    """Of games that are not hidden; None if they are too large for the page."""
    evidence: bool = False
    """Show what bots printed: for the host and their authors, not for everybody."""


def collect(store: Store, *, largest: int = MAX_EMBEDDED_BYTES, evidence: bool = False) -> ReportData:
    """Collect everything the gate lets through; `evidence`: include what bots printed."""
    tournament = load_tournament(store)
    config = tournament.config
    gate = tournament.state.gate(tournament.closed)
    games = tuple(shown_row(row, gate) for row in tournament.games)
    hidden = frozenset(row.fixture.game for row in games if not row.fixture.seed)
    table = tournament.standings()
    return ReportData(
        name=config.name,
        config=config,
        text=shown_text(tournament, gate),
        missing=not tournament.is_over(),
        commitment=shown_commitment(config, tournament.state.source),
        deals=tournament.deals_text(),
        hidden=hidden,
        bots=collect_bot_data(tournament.bots, games, [line.player for line in table.lines]),
        games=games,
        names=tournament.state.names,
        pairings=tuple(public_pairings(round) for round in pairings_of(tournament.state)),
        table=table,
        ratings=table.ratings,
        solo=table.solo,
        meetings=meetings_of(games),
        bracket=bracket_of(tournament) if config.format == "knockout" else None,
        champion=tournament.champion(),
        prizes=prizes_of(tournament, table),
        orders=tournament.actions,
        voids=tournament.voids,
        records=records_of(store, [row for row in games if row.fixture.game not in hidden], largest),
        evidence=evidence,
    )


def public_pairings(round: RoundPairings) -> RoundPairings:
    return replace(round, absent={name: without_folders(why) for name, why in round.absent.items()})


def shown_row(row: GameRow, gate: Gate) -> GameRow:
    """Evidence holds views of the deal."""
    if gate.may_show_record(row.fixture):
        return row
    return replace(row, fixture=replace(row.fixture, seed=""), evidence=tuple(Evidence() for _ in row.evidence))


def shown_text(tournament: StoredTournament, gate: Gate) -> str:
    """The tournament file; a seed in it gives away all future deals."""
    if not tournament.config.seed or gate.may_show_secret():
        return tournament.text
    return tournament.text.replace(tournament.config.seed, "(secret)")


def collect_bot_data(rows: Sequence[BotRow], games: Sequence[GameRow], ranked: Sequence[str]) -> tuple[BotData, ...]:
    """A bot that the host replaced may appear in games only."""
    known = {row.name: row for row in rows}
    played = dict.fromkeys(name for row in games for name in row.fixture.seats)
    names = list(dict.fromkeys([*ranked, *known, *played]))
    counts = counts_of(games)
    mine = {name: [row for row in games if name in row.fixture.seats] for name in names}
    every = [known.get(name, BotRow(name, "", "")) for name in names]
    return tuple(bot_data(row, mine[row.name], counts.get(row.name, Counts())) for row in every)


def bot_data(row: BotRow, games: Sequence[GameRow], counts: Counts) -> BotData:
    faults = faults_of_bot(row.name, games)
    return BotData(
        name=row.name,
        version=row.version,
        author=row.author,
        language=row.language,
        digest=row.digest,
        problem=row.problem,
        games=counts.games,
        points=None if all(len(game.fixture.seats) == 1 for game in games) else counts.points,
        usage=usage_of(row.name, games),
        scores=scores_of(row.name, games),
        faults=tuple(fault for fault in faults if fault.fault != "forfeit"),
        forfeits=tuple(fault for fault in faults if fault.fault == "forfeit"),
    )


def meetings_of(games: Sequence[GameRow]) -> dict[tuple[str, str], Meeting]:
    """From played games, as the ratings see them."""
    sums: dict[tuple[str, str], list[float]] = {}
    for result in rating_results(games):
        ranked = zip(result.players, result.ranks, strict=True)
        for (first, mine), (second, other) in itertools.permutations(ranked, 2):
            sums.setdefault((first, second), []).append(half_points(mine, other) / 2)
    return {pair: Meeting(sum(shares) / len(shares), len(shares)) for pair, shares in sums.items()}


# ---- knockout


def bracket_of(tournament: StoredTournament) -> Bracket | None:
    """Round by round from the top; unfinished matches have no winner."""
    if not tournament.state.rounds:
        return None
    cup = tournament.state.cup()
    rounds = tuple(tuple(named_match(tie, tournament) for tie in ties) for ties in cup.rounds)
    return Bracket(rounds, None if cup.third_place is None else named_match(cup.third_place, tournament))


def named_match(tie: BracketPairing, tournament: StoredTournament) -> NamedMatch:
    names = tournament.state.names
    one, two = (None if entry is None else names[entry] for entry in tie.sides)
    winner = None if tie.winner is None else names[tie.winner]
    if tie.match is None:
        return NamedMatch((one, two), None, winner)
    first, second = (tie.match.half_points_of(entry) / 2 for entry in tie.sides if entry is not None)
    return NamedMatch((one, two), (first, second), winner, tie.tie_break)


# ---- records


def records_of(store: Store, games: Sequence[GameRow], largest: int) -> dict[str, bytes] | None:
    """All records, or None if they are too large for a page."""
    records: dict[str, bytes] = {}
    size = 0
    for row in games:
        record = store.record(row.fixture.game)
        size += len(record)
        if size > largest:
            return None
        records[row.fixture.game] = record
    return records

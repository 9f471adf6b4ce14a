"""Export a tournament for programs: CSV and JSON of games, standings, seeds and faults, and the records.

JSON is exact; CSV is for spreadsheets (see csv_text.py). No path on the host's machine is written, but faults and games
hold output of bots, which is for the host and their authors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..game import ConfigError
from ..game.json_codec import encode_indented
from ..referee.plain_text import to_plain_text
from .csv_text import csv_sheet
from .points_and_ratings import SoloRow, forfeits_of, points_of, rating_results
from .ranking import decided_by
from .ratings import RatingRow
from .report.public_text import without_folders
from .report.report_data import ReportData, collect
from .rows import GameRow
from .standings_rows import standings_rows
from .store import Store

GAMES_CSV_COLUMNS = [
    "game",
    "stage",
    "round",
    "table",
    "deal",
    "level",
    "seed",
    "seat",
    "entry",
    "edition",
    "bot",
    "rank",
    "score",
    "out",
    "played",
    "finished",
    "decisions",
    "seconds",
    "slowest",
    "cpu",
    "faults",
]
RATING_COLUMNS = RatingRow.__struct_fields__
DECISIVE_COLUMNS = {"swiss": ("match_points", "game_points", "buchholz", "sonneborn_berger"), "knockout": ("cup",)}
"""What decides the ranks, if not the rating."""
SOLO_COLUMNS = ("place", "player", "games", "mean_score", "passed", "faults")
FAULT_COLUMNS = [
    "game",
    "round",
    "bot",
    "seat",
    "fault",
    "forgiven",
    "question",
    "reason",
    "exit_status",
    "out_of_memory",
    "request",
    "answer",
    "stderr",
]


def export(store: Store, folder: Path, *, records: bool) -> tuple[list[Path], bool]:
    """Write everything that may be shown. Returns the files in order, and whether that is everything."""
    data = collect(store, largest=0)
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in export_files(data).items():
            written.append(folder / name)
            written[-1].write_text(text, "utf-8", newline="")
        if records:
            written += write_records(store, data, folder / "records")
    except OSError as error:
        raise ConfigError(f"{str(folder)!r}: {error.strerror or error}") from None
    return written, not data.hidden


def export_files(data: ReportData) -> dict[str, str]:
    return {
        "games.csv": csv_sheet(GAMES_CSV_COLUMNS, seat_rows(data)),
        "standings.csv": standings_sheet(data),
        "results.csv": results_sheet(data),
        "seeds.csv": csv_sheet(("seed", "sha256", "games"), seed_rows(data)),
        "faults.csv": csv_sheet(FAULT_COLUMNS, fault_rows(data)),
        "games.json": encode_indented([game_json(row) for row in data.games]),
        "standings.json": encode_indented(standings_json(data)),
        "pairings.json": encode_indented(data.pairings),
        "prizes.csv": prizes_sheet(data),
    }


def seat_rows(data: ReportData) -> Iterator[list[object]]:
    """One row for each seat of each game."""
    for row in data.games:
        fixture, outcome = row.fixture, row.outcome
        for seat, bot in enumerate(fixture.seats):
            stats = row.stats[seat]
            faults = " ".join(v.fault for v in row.verdicts if v.seat == seat)
            where = [fixture.game, fixture.stage, fixture.round, fixture.table, fixture.deal, fixture.level]
            where += [fixture.seed, seat, fixture.entries[seat], fixture.editions[seat], bot]
            result = [outcome.ranks[seat], outcome.scores[seat], outcome.out[seat], row.played, outcome.finished]
            yield [*where, *result, stats.decisions, stats.seconds, stats.slowest, stats.cpu, faults]


def standings_sheet(data: ReportData) -> str:
    """In order of rank; unranked bots come last."""
    if data.solo:
        rows = ([*_column_values(line.solo, SOLO_COLUMNS), line.apart] for line in data.table.lines)
        return csv_sheet((*SOLO_COLUMNS, "apart"), rows)
    decisive = ("apart", *DECISIVE_COLUMNS.get(data.config.format, ()))
    standings = standings_rows(data.table, data.names)
    return csv_sheet(
        (*RATING_COLUMNS, *decisive),
        (
            [line.place, line.player, *_column_values(line.rating, RATING_COLUMNS[2:]), *_column_values(row, decisive)]
            for line, row in zip(data.table.lines, standings, strict=True)
        ),
    )


def _column_values(row: object, columns: Sequence[str]) -> list[object]:
    return [getattr(row, name, None) for name in columns]


def prizes_sheet(data: ReportData) -> str:
    rows = ((prize.title, ", ".join(prize.winners), prize.sentence, prize.game) for prize in data.prizes)
    return csv_sheet(("prize", "winners", "sentence", "game"), rows)


def results_sheet(data: ReportData) -> str:
    """The games that count, as `peloarena ratings` reads them."""
    rows = (
        (result.game, to_plain_text(player), rank, result.cluster)
        for result in rating_results(data.games)
        for player, rank in zip(result.players, result.ranks, strict=True)
    )
    return csv_sheet(("game", "player", "rank", "cluster"), rows)


def seed_rows(data: ReportData) -> Iterator[list[object]]:
    """One row for each open deal."""
    games: dict[str, list[str]] = {}
    for row in data.games:
        if row.fixture.game not in data.hidden:
            games.setdefault(row.fixture.seed, []).append(row.fixture.game)
    for seed, names in games.items():
        yield [seed, hashlib.sha256(seed.encode()).hexdigest(), " ".join(names)]


def fault_rows(data: ReportData) -> Iterator[list[object]]:
    for row in data.games:
        for verdict, evidence in zip(row.verdicts, row.evidence, strict=True):
            where = [row.fixture.game, row.fixture.round, row.fixture.seats[verdict.seat], verdict.seat]
            what = [verdict.fault, verdict.forgiven, verdict.decision, verdict.reason]
            yield [
                *where,
                *what,
                evidence.exit_status,
                evidence.out_of_memory,
                evidence.request,
                evidence.answer,
                evidence.stderr,
            ]


def game_json(row: GameRow) -> dict[str, object]:
    fixture, outcome = row.fixture, row.outcome
    return {
        "game": fixture.game,
        "stage": fixture.stage,
        "round": fixture.round,
        "table": fixture.table,
        "deal": fixture.deal,
        "seating": fixture.seating,
        "redraw": fixture.redraw,
        "level": fixture.level,
        "points_for": fixture.points_for,
        "shared": fixture.shared,
        "seed": fixture.seed,
        "entries": fixture.entries,
        "editions": fixture.editions,
        "seats": fixture.seats,
        "ranks": outcome.ranks,
        "scores": outcome.scores,
        "out": outcome.out,
        "played": row.played,
        "finished": outcome.finished,
        "verdicts": row.verdicts,
        "evidence": row.evidence,
        "stats": row.stats,
        "at": row.at,
    }


def standings_json(data: ReportData) -> dict[str, object]:
    """`ratings` as in `peloarena ratings --json`."""
    solo: tuple[SoloRow, ...] = data.solo
    return {
        "name": data.name,
        "format": data.config.format,
        "commitment": data.commitment,
        "deals": data.deals,
        "finished": not data.missing,
        "games": len(data.games),
        "decided_by": decided_by(data.config.format),
        "places": standings_rows(data.table, data.names),
        "ratings": data.ratings.ratings if data.ratings else (),
        "warnings": data.ratings.warnings if data.ratings else (),
        "solo": solo,
        "champion": data.champion,
        "prizes": data.prizes,
        "points": points_of(data.games),
        "forfeits": forfeits_of(data.games),
        "left_out": [{"bot": bot.name, "problem": without_folders(bot.problem)} for bot in data.bots if bot.problem],
        "orders": data.orders,
        "voids": data.voids,
    }


def write_records(store: Store, data: ReportData, folder: Path) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    for row in data.games:
        game = row.fixture.game
        if game in data.hidden:
            continue
        path = folder / f"{game}.jsonl"  # a safe name: rows.py checks it
        path.write_bytes(store.record(game))
        yield path

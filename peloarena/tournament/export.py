"""A night for programs: CSV and JSON of games, standings, seeds and faults; the records beside them.

JSON is exact; CSV is for spreadsheets (see csv_text.py). No folder of the host's is written; but faults and games hold
what bots printed, which is for the host and their authors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from ..game import ConfigError
from ..game.codec import encode_indented
from ..referee.plain_text import plain
from .csv_text import sheet
from .ratings import RatingRow
from .report.data import NightData, collect
from .report.public import without_folders
from .rows import GameRow
from .standings import SoloRow, forfeits_of, points_of, results_of
from .store import Store

GAME_COLUMNS = [
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
    """Write all that may be shown: the files in the order they were written, and whether that is everything."""
    data = collect(store, largest=0)
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in sheets(data).items():
            written.append(folder / name)
            written[-1].write_text(text, "utf-8", newline="")
        if records:
            written += write_records(store, data, folder / "records")
    except OSError as error:
        raise ConfigError(f"{str(folder)!r}: {error.strerror or error}") from None
    return written, not data.hidden


def sheets(data: NightData) -> dict[str, str]:
    return {
        "games.csv": sheet(GAME_COLUMNS, seat_rows(data)),
        "standings.csv": standings_sheet(data),
        "results.csv": results_sheet(data),
        "seeds.csv": sheet(("seed", "sha256", "games"), seed_rows(data)),
        "faults.csv": sheet(FAULT_COLUMNS, fault_rows(data)),
        "games.json": encode_indented([game_object(row) for row in data.games]),
        "standings.json": encode_indented(standings_object(data)),
    }


def seat_rows(data: NightData) -> Iterator[list[object]]:
    """One row for each seat of each game."""
    for row in data.games:
        fixture, outcome = row.fixture, row.outcome
        for seat, bot in enumerate(fixture.seats):
            stats = row.stats[seat]
            faults = " ".join(v.fault for v in row.verdicts if v.seat == seat)
            where = [fixture.game, fixture.stage, fixture.round, fixture.table, fixture.deal, fixture.level]
            where += [fixture.seed, seat, fixture.entries[seat], fixture.editions[seat], bot]
            came = [outcome.ranks[seat], outcome.scores[seat], outcome.out[seat], row.played, outcome.finished]
            yield [*where, *came, stats.decisions, stats.seconds, stats.slowest, stats.cpu, faults]


def standings_sheet(data: NightData) -> str:
    if data.solo:
        return sheet(SOLO_COLUMNS, [[getattr(row, name) for name in SOLO_COLUMNS] for row in data.solo])
    ratings = data.ratings.ratings if data.ratings else ()
    return sheet(RATING_COLUMNS, [[getattr(row, name) for name in RATING_COLUMNS] for row in ratings])


def results_sheet(data: NightData) -> str:
    """What `peloarena ratings` reads again: games that count."""
    rows = (
        (result.game, plain(player), rank, result.cluster)
        for result in results_of(data.games)
        for player, rank in zip(result.players, result.ranks, strict=True)
    )
    return sheet(("game", "player", "rank", "cluster"), rows)


def seed_rows(data: NightData) -> Iterator[list[object]]:
    """Each deal that is open."""
    games: dict[str, list[str]] = {}
    for row in data.games:
        if row.fixture.game not in data.hidden:
            games.setdefault(row.fixture.seed, []).append(row.fixture.game)
    for seed, names in games.items():
        yield [seed, hashlib.sha256(seed.encode()).hexdigest(), " ".join(names)]


def fault_rows(data: NightData) -> Iterator[list[object]]:
    for row in data.games:
        for verdict, found in zip(row.verdicts, row.evidence, strict=True):
            where = [row.fixture.game, row.fixture.round, row.fixture.seats[verdict.seat], verdict.seat]
            what = [verdict.fault, verdict.forgiven, verdict.decision, verdict.reason]
            yield [*where, *what, found.exit_status, found.out_of_memory, found.request, found.answer, found.stderr]


def game_object(row: GameRow) -> dict[str, object]:
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


def standings_object(data: NightData) -> dict[str, object]:
    """`ratings` as `peloarena ratings --json` gives them."""
    solo: tuple[SoloRow, ...] = data.solo
    return {
        "name": data.name,
        "format": data.config.format,
        "commitment": data.commitment,
        "deals": data.deals,
        "finished": not data.missing,
        "games": len(data.games),
        "ratings": data.ratings.ratings if data.ratings else (),
        "warnings": data.ratings.warnings if data.ratings else (),
        "solo": solo,
        "champion": data.champion,
        "points": points_of(data.games),
        "forfeits": forfeits_of(data.games),
        "left_out": [{"bot": bot.name, "problem": without_folders(bot.problem)} for bot in data.bots if bot.problem],
        "orders": data.orders,
        "voids": data.voids,
    }


def write_records(store: Store, data: NightData, folder: Path) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    for row in data.games:
        game = row.fixture.game
        if game in data.hidden:
            continue
        path = folder / f"{game}.jsonl"  # a safe name, or rows.py would have refused it
        path.write_bytes(store.record(game))
        yield path

"""`peloarena ratings`: Elo with honest error bars for a tournament, a folder of records, any CSV, or a season."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from msgspec import Struct
from rich.console import RenderableType

from ..game import ConfigError
from ..referee.text_files import read_text
from ..tournament.archive.archived_games import read_archived_games
from ..tournament.archive.manifest import ArchiveError, is_archive
from ..tournament.config import DEFAULT_PRIOR, is_database
from ..tournament.csv_text import csv_sheet
from ..tournament.rating_sources import (
    RatingInput,
    rating_input_of_records,
    rating_input_of_tournament,
    season_source_of_csv,
    season_source_of_records,
    season_source_of_tournament,
    tournament_games,
)
from ..tournament.rating_text import prior_text
from ..tournament.ratings import GameResult, RatingRow, RatingTable, ResultsError, rating_table, read_csv, rerank
from ..tournament.ratings.csv_results import MAX_CHARACTERS
from ..tournament.season import Season, SeasonSource, season_of, season_player_text
from ..tournament.store import Store, default_store_path
from ..tournament.wording import for_people
from .common import GOOD, UNWRAPPED_WIDTH, console, json_option, print_data, print_json, safe, to_plain_text
from .standings_text import elo_table, print_lines, rating_notes, seat_line
from .verify import paths_to_verify, read_record_bytes

CSV_COLUMNS = RatingRow.__struct_fields__


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--seat-advantage", is_flag=True, help="Also print how much each position in the initial turn order is worth."
)
@click.option("--no-replay", is_flag=True, help="Do not replay recorded games. Faster, but trusts the records.")
@click.option("--by-version", is_flag=True, help="Rate each version of a bot separately (same name, different files).")
@click.option("--by-author", is_flag=True, help="Rate authors instead of bots.")
@click.option(
    "--prior",
    type=click.IntRange(0, 1000),
    help=f"Assume that each bot drew this many games against the mean; 0 for none.  [default: as in the "
    f"tournament, else {DEFAULT_PRIOR}]",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets.")
def command(
    files: tuple[str, ...],
    seat_advantage: bool,
    no_replay: bool,
    by_version: bool,
    by_author: bool,
    prior: int | None,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Rate bots by all of their games at once, with 95 % intervals that treat each deal as one sample.

    A FILE is a tournament (its store or its .toml), an archive, a folder of records (*.jsonl, each played again to
    check it), or a CSV with the columns game,first,second,result (1-0, 0-1, 1/2-1/2) or game,player,rank[,cluster].

    Several files are a season: entries with the same name and author are one bot, versions are distinguished by their
    files, and a game that is in two files counts once. The output says which entries were joined.

    \b
    Examples:
      peloarena ratings friday.sqlite
      peloarena ratings monday.sqlite friday.sqlite --by-author
      peloarena ratings games --seat-advantage
      peloarena ratings results.csv --json
    """
    if as_json and as_csv:
        raise ConfigError("--json or --csv, not both")
    if by_version and (by_author or len(files) > 1):
        raise ConfigError("--by-version is for one folder of records; a season always rates versions separately")
    reading = ReadOptions(seat_advantage, not no_replay, by_version, by_author)
    rated, table = rate_files(files, reading, prior)
    if as_json:
        print_json(ratings_json(table, rated))
    elif as_csv:
        print_data(
            csv_sheet(CSV_COLUMNS, [[getattr(row, name) for name in CSV_COLUMNS] for row in table.ratings]).encode()
        )
        for line in (
            *map(seat_line, table.seats),
            prior_text(table.prior),
            *map(for_people, table.warnings),
            *rated.notes,
        ):
            click.echo(to_plain_text(line), err=True)
    else:
        print_ratings(table, rated)
    return GOOD


class ReadOptions(Struct, frozen=True):
    """How to read sources."""

    include_positions: bool
    """Include the turn order, which takes longer."""
    replay: bool
    """Replay the records."""
    by_version: bool
    by_author: bool


def rate_files(
    files: Sequence[str], options: ReadOptions, prior: int | None
) -> tuple[RatingInput | Season, RatingTable]:
    """ConfigError names the file that cannot be rated."""
    label = files[0] if len(files) == 1 else "the season"
    try:
        if options.by_author or len(files) > 1:
            rated: RatingInput | Season = season_of(read_sources(files, options), by_author=options.by_author)
        else:
            rated = read_results(Path(files[0]), options)
        if not rated.results and rated.notes:
            raise ConfigError(f"{label}: no results to rate ({'; '.join(rated.notes)})")
        table = rating_table(
            rated.results,
            counts=rated.counts,
            faults=rated.faults,
            seat_advantage=options.include_positions,
            prior=rated.prior if prior is None else prior,
        )
    except (ArchiveError, ResultsError) as error:
        raise ConfigError(f"{label}: {error}" if label not in str(error) else str(error)) from None
    return rated, table


def read_results(file: Path, options: ReadOptions) -> RatingInput:
    """By the file's content, not only by its name. Void games of an archive do not count."""
    if is_record_path(file):
        return rating_input_of_records(read_records(file), replay=options.replay, by_version=options.by_version)
    if options.by_version:
        raise ConfigError("--by-version is for records; a tournament always rates versions separately")
    if is_archive(file):
        return rating_input_of_tournament(read_archived_games(file, replay=options.replay), options.include_positions)
    if is_tournament_file(file):
        with Store.open_to_read(default_store_path(file)) as store:
            return rating_input_of_tournament(tournament_games(store), options.include_positions)
    return RatingInput(read_csv_results(file))


def read_sources(files: Sequence[str], options: ReadOptions) -> list[SeasonSource]:
    """Each source has its name without folders, or the name as given if two would be the same."""
    short = Counter(Path(file).stem for file in files)
    names = [Path(file).stem if short[Path(file).stem] == 1 else file for file in files]
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise ConfigError(f"{repeated[0]!r} is named twice")
    return [read_source(name, Path(file), options) for name, file in zip(names, files, strict=True)]


def read_source(name: str, file: Path, options: ReadOptions) -> SeasonSource:
    if is_record_path(file):
        return season_source_of_records(name, read_records(file), replay=options.replay)
    if is_archive(file):
        return season_source_of_tournament(
            name, read_archived_games(file, replay=options.replay), options.include_positions
        )
    if is_tournament_file(file):
        with Store.open_to_read(default_store_path(file)) as store:
            return season_source_of_tournament(name, tournament_games(store), options.include_positions)
    return season_source_of_csv(name, read_csv_results(file))


def is_record_path(file: Path) -> bool:
    return (file.is_dir() and not is_archive(file)) or file.suffix == ".jsonl"


def is_tournament_file(file: Path) -> bool:
    return file.suffix in (".toml", ".sqlite") or is_database(file)


def read_records(file: Path) -> Iterator[tuple[str, bytes]]:
    return ((str(path), read_record_bytes(path)) for path in paths_to_verify((str(file),)))


def read_csv_results(file: Path) -> tuple[GameResult, ...]:
    return read_csv(read_text(file, "results", MAX_CHARACTERS), str(file))


def print_ratings(table: RatingTable, rated: RatingInput | Season) -> None:
    out = console(pipe_width=UNWRAPPED_WIDTH)
    print_lines(out, rating_group_tables(table, rated.forfeits))
    print_lines(out, rating_notes(table))
    print_lines(out, map(safe, rated.notes))
    if isinstance(rated, Season):
        print_lines(out, (safe(season_player_text(row)) for row in rated.joined))


def rating_group_tables(table: RatingTable, forfeits: Mapping[str, int]) -> Iterator[RenderableType]:
    """One table for each group: entries that cannot be compared are in different tables."""
    for number, group in enumerate(table.groups, 1):
        if len(table.groups) > 1:
            yield f"[bold]group {number} of {len(table.groups)}[/]"
        yield elo_table(rerank([row for row in table.ratings if row.player in group]), forfeits)


def ratings_json(table: RatingTable, rated: RatingInput | Season) -> dict[str, object]:
    return {
        "ratings": table.ratings,
        "groups": table.groups,
        "seats": table.seats,
        "deals": table.clusters,
        "prior": table.prior,
        "forfeits": rated.forfeits,
        "warnings": [*table.warnings, *rated.notes],
    } | ({"joined": rated.joined} if isinstance(rated, Season) else {})

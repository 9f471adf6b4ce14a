"""`peloarena ratings`: Elo with honest error bars for a night, a folder of records, or somebody's CSV."""

from __future__ import annotations

from pathlib import Path

import click

from ..game import ConfigError
from ..referee.files import read_text
from ..tournament.archive.manifest import is_archive
from ..tournament.config import NIGHT_PRIOR, is_database
from ..tournament.csv_text import sheet
from ..tournament.rating_sources import Rated, from_records, from_store
from ..tournament.rating_text import prior_text
from ..tournament.ratings import RatingRow, RatingTable, ResultsError, rating_table, read_csv
from ..tournament.ratings.csv_results import MAX_CHARACTERS
from ..tournament.store import Store, default_store
from .common import GOOD, console, json_option, plain, print_data, print_json, safe
from .standings_text import rating_lines, seat_line
from .verify import paths, record_bytes

COLUMNS = RatingRow.__struct_fields__


@click.command()
@click.argument("file")
@click.option("--seat-advantage", is_flag=True, help="Also tell what each position in the first turn order is worth.")
@click.option("--no-replay", is_flag=True, help="Records: do not play the games again; quicker, and trusting.")
@click.option(
    "--by-version", is_flag=True, help="Records: rate bots of one name apart if their files differ (by their hash)."
)
@click.option(
    "--prior",
    type=click.IntRange(0, 1000),
    help=f"Games that each bot is taken to have drawn against the mean (the night's own, else {NIGHT_PRIOR}; 0: none).",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets.")
def command(
    file: str,
    seat_advantage: bool,
    no_replay: bool,
    by_version: bool,
    prior: int | None,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Rate bots by their games: all games at once, 95 % intervals over whole deals.

    FILE is a tournament (its store or its .toml), a folder of records (*.jsonl, each played again to check it), or a
    CSV with the columns game,first,second,result (1-0, 0-1, 1/2-1/2) or game,player,rank[,cluster].

    \b
    Examples:
      peloarena ratings tournaments/friday.sqlite
      peloarena ratings games --seat-advantage
      peloarena ratings results.csv --json
    """
    if as_json and as_csv:
        raise ConfigError("--json or --csv, not both")
    try:
        rated = read_results(Path(file), seat_advantage, not no_replay, by_version)
        if not rated.results and rated.notes:
            raise ConfigError(f"{file}: no results to rate ({'; '.join(rated.notes)})")
        table = rating_table(
            rated.results,
            counts=rated.counts,
            faults=rated.faults,
            seat_advantage=seat_advantage,
            prior=rated.prior if prior is None else prior,
        )
    except ResultsError as error:
        raise ConfigError(f"{file}: {error}" if file not in str(error) else str(error)) from None
    if as_json:
        print_json(json_of(table, rated))
    elif as_csv:
        print_data(sheet(COLUMNS, [[getattr(row, name) for name in COLUMNS] for row in table.ratings]).encode())
        for said in (*map(seat_line, table.seats), prior_text(table.prior), *table.warnings, *rated.notes):
            click.echo(plain(said), err=True)
    else:
        tell(table, rated)
    return GOOD


def read_results(file: Path, positions: bool, replay: bool, by_version: bool) -> Rated:
    """By what the file is, not by its name alone. Of an archive the void games do not count."""
    if is_archive(file):
        file = file / "records"
    if file.is_dir() or file.suffix == ".jsonl":
        files = ((str(path), record_bytes(path)) for path in paths((str(file),)))
        return from_records(files, replay=replay, by_version=by_version)
    if by_version:
        raise ConfigError("--by-version is for records; a night always rates versions apart")
    if file.suffix in (".toml", ".sqlite") or is_database(file):
        with Store.read(default_store(file)) as store:
            return from_store(store, positions)
    return Rated(read_csv(read_text(file, "results", MAX_CHARACTERS), str(file)))


def tell(table: RatingTable, rated: Rated) -> None:
    out = console(pipe_width=120)
    for line in rating_lines(table, rated.forfeits):
        out.print(line)
    for note in rated.notes:
        out.print(safe(note))


def json_of(table: RatingTable, rated: Rated) -> dict[str, object]:
    return {
        "ratings": table.ratings,
        "seats": table.seats,
        "deals": table.clusters,
        "prior": table.prior,
        "forfeits": rated.forfeits,
        "warnings": [*table.warnings, *rated.notes],
    }

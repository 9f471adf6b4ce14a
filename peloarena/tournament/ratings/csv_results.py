"""Read results from CSV text that somebody else wrote. Knows the two headers; does not open files.

Untrusted: sizes are limited, names must be printable, and every error names its line.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .results import GameResult, ResultsError

MAX_CHARACTERS = 64 * 1024 * 1024
MAX_ROWS = 1_000_000
MAX_PLAYERS = 500
MAX_TABLE = 16
MAX_NAME = 200
MAX_LINE = 4096
"""Characters: four cells in which every quote is doubled."""

RANKS_BY_RESULT = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}

_RANK = re.compile(r"[1-9][0-9]{0,2}", re.ASCII)

CsvRow = tuple[int, list[str]]


@dataclass
class _Source:
    """The position that errors report."""

    name: str

    def error(self, line: int, problem: str) -> ResultsError:
        return ResultsError(f"{self.name}:{line}: {problem}")


@dataclass
class _GameBeingRead:
    """A game whose rows are still being read."""

    line: int
    cluster: str
    ranks: dict[str, int] = field(default_factory=dict)


def read_csv(text: str, name: str = "results.csv") -> tuple[GameResult, ...]:
    """The games of `game,first,second,result` or `game,player,rank[,cluster]`; `name` appears in errors."""
    source = _Source(name)
    if len(text) > MAX_CHARACTERS:
        raise ResultsError(f"{name}: {len(text):,} characters, at most {MAX_CHARACTERS:,}")
    rows = _rows(text.removeprefix("\ufeff"), source)
    line, header = next(rows, (1, []))
    reader = _READERS.get(tuple(cell.lower() for cell in header))
    if reader is None:
        raise source.error(line, f"header {','.join(header)[:80]!r}: must be one of {_HEADERS}")
    results = reader(_check_width(rows, len(header), source), source)
    _check_player_count(results, source)
    return results


def _rows(text: str, source: _Source) -> Iterator[CsvRow]:
    reader = csv.reader(_lines(text, source), strict=True)
    try:
        for count, cells in enumerate(reader):
            if count > MAX_ROWS:
                raise source.error(reader.line_num, f"more than {MAX_ROWS:,} rows")
            if cells:
                yield reader.line_num, [_cell(cell, reader.line_num, source) for cell in cells]
    except csv.Error as error:
        raise source.error(reader.line_num, f"not CSV: {error}") from error


def _lines(text: str, source: _Source) -> Iterator[str]:
    """Line by line: a single line of 64 MiB of commas would become a list of as many cells."""
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        if len(line) > MAX_LINE:
            raise source.error(number, f"{len(line):,} characters in one line, at most {MAX_LINE:,}")
        yield line


def _cell(cell: str, line: int, source: _Source) -> str:
    cell = cell.strip()
    if len(cell) > MAX_NAME:
        raise source.error(line, f"{cell[:20]!r}...: {len(cell)} characters, at most {MAX_NAME}")
    if not cell.isprintable():
        raise source.error(line, f"{cell!r}: unprintable characters")
    return cell


def _check_width(rows: Iterator[CsvRow], width: int, source: _Source) -> Iterator[CsvRow]:
    for line, cells in rows:
        if len(cells) != width:
            raise source.error(line, f"{len(cells)} columns, the header has {width}")
        if "" in cells:
            raise source.error(line, f"column {cells.index('') + 1} is empty")
        yield line, cells


def _read_duels(rows: Iterator[CsvRow], source: _Source) -> tuple[GameResult, ...]:
    lines: dict[str, int] = {}
    results = []
    for line, (game, first, second, result) in rows:
        if game in lines:
            raise source.error(line, f"game {game!r}: already on line {lines[game]}")
        if result not in RANKS_BY_RESULT:
            raise source.error(line, f"result {result!r}: must be one of {', '.join(RANKS_BY_RESULT)}")
        if first == second:
            raise source.error(line, f"player {first!r}: plays against itself")
        lines[game] = line
        results.append(GameResult(game, (first, second), RANKS_BY_RESULT[result], cluster=game, positions=(0, 1)))
    return tuple(results)


def _read_tables(rows: Iterator[CsvRow], source: _Source) -> tuple[GameResult, ...]:
    games: dict[str, _GameBeingRead] = {}
    for line, (game, player, rank, *cluster) in rows:
        table = games.setdefault(game, _GameBeingRead(line, cluster[0] if cluster else game))
        if cluster and cluster[0] != table.cluster:
            raise source.error(line, f"cluster {cluster[0]!r}: earlier rows of game {game!r} have {table.cluster!r}")
        _add_player(table, player, rank, line, source)
    return tuple(_game_result(game, table, source) for game, table in games.items())


def _add_player(table: _GameBeingRead, player: str, rank: str, line: int, source: _Source) -> None:
    if not _RANK.fullmatch(rank):
        raise source.error(line, f"rank {rank!r}: must be a whole number from 1 up; ties share a rank")
    if player in table.ranks:
        raise source.error(line, f"player {player!r}: twice in one game (from line {table.line})")
    if len(table.ranks) == MAX_TABLE:
        raise source.error(line, f"more than {MAX_TABLE} players in one game (from line {table.line})")
    table.ranks[player] = int(rank)


def _game_result(game: str, table: _GameBeingRead, source: _Source) -> GameResult:
    try:
        return GameResult(game, tuple(table.ranks), tuple(table.ranks.values()), table.cluster)
    except ResultsError as error:
        raise source.error(table.line, str(error)) from error


def _check_player_count(results: tuple[GameResult, ...], source: _Source) -> None:
    if not results:
        raise source.error(1, "no games below the header")
    players = {player for result in results for player in result.players}
    if len(players) > MAX_PLAYERS:
        raise ResultsError(f"{source.name}: {len(players)} players, at most {MAX_PLAYERS}")


_READERS: dict[tuple[str, ...], Callable[[Iterator[CsvRow], _Source], tuple[GameResult, ...]]] = {
    ("game", "first", "second", "result"): _read_duels,
    ("game", "player", "rank"): _read_tables,
    ("game", "player", "rank", "cluster"): _read_tables,
}
_HEADERS = " or ".join(",".join(header) for header in _READERS)

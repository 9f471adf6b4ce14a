"""`peloarena verify`: plays records again and says whether they hold."""

from __future__ import annotations

from pathlib import Path

import click

from ..game import ConfigError
from ..referee.verify import LARGEST_RECORD, RecordError, verify
from .common import BAD, GOOD, UNBROKEN, console, json_option, print_json, safe


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE ...")
@click.option("--quiet", "-q", is_flag=True, help="Name only the records that do not hold.")
@json_option
def command(files: tuple[str, ...], quiet: bool, as_json: bool) -> int:
    """Check records: replay each game with the engine and compare every line.

    A record shows that a game was played by the rules as written down; it does not show who wrote it. Folders are
    searched for *.jsonl. Exit code 1 when a record does not hold.

    \b
    Examples:
      peloarena verify games/greedy-random-1.jsonl
      peloarena verify games --quiet
    """
    out = console(UNBROKEN)
    found: list[tuple[Path, str]] = []
    for path in paths(files):
        problem = problem_of(path)
        found.append((path, problem))
        if problem and not as_json:
            out.print(f"[bold red]bad[/]   {safe(str(path))}: {safe(problem)}")
        elif not quiet and not as_json:
            out.print(f"[green]holds[/] {safe(str(path))}")
    bad = sum(bool(problem) for _, problem in found)
    if as_json:
        print_json(
            {"records": [{"file": str(path), "holds": not problem, "problem": problem} for path, problem in found]}
        )
    elif len(found) > 1:
        out.print(f"{len(found) - bad} of {len(found)} records hold.")
    return BAD if bad else GOOD


def paths(files: tuple[str, ...]) -> list[Path]:
    found: list[Path] = []
    for name in files:
        path = Path(name)
        if path.is_dir():
            found += sorted(path.rglob("*.jsonl"))
        elif path.is_file():
            found.append(path)
        else:
            raise ConfigError(f"no record at {name!r}: give a .jsonl file or a folder of them")
    if not found:
        raise ConfigError(f"no *.jsonl in {', '.join(files)}")
    return found


def read_record(path: Path) -> bytes:
    """Never more of a file than a record may be long."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_RECORD + 1)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None


def problem_of(path: Path) -> str:
    try:
        verify(read_record(path))
    except RecordError as error:
        return str(error)
    return ""

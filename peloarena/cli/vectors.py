"""`peloarena vectors`: games question by question, to prove that another engine is equal to ours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from ..engine.conformance_vectors import (
    VectorError,
    check_vector,
    make_covering_vector,
    make_vector,
    standard_vector_options,
)
from ..game import ConfigError, make_options
from .common import (
    BAD,
    GOOD,
    SuggestingGroup,
    components_option,
    json_option,
    modules_option,
    print_json,
    to_plain_text,
)

VECTOR_SUFFIX = ".jsonl"
DEFAULT_PLAYERS = 2


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Write and check test vectors for engines in other languages (spec/vectors/README.md)."""


@command.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--games",
    "-n",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Write N games that all use the same options, instead of the standard set.",
)
@click.option(
    "--players",
    default=DEFAULT_PLAYERS,
    show_default=True,
    type=click.IntRange(1, 8),
    metavar="N",
    help="With --games: the number of players.",
)
@click.option(
    "--level",
    default=0,
    type=click.IntRange(0, 5),
    metavar="L",
    help="With --games and one player: the level of the solo game.",
)
@modules_option
@components_option
@click.option(
    "--seed", default="vector", show_default=True, metavar="TEXT", help="With --games: the seed of the first deal."
)
@click.option("--anew", is_flag=True, help="Overwrite existing vectors, after an intended change of the rules.")
def write(
    folder: Path,
    games: int | None,
    players: int,
    level: int,
    modules: tuple[str, ...],
    components: str,
    seed: str,
    anew: bool,
) -> None:
    """Write the vectors that FOLDER lacks: the standard set or, with --games, as many as you ask for.

    \b
    Examples:
      peloarena vectors write spec/vectors
      peloarena vectors write mine --games 1000 --players 4 --with hellas,sea
    """
    if games is None and (modules or components or level or players != DEFAULT_PLAYERS):
        raise ConfigError("--players, --level, --with and --components need --games")
    if games is None:
        wanted = {
            name: partial(make_covering_vector, name, options) for name, options in standard_vector_options().items()
        }
    else:
        options = make_options(players, modules, level, components=components)
        wanted = {f"{seed}-{n}": partial(make_vector, options, f"{seed}.{n}") for n in range(1, games + 1)}
    missing = [name for name in wanted if anew or not (folder / f"{name}{VECTOR_SUFFIX}").exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in missing:
            (folder / f"{name}{VECTOR_SUFFIX}").write_bytes(wanted[name]())
    except OSError as error:
        raise ConfigError(f"{str(folder)!r}: {error.strerror}") from None
    click.echo(f"{len(missing)} vectors written, {len(wanted) - len(missing)} existed already")


@command.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@json_option
def check(paths: tuple[Path, ...], as_json: bool) -> int:
    """Check vectors, ours or another engine's, by playing them again. Accepts files and folders.

    For each bad vector it prints the line and question where it differs from the rules, and how.

    \b
    Examples:
      peloarena vectors check spec/vectors
      peloarena vectors check from-my-engine/*.jsonl
    """
    questions, problems = 0, {}
    files = vector_files(paths)
    for file in files:
        try:
            questions += check_vector(file.read_bytes())
        except OSError as error:
            raise ConfigError(f"{str(file)!r}: {error.strerror}") from None
        except VectorError as error:
            problems[str(file)] = str(error)
    if as_json:
        print_json({"files": len(files), "questions": questions, "problems": problems})
    else:
        for name, problem in problems.items():
            click.echo(to_plain_text(f"{name}, {problem}"))
        good = len(files) - len(problems)
        click.echo(f"{good} of {len(files)} vectors agree with the rules ({questions} questions)")
    return BAD if problems else GOOD


def vector_files(paths: Sequence[Path]) -> list[Path]:
    files = [file for path in paths for file in (sorted(path.glob(f"*{VECTOR_SUFFIX}")) if path.is_dir() else [path])]
    if not files:
        raise ConfigError(f"no vectors in {', '.join(map(str, paths))}: their files end with {VECTOR_SUFFIX}")
    return files

"""A tournament file: TOML in, a checked TournamentConfig out. Untrusted input: limits, no code, errors that help.

Knows what the file may contain, but not how it is used.
"""

from __future__ import annotations

import glob
import hashlib
import io
import itertools
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from ..game import ConfigError, GameOptions, make_options
from ..game.chance import check_seed
from ..game.errors import did_you_mean
from ..game.toml import read_toml
from ..referee.bot_files import IGNORED_FOLDERS
from ..referee.builtin_bots import builtin_bot_path
from ..referee.job import Restart
from ..referee.sandbox.isolation import SandboxPolicy
from ..referee.text_files import read_text
from ..referee.time_control import TimeControl, parse_time

MAX_BOTS = 500
MAX_WILDCARD_FOLDERS = 3
"""How many folders of a path may have wildcards."""
MAX_GLOB_FILES = 10_000
"""How many files a glob may find, bots or not."""
SQLITE_HEADER = b"SQLite format 3\0"
"""The first bytes of a tournament store."""

Format = Literal["round-robin", "gauntlet", "swiss", "knockout", "solo", "ladder"]
FORMAT_NAMES: Mapping[Format, str] = {
    "round-robin": "Round-robin",
    "gauntlet": "Gauntlet",
    "swiss": "Swiss system",
    "knockout": "Knockout",
    "solo": "Solo championship",
    "ladder": "Ladder",
}
"""As people write it."""
PAIRED_BY_RESULTS: tuple[Format, ...] = ("swiss", "knockout")
"""Formats in which two bots play a match of several deals, and results decide the next pairings."""
Seatings = Literal["rotations", "one", "all", "balanced"]
SINGLE_SEATINGS: tuple[Seatings, ...] = ("one", "balanced")
"""Those that play each deal in one seating."""
EntryPolicy = Literal["closed", "tokens", "open"]
KEY_CHOICES: Mapping[str, tuple[str, ...]] = {
    "format": get_args(Format),
    "seatings": get_args(Seatings),
    "sandbox": get_args(SandboxPolicy),
    "restart": get_args(Restart),
    "entries": get_args(EntryPolicy),
}
"""Keys with a fixed set of values."""

DEFAULT_PRIOR = 2
"""Draws against the mean: a bot that wins everything is not infinitely strong."""
ShortName = Annotated[str, Meta(min_length=1, max_length=60)]
MAX_COUNT = 100_000
"""The largest count in a file: deals, rounds, tables."""
PositiveCount = Annotated[int, Meta(ge=1, le=MAX_COUNT)]
MAX_EXTRA_DEALS = 100
"""Extra deals for a tied match."""
MAX_SHOWN_FOLDERS = 16
"""Folders: each costs bubblewrap about 0.3 ms per start."""


def cores() -> int:
    return os.cpu_count() or 1


class BotEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One bot under a name that the host chose."""

    path: str
    alias: ShortName = ""


class TournamentConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """tournaments/*.toml. Paths are relative to the file."""

    name: ShortName
    bots: Annotated[list[str | BotEntry], Meta(min_length=1, max_length=MAX_BOTS)]
    format: Format = "round-robin"
    table: Annotated[int, Meta(ge=1, le=8)] = 2
    """Seats at a table."""
    deals: PositiveCount = 10
    """Deals for each table, each played in every seating; a round is one deal of all tables (Swiss, knockout: all
    deals)."""
    seatings: Seatings = "rotations"
    """If a file that is read for playing omits it, `default_seatings` applies."""
    seed: str = ""
    """Empty: drawn when the tournament begins, and kept in the store."""
    modules: list[str] = []
    components: str = ""
    """A file of component overrides."""
    time: str = "10s+0.1s"
    sandbox: SandboxPolicy = "auto"
    show: Annotated[list[str], Meta(max_length=MAX_SHOWN_FOLDERS)] = []
    """Additional folders that bots may read: tool chains."""
    faults: Annotated[int, Meta(ge=0, le=1000)] = 0
    jobs: Annotated[int, Meta(ge=0, le=256)] = 0
    """Games at a time; 0: one per core."""
    restart: Restart = "game"
    pondering: bool = False
    bench_after: Annotated[int, Meta(ge=0, le=1000)] = 5
    """A bot with this many faults in a row is benched at the end of the round; 0: never."""
    rounds: PositiveCount = 5
    """Swiss: number of rounds."""
    extra_deals: Annotated[int, Meta(ge=0, le=MAX_EXTRA_DEALS)] = 4
    """Knockout: the most extra deals for a tied match, one at a time."""
    third_place: bool = True
    """Knockout: whether the losers of the semi-finals play for third place."""
    same_deals: bool = False
    """Swiss, knockout: all tables of a round play the same deals."""
    anonymous: bool = False
    """Hides the other bots' names: bots see `seat 0`, `seat 1` ..."""
    authors_apart: bool = False
    """Bots of one author share no table of three or more, if the roster allows it."""
    challenger: str = ""
    """Gauntlet: the bot that everybody plays; by default the first one."""
    tables: Annotated[int, Meta(ge=0, le=MAX_COUNT)] = 0
    """Round-robin with more than two seats: tables per round; 0: all subsets while they are few."""
    levels: tuple[Annotated[int, Meta(ge=1, le=5)], ...] = (1, 2, 3, 4, 5)
    """Solo: the levels at which every deal is played."""
    catch_up: bool = True
    """Whether deals that somebody missed (late, benched, withdrawn) are played after the last round."""
    versions_per_hour: PositiveCount = 6
    """How many versions an entry may submit within an hour (`tournament enter`)."""
    entries: EntryPolicy = "closed"
    """Who may submit bots on the page: nobody, holders of a token (`tournament enter --token`), or everybody."""
    prior: Annotated[int, Meta(ge=0, le=1000)] = DEFAULT_PRIOR
    """For the ratings: the number of games that each bot counts as having drawn against the mean."""
    newcomer_games: Annotated[int, Meta(ge=1, le=1000)] = 12
    """Ladder: how many games a new bot or version plays at once, before the others continue."""
    games_cap: Annotated[float, Meta(ge=1.25, le=100)] = 2.0
    """Ladder: no bot plays more than this multiple of the median."""

    def clock(self) -> TimeControl:
        return parse_time(self.time)

    def slots(self) -> int:
        return self.jobs or cores()

    def slots_beside_web(self) -> int:
        """Leaves one core for the web pages, unless the file sets the number of games at a time."""
        return self.jobs or max(1, self.slots() - 1)


class TournamentFile(Struct, frozen=True):
    """A tournament file as read: its text, folder and settings."""

    config: TournamentConfig
    text: str
    folder: str
    components: str
    """The text of the overrides."""
    sets_seatings: bool = True
    """Whether the text sets the seatings."""

    @property
    def stored_text(self) -> str:
        """The text as store and archive keep it. If the default differs from TournamentConfig's, it is written into the
        text, so that later readers never interpret a missing key differently."""
        if self.sets_seatings or self.config.seatings == "rotations":
            return self.text
        return f'seatings = "{self.config.seatings}"  # the default with these entries\n{self.text}'

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.text}\0{self.components}".encode()).hexdigest()

    def shown_folders(self) -> list[str]:
        """The folders that the file shows to bots; relative ones start at the file's folder."""
        return [word if word.startswith(("/", "~")) else f"{self.folder}/{word}" for word in self.config.show]

    def options(self, level: int = 0) -> GameOptions:
        players = 1 if self.config.format == "solo" else self.config.table
        return make_options(players, self.config.modules, level, components=self.components)


def read_tournament_file(path: str | Path) -> TournamentFile:
    """ConfigError names the key and a valid value."""
    file = Path(path)
    if is_database(file):
        raise ConfigError(
            f"{str(file)!r} is a store, not a tournament file: "
            f"`tournament standings {file}` shows it; plan and run need the .toml file"
        )
    text = read_regular_file(file, "tournament file")
    config = parse_config(text, file.name)
    components = read_regular_file(file.parent / config.components, "components") if config.components else ""
    has_seatings = "seatings" in read_toml(text, file.name)
    if not has_seatings:
        config = replace(config, seatings=default_seatings(config))
    tournament_file = TournamentFile(config, text, str(file.parent.resolve()), components, has_seatings)
    check_tournament_file(tournament_file, file.name)
    return tournament_file


def default_seatings(config: TournamentConfig) -> Seatings:
    """If strangers submit, each deal is played once: the sandbox cannot stop a bot from leaving notes about a deal to
    its next process (spec/SECURITY.md). Rotations are more precise, for bots whose authors the host knows."""
    return "rotations" if config.entries == "closed" else "balanced"


def has_repeated_deals(config: TournamentConfig) -> bool:
    """Whether a bot plays a deal that it, or another bot of its author, has already played. In solo all bots play the
    same deals, which cannot be changed."""
    return config.format != "solo" and (config.seatings not in SINGLE_SEATINGS or config.same_deals)


def with_stored_seatings(tournament_file: TournamentFile, stored_text: str | None) -> TournamentFile:
    """The same file for a store that keeps the text `stored_text`: a tournament keeps the seatings it began with."""
    if tournament_file.sets_seatings or stored_text is None:
        return tournament_file
    return replace(
        tournament_file, config=replace(tournament_file.config, seatings=stored_config(stored_text).seatings)
    )


def is_database(file: Path) -> bool:
    """Decides by the first bytes, whatever the name. A pipe is never one, and reading it might block forever."""
    try:
        with file.open("rb") if file.is_file() else io.BytesIO() as stream:
            return stream.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    except (OSError, ValueError):
        return False


def read_regular_file(file: Path, description: str) -> str:
    if file.is_fifo():  # it might never end
        raise ConfigError(f"{description} {str(file)!r} is a pipe, not a file")
    return read_text(file, description)


def parse_config(text: str, name: str) -> TournamentConfig:
    content = read_toml(text, name)
    unknown = [key for key in content if key not in TournamentConfig.__struct_fields__]
    if unknown:
        near = did_you_mean(unknown[0], TournamentConfig.__struct_fields__)
        known = ", ".join(TournamentConfig.__struct_fields__)
        raise ConfigError(f"{name}: unknown key {unknown[0]!r}{near}; the keys are {known}")
    try:
        return msgspec.convert(content, TournamentConfig)
    except msgspec.ValidationError as error:
        problem = str(error)
        raise ConfigError(f"{name}: {problem.replace('$.', '')}{suggest_value(problem, content)}") from None


def stored_config(text: str | None) -> TournamentConfig:
    """The configuration of a tournament that has begun: the store keeps its file."""
    if text is None:
        raise ConfigError("no tournament has been started in this store: start it with `peloarena tournament run`")
    return parse_config(text, "the tournament file in the store")


def suggest_value(problem: str, content: Mapping[str, object]) -> str:
    """A valid value, if one can be suggested."""
    for key, choices in KEY_CHOICES.items():
        if f"$.{key}`" in problem:
            value = content.get(key)
            near = did_you_mean(value, choices) if isinstance(value, str) else ""
            return f"{near}: one of {', '.join(choices)}"
    unknown = re.search("unknown field `([^`]*)`", problem)
    if unknown:
        return (
            f"{did_you_mean(unknown[1], BotEntry.__struct_fields__)}: a bot has {', '.join(BotEntry.__struct_fields__)}"
        )
    return ""


def check_tournament_file(tournament_file: TournamentFile, name: str) -> None:
    """Check what the types cannot express."""
    config = tournament_file.config
    two = config.format in PAIRED_BY_RESULTS
    problems = [
        (two and config.table != 2, f"table = {config.table}: {config.format} is for two-player tables"),
        (config.format == "solo" and config.table not in (1, 2), f"table = {config.table}: solo has one seat"),
        (config.format != "solo" and config.table < 2, "table = 1: a table needs at least two seats"),
        (
            config.seatings == "all" and config.table > 4,
            f'seatings = "all" with {config.table} seats: only for up to 4 seats',
        ),
        (config.format == "solo" and not config.levels, "levels: list at least one level from 1 to 5"),
        (len(set(config.levels)) < len(config.levels), "levels: list each level only once"),
        (
            config.same_deals and not two,
            "same_deals: only for swiss and knockout (in solo all deals are the same anyway)",
        ),
        (
            config.same_deals and config.restart != "game",
            f'same_deals with restart = "{config.restart}": a process would meet a deal again at another table; '
            'set restart = "game"',
        ),
    ]
    for wrong, problem in problems:
        if wrong:
            raise ConfigError(f"{name}: {problem}")
    config.clock()
    if config.seed:
        check_seed(config.seed)
    tournament_file.options(1 if config.format == "solo" else 0)


def resolve_bots(tournament_file: TournamentFile) -> list[BotEntry]:
    """Resolve globs, in the order of the file; ConfigError for a pattern that finds nothing.

    A glob skips bots named before it: they are the same bots.
    """
    bots: list[BotEntry] = []
    for entry in tournament_file.config.bots:
        if isinstance(entry, BotEntry):
            bots.append(BotEntry(resolve_bot_path(tournament_file.folder, entry.path), entry.alias))
        elif glob.has_magic(entry):
            named = {os.path.realpath(bot.path) for bot in bots}
            globbed = glob_bots(tournament_file.folder, entry)
            bots += [BotEntry(path) for path in globbed if os.path.realpath(path) not in named]
        else:
            bots.append(BotEntry(resolve_bot_path(tournament_file.folder, entry)))
    if len(bots) > MAX_BOTS:
        raise ConfigError(f"bots: {len(bots)} bots, at most {MAX_BOTS} can take part")
    return bots


def resolve_bot_path(folder: str, name: str) -> str:
    """A path relative to the file; if nothing exists there, the name of a built-in bot."""
    path = os.path.join(folder, name)
    builtin = None if os.path.lexists(path) else builtin_bot_path(name)
    return path if builtin is None else str(builtin)


def glob_bots(folder: str, pattern: str) -> list[str]:
    """Bounded, because `/*/*/*/*/*/*/*` walks through the whole machine."""
    if sum(map(glob.has_magic, pattern.split("/"))) > MAX_WILDCARD_FOLDERS:
        raise ConfigError(
            f"bots: {pattern!r} has wildcards in more than {MAX_WILDCARD_FOLDERS} folders; write out some of them"
        )
    limited = itertools.islice(glob.iglob(os.path.join(glob.escape(folder), pattern)), MAX_GLOB_FILES + 1)
    paths = list(limited)
    if len(paths) > MAX_GLOB_FILES:
        raise ConfigError(f"bots: {pattern!r} finds more than {MAX_GLOB_FILES:,} files; name the folder of the bots")
    matches = sorted(path for path in paths if is_bot(Path(path)))
    if not matches:
        raise ConfigError(f"bots: {pattern!r} finds no bot")
    return matches


def is_bot(path: Path) -> bool:
    """A glob skips anything that is clearly no bot (a README next to the bots)."""
    return (path.is_dir() and path.name not in IGNORED_FOLDERS) or (path.is_file() and os.access(path, os.X_OK))

"""Bots on disk: a folder with bot.toml, an executable file, or a folder with an obvious entry file.

Everything read here is untrusted: sizes are limited, nothing is executed, no path leads out of the folder.
"""

from __future__ import annotations

import itertools
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from ..game import ConfigError
from ..game.errors import did_you_mean
from ..game.toml import read_toml
from .bot_env import check_env, with_env
from .bot_files import IGNORED_FOLDERS, BotFile, content_hash, copy_files, files_of, hash_of, single_bot_file
from .builtin_bots import BUILTIN_BOT_NAMES, builtin_bot_path
from .manifest_quotes import MAX_PRINTABLE_NUMBER, quotes_problem
from .sandbox.limits import Limits
from .sandbox.runtimes import is_visible
from .sandbox.show_option import refuse_if_shown, which
from .start_commands import PYTHON_PLACEHOLDER, check_shebang, guess_command

MAX_MANIFEST_BYTES = 64 * 1024
MAX_LIMITS = Limits(memory_mib=4096, processes=256, tmp_mib=512, file_mib=1024, open_files=4096)
"""The most that a bot.toml may ask for."""
MAX_TOTAL_OPEN_FILES = 2**18
"""Processes times open files: the machine has a pool of them (`fs.file-max`, about 100,000 for each GiB of memory)."""

LongText = Annotated[str, Meta(max_length=200)]
ShortText = Annotated[str, Meta(max_length=80)]
Command = Annotated[list[Annotated[str, Meta(min_length=1, max_length=1000)]], Meta(min_length=1, max_length=50)]


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """bot.toml."""

    command: Command
    name: ShortText = ""
    version: ShortText = ""
    author: LongText = ""
    language: ShortText = ""
    build: Command | None = None
    limits: Limits = Limits()
    env: dict[str, str] = {}


class Bot(Struct, frozen=True):
    """A bot that can be started: found, checked, hashed; built, if it needs building."""

    name: str
    folder: Path
    argv: tuple[str, ...]
    digest: str
    version: str = ""
    author: str = ""
    language: str = ""
    build: tuple[str, ...] = ()
    limits: Limits = Limits()
    env: dict[str, str] = {}
    """Variables for its own process."""
    source: Path = Path()
    """Where its author has it; `folder` may be a built copy."""
    single_file: Path | None = None
    """The one file, if the bot is not a folder: all that it will see of `folder`."""

    @property
    def files(self) -> list[BotFile]:
        """Its author's files, which the hash names: a built copy also holds what the build made."""
        return files_of(self.source) if self.single_file is None else [single_bot_file(self.single_file)]


def copy_and_verify(
    bot: Bot, target: Path, *, writable: bool, before_each: Callable[[], object] = lambda: None
) -> None:
    """Copies exactly the files that the bot's hash names, or raises ConfigError: they may change during the copy."""
    copy_files(bot.files, target, writable=writable, before_each=before_each)
    if content_hash(target) != bot.digest:
        raise ConfigError(f"{bot.name}: its files changed while they were copied: try again")


def find_bot(path: str | Path, name: str = "") -> Bot:
    """The bot at this path, else the built-in bot of this name; ConfigError says what is missing and what would
    help."""
    location = Path(path)
    if not exists(location) and not os.path.lexists(location):
        location = builtin_bot_path(str(path)) or location
    if not exists(location):
        raise ConfigError(f"no bot at {str(path)!r}{missing_bot_hint(location)}")
    try:
        return _read_bot(location.resolve(), name)
    except OSError as error:  # any other trouble with a folder: one bad folder is one bad bot
        raise ConfigError(f"{location.name}: cannot be read: {error.strerror}") from None


def _read_bot(path: Path, name: str) -> Bot:
    if not is_visible(path):  # built-in bots are in the package, which bots see anyway
        refuse_if_shown(path, f"the bot {decode_file_name(path.name)!r}")
    if path.is_file():
        return from_file(path, name)
    if not os.access(path, os.R_OK | os.X_OK):
        raise ConfigError(f"{path.name}: its folder may not be read by this user")
    manifest_file = path / "bot.toml"
    manifest = read_manifest(manifest_file) if os.path.lexists(manifest_file) else Manifest(command=guess_command(path))
    bot = Bot(
        name=name or manifest.name or decode_file_name(path.name),
        folder=path,
        argv=tuple(manifest.command),
        digest=content_hash(path),
        version=manifest.version,
        author=manifest.author,
        language=manifest.language,
        build=tuple(manifest.build or ()),
        limits=manifest.limits,
        env=manifest.env,
        source=path,
    )
    check_limits(bot)
    check_env(bot.env, f"{path.name}/bot.toml")
    if bot.env and "=" in bot.argv[0]:  # `env` would take it for another variable
        raise ConfigError(f"{path.name}/bot.toml: command: with [env], the program's name cannot hold '='")
    for where, command in (("command", bot.argv), ("build", bot.build)):
        check_paths(path, command, where)
    if not bot.build:
        check_program(bot)
    return bot


def exists(path: Path) -> bool:
    """Works for any text, even if it is no path: a word of a command may be a whole script."""
    try:
        return path.exists()
    except OSError:
        return False


def decode_file_name(name: str) -> str:
    """A file's name as text: it may be any bytes, a bot's display name may not."""
    return os.fsencode(name).decode("utf-8", "replace")


def missing_bot_hint(path: Path) -> str:
    parent = path.parent
    if os.path.lexists(path):
        return ": it is a broken link"
    there = os.listdir(parent) if exists(parent) and os.access(parent, os.R_OK) else []
    hint = did_you_mean(path.name, [*there, *BUILTIN_BOT_NAMES] if path.name == str(path) else there)
    builtin = f"or a built-in bot ({', '.join(BUILTIN_BOT_NAMES)})"
    return f"{hint}: give a folder with bot.toml or main.py, an executable file, {builtin}"


def from_file(file: Path, name: str) -> Bot:
    if not os.access(file, os.X_OK):
        raise ConfigError(f"{file.name}: not executable (chmod +x {file.name}), and not a folder with bot.toml")
    check_shebang(decode_file_name(file.stem), file)
    return Bot(
        name=name or decode_file_name(file.stem),
        folder=file.parent,
        argv=(f"./{file.name}",),
        digest=hash_of([single_bot_file(file)]),
        source=file,
        single_file=file,
    )


def read_manifest(file: Path) -> Manifest:
    where = f"{file.parent.name}/bot.toml"
    if not file.resolve().is_relative_to(file.parent.resolve()):
        raise ConfigError(f"{where}: is a link out of the folder")
    if not file.is_file():
        raise ConfigError(f"{where}: is not a file")
    with file.open("rb") as stream:
        return parse_manifest(stream.read(MAX_MANIFEST_BYTES + 1), where)


def requested_memory_mib(folder: Path) -> int:
    """MiB that a bot asks for; the default where it says nothing. Reads no other file of it."""
    manifest = folder / "bot.toml"
    return read_manifest(manifest).limits.memory_mib if manifest.is_file() else Limits().memory_mib


def parse_manifest(data: bytes, where: str) -> Manifest:
    """Any bytes give a Manifest or a ConfigError."""
    if len(data) > MAX_MANIFEST_BYTES:
        raise ConfigError(f"{where}: larger than {MAX_MANIFEST_BYTES // 1024} KiB")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{where}: not valid TOML: not UTF-8 text (byte {error.start})") from None
    content = read_toml(text, where)
    for key in ("command", "build"):
        if isinstance(content.get(key), str):
            raise ConfigError(
                f'{where}: {key}: a list of words, for example {key} = ["{PYTHON_PLACEHOLDER}", "main.py"]'
            )
    if problem := quotes_problem(content, Limits.__struct_fields__):
        raise ConfigError(f"{where}: {problem}")
    try:
        return msgspec.convert(content, Manifest)
    except msgspec.ValidationError as error:
        problem = str(error)
        keys = Limits.__struct_fields__ if "$.limits" in problem else Manifest.__struct_fields__
        hint = did_you_mean(problem.split("`")[1], keys) if "unknown field" in problem else ""
        raise ConfigError(f"{where}: {problem}{hint}") from None


def check_limits(bot: Bot) -> None:
    """A bot may ask for less or somewhat more than usual, not for the whole machine."""
    for name in Limits.__struct_fields__:
        requested, most = getattr(bot.limits, name), getattr(MAX_LIMITS, name)
        if requested > most:
            got = str(requested) if requested < MAX_PRINTABLE_NUMBER else "far more"
            raise ConfigError(f"{bot.folder.name}/bot.toml: limits.{name}: at most {most}, got {got}")
    if (opened := bot.limits.processes * bot.limits.open_files) > MAX_TOTAL_OPEN_FILES:
        problem = f"limits: processes × open_files may be {MAX_TOTAL_OPEN_FILES} at most, got {opened}"
        raise ConfigError(f"{bot.folder.name}/bot.toml: {problem}")


def check_paths(folder: Path, command: tuple[str, ...], where: str) -> None:
    """Checks that no word of a command names a path outside the folder, links included."""
    for word in command:
        if word.startswith("/"):
            raise ConfigError(f"{folder.name}/bot.toml: {where}: {word!r}: name a program on the PATH, or ./file")
        if ".." in PurePosixPath(word).parts:
            raise ConfigError(f"{folder.name}/bot.toml: {where}: {word!r} leads out of the bot's folder")
        if IGNORED_FOLDERS.intersection(PurePosixPath(word).parts):
            ignored = f"{word!r} is in a folder that is ignored ({', '.join(sorted(IGNORED_FOLDERS))})"
            raise ConfigError(f"{folder.name}/bot.toml: {where}: {ignored}{venv_remedy(word)}")
        target = folder / word
        if exists(target) and not target.resolve().is_relative_to(folder):
            raise ConfigError(
                f"{folder.name}/bot.toml: {where}: {word!r} is a link out of the bot's folder{venv_remedy(word)}"
            )


def venv_remedy(word: str) -> str:
    """For the Python of a virtual environment, which is a link to one outside and hard-wired to its location."""
    above, name = PurePosixPath(word).parent.name, PurePosixPath(word).name
    if above != "bin" or not name.startswith("python"):
        return ""
    return (
        f': a virtual environment cannot be moved; write "{PYTHON_PLACEHOLDER}", which has numpy, '
        "and bring other packages with `pip install --target .`"
    )


def check_program(bot: Bot) -> None:
    """Checks that the program of a bot exists and can be run."""
    program = bot.argv[0]
    if "/" not in program:
        check_installed(bot, program)
        return
    file = bot.folder / program
    if not file.is_file():
        built = " (does its build make it?)" if bot.build else " (does it need a build command?)"
        raise ConfigError(f"{bot.name}: there is no {program!r} in {bot.source.name}{built}")
    if not file.stat().st_mode & stat.S_IXUSR:
        raise ConfigError(f"{bot.name}: {program!r} is not executable (chmod +x)")
    check_shebang(bot.name, file)


def check_installed(bot: Bot, program: str) -> None:
    if "/" not in program and program != PYTHON_PLACEHOLDER and which(program) is None:
        raise ConfigError(f"{bot.name}: the program {program!r} is not installed on this machine")


def command_line(bot: Bot) -> list[str]:
    """The words to start it with: `{python}` is the interpreter that runs peloarena, so that botkit is importable."""
    return with_env(bot.env, [sys.executable if word == PYTHON_PLACEHOLDER else word for word in bot.argv])


def with_distinct_names(bots: list[Bot]) -> list[Bot]:
    """The same bots under names that tell them apart."""
    names = number_duplicates([bot.name for bot in bots])
    return [msgspec.structs.replace(bot, name=name) for bot, name in zip(bots, names, strict=True)]


def number_duplicates(names: list[str]) -> list[str]:
    """`greedy`, `greedy` → `greedy#1`, `greedy#2`; a bot that calls itself `greedy#1` keeps its name to itself."""
    taken, result = set(names), []
    for name in names:
        if names.count(name) > 1:
            name = next(new for number in itertools.count(1) if (new := f"{name}#{number}") not in taken)
            taken.add(name)
        result.append(name)
    return result

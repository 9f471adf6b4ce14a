"""Does a bot see the program that starts it? We find a tool chain in a home or /opt, and bots do not.

Knows the sandbox's folders; starts nothing.
"""

from __future__ import annotations

import os
from pathlib import Path

from ..game import ConfigError
from .bot_finder import Bot
from .sandbox import bubblewrap, runtimes
from .sandbox.isolation import Isolation
from .sandbox.show_option import check_shown_folder, search_path, which
from .start_commands import PYTHON_PLACEHOLDER, first_line, shebang_words

PROXY_TOOLCHAINS = {"rustup": ".rustup/toolchains", "pyenv": ".pyenv/versions", "shims": ".pyenv/versions"}
"""Programs that only call another one, by the name of the program or of its folder: where the real ones are."""


def check_program_visible(bot: Bot, command: tuple[str, ...], isolation: Isolation) -> None:
    """Raises ConfigError with the fix when bots do not see the program of this command here."""
    if isolation.style == "none":
        return
    program = _interpreter_or_program(bot, command[0])
    if program == PYTHON_PLACEHOLDER or ("/" in program and not program.startswith("/")):
        return
    if visible_program_path(program, isolation.runtimes) is not None:
        return
    found = which(program)
    if found is not None:
        where = Path(found).parent
        raise ConfigError(
            f"{bot.name}: {program!r} was found in {where}, which bots cannot see: {_visibility_remedy(found)}"
        )


def _interpreter_or_program(bot: Bot, program: str) -> str:
    """The program itself, or what the `#!` line of a script names."""
    file = bot.folder / program
    if "/" not in program or not file.is_file():
        return program
    words = shebang_words(first_line(file))
    return words[0] if words else program


def visible_program_path(program: str, extra: tuple[Path, ...]) -> Path | None:
    """Where bots find it in the sandbox."""
    if program.startswith("/"):
        paths = [Path(program)]
    else:
        folders = [*search_path(extra), *bubblewrap.DEFAULT_PATH.split(os.pathsep)]
        paths = [Path(folder, program) for folder in folders]
    return next((path for path in paths if os.access(path, os.X_OK) and runtimes.is_visible(path, extra)), None)


def _visibility_remedy(found: str) -> str:
    other = "or put the program into the bot's folder"
    try:
        return f"--show {check_shown_folder(str(_toolchain_folder(Path(found))))}, {other}"
    except ConfigError:
        return other.removeprefix("or ")


def _toolchain_folder(program: Path) -> Path:
    """The folder of the tool chain: if it has bin and lib, the one above both."""
    real = program.resolve()
    for name in (real.name, program.parent.name):
        if name in PROXY_TOOLCHAINS:
            chains = sorted(Path.home().glob(f"{PROXY_TOOLCHAINS[name]}/*/bin/{program.name}"))
            real = chains[-1] if chains else real
    return real.parent.parent if real.parent.name == "bin" else real.parent

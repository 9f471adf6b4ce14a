"""`[env]` of bot.toml: variables for the bot's own process, and for nothing that is started before it.

They are arguments of `env`, which then becomes the bot: bubblewrap, setpriv, the launch script and the guardian
never have them in their environment. (With bubblewrap's --setenv, a bot's LD_PRELOAD ran as root inside setpriv.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..game import ConfigError
from .sandbox.bubblewrap import bot_environment
from .sandbox.launch import MARK_VARIABLE

ENV_PROGRAM = "/usr/bin/env"
MAX_VARIABLES = 32
MAX_ENV_BYTES = 4096
"""Names and values together."""
VARIABLE_NAME_PATTERN = re.compile(r"[A-Z][A-Z0-9_]*")
RESERVED_VARIABLES = frozenset({*bot_environment(1), MARK_VARIABLE})
"""The variables that we set for every bot, and the mark that identifies strays."""
LINKER_PREFIXES = ("LD_", "GLIBC_")
"""They steer the dynamic linker, which has a long history of exploits."""


def check_env(variables: Mapping[str, str], where: str) -> None:
    """Raises ConfigError for the first variable that is not allowed."""
    if len(variables) > MAX_VARIABLES:
        raise ConfigError(f"{where}: env: at most {MAX_VARIABLES} variables, got {len(variables)}")
    if sum(len(name.encode()) + len(value.encode()) for name, value in variables.items()) > MAX_ENV_BYTES:
        raise ConfigError(f"{where}: env: names and values together have more than {MAX_ENV_BYTES} bytes")
    for name, value in variables.items():
        if problem := _problem(name, value):
            raise ConfigError(f"{where}: env: {name[:80]!r}{problem}")


def _problem(name: str, value: str) -> str:
    if VARIABLE_NAME_PATTERN.fullmatch(name) is None:
        return ": a name has capital letters, digits and _, and begins with a letter"
    if name in RESERVED_VARIABLES or name.startswith("PELOARENA_"):
        return " is set by peloarena for every bot"
    if name.startswith(LINKER_PREFIXES):
        return f": names that begin with {' or '.join(LINKER_PREFIXES)} steer the linker and are refused"
    return ": a value cannot hold a null character" if "\0" in value else ""


def with_env(variables: Mapping[str, str], argv: list[str]) -> list[str]:
    """The command that sets them and then becomes `argv`."""
    return [ENV_PROGRAM, *(f"{name}={value}" for name, value in variables.items()), *argv] if variables else argv

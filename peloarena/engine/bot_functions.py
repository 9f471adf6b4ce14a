"""The built-in Python bots as functions in this process: `choose(decide, game)`, as botkit calls it.

Each call loads the files again, separate from all other modules: bots use the same file names (`moves.py`), and a
caller may want the same bot with other settings in its environment.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ..botkit import Choose
from ..game.errors import ConfigError, did_you_mean
from ..referee.builtin_bots import BUILTIN_BOT_NAMES, builtin_bot_path

ENTRY_MODULE = "main"


def load_builtin_bot(name: str, env: Mapping[str, str] | None = None) -> Choose:
    """The bot's own `choose`; `env` is what its [env] would be. ConfigError for a name that is no built-in bot."""
    folder = builtin_bot_path(name)
    if folder is None:
        raise ConfigError(
            f"no built-in bot is called {name!r}{did_you_mean(name, BUILTIN_BOT_NAMES)}; there are "
            f"{', '.join(BUILTIN_BOT_NAMES)}"
        )
    with _temporary_environment(env or {}), _isolated_imports(folder):
        choose: Choose = importlib.import_module(ENTRY_MODULE).choose
    return choose


@contextmanager
def _temporary_environment(env: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in env}
    os.environ.update(env)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _isolated_imports(folder: Path) -> Iterator[None]:
    """Lets imports find this folder's files first, and leaves none of them behind."""
    names = {file.stem for file in folder.glob("*.py")}
    others = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(others)

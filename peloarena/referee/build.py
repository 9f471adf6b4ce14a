"""Building bots: in a cached copy named by the content hash, inside the sandbox. A built bot is never built again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import trio

from ..game import ConfigError
from .bot_files import HASH_VERSION
from .bot_finder import Bot, check_installed, check_paths, check_program, copy_and_verify
from .build_watch import watch_build
from .cache import private_cache
from .disk import check_not_full, mentions_full_disk, report_disk_full
from .file_permissions import check_access, normalize_permissions
from .hints import hint_for_failed_build
from .program_visibility import check_program_visible
from .sandbox.hidden_paths import own_cache_folder
from .sandbox.isolation import Isolation
from .sandbox.limits import Limits
from .start_commands import PYTHON_PLACEHOLDER
from .temporary_folders import remove_folder, temporary_folder

BUILDS_FOLDER_NAME = "builds"
BUILD_SECONDS = 120
UNUSED_DAYS = 30
"""Builds that were not started for this long are removed from the cache."""


class BuildFailed(ConfigError):
    """Its build ran and failed. The bot's name is filled in last: others may have submitted the same files."""

    def __init__(self, name: str, problem: str, output: str, *, ran_out_of_resources: bool) -> None:
        super().__init__(f"{name}: its build {problem}", output)
        self.problem = problem
        self.ran_out_of_resources = ran_out_of_resources
        """It ran out of time or of disk space, which builds in parallel share."""

    def with_bot_name(self, name: str) -> BuildFailed:
        return BuildFailed(name, self.problem, self.details, ran_out_of_resources=self.ran_out_of_resources)


def builds_folder() -> Path:
    return own_cache_folder() / BUILDS_FOLDER_NAME


def build_bot_sync(bot: Bot, isolation: Isolation) -> Bot:
    """Like `build_bot`, for callers without Trio."""
    return trio.run(build_bot, bot, isolation)


def is_built(bot: Bot) -> bool:
    """True for bots that need no build, as well."""
    return not bot.build or (builds_folder() / bot.digest).exists()


async def build_bot(bot: Bot, isolation: Isolation) -> Bot:
    """The bot, ready to start; ConfigError with the compiler's output when it does not build."""
    if not bot.build:
        check_access(bot, isolation)
        check_program_visible(bot, bot.argv, isolation)
        return bot
    folder = _make_builds_folder(bot) / bot.digest
    if not folder.exists():
        await build_into(bot, folder, isolation)
    with suppress(OSError):
        os.utime(folder)  # used today
    ready = msgspec.structs.replace(bot, folder=folder)
    check_paths(folder, bot.argv, "command")
    check_program(ready)
    check_program_visible(ready, bot.argv, isolation)
    return ready


async def build_into(bot: Bot, target: Path, isolation: Isolation) -> None:
    """Copies, builds, and moves the result into place as a whole: an interrupted build leaves nothing usable behind."""
    check_installed(bot, bot.build[0])
    check_program_visible(bot, bot.build, isolation)
    _forget_old_builds(target.parent)
    try:
        await _build_in_temporary_folder(bot, target, isolation)
    except BuildFailed:
        check_not_full(target.parent)  # after its folder is removed: what it wrote itself is its own fault
        raise


async def _build_in_temporary_folder(bot: Bot, target: Path, isolation: Isolation) -> None:
    with report_disk_full(target.parent), temporary_folder(target.parent, "building") as temporary:
        copy = temporary / "bot"
        copy.mkdir()
        # In a thread: other builds are watched while a large folder is copied. Ctrl-C ends the copy as well.
        stop_if_cancelled = trio.from_thread.check_cancelled
        await trio.to_thread.run_sync(partial(copy_and_verify, bot, copy, writable=True, before_each=stop_if_cancelled))
        await run_build(bot, copy, isolation)
        normalize_permissions(copy)
        try:
            copy.rename(target)
        except OSError:
            # If the folder exists, another process has built it in the meantime, which is as good.
            if not target.exists():
                raise


def _make_builds_folder(bot: Bot) -> Path:
    try:
        return private_cache(BUILDS_FOLDER_NAME)
    except OSError as error:
        problem = f"{bot.name}: cannot be built in {str(builds_folder())!r}: {error.strerror}"
        raise ConfigError(f"{problem} (set XDG_CACHE_HOME to use another)") from None


def _forget_old_builds(cache: Path) -> None:
    """Runs when something is built; a bot that is started again afterwards is built again."""
    oldest = time.time() - UNUSED_DAYS * 24 * 3600
    for folder in cache.glob(f"{HASH_VERSION}*"):
        with suppress(OSError):  # another process was quicker
            if folder.stat().st_mtime < oldest:
                remove_folder(folder)


def forget_builds(digests: Iterable[str], unused_seconds: float) -> None:
    """Removes builds of these bots that were not started for `unused_seconds`: another tournament or match may play the
    same files."""
    for digest in digests:
        folder = builds_folder() / digest
        with suppress(OSError):  # not there, or another process was quicker
            if time.time() - folder.stat().st_mtime >= unused_seconds:
                remove_folder(folder)


def build_limits(limits: Limits) -> Limits:
    """A bot may ask for little memory; its compiler gets the default."""
    usual = Limits()
    return Limits(*(max(getattr(limits, name), getattr(usual, name)) for name in Limits.__struct_fields__))


async def run_build(bot: Bot, copy: Path, isolation: Isolation) -> None:
    argv = [sys.executable if word == PYTHON_PLACEHOLDER else word for word in bot.build]
    with isolation.make_sandbox(copy, build_limits(bot.limits), writable=copy) as sandbox:
        launch = sandbox.command(argv)
        process = launch.start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        sandbox.track(process)
        output, problem, out_of_time = await watch_build(process, sandbox, copy, BUILD_SECONDS)
        memory = " because it ran out of memory" if sandbox.was_oom_killed() else ""
    problem = problem or (f"failed{memory} ({' '.join(bot.build)})" if process.returncode != 0 else "")
    if problem:
        advice = hint_for_failed_build(output, sandboxed=isolation.style != "none")
        ran_out_of_resources = out_of_time or mentions_full_disk(output)
        problem += advice and f": {advice}"
        raise BuildFailed(bot.name, problem, output, ran_out_of_resources=ran_out_of_resources)

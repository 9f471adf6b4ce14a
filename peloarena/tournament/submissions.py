"""Submit a bot to a tournament that has begun, or a new version. Copies and queues it; trial_process.py runs its trial.

Any process may do this while `run` plays: the runner picks up queued versions and plays them from the next round on.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError
from ..referee.bot_finder import Bot, find_bot
from ..referee.builtin_bots import BUILTIN_BOT_NAMES as HOUSE
from ..referee.sandbox.isolation import prepare
from .bot_names import check_bot_name, find_lookalike
from .config import MAX_BOTS, TournamentConfig, stored_config
from .entries import Entry, Version
from .host_actions import entries_are_locked, is_finish_requested
from .roster import MAX_FILLS, filling_bot
from .scheduler import count_started_rounds, late_entry_problem
from .secret import check_open
from .snapshots import snapshots_beside
from .store import Store

HOUR_SECONDS = 3600.0
RESERVED = (*HOUSE, *(filling_bot(number)[1] for number in range(MAX_FILLS)))
"""Names of built-in bots. Those that fill the seats of a ladder are reserved everywhere: not every ladder has all of
them, and a stranger's `house-random` beside a `house-greedy` would pass for the host's."""


class SubmittedVersion(Struct, frozen=True):
    entry: Entry
    version: Version
    same_as: tuple[str, ...]
    """Other entries with the same files."""


def submit_bot(
    store: Store, path: Path, name: str = "", author: str = "", *, newcomer: bool = False, origin: str = ""
) -> SubmittedVersion:
    """Submit a new entry, or a new version of the entry with its name. ConfigError describes a problem with the bot.

    `newcomer`: the owner is unknown, so it may not be a version of an existing entry. `origin`: where its files came
    from, if not the path.
    """
    config = stored_config(store.meta("config"))
    check_submissions_open(store)
    bot = find_bot(path, name)
    source = origin or str(path.resolve())
    _check_submission(
        store, config, bot, author, newcomer
    )  # checked before copying as well, to avoid a useless snapshot
    with prepare(config.sandbox) as isolation:
        copy = snapshots_beside(store.path).add_and_compile(bot, isolation)
    with store.transaction():
        entries, versions = store.entries(), store.versions()
        known, again = _check_submission(store, config, bot, author, newcomer)
        entry = known or Entry(len(entries) + 1, bot.name, author or bot.author, source, listed=False)
        own_versions = [version for version in versions if version.entry == entry.number]
        version = again or Version(
            entry=entry.number,
            edition=1 + sum(bool(version.hash) for version in own_versions),
            hash=bot.digest,
            version=bot.version,
            language=bot.language,
            copy=copy,
            at=time.time(),
        )
        store.set_entry(replace(entry, path=source))
        store.set_version(version)
    same = {v.entry for v in versions if v.hash == bot.digest} - {entry.number}
    return SubmittedVersion(entry, version, tuple(other.name for other in entries if other.number in same))


def check_submissions_open(store: Store) -> None:
    """ConfigError while submissions are closed."""
    check_open(store)
    if is_finish_requested(store.host_actions()):
        raise ConfigError("the ladder has ended: nobody can enter its final round-robin")
    if entries_are_locked(store.host_actions()):
        raise ConfigError("entries are locked (`tournament lock --off` opens them)")


def _check_submission(
    store: Store, config: TournamentConfig, bot: Bot, author: str, newcomer: bool
) -> tuple[Entry | None, Version | None]:
    """The entry with its name, and the version with its files, if any; ConfigError if it may not enter now."""
    if newcomer:
        check_newcomer(bot.name, [entry.name for entry in store.entries()])
    known = next((entry for entry in store.entries() if entry.name == bot.name), None)
    late = late_entry_problem(config, count_started_rounds(config, store.rounds()))
    if known is None:
        if late:
            raise ConfigError(f"{bot.name}: {late}")
        if author and bot.author not in ("", author):
            raise ConfigError(f"{bot.name}: its bot.toml names the author {bot.author!r}: leave --author out")
        return None, None
    if known.house:
        raise ConfigError(f"{bot.name} is a built-in bot's name: enter yours under another name (--as)")
    check_author(known, bot, author)
    own_versions = [version for version in store.versions() if version.entry == known.number]
    return known, check_new_version(bot, own_versions, config.versions_per_hour)


def check_newcomer(name: str, names: Sequence[str]) -> None:
    """ConfigError for a name that is invalid, taken, or easily confused with another."""
    check_bot_name(name)
    same = find_lookalike(name, names)
    if same is not None:
        like = "" if same == name else ", which looks like this name"
        raise ConfigError(
            f"{name}: there is a bot {same!r} already{like}: use its token to submit a version, or choose another name "
            "for your bot"
        )
    builtin = find_lookalike(name, RESERVED)
    if builtin is not None:
        raise ConfigError(f"{name}: {builtin!r} is a built-in bot: choose another name for yours")
    if len(names) >= MAX_BOTS:
        raise ConfigError(f"{name}: {len(names)} bots have entered; the tournament is full")


def check_author(known: Entry, bot: Bot, author: str) -> None:
    """ConfigError for a bot with the name of somebody else's. Without an author it is a version of that entry."""
    new_author = author or bot.author
    if not new_author or new_author == known.author:
        return
    whose = f"by {known.author!r}" if known.author else "without an author"
    option = "--author" if author else "author in its bot.toml"
    remedy = f"with --author {known.author!r}" if known.author else f"without {option}"
    raise ConfigError(
        f"{bot.name} is entry {known.number} already, {whose}, but this one is by {new_author!r} ({option}): "
        f"enter another bot under another name (--as NAME), or a version of that entry {remedy}"
    )


def check_new_version(bot: Bot, versions: Sequence[Version], max_per_hour: int) -> Version | None:
    """The untried version with these files, if any: it was submitted before, and `enter` was interrupted."""
    newest = versions[-1] if versions else None
    if newest is not None and newest.hash == bot.digest and newest.state != "refused":
        if newest.state == "ready":
            raise ConfigError(f"{bot.name}: these files are already its version {newest.edition}")
        return newest
    recent = [version for version in versions if time.time() - version.at < HOUR_SECONDS]
    if len(recent) >= max_per_hour:
        raise ConfigError(
            f"{bot.name}: {len(recent)} versions in the last hour, the most allowed "
            f"(versions_per_hour = {max_per_hour}): try later"
        )
    return None


def versions_awaiting_trial(versions: Sequence[Version]) -> list[Version]:
    """Versions to try, the oldest first; those that a killed runner was trying are tried again."""
    return sorted((v for v in versions if v.state not in ("ready", "refused")), key=lambda version: version.at)

"""Handing in: a bot enters a night that has begun, or gets a new version. Copied and queued here, tried in trying.py.

Any process may do this while `run` plays: the runner takes what is queued, and plays with it from the next round on.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError
from ..referee.bots import Bot, find_bot
from ..referee.sandbox.isolation import prepare
from .config import MOST_BOTS, NightConfig, stored_config
from .course import rounds_begun, too_late
from .entries import Entry, Version
from .host_orders import entries_are_locked, is_finishing
from .keeping import keeping_of
from .secret import check_open
from .store import Store

HOUR = 3600.0


class HandedIn(Struct, frozen=True):
    entry: Entry
    version: Version
    same_as: tuple[str, ...]
    """Other entries with the same files."""


def hand_in(
    store: Store, path: Path, name: str = "", author: str = "", *, newcomer: bool = False, origin: str = ""
) -> HandedIn:
    """The bot as a new entry, or as a new version of the entry of its name. ConfigError says what is wrong with it.

    `newcomer`: nobody knows whose it is, so it may not be a version of anybody's. `origin`: where its files came from,
    if that is not the path.
    """
    config = stored_config(store.meta("config"))
    check_admission(store)
    bot = find_bot(path, name)
    source = origin or str(path.resolve())
    _admitted(store, config, bot, author, newcomer)  # also before the copy, which would lie in the keeping for nothing
    with prepare(config.sandbox) as isolation:
        copy = keeping_of(store.path).keep(bot, isolation)
    with store.transaction():
        entries, versions = store.entries(), store.versions()
        known, again = _admitted(store, config, bot, author, newcomer)
        entry = known or Entry(len(entries) + 1, bot.name, author or bot.author, source, listed=False)
        mine = [version for version in versions if version.entry == entry.number]
        version = again or Version(
            entry=entry.number,
            edition=1 + sum(bool(version.hash) for version in mine),
            hash=bot.digest,
            version=bot.version,
            language=bot.language,
            copy=copy,
            at=time.time(),
        )
        store.set_entry(replace(entry, path=source))
        store.set_version(version)
    same = {v.entry for v in versions if v.hash == bot.digest} - {entry.number}
    return HandedIn(entry, version, tuple(other.name for other in entries if other.number in same))


def check_admission(store: Store) -> None:
    """ConfigError while nobody may hand in anything."""
    check_open(store)
    if is_finishing(store.orders()):
        raise ConfigError("the ladder has ended: its finish takes nobody")
    if entries_are_locked(store.orders()):
        raise ConfigError("entries are locked (`tournament lock --off` opens them)")


def _admitted(
    store: Store, config: NightConfig, bot: Bot, author: str, newcomer: bool
) -> tuple[Entry | None, Version | None]:
    """The entry of its name, and the version that it is already; ConfigError if it may not come in now."""
    if newcomer:
        check_newcomer(bot.name, [entry.name for entry in store.entries()])
    known = next((entry for entry in store.entries() if entry.name == bot.name), None)
    late = too_late(config, rounds_begun(config, store.rounds()))
    if known is None:
        if late:
            raise ConfigError(f"{bot.name}: {late}")
        return None, None
    if known.house:
        raise ConfigError(f"{bot.name} is the house's: enter yours with another name (--as)")
    check_author(known, bot, author)
    mine = [version for version in store.versions() if version.entry == known.number]
    return known, check_new(bot, mine, config.versions_per_hour)


def check_newcomer(name: str, names: Sequence[str]) -> None:
    """ConfigError for a name that is somebody's, or that people could take for it."""
    same = next((known for known in names if folded(known) == folded(name)), None)
    if same is not None:
        raise ConfigError(
            f"{name}: there is a bot {same!r} already, and a version of it needs its token; a bot of your own needs a "
            "name of its own"
        )
    if len(names) >= MOST_BOTS:
        raise ConfigError(f"{name}: {len(names)} bots have entered; that is all a night takes")


def folded(name: str) -> str:
    """Alike for names that look alike."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def check_author(known: Entry, bot: Bot, author: str) -> None:
    """ConfigError for a bot that bears the name of somebody else's. Who names no author hands in a version."""
    given = author or bot.author
    if not given or given == known.author:
        return
    whose = f"by {known.author!r}" if known.author else "by nobody named"
    said = "--author" if author else "author in its bot.toml"
    remedy = f"with --author {known.author!r}" if known.author else f"without {said}"
    raise ConfigError(
        f"{bot.name} is entry {known.number} already, {whose}, and this one is by {given!r} ({said}): another bot "
        f"enters with a name of its own (--as NAME), a version of that entry {remedy}"
    )


def check_new(bot: Bot, mine: Sequence[Version], per_hour: int) -> Version | None:
    """Its version that has these files and is still to be tried: it was handed in before, and `enter` was cut off."""
    newest = mine[-1] if mine else None
    if newest is not None and newest.hash == bot.digest and newest.state != "refused":
        if newest.state == "ready":
            raise ConfigError(f"{bot.name}: these files are its version {newest.edition} already")
        return newest
    recent = [version for version in mine if time.time() - version.at < HOUR]
    if len(recent) >= per_hour:
        raise ConfigError(f"{bot.name}: {len(recent)} versions in the last hour (versions_per_hour = {per_hour})")
    return None


def waiting(versions: Sequence[Version]) -> list[Version]:
    """Those to be tried, the oldest first; what a runner that was killed had in work is tried again."""
    return sorted((v for v in versions if v.state not in ("ready", "refused")), key=lambda version: version.at)

"""Detect what changed in a tournament file since its tournament began, and the consequences. Pure.

The rules of a tournament cannot change: earlier and later games would not be comparable. The list of bots can.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..game import encode
from .config import PAIRED_BY_RESULTS, TournamentConfig
from .entries import Entry, Version
from .rows import BotRow
from .scheduler import late_entry_problem

CHANGEABLE_KEYS = ("name", "bots", "jobs", "deals", "catch_up", "versions_per_hour", "entries", "show", "prior")
"""Keys that may change during a tournament; changes of `bots` are listed bot by bot."""
RULES_ARE_FIXED = (
    "the rules of a started tournament cannot change: undo the change, or start a second tournament with "
    "another --store "
    "(`peloarena ratings A B` rates both together)"
)


class FileChanges(Struct, frozen=True):
    refused: tuple[str, ...] = ()
    """Changes that are not allowed."""
    descriptions: tuple[str, ...] = ()
    """The accepted changes, in words."""
    new_bots: tuple[BotRow, ...] = ()
    """Includes bots that come too late, with that as their problem, so that it is reported once."""
    changed_bots: tuple[BotRow, ...] = ()
    """Entries whose files changed."""
    removed_names: tuple[str, ...] = ()
    restored_names: tuple[str, ...] = ()


def find_changes(
    old: TournamentConfig,
    new: TournamentConfig,
    started_rounds: int,
    entries: Sequence[Entry],
    versions: Sequence[Version],
    already_removed: Collection[str],
    listed_bots: Sequence[BotRow],
) -> FileChanges:
    """`started_rounds`: main rounds; `already_removed`: entries missing from the file before; `listed_bots`: the
    file's bots as found now."""
    known = {entry.name: entry for entry in entries}
    had = {(version.entry, version.hash) for version in versions}  # `tournament enter` may have added a newer one
    listed_names = {row.name for row in listed_bots}
    late = late_entry_problem(old, started_rounds)
    unknown = tuple(row for row in listed_bots if row.name not in known)
    enter = tuple(replace(row, problem=row.problem or late) for row in unknown)
    update = tuple(
        r for r in listed_bots if r.digest and r.name in known and (known[r.name].number, r.digest) not in had
    )
    remove = tuple(e.name for e in entries if e.listed and e.name not in listed_names and e.name not in already_removed)
    restore = tuple(entry.name for entry in entries if entry.name in listed_names and entry.name in already_removed)
    return FileChanges(
        refused=_refused_changes(old, new, started_rounds),
        descriptions=(
            *_setting_changes(old, new),
            *(f"{row.name} is new" + (f", but does not play: {late}" if late else "") for row in unknown),
            *(f"{row.name} has new files: a new version" for row in update),
            *(f"{name} is no longer in the file: it leaves after this round" for name in remove),
            *(f"{name} is in the file again" for name in restore),
        ),
        new_bots=enter,
        changed_bots=update,
        removed_names=remove,
        restored_names=restore,
    )


def _refused_changes(old: TournamentConfig, new: TournamentConfig, started_rounds: int) -> tuple[str, ...]:
    fixed = [key for key in TournamentConfig.__struct_fields__ if key not in CHANGEABLE_KEYS]
    if old.format in PAIRED_BY_RESULTS:
        fixed.append("deals")  # a match's deals: a rule like any other
    refused = [_describe_change(key, old, new) for key in fixed if getattr(old, key) != getattr(new, key)]
    if "deals" not in fixed and new.deals < started_rounds:
        refused.append(f"deals = {new.deals}: {started_rounds} rounds have begun")
    return tuple(refused)


def _setting_changes(old: TournamentConfig, new: TournamentConfig) -> list[str]:
    keys = [key for key in CHANGEABLE_KEYS if key != "bots"]
    return [_describe_change(key, old, new) for key in keys if getattr(old, key) != getattr(new, key)]


def _describe_change(key: str, old: TournamentConfig, new: TournamentConfig) -> str:
    if key == "seed":
        return "seed: has changed"  # it determines all future deals
    before, after = (encode(getattr(config, key)).decode() for config in (old, new))
    return f"{key}: {before} → {after}"

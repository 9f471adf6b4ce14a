"""Further folders that bots may read, by the host's word: tool chains in /opt or below a home. Never a way to secrets.

The word is PELOARENA_SHOW in the environment, folders with ":" between them; `--show` adds to it. An environment, for
every process of a run must agree: the command, its workers, the trial before a night.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from ...game.errors import ConfigError
from .never_shown import reason_to_hide

if sys.platform != "win32":
    import pwd

SHOW = "PELOARENA_SHOW"
KERNEL = ("/proc", "/sys", "/dev", "/run")
"""Neither they nor what is in them: devices, sockets, and the host's processes."""
SYSTEM = ("/", "/etc", "/var", "/tmp", "/home", "/root", "/boot", "/usr", "/lib", "/bin", "/sbin")
"""Not as a whole. What bots need of them they have."""

FIRST_PERSON = 1000
"""The first number that systems give to the users who are people."""


class ShowError(ConfigError):
    """The host's word about what bots may read is wrong: no bot is to blame, and nothing may be played."""


def shown_folders() -> tuple[Path, ...]:
    """Those of the environment, links resolved; ShowError for one that may not be shown."""
    return _checked_all(os.environ.get(SHOW, ""))


@functools.lru_cache(maxsize=8)
def _checked_all(words: str) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(checked_folder(word) for word in words.split(os.pathsep) if word))


def checked_folder(word: str) -> Path:
    """The folder that is meant, or a ShowError that says why it stays hidden."""
    try:
        folder = Path(word).expanduser().resolve(strict=True)
    except (OSError, RuntimeError):
        raise ShowError(f"--show {word!r}: there is no such folder") from None
    if not folder.is_dir() or os.pathsep in str(folder):
        raise ShowError(f"--show {word!r}: not a folder")
    if reason := _refused(folder):
        raise ShowError(f"--show {word!r}: {reason}")
    return folder


def _refused(folder: Path) -> str:
    if any(folder.is_relative_to(place) for place in KERNEL):
        return "devices, sockets and processes of the host are never shown"
    if str(folder) in SYSTEM:
        return "a whole system folder is never shown, only the folder of a tool chain"
    if any(home.is_relative_to(folder) for home in _homes()):
        return "a home is never shown, only the folder of a tool chain in it"
    if os.geteuid() == 0 and folder.stat().st_mode & 0o005 != 0o005:
        return "other users may not read it, and bots run as such (chmod o+rx)"
    return reason_to_hide(folder)


def _homes() -> set[Path]:
    """Of everybody who has one. System users have `/` or places like /usr/sbin, which are no homes."""
    told = {Path(user.pw_dir) for user in pwd.getpwall() if user.pw_uid == 0 or user.pw_uid >= FIRST_PERSON}
    return {home.resolve() for home in (*told, Path.home()) if home != Path("/") and home.is_dir()}


def refuse_if_shown(place: Path, what: str, folders: Iterable[Path] | None = None) -> None:
    """ShowError when bots would see this place, or part of it, through a folder that is shown."""
    place = place.resolve()
    for folder in shown_folders() if folders is None else folders:
        if place.is_relative_to(folder):
            raise ShowError(f"--show {str(folder)!r}: {what} lies there, and bots may not read that")
        if folder.is_relative_to(place):
            raise ShowError(f"--show {str(folder)!r}: it belongs to {what}, and bots may not read that")


def search_path(folders: Iterable[Path]) -> list[str]:
    """Where programs of shown folders are looked for: bin, if there is one."""
    return [str(folder / "bin" if (folder / "bin").is_dir() else folder) for folder in folders]


def which(program: str) -> str | None:
    """Where a program is: on the host's PATH, or in a folder that the host shows to bots."""
    return shutil.which(program) or shutil.which(program, path=os.pathsep.join(search_path(shown_folders())))

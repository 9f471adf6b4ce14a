"""Further folders that the host lets bots read: tool chains in /opt or below a home. Never a way to secrets.

They are in PELOARENA_SHOW in the environment, separated by ":"; `--show` adds to it. An environment variable, because
every process of a run must agree: the command, its workers, the trial before a tournament.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from ...game.errors import ConfigError
from .errors import SandboxError
from .hidden_paths import reason_to_hide

if sys.platform != "win32":
    import pwd

SHOW_VARIABLE = "PELOARENA_SHOW"
KERNEL_FOLDERS = ("/proc", "/sys", "/dev", "/run")
"""Neither these nor anything below: devices, sockets, and the host's processes."""
WHOLE_SYSTEM_FOLDERS = ("/", "/etc", "/var", "/tmp", "/home", "/root", "/boot", "/usr", "/lib", "/bin", "/sbin")
"""Not as a whole. Bots already have the parts of them that they need."""

MOUNTINFO_FILE = "/proc/self/mountinfo"
KERNEL_FILE_SYSTEMS = (
    "proc", "sysfs", "devtmpfs", "devpts", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs", "configfs", "bpf",
    "mqueue", "nsfs", "binfmt_misc", "efivarfs", "fusectl", "pstore",
)  # fmt: skip
"""Kinds of file systems. The root of another system, for chroot, often has some of them mounted again."""

FIRST_HUMAN_UID = 1000
"""The first uid that systems give to human users."""


class ShowError(ConfigError):
    """The host's setting of what bots may read is wrong: no bot is to blame, and no game may be played."""


def shown_folders() -> tuple[Path, ...]:
    """The folders of the environment, links resolved; ShowError for one that may not be shown."""
    return _check_shown_folders(os.environ.get(SHOW_VARIABLE, ""))


@functools.lru_cache(maxsize=8)
def _check_shown_folders(setting: str) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(check_shown_folder(word) for word in setting.split(os.pathsep) if word))


def check_shown_folder(text: str) -> Path:
    """Returns the folder, or raises a ShowError that says why it stays hidden."""
    try:
        folder = Path(text or "\0").expanduser().resolve(strict=True)  # an empty word would be the current folder
    except (OSError, RuntimeError, ValueError):
        raise ShowError(f"--show {text!r}: there is no such folder") from None
    if not folder.is_dir() or os.pathsep in str(folder):
        raise ShowError(f"--show {text!r}: not a folder")
    if reason := _reason_to_refuse(folder):
        raise ShowError(f"--show {text!r}: {reason}")
    return folder


def _reason_to_refuse(folder: Path) -> str:
    if any(folder.is_relative_to(kernel_folder) for kernel_folder in KERNEL_FOLDERS) or _has_kernel_mounts(folder):
        return "devices, sockets and processes of the host are never shown"
    if str(folder) in WHOLE_SYSTEM_FOLDERS:
        return "a whole system folder is never shown, only the folder of a tool chain"
    if any(home.is_relative_to(folder) for home in _homes()):
        return "a home is never shown, only the folder of a tool chain in it"
    if os.geteuid() == 0 and folder.stat().st_mode & 0o005 != 0o005:
        return "other users may not read it, and bots run as such (chmod o+rx)"
    return reason_to_hide(folder)


def _has_kernel_mounts(folder: Path) -> bool:
    """Whether it is, is in or contains one."""
    if not os.path.exists(MOUNTINFO_FILE):
        return False  # then no bot is started, either
    for line in Path(MOUNTINFO_FILE).read_text(errors="surrogateescape").splitlines():
        mount, _, about = line.partition(" - ")
        mount_point = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), mount.split(" ")[4]))
        near = folder.is_relative_to(mount_point) or mount_point.is_relative_to(folder)
        if near and about.split(" ")[0] in KERNEL_FILE_SYSTEMS:
            return True
    return False


def check_still_there(folders: Iterable[Path]) -> None:
    """Before each start: a link in the place of a folder, or of one above it, could lead to what is never shown."""
    for folder in folders:
        if not folder.is_dir() or os.path.realpath(folder) != str(folder):
            raise SandboxError(f"--show {str(folder)!r}: the folder is gone, or a link is in its place")


def _homes() -> set[Path]:
    """Homes of all users who have one. System users have `/` or folders like /usr/sbin, which are no homes."""
    listed = {Path(user.pw_dir) for user in pwd.getpwall() if user.pw_uid == 0 or user.pw_uid >= FIRST_HUMAN_UID}
    return {home.resolve() for home in (*listed, Path.home()) if home != Path("/") and os.path.isdir(home)}


def refuse_if_shown(path: Path, what: str, folders: Iterable[Path] | None = None) -> None:
    """Raises ShowError when bots would see this path, or part of it, through a shown folder."""
    path = path.resolve()
    for folder in shown_folders() if folders is None else folders:
        if path.is_relative_to(folder):
            raise ShowError(f"--show {str(folder)!r}: {what} is in it, and bots may not read that")
        if folder.is_relative_to(path):
            raise ShowError(f"--show {str(folder)!r}: it belongs to {what}, and bots may not read that")


def search_path(folders: Iterable[Path]) -> list[str]:
    """Where programs of shown folders are searched: bin, if there is one."""
    return [str(folder / "bin" if (folder / "bin").is_dir() else folder) for folder in folders]


def which(program: str) -> str | None:
    """Where a program is: on the host's PATH, or in a folder that the host shows to bots."""
    return shutil.which(program) or shutil.which(program, path=os.pathsep.join(search_path(shown_folders())))

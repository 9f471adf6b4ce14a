"""Our cache on this machine: builds, the copies of a run, the bots of a cluster. For its owner alone."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from .sandbox.hidden_paths import own_cache_folder

PRIVATE_FOLDER_MODE = 0o700
"""Nobody else needs access: a sandbox mounts the one folder that its bot may see, which the referee opens itself."""


def private_cache(name: str) -> Path:
    """The folder of this name in the cache, made if missing. Raises OSError if that fails, or if it is another
    user's."""
    folder = own_cache_folder() / name
    for level in (folder.parent, folder):
        level.mkdir(parents=True, exist_ok=True)
        _check_owner(level)
        make_private(level)
    return folder


def _check_owner(folder: Path) -> None:
    """Root could restrict a folder of another user's, but its owner could still exchange the builds in it."""
    owner = folder.stat().st_uid
    if owner != os.geteuid():
        raise PermissionError(errno.EPERM, f"it belongs to another user (uid {owner})")


def make_private(folder: Path) -> None:
    """Restricts the folder, even if an older version made it for everybody to read."""
    try:
        if stat.S_IMODE(folder.stat().st_mode) != PRIVATE_FOLDER_MODE:
            folder.chmod(PRIVATE_FOLDER_MODE)
    except OSError as error:
        if error.errno != errno.EROFS:  # earlier builds can be played from a read-only disk
            raise

"""Installs a bot on a node: unpacks it, checks its hash, stores it, and builds it in the sandbox. A separate process.

    python -m peloarena.cluster.bundle_install PATH POLICY PARENT < bundle

prints an InstallResult as JSON. A bot that is already complete is not checked again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import get_args

from msgspec import Struct

from ..game import ConfigError, encode
from ..referee.bot_copies import copy_and_compile, remove_unhashed_files
from ..referee.bot_finder import find_bot
from ..referee.build import build_bot_sync
from ..referee.cache import private_cache
from ..referee.dies_with_parent import die_with_parent
from ..referee.sandbox.errors import SandboxError
from ..referee.sandbox.hidden_paths import own_cache_folder
from ..referee.sandbox.isolation import SandboxPolicy, prepare
from ..referee.temporary_folders import temporary_folder
from .bundles import parse_bot_path, unpack_bundle
from .wire_messages import clean_line

BOTS_FOLDER = "cluster"


class InstallResult(Struct, frozen=True):
    problem: str = ""
    """Why this node cannot play the bot, usually a missing tool chain. Empty if it can."""


def installed_bots_folder() -> Path:
    """In the cache, which no bot can see; shared by all tournaments on this machine, because a hash identifies the
    contents.
    """
    return own_cache_folder() / BOTS_FOLDER


def install_bundle(data: bytes, bot_path: str, policy: SandboxPolicy) -> InstallResult:
    digest, file = parse_bot_path(bot_path)
    try:
        home = private_cache(BOTS_FOLDER)
        with temporary_folder(home, "arriving") as folder, prepare(policy) as isolation:
            unpack_bundle(data, folder)
            bot = find_bot(folder / file if file else folder)
            if bot.digest != digest:
                return InstallResult(f"its files have the hash {bot.digest}; expected {digest}")
            remove_unhashed_files(
                home / digest
            )  # the hash does not cover bytecode that an earlier tournament left here
            build_bot_sync(find_bot(copy_and_compile(bot, home, isolation)), isolation)
    except (ConfigError, SandboxError, OSError) as error:
        return InstallResult(clean_line(error))
    return InstallResult()


def main() -> None:
    bot_path, policy, parent = sys.argv[1:4]
    die_with_parent(int(parent))
    chosen: SandboxPolicy = policy if policy in get_args(SandboxPolicy) else "strict"  # type: ignore[assignment]
    sys.stdout.buffer.write(encode(install_bundle(sys.stdin.buffer.read(), bot_path, chosen)))


if __name__ == "__main__":
    main()

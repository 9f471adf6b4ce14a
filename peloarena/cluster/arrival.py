"""Installs a bot on a node: unpacks it, checks its hash, stores it, and builds it in the sandbox. A separate process.

    python -m peloarena.cluster.arrival PLACE POLICY PARENT < parcel

prints an Arrived as JSON. A bot that is already complete is not checked again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import get_args

from msgspec import Struct

from ..game import ConfigError, encode
from ..referee.bots import find_bot
from ..referee.build import built
from ..referee.cache import private_cache
from ..referee.copies import keep_copy, strip
from ..referee.dies_with_parent import die_with_parent
from ..referee.leftovers import own_folder
from ..referee.sandbox.errors import SandboxError
from ..referee.sandbox.isolation import Policy, prepare
from ..referee.sandbox.never_shown import own_cache
from .parcels import lay_out, place_of
from .words import cut

BOTS = "cluster"


class Arrived(Struct, frozen=True):
    problem: str = ""
    """Why this node cannot play the bot, usually a missing tool chain. Empty if it can."""


def bots_home() -> Path:
    """In the cache, which no bot can see; shared by all tournaments on this machine, because a hash identifies the
    contents.
    """
    return own_cache() / BOTS


def take_in(data: bytes, place: str, policy: Policy) -> Arrived:
    digest, file = place_of(place)
    try:
        home = private_cache(BOTS)
        with own_folder(home, "arriving") as folder, prepare(policy) as isolation:
            lay_out(data, folder)
            bot = find_bot(folder / file if file else folder)
            if bot.digest != digest:
                return Arrived(f"its files have the hash {bot.digest}, not {digest}")
            strip(home / digest)  # the hash does not cover bytecode that an earlier tournament left here
            built(find_bot(keep_copy(bot, home, isolation)), isolation)
    except (ConfigError, SandboxError, OSError) as error:
        return Arrived(cut(error))
    return Arrived()


def main() -> None:
    place, policy, parent = sys.argv[1:4]
    die_with_parent(int(parent))
    chosen: Policy = policy if policy in get_args(Policy) else "strict"  # type: ignore[assignment]
    sys.stdout.buffer.write(encode(take_in(sys.stdin.buffer.read(), place, chosen)))


if __name__ == "__main__":
    main()

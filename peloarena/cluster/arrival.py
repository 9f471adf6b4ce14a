"""A bot that came to a node: laid out, compared with its hash, kept, and built in the cage. A process of its own.

    python -m peloarena.cluster.arrival PLACE POLICY PARENT < parcel

prints an Arrived as JSON. What is there already, whole, is not looked at again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import get_args

from msgspec import Struct

from ..game import ConfigError, encode
from ..referee.bots import find_bot
from ..referee.build import built
from ..referee.copies import keep_copy
from ..referee.dies_with_parent import die_with_parent
from ..referee.leftovers import own_folder
from ..referee.sandbox.errors import SandboxError
from ..referee.sandbox.isolation import Policy, prepare
from ..referee.sandbox.never_shown import own_cache
from .parcels import lay_out, place_of
from .words import cut


class Arrived(Struct, frozen=True):
    problem: str = ""
    """Why this node cannot play the bot: a tool chain that it does not have, most often. Empty: it can."""


def bots_home() -> Path:
    """In the cache, which no bot may see; for all nights of this machine, for a hash names what is in it."""
    return own_cache() / "cluster"


def take_in(data: bytes, place: str, policy: Policy) -> Arrived:
    digest, file = place_of(place)
    home = bots_home()
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o755)  # bots of a worker that is root run as users of their own
    try:
        with own_folder(home, "arriving") as folder, prepare(policy) as isolation:
            lay_out(data, folder)
            bot = find_bot(folder / file if file else folder)
            if bot.digest != digest:
                return Arrived(f"its files have the hash {bot.digest}, not {digest}")
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

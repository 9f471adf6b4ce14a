"""The player of a bot that `peloarena check` tries. In a file of its own, because it is compiled as its base is."""

from __future__ import annotations

import random
from collections import Counter

from msgspec.structs import replace

from ..protocol.messages import Decide
from .link_player import LinkPlayer, ProcessHandle
from .player import PlayerAnswer, ResolveMove
from .transport import Transport


class CheckedPlayer(LinkPlayer):
    """The bot being checked. Counts the kinds of decisions it is asked; when steered, random moves replace its answers.

    Steering is fair to a bot: the caretaker replaces a forgiven late answer in the same way.
    """

    def __init__(self, transport: Transport, process: ProcessHandle, times_asked: Counter[str]) -> None:
        super().__init__(transport, process)
        self.times_asked = times_asked
        self.steering: random.Random | None = None
        self.games = 0
        """Games played to their end."""

    async def decide(self, message: Decide, resolve_move: ResolveMove) -> PlayerAnswer:
        self.times_asked[message.kind] += 1
        thought = await super().decide(message, resolve_move)
        return thought if self.steering is None else replace(thought, move=self.steering.choice(message.legal))

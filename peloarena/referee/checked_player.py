"""The player of a bot that `peloarena check` tries. In a file of its own, because it is compiled as its base is."""

from __future__ import annotations

import random
from collections import Counter

from msgspec.structs import replace

from ..protocol.messages import Decide
from .link_player import Body, LinkPlayer
from .player import Meaning, Thought
from .transport import Transport


class CheckedPlayer(LinkPlayer):
    """The bot being checked. Counts the kinds of decisions it is asked; when steered, random moves replace its answers.

    Steering is fair to a bot: the caretaker replaces a forgiven late answer in the same way.
    """

    def __init__(self, transport: Transport, body: Body, kinds: Counter[str]) -> None:
        super().__init__(transport, body)
        self.kinds = kinds
        self.steering: random.Random | None = None
        self.games = 0
        """Games played to their end."""

    async def decide(self, message: Decide, meaning: Meaning) -> Thought:
        self.kinds[message.kind] += 1
        thought = await super().decide(message, meaning)
        return thought if self.steering is None else replace(thought, move=self.steering.choice(message.legal))

"""Players in this process: seats that are no bots. They choose by a function and sit at a table like anyone else."""

from __future__ import annotations

from collections.abc import Callable

from ..protocol.messages import Answer, BotHello, Decide, GameOver, NewGame
from .clock import TimeControl
from .player import Player, Thought

Choose = Callable[[Decide], int]
"""An index into the legal moves."""


class Nowhere:
    """A transport to nobody."""

    def write_now(self, data: bytes) -> int:
        return len(data)

    def read_now(self, patience: float) -> bytes | None:
        return None

    async def wait_writable(self) -> None:
        raise AssertionError("a house player has no line")

    async def wait_readable(self) -> None:
        raise AssertionError("a house player has no line")


class InProcessPlayer(Player):
    def __init__(self, choose: Choose, name: str = "house") -> None:
        super().__init__(Nowhere())
        self.hello = BotHello(name)
        self.choose = choose

    async def greet(self, limit: float) -> None:
        pass

    async def sit_down(self, message: NewGame, control: TimeControl) -> None:
        pass

    async def decide(self, message: Decide) -> Thought:
        return Thought(Answer(message.id, index=self.choose(message)), 0.0, None)

    async def game_over(self, message: GameOver) -> None:
        pass

    async def quit(self) -> bool:
        return False

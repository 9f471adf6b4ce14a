"""Players without a process: a function that chooses, and an empty seat. The table treats them like any player."""

from __future__ import annotations

from collections.abc import Callable

from ..protocol import BotError
from ..protocol.messages import Answer, BotHello, Decide, GameOver, NewGame
from .clock import TimeControl
from .player import Failure, Meaning, Spent, Thought
from .verdict import Evidence

Choose = Callable[[Decide], int]
"""An index into the legal moves."""
NO_TIME = Spent(0.0)


class Unclocked:
    """The methods that a player without a link does not need."""

    def __init__(self, name: str) -> None:
        self.hello = BotHello(name)
        self.bank = TimeControl().bank
        self.gone = False
        self.sits_down_quickly = False
        self.startup = 0.0

    async def sit_down(self, message: NewGame, control: TimeControl) -> None:
        pass

    async def game_over(self, message: GameOver) -> None:
        pass

    def overrule(self) -> None:
        pass

    def leave(self) -> None:
        self.gone = True

    def rest_if_idle(self, now: float, after: float, pondering: bool) -> None:
        pass

    def stderr(self) -> str:
        return ""

    def last_stderr(self) -> str:
        return ""


class InProcessPlayer(Unclocked):
    """Chooses by a function. The table judges its mistakes like a bot's, so that our own mistakes show in the
    record."""

    def __init__(self, choose: Choose, name: str = "house") -> None:
        super().__init__(name)
        self.choose = choose

    async def decide(self, message: Decide, meaning: Meaning) -> Thought:
        try:
            return Thought(meaning(Answer(message.id, index=self.choose(message))), NO_TIME)
        except BotError as error:
            raise Failure(error.fault, error.reason, Evidence(), NO_TIME) from None


class EmptySeat(Unclocked):
    """A seat that the table cannot ask: a bot that was not started, or a person whom the session asks itself."""

    def __init__(self) -> None:
        super().__init__("nobody")

    async def decide(self, message: Decide, meaning: Meaning) -> Thought:
        raise AssertionError("nobody sits here who could be asked")

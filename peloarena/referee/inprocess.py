"""Players without a process: a function that chooses, and an empty seat. The table treats them like any player."""

from __future__ import annotations

from collections.abc import Callable

from ..protocol import BotError
from ..protocol.messages import Answer, BotHello, Decide, GameOver, NewGame
from .player import PlayerAnswer, PlayerFailure, ResolveMove, TimeSpent
from .time_control import TimeControl
from .verdict import Evidence

ChooseIndex = Callable[[Decide], int]
"""An index into the legal moves."""
NO_TIME = TimeSpent(0.0)


class PlayerWithoutLink:
    """The methods that a player without a link does not need."""

    def __init__(self, name: str) -> None:
        self.hello = BotHello(name)
        self.bank = TimeControl().bank
        self.is_out = False
        self.starts_quickly = False
        self.startup_seconds = 0.0

    async def start_game(self, message: NewGame, control: TimeControl) -> None:
        pass

    async def send_game_over(self, message: GameOver) -> None:
        pass

    def overrule_answer(self) -> None:
        pass

    def drop_out(self) -> None:
        self.is_out = True

    def pause_if_idle(self, now: float, after: float, pondering: bool) -> None:
        pass

    def stderr_tail(self) -> str:
        return ""

    def take_stderr(self) -> str:
        return ""


class InProcessPlayer(PlayerWithoutLink):
    """Chooses by a function. The table judges its mistakes like a bot's, so that our own mistakes show in the
    record."""

    def __init__(self, choose: ChooseIndex, name: str = "in-process") -> None:
        super().__init__(name)
        self.choose = choose

    async def decide(self, message: Decide, resolve_move: ResolveMove) -> PlayerAnswer:
        try:
            return PlayerAnswer(resolve_move(Answer(message.id, index=self.choose(message))), NO_TIME)
        except BotError as error:
            raise PlayerFailure(error.fault, error.reason, Evidence(), NO_TIME) from None


class EmptySeat(PlayerWithoutLink):
    """A seat that the table cannot ask: a bot that was not started, or a person whom the session asks itself."""

    def __init__(self) -> None:
        super().__init__("nobody")

    async def decide(self, message: Decide, resolve_move: ResolveMove) -> PlayerAnswer:
        raise AssertionError("an empty seat cannot be asked")

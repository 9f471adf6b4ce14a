"""A function as a player: it gets the messages as a bot would read them, and its caller sees its mistakes."""

from __future__ import annotations

import json

from ..botkit import Choose, GameInfo
from ..protocol import codec
from ..protocol.messages import Answer, Decide, NewGame
from ..referee.inprocess import NO_TIME, PlayerWithoutLink
from ..referee.player import PlayerAnswer, ResolveMove
from ..referee.time_control import TimeControl


class FunctionPlayer(PlayerWithoutLink):
    """`choose(decide, game)` of botkit. Its exceptions leave `play`; an illegal move raises one as well."""

    def __init__(self, choose: Choose, name: str) -> None:
        super().__init__(name)
        self.choose = choose
        self.game_info: GameInfo | None = None

    async def start_game(self, message: NewGame, control: TimeControl) -> None:
        self.game_info = GameInfo(json.loads(codec.encode(message)))

    async def decide(self, message: Decide, resolve_move: ResolveMove) -> PlayerAnswer:
        info = self.game_info
        assert info is not None
        choice = self.choose(json.loads(codec.encode(message)), info)
        answer = Answer(message.id, index=choice) if isinstance(choice, int) else Answer(message.id, move=choice)
        note, info.note = info.note, ""
        return PlayerAnswer(resolve_move(answer), NO_TIME, note)

"""What a Python bot imports: a blocking loop over stdin and stdout. Standard library only, so it starts fast;
`game_of`, for those that search, loads the engine when it is first called.

    from peloarena.botkit import play

    def choose(decide, game):
        return 0  # an index into decide["legal"], or one of its moves

    play(choose, name="first")

Messages are plain dicts, as spec/PROTOCOL.md describes them; `decide.get("about", {})` tells what a decision is about
where its moves do not: the coins of a displaced bid, the hungry, the terms of an offer.
Prints are safe: they go to stderr.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .game import Game

LONGEST_NOTE = 500
"""The referee refuses longer ones (spec/PROTOCOL.md)."""
Message = dict[str, Any]
Choose = Callable[["Message", "GameInfo"], "int | Message"]


class GameInfo:
    """The current game: the `newgame` message, a generator of its own, room for notes."""

    def __init__(self, newgame: Message) -> None:
        self.newgame = newgame
        self.seat: int = newgame["seat"]
        self.options: Message = newgame["options"]
        self.catalogue: Message = newgame["catalogue"]
        self.tiles: Message = self.catalogue["tiles"]
        self.random = random.Random(newgame["random"])
        self.memory: dict[str, Any] = {}
        """Anything that the bot wants to keep during this game."""
        self.note = ""
        """Set it in `choose` to have it kept in the record."""


def play(
    choose: Choose,
    *,
    name: str,
    version: str = "",
    wants: str = "state",
    on_gameover: Callable[[Message, GameInfo], None] | None = None,
) -> None:
    """Answers the referee until it says `quit` or closes the line."""
    lines, answer = _open_protocol_streams()
    game: GameInfo | None = None
    for line in lines:
        message = json.loads(line)
        kind = message["type"]
        if kind == "decide":
            assert game is not None
            answer(_answer_message(choose(message, game), message, game))
        elif kind == "hello":
            answer({"type": "hello", "name": name, "version": version, "wants": wants})
        elif kind == "newgame":
            game = GameInfo(message)
            answer({"type": "ready"})
        elif kind == "gameover":
            if on_gameover is not None and game is not None:
                on_gameover(message, game)
        elif kind == "quit":
            return


def game_of(newgame: Message, decide: Message, random: random.Random) -> Game:
    """A game in the position of `decide`, to clone and play on (spec/ENGINE.md); hidden things are drawn at random.

    ValueError when the messages do not belong together, or `decide` has no `state`.
    """
    from .protocol.reconstruction import parse_newgame_and_decide, reconstruct_game  # the engine takes a while to load

    return reconstruct_game(*parse_newgame_and_decide(newgame, decide), random)


def _answer_message(chosen: int | Message, message: Message, game: GameInfo) -> Message:
    if not isinstance(chosen, int | dict) or isinstance(chosen, bool):
        raise TypeError(
            f"choose returned {chosen!r}: it must return an index into decide['legal'], or one of those moves"
        )
    found: Message = {"type": "answer", "id": message["id"]}
    if isinstance(chosen, int):
        found["index"] = chosen
    else:
        found["move"] = chosen
    if game.note:
        found["note"] = game.note[:LONGEST_NOTE]
        game.note = ""
    return found


def _open_protocol_streams() -> tuple[Iterator[str], Callable[[Message], None]]:
    """The protocol's own ends; afterwards stdout is stderr, so that a stray print cannot spoil a line."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def send_line(message: Message) -> None:
        out.write(json.dumps(message, separators=(",", ":")) + "\n")
        out.flush()

    return iter(sys.stdin.readline, ""), send_line

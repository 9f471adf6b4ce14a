"""Records a game for each way of tests/game/modules/ways.py and more_ways.py that no file of this folder shows yet.

`python tests/games/make_ways.py`; to record all of them anew, delete the `way-*.json` first. Seeds are tried in order
until a game goes that way, so a recording repeats itself.
"""

from __future__ import annotations

import random
import sys
from itertools import count
from pathlib import Path

from make import some_move

from peloarena.game import Game, GameOptions, encode
from peloarena.game.kinds import Event, Move

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "game" / "modules"))

from more_ways import MORE_WAYS  # noqa: E402 - it lies beside the tests
from ways import WAYS, Told  # noqa: E402


def played(options: GameOptions, seed: str) -> tuple[Game, list[Move], list[Event]]:
    game, moves, rng = Game(options, seed), [], random.Random(seed)
    events = list(game.opening)
    while game.decision:
        moves.append(some_move(game.decision.legal, rng))
        events += game.choose(moves[-1])
    return game, moves, events


def recorded(name: str, told: Told, options: GameOptions) -> tuple[str, list[Event]]:
    """The text of a file, a move to a line, and its story: the first seed that goes this way."""
    for number in count(1):
        seed = f"{name} {number}"
        game, moves, events = played(options, seed)
        if told(events):
            break
    lines = ",\n".join(encode(move).decode() for move in moves)
    head = f'"options": {encode(options).decode()},\n"seed": "{seed}",\n"moves": [\n{lines}\n]'
    return f'{{\n{head},\n"result": {encode(game.result).decode()}\n}}\n', events


def main() -> None:
    stories: list[list[Event]] = []
    for name, way in (WAYS | MORE_WAYS).items():
        if not any(way.told(story) for story in stories):
            text, story = recorded(f"way-{name}", way.told, way.options)
            (HERE / f"way-{name}.json").write_text(text, encoding="utf-8")
            stories.append(story)


if __name__ == "__main__":
    main()

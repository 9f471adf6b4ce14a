"""Records the games that this folder lacks: `python tests/games/make.py`. A new module gets one of its own.

With names, `python tests/games/make.py sea-2`, it records these anew: only after a change of the rules on purpose.

A file holds options, seed, the chosen moves (forced ones are played by the engine) and the exact result. The moves are
chosen by chance with the file's name as seed, mostly not unwisely; so a recording repeats itself.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from peloarena.game import Game, GameOptions, encode, make_options
from peloarena.game.kinds import Move
from peloarena.game.moves import Bid, Feed
from peloarena.game.options import with_needed_modules
from peloarena.game.registry import MODULES

HERE = Path(__file__).parent
WISE = 0.8


def tables() -> dict[str, GameOptions]:
    """What is recorded: file name and options."""
    found = {f"base-{players}": make_options(players) for players in (2, 3, 4, 5)}
    found |= {f"solo-{level}": make_options(1, level=level) for level in (1, 2, 3, 4, 5)}
    found["hellas-3"] = make_options(3, ["hellas"])
    found["sea-2"] = make_options(2, ["sea"])
    found["hellas-sea-4"] = make_options(4, ["hellas", "sea"])
    found["hellas-sea-solo-3"] = make_options(1, ["hellas", "sea"], level=3)
    found["draft-2"] = make_options(2, draft={"civilizations": ("Sparta", "Arkadia")})
    found["trade-3"] = make_options(3, ["trade"])
    found["goats-6"] = make_options(6, ["goats"])
    found["athens-3"] = make_options(3, ["athens"])
    found["colonies-4"] = make_options(4, ["colonies"])
    found["heroes-and-colonies-4"] = make_options(4, ["heroes-and-colonies"])
    found["negotiation-3"] = make_options(3, ["heroes-and-colonies", "negotiation"])
    found["sacrum-5"] = make_options(5, ["sacrum"])
    found["promos-2"] = make_options(2, ["promos"])
    found |= {f"{name}-3": make_options(3, with_needed_modules([name])) for name in unrecorded(list(found.values()))}
    found["everything-8"] = make_options(8, list(MODULES))
    return found


def unrecorded(played: list[GameOptions]) -> list[str]:
    """The modules that none of these games plays."""
    return [name for name in MODULES if not any(name in options.modules for options in played)]


def some_move(legal: list[Move], rng: random.Random) -> Move:
    """Mostly low bids and the first of other moves (pay, keep, complete), so that the game comes to something."""
    lowest = [move for move in legal if isinstance(move, Bid)]
    if lowest:
        lowest = [
            min((m for m in lowest if m.tile == tile), key=lambda m: m.coins) for tile in {m.tile: 0 for m in lowest}
        ]
    if rng.random() < WISE:
        feeds = [move for move in legal if isinstance(move, Feed)]
        return rng.choice(lowest) if lowest else feeds[-1] if feeds else legal[0]
    kind = rng.choice(list(dict.fromkeys(type(move) for move in legal)))
    return rng.choice([move for move in legal if type(move) is kind])


def recorded(name: str, options: GameOptions) -> str:
    """The file's text, a move to a line."""
    rng, seed = random.Random(name), f"recorded {name}"
    game, moves = Game(options, seed), []
    while game.decision:
        moves.append(some_move(game.decision.legal, rng))
        game.choose(moves[-1])
    lines = ",\n".join(encode(move).decode() for move in moves)
    head = f'"options": {encode(options).decode()},\n"seed": "{seed}",\n"moves": [\n{lines}\n]'
    return f'{{\n{head},\n"result": {encode(game.result).decode()}\n}}\n'


def main(names: list[str]) -> None:
    for name, options in tables().items():
        path = HERE / f"{name}.json"
        if name in names or not (names or path.exists()):
            path.write_text(recorded(name, options), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

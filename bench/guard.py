"""Does the engine still play exactly the same games? For tuning: save what it plays, change it, compare.

    python bench/guard.py --save guard.json      # before
    python bench/guard.py --against guard.json   # after; exit code 1 and the options that differ

Plays seeded random games over players, modules and levels, and digests every decision, every event and every
state on the way, as JSON. A change of the rules changes the digests, and is meant to.
"""

import argparse
import json
import sys
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random

from peloarena.game import ConfigError, Game, GameOptions, encode, make_options
from peloarena.game.registry import MODULES

GAMES = 12
"""For each choice of options."""


def choices_of_options() -> list[GameOptions]:
    """No module, each alone, each pair, all: with every number of players that they allow."""
    found = []
    names = list(MODULES)
    for modules in [(), *combinations(names, 1), *combinations(names, 2), tuple(names)]:
        for players in range(1, 9):
            for level in (1, 3, 5) if players == 1 else (0,):
                try:
                    found.append(make_options(players, modules, level))
                except ConfigError:
                    continue
    return list({repr(options): options for options in found}.values())


def played(options: GameOptions, seed: str) -> str:
    """The digest of one random game; now and then it goes on in a clone, or from its JSON."""
    random = Random(seed)
    digest = sha256()
    game = Game(options, seed)
    digest.update(encode(game.opening))
    while (decision := game.decision) is not None:
        digest.update(encode(decision))
        digest.update(game.save())
        if random.random() < 0.2:
            other = game.clone() if random.random() < 0.5 else Game.load(options, game.save())
            game.choose(random.choice(decision.legal))
            game = other
        digest.update(encode(game.choose(random.choice(decision.legal))))
    digest.update(game.save())
    digest.update(encode(game.result))
    return digest.hexdigest()


def digests() -> dict[str, str]:
    found = {}
    for options in choices_of_options():
        games = "".join(played(options, f"guard-{number}") for number in range(GAMES))
        name = f"{options.players} players, level {options.level}, {'+'.join(options.modules) or 'base'}"
        found[name] = sha256(games.encode()).hexdigest()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--against", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    found = digests()
    if arguments.save:
        arguments.save.write_text(json.dumps(found, indent=1) + "\n")
    if not arguments.against:
        print(f"{len(found)} choices of options, {GAMES} games each")
        return 0
    known = json.loads(arguments.against.read_text())
    different = [name for name in found if known.get(name, found[name]) != found[name]]
    for name in different:
        print(f"plays differently: {name}")
    print(f"{len(found) - len(different)} of {len(found)} choices of options play the same games")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

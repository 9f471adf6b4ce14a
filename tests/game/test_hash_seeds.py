"""P2: a game does not depend on how a process hashes its strings."""

import os
import subprocess
import sys

from patience import PATIENCE

PROGRAM = """
import random, sys
from peloarena.game import Game, encode, make_options
from peloarena.game.registry import MODULES
tables = [make_options(2), make_options(5, ["hellas", "sea"]), make_options(1, ["hellas"], level=4),
          make_options(4, [name for name in MODULES if 4 in MODULES[name].players])]
for number, options in enumerate(tables):
    rng = random.Random(number)
    game = Game(options, f"hash {number}")
    lines = [encode(game.opening), encode(game.view(0))]
    while game.decision:
        lines.append(encode(game.decision))
        lines.append(encode(game.choose(game.decision.legal[rng.randrange(len(game.decision.legal))])))
    lines += [game.save(), encode(game.result)]
    sys.stdout.buffer.write(b"\\n".join(lines) + b"\\n")
"""


def games_with(hash_seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True, timeout=PATIENCE
    ).stdout


def test_two_processes_with_different_hash_seeds_play_byte_equal_games() -> None:
    """P2"""
    one = games_with("1")
    assert len(one) > 10_000
    assert one == games_with("2")

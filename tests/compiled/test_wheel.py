"""The installed wheel holds compiled rules and a compiled way of one decision, and the sources to read beside them.

Run by `make test-compiled`, together with the tests of game, protocol and referee; whether it plays the same games is
told there by bench/guard.py.
"""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from peloarena.game import Game, engine, make_options, stock
from peloarena.game.modules.trade import rules as trade
from peloarena.protocol import dialogue
from peloarena.referee import game_table, link

GAME = Path(engine.__file__).parent


@pytest.mark.parametrize(
    "module", [engine, stock, trade, dialogue, link, game_table], ids=lambda module: module.__name__
)
def test_the_chapters_the_modules_and_the_way_of_a_decision_are_compiled(module: object) -> None:
    assert Path(str(getattr(module, "__file__"))).suffix in (".so", ".pyd")  # noqa: B009


def test_the_sources_are_there_to_be_read() -> None:
    assert (GAME / "engine.py").read_text().startswith('"""The engine')


def test_version_says_that_the_engine_is_compiled() -> None:
    done = subprocess.run([sys.executable, "-m", "peloarena", "--version"], check=True, capture_output=True, text=True)
    assert done.stdout.endswith("engine: compiled\n")


def test_states_views_and_decisions_can_be_pickled() -> None:
    game = Game(make_options(3, ("trade", "heroes", "persians")), "pickled")
    for thing in (game.state, game.view(0), game.decision):
        assert pickle.loads(pickle.dumps(thing)) == thing

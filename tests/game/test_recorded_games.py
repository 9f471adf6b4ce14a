"""Recorded games (tests/games) are replayed to their exact result; tests/games/make.py records them."""

from pathlib import Path

import msgspec
import pytest

from peloarena.game import Game, GameOptions, Result, decode, make_options
from peloarena.game.kinds import Move
from peloarena.game.registry import MODULES

FOLDER = Path(__file__).parents[1] / "games"
FILES = sorted(FOLDER.glob("*.json"))


class Recording(msgspec.Struct, forbid_unknown_fields=True):
    options: GameOptions
    seed: str
    moves: list[Move]
    result: Result


def read(path: Path) -> Recording:
    return decode(path.read_bytes(), Recording)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_recorded_game_comes_to_its_exact_result(path: Path) -> None:
    """P2, E2"""
    recording = read(path)
    options = recording.options
    assert options == make_options(options.players, options.modules, options.level, options.draft, options.components)
    game = Game(options, recording.seed)
    for number, move in enumerate(recording.moves):
        assert game.decision is not None, f"over after {number} of {len(recording.moves)} moves"
        game.choose(move)
    assert game.decision is None
    assert game.result == recording.result


def test_every_module_and_every_player_count_is_recorded() -> None:
    options = [read(path).options for path in FILES]
    assert {name for option in options for name in option.modules} == set(MODULES)
    assert {1, 2, 3, 4, 5, 6, 8} <= {option.players for option in options}
    assert {option.level for option in options} == {0, 1, 2, 3, 4, 5}

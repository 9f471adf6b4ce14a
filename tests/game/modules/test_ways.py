"""Every way that a game with modules can go has a recorded game (tests/games)."""

from __future__ import annotations

from pathlib import Path

import msgspec
from more_ways import MORE_WAYS
from ways import WAYS

from peloarena.game import Game, GameOptions, Result, decode
from peloarena.game.kinds import Event, Move

FOLDER = Path(__file__).parents[2] / "games"
FILES = sorted(FOLDER.glob("way-*.json"))
ALL_WAYS = WAYS | MORE_WAYS


class Recording(msgspec.Struct):
    options: GameOptions
    seed: str
    moves: list[Move]
    result: Result


def story(path: Path) -> list[Event]:
    recording = decode(path.read_bytes(), Recording)
    game = Game(recording.options, recording.seed)
    events = list(game.opening)
    for move in recording.moves:
        events += game.choose(move)
    assert game.result == recording.result
    return events


def test_every_way_has_a_recorded_game() -> None:
    """M: record what is missing with tests/games/make_ways.py."""
    stories = [story(path) for path in FILES]
    missing = [name for name, way in ALL_WAYS.items() if not any(way.told(events) for events in stories)]
    assert missing == []


def test_a_file_named_for_a_way_shows_it() -> None:
    """M."""
    for path in FILES:
        assert ALL_WAYS[path.stem.removeprefix("way-")].told(story(path)), path.stem

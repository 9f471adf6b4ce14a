"""Options: refused in one line that says what would fit."""

from __future__ import annotations

import msgspec
import pytest

from peloarena.game import ConfigError, Game, GameOptions, decode, encode, make_options
from peloarena.game.module import Module
from peloarena.game.options import with_needed_modules
from peloarena.game.registry import MODULES


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"players": 0}, "0 players: 1 to 5 can play with these modules"),
        ({"players": -1}, "-1 players: 1 to 5"),
        ({"players": 6}, "6 players: 1 to 5"),
        ({"players": 9, "modules": ["sea"]}, "9 players: module 'sea' is for 1 to 8"),
        ({"players": 2, "modules": ["seas"]}, "unknown module 'seas' (did you mean 'sea'?); there are hellas, sea"),
        ({"players": 2, "modules": ["x"]}, "unknown module 'x'; there are hellas, sea"),
        ({"players": 2, "level": 3}, "level 3: only a solo game (1 player) has levels"),
        ({"players": 1, "level": 6}, "level 6: 1 to 5"),
        ({"players": 1, "level": -1}, "level -1: 1 to 5"),
        (
            {"players": 2, "draft": {"civilizations": ("Spatra", "Argos")}},
            "unknown 'Spatra' for civilizations (did you mean 'Sparta'?); there are Argos, Arkadia",
        ),
        (
            {"players": 2, "draft": {"civilizations": ("Delphi", "Argos")}},
            "unknown 'Delphi' for civilizations",
        ),
        (
            {"players": 2, "draft": {"civilizations": ("Argos",)}},
            "draft of civilizations: 2 different ones, one per seat; got Argos",
        ),
        (
            {"players": 2, "draft": {"civilizations": ("Argos", "Argos")}},
            "draft of civilizations: 2 different ones, one per seat; got Argos, Argos",
        ),
        ({"players": 2, "draft": {"civilizations": ()}}, "2 different ones, one per seat; got none"),
        ({"players": 2, "draft": {"sea": ("S1", "S2")}}, "draft 'sea': these options draw civilizations"),
        ({"players": 2, "draft": {"civilisations": ()}}, "draft 'civilisations' (did you mean 'civilizations'?)"),
    ],
)
def test_options_that_do_not_fit_are_refused(wanted: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        make_options(**wanted)  # type: ignore[arg-type]
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


NEEDY = [module for module in MODULES.values() if module.needs]


@pytest.mark.parametrize("module", NEEDY, ids=lambda module: module.name)
def test_a_module_without_what_it_needs_is_refused(module: Module) -> None:
    with pytest.raises(ConfigError, match=f"needs .*{module.needs[0]}.*: add "):
        make_options(2, [module.name])


def test_modules_stand_in_the_order_of_the_registry_and_once() -> None:
    assert make_options(2, ["sea", "hellas", "sea"]).modules == ("hellas", "sea")


def test_solo_begins_with_level_one_unless_told() -> None:
    assert make_options(1).level == 1


@pytest.mark.parametrize("seed", ["", "x" * 101, "line\nfeed", "ü", "\x00"])
def test_a_seed_that_another_language_might_read_otherwise_is_refused(seed: str) -> None:
    """P2"""
    with pytest.raises(ConfigError, match="1 to 100 printable ASCII characters"):
        Game(make_options(2), seed)


def test_options_survive_json_and_unknown_fields_do_not() -> None:
    options = make_options(2, ["sea"], draft={"sea": ("S1", "S2")}, components="[tiles.A12]\nmin = 2")
    assert decode(encode(options), GameOptions) == options
    with pytest.raises(msgspec.ValidationError):
        decode(b'{"players": 2, "module": []}', GameOptions)


def test_modules_are_completed_by_what_they_need_in_the_order_of_the_registry() -> None:
    assert with_needed_modules(["negotiation", "sea"]) == ("sea", "colonies", "heroes", "persians", "negotiation")
    assert with_needed_modules(()) == ()

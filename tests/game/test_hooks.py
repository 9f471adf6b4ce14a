"""Who calls what: a hook is called by the base game and by no module, a meeting by modules and not by the base game."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import peloarena.game
from peloarena.game.hooks import Hooks
from peloarena.game.meetings import Meetings
from peloarena.game.registry import MODULES

GAME = Path(peloarena.game.__file__).parent
BASE_FILES = tuple(GAME.glob("*.py"))
MODULE_FILES = tuple((GAME / "modules").rglob("*.py"))
HOOKS = [field.name for field in fields(Hooks)]
MEETINGS = [field.name for field in fields(Meetings)]


def calls(files: tuple[Path, ...], owner: str) -> Iterator[str]:
    """The fields read of `owner`: `flow.rules.hooks.income`, or `hooks.income` where it has that name for short."""
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).split(".")[-1] == owner:
                yield node.attr


HOOKS_OF_BASE, HOOKS_OF_MODULES = set(calls(BASE_FILES, "hooks")), set(calls(MODULE_FILES, "hooks"))
MEETINGS_OF_BASE, MEETINGS_OF_MODULES = set(calls(BASE_FILES, "meetings")), set(calls(MODULE_FILES, "meetings"))


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_is_called_by_the_base_game_and_by_no_module(name: str) -> None:
    assert name in HOOKS_OF_BASE
    assert name not in HOOKS_OF_MODULES


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_is_filled_by_a_module(name: str) -> None:
    """One that nobody fills is dead."""
    assert any(getattr(module.hooks, name) for module in MODULES.values())


@pytest.mark.parametrize("name", MEETINGS)
def test_a_meeting_is_offered_by_a_module_and_not_by_the_base_game(name: str) -> None:
    assert name in MEETINGS_OF_MODULES
    assert name not in MEETINGS_OF_BASE


@pytest.mark.parametrize("name", MEETINGS)
def test_a_meeting_is_filled_by_a_module_that_does_not_offer_it(name: str) -> None:
    filling = [module for module, manifest in MODULES.items() if getattr(manifest.meetings, name)]
    offering = [module for module in MODULES if name in set(calls(files_of(module), "meetings"))]
    assert filling
    assert offering
    assert not set(filling) & set(offering)


def files_of(module: str) -> tuple[Path, ...]:
    return tuple(path for path in MODULE_FILES if module in (path.stem, path.parent.name))

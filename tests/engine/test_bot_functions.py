"""House bots as functions: loaded apart from everything else, as often as wanted."""

from __future__ import annotations

import os
import sys

import pytest

from peloarena.engine.bot_functions import load_builtin_bot
from peloarena.game import ConfigError


def test_two_bots_with_files_of_the_same_name_do_not_meet() -> None:
    greedy, planner = load_builtin_bot("greedy"), load_builtin_bot("planner")
    assert greedy.__globals__["__file__"] != planner.__globals__["__file__"]
    assert "moves" not in sys.modules
    assert "main" not in sys.modules


def test_modules_of_the_caller_are_there_again_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "moves", sys)
    path = list(sys.path)
    load_builtin_bot("planner")
    assert sys.modules["moves"] is sys
    assert sys.path == path


def test_the_environment_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONE", "mine")
    load_builtin_bot("random", {"ONE": "1", "TWO": "2"})
    assert os.environ["ONE"] == "mine"
    assert "TWO" not in os.environ


def test_a_name_that_no_built_in_bot_has_is_told_what_there_is() -> None:
    with pytest.raises(
        ConfigError, match=r"no built-in bot is called 'planer' \(did you mean 'planner'\?\); there are"
    ):
        load_builtin_bot("planer")

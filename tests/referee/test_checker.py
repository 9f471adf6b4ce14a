"""The conformance check: what it tries, and how it lengthens every message by fields that nobody knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from little_bots import little_bot

from peloarena.game import make_options
from peloarena.game.base import BASE
from peloarena.game.registry import MODULES
from peloarena.referee import terminating
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.bot_process import BotProcess
from peloarena.referee.conformance import Checker, ExtraFieldsTransport, kinds_of, scenarios
from peloarena.referee.sandbox.isolation import prepare
from peloarena.referee.time_control import TimeControl

ROSTER = ("calm", "bot", "steady", "quick")


class Narrow:
    """A transport that takes a few bytes at a time, until it is closed."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.sent = b""

    def write_now(self, data: bytes) -> int:
        taken = data[: self.width]
        self.sent += taken
        return len(taken) if self.width else -1

    def read_now(self, patience: float) -> bytes | None:
        return None

    async def wait_writable(self) -> None: ...

    async def wait_readable(self) -> None: ...


def test_every_kind_of_decision_is_looked_for() -> None:
    wanted = set(BASE.kinds).union(*(module.kinds for module in MODULES.values()))
    assert set().union(*map(kinds_of, scenarios(short=False))) == wanted


def test_every_module_and_player_count_is_tried() -> None:
    tried = scenarios(short=False)
    assert {name for scenario in tried for name in scenario.options.modules} == set(MODULES)
    assert {scenario.options.players for scenario in tried} >= {1, 2, 3, 4, 5}
    assert {scenario.options.level for scenario in tried} == {0, 1, 2, 3, 4, 5}


def test_unknown_fields_go_out_whole_however_little_is_taken_at_a_time() -> None:
    inner = Narrow(7)
    extras = ExtraFieldsTransport(inner)
    line = b'{"type":"hello","protocol":1}\n'
    offers = 1
    while extras.write_now(line) == 0:
        offers += 1
    assert offers > 5
    assert inner.sent.count(b"\n") == 1
    assert json.loads(inner.sent) == {
        "type": "hello",
        "protocol": 1,
        "x_unknown": {"a": [1, 2, {"b": None}]},
        "x_later": "é",
    }


def test_closed_line_stays_closed() -> None:
    assert ExtraFieldsTransport(Narrow(0)).write_now(b"{}\n") == -1


@pytest.mark.trio
async def test_a_bot_cannot_tell_its_trial_from_a_game(tmp_path: Path) -> None:
    """Nothing in `newgame` is the same in every trial, and the others are called as some of the roster are."""
    bot = find_bot(little_bot(tmp_path, "bot", newgame="open('newgame', 'a').write(line)"))
    with prepare("off") as isolation:
        for game in range(8):
            checker = Checker(bot, isolation, TimeControl(), lambda _: None, short=True)
            assert (await checker.trial_game(make_options(3), f"t01-1-d00{game}-s1", f"seed {game}", ROSTER)).ok
    told = [json.loads(line) for line in (tmp_path / "bot" / "newgame").read_text().splitlines()]
    assert len({message["game"] for message in told}) == len({message["random"] for message in told}) == 8
    assert len({message["seat"] for message in told}) > 1
    assert all(message["seats"][message["seat"]] == "bot" for message in told)
    assert all(set(message["seats"]) <= set(ROSTER) and len(set(message["seats"])) == 3 for message in told)


@pytest.mark.trio
async def test_a_bot_that_does_not_die_fails_its_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """P10: it would fail its next game; its author hears of it before the tournament."""
    monkeypatch.setattr(terminating, "TERMINATION_SECONDS", 0.05)
    monkeypatch.setattr(BotProcess, "is_gone", property(lambda process: False))
    bot = find_bot(little_bot(tmp_path, "bot"))
    with prepare("off") as isolation:
        checker = Checker(bot, isolation, TimeControl(), lambda _: None, short=True)
        finding = await checker.trial_game(make_options(2), "t01-1-d001-s1", "seed")
    assert (finding.ok, finding.name) == (False, "end")
    assert "its processes were still running" in finding.came

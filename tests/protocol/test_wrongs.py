"""PROTOCOL.md's last table, row by row: a scripted bot does it at the real table, and gets the verdict of the page."""

from __future__ import annotations

import re

import msgspec
import pytest
import trio
from protocol_page import between, code, page, rows
from trio.testing import MockClock
from wrong_scripts import ELSEWHERE, FORGIVEN, WRONGS, Run

from peloarena.protocol import FAULTS
from peloarena.referee.record_verification import verify_record
from peloarena.referee.time_control import TimeControl
from peloarena.testing.scripted import DULL, ScriptedBot, play_games, play_scripted

pytestmark = pytest.mark.trio
TABLE = {row[0]: row for row in rows(between(page("PROTOCOL.md"), "wrongs")) if not row[0].startswith("**")}
CASES = [(number, run) for number, runs in WRONGS.items() for run in runs]
LONGEST_REASON = 1000


def verdict_of(number: str) -> str:
    cell = TABLE[number][2]
    return code(cell)[0] if "`" in cell else ""


async def test_every_row_has_a_test_and_every_verdict_a_row() -> None:
    assert set(TABLE) == set(WRONGS) | set(ELSEWHERE)
    assert {verdict_of(number) for number in TABLE} == {"", *FAULTS} - {"forfeit"}, "a forfeit is no bot's doing"


@pytest.mark.parametrize(("number", "run"), CASES, ids=[f"{number}-{i}" for i, (number, _) in enumerate(CASES)])
async def test_the_verdict_is_the_pages(number: str, run: Run, autojump_clock: MockClock) -> None:
    """A table of three, so that the others finish a real game; seat 1 is asked first."""
    faults = 1 if number in FORGIVEN else 0
    report = await play_scripted(run, DULL, DULL, faults=faults, clock=TimeControl(30.0, 0.0, 60.0))
    found = [v for v in report.verdicts if not v.forgiven]
    assert [v.fault for v in found] == ([verdict_of(number)] if verdict_of(number) else [])
    assert all(v.seat == 0 for v in report.verdicts)
    assert all(0 < len(v.reason) <= LONGEST_REASON for v in report.verdicts)
    assert report.outcome.finished, "the others finish"
    assert report.outcome.out == (bool(found), False, False)
    verify_record(report.record)
    assert trio.current_time() < 300, "nothing hangs"


async def test_a_flood_is_judged_at_once(autojump_clock: MockClock) -> None:
    await play_scripted(WRONGS["L9"][0], DULL)
    assert trio.current_time() < 0.1


async def test_an_extra_answer_at_the_end_is_found_in_the_next_game(autojump_clock: MockClock) -> None:
    """T5: how many questions it will be asked, it knows from a game before."""

    async def talks_on(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        for _ in range(questions):
            question = await bot.hear()
            await bot.answer(question)
        await bot.answer(question)
        await bot.play_on()

    bots = [ScriptedBot(DULL), ScriptedBot(DULL)]
    await play_scripted(bots=bots)
    questions = sum(message["type"] == "decide" for message in bots[0].heard)
    first, second = await play_games(2, talks_on, DULL)
    assert first.verdicts == ()
    assert [(v.seat, v.fault) for v in second.verdicts] == [(0, "no handshake")]


async def test_the_author_gets_what_was_said(autojump_clock: MockClock) -> None:
    report = await play_scripted(WRONGS["M6"][0], DULL)
    evidence = report.evidence[0]
    assert '"type":"decide"' in evidence.request
    assert "confidence" in evidence.answer
    assert "unknown field `confidence`" in report.verdicts[0].reason


async def test_a_half_line_is_shown_to_the_author(autojump_clock: MockClock) -> None:
    report = await play_scripted(WRONGS["L10"][0], DULL)
    assert re.fullmatch(r'\{"type":"answer","id":\d+', report.evidence[0].answer)


async def test_a_harmless_line_is_never_lost_from_the_record(autojump_clock: MockClock) -> None:
    """M16: the note is kept as it was said; showing it harmlessly is for those who show it."""
    report = await play_scripted(WRONGS["M16"][0], DULL)
    notes = [line.get("note") for line in map(msgspec.json.decode, report.record.splitlines())]
    assert "\x1b[31m\u202e<script>alert(1)</script>\0" in notes

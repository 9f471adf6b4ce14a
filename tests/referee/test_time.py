"""Time, under a clock that jumps: what is late and what is not, to the millisecond; banks, limits, blocked pipes."""

from functools import partial

import msgspec
import pytest
import trio
from trio.testing import MockClock

from peloarena.referee.job import GameReport
from peloarena.referee.record import DecisionLine
from peloarena.referee.record_verification import read_lines, verify_record
from peloarena.referee.time_control import TimeControl
from peloarena.testing.scripted import DULL, After, Script, ScriptedBot, after, play_games, play_scripted

pytestmark = pytest.mark.trio
GRACE = 0.05
MILLISECOND = 0.001


async def first_seat(script: Script, control: TimeControl, faults: int = 0) -> GameReport:
    """A game of this script against a dull bot; its record holds."""
    report = await play_scripted(script, DULL, clock=control, faults=faults)
    verify_record(report.record)
    return report


def faults_of(report: GameReport) -> list[tuple[int, str, bool]]:
    return [(v.seat, v.fault, v.forgiven) for v in report.verdicts]


def banks(report: GameReport, seat: int) -> list[float]:
    """What the record says was left after each of a seat's own answers."""
    lines = [msgspec.json.decode(line) for line in report.record.splitlines()]
    return [line["timing"]["bank"] for line in lines if line.get("seat") == seat and "timing" in line]


async def test_an_answer_on_time_by_a_millisecond_counts(autojump_clock: MockClock) -> None:
    report = await first_seat([after(1.0 + GRACE - MILLISECOND)], TimeControl(1.0, 0.0))
    assert report.verdicts == ()


async def test_an_answer_late_by_a_millisecond_is_late(autojump_clock: MockClock) -> None:
    report = await first_seat([after(1.0 + GRACE + MILLISECOND)], TimeControl(1.0, 0.0))
    assert faults_of(report) == [(0, "late", False)]
    assert report.verdicts[0].reason == "no answer within 1 s (its clock)"
    assert report.outcome.ranks == (2, 1)
    assert report.outcome.scores == (None, None), "a game with one seat left is not played to its end"


async def test_the_verdict_falls_at_the_deadline_and_no_later(autojump_clock: MockClock) -> None:
    await first_seat([after(3600)], TimeControl(1.0, 0.0))
    assert trio.current_time() <= 1.0 + GRACE + MILLISECOND


async def test_the_time_of_a_late_answer_is_counted(autojump_clock: MockClock) -> None:
    """The final table must not say 0.00 s of a bot that hung."""
    report = await first_seat([after(0.25), after(3600)], TimeControl(1.0, 0.0))
    assert report.stats[0].decisions == 2
    assert report.stats[0].seconds == pytest.approx(1.0 + GRACE, abs=2 * MILLISECOND)
    assert report.stats[0].slowest == pytest.approx(0.75 + GRACE, abs=2 * MILLISECOND)


async def test_the_bank_runs_out_over_several_answers(autojump_clock: MockClock) -> None:
    """Bank = max(0, bank − used) + increment. Three answers of 0.4 s do not fit into a second."""
    report = await first_seat([after(0.4), after(0.4), after(0.4)], TimeControl(1.0, 0.0))
    assert faults_of(report) == [(0, "late", False)]
    assert banks(report, 0) == [0.6, 0.2]
    assert "within 0.2 s" in report.verdicts[0].reason


async def test_the_increment_comes_after_each_answer(autojump_clock: MockClock) -> None:
    report = await first_seat([after(0.4), after(0.4), after(0.4)], TimeControl(1.0, 0.3))
    assert report.verdicts == ()
    assert banks(report, 0)[:4] == [0.9, 0.8, 0.7, 1.0]


async def test_grace_is_forgiven_not_given(autojump_clock: MockClock) -> None:
    """Who overruns the bank within the grace has an empty bank, not a negative one."""
    report = await first_seat([after(1.03), after(GRACE + MILLISECOND)], TimeControl(1.0, 0.0))
    assert faults_of(report) == [(0, "late", False)]
    assert banks(report, 0) == [0.0]


async def test_the_limit_of_a_move_holds_whatever_the_bank(autojump_clock: MockClock) -> None:
    control = TimeControl(100.0, 0.0, 0.5)
    assert (await first_seat([after(0.5 + GRACE - MILLISECOND)], control)).verdicts == ()
    late = await first_seat([after(0.5 + GRACE + MILLISECOND)], control)
    assert late.verdicts[0].reason == "no answer within 0.5 s (limit of a move)"


async def test_a_bank_below_the_limit_of_a_move_is_what_counts(autojump_clock: MockClock) -> None:
    report = await first_seat([after(0.8), after(0.4)], TimeControl(1.0, 0.0, 0.9))
    assert "within 0.2 s (its clock)" in report.verdicts[0].reason


async def test_the_bank_is_told_with_every_question(autojump_clock: MockClock) -> None:
    bots = [ScriptedBot([after(0.25)]), ScriptedBot(DULL)]
    await play_scripted(clock=TimeControl(1.0, 0.5), bots=bots)
    told = [message["bank_ms"] for message in bots[0].heard if message["type"] == "decide"]
    assert told[:3] == [1000, 1250, 1750]


async def slow_hello(bot: ScriptedBot) -> None:
    await bot.hear()
    await trio.sleep(2.0 + MILLISECOND)
    await bot.say({"type": "hello", "name": "slow"})
    await bot.play_on()


async def slow_ready(bot: ScriptedBot) -> None:
    await bot.hear()
    await trio.sleep(2.0 - MILLISECOND)
    await bot.say({"type": "hello", "name": "slow"})
    await bot.hear()
    await trio.sleep(2.0 + MILLISECOND)
    await bot.say({"type": "ready"})
    await bot.play_on()


async def test_the_start_up_limit_is_for_hello(autojump_clock: MockClock) -> None:
    report = await first_seat(slow_hello, TimeControl(startup=2.0))
    assert faults_of(report) == [(0, "no handshake", False)]
    assert report.verdicts[0].reason == "no `hello` within 2 s"


async def test_the_start_up_limit_is_for_ready_again(autojump_clock: MockClock) -> None:
    report = await first_seat(slow_ready, TimeControl(startup=2.0))
    assert report.verdicts[0].reason == "no `ready` within 2 s"


def sits_down_after(seconds: list[float]) -> ScriptedBot:
    """Ready after so many seconds, game by game; then it plays the first move at once."""
    left = list(seconds)

    async def script(bot: ScriptedBot) -> None:
        await bot.hear()
        await bot.say({"type": "hello", "name": "scripted"})
        while True:
            message = await bot.hear()
            if message["type"] == "newgame":
                await trio.sleep(left.pop(0))
                await bot.say({"type": "ready"})
            elif message["type"] == "decide":
                await bot.answer(message)

    return ScriptedBot(script)


async def test_those_who_need_time_to_sit_down_do_so_at_once_in_every_game(autojump_clock: MockClock) -> None:
    """Those who were quick the last time go first, one by one; the time of each is its own."""
    bots = [sits_down_after([1.0, 2.0]), sits_down_after([0.0, 0.0]), sits_down_after([1.0, 2.0])]
    reports = await play_games(2, bots=bots)
    assert trio.current_time() == pytest.approx(3.0, abs=MILLISECOND)
    started = [[round(stats.startup, 3) for stats in report.stats] for report in reports]
    assert started == [[1.0, 0.0, 1.0], [2.0, 0.0, 2.0]]


async def test_one_who_was_quick_and_is_slow_now_has_its_time_all_the_same(autojump_clock: MockClock) -> None:
    reports = await play_games(3, bots=[sits_down_after([0.0, 9.9, 0.0]), sits_down_after([0.0, 9.9, 9.9])])
    assert [report.verdicts for report in reports] == [(), (), ()]
    assert trio.current_time() == pytest.approx(2 * 9.9 + 9.9, abs=MILLISECOND)


async def test_time_to_start_up_is_not_taken_from_the_bank(autojump_clock: MockClock) -> None:
    async def slow_to_start(bot: ScriptedBot) -> None:
        await bot.hear()
        await trio.sleep(1.9)
        await bot.say({"type": "hello", "name": "slow"})
        await bot.play_on()

    report = await first_seat(slow_to_start, TimeControl(0.5, 0.0, startup=2.0))
    assert report.verdicts == ()
    assert banks(report, 0)[0] == 0.5


async def sleepy(bot: ScriptedBot, seconds: float) -> None:
    """From the first question on its pipe takes only 100 bytes, and it does not read for a while."""
    await bot.hear()
    await bot.say({"type": "hello", "name": "sleepy"})
    await bot.hear()
    bot.room = 100
    await bot.say({"type": "ready"})
    await trio.sleep(seconds)
    await bot.play_on()


async def test_a_blocked_write_is_on_the_bots_clock(autojump_clock: MockClock) -> None:
    """The clock starts with the first blocked write: 0.7 s of not reading are charged, and fit."""
    report = await first_seat(partial(sleepy, seconds=0.7), TimeControl(1.0, 0.0))
    assert report.verdicts == ()
    assert banks(report, 0)[0] == 0.3


async def test_a_bot_that_does_not_read_is_late_at_the_deadline(autojump_clock: MockClock) -> None:
    report = await first_seat(partial(sleepy, seconds=3600), TimeControl(1.0, 0.0))
    assert faults_of(report) == [(0, "late", False)]
    assert trio.current_time() <= 1.0 + GRACE + MILLISECOND


async def test_a_bot_that_does_not_read_its_newgame_has_no_handshake(autojump_clock: MockClock) -> None:
    async def deaf(bot: ScriptedBot) -> None:
        await bot.hear()
        await bot.say({"type": "hello", "name": "deaf"})
        await trio.sleep_forever()

    report = await play_scripted(bots=[ScriptedBot(deaf, 200), ScriptedBot(DULL)], clock=TimeControl(startup=2.0))
    assert report.verdicts[0].reason == "no `ready` within 2 s"


async def test_a_line_cut_off_by_the_deadline_is_finished_before_the_next(autojump_clock: MockClock) -> None:
    """Forgiven, the bot must find whole lines: the rest of the old question, then the new one."""
    bots = [ScriptedBot(partial(sleepy, seconds=1.5)), ScriptedBot(DULL)]
    report = await play_scripted(clock=TimeControl(1.0, 1.0), faults=1, bots=bots)
    assert faults_of(report) == [(0, "late", True)]
    assert [m["type"] for m in bots[0].heard[2:5]] == ["decide"] * 3
    assert report.outcome.finished


async def test_a_late_answer_is_forgiven_then_dropped(autojump_clock: MockClock) -> None:
    """--faults 1: the caretaker plays, the bot plays on, the late answer is dropped and noted."""
    report = await first_seat([after(1.2), after(0.1, index=1)], TimeControl(1.0, 1.0), faults=1)
    assert faults_of(report) == [(0, "late", True)]
    assert report.outcome.finished
    mine = [msgspec.json.decode(line) for line in report.record.splitlines() if b'"seat":0,"kind"' in line[:60]]
    assert mine[0]["by"] == "caretaker"
    assert mine[1]["timing"]["dropped"] == 1
    assert "dropped" not in mine[2]["timing"]


async def test_a_second_late_answer_is_not_forgiven(autojump_clock: MockClock) -> None:
    report = await first_seat([after(1.2), after(3.0)], TimeControl(1.0, 1.0), faults=1)
    assert faults_of(report) == [(0, "late", True), (0, "late", False)]


async def test_a_late_answer_may_come_as_late_as_the_next_game(autojump_clock: MockClock) -> None:
    """The last answer of a game is late and forgiven; the bot says it before its `ready`. Ids begin anew: no mix-up."""

    async def dreams_at_the_end(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        decisions = 0
        while True:
            message = await bot.hear()
            if message["type"] == "decide":
                decisions += 1
                if decisions == own_decisions:
                    await trio.sleep(4.0)
                await bot.answer(message)
            elif message["type"] == "newgame":
                await bot.say({"type": "ready"})

    one = await first_seat(DULL, TimeControl(1.0, 1.0))
    lines = [line for _, line, _ in read_lines(one.record) if isinstance(line, DecisionLine)]
    own_decisions = len([line for line in lines if line.seat == 0])
    control = TimeControl(1.0, 0.0, 1.0, startup=10.0)
    reports = await play_games(2, dreams_at_the_end, DULL, clock=control, faults=1)
    assert faults_of(reports[0]) == [(0, "late", True)]
    assert reports[1].verdicts == ()


async def test_no_output_extends_the_deadline(autojump_clock: MockClock) -> None:
    """One byte at a time, each in time, the whole never."""

    async def drips(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        await bot.hear()
        while True:
            await bot.say(b" ")
            await trio.sleep(0.01)

    report = await first_seat(drips, TimeControl(1.0, 0.0))
    assert faults_of(report) == [(0, "late", False)]
    assert trio.current_time() < 1.1


async def test_an_answer_may_come_byte_by_byte(autojump_clock: MockClock) -> None:
    async def spells(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        question = await bot.hear()
        for byte in b'{"type":"answer","id":%d,"index":0}\n' % question["id"]:
            await bot.say(bytes([byte]))
            await trio.sleep(MILLISECOND)
        await bot.play_on()

    assert (await first_seat(spells, TimeControl(1.0, 0.0))).verdicts == ()


async def test_a_forgiven_illegal_answer_costs_its_time(autojump_clock: MockClock) -> None:
    script: list[After] = [after(0.5, index=-1), after(0.1)]
    report = await first_seat(script, TimeControl(1.0, 0.0), faults=1)
    assert faults_of(report) == [(0, "illegal", True)]
    assert banks(report, 0)[0] == 0.4

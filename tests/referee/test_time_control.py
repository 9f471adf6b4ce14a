"""Time control: how it is written, and what a bank does. No streams, no clock on the wall."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from peloarena.game import ConfigError
from peloarena.protocol.messages import TimeLimits
from peloarena.referee.game_clock import Clock
from peloarena.referee.time_control import TimeControl, parse_time


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("30s+0.5s/5s", TimeControl(30.0, 0.5, 5.0)),
        ("30s+0.5s", TimeControl(30.0, 0.5)),
        ("30s", TimeControl(30.0, 0.0)),
        ("30s/5s", TimeControl(30.0, 0.0, 5.0)),
        ("500ms+10ms/100ms", TimeControl(0.5, 0.01, 0.1)),
        ("2m", TimeControl(120.0, 0.0)),
        ("1.5m + 2s / .5s", TimeControl(90.0, 2.0, 0.5)),
        ("0s+1s", TimeControl(0.0, 1.0)),
        ("30s@1m", TimeControl(30.0, 0.0, startup=60.0)),
        ("30s+0.5s/5s@20s", TimeControl(30.0, 0.5, 5.0, startup=20.0)),
    ],
)
def test_a_time_is_bank_increment_and_limit(text: str, control: TimeControl) -> None:
    assert parse_time(text) == control


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "write bank+increment/move@start, for example 30s+0.5s/5s"),
        ("30", "write bank+increment/move"),
        ("30s+", "write bank+increment/move"),
        ("5s/", "write bank+increment/move"),
        ("/5s", "write bank+increment/move"),
        ("-5s", "write bank+increment/move"),
        ("30h", "write bank+increment/move"),
        ("1e3s", "write bank+increment/move"),
        ("5s/1s+1s", "write bank+increment/move"),
        ("nans", "write bank+increment/move"),
        ("1.2.3s", "'1.2.3s' is not a number"),
        ("..s", "'..s' is not a number"),
        ("0s", "leaves no time to answer"),
        ("0s+0s", "leaves no time to answer"),
        ("30s/0s", "leaves no time to answer"),
        ("90000s", "more than a day"),
        ("30s@", "write bank+increment/move"),
        ("30s@0s", "the start time must be more than 0 and at most 600 s"),
        ("30s@601s", "at most 600 s"),
        ("9" * 400 + "s", "more than a day"),
    ],
)
def test_what_is_no_time_is_refused_with_an_example(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_time(text)
    assert words in str(caught.value)
    assert repr(text) in str(caught.value)


@given(st.text(alphabet="0123456789.+/@ msx-", max_size=20))
def test_any_text_is_a_time_or_the_users_mistake(text: str) -> None:
    try:
        control = parse_time(text)
    except ConfigError:
        return
    assert control.bank + control.increment > 0


def test_a_time_is_written_as_it_is_read() -> None:
    for text in ("30s+0.5s/5s", "30s+0.5s", "0.5s+0.01s/0.1s", "30s+0.5s@20s", "1s+0s/1s@60s"):
        assert parse_time(text).text() == text


def test_whole_seconds_are_written_as_a_record_reads_them() -> None:
    control = TimeControl(60, 1, 5, 20)
    assert msgspec.json.encode(control) == b'{"bank":60.0,"increment":1.0,"move":5.0,"startup":20.0}'
    assert msgspec.json.encode(msgspec.json.decode(b'{"bank":60}', type=TimeControl)) == b'{"bank":60.0}'


def test_bots_are_told_in_milliseconds() -> None:
    assert parse_time("30s+0.5s/5s").limits() == TimeLimits(30_000, 500, 5_000)
    assert parse_time("1m").limits() == TimeLimits(60_000, 0, None)


def test_the_bank_is_what_is_left_and_the_increment() -> None:
    clock = Clock(TimeControl(10.0, 2.0))
    clock.charge(3.0)
    assert clock.bank == 9.0
    clock.charge(9.03)
    assert clock.bank == 2.0, "max(0, bank − used) + increment"


def test_the_smaller_of_bank_and_limit_is_allowed() -> None:
    clock = Clock(TimeControl(3.0, 0.0, 2.0))
    assert clock.allowance() == 2.0
    clock.charge(1.5)
    assert clock.allowance() == 1.5


@given(used=st.floats(0, 40), increment=st.sampled_from([0.0, 0.1, 0.033]))
def test_bank_is_what_the_record_tells_of_it(used: float, increment: float) -> None:
    """Then the milliseconds that a bot was told can be told again from its record."""
    clock = Clock(TimeControl(30.0, increment))
    clock.charge(used)
    assert clock.bank == round(clock.bank, 6)

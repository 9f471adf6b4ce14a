"""Any bytes give a message or a BotError, never anything else. Any move a bot may write gets words."""

import contextlib
import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from peloarena.game import Game, make_options
from peloarena.game.kinds import Move, tag_of
from peloarena.game.registry import MOVES
from peloarena.protocol import BotError
from peloarena.protocol.codec import PLAIN_ANSWER_PATTERN, decode, encode, parse_move
from peloarena.protocol.excerpt_lengths import REASON_LENGTH
from peloarena.protocol.messages import Answer, BotHello, Hello, Quit, Ready
from peloarena.referee.seat_messages import newgame_message
from peloarena.referee.time_control import TimeControl

SEEDS = [
    b'{"type":"answer","id":1,"index":0}',
    b'{"type":"answer","id":1,"move":{"type":"bid","tile":"A01","coins":3},"note":"x"}',
    b'{"type":"hello","name":"x","version":"1","wants":"both"}',
    b'{"type":"ready"}',
]


def refused(line: bytes) -> BotError:
    with pytest.raises(BotError) as caught:
        decode(line)
    assert caught.value.fault == "malformed"
    return caught.value


def test_messages_of_bots_decode() -> None:
    assert [decode(line) for line in SEEDS] == [
        Answer(1, 0),
        Answer(1, UNSET, {"type": "bid", "tile": "A01", "coins": 3}, "x"),
        BotHello("x", "1", "both"),
        Ready(),
    ]


def test_messages_to_bots_are_single_lines() -> None:
    assert encode(Hello(1, "line\nfeed")) == b'{"type":"hello","protocol":1,"referee":"line\\nfeed"}\n'
    assert encode(Quit()) == b'{"type":"quit"}\n'


@given(st.binary(max_size=300))
def test_any_bytes_give_a_message_or_a_boterror(line: bytes) -> None:
    with contextlib.suppress(BotError):
        decode(line)


@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 90), st.binary(max_size=3)), max_size=4))
def test_damaged_messages_give_a_message_or_a_boterror(line: bytes, damage: list[tuple[int, bytes]]) -> None:
    for place, more in damage:
        line = line[:place] + more + line[place + 1 :]
    with contextlib.suppress(BotError):
        message = decode(line)
        if isinstance(message, Answer) and isinstance(message.move, dict):
            parse_move(message.move)


def test_the_shortcut_for_plain_answers_lets_no_duplicate_through() -> None:
    assert PLAIN_ANSWER_PATTERN.fullmatch(SEEDS[0])
    assert PLAIN_ANSWER_PATTERN.fullmatch(b'{"type": "answer", "id": 12, "index": 3}\r')
    assert not PLAIN_ANSWER_PATTERN.fullmatch(b'{"type":"answer","id":1,"index":0,"index":1}')
    assert "duplicate key 'index'" in refused(b'{"type":"answer","id":1,"index":0,"index":1}').reason
    assert "duplicate key 'index'" in refused(b'{"type":"answer","id":1,"index":0,"\\u0069ndex":1}').reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"type":"answer","id":1,"indx":0}', "unknown field `indx`"),
        (b'{"type":"answer","id":1,"index":1.5}', "Expected `int`, got `float` - at `$.index`"),
        (b'{"type":"resign"}', "Invalid value 'resign' - at `$.type`"),
        (b'{"type":"answer","id":1}', "either `index` or `move`"),
        (b"\xff", "JSON is malformed"),
    ],
)
def test_the_sentence_keeps_the_path(line: bytes, reason: str) -> None:
    assert reason in refused(line).reason


def test_a_refused_line_is_shown_harmlessly_and_not_in_full() -> None:
    reason = refused(b'{"\x1b[31m' + b"x" * 1000).reason
    assert "\x1b" not in reason
    assert len(reason) < 300


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"type": "castle"}, "$.move.type: no move is called 'castle'"),
        ({}, "$.move.type: no move is called 'None'"),
        ({"type": "pass", "why": 1}, "$.move: unknown field 'why' in a 'pass' move"),
        ({"type": "bid", "tile": "A01"}, "Object missing required field `coins` - at `$.move`"),
        ({"type": "bid", "tile": 1, "coins": 1}, "Expected `str`, got `int` - at `$.move.tile`"),
    ],
)
def test_what_is_no_move_is_malformed(fields: dict[str, str | int | float | bool | None], reason: str) -> None:
    with pytest.raises(BotError) as caught:
        parse_move(fields)
    assert (caught.value.fault, caught.value.reason) == ("malformed", reason)


@pytest.mark.parametrize("kind", MOVES, ids=tag_of)
@pytest.mark.parametrize("number", [-1, 0, 99, 10**30])
def test_every_odd_move_is_refused_with_words(kind: type[Move], number: int) -> None:
    game = Game(make_options(3, ("goats", "heroes-and-colonies", "negotiation")), "friday-1")
    assert game.decision is not None
    hints = msgspec.inspect.type_info(kind)
    assert isinstance(hints, msgspec.inspect.StructType)
    ints = {f.name for f in hints.fields if isinstance(f.type, msgspec.inspect.IntType)}
    fields: dict[str, str | int | float | bool | None] = {
        f.name: number if f.name in ints else "no such thing" for f in hints.fields
    }
    move = parse_move({"type": tag_of(kind), **fields})
    if move not in game.decision.legal:
        assert game.refusal_text(game.decision, move)


def test_a_sentence_has_an_end() -> None:
    assert len(BotError("illegal", "x" * 64_000).reason) <= REASON_LENGTH + 4


def test_an_answer_with_thousands_of_keys_does_not_hold_the_referee() -> None:
    keys = b",".join(b'"%d":1' % number for number in range(7000))
    before = time.process_time()
    decode(b'{"type":"answer","id":1,"move":{' + keys + b"}}")
    assert time.process_time() - before < 0.5


def test_a_catalogue_that_was_written_before_is_not_taken_for_another() -> None:
    """It is encoded once for all seats and games that are told the same."""
    for modules in [(), ("hellas",), ()]:
        message = newgame_message(Game(make_options(2, modules), "told"), 0, ["a", "b"], TimeControl(), 0)
        assert encode(message) == msgspec.json.encode(message) + b"\n"

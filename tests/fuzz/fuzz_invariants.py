"""Any bytes, whole or byte by byte, give a value or our own error (BotError, RecordError, ConfigError): never another.

Each function takes bytes and raises anything else only where the invariant is broken. For hypothesis and for atheris.
"""

from collections.abc import Iterator

from peloarena.game import ConfigError, Game, make_options
from peloarena.protocol import BotError, Dialogue, LineBuffer
from peloarena.protocol.codec import decode, parse_move
from peloarena.protocol.messages import Answer, BotHello, Decide, Hello, NewGame, Ready, TableOptions, TimeLimits
from peloarena.referee.bot_finder import parse_manifest
from peloarena.referee.record_verification import RecordError, read_lines, verify_record
from peloarena.referee.time_control import parse_time
from peloarena.tournament.config import parse_config

GAME = Game(make_options(2), "fuzz")
DECISION = GAME.decision
assert DECISION is not None
HELLO = Hello(1, "fuzz")
NEWGAME = NewGame("fuzz", 0, ("a", "b"), TableOptions(2, (), 0, 8, 5), TimeLimits(1000, 0), 1, GAME.rules.catalogue)
DECIDE = Decide(1, DECISION.kind, DECISION.legal, 1000)
OPENINGS = (
    (HELLO,),
    (HELLO, b'{"type":"hello","name":"x"}', NEWGAME),
    (HELLO, b'{"type":"hello","name":"x"}', NEWGAME, b'{"type":"ready"}', DECIDE),
)
"""What was said before the bytes come: the three moments at which a bot may speak."""


def dialogue_at(moment: int) -> Dialogue:
    dialogue = Dialogue()
    for said in OPENINGS[moment]:
        if isinstance(said, bytes):
            dialogue.receive(said)
        else:
            dialogue.send(said)
    return dialogue


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def outcome(data: bytes, moment: int, size: int) -> list[object]:
    """What a bot's bytes come to, arriving in pieces of this size: messages, then perhaps a fault."""
    dialogue, buffer = dialogue_at(moment), LineBuffer()
    found: list[object] = []
    try:
        for piece in pieces(data, size):
            buffer.feed(piece)
            while (line := buffer.next_line()) is not None:
                message = dialogue.receive(line)
                assert isinstance(message, BotHello | Ready | Answer)
                if isinstance(message, Answer) and isinstance(message.move, dict):
                    parse_move(message.move)
                found.append(message)
    except BotError as error:
        found.append((error.fault, error.reason))
    return found


def check_dialogue(data: bytes) -> None:
    """The same outcome however the bytes are cut. (A flood is noticed a piece earlier or later.)"""
    for moment in range(len(OPENINGS)):
        whole = outcome(data, moment, 1 << 16)
        if len(data) < LineBuffer().limit:
            for size in (1, 7):
                assert outcome(data, moment, size) == whole
    check_line(data)


def check_line(data: bytes) -> None:
    try:
        message = decode(data)
        if isinstance(message, Answer) and isinstance(message.move, dict):
            parse_move(message.move)
    except BotError as error:
        error.reason.encode()


def check_record(data: bytes) -> None:
    for reader in (verify_record, lambda given: list(read_lines(given))):
        try:
            reader(data)
        except RecordError as error:
            str(error).encode()


def check_toml(data: bytes) -> None:
    """What people write: a bot's file, a tournament's, a clock."""
    readers = (
        lambda: parse_manifest(data, "fuzz"),
        lambda: parse_config(data.decode(), "fuzz"),
        lambda: parse_time(data.decode()),
    )
    for reader in readers:
        try:
            reader()
        except (ConfigError, UnicodeDecodeError) as error:
            str(error).encode()


def check_components(data: bytes) -> None:
    """The overrides of components, which a record may carry, too."""
    try:
        Game(make_options(2, components=data.decode()), "fuzz")
    except (ConfigError, UnicodeDecodeError) as error:
        str(error).encode()

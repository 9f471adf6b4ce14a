"""The dialogue with one bot as a table of states, in the manner of h11. No I/O: messages and lines only.

Two rules. (1) Only the tables below decide who may speak. (2) A message out of turn never has an effect.
"""

from __future__ import annotations

from enum import Enum, IntEnum, auto

from . import codec
from .errors import BotError
from .messages import Answer, BotHello, Decide, FromBot, GameOver, Hello, NewGame, Quit, Ready, ToBot


class Phase(IntEnum):
    """Numbers: each decision looks up the tables below three times, and any other Enum is hashed by a Python
    function."""

    START = auto()
    GREETING = auto()
    """`hello` sent, the bot's `hello` awaited."""
    IDLE = auto()
    """Between games."""
    SEATED = auto()
    """`newgame` sent, `ready` awaited."""
    PLAYING = auto()
    ASKED = auto()
    """`decide` sent, the `answer` awaited."""
    CLOSED = auto()
    """`quit` was sent."""
    OUT = auto()
    """The bot is out. Nothing more is sent, and its output is ignored."""


class Act(Enum):
    """What the referee does without a message to the bot."""

    OVERRULE = "forgiven"
    """The caretaker answers the open question, and the bot plays on."""
    DROP_OUT = "out"


SENDS: dict[tuple[Phase, type], Phase] = {
    (Phase.START, Hello): Phase.GREETING,
    (Phase.IDLE, NewGame): Phase.SEATED,
    (Phase.PLAYING, Decide): Phase.ASKED,
    (Phase.PLAYING, GameOver): Phase.IDLE,
    (Phase.IDLE, Quit): Phase.CLOSED,
}
RECEIVES: dict[tuple[Phase, type], Phase] = {
    (Phase.GREETING, BotHello): Phase.IDLE,
    (Phase.SEATED, Ready): Phase.PLAYING,
    (Phase.ASKED, Answer): Phase.PLAYING,
}
ACTS: dict[tuple[Phase, Act], Phase] = {
    (Phase.ASKED, Act.OVERRULE): Phase.PLAYING,
    **{(phase, Act.DROP_OUT): Phase.OUT for phase in Phase},
}
AWAITING = frozenset(phase for phase, _ in RECEIVES)
"""The phases in which the bot must send a message."""
AWAITED = {
    Phase.START: "nothing: it was not greeted yet",
    Phase.GREETING: "its `hello`",
    Phase.IDLE: "nothing: no game is on",
    Phase.SEATED: "`ready`",
    Phase.PLAYING: "nothing: no question is open",
    Phase.ASKED: "an `answer`",
    Phase.CLOSED: "nothing: it was told to quit",
    Phase.OUT: "nothing: it is out",
}


class Dialogue:
    """The dialogue so far, as far as it matters."""

    def __init__(self) -> None:
        self.phase = Phase.START
        self.question = 0
        """The id of the last `decide`."""
        self.overruled: set[int] = set()
        """Questions whose answer was late and forgiven: dropped when it comes, before the next `ready` at latest."""

    @property
    def awaiting(self) -> bool:
        """Whether a message from the bot is awaited."""
        return self.phase in AWAITING

    def may_send(self, kind: type[ToBot]) -> bool:
        return (self.phase, kind) in SENDS

    def send(self, message: ToBot) -> bytes:
        """The line to write; a message out of turn is the referee's own mistake."""
        following = SENDS.get((self.phase, type(message)))
        if following is None:
            raise AssertionError(f"the referee may not send {type(message).__name__} in {self.phase.name}")
        self.phase = following
        if isinstance(message, Decide):
            self.question = message.id
        return codec.encode(message)

    def receive(self, line: bytes) -> FromBot | None:
        """The message of a line; None for a late answer that is dropped; BotError for anything out of turn."""
        message = codec.decode(line)
        # Before looking at the table: the bot may be answering the forgiven question while the next one is open.
        if isinstance(message, Answer) and message.id in self.overruled:
            self.overruled.discard(message.id)
            return None
        following = RECEIVES.get((self.phase, type(message)))
        if following is None:
            said = type(message).__struct_config__.tag
            raise BotError("malformed", f"it sent `{said}` out of turn; expected was {AWAITED[self.phase]}")
        if isinstance(message, Answer) and message.id != self.question:
            raise BotError("malformed", f"an answer to question {message.id}; question {self.question} is open")
        if isinstance(message, Ready):
            self.overruled.clear()
        self.phase = following
        return message

    def overrule(self) -> None:
        """The caretaker answers the open question; the bot's answer is dropped when it comes."""
        self._act(Act.OVERRULE)
        self.overruled.add(self.question)

    def drop_out(self) -> None:
        """Nothing more is sent."""
        self._act(Act.DROP_OUT)

    def _act(self, act: Act) -> None:
        following = ACTS.get((self.phase, act))
        if following is None:
            raise AssertionError(f"the referee may not {act.name} in {self.phase.name}")
        self.phase = following

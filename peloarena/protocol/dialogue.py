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


class RefereeAct(Enum):
    """What the referee does without a message to the bot."""

    OVERRULE = "forgiven"
    """The caretaker answers the open question, and the bot plays on."""
    DROP_OUT = "out"


SEND_TRANSITIONS: dict[tuple[Phase, type], Phase] = {
    (Phase.START, Hello): Phase.GREETING,
    (Phase.IDLE, NewGame): Phase.SEATED,
    (Phase.PLAYING, Decide): Phase.ASKED,
    (Phase.PLAYING, GameOver): Phase.IDLE,
    (Phase.IDLE, Quit): Phase.CLOSED,
}
RECEIVE_TRANSITIONS: dict[tuple[Phase, type], Phase] = {
    (Phase.GREETING, BotHello): Phase.IDLE,
    (Phase.SEATED, Ready): Phase.PLAYING,
    (Phase.ASKED, Answer): Phase.PLAYING,
}
ACT_TRANSITIONS: dict[tuple[Phase, RefereeAct], Phase] = {
    (Phase.ASKED, RefereeAct.OVERRULE): Phase.PLAYING,
    **{(phase, RefereeAct.DROP_OUT): Phase.OUT for phase in Phase},
}
AWAITING_PHASES = frozenset(phase for phase, _ in RECEIVE_TRANSITIONS)
"""The phases in which the bot must send a message."""
EXPECTED_MESSAGE_TEXT = {
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
        self.question_id = 0
        """The id of the last `decide`."""
        self.overruled_ids: set[int] = set()
        """Questions whose answer was late and forgiven: dropped when it comes, before the next `ready` at latest."""

    @property
    def is_awaiting_message(self) -> bool:
        """Whether a message from the bot is awaited."""
        return self.phase in AWAITING_PHASES

    def may_send(self, kind: type[ToBot]) -> bool:
        return (self.phase, kind) in SEND_TRANSITIONS

    def send(self, message: ToBot) -> bytes:
        """The line to write; a message out of turn is the referee's own mistake."""
        following = SEND_TRANSITIONS.get((self.phase, type(message)))
        if following is None:
            raise AssertionError(f"the referee may not send {type(message).__name__} in {self.phase.name}")
        self.phase = following
        if isinstance(message, Decide):
            self.question_id = message.id
        return codec.encode(message)

    def receive(self, line: bytes) -> FromBot | None:
        """The message of a line; None for a late answer that is dropped; BotError for anything out of turn."""
        message = codec.decode(line)
        # Before looking at the table: the bot may be answering the forgiven question while the next one is open.
        if isinstance(message, Answer) and message.id in self.overruled_ids:
            self.overruled_ids.discard(message.id)
            return None
        following = RECEIVE_TRANSITIONS.get((self.phase, type(message)))
        if following is None:
            tag = type(message).__struct_config__.tag
            raise BotError(
                "malformed", f"it sent `{tag}` out of turn; expected was {EXPECTED_MESSAGE_TEXT[self.phase]}"
            )
        if isinstance(message, Answer) and message.id != self.question_id:
            raise BotError("malformed", f"an answer to question {message.id}; question {self.question_id} is open")
        if isinstance(message, Ready):
            self.overruled_ids.clear()
        self.phase = following
        return message

    def overrule(self) -> None:
        """The caretaker answers the open question; the bot's answer is dropped when it comes."""
        self._apply_act(RefereeAct.OVERRULE)
        self.overruled_ids.add(self.question_id)

    def drop_out(self) -> None:
        """Nothing more is sent."""
        self._apply_act(RefereeAct.DROP_OUT)

    def _apply_act(self, act: RefereeAct) -> None:
        following = ACT_TRANSITIONS.get((self.phase, act))
        if following is None:
            raise AssertionError(f"the referee may not {act.name} in {self.phase.name}")
        self.phase = following

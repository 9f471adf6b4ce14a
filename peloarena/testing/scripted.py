"""ScriptedBot: a bot that is a script, on memory in place of pipes, for tests under Trio's mock clock.

A script is an async function that hears and says, or a list of replies to the questions, with delays:

    async def rude(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        await bot.hear()
        await bot.say(b"your move!")

    report = await play_scripted(rude, [after(0.2), after(0.1, index=1)])

When a script ends, so does its bot: both its streams are closed. `await bot.listen()` goes on for ever.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence

import trio
from msgspec import Struct

from ..botkit import Message as Message
from ..game import GameOptions, make_options
from ..referee.game_table import GameTable
from ..referee.job import GameJob, GameReport, SeatJob
from ..referee.link_player import LinkPlayer, greet_all
from ..referee.record import SeatInfo
from ..referee.time_control import TimeControl

PIPE = 64 * 1024
"""What a pipe of Linux takes before it blocks."""
LAST_TURNS = 5
"""For every bot's task after the last game, so that it receives the end. Not until all are blocked: some never are."""


class After(Struct, frozen=True):
    """A reply to a question after some seconds: these fields, or exactly these bytes."""

    seconds: float
    content: Message | bytes


def after(seconds: float, raw: bytes | None = None, **fields: object) -> After:
    """`after(0.2)` answers with index 0; `after(0.2, index=3)`; `after(0.2, b"nonsense\\n")`."""
    return After(seconds, raw if raw is not None else fields or {"index": 0})


class ScriptedBot:
    """A Transport for the referee; `hear` and `say` for the script. `room` is how much the bot's input holds."""

    def __init__(self, script: Script, room: int = PIPE) -> None:
        self.script = script if callable(script) else replies(script)
        self.room = room
        self.heard: list[Message] = []
        """Every message that the script has received."""
        self._input = bytearray()
        """In the pipe."""
        self._unparsed = bytearray()
        """Out of the pipe, not yet a whole line."""
        self._output = bytearray()
        self._input_closed = self._output_closed = False
        self._streams_changed = trio.lowlevel.ParkingLot()

    async def run(self) -> None:
        """Runs concurrently with the referee, in the test's nursery."""
        await self.script(self)
        self.close_input()
        self.close_output()

    # ---- the script's side

    async def hear(self) -> Message:
        """The next message from the referee."""
        while b"\n" not in self._unparsed:
            if not self._input:
                await self._streams_changed.park()
            self._unparsed += self._input
            self._input.clear()
            self.wake()
        line, _, rest = bytes(self._unparsed).partition(b"\n")
        self._unparsed[:] = rest
        message: Message = json.loads(line)
        self.heard.append(message)
        return message

    async def say(self, content: Message | bytes) -> None:
        """Sends a message as a line of its own; or bytes as they are."""
        self._output += content if isinstance(content, bytes) else line_of(content)
        self.wake()
        await trio.lowlevel.checkpoint()

    async def shake_hands(self, **hello: object) -> None:
        """`hello`, and `ready` for the first game."""
        await self.hear()
        await self.say({"type": "hello", "name": "scripted", **hello})
        await self.hear()
        await self.say({"type": "ready"})

    async def answer(self, question: Message, **fields: object) -> None:
        await self.say({"type": "answer", "id": question["id"], **(fields or {"index": 0})})

    async def listen(self) -> None:
        """Reads everything, says nothing more."""
        while True:
            await self.hear()

    async def play_on(self) -> None:
        """Plays like the simplest bot: the first move, at once, for as long as the referee asks."""
        while True:
            message = await self.hear()
            if message["type"] == "newgame":
                await self.say({"type": "ready"})
            elif message["type"] == "decide":
                await self.answer(message)
            elif message["type"] == "quit":
                return

    def close_input(self) -> None:
        self._input_closed = True
        self.wake()

    def close_output(self) -> None:
        self._output_closed = True
        self.wake()

    # ---- the referee's side

    def write_now(self, data: bytes) -> int:
        if self._input_closed:
            return -1
        sent = min(len(data), self.room - len(self._input))
        self._input += data[:sent]
        self.wake()
        return sent

    def read_now(self, patience: float) -> bytes | None:
        """Never waits: the mock clock does not advance meanwhile."""
        if self._output:
            data = bytes(self._output)
            self._output.clear()
            return data
        return b"" if self._output_closed else None

    async def wait_writable(self) -> None:
        await trio.lowlevel.checkpoint()
        while len(self._input) >= self.room and not self._input_closed:
            await self._streams_changed.park()

    async def wait_readable(self) -> None:
        await trio.lowlevel.checkpoint()
        while not self._output and not self._output_closed:
            await self._streams_changed.park()

    def wake(self) -> None:
        self._streams_changed.unpark_all()


Script = Callable[[ScriptedBot], Awaitable[None]] | Sequence[After]


def line_of(message: Message) -> bytes:
    return json.dumps(message).encode() + b"\n"


def replies(script: Sequence[After]) -> Callable[[ScriptedBot], Awaitable[None]]:
    """Shakes hands, replies to the first questions as listed, then plays on."""

    async def run(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        for reply in script:
            question = await bot.hear()
            await trio.sleep(reply.seconds)
            if isinstance(reply.content, bytes):
                await bot.say(reply.content)
            else:
                await bot.answer(question, **reply.content)
        await bot.play_on()

    return run


DULL: Script = ()
"""Plays the first move, at once."""


async def play_scripted(
    *scripts: Script,
    options: GameOptions | None = None,
    seed: str = "friday-1",
    clock: TimeControl | None = None,
    faults: int = 0,
    bots: Sequence[ScriptedBot] = (),
) -> GameReport:
    """One game between scripted bots (of the scripts, or `bots`), by the real table over the real link."""
    return (await play_games(1, *scripts, options=options, seed=seed, clock=clock, faults=faults, bots=bots))[0]


async def play_games(
    games: int,
    *scripts: Script,
    options: GameOptions | None = None,
    seed: str = "friday-1",
    clock: TimeControl | None = None,
    faults: int = 0,
    bots: Sequence[ScriptedBot] = (),
) -> list[GameReport]:
    """Plays this many games, one after the other, with the same bots."""
    bots = bots or [ScriptedBot(script) for script in scripts]
    infos = [SeatInfo(f"bot{number}", f"{number:064x}") for number in range(len(bots))]
    seats = tuple(SeatJob(".", info.name) for info in infos)
    players = [LinkPlayer(bot) for bot in bots]
    reports = []
    async with trio.open_nursery() as nursery:
        for bot in bots:
            nursery.start_soon(bot.run)
        absent = await greet_all(dict(enumerate(players)), (clock or TimeControl()).startup)
        for number in range(games):
            name = f"game {number + 1}"
            job = GameJob(name, options or make_options(len(bots)), seed, seats, clock or TimeControl(), faults=faults)
            reports.append(await GameTable(job, infos, players).play(absent if number == 0 else None))
        for _ in range(LAST_TURNS):
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    return reports

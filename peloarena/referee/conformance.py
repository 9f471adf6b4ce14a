"""The conformance check: plays real games of every kind with a bot and finds what would go wrong.

Knows what to try and what to expect; prints nothing.
"""

from __future__ import annotations

import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from ..game import GameOptions, make_options
from ..game.base import BASE
from ..game.options import MAX_BASE_PLAYERS, max_players, with_needed_modules
from ..game.registry import MODULES
from ..game.solo import LEVELS
from ..protocol.excerpt_lengths import SUMMARY_ANSWER_LENGTH
from .bot_finder import Bot
from .bot_process import BotProcess, open_bot_process
from .checked_player import CheckedPlayer
from .game_table import GameTable
from .hints import Diagnosis, FailureCase, hint_for, stream_hint
from .inprocess import InProcessPlayer
from .job import GameJob, GameReport, SeatJob
from .player import Player, PlayerFailure
from .record import SeatInfo
from .sandbox.isolation import Isolation
from .silent_bots import diagnose_silence
from .terminating import TERMINATION_SECONDS, TerminatingBots
from .time_control import TimeControl
from .transport import Transport

SEARCH_GAMES = 15
"""The most games tried with each set of modules until every kind of decision was asked."""
QUIT_SECONDS = 1.0
LEAVE_SECONDS = 1.0
"""For a bot that leaves without being asked to."""
TIMEOUT_REASON_PART = " within "
CLOSED_OUTPUT_REASON_PART = "instead of `ready`: it closed its output"
"""Parts of reasons that are worth a closer look."""


class Finding(Struct, frozen=True):
    """One check and its result."""

    name: str
    ok: bool
    expected: str
    came: str
    where: str
    """The section of spec/PROTOCOL.md."""
    request: str = ""
    """If it failed, the whole last line that it was sent."""
    answer: str = ""
    """If it failed, the whole last line that it sent."""
    stderr: str = ""
    hint: str = ""
    """The most likely cause."""


class Scenario(Struct, frozen=True):
    name: str
    options: GameOptions
    seat: int = 0
    others: tuple[str, ...] = ()
    """Names of its opponents; `random#2` and so on where it does not matter."""
    anonymous: bool = False
    """Bots do not learn each other's names."""
    token_key: str = ""
    """The deal's token key (game_tokens.py)."""

    def seat_names(self, own_name: str) -> list[str]:
        others = iter(self.others)
        players = range(self.options.players)
        return [own_name if number == self.seat else next(others, f"random#{number + 1}") for number in players]


def scenarios(short: bool) -> list[Scenario]:
    """Every player count, solo, every module, and all of them at once: the largest possible states."""
    result = [Scenario(f"{n} players", make_options(n), n - 1) for n in range(2, MAX_BASE_PLAYERS + 1)]
    if short:
        return result[:1] + result[-1:]
    result += [Scenario(f"solo, level {n}", make_options(1, level=n)) for n in LEVELS]
    for name, module in MODULES.items():
        needed = with_needed_modules([name])
        players = min(max(module.players.start, 2), module.players.stop - 1)
        result.append(Scenario(f"module {name}, {players} players", make_options(players, needed)))
    everything = list(MODULES)
    most = max_players(list(MODULES.values()))
    result.append(Scenario(f"all modules, {most} players", make_options(most, everything), 3))
    return result


EXTRA_FIELDS = b',"x_unknown":{"a":[1,2,{"b":null}]},"x_later":"\\u00e9"}\n'


class ExtraFieldsTransport:
    """A transport that adds fields which no bot can know: a bot must ignore them. It takes whole lines."""

    def __init__(self, inner: Transport) -> None:
        self.inner = inner
        self.pending = b""
        """The rest of the longer line; the link offers the same line again until it is sent."""

    def write_now(self, data: bytes) -> int:
        line = self.pending or data.removesuffix(b"}\n") + EXTRA_FIELDS
        sent = self.inner.write_now(line)
        self.pending = line[max(sent, 0) :]
        return sent if sent < 0 else 0 if self.pending else len(data)

    def read_now(self, patience: float) -> bytes | None:
        return self.inner.read_now(patience)

    async def wait_writable(self) -> None:
        await self.inner.wait_writable()

    async def wait_readable(self) -> None:
        await self.inner.wait_readable()


class Checker:
    """Checks one bot. Reports each finding as soon as it is known."""

    def __init__(
        self, bot: Bot, isolation: Isolation, clock: TimeControl, report: Callable[[Finding], None], short: bool = False
    ) -> None:
        self.bot = bot
        self.isolation = isolation
        self.clock = clock
        self.report = report
        self.short = short
        self.times_asked: Counter[str] = Counter()
        """How often the bot was asked each kind of decision."""
        self.start_seconds = self.game_seconds = 0.0
        """Times of the last trial game: until `hello`, and for all its answers."""

    async def run(self) -> None:
        """Runs all checks until one fails: later ones would say nothing new."""
        if await self.check_first_process() and not self.short:
            self.report(await self.check_unknown_fields())
            self.report(await self.check_restart())

    async def trial_game(
        self,
        options: GameOptions,
        name: str,
        seed: str,
        roster: Sequence[str] = (),
        anonymous: bool = False,
        token_key: str = "",
    ) -> Finding:
        """Runs the handshake and one game with these options: what a tournament needs to know beforehand.

        The game has a name, a seed and opponents' names like any other, and the seat is drawn: `newgame` does not
        reveal that this is a trial, in which a bot might behave.
        """
        others = [other for other in roster if other != self.bot.name]
        drawn = secrets.SystemRandom().sample(others, min(len(others), options.players - 1))
        seat = secrets.randbelow(options.players)
        scenario = Scenario(name, options, seat, tuple(drawn), anonymous, token_key)
        began = time.monotonic()
        async with open_bot_process(self.bot, self.isolation) as process:
            player = CheckedPlayer(process.transport, process, self.times_asked)
            finding = await self.check_handshake(player)
            self.start_seconds = time.monotonic() - began
            if finding.ok:
                finding = await self.check_scenario(player, scenario, seed)
        return await self.check_termination(process) if finding.ok else finding

    async def check_termination(self, process: BotProcess) -> Finding:
        """A bot whose processes do not die would fail its next game: better to fail its trial."""
        terminating, path = TerminatingBots(), str(self.bot.source)
        if not process.is_gone:
            terminating.add(path, process)
        stays = await terminating.survives_kill(path)
        came = f"its processes were {'still running' if stays else 'gone'} {TERMINATION_SECONDS:g} s after its end"
        return Finding("end", not stays, "to be gone when it is ended", came, "What a bot may do wrong")

    async def check_first_process(self) -> bool:
        """Handshake, many games in one process, every kind of decision, goodbye; True when all are good."""
        async with open_bot_process(self.bot, self.isolation) as process:
            player = CheckedPlayer(process.transport, process, self.times_asked)
            trials = [partial(self.check_handshake, player)]
            trials += [partial(self.check_scenario, player, scenario) for scenario in scenarios(self.short)]
            trials += [] if self.short else [partial(self.check_every_decision_kind, player)]
            trials += [partial(self.check_quit, player, process)]
            for trial in trials:
                finding = await trial()
                self.report(finding)
                if not finding.ok:
                    return False
        return True

    async def check_handshake(self, player: CheckedPlayer) -> Finding:
        expected = f"`hello` within {self.clock.startup:g} s of the start"
        try:
            await player.greet(self.clock.startup)
        except PlayerFailure as failure:
            diagnosis: Diagnosis = ""
            if isinstance(player.process, BotProcess) and TIMEOUT_REASON_PART in failure.reason:
                diagnosis = await diagnose_silence(player.process, self.clock.startup)
            return self.failed_finding("handshake", expected, failure, "The life of a bot", diagnosis)
        return Finding(
            "handshake", True, expected, f"{player.hello.name}, wants {player.hello.wants}", "The life of a bot"
        )

    async def check_scenario(
        self, player: CheckedPlayer, scenario: Scenario, seed: str = "check", steered: bool = False
    ) -> Finding:
        report = await self.play_scenario(player, scenario, seed, steered)
        expected = "a whole game without a fault, in the same process as the games before"
        where = "What a bot may do wrong"
        mine = [(v, e) for v, e in zip(report.verdicts, report.evidence, strict=True) if v.seat == scenario.seat]
        if not mine:
            self.game_seconds = report.stats[scenario.seat].seconds
            slowest = report.stats[scenario.seat].slowest * 1000
            came = f"{report.stats[scenario.seat].decisions} decisions, the slowest took {slowest:.1f} ms"
            player.games += 1
            return Finding(scenario.name, True, expected, came, where)
        verdict, evidence = mine[0]
        failure = PlayerFailure(verdict.fault, f"at decision {verdict.decision}: {verdict.reason}", evidence)
        diagnosis: Diagnosis = ""
        if player.games and CLOSED_OUTPUT_REASON_PART in failure.reason and await self.exits_after_a_game():
            diagnosis = "ends after gameover"
        return self.failed_finding(scenario.name, expected, failure, where, diagnosis)

    async def play_scenario(self, player: CheckedPlayer, scenario: Scenario, seed: str, steered: bool) -> GameReport:
        options = scenario.options
        chance = random.Random(seed)
        player.steering = chance if steered else None
        players: list[Player] = [
            InProcessPlayer(lambda decide: chance.randrange(len(decide.legal))) for _ in range(options.players)
        ]
        players[scenario.seat] = player
        seats = tuple(SeatJob("", name) for name in scenario.seat_names(self.bot.name))
        infos = [SeatInfo(seat.name, "") for seat in seats]
        job = GameJob(
            f"check-{scenario.name}",
            options,
            seed,
            seats,
            self.clock,
            anonymous=scenario.anonymous,
            token_key=scenario.token_key,
        )
        return await GameTable(job, infos, players).play()

    async def check_every_decision_kind(self, player: CheckedPlayer) -> Finding:
        """Plays steered games until each kind of decision was asked: a bot that always passes is never asked to
        build."""
        wanted = set(BASE.kinds).union(*(module.kinds for module in MODULES.values()))
        sets = scenarios(short=False)
        for attempt in range(SEARCH_GAMES):
            if wanted <= self.times_asked.keys():
                break
            for scenario in sets:
                if (wanted - self.times_asked.keys()) & kinds_of(scenario):
                    finding = await self.check_scenario(player, scenario, f"check {attempt}", steered=True)
                    if not finding.ok:
                        return finding
        seen, missed = len(wanted & self.times_asked.keys()), sorted(wanted - self.times_asked.keys())
        came = f"{seen} of {len(wanted)} kinds were asked" + (
            f"; chance never asked {', '.join(missed)}" if missed else ""
        )
        return Finding("every kind of decision", True, "a legal answer to each", came, "The decisions")

    async def check_unknown_fields(self) -> Finding:
        """A later referee may send more: a bot ignores what it does not know."""
        expected = "a whole game in which every message has unknown fields"
        return await self.check_new_process("unknown fields", expected, "Unknown fields and versions", extras=True)

    async def check_restart(self) -> Finding:
        """After a restart the bot plays a whole game again. The two games need not be equal."""
        return await self.check_new_process("restart", "a whole game after a restart", "The life of a bot")

    async def check_new_process(self, name: str, expected: str, where: str, extras: bool = False) -> Finding:
        async with open_bot_process(self.bot, self.isolation) as process:
            player = CheckedPlayer(
                ExtraFieldsTransport(process.transport) if extras else process.transport, process, self.times_asked
            )
            try:
                await player.greet(self.clock.startup)
            except PlayerFailure as failure:
                return self.failed_finding(name, expected, failure, where)
            finding = await self.check_scenario(player, Scenario(name, make_options(2)), "check fresh")
            return replace(finding, name=name, expected=expected, where=where)

    async def check_quit(self, player: CheckedPlayer, process: BotProcess) -> Finding:
        expected = f"to leave within {QUIT_SECONDS:g} s of `quit` and the end of its input"
        await player.quit()
        status = await process.close_input_and_wait(QUIT_SECONDS)
        came = "it stayed and would be killed" if status is None else f"exit status {status}"
        hint = stream_hint(process.stderr_tail())
        return Finding("goodbye", status is not None, expected, came, "The life of a bot", hint=hint)

    async def exits_after_a_game(self) -> bool:
        """Called when it was gone as a later game began: does it leave by itself after a game?"""
        async with open_bot_process(self.bot, self.isolation) as process:
            player = CheckedPlayer(process.transport, process, self.times_asked)
            try:
                await player.greet(self.clock.startup)
            except PlayerFailure:
                return False
            await self.play_scenario(player, Scenario("one game", make_options(2)), "check", steered=False)
            return await process.exit_status(LEAVE_SECONDS) is not None

    def failed_finding(
        self, name: str, expected: str, failure: PlayerFailure, where: str, found: Diagnosis = ""
    ) -> Finding:
        evidence = failure.evidence
        return Finding(
            name,
            False,
            expected,
            f"{failure.fault}: {failure.reason}",
            where,
            evidence.request.rstrip("\n"),
            evidence.answer.rstrip("\n")[:SUMMARY_ANSWER_LENGTH],
            evidence.stderr.strip(),
            hint_for(FailureCase(failure.fault, failure.reason, evidence, found, self.bot.limits)),
        )


def kinds_of(scenario: Scenario) -> set[str]:
    return set(BASE.kinds).union(*(MODULES[name].kinds for name in scenario.options.modules))

"""The cluster as a runner of games: the same jobs, reports and verdicts as on workers here; only the machines differ.

    async with open_cluster(address, policy, keeping, tell) as cluster:
        report = await cluster.play(job)

Holds store and secret as little as any runner: jobs have one deal's seed. No report counts before a verifier holds it.
"""

from __future__ import annotations

import math
import random
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError, encode
from ..referee.job import GameJob, GameReport
from ..referee.sandbox.isolation import Isolation, Policy, prepare
from ..tournament.pulse import ClusterNow, NodeOn
from ..tournament.runner import MachineLost, Spoiled
from .address import ClusterAddress
from .arrival import Arrived
from .fleet import Fleet, FleetNode
from .parcels import Piece, parcel_of, pieces_of, place_of
from .rooms import Gone, Stranger, stranger
from .survey import Survey, moves_per_second, sandbox_problem, survey_from, versions_problem
from .verifier import Doubt, Excuse, Lie, Opinion, Sound
from .words import (
    BadWord,
    Carry,
    Forget,
    Join,
    Membership,
    NodeFault,
    NodeLost,
    SeenNode,
    Task,
    TaskAnswer,
    Tidings,
    cut,
    unpacked,
)

VERIFIERS = 2
"""A replay takes about as long as the referee's own part of a game: few suffice for many nodes."""
CHECKED_AGAIN = 20
"""One game in so many is played again elsewhere."""
AGAIN_AFTER = 1.0
"""Seconds before a broker that ended is started again."""
LAST_NOTES = 8
SLACK_SECONDS = 300.0
MOST_ANSWERS = 300
"""Of a seat in a game; with all modules they are about 60."""

Notice = Callable[[str], None]


class OnItsWay(Struct, frozen=True):
    """A game as it is sent: bots are named by their hashes, not by places of the host."""

    data: bytes
    deal: str
    bots: tuple[str, ...]
    """Their places, without those that forfeit."""
    most_seconds: float
    """No game takes longer: then its node is not heard out."""

    @property
    def digests(self) -> tuple[str, ...]:
        return tuple(place_of(place)[0] for place in self.bots)


class Cluster:
    def __init__(
        self, address: ClusterAddress, policy: Policy, keeping: Path, tell: Notice, nursery: trio.Nursery
    ) -> None:
        self.fleet = Fleet()
        self.address = address
        self.policy: Policy = policy
        self.keeping = keeping
        self.speed = 0.0
        """Of this machine."""
        self.notes: list[str] = []
        self._tell = tell
        self._nursery = nursery
        self._broker: Stranger | None = None
        self._answers: dict[int, trio.MemorySendChannel[TaskAnswer | NodeLost | NodeFault]] = {}
        self._number = 0
        self._changed = trio.lowlevel.ParkingLot()
        self._rooms = trio.lowlevel.ParkingLot()
        self._arrivals: dict[tuple[str, str, str], trio.Lock] = {}
        self._verifiers_in, self._verifiers = trio.open_memory_channel[Stranger](math.inf)
        self._by_chance: set[tuple[str, ...]] = set()
        """Bots that together were seen to play by chance: their games are not checked again."""
        self._checks = 0
        self._waits = ""
        self._draw = random.SystemRandom()  # no node can tell which of its games will be looked at

    def note(self, text: str) -> None:
        self.notes = [*self.notes, text][-LAST_NOTES:]
        self._tell(text)

    # ---- places

    @asynccontextmanager
    async def room(self) -> AsyncIterator[None]:
        """A place for a game, taken before the game is chosen: what waits for a node is not on."""
        while not self.fleet.has_room():
            await self._rooms.park()
        self.fleet.taken += 1
        try:
            yield
        finally:
            self.fleet.taken -= 1
            self._rooms.unpark()  # one: hundreds may wait

    def now(self) -> ClusterNow:
        """For screens."""
        moment = time.monotonic()
        nodes = tuple(
            NodeOn(node.name, node.slots, node.busy, node.games, round(node.games_per_second(moment), 3), node.speed)
            if not node.refusal
            else NodeOn(node.name, problem=node.refusal)
            for node in self.fleet.nodes.values()
        )
        return ClusterNow(nodes, self.fleet.waits_for(), tuple(self.notes))

    # ---- games

    async def play(self, job: GameJob) -> GameReport:
        going = self.on_its_way(job)
        node, opinion = await self.played(going)
        if self.is_to_be_checked(going, node):
            self._checks += 1
            self._nursery.start_soon(self.check_again, job.game, going, node, opinion.digest)
        return msgspec.json.decode(opinion.report, type=GameReport)

    def on_its_way(self, job: GameJob) -> OnItsWay:
        seats = tuple(
            replace(seat, path="" if seat.forfeit else str(Path(seat.path).relative_to(self.keeping)))
            for seat in job.seats
        )
        bots = tuple(dict.fromkeys(seat.path for seat in seats if not seat.forfeit))
        deal = "\n".join([job.seed, *sorted(seat.name for seat in seats)])
        return OnItsWay(encode(replace(job, seats=seats)), deal, bots, most_seconds(job))

    async def played(
        self, going: OnItsWay, only: FleetNode | None = None, avoid: tuple[str, ...] = ()
    ) -> tuple[FleetNode, Sound]:
        """Where, and what came of it. Spoiled if nothing good did."""
        node = await self.taken(going, only, avoid)
        try:
            for bot in going.bots:
                await self.bring(node, bot)
            data = b""
            with trio.move_on_after(going.most_seconds) as patience:
                data = await self.carry(node, "play", going.data)
            if patience.cancelled_caught:
                raise MachineLost(f"{node.name} was lost: no report after {going.most_seconds:.0f} s")
            return node, await self.believed(node, going, data)
        finally:
            node.busy -= 1
            self._changed.unpark_all()

    async def taken(self, going: OnItsWay, only: FleetNode | None, avoid: tuple[str, ...]) -> FleetNode:
        """A free slot, which is then busy."""
        while True:
            if only is not None:
                if not only.slots:
                    raise MachineLost(f"{only.name} left the cluster")
                node = only if only.free > 0 else None
            else:
                node = self.fleet.choose(going.deal, going.digests, avoid)
                if node is None and self.fleet.places and not self.fleet.others_play(going.digests, avoid):
                    raise Spoiled(f"no node can play it: {self.why_not(going)}")
            if node is not None:
                node.busy += 1
                return node
            await self._changed.park()

    def why_not(self, going: OnItsWay) -> str:
        problems = (
            f"{node.name}: {problem}"
            for node in self.fleet.nodes.values()
            for digest in going.digests
            if (problem := node.bots.get(digest))
        )
        return cut("; ".join(problems) or "there is no other node")

    async def bring(self, node: FleetNode, place: str) -> None:
        """Once to a node. One that cannot build it says so once, and plays the others' games."""
        digest, _ = place_of(place)
        lock = self._arrivals.setdefault((node.seen.address, node.seen.identity, digest), trio.Lock())
        async with lock:
            if digest not in node.bots:
                problem = await self.send_bot(node, place, digest)
                node.bots[digest] = problem
                if problem:
                    self.note(f"{node.name} does not play {digest[:15]}…: {problem}")
        if node.bots[digest]:
            raise MachineLost(f"{node.name} cannot play it: {node.bots[digest]}")

    async def send_bot(self, node: FleetNode, place: str, digest: str) -> str:
        data = await trio.to_thread.run_sync(parcel_of, self.keeping / digest / "bot")
        parcel = secrets.token_hex(8)
        arrived = Arrived()
        for number, last, part in pieces_of(data):
            piece = Piece(parcel, place, number, last, part, self.policy)
            answer = await self.carry(node, "take", msgspec.msgpack.encode(piece))
            try:
                arrived = msgspec.json.decode(answer, type=Arrived)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise self.not_believed(node, f"no answer to a bot: {error}") from None
            if arrived.problem:
                break
        return cut(arrived.problem)

    async def believed(self, node: FleetNode, going: OnItsWay, data: bytes) -> Sound:
        match await self.opinion(Doubt(going.data, node.name, node.speed, data)):
            case Sound() as sound:
                node.games += 1
                return sound
            case Excuse(problem):
                for digest in going.digests:  # perhaps its cache was emptied: they are sent again
                    node.bots.pop(digest, None)
                raise Spoiled(f"{node.name}: {problem}")
            case Lie(problem):
                raise self.not_believed(node, problem)
        raise AssertionError("an opinion of a fourth kind")

    def not_believed(self, node: FleetNode, problem: str) -> MachineLost:
        """Named, and no more games for it in this run."""
        self.fleet.bench(node, cut(problem))
        self.note(f"{node.name} plays no more in this run: {cut(problem)}")
        self._changed.unpark_all()
        return MachineLost(f"{node.name} is not believed: {cut(problem)}")

    async def opinion(self, doubt: Doubt) -> Opinion:
        verifier = await self._verifiers.receive()
        try:
            with trio.CancelScope(shield=True):  # or its answer would be taken for the next one's
                await verifier.send(doubt)
                answer = await verifier.receive()
            self._verifiers_in.send_nowait(verifier)
            opinion: Opinion = unpacked(answer, Opinion)  # type: ignore[arg-type]
        except (Gone, BadWord):
            self._nursery.start_soon(self.keep_verifier)
            return Lie("a report that ended the process which looked at it")
        return opinion

    # ---- one in twenty again

    def is_to_be_checked(self, going: OnItsWay, node: FleetNode) -> bool:
        known = tuple(sorted(going.digests)) in self._by_chance
        return not known and self.fleet.others_play(going.digests, (node.name,)) and self.is_drawn()

    def is_drawn(self) -> bool:
        return self._draw.randrange(CHECKED_AGAIN) == 0

    async def check_again(self, game: str, going: OnItsWay, node: FleetNode, digest: str) -> None:
        """The same job elsewhere. If it comes out otherwise both play it once more: bots that play by chance differ
        from themselves, on both; a node that invents games is alone with that."""
        try:
            other, second = await self.played(going, avoid=(node.name,))
            if second.digest == digest:
                return
            _, again = await self.played(going, only=node)
            _, other_again = await self.played(going, only=other)
        except Spoiled:
            return  # nothing was learned
        finally:
            self._checks -= 1
            self._changed.unpark_all()
        if again.digest != digest and other_again.digest != second.digest:
            self._by_chance.add(tuple(sorted(going.digests)))
            return
        self.note(
            f"{game} came out differently on {node.name} and on {other.name}, though its bots do not play by chance: "
            f"one of the two may invent games (`tournament void` has it played again)"
        )

    async def checks_done(self) -> None:
        while self._checks:
            await self._changed.park()

    # ---- the broker

    async def carry(self, node: FleetNode, task: Task, data: bytes) -> bytes:
        """MachineLost if the node went away, or is not believed any more."""
        if self._broker is None:
            node.lost = True
            raise MachineLost(f"{node.name} was lost: the broker is being started again")
        self._number += 1
        number = self._number
        send, receive = trio.open_memory_channel[TaskAnswer | NodeLost | NodeFault](1)
        self._answers[number] = send
        try:
            await self._broker.send(Carry(number, node.seen.address, task, data))
            answer = await receive.receive()
        except Gone as error:
            node.lost = True
            raise MachineLost(f"{node.name} was lost: {error}") from None
        finally:
            if self._answers.pop(number, None) is not None and self._broker is not None:
                with trio.CancelScope(shield=True), trio.move_on_after(1):
                    await self.forget(number)
        match answer:
            case TaskAnswer():
                return answer.data
            case NodeLost():
                node.lost = True
                raise MachineLost(f"{node.name} was lost: {answer.reason}")
            case NodeFault():
                raise self.not_believed(node, answer.problem)

    async def forget(self, number: int) -> None:
        try:
            if self._broker is not None:
                await self._broker.send(Forget(number))
        except Gone:
            pass

    async def keep_broker(self, isolation: Isolation) -> None:
        """It keeps nothing: one that ended is started again."""
        while True:
            with stranger(isolation, "broker", network=True) as broker:
                self._broker = broker
                try:
                    address = self.address
                    await broker.send(Join(address.url, address.ca, address.certificate))
                    while True:
                        self.heard(unpacked(await broker.receive(), Tidings))  # type: ignore[arg-type]
                except Gone as error:
                    problem = broker.last_words() or str(error)
            self._broker = None
            self.heard(Membership((), f"the broker ended: {problem}"))
            for number in list(self._answers):
                self.heard(NodeLost(number, "the broker ended"))
            await trio.sleep(AGAIN_AFTER)

    def heard(self, tidings: Tidings) -> None:
        match tidings:
            case Membership(nodes, trouble):
                self.members(nodes, trouble)
            case TaskAnswer() | NodeLost() | NodeFault():
                if (waiting := self._answers.pop(tidings.number, None)) is not None:
                    waiting.send_nowait(tidings)  # what comes a second time finds nobody

    def members(self, nodes: tuple[SeenNode, ...], trouble: str) -> None:
        for node in self.fleet.update(nodes, cut(trouble)):
            self._nursery.start_soon(self.look_at, node)
        self.tell_waiting()
        self._changed.unpark_all()
        self._rooms.unpark_all()

    def tell_waiting(self) -> None:
        """Once, when it begins."""
        waits = "" if self.fleet.is_looking() else self.fleet.waits_for()
        if waits != self._waits:
            self._waits = waits
            self.note(f"waits for {waits}" if waits else "goes on")

    async def look_at(self, node: FleetNode) -> None:
        """Before its first game."""
        survey: Survey | None = None
        try:
            survey = survey_from(await self.carry(node, "survey", self.policy.encode()))
            refusal = versions_problem(survey.versions) or sandbox_problem(survey, self.policy)
        except ConfigError as error:
            refusal = str(error)
        except MachineLost:
            refusal = self.fleet.benched.get(node.name, "")
            if not refusal:  # the next look at the cluster finds it again, if it is there
                self.fleet.leaves(node)
                return
        speed = 0.0 if survey is None or not self.speed else round(survey.speed / self.speed, 2)
        self.fleet.surveyed(node, survey, refusal, speed)
        if node.here:
            self.note(f"{node.name} {f'gets no game: {refusal}' if refusal else f'plays {node.slots} at a time'}")
            self.tell_waiting()
        self._changed.unpark_all()
        self._rooms.unpark_all()

    async def keep_verifier(self) -> None:
        with stranger(self._isolation, "verifier") as verifier:
            self._verifiers_in.send_nowait(verifier)
            await trio.sleep_forever()

    async def begin(self, isolation: Isolation) -> None:
        self._isolation = isolation
        self.speed = await trio.to_thread.run_sync(moves_per_second)
        self._nursery.start_soon(self.keep_broker, isolation)
        for _ in range(VERIFIERS):
            self._nursery.start_soon(self.keep_verifier)


def most_seconds(job: GameJob) -> float:
    """Of a game in which every bot uses all its time, and more than anybody was ever asked."""
    clock = job.clock
    return SLACK_SECONDS + len(job.seats) * (
        clock.startup + clock.bank + MOST_ANSWERS * (clock.increment + clock.grace)
    )


@asynccontextmanager
async def open_cluster(address: ClusterAddress, policy: Policy, keeping: Path, tell: Notice) -> AsyncIterator[Cluster]:
    """Broker and verifiers are gone on the way out; the cluster stays as it is."""
    with prepare("auto") as isolation:
        async with trio.open_nursery() as nursery:
            cluster = Cluster(address, policy, keeping, tell, nursery)
            await cluster.begin(isolation)
            yield cluster
            nursery.cancel_scope.cancel()

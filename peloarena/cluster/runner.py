"""The cluster as a runner of games: the same jobs, reports and verdicts as on workers here; only the machines differ.

    async with open_cluster(address, policy, keeping, tell, warn) as cluster:
        report = await cluster.play(job)

Like any runner, it has neither store nor secret: jobs have one deal's seed. No report counts before it is verified.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import trio

from ..game import ConfigError
from ..referee.job import GameJob, GameReport
from ..referee.sandbox.isolation import Isolation, Policy, prepare
from ..tournament.pulse import ClusterNow, NodeOn
from ..tournament.runner import MachineLost, Spoiled
from .address import ClusterAddress
from .arrival import Arrived
from .errands import Answer, Errands
from .fleet import MOST_NODES, Fleet, FleetNode
from .on_its_way import OnItsWay, on_its_way, words_of
from .parcels import Piece, parcel_of, pieces_of, place_of
from .rooms import exposure
from .spot_checks import SpotChecks
from .survey import Survey, moves_per_second, sandbox_problem, survey_from, versions_problem
from .verifier import Doubt, Excuse, Lie, Sound
from .verifiers import Verifiers
from .words import Membership, NodeFault, NodeLost, Task, TaskAnswer, cut

LAST_NOTES = 8
MOST_ACCUSATIONS = 100
LOOK_SECONDS = 600.0
"""Seconds for a node to probe itself before its first game. It gives up earlier, but other work may come first."""
ARRIVAL_SECONDS = 900.0
"""Seconds for a piece of a bot; the last piece includes its build. The node itself gives up earlier."""

Notice = Callable[[str], None]


class Cluster:
    def __init__(
        self,
        address: ClusterAddress,
        policy: Policy,
        keeping: Path,
        tell: Notice,
        isolation: Isolation,
        nursery: trio.Nursery,
    ) -> None:
        self.fleet = Fleet()
        self.policy: Policy = policy
        self.keeping = keeping
        self.speed = 0.0
        """The speed of this machine."""
        self.heard = trio.Event()
        """Set once the cluster's members are known, or why they cannot be."""
        self.notes: list[str] = []
        self.accusations: list[str] = []
        """What a host must also know after the run: distrusted nodes, games with different results."""
        self._tell = tell
        self._isolation = isolation
        self._nursery = nursery
        self._errands = Errands(address, self.members)
        self._verifiers = Verifiers(isolation, self.note)
        self.checks = SpotChecks(self.fleet, self.played, self.accuse)
        self._changed = trio.lowlevel.ParkingLot()
        self._rooms = trio.lowlevel.ParkingLot()
        self._arrivals: dict[tuple[str, str, str], trio.Lock] = {}
        self._waits = ""

    def note(self, text: str) -> None:
        self.notes = [*self.notes, text][-LAST_NOTES:]
        self._tell(text)

    def accuse(self, text: str) -> None:
        self.accusations = [*self.accusations, text][:MOST_ACCUSATIONS]
        self.note(text)

    # ---- places

    @asynccontextmanager
    async def room(self) -> AsyncIterator[None]:
        """Room for a game, taken before the game is chosen: a game that waits for a node does not count as running,
        except for a short game that waits at the node."""
        while not self.fleet.has_room():
            await self._rooms.park()
        self.fleet.taken += 1
        if self.fleet.has_room():
            self._rooms.unpark()  # one wakes the next: hundreds may wait
        try:
            yield
        finally:
            self.fleet.taken -= 1
            self._rooms.unpark()

    def now(self) -> ClusterNow:
        """For screens."""
        moment = time.monotonic()
        nodes = tuple(
            node_on(node, moment) if not node.problem else NodeOn(node.name, problem=node.problem)
            for node in self.fleet.nodes.values()
        )
        return ClusterNow(nodes, self.fleet.waits_for(), tuple(self.notes))

    # ---- games

    async def play(self, job: GameJob) -> GameReport:
        going = on_its_way(job, self.keeping, words_of(job))
        node, opinion = await self.played(going)
        if self.checks.wants(going, node):
            self.checks.begin(self._nursery, job.game, going, node, opinion.digest)
        report = msgspec.json.decode(opinion.report, type=GameReport)
        node.game_seconds = sum(stats.startup + stats.seconds for stats in report.stats)
        return report

    async def played(
        self, going: OnItsWay, only: FleetNode | None = None, avoid: tuple[str, ...] = ()
    ) -> tuple[FleetNode, Sound]:
        """Returns the node and the result. Raises Spoiled if there is no good result."""
        node = await self.taken(going, only, avoid)
        try:
            data = await self.answered(node, going)
        finally:  # its slot plays on while a verifier checks this game
            node.busy -= 1
            self._changed.unpark_all()
        return node, await self.believed(node, going, data)

    async def answered(self, node: FleetNode, going: OnItsWay) -> bytes:
        for bot in going.bots:
            await self.bring(node, bot)
        return await self.carry(node, "play", going.data, 2 * going.most_seconds)  # another game may be before it

    async def taken(self, going: OnItsWay, only: FleetNode | None, avoid: tuple[str, ...]) -> FleetNode:
        """Take room for a game at a node."""
        while True:
            if only is not None:
                if not only.slots:
                    raise MachineLost(f"{only.name} left the cluster")
                node = only if only.room > 0 else None
            else:
                node = self.fleet.choose(going.deal, going.digests, avoid)
                hopeless = self.fleet.places and not self.fleet.is_looking()
                if node is None and hopeless and not self.fleet.others_play(going.digests, avoid):
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
        """Send a bot to a node once. A node that cannot build it says so once, and plays games of other bots."""
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
            answer = await self.carry(node, "take", msgspec.msgpack.encode(piece), ARRIVAL_SECONDS)
            try:
                arrived = msgspec.json.decode(answer, type=Arrived)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise self.not_believed(node, f"no answer to a bot: {error}") from None
            if arrived.problem:
                break
        return cut(arrived.problem)

    async def believed(self, node: FleetNode, going: OnItsWay, data: bytes) -> Sound:
        if node.name in self.fleet.benched:  # it lied since this game was sent there
            raise MachineLost(f"{node.name} is not trusted: {self.fleet.benched[node.name]}")
        match await self._verifiers.opinion(Doubt(going.data, node.name, node.speed, data, going.words)):
            case Sound() as sound:
                node.games += 1
                return sound
            case Excuse(problem):
                for digest in going.digests:  # perhaps its cache was emptied: send them again
                    node.bots.pop(digest, None)
                raise Spoiled(f"{node.name}: {problem}")
            case Lie(problem):
                raise self.not_believed(node, problem)
        raise AssertionError("an opinion of a fourth kind")

    def not_believed(self, node: FleetNode, problem: str) -> MachineLost:
        """Report the node, and give it no more games in this run."""
        self.fleet.bench(node, cut(problem))
        self.accuse(f"{node.name} plays no more in this run: {cut(problem)}")
        self._changed.unpark_all()
        return MachineLost(f"{node.name} is not trusted: {cut(problem)}")

    # ---- nodes

    async def carry(self, node: FleetNode, task: Task, data: bytes, seconds: float) -> bytes:
        """Raises MachineLost if the node is gone, or is no longer trusted."""
        answer: Answer | None = None
        with trio.move_on_after(seconds):
            answer = await self._errands.carry(node.seen.address, task, data)
        match answer:
            case None:  # it is there, or it would have been lost
                raise self.not_believed(node, f"no answer to {task!r} after {seconds:.0f} s")
            case TaskAnswer() as answer:
                return answer.data
            case NodeLost() as answer:
                node.lost = True
                raise MachineLost(f"{node.name} was lost: {answer.reason}")
            case NodeFault() as answer:
                raise self.not_believed(node, answer.problem)

    def members(self, told: Membership) -> None:
        self.heard.set()
        unseen = self.fleet.unseen
        for node in self.fleet.update(told.nodes, told.trouble):
            self._nursery.start_soon(self.look_at, node)
        if self.fleet.unseen and not unseen:
            self.note(f"there are more than {MOST_NODES} nodes: the others are ignored")
        self.tell_waiting()
        self._changed.unpark_all()
        self._rooms.unpark_all()

    def tell_waiting(self) -> None:
        """Report it once, when waiting starts."""
        waits = self.fleet.waits_for()
        if waits != self._waits and not (waits and self.fleet.is_looking()):
            self._waits = waits
            self.note(f"waits for {waits}" if waits else "goes on")

    async def look_at(self, node: FleetNode) -> None:
        """Probe a node before its first game."""
        survey: Survey | None = None
        try:
            said = await self.carry(node, "survey", self.policy.encode(), LOOK_SECONDS)
            survey = survey_from(said, self.speed)
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
            problem = node.problem
            self.note(f"{node.name} {f'plays no games: {problem}' if problem else f'plays {node.slots} at a time'}")
            self.tell_waiting()
        self._changed.unpark_all()
        self._rooms.unpark_all()

    async def begin(self) -> None:
        self._verifiers.begin(self._nursery)
        self.speed = await trio.to_thread.run_sync(moves_per_second)
        self._nursery.start_soon(self._errands.keep, self._isolation)


def node_on(node: FleetNode, moment: float) -> NodeOn:
    """A node that may play, for screens."""
    plays = min(node.busy, node.slots)
    return NodeOn(node.name, node.slots, plays, node.games, round(node.games_per_second(moment), 3), node.speed)


@asynccontextmanager
async def open_cluster(
    address: ClusterAddress, policy: Policy, keeping: Path, tell: Notice, warn: Notice
) -> AsyncIterator[Cluster]:
    """Broker and verifiers are gone on exit; the cluster stays as it is. `warn`: reports the host's risks."""
    with prepare("auto") as isolation:
        if warning := exposure(isolation):
            warn(warning)
        async with trio.open_nursery() as nursery:
            cluster = Cluster(address, policy, keeping, tell, isolation, nursery)
            await cluster.begin()
            yield cluster
            nursery.cancel_scope.cancel()

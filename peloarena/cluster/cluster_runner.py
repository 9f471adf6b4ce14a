"""The cluster as a runner of games: the same jobs, reports and verdicts as on workers here; only the machines differ.

    async with open_cluster(address, policy, snapshots, tell, warn) as cluster:
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
from ..game.texts import plural
from ..referee.job import GameJob, GameReport
from ..referee.sandbox.isolation import Isolation, SandboxPolicy, prepare
from ..tournament.game_runner import GameSpoiled, MachineLost
from ..tournament.heartbeat import ClusterStatus, NodeStatus
from .address import ClusterAddress
from .broker_client import BrokerClient, TaskOutcome
from .bundle_install import InstallResult
from .bundles import BundlePiece, make_bundle, parse_bot_path, pieces_of
from .fleet import MAX_NODES, Fleet, FleetNode
from .probe import ProbeResult, moves_per_second, parse_probe_result, sandbox_problem, versions_problem
from .remote_jobs import RemoteJob, bot_descriptions_of, make_remote_job
from .spot_checks import SpotChecks
from .untrusted_process import exposure_warning
from .verifier import FalseReport, NodeFailure, VerifiedReport, VerifyRequest
from .verifier_pool import VerifierPool
from .wire_messages import Membership, NodeFault, NodeLost, NodeTask, TaskAnswer, clean_line

MAX_NOTES = 8
MAX_ACCUSATIONS = 100
PROBE_ANSWER_SECONDS = 600.0
"""Seconds for a node to probe itself before its first game. It gives up earlier, but other work may come first."""
PIECE_ANSWER_SECONDS = 900.0
"""Seconds for a piece of a bot; the last piece includes its build. The node itself gives up earlier."""

Notify = Callable[[str], None]


class ClusterRunner:
    def __init__(
        self,
        address: ClusterAddress,
        policy: SandboxPolicy,
        snapshots: Path,
        tell: Notify,
        isolation: Isolation,
        nursery: trio.Nursery,
    ) -> None:
        self.fleet = Fleet()
        self.policy: SandboxPolicy = policy
        self.snapshots = snapshots
        self.speed = 0.0
        """The speed of this machine."""
        self.answered_event = trio.Event()
        """Set once the cluster's members are known, or why they cannot be."""
        self.notes: list[str] = []
        self.accusations: list[str] = []
        """What a host must also know after the run: distrusted nodes, games with different results."""
        self._tell = tell
        self._isolation = isolation
        self._nursery = nursery
        self._broker_client = BrokerClient(address, self.update_members)
        self._verifier_pool = VerifierPool(isolation, self.note)
        self.spot_checks = SpotChecks(self.fleet, self.play_on_node, self.accuse)
        self._changed = trio.lowlevel.ParkingLot()
        self._waiting_for_capacity = trio.lowlevel.ParkingLot()
        self._install_locks: dict[tuple[str, str, str], trio.Lock] = {}
        self._last_waiting_reason = ""

    def note(self, text: str) -> None:
        self.notes = [*self.notes, text][-MAX_NOTES:]
        self._tell(text)

    def accuse(self, text: str) -> None:
        self.accusations = [*self.accusations, text][:MAX_ACCUSATIONS]
        self.note(text)

    # ---- slots

    @asynccontextmanager
    async def reserve_capacity(self) -> AsyncIterator[None]:
        """Room for a game, taken before the game is chosen: a game that waits for a node does not count as running,
        except for a short game that waits at the node."""
        while not self.fleet.has_capacity():
            await self._waiting_for_capacity.park()
        self.fleet.reserved_games += 1
        if self.fleet.has_capacity():
            self._waiting_for_capacity.unpark()  # one wakes the next: hundreds may wait
        try:
            yield
        finally:
            self.fleet.reserved_games -= 1
            self._waiting_for_capacity.unpark()

    def current_status(self) -> ClusterStatus:
        """For screens."""
        moment = time.monotonic()
        nodes = tuple(
            node_status(node, moment) if not node.problem else NodeStatus(node.name, problem=node.problem)
            for node in self.fleet.nodes.values()
        )
        return ClusterStatus(nodes, self.fleet.waiting_reason(), tuple(self.notes))

    # ---- games

    async def play(self, job: GameJob) -> GameReport:
        remote_job = make_remote_job(job, self.snapshots, bot_descriptions_of(job))
        node, verified = await self.play_on_node(remote_job)
        if self.spot_checks.should_check(remote_job, node):
            self.spot_checks.begin(self._nursery, job.game, remote_job, node, verified.digest)
        report = msgspec.json.decode(verified.report, type=GameReport)
        node.game_seconds = sum(stats.startup + stats.seconds for stats in report.stats)
        return report

    async def play_on_node(
        self, remote_job: RemoteJob, only: FleetNode | None = None, avoid: tuple[str, ...] = ()
    ) -> tuple[FleetNode, VerifiedReport]:
        """Returns the node and the result. Raises GameSpoiled if there is no good result."""
        node = await self.take_slot(remote_job, only, avoid)
        try:
            data = await self.run_on_node(node, remote_job)
        finally:  # its slot plays on while a verifier checks this game
            node.busy -= 1
            self._changed.unpark_all()
        return node, await self.verify_report(node, remote_job, data)

    async def run_on_node(self, node: FleetNode, remote_job: RemoteJob) -> bytes:
        for bot in remote_job.bot_paths:
            await self.ensure_bot_installed(node, bot)
        return await self.run_task(
            node, "play", remote_job.data, 2 * remote_job.max_seconds
        )  # another game may be before it

    async def take_slot(self, remote_job: RemoteJob, only: FleetNode | None, avoid: tuple[str, ...]) -> FleetNode:
        """Take room for a game at a node."""
        while True:
            if only is not None:
                if not only.slots:
                    raise MachineLost(f"{only.name} left the cluster")
                node = only if only.spare_capacity > 0 else None
            else:
                node = self.fleet.choose(remote_job.deal, remote_job.digests, avoid)
                all_known = self.fleet.capacity and not self.fleet.is_probing()
                if node is None and all_known and not self.fleet.can_others_play(remote_job.digests, avoid):
                    raise GameSpoiled(f"no node can play this game: {self.why_unplayable(remote_job)}")
            if node is not None:
                node.busy += 1
                return node
            await self._changed.park()

    def why_unplayable(self, remote_job: RemoteJob) -> str:
        problems = (
            f"{node.name}: {problem}"
            for node in self.fleet.nodes.values()
            for digest in remote_job.digests
            if (problem := node.bot_problems.get(digest))
        )
        return clean_line("; ".join(problems) or "there is no other node")

    async def ensure_bot_installed(self, node: FleetNode, bot_path: str) -> None:
        """Send a bot to a node once. A node that cannot build it says so once, and plays games of other bots."""
        digest, _ = parse_bot_path(bot_path)
        lock = self._install_locks.setdefault((node.seen.address, node.seen.identity, digest), trio.Lock())
        async with lock:
            if digest not in node.bot_problems:
                problem = await self.send_bot(node, bot_path, digest)
                node.bot_problems[digest] = problem
                if problem:
                    self.note(f"{node.name} cannot play bot {digest[:15]}…: {problem}")
        if node.bot_problems[digest]:
            raise MachineLost(f"{node.name} cannot play one of the bots: {node.bot_problems[digest]}")

    async def send_bot(self, node: FleetNode, bot_path: str, digest: str) -> str:
        data = await trio.to_thread.run_sync(make_bundle, self.snapshots / digest / "bot")
        transfer_id = secrets.token_hex(8)
        result = InstallResult()
        for number, last, part in pieces_of(data):
            piece = BundlePiece(transfer_id, bot_path, number, last, part, self.policy)
            answer = await self.run_task(node, "take", msgspec.msgpack.encode(piece), PIECE_ANSWER_SECONDS)
            try:
                result = msgspec.json.decode(answer, type=InstallResult)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise self.distrust_node(node, f"invalid answer after it got a bot: {error}") from None
            if result.problem:
                break
        return clean_line(result.problem)

    async def verify_report(self, node: FleetNode, remote_job: RemoteJob, data: bytes) -> VerifiedReport:
        if node.name in self.fleet.benched:  # it lied since this game was sent there
            raise MachineLost(f"{node.name} is not trusted: {self.fleet.benched[node.name]}")
        match await self._verifier_pool.verify(
            VerifyRequest(remote_job.data, node.name, node.speed, data, remote_job.bot_descriptions)
        ):
            case VerifiedReport() as sound:
                node.games += 1
                return sound
            case NodeFailure(problem):
                for digest in remote_job.digests:  # perhaps its cache was emptied: send them again
                    node.bot_problems.pop(digest, None)
                raise GameSpoiled(f"{node.name}: {problem}")
            case FalseReport(problem):
                raise self.distrust_node(node, problem)
        raise AssertionError("unknown kind of verification")

    def distrust_node(self, node: FleetNode, problem: str) -> MachineLost:
        """Report the node, and give it no more games in this run."""
        self.fleet.bench(node, clean_line(problem))
        self.accuse(f"{node.name} gets no more games in this run: {clean_line(problem)}")
        self._changed.unpark_all()
        return MachineLost(f"{node.name} is not trusted: {clean_line(problem)}")

    # ---- nodes

    async def run_task(self, node: FleetNode, task: NodeTask, data: bytes, seconds: float) -> bytes:
        """Raises MachineLost if the node is gone, or is no longer trusted."""
        answer: TaskOutcome | None = None
        with trio.move_on_after(seconds):
            answer = await self._broker_client.run_task(node.seen.address, task, data)
        match answer:
            case None:  # it is there, or it would have been lost
                raise self.distrust_node(node, f"no answer to task {task!r} after {seconds:.0f} s")
            case TaskAnswer() as answer:
                return answer.data
            case NodeLost() as answer:
                node.is_lost = True
                raise MachineLost(f"{node.name} was lost: {answer.reason}")
            case NodeFault() as answer:
                raise self.distrust_node(node, answer.problem)

    def update_members(self, membership: Membership) -> None:
        self.answered_event.set()
        ignored_before = self.fleet.ignored_count
        for node in self.fleet.update(membership.nodes, membership.trouble):
            self._nursery.start_soon(self.probe_node, node)
        if self.fleet.ignored_count and not ignored_before:
            self.note(f"more than {MAX_NODES} nodes are in the cluster: the others are ignored")
        self.report_waiting()
        self._changed.unpark_all()
        self._waiting_for_capacity.unpark_all()

    def report_waiting(self) -> None:
        """Report it once, when waiting starts."""
        waits = self.fleet.waiting_reason()
        if waits != self._last_waiting_reason and not (waits and self.fleet.is_probing()):
            self._last_waiting_reason = waits
            self.note(f"waits for {waits}" if waits else "games can be played again")

    async def probe_node(self, node: FleetNode) -> None:
        """Probe a node before its first game."""
        result: ProbeResult | None = None
        try:
            answer = await self.run_task(node, "survey", self.policy.encode(), PROBE_ANSWER_SECONDS)
            result = parse_probe_result(answer, self.speed)
            refusal = versions_problem(result.versions) or sandbox_problem(result, self.policy)
        except ConfigError as error:
            refusal = str(error)
        except MachineLost:
            refusal = self.fleet.benched.get(node.name, "")
            if not refusal:  # the next list of members has it again, if it is there
                self.fleet.remove_node(node)
                return
        speed = 0.0 if result is None or not self.speed else round(result.speed / self.speed, 2)
        self.fleet.set_probe_result(node, result, refusal, speed)
        if node.is_present:
            problem = node.problem
            ability = f"plays no games: {problem}" if problem else f"plays {plural(node.slots, 'game')} at a time"
            self.note(f"{node.name} {ability}")
            self.report_waiting()
        self._changed.unpark_all()
        self._waiting_for_capacity.unpark_all()

    async def begin(self) -> None:
        self._verifier_pool.begin(self._nursery)
        self.speed = await trio.to_thread.run_sync(moves_per_second)
        self._nursery.start_soon(self._broker_client.keep_broker_running, self._isolation)


def node_status(node: FleetNode, now: float) -> NodeStatus:
    """A node that may play, for screens."""
    plays = min(node.busy, node.slots)
    return NodeStatus(node.name, node.slots, plays, node.games, round(node.games_per_second(now), 3), node.speed)


@asynccontextmanager
async def open_cluster(
    address: ClusterAddress, policy: SandboxPolicy, snapshots: Path, tell: Notify, warn: Notify
) -> AsyncIterator[ClusterRunner]:
    """Broker and verifiers are gone on exit; the cluster stays as it is. `warn`: reports the host's risks."""
    with prepare("auto") as isolation:
        if warning := exposure_warning(isolation):
            warn(warning)
        async with trio.open_nursery() as nursery:
            cluster = ClusterRunner(address, policy, snapshots, tell, isolation, nursery)
            await cluster.begin()
            yield cluster
            nursery.cancel_scope.cancel()

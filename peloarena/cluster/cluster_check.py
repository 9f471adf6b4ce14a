"""Lists the members of a cluster and probes each node once, without a game."""

from __future__ import annotations

from pathlib import Path

import trio
from msgspec import Struct

from ..game import ConfigError
from ..referee.sandbox.isolation import SandboxPolicy
from .address import ClusterAddress
from .cluster_runner import ClusterRunner, Notify, open_cluster
from .fleet import FleetNode
from .probe import ProbeResult

FIRST_ANSWER_SECONDS = 60.0
"""Seconds for the scheduler to answer, or for a reason why it does not."""
ALL_PROBES_SECONDS = 180.0
"""Seconds for all nodes to probe themselves: a few seconds each, in parallel; more while games are running."""
PROBE_POLL_SECONDS = 0.1


class NodeFacts(Struct, frozen=True):
    """A node, as shown before a tournament."""

    name: str
    address: str
    plays: bool
    problem: str
    """Why it would get no game."""
    slots: int
    speed: float
    """Relative to this machine, which has 1."""
    survey: ProbeResult | None
    """None if it did not answer."""


async def check_nodes(address: ClusterAddress, policy: SandboxPolicy, tell: Notify, warn: Notify) -> list[NodeFacts]:
    """Calls `tell` for each node once its facts are known. ConfigError if the scheduler does not answer."""
    facts: list[NodeFacts] = []
    async with open_cluster(address, policy, Path("/"), tell, warn) as cluster:
        await _wait_for_answer(cluster, address)
        with trio.move_on_after(ALL_PROBES_SECONDS):
            while any(not _has_answered(node) for node in cluster.fleet.nodes.values()):
                await trio.sleep(PROBE_POLL_SECONDS)
        facts = [_facts(node) for node in cluster.fleet.nodes.values()]
    return sorted(facts, key=lambda node: node.name)


async def _wait_for_answer(cluster: ClusterRunner, address: ClusterAddress) -> None:
    """Dask tries for ten seconds before it reports a problem: there is no need to wait for a second one."""
    with trio.move_on_after(FIRST_ANSWER_SECONDS):
        await cluster.answered_event.wait()
    if cluster.fleet.trouble:
        problem = cluster.fleet.trouble if cluster.answered_event.is_set() else f"{address.as_written}: no answer"
        raise ConfigError(
            f"the cluster does not answer: {problem}. Use the address that `dask scheduler` prints, with its tls:// or "
            f"tcp://"
        )


def _has_answered(node: FleetNode) -> bool:
    return node.probe_result is not None or bool(node.refusal)


def _facts(node: FleetNode) -> NodeFacts:
    problem = node.refusal if _has_answered(node) else f"it did not answer within {ALL_PROBES_SECONDS:g} s"
    return NodeFacts(node.name, node.seen.address, not problem, problem, node.slots, node.speed, node.probe_result)

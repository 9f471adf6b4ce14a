"""Lists the members of a cluster and probes each node once, without a game."""

from __future__ import annotations

from pathlib import Path

import trio
from msgspec import Struct

from ..game import ConfigError
from ..referee.sandbox.isolation import Policy
from .address import ClusterAddress
from .fleet import FleetNode
from .runner import Cluster, Notice, open_cluster
from .survey import Survey

ANSWER_SECONDS = 60.0
"""Seconds for the scheduler to answer, or for a reason why it does not."""
SURVEY_SECONDS = 180.0
"""Seconds for all nodes to probe themselves: a few seconds each, in parallel; more while games are running."""
LOOK_EVERY = 0.1


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
    survey: Survey | None
    """None if it did not answer."""


async def look(address: ClusterAddress, policy: Policy, tell: Notice, warn: Notice) -> list[NodeFacts]:
    """Calls `tell` for each node once its facts are known. ConfigError if the scheduler does not answer."""
    found: list[NodeFacts] = []
    async with open_cluster(address, policy, Path("/"), tell, warn) as cluster:
        await _until_answered(cluster, address)
        with trio.move_on_after(SURVEY_SECONDS):
            while any(not _is_known(node) for node in cluster.fleet.nodes.values()):
                await trio.sleep(LOOK_EVERY)
        found = [_facts(node) for node in cluster.fleet.nodes.values()]
    return sorted(found, key=lambda node: node.name)


async def _until_answered(cluster: Cluster, address: ClusterAddress) -> None:
    """Dask tries for ten seconds before it reports a problem: there is no need to wait for a second one."""
    with trio.move_on_after(ANSWER_SECONDS):
        await cluster.heard.wait()
    if cluster.fleet.trouble:
        problem = cluster.fleet.trouble if cluster.heard.is_set() else f"{address.shown}: no answer"
        raise ConfigError(
            f"no cluster answers: {problem} (it should be the address that `dask scheduler` prints, with tls:// or "
            f"tcp:// as there)"
        )


def _is_known(node: FleetNode) -> bool:
    return node.survey is not None or bool(node.refusal)


def _facts(node: FleetNode) -> NodeFacts:
    problem = node.refusal if _is_known(node) else f"it did not answer within {SURVEY_SECONDS:g} s"
    return NodeFacts(node.name, node.seen.address, not problem, problem, node.slots, node.speed, node.survey)

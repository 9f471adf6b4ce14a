"""Where a tournament is played: here, or on a Dask cluster. What commands with a cluster share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
import trio
from msgspec import Struct

from ..game import ConfigError
from ..game.texts import plural
from ..referee.sandbox.isolation import SandboxPolicy
from ..tournament.config import TournamentFile
from ..tournament.director import Director, run_trial_in_process
from ..tournament.entries import Version
from ..tournament.news import ClusterNotice
from ..tournament.pace import DurationEstimate
from ..tournament.snapshots import snapshots_beside
from ..tournament.stop_condition import StopCondition
from ..tournament.store import Store
from .common import F, to_plain_text
from .extras import check_extra
from .tournament_view import TournamentView
from .trio_main import trio_main

if TYPE_CHECKING:
    from ..cluster.address import ClusterAddress
    from ..cluster.cluster_check import NodeFacts

MAX_CLUSTER_GAMES = 1024
"""Games at a time on a cluster, however many slots it has."""


class PlayLocation(Struct, frozen=True):
    """Where games are played: in this many slots here, or on a cluster."""

    slots: int
    address: ClusterAddress | None = None


def certificate_options(command: F) -> F:
    for option in (
        click.option(
            "--trust-network",
            is_flag=True,
            help="Allow tcp:// to other machines. There is no encryption and no authentication.",
        ),
        click.option("--certificates", metavar="DIR", help="For tls://: the folder with ca.pem and host.pem."),
    ):
        command = option(command)
    return command


def cluster_options(command: F) -> F:
    option = click.option(
        "--cluster", metavar="ADDRESS", help="Play on the Dask cluster at this address: tls://HOST:PORT."
    )
    return option(certificate_options(command))


def cluster_address_from_options(
    cluster: str | None, certificates: str | None, trust_network: bool
) -> ClusterAddress | None:
    """ConfigError if the host may not use the address, or lacks a certificate or package for it."""
    if cluster is None:
        if certificates is not None or trust_network:
            raise ConfigError("--certificates and --trust-network are for a cluster: --cluster ADDRESS names it")
        return None
    from ..cluster.address import check_cluster_address

    check_extra("cluster", "tournaments on a cluster")
    return check_cluster_address(cluster, certificates, trust_network)


def warn(text: str) -> None:
    click.echo(f"peloarena: {to_plain_text(text)}", err=True)


def print_progress(text: str) -> None:
    """Progress for a person who waits; the results are printed afterwards."""
    if sys.stderr.isatty():
        click.echo(to_plain_text(text), err=True)


def find_nodes(address: ClusterAddress | None, policy: SandboxPolicy) -> list[NodeFacts] | None:
    """All nodes, at least one of which would play; empty if the tournament is played here. None: interrupted."""
    if address is None:
        return []
    from ..cluster.cluster_check import check_nodes

    nodes: list[NodeFacts] = []

    async def main() -> None:
        nodes.extend(await check_nodes(address, policy, print_progress, warn))

    if trio_main(main):
        return None
    if not any(node.plays for node in nodes):
        reasons = "; ".join(f"{node.name}: {node.problem}" for node in nodes) or "the cluster has no nodes"
        raise ConfigError(f"{address.as_written}: no node would play: {reasons}")
    return nodes


def node_plan_lines(nodes: Sequence[NodeFacts], duration: DurationEstimate, games: int) -> list[str]:
    """Games per second by node, if the tournament takes as long as is likely; and the nodes that get no games."""
    whole = sum(node.slots * node.speed for node in nodes)
    lines = [f"{node.name} plays no games: {node.problem}" for node in nodes if not node.plays]
    for node in filter(lambda node: node.plays, nodes):
        share = node.slots * node.speed / whole
        low, high = sorted(games * share / seconds for seconds in duration.likely)
        pace = f"{low:.2g}" if duration.measured else f"{low:.2g} to {high:.2g}"
        capacity = f"{plural(node.slots, 'game')} at a time, {node.speed:g} times as fast as here"
        lines.append(f"{node.name}: {capacity}, likely {pace} games a second")
    return lines


async def play_on_cluster(
    tournament: TournamentFile,
    store: Store,
    view: TournamentView,
    location: PlayLocation,
    stop_condition: StopCondition,
) -> None:
    from ..cluster.cluster_runner import open_cluster
    from ..cluster.unfinished_deals import nodes_of_unfinished_deals

    assert location.address is not None
    trial_slots = trio.CapacityLimiter(location.slots)

    async def run_trial_here(store: Store, version: Version) -> None:
        """A cluster has slots for many more trials than this machine has cores."""
        async with trial_slots:
            await run_trial_in_process(store, version)

    def show_notice(text: str) -> None:
        view.show_news(ClusterNotice(text))

    snapshot_folder = snapshots_beside(store.path).folder
    async with open_cluster(location.address, tournament.config.sandbox, snapshot_folder, show_notice, warn) as cluster:
        cluster.fleet.pins |= nodes_of_unfinished_deals(store)
        try:
            with view:
                await Director(
                    *(tournament, store, cluster, view.show_news, MAX_CLUSTER_GAMES),
                    run_trial=run_trial_here,
                    stop_condition=stop_condition,
                    acquire_slot=cluster.reserve_capacity,
                    cluster=cluster.current_status,
                ).play()
                await cluster.spot_checks.wait_until_done()
        finally:  # the screen is closed now, and a quiet run showed none
            for text in cluster.accusations:
                warn(text)

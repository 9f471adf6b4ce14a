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
from ..referee.sandbox.isolation import Policy
from ..tournament.config import Night
from ..tournament.ending import Ending
from ..tournament.entries import Version
from ..tournament.keeping import keeping_of
from ..tournament.night import NightRun, try_elsewhere
from ..tournament.night_news import Noticed
from ..tournament.pace import Duration
from ..tournament.store import Store
from .common import F, plain
from .extras import check_extra
from .night_view import NightView
from .trio_main import trio_main

if TYPE_CHECKING:
    from ..cluster.address import ClusterAddress
    from ..cluster.checking import NodeFacts

MOST_PLACES = 1024
"""Games at a time on a cluster, however many slots it has."""


class Home(Struct, frozen=True):
    """Where games are played: in this many slots here, or on a cluster."""

    places: int
    address: ClusterAddress | None = None


def certificate_options(command: F) -> F:
    for option in (
        click.option(
            "--trust-network",
            is_flag=True,
            help="Allow tcp:// to other machines. Nothing is encrypted and nobody is checked.",
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


def address_of(cluster: str | None, certificates: str | None, trust_network: bool) -> ClusterAddress | None:
    """ConfigError if the host may not use the address, or lacks a certificate or package for it."""
    if cluster is None:
        if certificates is not None or trust_network:
            raise ConfigError("--certificates and --trust-network are for a cluster: --cluster ADDRESS names it")
        return None
    from ..cluster.address import cluster_address

    check_extra("cluster", "tournaments on a cluster")
    return cluster_address(cluster, certificates, trust_network)


def warn(text: str) -> None:
    click.echo(f"peloarena: {plain(text)}", err=True)


def progress(text: str) -> None:
    """Progress for a person who waits; the results are printed afterwards."""
    if sys.stderr.isatty():
        click.echo(plain(text), err=True)


def nodes_at(address: ClusterAddress | None, policy: Policy) -> list[NodeFacts] | None:
    """All nodes, at least one of which would play; empty if the tournament is played here. None: interrupted."""
    if address is None:
        return []
    from ..cluster.checking import look

    found: list[NodeFacts] = []

    async def main() -> None:
        found.extend(await look(address, policy, progress, warn))

    if trio_main(main):
        return None
    if not any(node.plays for node in found):
        reasons = "; ".join(f"{node.name}: {node.problem}" for node in found) or "there is none"
        raise ConfigError(f"{address.shown}: no node would play: {reasons}")
    return found


def node_plan_lines(nodes: Sequence[NodeFacts], duration: Duration, games: int) -> list[str]:
    """Games per second by node, if the tournament takes as long as is likely; and the nodes that get no games."""
    whole = sum(node.slots * node.speed for node in nodes)
    lines = [f"{node.name} plays no games: {node.problem}" for node in nodes if not node.plays]
    for node in filter(lambda node: node.plays, nodes):
        share = node.slots * node.speed / whole
        low, high = sorted(games * share / seconds for seconds in duration.likely)
        pace = f"{low:.2g}" if duration.measured else f"{low:.2g} to {high:.2g}"
        told = f"{plural(node.slots, 'game')} at a time, {node.speed:g} times as fast as here"
        lines.append(f"{node.name}: {told}, likely {pace} games a second")
    return lines


async def play_on_cluster(night: Night, store: Store, view: NightView, home: Home, ending: Ending) -> None:
    from ..cluster.half_played import nodes_of_half_played
    from ..cluster.runner import open_cluster

    assert home.address is not None
    trials = trio.CapacityLimiter(home.places)

    async def try_here(store: Store, version: Version) -> None:
        """A cluster has slots for many more trials than this machine has cores."""
        async with trials:
            await try_elsewhere(store, version)

    def notice(text: str) -> None:
        view.tell(Noticed(text))

    keeping = keeping_of(store.path).home
    async with open_cluster(home.address, night.config.sandbox, keeping, notice, warn) as cluster:
        cluster.fleet.pins |= nodes_of_half_played(store)
        try:
            with view:
                await NightRun(
                    *(night, store, cluster, view.tell, MOST_PLACES),
                    try_version=try_here,
                    ending=ending,
                    room=cluster.room,
                    cluster=cluster.now,
                ).play()
                await cluster.checks.done()
        finally:  # the screen is closed now, and a quiet run showed none
            for text in cluster.accusations:
                warn(text)

"""After many games: where each bot's points come from, how much time it used, and which games to look at first."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from ..game.texts import plural
from ..tournament.series_details import BotDetails, PointsTally, details_of, worst_losses
from .common import safe
from .series_run import Contest


def print_details(out: Console, contest: Contest) -> None:
    reports = contest.score.reports
    out.print("\nPoints per game (number of games in brackets):")
    for name in contest.score.names:
        details = details_of(reports, name)
        for what, shares in point_breakdowns(details, len(contest.score.names)):
            out.print(f"  {safe(name)} {what}: {shares_text(shares)}", soft_wrap=True)
    out.print("Time:")
    for name in contest.score.names:
        out.print(f"  {safe(name)}: {times_text(details_of(reports, name))}", soft_wrap=True)
    first = contest.score.names[0]
    losses = worst_losses(reports, first)
    if losses:
        out.print(f"Worst losses of {safe(first)}:")
    for loss in losses:
        path = safe(str(contest.records.path(loss.game)))
        out.print(f"  {plural(loss.margin, 'point')} behind, seed {safe(loss.seed)}: {path}", soft_wrap=True)
    out.print()


def point_breakdowns(details: BotDetails, bots: int) -> Iterable[tuple[str, Iterable[tuple[str, PointsTally]]]]:
    """With two bots, all points are against the other."""
    yield "by seat", [(f"seat {seat}", share) for seat, share in details.by_seat.items()]
    yield "by civilization", details.by_civilization.items()
    if bots > 2:
        yield "against", details.by_opponent.items()


def shares_text(shares: Iterable[tuple[str, PointsTally]]) -> str:
    return ", ".join(f"{safe(what)} {share.mean:.2f} ({share.games})" for what, share in shares)


def times_text(details: BotDetails) -> str:
    mean = f"{details.seconds_per_decision * 1000:.2f} ms a decision"
    return f"{mean}, the slowest {details.slowest * 1000:.1f} ms; start-up {details.startup * 1000:.0f} ms at most"


def json_details(contest: Contest) -> dict[str, object]:
    reports, names = contest.score.reports, contest.score.names
    first = names[0]
    worst = [
        {"game": loss.game, "seed": loss.seed, "margin": loss.margin, "record": str(contest.records.path(loss.game))}
        for loss in worst_losses(reports, first)
    ]
    return {"details": [details_of(reports, name) for name in names], "worst_losses": worst}

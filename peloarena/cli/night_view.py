"""What a night looks like while it runs: a live screen in a terminal, plain lines elsewhere, nothing when quiet.

Here are the words of both, and the plain lines; the screen is in `live_view`.
"""

from __future__ import annotations

import click
from rich.console import Console

from ..game.texts import plural
from ..tournament.config import Night
from ..tournament.night import Ended, News, Paused, RoundBegun, Started, Tried, Voided
from ..tournament.store import Store
from .common import plain


class NightView:
    """Shows nothing."""

    def __enter__(self) -> NightView:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, news: News) -> None:
        pass


def night_view_of(out: Console, night: Night, store: Store) -> NightView:
    from .live_view import LiveView

    able = out.is_terminal and not out.is_dumb_terminal
    return LiveView(out, night, store) if able else PlainView()


class PlainView(NightView):
    """A line for each game."""

    def __init__(self) -> None:
        self.done = self.total = 0

    def tell(self, news: News) -> None:
        match news:
            case RoundBegun():
                self.done, self.total = news.done, news.total
                games = plural(news.games, "game")
                click.echo(f"{round_text(news)}: {news.missing} of {games} to play")
            case Started():
                pass  # its end is told
            case Ended():
                self.done += 1
                click.echo(f"{self.done}/{self.total} {result_text(news)}")
                for text in fault_texts(news):
                    click.echo(f"  {text}")
            case Voided():
                click.echo(f"  {void_text(news)}")
            case Tried():
                click.echo(f"  {tried_text(news)}")
            case Paused():
                click.echo(plain(f"{'paused' if news.on else 'going on'} {news.reason}".strip()))


# -- words ----------------------------------------------------------------------------------------------------------


def round_text(news: RoundBegun) -> str:
    return f"round {news.number}" if news.stage == "main" else f"{news.stage} of round {news.number}"


def result_text(news: Ended) -> str:
    """`r01-1.2-d001-s1  1. greedy 24, 2. random 6`."""
    outcome = news.report.outcome
    order = sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat])
    parts = [f"{outcome.ranks[s]}. {plain(news.fixture.seats[s])} {score_text(news, s)}".rstrip() for s in order]
    return f"{news.fixture.game}  {', '.join(parts)}"


def score_text(news: Ended, seat: int) -> str:
    report = news.report
    if any(verdict.seat == seat and verdict.fault == "forfeit" for verdict in report.verdicts):
        return "forfeit"
    score = report.outcome.scores[seat]
    return "out" if report.outcome.out[seat] else "" if score is None else str(score)


def fault_texts(news: Ended) -> list[str]:
    return [
        f"{plain(news.fixture.seats[v.seat])}: {v.fault}{' (forgiven)' if v.forgiven else ''} in {news.fixture.game}: "
        f"{plain(v.reason)}"
        for v in news.report.verdicts
        if v.fault != "forfeit"
    ]


def tried_text(news: Tried) -> str:
    came = "plays from the next round on" if news.version.state == "ready" else f"refused: {news.version.problem}"
    return plain(f"{news.name} v{news.version.edition}: {came}")


def void_text(news: Voided) -> str:
    end = "given up" if news.given_up else "played again"
    return plain(f"{news.fixture.game} is void and {end}: {news.reason}")

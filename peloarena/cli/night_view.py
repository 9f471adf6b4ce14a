"""How a tournament is shown while it runs: a live screen in a terminal, plain lines elsewhere, nothing when quiet.

This module has the words of both, and the plain lines; the screen is in `live_view`.
"""

from __future__ import annotations

from collections.abc import Collection

import click
from rich.console import Console

from ..game.texts import plural
from ..referee.disk import FULL
from ..tournament.deals import Stage
from ..tournament.night_news import DealChosen, DiskNews, Ended, News, Noticed, Paused, RoundBegun, Tried, Voided
from ..tournament.outcome_text import places_text
from ..tournament.rows import GameRow, VoidRow
from ..tournament.store import Store
from .common import plain


class NightView:
    """Shows nothing."""

    has_screen = False
    """Whether other output must wait until this view ends."""

    def __enter__(self) -> NightView:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, news: News) -> None:
        """Reports only a full disk: nothing continues until the host makes room."""
        if isinstance(news, DiskNews):
            click.echo(plain(disk_text(news)), err=True)


def night_view_of(out: Console, store: Store, of_pages: Collection[str] = ()) -> NightView:
    """`of_pages`: the latest output of the pages that are served during the run; it grows."""
    from .live_view import LiveView

    return LiveView(out, store.path, of_pages) if has_screen(out) else PlainView(len(store.names()))


def has_screen(out: Console) -> bool:
    return out.is_terminal and not out.is_dumb_terminal


class PlainView(NightView):
    """Prints a line for each game."""

    def __init__(self, done: int = 0) -> None:
        self.done = done
        self.total = 0
        """Unknown on a ladder."""

    def tell(self, news: News) -> None:
        """Ignore a full disk under our output; everything is in the store."""
        try:
            self._print(news)
        except OSError as error:
            if error.errno not in FULL:
                raise

    def _print(self, news: News) -> None:
        match news:
            case RoundBegun():
                self.done, self.total = news.done, news.total
                click.echo(round_begun_text(news))
            case DealChosen():
                click.echo(plain(f"deal {news.number}: {', '.join(news.seats)}: {news.reason}"))
            case Ended():
                self.done += 1
                click.echo(f"{self.done}{f'/{self.total}' if self.total else ''} {result_text(news)}")
                for text in fault_texts(news):
                    click.echo(f"  {text}")
            case Voided():
                click.echo(f"  {void_text(news)}")
            case Tried():
                click.echo(f"  {tried_text(news)}")
            case Noticed():
                click.echo(f"  {plain(news.text)}")
            case DiskNews():
                super().tell(news)
            case Paused():
                click.echo(plain(f"{'paused' if news.on else 'going on'} {news.reason}".strip()))


# -- words ----------------------------------------------------------------------------------------------------------


Finished = Ended | GameRow
"""A finished game, from the runner or from the store."""


def round_text(stage: Stage, number: int) -> str:
    if not number:
        return "ladder"
    if stage == "finish":
        return f"finish, round {number}"
    return f"round {number}" if stage == "main" else f"{stage} of round {number}"


def round_begun_text(news: RoundBegun) -> str:
    where = round_text(news.stage, news.number)
    if news.goes_on:
        return f"{where} continues, because not all matches are decided: {plural(news.missing, 'game')} more"
    return f"{where}: {news.missing} of {plural(news.games, 'game')} to play"


def result_text(game: Finished) -> str:
    """`r01-1.2-d001-s1  1. greedy 24, 2. random 6`."""
    told = game.report if isinstance(game, Ended) else game
    return f"{game.fixture.game}  {plain(places_text(game.fixture.seats, told.outcome, told.verdicts))}"


def fault_texts(game: Finished) -> list[str]:
    told = game.report if isinstance(game, Ended) else game
    return [
        f"{plain(game.fixture.seats[v.seat])}: {v.fault}{' (forgiven)' if v.forgiven else ''} in {game.fixture.game}: "
        f"{plain(v.reason)}"
        for v in told.verdicts
        if v.fault != "forfeit"
    ]


def tried_text(news: Tried) -> str:
    when = "at once" if news.at_once else "from the next round on"
    came = f"plays {when}" if news.version.state == "ready" else f"refused: {news.version.problem}"
    return plain(f"{news.name} v{news.version.edition}: {came}")


def disk_text(news: DiskNews) -> str:
    if not news.problem:
        return "There is room on the disk again: the tournament goes on."
    return f"{news.problem}. The tournament waits and goes on by itself when there is room; no finished game is lost."


def void_text(news: Voided) -> str:
    end = "given up" if news.given_up else "played again"
    return plain(f"{news.fixture.game} is void and {end}: {news.reason}")


def stored_void_text(row: VoidRow) -> str:
    return plain(f"{row.game} is declared void by the {row.origin}: {row.reason}")

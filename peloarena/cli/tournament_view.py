"""How a tournament is shown while it runs: a live screen in a terminal, plain lines elsewhere, nothing when quiet.

This module has the words of both, and the plain lines; the screen is in `live_view`.
"""

from __future__ import annotations

from collections.abc import Collection

import click
from rich.console import Console

from ..game.texts import plural
from ..referee.disk import DISK_FULL_ERRNOS
from ..tournament.deals import Stage
from ..tournament.news import (
    ClusterNotice,
    DealChosen,
    DiskStateChanged,
    GameFinished,
    GameVoided,
    News,
    PauseChanged,
    RoundAnnounced,
    TrialFinished,
)
from ..tournament.outcome_text import ranks_and_scores_text
from ..tournament.rows import GameRow, VoidRow
from ..tournament.store import Store
from .common import to_plain_text


class TournamentView:
    """Shows nothing."""

    has_screen = False
    """Whether other output must wait until this view ends."""

    def __enter__(self) -> TournamentView:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def show_news(self, news: News) -> None:
        """Reports only a full disk: nothing continues until the host makes room."""
        if isinstance(news, DiskStateChanged):
            click.echo(to_plain_text(disk_text(news)), err=True)


def make_tournament_view(out: Console, store: Store, page_lines: Collection[str] = ()) -> TournamentView:
    """`page_lines`: the latest output of the pages that are served during the run; it grows."""
    from .live_view import LiveView

    return LiveView(out, store.path, page_lines) if has_screen(out) else PlainView(len(store.finished_game_names()))


def has_screen(out: Console) -> bool:
    return out.is_terminal and not out.is_dumb_terminal


class PlainView(TournamentView):
    """Prints a line for each game."""

    def __init__(self, done: int = 0) -> None:
        self.done = done
        self.total = 0
        """Unknown on a ladder."""

    def show_news(self, news: News) -> None:
        """Ignore a full disk under our output; everything is in the store."""
        try:
            self._print(news)
        except OSError as error:
            if error.errno not in DISK_FULL_ERRNOS:
                raise

    def _print(self, news: News) -> None:
        match news:
            case RoundAnnounced():
                self.done, self.total = news.done, news.total
                click.echo(round_start_text(news))
            case DealChosen():
                click.echo(to_plain_text(f"deal {news.number}: {', '.join(news.seats)}: {news.reason}"))
            case GameFinished():
                self.done += 1
                click.echo(f"{self.done}{f'/{self.total}' if self.total else ''} {result_text(news)}")
                for text in fault_texts(news):
                    click.echo(f"  {text}")
            case GameVoided():
                click.echo(f"  {void_text(news)}")
            case TrialFinished():
                click.echo(f"  {trial_text(news)}")
            case ClusterNotice():
                click.echo(f"  {to_plain_text(news.text)}")
            case DiskStateChanged():
                super().show_news(news)
            case PauseChanged():
                click.echo(to_plain_text(f"{'paused' if news.on else 'resumed'} {news.reason}".strip()))


# -- words ----------------------------------------------------------------------------------------------------------


FinishedGame = GameFinished | GameRow
"""A finished game, from the runner or from the store."""


def round_text(stage: Stage, number: int) -> str:
    if not number:
        return "ladder"
    if stage == "finish":
        return f"finish, round {number}"
    return f"round {number}" if stage == "main" else f"{stage} of round {number}"


def round_start_text(news: RoundAnnounced) -> str:
    where = round_text(news.stage, news.number)
    if news.is_resumed:
        return f"{where} continues, because not all matches are decided: {plural(news.due_count, 'game')} more"
    return f"{where}: {news.due_count} of {plural(news.games, 'game')} to play"


def result_text(game: FinishedGame) -> str:
    """`r01-1.2-d001-s1  1. greedy 24, 2. random 6`."""
    result = game.report if isinstance(game, GameFinished) else game
    text = ranks_and_scores_text(game.fixture.seats, result.outcome, result.verdicts)
    return f"{game.fixture.game}  {to_plain_text(text)}"


def fault_texts(game: FinishedGame) -> list[str]:
    result = game.report if isinstance(game, GameFinished) else game
    return [
        f"{to_plain_text(game.fixture.seats[verdict.seat])}: {verdict.fault}"
        f"{' (forgiven)' if verdict.forgiven else ''} in {game.fixture.game}: {to_plain_text(verdict.reason)}"
        for verdict in result.verdicts
        if verdict.fault != "forfeit"
    ]


def trial_text(news: TrialFinished) -> str:
    when = "at once" if news.plays_at_once else "from the next round on"
    result = f"plays {when}" if news.version.state == "ready" else f"refused: {news.version.problem}"
    return to_plain_text(f"{news.name} v{news.version.edition}: {result}")


def disk_text(news: DiskStateChanged) -> str:
    if not news.problem:
        return "There is room on the disk again: the tournament goes on."
    return f"{news.problem}. The tournament waits and goes on by itself when there is room; no finished game is lost."


def void_text(news: GameVoided) -> str:
    end = "given up" if news.given_up else "played again"
    return to_plain_text(f"{news.fixture.game} is void and {end}: {news.reason}")


def stored_void_text(row: VoidRow) -> str:
    return to_plain_text(f"{row.game} is declared void by the {row.origin}: {row.reason}")

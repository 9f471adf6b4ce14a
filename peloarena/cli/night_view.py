"""What a night looks like while it runs: a live screen in a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import time
from collections import deque

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from peloarena.tournament.config import Night
from peloarena.tournament.night import Ended, News, Paused, RoundBegun, Started, Voided
from peloarena.tournament.ratings import RatingTable
from peloarena.tournament.schedule import Fixture, Plan, summary
from peloarena.tournament.standings import night_table, results_of
from peloarena.tournament.store import Store

from .common import plain

REFRESH_PER_SECOND = 4
LAST_RESULTS = 8
LAST_FAULTS = 5
SHOWN_BOTS = 20
RATE_EVERY = 2.0
"""Ratings are computed anew at most so often (seconds), and never use more than a twentieth of the time."""


def result_text(news: Ended) -> str:
    """`r01-t001-d001-s1  1. greedy 24, 2. random 6`."""
    outcome = news.report.outcome
    order = sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat])
    parts = [f"{outcome.ranks[s]}. {plain(news.fixture.seats[s])} {score_text(news, s)}".rstrip() for s in order]
    return f"{news.fixture.game}  {', '.join(parts)}"


def score_text(news: Ended, seat: int) -> str:
    outcome = news.report.outcome
    score = outcome.scores[seat]
    return "out" if outcome.out[seat] else "" if score is None else str(score)


def fault_texts(news: Ended) -> list[str]:
    return [
        f"{plain(news.fixture.seats[v.seat])}: {v.fault}{' (forgiven)' if v.forgiven else ''} in {news.fixture.game}: "
        f"{plain(v.reason)}"
        for v in news.report.verdicts
    ]


class View:
    """Shows nothing."""

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, news: News) -> None:
        pass


class PlainView(View):
    """A line for each game."""

    def __init__(self, plan: Plan) -> None:
        self.total = summary(plan).games
        self.done = 0

    def tell(self, news: News) -> None:
        if isinstance(news, RoundBegun) and news.missing:
            self.done += news.games - news.missing
            click.echo(f"round {news.number}: {news.missing} of {news.games} games to play")
        elif isinstance(news, RoundBegun):
            self.done += news.games
        elif isinstance(news, Ended):
            self.done += 1
            click.echo(f"{self.done}/{self.total} {result_text(news)}")
            for text in fault_texts(news):
                click.echo(f"  {text}")
        elif isinstance(news, Voided):
            click.echo(plain(f"  {news.fixture.game} is void: {news.reason}"))
        elif isinstance(news, Paused):
            click.echo(plain(f"{'paused' if news.on else 'going on'} {news.reason}".strip()))


class TerminalView(View):
    """A live screen: progress with the time left, standings, what is being played, last results, faults."""

    def __init__(self, out: Console, night: Night, plan: Plan, store: Store) -> None:
        self.night = night
        self.store = store
        self.total = summary(plan).games
        self.round = 0
        self.playing: dict[str, tuple[Fixture, float]] = {}
        self.results: deque[str] = deque(maxlen=LAST_RESULTS)
        self.faults: deque[str] = deque(maxlen=LAST_FAULTS)
        self.paused = ""
        self.before = self.done = len(store.names())
        self.started = time.monotonic()
        self.table: RatingTable | None = None
        self.rated_at = 0.0
        self.rate_cost = 0.0
        self.live = Live(self.screen(), console=out, refresh_per_second=REFRESH_PER_SECOND, get_renderable=self.screen)

    def __enter__(self) -> TerminalView:
        self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.live.stop()

    def tell(self, news: News) -> None:
        if isinstance(news, RoundBegun):
            self.round = news.number
        elif isinstance(news, Started):
            self.playing[news.fixture.game] = (news.fixture, time.monotonic())
        elif isinstance(news, Ended):
            self.done += 1
            self.playing.pop(news.fixture.game, None)
            self.results.append(result_text(news))
            self.faults.extend(fault_texts(news))
            self.rate()
        elif isinstance(news, Voided):
            self.playing.pop(news.fixture.game, None)
            self.faults.append(plain(f"{news.fixture.game} is void: {news.reason}"))
        elif isinstance(news, Paused):
            self.paused = f"PAUSED {plain(news.reason)}" if news.on else ""

    def rate(self) -> None:
        now = time.monotonic()
        if now - self.rated_at < max(RATE_EVERY, 20 * self.rate_cost):
            return
        games = self.store.games()
        if results_of(games):
            self.table = night_table(games)
        self.rated_at = time.monotonic()
        self.rate_cost = self.rated_at - now

    def screen(self) -> RenderableType:
        parts: list[RenderableType] = [self.head(), self.progress()]
        if self.table is not None:
            parts.append(Panel(self.standings(self.table), title="standings", title_align="left"))
        parts.append(Panel(self.now(), title="being played", title_align="left"))
        parts.append(Panel(Text("\n".join(self.results) or "none yet"), title="last results", title_align="left"))
        if self.faults:
            parts.append(Panel(Text("\n".join(self.faults), style="red"), title="faults", title_align="left"))
        return Group(*parts)

    def head(self) -> Text:
        return Text.assemble(
            (plain(self.night.config.name), "bold"),
            f"  {self.night.config.format}, round {self.round}  ",
            (self.paused, "bold red"),
        )

    def progress(self) -> RenderableType:
        row = Table.grid(padding=(0, 1), expand=True)
        row.add_column(ratio=1)
        row.add_column(no_wrap=True)
        row.add_row(
            ProgressBar(total=max(1, self.total), completed=self.done), f"{self.done}/{self.total}  {self.eta()}"
        )
        return row

    def eta(self) -> str:
        played = self.done - self.before
        if not played or self.done >= self.total:
            return ""
        left = (time.monotonic() - self.started) / played * (self.total - self.done)
        return f"{int(left // 3600)}:{int(left // 60) % 60:02}:{int(left) % 60:02} left"

    def standings(self, table: RatingTable) -> RenderableType:
        shown = Table.grid(padding=(0, 2))
        for justify in ("right", "left", "right", "right", "right", "right"):
            shown.add_column(justify=justify)
        for place, row in enumerate(table.ratings[:SHOWN_BOTS], 1):
            error = "n/a" if row.error is None else f"± {row.error:.0f}"
            faults = f"{row.faults} faults" if row.faults else ""
            shown.add_row(str(place), Text(plain(row.player)), f"{row.rating:.0f}", error, f"{row.games} games", faults)
        return shown

    def now(self) -> RenderableType:
        now = time.monotonic()
        lines = [
            f"{fixture.game}  {', '.join(map(plain, fixture.seats))}  {now - since:.0f} s"
            for fixture, since in self.playing.values()
        ]
        return Text("\n".join(lines) or "nothing")
